"""What stands behind the verdicts on a page, short enough for a referee's letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from freebody.checking.basis import Basis
from freebody.checking.report import DocumentReport, Report

if TYPE_CHECKING:
    from freebody.consistency.report import PageReport

SHOWN = 16
"""So many digits of a hash are printed; the whole is in JSON."""
ALONE = (
    "The page is held against itself alone: that an equation follows from others does not say that "
    "it is right."
)
TITLE = "What stands behind this"


def citation(document: DocumentReport) -> list[str]:
    """Return what stands behind the verdicts on a document, line by line."""
    if document.basis is None:
        return []
    proofs = Counter((one.status, one.proof) for one in document.equations)
    by_status: dict[str, list[str]] = {}
    for (status, proof), count in proofs.items():
        by_status.setdefault(status, []).append(f"{count} {proof}" if proof else f"{count}")
    verdicts = "; ".join(f"{status}: {', '.join(found)}" for status, found in by_status.items())
    left: dict[str, list[str]] = {}
    for one in document.equations:
        if not one.proof:
            left.setdefault(_one_line(one.note or one.status), []).append(one.label)
    passed = [*document.passed_over, *document.inline]
    return [
        *_head(document.basis),
        f"Verdicts, by proof: {verdicts or 'none'}.",
        *_symbols(document.basis.symbols),
        *_listed("Assumed", document.basis.assumptions),
        *_listed("Not judged", (f"{', '.join(of)} ({why})" for why, of in left.items())),
        *_listed("Passed over", (f"{one.place} ({one.reason})" for one in passed)),
    ]


def citations(report: Report) -> str:
    """Return what stands behind a report, as text."""
    blocks = (
        "\n".join([f"{TITLE}, of {one.document}:", *(f"  {line}" for line in citation(one))])
        for one in report.documents
        if one.basis
    )
    return "\n\n".join(blocks)


def citation_alone(page: PageReport) -> list[str]:
    """Return what stands behind the verdicts on a page that is held against itself."""
    if page.basis is None:
        return []
    judged = [one for one in page.equations if one.status != "unsupported"]
    proofs = Counter((one.status, one.proof) for one in judged)
    verdicts = "; ".join(
        f"{status} {proof}: {count}".replace("  ", " ")
        for (status, proof), count in sorted(proofs.items())
    )
    unread = [f"{one.label}, {one.place}" for one in page.equations if not one.is_read]
    return [
        *_head(page.basis),
        ALONE,
        f"Verdicts, by proof: {verdicts or 'none'}.",
        *_listed("Taken to move", page.moving),
        *_listed("Taken to be constant", page.constants),
        *_listed("Not read", unread),
        *_listed("Passed over", (f"{one.place} ({one.reason})" for one in page.passed_over)),
        *page.remarks,
    ]


def _head(basis: Basis) -> Iterator[str]:
    models = [f"model {name} (SHA-256 {of[:SHOWN]})" for name, of in basis.models.items()]
    page = [f"page of SHA-256 {basis.page_hash[:SHOWN]}"] if basis.page_hash else []
    yield f"freebody {basis.version}, {', '.join([*models, *page])}."


def _symbols(symbols: Mapping[str, str]) -> list[str]:
    return _listed("Read as", (f"{key} = {means}" for key, means in symbols.items()))


def _listed(head: str, entries: Iterable[str]) -> list[str]:
    message = "; ".join(entries)
    return [f"{head}: {message}."] if message else []


def _one_line(text: str) -> str:
    return " ".join(text.split())
