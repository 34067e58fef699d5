"""Identities decided at random points of a prime field, where term tables would be too large.

What is equal has the same value at every point. What is not has different values at a random
point, but for a chance of its degree in the number of elements (and unless `PRIME` divides all
coefficients of the difference).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

import sympy

from freebody.algebra.angles import angle, name_of
from freebody.algebra.canonical import Comparison
from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.jets import Jet
from freebody.algebra.prime import PRIME, residue_over, root_of_minus_one
from freebody.errors import FreebodyError

DRAWS = 1024
"""How many points are drawn, at the most, to find those at which all roots are there."""
ZEROS = 3
"""At how many points a denominator is zero by chance, at the most."""
MOST_ROOTS = 6
"""How many roots may take either sign: all ways to choose the signs are gone through."""
LARGEST_FACTOR = 1 << 15
"""Up to which primes the numbers under roots are taken apart."""
I = Jet(root_of_minus_one())  # noqa: E741 - the field's own name


class NoRootError(FreebodyError):
    """A point at which what stands under a root is no square."""


@dataclass
class Draws:
    """The random values of a point, each drawn by its name.

    Attributes
    ----------
    seed : int
        Which point it is.
    signs : int
        Of which roots the larger is taken, instead of the smaller: a bit for each.
    roots : dict of int to int
        The roots that were taken, but for those of primes.
    is_opaque : bool
        Whether an opaque function was met.
    """

    seed: int
    signs: int = 0
    roots: dict[int, int] = field(default_factory=dict)
    is_opaque: bool = False

    def draw(self, *name: object) -> int:
        """Return a random value that is not zero."""
        text = "\n".join(map(str, (self.seed, *name)))
        digest = blake2b(text.encode(), digest_size=16).digest()
        return 1 + int.from_bytes(digest) % (PRIME - 1)

    def opaque(self, name: str, arguments: list[int]) -> int:
        """Return the value of an opaque function."""
        self.is_opaque = True
        return self.draw(name, *arguments)

    def exponential(self, argument: int) -> int:
        """Return the exponential of an argument that is opaque."""
        small = min(argument, PRIME - argument)
        value = self.opaque("exponential", [small])
        return value if small == argument else residue_over(value)

    def root(self, square: int) -> int:
        """Return a square root of a value.

        Raises
        ------
        NoRootError
            If it has none.
        """
        if square not in self.roots:
            small = sympy.sqrt_mod(square, PRIME)
            if small is None:
                raise NoRootError("what stands under a root is no square at this point")
            large = self.signs >> len(self.roots) & 1
            self.roots[square] = PRIME - small if large else small
        return self.roots[square]


class FieldPoint(Domain[Jet]):
    """A random point: an independent value for each atom, and for the exponential of each angle.

    Parameters
    ----------
    seed : int
        Points of one seed are the same.
    signs : int, optional
        Of which roots the larger is taken, instead of the smaller: a bit for each.

    Examples
    --------
    >>> from sympy import cos, sin, symbols
    >>> x, y = symbols("x y")
    >>> left, right = FieldPoint(1).values([cos(x + y), cos(x) * cos(y) - sin(x) * sin(y)])
    >>> left == right
    True
    >>> (value,) = FieldPoint(1).moved({x: 1}, {y: 1}).values([x**2 * y])
    >>> value.parts[3] == 2 * FieldPoint(1).values([x])[0]
    True
    """

    element = Jet
    units = (Jet(0, epsilon=1), Jet(0, eta=1))
    imaginary = I

    def __init__(self, seed: int, signs: int = 0) -> None:
        super().__init__()
        self.draws = Draws(seed, signs)

    @property
    def is_decisive(self) -> bool:
        """Whether a difference in values, here or where it was moved, proves one in general."""
        return not (self.draws.roots or self.draws.is_opaque)

    def free(self, atom: sympy.Expr) -> Jet:
        """Return the random value of a symbol, a function of time, a derivative or pi."""
        return Jet(self.draws.draw(name_of(atom)))

    def circle(self, argument: sympy.Expr, value: Jet) -> tuple[Jet, Jet]:
        """Return cosine and sine where the nilpotents are zero."""
        forward = self._exponential(argument, value)
        backward = forward.inverse()
        return (forward + backward) / 2, (backward - forward) * I / 2

    def _exponential(self, argument: sympy.Expr, value: Jet) -> Jet:
        found = angle(argument)
        if found is None or self._base.values([argument])[0].value != value.value:
            return Jet(self.draws.exponential(value.value))
        cosine, sine = self.values([found.cosine, found.sine])
        out = cosine + sine * I
        for name, parts in found.parts.items():
            out = out * Jet(self.draws.draw("angle", name)) ** parts
        return out

    def root(self, base: sympy.Expr, square: Jet) -> Jet:
        """Return a square root where the nilpotents are zero.

        Raises
        ------
        NoRootError
            If there is none at this point.
        UndecidedError
            If there is none at any.
        """
        if base.is_Rational:
            return self._root_of_number(base)
        return Jet(self.draws.root(square.value))

    def _root_of_number(self, value: sympy.Rational) -> Jet:
        """Return the root of a number in roots of primes, which are independent."""
        out = Jet.number(sympy.Rational(1, value.q))
        factors = sympy.factorint(value.p * value.q, limit=LARGEST_FACTOR)
        for factor, power in factors.items():
            out = out * Jet.number(factor) ** (power // 2)
            if power % 2:
                out = out * (I if factor == -1 else self._root_of_factor(factor))
        return out

    def _root_of_factor(self, factor: int) -> Jet:
        if not sympy.isprime(factor):
            return Jet(self.draws.root(factor % PRIME))
        root = sympy.sqrt_mod(factor, PRIME)
        if root is None:
            raise UndecidedError(f"{factor} has no square root in the field")
        return Jet(root)

    def drawn(self, name: str, arguments: list[Jet]) -> Jet:
        """Return the random value of an opaque function of some values."""
        return Jet(self.draws.opaque(name, [argument.value for argument in arguments]))


def agree(
    difference: Callable[[FieldPoint], Iterable[Jet]], bound: int, points: int = 3
) -> Comparison:
    """Decide at random points whether differences are zero.

    Where roots occur, a difference must be zero for either sign of each of them.

    Parameters
    ----------
    difference : callable
        Gives the values of the differences at a point, or in one that it moves.
    bound : int
        A bound on their degree: of what the same function gives for a `Degrees`.
    points : int, optional
        How many points to try.

    Returns
    -------
    Comparison
        Whether all are zero. Where a point is not decisive that they are not is no proof, and
        the comparison says so.

    Raises
    ------
    UndecidedError
        If the differences are defined at too few points, have too many roots, or are of so large
        a degree that their values say nothing.

    Examples
    --------
    >>> from sympy import cos, sin, symbols
    >>> x = symbols("x")
    >>> agree(lambda at: at.values([sin(2 * x) - 2 * sin(x) * cos(x)]), bound=48).proof
    'exact at 3 random points of a prime field, wrong with a chance below 1e-50'
    >>> agree(lambda at: at.values([sin(2 * x) - sin(x)]), bound=48).proof
    'exact: differs at a random point of a field of 2**61 elements'
    """
    seeds, halvings = iter(range(DRAWS)), 0
    for _ in range(points):
        trial = _next(difference, seeds)
        if trial.differs:
            return Comparison(equal=False, proof=_PROOFS[trial.is_decisive])
        halvings = max(halvings, trial.halvings)
    chance = f"a chance below 1e{_exponent(bound << halvings, points):+03d}"
    where = f"exact at {points} random points of a prime field"
    return Comparison(equal=True, proof=f"{where}, wrong with {chance}")


_PROOFS = {
    True: "exact: differs at a random point of a field of 2**61 elements",
    False: "not exact: differs at a random point of a field, but has opaque roots or functions",
}


@dataclass(frozen=True)
class _Trial:
    """What came out at a point: `halvings` is how often its roots halve what the points say."""

    differs: bool
    is_decisive: bool = True
    halvings: int = 0


def _next(difference: Callable[[FieldPoint], Iterable[Jet]], seeds: Iterator[int]) -> _Trial:
    """Try the next point at which everything is defined."""
    zeros = 0
    for seed in seeds:
        try:
            return _tried(difference, seed)
        except NoRootError:
            continue
        except ZeroDivisionError as error:
            zeros += 1
            if zeros > ZEROS:
                raise UndecidedError(f"{error}, and at {ZEROS} others") from error
    raise UndecidedError(f"all roots are there at too few of {DRAWS} points of a field")


def _tried(difference: Callable[[FieldPoint], Iterable[Jet]], seed: int) -> _Trial:
    """Try a point with all signs that its roots can have."""
    signs, roots, squares = 0, 0, set[int]()
    while signs < 1 << roots:
        point = FieldPoint(seed, signs)
        if any(difference(point)):
            return _Trial(differs=True, is_decisive=point.is_decisive)
        squares |= point.draws.roots.keys()
        roots = max(roots, len(point.draws.roots))
        if roots > MOST_ROOTS:
            raise UndecidedError(f"more than {MOST_ROOTS} roots that may have either sign")
        signs += 1
    return _Trial(differs=False, halvings=roots + len(squares))


def _exponent(bound: int, points: int) -> int:
    """Return the power of ten above the chance that points miss a difference.

    Raises
    ------
    UndecidedError
        If the chance is not below one.
    """
    if bound >= PRIME - 1:
        raise UndecidedError("the degree is too large for the field")
    return math.ceil(points * math.log10(max(bound, 1) / (PRIME - 1)))
