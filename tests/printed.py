"""Printed equations worked out in plain numbers, by a route that shares no algebra with a check.

A quantity is a number with its derivatives in time. What a symbol stands for is found by recursive
Newton-Euler equations of a planar chain of pins, written out here; partial derivatives are taken
with a complex step.
"""

from __future__ import annotations

import ast
import cmath
import math
import operator
import random
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from freebody.documents import Document
from freebody.documents.latex import tree
from freebody.documents.latex.relations import Relation

STEP = 1e-30
TOLERANCE = 1e-9
ORDERS = 3

Vector = tuple["Jet", "Jet"]


class Jet:
    """A function of time by its value and as many derivatives as are known."""

    def __init__(self, *parts: complex) -> None:
        self.parts = parts

    @classmethod
    def of(cls, value: Any) -> Jet:
        return value if isinstance(value, Jet) else cls(value, *[0] * (ORDERS - 1))

    @property
    def rate(self) -> Jet:
        if len(self.parts) < 2:
            raise ValueError("a derivative that is not known")
        return Jet(*self.parts[1:])

    @property
    def partial(self) -> Jet:
        return Jet(*(complex(part).imag / STEP for part in self.parts))

    def __neg__(self) -> Jet:
        return Jet(*(-part for part in self.parts))

    def __add__(self, other: Any) -> Jet:
        both = zip(self.parts, Jet.of(other).parts, strict=False)
        return Jet(*(left + right for left, right in both))

    def __sub__(self, other: Any) -> Jet:
        return self + -Jet.of(other)

    def __mul__(self, other: Any) -> Jet:
        left, right = self.parts, Jet.of(other).parts
        return Jet(
            *(
                sum(math.comb(n, k) * left[k] * right[n - k] for k in range(n + 1))
                for n in range(min(len(left), len(right)))
            )
        )

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Jet:
        return self * Jet.of(other) ** -1

    def __pow__(self, power: Any) -> Jet:
        n, x = Jet.of(power).parts[0], self.parts[0]
        if n == 1:
            return self
        if n in (2, 3, 4):
            return self * self ** (n - 1)
        return self._through(x**n, n * x ** (n - 1), n * (n - 1) * x ** (n - 2))

    def sin(self) -> Jet:
        sine, cosine = cmath.sin(self.parts[0]), cmath.cos(self.parts[0])
        return self._through(sine, cosine, -sine)

    def cos(self) -> Jet:
        sine, cosine = cmath.sin(self.parts[0]), cmath.cos(self.parts[0])
        return self._through(cosine, -sine, -cosine)

    def _through(self, value: complex, slope: complex, bend: complex) -> Jet:
        """Return a function of this one, by the chain rule."""
        _, once, twice = (*self.parts, 0, 0)[:3]
        parts = (value, slope * once, slope * twice + bend * once**2)
        return Jet(*parts[: len(self.parts)])


def cross(a: Vector, b: Vector) -> Jet:
    return a[0] * b[1] - a[1] * b[0]


def plus(*vectors: Vector) -> Vector:
    zero = Jet.of(0)
    return sum((v[0] for v in vectors), zero), sum((v[1] for v in vectors), zero)


def minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1]


