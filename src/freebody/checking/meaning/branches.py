"""Equations that are meant in a case, ``x = |x|`` where x is positive, decided at real points."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import mpmath
import sympy

from freebody.algebra.canonical import DIGITS, GUARD
from freebody.checking.findings import Judgement
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import differences
from freebody.checking.meaning.symbols import Symbols
from freebody.documents.latex.relations import Case, Relation

DRAWS = 400
ENOUGH = 12
ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    **dict.fromkeys(("<", r"\ll"), operator.lt),
    **dict.fromkeys((">", r"\gg"), operator.gt),
    **dict.fromkeys((r"\le", r"\leq", r"\leqslant"), operator.le),
    **dict.fromkeys((r"\ge", r"\geq", r"\geqslant"), operator.ge),
    **dict.fromkeys(("=", r"\equiv"), operator.eq),
    **dict.fromkeys((r"\ne", r"\neq"), operator.ne),
}


def holds_in_its_case(symbols: Symbols, relation: Relation) -> Judgement | None:
    """Judge an equation at random points at which what is so in its case is so.

    Returns
    -------
    Judgement or None
        None where it differs at one of them.

    Raises
    ------
    MeaningError
        If what is so there cannot be decided, or is so at no point that was drawn.
    """
    scalars = differences(Evaluator(symbols), relation)
    conditions = [side for case in relation.case for side in _sides(symbols, case)]
    quantities = symbols.quantities
    expressions = [quantities.ring.expression(quantities.lower(one)) for one in scalars]
    conditions = [quantities.ring.expression(quantities.lower(one)) for one in conditions]
    moving = (*quantities.mechanism.coordinates, *quantities.mechanism.speeds)
    if not any(one.has(*moving) for one in conditions):
        raise MeaningError("a case of what does not move is not checked")
    tried = 0
    for left, sides in _valued(expressions, conditions):
        if _is_so(relation.case, sides):
            tried += 1
            if any(abs(one) > mpmath.mpf(10) ** (GUARD - DIGITS) for one in left):
                return None
        if tried == ENOUGH:
            return Judgement(f"{DIGITS - GUARD} digits at {ENOUGH} random points of its case")
    raise MeaningError("a case that is met at too few random points is not checked")


def _sides(symbols: Symbols, case: Case) -> Iterator[Any]:
    unknown = [sign for sign in case.relations if sign not in ORDERS]
    if unknown:
        raise MeaningError(f"a case of '{unknown[0]}' is not checked")
    for node in case.sides:
        yield Evaluator(symbols).value(node).form


def _is_so(cases: Sequence[Case], sides: Sequence[Any]) -> bool:
    values = iter(sides)
    return all(_is_met(case, [next(values) for _ in case.sides]) == case.holds for case in cases)


def _is_met(case: Case, values: Sequence[Any]) -> bool:
    compared = zip(case.relations, pairwise(values), strict=True)
    return all(ORDERS[sign](left, right) for sign, (left, right) in compared)


def _valued(
    expressions: list[sympy.Expr], conditions: list[sympy.Expr]
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Iterate over the values of expressions and of sides of conditions at random points."""
    kinds = sympy.Symbol, sympy.core.function.AppliedUndef, sympy.Derivative
    atoms = sorted({one for e in (*expressions, *conditions) for one in e.atoms(*kinds)}, key=str)
    dummies = {atom: sympy.Dummy() for atom in atoms}
    every = [e.xreplace(dummies) for e in (*expressions, *conditions)]
    evaluate = sympy.lambdify(list(dummies.values()), every, "mpmath", cse=True)
    chance = random.Random(0)  # noqa: S311 - the same points at every run
    signs = [(1,) if isinstance(atom, sympy.Symbol) else (-1, 1) for atom in atoms]
    for _ in range(DRAWS):
        sizes = [mpmath.mpf(chance.uniform(0.25, 1.75)) * chance.choice(sign) for sign in signs]
        with mpmath.workdps(DIGITS):
            values = evaluate(*sizes)
        yield values[: len(expressions)], values[len(expressions) :]
