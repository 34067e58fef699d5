"""Documents checked on the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from freebody.cli.output import console, progress_spinner

if TYPE_CHECKING:
    from freebody.checking import Report
    from freebody.reporting import Format, Origin

FORMATS = ("table", "json", "markdown", "html", "github")


@click.command()
@click.argument("targets", nargs=-1, metavar="[MODEL or DOCUMENT]...")
@click.option("--all", "everything", is_flag=True, help="Show the equations that hold as well.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
    help="How the report is written; github: annotations, and the summary of a workflow step.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON: short for --format json.")
@click.option("-o", "--output", type=Path, help="Write the report to a file.")
@click.option(
    "--against", metavar="MODEL or DOCUMENT",
    help="Grade pages, which need no front matter, against this model or document.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(min=0), default=0, show_default="one on each core",
    help="How many processes many pages are shared among.",
)  # fmt: skip
@click.option(
    "--alone", is_flag=True,
    help="Hold pages against themselves: no model, no table of symbols, nothing prepared.",
)  # fmt: skip
@click.option("--inline", is_flag=True, help="With --alone: read running text as well.")
@click.option("--fix", is_flag=True, help="Write repaired code beside the original.")
@click.option("--documents-only", is_flag=True, help="Pass over files without front matter.")
def check(
    targets: tuple[str, ...],
    everything: bool,
    form: Format,
    as_json: bool,
    output: Path | None,
    against: str | None,
    jobs: int,
    alone: bool,
    inline: bool,
    fix: bool,
    documents_only: bool,
) -> None:
    """Check printed equations, and code, against what is derived.

    A DOCUMENT is a page in Markdown, LaTeX, HTML, reStructuredText or a notebook, or code in
    Python, MATLAB, Julia, C or C++, which is read and never run; a MODEL stands for the documents
    in its folder; nothing stands for all shipped models. Exits with 0 where all that is found is
    recorded in the document and all that is recorded is found, with 1 where not, with 2 where
    something cannot be read.

    \b
    Examples:
      freebody check three_link_arm
      freebody check paper.tex --format html -o paper.html
      freebody check homework/*.md --against pendulum
      freebody check paper.html --alone
      freebody check simulator.py --against double_pendulum --fix
    """
    if inline and not alone:
        raise click.UsageError("--inline goes with --alone; else front matter says inline = true")
    if alone:
        _check_alone(targets, "json" if as_json else form, output, inline, against)
    from freebody.checking import Report
    from freebody.checking import check as check_all

    form = "json" if as_json else form
    _writable(output)
    meant = _documents(targets) if documents_only else targets
    with progress_spinner("checking") as say:
        checked = partial(
            check_all, against=against, jobs=jobs, progress=lambda name: say(f"checking {name}")
        )
        report = checked(*meant) if meant or not targets else Report(())
    _write(report, form, output, everything)
    if fix:
        _fix(report)
    if against is None:
        _tell_passed_over(meant)
    raise SystemExit(report.exit_code)


def _check_alone(
    pages: tuple[str, ...], form: str, output: Path | None, inline: bool, against: str | None
) -> None:
    """Hold pages against themselves, and exit."""
    import json

    from freebody.consistency import alone
    from freebody.files import atomic_write

    if not pages:
        raise click.UsageError("--alone is of pages: expected at least one")
    if against is not None or form not in ("table", "json"):
        raise click.UsageError("--alone goes with --json, --inline and --output alone")
    _writable(output)
    with progress_spinner("checking") as say:
        report = alone(*pages, inline=inline, progress=lambda name: say(f"checking {name}"))
    text = json.dumps(report.as_json(), indent=2) if form == "json" else str(report)
    if output is not None:
        with atomic_write(output) as temporary:
            temporary.write_text(f"{text}\n", encoding="utf-8")
        click.echo(f"wrote {output}", err=True)
    else:
        click.echo(text)
    raise SystemExit(report.exit_code)


def _fix(report: Report) -> None:
    """Write the repaired code of each file beside it."""
    from freebody.checking.code.fixing import write_fixed

    for document in report.documents:
        path = write_fixed(document)
        if path is not None:
            click.echo(f"wrote {path}", err=True)


def _writable(output: Path | None) -> None:
    """Refuse what cannot be written before anything is checked."""
    from freebody.files import expect_writable

    if output is not None:
        expect_writable(output)


def _write(report: Report, form: Format, output: Path | None, everything: bool) -> None:
    from freebody.files import atomic_write
    from freebody.reporting import origins_of, written

    origins = [] if form in ("table", "json") else origins_of(report)
    if form == "github":
        _add_to_step_summary(report, origins)
    if output is not None:
        with atomic_write(output) as temporary:
            text = written(report, form, origins, everything)
            temporary.write_text(f"{text}\n", encoding="utf-8")
        click.echo(f"wrote {output}", err=True)
    elif form == "table" and (terminal := console()).is_terminal:
        from freebody.reporting.terminal import show

        show(report, terminal, everything)
    else:
        click.echo(written(report, form, origins, everything))


def _add_to_step_summary(report: Report, origins: list[Origin]) -> None:
    """Add the report to the summary that the runner of a workflow shows, where there is one."""
    from freebody.files import FileError
    from freebody.reporting.github import step_summary

    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if not summary:
        return
    try:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(step_summary(report, origins))
    except OSError as error:
        raise FileError(Path(summary), f"cannot be written: {error.strerror}") from None


# ---------------------------------------------------------------------- files that are passed over


def _tell_passed_over(targets: Iterable[str]) -> None:
    """Tell which files beside the models that are meant are no documents of freebody."""
    from freebody.checking.check import ENDINGS
    from freebody.code import ENDINGS as CODE
    from freebody.documents import passed_over
    from freebody.model import load

    for target in targets:
        is_file = Path(target).suffix in (*ENDINGS, *CODE)
        source = None if is_file else load(target).source
        for path in passed_over(source) if source else ():
            message = "its front matter names neither a model nor symbols nor a page"
            click.echo(f"passed over {path}: {message}", err=True)


def _documents(targets: Iterable[str]) -> tuple[str, ...]:
    """Return the targets but for files that are no documents, each document once."""
    groups = (_document(target) for target in targets)
    return tuple(dict.fromkeys(one for one in groups if one is not None))


def _document(target: str) -> str | None:
    """Return the document that a file is or belongs to, or None where there is none."""
    from freebody.code import ENDINGS as CODE
    from freebody.code.listings import read_listing
    from freebody.documents import is_of_a_document, read_document
    from freebody.documents.sources import PAGES, read_source
    from freebody.errors import DocumentError

    path = Path(target)
    if path.suffix in CODE and path.is_file():
        return target if read_listing(path).front.model else None
    if path.suffix not in (".md", *PAGES) or not path.is_file():
        return target
    try:
        front = read_source(path).front
    except DocumentError:
        return None
    if front is not None:
        return target if is_of_a_document(front) else None
    if path.suffix == ".md":
        return None
    try:
        return str(read_document(path).path)
    except DocumentError as error:
        return None if error.source == target else target
