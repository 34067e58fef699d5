"""Equations that are wrong only because they carry on an earlier misprint.

The equations of a page are taken in order, and what each says of a quantity is kept. One that
differs is tried with what earlier equations that differ say, and with what follows from that. It
carries a misprint on if it then holds exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import sympy

from freebody.algebra import Form
from freebody.checking.causes.page_values import (
    UNKNOWN,
    PageMotion,
    PageStatement,
    PageValues,
    atoms_of,
    holds_derived,
)
from freebody.checking.causes.propagated_quantities import PropagatedQuantities
from freebody.checking.meaning.pairs import Pair
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents.latex.names import index_letters
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Name, Node, Number, Power
from freebody.errors import NoValueError

MOST_ROOTS = 8
"""Misprints that an equation is tried with, the latest."""
MOST_WORK = 500_000
"""Products of terms that a trial may take: half a second."""
MOST_OF_A_PAGE = 6 * MOST_WORK
MOVING = ("position", "velocity", "acceleration", "ang", "reaction", "resultant")
"""From what a balance of forces follows."""


class ErrorPropagation:
    """What a page says of its quantities, equation by equation.

    Parameters
    ----------
    quantities : Quantities
        What is derived.
    """

    def __init__(self, quantities: Quantities) -> None:
        self.quantities = quantities
        self.ring = quantities.ring
        self._stated: list[PageStatement | PageMotion] = []
        self._roots: list[str] = []
        self._left = MOST_OF_A_PAGE

    def add(
        self,
        label: str,
        relation: Relation,
        symbols: Symbols,
        pairs: Sequence[Pair],
        holds: bool,
    ) -> str:
        """Take the next equation of the page.

        Parameters
        ----------
        label : str
            What it is called.
        relation : Relation
        symbols : Symbols
            What its names stand for.
        pairs : sequence of Pair
            Its scalar equations.
        holds : bool
            Whether it holds.

        Returns
        -------
        str
            The label of the earlier equation whose misprint it carries on; empty where none.
        """
        origin = "" if holds else self._origin(relation, symbols)
        root = "" if holds else origin or label
        said: list[PageStatement | PageMotion] = []
        with suppress(NoValueError), self.ring.budget.work(MOST_WORK):
            for index, pair in enumerate(pairs):
                said += self._statements(root, relation, symbols, index, pair)
        self._stated += said
        if root and said and root not in self._roots:
            self._roots.append(root)
        return origin

    # ------------------------------------------------------------------ where a misprint is from

    def _origin(self, relation: Relation, symbols: Symbols) -> str:
        """Return the label of the first misprint with which an equation holds."""
        roots = self._roots[-MOST_ROOTS:]
        sets = [{root} for root in roots]
        if len(roots) > 1:
            sets.append(set(roots))
        for active in sets:
            if self._holds_with(active, relation, symbols):
                return min(active, key=roots.index)
        return ""

    def _holds_with(self, active: set[str], relation: Relation, symbols: Symbols) -> bool:
        stated = [one for one in self._stated if not one.root or one.root in active]
        wrong = [str(one.atom) for one in stated if isinstance(one, PageStatement) and one.root]
        ways = (False, True) if any(map(_moves, wrong)) else (False,)
        worlds = (PropagatedQuantities(self.quantities, stated, by_balances=way) for way in ways)
        return any(self._holds_in(world, relation, symbols) for world in worlds)

    def _holds_in(self, world: PageValues, relation: Relation, symbols: Symbols) -> bool:
        if self._left <= 0:
            return False
        with self.ring.budget.work(MOST_WORK) as work:
            try:
                return world.holds(relation, symbols)
            except (NoValueError, ZeroDivisionError):
                return False
            finally:
                self._left -= work.total

    # ------------------------------------------------------------------ what an equation says

    def _statements(
        self, root: str, relation: Relation, symbols: Symbols, index: int, pair: Pair
    ) -> Iterator[PageStatement | PageMotion]:
        """Iterate over what a scalar equation says: of a quantity, a symbol, or the motion."""
        if pair.left and pair.right and (pair.left.is_number or pair.right.is_number):
            return
        zero = pair.left - pair.right
        atom = self._alone(pair) or self._balanced(zero)
        if atom is not None:
            yield PageStatement(root, relation, symbols, index, atom)
        elif key := self._symbol(relation.left, symbols):
            yield PageStatement(root, relation, symbols, index, UNKNOWN, key)
        if root and not holds_derived(self.quantities, zero):
            yield from self._motion(root, zero)

    def _alone(self, pair: Pair) -> sympy.Expr | None:
        """Return the quantity that a side is, but for a number."""
        for side, other in ((pair.left, pair.right), (pair.right, pair.left)):
            found = [atom for atom in atoms_of(side) if self._is_statable(atom)]
            if len(found) == 1 and found[0] not in atoms_of(other):
                parts = self.ring.coefficients(side, (found[0],))
                plain = set(parts) == {(1,)}
                if plain and (parts[1,].is_number or pair.is_cleared):
                    return found[0]
        return None

    def _balanced(self, zero: Form) -> sympy.Expr | None:
        """Return the force that a balance is solved for: one of which nothing was said before."""
        known = {one.atom for one in self._stated if isinstance(one, PageStatement)}
        atoms = set(atoms_of(zero)) - known
        forces = [atom for atom in atoms if str(atom).startswith("reaction.")]
        if not forces and not holds_derived(self.quantities, zero):
            return None
        inputs = [atom for atom in atoms if atom in self.quantities.equations.inputs]
        for found in (forces, inputs):
            linear = [atom for atom in found if self._is_linear(zero, atom)]
            if linear:
                return min(linear, key=self._distance)
        return None

    def _is_linear(self, zero: Form, atom: sympy.Expr) -> bool:
        parts = self.ring.coefficients(zero, (atom,))
        return set(parts) <= {(0,), (1,)} and len(parts[1,].terms) <= 2

    def _distance(self, atom: sympy.Expr) -> tuple[int, str]:
        """Return how far from the ground a force acts: it is solved for inward."""
        parts = str(atom).split(".")
        steps = list(self.quantities.mechanism.joint_frames)
        return (steps.index(parts[1]) if len(parts) > 1 and parts[1] in steps else 0, str(atom))

    def _symbol(self, node: Node, symbols: Symbols) -> str:
        """Return the symbol of the page that a side is, or whose square it is."""
        if isinstance(node, Power) and isinstance(node.exponent, Number):
            node = node.base
        if not isinstance(node, Name) or node.dots or index_letters(node.key):
            return ""
        grid = symbols.value(node.key)
        if not grid.is_scalar or len(atoms_of(grid.form)) + len(grid.form.terms) <= 2:
            return ""
        return node.key

    def _motion(self, root: str, zero: Form) -> Iterator[PageMotion]:
        """Iterate over the equation of motion that a wrong one stands for."""
        equations = self.quantities.equations
        moving = {*equations.mechanism.accelerations, *equations.inputs}
        if moving.isdisjoint(atoms_of(zero)):
            return
        blocks, accelerations = equations.blocks, equations.mechanism.accelerations
        shared = []
        for i, inertia in enumerate(blocks.M):
            row = blocks.C[i] + blocks.G[i] + blocks.E[i] - blocks.tau[i]
            for entry, one in zip(inertia, self.ring.forms(accelerations), strict=True):
                row = row + entry * one
            shared.append(len(row.terms.table.keys() & zero.terms.table.keys()))
        if max(shared):
            yield PageMotion(root, shared.index(max(shared)), zero)

    # ------------------------------------------------------------------ quantities in a form

    def _is_statable(self, atom: sympy.Expr) -> bool:
        quantities = self.quantities
        return (
            atom in quantities.derived
            or atom in quantities.equations.inputs
            or atom in quantities.mechanism.accelerations
        )


def _moves(quantity: str) -> bool:
    return quantity.startswith(MOVING)
