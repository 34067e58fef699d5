"""The search for a best movement begun at several places, by whoever works."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import ArgumentError, SimulationError
from freebody.mechanics.build import mechanism
from freebody.model import Model
from freebody.optimization.ends import while_closed
from freebody.optimization.equations import ModelEquations, sought_laws
from freebody.optimization.muscles import ExcitedMuscles
from freebody.optimization.problem import Collocation, Solution, Wanted
from freebody.workers import AnyScheduler, handed_out, pool_of

WAVES = 3
"""How many half waves of time a guess is moved by."""
MOST = 1_000_000
"""Searches."""
Guess = tuple[Array, Array, Array]
"""Coordinates, speeds and sought inputs at nodes and in the middles between them."""


@dataclass(frozen=True)
class StartsJob:
    """The search from a guess, or from one that is moved at random.

    Attributes
    ----------
    model : Model
    wanted : Wanted
    known : dict of str to float
        The constants.
    inputs : dict
        Those that follow a law.
    guess : tuple of array
    seed : int
    """

    model: Model
    wanted: Wanted
    known: Mapping[str, float]
    inputs: Mapping[str, Any]
    guess: Guess
    seed: int

    def ready(self) -> Callable[[int], Solution | str]:
        """Return what searches from the guess of a number, and gives why none was found."""
        moving = while_closed(
            mechanism(self.model), self.wanted.closed, self.guess[0][0], self.known
        )
        muscles = ExcitedMuscles(moving, self.known) if self.wanted.excited else None
        equations = ModelEquations(moving, sought_laws(moving, self.inputs), muscles)

        def call(number: int) -> Solution | str:
            program = Collocation(equations, self.wanted, self.known)
            if moving.multipliers:
                program.close_start()
            program.guess(*self.moved(number))
            try:
                return program.solved()
            except SimulationError as error:
                return str(error)

        return call

    def moved(self, number: int) -> Guess:
        """Return the guess, and for numbers from 1 one that is moved by a few waves of time."""
        q, u, controls = self.guess
        if number == 0:
            return self.guess
        random = np.random.default_rng([self.seed, number])
        s = np.linspace(0, 1, len(q))[:, None]
        waves = np.arange(1, WAVES + 1) * np.pi
        sizes = random.standard_normal((WAVES, q.shape[1])) / waves[:, None]
        scale = np.maximum(np.ptp(q, axis=0), 1.0)
        duration = float(np.mean(self.wanted.duration))
        q = q + scale * (np.sin(s * waves) @ sizes)
        if self.model.speeds:  # which are no rates
            return q, u, controls
        return q, u + scale * ((np.cos(s * waves) * waves) @ sizes) / duration, controls


def best_of(
    job: StartsJob, starts: int, scheduler: AnyScheduler
) -> tuple[Solution, dict[str, Any]]:
    """Return the best solution of several searches, and how they went.

    Parameters
    ----------
    job : StartsJob
    starts : int
        How many searches.
    scheduler : AnyScheduler

    Returns
    -------
    solution : Solution
    statistics : dict
        ``objectives`` of all starts, those from which none was found None; which was the ``best``.

    Raises
    ------
    ArgumentError
        If there is no start.
    SimulationError
        If none of them led to a movement.
    """
    if not 1 <= starts <= MOST or job.seed < 0:
        raise ArgumentError(
            f"starts, seed: expected one or more, at most {MOST}, and 0 or more, "
            f"found {starts} and {job.seed}"
        )
    found: dict[int, Solution | str] = {}
    with pool_of(scheduler) as pool:
        for numbers, answers in handed_out(job, range(starts), pool):
            found |= dict(zip(numbers, answers, strict=True))
    solved = {n: one for n, one in sorted(found.items()) if isinstance(one, Solution)}
    if not solved:
        raise SimulationError(str(found[0]))
    best = min(solved, key=lambda number: solved[number].objective)
    objectives = [solved[n].objective if n in solved else None for n in range(starts)]
    return solved[best], {"objectives": objectives, "best": best}
