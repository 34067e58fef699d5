"""One page of a survey: what it says of itself, and beside the model that it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from freebody.checking.document import check_document
from freebody.checking.guesses import Guesses
from freebody.checking.report import DocumentReport, PassedOver
from freebody.consistency import PageReport, alone
from freebody.documents import Document, read_bare
from freebody.errors import fault
from freebody.recognition import Recognised, recognise_page
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.held import held
from freebody.recognition.symbols.model_symbols import model_symbols

Facts = dict[str, Any]
UNREAD = "it cannot be read"
MOST_TEXT = 400
"""Characters of a formula that are kept."""


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
    found = recognise_page(document, models)
    chapters = [(one.document, one.found) for one in found.chapters]
    every = (*found.whole.models, *(one for _, one in chapters))
    yield {"models": [*_models(every)], "no_model": found.whole.reason}
    if not found.whole.models:
        return
    held = [_held(*one) for one in ((found.document, found.whole.models[0]), *chapters)]
    standings = sum(
        (Counter(one.standing for one in each.guesses.symbols) for each in held), Counter[str]()
    )
    counts = sum((Counter(each.report.counts()) for each in held), Counter[str]())
    meanings = dict(chain.from_iterable(each.guesses.sure().items() for each in reversed(held)))
    yield {"symbols": {**standings}, "meanings": {key: str(one) for key, one in meanings.items()}}
    yield {
        "model_file": found.whole.models[0].made.text,
        "against": {**counts},
        "differences": [one for each in held for one in each.differences(is_meant=True)],
        "elsewhere": [one for each in held for one in each.differences(is_meant=False)],
    }


@dataclass(frozen=True, eq=False)
class _Held:
    """A page, or a chapter of one, held against its model."""

    found: Recognised
    guesses: Guesses
    report: DocumentReport
    beside: frozenset[str]

    def differences(self, *, is_meant: bool) -> Iterator[Facts]:
        """Iterate over what differs where the model is meant, or where it is not.

        What a model that is built of a page says against it is a contradiction of the page itself.
        """
        for one in _differences(self.report):
            if (one["label"] in self.beside) is is_meant:
                yield one


def _held(document: Document, found: Recognised) -> _Held:
    guesses = model_symbols(document, found)
    cases = held(document, found, guesses).displayed
    report = check_document(cases.declared(document, guesses.sure()), found.quantities)
    is_about = found.source is not None and len(found.fails) <= len(found.fits)
    beside = PageMotion(document.page).beside(found.fits) if is_about else frozenset[str]()
    return _Held(found, guesses, report, beside)


def _models(found: Iterable[Recognised]) -> Iterator[Facts]:
    for one in found:
        yield {
            "name": one.name,
            "varied": one.made.words,
            "fits": list(one.fits),
            "fails": list(one.fails),
        }


def _differences(report: DocumentReport) -> Iterator[Facts]:
    for one in report.equations:
        if one.status == "differs":
            terms = [f"{t.term}: printed {t.printed}, derived {t.derived}" for t in one.differences]
            yield {
                "label": one.label,
                "place": one.place,
                "latex": one.latex[:MOST_TEXT],
                "terms": terms[:4],
                "repairs": [repair.latex[:MOST_TEXT] for repair in one.repairs[:3]],
                "note": one.note,
            }
