"""Worked derivations: where the equations of motion of a model come from, step by step."""

from freebody.explaining.derivation import Derivation, explain
from freebody.explaining.origins import TermOrigin, TermPart, explain_term

__all__ = ["Derivation", "TermOrigin", "TermPart", "explain", "explain_term"]
