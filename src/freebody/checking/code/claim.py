"""One value of code that is judged."""

from __future__ import annotations

from dataclasses import dataclass

from freebody.checking.code.reference import Target
from freebody.code.tree import Span
from freebody.graph.operations import Cell


@dataclass(frozen=True)
class Claim:
    """A value of code that is judged.

    Attributes
    ----------
    label : str
        How it is called in the code, with its index.
    run : str
        In which function.
    span : tuple of int
        Where it is written.
    cell : Cell
    target : tuple
        What it should be.
    group : str
        With which others it shares its sign.
    is_final : bool
        Whether a function gives it, or it is an acceleration.
    is_declared : bool
        Whether front matter says what it is.
    """

    label: str
    run: str
    span: Span
    cell: Cell
    target: Target
    group: str
    is_final: bool = False
    is_declared: bool = False
