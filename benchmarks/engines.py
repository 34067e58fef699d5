"""Accelerations of chains of pins and of the walker: freebody, pydy, Pinocchio and MuJoCo.

All run on one core. Times to a function are from a loaded model to its first acceleration, with an
empty cache and with a full one. Times of an acceleration are the best of several runs, of calls
from Python: freebody by name and bound (backend c), and in batches of 10,000 states (heyoka);
``aba`` of Pinocchio with joints about the axes; ``mj_forward`` of MuJoCo with three arrays written
to and one read, without contacts; and what pydy generates of sympy's KanesMethod by lambdify and by
Cython. The others have no call for many states from Python: their batches take as long per state.

Run with ``python benchmarks/engines.py``; ``--n 1 2 3``, ``--kind planar spatial walker`` select.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # whose `engines` is another

import mujoco
import numpy as np
import pinocchio as pin
import sympy
from chains import PLANAR, SPATIAL, Chain, by_kanes_method
from chains import model as chain_model
from pydy.codegen.ode_function_generators import generate_ode_function
from sympy.physics.mechanics import dynamicsymbols
from timing import apart

import freebody
from engines import MuJoCo, Tree
from freebody.backends.cache import VARIABLE
from freebody.model import Model

NUMBERS = (1, 2, 3, 5, 7, 10, 20, 30)
KINDS = {"planar": PLANAR, "spatial": SPATIAL}
VALUES = {"m": 1.2, "d": 0.4, "l": 0.9, "I": 0.12, "Ix": 0.02, "Iy": 0.1, "Iz": 0.12, "g": 9.81}
STATES = 10_000
LIMIT = 120.0
"""Seconds that pydy may take to get ready."""
BACKENDS = ("c", "heyoka")
TIMES = (
    *("cold c", "cold heyoka", "cached c", "cached heyoka"),
    *("named", "bound", "batch", "aba", "mujoco", "lambdify", "cython"),
)
GENERATORS = ("lambdify", "cython") if importlib.util.find_spec("Cython") else ("lambdify",)
"""What pydy can generate here."""
RATIOS = {
    "aba/bound": ("aba", "bound", "2x; n = 30: 1.3x"),
    "aba/batch": ("aba", "batch", "30x; n = 30: 5x"),
    "mujoco/bound": ("mujoco", "bound", ""),
    "mujoco/batch": ("mujoco", "batch", ""),
    "cython/named": ("cython", "named", "1x"),
    "lambdify/bound": ("lambdify", "bound", "100x"),
}


@dataclass
class Row:
    """What is found of one model: times in s, operations, and the worst disagreement."""

    name: str
    operations: int = 0
    inverse: int = 0
    times: dict[str, float] = field(default_factory=dict)
    error: float = 0.0

    def agree(self, found: Any, expected: Any) -> None:
        """Keep the worst disagreement, relative to the largest entry."""
        off = np.abs(np.asarray(found) - expected).max() / np.abs(expected).max()
        self.error = max(self.error, float(off))


def best(function: Callable[[], Any], budget: float = 0.4) -> float:
    """Return the least time of a call, in s."""
    function()
    start = time.perf_counter()
    function()
    count = max(1, int(budget / 8 / max(time.perf_counter() - start, 1e-7)))
    found = []
    for _ in range(8):
        start = time.perf_counter()
        for _ in range(count):
            function()
        found.append((time.perf_counter() - start) / count)
    return min(found)


def chain(n: int, axes: str) -> Model:
    """Return a chain with numbers."""
    made = chain_model(Chain(n, axes))
    constants = {
        name: constant.model_copy(update={"value": VALUES[name.rstrip("0123456789")]})
        for name, constant in made.constants.items()
    }
    return made.model_copy(update={"constants": constants})


@dataclass
class Given:
    """States of a model: one, and many."""

    t: float
    q: Any
    u: Any
    inputs: Any
    many: tuple[Any, Any, Any]


def given(model: Model, n: int) -> Given:
    random = np.random.default_rng(1)
    widths = n, n, len(model.inputs)
    arrays = [random.uniform(-1, 1, (STATES, width)) for width in widths]
    return Given(0.0, *(array[0].copy() for array in arrays), tuple(arrays))


# ---------------------------------------------------------------------- freebody


def ours(model: Model, states: Given, row: Row) -> Any:
    """Measure freebody, and return its functions in C."""
    with tempfile.TemporaryDirectory() as place:
        found = {}
        for backend in BACKENDS:
            os.environ[VARIABLE] = str(Path(place, backend))
            row.times[f"cold {backend}"], _ = first(model, backend, states)
            row.times[f"cached {backend}"], found[backend] = first(model, backend, states)
        f, many = found["c"], found["heyoka"].accelerations
        one = (states.t, states.q, states.u, states.inputs)
        out, call = np.empty(len(states.q)), f.bind().accelerations
        row.operations, row.inverse = f.accelerations.operations, f.inverse_dynamics.operations
        row.times["named"] = best(lambda: f.accelerations(*one))
        row.times["bound"] = best(lambda: call(*one, out=out))
        row.times["batch"] = best(lambda: many(states.t, *states.many)) / STATES
        row.agree(many(states.t, *states.many)[0], f.accelerations(*one))
        row.agree(out, f.accelerations(*one))
    return f


def first(model: Model, backend: str, states: Given) -> tuple[float, Any]:
    """Return the time to a first acceleration, and the functions."""
    start = time.perf_counter()
    f = freebody.compile(model, backend, "accelerations")
    f.accelerations(states.t, states.q, states.u, states.inputs)
    return time.perf_counter() - start, f


# ---------------------------------------------------------------------- the others


def engines(model: Model, f: Any, states: Given, row: Row) -> None:
    """Measure Pinocchio and MuJoCo, with the forces that the model has besides gravity."""
    mechanism = freebody.mechanism(model)
    tree = Tree(mechanism, mechanism.names.values())
    order = [mechanism.coordinates.index(link.value) for link in tree.links]
    expected = f.accelerations(states.t, states.q, states.u, states.inputs)[order]
    every = {"t": states.t, "q": states.q, "u": states.u, "inputs": states.inputs}
    terms = f["actuation"], f["external"]
    tau, external = (
        term(**{name: every[name] for name in term.arguments if name in every}) for term in terms
    )
    moving = [array[order].copy() for array in (states.q, states.u, tau - external)]
    for name, call in (("aba", pinocchio(tree)), ("mujoco", forward(tree))):
        row.agree(call(*moving), expected)
        row.times[name] = best(lambda call=call: call(*moving))


def pinocchio(tree: Tree) -> Callable[..., Any]:
    """Return the articulated-body algorithm, with the joints for which it has code of their own."""
    model = pin.Model()
    model.gravity = pin.Motion(tree.gravity, np.zeros(3))
    axes = {
        True: (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ),
        False: (pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ),
    }
    for number, link in enumerate(tree.links):
        joint = axes[link.turns][int(np.argmax(link.axis))]()
        model.addJoint(link.stand.link, joint, link.stand.se3, str(number))
    for centre, mass, inertia in tree.masses():
        model.appendBodyToJoint(centre.link, pin.Inertia(mass, np.zeros(3), inertia), centre.se3)
    data, aba = model.createData(), pin.aba
    return lambda q, u, tau: aba(model, data, q, u, tau)


def forward(tree: Tree) -> Callable[..., Any]:
    """Return the forward dynamics of MuJoCo."""
    engine = MuJoCo(tree)
    model, data = engine.model, engine.data
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT
    position, velocity, force, found = data.qpos, data.qvel, data.qfrc_applied, data.qacc
    step = mujoco.mj_forward

    def call(q: Any, u: Any, tau: Any) -> Any:
        position[:], velocity[:], force[:] = q, u, tau
        step(model, data)
        return found

    return call


def by_pydy(chain: Chain, generator: str, values: dict[str, float], states: Given) -> Any:
    """Return the time of a call of what pydy generates, and what it gives."""
    method = by_kanes_method(chain)
    numbers = chain.numbers
    coordinates, speeds, torques = (
        [dynamicsymbols(name.format(i)) for i in numbers] for name in ("q{}", "q{}_dot", "T{}")
    )
    M, forcing = method.mass_matrix, method.forcing
    constants = sorted((M.free_symbols | forcing.free_symbols) - {dynamicsymbols._t}, key=str)
    right = generate_ode_function(
        forcing,
        coordinates,
        speeds,
        constants,
        mass_matrix=M,
        coordinate_derivatives=sympy.Matrix(speeds),
        specifieds=torques,
        generator=generator,
        constants_arg_type="array",
        specifieds_arg_type="array",
    )
    numbers_of = np.array([values[str(constant)] for constant in constants])
    arguments = (np.concatenate([states.q, states.u]), states.t, states.inputs, numbers_of)
    return best(lambda: right(*arguments)), right(*arguments)[len(coordinates) :]


# ---------------------------------------------------------------------- tables


def measured(kind: str, n: int, limit: float) -> Row:
    """Return all that is found of one model; of pydy too if it has a limit in s."""
    model = freebody.load("walker") if kind == "walker" else chain(n, KINDS[kind])
    states, row = given(model, len(model.coordinates)), Row(str(len(model.coordinates)))
    f = ours(model, states, row)
    engines(model, f, states, row)
    if limit:
        expected = f.accelerations(states.t, states.q, states.u, states.inputs)
        for generator in GENERATORS:
            asked = (Chain(n, KINDS[kind]), generator, f.constants, states)
            found = apart(by_pydy, *asked, limit=limit)
            if found is None:
                break
            row.times[generator] = found[0]
            row.agree(found[1], expected)
    return row


def table(kind: str, numbers: list[int], limit: float) -> list[Row]:
    """Print the table of one kind of models, a line as soon as it is known."""
    print(f"\n{kind}: seconds from a loaded model to its first acceleration; then us of each")
    heads = f"{'':12}{'cold':>6}{'':6}{'cached':>6}{'':6}{'freebody':>10}"
    print(heads)
    names = f"{'n':>2} {'ops':>5}" + f"{'c':>6}{'heyoka':>7}" * 2
    print(names + "".join(f"{name:>9}" for name in TIMES[4:]) + "   error")
    rows: list[Row] = []
    for n in numbers:
        rows.append(row := measured(kind, n, limit))
        limit *= "cython" in row.times  # what takes too long once takes longer with more links
        seconds = (format(row.times[name], ".2f") for name in TIMES[:4])
        first = f"{row.name:>2} {row.operations:5d}" + "{:>6}{:>7}{:>6}{:>7}".format(*seconds)
        each = (cell(row.times.get(name), 1e6) for name in TIMES[4:])
        print(first + "".join(f"{text:>9}" for text in each) + f"{row.error:8.0e}", flush=True)
    ratios(kind, rows)
    return rows


def cell(value: float | None, unit: float) -> str:
    """Return a number with three digits, or a dash."""
    if value is None:
        return "-"
    value *= unit
    return format(value, f".{max(0, 2 - int(np.floor(np.log10(value))))}f")


def ratios(kind: str, rows: list[Row]) -> None:
    """Print how many times as long the others take."""
    print(f"\n{kind}: how many times as long one takes as the other")
    print(f"{'n':>2}" + "".join(f"{name:>16}" for name in RATIOS))
    for row in rows:
        found = (
            cell(row.times[one] / row.times[other] if one in row.times else None, 1)
            for one, other, _ in RATIOS.values()
        )
        print(f"{row.name:>2}" + "".join(f"{text:>16}" for text in found))


def growth(kind: str, rows: list[Row]) -> None:
    """Print a fit of the operations of inverse dynamics, from three links on."""
    n = np.array([int(row.name) for row in rows if int(row.name) > 2])
    count = np.array([row.inverse for row in rows if int(row.name) > 2])
    if len(n) < 3:
        return
    slope, start = np.polyfit(n, count, 1)
    power = np.polyfit(np.log(n), np.log(count), 1)[0]
    off = np.abs(slope * n + start - count).max()
    print(
        f"\n{kind}: operations of inverse dynamics {', '.join(map(str, count))}: "
        f"{slope:.1f} n {start:+.0f},\noff by at most {off:.1f}; as a power of n: n^{power:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="*", default=NUMBERS, help="how many links")
    kinds = [*KINDS, "walker"]
    parser.add_argument("--kind", nargs="*", default=kinds, choices=kinds, help="which models")
    parser.add_argument("--pydy", type=float, default=LIMIT, help="seconds that pydy may take")
    asked = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"freebody {freebody.__version__}, Pinocchio {pin.__version__}, MuJoCo", end=" ")
    print(f"{mujoco.__version__}, numpy {np.__version__}, Python {platform.python_version()}")
    print(f"pydy is stopped after {asked.pydy:.0f} s of deriving and compiling: '-'")
    pendulum = freebody.load("pendulum")
    for backend in BACKENDS:  # imports count for nobody
        freebody.compile(pendulum, backend).accelerations(0.0, [0.1], [0.1], [0.1])
    for kind in asked.kind:
        walks = kind == "walker"  # whose contacts KanesMethod is not told of
        rows = table(kind, [0] if walks else list(asked.n), 0.0 if walks else asked.pydy)
        growth(kind, rows)


if __name__ == "__main__":
    main()
