"""The wrong terms of an equation as they are printed, each with what was found of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from freebody.checking.findings import Difference, Kind, PrintedTerm, Span
from freebody.checking.report import DocumentReport, EquationVerdict
from freebody.reporting.latex import joined
from freebody.reporting.words import KINDS, change


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


def _is_of(found: Difference, term: PrintedTerm) -> bool:
    """Whether something was found of a printed term: in its place, or what should be there."""
    if found.span is None:
        return found.kind == term.kind and found.kind not in ("missing", "term")
    return _meets(found.span, term.span)


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
    said = [change(edit) for edit in edits if edit.kind == kind and _meets(edit.span, span)]
    return ", ".join(dict.fromkeys(said or [KINDS[kind]]))


def marked_places(verdict: EquationVerdict) -> list[Span]:
    """Return the places of an equation that are to be marked as wrong."""
    return joined(wrong.span for wrong in wrong_terms(verdict) if wrong.span is not None)


def told_by_definitions(document: DocumentReport) -> set[str]:
    """Return the labels of the equations that a definition would mend."""
    return {label for definition in document.definitions for label in definition.fixes}
