"""From the canonical form back to the factored expression that a textbook prints.

Terms are grouped by their cosine or sine; each group is written as a product of a sum of
constants and a sum of speeds where it is one, and common factors are taken out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce

import sympy

from freebody.algebra.forms import Form
from freebody.algebra.readback import Term, read_terms

Monomial = frozenset[tuple[sympy.Expr, int]]
Sum = dict[Monomial, sympy.Rational]


def textbook(form: Form) -> sympy.Expr:
    """Return a form as a factored sympy expression.

    Examples
    --------
    >>> from sympy import cos, symbols
    >>> from freebody.algebra import Ring
    >>> l, d, m, x = symbols("l d m x")
    >>> ring = Ring()
    >>> textbook(ring.form(m * l * cos(x) + m * d * cos(x) + m * d))
    d*m + m*(d + l)*cos(x)
    """
    kinds: dict[Monomial, list[Term]] = {}
    for term in read_terms(form):
        outer = frozenset(factor for factor in term.factors if not _is_plain(factor[0]))
        kinds.setdefault(outer, []).append(term)
    return sympy.Add(*(_over(_product(outer), _waves(kind)) for outer, kind in kinds.items()))


def _over(outer: sympy.Expr, waves: sympy.Expr) -> sympy.Expr:
    """Multiply by roots and reciprocals, such as 1/(2*cos(x)), their numbers cancelled."""
    number, rest = outer.as_coeff_Mul()
    if number == 1 or not waves.is_Add:
        return _times(outer, waves)
    content, primitive = waves.primitive()
    return _times(number * content, _times(rest, primitive))


def _is_plain(atom: sympy.Expr) -> bool:
    """Return whether a factor is a symbol, a function of time or a rate: no root or reciprocal."""
    return isinstance(atom, sympy.Symbol | sympy.core.function.AppliedUndef | sympy.Derivative)


def _waves(terms: list[Term]) -> sympy.Expr:
    groups: dict[sympy.Expr, list[Term]] = {}
    for term in terms:
        wave = Term(sympy.S.One, (), term.function, term.angle).product
        groups.setdefault(wave, []).append(term)
    return sympy.Add(*(_times(wave, _separated(group)) for wave, group in groups.items()))


def _times(factor: sympy.Expr, rest: sympy.Expr) -> sympy.Expr:
    """Multiply without spreading a number over a sum."""
    if factor.is_Rational and rest.is_Add:
        return rest if factor == 1 else sympy.Mul(factor, rest, evaluate=False)
    number, product = rest.as_coeff_Mul()
    product = factor * product
    if product.is_Add and number != 1:
        return sympy.Mul(number, product, evaluate=False)
    return number * product


def _separated(group: list[Term]) -> sympy.Expr:
    """Write terms as a sum of constants times a sum of moving factors where they are one."""
    rows: dict[Monomial, Sum] = {}
    for term in group:
        plain = frozenset(factor for factor in term.factors if _is_plain(factor[0]))
        moving = frozenset(factor for factor in plain if not factor[0].is_Symbol)
        rows.setdefault(moving, {})[plain - moving] = term.coefficient
    first = next(iter(rows.values()))
    ratios = {moving: _ratio(row, first) for moving, row in rows.items()}
    known = {moving: ratio for moving, ratio in ratios.items() if ratio is not None}
    if len(known) < len(rows):
        return sympy.Add(
            *(_times(_product(moving), _factored(row)) for moving, row in rows.items())
        )
    content = reduce(sympy.gcd, known.values())
    constants = {monomial: x * content for monomial, x in first.items()}
    moving_sum = {moving: ratio / content for moving, ratio in known.items()}
    return _times(_factored(constants), _factored(moving_sum))


def _ratio(row: Sum, first: Sum) -> sympy.Rational | None:
    """Return the number that a sum is of another, if it is."""
    if row.keys() != first.keys():
        return None
    found = {row[monomial] / first[monomial] for monomial in row}
    return found.pop() if len(found) == 1 else None


def _factored(terms: Sum) -> sympy.Expr:
    """Write a sum with its common factors, and then its most frequent one, taken out."""
    common = reduce(_shared, terms)
    content = reduce(sympy.gcd, terms.values())
    if all(coefficient.is_negative for coefficient in terms.values()):
        content = -content
    rest = {_without(monomial, common): x / content for monomial, x in terms.items()}
    return _times(_product(common), _times(content, _nested(rest)))


def _nested(terms: Sum) -> sympy.Expr:
    counts = Counter(atom for monomial in terms for atom, power in monomial if power > 0)
    atom, count = max(counts.items(), key=lambda item: (item[1], str(item[0])), default=(None, 0))
    if count < 2 or len(terms) == 2:
        return sympy.Add(*(x * _product(monomial) for monomial, x in terms.items()))
    inside = {monomial: x for monomial, x in terms.items() if dict(monomial).get(atom, 0) > 0}
    outside = {monomial: x for monomial, x in terms.items() if monomial not in inside}
    return _factored(inside) + (_factored(outside) if outside else 0)


def _shared(left: Monomial, right: Monomial) -> Monomial:
    other = dict(right)
    return frozenset(
        (atom, min(power, other[atom]))
        for atom, power in left
        if atom in other and power > 0 and other[atom] > 0
    )


def _without(monomial: Monomial, common: Monomial) -> Monomial:
    taken = dict(common)
    left = ((atom, power - taken.get(atom, 0)) for atom, power in monomial)
    return frozenset((atom, power) for atom, power in left if power)


def _product(monomial: Iterable[tuple[sympy.Expr, int]]) -> sympy.Expr:
    return sympy.Mul(*(atom**power for atom, power in monomial))
