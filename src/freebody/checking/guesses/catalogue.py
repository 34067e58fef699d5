"""What a symbol of a page may stand for: the quantities of a model, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product

import sympy

from freebody.algebra.units import dimension
from freebody.checking.guesses.angles import conventions, fixed, turned
from freebody.checking.quantities.derived import Quantities
from freebody.documents.document import Meaning
from freebody.mechanics.notation import python
from freebody.model import Model
from freebody.model.parts import Body

AXES = "xyz"
SIGNS = (("", 0.0), ("-", 0.6))
"""What stands for the other side of a cut costs more."""
MOST_REORDERED = 3
"""Of how many coordinates all orders are tried."""
_UNITS = {"kg": "mass", "m": "length", "kg*m**2": "inertia", "m/s**2": "gravity"}
_ACTIONS = {"N": "force", "N*m": "moment"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A quantity that a symbol may stand for.

    Attributes
    ----------
    meaning : str, number or list
        As a document declares it.
    kind : str
        What it is.
    names : tuple of str
        Names of what it belongs to: a body, a joint; its own.
    numbers : tuple of int
        Its place in the order of the model, or its indices.
    axis : str
        Along which axis it is; empty where that makes no sense.
    cost : float
        How much less likely than the others of its kind.
    is_named : bool
        Whether the model has a name for it.
    words : str
        What it is, in words.
    way : str
        By which convention it is written: the same for all that follow it together.
    """

    meaning: Meaning
    kind: str
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    axis: str = ""
    cost: float = 0.0
    is_named: bool = False
    words: str = field(default="", compare=False)
    way: str = ""


def catalogue(quantities: Quantities) -> list[Entry]:
    """Return what symbols may stand for in equations about a model."""
    model = quantities.mechanism.model
    sources = (
        _named(model), _angles(quantities), _masses(model), _bodies(model), _places(quantities),
        _joints(model), _constraints(quantities), _energies(model), _references(quantities),
        _matrices(quantities), _christoffel(quantities),
    )  # fmt: skip
    return [entry for source in sources for entry in source]


def _named(model: Model) -> Iterator[Entry]:
    """Iterate over what the model has a name for."""
    yield Entry("t", "time", ("t",), is_named=True, words="time")
    yield Entry("pi", "pi", ("pi",), is_named=True)
    seen = Counter[str]()
    for name, coordinate in model.coordinates.items():
        kind = "coordinate" if dimension(coordinate.unit) == dimension("m") else "angle"
        seen[kind] += 1
        own, at, title = (name,), (seen[kind],), coordinate.title
        yield Entry(name, kind, own, at, is_named=True, words=title)
        yield Entry(f"{name}_dot", "speed", own, at, words=f"speed of {title}")
        if not model.speeds:
            yield Entry(f"{name}_ddot", "speed", own, at, cost=0.5)
            yield Entry(f"momentum.{name}", "momentum", own, at)
    for number, (name, speed) in enumerate(model.speeds.items(), 1):
        yield Entry(name, "speed", (name,), (number,), is_named=True, words=speed.title)
    for number, (name, entry) in enumerate(model.inputs.items(), 1):
        kind = _kind(entry.unit, _ACTIONS)
        yield Entry(name, kind, (name,), (number,), is_named=True, words=entry.title)
    for name, constant in model.constants.items():
        kind = _kind(constant.unit, _UNITS)
        yield Entry(name, kind, (name,), is_named=True, words=constant.title)
        if kind == "length":
            yield Entry(f"{name}/2", kind, (name,), cost=1, words=f"half the {constant.title}")


def _kind(unit: str, kinds: dict[str, str]) -> str:
    known = {dimension(text): kind for text, kind in kinds.items()}
    return known.get(dimension(unit), "constant")


def _angles(quantities: Quantities) -> Iterator[Entry]:
    """Iterate over angles by all conventions: of joints and bodies, from either axis."""
    for convention in conventions(quantities):
        cost, way = convention.cost, convention.way
        for number, (angle, name) in enumerate(convention.angles(), 1):
            yield Entry(angle, "angle", (name,), (number,), "", cost, way=way)
        if convention.is_angle[1:]:
            listed: Meaning = list(convention.values)
            yield Entry(listed, "coordinates", cost=cost, way=way)
    for joint, _ in turned(quantities.mechanism):
        yield Entry(f"pi - angle.{joint}", "angle", (joint,), cost=1)


