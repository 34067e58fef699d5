"""What the readers of languages share whose grammars are those of tree-sitter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from freebody.code.numbers import exact
from freebody.code.tree import Binary, Call, Loop, Name, Node, Return, Skipped, Span, Text, Unary
from freebody.errors import ListingError

DEEPEST = 150
"""Levels of expressions and blocks inside each other."""
MOST_BYTES = 600_000
"""Beyond it, text that is not the language takes a grammar too long."""
MOST_PIECES, PIECE = 40_000, 4096
"""How many pieces of a text a grammar may ask for, again and again, and how long they are."""


class GrammarReader(ABC):
    """Reads a text by the grammar of a language.

    Parameters
    ----------
    text : str
    start : int, optional
        Where the text begins in its file.
    """

    language = ""
    origin = 0
    passed = frozenset({"comment", "line_comment", "block_comment", "line_continuation"})

    def __init__(self, text: str, start: int = 0) -> None:
        self._start = start
        self.remarks: list[str] = []
        self._data = text.encode()
        self._is_plain = text.isascii()
        self._depth = 0

    @abstractmethod
    def grammar(self) -> Any:
        """Return the language as its package has it."""

    def read(self) -> tuple[Node, ...]:
        """Return its statements.

        Raises
        ------
        ListingError
            If the grammar is not installed, or the text cannot be read.
        """
        try:
            from tree_sitter import Language, Parser

            parser = Parser(Language(self.grammar()))
        except ImportError:
            message = f"reading {self.language} needs a grammar: pip install 'freebody[code]'"
            raise ListingError(message, self._start) from None
        root = self._parsed(parser).root_node
        if root.has_error:
            self.remarks += self._misread(root)
        try:
            return self.block(root.named_children)
        except RecursionError:
            raise ListingError("it is nested too deeply", self._start) from None

    def _parsed(self, parser: Any) -> Any:
        """Return the tree of the text, handed over in pieces until it is read too often.

        Some grammars look ahead to the end from many places, and take a time that grows with the
        square of the length. How often they do is the same on any machine.
        """
        if len(self._data) > MOST_BYTES:
            message = f"expected at most {MOST_BYTES} bytes of {self.language}"
            raise ListingError(message, self._start)
        data, handed = self.readable(self._data), 0

        def piece(offset: int, _place: Any) -> bytes:
            nonlocal handed
            handed += 1
            return b"" if handed > MOST_PIECES else data[offset : offset + PIECE]

        tree = parser.parse(piece)
        if handed > MOST_PIECES:
            times = MOST_PIECES * PIECE // len(data)
            message = f"it is read more than {times} times over: is it {self.language}?"
            raise ListingError(message, self._start)
        return tree

    def _misread(self, root: Any) -> list[str]:
        waiting, found = [root], list[str]()
        while waiting and len(found) < 5:
            node = waiting.pop()
            if node.is_error or node.is_missing:
                found.append(f"line {node.start_point[0] + 1}: not read: no {self.language}")
            elif node.has_error:
                waiting.extend(reversed(node.children))
        return found

    # ------------------------------------------------------------------ places

    def span(self, node: Any) -> Span:
        """Return where a node stands in the file."""
        return self._place(node.start_byte), self._place(node.end_byte)

    def _place(self, byte: int) -> int:
        offset = byte if self._is_plain else len(self._data[:byte].decode(errors="ignore"))
        return self._start + offset

    def text(self, node: Any) -> str:
        """Return what is written."""
        return self._data[node.start_byte : node.end_byte].decode(errors="replace")

    def readable(self, data: bytes) -> bytes:
        """Return a text as the grammar reads it rightly, with all at its place."""
        return data

    # ------------------------------------------------------------------ walking

    def block(self, nodes: Iterable[Any]) -> tuple[Node, ...]:
        """Return statements."""
        return tuple(one for node in nodes for one in self.statement(node))

    def statement(self, node: Any) -> Sequence[Node]:
        """Return what a statement is, as one or several."""
        if node.type in self.passed:
            return []
        read: Callable[[Any], Sequence[Node]] | None = getattr(self, f"s_{node.type}", None)
        if read is None:
            return [self.expression(node)]
        return self._deeper(read, node)

    def expression(self, node: Any) -> Node:
        """Return what an expression is."""
        read: Callable[[Any], Node] | None = getattr(self, f"x_{node.type}", None)
        if read is None:
            return Skipped(self.span(node), f"'{node.type.replace('_', ' ')}' is not followed")
        return self._deeper(read, node)

    def _deeper(self, read: Callable[[Any], Any], node: Any) -> Any:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ListingError("it is nested too deeply", self._place(node.start_byte))
        try:
            return read(node)
        finally:
            self._depth -= 1

    # ------------------------------------------------------------------ what most have

    def named(self, node: Any, field: str) -> Any:
        """Return a part of a node by its name, or None."""
        return node.child_by_field_name(field)

    def parts(self, node: Any) -> list[Any]:
        """Return the parts of a node that have names, without comments."""
        return [one for one in node.named_children if one.type not in self.passed]

    def number(self, node: Any) -> Node:
        """Return a number; one with a sign as minus a number."""
        text, span = self.text(node), self.span(node)
        if text[:1] in "+-":
            inner = exact((span[0] + 1, span[1]), text[1:])
            return negative(span, inner) if text[0] == "-" else inner
        return exact(span, text)

    def name(self, node: Any) -> Node:
        """Return a name."""
        return Name(self.span(node), self.text(node))

    def operation(self, node: Any, sign: Any, left: Node, right: Node, means: str = "") -> Binary:
        """Return an operation on two values."""
        return Binary(self.span(node), means or self.text(sign), left, right, self.span(sign))

    def times(self, node: Any, left: Node, right: Node) -> Node:
        """Return a product that is written without a sign."""
        return Binary(self.span(node), "*", left, right, (left.span[1], right.span[0]))

    # ------------------------------------------------------------------ the same in several

    def s_while_statement(self, node: Any) -> Sequence[Node]:
        """Return a loop that goes on as long as a test holds."""
        test, *body = self.parts(node)
        return [Loop(self.span(node), None, None, self.block(body), self.expression(test))]

    def s_return_statement(self, node: Any) -> Sequence[Node]:
        """Return what a function gives."""
        parts = self.parts(node)
        return [Return(self.span(node), self.expression(parts[0]) if parts else None)]

    def x_string_literal(self, node: Any) -> Node:
        """Return a text."""
        return Text(self.span(node), self.text(node).strip('"'))

    x_char_literal = x_string_literal

    def x_boolean(self, node: Any) -> Node:
        """Return a truth value."""
        return Text(self.span(node), self.text(node) == "true")

    x_boolean_literal = x_true = x_false = x_boolean


def negative(span: Span, inner: Node) -> Node:
    """Return minus a value."""
    return Unary(span, "-", inner)


def made(name: str, span: Span, arguments: Sequence[Node]) -> Call:
    """Return a call of a function that is known."""
    return Call(span, Name((0, 0), name), tuple(arguments))
