"""What a simulation starts from: numbers for everything that needs one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import sympy

from freebody.errors import ExpressionError, SimulationError, nearest
from freebody.mechanics.mechanism import Mechanism
from freebody.model.review import review
from freebody.simulation.numeric import Array

Value = str | int | float


@dataclass(frozen=True)
class Setup:
    """The numbers of one simulation.

    Attributes
    ----------
    constants : dict of str to float
        In declared order.
    state : array, shape (2 n,)
        Initial coordinates and speeds.
    inputs : dict of str to sympy.Expr
        Each input as an expression of time, coordinates, speeds and constants.
    """

    constants: dict[str, float]
    state: Array
    inputs: dict[str, sympy.Expr]


def prepare(
    mechanism: Mechanism,
    constants: Mapping[str, float],
    initial: Mapping[str, Value],
    inputs: Mapping[str, Value],
) -> Setup:
    """Gather all numbers that a simulation needs, from the model and from what is given.

    Raises
    ------
    SimulationError
        With everything that has no value or an unknown name.
    """
    problems = _unfit(mechanism, constants)
    known = {} if problems else mechanism.names.values(constants)
    if not problems:
        unset = [name for name in mechanism.names.constants if name not in known]
        problems = [f"constant '{name}' has no value" for name in unset]
    laws, wrong_inputs = _laws(mechanism, inputs)
    state, wrong_state = _state(mechanism, initial, known if not problems else None)
    problems += [*wrong_inputs, *wrong_state]
    if problems:
        raise SimulationError("; ".join(problems))
    return Setup(known, np.array(state), laws)


def _unfit(mechanism: Mechanism, given: Mapping[str, float]) -> list[str]:
    """Return what is wrong with constants, or with a model that has them."""
    model = mechanism.model
    unknown = _unknown("constant", given, model.constants)
    if unknown:
        return unknown
    constants = {
        name: entry.model_copy(update={"value": given.get(name, entry.value)})
        for name, entry in model.constants.items()
    }
    unused = {f"constants.{name}" for name in constants}  # now that others have values
    found = review(model.model_copy(update={"constants": constants}))
    return [str(problem) for problem in found if problem.where not in unused]


def _laws(
    mechanism: Mechanism, given: Mapping[str, Value]
) -> tuple[dict[str, sympy.Expr], list[str]]:
    """Read the inputs as expressions."""
    declared = mechanism.model.inputs
    laws, problems = {}, _unknown("input", given, declared)
    for name, entry in declared.items():
        value = given.get(name, entry.value)
        if value is None:
            problems.append(f"input '{name}' has no value")
            continue
        try:
            laws[name] = _law(mechanism, value)
        except ExpressionError as error:
            problems.append(f"input '{name}': {error}")
    return laws, problems


def _law(mechanism: Mechanism, value: Value) -> sympy.Expr:
    law = mechanism.names.read(value)
    inputs = set(mechanism.names.inputs.values())
    if law.atoms(sympy.core.function.AppliedUndef) & inputs:
        raise ExpressionError(f"'{value}' uses an input; expected time, coordinates and speeds")
    return law


def _state(
    mechanism: Mechanism, given: Mapping[str, Value], constants: Mapping[str, float] | None
) -> tuple[list[float], list[str]]:
    """Work out the initial coordinates and speeds, as far as the constants are known."""
    entries = mechanism.model.coordinates
    declared: dict[str, Value | None] = {name: entry.initial for name, entry in entries.items()}
    declared |= {f"{name}_dot": entry.initial_speed for name, entry in entries.items()}
    problems = _unknown("coordinate or speed", given, declared)
    state: list[float] = []
    for name, initial in declared.items():
        value = given.get(name, initial)
        if value is None:
            problems.append(f"coordinate '{name}' has no initial value")
            continue
        if constants is None:
            continue
        try:
            state.append(mechanism.names.number(value, constants))
        except ExpressionError as error:
            problems.append(f"initial value of '{name}': {error}")
    return state, problems


def _unknown(what: str, given: Iterable[str], known: Mapping[str, object]) -> list[str]:
    return [
        f"there is no {what} '{name}'{nearest(name, known)}" for name in given if name not in known
    ]
