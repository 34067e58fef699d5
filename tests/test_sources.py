"""Where equations stand: Markdown, LaTeX files and notebooks, their macros and sections."""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import freebody
from freebody.checking.report import DocumentReport
from freebody.cli import main
from freebody.consistency import alone
from freebody.documents import documents_of, read_bare, read_document
from freebody.documents.latex import Declared, Relation, read_page
from freebody.documents.latex.page.page import Page
from freebody.errors import DocumentError, PageWarning
from freebody.locating import shipped

if TYPE_CHECKING:
    from pathlib import Path

FRONT = 'title = "The pendulum"\nmodel = "pendulum"\n'
SYMBOLS = r"""[symbols]
'm' = "m"
'd' = "d"
'g' = "g"
'I' = "I"
'\theta' = "theta"
'\tau' = "T"
'x' = "position.link.x"
'y' = "position.link.y"
"""

LECTURE = r"""\documentclass[11pt]{article}
\usepackage{amsmath,mathtools} % $$ no = display $$
\newcommand{\ang}{\theta}
\newcommand*{\half}{\frac{1}{2}}
\newcommand{\dd}[2][t]{\frac{\mathrm{d} #2}{\mathrm{d} #1}}  % a derivative
\def\be{\begin{equation}} \def\ee{\end{equation}}
\DeclareMathOperator{\Sin}{sin}
\begin{document}
\section{Where it is}\label{sec:where}
The end of the link% and not its middle
\begin{align}
  x &= d \Sin\ang, \label{eq:x} \\
  % the axis points up
  y &= -d \cos\ang. \label{eq:y}
\end{align}
\begin{verbatim}
$$ never = read $$
\end{verbatim}
\begin{comment}
\[ nor = this \]
\end{comment}
\section[How]{How it moves}
\be
  (I + m d^2) \dd{\dot\ang} = \tau - m g d \Sin\ang
\ee
\iffalse
\[ nor = that \]
\fi
\begin{subequations}
\begin{IEEEeqnarray}{rCl}
  \dot x &=& d \dot\ang \cos\ang \IEEEyesnumber \\
  \dot y &=& -d \dot\ang \sin\ang
\end{IEEEeqnarray}
\end{subequations}
\end{document}
\[ after = all \]
"""


