"""What letters stand for by how they are written: in another font, by number, as gravity terms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from freebody.checking.grid import Grid
from freebody.checking.introduced import bare
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS
from freebody.consistency.letters import (
    GRAVITY_TERMS,
    INDEXED,
    NUMBERED,
    Letter,
    bare_of_font,
    is_vector,
    letters_of,
)
from freebody.consistency.meanings.views import Definition
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import (
    Call,
    Divide,
    Multiply,
    Name,
    Node,
    TimeDerivative,
    has_squared_rates,
    rebuilt,
    walk,
)

if TYPE_CHECKING:
    from freebody.consistency.meanings.meanings import Meanings


_ALONG = re.compile(
    r"(?P<stem>\\?[A-Za-z]+)_\{?(?:(?P<first>\w+?),? ?(?=[xyz]\}?$))?"
    r"(?P<axis>[xyz])(?P<last>\d)?\}?"
)
"""A letter with that of an axis below it."""
_ENERGIES = frozenset({*KINETIC, *LAGRANGIANS})


def of_gravity(meanings: Meanings) -> Iterator[Definition]:
    """Iterate over what the gravity terms ``g(q)`` are where ``g`` is set out as a column."""
    definitions = meanings.definitions
    known = [] if GRAVITY_TERMS in definitions else definitions.get("g", [])
    letter = Letter(GRAVITY_TERMS, 0)
    yield from (replace(one, letter=letter) for one in known if not one.grid.is_scalar)


def in_other_fonts(meanings: Meanings, every: Sequence[Statement]) -> Iterator[Definition]:
    r"""Iterate over matrices and columns in another font: ``\mathbf{A}`` where A is set out.

    In its section. Of small letters those in bold alone, since x may be a coordinate beside it.
    """
    alike = defaultdict[str, list[str]](list)
    for key, known in meanings.definitions.items():
        if known:
            alike[bare_of_font(key)].append(key)
    for key in sorted(meanings.keys.difference(*alike.values())):
        plain = bare_of_font(key)
        known = meanings.definitions[alike[plain][0]] if len(alike.get(plain, ())) == 1 else []
        is_meant = is_vector(key) or plain[:1].isupper()
        for one in known if is_meant else ():
            section = one.statement.section
            if not one.grid.is_scalar:
                elsewhere = (it for it in every if it.section != section)
                misfits = one.misfits.union(it.number for it in elsewhere)
                yield replace(one, letter=Letter(key, 0), misfits=misfits)


def along_axes(meanings: Meanings) -> Iterator[Definition]:
    r"""Iterate over components of columns by the letter of an axis: ``\mathbf{p}_{1,y}`` of p_1.

    Where nothing else says what they are.
    """
    columns = defaultdict[str, list[Definition]](list)
    for key, known in meanings.definitions.items():
        columns[bare_of_font(key)] += (one for one in known if one.grid.shape[1] == 1)
    for key in sorted(meanings.keys - meanings.letters.moving):
        match = _ALONG.fullmatch(bare_of_font(key))
        if match is None or meanings.definitions.get(key):
            continue
        stem, of = match["stem"], match["first"] or match["last"]
        names = (f"{stem}_{of}", f"{stem}_{{{of}}}") if of else (stem,)
        known = [one for name in names for one in columns.get(name, ())]
        place = "xyz".index(match["axis"])
        if len(known) == 1 and place < len(known[0].grid.rows) > 1:
            form, letter = known[0].grid.rows[place][0], Letter(key, 0)
            if letter not in letters_of(meanings.letters, form):
                yield replace(known[0], letter=letter, grid=Grid.scalar(form))


def of_each_number(meanings: Meanings, statement: Statement) -> Iterator[Definition]:
    r"""Iterate over what ``c_i = \cos\theta_i`` says of each number that stands for the index.

    Or ``v_i^2 = \dot x_i^2 + \dot y_i^2``.
    """
    relation = statement.relation
    speeds = ((name, root(node)) for name, node in statement.squares() if is_of_rates(node))
    for name, node in chain([(relation.left, relation.right)], speeds):
        found = INDEXED.fullmatch(name.key) if isinstance(name, Name) else None
        if found is None:
            continue
        for key in sorted(meanings.keys):
            number = NUMBERED.fullmatch(key)
            if number is None or number[1] != found[1] or key in meanings.definitions:
                continue
            of_number = _numbered(node, found[2], number[2])
            names = {bare(one.key) for one in walk(of_number) if isinstance(one, Name)}
            counted = names - {bare(one.key) for one in walk(node) if isinstance(one, Name)}
            if names <= meanings.keys and counted:  # else it is no index, as i of a current
                yield from meanings.said_by(statement, [(Letter(key, 0), of_number)])


def is_of_rates(node: Node) -> bool:
    """Return whether a node is made of velocities."""
    return any(
        isinstance(one, TimeDerivative) or (isinstance(one, Name) and one.dots == 1)
        for one in walk(node)
    )


def root(node: Node) -> Node:
    """Return the square root of a node."""
    return Call("sqrt", node, node.span)


def times_energy(side: Node, other: Node) -> tuple[Letter, Node] | None:
    r"""Return the energy that a side is a multiple of, ``\frac{1}{m} L`` or ``2T``, with its value.

    That of what moves, which has squares of rates; L may be an angular momentum as well.

    Parameters
    ----------
    side, other : Node
        Of an equation.
    """
    if not has_squared_rates(other):
        return None
    match side:
        case Divide(numerator=Name(key=key, dots=0), denominator=below) if key in _ENERGIES:
            return Letter(key, 0), Multiply((below, other), other.span)
        case Multiply(factors=factors):
            energies = [one for one in factors if isinstance(one, Name) and one.key in _ENERGIES]
            rest = tuple(one for one in factors if one not in energies)
            if len(energies) == 1 and rest and not energies[0].dots:
                below = Multiply(rest, side.span)
                return Letter(energies[0].key, 0), Divide(other, below, other.span)
    return None


def _numbered(node: Any, index: str, number: str) -> Any:
    """Return a node with a number in place of the index of its names."""

    def change(part: Any) -> Any:
        return _numbered(part, index, number)

    if isinstance(node, Name):
        return replace(node, key=re.sub(rf"_\{{?{index}\}}?$", f"_{number}", node.key))
    return rebuilt(node, change)
