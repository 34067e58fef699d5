"""Repaired code, written beside the original."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from freebody.checking.findings import Edit
from freebody.checking.report import DocumentReport
from freebody.code.within import MOST_CHARACTERS, listings_within
from freebody.files import atomic_write, expect_writable, read_text

FIXED = ".fixed"


def fixed(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with edits made; of two that overlap, the first.

    Examples
    --------
    >>> fixed("a - b", [Edit((2, 3), "-", "+", "sign")])
    'a + b'
    """
    parts, done = list[str](), 0
    for edit in sorted(edits, key=lambda one: one.span):
        start, stop = edit.span
        if start >= done:
            parts += [text[done:start], edit.proposed]
            done = stop
    return "".join((*parts, text[done:]))


def write_fixed(report: DocumentReport) -> Path | None:
    """Write the repaired code of a file beside it, and return where; None without repairs.

    Raises
    ------
    FileError
        If it cannot be written; what is there already is not replaced.
    """
    if not report.edits:
        return None
    source = Path(report.source)
    path = _free(source)
    expect_writable(path)
    if source.suffix == ".ipynb":
        made = _notebook(source, report.edits)
    else:
        made = fixed(read_text(source), report.edits)
    with atomic_write(path) as temporary:
        temporary.write_text(made, encoding="utf-8")
    return path


def _notebook(source: Path, edits: Sequence[Edit]) -> str:
    """Return a notebook with edits made in its cells of code."""
    data = json.loads(read_text(source, MOST_CHARACTERS))
    (listing,) = listings_within(source)
    for name, (start, stop) in zip(listing.cells, listing.pieces, strict=True):
        inside = [
            replace(one, span=(one.span[0] - start, one.span[1] - start))
            for one in edits
            if start <= one.span[0] <= one.span[1] <= stop
        ]
        cell = data["cells"][int(name.removeprefix("cell ")) - 1]
        if inside:
            cell["source"] = fixed(listing.text[start:stop], inside).splitlines(keepends=True)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _free(source: Path) -> Path:
    """Return a name beside a file that no file has."""
    path, number = source.with_name(f"{source.stem}{FIXED}{source.suffix}"), 1
    while path.exists():
        number += 1
        path = source.with_name(f"{source.stem}{FIXED}{number}{source.suffix}")
    return path
