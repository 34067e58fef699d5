"""C."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from freebody.code.grammars import GrammarReader, made
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Branch,
    Call,
    Choice,
    Ending,
    Function,
    Index,
    Items,
    Loop,
    Name,
    Node,
    Number,
    Parameter,
    Skipped,
    Unary,
)
from freebody.errors import ListingError

SIGNS = {"&&": "and", "||": "or"}
LEAVING = ("break_statement", "return_statement", "throw_statement", "continue_statement")


class CReader(GrammarReader):
    """Reads C."""

    language = "C"

    def grammar(self) -> Any:
        """Return the language as its package has it."""
        import tree_sitter_c

        return tree_sitter_c.language()

    # ------------------------------------------------------------------ statements

    def s_preproc_def(self, node: Any) -> Sequence[Node]:
        """Return a constant of the preprocessor."""
        value = self.named(node, "value")
        if value is None:
            return []
        start = self.span(value)[0]
        try:
            body = type(self)(f"x = {self.text(value)};", start - 4).read()
        except ListingError:
            return []
        inner = body[0].value if body and isinstance(body[0], Assign) else None
        name = Name(self.span(self.named(node, "name")), self.text(self.named(node, "name")))
        return [Assign(self.span(node), name, inner)] if inner is not None else []

    def s_preproc_include(self, node: Any) -> Sequence[Node]:
        """Return nothing: it sets no value."""
        del node
        return []

    s_struct_specifier = s_type_definition = s_preproc_function_def = s_preproc_include
    s_using_declaration = s_enum_specifier = s_preproc_call = s_alias_declaration = (
        s_preproc_include
    )

    def s_preproc_ifdef(self, node: Any) -> Sequence[Node]:
        """Return what is inside, if it is read."""
        return self.block(one for one in self.parts(node) if one.type != "identifier")

    s_preproc_if = s_linkage_specification = s_declaration_list = s_preproc_ifdef
    s_namespace_definition = s_preproc_ifdef

    def s_declaration(self, node: Any) -> Sequence[Node]:
        """Return what variables are set to."""
        found = [one for one in node.named_children if one.type.endswith("declarator")]
        return [made for one in found for made in self._declared(one)]

    s_field_declaration = s_declaration

    def _declared(self, node: Any) -> Sequence[Node]:
        bound = self.named(node, "declarator")
        if bound is not None and bound.type == "structured_binding_declarator":
            names = Items(self.span(bound), tuple(map(self.name, self.parts(bound))))
            return [Assign(self.span(node), names, self.expression(self.named(node, "value")))]
        value = self.named(node, "value") if node.type == "init_declarator" else None
        inner = self.named(node, "declarator") if node.type == "init_declarator" else node
        sizes = []
        while inner is not None and inner.type != "identifier":
            if inner.type == "array_declarator" and self.named(inner, "size") is not None:
                sizes.append(self.expression(self.named(inner, "size")))
            inner = self.named(inner, "declarator")
        if inner is None:
            return []
        target, span = Name(self.span(inner), self.text(inner)), self.span(node)
        if value is not None and value.type == "argument_list":
            return self._constructed(node, target, value)
        if value is not None:
            worth = self.expression(value)
            worth = made("array", worth.span, [worth]) if isinstance(worth, Items) else worth
            return [Assign(span, target, worth)]
        return [Assign(span, target, made("zeros", span, sizes[::-1]))] if sizes else []

    def _constructed(self, node: Any, target: Name, given: Any) -> Sequence[Node]:
        """Return what a variable is set to by brackets behind it: ``double a(0.5)``."""
        parts = self.parts(given)
        return [Assign(self.span(node), target, self.expression(parts[0]))] if parts else []

    def s_function_definition(self, node: Any) -> Sequence[Node]:
        """Return a function."""
        declarator = self.named(node, "declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = self.named(declarator, "declarator")
        body = self.named(node, "body")
        if declarator is None or body is None:
            return []
        name = self.text(self.named(declarator, "declarator")).rsplit("::", 1)[-1]
        given = self.parts(self.named(declarator, "parameters"))
        parameters = [one for part in given for one in self._parameter(part)]
        inside = self.block(body.named_children)
        return [Function(self.span(node), name, tuple(parameters), inside)]

    def _parameter(self, node: Any) -> Sequence[Parameter]:
        inner = self.named(node, "declarator")
        while inner is not None and inner.type != "identifier":
            parts = [
                one
                for one in inner.named_children
                if "declarator" in one.type or one.type == "identifier"
            ]
            inner = self.named(inner, "declarator") or next(iter(parts), None)
        default = self.named(node, "default_value")
        value = self.expression(default) if default is not None else None
        return [Parameter(self.text(inner) if inner is not None else "", value)]

    def s_expression_statement(self, node: Any) -> Sequence[Node]:
        """Return what is done."""
        return self.block(self.parts(node))

    s_compound_statement = s_expression_statement

    def s_assignment_expression(self, node: Any) -> Sequence[Node]:
        """Return an assignment."""
        target, right = self.expression(self.named(node, "left")), self.named(node, "right")
        sign = self.named(node, "operator")
        before = self.statement(right) if right.type == "assignment_expression" else []
        inner = self.named(right, "left") if before else right
        value = self.expression(inner)
        means = self.text(sign).removesuffix("=")
        if means:
            value = self.operation(node, sign, target, value, means)
        return [*before, Assign(self.span(node), target, value)]

    def s_update_expression(self, node: Any) -> Sequence[Node]:
        """Return a count."""
        target = self.expression(self.named(node, "argument"))
        one = Number((0, 0), Fraction(1))
        sign = "+" if "++" in self.text(node) else "-"
        return [Assign(self.span(node), target, Binary(self.span(node), sign, target, one, (0, 0)))]

    def s_comma_expression(self, node: Any) -> Sequence[Node]:
        """Return several statements."""
        return self.block(self.parts(node))

    def s_if_statement(self, node: Any) -> Sequence[Node]:
        """Return a branch."""
        test = self.expression(self.named(node, "condition"))
        yes = self.block([self.named(node, "consequence")])
        other = self.named(node, "alternative")
        no = self.block(self.parts(other)) if other is not None else ()
        return [Branch(self.span(node), test, yes, no)]

    def s_switch_statement(self, node: Any) -> Sequence[Node]:
        """Return a branch for each case; cases must end with a break, or be labels of one body."""
        value = self.expression(self.parts(self.named(node, "condition"))[0])
        cases = [one for one in self.parts(self.named(node, "body")) if "case" in one.type]
        rest: Sequence[Node] = ()
        body: Sequence[Node] = ()
        for number, case in enumerate(reversed(cases)):
            label = self.named(case, "value")
            inside = [one for one in self.parts(case) if one != label]
            if number and (label is None or (inside and inside[-1].type not in LEAVING)):
                return [Skipped(self.span(node), "a case that goes on into the next")]
            if inside:
                ends = inside[-1].type == "break_statement"
                body = self.block(inside[:-1] if ends else inside)
            if label is None:
                rest = body
                continue
            test = Binary(self.span(label), "==", value, self.expression(label), self.span(label))
            rest = (Branch(self.span(case), test, tuple(body), tuple(rest)),)
        return rest

    def s_for_statement(self, node: Any) -> Sequence[Node]:
        """Return a loop; one that counts up by one goes over a range."""
        body = self.block([self.named(node, "body")])
        first, test = self.named(node, "initializer"), self.named(node, "condition")
        begun = self.statement(first) if first is not None else []
        end = self.expression(test) if test is not None else None
        counts = self.named(node, "update")
        step = self.statement(counts) if counts is not None else []
        is_up = "++" in self.text(counts or node)
        is_range = isinstance(end, Binary) and end.operator in ("<", "<=", "!=") and is_up
        if (
            len(begun) == 1
            and isinstance(begun[0], Assign)
            and isinstance(end, Binary)
            and is_range
        ):
            last = end.right
            if end.operator == "<=":
                last = Binary(last.span, "+", last, Number((0, 0), Fraction(1)), (0, 0))
            over = made("range", self.span(node), [begun[0].value, last])
            return [Loop(self.span(node), begun[0].target, over, body)]
        return [*begun, Loop(self.span(node), None, None, body, end, tuple(step))]

    def s_do_statement(self, node: Any) -> Sequence[Node]:
        """Return a loop without a known end."""
        return [Loop(self.span(node), None, None, self.block([self.named(node, "body")]))]

    def s_break_statement(self, node: Any) -> Sequence[Node]:
        """Return the leaving of a loop."""
        return [Ending(self.span(node))]

    s_continue_statement = s_throw_statement = s_break_statement

    # ------------------------------------------------------------------ expressions

    def x_number_literal(self, node: Any) -> Node:
        """Return a number."""
        return self.number(node)

    def x_identifier(self, node: Any) -> Node:
        """Return a name."""
        return self.name(node)

    x_field_identifier = x_type_identifier = x_identifier

    def x_parenthesized_expression(self, node: Any) -> Node:
        """Return what is in brackets."""
        return self.expression(self.parts(node)[0])

    def x_condition_clause(self, node: Any) -> Node:
        """Return a test."""
        return self.expression(self.named(node, "value") or self.parts(node)[0])

    def x_binary_expression(self, node: Any) -> Node:
        """Return an operation; a quotient of whole numbers is one."""
        sign = self.named(node, "operator")
        sides = self.named(node, "left"), self.named(node, "right")
        left, right = (self.expression(one) for one in sides)
        means = SIGNS.get(self.text(sign), self.text(sign))
        if means == "/" and all(map(self._is_whole, sides)):
            means = "//"
        return self.operation(node, sign, left, right, means)

    def _is_whole(self, node: Any) -> bool:
        if node.type == "number_literal":
            return self.text(node).isdigit()
        inner = node.type in ("parenthesized_expression", "binary_expression", "unary_expression")
        return inner and all(map(self._is_whole, self.parts(node)))

    def x_unary_expression(self, node: Any) -> Node:
        """Return a sign and its operand."""
        sign = self.text(self.named(node, "operator"))
        inner = self.expression(self.named(node, "argument"))
        return Unary(self.span(node), "not" if sign == "!" else sign, inner)

    def x_pointer_expression(self, node: Any) -> Node:
        """Return what a pointer points at."""
        inner = self.expression(self.named(node, "argument"))
        if self.text(node).startswith("&") or (isinstance(inner, Name) and inner.name == "this"):
            return inner
        return Index(self.span(node), inner, (Number((0, 0), Fraction(0)),))

    def x_cast_expression(self, node: Any) -> Node:
        """Return what is cast."""
        return self.expression(self.named(node, "value"))

    def x_call_expression(self, node: Any) -> Node:
        """Return a call."""
        function = self.expression(self.named(node, "function"))
        arguments = map(self.expression, self.parts(self.named(node, "arguments")))
        return Call(self.span(node), function, tuple(arguments), (), self.calls_from)

    calls_from: int | None = None

    def x_subscript_expression(self, node: Any) -> Node:
        """Return an entry, by all of its indices."""
        base: Any = self.expression(self.named(node, "argument"))
        given = self.named(node, "index") or self.named(node, "indices")
        parts = self.parts(given) if given.type == "subscript_argument_list" else [given]
        indices = tuple(map(self.expression, parts))
        if isinstance(base, Index):
            base, indices = base.base, (*base.indices, *indices)
        return Index(self.span(node), base, indices)

    def x_field_expression(self, node: Any) -> Node:
        """Return a named part; those of the object itself are names."""
        held, field = self.named(node, "argument"), self.named(node, "field")
        if held.type == "this":
            return Name(self.span(node), self.text(field))
        return Attribute(self.span(node), self.expression(held), self.text(field))

    def x_conditional_expression(self, node: Any) -> Node:
        """Return one of two values."""
        fields = ("condition", "consequence", "alternative")
        parts = (self.expression(self.named(node, field)) for field in fields)
        return Choice(self.span(node), *parts)

    def x_initializer_list(self, node: Any) -> Node:
        """Return a list."""
        return Items(self.span(node), tuple(map(self.expression, self.parts(node))))

    def x_assignment_expression(self, node: Any) -> Node:
        """Tell that an assignment within an expression is not followed."""
        return Skipped(self.span(node), "an assignment within an expression is not followed")
