"""Pages and code side by side: which equation and which line state the same, and disagree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from freebody.algebra.domains import UndecidedError
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.terms import TooLargeError
from freebody.checking.document import checkers_of
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import Pair, pairs
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import Contradiction, DocumentReport, StatedQuantity
from freebody.documents import Document
from freebody.documents.latex import Relation
from freebody.errors import FreebodyError

POINTS = 2
"""At how many random points an equation is recognised."""
ROWS = ("G", "C", "E", "gravity", "bias", "forcing", "tau")
"""Entries of vectors that stand in one equation of motion."""


def with_statements(
    report: DocumentReport,
    document: Document,
    quantities: Quantities,
    others: Mapping[str, Quantities] | None = None,
) -> DocumentReport:
    """Return the report on a page with the quantities that its equations state."""
    verdicts = {one.label: one for one in report.equations}
    found = [
        StatedQuantity(label, verdicts[label].place, key, verdicts[label].status == "holds")
        for label, key in _stated(document, quantities, others or {})
        if label in verdicts and verdicts[label].status in ("holds", "differs")
    ]
    return replace(report, statements=tuple(dict.fromkeys(found)))


def _stated(
    document: Document, quantities: Quantities, others: Mapping[str, Quantities]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    points = _points(quantities)
    checkers = checkers_of(document, {**others, document.front.model: quantities})
    for checker in (one for one in checkers if one.quantities is quantities):
        for relation in checker.printed():
            if not isinstance(relation, Relation):
                continue
            try:
                scalars = pairs(Evaluator(checker.symbols), relation)
                for pair in scalars:
                    yield from ((relation.label, key) for key in _keys(pair, quantities, points))
            except (FreebodyError, TooLargeError, NoRootError, UndecidedError, ZeroDivisionError):
                continue


def _points(quantities: Quantities) -> list[Any]:
    from freebody.checking.code.reference import DerivedAtPoint

    return [DerivedAtPoint(quantities, FieldPoint(seed), {}) for seed in range(POINTS)]


def _keys(pair: Pair, quantities: Quantities, points: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Iterate over what an equation states: a quantity, or an equation of motion."""
    from freebody.checking.code.reference import frames

    own, n = frames(quantities)[0], len(quantities.equations.speeds)
    accelerations = list(quantities.mechanism.accelerations)
    slopes = [quantities.ring.partial(pair.left - pair.right, one) for one in accelerations]
    if any(slopes):
        for row in range(n):
            if _is_row(slopes, row, own, points):
                yield "row", row
        return
    for side in (pair.left, pair.right):
        values = [point.sample.value(side) for point in points]
        for target in _targets(n):
            wanted = [point.value(target, own) for point in points]
            if any(wanted) and (
                not any(a - b for a, b in zip(values, wanted, strict=True))
                or not any(a + b for a, b in zip(values, wanted, strict=True))
            ):
                yield target


def _targets(n: int) -> Iterator[tuple[Any, ...]]:
    yield from (("M", i, j) for i in range(n) for j in range(n))
    yield from ((family, i) for family in ("acc", *ROWS) for i in range(n))


def _is_row(slopes: Sequence[Any], row: int, own: Any, points: Sequence[Any]) -> bool:
    """Return whether accelerations have the factors of a row of the mass matrix, up to a number."""
    factors = []
    for point in points:
        masses = [point.value(("M", row, j), own) for j in range(len(slopes))]
        values = [point.sample.value(one) for one in slopes]
        place = next((j for j, mass in enumerate(masses) if mass), None)
        if place is None or not values[place]:
            return False
        factor = values[place] / masses[place]
        if any(value - factor * mass for value, mass in zip(values, masses, strict=True)):
            return False
        factors.append(factor)
    return not factors[0] - factors[1]


# ---------------------------------------------------------------------- beside each other


def contradicted(reports: Sequence[DocumentReport]) -> list[DocumentReport]:
    """Return reports in which those on code tell the equations that say something else."""
    out = []
    for code in reports:
        found: dict[Contradiction, None] = {}
        for page in reports:
            if code.language and not page.language and page.model == code.model:
                found.update(dict.fromkeys(_between(page, code)))
        out.append(replace(code, contradictions=tuple(found)) if found else code)
    return out


def _between(page: DocumentReport, code: DocumentReport) -> Iterator[Contradiction]:
    lines: Mapping[tuple[Any, ...], list[StatedQuantity]] = _by_key(code.statements)
    for equation in page.statements:
        for line in lines.get(equation.key, ()):
            if not (equation.is_right and line.is_right):
                yield Contradiction(
                    page.document, equation.label, equation.place, code.document, line.label,
                    line.place, _right(equation, line),
                )  # fmt: skip


def _right(equation: StatedQuantity, line: StatedQuantity) -> str:
    if equation.is_right:
        return "page"
    return "code" if line.is_right else ""


def _by_key(statements: Sequence[StatedQuantity]) -> dict[tuple[Any, ...], list[StatedQuantity]]:
    """Return statements by what they state; entries of vectors by their equation of motion too."""
    out: dict[tuple[Any, ...], list[StatedQuantity]] = {}
    for one in statements:
        out.setdefault(one.key, []).append(one)
        if one.key[0] in ROWS:
            out.setdefault(("row", one.key[1]), []).append(one)
    return out
