"""A document: a page of printed equations with TOML front matter.

The front matter says which model the page is about, what each printed symbol stands for, and
which differences have been looked at and recorded. The page is the Markdown that follows it, or
a LaTeX file or notebook, which the front matter names or stands in.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import starmap
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    ValidationError,
    field_validator,
    model_validator,
)

from freebody.documents.latex.names import over
from freebody.documents.latex.page.blanks import Language, markdown_prose, without_code
from freebody.documents.latex.page.hypertext import hypertext_prose
from freebody.documents.latex.page.page import Cell, Page
from freebody.documents.latex.page.restructured import without_comments
from freebody.documents.latex.tokens.arguments import argument
from freebody.errors import DocumentError, Problem, nearest

EXPECTED: Mapping[str, str] = {
    "missing": "is missing",
    "bool_type": "expected true or false",
    "string_type": "expected text",
    "dict_type": "expected a table",
    "model_type": "expected a table",
    "tuple_type": "expected a list",
    "too_short": "expected at least one",
}
"""What was expected, by pydantic's name of the error."""

_COMMAND = re.compile(r"\\(?:[A-Za-z]+|[^A-Za-z])")
Entry = str | StrictInt | StrictFloat
Meaning = Entry | list[Entry | list[Entry]]
"""An expression of the model's quantities; a column of them; a matrix of them."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, defer_build=True)


class Erratum(_Table):
    """A difference that has been looked at: terms, a garbled symbol, or a definition."""

    labels: Annotated[tuple[str, ...], Field(alias="in", min_length=1)]
    note: str
    term: str | None = None
    terms: tuple[str, ...] = ()
    symbol: str | None = None
    reads: str | None = None
    means: Meaning | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Erratum:
        if self.symbol is None:
            if not self.products or self.reads is not None or self.means is not None:
                raise ValueError(
                    "expected 'term' or 'terms', or a 'symbol' that 'reads' or 'means'"
                )
        elif self.products or (self.reads is None) == (self.means is None):
            raise ValueError("expected either 'reads' or 'means' for a 'symbol', and no terms")
        return self

    @property
    def products(self) -> tuple[str, ...]:
        """The terms, each a product of quantities without its coefficient."""
        return (self.term, *self.terms) if self.term is not None else self.terms


class Unchecked(_Table):
    """Equations that are not checked, and why."""

    labels: Annotated[tuple[str, ...], Field(alias="in", min_length=1)]
    reason: str


class MotionEquation(_Table):
    """Equations that are the equation of motion of a coordinate, or of a speed of one's own."""

    labels: Annotated[tuple[str, ...], Field(alias="in", min_length=1)]
    of: str


class Assumption(_Table):
    """What a page takes for granted, in all of its equations or in some.

    What is `given` is so at all times, held there, or where it is `steady` by the motion itself;
    what is given for an `instant` has any rates.
    """

    labels: Annotated[tuple[str, ...], Field(alias="in")] = ()
    small: tuple[str, ...] = ()
    order: Annotated[int, Field(ge=0, le=4)] = 1
    given: dict[str, Entry] = {}
    instant: dict[str, Entry] = {}
    steady: StrictBool = False
    note: str = ""


class Section(_Table):
    """A part of a page, from its heading to the next, with a model or symbols of its own."""

    heading: str
    model: str | None = None
    symbols: dict[str, Meaning] = {}


