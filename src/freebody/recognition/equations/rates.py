r"""Letters for rates that a page does not print as such: a_x, :math:`\omega`, and momenta."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.grid import Grid
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.motion.kinematics import resists
from freebody.consistency.motion.residuals import residuals
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import (
    Add,
    Matrix,
    Name,
    TimeDerivative,
    differentiated,
    is_zero,
    rebuilt,
    walk,
)
from freebody.errors import FreebodyError

TURNED, TURNING = r"\theta", r"\omega"
"""What an angle is called first of all, and its rate."""
_RATE = re.compile(r"(?P<kind>[va])_\{?(?P<of>[xyz])\}?")
"""What velocities and accelerations along axes are called."""
MOST_COUPLED, MOST_OF_COUPLED = 3, 100_000
"""Momenta that rates of coordinates are made of together, and products of terms to solve these."""
MOST_PRODUCTS = 10_000
"""Of terms, to see what one equation says of a momentum."""


def named_rates(
    statements: Statements, meanings: Meanings, angles: frozenset[str]
) -> dict[str, Letter]:
    r"""Return a_x, and v_x with it, as rates of x, where nothing says that they are others.

    An equation that says what an acceleration is of what does not carry dots is one of motion. So
    is :math:`\omega` the rate of the angle of which the page prints none.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for.
    angles : frozenset of str
        The letters in sines and cosines.
    """
    dotted, found = statements.moving(), dict[str, Letter]()
    still = [key for key in angles if key not in dotted and not meanings.definitions.get(key)]
    turned = [key for key in still if key == TURNED] or still
    is_open = TURNING in dotted - statements.accelerated() and not meanings.definitions.get(TURNING)
    if is_open and len(turned) == 1:
        found[TURNING] = Letter(turned[0], 1)
    matches = [*filter(None, map(_RATE.fullmatch, sorted(meanings.keys)))]
    accelerated = {one["of"] for one in matches if one["kind"] == "a"} & meanings.keys
    for match in matches:
        known = meanings.definitions.get(match[0], [])
        forms = [form for one in known for form in one.grid.entries()]
        is_told = any(one.dots for form in forms for one in letters_of(meanings.letters, form))
        is_told |= _is_apart(statements, match["of"])
        if match["of"] in accelerated and match[0] not in dotted and not is_told:
            found[match[0]] = Letter(match["of"], 1 + (match["kind"] == "a"))
    found |= {key: rate for one in statements.all for key, rate in _of_residuals(one, meanings)}
    return found | dict(_of_angles(statements, meanings, angles))


def _is_apart(statements: Statements, place: str) -> bool:
    """Return whether a place is accelerated in other sections than those of its a_x: another x."""
    dotted = {one.section for one in statements.all if place in one.moved(2)}
    named = {
        one.section
        for one in statements.all
        for key in one.keys
        if (match := _RATE.fullmatch(key)) and match["kind"] == "a" and match["of"] == place
    }
    return bool(dotted) and dotted.isdisjoint(named)


def _of_residuals(statement: Statement, meanings: Meanings) -> Iterator[tuple[str, Letter]]:
    r"""Iterate over letters for rates by what vanishes, such as \omega - \dot\theta of a column.

    Columns of the same letters are a state that is put in another order.
    """
    letters, relation = meanings.letters, statement.relation
    sides = relation.left, relation.right
    vanishes = any(isinstance(one, Matrix) for one in walk(*sides)) or any(map(is_zero, sides))
    if relation.relation not in EQUALITIES or not vanishes:
        return
    with suppress(FreebodyError, ZeroDivisionError):
        with letters.ring.budget.work(MOST_PRODUCTS):
            view = View(meanings, statement, (statement,))
            forms = residuals(view, relation)
        for form in forms:
            names = sorted(letters_of(letters, form), key=lambda one: one.dots)
            if [one.dots for one in names] == [0, 1] and not meanings.definitions.get(names[0].key):
                name, rate = map(letters.form, names)
                is_rate = not (form - name + rate and form + name - rate)
                if is_rate and not _has_alike_sides(view, statement):
                    yield names[0].key, names[1]


def _has_alike_sides(view: View, statement: Statement) -> bool:
    """Return whether both sides of an equation have the same letters, as they are printed."""
    sides = statement.relation.left, statement.relation.right
    left, right = (
        {
            one
            for form in Values(view).value(side).entries()
            for one in letters_of(view.letters, form)
        }
        for side in sides
    )
    return left == right


def _of_angles(
    statements: Statements, meanings: Meanings, angles: frozenset[str]
) -> Iterator[tuple[str, Letter]]:
    r"""Iterate over :math:`\omega_1` and others as rates of angles of which none is printed.

    An equation for the acceleration of one has the :math:`\omega` of another: frequencies of
    modes have their own coordinate alone.
    """
    names = [
        [one for one in walk(each.relation.left, each.relation.right) if isinstance(one, Name)]
        for each in statements.all
    ]
    rated = {one.key for row in names for one in row if one.dots == 1}
    turned = (statements.accelerated() & angles) - rated
    by_number = {SymbolShape.of(key).subscript: key for key in sorted(turned)}
    named = {
        key: by_number[looks.subscript]
        for key in sorted(meanings.keys - statements.moving() - meanings.definitions.keys())
        if (looks := SymbolShape.of(key)).letter == "omega"
        and looks.numbers
        and looks.subscript in by_number
    }
    for row in names:
        own = {bare(one.key) for one in row if one.dots > 1} & turned
        others = {bare(one.key) for one in row if named.get(bare(one.key), "") not in {"", *own}}
        if own and others:
            yield from ((key, Letter(angle, 1)) for key, angle in named.items())
            return


def momenta(statements: Statements, meanings: Meanings) -> Iterator[Definition]:
    """Iterate over what letters for momenta are, by the rates of coordinates.

    Of one coordinate each, or of several that are coupled, as in Hamilton's equations.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for else.
    """
    rated = statements.moving() - statements.accelerated() - meanings.definitions.keys()
    named = {key for key in rated if "momentum" in SymbolShape.of(key).kinds}
    told = False
    for statement in statements.all if named else ():
        if statement.relation.relation in EQUALITIES:
            with suppress(FreebodyError, ZeroDivisionError):
                with meanings.letters.ring.budget.work(MOST_PRODUCTS):
                    found = _momentum(statement, meanings, named)
                if found:
                    told = True
                    yield found
    if not told and 1 < len(named) <= MOST_COUPLED:
        with suppress(FreebodyError, ZeroDivisionError):
            with meanings.letters.ring.budget.work(MOST_OF_COUPLED):
                coupled = _coupled(statements, meanings, sorted(named))
            yield from coupled


def _momentum(statement: Statement, meanings: Meanings, named: set[str]) -> Definition | None:
    """Return what an equation says of a momentum that it has alone, and linearly."""
    letters, ring = meanings.letters, meanings.letters.ring
    forms = residuals(View(meanings, statement, ()), statement.relation)
    if len(forms) != 1:
        return None
    inside = letters_of(letters, forms[0])
    rates = [one for one in inside if one.dots]
    open_ = [one for one in inside if one.key in named and not one.dots]
    if len(rates) != 1 or len(open_) != 1 or rates[0].dots != 1 or rates[0].key in named:
        return None
    atom = letters.atom(open_[0])
    slope = ring.partial(forms[0], atom)
    is_constant = meanings.letters.moving.isdisjoint(
        one.key for one in letters_of(meanings.letters, slope)
    )
    if not slope or not is_constant:
        return None
    value = ring.symbol(atom) - forms[0] / slope
    return Definition(Letter(open_[0].key, 0), Grid.scalar(value), statement)


def rolling(statements: Statements, meanings: Meanings) -> Iterator[Definition]:
    r"""Iterate over the places that equations say by rates: ``\ddot x = R\ddot\theta``.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for else.
    """
    dotted = statements.moving()
    for statement in statements.all:
        left, right, orders = statement.relation.left, statement.relation.right, statement.orders
        moving = [key for key in orders if key in dotted]
        for side, node in ((left, right), (right, left)):
            rate = differentiated(side)
            if rate is None or not rate[1] or isinstance(node, Name | Add) or len(moving) != 2:
                continue
            key, order = bare(rate[0].key), rate[1]
            said = meanings.definitions.get(key, [])
            is_told = any(one.statement is not statement for one in said)
            is_alike = all(orders[one] == {order} for one in moving)
            if is_alike and not is_told and key not in statements.angles:
                with suppress(FreebodyError, ZeroDivisionError):
                    place = Values(View(meanings, statement, ())).value(_lowered(node, order))
                    others = [one for one in moving if one != key]
                    is_one = place.is_scalar and len(others) == 1
                    if is_one and _is_multiple(meanings, place.form, others[0]):
                        yield Definition(Letter(key, 0), place, statement)
                break


def _is_multiple(meanings: Meanings, form: Form, key: str) -> bool:
    """Return whether a form is a letter times what does not move, and resists no motion."""
    letters, atom = meanings.letters, meanings.letters.atom(Letter(key, 0))
    slope = form.ring.partial(form, atom)
    inside = {one.key for one in letters_of(letters, slope)}
    is_still = inside.isdisjoint(letters.moving) and not resists(inside)
    return is_still and not form - slope * form.ring.symbol(atom)


def _lowered(node: Any, order: int) -> Any:
    """Return a node with names in place of their derivatives by time of an order."""
    rate = differentiated(node) if isinstance(node, Name | TimeDerivative) else None
    if rate and rate[1] == order:
        return replace(rate[0], dots=0)
    return rebuilt(node, lambda part: _lowered(part, order))


def _coupled(statements: Statements, meanings: Meanings, named: Sequence[str]) -> list[Definition]:
    """Return what momenta are by equations that have one rate of a coordinate each."""
    letters, ring = meanings.letters, meanings.letters.ring
    atoms = [letters.atom(Letter(key, 0)) for key in named]
    found = list[tuple[Statement, list[Form], Form]]()
    for statement in statements.all:
        if statement.relation.relation not in EQUALITIES:
            continue
        with suppress(FreebodyError):
            forms = residuals(View(meanings, statement, ()), statement.relation)
            inside = letters_of(letters, forms[0]) if len(forms) == 1 else set[Letter]()
            rates = {one for one in inside if one.dots}
            if len(rates) == 1 and not rates & {Letter(key, 1) for key in named}:
                whole = ring.cleared(forms[0])
                row = [ring.partial(whole, atom) for atom in atoms]
                rest = substituted(whole, dict.fromkeys(atoms, ring.zero))
                linear = ring.sum([a * ring.symbol(b) for a, b in zip(row, atoms, strict=True)])
                if any(row) and not whole - rest - linear:
                    found.append((statement, row, rest))
    if len(found) != len(named):
        return []
    matrix, right = [row for _, row, _ in found], [-rest for _, _, rest in found]
    below = Grid.made(matrix).determinant().form
    return [
        Definition(Letter(key, 0), Grid.scalar(above.determinant().form / below), found[n][0])
        for n, key in enumerate(named)
        for above in [
            Grid.made(
                [*row[:n], one, *row[n + 1 :]] for row, one in zip(matrix, right, strict=True)
            )
        ]
    ]
