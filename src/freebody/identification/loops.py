"""Which columns of a regressor follow from others where constraints hold: at random such motions.

The coordinates of a closed loop are roots of polynomials, which a prime field seldom has; so they
are found in double precision, and columns count as dependent by the gap in what is left of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import sympy

from freebody.algebra.angles import name_of
from freebody.algebra.fields import Draws
from freebody.algebra.prime import PRIME
from freebody.arrays import Array
from freebody.backends.functions import Function, function
from freebody.errors import DerivationError
from freebody.graph.derivatives import jacobian
from freebody.identification.exact import Coefficients, Numbers
from freebody.programs.workspace import Workspace

MORE = 3
"""How many times as many motions are drawn as there are columns."""
STEPS = 30
"""Of Newton's method, at the most."""
ROUNDED = 1e-9
"""Below this part of the largest, a singular value counts as zero."""
CLOSED = 1e-12
"""Up to what residual a loop counts as closed."""
LEFT = 1e-8
"""Which part of a column that is left over by others counts as nothing."""
EXACT = 1e-7
"""To which part of itself a coefficient must be a sum of products of constants."""
DENOMINATOR = 64
SPREAD = 0.1
"""By which part constants are varied."""
SWING = 0.5
"""How far motions are drawn about the initial position, in rad or m."""


