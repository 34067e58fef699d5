"""Pages about several mechanisms, each under a heading of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from freebody.checking import check
from freebody.cli import main
from freebody.documents import read_bare
from freebody.recognition import adopt, recognise
from freebody.recognition.chapters import recognise_page

PAGE = r"""
# Oscillators

All of them are without friction.

## A mass on a spring

The mass $m$ hangs on a spring of stiffness $k$.

$$m\ddot x + k x = 0$$

### Energy

$$T = \frac{1}{2} m \dot x^2$$

## A pendulum

Its bob of mass $M$ is at a distance $l$ from the pivot.

$$T = \frac{1}{2} M l^2 \dot\theta^2, \qquad V = -M g l\cos\theta$$

$$M l^2\ddot\theta + M g l\sin\theta = 0$$

## Conclusions

$$m\ddot x = -k x$$
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "oscillators.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def _chapters(folder: Path, text: str) -> list[str]:
    """Return the headings of the chapters that are about other mechanisms than the page."""
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return [one.chapter.heading.title for one in recognise_page(read_bare(path, "none")).chapters]


def test_each_chapter_has_a_model_of_its_own(page: Path) -> None:
    made = adopt(page)
    assert [one.heading for one in made.models] == ["", "A pendulum"]
    assert {"(#1)", "(#2)"} <= {*made.models[0].fits}
    assert {"(#3.1)", "(#3.2)", "(#4)"} <= {*made.models[1].fits}
    told = {one.symbol: one.meaning for one in made.symbols if one.is_sure}
    assert {"m", "k", "x", "M", "l", r"\theta"} <= told.keys()


def test_energies_alone_tell_of_a_mechanism(tmp_path: Path) -> None:
    page = tmp_path / "pendulums.md"
    page.write_text(r"""
# The pendulum

$$\mathcal{L} = \frac12 m l^2\dot\theta^2 + m g l\cos\theta$$

$$\ddot\theta = -\frac gl\sin\theta$$

# The double pendulum

With two lengths $k$ and $l$ and two masses $m$ and $n$

$$U = -m g k\cos\theta - n g(k\cos\theta + l\cos\varphi)$$

$$T = \frac12 m k^2\dot\theta^2 + \frac12 n\left(\dot\theta^2 k^2 + \dot\varphi^2 l^2
    + 2\dot\theta\dot\varphi k l\cos(\theta - \varphi)\right)$$
""")
    found = recognise_page(read_bare(page, "none"))
    every = [found.whole.models[0], *(one.found for one in found.chapters)]
    assert [one.name for one in every] == ["pendulum", "double_pendulum"]


def test_the_document_checks_each_section_with_its_model(page: Path) -> None:
    made = adopt(page)
    (report,) = check(made.path).documents
    assert {one.label: one.status for one in report.equations} == dict.fromkeys(
        ["(#1)", "(#2)", "(#3.1)", "(#3.2)", "(#4)", "(#5)"], "holds"
    )
    assert [one.heading for one in made.document.front.sections] == []
    assert '[[sections]]\nheading = "Conclusions"' in made.path.read_text(encoding="utf-8")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "chapter",
    [
        r"$$M l^2\ddot\theta + M g l\theta = 0$$",
        r"$$M l^2\ddot\theta + c\dot\theta + M g l\sin\theta = 0$$",
        r"$$\ddot\theta = -\frac{g}{l}\sin\theta$$",
        r"$$M(q)\ddot q + C(q,\dot q)\dot q + G(q) = \tau$$",
        r"$$m_i\ddot x_i + k_i x_i = 0$$",
    ],
    ids=["small angles", "friction", "solved", "in general", "any of many"],
)
def test_a_chapter_on_the_same_mechanism_has_no_other_model(tmp_path: Path, chapter: str) -> None:
    first = r"$$M l^2\ddot\theta + M g l\sin\theta = 0$$"
    assert _chapters(tmp_path, f"# Pendulum\n\n{first}\n\n# More\n\n{chapter}\n") == []


def test_what_is_said_in_general_is_no_mechanism(tmp_path: Path) -> None:
    page = tmp_path / "general.md"
    page.write_text(r"$$M(q)\ddot q + C(q,\dot q)\dot q + G(q) = \tau$$", encoding="utf-8")
    assert recognise(read_bare(page, "none")).models == ()


@pytest.mark.exhaustive
def test_letters_of_other_chapters_do_not_count(tmp_path: Path) -> None:
    page = tmp_path / "letters.md"
    text = PAGE.replace("M", "m").replace("k x", "V x").replace("$k$", "$V$")
    page.write_text(text, encoding="utf-8")
    assert [one.heading for one in adopt(page).models] == ["", "A pendulum"]


@pytest.mark.exhaustive
def test_chapters_that_cannot_be_named_are_told(tmp_path: Path) -> None:
    page = tmp_path / "named.md"
    page.write_text(PAGE.replace("## Conclusions", "## Energy"), encoding="utf-8")
    told = CliRunner().invoke(main, ["adopt", str(page)]).output
    assert "'A pendulum' is no section of the document: other headings say the same" in told
    assert "[[sections]]" not in (tmp_path / "named_document.md").read_text(encoding="utf-8")


def test_no_model_is_written_where_one_of_a_chapter_is_there(page: Path) -> None:
    taken = page.with_name("oscillators_model_2.toml")
    taken.write_text("# mine\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["adopt", str(page)])
    assert result.exit_code != 0
    assert "is there already" in result.output
    assert {one.name for one in page.parent.iterdir()} == {taken.name, page.name}


def test_a_page_whose_document_has_models_for_its_parts_is_not_adopted_over(tmp_path: Path) -> None:
    path = tmp_path / "oscillators.ipynb"
    cell = {"cell_type": "markdown", "metadata": {}, "source": PAGE}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    before = adopt(path).path.read_text(encoding="utf-8")
    result = CliRunner().invoke(main, ["adopt", str(path), "--force"])
    assert result.exit_code == 2
    assert "sections[0].model: 'oscillators_model_2.toml', expected none" in result.output
    assert path.with_suffix(".md").read_text(encoding="utf-8") == before


COLUMNS = r"""
## A pendulum

$$m l^2\ddot\theta + m g l\sin\theta = 0$$

## Two carts

Here $x$ is the column of both places.

$$T = \frac12 M_1 \dot x_1^2 + \frac12 M_2 \dot x_2^2$$

$$V = \frac12 k_1 x_1^2 + \frac12 k_2 (x_2 - x_1)^2$$

$$\begin{bmatrix} M_1 & 0 \\ 0 & M_2 \end{bmatrix}\ddot x
 + \begin{bmatrix} k_1 + k_2 & -k_2 \\ -k_2 & k_2 \end{bmatrix} x = 0$$
"""


def test_a_column_of_numbered_coordinates_is_moved_with_these(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(COLUMNS, encoding="utf-8")
    found = recognise_page(read_bare(path, "none"))
    told = [found.whole.models[0], *(one.found for one in found.chapters)]
    assert [one.system.coordinates for one in told] == [(r"\theta",), ("x_1", "x_2")]
