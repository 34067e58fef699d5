"""What a page takes for granted: small angles, and what has a given value.

An equation that does not hold as it is printed is judged under the assumptions of its page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

import sympy

from freebody.algebra import Form
from freebody.algebra.readback import read_terms
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import Terms
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.field_evaluator import compare_at_random_points
from freebody.checking.meaning.pairs import APPROXIMATIONS, differences
from freebody.checking.meaning.residual import residuals
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.assumed import AssumedQuantities, Cut, Reader
from freebody.checking.quantities.derived import Quantities
from freebody.checking.values import holds_in_numbers
from freebody.documents.document import Assumption
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import AtPoint, Name, walk
from freebody.errors import ExpressionError, NoValueError, Problem

ORDERS_PRINTED = (1, 2, 3)
"""To which orders an equation is tried that words call one of small motions."""
Taken = tuple[Symbols, tuple[str, ...]]
"""The symbols with which an equation is judged, and what is assumed for it."""
LINEAR = "linear."
"""How the paths of matrices begin that are of an equilibrium."""
ORDERS = ("zeroth", "first", "second", "third", "fourth")


class Assumptions:
    """The assumptions of a page, and which of them its equations need.

    Parameters
    ----------
    entries : sequence of Assumption
        As the front matter has them.
    quantities : Quantities
        Of the model of the equations.
    left : collection of int, optional
        The numbers of those that are about another model.

    Attributes
    ----------
    judged, needed : set of int
        The numbers of those that cover an equation, and that an equation needs.
    """

    def __init__(
        self, entries: Sequence[Assumption], quantities: Quantities, left: Collection[int] = ()
    ) -> None:
        self.entries = tuple(entries)
        self.quantities = quantities
        self.left = frozenset(left)
        self.judged: set[int] = set()
        self.needed: set[int] = set()
        self._reader = Reader(quantities)
        self._known: dict[tuple[int, ...], Quantities] = {(): quantities}
        self._put: dict[tuple[str, ...], Quantities] = {}
        self._taken: dict[tuple[Symbols, Relation], Taken] = {}
        self._symbols: dict[tuple[Symbols, tuple[int, ...]], Symbols] = {}

    def problems(self) -> Iterator[Problem]:
        """Iterate over what is wrong with them."""
        for number, entry in enumerate(self.entries):
            if number not in self.left:
                yield from self._reader.problems(number, entry)

    def wrong(self) -> frozenset[int]:
        """Return the numbers of those that make no sense for the model."""
        entries = enumerate(self.entries)
        return frozenset(n for n, entry in entries if any(self._reader.problems(n, entry)))

    def labels(self) -> tuple[str, ...]:
        """Return the labels of the equations that they name."""
        return tuple(label for entry in self.entries for label in entry.labels)

    def taken(self, symbols: Symbols, relation: Relation) -> Taken:
        """Return the symbols with which an equation is judged, and what is assumed for it.

        What is assumed is left away where the equation holds without it.
        """
        key = symbols, relation
        if key not in self._taken:
            self._taken[key] = self._needed(symbols, relation)
        return self._taken[key]

    def _needed(self, symbols: Symbols, relation: Relation) -> Taken:
        covering = self._covering(relation.label)
        self.judged.update(covering)
        if not covering:
            return symbols, ()
        with symbols.quantities.ring.budget.work():
            fixed = self._fixed(symbols, relation)
            if holds_somehow(self._under(symbols, fixed), relation):
                needed = tuple(n for n in fixed if self._changes(symbols, relation, fixed, n))
            else:
                needed = tuple(sorted({*fixed, *self._needed_for(symbols, relation, covering)}))
            self.needed.update(needed)
            told = tuple(
                text for number in needed for text in assumption_in_words(self.entries[number])
            )
            return self._under(symbols, needed), told

    def besides(
        self, symbols: Symbols, relation: Relation, cases: Sequence[Assumption]
    ) -> tuple[Symbols, tuple[str, ...]] | None:
        """Return the symbols under cases that a page puts, if an equation holds with them alone.

        As few cases as possible are taken, the latest first, besides what the page assumes.
        """
        start = self._under(symbols, self._fixed(symbols, relation))
        if not cases or holds_somehow(start, relation):
            return None
        if any(case.small for case in cases):
            return self._besides_small(symbols, relation, cases)
        entries = [self.entries[number] for number in self._covering(relation.label)]
        needed, under = list(cases), self._with(symbols, [*entries, *cases])
        if under is None or not holds_somehow(under, relation):
            return None
        for one in cases:
            fewer = [case for case in needed if case is not one]
            again = self._with(symbols, [*entries, *fewer])
            if again is not None and holds_somehow(again, relation):
                needed, under = fewer, again
        return under, tuple(text for one in needed for text in assumption_in_words(one))

    def _besides_small(
        self, symbols: Symbols, relation: Relation, cases: Sequence[Assumption]
    ) -> tuple[Symbols, tuple[str, ...]] | None:
        """Return the symbols with what is small kept to the order that the equation prints."""
        plain = [case for case in cases if not case.small]
        found = self.besides(symbols, relation, plain)
        if found is not None:
            return found
        entries = [self.entries[number] for number in self._covering(relation.label)]
        for order in ORDERS_PRINTED:
            cut, finer = (to_order(cases, one) for one in (order, order + 1))
            under, behind = (self._with(symbols, [*entries, *one]) for one in (cut, finer))
            if under is None or behind is None or order < _explicit_order(under, relation):
                continue
            if not holds_somehow(under, relation):
                continue
            is_rough = relation.relation in APPROXIMATIONS
            if is_rough or _printed_to(under, relation) == _printed_to(behind, relation):
                return under, tuple(text for one in cut for text in assumption_in_words(one))
        return None

    def under(
        self, symbols: Symbols, relation: Relation, cases: Sequence[Assumption]
    ) -> tuple[Symbols, tuple[str, ...]]:
        """Return the symbols under cases that a page puts, and what these are.

        What is small is kept to the order that the equation prints.
        """
        for order in ORDERS_PRINTED:
            cut = to_order(cases, order)
            under, behind = (self._with(symbols, one) for one in (cut, to_order(cases, order + 1)))
            if under is None or behind is None:
                break
            if _printed_to(under, relation) == _printed_to(behind, relation):
                return under, tuple(text for one in cut for text in assumption_in_words(one))
        return symbols, ()

    def _with(self, symbols: Symbols, entries: Sequence[Assumption]) -> Symbols | None:
        key = tuple(repr(entry) for entry in entries)
        try:
            if key not in self._put:
                self._put[key] = self._assumed(entries)
            return replace(symbols, quantities=self._put[key], _known={})
        except ExpressionError:
            return None

    def _fixed(self, symbols: Symbols, relation: Relation) -> tuple[int, ...]:
        """Return the numbers of what says where the equilibrium is that an equation is about.

        Without it, that would be where all is zero, at which the equation may hold as well.
        """
        if not is_at_equilibrium(symbols, relation):
            return ()
        return tuple(n for n in self._covering(relation.label) if self.entries[n].given)

    def _covering(self, label: str) -> tuple[int, ...]:
        entries = enumerate(self.entries)
        fit = ((n, entry) for n, entry in entries if n not in self.left)
        return tuple(n for n, entry in fit if covers(entry.labels, label))

    def _needed_for(
        self, symbols: Symbols, relation: Relation, covering: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Return those without which an equation does not hold; else those that change it."""
        if not holds_somehow(self._under(symbols, covering), relation):
            return tuple(n for n in covering if self._changes(symbols, relation, covering, n))
        needed = covering
        for number in covering:
            fewer = tuple(n for n in needed if n != number)
            if holds_somehow(self._under(symbols, fewer), relation):
                needed = fewer
        return needed

    def _changes(
        self, symbols: Symbols, relation: Relation, covering: tuple[int, ...], number: int
    ) -> bool:
        """Return whether what is left is another without one of the assumptions."""
        fewer = tuple(n for n in covering if n != number)
        under = (self._under(symbols, numbers) for numbers in (fewer, covering))
        without, with_it = (_left(one, relation, one.quantities.lower) for one in under)
        return without is None or without != with_it

    def _under(self, symbols: Symbols, numbers: tuple[int, ...]) -> Symbols:
        if numbers not in self._known:
            self._known[numbers] = self._assumed([self.entries[number] for number in numbers])
        key = symbols, numbers
        if key not in self._symbols:
            self._symbols[key] = replace(symbols, quantities=self._known[numbers])
        return self._symbols[key]

    def _assumed(self, entries: Sequence[Assumption]) -> AssumedQuantities:
        cuts = [self._reader.cut(entry.small, entry.order) for entry in entries if entry.small]
        given, instant = self._reader.given(entries), self._reader.instant(entries)
        is_steady = any(entry.steady for entry in entries)
        return AssumedQuantities(self.quantities, given, cuts, instant, is_steady=is_steady)


