"""Products of vectors in equations, which are none of numbers."""

from __future__ import annotations

import re

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letters, letters_of
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name, Times, walk

_DIRECTION = re.compile(r"\\(?:hat|vec|overrightarrow|mathbf|boldsymbol|bm)\{(?:\\hat\{)?[eijk]\}")
"""Letters that are printed as unit vectors are."""
_ANGULAR = frozenset({"omega", "Omega", "w"})


def multiplies_directions(letters: Letters, form: Form) -> bool:
    r"""Return whether a form has products of unit vectors, as ``\vec e_x\cdot\vec e_y``."""
    inside = letters_of(letters, form)
    atoms = [letters.atom(one) for one in inside if _DIRECTION.match(one.key)]
    slopes = (form.ring.partial(form, atom) for atom in atoms)
    return any(not slope.symbols.isdisjoint(atoms) for slope in slopes)


def crosses_in_plane(view: View, relation: Relation) -> bool:
    """Return whether columns of two are crossed, of which pages print the size alone."""
    values = Values(view)
    return any(
        isinstance(one, Times) and values.value(one.left).shape == (2, 1)
        for one in walk(relation.left, relation.right)
    )


def turns_axes(relation: Relation) -> bool:
    r"""Return whether an angular velocity is crossed with something: ``\omega \times h``.

    As in the rate of a vector along axes that turn, which a rate of its components is not.
    """
    crossed = (one for one in walk(relation.left, relation.right) if isinstance(one, Times))
    return any(
        isinstance(name, Name) and SymbolShape.of(name.key).letter in _ANGULAR
        for one in crossed
        for name in walk(one.left)
    )


def has_crosses(relation: Relation) -> bool:
    """Return whether letters stand on both sides of a cross, as columns in any font may."""
    return any(
        isinstance(one, Times)
        and all(any(isinstance(it, Name) for it in walk(side)) for side in (one.left, one.right))
        for one in walk(relation.left, relation.right)
    )
