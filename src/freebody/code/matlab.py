"""MATLAB and Octave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from freebody.code.grammars import GrammarReader
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Branch,
    Call,
    Class,
    Ending,
    Function,
    Index,
    Items,
    Loop,
    Name,
    Node,
    Parameter,
    Return,
    Rows,
    Slice,
    Text,
    Unary,
)

SIGNS = {"^": "**", ".^": ".**", "~=": "!=", "&&": "and", "||": "or", "&": "and", "|": "or"}


class MatlabReader(GrammarReader):
    """Reads MATLAB and Octave."""

    language = "MATLAB"
    origin = 1

    def grammar(self) -> Any:
        """Return the language as its package has it."""
        import tree_sitter_matlab

        return tree_sitter_matlab.language()

    # ------------------------------------------------------------------ statements

    def s_function_definition(self, node: Any) -> Sequence[Node]:
        """Return a function."""
        name = self.text(self.named(node, "name"))
        inside = {one.type: one for one in node.named_children}
        given = inside.get("function_arguments")
        parameters = [Parameter(self.text(one)) for one in self.parts(given)] if given else []
        out = inside.get("function_output")
        outputs = [self.text(one) for one in _identifiers(out)] if out else []
        body = self.block(inside["block"].named_children) if "block" in inside else ()
        span = self.span(node)
        return [Function(span, name, tuple(parameters), body, tuple(outputs))]

    def s_assignment(self, node: Any) -> Sequence[Node]:
        """Return an assignment."""
        target = self.expression(self.named(node, "left"))
        return [Assign(self.span(node), target, self.expression(self.named(node, "right")))]

    def s_block(self, node: Any) -> Sequence[Node]:
        """Return the statements of a block."""
        return self.block(node.named_children)

    def s_if_statement(self, node: Any) -> Sequence[Node]:
        """Return a branch, with those that follow it."""
        clauses = [one for one in self.parts(node) if one.type.endswith("clause")]
        return [self._branch(node, clauses)]

    def _branch(self, node: Any, clauses: Sequence[Any]) -> Node:
        test = self.expression(self.named(node, "condition"))
        body = next((one for one in node.named_children if one.type == "block"), None)
        rest: Sequence[Node] = ()
        if clauses and clauses[0].type == "elseif_clause":
            rest = [self._branch(clauses[0], clauses[1:])]
        elif clauses:
            rest = self.block(clauses[0].named_children)
        return Branch(self.span(node), test, tuple(self._of(body)), tuple(rest))

    def _of(self, body: Any) -> Sequence[Node]:
        return self.block(body.named_children) if body is not None else ()

    def s_switch_statement(self, node: Any) -> Sequence[Node]:
        """Return a branch for each case."""
        value = self.expression(self.named(node, "condition"))
        rest: Sequence[Node] = ()
        for clause in reversed([one for one in self.parts(node) if one.type.endswith("clause")]):
            block = next((one for one in clause.named_children if one.type == "block"), None)
            body, case = tuple(self._of(block)), self.named(clause, "condition")
            if case is None:
                rest = body
                continue
            given = self.expression(case)
            span, options = self.span(case), given.entries if isinstance(given, Items) else [given]
            tests = [Binary(span, "==", value, one, span) for one in options]
            test = reduce(lambda a, b: Binary(span, "or", a, b, span), tests)
            rest = (Branch(self.span(clause), test, body, tuple(rest)),)
        return rest

    def s_for_statement(self, node: Any) -> Sequence[Node]:
        """Return a loop."""
        iterator, *rest = self.parts(node)
        name, over = self.parts(iterator)
        body = self.block(rest)
        return [Loop(self.span(node), self.expression(name), self.expression(over), body)]

    def s_return_statement(self, node: Any) -> Sequence[Node]:
        """Return the leaving of a function."""
        return [Ending(self.span(node))]

    s_break_statement = s_continue_statement = s_return_statement

    def s_command(self, node: Any) -> Sequence[Node]:
        """Return nothing: a command sets no value."""
        del node
        return []

    s_global_operator = s_persistent_operator = s_command

    def readable(self, data: bytes) -> bytes:
        """Return a text with an end to its last line, without which that is not read."""
        return data + b"\n"

    def s_class_definition(self, node: Any) -> Sequence[Node]:
        """Return a class: its methods, and what its properties are set to."""
        name, body = self.text(self.named(node, "name")), []
        for part in self.parts(node):
            if part.type == "properties":
                body += [made for one in self.parts(part) for made in self._property(one)]
            elif part.type == "methods":
                head = next((one for one in part.named_children if one.type == "attributes"), None)
                is_static = head is not None and "static" in self.text(head).lower()
                inside = self.block(one for one in self.parts(part) if one.type.startswith("f"))
                functions = [one for one in inside if isinstance(one, Function)]
                body += [_method(one, name, is_static=is_static) for one in functions]
        return [Class(self.span(node), name, tuple(body))]

    def _property(self, node: Any) -> Sequence[Node]:
        given = [one for one in node.named_children if one.type == "default_value"]
        if not given:
            return []
        name, value = self.name(self.named(node, "name")), self.parts(given[0])[0]
        return [Assign(self.span(node), name, self.expression(value))]

    # ------------------------------------------------------------------ expressions

    def x_number(self, node: Any) -> Node:
        """Return a number."""
        return self.number(node)

    def x_identifier(self, node: Any) -> Node:
        """Return a name."""
        return self.name(node)

    def x_string(self, node: Any) -> Node:
        """Return a text."""
        return Text(self.span(node), self.text(node)[1:-1])

    def x_parenthesis(self, node: Any) -> Node:
        """Return what is in brackets."""
        return self.expression(self.parts(node)[0])

    def x_binary_operator(self, node: Any) -> Node:
        """Return an operation."""
        left, right = (self.named(node, side) for side in ("left", "right"))
        found = self._binary(node, left, right)
        is_power = found.operator.endswith("**") and left.type == "unary_operator"
        return _of_power(found) if is_power else found

    def _binary(self, node: Any, left: Any, right: Any) -> Binary:
        after = (one for one in node.children if one.start_byte >= left.end_byte)
        sign = next(one for one in after if not one.is_named and self.text(one).strip())
        means = SIGNS.get(self.text(sign), self.text(sign))
        return self.operation(node, sign, self.expression(left), self.expression(right), means)

    def x_comparison_operator(self, node: Any) -> Node:
        """Return a comparison."""
        return self._binary(node, *self.parts(node)[:2])

    x_boolean_operator = x_comparison_operator

    def x_unary_operator(self, node: Any) -> Node:
        """Return a sign and its operand."""
        sign = self.text(node.children[0])
        return Unary(self.span(node), sign, self.expression(self.named(node, "operand")))

    def x_not_operator(self, node: Any) -> Node:
        """Return a denial."""
        return Unary(self.span(node), "not", self.expression(self.parts(node)[0]))

    def x_postfix_operator(self, node: Any) -> Node:
        """Return a transpose."""
        return Unary(self.span(node), "'", self.expression(self.named(node, "operand")))

    def x_function_call(self, node: Any) -> Node:
        """Return a call, or entries."""
        function = self.expression(self.named(node, "name"))
        arguments = tuple(self._arguments(node))
        if any(one.type == "{" for one in node.children):
            return Index(self.span(node), function, arguments, 1)
        return Call(self.span(node), function, arguments, (), 1)

    def _arguments(self, node: Any) -> list[Node]:
        inside = next((one for one in node.named_children if one.type == "arguments"), None)
        return [self._argument(one) for one in self.parts(inside)] if inside is not None else []

    def _argument(self, node: Any) -> Node:
        if node.type == "spread_operator":
            return Slice(self.span(node))
        return self.expression(node)

    def x_range(self, node: Any) -> Node:
        """Return a range of numbers or of places."""
        ends = [self.expression(one) for one in self.parts(node)]
        first, last = ends[0], ends[-1]
        return Slice(self.span(node), first, last, ends[1] if len(ends) == 3 else None)

    def x_end_keyword(self, node: Any) -> Node:
        """Return the last place."""
        return Ending(self.span(node))

    def x_field_expression(self, node: Any) -> Node:
        """Return a named part."""
        held, field = self.expression(self.named(node, "object")), self.named(node, "field")
        if field.type == "function_call":
            name = self.text(self.named(field, "name"))
            part = Attribute((held.span[0], self.span(field)[1]), held, name)
            return Call(self.span(node), part, tuple(self._arguments(field)), (), 1)
        return Attribute(self.span(node), held, self.text(field))

    def x_matrix(self, node: Any) -> Node:
        """Return a matrix of blocks."""
        rows = [one for one in self.parts(node) if one.type == "row"]
        entries = (tuple(map(self.expression, self.parts(row))) for row in rows)
        return Rows(self.span(node), tuple(row for row in entries if row))

    def x_cell(self, node: Any) -> Node:
        """Return a list."""
        rows = [one for one in self.parts(node) if one.type == "row"]
        entries = (self.expression(one) for row in rows for one in self.parts(row))
        return Items(self.span(node), tuple(entries))

    def x_multioutput_variable(self, node: Any) -> Node:
        """Return several targets."""
        names = (self._target(one) for one in self.parts(node))
        return Items(self.span(node), tuple(names))

    def _target(self, node: Any) -> Node:
        if node.type == "ignored_argument":
            return Name(self.span(node), "~")
        return self.expression(node)

    def x_lambda(self, node: Any) -> Node:
        """Return a function of one expression."""
        body = self.named(node, "expression")
        given = next((one for one in node.named_children if one.type == "arguments"), None)
        names = [Parameter(self.text(one)) for one in self.parts(given)] if given else []
        inner = Return(self.span(body), self.expression(body))
        return Function(self.span(node), "", tuple(names), (inner,))

    def x_handle_operator(self, node: Any) -> Node:
        """Return a function by its name."""
        return self.expression(self.parts(node)[0])


def _method(function: Function, owner: str, *, is_static: bool) -> Function:
    """Return a function as the method of a class; its object is the first parameter."""
    if function.name == owner and function.outputs:
        given = (Parameter(function.outputs[0]), *function.parameters)
        return replace(function, name="__init__", parameters=given, outputs=())
    if is_static:
        return replace(function, parameters=(Parameter(""), *function.parameters))
    return function


def _of_power(node: Binary) -> Node:
    """Return minus a power, where the grammar has a power of minus a value."""
    sign = node.left
    if not isinstance(sign, Unary) or sign.operator not in ("-", "+"):
        return node
    span = sign.operand.span[0], node.span[1]
    power = Binary(span, node.operator, sign.operand, node.right, node.at)
    return Unary(node.span, sign.operator, power)


def _identifiers(node: Any) -> list[Any]:
    waiting, found = [node], []
    while waiting:
        one = waiting.pop()
        if one.type == "identifier":
            found.append(one)
        waiting.extend(reversed(one.named_children))
    return found
