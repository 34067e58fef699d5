r"""Sines and cosines by one letter right before an angle: ``c\theta s\psi``, ``C^2(\phi)``.

Printed side by side a letter and an angle would be a product, which robotics seldom means.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from freebody.documents.latex.tokens.items import Lexed, Token
from freebody.documents.latex.tokens.rewriting import SAME

_ANGLE = r"\\(?:var)?(?:theta|phi)|\\(?:alpha|beta|gamma|delta|psi)|[αβγδθφϕψ]"
_SHORT = re.compile(
    rf"(?<![A-Za-z\\_^])(?<![_^]\{{)(?P<letter>[csCS])\s*(?:\^\s*\{{?\d\}}?\s*)?"
    rf"(?:(?P<angle>{_ANGLE})(?![A-Za-z])(?!\s*(?:[{{'^]|\((?!t\))))"
    rf"|(?:\\left\s*)?\(\s*(?P<inside>{_ANGLE})(?:_\{{?\w\}}?)?\s*(?:\\right\s*)?\))"
)
_NAMES = {"c": r"\cos", "s": r"\sin", "t": r"\tan"}
_OPENING = frozenset({"(", r"\left("})
_MATHEMATICS = re.compile(r"[=$\\&]")

Wave = tuple[str, str]
"""The letter of a function, and the angle."""


def waves(text: str, declared: Collection[str] = ()) -> frozenset[Wave]:
    r"""Return which letters before which angles are functions on a page.

    Those of angles that have both, in small letters or in capital ones; and t beside them. Where
    names are declared so, ``s\theta_1``, they count, and none is a function.

    Examples
    --------
    >>> sorted(waves(r"$\begin{bmatrix} c\theta & -s\theta \end{bmatrix}$ and $c\phi$"))
    [('c', '\\theta'), ('s', '\\theta'), ('t', '\\theta')]
    >>> sorted(waves(r"$c(\phi) u + s(\phi) v$"))
    [('c', '\\phi'), ('s', '\\phi'), ('t', '\\phi')]
    >>> sorted(waves(r"$c\dot\theta + k\theta$, $s\Theta(s)$"))
    []
    """
    if any(map(_SHORT.match, declared)):
        return frozenset()
    letters = defaultdict[str, set[str]](set)
    for line in text.splitlines():
        for found in _SHORT.finditer(line) if _MATHEMATICS.search(line) else ():
            angle = found["angle"] or found["inside"]
            letters[SAME.get(angle, angle)].add(found["letter"])
    return frozenset(
        (letter, angle)
        for angle, several in letters.items()
        for pair in ("cst", "CST")
        if several.issuperset(pair[:2])
        for letter in pair
    )


def with_waves(tokens: Sequence[Lexed], known: Collection[Wave]) -> Iterator[Lexed]:
    """Yield tokens with the names of functions for the letters of them.

    Parameters
    ----------
    tokens : sequence of (str, Token)
        Each with its kind.
    known : collection of (str, str)
        The letters and the angles of the page.
    """
    letters = {letter for letter, _ in known}
    for place, (kind, token) in enumerate(tokens):
        if token.text in letters and (token.text, _angle(tokens, place)) in known:
            yield kind, Token(_NAMES[token.text.lower()], token.start, token.stop)
        else:
            yield kind, token


def _angle(tokens: Sequence[Lexed], place: int) -> str:
    """Return what follows a letter and its power, if the letter stands below or above nothing."""
    before = [token.text for _, token in tokens[max(place - 2, 0) : place]]
    if before[-1:] in (["_"], ["^"]) or before in (["_", "{"], ["^", "{"]):
        return ""
    after = [token.text for _, token in tokens[place + 1 : place + 6]]
    if after[:1] == ["^"]:
        after = after[4:] if after[1:2] == ["{"] else after[2:]
    return next((one for one in after if one not in _OPENING), "")
