"""Independent engines find the same inertia, forces, accelerations and constraint forces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import pytest

import freebody
from conftest import OWN, SPREAD, evaluator
from engines import Array, Motion, MuJoCo, Pinocchio, Tree, affine, by_hand, motion, pin, variables
from freebody.mechanics.kane import program
from freebody.model import Model, loads, shipped
from freebody.model.loads import Coincident
from freebody.model.names import TIME
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.setup import prepare

WELDED = """
title   = "A plate welded to an arm that turns about two axes"
gravity = [1, -9, "g"]

[coordinates]
a = { title = "first angle of the arm", unit = "rad", initial = 0.3 }
b = { title = "second angle of the arm", unit = "rad", initial = -0.4 }
x = { title = "place of the plate", unit = "m", initial = 0.2 }
y = { title = "place of the plate", unit = "m", initial = 0.2 }
z = { title = "place of the plate", unit = "m", initial = 0.2 }
p = { title = "first turn of the plate", unit = "rad", initial = 0.1 }
q = { title = "second turn of the plate", unit = "rad", initial = 0.1 }
r = { title = "third turn of the plate", unit = "rad", initial = 0.1 }

[constants]
g = { title = "component of gravity", unit = "m/s**2", value = -3 }
l = { title = "length", unit = "m", value = 0.4 }

[[bodies]]
name = "post"
mass = 0

[[bodies]]
name = "arm"
mass = 2
center_of_mass = ["l/2", 0, 0.1]
inertia = [0.02, 0.05, 0.04]
products_of_inertia = [0.004, -0.003, 0.002]

[[bodies]]
name = "plate"
mass = 0.7
center_of_mass = [0, 0.1, 0]
inertia = [0.03, 0.02, 0.04]

[[joints]]
name = "swivel"
type = "pin"
parent = "ground"
child = "post"
axis = [0, 1, 1]
angle = "a"

[[joints]]
name = "hinge"
type = "pin"
parent = "post"
at = [0, 0, "l"]
child = "arm"
axis = [1, 0, 0]
angle = "b"

[[joints]]
name = "air"
type = "free"
parent = "ground"
child = "plate"
translation = ["x", "y", "z"]
rotation = ["p", "q", "r"]

[[constraints]]
name = "seam"
type = "coincident"
between = [{ on = "arm", at = ["l", 0, 0] }, { on = "plate", at = [0, "-l/4", 0] }]
dependent = ["x", "y", "z"]

[[constraints]]
name = "bond"
type = "parallel"
on = "plate"
to = "arm"
dependent = ["p", "q", "r"]
"""

NAMES = (*shipped(), *OWN, "welded")
FEW = (*SPREAD, "welded")
ENGINES: dict[str, Callable[[Tree], Any]] = {
    "by_hand": lambda _: by_hand,
    "pinocchio": Pinocchio,
    "mujoco": MuJoCo,
}

EXPRESSED = "Pinocchio has no constraint that is an expression"
ROLLING = "Pinocchio has no constraint that lets the point of contact move on"
TURNING = "Pinocchio has no constraint of directions without one of places"
WIDER = "its joints have more variables than it has speeds"

NOT_PINOCCHIOS = {
    "ball": ROLLING,
    "beads": EXPRESSED,
    "chaplygin_sleigh": EXPRESSED,
    "rolling_disc": ROLLING,
    "tyre": ROLLING,
    "wheeled_pendulum": ROLLING,
    "wheels": ROLLING,
    "linkage": TURNING,
    "spatial_loop": TURNING,
    "gimbals": WIDER,
    "shaken": WIDER,
    "slab": WIDER,
    "sockets": WIDER,
    "space": WIDER,
    "tree": WIDER,
}
"""Why Pinocchio cannot work out the accelerations of some models by itself.

