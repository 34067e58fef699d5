"""Changes of one token, factor, term or bracket of code: which there are of an expression."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from freebody.checking.findings import Edit, Kind
from freebody.code.listings import Listing
from freebody.code.tree import (
    Attribute,
    Binary,
    Call,
    Index,
    Name,
    Node,
    Number,
    Span,
    Unary,
)

ATOMS = 30
NUMBERS = tuple(
    map(Fraction, ("2", "1/2", "3", "4", "1", "6", "12", "0", "1/3", "1/4", "1/6", "1/12"))
)
SWAPPED = {"sin": "cos", "cos": "sin", "sind": "cosd", "cosd": "sind"}
NOT_WRITTEN = (0, 0)
"""The span of what a reader puts in that stands nowhere in the text."""


@dataclass(frozen=True)
class Change:
    """An edit that may mend something: what it makes of a node."""

    node: Node
    made: Node
    edit: Edit
    cost: float


class Changes:
    """The changes that are tried of the expressions of a listing.

    Parameters
    ----------
    listing : Listing
    parents : mapping of int to Node
        What each part of an expression is a part of.
    atoms : collection of str
        The names, with indices, that may stand for one another.
    """

    def __init__(
        self, listing: Listing, parents: Mapping[int, Node], atoms: Collection[str]
    ) -> None:
        self._listing, self._parents, self._atoms = listing, parents, atoms

    def of(self, node: Node) -> Iterator[Change]:
        """Iterate over the changes of an expression, without those of its parts."""
        match node:
            case Binary():
                yield from self._of_binary(node)
            case Unary(operator="-", operand=inner):
                yield self._made(node, inner, (node.span[0], inner.span[0]), "", "sign", 1.0)
            case Number():
                yield from self._of_number(node)
            case _ if is_atom(node):
                yield from self._of_atom(node)
            case Call(function=function, arguments=(argument,)):
                yield from self._of_call(node, function, argument)
        if isinstance(node, (Binary, Call, Name, Index, Attribute)):
            yield from self._with_more(node)

    def _made(
        self, node: Node, made: Node, span: Span, text: str, kind: Kind, cost: float
    ) -> Change:
        return Change(node, made, Edit(span, self._text(span), text, kind), cost)

    def _of_binary(self, node: Binary) -> Iterator[Change]:
        sign, left, right = node.operator, node.left, node.right
        plain = sign.lstrip(".")
        dot = sign[: len(sign) - len(plain)]
        swapped = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "**": ("*",)}.get(plain, ())
        at = self.sign_at(node)
        for other in swapped:
            kind: Kind = "sign" if other in "+-" else "factor"
            made = Binary((0, 0), dot + other, left, right, node.at)
            yield self._made(node, made, at, dot + other, kind, 1.0 if kind == "sign" else 1.5)
        if plain in ("+", "-", "*", "/", "**"):
            kind = "power" if plain == "**" else "extra"
            yield self._made(node, left, (left.span[1], node.span[1]), "", kind, 1.4)
        if plain in ("*", "+"):
            yield self._made(node, right, (node.span[0], right.span[0]), "", "extra", 1.4)
        if plain == "-":
            negative = Unary((0, 0), "-", right)
            yield self._made(node, negative, (node.span[0], at[0]), "", "extra", 1.6)
        yield from self._rebracketed(node)

    def sign_at(self, node: Binary) -> Span:
        """Return where the sign of an operation stands, without the blanks around it."""
        text = self._text(node.at)
        inner = text.strip().strip("()")
        start = node.at[0] + (text.find(inner.strip()) if inner.strip() else 0)
        return start, start + len(inner.strip())

    def _rebracketed(self, node: Binary) -> Iterator[Change]:
        """Iterate over brackets that are too many, or that are missing."""
        left, right = node.left, node.right
        if (
            node.operator in ("+", "-")
            and isinstance(right, Binary)
            and right.operator in ("*", "/", ".*", "./")
        ):
            inner = Binary((0, 0), node.operator, left, right.left, node.at)
            made = Binary((0, 0), right.operator, inner, right.right, right.at)
            span = (left.span[0], right.left.span[1])
            yield self._made(node, made, span, f"({self._text(span)})", "bracket", 1.7)
        if (
            node.operator in ("+", "-")
            and isinstance(left, Binary)
            and left.operator in ("*", ".*")
        ):
            inner = Binary((0, 0), node.operator, left.right, right, node.at)
            made = Binary((0, 0), left.operator, left.left, inner, left.at)
            span = (left.right.span[0], right.span[1])
            yield self._made(node, made, span, f"({self._text(span)})", "bracket", 1.7)

    def _of_number(self, node: Number) -> Iterator[Change]:
        value = node.value
        parent = self._parents.get(id(node))
        is_power = (
            isinstance(parent, Binary) and parent.operator.endswith("**") and parent.right is node
        )
        near = [value * 2, value / 2, -value, value + 1, value - 1, *NUMBERS]
        for other in dict.fromkeys(one for one in near if one != value):
            written = _written(other)
            kind: Kind = "power" if is_power else "factor"
            cost = 1.2 if other.denominator == 1 else 1.4
            yield self._made(
                node,
                Number((0, 0), other),
                node.span,
                written,
                kind,
                cost + (0.3 if other <= 0 else 0),
            )

    def _of_call(self, node: Call, function: Node, argument: Node) -> Iterator[Change]:
        name = function.name if isinstance(function, (Name, Attribute)) else ""
        if name in SWAPPED:
            made = Call((0, 0), Name((0, 0), SWAPPED[name]), (argument,))
            span = (function.span[1] - len(name), function.span[1])
            yield self._made(node, made, span, SWAPPED[name], "function", 1.0)

    def _of_atom(self, node: Node) -> Iterator[Change]:
        own = self._text(node.span)
        pattern = re.sub(r"\d+", "#", own)
        others = sorted(
            (text for text in self._atoms if text != own),
            key=lambda text: (
                re.sub(r"\d+", "#", text) != pattern,
                -difflib.SequenceMatcher(None, own, text).ratio(),
            ),
        )
        for text in others[:ATOMS]:
            is_index = re.sub(r"\d+", "#", text) == pattern
            made = Name((0, 0), text)
            kind: Kind = "index" if is_index else "symbol"
            yield self._made(node, made, node.span, text, kind, 1.1 if is_index else 1.3)

    def _with_more(self, node: Node) -> Iterator[Change]:
        """Iterate over a sign, a number, a power or a factor that is missing."""
        start, stop = node.span
        inside = self._text(node.span)
        parent = self._parents.get(id(node))
        is_sum = isinstance(node, Binary) and node.operator in ("+", "-")
        if is_sum:
            return
        is_term = not isinstance(parent, Binary) or parent.operator in ("+", "-")
        if is_term and (not isinstance(parent, Binary) or parent.left is node):
            yield self._made(node, Unary((0, 0), "-", node), (start, start), "-", "sign", 1.1)
        if is_term:
            for value in (Fraction(2), Fraction(3), Fraction(4)):
                two = Binary((0, 0), "*", Number((0, 0), value), node, (0, 0))
                yield self._made(node, two, (start, start), f"{value}*", "factor", 1.5)
                half = Binary((0, 0), "/", node, Number((0, 0), value), (0, 0))
                yield self._made(node, half, (stop, stop), f"/{value}", "factor", 1.5)
            yield from self._factors(node, start)
        if isinstance(node, (Name, Index, Attribute, Call)):
            sign = "**" if self._listing.language == "python" else "^"
            if self._listing.language not in ("c", "cpp"):
                square = Binary((0, 0), "**", node, Number((0, 0), Fraction(2)), (0, 0))
                yield self._made(node, square, (stop, stop), f"{sign}2", "power", 1.4)
            else:
                square = Binary((0, 0), "*", node, node, (0, 0))
                yield self._made(node, square, (stop, stop), f"*{inside}", "power", 1.4)

    def _factors(self, node: Node, start: int) -> Iterator[Change]:
        known = [text for text in self._atoms if len(text) < 24]
        for text in known[: 2 * ATOMS]:
            more = Binary((0, 0), "*", Name((0, 0), text), node, (0, 0))
            yield self._made(node, more, (start, start), f"{text}*", "missing", 1.8)

    def _text(self, span: Span) -> str:
        return self._listing.text[slice(*span)]


def is_atom(node: Node) -> bool:
    """Return whether an expression is a name, or an entry of what has one: ``q(1)`` is as well."""
    if isinstance(node, Call):
        return bool(node.arguments) and all(isinstance(one, Number) for one in node.arguments)
    return isinstance(node, (Name, Index, Attribute))


def _written(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    decimal = float(value)
    return (
        f"{decimal:g}"
        if Fraction(f"{decimal:g}") == value
        else f"({value.numerator}/{value.denominator})"
    )