def notebook(*cells: tuple[str, str]) -> str:
    """Return a notebook with some cells, as Jupyter writes it."""
    entries: list[dict[str, Any]] = [
        {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        for kind, source in cells
    ]
    for entry in entries:
        if entry["cell_type"] == "code":
            entry.update(execution_count=1, outputs=[])
    return json.dumps({"cells": entries, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


NOTEBOOK = notebook(
    ("markdown", "# The pendulum\n\n$$\\newcommand{\\ang}{\\theta}$$\n"),
    ("code", "x = '$$ code = code $$'\n"),
    ("markdown", "Its end is at\n$$ x = d\\sin\\ang $$\n```\nnot closed\n"),
    ("markdown", "and\n\n\\begin{align}\ny &= d\\cos\\ang\n\\end{align}"),
)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def checked(path: Path) -> DocumentReport:
    (report,) = freebody.check(path).documents
    return report


def found(path: Path) -> dict[str, tuple[str, str]]:
    """Return the verdict and the place of each equation."""
    return {one.label: (one.status, one.place) for one in checked(path).equations}


def told(path: Path) -> list[str]:
    with pytest.raises(DocumentError) as error:
        freebody.check(path)
    return [str(problem) for problem in error.value.problems]


# ---------------------------------------------------------------------- LaTeX files

LECTURED = {
    "(eq:x)": ("holds", "line 12"),
    "(eq:y)": ("holds", "line 14"),
    "(#2)": ("holds", "line 24"),
    "(#3.1)": ("holds", "line 31"),
    "(#3.2)": ("differs", "line 32"),
}


def test_a_latex_file_is_checked_as_its_document_beside_it_says(tmp_path: Path) -> None:
    page = write(tmp_path, "lecture.tex", LECTURE)
    document = write(tmp_path, "pendulum.md", f'+++\n{FRONT}page = "lecture.tex"\n{SYMBOLS}+++\n')
    assert found(document) == LECTURED
    assert found(page) == LECTURED
    report = checked(page)
    assert (report.document, report.title, report.model) == ("pendulum", "The pendulum", "pendulum")


def test_a_latex_file_may_begin_with_its_front_matter_in_comments(tmp_path: Path) -> None:
    lines = [f"% {line}".rstrip() for line in f"+++\n{FRONT}{SYMBOLS}+++".splitlines()]
    text = "\n".join(("% !TeX program = lualatex", *lines, LECTURE))
    page = write(tmp_path, "lecture.tex", text)
    before = len(lines) + 1
    moved = {
        label: (status, f"line {int(place.split()[1]) + before}")
        for label, (status, place) in LECTURED.items()
    }
    assert found(page) == moved
    page.write_bytes(text.replace("\n", "\r\n").encode())
    assert found(page) == moved


def test_printed_latex_and_carets_show_the_page_and_not_what_macros_make_of_it(
    tmp_path: Path,
) -> None:
    text = LECTURE.replace(r"y &= -d \cos\ang", r"y &= -q \cos\ang")
    write(tmp_path, "lecture.tex", text)
    page = write(tmp_path, "pendulum.md", f'+++\n{FRONT}page = "lecture.tex"\n{SYMBOLS}+++\n')
    first, second, *_ = checked(page).equations
    assert first.latex == r"x &= d \Sin\ang"
    assert (second.status, second.place) == ("unreadable", "line 14")
    shown, caret = second.note.splitlines()[1:]
    assert shown[caret.index("^")] == "q"


def test_what_is_not_followed_is_told(tmp_path: Path) -> None:
    text = LECTURE.replace(r"\iffalse", "\\input{chapters/two}\n% \\input{not}\n\\iffalse")
    write(tmp_path, "lecture.tex", text)
    page = write(tmp_path, "pendulum.md", f'+++\n{FRONT}page = "lecture.tex"\n{SYMBOLS}+++\n')
    report = checked(page)
    assert report.remarks == (
        "line 26: '\\input{chapters/two}' is not followed: no such file below its folder",
    )
    assert report.as_json()["remarks"] == list(report.remarks)


def test_blank_comments_end_no_paragraph() -> None:
    page = Page("\\begin{equation}\na = b\n%\n % more\n+ c\n\\end{equation}", language="latex")
    (display,) = read_page(page, Declared("abc", lambda _: False))
    assert len(display.relations) == 1


@pytest.mark.parametrize(
    "latex",
    [
        r"\begin{dmath} a = b \end{dmath}",
        r"\begin{dmath}[label={one}] a = b \end{dmath}",
        r"\begin{math} a = b \end{math}",
        r"\begin{eqnarray*} a & = & b \end{eqnarray*}",
        r"\begin{IEEEeqnarray*}{rCl} a & = & b \end{IEEEeqnarray*}",
        r"\begin{empheq}[left=\empheqlbrace]{align} a &= b \end{empheq}",
        r"\begin{empheq}{equation*} a = b \end{empheq}",
        r"\begin{empheq}[box=\fbox]{equation} a = b \end{empheq}",
        r"\begin{empheq}[box={\mybox[1pt]}]{alignat=2} a &= b \end{empheq}",
        r"\begin{subequations}\label{s}\begin{align} a &= b \label{t}\end{align}\end{subequations}",
        (
            "\\begin{IEEEeqnarray}{rCl}\\IEEEeqnarraymulticol{3}{l}{a}\\nonumber\\\\ &=& b"
            "\\end{IEEEeqnarray}"
        ),
    ],
)
def test_environments_of_common_packages_are_displays(latex: str) -> None:
    page = Page(latex, language="latex")
    (display,) = read_page(page, Declared("ab", lambda _: False))
    (relation,) = display.relations
    assert isinstance(relation, Relation)


# ---------------------------------------------------------------------- notebooks


def test_the_markdown_cells_of_a_notebook_are_checked(tmp_path: Path) -> None:
    page = write(tmp_path, "notes.ipynb", NOTEBOOK)
    document = write(tmp_path, "pendulum.md", f'+++\n{FRONT}page = "notes.ipynb"\n{SYMBOLS}+++\n')
    expected = {"(#1)": ("holds", "cell 3, line 2"), "(#2)": ("differs", "cell 4, line 4")}
    assert found(document) == expected
    assert found(page) == expected


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_a_notebook_may_begin_with_its_front_matter(tmp_path: Path, kind: str) -> None:
    data = json.loads(NOTEBOOK)
    data["cells"].insert(
        0, {"cell_type": kind, "metadata": {}, "source": f"+++\n{FRONT}{SYMBOLS}+++"}
    )
    page = write(tmp_path, "notes.ipynb", json.dumps(data))
    expected = {"(#1)": ("holds", "cell 4, line 2"), "(#2)": ("differs", "cell 5, line 4")}
    assert found(page) == expected


def test_formulas_that_code_has_put_out_are_equations_of_a_notebook(tmp_path: Path) -> None:
    rate = r"\frac{d}{d t} \operatorname{q_{1}}{\left(t \right)}"
    shown = (
        ("L = T - V\nL", rf"$\displaystyle \frac{{m \left({rate}\right)^{{2}}}}{{2}}$"),
        ("L.subs(m, 1)\nL", "$L$ is told once"),
        ("Eq(a, b)", r"$$F = m \frac{d^{2}}{d t^{2}} q_{1}{\left(t \right)}$$"),
        ("M", r"$\displaystyle m$"),
        ("frame", r"\begin{tabular}{l} a = b \end{tabular}"),
    )
    data = json.loads(notebook(*(("code", source) for source, _ in shown)))
    for cell, (_, latex) in zip(data["cells"], shown, strict=True):
        result = {"output_type": "execute_result", "data": {"text/latex": [latex]}}
        cell["outputs"] = [{"output_type": "stream", "text": ["$a = b$"]}, result]
    page = write(tmp_path, "notes.ipynb", json.dumps(data))
    (report,) = alone(page).documents
    told = {one.place: (one.status, one.reason) for one in report.equations}
    assert list(told) == ["output of cell 1, line 2", "output of cell 3, line 2"]
    assert told["output of cell 3, line 2"][0] == "consistent"  # with what L gives


def test_outputs_are_told_by_the_lines_that_show_them(tmp_path: Path) -> None:
    motion = r"$$m \frac{d^{2}}{d t^{2}} x{\left(t \right)} + k x{\left(t \right)}$$"
    energy = r"\begin{equation}- \frac{k x^{2}{\left(t \right)}}{2}\end{equation}"
    shown = (
        ("display(L)\nprint(1)", "display_data", energy),
        ("simplify(eq1)", "execute_result", motion),
        ("E1.args[0].simplify()", "execute_result", motion),
        ("a_x", "execute_result", motion),
        ("display(L)\ndisplay(eom)", "display_data", motion),
    )
    data = json.loads(notebook(*(("code", source) for source, *_ in shown)))
    for cell, (_, kind, latex) in zip(data["cells"], shown, strict=True):
        cell["outputs"] = [{"output_type": kind, "data": {"text/latex": latex}}]
    page = read_bare(write(tmp_path, "notes.ipynb", json.dumps(data)), "pendulum")
    assert [cell.name for cell in page.cells] == [f"output of cell {n}" for n in (1, 2, 3)]
    assert "L = - \\frac" in page.text
    assert page.text.count("= 0") == 2


def test_outputs_are_equations_without_what_sets_them_as_one(tmp_path: Path) -> None:
    data = json.loads(notebook(("code", "display(Latex(vlatex(e)))"), ("code", "display(table)")))
    outputs = r"m \ddot{x} + k x = 0", r"\begin{tabular}{l} a = b \end{tabular}"
    for cell, latex in zip(data["cells"], outputs, strict=True):
        cell["outputs"] = [{"output_type": "display_data", "data": {"text/latex": latex}}]
    data["cells"][0]["outputs"].append(
        {
            "output_type": "display_data",
            "data": {"text/latex": r"$\mathtt{\text{L}} = \frac{m \dot{x}^{2}}{2}$"},
        }
    )
    page = read_bare(write(tmp_path, "notes.ipynb", json.dumps(data)), "pendulum")
    assert r"m \ddot{x} + k x = 0" in page.text
    assert r"L = \frac{m \dot{x}^{2}}{2}" in page.text
    assert "tabular" not in page.text


def test_a_notebook_may_hold_large_pictures(tmp_path: Path) -> None:
    data = json.loads(NOTEBOOK)
    data["cells"][1]["outputs"] = [{"data": {"image/png": "A" * 2_000_000}}]
    page = write(tmp_path, "notes.ipynb", json.dumps(data))
    assert len(read_bare(page, "pendulum").cells) == 3


def test_a_notebook_of_format_3_is_read(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "source": ["Motion"]},
        {"cell_type": "markdown", "source": ["$$ a = b $$\n", "and"]},
        {"cell_type": "code", "input": "c", "outputs": [{"latex": ["$$c = d$$"]}]},
        3,
    ]
    data = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}
    page = read_bare(write(tmp_path, "notes.ipynb", json.dumps(data)), "pendulum")
    assert [cell.name for cell in page.cells] == ["cell 1", "cell 2", "output of cell 3"]
    assert page.text.startswith("# Motion")
    assert "c = d" in page.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NOTEBOOK[:100], "not a notebook: no JSON: "),
        ("[" * 100_000, "not a notebook: no JSON: "),
        ("[]", "expected a notebook of format 4, found none"),
        ('{"nbformat": 2, "worksheets": []}', "expected a notebook of format 4, found format 2"),
        (
            '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": [3]}]}',
            "cell 1: expected text as its source",
        ),
    ],
)
def test_what_is_no_notebook_is_told(tmp_path: Path, text: str, expected: str) -> None:
    page = write(tmp_path, "notes.ipynb", text)
    (message,) = told(page)
    assert message.startswith(expected)


