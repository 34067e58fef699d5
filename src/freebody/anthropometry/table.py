"""Tables of body segment parameters: rows by segment and landmarks, and lengths between these."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Any

from freebody.arguments import checked as fitting
from freebody.errors import SegmentError, absent, nearest

EVERYONE = "all"
"""Stands for the sexes in a table that does not tell them apart."""

Landmarks = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fractions:
    """What a table says of a segment.

    Attributes
    ----------
    mass : float
        Of the mass of the body.
    center_of_mass : float
        From the first landmark, of the length of the segment.
    length : float or None
        In the unit in which the table has the height.
    sagittal, transverse, longitudinal : float or None
        Radii of gyration about the anteroposterior, mediolateral and long axis through the centre
        of mass, of the length of the segment.
    """

    mass: float
    center_of_mass: float
    length: float | None = None
    sagittal: float | None = None
    transverse: float | None = None
    longitudinal: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A segment as measured between two landmarks.

    Attributes
    ----------
    segment : str
    between : tuple of str
        The proximal landmark (or the first one, as the source has it), and the other.
    fractions : mapping of str to Fractions
        By sex.
    """

    segment: str
    between: Landmarks
    fractions: Mapping[str, Fractions]


@dataclass(frozen=True)
class Table:
    """Body segment parameters as one source has them.

    Attributes
    ----------
    name : str
    title, source, checked, note : str
        Whose they are, where they are printed, what they were compared with, and what to know.
    landmarks : mapping of str to str
        What each landmark is in the source.
    no_joint : frozenset of str
        Those of them that are far from any joint.
    height : mapping of str to float
        By sex, that which belongs to the lengths.
    rows : tuple of Row
        Of several of a segment the first is the one meant unless landmarks say otherwise.
    lengths : mapping
        By sex, further lengths between landmarks.
    """

    name: str
    title: str
    source: str
    checked: str
    note: str
    landmarks: Mapping[str, str]
    no_joint: frozenset[str]
    height: Mapping[str, float]
    rows: tuple[Row, ...]
    lengths: Mapping[str, Mapping[Landmarks, float]]

    @property
    def sexes(self) -> tuple[str, ...]:
        """The sexes that the table tells apart, none if it does not."""
        return tuple(sex for sex in self.rows[0].fractions if sex != EVERYONE)

    @property
    def segments(self) -> tuple[str, ...]:
        """The names of the segments."""
        return tuple(dict.fromkeys(row.segment for row in self.rows))

    @fitting
    def sex(self, said: str | None) -> str:
        """Return the sex whose columns count.

        Raises
        ------
        SegmentError
            If the table tells sexes apart and none of them is said.

        Examples
        --------
        >>> table("dempster_winter").sex("female")
        'all'
        """
        if not self.sexes:
            return EVERYONE
        if said in self.sexes:
            return said
        expected = " or ".join(f"'{sex}'" for sex in self.sexes)
        raise SegmentError(f"expected {expected}, which '{self.name}' tells apart, found nothing")

    @fitting
    def row(self, segment: str, between: Landmarks | None = None) -> Row:
        """Return the row of a segment: that between two landmarks if there is one, or the first.

        Raises
        ------
        SegmentError
            If the table has no such segment.

        Examples
        --------
        >>> table("de_leva_1996").row("forearm").between
        ('elbow_joint_center', 'wrist_joint_center')
        """
        rows = [row for row in self.rows if row.segment == segment]
        if not rows:
            near = nearest(segment, self.segments) or f"; it has {', '.join(self.segments)}"
            raise SegmentError(f"'{self.name}' has no segment '{segment}'{near}")
        return next((row for row in rows if _same(row.between, between)), rows[0])

    @fitting
    def length(self, between: Landmarks, sex: str) -> float | None:
        """Return the length between two landmarks, where the table has it or two that add up to it.

        Examples
        --------
        >>> round(table("dempster_winter").length(("elbow_joint_center", "fingertip"), "all"), 3)
        0.254
        """
        known = self._known(sex)
        start, end = between
        for mid in (start, *self.landmarks):
            first = 0.0 if mid == start else known.get((start, mid))
            second = known.get((mid, end))
            if first is not None and second is not None:
                return first + second
        return None

    def _known(self, sex: str) -> dict[Landmarks, float]:
        known = dict(self.lengths.get(sex, {}))
        for row in self.rows:
            length = row.fractions[sex].length
            if length is not None:
                known[row.between] = length
        return known | {(end, start): length for (start, end), length in known.items()}


