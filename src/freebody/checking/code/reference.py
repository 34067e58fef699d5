"""What code is held against: derived quantities, in the coordinates that the code has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import sympy

from freebody.algebra.domains import Domain
from freebody.algebra.expressions import Reference as Path
from freebody.algebra.expressions import read
from freebody.algebra.linear import solve
from freebody.checking.code.equilibria import entry
from freebody.checking.code.places import (
    Place,
    angular_jacobian,
    jacobians,
    orientation,
    places,
    position,
    velocity,
)
from freebody.checking.guesses.angles import conventions, turned
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.samples import FieldSample, ValueSource
from freebody.errors import ExpressionError

Target = tuple[Any, ...]
"""A derived quantity: its family, and the indices of its entry from 0."""
VECTORS = ("C", "G", "E", "tau", "forcing", "bias", "gravity")


@dataclass(frozen=True)
class Frame:
    """The coordinates of code, in those of the model.

    Attributes
    ----------
    way : str
        How the angles are counted; empty for the model's own way.
    coordinates, speeds, accelerations : tuple of sympy.Expr
    slopes : sympy.Matrix
        The derivatives of the coordinates by those of the model.
    cost : float
    """

    way: str
    coordinates: tuple[sympy.Expr, ...]
    speeds: tuple[sympy.Expr, ...]
    accelerations: tuple[sympy.Expr, ...]
    slopes: sympy.Matrix
    cost: float

    @cached_property
    def back(self) -> sympy.Matrix:
        """The derivatives of the model's coordinates by those of the code."""
        return self.slopes.inv()


_KNOWN: WeakKeyDictionary[Quantities, list[Frame]] = WeakKeyDictionary()


def frames(quantities: Quantities) -> list[Frame]:
    """Return the ways in which code may count the coordinates of a model, its own first."""
    if quantities not in _KNOWN:
        _KNOWN[quantities] = list(_frames(quantities))
    return _KNOWN[quantities]


def _frames(quantities: Quantities) -> list[Frame]:
    found: dict[tuple[Any, ...], Frame] = {}
    for one in conventions(quantities):
        if len(one.values) != len(quantities.equations.coordinates):
            continue
        values = [_read(quantities, value) for value in one.values]
        frame = _frame(quantities, one.way, values, one.cost)
        if frame is not None:
            found.setdefault(frame.coordinates, frame)
    joints = _between(quantities)
    for way, offset, cost in (
        ("joints", 0, 0.3),
        ("joints + pi/2", 1, 1.0),
        ("joints - pi/2", -1, 1.0),
    ):
        values = [
            one + (offset * sympy.pi / 2 if not place else 0) for place, one in enumerate(joints)
        ]
        made = _frame(quantities, way, values, cost) if values else None
        if made is not None:
            found.setdefault(made.coordinates, made)
    for frame in _mixed(quantities, list(found.values())):
        found.setdefault(frame.coordinates, frame)
    return sorted(found.values(), key=lambda frame: frame.cost)


def _between(quantities: Quantities) -> list[sympy.Expr]:
    """Return the angles between the bodies, where these are all coordinates."""
    own, mechanism = quantities.equations.coordinates, quantities.mechanism
    angles = [mechanism.angle(joint) for joint, _ in turned(mechanism)]
    return angles if len(angles) == len(own) else []


def _mixed(quantities: Quantities, known: Sequence[Frame]) -> list[Frame]:
    """Return frames in which a single coordinate is counted in another way, or is turned round."""
    out = []
    own = list(quantities.equations.coordinates)
    for place, each in enumerate(own):
        others = {frame.coordinates[place] for frame in known} | {-each}
        for other in sorted(others - {each}, key=str):
            values = [*own[:place], other, *own[place + 1 :]]
            frame = _frame(quantities, f"{other} for {each}", values, 1.1)
            out += [frame] if frame else []
    flipped = _frame(quantities, "all turned round", [-each for each in own], 1.2)
    return [*out, flipped] if flipped else out


def _read(quantities: Quantities, text: str) -> sympy.Expr:
    expr = read(text, quantities.resolve)
    form = quantities.lower(quantities.ring.form(expr))
    return sympy.expand(quantities.ring.expression(form))


def _frame(
    quantities: Quantities, way: str, values: Sequence[sympy.Expr], cost: float
) -> Frame | None:
    mechanism, equations = quantities.mechanism, quantities.equations
    own = list(equations.coordinates)
    slopes = sympy.Matrix([[value.diff(one) for one in own] for value in values])
    if not all(entry.is_Rational for entry in slopes) or not slopes.det():
        return None
    if mechanism.model.speeds:
        if list(values) != own:
            return None
        given = (tuple(equations.speeds), tuple(mechanism.accelerations))
    else:
        rates = (equations.speeds, mechanism.accelerations)
        given = (_times(slopes, rates[0]), _times(slopes, rates[1]))
    return Frame(way, tuple(values), given[0], given[1], slopes, cost)


