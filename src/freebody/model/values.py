"""Whether the numbers in a model are those of what they stand for: signs, ranges, directions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import mpmath

from freebody.errors import ExpressionError, Problem
from freebody.model.impacts import Touch
from freebody.model.marks import CONSTANTS, Entry, Marked, Quantity
from freebody.model.muscles import Surface
from freebody.model.names import Names, evaluated, number
from freebody.model.parts import Constant
from freebody.model.schema import Model


def numbers(model: Model, items: Iterable[Marked[Quantity]]) -> Iterator[Problem]:
    """Iterate over what is wrong with the numbers of a model, of one entry the first.

    Parameters
    ----------
    model : Model
    items : iterable of Marked
        Its quantities that can be worked out.
    """
    constants = {item.where: item.value for item in items if isinstance(item.entry, Constant)}
    values, wrong = evaluated(
        {name: constants.get(f"constants.{name}.value") for name in model.constants}
    )
    yield from (Problem(f"constants.{name}.value", message) for name, message in wrong.items())
    wrong_entries: list[Entry] = []
    for item in items:
        followed = any(item.entry is entry for entry in wrong_entries)
        if item.mark.uses == CONSTANTS and not isinstance(item.entry, Constant) and not followed:
            problem = _value(item, values)
            if problem is not None:
                wrong_entries.append(item.entry)
                yield problem
    yield from _directions(model)
    yield from _ranges(model, values)
    yield from _inertias(model, values)
    yield from _restitutions(model, values)


def _inertias(model: Model, values: Mapping[str, float]) -> Iterator[Problem]:
    """Tell of inertia that no body has: its principal moments are those of no matter."""
    for index, body in enumerate(model.bodies):
        if not isinstance(body.inertia, tuple):
            continue
        parts = [
            _known(part, values) for part in (*body.inertia, *(body.products_of_inertia or ()))
        ]
        if None in parts:
            continue
        xx, yy, zz, xy, yz, zx = [*parts, 0, 0, 0][:6]
        tensor = mpmath.matrix([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
        moments = [float(moment) for moment in mpmath.eigsy(tensor, eigvals_only=True)]
        least = 0 if body.unphysical else moments[2] - moments[1]
        if moments[0] < least - 1e-9 * moments[2]:
            principal = ", ".join(f"{moment:.4g}" for moment in moments)
            message = f"no body has the principal moments {principal}: none exceeds the others' sum"
            if sum(map(bool, moments)) == 1:
                message += "; of motion in a plane one number will do, that about its normal"
            yield Problem(f"bodies[{index}].inertia", message)


def _restitutions(model: Model, values: Mapping[str, float]) -> Iterator[Problem]:
    """Tell of impacts that would make energy."""
    for index, impact in enumerate(model.impacts):
        found = _known(impact.restitution, values)
        if found is not None and found > 1:
            message = f"expected a value from 0 to 1, found {found:g}"
            yield Problem(f"impacts[{index}].restitution", message)


def driving(model: Model) -> Iterator[Problem]:
    """Return the springs and dampers that push away from rest, and drive what they should slow."""
    values = Names(model).values()
    for index, spring in enumerate(model.springs):
        stiffness = _known(spring.stiffness, values)
        if stiffness is not None and stiffness < 0:
            message = f"{stiffness:g} is negative: the spring pushes away from where it is slack"
            yield Problem(f"springs[{index}].stiffness", message)
    for index, damper in enumerate(model.dampers):
        damping = _known(damper.damping, values)
        if damping is not None and damping < 0:
            message = f"{damping:g} is negative: the damper feeds the motion that it should slow"
            yield Problem(f"dampers[{index}].damping", message)


def _known(value: Any, values: Mapping[str, float]) -> float | None:
    try:
        return number(value, values)
    except ExpressionError:
        return None


def _value(item: Marked[Quantity], values: Mapping[str, float]) -> Problem | None:
    try:
        value = number(item.value, values)
    except ExpressionError as error:
        return Problem(item.where, str(error))
    below = 0 if item.mark.sign == "not negative" else math.ulp(0)
    as_such = item.mark.sign == "positive, or 0 as such" and item.value == 0
    if item.mark.sign == "any" or value is None or value >= below or as_such:
        return None
    sign = item.mark.sign.partition(",")[0]
    return Problem(item.where, f"expected a value that is {sign}, found {value:g}")


def _directions(model: Model) -> Iterator[Problem]:
    directions = {
        **{f"joints[{n}].axis": getattr(j, "axis", None) for n, j in enumerate(model.joints)},
        **{
            f"joints[{n}].motion[{k}].{'along' if move.about is None else 'about'}": move.axis
            for n, joint in enumerate(model.joints)
            for k, move in enumerate(getattr(joint, "motion", ()))
        },
        **{f"contacts[{n}].normal": contact.normal for n, contact in enumerate(model.contacts)},
        **{
            f"impacts[{n}].normal": impact.normal
            for n, impact in enumerate(model.impacts)
            if isinstance(impact, Touch)
        },
        **{
            f"muscles[{n}].path[{place}].axis": part.axis
            for n, muscle in enumerate(model.muscles)
            for place, part in enumerate(muscle.path or ())
            if isinstance(part, Surface) and part.axis is not None
        },
    }
    for where, direction in directions.items():
        if direction is not None and not any(direction):
            yield Problem(where, "expected a direction, found the zero vector")


def _ranges(model: Model, values: Mapping[str, float]) -> Iterator[Problem]:
    for index, stop in enumerate(model.stops):
        if stop.lower is None or stop.upper is None:
            continue
        try:
            lower, upper = number(stop.lower, values), number(stop.upper, values)
        except ExpressionError:  # told of the value itself
            continue
        if lower is not None and upper is not None and lower >= upper:
            message = f"expected a value above the lower end {lower:g}, found {upper:g}"
            yield Problem(f"stops[{index}].upper", message)
