"""Equations whose terms differ by a rate, whatever their letters are measured in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formulas_alone import verdicts


@pytest.mark.parametrize(
    ("formula", "letters"),
    [
        (r"m r\ddot\theta + 2 m\dot r\theta + m g\sin\theta = Q", "m, r"),
        (r"J\ddot\theta - J\kappa\dot\theta + J\kappa\dot\theta^2 = u", "J, "),
        (r"E = \frac12 m (\dot r^2 + r^2\dot\theta) + V", "m, r"),
        (r"\begin{matrix} a\dot x & b\dot y - b\ddot y \end{matrix} = [F, G]", "b, y"),
    ],
    ids=["a dot", "a square", "an energy", "a row"],
)  # fmt: skip
def test_terms_that_differ_by_a_rate_do_not_balance(
    tmp_path: Path, formula: str, letters: str
) -> None:
    one = verdicts(tmp_path, [formula])["(#1)"]
    assert one.status == "contradicts"
    assert f"terms in {letters}" in one.reason


@pytest.mark.parametrize(
    "formulas",
    [
        [r"\ddot x + x = 0", r"a\ddot x + a\dot x = F"],
        [r"\ddot\theta + \sin\theta = \mu\dot\theta + \mu\theta"],
        [r"b\ddot x + k x = F"],
        [r"m\ddot x + c\dot x = F", r"x = v_0 t + a t^2"],
        [r"\dot\gamma = \omega", r"\ddot x + \gamma\dot x + \gamma\ddot y = F"],
        [r"\frac{dx}{dt} = -x", r"\frac{1}{x}\,dx = -dt"],
    ],
    ids=["time as a number", "in a sine", "by two rates", "in time", "another letter", "parted"],
)
def test_time_may_be_a_number(tmp_path: Path, formulas: list[str]) -> None:
    page = ["\\dot\\theta = 3", *formulas]
    odd = [one for one in verdicts(tmp_path, page).values() if one.status == "contradicts"]
    assert odd == []


def test_what_stands_in_brackets_of_poisson_is_no_row(tmp_path: Path) -> None:
    formulas = [r"\dot f = a", r"\dot H = b", r"m\frac{d}{dt}[f, H] = m[c f, H]"]
    assert verdicts(tmp_path, formulas)["(#3)"].status == "contradicts"
    found = verdicts(tmp_path, formulas, "With the brackets of Poisson:")
    assert found["(#3)"].status == "unsupported"
