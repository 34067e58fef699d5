"""Motion in time: equations integrated, and what comes out by name."""

from freebody.simulation.conservation import LostMotionError
from freebody.simulation.engines.registry import ENGINES
from freebody.simulation.events import Event
from freebody.simulation.result import Result
from freebody.simulation.simulate import simulate

__all__ = ["ENGINES", "Event", "LostMotionError", "Result", "simulate"]
