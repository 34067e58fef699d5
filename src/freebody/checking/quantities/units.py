"""The dimensions of the quantities of a model, and of what is made of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

import sympy

from freebody.algebra import Form
from freebody.algebra.forms import Generator
from freebody.algebra.terms import TooLargeError, exponents
from freebody.algebra.units import NUMBER, Dimension, M, N, S
from freebody.checking.quantities.derived import Quantities

Known = Dimension | None
"""A dimension; None where it is not known, as that of zero."""


class Dimensions:
    """The dimensions of the quantities of a model."""

    def __init__(self, quantities: Quantities) -> None:
        self.quantities = quantities
        self.names = quantities.mechanism.names.dimensions
        self._known: dict[sympy.Expr, Known] = {}

    def of(self, form: Form) -> Known:
        """Return the dimension of a form; None for a number, and where terms differ.

        Examples
        --------
        >>> from freebody.model import load
        >>> quantities = Quantities(load("two_link"))
        >>> inertia = quantities.equations.blocks.M[0][0]
        >>> str(Dimensions(quantities).of(inertia))
        'kg*m**2'
        """
        if form.is_number:
            return None
        generators = form.ring.generators
        found = {
            product_of(
                power_of(self._of_generator(generators[place]), Fraction(power))
                for place, power in exponents(key & ~3)
            )
            for key in form.terms.table
        }
        return found.pop() if len(found) == 1 else None

    def _of_generator(self, generator: Generator) -> Known:
        match generator.kind:
            case "angle":
                return NUMBER
            case "reciprocal":
                return power_of(self.of(generator.arguments[0]), Fraction(-1))
            case "root" if generator.arguments[0].is_number:
                return NUMBER
            case "root":
                return power_of(self.of(generator.arguments[0]), Fraction(1, 2))
            case "function":
                return NUMBER if generator.expr.func in _OF_NUMBERS else None
        return self.of_atom(generator.expr)

    def of_atom(self, atom: sympy.Expr) -> Known:
        """Return the dimension of a symbol, a function of time or a derivative."""
        if atom not in self._known:
            self._known[atom] = self._unit_of_atom(atom)
        return self._known[atom]

    def _unit_of_atom(self, atom: sympy.Expr) -> Known:
        if atom.is_number:
            return NUMBER
        if atom in self.quantities.derived:
            by_name = self._of_quantity(atom.name)
            return self._of_derived(atom) if by_name is None else by_name
        if atom in self.quantities.mechanism.multipliers:
            return self._multipliers[atom]
        return self.names.get(atom)

    def _of_derived(self, atom: sympy.Symbol) -> Known:
        """Return the dimension of what was derived; None where that is not written out."""
        try:
            return self.of(self.quantities.derived[atom])
        except TooLargeError:
            return None

    def _of_quantity(self, name: str) -> Known:
        """Return the dimension that a quantity has by what it is."""
        path, *indices = re.findall(r"[^\[\],]+", name)
        family, *rest = path.split(".")
        places = [int(index) - 1 for index in indices]
        if family in _FAMILIES:
            return _FAMILIES[family]
        if family in ("reaction", "resultant"):
            return N if "force" in rest else N * M if "moment" in rest else None
        if family == "jacobian" and len(places) == 2:
            return M / self.names[self.quantities.mechanism.coordinates[places[1]]]
        if family in ("C", "G", "E", "tau") and places:
            return self._along[places[0]]
        if family == "M" and len(places) == 2:
            return self._along[places[0]] * S / self.names[self._speeds[places[1]]]
        return None

    @property
    def _speeds(self) -> tuple[sympy.Expr, ...]:
        return self.quantities.mechanism.speeds

    @cached_property
    def _along(self) -> list[Dimension]:
        """The dimensions of the generalized forces, whose power is in W."""
        return [N * M / S / self.names[speed] for speed in self._speeds]

    @cached_property
    def _multipliers(self) -> dict[sympy.Expr, Known]:
        """The dimensions of the forces of constraints, from what they exert along the speeds."""
        multipliers = self.quantities.mechanism.multipliers
        rows = self.quantities.equations.blocks.J if multipliers else []
        return dict(zip(multipliers, map(self._of_multiplier, rows), strict=True))

    def _of_multiplier(self, row: Iterable[Form]) -> Known:
        pairs = zip(self._along, map(self.of, row), strict=True)
        return next((force / slope for force, slope in pairs if slope is not None), None)


_FAMILIES: dict[str, Known] = {
    "position": M,
    "velocity": M / S,
    "acceleration": M / S**2,
    "angle": NUMBER,
    "angular_velocity": NUMBER / S,
    "angular_acceleration": NUMBER / S**2,
    "energy": N * M,
}
_OF_NUMBERS = (
    *(sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos, sympy.atan),
    *(sympy.sinh, sympy.cosh, sympy.tanh, sympy.sign),
)


def product_of(dimensions: Iterable[Known]) -> Known:
    """Return the dimension of a product; None where that of a factor is not known."""
    factors = list(dimensions)
    known = [factor for factor in factors if factor is not None]
    return math.prod(known, start=NUMBER) if len(known) == len(factors) else None


def power_of(dimension: Known, power: Fraction) -> Known:
    """Return the dimension of a power; None where that of the base is not known."""
    return None if dimension is None else dimension**power
