"""Whether equations hold for some meanings of their symbols, tried at a random point."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.prime import Residue
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.guesses.conventions import Candidate
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.modular import ModularEvaluator
from freebody.checking.meaning.pairs import blocks
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    Call,
    Name,
    Node,
    Number,
    Power,
    Span,
    Term,
    walk,
)
from freebody.errors import FreebodyError, fault

Chosen = Mapping[str, Candidate]
MOST_REMEMBERED = 400_000
_OF_ANGLES = frozenset({"sin", "cos", "tan", "cot", "sec", "csc"})
_DERIVED = re.compile(r"(?!angle\.)\w+[.\[]")
_ANY = Name("x", 0, Span(0, 0))
WORK = 1_000_000
"""Products of terms that solving the equations of motion may take."""
WORK_OF_ONE = 2_000_000
"""Products of terms that trying an equation, or a meaning, may take."""
NODE = 10
"""What working out a node counts, in products of terms."""
EXACTLY = 500
"""What it counts to work one out as a form first."""


class MeaningTester(ModularEvaluator):
    """Works out equations in numbers of a prime field, for one choice of meanings after another.

    Whatever was worked out for a node is remembered by the meanings of the symbols in it. Angles,
    derivatives and roots are worked out as forms first.

    Parameters
    ----------
    quantities : Quantities

    Attributes
    ----------
    work : int
        How much was worked out: nodes, terms of forms, and their products.
    """

    def __init__(self, quantities: Quantities) -> None:
        super().__init__(Symbols(quantities, {}))
        self.chosen: Chosen = {}
        self.work = 0
        self.faults: dict[str, str] = {}
        self._nodes: dict[Node | Term, tuple[str, ...]] = {}
        self._known: dict[tuple[Node | Term, tuple[str, ...]], Grid | None] = {}
        self._values: dict[tuple[str, tuple[int, ...], int], Grid | None] = {}
        self._held: dict[tuple[SymbolEquation, tuple[str, ...]], Relation | None] = {}
        self.is_solved = self._solve()

    def holds(self, equation: SymbolEquation, chosen: Chosen) -> bool:
        """Return whether an equation holds; False where it has no value."""
        return self.reading(equation, chosen) is not None

    def reading(self, equation: SymbolEquation, chosen: Chosen) -> Relation | None:
        """Return the reading with which an equation holds, if one does."""
        key = equation, tuple(chosen[name].text for name in equation.keys)
        if key not in self._held:
            judge = self.judging(chosen)
            self._held[key] = next(filter(judge, equation.readings), None)
        return self._held[key]

    def judging(self, chosen: Chosen) -> Callable[[Relation], bool]:
        """Return what judges printed equations with some meanings."""

        def holds(relation: Relation) -> bool:
            self.chosen = chosen
            if len(self._known) > MOST_REMEMBERED:
                self._known.clear()
                self._nodes.clear()
            with self._counted():
                return self._agrees(relation)

        return holds

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count products of terms as work, of which one thing may take so many."""
        with self.ring.budget.work(WORK_OF_ONE) as work:
            try:
                yield
            finally:
                self.work += NODE + work.total

    def _solve(self) -> bool:
        """Return whether the equations of motion are small enough to be worked out."""
        try:
            with self.ring.budget.work(WORK):
                self.quantities.eliminated  # noqa: B018 - whether it can be had
        except FreebodyError:
            return False
        return True

    def worth(self, candidate: Candidate, dots: int = 0) -> Grid | None:
        """Return what a meaning, or a rate of it, is worth: None where it is nothing."""
        with self._counted():
            return self._value(candidate, replace(_ANY, dots=dots))

    def fails(self, equation: SymbolEquation, chosen: Chosen) -> bool:
        """Return whether an equation has a value, and does not hold in any way to read it."""
        if self.holds(equation, chosen):
            return False
        self.chosen = chosen
        try:
            for relation in equation.readings:
                list(blocks(self, relation.left, relation.right))
        except Exception:  # told by `holds` already where it is freebody's
            return False
        return True

    def _agrees(self, relation: Relation) -> bool:
        try:
            sides = list(blocks(self, relation.left, relation.right))
        except (FreebodyError, ZeroDivisionError):
            return False
        except Exception as error:  # what goes wrong in one equation is told of that one
            self.faults[relation.label] = fault(error)
            return False
        return all(left == right for left, right in sides)

    def value(self, node: Node | Term) -> Grid:
        """Return the value of a node: numbers of the field."""
        key = node, tuple(self.chosen[name].text for name in self._names_in(node))
        if key not in self._known:
            self.work += NODE
            self._known[key] = self._found(node)
        found = self._known[key]
        if found is None:
            raise MeaningError("has no value")
        return found

    def _found(self, node: Node | Term) -> Grid | None:
        try:
            return self._evaluated(node)
        except (FreebodyError, ZeroDivisionError):
            return None

    def _names_in(self, node: Node | Term) -> tuple[str, ...]:
        """Return the names in a node."""
        if node not in self._nodes:
            keys = {part.key for part in walk(node) if isinstance(part, Name)}
            self._nodes[node] = tuple(sorted(keys))
        return self._nodes[node]

    # ------------------------------------------------------------------ kinds of nodes

    def _name(self, node: Name) -> Grid:
        found = self._value(self.chosen[node.key], node)
        if found is None:
            raise MeaningError("has no value")
        return found

    def _value(self, candidate: Candidate, node: Name) -> Grid | None:
        key = candidate.text, node.indices, node.dots
        if key not in self._values:
            try:
                symbols = Symbols(self.quantities, {node.key: candidate.meaning})
                grid = symbols.value(node.key, node.indices, node.dots)
                self._values[key] = self._placed(grid)
            except (FreebodyError, ZeroDivisionError):
                self._values[key] = None
        return self._values[key]

    def _call(self, node: Call) -> Grid:
        return self._through_forms(node)

    def _other_power(self, node: Power, _: Form) -> Grid:
        return self._through_forms(node)

    def alike(self, grids: list[Grid]) -> list[Grid]:
        """Return what is compared; a meaning with fewer rows than are printed is none."""
        is_of_plane = {grid.shape for grid in grids} == {(1, 1), (3, 1)}
        return super().alike(grids) if is_of_plane else grids

    def _through_forms(self, node: Node) -> Grid:
        return self._placed(self._exactly(node))

    def _exactly(self, node: Node) -> Grid:
        self.work += EXACTLY
        meanings = {name: self.chosen[name].meaning for name in self._names_in(node)}
        return _Exact(Symbols(self.quantities, meanings)).value(node)

    def _placed(self, grid: Grid) -> Grid:
        return Grid.made((self._at_point(form) for form in row) for row in grid.rows)

    def _at_point(self, form: Form) -> Residue:
        quantities = self.quantities
        if self.is_solved:
            self.work += len(form.terms)
            return Residue(quantities.value_at(self._point, form))
        below = self.ring.substitute(form, quantities.derived)
        self.work += len(below.terms)
        return Residue(quantities.point.value(below))

    @cached_property
    def _point(self) -> Point:
        return self.quantities.above(0)


class _Exact(Evaluator):
    """Works out nodes as forms, with what guesses need besides."""

    def _call(self, node: Call) -> Grid:
        if node.function not in _OF_ANGLES:
            self._expect_number(node.argument)
        elif self._moves(node.argument):
            raise MeaningError("an argument that is no angle")
        return super()._call(node)

    def _moves(self, node: Node) -> bool:
        """Return whether a node holds what no angle is made of: speeds, accelerations, forces."""
        moving = self.quantities.mechanism
        inputs = self.quantities.equations.inputs
        others = {*moving.speeds, *moving.accelerations, *moving.multipliers, *inputs}
        forms = self.value(node).entries()
        atoms = {atom for form in forms for atom in form.atoms}
        return any(atom in others or _DERIVED.match(str(atom)) for atom in atoms)

    def _power(self, node: Power) -> Grid:
        if not isinstance(node.exponent, Number):
            self._expect_number(node.base)
        return super()._power(node)

    def _expect_number(self, node: Node) -> None:
        """Refuse roots and the like: of a wrong guess they must not be left in the ring."""
        if not all(form.is_number for form in self.value(node).entries()):
            raise MeaningError("a function that meanings are not tried in")
