r"""Mathematics in the order it is read: a precedence parser that knows the declared names.

::

    sum      := [+-] product ([+-] product)*
    product  := run ((\cdot | * | \times) run | / factor)*
    run      := factor factor*                 juxtaposition binds tighter than \times and /
    factor   := primary [^ argument]
    primary  := number | name | group | matrix | fraction | function | derivative | ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import ClassVar, Literal

from freebody.documents.latex.cursor import Cursor
from freebody.documents.latex.derivatives import derivative
from freebody.documents.latex.names import Declared, is_short, plain, spellings, unknown
from freebody.documents.latex.tokens import (
    BRACES,
    DEPTH,
    DOTS,
    FRACTIONS,
    UPRIGHT,
    Command,
    Group,
    Item,
    LatexError,
    Token,
)
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
    Omission,
    Partial,
    Power,
    Span,
    Term,
    TimeDerivative,
    Times,
    Transpose,
)

MATRICES = frozenset({"matrix", "bmatrix", "pmatrix", "Bmatrix", "smallmatrix", "array"})
_FUNCTIONS = {
    **{name: name for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh")},
    **{name: name for name in ("arcsin", "arccos", "arctan", "exp", "log")},
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "ln": "log",
}
_OMISSIONS = frozenset({r"\dots", r"\ldots", r"\cdots", r"\vdots", r"\ddots"})
_TRANSPOSED = frozenset({"T", r"\top", r"\intercal"})
_DOT = frozenset({r"\cdot", "*"})
_OPERATORS = frozenset({"+", "-", r"\times", "/"}) | _DOT
_BRACKETS = frozenset({"(", "[", r"\{"})
_DIGITS = 40
_ADVICE = {
    "|": r"\left| ... \right| for an absolute value",
    "_": "a name before a subscript",
    "'": "a name before a prime",
}


def read_sides(sides: Sequence[tuple[Sequence[Item], Span]], declared: Declared) -> list[Node]:
    """Read the sides of an equation.

    Parameters
    ----------
    sides : sequence of (sequence of Item, Span)
        What is printed, and where it stands on the page, for when there is nothing to point at.
    declared : Declared
        The names it may use.

    Raises
    ------
    LatexError
        Where a side is not an expression, or with all the names that are not declared.
    """
    undeclared: list[Name] = []
    nodes = [_Reader(items, declared, at, undeclared, 0).whole() for items, at in sides]
    if undeclared:
        symbols = tuple(dict.fromkeys(name.key for name in undeclared))
        told = (f"'{name}' is not declared{declared.suggestion(name)}" for name in symbols)
        raise LatexError("\n".join(told), undeclared[0].span.start, symbols)
    return nodes


class _Reader(Cursor):
    """Reads one rule of the grammar with each method, from where it stands."""

    def __init__(
        self,
        items: Sequence[Item],
        declared: Declared,
        at: Span,
        undeclared: list[Name],
        depth: int,
    ) -> None:
        if depth > DEPTH:
            raise LatexError(f"expressions stand more than {DEPTH} deep in each other", at.start)
        super().__init__(items, at)
        self.declared, self.undeclared, self.depth = declared, undeclared, depth

    def inside(self, items: Sequence[Item], at: Item) -> Node:
        """Read the items inside of one item as an expression of its own."""
        here = Span(at.start, at.stop)
        return _Reader(items, self.declared, here, self.undeclared, self.depth + 1).whole()

    def whole(self) -> Node:
        """Read all there is as one expression."""
        node = self.sum()
        if self.item:
            raise self.expected("an operator")
        return node

    # Sums and products

    def sum(self) -> Node:
        """Read signed terms."""
        first = self.position
        terms = [self.term()]
        while self.text in ("+", "-"):
            terms.append(self.term())
        signed = len(terms) > 1 or self.items[first].text in ("+", "-")
        return Add(tuple(terms), self.span(first)) if signed else terms[0].node

    def term(self) -> Term:
        """Read a product with its sign."""
        first = self.position
        sign: Literal[1, -1] = -1 if self.text == "-" else 1
        if self.text in ("+", "-"):
            self.position += 1
        return Term(sign, self.product(), self.span(first))

    def product(self) -> Node:
        """Read runs of factors with signs of multiplication and division between."""
        first, chained = self.position, 0
        factors = self.run()
        while self.item and self.text not in ("+", "-"):
            operator = self.text if self.text in _OPERATORS else ""
            self.position += bool(operator)
            if rule := self._chained.get(operator):
                chained += 1
                factors = [rule(self, self.joined(factors, first), first)]
            else:
                factors += self.run()
            if chained > DEPTH:
                raise self.expected(f"at most {DEPTH} quotients and crosses in one product")
        return self.joined(factors, first)

    def joined(self, factors: list[Node], first: int) -> Node:
        """Return the product of factors, the only one as it is."""
        return factors[0] if len(factors) == 1 else Multiply(tuple(factors), self.span(first))

    def times(self, left: Node, first: int) -> Node:
        """Read what follows a cross."""
        second = self.position
        right = self.joined(self.run(), second)
        return Times(left, right, self.span(first))

    def quotient(self, left: Node, first: int) -> Node:
        """Read what follows a slash."""
        denominator = self.factor()
        if self.is_factor() and not isinstance(denominator, Number):
            raise self.expected(r"a sign behind 'a/b' (write \frac or brackets for a product)")
        return Divide(left, denominator, self.span(first))

    def run(self) -> list[Node]:
        """Read factors that stand side by side."""
        factors = [self.factor()]
        while self.is_factor():
            factors.append(self.factor())
        return factors

    def is_factor(self) -> bool:
        """Return whether something is left that is not an operator."""
        return self.item is not None and self.text not in _OPERATORS

    def factor(self) -> Node:
        """Read a primary with its power."""
        first = self.position
        node = self.primary()
        if isinstance(self.item, Command) and self.text == "^":
            power = self.item
            self.position += 1
            node = self.power(node, power, first)
        return node

    def power(self, base: Node, command: Command, first: int) -> Node:
        """Read a superscript that is a power or marks a transpose."""
        exponent = command.arguments[0]
        if is_short(command) and plain(exponent) in _TRANSPOSED:
            return Transpose(base, self.span(first))
        if self.text == "^":
            raise self.expected("one power (write brackets for more)")
        return Power(base, self.inside(exponent, command), self.span(first))

    # Primaries

    def primary(self) -> Node:
        """Read what binds closest."""
        item = self.item
        if item is None or item.text in _OPERATORS:
            raise self.expected("a number, a name or a bracket")
        if isinstance(item, Group):
            return self.group(item)
        if item.text.isdecimal() or item.text == ".":
            return self.number()
        if function := _function(item):
            return self.function(function)
        if isinstance(item, Command) and (rule := self._rules.get(item.text)):
            if node := rule(self, item):
                return node
        elif item.text in _OMISSIONS:
            self.position += 1
            return Omission(Span(item.start, item.stop))
        return self.name()

    def name(self) -> Node:
        """Read a name; one that is not declared is kept in mind."""
        first = self.position
        options = spellings(self.items, first)
        if not options:
            raise self.expected(_ADVICE.get(self.text, "a number, a name or a bracket"))
        declared = self.declared.find(options)
        found = declared or unknown(options)
        self.position = found.stop
        node = Name(found.key, found.dots, self.span(first), found.indices)
        if not declared:
            self.undeclared.append(node)
        return self.power(node, found.superscript, first) if found.superscript else node

    def number(self) -> Node:
        """Read the digits that stand side by side."""
        first, text = self.position, ""
        while isinstance(self.item, Token) and (self.text.isdecimal() or self.text == "."):
            text += self.text
            self.position += 1
        if text.count(".") > 1 or text == "." or len(text) > _DIGITS or not text.isascii():
            raise LatexError(
                f"expected a number of at most {_DIGITS} digits, found '{text[:_DIGITS]}'",
                self.items[first].start,
            )
        return Number(Fraction(text), self.span(first))

    def group(self, group: Group) -> Node:
        """Read what brackets enclose: a matrix, a row of entries, or an expression."""
        self.position += 1
        if group.text in MATRICES:
            return self.matrix(_rows(group.items), group)
        if group.text == "|":
            return Call("abs", self.inside(group.items, group), _span(group))
        if group.text not in _BRACKETS:
            raise LatexError(f"'{group.text}' is not a bracket or a matrix", group.start)
        sole = group.items[0] if len(group.items) == 1 else None
        if isinstance(sole, Group) and sole.text in MATRICES:
            return self.matrix(_rows(sole.items), group)
        entries = _parts(group.items, {r"\ ", ","}) if group.text == "[" else []
        if len(entries) > 1:
            return self.matrix([entries], group)
        return self.inside([item for item in group.items if item.text != r"\ "], group)

    def matrix(self, rows: list[list[list[Item]]], group: Group) -> Node:
        """Read the cells of a matrix."""
        if len({len(row) for row in rows}) != 1:
            counts = ", ".join(str(len(row)) for row in rows)
            raise LatexError(f"the rows of a matrix differ in length: {counts}", group.start)
        read = tuple(tuple(self.inside(cell, group) for cell in row) for row in rows)
        return Matrix(read, _span(group))

    # Functions

    def function(self, name: str) -> Node:
        """Read a function, its power if there is one, and its argument."""
        first = self.position
        self.position += 1
        power = self.item if self.text == "^" else None
        if isinstance(power, Command):
            self.position += 1
            if plain(power.arguments[0]) == "-1":
                raise LatexError(
                    rf"\{name}^{{-1}} may be the inverse function or one over it; "
                    rf"write \arc{name} or \frac",
                    power.start,
                )
        node = Call(name, self.argument(name), self.span(first))
        return self.power(node, power, first) if isinstance(power, Command) else node

    def argument(self, function: str) -> Node:
        """Read what a function is of: brackets, or names up to the first varying one."""
        item = self.item
        if isinstance(item, Group) and item.text in _BRACKETS:
            return self.group(item)
        first, factors = self.position, list[Node]()
        shortest: tuple[int, int] | None = None
        while self.item and self.is_argument():
            factors.append(self.primary())
            if self.varies(factors[-1]):
                return self.joined(factors, first)
            if shortest is None and not isinstance(factors[-1], Number):
                shortest = self.position, len(factors)
        if not factors:
            raise self.expected(rf"what \{function} is of")
        self.position, count = shortest or (self.position, len(factors))
        return self.joined(factors[:count], first)

    def is_argument(self) -> bool:
        """Return whether what is next may be an argument without brackets, or part of one."""
        text = self.text
        if text.isdecimal() or text in FRACTIONS or text == r"\sqrt":
            return True
        is_name = bool(self.item and not _function(self.item) and text not in BRACES)
        return is_name and bool(spellings(self.items, self.position))

    def varies(self, node: Node) -> bool:
        """Return whether an argument without brackets ends here."""
        if isinstance(node, Power):
            return self.varies(node.base)
        if isinstance(node, Name):
            return node.dots > 0 or node.key == "t" or self.declared.varies(node.key)
        return not isinstance(node, Number)

    def root(self, command: Command) -> Node:
        """Read a root."""
        self.position += 1
        radicand = self.inside(command.arguments[0], command)
        if len(command.arguments) == 1:
            return Call("sqrt", radicand, _span(command))
        index = self.inside(command.arguments[1], command)
        one = Number(Fraction(1), index.span)
        return Power(radicand, Divide(one, index, index.span), _span(command))

    # Fractions and derivatives

    def fraction(self, command: Command) -> Node:
        """Read a quotient or a derivative."""
        self.position += 1
        found = derivative(*command.arguments)
        if found is None:
            over, under = (self.inside(part, command) for part in command.arguments)
            return Divide(over, under, _span(command))
        node = self.inside(found.operand, command) if found.operand else self.operand(command)
        at = Span(command.start, self.items[self.position - 1].stop)
        if found.is_total:
            return TimeDerivative(node, len(found.variables), at)
        return Partial(node, tuple(self.variable(v, command) for v in found.variables), at)

    def operand(self, command: Command) -> Node:
        """Read what a derivative without anything in its numerator is of: the next factor."""
        self.depth += 1
        if self.depth > DEPTH:
            raise LatexError(f"more than {DEPTH} derivatives of each other", command.start)
        node = self.factor()
        self.depth -= 1
        return node

    def variable(self, items: Sequence[Item], command: Command) -> Name:
        """Read what a derivative is by."""
        node = self.inside(items, command)
        if not isinstance(node, Name):
            raise LatexError("expected a name to differentiate by", items[0].start)
        return node

    def dotted(self, command: Command) -> Node | None:
        """Read dots over what is not a name."""
        if spellings([command], 0):
            return None
        self.position += 1
        inner = self.inside(command.arguments[0], command)
        return TimeDerivative(inner, DOTS[command.text], _span(command))

    def labelled(self, command: Command) -> Node:
        """Read what a brace spans, and what is written at it."""
        first = self.position
        self.position += 1
        node, label = self.inside(command.arguments[0], command), None
        if isinstance(self.item, Command) and self.text == BRACES[command.text]:
            label = self.label(self.item)
            self.position += 1
        return Labelled(node, label, self.span(first))

    def label(self, command: Command) -> Node | None:
        """Read what is written at a brace, if it is mathematics in declared names."""
        undeclared: list[Name] = []
        items, at = command.arguments[0], _span(command)
        try:
            node = _Reader(items, self.declared, at, undeclared, self.depth + 1).whole()
        except LatexError:
            return None
        return None if undeclared else node

    _chained: ClassVar[dict[str, Callable[[_Reader, Node, int], Node]]] = {
        "/": quotient,
        r"\times": times,
    }
    _rules: ClassVar[dict[str, Callable[[_Reader, Command], Node | None]]] = {
        **dict.fromkeys(FRACTIONS, fraction),
        **dict.fromkeys(DOTS, dotted),
        **dict.fromkeys(BRACES, labelled),
        r"\sqrt": root,
    }


def _span(item: Item) -> Span:
    return Span(item.start, item.stop)


def _function(item: Item) -> str | None:
    if isinstance(item, Command) and item.text in UPRIGHT:
        return _FUNCTIONS.get("".join(part.text for part in item.arguments[0]))
    return _FUNCTIONS.get(item.text[1:]) if item.text.startswith("\\") else None


def _parts(items: Sequence[Item], separators: set[str]) -> list[list[Item]]:
    """Split a row of items; parts that are empty in print are left out."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if isinstance(item, Token) and item.text in separators:
            parts.append([])
        else:
            parts[-1].append(item)
    return [part for part in parts if part]


def _rows(items: Sequence[Item]) -> list[list[list[Item]]]:
    rows: list[list[list[Item]]] = [[[]]]
    for item in items:
        if item.text == r"\\":
            rows.append([[]])
        elif item.text == "&":
            rows[-1].append([])
        else:
            rows[-1][-1].append(item)
    return [row for row in rows if any(row)]
