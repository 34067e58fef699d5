"""Speeds after an impact, and its impulses: M (u⁺ - u⁻) = Jᵀ Λ with J u⁺ + j = -e (J u⁻ + j)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from freebody.errors import ProgramError
from freebody.graph.cells import Cell
from freebody.mechanics.impacts import impact_named
from freebody.mechanics.mechanism import Mechanism
from freebody.programs.ltdl import LtdlFactors, dot, matrix_times, transposed
from freebody.programs.terms import EquationTerms


def impact_program(terms: EquationTerms, name: str) -> list[Cell]:
    """Return the speeds after an impact, its impulses, and those of the constraints.

    Raises
    ------
    DerivationError
        If there is no such impact.
    ProgramError
        If its equations follow from each other or from the constraints.
    """
    work = terms.workspace
    J, rates = rows_of_impact(work.mechanism, work.impact_rows, name)
    restitutions = work.graph.values(impact_named(work.mechanism, name).restitutions)
    closing = [-((terms.one + e) * rate) for e, rate in zip(restitutions, rates, strict=True)]
    held, _ = work.independent_rows
    slopes = [*J, *held]
    yielding = [terms.factors.solve(row) for row in slopes]
    matrix = [[dot(row, column, terms.zero) for column in yielding] for row in slopes]
    try:
        forces = LtdlFactors(matrix, terms.one).solve([*closing, *(terms.zero for _ in held)])
    except ZeroDivisionError:
        raise ProgramError(
            f"the equations of impact '{name}' follow from each other or from the constraints: "
            "expected fewer axes"
        ) from None
    change = terms.factors.solve(matrix_times(transposed(slopes), forces, terms.zero))
    after = [u + gained for u, gained in zip(work.cells["u"], change, strict=True)]
    return [*after, *forces[: len(J)], *work.spread(forces[len(J) :])]


def rows_of_impact(
    mechanism: Mechanism, rows: Mapping[str, Sequence[Any]], name: str
) -> tuple[list[list[Any]], list[Any]]:
    """Return the rows of J of an impact and its closing speeds, out of those of all impacts."""
    n, start = len(mechanism.speeds), 0
    for impact in mechanism.impacts:
        if impact.name == name:
            break
        start += len(impact.equations)
    places = range(start, start + len(impact_named(mechanism, name).equations))
    J = [list(rows["J"][n * place : n * place + n]) for place in places]
    return J, [rows["rate"][place] for place in places]
