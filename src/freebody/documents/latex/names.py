r"""The names that a document declares, and how they are found on its pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import TypeVar

from freebody.documents.latex.spellings import (
    BEFORE,
    LETTERS,
    Spelling,
    is_mark,
    is_short,
    run_of_letters,
    spellings,
    word,
)
from freebody.documents.latex.tokens.items import (
    DOTS,
    Command,
    Item,
    LatexError,
)
from freebody.documents.latex.tokens.tokens import parse
from freebody.errors import nearest

T = TypeVar("T")
_PATTERN = re.compile(r"[i-n](?:,?[i-n])*")
_INDICES = re.compile(r"\d{1,4}(?:,\d{1,4})*")
LAGRANGIAN = r"L^{\partial}"
"""What L is called below a derivative, where it is the name of something else as well."""
LAGRANGIANS = frozenset({"L", r"\mathcal{L}", r"\mathscr{L}"})
_SINGLE = re.compile(r"_\{(\w|\\[A-Za-z]+(?=\}(?![A-Za-z])))\}")
_COLUMN = r"^{\downarrow}"
_SHORTHANDS = frozenset({*"sScCtT", *(rf"\mathrm{{{letter}}}" for letter in "sScCtT")})


@dataclass(frozen=True, slots=True)
class FoundName:
    """A declared name found on a page: what it is, and how much of the page it takes.

    What its subscript may mean besides, as keys with their indices, is in `others`.
    """

    key: str
    indices: tuple[int, ...]
    dots: int
    superscript: Command | None
    stop: int
    others: tuple[tuple[str, tuple[int, ...]], ...] = ()


class Declared:
    r"""The names that a document declares.

    Parameters
    ----------
    keys : iterable of str
        Names in LaTeX. A subscript of single letters i to n, such as ``M_{i,j}``, is an index
        pattern, which covers ``M_{1,2}`` and ``M_{31}`` alike.
    varying : callable
        Whether the name of a key is a function of time.

    Raises
    ------
    LatexError
        Where a key is not one name, or is declared twice.

    Examples
    --------
    >>> declared = Declared([r"M(\alpha)_{i,j}", "F_{x3}"], varying=lambda key: False)
    >>> declared.lookup(r"M(\alpha)_{31}")
    ('M(\\alpha)_{i,j}', (3, 1))
    """

    def __init__(self, keys: Iterable[str], varying: Callable[[str], bool]) -> None:
        self.keys = tuple(keys)
        self.varying = varying
        self._known = frozenset(self.keys)
        self._exact: dict[str, str] = {}
        self._patterns: dict[tuple[str, int], str] = {}
        self._products: dict[tuple[str, str], str] = {}
        self.bases = frozenset[str]()
        self.words = frozenset[str]()
        self.undefined: set[str] = set()
        self.has_prescripts = any(key.startswith(tuple(BEFORE)) for key in self.keys)
        for key in self.keys:
            self._declare(key)

    keeps_opaque = False
    """Whether what cannot be worked out is read all the same, such as an integral."""

    def _declare(self, key: str) -> None:
        if shorthand := _shorthand(key):
            self._products[shorthand] = key
            return
        spelling = _sole_name(key)
        self.bases |= {spelling.base}
        if spelling.base.startswith(r"\mathrm{"):
            self.words |= {spelling.base[8:-1]} & {key[: len(spelling.base) - 9]}
        if spelling.form() in self._exact:
            raise LatexError(f"'{key}' and '{self._exact[spelling.form()]}' are the same name")
        self._exact[spelling.form()] = key
        if letters := index_letters(key):
            self._patterns[spelling.pattern().form(), len(letters)] = key

    def lookup(self, name: str) -> tuple[str, tuple[int, ...]] | None:
        """Return the key and the indices that a name in LaTeX stands for, or None.

        Raises
        ------
        LatexError
            Where the text is not one name.
        """
        return next(iter(self._matches(_sole_name(name), None, raised=True)), None)

    def declares(self, options: Sequence[Spelling]) -> bool:
        """Return whether a name is declared, whatever else is read as one."""
        return bool(options) and Declared.find(self, options) is not None

    def varies(self, key: str) -> bool:
        """Return whether a key is a function of time."""
        return key in self._known and self.varying(key)

    def find(self, options: Sequence[Spelling]) -> FoundName | None:
        """Return the declared name that takes most of what is printed.

        The arguments ``(t)`` of a function of time are taken with it.
        """
        for option in options:
            for raised, dots in _choices(option):
                if matches := self._matches(option, dots, raised=raised):
                    key, indices = matches[0]
                    taken = self._with_time(key, option, options[0])
                    power = None if raised else taken.superscript
                    left = option.dots - dots
                    return FoundName(key, indices, left, power, taken.stop, tuple(matches[1:]))
        return None

    def find_shorthand(self, items: Sequence[Item], position: int) -> FoundName | None:
        r"""Return the declared shorthand that stands here, such as ``s\theta_1``."""
        options = spellings(items, position) if self._products else []
        if not options or options[-1].stop >= len(items):
            return None
        angles = spellings(items, options[-1].stop)
        if not angles:
            return None
        pair = options[-1].form(), angles[-1].form(raised=False)
        key = self._products.get(pair)
        if key is None:
            return None
        return FoundName(key, (), 0, angles[-1].superscript, angles[-1].stop)

    def suggestion(self, name: str) -> str:
        """Return the nearest declared name in words, or nothing."""
        return nearest(name, self.keys)

    def _with_time(self, key: str, option: Spelling, longest: Spelling) -> Spelling:
        return longest if longest.arguments == "t" and self.varying(key) else option

    def _matches(
        self, spelling: Spelling, dots: int | None, *, raised: bool
    ) -> list[tuple[str, tuple[int, ...]]]:
        """Return what a spelling may stand for, the likeliest first."""
        exact = self._exact.get(spelling.form(dots, raised=raised))
        if exact is not None:
            return [(exact, ())]
        if not self._patterns or not _INDICES.fullmatch(spelling.index):
            return []
        pattern = spelling.pattern().form(dots, raised=raised)
        found = {i: self._patterns.get((pattern, len(i))) for i in _readings(spelling.index)}
        return [(key, indices) for indices, key in found.items() if key is not None]


def as_column(key: str) -> str:
    """Return what a column is called that has the name of a scalar: the state x beside x."""
    return key + _COLUMN


def is_only_read(key: str) -> bool:
    """Return whether a page reads a name so that it cannot print: it prints another for it."""
    return key == LAGRANGIAN or key.endswith(_COLUMN)


def printed(key: str) -> str:
    """Return how a name is told.

    Examples
    --------
    >>> printed("x"), printed(as_column("x"))
    ('x', 'x as a column')
    """
    return f"{key.removesuffix(_COLUMN)} as a column" if key.endswith(_COLUMN) else key


def normal(key: str) -> str:
    r"""Return the normal form of a declared name; what is none stays as it is.

    Examples
    --------
    >>> normal("{A}"), normal(r"\dot{x_1}"), normal("(")
    ('A', '\\dot{x}_{1}', '(')
    """
    try:
        shorthand = _shorthand(key)
        return "".join(shorthand) if shorthand else _sole_name(key).form()
    except LatexError:
        return key


def short(form: str) -> str:
    r"""Return the normal form of a name as it is written where one letter stands below it.

    Examples
    --------
    >>> short("m_{1}"), short(r"K_{\phi}"), short(r"K_{\phi}x"), short("m_{12}")
    ('m_1', 'K_\\phi', 'K_{\\phi}x', 'm_{12}')
    """
    return _SINGLE.sub(r"_\1", form)


def over(inherited: Mapping[str, T], own: Mapping[str, T]) -> dict[str, T]:
    """Return what is declared, with what comes first in place of other spellings of its names."""
    names = {normal(key) for key in own}
    return {**{key: one for key, one in inherited.items() if normal(key) not in names}, **own}


def index_letters(key: str) -> str:
    r"""Return the letters of a declared index pattern; none where the key is no pattern.

    Examples
    --------
    >>> index_letters(r"M(\alpha)_{i,j}"), index_letters("D_{ij}"), index_letters("x_1")
    ('ij', 'ij', '')
    """
    index = "" if _shorthand(key) else _sole_name(key).index
    return index.replace(",", "") if _PATTERN.fullmatch(index) else ""


def _choices(option: Spelling) -> Iterator[tuple[bool, int]]:
    """Yield whether the superscript is part of the name, and how many dots are; most first."""
    is_part = option.superscript is not None and is_short(option.superscript)
    return product((True, False) if is_part else (False,), range(option.dots, -1, -1))


def unknown(options: Sequence[Spelling]) -> FoundName:
    """Return a name that nobody declares; with arguments where they have a subscript."""
    longest, bare = options[0], options[-1]
    spelling = bare if longest.subscript == bare.subscript else longest
    is_marked = spelling.superscript is not None and is_mark(spelling.superscript)
    power = None if is_marked else spelling.superscript
    return FoundName(spelling.form(raised=is_marked), (), 0, power, spelling.stop)


def _readings(subscript: str) -> list[tuple[int, ...]]:
    """Return the indices a subscript may mean: with commas as they say, else whole or by digits."""
    apart = tuple(map(int, subscript.split(",")))
    return [apart] if len(apart) > 1 else [apart, tuple(map(int, subscript))]


@lru_cache
def _shorthand(key: str) -> tuple[str, str] | None:
    r"""Return the letter and the angle of a shorthand such as ``s\theta_1``, if a key is one."""
    items = parse(key, 0, len(key))
    letter = spellings(items, 0)[-1:] if items else []
    if not letter or letter[0].form() not in _SHORTHANDS or letter[0].stop >= len(items):
        return None
    angle = spellings(items, letter[0].stop)
    if not angle or angle[-1].stop != len(items) or angle[-1].base not in LETTERS:
        return None
    return letter[0].form(), angle[-1].form()


def undotted(key: str) -> str:
    r"""Return a name without its dots.

    Examples
    --------
    >>> undotted(r"\ddot{x}_{1}")
    'x_{1}'
    """
    return _sole_name(key).form(0)


def is_name(key: str) -> bool:
    r"""Return whether something can be declared as a name: not with a bracket that stays open.

    Examples
    --------
    >>> is_name(r"\dot{x}_1"), is_name("g_{[1}"), is_name("x y")
    (True, False, False)
    """
    try:
        _sole_name(key)
    except LatexError:
        return False
    return True


@lru_cache
def _sole_name(key: str) -> Spelling:
    items = _as_word(parse(key, 0, len(key)))
    options = spellings(items, 0) if items else []
    if not options or options[0].stop != len(items):
        raise LatexError(
            f"'{key}' is not one name; expected a letter with scripts, such as 'F_{{x3}}', "
            r"or a word in a style, such as '\mathrm{KE}'"
        )
    return options[0]


def _as_word(items: Sequence[Item]) -> Sequence[Item]:
    """Return what is declared with letters that touch as one word, such as ``COG_v``."""
    if items and isinstance(items[0], Command) and items[0].text in DOTS:
        inside = (tuple(_as_word(items[0].arguments[0])),)
        return (replace(items[0], arguments=inside), *items[1:])
    count = run_of_letters(items, 0)
    return (word(items[:count]), *items[count:]) if count > 1 else items
