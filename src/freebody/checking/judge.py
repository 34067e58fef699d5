"""Whether a printed equation holds, and by which terms it differs.

Each printed symbol is replaced by the quantity it stands for and left is brought against right,
entry by entry. What is left over in canonical form *is* the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.terms import TooLargeError
from freebody.checking.explain import UNKNOWN, Side, Unequal, explained, of_side, printed_terms
from freebody.checking.findings import Difference, Judgement
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.field_evaluator import (
    DRAWS,
    FieldEvaluator,
    compare_at_random_points,
)
from freebody.checking.meaning.pairs import Pair, pairs
from freebody.checking.meaning.residual import Residual, residuals
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.motions import EquationOfMotion
from freebody.checking.repair.search import FoundRepair, Repairs, RepairSearch
from freebody.checking.values import holds_in_numbers
from freebody.documents.latex.relations import Relation
from freebody.errors import NoValueError

MANY = 8
"""With more terms, how the sides of a chain come to differ is better told by a repair."""
DEFINED = "constants are what the model defines them by"


def judge(
    symbols: Symbols,
    relation: Relation,
    repairs: Repairs | None = None,
    suspect: Side | None = None,
    motion: EquationOfMotion | None = None,
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
    motion : EquationOfMotion, optional
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
        unequal = [left for left in residuals(symbols, relation) if not left.comparison]
        if not unequal or _defined(symbols, unequal):
            return True
    except TooLargeError:
        if compare_at_random_points(symbols, relation).equal:
            return True
    numerical = holds_in_numbers(symbols, relation)
    return numerical is not None and numerical.holds


def _defined(symbols: Symbols, unequal: Iterable[Residual]) -> bool:
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
    motion: EquationOfMotion | None,
) -> Judgement:
    """Compare the two sides entry by entry, or at points where they are too large for that.

    Which of them differ is then seen at a point, and repairs are looked for at points too. What a
    term should have been is told where a repair says it.
    """
    try:
        return _compared(symbols, relation, repairs, suspect, motion)
    except TooLargeError:
        found = compare_at_random_points(symbols, relation)
    if found.equal:
        return _holding(relation, found.proof)
    if (numerical := holds_in_numbers(symbols, relation)) is not None:
        return numerical
    search = repairs.at_points().of(relation) if repairs else RepairSearch()
    return _differing(
        relation, found.proof, _differences_at_points(symbols, relation, search), search
    )


def _compared(
    symbols: Symbols,
    relation: Relation,
    repairs: Repairs | None,
    suspect: Side | None,
    motion: EquationOfMotion | None,
) -> Judgement:
    """Compare the two sides in canonical form."""
    left = list(residuals(symbols, relation))
    proof = next(iter(sorted({one.comparison.proof for one in left} - {"exact"})), "exact")
    readings = tuple(dict.fromkeys(one.reading for one in left if one.reading))
    wrong = {number: one for number, one in enumerate(left) if not one.comparison}
    if not wrong:
        return _holding(relation, proof, *readings)
    if _defined(symbols, wrong.values()):
        return _holding(relation, proof, *readings, DEFINED)
    if (numerical := holds_in_numbers(symbols, relation)) is not None:
        return numerical
    left_of = motion.left_of if motion else (lambda one: one.simplest)
    unequal = [Unequal(number, one.pair, left_of(one)) for number, one in wrong.items()]
    search = repairs.of(relation) if repairs else RepairSearch()
    of_wrong_side = tuple(of_side(relation, search.found, suspect))
    differences = explained(symbols, relation, unequal, of_wrong_side, suspect)
    if search.found and not of_wrong_side and len(differences) > MANY:
        differences = explained(symbols, relation, unequal, search.found)
    else:
        search = replace(search, found=of_wrong_side)
    return _differing(relation, proof, differences, search)


def _holding(relation: Relation, proof: str, *readings: str) -> Judgement:
    return Judgement(proof, terms=printed_terms(relation, (), ()), readings=readings)


def _differing(
    relation: Relation, proof: str, differences: Sequence[Difference], search: RepairSearch
) -> Judgement:
    terms = printed_terms(relation, differences, search.found)
    mended = tuple(found.repair for found in search.found)
    return Judgement(proof, tuple(differences), terms, mended, search.note)


def _differences_at_points(
    symbols: Symbols, relation: Relation, search: RepairSearch
) -> list[Difference]:
    """Return the terms that make a relation differ, as far as they can be told."""
    places, values = _unequal(symbols, relation)
    try:
        printed = pairs(Evaluator(symbols), relation)
        unequal = [Unequal(place, printed[place], None) for place in places]
        return explained(symbols, relation, unequal, search.found)
    except NoValueError:
        return [one for place in places for one in _whole(values[place], search.found)]


def _whole(pair: Pair, repairs: Sequence[FoundRepair]) -> Iterator[Difference]:
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
            sample = symbols.quantities.samples.at(FieldPoint(seed))
            found = pairs(FieldEvaluator(symbols, sample), relation)
        except (NoRootError, ZeroDivisionError):
            continue
        places = [place for place, pair in enumerate(found) if pair.left - pair.right]
        if places:
            return places, found
    raise MeaningError("its difference is not seen at a random point")
