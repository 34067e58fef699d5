"""Backends: what computes a program, one small module for each tool."""

from freebody.backends.compile import Functions, compile  # noqa: A004 - its name
from freebody.backends.functions import Function
from freebody.backends.registry import PACKAGES as BACKENDS
from freebody.errors import BackendError, CacheWarning, SpeedWarning

__all__ = [
    "BACKENDS",
    "BackendError",
    "CacheWarning",
    "Function",
    "Functions",
    "SpeedWarning",
    "compile",
]
