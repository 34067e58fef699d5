"""What a linearization says when something is wrong."""

from freebody.errors import FreebodyError


class LinearizationError(FreebodyError):
    """An equilibrium that is not found, or a motion that has no linearization."""
