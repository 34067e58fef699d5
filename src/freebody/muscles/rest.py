"""Fibres that neither shorten nor lengthen: where a motion on elastic tendons starts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from freebody.arrays import Array
from freebody.errors import MuscleError
from freebody.muscles.curves import curve
from freebody.muscles.hill import Musculotendons

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
    found = np.empty(len(lengths))
    for number, name in enumerate(tendons.names):
        unbalanced = partial(_unbalanced, tendons.select([number]), lengths[number], active[number])
        found[number] = _root(unbalanced, tendons.select([number]), lengths[number], name)
    return found


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
