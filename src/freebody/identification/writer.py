"""The code of a regressor, verified, and the base parameters in its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from freebody.backends.constants import Constants
from freebody.backends.functions import Function
from freebody.backends.registry import load_backend
from freebody.graph.cells import Cell
from freebody.graph.code import Code
from freebody.identification.columns import Parameter, RegressorColumns
from freebody.identification.combinations import Combinations
from freebody.identification.exact import FieldColumns
from freebody.identification.loops import LoopColumns
from freebody.mechanics.mechanism import Mechanism
from freebody.programs.left_over import PASSIVE, Column, ReferenceEquations
from freebody.programs.ltdl import dot
from freebody.programs.verification import Verification
from freebody.programs.workspace import GROUPS, Workspace

MOVING = ("q", "u", "a", "constants")
ROUNDED = 1e-9
"""The part of a number up to which it counts as whole."""


class RegressorWriter:
    """Writes Y and what no parameter is a factor of.

    Parameters
    ----------
    moving : Mechanism
    full : bool
        Whether all ten parameters of each body are there.
    """

    def __init__(self, moving: Mechanism, *, full: bool) -> None:
        self.mechanism, self._full = moving, full
        self._columns = RegressorColumns(moving, full=full)
        self._workspace = Workspace(moving)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The parameters, a column of Y each."""
        return [one for one, _ in self._kept]

    @cached_property
    def _kept(self) -> list[tuple[Parameter, list[Cell]]]:
        """The parameters with their columns, without inertia that never turns."""
        columns = self._columns.columns(self._workspace.motion)
        pairs = zip(self._columns.parameters, columns, strict=True)
        return [
            (one, column)
            for one, column in pairs
            if self._full or any(column) or not one.is_inertia
        ]

    @cached_property
    def _remaining(self) -> list[Cell]:
        return self._columns.rest(self._workspace.motion)

    @cached_property
    def code(self) -> Code:
        """The code of Y.

        Raises
        ------
        ProgramError
            If Y π + rest is not what the balances of the free bodies take.
        """
        n, columns = len(self.mechanism.speeds), [column for _, column in self._kept]
        entries = [column[row] for row in range(n) for column in columns]
        whole = [*entries, *self._remaining]
        groups, size = self._groups((*MOVING, "inputs"), whole), (n, len(columns))
        self._verify(self._workspace.code("regressor", whole, groups=groups))
        title = "regressor Y of M u̇ + C + G + E = Y π + rest"
        return self._workspace.code(
            "regressor", entries, size, self._groups(MOVING, entries), title
        )

    @property
    def rest(self) -> Code | None:
        """The code of what no parameter is a factor of, where there is anything."""
        if not self._columns.has_rest:
            return None
        groups = self._groups(("inputs", "constants"), self._remaining)
        title = "what no parameter is a factor of"
        return self._workspace.code("rest", self._remaining, groups=groups, title=title)

    def _groups(self, always: Sequence[str], entries: Sequence[Cell]) -> list[str]:
        """Return the arguments of entries: some in any case, others where they are needed."""
        needed = {*always, *self._workspace.used(entries)}
        return [group for group in GROUPS if group in needed]

    def _verify(self, whole: Code) -> None:
        verification = Verification(self.mechanism, self._workspace.groups)
        verification.verify_by(whole, self._left_over)

    def _left_over(self, at: ReferenceEquations, entries: Column) -> Column:
        """Return Y π + rest less what the balances take."""
        values = at.at.values([one.value for one in self.parameters])
        n, width = len(self.mechanism.speeds), len(values)
        rows = [entries[row * width : (row + 1) * width] for row in range(n)]
        taken = at.balance(PASSIVE, at.accelerations)
        return [
            dot(row, values, at.zero) + rest - needed
            for row, rest, needed in zip(rows, entries[n * width :], taken, strict=True)
        ]

    def dependence(self) -> FieldColumns | LoopColumns:
        """Return what tells which columns follow from others."""
        if self.mechanism.multipliers:
            return self.in_numbers()
        leaves = [leaf for group in self.code.arguments for leaf in self._workspace.groups[group]]
        return FieldColumns(self.code, leaves, self._workspace.groups["constants"])

    def in_numbers(self) -> LoopColumns:
        """Return what tells it in double precision."""
        numpy = Function(self.code, load_backend("numpy"), Constants.of(self.mechanism.model))
        return LoopColumns(self._workspace, numpy)


