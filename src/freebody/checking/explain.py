"""Which printed term makes an equation differ.

Where one side is a single quantity, what was derived for it and what is printed are compared term
by term. Elsewhere, and where that takes many terms, the printed term is looked for that, changed
alone, makes the equation hold: a number in front of it, a symbol, a cosine or sine, an angle, an
exponent. Where there is none, all that is left over of left minus right is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.points import PRIME
from freebody.algebra.readback import read_terms
from freebody.algebra.terms import Rational
from freebody.checking.findings import Difference
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.meaning import Candidate, Evaluator, Symbols
from freebody.checking.pairs import Pair, pairs, walk
from freebody.documents.latex.displays import Relation
from freebody.documents.latex.tree import Call, Name, Node, Power, Term
from freebody.mechanics.notation import python

Table = dict[sympy.Expr, sympy.Rational]


def explained(
    symbols: Symbols, relation: Relation, index: int, printed: Pair, residual: Form
) -> list[Difference]:
    """Return the terms that make one scalar equation of a relation differ.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.
    index : int
        Which of its scalar equations.
    printed : Pair
        That scalar equation.
    residual : Form
        What is left of left minus right on the level of coordinates.
    """
    names = symbols.quantities.mechanism.names
    direct = _direct(symbols, printed)
    changes = direct or _leftover(printed, residual)
    shown = not changes.keys().isdisjoint(_table(printed.left) | _table(printed.right))
    if len(changes) > (2 if direct else 1) or not shown:
        repaired = SingleChanges(symbols, relation, index, printed, residual).found()
        alone = [_compared(printed, pair) for pair in repaired if pair.left or pair.right]
        compared = [changes] if shown or not alone else []
        changes = min([*compared, *alone] if direct else [*alone, *compared], key=len)
    return [
        Difference(printed.entry, python(term, names), str(was), str(should))
        for term, (was, should) in changes.items()
    ]


Changes = dict[sympy.Expr, tuple[sympy.Rational, sympy.Rational]]


def _table(form: Form) -> Table:
    return {term.product: term.coefficient for term in read_terms(form)}


def _changes(printed: Table, derived: Table) -> Changes:
    zero = sympy.S.Zero
    both = ((term, printed.get(term, zero), derived.get(term, zero)) for term in printed | derived)
    return {term: (was, should) for term, was, should in both if was != should}


def _direct(symbols: Symbols, pair: Pair) -> Changes | None:
    """Compare a side that is written out with what was derived for a single quantity."""
    quantities = symbols.quantities
    determined = quantities.derived.keys() | quantities.eliminated.keys()
    for formula, other in ((pair.right, pair.left), (pair.left, pair.right)):
        single = len(_table(other)) == 1 and not determined.isdisjoint(_atoms(other))
        if single and determined.isdisjoint(_atoms(formula)):
            return _changes(_table(formula), _table(quantities.lower(other)))
    return None


def _atoms(form: Form) -> set[sympy.Expr]:
    return {form.ring.generators[place].expr for place in form.terms.places()}


def _leftover(pair: Pair, residual: Form) -> Changes:
    """Return the terms of left minus right, each on the side where it is printed.

    A term that is not printed belongs on the side where the others are.
    """
    left, right = _table(pair.left), _table(pair.right)
    excesses = _table(residual)
    on_left = any(term in left for term in excesses) and right.keys().isdisjoint(excesses)
    found: Changes = {}
    for term, excess in excesses.items():
        if on_left or (term in left and term not in right):
            was = left.get(term, sympy.S.Zero)
            found[term] = (was, was - excess)
        else:
            was = right.get(term, sympy.S.Zero)
            found[term] = (was, was + excess)
    return found


def _compared(printed: Pair, changed: Pair) -> Changes:
    """Return the terms by which an equation changes, of both sides.

    An equation with another denominator is multiplied out by another number, which is no change.
    """
    was = (_table(printed.left), _table(printed.right))
    now = (_table(changed.left), _table(changed.right))
    both = [
        (a[term], b[term]) for a, b in zip(was, now, strict=True) for term in a.keys() & b.keys()
    ]
    open_scales = {x / y for x, y in both} if changed.is_cleared else set()
    scales = sorted(open_scales | {sympy.S.One}, key=lambda x: (x != 1, x))
    return min((_scaled_changes(was, now, scale) for scale in scales), key=len)


def _scaled_changes(
    was: tuple[Table, Table], now: tuple[Table, Table], scale: sympy.Rational
) -> Changes:
    found: Changes = {}
    for before, after in zip(was, now, strict=True):
        found |= _changes(before, {term: x * scale for term, x in after.items()})
    return found


class SingleChanges:
    """The changes of a single node of a printed equation that make it hold."""

    def __init__(
        self, symbols: Symbols, relation: Relation, index: int, printed: Pair, residual: Form
    ) -> None:
        self.symbols = symbols
        self.quantities = symbols.quantities
        self.ring = symbols.quantities.ring
        self.relation = relation
        self.index = index
        self.printed = printed
        self.residual = residual
        self.plain = Evaluator(symbols)
        self.unknown = sympy.Dummy("unknown")
        self.nodes = [*walk(relation.left), *walk(relation.right)]

    def found(self) -> Iterator[Pair]:
        """Iterate over the equations that hold after one change."""
        exponents = {id(node.exponent) for node in self.nodes if isinstance(node, Power)}
        for node in self.nodes:
            if isinstance(node, Term):
                yield from self._multiplied(node.node)
            elif id(node) in exponents:
                yield from self._tried(node, (1, 2, 3))
            else:
                yield from self._scaled(node)
                yield from self._replaced(node)

    # ------------------------------------------------------------------ kinds of change

    def _scaled(self, node: Node) -> Iterator[Pair]:
        """Put another number in front of a node."""
        unknown = self.ring.symbol(self.unknown)
        for pair in self._with(node, lambda value: value * Grid.scalar(unknown)):
            parts = self._parts(pair, self.ring.one)
            if len(parts) == 2:
                factor = _ratio(-parts[0], parts[1])
                if factor is not None and factor != 1:
                    yield self._put(pair, self.ring.number(factor))

    def _replaced(self, node: Node) -> Iterator[Pair]:
        """Put another symbol, or another function of an angle, in place of a node."""
        if isinstance(node, Name):
            yield from self._put_in(node, self.symbols.scalars)
        elif isinstance(node, Call) and node.function in ("cos", "sin"):
            yield from self._put_in(node, self._waves)

    def _put_in(self, node: Node, values: list[Candidate]) -> Iterator[Pair]:
        value = self.plain.value(node)
        if value.is_scalar:
            yield from self._solved(node, values, value.form, lambda _, u: Grid.scalar(u))

    def _multiplied(self, node: Node) -> Iterator[Pair]:
        """Give a term a symbol that it lacks."""
        one, values = self.ring.one, self.symbols.scalars
        yield from self._solved(node, values, one, lambda value, u: value * Grid.scalar(u))

    def _solved(
        self,
        node: Node,
        values: list[Candidate],
        printed: Form,
        placed: Callable[[Grid, Form], Grid],
    ) -> Iterator[Pair]:
        """Put values in a place of the equation."""
        unknown = self.ring.symbol(self.unknown)
        for pair in self._with(node, lambda value: placed(value, unknown)):
            parts = self._parts(pair, printed)
            at_point = [self.quantities.point.value(part) for part in parts]
            for value in values if parts else ():
                powers = (pow(value.at_point, i, PRIME) * x for i, x in enumerate(at_point))
                if sum(powers) % PRIME == 0 and not self._worked_out(parts, value.lowered):
                    yield self._put(pair, value.form)

    def _tried(self, node: Node, powers: tuple[int, ...]) -> Iterator[Pair]:
        """Work the equation out anew with other numbers in place of a node."""
        for power in powers:
            number = Grid.scalar(self.ring.number(power))
            for pair in self._with(node, partial(_instead, number)):
                if not self.quantities.lower(pair.left - pair.right):
                    yield pair

    # ------------------------------------------------------------------ the equation changed

    def _with(self, node: Node, change: Callable[[Grid], Grid]) -> Iterator[Pair]:
        """Give the equation with a changed node; nothing where it has no meaning."""
        try:
            instead = {id(node): change(self.plain.value(node))}
            yield pairs(Evaluator(self.symbols, instead), self.relation)[self.index]
        except MeaningError:
            return

    def _parts(self, pair: Pair, printed: Form) -> list[Form]:
        """Return what stands in what is left over with each power of the unknown; if any does.

        The printed value of the unknown leaves the residual, which saves working it out anew
        where the unknown occurs once.
        """
        parts = self.ring.coefficients(pair.left - pair.right, (self.unknown,))
        most = max((power for (power,) in parts), default=0)
        if most == 0 or any(power < 0 for (power,) in parts):
            return []
        rest, *others = (parts.get((power,), self.ring.zero) for power in range(most + 1))
        lowered = list(map(self.quantities.lower, others))
        whole = self.printed.left - self.printed.right
        if most == 1 and (rest + others[0] * printed).terms == whole.terms:
            return [self.residual - lowered[0] * self.quantities.lower(printed), *lowered]
        return [self.quantities.lower(rest), *lowered]

    def _worked_out(self, parts: list[Form], value: Form) -> Form:
        total = self.ring.zero
        for part in reversed(parts):
            total = total * value + part
        return total

    def _put(self, pair: Pair, value: Form) -> Pair:
        left, right = (
            self.ring.substitute(side, {self.unknown: value}) for side in (pair.left, pair.right)
        )
        return Pair(pair.entry, left, right, pair.is_cleared)

    @cached_property
    def _waves(self) -> list[Candidate]:
        """The cosines and sines of all angles on the page's and on the derived side."""
        sides = (self.printed.left, self.printed.right)
        forms = (*sides, *map(self.quantities.lower, sides))
        angles = {term.angle for form in forms for term in read_terms(form)}
        waves = (sympy.cos, sympy.sin)
        return [
            self.symbols.candidate(self.ring.form(wave(angle)))
            for angle in sorted(angles - {sympy.S.Zero}, key=str)
            for wave in waves
        ]


def _instead(number: Grid, _: Grid) -> Grid:
    return number


def _ratio(numerator: Form, denominator: Form) -> Rational | None:
    """Return the number that one form is of another, if it is."""
    if not denominator:
        return None
    if not numerator:
        return QQ(0)
    both = numerator.ring.multiplied_out([numerator, denominator])
    upper, lower = (form.terms.table for form in both)
    if upper.keys() != lower.keys():
        return None
    ratios = {upper[key] / lower[key] for key in upper}
    return ratios.pop() if len(ratios) == 1 else None
