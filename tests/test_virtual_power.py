"""Models of balances of single bodies, as a page has them that follows Newton and Euler."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.documents import read_bare
from freebody.recognition.building.built import built
from freebody.recognition.building.virtual_power import by_virtual_power
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.recognised import Recognised

PAGES = {
    "by the positions of its bodies": (
        r"""$$x = R\sin\theta$$ $$y = -R\cos\theta$$ $$m\ddot x = T_x$$ $$m\ddot y = T_y - m g$$
        $$I\ddot\theta = -R T_x\cos\theta - R T_y\sin\theta$$""",
        {"(#3)", "(#4)", "(#5)"},
    ),
    "by accelerations of its own, with a reaction that one balance tells": (
        r"""$$M\ddot x = F - N - b\dot x$$ $$m a_x = N$$ $$m a_y = P - m g$$
        $$a_x = \ddot x + l\ddot\theta\cos\theta - l\dot\theta^2\sin\theta$$
        $$a_y = -l\ddot\theta\sin\theta - l\dot\theta^2\cos\theta$$
        $$I\ddot\theta = P l\sin\theta - N l\cos\theta$$""",
        {"(#1)", "(#2)", "(#3)", "(#6)"},
    ),
    "written out in coordinates": (
        r"""$$M\ddot x = F - N$$
        $$N = m(\ddot x + l\ddot\theta\cos\theta - l\dot\theta^2\sin\theta)$$
        $$P - m g = -m l(\ddot\theta\sin\theta + \dot\theta^2\cos\theta)$$
        $$I\ddot\theta = P l\sin\theta - N l\cos\theta$$""",
        {"(#1)", "(#2)", "(#3)", "(#4)"},
    ),
    "of two bodies with one acceleration": (
        r"""$$y = r\theta$$ $$m_1\ddot y = T_1 - m_1 g$$ $$m_2\ddot y = m_2 g - T_2$$
        $$I\ddot\theta = (T_2 - T_1) r$$""",
        {"(#2)", "(#3)", "(#4)"},
    ),
    "the last side of three": (
        r"""$$x = R\sin\theta$$ $$y = -R\cos\theta$$ $$m\ddot x = T_x$$ $$m\ddot y = T_y - m g$$
        $$I\ddot\theta = -\mathbf{r}\times\mathbf{T} = -R T_x\cos\theta - R T_y\sin\theta$$""",
        {"(#3)", "(#4)", "(#5.2)"},
    ),
}
"""Balances with what holds bodies together, and those that a model is made of."""


def _model(page: str, folder: Path) -> Recognised | None:
    path = folder / "newton.md"
    path.write_text(page, encoding="utf-8")
    return next(built(PageMotion(read_bare(path, "none").page)), None)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("page", "labels"), PAGES.values(), ids=PAGES)
def test_what_holds_bodies_together_goes_out(page: str, labels: set[str], tmp_path: Path) -> None:
    found = _model(page, tmp_path)
    assert found
    assert all(label in found.made.words for label in labels)
    assert labels <= {*found.fits}
    assert not found.fails


def test_equations_of_motion_are_no_balances_of_single_bodies(tmp_path: Path) -> None:
    path = tmp_path / "cart.md"
    path.write_text(
        r"""$$(M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F$$
        $$\frac{1}{3} m l\ddot\theta + \frac{m}{2}\ddot x\cos\theta = \frac{m}{2} g\sin\theta$$""",
        encoding="utf-8",
    )
    assert not [*by_virtual_power(PageMotion(read_bare(path, "none").page))]
