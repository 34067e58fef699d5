"""A printed equation read again after a change of its LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from freebody.checking.findings import Edit
from freebody.documents.latex.grammar.equations import read_fragment
from freebody.documents.latex.names import Declared, as_column
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tokens.macros import Macros
from freebody.documents.latex.tokens.tokens import LatexError
from freebody.documents.latex.tree import Add, Multiply, Name, Node, Span, rebuilt, show


class Reread:
    """Reads changed equations of a page.

    Parameters
    ----------
    text : str
        The page.
    declared : Declared
        The names that it may use.
    macros : Macros, optional
        Those of the page, for text that stands by itself.
    """

    def __init__(self, text: str, declared: Declared, macros: Macros | None = None) -> None:
        self.text, self.declared, self.macros = text, declared, macros

    def is_faithful(self, relation: Relation) -> bool:
        """Return whether an equation reads as before when it is read alone."""
        again = self.changed(relation, ())
        return again is not None and self.shown(again) == self.shown(relation)

    def shown(self, relation: Relation) -> str:
        """Return a text that is the same for equations with the same terms in any order."""
        return f"{show(_sorted(relation.left))} = {show(_sorted(relation.right))}"

    def changed(self, relation: Relation, edits: Iterable[Edit]) -> Relation | None:
        """Return an equation with changes of the page; None where it cannot be read."""
        edits = sorted(edits, key=lambda edit: edit.span)
        sign = self._sign(relation)
        left = self._edited(Span(relation.span.start, sign.start), edits)
        right = self._edited(Span(sign.stop, relation.span.stop), edits)
        sides = (edits[0].span[0] <= sign.start, edits[-1].span[1] >= sign.stop) if edits else ()
        ways = dict(relation.ways)
        one = self._read(left, ways) if sides[:1] != (False,) else relation.left
        other = self._read(right, ways) if sides[1:] != (False,) else relation.right
        if one is None or other is None:
            return None
        one, other = _as_before(relation.left, one), _as_before(relation.right, other)
        latex = left + relation.relation + right
        return replace(
            relation, left=one, right=other, latex=latex, span=Span(0, len(latex)), others=()
        )

    def printed(self, relation: Relation, edit: Edit) -> tuple[Reread, Relation] | None:
        """Return an equation with a change as a text of its own, and what reads it."""
        sign = self._sign(relation)
        left = self._edited(Span(relation.span.start, sign.start), (edit,))
        right = self._edited(Span(sign.stop, relation.span.stop), (edit,))
        text = left + relation.relation + right
        other = Reread(text, self.declared, self.macros)
        sides = Span(0, len(left)), Span(len(text) - len(right), len(text))
        one, two = (other.read(side, (), dict(relation.ways)) for side in sides)
        if one is None or two is None:
            return None
        one, two = _as_before(relation.left, one), _as_before(relation.right, two)
        whole = Span(0, len(text))
        return other, replace(relation, left=one, right=two, latex=text, span=whole, others=())

    def read(
        self, span: Span, edits: Iterable[Edit], ways: Mapping[str, str] | None = None
    ) -> Node | None:
        """Return a stretch of the page with changes; None where it cannot be read.

        What may be read in two ways is read in those that are given.
        """
        edits = sorted(edits, key=lambda edit: edit.span)
        if not edits:
            return self._fragment(self.text, span, ways)
        return self._read(self._edited(span, edits), ways)

    def _sign(self, relation: Relation) -> Span:
        """Return where the sign between the two sides stands, twice where a line ends with it."""
        sign = re.escape(relation.relation)
        again = re.compile(rf"{sign}(?:(?:\s|&|\\\\)*{sign})*")
        found = again.search(self.text, relation.left.span.stop)
        return Span(*found.span()) if found else Span(-1, -1 + len(relation.relation))

    def _edited(self, span: Span, edits: Iterable[Edit]) -> str:
        parts, position = [], span.start
        for edit in edits:
            first, last = edit.span
            if span.start <= first and last <= span.stop:
                parts += [self.text[position:first], edit.proposed]
                position = last
        return "".join((*parts, self.text[position : span.stop]))

    def _read(self, text: str, ways: Mapping[str, str] | None = None) -> Node | None:
        return self._fragment(text, Span(0, len(text)), ways)

    def _fragment(self, text: str, span: Span, ways: Mapping[str, str] | None) -> Node | None:
        try:
            first, last = span.start, span.stop
            return read_fragment(text, first, last, self.declared, self.macros, ways)
        except LatexError:
            return None


def _as_before(was: Node, now: Node) -> Node:
    """Return a side that is one name, as the column that it was read as beside the other side."""
    if not isinstance(was, Name) or not isinstance(now, Name) or was.key != as_column(now.key):
        return now
    return replace(now, key=was.key)


def _sorted(node: Any) -> Any:
    """Return a node with the terms of every sum, and the factors of every product, in order."""
    found = rebuilt(node, _sorted)
    match found:
        case Add(terms=terms):
            terms = tuple(sorted(terms, key=lambda term: (-term.sign, show(term.node))))
            return replace(found, terms=terms)
        case Multiply(factors=factors):
            return replace(found, factors=tuple(sorted(factors, key=show)))
    return found
