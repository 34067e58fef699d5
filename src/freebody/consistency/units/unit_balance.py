r"""Whether the printed equations of a page balance in the units that it states.

A letter whose unit nothing tells takes no part. Nothing is told where a letter may have another
meaning in an equation, or a number a unit that is not printed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product

from freebody.algebra.units import KG, NUMBER, Dimension, M, S
from freebody.checking.causes.dimensions import MisfitTerm, misfits
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.meaning.pairs import COMPARED
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS, POTENTIAL
from freebody.consistency.letters import TIME
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.consistency.units.letter_units import LetterMeasures, LetterUnit, letter_units
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import (
    Add,
    Call,
    Multiply,
    Name,
    Node,
    Number,
    Partial,
    Term,
    walk,
)

ENERGY, _GRAVITY = KG * M**2 / S**2, M / S**2
MOST_TOLD = 6
"""Letters whose units are named beside an equation."""
_STRANGE = KG ** Fraction(1, 7)
"""A factor of no unit, by which it is seen what a letter takes part in."""
_LETTER = re.compile(r"\\[A-Za-z]+|[A-Za-z]")
_LAYOUT = frozenset({r"\frac", r"\dfrac", r"\tfrac", r"\left", r"\right", r"\cdot", r"\times"})
_LOGARITHMS = frozenset({"ln", "log"})
_NUMBER = re.compile(r"[+-]?\s*[\d.]+")
_POWERS = (-2, -1, 0, 1, 2)


@dataclass(frozen=True)
class Unbalanced:
    """An equation that does not balance.

    Attributes
    ----------
    others : tuple of Statement
        The equations by which units of its letters are known.
    reason : str
        What does not balance.
    """

    others: tuple[Statement, ...]
    reason: str


@dataclass(frozen=True)
class _Misfit:
    """An equation that does not balance, and the letters of which another unit would mend it."""

    statement: Statement
    wrong: tuple[MisfitTerm, ...]
    instead: Mapping[str, Dimension]


class UnitBalance:
    """Holds the equations of a page against the units that it states.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
        What the letters of the page stand for by its equations.
    by_words : bool, optional
        Whether what it calls its letters counts as well, where it states no unit of them. Of what
        does not balance then no more is told than the section of an equation bears out.
    """

    def __init__(
        self, statements: Statements, meanings: Meanings, *, by_words: bool = False
    ) -> None:
        self._statements, self._by_words = statements, by_words
        self._units = letter_units(statements, meanings, by_words=by_words)
        self._known = {key: one.dimension for key, one in self._units.items()}
        self._ones = {
            letter.key
            for letter, form, _ in meanings.values
            if form.is_number and form.number == 1 and letter.key in self._known
        }

    @cached_property
    def unbalanced(self) -> dict[int, Unbalanced]:
        """What does not balance, by the number of the equation."""
        return {
            one.statement.number: self._unbalanced(one)
            for one in self._misfits
            if not any(self._is_otherwise(key, one) for key in one.instead)
            and not any(self._is_doubtful(key) for key in one.statement.keys)
            and (not self._by_words or self._is_borne_out(one))
        }

    @cached_property
    def doubtful(self) -> dict[str, Dimension]:
        """Letters whose unit fits no equation, where another would fit all: with that.

        What another unit of gravity mends is no matter of other letters.
        """
        odd = dict.fromkeys(key for one in self._misfits for key in one.instead)
        stated = (key for key, one in self._units.items() if one.place and _is_for_gravity(key))
        wanted = {key: self._wanted(key) for key in (*odd, *stated)}
        found = {key: unit for key, unit in wanted.items() if unit is not None}
        gravity = {key: unit for key, unit in found.items() if _is_gravity(key, unit)}
        return gravity or found

    def _wanted(self, key: str) -> Dimension | None:
        """Return the unit of a letter that fits all equations, where its own fits none."""
        units = [one.instead[key] for one in self._misfits if key in one.instead]
        if len({*units}) > 1 or self._support[key] or not self._units[key].place:
            return None
        known = self._known[key]
        if not units:  # another power of the second, and no length or force of that letter
            is_misstated = known.s and known != _GRAVITY and known / _GRAVITY == S ** (known.s + 2)
            return _GRAVITY if is_misstated else None
        return units[0] if len(units) > 1 or _is_gravity(key, units[0]) else None

    def _is_doubtful(self, key: str) -> bool:
        """Return whether the unit of a letter is doubtful, or follows from such."""
        return not self.doubtful.keys().isdisjoint({key, *self._telling.get(key, ())})

    @cached_property
    def _misfits(self) -> list[_Misfit]:
        return [one for one in map(self._odd, self._judged) if one]

    def unit(self, key: str) -> LetterUnit:
        """Return how the unit of a letter is known."""
        return self._units[key]

    @property
    def _judged(self) -> Iterator[Statement]:
        """Iterate over the equations that are about quantities, and not about their values."""
        for one in self._statements.all if self._known else ():
            if (
                one.relation.relation in COMPARED
                and not one.is_scaled
                and not one.states_value
                and not self._is_at_a_time(one.relation)
                and not one.uses(self._statements.assumed)
                and self._has_constants(one)
            ):
                yield one

    def _is_at_a_time(self, relation: Relation) -> bool:
        """Return whether a letter may be taken at a time that has a letter, ``u(0) = u(T)``.

        Or at another time, ``u(t - T)``.
        """
        products = (one for one in walk(relation.left, relation.right) if isinstance(one, Multiply))
        names = (
            (one.span.stop, time)
            for each in products
            for one, other in pairwise(each.factors)
            if isinstance(one, Name) and (time := _first_name(other))
        )
        begin = relation.span.start
        return any(
            (self._known.get(time.key) == S or time.key == TIME)
            and relation.latex[stop - begin : time.span.start - begin].rstrip().endswith("(")
            for stop, time in names
        )

    def _has_constants(self, statement: Statement) -> bool:
        r"""Return whether an equation has what gives its terms units, and no number that may.

        Such as of ``\ddot x + 4 x = 0``, where all but x is of no unit, or one in its own.
        """
        sides = statement.relation.left, statement.relation.right
        nodes = [*walk(*sides)]
        fixed = {
            one.key for one in nodes
            if isinstance(one, Name) and not self._moves(one.key)
            and self._known.get(one.key, NUMBER) != NUMBER
        }  # fmt: skip
        return bool(fixed) and not any(map(self._is_coefficient, nodes))

    def _is_coefficient(self, node: Node | Term) -> bool:
        """Return whether a product is a number, other than a fraction, times what moves alone."""
        if not isinstance(node, Multiply) or not isinstance(node.factors[0], Number):
            return False
        names = [one for one in walk(node) if isinstance(one, Name)]
        is_whole = abs(node.factors[0].value) > 2 or node.factors[0].value.denominator % 5 == 0
        return is_whole and all(self._moves(one.key) for one in names)

    @cached_property
    def _moving(self) -> set[str]:
        return self._statements.moving()

    def _moves(self, key: str) -> bool:
        return key in self._moving

    def _odd(self, statement: Statement) -> _Misfit | None:
        """Return an equation that does not balance; None of one that does, or may."""
        relation = statement.relation
        wrong = misfits(LetterMeasures(self._known), relation)
        if not wrong or self._is_of_ones(statement, wrong):
            return None
        if self._is_of_a_lagrangian(relation) or self._is_of_energies(relation):
            return None
        printed = [relation.latex[slice(*one.span)].strip() for one in wrong]
        if any(_NUMBER.fullmatch(one) or _is_of_time(one) for one in printed):
            return None  # it is counted in a unit of its own there: in sin t, exp(-t/11), x + 0.5
        if any(_is_of_logarithm(relation, one) for one in wrong):
            return None
        if _names_time(relation) and any(one.found == NUMBER for one in wrong):
            return None  # another t, such as of tan alpha
        names = dict.fromkeys(
            one.key for one in walk(relation.left, relation.right) if isinstance(one, Name)
        )
        found = ((key, self._instead(key, statement, wrong)) for key in names)
        return _Misfit(statement, wrong, {key: one for key, one in found if one is not None})

    def _is_of_a_lagrangian(self, relation: Relation) -> bool:
        """Return whether a letter is differentiated as an energy that has another unit."""
        return any(
            isinstance(node, Partial)
            and isinstance(node.node, Name)
            and node.node.key in LAGRANGIANS
            and self._known.get(node.node.key, ENERGY) != ENERGY
            for node in walk(relation.left, relation.right)
        )

    def _is_of_energies(self, relation: Relation) -> bool:
        """Return whether a letter is added to an energy, ``T + V``, and has another unit elsewhere.

        As T has that is a time there.
        """
        for node in walk(relation.left, relation.right):
            parts = [one.node for one in node.terms] if isinstance(node, Add) else []
            names = {one.key for one in parts if isinstance(one, Name) and not one.dots}
            energies = names & {*KINETIC, *POTENTIAL}
            if len(energies) > 1 and any(
                self._known.get(key, ENERGY) != ENERGY for key in energies
            ):
                return True
        return False

    def _is_of_ones(self, statement: Statement, wrong: tuple[MisfitTerm, ...]) -> bool:
        """Return whether letters that are worth one may have been left out."""
        inside = {
            one.key for one in walk(statement.relation.left, statement.relation.right)
            if isinstance(one, Name)
        }  # fmt: skip
        absent = [self._known[key] for key in sorted(self._ones - inside)][:3]
        for powers in product(_POWERS, repeat=len(absent)):
            lost = NUMBER
            for dimension, power in zip(absent, powers, strict=True):
                lost = lost * dimension**power
            if any(powers) and all(one.found * lost == one.expected for one in wrong):
                return True
        return False

    def _instead(
        self, key: str, statement: Statement, wrong: tuple[MisfitTerm, ...]
    ) -> Dimension | None:
        """Return the unit of a letter with which an equation balances; None where there is none."""
        if key not in self._known:
            return None
        strange = misfits(self._measures(key, self._known[key] * _STRANGE), statement.relation)
        by_place = {one.span: one for one in strange}
        first = wrong[0]
        other = by_place.get(first.span)
        if other is None:
            return None
        ratio = first.found / first.expected
        power = (other.found / other.expected / ratio).kg * 7
        if not power:
            return None
        instead = self._known[key] * ratio ** (-1 / power)
        still = misfits(self._measures(key, instead), statement.relation)
        return None if still else instead

    def _measures(self, key: str, dimension: Dimension) -> LetterMeasures:
        return LetterMeasures({**self._known, key: dimension})

    @cached_property
    def _support(self) -> Mapping[str, list[Statement]]:
        """The equations that balance and in which a letter could be of no other unit."""
        found = defaultdict[str, list[Statement]](list)
        for one in self._judged:
            if misfits(LetterMeasures(self._known), one.relation):
                continue
            nodes = walk(one.relation.left, one.relation.right)
            inside = {node.key for node in nodes if isinstance(node, Name)} & self._known.keys()
            for key in inside:
                strange = self._measures(key, self._known[key] * _STRANGE)
                is_told_by_it = any(key in self._telling[other] for other in inside - {key})
                if not is_told_by_it and misfits(strange, one.relation):
                    found[key].append(one)
        return found

    @cached_property
    def _telling(self) -> Mapping[str, frozenset[str]]:
        """The letters from whose units that of each follows."""
        return {key: frozenset(self._reached(key)) for key in self._units}

    def _reached(self, key: str) -> set[str]:
        found, waiting = set[str](), [key]
        while waiting:
            unit = self._units[waiting.pop()]
            if unit.statement and not unit.place:
                new = {*unit.statement.keys} & self._units.keys() - found - {key}
                found |= new
                waiting += new
        return found

    def _is_otherwise(self, key: str, one: _Misfit) -> bool:
        """Return whether a letter may have another meaning in an equation, or another unit."""
        if self._is_energy(key, one) or _is_gravity(key, one.instead[key]):
            return True
        others = [each for each in self._misfits if each is not one and key in each.instead]
        return bool(others) and not self._support[key]

    def _is_borne_out(self, one: _Misfit) -> bool:
        """Return whether others of its section bear out the units of what letters are called.

        So that they are the same letters there, and are not scaled. What a misfit turns on may not
        follow from another equation, which may be wrong itself.
        """
        statement = one.statement
        units = {key: self._units[key] for key in statement.keys if key in self._units}
        called = [key for key, unit in units.items() if unit.is_by_words]
        follows = any(units[key].statement for key in one.instead)
        if statement.is_inline or follows or any(each.expected == NUMBER for each in one.wrong):
            return False
        return bool(called) and all(
            any(other.section == statement.section for other in self._support[key])
            for key in called
        )

    def _is_energy(self, key: str, one: _Misfit) -> bool:
        r"""Return whether a letter is an energy in an equation, as in ``L = T - V``."""
        relation = one.statement.relation
        names = {
            node.node.key
            for node in walk(relation.left, relation.right)
            if isinstance(node, Partial) and isinstance(node.node, Name)
        }
        sides = relation.left, relation.right
        is_side = any(isinstance(side, Name) and side.key == key for side in sides)
        return key in names or (is_side and one.instead[key] == ENERGY)

    def _unbalanced(self, one: _Misfit) -> Unbalanced:
        relation = one.statement.relation
        parts = [
            f"'{' '.join(relation.latex[slice(*term.span)].split())}' is in {_unit(term.found)}, "
            f"where {_unit(term.expected)} is due"
            for term in one.wrong[:2]
        ]
        nodes = walk(relation.left, relation.right)
        names = dict.fromkeys(node.key for node in nodes if isinstance(node, Name))
        units = [(key, self._units[key]) for key in names if key in self._units]
        others = {
            unit.statement.number: unit.statement
            for _, unit in units
            if unit.statement and unit.statement is not one.statement
        }
        stated = [
            f"{key} in {_unit(unit.dimension)} ({unit.place})" for key, unit in units if unit.place
        ]
        with_units = f", with {', '.join(stated[:MOST_TOLD])}" if stated else ""
        every = tuple(others[number] for number in sorted(others))
        return Unbalanced(every, f"its units do not balance: {'; '.join(parts)}{with_units}")


def _first_name(node: Node) -> Name | None:
    """Return a letter, or the one that a sum begins with; None of anything else."""
    first = node.terms[0].node if isinstance(node, Add) else node
    return first if isinstance(first, Name) else None


def _is_gravity(key: str, dimension: Dimension) -> bool:
    """Return whether a letter is for the acceleration of gravity, and that is measured so."""
    return _is_for_gravity(key) and dimension == _GRAVITY


def _is_for_gravity(key: str) -> bool:
    return SymbolShape.of(key).kinds[:1] == ("gravity",)


def _unit(dimension: Dimension) -> str:
    return "pure numbers" if dimension == NUMBER else str(dimension)


def _is_of_time(printed: str) -> bool:
    """Return whether a part of an equation has time in it, and no other letter."""
    return {*_LETTER.findall(printed)} - _LAYOUT == {TIME}


def _is_of_logarithm(relation: Relation, wrong: MisfitTerm) -> bool:
    r"""Return whether a unit is another constant of a logarithm, as that of r is in ``\ln r``."""
    first, last = (place + relation.span.start for place in wrong.span)
    return any(
        isinstance(one, Call)
        and one.function in _LOGARITHMS
        and one.argument.span.start <= first
        and last <= one.argument.span.stop
        for one in walk(relation.left, relation.right)
    )


def _names_time(relation: Relation) -> bool:
    """Return whether an equation says what a letter is that stands for time elsewhere."""
    return any(isinstance(one, Name) and one.key == TIME for one in (relation.left, relation.right))
