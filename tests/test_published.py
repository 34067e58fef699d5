r"""Pages as they are published: reStructuredText, HTML, Quarto, chats, LaTeX over several files."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.checking.guesses.symbols import read
from freebody.consistency.letters import Names
from freebody.documents import read_bare
from freebody.documents.latex import Relation
from freebody.documents.latex.layout.displays import read_page
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.restructured import padded
from freebody.documents.latex.tree import show
from freebody.errors import DocumentError

PRINTED = r"\ddot\theta = -\frac{g}{l}\sin\theta"
MATHML = (
    "<math{}><semantics><mrow><mi>a</mi><mo>=</mo><mi>b</mi></mrow>"
    '<annotation encoding="application/x-tex">{}</annotation></semantics></math>'
)
RST = {
    "directive": ".. math::\n\n   {}\n",
    "directive on one line": ".. math:: {}\n",
    "directive at the end": "Text\n\n.. math::\n   {}",
    "directive with a label behind it": ".. math:: {}\n   :label: one\n",
    "directive with a label": ".. math::\n   :label: one\n\n   {}\n",
    "environment": ".. math::\n   :nowrap:\n\n"
    "   \\begin{{equation}}\n   {}\n   \\end{{equation}}\n",
    "in a note": ".. note::\n\n   Words.\n\n   .. math:: {}\n",
    "in a directive of another's": ".. dropdown:: More\n   :open:\n\n   .. math::\n\n      {}\n",
    "in an item": "- item\n\n  .. math:: {}\n",
    "raw": ".. raw:: latex\n\n   \\[ {} \\]\n",
    "windows": ".. math::\r\n\r\n   {}\r\n\r\nText\r\n",
    "title": "Title\n-----\n\n.. math:: {}\n\nMore\n~~~~\n",
}
HTML = {
    "brackets": r"<p>So \[{}\] holds.</p>",
    "dollars": "<p>$${}$$</p>",
    "broken": "<p>$$<br>{}<br/>$$</p>",
    "script": '<script type="math/tex; mode=display">{}</script>',
    "environment": r"<div>\begin{{align}}{}\end{{align}}</div>",
    "of katex": '<span class="katex-display"><span class="katex"><span class="katex-mathml">'
    + MATHML.format("", "{}")
    + '</span><span class="katex-html" aria-hidden="true">a = b</span></span></span>',
    "of an encyclopedia": "<dl><dd><span>"
    + MATHML.format("", r"{{\displaystyle {}}}")
    + '<img src="x" class="mwe-math-fallback-image-inline" alt="{{\\displaystyle {}}}"></span>.'
    "</dd></dl>",
    "block of mathml": MATHML.format(' display="block"', "{}"),
    "of pandoc": '<p>So <span class="math display">{}</span></p>',
    "of pandoc with marks": r'<p>So <span class="math display">\[{}\]</span></p>',
    "of sphinx": '<div class="math notranslate">\n\\[{}\\]</div>',
    "picture": '<p><img src="http://x" class="latex" alt="{}" /></p>',
    "unclosed": r"<p>\[{}\]<p>and <a href=",
}
MARKDOWN = {
    "chat": "Sure!\n\n[\n{}\n]\n",
    "indented chat": "1. Sure!\n\n   [\n   {}\n   ]\n",
    "brackets": "\\[\n{}\n\\]",
    "label of Quarto": "$$ {} $$ {{#eq-one}}",
}


def equations(text: str, language: str, *, inline: bool = False) -> list[str]:
    """Return the equations of a page, as they are printed in the file."""
    text = padded(text) if language == "rst" else text
    found = read(Page(text, 0, language, inline=inline))  # type: ignore[arg-type]
    assert not found.unreadable
    return [one.relation.latex for one in found.equations]


CASES = [
    *(("rst", name, form) for name, form in RST.items()),
    *(("html", name, form) for name, form in HTML.items()),
    *(("markdown", name, form) for name, form in MARKDOWN.items()),
]
ENDINGS = {"rst": ".rst", "html": ".html", "markdown": ".txt"}


@pytest.mark.parametrize(("language", "name", "form"), CASES, ids=lambda one: one[:30])
def test_an_equation_is_read_in_each_container_at_its_place(
    tmp_path: Path, language: str, name: str, form: str
) -> None:
    path = tmp_path / f"page{ENDINGS[language]}"
    path.write_bytes(form.replace("{}", "{0}").format(PRINTED).encode())
    page = read_bare(path, "pendulum").page
    (one,) = read(page).equations
    assert one.relation.latex == PRINTED
    line = path.read_text().splitlines()[one.relation.line - 1]
    assert line.startswith(PRINTED, one.relation.column - 1)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("rst", "We have :math:`a = b` here."),
        ("rst", ".. default-role:: math\n\nWe have `a = b` and ``c = d`` here."),
        ("html", r"<p>We have \(a = b\) here.</p>"),
        ("html", '<p>We have <script type="math/tex">a = b</script> here.</p>'),
        ("html", f"<p>We have {MATHML.format('', 'a = b')} here.</p>"),
        ("html", '<p>We have <span class="math inline">a = b</span> here.</p>'),
        ("html", '<p>We have <img class="tex" alt="a = b"> here.</p>'),
    ],
)
def test_a_formula_in_running_text_is_read_where_that_is_asked(language: str, text: str) -> None:
    assert equations(text, language, inline=True) == ["a = b"]
    assert equations(text, language) == []


@pytest.mark.parametrize("name", ["math-display", "katex-src", "tex", "equation"])
def test_latex_in_an_element_that_a_script_shows_is_a_display(name: str) -> None:
    latex = r"\dot a = \begin{bmatrix} b &amp; c \end{bmatrix}"
    assert len(equations(f'<p>So</p><div class="{name}">{latex}</div>', "html")) == 1
    assert equations(f'<p>So</p><div class="{name}">an equation = none</div>', "html") == []


def test_equations_between_empty_lines_of_a_directive_are_several() -> None:
    assert equations(".. math::\n\n   a = b\n\n   c = d\n\nText", "rst") == ["a = b", "c = d"]


def test_a_number_before_a_display_is_its_label() -> None:
    page = Page(r'<div><span class="eqno">(3)<a>#</a></span>\[a = b\]</div>', 0, "html")
    assert [one.label for one in read(page).equations] == ["(3)"]


def test_macros_of_a_script_are_those_of_the_page() -> None:
    script = """<head><script>
    window.MathJax = {
      tex: { macros: { ang: "\\\\theta", "rate": ['\\\\dot{#1}', 1], RR: "{\\\\bf R}" } }
    };</script></head>"""
    page = Page(rf"{script}<p>\[\rate\ang = 2\]</p>", 0, "html")
    assert [one.key for one in read(page).symbols] == [r"\theta"]


CODE = r"$$ \alpha = \beta $$"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("rst", f".. code-block:: latex\n\n   {CODE}\n"),
        ("rst", f"So::\n\n   {CODE}\n"),
        ("html", f"<pre>{CODE}</pre>"),
        ("html", "<p><math><mi>a</mi><mo>=</mo><mi>b</mi></math></p>"),
        ("html", "<mjx-container><svg></svg>a=b</mjx-container>"),
    ],
)
def test_what_is_not_read_is_told(language: str, text: str) -> None:
    page = Page(text, 0, language)  # type: ignore[arg-type]
    assert read(page).equations == ()
    assert len(page.passed) == 1


@pytest.mark.parametrize("text", [".. a = b\n   c = d\n", '<script>x = "\\\\[a = b\\\\]"</script>'])
def test_comments_and_scripts_are_nothing(text: str) -> None:
    page = Page(text, 0, "rst" if text.startswith(".") else "html")
    assert read(page).equations == page.passed == ()


HOSTILE = {
    "html": ["<", "<a ", "<!--", "<div>", "<math>", "<script>", "<a b='", "&", "<img alt='"],
    "rst": [".. math::\n\n", ".. ", ":math:`", "  ", "::\n", ".. math:: a=b\n"],
    "markdown": ["[\n", "[\n\\alpha = \n"],
}


@pytest.mark.parametrize(
    ("language", "bomb"), [(one, bomb) for one, bombs in HOSTILE.items() for bomb in bombs]
)
def test_a_hostile_page_keeps_its_length(language: str, bomb: str) -> None:
    text = bomb * 3000
    page = Page(text, 0, language)  # type: ignore[arg-type]
    assert len(page.readable) == len(text)


# ---------------------------------------------------------------------- several files

MAIN = r"""\documentclass{article}
\usepackage{amsmath,own}
\input{macros}
\begin{document}
\begin{equation} a = b \end{equation}
% \input{parts/commented}
\input{parts/one} \include{parts/two}
\begin{equation} e = f \end{equation}
\input{../secret}
\end{document}
"""


def folder(root: Path) -> Path:
    """Write a page over several files."""
    inside = root / "inside"
    (inside / "parts").mkdir(parents=True)
    (root / "secret.tex").write_text(r"\[ s = s \]")
    (inside / "main.tex").write_text(MAIN)
    (inside / "own.sty").write_text(r"\newcommand{\own}{\alpha}")
    (inside / "macros.tex").write_text(r"\newcommand{\ten}{\beta}")
    (inside / "parts" / "commented.tex").write_text(r"\[ x = y \]")
    (inside / "parts" / "one.tex").write_text("Words.\n\\[ \\own = \\ten \\]\n\\input{parts/one}\n")
    whole = "\\documentclass{x}\n\\begin{document}\n\\[ c = d \\]\n\\end{document}\n"
    (inside / "parts" / "two.tex").write_text(whole)
    return inside / "main.tex"


def test_files_that_a_page_names_are_read_in_their_places(tmp_path: Path) -> None:
    page = read_bare(folder(tmp_path), "pendulum").page
    found = [(page.place(one.relation.line), one.relation.latex) for one in read(page).equations]
    assert found == [
        ("line 5", "a = b"),
        ("parts/one.tex, line 2", r"\own = \ten"),
        ("parts/two.tex, line 3", "c = d"),
        ("line 8", "e = f"),
    ]
    assert read(page).symbols[2].key == r"\alpha"
    told = [*page.remarks()]
    assert [one.partition("'")[0] for one in told] == ["parts/one.tex, line 3: ", "line 9: "]
    assert all("is not followed" in one for one in told)


def test_a_part_has_the_macros_that_other_files_of_its_folder_define(tmp_path: Path) -> None:
    part = tmp_path / "part.tex"
    part.write_text("\\[ \\ang = \\own \\]\n\\[ \\two = 1 \\]\n")
    (tmp_path / "inc").mkdir()
    defined = r"\newcommand{\greek}{\beta} \newcommand{\ang}{\greek_1} \def\own{\chi} \def\two{u}"
    (tmp_path / "inc" / "macros.tex").write_text(defined)
    (tmp_path / "other.tex").write_text(r"\def\two{v} % für", encoding="latin-1")
    (first,) = read(read_bare(part, "pendulum").page).equations
    assert first.keys == (r"\beta_1", r"\chi")
    (found,) = freebody.alone(part).documents
    assert any(one.endswith(r": \ang, \greek, \own") for one in found.remarks)
    assert any(one.endswith(r"by their names: \two") for one in found.remarks)
    part.write_text("\\documentclass{article}" + part.read_text())
    (whole,) = freebody.alone(part).documents
    assert any(one.endswith(r"by their names: \ang, \own, \two") for one in whole.remarks)


def test_a_file_with_other_capitals_is_read_unless_there_are_several(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text("\\include{Beam}\n\\include{Wheel}\n")
    for name in ("beam", "wheel", "WHEEL"):
        (tmp_path / f"{name}.tex").write_text(r"\[ F_{name} = m \]".replace("name", name))
    page = read_bare(tmp_path / "main.tex", "pendulum").page
    assert [one.keys for one in read(page).equations] == [("F_{beam}", "m")]
    assert [*page.remarks()] == [
        "line 2: '\\include{Wheel}' is not followed: no such file below its folder"
    ]


def test_a_page_in_a_file_of_another_ending_is_named_by_a_document(tmp_path: Path) -> None:
    (tmp_path / "page.rst").write_text(
        ".. math:: \\ddot\\theta (I + m d^2) + m g d \\sin\\theta = T"
    )
    names = "".join(f"'{one}' = '{one}'\n" for one in ("I", "m", "d", "g", "T"))
    front = f"+++\ntitle='x'\nmodel='pendulum'\npage='page.rst'\n[symbols]\n{names}"
    (tmp_path / "page.md").write_text(f"{front}'\\theta' = 'theta'\n+++\n")
    report = freebody.check(tmp_path / "page.rst")
    assert [one.status for one in report.documents[0].equations] == ["holds"]


def test_a_page_without_its_document_is_told_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(r"<p>\[a = b\]</p>")
    with pytest.raises(DocumentError, match=r"adopt page\.html"):
        freebody.check(tmp_path / "page.html")


@pytest.mark.parametrize(
    ("printed", "plain"),
    [
        ("u₁ + u₁₂²", "u_1 + u_{12}^2"),
        ("ẍ + ẋ₂ - θ̈", r"\ddot x + \dot x_2 - \ddot\theta"),
        (r"||\vec v||^2_2", r"||\vec v||^2"),
        (r"\langle \vec a | \vec b \rangle", r"\langle \vec a, \vec b \rangle"),
    ],
)
def test_letters_that_are_scripts_and_dots_read_as_their_commands(printed: str, plain: str) -> None:
    def read(text: str) -> str:
        (display,) = read_page(f"$$ F = {text} $$", Names())
        (relation,) = display.relations
        assert isinstance(relation, Relation)
        return show(relation.right)

    assert read(printed) == read(plain)
