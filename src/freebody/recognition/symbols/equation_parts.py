"""The parts of equations by which letters are told: sides, products, rates and steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.documents.latex.tree import Name, Node, differentiated, multiplied, terms_of

_NEXT = re.compile(r"(?P<base>.+)_\{?(?P<index>[kn])\s*\+\s*1\}?$")
Role = tuple[str, str]
"""A letter, and what it is."""


def both_ways(one: SymbolEquation) -> tuple[tuple[Node, Node], tuple[Node, Node]]:
    """Return the sides of an equation in either order."""
    left, right = one.relation.left, one.relation.right
    return (left, right), (right, left)


def added_up(node: Node) -> Iterator[tuple[int, Sequence[Node]]]:
    """Iterate over what is added up: its sign, and its factors."""
    for term in terms_of(node):
        yield term.sign, multiplied(term.node)


def all_products(one: SymbolEquation) -> Iterator[Sequence[Node]]:
    """Iterate over the factors of each product that is added up on either side."""
    for side in (one.relation.left, one.relation.right):
        yield from (factors for _, factors in added_up(side))


def rate_letter(node: Node) -> str | None:
    """Return the letter of which something is the first rate."""
    found = differentiated(node)
    return found[0].key if found and found[1] == 1 else None


def step_letter(node: Node) -> str | None:
    """Return the letter one step before one: ``x_k`` of ``x_{k+1}``."""
    found = _NEXT.match(node.key) if isinstance(node, Name) and not node.dots else None
    return f"{found['base']}_{found['index']}" if found else None


def is_still(node: Node) -> bool:
    """Return whether something is a letter without dots."""
    return isinstance(node, Name) and not node.dots


def is_letter(node: Node, key: str | None) -> bool:
    """Return whether something is a certain letter without dots."""
    return isinstance(node, Name) and node.key == key and not node.dots


def keys_of(node: Node) -> set[str]:
    """Return the key of a letter; none of anything else."""
    return {node.key} if isinstance(node, Name) else set()


def looks_like_matrix(node: Node) -> bool:
    """Return whether a letter is printed as matrices are: a capital, or bold."""
    if not isinstance(node, Name) or node.dots:
        return False
    looks = SymbolShape.of(node.key)
    return looks.is_styled or looks.letter[:1].isupper()


def is_whole(key: str) -> bool:
    """Return whether a letter is printed as a whole vector or matrix: bold, or with arguments."""
    return bool(arguments_of(key)) or SymbolShape.of(key).is_styled


def arguments_of(key: str) -> str:
    """Return the arguments of a letter."""
    return SymbolShape.of(key).arguments


def without_arguments(key: str) -> str:
    """Return a letter without its arguments."""
    return key.removesuffix(f"({arguments_of(key)})")
