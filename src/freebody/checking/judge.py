"""Whether a printed equation holds, and by which terms it differs.

Each printed symbol is replaced by the quantity it stands for and left is brought against right,
entry by entry. What is left over in canonical form *is* the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from freebody.algebra.terms import TooLargeError
from freebody.checking.by_points import judge_at_points
from freebody.checking.explain import Side, Unequal, explained, of_side, printed_terms
from freebody.checking.findings import Judgement
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.leftover import Left, left_over
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.valued import compared
from freebody.checking.motions import Motion
from freebody.checking.repair.search import Repairs, Search
from freebody.checking.values import holds_in_numbers
from freebody.documents.latex.layout.displays import Relation

MANY = 8
"""With more terms, how the sides of a chain come to differ is better told by a repair."""
DEFINED = "constants are what the model defines them by"


def judge(
    symbols: Symbols,
    relation: Relation,
    repairs: Repairs | None = None,
    suspect: Side | None = None,
    motion: Motion | None = None,
) -> Judgement:
    """Compare the two sides of a printed equation.

    What could be read in two ways and differs as it is read first is tried the other way.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.
    repairs : Repairs, optional
        Looks for what would mend it, where it does not hold.
    suspect : {"left", "right"}, optional
        The side that is wrong, where the other one is known to be right.
    motion : Motion, optional
        The equation of motion that it is declared to be.

    Raises
    ------
    MeaningError
        If they cannot be compared.
    """
    with symbols.quantities.ring.budget.work():
        read = next(_readings_that_hold(symbols, relation), relation)
        found = _judged(symbols, read, repairs, suspect, motion)
        return replace(found, readings=(*read.readings, *found.readings))


def _readings_that_hold(symbols: Symbols, relation: Relation) -> Iterator[Relation]:
    """Iterate over the ways to read an equation with which it holds, if there is a choice."""
    for read in (relation, *relation.others) if relation.others else ():
        try:
            if holds(symbols, read):
                yield read
        except MeaningError:
            continue


def holds(symbols: Symbols, relation: Relation) -> bool:
    """Return whether the two sides of a printed equation are equal, without asking why not.

    Raises
    ------
    MeaningError
        If they cannot be compared.
    """
    try:
        unequal = [left for left in left_over(symbols, relation) if not left.comparison]
        if not unequal or _defined(symbols, unequal):
            return True
    except TooLargeError:
        if compared(symbols, relation).equal:
            return True
    numerical = holds_in_numbers(symbols, relation)
    return numerical is not None and numerical.holds


def _defined(symbols: Symbols, unequal: Iterable[Left]) -> bool:
    """Return whether nothing is left with the model's own definitions of its constants."""
    quantities = symbols.quantities
    return bool(quantities.definitions) and all(
        quantities.vanishes(quantities.by_definition(left.form)) for left in unequal
    )


def _judged(
    symbols: Symbols,
    relation: Relation,
    repairs: Repairs | None,
    suspect: Side | None,
    motion: Motion | None,
) -> Judgement:
    """Compare the two sides, at random points where they are too large to be written out."""
    try:
        return _compared(symbols, relation, repairs, suspect, motion)
    except TooLargeError:
        return judge_at_points(symbols, relation, repairs)


def _compared(
    symbols: Symbols,
    relation: Relation,
    repairs: Repairs | None,
    suspect: Side | None,
    motion: Motion | None,
) -> Judgement:
    """Compare the two sides entry by entry."""
    left = list(left_over(symbols, relation))
    proof = next(iter(sorted({one.comparison.proof for one in left} - {"exact"})), "exact")
    readings = tuple(dict.fromkeys(one.reading for one in left if one.reading))
    wrong = {number: one for number, one in enumerate(left) if not one.comparison}
    if not wrong:
        return Judgement(proof, terms=printed_terms(relation, (), ()), readings=readings)
    if _defined(symbols, wrong.values()):
        told_of = (*readings, DEFINED)
        return Judgement(proof, terms=printed_terms(relation, (), ()), readings=told_of)
    if (numerical := holds_in_numbers(symbols, relation)) is not None:
        return numerical
    left_of = motion.left_of if motion else (lambda one: one.told)
    unequal = [Unequal(number, one.pair, left_of(one)) for number, one in wrong.items()]
    search = repairs.of(relation) if repairs else Search()
    of_wrong_side = tuple(of_side(relation, search.found, suspect))
    told = explained(symbols, relation, unequal, of_wrong_side, suspect)
    if search.found and not of_wrong_side and len(told) > MANY:
        told = explained(symbols, relation, unequal, search.found)
    else:
        search = replace(search, found=of_wrong_side)
    terms = printed_terms(relation, told, search.found)
    mended = tuple(found.repair for found in search.found)
    return Judgement(proof, tuple(told), terms, mended, search.told)
