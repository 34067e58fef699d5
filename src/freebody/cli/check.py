"""Documents checked on the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from freebody.cli.output import console, progress_spinner

if TYPE_CHECKING:
    from freebody.checking import Report
    from freebody.checking.report import DocumentReport
    from freebody.consistency import AloneReport
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
@click.option(
    "--cite", is_flag=True,
    help="Close a table with what stands behind it; the other formats always do.",
)  # fmt: skip
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
    cite: bool,
    fix: bool,
    documents_only: bool,
) -> None:
    """Check printed equations, and code, against what is derived.

    A DOCUMENT is a page in Markdown, LaTeX, HTML, reStructuredText or a notebook, or code in
    Python, MATLAB, Julia, C or C++, which is read and never run; a page without front matter is
    held against itself; a MODEL stands for the documents
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
      freebody check page.md simulator.py --against double_pendulum
    """
    bare = _bare(targets, alone=alone, refuses=against is not None or fix, passes=documents_only)
    form = "json" if as_json else form
    _writable(output)
    others = tuple(one for one in targets if one not in bare)
    if bare and others and form == "html":
        raise click.UsageError("expected pages with front matter or without it, not both, in HTML")
    meant = _documents(others) if documents_only else others
    report = None if bare and not others else _checked(meant, not targets, against, jobs)
    held_alone = _check_alone(bare) if bare else None
    _write(report, held_alone, form, output, everything, cite)
    if held_alone and not alone and form == "table":
        _tell_of_models(held_alone)
    if report is None:
        raise SystemExit(held_alone.exit_code if held_alone else 0)
    if fix:
        _fix(report)
    if against is None:
        _tell_passed_over(meant)
    raise SystemExit(max(report.exit_code, held_alone.exit_code if held_alone else 0))


def _bare(targets: tuple[str, ...], *, alone: bool, refuses: bool, passes: bool) -> tuple[str, ...]:
    """Return the pages that are held against themselves."""
    from freebody.documents import is_bare

    if alone and not targets:
        raise click.UsageError("--alone is of pages: expected at least one")
    if alone and refuses:
        raise click.UsageError("--alone goes with neither --against nor --fix")
    if alone or refuses or passes:
        return targets if alone else ()
    return tuple(one for one in targets if is_bare(Path(one)))


def _checked(targets: tuple[str, ...], everything: bool, against: str | None, jobs: int) -> Report:
    """Check documents and code; all that is shipped where nothing is named."""
    from freebody.checking import Report
    from freebody.checking import check as check_all

    if not targets and not everything:
        return Report(())
    with progress_spinner("checking") as say:
        report = check_all(
            *targets, against=against, jobs=jobs, progress=lambda name: say(f"checking {name}")
        )
    return replace(report, documents=tuple(map(_with_contradictions, report.documents)))


def _with_contradictions(document: DocumentReport) -> DocumentReport:
    """Return a report that says what of its page contradicts itself, where the model says nothing.

    A page is held against itself where equations of it cannot be read with its symbols.
    """
    lines = {one.line for one in document.equations if one.status == "unreadable" and one.surprise}
    if document.language or not document.source or not lines:
        return document
    from freebody.consistency import alone

    (page,) = alone(document.source).documents
    found = (one for one in page.equations if one.status == "contradicts" and one.line in lines)
    remarks = tuple(f"by the page itself {one.label} {one}" for one in found)
    return replace(document, remarks=(*document.remarks, *remarks))


def _check_alone(pages: tuple[str, ...]) -> AloneReport:
    """Hold pages against themselves."""
    from freebody.consistency import alone

    with progress_spinner("checking") as say:
        report = alone(*pages, progress=lambda name: say(f"checking {name}"))
    for page in report.documents:
        if not any(one.is_read for one in page.equations):
            click.echo(f"Error: {page.source}: no equation on it that can be read", err=True)
    return report


def _tell_of_models(report: AloneReport) -> None:
    """Say what else can be done with pages of mechanisms."""
    for page in report.documents:
        if page.moving:
            click.echo(f"'freebody adopt {page.source}' looks for a model of it", err=True)


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


def _write(
    report: Report | None,
    held_alone: AloneReport | None,
    form: Format,
    output: Path | None,
    everything: bool,
    cite: bool,
) -> None:
    """Write a report on documents, and one on pages held against themselves."""
    from freebody.files import atomic_write
    from freebody.reporting import origins_of

    origins = [] if report is None or form in ("table", "json") else origins_of(report)
    if report is not None and form == "github":
        _add_to_step_summary(report, origins)
    if output is not None:
        with atomic_write(output) as temporary:
            text = _text(report, held_alone, form, origins, everything, cite)
            temporary.write_text(f"{text}\n", encoding="utf-8")
        click.echo(f"wrote {output}", err=True)
    elif report is not None and form == "table" and (terminal := console()).is_terminal:
        from freebody.reporting.terminal import show

        show(report, terminal, everything)
        if rest := _rest(report, held_alone, cite):
            click.echo(rest)
    else:
        click.echo(_text(report, held_alone, form, origins, everything, cite))


def _text(
    report: Report | None,
    held_alone: AloneReport | None,
    form: Format,
    origins: list[Origin],
    everything: bool,
    cite: bool,
) -> str:
    from freebody.reporting import written
    from freebody.reporting.alone import written_alone

    if held_alone is None:
        rest = _rest(report, held_alone, cite) if form == "table" else ""
        shown = written(report, form, origins, everything) if report is not None else ""
        return f"{shown}\n\n{rest}" if rest else shown
    if form == "json" and report is not None:
        both = {**report.as_json(), "alone": held_alone.as_json()["documents"]}
        return json.dumps(both, indent=2, ensure_ascii=False)
    blocks = [written(report, form, origins, everything)] if report is not None else []
    if form == "table":
        rest = _rest(report, held_alone, cite)
        blocks += [rest] if rest else []
    elif held_alone is not None:
        blocks.append(written_alone(held_alone, form))
    return "\n\n".join(blocks)


def _rest(report: Report | None, held_alone: AloneReport | None, cite: bool) -> str:
    """Return what stands behind a report, and the report on pages held against themselves."""
    from freebody.reporting.alone import written_alone
    from freebody.reporting.citation import citations

    blocks = [citations(report)] if report is not None and cite else []
    blocks += [written_alone(held_alone, "table", cite=cite)] if held_alone is not None else []
    return "\n\n".join(blocks)


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
