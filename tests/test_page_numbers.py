"""The numbers that a page gives the constants of the model that is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.model import load
from freebody.model.names import Names

PENDULUM = r"""
$$ m l^2 \ddot\theta + b\dot\theta + m g l\sin\theta = 0 $$

$$ m = 0.3\,\mathrm{kg} $$

$$ l = 70\,\mathrm{cm} $$

$$ g = 9.8, \quad b = 0.04 $$

$$ m l^2 = 0.147 $$
"""
SUMS = r"""
$$ (p_1 + 2 p_2\cos q_2)\ddot q_1 + (p_3 + p_2\cos q_2)\ddot q_2
 - p_2\sin q_2 (2\dot q_1\dot q_2 + \dot q_2^2) - g p_4\sin q_1 - g p_5\sin(q_1 + q_2) = u $$

$$ (p_3 + p_2\cos q_2)\ddot q_1 + p_3\ddot q_2 + p_2\sin q_2\,\dot q_1^2
 - g p_5\sin(q_1 + q_2) = 0 $$

$$ p_1 = 0.4, \quad p_2 = 0.1, \quad p_3 = 0.1 $$

$$ p_4 = 0.3, \quad p_5 = 0.1 $$
"""


def _checked(folder: Path, text: str) -> tuple[freebody.Adopted, dict[str, str]]:
    page = folder / "page.md"
    page.write_text(text)
    made = freebody.adopt(page, force=True)
    assert made.path is not None
    (report,) = freebody.check(made.path).documents
    return made, {one.label: one.status for one in report.equations}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("text", [PENDULUM, SUMS])
def test_a_model_has_the_numbers_of_its_page(tmp_path: Path, text: str) -> None:
    made, statuses = _checked(tmp_path, text)
    assert {*statuses.values()} == {"holds"}
    assert made.model_path is not None
    freebody.derive(made.model_path)


def test_they_are_those_of_its_constants_in_their_units(tmp_path: Path) -> None:
    made, _ = _checked(tmp_path, PENDULUM)
    assert made.model_path is not None
    values = Names(load(made.model_path)).values()
    assert values == pytest.approx({"m": 0.3, "l": 0.7, "g": 9.8, "b": 0.04})


@pytest.mark.one_in(11)
@pytest.mark.parametrize(
    "told",
    [
        (
            "| Symbol | Value | Unit |\n| $m$ | 300 | g |\n| $l$ | 70 | cm |\n"
            r"| $b$ | $4 \times 10^{-2}$ | N·m·s |"
        ),
        "| Mass | `m` | 0.3 kg |\n| Length | `l` | 0.7 m |\n| Friction | `b` | 0.04 |\n",
        r"Of $m = 300$\,g, ($l = 700$\,mm), $b = 4\cdot 10^{-2}$~N m s.",
        "- m = 300 g\n- `l = 0.7` m\n- b = 0.04 N·m·s (friction)\n",
        "| $m$ | \\SI{300}{g} |\n| $l$ | 0.7 m |\n| $b$ | \\SI{0.04}{N.m.s} |\n",
        "- the mass $m$ = 300 g\n- the length $l$: 0.7 m\n- friction $b$ = 0.04 N m s\n",
        r"<table><tr><td>\(m\)<td>0.3</tr><tr><td>\(l\)<td>0,7</tr><tr><td>\(b\)<td>0.04</tr></table>",
        (
            "| $m$ | 0.3 kg |\n| $l$ | 0.7 m |\n| $b$ | 0.04 N m s |\n\n"
            "and at best\n\n$$\nl = 0.6151 \\\\ \nb= 0.0316\n$$\n"
        ),
        "With m = 300 g, l = 70 cm and b = 0.04 N·m·s (friction) it swings.\n",
        "- m = 0.3 kg — mass\n- l = 0.7 m — length\n- b = 0.04 N·m·s\n",
        (
            "symbol  value  unit\n------  -----  -----\n"
            "$m$     300    g\nl       0.7    m\n$b$     0.04   N m s\n"
        ),
    ],
    ids=[
        "units apart",
        "units beside",
        "behind formulas",
        "items",
        "commands",
        "words",
        "hypertext",
        "other ones behind",
        "plain text",
        "plain items",
        "columns without bars",
    ],
)
def test_tables_and_words_give_numbers(tmp_path: Path, told: str) -> None:
    page = tmp_path / ("page.html" if "<table>" in told else "page.md")
    page.write_text(PENDULUM.partition("\n\n$$ m =")[0] + "\n\nwith\n\n" + told)
    made = freebody.adopt(page)
    assert made.model_path is not None
    values = Names(load(made.model_path)).values()
    assert (values["m"], values["l"], values["b"]) == pytest.approx((0.3, 0.7, 0.04))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "told",
    [
        "| $m$ | 2 | 3 |\n| $l$ | 5 | 6 |\n",
        "| $m$ | 2 | slugs |\n| $l$ | 5 | slugs |\n",
        "| $m$ | 2 | m |\n| $l$ | 5 | kg |\n",
    ],
    ids=["of two cases", "in units that are not known", "of other quantities"],
)
def test_no_number_is_taken_that_may_be_another(tmp_path: Path, told: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(PENDULUM.partition("\n\n$$ m =")[0] + "\n\nwith\n\n" + told)
    made = freebody.adopt(page)
    assert made.model_path is not None
    values = Names(load(made.model_path)).values()
    assert not {2, 5} & {values["m"], values["l"]}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "told",
    [
        "$$ m_1 = 2 $$\n\nIn another one $$ m_1 = 3 $$",
        "$$ m_1 = 200 $$ g",
        "$$ J_1 = 1 $$\n\n$$ m_1 = 1 $$\n\n$$ l_1 = 3 $$",
    ],
)
def test_numbers_that_it_cannot_have_are_told_and_not_checked(tmp_path: Path, told: str) -> None:
    page = rf"""
$$ J_1\ddot\theta_1 + m_1 g l_1\sin\theta_1 = \tau $$

where $J_1$ is the moment of inertia about the pivot of the rod with its centre of mass at $l_1$.

{told}
"""
    _, statuses = _checked(tmp_path, page)
    assert "differs" not in statuses.values()


def test_what_another_item_says_puts_no_case(tmp_path: Path) -> None:
    given = "- the mass $m = 0.3$ kg\n- the friction $b = 0.04$\n- held at $F = 0$ (equilibrium)\n"
    made, _ = _checked(tmp_path, PENDULUM.partition("\n\n$$ m =")[0] + "\n\n" + given)
    assert made.model_path is not None
    values = Names(load(made.model_path)).values()
    assert (values["m"], values["b"]) == (0.3, 0.04)
