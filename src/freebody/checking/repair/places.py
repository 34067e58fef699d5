"""Where the parts of a printed equation stand, and what is put in their place.

Where on the page, in what, and how the equation depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from freebody.checking.findings import Edit, Kind
from freebody.checking.repair.cleared import is_cleared
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Labelled,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Power,
    Span,
    Term,
    Times,
    Transpose,
    show,
)

SIGN = re.compile(r"[+-]?(?:\s|&|\\\\(?![A-Za-z])|\\[,;:!]|\\q?quad)*")
"""A sign with what only spaces it out behind."""
_BIG = r"(?:\\(?:left|right|[bB]igg?[lr]?)\s*)?"
_OPENING = re.compile(rf"{_BIG}(?:\\{{|[(\[])\s*\Z")
_NEAR = 16
_INDEXED = re.compile(r"_(?:\w|\{[^{}]*\})\Z")
_ONE = re.compile(r"1(?![\d.,])")
_ARGUMENT = re.compile(r"\\[tdc]?frac\s*(?:[^\s{\\]|\\[A-Za-z]+)?\s*\Z|\\sqrt\s*\Z")
"""What comes before an argument that is printed without braces."""
_COMMAND = re.compile(r"\\[A-Za-z]+\Z")
"""A command that would go on with a letter behind it."""
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
        if _INDEXED.search(proposed) and self.text[span.stop : span.stop + 1].isdigit():
            alone = _ONE.match(self.text, span.stop)  # t1 for \theta_1
            span = Span(span.start, alone.end()) if alone else span
            proposed = proposed if alone else f"{proposed} "
        before = self.text[max(0, span.start - _NEAR) : span.start]
        if _COMMAND.search(before) and proposed[:1].isalpha():
            proposed = f" {proposed}"
        if _ARGUMENT.search(before):
            proposed = proposed if len(proposed.strip()) == 1 else f"{{{proposed}}}"
        return Edit((span.start, span.stop), self._text(span), proposed, kind)

    def _cut(self, start: int, stop: int) -> Edit:
        return self.put(Span(start, stop), "", "power")

    def start_of(self, node: Node | Term) -> int:
        """Return where a term begins behind its sign."""
        sign = SIGN.match(self.text, node.span.start) if isinstance(node, Term) else None
        return sign.end() if sign else node.span.start


SUBJECT = 0.4
"""What it costs more that the one symbol of a side is wrong: that is what the equation is of."""
_LINEAR = (Add, Term, Multiply, Matrix, Labelled, Transpose, Times)


@dataclass(frozen=True, slots=True)
class NodePlace:
    """A node and where it stands: in what, and how the equation depends on it.

    Attributes
    ----------
    node : Node or Term
    is_rational : bool
        Whether only sums, products and quotients that are multiplied out stand around it.
    is_below : bool
        Whether it is below a line.
    is_linear : bool
        Whether the equation without its denominators depends on it linearly.
    is_plain : bool
        Whether only sums, products, quotients, powers and roots stand around it.
    within : frozenset of Node or Term
        The terms that it stands in.
    around : NodePlace, optional
        Of what it stands in.
    """

    node: Node | Term
    is_rational: bool
    is_below: bool
    is_linear: bool
    is_plain: bool
    within: frozenset[Node | Term]
    around: NodePlace | None = None

    @property
    def parent(self) -> Node | Term | None:
        """What it stands in."""
        return None if self.around is None else self.around.node

    @property
    def linear(self) -> NodePlace:
        """Itself or the nearest place around it on which the equation depends linearly."""
        return self if self.is_linear or self.around is None else self.around.linear

    @property
    def addend(self) -> NodePlace:
        """The outermost term that it stands in, or the side where that is no sum."""
        if self.around is None:
            return self
        outer = self.around.addend
        return self if isinstance(outer.node, Add | Matrix | Labelled) else outer

    @property
    def is_unsigned(self) -> bool:
        """Whether a sum could stand here, and something else does."""
        at_top = self.parent is None or isinstance(self.parent, Matrix | Labelled)
        return at_top and not isinstance(self.node, Add | Matrix | Labelled | Term)

    @property
    def subject(self) -> float:
        """What a change costs more where this is the one symbol that an equation is of."""
        return SUBJECT if self.parent is None and isinstance(self.node, Name) else 0.0

    @property
    def is_addend(self) -> bool:
        """Whether it is a term of a sum, or stands where a sum could."""
        return isinstance(self.node, Term) or self.is_unsigned


def placed(node: Node | Term, around: NodePlace | None, cleared: Set[Node | Term]) -> NodePlace:
    """Return where a node stands, by where what is around it does.

    Parameters
    ----------
    node : Node or Term
    around : NodePlace, optional
        Of what it stands in.
    cleared : set of Node or Term
        The nodes of the equation without denominators.
    """
    if around is None:
        place = NodePlace(node, True, False, True, True, frozenset())
    else:
        parent = around.node
        below = isinstance(parent, Divide) and node is parent.denominator
        rational = around.is_rational and isinstance(parent, (*_LINEAR, Divide))
        rational = rational and (not below or (bool(cleared) and is_cleared(parent)))
        is_below = around.is_below or below
        linear = rational and (not is_below or node in cleared)
        is_root = isinstance(parent, Call) and parent.function == "sqrt"
        plain = is_root or isinstance(parent, (*_LINEAR, Divide, Power))
        place = NodePlace(
            node, rational, is_below, linear, around.is_plain and plain, around.within, around
        )
    if place.is_addend and place.is_linear:
        place = replace(place, within=place.within | {node})
    return place


def are_apart(some: Sequence[Node], others: Sequence[Node]) -> bool:
    """Return whether no factor is printed on both sides: a doubled one is no lost sign."""
    return {show(one) for one in some}.isdisjoint(map(show, others))


def leading(node: Node) -> tuple[Node | None, Node]:
    """Return the number in front of a product, if there is one, and what comes first behind it.

    It may stand above the line of a fraction that is printed first.
    """
    front = node.factors[0] if isinstance(node, Multiply) else node
    if isinstance(front, Divide) and isinstance(front.numerator, Multiply):
        above, behind = leading(front.numerator)
        if above is not None:
            return above, behind
    if not isinstance(node, Multiply):
        is_number = isinstance(node, Number)
        return (node if is_number else None), node
    first, second, *_ = node.factors
    if isinstance(first, Number) or (
        isinstance(first, Divide)
        and isinstance(first.numerator, Number)
        and isinstance(first.denominator, Number)
    ):
        return first, second
    return None, first
