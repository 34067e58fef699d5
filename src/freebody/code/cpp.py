"""C++, and the matrices of the library Eigen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from freebody.code.c import CReader
from freebody.code.eigen import LETTERS, MADE, SET, Shape, part_of, plain_type, shape_of
from freebody.code.grammars import made
from freebody.code.tree import (
    Assign,
    Attribute,
    Binary,
    Index,
    Items,
    Name,
    Node,
    Number,
    Parameter,
    Rows,
    Skipped,
)

INSIDE = ("function_definition", "field_declaration", "alias_declaration", "type_definition")
"""What is read of a class."""


class CppReader(CReader):
    """Reads C++, whose objects' members are names."""

    language = "C++"
    calls_from = 0

    def __init__(self, text: str, start: int = 0) -> None:
        super().__init__(text, start)
        self._shapes: dict[str, Shape] = {}
        self._types: dict[str, Shape] = {}

    def grammar(self) -> Any:
        """Return the language as its package has it."""
        import tree_sitter_cpp

        return tree_sitter_cpp.language()

    def s_class_specifier(self, node: Any) -> Sequence[Node]:
        """Return methods and members, as functions and names of their own."""
        body = self.named(node, "body")
        return self.block(one for one in self.parts(body) if one.type in INSIDE) if body else []

    s_struct_specifier = s_class_specifier

    def s_template_declaration(self, node: Any) -> Sequence[Node]:
        """Return what is a template."""
        return self.block(one for one in self.parts(node) if one.type == "function_definition")

    def x_qualified_identifier(self, node: Any) -> Node:
        """Return a name without where it is from."""
        return self.expression(self.named(node, "name"))

    def x_this(self, node: Any) -> Node:
        """Return the object itself."""
        return self.name(node)

    # ------------------------------------------------------------------ types of matrices

    def s_alias_declaration(self, node: Any) -> Sequence[Node]:
        """Take note of another name of a matrix's type."""
        other = self.named(node, "name") or self.named(node, "declarator")
        shape = self._shape(node)
        if other is not None and shape is not None:
            self._types[self.text(other)] = shape
        return []

    s_type_definition = s_alias_declaration

    def _shape(self, node: Any) -> Shape | None:
        """Return how large the matrices of a declaration are, or of a parameter."""
        written = self.named(node, "type") if node is not None else None
        return self._shape_of(self.text(written)) if written is not None else None

    def _shape_of(self, written: str) -> Shape | None:
        own = plain_type(written)
        return self._types.get(own) or shape_of(own)

    def _known(self, node: Any) -> Shape | None:
        """Return how large a variable is that is a matrix."""
        return self._shapes.get(self.text(node).removeprefix("this->"))

    # ------------------------------------------------------------------ declarations

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
        shape = self._shapes.get(target.name)
        if shape is None or not self.parts(given):
            return super()._constructed(node, target, given)
        if None in shape:
            texts = [self.text(one) for one in self.parts(given)]
            self._shapes[target.name] = tuple(int(one) if one.isdigit() else None for one in texts)
        return [Assign(self.span(node), target, self._instance(node, shape, given))]

    def _of_zeros(self, node: Any, target: Name, shape: Shape) -> Sequence[Node]:
        if None in shape:
            return []
        return [Assign(self.span(node), target, self._filled_with("zeros", node, shape))]

    def _filled_with(self, name: str, node: Any, shape: Sequence[int | None]) -> Node:
        sizes = [Number((0, 0), Fraction(one)) for one in shape if one is not None]
        return made(name, self.span(node), sizes)

    def _instance(self, node: Any, shape: Shape, given: Any) -> Node:
        """Return a matrix of a type: of its entries, of a size, or of another one."""
        parts = list(map(self.expression, self.parts(given)))
        if not parts and None not in shape:
            return self._filled_with("zeros", node, shape)
        if len(parts) == 1 and (len(shape) > 1 or shape[0] != 1) and None not in shape:
            return parts[0]
        if None in shape and given.type == "argument_list":
            return made("zeros", self.span(node), parts)
        if len(shape) == 2 and not all(isinstance(one, Items) for one in parts):
            return made("zeros", self.span(node), parts)
        return made("array", self.span(node), [Items(self.span(given), tuple(parts))])

    def _parameter(self, node: Any) -> Sequence[Parameter]:
        found, shape = super()._parameter(node), self._shape(node)
        for one in found:
            self._shapes.pop(one.name, None)
            if shape is not None:
                self._shapes[one.name] = shape
        return found

    def s_field_declaration(self, node: Any) -> Sequence[Node]:
        """Return what a member is set to."""
        name, value = self.named(node, "declarator"), self.named(node, "default_value")
        shape = self._shape(node)
        if name is not None and name.type == "field_identifier" and shape is not None:
            self._shapes[self.text(name)] = shape
        if value is None or name is None or name.type != "field_identifier":
            return []
        return [Assign(self.span(node), self.name(name), self.expression(value))]

    # ------------------------------------------------------------------ filled by commas

    def s_comma_expression(self, node: Any) -> Sequence[Node]:
        """Return several statements, or the entries of a matrix: ``M << a, b, c, d``."""
        first = self.named(node, "left")
        if not self._is_filled(first):
            return super().s_comma_expression(node)
        return self._filled(node, self.named(first, "left"), self._commas(node))

    def _commas(self, node: Any) -> list[Any]:
        """Return what is put into a matrix: ``b``, ``c`` and ``d`` of ``a << b, c, d``."""
        if node.type == "binary_expression":
            return [self.named(node, "right")]
        entries, rest = self._commas(self.named(node, "left")), self.named(node, "right")
        while rest.type == "comma_expression":
            entries.append(self.named(rest, "left"))
            rest = self.named(rest, "right")
        return [*entries, rest]

    def s_binary_expression(self, node: Any) -> Sequence[Node]:
        """Return the only entry of a matrix, or what is worked out."""
        if self._is_filled(node):
            return self._filled(node, self.named(node, "left"), self._commas(node))
        return [self.expression(node)]

    def _is_filled(self, node: Any) -> bool:
        """Return whether entries are put into what is known as a matrix, and nothing printed."""
        if node.type != "binary_expression" or self.text(self.named(node, "operator")) != "<<":
            return False
        left = self.named(node, "left")
        return self._known(left) is not None or self._part(left) is not None

    def _filled(self, node: Any, target: Any, entries: Sequence[Any]) -> Sequence[Node]:
        """Return the setting of all entries of a matrix, row by row."""
        name, shape = self.expression(target), self._known(target)
        values = list(map(self.expression, entries))
        if shape is None:
            whole = made("array", self.span(node), [Items(self.span(node), tuple(values))])
            return [Assign(self.span(node), name, whole)]
        columns = 1 if len(shape) == 1 else shape[1]
        if columns and shape[0] and len(values) == columns * shape[0]:
            out: list[Node] = []
            for place, value in enumerate(values):
                row = divmod(place, columns)[: len(shape)]
                keys = tuple(Number((0, 0), Fraction(one)) for one in row)
                out.append(Assign(value.span, Index(name.span, name, keys), value))
            return out
        if columns == 1:
            return [Assign(self.span(node), name, made("vertcat", self.span(node), values))]
        rows = self._in_rows(columns, entries, values)
        if rows is not None:
            return [Assign(self.span(node), name, Rows(self.span(node), rows))]
        reason = "a matrix that is filled by blocks of a size that is not known is not followed"
        return [Skipped(self.span(node), reason, (self.text(target),))]

    def _in_rows(
        self, columns: int | None, entries: Sequence[Any], values: Sequence[Node]
    ) -> tuple[tuple[Node, ...], ...] | None:
        """Return blocks in rows that are as wide as their matrix."""
        rows: list[tuple[Node, ...]] = []
        row: list[Node] = []
        width = 0
        for entry, value in zip(entries, values, strict=True):
            size = self._width(entry)
            if size is None or not columns:
                return None
            row.append(value)
            width += size
            if width == columns:
                rows.append(tuple(row))
                row, width = [], 0
        return None if row else tuple(rows)

    def _width(self, node: Any) -> int | None:
        """Return how many columns a block has."""
        shape = self._known(node)
        if shape is None and node.type == "call_expression":
            function = self.named(node, "function")
            if function.type == "qualified_identifier":
                shape = self._shape_of(self.text(function).rpartition("::")[0])
            elif function.type == "field_expression":
                shape = self._known(self.named(function, "argument"))
                is_turned = self.text(function).endswith("transpose") and shape is not None
                shape = (*shape, 1)[1::-1] if is_turned and shape else shape
        if shape is not None:
            return 1 if len(shape) == 1 else shape[1]
        return (
            1 if node.type in ("number_literal", "binary_expression", "unary_expression") else None
        )

    # ------------------------------------------------------------------ expressions

    def x_binary_expression(self, node: Any) -> Node:
        """Return an operation, entry by entry on what is seen as an array."""
        found = super().x_binary_expression(node)
        sides = (self.named(node, "left"), self.named(node, "right"))
        is_array = any(self.text(one).endswith(".array()") for one in sides)
        if isinstance(found, Binary) and found.operator in ("*", "/") and is_array:
            return Binary(found.span, f".{found.operator}", found.left, found.right, found.at)
        return found

    def x_call_expression(self, node: Any) -> Node:
        """Return a call, a part of a matrix, or one that a type makes: ``Matrix2d::Zero()``."""
        function = self.named(node, "function")
        arguments = self.named(node, "arguments")
        if function.type == "field_expression":
            return self._method(node, function) or super().x_call_expression(node)
        written, _, name = self.text(function).rpartition("::")
        shape = self._shape_of(written)
        if shape is not None and name in MADE:
            given = list(map(self.expression, self.parts(arguments)))
            return (
                made(MADE[name], self.span(node), given)
                if given
                else (self._filled_with(MADE[name], node, shape))
            )
        shape = self._shape_of(self.text(function))
        if shape is not None:
            return self._instance(node, shape, arguments)
        return super().x_call_expression(node)

    def _method(self, node: Any, function: Any) -> Node | None:
        """Return what a method of a matrix gives that has no function of its own."""
        held, method = self.named(function, "argument"), self._called(function)
        if method == "finished" and held.type == "parenthesized_expression":
            return self._finished(node, self.parts(held)[0])
        shape, given = self._known(held), self.parts(self.named(node, "arguments"))
        if shape is not None and not given:
            if method in LETTERS and len(shape) == 1:
                place = Number((0, 0), Fraction(LETTERS.index(method)))
                return Index(self.span(node), self.expression(held), (place,))
            size = {"rows": shape[0], "cols": (*shape, 1)[1]}.get(method)
            if method == "size" and len(shape) == 1:
                size = shape[0]
            if size is not None:
                return Number(self.span(node), Fraction(size))
        keys = self._part(node)
        return None if keys is None else Index(self.span(node), self.expression(held), keys)

    def _called(self, function: Any) -> str:
        field = self.named(function, "field")
        return self.text(self.named(field, "name") if field.type == "template_method" else field)

    def _part(self, node: Any) -> tuple[Node, ...] | None:
        """Return the indices of the part of a matrix that a call is."""
        function = self.named(node, "function") if node.type == "call_expression" else None
        if function is None or function.type != "field_expression":
            return None
        field, method = self.named(function, "field"), self._called(function)
        given = self.parts(self.named(node, "arguments"))
        if field.type == "template_method":
            given = [*given, *self.parts(self.named(field, "arguments"))]
        values = list(map(self.expression, given))
        shape = self._known(self.named(function, "argument"))
        if method == "tail" and len(values) == 1 and shape and shape[0]:
            count = values[0]
            start = Binary((0, 0), "-", Number((0, 0), Fraction(shape[0])), count, (0, 0))
            return part_of("segment", (start, count))
        return part_of(method, values)

    def _finished(self, node: Any, inside: Any) -> Node | None:
        """Return a matrix that is filled where it is made: ``(Matrix2d() << a, b, c, d)``."""
        first = inside
        while first.type == "comma_expression":
            first = self.named(first, "left")
        maker = self.named(first, "left") if first.type == "binary_expression" else None
        if maker is None or maker.type != "call_expression":
            return None
        shape = self._shape_of(self.text(self.named(maker, "function")))
        if shape is not None and None in shape:
            sizes = [self.text(one) for one in self.parts(self.named(maker, "arguments"))]
            shape = tuple(int(one) if one.isdigit() else None for one in sizes)
        values = list(map(self.expression, self._commas(inside)))
        if shape is None or None in shape:
            return None
        columns = 1 if len(shape) == 1 else shape[1]
        span = self.span(node)
        if len(shape) == 1 or not columns or len(values) != columns * (shape[0] or 0):
            return made("vertcat", span, values) if columns == 1 else None
        rows = [
            Items(span, tuple(values[at : at + columns])) for at in range(0, len(values), columns)
        ]
        return made("array", span, [Items(span, tuple(rows))])

    def x_compound_literal_expression(self, node: Any) -> Node:
        """Return a matrix of its entries, ``Vector2d{a, b}``, or a list of another type."""
        shape, value = self._shape(node), self.named(node, "value")
        return self.expression(value) if shape is None else self._instance(node, shape, value)

    def s_call_expression(self, node: Any) -> Sequence[Node]:
        """Return the setting of a matrix by one of its methods, or a call."""
        function = self.named(node, "function")
        if function.type == "field_expression" and self._called(function) in SET:
            held = self.named(function, "argument")
            shape, given = self._known(held), self.parts(self.named(node, "arguments"))
            if shape is not None and (given or None not in shape):
                name = SET[self._called(function)]
                sizes = list(map(self.expression, given))
                value = (
                    made(name, self.span(node), sizes)
                    if given
                    else self._filled_with(name, node, shape)
                )
                return [Assign(self.span(node), self.expression(held), value)]
        return [self.expression(node)]

    def x_field_expression(self, node: Any) -> Node:
        """Return a named part; those of the object itself are names."""
        field = self.named(node, "field")
        if field.type == "template_method":
            held = self.expression(self.named(node, "argument"))
            return Attribute(self.span(node), held, self.text(self.named(field, "name")))
        return super().x_field_expression(node)
