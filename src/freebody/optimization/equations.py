"""The equations of a model as functions of CasADi, each with the arguments by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy

from freebody.backends.compile import Functions
from freebody.backends.functions import function
from freebody.errors import ExpressionError, SimulationError, absent
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import AXES
from freebody.optimization.muscles import ExcitedMuscles
from freebody.programs.workspace import GROUPS, Workspace

Given = Mapping[str, Any]
PLACED = ("position", "velocity")


class ModelEquations:
    """What a motion obeys, and what may be asked of it, on values of CasADi.

    Parameters
    ----------
    moving : Mechanism
    laws : mapping of str to sympy.Expr
        The inputs that follow one; all others are sought.
    muscles : ExcitedMuscles, optional
        Which are excited, so that their tensions are not sought.
    """

    def __init__(
        self,
        moving: Mechanism,
        laws: Mapping[str, sympy.Expr],
        muscles: ExcitedMuscles | None = None,
    ) -> None:
        self.mechanism, self.muscles = moving, muscles
        self._more = muscles.symbols if muscles else {}
        self._functions = Functions(moving, "casadi")
        self._workspace = Workspace(moving, self._more)
        self._pulled = muscles.tensions if muscles else {}
        self.sought = sought_inputs(moving, {*laws, *self._pulled})
        self._laws = [(name, laws.get(name)) for name in moving.names.inputs]
        self._kept: dict[Any, Any] = {}

    def of(self, name: str, given: Given) -> Any:
        """Return an output of `freebody.compile`."""
        if name not in self._kept:
            self._kept[name] = self._functions[name].native
        return self._called(self._kept[name], given)

    def along(self, work: Callable[[Given], Any], given: Given) -> Any:
        """Return what is worked out at one time for each of many, in columns.

        Parameters
        ----------
        work : callable
            Takes what is known at one time, with all inputs.
        given : mapping of str
            Values of CasADi with a column for each time, or one for all of them.
        """
        import casadi

        one = {name: casadi.MX.sym(name, of.shape[0]) for name, of in given.items()}
        taken = [name for name, symbol in one.items() if symbol.numel()]
        entries = work({**one, "inputs": self.inputs(one["controls"], one)})
        function = casadi.Function("at", [one[name] for name in taken], [casadi.MX(entries)])
        return function(*(given[name] for name in taken))

    def expression(self, text: Any, given: Given) -> Any:
        """Return what an expression of the model's names is, a place's components among them.

        Raises
        ------
        ExpressionError
            If it is none.
        """
        name = str(text)
        if name.rpartition(".")[0].partition(".")[0] in PLACED and name[-1] in AXES:
            head, _, axis = name.rpartition(".")
            return self.of(head, given)[AXES.index(axis)]
        measures = self.muscles.measures if self.muscles else None
        expr = sympy.sympify(self.mechanism.read(text, measures), strict=True)
        return self.values([expr], given)

    def values(self, expressions: Sequence[sympy.Expr], given: Given) -> Any:
        """Return expressions of the model's symbols, in a column."""
        key = tuple(expressions)
        if key not in self._kept:
            cells = self._workspace.graph.values(expressions)
            self._kept[key] = self._native("expressions", cells)
        return self._called(self._kept[key], given)

    def _native(self, name: str, cells: Sequence[Any]) -> Callable[..., Any]:
        groups = [group for group in (*GROUPS, *self._more) if group in self._workspace.used(cells)]
        return function(self._workspace, name, cells, groups or ["t"], "casadi").native

    def _called(self, native: Any, given: Given) -> Any:
        return native(*(given[native.name_in(place)] for place in range(native.n_in())))

    # ------------------------------------------------------------------ motion

    def inputs(self, controls: Any, given: Given) -> Any:
        """Return all inputs: those that are sought as controls, tensions, and others by laws."""
        import casadi

        own = iter(casadi.vertsplit(controls) if self.sought else [])
        tension = self._tension(given)
        return casadi.vertcat(
            *(
                tension[self._pulled[name]]
                if name in self._pulled
                else next(own)
                if law is None
                else self.values([law], given)
                for name, law in self._laws
            )
        )

    def _tension(self, given: Given) -> Any:
        if self.muscles is None:
            return None
        length, rate = self._paths(given)
        return self.muscles.tension(length, rate, given["activation"], given["fibers"])

    def _paths(self, given: Given) -> tuple[Any, Any]:
        """Return lengths of muscles and their rates."""
        length, rate = self.of("muscle_lengths", given), -self.of("moment_arms", given).T
        rate = rate @ given["u"]
        if self.mechanism.model.prescribed:
            rate += self.of("muscle_lengths/t", given)
        return length, rate

    def unbalanced(self, given: Given) -> Any:
        """Return by how much fibres pull otherwise than their elastic tendons."""
        if self.muscles is None or not self.muscles.sizes["fibers"]:
            return None
        parts = (given[name] for name in ("activation", "fibers", "fiber_velocity"))
        return self.muscles.unbalanced(self.of("muscle_lengths", given), *parts)

    def rates(self, given: Given) -> Any:
        """Return q̇."""
        return self.values(list(self.mechanism.kinematics.values()), given)

    def balance(self, given: Given) -> Any:
        """Return M u̇ + C + G + E - τ - Jᵀ λ, and J u̇ + γ, which both vanish."""
        import casadi

        left = self.of("inverse_dynamics", given) - self.of("actuation", given)
        if not self.mechanism.multipliers:
            return left
        J = self.of("constraint_matrix", given)
        gamma = self._called(self._gamma, given)
        return casadi.vertcat(left - J.T @ given["multipliers"], J @ given["a"] + gamma)

    def closed(self, given: Given) -> Any:
        """Return what is left of the constraints between coordinates and between speeds."""
        return self._called(self._closed, given)

    @cached_property
    def _gamma(self) -> Any:
        return self._native("gamma", self._workspace.constraint_rows["gamma"])

    @cached_property
    def _closed(self) -> Any:
        rows = self._workspace.constraint_rows
        pairs = zip(rows["residual"], self.mechanism.equations, strict=True)
        positions = [row for row, one in pairs if one.holonomic]
        return self._native("closed", [*positions, *rows["rate"]])

    # ------------------------------------------------------------------ constants

    def constants(self, values: Mapping[str, float], free: Mapping[str, Any]) -> Any:
        """Return all constants, of which some are sought and others follow them.

        Parameters
        ----------
        values : mapping of str to float
            Of all constants.
        free : mapping of str
            Those that are sought, as values of CasADi.
        """
        import casadi

        symbols = self.mechanism.names.constants
        first = casadi.vertcat(*(free.get(name, values[name]) for name in symbols))
        if not free:
            return first
        meanings: dict[str, sympy.Expr] = {name: symbols[name] for name in free}
        for name in symbols:
            self._meaning(name, meanings, values)
        return self.values([meanings[name] for name in symbols], {"constants": first})

    def _meaning(
        self, name: str, known: dict[str, sympy.Expr], values: Mapping[str, float]
    ) -> sympy.Expr:
        """Return what a constant is in those that are sought."""
        if name not in known:
            text = self.mechanism.model.constants[name].value
            expr = sympy.sympify(self.mechanism.read(text), strict=True)
            parts = {one: self._meaning(str(one), known, values) for one in expr.free_symbols}
            whole = expr.xreplace(parts)
            known[name] = whole if whole.free_symbols else sympy.Float(values[name])
        return known[name]


def sought_inputs(moving: Mechanism, known: Container[str]) -> list[str]:
    """Return the inputs that are sought: those of which nothing is known."""
    return [name for name in moving.names.inputs if name not in known]


def sought_laws(moving: Mechanism, laws: Mapping[str, Any]) -> dict[str, sympy.Expr]:
    """Return the laws of the inputs that are not sought.

    Raises
    ------
    SimulationError
        If there is no such input, or its law is none.
    """
    read = {}
    for name, law in laws.items():
        if name not in moving.names.inputs:
            raise SimulationError(absent("input", name, moving.names.inputs))
        try:
            read[name] = sympy.sympify(moving.read(law), strict=True)
        except ExpressionError as error:
            raise SimulationError(f"input '{name}': {error}") from None
    return read
