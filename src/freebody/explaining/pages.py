"""What the equations of a page say, term by term, so that pages and models can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from freebody.algebra import Form, textbook
from freebody.algebra.expressions import references
from freebody.algebra.readback import read_terms
from freebody.checking.document import checkers_of
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import pairs
from freebody.checking.models import model_of, section_models
from freebody.checking.quantities.derived import Quantities
from freebody.checking.verdicts import Checker
from freebody.documents import Document
from freebody.documents.latex import Relation
from freebody.errors import FreebodyError
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel
from freebody.mechanics.notation import python

Table = dict[str, dict[str, str]]
"""The coefficients of terms, by entry."""


@dataclass(frozen=True)
class Entries:
    """What a page says.

    Attributes
    ----------
    title : str
    table : dict
        The terms of each quantity that it prints, and of its other equations by their labels.
    quantities : frozenset of str
        Which of the entries are quantities of the model.
    unread : tuple of str
        The labels of equations that have no value.
    """

    title: str
    table: Table
    quantities: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()


def page_entries(document: Document) -> Entries:
    """Return what a page says: a value of each quantity, and left minus right of what is left.

    Parameters
    ----------
    document : Document

    Raises
    ------
    DocumentError
        If what it declares makes no sense.
    """
    own = Quantities(model_of(document))
    models = {name: Quantities(model) for name, model in section_models(document).items()}
    table, named, unread = Table(), set[str](), list[str]()
    for checker in checkers_of(document, {**models, document.front.model: own}):
        for relation in checker.printed():
            if not isinstance(relation, Relation):
                unread.append(relation.label)
                continue
            try:
                for entry, is_quantity, form in _entries(checker, relation):
                    table.setdefault(entry, _terms(checker.symbols.quantities, form))
                    named |= {entry} if is_quantity else set()
            except FreebodyError:
                unread.append(relation.label)
    return Entries(document.front.title, table, frozenset(named), tuple(unread))


def model_entries(model: AnyModel, entries: Iterable[str]) -> Table:
    """Return what a model says of quantities, as far as it has them."""
    quantities, table = Quantities(mechanism(model).model), Table()
    for entry in entries:
        try:
            (reference,) = references(entry)
            found = quantities.resolve(reference)
        except FreebodyError:
            continue
        if not isinstance(found, sympy.MatrixBase):
            table[entry] = _terms(quantities, quantities.ring.form(found))
    return table


def _entries(checker: Checker, relation: Relation) -> Iterator[tuple[str, bool, Form]]:
    """Iterate over what an equation is about, whether that is a quantity, and what it says."""
    quantities = checker.symbols.quantities
    for pair in pairs(Evaluator(checker.symbols), relation):
        for one, other in ((pair.left, pair.right), (pair.right, pair.left)):
            symbol = _quantity(quantities, one)
            if symbol is not None:
                yield str(symbol), True, other
                break
        else:
            place = f" {pair.entry}" if pair.entry else ""
            yield f"equation {relation.label}{place}", False, pair.left - pair.right


def _quantity(quantities: Quantities, form: Form) -> sympy.Symbol | None:
    """Return the quantity that a side is, if it is one and nothing else."""
    whole: Any = textbook(form)
    return whole if whole.is_Symbol and quantities.entries_in(whole) else None


def _terms(quantities: Quantities, form: Form) -> dict[str, str]:
    names = quantities.mechanism.names
    terms = read_terms(quantities.lower(form))
    return {python(term.product, names): str(term.coefficient) for term in terms}
