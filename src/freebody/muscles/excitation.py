"""Motions that muscles make when they are excited.

Beside coordinates and speeds, the activation of each muscle is integrated, and the length of its
fibres where its tendon is elastic.

References
----------
De Groote, Kinney, Rao and Fregly, Evaluation of direct collocation optimal control problem
formulations for solving the muscle redundancy problem, 2016.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.backends.compiler import has_compiler
from freebody.backends.functions import function
from freebody.errors import ExpressionError, MuscleError, SimulationError, absent
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.muscles.hill import Musculotendons, at_rest, pushing
from freebody.muscles.paths import MusclePaths
from freebody.programs.workspace import Workspace
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.engines import FINEST
from freebody.simulation.inputs import (
    AnyInitial,
    SampledInput,
    initial_of,
    is_sampled,
    split_inputs,
)
from freebody.simulation.setup import (
    TOLERANCE,
    Setup,
    duration_of,
    expect_tolerance,
    prepare,
    times_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


LEAST = 0.01
"""The least excitation: without any activation fibres on an elastic tendon have no velocity."""
ROOM = 1e-9
"""By how much an excitation may be beyond 0 and 1, by rounding."""


class ExcitationLaws:
    """Excitations and inputs as functions of time, coordinates and speeds.

    Parameters
    ----------
    moving : Mechanism
    setup : Setup
        With the laws of the inputs.
    muscles : sequence of str
    given : mapping of str to value
        The excitations by muscle: numbers, expressions or samples; 0 where there is none.
    backend : str
        What works them out.

    Attributes
    ----------
    excitations : dict of str to str
        What each excitation that is given is, in words.

    Raises
    ------
    MuscleError
        If there is no such muscle, or an excitation cannot be read.
    """

    def __init__(
        self,
        moving: Mechanism,
        setup: Setup,
        muscles: Sequence[str],
        given: Mapping[str, Any],
        backend: str,
    ) -> None:
        self.muscles = muscles
        self.excitations = {name: str(value) for name, value in given.items()}
        laws = (*_excitations(moving, muscles, given), *setup.inputs.values())
        self._sampled = {
            muscles.index(name): SampledInput.of(name, value)
            for name, value in given.items()
            if is_sampled(value)
        }
        self.excitations |= {muscles[place]: str(of) for place, of in self._sampled.items()}
        workspace, groups = Workspace(moving), ("t", "q", "u", "constants")
        cells = workspace.graph.values(laws)
        called = function(workspace, "laws", cells, groups, backend)
        self._call = called.bind([*setup.constants.values()])

    def __call__(self, t: float, q: Array, u: Array) -> tuple[Array, Array]:
        """Return the excitations, and the inputs.

        Raises
        ------
        MuscleError
            If an excitation is not between 0 and 1.
        """
        excited, inputs = np.split(self._call(t, q, u), [len(self.muscles)])
        for number, sampled in self._sampled.items():
            excited[number] = sampled(t)
        for name, value in zip(self.muscles, excited.tolist(), strict=True):
            if not -ROOM <= value <= 1 + ROOM:
                raise MuscleError(
                    f"the excitation of '{name}' is {value:.4g} at t = {t:.4g} s: "
                    "expected it from 0 to 1"
                )
        return np.clip(excited, LEAST, 1.0), inputs


def _excitations(
    moving: Mechanism, muscles: Sequence[str], given: Mapping[str, Any]
) -> list[sympy.Expr]:
    """Return the excitations as expressions, those that are sampled as zero."""
    problems = [absent("muscle", name, muscles) for name in given if name not in muscles]
    expressions = []
    for name in muscles:
        value = given.get(name, 0.0)
        try:
            expressions.append(sympy.S.Zero if is_sampled(value) else _read(moving, value))
        except ExpressionError as error:
            problems.append(f"excitation of '{name}': {error}")
    if problems:
        raise MuscleError("; ".join(problems))
    return expressions


def _read(moving: Mechanism, value: Any) -> sympy.Expr:
    expr = sympy.sympify(moving.read(value), strict=True)
    if expr.atoms(sympy.core.function.AppliedUndef) & {*moving.names.inputs.values()}:
        raise ExpressionError(f"'{value}' uses an input; expected time, coordinates and speeds")
    return expr


# ------------------------------------------------------------------ motion

METHOD = "LSODA"
SHOWN = ("excitation", "activation", "tension", "length", "fiber_length", "fiber_velocity")
"""The variables of each muscle over time."""


@dataclass(frozen=True, repr=False)
class Excited(Result):
    """A motion that muscles made.

    Attributes
    ----------
    data : xarray.Dataset
        ``coordinates`` (time, coordinate), ``speeds`` (time, speed); over (time, muscle)
        ``excitation``, ``activation``, ``tension``, ``length``, and ``fiber_length`` and
        ``fiber_velocity``, normalized.
    notes : tuple of str
        What was assumed.
    """

    def figure(self) -> Figure:
        """Return the coordinates, and excitation, activation and tension of the muscles."""
        from freebody.muscles.figures import excited

        return excited(self)


@checked
def excite(
    model: AnyModel,
    excitations: Mapping[str, Any],
    duration: float | None = None,
    *,
    step: float = 0.01,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: Mapping[str, Any] | None = None,
    activation: float | Mapping[str, float] = LEAST,
    tolerance: float = TOLERANCE,
) -> Excited:
    """Integrate the motion of a model whose muscles are excited.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Whose muscles all have a ``hill``.
    excitations : mapping of str to value
        Of each muscle, from 0 to 1: a number, an expression of time, coordinates and speeds, or
        samples as `freebody.simulate` takes them; 0 where there is none.
    duration, step : float, optional
        How long, in s: 5 s if it is not given, or as long as excitations are known over time; and
        the time between two states of the result.
    constants, initial, inputs : optional
        As `freebody.simulate` takes them; inputs are numbers and expressions, of those besides the
        tensions.
    activation : float or mapping of str to float, optional
        At the start. Fibres on elastic tendons start where they neither shorten nor lengthen.
    tolerance : float, optional
        Of the integrator, relative and absolute.

    Returns
    -------
    Excited
        ``data`` over (time, coordinate), (time, speed) and (time, muscle), tensions in N.

    Raises
    ------
    MuscleError
        If a muscle is unknown or has no ``hill``, or an excitation is not between 0 and 1.
    SimulationError
        If something has no value, or the integration fails.

    Examples
    --------
    >>> import freebody
    >>> run = freebody.excite("two_link_muscles", {"elbow_flexor": 0.2}, duration=0.2)
    >>> bool(run.data["coordinates"].sel(coordinate="alpha2").diff("time")[-1] > 0)
    True
    """
    moving = mechanism(model)
    model = moving.model
    times = times_of(duration_of(duration, split_inputs(excitations)[0].values()), step)
    expect_tolerance(tolerance, FINEST["scipy"])
    moving.expect_no_impacts("an excited motion")
    if moving.multipliers:
        raise MuscleError(
            "expected a model without constraints: excited motions are not held on them"
        )
    tendons = Musculotendons.of(model, constants)
    given = dict(inputs or {})
    tensions = {muscle.tension: 0.0 for muscle in model.muscles}
    for name in tensions.keys() & given.keys():
        raise MuscleError(f"'{name}' is the tension of a muscle: expected it to be excited instead")
    setup = prepare(moving, constants or {}, initial_of(initial, model), {**given, **tensions})
    run = _Excitation(moving, setup, tendons, excitations)
    states = run.integrate(times, run.start(activation), tolerance)
    provenance = {
        **provenance_of(model, setup.constants),
        "initial": setup.initial(moving.names),
        "inputs": setup.laws(moving.names),
        "excitations": run.laws.excitations,
        "method": METHOD,
        "tolerance": tolerance,
        "backend": run.backend,
    }
    return run.result(times, states, provenance)


# ---------------------------------------------------------------------- the motion


class _Excitation:
    """A model with its muscles, as an ordinary differential equation."""

    def __init__(
        self,
        moving: Mechanism,
        setup: Setup,
        tendons: Musculotendons,
        excitations: Mapping[str, Any],
    ) -> None:
        self.moving, self.setup, self.tendons = moving, setup, tendons
        self.n, self.count = len(moving.speeds), len(tendons.names)
        self.backend = "c" if has_compiler() else "numpy"
        self.laws = ExcitationLaws(moving, setup, tendons.names, excitations, self.backend)
        functions = Functions(moving, self.backend)
        self.paths = MusclePaths(moving.model, setup.constants, functions, bound=True)
        names = list(moving.model.inputs)
        self.tensions = [names.index(muscle.tension) for muscle in moving.model.muscles]

    def start(self, activation: float | Mapping[str, float]) -> Array:
        """Return the state at first: coordinates, speeds, activations, lengths of fibres."""
        names = self.tendons.names
        if not isinstance(activation, Mapping):
            activation = dict.fromkeys(names, float(activation))
        for name, value in activation.items():
            if name not in names:
                raise MuscleError(absent("muscle", name, names))
            if not 0 <= value <= 1:
                raise MuscleError(
                    f"expected an activation from 0 to 1, found {value:g} of '{name}'"
                )
        active = np.array([max(activation.get(name, LEAST), LEAST) for name in names])
        q, u = np.split(self.setup.state, 2)
        lengths = self.paths.at(0.0, q, u).length[self.tendons.elastic]
        soft = self.tendons.select(self.tendons.elastic)
        return np.concatenate([q, u, active, at_rest(soft, lengths, active[self.tendons.elastic])])

    def parts(self, y: Array) -> tuple[Array, Array, Array, Array]:
        """Return coordinates, speeds, activations and lengths of fibres of a state."""
        n, m = self.n, self.count
        return y[:n], y[n : 2 * n], y[2 * n : 2 * n + m], y[2 * n + m :]

    def change(self, t: float, y: Array) -> Array:
        """Return the rates of a state."""
        q, u, active, fibers = self.parts(y)
        lines = self.paths.at(t, q, u)
        tension, pull = self.tendons.pulling(lines.length, lines.rate, active, fibers)
        excited, inputs = self.laws(t, q, u)
        inputs[self.tensions] = tension
        rates = self.paths.called("rhs", {"t": t, "q": q, "u": u, "inputs": inputs})
        return np.concatenate([rates, self.tendons.change(active, excited, pull)])

    def integrate(self, times: Array, start: Array, tolerance: float) -> Array:
        """Return the states at times.

        Raises
        ------
        SimulationError
            If the integration fails.
        """
        from scipy.integrate import solve_ivp  # slow to import

        with np.errstate(all="ignore"):
            solution = solve_ivp(
                self.change,
                (0.0, float(times[-1])),
                start,
                method=METHOD,
                t_eval=times,
                rtol=tolerance,
                atol=tolerance,
            )
        if solution.status != 0 or not np.isfinite(solution.y).all():
            reached = solution.t[-1] if len(solution.t) else 0.0
            raise SimulationError(
                f"no step can be taken at about t = {reached:.6g} s: {solution.message}"
            )
        states: Array = solution.y.T
        return states

    def result(self, times: Array, states: Array, provenance: Mapping[str, Any]) -> Excited:
        """Return what is known of states over time."""
        rows = [self._row(t, y) for t, y in zip(times.tolist(), states, strict=True)]
        columns = [np.array(column) for column in zip(*rows, strict=True)]
        variables: dict[str, Any] = {
            "coordinates": (("time", "coordinate"), states[:, : self.n]),
            "speeds": (("time", "speed"), states[:, self.n : 2 * self.n]),
        }
        variables |= {
            name: (("time", "muscle"), column) for name, column in zip(SHOWN, columns, strict=True)
        }
        labels = {"time": times, "muscle": list(self.tendons.names)}
        data = dataset(self.moving.model, variables, labels)
        notes = f"excitations below {LEAST:g} are taken as {LEAST:g}", pushing(data)
        return Excited(data, self.moving, provenance, notes=tuple(filter(None, notes)))

    def _row(self, t: float, y: Array) -> tuple[Array, ...]:
        q, u, active, fibers = self.parts(y)
        lines = self.paths.at(t, q, u)
        tension, pull = self.tendons.pulling(lines.length, lines.rate, active, fibers)
        excited, _ = self.laws(t, q, u)
        return excited, active, tension, lines.length, pull.length, pull.velocity
