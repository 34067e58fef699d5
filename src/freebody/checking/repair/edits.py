"""Edits of a printed page: what stands around a node, and what is put in its place."""

from __future__ import annotations

import re

from freebody.checking.findings import Edit, Kind
from freebody.documents.latex.tree import Add, Node, Span, Term

SIGN = re.compile(r"[+-]?(?:\s|&|\\\\(?![A-Za-z])|\\[,;:!]|\\q?quad)*")
"""A sign with what only spaces it out behind."""
_BIG = r"(?:\\(?:left|right|[bB]igg?[lr]?)\s*)?"
_OPENING = re.compile(rf"{_BIG}(?:\\{{|[(\[])\s*\Z")
_NEAR = 16
_ARGUMENT = re.compile(r"\\[tdc]?frac\s*(?:[^\s{\\]|\\[A-Za-z]+)?\s*\Z|\\sqrt\s*\Z")
"""What comes before an argument that is printed without braces."""
_CLOSING = re.compile(rf"\s*{_BIG}(?:\\}}|[)\]])")


class PrintedPage:
    """The text of a page, in which nodes have their places.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def is_enclosed(self, node: Node | Term) -> bool:
        """Return whether brackets stand around a node, and nothing else in them."""
        near = max(0, node.span.start - _NEAR)
        opening = _OPENING.search(self.text, near, node.span.start)
        return bool(opening and _CLOSING.match(self.text, node.span.stop))

    def behind_bracket(self, node: Node) -> int:
        """Return where the bracket around a node closes."""
        closing = _CLOSING.match(self.text, node.span.stop)
        return closing.end() if closing else node.span.stop

    def enclosed(self, node: Node) -> Span:
        """Return where a factor stands, with its brackets where it is a sum."""
        near = max(0, node.span.start - _NEAR)
        opening = _OPENING.search(self.text, near, node.span.start)
        closing = _CLOSING.match(self.text, node.span.stop)
        if not isinstance(node, Add) or not opening or not closing:
            return node.span
        return Span(opening.start(), closing.end())

    def _text(self, span: Span) -> str:
        return self.text[span.start : span.stop]

    def _balanced(self, span: Span) -> Span:
        """Take in the braces that open right before a stretch and close in it."""
        printed = self._text(span)
        extra = printed.count("}") - printed.count("{")
        before = self.text[max(0, span.start - _NEAR) : span.start].rstrip()
        if extra > 0 and before.endswith("{" * extra):
            return Span(self.text.rindex("{" * extra, 0, span.start), span.stop)
        return span

    def put(self, span: Span, proposed: str, kind: Kind) -> Edit:
        """Return the edit that prints something else in a place."""
        span = self._balanced(span)
        if _ARGUMENT.search(self.text[max(0, span.start - _NEAR) : span.start]):
            proposed = proposed if len(proposed.strip()) == 1 else f"{{{proposed}}}"
        return Edit((span.start, span.stop), self._text(span), proposed, kind)

    def _cut(self, start: int, stop: int) -> Edit:
        return self.put(Span(start, stop), "", "power")

    def start_of(self, node: Node | Term) -> int:
        """Return where a term begins behind its sign."""
        sign = SIGN.match(self.text, node.span.start) if isinstance(node, Term) else None
        return sign.end() if sign else node.span.start
