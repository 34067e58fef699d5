from __future__ import annotations

import time
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from freebody.algebra.expressions import FUNCTIONS, RESERVED, lookup, read, references
from freebody.errors import ExpressionError

x, y, force = sympy.symbols("x y F")
entry = sympy.Symbol("M12")
column = sympy.Matrix([x, y])
NAMES = {"x": x, "y": y, "reaction.wrist.force.x": force, "M[1,2]": entry, "v": column}


def said(text: str) -> sympy.Expr:
    return read(text, lookup(NAMES))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("-x**2", -(x**2)),
        ("x^2", x**2),
        ("2**-1", sympy.Rational(1, 2)),
        ("2**3**2", sympy.Integer(512)),
        ("x - y - 1", x - y - 1),
        ("x/y/2", x / y / 2),
        ("x/y*2", 2 * x / y),
        ("--x", x),
        ("0.322*x", sympy.Rational(322, 1000) * x),
        ("1e-3 + .5 + 2.", sympy.Rational(2501, 1000)),
        ("2*pi", 2 * sympy.pi),
        ("x\n + y", x + y),
        ("reaction.wrist.force.x/2", force / 2),
        ("M[1, 2]", entry),
        ("sqrt(x)", sympy.sqrt(x)),
        ("atan2(y, x)", sympy.atan2(y, x)),
        ("Max(0, x, y)", sympy.Max(0, x, y)),
    ],
)
def test_text_is_read_as_it_is_meant(text: str, meaning: sympy.Expr) -> None:
    assert said(text) == meaning


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"atan2", "Min", "Max", "sqrt"}))
def test_a_function_is_the_one_of_its_name(name: str) -> None:
    assert said(f"{name}(x)") == getattr(sympy, name)(x)


def test_matrices_are_added_and_scaled() -> None:
    assert said("2*v - v/x") == sympy.Matrix([2 * x - 1, 2 * y - y / x])


@pytest.mark.parametrize("text", ["v + 1", "1/v", "v**2", "x**v", "sin(v)", "v*v"])
def test_matrices_that_do_not_fit_are_told(text: str) -> None:
    with pytest.raises(ExpressionError, match=r"matrix|shapes"):
        said(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("xx", "column 1: unknown name 'xx'; did you mean 'x'?"),
        ("1 + M[2,1]", "column 5: unknown name 'M[2,1]'; did you mean 'M[1,2]'?"),
        ("pi[1]", "unknown name 'pi[1]'"),
        ("sinn(x)", "column 1: unknown function 'sinn'; did you mean 'sin'?"),
        ("sin(x, y)", "sin takes 1, not 2 arguments"),
        ("sqrt(x, 0)", "sqrt takes 1, not 2 arguments"),
        ("", "expected an expression, found none"),
        ("x +", "column 4: the expression stops"),
        ("(x", "column 3: the expression stops"),
        ("x y", "column 3: expected *, /, + or - before 'y'"),
        ("2x", "column 2: expected *, /, + or - before 'x'"),
        ("2*sin x", "column 7: expected a bracket after 'sin'"),
        ("x)", "column 2: did not expect ')'"),
        ("__import__('os')", "column 1: did not expect '_'"),
        ("x.__class__", "column 3: did not expect '_'"),
        ("lambda x: x", "column 8: expected *, /, + or - before 'x'"),
        ("θ", "column 1: did not expect 'θ'"),
        ("x/0", "column 2: division by zero"),
        ("1/(x - x)", "column 2: division by zero"),
        ("x**y", "expected a rational number as exponent, found y"),
        ("sqrt(-1)", "not a finite real number"),
        ("log(0)", "not a finite real number"),
        ("tan(pi/2)", "not a finite real number"),
        ("9" * 41, "at most 40 digits"),
        ("1e301", "power of ten up to 300"),
        ("x + " * 500 + "x", "at most 2000 are read"),
        ("(" * 101 + "x" + ")" * 101, "more than 100 brackets"),
    ],
)
def test_what_is_wrong_is_told_with_its_column(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        said(text)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9",
        "9**" * 600 + "9",
        "((((9**9)**9)**9)**9)**9",
        "(((x**64)**64)**64)",
        "(2**64*x)**64**2",
        "2**2000*2**2000*2**2000",
        "exp(exp(exp(10)))",
        "sin(exp(600)**64)",
        "1e999999999999999999999999",
        "(" * 10_000 + "x" + ")" * 10_000,
        "-" * 100_000 + "x",
        "(10**1200 + 7)**(1/10**9)",
    ],
)
def test_short_text_cannot_cost_much(text: str) -> None:
    start = time.process_time()
    with pytest.raises(ExpressionError):
        said(text)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("number", [True, None, float("nan"), float("inf"), 10**2000])
def test_what_is_no_number_is_refused(number: object) -> None:
    with pytest.raises(ExpressionError):
        read(number, lookup({}))  # type: ignore[arg-type]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_it_is_written_as(number: float) -> None:
    assert read(number, lookup({})) == sympy.Rational(repr(number))


def test_references_are_in_the_order_of_the_text() -> None:
    found = references("b*sin(a.b[1]) + pi + M[1,2]")
    assert [(str(name), name.column) for name in found] == [("b", 1), ("a.b[1]", 7), ("M[1,2]", 22)]
    assert references(3.5) == ()


sums = st.recursive(
    st.integers(0, 99).map(str),
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
        lambda parts: f"({parts[0]}{parts[1]}-{parts[2]})"
    ),
    max_leaves=12,
)


@given(sums)
def test_arithmetic_is_that_of_python(text: str) -> None:
    assert Fraction(str(said(text))) == eval(text)  # noqa: S307


@given(st.text(alphabet=sorted({*"xy19.e+-*/^()[], ", *"sincoqrtpi"}), max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        meaning = said(text)
    except ExpressionError:
        return
    assert isinstance(meaning, sympy.Basic | sympy.MatrixBase)


def test_functions_and_the_time_are_reserved() -> None:
    assert {"t", "pi", "sin", "sqrt"} <= RESERVED
