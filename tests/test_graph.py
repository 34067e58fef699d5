"""The graph of operations: what is read is worth the same, however functions of it are written."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy

from conftest import worked_out
from freebody.errors import GraphError
from freebody.graph.code import Code, Variable
from freebody.graph.evaluation import evaluate_at_point
from freebody.graph.graph import Graph
from freebody.graph.meanings import MEANINGS
from freebody.graph.operations import OPERATIONS
from freebody.programs.verification import ProgramPoint

x, y, z = NAMES = sympy.symbols("x y z")
ENTRIES = {"q": [(symbol, Variable(symbol.name)) for symbol in NAMES]}
EXPRESSIONS = (
    x**3 / y - 2 * x * y + sympy.Rational(7, 3),
    sympy.pi * x + sympy.cos(x + 2 * y) - sympy.tan(x - z),
    sympy.sqrt(x**2 + 19) ** 3 + (x * y) ** sympy.Rational(-3, 2),
    x ** sympy.Rational(1, 3) - 1 / y ** sympy.Rational(2, 7) + (x + y) ** z,
    sympy.Max(x, y, 0.1) - sympy.Max(sympy.Max(y, z), x) * sympy.Min(x, -y),
    sympy.Abs(x - y) + sympy.Abs(y - x) * sympy.sign(z - x) + sympy.sign(x - z),
    sympy.asin(x - y) + sympy.atan(y - x) - sympy.tanh(-x) + sympy.sinh(y) * sympy.cosh(z - y),
    sympy.atan2(x, sympy.Rational(1, 20)) + sympy.atan2(sympy.sqrt(x), y),
    sympy.Piecewise((x, x > y), (y**2, z <= x), (sympy.exp(-z), True)),
    sympy.Piecewise((x, -x < -y), (z, -z <= 0), (1, True)) + sympy.acos(x / 4) + sympy.log(y),
)


def code(*expressions: sympy.Expr) -> Code:
    graph = Graph()
    return graph.code("f", ENTRIES, graph.values(expressions), (len(expressions),))


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_code_is_worth_what_it_was_read_from(expr: sympy.Expr) -> None:
    written, point = code(expr), ProgramPoint(1)
    assert evaluate_at_point(written, NAMES, point) == point.values([expr])
    for at in np.random.default_rng(1).uniform(0.1, 0.9, (5, 3)):
        expected = expr.xreplace(dict(zip(NAMES, map(sympy.Float, at), strict=True)))
        assert worked_out(written, at)[0] == pytest.approx(float(expected), rel=1e-12)
    assert Code.loads(written.dumps()) == written


def test_numbers_are_kept_exactly() -> None:
    steps = code(x / 3 + 0.1 * y + sympy.pi).steps
    numbers = {step[1] for step in steps if step[0] == "number"}
    assert numbers == {Fraction(1, 3), Fraction(1, 10), "pi"}


def test_equal_operations_are_done_once_and_opposite_ones_undone() -> None:
    assert code((x + y) * z, z * (y + x), (x + y) - y).operations == 2
    assert code(y - x, x - y).operations == 2
    assert code(sympy.sin(x - y), -sympy.sin(y - x)).operations == 2


@pytest.mark.parametrize(
    "expr", [sympy.gamma(x), sympy.zoo * x, sympy.I * x, x + sympy.oo], ids=str
)
def test_what_there_is_no_operation_for_is_told(expr: sympy.Expr) -> None:
    with pytest.raises(GraphError, match="no backend knows"):
        code(expr)


def test_a_leaf_that_is_no_argument_is_told() -> None:
    graph = Graph()
    with pytest.raises(GraphError, match="w is no argument of 'f'"):
        graph.code("f", ENTRIES, graph.values([x + sympy.Symbol("w")]), (1,))


def test_every_operation_has_a_meaning() -> None:
    assert set(MEANINGS) == set(OPERATIONS)
