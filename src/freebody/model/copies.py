"""Entries repeated: the tables of a file without `[each]`, and where each entry comes from."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice, product
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from freebody.errors import Problem, nearest
from freebody.files import MAX_BYTES
from freebody.model.marks import IDENTIFIER, MAX_ENTRIES, Axis, Entry, Identifier
from freebody.model.parts import FileBody, Segments
from freebody.model.schema import Model

MAX_WHOLE = 10**9
MAX_NAME = 64


def _whole_number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= MAX_WHOLE:
        raise PydanticCustomError("value", "expected a whole number of at most nine digits")
    return value


def _value(value: Any) -> Any:
    if isinstance(value, int):
        return _whole_number(value)
    if not isinstance(value, str) or len(value) > MAX_NAME or not re.fullmatch(IDENTIFIER, value):
        raise PydanticCustomError("value", "expected a name or a whole number")
    return value


def _counted(values: tuple[Any, ...] | range) -> Any:
    if not 1 <= len(values) <= MAX_ENTRIES:
        message = "expected 1 to {most} values, found {found}"
        raise PydanticCustomError("told", message, {"most": MAX_ENTRIES, "found": len(values)})
    return values


def _distinct(values: tuple[Any, ...]) -> tuple[Any, ...]:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise PydanticCustomError("told", "'{value}' stands there twice", {"value": value})
    return values


Whole = Annotated[int, BeforeValidator(_whole_number)]
Value = Annotated[int | str, BeforeValidator(_value)]
ValueList = Annotated[tuple[Value, ...], AfterValidator(_counted), AfterValidator(_distinct)]


class Values(Entry):
    """The values for which entries are repeated, and which of the copies are mirrored."""

    values: ValueList | None = Field(None, description="Names or whole numbers, in order.")
    first: Whole | None = Field(None, alias="from", description="Or every whole number from this")
    last: Whole | None = Field(None, alias="to", description="to this one.")
    mirrored: ValueList | None = Field(
        None, description="Those of the values whose copies are reflected in a plane."
    )
    normal: Axis | None = Field(None, description="The axis that is normal to the plane.")

    @model_validator(mode="after")
    def _has_values(self) -> Self:
        if (self.first is None) != (self.last is None):
            raise PydanticCustomError("told", "expected 'from' with 'to'")
        if (self.values is None) == (self.first is None):
            raise PydanticCustomError("told", "expected either 'values' or 'from' with 'to'")
        _counted(self.all)
        return self

    @model_validator(mode="after")
    def _mirrors_some_of_them(self) -> Self:
        if (self.mirrored is None) != (self.normal is None):
            raise PydanticCustomError("told", "expected 'mirrored' with 'normal'")
        for value in self.mirrored or ():
            if value not in self.all:
                context = {"value": value, "near": nearest(str(value), map(str, self.all))}
                raise PydanticCustomError("told", "'{value}' is none of the values{near}", context)
        return self

    @property
    def all(self) -> tuple[int | str, ...] | range:
        """The values, in order."""
        return self.values or range(self.first or 0, (self.last or 0) + 1)

    def normal_of(self, value: int | str) -> str:
        """Return the normal of the plane in which the copy for a value is reflected, or nothing."""
        return self.normal if self.normal and value in (self.mirrored or ()) else ""


def _shape(value: Any) -> str:
    return "list" if isinstance(value, list | tuple) else "table"


class ModelFile(Model):
    """A body model as a file says it: with what is repeated in it, and what follows from tables."""

    segments: Segments | None = Field(None, description="The table that body segments follow.")
    bodies: tuple[FileBody, ...] = Field(
        (), max_length=MAX_ENTRIES, description="Rigid bodies and particles."
    )

    each: dict[
        Identifier,
        Annotated[
            Annotated[ValueList, Tag("list")] | Annotated[Values, Tag("table")],
            Discriminator(_shape),
        ],
    ] = Field(
        default_factory=dict,
        max_length=MAX_ENTRIES,
        description="The values for which an entry that holds {name} is repeated.",
    )

    def values_of(self, name: str) -> Values:
        """Return the values that a name stands for."""
        entry = self.each[name]
        return entry if isinstance(entry, Values) else Values(values=entry)


# ------------------------------------------------------------------ copies

MAX_PROBLEMS = 100
"""As many are enough to tell: looking for what was meant by thousands of names is slow."""

MAX_SHOWN = 40
LIMITS = f"a section has at most {MAX_ENTRIES} entries, and a file {MAX_BYTES} characters"

SECTIONS = frozenset(Model.model_fields) - {"title", "gravity"}
LEVELS = 8
"""How deep an entry is looked into: what a model may say is less deep."""

ENTRY = re.compile(r"\w+(?:\[[0-9]+\]|\.[^.\[]+)")
"""The part of a path that leads to an entry."""

Copy = tuple[str, Any, "Origin"]
"""The key of an entry, if it has one, what it says, and where it comes from."""

BRACES = re.compile(r"(\{[^{}]*\})")
PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)([+-]1)?\}")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an entry comes from.

    Attributes
    ----------
    where : str
        Its path in the file as written.
    said : str
        The values that it is the copy for, such as ``side = right``.
    copies : int
        How many copies there are of what is written.
    normals : str
        Of the planes in which it is reflected, one after another.
    words : frozenset of str
        The words of what is written, ``{}`` standing for every placeholder in them.
    """

    where: str
    said: str = ""
    copies: int = 1
    normals: str = ""
    words: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.where} ({self.said})" if self.said else self.where