# ---------------------------------------------------------------------- where a page is


def test_a_page_without_front_matter_says_what_to_do(tmp_path: Path) -> None:
    (message,) = told(write(tmp_path, "lecture.tex", LECTURE))
    assert "two lines of '% +++' at the top" in message
    assert "page = 'lecture.tex'" in message
    assert "'freebody adopt lecture.tex --model MODEL'" in message


def test_two_documents_of_one_page_are_told(tmp_path: Path) -> None:
    page = write(tmp_path, "lecture.tex", LECTURE)
    for name in ("a.md", "b.md"):
        write(tmp_path, name, f'+++\n{FRONT}page = "lecture.tex"\n+++\n')
    assert told(page) == ["expected one document that names it as its page, found a.md, b.md"]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("lectrue.tex", "no file 'lectrue.tex' beside the document; did you mean 'lecture.tex'?"),
        ("lecture.pdf", "expected a .tex, .ipynb"),
        ("../lecture.tex", "expected a file in the folder of the document or below, found"),
        ("/etc/lecture.tex", "expected a file in the folder of the document or below, found"),
        ("own.tex", "'own.tex' has front matter of its own"),
    ],
)
def test_a_page_that_cannot_be_had_is_told(tmp_path: Path, page: str, expected: str) -> None:
    write(tmp_path, "lecture.tex", LECTURE)
    write(tmp_path, "own.tex", '% +++\n% title = "x"\n% +++\n')
    document = write(tmp_path, "page.md", f"+++\n{FRONT}page = '{page}'\n+++\n")
    (message,) = told(document)
    assert message.startswith(f"page: {expected}")


