r"""Identities in letters that stand for anything: ``\sin(a + b) = \sin a\cos b + \cos a\sin b``.

Letters that nobody declares and that stand on both sides of an equation are tried as free numbers.
"""

from __future__ import annotations

from typing import Any

import sympy

from freebody.checking.grid import Grid
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import COMPARED, differences
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.walk import Instead
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Name, Node, show, walk
from freebody.errors import FreebodyError

UNDECIDED = (
    "it is in letters alone that are not declared: it may hold for what they stand for, "
    "such as vectors and matrices"
)


def in_free_letters(symbols: Symbols, relation: Relation) -> dict[str, Any] | None:
    """Return what is said of an equation whose undeclared letters stand on both of its sides.

    Parameters
    ----------
    symbols : Symbols
        What is declared.
    relation : Relation
        The equation, read as if all of its names were declared.

    Returns
    -------
    dict or None
        Attributes of the verdict; None where the letters may be misprints.
    """
    sides = [_names(side) for side in (relation.left, relation.right)]
    free = [{name.key for name in side} - symbols.meanings.keys() for side in sides]
    is_repeated = show(relation.left) == show(relation.right)
    if relation.relation not in COMPARED or not free[0] or free[0] != free[1] or is_repeated:
        return None
    if any(name.dots or name.indices for side in sides for name in side if name.key in free[0]):
        return None
    letters = ", ".join(sorted(free[0]))
    if _is_identity(symbols, relation, free[0]):
        message = f"any {letters}: not declared, and read as numbers"
        return {"status": "holds", "proof": "exact", "readings": (message,)}
    alone = not any({name.key for name in side} & symbols.meanings.keys() for side in sides)
    if alone and len(free[0]) > 1:
        return {"status": "not checked", "note": f"{UNDECIDED} ({letters})"}
    return None


def _is_identity(symbols: Symbols, relation: Relation, free: set[str]) -> bool:
    ring = symbols.quantities.ring
    with ring.budget.work():
        numbers = {
            key: Grid.scalar(ring.symbol(sympy.Symbol(f"any.{key}", real=True))) for key in free
        }
        names = [*_names(relation.left), *_names(relation.right)]
        instead: Instead = {name: numbers[name.key] for name in names if name.key in free}
        try:
            left = differences(Evaluator(symbols, instead), relation)
            return not any(map(symbols.quantities.lower, left))
        except (FreebodyError, ZeroDivisionError):
            return False


def _names(node: Node) -> list[Name]:
    return [part for part in walk(node) if isinstance(part, Name)]
