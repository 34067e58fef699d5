"""One page of a survey: what it says of itself, and beside the model that it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from freebody.checking.document import check_document
from freebody.checking.report import DocumentReport, PassedOver
from freebody.consistency import PageReport, alone
from freebody.documents import Document, read_bare
from freebody.documents.document import Meaning
from freebody.errors import fault
from freebody.recognition import Recognition, recognise, understood
from freebody.recognition.pages import PageMotion

Facts = dict[str, Any]
UNREAD = "it cannot be read"
UNDRIVEN = "it holds where what acts in the model is zero, which may be the case that is meant"
MOST_TEXT = 400
"""Characters of a formula that are kept."""
_NAMES = re.compile(r"[A-Za-z_]\w*")


def looked_at(path: Path, models: Path | None, tell: Callable[[Facts], None]) -> None:
    """Look at a page, and tell facts of it as they are found.

    What goes wrong in one part of it is told of that part.

    Parameters
    ----------
    path : Path
    models : Path or None
        A folder with models to try besides the shipped ones.
    tell : callable
        Is given one part of what is said of the page after another.
    """
    for part in (_alone, _with_model):
        try:
            for facts in part(path, models):
                tell(facts)
        except Exception as error:  # what goes wrong in one part is told of that one
            tell({"failure": fault(error)})
            if part is _alone:
                return


def _alone(path: Path, _: Path | None) -> Iterator[Facts]:
    (report,) = alone(path).documents
    read = [one for one in report.equations if not one.reason.startswith(UNREAD)]
    yield {
        "equations": len(report.equations),
        "read": len(read),
        "passed_over": dict(Counter(one.reason for one in report.passed_over)),
        "alone": {**report.counts()},
        "contradictions": [*_contradictions(report)],
        "unread": [*_unread(report), *_passed(report.passed_over)],
    }


def _contradictions(report: PageReport) -> Iterator[Facts]:
    for one in report.equations:
        if one.status == "contradicts":
            found = one.as_json()
            kept = {key: found[key] for key in ("label", "place", "with", "wrong", "reason")}
            repairs = [repair.latex[:MOST_TEXT] for repair in one.repairs[:3]]
            yield {**kept, "latex": one.latex[:MOST_TEXT], "repairs": repairs}


def _unread(report: PageReport) -> Iterator[Facts]:
    for one in report.equations:
        if one.reason.startswith(UNREAD):
            yield {"place": one.place, "latex": one.latex[:MOST_TEXT], "reason": one.reason}


def _passed(passed: tuple[PassedOver, ...]) -> Iterator[Facts]:
    for one in passed:
        yield {"place": one.place, "latex": one.latex[:MOST_TEXT], "reason": one.reason}


def _with_model(path: Path, models: Path | None) -> Iterator[Facts]:
    document = read_bare(path, "none")
    found = recognise(document, models)
    yield {"models": [*_models(found)], "no_model": found.reason}
    if not found.models:
        return
    best = found.models[0]
    guesses = understood(document, best)
    sure = guesses.sure()
    standings = Counter(one.standing for one in guesses.symbols)
    yield {"symbols": {**standings}, "meanings": {key: str(one) for key, one in sure.items()}}
    report = check_document(_declaring(document, sure), best.quantities)
    # What a model that is built of a page says against it is a contradiction of the page itself.
    is_about = best.source is not None and len(best.fails) <= len(best.fits)
    beside = PageMotion(document.page).beside(best.fits) if is_about else frozenset[str]()
    differences = [*_differences(report, frozenset(best.quantities.mechanism.model.inputs))]
    is_meant = [one["label"] in beside and one["note"] != UNDRIVEN for one in differences]
    yield {
        "model_file": best.made.text,
        "against": {**report.counts()},
        "differences": [one for one, meant in zip(differences, is_meant, strict=True) if meant],
        "elsewhere": [one for one, meant in zip(differences, is_meant, strict=True) if not meant],
    }


def _models(found: Recognition) -> Iterator[Facts]:
    for one in found.models:
        yield {
            "name": one.name,
            "varied": one.made.words,
            "fits": list(one.fits),
            "fails": list(one.fails),
        }


def _declaring(document: Document, symbols: dict[str, Meaning]) -> Document:
    declared = {**symbols, **document.front.symbols}
    return replace(document, front=document.front.model_copy(update={"symbols": declared}))


def _differences(report: DocumentReport, inputs: frozenset[str]) -> Iterator[Facts]:
    """Iterate over what differs; where it is what acts that an equation leaves out, with that."""
    for one in report.equations:
        if one.status == "differs":
            is_undriven = all(
                t.printed == "0" and not inputs.isdisjoint(_NAMES.findall(t.term))
                for t in one.differences
            )
            terms = [f"{t.term}: printed {t.printed}, derived {t.derived}" for t in one.differences]
            yield {
                "label": one.label,
                "place": one.place,
                "latex": one.latex[:MOST_TEXT],
                "terms": terms[:4],
                "repairs": [repair.latex[:MOST_TEXT] for repair in one.repairs[:3]],
                "note": UNDRIVEN if is_undriven and one.differences else one.note,
            }
