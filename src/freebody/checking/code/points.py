"""Operations of code worked out in an arithmetic: at a point, as bounds on degrees, in forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.domains import Domain
from freebody.graph.cells import Cell
from freebody.graph.graph import LEAF, Graph
from freebody.graph.meanings import MEANINGS
from freebody.graph.operations import ARITHMETIC, NUMBER

Angle = Mapping[Any, Any] | None
"""An argument as a sum: a rational number for each product of symbols; None for any other."""
FEW = 6
"""Terms of the factors of an angle."""
_ANY = sympy.exp(sympy.Symbol("any"))


class PointValues:
    """Operations of a graph worked out in a domain, each once.

    Parameters
    ----------
    graph : Graph
    meaning : callable
        What each leaf stands for, as an expression.
    at : Domain
        A point, or bounds on degrees.
    given : mapping of int to element, optional
        What operations are taken to be.
    circles : dict, optional
        Cosines and sines that are known at the point, by their arguments: they grow in it.
    """

    def __init__(
        self,
        graph: Graph,
        meaning: Callable[[str], sympy.Expr],
        at: Domain[Any],
        given: Mapping[int, Any] | None = None,
        circles: dict[Any, tuple[Any, Any]] | None = None,
    ) -> None:
        self._graph, self._meaning, self._at = graph, meaning, at
        self._circles = {} if circles is None else circles
        self._values: dict[int, Any] = dict(given or {})
        self._angles: dict[int, Angle] = dict.fromkeys(self._values)
        self._moved: dict[tuple[int, int], dict[int, None]] = {}
        self._orders: dict[int, list[int]] = {}

    def value(self, cell: Cell) -> Any:
        """Return what a cell is.

        Raises
        ------
        ZeroDivisionError, NoRootError
            If it is not defined at the point.
        """
        if cell.node not in self._values:
            for place in self._missing(cell.node, self._values, through=True):
                self._enter(place)
        found = self._values[cell.node]
        return found if cell.sign == 1 else -found

    def _missing(self, node: int, known: Mapping[int, Any], *, through: bool) -> list[int]:
        """Return what has to be worked out for an operation, in order; or as far as sums go."""
        waiting, found = [node], set[int]()
        while waiting:
            place = waiting.pop()
            if place not in found and place not in known:
                found.add(place)
                if through or self._graph.nodes[place][0] in ARITHMETIC:
                    waiting.extend(self._graph.operands(place))
        return sorted(found)

    def _angle(self, node: int) -> Angle:
        """Return an operation as a sum of angles, if it is one."""
        for place in self._missing(node, self._angles, through=False):
            self._angles[place] = self._sum(place)
        return self._angles[node]

    def _sum(self, place: int) -> Angle:
        kind, *rest = self._graph.nodes[place]
        if kind == LEAF:
            return _sum_of(self._meaning(rest[0]))
        if kind == NUMBER:
            return _sum_of(_number(rest[0]))
        return _combined(kind, [self._angles[one] for one in rest]) if kind in ARITHMETIC else None

    def replaced(self, place: int, by: Cell, of: Cell) -> Any:
        """Return what a cell is where an operation in it is another.

        Parameters
        ----------
        place : int
            The operation.
        by : Cell
            What stands for it.
        of : Cell
            What is wanted.
        """
        after = self._after(place, of.node)
        value = self.value(by)
        if all(self._graph.nodes[one][0] in ARITHMETIC for one in after):
            found = self._arithmetic(place, value, after).get(of.node, self._values[of.node])
            return found if of.sign == 1 else -found
        angle = self._angle(by.node)
        other = PointValues(self._graph, self._meaning, self._at, circles=self._circles)
        if by.sign < 0:
            angle = None if angle is None else {key: -part for key, part in angle.items()}
        parts = {of.node, *(part for one in after for part in self._graph.operands(one))}
        other._values = {part: self._values[part] for part in parts - after.keys() - {place}}
        other._angles = {one: held for one, held in self._angles.items() if one not in after}
        other._values[place], other._angles[place] = value, angle
        return other.value(of)

    def work(self, place: int, of: Cell) -> int:
        """Return about how much work it is to replace an operation."""
        after = self._after(place, of.node)
        is_plain = all(self._graph.nodes[one][0] in ARITHMETIC for one in after)
        return 20 + len(after) * (1 if is_plain else 10)

    def _after(self, place: int, node: int) -> dict[int, None]:
        """Return the operations between one and another, in order."""
        if (place, node) not in self._moved:
            self._moved[place, node] = self._between(place, node)
        return self._moved[place, node]

    def _between(self, place: int, node: int) -> dict[int, None]:
        moved: dict[int, None] = {place: None}
        for one in self._reached(node):
            if one > place and any(part in moved for part in self._graph.operands(one)):
                moved[one] = None
        del moved[place]
        return moved

    def _reached(self, node: int) -> list[int]:
        if node not in self._orders:
            self._orders[node] = sorted(self._graph.reached([self._graph.cell(node)]))
        return self._orders[node]

    def _arithmetic(self, place: int, value: Any, after: Iterable[int]) -> dict[int, Any]:
        """Return sums, products and quotients where one of their parts is another value."""
        moved = {place: value}
        for one in after:
            kind, *rest = self._graph.nodes[one]
            parts = [moved[part] if part in moved else self._values[part] for part in rest]
            moved[one] = ARITHMETIC[kind](*parts)
        return moved

    def _enter(self, place: int) -> None:
        kind, *rest = self._graph.nodes[place]
        if kind == LEAF:
            value = self._at.values([self._meaning(rest[0])])[0]
        elif kind == NUMBER:
            value = self._at.values([_number(rest[0])])[0]
        elif kind in ARITHMETIC:
            value = ARITHMETIC[kind](*(self._values[one] for one in rest))
        else:
            value = self._function(kind, rest)
        self._values[place] = value

    def _function(self, kind: str, rest: list[int]) -> Any:
        values = [self._values[one] for one in rest]
        if kind in ("cos", "sin"):
            angle = self._angle(rest[0])
            argument = _ANY if angle is None else sympy.Add(*(c * m for m, c in angle.items()))
            key = argument, values[0]
            if key not in self._circles:
                self._circles[key] = self._at.circle(argument, values[0])
            return self._circles[key][0 if kind == "cos" else 1]
        if kind == "sqrt":
            angle = self._angle(rest[0])
            number = angle.get(sympy.S.One) if angle and len(angle) == 1 else None
            return self._at.root(sympy.Symbol("any") if number is None else number, values[0])
        if kind == "pow" and (angle := self._angle(rest[1])) is not None and set(angle) <= {1}:
            values.append(values.pop())
        function = MEANINGS[kind]
        name = getattr(function, "__qualname__", kind)
        return self._at.drawn(f"{getattr(function, '__module__', '')}.{name}", values)


def _sum_of(expr: sympy.Expr) -> Angle:
    """Return an expression as a sum of rational numbers times products of symbols."""
    terms = sympy.expand(expr).as_coefficients_dict()
    if len(terms) > FEW or not all(value.is_Rational for value in terms.values()):
        return None
    return {key: value for key, value in terms.items() if value}


def _combined(kind: str, angles: list[Angle]) -> Angle:
    if any(one is None for one in angles):
        return None
    first = angles[0] or {}
    if kind == "neg":
        return {key: -value for key, value in first.items()}
    second = angles[1] or {}
    if kind in ("add", "sub"):
        return _added(first, second, 1 if kind == "add" else -1)
    if kind == "div":
        if set(second) != {sympy.S.One} and set(second) != {sympy.pi}:
            return None
        ((key, value),) = second.items()
        return {one / key: part / value for one, part in first.items()}
    if len(first) * len(second) > FEW:
        return None
    return {one * other: a * b for one, a in first.items() for other, b in second.items()}


def _added(first: Mapping[Any, Any], second: Mapping[Any, Any], sign: int) -> Angle:
    out = dict(first)
    for key, value in second.items():
        out[key] = out.get(key, 0) + sign * value
    found = {key: value for key, value in out.items() if value}
    return found if len(found) <= 2 * FEW else None


def written_out(
    graph: Graph,
    meaning: Callable[[str], sympy.Expr],
    ring: Ring,
    cells: Iterable[Cell],
    given: Mapping[int, Form] | None = None,
) -> list[Form]:
    """Return cells as canonical forms.

    Raises
    ------
    TooLargeError
        If they are too large.
    """
    known: dict[int, Form] = dict(given or {})
    cells = list(cells)
    for place in sorted(graph.reached(cells) - known.keys()):
        kind, *rest = graph.nodes[place]
        if kind == LEAF:
            known[place] = ring.form(meaning(rest[0]))
        elif kind == NUMBER:
            known[place] = ring.form(_number(rest[0]))
        elif kind in ARITHMETIC:
            known[place] = ARITHMETIC[kind](*(known[one] for one in rest))
        elif kind in ("cos", "sin"):
            known[place] = getattr(ring, kind)(known[rest[0]])
        else:
            arguments = [ring.expression(known[one]) for one in rest]
            known[place] = ring.form(MEANINGS[kind](*arguments))
    return [known[cell.node] if cell.sign == 1 else -known[cell.node] for cell in cells]


def _number(value: Fraction | str) -> Any:
    return (
        sympy.pi if isinstance(value, str) else sympy.Rational(value.numerator, value.denominator)
    )
