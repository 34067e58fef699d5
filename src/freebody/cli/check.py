"""Documents checked on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from freebody.cli.output import console, print_json, table

if TYPE_CHECKING:
    from rich.table import Table

    from freebody.checking import EquationVerdict, Report
    from freebody.checking.report import DocumentReport

STYLES = {"holds": "green", "differs": "red", "unreadable": "magenta", "not checked": "dim"}


@click.command()
@click.argument("targets", nargs=-1, metavar="[MODEL or DOCUMENT]...")
@click.option("--all", "everything", is_flag=True, help="Show the equations that hold as well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(targets: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Check printed equations against what is derived.

    A DOCUMENT is a .md file; a MODEL stands for the documents in its folder; nothing stands for
    all shipped models. Exits with 0 where all that is found is recorded in the document and all
    that is recorded is found, with 1 where not, with 2 where something cannot be read.

    \b
    Example:
      freebody check three_link_arm
    """
    from freebody.checking import check as check_all

    report = check_all(*targets)
    if as_json:
        print_json(report.as_json())
    else:
        _show(report, everything)
    raise SystemExit(report.exit_code)


def _show(report: Report, everything: bool) -> None:
    out = console()
    for document in report.documents:
        out.print(f"[bold]{document.title}[/bold]  ({document.document}, model {document.model})")
        rows = table("equation", "verdict", "term, and what is recorded", "printed", "derived")
        for verdict in document.equations:
            if everything or verdict.status != "holds" or verdict.recorded or verdict.surprise:
                _add(rows, verdict)
        if rows.row_count:
            out.print(rows)
        _remarks(document)
    if not report.documents:
        click.echo("no documents to check")
        return
    click.echo(_summary(report))


def _add(rows: Table, verdict: EquationVerdict) -> None:
    from rich.markup import escape
    from rich.text import Text

    cells = [
        (f"{difference.entry} {difference.term}".strip(), difference.printed, difference.derived)
        for difference in verdict.differences
    ]
    if verdict.recorded:
        cells.append((verdict.note, "", ""))
    first = [escape(verdict.label), Text(verdict.status, style=STYLES[verdict.status])]
    for number, (text, printed, derived) in enumerate(cells or [("", "", "")]):
        noted = verdict.recorded and number == len(cells) - 1
        what = Text(text, style="italic dim" if noted else "")
        rows.add_row(*(first if number == 0 else ("", "")), what, printed, derived)


def _remarks(document: DocumentReport) -> None:
    for verdict in document.equations:
        if verdict.surprise:
            click.echo(f"  {verdict.label}, line {verdict.line}: {verdict.surprise}")
            if verdict.status == "unreadable" and verdict.note != verdict.surprise:
                click.echo("\n".join(f"    {line}" for line in verdict.note.splitlines()[1:]))
    for entry in document.stale:
        click.echo(f"  {entry}")
    if document.unused:
        click.echo(f"  declared, but not used: {', '.join(document.unused)}")


def _summary(report: Report) -> str:
    from freebody.checking.report import STATUSES

    counts = {
        status: sum(document.counts()[status] for document in report.documents)
        for status in STATUSES
    }
    total = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    verdict = (
        "everything that was found is recorded, and everything recorded was found"
        if report.agrees
        else f"{len(report.surprises())} do not agree with what is recorded"
    )
    return f"{sum(counts.values())} equations: {total}; {verdict}."
