"""What acts on the links: gravity, forces at places, and moments and forces across joints."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import sympy

from freebody.graph.cells import Cell
from freebody.mechanics.balances import Wrench
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Components, Kind, Load, Triple
from freebody.programs.links import Links, offset_from
from freebody.programs.rnea import Rnea


class LinkLoads:
    """The loads of a mechanism in the axes of its links.

    Parameters
    ----------
    links : Links
    rnea : Rnea
    """

    def __init__(self, links: Links, rnea: Rnea) -> None:
        self.links, self.rnea = links, rnea
        self.mechanism: Mechanism = links.mechanism
        self.graph = links.graph

    # ------------------------------------------------------------------ gravity

    @cached_property
    def base(self) -> Triple:
        """The acceleration of the ground that stands for a uniform gravity."""
        if self._pull is None:
            return self.rnea.none
        return -self.links.triple(self._pull)

    @property
    def heavy(self) -> tuple[Kind, ...]:
        """The kind of the loads of gravity, where the ground's acceleration cannot stand for it."""
        return ("gravity",) if self._pull is None else ()

    @cached_property
    def _pull(self) -> Components | None:
        """The acceleration that gravity gives to every mass, if it is one."""
        masses = {name: one for name, one in self.mechanism.masses.items() if one.mass != 0}
        pulls_of = {}
        for load in self.mechanism.loads:
            if load.kind == "gravity" and load.place in masses and load.frame == "ground":
                mass = masses[load.place].mass
                x, y, z = (sympy.cancel(part / mass) for part in load.components)
                pulls_of[load.place] = (x, y, z)
        pulls = set(pulls_of.values())
        return pulls.pop() if len(pulls) == 1 and pulls_of.keys() == masses.keys() else None

    # ------------------------------------------------------------------ on links

    def wrenches(self, kinds: Iterable[Kind]) -> list[Wrench]:
        """Return what acts on each link besides what its own joint transmits."""
        totals = [self.rnea.nothing] * len(self.links.links)
        for load in self.mechanism.loads:
            number = self.links.numbers[load.on]
            if load.kind in kinds and not load.across and number >= 0:
                totals[number] = totals[number] + self._wrench(load, number)
        return totals

    def _wrench(self, load: Load, number: int) -> Wrench:
        vector = self._vector(load, number)
        if load.place is None:
            return Wrench(self.rnea.none, vector)
        at = offset_from(self.mechanism.places[load.place].at, self.links.root(number))
        return Wrench(vector, self.links.vector(at, number).cross(vector))

    def _vector(self, load: Load, number: int) -> Triple:
        """Return the vector of a load in the axes of the link that it acts on."""
        parts = Triple.made(self._value(part) for part in load.components)
        frame = self.links.numbers[load.frame]
        if self.links.flat is not None or frame == number:
            return self.links.placed(frame).to_parent(parts)
        motion = self.links.workspace.motion
        vector = motion.none
        for axis, part in zip(motion.frame_states[load.frame].axes, parts.parts, strict=True):
            vector = vector + axis.times(part)
        return Triple.made(vector.dot(axis) for axis in motion.frame_states[load.on].axes)

    def _value(self, expr: sympy.Expr) -> Cell:
        """Return a component of a load, in which there may be measures and laws."""
        moving = self.mechanism
        plain = expr.free_symbols.isdisjoint(moving.measures)
        if plain and moving.laws.keys().isdisjoint(expr.atoms(sympy.Function)):
            return self.graph.values([expr])[0]
        return self.links.workspace.motion.value(expr)

    # ------------------------------------------------------------------ across joints

    def across(self, kinds: Iterable[Kind]) -> list[Cell]:
        """Return what acts along each freedom across its joint."""
        efforts = [self.rnea.zero] * len(self.links.links)
        for load in self.mechanism.loads:
            steps = self.mechanism.joint_frames
            if load.kind in kinds and load.across and load.on == steps[load.across[-1]].child:
                self._transmitted(load, efforts)
        return efforts

    def _transmitted(self, load: Load, efforts: list[Cell]) -> None:
        """Add what a load gives along the freedoms of its joint, from the last one inward."""
        freedom = "turn" if load.place is None else "slide"
        if len(load.across) == 1:
            self._along_axis(load, freedom, efforts)
            return
        vector = Triple.made(self._value(part) for part in load.components)
        for name in reversed(load.across):
            for number in reversed(self.links.ranges[name]):
                link = self.links.links[number]
                vector = link.after.to_parent(vector)
                if link.freedom == freedom:
                    efforts[number] = efforts[number] + link.axis.dot(vector)
                vector = link.about.to_parent(vector)

    def _along_axis(self, load: Load, freedom: str, efforts: list[Cell]) -> None:
        """Add what a load gives along the one freedom of its kind that its joint has."""
        step = self.mechanism.joint_frames[load.across[0]]
        pairs = zip(load.components, step.axis_in_child, strict=True)
        effort = sympy.Add(*(sympy.expand(a * b) for a, b in pairs))
        if freedom == "turn":
            effort = self.links.sense(step) * effort
        for number in self.links.ranges[load.across[0]]:
            if self.links.links[number].freedom == freedom:
                efforts[number] = efforts[number] + self._value(effort)
