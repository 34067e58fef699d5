"""What is left of a printed equation, at a random point, with other nodes in it.

Where the equation is linear in what is changed, that is calculated from one slope; elsewhere it is
worked out anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from freebody.algebra.prime import PRIME, Residue
from freebody.checking.findings import Edit
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning.relation_at_point import RelationAtPoint
from freebody.checking.repair.cleared import cleared
from freebody.checking.repair.places import NodePlace, PrintedPage, placed
from freebody.documents.latex.tree import (
    Add,
    Divide,
    Node,
    Term,
    children,
)
from freebody.errors import NoValueError


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a printed equation.

    Attributes
    ----------
    edit : Edit
        In the text of the page.
    cost : float
        How unlikely it is, as a misprint: one and more.
    residual : int
        What is then left of left minus right at the point.
    within : frozenset of Node or Term
        The terms that it stands in.
    """

    edit: Edit
    cost: float
    residual: int
    within: frozenset[Node | Term]


class ChangingEquation(PrintedPage):
    """A printed equation at a point, in which one node after the other is another.

    Parameters
    ----------
    at_point : RelationAtPoint
        The equation at a point.
    text : str
        The page.

    Attributes
    ----------
    places : list of NodePlace
        Of all its nodes.
    scale : int
        What the equation was multiplied by, to have no denominators.
    residual : int
        What is left of left minus right, without denominators.
    """

    def __init__(self, at_point: RelationAtPoint, text: str) -> None:
        super().__init__(text)
        self.at_point = at_point
        self.cleared, below = cleared(at_point)
        self.scale = math.prod(self.cleared.value(node).form.value for node in below) % PRIME
        self.residual = self.cleared.residual
        self._multiplied_out = self.cleared.nodes if below else frozenset[Node | Term]()
        self.places: list[NodePlace] = []
        self._slopes: dict[Node | Term, int] = {}
        self._gradients: dict[Node | Term, list[int]] = {}
        for side in (at_point.relation.left, at_point.relation.right):
            self._visit(side, None)

    def _visit(self, node: Node | Term, around: NodePlace | None) -> None:
        """Take a node and all below it."""
        place = placed(node, around, self._multiplied_out)
        self.places.append(place)
        for child in children(node):
            self._visit(child, place)

    def tried(
        self, place: NodePlace, instead: Node | Term, edit: Edit, cost: float
    ) -> Iterator[Change]:
        """Work the equation out with another node; nothing where that has no meaning."""
        try:
            for residual in self._with(place, instead):
                yield Change(edit, cost + place.subject, residual, place.within)
        except NoValueError:
            return

    def _with(self, place: NodePlace, instead: Node | Term) -> Iterator[int]:
        """Iterate over what may be left with another node.

        Only what the equation depends on linearly is worked out anew, and what stands in it.
        """
        linear, changes = place.linear.node, {place.node: instead}
        is_cleared = linear in self.cleared.nodes
        at_point, scale = (self.cleared, 1) if is_cleared else (self.at_point, self.scale)
        slopes = self._all_slopes(linear)
        if not any(slopes):
            for residual in at_point.residuals(changes):
                yield residual * scale % PRIME
            return
        here = at_point.value(linear)
        for other in at_point.values(linear, changes):
            if other.shape != here.shape:
                raise MeaningError("a matrix of another shape")
            gains = zip(slopes, other.entries(), here.entries(), strict=True)
            yield (self.residual + sum(s * (a - b).value for s, a, b in gains)) % PRIME

    def _changed(self, changes: Mapping[Node | Term, Node | Term | Grid]) -> int:
        """Return what is left of the equation without its denominators, after changes."""
        if changes.keys() <= self.cleared.nodes:
            return self.cleared.changed(changes)
        return self.at_point.changed(changes) * self.scale % PRIME

    def _worth(self, place: NodePlace, edit: Edit, cost: float, difference: int) -> Change:
        residual = (self.residual + difference) % PRIME
        return Change(edit, cost + place.subject, residual, place.within)

    def scalar(self, node: Node | Term) -> int | None:
        """Return the value of a node at the point; None where it is no scalar."""
        try:
            grid = self.at_point.value(node)
        except MeaningError:
            return None
        return int(grid.form.value) if grid.is_scalar else None

    def slope(self, node: Node | Term) -> int:
        """Return what a linear equation gains where the value of a node gains one."""
        if node not in self._slopes:
            one, none = (Grid.scalar(Residue(value)) for value in (1, 0))
            self._slopes[node] = self._changed({node: one}) - self._changed({node: none})
        return self._slopes[node]

    def _all_slopes(self, node: Node | Term) -> list[int]:
        """Return the slopes by all entries of a node; none where it has no value of its own."""
        if node not in self._gradients:
            try:
                self._gradients[node] = self._gradient(node)
            except MeaningError:
                self._gradients[node] = []
        return self._gradients[node]

    def _gradient(self, node: Node | Term) -> list[int]:
        value = self.at_point.value(node)
        if value.is_scalar:
            return [self.slope(node)]
        n, m = value.shape
        units = (
            Grid.made((Residue(int((i, j) == at)) for j in range(m)) for i in range(n))
            for at in product(range(n), range(m))
        )
        return [self._changed({node: value + unit}) - self.residual for unit in units]

    def without(self, node: Node | Term) -> int:
        """Return what is left of left minus right without a scalar term."""
        if self.scalar(node) is None:
            return self.residual
        return self._changed({node: Grid.scalar(Residue(0))})

    def is_open(self, place: NodePlace) -> bool:
        """Return whether a term can be added to a node: a sum, a side or what brackets hold."""
        node = place.node
        if not place.is_linear or isinstance(node, Term):
            return False
        if isinstance(place.parent, Divide):
            return self.text[node.span.start - 1 : node.span.start] == "{"
        return isinstance(node, Add) or place.is_unsigned or self.is_enclosed(node)

    def with_nothing(self, place: NodePlace) -> int:
        """Return what is left of left minus right where a node is zero."""
        try:
            grid = self.at_point.value(place.node)
        except MeaningError:
            return self.residual
        zero = Grid.made((Residue(0) for _ in row) for row in grid.rows)
        return self._changed({place.node: zero})
