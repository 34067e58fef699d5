"""The tree of a listing: the same for all languages.

Places are offsets in the text of the file. Indices keep the origin of their language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a listing, and where it stands."""

    span: Span


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number, exactly as it is written."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A text, or another constant that is told apart from others."""

    value: Any


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """``-a``, ``not a`` or the transpose ``a'``."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    r"""An operation on two values; `at` is where its sign stands.

    Signs are those of Python, with ``.*`` entry by entry and ``\\`` that solves.
    """

    operator: str
    left: Node
    right: Node
    at: Span


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A call; in MATLAB perhaps an index, which what the name stands for decides."""

    function: Node
    arguments: tuple[Node, ...]
    keywords: tuple[tuple[str, Node], ...] = ()
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class Index(Node):
    """Entries of a value, counted from `origin`."""

    base: Node
    indices: tuple[Node, ...]
    origin: int = 0


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """A range of indices; with its end where the origin is 1."""

    start: Node | None = None
    stop: Node | None = None
    step: Node | None = None


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """A named part of a value."""

    base: Node
    name: str


@dataclass(frozen=True, slots=True)
class Items(Node):
    """A list or a tuple."""

    entries: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Rows(Node):
    """Blocks that are put side by side and below each other, as ``[a b; c d]``."""

    rows: tuple[tuple[Node, ...], ...]
    is_column: bool = False


@dataclass(frozen=True, slots=True)
class Mapped(Node):
    """A dictionary or a structure by its keys."""

    entries: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """One of two values."""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Each(Node):
    """A comprehension: an entry for each of what it goes over."""

    entry: Node
    target: Node
    over: Node


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function."""

    name: str
    default: Node | None = None


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A function; `outputs` are the variables that it gives where it has no return."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    outputs: tuple[str, ...] = ()
    words: str = ""
    is_property: bool = False


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """A value that gets a name, or a place in another value; or is put into the one that has it."""

    target: Node
    value: Node
    in_place: bool = False


@dataclass(frozen=True, slots=True)
class Return(Node):
    """What a function gives."""

    value: Node | None


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """Statements that depend on a test."""

    test: Node
    yes: tuple[Node, ...]
    no: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """Statements for each of what it goes over, or as long as a test holds.

    `step` follows each turn, also one that is cut short.
    """

    target: Node | None
    over: Node | None
    body: tuple[Node, ...]
    test: Node | None = None
    step: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Class(Node):
    """A class with its methods, and what is said of it."""

    name: str
    body: tuple[Node, ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Import(Node):
    """Libraries, or functions of them, by the names that they get."""

    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Skipped(Node):
    """What is not followed, and the names that it may change."""

    reason: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending(Node):
    """The last index of what is indexed, as ``end``; or the leaving of a loop or of the program."""


def children(node: Any) -> Iterator[Node]:
    """Iterate over the parts of a node, from left to right."""
    for entry in fields(node):
        yield from _nodes(getattr(node, entry.name))


def _nodes(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, Parameter):
        yield from _nodes(value.default)
    elif isinstance(value, tuple):
        for one in value:
            yield from _nodes(one)


def walk(*roots: Node) -> Iterator[Node]:
    """Iterate over nodes and all that they are made of."""
    waiting = list(reversed(roots))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(children(node))))


def concerned(body: Sequence[Node], runs: Collection[str]) -> list[Node]:
    """Return the statements that some functions depend on: without the other functions.

    Parameters
    ----------
    body : sequence of Node
        Of a listing.
    runs : collection of str
        The functions, by their names; empty for what stands outside of all.
    """
    named = {one.name: one for one in body if isinstance(one, Function | Class)}
    outside: list[Node] = [one for one in body if not isinstance(one, Function | Class)]
    waiting: list[Node] = [named[name] for run in runs if (name := run.partition(".")[0]) in named]
    if "" in runs:
        waiting += outside
    kept = {one.name for one in waiting if isinstance(one, Function | Class)}
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, Name | Attribute) and node.name in named.keys() - kept:
                kept.add(node.name)
                waiting.append(named[node.name])
    return [one for one in body if not isinstance(one, Function | Class) or one.name in kept]
