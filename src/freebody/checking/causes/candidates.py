"""What else a declared symbol may mean: the other ways in which people define the same letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.expressions import Reference
from freebody.algebra.units import KG, NUMBER, M
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.units import Dimensions, Known
from freebody.documents.latex.names import index_letters
from freebody.errors import ExpressionError, FreebodyError

MOST_ANGLES = 4
"""Coordinates that an angle is put together with."""
MOST_PARTS = 8
"""Masses, and lengths, that an inertia is moved by."""
AXES = ("x", "y", "z")


class Candidates:
    """The other meanings that symbols are tried with.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.quantities = symbols.quantities
        self.ring = symbols.quantities.ring
        self.dimensions = Dimensions(symbols.quantities)

    def of(self, form: Form) -> Iterator[Form]:
        """Iterate over what a symbol with this meaning may mean instead, the likeliest first."""
        seen = {form.terms}
        for other in self._all(form):
            if other and other.terms not in seen:
                seen.add(other.terms)
                yield other

    def is_angle(self, form: Form) -> bool:
        """Return whether a form is made of angles alone, with numbers in front."""
        atoms = {*self._angles, sympy.pi}
        lowered = self.quantities.lower(form)
        parts = self.ring.coefficients(lowered, tuple(atoms))
        linear = all(sum(powers) <= 1 and part.is_number for powers, part in parts.items())
        return linear and any(any(powers) for powers in parts)

    def is_constant(self, form: Form) -> bool:
        """Return whether a form is made of constants alone."""
        return form.atoms <= {*self._constants, sympy.pi}

    def _all(self, form: Form) -> Iterator[Form]:
        if self.is_angle(form):
            yield from self._as_angle(form)
            return
        dimension = self.dimensions.of(form)
        constant = self.is_constant(form)
        yield -form
        yield form.scaled(QQ(2))
        yield form.scaled(QQ(1, 2))
        yield from self._alike(dimension, constant=constant)
        if constant:
            yield from self._moved(form, dimension)
        else:
            yield from self._elsewhere(form)

    # ------------------------------------------------------------------ angles

    def _as_angle(self, form: Form) -> Iterator[Form]:
        """Turn an angle round, measure it from elsewhere, absolutely or from a neighbour."""
        yield from self.turned(form)
        for other in self._other_angles(form):
            yield other
            yield from self.turned(other)

    def turned(self, form: Form) -> Iterator[Form]:
        """Iterate over an angle clockwise, and from the other axes."""
        right = self.ring.form(sympy.pi / 2)
        straight = right + right
        yield -form
        yield from (straight - form, right - form, form - right, right + form, straight + form)

    def _other_angles(self, form: Form) -> Iterator[Form]:
        angles = [self.ring.form(angle) for angle in self._angles[:MOST_ANGLES]]
        yield from angles
        for angle in angles:
            yield form + angle
            yield form - angle
        for pair in combinations(angles, 2):
            yield form + pair[0] + pair[1]
            yield form - pair[0] - pair[1]

    @cached_property
    def _angles(self) -> list[sympy.Expr]:
        names = self.quantities.mechanism.names
        coordinates = names.coordinates.values()
        return [angle for angle in coordinates if names.dimensions[angle] == NUMBER]

    # ------------------------------------------------------------------ constants

    @cached_property
    def _constants(self) -> list[sympy.Expr]:
        return list(self.quantities.mechanism.names.constants.values())

    def _of_dimension(self, dimension: Known) -> list[Form]:
        names = self.quantities.mechanism.names
        same = [one for one in self._constants if names.dimensions[one] == dimension]
        return self.ring.forms(same)

    def _moved(self, form: Form, dimension: Known) -> Iterator[Form]:
        """Measure a length from elsewhere; take an inertia about another point."""
        for other in self._of_dimension(dimension):
            yield from (form + other, form - other, other - form)
        if dimension == KG * M**2:
            lengths = self._of_dimension(M)[:MOST_PARTS]
            arms = [*lengths, *(a - b for a, b in combinations(lengths, 2))]
            for mass in self._of_dimension(KG)[:MOST_PARTS]:
                for arm in arms:
                    yield form + mass * arm * arm
                    yield form - mass * arm * arm

    # ------------------------------------------------------------------ what moves

    def _alike(self, dimension: Known, *, constant: bool) -> Iterator[Form]:
        """Iterate over what else the page or the model has of the same kind."""
        keys = [key for key in self.symbols.meanings if not index_letters(key)]
        declared = (form for key in keys for form in self.symbols.value(key).entries())
        constants = self._of_dimension(dimension) if constant else []
        for form in (*declared, *constants):
            if dimension is not None and self.dimensions.of(form) == dimension:
                yield from (form,) if constant else (form, -form)

    def _elsewhere(self, form: Form) -> Iterator[Form]:
        """Iterate over the same quantity of other places and along other axes."""
        (name,) = {str(atom) for atom in self._atoms(form)} or {""}
        family, *rest = name.split(".")
        if family not in ("position", "velocity", "acceleration") or len(rest) != 2:
            return
        for place in self.quantities.mechanism.named:
            for axis in AXES:
                other = self._resolved((family, place, axis))
                yield from (other, -other)

    def _atoms(self, form: Form) -> Iterable[sympy.Expr]:
        places = form.terms.places()
        return [self.ring.generators[place].expr for place in places] if len(places) == 1 else []

    def _resolved(self, path: tuple[str, ...]) -> Form:
        try:
            return self.ring.form(self.quantities.resolve(Reference(path, (), 1)))
        except (ExpressionError, FreebodyError):
            return self.ring.zero