def test_a_document_of_a_page_that_is_wrong_is_told(tmp_path: Path) -> None:
    page = write(tmp_path, "lecture.tex", LECTURE)
    write(tmp_path, "page.md", "+++\npage = 'lecture.tex'\ntitle = = 3\n+++\n")
    (message,) = told(page)
    assert message.startswith("front matter: not TOML")


def test_equations_below_the_front_matter_of_another_page_are_told(tmp_path: Path) -> None:
    write(tmp_path, "lecture.tex", LECTURE)
    document = write(tmp_path, "page.md", f"+++\n{FRONT}page = 'lecture.tex'\n+++\n$$x = y$$\n")
    assert told(document) == [
        "page: two sources of equations: 'lecture.tex', and the equations below the front matter"
    ]
    document.write_text(f"+++\n{FRONT}page = 'lecture.tex'\n{SYMBOLS}+++\nWords about $x$.\n")
    assert found(document) == LECTURED


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("page.tex", b"\xff\xfe\x00binary"),
        ("page.md", b"\xff\xfe\x00binary"),
        ("page.ipynb", b"caf\xe9 = x"),
    ],
)
def test_what_is_no_text_is_told(tmp_path: Path, name: str, data: bytes) -> None:
    page = tmp_path / name
    page.write_bytes(data)
    (message,) = told(page)
    assert message.startswith("not UTF-8 text")


WORDS = {
    "latin-1": "Die Masse des Körpers über der Höhe ist so groß wie früher.",
    "cp1251": "Уравнения движения маятника, где даны масса тела и длина нити.",
    "gbk": "其中为摆杆质量，为摆杆长度，系统的运动方程如下。",
    "shift_jis": "振り子の運動方程式は次のようになる。長さと質量である。",
}


@pytest.mark.parametrize(("encoding", "words"), WORDS.items())
def test_pages_in_older_encodings_are_read_and_it_is_told(
    tmp_path: Path, encoding: str, words: str
) -> None:
    page = tmp_path / "page.tex"
    page.write_bytes(f"{words} $m$\n\\[m\\ddot x = -k x\\]\n".encode(encoding))
    with pytest.warns(PageWarning, match="not UTF-8 text, read as"):
        assert read_bare(page, "none").text.startswith(words)


def test_the_encoding_that_a_page_declares_counts(tmp_path: Path) -> None:
    page = tmp_path / "page.tex"
    declared = "\\usepackage[latin2]{inputenc} Długość wahadła"
    page.write_bytes(declared.encode("latin2"))
    with pytest.warns(PageWarning, match="read as latin2"):
        assert read_bare(page, "none").text == declared


@pytest.mark.parametrize("name", ["no.tex", "no.ipynb", "no.md"])
def test_a_file_that_is_not_there_is_told(tmp_path: Path, name: str) -> None:
    assert told(tmp_path / name) == ["cannot be read: No such file or directory"]


def test_pages_with_front_matter_belong_to_the_model_beside_them(tmp_path: Path) -> None:
    write(tmp_path, "a.md", f"+++\n{FRONT}+++\n")
    write(tmp_path, "b.tex", f"% +++\n% title = 'x'\n% model = 'pendulum'\n% +++\n{LECTURE}")
    write(tmp_path, "c.ipynb", notebook(("raw", f"+++\n{FRONT}+++")))
    write(tmp_path, "d.tex", LECTURE)
    write(tmp_path, "e.ipynb", NOTEBOOK[:50])
    assert [one.name for one in documents_of(tmp_path / "model.toml")] == ["a", "b", "c"]


def test_front_matter_of_other_programs_stops_no_check(tmp_path: Path) -> None:
    shutil.copy(shipped()["pendulum"] / "model.toml", tmp_path)
    write(tmp_path, "a.md", f"+++\n{FRONT}{SYMBOLS}+++\n$$x = d\\sin\\theta$$\n")
    blog = write(tmp_path, "blog.md", "+++\ndate = 2026-01-01\ndraft = true\n+++\n$$a = b$$\n")
    shown = CliRunner().invoke(main, ["check", str(tmp_path / "model.toml")])
    assert shown.exit_code == 0
    assert f"passed over {blog}" in shown.stderr
    write(tmp_path, "broken.md", "+++\nmodel =\n+++\n")
    with pytest.raises(DocumentError, match="broken"):
        documents_of(tmp_path / "model.toml")


# ---------------------------------------------------------------------- macros


