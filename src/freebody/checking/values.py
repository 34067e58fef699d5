"""Printed values: ``l_1 = 0.5``, ``J = 0.0167``, compared with those of the model."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.checking.explain import printed_terms
from freebody.checking.findings import Difference, Edit, Judgement, Kind, Repair
from freebody.checking.meaning.evaluator import Evaluator, Symbols
from freebody.checking.meaning.pairs import walk
from freebody.checking.repair.vocabulary import word, words
from freebody.documents.latex.layout.displays import Relation
from freebody.documents.latex.tree import Name, Number
from freebody.mechanics.notation import python

DIGITS = 6
"""Of a value that is told in place of a printed one."""
TELLING = 2
"""A number of so many digits is hardly that of another name by chance."""


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
    if value == right.value:
        return Judgement("exact", terms=printed_terms(relation, (), ()))
    if _is_rounded(value, relation):
        proof = f"numerical, to {_decimals(relation)} decimals"
        return Judgement(proof, terms=printed_terms(relation, (), ()))
    names = symbols.quantities.mechanism.names
    term = python(symbols.quantities.ring.expression(grid.form), names)
    return _other_value(symbols, relation, term, value)


def _is_constant(symbols: Symbols, form: Form) -> bool:
    constants = symbols.quantities.mechanism.names.constants.values()
    return symbols.quantities.ring.expression(form) in constants


def _is_rounded(value: Fraction, relation: Relation) -> bool:
    """Return whether a printed decimal fraction is a value, with as many digits."""
    printed, decimals = relation.right, _decimals(relation)
    if not isinstance(printed, Number):
        return False
    return bool(decimals) and abs(value - printed.value) <= Fraction(1, 2 * 10**decimals)


def _decimals(relation: Relation) -> int:
    return len(_printed(relation).partition(".")[2])


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


def _other_value(symbols: Symbols, relation: Relation, term: str, value: Fraction) -> Judgement:
    """Tell that an expression has another value, and what has the printed one."""
    right, start = relation.right, relation.span.start
    span = right.span.start - start, right.span.stop - start
    edit = Edit(span, _printed(relation), f"{float(value):.{DIGITS}g}", "factor")
    told = (Difference("", term, edit.printed, edit.proposed, "factor", span),)
    terms = printed_terms(relation, told, ())
    named = list(_names(symbols, relation))
    digits = sum(map(str.isdigit, edit.printed.replace(".", "").lstrip("0")))
    edits = [edit, *named] if digits < TELLING else [*named, edit]
    return Judgement("exact", told, terms, tuple(_mended(relation, one) for one in edits))


def _names(symbols: Symbols, relation: Relation) -> Iterator[Edit]:
    """Iterate over edits of the left side to a name, alike, that has the printed value."""
    left, start = relation.left.span, relation.span.start
    span = 0, left.stop - start
    printed = {word(node).family for node in walk(relation.left) if isinstance(node, Name)}
    for entry in words(symbols):
        if entry.family[0] not in {family[0] for family in printed} or entry.name.dots:
            continue
        grid = Evaluator(symbols).value(entry.name)
        value = _value(symbols, grid.form) if grid.is_scalar else None
        if value is not None and (_is_rounded(value, relation) or value == _number(relation)):
            kind: Kind = "symbol" if entry.family in printed else "index"
            yield Edit(span, relation.latex[: span[1]], entry.latex, kind)


def _number(relation: Relation) -> Fraction | None:
    return relation.right.value if isinstance(relation.right, Number) else None


def _mended(relation: Relation, edit: Edit) -> Repair:
    first, last = edit.span
    return Repair(relation.latex[:first] + edit.proposed + relation.latex[last:], (edit,))
