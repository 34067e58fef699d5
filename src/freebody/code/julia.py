"""Julia."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from freebody.code.grammars import GrammarReader, made, negative
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Branch,
    Call,
    Choice,
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
    Parameter,
    Return,
    Rows,
    Skipped,
    Slice,
    Text,
    Unary,
)

SIGNS = {"^": "**", ".^": ".**", "&&": "and", "||": "or", "÷": "//", "⋅": "@"}
BEFORE_NAME = re.compile(
    rb"(?<![\w.])\d+(?:\.\d*)?(?:[eE]-?\d+)?(?=[ \t]+[A-Za-z_(\x80-\xff]|[ \t]*[-+*/\\^]+[ \t]*\()"
)
GREEK = dict(
    zip(
        "θωφϕαβγψτℓμπδλ",
        ("theta", "omega", "phi", "phi", "alpha", "beta", "gamma", "psi", "tau", "l", "mu", "pi",
         "delta", "lambda"),
        strict=True,
    )
)  # fmt: skip
SMALL = dict(zip("₀₁₂₃₄", "01234", strict=True))
LETTERS = str.maketrans({**GREEK, **SMALL, "\u0307": "_dot", "\u0308": "_ddot"})


class JuliaReader(GrammarReader):
    """Reads Julia."""

    language = "Julia"
    origin = 1

    def grammar(self) -> Any:
        """Return the language as its package has it."""
        import tree_sitter_julia

        return tree_sitter_julia.language()

    def readable(self, data: bytes) -> bytes:
        """Return a text with names for numbers before a blank and a name, or before ``*(``.

        The grammar takes these for a product, as those without a blank are: in ``[a^2 b]``; and
        ``2*(a)`` for 2 times a call of a function that is called ``*``.
        """
        return BEFORE_NAME.sub(lambda found: b"_" * len(found[0]), data)

    # ------------------------------------------------------------------ statements

    def s_const_statement(self, node: Any) -> Sequence[Node]:
        """Return what is set."""
        return self.block(self.parts(node))

    s_module_definition = s_compound_statement = s_local_statement = s_const_statement
    s_let_statement = s_global_statement = s_macro_argument_list = s_const_statement

    def s_function_definition(self, node: Any) -> Sequence[Node]:
        """Return a function, whose last expression is what it gives."""
        signature, *body = self.parts(node)
        call = _first(signature, "call_expression")
        return [self._function(node, call, self.block(body))] if call is not None else []

    def _function(self, node: Any, call: Any, body: Sequence[Node]) -> Function:
        name, given = self.parts(call)[:2]
        parameters = [one for part in self.parts(given) for one in self._parameters(part)]
        called = self.text(name)
        return Function(self.span(node), called, tuple(parameters), tuple(_given(body)))

    def _parameters(self, node: Any) -> Sequence[Parameter]:
        if node.type in ("assignment", "named_argument"):
            first, *_, last = self.parts(node)
            return [Parameter(one.name, self.expression(last)) for one in self._parameters(first)]
        found = _first(node, "identifier")
        return [Parameter(self._called(found))] if found is not None else []

    def s_assignment(self, node: Any) -> Sequence[Node]:
        """Return an assignment, or a function in one line."""
        left, *_, right = self.parts(node)
        if left.type == "call_expression":
            value = self.expression(right)
            return [self._function(node, left, [Return(value.span, value)])]
        if left.type == "tuple_expression" and any(one.type == ";" for one in left.children):
            return self._named_parts(node, left, right)
        return [Assign(self.span(node), self.expression(left), self._value(right))]

    def _named_parts(self, node: Any, left: Any, right: Any) -> Sequence[Node]:
        """Return the parts that are taken out of a value by their names: ``(; m, l) = p``."""
        held, names = self.expression(right), [self.expression(one) for one in self.parts(left)]
        return [
            Assign(self.span(node), name, Attribute(name.span, held, name.name))
            for name in names
            if isinstance(name, Name)
        ]

    def _value(self, node: Any) -> Node:
        if node.type == "assignment":
            return self.expression(self.parts(node)[-1])
        return self.expression(node)

    def s_compound_assignment_expression(self, node: Any) -> Sequence[Node]:
        """Return an assignment with an operation."""
        left, sign, right = node.children[0], node.children[1], node.children[-1]
        target, value = self.expression(left), self.expression(right)
        means = self.text(sign).removesuffix("=")
        if means not in ("", "."):
            value = self.operation(node, sign, target, value, SIGNS.get(means, means))
        elif isinstance(target, Name):
            target = Index(target.span, target, (Slice(target.span),), 1)
        return [Assign(self.span(node), target, value)]

    def s_if_statement(self, node: Any) -> Sequence[Node]:
        """Return a branch, with those that follow it."""
        test = self.named(node, "condition")
        inside = [one for one in self.parts(node) if one != test]
        clauses = [one for one in inside if one.type.endswith("_clause")]
        body = [one for one in inside if one not in clauses]
        return [self._branch(node, test, body, clauses)]

    def _branch(self, node: Any, test: Any, body: Sequence[Any], clauses: Sequence[Any]) -> Node:
        rest: Sequence[Node] = ()
        if clauses and clauses[0].type == "elseif_clause":
            first, *inner = self.parts(clauses[0])
            rest = [self._branch(clauses[0], first, inner, clauses[1:])]
        elif clauses:
            rest = self.block(self.parts(clauses[0]))
        return Branch(self.span(node), self.expression(test), self.block(body), tuple(rest))

    def s_for_statement(self, node: Any) -> Sequence[Node]:
        """Return loops inside each other."""
        parts = self.parts(node)
        bindings = [one for one in parts if one.type == "for_binding"]
        body = self.block(one for one in parts if one.type != "for_binding")
        for one in reversed(bindings):
            target, *_, over = self.parts(one)
            body = (
                Loop(self.span(node), self.expression(target), self.expression(over), tuple(body)),
            )
        return body

    def s_macrocall_expression(self, node: Any) -> Sequence[Node]:
        """Return what a macro is of: most change how fast it is alone."""
        given = _first(node, "macro_argument_list")
        unpacked = self.text(node.children[0]) in UNPACKING and given is not None
        if unpacked and (assigned := _first(given, "assignment")) is not None:
            left, *_, right = self.parts(assigned)
            return self._named_parts(assigned, left, right)
        return self.block(one for one in self.parts(node) if one.type == "macro_argument_list")

    def s_struct_definition(self, node: Any) -> Sequence[Node]:
        """Return nothing: a type sets no value."""
        del node
        return []

    s_abstract_definition = s_using_statement = s_import_statement = s_struct_definition
    s_export_statement = s_string_literal = s_struct_definition

    # ------------------------------------------------------------------ expressions

    def x_integer_literal(self, node: Any) -> Node:
        """Return a number."""
        return self.number(node)

    x_float_literal = x_integer_literal

    def x_identifier(self, node: Any) -> Node:
        """Return a name, in Latin letters."""
        name = self._called(node)
        if name[:1].isdigit():
            return self.number(node)
        return Ending(self.span(node)) if name == "end" else Name(self.span(node), name)

    def _called(self, node: Any) -> str:
        return self.text(node).translate(LETTERS)

    def x_quote_expression(self, node: Any) -> Node:
        """Return the name of a name."""
        return Text(self.span(node), self.text(node).lstrip(":"))

    def x_parenthesized_expression(self, node: Any) -> Node:
        """Return what is in brackets."""
        return self.expression(self.parts(node)[0])

    def x_binary_expression(self, node: Any) -> Node:
        """Return an operation."""
        left, sign, right = node.children[0], node.children[1], node.children[-1]
        means = self.text(sign)
        if means in ("^", ".^") and left.type == "juxtaposition_expression":
            return self._power_of_last(node, left, sign, right)
        if means in ("^", ".^") and (inner := _operand(left)) is not None:
            base, by = self.expression(inner), self.expression(right)
            power = self.operation(node, sign, base, by, SIGNS[means])
            return self._signed(node, self.text(self.parts(left)[0]), power)
        one, other = self.expression(left), self.expression(right)
        return self.operation(node, sign, one, other, SIGNS.get(means, means))

    def _power_of_last(self, node: Any, left: Any, sign: Any, right: Any) -> Node:
        """Return ``2x^3``, in which the power is of x alone."""
        first, last = self.parts(left)
        base, by = self.expression(last), self.expression(right)
        span = base.span[0], by.span[1]
        power = Binary(span, SIGNS[self.text(sign)], base, by, self.span(sign))
        return self.times(node, self.expression(first), power)

    def _signed(self, node: Any, sign: str, inner: Node) -> Node:
        if sign == "-":
            return negative(self.span(node), inner)
        return Unary(self.span(node), "not" if sign == "!" else sign, inner)

    def x_juxtaposition_expression(self, node: Any) -> Node:
        """Return a product that is written without a sign."""
        left, right = self.parts(node)
        if right.type == "call_expression" and self.parts(right)[0].type == "operator":
            return Skipped(self.span(node), "a number before a sign and a bracket is not read")
        if left.end_byte < right.start_byte:
            told = "two values with a blank between them are not told apart from a product"
            return Skipped(self.span(node), told)
        return self.times(node, self.expression(left), self.expression(right))

    def x_unary_expression(self, node: Any) -> Node:
        """Return a sign and its operand."""
        sign, inner = self.text(node.children[0]), self.expression(node.children[-1])
        if sign == "√":
            return made("sqrt", self.span(node), [inner])
        return self._signed(node, sign, inner)

    def x_adjoint_expression(self, node: Any) -> Node:
        """Return a transpose."""
        return Unary(self.span(node), "'", self.expression(self.parts(node)[0]))

    def x_call_expression(self, node: Any) -> Node:
        """Return a call; or a sign before brackets, which the grammar takes for one."""
        function, given = self.parts(node)[:2]
        if (inner := _operand(node)) is not None:
            return self._signed(node, self.text(function), self.expression(inner))
        arguments = [one for one in self.parts(given) if one.type not in NAMED]
        keywords = [self.parts(one) for one in self.parts(given) if one.type in NAMED]
        return Call(
            self.span(node),
            self.expression(function),
            tuple(map(self.expression, arguments)),
            tuple((self._called(one[0]), self.expression(one[-1])) for one in keywords),
        )

    x_broadcast_call_expression = x_call_expression

    def x_splat_expression(self, node: Any) -> Node:
        """Return what is spread out."""
        return Unary(self.span(node), "*", self.expression(self.parts(node)[0]))

    def x_index_expression(self, node: Any) -> Node:
        """Return entries."""
        base, given = self.parts(node)[:2]
        rows = [one for one in self.parts(given) if one.type == "matrix_row"]
        inside = [part for row in rows for part in self.parts(row)] or self.parts(given)
        indices = tuple(map(self._place_of, inside))
        return Index(self.span(node), self.expression(base), indices, 1)

    def _place_of(self, node: Any) -> Node:
        if self.text(node) == ":":
            return Slice(self.span(node))
        return self.expression(node)

    def x_range_expression(self, node: Any) -> Node:
        """Return a range of numbers or of places."""
        first, last = self.parts(node)
        if first.type != "range_expression":
            return Slice(self.span(node), self.expression(first), self.expression(last))
        start, step = self.parts(first)
        return Slice(self.span(node), *map(self.expression, (start, last, step)))

    def x_field_expression(self, node: Any) -> Node:
        """Return a named part."""
        held, *_, field = self.parts(node)
        return Attribute(self.span(node), self.expression(held), self._called(field))

    def x_tuple_expression(self, node: Any) -> Node:
        """Return a tuple, or values by name."""
        fields = [self.parts(one) for one in self.parts(node) if one.type == "named_field"]
        if fields:
            named = ((self._called(name), self.expression(value)) for name, value in fields)
            return Mapped(self.span(node), tuple(named))
        return Items(self.span(node), tuple(map(self.expression, self.parts(node))))

    x_open_tuple = x_tuple_expression

    def x_parametrized_type_expression(self, node: Any) -> Node:
        """Return a type without its parameters."""
        return self.expression(self.parts(node)[0])

    def x_vector_expression(self, node: Any) -> Node:
        """Return a vector, or a matrix of one row: ``[a -b]``."""
        parts = self.parts(node)
        if len(parts) == 1 and all(child.type != "," for child in node.children):
            row = self._entries(parts[0])
            if len(row) > 1:
                return Rows(self.span(node), (tuple(row),), False)
        inner = Items(self.span(node), tuple(map(self.expression, parts)))
        return made("array", self.span(node), [inner])

    def x_matrix_expression(self, node: Any) -> Node:
        """Return a matrix of blocks."""
        rows = [one for one in self.parts(node) if one.type == "matrix_row"]
        entries = tuple(
            tuple(entry for part in self.parts(row) for entry in self._entries(part))
            for row in rows
        )
        return Rows(self.span(node), entries, all(len(row) == 1 for row in entries))

    def _entries(self, node: Any) -> list[Node]:
        """Return the entries of a row that stand in one expression: ``[a -b]`` has two."""
        if node.type != "binary_expression":
            return [self.expression(node)]
        left, sign, right = node.children[0], node.children[1], node.children[-1]
        means = self.text(sign)
        inside = self._entries(left)
        if means in ("+", "-") and left.end_byte < sign.start_byte == right.start_byte - 1:
            entry = self.expression(right)
            return [*inside, Unary(self.span(right), "-", entry) if means == "-" else entry]
        if len(inside) == 1:
            return [self.expression(node)]
        last = self.operation(node, sign, inside[-1], self.expression(right), means)
        return [*inside[:-1], last]

    def x_comprehension_expression(self, node: Any) -> Node:
        """Return a vector that is made entry by entry."""
        entry, clause = self.parts(node)[:2]
        binding = _first(clause, "for_binding")
        if binding is None or len(self.parts(node)) > 2:
            return Skipped(self.span(node), "a comprehension of this kind is not followed")
        target, *_, over = self.parts(binding)
        inner = [self.expression(one) for one in (entry, target, over)]
        return made("array", self.span(node), [Each(self.span(node), *inner)])

    def x_ternary_expression(self, node: Any) -> Node:
        """Return one of two values."""
        test, yes, no = (self.expression(one) for one in self.parts(node))
        return Choice(self.span(node), test, yes, no)

    def x_compound_statement(self, node: Any) -> Node:
        """Return what the last of several statements comes to."""
        inside = Function(self.span(node), "", (), tuple(_given(self.block(self.parts(node)))))
        return Call(self.span(node), inside, ())

    def x_let_statement(self, node: Any) -> Node:
        """Return what the last of several statements comes to, which have names of their own."""
        bound = [self.parts(one) for one in self.parts(node) if one.type == "let_binding"]
        first = [
            Assign(self.span(one[0]), self.expression(one[0]), self.expression(one[-1]))
            for one in bound
        ]
        body = self.block(one for one in self.parts(node) if one.type != "let_binding")
        inside = Function(self.span(node), "", (), tuple(_given([*first, *body])))
        return Call(self.span(node), inside, ())

    def x_arrow_function_expression(self, node: Any) -> Node:
        """Return a function of one expression."""
        given, body = self.parts(node)[0], self.parts(node)[-1]
        inside = [given] if given.type == "identifier" else self.parts(given)
        names = tuple(one for part in inside for one in self._parameters(part))
        inner = Return(self.span(body), self.expression(body))
        return Function(self.span(node), "", names, (inner,))

    def x_macrocall_expression(self, node: Any) -> Node:
        """Return what a macro is of."""
        given = _first(node, "macro_argument_list")
        if given is None:
            return Skipped(self.span(node), "a macro is not followed")
        return self.expression(self.parts(given)[-1])


def _operand(node: Any) -> Any:
    """Return what stands in brackets behind a sign, which the grammar takes for a call."""
    if node.type != "call_expression" or node.named_children[0].type != "operator":
        return None
    inside = [one for one in node.named_children[1].named_children if "comment" not in one.type]
    return inside[0] if len(inside) == 1 else None


UNPACKING = ("@unpack", "@UnPack.unpack", "UnPack.@unpack", "Parameters.@unpack")
NAMED = ("named_argument", "assignment")


def _given(body: Sequence[Node]) -> Sequence[Node]:
    """Return statements whose last one, where it is a value, is what a function gives."""
    if not body or isinstance(body[-1], (Return, Branch, Loop, Assign, Function, Import, Skipped)):
        return body
    return [*body[:-1], Return(body[-1].span, body[-1])]


def _first(node: Any, kind: str) -> Any:
    """Return the first part of a kind, from left to right and from outside."""
    if node.type == kind:
        return node
    return next((one for part in node.named_children if (one := _first(part, kind))), None)
