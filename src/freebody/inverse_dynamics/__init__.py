"""Inverse dynamics: the torques, term by term, that a motion takes."""

from freebody.inverse_dynamics.external_loads import read_external_loads
from freebody.inverse_dynamics.forces import AppliedForce, read_force
from freebody.inverse_dynamics.inverse import inverse
from freebody.inverse_dynamics.plates import forces_of_plates, read_force_plates
from freebody.inverse_dynamics.result import InverseDynamics
from freebody.inverse_dynamics.uncertainty import Noise

__all__ = [
    "AppliedForce",
    "InverseDynamics",
    "Noise",
    "forces_of_plates",
    "inverse",
    "read_external_loads",
    "read_force",
    "read_force_plates",
]
