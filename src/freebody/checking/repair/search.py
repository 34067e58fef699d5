"""The smallest changes of a printed equation that make it hold.

Each single change alters what is left of left minus right by an amount that is calculated once.
Changes in different terms add, and changes of different factors of one term multiply, so two or
three changes together are a look-up of what is still missing. What is found at a random point is
read again from its LaTeX and proved exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from freebody.checking.evidence import could_fail, names
from freebody.checking.findings import Edit, Repair
from freebody.checking.meaning.field_evaluator import compare_at_random_points
from freebody.checking.meaning.relation_at_point import (
    LargeRelationsAtPoints,
    RelationAtPoint,
    RelationsAtPoints,
    relations_at_points,
)
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.repair.brackets import (
    ADDED,
    COST,
    added_brackets,
    moved_brackets,
    rebracketed,
)
from freebody.checking.repair.changes import LIKELY, Changes
from freebody.checking.repair.missing import (
    lacking,
    lacking_terms,
    missing_factors,
    missing_terms,
    missing_terms_beside,
)
from freebody.checking.repair.plausibility import awkwardness, says_nothing
from freebody.checking.repair.products import Products
from freebody.checking.repair.reread import Reread
from freebody.checking.repair.together import Edits, Option, in_one_term, pairs, triples
from freebody.checking.repair.vocabulary import Word
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    Call,
    Matrix,
    Name,
    Node,
    Partial,
    TimeDerivative,
    Times,
    is_zero,
    show,
    terms_of,
    walk,
)
from freebody.errors import NoValueError

MOST_PROVED = 8
MOST_TRIED = 60
MOST_CHANGES = 30_000
MOST_PRODUCTS = 200_000
"""Of terms, to work an equation out once."""
SURE = 1.25
"""What is found at such a cost needs no other changes beside it."""
ALIKE = 0.6
"""Repairs that cost so much more than the best are told beside it."""


@dataclass(frozen=True, slots=True)
class FoundRepair:
    """A repair, with the equation as it is read with it.

    Attributes
    ----------
    repair : Repair
    relation : Relation
    cost : float
        How unlikely it is, as a misprint.
    awkwardness : float
        How unlikely the equation with it is, as an author's.
    """

    repair: Repair
    relation: Relation
    cost: float
    awkwardness: float = 0.0

    @property
    def rank(self) -> float:
        """How unlikely it is, all in all."""
        return self.cost + self.awkwardness


@dataclass(frozen=True, slots=True)
class RepairSearch:
    """What a search for repairs found.

    Attributes
    ----------
    found : tuple of FoundRepair
        The likeliest first.
    note : str
        Why there is nothing, or not all; empty where the search was complete.
    """

    found: tuple[FoundRepair, ...] = ()
    note: str = ""


BOTH = 2
"""The sides of an equation."""
OPERATIONS = (Call, Matrix, Partial, TimeDerivative, Times)
"""What is worked out, so that it says something even where it holds whatever the symbols are."""


class Repairs:
    """The search for repairs of the equations of one page.

    Parameters
    ----------
    symbols : Symbols
        What the names stand for.
    reread : Reread
        Reads a changed equation of the page.
    words : sequence of Word
        What may be printed in place of a name.
    arguments : sequence of (str, Node)
        What cosines and sines of the page are of.
    holds : callable
        Whether a relation holds, exactly.
    """

    def __init__(
        self,
        symbols: Symbols,
        reread: Reread,
        words: Sequence[Word],
        arguments: Sequence[tuple[str, Node]],
        holds: Callable[[Relation], bool],
    ) -> None:
        self.symbols, self.reread, self.holds = symbols, reread, holds
        self.words, self.arguments = words, arguments
        self.relations: RelationsAtPoints | LargeRelationsAtPoints = relations_at_points(symbols)

    def on(self, text: str) -> Repairs:
        """Return the same search for equations of another text."""
        reread = Reread(text, self.reread.declared, self.reread.macros)
        other = Repairs(self.symbols, reread, self.words, self.arguments, self.holds)
        other.relations = self.relations
        return other

    def at_points(self) -> Repairs:
        """Return the same search for equations that are too large to be written out."""
        other = Repairs(self.symbols, self.reread, self.words, self.arguments, self._agrees)
        other.relations = LargeRelationsAtPoints(self.symbols)
        return other

    def _agrees(self, relation: Relation) -> bool:
        return compare_at_random_points(self.symbols, relation).equal

    def of(self, relation: Relation) -> RepairSearch:
        """Look for the repairs of an equation that does not hold."""
        ring = self.symbols.quantities.ring
        with ring.budget.work() as work:
            try:
                here = self.relations.at(relation)
                if work.spent > MOST_PRODUCTS:
                    return RepairSearch(note="it takes too long to be worked out many times")
                if not here.residual:
                    return RepairSearch(note="its difference is not seen at a random point")
                if not self.reread.is_faithful(relation):
                    return RepairSearch(note="it is printed for several indices or signs at once")
                return self._search(here)
            except NoValueError as error:
                return RepairSearch(note=f"the search for repairs gave up: {error}")

    def proved(self, relation: Relation, options: Iterable[Option]) -> RepairSearch:
        """Return those of some changes that make an equation hold, exactly."""
        return RepairSearch(tuple(self._proved(relation, options)))

    def _search(self, here: RelationAtPoint) -> RepairSearch:
        changes = Changes(here, self.reread.text, self.words, self.arguments)
        single = [*changes.all(), *lacking(changes)]
        if len(single) > MOST_CHANGES:
            return RepairSearch(note=f"more than {MOST_CHANGES:,} changes to try")
        found = self._proved(here.relation, ((c.cost, (c.edit,)) for c in single if not c.residual))
        if _is_sure(found, SURE):
            return RepairSearch(tuple(found))
        products = Products(changes)
        moves = list(moved_brackets(here, self.reread))
        more = [*_holding(moves, COST), *missing_factors(changes, products)]
        found = _best([*found, *self._proved(here.relation, more)])
        if _is_sure(found, LIKELY):
            return RepairSearch(tuple(found))
        some = [*single, *changes.rare()]
        more = [*pairs(changes.residual, some), *in_one_term(changes, some)]
        more += missing_terms(changes, products)
        more += lacking_terms(changes, products)
        more += _holding(added_brackets(here, self.reread), ADDED)
        found = _best([*found, *self._proved(here.relation, more)])
        if not found:
            found = self._proved(here.relation, rebracketed(changes, self.reread, single, moves))
        if not found:
            more = list(missing_terms_beside(changes, products, single))
            more += triples(changes.residual, single)
            found = self._proved(here.relation, more)
        return RepairSearch(tuple(found))

    def _proved(self, relation: Relation, options: Iterable[Option]) -> list[FoundRepair]:
        """Return the changes that make the equation hold, those that cost least first."""
        found: dict[str, FoundRepair] = {}
        ordered = sorted(options, key=lambda option: (option[0], -option[1][0].span[0]))
        for cost, edits in ordered[:MOST_TRIED]:
            if found and cost > min(one.cost for one in found.values()) + ALIKE:
                break
            changed = self.reread.changed(relation, edits)
            if changed is None or self.reread.shown(changed) in found:
                continue
            if _is_empty(changed) or says_nothing(changed) or _is_named(relation, changed, edits):
                continue
            if self._holds(changed, relation, edits):
                repair = Repair(changed.latex, _within(edits, relation))
                awkward = awkwardness(changed, relation)
                found[self.reread.shown(changed)] = FoundRepair(repair, changed, cost, awkward)
            if len(found) == MOST_PROVED:
                break
        return sorted(found.values(), key=lambda one: one.rank)

    def _holds(self, changed: Relation, printed: Relation, edits: Edits) -> bool:
        try:
            here = self.relations.at(changed)
            if here.residual or (here.zeros == BOTH and self._makes_zero(here, printed, edits)):
                return False
            return self._is_said(here, changed) and self.holds(changed)
        except NoValueError:
            return False

    def _is_said(self, here: RelationAtPoint, changed: Relation) -> bool:
        """Return whether an equation says anything: of the mechanics, or of what it works out."""
        nodes = walk(changed.left, changed.right)
        works_out = any(isinstance(node, OPERATIONS) for node in nodes)
        return works_out or here.zeros == BOTH or could_fail(self.holds_at_a_point, changed)

    def holds_at_a_point(self, relation: Relation) -> bool:
        """Return whether an equation holds at the point."""
        try:
            return not self.relations.at(relation).residual
        except NoValueError:
            return False

    def _makes_zero(self, here: RelationAtPoint, printed: Relation, edits: Edits) -> bool:
        """Return whether an equation is all zero because of what is put in, not because it is."""
        puts_symbol = any(edit.kind in ("symbol", "dot", "index") for edit in edits)
        says_zero = is_zero(here.relation.left) or is_zero(here.relation.right)
        is_put = puts_symbol and (here.vanishes or not says_zero)
        is_known = names(printed) <= self.symbols.meanings.keys()  # else it is no zero as printed
        return is_put or not is_known or not self.relations.at(printed).zeros


def _holding(edits: Iterable[tuple[Edit, int]], cost: float) -> Iterator[Option]:
    """Iterate over those edits that make the equation hold, at the point."""
    return ((cost, (edit,)) for edit, residual in edits if not residual)


def _best(found: list[FoundRepair]) -> list[FoundRepair]:
    found = sorted(found, key=lambda one: one.rank)
    different = {one.repair.latex: one for one in reversed(found)}
    kept = [one for one in found if different[one.repair.latex] is one]
    return [one for one in kept if one.rank <= kept[0].rank + ALIKE]


def _is_sure(found: list[FoundRepair], cost: float) -> bool:
    """Return whether one of some repairs costs so little that no other needs to be looked for."""
    return any(one.cost <= cost for one in found)


def _is_empty(relation: Relation) -> bool:
    """Return whether an equation says nothing: that something is itself, and what is zero."""
    left, right = relation.left, relation.right
    return show(left) in _addends(right) or show(right) in _addends(left)


def _addends(side: Node) -> set[str]:
    """Return the terms with a plus of a sum."""
    terms = terms_of(side)
    return {show(term.node) for term in terms if term.sign > 0}


def _is_named(printed: Relation, changed: Relation, edits: Edits) -> bool:
    """Return whether edits make a printed expression the name of what is on the other side."""

    def names(relation: Relation) -> bool:
        return isinstance(relation.left, Name) and isinstance(relation.right, Name)

    return names(changed) and not names(printed) and any(edit.proposed for edit in edits)


def _within(edits: Edits, relation: Relation) -> Edits:
    """Return edits with their places counted from where the equation begins."""
    start = relation.span.start
    return tuple(
        replace(edit, span=(edit.span[0] - start, edit.span[1] - start))
        for edit in sorted(edits, key=lambda edit: edit.span)
    )
