"""Motion close to an equilibrium, to a state or to a motion: linearized, with its eigenvalues."""

from freebody.errors import LinearizationError
from freebody.linearization.linearization import (
    Equilibria,
    Linearization,
    SingularEquilibrium,
)
from freebody.linearization.linearize import LinearizedMotion, equilibria, linearize
from freebody.linearization.modes import Mode

__all__ = [
    "Equilibria",
    "Linearization",
    "LinearizationError",
    "LinearizedMotion",
    "Mode",
    "SingularEquilibrium",
    "equilibria",
    "linearize",
]