def latex_of(definitions: str, latex: str) -> list[str]:
    """Return the messages, or the names that are read, of an equation with macros."""
    declared = Declared(["a", "b", r"\theta_1", r"\mathbf{r}", "x_{ext}"], lambda _: False)
    relations = [
        relation
        for display in read_page(f"{definitions}\n\n$${latex}$$\n", declared)
        for relation in display.relations
    ]
    return [one.latex if isinstance(one, Relation) else one.message for one in relations]


@pytest.mark.parametrize(
    ("definitions", "latex"),
    [
        (r"\newcommand{\q}{\theta_1}", r"a\q^2 = \dot\q b\q"),
        (r"\newcommand\q{\theta_1}", r"a \q = b"),
        (r"\newcommand{\vect}[1]{\mathbf{#1}}", r"\vect r = \vect{r}"),
        (r"\newcommand{\s}[2][a]{\frac{#1}{#2}}", r"\s{b} = \s[b]{a} + \s b"),
        (r"\renewcommand{\b}{b}", r"a = \b"),
        (r"\providecommand{\q}{\theta_1}", r"a = \q"),
        (r"\newcommand{\q}{a}\providecommand{\q}{zz}", r"a = \q"),
        (r"\def\q{\theta_1}", r"\frac\q2 = \frac1\q"),
        (r"\def\quot#1#2{\frac{#1}{#2}}", r"\quot ab = \quot{a}{b}"),
        (r"\let\q\theta", r"\q_1 = a"),
        (r"\let\old\mathbf \renewcommand{\mathbf}[1]{\old{#1}}", r"\mathbf{r} = a"),
        (r"\newcommand{\two}{\one}\newcommand{\one}[1]{a #1}", r"\two{b} = a"),
        (r"\newcommand{\ext}{_{\text{ext}}}", r"x\ext = a"),
        (r"\newcommand{\lab}[1]{_{\mathrm{#1}}}", r"x\lab{ext} = a"),
        (r"\DeclarePairedDelimiter{\paren}{(}{)}", r"a\paren{b} = b\paren*{a}"),
        (r"\newcommand{\eq}{=}", r"a \eq b"),
        (r"\newcommand{\q}{% a comment" + "\n" + r"\theta_1}", r"\q = a"),
        (r"$\newcommand{\q}{\theta_1}$ and", r"\q = a"),
        ("", r"\newcommand{\q}{\theta_1} \q = a"),
        (r"\newcommand{\why}{because of \eqref{one}}", r"a = b \quad \text{see \ref{two}}"),
    ],
)
def test_macros_of_the_page_are_expanded(definitions: str, latex: str) -> None:
    (found,) = latex_of(definitions, latex)
    assert "=" in found or "\\eq" in found
    assert "declared" not in found
    assert "expected" not in found


def test_a_macro_counts_from_its_definition_on() -> None:
    page = r"$$\q = a$$ \newcommand{\q}{a} $$\q = b$$ \renewcommand{\q}{c} $$\q = a$$"
    declared = Declared("ab", lambda _: False)
    found = [one for display in read_page(page, declared) for one in display.relations]
    assert [isinstance(one, Relation) for one in found] == [False, True, False]
    assert [one.label for one in found] == ["(#1)", "(#2)", "(#3)"]


@pytest.mark.parametrize(
    ("page", "labels"),
    [
        (r"\def\be{\begin{equation}} \def\ee{\end{equation}} \be a = b \ee", ["(#1)"]),
        (
            (
                r"\newcommand{\bal}{\begin{align}}\newcommand{\eal}{\end{align}}"
                r" \bal a &= b \tag{1} \\ b &= a \tag{2} \eal"
            ),
            ["(1)", "(2)"],
        ),
        (r"\def\[#1{x}\def\bd{\[}\def\ed{\]} \bd a = b \ed", ["(#1)"]),
        (
            r"\newenvironment{eqn}{\begin{equation}}{\end{equation}} \begin{eqn}a=b\end{eqn}",
            ["(#1)"],
        ),
        (r"\newcommand{\eqn}[1]{\begin{equation}#1\end{equation}} \eqn{a = b} \eqn{b = a}", None),
        (r"\newcommand{\eqn}[1]{\[ #1 \]} \eqn{a = b} \eqn{b = a}", None),
        (r"$$\def\q{a}$$ $$ \q = b $$", ["(#1)"]),
    ],
)
def test_displays_by_short_names_of_the_page(page: str, labels: list[str] | None) -> None:
    declared = Declared("ab", lambda _: False)
    found = [one for display in read_page(page, declared) for one in display.relations]
    assert all(isinstance(one, Relation) for one in found), found
    assert [one.label for one in found] == (labels or ["(#1)", "(#2)"])


