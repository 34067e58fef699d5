"""C++, and the matrices of the library Eigen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from freebody.code.c import CReader
from freebody.code.eigen import MADE, Shape, shape_of
from freebody.code.grammars import made
from freebody.code.tree import Assign, Index, Items, Name, Node, Number, Parameter, Skipped


class CppReader(CReader):
    """Reads C++, whose objects' members are names."""

    language = "C++"
    calls_from = 0

    def grammar(self) -> Any:
        """Return the language as its package has it."""
        import tree_sitter_cpp

        return tree_sitter_cpp.language()

    def s_class_specifier(self, node: Any) -> Sequence[Node]:
        """Return methods and members, as functions and names of their own."""
        body = self.named(node, "body")
        kinds = ("function_definition", "field_declaration")
        return self.block(one for one in self.parts(body) if one.type in kinds) if body else []

    s_struct_specifier = s_class_specifier

    def __init__(self, text: str, start: int = 0) -> None:
        super().__init__(text, start)
        self._shapes: dict[str, Shape] = {}

    def s_declaration(self, node: Any) -> Sequence[Node]:
        """Return what variables are set to."""
        found = [
            one
            for one in node.named_children
            if one.type == "identifier" or one.type.endswith("declarator")
        ]
        return [made for one in found for made in self._declared(one)]

    def _declared(self, node: Any) -> Sequence[Node]:
        """Return what a variable is set to; a local matrix without a value has zeros."""
        shape = self._shape(node.parent)
        plain = self.named(node, "declarator") if node.type == "init_declarator" else node
        if shape is None or plain.type not in ("identifier", "field_identifier"):
            return super()._declared(node)
        self._shapes[self.text(plain)] = shape
        if node.type == "init_declarator":
            return super()._declared(node)
        if node.parent.parent.type != "compound_statement":
            return []
        return self._of_zeros(node, Name(self.span(plain), self.text(plain)), shape)

    def _constructed(self, node: Any, target: Name, given: Any) -> Sequence[Node]:
        shape, parts = self._shapes.get(target.name), self.parts(given)
        if shape is None or not parts:
            return super()._constructed(node, target, given)
        if None not in shape:
            if len(parts) != shape[0] or len(shape) > 1:
                return super()._constructed(node, target, given)
            entries = Items(self.span(given), tuple(map(self.expression, parts)))
            return [Assign(self.span(node), target, made("array", entries.span, [entries]))]
        texts = [self.text(one) for one in parts]
        self._shapes[target.name] = tuple(int(one) if one.isdigit() else None for one in texts)
        sizes = [self.expression(one) for one in parts]
        return [Assign(self.span(node), target, made("zeros", self.span(node), sizes))]

    def _of_zeros(self, node: Any, target: Name, shape: Shape) -> Sequence[Node]:
        sizes = [Number((0, 0), Fraction(one)) for one in shape if one is not None]
        if len(sizes) < len(shape):
            return []
        return [Assign(self.span(node), target, made("zeros", self.span(node), sizes))]

    def _shape(self, node: Any) -> Shape | None:
        """Return how large the matrices of a declaration are, or of a parameter."""
        written = self.named(node, "type") if node is not None else None
        return shape_of(self.text(written)) if written is not None else None

    def _parameter(self, node: Any) -> Sequence[Parameter]:
        found, shape = super()._parameter(node), self._shape(node)
        for one in found:
            self._shapes.pop(one.name, None)
            if shape is not None:
                self._shapes[one.name] = shape
        return found

    def s_comma_expression(self, node: Any) -> Sequence[Node]:
        """Return several statements, or the entries of a matrix: ``M << a, b, c, d``."""
        first = self.named(node, "left")
        if not self._is_filled(first):
            return super().s_comma_expression(node)
        entries, rest = [self.named(first, "right")], self.named(node, "right")
        while rest.type == "comma_expression":
            entries.append(self.named(rest, "left"))
            rest = self.named(rest, "right")
        return self._filled(node, self.named(first, "left"), [*entries, rest])

    def s_binary_expression(self, node: Any) -> Sequence[Node]:
        """Return the only entry of a matrix, or what is worked out."""
        if self._is_filled(node):
            return self._filled(node, self.named(node, "left"), [self.named(node, "right")])
        return [self.expression(node)]

    def _is_filled(self, node: Any) -> bool:
        """Return whether entries are put into what is known as a matrix, and nothing printed."""
        if node.type != "binary_expression" or self.text(self.named(node, "operator")) != "<<":
            return False
        return self.text(self.named(node, "left")).removeprefix("this->") in self._shapes

    def _filled(self, node: Any, target: Any, entries: Sequence[Any]) -> Sequence[Node]:
        """Return the setting of all entries of a matrix, row by row."""
        name = self.expression(target)
        shape = self._shapes[self.text(target).removeprefix("this->")]
        columns = 1 if len(shape) == 1 else shape[1]
        values = list(map(self.expression, entries))
        if columns and shape[0] and len(values) == columns * shape[0]:
            out: list[Node] = []
            for place, value in enumerate(values):
                row = divmod(place, columns)[: len(shape)]
                keys = tuple(Number((0, 0), Fraction(one)) for one in row)
                out.append(Assign(value.span, Index(name.span, name, keys), value))
            return out
        if columns == 1:
            return [Assign(self.span(node), name, made("vertcat", self.span(node), values))]
        reason = "a matrix that is filled by blocks, or whose size is not known, is not followed"
        return [Skipped(self.span(node), reason, (self.text(target),))]

    def x_call_expression(self, node: Any) -> Node:
        """Return a call, or a matrix that a type makes: ``Matrix2d::Zero()``."""
        function = self.named(node, "function")
        if function.type == "qualified_identifier":
            written, _, name = self.text(function).rpartition("::")
            shape = shape_of(written)
            if shape is not None and name in MADE:
                given = self.parts(self.named(node, "arguments"))
                sizes: list[Node] = [self.expression(one) for one in given]
                sizes = sizes or [Number((0, 0), Fraction(one)) for one in shape if one]
                return made(MADE[name], self.span(node), sizes)
        return super().x_call_expression(node)

    def s_field_declaration(self, node: Any) -> Sequence[Node]:
        """Return what a member is set to."""
        name, value = self.named(node, "declarator"), self.named(node, "default_value")
        shape = self._shape(node)
        if name is not None and name.type == "field_identifier" and shape is not None:
            self._shapes[self.text(name)] = shape
        if value is None or name is None or name.type != "field_identifier":
            return []
        return [Assign(self.span(node), self.name(name), self.expression(value))]

    def s_template_declaration(self, node: Any) -> Sequence[Node]:
        """Return what is a template."""
        return self.block(one for one in self.parts(node) if one.type == "function_definition")

    def x_qualified_identifier(self, node: Any) -> Node:
        """Return a name without where it is from."""
        return self.expression(self.named(node, "name"))

    def x_this(self, node: Any) -> Node:
        """Return the object itself."""
        return self.name(node)
