r"""Words and units among the letters of formulas: the m of ``com``, the k of ``5 kg``, no symbols.

Three letters or more side by side, with a vowel, are a word. They may be a product as well: only
those letters are no symbols that a page has nowhere else by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from freebody.documents.latex.page.page import Page
from freebody.documents.latex.printed_names import printed_items
from freebody.documents.latex.tokens.items import Command, Group, Item

_UNITS = frozenset({"kg", "cm", "mm", "km", "rad", "deg", "rpm", "Hz", "Nm", "ms", "kN"})
_WORD = re.compile(r"(?=.*[aeiou])[A-Za-z]{3,}")


def torn_letters(page: Page) -> frozenset[str]:
    """Return the letters that formulas of a page have in words and units alone.

    Examples
    --------
    >>> sorted(torn_letters(Page("$$m g l = 5 kg$$ of $tool$, $T = m g h$")))
    ['k', 'o', 't']
    """
    words, others = set[str](), set[str]()
    for items in printed_items(page):
        for run in _runs(items):
            is_word = run in _UNITS or _WORD.fullmatch(run) is not None
            (words if is_word else others).update(run)
    return frozenset(words - others)


def _runs(items: Sequence[Item]) -> Iterator[str]:
    """Iterate over the letters that stand side by side, without a blank between them."""
    run, stop = "", -1
    for item in items:
        is_letter = len(item.text) == 1 and item.text.isascii() and item.text.isalpha()
        if run and not (is_letter and item.start == stop):
            yield run[:-1] if item.text == "_" else run  # a letter with another below it is a name
            run = ""
        run, stop = (run + item.text, item.stop) if is_letter else ("", -1)
        if isinstance(item, Group):
            yield from _runs(item.items)
        elif isinstance(item, Command):
            for argument in item.arguments:
                yield from _runs(argument)
    if run:
        yield run
