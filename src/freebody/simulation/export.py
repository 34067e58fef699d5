"""A model handed over to others: to pydy as a System, to opty as a Problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.errors import ArgumentError, BackendError, DerivationError, SimulationError, lacking
from freebody.mechanics import derive
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model.names import speed_names
from freebody.motion.motion import Motion
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.inputs import AnyInitial, AnyInputs
from freebody.simulation.setup import Setup, start_of
from freebody.simulation.simulate import simulate

if TYPE_CHECKING:
    from pydy.system import System


@checked
def pydy_system(
    model: AnyModel,
    duration: float | None = None,
    *,
    step: float = 0.01,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: AnyInputs | None = None,
) -> System:
    """Return a model as a `pydy.system.System`, with times, constants, inputs and initial state.

    It is one over a `KanesMethod` on the model's own frames, points and bodies, as
    `Mechanism.kanes_method` gives it: pydy generates the code of the rates by itself. Constraints
    are kept by their second derivatives alone. `freebody.simulate` has no limit of the size, keeps
    constraints, and is much faster.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Whose motion does not depend on time but by its inputs.
    duration, step, constants, initial, inputs : optional
        See `freebody.simulate`. Each input is one of the system's ``specifieds``.

    Returns
    -------
    pydy.system.System
        Its state holds the coordinates (n,), then the speeds (n,).

    Raises
    ------
    DerivationError
        If the model is too large for sympy's KanesMethod, or depends on time by itself.
    SimulationError
        If something has no value, or the constraints cannot be met.

    Examples
    --------
    >>> import freebody
    >>> system = freebody.pydy_system("pendulum", 1)
    >>> system.integrate().shape
    (101, 2)
    """
    from pydy.system import System

    moving = mechanism(model)
    start = start_of(moving, duration, step, constants, initial, inputs)
    setup, method = start.setup, moving.kanes_method()
    _expect_timeless(moving, method)
    states = [*moving.coordinates, *moving.speeds]
    symbols = {moving.names.constants[name]: value for name, value in setup.constants.items()}
    consistent = Dynamics(moving, setup).consistent(setup.state)
    state = dict(zip(states, consistent.tolist(), strict=True))
    system = System(method, initial_conditions=state, times=start.times)
    system.constants = {symbol: symbols[symbol] for symbol in system.constants_symbols}
    ordered = [*system.coordinates, *system.speeds]
    system.specifieds = {
        moving.names.inputs[name]: _input(name, setup, ordered, symbols)
        for name in setup.inputs
        if moving.names.inputs[name] in system.specifieds_symbols
    }
    return system


def _expect_timeless(moving: Mechanism, method: Any) -> None:
    time = dynamicsymbols._t
    if any(part.has(time) for part in _free(moving, method)):
        raise DerivationError(
            f"'{moving.model.title}' depends on time by itself, which pydy's code does not take: "
            "expected it to be driven by inputs; freebody.simulate follows it"
        )


def _free(moving: Mechanism, method: Any) -> list[sympy.Expr]:
    """Return the parts of the equations, what is a function of time as a plain symbol."""
    functions = (*moving.coordinates, *moving.speeds, *moving.names.inputs.values())
    known = {of.diff(dynamicsymbols._t): sympy.Dummy() for of in functions}
    plain = {of: sympy.Dummy() for of in functions}
    parts = (*method.mass_matrix_full, *method.forcing_full)
    return [part.xreplace(known).xreplace(plain) for part in parts]


def _input(
    name: str, setup: Setup, states: list[Any], constants: Mapping[Any, float]
) -> Callable[[Array, float], Any]:
    """Return an input as a function of the state and of time."""
    if name in setup.sampled:
        return lambda _, t: setup.sampled[name].spline(t)
    time = dynamicsymbols._t
    law = sympy.lambdify([[*states], time], setup.inputs[name].xreplace({**constants}))
    return lambda x, t: law(x, t)


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
        The number of collocation nodes.
    interval : float or sympy.Symbol
        The time between two of them, in s; a symbol where it is to be found.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.
    unknown : sequence of str, optional
        Constants that are to be found; what is defined by them follows.
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
    equations = equations_of_motion(moving).xreplace(_following(moving, unknown))
    return Problem(
        objective,
        gradient,
        equations,
        (*moving.coordinates, *moving.speeds),
        nodes,
        interval,
        known_parameter_map=_known_parameters(moving, equations, constants or {}, unknown),
        time_symbol=dynamicsymbols._t,
        **options,
    )


@checked
def opty_motion(model: AnyModel, problem: Any, solution: Array) -> Motion:
    """Return the motion that opty has found, and how far a simulation is off it.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Of which the problem is.
    problem : opty.Problem
        Of `opty_problem`.
    solution : array, shape (free variables,)
        What its ``solve`` returns.

    Returns
    -------
    Motion
        At opty's nodes, from the time 0, with the accelerations of the model; in ``choices``,
        ``simulated`` tells how far off a simulation is that begins as it does, and has its inputs,
        with splines between the nodes.

    Raises
    ------
    ArgumentError, SimulationError, MotionError
        If the problem is none or one of another model, or the model cannot be simulated so.
    """
    moving = mechanism(model)
    collocator = getattr(problem, "collocator", None)
    symbols = (*moving.coordinates, *moving.speeds)
    if collocator is None:
        raise ArgumentError(f"problem: expected one of opty, found a {type(problem).__name__}")
    if tuple(collocator.state_symbols) != symbols:
        raise SimulationError(f"expected a problem with the states {', '.join(map(str, symbols))}")
    solution = np.asarray(solution, dtype=np.float64)
    states, inputs, found, *_ = problem.parse_free(solution)
    times, n = problem.time_vector(solution), len(moving.coordinates)
    free = zip(collocator.unknown_parameters, np.atleast_1d(found), strict=False)
    values = {str(one): float(of) for one, of in collocator.known_parameter_map.items()}
    values |= {str(one): float(of) for one, of in free}
    rows = zip(collocator.unknown_input_trajectories, np.atleast_2d(inputs), strict=False)
    driven = {str(one.func): (times, row) for one, row in rows}
    q, u = states[:n].T, states[n:].T
    labels = [*moving.model.coordinates, *speed_names(moving.model)]
    run = simulate(
        moving,
        float(times[-1]),
        step=float(times[1] - times[0]),
        constants=values,
        initial=dict(zip(labels, states[:, 0].tolist(), strict=True)),
        inputs=driven,
        max_drift=np.inf,
        unchecked=True,
    )
    off = np.abs(run["coordinates"].to_numpy() - q).max(axis=0)
    worst = int(off.argmax())
    how = f"from its first state with its inputs, up to {off[worst]:.2g} off ({labels[worst]})"
    data = {"t": times, "q": q, "u": u, "constants": values}
    data["inputs"] = np.array([row for _, row in driven.values()]).reshape(-1, len(times)).T
    motion = _motion(moving, data)
    return replace(motion, choices={**motion.choices, "simulated": how})


def _motion(moving: Mechanism, data: Mapping[str, Any]) -> Motion:
    """Return a motion, with speeds and accelerations where they are those of coordinates."""
    names = list(moving.model.coordinates)
    units = {name: entry.unit for name, entry in moving.model.coordinates.items()}
    exact: dict[str, Any] = {}
    if not moving.model.speeds:
        rates = Functions(moving, "numpy")["accelerations"].of(data)
        parts = {"speeds": data["u"], "accelerations": rates}
        exact = {kind: dict(zip(names, of.T, strict=True)) for kind, of in parts.items()}
    columns = dict(zip(names, data["q"].T, strict=True))
    return Motion.of(data["t"], columns, unit=units, source="a solution of opty", **exact)


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
    equations = derive(mechanism)
    forces = (
        equations.M * sympy.Matrix(mechanism.accelerations)
        + equations.C
        + equations.G
        + equations.E
    )
    pairs = zip(mechanism.coordinates, mechanism.kinematics.values(), strict=True)
    rates = [q.diff(dynamicsymbols._t) - rate for q, rate in pairs]
    return sympy.Matrix([*rates, *(forces - equations.tau)]).xreplace({**equations.laws})


def _following(mechanism: Mechanism, unknown: Sequence[str]) -> dict[sympy.Expr, sympy.Expr]:
    """Return what constants that are defined by unknown ones are in them."""
    symbols, follows = mechanism.names.constants, dict[sympy.Expr, sympy.Expr]()
    sought = {symbols[name] for name in unknown if name in symbols}

    def meaning(name: str) -> sympy.Expr:
        text = mechanism.model.constants[name].value
        if name in unknown or not isinstance(text, str):
            return symbols[name]
        expr = sympy.sympify(mechanism.read(text), strict=True)
        whole = expr.xreplace({one: meaning(str(one)) for one in expr.free_symbols})
        return whole if whole.free_symbols & sought else symbols[name]

    for name, symbol in symbols.items():
        if (whole := meaning(name)) != symbol:
            follows[symbol] = whole
    return follows


def _known_parameters(
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
        raise SimulationError("; ".join(lacking("constant", missing)))
    return {names.constants[name]: values[name] for name in sorted(used - {*unknown})}
