"""Square roots at points of a prime field are those of positive numbers."""

from __future__ import annotations

import pytest
import sympy

from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME
from freebody.algebra.ring import Ring

x, y, z = sympy.symbols("x y z", positive=True)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("square", [x**2, x**4 * y**2, 1 / x**2])
def test_the_root_of_a_square_is_what_was_squared(square: sympy.Expr, seed: int) -> None:
    ring = Ring()
    point = Point(ring, seed)
    value = point.value(ring.form(square))
    assert point.root(value) == point.value(ring.form(sympy.sqrt(square)))


@pytest.mark.parametrize("seed", range(6))
def test_the_root_of_a_product_is_the_product_of_roots(seed: int) -> None:
    point = Point(ring := Ring(), seed)
    one, other = (point.value(ring.form(part)) for part in (x * y, z / y))
    assert point.root(one) * point.root(other) % PRIME == point.root(one * other % PRIME)
    assert point.has_all_roots


def test_a_root_that_is_not_there_is_noticed_wherever_it_is_met() -> None:
    ring = Ring()
    rooted, free = ring.form(sympy.sqrt(x + y)), ring.form(x + z)
    point = next(p for seed in range(60) if not _has(p := Point(ring, seed), rooted))
    assert _has(point, free)
    assert not _has(point, rooted)


def test_what_stands_in_for_a_root_is_the_same_for_equal_squares() -> None:
    point = Point(Ring())
    square = next(n for n in range(1, PRIME) if not _is_root(point, n))
    assert point.root(square) == point.root(square)


def _is_root(point: Point, square: int) -> bool:
    point.has_all_roots = True
    point.root(square)
    return point.has_all_roots


def _has(point: Point, form: object) -> bool:
    point.has_all_roots = True
    point.value(form)  # type: ignore[arg-type]
    return point.has_all_roots
