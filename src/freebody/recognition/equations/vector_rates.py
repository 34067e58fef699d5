"""Velocities and accelerations in vectors of which a page does not say that they are rates."""

from __future__ import annotations

import re

from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letter, is_vector
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import Times, walk
from freebody.recognition.equations.unplaced import accelerations

_RATES = {"v": 1, "a": 2}
_PLACES = ("r", "x")
_TURNING = frozenset({"omega", "Omega", "alpha"})


def vector_rates(statements: Statements, meanings: Meanings) -> dict[str, Letter]:
    r"""Return the vectors that are rates of a position: v of :math:`m\dot{\vec v} = m\vec g`.

    Where nothing is said of them, the page accelerates something in vectors, and nothing turns: of
    a rigid body these may be along axes that turn. The position has the letter that the page has
    for it, or one of its own.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for.
    """
    vectors = {key for key in meanings.keys if is_vector(key)}
    nodes = (walk(one.relation.left, one.relation.right) for one in statements.all)
    is_crossed = any(isinstance(node, Times) for inside in nodes for node in inside)
    if is_crossed or any(SymbolShape.of(key).letter in _TURNING for key in vectors):
        return {}
    rated = {key for one in statements.all for key in one.moved(1)}
    multiplied = {key for one in statements.all for key in accelerations(one)}
    told = meanings.definitions
    found = {
        key: Letter(_place(key, vectors), order)
        for key in sorted(vectors)
        if (order := _RATES.get(SymbolShape.of(key).letter)) and not told.get(key)
    }
    accelerated = {
        letter.key
        for key, letter in found.items()
        if key in (rated if letter.dots == 1 else multiplied)
    } | {key for key in statements.accelerated() if is_vector(key)}
    return {key: letter for key, letter in found.items() if letter.key in accelerated}


def _place(key: str, vectors: set[str]) -> str:
    r"""Return the position whose rate a vector is: ``\vec{r}_1`` of ``\vec{v}_1``."""
    letter = SymbolShape.of(key).letter
    options = [re.sub(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", one, key) for one in _PLACES]
    return next((one for one in options if one in vectors), options[0])
