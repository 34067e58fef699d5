"""What the formulas of a page say that its symbols are, and which of them tell what one is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from freebody.checking.guesses.conventions import ENERGIES, SymbolShape
from freebody.checking.guesses.page_words import told_by
from freebody.checking.guesses.symbols import PageSymbols
from freebody.checking.introduced import TIME, cells_of, entries_beside
from freebody.consistency.statements import TURNS
from freebody.documents.latex.tree import (
    Add,
    Call,
    Name,
    Node,
    Number,
    Opaque,
    Term,
    TimeDerivative,
    keys_in,
    walk,
)

_PLACES = frozenset({"coordinate", "position", "position vector", "angle"})
_FORCES = frozenset({"force", "moment", "reaction", "resultant", "tau", *ENERGIES})
_INPUT = "u"
_MOST_SAID = 2
"""How often a page may say what a symbol is, such as once more where that is worked out."""
_NORMAL = "N"
"""The letter of normal forces, of which a formula tells what they are in one case."""
_LISTED = frozenset("qQxzu")
"""Letters whose components are coordinates, loads and states that other letters name."""
_HALVES = frozenset({1, 2, 4, 8})
_WHOLE = frozenset({"an integral", "a sum over an unnamed number"})
"""What is not worked out, and says what a symbol is all the same."""


class PrintedDefinitions:
    """The formulas by which a page says what its symbols are.

    Parameters
    ----------
    page : PageSymbols
    rated : collection of str
        The symbols of which rates are printed.
    """

    def __init__(self, page: PageSymbols, rated: Collection[str]) -> None:
        self._rated = rated
        self._found: dict[str, list[Node]] = {}
        self._vectors: dict[str, str] = {}
        for relation in (one.relation for one in page.equations if not one.relation.case):
            rows = {
                name.key: keys_in(node)
                for name, node in entries_beside(relation.left, relation.right)
                if isinstance(name, Name)
            }
            for name, node in told_by(relation):
                self._vectors |= dict.fromkeys(_components(node), name.key)
                others = (rows.get(key, ()) for key in rows.get(name.key, ()))
                if not any(name.key in keys for keys in others):  # as in a column of states
                    self._found.setdefault(name.key, []).append(node)

    def vector(self, key: str) -> str | None:
        """Return the vector that the page says a symbol to be a component of, or None."""
        return self._vectors.get(key)

    def is_told_first(self, key: str) -> bool:
        """Return whether the first formula for a symbol is one of letters, and not of time."""
        first = self._found.get(key, [])[:1]
        return any(_is_formula(key, node) and not _is_timed(node) for node in first)

    def is_defined(self, key: str) -> bool:
        """Return whether the page says what a symbol is, by more than another letter.

        What it says more than twice is for several cases. Numbers are those of an example; what a
        coordinate is in time is a solution, and a force that accelerates something may be more
        than that.
        """
        said, looks = self._found.get(key, []), SymbolShape.of(key)
        if key == TIME or not said:
            return False
        if _is_rate(said[0]) and looks.letter == _INPUT:
            return False  # which drives one state of an example
        if _is_rate(said[0]) or _is_component(looks, said):
            return True
        is_at_rest = looks.kinds[:1] == ("gravity",) and _has_angles(said[0])
        if len(said) > _MOST_SAID or looks.letter == _NORMAL or is_at_rest:
            return False
        return all(self._tells(key, node) for node in said)

    def _tells(self, key: str, node: Node) -> bool:
        """Return whether a formula tells what a symbol is, and nothing more of it."""
        if not _is_formula(key, node):
            return False
        names = [one for one in walk(node) if isinstance(one, Name)]
        is_force = not _FORCES.isdisjoint(SymbolShape.of(key).kinds)
        if any(one.dots > 1 for one in names) and is_force:
            return False
        is_path = _is_timed(node) and not is_force
        return not (is_path or self.is_solution(key))

    def is_repeated(self, key: str) -> bool:
        """Return whether the page says more than once what a symbol is."""
        return len(self._found.get(key, ())) > 1

    def is_other_name(self, key: str) -> bool:
        """Return whether all that the page says of a symbol is that it is another letter."""
        said = self._found.get(key, ())
        is_name = bool(said) and all(isinstance(one, Name) for one in said)
        return is_name and SymbolShape.of(key).letter not in _LISTED

    def is_timed(self, key: str) -> bool:
        """Return whether the page says first of a symbol what it is in time."""
        return any(map(_is_timed, self._found.get(key, ())[:1]))

    def is_solution(self, key: str) -> bool:
        """Return whether the page says first of a coordinate what it is in time, or somewhere."""
        said = self._found.get(key, ())
        is_place = key in self._rated or not _PLACES.isdisjoint(SymbolShape.of(key).kinds[:1])
        names = keys_in(*said[:1])
        return bool(said) and is_place and (TIME in names or names <= {r"\pi"})


def _components(node: Node) -> tuple[str, ...]:
    """Return the symbols in a row or a column of several that have one letter."""
    cells = cells_of(node)
    keys = tuple(cell.key for cell in cells if isinstance(cell, Name) and not cell.dots)
    is_whole = len({*keys}) == len(cells) > 1
    return keys if is_whole and len({SymbolShape.of(key).letter for key in keys}) == 1 else ()


def _is_rate(node: Node) -> bool:
    """Return whether something is a rate of another letter, and nothing else."""
    return isinstance(node, TimeDerivative) or (isinstance(node, Name) and node.dots > 0)


def _is_component(looks: SymbolShape, said: Sequence[Node]) -> bool:
    """Return whether a symbol with a number below is one that another letter names: q_1 = x."""
    if len(said) > 1 or not isinstance(said[0], Name) or looks.letter not in _LISTED:
        return False
    other = SymbolShape.of(said[0].key).letter
    return bool(looks.subscript) and other != looks.letter and other not in "qQ"


def _is_formula(key: str, node: Node) -> bool:
    """Return whether something is a formula of letters, and not only another name.

    Nor has it numbers of an example, which are not those of a program among constants.
    """
    nodes = [*walk(node)]
    names = [one for one in nodes if isinstance(one, Name) and one.key != r"\pi"]
    if not names or _is_renamed(key, node, names) or any(map(_is_aside, nodes)):
        return False
    below = {one.value.denominator for one in nodes if isinstance(one, Number)}
    has_constants = any(not one.dots for one in names)
    is_worked_out = any(one.dots for one in names) or below <= _HALVES
    return below <= {1} or (has_constants and is_worked_out)


def _has_angles(node: Node) -> bool:
    return any(isinstance(one, Call) and one.function in TURNS for one in walk(node))


def _is_timed(node: Node) -> bool:
    return any(isinstance(one, Name) and one.key == TIME for one in walk(node))


def _is_renamed(key: str, node: Node, names: Sequence[Name]) -> bool:
    r"""Return whether a symbol is only another letter, or its own with a mark: ``R z^*``."""
    if isinstance(node, Add) and len(node.terms) == 1:
        node = node.terms[0].node
    marked = re.compile(
        rf"{re.escape(key)}\^(?:\*|\{{\*\}}|'|\\prime)|\\(?:bar|tilde|hat)\{{{re.escape(key)}\}}"
    )
    return isinstance(node, Name) or any(marked.fullmatch(one.key) for one in names)


def _is_aside(node: Node | Term) -> bool:
    """Return whether a part of a formula is no matter of letters: words, or a case."""
    return isinstance(node, Opaque) and node.what not in _WHOLE
