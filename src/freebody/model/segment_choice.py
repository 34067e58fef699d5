"""What a table of body segments says of one body: its mass, length, centre of mass and radii."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from freebody.anthropometry import Fractions, Row, Table
from freebody.errors import SegmentError, nearest
from freebody.model.parts import Segment


@dataclass(frozen=True)
class SegmentChoice:
    """The row of a table that a body follows.

    Attributes
    ----------
    table : Table
    sex : str
    segment : Segment
    """

    table: Table
    sex: str
    segment: Segment

    @property
    def row(self) -> Row:
        """The row itself."""
        return self.table.row(self.segment.name, self.segment.between)

    @property
    def fractions(self) -> Fractions:
        """What the row says of this sex."""
        return self.row.fractions[self.sex]

    @property
    def reversed(self) -> bool:
        """Whether the segment is measured from the row's other end."""
        first, last = self.row.between
        start, end = self.segment.between or self.row.between
        return start == last or end == first

    @property
    def center_of_mass(self) -> float:
        """The fraction of the length at which it is, from the first landmark.

        Raises
        ------
        SegmentError
            If no body has its joint there, and the file does not say that it starts there.
        """
        start, end = self.row.between
        if self.segment.between is None and start in self.table.no_joint:
            raise SegmentError(
                f"'{self.table.name}' measures '{self.segment.name}' from {start} to {end}: "
                f"expected 'between' from that of them which is at the origin of the body's frame, "
                "or the body's own 'center_of_mass'"
            )
        fraction = self.fractions.center_of_mass
        return round(1 - fraction, 6) if self.reversed else fraction

    @property
    def label(self) -> str:
        """What sources call it."""
        sex = self.sex if self.table.sexes else "either sex"
        start, end = self.row.between[::-1] if self.reversed else self.row.between
        return f"{self.table.name} ({sex}), {self.segment.name} from {start} to {end}"

    def expect_landmarks(self) -> None:
        """Refuse landmarks that the table does not know.

        Raises
        ------
        SegmentError
            With the nearest one that it knows, or those of the row.
        """
        (start, end), known = self.row.between, self.table.landmarks
        for name in self.segment.between or ():
            if name not in known:
                measured = f"; it measures '{self.segment.name}' from {start} to {end}"
                near = nearest(name, known) or measured
                raise SegmentError(f"'{self.table.name}' has no landmark '{name}'{near}")

    def length(self, height: str) -> str:
        """Return the formula for the length in the height.

        Parameters
        ----------
        height : str
            An expression for it.

        Raises
        ------
        SegmentError
            If the table has no such length.
        """
        length = self.fractions.length
        if length is None:
            start, end = self.row.between
            raise SegmentError(
                f"'{self.table.name}' has no length of '{self.segment.name}' from {start} to "
                f"{end}: expected 'length' with the landmarks 'between' which it was measured"
            )
        whole = self.table.height[self.sex]
        return f"{length}*{height}" if whole == 1 else f"{length}/{whole}*{height}"

    def converted(self, value: str) -> tuple[str, str]:
        """Return a measured length as between the row's landmarks, and a note on it.

        Parameters
        ----------
        value : str
            An expression for the length that was measured.

        Returns
        -------
        formula : str
        note : str
            Where it comes from.

        Raises
        ------
        SegmentError
            If the landmarks of the measurement are not known to the table.
        """
        between, row = self.segment.between, self.row
        if between is None:
            start, end = row.between
            raise SegmentError(
                "expected 'between' with 'length', the landmarks from which to which it was "
                f"measured; '{self.table.name}' measures '{row.segment}' from {start} to {end}"
            )
        if set(between) == set(row.between):
            return value, f"given; {self.label}"
        ours, given = (self.table.length(pair, self.sex) for pair in (row.between, between))
        if ours is None or given is None:
            raise SegmentError(self._unconverted(between))
        formula = f"{ours:.6g}/{given:.6g}*{value}"
        message = (
            f"measured from {between[0]} to {between[1]}, converted by the table's own lengths"
        )
        return formula, f"{self.label}: {formula}, {message}"

    def _unconverted(self, between: tuple[str, str]) -> str:
        start, end = self.row.between
        return (
            f"'{self.table.name}' measures '{self.segment.name}' from {start} to {end}, and has no "
            f"length from {between[0]} to {between[1]} to convert by"
        )


def radii(choice: SegmentChoice) -> dict[str, float | None]:
    """Return the radius of gyration about each axis of the body's frame."""
    long, transverse = choice.segment.along[-1], choice.segment.transverse
    row = choice.fractions
    across = dict.fromkeys("xyz", row.sagittal)
    return {**across, long: row.longitudinal, transverse: row.transverse}


def inertia_names(name: str, about: Mapping[str, float | None], choice: SegmentChoice) -> Any:
    """Return the names of the moments of inertia of a body: about each axis, or about z alone.

    Parameters
    ----------
    name : str
        Of the body.
    about : mapping of str to float or None
        The radius of gyration about each axis, as a part of the length.
    choice : SegmentChoice
        The row of the table.

    Returns
    -------
    list of str or str

    Raises
    ------
    SegmentError
        If the table has no radius of gyration about z.
    """
    if None not in about.values():
        return [f"{name}_inertia_{axis}" for axis in "xyz"]
    if about["z"] is None:
        raise SegmentError(no_radius(choice))
    return f"{name}_inertia"


def no_radius(choice: SegmentChoice) -> str:
    """Tell that a table lacks a radius of gyration."""
    only = "only " if choice.fractions.transverse is not None else ""
    which = "the transverse radius" if only else "no radius"
    return (
        f"'{choice.table.name}' has {only}{which} of gyration of '{choice.segment.name}': "
        "expected the body's own 'inertia'"
    )


def factor(value: Any) -> str:
    """Return a value as a factor of a product."""
    text = str(value)
    return text if re.fullmatch(r"\w+(\.\w+)?", text) else f"({text})"
