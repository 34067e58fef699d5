"""What is read of a page: its equations, those that cannot be read, and displays that hold them."""

from __future__ import annotations

from dataclasses import dataclass

from freebody.documents.latex.page.passed import Passed
from freebody.documents.latex.tree import Node, Span


@dataclass(frozen=True, slots=True)
class Case:
    """What is so in a case, or is not so.

    Attributes
    ----------
    sides : tuple of Node
        Of a chain, such as ``0 < x < l``.
    relations : tuple of str
        What stands between them.
    holds : bool
        Whether all of it is so, or not all.
    """

    sides: tuple[Node, ...]
    relations: tuple[str, ...]
    holds: bool = True


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Relation:
    """One printed equation.

    Attributes
    ----------
    left, right : Node
        Its sides.
    relation : str
        What stands between them, as LaTeX.
    label : str
        What it is called on the page, with parentheses: ``(31)``, ``(12.2)``, ``(2, i=1)``.
    remarks : tuple of str
        What is printed beside it and is not an equation.
    span : Span
        Where it stands on the page.
    line, column : int
        Of its first character, counted from 1.
    latex : str
        As printed.
    readings : tuple of str
        What could be read in two ways, and the reading taken.
    ways : tuple of (str, str)
        What is open in it and how that is read, by what the same has on all of a page.
    others : tuple of Relation
        The same equation with some of these places read the other way.
    display : Span
        All of the display that it stands in.
    """

    left: Node
    right: Node
    relation: str
    label: str
    remarks: tuple[str, ...]
    span: Span
    line: int
    column: int
    latex: str
    readings: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    others: tuple[Relation, ...] = ()
    display: Span = NOWHERE
    case: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A printed equation that cannot be read, and why.

    Attributes
    ----------
    message : str
        What was expected and what was found.
    caret : str
        The line of the page, cut around the place, with a caret below it.
    symbols : tuple of str
        The names that are not declared, where that is what is wrong.
    is_fault : bool
        Whether it is not the page that is wrong, but freebody that failed.
    """

    label: str
    line: int
    column: int
    message: str
    caret: str
    latex: str
    symbols: tuple[str, ...] = ()
    is_fault: bool = False


@dataclass(frozen=True, slots=True)
class Display:
    """A displayed formula with the equations it holds, and what of it is passed over."""

    label: str
    line: int
    column: int
    latex: str
    relations: tuple[Relation | Unreadable, ...]
    passed: tuple[Passed, ...] = ()
