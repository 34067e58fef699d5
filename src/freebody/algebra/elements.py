"""What stands for an expression where it is not worked out in symbols.

Elements may carry two nilpotents ε and η with ε² = η² = 0, by which derivatives come along.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

from freebody.algebra.terms import Rational


class Element(ABC):
    """What stands for an expression; numbers may stand on either side of its operators.

    Numbers are ints, fractions, sympy's rational numbers and elements of its ``QQ``.
    """

    __slots__ = ()

    @classmethod
    @abstractmethod
    def number(cls, value: Rational) -> Self:
        """Return the element that a rational number is."""

    @property
    @abstractmethod
    def order(self) -> int:
        """Which nilpotents it carries: 0 for none, 1 for ε, 2 for η and perhaps ε."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Self, Self, Self, Self]:
        """What stands before 1, ε, η and εη."""

    @abstractmethod
    def split(self, order: int) -> tuple[Self, Self]:
        """Return what is left without the nilpotent of an order, and what stands before it."""

    @abstractmethod
    def through(self, value: Self, slope: Self, curvature: Self) -> Self:
        """Return a function of it, from value and derivatives where its nilpotents are zero."""

    @abstractmethod
    def inverse(self) -> Self:
        """Return one over it."""

    @abstractmethod
    def scaled(self, factor: Rational) -> Self:
        """Return a rational number times it."""

    @abstractmethod
    def __add__(self, other: Any) -> Self: ...

    @abstractmethod
    def __neg__(self) -> Self: ...

    @abstractmethod
    def __mul__(self, other: Any) -> Self: ...

    @abstractmethod
    def __pow__(self, power: int) -> Self: ...

    def __sub__(self, other: Any) -> Self:
        return self + -other

    def __truediv__(self, other: Any) -> Self:
        return self * self.made(other).inverse()

    def __radd__(self, other: Any) -> Self:
        return self + other

    def __rsub__(self, other: Any) -> Self:
        return -self + other

    def __rmul__(self, other: Any) -> Self:
        return self * other

    def __rtruediv__(self, other: Any) -> Self:
        return self.inverse() * other

    @classmethod
    def made(cls, other: Any) -> Self:
        """Return an element as it is, and the element that a number is."""
        return other if isinstance(other, cls) else cls.number(other)
