"""What happens on the way: a zero of an expression, and what is done there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import sympy

from freebody.algebra.expressions import Reference, lookup, read
from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import ExpressionError, SimulationError, nearest
from freebody.graph.code import Code
from freebody.mechanics.parts import AXES
from freebody.programs.workspace import Workspace
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.setup import Value

PLACED = ("position", "velocity")
DIRECTIONS = {"=": 0, ">": 1, "<": -1}
ACTIONS = ("stop", "record")


@checked
@dataclass(frozen=True)
class Event:
    """A zero of an expression of the model's names, and what is done there.

    Parameters
    ----------
    when : str
        An expression of time, coordinates, speeds, inputs, constants, ``position.P.x``,
        ``velocity.P.x`` and ``force.C`` of a constraint, such as ``"y"``; or two with a sign
        between them: ``"theta = pi/2"`` where they become equal, ``"theta > pi/2"`` where the
        first becomes larger, ``"y < 0"`` where it becomes smaller.
    action : {"stop", "record"} or mapping of str to value, optional
        End the motion, note the time, or set speeds to numbers or expressions of what they were.
    direction : {-1, 0, 1}, optional
        Whether the expression falls or rises through zero; either unless said otherwise.

    Examples
    --------
    >>> Event("y < 0", action={"y_dot": "-0.8*y_dot"}).way
    -1
    """

    when: str
    action: Literal["stop", "record"] | Mapping[str, Value] = "stop"
    direction: Literal[-1, 0, 1] = 0

    @property
    def way(self) -> int:
        """The direction of the crossing, as a number: 1 up, -1 down, 0 both."""
        return DIRECTIONS[self._sides[1]] or self.direction

    @property
    def difference(self) -> tuple[str, str]:
        """The two expressions that become equal."""
        first, _, second = self._sides
        return first, second

    @cached_property
    def _sides(self) -> tuple[str, str, str]:
        first, sign, second = (*re.split("([=<>])", self.when, maxsplit=1), "=", "0")[:3]
        return first, sign, second


@dataclass(frozen=True)
class Occurrence:
    """An event that happened.

    Attributes
    ----------
    when : str
        The event.
    time : float
        In s.
    state : array, shape (2 n,)
        Coordinates and speeds, before anything was done.
    number : int
        Which of the events it was.
    """

    when: str
    time: float
    state: Array
    number: int


class Events:
    """The events of a motion, compiled.

    Parameters
    ----------
    dynamics : Dynamics
    events : sequence of Event

    Attributes
    ----------
    code : Code
        Their expressions.
    directions : array, shape (events,)
        Their directions.

    Raises
    ------
    SimulationError
        If an event cannot be read.
    """

    def __init__(self, dynamics: Dynamics, events: Sequence[Event]) -> None:
        self.dynamics, self.events = dynamics, tuple(events)
        for event in self.events:
            _expect_sound(event, dynamics)
        self.directions = np.array([event.way for event in self.events], dtype=int)
        self.code = self._code("events", [event.difference for event in self.events])
        self._values = dynamics.bound(self.code) if self.events else None
        self._set = {number: self._setting(event) for number, event in enumerate(self.events)}

    def __len__(self) -> int:
        return len(self.events)

    def values(self, t: float, y: Array) -> Array:
        """Return the values of the expressions, whose zeros the events are.

        Parameters
        ----------
        t : float
            In s.
        y : array, shape (2 n + 1,)
            Coordinates, speeds and work.

        Returns
        -------
        array, shape (events,)
        """
        n = self.dynamics.n
        if self._values is None:
            return np.zeros(0)
        return self._values(float(t), y[:n].copy(), y[n : 2 * n].copy())

    def sets(self, number: int) -> bool:
        """Return whether an event sets speeds."""
        return self._set[number] is not None

    def after(self, number: int, t: float, y: Array) -> Array:
        """Return the state after an event; what it does to the energy is work.

        Parameters
        ----------
        number : int
            Of the event.
        t : float
            In s.
        y : array, shape (2 n + 1,)
            Coordinates, speeds and work before it.

        Returns
        -------
        array, shape (2 n + 1,)
        """
        n, change = self.dynamics.n, self._set[number]
        if change is None:
            return y
        q, before = y[:n].copy(), y[n : 2 * n].copy()
        u = change(float(t), q, before)
        if self.dynamics.m:
            q, u = self.dynamics.constraints.projected(t, q, u)
        work = self._energy(t, q, u) - self._energy(t, q, before)
        return np.concatenate([q, u, y[2 * n :] + work])

    def _energy(self, t: float, q: Array, u: Array) -> float:
        return float(self.dynamics.evaluated("kinetic_energy", {"t": float(t), "q": q, "u": u}))

    def _setting(self, event: Event) -> Callable[..., Array] | None:
        if isinstance(event.action, str):
            return None
        names = self.dynamics.mechanism.names.speeds
        entries = [(str(event.action.get(name, name)), "0") for name in names]
        return self.dynamics.bound(self._code("after", entries))

    def _code(self, name: str, pairs: Iterable[tuple[str, str]]) -> Code:
        """Return the code of differences of expressions."""
        joined, places = self.dynamics.joined(), _Places(self.dynamics)
        expressions = [places.read(first) - places.read(second) for first, second in pairs]
        for place, axis in places.symbols:
            joined.add("places", [joined.put(self.dynamics.output(place))[axis]])
        workspace = Workspace(self.dynamics.mechanism, {"places": places.symbols.values()})
        values = joined.put(workspace.code(name, workspace.graph.values(expressions)))
        return joined.code(name, (len(values),), values)


class _Places:
    """Reads expressions in which points may stand."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.mechanism = dynamics.mechanism
        self.symbols: dict[tuple[str, int], sympy.Symbol] = {}

    def read(self, text: str) -> sympy.Expr:
        return read(text, self._resolve).xreplace(self.mechanism.known)

    @property
    def _forces(self) -> list[str]:
        return [str(symbol.func) for symbol in self.mechanism.multipliers]

    def _symbol(self, entry: tuple[str, int], reference: Reference) -> sympy.Symbol:
        return self.symbols.setdefault(entry, sympy.Dummy("_".join(reference.path)))

    def _resolve(self, reference: Reference) -> Any:
        match reference.path:
            case ["force", name]:
                if name not in self._forces:
                    found = f"'{name}'{nearest(name, self._forces)}"
                    raise ExpressionError(f"expected the force of a constraint, found {found}")
                return self._symbol(("multipliers", self._forces.index(name)), reference)
            case [what, place, axis] if what in PLACED and axis in AXES:
                entry = f"{what}.{self.mechanism.uses(place)}", AXES.index(axis)
                return self._symbol(entry, reference)
        return lookup(self.mechanism.names.symbols)(reference)


def _expect_sound(event: Event, dynamics: Dynamics) -> None:
    """See that an event can be read, and does what there is."""
    places, speeds = _Places(dynamics), dynamics.mechanism.names.speeds
    if isinstance(event.action, str):
        if event.action not in ACTIONS:
            suggestion = nearest(event.action, ACTIONS)
            raise SimulationError(
                f"event '{event.when}': expected as action stop, record or speeds, found "
                f"'{event.action}'{suggestion}"
            )
        settings: Mapping[str, Value] = {}
    else:
        settings = event.action
    for name in settings:
        if name not in speeds:
            raise SimulationError(
                f"event '{event.when}': there is no speed '{name}'{nearest(name, speeds)}"
            )
    for text in (*event.difference, *map(str, settings.values())):
        try:
            places.read(text)
        except ExpressionError as error:
            raise SimulationError(f"event '{event.when}': {error}") from None
