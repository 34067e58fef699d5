"""Worked derivations: where the equations of motion of a model come from, step by step."""

from freebody.explaining.comparing import ModelComparison, PageComparison, TermDifference, compare
from freebody.explaining.derivation import Derivation, explain
from freebody.explaining.exercises import Exercise, exercise
from freebody.explaining.origins import TermOrigin, TermPart, explain_term

__all__ = [
    "Derivation",
    "Exercise",
    "ModelComparison",
    "PageComparison",
    "TermDifference",
    "TermOrigin",
    "TermPart",
    "compare",
    "exercise",
    "explain",
    "explain_term",
]
