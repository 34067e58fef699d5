from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from freebody.algebra import Ring
from freebody.checking.models import DerivedModels
from freebody.checking.quantities.derived import Quantities
from freebody.checking.repair.search import Repairs, RepairSearch
from freebody.graph.code import Code, Variable
from freebody.graph.evaluation import evaluate
from freebody.graph.program import Program
from freebody.mechanics import Equations, derive, mechanism
from freebody.model import load
from representatives import HELP, MARKS, OPTION, left_out

OWN = {path.stem: path for path in sorted((Path(__file__).parent / "models").glob("*.toml"))}
CHAINS = {
    "double_pendulum": ("l1", "l2"),
    "hanging_double_pendulum": ("L1", None),
    "one_link": ("L",),
    "pendulum": (None,),
    "three_link_arm": ("l1", "l2", "dS"),
    "two_link": ("L1", "L2"),
    "two_link_segment": ("L1", "L2"),
}
"""Shipped planar chains with the lengths of their links; of the last, to where a force acts."""

SPREAD = ("pendulum", "rolling_disc", "four_bar", "runner_two_mass", "beads", "shaken", "tree")
"""Models with something of everything: contact, constraints, motion that is given, speeds."""

NUMPY = {"number": np.float64, "min": np.minimum, "max": np.maximum, "select": np.where}
"""The operations of a graph in numbers, besides those that numpy calls alike."""
SYSTEMS = [*CHAINS, "chaplygin_sleigh", "rolling_disc", *OWN]

CYCLES = 100_000
"""After so many new objects cycles are looked for, as on the command line: a fifth of the time."""

KINDS = (*SPREAD, "bouncer", "linkage", "slab", "sockets", "tyre")
"""Those with all kinds of joints, constraints and loads but universal joints and muscles."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help=HELP)


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(CYCLES)
    for mark in MARKS:
        config.addinivalue_line("markers", mark)


def pytest_collection_finish() -> None:
    """Look for no cycles of garbage among what was imported and collected."""
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of which others stand for, unless they are asked for."""
    if config.getoption(OPTION) or any("[" in argument for argument in config.args):
        return
    left = set(left_out(items))
    items[:] = [item for item in items if item not in left]
    config.hook.pytest_deselected(items=[*left])


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what is compiled for the tests, by all processes that run them, and nothing older."""
    place = tmp_path_factory.getbasetemp()
    shared = place.parent if "PYTEST_XDIST_WORKER" in os.environ else place
    os.environ["FREEBODY_CACHE"] = str(shared / "cache")


@pytest.fixture(scope="session", autouse=True)
def _derived_once() -> Iterator[None]:
    """Derive a model once for all documents that are checked, as one check of many does."""
    known: dict[str, Quantities] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DerivedModels, "__init__", lambda derived: setattr(derived, "_known", known))
        yield


@pytest.fixture
def unmended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not look for what would mend an equation, where that is not what is tested."""
    monkeypatch.setattr(Repairs, "of", lambda *_: RepairSearch())


def evaluator(
    program: Program, taken: Sequence[sympy.Expr]
) -> Callable[[Iterable[float]], dict[str, Any]]:
    """Return a program as a function of numbers for some symbols, operation by operation."""
    entries = [(symbol, Variable(f"x{place}")) for place, symbol in enumerate(taken)]
    cells = list(chain.from_iterable(program.outputs.values()))
    code = program.graph.code("program", {"taken": entries}, cells, (len(cells),))
    ends = np.cumsum([len(cells) for cells in program.outputs.values()])
    return lambda numbers: dict(
        zip(program.outputs, np.split(worked_out(code, numbers), ends), strict=False)
    )


def worked_out(code: Code, numbers: Iterable[float]) -> Any:
    """Return the entries of an output, operation by operation."""
    return np.array(evaluate(code, [*map(np.float64, numbers)], NUMPY, np), dtype=float)


class System:
    """A model, its equations by each formulation in one ring, and numbers to put into them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.model = load(OWN.get(name, name))
        self.mechanism = mechanism(self.model)
        self.ring = Ring()
        self.equations = cache(self._equations)

    def _equations(self, method: str = "kane") -> Equations:
        return derive(self.mechanism, method, self.ring)

    def numbers(self, seed: int = 1) -> dict[str, float]:
        """Return a random number for each name: positive ones for the constants and the time."""
        random, names = np.random.default_rng(seed), self.mechanism.names
        moving = (*names.coordinates, *names.speeds, *names.accelerations, *names.inputs)
        multipliers = map(str, self._multipliers.values())
        return {
            **dict(zip(moving, random.uniform(-1, 1, len(moving)), strict=True)),
            **dict(zip(names.constants, random.uniform(0.5, 1.5, 99), strict=False)),
            **{name: random.uniform(-1, 1) for name in multipliers},
            "t": random.uniform(0.5, 1.5),
        }

    def value(self, expr: Any, numbers: dict[str, float] | int = 1) -> Any:
        """Return the number, or the array, that an expression, or a matrix, has."""
        if isinstance(numbers, int):
            numbers = self.numbers(numbers)
        symbols = {sympy.Symbol(name): sympy.Float(value) for name, value in numbers.items()}
        found = sympy.sympify(expr)
        while found.atoms(sympy.Function) & self._laws.keys():
            found = found.xreplace(self._laws)
        found = self.mechanism.names.plain(found.xreplace(self._multipliers)).xreplace(symbols)
        if isinstance(found, sympy.MatrixBase):
            shape, found = found.shape, np.array(found.tolist(), dtype=float)
            return found.reshape(-1) if shape[1] == 1 else found.reshape(shape)
        return float(found)

    def speeds(self, numbers: dict[str, float] | int = 1) -> Any:
        """Return the generalized speeds."""
        return self.value(sympy.Matrix(self.mechanism.speeds), numbers)

    def rates(self, numbers: dict[str, float] | int = 1) -> Any:
        """Return the rates of the coordinates."""
        return self.value(sympy.Matrix(list(self.mechanism.kinematics.values())), numbers)

    def multipliers(self, numbers: dict[str, float] | int = 1) -> Any:
        """Return the forces of the constraints."""
        return self.value(sympy.Matrix(len(self._multipliers), 1, list(self._multipliers)), numbers)

    def at_speeds(self, scale: float, numbers: dict[str, float] | None = None) -> dict[str, float]:
        """Return the numbers with all speeds scaled."""
        numbers = numbers or self.numbers()
        return numbers | {name: scale * numbers[name] for name in self.mechanism.names.speeds}

    @cached_property
    def _laws(self) -> dict[Any, Any]:
        measured = self.mechanism.objects.measured
        return {symbol: law.xreplace(measured) for symbol, law in self.mechanism.laws.items()}

    @property
    def _multipliers(self) -> dict[Any, Any]:
        return {symbol: sympy.Symbol(str(symbol.func)) for symbol in self.mechanism.multipliers}


@pytest.fixture(scope="session")
def system_of() -> Any:
    return cache(System)


@pytest.fixture(params=SYSTEMS, scope="session")
def system(request: pytest.FixtureRequest, system_of: Any) -> System:
    return system_of(request.param)
