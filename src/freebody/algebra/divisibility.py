"""Whether one term table may divide another, told at a random point before it is tried.

All generators but one get random values of a prime field, which leaves two polynomials in that
one. Where these leave a remainder there is one, whatever the values are; a quotient that there is
not is missed with a chance of the degrees in `PRIME`.
"""

from __future__ import annotations

from functools import cache
from random import Random

from freebody.algebra.prime import PRIME, residue, root_of_minus_one
from freebody.algebra.terms import Terms, exponents


def may_divide(divisor: Terms, dividend: Terms) -> bool:
    """Return whether a division may leave no remainder: where False, it leaves one.

    Parameters
    ----------
    divisor, dividend : Terms
        Not zero.

    Examples
    --------
    >>> from sympy import symbols
    >>> from freebody.algebra import Ring
    >>> x, y = symbols("x y")
    >>> terms = lambda expr: ring.form(expr).terms
    >>> ring = Ring()
    >>> may_divide(terms(x + y), terms(x**2 - y**2)), may_divide(terms(x + y), terms(x**2 + y**2))
    (True, False)
    """
    for place in sorted(divisor.places()):
        below = _at_point(divisor, place)
        if len(below) > 1:
            return _leaves_nothing(_at_point(dividend, place), below)
    return True


def _at_point(terms: Terms, place: int) -> list[int]:
    """Return the coefficients of the powers of one generator, the largest first.

    They end with the lowest power that there is: a factor that is a power divides everything.
    """
    powers: dict[int, int] = {}
    for key, coefficient in terms.table.items():
        value = residue(coefficient)
        if key & 1:
            value *= root_of_minus_one()
        power = 0
        for other, exponent in exponents(key & ~3):
            if other == place:
                power = exponent
            else:
                value = value * pow(_value(other), exponent, PRIME) % PRIME
        powers[power] = (powers.get(power, 0) + value) % PRIME
    known = [power for power, value in powers.items() if value]
    return [powers.get(n, 0) for n in range(max(known), min(known) - 1, -1)] if known else []


@cache
def _value(place: int) -> int:
    return Random(place).randrange(1, PRIME)  # noqa: S311 - nothing secret


def _leaves_nothing(dividend: list[int], divisor: list[int]) -> bool:
    rest, lead = list(dividend), pow(divisor[0], -1, PRIME)
    for start in range(len(rest) - len(divisor) + 1):
        factor = rest[start] * lead % PRIME
        for n, value in enumerate(divisor):
            rest[start + n] = (rest[start + n] - factor * value) % PRIME
    return not any(rest)
