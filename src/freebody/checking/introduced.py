r"""Symbols that nobody declares and that the page itself introduces, by its equations.

``\bar m = m_1 l_1 + m_2 l_2`` says what ``\bar m`` stands for where it is used, and ``m_1 = m_2 =
m`` what ``m`` does. A symbol that nothing else uses may be a misprint, and is not taken so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from freebody.algebra import Form
from freebody.checking.evidence import names
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.checking.meaning.symbols import Meaning, Symbols
from freebody.checking.repair.vocabulary import word
from freebody.documents.latex.names import as_column
from freebody.documents.latex.names import printed as printed_name
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    Matrix,
    Name,
    Node,
    Number,
    Power,
    Span,
    Transpose,
    differentiated,
    keys_in,
)
from freebody.errors import FreebodyError
from freebody.mechanics.notation import python

_ARGUMENTS = re.compile(r"(?<!\^\{)\((?:[^()]|\([^()]*\))*\)")
_IF = re.compile(r"\b(?:if|wenn|falls|si|se|если|若)\s*[$`\\(]*\s*\Z", re.IGNORECASE)
_NEAR = 20
"""Characters before an equation in which it is said to be a condition."""
TIME = "t"
LONGEST = 4000
"""Characters of an expression that a symbol is defined by."""
SHORTEST_TOLD = 80
"""Up to how many printed characters a definition is repeated where it is used."""


@dataclass(frozen=True, slots=True)
class Own:
    """A symbol with what a page defines it by.

    Attributes
    ----------
    key : str
    meaning : str or list
        In quantities of the model.
    relation : Relation
        The equation that defines it.
    note : str
        What is told where it is used.
    """

    key: str
    meaning: Meaning
    relation: Relation
    note: str

    def is_by(self, relation: Relation) -> bool:
        """Return whether an equation is the one that defines it."""
        return (self.relation.label, self.relation.span) == (relation.label, relation.span)


def introduced(
    symbols: Symbols, relations: Sequence[Relation], text: str, chained: Collection[Span] = ()
) -> tuple[Symbols, dict[str, Own]]:
    """Return the symbols with those that a page introduces, and the definitions by symbol.

    Parameters
    ----------
    symbols : Symbols
        What is declared.
    relations : sequence of Relation
        The equations with names that are not declared, read as if they were.
    text : str
        The page.
    chained : collection of Span
        The sides of its chains of equations that two of these have: such a chain introduces a
        name even where nothing else uses it.
    """
    uses = Counter(bare(key) for one in relations for key in names(one))
    found = {
        own.key: own
        for relation in reversed(relations)
        for own in _equal(symbols, relation, text)
        if uses[bare(own.key)] > 1
        or not {relation.left.span, relation.right.span}.isdisjoint(chained)
    }
    symbols = symbols.changed({own.key: own.meaning for own in found.values()})
    offers = [
        (relation, name.key, node)
        for relation in relations
        for name, node in (*defines(relation), *_squared(relation))
        if name.key not in symbols.meanings
        and not name.indices
        and (uses[bare(name.key)] > 1 or _is_listing(node) or node.span in chained)
    ]
    offers += columns(symbols, relations)
    twice = Counter((key, relation.span) for relation, key, _ in offers)
    offers = [one for one in offers if twice[one[1], one[0].span] == 1]  # none with both signs
    if TIME in uses.keys() - {key for _, key, _ in offers} - symbols.meanings.keys():
        symbols = symbols.changed({TIME: TIME})
    while one := _next(symbols, [offer for offer in offers if offer[1] not in found], text):
        found[one.key] = one
        symbols = symbols.changed({one.key: one.meaning})
    return symbols, found


def bare(key: str) -> str:
    """Return a name without what it is a function of."""
    return _ARGUMENTS.sub("", key)


def sides_of_chains(relations: Iterable[Relation]) -> set[Span]:
    """Return the sides that two equations of a page have, as b in a = b = c."""
    counts = Counter(side.span for one in relations for side in (one.left, one.right))
    return {span for span, count in counts.items() if count > 1}


def _equal(symbols: Symbols, relation: Relation, text: str) -> Iterator[Own]:
    """Iterate over what is introduced for constants of its letter, and not for one case alone."""
    if _IF.search(text, max(0, relation.span.start - _NEAR), relation.span.start):
        return
    sides = relation.left, relation.right
    for new, known in (sides, sides[::-1]):
        if isinstance(new, Name) and isinstance(known, Name) and not (new.dots or known.dots):
            alike = word(new).family[0] == word(known).family[0]
            if alike and new.key not in symbols.meanings and _is_constant(symbols, known):
                note = _as_defined(new.key, known, relation.label, text)
                yield Own(new.key, symbols.meanings[known.key], relation, note)


def _is_constant(symbols: Symbols, name: Name) -> bool:
    if name.key not in symbols.meanings or name.indices:
        return False
    constants = symbols.quantities.mechanism.names.constants.values()
    entries = symbols.value(name.key).entries()
    return all(form.ring.expression(form) in constants for form in entries)


def defines(relation: Relation) -> Iterator[tuple[Name, Node]]:
    """Iterate over the names that are alone on one side of an equation, with the other side."""
    if relation.relation in EQUALITIES:
        sides = relation.left, relation.right
        for name, node in (sides, sides[::-1]):
            if isinstance(name, Name) and not name.dots and name.key not in keys_in(node):
                yield name, node


def begins(relation: Relation) -> bool:
    r"""Return whether an equation says only where something begins: ``\dot x = \dot x_0``."""
    sides = differentiated(relation.left), differentiated(relation.right)
    if relation.relation not in EQUALITIES or None in sides:
        return False
    (one, order), (other, other_order) = (side for side in sides if side)
    keys = {bare(one.key), bare(other.key)}
    return order == other_order and any({key, f"{key}_0"} == keys for key in keys)


def entries_beside(left: Node, right: Node) -> list[tuple[Node, Node]]:
    """Return the entries of two matrices with as many rows, side by side; none of others."""
    match left, right:
        case Matrix(rows=names), Matrix(rows=nodes) if len(names) == len(nodes):
            return [*zip(chain(*names), chain(*nodes), strict=False)]
    return []


def columns(
    symbols: Symbols, relations: Iterable[Relation]
) -> Iterator[tuple[Relation, str, Node]]:
    r"""Iterate over columns called as a scalar that stands in them: ``x = (x, \dot x)^T``."""
    found = [
        (relation, as_column(name.key), node)
        for relation in relations
        if relation.relation in EQUALITIES
        for name, node in ((relation.left, relation.right), (relation.right, relation.left))
        if isinstance(name, Name) and not name.dots and cells_of(node)
        if name.key in keys_in(node) and name.key in symbols.meanings and "^" not in name.key
        if symbols.value(name.key, name.indices).is_scalar
    ]
    counts = Counter(key for _, key, _ in found)
    yield from (one for one in found if counts[one[1]] == 1)


def cells_of(node: Node) -> list[Node]:
    """Return the cells of a column or a row of several; none of anything else."""
    while isinstance(node, Transpose):
        node = node.node
    rows = node.rows if isinstance(node, Matrix) else ()
    cells = [cell for row in rows for cell in row]
    return cells if len(cells) > 1 and 1 in (len(rows), len(rows[0])) else []


def _is_listing(node: Node) -> bool:
    """Return whether a column lists quantities, which says nothing of them."""
    cells = cells_of(node)
    return bool(cells) and all(isinstance(cell, Name | Number) for cell in cells)


def _squared(relation: Relation) -> Iterator[tuple[Name, Node]]:
    """Iterate over the names of which an equation gives the square, with the root."""
    sides = relation.left, relation.right
    for power, node in (sides, sides[::-1]):
        match power:
            case Power(base=Name() as name, exponent=Number(value=2)):
                root = Power(node, Number(Fraction(1, 2), node.span), node.span)
                yield from defines(replace(relation, left=name, right=root))


def _next(symbols: Symbols, offers: Sequence[tuple[Relation, str, Node]], text: str) -> Own | None:
    """Return the next definition that can be worked out: of a symbol the first, if that can."""
    first = {key: node for _, key, node in reversed(offers)}
    for relation, key, node in sorted(offers, key=lambda offer: first[offer[1]] is not offer[2]):
        meaning = _meaning(symbols, node)
        if meaning is not None:
            return Own(key, meaning, relation, _as_defined(key, node, relation.label, text))
    return None


def _as_defined(key: str, node: Node, label: str, text: str) -> str:
    printed = " ".join(text[node.span.start : node.span.stop].split())
    is_root = isinstance(node, Power) and node.span == node.base.span
    name = f"{printed_name(key)}^2" if is_root else printed_name(key)
    shown = f"{name} = {printed}," if len(printed) <= SHORTEST_TOLD else name
    return f"{shown} as {label} defines it"


def _meaning(symbols: Symbols, node: Node) -> Meaning | None:
    """Return what a node is worth in quantities of the model, if it is made of known symbols."""
    keys = keys_in(node)
    if not (keys or cells_of(node)) or not keys <= symbols.meanings.keys():
        return None
    quantities = symbols.quantities
    with quantities.ring.budget.work():
        try:
            grid = Evaluator(symbols).value(node)
            rows = [[written(symbols, form) for form in row] for row in grid.rows]
            meaning: Meaning = rows[0][0] if grid.is_scalar else rows
            read = Symbols(quantities, {"": meaning}).value("")
        except (FreebodyError, ZeroDivisionError, KeyError):
            return None
        is_read = [form.terms for form in read.entries()] == [form.terms for form in grid.entries()]
        return meaning if is_read and (keys or any(grid.entries())) else None


def written(symbols: Symbols, form: Form) -> str:
    """Return a form as a meaning is declared."""
    quantities = symbols.quantities
    text = python(quantities.ring.expression(form), quantities.mechanism.names)
    if len(text) > LONGEST:
        raise MeaningError("a definition that is too long")
    return text
