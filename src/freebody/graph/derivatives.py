"""First derivatives, taken operation by operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from freebody.graph.cells import Cell
from freebody.graph.graph import Graph
from freebody.graph.meanings import partial_derivatives

Slopes = Mapping[int, Sequence[tuple[int, Cell]]]
"""What each operation depends on, and its derivatives by that; operands come first."""


def jacobian(graph: Graph, outputs: Sequence[Cell], by: Sequence[Cell]) -> list[list[Cell]]:
    """Return the derivatives of outputs by leaves, a row for each output.

    They are taken forward, along one leaf after another, and in reverse, from one output after
    another; what takes fewer operations is returned.

    Parameters
    ----------
    graph : Graph
        In which the derivatives are written.
    outputs : sequence of Cell
    by : sequence of Cell
        The leaves, a column each.

    Returns
    -------
    list of list of Cell
        len(outputs) x len(by).
    """
    slopes = {place: list(partials(graph, place)) for place in graph.needed(outputs)}
    ahead = _forward(graph, slopes, outputs, by)
    back = _reverse(graph, slopes, outputs, by)
    return min((ahead, back), key=lambda rows: len(graph.needed([c for row in rows for c in row])))


def _forward(
    graph: Graph, slopes: Slopes, outputs: Sequence[Cell], by: Sequence[Cell]
) -> list[list[Cell]]:
    columns = []
    for leaf in by:
        rates = {leaf.node: graph.one}
        for place, parts in slopes.items():
            total = graph.zero
            for part, slope in parts:
                if part in rates:
                    total = total + slope * rates[part]
            if total:
                rates[place] = total
        columns.append([_signed(rates.get(cell.node, graph.zero), cell.sign) for cell in outputs])
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in outputs]


def _reverse(
    graph: Graph, slopes: Slopes, outputs: Sequence[Cell], by: Sequence[Cell]
) -> list[list[Cell]]:
    rows = []
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
    """Iterate over what an operation depends on, and the derivatives by that.

    Yields
    ------
    operand : int
        The node of an operand.
    slope : Cell
        The derivative by it.
    """
    operation, *parts = graph.nodes[place]
    here = graph.cell(place)
    match operation:
        case "add" | "sub":
            yield parts[0], graph.one
            yield parts[1], graph.one if operation == "add" else -graph.one
        case "neg":
            yield parts[0], -graph.one
        case "mul":
            yield parts[0], graph.cell(parts[1])
            yield parts[1], graph.cell(parts[0])
        case "div":
            below = graph.one / graph.cell(parts[1])
            yield parts[0], below
            yield parts[1], -(here * below)
        case "cos":
            yield parts[0], -graph.apply("sin", graph.cell(parts[0]))
        case "sin":
            yield parts[0], graph.apply("cos", graph.cell(parts[0]))
        case "sqrt":
            yield parts[0], graph.one / (here + here)
        case _:
            yield from _of_function(graph, operation, parts)


def _of_function(graph: Graph, operation: str, parts: Sequence[int]) -> Iterator[tuple[int, Cell]]:
    cells = [graph.cell(part) for part in parts]
    fixed = tuple(graph.rational(cell) for cell in cells)
    symbols, by_each = partial_derivatives(operation, fixed)
    given = dict(zip(symbols, cells, strict=True))
    for part, slope, number in zip(parts, by_each, fixed, strict=True):
        if number is None:
            yield part, graph.values([slope], given)[0]
