"""The numbers of one state, worked through with their units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import sympy

from freebody.algebra import textbook
from freebody.explaining.page import Page
from freebody.explaining.system import System
from freebody.explaining.terms import Blocks

SPEEDS = (1.2, -0.8, 0.5)
ACCELERATIONS = (2.0, -1.5, 0.7)
"""Of the worked state, one coordinate after the other."""
DIGITS = 4
UNITS = {
    ("rad", "rad"): r"kg\,m^{2}",
    ("rad", "m"): r"kg\,m",
    ("m", "rad"): r"kg\,m",
    ("m", "m"): "kg",
}
FORCES = {"rad": r"N\,m", "m": "N"}


class WorkedState:
    """A state in numbers.

    Parameters
    ----------
    page : Page
    system : System
    blocks : Blocks
    coordinates : mapping of str to float
        Where it is.
    """

    def __init__(
        self, page: Page, system: System, blocks: Blocks, coordinates: Mapping[str, float]
    ) -> None:
        self.page, self.system, self.blocks = page, system, blocks
        self.names = system.mechanism.names
        self.state = self._state(coordinates)

    def write(self) -> None:
        """Write the numbers, or say why there are none."""
        page = self.page
        page.heading("The numbers of one state")
        reason = self._why_not()
        if reason:
            page.prose(f"Not worked through: {reason}.")
            return
        page.prose(self._sentence())
        labels = [*self._positions(), *self._entries()]
        if self._is_driven:
            page.prose("Put together, these are what the actuators exert:")
            labels += self._sums()
        else:
            page.prose(
                "There is not one actuator for each coordinate, so that what they exert does not "
                "follow from accelerations alone: with it, these follow from the matrix equation."
            )
        page.assume({"instant": self.state}, [f"({label})" for label in labels])

    def _why_not(self) -> str:
        system = self.system
        if system.mechanism.constraints:
            return "constraints tie the coordinates to each other"
        if system.model.speeds or system.model.prescribed:
            return "the model has speeds or prescribed motions of its own"
        if system.mechanism.laws:
            return "forces follow laws of contact or friction"
        missing = [name for name in self.names.constants if name not in self.names.values()]
        return f"constants have no value ({', '.join(missing)})" if missing else ""

    def _state(self, coordinates: Mapping[str, float]) -> dict[str, float]:
        state = {name: round(value, 1) for name, value in coordinates.items()}
        for number, name in enumerate(coordinates):
            state[f"{name}_dot"] = SPEEDS[number % len(SPEEDS)]
        for number, name in enumerate(coordinates if self._is_driven else ()):
            state[f"{name}_ddot"] = ACCELERATIONS[number % len(ACCELERATIONS)]
        return state | self._inputs()

    def _inputs(self) -> dict[str, float]:
        """Return small round numbers for the inputs that other forces than actuators hold."""
        forms = self.system.equations.blocks.E
        names = self.names.inputs.items()
        held = [name for name, one in names if any(textbook(form).has(one) for form in forms)]
        return {name: float(10 * (number + 1)) for number, name in enumerate(held)}

    @property
    def _is_driven(self) -> bool:
        """Whether there is one actuator for each equation."""
        inputs, rows = self.names.inputs.values(), range(self.blocks.n)
        slopes = [[self._slope(row, one) for one in inputs] for row in rows]
        used = sum(map(any, zip(*slopes, strict=True)))
        return all(map(any, slopes)) and used == self.blocks.n

    def _slope(self, row: int, by: sympy.Expr) -> bool:
        blocks, ring = self.system.equations.blocks, self.system.equations.ring
        return bool(ring.partial(blocks.tau[row], by))

    def _sentence(self) -> str:
        symbols = {**self.names.symbols, **self.names.accelerations}
        latex = self.system.notation.latex
        message = ", ".join(
            f"${latex(symbols[name])}$ {value:g}" for name, value in self.state.items()
        )
        return (
            f"With the constants above and, in units of the table, {message}, the quantities of "
            "the derivation are, rounded:"
        )

    # ------------------------------------------------------------------ values

    def _number(self, expr: sympy.Expr) -> float:
        names = self.names
        known: dict[Any, Any] = {
            names.constants[name]: sympy.Float(value, 30) for name, value in names.values().items()
        }
        symbols = {**names.symbols, **names.accelerations}
        known |= {symbols[name]: sympy.Rational(str(x)) for name, x in self.state.items()}
        return float(expr.xreplace(known).evalf(30))

    def _line(self, left: Any, value: float, unit: str) -> str:
        behind = rf"\,\mathrm{{{unit}}}" if unit else ""
        return self.page.equation(left, f"{rounded(value)}{behind}")

    def _positions(self) -> list[str]:
        """Write where the centres of mass are."""
        system = self.system
        return [
            self._line(
                system.position(body, axis),
                self._number(system.expr(system.motion.position(body).parts[axis])),
                "m",
            )
            for body in system.massive
            for axis in system.axes
            if system.motion.velocity(body).parts[axis]
        ]

    def _entries(self) -> list[str]:
        system, n = self.system, self.blocks.n
        units = [entry.unit for entry in system.model.coordinates.values()]
        labels = []
        for row in range(n):
            for column in range(row, n):
                form = system.equations.blocks.M[row][column]
                if form:
                    unit = UNITS.get((units[row], units[column]), "")
                    entry = self.blocks.entry("M", row, column)
                    labels.append(self._line(entry, self._number(system.expr(form)), unit))
        for block in ("C", "G", "E"):
            for row in range(n):
                form = getattr(system.equations.blocks, block)[row]
                if form:
                    value = self._number(system.expr(form))
                    unit = FORCES.get(units[row], "")
                    labels.append(self._line(self.blocks.entry(block, row), value, unit))
        return labels

    def _sums(self) -> list[str]:
        """Write the sum of each row: what actuators have to exert."""
        system, n = self.system, self.blocks.n
        units = [entry.unit for entry in system.model.coordinates.values()]
        blocks, labels = system.equations.blocks, []
        for row in range(n):
            terms, value = [], 0.0
            for column, acceleration in enumerate(system.mechanism.accelerations):
                form = blocks.M[row][column]
                if form:
                    terms.append(self.blocks.entry("M", *sorted((row, column))) * acceleration)
                    value += self._number(system.expr(form) * acceleration)
            for block in ("C", "G", "E"):
                form = getattr(blocks, block)[row]
                if form:
                    terms.append(self.blocks.entry(block, row))
                    value += self._number(system.expr(form))
            labels.append(self._line(sympy.Add(*terms), value, FORCES.get(units[row], "")))
        return labels


def rounded(value: float) -> str:
    r"""Return a number to four digits, in LaTeX.

    Nought has digits too: without them it would say that a quantity vanishes whatever it is of.

    Examples
    --------
    >>> rounded(0.31396), rounded(-1234.56), rounded(2.5e-7), rounded(0)
    ('0.3140', '-1234.56', '2.500 \\times 10^{-7}', '0.000')
    """
    if value == 0:
        return f"{0:.{DIGITS - 1}f}"
    power = math.floor(math.log10(abs(value)))
    if -3 <= power < DIGITS:
        return f"{value:.{max(2, DIGITS - 1 - power)}f}"
    digits, _, power_of_ten = f"{value:.{DIGITS - 1}e}".partition("e")
    return rf"{digits} \times 10^{{{int(power_of_ten)}}}"
