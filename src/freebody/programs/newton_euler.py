"""Newton and Euler's recursion over the links: outward the motion, inward the forces.

The mass of what a link carries is counted at the joints of the link itself, where the distance is
constant: the acceleration of a root then takes no force to know, and forces travel inward without
the mass times acceleration of each body.

References
----------
Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5; Khalil and Kleinfinger, Minimum
operations and minimum parameters of the dynamic models of tree structure robots, 1987.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.graph import Cell
from freebody.mechanics.balances import Wrench
from freebody.mechanics.vectors import Triple
from freebody.programs.inertia import Inertia
from freebody.programs.links import Link, Links
from freebody.programs.rotations import Tensor


@dataclass(frozen=True)
class State:
    """How a link moves: its angular velocity, and the accelerations with gravity's taken off."""

    omega: Triple
    alpha: Triple
    linear: Triple
    gradient: Tensor
    """What times an arm is how much more the end of the arm accelerates than the root."""


class Recursion:
    """The recursions over the links of a mechanism.

    Parameters
    ----------
    links : Links
    absolute : bool
        Whether a turn is measured from the ground and leaves the links beyond as they are turned,
        rather than from the parent.
    """

    def __init__(self, links: Links, *, absolute: bool) -> None:
        self.absolute, self.links = absolute, links.links
        self.graph = links.graph
        self.zero = self.graph.zero
        self.none = Triple((self.zero,) * 3)
        self.nothing = Wrench(self.none, self.none)
        self.motions = [
            link.spin if absolute and link.freedom == "turn" else link.motion for link in self.links
        ]
        self.rates = self.graph.values(motion.rate for motion in self.motions)

    # ------------------------------------------------------------------ inertia

    @cached_property
    def masses(self) -> list[Cell]:
        """The mass of each link and all that it carries."""
        totals = [link.inertia.mass for link in self.links]
        for number, link in self._inward():
            if link.parent >= 0:
                totals[link.parent] = totals[link.parent] + totals[number]
        return totals

    @cached_property
    def loose(self) -> list[Cell]:
        """The part of these masses that slides in what carries it."""
        totals = [self.zero] * len(self.links)
        for number, link in self._inward():
            if link.parent >= 0:
                mass = self.masses[number] if link.freedom == "slide" else totals[number]
                totals[link.parent] = totals[link.parent] + mass
        return totals

    @cached_property
    def fastened(self) -> list[Cell]:
        """The part of these masses that does not."""
        totals = [link.inertia.mass for link in self.links]
        for number, link in self._inward():
            if link.parent >= 0 and link.freedom != "slide":
                totals[link.parent] = totals[link.parent] + totals[number]
        return totals

    @cached_property
    def augmented(self) -> list[Inertia]:
        """Each link with the mass of what it carries at joints that stay where they are in it."""
        found = [link.inertia for link in self.links]
        for number, link in enumerate(self.links):
            if link.parent >= 0 and link.freedom != "slide":
                lumped = Inertia.point(self.fastened[number], link.arm)
                found[link.parent] = found[link.parent] + lumped
        return found

    @cached_property
    def composite(self) -> list[Inertia]:
        """Each link with all that turns with it, of what it carries, as one body."""
        found = list(self.augmented)
        for number, link in self._inward():
            if link.parent >= 0 and not self.is_free(link):
                found[link.parent] = found[link.parent] + self._carried(number, found[number])
        return found

    def _carried(self, number: int, inertia: Inertia) -> Inertia:
        """Return what a link adds to its parent, but for the mass that it has there already."""
        link = self.links[number]
        for rotation in (link.after, link.about, link.before):
            inertia = inertia.turned(rotation)
        mass = self.masses[number] if link.freedom == "slide" else self.loose[number]
        return Inertia(mass, inertia.first, inertia.second).moved(link.arm)

    def is_free(self, link: Link) -> bool:
        """Return whether a link stays as it is turned when its parent turns."""
        return self.absolute and link.freedom == "turn"

    # ------------------------------------------------------------------ outward

    def outward(self, rates: Sequence[Cell], seconds: Sequence[Cell], base: Triple) -> list[State]:
        """Return how the links move.

        Parameters
        ----------
        rates, seconds : sequence of Cell
            The first and second derivatives of each link's freedom in time.
        base : Triple
            The acceleration of the ground.
        """
        ground = self._state(self.none, self.none, base)
        found: list[State] = []
        for number, link in enumerate(self.links):
            before = found[link.parent] if link.parent >= 0 else ground
            found.append(self._moved(link, before, rates[number], seconds[number]))
        return found

    def _moved(self, link: Link, parent: State, rate: Cell, second: Cell) -> State:
        carried = parent.linear + Triple.made(row.dot(link.arm) for row in parent.gradient)
        vectors = (parent.omega, parent.alpha, carried)
        omega, alpha, linear = map(link.about.outward, map(link.before.outward, vectors))
        once, twice = link.axis.times(rate), link.axis.times(second)
        if link.freedom == "slide":
            drift = omega.cross(once)
            linear = linear + drift + drift + twice
        elif self.is_free(link):
            omega, alpha = once, twice
        elif link.freedom == "turn":
            alpha = alpha + omega.cross(once) + twice
            omega = omega + once
        return self._state(*map(link.after.outward, (omega, alpha, linear)))

    def _state(self, omega: Triple, alpha: Triple, linear: Triple) -> State:
        (x, y, z), (a, b, c) = omega.parts, alpha.parts
        xx, yy, zz, xy, yz, zx = x * x, y * y, z * z, x * y, y * z, z * x
        rows = (
            Triple((-(yy + zz), xy - c, zx + b)),
            Triple((xy + c, -(xx + zz), yz - a)),
            Triple((zx - b, yz + a, -(xx + yy))),
        )
        return State(omega, alpha, linear, rows)

    # ------------------------------------------------------------------ inward

    def resistance(self, number: int, state: State) -> Wrench:
        """Return what a link needs to move as it does, but for its mass times acceleration."""
        return self._light(self.augmented[number], state)

    def resistance_alone(self, inertia: Inertia, state: State) -> Wrench:
        """Return what a body needs to move as it does."""
        light = self._light(inertia, state)
        return Wrench(light.force + state.linear.times(inertia.mass), light.moment)

    def _light(self, inertia: Inertia, state: State) -> Wrench:
        force = Triple.made(row.dot(inertia.first) for row in state.gradient)
        return Wrench(force, self._moment(inertia, state))

    def _moment(self, inertia: Inertia, state: State) -> Triple:
        """Return the moment that an inertia needs about its root, products of rates shared."""
        (x, y, z), rows = state.omega.parts, inertia.second
        (xx, xy, zx), (_, yy, yz), (*_, zz) = (row.parts for row in rows)
        spinning = Triple(
            (
                (zz - yy) * (y * z) + yz * (y * y - z * z) + zx * (x * y) - xy * (z * x),
                (xx - zz) * (z * x) + zx * (z * z - x * x) + xy * (y * z) - yz * (x * y),
                (yy - xx) * (x * y) + xy * (x * x - y * y) + yz * (z * x) - zx * (y * z),
            )
        )
        turning = Triple.made(row.dot(state.alpha) for row in rows)
        return turning + spinning + inertia.first.cross(state.linear)

    def inward(self, wrenches: Sequence[Wrench], states: Sequence[State] | None) -> list[Cell]:
        """Return the generalized force of each freedom that carries wrenches on the links.

        Parameters
        ----------
        wrenches : sequence of Wrench
            On each link, in its axes.
        states : sequence of State or None
            How the links move, if their masses are to be accelerated too.
        """
        found, totals = [self.zero] * len(self.links), list(wrenches)
        for number, link in self._inward():
            wrench = totals[number]
            if states and link.freedom == "slide":
                inertial = states[number].linear.times(self.fastened[number])
                wrench = Wrench(wrench.force + inertial, wrench.moment)
            found[number] = self.along(link, wrench)
            if link.parent >= 0:
                totals[link.parent] = totals[link.parent] + self.passed(link, wrench)
        return found

    def along(self, link: Link, wrench: Wrench) -> Cell:
        """Return the part of a wrench along a link's freedom."""
        vector = wrench.force if link.freedom == "slide" else wrench.moment
        return link.axis.dot(link.after.inward(vector))

    def passed(self, link: Link, wrench: Wrench) -> Wrench:
        """Return the wrench of a link about the root of its parent."""
        force = link.inward(wrench.force)
        moment = link.arm.cross(force)
        if not self.is_free(link):
            moment = link.inward(wrench.moment) + moment
        return Wrench(force, moment)

    def column(self, number: int) -> dict[int, Cell]:
        """Return the forces along a link's freedom and those that carry it, for a unit of it."""
        link, inertia = self.links[number], self.composite[number]
        axis = link.after.outward(link.axis)
        if link.freedom == "slide":
            wrench = Wrench(axis.times(self.masses[number]), inertia.first.cross(axis))
        else:
            moment = Triple.made(row.dot(axis) for row in inertia.second)
            wrench = Wrench(axis.cross(inertia.first), moment)
        found = {}
        while number >= 0:
            link = self.links[number]
            found[number] = self.along(link, wrench)
            wrench, number = self.passed(link, wrench), link.parent
        return found

    def _inward(self) -> list[tuple[int, Link]]:
        return list(enumerate(self.links))[::-1]