@pytest.mark.parametrize(
    ("definitions", "latex", "expected"),
    [
        (r"\def\q{a\q}", r"a = \q", "macros that call each other more than 40 deep"),
        (r"\def\q{\q\q}", r"a = \q", "macros that expand to more than 20000 characters"),
        (r"\newcommand{\q}[2]{#1#2}", r"a = \q{b}", r"'\q' lacks an argument"),
        (r"\def\q(#1){a}", r"a = \q(b)", r"the arguments of '\q' end in a way of its own"),
    ],
)
def test_macros_that_cannot_be_expanded_are_told(
    definitions: str, latex: str, expected: str
) -> None:
    (found,) = latex_of(definitions, latex)
    assert found.startswith(expected)


@pytest.mark.exhaustive
def test_macros_cannot_hang_the_program() -> None:
    laughs = "".join(rf"\def\q{chr(98 + i)}{{\q{chr(97 + i)}\q{chr(97 + i)}}}" for i in range(25))
    page = rf"\def\qa{{a}}{laughs}" + "\n\n$$a = \\qz$$" * 5_000
    begin = time.process_time()
    read_page(page, Declared("ab", lambda _: False))
    assert time.process_time() - begin < 8  # without a bound it takes minutes


def test_symbols_may_be_declared_with_the_macros_of_the_page(tmp_path: Path) -> None:
    symbols = SYMBOLS.replace(r"'\theta'", r"'\ang'").replace("'x'", r"'\pos_x'")
    macros = "\\newcommand{\\ang}{\\theta}\n\\newcommand{\\pos}{\\mathbf{p}}\n\n"
    body = macros + r"$$\pos_x = d\sin\theta$$"
    page = write(tmp_path, "page.md", f"+++\n{FRONT}{symbols}+++\n{body}\n")
    assert [one.status for one in checked(page).equations] == ["holds"]


# ---------------------------------------------------------------------- running text

TEXT = r"""
It costs $5 and not 6$, where $x = d\sin\theta$ and \(y = d\cos\theta\) are the ends.

$$ x = d \sin\theta \tag{1} $$
for all $\theta > 0$, $i = 1, 2$ and \$3 = $4, so that $ y = -d
\cos\theta $ of course, `$a = b$` and an odd $ = sign.
"""


@pytest.mark.parametrize("front", ["", "inline = false\n"])
def test_running_text_is_left_alone(tmp_path: Path, front: str) -> None:
    page = write(tmp_path, "page.md", f"+++\n{FRONT}{front}{SYMBOLS}+++\n{TEXT}")
    assert list(found(page)) == ["(1)"]


def test_equations_in_running_text_are_checked_where_that_is_asked(tmp_path: Path) -> None:
    page = write(tmp_path, "page.md", f"+++\n{FRONT}inline = true\n{SYMBOLS}+++\n{TEXT}")
    assert found(page) == {
        "(line 16.1)": ("holds", "line 16"),
        "(line 16.2)": ("differs", "line 16"),
        "(1)": ("holds", "line 18"),
        "(line 19.2)": ("holds", "line 19"),
    }


@pytest.mark.parametrize(
    ("latex", "status"),
    [
        (r"\ddot\theta = 0", "not checked"),
        (r"\tau = m g d", "not checked"),
        (r"\theta = \tau", "not checked"),
        (r"\dot\theta = \ddot\theta", "differs"),
        ("x = d", "differs"),
        (r"\theta = x", "differs"),
        ("I = 0", "differs"),
    ],
)
def test_conditions_in_running_text_are_no_mistakes(
    tmp_path: Path, latex: str, status: str
) -> None:
    front = f"+++\n{FRONT}inline = true\n{SYMBOLS}+++\n"
    page = write(tmp_path, "page.md", f"{front}\nFor ${latex}$ it is\n\n$${latex}$$\n")
    inline, displayed = found(page).values()
    assert inline[0] == status
    assert displayed[0] == "differs"


def test_running_text_may_speak_of_all_indices(tmp_path: Path) -> None:
    names = (
        "'s_1' = 'sin(alpha1)'", "'s_2' = 'cos(alpha2)'", "'s_{12}' = 'sin(alpha1 + alpha2)'",
        "'q_1' = 'alpha1'", "'q_2' = 'alpha2'", "'m_1' = 'm1'", "'m_2' = 'm2'", "'m' = 'm1'",
    )  # fmt: skip
    front = "\n".join(["+++", 'title = "a"', 'model = "two_link"', "inline = true", "[symbols]"])
    text = r"With $s_i = \sin q_i$, $s_{ij} = \sin(q_i + q_j)$ and $m = m_i q_i$."
    page = write(tmp_path, "page.md", "\n".join([front, *names, "+++", text]))
    assert {label: status for label, (status, _) in found(page).items()} == {
        "(line 15.1, i=1)": "holds",
        "(line 15.1, i=2)": "differs",
        "(line 15.2, i=1, j=2)": "holds",
        "(line 15.3)": "unreadable",
    }


def test_equations_in_the_text_of_a_notebook_say_their_cell(tmp_path: Path) -> None:
    front = f"+++\n{FRONT}inline = true\n{SYMBOLS}+++\n"
    page = write(tmp_path, "n.ipynb", notebook(("raw", front), ("markdown", r"A\n\n$x = d$ m")))
    assert list(found(page)) == ["(cell 2, line 1)"]


