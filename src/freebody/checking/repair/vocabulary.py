"""What a page has names for, as it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from freebody.algebra.units import NUMBER
from freebody.checking.findings import Kind
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.relation_at_point import NOWHERE
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.units import Dimensions
from freebody.documents.latex.names import index_letters, is_only_read
from freebody.documents.latex.spellings import Spelling, spellings
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.tree import Name
from freebody.errors import ExpressionError

MOST_DOTS = 2
MOST_ENTRIES = 64
"""Of a symbol with indices."""
LOOKALIKES = {"1": ("I", "l", r"\ell"), "0": ("O", "o")}
"""Letters that are taken for a digit."""
WAVES = {
    "sin": ("cos", "tan", "sinh", "arcsin"),
    "cos": ("sin", "tan", "cot", "cosh", "sec"),
    "tan": ("sin", "cos", "cot", "tanh", "arctan"),
    "cot": ("tan", "cos", "sin", "coth"),
    "sec": ("csc", "cos"),
    "csc": ("sec", "sin"),
    "sinh": ("cosh", "sin", "tanh"),
    "cosh": ("sinh", "cos", "tanh"),
    "tanh": ("tan", "coth", "sinh", "cosh"),
    "coth": ("cot", "tanh"),
    "arcsin": ("arccos", "arctan", "sin"),
    "arccos": ("arcsin", "arctan", "cos"),
    "arctan": ("arcsin", "arccos", "tan"),
}
"""What is printed in place of a function, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Word:
    r"""A name that a page can print.

    Attributes
    ----------
    name : Name
        The node that it is read as.
    latex : str
        As it is printed.
    family : tuple of str
        Its letter, its subscript and its dots.
    is_number : bool
        Whether it can stand in a cosine: it has no unit, or none is known.
    """

    name: Name
    latex: str
    family: tuple[str, str, int]
    is_number: bool = True


def words(symbols: Symbols) -> list[Word]:
    """Return the names of a page, with as many dots as they can have, up to two."""
    dimensions = Dimensions(symbols.quantities)
    keys = (key for key in symbols.meanings if not is_only_read(key))
    return [word for key in keys for word in _of(symbols, key, dimensions)]


def _of(symbols: Symbols, key: str, dimensions: Dimensions) -> Iterator[Word]:
    for indices in _indices(symbols, key):
        entries = list(symbols.value(key, indices).entries())
        for dots in range(1 if indices else MOST_DOTS + 1):
            if not any(symbols.quantities.has_rate(form, dots) for form in entries):
                break
            entry = word(Name(key, dots, NOWHERE, indices))
            units = {dimensions.of(form) for form in entries}
            yield replace(entry, is_number=not dots and units <= {None, NUMBER})


def _indices(symbols: Symbols, key: str) -> Iterator[tuple[int, ...]]:
    """Iterate over the indices that a pattern can take: all that its quantity has."""
    letters = index_letters(key)
    if not letters:
        yield ()
        return
    most = round(MOST_ENTRIES ** (1 / len(letters)))
    for indices in product(range(1, most + 1), repeat=len(letters)):
        try:
            symbols.value(key, indices)
        except (ExpressionError, MeaningError):
            continue
        yield indices


def word(name: Name) -> Word:
    r"""Return how a name is printed.

    Examples
    --------
    >>> word(Name("M_{i,j}", 0, NOWHERE, (1, 2))).latex
    'M_{1,2}'
    >>> word(Name("x_1", 2, NOWHERE)).latex
    '\\ddot{x}_{1}'
    """
    spelling = spellings(parse(name.key, 0, len(name.key)), 0)[0]
    if name.indices:
        spelling = _numbered(spelling, name)
    dots = spelling.dots + name.dots
    plain = not name.dots and not name.indices
    latex = name.key if plain else spelling.form(dots)
    return Word(name, latex, (spelling.base, spelling.subscript, dots))


def _numbered(spelling: Spelling, name: Name) -> Spelling:
    letters = dict(zip(index_letters(name.key), map(str, name.indices), strict=True))
    index = re.sub("[i-n]", lambda letter: letters[letter[0]], spelling.index)
    if "," not in index and max(name.indices) > 9:
        index = ",".join(map(str, name.indices))
    kept = spelling.subscript.removesuffix(spelling.index)
    return replace(spelling, subscript=kept + index)


def resemblance(printed: Word, other: Word) -> tuple[Kind, float]:
    """Return how a name differs from another, and how unlikely that is as a misprint."""
    (letter, index, dots), (other_letter, other_index, other_dots) = printed.family, other.family
    if letter == other_letter and dots == other_dots:
        return "index", 1.0
    if (letter, index) == (other_letter, other_index):
        return "dot", 1.0 if abs(dots - other_dots) == 1 else 1.3
    if (index, dots) == (other_index, other_dots):
        return "symbol", 1.3
    return "symbol", 2.2
