"""Reports as they are read: on a terminal, as Markdown, in a browser, on GitHub."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import freebody
from freebody.checking.findings import Difference, Edit, PrintedTerm, Repair, SymbolFinding
from freebody.checking.report import DocumentReport, EquationVerdict, Report, Undeclared
from freebody.documents import read_document
from freebody.files import FileError
from freebody.reporting import ENDINGS, Origin, origin, origins_of, written
from freebody.reporting.github import step_summary
from freebody.reporting.grading import grade
from freebody.reporting.latex import excerpt, segments, settled
from freebody.reporting.mathml import Formulas

if TYPE_CHECKING:
    from freebody.reporting import Format

FORMATS: tuple[Format, ...] = ("table", "json", "markdown", "html", "github")
LATEX = (
    r"\ddot{y}_3 = [\ell_1\cos\alpha_1 + d_3\cos(\alpha_1 + \alpha_2)]\ddot{\alpha}_1 -"
    "\n"
    r"[\ell_2\sin(\alpha_1 + \alpha_2) + d_3\cos(\alpha_1 + \alpha_2)]2\dot{\alpha}_1\dot{\alpha}_2"
)


def edit(latex: str, printed: str, proposed: str, kind: str = "function") -> Edit:
    """Return the edit of the last place where something is printed."""
    start = latex.rindex(printed)
    return Edit((start, start + len(printed)), printed, proposed, kind)  # type: ignore[arg-type]


def repair(latex: str, *edits: Edit) -> Repair:
    for one in sorted(edits, key=lambda one: -one.span[0]):
        latex = latex[: one.span[0]] + one.proposed + latex[one.span[1] :]
    return Repair(latex, edits)


def wrong(**changes: object) -> EquationVerdict:
    """Return an equation with a cosine for a sine."""
    term = LATEX[LATEX.rindex("d_3") : LATEX.rindex("]2")]
    span = LATEX.rindex(term), LATEX.rindex(term) + len(term)
    made = EquationVerdict(
        "(14)",
        12,
        LATEX,
        "differs",
        proof="exact",
        differences=(
            Difference("", "d3*cos(alpha1 + alpha2)", "-2", "0", "function", span),
            Difference("", "d3*sin(alpha1 + alpha2)", "0", "-2", "function"),
        ),
        surprise="differs, which is not recorded, in d3*cos(alpha1 + alpha2)",
        terms=(PrintedTerm(term, span, "wrong", "function"),),
        repairs=(repair(LATEX, edit(LATEX, r"\cos", r"\sin")),),
        place="line 12",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def holds(label: str = "(1)", latex: str = "a = b", **changes: object) -> EquationVerdict:
    return replace(EquationVerdict(label, 1, latex, "holds", "exact"), **changes)  # type: ignore[arg-type]


def report(*equations: EquationVerdict, graded: bool = False, **parts: object) -> Report:
    document = DocumentReport("page", "A page", "arm", equations)
    return Report((replace(document, **parts),), graded)  # type: ignore[arg-type]


class Page(HTMLParser):
    """The elements of a page, its text, and whether every element is closed."""

    EMPTY = frozenset({"meta", "wbr", "mspace"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.marked: dict[str, str] = {}
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(f"{tag}.{dict(attrs).get('class', '')}")

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop().split(".")[0] == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data
        for kind in ("wrong", "proposed"):
            if f"mrow.{kind}" in self.open:
                self.marked[kind] = self.marked.get(kind, "") + data


def page(made: Report, *origins: Origin) -> Page:
    shown = Page(written(made, "html", origins))
    assert shown.open == []
    return shown


# ---------------------------------------------------------------------- what every format says


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_what_is_wrong_and_what_is_proposed(form: Format) -> None:
    found = written(report(holds(), wrong(carried_from="(9)")), form)
    assert "(14)" in found
    assert "(9)" in found
    told = json.loads(found)["documents"][0]["equations"][1] if form == "json" else {}
    if form == "json":
        assert told["carried_from"] == "(9)"
        assert told["repairs"][0]["latex"].count(r"\sin") == LATEX.count(r"\sin") + 1
        assert told["terms"][0]["kind"] == "function"
    else:
        assert "cosine for sine" in found


@pytest.mark.parametrize("form", FORMATS)
def test_a_page_steers_neither_terminal_nor_browser(form: Format) -> None:
    evil = "\x1b[31m<script>alert(1)</script>\x07"
    equation = wrong(latex=evil, terms=(), repairs=(), differences=(), note=evil, label="(1)")
    made = report(equation, title=evil, document=evil, stale=(evil,), unused=(evil,))
    found = written(made, form)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", found)
    if form in ("html", "markdown"):
        outside = re.sub(r"^```.*?^```", "", found, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"(?<!\\)<script", outside)


@pytest.mark.parametrize("form", FORMATS)
def test_there_may_be_nothing_to_report(form: Format) -> None:
    for made in (Report(()), report()):
        assert written(made, form)


# ---------------------------------------------------------------------- the terminal


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_terminal_is_never_too_narrow(width: int) -> None:
    from freebody.reporting.terminal import text

    long = "x_{" + "abcdefgh" * 30 + "}"
    other = holds("(2)", f"{long} = a", recorded=True, note=long * 2)
    added = repair(LATEX, Edit((0, 0), "", long, "missing"))
    unread = EquationVerdict(
        "(3)", 3, LATEX, "unreadable", note=f"no\n{long}\n{' ' * 150}^", surprise="no"
    )
    found = text(report(wrong(repairs=(added,)), other, unread), width=width)
    assert max(map(len, found.splitlines())) <= width
    lines = (line for line in found.splitlines() if set(line.strip()) != {"^"})
    squeezed = re.sub(r"\s", "", "".join(lines))
    assert squeezed.count("abcdefgh" * 20) >= 3  # nothing is cut
    assert "3 equations: 1 holds, 1 differs, 1 unreadable;" in found


def test_of_many_documents_only_what_is_new_is_told_in_full() -> None:
    old = report(holds(), wrong(recorded=True, surprise="")).documents
    new = report(wrong(surprise="differs, which is not recorded, in x")).documents
    told = written(Report((*old * 9, *new)), "table")
    assert told.count("which is not recorded") == 1
    assert told.count("proposed") <= 1
    assert "differs" in told.splitlines()[1]
    assert "which is not recorded" in written(Report((*old, *new)), "table")


def test_a_terminal_shows_the_place_in_the_printed_line() -> None:
    lines = written(report(wrong()), "table").splitlines()
    carets = [number for number, line in enumerate(lines) if set(line.strip()) == {"^"}]
    places = [lines[number].index("^") for number in carets]
    shown = [lines[number - 1][at : at + 4] for number, at in zip(carets, places, strict=True)]
    assert shown == [r"\cos", r"\sin"]
    assert "    new        differs, which is not recorded, in d3*cos(alpha1 + alpha2)" in lines


def test_a_terminal_shows_three_repairs_and_says_how_many_more_there_are() -> None:
    repairs = wrong().repairs * 5
    found = written(report(wrong(repairs=repairs)), "table")
    assert found.count("cosine for sine\n") == 3
    assert "and 2 more" in found


def test_equations_that_hold_are_shown_where_asked() -> None:
    made = report(holds(), holds("(2)", recorded=True, note="A garbled index."))
    assert "(1)" not in written(made, "table")
    assert "A garbled index." in written(made, "table")
    assert "(1)" in written(made, "table", everything=True)


def test_a_definition_is_one_finding_with_its_equations_below() -> None:
    definition = SymbolFinding("d_S", "dS", "dS - d3", ("(14)", "(15)"), ("(2)",))
    made = report(wrong(), wrong(label="(15)"), holds("(2)"), definitions=(definition,))
    lines = written(made, "table").splitlines()
    assert lines[2] == "  reading d_S as dS - d3 makes (14), (15) hold; (2) then does not"
    assert lines[3].startswith("    (14)  differs, exact")
    assert "proposed" not in "\n".join(lines)
    shown = page(made)
    assert "dS - d3" in shown.words
    targets = {attrs.get("id") for _, attrs in shown.elements}
    links = {str(attrs["href"]) for tag, attrs in shown.elements if tag == "a"}
    assert {link.removeprefix("#") for link in links} - {""} <= targets


def test_undeclared_symbols_are_told_once() -> None:
    note = "'F_x' is not declared\nF_x = 0\n^"
    unread = [
        EquationVerdict(f"({n})", n, "F_x = 0", "unreadable", note=note, surprise=note[:21])
        for n in (1, 2, 3)
    ]
    made = report(*unread, undeclared=(Undeclared("F_x", "line 1", 3, "F_{x1}"),))
    found = written(made, "table")
    assert found.count("F_x") == 1
    assert "'F_x' is not declared: first in line 1, in 3 equations; did you mean 'F_{x1}'?" in found
    assert "not read for what is not declared: (1), (2), (3)" in found


def test_what_several_equations_take_for_granted_is_told_once() -> None:
    made = report(*(holds(f"({n})", readings=("theta is small",)) for n in (1, 2, 3)))
    for form in ("table", "markdown", "html"):
        found = written(made, form)
        assert found.count("theta is small") == 1
    assert "taken in (1), (2), (3)" in written(made, "table")


# ---------------------------------------------------------------------- places in LaTeX


@pytest.mark.parametrize(
    ("latex", "printed", "expected"),
    [
        (r"a + \frac{b}{c} d", "b}{c", "{b}{c}"),
        (r"\left( a + b \right) c", r"b \right", r"\left( a + b \right)"),
        (r"x \cos y", "os", r"\cos"),
        (r"a + b - c", "+ b ", "+ b"),
    ],
)
def test_a_mark_takes_whole_tokens_and_groups(latex: str, printed: str, expected: str) -> None:
    start = latex.index(printed)
    start, end = settled(latex, (start, start + len(printed)))
    assert latex[start:end] == expected


def test_formulas_break_before_relations_and_signs_only() -> None:
    latex = r"a &= -b + (c - d)_{e + f} \cdot -g + \left( h + i \right)"
    pieces = [latex[start:end].strip() for start, end in segments(latex)]
    assert pieces == [
        "a &",
        "= -b",
        "+ (c",
        r"- d)_{e + f} \cdot -g",
        r"+ \left( h + i \right)",
    ]
    assert "".join(latex[start:end] for start, end in segments(latex)) == latex


def test_an_excerpt_keeps_the_whole_place() -> None:
    latex = "a" * 50 + "WRONG" * 10 + "b" * 50
    lines = excerpt(latex, (50, 100), 30)
    marked = "".join(line[carets.index("^") :][: carets.count("^")] for line, carets in lines)
    assert marked == "WRONG" * 10
    assert lines[0][0].startswith("…") or "a" in lines[0][0]


# ---------------------------------------------------------------------- the page


def test_the_wrong_term_and_the_change_are_marked_inside_the_formula() -> None:
    shown = page(report(wrong()))
    assert shown.marked["wrong"].startswith("d3")
    assert "cos" in shown.marked["wrong"]
    assert shown.marked["proposed"].strip() == "sin"


@pytest.mark.parametrize(
    ("latex", "printed"),
    [
        (r"x_3 + y", "3"),
        (r"\dot q + y", "q"),
        (r"\dot q + y", r"\dot"),
        (r"a = \begin{bmatrix} b & c \\ d & e \end{bmatrix} f", "c"),
        (r"a = \begin{bmatrix} b & c \\ d & e \end{bmatrix} f", r"c \\ d"),
        (r"\frac12 m", "12"),
        (r"\left[ a + b \right]^2", "+ b"),
        (r"x_1^{2} y", "_1^{2}"),
        (r"a &= b \\", "b"),
    ],
)
def test_a_mark_leaves_the_formula_what_it_was(latex: str, printed: str) -> None:
    formulas, start = Formulas(str), latex.index(printed)
    plain = Page(formulas.html(latex))
    marked = Page(formulas.html(latex, [(start, start + len(printed))]))
    assert marked.words == plain.words
    kept = [tag for tag, _ in plain.elements if tag != "mrow"]
    assert [tag for tag, _ in marked.elements if tag != "mrow"] == kept
    assert marked.marked


def test_what_cannot_be_rendered_is_shown_as_printed() -> None:
    shown = page(report(holds(latex=r"\unheard{a} = b")))
    assert r"\unheard{a} = b" in shown.words


@pytest.mark.parametrize(
    "latex",
    ["{" * 60_000 + "x" + "}" * 60_000, r"\dot" * 60_000 + " x", r"\left(" * 60_000, "x_" * 60_000],
)
def test_no_formula_exhausts_the_stack(latex: str) -> None:
    assert Formulas(str).html(latex, [(0, 4)]).startswith("<code")


def test_macros_of_the_page_are_rendered(tmp_path: Path) -> None:
    path = tmp_path / "page.tex"
    path.write_text(
        "% +++\n% title = 'A page'\n% model = 'pendulum'\n% +++\n"
        "\\newcommand{\\av}[1]{\\dot{\\alpha}_{#1}}\n\\[ \\av{1} = b \\]\n"
    )
    made, known = report(holds(latex=r"\av{1} = b")), origin(read_document(path))
    assert known.file == str(path)
    assert r"\av" in page(made).words
    assert r"\av" not in page(made, known).words
    wrong = holds(
        latex=r"\av{1} = b", status="differs", terms=(PrintedTerm("b", (9, 10), "wrong"),)
    )
    wrong = replace(wrong, recorded=True)
    assert r"\dot{\alpha}_{1} = \textcolor{red}{b}" in written(report(wrong), "markdown", [known])


def test_the_page_stands_alone_and_is_accessible() -> None:
    shown = page(report(holds(), wrong()))
    tags = [tag for tag, _ in shown.elements]
    assert not {"script", "link", "img", "iframe"} & set(tags)
    assert ("html", {"lang": "en"}) in shown.elements
    assert "title" in tags
    assert all(attrs.get("scope") == "col" for tag, attrs in shown.elements if tag == "th")
    assert tags.count("table") == tags.count("caption") == 1
    outside = r'(?:src|href)="(?!#)|url\((?!"data:)|@import'
    assert not re.search(outside, written(report(wrong()), "html"))


def test_the_counts_filter_by_anchor() -> None:
    shown = page(report(holds(), wrong()))
    links = [str(attrs["href"]) for tag, attrs in shown.elements if tag == "a"]
    assert links[:4] == ["#", "#only-holds", "#only-differs", "#only-new"]
    style = written(report(), "html")
    for name in ("holds", "differs", "unreadable", "not-checked", "new"):
        assert f"body:has(#only-{name}:target) .equation:not(.{name})" in style


def test_labels_that_repeat_have_anchors_of_their_own() -> None:
    shown = page(report(holds("(1)"), holds("(1)"), holds("(1')")))
    anchors = [attrs["id"] for tag, attrs in shown.elements if tag == "article"]
    assert len(set(anchors)) == 3


# ---------------------------------------------------------------------- Markdown and GitHub


def test_markdown_has_fences_and_whole_tables() -> None:
    bar = Difference("[1]", "abs|x|", "1", "a|b")
    latex = r"a = \begin{bmatrix} b \\ c \end{bmatrix}"
    found = written(
        report(wrong(differences=(bar,), terms=(), latex=latex, repairs=())), "markdown"
    )
    assert f"```math\n{latex}\n```" in found
    rows = [line for line in found.splitlines() if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)\|", row)) for row in rows[:3]}
    assert widths == {6}
    assert r"abs\|x\|" in found


def test_a_summary_that_is_too_long_is_brief(monkeypatch: pytest.MonkeyPatch) -> None:
    made = report(*(wrong(label=f"({n})") for n in range(20)))
    assert step_summary(made) == written(made, "markdown") + "\n"
    monkeypatch.setattr("freebody.reporting.github.LIMIT", 5_000)
    brief = step_summary(made)
    assert len(brief.encode()) < 5_000
    assert all(f"({n})" in brief for n in range(20))


def test_annotations_stand_at_the_line_and_are_one_line_each() -> None:
    made = report(
        wrong(surprise="100% wrong\nindeed"), holds(), stale=("(9) is recorded, but gone",)
    )
    lines = written(made, "github", [Origin("a,b:c.md")]).splitlines()
    assert lines[0].startswith("::error file=a%2Cb%3Ac.md,line=12,title=(14) differs::100%25 wrong")
    assert "%0A" in lines[0]
    assert lines[1] == "::error file=a%2Cb%3Ac.md::(9) is recorded, but gone"
    assert len(lines) == 3


def test_what_is_recorded_is_not_annotated() -> None:
    made = report(wrong(surprise="", recorded=True, note="Known."))
    assert "::error" not in written(made, "github")
    assert "::error" in written(replace(made, graded=True), "github")


# ---------------------------------------------------------------------- grading


def test_a_grade_counts_what_is_right() -> None:
    unread = EquationVerdict("(4)", 4, "?", "unreadable", note="no", surprise="no")
    unchecked = EquationVerdict("(5)", 5, "a", "not checked", recorded=True, note="A shape.")
    made = report(holds(), holds("(2)"), wrong(carried_from="(1)"), unread, unchecked, graded=True)
    found = grade(made.documents, "page")
    assert (found.right, found.wrong, found.unreadable, found.unchecked) == (2, 1, 1, 1)
    assert (found.carried, found.percent) == (1, 50)
    several = Report((*made.documents, *report(holds()).documents), graded=True)
    table = written(several, "table")
    assert table.splitlines()[-1] == (
        "3 right, 1 wrong (1 carried on), 1 unreadable, 1 not checked: 60 % right."
    )
    assert re.search(r"all pages +3 +1 +1 +1 +1 +60 %", table)
    for form in ("markdown", "html"):
        assert "60 %" in written(several, form)
    assert "not recorded" not in table


def test_nothing_to_grade_is_no_percentage() -> None:
    assert grade([], "page").percent is None
    assert "nothing to grade" in written(report(graded=True), "table")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_report_is_saved_as_its_file_is_called(ending: str, tmp_path: Path) -> None:
    report = freebody.check("pendulum")
    report.save(tmp_path / f"report{ending}")
    text = (tmp_path / f"report{ending}").read_text(encoding="utf-8")
    assert text == f"{written(report, ENDINGS[ending], origins_of(report))}\n"
    with pytest.raises(FileError, match="expected a file name that ends in"):
        report.save(tmp_path / "report.pdf")


def test_a_report_knows_where_its_documents_are() -> None:
    places = origins_of(freebody.check("pendulum"))
    assert places
    assert all(Path(place.file).is_file() for place in places)
