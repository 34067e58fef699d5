"""Products of vectors in equations, which are none of numbers, and directions that turn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.consistency.letters import Letters, is_vector, letters_of
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name, TimeDerivative, Times, walk

_DIRECTION = re.compile(r"\\(?:hat|vec|overrightarrow|mathbf|boldsymbol|bm)\{(?:\\hat\{)?[eijk]\}")
"""Letters that are printed as unit vectors are."""
_OF_DIRECTIONS = frozenset("eunt")
_FIXED = frozenset({*"xyzXYZijk"})
"""What axes that stay as they are have below: ``\\hat e_x``."""
_ALONG = frozenset({"r", "rho", "theta", "phi", "varphi", "psi", "n", "t"})
"""Along what unit vectors with hats turn: ``\\hat r``."""
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


def rates_along_turning(letters: Letters, form: Form, relations: Iterable[Relation]) -> bool:
    r"""Return whether vectors are differentiated along unit vectors that may turn, as ``\vec e_r``.

    Parameters
    ----------
    letters : Letters
    form : Form
        By what the sides of an equation differ.
    relations : iterable of Relation
        The equation, and those that it is held against.
    """
    if not any(_may_turn(one.key) for one in letters_of(letters, form)):
        return False
    nodes = chain.from_iterable(walk(one.left, one.right) for one in relations)
    return any(
        isinstance(node, TimeDerivative) or (isinstance(node, Name) and node.dots > 0)
        for node in nodes
        if any(isinstance(one, Name) and is_vector(bare(one.key)) for one in walk(node))
    )


def _may_turn(key: str) -> bool:
    r"""Return whether a letter is for a unit vector of axes that may turn.

    Examples
    --------
    >>> [_may_turn(key) for key in (r"\vec{e}_r", r"\hat{\theta}", r"\mathbf{e}_x", r"\hat{x}")]
    [True, True, False, False]
    """
    looks = SymbolShape.of(key)
    if key.startswith(r"\hat") and looks.letter in _ALONG:
        return True
    is_direction = looks.is_styled or looks.is_decorated
    return is_direction and looks.letter in _OF_DIRECTIONS and looks.subscript not in _FIXED


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
