"""A report on a terminal: nothing is wider than it, and nothing is cut without saying so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import get_args

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from freebody.checking.findings import Edit, Repair, Span
from freebody.checking.report import DocumentReport, EquationVerdict, Report, Status
from freebody.reporting.grading import COLUMNS, rows
from freebody.reporting.latex import applied, excerpt, plain
from freebody.reporting.words import (
    WrongTerm,
    apart,
    arrow,
    changes,
    coefficients,
    for_undeclared,
    mended_by_definitions,
    place,
    proof,
    reading,
    remarks,
    spelt,
    summary,
    verdict_word,
    wrong_terms,
)

STYLES = {
    "holds": "green",
    "differs": "red",
    "unreadable": "magenta",
    "failed": "bold magenta",
    "not checked": "dim",
}
NAMES = 10
"""Columns of what each line of a finding is about."""

INDENT = 4
MANY = 8
"""Of more documents, only those with news are printed in full."""
SHOWN = 3
"""How many repairs are shown; all of them are in the other formats."""

Line = tuple[str, Text]
"""What a line of a finding is about, and the line."""


def text(report: Report, everything: bool = False, width: int = 100) -> str:
    """Return a report as plain text."""
    written = StringIO()
    show(report, Console(file=written, width=width, highlight=False), everything)
    return "".join(f"{line.rstrip()}\n" for line in written.getvalue().splitlines())


def show(report: Report, out: Console, everything: bool = False) -> None:
    """Print a report.

    Parameters
    ----------
    report : Report
        What is printed.
    out : rich.console.Console
        Where to.
    everything : bool, optional
        Whether equations that hold, and of which nothing is recorded, are shown as well.
    """
    if not report.documents:
        out.print("no documents to check")
        return
    is_long = len(report.documents) > MANY and not (everything or report.graded)
    if is_long:
        out.print(_overview(report))
    for document in report.documents:
        if not is_long or document.surprises():
            _document(document, out, everything, report.graded)
    if report.graded:
        out.print(_grades(report))
    closing = plain(summary(report))
    if len(closing) > out.width:
        closing = closing.replace("; ", ";\n", 1)
    out.print(Text(closing))


def _grades(report: Report) -> Table:
    return _table(COLUMNS, rows(report))


def _overview(report: Report) -> Table:
    """Return how many equations of each document hold, or not; what is recorded is not told."""
    counted = ((document, document.counts()) for document in report.documents)
    lines = (
        (f"{one.model}/{one.document}", *(str(counts[status] or "") for status in get_args(Status)))
        for one, counts in counted
    )
    return _table(("document", *get_args(Status)), lines)


def _table(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> Table:
    from rich import box

    made = Table(box=box.SIMPLE_HEAD)
    for number, column in enumerate(columns):
        made.add_column(column, overflow="fold", justify="right" if number else "left")
    for line in lines:
        made.add_row(*(Text(plain(cell)) for cell in line))
    return made


# ---------------------------------------------------------------------- a document


def _document(printed: DocumentReport, out: Console, everything: bool, graded: bool) -> None:
    document, shared = apart(printed)
    named = f"  ({document.document}, model {document.model})"
    out.print(Text.assemble((plain(document.title), "bold"), plain(named)))
    out.print()
    shown = {verdict.label: verdict for verdict in document.equations}
    for definition in document.definitions:
        out.print(Text(f"  {plain(reading(definition))}", style="bold red"))
        for label in definition.fixes:
            _touched(shown[label], out, graded)
        out.print()
    mended = mended_by_definitions(document)
    unread = for_undeclared(document)
    for verdict in document.equations:
        if verdict.label not in mended and verdict not in unread and _speaks(verdict, everything):
            _equation(verdict, out, graded)
    for labels, readings in shared.items():
        _lists(f"taken in {', '.join(labels)}", readings, out, "dim")
    _lists("", _remarks(document, unread), out)


def _speaks(verdict: EquationVerdict, everything: bool) -> bool:
    """Whether there is something to print of an equation."""
    return everything or verdict.status != "holds" or verdict.recorded or bool(verdict.news)


def _remarks(document: DocumentReport, unread: list[EquationVerdict]) -> list[str]:
    notes = remarks(document)
    if unread:
        labels = ", ".join(verdict.label for verdict in unread)
        notes.insert(len(document.undeclared), f"not read for what is not declared: {labels}")
    return notes


def _lists(about: str, notes: list[str], out: Console, style: str = "") -> None:
    """Print the remarks on the page as a whole."""
    if about:
        out.print(Padding(Text(plain(about), style), (0, 0, 0, 2)))
    for one in notes:
        out.print(Padding(Text(plain(one), style), (0, 0, 0, INDENT if about else 2)))
    if notes:
        out.print()


# ---------------------------------------------------------------------- an equation


def _heading(verdict: EquationVerdict, graded: bool) -> Text:
    judged = ", ".join(filter(None, (verdict_word(verdict.status, graded), proof(verdict))))
    return Text.assemble(
        (plain(verdict.label), "bold"),
        "  ",
        (judged, STYLES[verdict.status]),
        "  ",
        (plain(place(verdict)), "dim"),
    )


def _touched(verdict: EquationVerdict, out: Console, graded: bool) -> None:
    """Print an equation that a definition would mend, with what is recorded of it."""
    out.print(Padding(_heading(verdict, graded), (0, 0, 0, INDENT)))
    _print_lines(_verdict_lines(verdict, graded, out.width), out, 2 * INDENT)


def _equation(verdict: EquationVerdict, out: Console, graded: bool) -> None:
    out.print(Padding(_heading(verdict, graded), (0, 0, 0, 2)))
    lines = [
        *_wrong(verdict),
        *_repairs(verdict, out.width),
        *_verdict_lines(verdict, graded, out.width),
    ]
    _print_lines(lines, out, INDENT)
    out.print()


def _print_lines(lines: Iterable[Line], out: Console, indent: int) -> None:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=NAMES, style="dim")
    grid.add_column(overflow="fold")
    for about, line in lines:
        grid.add_row(about, line)
    if grid.row_count:
        out.print(Padding(grid, (0, 0, 0, indent)))


def _wrong(verdict: EquationVerdict) -> Iterator[Line]:
    for wrong in wrong_terms(verdict):
        yield from _wrong_term(wrong)


def _wrong_term(wrong: WrongTerm) -> Iterator[Line]:
    if wrong.latex:
        yield "wrong", Text.assemble((f"{wrong.off}: ", "bold"), plain(wrong.latex.strip()))
    elif wrong.off:
        yield "wrong", Text(wrong.off, style="bold")
    for number, difference in enumerate(wrong.differences):
        yield "" if number else "found", Text(plain(coefficients(difference)))


def _verdict_lines(verdict: EquationVerdict, graded: bool, width: int) -> Iterator[Line]:
    """Iterate over further lines: errors carried on, readings, notes, news."""
    if verdict.carried_from:
        yield "", Text(f"carried on from {plain(verdict.carried_from)}")
    for taken in verdict.readings:
        yield "taken", Text(plain(taken), style="dim")
    if verdict.fault:
        yield "failed", Text(plain(verdict.fault), style="bold magenta")
    unreadable = verdict.status == "unreadable"
    if verdict.surprise and not graded and not unreadable:
        yield "new", Text(plain(verdict.surprise), style="bold red")
    if unreadable:
        yield from _unreadable(verdict, width)
    if verdict.note and not unreadable:
        yield ("recorded" if verdict.recorded else ""), Text(plain(verdict.note), "italic dim")


def _unreadable(verdict: EquationVerdict, width: int) -> Iterator[Line]:
    """Iterate over why an equation cannot be read, and the line with a caret that shows where."""
    message, *shown = verdict.note.splitlines() or [""]
    yield "why", Text(plain(message), style="bold magenta")
    if len(shown) == 2 and shown[1].strip() == "^":
        at = shown[1].index("^")
        yield from _place(shown[0], (at, at + 1), "magenta", width)
    else:
        yield from (("", Text(plain(line))) for line in shown)


# ---------------------------------------------------------------------- repairs


def _repairs(verdict: EquationVerdict, width: int) -> Iterator[Line]:
    for number, repair in enumerate(verdict.repairs[:SHOWN]):
        yield from _repair(verdict, repair, width, "or" if number else "proposed")
    left = len(verdict.repairs) - SHOWN
    if left > 0:
        yield "", Text(f"and {left} more, which the other formats list", style="dim")
    if verdict.search:
        yield "", Text(plain(verdict.search), style="dim")


def _repair(verdict: EquationVerdict, repair: Repair, width: int, name: str) -> Iterator[Line]:
    edits = sorted(repair.edits, key=lambda edit: edit.span)
    one_line = ", ".join(plain(arrow(edit)) for edit in edits if spelt(edit))
    yield name, Text.assemble((changes(repair), "bold"), f": {one_line}" if one_line else "")
    latex, places = applied(verdict.latex, edits)
    if name == "proposed" and latex == repair.latex:
        for edit, at in zip(edits, places, strict=True):
            yield from _marked(verdict.latex, edit, latex, at, width)


def _marked(printed: str, edit: Edit, proposed: str, at: Span, width: int) -> Iterator[Line]:
    """Iterate over the lines that show an edit where it is made."""
    for latex, span, style in ((printed, edit.span, "red"), (proposed, at, "green")):
        yield from _place(latex, span, style, width)


def _place(latex: str, span: Span, style: str, width: int) -> Iterator[Line]:
    """Iterate over the lines that show a place, for a terminal of some width."""
    for line, carets in excerpt(latex, span, max(width - 2 * INDENT - NAMES - 1, 2 * NAMES)):
        yield "", Text(line, no_wrap=True)
        if carets:
            yield "", Text(carets, style=style, no_wrap=True)
