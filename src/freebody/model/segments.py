"""Bodies that are segments of a table: what they do not say of themselves follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from freebody.anthropometry import Table, table
from freebody.errors import Problem, SegmentError
from freebody.model.marks import IDENTIFIER
from freebody.model.parts import FileBody, Segments
from freebody.model.segment_choice import SegmentChoice, factor, inertia_names, no_radius, radii

UNITS = {"mass": "kg", "length": "m", "center_of_mass": "m", "inertia": "kg*m**2"}
WHAT = {
    "mass": "mass of {}",
    "length": "length of {}",
    "center_of_mass": "distance of the centre of mass of {}",
    "inertia": "moment of inertia of {} through its centre of mass",
}
AXES = range(3)
BODY = {"mass": ("body_mass", "kg", "mass"), "height": ("body_height", "m", "height")}


@dataclass(frozen=True)
class SegmentedBodies:
    """The tables of a file in which nothing follows from a table of segments any more.

    Attributes
    ----------
    tables : mapping of str to Any
    problems : tuple of Problem
    names : frozenset of str
        Of the constants that could not be worked out.
    words : frozenset of str
        In what was taken out.
    """

    tables: Mapping[str, Any]
    problems: tuple[Problem, ...] = ()
    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def segment_data(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the parts of a file that concern segments, or None if there are none."""
    bodies = _bodies(data)
    named = [{"name": "body"} | {key: b[key] for key in ("segment",) if key in b} for b in bodies]
    if "segments" not in data and not any("segment" in body for body in named):
        return None
    segments = {"segments": data["segments"]} if "segments" in data else {}
    return {"title": "", "bodies": named, **segments}


def without_segments(data: Mapping[str, Any], problems: tuple[Problem, ...]) -> SegmentedBodies:
    """Return the tables with stand-ins for all that should follow from a table."""
    maker = _SegmentBuilder(data, None, wrong=list(problems))
    for body in _bodies(data):
        if "segment" in body:
            maker.stand_in(body)
    return maker.measured()


def apply_segments(
    data: Mapping[str, Any], segments: Segments | None, bodies: tuple[FileBody, ...]
) -> SegmentedBodies:
    """Give bodies that are segments what they do not say of themselves.

    Parameters
    ----------
    data : mapping of str to Any
        The tables of a file.
    segments : Segments or None
    bodies : tuple of FileBody
        With the segment of each body that is one.

    Examples
    --------
    >>> data = {"bodies": [{"name": "arm", "segment": "forearm"}]}
    >>> body = FileBody(name="arm", segment="forearm")
    >>> made = apply_segments(data, Segments(table="dempster_winter", mass=70, height=1.7), (body,))
    >>> made.tables["bodies"][0]["center_of_mass"]
    ['arm_center_of_mass', 0, 0]
    >>> made.tables["constants"]["arm_center_of_mass"]["value"]
    '0.43*arm_length'
    """
    if segments is None:
        message = "expected [segments] with the table that it is in"
        wrong = (f"bodies[{index}].segment" for index, body in enumerate(bodies) if body.segment)
        return without_segments(data, tuple(Problem(where, message) for where in wrong))
    chosen = _table_and_sex(segments)
    if isinstance(chosen, Problem):
        return without_segments(data, (chosen,))
    maker = _SegmentBuilder(data, segments)
    for index, (entries, body) in enumerate(zip(_bodies(data), bodies, strict=True)):
        if body.segment is not None:
            maker.follow(entries, SegmentChoice(*chosen, body.segment), f"bodies[{index}].segment")
    if all(body.segment is None for body in bodies):
        maker.wrong.append(Problem("segments", "no body has a 'segment'"))
    return maker.measured()


def _table_and_sex(segments: Segments) -> tuple[Table, str] | Problem:
    """Return the table and the sex whose columns count, or what is wrong with them."""
    where = "segments.table"
    try:
        used = table(segments.table)
        where = "segments.sex"
        return used, used.sex(segments.sex)
    except SegmentError as error:
        return Problem(where, str(error))


