"""What can be read of a model file in which some entries are wrong."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from freebody.algebra.expressions import MAX_BITS
from freebody.errors import Problem, closest, nearest
from freebody.model.copies import Copies, ModelFile, Values, make_copies
from freebody.model.functions import Table
from freebody.model.impacts import Catch, ImpactBase, Limit, Touch
from freebody.model.joints import (
    Custom,
    Cylindrical,
    Free,
    JointBase,
    Move,
    Pin,
    Planar,
    Slider,
    Spherical,
    Universal,
    Weld,
)
from freebody.model.loads import (
    Coincident,
    ConstraintBase,
    Contact,
    Damper,
    Force,
    Friction,
    Holonomic,
    Nonholonomic,
    Parallel,
    Rolling,
    Spring,
    Stop,
    Torque,
    Wheel,
)
from freebody.model.marks import IDENTIFIER, Entry
from freebody.model.muscles import Hill, Muscle, Range, Surface, Via
from freebody.model.parts import (
    Body,
    Constant,
    Coordinate,
    Input,
    NamedPoint,
    Orientation,
    Placement,
    Prescribed,
    Segment,
    Segments,
    Speed,
)
from freebody.model.schema import Model
from freebody.model.segments import apply_segments, segment_data, without_segments

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Loc = tuple[int | str, ...]
"""A path as pydantic gives it."""

SECTIONS: Mapping[str, type[Entry]] = {
    "coordinates": Coordinate,
    "speeds": Speed,
    "prescribed": Prescribed,
    "inputs": Input,
    "constants": Constant,
    "functions": Table,
    "bodies": Body,
    "joints": JointBase,
    "points": NamedPoint,
    "forces": Force,
    "torques": Torque,
    "springs": Spring,
    "dampers": Damper,
    "stops": Stop,
    "friction": Friction,
    "contacts": Contact,
    "muscles": Muscle,
    "constraints": ConstraintBase,
    "impacts": ImpactBase,
    "each": Values,
    "segments": Segments,
}
WITHIN: Mapping[Any, type[Entry]] = {
    "pin": Pin,
    "slider": Slider,
    "cylindrical": Cylindrical,
    "planar": Planar,
    "universal": Universal,
    "spherical": Spherical,
    "weld": Weld,
    "free": Free,
    "custom": Custom,
    "motion": Move,
    "coincident": Coincident,
    "parallel": Parallel,
    "rolling": Rolling,
    "wheel": Wheel,
    "holonomic": Holonomic,
    "nonholonomic": Nonholonomic,
    "touch": Touch,
    "catch": Catch,
    "limit": Limit,
    "between": Placement,
    "contact": Placement,
    "place": Via,
    "during": Range,
    "surface": Surface,
    "hill": Hill,
    "orientation": Orientation,
    "child_orientation": Orientation,
    "segment": Segment,
}
"""The class of what is inside an entry of a section, by the part of the path that leads there."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A model without the entries that could not be read.

    Attributes
    ----------
    model : Model or None
        ``None`` if so much is missing that there is nothing to review.
    problems : tuple of Problem
        What is wrong with the entries left out.
    names : frozenset of str
        Names of the entries left out.
    nameless : bool
        Whether the name of one of them is unknown.
    words : frozenset of str
        All words in the entries left out: names that these may use.
    kept : mapping of str to list of int
        For each section that is a list, the places of its entries in the tables.
    copies : Copies
        What was repeated to make these tables of what the file says.
    """

    model: Model | None
    problems: tuple[Problem, ...] = ()
    names: frozenset[str] = frozenset()
    nameless: bool = False
    words: frozenset[str] = frozenset()
    kept: Mapping[str, list[int]] = field(default_factory=dict)
    copies: Copies = field(default_factory=Copies)

    def in_file(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return problems of the model with their paths as they are in the file."""
        return list(self.copies.as_written(map(self._in_tables, problems)))

    def _in_tables(self, problem: Problem) -> Problem:
        section, _, rest = problem.where.partition("[")
        if section not in self.kept:
            return problem
        index, _, rest = rest.partition("]")
        return replace(problem, where=f"{section}[{self.kept[section][int(index)]}]{rest}")


