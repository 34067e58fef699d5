"""What is found of a printed equation: its terms, how they differ, and what would mend it.

Places are offsets in the equation's own LaTeX, from its first character.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]

Kind = Literal[
    "sign",
    "factor",
    "function",
    "index",
    "angle",
    "symbol",
    "power",
    "dot",
    "bracket",
    "missing",
    "extra",
    "term",
]
"""How a term is off; ``"term"`` where none of the others says it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A term that is not as it should be.

    Attributes
    ----------
    entry : str
        The entry of a matrix equation, as printed; empty for a scalar equation.
    term : str
        The term without its coefficient, in quantities of the model.
    printed, derived : str
        Its coefficient on the page, and the one that makes the equation hold.
    kind : str
        How the printed term is off.
    span : tuple of int, optional
        Where the printed term stands; None where there is none.
    """

    entry: str
    term: str
    printed: str
    derived: str
    kind: Kind = "term"
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class PrintedTerm:
    """One printed term and what is said of it.

    Attributes
    ----------
    latex : str
        As printed, with its sign.
    span : tuple of int
        Where it stands.
    verdict : {"right", "wrong", "extra"}
    kind : str, optional
        How a wrong term is off.
    dimension : str
        In what unit it is, where that is not the unit of the terms beside it.
    """

    latex: str
    span: Span
    verdict: Literal["right", "wrong", "extra"]
    kind: Kind | None = None
    dimension: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the printed LaTeX.

    Attributes
    ----------
    span : tuple of int
        What is replaced.
    printed, proposed : str
        What stands there, and what should.
    kind : str
        What the change is.
    """

    span: Span
    printed: str
    proposed: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Repair:
    """A smallest change of a printed equation that makes it hold.

    Attributes
    ----------
    latex : str
        The equation with the change.
    edits : tuple of Edit
        From left to right.
    """

    latex: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class SymbolFinding:
    """A symbol that contradicts several equations, and what it would have to mean.

    Attributes
    ----------
    symbol : str
        As the document declares it.
    declared, proposed : str
        What it means, and what it would have to mean, in quantities of the model.
    fixes, breaks : tuple of str
        The labels of the equations that hold only with the other meaning, and only with this one.
    """

    symbol: str
    declared: str
    proposed: str
    fixes: tuple[str, ...]
    breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What comes of comparing the two sides of an equation.

    Attributes
    ----------
    proof : str
        What shows it: ``"exact"``, or how many digits agree at how many points.
    differences : tuple of Difference
        None where the equation holds.
    terms : tuple of PrintedTerm
        What is said of each printed term.
    repairs : tuple of Repair
        The smallest changes that make it hold.
    search : str
        Why there are no repairs, or not all.
    readings : tuple of str
        What could be read in two ways, and the reading taken.
    """

    proof: str
    differences: tuple[Difference, ...] = ()
    terms: tuple[PrintedTerm, ...] = ()
    repairs: tuple[Repair, ...] = ()
    search: str = ""
    readings: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether there is no difference."""
        return not self.differences
