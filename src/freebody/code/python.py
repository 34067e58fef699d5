"""Python, read by the standard library's grammar."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from freebody.code.numbers import exact
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Branch,
    Call,
    Choice,
    Class,
    Each,
    Ending,
    Function,
    Import,
    Index,
    Items,
    Loop,
    Mapped,
    Name,
    Node,
    Number,
    Parameter,
    Return,
    Skipped,
    Slice,
    Span,
    Text,
    Unary,
)
from freebody.errors import ListingError

OPERATORS: dict[type, str] = {
    ast.BitXor: "^", ast.BitOr: "|", ast.BitAnd: "&", ast.LShift: "<<", ast.RShift: ">>",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
    ast.Mod: "%", ast.FloorDiv: "//", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==", ast.IsNot: "!=", ast.And: "and", ast.Or: "or",
    ast.In: "in", ast.NotIn: "not in", ast.USub: "-", ast.UAdd: "+", ast.Not: "not",
    ast.Invert: "not",
}  # fmt: skip
MAGIC = re.compile(r"^(\s*)[%!](.*)$", re.MULTILINE)
LONGEST = 20_000
"""Characters of a line."""


class PythonReader:
    """Reads a text of Python.

    Parameters
    ----------
    text : str
    start : int, optional
        Where the text begins in its file.
    """

    def __init__(self, text: str, start: int = 0) -> None:
        self._start = start
        self._text = MAGIC.sub(lambda found: f"{found[1]}#{found[2]}", text)
        self.remarks: list[str] = []
        self._added = [0] * (self._text.count("\n") + 2)
        self._is_indented = False

    def read(self) -> tuple[Node, ...]:
        """Return its statements.

        Raises
        ------
        ListingError
            If it is no Python.
        """
        if any(len(line) > LONGEST for line in self._text.split("\n")):
            raise ListingError(f"a line of more than {LONGEST} characters", self._start)
        tree = self._parsed()
        self._lines = self._text.split("\n")
        self._plain = [line.isascii() for line in self._lines]
        self._offsets = [self._start]
        for number, line in enumerate(self._lines):
            self._offsets.append(self._offsets[-1] + len(line) + 1 - self._added[number])
        try:
            return self._body(tree.body)
        except RecursionError:
            raise ListingError("it is nested too deeply", self._start) from None

    def _parsed(self) -> ast.Module:
        for _ in range(10):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return ast.parse(self._text)
            except IndentationError as error:
                if not self._indented(error):
                    raise _unread(error, self._start) from None
            except SyntaxError as error:
                raise _unread(error, self._start) from None
            except (ValueError, RecursionError, MemoryError) as error:
                message = f"no Python that can be read: {error or 'too deep'}"
                raise ListingError(message, self._start) from None
        raise ListingError("no Python: its indentation is lost", self._start)

    def _indented(self, error: IndentationError) -> bool:
        """Indent what follows a head, where the page has lost the blanks."""
        lines = self._text.split("\n")
        here = (error.lineno or 0) - 1
        if "expected an indented block" not in error.msg or not 0 < here < len(lines):
            return False
        stop = next((i for i in range(here, len(lines)) if not lines[i].strip()), len(lines))
        for i in range(here, stop):
            lines[i] = f"    {lines[i]}"
            self._added[i] += 4
        self._text, self._is_indented = "\n".join(lines), True
        message = f"line {here}: the indentation is lost; what follows is read as inside of it"
        self.remarks.append(message)
        return True

    # ------------------------------------------------------------------ places

    def _place(self, line: int, column: int) -> int:
        characters = column
        if not self._plain[line - 1]:
            text = self._lines[line - 1].encode()[:column]
            characters = len(text.decode(errors="ignore"))
        return self._offsets[line - 1] + characters - self._added[line - 1]

    def _span(self, node: Any) -> Span:
        end = self._place(node.end_lineno, node.end_col_offset)
        return self._place(node.lineno, node.col_offset), end

    # ------------------------------------------------------------------ statements

    def _body(self, statements: Iterable[ast.stmt]) -> tuple[Node, ...]:
        return tuple(node for one in statements for node in self._statement(one))

    def _statement(self, node: ast.stmt) -> Sequence[Node]:
        read: Callable[[Any], Sequence[Node]] | None = getattr(self, f"_{_kind(node)}", None)
        if read is not None:
            return read(node)
        names = tuple(getattr(one, "id", "") for one in ast.walk(node) if _is_stored(one))
        return [Skipped(self._span(node), f"'{_kind(node)}' is not followed", names)]

    def _assign(self, node: ast.Assign) -> Sequence[Node]:
        value = self._expression(node.value)
        return [
            Assign(self._span(node), self._expression(target), value) for target in node.targets
        ]

    def _annassign(self, node: ast.AnnAssign) -> Sequence[Node]:
        if node.value is None:
            return []
        target, value = self._expression(node.target), self._expression(node.value)
        return [Assign(self._span(node), target, value)]

    def _augassign(self, node: ast.AugAssign) -> Sequence[Node]:
        target, value = self._expression(node.target), self._expression(node.value)
        sign = OPERATORS.get(type(node.op), "?")
        at = (target.span[1], value.span[0])
        value = Binary(self._span(node), sign, target, value, at)
        return [Assign(self._span(node), target, value, in_place=True)]

    def _return(self, node: ast.Return) -> Sequence[Node]:
        return [Return(self._span(node), self._expression(node.value) if node.value else None)]

    def _expr(self, node: ast.Expr) -> Sequence[Node]:
        if isinstance(node.value, ast.Constant):
            return []
        return [self._expression(node.value)]

    def _if(self, node: ast.If) -> Sequence[Node]:
        test = self._expression(node.test)
        return [Branch(self._span(node), test, self._body(node.body), self._body(node.orelse))]

    def _for(self, node: ast.For) -> Sequence[Node]:
        target, over = self._expression(node.target), self._expression(node.iter)
        return [Loop(self._span(node), target, over, self._body(node.body))]

    def _while(self, node: ast.While) -> Sequence[Node]:
        test = self._expression(node.test)
        return [Loop(self._span(node), None, None, self._body(node.body), test)]

    def _with(self, node: ast.With) -> Sequence[Node]:
        return self._body(node.body)

    def _try(self, node: ast.Try) -> Sequence[Node]:
        return self._body(node.body)

    def _functiondef(self, node: ast.FunctionDef) -> Sequence[Node]:
        words = ast.get_docstring(node) or ""
        marks = {_last(one) for one in node.decorator_list}
        parameters = self._parameters(node.args, "staticmethod" in marks)
        is_property = bool(marks & {"property", "cached_property"})
        body = self._body(node.body)
        return [Function(self._span(node), node.name, parameters, body, (), words, is_property)]

    _asyncfunctiondef = _functiondef

    def _classdef(self, node: ast.ClassDef) -> Sequence[Node]:
        words = ast.get_docstring(node) or ""
        return [Class(self._span(node), node.name, self._body(node.body), words)]

    def _parameters(self, found: ast.arguments, is_static: bool = False) -> tuple[Parameter, ...]:
        names = [*found.posonlyargs, *found.args]
        first: list[ast.expr | None] = [None] * (len(names) - len(found.defaults))
        pairs = [*zip(names, [*first, *found.defaults], strict=True)]
        pairs += [*zip(found.kwonlyargs, found.kw_defaults, strict=True)]
        rest = [Parameter(f"*{found.vararg.arg}")] if found.vararg else []
        static = [Parameter("")] if is_static else []
        return (
            *static,
            *(Parameter(one.arg, self._expression(by) if by else None) for one, by in pairs),
            *rest,
        )

    def _pass(self, _: ast.Pass) -> Sequence[Node]:
        return []

    _global = _nonlocal = _assert = _delete = _pass

    def _import(self, node: ast.Import | ast.ImportFrom) -> Sequence[Node]:
        names = ((one.asname or one.name.split(".")[0], one.name) for one in node.names)
        return [Import(self._span(node), tuple(names))]

    _importfrom = _import

    def _raise(self, node: ast.Raise) -> Sequence[Node]:
        return [Ending(self._span(node))]

    _break = _continue = _raise

    # ------------------------------------------------------------------ expressions

    def _expression(self, node: ast.expr) -> Node:
        read: Callable[[Any], Node] | None = getattr(self, f"_x_{_kind(node)}", None)
        if read is None:
            return Skipped(self._span(node), f"'{_kind(node)}' is not followed")
        return read(node)

    def _x_constant(self, node: ast.Constant) -> Node:
        span, value = self._span(node), node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            return Text(span, value)
        if isinstance(value, int):
            return Number(span, Fraction(value) if value.bit_length() < 4096 else Fraction(0))
        return exact(span, ast.get_source_segment(self._text, node) or repr(value))

    def _x_name(self, node: ast.Name) -> Node:
        return Name(self._span(node), node.id)

    def _x_unaryop(self, node: ast.UnaryOp) -> Node:
        sign = OPERATORS[type(node.op)]
        return Unary(self._span(node), sign, self._expression(node.operand))

    def _x_binop(self, node: ast.BinOp) -> Node:
        left, right = self._expression(node.left), self._expression(node.right)
        sign = OPERATORS.get(type(node.op), "?")
        return Binary(self._span(node), sign, left, right, self._sign(node.left, node.right, sign))

    def _sign(self, left: ast.expr, right: ast.expr, sign: str) -> Span:
        """Return where a sign stands between two operands."""
        first = self._place(left.end_lineno or 1, left.end_col_offset or 0)
        last = self._place(right.lineno, right.col_offset)
        begin, end = first - self._start, last - self._start
        if self._is_indented:
            return first, last
        at = self._text.find(sign, begin, end)
        return (at + self._start, at + self._start + len(sign)) if at >= 0 else (first, last)

    def _x_boolop(self, node: ast.BoolOp) -> Node:
        found, sign = self._expression(node.values[0]), OPERATORS[type(node.op)]
        for one in node.values[1:]:
            found = Binary(self._span(node), sign, found, self._expression(one), self._span(one))
        return found

    def _x_compare(self, node: ast.Compare) -> Node:
        if len(node.ops) > 1:
            return Skipped(self._span(node), "several comparisons at once are not followed")
        left, right = self._expression(node.left), self._expression(node.comparators[0])
        sign = OPERATORS[type(node.ops[0])]
        return Binary(self._span(node), sign, left, right, (left.span[1], right.span[0]))

    def _x_call(self, node: ast.Call) -> Node:
        function = self._expression(node.func)
        arguments = tuple(map(self._expression, node.args))
        keywords = ((one.arg or "**", self._expression(one.value)) for one in node.keywords)
        return Call(self._span(node), function, arguments, tuple(keywords))

    def _x_subscript(self, node: ast.Subscript) -> Node:
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        base = self._expression(node.value)
        return Index(self._span(node), base, tuple(map(self._expression, indices)))

    def _x_slice(self, node: ast.Slice) -> Node:
        parts = (self._expression(one) if one else None for one in _ends(node))
        return Slice(self._span(node), *parts)

    def _x_attribute(self, node: ast.Attribute) -> Node:
        return Attribute(self._span(node), self._expression(node.value), node.attr)

    def _x_tuple(self, node: ast.Tuple | ast.List) -> Node:
        return Items(self._span(node), tuple(map(self._expression, node.elts)))

    _x_list = _x_tuple

    def _x_starred(self, node: ast.Starred) -> Node:
        return Unary(self._span(node), "*", self._expression(node.value))

    def _x_dict(self, node: ast.Dict) -> Node:
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        if not all(isinstance(key, str) for key in keys):
            return Skipped(self._span(node), "a dictionary whose keys are no texts")
        values = map(self._expression, node.values)
        return Mapped(self._span(node), tuple(zip(map(str, keys), values, strict=True)))

    def _x_ifexp(self, node: ast.IfExp) -> Node:
        parts = (self._expression(one) for one in (node.test, node.body, node.orelse))
        return Choice(self._span(node), *parts)

    def _x_listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> Node:
        found, span = self._expression(node.elt), self._span(node)
        for one in reversed(node.generators):
            if one.ifs:
                return Skipped(span, "a comprehension with a condition is not followed")
            target, over = self._expression(one.target), self._expression(one.iter)
            found = Each(span, found, target, over)
        return found

    _x_generatorexp = _x_listcomp

    def _x_lambda(self, node: ast.Lambda) -> Node:
        body = Return(self._span(node.body), self._expression(node.body))
        return Function(self._span(node), "", self._parameters(node.args), (body,))


def _kind(node: ast.AST) -> str:
    return type(node).__name__.lower()


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _last(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _ends(node: ast.Slice) -> tuple[ast.expr | None, ...]:
    return node.lower, node.upper, node.step


def _unread(error: SyntaxError, start: int) -> ListingError:
    return ListingError(f"line {error.lineno}: no Python: {error.msg}", start)
