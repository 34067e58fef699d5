r"""Items before they are read: words in the letters of formulas, primes for dots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from freebody.documents.latex.grammar.context import Context
from freebody.documents.latex.spellings import run_of_letters, spellings, word
from freebody.documents.latex.tokens.items import DOTS, UPRIGHT, Command, Group, Item, Token
from freebody.documents.latex.tokens.primes import are_no_rates
from freebody.documents.latex.tokens.rewriting import GREEK

_SCRIPTS = frozenset({"_", "^"})


def respelled(items: Sequence[Item], context: Context) -> Sequence[Item]:
    r"""Return items with the declared words in them joined, and Greek letters that are spelled out.

    Letters side by side print as a product; where all of them are declared they are one first.
    """
    found: list[Item] = []
    position = 0
    while position < len(items):
        count = _word(items, position, context)
        if count:
            found.append(word(items[position : position + count]))
        else:
            found.append(_with_words(items[position], context))
        position += max(count, 1)
    return found


def _with_words(item: Item, context: Context) -> Item:
    if isinstance(item, Group):
        return replace(item, items=tuple(respelled(item.items, context)))
    if isinstance(item, Token) or item.text in _SCRIPTS or item.text in UPRIGHT:
        return item
    return replace(item, arguments=tuple(tuple(respelled(a, context)) for a in item.arguments))


def _word(items: Sequence[Item], first: int, context: Context) -> int:
    """Return how many letters from an item on are one declared word; 0 where they are none."""
    run = run_of_letters(items, first)
    text = "".join(item.text for item in items[first : first + run])
    length = next((n for n in range(run, 1, -1) if _is_known(text[:n], context)), 0)
    if not length:
        return 0
    start, stop = items[first].start, items[first + length - 1].stop
    readings = list(_readings(context.printed(start, stop), text[:length]))
    if all(context.declared.lookup(letter) for letter in text[:length]):
        ways = readings if text[:length] in context.declared.words else readings[::-1]
        return length * (ways[context.choose(start, "word", *ways)] == readings[0])
    if text[:length] in GREEK:
        context.notes += [readings[0]] if readings[0] not in context.notes else []
    return length


def _is_known(text: str, context: Context) -> bool:
    bases = context.declared.bases
    return rf"\mathrm{{{text}}}" in bases or (
        text in GREEK and (f"\\{text}" in bases or text == "pi")
    )


def _readings(shown: str, text: str) -> Iterator[str]:
    yield f"'{shown}' is read as '\\{text}'" if text in GREEK else f"'{shown}' is read as one name"
    yield f"'{shown}' is read as a product of letters"


_MARKING = re.compile(
    r"\\(?:d{1,4}ot|[gs]?overset\{\.+\})(?![A-Za-z])|[\u0307\u0308]"
    r"|(?i:\b(?:collisions?|impacts?|restitution|sto(?:ß|ss)\w*|chocs?|choques?|urt[oi]"
    r"|before and after)\b)"
)
"""What a page has where one prime marks another frame, or what is behind an impact: dots, words."""
_ACCENTS = {order: accent for accent, order in DOTS.items()}
_MARKS = frozenset({"'", "_", "^"})


TOLD = "primes are read as derivatives by time"


def prints_rates(sides: Sequence[Sequence[Item]], context: Context) -> bool:
    """Return whether primes in an equation may stand for dots.

    One alone marks another frame or point on a page that prints dots, unless two stand beside it.
    Those of a function of a place are by that: ``y''(x)``, or ``d/dx`` elsewhere. None stand
    beside a distance from one point to another, ``(x - x')``; one alone is behind an impact on a
    page about such.
    """
    most = max(_primes(row) for items in sides for row in (items, *_below(items)))
    may = most > 1 or (most == 1 and not _MARKING.search(context.text))
    return may and not are_no_rates(context.text)


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
        head, stop = _with_dots(items[position], context), position + 1
        while stop < len(items) and items[stop].text in _MARKS:
            stop += 1
        scripts = [item for item in items[position + 1 : stop] if item.text != "'"]
        order = stop - position - 1 - len(scripts)
        if order and _is_rate(items, position, order, context):
            head = Command(_ACCENTS[order], ((head,),), head.start, head.stop)
            context.notes += [TOLD] if TOLD not in context.notes else []
        else:
            scripts = [*items[position + 1 : stop]]
        found += [head, *(_with_dots(script, context) for script in scripts)]
        position = stop
    return found


def _with_dots(item: Item, context: Context) -> Item:
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
