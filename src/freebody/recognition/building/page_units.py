"""The units of the letters of a page, by those of what its equations are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain

import sympy

from freebody.algebra import Form
from freebody.algebra.dimension_products import DimensionProduct
from freebody.algebra.terms import exponents
from freebody.algebra.units import KG, NUMBER, Dimension, M, S
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.kinds import ENERGY
from freebody.consistency.letters import TIME, Letter, Letters, letters_of
from freebody.errors import DerivationError
from freebody.recognition.building.bodies import Bodies
from freebody.recognition.building.energies import Energies
from freebody.recognition.building.geometry import in_angles
from freebody.recognition.equations.functions import Functions, is_function
from freebody.recognition.symbols.initials import LENGTHS, initial

ANGLES = frozenset(["alpha", "beta", "gamma", "theta", "vartheta", "phi", "varphi", "psi"])
"""What coordinates are called that turn, where nothing else tells."""
_STEERED = "delta"
"""What an angle is called beside others: a length by itself may be, too."""
_BY_NAME = (("mM", KG), ("IJ", KG * M**2), ("g", M / S**2), (LENGTHS, M), ("", NUMBER))
"""What letters are where nothing else tells their units: at last one is a number."""


def named_as_angles(coordinates: Iterable[Letter]) -> frozenset[str]:
    r"""Return the coordinates that are called as angles are; δ beside others.

    Examples
    --------
    >>> len(named_as_angles([Letter(r"\phi", 0), Letter(r"\delta", 0), Letter("x", 0)]))
    2
    >>> named_as_angles([Letter(r"\delta", 0)])
    frozenset()
    """
    letters = {one.key: SymbolShape.of(one.key).letter for one in coordinates}
    named = {key for key, letter in letters.items() if letter in ANGLES}
    return frozenset(named.union(*([key] for key in letters if named and letters[key] == _STEERED)))


class Units:
    """The units of the letters of a page, by those of what they are in.

    Parameters
    ----------
    letters : Letters
    functions : Functions
    known : mapping of str to Dimension
        By letter, what is known beforehand.
    targets : iterable of (Form, Dimension)
        What letters are in, with its unit.
    loads : sequence of Form
        What acts, whose letters may be taken for what their names are used for.
    """

    def __init__(
        self,
        letters: Letters,
        functions: Functions,
        known: Mapping[str, Dimension],
        targets: Iterable[tuple[Form, Dimension]],
        loads: Sequence[Form],
    ) -> None:
        self._letters = letters
        self._known: dict[str, Dimension] = {TIME: S, **known}
        used = sorted({one.key for form in loads for one in letters_of(letters, form)})
        waiting = [key for key in used if is_function(key)]
        arguments = (functions.pure(key) for key in waiting)
        pure = [(argument, NUMBER) for argument in arguments if argument is not None]
        self._numbers = [
            one / DimensionProduct(target)
            for form, target in chain(targets, pure)
            for one in self._products(form)
        ]
        while (
            self._measured(functions, waiting)
            or self._solved()
            or any(self._assume(used, *one) for one in _BY_NAME)
        ):
            pass

    @classmethod
    def of_energies(
        cls, letters: Letters, found: Energies, placed: Bodies, functions: Functions
    ) -> Units:
        """Return the units of letters by those of inertia, weight and loads."""
        known = {one.mass: KG for one in placed.masses}
        known |= {one.inertia: KG * M**2 for one in placed.turning}
        if placed.gravity:
            known[placed.gravity.key] = M / S**2
        turning = _turned(placed)
        shifting = {n for one in placed.masses for n, _ in one.shifts}
        acting = (*found.slopes, *found.stored, *found.loads)
        forms = (*acting, *(entry for row in found.inertia for entry in row))
        turned = {atom for form in forms for atom in in_angles(form)}
        angles = named_as_angles(found.coordinates)
        for n, coordinate in enumerate(found.coordinates):
            is_turn = (
                n in turning - shifting
                or letters.atom(coordinate) in turned
                or (n not in shifting and coordinate.key in angles)
            )
            known[coordinate.key] = NUMBER if is_turn else M
        for atom in turned:
            if letter := letters.letter(atom):
                known.setdefault(letter.key, NUMBER)
        units = [known[one.key] for one in found.coordinates]
        targets = [
            (found.inertia[i][j], ENERGY * S**2 / units[i] / units[j])
            for i in range(len(units)) for j in range(len(units))
        ]  # fmt: skip
        for rows in (found.slopes, found.stored, found.loads):
            targets += [(form, ENERGY / unit) for form, unit in zip(rows, units, strict=True)]
        return cls(letters, functions, known, targets, (*acting, *(one.form for one in found.held)))

    def of(self, key: str) -> Dimension:
        """Return the unit of a letter.

        Raises
        ------
        DerivationError
            If nothing tells it.
        """
        if key not in self._known:
            raise DerivationError(f"nothing tells the unit of '{key}'")
        return self._known[key]

    def along(self, coordinate: Letter) -> Dimension:
        """Return the unit of what acts along a coordinate."""
        return ENERGY / self.of(coordinate.key)

    def measured(self, product: Form) -> DimensionProduct:
        """Return the unit of a product, with letters whose own nothing tells."""
        return next(self._products(product)).with_known(self._known)

    def _assume(self, keys: list[str], letters: str, unit: Dimension) -> bool:
        """Take a letter whose unit nothing tells for what its name is used for; if there is one.

        Such as the mass of a sun, in the force by which it attracts.
        """
        for key in keys:
            if key not in self._known and (initial(key) in letters or not letters):
                self._known[key] = unit
                return True
        return False

    def _measured(self, functions: Functions, waiting: list[str]) -> bool:
        """Work out the unit of a function by that of what it is of; if any is."""
        for key in waiting:
            found = functions.unit(key, self._worth(functions.argument(key)))
            if found is not None:
                self._known[key] = found
                waiting.remove(key)
                return True
        return False

    def _worth(self, form: Form) -> Dimension | None:
        """Return the unit of a form by one of its products; None where none is known."""
        known = (one.with_known(self._known) for one in self._products(form))
        return next((one.dimension for one in known if not one.powers), None)

    def _solved(self) -> bool:
        """Work out the unit of the only letter that is open in a product; if there is one."""
        self._numbers = [one.with_known(self._known) for one in self._numbers]
        for one in self._numbers:
            if told := one.told():
                self._known |= told
                return True
        return False

    def _products(self, form: Form) -> Iterator[DimensionProduct]:
        """Iterate over the products of a form, as what they are measured in."""
        for powers in _products(form):
            found = DimensionProduct()
            for atom, power in powers:
                if letter := self._letters.letter(atom):
                    one = DimensionProduct(NUMBER / S**letter.dots, {letter.key: Fraction(1)})
                    found = found * one**power
            yield found


def _turned(placed: Bodies) -> set[int]:
    """Return the coordinates that turn bodies."""
    found = {
        n for one in placed.masses for arm in one.arms for n, has in enumerate(arm.angle) if has
    }
    for mass in placed.masses:
        found |= {mass.around.turn, mass.around.tilt} if mass.around else set()
    for one in placed.turning:
        found |= {*one.axes[:2]} if one.axes else set()
        found |= {n for n, part in enumerate(one.factors) if part and part.is_number}
    return found


def _products(form: Form) -> Iterator[list[tuple[sympy.Expr, int]]]:
    """Iterate over the products of a form: what is no angle, with its powers.

    A sum that divides it is measured as its first product is.
    """
    generators = form.ring.generators
    for key in form.terms.table:
        pairs = [(generators[place], power) for place, power in exponents(key & ~3)]
        found = [(one.expr, power) for one, power in pairs if one.kind == "factor"]
        for one, power in pairs:
            if one.kind == "reciprocal":
                first = next(_products(one.arguments[0]))
                found += [(expr, -power * each) for expr, each in first]
        yield found
