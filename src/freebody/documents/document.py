"""A document: a Markdown page of printed equations with TOML front matter.

The front matter says which model the page is about, what each printed symbol stands for, and
which differences have been looked at and recorded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    ValidationError,
    model_validator,
)

from freebody.errors import DocumentError, Problem, nearest
from freebody.files import FileError, read_text

FENCE = "+++"
FRONT = re.compile(r"\+\+\+[ \t]*\r?\n(.*?)^\+\+\+", re.DOTALL | re.MULTILINE)
EXPECTED: Mapping[str, str] = {
    "missing": "is missing",
    "string_type": "expected text",
    "dict_type": "expected a table",
    "model_type": "expected a table",
    "tuple_type": "expected a list",
    "too_short": "expected at least one",
}
"""What was expected, by pydantic's name of the error."""

Entry = str | StrictInt | StrictFloat
Meaning = Entry | list[Entry | list[Entry]]
"""An expression of the model's quantities; a column of them; a matrix of them."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


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


class Assumption(_Table):
    """What a page takes for granted, in all of its equations or in some."""

    labels: Annotated[tuple[str, ...], Field(alias="in")] = ()
    small: tuple[str, ...] = ()
    order: Annotated[int, Field(ge=0, le=4)] = 1
    given: dict[str, Entry] = {}
    note: str = ""


class Section(_Table):
    """A part of a page, from its heading to the next, with a model or symbols of its own."""

    heading: str
    model: str | None = None
    symbols: dict[str, Meaning] = {}


class FrontMatter(_Table):
    """What stands between the fences of a document.

    `page` is the LaTeX file or notebook whose equations are meant, where they are not below.
    """

    title: str
    model: str
    source: str = ""
    page: str | None = None
    inline: bool = False
    symbols: dict[str, Meaning] = {}
    sections: tuple[Section, ...] = ()
    assume: tuple[Assumption, ...] = ()
    errata: tuple[Erratum, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()

    def labels(self) -> tuple[str, ...]:
        """Return the labels of all equations of which something is recorded."""
        errata = (label for erratum in self.errata for label in erratum.labels)
        unchecked = (label for entry in self.unchecked for label in entry.labels)
        return (*errata, *unchecked)


@dataclass(frozen=True)
class Document:
    """A page and what its front matter says of it.

    Attributes
    ----------
    path : Path
        Where it was read.
    front : FrontMatter
        Title, source, model, symbols, errata and unchecked equations.
    text : str
        The whole file, so that offsets are those of the file.
    start : int
        Where the page begins behind the front matter.
    """

    path: Path
    front: FrontMatter
    text: str
    start: int

    @property
    def name(self) -> str:
        """The name of the file without its ending."""
        return self.path.stem

    def errata_in(self, label: str) -> tuple[Erratum, ...]:
        """Return the errata that are recorded for an equation."""
        return tuple(erratum for erratum in self.front.errata if label in erratum.labels)

    def reason_unchecked(self, label: str) -> str | None:
        """Return why an equation is not checked, where that is recorded."""
        found = (entry.reason for entry in self.front.unchecked if label in entry.labels)
        return next(found, None)


def documents_of(source: Path) -> tuple[Document, ...]:
    """Return the documents beside a model file.

    All Markdown files with front matter belong to a ``model.toml``; to a file of another name
    those that name it as their model.

    Raises
    ------
    DocumentError
        If one of them cannot be read.
    """
    beside = sorted(source.parent.glob("*.md"))
    found = [read_document(path) for path in beside if _has_front_matter(path)]
    if source.name == "model.toml":
        return tuple(found)
    return tuple(one for one in found if one.front.model in (source.stem, source.name))


def _has_front_matter(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(FENCE)) == FENCE.encode()


def read_document(path: Path) -> Document:
    """Read a document.

    Raises
    ------
    DocumentError
        With all that is wrong with its front matter.
    """
    try:
        text = read_text(path)
    except FileError as error:
        raise DocumentError(str(path), [Problem("", error.reason)]) from None
    front_matter = FRONT.match(text)
    if front_matter is None:
        message = f"expected TOML front matter between two lines of '{FENCE}' at the top"
        raise DocumentError(str(path), [Problem("", message)])
    data = _toml(path, front_matter[1])
    try:
        front = FrontMatter.model_validate(data)
    except ValidationError as error:
        told = [entry for entry in error.errors() if not _follows(entry)]
        problems = dict.fromkeys(_problem(entry) for entry in told)
        raise DocumentError(str(path), list(problems)) from None
    return Document(path, front, text, front_matter.end())


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
    for union, depth in (("symbols", 2), ("means", 1)):
        if union in where[:-1]:
            path = _path(where[: where.index(union) + depth])
            return Problem(path, "expected an expression, a list of them, or a list of lists")
    if kind == "extra_forbidden":
        names = [field.alias or name for name, field in _table(where).model_fields.items()]
        return Problem(_path(where), f"no such key{nearest(str(where[-1]), names)}")
    return Problem(_path(where), EXPECTED.get(kind, entry["msg"].removeprefix("Value error, ")))


def _table(where: tuple[str | int, ...]) -> type[_Table]:
    """Return the class of the table that a path ends in."""
    tables: dict[str, type[_Table]] = {"errata": Erratum, "unchecked": Unchecked}
    return tables.get(str(where[0]), FrontMatter) if len(where) > 1 else FrontMatter


def _path(where: tuple[str | int, ...]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in where)
    return "".join(parts).removeprefix(".")
