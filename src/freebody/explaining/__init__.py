"""Worked derivations: where the equations of motion of a model come from, step by step."""

from freebody.explaining.derivation import Derivation, explain

__all__ = ["Derivation", "explain"]
