"""Printed numbers: what formulas of a page give with the values that it prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import mpmath

from freebody.algebra import Form
from freebody.algebra.numerics import Numbers
from freebody.checking.introduced import bare
from freebody.checking.meaning.rounding import decimals
from freebody.consistency.finding import Finding
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.values import Values
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Add, Call, Multiply, Name, Node, Number, Term, walk

PI = r"\pi"
FAR = 0.02
"""By so much of itself a number is off that is no matter of rounding or of g."""
MIXED = "a sum of numbers with a unit, and of numbers without"
_UNITS = (math.pi / 180, *(10.0**power for power in range(-6, 7) if power))
"""Factors by which numbers differ that are printed in other units."""


def in_numbers(meanings: Meanings, statement: Statement) -> Finding | None:
    """Return what the values of the page say of a printed number; None where there is none.

    A number that is given of a letter counts before what a formula makes of that.
    """
    found = _in_numbers(meanings, statement)
    if found is None or found.holds is not False:
        return found
    valued = _valued(meanings, statement, found.others)
    return (in_numbers(meanings.without(valued), statement) if valued else None) or found


def _in_numbers(meanings: Meanings, statement: Statement) -> Finding | None:
    relation = statement.relation
    for number, other in ((relation.right, relation.left), (relation.left, relation.right)):
        nodes = [*walk(number)]
        is_number = any(isinstance(one, Number) for one in nodes)
        if not is_number or any(isinstance(one, Name) for one in nodes):
            continue
        view = meanings.view(statement)
        grids = [Values(view).value(node) for node in (number, other)]
        if not all(grid.is_scalar for grid in grids):
            continue
        if _mixes_units(other) or _mixes_units(number):
            return Finding(None, reason=MIXED)
        printed, form = as_number(grids[0].form), view.lower(grids[1].form)
        used = {one.number: one for one in view.others}
        if isinstance(other, Name) and not used:
            continue
        values, ambiguous = _values(meanings, statement, form, used)
        ambiguous |= isinstance(other, Name) and bare(other.key) in meanings.worked_out
        given = as_number(form, values)
        is_arithmetic = not any(isinstance(one, Name) and one.key != PI for one in walk(other))
        if not printed or given is None or not (used or is_arithmetic):
            continue
        spread = _spread(statement, number, printed) + _rounded(form, values)
        slack = 0.0 if used else _cancelled(meanings, statement, other, given)
        every = tuple(used[key] for key in sorted(used))
        message = f"{'the values of the page give' if used else 'it gives'} {_shown(given)}"
        holds = _holds(printed, given, spread, slack, is_ambiguous=ambiguous)
        if holds is None:
            return Finding(None, reason=f"{message}: another unit, or rounded otherwise")
        if holds is False and _lacks_units(every):
            return Finding(None, reason=f"{message}: units of some values are left out")
        if holds is False and _are_turned(number, other, printed - given):
            return Finding(None, reason=f"{message}: by whole turns the same")
        is_line = statement.is_inline and not isinstance(other, Name)  # x + y = 1 of a figure
        is_case = bool(used) and statement.is_case  # what numbers alone give is so in each case
        is_case |= isinstance(other, Name) and _has_another(meanings, statement, other, printed)
        return Finding(holds, every, message, "numbers", is_case or is_line)
    return None


def _valued(meanings: Meanings, statement: Statement, used: Iterable[Statement]) -> list[Statement]:
    """Return what says by a formula what a letter is that has a number elsewhere."""
    known = {letter for letter, _, where in meanings.values if where is not statement}
    return [
        one
        for one in used
        if not one.states_value and any(each.letter in known for each in meanings.of(one))
    ]


def _lacks_units(values: Iterable[Statement]) -> bool:
    """Return whether some values are in no unit, and others in millimetres or so."""
    given = [one for one in values if one.states_value]
    is_scaled = any(isinstance(one.relation.right, Multiply) for one in given if one.is_in_unit)
    return is_scaled and not all(one.is_in_unit for one in given)


def _has_another(meanings: Meanings, statement: Statement, name: Name, printed: float) -> bool:
    """Return whether running text gives a letter one number, and another elsewhere: for a case."""
    if not statement.is_inline:
        return False
    own = Letter(bare(name.key), name.dots)
    known = (
        as_number(one)
        for letter, one, where in meanings.values
        if letter == own and where is not statement
    )
    return any(one is not None and not math.isclose(one, printed, rel_tol=FAR) for one in known)


def _are_turned(number: Node, other: Node, difference: float) -> bool:
    """Return whether angles in degrees differ by whole turns."""
    are_angles = all(
        any(isinstance(one, Call) and one.function == "degrees" for one in walk(side))
        for side in (number, other)
    )
    turns = difference / math.tau
    return are_angles and bool(round(turns)) and abs(turns - round(turns)) < FAR / math.tau


def _mixes_units(node: Node) -> bool:
    """Return whether a sum has numbers with a unit, and others whose unit is left out."""
    for one in walk(node):
        if isinstance(one, Add):
            terms = [[*walk(term.node)] for term in one.terms]
            numbers = [term for term in terms if not any(isinstance(each, Name) for each in term)]
            if len({any(map(_has_unit, term)) for term in numbers}) > 1:
                return True
    return False


def _has_unit(node: Node | Term) -> bool:
    return isinstance(node, Number) and node.dimension is not None


def _values(
    meanings: Meanings, statement: Statement, form: Form, used: dict[int, Statement]
) -> tuple[dict[Any, tuple[float, float]], bool]:
    """Return the values of letters with half a unit of their last place, and whether any has two.

    So has one that is worked out, and that is given elsewhere, as what a design ends at. The
    statements that say so are added to `used`.
    """
    found: dict[Any, tuple[float, float]] = {}
    starts = (one.relation.left for one in meanings.chain_before(statement))
    anew = meanings.worked_out | {bare(one.key) for one in starts if isinstance(one, Name)}
    inside, is_ambiguous = letters_of(meanings.letters, form), False
    for letter, value, where in meanings.values:
        if letter in inside and where is not statement:
            number = as_number(value)
            atom = meanings.letters.atom(letter)
            if number is None:
                continue
            is_moving = letter.key in meanings.letters.moving
            is_ambiguous |= is_moving or (atom in found and found[atom][0] != number)
            is_ambiguous |= letter.key in anew
            found[atom] = number, _half(where, number)
            used[where.number] = where
    return found, is_ambiguous


def _half(statement: Statement, number: float) -> float:
    """Return half a unit of the last place of a number, which may be printed in another unit."""
    every = decimals(statement.relation)
    half = float(max((one.tolerance for one in every), default=0))
    is_scaled = len(every) == 1 and every[0].node.value
    return half * abs(number / float(every[0].node.value)) if is_scaled else half


def as_number(
    form: Form, values: Mapping[Any, tuple[float, float]] = MappingProxyType({})
) -> float | None:
    """Return a form as a number; None where letters are left that have no value.

    Parameters
    ----------
    form : Form
    values : mapping of sympy.Expr to (float, float), optional
        Of letters, with by how much these may be off.
    """
    numbers = Numbers({atom: number for atom, (number, _) in values.items()}, mpmath.fp)
    try:
        real, turned = numbers.value(form), numbers.value(form * form.ring.imaginary)
    except (KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError):
        return None
    is_real = math.isfinite(real) and abs(turned) <= 1e-9 * abs(real) + 1e-12
    return float(real) if is_real else None


def _spread(statement: Statement, number: Any, printed: float) -> float:
    """Return how far a printed number may be off by rounding."""
    inside = {id(one) for one in walk(number)}
    own = [one for one in decimals(statement.relation) if id(one.node) in inside]
    is_in_units = isinstance(number, Multiply) or getattr(number, "function", "") == "degrees"
    if len(own) == 1 and is_in_units and own[0].node.value:
        return float(own[0].tolerance) * abs(printed / float(own[0].node.value))  # of km, in m
    return float(max((one.tolerance for one in own), default=0)) or (
        0.5 if printed == int(printed) else abs(printed) * 1e-9
    )


def _rounded(form: Form, values: dict[Any, tuple[float, float]]) -> float:
    """Return how far a value may be off by the rounding of those that are put in."""
    total, middle = 0.0, as_number(form, values)
    for atom, (number, half) in values.items():
        moved = as_number(form, {**values, atom: (number + half, half)}) if half else middle
        if moved is not None and middle is not None:
            total += abs(moved - middle)
    return total


def _cancelled(meanings: Meanings, statement: Statement, node: Node, given: float) -> float:
    """Return how far a sum of printed numbers may be off, of which little is left."""
    values = Values(meanings.view(statement))
    largest = 1.0
    for one in walk(node):
        if isinstance(one, Add):
            whole, *parts = (
                as_number(values.value(each).form)
                for each in (one, *(term.node for term in one.terms))
            )
            sizes = [abs(part) for part in parts if part is not None]
            if whole and sizes:
                largest *= max(1.0, max(sizes) / abs(whole))
    return FAR * abs(given) * (largest - 1)


def _holds(
    printed: float, given: float, spread: float, slack: float, *, is_ambiguous: bool
) -> bool | None:
    """Return whether a printed number is what is given; None where it may be."""
    if abs(printed - given) <= spread * (1 + 1e-6):
        return True
    size = max(abs(printed), abs(given))
    may_be = abs(printed - given) <= 3 * spread + FAR * size + slack
    if is_ambiguous or may_be or not printed or not given:
        return None
    ratio = abs(printed / given)
    is_unit = any(_near(ratio, one) or _near(1 / ratio, one) for one in _UNITS)
    return None if is_unit else False


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= FAR * abs(other)


def _shown(number: float) -> str:
    """Return a number with the digits that matter.

    Examples
    --------
    >>> _shown(2.0061), _shown(-0.5)
    ('2.006', '-0.5')
    """
    return f"{number:.4g}"
