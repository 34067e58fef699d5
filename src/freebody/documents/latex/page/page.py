r"""A page of text: its lines and cells, its macros, and what of it is read."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from freebody.documents.latex.layout.indices import FreeIndex, summed_names
from freebody.documents.latex.page.blanks import Language, blanked, body, without_code
from freebody.documents.latex.page.passed import Passed
from freebody.documents.latex.tokens.conventions import Conventions
from freebody.documents.latex.tokens.macros import Macros

_ELSEWHERE = re.compile(
    r"\\(?:input|include|subfile|import|subimport)(?![A-Za-z])\s*(?:\{[^{}\n]*\}){1,2}"
)
_WIDTH = 76


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a page that stands elsewhere: a cell of a notebook, or a file that is named.

    Attributes
    ----------
    name : str
        What it is called, such as ``cell 3``; nothing for the file of the page itself.
    start, stop : int
        Where it stands in the text.
    first : int
        Which line of its file or cell it begins on.
    """

    name: str
    start: int
    stop: int
    first: int = 1


class Page:
    """The text of a page, with lines and columns counted from 1.

    Parameters
    ----------
    text : str
        As it stands in the file.
    start : int, optional
        Where reading begins; places are counted from the beginning of the text all the same.
    language : {"markdown", "latex", "rst", "html"}
    cells : sequence of Cell
        Of the notebook or the files whose text it is; none for a page in one piece.
    inline : bool
        Whether equations in running text are read.
    macros : str
        Definitions that stand in files of its own.
    declared : collection of str
        The names that are declared, by which it is told what primes are.

    Attributes
    ----------
    readable : str
        The text with blanks for what is no mathematics and for definitions of macros.
    macros : Macros
        The macros that the page defines.
    passed : tuple of Passed
        The formulas in its code, which are not read.
    start, stop : int
        Where its body begins and ends, or the part of it that is meant.
    whole : Page
        Of which it is a part, by whose order its equations are called.
    """

    def __init__(
        self,
        text: str,
        start: int = 0,
        language: Language = "markdown",
        cells: Sequence[Cell] = (),
        *,
        inline: bool = False,
        macros: str = "",
        declared: Collection[str] = (),
    ) -> None:
        self.text, self.language, self.cells, self.inline = text, language, cells, inline
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        printed, passed = self._printed()
        first, self.stop = body(printed) if language == "latex" else (0, len(text))
        self.start = max(start, first)
        self.passed = tuple(one for one in passed if self.start <= one.start < self.stop)
        conventions = Conventions.of(
            printed[self.start : self.stop], declared, primes_apart=bool(declared) and not inline
        )
        self.macros = Macros(printed, macros, conventions)
        definitions = ((one.start, one.stop) for one in self.macros.definitions)
        self.readable = blanked(printed, definitions)
        self.whole = self

    @cached_property
    def summed_names(self) -> tuple[tuple[FreeIndex, str], ...]:
        """The indices that the page sums over few numbers, with what it sums."""
        return summed_names(self.readable)

    def part(self, start: int, stop: int) -> Page:
        """Return what stands between two offsets of a page."""
        made = copy(self)
        made.start, made.stop = max(start, self.start), min(stop, self.stop)
        made.passed = tuple(one for one in self.passed if made.start <= one.start < made.stop)
        return made

    def _printed(self) -> tuple[str, list[Passed]]:
        """Return the text without code and comments, which end with their cell."""
        parts, passed, position = list[str](), list[Passed](), 0
        for cell in self.cells or (Cell("", 0, len(self.text)),):
            text, passed_here = without_code(self.text[cell.start : cell.stop], self.language)
            parts += [self.text[position : cell.start], text]
            passed += (Passed(at + cell.start, to + cell.start, why) for at, to, why in passed_here)
            position = cell.stop
        return "".join(parts) + self.text[position:], passed

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def place(self, line: int) -> str:
        r"""Say where a line of the text stands in its source.

        Examples
        --------
        >>> Page("a = b").place(1)
        'line 1'
        >>> text = "a = b\n\n\nb = c"
        >>> Page(text, cells=[Cell("cell 1", 0, 5), Cell("cell 4", 7, 13)]).place(4)
        'cell 4, line 2'
        """
        offset = self._starts[line - 1]
        within = bisect_right(self.cells, offset, key=lambda cell: cell.start)
        if not within:
            return f"line {line}"
        cell = self.cells[within - 1]
        own = f"line {line - self.position(cell.start)[0] + cell.first}"
        return f"{cell.name}, {own}" if cell.name else own

    def caret(self, offset: int) -> str:
        """Return the line of an offset, cut around it, with a caret below.

        Examples
        --------
        >>> print(Page("a = b").caret(4))
        a = b
            ^
        """
        _, column = self.position(offset)
        begin = offset - column + 1
        end = self.text.find("\n", offset)
        first = max(begin, offset - _WIDTH // 2)
        text = self.text[first : min(first + _WIDTH, len(self.text) if end < 0 else end)]
        shown = "".join(letter if letter.isprintable() else " " for letter in text)
        return f"{shown}\n{' ' * (offset - first)}^"

    def remarks(self) -> Iterator[str]:
        """Iterate over what of the page stands elsewhere and is not read."""
        if self.language == "latex":
            for match in _ELSEWHERE.finditer(self.readable, 0, self.stop):
                place = self.place(self.position(match.start())[0])
                yield f"{place}: '{match[0]}' is not followed: no such file below its folder"
