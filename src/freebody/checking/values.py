"""Printed values: ``l_1 = 0.5``, ``J = 0.0167``, compared with those of the model.

An equation between constants that has a plain number, or says of a constant that it is zero, gives
a value. Which side it stands on, and by what both sides are multiplied, does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import sympy
from sympy.polys.domains import QQ

from freebody.algebra.substitution import atoms
from freebody.algebra.terms import TooLargeError
from freebody.checking.explain import printed_terms
from freebody.checking.findings import Difference, Edit, Judgement, Kind, Repair
from freebody.checking.grid import Grid
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.rounding import (
    DIGITS,
    TELLING,
    Values,
    decimals,
    may_be_rounded,
    printed,
    rounding,
    rounding_beside,
)
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.assumed import AssumedQuantities
from freebody.checking.repair.vocabulary import word, words
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Add, Multiply, Name, Node, Number, Power, Term, walk
from freebody.errors import FreebodyError
from freebody.mechanics.notation import python

PUT_IN = "the model's values are put in for its constants"
_OF_MECHANICS = frozenset({Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2)})
SHOWN = 6
"""Digits of a value that is told in place of a printed one."""


def holds_in_numbers(symbols: Symbols, relation: Relation) -> Judgement | None:
    """Judge an equation that does not hold in symbols by its numbers.

    A decimal fraction stands for all that are rounded to it. Values are put in for constants where
    the equation gives a value, or has numbers in place of all constants.

    Returns
    -------
    Judgement or None
        None where the equation has no numbers that would decide.
    """
    is_value = gives_a_value(symbols, relation)
    is_numerical = not is_value and is_in_numbers(symbols, relation)
    if not (is_value or is_numerical or may_be_rounded(relation)):
        return None
    values = _values(symbols) if is_value or is_numerical else {}
    try:
        found = rounding(symbols, relation, values)
        if found is None and is_numerical:
            found = rounding_beside(symbols, relation, values)
    except TooLargeError:
        return None
    if found is not None:
        readings = (PUT_IN,) if is_numerical else ()
        return Judgement(found.proof, terms=printed_terms(relation, (), ()), readings=readings)
    return _other_value(symbols, relation) if is_value else None


def gives_a_value(symbols: Symbols, relation: Relation) -> bool:
    """Return whether an equation says which value an expression of constants has."""
    try:
        if any(map(partial(_varies, symbols), walk(relation.left, relation.right))):
            return False
        sides = [Evaluator(symbols).value(side) for side in (relation.left, relation.right)]
        if not all(side.is_scalar for side in sides):
            return False
        form = symbols.quantities.lower(sides[0].form - sides[1].form)
    except (FreebodyError, ZeroDivisionError):
        return False
    constants = atoms(form)
    if not constants <= _values(symbols).keys():
        return False
    is_zero = len(form.terms) == 1 and len(constants) == 1
    return is_zero or 0 in form.terms.table or bool(decimals(relation))


def is_in_numbers(symbols: Symbols, relation: Relation) -> bool:
    r"""Return whether an equation of what moves has numbers in place of all constants.

    So has ``2\ddot x + 18x = 0``; numbers as in ``\frac12 \dot x^2`` are those of mechanics itself.
    """
    nodes = [*walk(relation.left, relation.right)]
    exponents = {part for n in nodes if isinstance(n, Power) for part in walk(n.exponent)}
    numbers = [n for n in nodes if isinstance(n, Number) and n not in exponents]
    if all(number.value in _OF_MECHANICS for number in numbers):
        return False
    printed_ones = [
        form
        for node in nodes
        if isinstance(node, Name)
        for form in symbols.value(node.key, node.indices, node.dots).entries()
    ]
    constants = _values(symbols).keys()
    is_plain = all(constants.isdisjoint(atoms(form)) for form in printed_ones)
    return is_plain and any(map(symbols.quantities.varies, printed_ones))


def _varies(symbols: Symbols, node: Node | Term) -> bool:
    """Return whether a node is a name for what changes in time, and is not known at an instant."""
    if not isinstance(node, Name):
        return False
    quantities = symbols.quantities
    entries = symbols.value(node.key, node.indices).entries()
    varying = [entry for entry in entries if quantities.varies(entry)]
    if not isinstance(quantities, AssumedQuantities) or not quantities.instant:
        return bool(varying)
    return not all(atoms(quantities.lower(one)) <= _values(symbols).keys() for one in varying)


def _values(symbols: Symbols) -> Values:
    """Return the numbers that the constants of the model have."""
    names = symbols.quantities.mechanism.names
    return {
        names.constants[name]: sympy.Rational(repr(value)) for name, value in names.values().items()
    }


def _printed(relation: Relation) -> Iterator[tuple[Number, Node]]:
    """Iterate over the numbers that may be wrong, each with the side that it stands on."""
    sides = (relation.right, relation.left)
    alone = [(number, side) for side in sides if (number := _number(side)) and number.value]
    inside = [
        (one.node, side) for one in decimals(relation) for side in sides if _in(one.node, side)
    ]
    zeros = [(number, side) for side in sides if (number := _number(side))]
    measured = [(number, side) for side in sides if (number := _measured(side))]
    yield from (*alone, *inside, *measured, *zeros)


def _in(number: Number, side: Node) -> bool:
    return any(node is number for node in walk(side))


def _number(node: Node) -> Number | None:
    """Return the number that a side is."""
    match node:
        case Number():
            return node
        case Add(terms=(Term(node=Number() as number),)):
            return number
    return None


def _measured(node: Node) -> Number | None:
    """Return the number that a side is but for its unit, which is a factor."""
    match node:
        case Multiply(factors=(Number() as number, *_)) if number.dimension is not None:
            return number
        case Add(terms=(Term(node=inner),)):
            return _measured(inner)
    return None


def _other_value(symbols: Symbols, relation: Relation) -> Judgement | None:
    """Tell that an expression has another value, and what has the printed one."""
    for number, side in _printed(relation):
        other = relation.left if side is relation.right else relation.right
        whole, value = _number(side) is number, _value(symbols, other)
        should = value if whole else _instead(symbols, relation, number)
        if value is not None and should is not None:
            return _wrong_number(symbols, relation, (number, side, other), should)
    return None


def _wrong_number(
    symbols: Symbols, relation: Relation, where: tuple[Number, Node, Node], value: sympy.Expr
) -> Judgement:
    number, side, other = where
    is_whole = _number(side) is number
    place = side.span if is_whole else number.span
    span = place.start - relation.span.start, place.stop - relation.span.start
    shown = relation.latex[slice(*span)]
    edit = Edit(span, shown, f"{float(value):.{SHOWN}g}", "factor")
    term = _term(symbols, other) if is_whole else "1"
    told = (Difference("", term, shown, edit.proposed, "factor", span),)
    terms = printed_terms(relation, told, ())
    named = list(_names(symbols, relation, number, other)) if is_whole else []
    digits = sum(map(str.isdigit, printed(relation, number).replace(".", "").lstrip("0")))
    edits = [edit, *named] if digits < TELLING else [*named, edit]
    return Judgement("exact", told, terms, tuple(_mended(relation, one) for one in edits))


def _instead(symbols: Symbols, relation: Relation, number: Number) -> sympy.Expr | None:
    """Return with which number, in place of a printed one, an equation holds."""
    off = sympy.Dummy("off", real=True)
    ring = symbols.quantities.ring
    value = ring.number(QQ(number.value.numerator, number.value.denominator))
    opened = Evaluator(symbols, {number: Grid.scalar(value + ring.symbol(off))})
    form = opened.value(relation.left).form - opened.value(relation.right).form
    excess = ring.expression(symbols.quantities.lower(form)).xreplace(_values(symbols))
    slope = excess.diff(off).xreplace({off: 0}).evalf(DIGITS)
    rest = excess.xreplace({off: sympy.S.Zero}).evalf(DIGITS)
    return sympy.Rational(str(number.value)) - rest / slope if slope else None


def _term(symbols: Symbols, node: Node) -> str:
    form = Evaluator(symbols).value(node).form
    quantities = symbols.quantities
    return python(quantities.ring.expression(form), quantities.mechanism.names)


def _value(symbols: Symbols, node: Node) -> sympy.Expr | None:
    """Return the number that an expression of constants is; None for any other."""
    grid = Evaluator(symbols).value(node)
    if not grid.is_scalar:
        return None
    quantities = symbols.quantities
    expression = quantities.ring.expression(quantities.lower(grid.form))
    found = expression.xreplace(_values(symbols)).evalf(DIGITS)
    return found if found.is_number and found.is_real else None


def _names(symbols: Symbols, relation: Relation, number: Number, other: Node) -> Iterator[Edit]:
    """Iterate over edits of the other side to a name, alike, that has the printed value."""
    start = relation.span.start
    span = other.span.start - start, other.span.stop - start
    families = {word(node).family for node in walk(other) if isinstance(node, Name)}
    for entry in words(symbols):
        if entry.family[0] not in {family[0] for family in families} or entry.name.dots:
            continue
        value = _value(symbols, entry.name)
        if value is not None and _is_rounded(relation, number, value):
            kind: Kind = "symbol" if entry.family in families else "index"
            yield Edit(span, relation.latex[slice(*span)], entry.latex, kind)


def _is_rounded(relation: Relation, number: Number, value: sympy.Expr) -> bool:
    """Return whether a printed number is a value, with as many digits."""
    tolerance = next((one.tolerance for one in decimals(relation) if one.node is number), 0)
    return abs(Fraction(str(value)) - number.value) <= max(tolerance, Fraction(1, 10**12))


def _mended(relation: Relation, edit: Edit) -> Repair:
    first, last = edit.span
    return Repair(relation.latex[:first] + edit.proposed + relation.latex[last:], (edit,))
