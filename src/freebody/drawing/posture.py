"""A mechanism in numbers, at the posture in which it is drawn, and its projection to paper."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.drawing.instants import kinematics
from freebody.drawing.outline import View, flat, spatial
from freebody.drawing.painter import upward
from freebody.errors import FreebodyError
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Triple

LEAST = 0.35
"""An angle that starts smaller is drawn larger, so that it can be seen."""
DRAWN = (0.6, 0.9, 0.45)
"""Such angles, one after another: different ones, so that a chain is not straight."""
SHIFTS = (0.8, 1.5, 2.2)
"""Lengths that start small, as parts of the mean length among the constants."""


class Posture:
    """Where everything is in a drawing.

    Parameters
    ----------
    mechanism : Mechanism
    plane : tuple of int
        The axes across and up of what is drawn in a plane; else all three axes are drawn.
    initial : bool, optional
        Whether it is where the motion starts, even where angles are too small to be seen.

    Attributes
    ----------
    guessed : list of str
        The constants that have no value, and are drawn with 1.
    """

    def __init__(
        self, mechanism: Mechanism, plane: tuple[int, int] | None, *, initial: bool = False
    ) -> None:
        self.mechanism, self.plane, self.initial = mechanism, plane, initial
        names = mechanism.names
        values = names.values()
        self.guessed = [name for name in names.constants if name not in values]
        self.values = {**values, **dict.fromkeys(self.guessed, 1.0)}
        self.coordinates = self._coordinates()

    def _coordinates(self) -> dict[str, float]:
        """Return the initial coordinates, those of free angles large enough to be seen."""
        model = self.mechanism.model
        found = {name: self._number(one.initial) for name, one in model.coordinates.items()}
        if not model.constraints and not self.initial:
            found |= self._opened(found) | self._apart(found)
        return self._assembled(found)

    def _small(self, found: Mapping[str, float], unit: str, least: float) -> list[str]:
        units = self.mechanism.model.coordinates
        size = {name: _wrapped(x) if unit == "rad" else x for name, x in found.items()}
        return [n for n, one in units.items() if one.unit == unit and abs(size[n]) < least]

    def _opened(self, found: Mapping[str, float]) -> dict[str, float]:
        """Return larger angles for those that are too small to be seen."""
        small = enumerate(self._small(found, "rad", LEAST))
        return {
            name: found[name] + DRAWN[number % len(DRAWN)] - _wrapped(found[name])
            for number, name in small
        }

    def _apart(self, found: Mapping[str, float]) -> dict[str, float]:
        """Return larger lengths for those that are too small."""
        names = self._small(found, "m", LEAST * self._scale)
        return {n: SHIFTS[number % len(SHIFTS)] * self._scale for number, n in enumerate(names)}

    @cached_property
    def _scale(self) -> float:
        """The mean length among the constants."""
        constants = self.mechanism.model.constants
        lengths = [abs(self.values[n]) for n, one in constants.items() if one.unit == "m"]
        return float(np.mean(lengths)) if lengths else 1.0

    def _number(self, value: Any) -> float:
        try:
            return 0.0 if value is None else self.mechanism.names.number(value, self.values)
        except FreebodyError:
            return 0.0

    def _assembled(self, coordinates: dict[str, float]) -> dict[str, float]:
        """Return the coordinates closest by at which loops are closed, where they can be."""
        holonomic = [one for one in self.mechanism.equations if one.holonomic]
        if not holonomic:
            return coordinates
        from scipy.optimize import least_squares

        names = list(coordinates)

        def residuals(q: Array) -> list[float]:
            motion = self._motion(dict(zip(names, map(float, q), strict=True)))
            return [one.residual(motion) for one in holonomic]

        solved = least_squares(residuals, [*coordinates.values()], max_nfev=40)
        return dict(zip(names, map(float, solved.x), strict=True))

    def _motion(self, coordinates: Mapping[str, float]) -> Kinematics:
        return kinematics(self.mechanism, self.values, coordinates)

    @cached_property
    def motion(self) -> Kinematics:
        """Where everything is, in numbers."""
        return self._motion(self.coordinates)

    # ------------------------------------------------------------------ on paper

    @cached_property
    def view(self) -> View:
        """From where it is seen."""
        if self.plane is not None:
            return flat(*self.plane)
        return spatial(*upward(self.mechanism))

    @property
    def directions(self) -> Array:
        """Where the three axes of the ground point on paper, as rows."""
        return self.view.rows

    def on_paper(self, vector: Triple) -> Array:
        """Return where a vector is on paper."""
        return np.array([float(x) for x in vector.parts]) @ self.directions

    def place(self, name: str) -> Array:
        """Return where a place is on paper."""
        return self.on_paper(self.motion.position(name))

    def joint(self, name: str) -> Array:
        """Return where the point of a joint on its child is on paper."""
        step = self.mechanism.joint_frames[name]
        return self.on_paper(self.motion.at(step.child, step.child_at))

    def joint_on_parent(self, name: str) -> Array:
        """Return where a joint is on its parent, before it slides."""
        joint = next(one for one in self.mechanism.model.joints if one.name == name)
        at = tuple(self.mechanism.read(part) for part in joint.at)
        return self.on_paper(self.motion.at(joint.parent, (at[0], at[1], at[2])))


def _wrapped(angle: float) -> float:
    """Return an angle between minus pi and pi."""
    return math.remainder(angle, 2 * math.pi)