def make_draft(data: Mapping[str, Any]) -> Draft:
    """Read what can be read of a model's tables."""
    if "each" not in data:
        return _drafted(data)
    each = data["each"]
    read = _read(ModelFile, {"title": "", "each": each})
    errors = read if isinstance(read, list) else []
    wrong = _problems(errors, data)
    if any(len(error["loc"]) == 1 for error in errors):
        return Draft(None, wrong)
    lost = {error["loc"][1] for error in errors}
    file = ModelFile(title="", each={name: each[name] for name in each if name not in lost})
    copies = make_copies(
        data, {name: None if name in lost else file.values_of(name) for name in each}
    )
    return _repeated(_drafted(copies.tables), copies, wrong)


def _repeated(draft: Draft, copies: Copies, wrong: tuple[Problem, ...]) -> Draft:
    """Return a draft as one of the file: without a model if something could not be repeated."""
    wrong += copies.problems
    problems = (*wrong, *copies.as_written(draft.problems))
    return replace(draft, model=None if wrong else draft.model, problems=problems, copies=copies)


def _drafted(data: Mapping[str, Any]) -> Draft:
    segments = segment_data(data)
    if segments is None:
        return _plain(data)
    read = _read(ModelFile, segments)
    if isinstance(read, list):
        drafted = without_segments(data, _problems(read, data))
    else:
        file = ModelFile.model_validate(segments)
        drafted = apply_segments(data, file.segments, file.bodies)
    draft = _plain(drafted.tables)
    return replace(
        draft,
        problems=(*drafted.problems, *draft.problems),
        names=draft.names | drafted.names,
        words=draft.words | drafted.words,
    )


def _plain(data: Mapping[str, Any]) -> Draft:
    errors = _read(Model, data)
    if isinstance(errors, Model):
        return Draft(errors)
    problems = _problems(errors, data)
    locs = {error["loc"] for error in errors}
    if any(_spoils_all(loc, data) for loc in locs):
        return Draft(None, problems)
    return _without({loc[: 2 if loc[0] in SECTIONS else 1] for loc in locs}, data, problems)