class FrontMatter(_Table):
    """What stands between the fences of a document.

    `page` is the LaTeX file or notebook whose equations are meant, where they are not below;
    `derived_from` the fingerprint of the model that freebody itself derived the page from; `macros`
    what commands expand to that the page does not define.
    """

    title: str
    model: str
    source: str = ""
    page: str | None = None
    derived_from: str = ""
    inline: StrictBool = False
    symbols: dict[str, Meaning] = {}
    macros: dict[str, str] = {}
    sections: tuple[Section, ...] = ()
    equations: tuple[MotionEquation, ...] = ()
    assume: tuple[Assumption, ...] = ()
    errata: tuple[Erratum, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()

    @field_validator("macros")
    @classmethod
    def _are_commands(cls, macros: dict[str, str]) -> dict[str, str]:
        for name, body in macros.items():
            if not _COMMAND.fullmatch(name):
                raise ValueError(f"expected commands such as '\\vect', found '{name}'")
            if not _is_closed(body):
                raise ValueError(f"braces do not match in what '{name}' expands to")
        return macros

    def labels(self) -> tuple[str, ...]:
        """Return the labels of all equations of which something is recorded."""
        errata = (label for erratum in self.errata for label in erratum.labels)
        unchecked = (label for entry in self.unchecked for label in entry.labels)
        return (*errata, *unchecked)


def _is_closed(body: str) -> bool:
    """Return whether braces around something close at its end, and not before."""
    return argument(f"{{{body}}}", 0) == (body, len(body) + 2)


def _defined(name: str, body: str) -> str:
    """Return the definition of a macro with as many arguments as it has."""
    arity = max(map(int, re.findall(r"#(\d)", body)), default=0)
    return rf"\newcommand{{{name}}}[{arity}]{{{body}}}"


@dataclass(frozen=True)
class Part:
    """A stretch of a page that is about one model, with one set of symbols.

    Attributes
    ----------
    model : str
        The name of the model.
    symbols : mapping of str to Meaning
        What the symbols stand for.
    start, stop : int
        Where it begins and ends in the text.
    own : mapping of str to Meaning
        The symbols among them that the section itself declares.
    where : str
        Where they stand in the front matter: ``sections[0].``, or nothing for those of the page.
    """

    model: str
    symbols: Mapping[str, Meaning]
    start: int
    stop: int
    own: Mapping[str, Meaning]
    where: str = ""


@dataclass(frozen=True)
class Document:
    """A page and what its front matter says of it.

    Attributes
    ----------
    path : Path
        Where the front matter was read.
    front : FrontMatter
        Title, source, model, symbols, errata and unchecked equations.
    text : str
        The text of the page: the whole file, or the cells of a notebook, so that offsets and
        lines are those of the file.
    start : int
        Where the page begins behind the front matter.
    language : {"markdown", "latex", "rst", "html"}
        What the text is written in.
    cells : tuple of Cell
        Of a notebook.
    source : Path, optional
        The file of the page, where that is not the one with the front matter.
    headings : tuple of int
        Where the sections of the front matter begin in the text.
    macros : str
        Definitions of LaTeX that stand in a script that the page names, or in files beside it.
    within : tuple of int, optional
        Where a part of the page begins and ends that is meant alone.
    """

    path: Path
    front: FrontMatter
    text: str
    start: int
    language: Language = "markdown"
    cells: tuple[Cell, ...] = ()
    source: Path | None = None
    headings: tuple[int, ...] = ()
    macros: str = ""
    within: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The name of the file without its ending."""
        return self.path.stem

    @cached_property
    def page(self) -> Page:
        """The page, of which equations can be read."""
        front = self.front
        macros = "".join((self.macros, *starmap(_defined, front.macros.items())))
        page = Page(
            self.text, self.start, self.language, self.cells, inline=front.inline, macros=macros,
            declared=tuple(front.symbols),
        )  # fmt: skip
        return page if self.within is None else page.part(*self.within)

    @cached_property
    def prose(self) -> str:
        """The text of the page, or of the part of it, with its formulas and without comments.

        And the lists of symbols of LaTeX that stand in other files.
        """
        start, stop = self.within or (self.start, len(self.text))
        text = self.text[start:stop]
        if self.language == "latex":
            return f"{without_code(text, self.language)[0]}\n{self.macros}"
        if self.language == "rst":
            text = without_comments(text)
        return hypertext_prose(text) if self.language == "html" else markdown_prose(text)

    @property
    def with_running_text(self) -> Document:
        """It with equations in running text read as well, whatever its front matter says."""
        return replace(self, front=self.front.model_copy(update={"inline": True}))

    def part(self, start: int, stop: int) -> Document:
        """Return what stands between two offsets of the text, as a page of its own.

        Its equations are called as they are on the whole page.
        """
        return replace(self, within=(start, stop))

    def parts(self) -> tuple[Part, ...]:
        """Return the stretches of the page, each with its model and its symbols, in order."""
        front = self.front
        order = sorted(range(len(self.headings)), key=self.headings.__getitem__)
        stops = [*(self.headings[number] for number in order), len(self.text)]
        parts = [Part(front.model, front.symbols, 0, stops[0], front.symbols)]
        for number, stop in zip(order, stops[1:], strict=True):
            section = front.sections[number]
            model, symbols = section.model or front.model, over(front.symbols, section.symbols)
            start, where = self.headings[number], f"sections[{number}]."
            parts.append(Part(model, symbols, start, stop, section.symbols, where))
        return tuple(parts)

    def line_of(self, key: str) -> int | None:
        """Return the line of the file on which a symbol is declared, where that can be told."""
        if self.cells or self.source is not None:
            return None
        for number, line in enumerate(self.text.splitlines(), start=1):
            if line.lstrip(" \t%").startswith((f"'{key}'", f'"{key}"', f"{key} =", f"{key}=")):
                return number
        return None

    def errata_in(self, label: str) -> tuple[Erratum, ...]:
        """Return the errata that are recorded for an equation."""
        return tuple(erratum for erratum in self.front.errata if label in erratum.labels)

    def reason_unchecked(self, label: str) -> str | None:
        """Return why an equation is not checked, where that is recorded."""
        found = (entry.reason for entry in self.front.unchecked if label in entry.labels)
        return next(found, None)


def front_matter(path: Path, text: str, **otherwise: str) -> FrontMatter:
    """Read the TOML between the fences of a document.

    Parameters
    ----------
    path : Path
        Where it stands, for errors.
    text : str
        What stands between the fences.
    **otherwise : str
        What holds for keys that it leaves out.

    Raises
    ------
    DocumentError
        With all that is wrong with it.
    """
    try:
        return FrontMatter.model_validate({**otherwise, **_toml(path, text)})
    except ValidationError as error:
        entries = [entry for entry in error.errors() if not _follows(entry)]
        problems = dict.fromkeys(_problem(entry) for entry in entries)
        raise DocumentError(str(path), list(problems)) from None


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentError(str(path), [Problem("front matter", f"not TOML: {error}")]) from None


def _follows(entry: Any) -> bool:
    """Whether a list is only too short because its entries are wrong."""
    return entry["type"] == "too_short" and bool(entry["input"])


def _problem(entry: Any) -> Problem:
    where, kind = entry["loc"], entry["type"]
    for union, depth in (("symbols", 2), ("means", 1), ("given", 2), ("instant", 2)):
        if union in where[:-1]:
            path = _path(where[: where.index(union) + depth])
            lists = "" if union in ("given", "instant") else ", a list of them, or a list of lists"
            return Problem(path, f"expected an expression{lists}")
    if kind == "extra_forbidden":
        names = [field.alias or name for name, field in _table(where).model_fields.items()]
        message = (
            f"unknown key{nearest(str(where[-1]), names)} (expected one of {', '.join(names)})"
        )
        return Problem(_path(where), message)
    return Problem(_path(where), EXPECTED.get(kind, entry["msg"].removeprefix("Value error, ")))


def _table(where: tuple[str | int, ...]) -> type[_Table]:
    """Return the class of the table that a path ends in."""
    tables: dict[str, type[_Table]] = {
        "errata": Erratum,
        "unchecked": Unchecked,
        "assume": Assumption,
        "equations": MotionEquation,
        "sections": Section,
    }
    return tables.get(str(where[0]), FrontMatter) if len(where) > 1 else FrontMatter


def _path(where: tuple[str | int, ...]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in where)
    return "".join(parts).removeprefix(".")
