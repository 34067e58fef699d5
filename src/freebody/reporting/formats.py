"""The formats of a report, by name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from freebody.checking.report import Report
from freebody.reporting.origin import Origin

Format = Literal["table", "json", "markdown", "html", "github"]


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
