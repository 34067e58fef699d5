"""Mass matrices, and what is printed apart of Coriolis terms, gravity and energies."""

from __future__ import annotations

from freebody.consistency.energy_names import KINETIC, POTENTIAL
from freebody.consistency.finding import Finding
from freebody.consistency.letters import Letter, bare_of_font
from freebody.consistency.matrices import (
    CORIOLIS,
    GRADIENT,
    GRAVITY,
    HALF_PRODUCT,
    SYMMETRIC,
    VELOCITY,
    Use,
    asymmetric,
    coriolis_left,
    gravity_left,
    is_kinetic,
    mass_matrix,
    uses,
    velocity_left,
)
from freebody.consistency.meanings.entries import matrix_of, transposed
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.views import View
from freebody.consistency.otherwise import Otherwise
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements


class MatrixJudge:
    """Holds the matrices of a page against what mechanics says of them.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
        What their letters stand for.
    otherwise : Otherwise
        Why they may differ.
    """

    def __init__(self, statements: Statements, meanings: Meanings, otherwise: Otherwise) -> None:
        self._statements, self._meanings, self._otherwise = statements, meanings, otherwise

    def finding(self, statement: Statement) -> Finding | None:
        """Return what the mechanics says of a mass matrix, or of one of Coriolis terms."""
        own = self._meanings.of(statement)
        entry = own[0].letter.key if own else ""
        name = matrix_of(entry, self._meanings.definitions) or entry
        said = self._meanings.definitions.get(name, ())
        if not said or said[0].grid.is_scalar or len({*said[0].grid.shape}) != 1:
            return None
        view = View(self._meanings, statement, ())
        known = [*uses(self._statements.all)]
        mass = mass_matrix(view, known)
        if mass is None:
            return None
        if mass[0].matrix == name:
            beside = self._beside_the_diagonal(entry) if name != entry else mass[0].statement
            if beside is None or beside is statement:
                return None
            wrong = asymmetric(view, mass[1])
            others, told = [beside], SYMMETRIC
        else:
            use = next((one for one in known if one.matrix == name and one.dots == 1), None)
            left = coriolis_left(view, mass[1], use) if use else None
            if left is None or asymmetric(view, mass[1]) is not False:
                return None
            wrong, told = any(left), CORIOLIS
            others = [one for one in view.others if one is not statement]
        if wrong is None:
            return None
        is_open = self._otherwise.is_open(statement)
        return Finding(not wrong, tuple(others), told, "matrices", is_open)

    def _beside_the_diagonal(self, entry: str) -> Statement | None:
        """Return what says what the entry of a matrix is on the other side of its diagonal."""
        said = self._meanings.definitions.get(transposed(entry) or "", ())
        return said[0].statement if said else None

    def of_energy(self, statement: Statement) -> Finding | None:
        """Return what matrices that are printed apart say of energies, where nothing else does."""
        own = self._meanings.of(statement)
        if not own:
            return None
        view = View(self._meanings, statement, ())
        mass = mass_matrix(view, [*uses(self._statements.all)])
        if mass is None or asymmetric(view, mass[1]) is not False:
            return None
        (use, masses), key = mass, own[0].letter.key
        if key in KINETIC and own[0].grid.is_scalar:
            holds = is_kinetic(view, use, masses, view.lower(own[0].grid.form))
            told = HALF_PRODUCT
        elif left := velocity_left(view, masses, use, view.lowered(own[0].grid)):
            holds, told = not any(left), VELOCITY
        elif key in POTENTIAL or bare_of_font(key) in GRAVITY:
            holds, told = self._is_gradient(view, use), GRADIENT
        else:
            return None
        others = [one for one in view.others if one is not statement]
        return None if holds is None else Finding(holds, tuple(others), told, "matrices")

    def _is_gradient(self, view: View, mass: Use) -> bool | None:
        """Return whether a page's column of gravity is the gradient of its potential energy."""
        known = self._meanings.definitions
        gravity = next((key for key in known if bare_of_font(key) in GRAVITY), None)
        scalar = (key for key, said in known.items() if said and said[0].grid.is_scalar)
        potential = next((key for key in scalar if key in POTENTIAL), None)
        if gravity is None or potential is None:
            return None
        column = view.lowered(view.value(Letter(gravity, 0)))
        left = gravity_left(view, mass, column, view.lower(view.letters.form(Letter(potential, 0))))
        return None if left is None else not any(left)
