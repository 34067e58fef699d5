"""Inverse dynamics: the torques, term by term, that a motion takes."""

from freebody.inverse_dynamics.forces import AppliedForce, read_force
from freebody.inverse_dynamics.inverse import inverse
from freebody.inverse_dynamics.result import InverseDynamics

__all__ = ["AppliedForce", "InverseDynamics", "inverse", "read_force"]
