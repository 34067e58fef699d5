"""Whether a printed equation holds, and by which terms it differs.

Each printed symbol is replaced by the quantity it stands for and left is brought against right,
entry by entry. What is left over in canonical form *is* the difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from freebody.algebra.canonical import is_zero
from freebody.algebra.terms import TooLargeError
from freebody.checking.explain import explained
from freebody.checking.findings import Difference
from freebody.checking.grid import MeaningError
from freebody.checking.meaning import Evaluator, Symbols
from freebody.checking.pairs import pairs
from freebody.documents.latex.displays import Relation
from freebody.documents.latex.tree import Name, Number


@dataclass(frozen=True, slots=True)
class Judgement:
    """What comes of comparing the two sides of an equation.

    Attributes
    ----------
    proof : str
        What shows it: ``"exact"``, or how many digits agree at how many points.
    differences : tuple of Difference
        None where the equation holds.
    """

    proof: str
    differences: tuple[Difference, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether there is no difference."""
        return not self.differences


def judge(symbols: Symbols, relation: Relation) -> Judgement:
    """Compare the two sides of a printed equation.

    Raises
    ------
    MeaningError
        If they cannot be compared.
    """
    symbols.quantities.ring.begin()
    try:
        return _stated_value(symbols, relation) or _compared(symbols, relation)
    except TooLargeError as error:
        raise MeaningError(str(error)) from None


def _compared(symbols: Symbols, relation: Relation) -> Judgement:
    """Compare the two sides entry by entry."""
    quantities = symbols.quantities
    proofs, differences = set(), []
    for index, pair in enumerate(pairs(Evaluator(symbols), relation)):
        residual = quantities.lower(pair.left - pair.right)
        comparison = is_zero(residual)
        proofs.add(comparison.proof)
        if not comparison:
            differences += explained(symbols, relation, index, pair, residual)
    return Judgement(next(iter(sorted(proofs - {"exact"})), "exact"), tuple(differences))


def _stated_value(symbols: Symbols, relation: Relation) -> Judgement | None:
    """Judge an equation that gives a constant its value, such as ``l_1 = 1``."""
    left, right = relation.left, relation.right
    if not isinstance(left, Name) or not isinstance(right, Number):
        return None
    names = symbols.quantities.mechanism.names
    constant = symbols.quantities.ring.expression(symbols.value(left.key, left.indices).form)
    values = names.values()
    if not isinstance(constant, sympy.Symbol) or constant.name not in values:
        return None
    printed, known = str(sympy.Rational(right.value)), values[constant.name]
    if sympy.Rational(right.value) == sympy.Rational(repr(known)):
        return Judgement("exact")
    return Judgement("exact", (Difference("", constant.name, printed, repr(known)),))
