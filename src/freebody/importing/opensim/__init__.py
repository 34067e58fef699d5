"""The models of OpenSim."""

from freebody.importing.opensim.reader import read

__all__ = ["read"]
