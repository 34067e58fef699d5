"""An equation of a page, with its place and what is said before it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from freebody.checking.introduced import bare, begins, cells_of
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import bare_of_font
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import (
    Name,
    Node,
    Number,
    Power,
    Term,
    TimeDerivative,
    children,
    differentiated,
    is_zero,
    multiplied,
    rate_of,
    walk,
)

_COMMAND = re.compile(r"\\[A-Za-z]+")


@dataclass(frozen=True, eq=False)
class Statement:
    r"""An equation of a page.

    Attributes
    ----------
    number : int
        Its place among all.
    relation : Relation
    place : str
        Where it stands, for people.
    section : int
        How many headings stand before it.
    is_case : bool
        Whether the words before it, or beside it, may put a case.
    is_small : bool
        Whether that case may only be one of small motions.
    is_turned : bool
        Whether words of its section may put a position that is turned by half a turn.
    is_about_zero : bool
        Whether words of its section say that small motions are those about an angle of zero.
    is_inline : bool
        Whether it stands in running text.
    is_aside : bool
        Whether it stands in running text, and may be of a case other than that something is
        upright, which a whole page may be about.
    is_scaled : bool
        Whether letters may be left out in it that are worth one.
    is_of_values : bool
        Whether letters are equated in it for a number that both are given, ``a = b = 0``, or one
        for a measured number with its unit in letters, ``G = 6.7 \times 10^{-11} m^3 / (k g)``.
    is_directed : bool
        Whether words before it say in which direction something counts.
    is_transformed : bool
        Whether it is between Laplace transforms, ``X(s) = G(s) U(s)``, which have the letters of
        what they are of.
    is_in_unit : bool
        Whether it gives a number in running text with a unit behind it.
    read : Relation or None
        What it is as it is read, where letters with two meanings are told apart in it.
    renames : tuple of callable
        What tells them apart.
    """

    number: int
    relation: Relation
    place: str
    section: int
    is_case: bool
    is_small: bool = False
    is_turned: bool = False
    is_about_zero: bool = False
    is_inline: bool = False
    is_aside: bool = False
    is_scaled: bool = False
    is_of_values: bool = False
    is_directed: bool = False
    is_transformed: bool = False
    is_in_unit: bool = False
    read: Relation | None = None
    renames: tuple[Callable[[Relation], Relation], ...] = ()

    @property
    def label(self) -> str:
        """What it is called on the page."""
        return self.relation.label

    @property
    def printed(self) -> Relation:
        """The equation with the letters that are printed."""
        return self.read or self.relation

    def apart(self, rename: Callable[[Relation], Relation]) -> Statement:
        """Return it with letters told apart that have two meanings."""
        renames = (*self.renames, rename)
        relation = rename(self.relation)
        return replace(self, relation=relation, read=self.printed, renames=renames)

    def told_apart(self, relation: Relation) -> Relation:
        """Return what it would be if it were printed otherwise."""
        for rename in self.renames:
            relation = rename(relation)
        return relation

    @cached_property
    def equated(self) -> tuple[tuple[str, str], ...]:
        r"""The letters without dots that it says are others: of ``u = F``, of columns of such.

        Of ``u = [F_1, F_2]^T`` these are u_1 and u_2.
        """
        left, right = self.relation.left, self.relation.right
        cells, others = cells_of(left) or [left], cells_of(right) or [right]
        if isinstance(left, Name) and not left.dots and len(others) > 1:
            stem = bare_of_font(bare(left.key))
            cells = [replace(left, key=f"{stem}_{number + 1}") for number in range(len(others))]
        pairs = [
            (bare(one.key), bare(other.key))
            for one, other in zip(cells, others, strict=False)
            if isinstance(one, Name) and isinstance(other, Name) and not (one.dots or other.dots)
        ]
        is_whole = len(pairs) == len(cells) == len(others) and all(a != b for a, b in pairs)
        return tuple(pairs) if is_whole and self.relation.relation in EQUALITIES else ()

    def continues(self, before: Statement) -> bool:
        """Return whether it is the next step of a chain of equalities, B = C of A = B = C."""
        return before.relation.right.span == self.relation.left.span

    @property
    def states_value(self) -> bool:
        """Whether it gives a letter a number, or what it begins with: another elsewhere.

        Also as ``m x'' = 0``, of what moves freely then.
        """
        sides = self.relation.left, self.relation.right
        is_name = any(differentiated(side) is not None for side in sides)
        is_number = is_name and not all(map(names_of, sides))
        is_free = any(map(is_zero, sides)) and any(map(_is_weighed_rate, sides))
        return self.is_of_values or is_number or is_free or begins(self.relation)

    @cached_property
    def nodes(self) -> tuple[Node | Term, ...]:
        """The parts of both sides."""
        return tuple(walk(self.relation.left, self.relation.right))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The letters that are printed in it, as often as they are."""
        return tuple(keys(self.relation))

    @cached_property
    def orders(self) -> Mapping[str, frozenset[int]]:
        """The letters that it has, each with the orders of its derivatives by time; 0 of itself."""
        found = defaultdict[str, set[int]](set)
        waiting: list[Node | Term] = [self.relation.left, self.relation.right]
        while waiting:
            node = waiting.pop()
            if (rate := differentiated(node)) is not None:
                found[bare(rate[0].key)].add(rate[1])
            else:
                waiting += children(node)
        return {key: frozenset(orders) for key, orders in found.items()}

    def moved(self, least: int) -> set[str]:
        """Return the letters of which it has derivatives by time, of an order at the least."""
        return {key for key, orders in self.orders.items() if max(orders) >= least}

    @property
    def is_law(self) -> bool:
        """Whether it has accelerations."""
        return bool(self.moved(2)) or any(
            isinstance(one, TimeDerivative) and one.order > 1 for one in self.nodes
        )

    def squares(self) -> Iterator[tuple[Name, Node]]:
        """Iterate over the letters whose square is a side, each with what it equals."""
        left, right = self.relation.left, self.relation.right
        for square, node in ((left, right), (right, left)):
            match square:
                case Power(base=Name() as name, exponent=Number(value=2)):
                    yield name, node

    def uses(self, commands: Iterable[str]) -> bool:
        """Return whether an equation is printed with one of some commands."""
        printed = {*_COMMAND.findall(self.relation.latex)}
        return not printed.isdisjoint(commands)


def keys(relation: Relation) -> Iterator[str]:
    """Iterate over the letters of an equation."""
    for node in walk(relation.left, relation.right):
        if isinstance(node, Name):
            yield bare(node.key)


def names_of(node: Node | Term) -> frozenset[str]:
    """Return the letters of one side of an equation."""
    return frozenset(bare(one.key) for one in walk(node) if isinstance(one, Name))


def _is_weighed_rate(node: Node) -> bool:
    """Return whether something is the rate of a letter times constants alone."""
    factors = multiplied(node)
    rates = [one for one in factors if rate_of(one)]
    return len(rates) == 1 and all(isinstance(one, Name) for one in factors)


def rate_in(node: Node) -> Name | None:
    """Return the name whose rate is on one side of an equation, if one is."""
    rates = [rate[0] for one in walk(node) if (rate := rate_of(one))]
    return rates[0] if len(rates) == 1 else None
