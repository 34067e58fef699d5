"""Musculotendons of Hill's type: what fibres and tendons give, for all muscles at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import sympy

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MuscleError
from freebody.model import Hill, Model, Names

if TYPE_CHECKING:
    import xarray as xr


Curve = Callable[..., Array]
CurveName = Literal["active", "passive", "velocity", "velocity_inverse", "tendon", "activation"]
TENDON = (0.2, 0.995, 0.25)
"""The constants of the tendon's curve besides its exponent."""


@checked
@cache
def curve(name: CurveName) -> Curve:
    """Return a curve by its name.

    Parameters
    ----------
    name : str
        ``active`` and ``passive`` force of the fibres by their normalized length; ``velocity``, the
        factor by their normalized velocity, and ``velocity_inverse``; ``tendon`` force by its
        length over the slack length and its exponent; ``activation``, the rate of activation by
        activation, excitation and both time constants.

    Examples
    --------
    >>> float(curve("passive")(1.6).round(2)), float(curve("velocity")(0.0).round(2))
    (1.0, 1.0)
    """
    function = written_for(name, "numpy")
    return lambda *values: np.asarray(function(*values), dtype=float)


def written_for(name: CurveName, modules: Any) -> Callable[..., Any]:
    """Return a curve on values of other kinds, as `sympy.lambdify` takes their modules."""
    symbols = sympy.symbols("x0:4", real=True)
    expr, count = _EXPRESSIONS[name](*symbols)
    function: Callable[..., Any] = sympy.lambdify(symbols[:count], expr, modules, cse=True)
    return function


def _named(name: str) -> Callable[..., tuple[sympy.Expr, int]]:
    def expression(x: sympy.Expr, *_: sympy.Expr) -> tuple[sympy.Expr, int]:
        from sympy.physics import biomechanics  # slow to import

        return getattr(biomechanics, f"{name}DeGroote2016").with_defaults(x).doit(), 1

    return expression


def _tendon(x: sympy.Expr, stiffness: sympy.Expr, *_: sympy.Expr) -> tuple[sympy.Expr, int]:
    from sympy.physics.biomechanics import TendonForceLengthDeGroote2016

    return TendonForceLengthDeGroote2016(x, *map(sympy.Float, TENDON), stiffness).doit(), 2


def _activation(
    a: sympy.Expr, e: sympy.Expr, up: sympy.Expr, down: sympy.Expr
) -> tuple[sympy.Expr, int]:
    from sympy.physics.biomechanics import FirstOrderActivationDeGroote2016

    dynamics = FirstOrderActivationDeGroote2016("muscle", up, down, sympy.Integer(10))
    (rate,) = dynamics.rhs()
    return rate.xreplace({dynamics.activation: a, dynamics.excitation: e}), 4


_EXPRESSIONS: dict[CurveName, Callable[..., tuple[sympy.Expr, int]]] = {
    "active": _named("FiberForceLengthActive"),
    "passive": _named("FiberForceLengthPassive"),
    "velocity": _named("FiberForceVelocity"),
    "velocity_inverse": _named("FiberForceVelocityInverse"),
    "tendon": _tendon,
    "activation": _activation,
}


