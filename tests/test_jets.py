"""Jets are a ring in which nilpotents vanish and numbers of any kind take part."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sympy import Rational
from sympy.polys.domains import QQ

from freebody.algebra.jets import Jet
from freebody.algebra.prime import PRIME
from test_fields import EXAMPLES

jets = st.builds(Jet, *[st.one_of(st.integers(0, 3), st.integers(0, PRIME - 1))] * 4)


@EXAMPLES
@given(jets, jets, jets)
def test_jets_are_a_commutative_ring(left: Jet, middle: Jet, right: Jet) -> None:
    assert left * (middle + right) == left * middle + left * right
    assert (left * middle) * right == left * (middle * right)
    assert left * middle == middle * left
    assert left - middle == -(middle - left)
    assert not left - left


@EXAMPLES
@given(jets, jets)
def test_a_quotient_of_jets_is_what_gives_the_dividend_back(left: Jet, right: Jet) -> None:
    assume(right.value)
    assert left / right * right == left
    assert right**-3 * right**3 == 1 / right * right == Jet(1)


@EXAMPLES
@given(jets, st.integers(0, 6))
def test_a_power_of_a_jet_is_a_product(base: Jet, power: int) -> None:
    assert base**power == math.prod([base] * power, start=Jet(1))


@pytest.mark.parametrize("half", [Rational(1, 2), QQ(1, 2), Fraction(1, 2)])
def test_numbers_of_any_kind_stand_on_either_side(half: Any) -> None:
    jet = Jet(6, 4, 2, 8)
    assert half * jet == jet * half == jet / 2 == jet.scaled(half) == Jet(3, 2, 1, 4)
    assert half + jet == jet + half == jet - -half
    assert half - jet == -(jet - half)
    assert half / jet == 1 / (2 * jet)


@pytest.mark.parametrize("over", [Jet(0, 1), 0, PRIME, Rational(1, 3) - Rational(1, 3)])
def test_what_is_zero_at_a_point_does_not_divide(over: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        Jet(1) / over


def test_what_is_no_rational_number_is_refused() -> None:
    with pytest.raises(TypeError, match="not a rational number"):
        Jet(1) + 0.5
