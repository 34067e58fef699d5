"""Equations: their sides, and the ways in which they may be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.context import Context, Place, way
from freebody.documents.latex.grammar.derivatives import may_be_lagrangian
from freebody.documents.latex.grammar.numbers import without_unit
from freebody.documents.latex.grammar.parser import Reader
from freebody.documents.latex.grammar.spelling import prints_rates, rated, respelled
from freebody.documents.latex.names import LAGRANGIAN, Declared, as_column
from freebody.documents.latex.tokens.items import Command, Item, LatexError, Token, words
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.tree import (
    Matrix,
    Name,
    Node,
    Number,
    Span,
    TimeDerivative,
    Transpose,
    is_zero,
)

if TYPE_CHECKING:
    from freebody.documents.latex.tokens.macros import Macros

_LAYOUT = frozenset({"&", r"\\", r"\quad", r"\qquad"})


def read_sides(
    sides: Sequence[tuple[Sequence[Item], Span]],
    declared: Declared,
    context: Context | None = None,
) -> list[Node]:
    """Read the sides of an equation.

    Parameters
    ----------
    sides : sequence of (sequence of Item, Span)
        What is printed, and where it stands on the page, for when there is nothing to point at.
    declared : Declared
        The names it may use.
    context : Context, optional
        What to choose where there is a choice; it takes down what has been met.

    Raises
    ------
    LatexError
        Where a side is not an expression, or with all the names that are not declared.
    """
    context = context or Context(declared)
    for side, (items, at) in zip(("left", "right"), sides, strict=False):
        if len(sides) > 1 and not items:
            raise LatexError(f"nothing stands on the {side} of an equation", at.start)
    if prints_rates([items for items, _ in sides], context):
        sides = [(rated(items, context), at) for items, at in sides]
    nodes = [_side(items, at, context) for items, at in sides]
    if len(nodes) == 2:
        one, other = nodes
        nodes = [beside(one, other, declared), beside(other, one, declared)]
    if any(map(says_constant, (items for items, _ in sides))):
        nodes = unchanging(nodes, context)
    if context.undeclared:
        symbols = tuple(dict.fromkeys(name.key for name in context.undeclared))
        problems = (f"'{name}' is not declared{declared.suggestion(name)}" for name in symbols)
        raise LatexError("\n".join(problems), context.undeclared[0].span.start, symbols)
    return nodes


def _side(items: Sequence[Item], at: Span, context: Context) -> Node:
    if says_constant(items):
        return Number(Fraction(0), at)
    spelled_out = respelled(without_unit(items, context), context)
    return alone(Reader(spelled_out, context, at, 0).whole(), context)


def read_fragment(
    text: str,
    start: int,
    stop: int,
    declared: Declared,
    macros: Macros | None = None,
    alike: Mapping[str, str] | None = None,
) -> Node:
    """Read one expression out of a stretch of text, as it would be read in an equation.

    Parameters
    ----------
    text : str
        What the places of the nodes count in.
    start, stop : int
        The stretch.
    declared : Declared
        The names it may use.
    macros : Macros, optional
        Of the page.
    alike : mapping of str to str, optional
        How what may be read in two ways is read.

    Raises
    ------
    LatexError
        Where it is not one expression in declared names.

    Examples
    --------
    >>> from freebody.documents.latex.tree import show
    >>> show(read_fragment("a = b c", 4, 7, Declared("abc", varying=lambda key: False)))
    '(b*c)'
    """
    items = [item for item in parse(text, start, stop, macros) if item.text not in _LAYOUT]
    context = Context(declared, text, alike=alike or {})
    return read_sides([(items, Span(start, stop))], declared, context)[0]


CONSERVED = "what is constant is checked by its derivative by time"
_CONSTANT = frozenset({"const", "constant", "konst", "cst", "cte", "constante", "konstant"})


def alone(node: Node, context: Context) -> Node:
    """Read an L that is all of a side, and a constant elsewhere: dimensions decide what it is."""
    if not isinstance(node, Name) or not may_be_lagrangian(node, context.declared):
        return node
    readings = (
        f"'{node.key}' alone on a side is read as what it is elsewhere",
        f"'{node.key}' alone on a side is read as the Lagrangian",
    )
    chosen = context.choose(node.span.start, "lagrangian", *readings)
    return replace(node, key=LAGRANGIAN) if chosen else node


def beside(node: Node, other: Node, declared: Declared) -> Node:
    """Read a scalar that a column is equal to as the column that the page calls the same."""
    while isinstance(other, Transpose):
        other = other.node
    if not isinstance(node, Name) or not isinstance(other, Matrix) or "^" in node.key:
        return node
    key = as_column(node.key)
    return replace(node, key=key) if declared.lookup(key) else node


def says_constant(items: Sequence[Item]) -> bool:
    r"""Return whether a side is but the word that the other is constant: ``\text{const.}``."""
    return _word(items).strip("(). ").lower() in _CONSTANT


def _word(items: Sequence[Item]) -> str:
    texts = (
        _word(item.arguments[0]) if isinstance(item, Command) else words(item) or item.text
        for item in items[: len("constante.") + 1]
        if isinstance(item, Command | Token)
    )
    return "".join(texts)


def unchanging(nodes: Sequence[Node], context: Context) -> list[Node]:
    """Return the sides of an equation that says that one is constant: its rate and zero."""
    context.notes.append(CONSERVED)
    return [node if is_zero(node) else _rate(node) for node in nodes]


def _rate(node: Node) -> Node:
    if isinstance(node, Name):
        return replace(node, dots=node.dots + 1)
    return TimeDerivative(node, 1, node.span)


Sides = Sequence[tuple[Sequence[Item], Span]]
_Setting = dict[Place, int]

MOST = 16
"""How many other readings of an equation are made."""


@dataclass(frozen=True)
class Reading:
    """The sides of an equation as they are read.

    Attributes
    ----------
    nodes : list of Node
    notes : tuple of str
        What could be read in two ways with the one taken, and what is passed over.
    ways : tuple of (str, str)
        What is open, and how it is read: alike wherever the same is printed, whatever the
        numbers of indices are.
    """

    nodes: list[Node]
    notes: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()


def read_openly(sides: Sides, declared: Declared, text: str) -> tuple[Reading, list[Reading]]:
    """Read the sides of an equation, with the readings that it has besides.

    Parameters
    ----------
    sides : sequence of (sequence of Item, Span)
        What is printed, and where it stands on the page.
    declared : Declared
        The names it may use.
    text : str
        The page.

    Returns
    -------
    reading : Reading
        The likeliest.
    others : list of Reading
        With one place read otherwise each, then with all places of a kind, then with two.

    Raises
    ------
    LatexError
        Where they cannot be read in any way.
    """
    context = Context(declared, text)
    try:
        nodes = read_sides(sides, declared, context)
    except LatexError:
        for _, nodes, other in _others(sides, context):
            return Reading(nodes, (*_taken(other.instead, other), *other.notes)), []
        raise
    found: list[tuple[_Setting, list[Node], Context]] = []
    for setting, other_nodes, other in _others(sides, context):
        if other_nodes not in (nodes, *(known for _, known, _ in found)):
            found.append((setting, other_nodes, other))
    places = dict.fromkeys(place for setting, _, _ in found for place in setting)
    others = [_reading(other_nodes, places, other) for _, other_nodes, other in found]
    return _reading(nodes, places, context), others


def _others(sides: Sides, context: Context) -> Iterator[tuple[_Setting, list[Node], Context]]:
    """Iterate over the ways to read an equation with some places read otherwise."""
    for setting in islice(_settings(context), MOST):
        other = Context(context.declared, context.text, setting)
        try:
            yield setting, read_sides(sides, context.declared, other), other
        except LatexError:
            continue


def _settings(context: Context) -> Iterator[_Setting]:
    """Iterate over choices: one place after the other, all places of a kind, two places."""
    ways = [(place, i) for place, readings in context.met.items() for i in range(1, len(readings))]
    yield from ({place: i} for place, i in ways[: MOST // 2])
    for kind in dict.fromkeys(kind for _, kind in context.met):
        alike = {place: 1 for place in context.met if place[1] == kind}
        if len(alike) > 1:
            yield alike
    yield from (dict(pair) for pair in combinations(ways, 2) if pair[0][0] != pair[1][0])


def _reading(nodes: list[Node], places: dict[Place, None], context: Context) -> Reading:
    met = {place: context.met[place] for place in places if place in context.met}
    ways = (way(readings, context.instead.get(place, 0)) for place, readings in met.items())
    notes = dict.fromkeys((*_taken(met, context), *context.notes))
    return Reading(nodes, tuple(notes), tuple(dict.fromkeys(ways)))


def _taken(places: Iterable[Place], context: Context) -> Iterator[str]:
    """Iterate over how open places are read."""
    for place in places:
        yield context.met[place][context.instead.get(place, 0)]
