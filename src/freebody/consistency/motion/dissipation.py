r"""The dissipation function of a page: what damps each coordinate is its derivative by a rate.

A page that has :math:`-\frac{\partial D}{\partial\dot q}` in Lagrange's equations says by
:math:`D = \frac12 b\dot x^2` that :math:`b\dot x` damps, and by :math:`D = b\dot x^2` that twice
as much does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.introduced import bare
from freebody.consistency.energy_names import ENERGIES
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.motion.lagrangian import Lagrangian, matching_row
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Name, Partial, TimeDerivative, terms_of

_MISPRINTS = (QQ(2), QQ(1, 2))
"""Factors by which what damps is misprinted: it, or the function, lacks a half, or has one."""


@dataclass(frozen=True, eq=False)
class Dissipation:
    """A dissipation function.

    Attributes
    ----------
    form : Form
        It, in rates and constants.
    statement : Statement
        What says so.
    sign : int
        Of its derivatives among what acts, by the law of the page: as a rule they brake.
    """

    form: Form
    statement: Statement
    sign: int

    def load(self, letters: Letters, coordinate: Letter) -> Form:
        """Return what acts along a coordinate by it."""
        return letters.slope(self.form, Letter(coordinate.key, 1)).scaled(QQ(self.sign))

    def damps(
        self, energy: Lagrangian, letters: Letters, row: Form, *, is_trial: bool
    ) -> bool | None:
        """Return whether what damps an equation of motion is what the function says.

        None where it says nothing of that, or something else acts with its constants, which
        mends nothing in a trial.

        Parameters
        ----------
        energy : Lagrangian
            Of which the equation follows but for its forces.
        letters : Letters
        row : Form
            The equation, left minus right.
        is_trial : bool
            Whether it is a change of one that is tried.
        """
        found = matching_row(energy, letters, row)
        if found is None:
            return None
        place, scale, free = found
        due = letters.slope(self.form, Letter(energy.coordinates[place].key, 1)) * scale
        own = {one for one in letters_of(letters, self.form) if one.key not in energy.known}
        zero = dict.fromkeys(map(letters.atom, own), letters.ring.zero)
        acting = row - free
        damping = acting - substituted(acting, zero)
        if not (due and damping):
            return None
        if not (damping - due and damping + due):
            return True
        scaled_due = [due.scaled(ratio) for ratio in _MISPRINTS]
        is_misprint = not all(damping - one and damping + one for one in scaled_due)
        return False if is_misprint or is_trial else None


def dissipation(statements: tuple[Statement, ...], meanings: Meanings) -> Dissipation | None:
    """Return the dissipation function of a page: one that it differentiates by a rate, in a law.

    Parameters
    ----------
    statements : tuple of Statement
        The equations of the page.
    meanings : Meanings
        What its letters stand for.
    """
    letters = meanings.letters
    laws = dict(pair for one in reversed(statements) for pair in _differentiated(one))
    for key, sign in laws.items():
        said = [one for one in meanings.definitions.get(key, ()) if not one.letter.dots]
        if len(said) != 1 or not said[0].grid.is_scalar:
            continue
        form = said[0].grid.form
        rates = [one for one in letters_of(letters, form) if one.dots == 1]
        twice = [letters.form(one) * letters.slope(form, one) for one in rates]
        if rates and not letters.ring.sum(twice) - form.scaled(QQ(2)):
            return Dissipation(form, said[0].statement, sign)
    return None


def _differentiated(statement: Statement) -> Iterator[tuple[str, int]]:
    """Iterate over the letters that Lagrange's equations differentiate by rates alone.

    With the sign that this has among what acts: on the other side than the rate of a momentum.
    """
    sides = ((statement.relation.left, 1), (statement.relation.right, -1))
    signed = [(side * term.sign, term.node) for node, side in sides for term in terms_of(node)]
    momenta = [sign for sign, node in signed if isinstance(node, TimeDerivative)]
    for sign, node in signed:
        match node:
            case Partial(node=Name(key=key, dots=0), with_respect_to=(Name(dots=1),)):
                if bare(key) not in ENERGIES and len(momenta) == 1:
                    yield bare(key), -sign * momenta[0]