# ------------------------------------------------------------------ musculotendons

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
            message = (
                f"muscle '{without[0]}' has no 'hill'" if without else "the model has no muscles"
            )
            raise MuscleError(f"{message}: expected what its fibres and its tendon are like")
        names, values = Names(model), Names(model).values(constants)
        hills = [muscle.hill for muscle in model.muscles if muscle.hill is not None]
        given = [name for name in Hill.model_fields if name not in ("tendon", "maximal_velocity")]
        arrays = {
            name: np.array([names.number(getattr(hill, name), values) for hill in hills])
            for name in given
        }
        optimal = arrays["optimal_fiber_length"].tolist()
        fastest = [
            FASTEST * length
            if hill.maximal_velocity is None
            else names.number(hill.maximal_velocity, values)
            for hill, length in zip(hills, optimal, strict=True)
        ]
        elastic = np.array([hill.tendon == "elastic" for hill in hills])
        labels = tuple(muscle.name for muscle in model.muscles)
        return cls(labels, maximal_velocity=np.array(fastest), elastic=elastic, **arrays)

    def select(self, which: Any) -> Musculotendons:
        """Return some of the muscles, by their numbers or as a mask."""
        names = tuple(np.array(self.names)[which].tolist())
        arrays = {one.name: getattr(self, one.name)[which] for one in fields(self)[1:]}
        return Musculotendons(names, **arrays)

    @cached_property
    def _by_tendon(self) -> tuple[Musculotendons, Musculotendons]:
        """Those whose tendons are elastic, and those whose are not."""
        return self.select(self.elastic), self.select(~self.elastic)

    def pulling(
        self, length: Array, rate: Array, activation: Array, fibers: Array
    ) -> tuple[Array, Fibers]:
        """Return the tensions of the muscles in N, and how their fibres are.

        Parameters
        ----------
        length, rate : array, shape (..., muscles)
            Of the muscles, in m and m/s.
        activation : array, shape (..., muscles)
        fibers : array, shape (..., elastic muscles)
            The normalized lengths of the fibres whose tendons are elastic.

        Raises
        ------
        MuscleError
            If a muscle is shorter than its rigid tendon.
        """
        soft, stiff = self.elastic, ~self.elastic
        tension, long, velocity, cosine = np.empty((4, *length.shape))
        on_springs, on_wires = self._by_tendon
        rigid = on_wires.rigid(length[..., stiff], rate[..., stiff])
        contracting, passive = on_wires.capacity(rigid)
        elastic, tension[..., soft] = on_springs.elastic_fibers(
            length[..., soft], fibers, activation[..., soft]
        )
        tension[..., stiff] = contracting * activation[..., stiff] + passive
        for whole, name in ((long, "length"), (velocity, "velocity"), (cosine, "cosine")):
            whole[..., stiff], whole[..., soft] = getattr(rigid, name), getattr(elastic, name)
        return tension, Fibers(long, velocity, cosine)

    def change(self, activation: Array, excitation: Array, fibers: Fibers) -> Array:
        """Return the rates of activations, and of the lengths of fibres on elastic tendons.

        Parameters
        ----------
        activation, excitation : array, shape (..., muscles)
        fibers : Fibers

        Returns
        -------
        array, shape (..., muscles + elastic muscles)
        """
        times = self.activation_time, self.deactivation_time
        fastest = self.maximal_velocity / self.optimal_fiber_length
        lengthening = (fastest * fibers.velocity)[..., self.elastic]
        rates = curve("activation")(activation, excitation, *times)
        return np.concatenate([rates, lengthening], axis=-1)

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
        """Return the tension for a unit of activation, and that without any, in N.

        Parameters
        ----------
        fibers : Fibers
            How long they are and how fast they shorten.

        Returns
        -------
        active, passive : array, shape (..., muscles)
        """
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
        """Return the tension of elastic tendons in N, and the cosine of the fibres' angle.

        Parameters
        ----------
        length : array, shape (..., muscles)
            Of the muscles, in m.
        fibers : array, shape (..., muscles)
            Normalized lengths of the fibres.

        Returns
        -------
        tension, cosine : array, shape (..., muscles)
        """
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
    forces = [
        f"{str(name).replace('_', ' ')} {value:.3g} N".replace("-", "\N{MINUS SIGN}")
        for name, value in zip(names, least.to_numpy(), strict=True)
        if value < 0
    ]
    why = "the damping of fibres that shorten, or curves that go below zero"
    return f"tensions below zero: {', '.join(forces)} ({why})" if forces else ""


# ------------------------------------------------------------------ at rest

SHORTEST = 0.01
"""The shortest part of their optimal length that fibres reach along the tendon."""


def at_rest(tendons: Musculotendons, lengths: Array, active: Array) -> Array:
    """Return the normalized lengths of fibres that pull as strongly as their elastic tendons.

    Parameters
    ----------
    tendons : Musculotendons
    lengths : array, shape (muscles,)
        Of the muscles, in m.
    active : array, shape (muscles,)
        Their activation.

    Raises
    ------
    MuscleError
        If there is no such length.
    """
    fibers = np.empty(len(lengths))
    for number, name in enumerate(tendons.names):
        unbalanced = partial(_unbalanced, tendons.select([number]), lengths[number], active[number])
        fibers[number] = _root(unbalanced, tendons.select([number]), lengths[number], name)
    return fibers


def _unbalanced(tendons: Musculotendons, length: float, active: float, fiber: float) -> float:
    tension, cosine = tendons.tendon(np.array([length]), np.array([fiber]))
    pull = active * curve("active")(fiber) + curve("passive")(fiber)
    return float((tension / tendons.peak_force / cosine)[0] - pull)


def _root(
    unbalanced: Callable[[float], float], one: Musculotendons, length: float, name: str
) -> float:
    from scipy.optimize import brentq  # slow to import

    thin, optimal = float(np.sin(one.pennation)[0]), float(one.optimal_fiber_length[0])
    ahead = (length - one.longest_tendon[0], length)
    low, high = (float(np.hypot(max(part / optimal, SHORTEST), thin)) for part in ahead)
    if not (low < high and unbalanced(low) > 0 > unbalanced(high)):
        raise MuscleError(
            f"muscle '{name}' is {length:.4g} m long at first: expected one at which its fibres "
            "and its tendon pull as strongly"
        )
    return float(brentq(unbalanced, low, high, xtol=1e-15, rtol=1e-14))
