"""Coefficients that are known at random constants alone, written in these constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import sympy

from freebody.algebra.angles import name_of
from freebody.identification.exact import Coefficients, FieldColumns
from freebody.identification.loops import LoopColumns

HIGHEST = 4
"""The highest degree in constants, and in cosines and sines of them, of one product."""
TRIED = ((1, False), (2, False), (2, True), (4, False))
"""The degrees of sums of them that are tried one after another, and whether constants may stand
below the line."""
MOST = 70
"""Up to how many products of constants a coefficient is looked for in."""
SPARE = 2
"""At how many more values a coefficient that is written must hold."""


@dataclass
class Combinations:
    """The coefficients of dependent columns in the constants of a model.

    Parameters
    ----------
    columns : FieldColumns or LoopColumns
    constants : sequence of sympy.Symbol
        Those that the regressor depends on.
    angles : collection of sympy.Symbol
        Those of them that enter by cosines and sines.
    """

    columns: FieldColumns | LoopColumns
    constants: Sequence[sympy.Symbol]
    angles: frozenset[sympy.Symbol]

    def __post_init__(self) -> None:
        self._runs: list[Coefficients] = []

    @cached_property
    def _first(self) -> tuple[list[int], Coefficients]:
        return self.columns.dependence({})

    @property
    def independent(self) -> list[int]:
        """The columns that are independent."""
        return self._first[0]

    @cached_property
    def written(self) -> dict[tuple[int, int], sympy.Expr | None]:
        """Each coefficient in the constants, None where it is no sum of few products of them."""
        first = self._first[1]
        return {place: self._number_or_sum(place, value) for place, value in first.items()}

    def _number_or_sum(self, place: tuple[int, int], value: int) -> sympy.Expr | None:
        depends = [
            c for c, other in self._alone.items() if self.columns.differ(other.get(place, 0), value)
        ]
        if not depends:
            numbers = self.columns.fit([[1]] * (1 + SPARE), [value] * (1 + SPARE))
            return None if numbers is None else numbers[0]
        factors = [self._factors(c) for c in depends]
        for product in _products(factors, HIGHEST, signed=True):
            written = self._fitted(place, [product])
            if written is not None:
                return written
        for degree, signed in TRIED:
            products = _products(factors, degree, signed=signed)
            if len(products) <= MOST:
                written = self._fitted(place, products)
                if written is not None:
                    return written
        return None

    def _factors(self, constant: sympy.Symbol) -> tuple[sympy.Expr, ...]:
        if constant in self.angles:
            return sympy.cos(constant), sympy.sin(constant)
        return (constant,)

    @cached_property
    def _alone(self) -> dict[sympy.Symbol, Coefficients]:
        """The coefficients where one constant has another value than at first."""
        return {c: self.columns.dependence({name_of(c): 1})[1] for c in self.constants}

    def _fitted(self, place: tuple[int, int], products: Sequence[sympy.Expr]) -> sympy.Expr | None:
        """Return a coefficient as a sum of products, if it is one with small numbers."""
        count = len(products)
        rows: list[Any] = [
            self.columns.constants(products, self._varied(n)) for n in range(count + SPARE)
        ]
        values = [self._run(n).get(place, 0) for n in range(count + SPARE)]
        numbers = self.columns.fit(rows, values)
        if numbers is None:
            return None
        return sympy.Add(*(a * one for a, one in zip(numbers, products, strict=True)))

    def _run(self, number: int) -> Coefficients:
        """Return the coefficients where all constants have other values, as often as asked."""
        while len(self._runs) <= number:
            self._runs.append(self.columns.dependence(self._varied(len(self._runs)))[1])
        return self._runs[number]

    def _varied(self, number: int) -> Mapping[str, int]:
        return {name_of(constant): number + 2 for constant in self.constants}


def _products(
    factors: Sequence[tuple[sympy.Expr, ...]], degree: int, *, signed: bool
) -> list[sympy.Expr]:
    """Return all products of factors up to a degree, of lengths below the line too if signed.

    Of each angle there is one sine at most: its square is one less that of the cosine.
    """
    flat = [f for pair in factors for f in pair]
    flat += [1 / pair[0] for pair in factors if signed and len(pair) == 1]
    whole = (
        sympy.Mul(*chosen)
        for count in range(degree + 1)
        for chosen in combinations_with_replacement(flat, count)
    )
    return list(dict.fromkeys(one for one in whole if not _has_square_of_sine(one)))


def _has_square_of_sine(product: sympy.Expr) -> bool:
    powers = product.as_powers_dict().items()
    return any(isinstance(base, sympy.sin) and power > 1 for base, power in powers)
