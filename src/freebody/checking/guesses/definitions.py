r"""Symbols that a page defines by an expression of others, such as ``J_2 = I_2 + m_2 d_2^2``."""

from __future__ import annotations

from freebody.checking.guesses.conventions import Candidate
from freebody.checking.guesses.search import Search
from freebody.checking.guesses.symbols import Equation
from freebody.checking.introduced import defines
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.symbols import Symbols
from freebody.documents.latex.tree import Node
from freebody.errors import FreebodyError
from freebody.mechanics.notation import python

LONGEST = 400
"""Characters of an expression that a symbol is defined by."""
CONSTANT, VARYING = 0.9, 1.5
"""What such a meaning costs."""


def defined(search: Search) -> dict[str, Candidate]:
    """Return what a page defines, each with its expression."""
    found: dict[str, Candidate] = {}
    for equation in search.equations:
        for name, node in defines(equation.relation):
            key = name.key
            is_open = key not in found and not search.held(search.holding[key], {})
            is_open &= not any(one.definition for one in search.domains[key])
            if is_open and (one := _expression(search, equation, key, node)):
                found[key] = one
    return found


def _expression(search: Search, equation: Equation, key: str, node: Node) -> Candidate | None:
    others = [name for name in equation.keys if name != key]
    if not others or any(name not in search.chosen for name in others):
        return None
    quantities = search.trial.quantities
    symbols = Symbols(quantities, {name: search.chosen[name].meaning for name in others})
    try:
        with quantities.ring.budget.work():
            form = Evaluator(symbols).value(node).form
            cost = VARYING if quantities.varies(form) else CONSTANT
            text = python(quantities.ring.expression(form), quantities.mechanism.names)
    except (FreebodyError, KeyError):
        return None
    if len(text) > LONGEST or not form:
        return None
    return Candidate(text, cost, ("definition",), definition=node, made_of=tuple(others))
