"""Equations with decimal numbers, which follow from others to the digits that are printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from freebody.algebra import Form
from freebody.checking.meaning.rounding import Decimal, may_be_rounded
from freebody.consistency.finding import Finding
from freebody.consistency.motion.equations import Equations
from freebody.consistency.statement import Statement
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Number, rebuilt

DIGITS = "to the digits that are printed"
LONG = 4
"""Digits of a number that is hardly exact."""
MOST_NUMBERS = 12
"""So many numbers of an equation, and of what it is held against, are looked at."""


def to_the_digits(
    statement: Statement,
    found: Finding,
    equations: Equations,
    judged: Callable[[Equations], Finding],
) -> Finding:
    """Return what is found of an equation that differs, where its numbers may be rounded.

    What it lacks may be no more than what half a unit of the last digit of each number makes of
    it. Where that is not known, and numbers are long, it may be so.

    Parameters
    ----------
    statement : Statement
    found : Finding
        That it differs from others.
    equations : Equations
        Of the page.
    judged : callable
        What is found of it on a page with another number.
    """
    statements = (statement, *found.others)
    every = [(one, each) for one in statements for each in may_be_rounded(one.relation)]
    if not every or len(every) > MOST_NUMBERS:
        return found
    if found.lacks is None:
        is_long = any(each.digits >= LONG for _, each in every)
        return replace(found, is_open=found.is_open or is_long)
    room, holds = Counter[int](), Finding(True, found.others, DIGITS, "numbers", found.is_open)
    for one, each in every:
        again = judged(equations.changed(one, _with_more(one.relation, each)))
        if again.holds:
            return holds
        if again.lacks is None:
            return found
        change = (again.lacks - found.lacks).terms.table
        room.update({key: abs(value) for key, value in change.items()})
    return holds if _is_within(found.lacks, room) else found


def _with_more(relation: Relation, decimal: Decimal) -> Relation:
    """Return an equation with half a unit more in the last digit of a number."""

    def change(node: Any) -> Any:
        if node is decimal.node:
            return Number(decimal.node.value + decimal.tolerance, decimal.node.span)
        return rebuilt(node, change)

    return replace(relation, left=change(relation.left), right=change(relation.right))


def _is_within(lacks: Form, room: Counter[int]) -> bool:
    """Return whether no coefficient is larger than what rounding makes of it."""
    return all(abs(value) <= room[key] for key, value in lacks.terms.table.items())
