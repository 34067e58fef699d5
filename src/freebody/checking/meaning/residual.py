"""What is left of left minus right of a printed equation, and whether that is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.canonical import Comparison
from freebody.algebra.readback import read_terms
from freebody.algebra.terms import Rational, Terms, TooLargeError, exponents
from freebody.algebra.units import is_of_one_dimension
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import Pair, pairs
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import rows
from freebody.documents.latex.relations import Relation
from freebody.mechanics.notation import python

MOST_COMPARED = 40_000
"""Pairs of terms that are compared, of an equation and an equation of motion."""
MOST_TOLD = 2_000
"""With more terms left nothing can be told by them."""
TRIED = 3
"""How many factors of an equation of motion are tried."""
POTENTIALS = ("energy.potential", "energy.lagrangian", "energy.total")
"""Energies whose zero is anyone's choice."""


@dataclass(frozen=True)
class Residual:
    """What is left of one scalar equation.

    Attributes
    ----------
    pair : Pair
        Its sides.
    form : Form
        Residual minus right on the level of coordinates.
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
        if not self.form.terms or not self._is_constant or not self._is_an_energy:
            return ""
        constant = self.form.ring.expression(self.form)
        shown = python(constant, self.quantities.mechanism.names)
        return f"its sides differ by a constant, {shown}, as a potential energy may"

    @property
    def _is_an_energy(self) -> bool:
        """Whether a side is a sum of energies and of constants, which what is left may go with."""
        side = next(filter(self._is_potential, (self.pair.left, self.pair.right)), None)
        if side is None:
            return False
        names, whole = self.quantities.mechanism.names, self.quantities.lower(side) + self.form
        return is_of_one_dimension(whole.ring.expression(whole), names.dimensions)

    @property
    def _is_constant(self) -> bool:
        return self.form.is_polynomial and self._constants.issuperset(self.form.symbols)

    @property
    def _constants(self) -> frozenset[sympy.Expr]:
        return frozenset(self.quantities.mechanism.names.constants.values())

    def _is_potential(self, form: Form) -> bool:
        if not form.is_polynomial:
            return False
        names = form.symbols - self._constants
        energies = [str(name) for name in names]
        slopes = [form.ring.partial(form, name) for name in names]
        is_linear = all(slope.is_number for slope in slopes)
        return (
            is_linear
            and all(name.startswith("energy.") for name in energies)
            and any(name.startswith(POTENTIALS) for name in energies)
        )

    @property
    def simplest(self) -> Form | None:
        """What the difference is told by; None where no terms tell it.

        That is what is least: what is left in every motion, or what the equation has too much
        before accelerations and inputs are eliminated, or beside equations of motion.
        """
        if not _has_terms(self.form) or len(self.form.terms) > MOST_TOLD:
            return None
        try:
            options = [*self._beside_equations(), self.form]
        except TooLargeError:
            options = [self.form]
        return min(options, key=lambda form: len(form.terms))

    def _beside_equations(self) -> Iterator[Form]:
        """Iterate over what an equation has too much before accelerations are eliminated.

        Alone, and beside those equations of motion that have most of its terms. What is written in
        other quantities is told by what is left, where that is no quotient.
        """
        quantities = self.quantities
        if quantities.mechanism.equations or not self.form or self._is_constant:
            return
        printed = self.pair.left - self.pair.right
        is_plain = quantities.derived.keys().isdisjoint(printed.symbols)
        if not (is_plain or _divided(self.form)):
            return
        below = quantities.settled(self.form.ring.substitute(printed, quantities.derived))
        if _divided(below):
            return
        known = [*map(quantities.settled, rows(quantities.equations))]
        yield min([*beside_rows(below, known), below], key=size)


def beside_rows(form: Form, known: Sequence[Form]) -> Iterator[Form]:
    """Iterate over what is left of a form beside equations of motion, as long as that is less.

    Each time as much of an equation of motion is taken away as most of its terms agree in.
    """
    left, least = form, size(form) + 1
    for _ in known:
        options = [one for row in known for one in beside(left, row)]
        best = min(options, key=size, default=left)
        if best is left or size(best) >= least:
            return
        left, least = best, size(best)
        yield left


def size(form: Form) -> int:
    """Return of how many terms a form is told, products of cosines and sines written as sums."""
    return sum(1 for _ in read_terms(form))


def beside(form: Form, row: Form) -> list[Form]:
    """Return what is left of a form beside multiples of an equation of motion."""
    return [form - factor * row for factor in _factors(form, row)]


def _factors(form: Form, row: Form) -> list[Form]:
    """Return the monomials of constants by which most terms of a row are terms of a form."""
    if len(form.terms) * len(row.terms) > MOST_COMPARED:
        return []
    ratios: Counter[tuple[int, Rational]] = Counter()
    moving = _moving(form.ring)
    for one, x in form.terms.table.items():
        for other, y in row.terms.table.items():
            key = one - other
            if not key & 3 and all(not moving(place) for place, _ in exponents(key)):
                ratios[key, x / y] += 1
    return [
        Form(form.ring, Terms({key: value}, form.terms.degree + row.terms.degree))
        for (key, value), _ in ratios.most_common(TRIED)
    ]


def _moving(ring: Ring) -> Callable[[int], bool]:
    """Return a function that says whether a generator, by its place, is no constant symbol."""
    return lambda place: (
        not (
            ring.generators[place].kind == "factor"
            and isinstance(ring.generators[place].expr, sympy.Symbol)
        )
    )


def residuals(symbols: Symbols, relation: Relation) -> Iterator[Residual]:
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
        yield Residual(pair, quantities.lower(pair.left - pair.right), quantities)


def _divided(form: Form) -> bool:
    generators = form.ring.generators
    return any(generators[place].kind == "reciprocal" for place in form.terms.places())


def _has_terms(form: Form) -> bool:
    """Return whether terms tell a difference; roots of what varies do not meet the others."""
    generators = form.ring.generators
    places = form.ring.doubtful & form.terms.places()
    return not any(generators[place].kind == "root" for place in places)
