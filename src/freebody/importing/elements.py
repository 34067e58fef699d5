"""XML of strangers: read without entities, declarations of types or anything outside the file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from freebody.errors import ModelError, Problem, nearest
from freebody.files import FileError, read_text
from freebody.importing.placing import Array

MAX_BYTES = 20_000_000
MAX_ELEMENTS = 200_000
MAX_DEPTH = 200
LEAST, MOST = 1e-60, 1e50
"""Between these the fifth power of a number, as in the inertia of a ball, is a number too.

What is smaller is the rounding of a program, and 0.
"""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LONGEST = 400


@dataclass
class Element:
    """An element of a file.

    Attributes
    ----------
    tag : str
    attributes : dict of str to str
    file : Path
        The file that it stands in.
    line : int
    children : list of Element
    text : str
        What stands in it between its children.
    """

    tag: str
    attributes: Mapping[str, str]
    file: Path
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    @property
    def where(self) -> str:
        """Its place in the file."""
        name = self.attributes.get("name")
        named = f' name="{shown(name)}"' if name else ""
        return f"line {self.line}, <{shown(self.tag)}{named}>"

    def refuse(self, message: str) -> NoReturn:
        """Raise what is wrong with it.

        Raises
        ------
        ModelError
        """
        raise ModelError(str(self.file), [Problem(self.where, message)])

    def all(self, *tags: str) -> Iterator[Element]:
        """Iterate over its children of some kinds."""
        return (child for child in self.children if child.tag in tags)

    def one(self, tag: str) -> Element | None:
        """Return its child of a kind, or none; several are refused."""
        found = list(self.all(tag))
        if len(found) > 1:
            found[1].refuse(f"expected one <{tag}>, found {len(found)}")
        return found[0] if found else None

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return an attribute without blanks around it."""
        value = self.attributes.get(name)
        return default if value is None else value.strip()

    def need(self, name: str) -> str:
        """Return an attribute that must be there."""
        value = self.get(name)
        if not value:
            self.refuse(f"expected '{name}'{nearest(name, self.attributes)}")
        return value

    def numbers(self, name: str, count: int | None = None, default: Array | None = None) -> Array:
        """Return the numbers of an attribute.

        Parameters
        ----------
        name : str
        count : int, optional
            How many are expected; one or more if it is not told.
        default : array, optional
            What is meant where there is no such attribute, which must be there without it.
        """
        text = self.get(name)
        if text is None and default is not None:
            return default
        parts = self.need(name).split()
        values = [self._number(name, part) for part in parts[:_LONGEST]]
        if len(values) != (len(parts) if count is None else count):
            expected = f"{count} number{'s' if count != 1 else ''}"
            self.refuse(f"{name}: expected {expected}, found '{shown(text)}'")
        return np.array(values, dtype=float)

    def number(self, name: str, default: float | None = None) -> float:
        """Return the number of an attribute; see `numbers`."""
        return float(self.numbers(name, 1, None if default is None else np.array([default]))[0])

    def choice(self, name: str, known: tuple[str, ...], default: str | None = None) -> str:
        """Return an attribute that is one of some words."""
        value = self.need(name) if default is None else self.get(name) or default
        if value not in known:
            expected = f"expected {', '.join(known[:-1])} or {known[-1]}"
            self.refuse(f"{name}: {expected}, found '{shown(value)}'{nearest(value, known)}")
        return value

    def _number(self, name: str, text: str) -> float:
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(value) or abs(value) > MOST:
            expected = f"expected a finite number, of at most {MOST:g} in size"
            self.refuse(f"{name}: {expected}, found '{shown(text)}'")
        return value if abs(value) > LEAST else 0.0


def shown(text: str | None) -> str:
    """Return a text as messages show it: on one line, and not too long."""
    line = " ".join((text or "").split())
    return line if len(line) <= 60 else f"{line[:57]}…"


# ------------------------------------------------------------------ reading


def read(path: Path) -> Element:
    """Return the root of an XML file.

    Raises
    ------
    ModelError
        If it cannot be read, is too large or too deep, or declares types or entities.
    """
    try:
        text = read_text(path, MAX_BYTES)
    except FileError as error:
        raise ModelError.whole(path, error.reason) from None
    return _Reader(path).root(text)


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0
        self.open: list[Element] = [Element("", {}, path, 0)]
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def root(self, text: str) -> Element:
        try:
            self.parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            self._refuse(f"not XML: {what} (column {error.offset + 1})", error.lineno)
        return self.open[0].children[0]

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS:
            self._refuse(f"expected at most {MAX_ELEMENTS} elements")
        if len(self.open) > MAX_DEPTH:
            self._refuse(f"expected elements nested at most {MAX_DEPTH} deep")
        line = self.parser.CurrentLineNumber
        element = Element(tag, attributes, self.path, line)
        self.open[-1].children.append(element)
        self.open.append(element)

    def _end(self, _: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].text += text

    def _doctype(self, *_: object) -> None:
        self._refuse("a <!DOCTYPE> declares types or entities, which are not read: remove it")

    def _refuse(self, message: str, line: int | None = None) -> NoReturn:
        where = f"line {line or self.parser.CurrentLineNumber}"
        raise ModelError(str(self.path), [Problem(where, message)])
