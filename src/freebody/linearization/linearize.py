"""A model linearized about an equilibrium, a state, or along a motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import LinearizationError
from freebody.linearization.derivatives import (
    DIMENSIONS,
    METHOD,
    Derivatives,
    independent,
    matrices,
)
from freebody.linearization.equilibria import Equilibrium, EquilibriumSearch, SteadyMotionSearch
from freebody.linearization.linearization import (
    Equilibria,
    Linearization,
    SingularEquilibrium,
    linearize_at,
)
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.results import Result, dataset, provenance_of
from freebody.simulation.dynamics import Dynamics, Rates
from freebody.simulation.inputs import AnyInitial, initial_of
from freebody.simulation.result import Simulation
from freebody.simulation.setup import Value, prepare

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


CHANGED = 1e-6
"""The relative difference from which a changed initial value is reported."""
MOST_STARTS = 1_000_000
At = Literal["equilibrium", "state"]


@overload
def linearize(
    model: AnyModel,
    *,
    at: At = ...,
    along: None = ...,
    constants: Mapping[str, float] | None = ...,
    initial: AnyInitial | None = ...,
    inputs: Mapping[str, Value] | None = ...,
    outputs: Sequence[str] | None = ...,
    closed_loop: bool = ...,
) -> Linearization: ...


@overload
def linearize(
    model: AnyModel,
    *,
    along: Simulation | str | Path,
    outputs: Sequence[str] | None = ...,
    closed_loop: bool = ...,
) -> LinearizedMotion: ...


@checked
def linearize(
    model: AnyModel,
    *,
    at: At = "equilibrium",
    along: Simulation | str | Path | None = None,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
    closed_loop: bool = False,
) -> Linearization | LinearizedMotion:
    """Linearize the equations of motion of a model, with exact derivatives.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves.
    at : {"equilibrium", "state"}, optional
        About the steady motion that the initial coordinates and speeds lead to, in which
        coordinates move on which nothing depends; if there is none, about the equilibrium that the
        coordinates lead to, and the speeds are ``dropped``; or about the initial state itself, at
        the time zero.
    along : Simulation, str or Path, optional
        About every state of a simulated motion, with its constants and inputs, instead; or
        of one in a ``.nc`` file.
    outputs : sequence of str, optional
        Names of coordinates and speeds, ``position.P.x``, ``velocity.P.x``; all coordinates if
        none are given.
    constants, initial, inputs : optional
        See `freebody.simulate`; inputs are numbers and expressions.
    closed_loop : bool, optional
        Whether inputs follow their laws close to the state, rather than keep their values there.

    Returns
    -------
    Linearization or LinearizedMotion
        The latter along a motion, with ``A``, ``B`` and ``C`` over time.

    Raises
    ------
    LinearizationError
        If there is no equilibrium, or no linearization, or no such output.
    SimulationError
        If something has no value, or the constraints cannot be met.

    Examples
    --------
    >>> import freebody
    >>> hanging = freebody.linearize("pendulum")
    >>> hanging.kind, round(hanging.modes[0].frequency, 3)
    ('marginal', 0.759)
    """
    if along is not None:
        if at != "equilibrium" or constants or initial or inputs:
            raise LinearizationError("along a motion, its own values are used: expected no others")
        moving = mechanism(model)
        run = along if isinstance(along, Simulation) else Simulation.read(along, moving)
        return linearized_along(moving, run, _outputs(moving, outputs), closed_loop=closed_loop)
    point = _Point(mechanism(model), outputs, constants, initial, inputs)
    return point.here(closed_loop) if at == "state" else point.equilibria(0, 0, closed_loop)[0]


@checked
def equilibria(
    model: AnyModel,
    *,
    search: int = 0,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
    closed_loop: bool = False,
) -> Equilibria:
    """Find where a model stays at rest, or moves steadily, and linearize its equations there.

    With initial speeds and no search, the steady motion next to them is looked for first.
    Inputs and prescribed motions, with their rates, are as they are at the time zero.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves.
    search : int, optional
        From how many random starts to look, beside the initial coordinates: angles all around,
        other coordinates about their initial values. States that differ by whole turns, or along
        coordinates on which nothing depends, are one.
    seed : int, optional
        Of the random starts.
    outputs, constants, initial, inputs, closed_loop
        See `linearize`.

    Returns
    -------
    Equilibria
        A tuple of linearizations, each about one state at rest, or in steady motion. States of
        rest about which there is none, since the equations are singular there, are its
        ``singular``.

    Raises
    ------
    LinearizationError
        If none is found, or none of them has a linearization.
    SimulationError
        If something has no value.

    Examples
    --------
    >>> import freebody
    >>> found = freebody.equilibria("acrobot", search=20)
    >>> sorted(one.kind for one in found)
    ['marginal', 'unstable', 'unstable', 'unstable']
    """
    if not 0 <= search <= MOST_STARTS:
        raise LinearizationError(f"search: expected 0 to {MOST_STARTS} starts, not so many or few")
    if seed < 0:
        raise LinearizationError("seed: expected a whole number of 0 or more, found less")
    point = _Point(mechanism(model), outputs, constants, initial, inputs)
    return point.equilibria(search, seed, closed_loop)


class _Point:
    """A mechanism with numbers, to be linearized about states."""

    def __init__(
        self,
        moving: Mechanism,
        outputs: Sequence[str] | None,
        constants: Mapping[str, float] | None,
        initial: AnyInitial | None,
        inputs: Mapping[str, Value] | None,
    ) -> None:
        self.moving, self._initial = moving, initial_of(initial, moving.model)
        self.setup = prepare(moving, constants or {}, self._initial, inputs or {})
        self.dynamics = Dynamics(moving, self.setup)
        self.derivatives = Derivatives(moving, self.setup, _outputs(moving, outputs))

    @property
    def _initial_speeds(self) -> dict[str, float]:
        """The initial speeds but for those of zero."""
        speeds = self.setup.state[self.dynamics.n :].tolist()
        pairs = zip(self.moving.names.speeds, speeds, strict=True)
        return {name: value for name, value in pairs if value}

    @property
    def _initial_coordinates(self) -> dict[str, float]:
        """The initial coordinates that are given."""
        pairs = zip(self.moving.names.coordinates, self.setup.state.tolist(), strict=False)
        return {name: value for name, value in pairs if name in self._initial}

    def here(self, closed_loop: bool) -> Linearization:
        """Return the linearization about the initial state, as the constraints complete it."""
        with np.errstate(all="ignore"):  # values that are not finite are reported
            state = self.dynamics.consistent(self.setup.state)
            rates = self.dynamics.rates(0.0, *np.split(state, 2))
        one = linearize_at(self.derivatives, state, rates, closed_loop=closed_loop)
        dropped = _changed({**self._initial_coordinates, **self._initial_speeds}, one)
        return replace(one, dropped=dropped, driven=self.dynamics.is_driven)

    def equilibria(self, starts: int, seed: int, closed_loop: bool) -> Equilibria:
        """Return the linearizations about the equilibria that are found."""
        guess, still = self.setup.state[: self.dynamics.n], np.zeros(self.dynamics.n)
        dropped = self._initial_speeds
        if not starts and dropped:
            state = SteadyMotionSearch(self.dynamics, self.derivatives).near(self.setup.state)
            if state is not None:
                return Equilibria.of([self._steady(state, dropped, closed_loop)])
        regular, singular = list[Linearization](), list[SingularEquilibrium]()
        for rest in self._states_of_rest(guess, starts, seed, dropped):
            rates = Rates(still, still, rest.multipliers)
            state = np.concatenate([rest.q, still])
            ignorable = self._ignorable(rest.family)
            try:
                one = linearize_at(
                    self.derivatives, state, rates, closed_loop=closed_loop, ignorable=ignorable
                )
            except LinearizationError as error:
                place = dict(zip(self.moving.names.coordinates, rest.q.tolist(), strict=True))
                singular.append(SingularEquilibrium(place, str(error)))
            else:
                regular.append(replace(one, dropped=dropped, driven=self.dynamics.is_driven))
        if not regular:
            where = ", ".join(f"{name} = {value:.6g}" for name, value in singular[0].state.items())
            message = f"{singular[0].reason} of rest that is found: {where}"
            raise LinearizationError(message)
        return Equilibria.of(regular, singular)

    def _steady(self, state: Array, given: Mapping[str, float], closed_loop: bool) -> Linearization:
        rates = self.dynamics.rates(0.0, *np.split(state, 2))
        one = linearize_at(self.derivatives, state, rates, closed_loop=closed_loop)
        return replace(one, dropped=_changed(given, one), driven=self.dynamics.is_driven)

    def _states_of_rest(
        self, guess: Array, starts: int, seed: int, dropped: Mapping[str, float]
    ) -> list[Equilibrium]:
        try:
            return EquilibriumSearch(self.derivatives).found(guess, starts, seed)
        except LinearizationError as error:
            message = ", ".join(f"{name} = {value:.6g}" for name, value in dropped.items())
            more = f"; nor is a steady motion with {message}" if dropped and not starts else ""
            raise LinearizationError(f"{error}{more}") from None

    def _ignorable(self, family: Array) -> tuple[str, ...]:
        along = np.abs(family).max(axis=1, initial=0) > 1e-6
        pairs = zip(self.moving.names.coordinates, along, strict=True)
        return tuple(name for name, moves in pairs if moves)


def _changed(given: Mapping[str, float], one: Linearization) -> dict[str, float]:
    """Return the values that were given and are others at a state."""
    return {
        name: value
        for name, value in given.items()
        if abs(one.state[name] - value) > CHANGED * (1 + abs(value))
    }


def _outputs(moving: Mechanism, outputs: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(moving.names.coordinates if outputs is None else outputs)


@dataclass(frozen=True, repr=False)
class LinearizedMotion(Result):
    """A motion linearized about each of its states.

    Attributes
    ----------
    data : xarray.Dataset
        ``A`` (time, state, by), ``B`` (time, state, input) and ``C`` (time, output, by), in
        coherent SI units; see `Linearization`.
    """

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Of A at each time, in 1/s, shape (time, k)."""
        return np.linalg.eigvals(self.data["A"].to_numpy()).astype(np.complex128)

    def figure(self) -> Figure:
        """Return the real and imaginary parts of the eigenvalues over time."""
        from freebody.linearization.linearization import along_figure

        return along_figure(self)


