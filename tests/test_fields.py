"""Identities at random points of a prime field are those of the canonical form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Max, Rational, cos, exp, pi, sin, sqrt, tan
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Ring
from freebody.algebra.canonical import Comparison
from freebody.algebra.degrees import Degrees, degree_bound
from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.fields import FieldPoint, NoRootError, agree
from freebody.algebra.jets import Jet
from freebody.algebra.prime import PRIME

Expr = sympy.Expr

a, b, c, x, y, z = SYMBOLS = sympy.symbols("a b c x y z")
t = dynamicsymbols._t
q1, q2 = dynamicsymbols("q1 q2")
EXAMPLES = settings(max_examples=25, derandomize=True, deadline=None, database=None)
LEVELS = 5_000
SAME = "exact at 3 random points of a prime field, wrong with a chance below 1e"
DIFFERENT = "exact: differs at a random point of a field of 2**61 elements"
DOUBTFUL = "not exact: differs at a random point of a field, but has opaque roots or functions"

numbers = st.builds(Rational, st.integers(-6, 6), st.integers(1, 6))
symbols = st.sampled_from(SYMBOLS)
angles = st.builds(
    lambda m, n, k, offset: m * x + n * y / 2 + k * x * z / 3 + offset,
    *[st.integers(-3, 3)] * 3,
    st.sampled_from([0, 0, pi / 6, pi / 4, pi / 3, pi, -pi / 2, pi / 12]),
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
quotients = st.builds(lambda upper, lower: upper / (lower**2 + 1), polynomials, polynomials)


def value(expr: Expr, seed: int = 1) -> Jet:
    (found,) = FieldPoint(seed).values([expr])
    return found


def with_roots(difference: Callable[[FieldPoint], Any]) -> Any:
    """Return what comes out at the first point at which all roots are there."""
    for seed in range(1000):
        try:
            return difference(FieldPoint(seed))
        except NoRootError:
            continue
    raise AssertionError("no roots")


def nothing(expr: Expr) -> Expr:
    """Return an expression minus itself as sympy does not see it."""
    return sympy.Add(expr, sympy.Mul(-1, expr, evaluate=False), evaluate=False)


def compared(left: Expr, right: Expr) -> Comparison:
    return agree(lambda at: at.values([left - right]), degree_bound([left - right]))


# ---------------------------------------------------------------------- values


@EXAMPLES
@given(polynomials, polynomials)
def test_two_expressions_have_one_value_where_their_forms_are_the_same(
    left: Expr, right: Expr
) -> None:
    ring = Ring()
    same = not ring.form(left) - ring.form(right)
    assert (value(left) == value(right)) == same
    assert FieldPoint(1).is_decisive


@pytest.mark.exhaustive
@EXAMPLES
@given(st.one_of(polynomials, quotients))
def test_an_expression_has_the_value_of_its_canonical_form(expr: Expr) -> None:
    ring = Ring()
    assert value(expr) == value(ring.expression(ring.form(expr)))


IDENTITIES = [
    (sin(x) ** 2 + cos(x) ** 2, 1),
    (cos(x + y), cos(x) * cos(y) - sin(x) * sin(y)),
    (cos(x), 4 * cos(x / 3) ** 3 - 3 * cos(x / 3)),
    (cos(x / 2) * cos(x / 3), (cos(5 * x / 6) + cos(x / 6)) / 2),
    (sin(x + pi / 4), sqrt(2) * (sin(x) + cos(x)) / 2),
    (sin(x + pi / 12), sin(x) * cos(pi / 12) + cos(x) * sin(pi / 12)),
    (sin(x + 7 * pi), -sin(x)),
    (tan(x + y), (tan(x) + tan(y)) / (1 - tan(x) * tan(y))),
    (cos(a * (x + y)), cos(a * x) * cos(a * y) - sin(a * x) * sin(a * y)),
    (cos(2 * pi * a * t), 1 - 2 * sin(pi * a * t) ** 2),
    (sin(2 * x / a), 2 * sin(x / a) * cos(x / a)),
    (cos(q1.diff(t) * t) ** 2, 1 - sin(q1.diff(t) * t) ** 2),
    ((a**3 - b**3) / (a - b), a**2 + a * b + b**2),
    (1 / (sqrt(2) - 1), sqrt(2) + 1),
    (sympy.Pow(6, Rational(1, 2)), sqrt(2) * sqrt(3)),
    (sympy.Pow(Rational(8, 9), Rational(1, 2), evaluate=False), 2 * sqrt(2) / 3),
    (sympy.Pow(-2, Rational(1, 2), evaluate=False), sympy.I * sqrt(2)),
    (sympy.Float("0.1") * a, a / 10),
    (sympy.I**2 * a, -a),
]


@pytest.mark.parametrize(("left", "right"), IDENTITIES)
def test_what_is_equal_is_found_equal(left: Expr, right: Expr) -> None:
    found = compared(left, right)
    assert found.equal
    assert found.proof.startswith(SAME)


@pytest.mark.parametrize(("left", "right"), IDENTITIES)
@pytest.mark.parametrize("other", [a, cos(x), Rational(1, 10**30), pi, 1 - sqrt(2)])
def test_what_is_nearly_the_same_is_found_different(left: Expr, right: Expr, other: Expr) -> None:
    assert compared(left, right + other) == Comparison(equal=False, proof=DIFFERENT)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (x, cos(x)),
        (cos(a * x), cos(a) * cos(x)),
        (q1, sympy.Symbol("q1")),
        (q1, q1.diff(t)),
        (x, sympy.Symbol("x", real=True)),
        (q1, dynamicsymbols("q1", real=True)),
        (x, sympy.Dummy("x")),
        (pi, Rational(355, 113)),
    ],
)
def test_what_is_independent_is_drawn_apart(left: Expr, right: Expr) -> None:
    assert compared(left, right) == Comparison(equal=False, proof=DIFFERENT)


def test_the_order_in_which_atoms_are_met_does_not_matter() -> None:
    expressions = [x, cos(x * y + z), sin(z), q1.diff(t), exp(x), pi, tan(a / 2)]
    point, other = FieldPoint(7), FieldPoint(7)
    assert point.values(expressions) == other.values(expressions[::-1])[::-1]
    assert point.values(expressions) != FieldPoint(8).values(expressions)


def test_expressions_of_thousands_of_levels_are_worked_out() -> None:
    total, product, nested, called = a, a, a, a
    for _ in range(LEVELS):
        total = sympy.Add(b, total, evaluate=False)
        product = sympy.Mul(b, product, evaluate=False)
        nested = sympy.Add(c, sympy.Mul(b, nested, evaluate=False), evaluate=False)
        called = exp(called, evaluate=False)
    found = FieldPoint(1).values([total, product, nested, called])
    known = [a + LEVELS * b, a * b**LEVELS, a * b**LEVELS + c * (b**LEVELS - 1) / (b - 1)]
    assert found[:3] == FieldPoint(1).values(known)
    assert degree_bound([nested]) == LEVELS + 1


def test_a_shared_part_is_worked_out_once() -> None:
    doubled = a + b
    for _ in range(200):
        doubled = sympy.Add(doubled, sympy.Mul(c, doubled, evaluate=False), evaluate=False)
    assert value(doubled) == value((a + b) * (1 + c) ** 200)


def test_expressions_that_are_gone_are_not_taken_for_others() -> None:
    point = FieldPoint(1)
    (known,) = point.values([a])
    for n in range(3_000):  # more than what sympy remembers
        (found,) = point.values([sympy.Add(a, sympy.Integer(n), evaluate=False)])
        assert found == known + n


def test_text_is_refused() -> None:
    with pytest.raises(sympy.SympifyError):
        FieldPoint(1).values(["a"])


# ---------------------------------------------------------------------- derivatives


@EXAMPLES
@given(st.one_of(polynomials, quotients))
def test_the_parts_of_a_moved_value_are_derivatives_as_sympy_has_them(expr: Expr) -> None:
    (moved,) = FieldPoint(1).moved({x: 1}, {x: 1, y: 3}).values([expr])
    along = expr.diff(x) + 3 * expr.diff(y)
    assert list(moved.parts) == FieldPoint(1).values([expr, expr.diff(x), along, along.diff(x)])


@pytest.mark.parametrize(
    "expr",
    [
        sqrt(1 + a * sin(x)) ** 3,
        1 / sqrt(x * y + a),
        exp(a * x * y),
        cos(exp(x) + y),
        sympy.atan2(x, y) * sympy.log(x),
        sympy.asin(x / a),
        sympy.tanh(x * y) + x**y,
        (x * y) ** Rational(1, 3),
        sympy.sinh(exp(x * cos(y))),
        sympy.sec(x * y + a) * sympy.Si(x - 2 * y),
    ],
)
def test_functions_are_differentiated_exactly(expr: Expr) -> None:
    expected = [expr, expr.diff(x), expr.diff(y), expr.diff(x, y)]

    def difference(point: FieldPoint) -> list[Jet]:
        (moved,) = point.moved({x: 1}, {y: 1}).values([expr])
        return [p - e for p, e in zip(moved.parts, point.values(expected), strict=True)]

    assert not any(with_roots(difference))
    (bound,) = Degrees().moved({x: 1}, {y: 1}).values([expr])
    assert bound.bound >= degree_bound([expr]) > 0


def test_a_rate_may_be_a_value() -> None:
    point = FieldPoint(1)
    (rate,) = point.values([cos(x)])
    (moved,) = point.moved({}, {a: rate}).values([a**2])
    assert moved.parts[2] == value(2 * a * cos(x))


@pytest.mark.parametrize(
    "expr", [sympy.floor(x), sympy.Piecewise((x, x > 0), (a, True)), sympy.Integral(x, (x, 0, a))]
)
def test_a_function_without_a_derivative_has_values_but_is_not_moved(expr: Expr) -> None:
    assert value(expr) == value(expr)
    with pytest.raises(UndecidedError, match="no derivative"):
        FieldPoint(1).moved({x: 1, a: 1}, {}).values([expr])


def test_a_moved_point_is_moved_on() -> None:
    point = FieldPoint(1).moved({x: 1}, {}).moved({}, {x: 1, y: 2})
    (moved,) = point.values([x * y])
    assert list(moved.parts) == FieldPoint(1).values([x * y, y, y + 2 * x, 2])


def test_an_atom_may_have_the_value_of_an_expression() -> None:
    (element,) = FieldPoint(1).values([y**2 * cos(z)])
    expr = sqrt(4) * x / (a + x)
    (found,) = FieldPoint(1).where({x: element}).values([expr])
    assert found == value(expr.subs(x, y**2 * cos(z)))


def test_a_wave_of_an_atom_with_a_value_of_its_own_follows_that_value() -> None:
    point = FieldPoint(1)
    first, second = point.values([a, b])
    waves = [cos(x), sin(x), cos(x + y)]
    (one, sine, _), (other, _, shifted) = (
        point.where({x: element}).values(waves) for element in (first, second)
    )
    assert one**2 + sine**2 == Jet(1)
    assert len({one.value, other.value, shifted.value, *(w.value for w in point.values(waves))}) > 4
    assert not point.is_decisive


def test_a_wave_of_an_atom_with_its_own_value_is_as_it_was() -> None:
    point = FieldPoint(1)
    x_, y_ = point.values([x, y])
    (moved,) = point.where({x: y_ + Jet(0, 1), y: x_}).values([cos(x + y)])
    assert list(moved.parts)[:2] == point.values([cos(x + y), -sin(x + y)])
    assert point.is_decisive


def kinetic_energy(links: int) -> tuple[Expr, tuple[Expr, ...]]:
    """Return kinetic energy and coordinates of a planar chain of rods."""
    q = tuple(dynamicsymbols(f"q:{links}"))
    length, mass = sympy.symbols("l m")
    energy, vx, vy = sympy.S.Zero, sympy.S.Zero, sympy.S.Zero
    for i in range(links):
        angle = sum(q[: i + 1])
        w = angle.diff(t)
        dx, dy = -length * w * sin(angle) / 2, length * w * cos(angle) / 2
        energy += mass * ((vx + dx) ** 2 + (vy + dy) ** 2) / 2 + mass * (length * w) ** 2 / 24
        vx, vy = vx + 2 * dx, vy + 2 * dy
    return energy, q


def lagrange(domain: Domain[Any], energy: Expr, q: tuple[Expr, ...]) -> list[Any]:
    """Return d/dt ∂T/∂u - ∂T/∂q of each coordinate by moved points alone."""
    moving = (*q, *(x.diff(t) for x in q))
    rates = dict(zip(moving, domain.values([x.diff(t) for x in moving]), strict=True))
    rows = []
    for x in q:
        (forward,) = domain.moved({x.diff(t): 1}, rates).values([energy])
        (slope,) = domain.moved({x: 1}, {}).values([energy])
        rows.append(forward.parts[3] - slope.parts[1])
    return rows


@pytest.mark.one_in(3)
@pytest.mark.parametrize("links", [1, 2, 3])
def test_lagranges_equations_come_from_moved_points(links: int) -> None:
    energy, q = kinetic_energy(links)
    expected = [energy.diff(x.diff(t)).diff(t) - energy.diff(x) for x in q]

    def difference(domain: Domain[Any]) -> list[Any]:
        return [
            row - e
            for row, e in zip(lagrange(domain, energy, q), domain.values(expected), strict=True)
        ]

    bound = max(degree.bound for degree in difference(Degrees()))
    assert bound >= degree_bound(expected)
    found = agree(difference, bound)
    assert found.equal
    assert found.proof.startswith(SAME)
    assert not agree(lambda at: lagrange(at, energy, q), bound).equal


# ---------------------------------------------------------------------- roots and functions


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sqrt(a + b) ** 3, (a + b) * sqrt(a + b)),
        (1 / sqrt(a + b), sqrt(a + b) / (a + b)),
        (sqrt(a + b) * sqrt(c) / sqrt(a + b), sqrt(c)),
        (sqrt(a + sqrt(b)) * (1 + x), sqrt(a + sqrt(b)) + x * sqrt(a + sqrt(b))),
        (exp(cos(x + y)), exp(cos(x) * cos(y) - sin(x) * sin(y))),
        (cos(exp(x)) ** 2 + sin(exp(x)) ** 2, 1),
        (sin(exp(x)), -sin(sympy.Mul(-1, exp(x)), evaluate=False)),
        (Max(a + a * b, c), Max(a * (1 + b), c)),
        (Abs(x) * tan(x), Abs(x) * sin(x) / cos(x)),
        (sympy.E * a + a, a * (1 + sympy.E)),
    ],
)
def test_roots_and_functions_are_equal_where_their_arguments_are(left: Expr, right: Expr) -> None:
    expr = sympy.Add(left, -right, evaluate=False)
    found = agree(lambda at: at.values([expr]), degree_bound([expr]))
    assert found.equal
    assert found.proof.startswith(SAME)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sqrt(a**2), a),
        (sqrt(a**2 + 2 * a * b + b**2), a + b),
        (sympy.Mul(*(sqrt(symbol**2) - symbol for symbol in SYMBOLS[:5])), 0),
        (sqrt(a**2 * b), a * sqrt(b)),
        (sqrt(a), sqrt(b)),
        (Abs(a) ** 2, a**2),
        (exp(x) * exp(y) + exp(x), exp(x) * (1 + exp(y)) + 1),
        (cos(exp(x) + x), cos(exp(x)) * cos(x)),
        (cos(x / 5), cos(x / 6)),
        (cos(a * x / (a + b) + b * x / (a + b)), cos(x)),
    ],
)
def test_a_difference_of_roots_or_functions_is_no_proof(left: Expr, right: Expr) -> None:
    assert compared(left, right) == Comparison(equal=False, proof=DOUBTFUL)


def test_a_root_is_the_smaller_one_and_may_be_the_other() -> None:
    def both(point: FieldPoint) -> tuple[Jet, Jet, bool, Jet]:
        (small,) = point.values([sqrt(a)])
        (large,) = FieldPoint(point.draws.seed, signs=1).values([sqrt(a)])
        return small, large, point.is_decisive, small**2 - point.values([a])[0]

    small, large, is_decisive, rest = with_roots(both)
    assert small.value < large.value
    assert not small + large
    assert not rest
    assert not is_decisive


def test_a_moved_point_shares_its_roots_and_its_doubts() -> None:
    point = FieldPoint(1)
    point.moved({x: 1}, {}).values([exp(x)])
    assert not point.is_decisive


def test_a_point_without_a_root_is_told() -> None:
    assert any(_lacks_root(seed) for seed in range(20))


def _lacks_root(seed: int) -> bool:
    try:
        value(sqrt(a), seed)
    except NoRootError:
        return True
    return False


# ---------------------------------------------------------------------- what cannot be decided

NO_SQUARE = next(n for n in sympy.primerange(10**4) if not sympy.is_quad_residue(n, PRIME))


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (1 / (sin(x) ** 2 + cos(x) ** 2 - 1), "division by what is zero"),
        (nothing(sum(sqrt(a + n) for n in range(7))), "more than 6 roots"),
        (nothing(sum(sqrt(a + n) for n in range(20))), "all roots are there at too few"),
        (sqrt(NO_SQUARE) * a, f"{NO_SQUARE} has no square root"),
    ],
)
def test_what_is_defined_nowhere_is_refused(expr: Expr, message: str) -> None:
    with pytest.raises(UndecidedError, match=message):
        agree(lambda at: at.values([expr]), bound=1)


def test_points_say_nothing_of_what_has_a_degree_as_large_as_the_field() -> None:
    with pytest.raises(UndecidedError, match="degree"):
        agree(lambda at: at.values([a - a]), bound=PRIME)


def test_a_chance_is_rounded_up() -> None:
    proofs = [agree(lambda at: at.values([a - a]), n, points=1).proof for n in (1, 10**3, 10**17)]
    assert [float(proof.split()[-1]) for proof in proofs] == [1e-18, 1e-15, 1e-1]


def test_a_root_makes_a_chance_larger() -> None:
    plain, rooted = (
        agree(lambda at: at.values([nothing(expr)]), 10**14, points=1).proof  # noqa: B023
        for expr in (a + b, sqrt(a) + sqrt(b))
    )
    assert plain.endswith("1e-04")
    assert rooted.endswith("1e-03")
