"""What can go wrong where expressions become operations."""

from freebody.errors import FreebodyError


class GraphError(FreebodyError):
    """An expression with a part that there is no operation for."""


class CodeError(FreebodyError):
    """Text that is not straight-line code."""
