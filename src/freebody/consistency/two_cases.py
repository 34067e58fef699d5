"""Whether an equation that differs from others like it is of another case, or a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from freebody.algebra import Form
from freebody.checking.introduced import bare
from freebody.checking.meaning.relation_at_point import NOWHERE
from freebody.consistency.finding import Finding
from freebody.consistency.judging import Judge
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.mending import Mended, Mending
from freebody.consistency.motion.residuals import printed_forms
from freebody.consistency.several import Several
from freebody.consistency.statement import Statement
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Add, Name, Node, Term, is_zero, rebuilt, show

SIMPLE = 100
"""The most above and below in the ratio of two numbers that are of two cases: of a hoop, a disk."""


_NUMBERS = re.compile(r"(?<![\w{_^}])(?:\(\d+/\d+\)|\d+(?:/\d+)?)\*?")
"""Factors, and neither powers nor parts of names."""
_BULLET = r"[ \t>]*(?:[-*+•]|\\item\b)"
_LEAD = re.compile(rf"{_BULLET}[^\n]*:")
"""What stands before an equation in an item of a list."""
_NUMBERED = re.compile(r"[ \t]*(?P<words>[^\W\d_]+)[ ]\d+:[ \t]*(?:\$|\\\()?")
"""What stands before an equation of one of several that have numbers."""
_BETWEEN_ITEMS = re.compile(
    rf"[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*?(?:\n[ \t]*)?\n{_BULLET}[^\n]*:[^\n]*"
)
"""From an equation in an item of a list to one in the next, behind words."""
TWIN = "it is {} but for signs, numbers or one letter: they may be of two cases"
ITEMS = "it and {} are items of a list, each of a case of its own, it may be"
BACKWARDS = "it follows from {} if something counts the other way, as words before it may say"


class TwoCases:
    """Tells what other case an equation may be of by how it is like those that it differs from.

    Parameters
    ----------
    judge : Judge
    findings : sequence of Finding
        What is found of each equation.
    several : Several
        What letters stand for several things.
    mending : Mending
    """

    def __init__(
        self, judge: Judge, findings: Sequence[Finding], several: Several, mending: Mending
    ) -> None:
        self._judge, self._findings = judge, findings
        self._several, self._mending = several, mending

    def reason(self, statement: Statement, finding: Finding, mended: Iterable[Mended]) -> str:
        """Return of what other case an equation may be; nothing where it may be of none.

        Such as ``v' = -g - k v`` on the way up and ``v' = -g + k v`` down again, or with v counted
        downwards; but where what it is like is printed twice, it is no case, but in running text.

        Parameters
        ----------
        statement : Statement
        finding : Finding
            How it differs from others.
        mended : iterable of Mended
            The changes with which it does not.
        """
        elsewhere = (
            one
            for one in self._judge.statements.all
            if one.section != statement.section and self._findings[one.number].holds
        )
        known = dict.fromkeys((*finding.others, *elsewhere))
        alike = [one for one in known if self._are_alike(one, statement, mended)]
        printed = {shown(one.relation) for one in alike}
        are_far = all(one.section != statement.section for one in alike)
        if alike and (len(printed) == len(alike) or (statement.is_inline and are_far)):
            return TWIN.format(alike[0].label)
        if item := next(self._other_items(statement), None):
            return ITEMS.format(item.label)
        if statement.is_directed and self._counts_backwards(statement, finding):
            return BACKWARDS.format(" and ".join(one.label for one in finding.others))
        return ""

    def may_be_slip(self, statement: Statement, finding: Finding) -> bool:
        """Return whether an equation may be a slip: of no other case than those beside it.

        Nor of what the page leaves open: commands, forces that hold something, directions.
        """
        assumed = self._judge.statements.assumed
        is_assumed = any(one.uses(assumed) for one in (statement, *finding.others))
        may_be_held = finding.route == "lagrangian"
        is_open = is_assumed or may_be_held or self._judge.may_count_backwards(statement)
        is_open = is_open or self._judge.otherwise.is_without(statement, finding.others)
        is_open = is_open or self._is_solved(statement)
        return self.are_beside(statement, finding.others) and not is_open

    def _is_solved(self, statement: Statement) -> bool:
        """Return whether an equation of constants is one that tells a root: it is zero."""
        sides = statement.relation.left, statement.relation.right
        return any(map(is_zero, sides)) and self._judge.letters.moving.isdisjoint(statement.keys)

    def are_beside(self, statement: Statement, others: Iterable[Statement]) -> bool:
        """Return whether an equation is printed with others, and of no case.

        What other letters are may be said long before.
        """
        if statement.is_case or statement.is_inline:
            return False
        own = {*self._several.defined(statement)}
        others = [one for one in others if one is not statement]
        far = [one for one in others if one.section != statement.section]
        behind = [one for one in others if one.number > statement.number]
        are_before = all(own.isdisjoint(self._several.defined(one)) for one in far)
        are_before &= not any(one.is_inline or one in far for one in behind)
        return len(far) < len(others) and are_before

    def _other_items(self, statement: Statement) -> Iterator[Statement]:
        """Iterate over equations of the same accelerations in other items of the list that has one.

        Each stands behind words, and the list has no numbers.
        """
        moved = {*statement.moved(2)}
        for one in self._judge.statements.all:
            if one is not statement and not moved.isdisjoint(one.moved(2)):
                first, second = sorted((one, statement), key=lambda each: each.number)
                if self._are_items(first, second):
                    yield one

    def _are_items(self, first: Statement, second: Statement) -> bool:
        text = self._judge.statements.page.readable
        start, stop = (each.printed.span.start for each in (first, second))
        lead, other = (text[text.rfind("\n", 0, one) + 1 : one] for one in (start, stop))
        is_list = _LEAD.match(lead) and _BETWEEN_ITEMS.fullmatch(text, start, stop)
        return bool(is_list) or (lead != other and _numbered(lead) == _numbered(other) != "")

    def _counts_backwards(self, statement: Statement, finding: Finding) -> bool:
        """Return whether an equation follows where something that moves counts the other way."""
        ways = _counted_backwards(statement, self._judge.letters.moving)
        return any(self._mending.follows(statement, one, finding) for one in ways)

    def _are_alike(self, one: Statement, other: Statement, mended: Iterable[Mended]) -> bool:
        """Return whether two equations are the same but for numbers, or for one change.

        A change of decimals is none.
        """
        is_changed = any(
            shown(each.relation) == shown((other if each.statement is one else one).relation)
            for each in mended
            if each.statement in (one, other) and not each.is_of_decimals
        )
        return is_changed or _differ_in_numbers(one, other, self._judge.meanings)


def _numbered(lead: str) -> str:
    """Return words before an equation without their number: ``axis 2:``; else nothing."""
    found = _NUMBERED.fullmatch(lead)
    return found["words"] if found else ""


def shown(relation: Relation) -> tuple[str, str]:
    """Return both sides of an equation as they are printed, without spaces and fonts."""
    return show(relation.left), show(relation.right)


def _without_numbers(node: Node) -> str:
    """Return a side of an equation as it is printed but for numbers and signs."""
    return _NUMBERS.sub("", show(node)).replace("-", "+").strip("()")


def _differ_in_numbers(one: Statement, other: Statement, meanings: Meanings) -> bool:
    """Return whether equations say the same of one thing but for numbers and signs.

    Such as of one spring and of two, of a hoop and of a disk.
    """
    is_far = (one.is_inline or other.is_inline) and one.section != other.section
    lefts = {_without_numbers(each.relation.left) for each in (one, other)}
    if len(lefts) > 1 and not is_far:
        return False
    rows, known = (printed_forms(meanings, each) for each in (one, other))
    if not rows or len(rows) != len(known):
        return False
    return all(_are_of_same_products(a, b) for a, b in zip(rows, known, strict=True))


def _are_of_same_products(one: Form, other: Form) -> bool:
    """Return whether sums are of the same products, with numbers of a simple ratio."""
    own, there = one.terms.table, other.terms.table
    if own.keys() != there.keys():
        return False
    ratios = [own[key] / there[key] for key in own]
    return all(max(abs(each.numerator), each.denominator) <= SIMPLE for each in ratios)


def _counted_backwards(statement: Statement, moving: set[str]) -> Iterator[Relation]:
    """Iterate over an equation with one letter that moves counted the other way, and with all."""
    keys = {*statement.keys} & moving
    for chosen in dict.fromkeys([*(frozenset({key}) for key in sorted(keys)), frozenset(keys)]):
        yield _turned(statement.relation, chosen)


def _turned(relation: Relation, keys: frozenset[str]) -> Relation:
    def change(node: Any) -> Any:
        if isinstance(node, Name) and bare(node.key) in keys:
            return Add((Term(-1, node, NOWHERE),), NOWHERE)
        return rebuilt(node, change)

    left, right = (cast("Node", change(side)) for side in (relation.left, relation.right))
    return replace(relation, left=left, right=right)
