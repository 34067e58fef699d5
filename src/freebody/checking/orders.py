r"""The order of the state in which a page prints matrices of linear equations.

A model's state is its coordinates and then its speeds; pages on control have ``x, \dot x, \theta,
\dot\theta`` as often. Which order a page has is decided by its equations, for all of them alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from freebody.checking.meaning.residual import residuals
from freebody.checking.meaning.symbols import Meaning, Symbols
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name, walk
from freebody.errors import FreebodyError

Order = tuple[int, ...]
Taken = Callable[[Symbols, Relation], tuple[Symbols, tuple[str, ...]]]
_ORDERED = frozenset({"linear.A", "linear.B", "state", "state_rate"})


def in_the_order_of_the_page(
    symbols: Symbols, relations: Sequence[Relation], taken: Taken
) -> tuple[Symbols, dict[str, str]]:
    """Return the symbols with the state in the order that fits, and what is told of those.

    Parameters
    ----------
    symbols : Symbols
    relations : sequence of Relation
        The equations of the page.
    taken : callable
        Returns the symbols under what the page assumes for an equation.
    """
    known = symbols.meanings.items()
    meanings = {key: one for key, one in known if isinstance(one, str) and one in _ORDERED}
    using = [one for one in relations if not meanings.keys().isdisjoint(_keys(one))]
    if not using or not any(one.startswith("linear") for one in meanings.values()):
        return symbols, {}
    best, most = symbols, _fitting(symbols, using, taken)
    orders = dict[str, str]()
    has_square = any(meanings.get(key) == "linear.A" for one in using for key in _keys(one))
    for order in _orders(symbols, usual=has_square):
        if most == (len(using), 0):
            break
        changed = symbols.changed(
            {key: _ordered(symbols, one, order) for key, one in meanings.items()}
        )
        fitting = _fitting(changed, using, taken)
        if fitting > most:
            state = _state(symbols)
            shown = ", ".join(state[i] for i in order)
            best, most = changed, fitting
            orders = dict.fromkeys(meanings, f"the state is in the order {shown}")
    return best, orders


def _keys(relation: Relation) -> set[str]:
    nodes = walk(relation.left, relation.right)
    return {node.key for node in nodes if isinstance(node, Name) and not node.indices}


def _state(symbols: Symbols) -> list[str]:
    names = symbols.quantities.mechanism.names
    return [*names.coordinates, *names.speeds]


def _orders(symbols: Symbols, *, usual: bool) -> Iterator[Order]:
    """Iterate over orders besides the model's: those of columns of the page, then usual ones."""
    names = symbols.quantities.mechanism.names
    n, size = len(names.coordinates), len(_state(symbols))
    own: Order = tuple(range(size))
    if size != 2 * n or n < 1:
        return
    forms = [_entries(symbols, f"state[{i + 1}]") for i in own]
    for key, meaning in symbols.meanings.items():
        if isinstance(meaning, list) and len(meaning) == size:
            entries = [[form] for form in symbols.value(key).entries()]
            order = tuple(forms.index(one) for one in entries if one in forms)
            if sorted(order) == list(own) and order != own:
                yield order
    if usual and n > 1:
        yield tuple(i for pair in zip(range(n), range(n, size), strict=True) for i in pair)
    if usual:
        yield (*range(n, size), *range(n))


def _entries(symbols: Symbols, path: str) -> list[object]:
    return [*Symbols(symbols.quantities, {"": path}).value("").entries()]


def _ordered(symbols: Symbols, path: str, order: Order) -> Meaning:
    """Return a quantity of the state in another order."""
    inputs = range(len(symbols.quantities.mechanism.names.inputs))
    columns: Sequence[int] = order if path == "linear.A" else inputs
    if not path.startswith("linear"):
        return [f"{path}[{i + 1}]" for i in order]
    return [[f"{path}[{i + 1},{j + 1}]" for j in columns] for i in order]


def _fitting(symbols: Symbols, using: Sequence[Relation], taken: Taken) -> tuple[int, int]:
    """Return how many equations hold, and how many entries of the others differ, less than zero."""
    holding, differing = 0, 0
    for relation in using:
        try:
            under, _ = taken(symbols, relation)
            with under.quantities.ring.budget.work():
                wrong = sum(not one.comparison for one in residuals(under, relation))
        except FreebodyError:
            continue
        holding += not wrong
        differing += wrong
    return holding, -differing
