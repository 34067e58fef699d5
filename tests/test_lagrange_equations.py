r"""Lagrange's equations that a page prints in letters alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody

RATE, OTHER = r"\frac{d}{dt}\frac{\partial L}{\partial\dot q_i}", r"\frac{\partial L}{\partial q_i}"
OF_TWO = (
    r"\frac{d}{dt}\left(\frac{\partial T}{\partial\dot q_i}\right)"
    r" - \frac{\partial T}{\partial q_i} + \frac{\partial V}{\partial q_i} = Q_i"
)
EXCHANGED = (
    r"\frac{d}{dt}\left(\frac{\partial T}{\partial q_i}\right)"
    r" - \frac{\partial T}{\partial\dot q_i} = Q_i"
)


def standing(folder: Path, latex: str) -> tuple[str, list[str]]:
    path = folder / "page.md"
    path.write_text(f"Of $n$ coordinates:\n\n$$ {latex} $$\n", encoding="utf-8")
    (told,) = freebody.alone(path).documents[0].equations
    return str(told), [one.latex for one in told.repairs]


@pytest.mark.parametrize(
    ("printed", "proposed"),
    [
        (f"{RATE} + {OTHER} = 0", f"{RATE} - {OTHER} = 0"),
        (f"{RATE} = -{OTHER}", f"{RATE} = {OTHER}"),
        (
            f"{RATE} - {OTHER.replace('q_i', 'q_j')} = Q_i",
            f"{RATE} - {OTHER} = Q_i",
        ),
        (
            EXCHANGED,
            EXCHANGED.replace("q_i", "#").replace(r"\dot #", " q_i").replace("#", r"\dot{q}_{i}"),
        ),
        (OF_TWO.replace("+", "-"), OF_TWO),
        (
            f"{RATE.replace('dot ', 'dot{').replace('q_i', 'q}_i')} - "
            + OTHER.replace("q_i", r"\dot{q}_i"),
            "",
        ),
    ],
    ids=["sign", "sign across", "index", "exchanged", "potential", "a dot too many"],
)
def test_a_law_that_is_misprinted_is_told(tmp_path: Path, printed: str, proposed: str) -> None:
    message, repairs = standing(tmp_path, printed if "=" in printed else f"{printed} = 0")
    assert message == "contradicts a law of mechanics"
    assert any(one.replace(" ", "") == proposed.replace(" ", "") for one in repairs) or not proposed


@pytest.mark.parametrize(
    "latex",
    [
        f"{RATE} - {OTHER} = Q_i",
        f"{OTHER} = {RATE}",
        OF_TWO,
        OF_TWO.replace("+", "= -").replace("= Q_i", "+ Q_i"),
        OF_TWO.replace("+", "-").replace("V", "U"),  # of a function of forces
        (
            r"\frac{d}{dt}\frac{\partial T}{\partial\dot q} - \frac{d}{dt}\frac{\partial V}"
            r"{\partial\dot q} - \frac{\partial T}{\partial q} + \frac{\partial V}{\partial q} = 0"
        ),
        r"\frac{d}{dt}\frac{\partial L}{\partial\dot x} + \frac{\partial L}{\partial\phi} = 0",
        r"\frac{d}{dt}\frac{\partial r}{\partial q} + \frac{\partial r}{\partial\dot q} = 0",
    ],
)
def test_a_law_that_is_right_or_is_none_is_not_accused(tmp_path: Path, latex: str) -> None:
    assert standing(tmp_path, latex)[0].startswith("nothing to hold it against")
