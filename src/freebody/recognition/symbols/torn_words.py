r"""Words and units among the letters of formulas: the m of ``com``, the k of ``5 kg``, no symbols.

Letters side by side are a word if three or more have a vowel, if the text has them as capitals, if
they spell a Greek letter that the page has, or one of its letters without the mark of what stands
below it. They may be a product as well: only those letters are no symbols that a page has nowhere
else by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from freebody.documents.latex.page.page import Page
from freebody.documents.latex.printed_names import printed_items
from freebody.documents.latex.tokens.items import Command, Group, Item

_UNITS = frozenset({"kg", "cm", "mm", "km", "rad", "deg", "rpm", "RPM", "Hz", "Nm", "ms", "kN"})
_FUNCTIONS = frozenset({"lqr", "lqrd", "dlqr", "sgn", "tr"})
_SHORT_UNITS = frozenset("gmsNVAWJKHFCT")
"""Letters for units beside longer ones: V of ``Nm / V``."""
_UNIT = re.compile(r"(?:N(?:m|s|ms)?|m|s|rad|J|W|V)/(?:m|s|rad|kg|A|V|K)\^?")
"""What is a unit where it is all of a formula."""
_BETWEEN_UNITS = frozenset({"/", r"\cdot", r"\,", "~", "^"})
_WORD = re.compile(r"(?=.*[aeiou])[A-Za-z]{3,}|(?=.*[AEIOU])[A-Z]{3,}|(?=.*y)[A-Za-z]{4,}")
_FORMULA = re.compile(r"\$[^$]*\$|\\\(.*?\\\)|\\[A-Za-z]+", re.DOTALL)
_IN_TEXT = re.compile(r"\b[A-Z]{2,}\b")
_BELOW = re.compile(r"(?<![A-Za-z\\])([A-JLN-Za-jln-z])_\{?([A-Za-z])\b")
"""A letter with another below it, which stands beside it where the mark is lost; no mass is."""
_GREEK = re.compile(r"\\([A-Za-z]{2,})")


def torn_letters(page: Page, prose: str) -> frozenset[str]:
    r"""Return the letters that formulas of a page have in words and units alone.

    Parameters
    ----------
    page : Page
    prose : str
        Its running text, with formulas in it.

    Examples
    --------
    >>> sorted(torn_letters(Page("$$m g l = 5 kg$$ of $tool$, $T = m g h$"), ""))
    ['k', 'o', 't']
    >>> sorted(torn_letters(Page(r"$l_f$, $l_r$ and $(lr - l_f)$"), ""))
    ['l']
    >>> sorted(torn_letters(Page(r"$K$ in $Nm / V$, $RPM = K\omega$, $mu$ of $\mu$"), "the RPM"))
    ['M', 'N', 'P', 'R', 'V', 'm', 'u']
    """
    text = _FORMULA.sub(" ", prose)
    greek = _GREEK.findall(page.readable, page.start, page.stop)
    marked = ("".join(found) for found in _BELOW.findall(page.readable, page.start, page.stop))
    known = _UNITS.union(_FUNCTIONS, _IN_TEXT.findall(text), greek, marked)
    words, others = set[str](), set[str]()
    for items in printed_items(page):
        for stretch in _stretches(items):
            is_of_units = not _UNITS.isdisjoint(stretch) and {*stretch} <= _SHORT_UNITS | _UNITS
            is_of_units |= _UNIT.fullmatch("".join(item.text for item in items)) is not None
            for run in stretch:
                is_word = is_of_units or _is_word(run, known)
                (words if is_word else others).update(run)
    return frozenset(words - others)


def _is_word(run: str, known: frozenset[str]) -> bool:
    return len(run) > 1 and (run in known or _WORD.fullmatch(run) is not None)


def _stretches(items: Sequence[Item]) -> Iterator[list[str]]:
    """Iterate over letters side by side, those together that may be units of one quantity."""
    stretch, stop = list[str](), -1
    for item in items:
        if len(item.text) == 1 and item.text.isascii() and item.text.isalpha():
            if item.start == stop:
                stretch[-1] += item.text
            else:
                stretch.append(item.text)
            stop = item.stop
            continue
        if item.text == "_" and stretch and not _WORD.fullmatch(stretch[-1]):
            stretch[-1] = stretch[-1][:-1]  # a letter with another below it is a name
        if item.text not in _BETWEEN_UNITS and stretch:
            yield stretch
            stretch = []
        stop = -1
        if isinstance(item, Group):
            yield from _stretches(item.items)
        elif isinstance(item, Command):
            for argument in item.arguments:
                yield from _stretches(argument)
    if stretch:
        yield stretch
