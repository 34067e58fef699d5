"""Chains of equations, ``D = A = B``: which of their sides are right, and which one is wrong.

Where D and B are equal and A is not, what is wrong stands in A, and no term of B is to blame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from freebody.checking.explain import Side, printed_terms
from freebody.checking.findings import Judgement, Repair, Span
from freebody.checking.judge import holds
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.repair.search import FoundRepair
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Node
from freebody.documents.latex.tree import Span as Place
from freebody.errors import NoValueError

LONGEST = 6
"""Sides of a chain that are compared with each other."""


@dataclass
class Chains:
    """The chains of a page.

    Attributes
    ----------
    links : list of list of Relation
        The equations of each chain, in their order.
    """

    links: list[list[Relation]]
    _told: dict[Place, tuple[Relation, Judgement]] = field(default_factory=dict)

    def judged(self, relation: Relation, suspect: Side | None, found: Judgement) -> Judgement:
        """Return what is said of an equation, which is the same of a wrong side each time."""
        if suspect is None or found.holds:
            return found
        side = relation.left if suspect == "left" else relation.right
        first, judged = self._told.setdefault(side.span, (relation, found))
        if first is not relation and first.right.span == side.span and judged.repairs:
            return _moved(judged, first, relation)
        return found

    @classmethod
    def of(cls, relations: Iterable[Relation]) -> Chains:
        """Return the chains of equations whose right side is the left one of the next."""
        found: list[list[Relation]] = []
        for relation in relations:
            last = found[-1][-1] if found else None
            if last and last.right.span == relation.left.span and last.label != relation.label:
                found[-1].append(relation)
            else:
                found.append([relation])
        return cls([chain for chain in found if 1 < len(chain) < LONGEST])

    def suspect(self, symbols: Symbols, relation: Relation) -> Side | None:
        """Return the side of an equation that differs which is wrong, if the others tell that."""
        chain = next((one for one in self.links if any(r is relation for r in one)), None)
        if chain is None:
            return None
        sides = [chain[0].left, *(one.right for one in chain)]
        place = next(n for n, one in enumerate(chain) if one is relation)
        agree = [self._agrees(symbols, relation, sides, n) for n in (place, place + 1)]
        if agree[0] == agree[1]:
            return None
        return "right" if agree[0] else "left"

    def _agrees(self, symbols: Symbols, relation: Relation, sides: list[Node], place: int) -> bool:
        """Return whether a side is equal to any other of its chain."""
        others = [other for n, other in enumerate(sides) if n != place]
        made = (replace(relation, left=sides[place], right=one, others=()) for one in others)
        return any(_holds(symbols, one) for one in made)


def _moved(judged: Judgement, first: Relation, relation: Relation) -> Judgement:
    """Return what is said of a side that two equations have, in places of the second of them."""
    shift = relation.span.start - first.span.start
    differences = [
        replace(one, span=_shifted(one.span, shift) if one.span else None)
        for one in judged.differences
    ]
    repairs = [_again(one, relation, shift) for one in judged.repairs]
    found = [FoundRepair(one, relation, 0.0) for one in repairs]
    terms = printed_terms(relation, differences, found)
    return replace(judged, differences=tuple(differences), terms=terms, repairs=tuple(repairs))


def _again(repair: Repair, relation: Relation, shift: int) -> Repair:
    edits = [replace(edit, span=_shifted(edit.span, shift)) for edit in repair.edits]
    latex = relation.latex
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        first, last = edit.span
        latex = latex[:first] + edit.proposed + latex[last:]
    return Repair(latex, tuple(edits))


def _shifted(span: Span, shift: int) -> Span:
    return span[0] - shift, span[1] - shift


def _holds(symbols: Symbols, relation: Relation) -> bool:
    try:
        return holds(symbols, relation)
    except NoValueError:
        return False
