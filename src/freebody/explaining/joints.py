"""What joints transmit, as a free-body diagram shows it.

Along what a joint leaves free it transmits what acts across it, an actuator or a spring; along the
rest a reaction, whose components have symbols.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import sympy

from freebody.explaining.system import ZERO, System, Vector
from freebody.mechanics.parts import AXES, JointFrame, Triple
from freebody.model.joints import Custom, Free, Planar


@dataclass(frozen=True)
class Freedom:
    """A direction in which a joint lets its child move, or an axis about which it lets it turn."""

    turns: bool
    axis: Vector


@dataclass(frozen=True)
class Transmission:
    """What a joint transmits to its child, about its own point, in the ground frame.

    Attributes
    ----------
    joint : str
    force, moment : tuple of three sympy.Expr
    across : tuple of two Vector
        Force and moment of what acts across the joint.
    freedoms : tuple of Freedom
    unknown : tuple of sympy.Symbol
        The components of the reaction that have symbols.
    """

    joint: str
    force: Vector
    moment: Vector
    across: tuple[Vector, Vector]
    freedoms: tuple[Freedom, ...]
    unknown: tuple[sympy.Symbol, ...] = field(default=())


class Transmissions:
    """What all joints of a system transmit.

    Parameters
    ----------
    system : System
    """

    def __init__(self, system: System) -> None:
        self.system = system

    @cached_property
    def freedoms(self) -> dict[str, tuple[Freedom, ...]]:
        """What each joint leaves free."""
        return {joint: tuple(self._freedoms(joint)) for joint in self.system.joints}

    @property
    def are_independent(self) -> bool:
        """Whether every freedom of a joint is a freedom of the mechanism."""
        count = sum(map(len, self.freedoms.values()))
        return count == len(self.system.mechanism.speeds)

    @cached_property
    def of(self) -> dict[str, Transmission]:
        """What each joint transmits."""
        return {joint: self._transmission(joint) for joint in self.system.joints}

    def _freedoms(self, joint: str) -> Iterator[Freedom]:
        for name, step in self.system.steps_of(joint):
            for turns, axis in self._of_step(name, step):
                yield Freedom(turns, self.system.exprs(axis))

    def _of_step(self, name: str, step: JointFrame) -> Iterator[tuple[bool, Triple]]:
        motion = self.system.motion
        speeds = self.system.mechanism.speeds
        partials = [motion.step_partial(name, speed) for speed in speeds]
        if step.turns and any(any(turn.parts) for _, turn in partials):
            yield True, motion.joint_axis(name)
        slides = [slide for slide, _ in partials if any(slide.parts)]
        if slides and self._slides_everywhere(name):
            axes = motion.joint_axes(name)
            yield from ((False, axes[k]) for k in range(3) if step.shift[k] != 0)
        elif slides:
            yield False, motion.joint_axis(name)

    def _slides_everywhere(self, name: str) -> bool:
        joint = next(j for j in self.system.model.joints if j.name == name.partition(".")[0])
        return isinstance(joint, Planar | Free | Custom)

    def _across(self, joint: str) -> tuple[Vector, Vector]:
        """Return force and moment of what acts across a joint on its child."""
        system, child = self.system, self.system.mechanism.joint_frames[joint].child
        forces, moments = list[Vector](), list[Vector]()
        for load in system.mechanism.loads:
            if load.across and load.across[-1] == joint and load.on == child:
                (moments if load.place is None else forces).append(system.effort(load))
        return _total(forces), _total(moments)

    def _transmission(self, joint: str) -> Transmission:
        force_across, moment_across = across = self._across(joint)
        freedoms = self.freedoms[joint]
        system = self.system
        unknown: list[sympy.Symbol] = []

        def component(axis: int, what: str, given: Vector) -> sympy.Expr:
            wanted = system.axes if what == "force" else system.turning
            if axis not in wanted or self._is_free(freedoms, axis, turns=what == "moment"):
                return given[axis]
            symbol = self._symbol(joint, what, axis)
            unknown.append(symbol)
            return symbol

        fx, fy, fz = (component(k, "force", force_across) for k in range(3))
        mx, my, mz = (component(k, "moment", moment_across) for k in range(3))
        return Transmission(joint, (fx, fy, fz), (mx, my, mz), across, freedoms, tuple(unknown))

    def _is_free(self, freedoms: tuple[Freedom, ...], axis: int, *, turns: bool) -> bool:
        """Whether a component is what acts across the joint, and nothing else."""
        alike = [one for one in freedoms if one.turns == turns]
        wanted = self.system.turning if turns else self.system.axes
        along = any(
            one.axis[axis] in (1, -1) and all(one.axis[k] == 0 for k in range(3) if k != axis)
            for one in alike
        )
        return along or (len(alike) >= len(wanted) and bool(alike))

    def _symbol(self, joint: str, what: str, axis: int) -> sympy.Symbol:
        notation, number = self.system.notation, self.system.joints.index(joint) + 1
        letters = ["R", "F", "S", r"\mathcal{R}"] if what == "force" else ["N", "K", r"\mathcal{N}"]
        letter = notation.letter(letters)
        path = f"reaction.{joint}.{what}.{AXES[axis]}"
        return notation.quantity(path, [f"{letter}_{{{number}{AXES[axis]}}}"])


def _total(vectors: list[Vector]) -> Vector:
    x, y, z = (sympy.Add(*(vector[axis] for vector in vectors)) for axis in range(3))
    return x, y, z


def projected(axis: Vector, vector: Vector) -> sympy.Expr:
    """Return the component of a vector along an axis."""
    return sympy.Add(*(a * v for a, v in zip(axis, vector, strict=True) if a != ZERO))
