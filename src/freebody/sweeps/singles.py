"""Motions one at a time: with constraints, events, methods for stiff ones, and excited muscles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import FreebodyError
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import Mechanism
from freebody.model import Model
from freebody.muscles.excitation import METHOD as EXCITED
from freebody.muscles.excitation import excite
from freebody.results import Result
from freebody.simulation import Event, LostMotionError, simulate
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.engines import select_engine, select_method
from freebody.simulation.events import Events
from freebody.simulation.setup import Setup, start_of
from freebody.sweeps.records import KEPT, LOST, STATUS, STOPPED, Answer, Variable

REASON = "reason"
"""Why a motion could not go on: told, and not kept."""


@dataclass(frozen=True)
class _Single:
    """What motions one at a time have in common.

    Attributes
    ----------
    model : Model
    names : tuple of str
        Of the constants, coordinates and speeds that differ from motion to motion.
    first : dict of str to float
        Their values in one of them.
    constants, initial, inputs : dict
        What is the same for all.
    times : array, shape (times,)
    tolerance : float
    """

    model: Model
    names: tuple[str, ...]
    first: Mapping[str, float]
    constants: Mapping[str, float]
    initial: Mapping[str, Any]
    inputs: Mapping[str, Any]
    times: Array
    tolerance: float

    def given(self, moving: Mechanism, values: Mapping[str, float]) -> dict[str, Any]:
        """Return what a motion starts from and is driven by, as `freebody.simulate` takes it."""
        known = moving.names.constants
        fixed = {name: value for name, value in values.items() if name in known}
        starting = {name: value for name, value in values.items() if name not in fixed}
        return {
            "duration": float(self.times[-1]),
            "step": float(self.times[1]),
            "constants": {**self.constants, **fixed},
            "initial": {**self.initial, **starting},
            "inputs": dict(self.inputs),
            "tolerance": self.tolerance,
        }

    def start(self, moving: Mechanism) -> Setup:
        """Return what one of the motions starts from.

        Raises
        ------
        SimulationError
            If something has no value or an unknown name.
        """
        return self._start(moving)

    def _start(self, moving: Mechanism) -> Setup:
        given = self.given(moving, self.first)
        given.pop("tolerance")
        return start_of(moving, **given).setup

    def variables(self, moving: Mechanism) -> list[Variable]:
        """Return what is kept of each motion."""
        n, count = len(moving.speeds), len(self.times)
        return [
            Variable("coordinates", ("time", "coordinate"), (count, n)),
            Variable("speeds", ("time", "speed"), (count, n)),
        ]

    def ready(self) -> Callable[[Array], Answer]:
        """Return what integrates a motion, from a row of values."""
        moving = mechanism(self.model)
        variables = self.variables(moving)

        def call(rows: Array) -> Answer:
            (row,) = rows.tolist()
            values = dict(zip(self.names, row, strict=True))
            blank = {one.name: np.full((1, *one.shape), np.nan) for one in variables}
            try:
                filled = self.answer(moving, values)
            except FreebodyError as error:
                return {
                    **blank,
                    STATUS: np.array([STOPPED], np.int8),
                    REASON: np.array([f"{error}"]),
                }
            for name, found in filled.items():
                if found.ndim:  # less of it, where an event ended the motion
                    blank[name][0, : len(found)] = found
                else:
                    blank[name][0] = found
            lost = self.is_lost(filled)
            return {**blank, STATUS: np.array([LOST if lost else KEPT], np.int8)}

        return call

    def answer(self, moving: Mechanism, values: Mapping[str, float]) -> dict[str, Array]:
        """Return the variables of a motion."""
        raise NotImplementedError

    def is_lost(self, found: Mapping[str, Array]) -> bool:
        """Return whether a motion did not keep what it has to."""
        raise NotImplementedError


@dataclass(frozen=True)
class SimulatedJob(_Single):
    """Motions as `freebody.simulate` integrates them.

    Attributes
    ----------
    engine, method : str or None
    max_drift, max_residual : float
    events : tuple of Event
    """

    engine: str | None
    chosen: str | None
    max_drift: float
    max_residual: float
    events: tuple[Event, ...]

    @property
    def method(self) -> str:
        """What integrates."""
        engine = select_engine(self.engine, self.chosen)
        constrained = bool(mechanism(self.model).equations)
        return select_method(engine, self.chosen, constrained=constrained)

    def expect_sound(self, moving: Mechanism) -> None:
        """Refuse, before any motion, what no motion could be integrated with.

        Raises
        ------
        SimulationError
            If something has no value or an unknown name, or an event cannot be read.
        """
        dynamics = Dynamics(moving, self.start(moving))
        dynamics.samples.expect_cover(float(self.times[0]), float(self.times[-1]))
        Events(dynamics, self.events)

    def variables(self, moving: Mechanism) -> list[Variable]:
        """Return what is kept of each motion."""
        known = [*super().variables(moving), Variable("energy_drift", (), ())]
        if moving.equations:
            known.append(Variable("constraint_residual", (), ()))
        if self.events:
            known.append(Variable("event_time", ("event",), (len(self.events),)))
        return known

    def answer(self, moving: Mechanism, values: Mapping[str, float]) -> dict[str, Array]:
        """Return the variables of a motion."""
        try:
            run = simulate(
                moving,
                **self.given(moving, values),
                engine=self.engine,
                method=self.chosen,
                events=self.events,
                max_drift=self.max_drift,
                max_residual=self.max_residual,
                unchecked=True,
            )
        except LostMotionError as error:
            run = error.result
        found = _arrays(run, "coordinates", "speeds")
        found["energy_drift"] = np.array(run.statistics["energy_drift"])
        if moving.equations:
            found["constraint_residual"] = np.array(run.statistics["constraint_residual"])
        if self.events:
            times: dict[str, float] = {}
            for one in run.statistics["events"]:
                times.setdefault(one["when"], one["time"])
            found["event_time"] = np.array([times.get(e.when, np.nan) for e in self.events])
        return found

    def is_lost(self, found: Mapping[str, Array]) -> bool:
        """Return whether a motion did not keep its energy or its constraints."""
        off = float(found.get("constraint_residual", np.zeros(())))
        return not (float(found["energy_drift"]) <= self.max_drift and off <= self.max_residual)


@dataclass(frozen=True)
class ExcitedJob(_Single):
    """Motions that muscles make, as `freebody.excite` integrates them.

    Attributes
    ----------
    excitations : dict
        By muscle.
    """

    excitations: Mapping[str, Any]

    @property
    def method(self) -> str:
        """What integrates."""
        return EXCITED

    def expect_sound(self, moving: Mechanism) -> None:
        """Refuse, before any motion, what no motion could be integrated with.

        Raises
        ------
        SimulationError, MuscleError
            If something has no value or an unknown name, or a muscle has no ``hill``.
        """
        short = {**self.given(moving, self.first), "duration": float(self.times[1])}
        excite(moving, self.excitations, **short)

    def start(self, moving: Mechanism) -> Setup:
        """Return what one of the motions starts from, tensions zero.

        Raises
        ------
        SimulationError
            If something has no value or an unknown name.
        """
        slack = {muscle.tension: 0.0 for muscle in self.model.muscles}
        return replace(self, inputs={**self.inputs, **slack})._start(moving)

    def variables(self, moving: Mechanism) -> list[Variable]:
        """Return what is kept of each motion."""
        shape = (len(self.times), len(moving.model.muscles))
        pulling = [Variable(name, ("time", "muscle"), shape) for name in ("activation", "tension")]
        return [*super().variables(moving), *pulling]

    def answer(self, moving: Mechanism, values: Mapping[str, float]) -> dict[str, Array]:
        """Return the variables of a motion."""
        run = excite(moving, self.excitations, **self.given(moving, values))
        return _arrays(run, "coordinates", "speeds", "activation", "tension")

    def is_lost(self, found: Mapping[str, Array]) -> bool:
        """Return whether a motion did not keep what it has to; muscles keep no energy."""
        del found
        return False


def _arrays(run: Result, *names: str) -> dict[str, Array]:
    return {name: run.data[name].to_numpy() for name in names}
