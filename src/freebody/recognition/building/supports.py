r"""What is carried by a support that moves in a given way, told by the loads of a page.

In the frame of a support that is accelerated by a, each mass m has a load :math:`-m\,a` besides.
Loads that depend on time so are its motion, which is prescribed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from freebody.algebra import Form
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.recognition.building.bodies import Bodies
from freebody.recognition.building.energies import Energies, constants
from freebody.recognition.equations.functions import Functions, is_timed
from freebody.recognition.symbols.initials import HEAVY, initial


@dataclass(frozen=True)
class SupportMotion:
    """A way in which a support moves.

    Attributes
    ----------
    axis : int
        Along x, or y.
    displacement : sympy.Expr
        In the symbols of the page.
    """

    axis: int
    displacement: sympy.Expr


def supported(
    letters: Letters, functions: Functions, found: Energies, placed: Bodies
) -> tuple[tuple[Form, ...], tuple[SupportMotion, ...]]:
    """Return the loads besides a support that moves, and how that moves, if it does."""
    loads, motions = found.loads, list[SupportMotion]()
    inside = {one.key for load in loads for one in letters_of(letters, load)}
    timed = sorted(filter(is_timed, inside))
    levers = [_lever(letters, found, placed, axis) for axis in (0, 1)] if timed else []
    for key in timed:
        for axis, lever in enumerate(levers):
            is_shifted = len(lever) == 1 and not lever[0] - found.inertia[0][0]
            taken = _carried(letters, functions, loads, lever, key, is_shifted=is_shifted)
            if taken:
                displacement, loads = taken
                motions.append(SupportMotion(axis, displacement))
                break
    return loads, tuple(motions)


def _lever(letters: Letters, found: Energies, placed: Bodies, axis: int) -> tuple[Form, ...]:
    """Return by how much all masses together move along an axis, by coordinate."""
    ring = letters.ring
    moments = [
        one.position[axis].scaled(one.count) * letters.form(Letter(one.mass, 0))
        for one in placed.masses
    ]
    return tuple(ring.partial(ring.sum(moments), letters.atom(one)) for one in found.coordinates)


def _carried(
    letters: Letters,
    functions: Functions,
    loads: Sequence[Form],
    lever: Sequence[Form],
    key: str,
    *,
    is_shifted: bool,
) -> tuple[sympy.Expr, tuple[Form, ...]] | None:
    """Return the displacement that gives a function of time in loads, and what loads remain.

    None where they are no such loads. What is shifted alone, a force may act on as well.
    """
    ring, atom = letters.ring, letters.atom(Letter(key, 0))
    parts = [ring.partial(load, atom) for load in loads]
    first = next((n for n, part in enumerate(parts) if part), None)
    frequency = functions.frequency(key)
    if first is None or frequency is None or not lever[first]:
        return None
    acceleration = -parts[first] / lever[first]
    inside = {one.key for one in letters_of(letters, acceleration)}
    if inside & letters.moving or any(map(is_timed, inside)):
        return None
    if any(initial(one) in HEAVY for one in constants(letters, [acceleration])):
        return None  # a force
    if any(part + acceleration * own for part, own in zip(parts, lever, strict=True)):
        return None
    amplitude = ring.expression(-acceleration / (frequency * frequency))
    if is_shifted and frequency.symbols & amplitude.as_numer_denom()[1].free_symbols:
        return None  # a force divided by the mass
    own = letters.form(Letter(key, 0))
    rest = (load - part * own for load, part in zip(loads, parts, strict=True))
    return amplitude * functions.known[key], tuple(rest)
