"""Engines: what integrates a motion, one small module for each tool."""

from freebody.simulation.engines.registry import ENGINES, METHODS, engine

__all__ = ["ENGINES", "METHODS", "engine"]
