"""Balances of a page added to each other, so that what bodies exert on each other goes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.consistency.letters import Letters, letters_of
from freebody.recognition.equations.page_motion import MotionEquation
from freebody.recognition.equations.products import denominator
from freebody.recognition.symbols.initials import HEAVY, initial


@dataclass(frozen=True, eq=False)
class Balance:
    """An equation of motion as one of a coordinate.

    Attributes
    ----------
    equation : MotionEquation
    form : Form
        Left minus right.
    row : tuple of Form
        By what it has the accelerations.
    """

    equation: MotionEquation
    form: Form
    row: tuple[Form, ...]


def added(letters: Letters, chosen: Sequence[Balance]) -> Iterator[tuple[Balance, ...]]:
    """Iterate over balances of which one has another added, or taken from it.

    So what one body exerts on another goes out, where a page has a balance for each.

    Parameters
    ----------
    letters : Letters
    chosen : sequence of Balance
        One for each coordinate.
    """
    for i, j in permutations(range(len(chosen)), 2):
        for sign in (1, -1):
            one, other = chosen[i], chosen[j]
            with letters.ring.budget.work():
                form = one.form + other.form.scaled(QQ(sign))
                pairs = zip(one.row, other.row, strict=True)
                row = tuple(a + b.scaled(QQ(sign)) for a, b in pairs)
            if row[i]:
                yield (*chosen[:i], replace(one, form=form, row=row), *chosen[i + 1 :])


def cleared(letters: Letters, chosen: Sequence[Balance]) -> Iterator[tuple[Balance, ...]]:
    r"""Iterate over balances of which one has another added, so that less inertia is below a line.

    Each times what is below then. So what is solved for the accelerations of two bodies on
    one spring, :math:`\ddot\alpha = -k(1/J_1 + 1/J_2)\alpha + \dots`, is one of each again.

    Parameters
    ----------
    letters : Letters
    chosen : sequence of Balance
        One for each coordinate.
    """
    count = sum(len(_inertia_below(letters, one.form).symbols) for one in chosen)
    for made in added(letters, chosen) if count else ():
        left = [_inertia_below(letters, one.form) for one in made]
        if sum(len(one.symbols) for one in left) < count:
            with letters.ring.budget.work():
                yield tuple(_times(one, factor) for one, factor in zip(made, left, strict=True))


def _inertia_below(letters: Letters, form: Form) -> Form:
    """Return the letters for masses and moments of inertia that a form is divided by."""
    ring = letters.ring
    below = denominator(ring, [form])
    others = {
        letters.atom(one): ring.one
        for one in letters_of(letters, below) if initial(one.key) not in HEAVY
    }  # fmt: skip
    return substituted(below, others)


def _times(balance: Balance, factor: Form) -> Balance:
    row = tuple(entry * factor for entry in balance.row)
    return replace(balance, form=balance.form * factor, row=row)
