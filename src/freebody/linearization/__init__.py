"""Motion close to an equilibrium, to a state or to a motion: linearized, with its eigenvalues."""

from freebody.errors import LinearizationError
from freebody.linearization.linearization import Linearization
from freebody.linearization.linearize import LinearizedMotion, equilibria, linearize
from freebody.linearization.modes import Mode

__all__ = [
    "Linearization",
    "LinearizationError",
    "LinearizedMotion",
    "Mode",
    "equilibria",
    "linearize",
]
