r"""Springs, dampers and muscles by name: the force of each has a symbol, and a direction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from freebody.explaining.notation import FORCE, Notation
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Load
from freebody.model.muscles import Surface

LETTERS = {"spring": "s", "damper": "d"}


@dataclass(frozen=True)
class Acting:
    """A spring, a damper or a muscle, by the symbol of its force.

    Attributes
    ----------
    symbol : sympy.Expr
        Of how strongly it pulls its ends together; at a joint against its motion.
    pull : sympy.Expr
        What that is, in the symbols of the mechanism; zero where it acts at no time.
    is_defined : bool
        Whether the symbol stands for an expression, which a page has to tell.
    """

    symbol: sympy.Expr
    pull: sympy.Expr
    is_defined: bool

    def share(self, load: Load) -> tuple[sympy.Expr, ...]:
        """Return the components of one of its loads for a force of one."""
        return tuple(part / self.pull for part in load.components)


def acting(mechanism: Mechanism, notation: Notation) -> dict[str, Acting]:
    """Return springs, dampers and muscles by their cause, as loads have it."""
    return dict(_all(mechanism, notation))


def _all(mechanism: Mechanism, notation: Notation) -> Iterator[tuple[str, Acting]]:
    model = mechanism.model
    kinds: tuple[tuple[str, Any, Any], ...] = (
        ("spring", model.springs, mechanism.springs),
        ("damper", model.dampers, mechanism.dampers),
    )
    for kind, entries, pulls in kinds:
        for number, (entry, pull) in enumerate(zip(entries, pulls, strict=True)):
            if pull != 0 and pull not in mechanism.laws:
                turns = entry.joint is not None and mechanism.joint_frames[entry.joint].turns
                symbol = _symbol(notation, kind, number, len(entries), turns=turns)
                yield f"{kind}.{number}", Acting(symbol, pull, is_defined=True)
    for number, muscle in enumerate(mechanism.muscles):
        yield f"muscle.{number}", Acting(muscle.tension, muscle.tension, is_defined=False)


def _symbol(notation: Notation, kind: str, number: int, count: int, *, turns: bool) -> sympy.Symbol:
    """Return the symbol of a spring or damper: F_{s}, or F_{s1} where there are several."""
    index = LETTERS[kind] if count == 1 else f"{LETTERS[kind]}{number + 1}"
    letters = ("T", "N", "K") if turns else ("F", "S", "P")
    choices = [f"{letter}_{{{index}}}" for letter in (*letters, r"\Phi", r"\Psi")]
    return notation.quantity(f"{kind}_force[{number + 1}]", choices, rank=FORCE)


def bends(mechanism: Mechanism) -> bool:
    """Whether a muscle bends about a surface, or leaves out points of its path at times."""
    parts = [part for muscle in mechanism.model.muscles for part in muscle.path or ()]
    return any(isinstance(part, Surface) or getattr(part, "during", None) for part in parts)