def _read(kind: type[Model], data: Mapping[str, Any]) -> Model | list[ErrorDetails]:
    """Return a model, or what is wrong with it."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        return error.errors(include_url=False)


def _problems(errors: Iterable[ErrorDetails], data: Mapping[str, Any]) -> tuple[Problem, ...]:
    return tuple(
        Problem(_where(error, data), _no_place(error, data) or _message(error)) for error in errors
    )


def _no_place(error: ErrorDetails, data: Any) -> str:
    """Return what to write instead of a body alone where a place is expected; else nothing."""
    named = error["input"]
    if error.get("ctx", {}).get("class_name") != "Placement" or not isinstance(named, str):
        return ""
    bodies = data.get("bodies", [])
    names = [one.get("name") for one in bodies if isinstance(one, Mapping)]
    known = ["ground", *(one for one in names if isinstance(one, str))]
    on = closest(named, known)
    there = f"; there are {', '.join(known)}" if on is None else ""
    place = f'{{ on = "{on or "ground"}", at = [x, y, z] }}'
    return f"expected a place such as {place}, found '{named}'{there}"


def _spoils_all(loc: Loc, data: Mapping[str, Any]) -> bool:
    """Whether a section as a whole is lost, or what looks like one misspelt."""
    if loc[0] in SECTIONS:
        return len(loc) == 1
    misspelt = loc[0] not in Model.model_fields
    return misspelt and isinstance(data.get(str(loc[0])), Mapping | list)


def _without(lost: set[Loc], data: Mapping[str, Any], problems: tuple[Problem, ...]) -> Draft:
    rest = {section: copy.copy(entries) for section, entries in data.items()}
    left_out = [_popped(rest, loc) for loc in sorted(lost, reverse=True)]
    names = {name for name, _ in left_out}
    words = (re.findall(r"\w+", text) for text in _texts([entries for _, entries in left_out]))
    kept = {
        section: [index for index in range(len(entries)) if (section, index) not in lost]
        for section, entries in data.items()
        if section in SECTIONS and isinstance(entries, list)
    }
    return Draft(
        Model.model_validate({"title": "", **rest}),
        problems,
        names=frozenset(name for name in names if name is not None),
        nameless=None in names,
        words=frozenset().union(*words),
        kept=kept,
    )


def _popped(rest: dict[str, Any], loc: Loc) -> tuple[str | None, Any]:
    """Take an entry out of the tables; return its name and what it says."""
    section, *key = loc
    if not key:
        return str(section), rest.pop(str(section), None)
    entry = rest[str(section)].pop(key[0])
    if isinstance(key[0], str):
        return key[0], entry
    name = entry.get("name") if isinstance(entry, Mapping) else None
    return name if isinstance(name, str) and re.match(IDENTIFIER, name) else None, entry


def _texts(data: Any) -> Iterator[str]:
    waiting = [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping | list):
            waiting += part.values() if isinstance(part, Mapping) else part


def _where(error: ErrorDetails, data: Any) -> str:
    """Return the path of an error: of what pydantic gives, the part that is in the file."""
    path, place, missing = "", data, error["type"] == "missing"
    for part in error["loc"]:
        known = part in place if isinstance(place, Mapping) else _is_index(part, place)
        if known or (missing and part is error["loc"][-1]):
            path += f"[{part}]" if isinstance(part, int) else f".{part}"
            place = place[part] if known else None
    return path.removeprefix(".") + (".type" if error["type"].startswith("union_tag") else "")


def _is_index(part: int | str, place: Any) -> bool:
    return isinstance(part, int) and isinstance(place, list | tuple) and part < len(place)


EXPECTED: Mapping[str, str] = {
    "string_type": "text",
    "string_pattern_mismatch": "a name of letters, digits and underscores",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "tuple_type": "a list",
    "too_long": "at most {max_length} entries",
    "literal_error": "{expected}",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number not below {ge}",
    "less_than_equal": "a number not above {le}",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
}
"""What was expected, by pydantic's name of the error."""


def _message(error: ErrorDetails) -> str:
    kind, loc = error["type"], error["loc"]
    if kind in ("missing", "union_tag_not_found"):
        return "is missing"
    if kind == "extra_forbidden":
        fields = _owner(loc).model_fields.items()
        keys = [field.alias or name for name, field in fields]
        return f"unknown key{nearest(str(loc[-1]), keys)} (expected one of {', '.join(keys)})"
    if kind == "union_tag_invalid":
        tag = str(error["ctx"]["tag"])
        return f"expected {error['ctx']['expected_tags']}, found '{tag}'{nearest(tag, WITHIN)}"
    if kind in EXPECTED:
        expected = EXPECTED[kind].format_map(error.get("ctx", {}))
        return f"expected {expected}, {_value_words(error['input'])}"
    return error["msg"] if kind == "told" else f"{error['msg']}, {_value_words(error['input'])}"


def _owner(loc: Loc) -> type[Entry]:
    """Return the class of the table that a path ends in."""
    if len(loc) == 1:
        return ModelFile
    inner = (WITHIN[part] for part in reversed(loc[2:-1]) if part in WITHIN)
    return next(inner, SECTIONS[str(loc[0])])


def _value_words(value: Any) -> str:
    if isinstance(value, Mapping):
        return "found a table"
    if isinstance(value, list | tuple):
        return f"found a list of {len(value)}"
    huge = isinstance(value, int) and value.bit_length() > MAX_BITS
    return "found a huge number" if huge else f"found {value!r}"[:80]