def _masses(model: Model) -> Iterator[Entry]:
    """Iterate over masses, lengths and moments of inertia as the bodies have them."""
    yield Entry(" + ".join(str(body.mass) for body in model.bodies), "total mass", ("total",))
    for number, body in enumerate(model.bodies, 1):
        own, at = (body.name,), (number,)
        yield Entry(str(body.mass), "mass", own, at, words=f"mass of {body.name}")
        yield from _lengths(model, body, number)
        if isinstance(body.inertia, str | int | float):
            yield Entry(str(body.inertia), "inertia", own, at)
            about = _about_joint(body)
            yield Entry(about, "inertia", (body.name, "o"), at, cost=0.8, way="about the joint")
        principal = body.inertia if isinstance(body.inertia, tuple) else ()
        for axis, part in zip(AXES, principal, strict=False):
            yield Entry(str(part), "inertia", own, at, axis, cost=0.2)


def _lengths(model: Model, body: Body, number: int) -> Iterator[Entry]:
    """Iterate over the distances from the joint of a body: to its centre of mass, to its end."""
    own, at = (body.name,), (number,)
    near = [str(part).removeprefix("-") for part in body.center_of_mass if part != 0]
    ends = (joint.at for joint in model.joints if joint.parent == body.name)
    far = [str(part).removeprefix("-") for end in ends for part in end if part != 0]
    for length in near:
        yield Entry(length, "length", (body.name, "c"), at, cost=0.3, way="to the centre of mass")
    for length in far:
        yield Entry(length, "length", own, at, cost=0.3, way="to the end")
    for end, center in product(far, near):
        yield Entry(f"{end} - ({center})", "length", own, at, cost=1, way="from the other end")


def _about_joint(body: Body) -> str:
    squares = " + ".join(f"({part})**2" for part in body.center_of_mass if part != 0)
    mass = body.mass if str(body.mass).isidentifier() else f"({body.mass})"
    return f"{body.inertia} + {mass}*({squares or '0'})"


def _bodies(model: Model) -> Iterator[Entry]:
    """Iterate over how bodies turn, and over what acts on them."""
    for number, body in enumerate(model.bodies, 1):
        own, at = (body.name,), (number,)
        yield Entry(f"angular_velocity.{body.name}", "turning vector", own, at)
        for axis, frame in product(AXES, ("", f".in.{body.name}")):
            cost = 0.3 if frame else 0.0
            turning = f"angular_velocity.{body.name}{frame}.{axis}"
            yield Entry(turning, "turning rate", own, at, axis, cost)
        for axis in AXES:
            turning = f"angular_acceleration.{body.name}.{axis}"
            yield Entry(turning, "turning rate", own, at, axis, cost=0.5)
            yield Entry(f"resultant.{body.name}.force.{axis}", "resultant", own, at, axis)
            yield Entry(f"resultant.{body.name}.moment.{axis}", "resultant moment", own, at, axis)
            spin = f"angular_momentum.{body.name}.{axis}"
            yield Entry(spin, "angular momentum", own, at, axis)


def _places(quantities: Quantities) -> Iterator[Entry]:
    """Iterate over positions, velocities and accelerations of bodies, joints and points."""
    mechanism = quantities.mechanism
    bodies = {body.name: number for number, body in enumerate(mechanism.model.bodies, 1)}
    joints = {joint.name: number for number, joint in enumerate(mechanism.model.joints, 1)}
    system = {} if "system" in mechanism.named else {"system": ("com", "cm", "center", "g")}
    for place in (*mechanism.named, *system):
        numbers = {bodies.get(place, 0), joints.get(place, 0) - 1} - {0, -1}
        own, at = (place, *system.get(place, ())), tuple(numbers)
        cost = 0.0 if place in bodies else 0.4
        for family in ("position", "velocity", "acceleration"):
            vector = f"{family}.{place}"
            yield Entry(vector, f"{family} vector", own, at, cost=cost + 0.1)
            flat: Meaning = [f"{vector}.x", f"{vector}.y"]
            yield Entry(flat, f"{family} vector", own, at, cost=cost, way=f"flat {family}")
            for axis in AXES:
                yield Entry(f"{vector}.{axis}", family, own, at, axis, cost)


def _joints(model: Model) -> Iterator[Entry]:
    """Iterate over what joints transmit, to the child or to the parent."""
    for number, joint in enumerate(model.joints, 1):
        own, at = (joint.name,), (number,)
        yield Entry(f"reaction.{joint.name}.force", "force vector", own, at)
        for axis, (sign, cost) in product(AXES, SIGNS):
            meaning = f"{sign}reaction.{joint.name}"
            yield Entry(f"{meaning}.force.{axis}", "reaction", own, at, axis, cost)
            yield Entry(f"{meaning}.moment.{axis}", "reaction moment", own, at, axis, cost)


def _constraints(quantities: Quantities) -> Iterator[Entry]:
    """Iterate over the forces of constraints."""
    for number, constraint in enumerate(quantities.mechanism.constraints, 1):
        for equation, (sign, cost) in product(constraint.equations, SIGNS):
            label = equation.label
            meaning = f"{sign}multiplier.{constraint.name}" + (f".{label}" if label else "")
            axis, own = label if label in AXES else "", (constraint.name,)
            yield Entry(meaning, "multiplier", own, (number,), axis, cost)


