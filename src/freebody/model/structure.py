"""Whether the parts of a model fit together: names that are one's own, names of parts, the tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches

from freebody.algebra.expressions import RESERVED
from freebody.errors import Problem, nearest
from freebody.model.draft import Draft
from freebody.model.entries import Marked, marked
from freebody.model.joints import Pin, Slider
from freebody.model.marks import GROUND, Refers
from freebody.model.schema import Model

Declared = tuple[str, str, str]
"""Where a name is declared, the name, and what it is the name of."""


def clashes(model: Model) -> Iterator[tuple[str, Problem]]:
    """Iterate over the names of quantities that mean two things, each with its problem."""
    return _clashes(_quantities(model), RESERVED)


def structure(model: Model, draft: Draft) -> Iterator[Problem]:
    """Iterate over what is wrong with the parts of a model; see `review`."""
    if not draft.problems:
        needed = {"coordinates": model.coordinates, "bodies": model.bodies}
        yield from (Problem(name, "expected at least one") for name in needed if not needed[name])
    yield from (problem for _, problem in _clashes(_parts(model), {GROUND}))
    if not draft.nameless:
        for item in marked(model, Refers):
            yield from _reference(item, model, draft.names)
    yield from _tree(model, draft.words)
    yield from _circles(model)


def _quantities(model: Model) -> Iterator[Declared]:
    for name in model.coordinates:
        yield f"coordinates.{name}", name, "a coordinate"
        for derivative, what in (("dot", "speed"), ("ddot", "acceleration")):
            yield f"coordinates.{name}", f"{name}_{derivative}", f"the {what} of '{name}'"
    for name in model.speeds:
        yield f"speeds.{name}", name, "a speed"
        yield f"speeds.{name}", f"{name}_dot", f"the acceleration of '{name}'"
    for name in model.prescribed:
        yield f"prescribed.{name}", name, "a prescribed motion"
        for derivative in ("dot", "ddot"):
            yield f"prescribed.{name}", f"{name}_{derivative}", f"a derivative of '{name}'"
    yield from ((f"inputs.{name}", name, "an input") for name in model.inputs)
    yield from ((f"constants.{name}", name, "a constant") for name in model.constants)


def _parts(model: Model) -> Iterator[Declared]:
    for section, what in (("bodies", "body"), ("joints", "joint")):
        for index, part in enumerate(getattr(model, section)):
            yield f"{section}[{index}].name", part.name, f"a {what}"
    named = ("points", "forces", "torques", "contacts", "constraints")
    for section, what in ((section, section.removesuffix("s")) for section in named):
        for index, part in enumerate(getattr(model, section)):
            if part.name is not None:
                yield f"{section}[{index}].name", part.name, f"a {what}"


def _clashes(
    declared: Iterable[Declared], reserved: Collection[str]
) -> Iterator[tuple[str, Problem]]:
    first = dict.fromkeys(reserved, "a reserved name")
    for where, name, what in declared:
        if name in first:
            yield name, Problem(where, f"'{name}' is also {first[name]}; expected another name")
        first.setdefault(name, what)


def _reference(item: Marked[Refers], model: Model, lost: Collection[str]) -> Iterator[Problem]:
    name, to = item.value, item.mark.to
    if to == "coordinate":
        yield from _dependent(item, model, lost)
        return
    parts = {part.name: part for part in (model.bodies if to == "body" else model.joints)}
    if name in lost or (name == GROUND and item.mark.ground):
        return
    if name == GROUND:
        yield Problem(item.where, f"expected a {to}, found the ground")
    elif name not in parts:
        known = [*parts, *lost, *([GROUND] if item.mark.ground else [])]
        yield Problem(item.where, f"no {to} '{name}'{nearest(name, known)}")
    elif to == "joint" and not isinstance(parts[name], Pin | Slider):
        yield Problem(item.where, f"expected a pin or a slider; '{name}' is neither")


def _dependent(item: Marked[Refers], model: Model, lost: Collection[str]) -> Iterator[Problem]:
    own = model.speeds or [f"{name}_dot" for name in model.coordinates]
    known = [*model.coordinates, *own]
    if item.value not in lost and item.value not in known:
        told = f"no coordinate or speed '{item.value}'{nearest(item.value, known)}"
        yield Problem(item.where, told)


def _tree(model: Model, words: Collection[str]) -> Iterator[Problem]:
    bodies = [body.name for body in model.bodies]
    carried: dict[str, str] = {}
    for index, joint in enumerate(model.joints):
        if joint.child in carried:
            told = f"'{joint.child}' is already the child of joint '{carried[joint.child]}'"
            yield Problem(f"joints[{index}].child", f"{told}; expected one joint for each body")
        carried.setdefault(joint.child, joint.name)
    meant = {match for child in carried for match in get_close_matches(child, bodies, n=1)}
    for index, name in enumerate(bodies):
        if name not in meant and name not in words:
            yield Problem(f"bodies[{index}].name", f"no joint has '{name}' as its child")


def _circles(model: Model) -> Iterator[Problem]:
    parents = {joint.child: joint.parent for joint in model.joints}
    told: set[str] = set()
    for index, joint in enumerate(model.joints):
        path = [joint.child]
        while path[-1] in parents and parents[path[-1]] not in path:
            path.append(parents[path[-1]])
        if parents.get(path[-1]) == joint.child and told.isdisjoint(path):
            told.update(path)
            circle = " -> ".join([*path[::-1], path[-1]])
            yield Problem(f"joints[{index}].parent", f"the bodies carry each other: {circle}")
