"""Equations with the places told that may be read in two ways, and read so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from freebody.documents.latex.grammar.choices import Context, Place, way
from freebody.documents.latex.grammar.parser import read_sides
from freebody.documents.latex.names import Declared
from freebody.documents.latex.tokens.items import Item, LatexError
from freebody.documents.latex.tree import Node, Span

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
    told : tuple of str
        What could be read in two ways with the one taken, and what is passed over.
    ways : tuple of (str, str)
        What is open, and how it is read: alike wherever the same is printed, whatever the
        numbers of indices are.
    """

    nodes: list[Node]
    told: tuple[str, ...] = ()
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
            return Reading(nodes, (*_taken(other.instead, other), *other.told)), []
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
    ways = [(place, i) for place, told in context.met.items() for i in range(1, len(told))]
    yield from ({place: i} for place, i in ways[: MOST // 2])
    for kind in dict.fromkeys(kind for _, kind in context.met):
        alike = {place: 1 for place in context.met if place[1] == kind}
        if len(alike) > 1:
            yield alike
    yield from (dict(pair) for pair in combinations(ways, 2) if pair[0][0] != pair[1][0])


def _reading(nodes: list[Node], places: dict[Place, None], context: Context) -> Reading:
    met = {place: context.met[place] for place in places if place in context.met}
    ways = (way(told, context.instead.get(place, 0)) for place, told in met.items())
    told = dict.fromkeys((*_taken(met, context), *context.told))
    return Reading(nodes, tuple(told), tuple(dict.fromkeys(ways)))


def _taken(places: Iterable[Place], context: Context) -> Iterator[str]:
    """Iterate over how open places are read."""
    for place in places:
        yield context.met[place][context.instead.get(place, 0)]
