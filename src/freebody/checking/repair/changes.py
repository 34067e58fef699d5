"""The single changes that a misprint may have undone: what authors, typesetters and scanners do.

Each is a change of the printed LaTeX together with what is then left of left minus right at a
random point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from freebody.algebra.prime import PRIME, rational, residue
from freebody.checking.findings import Edit, Kind
from freebody.checking.grid import Grid
from freebody.checking.meaning.relation_at_point import NOWHERE, RelationAtPoint
from freebody.checking.repair.numbers import LACKED, NESTED, NUMBERS, cost, number
from freebody.checking.repair.places import SIGN, NodePlace, are_apart, leading
from freebody.checking.repair.residuals import Change, ChangingEquation
from freebody.checking.repair.vocabulary import LOOKALIKES, WAVES, Word, resemblance, word
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Partial,
    Power,
    Span,
    Term,
    Transpose,
    show,
)
from freebody.errors import NoValueError

LIKELY = 1.4
"""What costs no more is tried together with other changes."""
EXPONENTS = (2, 3, 4)
LARGEST = 999
"""Up to which numerator and denominator a number is proposed."""
ALIKE, ANY_LETTER, SPLIT = 1.2, 2.2, 1.3
"""What it costs that a letter was taken for a digit, any name for a number, and a sign lost."""
UNSQUARED, OTHER_WAVE = 2.2, 1.2
"""What it costs that a subscript is wrong and a square too many, and that of a rare function."""
CELL, BARE = 1.1, 0.9
"""What it costs that a 0 or a 1 of a matrix is another number, and that a factor stands beside the
one name of a side."""


class Changes(ChangingEquation):
    """All single changes of a printed equation.

    Parameters
    ----------
    at_point : RelationAtPoint
        The equation at a point.
    text : str
        The page.
    words : sequence of Word
        What may be printed in place of a name.
    arguments : sequence of (str, Node)
        What cosines and sines of the page are of, as printed and as read.
    """

    def __init__(
        self,
        at_point: RelationAtPoint,
        text: str,
        words: Sequence[Word],
        arguments: Sequence[tuple[str, Node]],
    ) -> None:
        super().__init__(at_point, text)
        self.arguments = arguments
        self.words = words
        self._unlike: dict[tuple[str, str, int], list[tuple[Word, Grid, Kind, float]]] = {}

    @cached_property
    def values(self) -> list[tuple[Word, Grid]]:
        """The words with their values at the point; those without one are left out."""
        found = []
        for entry in self.words:
            try:
                found.append((entry, self.at_point.value(entry.name)))
            except NoValueError:
                continue
        return found

    @cached_property
    def scalars(self) -> list[tuple[Word, int]]:
        """The words that are scalars and no mere numbers, with their values at the point."""
        found = [(entry, grid.form.value) for entry, grid in self.values if grid.is_scalar]
        return [(entry, value) for entry, value in found if rational(value, LARGEST) is None]

    @cached_property
    def printed(self) -> frozenset[tuple[str, str]]:
        """The letters and subscripts of the names that the equation has."""
        names = [place.node for place in self.places if isinstance(place.node, Name)]
        return frozenset(word(name).family[:2] for name in names)

    def likely(self, start: int, stop: int) -> Iterator[Change]:
        """Iterate over the likely changes of the terms that a stretch of the page has part in."""
        for place in self.places:
            span = place.addend.node.span
            if span.start < stop and start < span.stop:
                if place.is_addend:
                    yield from self._turned(place)
                yield from (change for change in self._of_node(place) if change.cost <= LIKELY)

    def all(self) -> Iterator[Change]:
        """Iterate over all changes."""
        for place in self.places:
            if place.is_addend:
                yield from self._addend(place)
            yield from self._of_node(place)

    def rare(self) -> Iterator[Change]:
        """Iterate over names that are nothing like what is printed, to go with a likely change."""
        for place in self.places:
            for change in self._any_names(place):
                if change.cost > LIKELY + place.subject and change.residual:
                    yield change

    def _any_names(self, place: NodePlace) -> Iterator[Change]:
        """Iterate over all names in place of one, and in front of a term that lacks one."""
        if isinstance(place.node, Name):
            yield from self._renamed(place, place.node, rare=True)
        if place.is_addend and (term := self._in_front(place)):
            yield from self._with_symbol(place, *term, rare=True)

    def _of_node(self, place: NodePlace) -> Iterator[Change]:
        """Iterate over the changes of a node by itself."""
        node = place.node
        match node:
            case Name():
                yield from self._renamed(place, node)
                yield from self._squared(place, node)
                yield from self._as_digit(place, node)
            case Number():
                yield from self._number(place, node)
                yield from self._as_letter(place, node)
            case Power(exponent=Number()):
                yield from self._power(place, node)
            case Call():
                yield from self._wave(place, node)
                if self._text(node.span) == r"\pi":
                    yield from self._squared(place, node)
            case Transpose():
                yield from self.tried(
                    place, node.node, self._cut(node.node.span.stop, node.span.stop), 1.2
                )
            case Multiply():
                yield from self._dropped(place, node)
                yield from self._split(place, node)
            case _:
                return

    def _addend(self, place: NodePlace) -> Iterator[Change]:
        """Turn the sign of a term, leave it out, or give it a number or a symbol that it lacks."""
        node = place.node
        inner = node.node if isinstance(node, Term) else node
        yield from self._turned(place)
        if isinstance(node, Term):
            gone = replace(node, node=Number(Fraction(0), NOWHERE))
            yield from self.tried(place, gone, self._left_out(place), 1.5)
        if not (term := self._in_front(place)):
            return
        at, share = term
        if leading(inner)[0] is None:
            for ratio, price in LACKED.items():
                edit = self.put(at, number(ratio) + " ", "factor")
                yield self._worth(place, edit, price, share * (residue(ratio) - 1))
        yield from self._with_symbol(place, at, share)

    def _in_front(self, place: NodePlace) -> tuple[Span, int] | None:
        """Return where a term can take a factor, and what the equation gains where it is doubled.

        None where that is nothing, or cannot be said.
        """
        node = place.node
        if not place.is_linear or not (value := self.scalar(node)):
            return None
        first, second = leading(node.node if isinstance(node, Term) else node)
        start = self._behind(second, self.start_of(node)) if first is None else second.span.start
        return Span(start, start), self.slope(node) * value

    def _with_symbol(
        self, place: NodePlace, at: Span, share: int, *, rare: bool = False
    ) -> Iterator[Change]:
        """Put a name in front of a term: one that is printed elsewhere, or else any that mends."""
        for entry, factor in self.scalars:
            cost = 1.3 if entry.family[:2] in self.printed else ANY_LETTER if rare else 1.6
            difference = share * (factor - 1)
            if rare or cost <= LIKELY or (self.residual + difference) % PRIME == 0:
                edit = self.put(at, entry.latex + " ", "symbol")
                yield self._worth(place, edit, cost, difference)

    def multiplied(self, place: NodePlace, latex: str) -> Edit:
        """Return the edit that puts a factor into a term, behind the number in front of it."""
        node = place.node
        if isinstance(node, Add):
            span = self.enclosed(node)
            bare = span != node.span
            text = self._text(span) if bare else f"({self._text(span)})"
            return self.put(span, f"{latex} {text}", "symbol")
        first, second = leading(node.node if isinstance(node, Term) else node)
        if first is not None and second is first:
            return self.put(Span(first.span.stop, first.span.stop), " " + latex, "symbol")
        start = self._behind(second, self.start_of(node) if first is None else second.span.start)
        return self.put(Span(start, start), latex + " ", "symbol")

    def _behind(self, node: Node, start: int) -> int:
        """Return where a factor is put before a node: above the line of a fraction."""
        if not isinstance(node, Divide) or isinstance(node.numerator, Add):
            return start
        return node.numerator.span.start

    def _left_out(self, place: NodePlace) -> Edit:
        """Return the edit that leaves a term out, with the plus of the next one if it was first."""
        node, around = place.node, place.parent
        terms = around.terms if isinstance(around, Add) else ()
        if len(terms) == 1:
            return self.put(node.span, "0", "extra")
        if terms[:1] == (node,) and self.text[terms[1].span.start] == "+":
            plus = SIGN.match(self.text, terms[1].span.start)
            stop = plus.end() if plus else node.span.stop
            return self.put(Span(node.span.start, stop), "", "extra")
        return self.put(node.span, "", "extra")

    def _turned(self, place: NodePlace) -> Iterator[Change]:
        node = place.node
        start = node.span.start
        if isinstance(node, Term):
            turned: Node = Multiply((Number(Fraction(-1), NOWHERE), replace(node)), node.span)  # type: ignore[arg-type]
            printed = self.text[start] if self.text[start] in "+-" else ""
            is_first = isinstance(place.parent, Add) and place.parent.terms[0] is node
            proposed = "-" if node.sign > 0 else "" if is_first else "+"
            edit = self.put(Span(start, start + len(printed)), proposed, "sign")
        else:
            turned = Multiply((Number(Fraction(-1), NOWHERE), replace(node)), node.span)
            edit = self.put(Span(start, start), "-", "sign")
        yield from self.tried(place, turned, edit, 1.0)

    def _renamed(self, place: NodePlace, node: Name, *, rare: bool = False) -> Iterator[Change]:
        """Put another name: one that looks alike, or else any that mends."""
        span, tail = node.span, self._raised(place)
        here = self.at_point.value(node)
        slope = self.slope(node) if place.is_linear and here.is_scalar else None
        in_derivative = isinstance(place.parent, Partial)
        for entry, grid, kind, price in self._others(node):
            likely = price <= LIKELY
            if slope is not None:
                difference = slope * (grid.form.value - here.form.value)
                if rare or likely or (self.residual + difference) % PRIME == 0:
                    edit = self.put(span, entry.latex + tail, kind)
                    yield self._worth(place, edit, price, difference)
            elif rare:
                return
            elif place.is_plain or (likely and (entry.is_number or in_derivative)):
                edit = self.put(span, entry.latex + tail, kind)
                for change in self.tried(place, replace(entry.name, span=span), edit, price):
                    if likely or not change.residual:
                        yield change

    def _others(self, node: Name) -> list[tuple[Word, Grid, Kind, float]]:
        """Return the words of another value than a name's, each with how it differs from that."""
        printed, here = word(node), self.at_point.value(node)
        if printed.family not in self._unlike:
            self._unlike[printed.family] = [
                (entry, grid, *self._resemblance(printed, entry))
                for entry, grid in self.values
                if entry.family != printed.family
                and grid.shape == here.shape
                and grid != here
                # what is zero takes the rest of its term away
                and (self.at_point.zeros or any(part.value for part in grid.entries()))
            ]
        return self._unlike[printed.family]

    def _resemblance(self, printed: Word, entry: Word) -> tuple[Kind, float]:
        kind, cost = resemblance(printed, entry)
        return kind, min(cost, LIKELY) if entry.family[:2] in self.printed else cost

    def _raised(self, place: NodePlace) -> str:
        """Return the exponent that is printed within a name, before its subscript."""
        around, stop = place.parent, place.node.span.stop
        if isinstance(around, Power) and around.base is place.node:
            return f"^{{{self._text(around.exponent.span)}}}" * (stop >= around.exponent.span.stop)
        return "^T" if isinstance(around, Transpose) and stop >= around.span.stop else ""

    def _squared(self, place: NodePlace, node: Name | Call) -> Iterator[Change]:
        if not isinstance(place.parent, Power | Partial):
            at = Span(node.span.stop, node.span.stop)
            for power in EXPONENTS:
                raised = Power(replace(node), Number(Fraction(power), NOWHERE), node.span)
                edit = self.put(at, f"^{{{power}}}", "power")
                yield from self.tried(place, raised, edit, 1.2 if power == 2 else 1.35)

    def _as_letter(self, place: NodePlace, node: Number) -> Iterator[Change]:
        """Put a name that looks like a digit, or one with the value that is wanted."""
        letters = LOOKALIKES.get(self._text(node.span), ())
        slope = self.slope(node) if place.is_linear else None
        for entry, value in self.scalars:
            cost = ALIKE if entry.family[0] in letters else ANY_LETTER
            edit = self.put(node.span, entry.latex, "symbol")
            if slope is not None:
                change = self._worth(place, edit, cost, slope * (value - residue(node.value)))
                if cost <= LIKELY or not change.residual:
                    yield change
            elif cost <= LIKELY:
                yield from self.tried(place, replace(entry.name, span=node.span), edit, cost)

    def _as_digit(self, place: NodePlace, node: Name) -> Iterator[Change]:
        """Put a digit that looks like a name."""
        letter, index, dots = word(node).family
        for digit, letters in LOOKALIKES.items():
            if letter in letters and not index and not dots and place.is_plain:
                value = Number(Fraction(digit), node.span)
                yield from self.tried(place, value, self.put(node.span, digit, "symbol"), ALIKE)

    def _split(self, place: NodePlace, node: Multiply) -> Iterator[Change]:
        """Put a plus or a minus that is missing between factors."""
        if isinstance(place.parent, Multiply | Power) and not self.is_enclosed(node):
            return
        sign = place.parent.sign if isinstance(place.parent, Term) else 1
        for i in range(1, len(node.factors)):
            first, second = (
                part[0] if len(part) == 1 else Multiply(part, node.span)
                for part in (node.factors[:i], node.factors[i:])
            )
            if not are_apart(node.factors[:i], node.factors[i:]):
                continue
            at = Span(node.factors[i].span.start, node.factors[i].span.start)
            for mark, own in (("+", sign), ("-", -sign)):
                terms = (Term(1, first, first.span), Term(own, second, second.span))
                edit = self.put(at, f"{mark} ", "sign")
                yield from self.tried(place, Add(terms, node.span), edit, SPLIT)

    def _number(self, place: NodePlace, node: Number) -> Iterator[Change]:
        """Put another number, or none where it is a factor."""
        if isinstance(place.parent, Power) and place.parent.exponent is node:
            return
        is_factor = isinstance(place.parent, Multiply)
        is_cell = isinstance(place.parent, Matrix)
        wanted = (*self._solved(place, node), *([Fraction(0)] if is_cell else []))
        for value in dict.fromkeys((*NUMBERS, *wanted)):
            if value == node.value or (value in (0, 1) and is_factor):
                continue
            edit = self.put(node.span, number(value), "factor")
            other = Number(value, node.span)
            price = CELL if is_cell and value in (0, 1) else cost(node, value, place.parent)
            if place.is_below and is_factor and value.denominator != 1:
                price += NESTED
            yield from self.tried(place, other, edit, price)

    def _solved(self, place: NodePlace, node: Number) -> list[Fraction]:
        """Return the number that makes the equation hold, where it is a plain one."""
        if not place.is_linear:
            return []
        slope = self.slope(node)
        if slope % PRIME == 0:
            return []
        value = residue(node.value) - self.residual * pow(slope, -1, PRIME)
        found = rational(value % PRIME, LARGEST)
        return [] if found is None or found < 0 else [found]

    def _power(self, place: NodePlace, node: Power) -> Iterator[Change]:
        """Put another exponent, or none."""
        exponent = node.exponent
        mark = self.text.rfind("^", 0, exponent.span.start)
        braced = self.text[mark + 1 : mark + 2] == "{" and self.text[exponent.span.stop] == "}"
        stop = exponent.span.stop + braced
        yield from self.tried(place, node.base, self._cut(mark, stop), 1.0)
        for power in EXPONENTS:
            other = replace(node, exponent=Number(Fraction(power), exponent.span))
            if other.exponent != exponent:
                edit = self.put(exponent.span, str(power), "power")
                yield from self.tried(place, other, edit, 1.2)
        if isinstance(node.base, Name):
            yield from self._unsquared(place, node, node.base)

    def _unsquared(self, place: NodePlace, node: Power, base: Name) -> Iterator[Change]:
        """Put a name with another subscript, and no exponent."""
        printed, shape = word(base), self.at_point.value(base).shape
        for entry, grid in self.values:
            is_index = resemblance(printed, entry)[0] == "index" and entry.family != printed.family
            if is_index and grid.shape == shape:
                edit = self.put(node.span, entry.latex, "index")
                other = replace(entry.name, span=node.span)
                yield from self.tried(place, other, edit, UNSQUARED)

    def _wave(self, place: NodePlace, node: Call) -> Iterator[Change]:
        """Put a cosine for a sine, and another angle."""
        if node.function not in WAVES:
            return
        here = self._text(node.span)
        if found := re.search(node.function, here):
            at = Span(node.span.start + found.start(), node.span.start + found.end())
            for further, other in enumerate(WAVES[node.function]):
                edit = self.put(at, other, "function")
                changed = replace(node, function=other)
                price = 1.0 if not further else OTHER_WAVE + 0.05 * further
                yield from self.tried(place, changed, edit, price)
        span, printed = node.argument.span, show(node.argument)
        enclosed = self.text[span.start - 1] in "([{"
        for latex, argument in self.arguments:
            if show(argument) != printed:
                bare = enclosed or isinstance(argument, Name)
                edit = self.put(span, latex if bare else f"({latex})", "angle")
                yield from self.tried(place, replace(node, argument=argument), edit, 1.2)

    def _dropped(self, place: NodePlace, node: Multiply) -> Iterator[Change]:
        """Leave out a factor."""
        for i, factor in enumerate(node.factors):
            rest = node.factors[:i] + node.factors[i + 1 :]
            product = rest[0] if len(rest) == 1 else Multiply(rest, node.span)
            kind: Kind = "factor" if isinstance(factor, Number | Divide) else "symbol"
            doubled = any(show(factor) == show(other) for other in rest)
            cost = 1.0 if kind == "factor" or doubled else 2.2 if isinstance(factor, Add) else 1.25
            if place.parent is None and kind == "factor" and isinstance(product, Name):
                cost = BARE
            edit = self.put(self.enclosed(factor), "", kind)
            yield from self.tried(place, product, edit, cost)
