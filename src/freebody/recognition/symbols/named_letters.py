"""What symbols are called by convention, beside the models of mechanics, by ``named_letters.toml``.

Most of them only where the page speaks of such things: Q is a weight where it has a regulator.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal, get_args

_MARK = re.compile(r"<(vec )?(.+?)(\?)?>")
_ARROW = r"\\(?:vec|overrightarrow)\{"
_STYLE = r"\\(?:hat|vec|overrightarrow|mathbf|boldsymbol|bm|underline)\{"
Rank = Literal["always", "first", "last", "usual"]
"""When a convention counts: before all else, before or after what models have, or for sure."""


@dataclass(frozen=True)
class _Convention:
    """What symbols of a pattern are called, and of what the page must speak, and must not."""

    pattern: re.Pattern[str]
    called: str
    where: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]

    def is_of(self, key: str, prose: str) -> bool:
        """Return whether a symbol is called so, on a page with that text."""
        return (
            self.pattern.fullmatch(key) is not None
            and all(_speaks(of, prose) for of in self.where)
            and not any(_speaks(of, prose) for of in self.unless)
        )


def named_always(key: str, prose: str) -> str | None:
    r"""Return what a symbol is called that is always for the same.

    Examples
    --------
    >>> named_always(r"\pi", ""), named_always(r"\mathbf{e}_r", ""), named_always("e_r", "")
    ('the number pi', 'unit vector', None)
    """
    return _named("always", key, prose)


def named_first(key: str, prose: str) -> str | None:
    r"""Return what a symbol is called whatever its letter is for else.

    Examples
    --------
    >>> named_first(r"\Delta t", ""), named_first("Q", ""), named_first("Q", "an LQR controller")
    ('time step', None, 'weight of the cost')
    """
    return _named("first", key, prose)


def named_last(key: str, prose: str) -> str | None:
    """Return what a symbol is called whose letter is for nothing else.

    Examples
    --------
    >>> named_last("n", "")
    'number'
    """
    return _named("last", key, prose)


def is_usual(key: str, words: str, prose: str = "") -> bool:
    r"""Return whether a symbol is nearly always what its letter is for.

    On 300 pages two of a hundred were something else, and these said so.

    Examples
    --------
    >>> is_usual("m_1", "mass"), is_usual("m_z", "mass"), is_usual(r"\theta_0", "initial value")
    (True, False, False)
    """
    return any(one.called == words and one.is_of(key, prose) for one in _conventions()["usual"])


def speaks_of(subject: str, prose: str) -> bool:
    """Return whether a text speaks of a subject.

    Examples
    --------
    >>> speaks_of("friction", "without friction"), speaks_of("friction", "a cart")
    (True, False)
    """
    return _speaks(_subjects()[subject], prose)


def _named(rank: Rank, key: str, prose: str) -> str | None:
    return next((one.called for one in _conventions()[rank] if one.is_of(key, prose)), None)


@lru_cache(maxsize=512)  # of one page, for each of its symbols
def _speaks(of: re.Pattern[str], prose: str) -> bool:
    return of.search(prose) is not None


@cache
def _tables() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath("named_letters.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _subjects() -> Mapping[str, re.Pattern[str]]:
    """Return the patterns of what a page may speak of, by its name."""
    return {
        name: re.compile("|".join(patterns), re.IGNORECASE)
        for name, patterns in _tables()["subjects"].items()
    }


@cache
def _conventions() -> Mapping[Rank, tuple[_Convention, ...]]:
    """Return the conventions, in their order, by when they count."""
    tables, subjects = _tables(), _subjects()

    def read(rows: Iterable[Mapping[str, Any]]) -> tuple[_Convention, ...]:
        return tuple(
            _Convention(
                re.compile(_MARK.sub(_drawn, row["pattern"])),
                row["called"],
                tuple(subjects[name] for name in row.get("where", ())),
                tuple(subjects[name] for name in row.get("unless", ())),
            )
            for row in rows
        )

    always, first, last, usual = (tables[rank] for rank in get_args(Rank))
    also = [row for row in (*always, *first, *last) if row.get("usual")]
    return {
        "always": read(always),
        "first": read(first),
        "last": read(last),
        "usual": read([*also, *usual]),
    }


def _drawn(mark: re.Match[str]) -> str:
    """Return the pattern of a letter that is bold, or has an arrow or a hat, by its mark."""
    has_arrow, letter, may_be_plain = mark.groups()
    if has_arrow:
        return rf"{_ARROW}{letter}\}}"
    often = "?" if may_be_plain else "+"
    return rf"(?:{_STYLE}){often}{letter}\}}{{0,2}}"
