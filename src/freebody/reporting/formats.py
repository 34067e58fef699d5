"""The formats of a report, by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from freebody.arguments import checked
from freebody.checking.report import Report
from freebody.files import atomic_write, expect_ending
from freebody.reporting.origin import Origin, origins_of

Format = Literal["table", "json", "markdown", "html", "github"]
ENDINGS: Mapping[str, Format] = {
    ".html": "html",
    ".json": "json",
    ".md": "markdown",
    ".txt": "table",
}
"""What a report is written as, by the name of the file."""


@checked
def save(report: Report, path: str | Path, *, everything: bool = False) -> None:
    """Write a report to a ``.html``, ``.md``, ``.json`` or ``.txt`` file.

    Parameters
    ----------
    report : Report
        What `freebody.check` gives.
    path : str or Path
    everything : bool, optional
        Whether a ``.txt`` file has the equations that hold as well; the others always have them.

    Raises
    ------
    FileError
        If the ending is another, or the file cannot be written; nothing is half-written then.
    """
    path = Path(path)
    expect_ending(path, tuple(ENDINGS))
    text = written(report, ENDINGS[path.suffix], origins_of(report), everything)
    with atomic_write(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")


def written(
    report: Report,
    form: Format,
    origins: Sequence[Origin] = (),
    everything: bool = False,
) -> str:
    """Return a report as text, without the end of its last line.

    Parameters
    ----------
    report : Report
    form : {"table", "json", "markdown", "html", "github"}
    origins : sequence of Origin
        Where its documents are printed, in their order.
    everything : bool, optional
        Whether a table has the equations that hold as well; the other formats always have them.

    Examples
    --------
    >>> print(written(Report(()), "json"))
    {
      "documents": [],
      "graded": false
    }
    """
    if form == "json":
        return json.dumps(report.as_json(), indent=2, ensure_ascii=False)
    if form == "html":
        from freebody.reporting.html import html

        return html(report, origins).rstrip("\n")
    if form == "markdown":
        from freebody.reporting.markdown import markdown

        return markdown(report, origins).rstrip("\n")
    if form == "github":
        from freebody.reporting.github import commands

        return commands(report, origins)
    from freebody.reporting.terminal import text

    return text(report, everything).rstrip("\n")
