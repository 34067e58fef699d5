from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from freebody.algebra import Ring
from freebody.mechanics import Equations, derive, mechanism
from freebody.model import load, shipped

OWN = {path.stem: path for path in sorted((Path(__file__).parent / "models").glob("*.toml"))}


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
        """Return a random number for each name: positive ones for the constants."""
        random, names = np.random.default_rng(seed), self.mechanism.names
        moving = (*names.coordinates, *names.speeds, *names.accelerations, *names.inputs)
        return {
            **dict(zip(moving, random.uniform(-1, 1, len(moving)), strict=True)),
            **dict(zip(names.constants, random.uniform(0.5, 1.5, 99), strict=False)),
        }

    def value(self, expr: Any, numbers: dict[str, float] | int = 1) -> Any:
        """Return the number, or the array, that an expression, or a matrix, has."""
        if isinstance(numbers, int):
            numbers = self.numbers(numbers)
        symbols = {sympy.Symbol(name): sympy.Float(value) for name, value in numbers.items()}
        found = self.mechanism.names.plain(sympy.sympify(expr)).xreplace(symbols)
        if isinstance(found, sympy.MatrixBase):
            found = np.array(found.tolist(), dtype=float)
            return found[:, 0] if found.shape[1] == 1 else found
        return float(found)


@pytest.fixture(scope="session")
def system_of() -> Any:
    return cache(System)


@pytest.fixture(params=[*shipped(), *OWN], scope="session")
def system(request: pytest.FixtureRequest, system_of: Any) -> System:
    return system_of(request.param)
