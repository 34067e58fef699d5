"""Accelerations by articulated bodies: their operations grow as the number of links.

References
----------
Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from freebody.graph import Cell
from freebody.graph.graph import ONE
from freebody.mechanics.balances import Wrench
from freebody.mechanics.vectors import Triple
from freebody.programs.inertia import Inertia
from freebody.programs.links import Link
from freebody.programs.newton_euler import Recursion, State
from freebody.programs.rotations import Tensor, added, columns


@dataclass(frozen=True)
class Articulated:
    """What a link resists with while all that it carries is free to move.

    Its root needs the force M a + Hᵀ α and the moment H a + I α.

    Attributes
    ----------
    M, H, I : tuple of three Triple
        The rows of the matrices.
    """

    M: Tensor
    H: Tensor
    I: Tensor  # noqa: E741 - the field's own name

    @classmethod
    def of(cls, inertia: Inertia) -> Articulated:
        """Return that of a link alone."""
        zero, mass = inertia.mass.graph.zero, inertia.mass
        x, y, z = inertia.first.parts
        return cls(
            (Triple((mass, zero, zero)), Triple((zero, mass, zero)), Triple((zero, zero, mass))),
            (Triple((zero, -z, y)), Triple((z, zero, -x)), Triple((-y, x, zero))),
            inertia.second,
        )

    def __add__(self, other: Articulated) -> Articulated:
        return Articulated(added(self.M, other.M), added(self.H, other.H), added(self.I, other.I))

    def along(self, link: Link) -> Wrench:
        """Return the wrench that a unit acceleration of the link's freedom takes."""
        axis = link.after.outward(link.axis)
        if link.freedom == "slide":
            return Wrench(_times(self.M, axis), _times(self.H, axis))
        return Wrench(_times(columns(self.H), axis), _times(self.I, axis))

    def freed(self, wrench: Wrench, scaled: Wrench) -> Articulated:
        """Return what is left where the freedom is free: less the wrench times it, scaled."""
        force, moment = wrench.force.parts, wrench.moment.parts
        forces, moments = scaled.force.parts, scaled.moment.parts
        mixed = [
            [
                entry - (moment[i] * forces[j] if _is_unit(forces[j]) else moments[i] * force[j])
                for j, entry in enumerate(row.parts)
            ]
            for i, row in enumerate(self.H)
        ]
        x, y, z = map(Triple.made, mixed)
        return Articulated(
            _freed(self.M, force, forces), (x, y, z), _freed(self.I, moment, moments)
        )

    def passed(self, link: Link) -> Articulated:
        """Return it in the axes of the link's parent, about the parent's root."""
        turned = self
        for rotation in (link.after, link.about, link.before):
            turned = Articulated(
                rotation.tensor(turned.M), rotation.mixed(turned.H), rotation.tensor(turned.I)
            )
        swept = columns([link.arm.cross(column) for column in columns(turned.M)])
        H = added(turned.H, swept)
        ahead = [link.arm.cross(row).parts for row in turned.H]
        back = [link.arm.cross(row).parts for row in H]
        inertia = [
            [
                row.parts[j] + (ahead[min(i, j)][max(i, j)] + back[max(i, j)][min(i, j)])
                for j in range(3)
            ]
            for i, row in enumerate(turned.I)
        ]
        x, y, z = map(Triple.made, inertia)
        return Articulated(turned.M, H, (x, y, z))


def _times(rows: Tensor, vector: Triple) -> Triple:
    return Triple.made(row.dot(vector) for row in rows)


def _freed(rows: Tensor, parts: Sequence[Cell], scaled: Sequence[Cell]) -> Tensor:
    """Return a symmetric matrix less a column times itself scaled, in as few operations."""

    def product(i: int, j: int) -> Cell:
        i, j = (j, i) if _is_unit(scaled[j]) else (min(i, j), max(i, j))
        return scaled[i] * parts[j]

    entries = [
        [entry - product(i, j) for j, entry in enumerate(row.parts)] for i, row in enumerate(rows)
    ]
    x, y, z = map(Triple.made, entries)
    return x, y, z


@dataclass(frozen=True)
class _Free:
    """A freedom on the way inward: the wrench that it takes, its inverse inertia, its force."""

    wrench: Wrench
    inverse: Cell
    force: Cell


def accelerations(
    recursion: Recursion,
    states: Sequence[State],
    applied: Iterable[Wrench],
    across: Sequence[Cell],
) -> list[Cell]:
    """Return how much more the freedoms accelerate than in the states of the links.

    Parameters
    ----------
    recursion : Recursion
        With turns measured from the parents.
    states : sequence of State
        How the links would move if the speeds did not change.
    applied : iterable of Wrench
        The loads on each link.
    across : sequence of Cell
        What acts across the joint along each freedom.
    """
    links = recursion.links
    free = [bool(motion.slopes) for motion in recursion.motions]
    bodies = [Articulated.of(link.inertia) for link in links]
    wrenches = [
        recursion.resistance_alone(link.inertia, state) - load
        for link, state, load in zip(links, states, applied, strict=True)
    ]
    found: dict[int, _Free] = {}
    for number in reversed(range(len(links))):
        link, body, wrench = links[number], bodies[number], wrenches[number]
        if free[number]:
            found[number] = step = _freedom(recursion, link, body, wrench, across[number])
            scaled = _scaled(link, step)
            body = body.freed(step.wrench, scaled)
            wrench = wrench + _weighted(scaled, step.force)
        if link.parent >= 0:
            bodies[link.parent] = bodies[link.parent] + body.passed(link)
            wrenches[link.parent] = wrenches[link.parent] + recursion.passed(link, wrench)
    return _outward(recursion, found)


def _freedom(
    recursion: Recursion, link: Link, body: Articulated, wrench: Wrench, across: Cell
) -> _Free:
    takes = body.along(link)
    inverse = recursion.graph.one / recursion.along(link, takes)
    return _Free(takes, inverse, across - recursion.along(link, wrench))


def _scaled(link: Link, step: _Free) -> Wrench:
    """Return the wrench of a freedom for a unit force, which is one along a coordinate axis."""
    axis = link.after.outward(link.axis).parts
    force, moment = (
        [part * step.inverse for part in vector.parts]
        for vector in (step.wrench.force, step.wrench.moment)
    )
    for number, part in enumerate(axis):
        if _is_unit(part):
            (force if link.freedom == "slide" else moment)[number] = part
    return Wrench(Triple.made(force), Triple.made(moment))


def _is_unit(part: Cell) -> bool:
    """Return whether a cell is one or minus one."""
    return part.node == ONE


def _weighted(wrench: Wrench, weight: Cell) -> Wrench:
    return Wrench(wrench.force.times(weight), wrench.moment.times(weight))


def _outward(recursion: Recursion, found: dict[int, _Free]) -> list[Cell]:
    """Return the accelerations of the freedoms, from the ground outward."""
    none, zero = recursion.none, recursion.zero
    moved: list[tuple[Triple, Triple]] = []
    out = []
    for number, link in enumerate(recursion.links):
        alpha, linear = moved[link.parent] if link.parent >= 0 else (none, none)
        linear = linear + alpha.cross(link.arm)
        alpha, linear = link.outward(alpha), link.outward(linear)
        second = zero
        if number in found:
            step, axis = found[number], link.after.outward(link.axis)
            carried = step.wrench.force.dot(linear) + step.wrench.moment.dot(alpha)
            second = (step.force - carried) * step.inverse
            if link.freedom == "slide":
                linear = linear + axis.times(second)
            else:
                alpha = alpha + axis.times(second)
        moved.append((alpha, linear))
        out.append(second)
    return out
