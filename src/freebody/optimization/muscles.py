"""Muscles that are excited, on values of CasADi: what they pull, and what changes in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.errors import ArgumentError
from freebody.mechanics.mechanism import Mechanism
from freebody.muscles.hill import SHORTEST, CurveName, Musculotendons, at_rest, written_for
from freebody.muscles.paths import MusclePaths

AT_FIRST = 0.05
"""The activation and excitation where a search begins."""
LONGEST = 2.0
"""How long fibres on elastic tendons become at most, in optimal lengths: there their curves end."""


class ExcitedMuscles:
    """The muscles of a model, whose excitations are sought.

    Parameters
    ----------
    moving : Mechanism
    known : mapping of str to float
        The constants.

    Attributes
    ----------
    tendons : Musculotendons
    symbols : dict of str to tuple of sympy.Symbol
        What stands for each ``excitation`` and ``activation`` in expressions.
    measures : dict of str to sympy.Symbol
        These by the names that expressions have for them.

    Raises
    ------
    MuscleError
        If a muscle has no ``hill``.
    """

    def __init__(self, moving: Mechanism, known: Mapping[str, float]) -> None:
        model = moving.model
        self.moving, self.known = moving, dict(known)
        self.tendons = Musculotendons.of(model, known)
        self.tensions = {muscle.tension: n for n, muscle in enumerate(model.muscles)}
        kinds, names = ("excitation", "activation"), self.tendons.names
        self.symbols = {
            kind: tuple(sympy.Symbol(f"{kind}_{n}") for n in range(len(names))) for kind in kinds
        }
        self.measures = {
            f"{kind}.{name}": symbol
            for kind in kinds
            for name, symbol in zip(names, self.symbols[kind], strict=True)
        }

    @property
    def sizes(self) -> dict[str, int]:
        """How many unknowns of each kind there are at a time."""
        count, soft = len(self.tendons.names), int(self.tendons.elastic.sum())
        return {"excitation": count, "activation": count, "fibers": soft, "fiber_velocity": soft}

    def expect_fixed(self, free: Mapping[str, Any]) -> None:
        """Refuse constants that are sought and that muscles are made of.

        Raises
        ------
        ArgumentError
        """
        for name in free:
            other = Musculotendons.of(self.moving.model, {**self.known, name: 1.37})
            for field in vars(other):
                if not np.array_equal(getattr(other, field), getattr(self.tendons, field)):
                    raise ArgumentError(
                        f"free: '{name}' is in the 'hill' of muscles, which are numbers here: "
                        "expected other constants"
                    )

    def rest(self, q: Array) -> Array:
        """Return the lengths of fibres on elastic tendons that rest at a posture."""
        soft = self.tendons.elastic
        lengths = MusclePaths(self.moving.model, self.known).at(0.0, q, np.zeros_like(q)).length
        return at_rest(self.tendons.select(soft), lengths[soft], np.full(soft.sum(), AT_FIRST))

    @property
    def shortest(self) -> Array:
        """The least normalized lengths of fibres on elastic tendons."""
        soft = self.tendons.select(self.tendons.elastic)
        return np.asarray(np.hypot(SHORTEST, np.sin(soft.pennation)))

    # ------------------------------------------------------------------ on values of CasADi

    def tension(self, length: Any, rate: Any, activation: Any, fibers: Any) -> Any:
        """Return the tensions of the muscles, in N."""
        import casadi

        soft, stiff = self._places
        parts: dict[int, Any] = {}
        if stiff:
            rigid = self._rigid(length[stiff], rate[stiff], activation[stiff])
            parts |= zip(stiff, casadi.vertsplit(rigid), strict=True)
        if soft:
            elastic, _ = self._elastic(length[soft], fibers)
            parts |= zip(soft, casadi.vertsplit(elastic), strict=True)
        return casadi.vertcat(*(parts[place] for place in sorted(parts)))

    def unbalanced(self, length: Any, activation: Any, fibers: Any, velocity: Any) -> Any:
        """Return by how much fibres pull otherwise than their elastic tendons, in peak forces."""
        soft, _ = self._places
        one, curve = self._of(soft), self._curve
        tension, cosine = self._elastic(length[soft], fibers)
        active = activation[soft] * curve("active")(fibers) * curve("velocity")(velocity)
        return tension / one["peak_force"] / cosine - curve("passive")(fibers) - active

    def rates(self, activation: Any, excitation: Any, velocity: Any) -> Any:
        """Return the rates of activations, and of fibres on elastic tendons."""
        import casadi

        soft, _ = self._places
        one, every = self._of(soft), self._of(list(range(len(self.tendons.names))))
        times = every["activation_time"], every["deactivation_time"]
        changing = self._curve("activation")(activation, excitation, *times)
        if not soft:
            return changing
        fastest = one["maximal_velocity"] / one["optimal_fiber_length"]
        return casadi.vertcat(changing, fastest * velocity)

    def _rigid(self, length: Any, rate: Any, activation: Any) -> Any:
        import casadi

        one, curve = self._of(self._places[1]), self._curve
        ahead = length - one["tendon_slack_length"]
        long = casadi.sqrt(ahead**2 + one["thickness"] ** 2)
        fibers, cosine = long / one["optimal_fiber_length"], ahead / long
        velocity = rate * cosine / one["maximal_velocity"]
        active = activation * curve("active")(fibers) * curve("velocity")(velocity)
        passive = curve("passive")(fibers) + one["damping"] * velocity
        return one["peak_force"] * cosine * (active + passive)

    def _elastic(self, length: Any, fibers: Any) -> tuple[Any, Any]:
        import casadi

        one = self._of(self._places[0])
        long = fibers * one["optimal_fiber_length"]
        ahead = casadi.sqrt(long**2 - one["thickness"] ** 2)
        stretched = (length - ahead) / one["tendon_slack_length"]
        pull = self._curve("tendon")(stretched, one["tendon_stiffness"])
        return one["peak_force"] * pull, ahead / long

    @cached_property
    def _places(self) -> tuple[list[int], list[int]]:
        """Those whose tendons are elastic, and those whose are not."""
        soft, stiff = np.flatnonzero(self.tendons.elastic), np.flatnonzero(~self.tendons.elastic)
        return soft.tolist(), stiff.tolist()

    def _of(self, places: list[int]) -> dict[str, Any]:
        """Return what some muscles are like, in columns."""
        import casadi

        some = self.tendons.select(places)
        arrays = {name: of for name, of in vars(some).items() if name not in ("names", "elastic")}
        arrays["thickness"] = some.optimal_fiber_length * np.sin(some.pennation)
        return {name: casadi.DM(of) for name, of in arrays.items()}

    def _curve(self, name: CurveName) -> Any:
        import casadi

        return written_for(name, casadi)
