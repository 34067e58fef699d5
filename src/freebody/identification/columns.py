"""The columns of a regressor: what a unit of each parameter adds to the generalized forces.

M u̇ + C + G + E is linear in the mass, the first moments and the inertia of each body about the
origin of its own frame, and in the stiffnesses, dampings and other factors of its loads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import sympy

from freebody.algebra.units import dimension_of
from freebody.identification.factors import ONE, Factors, substituted
from freebody.mechanics.joint_frames import components
from freebody.mechanics.kinematics import Kinematics, generalized_forces_of
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import AXES, Components, Kind, Load, Triple

PASSIVE: tuple[Kind, ...] = ("elastic", "external")
PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
"""The entries of an inertia matrix, by row and column."""
INERTIAL = ("m", "mx", "my", "mz", *(f"J{AXES[i]}{AXES[j]}" for i, j in PAIRS))
"""The ten parameters of a body: mass, first moments, and inertia about the origin of its frame."""
TITLES = {"m": "mass", **{f"m{axis}": f"first moment along {axis}" for axis in AXES}}
UNITS = {"m": "kg", **{f"m{axis}": "kg*m" for axis in AXES}}


@dataclass(frozen=True)
class Parameter:
    """What generalized forces are linear in.

    Attributes
    ----------
    name : str
        ``BODY.m``, ``BODY.mx``, ``BODY.Jxx`` and so on, or a product of constants of the loads.
    value : sympy.Expr
        What it is in the constants of the model.
    title, unit : str
    """

    name: str
    value: sympy.Expr
    title: str
    unit: str

    @property
    def symbol(self) -> sympy.Symbol:
        """It as a symbol of its own."""
        return sympy.Symbol(self.name)

    @property
    def is_inertia(self) -> bool:
        """Whether it is an entry of the inertia of a body."""
        return self.name.rpartition(".")[2] in INERTIAL[4:] and "." in self.name


class RegressorColumns:
    """The parameters that a mechanism's forces are linear in, and what each is times.

    Parameters
    ----------
    mechanism : Mechanism
    full : bool
        Whether all ten parameters of each body are there, rather than those that the model does
        not say are zero.
    """

    def __init__(self, mechanism: Mechanism, *, full: bool) -> None:
        self.mechanism, self._full = mechanism, full

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The parameters, bodies first and parents first among them."""
        return [*(one for one, _ in self._inertial), *map(self._of_load, self._loads)]

    def columns(self, motion: Kinematics) -> list[list[Any]]:
        """Return what a unit of each parameter adds to the generalized forces.

        Parameters
        ----------
        motion : Kinematics
            In any arithmetic, laws worked out.

        Returns
        -------
        list of list
            A column for each parameter, of an entry for each speed.
        """
        names = {one.name for one, _ in self._inertial}
        bodies = [self._of_body(motion, body) for body in self.mechanism.masses]
        inertial = [column for body in bodies for name, column in body.items() if name in names]
        loads = (generalized_forces_of(motion, acting) for acting in self._loads.values())
        return [*inertial, *([-entry for entry in column] for column in loads)]

    def rest(self, motion: Kinematics) -> list[Any]:
        """Return what no parameter is a factor of, such as the forces that inputs give."""
        return [-entry for entry in generalized_forces_of(motion, self._parted.get(ONE, []))]

    @property
    def has_rest(self) -> bool:
        """Whether there is anything that no parameter is a factor of."""
        return ONE in self._parted

    # ------------------------------------------------------------------ bodies

    @cached_property
    def _inertial(self) -> list[tuple[Parameter, str]]:
        """The parameters of the bodies, each with its body."""
        return [
            (Parameter(f"{body}.{short}", value, f"{_title(short)} of {body}", _unit(short)), body)
            for body in self.mechanism.masses
            for short, value in zip(INERTIAL, self._values(body), strict=True)
            if self._full or value != 0
        ]

    def _values(self, body: str) -> Iterator[sympy.Expr]:
        """Iterate over the ten parameters of a body in the constants of the model."""
        mass, center = self.mechanism.masses[body], self.mechanism.places[body].at
        yield mass.mass
        yield from (sympy.expand(mass.mass * part) for part in center)
        for i, j in PAIRS:
            arm = sum(part**2 for part in center) if i == j else 0
            own = 0 if mass.inertia is None else mass.inertia[i, j]
            yield sympy.expand(own + mass.mass * (arm - center[i] * center[j]))

    def _of_body(self, motion: Kinematics, body: str) -> dict[str, list[Any]]:
        """Return the columns of the ten parameters of a body."""
        state, moving = motion.frame_states[body], motion.accelerations[body]
        partials = [motion.partial(body, speed) for speed in self.mechanism.speeds]
        falling = moving.origin - motion.vector(self._gravity, "ground")

        def along(force: Triple | None, moment: Triple | None) -> list[Any]:
            entries = [motion.zero] * len(partials)
            for number, partial in enumerate(partials):
                if force is not None:
                    entries[number] = entries[number] + force.dot(partial.velocity)
                if moment is not None:
                    entries[number] = entries[number] + moment.dot(partial.omega)
            return entries

        columns = [along(falling, None)]
        for axis in state.axes:
            swung = state.omega.cross(state.omega.cross(axis))
            columns.append(along(moving.alpha.cross(axis) + swung, axis.cross(falling)))
        for i, j in PAIRS:
            spin, rate = (_turned(state.axes, i, j, of) for of in (state.omega, moving.alpha))
            columns.append(along(None, rate + state.omega.cross(spin)))
        names = (f"{body}.{short}" for short in INERTIAL)
        return dict(zip(names, columns, strict=True))

    @cached_property
    def _gravity(self) -> Components:
        pull = self.mechanism.model.gravity
        return (sympy.S.Zero,) * 3 if pull is None else components(pull, self.mechanism.read)

    # ------------------------------------------------------------------ loads

    @property
    def _loads(self) -> dict[sympy.Expr, list[Load]]:
        """The loads by the product of constants that they are times."""
        return {monomial: acting for monomial, acting in self._parted.items() if monomial != ONE}

    @cached_property
    def _parted(self) -> dict[sympy.Expr, list[Load]]:
        """The loads by factors, of which none is also within what it is times."""
        free = self._free
        while True:
            parted = self._parts(Factors(free, self._positive))
            loads = chain.from_iterable(parted.values())
            within = {x for load in loads for part in load.components for x in part.free_symbols}
            if within.isdisjoint(free):
                return parted
            free = free - within

    def _parts(self, factors: Factors) -> dict[sympy.Expr, list[Load]]:
        laws, parted = self.mechanism.laws, dict[sympy.Expr, list[Load]]()
        for load in self.mechanism.loads:
            if load.kind in PASSIVE:
                parts = [factors.parts(substituted(x, laws)) for x in load.components]
                for monomial in dict.fromkeys(chain.from_iterable(parts)):
                    x, y, z = (one.get(monomial, sympy.S.Zero) for one in parts)
                    parted.setdefault(monomial, []).append(replace(load, components=(x, y, z)))
        return parted

    def _of_load(self, monomial: sympy.Expr) -> Parameter:
        constants = self.mechanism.model.constants
        names = sorted(map(str, monomial.free_symbols))
        title = " times ".join(constants[name].title or name for name in names)
        unit = str(dimension_of(monomial, self.mechanism.names.dimensions))
        unit = constants[str(monomial)].unit or unit if str(monomial) in constants else unit
        return Parameter(str(monomial), monomial, title, unit)

    @cached_property
    def _free(self) -> set[sympy.Symbol]:
        """The constants that are no geometry and not that of gravity."""
        constants = set(self.mechanism.names.constants.values())
        known = set().union(*(expr.free_symbols for expr in self._geometry))
        return constants - known

    @property
    def _geometry(self) -> Iterator[sympy.Expr]:
        """Iterate over what says where things are."""
        moving = self.mechanism
        yield from (*self._gravity, *moving.kinematics.values())
        for step in moving.joint_frames.values():
            yield from (*step.at, *step.child_at, *step.shift, *(step.axis or ()), step.angle)
            for turn in (step.orientation, step.child_orientation):
                yield from () if turn is None else turn
        for name, place in moving.places.items():
            yield from () if name in moving.masses else place.at

    @cached_property
    def _positive(self) -> set[sympy.Symbol]:
        """The constants whose values in the model are positive."""
        names, values = self.mechanism.names, self.mechanism.names.values()
        return {names.constants[name] for name, value in values.items() if value > 0}


def _turned(axes: Sequence[Triple], i: int, j: int, vector: Triple) -> Triple:
    """Return what an inertia with one entry and its mirror image gives of a vector."""
    turned = axes[i].times(axes[j].dot(vector))
    return turned if i == j else turned + axes[j].times(axes[i].dot(vector))


def _title(short: str) -> str:
    return TITLES.get(short, f"inertia {short[1:]} about the origin")


def _unit(short: str) -> str:
    return UNITS.get(short, "kg*m**2")