@dataclass
class _SegmentBuilder:
    data: Mapping[str, Any]
    segments: Segments | None
    constants: dict[str, Any] = field(default_factory=dict)
    bodies: dict[int, dict[str, Any]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    wrong: list[Problem] = field(default_factory=list)

    @property
    def declared(self) -> Mapping[str, Any]:
        constants = self.data.get("constants", {})
        return constants if isinstance(constants, Mapping) else {}

    def measured(self) -> SegmentedBodies:
        """Return the tables, with those of the constants that something uses."""
        bodies = [self.bodies.get(id(body), body) for body in self.data.get("bodies", ())]
        rest = {key: entries for key, entries in self.data.items() if key != "segments"}
        tables = {**rest, "bodies": bodies} if bodies else rest
        made = _used(self.constants, tables)
        if made or "constants" in tables:
            tables["constants"] = {**self.data.get("constants", {}), **made}
        taken_out = [
            self.data.get("segments"),
            [body.get("segment") for body in _bodies(self.data)],
        ]
        words = frozenset(_words(taken_out) if self.wrong else ())
        return SegmentedBodies(tables, tuple(self.wrong), frozenset(self.lost), words)

    # ------------------------------------------------------------------ one body

    def stand_in(self, body: Mapping[str, Any]) -> None:
        """Let a body whose segment is wrong be one of which nothing else is said."""
        rest = {key: part for key, part in body.items() if key != "segment"}
        self.bodies[id(body)] = {"mass": 1, **rest}
        name = str(body.get("name"))
        self.lost |= {f"{name}_{what}" for what in UNITS} | {n for n, *_ in BODY.values()}
        self.lost |= {f"{name}_inertia_{axis}" for axis in "xyz"}
        self.lost |= {word for word in _words(rest) if self._open(word)}

    def follow(self, body: Mapping[str, Any], choice: SegmentChoice, where: str) -> None:
        """Give a body what it does not say."""
        if not re.fullmatch(IDENTIFIER, str(body.get("name"))):  # told with the body itself
            self.stand_in(body)
            return
        try:
            self._follow(body, choice)
        except SegmentError as error:
            self.wrong.append(Problem(where, str(error)))
            self.stand_in(body)

    def _follow(self, body: Mapping[str, Any], choice: SegmentChoice) -> None:
        choice.expect_landmarks()
        entry = {key: part for key, part in body.items() if key != "segment"}
        name = str(body.get("name"))
        mass = self._mass(name, entry, choice)
        length = self._length(name, choice)
        self._center_of_mass(name, entry, choice, length)
        self._inertia(name, entry, choice, (mass, length))
        self.bodies[id(body)] = entry

    def _mass(self, name: str, entry: dict[str, Any], choice: SegmentChoice) -> str:
        formula = f"{choice.fractions.mass}*{self._of_body('mass')}"
        own = entry.setdefault("mass", f"{name}_mass")
        if own == f"{name}_mass" or self._open(own):
            self._add(str(own), "mass", name, formula, f"{choice.label}: {formula}")
        elif not isinstance(own, str):  # a number has no unit in an expression
            self._add(f"{name}_mass", "mass", name, own, "given")
            own = f"{name}_mass"
        return factor(own)

    def _length(self, name: str, choice: SegmentChoice) -> str:
        given = choice.segment.length
        if given is not None and not self._open(given):
            formula, source = choice.converted(factor(given))
            own = f"{name}_length"
        else:
            formula = choice.length(self._of_body("height"))
            own, source = str(given or f"{name}_length"), f"{choice.label}: {formula}"
        self._add(own, "length", name, formula, source)
        return own

    def _center_of_mass(
        self, name: str, entry: dict[str, Any], choice: SegmentChoice, length: str
    ) -> None:
        along = choice.segment.along
        axis, sign = "xyz".index(along[-1]), along[:-1]
        own = f"{name}_center_of_mass"
        place = entry.setdefault(
            "center_of_mass", [f"{sign}{own}" if n == axis else 0 for n in AXES]
        )
        for n, part in zip(AXES, place if isinstance(place, list) else (), strict=False):
            constant = str(part).removeprefix("-")
            if constant != own and not self._open(constant):
                continue
            if n != axis or str(part) != f"{sign}{constant}":
                raise SegmentError(
                    f"its centre of mass '{part}' is not where 'along' = '{along}' is"
                )
            formula = f"{choice.center_of_mass}*{length}"
            self._add(constant, "center_of_mass", name, formula, f"{choice.label}: {formula}")

    def _inertia(
        self, name: str, said: dict[str, Any], choice: SegmentChoice, of: tuple[str, str]
    ) -> None:
        mass, length = of
        own, about = said.get("inertia"), radii(choice)
        if own is None:
            own = said["inertia"] = inertia_names(name, about, choice)
        entries = own if isinstance(own, list) else [own]
        axes = "xyz" if isinstance(own, list) else "z"
        for axis, entry in zip(axes, entries, strict=False):
            made = isinstance(entry, str) and entry.startswith(f"{name}_inertia")
            if not (made or self._open(entry)):
                continue
            radius = about[axis]
            if radius is None:
                raise SegmentError(no_radius(choice))
            value = f"{mass}*({radius}*{length})**2"
            self._add(str(entry), "inertia", name, value, f"{choice.label}: {value}", axis)

    # ------------------------------------------------------------------ constants

    def _of_body(self, what: str) -> str:
        """Return the expression for the mass or height of the body."""
        value = getattr(self.segments, what)
        if value is None:
            raise SegmentError(f"its length follows from the height: expected 'segments.{what}'")
        if isinstance(value, str):
            return factor(value)
        name, unit, title = BODY[what]
        if name in self.declared:
            message = f"it is given by segments.{what}, which may name it: {what} = '{name}'"
            self._wrong(f"constants.{name}", message)
        entry = {"title": f"{title} of the body", "unit": unit, "value": value}
        self.constants[name] = {**entry, "source": f"segments.{what}"}
        return name

    def _add(
        self, constant: str, what: str, name: str, formula: Any, source: str, axis: str = ""
    ) -> None:
        """Add a constant, or give one that the file declares its value."""
        declared = self.declared.get(constant, {})
        if "value" in declared:
            if what == "length":
                message = "expected it as 'length' of its segment, with the landmarks 'between'"
                self._wrong(f"constants.{constant}", message)
            return
        before = self.constants.get(constant, {"value": formula})["value"]
        if before != formula:
            message = f"follows from two segments, as {before} and as {formula}"
            self._wrong(f"constants.{constant}", message)
        title = WHAT[what].format(name) + (f" about {axis}" if axis else "")
        made = {"title": title, "unit": UNITS[what], "source": source}
        self.constants[constant] = {**made, **declared, "value": formula}

    def _wrong(self, where: str, message: str) -> None:
        problem = Problem(where, message)
        self.wrong += [] if problem in self.wrong else [problem]

    def _open(self, value: Any) -> bool:
        """Whether it is the name of a constant that is declared without a value."""
        entry = self.declared.get(value) if isinstance(value, str) else None
        return isinstance(entry, Mapping) and "value" not in entry


def _used(constants: dict[str, Any], tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the constants that the tables use, or others of them do."""
    known = set(_words([entries for key, entries in tables.items() if key != "title"]))
    kept: list[str] = []
    while new := [name for name in constants if name not in kept and name in known]:
        kept += new
        known |= set(_words([constants[name]["value"] for name in new]))
    return {name: constants[name] for name in constants if name in kept}


def _bodies(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the bodies; one that is none, or nameless, as one without a segment."""
    bodies = data.get("bodies", ())
    if not isinstance(bodies, list | tuple):
        return []
    return [body if isinstance(body, Mapping) else {} for body in bodies]


def _words(data: Any) -> Iterator[str]:
    waiting = [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield from re.findall(r"\w+", part)
        elif isinstance(part, Mapping):
            waiting += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple):
            waiting += part
