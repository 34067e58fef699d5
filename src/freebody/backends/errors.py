"""What can go wrong between a program and the tool that runs it."""

from __future__ import annotations

from freebody.errors import FreebodyError


class BackendError(FreebodyError):
    """A backend that is not there, or that cannot do what it was asked for."""


class SpeedWarning(UserWarning):
    """What works, but slower than it could."""


class CacheWarning(UserWarning):
    """A cache whose entries are damaged, or that cannot be used."""