class LoopColumns:
    """The columns of a regressor along random motions that obey the constraints.

    Parameters
    ----------
    workspace : Workspace
    regressor : Function
        By numpy.
    """

    def __init__(self, workspace: Workspace, regressor: Function) -> None:
        self._workspace, self._regressor = workspace, regressor
        self._mechanism = workspace.mechanism
        self._names = [str(symbol) for symbol in workspace.groups["constants"]]
        self.gap, self._spread = (1.0, 0.0), SPREAD

    @property
    def proof(self) -> str:
        """How independence was decided."""
        kept, dropped = self.gap
        return (
            "in double precision at random motions that obey the constraints: of independent "
            f"columns at least {kept:.0e} is left by the others, of dependent ones at most "
            f"{dropped:.0e}"
        )

    @property
    def used(self) -> list[str]:
        """The constants that columns and constraints depend on."""
        codes = (self._regressor.code, self._constraints.code)
        needed = {name for code in codes for name in code.needed("constants")}
        return [name for name in self._names if name in needed]

    def dependence(self, varied: Mapping[str, int]) -> tuple[list[int], Coefficients]:
        """Return the columns that are independent, and what the others have of them.

        Raises
        ------
        DerivationError
            If too few motions are found that obey the constraints.
        """
        rows = self._rows(varied)
        sizes = np.linalg.norm(rows, axis=0)
        pivots, coefficients = list[int](), Coefficients()
        basis = np.zeros((len(rows), 0))
        kept, dropped = self.gap
        for column, size in enumerate(sizes):
            of = rows[:, column]
            left = of - basis @ (basis.T @ of)
            left = left - basis @ (basis.T @ left)
            part = np.linalg.norm(left) / size if size > LEFT * sizes.max() else 0.0
            if part > LEFT:
                kept = min(kept, part)
                basis = np.column_stack([basis, left / np.linalg.norm(left)])
                pivots.append(column)
                continue
            dropped = max(dropped, part)
            if size > LEFT * sizes.max():
                values, *_ = np.linalg.lstsq(rows[:, pivots], of)
                significant = np.abs(values) * sizes[pivots] > LEFT * size
                pairs = zip(pivots, values, significant, strict=True)
                coefficients |= {(column, pivot): float(v) for pivot, v, is_one in pairs if is_one}
        self.gap = (kept, dropped)
        return pivots, coefficients

    def at_model(self, independent: Sequence[int]) -> Coefficients | None:
        """Return what columns have of those that are independent, with the model's constants.

        What is nothing in double precision is left out: the sine of an angle that was rounded.
        There are none where a constant has no value.
        """
        values = self._mechanism.names.values()
        if not {*self._regressor.code.needed("constants")} <= values.keys():
            return None
        self._spread = 0.0
        rows = self._rows({})
        sizes = np.linalg.norm(rows, axis=0)
        scaled = rows / np.where(sizes > 0, sizes, 1.0)
        parts, *_ = np.linalg.lstsq(scaled[:, independent], scaled, rcond=LEFT)
        return {
            (column, pivot): float(parts[number, column] * sizes[column] / sizes[pivot])
            for column in set(range(rows.shape[1])) - set(independent)
            for number, pivot in enumerate(independent)
            if abs(parts[number, column]) > LEFT
        }

    def constants(self, wanted: Sequence[sympy.Expr], varied: Mapping[str, int]) -> list[float]:
        """Return the values of what is made of constants."""
        symbols = self._workspace.groups["constants"]
        values = dict(zip(symbols, self._constants(varied).tolist(), strict=True))
        return [float(expr.xreplace(values)) for expr in wanted]

    def fit(self, rows: Sequence[Sequence[float]], values: Sequence[float]) -> Numbers | None:
        """Return the simple fractions x of ``rows x = values``, if there are any."""
        matrix, right = np.array(rows), np.array(values)
        solved, *_ = np.linalg.lstsq(matrix, right)
        numbers = [Fraction(x).limit_denominator(DENOMINATOR) for x in solved.tolist()]
        again = matrix @ np.array([float(x) for x in numbers])
        if np.abs(again - right).max() > EXACT * np.abs(right).max():
            return None
        return [sympy.Rational(x.numerator, x.denominator) for x in numbers]

    def differ(self, one: float, other: float) -> bool:
        """Return whether two coefficients are different."""
        return abs(one - other) > EXACT * max(abs(one), abs(other))

    # ------------------------------------------------------------------ motions

    def _constants(self, varied: Mapping[str, int]) -> Array:
        """Return the constants, those that are varied with other values than the model's."""
        model = self._mechanism.names.values()
        values = []
        for symbol, name in zip(self._workspace.groups["constants"], self._names, strict=True):
            drawn = Draws(varied.get(name_of(symbol), 0)).draw(name) / PRIME - 0.5
            values.append(model.get(name, 1.0) * (1 + self._spread * drawn))
        return np.array(values)

    def _rows(self, varied: Mapping[str, int]) -> Array:
        speeds, width = self._regressor.shape
        free = max(1, speeds - len(self._mechanism.dependent))
        constants, random = self._constants(varied), np.random.default_rng(0)
        wanted = MORE * -(-width // free) + MORE
        rows = list[Array]()
        for _ in range(10 * wanted):
            row = self._drawn(random, constants)
            rows += [] if row is None else [row]
            if len(rows) == wanted:
                return np.concatenate(rows)
        raise DerivationError(
            f"too few motions were found that obey the constraints: {len(rows)} near the initial "
            "position; expected constants with values, and a position that can be closed"
        )

    def _drawn(self, random: np.random.Generator, constants: Array) -> Array | None:
        """Return the regressor along the free speeds at a motion, None if none is near."""
        n = len(self._mechanism.speeds)
        q = self._initial + random.uniform(-SWING, SWING, n)
        given: dict[str, Any] = {"t": random.uniform(), "q": q, "constants": constants}
        given |= {name: random.normal(size=n) for name in ("u", "a")}
        given["inputs"] = random.normal(size=len(self._mechanism.model.inputs))
        if not self._mechanism.multipliers:
            return np.asarray(self._regressor.of(given))
        if not self._close(given):
            return None
        J, rate = self._of(given)[2:4]
        inverse = np.linalg.pinv(J, rcond=ROUNDED)
        given["u"] = given["u"] - inverse @ rate
        given["a"] = given["a"] - inverse @ (self._of(given)[4] + J @ given["a"])
        free = np.linalg.svd(J)[2][len(self._mechanism.dependent) :]
        return np.asarray(free @ self._regressor.of(given))

    def _close(self, given: dict[str, Any]) -> bool:
        """Move the coordinates to where the constraints between them hold."""
        for _ in range(STEPS):
            residual, slopes, *_ = self._of(given)
            if not np.isfinite(residual).all():
                return False
            if np.abs(residual).max(initial=0.0) < CLOSED:
                return True
            given["q"] = given["q"] - np.linalg.pinv(slopes, rcond=ROUNDED) @ residual
        return False

    @cached_property
    def _initial(self) -> Array:
        values = (entry.initial for entry in self._mechanism.model.coordinates.values())
        known = self._mechanism.names.values()
        symbols = {self._mechanism.names.constants[name]: v for name, v in known.items()}
        read = (self._mechanism.read(0 if value is None else value) for value in values)
        return np.array([float(one.xreplace(symbols)) for one in read])

    def _of(self, given: Mapping[str, Any]) -> list[Array]:
        """Return residual, its derivatives by q, J, J u + j and what J u̇ is the opposite of."""
        n, m = len(self._mechanism.speeds), len(self._mechanism.multipliers)
        h = len(self._holonomic)
        values = self._constraints.of(given)
        parts = np.split(values, np.cumsum([h, h * n, m * n, m]))
        return [parts[0], parts[1].reshape(h, n), parts[2].reshape(m, n), *parts[3:]]

    @property
    def _holonomic(self) -> list[int]:
        return [place for place, one in enumerate(self._mechanism.equations) if one.holonomic]

    @cached_property
    def _constraints(self) -> Function:
        work = self._workspace
        rows = work.constraint_rows
        residual = [rows["residual"][place] for place in self._holonomic]
        slopes = chain.from_iterable(jacobian(work.graph, residual, work.cells["q"]))
        entries = [*residual, *slopes, *rows["J"], *rows["rate"], *rows["gamma"]]
        groups = ("t", "q", "u", "constants")
        return function(work, "constraints", entries, groups, "numpy")