# ------------------------------------------------------------------ base parameters


@dataclass(frozen=True)
class BaseParameter:
    """A combination of parameters that motions and forces tell.

    Attributes
    ----------
    combination : sympy.Expr
        A sum of parameters, whose symbols are their names.
    value : sympy.Expr
        The same in the constants of the model.
    independent : str
        The parameter that stands for it among the columns of the regressor.
    number : float or None
        Its value with the constants of the model, if these have one.
    unit : str
    """

    combination: sympy.Expr
    value: sympy.Expr
    independent: str
    number: float | None
    unit: str

    def __str__(self) -> str:
        return str(self.value if self.value.free_symbols else self.combination)


class BaseBuilder:
    """Writes the base parameters.

    Parameters
    ----------
    writer : RegressorWriter
    columns : FieldColumns or LoopColumns
    """

    def __init__(self, writer: RegressorWriter, columns: FieldColumns | LoopColumns) -> None:
        self.mechanism, self._writer = writer.mechanism, writer
        constants, model = self.mechanism.names.constants, self.mechanism.model.constants
        angles = frozenset(constants[name] for name in columns.used if model[name].unit == "rad")
        used = [constants[name] for name in columns.used]
        self._combinations = Combinations(columns, used, angles)

    @property
    def base(self) -> list[BaseParameter]:
        """The base parameters, in the order of the columns that stand for them."""
        written = self._combinations.written
        return [
            self._of(column, {d: c for (d, pivot), c in written.items() if pivot == column})
            for column in self._combinations.independent
        ]

    def _of(self, column: int, others: Mapping[int, sympy.Expr | None]) -> BaseParameter:
        own = self._writer.parameters[column]
        combination, value = own.symbol, own.value
        for place, coefficient in others.items():
            other = self._writer.parameters[place]
            times = self._number(place, column) if coefficient is None else coefficient
            combination += times * other.symbol
            value += times * other.value
        value = sympy.expand(value)
        known = {
            str(symbol) for symbol in value.free_symbols
        } <= self.mechanism.names.values().keys()
        number = float(numbers(self.mechanism, [value], None)[0]) if known else None
        return BaseParameter(combination, value, own.name, number, own.unit)

    def _number(self, dependent: int, independent: int) -> sympy.Expr:
        """Return a coefficient that is not written in the constants as a number, for their values.

        Where constants have no values it is a symbol of its own.
        """
        if self._in_numbers is None:
            return sympy.Symbol(f"c_{dependent + 1}_{independent + 1}")
        value = self._in_numbers.get((dependent, independent), 0.0)
        whole = round(value)
        near = abs(value - whole) <= ROUNDED * abs(whole)
        return sympy.Integer(whole) if near else sympy.Float(value, 10)

    @cached_property
    def _in_numbers(self) -> Mapping[tuple[int, int], float] | None:
        """The coefficients with the constants of the model, if these have values."""
        return self._writer.in_numbers().at_model(self._combinations.independent)


def numbers(
    moving: Mechanism,
    wanted: Sequence[sympy.Expr],
    constants: Mapping[str, float] | None,
    own: Constants | None = None,
) -> np.ndarray[Any, Any]:
    """Return what expressions of constants are worth.

    `own` are the constants of the model, where they are at hand: to read them takes longer.

    Raises
    ------
    ArgumentError
        If a constant is unknown, or one has no value.
    """
    used = {str(symbol) for expr in wanted for symbol in expr.free_symbols}
    vector = (own or Constants.of(moving.model)).vector(dict(constants or {}), used)
    known = dict(zip(moving.names.constants.values(), np.ravel(vector).tolist(), strict=True))
    return np.array([float(expr.xreplace(known)) for expr in wanted])
