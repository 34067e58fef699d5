"""What a page prints alike is read alike: one way for all its equations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from freebody.checking.causes.dimensions import has_units, is_of_one_dimension, wrong_terms
from freebody.checking.meaning.symbols import Symbols
from freebody.documents.latex import Relation, Unreadable
from freebody.documents.latex.grammar.numbers import AS_PRODUCT
from freebody.documents.latex.names import LAGRANGIAN
from freebody.documents.latex.tree import Multiply, Name, Number, show

_L = r"(?:L|\\(?:mathcal|mathscr)\s*\{?\s*L\s*\}?)"
_LAGRANGIAN = re.compile(
    rf"\\partial\s*\{{?\s*{_L}|(?:^|[\s${{&(]){_L}\s*&?\s*(?:=|:=|\\equiv)|=\s*{_L}\s*(?:$|[$,.\\])",
    re.MULTILINE,
)

Holds = Callable[[Relation], bool]


def prints_lagrangian(text: str) -> bool:
    """Return whether a page derives the Lagrangian, or says what it is."""
    return _LAGRANGIAN.search(text) is not None


def read_alike(
    printed: Sequence[Relation | Unreadable], holds: Holds
) -> list[Relation | Unreadable]:
    """Choose the readings of a page, so that what is printed alike is read alike.

    What is open is read in the way in which most equations hold that depend on it, in the
    likeliest where none does. An equation that would hold in another way is told to.

    Parameters
    ----------
    printed : sequence of Relation or Unreadable
        The equations in their likeliest reading, with the others.
    holds : callable
        Whether an equation holds as it is read.
    """
    opened = [one for one in printed if isinstance(one, Relation) and one.others]
    likeliest = {one: holds(one) for one in opened}
    disputed = {way[0] for one in opened if not likeliest[one] for way in _ways(one)}
    if not disputed:
        return list(printed)
    held = {one: [read for read in (one, *one.others) if holds(read)] for one in opened}
    chosen = dict(_chosen(opened, held, disputed))
    return [
        _taken(one, held[one], chosen) if isinstance(one, Relation) and one.others else one
        for one in printed
    ]


def read_by_dimension(symbols: Symbols, relation: Relation) -> Relation:
    """Leave out the readings of a unit behind a number, or of an L, that dimensions do not allow.

    Where they allow a product of quantities alone, nothing was open.
    """
    readings = (relation, *relation.others)
    if any(map(_is_of_lagrangian, readings)):
        return _least_wrong(symbols, readings)
    if len({*map(has_units, readings)}) < 2:
        return relation
    fitting = [one for one in readings if _makes_sense(symbols, one)]
    if not fitting or len(fitting) == len(readings):
        return relation
    if not any(map(has_units, fitting)):
        fitting = [_without(one, AS_PRODUCT) for one in fitting]
    return replace(fitting[0], others=tuple(fitting[1:]))


def _is_of_lagrangian(relation: Relation) -> bool:
    return LAGRANGIAN in {getattr(side, "key", "") for side in (relation.left, relation.right)}


def _least_wrong(symbols: Symbols, readings: Sequence[Relation]) -> Relation:
    """Return the readings of an L alone on a side in which the fewest terms are out of place."""
    wrong = [len(wrong_terms(symbols, one)) for one in readings]
    fitting = [one for one, n in zip(readings, wrong, strict=True) if n == min(wrong)]
    if not any(map(_is_of_lagrangian, fitting)):
        fitting = [_without(one, "is read as what it is elsewhere") for one in fitting]
    return replace(fitting[0], others=tuple(fitting[1:]))


def _makes_sense(symbols: Symbols, relation: Relation) -> bool:
    """Return whether the dimensions are right, and nothing is said to be a multiple of itself."""
    sides = relation.left, relation.right
    for one, other in (sides, sides[::-1]):
        factors = other.factors if isinstance(other, Multiply) else ()
        named = [factor for factor in factors if not isinstance(factor, Number)]
        if isinstance(one, Name) and [show(factor) for factor in named] == [show(one)]:
            return False
    return is_of_one_dimension(symbols, relation)


def _without(relation: Relation, ending: str) -> Relation:
    own = tuple(one for one in relation.readings if not one.endswith(ending))
    return replace(relation, readings=own)


def _ways(relation: Relation) -> Iterator[tuple[str, str]]:
    """Iterate over all ways in which what is open in an equation may be read."""
    for read in (relation, *relation.others):
        yield from read.ways


def _chosen(
    opened: Sequence[Relation], held: dict[Relation, list[Relation]], disputed: set[str]
) -> Iterator[tuple[str, str]]:
    """Iterate over what is disputed, with the way in which it is read."""
    for what in sorted(disputed):
        votes = Counter[str]()
        for relation in opened:
            known = dict.fromkeys(way for name, way in _ways(relation) if name == what)
            votes.update(dict.fromkeys(known, 0))
            mending = {dict(read.ways).get(what) for read in held[relation]}
            if len(mending) < len(known):
                votes.update(way for way in mending if way is not None)
        yield what, votes.most_common(1)[0][0]


def _taken(relation: Relation, held: list[Relation], chosen: dict[str, str]) -> Relation:
    """Return an equation as all of the page is read."""
    options = [read for read in (relation, *relation.others) if _agrees(read, chosen)]
    fitting = [read for read in options if read in held]
    taken = (*fitting, *options, relation)[0]
    own = [] if fitting else [one for read in held[:1] for one in _instead(read, taken)]
    return replace(taken, readings=(*taken.readings, *own), others=())


def _agrees(relation: Relation, chosen: dict[str, str]) -> bool:
    return all(chosen.get(what, way) == way for what, way in relation.ways)


def _instead(holding: Relation, taken: Relation) -> Iterator[str]:
    """Iterate over how an equation would have to be read to hold, unlike others of the page."""
    for own in holding.readings:
        if own not in taken.readings:
            yield f"unlike elsewhere on the page it would hold if {own}"
