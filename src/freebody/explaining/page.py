"""The page of a derivation: headings, prose, pictures, tables and numbered equations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import sympy

from freebody.explaining.layout import WIDTH, broken
from freebody.explaining.notation import Notation
from freebody.explaining.widths import length

Steps = Literal["all", "main"]


@dataclass(frozen=True)
class Heading:
    """A heading, of level 2 or 3."""

    text: str
    level: int


@dataclass(frozen=True)
class Prose:
    """A paragraph in Markdown; symbols stand between dollars, and no equation does."""

    text: str


@dataclass(frozen=True)
class Formula:
    """A numbered equation.

    Attributes
    ----------
    latex : str
        What stands between the dollars, in lines.
    label : str
        Its number, without brackets.
    sides : tuple of str
        What is equal, in LaTeX.
    path : str
        The path of the quantity on the left, with a prime for each dot; empty where it is no one.
    """

    latex: str
    label: str
    sides: tuple[str, ...]
    path: str = ""


@dataclass(frozen=True)
class Picture:
    """A drawing.

    Attributes
    ----------
    name : str
        Of its file, without ending.
    caption : str
        In Markdown.
    figure : matplotlib.figure.Figure
    """

    name: str
    caption: str
    figure: Any


@dataclass(frozen=True)
class Table:
    """Rows of cells in Markdown, the first of them the head."""

    rows: Sequence[Sequence[str]]


Block = Heading | Prose | Formula | Picture | Table


@dataclass
class Page:
    """A page that is being written.

    Attributes
    ----------
    notation : Notation
    steps : {"all", "main"}
        Whether steps between are printed as well.
    blocks : list of Block
    assumed : list of (dict, list of str)
        What entries of ``[[assume]]`` say, and the labels they are for.
    opening : int
        Before which block abbreviations are explained.
    """

    notation: Notation
    steps: Steps = "all"
    blocks: list[Block] = field(default_factory=list)
    assumed: list[tuple[dict[str, Any], list[str]]] = field(default_factory=list)
    count: int = 0
    opening: int = 0

    @property
    def detailed(self) -> bool:
        """Whether steps between are printed."""
        return self.steps == "all"

    def heading(self, text: str, level: int = 2) -> None:
        """Begin a section."""
        self.blocks.append(Heading(text, level))

    def prose(self, text: str) -> None:
        """Add a paragraph."""
        self.blocks.append(Prose(text))

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """Add a table, whose first row is its head."""
        self.blocks.append(Table(tuple(rows)))

    def picture(self, name: str, caption: str, figure: Any) -> None:
        """Add a drawing."""
        self.blocks.append(Picture(name, caption, figure))

    def equation(self, *sides: Any) -> str:
        """Add an equation between sides, each an expression or LaTeX, and return its label."""
        texts = [one if isinstance(one, str) else self.notation.latex(one) for one in sides]
        self.count += 1
        label = str(self.count)
        self.blocks.append(Formula(broken(texts), label, tuple(texts), _path(sides[0])))
        return label

    def matrix(
        self,
        latex: str,
        path: str,
        rows: Sequence[Sequence[sympy.Expr]],
        entry: Callable[[str], str],
    ) -> list[str]:
        """Add a matrix, entry by entry where it is too wide for a line; return the labels.

        Parameters
        ----------
        latex : str
            Of the whole.
        path : str
            What it is, as a document says it.
        rows : sequence of sequence of sympy.Expr
        entry : callable
            LaTeX of an entry, whose place it takes, such as ``"12"``.
        """
        cells = r" \\ ".join(" & ".join(map(self.notation.latex, row)) for row in rows)
        whole = rf"\begin{{bmatrix}} {cells} \end{{bmatrix}}"
        if length(f"{latex} = {whole}") <= WIDTH:
            return [self.equation(self.notation.declare(latex, path), whole)]
        self.prose("Entry by entry, without those that are zero:")
        return [
            self.equation(
                self.notation.quantity(f"{path}[{i},{j}]", [entry(f"{i}{j}")], rank=0), value
            )
            for i, row in enumerate(rows, 1)
            for j, value in enumerate(row, 1)
            if value != 0
        ]

    def abbreviate(self) -> None:
        """Say what abbreviations stand for, before they are used."""
        known = self.notation.abbreviations
        added: list[Block] = [Heading("Abbreviations", 2)]
        for number, (key, whole) in enumerate(known.items(), 1):
            added.append(Formula(f"{key} = {whole}", f"A{number}", (key, whole)))
        self.blocks[self.opening : self.opening] = added

    def leave_out(self, labels: Collection[str], reason: str) -> None:
        """Leave equations out, and say so where the last of them stood.

        Parameters
        ----------
        labels : collection of str
            With brackets, as a report has them.
        reason : str
            In words.
        """
        kept: list[Block] = []
        place = 0
        for block in self.blocks:
            if isinstance(block, Formula) and f"({block.label})" in labels:
                place = len(kept)
            else:
                kept.append(block)
        kept.insert(place, Prose(f"{len(labels)} of them are left out: {reason}."))
        self.blocks = kept
        self.assumed = [
            (entry, [one for one in to if one not in labels]) for entry, to in self.assumed
        ]

    def assume(self, entry: dict[str, Any], labels: Iterable[str]) -> None:
        """Take something for granted in some equations."""
        labels = list(labels)
        if labels:
            self.assumed.append((entry, labels))


def _path(side: Any) -> str:
    return str(side) if isinstance(side, sympy.Symbol) else ""
