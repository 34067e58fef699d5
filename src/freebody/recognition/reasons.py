"""Why an equation that does not hold in the model of its page may be about something else."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise

from freebody.algebra.units import KG, M, S, dimension
from freebody.checking.causes.dimensions import is_of_one_dimension
from freebody.checking.introduced import defines
from freebody.checking.meaning.pairs import APPROXIMATIONS
from freebody.checking.report import EquationVerdict
from freebody.checking.verdicts import Checker
from freebody.consistency.letters import TIME
from freebody.documents.latex import Relation
from freebody.documents.latex.names import printed
from freebody.documents.latex.tree import Call, Name, Node, Number, is_zero, show, walk
from freebody.errors import FreebodyError
from freebody.recognition.page_numbers import EXAMPLES
from freebody.recognition.recognised import Recognised

BY_LETTERS = "it holds in the model by what the page says of its letters"
ELSEWHERE = "none of its section is about the model: it may be about something else"
IN_TIME = "it is one motion in time"
SIGNED = "it has an absolute value, and may be about one sign of what that is of"
EITHER = "it contradicts {}, of which the model is made: either may be misprinted"
OPEN = "it says what the model leaves open"
CASE = "it lacks {}, which the model has: it may be a case without, or of some numbers"
TWICE = "it has {}, of which {} says something else"
"""Why an equation that does not hold as it stands is not held against the model of its page."""
_ACTING = (KG / S, KG * M**2 / S, KG / S**2, KG * M**2 / S**2)
"""What constants of dampers and springs are measured in."""
_FACTORS = re.compile(r"(?<!\*)[*/](?!\*)(?![^(]*\))")
_NAMES = re.compile(r"[A-Za-z_]\w*")


class Reasons:
    """Why equations of a page may be about something else than its model.

    Parameters
    ----------
    found : Recognised
        The model.
    checker : Checker
        What holds the page against it.
    """

    def __init__(self, found: Recognised, checker: Checker) -> None:
        self.found, self.checker = found, checker
        self.model = found.quantities.mechanism.model
        self._signs: Sequence[tuple[str, Callable[[Relation], bool]]] = (
            (BY_LETTERS, lambda one: one.label in found.fits),
            (ELSEWHERE, lambda one: one.label not in found.near),
            (EXAMPLES, self._is_example),
            (IN_TIME, _is_in_time),
            (SIGNED, _has_absolute_value),
            (self.either, self._is_of_energy),
            (OPEN, self._is_open),
        )

    def of(self, relation: Relation, verdict: EquationVerdict) -> str:
        """Return why an equation that does not hold may be about something else; else nothing."""
        for reason, is_meant in self._signs:
            if is_meant(relation):
                return reason
        absent = self._absent(relation, verdict)
        return CASE.format(", ".join(sorted(absent))) if absent else ""

    @property
    def either(self) -> str:
        """That the model may be what is misprinted."""
        return EITHER.format(", ".join(self.found.fits[:2]))

    @cached_property
    def acting(self) -> set[str]:
        """The inputs of the model, and the constants of its dampers and springs."""
        constants = self.model.constants.items()
        return {*self.model.inputs} | {k for k, one in constants if dimension(one.unit) in _ACTING}

    def printed(self, *nodes: Node) -> set[str]:
        """Return the constants and inputs of the model that formulas have."""
        found, names = set[str](), self.found.quantities.mechanism.names
        known = {**names.constants, **names.inputs}
        for node in walk(*nodes):
            if isinstance(node, Name):
                with suppress(FreebodyError):
                    grid = self.checker.symbols.value(node.key, node.indices, node.dots)
                    atoms = {one for form in grid.entries() for one in form.atoms}
                    found |= {name for name, atom in known.items() if atom in atoms}
        return found

    def ambiguous(
        self, differing: Sequence[Relation], holding: Sequence[Relation]
    ) -> dict[str, set[str]]:
        """Return the letters of which the page says what they are not in the model, and where.

        Or what they are nearly.
        """
        meanings, ambiguous = self.checker.symbols.meanings, defaultdict[str, set[str]](set)
        for relation in (one for one in self.checker.relations() if one not in holding):
            for name, node in defines(relation):
                same = isinstance(node, Name) and meanings.get(name.key) == meanings.get(node.key)
                if relation in differing or (isinstance(node, Name) and not same):
                    ambiguous[name.key].add(relation.label)
        for before, relation in pairwise(self.checker.relations()):
            is_next = show(before.right) == show(relation.left)
            if is_next and relation.relation in APPROXIMATIONS:
                for name, _ in defines(before):
                    ambiguous[name.key].add(relation.label)
        for own in self.checker.own.values():
            if not is_of_one_dimension(self.checker.symbols, own.relation):
                ambiguous[own.key].add(own.relation.label)
        return ambiguous

    def twice(self, relation: Relation, ambiguous: Mapping[str, set[str]]) -> str:
        """Return which letter of an equation the page says to be something else elsewhere."""
        own = [name.key for name, _ in defines(relation) if name.key in self.checker.own]
        for key in (*own, *(one.key for one in _names(relation))):
            where = ambiguous.get(key, set()) - {relation.label}
            if where or key in own:
                return TWICE.format(printed(key), min(where, default="another"))
        return ""

    def _is_example(self, relation: Relation) -> bool:
        return has_decimals(relation) or self._is_of_numbers(relation)

    def _is_of_numbers(self, relation: Relation) -> bool:
        """Return whether an equation has numbers in place of all constants, on one of its sides."""
        sides = [side for side in _sides(relation) if not is_zero(side)]
        of_numbers = [side for side in sides if not self.printed(side)]
        nodes = [node for side in of_numbers for node in walk(side)]
        has_numbers = any(isinstance(node, Number) for node in nodes)
        is_accelerated = any(isinstance(node, Name) and node.dots > 1 for node in nodes)
        return has_numbers and (len(of_numbers) < len(sides) or is_accelerated)

    def _is_of_energy(self, relation: Relation) -> bool:
        """Return whether an equation says what an energy is, of which the model is made."""
        meanings = (self.checker.symbols.meanings.get(name.key) for name, _ in defines(relation))
        return self._is_made_of_energies and any(str(one).startswith("energy.") for one in meanings)

    @cached_property
    def _is_made_of_energies(self) -> bool:
        """Whether the model is made of energies, and no equation of motion is printed that fits."""
        rows = self.found.system.rows
        printed_rows = {label for row in rows if not row.is_derived for label in row.labels}
        return self.found.is_built and printed_rows.isdisjoint(self.found.fits)

    def _is_open(self, relation: Relation) -> bool:
        """Return whether an equation has nothing but constants and coordinates, each by its name.

        These are independent in the model: it can say nothing of them alone.
        """
        meanings = self.checker.symbols.meanings
        own = {*self.model.constants, *self.model.coordinates}
        return all(not one.dots and str(meanings.get(one.key)) in own for one in _names(relation))

    def _absent(self, relation: Relation, verdict: EquationVerdict) -> set[str]:
        """Return the constants that an equation lacks, and for some values of which it may hold.

        All that it prints too much is then something with these in the model.
        """
        lost = (one.term for one in verdict.differences if one.printed == "0")
        missing = [term for term in lost if self.acting.isdisjoint(_NAMES.findall(term))]
        extra = [one.term for one in verdict.differences if one.derived == "0"]
        if not {*map(self._moving, extra)} <= {*map(self._moving, missing)}:
            return set()
        needed = {name for term in missing for name in _NAMES.findall(term)}
        return needed & {*self.model.constants} - self.printed(*_sides(relation))

    def _moving(self, term: str) -> tuple[str, ...]:
        """Return the factors of a term that are neither numbers nor constants."""
        factors = _FACTORS.split(term)
        return tuple(
            sorted(one for one in factors if {*_NAMES.findall(one)} - {*self.model.constants})
        )


def has_decimals(relation: Relation) -> bool:
    """Return whether an equation has numbers that are no halves, thirds or the like."""
    nodes = walk(*_sides(relation))
    return any(node.value.denominator % 5 == 0 for node in nodes if isinstance(node, Number))


def _is_in_time(relation: Relation) -> bool:
    """Return whether an equation has the time itself, as one motion of the model has."""
    return any(one.key == TIME for one in _names(relation))


def _has_absolute_value(relation: Relation) -> bool:
    calls = (one for one in walk(*_sides(relation)) if isinstance(one, Call))
    return any(one.function == "abs" for one in calls)


def _sides(relation: Relation) -> tuple[Node, Node]:
    return relation.left, relation.right


def _names(relation: Relation) -> list[Name]:
    return [node for node in walk(*_sides(relation)) if isinstance(node, Name)]