class Chain:
    """A planar chain of pins from its model file, at given constants, motion and forces."""

    def __init__(self, data: Mapping[str, Any], names: Mapping[str, Jet], weight: float) -> None:
        self.data = data
        self.names = names
        self.weight = weight
        self.angles: dict[str, Jet] = {"ground": Jet.of(0)}
        self.places: dict[str, Vector] = {}
        self._origins: dict[str, Vector] = {"ground": (Jet.of(0), Jet.of(0))}
        self._move()

    def read(self, text: Any) -> Jet:
        return Jet.of(evaluated(str(text), self.names.__getitem__))

    def _move(self) -> None:
        for joint in self.data["joints"]:
            child, parent = joint["child"], joint["parent"]
            self._origins[child] = self.fixed(parent, joint.get("at", [0, 0]))
            self.angles[child] = self.angles[parent] + self.read(joint["angle"])
            self.places[joint["name"]] = self._origins[child]
        for body in self.data["bodies"]:
            self.places[body["name"]] = self.fixed(body["name"], body["center_of_mass"])
        for force in self.data.get("forces", []):
            self.places[force["name"]] = self.fixed(force["on"], force["at"])

    def fixed(self, body: str, at: Iterable[Any]) -> Vector:
        """Return where a point that is fixed in a body is."""
        x, y, *_ = map(self.read, at)
        sine, cosine = self.angles[body].sin(), self.angles[body].cos()
        return plus(self._origins[body], (x * cosine - y * sine, x * sine + y * cosine))

    def forces(self, body: str) -> list[tuple[Vector, Vector]]:
        """Return weight and applied forces on a body, each with where it acts."""
        mass = next(self.read(b["mass"]) for b in self.data["bodies"] if b["name"] == body)
        weight = (Jet.of(0), mass * -self.weight)
        applied = [
            ((self.read(force["vector"][0]), self.read(force["vector"][1])), force["name"])
            for force in self.data.get("forces", [])
            if force["on"] == body
        ]
        return [(vector, self.places[place]) for vector, place in [(weight, body), *applied]]

    @cached_property
    def changes(self) -> dict[str, tuple[Vector, Jet]]:
        """The rates of momentum and of angular momentum about the centre of mass, by body."""
        found = {}
        for body in self.data["bodies"]:
            x, y = self.places[body["name"]]
            mass, inertia = self.read(body["mass"]), self.read(body["inertia"])
            force = (mass * x.rate.rate, mass * y.rate.rate)
            found[body["name"]] = (force, inertia * self.angles[body["name"]].rate.rate)
        return found

    @cached_property
    def transmitted(self) -> dict[str, tuple[Vector, Jet]]:
        """The force and the torque of each joint, from the last one on."""
        found: dict[str, tuple[Vector, Jet]] = {}
        for joint in reversed(self.data["joints"]):
            body, name = joint["child"], joint["name"]
            force, torque = self.changes[body]
            center = self.places[body]
            for vector, place in self.forces(body):
                force = minus(force, vector)
                torque = torque - cross(minus(place, center), vector)
            for other in self.data["joints"]:
                if other["parent"] == body:
                    passed, turned = found[other["name"]]
                    force = plus(force, passed)
                    arm = minus(self.places[other["name"]], center)
                    torque = torque + turned + cross(arm, passed)
            torque = torque - cross(minus(self.places[name], center), force)
            found[name] = (force, torque)
        return found


class State:
    """A model at a random motion, with everything that a document may name.

    Parameters
    ----------
    data : mapping
        The model file.
    seed : int
        Of the random numbers.
    along : str, optional
        The coordinate that a complex step is taken along.
    """

    def __init__(self, data: Mapping[str, Any], seed: int, along: str = "") -> None:
        chance = random.Random(seed)  # noqa: S311 - the same numbers at every run
        self.data = data
        self.seed = seed
        self.along = along
        self.coordinates = list(data["coordinates"])
        self.free = {name: Jet.of(chance.uniform(0.5, 1.5)) for name in data["constants"]}
        self.free |= {name: Jet(chance.uniform(-2, 2)) for name in data["inputs"]}
        self.motion: dict[str, tuple[float, ...]] = {
            name: tuple(chance.uniform(-1.5, 1.5) for _ in range(ORDERS))
            for name in self.coordinates
        }
        self._known: dict[str, Any] = {}

    @cached_property
    def names(self) -> dict[str, Jet]:
        chain = self.chain()
        torques = {
            joint["torque"]: chain.transmitted[joint["name"]][1] for joint in self.data["joints"]
        }
        return {**self._moving(self.motion), **self.free, **torques, "pi": Jet.of(math.pi)}

    def chain(self, *, weight: bool = True, **motion: tuple[float, ...]) -> Chain:
        """Return the chain, at the given motion of some coordinates."""
        g = self.free["g"].parts[0].real if weight else 0.0
        return Chain(self.data, {**self._moving({**self.motion, **motion}), **self.free}, g)

    def _moving(self, motion: Mapping[str, tuple[float, ...]]) -> dict[str, Jet]:
        found = {}
        for name, (place, *rest) in motion.items():
            jet = Jet(place + (STEP * 1j if name == self.along else 0), *rest)
            found |= {name: jet, f"{name}_dot": jet.rate, f"{name}_ddot": jet.rate.rate}
        return found

    def stepped(self, coordinate: str) -> State:
        """Return the state with a complex step along a coordinate."""
        return State(self.data, self.seed, coordinate)

    # ------------------------------------------------------------------ quantities by path

    def quantity(self, path: str) -> Any:
        """Return a number or a matrix for a path such as ``reaction.wrist.force``."""
        if path in self.names:
            return self.names[path]
        if path not in self._known:
            family, *rest = path.split(".")
            self._known[path] = getattr(self, f"_{family}")(*rest)
        return self._known[path]

    def _position(self, place: str) -> Any:
        return column([*self.chain().places[place], Jet.of(0)])

    def _angle(self, body: str) -> Jet:
        return self.chain().angles[body]

    def _jacobian(self, place: str) -> Any:
        columns = [self.stepped(name).chain().places[place] for name in self.coordinates]
        return np.array([[one[axis].partial for one in columns] for axis in (0, 1)], dtype=object)

    def _reaction(self, joint: str, part: str) -> Any:
        force, torque = self.chain().transmitted[joint]
        zero = Jet.of(0)
        return column([*force, zero] if part == "force" else [zero, zero, torque])

    def _resultant(self, body: str, part: str) -> Any:
        force, moment = self.chain().changes[body]
        zero = Jet.of(0)
        return column([*force, zero] if part == "force" else [zero, zero, moment])

    def _tau(self) -> Any:
        return self._generalized(self.chain())

    def _M(self) -> Any:
        columns = []
        for name in self.coordinates:
            still = {q: (self.motion[q][0], 0, int(q == name)) for q in self.coordinates}
            columns.append(self._generalized(self._unloaded(still)))
        return np.hstack(columns)

    def _C(self) -> Any:
        return self._generalized(self._unloaded({q: (*m[:2], 0) for q, m in self.motion.items()}))

    def _G(self) -> Any:
        still = {q: (m[0], 0, 0) for q, m in self.motion.items()}
        return self._generalized(self._unloaded(still, weight=True))

    def _E(self) -> Any:
        still = {q: (m[0], 0, 0) for q, m in self.motion.items()}
        return self._generalized(self.chain(weight=False, **still))

    def _unloaded(self, motion: Mapping[str, Any], *, weight: bool = False) -> Chain:
        chain = self.chain(weight=weight, **motion)
        chain.names = {**chain.names, **dict.fromkeys(self.data["inputs"], Jet(0))}
        return chain

    def _generalized(self, chain: Chain) -> Any:
        """Return generalized forces from the torques of the joints, by virtual work."""
        rows = []
        for name in self.coordinates:
            virtual = self.stepped(name)._moving(self.motion)
            work = Jet(0)
            for joint in self.data["joints"]:
                turn = Jet.of(evaluated(str(joint["angle"]), virtual.__getitem__)).partial
                work = work + turn * chain.transmitted[joint["name"]][1]
            rows.append(work)
        return column(rows)