def _same(between: Landmarks, other: Landmarks | None) -> bool:
    return other is not None and set(between) == set(other)


@cache
def tables() -> tuple[str, ...]:
    """Return the names of the tables.

    Examples
    --------
    >>> tables()
    ('de_leva_1996', 'dempster_winter', 'dumas_2007')
    """
    home = resources.files("freebody.anthropometry") / "tables"
    names = (file.name for file in home.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@fitting
@cache
def table(name: str) -> Table:
    """Return a table by its name.

    Raises
    ------
    SegmentError
        If there is none of this name.
    """
    if name not in tables():
        raise SegmentError(absent("table", name, tables()))
    home = resources.files("freebody.anthropometry") / "tables"
    data = tomllib.loads((home / f"{name}.toml").read_text(encoding="utf-8"))
    rows = list(map(_row, data["rows"]))
    rows += [_joined(part["segment"], part["of"], rows) for part in data.get("joined", [])]
    return Table(
        name=name,
        **{key: data[key] for key in ("title", "source", "checked", "note", "landmarks")},
        no_joint=frozenset(data.get("no_joint", ())),
        height=data.get("height", {}),
        rows=tuple(rows),
        lengths=_lengths(data.get("lengths", [])),
    )


def _row(entry: dict[str, Any]) -> Row:
    start, end = entry.pop("between")
    segment = entry.pop("segment")
    return Row(segment, (start, end), {sex: Fractions(**part) for sex, part in entry.items()})


def _joined(segment: str, of: list[str], rows: list[Row]) -> Row:
    """Return the row of segments that are one straight body, each beginning where one ends."""
    parts = [next(row for row in rows if row.segment == name) for name in of]
    sexes = {sex: _straight([part.fractions[sex] for part in parts]) for sex in parts[0].fractions}
    return Row(segment, (parts[0].between[0], parts[-1].between[1]), sexes)


def _straight(parts: list[Fractions]) -> Fractions:
    """Return what segments have together when they lie end to end."""
    lengths = [part.length or 0.0 for part in parts]
    starts = accumulate(lengths, initial=0.0)
    centers = [
        start + part.center_of_mass * length
        for start, part, length in zip(starts, parts, lengths, strict=False)
    ]
    masses = [part.mass for part in parts]
    mass, length = sum(masses), sum(lengths)
    center = sum(m * at for m, at in zip(masses, centers, strict=True)) / mass

    def radius(own: str, across: bool) -> float:
        squares = (
            m * ((getattr(part, own) * size) ** 2 + across * (at - center) ** 2)
            for m, part, size, at in zip(masses, parts, lengths, centers, strict=True)
        )
        return round(math.sqrt(sum(squares) / mass) / length, 6)

    return Fractions(
        mass=round(mass, 6),
        center_of_mass=round(center / length, 6),
        length=round(length, 6),
        sagittal=radius("sagittal", across=True),
        transverse=radius("transverse", across=True),
        longitudinal=radius("longitudinal", across=False),
    )


def _lengths(entries: list[dict[str, Any]]) -> dict[str, dict[Landmarks, float]]:
    lengths: dict[str, dict[Landmarks, float]] = {}
    for entry in entries:
        start, end = entry.pop("between")
        for sex, length in entry.items():
            lengths.setdefault(sex, {})[start, end] = length
    return lengths
