"""Motion in time: equations integrated, and what comes out by name."""

from freebody.simulation.batch import sweep
from freebody.simulation.result import Result
from freebody.simulation.simulate import simulate

__all__ = ["Result", "simulate", "sweep"]
