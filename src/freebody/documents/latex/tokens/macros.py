r"""The macros of a page, and what its calls of them expand to.

As in TeX a definition counts from where it stands on, and what a macro calls may be defined
later. What comes of a call has the place of the call, so that all that is said of it points at
the page.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from freebody.documents.latex.tokens.arguments import argument, option
from freebody.documents.latex.tokens.conventions import PLAIN, Conventions
from freebody.documents.latex.tokens.definitions import Macro, MacroDefinition, definitions
from freebody.documents.latex.tokens.items import LatexError
from freebody.documents.latex.tokens.primes import dotted
from freebody.documents.latex.tokens.tokens import parse

LONGEST = 20_000
"""Characters that one stretch of a page may expand to."""

BUDGET = 500_000
"""Characters that may be written to expand all of a page, beyond four times its own."""

MOST_KNOWN = 5000
"""Expansions that are kept in mind: a page is read more than once."""

DEPTH = 40
"""How deep macros may call each other."""

KNOWN = (
    Macro(r"\eqref", "", 1),
    Macro(r"\ref", "", 1),
    Macro(r"\cite", "", 2, default=""),
    Macro(r"\footnote", "", 1),
    Macro(r"\IEEEeqnarraymulticol", "#3", 3),
    Macro(r"\multicolumn", "#3", 3),
    Macro(r"\half", r"\frac{1}{2}"),
)
"""What pages use without defining it, and what it stands for: nothing, an argument, a number."""

_GLOSSARY = (
    r"\\(?:[gG]ls(?:pl|symbol|text|first|name|xtrshort|xtrlong)?|GLS)(?:\s*\[[^\[\]]*\])?\*?"
)
_CALL = re.compile(
    r"%[^\n]*|\\(?:begin|end)\s*\{\s*[A-Za-z]+\*?\s*\}"
    rf"|{_GLOSSARY}\s*\{{[^{{}}]*\}}|\\[A-Za-z]+|\\[^A-Za-z]",
    re.DOTALL,
)
_GLOSSARY_CALL = re.compile(rf"{_GLOSSARY}\s*\{{\s*([^{{}}]*?)\s*\}}")
_TAKES = re.compile(
    r"(?:[_^]|\\(?!left|right|[bB]igg?[lrm]?)[A-Za-z]+"
    r"|\\[dtc]?frac\s*(?:\{[^{}]*\}|\\[A-Za-z]+|[^\s\\{}]))\s*\Z"
)
_IN_WORDS = re.compile(r"\\(?:text[a-z]*|mbox|tag\*?|label|intertext)\s*\{[^{}]*\Z")
_ENDS_IN_WORD = re.compile(r"\\[A-Za-z]+\Z")
_PARAMETER = re.compile(r"#([1-9])")
_NEAR = 200  # characters before a call that tell what takes it as its argument
_SAME = "\0"  # for the backslash of what another name was given to: it is not expanded again


@dataclass(slots=True)
class Printed:
    """Text with the stretch of the page that each of its characters comes from."""

    text: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)

    def place(self, start: int, stop: int) -> tuple[int, int]:
        """Return the stretch of the page that a stretch of the text comes from."""
        return self.places[start][0], self.places[stop - 1][1]

    def copy(self, other: Printed, start: int, stop: int) -> None:
        """Add a stretch of another text."""
        self.text += other.text[start:stop]
        self.places += other.places[start:stop]

    def write(self, text: str, place: tuple[int, int]) -> None:
        """Add what comes of a call."""
        self.text += text
        self.places += [place] * len(text)


class Macros:
    r"""The macros of a page.

    Parameters
    ----------
    text : str
        The page, without its comments and code.
    before : str, optional
        Definitions that stand in files of its own.
    conventions : Conventions, optional
        How the page spells what prints as something else.

    Attributes
    ----------
    conventions : Conventions

    Examples
    --------
    >>> page = r"\newcommand{\vect}[1]{\mathbf{#1}} \vect{r} + a"
    >>> Macros(page).expanded(page, 35, len(page)).text
    '\\mathbf{r} + a'
    """

    def __init__(
        self,
        text: str = "",
        before: str = "",
        conventions: Conventions = PLAIN,
    ) -> None:
        self.conventions = conventions
        self.definitions = tuple(definitions(text))
        self._history = {macro.name: [(0, macro)] for macro in KNOWN}
        self._budget: float = BUDGET + 4 * len(text)
        self._known: dict[tuple[str, int], Printed | None] = {}
        for definition in definitions(before):
            self._take(replace(definition, start=0, stop=0))
        for definition in self.definitions:
            self._take(definition)

    def assume(self, macro: Macro) -> None:
        """Let a command that nothing defines stand for something on all of the page."""
        self._history[macro.name] = [(0, macro)]
        self._known.clear()

    def _take(self, definition: MacroDefinition) -> None:
        for macro in definition.macros:
            known = self._history.setdefault(macro.name, [])
            if not (known and definition.provided):
                known.append((definition.stop, self._resolved(macro, definition.start)))

    def _resolved(self, macro: Macro, offset: int) -> Macro:
        """Return what another name is given to."""
        if macro.kind != "same":
            return macro
        target = self.find(macro.body, offset)
        return replace(target or Macro("", macro.body.replace("\\", _SAME)), name=macro.name)

    def find(self, name: str, offset: int) -> Macro | None:
        """Return the macro of a name that is defined before an offset, or None."""
        history = self._history.get(name, [])
        position = bisect_right(history, offset, key=lambda entry: entry[0])
        return history[position - 1][1] if position else None

    def last(self) -> Iterator[Macro]:
        """Iterate over the macros that the page ends with."""
        return (history[-1][1] for history in self._history.values() if history)

    def expanded(self, page: str, start: int, stop: int) -> Printed | None:
        """Return a stretch of a page with its macros expanded; None where it is as it was.

        Raises
        ------
        LatexError
            Where a call lacks an argument, or the expansion is endless or too long.
        """
        key = page[start:stop], start
        if key not in self._known:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._expanded(*key, stop)
        return self._known[key]

    def _expanded(self, text: str, start: int, stop: int) -> Printed | None:
        are_rates = self.conventions.primes_are_rates and (
            "'" in text or "′" in text or "prime" in text
        )
        if not self._call(text, 0, stop):
            if not are_rates:
                return None
            return _dotted(Printed(text, [(place, place + 1) for place in range(start, stop)]))
        self._spend(0, 0, start)
        printed = Printed(text, [(place, place + 1) for place in range(start, stop)])
        for _ in range(DEPTH):
            call = self._call(printed.text, 0, stop)
            if call is None:
                printed = replace(printed, text=printed.text.replace(_SAME, "\\"))
                return _dotted(printed) if are_rates else printed
            place, _ = printed.place(*call[1].span())
            printed = self._once(printed, stop)
        raise LatexError(f"macros that call each other more than {DEPTH} deep", place)

    @cached_property
    def latest(self) -> Macros:
        """The macros that the page ends with, for text that stands by itself."""
        latest = Macros(conventions=self.conventions)
        latest._budget = math.inf
        latest._history = {name: [(0, known[-1][1])] for name, known in self._history.items()}
        return latest

    def without(self, text: str) -> str:
        """Return a text that stands by itself with the macros expanded that the page ends with.

        Raises
        ------
        LatexError
            As `expanded`.
        """
        printed = self.latest.expanded(text, 0, len(text))
        return printed.text if printed else text

    def _call(self, text: str, position: int, offset: int) -> tuple[Macro, re.Match[str]] | None:
        """Return the next call in a text."""
        for match in _CALL.finditer(text, position):
            if macro := self.find(_name(match[0]), offset):
                return macro, match
        return None

    def _once(self, source: Printed, offset: int) -> Printed:
        """Expand the calls of a text, but not what comes of them."""
        printed, position = Printed(), 0
        while call := self._call(source.text, position, offset):
            macro, match = call
            printed.copy(source, position, match.start())
            body, position = _called(macro, source, match)
            if _takes_argument(printed.text) and _is_whole(body):
                body = f"{{{body}}}"
            elif _ENDS_IN_WORD.search(body) and source.text[position : position + 1].isalpha():
                body += " "
            place = source.place(match.start(), position)
            printed.write(body, place)
            self._spend(len(body), len(printed.text), place[0])
        printed.copy(source, position, len(source.text))
        return printed

    def _spend(self, written: int, length: int, offset: int) -> None:
        self._budget -= written
        if length > LONGEST:
            raise LatexError(f"macros that expand to more than {LONGEST} characters", offset)
        if self._budget < 0:
            message = "the macros of the page expand to far more than the page itself"
            raise LatexError(message, offset)


def calls_in(text: str) -> list[str]:
    r"""Return the names by which a text may call macros, as they occur.

    Examples
    --------
    >>> calls_in(r"\Gls{len}^2 \vec x")
    ['\\gls{len}', '\\vec']
    """
    return [_name(match[0]) for match in _CALL.finditer(text)]


def _name(call: str) -> str:
    """Return by which name a macro is called; an entry of a glossary by its key."""
    listed = _GLOSSARY_CALL.fullmatch(call)
    return rf"\gls{{{listed[1]}}}" if listed else re.sub(r"\s", "", call)


def _dotted(source: Printed) -> Printed:
    """Return a text with dots for its primes."""
    printed = Printed()
    for piece, start, stop in dotted(source.text):
        if piece == source.text[start:stop]:
            printed.copy(source, start, stop)
        else:
            printed.write(piece, source.place(start, stop))
    return printed


def _called(macro: Macro, source: Printed, match: re.Match[str]) -> tuple[str, int]:
    """Return what comes of a call, and where the call ends."""
    start, _ = source.place(*match.span())
    if macro.kind == "delimited":
        message = f"the arguments of '{macro.name}' end in a way of its own, which is not read"
        raise LatexError(message, start)
    arguments, position = [], match.end()
    if macro.kind == "starred" and source.text.startswith("*", position):
        position += 1
    if macro.default is not None:
        found = option(source.text, position) or (macro.default, position)
        arguments.append(found[0])
        position = found[1]
    while len(arguments) < macro.arity:
        given = argument(source.text, position)
        if given is None:
            raise LatexError(f"'{macro.name}' lacks an argument", start)
        arguments.append(given[0])
        position = given[1]
    return _filled(macro.body, arguments), position


def _filled(body: str, arguments: list[str]) -> str:
    """Put arguments in their places; a control word before a letter keeps its end."""
    text = ""
    for number, piece in enumerate(_PARAMETER.split(body)):
        place = int(piece) if number % 2 else 0
        part = piece if number % 2 == 0 else "".join(arguments[place - 1 : place])
        apart = part[:1].isalpha() and _ENDS_IN_WORD.search(text[-_NEAR:])
        text += f" {part}" if apart else part
    return text


def _takes_argument(before: str) -> bool:
    """Return whether what stands before a call takes what comes of it as its argument."""
    near = before[-_NEAR:]
    return bool(_TAKES.search(near)) and not _IN_WORDS.search(near)


@lru_cache(maxsize=1000)
def _is_whole(body: str) -> bool:
    """Return whether a text can stand in braces."""
    try:
        return bool(parse(body, 0, len(body)))
    except LatexError:
        return False
