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

from freebody.documents.latex.grammar.brackets import BARS, BRACKETS, TRANSPOSED, barred, enclosed
from freebody.documents.latex.grammar.context import Context, Cursor
from freebody.documents.latex.grammar.derivatives import (
    derivative,
    derived,
    dotted,
    slashed,
    subscripted,
    uneven,
    uneven_orders,
)
from freebody.documents.latex.grammar.functions import applied, function, misspelled, spelled
from freebody.documents.latex.grammar.names import named
from freebody.documents.latex.grammar.numbers import number
from freebody.documents.latex.grammar.opaque import followed, instead, opaque
from freebody.documents.latex.grammar.scripts import called, limit
from freebody.documents.latex.grammar.series import SIGNS, series
from freebody.documents.latex.names import Declared
from freebody.documents.latex.spellings import is_mark, is_short, plain, spellings
from freebody.documents.latex.tokens.items import (
    BRACES,
    DEPTH,
    DOTS,
    FRACTIONS,
    NESTING,
    STRUCK,
    Command,
    Group,
    Item,
    LatexError,
    Token,
    words,
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
    Opaque,
    Power,
    Span,
    Term,
    Times,
    Transpose,
)

_OMISSIONS = frozenset({r"\dots", r"\ldots", r"\cdots", r"\vdots", r"\ddots", r"\dotsb"})
_TRANSPOSED = frozenset({"T", r"\top", r"\intercal", r"\mathsf{T}"})
_INVERSE_TRANSPOSED = frozenset({f"-{mark}" for mark in _TRANSPOSED})
_DOT = frozenset({r"\cdot", "*"})
_OPERATORS = frozenset({"+", "-", r"\times", "/"}) | _DOT
_LAYOUT = frozenset({"&", r"\\", r"\quad", r"\qquad"})


