"""Many motions of a model: over grids and plans, on one machine or on many, kept as they come."""

from freebody.sweeps.plans import Adaptive, Ensemble, LatinHypercube
from freebody.sweeps.run import Sweep
from freebody.sweeps.sweep import sweep

__all__ = ["Adaptive", "Ensemble", "LatinHypercube", "Sweep", "sweep"]
