"""The canonical form decides equality, and its numbers are those of the expression."""

from __future__ import annotations

import mpmath
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Abs, Rational, cos, exp, pi, sin, sqrt, tan
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, Ring, compare, difference, equal
from freebody.algebra.canonical import is_zero
from freebody.algebra.points import Point
from freebody.algebra.terms import MAX_DEGREE, Terms, TooLargeError

Expr = sympy.Expr

a, b, c, x, y, z = SYMBOLS = sympy.symbols("a b c x y z")
q1, q2 = dynamicsymbols("q1 q2")
EXAMPLES = settings(max_examples=30, derandomize=True, deadline=None, database=None)
DIGITS = 40
VALUES = dict(zip(SYMBOLS, map(Rational, (".7", "1.3", ".9", ".4", "1.1", ".6")), strict=True))

numbers = st.builds(Rational, st.integers(-6, 6), st.integers(1, 6))
symbols = st.sampled_from(SYMBOLS)
angles = st.builds(
    lambda m, n, k, offset: m * x + n * y / 2 + k * z / 3 + offset,
    *[st.integers(-3, 3)] * 3,
    st.sampled_from([0, 0, pi / 6, pi / 4, pi / 3, pi, -pi / 2]),
)
waves = st.builds(lambda function, angle: function(angle), st.sampled_from([sin, cos]), angles)


