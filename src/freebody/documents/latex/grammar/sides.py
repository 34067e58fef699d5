"""What a name means that is all of a side of an equation, where it has two meanings."""

from __future__ import annotations

from dataclasses import replace

from freebody.documents.latex.grammar.choices import Context
from freebody.documents.latex.names import LAGRANGIAN, LAGRANGIANS, Declared, as_column
from freebody.documents.latex.tree import Matrix, Name, Node, Transpose


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