def column(entries: Iterable[Any]) -> Any:
    return np.array([[entry] for entry in entries], dtype=object)


# ---------------------------------------------------------------------- meanings of symbols

OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def evaluated(text: str, quantity: Callable[[str], Any]) -> Any:
    """Work out an expression of quantities: ``I + m*d**2``, ``M[1,2]``, ``position.hand.x``."""

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=number):
                return Jet.of(number)
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](value(left), value(right))
            case ast.UnaryOp(operand=inner):
                return -value(inner)
            case ast.Subscript(value=inner, slice=place):
                indices = [int(ast.unparse(i)) - 1 for i in getattr(place, "elts", [place])]
                return value(inner)[tuple((*indices, 0)[:2])]
            case ast.Call(func=ast.Name(id=("sin" | "cos") as wave), args=[angle]):
                return getattr(value(angle), wave)()
            case ast.Call(func=ast.Name(id="sqrt"), args=[square]):
                return value(square) ** 0.5
            case ast.Attribute(value=inner, attr=("x" | "y" | "z") as axis):
                return value(inner)["xyz".index(axis), 0]
        return quantity(ast.unparse(node))

    return value(ast.parse(text, mode="eval").body)


# ---------------------------------------------------------------------- printed equations


class Page:
    """The symbols of a document at a state."""

    def __init__(self, meanings: Mapping[str, Any], state: State) -> None:
        self.meanings = meanings
        self.state = state

    def residual(self, relation: Relation) -> float:
        """Return how far the two sides are apart, relative to their size.

        Raises
        ------
        ValueError
            If they have different shapes or no value.
        """
        both = (relation.left, relation.right)
        labelled = [node for node in nodes(both) if isinstance(node, tree.Labelled) and node.label]
        stated = [both, *((node.node, node.label) for node in labelled)]
        return max(apart(self.value(left), self.value(right)) for left, right in stated)

    def value(self, node: tree.Node) -> Any:
        match node:
            case tree.Number(value=number):
                return column([Jet.of(float(number))])
            case tree.Name():
                return rated(self._meaning(node), node.dots)
            case tree.Add(terms=terms):
                first, *rest = (self.value(t.node) * Jet.of(t.sign) for t in terms)
                return sum_of(first, rest)
            case tree.Multiply(factors=factors):
                first, *rest = map(self.value, factors)
                return product_of(first, rest)
            case tree.Times(left=left, right=right):
                return crossed(self.value(left), self.value(right))
            case tree.Divide(numerator=upper, denominator=lower):
                return self.value(upper) / scalar(self.value(lower))
            case tree.Power(base=base, exponent=exponent):
                return power_of(self.value(base), scalar(self.value(exponent)))
            case tree.Labelled(node=inner):
                return self.value(inner)
        return self._operator(node)

    def _operator(self, node: tree.Node) -> Any:
        match node:
            case tree.Transpose(node=inner):
                return self.value(inner).T
            case tree.Call(function=("sin" | "cos") as function, argument=argument):
                return column([getattr(scalar(self.value(argument)), function)()])
            case tree.TimeDerivative(node=inner, order=order):
                return rated(self.value(inner), order)
            case tree.Partial(node=inner, with_respect_to=(name,)):
                other = self.state.stepped(str(self.meanings[name.key]))
                stepped = Page(self.meanings, other).value(inner)
                return elementwise(lambda jet: jet.partial, stepped)
            case tree.Matrix(rows=rows):
                return np.block([[self.value(entry) for entry in row] for row in rows])
        raise ValueError(f"no value of {type(node).__name__}")

    def _meaning(self, name: tree.Name) -> Any:
        meaning = self.meanings[name.key]
        if name.indices:
            found = re.search(r"_\{([i-n](?:,[i-n])*)\}", name.key)
            letters = dict(zip(found[1].split(","), name.indices, strict=True)) if found else {}
            meaning = re.sub(r"(?<=[\[,])[i-n](?=[\],])", lambda m: str(letters[m[0]]), meaning)
        return self._read(meaning)

    def _read(self, meaning: Any) -> Any:
        if isinstance(meaning, list):
            rows = [entry if isinstance(entry, list) else [entry] for entry in meaning]
            return np.block([[self._read(entry) for entry in row] for row in rows])
        found = evaluated(str(meaning), self.state.quantity)
        return column([found]) if isinstance(found, Jet) else found


