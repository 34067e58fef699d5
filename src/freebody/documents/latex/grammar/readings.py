"""Equations with the places told that may be read in two ways, and read so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freebody.documents.latex.grammar.choices import Context, Place
from freebody.documents.latex.grammar.parser import read_sides
from freebody.documents.latex.names import Declared
from freebody.documents.latex.tokens.items import Item, LatexError
from freebody.documents.latex.tree import Node, Span

Sides = Sequence[tuple[Sequence[Item], Span]]
Other = tuple[list[Node], tuple[str, ...]]

MOST = 8
"""How many other readings of an equation are made."""


def read_openly(
    sides: Sides, declared: Declared, text: str
) -> tuple[list[Node], tuple[str, ...], list[Other]]:
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
    nodes : list of Node
        The sides in the likeliest reading.
    readings : tuple of str
        Where there is another one, and what is passed over.
    others : list
        The sides with one place read otherwise each, and what then is told.

    Raises
    ------
    LatexError
        Where they cannot be read in any way.
    """
    context = Context(declared, text)
    try:
        nodes = read_sides(sides, declared, context)
    except LatexError:
        for place, nodes, other in _others(sides, context):
            return nodes, (other.met[place][other.instead[place]], *other.told), []
        raise
    found = [(p, o, c) for p, o, c in _others(sides, context) if o != nodes]
    open_places = dict.fromkeys(place for place, _, _ in found)
    others = [(other, _readings(open_places, apart)) for _, other, apart in found]
    return nodes, _readings(open_places, context), others


def _others(sides: Sides, context: Context) -> Iterator[tuple[Place, list[Node], Context]]:
    """Iterate over the ways to read an equation with one place read otherwise."""
    ways = [(place, i) for place, told in context.met.items() for i in range(1, len(told))]
    for place, chosen in ways[:MOST]:
        other = Context(context.declared, context.text, {place: chosen})
        try:
            yield place, read_sides(sides, context.declared, other), other
        except LatexError:
            continue


def _readings(places: dict[Place, None], context: Context) -> tuple[str, ...]:
    """Return how open places are read, where they occur, and what is passed over."""
    told = (context.met[p][context.instead.get(p, 0)] for p in places if p in context.met)
    return tuple(dict.fromkeys((*told, *context.told)))
