"""Whether the parts of a model fit together: names that are one's own, names of parts, the tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from freebody.algebra.expressions import RESERVED, references
from freebody.errors import ExpressionError, Problem, nearest
from freebody.model.draft import Draft
from freebody.model.impacts import Catch, Touch
from freebody.model.joints import Custom, Free, JointBase, Pin, Planar, Slider, Universal, Weld
from freebody.model.loads import Coincident, ConstraintBase, Parallel, Rolling, Wheel
from freebody.model.marks import GROUND, Marked, Refers, Scalar, marked
from freebody.model.muscles import BEND, Muscle, Surface, Via
from freebody.model.schema import Model


def muscle_forces(model: Model) -> Iterator[tuple[str, str, str]]:
    """Iterate over the names of forces of surfaces: where they are declared, name, what it is."""
    for number, muscle in enumerate(model.muscles):
        for index, part in enumerate(muscle.path or ()):
            if isinstance(part, Surface):
                where = f"muscles[{number}].path[{index}]"
                for law in BEND:
                    yield where, f"{muscle.name}_{index}_{law}", f"a force of {where}"
            elif isinstance(part, Via) and part.during is not None:
                where = f"muscles[{number}].path[{index}].during"
                yield where, f"{muscle.name}_{index}_there", f"the presence of {where}"


def muscles(model: Model) -> Iterator[Problem]:
    """Iterate over what is wrong with muscles: see `review`."""
    first: dict[str, str] = {}
    for index, muscle in enumerate(model.muscles):
        where = f"muscles[{index}]"
        bodies = set(_bodies(model, muscle))
        if len(bodies) == 1:
            message = f"expected points of two bodies, found only '{bodies.pop()}'"
            yield Problem(f"{where}.path", message)
        if muscle.length is not None and not _moves(model, muscle.length):
            yield Problem(f"{where}.length", "expected a length that depends on a coordinate")
        if muscle.tension in first:
            message = (
                f"'{muscle.tension}' is already the tension of muscle '{first[muscle.tension]}'"
            )
            yield Problem(f"{where}.tension", message)
        first.setdefault(muscle.tension, muscle.name)


def _bodies(model: Model, muscle: Muscle) -> Iterator[str]:
    """Iterate over the bodies that a path leads along; a point that is misspelt is one of them."""
    points = {point.name: point.on for point in model.points}
    for part in muscle.path or ():
        if isinstance(part, str):
            yield points.get(part, part)
        else:
            yield part.around if isinstance(part, Surface) else part.on


def _moves(model: Model, length: Scalar) -> bool:
    try:
        used = {str(reference) for reference in references(length)}
    except ExpressionError:  # told of the length itself
        return True
    known = {*model.coordinates, *model.constants}
    return not used.isdisjoint(model.coordinates) or not used <= known


# ------------------------------------------------------------------ structure

Declared = tuple[str, str, str]
"""Where a name is declared, the name, and what it is the name of."""


def clashes(model: Model) -> Iterator[tuple[str, Problem]]:
    """Iterate over the names of quantities that mean two things, each with its problem."""
    return _clashes([*_forces(model), *_quantities(model)], RESERVED)


def structure(model: Model, draft: Draft) -> Iterator[Problem]:
    """Iterate over what is wrong with the parts of a model; see `review`."""
    if not draft.problems:
        needed = {"coordinates": model.coordinates, "bodies": model.bodies}
        yield from (Problem(name, "expected at least one") for name in needed if not needed[name])
        yield from _as_many_speeds(model)
    yield from _same_names([*_parts(model)])
    if not draft.nameless:
        for item in marked(model, Refers):
            yield from _reference(item, model, draft.names)
        yield from _turning(model, draft.names)
        yield from _constraint_problems(model)
        yield from muscles(model)
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
    yield from ((f"functions.{name}", name, "a function") for name in model.functions)


def _forces(model: Model) -> Iterator[Declared]:
    """Iterate over the names that the equations give to forces."""
    laws = {
        "stop": list(range(len(model.stops))),
        "friction": [n for n, part in enumerate(model.friction) if part.coulomb != 0],
        "spring": [n for n, s in enumerate(model.springs) if s.law is not None or s.one_sided],
        "damper": [n for n, part in enumerate(model.dampers) if part.law is not None],
    }
    for what, numbers in laws.items():
        for number in numbers:
            section = what if what == "friction" else f"{what}s"
            name = getattr(model, section)[number].name or f"{what}_{number}"
            yield f"{section}[{number}]", name, f"the force of {section}[{number}]"
    yield from muscle_forces(model)
    yield from _named_forces(model)


def _named_forces(model: Model) -> Iterator[Declared]:
    """Iterate over the forces of contacts and constraints, those of each name once."""
    contacts = {part.name: (f"contacts[{n}].name", part) for n, part in enumerate(model.contacts)}
    for name, (where, contact) in contacts.items():
        for force in ("normal", "friction") if contact.friction != 0 else ("normal",):
            yield where, f"{name}_{force}", f"the {force} force of contact '{name}'"
    held = {part.name: (f"constraints[{n}].name", part) for n, part in enumerate(model.constraints)}
    for name, (where, impact) in {
        part.name: (f"impacts[{n}].name", part) for n, part in enumerate(model.impacts)
    }.items():
        for label in dict.fromkeys(impact.labels):
            impulse = f"{name}_{label}" if label else name
            yield where, impulse, f"the impulse of impact '{name}'"
    for name, (where, constraint) in held.items():
        alone = isinstance(constraint, Rolling) and len(constraint.axes) == 1
        for label in dict.fromkeys(("",) if alone else constraint.labels):
            force = f"{name}_{label}" if label else name
            yield where, force, f"the force of constraint '{name}'"


def _parts(model: Model) -> Iterator[Declared]:
    for section, what in (("bodies", "body"), ("joints", "joint")):
        for index, part in enumerate(getattr(model, section)):
            yield f"{section}[{index}].name", part.name, f"a {what}"
    loads = ("forces", "torques", "springs", "dampers", "stops", "friction", "contacts")
    named = ("points", *loads, "muscles", "constraints", "impacts")
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


def _same_names(parts: list[Declared]) -> Iterator[Problem]:
    """Tell of parts of one name, since what is asked of one, as by ``position``, asks for both."""
    first = {GROUND: ("", "a reserved name")}
    taken = {GROUND, *(name for _, name, _ in parts)}
    for where, name, what in parts:
        if name in first:
            other, before = first[name]
            also = f"{before} ({other.removesuffix('.name')})" if other else before
            message = f"'{name}' is also {also}, and position.{name} means one part"
            ends = [] if what == before else [what.partition(" ")[2]]
            words = (f"{name}_{end}" for end in (*ends, *range(2, len(parts) + 3)))
            free = next(word for word in words if word not in taken)
            yield Problem(where, f"{message}; expected another name, such as '{free}'")
        first.setdefault(name, (where, what))


def _reference(item: Marked[Refers], model: Model, lost: Collection[str]) -> Iterator[Problem]:
    name, to = item.value, item.mark.to
    if to == "coordinate":
        yield from _dependent(item, model, lost)
        return
    sections = {"body": model.bodies, "joint": model.joints, "point": model.points}
    parts: dict[str, Any] = {part.name: part for part in sections[to]}
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
    known = [*model.coordinates, *_speeds(model)]
    if item.value not in lost and item.value not in known:
        message = f"no coordinate or speed '{item.value}'{nearest(item.value, known)}"
        yield Problem(item.where, message)


def _tree(model: Model, words: Collection[str]) -> Iterator[Problem]:
    bodies = [body.name for body in model.bodies]
    carried: dict[str, str] = {}
    for index, joint in enumerate(model.joints):
        if joint.child in carried:
            message = f"'{joint.child}' is already the child of joint '{carried[joint.child]}'"
            yield Problem(f"joints[{index}].child", f"{message}; expected one joint for each body")
        carried.setdefault(joint.child, joint.name)
    meant = {match for child in carried for match in get_close_matches(child, bodies, n=1)}
    for index, name in enumerate(bodies):
        if name not in meant and name not in words:
            yield Problem(f"bodies[{index}].name", f"no joint has '{name}' as its child")


def _circles(model: Model) -> Iterator[Problem]:
    parents = {joint.child: joint.parent for joint in model.joints}
    message: set[str] = set()
    for index, joint in enumerate(model.joints):
        path = [joint.child]
        while path[-1] in parents and parents[path[-1]] not in path:
            path.append(parents[path[-1]])
        if parents.get(path[-1]) == joint.child and message.isdisjoint(path):
            message.update(path)
            circle = " -> ".join([*path[::-1], path[-1]])
            yield Problem(f"joints[{index}].parent", f"the bodies carry each other: {circle}")


# ---------------------------------------------------------------------- speeds


def _as_many_speeds(model: Model) -> Iterator[Problem]:
    if model.speeds and len(model.speeds) != len(model.coordinates):
        message = f"expected {len(model.coordinates)}, one for each coordinate"
        yield Problem("speeds", f"{message}, found {len(model.speeds)}")


def _turning(model: Model, lost: Collection[str]) -> Iterator[Problem]:
    """Tell of speeds that are said to be the angular velocity of what never turns."""
    joints: dict[str | None, JointBase] = {joint.child: joint for joint in model.joints}
    for name, speed in model.speeds.items():
        body, passed = speed.angular_velocity_of, set[str | None]()
        while body in joints and body not in passed and _keeps_direction(joints[body]):
            passed.add(body)
            body = joints[body].parent
        if body == GROUND and passed.isdisjoint(lost):
            message = f"expected a body that turns, found '{speed.angular_velocity_of}'"
            yield Problem(f"speeds.{name}.angular_velocity_of", message)


def _keeps_direction(joint: JointBase) -> bool:
    if isinstance(joint, Custom):
        return all(move.about is None for move in joint.motion)
    return isinstance(joint, Slider | Weld) or (
        isinstance(joint, Planar | Free) and joint.rotation == 0
    )


# ---------------------------------------------------------------------- constraints


def _constraint_problems(model: Model) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for index, constraint in enumerate(model.constraints):
        where = f"constraints[{index}]"
        yield from _apart(where, constraint)
        yield from _axes(f"{where}.axes", constraint.labels)
        yield from _decided(where, constraint, model)
        for number, name in enumerate(constraint.dependent):
            if name in first:
                message = f"'{name}' is already decided by constraint '{first[name]}'"
                yield Problem(f"{where}.dependent[{number}]", message)
            first.setdefault(name, constraint.name)
    yield from _impact_problems(model)
    yield from _idle(model)
    for index, joint in enumerate(model.joints):
        if isinstance(joint, Universal):
            yield from _axes(f"joints[{index}].axes", joint.axes)


def _apart(where: str, constraint: ConstraintBase) -> Iterator[Problem]:
    """Tell of a constraint between a body and itself."""
    match constraint:
        case Coincident(between=(one, other)) if one.on == other.on:
            yield Problem(f"{where}.between", f"expected two bodies, found '{one.on}' twice")
        case Parallel() if constraint.on == constraint.to != GROUND:
            yield Problem(f"{where}.to", f"expected another body than '{constraint.on}' itself")
        case Rolling() if constraint.on == constraint.surface != GROUND:
            message = f"expected another body than '{constraint.on}' itself"
            yield Problem(f"{where}.surface", message)
        case Wheel() if len(constraint.axes) > 2:
            message = "expected at most two axes, since the wheel touches besides"
            yield Problem(f"{where}.axes", message)


def _impact_problems(model: Model) -> Iterator[Problem]:
    """Tell of impacts between a body and itself, and of axes that are not in the plane."""
    for index, impact in enumerate(model.impacts):
        where = f"impacts[{index}]"
        if impact.labels != ("",):
            rough = isinstance(impact, Touch)
            axes = impact.labels[1:] if rough else impact.labels
            if axes or not rough:
                yield from _axes(f"{where}.{'rough' if rough else 'axes'}", axes)
        match impact:
            case Catch(between=(one, other)) if one.on == other.on:
                yield Problem(f"{where}.between", f"expected two bodies, found '{one.on}' twice")
            case Touch():
                for axis in impact.rough:
                    if impact.normal["xyz".index(axis)] != 0:
                        message = f"expected an axis in the plane, found '{axis}'"
                        yield Problem(f"{where}.rough", message)


def _idle(model: Model) -> Iterator[Problem]:
    """Tell of loads between a body and itself, which do nothing."""
    for section in ("springs", "dampers"):
        for index, acting in enumerate(getattr(model, section)):
            if acting.between is not None and acting.between[0].on == acting.between[1].on:
                message = f"expected two bodies, found '{acting.between[0].on}' twice"
                yield Problem(f"{section}[{index}].between", message)
    for index, torque in enumerate(model.torques):
        if torque.reaction_on == torque.on:
            message = f"expected another body than '{torque.on}' itself"
            yield Problem(f"torques[{index}].reaction_on", message)


def _axes(where: str, axes: tuple[str, ...]) -> Iterator[Problem]:
    if not axes:
        yield Problem(where, "expected at least one of x, y and z, found none")
    for axis in dict.fromkeys(axis for axis in axes if axes.count(axis) > 1):
        yield Problem(where, f"expected each axis once, found '{axis}' {axes.count(axis)} times")


def _decided(where: str, constraint: ConstraintBase, model: Model) -> Iterator[Problem]:
    """Tell of too many or too few that a constraint decides, and of the wrong kind."""
    needed, decided = len(constraint.labels), len(constraint.dependent)
    kept = model.redundant == "keep"
    wrong = decided > needed or (decided < needed and not kept)
    if wrong and not list(_axes(where, constraint.labels)):
        expected = f"at most {needed}" if kept else f"{needed}"
        hint = "" if decided > needed else "; redundant = 'keep' where some follow from others"
        message = f"expected {expected}, one for each equation, found {decided}{hint}"
        yield Problem(f"{where}.dependent", message)
    for number, (name, of_speeds) in enumerate(
        zip(constraint.dependent, constraint.of_speeds, strict=False)
    ):
        what, known, others = "a coordinate", list(model.coordinates), _speeds(model)
        if of_speeds:
            what, known, others = "a speed", others, known
        if name in others:
            meant = f"{name}_dot" if of_speeds else name.removesuffix("_dot")
            message = f"expected {what}, found '{name}'{nearest(meant, known)}"
            yield Problem(f"{where}.dependent[{number}]", message)


def _speeds(model: Model) -> list[str]:
    return list(model.speeds) or [f"{name}_dot" for name in model.coordinates]
