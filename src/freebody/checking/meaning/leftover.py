"""What is left of left minus right of a printed equation, and whether that is nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.canonical import Comparison
from freebody.algebra.terms import TooLargeError
from freebody.checking.meaning.evaluator import Evaluator, Symbols
from freebody.checking.meaning.pairs import Pair, pairs
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import rows
from freebody.documents.latex.layout.displays import Relation
from freebody.mechanics.notation import python

POTENTIALS = ("energy.potential", "energy.lagrangian", "energy.total")
"""Energies whose zero is anyone's choice."""


@dataclass(frozen=True)
class Left:
    """What is left of one scalar equation.

    Attributes
    ----------
    pair : Pair
        Its sides.
    form : Form
        Left minus right on the level of coordinates.
    quantities : Quantities
    """

    pair: Pair
    form: Form
    quantities: Quantities

    @cached_property
    def comparison(self) -> Comparison:
        """Whether it is zero in every motion."""
        found = self.quantities.vanishes(self.form)
        return Comparison(equal=True, proof="exact") if self.reading and not found else found

    @cached_property
    def reading(self) -> str:
        """How an energy is counted from elsewhere, if it is."""
        if not self.form.terms or not self._is_constant or not self._states_a_potential:
            return ""
        constant = python(self.form.ring.expression(self.form), self.quantities.mechanism.names)
        return f"its sides differ by a constant, {constant}, as a potential energy may"

    @property
    def _is_constant(self) -> bool:
        return self._constants.issuperset(_atoms(self.form))

    @property
    def _constants(self) -> frozenset[sympy.Expr]:
        return frozenset(self.quantities.mechanism.names.constants.values())

    @property
    def _states_a_potential(self) -> bool:
        """Whether a side is a sum of energies, and of constants."""
        return any(map(self._is_potential, (self.pair.left, self.pair.right)))

    def _is_potential(self, form: Form) -> bool:
        names = _atoms(form) - self._constants
        energies = [str(name) for name in names]
        slopes = [form.ring.partial(form, name) for name in names]
        is_linear = all(slope.is_number for slope in slopes)
        return (
            is_linear
            and all(name.startswith("energy.") for name in energies)
            and any(name.startswith(POTENTIALS) for name in energies)
        )

    @property
    def told(self) -> Form | None:
        """What the difference is told by; None where no terms tell it.

        Where accelerations are eliminated by division, it is told by what the equation has too
        much before that, or beside an equation of motion.
        """
        if not _has_terms(self.form):
            return None
        try:
            options = [self.form, *self._before_division()]
        except TooLargeError:
            options = [self.form]
        return min(options, key=lambda form: len(form.terms))

    def _before_division(self) -> Iterator[Form]:
        ring, moving = self.form.ring, self.quantities.mechanism
        if moving.equations or not _divided(self.form):
            return
        printed = self.pair.left - self.pair.right
        below = self.quantities.settled(ring.substitute(printed, self.quantities.derived))
        if _divided(below):
            return
        yield below
        decided = (*moving.accelerations, *self.quantities.equations.inputs)
        for row in map(self.quantities.settled, rows(self.quantities.equations)):
            for atom in decided:
                over, under = _slope(ring, below, atom), _slope(ring, row, atom)
                factor = over / under if over and under else ring.zero
                if factor and not _divided(factor):
                    yield below - factor * row


def left_over(symbols: Symbols, relation: Relation) -> Iterator[Left]:
    """Iterate over the scalar equations of a relation, each with what is left of it.

    Raises
    ------
    MeaningError
        If its sides cannot be compared.
    TooLargeError
        If they are too large to be written out.
    """
    quantities = symbols.quantities
    for pair in pairs(Evaluator(symbols), relation):
        yield Left(pair, quantities.lower(pair.left - pair.right), quantities)


def _slope(ring: Ring, form: Form, atom: sympy.Expr) -> Form:
    return ring.coefficients(form, (atom,)).get((1,), ring.zero)


def _divided(form: Form) -> bool:
    generators = form.ring.generators
    return any(generators[place].kind == "reciprocal" for place in form.terms.places())


def _has_terms(form: Form) -> bool:
    """Return whether terms tell a difference; roots of what varies do not meet the others."""
    generators = form.ring.generators
    places = form.ring.doubtful & form.terms.places()
    return not any(generators[place].kind == "root" for place in places)


def _atoms(form: Form) -> frozenset[sympy.Expr]:
    return frozenset(form.ring.generators[place].expr for place in form.terms.places())
