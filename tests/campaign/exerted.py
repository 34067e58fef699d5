"""Generalized forces of loads, from positions and velocities that derivatives by hand tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engines import Array, Motion, Pose, affine
from freebody.model import Model


def is_worked_out(model: Model) -> bool:
    """Return whether all loads of a model are of the kinds that are worked out here."""
    beside = any(force.arm is not None for force in model.forces)
    moves = [move for joint in model.joints for move in getattr(joint, "motion", ())]
    driven = any(move.force or move.torque for move in moves)
    others = model.contacts or model.friction or model.muscles or model.inputs
    return not (others or beside or driven)


def exerted(moving: Motion) -> Array:
    """Return what the forces, torques, springs and dampers of a model exert along its speeds."""
    total = np.zeros(len(moving.speeds))
    for pose, force in _forces(moving):
        slide, _ = affine(moving.position(pose).rate.rate.c[0].T)
        total += slide.T @ force
    for torque in moving.tree.mechanism.model.torques:
        turn, _ = affine(moving.angular_velocity(moving.tree.frames[torque.on]).rate.c[0].T)
        total += turn.T @ _vector(moving, torque)
    return total


def _forces(moving: Motion) -> Iterator[tuple[Pose, Array]]:
    """Iterate over the forces on points, both of what acts between two."""
    tree, model = moving.tree, moving.tree.mechanism.model
    for force in model.forces:
        yield tree.frames[force.on].then(tree.read(force.at)), _vector(moving, force)
    for spring in model.springs:
        stretch = _length(moving, spring) - tree.read([spring.rest])[0]
        pull = tree.read([spring.stiffness])[0] * stretch
        yield from _pulled(moving, spring, max(pull, 0) if spring.one_sided else pull)
    for damper in model.dampers:
        first, second = _ends(moving, damper)
        lengthening = (second.rate.c[0][0] - first.rate.c[0][0]) @ _along(moving, damper)
        yield from _pulled(moving, damper, tree.read([damper.damping])[0] * lengthening)


def _vector(moving: Motion, load: Any) -> Array:
    """Return the components of a load in the ground frame."""
    frame = moving.tree.frames[load.frame or "ground"]
    return moving.axes(frame).c[0][0] @ moving.tree.read(load.vector)


def _ends(moving: Motion, load: Any) -> list[Any]:
    return [moving.position(moving.tree.placed(end)) for end in load.between]


def _length(moving: Motion, load: Any) -> float:
    first, second = _ends(moving, load)
    return float(np.linalg.norm(second.c[0][0] - first.c[0][0]))


def _along(moving: Motion, load: Any) -> Array:
    first, second = _ends(moving, load)
    return (second.c[0][0] - first.c[0][0]) / _length(moving, load)


def _pulled(moving: Motion, load: Any, pull: float) -> Iterator[tuple[Pose, Array]]:
    first, second = map(moving.tree.placed, load.between)
    yield first, pull * _along(moving, load)
    yield second, -pull * _along(moving, load)
