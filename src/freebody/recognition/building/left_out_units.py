r"""Units that a page leaves out: numbers stand for them, as in ``\ddot\theta + \sin\theta = 0``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from freebody.algebra import Form
from freebody.algebra.dimension_products import DimensionProduct
from freebody.algebra.terms import Terms
from freebody.algebra.units import NUMBER, Dimension
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.errors import DerivationError
from freebody.recognition.building.energies import Energies
from freebody.recognition.building.page_units import Units

_LETTER = r"\mathrm{{unit}}_{}"
"""What a unit is called that a page leaves out."""
_DECIMAL = 5
"""Divides what the denominators of decimal fractions are, and of no fraction of mechanics."""


def leaves_units_out(letters: Letters, found: Energies) -> bool:
    r"""Return whether something acts that is but numbers times what moves, or has a decimal one.

    And is no linear equation in numbers, as there are in all examples. Or it has a constant times
    a number and a square, as in :math:`\mu(1 - x^2)\dot x`.

    Parameters
    ----------
    letters : Letters
    found : Energies
    """
    acting = (*found.slopes, *found.stored, *found.loads)
    is_left_out = any(_is_of_numbers(letters, term) for form in acting for term in _terms(form))
    if is_left_out and not _is_of_an_example(letters, found):
        return True
    return any(_has_a_bare_square(letters, form) for form in acting)


def _has_a_bare_square(letters: Letters, form: Form) -> bool:
    """Return whether two products have the same constants, and one of them a square besides."""
    inside = letters_of(letters, form)
    squares = [letters.form(one) ** 2 for one in inside if one.key in letters.moving]
    return any(
        (one * square).terms.table.keys() == other.terms.table.keys()
        for one, other in permutations(_terms(form), 2)
        for square in squares
        if any(letter.key not in letters.moving for letter in letters_of(letters, one))
    )


def _is_of_an_example(letters: Letters, found: Energies) -> bool:
    """Return whether a coordinate has numbers for its inertia and all that drives it back.

    And no other coordinate with it.
    """
    atoms = [letters.atom(one) for one in found.coordinates]
    rows = zip(found.slopes, found.stored, found.loads, strict=True)
    for n, (forms, inertia) in enumerate(zip(rows, found.inertia, strict=True)):
        acting = inertia[n].ring.sum([*forms])
        slopes = [acting.ring.partial(acting, atom) for atom in atoms]
        is_linked = any(slope for i, slope in enumerate(slopes) if i != n)
        if inertia[n].is_number and slopes[n].is_number and not is_linked:
            return True
    return False


def with_units(letters: Letters, found: Energies, units: Units) -> tuple[Energies, tuple[str, ...]]:
    """Return what acts along coordinates with letters for the units that it lacks, and these.

    Parameters
    ----------
    letters : Letters
    found : Energies
    units : Units
        Of its letters.

    Raises
    ------
    DerivationError
        If nothing tells the unit of a letter.
    """
    lacking: dict[Dimension, str] = {}

    def completed(form: Form, n: int) -> Form:
        target = units.along(found.coordinates[n])
        return form.ring.sum([term * unit(term, target) for term in _terms(form)])

    def unit(term: Form, target: Dimension) -> Form:
        ratio = DimensionProduct(target) / units.measured(term)
        if ratio.powers:
            raise DerivationError(f"nothing tells the unit of {', '.join(sorted(ratio.powers))}")
        if ratio.dimension == NUMBER:
            return letters.ring.one
        key = lacking.setdefault(ratio.dimension, _LETTER.format(len(lacking) + 1))
        return letters.form(Letter(key, 0))

    stored, loads = (
        tuple(completed(form, n) for n, form in enumerate(forms))
        for forms in (found.stored, found.loads)
    )
    return replace(found, stored=stored, loads=loads), tuple(lacking.values())


def _is_of_numbers(letters: Letters, term: Form) -> bool:
    (size,) = term.terms.table.values()
    constant = {one.key for one in letters_of(letters, term)} - letters.moving
    return not constant or size.denominator % _DECIMAL == 0


def _terms(form: Form) -> Iterator[Form]:
    """Iterate over the products of a form."""
    for key, size in form.terms.table.items():
        yield Form(form.ring, Terms({key: size}, form.terms.degree))
