"""Arguments of cosines and sines as products of exponentials."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy
from sympy.core.function import AppliedUndef

from freebody.algebra.domains import ATOMS
from freebody.algebra.ring import PARTS, Ring
from freebody.algebra.terms import Rational, TooLargeError, exponents, unit_key


@dataclass(frozen=True)
class Angle:
    """A sum of angles in whole parts, and a phase.

    Attributes
    ----------
    parts : dict of str to int
        The name of each monomial of atoms, and how often a twelfth of it occurs.
    cosine, sine : sympy.Expr
        Those of the phase, in roots of rational numbers.
    """

    parts: dict[str, int]
    cosine: sympy.Expr
    sine: sympy.Expr


@lru_cache(maxsize=4096)
def angle(argument: sympy.Expr) -> Angle | None:
    """Return the angles that an argument is the sum of, or None where it has no such parts.

    Examples
    --------
    >>> x, w, t = sympy.symbols("x w t")
    >>> list(angle(w * (t - 1) + sympy.pi / 2 - x / 3).parts.values())
    [12, -12, -4]
    >>> angle(sympy.exp(x)) is None
    True
    """
    if not _is_rational(argument):
        return None
    ring = Ring()
    try:
        table = dict(ring.form(argument).terms.table)
    except (TooLargeError, RecursionError):
        return None
    phase = _phase(table.pop(unit_key(ring.place_of(sympy.pi)), 0))
    parts = {_name(ring, key): value * PARTS for key, value in table.items()}
    if phase is None or "" in parts or any(value.denominator != 1 for value in parts.values()):
        return None
    return Angle({name: int(value) for name, value in sorted(parts.items())}, *phase)


def _is_rational(argument: sympy.Expr) -> bool:
    """Return whether an argument is made of atoms and numbers without functions of them."""
    waiting, seen = [argument], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or isinstance(node, (*ATOMS, sympy.Rational, sympy.Float)):
            continue
        is_power = isinstance(node, sympy.Pow) and node.exp.is_Integer
        if not is_power and not isinstance(node, (sympy.Add, sympy.Mul)):
            return False
        seen.add(id(node))
        waiting.extend(node.args)
    return True


@lru_cache(maxsize=4096)
def name_of(atom: sympy.Expr) -> str:
    """Return a name that atoms share only if they are equal.

    Examples
    --------
    >>> name_of(sympy.Symbol("x")) == name_of(sympy.Symbol("x", real=True))
    False
    """
    functions = atom.atoms(AppliedUndef)
    assumptions = sorted(str(sorted(function.func._kwargs.items())) for function in functions)
    return "".join([sympy.srepr(atom), *assumptions])


def _name(ring: Ring, key: int) -> str:
    """Return the name of a monomial, empty where it is not one of atoms."""
    factors = [(ring.generators[place], power) for place, power in exponents(key)]
    if key & 1 or any(generator.kind != "factor" for generator, _ in factors):
        return ""
    return "*".join(sorted(f"{name_of(generator.expr)}**{power}" for generator, power in factors))


def _phase(turns: Rational) -> tuple[sympy.Expr, sympy.Expr] | None:
    """Return cosine and sine of pi times a number where they are roots of rational numbers."""
    phase = sympy.Rational(int(turns.numerator), int(turns.denominator)) * sympy.pi
    found = sympy.cos(phase), sympy.sin(phase)
    opaque = any(value.has(sympy.cos, sympy.sin) for value in found)
    bases = (power.base for value in found for power in value.atoms(sympy.Pow))
    return None if opaque or not all(base.is_Rational for base in bases) else found
