"""Steps of derivations: B = C of a chain A = B = C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from freebody.consistency.letters import bare_of_font, is_vector, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.values import Values
from freebody.consistency.statement import Statement, names_of
from freebody.consistency.statements import Statements
from freebody.consistency.vector_products import has_crosses
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Multiply, Name, Node, Term, differentiated, walk

_DIFFERENTIALS = frozenset({"d", r"\mathrm{d}", r"\text{d}"})


class Steps:
    """Tells which equations of a page are steps of derivations.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
        What their letters stand for.
    """

    def __init__(self, statements: Statements, meanings: Meanings) -> None:
        self._statements, self._meanings, self._letters = statements, meanings, meanings.letters

    def is_chained(self, statement: Statement) -> bool:
        """Return whether an equation is part of a chain, as A = B of D = A = B."""
        before = statement.number - 1
        if before < 0:
            return False
        return statement.continues(self._statements.all[before])

    def is_step(self, statement: Statement) -> bool:
        """Return whether an equation is a step of a derivation, B = C of A = B = C.

        With the same letters on both sides: others may hold by what is not printed.
        """
        relation = statement.relation
        left, right = names_of(relation.left), names_of(relation.right)
        commutes = not any(map(is_vector, left | right)) and not has_crosses(relation)
        is_plain = commutes and not self._has_differentials(relation)
        return self.is_chained(statement) and left == right and is_plain

    def is_solved_anew(self, statement: Statement, others: Sequence[Statement]) -> bool:
        """Return whether an equation is another one that is solved for a rate, in its letters."""
        left = differentiated(statement.relation.left)
        if left is None or not left[1] or len(others) != 1:
            return False
        return {*statement.orders.items()} == {*others[0].orders.items()}

    def has_alike_sides(self, statement: Statement) -> bool:
        """Return whether both sides of an equation come down to the same letters."""
        view = self._meanings.view(statement)
        sides = statement.relation.left, statement.relation.right
        grids = [view.lowered(Values(view).value(side)) for side in sides]
        left, right = (
            {one.key for form in grid.entries() for one in letters_of(self._letters, form)}
            for grid in grids
        )
        return left == right

    def is_of_alike_constants(self, statement: Statement) -> bool:
        """Return whether both sides of a step are constants, of the same letters in the end."""
        is_constant = self._letters.moving.isdisjoint(statement.keys)
        return is_constant and self.is_chained(statement) and self.has_alike_sides(statement)

    def _has_differentials(self, relation: Relation) -> bool:
        r"""Return whether a d stands before what moves, as in ``\dot q\,d\dot q``."""
        moving = self._letters.moving
        every = differentials(relation.left, relation.right)
        return any(not moving.isdisjoint(names_of(one)) for one in every)


def is_of_differentials(relation: Relation) -> bool:
    r"""Return whether an equation is between differentials, ``dx/x = -dt``."""
    return all(any(differentials(side)) for side in (relation.left, relation.right))


def differentials(*sides: Node) -> Iterator[Node | Term]:
    r"""Iterate over what a d stands before: u and r of ``\mathrm{d}u = -\rho/r^2\,\mathrm{d}r``."""
    for product in walk(*sides):
        if isinstance(product, Multiply):
            for one, other in pairwise(product.factors):
                if isinstance(one, Name) and bare_of_font(one.key) in _DIFFERENTIALS:
                    yield other
