"""Which printed term makes an equation differ, and how it is off.

Where one side is a single quantity, what was derived for it and what is printed are compared term
by term. Elsewhere, and where that takes many terms, the smallest repair says which terms it
changes. Where there is none, all that is left over of left minus right is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import sympy

from freebody.algebra import Form
from freebody.algebra.readback import read_terms
from freebody.checking.findings import Difference, Edit, Kind, PrintedTerm, Span
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import Pair, pairs
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.repair.search import FoundRepair
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Add, Labelled, Matrix, Node, Term, walk
from freebody.errors import NoValueError
from freebody.mechanics.notation import python

UNKNOWN = sympy.Symbol("?")
"""Stands for a coefficient that was not worked out."""

Side = Literal["left", "right"]
Table = dict[sympy.Expr, sympy.Rational]
Changes = dict[sympy.Expr, tuple[sympy.Expr, sympy.Expr]]


@dataclass(frozen=True)
class Unequal:
    """One scalar equation of a relation that differs.

    Attributes
    ----------
    index : int
        Which of its scalar equations.
    printed : Pair
        That scalar equation.
    residual : Form or None
        What is left of left minus right on the level of coordinates; None where that is too large
        to be written out.
    """

    index: int
    printed: Pair
    residual: Form | None


def explained(
    symbols: Symbols,
    relation: Relation,
    unequal: Sequence[Unequal],
    repairs: Sequence[FoundRepair],
    suspect: Side | None = None,
) -> list[Difference]:
    """Return the terms that make a relation differ.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.
    unequal : sequence of Unequal
        Those of its scalar equations that differ.
    repairs : sequence of FoundRepair
        The smallest repairs of the whole relation.
    suspect : {"left", "right"}, optional
        The side that is wrong, where the other one is known to be right.
    """
    places = _Places(symbols, relation, _accused(relation, repairs, suspect))
    names = symbols.quantities.mechanism.names
    mended: Mended = [(one, pairs(Evaluator(symbols), one.relation)) for one in repairs]
    found = []
    for one in unequal:
        changes, repair = _least(symbols, one, mended, suspect)
        repair = repair or next(iter(repairs), None)
        found += [
            Difference(
                one.printed.entry,
                python(term, names),
                str(was),
                str(should),
                _kind(was, should, repair),
                places.of(term, changes),
            )
            for term, (was, should) in changes.items()
        ]
    return found


Mended = list[tuple[FoundRepair, list[Pair]]]
"""Repairs, each with the scalar equations that it leaves."""


def _least(
    symbols: Symbols, one: Unequal, mended: Mended, suspect: Side | None
) -> tuple[Changes, FoundRepair | None]:
    """Return the fewest terms that explain a difference, and the repair that they are of."""
    printed = one.printed
    if one.residual is None:
        return _least_of_repairs(one, mended)
    direct = _direct(symbols, printed)
    changes = direct or _leftover(printed, one.residual, suspect)
    shown = not changes.keys().isdisjoint(_table(printed.left) | _table(printed.right))
    if len(changes) <= (2 if direct else 1) and shown:
        return changes, None
    alone = _alone(one, mended)
    compared: list[tuple[Changes, FoundRepair | None]] = (
        [(changes, None)] if shown or not alone else []
    )
    options = [*compared, *alone] if direct else [*alone, *compared]
    return min(options, key=lambda option: len(option[0]))


def _least_of_repairs(one: Unequal, mended: Mended) -> tuple[Changes, FoundRepair | None]:
    """Return what a repair says; where there is none, which term is not what it should be.

    That is a quantity that stands alone, or else the first term that is printed.
    """
    if alone := _alone(one, mended):
        return min(alone, key=lambda option: len(option[0]))
    tables = sorted((_table(one.printed.left), _table(one.printed.right)), key=len)
    term, coefficient = next(iter((tables[0] or tables[1]).items()))
    return {term: (coefficient, UNKNOWN)}, None


def _alone(one: Unequal, mended: Mended) -> list[tuple[Changes, FoundRepair]]:
    """Return what repairs change in one scalar equation, of those that do."""
    changed = [(_compared(one.printed, left[one.index]), found) for found, left in mended]
    return [(changes, found) for changes, found in changed if changes]


def _kind(was: sympy.Expr, should: sympy.Expr, repair: FoundRepair | None) -> Kind:
    """Return how a term is off: as the repair says, else by its coefficients."""
    if repair is not None and len({edit.kind for edit in repair.repair.edits}) == 1:
        return repair.repair.edits[0].kind
    if should == UNKNOWN:
        return "term"
    if was == 0:
        return "missing"
    if should == 0:
        return "extra"
    return "sign" if was == -should else "factor"


def of_side(
    relation: Relation, repairs: Sequence[FoundRepair], suspect: Side | None
) -> Iterator[FoundRepair]:
    """Iterate over those of some repairs that leave the side as it is that is right."""
    right = relation.right if suspect == "left" else relation.left
    for one in repairs:
        places = [_changed(edit) for edit in one.repair.edits]
        kept = _within(right, relation.span.start)
        if suspect is None or not any(_meet(place, kept) for place in places):
            yield one


def _accused(
    relation: Relation, repairs: Sequence[FoundRepair], suspect: Side | None
) -> list[Span] | None:
    """Return the terms among which the wrong ones are; None where they may be any."""
    if repairs:
        start, edits = relation.span.start, repairs[0].repair.edits
        spans = [_within(node, start) for node in _terms_of(relation)]
        changed = [_changed(edit) for edit in edits if edit.kind != "missing"]
        return [span for span in spans if any(_meet(place, span) for place in changed)]
    if suspect is None:
        return None
    side = relation.left if suspect == "left" else relation.right
    return [_within(side, relation.span.start)]


def _within(node: Node | Term, start: int) -> Span:
    return node.span.start - start, node.span.stop - start


def _terms_of(relation: Relation) -> Iterator[Node | Term]:
    yield from addends(relation.left)
    yield from addends(relation.right)


class _Places:
    """Where the terms of the canonical form are printed.

    Parameters
    ----------
    symbols : Symbols
    relation : Relation
    accused : list of tuple of int, optional
        The stretches where what is wrong stands.
    """

    def __init__(self, symbols: Symbols, relation: Relation, accused: list[Span] | None) -> None:
        self.start = relation.span.start
        self.evaluator = Evaluator(symbols)
        nodes = [node for node in walk(relation.left, relation.right) if isinstance(node, Term)]
        terms = [node for node in nodes if accused is None or self._is_in(node, accused)]
        self.tables = [(term, table) for term in terms if (table := self._products(term))]
        self.is_told = accused is not None

    def _is_in(self, node: Term, stretches: list[Span]) -> bool:
        first, last = _within(node, self.start)
        return any(start <= first and last <= stop for start, stop in stretches)

    def _products(self, term: Term) -> Table:
        try:
            grid = self.evaluator.value(term)
        except NoValueError:
            return {}
        return _table(grid.form) if grid.is_scalar else {}

    def of(self, product: sympy.Expr, changes: Changes) -> Span | None:
        """Return where a product is printed: the shortest term that holds it.

        Where nothing tells which of several terms that hold it is wrong, none is accused but one
        that is wrong as a whole.
        """
        found = [(len(table), term) for term, table in self.tables if product in table]
        if not self.is_told and len(_apart(term for _, term in found)) > 1:
            whole = [(n, t) for n, t in found if self._is_off(t, changes)]
            found = whole if len(_apart(term for _, term in whole)) == 1 else []
        if not found:
            return None
        _, term = min(found, key=lambda entry: entry[0])
        return _within(term, self.start)

    def _is_off(self, term: Term, changes: Changes) -> bool:
        """Return whether leaving a term out would change just what is wrong."""
        table = next(table for one, table in self.tables if one is term)
        return all(
            key in changes and abs(changes[key][0] - changes[key][1]) == abs(value)
            for key, value in table.items()
        )


def _apart(terms: Iterable[Term]) -> list[Term]:
    """Return the outermost of some terms."""
    found: list[Term] = []
    for term in sorted(terms, key=lambda one: (one.span.start, -one.span.stop)):
        if not found or term.span.start >= found[-1].span.stop:
            found.append(term)
    return found


def printed_terms(
    relation: Relation, differences: Sequence[Difference], repairs: Sequence[FoundRepair]
) -> tuple[PrintedTerm, ...]:
    """Return the terms of an equation as they are printed, with what is said of each."""
    start = relation.span.start
    edits = repairs[0].repair.edits if repairs else ()
    changed = [edit for edit in edits if edit.kind != "missing"]
    wrong: list[tuple[Span, Kind]] = [(_changed(edit), edit.kind) for edit in changed]
    if not edits:
        wrong = [(one.span, one.kind) for one in differences if one.span is not None]
    found = []
    spans = (_within(node, start) for node in _terms_of(relation))
    for span in (one for one in spans if one[0] < one[1]):
        kinds = [kind for place, kind in wrong if _meet(place, span)]
        latex = relation.latex[slice(*span)]
        found.append(PrintedTerm(latex, span, _verdict(kinds), kinds[0] if kinds else None))
    return tuple(found)


def _verdict(kinds: Sequence[Kind]) -> Literal["right", "wrong", "extra"]:
    if not kinds:
        return "right"
    return "extra" if kinds[0] == "extra" else "wrong"


def _changed(edit: Edit) -> Span:
    """Return what an edit changes: of what is put in, the character to which it belongs."""
    start, stop = edit.span
    if start < stop:
        return edit.span
    return (start - 1, start) if edit.proposed.startswith(("^", " ")) else (start, start + 1)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def addends(node: Node) -> Iterator[Node | Term]:
    """Iterate over the terms of a side, of the cells of a matrix, of what a brace spans."""
    match node:
        case Add(terms=terms):
            yield from terms
        case Matrix(rows=rows):
            for cell in (cell for row in rows for cell in row):
                yield from addends(cell)
        case Labelled(node=inner):
            yield from addends(inner)
        case _:
            yield node


def _table(form: Form) -> Table:
    return {term.product: term.coefficient for term in read_terms(form)}


def _changes(printed: Table, derived: Table) -> Changes:
    zero = sympy.S.Zero
    both = ((term, printed.get(term, zero), derived.get(term, zero)) for term in printed | derived)
    return {term: (was, should) for term, was, should in both if was != should}


def _direct(symbols: Symbols, pair: Pair) -> Changes | None:
    """Compare a side that is written out with what was derived for a single quantity."""
    quantities = symbols.quantities
    for formula, other in ((pair.right, pair.left), (pair.left, pair.right)):
        single = len(_table(other)) == 1 and any(map(quantities.determines, other.symbols))
        if single and not any(map(quantities.determines, formula.symbols)):
            return _changes(_table(formula), _table(quantities.lower(other)))
    return None


def _leftover(pair: Pair, residual: Form, suspect: Side | None) -> Changes:
    """Return the terms of left minus right, each on the side where it is printed.

    A term that is not printed belongs on the side where the others are.
    """
    left, right = _table(pair.left), _table(pair.right)
    excesses = _table(residual)
    on_left = any(term in left for term in excesses) and right.keys().isdisjoint(excesses)
    found: Changes = {}
    for term, excess in excesses.items():
        is_left = on_left or (term in left and term not in right)
        if suspect == "left" or (is_left and suspect is None):
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