Its inertia and forces, as those of MuJoCo, are those of every model.
"""


def model(name: str) -> Model:
    return loads(WELDED) if name == "welded" else freebody.load(OWN.get(name, name))


class Case:
    """A model as freebody works it out, and what other engines are given of it."""

    def __init__(self, name: str) -> None:
        self.name, self.mechanism = name, freebody.mechanism(model(name))
        self.n, self.m = len(self.mechanism.speeds), len(self.mechanism.multipliers)
        inputs = np.random.default_rng(7).uniform(-1, 1, len(self.mechanism.names.inputs))
        given = dict(zip(self.mechanism.names.inputs, inputs.tolist(), strict=True))
        self.setup = prepare(self.mechanism, {}, {}, given)
        self.dynamics = Dynamics(self.mechanism, self.setup)
        self.tree = Tree(self.mechanism, self.setup.constants)
        self.engine = cache(lambda engine: ENGINES[engine](self.tree))

    @cached_property
    def equations(self) -> Any:
        """The blocks of the equations of motion, as a function of numbers."""
        names = self.mechanism.names
        moving = (*self.mechanism.coordinates, *self.mechanism.speeds)
        taken = [TIME, *moving, *names.inputs.values(), *names.constants.values()]
        known = [*map(float, self.setup.inputs.values()), *self.setup.constants.values()]
        blocks = evaluator(program(self.mechanism, laws=True), taken)
        return lambda t, q, u: blocks([t, *q, *u, *known])

    @cached_property
    def states(self) -> list[State]:
        """Three states at random, whether or not the constraints allow them."""
        random = np.random.default_rng(11)
        parts = [random.uniform(-1, 1, 2 * self.n + 1) for _ in range(3)]
        return [State(self, t, *np.split(np.array(moving), 2)) for t, *moving in parts]

    def kept(self) -> Iterator[State]:
        """Iterate over states that the constraints allow."""
        start = self.setup.state[: self.n]
        for state in self.states:
            q, u = self.dynamics.constraints.consistent(start + 0.1 * state.q, state.u)
            yield State(self, 0.0, q, u)

    def closures(self) -> Iterator[Any]:
        """Iterate over the constraints as Pinocchio's, at points.

        Where the bodies stay parallel too, they are at frames. In the plane a point has one
        equation too many, which Pinocchio takes.
        """
        said = self.mechanism.model.constraints
        points = [one for one in said if isinstance(one, Coincident)]
        kinds = pin.ContactType
        kind = kinds.CONTACT_3D if len(points) == len(said) else kinds.CONTACT_6D
        for one in points:
            yield self.engine("pinocchio").closed(kind, *map(self.tree.placed, one.between))


@dataclass
class State:
    """A model in motion."""

    case: Case
    t: float
    q: Array
    u: Array

    @cached_property
    def motion(self) -> Motion:
        """What derivatives by hand tell of it."""
        return motion(self.case.tree, self.t, self.q, self.u)

    @cached_property
    def found(self) -> dict[str, Array]:
        """The blocks of freebody's equations."""
        n, m = self.case.n, self.case.m
        blocks = self.case.equations(self.t, self.q, self.u)
        return blocks | {"M": blocks["M"].reshape(n, n), "J": blocks["J"].reshape(m, n)}

    @property
    def applied(self) -> Array:
        """The generalized forces other than gravity, which every engine is given."""
        return self.found["tau"] - self.found["elastic"] - self.found["external"]

    @property
    def held(self) -> tuple[Array, Array]:
        """J and γ of the constraints J u' + γ = 0, by hand."""
        parts = [rate.c[1] for rate in self.motion.constraints()]
        return affine(np.reshape(parts, (self.case.m, self.case.n + 1)))


@pytest.fixture(params=NAMES, scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def agree(found: Any, expected: Any) -> None:
    largest = np.abs(expected).max(initial=0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * largest + 1e-14)


@pytest.mark.one_in(4)
@pytest.mark.few(*FEW)
@pytest.mark.parametrize("engine", ENGINES)
def test_inertia_and_forces_agree(case: Case, engine: str) -> None:
    for state in case.states:
        M, c = case.engine(engine)(state.motion)
        agree(state.found["M"], M)
        agree(state.found["C"] + state.found["G"], c)


@pytest.mark.few(*FEW)
def test_constraints_agree(case: Case) -> None:
    for state in case.states:
        J, gamma = state.held
        agree(state.found["J"], J)
        agree(state.found["gamma"], gamma)


@pytest.mark.few(*FEW)
@pytest.mark.parametrize("engine", ENGINES)
def test_accelerations_and_constraint_forces_agree(case: Case, engine: str) -> None:
    """From the whole system of M u' + c = Q + Jᵀ λ and J u' + γ = 0."""
    for state in case.states:
        M, c = case.engine(engine)(state.motion)
        J, gamma = state.held
        whole = np.block([[M, -J.T], [J, np.zeros((case.m, case.m))]])
        solved = np.linalg.solve(whole, np.concatenate([state.applied - c, -gamma]))
        rates = case.dynamics.rates(state.t, state.q, state.u)
        agree(np.concatenate([rates.accelerations, rates.multipliers]), solved)


@pytest.mark.few(*FEW)
def test_pinocchio_accelerates_alike(case: Case) -> None:
    """By articulated bodies, and with the constraints of closed loops."""
    if case.name in NOT_PINOCCHIOS:
        pytest.skip(NOT_PINOCCHIOS[case.name])
    pinocchio, closures = case.engine("pinocchio"), list(case.closures())
    for state in case.kept() if closures else case.states:
        w, rates, W, b = variables(state.motion)
        forces = np.linalg.solve(W.T, state.applied)
        if closures:
            found = pinocchio.constrained(w, rates, forces, closures)
        else:
            found = pinocchio.accelerations(w, rates, forces)
        expected = case.dynamics.rates(state.t, state.q, state.u).accelerations
        agree(W @ expected + b, found)
