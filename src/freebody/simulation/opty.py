"""A model handed over to opty, for optimal control and identification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.arguments import checked
from freebody.backends.errors import BackendError
from freebody.errors import SimulationError
from freebody.mechanics import derive
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism


@checked
def opty_problem(
    model: AnyModel,
    objective: Any,
    gradient: Any,
    nodes: int,
    interval: Any,
    *,
    constants: Mapping[str, float] | None = None,
    unknown: Sequence[str] = (),
    **options: Any,
) -> Any:
    """Return an `opty.Problem` with the equations of motion of a model.

    Its states are the coordinates, then the speeds; its unknown trajectories are the inputs, in
    declared order.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Without constraints.
    objective, gradient : callable
        Of opty's vector of free variables.
    nodes : int
        How many times the motion is looked at.
    interval : float or sympy.Symbol
        The time between two of them, in s; a symbol where it is to be found.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.
    unknown : sequence of str, optional
        Constants that are to be found.
    **options
        What else opty takes: ``instance_constraints``, ``bounds``, ``integration_method`` ...

    Returns
    -------
    opty.Problem

    Raises
    ------
    BackendError
        If opty is not installed.
    SimulationError
        If a constant has no value, or the model has constraints.

    References
    ----------
    Moore and van den Bogert, opty: Software for trajectory optimization and parameter
    identification using direct collocation, Journal of Open Source Software 3(21), 2018.
    """
    try:
        from opty import Problem
    except ModuleNotFoundError as error:
        raise BackendError(
            f'opty is not installed ({error}): pip install "freebody[opty]"'
        ) from None
    moving = mechanism(model)
    equations = equations_of_motion(moving)
    return Problem(
        objective,
        gradient,
        equations,
        (*moving.coordinates, *moving.speeds),
        nodes,
        interval,
        known_parameter_map=_known(moving, equations, constants or {}, unknown),
        time_symbol=dynamicsymbols._t,
        **options,
    )


def equations_of_motion(mechanism: Mechanism) -> sympy.Matrix:
    """Return what vanishes along a motion: q̇ - N u - n, then M u̇ + C + G + E - τ.

    Raises
    ------
    SimulationError
        If the model has constraints.
    """
    if mechanism.multipliers:
        raise SimulationError(
            "expected a model without constraints, whose equations have no multipliers"
        )
    found = derive(mechanism)
    forces = found.M * sympy.Matrix(mechanism.accelerations) + found.C + found.G + found.E
    pairs = zip(mechanism.coordinates, mechanism.kinematics.values(), strict=True)
    rates = [q.diff(dynamicsymbols._t) - rate for q, rate in pairs]
    return sympy.Matrix([*rates, *(forces - found.tau)]).xreplace({**found.laws})


def _known(
    mechanism: Mechanism,
    equations: sympy.Matrix,
    constants: Mapping[str, float],
    unknown: Sequence[str],
) -> dict[sympy.Symbol, float]:
    """Return the values of the constants in the equations, but for those that are to be found."""
    names = mechanism.names
    used = {str(symbol) for symbol in equations.free_symbols} & names.constants.keys()
    values = names.values(constants)
    missing = sorted(used - values.keys() - {*unknown})
    if missing:
        raise SimulationError("; ".join(f"constant '{name}' has no value" for name in missing))
    return {names.constants[name]: values[name] for name in sorted(used - {*unknown})}
