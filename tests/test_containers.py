r"""Formulas are read in whatever they stand, or told as passed over: none goes uncounted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import freebody
from freebody.checking.guesses.symbols import read as read_symbols
from freebody.checking.report import DocumentReport
from freebody.cli import main
from freebody.documents import read_bare

pytestmark = pytest.mark.usefixtures("unmended")

FRONT = r"""+++
title = "A page"
model = "pendulum"
{inline}
[symbols]
'm' = "m"
'I' = "I"
'd' = "d"
'g' = "g"
'\theta' = "theta"
'\tau' = "T"
+++

Words before.

"""
EQUATIONS = {
    r"(I + m d^2)\ddot\theta + m g d \sin\theta = \tau": "holds",
    r"(I + m d^2)\ddot\theta - m g d \sin\theta = \tau": "differs",
    r"\tau = (I + m d^2)\ddot\theta + m g d \sin\theta": "holds",
}
RIGHT = next(iter(EQUATIONS))
DISPLAYS = {
    "indented with its page": "Words.\n\n    \\begin{{equation}}\n    {}\n    \\end{{equation}}",
    "dollars": "$${}$$",
    "dollars on lines": "$$\n{}\n$$",
    "dollars in text": "as in $${}$$ above.",
    "brackets": r"\[{}\]",
    "doubled brackets": r"\\[ {} \\]",
    "doubled brackets on lines": "\\\\[\n{}\n\\\\]",
    "equation": r"\begin{{equation}}{}\end{{equation}}",
    "doubled equation": "\\\\begin{{equation}}\n{}\n\\\\end{{equation}}",
    "align in dollars": "$$\n\\begin{{align*}}\n{}\n\\end{{align*}}\n$$",
    "aligned": r"$$\begin{{aligned}}{}\end{{aligned}}$$",
    "bare aligned": "\\begin{{aligned}}\n{}\n\\end{{aligned}}",
    "bare gathered in a quotation": "> \\begin{{gathered}}\n> {}\n> \\end{{gathered}}",
    "aligned below dollars": "$$\n\\begin{{aligned}}\n{}\n\\end{{aligned}}\n$$",
    "fence": "```math\n{}\n```",
    "long fence": "````math\n{}\n````",
    "tilde fence": "~~~math\n{}\n~~~",
    "directive": "```{{math}}\n{}\n```",
    "directive with options": "```{{math}}\n:label: eq-one\n:enumerated: true\n\n{}\n\n```",
    "directive with a header": "```{{math}}\n---\nlabel: eq-one\n---\n{}\n```",
    "directive on one line": "```{{math}} {}\n```",
    "colons": ":::{{math}}\n{}\n:::",
    "many colons": "::::{{math}}\n:label: one\n{}\n::::",
    "raw": "```{{=latex}}\n\\begin{{equation}}\n{}\n\\end{{equation}}\n```",
    "dollars in a fence": "```math\n$$\n{}\n$$\n```",
    "admonition": "```{{admonition}} Exercise\n:class: tip\n\n$${}$$\n```",
    "directives": "`````{{note}}\n````{{topic}}\n```{{math}}\n{}\n```\n````\n`````",
    "dollar and backtick": "$`{}`$",
    "dollar and backtick on lines": "$`\n{}\n`$",
    "aligned in one dollar": "$\\begin{{aligned}}\n{}\n\\end{{aligned}}$",
    "paragraph": "<p>$${}$$</p>",
    "paragraph on lines": "<p align='center'>\n$$\n{}\n$$\n</p>",
    "division": "<div>\n\n$${}$$\n\n</div>",
    "entity": "<p>$$\\begin{{aligned}} &amp; {} \\end{{aligned}}$$</p>",
    "quotation": "> $$\n> {}\n> $$\n> so he said",
    "fence in a quotation": "> ```math\n> {}\n> ```",
    "item": "- an item\n\n    $$ {} $$\n",
    "numbered item": "1. an item:\n\n   ```math\n   {}\n   ```\n",
    "fence as item": "- ```math\n  {}\n  ```",
    "table": "| one |\n|---|\n| $${}$$ |",
    "font": r"$$\mathbf{{{}}}$$",
    "upright": r"$$\mathrm{{{}}}$$",
    "bold symbol": r"$$\boldsymbol{{{}}}$$",
    "bm": r"$$\bm{{{}}}$$",
    "words": r"$$\text{{{}}}$$",
    "box": r"$$\boxed{{{}}}$$",
    "framed": r"$$\fbox{{${}$}}$$",
    "square brackets": r"$$\left[ {} \right]$$",
    "parentheses": r"$$\left( {} \right),$$",
    "font in brackets": r"$$\left[\mathbf{{{}}}\right]$$",
    "colour": r"$${{\color{{red}} {}}}$$",
    "paragraphs in a fence": "```math\n\n{}\n\n```",
    "latex": "```latex\n{}\n```",
    "cases between dollars": "$\\begin{{cases}} {} \\end{{cases}}$",
    "tex": "```tex\n\\begin{{align*}}\n{}\n\\end{{align*}}\n```",
}  # fmt: skip
INLINE = {
    "dollar": "as ${}$ says",
    "round": r"as \({}\) says",
    "a blank before": "as $ {}$ says",
    "a blank behind": "as ${} $ says",
    "backtick": "as $`{}`$ says",
    "role": "as {{math}}`{}` says",
    "rst role": "as :math:`{}` says",
    "in a table": "| a | b |\n|---|---|\n| ${}$ | c |",
    "in an item": "- ${}$ holds",
    "in a heading": "## Why ${}$",
}
PASSED = {
    "python": "```python\nx = r'$${}$$'\n```",
    "tex in braces": "```{{code}} latex\n\\begin{{equation}}{}\\end{{equation}}\n```",
    "code": "write `$${}$$` here",
    "code in a directive": "````{{note}}\n```python\n$${}$$\n```\n````",
    "a cell": "```{{code-cell}} python\n$${}$$\n```",
    "code without dollars": "write `{}` here",
    "two backticks without dollars": "where ``{}`` is",
    "two backticks": "write `` ${}$ `` here",
    "indented": "Words.\n\n    $${}$$\n\nWords.",
    "pre": "<pre>\n$${}$$\n</pre>",
    "code element": "<code>$${}$$</code>",
    "script": '<script type="math/tex; mode=display">{}</script>',
    "verbatim": "\\begin{{verbatim}}\n\\[ {} \\]\n\\end{{verbatim}}",
    "picture": "![{}](https://example.org/mathtex.cgi?a=b)",
    "image": '<img src="https://example.org/mathtex.cgi?{}">',
}
NOTHING = {
    "comment": "<!-- $$ a = b $$ -->",
    "comment on lines": "<!--\n```math\na = b\n```\n-->",
    "money": "It costs $5, that is $6 less than the $11 = 12 of 2020.",
    "shell": "```sh\necho $A = $B $$ = 3\n```",
    "plain code": "```python\na = b\n```",
    "name": "the variable `a = b`",
    "indented": "Words.\n\n    a = b\n",
    "escaped": r"\$\$ a = b",
}


def checked(folder: Path, body: str, inline: bool = False) -> DocumentReport:
    path = folder / "page.md"
    front = FRONT.replace("{inline}", "inline = true" if inline else "")
    path.write_text(f"{front}{body}\n\nWords behind.\n")
    return freebody.check(path).documents[0]


@pytest.mark.parametrize("display", DISPLAYS)
def test_an_equation_is_read_in_every_container(tmp_path: Path, display: str) -> None:
    report = checked(tmp_path, DISPLAYS[display].format(RIGHT))
    assert [one.status for one in report.equations] == ["holds"]
    assert not report.passed_over
    assert not report.inline


def test_marks_that_were_taken_for_emphasis_are_read_as_they_were(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<html><body><p>Of $m<em>1$ and $m</em>2$:</p>\n<p>\\begin{align<em>}\n"
        "m_1 a &amp;= F \\\nm_2 b &amp;= F\n\\end{align</em>}</p></body></html>"
    )
    found = read_symbols(read_bare(page, "none").with_running_text.page)
    assert [one.keys for one in found.equations] == [("m_1", "a", "F"), ("m_2", "b", "F")]


def test_templates_of_observable_are_read_in_the_scripts_that_hold_their_text(
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<notebook><script type="text/markdown">Of ${tex`m`}:\n\n${tex.block`\\begin{aligned}\n'
        "F &= m a \\\\\nG &= m g\n\\end{aligned}`}</script>"
        '<script type="application/javascript">tex`${x} = 1`</script></notebook>'
    )
    found = read_symbols(read_bare(page, "none").page)
    assert [one.keys for one in found.equations] == [("F", "m", "a"), ("G", "m", "g")]


def test_formulas_that_a_script_has_drawn_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<html><body><p id='eq'></p><script>const a = 1;\n"
        'katex.render("m\\\\ddot{x} + kx = F", box);</script></body></html>'
    )
    (found,) = read_symbols(read_bare(page, "none").page).equations
    assert (found.keys, found.relation.line) == (("m", "x", "k", "F"), 2)


def test_what_is_escaped_for_markdown_between_doubled_marks_is_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Of \\\\(m\\_1 = m\\\\):\n\n\\\\[ p = \\\\begin{bmatrix} \\cos(\\\\theta\\) \\\\\\ "
        "\\\\sin\\theta \\\\end{bmatrix} \\\\,, \\\\]\n"
    )
    found = read_symbols(read_bare(page, "none").with_running_text.page)
    assert [one.keys for one in found.equations] == [("m_1", "m"), ("p", r"\theta")]
    assert not found.unreadable


def test_a_formula_goes_on_behind_the_mark_of_a_quotation(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("> Of a charge $m a = e(E +\n>  b c)$ and $v = 0$ it is said.\n")
    (one, _) = read_symbols(read_bare(page, "none").with_running_text.page).equations
    assert one.keys == ("m", "a", "e", "E", "b", "c")


@pytest.mark.exhaustive
def test_all_containers_of_a_page_are_counted(tmp_path: Path) -> None:
    body = "\n\n".join(
        container.replace("eq-one", f"eq-{number}").format(equation)
        for number, container in enumerate(DISPLAYS.values())
        for equation in EQUATIONS
    )
    statuses = [one.status for one in checked(tmp_path, body).equations]
    assert statuses == [*EQUATIONS.values()] * len(DISPLAYS)


@pytest.mark.parametrize("way", INLINE)
def test_equations_in_running_text_are_read_where_asked_and_else_counted(
    tmp_path: Path, way: str
) -> None:
    body = INLINE[way].format(RIGHT)
    report = checked(tmp_path, body, inline=True)
    assert [one.status for one in report.equations] == ["holds"]
    assert not report.inline
    report = checked(tmp_path, body)
    assert not report.equations
    (left,) = report.inline
    assert RIGHT in left.latex


@pytest.mark.parametrize("way", PASSED)
@pytest.mark.parametrize("inline", [True, False])
def test_equations_in_code_are_passed_over_and_told(tmp_path: Path, way: str, inline: bool) -> None:
    body = PASSED[way].format(RIGHT)
    report = checked(tmp_path, f"{body}\n\n$$ m = m $$", inline=inline)
    assert [one.status for one in report.equations] == ["holds"]
    (told,) = report.passed_over
    assert told.reason
    assert told.line == FRONT.count("\n") + 1 + body[: body.index(told.latex)].count("\n")


@pytest.mark.parametrize("way", NOTHING)
@pytest.mark.parametrize("inline", [True, False])
def test_what_is_no_formula_is_not_counted(tmp_path: Path, way: str, inline: bool) -> None:
    report = checked(tmp_path, NOTHING[way], inline=inline)
    assert [*report.equations, *report.passed_over, *report.inline] == []


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        (r"m g d \sin\theta", "nothing in it is equated"),
        (r"\text{Force = mass times acceleration}", "its equation cannot be made out"),
        (r"\hat{m = d}", "its equation cannot be made out"),
        (r"\tau = 3, \quad + \frac{m}{d}", "beside an equation"),
    ],
)
def test_displays_that_are_no_equations_are_told(tmp_path: Path, latex: str, reason: str) -> None:
    (told,) = checked(tmp_path, f"$${latex}$$").passed_over
    assert told.reason == reason


def test_what_is_passed_over_is_in_the_summary_and_in_json(tmp_path: Path) -> None:
    body = "\n\n".join([PASSED["python"], "$$ m g $$", INLINE["dollar"]]).replace("{}", RIGHT)
    checked(tmp_path, body)
    found = CliRunner().invoke(main, ["check", str(tmp_path / "page.md")])
    assert found.exit_code == 0
    assert "2 formulas passed over; 1 equation in running text not read" in found.output
    assert "inline = true" in found.output
    assert "in a block of code (python)" in found.output
    found = CliRunner().invoke(main, ["check", str(tmp_path / "page.md"), "--json"])
    (document,) = json.loads(found.output)["documents"]
    assert [len(document["passed_over"]), len(document["inline"])] == [2, 1]
    assert {"place", "line", "latex", "reason"} == document["inline"][0].keys()


@pytest.mark.parametrize("name", ["verbatim", "lstlisting"])
def test_code_of_a_latex_page_is_told_as_well(tmp_path: Path, name: str) -> None:
    front = "\n".join(f"% {line}" for line in FRONT.split("\n\nWords")[0].splitlines())
    body = f"\\begin{{{name}}}\n$$ \\theta = 3 $$\n\\end{{{name}}}\n% $$ m = 3 $$\n$$ m = m $$\n"
    (tmp_path / "page.tex").write_text(front.replace("{inline}", "") + "\n" + body)
    (report,) = freebody.check(tmp_path / "page.tex").documents
    assert [one.status for one in report.equations] == ["holds"]
    assert [one.reason for one in report.passed_over] == ["in verbatim text"]


def test_what_stands_in_a_drawing_is_passed_over(tmp_path: Path) -> None:
    drawn = r"\begin{tikzpicture}\draw (0,0) node[label={(a}] {$x = (y$}; \end{tikzpicture}"
    body = drawn + r" and \begin{equation} a = b \end{equation}"
    (tmp_path / "page.tex").write_text(rf"\begin{{document}}{body}\end{{document}}")
    (report,) = freebody.alone(tmp_path / "page.tex").documents
    assert [one.latex.strip() for one in report.equations] == ["a = b"]


# ---------------------------------------------------------------------- names that are not read


def test_symbols_of_what_is_not_read_are_not_called_unused(tmp_path: Path) -> None:
    body = "$$ m = \\lim I $$\n\nwith $d = g$\n\n<pre>\n$\\theta = 3$\n</pre>"
    assert checked(tmp_path, body).unused == (r"\tau",)


@pytest.mark.parametrize("other", ["{m}", "m ", " {{m}}", r"{m}{}"])
def test_two_spellings_of_a_name_are_told_with_their_lines(tmp_path: Path, other: str) -> None:
    path = tmp_path / "page.md"
    front = FRONT.replace("{inline}", "").replace("[symbols]\n", f"[symbols]\n'{other}' = 'd'\n")
    path.write_text(front + "$$ m = m $$\n")
    with pytest.raises(freebody.errors.DocumentError, match="are the same name, line 6, line 7"):
        freebody.check(path)


def test_what_a_section_declares_comes_before_another_spelling(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    section = "[[sections]]\nheading = 'Two'\n[sections.symbols]\n'{m}' = 'd'\n"
    front = FRONT.replace("{inline}", "").replace("+++\n\nWords", f"{section}+++\n\nWords")
    path.write_text(front + "$$ m = m $$\n\n# Two\n\n$$ m = d $$\n")
    assert freebody.check(path).agrees


def test_plain_letters_are_read_with_words_below_them_and_remarks_behind(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```\nẍ - 2nẏ - 3n²x = 0   (Radial方向)\nÿ + 2nẋ = 0   (along the track)\n```\n\n"
        "```text\nx_com = (m_beam × x_beam_com + m_ball × x_ball_com) / M_b\n"
        "ω_ball² = v² / R²   # it rolls\n```\n\n"
        "```text\nI = (2/3) × 0.0028 × (0.02)²\n  = 7.4667 × 10⁻⁷\n```\n\n"
        "```\na = -μ/|r|³ × r\n```\n",
        "utf-8",
    )
    (report,) = freebody.alone(page).documents
    letters = {*report.moving, *report.constants}
    assert {"x_{beam,com}", "m_{ball}", r"\omega_{ball}", "r"} <= letters
    assert not {"e", "a_m", "m_{com}", "l"} & letters
    assert not report.passed_over
    (value,) = [one for one in report.equations if "10⁻⁷" in one.latex]
    assert value.status == "consistent"
