r"""The macros that a page defines for itself, where they are defined.

Definitions are ``\newcommand`` and its kin, ``\def``, ``\let``, ``\DeclareMathOperator``,
``\DeclarePairedDelimiter`` and ``\newenvironment``, and the entries of glossaries, which
``\gls`` and its kin print.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from freebody.documents.latex.tokens.arguments import argument, option
from freebody.documents.latex.tokens.glossary_entries import HEADS, READERS

_HEAD = re.compile(
    r"\\(?:"
    r"(?P<command>(?:re)?newcommand\*?|(?P<provide>providecommand\*?)|DeclareRobustCommand\*?)"
    r"|(?P<define>[gex]?def)|(?P<let>let)"
    r"|(?P<operator>DeclareMathOperator\*?)|(?P<delimiters>DeclarePairedDelimiter)"
    r"|(?P<environment>(?:re)?newenvironment\*?)"
    rf"|{HEADS}"
    r")(?![A-Za-z@])"
)
_NAME = re.compile(r"\s*(?:\{\s*)?(\\(?:[A-Za-z@]+|[^A-Za-z\s]))\s*\}?")
_WORD = re.compile(r"\s*\{\s*([A-Za-z]+\*?)\s*\}")
_COUNT = re.compile(r"\s*\[\s*([0-9])\s*\]")
_PARAMETERS = re.compile(r"\s*(?P<plain>(?:#[1-9])*)\s*(?=\{)|[^{}\n]{1,80}(?=\{)")
_TARGET = re.compile(r"\s*=?\s*(\\(?:[A-Za-z@]+|[^A-Za-z\s])|[^\s\\{}])")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n\s*)?")


@dataclass(frozen=True, slots=True)
class Macro:
    r"""What a control word, or the begin or end of an environment, expands to.

    Attributes
    ----------
    name : str
        As it is called: ``\vect``, ``\begin{eq}``, ``\gls{len}``.
    body : str
        With ``#1`` to ``#9`` where the arguments go.
    arity : int
        How many arguments it takes.
    default : str, optional
        The first argument, where none stands in brackets; None where it has to be given.
    kind : {"plain", "starred", "delimited", "same"}
        Whether a star behind the name changes nothing, whether its arguments end in a way that is
        not read, and whether it is another name of what `body` names.
    """

    name: str
    body: str
    arity: int = 0
    default: str | None = None
    kind: Literal["plain", "starred", "delimited", "same"] = "plain"


@dataclass(frozen=True, slots=True)
class MacroDefinition:
    """Macros that are defined at one place, and whether only where they are not defined yet."""

    start: int
    stop: int
    macros: tuple[Macro, ...]
    provided: bool


_Found: TypeAlias = tuple[tuple[Macro, ...], int] | None
"""Macros, and where their definition ends; None where there is none."""


def definitions(text: str) -> Iterator[MacroDefinition]:
    r"""Yield the definitions of a page in their order.

    Examples
    --------
    >>> for definition in definitions(r"\def\q{\theta} \newcommand{\vect}[1]{\mathbf{#1}}"):
    ...     print([(macro.name, macro.body, macro.arity) for macro in definition.macros])
    [('\\q', '\\theta', 0)]
    [('\\vect', '\\mathbf{#1}', 1)]
    """
    position = 0
    while head := _HEAD.search(text, position):
        found = _READERS[head.lastgroup or ""](text, head.end())
        position = head.end()
        if found:
            macros, position = found
            yield MacroDefinition(head.start(), position, macros, head["provide"] is not None)


def _body(text: str, position: int) -> tuple[str, int] | None:
    found = argument(text, position)
    return found and (_COMMENT.sub("", found[0]).strip(), found[1])


def _command(text: str, position: int) -> _Found:
    name = _NAME.match(text, position)
    if not name:
        return None
    arity, default, position = _signature(text, name.end())
    body = _body(text, position)
    return body and ((Macro(name[1], body[0], arity, default),), body[1])


def _signature(text: str, position: int) -> tuple[int, str | None, int]:
    """Read ``[n][default]``."""
    count = _COUNT.match(text, position)
    if not count:
        return 0, None, position
    default = option(text, count.end())
    return int(count[1]), default and default[0], default[1] if default else count.end()


def _define(text: str, position: int) -> _Found:
    name = _NAME.match(text, position)
    parameters = _PARAMETERS.match(text, name.end()) if name else None
    body = _body(text, parameters.end()) if parameters else None
    if not name or not parameters or not body:
        return None
    plain = parameters["plain"]
    if plain is None:
        return (Macro(name[1], body[0], kind="delimited"),), body[1]
    return (Macro(name[1], body[0], plain.count("#")),), body[1]


def _let(text: str, position: int) -> _Found:
    name = _NAME.match(text, position)
    target = _TARGET.match(text, name.end()) if name else None
    return ((Macro(name[1], target[1], kind="same"),), target.end()) if name and target else None


def _operator(text: str, position: int) -> _Found:
    name = _NAME.match(text, position)
    body = _body(text, name.end()) if name else None
    if not name or not body:
        return None
    return (Macro(name[1], rf"\operatorname{{{body[0]}}}"),), body[1]


def _delimiters(text: str, position: int) -> _Found:
    name = _NAME.match(text, position)
    left = _body(text, name.end()) if name else None
    right = _body(text, left[1]) if left else None
    if not name or not left or not right:
        return None
    body = rf"\left{left[0]} #2 \right{right[0]}"
    return (Macro(name[1], body, 2, default="", kind="starred"),), right[1]


def _environment(text: str, position: int) -> _Found:
    name = _WORD.match(text, position)
    if not name:
        return None
    arity, default, position = _signature(text, name.end())
    begin = _body(text, position)
    end = _body(text, begin[1]) if begin else None
    if not begin or not end:
        return None
    opening = Macro(rf"\begin{{{name[1]}}}", begin[0], arity, default)
    return (opening, Macro(rf"\end{{{name[1]}}}", end[0])), end[1]


def _listed(group: str, text: str, position: int) -> _Found:
    found = READERS[group](text, position)
    if found is None:
        return None
    entry, stop = found
    return ((Macro(rf"\gls{{{entry.key}}}", entry.latex),) if entry.latex else ()), stop


_READERS: dict[str, Callable[[str, int], _Found]] = {
    "command": _command,
    "define": _define,
    "let": _let,
    "operator": _operator,
    "delimiters": _delimiters,
    "environment": _environment,
    **{group: partial(_listed, group) for group in ("entry", "long", "symbol")},
}
