r"""Words in the letters of formulas: ``\dot{theta}`` for ``\dot\theta``, ``COG_v`` for a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freebody.documents.latex.grammar.choices import Context
from freebody.documents.latex.names import run_of_letters, word
from freebody.documents.latex.tokens.items import UPRIGHT, Group, Item, Token
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
            found.append(_inside(items[position], context))
        position += max(count, 1)
    return found


def _inside(item: Item, context: Context) -> Item:
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
    told = list(_told(context.printed(start, stop), text[:length]))
    if all(context.declared.lookup(letter) for letter in text[:length]):
        ways = told if text[:length] in context.declared.words else told[::-1]
        return length * (ways[context.choose(start, "word", *ways)] == told[0])
    if text[:length] in GREEK:
        context.told += [told[0]] if told[0] not in context.told else []
    return length


def _is_known(text: str, context: Context) -> bool:
    bases = context.declared.bases
    return rf"\mathrm{{{text}}}" in bases or (
        text in GREEK and (f"\\{text}" in bases or text == "pi")
    )


def _told(shown: str, text: str) -> Iterator[str]:
    yield f"'{shown}' is read as '\\{text}'" if text in GREEK else f"'{shown}' is read as one name"
    yield f"'{shown}' is read as a product of letters"
