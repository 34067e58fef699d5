"""MJCF, the models of MuJoCo."""

from freebody.importing.mjcf.reader import read

__all__ = ["read"]
