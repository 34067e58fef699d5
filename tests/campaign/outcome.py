"""What a campaign is: seeded cases, each with an outcome, and what all of them come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """What became of one case.

    Attributes
    ----------
    words : str
        The class it belongs to, a row of the table: ``"found, restored first"``.
    is_failure : bool
        Whether it must not occur: a false alarm, a miss, a traceback.
    detail : str
        What reproduces it and shows what is wrong; told of failures.
    seconds : float
        Of the part that is timed, if any.
    """

    words: str
    is_failure: bool = False
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Campaign:
    """A class of cases, each drawn from a seed.

    Attributes
    ----------
    name : str
        As the command names it.
    size : int
        How many cases make the campaign.
    limit : float
        Seconds of a processor after which a case is a hang.
    case : callable
        Draws and tries the case of a seed; what it raises is a failure as well.
    figures : callable
        Rates and times of all outcomes, a line each.
    """

    name: str
    size: int
    limit: float
    case: Callable[[int], Outcome]
    figures: Callable[[Iterable[Outcome]], list[str]] = lambda _: []
