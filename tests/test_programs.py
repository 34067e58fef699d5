"""Programs: against Kane's equations, finite differences, Pinocchio, and each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain, product
from typing import Any

import numpy as np
import pytest
import sympy

import freebody
from conftest import OWN, SPREAD, evaluator, worked_out
from freebody.errors import DerivationError, ProgramError
from freebody.graph.code import Code, Variable
from freebody.graph.derivatives import jacobian
from freebody.graph.graph import Graph
from freebody.mechanics.kane import program
from freebody.model import Model, load, loads, shipped
from freebody.model.names import TIME
from freebody.programs import OUTPUTS, write_code
from freebody.programs.verification import Verification
from freebody.programs.workspace import Workspace

MODELS = [*shipped(), *OWN]
DIFFERENTIATED = ("rhs", "inverse_dynamics", "kinetic_energy")
BY = ("q", "u", "inputs", "constants")
STEP = 1e-6


def function(code: Code) -> Callable[[dict[str, Any]], Any]:
    """Return code as a function of numbers by name."""
    names = [entry.name for entry in code.entries]
    return lambda numbers: worked_out(code, map(numbers.get, names)).reshape(code.shape)


class Case:
    """A model, its programs, and numbers for all of its names."""

    def __init__(self, name: str, outputs: Sequence[str] = ()) -> None:
        self.mechanism = freebody.mechanism(load(OWN.get(name, name)))
        self.names, self.place = self.mechanism.names, self.mechanism.named[-1]
        self.n, self.m = len(self.mechanism.speeds), len(self.mechanism.multipliers)
        places = [f"{what}.{self.place}" for what in ("position", "velocity", "jacobian")]
        outputs = outputs or [*OUTPUTS, *places, f"position.{self.place}/q"]
        self.codes = write_code(self.mechanism, outputs)
        self.function = cache(lambda output: function(self.codes[output]))
        random = np.random.default_rng(3)
        moving = [
            *self.names.coordinates,
            *self.names.speeds,
            *self.names.accelerations,
            *self.names.inputs,
            *(str(force.func) for force in self.mechanism.multipliers),
        ]
        self.numbers = {
            **dict(zip(moving, random.uniform(0.2, 1, len(moving)), strict=True)),
            **{name: random.uniform(0.5, 1.5) for name in self.names.constants},
            "t": 0.7,
        }

    def __call__(self, output: str, **changed: float) -> Any:
        return self.function(output)({**self.numbers, **changed})

    def slope(self, output: str, name: str) -> Any:
        """Return how an output changes with a number."""
        after, before = (
            self(output, **{name: self.numbers[name] + step}) for step in (STEP, -STEP)
        )
        return (after - before) / (2 * STEP)

    @cached_property
    def kane(self) -> dict[str, Any]:
        """The blocks of Kane's equations."""
        names = self.names
        moving = {**names.coordinates, **names.speeds, **names.inputs}
        taken = {"t": TIME, **moving, **names.constants}
        blocks = evaluator(program(self.mechanism, laws=True), [*taken.values()])
        return blocks(self.numbers[name] for name in taken)

    @property
    def a(self) -> Any:
        return np.array([self.numbers[name] for name in self.names.accelerations])


