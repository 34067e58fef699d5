"""A model in motion: frames, points and bodies, and the equations of motion they obey."""

from freebody.mechanics.build import in_symbols, mechanism
from freebody.mechanics.derivation import agreement, derive
from freebody.mechanics.equations import Equations
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Load

__all__ = ["Equations", "Load", "Mechanism", "agreement", "derive", "in_symbols", "mechanism"]
