"""What is found of an equation that is held against the others of its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from freebody.algebra import Form, canonical
from freebody.algebra.canonical import DIGITS, GUARD
from freebody.algebra.prime import PRIME
from freebody.checking.findings import Kind
from freebody.consistency.letters import POINTS
from freebody.consistency.statement import Statement

Route = Literal[
    "characteristic",
    "definitions",
    "identity",
    "lagrangian",
    "elimination",
    "frequency",
    "law",
    "matrices",
    "numbers",
    "path",
    "points",
    "solution",
    "transforms",
]
_AT_POINTS = f"at {POINTS} random points of a prime field of {PRIME.bit_length()} bits"
_IN_DIGITS = f"to {DIGITS - GUARD} digits at {canonical.POINTS} random points"
PROOFS = {
    "characteristic": _AT_POINTS,
    "definitions": "exactly, in canonical form",
    "identity": "exactly, in canonical form",
    "law": "by the terms that are printed",
    "numbers": "in numbers, to the digits that are printed",
    "matrices": "exactly, in canonical form",
    "lagrangian": _AT_POINTS,
    "elimination": _AT_POINTS,
    "frequency": "exactly, in canonical form",
    "path": "exactly, in canonical form",
    "points": _IN_DIGITS,
    "solution": f"in canonical form, or {_IN_DIGITS}",
    "transforms": _AT_POINTS,
    "units": "by the units of its letters",
}
"""How a verdict is come to, by the way of it."""


@dataclass(frozen=True)
class Finding:
    """What the others say of an equation.

    Attributes
    ----------
    holds : bool or None
        None where they say nothing.
    others : tuple of Statement
    reason : str
    route : str
        In what way it is held against them; empty where it is not.
    is_open : bool
        Whether it may be no contradiction, though it differs: another case, another meaning.
    lacks : Form or None
        What would have to be added to its left side, where that is known.
    is_small : bool
        Whether it is known to be of small motions, as what is printed with it.
    against : Finding or None
        What those before it say of an equation that follows from others, behind it too, if they
        contradict it: what follows from a misprint follows with it.
    told : frozenset of str
        The kinds of its own misprints that are told, though it is open.
    beside : tuple of Statement
        What says what its letters are, where it does not hold by that and may be a law of its own.
    """

    holds: bool | None
    others: tuple[Statement, ...] = ()
    reason: str = ""
    route: Route | Literal[""] = ""
    is_open: bool = False
    lacks: Form | None = None
    is_small: bool = False
    against: Finding | None = None
    told: frozenset[Kind] = frozenset()
    beside: tuple[Statement, ...] = ()

    @property
    def closed(self) -> Finding:
        """It where nothing is another case, and no equation a law of its own."""
        if self.holds is None and self.beside:
            return Finding(False, self.beside, route="definitions")
        return replace(self, is_open=False)

    @property
    def proof(self) -> str:
        """How the verdict is come to."""
        return PROOFS[self.route or "definitions"]


def with_those_before(found: Finding | None, say: Callable[[], Finding | None]) -> Finding | None:
    """Return what is found, with what the equations before say where they contradict it.

    Parameters
    ----------
    found : Finding or None
        What all of them say.
    say : callable
        What those before say alone; asked where all of them bear it out.
    """
    before = say() if found and found.holds else None
    return replace(found, against=before) if found and before and not before.holds else found


def in_order(*statements: Statement) -> tuple[Statement, ...]:
    """Return equations once each, in the order of the page."""
    every = {one.number: one for one in statements}
    return tuple(every[number] for number in sorted(every))
