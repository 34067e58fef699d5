"""The recursive Newton-Euler algorithm (RNEA): a forward pass of motion, a backward pass of forces.

Parameters are grouped as Khalil and Kleinfinger do: the mass of what a link carries is counted at
the joints of the link itself, where the distance is constant. The acceleration of a root then takes
no force to know, and forces travel inward without the mass times acceleration of each body.

References
----------
Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5; Khalil and Kleinfinger, Minimum
operations and minimum parameters of the dynamic models of tree structure robots, 1987.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from freebody.graph.cells import Cell
from freebody.mechanics.balances import Wrench
from freebody.mechanics.parts import Triple
from freebody.programs.links import Link, Links
from freebody.programs.spatial import Inertia, Tensor


@dataclass(frozen=True)
class State:
    """How a link moves, the acceleration of gravity taken off.

    Attributes
    ----------
    omega, alpha : Triple
        Its angular velocity ω and angular acceleration.
    a : Triple
        The acceleration of its root.
    U : tuple of three Triple
        The rows of [α]× + [ω]×²: the end of an arm r accelerates by U r more than the root.
    """

    omega: Triple
    alpha: Triple
    a: Triple
    U: Tensor


class Rnea:
    """The recursion over the links of a mechanism.

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
        for number, link in self.children_first():
            if link.parent >= 0:
                totals[link.parent] = totals[link.parent] + totals[number]
        return totals

    @cached_property
    def loose(self) -> list[Cell]:
        """The part of these masses that slides in what carries it."""
        totals = [self.zero] * len(self.links)
        for number, link in self.children_first():
            if link.parent >= 0:
                mass = self.masses[number] if link.freedom == "slide" else totals[number]
                totals[link.parent] = totals[link.parent] + mass
        return totals

    @cached_property
    def fastened(self) -> list[Cell]:
        """The part of these masses that does not."""
        totals = [link.inertia.mass for link in self.links]
        for number, link in self.children_first():
            if link.parent >= 0 and link.freedom != "slide":
                totals[link.parent] = totals[link.parent] + totals[number]
        return totals

    @cached_property
    def augmented(self) -> list[Inertia]:
        """Each link with the mass of what it carries at joints that stay where they are in it."""
        inertias = [link.inertia for link in self.links]
        for number, link in enumerate(self.links):
            if link.parent >= 0 and link.freedom != "slide":
                lumped = Inertia.point(self.fastened[number], link.arm)
                inertias[link.parent] = inertias[link.parent] + lumped
        return inertias

    def is_free(self, link: Link) -> bool:
        """Return whether a link stays as it is turned when its parent turns."""
        return self.absolute and link.freedom == "turn"

    # ------------------------------------------------------------------ forward pass

    def forward_pass(
        self, rates: Sequence[Cell], seconds: Sequence[Cell], base: Triple
    ) -> list[State]:
        """Return how the links move.

        Parameters
        ----------
        rates, seconds : sequence of Cell
            The first and second derivatives of each link's freedom in time.
        base : Triple
            The acceleration of the ground.
        """
        ground = self._state(self.none, self.none, base)
        states: list[State] = []
        for number, link in enumerate(self.links):
            before = states[link.parent] if link.parent >= 0 else ground
            states.append(self._state_of(link, before, rates[number], seconds[number]))
        return states

    def _state_of(self, link: Link, parent: State, rate: Cell, second: Cell) -> State:
        carried = parent.a + Triple.made(row.dot(link.arm) for row in parent.U)
        omega, alpha, a = map(link.to_joint, (parent.omega, parent.alpha, carried))
        once, twice = link.axis.times(rate), link.axis.times(second)
        if link.freedom == "slide":
            drift = omega.cross(once)
            a = a + drift + drift + twice  # of Coriolis
        elif self.is_free(link):
            omega, alpha = once, twice
        elif link.freedom == "turn":
            alpha = alpha + omega.cross(once) + twice
            omega = omega + once
        return self._state(*map(link.after.to_child, (omega, alpha, a)))

    def _state(self, omega: Triple, alpha: Triple, a: Triple) -> State:
        (x, y, z), (dx, dy, dz) = omega.parts, alpha.parts
        xx, yy, zz, xy, yz, zx = x * x, y * y, z * z, x * y, y * z, z * x
        U = (
            Triple((-(yy + zz), xy - dz, zx + dy)),
            Triple((xy + dz, -(xx + zz), yz - dx)),
            Triple((zx - dy, yz + dx, -(xx + yy))),
        )
        return State(omega, alpha, a, U)

    # ------------------------------------------------------------------ backward pass

    def inertial_wrench(self, number: int, state: State) -> Wrench:
        """Return what a link needs to move as it does, but for its mass times acceleration."""
        return self._light(self.augmented[number], state)

    def full_inertial_wrench(self, inertia: Inertia, state: State) -> Wrench:
        """Return what a body needs to move as it does."""
        light = self._light(inertia, state)
        return Wrench(light.force + state.a.times(inertia.mass), light.moment)

    def _light(self, inertia: Inertia, state: State) -> Wrench:
        force = Triple.made(row.dot(inertia.first) for row in state.U)
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
        return turning + spinning + inertia.first.cross(state.a)

    def backward_pass(
        self, wrenches: Sequence[Wrench], states: Sequence[State] | None
    ) -> list[Cell]:
        """Return the generalized force of each freedom that carries wrenches on the links.

        Parameters
        ----------
        wrenches : sequence of Wrench
            On each link, in its axes.
        states : sequence of State or None
            How the links move, if their masses are to be accelerated too.
        """
        efforts, totals = [self.zero] * len(self.links), list(wrenches)
        for number, link in self.children_first():
            wrench = totals[number]
            if states and link.freedom == "slide":
                inertial = states[number].a.times(self.fastened[number])
                wrench = Wrench(wrench.force + inertial, wrench.moment)
            efforts[number] = self.effort(link, wrench)
            if link.parent >= 0:
                totals[link.parent] = totals[link.parent] + self.wrench_on_parent(link, wrench)
        return efforts

    def effort(self, link: Link, wrench: Wrench) -> Cell:
        """Return the part of a wrench along a link's freedom."""
        vector = wrench.force if link.freedom == "slide" else wrench.moment
        return link.axis.dot(link.after.to_parent(vector))

    def wrench_on_parent(self, link: Link, wrench: Wrench) -> Wrench:
        """Return the wrench of a link about the root of its parent."""
        force = link.to_parent(wrench.force)
        moment = link.arm.cross(force)
        if not self.is_free(link):
            moment = link.to_parent(wrench.moment) + moment
        return Wrench(force, moment)

    def children_first(self) -> list[tuple[int, Link]]:
        """Return the links with their numbers, children first."""
        return list(enumerate(self.links))[::-1]
