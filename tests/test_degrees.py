"""Bounds on degrees are never below them, and not far above."""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import cos, exp, sin

from freebody.algebra import Ring
from freebody.algebra.degrees import Degree, Degrees, degree_bound
from freebody.algebra.terms import exponents
from test_fields import EXAMPLES, SYMBOLS, a, b, grown, numbers, polynomials, symbols, x, y

Expr = sympy.Expr

FEWER = settings(EXAMPLES, max_examples=15)

algebraic = st.recursive(st.one_of(numbers, symbols), grown, max_leaves=8)


def true_degree(expressions: Iterable[Expr]) -> int:
    numerators = (sympy.fraction(sympy.together(expr))[0] for expr in expressions)
    polys = (sympy.Poly(sympy.expand(n), *SYMBOLS) for n in numerators)
    return max((poly.total_degree() for poly in polys if not poly.is_zero), default=0)


@FEWER
@given(algebraic, algebraic, algebraic)
def test_a_bound_is_not_below_the_degree(upper: Expr, lower: Expr, other: Expr) -> None:
    expr = upper / (lower**2 + 1) - other / (lower**2 + 1) ** 2 + 1 / (other**2 + a**2 + 1)
    assume(sympy.expand(sympy.together(expr)) != 0)
    assert degree_bound([expr]) >= true_degree([expr])


@EXAMPLES
@given(algebraic)
def test_the_bound_of_a_polynomial_is_exact_where_nothing_cancels(expr: Expr) -> None:
    positive = sympy.sympify(expr).replace(lambda e: e.is_Rational and e < 0, abs)
    assume(positive != 0)
    assert degree_bound([positive]) == true_degree([positive])


@FEWER
@given(algebraic, algebraic)
def test_the_bound_of_a_moved_expression_covers_its_derivatives(upper: Expr, lower: Expr) -> None:
    expr = upper / (lower**2 + 1)
    (moved,) = Degrees().moved({x: 1}, {x: 1, y: 1}).values([expr])
    along = expr.diff(x) + expr.diff(y)
    quotients = map(sympy.fraction, map(sympy.cancel, (expr, expr.diff(x), along, along.diff(x))))
    assert moved.bound >= true_degree(upper * lower for upper, lower in quotients)


@EXAMPLES
@given(polynomials)
def test_the_bound_of_waves_is_that_of_their_exponentials(expr: Expr) -> None:
    ring = Ring()
    form = ring.form(expr)
    weights = [
        sum(
            abs(power) * (2 if ring.generators[place].kind == "angle" else 1)
            for place, power in exponents(key & ~3)
            if ring.generators[place].kind != "root"
        )
        for key in form.terms.table
    ]
    assert degree_bound([expr]) >= max(weights, default=0)


def test_a_common_denominator_counts_once() -> None:
    terms = [sympy.Symbol(f"m{i}") / (a + b) for i in range(50)]
    assert degree_bound([sympy.Add(*terms)]) == 2


def test_a_sum_is_brought_to_a_common_denominator_from_either_side() -> None:
    high, low = Degree(5), Degree(1)
    assert (high + 1 / low).bound == (1 / low + high).bound == 7


def test_degrees_of_a_recursion_stay_small() -> None:
    step = Degrees().values([cos(x), sin(x), a])
    vector = [Degree(1)] * 3
    for _ in range(30):
        vector = [sum((s * part for s in step), Degree()) for part in vector]
    assert vector[0].bound == 30 * 24 + 1


def test_an_opaque_function_counts_the_chance_that_arguments_meet() -> None:
    few, many = (
        degree_bound([sympy.Add(*(exp(a**n) for n in range(1, count)))]) for count in (2, 6)
    )
    assert few == 1
    assert many > sum(range(1, 6))


def test_degrees_of_waves_count_that_their_atoms_may_have_other_values() -> None:
    degrees = Degrees()
    (high,) = degrees.values([a**40])
    known, _ = degrees.where({x: high}).values([cos(x), cos(2 * x)])
    (doubled,) = degrees.where({y: high}).values([cos(y)])
    assert known.bound == 24
    assert doubled.bound > 80
