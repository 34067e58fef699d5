"""Motion in time: equations integrated, and what comes out by name."""

from freebody.simulation.conservation import LostMotionError
from freebody.simulation.engines import ENGINES
from freebody.simulation.events import Event
from freebody.simulation.result import Simulation
from freebody.simulation.simulate import simulate

__all__ = ["ENGINES", "Event", "LostMotionError", "Simulation", "simulate"]
