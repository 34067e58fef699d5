"""A report where GitHub runs it: an annotation at each line, and Markdown for the summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from freebody.checking.report import DocumentReport, EquationVerdict, Report
from freebody.reporting.latex import plain, visible
from freebody.reporting.markdown import brief, markdown
from freebody.reporting.origin import Origin, with_origins
from freebody.reporting.words import changes, summary, wrong_terms

LIMIT = 1024 * 1024
"""How many bytes the summary of a step may have."""


def commands(report: Report, origins: Sequence[Origin] = ()) -> str:
    """Return the commands by which a workflow annotates files, and the closing line.

    Annotated is what keeps `freebody check` from exiting with 0.
    """
    lines = [
        line
        for document, origin in with_origins(report, origins)
        for line in _document(document, origin.file, report.graded)
    ]
    return "\n".join([*lines, summary(report) if report.documents else "no documents to check"])


def step_summary(report: Report, origins: Sequence[Origin] = ()) -> str:
    """Return the Markdown for the summary of a step, which has a largest size."""
    whole = markdown(report, origins)
    return whole if len(whole.encode()) < LIMIT else brief(report)


def _document(document: DocumentReport, name: str, graded: bool) -> Iterator[str]:
    file = relative(name)
    for verdict in document.equations:
        if verdict.news or (graded and verdict.status == "differs"):
            title = f"{verdict.label} {verdict.status}"
            yield command(_annotation_text(verdict), file=file, line=str(verdict.line), title=title)
    entries = document.faults if graded else (*document.stale, *document.faults)
    yield from (command(entry, file=file) for entry in entries)


def _annotation_text(verdict: EquationVerdict) -> str:
    """Return the text of an equation's annotation."""
    messages = [messages for messages in (verdict.surprise, verdict.fault) if messages]
    messages += [
        ": ".join(filter(None, (plain(wrong.latex.strip()), wrong.off)))
        for wrong in wrong_terms(verdict)
        if wrong.latex
    ]
    if verdict.repairs:
        messages.append(
            f"proposed ({changes(verdict.repairs[0])}): {plain(verdict.repairs[0].latex)}"
        )
    if verdict.carried_from:
        messages.append(f"carried on from {verdict.carried_from}")
    return "\n".join(messages) or "differs from what is derived"


def relative(file: str) -> str:
    """Return a path as GitHub knows it: from where the command runs."""
    if not file:
        return ""
    path = Path(file).resolve()
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else file


def command(message: str, **properties: str) -> str:
    r"""Return a workflow command.

    Examples
    --------
    >>> command("50% off\nor more", file="a,b.md", line="3")
    '::error file=a%2Cb.md,line=3::50%25 off%0Aor more'
    """
    where = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::error {where}::{_data(message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