@pytest.fixture(params=MODELS, scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def agree(found: Any, expected: Any, tolerance: float = 1e-9) -> None:
    scale = max(1.0, float(np.abs(expected).max(initial=0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


@pytest.mark.few("rolling_disc", "four_bar", "shaken")
def test_terms_are_those_of_kane(case: Case) -> None:
    kane = case.kane
    M, external = kane["M"].reshape(case.n, case.n), kane["elastic"] + kane["external"]
    left = kane["C"] + kane["G"] + external
    expected = {
        "mass_matrix": M,
        "bias": kane["C"],
        "gravity": kane["G"],
        "external": external,
        "actuation": kane["tau"],
        "forcing": kane["tau"] - left,
        "inverse_dynamics": M @ case.a + left,
        "inverse_dynamics_terms": [M @ case.a, kane["C"], kane["G"], external],
    }
    for name, value in expected.items():
        agree(case(name), value)


@pytest.mark.one_in(3)
@pytest.mark.few(*SPREAD)
def test_accelerations_solve_the_equations_and_keep_the_constraints(case: Case) -> None:
    kane, n, m = case.kane, case.n, case.m
    M, J = kane["M"].reshape(n, n), kane["J"].reshape(m, n)
    forcing = kane["tau"] - kane["C"] - kane["G"] - kane["elastic"] - kane["external"]
    matrix = np.block([[M, -J.T], [J, np.zeros((m, m))]])
    solved = np.linalg.solve(matrix, np.concatenate([forcing, -kane["gamma"]]))
    agree(case("accelerations"), solved[:n], 1e-7)
    agree(case("rhs")[n:], solved[:n], 1e-7)
    agree(case("multipliers"), solved[n:], 1e-7)
    agree(case("constraint_matrix"), J)


def test_functions_are_differentiated_by_the_chain_rule() -> None:
    x, y, w = sympy.symbols("x y w")
    z = x * sympy.sin(y) + w
    parts = (
        sympy.atan2(z, w) * z**3 / x,
        sympy.Abs(x - 2 * y) + sympy.Max(x * y, z, 0.1) - sympy.Min(z, x),
        sympy.Piecewise((z**2 * sympy.sign(y), x > y), (sympy.exp(x), True)),
        sympy.sqrt(1 + z**2) * sympy.tanh(x * w) ** 2,
    )
    names, graph = [x, y, w], Graph()
    leaves = graph.values(names)
    slopes = chain.from_iterable(jacobian(graph, graph.values(parts), leaves))
    work_out = function(
        graph.code("slopes", {"q": [(x, Variable(x.name)) for x in names]}, slopes, (4, 3))
    )

    def values(at: Any) -> Any:
        known = dict(zip(names, map(sympy.Float, at), strict=True))
        return np.array([float(part.xreplace(known)) for part in parts])

    for at in np.random.default_rng(2).uniform(-1, 1, (6, 3)):
        steps = 1e-6 * np.eye(3)
        changes = [values(at + step) - values(at - step) for step in steps]
        found = work_out(dict(zip("xyw", at, strict=True)))
        np.testing.assert_allclose(found, np.transpose(changes) / 2e-6, atol=1e-7)


@pytest.mark.few("four_bar", "pendulum")
@pytest.mark.parametrize("name", SPREAD)
def test_derivatives_are_those_of_finite_differences(name: str) -> None:
    slopes = [f"{output}/{by}" for output, by in product(DIFFERENTIATED, BY)]
    case = Case(name, [*DIFFERENTIATED, *slopes])
    for output, by in product(DIFFERENTIATED, BY):
        code = case.codes[f"{output}/{by}"]
        names = [entry.name for entry in code.arguments.get(by, ())]
        columns = [case.slope(output, name) for name in names]
        found = case(code.name)
        assert found.shape == (*case.codes[output].shape, len(names))
        if columns:
            agree(found, np.stack(columns, axis=-1), 1e-4)


@pytest.mark.few(*SPREAD)
def test_places_move_as_their_positions_do(case: Case) -> None:
    place, names, t = case.place, list(case.names.coordinates), case.numbers["t"]
    rates = case("rhs")[: len(names)]

    def at(step: float) -> Any:
        q = {
            name: case.numbers[name] + step * rate for name, rate in zip(names, rates, strict=True)
        }
        return case(f"position.{place}", **q, t=t + step)

    moved = at(STEP) - at(-STEP)
    agree(case(f"velocity.{place}"), moved / (2 * STEP), 1e-6)
    agree(case(f"jacobian.{place}"), case(f"position.{place}/q"))


@pytest.mark.few(*SPREAD)
def test_every_output_has_its_shape_and_its_arguments_in_order(case: Case) -> None:
    for name in OUTPUTS:
        code = case.codes[name]
        order = ["t", "q", "u", "a", "inputs", "multipliers", "constants"]
        assert list(code.arguments) == [group for group in order if group in code.arguments]
        assert len(code.results) == np.prod(code.shape, dtype=int)


# ---------------------------------------------------------------------- chains


def pins(n: int, axes: str = "zyx") -> Model:
    """Links along x with the centre of mass on them and principal inertias."""
    unit = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
    kinds = {"m": "kg", "d": "m", "l": "m", "Ix": "kg*m**2", "Iy": "kg*m**2", "Iz": "kg*m**2"}
    values = {"m": 1.2, "d": 0.4, "l": 0.9, "Ix": 0.02, "Iy": 0.1, "Iz": 0.12}
    numbers = range(1, n + 1)
    return Model.model_validate({
        "title": "a chain",
        "gravity": [0, "-g", 0],
        "coordinates": {f"q{i}": {"title": "angle", "unit": "rad"} for i in numbers},
        "inputs": {f"T{i}": {"title": "moment", "unit": "N*m"} for i in numbers},
        "constants": {
            "g": {"title": "gravity", "unit": "m/s**2", "value": 9.81},
            **{
                f"{kind}{i}": {"title": kind, "unit": unit, "value": values[kind]}
                for i in numbers
                for kind, unit in kinds.items()
                if (kind, i) != ("l", n)
            },
        },
        "bodies": [
            {
                "name": f"link{i}",
                "mass": f"m{i}",
                "center_of_mass": [f"d{i}", 0, 0],
                "inertia": [f"Ix{i}", f"Iy{i}", f"Iz{i}"],
            }
            for i in numbers
        ],
        "joints": [
            {
                "name": f"joint{i}",
                "type": "pin",
                "parent": f"link{i - 1}" if i > 1 else "ground",
                "at": [f"l{i - 1}" if i > 1 else 0, 0, 0],
                "child": f"link{i}",
                "axis": unit[axes[(i - 1) % len(axes)]],
                "angle": f"q{i}",
                "torque": f"T{i}",
            }
            for i in numbers
        ],
    })  # fmt: skip


def operations(n: int, output: str, axes: str = "zyx") -> int:
    return write_code(freebody.mechanism(pins(n, axes)), [output])[output].operations


def test_seven_pins_in_space_take_few_operations() -> None:
    assert operations(7, "accelerations") <= 1100
    assert operations(7, "inverse_dynamics") <= 600


@pytest.mark.exhaustive("accelerations-zyx", "inverse_dynamics-zyx")
@pytest.mark.few("zyx")
@pytest.mark.parametrize("axes", ["zyx", "z"])
@pytest.mark.parametrize("output", ["inverse_dynamics", "accelerations"])
def test_operations_grow_as_the_number_of_links(axes: str, output: str) -> None:
    few, more, most = (operations(n, output, axes) for n in (9, 12, 15))
    assert most - more == more - few


def test_constants_are_worked_out_first() -> None:
    code = write_code(freebody.mechanism(pins(4)), ["accelerations"])["accelerations"]
    before, _ = code.hoisted()
    first = [operation for operation, *_ in code.steps if operation != "number"]
    assert before.operations > 10
    assert first[: before.operations] == [step[0] for step in before.steps if step[0] != "number"]


@pytest.mark.parametrize("n", [7, 12])
def test_pinocchio_moves_a_chain_alike(n: int) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install pin")
    model, axes = pin.Model(), [pin.JointModelRZ, pin.JointModelRY, pin.JointModelRX]
    model.gravity.linear[:] = (0, -9.81, 0)
    for i in range(n):
        place = pin.SE3(np.eye(3), np.array([0.9 if i else 0, 0, 0]))
        joint = model.addJoint(i, axes[i % 3](), place, f"joint{i}")
        inertia = pin.Inertia(1.2, np.array([0.4, 0, 0]), np.diag([0.02, 0.1, 0.12]))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    random, data = np.random.default_rng(5), model.createData()
    q, u, tau, a = random.uniform(-1, 1, (4, n))
    mechanism = freebody.mechanism(pins(n))
    numbers = {**mechanism.names.values(), "t": 0.0}
    for i in range(n):
        numbers |= {f"q{i + 1}": q[i], f"q{i + 1}_dot": u[i], f"T{i + 1}": tau[i]}
        numbers[f"q{i + 1}_ddot"] = a[i]
    found = write_code(mechanism, ["accelerations", "mass_matrix", "inverse_dynamics"])
    M = np.triu(pin.crba(model, data, q))
    agree(function(found["mass_matrix"])(numbers), M + np.triu(M, 1).T, 1e-12)
    agree(function(found["accelerations"])(numbers), pin.aba(model, data, q, u, tau), 1e-12)
    agree(function(found["inverse_dynamics"])(numbers), pin.rnea(model, data, q, u, a), 1e-12)


# ---------------------------------------------------------------------- what is told


def test_a_program_that_does_not_hold_is_not_given_out() -> None:
    arm = freebody.mechanism(load("three_link_arm"))
    code, workspace = write_code(arm, ["bias"])["bias"], Workspace(arm)
    check = Verification(arm, workspace.groups)
    check.verify(code)
    last = len(code.entries) + len(code.steps)
    negative = (*code.steps, ("neg", code.results[1]))
    results = (code.results[0], last, code.results[2])
    with pytest.raises(ProgramError, match="'bias' differs from the balances"):
        check.verify(replace(code, steps=negative, results=results))


def test_every_operation_that_ships_is_verified() -> None:
    mechanism = freebody.mechanism(load(OWN["bouncer"]))
    code, check = write_code(mechanism, ["forcing"])["forcing"], Workspace(mechanism)
    other = {"add": "sub", "sub": "add", "sin": "cos", "cos": "sin", "max": "min", "lt": "gt"}
    verification, tried = Verification(mechanism, check.groups), set[str]()
    for place, (operation, *operands) in enumerate(code.steps):
        if operation in other.keys() - tried:
            tried.add(operation)
            steps = [*code.steps]
            steps[place] = (other[operation], *operands)
            with pytest.raises(ProgramError, match="differs from the balances"):
                verification.verify(replace(code, steps=tuple(steps)))
    assert len(tried) == len(other)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("acceleration", "found 'acceleration'; did you mean 'accelerations'?"),
        ("positon.hand", r"found 'positon.hand'; did you mean 'position.hand'?"),
        ("accelerations/qs", "found 'qs' in 'accelerations/qs'"),
        ("bias/input", "did you mean 'inputs'?"),
    ],
)
def test_an_unknown_output_is_told_with_the_nearest(asked: str, told: str) -> None:
    with pytest.raises(ProgramError) as error:
        write_code(freebody.mechanism(load("three_link_arm")), [asked])
    assert told in str(error.value)


def test_an_unknown_place_is_told() -> None:
    with pytest.raises(DerivationError, match="did you mean 'hand'"):
        write_code(freebody.mechanism(load("three_link_arm")), ["position.hamd"])


def test_a_constraint_that_follows_from_another_is_told() -> None:
    linkage = load("four_bar").model_dump(exclude_unset=True)
    held = linkage["constraints"][0]
    again = {**held, "name": "again", "axes": ["x"], "dependent": ["theta2"]}
    linkage["constraints"] = [held, again]
    with pytest.raises(ProgramError, match="none follows from the others"):
        write_code(freebody.mechanism(Model.model_validate(linkage)), ["accelerations"])


IDLE = """
title = "An arm whose hand has no mass"
[coordinates]
a = { title = "arm", unit = "rad", initial = 0 }
b = { title = "hand", unit = "rad", initial = 0 }
[[bodies]]
name = "arm"
mass = 1
center_of_mass = [1, 0, 0]
[[bodies]]
name = "hand"
mass = 0
[[joints]]
name = "shoulder"
type = "pin"
parent = "ground"
child = "arm"
angle = "a"
[[joints]]
name = "wrist"
type = "pin"
parent = "arm"
child = "hand"
at = [2, 0, 0]
angle = "b"
"""


def test_speeds_that_move_no_mass_are_told() -> None:
    with pytest.raises(ProgramError, match="that each speed moves: b_dot moves none"):
        freebody.compile(loads(IDLE), backend="numpy").accelerations([0.1, 0.2], [0, 0])
    bare = loads("gravity = [0, -9.81, 0]\n" + IDLE.replace("mass = 1\ncenter", "mass = 0\ncenter"))
    functions = freebody.compile(bare, backend="numpy")
    assert not functions.gravity([0.1, 0.2]).any()
    with pytest.raises(ProgramError, match="a_dot, b_dot move none"):
        functions.accelerations([0.1, 0.2], [0, 0])
