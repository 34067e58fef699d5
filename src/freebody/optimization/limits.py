"""Limits of a movement: whether they can be met, and which of them were not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from freebody.errors import ArgumentError

Limits = float | str | tuple[float | str, float | str]
MISSED = 1e-4
"""How far off a limit counts as missed, as a part of its size or of 1."""
MOST = 3
"""How many that were missed are told."""
WHEN = {"start": "at the start", "end": "at the end", "bounds": "all the time"}


@dataclass(frozen=True)
class Limit:
    """What an expression must be at the start, at the end or all the time.

    Attributes
    ----------
    where : str
        ``start``, ``end`` or ``bounds``.
    name : str
    limits : number, text or a pair of these
        As they were said.
    value, least, most : expression of CasADi, or float
    """

    where: str
    name: str
    limits: Limits
    value: Any
    least: Any
    most: Any

    def missed(self, number_of: Callable[[Any], Any]) -> tuple[float, str]:
        """Return how far it is missed, and that in words."""
        value, least, most = (
            np.ravel(np.asarray(number_of(one), dtype=np.float64))
            for one in (self.value, self.least, self.most)
        )
        off = np.maximum(np.maximum(least - value, value - most), 0)
        worst = int(np.argmax(off))
        size = max(1.0, *(abs(float(one.flat[0])) for one in (least, most)))
        wanted = "{} to {}".format(*self.limits) if isinstance(self.limits, tuple) else self.limits
        return (
            float(off[worst]) / size,
            f"{self.name} {WHEN[self.where]} ({wanted}; found {value[worst]:.4g})",
        )


def missed(limits: Sequence[Limit], number_of: Callable[[Any], Any]) -> str:
    """Return which limits were missed most, in words; nothing if all were met.

    Parameters
    ----------
    limits : sequence of Limit
    number_of : callable
        Gives the numbers of an expression where the search ended.
    """
    found = sorted((one.missed(number_of) for one in limits), reverse=True)
    told = [words for off, words in found[:MOST] if off > MISSED]
    return f"; not met: {', '.join(told)}" if told else ""


def expect_compatible(
    start: Mapping[str, Limits], end: Mapping[str, Limits], bounds: Mapping[str, Limits]
) -> None:
    """Refuse numbers that are out of order, and ends outside of bounds.

    Raises
    ------
    ArgumentError
        With the name and the numbers.
    """
    for where, chosen in (("start", start), ("end", end), ("bounds", bounds)):
        for name, limits in chosen.items():
            least, most = _numbers(limits)
            if least > most:
                raise ArgumentError(
                    f"{where}: '{name}': expected numbers in order, found {least:g} and {most:g}"
                )
            lower, upper = _numbers(bounds[name]) if name in bounds else (-np.inf, np.inf)
            if least > upper or most < lower:
                raise ArgumentError(
                    f"{where}: '{name}': expected it within its bounds {lower:g} to {upper:g}, "
                    f"found {least:g}" + (f" to {most:g}" if most > least else "")
                )


def _numbers(limits: Limits) -> tuple[float, float]:
    """Return the least and the most where these are numbers, else what says nothing."""
    ends = limits if isinstance(limits, tuple) else (limits, limits)
    return _number(ends[0], -np.inf), _number(ends[1], np.inf)


def _number(text: float | str, otherwise: float) -> float:
    try:
        return float(text)
    except ValueError:
        return otherwise
