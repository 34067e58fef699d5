"""Bare pages made documents: what is guessed of their symbols, and what is written."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adopting import SURE_RIGHT, SURE_WRONG, Adopted
from freebody.checking import check
from freebody.checking.guesses import guess
from freebody.checking.guesses.prose_definitions import explained_meanings
from freebody.checking.guesses.symbols import Open
from freebody.checking.quantities.derived import Quantities
from freebody.cli import main
from freebody.documents import read_bare, read_document
from freebody.documents.latex import Relation, read_page
from freebody.documents.latex.tree import show
from freebody.model import load, shipped

PAGE = r"""# Two links

where $J_2$ is short for what follows.

$$ M_{11}(q) = m_1 d_1^2 + I_1 + m_2 (L_1^2 + d_2^2 + 2 L_1 d_2 \cos q_2) + I_2 \tag{1} $$
$$ M_{12}(q) = m_2 (d_2^2 + L_1 d_2 \cos q_2) + I_2 \tag{2} $$
$$ J_2 = I_2 + m_2 d_2^2 \tag{3} $$
$$ M_{22}(q) = J_2 \tag{4} $$
$$ \zeta_1 = W m_1 \tag{5} $$
$$ x_2 = L_1 \cos q_1 + d_2 \cos(q_1 + q_2) \tag{6} $$
$$ y_2 = L_1 \sin q_1 + d_2 \sin(q_1 + q_2) \tag{7} $$
"""

SHORT = r"""# A pendulum

$$ (I + m d^2)\ddot\theta + m g d \sin\theta = T \tag{1} $$
"""


def run(*arguments: object) -> Result:
    found = CliRunner().invoke(main, ["adopt", *map(str, arguments)])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


def front(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text().split("+++")[1])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Return the document that is written for the page, beside it, and what is said."""
    page = tmp_path_factory.mktemp("adopted") / "notes.md"
    page.write_text(PAGE)
    return page.with_name("notes_document.md"), run(page, "--model", "two_link")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text(SHORT)
    return path


def sure(tmp_path: Path, text: str, model: str = "two_link") -> dict[str, Any]:
    path = tmp_path / "page.md"
    path.write_text(text)
    return guess(read_bare(path, model), Quantities(load(model))).sure()


# ---------------------------------------------------------------------- what is guessed


@pytest.mark.few("chaplygin_sleigh/bloch")
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("acrobot/spong_1995", 24),
        ("cart_pendulum/florian_2007", 17),
        ("chaplygin_sleigh/bloch", 17),
    ],
)
def test_nothing_is_surely_wrong_and_much_surely_right(name: str, least: int) -> None:
    model, document = name.split("/")
    adopted = Adopted(read_document(shipped()[model] / f"{document}.md"), Quantities(load(model)))
    measured = adopted.measure()
    assert not measured.wrong
    assert not measured.counts[SURE_WRONG]
    assert measured.counts[SURE_RIGHT] >= least


def test_what_the_page_defines_is_sure_with_its_expression(tmp_path: Path) -> None:
    found = sure(tmp_path, PAGE)
    assert found["J_2"] == "I2 + m2*((d2)**2)"
    assert found["M_{22}(q)"] == "M[2,2]"
    assert "W" not in found
    assert r"\zeta_1" not in found


@pytest.mark.exhaustive
def test_a_misprint_does_not_drag_a_symbol_to_another_meaning(tmp_path: Path) -> None:
    misprinted = PAGE.replace(r"x_2 = L_1 \cos q_1", r"x_2 = d_1 \cos q_1")
    found = sure(tmp_path, misprinted)
    assert (found["L_1"], found["d_1"]) == ("L1", "d1")


