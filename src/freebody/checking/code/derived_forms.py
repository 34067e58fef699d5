"""What claims should be in canonical forms, and the terms by which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.algebra.expressions import Reference
from freebody.algebra.readback import read_terms
from freebody.algebra.terms import TooLargeError
from freebody.checking.code.claim import Claim
from freebody.checking.code.expectations import expected
from freebody.checking.code.places import (
    angular_jacobian,
    jacobians,
    orientation,
    position,
    velocity,
)
from freebody.checking.code.points import written_out
from freebody.checking.code.readings import ListingReading, Outcome
from freebody.checking.code.reference import Frame
from freebody.checking.findings import Difference
from freebody.checking.quantities.derived import Quantities
from freebody.graph.graph import Graph
from freebody.mechanics.notation import python

MOST_TERMS = 12
"""Of so many terms a difference is told term by term."""


class DerivedForms:
    """Derived quantities in canonical forms, as `DerivedAtPoint` has them at points."""

    def __init__(self, quantities: Quantities) -> None:
        self.quantities = quantities

    def left_of(self, graph: Graph, claim: Claim, reading: ListingReading) -> Form:
        """Return a claim less what it should be."""
        ring = self.quantities.ring
        with ring.budget.work():
            (form,) = written_out(graph, reading.meaning, ring, [claim.cell])
            return form - self.wanted(claim, reading)

    def wanted(self, claim: Claim, reading: ListingReading, outcome: Outcome | None = None) -> Form:
        """Return what a claim should be, with what the code lacks taken as it is read."""
        ring, quantities = self.quantities.ring, self.quantities
        family, *places = claim.target
        if family == "energy":
            expr = quantities.resolve(Reference(tuple(places[0].split(".")), (), 1))
            form = quantities.lower(ring.form(expr))
        else:
            form = expected(claim, self, reading.frame, outcome)
        given = {one: ring.form(value) for one, value in reading.given.items()}
        return ring.substitute(form, given) if given else form

    def value(self, target: tuple[Any, ...], frame: Frame) -> Form:
        """Return what a target is."""
        ring, blocks = self.quantities.ring, self.quantities.equations.blocks
        family, *places = target
        if family == "M":
            return self._turned([list(row) for row in blocks.M], frame.back, places)
        rows = list(zip(blocks.tau, blocks.C, blocks.G, blocks.E, strict=True))
        columns = {
            "C": blocks.C,
            "G": blocks.G,
            "gravity": blocks.G,
            "E": blocks.E,
            "bias": [c + g + e for _, c, g, e in rows],
            "forcing": [tau - c - g - e for tau, c, g, e in rows],
        }
        if family in columns:
            return _mixed(frame.back[:, places[0]], columns[family], ring)
        if family == "tau":
            rates = [ring.form(one) for one in self.quantities.mechanism.accelerations]
            column = [
                ring.sum([a * b for a, b in zip(row, rates, strict=True)]) + rest
                for row, rest in zip(blocks.M, columns["bias"], strict=True)
            ]
            return _mixed(frame.back[:, places[0]], column, ring)
        if family == "acc":
            inverse = self.quantities.rows_of(("inverse", "M"), self.quantities._source)
            column = [
                ring.sum([a * b for a, b in zip(row, columns["forcing"], strict=True)])
                for row in inverse
            ]
            return _mixed(frame.slopes[places[0], :], column, ring)
        if family == "placed":
            return self._placed(places, frame)
        if family == "quantity":
            return self.quantities.lower(ring.form(places[0]))
        raise TooLargeError("it is not written out")

    def _placed(self, places: list[Any], frame: Frame) -> Form:
        kind, place, axis, sign, column = places
        source, ring = self.quantities._source, self.quantities.ring
        if kind == "angle":
            found = ring.form(orientation(self.quantities, place, axis))
        elif kind == "jacobian":
            (rows,) = jacobians(source, [place])
            found = _mixed(frame.back[:, column], rows[axis], ring)
        elif kind == "angular":
            found = _mixed(frame.back[:, column], angular_jacobian(source, place)[axis], ring)
        else:
            work = position if kind == "position" else velocity
            found = work(source, place).parts[axis]
        return found if sign > 0 else -found

    def _turned(self, rows: list[list[Form]], back: Any, places: list[int]) -> Form:
        ring = self.quantities.ring
        inner = [
            _mixed(back[:, places[0]], [row[j] for row in rows], ring) for j in range(len(rows))
        ]
        return _mixed(back[:, places[1]], inner, ring)


def _mixed(factors: Any, entries: Sequence[Form], ring: Any) -> Form:
    return ring.sum(
        [one.scaled(factor) for factor, one in zip(list(factors), entries, strict=True) if factor]
    )


def differing_terms(form: Form, wanted: Form, quantities: Quantities) -> Iterator[Difference]:
    """Iterate over the terms of two forms whose coefficients are different."""
    names = quantities.mechanism.names
    tables = [
        {term.product: term.coefficient for term in read_terms(one)} for one in (form, wanted)
    ]
    zero = sympy.S.Zero
    left = [
        (product, *(table.get(product, zero) for table in tables))
        for product in dict.fromkeys([*tables[0], *tables[1]])
        if tables[0].get(product, zero) != tables[1].get(product, zero)
    ]
    if len(left) <= MOST_TERMS:
        for product, was, should in left:
            yield Difference("", python(product, names), str(was), str(should))