def _times(slopes: sympy.Matrix, rates: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    return tuple(slopes * sympy.Matrix(list(rates)))


class DerivedAtPoint:
    """The derived quantities at a point, in the coordinates of a frame.

    Parameters
    ----------
    quantities : Quantities
    at : Domain
    zero : sequence of sympy.Expr
        What is taken as zero.
    """

    def __init__(
        self, quantities: Quantities, at: Domain[Any], given: Mapping[sympy.Expr, Any]
    ) -> None:
        self.quantities = quantities
        elements = dict(zip(given, at.values(list(given.values())), strict=True))
        self.at = at.where(elements) if elements else at
        self.sample = FieldSample(quantities, self.at)
        self._known: dict[Any, Any] = {}

    @property
    def source(self) -> ValueSource:
        """What quantities are worked out from."""
        return self.sample.source

    def value(self, target: Target, frame: Frame) -> Any:
        """Return what a target is.

        Raises
        ------
        ZeroDivisionError, NoRootError
            If it is not defined at the point.
        """
        key = target, frame.coordinates
        if key not in self._known:
            self._known[key] = self._reference_value(target, frame)
        return self._known[key]

    def _reference_value(self, target: Target, frame: Frame) -> Any:
        family, *places = target
        if family in VECTORS:
            column = self._vector(family)
            return _dot(frame.back[:, places[0]], column)
        if family == "M":
            rows = self.source.blocks.M
            left = [
                _dot(frame.back[:, places[0]], [row[j] for row in rows]) for j in range(len(rows))
            ]
            return _dot(frame.back[:, places[1]], left)
        if family == "inverse":
            left = [
                _dot(frame.slopes[places[0], :], [row[j] for row in self._inverse])
                for j in range(len(self._inverse))
            ]
            return _dot(frame.slopes[places[1], :], left)
        if family == "acc":
            return _dot(frame.slopes[places[0], :], self._accelerations)
        if family == "rate":
            rates = self.at.values(list(self.quantities.mechanism.kinematics.values()))
            return _dot(frame.slopes[places[0], :], rates)
        if family == "linearized":
            return entry(self, target, frame)
        if family == "energy":
            symbol = self.quantities.resolve(Path(tuple(places[0].split(".")), (), 1))
            return self.sample.value(self.quantities.ring.form(symbol))
        if family == "placed":
            return self._placed(target, frame)
        if family == "quantity":
            form = self.quantities.ring.form(places[0])
            return self.sample.value(form)
        raise ExpressionError(f"no target '{family}'")

    def remembered(self, key: Any, work: Callable[[], Any]) -> Any:
        """Return what is worked out once at this point."""
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]

    def _placed(self, target: Target, frame: Frame) -> Any:
        """Return a component of where a place is, how it moves or what that depends on."""
        _, kind, place, axis, sign, column = target
        if kind == "angle":
            (value,) = self.at.values([orientation(self.quantities, place, axis)])
        elif kind in ("position", "velocity"):
            work = position if kind == "position" else velocity
            parts = self.remembered((kind, place), lambda: work(self.source, place).parts)
            value = parts[axis]
        else:
            value = _dot(frame.back[:, column], self._slopes(kind, place)[axis])
        return value if sign > 0 else -value

    def _slopes(self, kind: str, place: Place) -> list[list[Any]]:
        if kind == "angular":
            key = ("angular", place.point.on)
            return self.remembered(key, lambda: angular_jacobian(self.source, place))
        known = places(self.quantities)
        rows = self.remembered("jacobians", lambda: jacobians(self.source, known))
        return rows[known.index(place)]

    def _vector(self, family: str) -> list[Any]:
        if family not in self._known:
            self._known[family] = self._column(family)
        return self._known[family]

    def _column(self, family: str) -> list[Any]:
        blocks = self.source.blocks
        match family:
            case "tau":
                return self._torques()
            case "forcing":
                return self._forcing
            case "bias":
                rows = zip(blocks.C, blocks.G, blocks.E, strict=True)
                return [c + g + e for c, g, e in rows]
        return list({"C": blocks.C, "E": blocks.E}.get(family, blocks.G))

    @cached_property
    def _forcing(self) -> list[Any]:
        b = self.source.blocks
        rows = zip(b.tau, b.C, b.G, b.E, strict=True)
        return [tau - c - g - e for tau, c, g, e in rows]

    def _torques(self) -> list[Any]:
        """Return M u̇ + C + G + E: what actuators have to give."""
        blocks = self.source.blocks
        rates = self.at.values(list(self.quantities.mechanism.accelerations))
        return [
            _sum([a * b for a, b in zip(row, rates, strict=True)]) + c + g + e
            for row, c, g, e in zip(blocks.M, blocks.C, blocks.G, blocks.E, strict=True)
        ]

    @cached_property
    def _accelerations(self) -> list[Any]:
        blocks = self.source.blocks
        held = [-one for one in blocks.gamma]
        rows = [[*row, *(-line[i] for line in blocks.J)] for i, row in enumerate(blocks.M)]
        zero = self.at.values([sympy.S.Zero])[0]
        rows += [[*line, *[zero] * len(blocks.J)] for line in blocks.J]
        right = [[one] for one in [*self._forcing, *held]]
        return [one for (one,) in solve(rows, right)][: len(blocks.M)]

    @cached_property
    def _inverse(self) -> list[list[Any]]:
        M = self.source.blocks.M
        zero, one = self.at.values([sympy.S.Zero, sympy.S.One])
        n = len(M)
        unit = [[one if i == j else zero for j in range(n)] for i in range(n)]
        return solve(M, unit)


def _dot(factors: Any, entries: Sequence[Any]) -> Any:
    """Return a sum of rational numbers times elements."""
    parts = [
        entry if factor == 1 else -entry if factor == -1 else entry * factor
        for factor, entry in zip(list(factors), entries, strict=True)
        if factor
    ]
    return _sum(parts)


def _sum(parts: Sequence[Any]) -> Any:
    first, *rest = parts
    return sum(rest, first)


def path_target(quantities: Quantities, text: str) -> sympy.Expr | sympy.MatrixBase:
    """Return the quantity, or the matrix of quantities, that a text names.

    Raises
    ------
    ExpressionError
        If there is none.
    """
    return read(text, quantities.resolve)


__all__ = ["DerivedAtPoint", "Frame", "Path", "Target", "frames", "path_target"]
