"""Operations on scalars, vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from freebody.code import arrays, library
from freebody.code.parts import Parts
from freebody.code.values import LARGEST, Matrix, NotFollowedError, TooMuchError, like
from freebody.graph.cells import Cell

BITS = 4096
"""Binary digits of a number."""


class Arithmetic(Parts):
    """Works operations out."""

    def binary(self, sign: str, a: Any, b: Any) -> Any:
        """Return an operation on two values."""
        if sign == "+" and isinstance(a, list) and isinstance(b, list):
            return [*a, *b]
        if sign == "*" and self.language == "python" and isinstance(a, list):
            return self._repeated(a, b)
        is_of_matrices = self.has_columns or isinstance(a, Matrix) or isinstance(b, Matrix)
        if sign == "@" or (sign == "*" and is_of_matrices):
            return like(arrays.multiply(self, a, b), a, b)
        if sign in ("**", ".**"):
            return self._powered(sign, a, b)
        if sign == "\\":
            return arrays.solve(self, a, b)
        if sign == "/" and self.is_one_based and isinstance(b, np.ndarray) and b.size > 1:
            return arrays.multiply(self, a, arrays.inverse(self, b))
        a, b = self.matched(a, b)
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            return self._entry_by_entry(sign, a, b)
        return self._scalars(sign.lstrip("."), a, b)

    def _repeated(self, entries: list[Any], count: Any) -> list[Any]:
        """Return a list several times one after another: ``[0.0]*4``."""
        times = self.whole(count)
        if times * len(entries) > LARGEST:
            raise TooMuchError(f"a list of more than {LARGEST} entries")
        return entries * times

    def _powered(self, sign: str, a: Any, b: Any) -> Any:
        is_of_matrices = self.is_one_based or isinstance(a, Matrix)
        if is_of_matrices and sign == "**" and isinstance(a, np.ndarray):
            if self.whole(b) == -1:
                return like(arrays.inverse(self, a), a)
            return like(arrays.product(self, [a] * self.whole(b)), a)
        return library.power(self, a, b)

    def _entry_by_entry(self, sign: str, a: Any, b: Any) -> Any:
        if self.has_columns and {np.ndim(a), np.ndim(b)} == {1, 2}:
            a, b = (np.reshape(one, (-1, 1)) if np.ndim(one) == 1 else one for one in (a, b))
        try:
            one, other = np.broadcast_arrays(
                np.asarray(a, dtype=object), np.asarray(b, dtype=object)
            )
        except ValueError:
            raise NotFollowedError(f"shapes {np.shape(a)} and {np.shape(b)} together") from None
        if one.size > 4096:
            raise TooMuchError("an array of more than 4096 entries")
        out = np.empty(one.shape, dtype=object)
        for place in np.ndindex(*one.shape):
            out[place] = self._scalars(sign.lstrip("."), one.item(place), other.item(place))
        return like(out, a, b)

    def _scalars(self, sign: str, a: Cell, b: Cell) -> Cell:
        if sign == "+":
            return a + b
        if sign == "-":
            return a - b
        if sign == "*":
            return self._bounded(a * b)
        if sign == "/":
            return self._divided(a, b)
        if sign == "%":
            return self._modulo(a, b)
        numbers = self.table.constant(a), self.table.constant(b)
        if sign == "//" and numbers[0] is not None and numbers[1]:
            quotient = numbers[0] / numbers[1]
            is_truncated = self.language in ("c", "cpp")
            whole = int(quotient) if is_truncated else quotient.__floor__()
            return self.table.number(whole)
        is_power = sign == "^" and self.language == "python"
        told = ": a power is written ** in Python" if is_power else ""
        raise NotFollowedError(f"'{sign}' is not followed{told}")

    def _bounded(self, cell: Cell) -> Cell:
        """Return a cell that is no number of too many digits."""
        number = self.table.graph.fraction(cell)
        if number is not None and number.numerator.bit_length() > BITS:
            raise NotFollowedError("a number that is too large")
        return cell

    def _divided(self, a: Cell, b: Cell) -> Cell:
        if not b:
            raise NotFollowedError("a division by zero")
        return a / b

    def _modulo(self, a: Cell, b: Cell) -> Cell:
        numbers = self.table.constant(a), self.table.constant(b)
        if numbers[0] is not None and numbers[1]:
            return self.table.number(numbers[0] % numbers[1])
        if b == self.table.number(2) * self.table.graph.pi:
            self.remark("whole turns of an angle are left aside")
            return a
        raise NotFollowedError("a remainder is not followed")