def is_at_equilibrium(symbols: Symbols, relation: Relation) -> bool:
    """Return whether an equation is about what is worked out at an equilibrium."""
    nodes = [*walk(relation.left, relation.right)]
    meanings = [symbols.meanings.get(node.key) for node in nodes if isinstance(node, Name)]
    is_linear = any(LINEAR in str(meaning) for meaning in meanings)
    return is_linear or any(isinstance(node, AtPoint) and not node.given for node in nodes)


def to_order(cases: Sequence[Assumption], order: int) -> list[Assumption]:
    """Return cases with what is small kept to another order."""
    return [case.model_copy(update={"order": order}) if case.small else case for case in cases]


def _printed_to(symbols: Symbols, relation: Relation) -> list[Terms] | None:
    """Return what is printed, cut behind the order in what is small."""
    return _left(symbols, relation, symbols.quantities.settled)


def _left(
    symbols: Symbols, relation: Relation, level: Callable[[Form], Form]
) -> list[Terms] | None:
    """Return left minus right of each scalar equation; None where it cannot be worked out."""
    try:
        return [level(form).terms for form in differences(Evaluator(symbols), relation)]
    except NoValueError:
        return None


def _explicit_order(under: Symbols, relation: Relation) -> int:
    r"""Return the order that an equation prints, as 3 of ``\dot\theta^2 \sin\theta``."""
    try:
        forms = differences(Evaluator(under), relation)
    except NoValueError:
        return 0
    quantities = under.quantities
    orders = [_order_of(form, cut) for cut in getattr(quantities, "cuts", ()) for form in forms]
    return min(max(orders, default=0), max(ORDERS_PRINTED))