def linearized_along(
    moving: Mechanism, run: Simulation, outputs: tuple[str, ...], *, closed_loop: bool
) -> LinearizedMotion:
    """Return ``A``, ``B`` and ``C`` over ``time``, about the states of a motion.

    Parameters
    ----------
    moving : Mechanism
    run : Simulation
        Of this mechanism, with laws for its inputs.
    outputs : tuple of str
        Names of coordinates and speeds, ``position.P.x``, ``velocity.P.x``.
    closed_loop : bool
        Whether inputs follow their laws, rather than keep their values.

    Raises
    ------
    LinearizationError
        If the motion is one of another model or has sampled inputs, or something is not finite or
        singular in it.
    """
    data, used = run.data, run.provenance
    if list(data["coordinate"].to_numpy()) != list(moving.names.coordinates):
        raise LinearizationError("the motion is one of another model: its coordinates are others")
    if used["sampled"]:
        names = ", ".join(used["sampled"])
        raise LinearizationError(
            f"expected a motion with laws for its inputs, found samples of {names}: what they "
            "would be in a motion nearby is not known"
        )
    setup = prepare(moving, used["constants"], used["initial"], used["inputs"])
    derivatives = Derivatives(moving, setup, outputs)
    found = derivatives.at(*_motion(moving, data))
    reduced = matrices(moving, found, closed_loop=closed_loop)
    every = (*moving.names.coordinates, *moving.names.speeds)
    states = [every[place] for place in independent(moving)]
    labels = {"time": data["time"].to_numpy(), "state": states, "by": states}
    variables = {
        name: (("time", *dims), getattr(reduced, name)) for name, dims in DIMENSIONS.items()
    }
    provenance = {
        **provenance_of(moving.model, used["constants"]),
        **{name: used[name] for name in ("initial", "inputs")},
        "closed_loop": closed_loop,
        "method": METHOD,
    }
    made = dataset(moving.model, variables, {**labels, "output": list(outputs)})
    return LinearizedMotion(made, moving, provenance)


def _motion(moving: Mechanism, data: xr.Dataset) -> tuple[Array, Array, Array, Array, Array]:
    """Return time, coordinates, speeds, their derivatives, and the forces of the constraints."""
    times = data["time"].to_numpy()
    q, u, a = (data[name].to_numpy() for name in ("coordinates", "speeds", "accelerations"))
    multipliers = (
        data["constraint_force"].to_numpy() if moving.multipliers else np.zeros((len(times), 0))
    )
    return times, q, u, a, multipliers
