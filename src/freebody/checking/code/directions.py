"""From where code says that its angles are measured, and from where a frame measures them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy

from freebody.algebra.expressions import Reference
from freebody.algebra.terms import TooLargeError
from freebody.checking.code.reference import Frame
from freebody.checking.code.states import State
from freebody.checking.quantities.derived import Quantities
from freebody.code.interpreter import FollowedListing
from freebody.code.listings import MARKS, Listing
from freebody.code.values import Leaf
from freebody.code.working import Run
from freebody.errors import FreebodyError

WORDS: Mapping[str, re.Pattern[str]] = {
    "up": re.compile(r"\bup(?:right|wards?)?\b|\binverted\b|\bfrom (?:the )?top\b", re.I),
    "down": re.compile(
        r"\bdown(?:wards?)?\b|\bhang\w*|\b(?:from|with) (?:the )?gravity|\bbottom\b|"
        r"\bnegative [jy]\b|-[jy][- ]axis",
        re.I,
    ),
    "level": re.compile(r"\bhorizontal\b|\b(?:from|with) (?:the )?(?:positive )?x\b", re.I),
}
MOST = 4
"""Of how many coordinates it is worked out where a frame has its zero."""
DELTA = 0.1
BEFORE = 12
"""Lines before a function in which comments are about it."""
HEAD = 4
"""Lines of a function in which comments say what it is."""


def directions(
    listing: Listing, found: FollowedListing, run: Run, state: State, is_angle: Sequence[bool]
) -> dict[int, str]:
    """Return which coordinates are said to be zero upwards, downwards or level, by their place."""
    told: dict[int, set[str]] = {}
    for path, (order, place) in state.moving.items():
        if order == 0 and is_angle[place] and _is_of(path, run):
            told.setdefault(place, set()).update(
                _direction_words(listing, run, found.table.leaves[path])
            )
    return {place: next(iter(words)) for place, words in told.items() if len(words) == 1}


def _is_of(path: str, run: Run) -> bool:
    return ":" not in path or path.partition(":")[0] == run.name


def _direction_words(listing: Listing, run: Run, leaf: Leaf) -> Iterator[str]:
    names = [re.escape(name) for name in leaf.names if name.isidentifier()]
    pattern = re.compile(rf"(?<![\\w.])(?:{'|'.join(names)})(?!\\w)") if names else None
    for source in (_comments(listing, run), _sentences(run)):
        found = [
            word
            for line, comment in source
            if pattern and (pattern.search(comment) or pattern.match(line.strip()))
            for word, meant in WORDS.items()
            if meant.search(comment)
        ]
        if found:
            yield from found
            return


def _comments(listing: Listing, run: Run) -> Iterator[tuple[str, str]]:
    """Iterate over the lines of a function and before it, and what comments say on them."""
    first = listing.position(run.span[0])[0] - 1
    last = listing.position(run.span[1])[0] if run.name else len(listing.lines)
    mark = re.compile(rf"(?:{MARKS[listing.language]})(.*)")
    for line in listing.lines[max(first - BEFORE, 0) : last]:
        found = mark.search(line)
        if found:
            yield line, found[1]
    for line in run.words.splitlines():
        yield "", line


def _sentences(run: Run) -> Iterator[tuple[str, str]]:
    """Iterate over the sentences of what is said of a function, over the ends of lines."""
    for part in re.split(r"\n\s*\n|(?<=[.;])\s", run.words):
        yield "", " ".join(part.split())


def head_comments(listing: Listing, run: Run) -> str:
    """Return what a function's documentation and the comments at its head say of it."""
    if not run.name:
        return run.words
    first = listing.position(run.span[0])[0] - 1
    mark = re.compile(rf"(?:{MARKS[listing.language]})(.*)")
    before: list[str] = []
    for line in reversed(listing.lines[max(first - BEFORE, 0) : first]):
        if not mark.match(line.strip()):
            break
        before.insert(0, line)
    near = [*before, *listing.lines[first : first + HEAD]]
    told = [found[1] for line in near if (found := mark.search(line))]
    return "\n".join((run.words, *told))


class Zeros:
    """Where frames have the zeros of their angles, by how a weight pulls there.

    Parameters
    ----------
    quantities : Quantities
    """

    def __init__(self, quantities: Quantities) -> None:
        self._quantities = quantities

    def fit(self, frame: Frame, said: Mapping[int, str]) -> bool:
        """Return whether a frame has its zeros where it is said."""
        return all(self._direction(frame, place) in ("", word) for place, word in said.items())

    def _direction(self, frame: Frame, place: int) -> str:
        """Return where a coordinate is zero; nothing where that cannot be told."""
        if self._potential is None:
            return ""
        offsets = sympy.Matrix(
            [value.subs(dict.fromkeys(self._own, 0)) for value in frame.coordinates]
        )
        heights = []
        for shift in (0.0, DELTA, -DELTA):
            values = -offsets
            values[place] += shift
            heights.append(float(self._potential(*(frame.back * values).evalf())))
        middle, one, other = heights
        if abs(middle - one) < 1e-9 and abs(middle - other) < 1e-9:
            return ""
        if (one - middle) * (other - middle) <= 0:
            return "level"
        return "down" if one > middle else "up"

    @cached_property
    def _own(self) -> list[sympy.Expr]:
        return list(self._quantities.equations.coordinates)

    @cached_property
    def _potential(self) -> Callable[..., Any] | None:
        """The potential energy as a function of the coordinates, with all constants 1."""
        if len(self._own) > MOST:
            return None
        quantities = self._quantities
        try:
            path = quantities.resolve(Reference(("energy", "potential"), (), 1))
            expr = quantities.ring.expression(quantities.lower(quantities.ring.form(path)))
        except (FreebodyError, TooLargeError):
            return None
        rest = expr.free_symbols - set(self._own) - {sympy.Symbol("t")}
        plain = sympy.symbols(f"q:{len(self._own)}")
        expr = expr.subs(dict.fromkeys(rest, 1)).subs(dict(zip(self._own, plain, strict=True)))
        return sympy.lambdify(plain, expr, "math") if expr.free_symbols <= set(plain) else None
