r"""Conditions: what running text lets be so, such as ``\ddot\theta = 0`` or ``u_1 = u_2``.

A model leaves coordinates, their rates and inputs open. That one of them has a value, or that of
another of its kind, is a case that the text turns to, and nothing that could be derived.
"""

from __future__ import annotations

from sympy.core.function import AppliedUndef

from freebody.algebra import Form
from freebody.algebra.terms import TooLargeError
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.evaluator import Evaluator, Symbols
from freebody.documents.latex.layout.displays import Relation
from freebody.documents.latex.tree import Name, Node

IN_TEXT = ("(line ", "(cell ")
"""How the labels of equations in running text begin."""
NOTE = "a condition: the model leaves open what it says"


def is_condition(symbols: Symbols, relation: Relation) -> bool:
    """Return whether an equation in running text says of what is open that it has a value."""
    if not relation.label.startswith(IN_TEXT):
        return False
    sides = relation.left, relation.right
    try:
        symbols.quantities.ring.begin()
        return any(_sets(symbols, one, other) for one, other in (sides, sides[::-1]))
    except (MeaningError, TooLargeError):
        return False


def _sets(symbols: Symbols, one: Node, other: Node) -> bool:
    if not isinstance(one, Name) or not _is_open(symbols, _form(symbols, one)):
        return False
    value = _form(symbols, other)
    is_alike = isinstance(other, Name) and other.dots == one.dots and _is_open(symbols, value)
    return is_alike or not symbols.quantities.varies(value)


def _form(symbols: Symbols, node: Node) -> Form:
    value = Evaluator(symbols).value(node)
    if not value.is_scalar:
        raise MeaningError("expected a scalar")
    return value.form


def _is_open(symbols: Symbols, form: Form) -> bool:
    """Return whether a form is one coordinate, rate or input, but for constants."""
    quantities = symbols.quantities
    places = (quantities.ring.generators[place].expr for place in form.terms.places())
    moving = {one for one in places if one in quantities.derived or one.atoms(AppliedUndef)}
    return len(moving) == 1 and not any(one in quantities.derived for one in moving)
