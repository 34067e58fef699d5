"""A model in other angles: of bodies against the ground, or of each against the one before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sympy

from freebody.algebra import textbook
from freebody.errors import DerivationError
from freebody.explaining.terms import in_words
from freebody.mechanics.build import mechanism
from freebody.mechanics.joint_frames import outward
from freebody.mechanics.mechanism import Mechanism
from freebody.model.joints import Pin, Planar
from freebody.model.marks import Entry, Quantity
from freebody.model.parts import Coordinate
from freebody.model.printed import printed_names
from freebody.model.schema import Model

Angles = Literal["model", "relative", "absolute"]
LETTERS = {"absolute": ("theta", "phi", "psi"), "relative": ("gamma", "beta", "alpha")}
Row = tuple[sympy.Rational, ...]


@dataclass(frozen=True)
class Relation:
    """What an angle of the model is in those that are written instead.

    Attributes
    ----------
    latex : str
        As the model prints it.
    path : str
        What a document calls it: ``angle.elbow``.
    value : sympy.Expr
        In symbols named as the new coordinates.
    """

    latex: str
    path: str
    value: sympy.Expr


def in_angles(model: Model, angles: Angles) -> tuple[Model, tuple[Relation, ...]]:
    """Return a model whose pins about one axis turn by relative or by absolute angles.

    Parameters
    ----------
    model : Model
    angles : {"model", "relative", "absolute"}
        Those of the model itself, of each body against the one before it, or against the ground.

    Returns
    -------
    model : Model
        The model as it is, where it has these angles already.
    relations : tuple of Relation
        What its former angles are.

    Raises
    ------
    DerivationError
        If no pins turn about one axis by angles that could be changed.

    Examples
    --------
    >>> import freebody
    >>> other, relations = in_angles(freebody.load("two_link"), "absolute")
    >>> list(other.coordinates), relations[1].value
    (['theta1', 'theta2'], -theta1 + theta2)
    """
    if angles == "model":
        return model, ()
    return _Change(mechanism(model), angles).made()


@dataclass(frozen=True)
class _Turn:
    """A pin of a chain: its angle, and the angle of its child, in the coordinates of the model."""

    joint: str
    parent: str
    child: str
    relative: Row
    absolute: Row
    is_pin: bool


class _Change:
    """New coordinates for the pins of a mechanism that turn about one axis."""

    def __init__(self, moving: Mechanism, angles: Literal["relative", "absolute"]) -> None:
        self.moving, self.model, self.angles = moving, moving.model, angles
        self.names = list(moving.names.coordinates)
        self.turns = list(self._turns())
        rows: list[Row] = [getattr(turn, angles) for turn in self.turns]
        used = [k for k in range(len(self.names)) if any(row[k] for row in rows)]
        self.changed = [self.names[k] for k in used]
        self.matrix = sympy.Matrix([[row[k] for k in used] for row in rows])
        if len(used) != len(rows) or not rows or self.matrix.det() == 0:
            raise DerivationError(
                "angles: expected pins about one axis, whose angles are sums of as many "
                "coordinates; without it the angles of the model are explained"
            )

    # ------------------------------------------------------------------ what turns

    def _turns(self) -> Iterator[_Turn]:
        motion = _still(self.moving)
        zero: Row = (sympy.S.Zero,) * len(self.names)
        total: dict[str, Row | None] = {"ground": zero}
        first: tuple[Any, ...] | None = None
        for joint in outward(self.model):
            before = total[joint.parent]
            total[joint.child] = before if not _turns(self.moving, joint.name) else None
            if not isinstance(joint, Pin | Planar) or before is None:
                continue
            if isinstance(joint, Pin):
                about, angle = motion.joint_axis(joint.name), joint.angle
            else:
                about, angle = motion.joint_axes(joint.name)[2], joint.rotation
            axis, row = tuple(map(textbook, about.parts)), self._linear(self.moving.read(angle))
            first = first or axis
            sense = 1 if axis == first else -1 if tuple(-x for x in axis) == first else 0
            if row is None or not sense:
                continue
            relative = tuple(sense * part for part in row)
            absolute = tuple(a + b for a, b in zip(before, relative, strict=True))
            total[joint.child] = absolute
            if any(row):
                is_pin = isinstance(joint, Pin)
                yield _Turn(joint.name, joint.parent, joint.child, row, absolute, is_pin)

    def _linear(self, angle: sympy.Expr) -> Row | None:
        """Return the coefficients of the coordinates in an angle, if they are numbers."""
        slopes = tuple(sympy.diff(angle, q) for q in self.moving.coordinates)
        return slopes if all(slope.is_Rational for slope in slopes) else None

    # ------------------------------------------------------------------ the model

    def made(self) -> tuple[Model, tuple[Relation, ...]]:
        """Return the model in the new angles, and what the former ones are."""
        if self.matrix == sympy.eye(len(self.changed)):
            return self.model, ()
        fresh = self._fresh_names()
        symbols = sympy.Matrix([sympy.Symbol(name) for name in fresh])
        values = dict(zip(self.changed, self.matrix.inv() * symbols, strict=True))
        written = _Substitution(values, dict(zip(self.changed, fresh, strict=True)))
        entries = dict(zip(self.changed, zip(fresh, self._entries(), strict=True), strict=True))
        coordinates = dict(entries.get(n, (n, one)) for n, one in self.model.coordinates.items())
        sections = {section: written.of(value) for section, value in self.model}
        model = self.model.model_copy(update={**sections, "coordinates": coordinates})
        return model, tuple(self._relations(values))

    def _fresh_names(self) -> list[str]:
        taken = " ".join(self.moving.names.symbols)
        letter = next(
            (one for one in LETTERS[self.angles] if one not in taken),
            f"{self.angles}_angle",
        )
        return [f"{letter}{number}" for number in range(1, len(self.turns) + 1)]

    def _entries(self) -> Iterator[Coordinate]:
        for row, turn in enumerate(self.turns):
            weights = dict(zip(self.changed, self.matrix.row(row), strict=True))
            against = "the ground" if self.angles == "absolute" else in_words(turn.parent)
            yield Coordinate(
                title=f"{in_words(turn.child)} against {against}",
                unit="rad",
                initial=self._sum(weights, "initial"),
                initial_speed=self._sum(weights, "initial_speed") or 0,
            )

    def _sum(self, weights: Mapping[str, sympy.Rational], field: str) -> Any:
        """Return initial values of coordinates, added up as text; nothing where one has none."""
        entries = self.model.coordinates
        parts = {name: getattr(entries[name], field) for name, by in weights.items() if by}
        if any(value is None for value in parts.values()):
            return None
        if all(isinstance(value, int | float) for value in parts.values()):
            return float(sum(float(weights[name]) * value for name, value in parts.items()))
        texts = (f"({x})" if weights[n] == 1 else f"({weights[n]})*({x})" for n, x in parts.items())
        return " + ".join(texts)

    def _relations(self, values: Mapping[str, sympy.Expr]) -> Iterator[Relation]:
        printed = printed_names(self.model)
        for place, name in enumerate(self.names):
            unit = tuple(sympy.Integer(k == place) for k in range(len(self.names)))
            pins = [one for one in self.turns if one.relative == unit and one.is_pin]
            paths = [f"angle.{one.joint}" for one in pins]
            paths += [f"angle.{one.child}" for one in self.turns if one.absolute == unit]
            if name in values and paths:
                yield Relation(printed[name], paths[0], values[name])


def _still(moving: Mechanism) -> Any:
    from freebody.mechanics.derivation import derive

    return derive(moving).motion


def _turns(moving: Mechanism, joint: str) -> bool:
    steps = moving.joint_frames.items()
    return any(step.turns for name, step in steps if name == joint or name.startswith(f"{joint}."))


@dataclass(frozen=True)
class _Substitution:
    """Names of coordinates and of their rates, replaced in all expressions of a model."""

    values: Mapping[str, sympy.Expr]
    names: Mapping[str, str]

    def of(self, value: Any) -> Any:
        """Return what a section of a model becomes."""
        if isinstance(value, Entry):
            return self._entry(value)
        if isinstance(value, Mapping):
            return {name: self.of(one) for name, one in value.items()}
        if isinstance(value, tuple | list):
            return type(value)(self.of(one) for one in value)
        return value

    def _entry(self, entry: Entry) -> Entry:
        changed = {}
        for name, field in type(entry).model_fields.items():
            value = getattr(entry, name)
            if any(isinstance(mark, Quantity) for mark in field.metadata):
                changed[name] = self._expressions(value)
            elif any(getattr(mark, "to", "") == "coordinate" for mark in field.metadata):
                changed[name] = tuple(self._named(one) for one in value)
            else:
                changed[name] = self.of(value)
        return entry.model_copy(update=changed)

    def _named(self, name: str) -> str:
        base = name.removesuffix("_dot")
        return name.replace(base, self.names.get(base, base), 1)

    def _expressions(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._written(value)
        if isinstance(value, Sequence):
            return tuple(map(self._expressions, value))
        return self.of(value)

    def _written(self, text: str) -> str:
        return re.sub(r"[A-Za-z_]\w*", lambda match: self._name(match[0]), text)

    def _name(self, name: str) -> str:
        """Return what stands for a name: of a coordinate the sum, of its rate that of rates."""
        for ending in ("", "_dot", "_ddot"):
            base = name.removesuffix(ending) if ending else name
            if name.endswith(ending) and base in self.values:
                value = self.values[base]
                rates = {one: sympy.Symbol(f"{one}{ending}") for one in value.free_symbols}
                return f"({value.xreplace(rates)})"
        return name
