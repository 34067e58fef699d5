"""The statements of a page: its equations with their places, and what is said before them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise

from freebody.checking.introduced import bare
from freebody.consistency.case_words import WordsAround
from freebody.consistency.commands import assumed
from freebody.consistency.letters import INDEXED, NUMBERED, TIME, Letter, Names
from freebody.consistency.statement import Statement
from freebody.consistency.two_meanings import told_apart
from freebody.consistency.units.stated_quantities import unit_behind
from freebody.documents.headings import exercises, headings
from freebody.documents.latex import Relation, Unreadable
from freebody.documents.latex.layout.displays import read_display
from freebody.documents.latex.name_marks import name_marks
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.passed import Passed
from freebody.documents.latex.page.places import Place, between, places
from freebody.documents.latex.relations import Display
from freebody.documents.latex.tokens.definitions import Macro
from freebody.documents.latex.tree import (
    AtPoint,
    Call,
    Multiply,
    Name,
    Node,
    Number,
    Partial,
    Power,
    TimeDerivative,
    is_zero,
    multiplied,
    walk,
)
from freebody.documents.latex.units import Unit

TURNS = frozenset({"sin", "cos", "tan"})
_AT_FIRST = re.compile(r"(.+)_\{?0\}?")
_GIVEN = re.compile(r"\s*(?:\\left)?\(([^()]{1,60}(?<!\\),[^()]{1,60}?)(?:\\right)?\)")
_ARGUMENTS = re.compile(r"\(([^()]*)\)$")
_OF_RATES = re.compile(r"\([^()]*\\d*dot[^()]*\)$")
_OF_MORE = re.compile(r"\((?!\s*t\s*\)$)")
_RATE = re.compile(r"\\d*dot\{(.*)\}")
_OPENING = ("(", r"\left(", r"\big(", r"\bigl(")
_MEASURED = 10_000


@dataclass(frozen=True)
class Statements:
    """What a page says.

    Attributes
    ----------
    page : Page
    names : Names
        How its names are read.
    all : tuple of Statement
    unreadable : tuple of (Unreadable, bool)
        Each with whether it stands in running text.
    passed : tuple of Passed
        What of its displays is passed over.
    assumed : mapping of str to Macro
        The commands that nothing defines, with the letters that they are read as.
    """

    page: Page
    names: Names
    all: tuple[Statement, ...]
    unreadable: tuple[tuple[Unreadable, bool], ...]
    passed: tuple[Passed, ...]
    assumed: Mapping[str, Macro] = field(default_factory=dict)

    def letters(self) -> set[Letter]:
        """Return the letters that are printed, with their dots."""
        return {
            Letter(bare(node.key), node.dots)
            for one in self.all
            for node in walk(one.relation.left, one.relation.right)
            if isinstance(node, Name)
        }

    @cached_property
    def single(self) -> frozenset[str]:
        """The letters that one equation alone has."""
        uses = Counter(key for one in self.all for key in {*one.keys})
        return frozenset(key for key, count in uses.items() if count == 1)

    def moving(self) -> set[str]:
        """Return the letters that carry dots, are differentiated or are printed as of time."""
        found = set(self.names.of_time)
        for statement in self.all:
            resting = self._resting(statement)
            for node in walk(statement.relation.left, statement.relation.right):
                if isinstance(node, Name) and node.dots and bare(node.key) not in resting:
                    found.add(bare(node.key))
                elif isinstance(node, TimeDerivative):
                    inner = [bare(one.key) for one in walk(node.node) if isinstance(one, Name)]
                    is_sole = len(set(inner)) == 1
                    if TIME not in inner:  # of which what is said in time is the derivative
                        found |= {key for key in inner if is_sole or self.names.varies(key)}
        found -= self._beginnings(found)
        found |= self._numbered(found)
        placed = [one for one in self.all if (name := _left(one)) and bare(name.key) in found]
        named = {bare(name.key) for one in placed if (name := _left(one))}
        return found.union(*(self._angles_of(one, found - named) for one in placed))

    def _numbered(self, found: set[str]) -> set[str]:
        r"""Return the letters with numbers for the index of others: x_1 beside ``\dot x_i``.

        Not with a zero, by which what a letter is at first or at rest is called.
        """
        stems = {match[1] for key in found if (match := INDEXED.fullmatch(key))}
        matches = (NUMBERED.fullmatch(one.key) for one in (self.letters() if stems else ()))
        numbered = {match[0] for match in matches if match and match[1] in stems}
        return {key for key in numbered if not _AT_FIRST.fullmatch(key)}

    @cached_property
    def angles(self) -> frozenset[str]:
        """The letters that stand in sines and cosines."""
        sides = chain.from_iterable((one.relation.left, one.relation.right) for one in self.all)
        calls = (node for node in walk(*sides) if isinstance(node, Call) and node.function in TURNS)
        names = (one for call in calls for one in walk(call.argument) if isinstance(one, Name))
        return frozenset(bare(one.key) for one in names)

    @cached_property
    def arguments(self) -> Mapping[str, frozenset[str]]:
        """The letters of which others are printed as functions: q, of ``M(q)``."""
        found: dict[str, frozenset[str]] = {}
        sides = chain.from_iterable((one.relation.left, one.relation.right) for one in self.all)
        for node in walk(*sides):
            if isinstance(node, Name) and (given := _ARGUMENTS.search(node.key)):
                inside = (_RATE.sub(r"\1", one) for one in given[1].split(","))
                key = bare(node.key)
                found[key] = found.get(key, frozenset()).union(inside)
        return found

    @cached_property
    def called(self) -> Mapping[str, Mapping[str, int]]:
        """The letters that are printed as functions of others, ``V(r)``.

        Each with of which, as it is printed, and the first section that has it so. Those of an s
        that does not move are transforms.
        """
        text, found = self.page.readable, dict[str, dict[str, int]]()
        has_arc = any("s" in one.moved(1) for one in self.all)
        for statement in self.all:
            for key, printed in _called(text, statement):
                if has_arc or not printed.endswith("(s)"):
                    found.setdefault(key, {}).setdefault(printed, statement.section)
        return found

    @cached_property
    def of_others(self) -> frozenset[str]:
        """The letters that are printed as functions of more than time."""
        called = self.called.items()
        return frozenset(key for key, of in called if any(map(_OF_MORE.search, of)))

    def is_called(self, name: Name) -> bool:
        """Return whether a letter is printed as a function of several right there."""
        return _GIVEN.match(self.page.text, name.span.stop) is not None

    def differentiated(self) -> dict[str, tuple[str, ...]]:
        r"""Return the letters that are functions of others, ``V(r)``, with of which.

        Of which the page prints derivatives by these, ``\partial V/\partial r`` or ``V'``, and
        that are nowhere functions of rates.
        """
        sides = [side for one in self.all for side in (one.relation.left, one.relation.right)]
        names = [one for one in walk(*sides) if isinstance(one, Name)]
        slopes = [one for one in walk(*sides) if isinstance(one, Partial)]
        by = {
            (bare(one.node.key), bare(name.key))
            for one in slopes
            if isinstance(one.node, Name)
            for name in one.with_respect_to
        }
        primed = {bare(one.key).rstrip("'") for one in names if "'" in one.key}
        of_rates = {bare(one.key) for one in names if _OF_RATES.search(one.key)}
        return {
            key: tuple(sorted(of))
            for key, of in self.arguments.items()
            if key not in of_rates
            if any((key, one) in by for one in of) or (len(of) == 1 and key in primed)
        }

    def _beginnings(self, found: set[str]) -> set[str]:
        r"""Return the letters of which a rate is one at the beginning: ``\dot x_0`` beside x.

        They are accelerated nowhere, or once by a misprint, and the first of no row of letters.
        """
        counts = Counter(key for one in self.all for key in one.moved(2))

        def is_one(key: str, base: str) -> bool:
            if counts[key]:
                return counts[key] == 1 < counts[base]
            return base in counts or (base in found and f"{base}_1" not in found)

        matches = filter(None, map(_AT_FIRST.fullmatch, found))
        return {one[0] for one in matches if is_one(one[0], one[1])}

    def chain_from(self, statement: Statement) -> list[Statement]:
        """Return an equation, and the steps behind it of a chain of equalities."""
        chain = [statement]
        for one in self.all[statement.number + 1 :]:
            if not one.continues(chain[-1]):
                break
            chain.append(one)
        return chain

    def _resting(self, statement: Statement) -> set[str]:
        r"""Return the letters of whose rate an equation says that it is zero.

        As ``\ddot r = \ddot a = 0`` does of a, and ``a\dot a = x\dot x + y\dot y = 0``.
        """
        chain = self.chain_from(statement)
        if not is_zero(chain[-1].relation.right):
            return set()
        sides = {
            side.span: side for one in chain for side in (one.relation.left, one.relation.right)
        }
        resting = (_alone_in(side) for side in sides.values())
        return {key for key in resting if key is not None}

    def accelerated(self) -> set[str]:
        """Return the letters whose accelerations are printed."""
        return {key for one in self.all for key in one.moved(2)}

    def of_first_order(self) -> set[str]:
        """Return the letters that are printed with one dot at the most, and without."""
        plain = {key for one in self.all for key, orders in one.orders.items() if 0 in orders}
        return {key for one in self.all for key in one.moved(1)} & plain - self.accelerated()

    def _angles_of(self, statement: Statement, others: set[str]) -> set[str]:
        r"""Return the angles that move because they say where something is that carries dots.

        Such as of ``x = l\sin\theta`` on a page with the rate of x, where nothing else in it moves.
        """
        name, relation = _left(statement), statement.relation
        if name is None:
            return set()
        inside = {bare(one.key) for one in walk(relation.right) if isinstance(one, Name)}
        turned = {
            bare(one.key)
            for call in walk(relation.right)
            if isinstance(call, Call) and call.function in ("sin", "cos")
            for one in walk(call.argument)
            if isinstance(one, Name)
        }
        if inside & others or TIME in inside:
            return set()
        return {key for key in turned if self.names.varies(key)}


def _left(statement: Statement) -> Name | None:
    """Return the letter without dots that an equation begins with, if it is one."""
    name = statement.relation.left
    return name if isinstance(name, Name) and not name.dots else None


def _alone_in(side: Node) -> str | None:
    """Return the letter that a side is a rate of, or such times itself; None of anything else."""
    factors = multiplied(side)
    names = [one for one in factors if isinstance(one, Name)]
    keys = {bare(one.key) for one in names}
    is_rate = len(names) == len(factors) and len(keys) == 1 and any(one.dots for one in names)
    return keys.pop() if is_rate else None


def _called(text: str, statement: Statement) -> Iterator[tuple[str, str]]:
    """Iterate over the letters that an equation prints as functions, with how it does."""
    for node in walk(statement.relation.left, statement.relation.right):
        given = _GIVEN.match(text, node.span.stop) if isinstance(node, Name) else None
        if isinstance(node, Name) and given and not bare(node.key)[0].isupper():
            yield bare(node.key), f"{bare(node.key)}({''.join(given[1].split())})"
        elif isinstance(node, Name) and node.key != bare(node.key):
            yield bare(node.key), node.key
        elif isinstance(node, Multiply):
            for one, other in pairwise(node.factors):
                between_them = text[one.span.stop : other.span.start].strip()
                is_called = isinstance(one, Name) and isinstance(other, Name)
                if is_called and between_them in _OPENING:
                    key = bare(one.key)  # type: ignore[union-attr]
                    yield key, f"{key}({other.key})"  # type: ignore[union-attr]


def read_statements(page: Page) -> Statements:
    """Read the equations of a page; one that can be read in two ways in the likelier one."""
    names = Names(name_marks(page))
    starts = sorted([*(one.start for one in headings(page)), *exercises(page)])
    gaps = [*between(page)]
    statements, passed = list[Statement](), list[Passed]()
    unreadable = list[tuple[Unreadable, bool]]()
    reader = _Reader(page, names)
    turned, zeroed = set[int](), set[int]()
    for label, place in places(page):
        display = reader.display(place, label)
        passed += display.passed
        section = bisect_right(starts, place.whole.start)
        around = WordsAround.of(page, place, gaps, since=starts[section - 1] if section else 0)
        if around.may_be_turned:
            turned.add(section)
        if around.is_about_zero:
            zeroed.add(section)
        for relation in display.relations:
            if isinstance(relation, Unreadable):
                unreadable.append((relation, place.inline))
                continue
            is_last = place.inline and relation is display.relations[-1]
            unit = unit_behind(page.readable, place.whole.stop) if is_last else None
            relation = _in_its_unit(relation, unit)
            words = around.about(relation)
            statements.append(
                Statement(
                    len(statements),
                    relation,
                    page.place(relation.line),
                    section,
                    words.is_any,
                    words.is_small(is_about_zero=section in zeroed),
                    section in turned,
                    section in zeroed,
                    place.inline,
                    place.inline and words.is_more_than_upright,
                    words.is_scaled,
                    is_directed=words.is_directed,
                    is_transformed=_is_transformed(relation, names),
                    is_in_unit=unit is not None,
                )
            )
    every = tuple(told_apart([*_with_values(statements)]))
    return Statements(page, names, every, tuple(unreadable), tuple(passed), reader.assumed)


def _in_its_unit(relation: Relation, unit: Unit | None) -> Relation:
    """Return an equation that gives a number in coherent units: 40 kN/m, of ``$k = 40$ kN/m``."""
    number = relation.right
    if not isinstance(number, Number) or number.dimension or not unit or unit.factor == 1:
        return relation
    scale = Number(unit.factor, number.span, unit.dimension)
    return replace(relation, right=Multiply((number, scale), number.span))


def _is_transformed(relation: Relation, names: Names) -> bool:
    nodes = walk(relation.left, relation.right)
    return any(isinstance(one, Name) and names.is_transform(one.key) for one in nodes)


def _with_values(statements: list[Statement]) -> Iterator[Statement]:
    """Iterate over statements, with those marked whose letters are equated for their number."""
    marked = list[Statement]()
    before: Statement | None = None
    for one in reversed(statements):
        relation = one.relation
        sides = relation.left, relation.right
        is_value = before is not None and (before.states_value or is_zero(before.relation.right))
        is_chained = before is not None and before.continues(one)
        is_equated = is_value and is_chained and all(map(_is_letter_or_value, sides))
        if is_equated or _is_measured(*sides):
            one = replace(one, is_of_values=True)
        marked.append(one)
        before = one
    return reversed(marked)


def _is_letter_or_value(node: Node) -> bool:
    r"""Return whether something is a letter, or what that is at one time: ``\theta(0)``."""
    return isinstance(node.node if isinstance(node, AtPoint) else node, Name)


def _is_measured(*sides: Node) -> bool:
    """Return whether there is a number of an order that formulas of mechanics never have.

    Equations of motion may have it, for an example.
    """
    parts = [*walk(*sides)]
    if any(isinstance(one, Name) and one.dots for one in parts):
        return False
    for one in parts:
        base = one.base if isinstance(one, Power) else None
        if isinstance(base, Number) and base.value == 10:
            return True
        size = abs(one.value) if isinstance(one, Number) else 0
        if size and max(size, 1 / size) >= _MEASURED:
            return True
    return False


class _Reader:
    """Reads displays, with commands that nothing defines as letters."""

    def __init__(self, page: Page, names: Names) -> None:
        self.page, self.names = page, names
        self.assumed = dict[str, Macro]()
        self._seen = set[str]()

    def display(self, place: Place, label: str) -> Display:
        """Read a display."""
        while True:
            display = read_display(self.page, place, label, self.names)
            unknown = self.names.undefined - self._seen
            self._seen |= unknown
            found = assumed(self.page, unknown)
            if not found:
                return display
            for macro in found.values():
                self.page.macros.assume(macro)
            self.assumed |= found
