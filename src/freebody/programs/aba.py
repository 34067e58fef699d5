"""The articulated body algorithm (ABA): its operations grow as the number of links.

References
----------
Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from freebody.graph.cells import ONE, Cell
from freebody.mechanics.balances import Wrench
from freebody.mechanics.parts import Triple
from freebody.programs.links import Link
from freebody.programs.rnea import Rnea, State
from freebody.programs.spatial import Inertia, Tensor, columns, tensor_sum


@dataclass(frozen=True)
class Articulated:
    """The articulated-body inertia Iᴬ of a link: that while all that it carries is free to move.

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
        return Articulated(
            tensor_sum(self.M, other.M), tensor_sum(self.H, other.H), tensor_sum(self.I, other.I)
        )

    def times_axis(self, link: Link) -> Wrench:
        """Return U = Iᴬ S, the wrench that a unit acceleration of the link's freedom takes."""
        axis = link.axis_in_link
        if link.freedom == "slide":
            return Wrench(_times(self.M, axis), _times(self.H, axis))
        return Wrench(_times(columns(self.H), axis), _times(self.I, axis))

    def freed(self, U: Wrench, scaled: Wrench) -> Articulated:
        """Return Iᵃ = Iᴬ - U D⁻¹ Uᵀ, what is left where the freedom is free; scaled is U D⁻¹."""
        force, moment = U.force.parts, U.moment.parts
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

    def to_parent(self, link: Link) -> Articulated:
        """Return it in the axes of the link's parent, about the parent's root."""
        turned = self
        for rotation in (link.after, link.about, link.before):
            turned = Articulated(
                rotation.tensor_to_parent(turned.M),
                rotation.matrix_to_parent(turned.H),
                rotation.tensor_to_parent(turned.I),
            )
        swept = columns([link.arm.cross(column) for column in columns(turned.M)])
        H = tensor_sum(turned.H, swept)
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
class _Joint:
    """What the backward pass leaves for the last one: U, D⁻¹ = (Sᵀ U)⁻¹ and u = τ - Sᵀ pᴬ."""

    U: Wrench
    D_inverse: Cell
    u: Cell


def aba(
    rnea: Rnea, states: Sequence[State], applied: Iterable[Wrench], tau: Sequence[Cell]
) -> list[Cell]:
    """Return how much more the freedoms accelerate than in the states of the links.

    Parameters
    ----------
    rnea : Rnea
        With turns measured from the parents.
    states : sequence of State
        How the links would move if the speeds did not change.
    applied : iterable of Wrench
        The loads on each link.
    tau : sequence of Cell
        What acts across the joint along each freedom.
    """
    free = [bool(motion.slopes) for motion in rnea.motions]
    inertias = [Articulated.of(link.inertia) for link in rnea.links]
    biases = [  # pᴬ, of the states as they are
        rnea.full_inertial_wrench(link.inertia, state) - load
        for link, state, load in zip(rnea.links, states, applied, strict=True)
    ]
    joints: dict[int, _Joint] = {}
    for number, link in rnea.children_first():
        inertia, bias = inertias[number], biases[number]
        if free[number]:
            U = inertia.times_axis(link)
            D_inverse = rnea.graph.one / rnea.effort(link, U)
            u = tau[number] - rnea.effort(link, bias)
            joints[number] = joint = _Joint(U, D_inverse, u)
            scaled = _scaled(link, joint)
            inertia = inertia.freed(U, scaled)
            bias = bias + _weighted(scaled, u)
        if link.parent >= 0:
            inertias[link.parent] = inertias[link.parent] + inertia.to_parent(link)
            biases[link.parent] = biases[link.parent] + rnea.wrench_on_parent(link, bias)
    return _outward(rnea, joints)


def _scaled(link: Link, joint: _Joint) -> Wrench:
    """Return U D⁻¹, the wrench for a unit force, which is one along a coordinate axis."""
    axis = link.axis_in_link.parts
    force, moment = (
        [part * joint.D_inverse for part in vector.parts]
        for vector in (joint.U.force, joint.U.moment)
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


def _outward(rnea: Rnea, joints: dict[int, _Joint]) -> list[Cell]:
    """Return q̈ = D⁻¹ (u - Uᵀ a) of the freedoms, from the ground outward."""
    moved: list[tuple[Triple, Triple]] = []
    accelerations = []
    for number, link in enumerate(rnea.links):
        alpha, a = moved[link.parent] if link.parent >= 0 else (rnea.none, rnea.none)
        a = a + alpha.cross(link.arm)
        alpha, a = link.to_child(alpha), link.to_child(a)
        second = rnea.zero
        if number in joints:
            joint, axis = joints[number], link.axis_in_link
            carried = joint.U.force.dot(a) + joint.U.moment.dot(alpha)
            second = (joint.u - carried) * joint.D_inverse
            if link.freedom == "slide":
                a = a + axis.times(second)
            else:
                alpha = alpha + axis.times(second)
        moved.append((alpha, a))
        accelerations.append(second)
    return accelerations
