"""Printed decimal fractions: a number of so many digits stands for all that are rounded to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form, Ring
from freebody.algebra.readback import read_terms
from freebody.checking.grid import Grid
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import blocks
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.meaning.walk import Instead
from freebody.checking.quantities.elimination import rows as equations_of_motion
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Add, Node, Number, Term, walk

Values = Mapping[sympy.Expr, sympy.Expr]
_Rows = dict[tuple[int, sympy.Expr], list[float]]
DIGITS = 30
"""Of values that are worked out."""
EXACT = 1e-11
"""Relative difference of numbers that are the same but for rounding errors."""
NEARLY = 1e-9
"""The same where they are solved for beside others."""
TELLING = 2
"""Significant digits of a decimal fraction that may be rounded wherever it stands; one with fewer
is rounded only as a whole side: ``0.5`` in front of a symbol is a half."""
_DECIMAL = re.compile(
    r"\s*(?P<whole>\d[\d\s\\,{}]*?)?(?:\.|\{,\}|,)\s*(?P<part>\d[\d\s\\,]*)(?P<power>.*)", re.DOTALL
)
_POWER = re.compile(r"(?:10\s*\^|[eE])\s*\{?\s*(?P<power>[+-]?\s*\d+)")
_RAISED = re.compile("[⁺⁻]?[⁰¹²³⁴-⁹]+")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")


@dataclass(frozen=True, eq=False)
class Decimal:
    """A decimal fraction in a printed equation.

    Attributes
    ----------
    node : Number
    decimals : int
        How many digits are printed behind the point; fewer by the power of ten that is printed.
    digits : int
        How many significant ones.
    """

    node: Number
    decimals: int
    digits: int

    @property
    def tolerance(self) -> Fraction:
        """Half a unit in its last place."""
        return Fraction(10) ** -self.decimals / 2


def printed(relation: Relation, node: Number) -> str:
    """Return a number as it is printed."""
    start = relation.span.start
    return relation.latex[node.span.start - start : node.span.stop - start]


def decimals(relation: Relation) -> list[Decimal]:
    """Return the decimal fractions of an equation."""
    nodes = [node for node in walk(relation.left, relation.right) if isinstance(node, Number)]
    return [found for node in nodes if (found := _decimal(relation, node))]


def _decimal(relation: Relation, node: Number) -> Decimal | None:
    text = _RAISED.sub(lambda m: "^" + m[0].translate(_LOWERED), printed(relation, node))
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    part = re.sub(r"\D", "", match["part"])
    power = _POWER.search(match["power"])
    behind = len(part) - (int(power["power"].replace(" ", "")) if power else 0)
    shown = (re.sub(r"\D", "", match["whole"] or "") + part).lstrip("0")
    agrees = (abs(node.value) * Fraction(10) ** behind).denominator == 1
    return Decimal(node, behind, len(shown)) if agrees else None


def may_be_rounded(relation: Relation) -> list[Decimal]:
    """Return the decimal fractions of an equation that stand for all that are rounded to them."""
    sides = [_bare(side) for side in (relation.left, relation.right)]
    found = decimals(relation)
    return [one for one in found if one.digits >= TELLING or one.node in sides]


def _bare(node: Node) -> Node:
    """Return a side without a sign in front."""
    match node:
        case Add(terms=(Term(node=inner),)):
            return inner
    return node


@dataclass(frozen=True)
class Rounding:
    """How far the decimal fractions of an equation must be off for it to hold.

    Attributes
    ----------
    numbers : tuple of Decimal
        The decimal fractions that may be rounded.
    off : tuple of float
        For each of them, in its `Decimal.tolerance`.
    """

    numbers: tuple[Decimal, ...]
    off: tuple[float, ...]

    @property
    def proof(self) -> str:
        """What shows that the equation holds."""
        off = [one for one, x in zip(self.numbers, self.off, strict=True) if abs(x) > EXACT]
        if not off:
            return "exact"
        return f"numerical, to {max(0, min(one.decimals for one in off))} decimals"


def rounding(symbols: Symbols, relation: Relation, values: Values) -> Rounding | None:
    """Return how an equation holds whose decimal fractions are rounded; None where it does not.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    relation : Relation
        The printed equation.
    values : mapping of sympy.Expr to sympy.Expr
        The numbers that constants have, where they are to be put in.

    Raises
    ------
    MeaningError
        If it has no value.
    TooLargeError
        If it is too large to be written out.
    """
    import numpy as np  # slow to import

    numbers = may_be_rounded(relation)
    rows: _Rows = {}
    for parts in _parts(symbols, relation, numbers, symbols.quantities.lower):
        _add(rows, len(rows), parts, values)
    table = np.array([*rows.values()] or [[0.0] * (len(numbers) + 1)])
    found, *_ = np.linalg.lstsq(table[:, :-1], -table[:, -1], rcond=None)
    if not _fits(table, found, EXACT) or not (abs(found) <= 1 + EXACT).all():
        return None
    return Rounding(tuple(numbers), tuple(map(float, found)))


def rounding_beside(symbols: Symbols, relation: Relation, values: Values) -> Rounding | None:
    """Return how an equation in numbers holds beside multiples of the equations of motion.

    With rounded numbers it is none that follows from those exactly.
    """
    quantities, numbers = symbols.quantities, may_be_rounded(relation)
    if quantities.mechanism.equations or not numbers:
        return None
    import numpy as np  # slow to import, as is what solves
    from scipy.optimize import lsq_linear

    motions = [*map(quantities.settled, equations_of_motion(quantities.equations))]
    bound = np.array([1.0] * len(numbers) + [np.inf] * len(motions))
    most = np.zeros(len(numbers))
    for parts in _parts(symbols, relation, numbers, quantities.above_motion):
        rows: _Rows = {}
        _add(rows, 0, [*parts[:-1], *motions, parts[-1]], values)
        table = np.array([*rows.values()] or [[0.0] * (len(bound) + 1)])
        found = lsq_linear(table[:, :-1], -table[:, -1], (-bound, bound), method="bvls").x
        if not _fits(table, found, NEARLY):
            return None
        most = np.maximum(most, np.abs(found[: len(numbers)]))
    return Rounding(tuple(numbers), tuple(map(float, most)))


def _fits(table: Any, found: Any, within: float) -> bool:
    """Return whether nothing is left of any row, but for rounding errors."""
    left = abs(table[:, :-1] @ found + table[:, -1])
    return bool((left <= within * abs(table).max(axis=1)).all())


def _parts(
    symbols: Symbols, relation: Relation, numbers: list[Decimal], level: Callable[[Form], Form]
) -> Iterator[list[Form]]:
    """Iterate over what is left of left minus right of each entry, where numbers are off.

    To first order in those, each in its tolerance: the slopes, and what is left without.
    """
    ring = symbols.quantities.ring
    off = [sympy.Dummy("off", real=True) for _ in numbers]
    instead: Instead = {one.node: _open(ring, one, x) for one, x in zip(numbers, off, strict=True)}
    evaluator = Evaluator(symbols, instead)
    for left, right in blocks(evaluator, relation.left, relation.right):
        for entry in (left + -right).entries():
            form = symbols.quantities.by_definition(level(entry))
            parts = [*(ring.partial(form, x).scaled(QQ(1)) for x in off), form]
            yield [ring.substitute(part, dict.fromkeys(off, ring.zero)) for part in parts]


def _open(ring: Ring, number: Decimal, off: sympy.Dummy) -> Grid:
    """Return a number that is off by some part of its tolerance."""
    value, tolerance = number.node.value, number.tolerance
    part = ring.symbol(off).scaled(QQ(tolerance.numerator, tolerance.denominator))
    return Grid.scalar(ring.number(QQ(value.numerator, value.denominator)) + part)


def _add(rows: _Rows, start: int, parts: list[Form], values: Values) -> None:
    """Add the terms of a scalar equation to a table."""
    for column, part in enumerate(parts):
        for term in read_terms(part):
            if term.function.startswith("I"):  # these cancel where cosines of numbers are real
                continue
            number, product = _split(term.product, values)
            row = rows.setdefault((start, product), [0.0] * len(parts))
            row[column] += float(term.coefficient * number)


def _split(product: sympy.Expr, values: Values) -> tuple[sympy.Expr, sympy.Expr]:
    """Return the number in a product of the canonical form, such as a root, and the rest."""
    factors = [(one, one.xreplace(values)) for one in sympy.Mul.make_args(product)]
    numbers = [value.evalf(DIGITS) for _, value in factors if value.is_number]
    return sympy.Mul(*numbers), sympy.Mul(*(one for one, value in factors if not value.is_number))
