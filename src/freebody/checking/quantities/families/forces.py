"""Forces and moments: of joints, constraints and contacts, and generalized ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from freebody.checking.quantities.families.family import (
    Family,
    Rows,
    Source,
    column,
    one_of,
    triple,
)
from freebody.checking.quantities.families.momentum import picked
from freebody.errors import DerivationError
from freebody.mechanics.balances import Wrench
from freebody.mechanics.kinematics import moment_arms

PARTS = ("force", "moment")


def _reaction(source: Source, joint: str, part: str) -> Rows:
    return _part(source.balances.transmitted, joint, part)


def _resultant(source: Source, body: str, part: str) -> Rows:
    return _part(source.balances.acting, body, part)


def _part(wrenches: dict[str, Wrench], name: str, part: str) -> Rows:
    wrench = wrenches[one_of(name, wrenches)]
    return triple(getattr(wrench, one_of(part, PARTS)))


def _multiplier(source: Source, constraint: str, label: str = "") -> Rows:
    """Return the force of a constraint, along the axis that it is labelled by."""
    held = {one.name: one for one in source.equations.mechanism.constraints}
    found = held[one_of(constraint, held)]
    labels = [equation.label for equation in found.equations]
    if label not in labels:
        known = ", ".join(".".join(filter(None, (constraint, name))) for name in labels)
        raise DerivationError(f"expected multiplier of {known}")
    return [[source.form(found.multipliers[labels.index(label)])]]


def _law(source: Source, name: str) -> Rows:
    laws = {symbol.func.__name__: symbol for symbol in source.equations.mechanism.laws}
    return [[source.form(laws[one_of(name, laws)])]]


def _moment_arms(source: Source) -> Rows:
    if not source.equations.mechanism.muscles:
        raise DerivationError("the model has no muscles")
    return moment_arms(source.motion)


def _muscle_length(source: Source, name: str) -> Rows:
    muscles = {muscle.name: muscle for muscle in source.equations.mechanism.muscles}
    return [[source.motion.value(muscles[one_of(name, muscles)].length)]]


def _spring_force(source: Source) -> Rows:
    return _pulls(source, source.equations.mechanism.springs, "springs")


def _damper_force(source: Source) -> Rows:
    return _pulls(source, source.equations.mechanism.dampers, "dampers")


def _pulls(source: Source, pulls: Sequence[sympy.Expr], what: str) -> Rows:
    """Return how strongly springs or dampers pull, in the order of the model."""
    if not pulls:
        raise DerivationError(f"the model has no {what}")
    return column(map(source.motion.value, pulls))


def _generalized(source: Source, of: str = "") -> Rows:
    """Return τ - G - E."""
    blocks = source.blocks
    rows = zip(blocks.tau, blocks.G, blocks.E, strict=True)
    return column(picked(source, [tau - g - e for tau, g, e in rows], of))


def _nonconservative(source: Source, of: str = "") -> Rows:
    """Return τ - E without what springs have in E: all but what has a potential energy."""
    return column(picked(source, nonconservative(source), of))


def nonconservative(source: Source) -> list[Any]:
    """Return the generalized forces of all but gravity and springs."""
    blocks = source.blocks
    rows = zip(blocks.tau, blocks.E, blocks.elastic, strict=True)
    return [tau - e + elastic for tau, e, elastic in rows]


FAMILIES = {
    "reaction": Family(_reaction, "reaction.<joint>.force.x", "axes", turns=True),
    "resultant": Family(_resultant, "resultant.<body>.force.x", "axes", turns=True),
    "multiplier": Family(
        _multiplier, "multiplier.<constraint> or multiplier.<constraint>.x", "one"
    ),
    "law": Family(_law, "law.<contact>_normal or law.<contact>_friction", "one"),
    "R": Family(_moment_arms, "R[1,2]"),
    "muscle_length": Family(_muscle_length, "muscle_length.<muscle>", "one"),
    "spring_force": Family(_spring_force, "spring_force[1]"),
    "damper_force": Family(_damper_force, "damper_force[1]"),
    "generalized_force": Family(
        _generalized, "generalized_force.<coordinate> or generalized_force[1]"
    ),
    "nonconservative_force": Family(
        _nonconservative, "nonconservative_force.<coordinate> or nonconservative_force[1]"
    ),
}
"""Families of quantities by the first part of their paths."""
