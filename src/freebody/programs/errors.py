"""What is said when a program cannot be written."""

from freebody.errors import FreebodyError


class ProgramError(FreebodyError):
    """An output that there is no program for, or a program that does not hold."""
