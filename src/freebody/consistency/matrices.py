"""What the mechanics says of matrices: a mass matrix is symmetric, and gives the Coriolis terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
from sympy import QQ

from freebody.algebra import Form
from freebody.checking.grid import Grid
from freebody.checking.introduced import bare
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.views import View
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Multiply, Name, walk

SYMMETRIC = "a mass matrix is symmetric"
CORIOLIS = "its product with the speeds is that of Christoffel's symbols of the mass matrix"
VELOCITY = "what the mass matrix and the speeds give"
GRADIENT = "the column of gravity is the gradient of the potential energy"
HALF_PRODUCT = "it is half the product of the speeds with the mass matrix"
GRAVITY = ("G", "g", "\\tau_g")
"""What a column of gravity is called."""


@dataclass(frozen=True)
class Use:
    """A matrix that is printed before the rates of a column, such as M before q's second ones.

    Attributes
    ----------
    matrix, column : str
    dots : int
    statement : Statement
    """

    matrix: str
    column: str
    dots: int
    statement: Statement


def uses(statements: Sequence[Statement]) -> Iterator[Use]:
    """Iterate over the matrices that a page multiplies rates by."""
    for statement in statements:
        for node in walk(statement.relation.left, statement.relation.right):
            match node:
                case Multiply(factors=(Name() as matrix, Name() as column)) if column.dots:
                    yield Use(bare(matrix.key), bare(column.key), column.dots, statement)


def mass_matrix(view: View, known: Sequence[Use]) -> tuple[Use, Grid] | None:
    """Return the mass matrix of a page, which stands before accelerations, if it prints one."""
    for use in known:
        found = _square(view, use.matrix) if use.dots == 2 else None
        if found:
            return use, found
    return None


def _square(view: View, name: str) -> Grid | None:
    grid = view.lowered(view.value(Letter(name, 0)))
    rows, columns = grid.shape
    return grid if rows == columns > 1 else None


def asymmetric(view: View, grid: Grid) -> bool | None:
    """Return whether a mass matrix is not symmetric; None where rows may be scaled otherwise."""
    is_wrong = False
    size = len(grid.rows)
    for i in range(size):
        for j in range(i):
            one, other = grid.rows[i][j], grid.rows[j][i]
            if not one - other:
                continue
            if not one or not other or _is_scaled(view, one / other):
                return None
            is_wrong = True
    return is_wrong


def _is_scaled(view: View, ratio: Form) -> bool:
    """Return whether two entries differ by a factor that does not move, other than a sign."""
    moving = view.letters.moving
    is_constant = all(one.key not in moving for one in letters_of(view.letters, ratio))
    is_turned = ratio.is_number and ratio.number == -1
    return is_constant and not is_turned


def is_kinetic(view: View, use: Use, mass: Grid, energy: Form) -> bool | None:
    """Return whether an energy is half the product of the speeds with a mass matrix.

    False where it is all of it; None where it is another one, as the rows of the matrix may be
    scaled and other bodies may move.
    """
    speeds = view.lowered(view.value(Letter(use.column, 1)))
    if speeds.shape != (len(mass.rows), 1):
        return None
    product = (speeds.transpose() * (mass * speeds)).form
    if not product or not product - energy:
        return False if product else None
    return None if product - energy.scaled(QQ(2)) else True


def gravity_left(view: View, use: Use, gravity: Grid, potential: Form) -> list[Form] | None:
    """Return what is left of a column of gravity beside the gradient of a potential energy.

    With the sign that leaves least, as it may stand on either side. None where that cannot be
    said: no column of coordinates, or rows that agree in none.
    """
    atoms = _coordinates(view, use.column, gravity.shape)
    return atoms and _least(gravity, [view.letters.ring.partial(potential, one) for one in atoms])


def _coordinates(view: View, name: str, shape: tuple[int, int]) -> list[sympy.Expr] | None:
    """Return the coordinates in a column of some shape; None where it is none of these."""
    letters, column = view.letters, view.value(Letter(name, 0))
    found = [letters.letter(letters.ring.expression(form)) for form in column.entries()]
    atoms = [letters.atom(one) for one in found if one]
    return atoms if column.shape == shape and len(atoms) == len(found) else None


def _least(column: Grid, terms: Sequence[Form]) -> list[Form] | None:
    """Return what is left of a column beside terms, with the sign of these that leaves least.

    None where it agrees in no row with one that is not zero.
    """
    pairs = [*zip(column.entries(), terms, strict=True)]
    options = [one - term for one, term in pairs], [one + term for one, term in pairs]
    left = min(options, key=lambda forms: sum(map(bool, forms)))
    agrees = any(term and not one for one, term in zip(left, terms, strict=True))
    return left if agrees else None


def coriolis_left(view: View, mass: Grid, use: Use) -> list[Form] | None:
    """Return what is left of a matrix of Coriolis terms beside that of the mass matrix.

    None where that cannot be said: no column of coordinates, or letters that the masses have not.
    """
    matrix, terms = _square(view, use.matrix), _coriolis(view, mass, use.column)
    if matrix is None or matrix.shape != mass.shape or terms is None:
        return None
    if not _is_of_masses(view, mass, use.column, matrix):
        return None
    printed = matrix * view.lowered(view.value(Letter(use.column, 1)))
    return [left - term for left, term in zip(printed.entries(), terms, strict=True)]


def velocity_left(view: View, mass: Grid, use: Use, column: Grid) -> list[Form] | None:
    """Return what is left of a column of Coriolis terms beside those of the mass matrix.

    With the sign that leaves least, as it may stand on either side. None where that cannot be
    said: it has no speeds, letters that the masses have not, or rows that agree in none.
    """
    terms = _coriolis(view, mass, use.column)
    if terms is None or column.shape != (len(mass.rows), 1):
        return None
    if not _is_of_masses(view, mass, use.column, column):
        return None
    return _least(column, terms)


def _is_of_masses(view: View, mass: Grid, coordinates: str, printed: Grid) -> bool:
    """Return whether something has speeds, and no letters but those and what a mass matrix has."""
    speeds = view.lowered(view.value(Letter(coordinates, 1)))
    known, moving, inside = (
        {one for form in grid.entries() for one in letters_of(view.letters, form)}
        for grid in (mass, speeds, printed)
    )
    keys = {one.key for one in known | moving}
    return not inside.isdisjoint(moving) and {one.key for one in inside} <= keys


def _coriolis(view: View, mass: Grid, coordinates: str) -> list[Form] | None:
    """Return the terms of an equation of motion with products of speeds; None where unknown."""
    atoms = _coordinates(view, coordinates, (len(mass.rows), 1))
    if atoms is None:
        return None
    speeds = view.lowered(view.value(Letter(coordinates, 1)))
    energy = (speeds.transpose() * (mass * speeds)).form
    slow = view.letters.rates(mass) * speeds
    return [
        rate - view.letters.ring.partial(energy, atom).scaled(QQ(1, 2))
        for rate, atom in zip(slow.entries(), atoms, strict=True)
    ]