def test_the_models_own_names_mean_themselves_on_a_page_of_wrong_equations(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(r"$$ m_1 = 3 m_2 + L_1 \cos\beta \tag{1} $$ $$ m_1 = g m_2 \tag{2} $$")
    found = guess(read_bare(path, "two_link"), Quantities(load("two_link")))
    assert found.named == {"m_1": "m1", "m_2": "m2", "L_1": "L1", "g": "g"}
    assert not found.sure()


@pytest.mark.exhaustive
def test_jacobians_and_christoffels_symbols_are_known(tmp_path: Path) -> None:
    page = r"""
$$ J_{v_{c1}} =
\begin{bmatrix} -\ell_{c1}\sin q_1 & 0\\ \ell_{c1}\cos q_1 & 0\\ 0 & 0\end{bmatrix} $$
$$ d_{11} = m_1\ell_{c1}^2 + m_2(\ell_1^2+\ell_{c2}^2+2\ell_1\ell_{c2}\cos q_2) + I_1 + I_2 $$
$$ d_{22} = m_2\ell_{c2}^2 + I_2 $$
$$ c_{111} = \frac12\frac{\partial d_{11}}{\partial q_1} = 0 $$
$$ c_{121} = \frac12\frac{\partial d_{11}}{\partial q_2} = -m_2\ell_1\ell_{c2}\sin q_2 $$
$$ c_{112} = m_2\ell_1\ell_{c2}\sin q_2 $$
"""
    found = sure(tmp_path, page)
    assert found["J_{v_{c1}}"] == "jacobian.link1"
    assert found["c_{111}"] == "christoffel[1,1,1]"
    assert found["c_{121}"] == "christoffel[1,1,2]"
    assert found["c_{112}"] == "christoffel[2,1,1]"


@pytest.mark.parametrize(
    ("words", "letter", "kind"),
    [
        ("a cart of mass $M$ rolls", "M", "mass"),
        ("wobei $J$ das Trägheitsmoment des Rades ist", "J", "inertia"),
        ("où $l$ est la longueur du fil", "l", "length"),
        ("donde $g$ es la gravedad", "g", "gravity"),
        ("onde $T$ é a energia cinética", "T", "kinetic"),
        ("dove $m$ è la massa", "m", "mass"),
        ("где $l$ — длина маятника", "l", "length"),
        ("其中 $m$ 为小球的质量", "m", "mass"),
        ("$k$ はばね定数", "k", "constant"),
        ("$g$ 는 중력가속도", "g", "gravity"),
        ("waarbij $l$ de lengte van de staaf is", "l", "length"),
        ("gdzie $m$ jest masą", "m", "mass"),
        ("| $m$ | Total mass of both | kg |", "m", "mass"),
        ("* $`F`$: force on the mass", "F", "force"),
    ],
)
def test_what_a_page_says_in_words_is_read_in_other_languages_too(
    words: str, letter: str, kind: str
) -> None:
    assert kind in explained_meanings(words, [letter], [])[letter]


def test_what_the_page_says_of_the_only_one_of_its_kind_is_sure(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(
        r"$$ \mu d^2\ddot\vartheta = Q $$ Here $\mu$ is the mass of the bob. $$ W = m g $$"
    )
    found = guess(
        read_bare(tmp_path / "page.md", "elastic_pendulum"), Quantities(load("elastic_pendulum"))
    )
    told = {one.key: (one.meaning, one.standing) for one in found.symbols}
    assert told[r"\mu"] == ("m", "sure")


def test_functions_without_backslashes_and_sums_by_sigma_are_read(tmp_path: Path) -> None:
    page = r"$$ x = d sin\theta,\quad \Sigma F_x = m\ddot x \;[\mathrm{N}] $$"
    found = sure(tmp_path, page, "pendulum")
    assert found["x"] == "position.link.x"
    assert found[r"\sum F_x"] == "resultant.link.force.x"


def test_primes_are_rates_of_what_has_none(tmp_path: Path) -> None:
    text = r"""
$$ (m_c + m_p) x'' + m_p l \theta''\cos\theta - m_p l \theta'^2\sin\theta = F $$
$$ \frac43 l\theta''(t) + x''(t)\cos\theta(t) = g\sin\theta(t) $$
"""
    assert sure(tmp_path, text, "cart_pendulum").keys() == {
        *("m_c", "m_p", "l", "g", "F", "x", r"\theta")
    }


@pytest.mark.exhaustive
def test_what_is_declared_is_taken_for_granted(tmp_path: Path) -> None:
    declared = f"+++\n[symbols]\n'M_{{11}}(q)' = \"M[1,1]\"\n'q_2' = \"alpha2\"\n+++\n{PAGE}"
    found = sure(tmp_path, declared)
    assert "q_2" not in found
    assert found["I_1"] == "I1"


@pytest.mark.exhaustive
def test_one_page_is_guessed_alike_each_time(tmp_path: Path) -> None:
    page = PAGE.partition("$$ M_{12}")[0]
    assert sure(tmp_path, page) == sure(tmp_path, page)


# ---------------------------------------------------------------------- what is written


def test_a_document_is_written_that_can_be_checked(written: tuple[Path, Result]) -> None:
    document, found = written
    assert found.exit_code == 0
    assert f"wrote {document}" in found.output
    assert document.with_name("notes.md").read_text() == PAGE
    assert document.read_text().endswith(PAGE)
    assert front(document)["model"] == "two_link"
    assert front(document)["symbols"]["m_2"] == "m2"
    statuses = {one.label: one.status for one in check(document).documents[0].equations}
    assert statuses["(4)"] == "holds"
    assert statuses["(5)"] == "unreadable"


def test_what_is_not_sure_is_marked_with_its_place(written: tuple[Path, Result]) -> None:
    lines = written[0].read_text().splitlines()
    unknown = next(line for line in lines if line.startswith("# unknown: 'W'"))
    assert unknown.startswith("# unknown: 'W' = \"\" # first in (5), line ")


def test_every_commented_line_is_toml_once_it_is_completed(written: tuple[Path, Result]) -> None:
    text = written[0].read_text().split("+++")[1]
    for line in text.splitlines():
        if line.startswith("# "):
            assert len(tomllib.loads(line.split(": ", 1)[1])) == 1


def test_the_table_fits_and_counts(written: tuple[Path, Result]) -> None:
    output = written[1].output
    assert max(map(len, output.splitlines()[:-1])) <= 100
    assert "7 equations: " in output
    assert "wait for symbols" in output


def test_unfinished_front_matter_is_kept(page: Path) -> None:
    page.write_text(f'+++\ntitle = "Mine"\n\n[symbols]\n\'d\' = "d" # mine\n+++\n{SHORT}')
    run(page, "--model", "pendulum")
    written = page.with_name("notes_document.md")
    assert front(written)["title"] == "Mine"
    assert "'d' = \"d\" # mine" in written.read_text()
    assert written.read_text().count("[symbols]") == 1


def test_the_document_of_a_tex_file_names_it(tmp_path: Path) -> None:
    source = tmp_path / "page.tex"
    equation = SHORT.split("$$")[1].replace(r"\tag{1}", "")
    source.write_text(
        f"\\begin{{document}}\\begin{{equation}}{equation}\\end{{equation}}\\end{{document}}"
    )
    assert run(source, "--model", "pendulum").exit_code == 0
    written = tmp_path / "page.md"
    assert front(written)["page"] == source.name
    assert read_document(written).source == source


def test_front_matter_of_another_program_is_kept_as_comments(page: Path) -> None:
    page.write_text(f"+++\ntitle = 'Mine'\ndraft = false\ntags = ['a']\n+++\n{SHORT}")
    assert run(page, "--model", "pendulum").exit_code == 0
    written = page.with_name("notes_document.md")
    assert "\n# draft = false\n" in written.read_text()
    assert read_document(written).front.model == "pendulum"


def test_the_summary_counts_what_is_told_of_the_symbols(page: Path) -> None:
    page.write_text(f"where $m$ is the mass. {SHORT} $$\\xi + m = \\tanh(\\chi)$$")
    output = run(page, "--model", "pendulum").output
    rows = [line for line in output.splitlines() if " line " in line]
    told = re.search(r"(\d+) symbols: (\d+) sure, (\d+) unsure, (\d+) unknown", output)
    assert told
    counts = [sum(f" {kind} " in row for row in rows) for kind in ("sure", "unsure", "unknown")]
    assert [int(one) for one in told.groups()] == [len(rows), *counts]
    assert counts[0] > 1


# ---------------------------------------------------------------------- what is refused


def test_no_file_is_written_over_unless_asked_to(page: Path) -> None:
    output = page.with_name("mine.md")
    output.write_text("mine")
    assert "is there already" in run(page, "--model", "pendulum", "-o", output).output
    assert output.read_text() == "mine"
    assert run(page, "--model", "pendulum", "-o", output, "--force").exit_code == 0
    assert "+++" in output.read_text()


def test_the_page_itself_is_never_written_over(page: Path) -> None:
    found = run(page, "--model", "pendulum", "-o", page, "--force")
    assert found.exit_code == 1
    assert page.read_text() == SHORT


def test_a_page_about_several_models_is_refused(page: Path) -> None:
    sections = '[[sections]]\nheading = "A pendulum"\nmodel = "two_link"\n'
    page.write_text(f"+++\n{sections}+++\n{SHORT}")
    found = run(page, "--model", "pendulum")
    assert found.exit_code == 2
    assert "one model" in found.output


def test_a_model_beside_the_document_must_be_the_one_meant(page: Path) -> None:
    shutil.copy(shipped()["two_link"] / "model.toml", page.parent)
    found = run(page, "--model", "pendulum")
    assert found.exit_code == 2
    assert "another model" in found.output


def test_a_page_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    assert "cannot be read" in run(tmp_path / "none.md", "--model", "pendulum").output


def test_equations_in_running_text_are_hinted_at(page: Path) -> None:
    page.write_text(f"{SHORT}\n\nand with $a = b$, $c = d$\n")
    found = run(page, "--model", "pendulum").output
    assert "2 equations in running text not read" in found
    assert "inline = true" in found


@pytest.mark.exhaustive
def test_what_a_document_says_of_another_model_is_told_with_its_place(page: Path) -> None:
    front = "title = 'A'\nmodel = 'x.toml'\n\n[symbols]\n'l' = 'stiffness'\n"
    page.write_text(f"+++\n{front}+++\n{SHORT}")
    found = run(page, "-o", page.with_name("other.md"))
    assert found.exit_code == 2
    assert "notes.md: symbols.l: " in found.output
    assert "no quantity 'stiffness'" in found.output


@pytest.mark.exhaustive
def test_commands_that_nothing_defines_are_declared_with_what_they_were_taken_for(
    tmp_path: Path,
) -> None:
    page = tmp_path / "chapter.tex"
    page.write_text(
        r"""The energies of the pendulum:
\begin{align}
\xe &= \lp\sin\phe \\ \ye &= -\lp\cos\phe \\
T &= \einhalb m (\xep^2 + \yep^2) \\ U &= m g \ye \\
m \lp^2 \phepp + m g \lp\sin\phe &= 0, \quad \xepp = a
\end{align}
"""
    )
    result = run(page)
    assert result.exit_code == 0, result.output
    document = page.with_suffix(".md")
    said = front(document)
    assert said["macros"][r"\phepp"] == r"\ddot{\mathrm{phe}}"
    assert said["macros"][r"\einhalb"] == r"\frac{1}{2}"
    assert said["symbols"][r"\mathrm{phe}"] == "phe"
    (report,) = check(document).documents
    assert [one.label for one in report.equations if one.status == "holds"] == [
        "(#1.1)", "(#1.2)", "(#1.3)", "(#1.4)", "(#1.5)",
    ]  # fmt: skip
    assert not [one for one in report.equations if one.status == "differs"]


def test_macros_of_a_document_take_arguments(tmp_path: Path) -> None:
    document = tmp_path / "notes.md"
    document.write_text(
        "+++\ntitle = 'Notes'\nmodel = 'pendulum'\n[macros]\n'\\rate' = '\\dot{#1}'\n'\\a' = 'b'\n"
        "+++\n\n$$\\rate{\\theta} = \\a$$\n"
    )
    (shown,) = read_page(read_document(document).page, Open())
    (relation,) = shown.relations
    assert isinstance(relation, Relation)
    assert (show(relation.left), show(relation.right)) == (r"\theta'", "b")


def test_what_may_be_exchanged_is_not_proved(tmp_path: Path) -> None:
    page = tmp_path / "spring.md"
    page.write_text(r"""
$$ T = \frac{m}{2}(v_x^2 + v_\theta^2), \qquad V = \frac{k}{2} x^2 - m g (l + x)\cos\theta $$

$$ m\ddot x = m (l + x)\dot\theta^2 - k x + m g\cos\theta $$

$$ (l + x)\ddot\theta = -2\dot x\dot\theta - g\sin\theta $$
""")
    found = CliRunner().invoke(main, ["adopt", str(page), "--json"])
    told = {one["symbol"]: one["why"] for one in json.loads(found.stdout)["symbols"]}
    assert told["m"].startswith("proved")
    assert not told[r"v_\theta"].startswith("proved")
