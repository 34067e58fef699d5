"""What damps an equation of motion, held against the dissipation function of its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.consistency import PageReport, alone
from freebody.documents import read_bare
from freebody.recognition import recognise

LAW = r"""
$$ \frac{d}{dt}\left(\frac{\partial L}{\partial\dot q}\right) - \frac{\partial L}{\partial q}
  = -\frac{\partial D}{\partial\dot q} $$
"""
ENERGIES = r"$$ L = \tfrac12 m\dot x^2 - \tfrac12 k x^2 $$ $$ D = {} $$"
TWO = r"""
$$ L = \tfrac12 m_1\dot x_1^2 + \tfrac12 m_2\dot x_2^2 - \tfrac12 k (x_1 - x_2)^2 $$

$$ D = \tfrac12 c (\dot x_1 - \dot x_2)^2 $$

$$ m_1\ddot x_1 + {} c(\dot x_1 - \dot x_2) + k(x_1 - x_2) = 0 $$

$$ m_2\ddot x_2 + c(\dot x_2 - \dot x_1) + k(x_2 - x_1) = 0 $$
"""


def _checked(folder: Path, text: str) -> PageReport:
    page = folder / "page.md"
    page.write_text(LAW + text)
    (report,) = alone(page).documents
    return report


@pytest.mark.parametrize(
    ("function", "equation", "status"),
    [
        (r"\tfrac12 b\dot x^2", r"m\ddot x + b\dot x + k x = 0", "consistent"),
        (r"\tfrac12 b\dot x^2", r"\ddot x = -\frac{b}{m}\dot x - \frac{k}{m} x", "consistent"),
        (r"\tfrac12 b\dot x^2", r"m\ddot x + b\dot x + k x = F", "consistent"),
        (r"\tfrac12 b\dot x^2", r"m\ddot x + 2 b\dot x + k x = 0", "contradicts"),
        (r"b\dot x^2", r"m\ddot x + b\dot x + k x = 0", "contradicts"),
    ],
)
def test_what_damps_is_its_derivative_by_the_rate(
    tmp_path: Path, function: str, equation: str, status: str
) -> None:
    energies = ENERGIES.replace("{}", function)
    report = _checked(tmp_path, f"{energies}\n\n$$ {equation} $$\n")
    assert report.equations[-1].status == status
    assert "(#3)" in report.equations[-1].against


@pytest.mark.parametrize(
    ("function", "equation"),
    [
        (r"\tfrac12 b\dot x^2", r"m\ddot x + c\dot x + k x = 0"),
        (r"\tfrac12 b\dot x^2", r"m\ddot x + k x = 0"),
        (r"\tfrac12 b\dot x^2", r"m\ddot x + b x + k x = 0"),
        (r"b\dot x", r"m\ddot x + 2 b\dot x + k x = 0"),
    ],
    ids=["another constant", "nothing", "no rate", "no function of dissipation"],
)
def test_it_says_nothing_of_what_else_acts(tmp_path: Path, function: str, equation: str) -> None:
    energies = ENERGIES.replace("{}", function)
    report = _checked(tmp_path, f"{energies}\n\n$$ {equation} $$\n")
    assert report.equations[-1].status != "contradicts"
    assert "(#3)" not in report.equations[-1].against


def test_a_function_that_no_law_differentiates_says_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    energies = ENERGIES.replace("{}", r"b\dot x^2")
    page.write_text(f"{energies}\n\n$$ m\\ddot x + b\\dot x + k x = 0 $$")
    (report,) = alone(page).documents
    assert report.equations[-1].status == "consistent"


@pytest.mark.parametrize("factor", ["", "2"])
def test_of_several_coordinates_each_is_damped_by_its_own(tmp_path: Path, factor: str) -> None:
    told = _checked(tmp_path, TWO.replace("{}", factor)).equations
    assert told[-1].status == "consistent"
    assert told[-2].status == ("contradicts" if factor else "consistent")


def test_a_function_without_its_half_is_mended(tmp_path: Path) -> None:
    report = _checked(
        tmp_path,
        ENERGIES.replace("{}", r"b\dot x^2")
        + "\n\n$$ m\\ddot x + b\\dot x + k x = 0 $$\n\n$$ m\\ddot x + b\\dot x + k x = F $$\n",
    )
    (wrong,) = (one for one in report.equations if one.status == "contradicts")
    assert wrong.wrong == "(#3)"
    assert any(r"\frac{1}{2}" in repair.latex for repair in wrong.repairs)


@pytest.mark.parametrize("is_left", [False, True])
def test_a_model_is_damped_by_it(tmp_path: Path, is_left: bool) -> None:
    page = tmp_path / "page.md"
    moved = LAW.replace("= -", "+").replace(" $$", " = 0 $$")
    page.write_text((moved if is_left else LAW) + ENERGIES.replace("{}", r"\tfrac12 b\dot x^2"))
    found = recognise(read_bare(page, "none")).models[0]
    assert found.fits == ("(#2)", "(#3)")
    assert [str(one.damping) for one in found.made.model.dampers] == ["b"]
