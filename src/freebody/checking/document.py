"""One document checked: the verdicts of all of its parts, and what is recorded for nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from freebody.checking.findings import Definition
from freebody.checking.meaning.assumptions import Assumptions, covers
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport, EquationVerdict, Undeclared
from freebody.checking.verdicts import Checker
from freebody.documents import Document
from freebody.errors import DocumentError, Problem, fault, nearest


def check_document(
    document: Document, quantities: Quantities, others: Mapping[str, Quantities] | None = None
) -> DocumentReport:
    """Check one document against the quantities of its model.

    Parameters
    ----------
    document : Document
    quantities : Quantities
        Of the model of the document.
    others : mapping of str to Quantities, optional
        Of the models that sections name.

    Raises
    ------
    DocumentError
        With all that is declared or recorded and makes no sense.
    """
    models = {**(others or {}), document.front.model: quantities}
    checkers = _checkers(document, models)
    verdicts = tuple(verdict for checker in checkers for verdict in checker.verdicts())
    front, page = document.front, document.page
    faults: tuple[str, ...] = ()
    try:
        misread = _definitions(checkers)
    except Exception as error:  # what would explain several equations is no part of their verdicts
        misread, faults = (), (fault(error),)
    return DocumentReport(
        document.name,
        front.title,
        front.model,
        verdicts,
        stale=tuple(_stale(document, checkers[0].assumptions, verdicts)),
        unused=(*_unused(document, checkers), *_unneeded(checkers)),
        definitions=misread,
        undeclared=tuple(_undeclared(document, checkers)),
        remarks=tuple(page.remarks()),
        faults=faults,
    )


def failed_document(document: Document, message: str) -> DocumentReport:
    """Return what is said of a document that could not be checked, and why."""
    front = document.front
    return DocumentReport(document.name, front.title, front.model, (), faults=(message,))


def _definitions(checkers: Iterable[Checker]) -> tuple[Definition, ...]:
    return tuple(one for checker in checkers for one in checker.definitions())


def surprises_of(
    document: Document, quantities: Quantities, others: Mapping[str, Quantities]
) -> Iterator[EquationVerdict]:
    """Iterate over the equations of a document of which found and recorded do not agree."""
    models = {**others, document.front.model: quantities}
    for checker in _checkers(document, models):
        yield from checker.surprises()


def _checkers(document: Document, models: Mapping[str, Quantities]) -> list[Checker]:
    """Return what checks each part, or raise all that is wrong with any of them."""
    assumptions = _assumptions(document, models)
    checkers, problems = list[Checker](), list[Problem]()
    for part in document.parts():
        try:
            checkers.append(Checker(document, models[part.model], part, assumptions[part.model]))
        except DocumentError as error:
            problems += error.problems
    if problems:
        raise DocumentError(str(document.path), list(dict.fromkeys(problems)))
    return checkers


def _assumptions(document: Document, models: Mapping[str, Quantities]) -> dict[str, Assumptions]:
    """Return the assumptions of a page for each of its models, without those about another.

    What makes sense for none is told of the page's own.
    """
    entries, page = document.front.assume, document.front.model
    wrong = {name: Assumptions(entries, own).wrong() for name, own in models.items()}
    nowhere = frozenset.intersection(*wrong.values())
    left = {**wrong, page: wrong[page] - nowhere}
    return {name: Assumptions(entries, own, left[name]) for name, own in models.items()}


def _unneeded(checkers: Sequence[Checker]) -> Iterator[str]:
    """Yield the paths of the assumptions that no equation needs."""
    assumptions = [checker.assumptions for checker in checkers]
    judged = set[int]().union(*(one.judged for one in assumptions))
    needed = set[int]().union(*(one.needed for one in assumptions))
    yield from (f"assume[{number}]" for number in sorted(judged - needed))


def _stale(
    document: Document, assumptions: Assumptions, verdicts: Sequence[EquationVerdict]
) -> Iterator[str]:
    """Yield what is recorded or assumed of equations that are not there."""
    labels = dict.fromkeys(verdict.label for verdict in verdicts)
    for label in document.front.labels():
        if label not in labels:
            yield f"{label} is recorded, but there is no such equation{nearest(label, labels)}"
    for label in assumptions.labels():
        if not any(covers([label], one) for one in labels):
            yield f"{label} is assumed of, but there is no such equation{nearest(label, labels)}"


def _unused(document: Document, checkers: Sequence[Checker]) -> Iterator[str]:
    """Yield the symbols that are declared and do not occur where they are declared for."""
    for symbol in document.front.symbols:
        if not any(symbol in checker.used for checker in checkers):
            yield symbol
    for checker in checkers[1:]:
        yield from (symbol for symbol in checker.part.own if symbol not in checker.used)


def _undeclared(document: Document, checkers: Sequence[Checker]) -> Iterator[Undeclared]:
    """Yield the symbols that are not declared, with the first place and the nearest that is."""
    first, counts = dict[str, Undeclared](), Counter[str]()
    for checker in checkers:
        known = checker.symbols.meanings
        for equation in checker.unreadable:
            place = document.page.place(equation.line)
            counts.update(equation.symbols)
            for symbol in equation.symbols:
                near = next(iter(get_close_matches(symbol, known, n=1)), "")
                first.setdefault(symbol, Undeclared(symbol, place, 0, near))
    yield from (replace(one, count=counts[one.symbol]) for one in first.values())
