"""Equations that a page declares to be the equation of motion of a coordinate.

Each holds in every motion where it is any combination of the equations of motion. Declared, it is
held against one of them: that, or a multiple of it, is what it has to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import sympy

from freebody.algebra import Form
from freebody.algebra.canonical import is_zero
from freebody.algebra.terms import TooLargeError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import differences
from freebody.checking.meaning.residual import Residual, beside, size
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import rows
from freebody.documents.document import MotionEquation
from freebody.documents.latex.relations import Relation
from freebody.errors import FreebodyError, Problem, nearest


@dataclass(frozen=True)
class Motions:
    """What a page declares of its equations.

    Attributes
    ----------
    entries : tuple of MotionEquation
    quantities : Quantities
        Of the model of the part of the page that is checked.
    """

    entries: tuple[MotionEquation, ...]
    quantities: Quantities

    def problems(self, labels: Collection[str] | None = None) -> Iterator[Problem]:
        """Iterate over what makes no sense in them, or in those of some equations."""
        known, of = names(self.quantities), dict[str, str]()
        for number, entry in enumerate(self.entries):
            is_here = labels is None or not set(labels).isdisjoint(entry.labels)
            if is_here and entry.of not in known:
                expected = f"expected one of {', '.join(known)}{nearest(entry.of, known)}"
                yield Problem(f"equations[{number}].of", f"'{entry.of}': {expected}")
            for label in entry.labels:
                if of.setdefault(label, entry.of) != entry.of:
                    message = f"{label} is declared the equation of motion of {of[label]} already"
                    yield Problem(f"equations[{number}].in", message)

    def of(self, label: str, quantities: Quantities) -> EquationOfMotion | None:
        """Return what an equation is declared to be, under what quantities assume."""
        found = (entry.of for entry in self.entries if label in entry.labels)
        name = next(found, None)
        return None if name is None else EquationOfMotion(name, quantities)


@dataclass(frozen=True)
class EquationOfMotion:
    """The equation of motion of a coordinate, or of a speed of one's own.

    Attributes
    ----------
    name : str
        Its name.
    quantities : Quantities
        Of the model.
    """

    name: str
    quantities: Quantities

    @property
    def reading(self) -> str:
        """What is taken for granted with it."""
        return f"declared as the equation of motion of {self.name}"

    @property
    def row(self) -> Form:
        """Residual minus right of the equation."""
        return _rows(self.quantities)[names(self.quantities).index(self.name)]

    def left_of(self, left: Residual) -> Form | None:
        """Return what a printed equation has too much, beside a multiple of this one."""
        try:
            below = _below(self.quantities, left.pair.left - left.pair.right)
            return min(beside(below, self.row), key=size, default=left.simplest)
        except TooLargeError:
            return left.simplest

    def is_stated(self, symbols: Symbols, relation: Relation) -> bool:
        """Return whether a printed equation is this one, or a multiple of it.

        Raises
        ------
        MeaningError, TooLargeError
            If that cannot be told.
        """
        printed = differences(Evaluator(symbols), relation)
        return len(printed) == 1 and _is_multiple(self.quantities, printed[0], self.row)

    def remark(self, symbols: Symbols, relation: Relation) -> str:
        """Return in what way an equation that holds is not this one; nothing where it is."""
        try:
            if self.is_stated(symbols, relation):
                return ""
            others = (EquationOfMotion(one, self.quantities) for one in names(self.quantities))
            other = next((one.name for one in others if one.is_stated(symbols, relation)), None)
        except FreebodyError as error:
            return f"whether it is the equation of motion of {self.name} is not known: {error}"
        is_one = f": it is that of {other}" if other else ", nor a multiple of it"
        return f"it holds, but is not the equation of motion of {self.name}{is_one}"


def names(quantities: Quantities) -> list[str]:
    """Return whose equations of motion there are, in their order."""
    known = quantities.mechanism.names
    return list(known.speeds if quantities.mechanism.model.speeds else known.coordinates)


def _rows(quantities: Quantities) -> list[Form]:
    return [*map(quantities.settled, rows(quantities.equations))]


def _below(quantities: Quantities, form: Form) -> Form:
    return quantities.settled(quantities.ring.substitute(form, quantities.derived))


def _is_multiple(quantities: Quantities, printed: Form, row: Form) -> bool:
    """Return whether a printed form is a row times something that is not zero."""
    form = quantities.by_definition(_below(quantities, printed))
    row = quantities.by_definition(row)
    for symbol in _unknowns(quantities):
        mine, its = (_slope(quantities, one, symbol) for one in (form, row))
        if its:
            crossed = quantities.settled(form * its - row * mine)
            return bool(mine) and bool(quantities.vanishes(crossed))
    return bool(is_zero(form - row)) or bool(is_zero(form + row))


def _unknowns(quantities: Quantities) -> Sequence[sympy.Expr]:
    """Return what equations of motion are linear in."""
    mechanism = quantities.mechanism
    return (*mechanism.accelerations, *mechanism.multipliers, *quantities.equations.inputs)


def _slope(quantities: Quantities, form: Form, symbol: sympy.Expr) -> Form:
    ring = quantities.ring
    return ring.coefficients(form, (symbol,)).get((1,), ring.zero)
