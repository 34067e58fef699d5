"""The events in which impacts happen, and those in which what is closed opens or lets go."""

from __future__ import annotations

from freebody.mechanics.impacts import Impact
from freebody.mechanics.parts import AXES
from freebody.model.impacts import Catch, Limit, Touch
from freebody.simulation.events import Event

DEEP = 1e-11
"""Below this part of the lengths, what is beyond closed is so by rounding."""


def impact_event(impact: Impact, reach: float) -> Event:
    """Return the event in which an impact happens.

    Parameters
    ----------
    impact : Impact
    reach : float
        The lengths of the model, in m: what is closed by a tiny part of these is no impact, so that
        what has just let go does not close again by rounding.
    """
    if isinstance(impact.entry, Catch):
        return Event(impact.entry.when)
    return Event(f"{_gap(impact)} < -{DEEP * reach!r}")


def opening_event(impact: Impact) -> Event:
    """Return the event in which what is beyond closed opens."""
    return Event(f"{_gap(impact)} > 0")


def _gap(impact: Impact) -> str:
    """Return how far an impact that pushes is open, as an expression."""
    entry = impact.entry
    if isinstance(entry, Touch):
        place = [f"position.{entry.name}.{axis}" for axis in AXES]
        parts = zip(entry.normal, place, entry.arm or (0, 0, 0), strict=True)
        above = " + ".join(f"({n})*({x} + ({a}))" for n, x, a in parts)
        size = " + ".join(f"({n})**2" for n in entry.normal)
        return f"({above})/sqrt({size}) - ({entry.height})"
    return f"({entry.expression})" if isinstance(entry, Limit) else entry.when


def release_event(impact: Impact) -> Event:
    """Return the event in which what is closed would have to be pulled."""
    return Event(f"force.{impact.impulses[0].func} < 0")
