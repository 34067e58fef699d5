"""First derivatives of a program, taken operation by operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy

from freebody.programs.cells import Cell, Graph

HALF = sympy.Rational(1, 2)


def derivatives(graph: Graph, outputs: Sequence[Cell], by: Sequence[Cell]) -> list[list[Cell]]:
    """Return the derivatives of outputs by leaves, a row for each output.

    They are taken forward, along one leaf after another, and in reverse, from one output after
    another; what takes fewer operations is returned.
    """
    ahead = _forward(graph, outputs, by)
    back = _reverse(graph, outputs, by)
    return min((ahead, back), key=lambda rows: len(graph.needed([c for row in rows for c in row])))


def _forward(graph: Graph, outputs: Sequence[Cell], by: Sequence[Cell]) -> list[list[Cell]]:
    places = graph.needed(outputs)
    slopes = {place: list(partials(graph, place)) for place in places}
    columns = []
    for leaf in by:
        rates = {leaf.node: graph.one}
        for place in places:
            total = graph.zero
            for part, slope in slopes[place]:
                if part in rates:
                    total = total + slope * rates[part]
            if total:
                rates[place] = total
        columns.append([_signed(rates.get(cell.node, graph.zero), cell.sign) for cell in outputs])
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in outputs]


def _reverse(graph: Graph, outputs: Sequence[Cell], by: Sequence[Cell]) -> list[list[Cell]]:
    rows = []
    slopes = {place: list(partials(graph, place)) for place in graph.needed(outputs)}
    for cell in outputs:
        weights = {cell.node: graph.one}
        for place in reversed(graph.needed([cell])):
            weight = weights.get(place)
            if weight:
                for part, slope in slopes[place]:
                    weights[part] = weights.get(part, graph.zero) + slope * weight
        rows.append([_signed(weights.get(leaf.node, graph.zero), cell.sign) for leaf in by])
    return rows


def _signed(cell: Cell, sign: int) -> Cell:
    return cell if sign == 1 else -cell


def partials(graph: Graph, place: int) -> Iterator[tuple[int, Cell]]:
    """Iterate over what an operation depends on, and the derivatives by that."""
    kind, *rest = graph.nodes[place]
    here = Cell(graph, 1, place)
    match kind:
        case "+" | "-":
            yield rest[0], graph.one
            yield rest[1], graph.one if kind == "+" else -graph.one
        case "*":
            yield rest[0], Cell(graph, 1, rest[1])
            yield rest[1], Cell(graph, 1, rest[0])
        case "/":
            below = graph.one / Cell(graph, 1, rest[1])
            yield rest[0], below
            yield rest[1], -(here * below)
        case "cos":
            yield rest[0], -Cell(graph, 1, graph.place("sin", *rest))
        case "sin":
            yield rest[0], Cell(graph, 1, graph.place("cos", *rest))
        case "call":
            yield from _of_call(graph, place)


def _of_call(graph: Graph, place: int) -> Iterator[tuple[int, Cell]]:
    """Iterate over the derivatives of a function that is left to sympy."""
    _, expr, parts = graph.nodes[place]
    here = Cell(graph, 1, place)
    if parts and expr.is_Pow and expr.exp == HALF:
        yield parts[0], graph.one / (here + here)
        return
    for symbol, slope in slopes_of(expr).items():
        yield graph.place_of(symbol), graph.values([slope])[0]


def slopes_of(expr: sympy.Expr) -> dict[sympy.Symbol, sympy.Expr]:
    """Return the derivatives of a function of symbols by each of them, taken as real.

    Where one has a jump, as that of ``Max(x, 0)`` at zero, it is that of the side below; the jump
    of the function itself adds nothing.
    """
    real = {symbol: sympy.Dummy(real=True) for symbol in expr.free_symbols}
    back = {dummy: symbol for symbol, dummy in real.items()}
    inner = expr.xreplace(real)
    slopes = {symbol: inner.diff(dummy) for symbol, dummy in real.items()}
    return {symbol: _almost_everywhere(slope).xreplace(back) for symbol, slope in slopes.items()}


def _almost_everywhere(slope: sympy.Expr) -> sympy.Expr:
    """Return a derivative that is one-sided at a kink, and without the pulse of a jump."""
    smooth = slope.replace(sympy.DiracDelta, lambda *_: sympy.S.Zero)
    return smooth.replace(sympy.Heaviside, lambda x, *_: sympy.Piecewise((1, x > 0), (0, True)))
