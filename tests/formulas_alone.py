"""What is said of formulas that stand on a page of their own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import freebody
from freebody.consistency.report import StatementVerdict


def verdicts(folder: Path, formulas: Iterable[str], words: str = "") -> dict[str, StatementVerdict]:
    """Return what each formula of a page follows from or contradicts, by labels."""
    page = folder / "page.md"
    page.write_text("\n\n".join([words, *(f"$${one}$$" for one in formulas)]), encoding="utf-8")
    (report,) = freebody.alone(page).documents
    return {one.label: one for one in report.equations}
