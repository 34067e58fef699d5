"""What a page prints that its letters are measured in, and what that alone tells of them."""

from __future__ import annotations

from itertools import chain

from freebody.algebra.units import KG, NUMBER, Dimension, M, S
from freebody.checking.guesses.kinds import ENERGY, FORCE
from freebody.checking.introduced import bare
from freebody.consistency.statements import Statements
from freebody.consistency.units.letter_units import units_of_values
from freebody.consistency.units.stated_quantities import stated_quantities
from freebody.documents.latex.page.page import Page

_CALLED = {
    KG: "mass", M: "length", S: "time", FORCE: "force", M / S: "velocity",
    M / S**2: "acceleration", KG * M**2: "moment of inertia", KG / M**3: "density",
    KG / S**2: "stiffness", KG / S: "damping coefficient", ENERGY * S: "damping coefficient",
    NUMBER / S: "angular velocity or frequency", NUMBER / S**2: "angular acceleration",
    KG * M / S: "momentum", M**2: "area", M**3: "volume",
    KG / M: "mass per unit length",
}  # fmt: skip
"""What is measured in a unit; newton metres are those of moments, stiffnesses and energies."""


def printed_units(page: Page, statements: Statements) -> dict[str, Dimension]:
    """Return what a page says that letters are measured in: in words, in tables, by values.

    Those of which it says two things are left out.

    Parameters
    ----------
    page : Page
    statements : Statements
        Of that page.
    """
    found: dict[str, set[Dimension]] = {}
    told = ((one.key, one.dimension) for one in stated_quantities(page) if one.dimension)
    given = ((key, one.dimension) for key, one in units_of_values(statements))
    for key, dimension in chain(told, given):
        found.setdefault(bare(key), set()).add(dimension)
    return {key: dimensions.pop() for key, dimensions in found.items() if len(dimensions) == 1}


def called_by_unit(unit: Dimension) -> str | None:
    """Return what is measured in a unit, where that is one thing alone.

    Examples
    --------
    >>> called_by_unit(S), called_by_unit(ENERGY) is None
    ('time', True)
    """
    return _CALLED.get(unit)
