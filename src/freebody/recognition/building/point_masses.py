r"""Point masses whose places a page prints, where nothing else it says of their motion is right.

``x_1 = l\sin\theta_1`` and ``y_1 = -l\cos\theta_1`` beside m_1 and g tell how m_1 moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.checking.guesses.symbols import Open
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.point_speeds import places_of
from freebody.consistency.statement import Statement
from freebody.documents.latex.name_marks import name_marks
from freebody.documents.latex.printed_names import printed_names
from freebody.errors import FreebodyError
from freebody.recognition.building.energies import MOST_PRODUCTS, Energies, of_lagrangian
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.symbols.initials import GRAVITY

MOST_POINTS = 4
_UPRIGHT = re.compile(
    r"invert|upright|balanc|segway|cart|stehend|inverso|invertido|倒立", re.IGNORECASE
)
"""Words of pages on which what is y = l cos θ is above its pivot."""


def by_places(motion: PageMotion) -> Energies | None:
    """Return what the places of numbered point masses say, on a page that has their weights too.

    Parameters
    ----------
    motion : PageMotion
    """
    keys = motion.meanings.keys
    gravity = next((key for key in GRAVITY if key in keys), None)
    with suppress(FreebodyError, ZeroDivisionError), motion.letters.ring.budget.work(MOST_PRODUCTS):
        if gravity and (points := [*_points(motion)]):
            return _energies(motion, points, motion.letters.form(Letter(gravity, 0)))
    return None


def _energies(motion: PageMotion, points: Sequence[_Point], gravity: Form) -> Energies | None:
    """Return the energies of point masses, where their places have coordinates and no rates."""
    letters, ring = motion.letters, motion.letters.ring
    inside = {one for point in points for form in point.place for one in letters_of(letters, form)}
    coordinates = tuple(sorted(one for one in inside if one.key in letters.moving))
    if not coordinates or any(one.dots for one in inside):
        return None
    down = QQ(1 if _is_downward(motion, points[0].place[-1]) else -1)
    energy = ring.sum([
        letters.form(point.mass)
        * (
            ring.sum([letters.rate(form) ** 2 for form in point.place]).scaled(QQ(1, 2))
            + (gravity * point.place[-1]).scaled(down)
        )
        for point in points
    ])  # fmt: skip
    used = tuple(dict.fromkeys(one for point in points for one in point.used))
    return of_lagrangian(letters, energy, coordinates, used)


@dataclass(frozen=True, eq=False)
class _Point:
    """A mass, its place along axes at right angles, the last upwards, and what says so."""

    mass: Letter
    place: tuple[Form, ...]
    used: tuple[Statement, ...]


def _points(motion: PageMotion) -> Iterator[_Point]:
    """Iterate over masses, with their places and the equations that say these.

    All that are numbered so, as one without a place would be missing.
    """
    keys, known = sorted(motion.meanings.keys), motion.meanings.definitions
    page = motion.statements.page
    printed = printed_names(page, Open(marks=name_marks(page)))
    for number in map(str, range(1, MOST_POINTS + 1)):
        places = [key for key in places_of(number, keys, known) if len(known.get(key, ())) == 1]
        mass = next((key for key in (f"m_{number}", f"M_{number}", "m") if key in printed), None)
        if len(places) < 2 or mass is None:
            return
        said = [known[key][0] for key in places]
        if not all(one.grid.is_scalar and not one.letter.dots for one in said):
            return
        forms = tuple(motion.meanings.view(one.statement).lower(one.grid.form) for one in said)
        yield _Point(Letter(mass, 0), forms, tuple(one.statement for one in said))


def _is_downward(motion: PageMotion, height: Form) -> bool:
    """Return whether heights count downward: what hangs is where its cosine is."""
    signs = {value > 0 for value in height.terms.table.values()}
    return signs == {True} and not _UPRIGHT.search(motion.statements.page.text)
