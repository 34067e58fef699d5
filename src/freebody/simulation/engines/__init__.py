"""Engines: what integrates a motion, one small module for each tool."""

from freebody.simulation.engines.registry import ENGINES, engine

__all__ = ["ENGINES", "engine"]