def _order_of(form: Form, cut: Cut) -> int:
    moved, small = substituted(form, cut.shifted), {*cut.small}
    products = (term.product for term in read_terms(moved))
    return max((sum(_orders(product, small)) for product in products), default=0)


def _orders(product: sympy.Expr, small: set[sympy.Expr]) -> Iterator[int]:
    """Iterate over the orders of the factors of a product, as they are printed."""
    for factor in sympy.Mul.make_args(product):
        base, exponent = factor.as_base_exp()
        if base in small and exponent.is_Integer:
            yield int(exponent)
        elif isinstance(base, sympy.sin) and exponent.is_Integer:
            yield int(exponent) * (any(base.has(one) for one in small))


def covers(labels: Sequence[str], label: str) -> bool:
    """Return whether labels name an equation; all do if there are none.

    The label of a display names all its equations.

    Examples
    --------
    >>> covers(["(12)"], "(12.2)"), covers(["(1)"], "(12)"), covers([], "(3)")
    (True, False, True)
    """
    display = label.rpartition(".")[0] + ")" if "." in label else label
    return not labels or label in labels or display in labels


def assumption_in_words(assumption: Assumption) -> list[str]:
    """Return what an assumption says, in words.

    Examples
    --------
    >>> assumption_in_words(Assumption(small=("theta", "phi"), given={"I": "m*l**2/12"}))
    ['I = m*l**2/12 is given', 'theta and phi are small: kept to first order']
    """
    note = f" ({assumption.note})" if assumption.note else ""
    how = "is steady" if assumption.steady else "is given"
    lines = [f"{name} = {value} {how}" for name, value in assumption.given.items()]
    lines += [f"{name} = {value} at an instant" for name, value in assumption.instant.items()]
    *most, last = assumption.small or ("",)
    if last:
        names = f"{', '.join(most)} and {last} are" if most else f"{last} is"
        lines.append(f"{names} small: kept to {ORDERS[assumption.order]} order")
    return [line + note for line in lines]


def holds_somehow(symbols: Symbols, relation: Relation) -> bool:
    """Return whether an equation holds, in canonical form, at random points or in numbers."""
    quantities = symbols.quantities
    is_free = not getattr(quantities, "given", None)  # what is held may be no constant of energy
    try:
        left = list(residuals(symbols, relation))
        holds = all(one.comparison if is_free else quantities.vanishes(one.form) for one in left)
    except NoValueError:
        return _holds_at_points(symbols, relation)
    return holds or _holds_in_numbers(symbols, relation)


def _holds_at_points(symbols: Symbols, relation: Relation) -> bool:
    try:
        return compare_at_random_points(symbols, relation).equal
    except MeaningError:
        return False


def _holds_in_numbers(symbols: Symbols, relation: Relation) -> bool:
    try:
        numerical = holds_in_numbers(symbols, relation)
    except MeaningError:
        return False
    return numerical is not None and numerical.holds
