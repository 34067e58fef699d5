"""The joints of a model as steps of one turn and one shift each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from freebody.algebra import Ring
from freebody.mechanics.parts import Components, JointFrame
from freebody.model.joints import (
    Custom,
    Cylindrical,
    Free,
    JointBase,
    Move,
    Pin,
    Planar,
    Slider,
    Spherical,
    Universal,
)
from freebody.model.parts import Orientation
from freebody.model.schema import Model

Read = Callable[[Any], sympy.Expr]
NOWHERE: Components = (sympy.S.Zero,) * 3
UNIT: dict[str, Components] = {
    axis: (sympy.Integer(axis == "x"), sympy.Integer(axis == "y"), sympy.Integer(axis == "z"))
    for axis in "xyz"
}


@dataclass(frozen=True)
class _Turn:
    axis: Components
    angle: sympy.Expr


@dataclass(frozen=True)
class _Move:
    """A shift, then a turn; the axis is that of an actuated shift."""

    shift: Components
    turn: _Turn | None = None
    axis: Components | None = None


def outward(model: Model) -> Iterator[Any]:
    """Iterate over the joints, a body's own before those that it is the parent of."""
    reached, waiting = {"ground"}, list(model.joints)
    while waiting:
        joint = next(joint for joint in waiting if joint.parent in reached)
        waiting.remove(joint)
        reached.add(joint.child)
        yield joint


def frames_of_joint(joint: Any, read: Read) -> Iterator[tuple[str, JointFrame]]:
    """Iterate over the steps of a joint, each with its name.

    Parameters
    ----------
    joint : Joint
        Of the model.
    read : callable
        Reads an expression of the model.

    Yields
    ------
    name : str
    frame : JointFrame
    """
    moves = _custom(joint, read) if isinstance(joint, Custom) else _moves(*_freedom(joint, read))
    whole = JointFrame(
        joint.parent,
        joint.child,
        components(joint.at, read),
        components(joint.child_at, read),
        _orientation(joint.orientation, read),
        _orientation(joint.child_orientation, read),
    )
    whole = replace(whole, **_single(joint, read))
    *inner, last = moves
    for number, move in enumerate(inner, start=1):
        frame = f"{joint.name}.{number}"
        yield (
            frame,
            _moved(replace(whole, child=frame, child_at=NOWHERE, child_orientation=None), move),
        )
        whole = replace(whole, parent=frame, at=NOWHERE, orientation=None)
    yield joint.name, _moved(whole, last)


def actuated_frames(joint: Custom) -> Iterator[tuple[str, Any]]:
    """Iterate over the actuators of a joint, each with the frame that it moves."""
    groups = list(_grouped(joint))
    for number, group in enumerate(groups, start=1):
        frame = joint.name if number == len(groups) else f"{joint.name}.{number}"
        yield from ((frame, move.effort) for move in group if move.effort is not None)


def components(parts: Iterable[Any], read: Read) -> Components:
    """Read the three components of a vector."""
    x, y, z = map(read, parts)
    return x, y, z


def _moved(step: JointFrame, move: _Move) -> JointFrame:
    step = replace(step, shift=move.shift)
    if move.turn is None:
        return step if move.axis is None else replace(step, axis=move.axis)
    return replace(step, axis=move.turn.axis, angle=move.turn.angle, turns=True)


def _single(joint: JointBase, read: Read) -> dict[str, Any]:
    """Return what a joint of one freedom says of its motion."""
    if isinstance(joint, Pin):
        return {"motion": read(joint.angle)}
    if isinstance(joint, Slider):
        return {"motion": read(joint.displacement), "axis": axis_of(joint.axis, read)}
    return {}


def _moves(shift: Components, turns: list[_Turn]) -> list[_Move]:
    if not turns:
        return [_Move(shift)]
    return [_Move(shift, turns[0]), *(_Move(NOWHERE, turn) for turn in turns[1:])]


def _grouped(joint: Custom) -> Iterator[list[Move]]:
    """Iterate over shifts with the turn after them; a shift with an actuator has its own frame."""
    group: list[Move] = []
    for move in joint.motion:
        if group and move.force is not None:
            yield group
            group = []
        group.append(move)
        if move.about is not None or move.force is not None:
            yield group
            group = []
    if group:
        yield group


def _custom(joint: Custom, read: Read) -> list[_Move]:
    return [_of_group(group, read) for group in _grouped(joint)]


def _of_group(group: list[Move], read: Read) -> _Move:
    shifts, axis = [NOWHERE], axis_of(group[-1].axis, read)
    shifts += [_times(axis_of(m.along, read), read(m.by)) for m in group if m.along is not None]
    x, y, z = (sympy.Add(*parts) for parts in zip(*shifts, strict=True))
    last = group[-1]
    if last.about is not None:
        return _Move((x, y, z), _Turn(axis, read(last.by)))
    return _Move((x, y, z), axis=None if last.force is None else axis)


def _freedom(joint: Any, read: Read) -> tuple[Components, list[_Turn]]:
    """Return how far a joint shifts its child, and about what it turns it one after another."""
    match joint:
        case Pin():
            return NOWHERE, [_Turn(axis_of(joint.axis, read), read(joint.angle))]
        case Slider():
            return _times(axis_of(joint.axis, read), read(joint.displacement)), []
        case Cylindrical():
            axis = axis_of(joint.axis, read)
            turn = _Turn(axis, read(joint.angle))
            return _times(axis, read(joint.displacement)), [turn]
        case Planar():
            shift = components((*joint.translation, 0), read)
            return shift, [_Turn(UNIT["z"], read(joint.rotation))]
        case Universal():
            return NOWHERE, _sequence(joint.axes, joint.angles, read)
        case Spherical():
            return NOWHERE, _sequence(joint.sequence, joint.angles, read)
        case Free():
            return components(joint.translation, read), _free_turns(joint, read)
    return NOWHERE, []


def _free_turns(joint: Free, read: Read) -> list[_Turn]:
    if isinstance(joint.rotation, tuple):
        return _sequence(joint.sequence, joint.rotation, read)
    return [_Turn(UNIT["z"], read(joint.rotation))]


def _sequence(axes: Iterable[str], angles: Iterable[Any], read: Read) -> list[_Turn]:
    return [_Turn(UNIT[axis], read(angle)) for axis, angle in zip(axes, angles, strict=True)]


def axis_of(parts: Iterable[Any], read: Read) -> Components:
    """Return an axis with unit length."""
    axis = components(parts, read)
    ring = Ring()
    length = ring.expression(ring.form(sympy.sqrt(sum(part**2 for part in axis))))
    return _times(axis, 1 / length)


def _times(axis: Components, factor: sympy.Expr) -> Components:
    x, y, z = (part * factor for part in axis)
    return x, y, z


def _orientation(given: Orientation | None, read: Read) -> sympy.ImmutableMatrix | None:
    """Return the matrix of a fixed orientation, with the axes of the turned frame as columns."""
    if given is None:
        return None
    matrix = sympy.eye(3)
    for axis, angle in zip(given.sequence, given.angles, strict=True):
        matrix = matrix * _rotation(axis, read(angle))
    return sympy.ImmutableMatrix(matrix)


def _rotation(axis: str, angle: sympy.Expr) -> sympy.Matrix:
    """Return the matrix of a turn about a coordinate axis."""
    c, s = sympy.cos(angle), sympy.sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = sympy.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[j, i], matrix[i, j] = s, -s
    return matrix
