"""Models with what pages vary left open: where masses are, how they turn, what acts besides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import TooLargeError
from freebody.algebra.units import KG, M, S, dimension
from freebody.checking.guesses.conventions import SymbolShape
from freebody.errors import ModelError, Problem
from freebody.mechanics.build import mechanism
from freebody.mechanics.derivation import derive
from freebody.model import Model
from freebody.model.joints import Pin
from freebody.model.parts import Body, Constant
from freebody.recognition.equations.products import Moving, Powers, Row, row_of

ADDED = ("force", "friction", "spring")
"""What a page may have besides, along each coordinate of its own: called by these words."""
LUMPED = ("_by_moments", "_by_sums")
"""How models are called whose constants are what equations of motion tell apart."""
MOST_COORDINATES = 4
"""Coordinates of models that are tried."""
MOST_SOLVED = 3
"""Coordinates up to which equations solved for accelerations are compared."""
MOST_WORK = 3_000_000
"""Products of terms that the equations of one model may take."""
DAMPING = (KG / S, KG * M**2 / S)
"""What constants of dampers are measured in."""
_KINDS = {
    "kg": "mass", "m": "length", "kg*m**2": "inertia", "m/s**2": "gravity", "kg/s": "damping",
    "kg*m**2/s": "damping",
}  # fmt: skip
_OTHER = "other", "damping"
_STRICT: Mapping[str, tuple[str, ...]] = {
    "m": ("mass",),
    "M": ("mass", *_OTHER),
    "g": ("gravity",),
    "l": ("length",),
    "L": ("length", *_OTHER),
    "r": ("length", "damping"),
    "R": ("length", *_OTHER),
    "I": ("inertia",),
    "J": ("inertia",),
    "F": _OTHER,
}
"""Letters that are hardly ever used for anything else."""


def is_added(powers: Powers) -> bool:
    """Return whether something is what a page may have besides, or a product with it."""
    return any(name.startswith(ADDED) for name, _ in powers)


@dataclass(frozen=True)
class Part:
    """A body of which a page may vary where its mass is and how it turns.

    Attributes
    ----------
    body : Body
        As the model has it.
    axis : int
        Along which of its axes its centre of mass lies.
    sign : str
        A minus sign where that is against the axis.
    center, inertia : str
        The names of what is left open.
    length : str
        To the joint that it carries, in the model's constants; empty where it carries none.
    """

    body: Body
    axis: int
    sign: str
    center: str
    inertia: str
    length: str


@dataclass(frozen=True)
class Variation:
    """How a page may mean a model.

    Attributes
    ----------
    words : str
        In a few words; empty for the model as it is.
    values : dict of str to str
        What is left open, in constants.
    same : dict of str to str
        Constants that are others, where bodies are alike.
    cost : float
        How much less likely than the model as it is.
    """

    words: str
    values: Mapping[str, str] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    cost: float = 0.0

    @cached_property
    def key(self) -> str:
        """What it says, as text."""
        return f"{sorted(self.values.items())} {sorted(self.same.items())}"


class OpenModel:
    """A model with its masses' places, its inertias and what acts besides left open.

    Parameters
    ----------
    model : Model
    name : str
        What it is called.
    is_named : bool, optional
        Whether a document can name it; else it is written beside the document.

    Raises
    ------
    FreebodyError
        If no equations of motion can be written out for it, or not in its coordinates alone.
    """

    def __init__(self, model: Model, name: str, *, is_named: bool = True) -> None:
        self.model, self.name, self.is_named = model, name, is_named
        self.is_lumped = name.endswith(LUMPED)
        self.parts = tuple(_parts(model))
        self.opened = _opened(model, self.parts)
        self._equations = derive(mechanism(self.opened))
        self._mechanism = self._equations.mechanism
        if self._mechanism.equations or model.speeds or model.prescribed or model.muscles:
            message = "expected one without constraints, speeds of its own, and muscles"
            raise ModelError(name, [Problem("", message)])
        self.coordinates = tuple(model.coordinates)
        self.is_angle = tuple(
            dimension(one.unit) != dimension("m") for one in model.coordinates.values()
        )
        self._rows: dict[tuple[str, bool, bool], list[Row]] = {}

    # ------------------------------------------------------------------ what is varied

    @cached_property
    def variations(self) -> tuple[Variation, ...]:
        """The ways in which a page may mean the model, the likeliest first."""
        own = Variation("", self._own())
        found, seen = [own], {own.key}
        for one in (*self._alike(own, by_length=False), *self._arrangements()):
            if one.key not in seen:
                seen.add(one.key)
                found.append(one)
        return tuple(found)

    @cached_property
    def general(self) -> Variation:
        """All that may vary left open."""
        return Variation("all open", self._each("{center}", "{inertia}"))

    def _own(self) -> dict[str, str]:
        values = {
            part.center: _unsigned(part.body.center_of_mass[part.axis]) for part in self.parts
        }
        return values | {part.inertia: str(part.body.inertia or 0) for part in self.parts}

    def _arrangements(self) -> Iterator[Variation]:
        if not self.parts:
            return
        about = "{inertia} - {mass}*({center})**2"
        kinds = (
            ("point masses", "{center}", "0", 0.3),
            ("point masses at the ends", "{length}", "0", 0.3),
            ("rods", "{length}/2", "{mass}*({length})**2/12", 0.4),
            ("rods by half their length", "{center}", "{mass}*({center})**2/3", 0.5),
            ("rigid bodies", "{center}", "{inertia}", 0.5),
            ("centres of mass in the middle", "{length}/2", "{inertia}", 0.6),
            ("centres of mass at the ends", "{length}", "{inertia}", 0.7),
            ("moments of inertia about the joints", "{center}", about, 0.8),
        )
        for words, center, inertia, cost in kinds:
            one = Variation(words, self._each(center, inertia), cost=cost)
            yield one
            yield from self._alike(one, by_length="length" in center)

    def _each(self, center: str, inertia: str) -> dict[str, str]:
        values: dict[str, str] = {}
        for part in self.parts:
            known = {
                "length": part.length or part.center,
                "center": part.center,
                "inertia": part.inertia,
                "mass": f"({part.body.mass})",
            }
            values[part.center] = center.format_map(known)
            values[part.inertia] = inertia.format_map(known)
        return values

    def _alike(self, one: Variation, *, by_length: bool) -> Iterator[Variation]:
        """Iterate over a variation with bodies that are alike, where there are several."""
        same = self._same(by_length=by_length)
        if same:
            words = f"{one.words}, all alike" if one.words else "all alike"
            yield Variation(words, one.values, same, one.cost + 0.5)

    def _same(self, *, by_length: bool) -> dict[str, str]:
        """Return what constants of the bodies are those of the first one where all are alike."""
        same: dict[str, str] = {}
        for part in self.parts[1:]:
            first = self.parts[0]
            own = _names(str(part.body.center_of_mass[part.axis]))
            length = part.length or (own[0] if len(own) == 1 else "")
            pairs = [
                (str(part.body.mass), str(first.body.mass)),
                (length, first.length),
                (part.center, first.length if by_length else first.center),
                (part.inertia, first.inertia),
            ]
            same |= {a: b for a, b in pairs if a.isidentifier() and b.isidentifier() and a != b}
        return same

    def may_mean(self, letter: str, image: Powers) -> bool:
        """Return whether a letter of a page may stand for a product of constants."""
        if any(name.startswith(ADDED) and power != 1 for name, power in image):
            return False
        kinds = _strict_kinds(letter)
        if kinds is None:
            return any(power > 0 for _, power in image)
        (name, power), *others = image
        return power == 1 and not others and self._kinds.get(name, "") in kinds

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """What each constant is, by its unit."""
        units = {dimension(unit): kind for unit, kind in _KINDS.items()}
        given = [(name, one.unit) for name, one in self.opened.constants.items()]
        given += [(name, one.unit) for name, one in self.opened.inputs.items()]
        found = {name: units.get(dimension(unit), "other") for name, unit in given}
        acting = {"friction": "damping"}
        return found | {
            f"{kind} {n}": acting.get(kind, "other") for kind in ADDED for n in self._numbers
        }

    # ------------------------------------------------------------------ rows

    @property
    def ways(self) -> tuple[bool, ...]:
        """Whether angles are counted from body to body where the model counts from a direction.

        The model's own way first; the other, where there are several angles.
        """
        return (False, True) if sum(self.is_angle) > 1 else (False,)

    @cached_property
    def optional(self) -> frozenset[str]:
        """The constants that a page may leave out: what acts, friction, springs and gravity.

        So may be what is zero in the model.
        """
        inputs = {*self.opened.inputs, *(f"{kind} {n}" for kind in ADDED for n in self._numbers)}
        masses = {dimension("kg"), dimension("m"), dimension("kg*m**2")}
        acting = {
            name
            for name, one in self.opened.constants.items()
            if dimension(one.unit) not in masses or one.value == 0
        }
        return frozenset(inputs | acting)

    @cached_property
    def apart(self) -> frozenset[str]:
        """What of the optional no Lagrangian tells: inputs, and friction."""
        constants = self.opened.constants.items()
        damping = (name for name, one in constants if dimension(one.unit) in DAMPING)
        added = (f"{kind} {n}" for kind in ADDED if kind != "spring" for n in self._numbers)
        return frozenset({*self.opened.inputs, *damping, *added})

    @property
    def _numbers(self) -> range:
        return range(len(self.coordinates))

    def rows(self, variation: Variation, way: bool, solved: bool = False) -> list[Row]:
        """Return the equations of motion, one for each coordinate, with what acts besides.

        Parameters
        ----------
        variation : Variation
        way : bool
            Whether angles are counted the other way than by the model.
        solved : bool, optional
            Whether they are solved for each acceleration, times the determinant.
        """
        key = variation.key, way, solved
        if key not in self._rows:
            forms = self._forms(variation, way)
            self._rows[key] = self._as_rows(self._solve(forms) if solved else forms)
        return self._rows[key]

    def _forms(self, variation: Variation, way: bool) -> list[Form]:
        names, ring = self._mechanism.names, self._equations.ring
        values = {
            names.constants[name]: ring.form(names.read(text))
            for name, text in variation.values.items()
        }
        same = {
            names.constants[name]: ring.form(names.constants[other])
            for name, other in variation.same.items()
        }
        forms = [substituted(substituted(form, values), same) for form in self._balances]
        if way:
            forms = self._recounted(forms)
        return [form + added for form, added in zip(forms, self._added(), strict=True)]

    @cached_property
    def _balances(self) -> list[Form]:
        blocks, ring = self._equations.blocks, self._equations.ring
        rates = list(map(ring.symbol, self._mechanism.accelerations))
        return [
            ring.sum(
                [
                    *(entry * rate for entry, rate in zip(blocks.M[i], rates, strict=True)),
                    blocks.C[i], blocks.G[i], blocks.E[i], -blocks.tau[i],
                ]
            )
            for i in self._numbers
        ]  # fmt: skip

    def _added(self) -> list[Form]:
        """Return a force, friction and a spring for each coordinate, that a page may have."""
        ring, moving = self._equations.ring, self._mechanism
        found = []
        for n in self._numbers:
            force, friction, spring = (ring.symbol(sympy.Symbol(f"{one} {n}")) for one in ADDED)
            rate, place = ring.symbol(moving.speeds[n]), ring.symbol(moving.coordinates[n])
            found.append(friction * rate + spring * place - force)
        return found

    def _recounted(self, forms: list[Form]) -> list[Form]:
        """Return the equations with each angle counted from the body before, or otherwise."""
        matrix = self.counting(True)
        ring, values = self._equations.ring, {}
        for atoms in (
            self._mechanism.coordinates, self._mechanism.speeds, self._mechanism.accelerations,
        ):  # fmt: skip
            symbols = list(map(ring.symbol, atoms))
            for i in self._numbers:
                parts = [s.scaled(c) for c, s in zip(matrix[i], symbols, strict=True) if c]
                values[atoms[i]] = ring.sum(parts)
        changed = [substituted(form, values) for form in forms]
        return [
            ring.sum([changed[i].scaled(matrix[i][j]) for i in self._numbers if matrix[i][j]])
            for j in self._numbers
        ]

    def counting(self, way: bool) -> list[list[int]]:
        """Return the coordinates of the model, a row each, in those of a way to count angles."""
        matrix = [[int(i == j) for j in self._numbers] for i in self._numbers]
        angles = [n for n in self._numbers if self.is_angle[n]]
        if way and self.is_from_direction:
            for before, one in pairwise(angles):
                matrix[one] = [a + b for a, b in zip(matrix[before], matrix[one], strict=True)]
        elif way:
            for before, one in pairwise(angles):
                matrix[one][before] = -1
        return matrix

    @cached_property
    def is_from_direction(self) -> bool:
        """Whether the model counts its angles from a fixed direction."""
        return any(
            isinstance(joint, Pin) and not str(joint.angle).isidentifier()
            for joint in self.model.joints
        )

    def _solve(self, forms: list[Form]) -> list[Form]:
        ring, rates = self._equations.ring, self._mechanism.accelerations
        if len(rates) > MOST_SOLVED or len(rates) < 2:
            return []
        zero = dict.fromkeys(rates, ring.zero)
        matrix = [[ring.partial(form, rate) for rate in rates] for form in forms]
        rest = [substituted(form, zero) for form in forms]
        try:
            with ring.budget.work(MOST_WORK):
                whole = _determinant(ring, matrix)
                columns = [
                    [
                        [*row[:n], other, *row[n + 1 :]]
                        for row, other in zip(matrix, rest, strict=True)
                    ]
                    for n in self._numbers
                ]
                return [
                    whole * ring.symbol(rate) + _determinant(ring, column)
                    for rate, column in zip(rates, columns, strict=True)
                ]
        except TooLargeError:
            return []

    def _as_rows(self, forms: list[Form]) -> list[Row]:
        rows = (row_of(form, self._named) for form in forms)
        return [row for row in rows if row is not None]

    def _named(self, atom: sympy.Expr) -> Moving | str | None:
        return self._atoms.get(atom) or (str(atom) if str(atom).startswith(ADDED) else None)

    @cached_property
    def _atoms(self) -> dict[sympy.Expr, Moving | str]:
        moving, names = self._mechanism, self._mechanism.names
        known: dict[sympy.Expr, Moving | str] = {
            atom: Moving(n, dots)
            for dots, atoms in enumerate((moving.coordinates, moving.speeds, moving.accelerations))
            for n, atom in enumerate(atoms)
        }
        return known | {atom: name for name, atom in {**names.constants, **names.inputs}.items()}


def _determinant(ring: Ring, matrix: Sequence[Sequence[Form]]) -> Form:
    if len(matrix) == 1:
        return matrix[0][0]
    parts = [
        (entry if n % 2 == 0 else -entry) * _determinant(ring, [_but(row, n) for row in matrix[1:]])
        for n, entry in enumerate(matrix[0])
        if entry.terms
    ]
    return ring.sum(parts)


def _but(row: Sequence[Form], n: int) -> list[Form]:
    return [*row[:n], *row[n + 1 :]]


# ---------------------------------------------------------------------- what is left open


def _parts(model: Model) -> Iterator[Part]:
    """Iterate over the bodies on pins whose mass is somewhere along an axis."""
    for joint in model.joints:
        body = next((one for one in model.bodies if one.name == joint.child), None)
        if not isinstance(joint, Pin) or body is None or isinstance(body.inertia, tuple):
            continue
        axes = [axis for axis, value in enumerate(body.center_of_mass) if value != 0]
        if len(axes) != 1 or str(body.mass) == "0" or any(joint.child_at):
            continue
        axis = axes[0]
        ends = [one.at[axis] for one in model.joints if one.parent == body.name]
        sign = "-" if str(body.center_of_mass[axis]).startswith("-") else ""
        length = _unsigned(ends[0]) if ends and ends[0] != 0 else ""
        yield Part(body, axis, sign, f"center_{body.name}", f"inertia_{body.name}", length)


@cache
def _strict_kinds(letter: str) -> tuple[str, ...] | None:
    """Return what a letter is for, where it is hardly ever used for anything else."""
    return _STRICT.get(SymbolShape.of(letter).letter)


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text)))


def _unsigned(value: object) -> str:
    return str(value).removeprefix("-")


def _opened(model: Model, parts: Sequence[Part]) -> Model:
    """Return a model with the places of masses, and inertias, as constants of their own."""
    changed, constants = {}, dict(model.constants)
    for part in parts:
        center: list[float | str] = [0, 0, 0]
        center[part.axis] = part.sign + part.center
        update = {"center_of_mass": tuple(center), "inertia": part.inertia}
        changed[part.body.name] = part.body.model_copy(update=update)
        constants |= {
            part.center: Constant(
                title=f"from the joint of {part.body.name} to its centre of mass",
                unit="m",
                value=1,
            ),
            part.inertia: Constant(
                title=f"moment of inertia of {part.body.name}", unit="kg*m**2", value=1
            ),
        }
    bodies = tuple(changed.get(body.name, body) for body in model.bodies)
    return model.model_copy(update={"bodies": bodies, "constants": constants})
