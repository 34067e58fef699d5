r"""Functions of which a page says no more than of what: ``V(r)`` and its derivatives."""

from __future__ import annotations

from pathlib import Path

import pytest

from formulas_alone import verdicts

KEPLER = r"L = \frac{m}{2}\left(\dot r^2 + r^2\dot\theta^2\right) - V(r)"
TWO = (
    r"T = \frac{1}{2} m_1\dot x_1^2 + \frac{1}{2} m_2\dot x_2^2, \qquad L = T - U(x_1, x_2)",
    r"E = T + U",
)
ENERGY_RATE = (
    r"\frac{dE}{dt} = m_1\dot x_1\ddot x_1 + m_2\dot x_2\ddot x_2"
    r" + \frac{\partial U}{\partial x_1}\dot x_1 + \frac{\partial U}{\partial x_2}\dot x_2"
)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("known", "formula"),
    [
        ((KEPLER,), r"m\ddot r - m r\dot\theta^2 + \frac{\partial V}{\partial r} = 0"),
        ((KEPLER,), r"m\ddot r = m r\dot\theta^2 - \frac{d V(r)}{d r}"),
        ((KEPLER,), r"m\ddot r = m r\dot\theta^2 - V'(r)"),
        ((KEPLER,), r"\frac{\partial L}{\partial r} = m r\dot\theta^2 - V'(r)"),
        (
            TWO,
            ENERGY_RATE,
        ),
    ],
)
def test_what_has_their_derivatives_follows_and_not_with_another_sign(
    tmp_path: Path, known: tuple[str, ...], formula: str
) -> None:
    label = f"(#{len(known) + 1})"
    assert verdicts(tmp_path, (*known, formula))[label].status == "consistent"
    before, sign, behind = formula.rpartition("+" if " + " in formula else "-")
    wrong = f"{before}{'-' if sign == '+' else '+'}{behind}"
    found = verdicts(tmp_path, (*known, wrong))[label]
    assert found.status == "contradicts"
    assert formula in [repair.latex for repair in found.repairs]


@pytest.mark.parametrize(
    "formula",
    [
        r"m(\ddot r - r\dot\theta^2) = f(r)",  # another function, which may be -V'
        r"m\ddot r - m r\dot\theta^2 - \frac{\partial W}{\partial r} = 0",
        r"\frac{\partial L}{\partial r} = m r\dot\theta^2 + F(r, \dot r)",
    ],
)
def test_what_may_be_anything_contradicts_nothing(tmp_path: Path, formula: str) -> None:
    every = (KEPLER, r"F = -\frac{\partial V}{\partial r}", formula)
    assert verdicts(tmp_path, every)["(#3)"].status == "unsupported"


def test_an_energy_that_depends_on_rates_is_no_function_of_places_alone(tmp_path: Path) -> None:
    every = (
        r"L = T(q, \dot q) - V(q)",
        r"\frac{\partial L}{\partial q} = -\frac{\partial V}{\partial q}",
        r"\frac{\partial L}{\partial q} = \frac{\partial V}{\partial q}",
        r"\dot q = v",
    )
    assert {one.status for one in verdicts(tmp_path, every).values()} == {"unsupported"}


def test_a_function_of_a_letter_that_an_equation_says_is_no_product(tmp_path: Path) -> None:
    formulas = (r"K(Q) = mgQ", r"K = E = mgQ, \qquad Q = \frac{E}{mg}", r"F = k(x)")
    found = verdicts(tmp_path, formulas)
    assert "contradicts" not in {one.status for one in found.values()}
    assert found["(#2.1)"].status == "consistent"
