"""Musculotendons of Hill's type: what fibres and tendons give, for all muscles at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from freebody.arrays import Array
from freebody.errors import MuscleError
from freebody.model import Hill, Model, Names
from freebody.muscles.curves import TENDON, curve

if TYPE_CHECKING:
    import xarray as xr

FASTEST = 10.0
"""How many optimal lengths a second fibres shorten at most, where the model does not say."""
STRONGEST = 100.0
"""What no tendon carries at rest, in peak forces."""


@dataclass(frozen=True)
class Fibers:
    """How the fibres of muscles are, each over muscles in the last axis.

    Attributes
    ----------
    length, velocity : array
        Normalized by the optimal length and the fastest shortening.
    cosine : array
        Of the angle between the fibres and the tendon.
    """

    length: Array
    velocity: Array
    cosine: Array


@dataclass(frozen=True)
class Musculotendons:
    """The muscles of a model with numbers for what their fibres and tendons are like.

    Attributes
    ----------
    names : tuple of str
    peak_force, optimal_fiber_length, tendon_slack_length, maximal_velocity, pennation, damping, \
    tendon_stiffness, activation_time, deactivation_time : array, shape (muscles,)
        In SI units; see `freebody.model.Hill`.
    elastic : array of bool, shape (muscles,)
        Whose tendon is elastic.
    """

    names: tuple[str, ...]
    peak_force: Array
    optimal_fiber_length: Array
    tendon_slack_length: Array
    maximal_velocity: Array
    pennation: Array
    damping: Array
    tendon_stiffness: Array
    activation_time: Array
    deactivation_time: Array
    elastic: Any

    @classmethod
    def of(cls, model: Model, constants: Mapping[str, float] | None = None) -> Self:
        """Return the musculotendons of a model.

        Raises
        ------
        MuscleError
            If a muscle has no `hill`, or something in it has no value.
        """
        without = [muscle.name for muscle in model.muscles if muscle.hill is None]
        if without or not model.muscles:
            told = f"muscle '{without[0]}' has no 'hill'" if without else "the model has no muscles"
            raise MuscleError(f"{told}: expected what its fibres and its tendon are like")
        names, values = Names(model), Names(model).values(constants)
        hills = [muscle.hill for muscle in model.muscles if muscle.hill is not None]
        fields = [name for name in Hill.model_fields if name not in ("tendon", "maximal_velocity")]
        found = {
            name: np.array([names.number(getattr(hill, name), values) for hill in hills])
            for name in fields
        }
        optimal = found["optimal_fiber_length"].tolist()
        fastest = [
            FASTEST * length
            if hill.maximal_velocity is None
            else names.number(hill.maximal_velocity, values)
            for hill, length in zip(hills, optimal, strict=True)
        ]
        elastic = np.array([hill.tendon == "elastic" for hill in hills])
        labels = tuple(muscle.name for muscle in model.muscles)
        return cls(labels, maximal_velocity=np.array(fastest), elastic=elastic, **found)

    def select(self, which: Any) -> Musculotendons:
        """Return some of the muscles, by their numbers or as a mask."""
        names = tuple(np.array(self.names)[which].tolist())
        arrays = {name: value[which] for name, value in vars(self).items() if name != "names"}
        return Musculotendons(names, **arrays)

    # ------------------------------------------------------------------ along a rigid tendon

    def rigid(self, length: Array, rate: Array) -> Fibers:
        """Return how the fibres are on tendons that are as long as slack ones.

        Parameters
        ----------
        length, rate : array, shape (..., muscles)
            Of the muscles, in m and m/s.

        Raises
        ------
        MuscleError
            If a muscle is shorter than its tendon.
        """
        ahead = length - self.tendon_slack_length
        self._expect_room(ahead)
        fibers = np.hypot(ahead, self._thickness)
        cosine = ahead / fibers
        return Fibers(
            fibers / self.optimal_fiber_length, rate * cosine / self.maximal_velocity, cosine
        )

    def capacity(self, fibers: Fibers) -> tuple[Array, Array]:
        """Return the tension for a unit of activation, and that without any, in N."""
        pull = self.peak_force * fibers.cosine
        active = curve("active")(fibers.length) * curve("velocity")(fibers.velocity)
        passive = curve("passive")(fibers.length) + self.damping * fibers.velocity
        return pull * active, pull * passive

    def _expect_room(self, ahead: Array) -> None:
        short = (ahead <= 0).any(axis=tuple(range(ahead.ndim - 1)))
        if short.any():
            name = self.names[int(short.argmax())]
            raise MuscleError(
                f"muscle '{name}' is shorter than its slack tendon: expected a length, or "
                "a tendon, that leaves room for its fibres"
            )

    # ------------------------------------------------------------------ along an elastic tendon

    def elastic_fibers(
        self, length: Array, fibers: Array, activation: Array
    ) -> tuple[Fibers, Array]:
        """Return how fibres of known length are that pull on an elastic tendon, and the tension.

        Parameters
        ----------
        length : array, shape (..., muscles)
            Of the muscles, in m.
        fibers : array
            Their normalized length.
        activation : array
        """
        tension, cosine = self.tendon(length, fibers)
        carried = tension / self.peak_force / cosine - curve("passive")(fibers)
        velocity = curve("velocity_inverse")(carried / (activation * curve("active")(fibers)))
        return Fibers(fibers, velocity, cosine), tension

    def tendon(self, length: Array, fibers: Array) -> tuple[Array, Array]:
        """Return the tension of elastic tendons in N, and the cosine of the fibres' angle."""
        long = fibers * self.optimal_fiber_length
        ahead = np.sqrt(long**2 - self._thickness**2)
        stretched = (length - ahead) / self.tendon_slack_length
        return self.peak_force * curve("tendon")(stretched, self.tendon_stiffness), ahead / long

    @property
    def longest_tendon(self) -> Array:
        """The length at which elastic tendons pull `STRONGEST` times the peak force, in m."""
        shift, start, offset = TENDON
        strain = np.log((STRONGEST + offset) / shift) / self.tendon_stiffness
        return self.tendon_slack_length * (start + strain)

    @property
    def _thickness(self) -> Array:
        """The distance between origin and insertion across the muscle, which stays as it is."""
        return self.optimal_fiber_length * np.sin(self.pennation)


def pushing(data: xr.Dataset) -> str:
    """Return in words which tensions are negative, and why; nothing where none is.

    Parameters
    ----------
    data : xarray.Dataset
        With the ``tension`` of each muscle over ``time``, in N.
    """
    least = data["tension"].min("time")
    names = data["muscle"].to_numpy()
    told = [
        f"{str(name).replace('_', ' ')} {value:.3g} N".replace("-", "\N{MINUS SIGN}")
        for name, value in zip(names, least.to_numpy(), strict=True)
        if value < 0
    ]
    why = "the damping of fibres that shorten, or curves that go below zero"
    return f"tensions below zero: {', '.join(told)} ({why})" if told else ""
