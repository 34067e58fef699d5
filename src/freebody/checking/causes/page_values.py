"""What the quantities of a model are on a page, where it states some of them otherwise.

What an author derives from a misprinted quantity is wrong with it. Where an equation states a
quantity, it is worked out of the equation with the page's values of all others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy

from freebody.algebra import Form
from freebody.algebra.expressions import Reference
from freebody.checking.grid import Grid
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import differences
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.walk import Instead
from freebody.checking.quantities.derived import Quantities
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Name, Partial, walk
from freebody.errors import FreebodyError

UNKNOWN = sympy.Dummy("stated")
"""Stands for a symbol of the page while an equation is solved for it."""


def atoms_of(form: Form) -> set[sympy.Expr]:
    """Return the symbols and functions of time in a form, in roots and denominators as well."""
    found = set()
    for place in form.terms.places():
        generator = form.ring.generators[place]
        if generator.kind == "factor":
            found.add(generator.expr)
        elif generator.kind in ("root", "reciprocal"):
            found |= atoms_of(generator.arguments[0])
    return found


def holds_derived(quantities: Quantities, form: Form) -> bool:
    """Return whether a form holds a quantity that was derived."""
    return not atoms_of(form).isdisjoint(quantities.derived)


def _with_meaning(key: str, symbols: Symbols) -> tuple[str, str]:
    """Return a symbol with its meaning, which another part of the page may change."""
    return key, str(symbols.meanings[key])


@dataclass(frozen=True, eq=False)
class PageStatement:
    """What a printed equation says of a quantity, or of a symbol of the page.

    Attributes
    ----------
    root : str
        The label of the equation with the misprint that it has; empty where it has none.
    relation : Relation
    symbols : Symbols
    index : int
        Which of the scalar equations of the relation it is.
    atom : sympy.Expr
        The quantity; `UNKNOWN` for a symbol of the page.
    key : str
        That symbol, or nothing.
    """

    root: str
    relation: Relation
    symbols: Symbols
    index: int
    atom: sympy.Expr
    key: str = ""


@dataclass(frozen=True, eq=False)
class PageMotion:
    """An equation of motion as the page has it: what is zero, and which of them it is."""

    root: str
    row: int
    zero: Form


class PageValues(ABC):
    """The quantities of a model where some are as a page has them.

    Parameters
    ----------
    quantities : Quantities
        What is derived.
    stated : iterable of PageStatement or PageMotion
        What the page says, in order; of a quantity the last counts.
    """

    def __init__(
        self,
        quantities: Quantities,
        stated: Iterable[PageStatement | PageMotion],
    ) -> None:
        self.quantities = quantities
        self.ring = quantities.ring
        self.mechanism = quantities.mechanism
        self.atoms: dict[sympy.Expr, PageStatement] = {}
        self.keys: dict[tuple[str, str], PageStatement] = {}
        self.rows: dict[int, Form] = {}
        for one in stated:
            if isinstance(one, PageMotion):
                self.rows[one.row] = one.zero
            elif one.key:
                self.keys[_with_meaning(one.key, one.symbols)] = one
            else:
                self.atoms[one.atom] = one
        self._values: dict[sympy.Expr, Form | None] = {}
        self._of_keys: dict[tuple[str, str], Form | None] = {}
        self._grids: dict[tuple[object, ...], tuple[Grid, set[sympy.Expr]]] = {}
        self._paged: dict[tuple[object, ...], Grid | None] = {}

    def holds(self, relation: Relation, symbols: Symbols) -> bool:
        """Return whether a printed equation holds exactly."""
        instead = self._instead(relation, symbols)
        return not any(map(self._lowered, differences(Evaluator(symbols, instead), relation)))

    def _lowered(self, form: Form) -> Form:
        below = self._below(form)
        if not below or self._decided.isdisjoint(atoms_of(below)):
            return below
        return self.ring.substitute(below, self.eliminated)

    @cached_property
    def _decided(self) -> set[sympy.Expr]:
        """What the equations of motion, or constraints, decide."""
        moving = self.mechanism
        speeds = moving.dependent_speeds
        inputs = self.quantities.equations.inputs
        return {*moving.accelerations, *moving.multipliers, *inputs, *speeds}

    def _below(self, form: Form) -> Form:
        return self.ring.substitute(form, self.quantities.derived)

    # ------------------------------------------------------------------ printed names

    def _instead(
        self, relation: Relation, symbols: Symbols, unknown: PageStatement | None = None
    ) -> Instead:
        """Return what the names in an equation stand for, where that is as the page has it."""
        nodes = [*walk(relation.left, relation.right)]
        by = {n for node in nodes if isinstance(node, Partial) for n in node.with_respect_to}
        names = [node for node in nodes if isinstance(node, Name) and node not in by]
        found = {name: self._grid(name, symbols, unknown) for name in names}
        return {name: grid for name, grid in found.items() if grid is not None}

    def _grid(self, name: Name, symbols: Symbols, unknown: PageStatement | None) -> Grid | None:
        if unknown is not None and unknown.key and name.key == unknown.key:
            return None if name.dots else Grid.scalar(self.ring.symbol(UNKNOWN))
        meant = _with_meaning(name.key, symbols)
        if meant in self.keys:
            value = self._of_key(meant)
            return None if value is None else Grid.scalar(self._rate(value, name.dots))
        printed = *meant, name.indices, name.dots
        if printed not in self._grids:
            grid = symbols.value(name.key, name.indices)
            rows = [[self._rate(form, name.dots) for form in row] for row in grid.rows]
            self._grids[printed] = grid, set().union(*map(atoms_of, Grid.made(rows).entries()))
        grid, atoms = self._grids[printed]
        kept = unknown.atom if unknown is not None and unknown.atom in atoms else None
        place = (*printed, kept)
        if place not in self._paged:
            self._paged[place] = self._as_on_page(grid, name.dots, kept)
        return self._paged[place]

    def _as_on_page(self, grid: Grid, dots: int, kept: sympy.Expr | None) -> Grid | None:
        """Return what a name stands for; None where that is as derived."""
        rows = [[self._dotted(form, dots, kept) for form in row] for row in grid.rows]
        if all(changed is None for row in rows for changed in row):
            return None
        return Grid.made(
            (
                self._rate(form, dots) if changed is None else changed
                for form, changed in zip(*both, strict=True)
            )
            for both in zip(grid.rows, rows, strict=True)
        )

    def _dotted(self, form: Form, dots: int, kept: sympy.Expr | None) -> Form | None:
        """Return the rate of a form as the page has it; None where that is as derived."""
        for order in range(dots, -1, -1):
            rate = self._rate(form, order)
            changed = self.page(rate, kept)
            if changed is not None:
                return self._rate(changed, dots - order)
            if holds_derived(self.quantities, rate):
                return None
        return None

    def _rate(self, form: Form, order: int) -> Form:
        for _ in range(order):
            form = self.quantities.rate(form)
        return form

    def page(self, form: Form, kept: sympy.Expr | None = None) -> Form | None:
        """Return a form with what the page says of its quantities; None where that is nothing."""
        values = {}
        for atom in atoms_of(form):
            value = None if atom == kept else self.value(atom)
            if value is not None:
                values[atom] = value
        return self._below(self.ring.substitute(form, values)) if values else None

    # ------------------------------------------------------------------ quantities

    def value(self, atom: sympy.Expr) -> Form | None:
        """Return what a quantity is on the page, in coordinates; None where it is as derived."""
        if atom not in self._values:
            self._values[atom] = None  # what depends on itself is as derived
            found = self._stated(atom) if atom in self.atoms else self._following(atom)
            known = self.quantities.derived.get(atom)
            same = found is None or (known is not None and not found - known)
            self._values[atom] = None if same else found
        return self._values[atom]

    def _change(self, atom: sympy.Expr) -> Form:
        """Return by how much a quantity is off on the page."""
        value = self.value(atom)
        return self.ring.zero if value is None else value - self.quantities.derived[atom]

    def _stated(self, atom: sympy.Expr) -> Form | None:
        return self._solved(self.atoms[atom])

    def _of_key(self, key: tuple[str, str]) -> Form | None:
        """Return what a symbol of the page stands for, as the page has it."""
        if key not in self._of_keys:
            self._of_keys[key] = None
            self._of_keys[key] = self._solved(self.keys[key])
        return self._of_keys[key]

    def _solved(self, statement: PageStatement) -> Form | None:
        """Solve a printed equation for what it states."""
        relation, symbols = statement.relation, statement.symbols
        instead = self._instead(relation, symbols, statement)
        if not statement.root and not self._is_touched(statement, instead):
            return None
        left = differences(Evaluator(symbols, instead), relation)[statement.index]
        parts = self.ring.coefficients(left, (statement.atom,))
        powers = set(parts) - {(0,)}
        if powers == {(1,)}:
            return self._below(-parts.get((0,), self.ring.zero) / parts[1,])
        if powers == {(2,)} and (0,) in parts and statement.key:
            return self.ring.sqrt(self._below(-parts[0,] / parts[2,]))
        return None

    def _is_touched(self, statement: PageStatement, instead: Instead) -> bool:
        """Return whether anything beside what is stated is as the page has it."""
        return len(instead) > (1 if statement.key else 0)

    def _atom(self, *path: str) -> sympy.Expr | None:
        """Return the symbol of a quantity by its path, indices last; None where there is none."""
        indices = tuple(int(part) for part in path if part.isdigit())
        names = tuple(part for part in path if not part.isdigit())
        try:
            found = self.quantities.resolve(Reference(names, indices, 1))
        except FreebodyError:
            return None
        return found if found in self.quantities.derived else None

    def _off(self, *path: str) -> Form:
        """Return by how much a quantity with a path is off."""
        atom = self._atom(*path)
        return self.ring.zero if atom is None else self._change(atom)

    # ------------------------------------------------------------------ what follows

    @abstractmethod
    def _following(self, atom: sympy.Expr) -> Form | None:
        """Return what a quantity is that follows from others; None where it is as derived."""

    @property
    @abstractmethod
    def eliminated(self) -> Mapping[sympy.Expr, Form]:
        """What the equations of motion of the page say of inputs, or else of accelerations."""
