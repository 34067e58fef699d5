r"""Letters of a page that mean one force, and elsewhere the sum of all that act.

A page writes ``F = -k x`` of a spring, and then ``F = m\ddot x`` of all forces. The second says
what F is there, and nothing of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from freebody.algebra.substitution import substituted
from freebody.checking.introduced import Own, defines
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.symbols import Symbols
from freebody.documents.latex import Relation
from freebody.documents.latex.names import printed
from freebody.documents.latex.tree import Node
from freebody.errors import FreebodyError


def sum_of_all(
    symbols: Symbols,
    relation: Relation,
    own: Mapping[str, Own],
    others: Iterable[Relation],
    holds: Callable[[Relation], bool],
) -> str:
    """Return why an equation that differs may be about the sum of all forces; else nothing.

    It is where it says that a letter, of which another equation says something else, is what is
    accelerated, and the page has the balance right elsewhere.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The equation.
    own : mapping of str to Own
        What the page introduces.
    others : iterable of Relation
        The equations of the page.
    holds : callable
        Says whether one of these holds.
    """
    for name, node in defines(relation):
        first = own.get(name.key)
        if first is None or not _is_inertia(symbols, node):
            continue
        for one in others:
            sides = one.left, one.right
            if one is not relation and _is_accelerated(symbols, *sides) and holds(one):
                letter = printed(name.key)
                return f"{first.note}; here {letter} may be the sum of all forces, as {one.label}"
    return ""


def _is_inertia(symbols: Symbols, node: Node) -> bool:
    """Return whether every term of a node has an acceleration."""
    return _is_accelerated(symbols, node) and _still(symbols, node)


def _still(symbols: Symbols, node: Node) -> bool:
    ring = symbols.quantities.ring
    rates = dict.fromkeys(symbols.quantities.mechanism.accelerations, ring.zero)
    return not any(substituted(form, rates) for form in Evaluator(symbols).value(node).entries())


def _is_accelerated(symbols: Symbols, *nodes: Node) -> bool:
    rates = {*symbols.quantities.mechanism.accelerations}
    try:
        forms = [form for node in nodes for form in Evaluator(symbols).value(node).entries()]
    except (FreebodyError, ZeroDivisionError):
        return False
    return any(form.symbols & rates for form in forms)
