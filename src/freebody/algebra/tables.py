"""Functions by table: polynomials in pieces, with derivatives of every order.

Of a table each derivative is a function of its own. In canonical forms and in a prime field they
are opaque; as a program is written out they are choices between the coefficients of the pieces.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, TypeVar

import sympy

from freebody.algebra.units import NUMBER, Dimension

T = TypeVar("T")
_ROUNDING = sympy.Rational(1, 10**9)
Coefficients = tuple[tuple[sympy.Rational, ...], ...]
TABLES: dict[str, type[Tabulated]] = {}
"""All tables and their derivatives that were made, by the operation that they are in a program."""


class Tabulated(sympy.Function):
    """A function of one variable by a table.

    Attributes
    ----------
    title : str
        The name of the table.
    breaks : tuple of sympy.Rational
        Where one piece ends and the next begins.
    starts : tuple of sympy.Rational
        From where each piece counts its variable; one more than breaks.
    pieces : tuple of tuple of sympy.Rational
        The coefficients of each piece, that of the lowest power first, all as many.
    order : int
        Which derivative it is.
    units : tuple of two Dimension
        Of the variable, and of the value.
    operation : str
        What it is called as an operation of a program.
    """

    title: ClassVar[str] = ""
    breaks: ClassVar[tuple[sympy.Rational, ...]] = ()
    starts: ClassVar[tuple[sympy.Rational, ...]] = ()
    pieces: ClassVar[Coefficients] = ()
    order: ClassVar[int] = 0
    units: ClassVar[tuple[Dimension, Dimension]] = (NUMBER, NUMBER)
    operation: ClassVar[str] = ""

    @classmethod
    def at(cls, x: Any) -> Any:
        """Return the value at a number of any kind."""
        piece = bisect_right(cls.breaks, x)
        return _at(cls.pieces[piece], x - cls.starts[piece])

    @classmethod
    def corners(cls) -> list[sympy.Rational]:
        """Return where its derivative jumps."""
        slopes = cls.derivative()
        sides = zip(slopes.breaks, slopes.starts, slopes.pieces, slopes.pieces[1:], strict=False)
        return [
            place
            for place, start, before, after in sides
            if abs(_at(before, place - start) - _at(after, sympy.S.Zero)) > _ROUNDING * _size(after)
        ]

    @staticmethod
    def _imp_(x: Any) -> Any:
        raise NotImplementedError  # each table has its own

    @classmethod
    def derivative(cls) -> Any:
        """Return the function that its derivative is."""
        slopes = tuple(tuple(n * c for n, c in enumerate(piece))[1:] for piece in cls.pieces)
        x, y = cls.units
        return _made(cls.title, cls.breaks, cls.starts, slopes, cls.order + 1, (x, y / x))

    def fdiff(self, argindex: int = 1) -> Any:  # noqa: ARG002 - it has one argument
        """Return the derivative: a table too, or zero where there is nothing left."""
        slope = self.derivative()
        return slope(self.args[0]) if any(map(any, slope.pieces)) else sympy.S.Zero

    def _eval_is_real(self) -> bool:
        return True


def tabulated(
    name: str,
    knots: Sequence[float],
    pieces: Sequence[Sequence[float]],
    units: tuple[Dimension, Dimension] = (NUMBER, NUMBER),
) -> type[Tabulated]:
    """Return the function of polynomials between knots, which goes on straight beyond them.

    Parameters
    ----------
    name : str
    knots : sequence of float
        Increasing.
    pieces : sequence of sequence of float
        The coefficients between each two, that of the lowest power first, from the lower knot.
    units : tuple of two Dimension, optional
        Of the variable, and of the value.

    Examples
    --------
    >>> f = tabulated("f", [0, 1, 3], [[0, 1], [1, 2]])
    >>> f.at(sympy.Rational(1, 2)), f.at(2), f.at(4), f.at(-1)
    (1/2, 3, 7, -1)
    >>> f(sympy.Symbol("x")).diff(sympy.Symbol("x"))
    f_1(x)
    """
    count = max(2, *map(len, pieces))
    inner = [tuple(map(_rational, (*piece, *[0.0] * (count - len(piece))))) for piece in pieces]
    places = tuple(map(_rational, knots))
    last, h = inner[-1], places[-1] - places[-2]
    top = sum(c * h**n for n, c in enumerate(last))
    slope = sum(n * c * h ** (n - 1) for n, c in enumerate(last) if n)
    rest = (sympy.S.Zero,) * (count - 2)
    whole = ((*inner[0][:2], *rest), *inner, (top, slope, *rest))
    return _made(name, places, (places[0], *places[:-1], places[-1]), whole, 0, units)


def written_out(
    table: type[Tabulated],
    x: T,
    number: Callable[[sympy.Rational], T],
    less: Callable[[T, T], T],
    choose: Callable[[T, T, T], T],
) -> T:
    """Return the value of a table in operations, by Horner's rule of chosen coefficients.

    Parameters
    ----------
    table : type of Tabulated
    x : object
        With operators for sums and products.
    number, less, choose : callable
        What make a number, compare two, and choose between two.
    """
    below = [less(x, number(place)) for place in table.breaks]

    def chosen(values: Sequence[sympy.Rational]) -> Any:
        *others, last = map(number, values)
        for holds, value in zip(reversed(below), reversed(others), strict=True):
            last = choose(holds, value, last)
        return last

    h: Any = x - chosen(table.starts)
    *lower, total = map(chosen, zip(*table.pieces, strict=True))
    for coefficient in reversed(lower):
        total = total * h + coefficient
    return total


def _at(piece: Sequence[Any], h: Any) -> Any:
    total: Any = 0
    for coefficient in reversed(piece):
        total = total * h + coefficient
    return total


def _size(piece: Sequence[sympy.Rational]) -> sympy.Rational:
    return abs(piece[0]) + 1


def _rational(value: float) -> sympy.Rational:
    return sympy.Rational(repr(float(value)))


def _made(
    name: str, breaks: Any, starts: Any, pieces: Coefficients, order: int, units: Any
) -> type[Tabulated]:
    said = repr((name, breaks, starts, pieces, order, units))
    operation = f"{name}_{order}_{blake2b(said.encode(), digest_size=8).hexdigest()}"
    if operation not in TABLES:
        given = {
            "title": name,
            "breaks": breaks,
            "starts": starts,
            "pieces": pieces,
            "order": order,
            "units": units,
            "operation": operation,
            "nargs": 1,
            "__module__": __name__,
            "__qualname__": operation,
        }
        kind: Any = type(Tabulated)
        made = kind(f"{name}_{order}" if order else name, (Tabulated,), given)
        made._imp_ = staticmethod(made.at)
        TABLES[operation] = made
    return TABLES[operation]
