"""Functions of coordinates, as expressions of a model file and in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.algebra.tables import Tabulated
from freebody.importing.description import Description
from freebody.importing.elements import Element, shown
from freebody.importing.placing import Array
from freebody.model.functions import Table

Values = Mapping[str, float]
TABLES = {
    "SimmSpline": "forsythe",
    "NaturalCubicSpline": "forsythe",
    "GCVSpline": "natural",
    "PiecewiseLinearFunction": "linear",
}
"""The kind of table that each is."""
KNOWN = (*TABLES, "Constant", "LinearFunction", "PolynomialFunction", "MultiplierFunction")


@dataclass(frozen=True)
class Expression:
    """A function of coordinates.

    Attributes
    ----------
    text : str
        As a model file has it; empty where it is zero.
    value : callable
        In numbers, of the values of coordinates.
    coordinates : tuple of str
        That it depends on.
    """

    text: str
    value: Callable[[Values], float]
    coordinates: tuple[str, ...] = ()

    @property
    def is_zero(self) -> bool:
        """Whether it is always zero."""
        return not self.text


ZERO = Expression("", lambda _: 0.0)


class FunctionReader:
    """Reads functions; numbers and tables become constants and functions of the model.

    Parameters
    ----------
    description : Description
    """

    def __init__(self, description: Description) -> None:
        self.description = description

    def read(
        self, function: Element, given: Sequence[str], unit: str, name: str, of: str
    ) -> Expression:
        """Return a function of coordinates.

        Parameters
        ----------
        function : Element
        given : sequence of str
            The coordinates.
        unit : str
            Of its value.
        name : str
            By which its constants and tables are named.
        of : str
            The body that these belong to.
        """
        match function.tag:
            case "Constant":
                return self.constant(function.number("value", 0.0), unit, name, of)
            case "LinearFunction":
                return self._linear(function, given, unit, name, of)
            case "PolynomialFunction":
                powers = function.numbers("coefficients")[::-1]
                return self._polynomial(powers, self._single(function, given), unit, name, of)
            case "MultiplierFunction":
                return self._scaled(function, given, unit, name, of)
            case tag if tag in TABLES:
                return self._table(function, self._single(function, given), unit, name, of)
        return function.refuse(f"expected {', '.join(KNOWN)}, found another function")

    def constant(self, value: float, unit: str, name: str, of: str) -> Expression:
        """Return a function that is always the same."""
        if not value:
            return ZERO
        text = self.description.parameter(f"c_{name}", value, unit, f"{name}, which is fixed", of)
        return Expression(text, lambda _: value)

    def _single(self, function: Element, given: Sequence[str]) -> str:
        if len(given) != 1:
            function.refuse(f"expected one coordinate, found {len(given)}")
        return given[0]

    def _unit(self, coordinate: str) -> str:
        return self.description.coordinates[coordinate].unit

    def _linear(
        self, function: Element, given: Sequence[str], unit: str, name: str, of: str
    ) -> Expression:
        *slopes, start = function.numbers("coefficients")
        if len(slopes) != len(given):
            function.refuse(f"coefficients: expected {len(given) + 1}, found {len(slopes) + 1}")
        terms = [
            self._term(slope, coordinate, 1, unit, f"a{number}_{name}", of)
            for number, (slope, coordinate) in enumerate(zip(slopes, given, strict=True), start=1)
        ]
        return _sum([*terms, self.constant(float(start), unit, name, of)])

    def _polynomial(
        self, powers: Array, coordinate: str, unit: str, name: str, of: str
    ) -> Expression:
        terms = [
            self._term(factor, coordinate, power, unit, f"a{power}_{name}", of)
            for power, factor in enumerate(powers)
            if power
        ]
        return _sum([*terms, self.constant(float(powers[0]), unit, name, of)])

    def _term(
        self, factor: float, coordinate: str, power: int, unit: str, name: str, of: str
    ) -> Expression:
        if not factor:
            return ZERO
        raised = coordinate if power == 1 else f"{coordinate}**{power}"
        own = self._unit(coordinate)
        if abs(factor) == 1 and power == 1 and own == unit:
            text = raised if factor > 0 else f"-{raised}"
        else:
            title = f"coefficient of {name.partition('_')[2]}"
            ratio = f"{unit}/({own})**{power}" if power > 1 else f"{unit}/{own}"
            per = "1" if own == unit and power == 1 else ratio
            text = f"{self.description.parameter(name, factor, per, title, of)}*{raised}"
        return Expression(text, lambda at: factor * at[coordinate] ** power, (coordinate,))

    def _scaled(
        self, function: Element, given: Sequence[str], unit: str, name: str, of: str
    ) -> Expression:
        scale = function.number("scale", 1.0)
        whole = self.read(inner_function(function), given, unit, name, of)
        if whole.is_zero or not scale:
            return ZERO
        if scale == 1:
            return whole
        factor = self.description.parameter(f"s_{name}", scale, "1", f"scale of {name}", of)
        text = f"({whole.text})" if " " in whole.text else whole.text
        return Expression(f"{factor}*{text}", lambda at: scale * whole.value(at), whole.coordinates)

    def _table(
        self, function: Element, coordinate: str, unit: str, name: str, of: str
    ) -> Expression:
        x, y = (function.numbers(one, None) for one in "xy")
        if len(x) != len(y) or len(x) < 1 or (np.diff(x) <= 0).any():
            function.refuse(f"expected as many y as x, which grow, found {len(y)} and {len(x)}")
        if not np.ptp(y):
            return self.constant(float(y[0]), unit, name, of)
        said = {
            "title": f"{name} by {coordinate}",
            "argument": self._unit(coordinate),
            "unit": unit,
            "kind": TABLES[function.tag],
            "x": tuple(x.tolist()),
            "y": tuple(y.tolist()),
        }
        if function.tag == "GCVSpline":
            said |= self._gcv(function)
        given = self.description.names.made(name)
        self.description.functions[given] = said
        table = _numeric(Table.model_validate(said).function(given))
        return Expression(f"{given}({coordinate})", lambda at: table(at[coordinate]), (coordinate,))

    def _gcv(self, function: Element) -> dict[str, Any]:
        order, variance = function.number("half_order", 3), function.number("error_variance", 0.0)
        if order not in (2, 3) or variance:
            function.refuse(
                "expected half_order 2 or 3 and no error_variance, found "
                f"{shown(function.get('half_order'))} and {variance:g}"
            )
        return {"degree": 5} if order == 3 else {}


def inner_function(element: Element) -> Element:
    """Return the function that an element holds.

    Raises
    ------
    ModelError
        If there is none, or it is not known.
    """
    inner = [child for child in element.children if child.tag in KNOWN]
    for child in element.all("function", "x_location", "y_location", "z_location"):
        inner += [one for one in child.children if one.tag in KNOWN]
    if len(inner) == 1:
        return inner[0]
    tags = ", ".join(shown(child.tag) for child in element.children) or "none"
    return element.refuse(f"expected a function ({', '.join(KNOWN)}), found {tags}")


def _numeric(table: type[Tabulated]) -> Callable[[float], float]:
    """Return a table as a function of floats."""
    breaks, starts = (np.array([float(x) for x in part]) for part in (table.breaks, table.starts))
    pieces = np.array([[float(c) for c in piece] for piece in table.pieces])

    def value(x: float) -> float:
        piece = int(np.searchsorted(breaks, x, side="right"))
        return float(np.polynomial.polynomial.polyval(x - starts[piece], pieces[piece]))

    return value


def _sum(terms: Sequence[Expression]) -> Expression:
    parts = [term for term in terms if not term.is_zero]
    if len(parts) <= 1:
        return parts[0] if parts else ZERO
    text = " + ".join(part.text for part in parts).replace("+ -", "- ")
    coordinates = tuple(dict.fromkeys(one for part in parts for one in part.coordinates))
    return Expression(text, lambda at: sum(part.value(at) for part in parts), coordinates)