def nodes(part: Any) -> Iterable[Any]:
    if isinstance(part, tuple):
        for one in part:
            yield from nodes(one)
    elif hasattr(part, "span"):
        yield part
        for slot in type(part).__slots__:
            yield from nodes(getattr(part, slot))


def elementwise(function: Callable[[Any], Any], grid: Any) -> Any:
    return np.vectorize(function, otypes=[object])(grid)


def rated(grid: Any, order: int) -> Any:
    for _ in range(order):
        grid = elementwise(lambda jet: jet.rate, grid)
    return grid


def scalar(grid: Any) -> Jet:
    if grid.shape != (1, 1):
        raise ValueError("a matrix where a scalar is expected")
    return grid[0, 0]


def sum_of(first: Any, rest: Iterable[Any]) -> Any:
    for grid in rest:
        if grid.shape != first.shape:
            raise ValueError("a sum of different shapes")
        first = first + grid
    return first


def product_of(first: Any, rest: Iterable[Any]) -> Any:
    for grid in rest:
        first = first * grid if 1 in (first.size, grid.size) else first @ grid
    return first


def crossed(left: Any, right: Any) -> Any:
    if 1 in (left.size, right.size):
        return left * right
    (a, b, c), (x, y, z) = left[:, 0], right[:, 0]
    return column([b * z - c * y, c * x - a * z, a * y - b * x])


def power_of(grid: Any, exponent: Jet) -> Any:
    if grid.size > 1 and exponent.parts[0] == -1:
        return elementwise(Jet, np.linalg.inv(values(grid)))
    return column([scalar(grid) ** exponent])


def values(grid: Any) -> Any:
    return np.array([[complex(jet.parts[0]).real for jet in row] for row in grid])


def apart(left: Any, right: Any) -> float:
    if left.shape != right.shape:
        raise ValueError("sides of different shapes")
    a, b = values(left), values(right)
    return float(np.max(np.abs(a - b) / (1 + np.abs(a) + np.abs(b))))


class Truth:
    """Decides by numbers whether an equation of a document is true."""

    def __init__(self, document: Document) -> None:
        self.document = document
        data = tomllib.loads((document.path.parent / "model.toml").read_text())
        self.constants = data["constants"]
        symbols = document.front.symbols
        garbled = {e.symbol: e.reads for e in document.front.errata if e.symbol and e.reads}
        self.garbled = garbled.keys()
        self.meanings = {**symbols, **{key: symbols[reads] for key, reads in garbled.items()}}
        self.pages = [Page(self.meanings, State(data, seed)) for seed in (1, 2, 3)]

    def holds(self, relation: Relation) -> bool:
        """Return whether an equation holds at three random states.

        Raises
        ------
        ValueError
            If it has no value.
        """
        both = (relation.left, relation.right)
        names = {node.key for node in nodes(both) if isinstance(node, tree.Name)}
        if names & self.garbled - {e.symbol for e in self.document.errata_in(relation.label)}:
            raise ValueError("a garbled symbol that is not known in this equation")
        left, right = both
        if isinstance(left, tree.Name) and isinstance(right, tree.Number):
            name = self.meanings[left.key]
            if name in self.constants:
                return self.constants[name]["value"] == float(right.value)
        return all(page.residual(relation) < TOLERANCE for page in self.pages)
