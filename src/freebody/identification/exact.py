"""Which columns of a regressor follow from others: at random motions in a prime field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy

from freebody.algebra.angles import name_of
from freebody.algebra.fields import Draws, FieldPoint, NoRootError
from freebody.algebra.jets import Jet
from freebody.algebra.linear import solve
from freebody.algebra.prime import PRIME, rational, residue_over
from freebody.graph.code import Code
from freebody.graph.evaluation import Meanings
from freebody.graph.meanings import MEANINGS
from freebody.graph.operations import NUMBER, OPERATIONS
from freebody.programs.verification import ProgramPoint

Numbers = list[sympy.Rational]
Coefficients = dict[tuple[int, int], Any]
"""What a dependent column has of an independent one, by their numbers, the dependent one first."""
WHOLE: Mapping[str, Callable[..., int]] = {
    "add": lambda a, b: (a + b) % PRIME,
    "sub": lambda a, b: (a - b) % PRIME,
    "mul": lambda a, b: a * b % PRIME,
    "neg": lambda a: -a % PRIME,
    "div": lambda a, b: a * residue_over(b) % PRIME,
}
"""The operations that elements of the field have."""
MORE = 3
"""How many motions are drawn beyond as many as there are columns to tell apart."""
SMALL = 10**6
"""Up to which size of numerator and denominator a number counts as one."""
TRIES = 64
"""How many motions are drawn for one at which all roots are there."""


class MotionDraws(Draws):
    """Random values of which those of constants stay from motion to motion.

    Parameters
    ----------
    seed : int
        Which motion it is.
    moving : frozenset of str
        The names of what moves.
    varied : mapping of str to int
        Which values constants have, by their names; the first ones unless it is said.
    """

    def __init__(self, seed: int, moving: frozenset[str], varied: Mapping[str, int]) -> None:
        super().__init__(seed)
        self._moving, self._varied = moving, varied

    def draw(self, *name: object) -> int:
        """Return a random value that is not zero."""
        text = str(name[-1])
        if any(atom in text for atom in self._moving):
            return super().draw(*name)
        values = [f"{atom} {value}" for atom, value in self._varied.items() if atom in text]
        return Draws(0).draw(*name, *values)


class MotionPoint(ProgramPoint):
    """A random motion of a mechanism whose constants stay as they are."""

    def __init__(self, draws: MotionDraws, *, opaque: bool) -> None:
        super().__init__(draws.seed)
        self.draws, self._opaque = draws, opaque

    def root(self, base: sympy.Expr, square: Jet) -> Jet:
        """Return a root in the field, or an unknown function where too many have none."""
        return super().root(base, square) if self._opaque else FieldPoint.root(self, base, square)


class FieldColumns:
    """The columns of a regressor at random motions in a prime field.

    Parameters
    ----------
    code : Code
        Of the regressor, row by row.
    leaves : sequence of sympy.Expr
        What its arguments stand for.
    constants : sequence of sympy.Symbol
        Those of them that do not move.
    """

    def __init__(
        self, code: Code, leaves: Sequence[sympy.Expr], constants: Sequence[sympy.Symbol]
    ) -> None:
        self._code, self._leaves = code, leaves
        self._moving = frozenset(map(name_of, set(leaves) - set(constants)))
        self.has_opaque_roots = False

    @property
    def used(self) -> list[str]:
        """The constants that columns depend on."""
        return self._code.needed("constants")

    @property
    def proof(self) -> str:
        """How independence was decided."""
        roots = ", roots as unknown functions" if self.has_opaque_roots else ""
        return f"exact rank at random motions in a prime field of 2**61 elements{roots}"

    def rows(self, varied: Mapping[str, int]) -> list[list[int]]:
        """Return the regressor at enough motions, row upon row."""
        speeds, width = self._code.shape
        rows: list[list[int]] = []
        seeds = iter(range(TRIES * (width + MORE)))
        while len(rows) < width + MORE * speeds:
            values = self._values(next(seeds), varied)
            if values is not None:
                rows += [values[row * width : (row + 1) * width] for row in range(speeds)]
        return rows

    def _values(self, seed: int, varied: Mapping[str, int]) -> list[int] | None:
        draws = MotionDraws(seed, self._moving, varied)
        try:
            at = MotionPoint(draws, opaque=self._has_rare_roots)
            return self._evaluated(at)
        except (NoRootError, ZeroDivisionError):
            return None

    def _evaluated(self, at: MotionPoint) -> list[int]:
        """Return the entries of the regressor, by whole numbers wherever these do."""
        values = [value.value for value in at.values(self._leaves)]
        for place, operation, operands in self._code.numbered():
            if operation in WHOLE:
                values.append(WHOLE[operation](*(values[used] for used in operands)))
            elif operation in (NUMBER, "sin", "cos"):
                values.append(at.values([self._meanings[place]])[0].value)
            else:
                symbols, whole = self._functions[operation]
                given = {x: Jet(values[used]) for x, used in zip(symbols, operands, strict=True)}
                values += [one.value for one in at.where(given).values([whole])]
        return [values[place] for place in self._code.results]

    @cached_property
    def _functions(self) -> dict[str, tuple[list[sympy.Dummy], sympy.Expr]]:
        """The other operations in symbols: sympy takes long to make the larger of two."""
        kinds = {operation for _, operation, _ in self._code.numbered()}
        return {kind: _in_symbols(kind) for kind in kinds - {*WHOLE, NUMBER, "sin", "cos"}}

    @cached_property
    def _meanings(self) -> Meanings:
        return Meanings(self._code, self._leaves)

    @cached_property
    def _has_rare_roots(self) -> bool:
        """Whether all roots are there at so few motions that they are left unknown functions."""
        for seed in range(TRIES):
            at = MotionPoint(MotionDraws(seed, self._moving, {}), opaque=False)
            try:
                self._evaluated(at)
            except (NoRootError, ZeroDivisionError):
                continue
            return seed > TRIES // 2
        self.has_opaque_roots = True
        return True

    def dependence(self, varied: Mapping[str, int]) -> tuple[list[int], Coefficients]:
        """Return the columns that are independent, and what the others have of them.

        Of several choices it is the one with the first columns.
        """
        return reduced(self.rows(varied))

    def constants(self, wanted: Sequence[sympy.Expr], varied: Mapping[str, int]) -> list[int]:
        """Return the values of what is made of constants."""
        at = MotionPoint(MotionDraws(0, self._moving, varied), opaque=False)
        return [value.value for value in at.values(wanted)]

    def fit(self, rows: Sequence[Sequence[int]], values: Sequence[int]) -> Numbers | None:
        """Return the small rational numbers x of ``rows x = values``, if there are any.

        Parameters
        ----------
        rows : sequence of sequence of int
            More than there are unknowns: the others must hold too.
        values : sequence of int
        """
        count = len(rows[0])
        matrix = [[Jet(entry) for entry in row] for row in rows[:count]]
        try:
            solved = [row[0].value for row in solve(matrix, [[Jet(v)] for v in values[:count]])]
        except ZeroDivisionError:
            return None
        for row, value in zip(rows[count:], values[count:], strict=True):
            if (sum(a * b for a, b in zip(row, solved, strict=True)) - value) % PRIME:
                return None
        numbers = [rational(value, SMALL) for value in solved]
        return None if None in numbers else [sympy.Rational(str(one)) for one in numbers]

    def differ(self, one: int, other: int) -> bool:
        """Return whether two coefficients are different."""
        return one != other


def _in_symbols(operation: str) -> tuple[list[sympy.Dummy], sympy.Expr]:
    symbols = [sympy.Dummy() for _ in range(OPERATIONS[operation])]
    return symbols, MEANINGS[operation](*symbols)


def reduced(rows: Sequence[Sequence[int]]) -> tuple[list[int], Coefficients]:
    """Return which columns of a matrix over the field are independent, and the others in them.

    Examples
    --------
    >>> reduced([[1, 2, 0, 1], [0, 0, 1, 3]])
    ([0, 2], {(1, 0): 2, (3, 0): 1, (3, 2): 3})
    """
    table, pivots = [list(row) for row in rows], list[int]()
    for column in range(len(table[0]) if table else 0):
        top = len(pivots)
        found = next((row for row in range(top, len(table)) if table[row][column]), None)
        if found is None:
            continue
        table[top], table[found] = table[found], table[top]
        over = residue_over(table[top][column])
        first = table[top] = [entry * over % PRIME for entry in table[top]]
        for number, row in enumerate(table):
            if number != top and row[column]:
                factor = row[column]
                table[number] = [(a - factor * b) % PRIME for a, b in zip(row, first, strict=True)]
        pivots.append(column)
    others = (column for column in range(len(table[0]) if table else 0) if column not in pivots)
    return pivots, {
        (column, pivot): table[number][column]
        for column in others
        for number, pivot in enumerate(pivots)
        if table[number][column]
    }