def _energies(model: Model) -> Iterator[Entry]:
    """Iterate over energies, of the whole and of its bodies."""
    for kind in ("kinetic", "potential", "total", "lagrangian"):
        yield Entry(f"energy.{kind}", kind, words=f"{kind} energy")
        for number, body in enumerate(model.bodies, 1):
            yield Entry(f"energy.{kind}.{body.name}", kind, (body.name,), (number,), cost=0.3)


def _references(quantities: Quantities) -> Iterator[Entry]:
    """Iterate over energies that are zero where all angles, counted from some axis, are."""
    potential = quantities.equations.motion.potential_energy()
    for angle in (sympy.S.Zero, sympy.pi / 2, -sympy.pi / 2, sympy.pi):
        given = dict.fromkeys(fixed(quantities), quantities.ring.form(angle))
        form = quantities.at_rest(potential, given)
        if form:
            there = python(quantities.ring.expression(form), quantities.mechanism.names)
            for kind, sign in (("potential", "-"), ("total", "-"), ("lagrangian", "+")):
                yield Entry(f"energy.{kind} {sign} ({there})", kind, cost=0.4, way=f"zero {angle}")


def _matrices(quantities: Quantities) -> Iterator[Entry]:
    """Iterate over the blocks of the equations of motion, and their entries."""
    model, plain = quantities.mechanism.model, quantities.mechanism.names.symbols
    n, held = len(quantities.equations.speeds), len(quantities.mechanism.equations)
    sizes = (("M", n, n), ("J", held, n), ("N", n, n), ("coriolis", n, n))
    for block, rows, columns in sizes:
        yield Entry(_whole(block, plain), block)
        places = product(range(1, rows + 1), range(1, columns + 1))
        yield from (Entry(f"{block}[{i},{j}]", block, numbers=(i, j)) for i, j in places)
    for vector, (sign, cost) in product(("C", "G", "E", "tau"), SIGNS):
        yield Entry(sign + _whole(vector, plain), vector, cost=cost)
        for i in range(1, n + 1):
            yield Entry(f"{sign}{vector}[{i}]", vector, (), (i,), "", cost)
    yield Entry("input_matrix", "input matrix")
    yield from _reordered(list(model.coordinates), n)
    for number, body in enumerate(model.bodies, 1):
        own, entry = (body.name,), f"jacobian.{body.name}[{{}},{{}}]"
        flat: Meaning = [[entry.format(i, j) for j in range(1, n + 1)] for i in (1, 2)]
        yield Entry(flat, "J", own, (number,), cost=0.3)
        yield Entry(f"jacobian.{body.name}", "J", own, (number,), cost=0.3, way="all three axes")
        for i, j in product((1, 2), range(1, n + 1)):
            yield Entry(entry.format(i, j), "J", own, (i, j), cost=0.5)


def _christoffel(quantities: Quantities) -> Iterator[Entry]:
    """Iterate over Christoffel's symbols, with the index of the equation last or first."""
    model, n = quantities.mechanism.model, len(quantities.equations.speeds)
    if model.speeds or quantities.mechanism.equations or n > MOST_REORDERED:
        return
    for i, j, k in product(range(1, n + 1), repeat=3):
        yield Entry(
            f"christoffel[{k},{i},{j}]", "christoffel", numbers=(i, j, k), way="christoffel last"
        )
        meaning = f"christoffel[{i},{j},{k}]"
        yield Entry(meaning, "christoffel", numbers=(i, j, k), cost=0.2, way="christoffel first")


def _reordered(coordinates: list[str], n: int) -> Iterator[Entry]:
    """Iterate over columns and matrices with the coordinates in another order."""
    if n > MOST_REORDERED or len(coordinates) != n:
        return
    for order in list(permutations(range(1, n + 1)))[1:]:
        way = f"order {order}"
        listed: Meaning = [coordinates[i - 1] for i in order]
        yield Entry(listed, "coordinates", cost=0.5, way=way)
        for matrix in ("M", "coriolis"):
            rows: Meaning = [[f"{matrix}[{i},{j}]" for j in order] for i in order]
            yield Entry(rows, matrix, cost=0.5, way=way)
        for vector, (sign, cost) in product(("C", "G", "E", "tau"), SIGNS):
            column: Meaning = [f"{sign}{vector}[{i}]" for i in order]
            yield Entry(column, vector, cost=0.5 + cost, way=way + sign)


def _whole(block: str, plain: dict[str, sympy.Expr]) -> str:
    return f"equations.{block}" if block in plain else block