def test_running_text_of_latex_needs_no_rules_for_money(tmp_path: Path) -> None:
    page = Page("costs \\$5, for $ a = b$1 and\n\n$unmatched\n\n$b = a$", 0, "latex", inline=True)
    found = read_page(page, Declared("ab", lambda _: False))
    assert [display.label for display in found] == ["(line 1)", "(line 5)"]


# ---------------------------------------------------------------------- sections

SECTIONS = r"""
[[sections]]
heading = "Two bars"
model = "double_pendulum"
[sections.symbols]
'\theta' = "theta1"
'x' = "l1*sin(theta1)"
'd' = "l1"
'm_2' = "m2"

[[sections]]
heading = "Upside down"
[sections.symbols]
'\theta' = "theta + pi"
"""
SECTIONED = r"""
#

# One bar

$$ x = d \sin\theta $$

## 2. Two *bars*

$$ x = d \sin\theta $$
$$ m_2 = m $$

# Upside down

$$ x = d \sin\theta $$
$$ x = -d \sin\theta $$
"""


def test_sections_have_models_and_symbols_of_their_own(tmp_path: Path) -> None:
    page = write(tmp_path, "page.md", f"+++\n{FRONT}{SYMBOLS}{SECTIONS}+++\n{SECTIONED}")
    report = checked(page)
    assert [(one.label, one.status) for one in report.equations] == [
        ("(#1)", "holds"),
        ("(#2)", "holds"),
        ("(#3)", "unreadable"),
        ("(#4)", "differs"),
        ("(#5)", "holds"),
    ]
    (symbol,) = report.undeclared
    assert (symbol.symbol, symbol.count) == ("m", 1)


def test_sections_of_a_latex_file(tmp_path: Path) -> None:
    text = SECTIONED.replace("## 2. Two *bars*", "\\subsection[2]{Two\n bars\\label{sec}}")
    text = text.replace("# Upside down", r"\chapter*{Upside down}")
    write(tmp_path, "page.tex", text)
    page = write(tmp_path, "a.md", f"+++\n{FRONT}page='page.tex'\n{SYMBOLS}{SECTIONS}+++\n")
    statuses = [one.status for one in checked(page).equations]
    assert statuses == ["holds", "holds", "unreadable", "differs", "holds"]


def test_what_is_recorded_belongs_to_its_section(tmp_path: Path) -> None:
    erratum = "[[errata]]\nin = ['(#4)']\nterm = 'd*sin(theta)'\nnote = 'n'\n"
    page = write(tmp_path, "page.md", f"+++\n{FRONT}{SYMBOLS}{SECTIONS}{erratum}+++\n{SECTIONED}")
    fourth = checked(page).equations[3]
    assert (fourth.recorded, fourth.surprise) == (True, "")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            ("Upside down", "Upsde down"),
            ["sections[1].heading: no heading 'Upsde down'; did you mean 'Upside down'?"],
        ),
        (
            ('"double_pendulum"', '"duble_pendulum"'),
            [
                (
                    "sections[0].model: no model 'duble_pendulum' beside the document or among the "
                    "shipped ones; did you mean 'double_pendulum'?"
                )
            ],
        ),
        (('"m2"', '"m3"'), ["sections[0].symbols.m_2: column 1: no quantity 'm3'"]),
        (("heading = ", "haeding = "), ["sections[0].heading: is missing"]),
    ],
)
def test_what_is_wrong_with_a_section_is_told(
    tmp_path: Path, change: tuple[str, str], expected: list[str]
) -> None:
    sections = SECTIONS.replace(*change)
    page = write(tmp_path, "page.md", f"+++\n{FRONT}{SYMBOLS}{sections}+++\n{SECTIONED}")
    messages = told(page)
    assert len(messages) >= len(expected)
    for message, start in zip(messages, expected, strict=False):
        assert message.startswith(start)


# ---------------------------------------------------------------------- undeclared symbols


def test_symbols_that_are_not_declared_are_told_once_each(tmp_path: Path) -> None:
    body = "$$ x = m_1 q $$\n$$ x = y $$\n$$ q = d $$\n$$ q = \\tau_{12} $$\n"
    page = write(tmp_path, "page.md", f"+++\n{FRONT}{SYMBOLS}'\\tau_{{13}}' = 'T'\n+++\n{body}")
    report = checked(page)
    assert [(one.symbol, one.place, one.count, one.nearest) for one in report.undeclared] == [
        ("m_{1}", "line 15", 1, ""),
        (r"\tau_{12}", "line 18", 1, r"\tau_{13}"),
    ]
    assert report.as_json()["undeclared"][0] == {
        "symbol": "m_{1}",
        "place": "line 15",
        "count": 1,
        "nearest": "",
    }


# ---------------------------------------------------------------------- grading

RIGHT = "$$ x = d\\sin\\theta \\tag{1} $$\n"
WRONG = "$$ y = d\\cos\\theta \\tag{2} $$\n"


