from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from freebody.algebra.units import (
    KG,
    NUMBER,
    Dimension,
    DimensionError,
    M,
    N,
    S,
    dimension,
    dimension_of,
)
from freebody.errors import ExpressionError

m, L, d, a, t = sympy.symbols("m L d a t")
F = sympy.Function("F")(t)
DIMENSIONS = {m: KG, L: M, d: M, a: NUMBER, t: S, F: N, F.diff(t): N / S}


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("1", NUMBER),
        ("rad", NUMBER),
        ("N*m", KG * M**2 / S**2),
        ("kg*m^2", KG * M**2),
        ("N*m*s/rad", KG * M**2 / S),
        ("(rad)/s", NUMBER / S),
        ("W", dimension("J/s")),
        ("Pa", dimension("N/m**2")),
        ("Hz**(1/2)", Dimension(s=Fraction(-1, 2))),
    ],
)
def test_units_are_products_of_powers(unit: str, expected: Dimension) -> None:
    assert dimension(unit) == expected


@pytest.mark.parametrize(
    ("unit", "hint"),
    [
        ("deg", "; use 'rad'"),
        ("cm", "; use 'm'"),
        ("Nm", "; use 'N*m'"),
        ("kgs", "; did you mean 'kg'?"),
        ("2*m", "found '2*m'"),
        ("N + m", "found 'N + m'"),
        ("", "found ''"),
    ],
)
def test_other_units_are_told_what_to_use(unit: str, hint: str) -> None:
    with pytest.raises(ExpressionError, match="coherent SI unit") as raised:
        dimension(unit)
    assert str(raised.value).endswith(hint)


def test_a_dimension_is_written_as_a_unit() -> None:
    assert str(N * M) == "kg*m**2/s**2"
    assert str(NUMBER / S) == "1/s"
    assert str(NUMBER) == "1"
    assert dimension(str(N / M ** Fraction(1, 2))) == N / M ** Fraction(1, 2)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (m * L**2 / 3 + m * (L - d) ** 2, KG * M**2),
        (sympy.sqrt(L / d) + sympy.cos(a) + 1, NUMBER),
        (sympy.Abs(L), M),
        (sympy.sign(L), NUMBER),
        (sympy.Max(0, L, d), M),
        (sympy.atan2(L, d), NUMBER),
        (F.diff(t) * t, N),
        (sympy.pi * sympy.sqrt(2), NUMBER),
    ],
)
def test_an_expression_has_the_dimension_of_its_terms(
    expr: sympy.Expr, expected: Dimension
) -> None:
    assert dimension_of(expr, DIMENSIONS) == expected


@pytest.mark.parametrize(
    ("expr", "words"),
    [
        (m + L, ["'L' is in m", "'m', which goes with it, is in kg"]),
        (L + 1, ["is a pure number", "is in m"]),
        (sympy.sin(L), ["sin takes a pure number", "'L' is in m"]),
        (sympy.Max(m, L), ["which goes with it"]),
        (sympy.atan2(m, L), ["which goes with it"]),
        (sympy.Pow(2, a * L), ["takes a pure number"]),
    ],
)
def test_what_does_not_go_together_is_named(expr: sympy.Expr, words: list[str]) -> None:
    with pytest.raises(DimensionError) as raised:
        dimension_of(expr, DIMENSIONS)
    assert all(word in str(raised.value) for word in words)
