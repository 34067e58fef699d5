r"""Equations between accelerations alone, :math:`\ddot y = R\ddot\theta`, which are no laws."""

from __future__ import annotations

from collections.abc import Iterable

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letters, letters_of
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.small_motions import accelerations, without_accelerations
from freebody.consistency.statement import Statement

_HEAVY = frozenset({"mass", "inertia"})


def is_kinematic(letters: Letters, form: Form) -> bool:
    r"""Return whether several accelerations are tied, by nothing that resists motion.

    Parameters
    ----------
    letters : Letters
    form : Form
        What is zero: :math:`\ddot y - R\ddot\theta`, and not :math:`m_1\ddot x_1 + m_2\ddot x_2`.
    """
    if len(accelerations(letters, form)) < 2 or without_accelerations(letters, form):
        return False
    return not resists(one.key for one in letters_of(letters, form))


def resists(keys: Iterable[str]) -> bool:
    """Return whether letters are for masses or inertias, which laws of motion have."""
    return any(not _HEAVY.isdisjoint(SymbolShape.of(key).kinds) for key in keys)


def rated(equations: Equations, statement: Statement, form: Form) -> Statement | None:
    """Return the equation between places, or between speeds, of which another is the rate.

    Parameters
    ----------
    equations : Equations
    statement : Statement
        The equation that is looked at.
    form : Form
        What is zero by it, of accelerations alone.
    """
    letters, ring = equations.letters, equations.letters.ring
    atom = min(accelerations(letters, form), key=str)
    slope = ring.partial(form, atom)
    for one in equations.statements.all:
        for known in equations.forms(one) if one is not statement else ():
            orders = {letter.dots for letter in letters_of(letters, known)}
            if max(orders, default=2) < 2:
                for _ in range(2 - max(orders)):
                    known = letters.rate(known)
                by = ring.partial(known, atom)
                if by and not ring.cleared(form * by - known * slope):
                    return one
    return None
