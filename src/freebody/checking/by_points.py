"""The verdict on an equation that is too large to be written out.

Which of its scalar equations differ is seen at a random point, and repairs are looked for at
points too. What a term should have been is told where a repair says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.checking.explain import UNKNOWN, Unequal, explained, printed_terms
from freebody.checking.findings import Difference, Judgement
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import Pair, pairs
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.valued import DRAWS, compared, pairs_at
from freebody.checking.repair.search import Found, Repairs, Search
from freebody.checking.values import holds_in_numbers
from freebody.documents.latex.layout.displays import Relation
from freebody.errors import NoValueError


def judge_at_points(symbols: Symbols, relation: Relation, repairs: Repairs | None) -> Judgement:
    """Compare the two sides of a printed equation at random points of a prime field.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.
    repairs : Repairs, optional
        Looks for what would mend it, where it does not hold.

    Raises
    ------
    MeaningError
        If they cannot be compared.
    """
    found = compared(symbols, relation)
    if found.equal:
        return Judgement(found.proof, terms=printed_terms(relation, (), ()))
    if (numerical := holds_in_numbers(symbols, relation)) is not None:
        return numerical
    search = repairs.at_points().of(relation) if repairs else Search()
    told = _told(symbols, relation, search.found)
    terms = printed_terms(relation, told, search.found)
    mended = tuple(one.repair for one in search.found)
    return Judgement(found.proof, tuple(told), terms, mended, search.told)


def _told(symbols: Symbols, relation: Relation, repairs: Sequence[Found]) -> list[Difference]:
    """Return the terms that make a relation differ, as far as they can be told."""
    places, values = _unequal(symbols, relation)
    try:
        printed = pairs(Evaluator(symbols), relation)
        unequal = [Unequal(place, printed[place], None) for place in places]
        return explained(symbols, relation, unequal, repairs)
    except NoValueError:
        return [one for place in places for one in _whole(values[place], repairs)]


def _whole(pair: Pair, repairs: Sequence[Found]) -> Iterator[Difference]:
    """Iterate over the changes of a repair, or tell that left minus right is not zero."""
    if not repairs:
        yield Difference(pair.entry, "1", "0", str(UNKNOWN))
        return
    for edit in repairs[0].repair.edits:
        yield Difference(pair.entry, "1", edit.printed, edit.proposed, edit.kind, edit.span)


def _unequal(symbols: Symbols, relation: Relation) -> tuple[list[int], list[Pair]]:
    """Return which scalar equations have different sides at a point where they are defined."""
    for seed in range(DRAWS):
        try:
            found = pairs_at(symbols, symbols.quantities.moments.at(FieldPoint(seed)), relation)
        except (NoRootError, ZeroDivisionError):
            continue
        places = [place for place, pair in enumerate(found) if pair.left - pair.right]
        if places:
            return places, found
    raise MeaningError("its difference is not seen at a random point")
