r"""What may be of another case than the rest of its page, and contradicts nothing then."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from formulas_alone import verdicts

SHAFT = r"""
$$T = \frac12 J_1\dot\theta_1^2 + \frac12 J_g\dot\theta_2^2 + \frac12 J_L\dot\phi^2$$
$$V = \frac12 k_1(\theta_1-\theta_2)^2 + \frac12 k_2(\theta_2-\phi)^2, \quad L = T - V$$

## Light gears

The gears {}
$$\theta_2 = \frac{{k_1\theta_1 + k_2\phi}}{{k_1 + k_2}}, \quad k = \frac{{k_1 k_2}}{{k_1 + k_2}}$$
and what is left is
$$J_1\ddot\theta_1 + k(\theta_1 - \phi) = \tau$$
"""
CHAIN = r"""
## Frequencies

{} masses:
$$\omega_2 = \sqrt{{\frac{{3K}}{{m}}}}$$

{} masses:
$$\omega_2^2 = \frac{{2K}}{{m}}$$
"""
BEAM = r"""
$$T = \frac12 M\dot q^2$$
$$M\ddot q + \left(\frac{{3EI}}{{l^3}} + \frac{{6Mg}}{{5l}}\right) q = F$$

## Vertical beam

{}
$$V = \frac12\left(\frac{{3EI}}{{l^3}} - \frac{{6Mg}}{{5l}}\right)q^2, \quad L = T - V$$
"""


def contradicting(folder: Path, text: str) -> list[str]:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    (report,) = freebody.alone(page).documents
    return [one.label for one in report.equations if one.status == "contradicts"]


@pytest.mark.parametrize(
    ("page", "case", "none"),
    [
        (SHAFT, ["are light, $J_g \\to 0$:"], ["are so:"]),
        (CHAIN, ["Two", "Three"], ["The", "The"]),
        (BEAM, ["Jeśli belka stoi, to"], ["Energia:"]),
    ],
    ids=["a limit", "numbers of bodies", "a later section"],
)
def test_what_words_put_as_a_case_contradicts_nothing(
    tmp_path: Path, page: str, case: list[str], none: list[str]
) -> None:
    assert contradicting(tmp_path, page.format(*none))
    assert contradicting(tmp_path, page.format(*case)) == []


def test_a_number_of_a_letter_counts_before_a_formula_for_it(tmp_path: Path) -> None:
    formulas = (
        "D = m_1 (m_2 + m_3)",
        r"m_1 = \frac{4 m_2 m_3}{m_2 + m_3}",
        r"m_1 = 4, \quad m_2 = 3, \quad m_3 = 1",
        "D = 16",
    )
    assert verdicts(tmp_path, formulas)["(#4)"].status == "consistent"
    wrong = verdicts(tmp_path, (*formulas[:3], "D = 18"))["(#4)"]
    assert (wrong.status, wrong.reason) == ("contradicts", "the values of the page give 16")


def test_what_stays_as_it_is_is_a_constant_where_something_is_differentiated(
    tmp_path: Path,
) -> None:
    formulas = (
        r"\ell = m r^2\dot\varphi = \mathrm{const}",
        r"m\ddot r = \frac{\ell^2}{m r^3} - \frac{k}{r^2} = -\frac{d V}{dr}",
        r"V = \frac{\ell^2}{2 m r^2} - \frac{k}{r}",
    )
    assert verdicts(tmp_path, formulas)["(#2.2)"].status == "consistent"
    wrong = formulas[1].replace("{m r^3}", "{m r^2}")
    found = verdicts(tmp_path, (formulas[0], wrong, formulas[2]))
    assert found["(#2.2)"].status != "consistent"
