"""Printed values: ``l_1 = 0.5``, ``J = 0.0167``, compared with those of the model."""

from __future__ import annotations

from fractions import Fraction

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.checking.explain import printed_terms
from freebody.checking.findings import Difference, Edit, Judgement, Repair
from freebody.checking.meaning.evaluator import Evaluator, Symbols
from freebody.checking.meaning.pairs import walk
from freebody.documents.latex.layout.displays import Relation
from freebody.documents.latex.tree import Name, Number
from freebody.mechanics.notation import python

DIGITS = 6
"""Of a value that is told in place of a printed one."""


def stated_value(symbols: Symbols, relation: Relation) -> Judgement | None:
    """Judge an equation that gives an expression of constants its value.

    A decimal fraction holds where it is the value rounded to as many digits.

    Returns
    -------
    Judgement or None
        None where the equation says something else.
    """
    right = relation.right
    if not isinstance(right, Number):
        return None
    if not any(isinstance(node, Name) for node in walk(relation.left)):
        return None
    grid = Evaluator(symbols).value(relation.left)
    value = _value(symbols, grid.form) if grid.is_scalar else None
    if value is None or not (right.value or _is_constant(symbols, grid.form)):
        return None
    decimals = len(_printed(relation).partition(".")[2])
    if value == right.value:
        return Judgement("exact", terms=printed_terms(relation, (), ()))
    if decimals and abs(value - right.value) <= Fraction(1, 2 * 10**decimals):
        proof = f"numerical, to {decimals} decimals"
        return Judgement(proof, terms=printed_terms(relation, (), ()))
    return _other_value(
        relation,
        python(symbols.quantities.ring.expression(grid.form), symbols.quantities.mechanism.names),
        value,
    )


def _is_constant(symbols: Symbols, form: Form) -> bool:
    constants = symbols.quantities.mechanism.names.constants.values()
    return symbols.quantities.ring.expression(form) in constants


def _printed(relation: Relation) -> str:
    start = relation.span.start
    return relation.latex[relation.right.span.start - start : relation.right.span.stop - start]


def _value(symbols: Symbols, form: Form) -> Fraction | None:
    """Return the number that an expression of constants is; None for any other."""
    quantities = symbols.quantities
    names = quantities.mechanism.names
    numbers = {
        names.constants[name]: quantities.ring.number(QQ(*Fraction(repr(value)).as_integer_ratio()))
        for name, value in names.values().items()
    }
    lowered = quantities.lower(form)
    found = quantities.ring.substitute(lowered, numbers)
    if not lowered or not found.is_number:
        return None
    return Fraction(int(found.number.numerator), int(found.number.denominator))


def _other_value(relation: Relation, term: str, value: Fraction) -> Judgement:
    """Tell that an expression has another value."""
    right, start = relation.right, relation.span.start
    span = right.span.start - start, right.span.stop - start
    edit = Edit(span, _printed(relation), f"{float(value):.{DIGITS}g}", "factor")
    latex = relation.latex[: span[0]] + edit.proposed + relation.latex[span[1] :]
    told = (Difference("", term, edit.printed, edit.proposed, "factor", span),)
    terms = printed_terms(relation, told, ())
    return Judgement("exact", told, terms, (Repair(latex, (edit,)),))
