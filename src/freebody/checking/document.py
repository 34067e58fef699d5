"""One document checked: the verdicts of all of its parts, and what is recorded for nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from freebody.checking.basis import basis_of
from freebody.checking.findings import SymbolFinding
from freebody.checking.meaning.assumptions import Assumptions, covers
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport, EquationVerdict, PassedOver, Undeclared
from freebody.checking.verdicts import Checker
from freebody.documents import Document
from freebody.documents.latex import LatexError, Unreadable
from freebody.documents.latex.names import index_letters
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.places import in_plain_letters, unread
from freebody.documents.latex.tree import Span
from freebody.errors import DocumentError, Problem, fault, nearest

INLINE = "in running text"
"""Why an equation is passed over where running text is not read."""


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
    checkers = checkers_of(document, models)
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
        introduced=tuple(dict.fromkeys(key for checker in checkers for key in checker.own)),
        remarks=tuple(page.remarks()),
        faults=faults,
        passed_over=tuple(_passed_over(document, checkers)),
        inline=tuple(_omitted(page, INLINE, (place.whole for place in unread(page)))),
        source=str(document.path),
        basis=basis_of(document, models),
    )


def _passed_over(document: Document, checkers: Iterable[Checker]) -> list[PassedOver]:
    """Return what looks like a formula and is not checked, in the order of the page."""
    page = document.page
    passed = {*page.passed, *(one for checker in checkers for one in checker.passed)}
    passed |= {*in_plain_letters(page)}
    return [
        one
        for start, stop, reason in sorted(passed)
        for one in _omitted(page, reason, [Span(start, stop)])
    ]


def _omitted(page: Page, reason: str, spans: Iterable[Span]) -> Iterator[PassedOver]:
    for span in spans:
        line, _ = page.position(span.start)
        yield PassedOver(page.place(line), line, page.text[span.start : span.stop], reason)


def failed_document(document: Document, message: str) -> DocumentReport:
    """Return what is said of a document that could not be checked, and why."""
    front = document.front
    source = str(document.path)
    faults = (message,)
    return DocumentReport(document.name, front.title, front.model, (), faults=faults, source=source)


def _definitions(checkers: Iterable[Checker]) -> tuple[SymbolFinding, ...]:
    return tuple(one for checker in checkers for one in checker.definitions())


def surprises_of(
    document: Document, quantities: Quantities, others: Mapping[str, Quantities]
) -> Iterator[EquationVerdict]:
    """Iterate over the equations of a document of which found and recorded do not agree."""
    models = {**others, document.front.model: quantities}
    for checker in checkers_of(document, models):
        yield from checker.surprises()


def checkers_of(document: Document, models: Mapping[str, Quantities]) -> list[Checker]:
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
    for label in (label for entry in document.front.equations for label in entry.labels):
        if label not in labels:
            message = f"{label} is declared an equation of motion, but there is no such equation"
            yield f"{message}{nearest(label, labels)}"
    for label in assumptions.labels():
        if not any(covers([label], one) for one in labels):
            yield f"{label} is assumed of, but there is no such equation{nearest(label, labels)}"


def _unused(document: Document, checkers: Sequence[Checker]) -> Iterator[str]:
    """Yield the symbols that are declared and do not occur where they are declared for.

    What stands in an equation that is not read may occur there.
    """
    unread = _unread(document, checkers)
    for symbol in document.front.symbols:
        if not any(symbol in checker.used for checker in checkers) and not unread(symbol):
            yield symbol
    for checker in checkers[1:]:
        own = (symbol for symbol in checker.part.own if symbol not in checker.used)
        yield from (symbol for symbol in own if not unread(symbol))


def _unread(document: Document, checkers: Iterable[Checker]) -> Callable[[str], bool]:
    """Return what tells whether a symbol is printed in what was not read."""
    page = document.page
    printed = (one for checker in checkers for one in checker.printed())
    texts = [one.latex for one in printed if isinstance(one, Unreadable)]
    texts += [page.text[one.start : one.stop] for checker in checkers for one in checker.passed]
    texts += [page.text[one.start : one.stop] for one in page.passed]
    texts += [page.text[place.whole.start : place.whole.stop] for place in unread(page)]
    printed_there = "\n".join(_expanded(page, text) for text in texts)
    letters = _compact(re.sub(r"\\[A-Za-z]+", "\n", printed_there))
    commands = _compact(printed_there)

    def occurs(symbol: str) -> bool:
        pattern = re.escape(_compact(_pattern(symbol)))
        text = commands if "\\" in symbol else letters
        return re.search(rf"{pattern}(?![A-Za-z])" if "\\" in symbol else pattern, text) is not None

    return occurs


def _expanded(page: Page, latex: str) -> str:
    try:
        return page.macros.without(latex)
    except LatexError:
        return latex


def _compact(latex: str) -> str:
    return re.sub(r"[ \t{}]", "", latex)


def _pattern(symbol: str) -> str:
    """Return what is printed of a symbol whatever its indices are."""
    return symbol.partition("_")[0] if index_letters(symbol) else symbol


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