@dataclass(frozen=True, slots=True)
class Copies:
    """The tables of a file with every copy of what is repeated, not yet reflected.

    Attributes
    ----------
    tables : mapping of str to Any
        As in a file without ``[each]``.
    problems : tuple of Problem
        Why entries that are left out could not be repeated.
    origins : mapping of str to Origin
        Of the entries, by their path in the tables.
    """

    tables: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    origins: Mapping[str, Origin] = field(default_factory=dict)

    @property
    def mirrored(self) -> dict[str, Origin]:
        """The origins of the copies that are to be reflected."""
        return {where: origin for where, origin in self.origins.items() if origin.normals}

    def as_written(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Iterate over problems of the tables as of the file: what is so in all copies, once."""
        originals: dict[tuple[str, str, str], dict[Origin, None]] = {}
        for problem in problems:
            origin, rest = self._origin(problem.where)
            originals.setdefault((origin.where, rest, problem.message), {})[origin] = None
        for (where, rest, message), origins in originals.items():
            if len(origins) == next(iter(origins)).copies:
                yield Problem(where + rest, message)
            else:
                yield from (Problem(f"{where}{rest} ({o.said})", message) for o in origins)

    def _origin(self, where: str) -> tuple[Origin, str]:
        entry = ENTRY.match(where)
        if entry is None or entry[0] not in self.origins:
            return Origin(where), ""
        return self.origins[entry[0]], where[entry.end() :]


def make_copies(tables: Mapping[str, Any], each: Mapping[str, Values | None]) -> Copies:
    """Repeat the entries of a model's tables that hold placeholders.

    Parameters
    ----------
    tables : mapping of str to Any
    each : mapping of str to Values or None
        What the placeholders stand for; None for values that are wrong: nothing is said of
        entries that hold these, which are left out.

    Examples
    --------
    >>> constants = {"m{i}": {"title": "mass {i}", "unit": "kg"}}
    >>> copies = make_copies({"constants": constants}, {"i": Values(values=(1, 2))})
    >>> list(copies.tables["constants"])
    ['m1', 'm2']
    >>> print(copies.origins["constants.m2"])
    constants.m{i} (i = 2)
    """
    maker = _Copier(each)
    made = {
        section: maker.section(section, entries) if section in SECTIONS else entries
        for section, entries in tables.items()
        if section != "each"
    }
    return Copies(made, (*maker.problems, *maker.unused()), maker.origins)


@dataclass(frozen=True, slots=True)
class _Template:
    """An entry as written, and the values for which it is repeated, if for any."""

    where: str
    key: str
    entry: Any
    each: Mapping[str, Values]

    @property
    def count(self) -> int:
        return math.prod(len(values.all) for values in self.each.values())

    def copies(self) -> Iterator[Copy]:
        words = frozenset(self._words())
        for chosen in product(*(values.all for values in self.each.values())):
            values = dict(zip(self.each, chosen, strict=True))
            said = ", ".join(f"{name} = {value}" for name, value in values.items())
            normals = "".join(self.each[name].normal_of(value) for name, value in values.items())
            origin = Origin(self.where, said, self.count, normals, words)
            yield _filled(self.key, values), _filled(self.entry, values), origin

    def _words(self) -> Iterator[str]:
        for _, part in _parts(self.where, self.entry):
            if isinstance(part, str):
                yield from re.findall(r"[\w{}]+", PLACEHOLDER.sub("{}", part))

    def size(self) -> int:
        parts = (part for _, part in _parts(self.where, self.entry))
        return sum(len(part) if isinstance(part, str) else 1 for part in parts)


class _Copier:
    def __init__(self, each: Mapping[str, Values | None]) -> None:
        self.each = each
        self.problems: list[Problem] = []
        self.origins: dict[str, Origin] = {}
        self._used: set[str] = set()

    def section(self, section: str, entries: Any) -> Any:
        """Return what a section says, with the copies of its entries."""
        if isinstance(entries, Mapping):
            return self._keyed(section, entries)
        return self._listed(section, entries) if isinstance(entries, list) else entries

    def unused(self) -> Iterator[Problem]:
        """Iterate over the values that no entry is repeated for."""
        for name, values in self.each.items():
            if values and name not in self._used and len(self.problems) < MAX_PROBLEMS:
                yield Problem(f"each.{name}", "is not used")

    def _keyed(self, section: str, entries: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, entry in entries.items():
            for name, copy, origin in self._copies(f"{section}.{key}", key, entry, len(made)):
                if name in made:
                    self.problems.append(
                        Problem(str(origin), f"'{name}' is declared already; expected another name")
                    )
                    break
                made[name] = copy
                self.origins[f"{section}.{name}"] = origin
        return made

    def _listed(self, section: str, entries: list[Any]) -> list[Any]:
        made: list[Any] = []
        for index, entry in enumerate(entries):
            for _, copy, origin in self._copies(f"{section}[{index}]", "", entry, len(made)):
                self.origins[f"{section}[{len(made)}]"] = origin
                made.append(copy)
        return made

    def _copies(self, where: str, key: str, entry: Any, before: int) -> Iterable[Copy]:
        """Return the copies of an entry that comes after so many of its section."""
        if len(self.problems) >= MAX_PROBLEMS:
            return ()
        each = self._values(where, key, entry)
        if each is None:
            return ()
        template = _Template(where, key, entry, each)
        count = template.count
        if each and (before + count > MAX_ENTRIES or count * template.size() > MAX_BYTES):
            self.problems.append(Problem(where, f"{count} copies are too many: {LIMITS}"))
            return ()
        return template.copies()

    def _values(self, where: str, key: str, entry: Any) -> dict[str, Values] | None:
        """Return the values that an entry is repeated for, if all that it holds can be read."""
        texts = [(where, key), *_parts(where, entry)]
        braces = dict.fromkeys((at, part) for at, text in texts for part in _in_braces(text))
        misread = ((at, problem) for at, part in braces if (problem := self._misread(part)))
        wrong = [Problem(at, problem) for at, problem in islice(misread, MAX_PROBLEMS)]
        self.problems += wrong
        used = {match[1] for _, part in braces if (match := PLACEHOLDER.fullmatch(part))}
        each = {name: values for name, values in self.each.items() if name in used}
        known = {name: values for name, values in each.items() if values is not None}
        return None if wrong or known.keys() < each.keys() else known

    def _misread(self, part: str) -> str | None:
        """Return what is wrong with a placeholder, or a brace that stands alone."""
        shown = part if len(part) <= MAX_SHOWN else f"{part[:MAX_SHOWN]}…"
        if not BRACES.fullmatch(part):
            return f"a brace in '{shown}' has no partner"
        name = re.split(r"\W", part.strip("{ }"))[0]
        if name not in self.each:
            self._used.update(get_close_matches(name, self.each, n=1))
            return f"'{shown}' is not in [each]{nearest(name, self.each)}"
        self._used.add(name)
        forms = [f"'{{{name}{step}}}'" for step in self._steps(name)]
        return None if f"'{part}'" in forms else f"expected {' or '.join(forms)}, found '{shown}'"

    def _steps(self, name: str) -> tuple[str, ...]:
        """Return what may follow a name: only from a whole number, another can be told."""
        values = self.each[name]
        names = values is not None and any(isinstance(value, str) for value in values.all)
        return ("",) if names else ("", "-1", "+1")


def _parts(where: str, value: Any, levels: int = LEVELS) -> Iterator[tuple[str, Any]]:
    """Iterate over a value and all that is in it, each with its path."""
    yield where, value
    if levels and isinstance(value, Mapping):
        for key, part in value.items():
            yield from _parts(f"{where}.{key}", part, levels - 1)
    elif levels and isinstance(value, list):
        for index, part in enumerate(value):
            yield from _parts(f"{where}[{index}]", part, levels - 1)


def _in_braces(value: Any) -> Iterator[str]:
    """Iterate over the placeholders in a text, and the pieces with a brace that stands alone."""
    if isinstance(value, str):
        yield from (part for part in BRACES.split(value) if "{" in part or "}" in part)


def _filled(value: Any, values: Mapping[str, int | str], levels: int = LEVELS) -> Any:
    """Return a value with the placeholders in its texts replaced."""
    if isinstance(value, str):
        return PLACEHOLDER.sub(lambda found: _text(values[found[1]], found[2]), value)
    if levels and isinstance(value, Mapping):
        return {key: _filled(part, values, levels - 1) for key, part in value.items()}
    if levels and isinstance(value, list):
        return [_filled(part, values, levels - 1) for part in value]
    return value


def _text(value: int | str, step: str | None) -> str:
    """Return a value as it stands in a text: a negative number in brackets, as in ``(-1)**2``."""
    if isinstance(value, str):
        return value
    number = value + int(step or 0)
    return str(number) if number >= 0 else f"({number})"
