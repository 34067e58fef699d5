"""The blocks of the equations of motion, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy.polys.domains import QQ

from freebody.checking.grid import Grid
from freebody.checking.quantities.families.family import Family, Rows, Source, column, one_of
from freebody.errors import DerivationError

HALF = QQ(1, 2)
MOST = 4
"""The largest matrix whose inverse and determinant are written out."""


def _matrix(source: Source, name: str) -> Rows:
    if name == "N":
        return [[source.form(entry) for entry in row] for row in source.equations.N.tolist()]
    if name == "J" and not source.equations.multipliers:
        raise DerivationError("the model has no constraints")
    return source.blocks.M if name == "M" else source.blocks.J


def _gamma(source: Source) -> Rows:
    """Return the right side of the constraints between accelerations, J u̇ = γ."""
    if not source.equations.multipliers:
        raise DerivationError("the model has no constraints")
    return column(-entry for entry in source.blocks.gamma)


def _inverse(source: Source, name: str) -> Rows:
    return _square(source, name).inverse().rows


def _determinant(source: Source, name: str) -> Rows:
    return _square(source, name).determinant().rows


def _square(source: Source, name: str) -> Grid:
    rows = _matrix(source, one_of(name, ("M", "N")))
    if len(rows) > MOST:
        raise DerivationError(f"it is written out for at most {MOST} rows, not for {len(rows)}")
    return Grid.made(rows)


def _forcing(source: Source) -> Rows:
    """Return τ - C - G - E."""
    blocks = source.blocks
    rows = zip(blocks.tau, blocks.C, blocks.G, blocks.E, strict=True)
    return column(tau - c - g - e for tau, c, g, e in rows)


def _input_matrix(source: Source) -> Rows:
    if not source.equations.inputs:
        raise DerivationError("the model has no inputs")
    return _turned(source.slopes(_forces, source.equations.inputs))


def _forces(source: Source) -> Rows:
    """Return τ - E, a column."""
    blocks = source.blocks
    return column(tau - e for tau, e in zip(blocks.tau, blocks.E, strict=True))


def _turned(slopes: Sequence[Rows]) -> Rows:
    """Return the matrix that has the derivatives of a column as its columns."""
    return [list(row) for row in zip(*([row[0] for row in rows] for rows in slopes), strict=True)]


# ---------------------------------------------------------------------- Christoffel's symbols


def _coriolis(source: Source) -> Rows:
    """Return the matrix of Christoffel's symbols that gives C when multiplied by the speeds."""
    speeds = [source.form(speed) for speed in source.equations.speeds]
    rows = [[_times(symbols, speeds) for symbols in matrix] for matrix in _symbols(source)]
    for row, whole in zip(rows, source.blocks.C, strict=True):
        if not source.vanishes(_times(row, speeds) - whole):
            raise DerivationError("C is no matrix times the speeds: a motion is prescribed")
    return rows


def _christoffel(source: Source, first: str) -> Rows:
    """Return the symbols of the first kind of one equation of motion."""
    _coriolis(source)
    known = [str(number + 1) for number in range(source.equations.n)]
    return _symbols(source)[known.index(one_of(first, known))]


def _symbols(source: Source) -> list[Rows]:
    """Return Christoffel's symbols of the first kind, a matrix for each equation of motion."""
    equations = source.equations
    if equations.mechanism.model.speeds:
        raise DerivationError(
            "with speeds of one's own there is no matrix of Christoffel's symbols"
        )
    by = source.slopes(lambda at: at.blocks.M, equations.coordinates)
    n = range(equations.n)
    return [
        [[(by[k][i][j] + by[j][i][k] - by[i][k][j]).scaled(HALF) for k in n] for j in n] for i in n
    ]


def _times(row: Sequence[Any], column: Sequence[Any]) -> Any:
    first, *rest = (a * b for a, b in zip(row, column, strict=True))
    return sum(rest, first)


# ---------------------------------------------------------------------- linearized


def _linear(source: Source, name: str) -> Rows:
    """Return the matrices of the linear equations at an equilibrium, wherever that is.

    A and B are of the rates of the state, M, D and K of M δü + D δu + K δq = 0.
    """
    equations = source.equations
    if equations.mechanism.constraints:
        raise DerivationError("linear matrices are of models without constraints")
    one_of(name, ("A", "B", "M", "D", "K"))
    if name == "M":
        return source.blocks.M
    states = (*equations.coordinates, *equations.speeds)
    by = {
        "A": states,
        "B": equations.inputs,
        "D": equations.speeds,
        "K": equations.coordinates,
    }[name]
    if not by:
        raise DerivationError("the model has no inputs")
    slopes = Grid.made(_turned(source.slopes(_forcing, by)))
    if name in ("D", "K"):
        return (-slopes).rows
    lower = Grid.made(_inverse(source, "M")) * slopes
    return [*_turned(source.slopes(_rates, by)), *lower.rows]


def _rates(source: Source) -> Rows:
    """Return the rates of the coordinates, a column."""
    return column(map(source.form, source.equations.mechanism.kinematics.values()))


FAMILIES = {
    "M": Family(lambda source: _matrix(source, "M"), "M[1,2]"),
    "C": Family(lambda source: column(source.blocks.C), "C[1]"),
    "G": Family(lambda source: column(source.blocks.G), "G[1]"),
    "gravity": Family(lambda source: column(source.blocks.G), "gravity[1]"),
    "E": Family(lambda source: column(source.blocks.E), "E[1]"),
    "tau": Family(lambda source: column(source.blocks.tau), "tau[1]"),
    "J": Family(lambda source: _matrix(source, "J"), "J[1,2]"),
    "N": Family(lambda source: _matrix(source, "N"), "N[1,2]"),
    "inverse": Family(_inverse, "inverse.M or inverse.M[1,2]"),
    "det": Family(_determinant, "det.M", "one"),
    "forcing": Family(_forcing, "forcing[1]"),
    "input_matrix": Family(_input_matrix, "input_matrix[1,1]"),
    "coriolis": Family(_coriolis, "coriolis[1,2]"),
    "christoffel": Family(_christoffel, "christoffel[1,2,3]"),
    "gamma": Family(_gamma, "gamma[1]"),
    "linear": Family(_linear, "linear.A[1,2], linear.B[1,1] or linear.M, .D and .K"),
}
"""Families of quantities by the first part of their paths."""
