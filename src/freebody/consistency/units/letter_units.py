"""What the letters of a page are measured in: by what it states, and by what follows from that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import cast

from freebody.algebra.units import NUMBER, Dimension, M, S
from freebody.checking.causes.dimensions import misfits
from freebody.checking.grid import Grid
from freebody.checking.guesses.prose_definitions import phrases
from freebody.checking.introduced import bare
from freebody.checking.meaning.measured import UNKNOWN, Measure, Measures
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.checking.meaning.symbols import Symbols
from freebody.consistency.letters import TIME
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.consistency.units.called_units import called_otherwise, called_units
from freebody.consistency.units.stated_quantities import stated_quantities
from freebody.documents.headings import chapters
from freebody.documents.latex.tree import Add, Call, Multiply, Name, Node, Number, Term, walk

FALL = 9.7, 9.9
"""Between these is what g is worth where it is the acceleration of fall in m/s**2."""
MOST_ROUNDS = 10
_TURNING = frozenset({"sin", "cos", "tan"})
_INDEXED = re.compile(r"(.+)_\{?([i-n])\}?")
_NUMBERED = re.compile(r"(.+)_\{?\d\}?")
_PLAIN = frozenset(
    Fraction(above, below) for above in range(1, 13) for below in (1, 2, 3, 4, 6, 8, 12)
)
"""Numbers of formulas, which have no unit."""


class LetterMeasures(Measures):
    """Works out the dimensions of nodes by those of the letters of a page.

    Parameters
    ----------
    known : mapping of str to Dimension
        Of letters; of others it is open.
    """

    def __init__(self, known: Mapping[str, Dimension]) -> None:
        facade = SimpleNamespace(quantities=SimpleNamespace(ring=None))
        super().__init__(cast("Symbols", facade))
        self._letters = known

    def _number(self, node: Number) -> Grid:
        is_pure = abs(node.value) in _PLAIN
        return Grid.scalar(Measure(node.dimension or (NUMBER if is_pure else None)))

    def _name(self, node: Name) -> Grid:
        found = self._letters.get(node.key)
        return UNKNOWN if found is None else Grid.scalar(Measure(found / S**node.dots))


@dataclass(frozen=True)
class LetterUnit:
    """How the unit of a letter is known.

    Attributes
    ----------
    dimension : Dimension
    place : str
        Where the page states it; empty where it follows.
    statement : Statement or None
        The equation that it follows from, or that states it.
    is_by_words : bool
        Whether the page says what the letter is, and no unit.
    """

    dimension: Dimension
    place: str = ""
    statement: Statement | None = None
    is_by_words: bool = False


def letter_units(
    statements: Statements, meanings: Meanings, *, by_words: bool = False
) -> dict[str, LetterUnit]:
    """Return what the letters of a page are measured in, as far as that is known.

    A letter of which two things are stated is left out. Nothing is known where nothing is stated.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
        What letters stand for by the equations of the page.
    by_words : bool, optional
        Whether what a page calls its letters states it too.
    """
    stated: dict[str, list[LetterUnit]] = {}
    starts: dict[str, list[int]] = {}
    for one in stated_quantities(statements.page):
        if one.dimension is None:
            continue
        for key in _letters_of(one.key, meanings.keys):
            stated.setdefault(key, []).append(LetterUnit(one.dimension, one.place))
            starts.setdefault(key, []).append(one.start)
    for key, unit in units_of_values(statements):
        stated.setdefault(key, []).append(unit)
    turning = {*turned_letters(statements)}
    elsewhere = {key for key in turning for one in stated.get(key, ()) if one.dimension != NUMBER}
    elsewhere |= {*_explained_elsewhere(statements, starts)}
    left_out = meanings.matrices | {*_functions(statements), *_of_several(meanings), *elsewhere}
    found = {
        key: units[0]
        for key, units in stated.items()
        if len({one.dimension for one in units}) == 1 and key not in left_out
    }
    dimensions = {key: one.dimension for key, one in found.items()}
    called = {*called_otherwise(statements.page, dimensions)}
    left_out |= called
    found = {key: one for key, one in found.items() if key not in called}
    if by_words:
        others = meanings.keys - stated.keys() - turning - left_out
        found |= {
            key: LetterUnit(dimension, f"the page calls it '{words}'", is_by_words=True)
            for key, dimension, words in called_units(statements.page, others)
        }
    if not found:
        return {}
    for key in {*turning, *_gravity(meanings), TIME} - stated.keys() - left_out:
        dimension = NUMBER if key not in (TIME, "g") else S if key == TIME else M / S**2
        found[key] = LetterUnit(dimension)
    return _followed(statements, found, stated.keys() | left_out)


def _explained_elsewhere(
    statements: Statements, starts: Mapping[str, Sequence[int]]
) -> Iterator[str]:
    """Iterate over letters that one chapter says a unit of, and another explains without it.

    They may be of two mechanisms.
    """
    page = statements.page
    parts = chapters(page, [one.relation.span.start for one in statements.all])
    for part in parts:
        foreign = [
            key
            for key, own in starts.items()
            if not any(map(part.holds, own)) and any(one.holds(own[0]) for one in parts)
        ]
        if foreign:
            yield from phrases(page.text[part.heading.start : part.stop], foreign)


def _functions(statements: Statements) -> Iterator[str]:
    """Iterate over the letters that are printed as functions, and may be something else as well."""
    for key, printed in statements.called.items():
        if any("," in one for one in printed):
            yield key


def _of_several(meanings: Meanings) -> Iterator[str]:
    """Iterate over the letters of which a page says several rates: states of several systems."""
    for key, known in meanings.definitions.items():
        rates = [one.grid.form for one in known if one.letter.dots and one.grid.is_scalar]
        if any(one - rates[0] for one in rates[1:]):
            yield key


def _letters_of(key: str, known: frozenset[str]) -> Iterator[str]:
    """Iterate over the letters that a letter with an index stands for, or that itself."""
    match = _INDEXED.fullmatch(key)
    if match is None:
        yield key
        return
    for other in known:
        number = _NUMBERED.fullmatch(other)
        if number and number[1] == match[1]:
            yield other


def units_of_values(statements: Statements) -> Iterator[tuple[str, LetterUnit]]:
    """Iterate over the letters that are given a number with its unit, with that."""
    for statement in statements.all:
        relation = statement.relation
        name, value = relation.left, relation.right
        numbers = [one for one in walk(value) if isinstance(one, Number)]
        is_value = not any(isinstance(one, Name) for one in walk(value))
        if not isinstance(name, Name) or not is_value or relation.relation not in EQUALITIES:
            continue
        if any(one.dimension is not None for one in numbers):
            dimension = LetterMeasures({}).of_scalar(value)
            if dimension is not None and not name.dots:  # of a flow with a dot another thing flows
                yield name.key, LetterUnit(dimension, statement.place, statement)


def _gravity(meanings: Meanings) -> Iterator[str]:
    for letter, form, _ in meanings.values:
        if letter.key == "g" and form.is_number and FALL[0] < float(form.number) < FALL[1]:
            yield "g"


def turned_letters(statements: Statements) -> Iterator[str]:
    """Iterate over the letters that are angles: they, or sums of them, stand in a sine."""
    for statement in statements.all:
        for node in walk(statement.relation.left, statement.relation.right):
            if isinstance(node, Call) and node.function in _TURNING:
                yield from (one.key for one in _angles(node.argument) if bare(one.key) != TIME)


def _angles(node: Node | Term) -> Iterator[Name]:
    match node:
        case Name(dots=0):
            yield node
        case Term(node=inner):
            yield from _angles(inner)
        case Add(terms=terms):
            for term in terms:
                yield from _angles(term)
        case Multiply(factors=(Number(), Name() as name)):
            yield from _angles(name)


def _followed(
    statements: Statements, known: dict[str, LetterUnit], stated: set[str]
) -> dict[str, LetterUnit]:
    """Add what equations that begin with a letter say of its unit; nothing where two may differ."""
    found, blocked = dict(known), set(stated)
    for _ in range(MOST_ROUNDS):
        new: dict[str, list[LetterUnit | None]] = {}
        dimensions = {key: one.dimension for key, one in found.items()}
        for statement in statements.all:
            relation = statement.relation
            name, node = relation.left, relation.right
            if not isinstance(name, Name) or relation.relation not in EQUALITIES:
                continue
            if name.key in found or name.key in blocked or statement.is_scaled:
                continue
            if _is_of_values(statement):
                continue
            dimension = _dimension(statement, node, dimensions)
            unit = LetterUnit(dimension * S**name.dots, "", statement) if dimension else None
            new.setdefault(name.key, []).append(unit)
        before = len(found)
        for key, units in new.items():
            told = [one for one in units if one is not None]
            if len({one.dimension for one in told}) > 1:
                blocked.add(key)
            elif len(told) == len(units):
                found[key] = told[0]
        if len(found) == before:
            return found
    return found


def _is_of_values(statement: Statement) -> bool:
    """Return whether letters are equated for their numbers, as ``l = g`` in running text is."""
    sides = statement.relation.left, statement.relation.right
    is_of_letters = all(isinstance(one, Name) and not one.dots for one in sides)
    return statement.is_of_values or (statement.is_inline and is_of_letters)


def _dimension(
    statement: Statement, node: Node, known: Mapping[str, Dimension]
) -> Dimension | None:
    """Return the dimension of a side of an equation; None where it has none, or no letters."""
    names = {one.key for one in walk(node) if isinstance(one, Name)}
    measures = LetterMeasures(known)
    if not names or not names <= known.keys() or misfits(measures, statement.relation):
        return None
    return measures.of_scalar(node)
