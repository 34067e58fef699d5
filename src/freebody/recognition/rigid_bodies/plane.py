r"""Newton's and Euler's equations of a body that moves in a plane, such as a car with two wheels.

:math:`m(\dot v + u r) = F` tells the mass, and the forces across the body, :math:`I\dot r = M`
its moment of inertia. Across may also be told by the angle of the velocity, :math:`v = u\beta`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from freebody.algebra import Form
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.recognition.rigid_bodies.equations import SpeedEquation, SpeedEquations
from freebody.recognition.symbols.initials import INERTIAS, MASSES, initial


@dataclass(frozen=True, eq=False)
class PlaneMotion:
    """What a page says of a body that moves in a plane.

    Attributes
    ----------
    along, across, turning : Letter
        Its velocity along its axes, and its angular velocity: letters, or rates of coordinates.
    heading : Letter or None
        The angle of which the page says that the angular velocity is its rate.
    is_ratio : bool
        Whether across is a letter for the angle of the velocity, by which it is over that along.
    is_steady : bool
        Whether the velocity along the body is constant.
    mass, inertia : Letter
    forces : tuple of Form
        Along and across.
    moment : Form
    equations : tuple of SpeedEquation
    """

    along: Letter
    across: Letter
    turning: Letter
    heading: Letter | None
    is_ratio: bool
    is_steady: bool
    mass: Letter
    inertia: Letter
    forces: tuple[Form, Form]
    moment: Form
    equations: tuple[SpeedEquation, ...]


class PlaneReader:
    """Finds the equations of a body that moves in a plane.

    Parameters
    ----------
    letters : Letters
    found : SpeedEquations
    """

    def __init__(self, letters: Letters, found: SpeedEquations) -> None:
        self._letters, self._ring, self._found = letters, letters.ring, found.all

    def motions(self) -> Iterator[PlaneMotion]:
        """Iterate over what equations say of such a body."""
        for turned in self._found:
            for turning, inertia, factor in self._turning(turned):
                for row in self._found:
                    yield from self._moving(row, turned, turning, inertia, factor)

    def _turning(self, row: SpeedEquation) -> Iterator[tuple[Letter, Letter, Form]]:
        """Iterate over an angular velocity in an equation, its inertia, and all before its rate."""
        for rate in row.letters:
            slope = self._letters.slope(row.form, rate) if rate.dots else self._ring.zero
            heavy = [
                one for one in letters_of(self._letters, slope) if initial(one.key) in INERTIAS
            ]
            if len(heavy) == len(slope.terms) == 1:
                yield Letter(rate.key, rate.dots - 1), heavy[0], slope

    def _moving(
        self,
        row: SpeedEquation,
        turned: SpeedEquation,
        turning: Letter,
        inertia: Letter,
        factor: Form,
    ) -> Iterator[PlaneMotion]:
        """Iterate over what an equation says of a velocity across a body that turns."""
        form = self._letters.form
        for rate in row.letters if turning in row.letters else ():
            if not rate.dots or rate.key == turning.key:
                continue
            across, slope = Letter(rate.key, rate.dots - 1), self._letters.slope(row.form, rate)
            inside = letters_of(self._letters, slope)
            heavy = [one for one in inside if initial(one.key) in MASSES]
            if len(heavy) != 1 or len(slope.terms) != 1:
                continue
            heading, said = self._heading(turning)
            carried = self._letters.slope(row.form, turning)
            for along, is_ratio in self._alongs(slope, carried):
                speed = self._ring.one if is_ratio else form(along)
                rest = slope * (form(rate) + speed * form(turning)) - row.form
                force = form(heavy[0]) * (rest / slope)
                ahead, rows = self._ahead(along, across, turning)
                moment = form(inertia) * (
                    (factor * form(Letter(turning.key, turning.dots + 1)) - turned.form) / factor
                )
                yield PlaneMotion(
                    along, across, turning, heading, is_ratio,
                    along.key not in self._letters.moving or is_ratio,
                    heavy[0], inertia,
                    (ahead, force * form(along) if is_ratio else force), moment,
                    (row, turned, *rows, *said),
                )  # fmt: skip

    def _heading(self, turning: Letter) -> tuple[Letter | None, tuple[SpeedEquation, ...]]:
        """Return the angle whose rate a page says the angular velocity to be, with where."""
        if turning.dots:
            return Letter(turning.key, turning.dots - 1), ()
        for row in self._found:
            others = row.letters - {turning}
            for rate in others if len(others) == 1 else ():
                if rate.dots != 1:
                    continue
                lead = self._letters.slope(row.form, rate)
                told = self._letters.form(rate) - self._letters.form(turning)
                if lead.is_number and not row.form - lead * told:
                    return Letter(rate.key, 0), (row,)
        return None, ()

    def _alongs(self, slope: Form, carried: Form) -> Iterator[tuple[Letter, bool]]:
        r"""Iterate over the velocity that a body carries around as it turns: u of ``m u r``.

        With whether the mass stands before it, as in :math:`m u(\dot\beta + r)`.
        """
        for one in sorted(letters_of(self._letters, carried)):
            is_speed = not one.dots and initial(one.key) not in MASSES
            if is_speed and _has(carried, slope * self._letters.form(one)):
                yield one, False
        rest = [one for one in letters_of(self._letters, slope) if initial(one.key) not in MASSES]
        if len(rest) == 1 and _has(carried, slope):
            yield rest[0], True

    def _ahead(
        self, along: Letter, across: Letter, turning: Letter
    ) -> tuple[Form, tuple[SpeedEquation, ...]]:
        """Return the force along the body, with the equation that says so, if one does."""
        form, rate = self._letters.form, Letter(along.key, along.dots + 1)
        for row in self._found:
            slope = self._letters.slope(row.form, rate)
            mass = [one for one in letters_of(self._letters, slope) if initial(one.key) in MASSES]
            is_carried = _has(self._letters.slope(row.form, turning), -slope * form(across))
            if slope and is_carried and len(mass) == len(slope.terms) == 1:
                moved = form(rate) - form(across) * form(turning)
                return form(mass[0]) * ((slope * moved - row.form) / slope), (row,)
        return self._ring.zero, ()


def _has(form: Form, part: Form) -> bool:
    """Return whether all terms of a part are terms of a form."""
    return bool(part) and len((form - part).terms) == len(form.terms) - len(part.terms)
