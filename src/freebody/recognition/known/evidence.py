"""Equations of a page judged in a model, with what its letters stand for there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.fields import FieldPoint, NoRootError
from freebody.algebra.ring import PARTS
from freebody.algebra.substitution import substituted
from freebody.algebra.units import dimension
from freebody.checking.grid import MeaningError
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.motion.rows import rank
from freebody.documents.document import Meaning
from freebody.errors import FreebodyError
from freebody.recognition.equations.page_motion import PageSystem
from freebody.recognition.equations.products import TURN, Moving, Product, Row
from freebody.recognition.known.variations import DAMPING

MOST_PRODUCTS = 1_000_000
"""Of terms, to judge one equation."""
MOST_OF_BALANCE = 4_000_000
"""Of terms, to hold one against the equation of its coordinate."""
MOST_POINTS = 8
"""Points that are tried for one with all roots."""

_ROOT = re.compile(r"sqrt\((\d+)\)")


class Evidence:
    """Judges equations of motion of a page in a model.

    Parameters
    ----------
    quantities : Quantities
        Of the model.
    system : PageSystem
        Of the page.
    symbols : mapping of str to str
        What letters of the page stand for.

    Attributes
    ----------
    quantities : Quantities
    system : PageSystem
    undriven : set of str
        The labels of equations judged so far that hold where what acts is zero.
    doubted : set of str
        The labels of those from which follows what does not hold.
    borne_out : set of int
        The numbers of the equations that say what letters are, with which printed ones hold.
    """

    def __init__(
        self, quantities: Quantities, system: PageSystem, symbols: Mapping[str, Meaning]
    ) -> None:
        self.quantities = quantities
        ring, names = quantities.ring, quantities.mechanism.names
        self._known = {
            key: ring.form(names.read(str(text)).xreplace(names.given))
            for key, text in symbols.items()
        } | {str(sympy.pi): ring.form(sympy.pi)}
        self._names = symbols
        self.system = system
        self._rates: dict[Moving, Form] = {}
        self.undriven, self.doubted = set[str](), set[str]()
        self.borne_out = set[int]()

    def labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the labels of the equations that hold, and of those that do not.

        Those with other letters are among neither, nor are those that leave out what acts, as a
        Lagrangian does, or of which only some of what follows holds; of several equations with one
        label all must hold. What letters stand for is not asked where an equation holds in these:
        the model may leave it open.
        """
        printed, put_in = defaultdict[str, list[bool]](list), defaultdict[str, list[bool]](list)
        for row in self.system.rows:
            holds = self.holds(row)
            if holds is False and row.is_derived:
                self.doubted.update(row.labels)
            if holds and not row.is_derived:
                self.borne_out |= row.put_in
            if holds or (holds is False and not row.is_derived):
                for label in row.labels:
                    (put_in if row.put_in else printed)[label].append(holds)
        answers = {
            label: all(printed[label])
            and (all(put_in[label]) or len(printed[label]) >= len(put_in[label]))
            for label in dict.fromkeys(label for row in self.system.rows for label in row.labels)
            if label in printed or label in put_in
        }
        return (
            tuple(label for label, holds in answers.items() if holds and label not in self.doubted),
            tuple(label for label, holds in answers.items() if not holds),
        )

    def holds(self, row: Row) -> bool | None:
        """Return whether an equation holds; None where that is not said.

        So it is where it has letters that nobody knows or none but numbers, or holds where what
        acts is zero.
        """
        row = self._without_factors(row)
        if not self._knows(row):
            return None
        quantities = self.quantities
        try:
            with quantities.ring.budget.work(MOST_PRODUCTS):
                left = quantities.ring.sum(list(map(self._worth, row.products)))
                if self._vanishes(left):
                    return True
                if self._is_undriven(row, left):
                    self.undriven.update(row.labels)
                    return None
                return None if self._is_of_numbers(row) else False
        except (FreebodyError, ZeroDivisionError):
            return None

    def _knows(self, row: Row) -> bool:
        """Return whether all constants of an equation are known; roots of numbers are."""
        for root in filter(None, map(_ROOT.fullmatch, row.letters)):
            self._known[root[0]] = self.quantities.ring.form(sympy.sqrt(int(root[1])))
        return row.letters <= self._known.keys()

    def _vanishes(self, form: Form) -> bool:
        """Return whether a form is zero at a random point where the equations of motion hold."""
        for seed in range(MOST_POINTS):
            with suppress(NoRootError, ZeroDivisionError):
                return not self.quantities.samples.at(FieldPoint(seed)).value(form)
        message = f"the form has no value at any of {MOST_POINTS} points"
        raise MeaningError(message)

    def _without_factors(self, row: Row) -> Row:
        """Return an equation without letters that nobody knows, and that all of it is times."""
        factors = row.factors - self._known.keys()
        if not factors:
            return row
        products = (
            one._replace(constants=tuple(each for each in one.constants if each[0] not in factors))
            for one in row.products
        )
        return replace(row, products=tuple(products))

    def _is_of_numbers(self, row: Row) -> bool:
        """Return whether an equation has decimals for all constants: it is of an example."""
        constants = self.quantities.mechanism.model.constants.keys()
        decimals = any(one.size.denominator % 5 == 0 for one in row.products)
        return decimals and bool(constants) and self._meant(row).isdisjoint(constants)

    def _meant(self, row: Row) -> set[str]:
        """Return what the letters of an equation that do not move are in the model."""
        return {str(self._names.get(key)) for key in row.letters}

    def _is_undriven(self, row: Row, left: Form) -> bool:
        """Return whether an equation lacks what acts or damps, and follows where that is zero.

        It does where it is a combination of the equations of motion at a random point.
        """
        names, blocks = self.quantities.mechanism.names, self.quantities.equations.blocks
        own = self._meant(row)
        model = self.quantities.mechanism.model
        damping = (key for key, one in model.constants.items() if dimension(one.unit) in DAMPING)
        absent = [one for one in (*model.inputs, *damping) if one not in own]
        if not absent:
            return False
        ring, rates = self.quantities.ring, self.quantities.mechanism.accelerations
        still = {names.read(name): ring.zero for name in absent}
        moved = [ring.partial(left, rate) for rate in rates]
        resting = substituted(left, dict.fromkeys(rates, ring.zero))
        rest = (substituted(c + g + e - t, still) for c, g, e, t in zip(
            blocks.C, blocks.G, blocks.E, blocks.tau, strict=True))  # fmt: skip
        value = self.quantities.point.value
        rows = [[*map(value, inertia), value(one)] for inertia, one in zip(
            blocks.M, rest, strict=True)]  # fmt: skip
        return rank([*rows, [*map(value, moved), value(resting)]]) == rank(rows)

    def is_balance(self, row: Row, n: int) -> bool:
        """Return whether an equation is that of a coordinate, with all that acts."""
        if not self._knows(row):
            return False
        quantities, blocks = self.quantities, self.quantities.equations.blocks
        ring, count = quantities.ring, len(self.system.coordinates)
        with ring.budget.work(MOST_OF_BALANCE):
            printed = ring.sum(list(map(self._worth, row.products)))
            names = list(self.quantities.mechanism.model.coordinates)
            own = names.index(str(self._names[self.system.coordinates[n]]))
            order = [names.index(str(self._names[key])) for key in self.system.coordinates]
            rates = [self._rate(Moving(i, 2)) for i in range(count)]
            moved = [blocks.M[own][at] * rate for at, rate in zip(order, rates, strict=True)]
            rest = blocks.C[own] + blocks.G[own] + blocks.E[own] - blocks.tau[own]
            return not quantities.lower(printed - ring.sum(moved) - rest)

    def _worth(self, product: Product) -> Form:
        ring = self.quantities.ring
        made = ring.one.scaled(QQ(product.size.numerator, product.size.denominator))
        for _ in range(product.quarter):
            made = made * ring.imaginary
        for moving, power in product.place.powers:
            made = made * self._rate(moving) ** power
        for coordinate, multiple in product.place.turns:
            angle = self._rate(Moving(coordinate, 0)).scaled(
                QQ(multiple.numerator, multiple.denominator)
            )
            made = made * (ring.cos(angle) + ring.imaginary * ring.sin(angle))
        for name, power in product.constants:
            if name.startswith(TURN):
                angle = self._known[name.removeprefix(TURN)].scaled(QQ(power, PARTS))
                made = made * (ring.cos(angle) + ring.imaginary * ring.sin(angle))
            else:
                made = made * self._known[name] ** power
        return made

    def _rate(self, moving: Moving) -> Form:
        if moving not in self._rates:
            if moving.dots:
                before = self._rate(Moving(moving.coordinate, moving.dots - 1))
                self._rates[moving] = self.quantities.rate(before)
            else:
                self._rates[moving] = self._known[self.system.coordinates[moving.coordinate]]
        return self._rates[moving]
