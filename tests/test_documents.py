"""Documents: what their front matter says, and all that may be wrong with it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import freebody
from freebody.documents import documents_of, read_document
from freebody.errors import DocumentError, FreebodyError, ModelError
from freebody.model import shipped

if TYPE_CHECKING:
    from pathlib import Path

FRONT = 'title = "A page"\nmodel = "two_link"\n'
BODY = "\n$$ \\theta = \\alpha_1 \\tag{1} $$\n"
SYMBOLS = "[symbols]\n'\\theta' = 'alpha1'\n'\\alpha_1' = 'alpha1'\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return tmp_path / "page.md"


def told(page: Path, front: str, body: str = BODY) -> list[str]:
    """Return what is told of a page with a front matter that is wrong."""
    page.write_text(f"+++\n{front}\n+++\n{body}")
    with pytest.raises(DocumentError) as error:
        freebody.check(page)
    assert str(error.value) == "\n".join(f"{page}: {entry}" for entry in error.value.problems)
    return [str(problem) for problem in error.value.problems]


# ---------------------------------------------------------------------- what is read


def test_a_document_knows_its_front_matter_and_where_its_page_begins(page: Path) -> None:
    erratum = "[[errata]]\nin = ['(1)', '(2)']\nterms = ['L1', 'L2']\nnote = 'why'\n"
    unchecked = "[[unchecked]]\nin = ['(3)']\nreason = 'a name'\n"
    page.write_text(f"+++\n{FRONT}{SYMBOLS}{erratum}{unchecked}+++\n{BODY}")
    found = read_document(page)
    assert (found.name, found.front.title, found.front.model) == ("page", "A page", "two_link")
    assert found.text[found.start :] == f"\n{BODY}"
    assert [entry.products for entry in found.errata_in("(2)")] == [("L1", "L2")]
    assert found.errata_in("(3)") == ()
    assert found.reason_unchecked("(3)") == "a name"
    assert found.reason_unchecked("(1)") is None


@pytest.mark.parametrize("text", [f"+++\n{FRONT}{SYMBOLS}+++\n{BODY}", f"+++ \n{FRONT}+++\n"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_lines_may_end_either_way(page: Path, text: str, ending: str) -> None:
    page.write_bytes(text.replace("\n", ending).encode())
    (report,) = freebody.check(page).documents
    assert report.title == "A page"
    assert [equation.status for equation in report.equations] in ([], ["holds"])


def test_documents_of_a_model_are_those_with_front_matter(tmp_path: Path) -> None:
    shutil.copy(shipped()["two_link"] / "model.toml", tmp_path / "arm.toml")
    for name, model in (("one", "arm"), ("two", "other"), ("three", "arm.toml")):
        (tmp_path / f"{name}.md").write_text(f"+++\ntitle = 'x'\nmodel = '{model}'\n+++\n")
    (tmp_path / "README.md").write_text("# Nothing to check\n")
    (tmp_path / "folder.md").mkdir()
    found = [document.name for document in documents_of(tmp_path / "arm.toml")]
    assert found == ["one", "three"]
    everything = [document.name for document in documents_of(tmp_path / "model.toml")]
    assert everything == ["one", "three", "two"]


# ---------------------------------------------------------------------- what is wrong


FIRST_KEYS = "title, model, source, page, derived_from, inline"


def test_all_that_is_wrong_with_the_front_matter_is_told_at_once(page: Path) -> None:
    keys = f"{FIRST_KEYS}, symbols, macros, sections, equations, assume, errata"
    there = f"(expected one of {keys}, unchecked)"
    assert told(page, "titel = 'x'\nmodel = 3\n[symbls]\n") == [
        "title: is missing",
        "model: expected text",
        f"titel: unknown key; did you mean 'title'? {there}",
        f"symbls: unknown key; did you mean 'symbols'? {there}",
    ]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("term = 'L1'", ["errata[0].note: is missing"]),
        (
            "term = 'L1'\nnot = 'n'\nnote = 'n'",
            ["errata[0].not: unknown key; did you mean 'note'?"],
        ),
        ("trems = ['L1']\nnote = 'n'", ["errata[0].trems: unknown key; did you mean 'terms'?"]),
        ("term = 'Lone'\nnote = 'n'", ["errata[0]: column 1: no quantity 'Lone'"]),
        ("note = 'n'", ["errata[0]: expected 'term' or 'terms', or a 'symbol' that"]),
        ("symbol = 'x'\nnote = 'n'", ["errata[0]: expected either 'reads' or 'means'"]),
        ("symbol = 'x'\nmeans = true\nnote = 'n'", ["errata[0].means: expected an expression"]),
        (
            "symbol = 'x'\nreads = '\\thta'\nnote = 'n'",
            ["errata[0]: '\\thta' is not declared; did you mean '\\theta'?"],
        ),
    ],
)
def test_what_is_wrong_with_an_erratum_is_told(page: Path, entry: str, expected: list[str]) -> None:
    found = told(page, f"{FRONT}{SYMBOLS}[[errata]]\nin = ['(1)']\n{entry}")
    assert len(found) == len(expected)
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        (
            "",
            f"{FIRST_KEYS}, symbols, macros, sections, equations, assume, errata",
        ),
        ("[[sections]]\nheading = 'A'", "heading, model, symbols"),
        ("[[assume]]", "in, small, order, given, instant, steady, note"),
        ("[[equations]]\nin = ['(1)']\nof = 'q'", "in, of"),
        ("[[errata]]\nin = ['(1)']\nterm = 'a'\nnote = 'n'", "in, note, term, terms, symbol"),
        ("[[unchecked]]\nin = ['(1)']\nreason = 'r'", "in, reason"),
    ],
)
def test_an_unknown_key_is_told_with_those_there_are(page: Path, table: str, keys: str) -> None:
    (line,) = told(page, f"{FRONT}{table}\nzzz = 1\n")
    assert f"zzz: unknown key (expected one of {keys}" in line


@pytest.mark.parametrize("labels", ["'(1)'", "[]", "[3]", "3"])
def test_labels_are_a_list_of_text(page: Path, labels: str) -> None:
    (found,) = told(page, f"{FRONT}[[errata]]\nin = {labels}\nterm = 'L1'\nnote = 'n'")
    assert found.startswith("errata[0].in")
    assert "expected" in found


@pytest.mark.parametrize(
    "section", ["symbols = 3", "errata = 3", "errata = [3]", "unchecked = 'x'"]
)
def test_sections_are_tables(page: Path, section: str) -> None:
    (found,) = told(page, f"{FRONT}{section}")
    assert found.startswith(section.split()[0])
    assert "expected a" in found


def test_meanings_that_are_no_expressions_are_told_once_each(page: Path) -> None:
    found = told(page, f"{FRONT}[symbols]\na = true\nb = ['L1', {{ c = 1 }}]\nc = [[['L1']]]\n")
    assert found == [
        f"symbols.{name}: expected an expression, a list of them, or a list of lists"
        for name in ("a", "b", "c")
    ]


@pytest.mark.parametrize(
    ("meaning", "expected"),
    [
        ("L_1", "no quantity 'L_1'"),
        ("Fexx", "no quantity 'Fexx'; did you mean 'Fex'?"),
        ("L1 + ", "the expression stops before it is complete"),
        ("positon.tip.x", "no quantity 'positon.tip.x'; did you mean 'position'?"),
        ("position.tpi.x", "found 'tpi'; did you mean 'tip'?"),
        ("position.tip.w", "found 'position.tip.w'"),
        ("position", "expected 'position.<body, joint or named force>.x', found 'position'"),
        ("reaction.joint3.force.x", "expected one of"),
        ("reaction.joint1.forse.x", "did you mean 'force'?"),
        ("energy.kinetc", "did you mean 'kinetic'?"),
        ("angle.link3", "found 'link3'"),
        ("M[3,1]", "'M[3,1]' is outside of its 2 x 2 entries"),
        ("M[0,1]", "'M[0,1]' is outside of its 2 x 2 entries"),
        ("C[1,2]", "'C[1,2]' is outside of its 2 x 1 entries"),
        ("tau[x]", "did not expect 'x'"),
        ("", "expected an expression, found none"),
        ("9**9**9", "is too large"),
        ('__import__("os")', "did not expect '_'"),
    ],
)
def test_meanings_that_are_no_quantities_are_told(page: Path, meaning: str, expected: str) -> None:
    first, second = told(page, f"{FRONT}[symbols]\na = '{meaning}'\nb = 'Lone'\n")
    assert first.startswith("symbols.a: ")
    assert expected in first
    assert second == "symbols.b: column 1: no quantity 'Lone'"


def test_front_matter_that_is_not_toml_is_told(page: Path) -> None:
    (found,) = told(page, f"{FRONT}x = = 3")
    assert found.startswith("front matter: not TOML: Invalid value (at line 3")


@pytest.mark.parametrize("text", ["", "+++", "# A page\n", "+++\ntitle = 'x'\n", "\n+++\n+++\n"])
def test_a_page_without_front_matter_is_told(page: Path, text: str) -> None:
    page.write_text(text)
    with pytest.raises(DocumentError, match=r"expected TOML front matter between two lines"):
        read_document(page)


def test_an_unknown_model_is_told_with_the_nearest(page: Path) -> None:
    page.write_text(f"+++\n{FRONT.replace('two_link', 'two_lnk')}+++\n{BODY}")
    with pytest.raises(FreebodyError, match=r"did you mean 'two_link'\?"):
        freebody.check(page)


def test_a_model_beside_its_document_is_preferred(page: Path) -> None:
    page.write_text(f"+++\n{FRONT}{SYMBOLS}+++\n{BODY}")
    assert freebody.check(page).agrees
    page.with_name("two_link.toml").write_text("title = 3")
    with pytest.raises(ModelError, match=r"title: expected text"):
        freebody.check(page)


# ---------------------------------------------------------------------- what is stale


@pytest.mark.parametrize("entry", ["errata]]\nterm = 'L1'\nnote", "unchecked]]\nreason"])
def test_records_of_equations_that_are_not_there_are_stale(page: Path, entry: str) -> None:
    page.write_text(f"+++\n{FRONT}{SYMBOLS}[[{entry} = 'x'\nin = ['(11)']\n+++\n{BODY}")
    report = freebody.check(page)
    assert report.exit_code == 1
    (stale,) = report.documents[0].stale
    assert stale.startswith("(11) is recorded, but there is no such equation")
    assert report.surprises() == [f"page: {stale}"]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("'vect' = 'a'", r"macros: expected commands such as '\vect', found 'vect'"),
        (r"'\vect' = '\mathbf{#1'", r"macros: braces do not match in what '\vect' expands to"),
        (r"'\vect' = '}{'", r"macros: braces do not match in what '\vect' expands to"),
        (r"'\vect' = 3", r"macros.\vect: expected text"),
    ],
)
def test_what_is_no_macro_is_told(page: Path, entry: str, expected: str) -> None:
    assert told(page, f"{FRONT}[macros]\n{entry}\n") == [expected]


def test_symbols_that_do_not_occur_are_told(page: Path) -> None:
    page.write_text(f"+++\n{FRONT}{SYMBOLS}'L_1' = 'L1'\n+++\n{BODY}")
    assert freebody.check(page).documents[0].unused == ("L_1",)


def test_what_is_recorded_of_a_page_with_roots_of_angles_is_what_is_found() -> None:
    assert freebody.check(shipped()["slider_crank"] / "alcocer_2026.md").agrees
