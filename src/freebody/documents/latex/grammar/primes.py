r"""Primes for dots: ``\theta''(t)``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from freebody.documents.latex.grammar.choices import Context
from freebody.documents.latex.names import spellings
from freebody.documents.latex.tokens.items import DOTS, Command, Group, Item, Token

_DOTTED = re.compile(r"\\(?:d{1,4}ot|[gs]?overset\{\.+\})(?![A-Za-z])|[\u0307\u0308]")
_ACCENTS = {order: accent for accent, order in DOTS.items()}
_SCRIPTS = frozenset({"'", "_", "^"})


TOLD = "primes are read as derivatives by time"


def prints_rates(sides: Sequence[Sequence[Item]], context: Context) -> bool:
    """Return whether primes in an equation may stand for dots.

    One alone marks another frame or point on a page that prints dots, unless two stand beside it.
    """
    most = max(_primes(row) for items in sides for row in (items, *_below(items)))
    return most > 1 or (most == 1 and not _DOTTED.search(context.text))


def _below(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for item in items:
        if not isinstance(item, Token):
            for row in (item.items,) if isinstance(item, Group) else item.arguments:
                yield row
                yield from _below(row)


def _primes(items: Sequence[Item]) -> int:
    """Return how many primes stand side by side."""
    runs = groupby(item.text == "'" for item in items)
    return max((len([*run]) for is_prime, run in runs if is_prime), default=0)


def rated(items: Sequence[Item], context: Context) -> list[Item]:
    """Return items with primes as the dots that they stand for, which is told.

    A prime may be part of a declared name.
    """
    found: list[Item] = []
    position = 0
    while position < len(items):
        head, stop = _inside(items[position], context), position + 1
        while stop < len(items) and items[stop].text in _SCRIPTS:
            stop += 1
        scripts = [item for item in items[position + 1 : stop] if item.text != "'"]
        order = stop - position - 1 - len(scripts)
        if order and _is_rate(items, position, order, context):
            head = Command(_ACCENTS[order], ((head,),), head.start, head.stop)
            context.told += [TOLD] if TOLD not in context.told else []
        else:
            scripts = [*items[position + 1 : stop]]
        found += [head, *(_inside(script, context) for script in scripts)]
        position = stop
    return found


def _inside(item: Item, context: Context) -> Item:
    if isinstance(item, Group):
        return replace(item, items=tuple(rated(item.items, context)))
    if isinstance(item, Token) or item.text == "_":
        return item
    return replace(item, arguments=tuple(tuple(rated(row, context)) for row in item.arguments))


def _is_rate(items: Sequence[Item], position: int, order: int, context: Context) -> bool:
    """Return whether what has primes is nothing declared, and without them something that moves."""
    if order not in _ACCENTS:
        return False
    if isinstance(items[position], Group):
        return items[position].text in ("(", "[")
    options = spellings(items, position)
    if not options or context.declared.declares(options):
        return False
    bare = [replace(option, base=option.base.rstrip("'")) for option in options]
    found = context.declared.find(bare)
    return context.declared.varies(found.key) if found else order > 1