class Reader(Cursor):
    """Reads one rule of the grammar with each method, from where it stands.

    Parameters
    ----------
    items : sequence of Item
        What is printed.
    context : Context
        What all readers of an equation share.
    at : Span
        Where it stands on the page.
    depth : int
        How deep it stands in other expressions.
    """

    def __init__(self, items: Sequence[Item], context: Context, at: Span, depth: int) -> None:
        if depth > NESTING:
            raise LatexError(f"expressions stand more than {NESTING} deep in each other", at.start)
        super().__init__(items, at)
        self.context, self.depth = context, depth
        self.declared = context.declared
        self._known: dict[tuple[int, bool], tuple[Node, int]] = {}

    def below(self, items: Sequence[Item], at: Span) -> Reader:
        """Return the reader of an expression inside of this one."""
        return Reader(items, self.context, at, self.depth + 1)

    def inside(self, items: Sequence[Item], at: Item) -> Node:
        """Read the items inside of one item as an expression of its own."""
        return self.below(items, _span(at)).whole()

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
        while self.begins_term():
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
        r"""Read runs of factors with signs of multiplication and division between.

        A cross takes what stands since the last ``\cdot``: ``a \cdot b \times c``.
        """
        first, chained = self.position, 0
        dotted, since, begin = list[Node](), self.run(), first
        while self.item and not self.begins_term():
            operator = self.text if self.text in _OPERATORS else ""
            self.position += bool(operator)
            if rule := self._chained.get(operator):
                chained += 1
                since = [rule(self, self.joined(since, begin), begin)]
            elif operator:
                dotted += since
                begin = self.position
                since = self.run()
            else:
                since += self.run()
            if chained > DEPTH:
                raise self.expected(f"at most {DEPTH} quotients and crosses in one product")
        factors = dotted + since
        if self.declared.keeps_opaque and any(map(_is_sum, factors[:-1])):
            return Opaque("a sum without its bounds", tuple(factors), self.span(first))
        return self.joined(factors, first)

    def joined(self, factors: list[Node], first: int) -> Node:
        """Return the product of factors, the only one as it is."""
        return factors[0] if len(factors) == 1 else Multiply(tuple(factors), self.span(first))

    def times(self, left: Node, first: int) -> Node:
        r"""Read what follows a cross: all of ``J\cdot\omega`` in ``\omega \times J\cdot\omega``."""
        second = self.position
        factors = self.run()
        stop = self.position
        if self.text == r"\cdot" and isinstance(left, Name):
            self.position += 1
            behind = self.run()
            names = [one.key for one in (*factors, *behind) if isinstance(one, Name)]
            if names[1:] == [left.key] and names[0] != left.key:
                factors += behind
            else:
                self.position = stop
        return Times(left, self.joined(factors, second), self.span(first))

    def quotient(self, left: Node, first: int) -> Node:
        r"""Read what follows a slash, and tell how far it is taken to go.

        ``a/b c`` is over both, as authors mean it; ``1/2 m`` and ``g/l \sin\theta`` are not.
        """
        second = self.position
        under = self.items[second] if second < len(self.items) else None
        denominator = self.factor()
        closed = isinstance(under, Group) and under.text in BRACKETS
        if self.is_factor() and not closed and not self.is_clear_of(left, denominator):
            denominator = self.denominator(denominator, second)
        return Divide(left, denominator, self.span(first))

    def is_clear_of(self, left: Node, denominator: Node) -> bool:
        r"""Return whether a number alone stands below the line: ``1/2 m``, ``l/2 \sin``."""
        if not isinstance(denominator, Number):
            return False
        is_moving = self.item is not None and (
            self.text in DOTS or bool(function(self.item)) or bool(spelled(self))
        )
        return isinstance(left, Number) or is_moving

    def denominator(self, node: Node, first: int) -> Node:
        """Read what is below the line: what is next too, or not."""
        after, factors = self.position, [node]
        while self.is_factor() and self.is_plain():
            factors.append(self.factor())
        is_short = len(factors) == 1 or (
            isinstance(node, Number) and _varies(self.declared, factors[1])
        )
        readings = self.lines(first, after, max(self.position, after + 1))
        ways = readings if is_short else readings[::-1]
        if ways[self.context.choose(self.items[first].start, "slash", *ways)] == readings[0]:
            self.position = after
            return node
        factors = factors if len(factors) > 1 else [*factors, self.factor()]
        return self.joined(factors, first)

    def lines(self, first: int, after: int, until: int) -> tuple[str, ...]:
        """Return a sentence for each way to read how far a slash goes, the shorter first."""
        start, middle, stop = (
            self.items[first].start,
            self.items[after - 1].stop,
            self.items[until - 1].stop,
        )
        whole, part = self.context.printed(start, stop), self.context.printed(start, middle)
        return (
            f"'/{whole}' is read with '{part}' alone below the line",
            f"'/{whole}' is read with all of it below the line",
        )

    def is_plain(self) -> bool:
        """Return whether a number or a name without dots is next."""
        item = self.item
        if item is None or item.text in DOTS or item.text in BRACES:
            return False
        if function(item) or spelled(self):
            return False
        return item.text.isdecimal() or bool(spellings(self.items, self.position))

    def run(self) -> list[Node]:
        """Read factors that stand side by side."""
        factors = [self.factor()]
        while self.is_factor():
            factors.append(self.factor())
        return factors

    def is_factor(self) -> bool:
        """Return whether something is left that is not an operator."""
        return self.item is not None and self.text not in _OPERATORS and not self.begins_term()

    def begins_term(self) -> bool:
        r"""Return whether a sign is next, or a brace of one: ``k \underbrace{-a}_{b}``."""
        item = self.item
        if isinstance(item, Command) and (item.text in BRACES or item.text in STRUCK):
            item = next(iter(item.arguments[0]), None)
        return item is not None and item.text in ("+", "-")

    def factor(self) -> Node:
        """Read a primary with its power; once at each place, however often it is asked for."""
        return self.once(self.powered, powered=True)

    def primary(self) -> Node:
        """Read what binds closest."""
        return self.once(self.closest, powered=False)

    def once(self, rule: Callable[[], Node], *, powered: bool) -> Node:
        """Apply a rule, or take what it gave before at this place."""
        key = self.position, powered
        if key not in self._known:
            self._known[key] = rule(), self.position
        node, self.position = self._known[key]
        return node

    def powered(self) -> Node:
        """Read a primary and the power behind it."""
        first = self.position
        node = followed(self, self.primary(), first)
        if self.text == "{}" and not self.declared.find(spellings(self.items, self.position)):
            self.position += 1
        if isinstance(self.item, Command) and self.text == "^" and not self.is_prescript():
            power = self.item
            self.position += 1
            node = self.power(node, power, first)
        return called(self, node, first)

    def is_prescript(self) -> bool:
        """Return whether a declared name with scripts in front of it is next."""
        if not self.declared.has_prescripts:
            return False
        return self.declared.find(spellings(self.items, self.position)) is not None

    def power(self, base: Node, command: Command, first: int) -> Node:
        """Read a superscript that is a power or marks a transpose."""
        exponent = command.arguments[0]
        text = plain(exponent) if is_short(command) else ""
        marks = TRANSPOSED if isinstance(base, Matrix) else _TRANSPOSED
        is_marked = text in marks or (text == "t" and _is_capital(base))
        if is_marked and not self.is_to_the(base, text, first):
            return Transpose(base, self.span(first))
        if text in _INVERSE_TRANSPOSED:
            span = self.span(first)
            return Transpose(Power(base, Number(Fraction(-1), _span(command)), span), span)
        if text in (r"\circ", r"\degree"):
            return Call("degrees", base, self.span(first))
        if text == r"\times":
            return Call("skew", base, self.span(first))
        if self.declared.keeps_opaque and is_mark(command) and text not in ("+", "-"):
            return Opaque("a marked expression", (base,), self.span(first))
        if self.text == "^" and not self.is_prescript():
            raise self.expected("one power (write brackets for more)")
        return Power(base, self.inside(exponent, command), self.span(first))

    def is_to_the(self, base: Node, mark: str, first: int) -> bool:
        """Return whether a T in a superscript is a declared exponent, where it may be one."""
        is_column = not isinstance(base, Name) or base.dots > 0 or base.key.startswith("\\")
        if mark not in ("T", "t") or is_column or self.declared.lookup(mark) is None:
            return False
        shown = self.context.printed(self.items[first].start, self.items[self.position - 1].stop)
        readings = f"'{shown}' is read as a transpose", f"'{shown}' is read as a power"
        return self.context.choose(self.items[first].start, "transpose", *readings) == 1

    # Primaries

    def closest(self) -> Node:
        """Read a number, a name, a group, a function or a derivative."""
        item, first = self.item, self.position
        if item is None or not self.declared.keeps_opaque:
            return self.operand(item)
        if hidden := opaque(self, item):
            return hidden
        try:
            return self.operand(item)
        except LatexError:
            hidden = instead(self, item, first)
            if hidden is None:
                raise
            return hidden

    def operand(self, item: Item | None) -> Node:
        """Read what is worked out."""
        if item is not None and item.text in ("+", "-") and self.is_chained():
            return self.signed()
        if item is None or item.text in _OPERATORS:
            raise self.expected("a number, a name or a bracket")
        if isinstance(item, Group):
            return enclosed(self, item)
        if item.text.isdecimal() or item.text == ".":
            return number(self)
        if item.text in _OMISSIONS:
            self.position += 1
            return Omission(_span(item))
        if found := slashed(self.items, self.position):
            self.position = found[1]
            return derived(self, found[0], item)
        if name := function(item):
            return applied(self, name)
        if misspelt := spelled(self):
            return misspelled(self, *misspelt)
        return self.by_rule(item) or named(self)

    def is_chained(self) -> bool:
        r"""Return whether another operator is right before: ``r \times -F``, ``a + -b``."""
        before = self.items[self.position - 1].text if self.position else ""
        return before in _OPERATORS - {self.text}

    def signed(self) -> Node:
        """Read a factor with a sign of its own."""
        first = self.position
        sign: Literal[1, -1] = -1 if self.text == "-" else 1
        self.position += 1
        node = self.factor()
        span = self.span(first)
        return Add((Term(sign, node, span),), span)

    def by_rule(self, item: Item) -> Node | None:
        """Read what a command of its own starts; None where a name is next."""
        if item.text in BARS:
            return barred(self)
        if isinstance(item, Token) and item.text in SIGNS:
            return series(self, item)
        if item.text in (r"\partial", r"\nabla"):
            return subscripted(self, item)
        if item.text == r"\lim":
            return limit(self)
        rule = self._rules.get(item.text) if isinstance(item, Command) else None
        return rule(self, item) if rule and isinstance(item, Command) else None

    def root(self, command: Command) -> Node:
        """Read a root."""
        self.position += 1
        radicand = self.inside(command.arguments[0], command)
        if not any(command.arguments[1:]):
            return Call("sqrt", radicand, _span(command))
        index = self.inside(command.arguments[1], command)
        one = Number(Fraction(1), index.span)
        return Power(radicand, Divide(one, index, index.span), _span(command))

    def fraction(self, command: Command) -> Node:
        """Read a quotient or a derivative."""
        self.position += 1
        found = derivative(*command.arguments) or uneven(self, command)
        if found is None:
            if orders := uneven_orders(*command.arguments):
                above, below = orders
                message = f"a derivative of order {above} above, and of order {below} below"
                raise LatexError(message, command.start)
            over, under = (self.inside(part, command) for part in command.arguments)
            return Divide(over, under, _span(command))
        return derived(self, found, command)

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
        inside = command.arguments[0]
        is_text = any(words(item) is not None for item in inside[:1])
        if is_text and not self.declared.declares(spellings(inside, 0)):
            return None
        apart = Context(self.declared, self.context.text, self.context.instead)
        try:
            node = Reader(inside, apart, _span(command), self.depth + 1).whole()
        except LatexError:
            return None
        return None if apart.undeclared else node

    def struck(self, command: Command) -> Node:
        """Read what is struck out: as printed, or as nothing, which is one where it is a factor."""
        self.position += 1
        shown = self.context.printed(command.start, command.stop)
        readings = f"'{shown}' is read as printed", f"'{shown}' is left out"
        if self.context.choose(command.start, "struck", *readings) == 0:
            return self.inside(command.arguments[0], command)
        is_term = self.is_term(self.position - 1)
        return Number(Fraction(0 if is_term else 1), _span(command))

    def struck_to(self, command: Command) -> Node:
        """Read what an arrow takes to a value: as the value, or as printed."""
        self.position += 1
        value, struck = command.arguments
        shown = self.context.printed(command.start, command.stop)
        readings = f"'{shown}' is read as what its arrow points to", f"'{shown}' is read as printed"
        chosen = self.context.choose(command.start, "struck", *readings)
        return self.inside(struck if chosen else value, command)

    def is_term(self, position: int) -> bool:
        """Return whether an item is a term of its own: between signs, or all there is."""
        around = (*self.items[:position][-1:], *self.items[position + 1 :][:1])
        return all(item.text in ("+", "-") for item in around)

    _chained: ClassVar[dict[str, Callable[[Reader, Node, int], Node]]] = {
        "/": quotient,
        r"\times": times,
    }
    _rules: ClassVar[dict[str, Callable[[Reader, Command], Node | None]]] = {
        **dict.fromkeys(FRACTIONS, fraction),
        **dict.fromkeys(DOTS, dotted),
        **dict.fromkeys(BRACES, labelled),
        **dict.fromkeys(STRUCK, struck),
        r"\cancelto": struck_to,
        r"\sqrt": root,
    }


def _span(item: Item) -> Span:
    return Span(item.start, item.stop)


def _is_sum(node: Node) -> bool:
    r"""Return whether a name is of a sum, with which what follows is summed: ``\sum m_i r_i^2``."""
    return isinstance(node, Name) and node.key.startswith(r"\sum ")


def _is_capital(node: Node) -> bool:
    """Return whether something has a capital letter, as matrices have."""
    return isinstance(node, Name) and node.key[:1].isupper()


def _varies(declared: Declared, node: Node) -> bool:
    """Return whether a node is a name of something that varies."""
    return isinstance(node, Name) and (node.dots > 0 or declared.varies(node.key))
