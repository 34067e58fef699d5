"""What drives an excited motion: the excitation of each muscle, and the other inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.backends.program import function
from freebody.errors import ExpressionError, MuscleError, nearest
from freebody.mechanics.mechanism import Mechanism
from freebody.programs.workspace import Workspace
from freebody.simulation.inputs import Sampled, is_sampled
from freebody.simulation.setup import Setup

LEAST = 0.01
"""The least excitation: without any activation fibres on an elastic tendon have no velocity."""
ROOM = 1e-9
"""By how much an excitation may be beyond 0 and 1, by rounding."""


class Laws:
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
            muscles.index(name): Sampled.of(name, value)
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
    problems = [
        f"there is no muscle '{name}'{nearest(name, muscles)}"
        for name in given
        if name not in muscles
    ]
    found = []
    for name in muscles:
        value = given.get(name, 0.0)
        try:
            found.append(sympy.S.Zero if is_sampled(value) else _read(moving, value))
        except ExpressionError as error:
            problems.append(f"excitation of '{name}': {error}")
    if problems:
        raise MuscleError("; ".join(problems))
    return found


def _read(moving: Mechanism, value: Any) -> sympy.Expr:
    expr = sympy.sympify(moving.read(value), strict=True)
    if expr.atoms(sympy.core.function.AppliedUndef) & {*moving.names.inputs.values()}:
        raise ExpressionError(f"'{value}' uses an input; expected time, coordinates and speeds")
    return expr
