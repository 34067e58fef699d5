"""What a name means that is all of a side of an equation, where it has two meanings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from freebody.documents.latex.grammar.choices import Context
from freebody.documents.latex.names import LAGRANGIAN, LAGRANGIANS, Declared, as_column
from freebody.documents.latex.tokens.items import Command, Item, Token, words
from freebody.documents.latex.tree import Matrix, Name, Node, TimeDerivative, Transpose, is_zero

CONSERVED = "what is constant is checked by its derivative by time"
_CONSTANT = frozenset({"const", "constant", "konst", "cst", "cte", "constante", "konstant"})


def alone(node: Node, context: Context) -> Node:
    """Read an L that is all of a side, and a constant elsewhere: dimensions decide what it is."""
    if not isinstance(node, Name) or not may_be_lagrangian(node, context.declared):
        return node
    told = (
        f"'{node.key}' alone on a side is read as what it is elsewhere",
        f"'{node.key}' alone on a side is read as the Lagrangian",
    )
    chosen = context.choose(node.span.start, "lagrangian", *told)
    return replace(node, key=LAGRANGIAN) if chosen else node


def beside(node: Node, other: Node, declared: Declared) -> Node:
    """Read a scalar that a column is equal to as the column that the page calls the same."""
    while isinstance(other, Transpose):
        other = other.node
    if not isinstance(node, Name) or not isinstance(other, Matrix) or "^" in node.key:
        return node
    key = as_column(node.key)
    return replace(node, key=key) if declared.lookup(key) else node


def may_be_lagrangian(node: Name, declared: Declared) -> bool:
    """Return whether a name that is a constant elsewhere may be the Lagrangian as well."""
    if node.key not in LAGRANGIANS or node.dots or declared.lookup(LAGRANGIAN) is None:
        return False
    return not declared.varies(node.key)


def says_constant(items: Sequence[Item]) -> bool:
    r"""Return whether a side is but the word that the other is constant: ``\text{const.}``."""
    return _word(items).strip("(). ").lower() in _CONSTANT


def _word(items: Sequence[Item]) -> str:
    texts = (
        _word(item.arguments[0]) if isinstance(item, Command) else words(item) or item.text
        for item in items[: len("constante.") + 1]
        if isinstance(item, Command | Token)
    )
    return "".join(texts)


def unchanging(nodes: Sequence[Node], context: Context) -> list[Node]:
    """Return the sides of an equation that says that one is constant: its rate and zero."""
    context.told.append(CONSERVED)
    return [node if is_zero(node) else _rate(node) for node in nodes]


def _rate(node: Node) -> Node:
    if isinstance(node, Name):
        return replace(node, dots=node.dots + 1)
    return TimeDerivative(node, 1, node.span)