@pytest.mark.parametrize(
    ("body", "code"),
    [(RIGHT, 0), (RIGHT + WRONG, 1), (RIGHT + WRONG + "$$ zz = y $$\n", 2)],
)
def test_a_page_is_graded_against_a_document(tmp_path: Path, body: str, code: int) -> None:
    document = write(tmp_path, "right.md", f"+++\n{FRONT}{SYMBOLS}+++\n")
    page = write(tmp_path, "student.md", body)
    report = freebody.check(page, against=document)
    assert report.graded
    assert report.as_json()["graded"] is True
    assert report.exit_code == code
    assert report.documents[0].document == "student"
    assert all(not one.surprise for one in report.documents[0].equations if one.status == "differs")


def test_what_a_graded_page_records_is_left_aside(tmp_path: Path) -> None:
    document = write(tmp_path, "right.md", f"+++\n{FRONT}{SYMBOLS}+++\n")
    recorded = "[[errata]]\nin = ['(2)']\nterm = 'd*cos(theta)'\nnote = 'n'\n"
    own = "[symbols]\n'y' = \"-position.link.y\"\n"
    page = write(tmp_path, "student.md", f"+++\n{own}{recorded}+++\n{RIGHT}{WRONG}")
    report = freebody.check(page, against=document)
    assert [one.status for one in report.documents[0].equations] == ["holds", "holds"]
    page.write_text(f"+++\n{recorded}+++\n{RIGHT}{WRONG}")
    assert freebody.check(page, against=document).exit_code == 1


@pytest.mark.parametrize("against", ["pendulum", "right.md"])
def test_what_a_graded_page_assumes_and_says_of_its_equations_is_taken(
    tmp_path: Path, against: str
) -> None:
    write(tmp_path, "right.md", f"+++\n{FRONT}{SYMBOLS}+++\n")
    own = "[[assume]]\ngiven = { T = 0 }\n[[equations]]\nin = ['(3)']\nof = 'theta'\n"
    motion = "$$ (I + m d^2)\\ddot\\theta + m g d\\sin\\theta = 0 \\tag{3} $$\n"
    page = write(tmp_path, "student.md", f"+++\n{own}+++\n{RIGHT}{motion}")
    reference = tmp_path / against
    report = freebody.check(page, against=reference if reference.exists() else against)
    (equation,) = report.documents[0].equations[1:]
    assert equation.status == "holds"
    assert "T = 0 is given" in equation.readings


@pytest.mark.parametrize(("name", "text"), [("s.tex", LECTURE), ("s.ipynb", NOTEBOOK)])
def test_files_of_all_kinds_are_graded(tmp_path: Path, name: str, text: str) -> None:
    document = write(tmp_path, "right.md", f"+++\n{FRONT}{SYMBOLS}+++\n")
    report = freebody.check(write(tmp_path, name, text), against=document)
    assert report.exit_code == 1
    assert {one.status for one in report.documents[0].equations} == {"holds", "differs"}


def test_a_page_that_declares_its_symbols_is_graded_against_a_model(tmp_path: Path) -> None:
    page = write(tmp_path, "student.md", f"+++\n{SYMBOLS}+++\n{RIGHT}{WRONG}")
    report = freebody.check(page, against="pendulum")
    assert [one.status for one in report.documents[0].equations] == ["holds", "differs"]
    with pytest.raises(DocumentError, match="to grade, found a model"):
        freebody.check("pendulum", against="pendulum")
    with pytest.raises(DocumentError, match="expected pages to hold against it, found none"):
        freebody.check(against="pendulum")


def test_a_bare_page_is_read_as_it_is(tmp_path: Path) -> None:
    page = read_bare(write(tmp_path, "bare.md", RIGHT), "pendulum")
    assert (page.name, page.front.title, page.front.model) == ("bare", "bare", "pendulum")
    with pytest.raises(DocumentError, match="expected TOML front matter"):
        read_document(page.path)


def test_against_a_model_alone_symbols_have_the_meaning_that_is_sure(tmp_path: Path) -> None:
    body = (
        "$$ (I + m d^2)\\ddot\\theta = T - m g d\\sin\\theta $$\n"
        "$$ x = d\\sin\\theta $$\n$$ \\dot x = d\\dot\\theta\\cos\\theta $$\n"
        "$$ y = -d\\cos\\theta $$\n$$ \\dot y = d\\dot\\theta\\sin\\theta $$\n$$ Z = 3 $$\n"
    )
    report = freebody.check(write(tmp_path, "bare.md", body), against="pendulum")
    statuses = [one.status for one in report.documents[0].equations]
    assert statuses[0] == "holds"
    assert statuses[-1] == "unreadable"
    assert "Z" in [one.symbol for one in report.documents[0].undeclared]


def test_an_indented_block_that_text_follows_at_once_is_read(tmp_path: Path) -> None:
    """It is no block of Markdown, and there are many ways to find that out."""
    lines = "".join(f"    step {n} of the program that is listed here\n" for n in range(60))
    page = tmp_path / "page.md"
    page.write_text(f"Listed:\n\n{lines}and so on.\n\n$$x = 2y$$\n", encoding="utf-8")
    assert len(alone(page).documents[0].equations) == 1