def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Combine expressions to larger ones."""
    return st.one_of(
        st.builds(lambda left, right: left + right, inner, inner),
        st.builds(lambda left, right: left * right, inner, inner),
        st.builds(lambda base, power: base**power, inner, st.integers(2, 3)),
    )


polynomials = st.recursive(st.one_of(numbers, symbols, waves), grown, max_leaves=8)
small = st.recursive(st.one_of(numbers, symbols, waves), grown, max_leaves=4)
quotients = st.builds(lambda upper, lower: upper / (lower**2 + 1), small, small)


def value(expr: Expr) -> mpmath.mpf:
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(str(sympy.N(expr.subs(VALUES), DIGITS)))


def is_close(left: mpmath.mpf, right: mpmath.mpf) -> bool:
    return bool(abs(left - right) <= (1 + abs(left)) * mpmath.mpf(10) ** (10 - DIGITS))


def expanded(form: Form) -> Expr:
    return form.ring.expression(form)


# ---------------------------------------------------------------------- numbers


@pytest.mark.exhaustive
@EXAMPLES
@given(polynomials)
def test_a_form_has_the_value_of_its_expression(expr: Expr) -> None:
    assert is_close(value(expanded(Ring().form(expr))), value(expr))


@EXAMPLES
@given(quotients)
def test_a_quotient_has_the_value_of_its_expression(expr: Expr) -> None:
    assert is_close(value(expanded(Ring().form(expr))), value(expr))


@EXAMPLES
@given(polynomials, polynomials)
def test_two_expressions_are_equal_where_their_numbers_are(left: Expr, right: Expr) -> None:
    found = compare(left, right)
    assert found.proof == "exact"
    assert found.equal == is_close(value(left), value(right))


@EXAMPLES
@given(polynomials, polynomials, polynomials)
def test_the_laws_of_a_ring_hold(left: Expr, middle: Expr, right: Expr) -> None:
    ring = Ring()
    f, g, h = (ring.form(expr) for expr in (left, middle, right))
    assert (f * (g + h)).terms == (f * g + f * h).terms
    assert ((f * g) * h).terms == (f * (g * h)).terms
    assert (f - f).terms == ring.zero.terms


@EXAMPLES
@given(polynomials)
def test_a_square_is_the_product_of_two_that_are_equal(expr: Expr) -> None:
    terms = Ring().form(expr).terms
    assert terms * terms == terms * Terms(dict(terms.table), terms.degree)


@EXAMPLES
@given(polynomials)
def test_the_order_of_what_was_seen_before_does_not_matter(expr: Expr) -> None:
    ring, other = Ring(), Ring()
    for symbol in reversed(SYMBOLS):
        other.form(sin(symbol))
    assert equal(expanded(ring.form(expr)), expanded(other.form(expr)))


@EXAMPLES
@given(polynomials, numbers)
def test_a_difference_is_what_was_added(expr: Expr, number: Rational) -> None:
    assume(number)
    assert [term.expr for term in difference(expr + number * a * cos(x - y), expr)] == [
        number * a * cos(x - y)
    ]


@EXAMPLES
@given(polynomials, polynomials)
def test_the_terms_of_a_difference_add_up_to_it(left: Expr, right: Expr) -> None:
    terms = difference(left, right)
    assert is_close(value(sympy.Add(*(term.expr for term in terms))), value(left - right))


@EXAMPLES
@given(polynomials, polynomials)
def test_a_product_is_divided_out_exactly(left: Expr, right: Expr) -> None:
    ring = Ring()
    f, g = ring.form(left), ring.form(right)
    assume(g)
    quotient = f * g / g
    assert is_zero(quotient - f)
    if right.is_polynomial(*SYMBOLS):
        assert quotient.terms == f.terms


# ---------------------------------------------------------------------- calculus

MOVING = {x: q1, y: q2, z: q1 - q2}


@EXAMPLES
@given(st.one_of(polynomials, quotients))
def test_the_derivative_in_time_is_that_of_sympy(expr: Expr) -> None:
    ring, moving = Ring(), expr.xreplace(MOVING)
    found = ring.derivative(ring.form(moving), lambda atom: ring.form(atom.diff(dynamicsymbols._t)))
    assert is_zero(found - ring.form(moving.diff(dynamicsymbols._t)))


@pytest.mark.parametrize(
    "expr",
    [sqrt(1 + a * sin(x)), exp(a * x), tan(x) ** 2, Abs(a) * x, 1 / (a + cos(x)), x * cos(x)],
)
def test_the_partial_derivative_of_a_function_is_that_of_sympy(expr: Expr) -> None:
    ring = Ring()
    found = ring.derivative(ring.form(expr), lambda atom: ring.number(int(atom == x)))
    assert equal(expanded(found), expr.diff(x))


@EXAMPLES
@given(small, small)
def test_a_form_is_put_in_place_of_a_symbol(expr: Expr, instead: Expr) -> None:
    ring = Ring()
    found = ring.substitute(ring.form(expr), {a: ring.form(instead)})
    assert is_close(value(expanded(found)), value(expr.subs(a, instead)))


def test_two_symbols_are_put_in_place_of_each_other_at_once() -> None:
    ring = Ring()
    swapped = {a: ring.form(b), b: ring.form(a)}
    assert equal(expanded(ring.substitute(ring.form(a - 2 * b), swapped)), b - 2 * a)


def test_a_symbol_is_replaced_in_denominators_and_under_roots() -> None:
    ring = Ring()
    form = ring.form(1 / (a + b) + sqrt(a + c))
    found = ring.substitute(form, {a: ring.form(x**2)})
    assert equal(expanded(found), 1 / (x**2 + b) + sqrt(x**2 + c))


def test_a_form_is_split_by_the_powers_of_a_symbol() -> None:
    ring = Ring()
    parts = ring.coefficients(ring.form(3 * a**2 * cos(x) + b * a + c), (a,))
    assert {powers: expanded(part) for powers, part in parts.items()} == {
        (2,): 3 * cos(x),
        (1,): b,
        (0,): c,
    }


# ---------------------------------------------------------------------- identities

IDENTITIES = [
    (sin(x) ** 2 + cos(x) ** 2, 1),
    (cos(x + y), cos(x) * cos(y) - sin(x) * sin(y)),
    (sin(3 * x), 3 * sin(x) - 4 * sin(x) ** 3),
    (cos(x), 2 * cos(x / 2) ** 2 - 1),
    (sin(x), 2 * sin(x / 2) * cos(x / 2)),
    (cos(x), 4 * cos(x / 3) ** 3 - 3 * cos(x / 3)),
    (cos(x / 2) * cos(x / 3), (cos(5 * x / 6) + cos(x / 6)) / 2),
    (cos(x + pi / 3), cos(x) / 2 - sqrt(3) * sin(x) / 2),
    (sin(x + pi / 4), sqrt(2) * (sin(x) + cos(x)) / 2),
    (cos(x - pi / 4), sin(x + pi / 4)),
    (sin(x + pi / 12), sin(x) * cos(pi / 12) + cos(x) * sin(pi / 12)),
    (cos(pi - x), -cos(x)),
    (sin(x + 7 * pi), -sin(x)),
    (tan(x), sin(2 * x) / (1 + cos(2 * x))),
    (tan(x + y), (tan(x) + tan(y)) / (1 - tan(x) * tan(y))),
    (1 + tan(x) ** 2, 1 / cos(x) ** 2),
    (1 / (a + b) + 1 / (a - b), 2 * a / (a**2 - b**2)),
    ((a**3 - b**3) / (a - b), a**2 + a * b + b**2),
    (1 / (1 / a + 1 / b), a * b / (a + b)),
    (sqrt(a + b) ** 2, a + b),
    (sqrt(a + b) ** 3, (a + b) * sqrt(a + b)),
    (1 / sqrt(a + b), sqrt(a + b) / (a + b)),
    (1 / (sqrt(2) - 1), sqrt(2) + 1),
    (sqrt(Rational(8, 9)), 2 * sqrt(2) / 3),
    (x * cos(x) * cos(y) - x * sin(x) * sin(y), x * cos(x + y)),
    ((x + sin(x)) ** 2, x**2 + 2 * x * sin(x) + (1 - cos(2 * x)) / 2),
    (cos(a * x) ** 2, (1 + cos(2 * a * x)) / 2),
    (cos(a * (x + y)), cos(a * x) * cos(a * y) - sin(a * x) * sin(a * y)),
    (exp(x * (a + b)), exp(a * x + b * x)),
    (0.5 * a, a / 2),
    (sympy.I * sympy.I, -1),
]
NEAR = [
    (sin(x) ** 2 - cos(x) ** 2, 1),
    (cos(x + y), cos(x) * cos(y) + sin(x) * sin(y)),
    (cos(x + y), cos(x) * cos(y) - sin(x) * cos(y)),
    (sin(3 * x), 3 * sin(x) - 3 * sin(x) ** 3),
    (cos(x), 2 * cos(x / 2) ** 2 + 1),
    (sin(x), sin(x / 2) * cos(x / 2)),
    (cos(x + pi / 3), cos(x) / 2 + sqrt(3) * sin(x) / 2),
    (cos(x + pi / 3), sin(x + pi / 3)),
    (cos(x - pi / 3), sin(x + pi / 3)),
    (sin(x + pi / 4), sqrt(2) * (sin(x) - cos(x)) / 2),
    (sin(x + 7 * pi), sin(x)),
    (tan(x), sin(2 * x) / (1 - cos(2 * x))),
    (1 / (a + b) + 1 / (a - b), 2 * b / (a**2 - b**2)),
    ((a**3 - b**3) / (a - b), a**2 - a * b + b**2),
    (sqrt(a + b) ** 3, (a - b) * sqrt(a + b)),
    (1 / (sqrt(2) - 1), sqrt(2) - 1),
    (sqrt(2) * sqrt(3), sqrt(5)),
    (x * cos(x), y * cos(x)),
    (x * cos(x), x * cos(y)),
    (a * b**2, a**2 * b),
    (a + Rational(1, 10**30), a),
]


@pytest.mark.parametrize(("left", "right"), IDENTITIES)
def test_what_is_equal_is_found_equal(left: Expr, right: Expr) -> None:
    assert compare(left, right).equal
    assert difference(left, right) == []


@pytest.mark.parametrize(("left", "right"), NEAR)
def test_what_is_nearly_the_same_is_found_different(left: Expr, right: Expr) -> None:
    assert not compare(left, right).equal
    assert difference(left, right)


# ---------------------------------------------------------------------- kinds of proof


def test_an_identity_that_the_table_does_not_show_is_decided_at_points() -> None:
    found = compare(Abs(a) ** 2 + sqrt(b**2 + 2 * b + 1), Abs(a**2) + Abs(b + 1))
    assert found.equal
    assert found.proof == "40 digits at 12 random points"


def test_a_difference_behind_a_root_is_decided_at_points() -> None:
    found = compare(sqrt(a**2 + b**2), a + b)
    assert not found.equal
    assert found.proof == "50 digits at a random point"


def test_a_root_that_is_reduced_by_its_square_is_exact() -> None:
    assert compare(sqrt(a + b) * sqrt(a + b), a + b).proof == "exact"


def test_nested_roots_are_decided() -> None:
    assert equal(sqrt(3 + 2 * sqrt(2)), 1 + sqrt(2))
    assert not equal(sqrt(3 - 2 * sqrt(2)), 1 - sqrt(2))


@pytest.mark.parametrize("function", [exp, Abs, sympy.sinh, sympy.atan, sympy.log])
def test_functions_are_equal_where_their_arguments_are(function: type[Expr]) -> None:
    assert equal(function(cos(x + y)), function(cos(x) * cos(y) - sin(x) * sin(y)))
    assert not equal(function(cos(x + y)), function(cos(x) * cos(y) + sin(x) * sin(y)))


def test_a_table_that_would_be_too_large_is_refused_and_points_decide() -> None:
    large = sympy.Mul(*((1 + sum(SYMBOLS)) ** 7 for _ in range(3)), evaluate=False)
    with pytest.raises(TooLargeError):
        Ring().form(large * large)
    assert compare(large * large, large**2 + 1).proof == "50 digits at a random point"


def test_a_degree_that_would_overflow_its_field_is_refused() -> None:
    with pytest.raises(TooLargeError):
        Ring().form(a**MAX_DEGREE * a)


def test_division_by_what_is_identically_zero_is_refused() -> None:
    with pytest.raises(ZeroDivisionError):
        Ring().form(1 / (sin(x) ** 2 + cos(x) ** 2 - 1))


@EXAMPLES
@given(polynomials, polynomials)
def test_a_point_of_a_field_tells_forms_apart_as_the_tables_do(left: Expr, right: Expr) -> None:
    ring = Ring()
    f, g = ring.form(left), ring.form(right)
    assume(not ring._roots)
    point = Point(ring)
    assert (point.value(f) == point.value(g)) == (f.terms == g.terms)


@pytest.mark.parametrize("size", ["q", "q*c", "q + c*q"])
def test_a_root_told_from_the_size_of_what_moves_holds_for_one_sign(size: str) -> None:
    q, c = sympy.Function("q")(sympy.Symbol("t")), sympy.Symbol("c")
    expr = {"q": q, "q*c": q * c, "q + c*q": q + c * q}[size]
    assert "not for other" in compare(sympy.sqrt(expr**2 * (1 + c)), expr * sympy.sqrt(1 + c)).proof
    assert "not for other" not in compare(sympy.sqrt(expr**2), sympy.Abs(expr)).proof


def test_a_root_of_what_has_one_sign_holds_for_all() -> None:
    q, c = sympy.Function("q")(sympy.Symbol("t")), sympy.Symbol("c")
    whole = sympy.sqrt((1 + c * q) * c)
    assert "not for other" not in compare(whole, sympy.sqrt(c) * sympy.sqrt(1 + c * q)).proof


def test_the_cosine_of_what_has_no_exact_angle_is_even() -> None:
    ring = Ring()
    swung = ring.form(a * sympy.sin(b * c))
    assert not ring.cos(swung) - ring.cos(-swung)
    assert not ring.sin(swung) + ring.sin(-swung)
