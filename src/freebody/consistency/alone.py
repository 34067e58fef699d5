"""Pages held against themselves: what follows from what, and what contradicts it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from freebody.arguments import checked
from freebody.checking.basis import Basis, hash_of, version
from freebody.checking.report import PassedOver
from freebody.code.within import listings_within
from freebody.consistency.culprits import verdicts_of
from freebody.consistency.finding import PROOFS
from freebody.consistency.judging import LATE, Judge
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.speeds import speeds
from freebody.consistency.report import AloneReport, PageReport, StatementVerdict
from freebody.consistency.statements import Statements, read_statements
from freebody.consistency.units.rate_balance import RateBalance
from freebody.consistency.units.unit_balance import Unbalanced, UnitBalance
from freebody.documents.document import Document
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.places import in_plain_letters
from freebody.documents.latex.tokens.definitions import definitions
from freebody.documents.reading import read_bare
from freebody.errors import DocumentError

MOST_NAMED = 5
"""So many equations are named that are read in the same way."""


@checked
def alone(
    *pages: str | Path,
    progress: Callable[[str], None] = lambda _: None,
) -> AloneReport:
    """Hold pages against themselves, with no model and no table of symbols.

    Parameters
    ----------
    *pages : str or Path
        Pages as they were published, in any of the files that a document may be.
    progress : callable, optional
        Called with the name of each page before it is looked at.

    Returns
    -------
    AloneReport
        Of every equation whether it follows from others, contradicts some, or neither can be told.

    Raises
    ------
    DocumentError
        If a page cannot be read.
    """
    found = []
    for page in map(Path, pages):
        progress(page.name)
        found.append(by_itself(read_bare(page, "none")))
    return AloneReport(tuple(found))


def by_itself(document: Document) -> PageReport:
    """Hold one page against itself that is read already.

    Parameters
    ----------
    document : Document
        The page; what its front matter declares does not count.
    """
    page = document.with_running_text.page
    statements = read_statements(page)
    equations = Equations(statements, Meanings(statements, abs_as_roots=True))
    equations.letters.speeds = speeds(equations)
    judge = Judge(equations)
    balance = UnitBalance(statements, judge.meanings)
    called = UnitBalance(statements, judge.meanings, by_words=True)
    unbalanced = {
        **RateBalance(equations).unbalanced, **called.unbalanced, **balance.unbalanced
    }  # fmt: skip
    verdicts = sorted(
        (*_with_units(verdicts_of(judge), unbalanced), *_unreadable(page, statements)),
        key=lambda one: one.line,
    )
    moving = judge.letters.moving
    every = dict.fromkeys(key for one in statements.all for key in one.keys)
    return PageReport(
        document.name,
        tuple(verdicts),
        tuple(key for key in every if key in moving),
        tuple(key for key in every if key not in moving),
        tuple(_passed_over(page, statements)),
        (
            *_remarks(page, statements, verdicts, balance),
            *_on_macros(document),
            *_on_shorthands(judge.meanings),
            *_on_readings(statements),
            *_on_code(document.path),
        ),
        str(document.path),
        Basis(version(), hash_of(document.source or document.path)),
    )


def _with_units(
    verdicts: Iterable[StatementVerdict], unbalanced: Mapping[int, Unbalanced]
) -> Iterator[StatementVerdict]:
    """Tell of equations that nothing else contradicts where they do not balance in units."""
    for number, one in enumerate(verdicts):
        odd = unbalanced.get(number)
        if odd is None or one.status == "contradicts":
            yield one
            continue
        labels = tuple(dict.fromkeys(other.label for other in odd.others))
        yield replace(
            one, status="contradicts", against=labels, reason=odd.reason, proof=PROOFS["units"]
        )


def _unreadable(page: Page, statements: Statements) -> Iterator[StatementVerdict]:
    for one, is_inline in statements.unreadable:
        reason = f"it cannot be read: {one.message}"
        place = page.place(one.line)
        made = StatementVerdict(one.label, place, one.line, one.latex, "unsupported", (), reason)
        yield replace(made, is_inline=is_inline, is_read=False)


def _remarks(
    page: Page,
    statements: Statements,
    verdicts: Sequence[StatementVerdict],
    balance: UnitBalance,
) -> Iterator[str]:
    yield from page.remarks()
    for key, instead in balance.doubtful.items():
        unit = balance.unit(key)
        yield (
            f"{unit.place}: {key} is said to be in {unit.dimension}, which fits none of the "
            f"equations that it is in; {instead} would fit all"
        )
    late = sum(one.reason == LATE for one in verdicts)
    if late:
        yield f"given up after much work: {late} equations are not looked at"
    if statements.page.macros.conventions.primes_are_rates:
        yield "primes are read as derivatives by time"
    if statements.assumed:
        shown = ", ".join(sorted(statements.assumed))
        yield f"not defined on the page, and read by their names: {shown}"


def _on_macros(document: Document) -> Iterator[str]:
    names = {macro.name for one in definitions(document.macros) for macro in one.macros}
    if names and document.language == "latex":
        shown = ", ".join(sorted(names))
        yield f"not defined on the page, and taken from other files of its folder: {shown}"


def _on_shorthands(meanings: Meanings) -> Iterator[str]:
    if meanings.shorthands:
        shown = ", ".join(sorted(meanings.shorthands))
        yield f"taken for the sines and cosines of the angles below them: {shown}"


def _on_readings(statements: Statements) -> Iterator[str]:
    """Iterate over how what is open was read, with the first equations that are read so."""
    found: dict[str, list[str]] = {}
    for one in statements.all:
        for reading in dict.fromkeys(one.relation.readings):
            found.setdefault(reading, []).append(one.label)
    for reading, labels in found.items():
        more = f" and {len(labels) - MOST_NAMED} more" if len(labels) > MOST_NAMED else ""
        yield f"{reading}: {', '.join(labels[:MOST_NAMED])}{more}"


def _on_code(path: Path) -> Iterator[str]:
    try:
        listings = listings_within(path)
    except DocumentError as error:
        yield "; ".join(f"its code is not read: {problem.message}" for problem in error.problems)
        return
    for listing in listings:
        yield (
            f"its code in {listing.language} is held against nothing here: 'freebody adopt "
            f"{path.name}' looks for a model to check it against"
        )


def _passed_over(page: Page, statements: Statements) -> Iterator[PassedOver]:
    passed = {*page.passed, *statements.passed, *in_plain_letters(page)}
    for start, stop, reason in sorted(passed):
        line, _ = page.position(start)
        yield PassedOver(page.place(line), line, page.text[start:stop], reason)
