"""Whether two expressions are equal, and by which terms they differ.

Nothing here waits on ``simplify``: the canonical form decides. Where it cannot (a radical or an
opaque function is left over, or the table would be too large), real points in high precision do,
and the answer says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy

from freebody.algebra.forms import Form
from freebody.algebra.numerics import Numbers
from freebody.algebra.readback import Term, read_terms
from freebody.algebra.ring import Ring
from freebody.algebra.substitution import atoms
from freebody.algebra.terms import TooLargeError

DIGITS = 50
GUARD = 10
POINTS = 12
SIZES = 0.25, 1.75
"""Of random values."""
_BENT = (sympy.Abs, sympy.Max, sympy.Min, sympy.sign)
"""Functions that are others for negative values."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two expressions are equal, and what shows it.

    Attributes
    ----------
    equal : bool
        The answer.
    proof : str
        ``"exact"``, or how many digits agree at how many random points.
    """

    equal: bool
    proof: str

    def __bool__(self) -> bool:
        return self.equal


def equal(a: Any, b: Any) -> bool:
    """Return whether two expressions are equal for all values of their symbols.

    Examples
    --------
    >>> from sympy import cos, sin, symbols
    >>> x, y = symbols("x y")
    >>> equal(cos(x + y), cos(x) * cos(y) - sin(x) * sin(y))
    True
    """
    return compare(a, b).equal


def compare(a: Any, b: Any) -> Comparison:
    """Compare two expressions.

    Parameters
    ----------
    a, b : sympy.Expr
        What is compared.

    Returns
    -------
    Comparison
        The answer, with the kind of proof it has.
    """
    ring = Ring()
    try:
        return is_zero(ring.form(a) - ring.form(b))
    except TooLargeError:
        return _at_points(sympy.sympify(a, strict=True) - b)


def is_zero(form: Form, most: int | None = None) -> Comparison:
    """Return whether a form is zero for all values of its symbols.

    Parameters
    ----------
    form : Form
    most : int, optional
        The terms that it may have to be worked out in numbers.

    Raises
    ------
    TooLargeError
        If it has more, and may be zero.
    """
    cleared = form.ring.cleared(form)
    if not cleared.terms:
        return Comparison(equal=True, proof="exact")
    if cleared.is_decisive:
        return Comparison(equal=False, proof="exact")
    if not _may_vanish(form):
        return Comparison(equal=False, proof=f"{DIGITS} digits at a random point")
    if most is not None and len(cleared.terms) > most:
        raise TooLargeError(f"more than {most} terms to work out in numbers")
    return _at_points(form.ring.expression(cleared))


def difference(a: Any, b: Any) -> list[Term]:
    """Return the terms of ``a - b`` (over the common denominator); none where they are equal.

    Examples
    --------
    >>> from sympy import cos, sin, symbols
    >>> l, d, x = symbols("l d x")
    >>> [term.expr for term in difference(l*d*cos(x) + d**2, 2*l*d*cos(x) + d**2)]
    [-d*l*cos(x)]
    """
    ring = Ring()
    form = ring.form(a) - ring.form(b)
    return [] if is_zero(form) else read_terms(ring.cleared(form))


def _may_vanish(form: Form) -> bool:
    """Return whether a form is zero at a random point, which takes less work than to write it out.

    Or whether it has no value there.
    """
    chance = random.Random(0)  # noqa: S311 - the same point at every run
    given = {atom: chance.uniform(*SIZES) for atom in sorted(atoms(form), key=str)}
    for digits in (DIGITS, 2 * DIGITS):
        with mpmath.workdps(digits):
            try:
                if Numbers(given).vanishes(form, GUARD + digits - DIGITS):
                    return True
            except (KeyError, ZeroDivisionError):
                return True
    return False


def _at_points(expr: sympy.Expr) -> Comparison:
    """Decide by the value at random real points, in high precision."""
    atoms = sorted(
        expr.atoms(sympy.Symbol, sympy.core.function.AppliedUndef, sympy.Derivative), key=str
    )
    dummies = {atom: sympy.Dummy() for atom in atoms}
    parts = sympy.Add.make_args(expr.xreplace(dummies))
    evaluate = sympy.lambdify(list(dummies.values()), parts, "mpmath", cse=True)
    moving = [not isinstance(atom, sympy.Symbol) and expr.has(*_BENT) for atom in atoms]
    for point in _points(moving):
        if not any(_cancel(evaluate, point, digits) for digits in (DIGITS, 2 * DIGITS)):
            return Comparison(equal=False, proof=f"{DIGITS} digits at a random point")
    proof = f"{DIGITS - GUARD} digits at {POINTS} random points"
    if _holds_for_one_sign(expr, dict(zip(atoms, dummies.values(), strict=True)), evaluate):
        proof += " where what moves is positive, not for other signs"
    return Comparison(equal=True, proof=proof)


def _holds_for_one_sign(
    expr: sympy.Expr,
    dummies: dict[sympy.Expr, sympy.Dummy],
    evaluate: Callable[..., Sequence[Any]],
) -> bool:
    """Return whether what holds where all is positive fails elsewhere, for the sign of a root."""
    moving = [not isinstance(atom, sympy.Symbol) for atom in dummies]
    bases = [one.base.xreplace(dummies) for one in expr.atoms(sympy.Pow) if _is_root(one)]
    if not any(moving) or not bases:
        return False
    below = sympy.lambdify(list(dummies.values()), bases, "mpmath", cse=True)
    real = (point for point in _points(moving) if _are_real(below(*point)))
    return not all(
        any(_cancel(evaluate, point, digits) for digits in (DIGITS, 2 * DIGITS)) for point in real
    )


def _are_real(bases: Sequence[Any]) -> bool:
    return all(isinstance(base, int | float) and base > 0 for base in bases)


def _is_root(power: sympy.Pow) -> bool:
    return bool(power.exp.is_Rational and power.exp.q == 2)


def _points(moving: Sequence[bool]) -> Iterator[list[float]]:
    """Iterate over random points; what moves has either sign where that tells it from its size."""
    chance = random.Random(0)  # noqa: S311 - the same points at every run
    for _ in range(POINTS):
        sizes = [chance.uniform(*SIZES) for _ in moving]
        yield [
            size * chance.choice((-1, 1)) if either else size
            for size, either in zip(sizes, moving, strict=True)
        ]


def _cancel(evaluate: Callable[..., Sequence[Any]], point: list[float], digits: int) -> bool:
    """Return whether terms cancel; digits beyond the first may be lost in roots of what cancels."""
    with mpmath.workdps(digits):
        terms = evaluate(*map(mpmath.mpf, point))
        size = mpmath.fsum(map(abs, terms))
        return bool(abs(mpmath.fsum(terms)) <= size * mpmath.mpf(10) ** (GUARD - DIGITS))
