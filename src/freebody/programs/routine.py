"""What a backend is given: a program with the arguments that it takes and the shapes it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy

from freebody.mechanics.program import Program

GROUPS = ("t", "q", "u", "a", "inputs", "multipliers", "constants")
"""The groups of arguments, in the order in which every function takes them."""

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Routine:
    """A program as a function: what it takes, and what it returns.

    Attributes
    ----------
    name : str
        Of the output, such as ``"accelerations"`` or ``"position.hand"``.
    title : str
        What it is, in words.
    arguments : dict of str to tuple of sympy.Symbol
        The groups of arguments that such an output takes, each in full, in the order of `GROUPS`,
        but for empty ones. The time ``t`` is a scalar, all others are vectors.
    program : Program
        Written in these symbols and those that it assigns.
    shapes : dict of str to tuple of int
        The shape of each output of the program, whose entries are in the order of rows.

    Examples
    --------
    >>> import freebody
    >>> from freebody.programs import written
    >>> pendulum = freebody.mechanism(freebody.load("pendulum"))
    >>> routine = written(pendulum, ["mass_matrix"])["mass_matrix"]
    >>> routine.arguments
    {'q': (theta,), 'constants': (d, m, I, g, height, body_mass)}
    >>> routine.shapes
    {'mass_matrix': (1, 1)}
    """

    name: str
    title: str
    arguments: Mapping[str, tuple[sympy.Symbol, ...]]
    program: Program
    shapes: Mapping[str, Shape]

    @property
    def operations(self) -> int:
        """How many operations one call takes, those of constants alone included."""
        return self.program.operations
