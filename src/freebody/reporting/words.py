"""The words in which a report says how something is off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from freebody.checking.findings import (
    Difference,
    Edit,
    Kind,
    PrintedTerm,
    Repair,
    Span,
    SymbolFinding,
)
from freebody.checking.report import (
    STATUSES,
    DocumentReport,
    EquationVerdict,
    Report,
    Status,
    Undeclared,
)
from freebody.reporting.grading import grade
from freebody.reporting.latex import joined

KINDS: Mapping[Kind, str] = {
    "sign": "the sign",
    "factor": "a factor",
    "function": "another function",
    "index": "an index",
    "angle": "an angle",
    "symbol": "another symbol",
    "power": "a power",
    "dot": "a dot",
    "bracket": "a bracket",
    "missing": "missing",
    "extra": "extra",
    "term": "not as derived",
}
"""How a term is off, by the kind of what is wrong with it."""

FUNCTIONS: Mapping[str, str] = {
    "sin": "sine",
    "cos": "cosine",
    "tan": "tangent",
    "cot": "cotangent",
    "sinh": "hyperbolic sine",
    "cosh": "hyperbolic cosine",
}
GRADES: Mapping[Status, str] = {
    "holds": "right",
    "differs": "wrong",
    "unreadable": "unreadable",
    "failed": "failed",
    "not checked": "not checked",
}
"""What a verdict is called where a page is graded."""


def verdict_word(status: Status, graded: bool) -> str:
    """Return what a verdict is called in a check, or in a grading."""
    return GRADES[status] if graded else status


def change(edit: Edit) -> str:
    r"""Return what an edit does, in words.

    Examples
    --------
    >>> change(Edit((0, 4), r"\cos", r"\sin", "function"))
    'cosine for sine'
    >>> change(Edit((0, 1), "-", "+", "sign"))
    'the sign'
    """
    printed, proposed = (
        FUNCTIONS.get(text.strip().lstrip("\\")) for text in (edit.printed, edit.proposed)
    )
    return f"{printed} for {proposed}" if printed and proposed else KINDS[edit.kind]


def arrow(edit: Edit, nothing: str = "nothing") -> str:
    """Return an edit on one line.

    Examples
    --------
    >>> arrow(Edit((0, 1), "-", "+", "sign"))
    '- → +'
    >>> arrow(Edit((3, 3), "", "2", "factor"))
    'nothing → 2'
    """
    return f"{edit.printed.strip() or nothing} → {edit.proposed.strip() or nothing}"


def changes(repair: Repair) -> str:
    """Return all that a repair changes, in words."""
    return ", ".join(dict.fromkeys(change(edit) for edit in repair.edits))


SHORT = 60


def spelt(edit: Edit) -> bool:
    """Whether an edit is worth spelling out beside its words: none that they say in full."""
    return change(edit) in KINDS.values() and len(edit.printed + edit.proposed) <= SHORT


def coefficients(difference: Difference) -> str:
    """Return what is printed and what is derived.

    Examples
    --------
    >>> coefficients(Difference("", "m*g", "1", "2"))
    'm*g: printed 1, derived 2'
    """
    place = f"{difference.entry} {difference.term}".strip() or "the whole"
    return f"{place}: printed {difference.printed}, derived {difference.derived}"


def reading(definition: SymbolFinding) -> str:
    """Return what another meaning of a symbol would do.

    Examples
    --------
    >>> reading(SymbolFinding("d_S", "dS", "dS - d3", ("(42)", "(43)")))
    'reading d_S as dS - d3 makes (42), (43) hold'
    """
    sentence = (
        f"reading {definition.symbol} as {definition.proposed} makes "
        f"{', '.join(definition.fixes)} hold"
    )
    if not definition.breaks:
        return sentence
    one = len(definition.breaks) == 1
    return f"{sentence}; {', '.join(definition.breaks)} then {'does' if one else 'do'} not"


def place(verdict: EquationVerdict) -> str:
    """Return where an equation stands."""
    return verdict.place or f"line {verdict.line}"


def proof(verdict: EquationVerdict) -> str:
    """Return by what kind of proof a verdict was come to; nothing where it was not judged."""
    return verdict.proof if verdict.status in ("holds", "differs") else ""


def summary(report: Report) -> str:
    """Return the line that closes a report."""
    left = "".join(f"; {one}" for one in _left(report))
    if report.graded:
        return f"{grade(report.documents, 'all pages').sentence()}{left}."
    counts = {
        status: sum(document.counts()[status] for document in report.documents)
        for status in STATUSES
    }
    if not any(counts.values()):
        return f"no equation was checked{left}."
    total = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    verdict = (
        "everything that was found is recorded, and everything recorded was found"
        if report.agrees
        else f"{len(report.surprises())} do not agree with what is recorded"
    )
    return f"{sum(counts.values())} equations: {total}{left}; {verdict}."


def _left(report: Report) -> Iterator[str]:
    """Yield how much of the pages looks like a formula and is not checked."""
    passed = sum(len(document.passed_over) for document in report.documents)
    inline = sum(len(document.inline) for document in report.documents)
    if passed:
        yield f"{_counted(passed, 'formula')} passed over"
    if inline:
        yield f"{_counted(inline, 'equation')} in running text not read"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def passed_over(document: DocumentReport) -> Iterator[str]:
    """Yield what looks like a formula on a page and is not checked, with the reason."""
    for formula in document.passed_over:
        latex = " ".join(formula.latex.split())
        shown = latex if len(latex) <= SHORT else f"{latex[: SHORT - 3]}..."
        yield f"{formula.place}: passed over, {formula.reason}: {shown}"
    if document.inline:
        yield (
            f"{_counted(len(document.inline), 'equation')} in running text not read, first in "
            f"{document.inline[0].place}: 'inline = true' in the front matter has them checked"
        )


def remarks(document: DocumentReport) -> list[str]:
    """Return the remarks on a page as a whole."""
    notes = [*document.faults, *map(undeclared, document.undeclared)]
    notes += [
        *map(str, document.contradictions),
        *document.stale,
        *document.remarks,
        *passed_over(document),
    ]
    if document.unused:
        notes.append(f"declared, but not used: {', '.join(document.unused)}")
    return notes


def undeclared(symbol: Undeclared) -> str:
    """Return where an undeclared symbol occurs.

    Examples
    --------
    >>> undeclared(Undeclared("F_x", "line 12", 3, "F_{x1}"))
    "'F_x' is not declared: first in line 12, in 3 equations; did you mean 'F_{x1}'?"
    """
    equations = "1 equation" if symbol.count == 1 else f"{symbol.count} equations"
    message = f"'{symbol.symbol}' is not declared: first in {symbol.place}, in {equations}"
    return f"{message}; did you mean '{symbol.nearest}'?" if symbol.nearest else message


def for_undeclared(document: DocumentReport) -> list[EquationVerdict]:
    """Return the equations that cannot be read for an undeclared symbol alone."""
    starts = tuple(f"'{symbol.symbol}' is not declared" for symbol in document.undeclared)
    return [
        verdict
        for verdict in document.equations
        if starts and verdict.status == "unreadable" and verdict.surprise.startswith(starts)
    ]


Shared = Mapping[tuple[str, ...], list[str]]
"""Readings that equations share, by the labels of these."""


def apart(document: DocumentReport) -> tuple[DocumentReport, Shared]:
    """Return a report whose equations keep the readings that are theirs alone, and the others."""
    groups: dict[str, list[str]] = {}
    for verdict in document.equations:
        for taken in dict.fromkeys(verdict.readings):
            groups.setdefault(taken, []).append(verdict.label)
    shared = {taken: labels for taken, labels in groups.items() if len(labels) > 1}
    equations = (
        replace(verdict, readings=tuple(one for one in verdict.readings if one not in shared))
        for verdict in document.equations
    )
    by_labels: dict[tuple[str, ...], list[str]] = {}
    for taken, labels in shared.items():
        by_labels.setdefault(tuple(labels), []).append(taken)
    return replace(document, equations=tuple(equations)), by_labels


# ------------------------------------------------------------------ what is wrong


@dataclass(frozen=True, slots=True)
class WrongTerm:
    """A term that is not as it should be.

    Attributes
    ----------
    latex : str
        As printed; empty where it is not known which printed term it is, or where there is none.
    span : tuple of int, optional
        Where it stands.
    off : str
        How it is off, in words.
    differences : tuple of Difference
        What was found of it.
    """

    latex: str
    span: Span | None
    off: str
    differences: tuple[Difference, ...]


def wrong_terms(verdict: EquationVerdict) -> tuple[WrongTerm, ...]:
    """Return the wrong terms of an equation, in the order of the page, and then what is missing.

    Examples
    --------
    >>> difference = Difference("", "m*g", "1", "-1", "sign", (4, 8))
    >>> equation = EquationVerdict("(1)", 3, "F = m g", "differs", differences=(difference,))
    >>> [(wrong.latex, wrong.off) for wrong in wrong_terms(equation)]
    [('m g', 'the sign')]
    """
    return tuple(sorted(_wrong(verdict), key=_order))


def _order(wrong: WrongTerm) -> Span:
    return wrong.span or (len(wrong.latex) + 10**9, 0)


def _wrong(verdict: EquationVerdict) -> Iterator[WrongTerm]:
    left = list(verdict.differences)
    for term in verdict.terms:
        if term.verdict != "right":
            own = [found for found in left if _is_of(found, term)]
            left = [found for found in left if found not in own]
            yield WrongTerm(term.latex, term.span, _off(verdict, term), tuple(own))
    for span, kind in dict.fromkeys((found.span, found.kind) for found in left):
        same = tuple(found for found in left if (found.span, found.kind) == (span, kind))
        latex = verdict.latex[slice(*span)] if span else ""
        yield WrongTerm(latex, span, _words(verdict, kind, span), same)


def _is_of(difference: Difference, term: PrintedTerm) -> bool:
    """Whether something was found of a printed term: in its place, or what should be there."""
    if difference.span is None:
        return difference.kind == term.kind and difference.kind not in ("missing", "term")
    return _meets(difference.span, term.span)


def _meets(span: Span, other: Span) -> bool:
    return span[0] < other[1] and other[0] < span[1]


def _off(verdict: EquationVerdict, term: PrintedTerm) -> str:
    """Return how a printed term is off."""
    kind: Kind = term.kind or ("extra" if term.verdict == "extra" else "term")
    words = _words(verdict, kind, term.span)
    return ", ".join(filter(None, (words, term.dimension and f"its unit is {term.dimension}")))


def _words(verdict: EquationVerdict, kind: Kind, span: Span | None) -> str:
    """Return how a place is off, as the first repair says it where it changes that place."""
    if span is None:
        return "" if kind == "term" else KINDS[kind]
    edits = verdict.repairs[0].edits if verdict.repairs else ()
    changes = [change(edit) for edit in edits if edit.kind == kind and _meets(edit.span, span)]
    return ", ".join(dict.fromkeys(changes or [KINDS[kind]]))


def marked_places(verdict: EquationVerdict) -> list[Span]:
    """Return the places of an equation that are to be marked as wrong."""
    return joined(wrong.span for wrong in wrong_terms(verdict) if wrong.span is not None)


def mended_by_definitions(document: DocumentReport) -> set[str]:
    """Return the labels of the equations that a definition would mend."""
    return {label for definition in document.definitions for label in definition.fixes}
