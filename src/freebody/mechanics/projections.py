"""Generalized forces: what loads do along the speeds, in any arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.parts import Kind, Load
from freebody.mechanics.vectors import Triple


def generalized(motion: Kinematics, kind: Kind) -> list[Any]:
    """Return the generalized forces of the loads of a kind, one for each speed."""
    return projected(motion, (load for load in motion.mechanism.loads if load.kind == kind))


def projected(motion: Kinematics, loads: Iterable[Load]) -> list[Any]:
    """Return the generalized forces of loads, one for each speed."""
    totals = [motion.zero] * len(motion.mechanism.speeds)
    for load in loads:
        exerted = motion.vector(load.components, load.frame)
        for number, speed in enumerate(motion.mechanism.speeds):
            totals[number] = totals[number] + exerted.dot(partial_of(motion, load, speed))
    return totals


def moment_arms(motion: Kinematics) -> list[list[Any]]:
    """Return the matrix R of the generalized forces R F of the muscles' tensions, n x muscles."""
    columns = [projected(motion, muscle.loads) for muscle in motion.mechanism.muscles]
    return [[column[row] for column in columns] for row in range(len(motion.mechanism.speeds))]


def partial_of(motion: Kinematics, load: Load, speed: sympy.Expr) -> Triple:
    """Return the partial velocity that a load acts along."""
    if load.place is None:
        return motion.partial(load.on, speed).omega
    return motion.partial_velocity(load.place, speed)
