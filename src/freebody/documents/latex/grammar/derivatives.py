r"""Fractions that are derivatives: ``\frac{d^2 x}{dt^2}``, ``\frac{\partial f}{\partial x}``.

A fraction is a derivative when its numerator starts with d or a partial d and its denominator is
made of as many differentials.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from freebody.documents.latex.names import LAGRANGIAN, LAGRANGIANS, Declared
from freebody.documents.latex.spellings import plain, spellings
from freebody.documents.latex.tokens.items import (
    DOTS,
    NESTING,
    UPRIGHT,
    Command,
    Group,
    Item,
    LatexError,
)
from freebody.documents.latex.tree import (
    Divide,
    Name,
    Node,
    Partial,
    Power,
    Span,
    TimeDerivative,
    Transpose,
    walk,
)

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

MARKS = frozenset({"d", r"\partial"})
_TIME = "t"
_TIMED = re.compile(r"\(\s*t\s*(?:\\right\s*)?\)")
"""What makes a letter a function of time: ``(t)``."""
_COORDINATE = re.compile(
    r"(?:[xyzqrsuv]|\\(?:theta|vartheta|phi|varphi|psi|alpha|beta|gamma|delta|omega))(?:_.*)?"
)
"""Letters of coordinates and speeds."""
_ORDERS = {str(order): order for order in range(1, 10)}


@dataclass(frozen=True, slots=True)
class Derivative:
    """A derivative as items: of what, and by what, each variable as often as it is named."""

    mark: str
    operand: Sequence[Item]
    variables: tuple[Sequence[Item], ...]

    @property
    def is_total(self) -> bool:
        """Whether it is a derivative by time alone."""
        return self.mark == "d" and all(plain(variable) == "t" for variable in self.variables)


def derivative(numerator: Sequence[Item], denominator: Sequence[Item]) -> Derivative | None:
    """Return the derivative that a fraction is, or None."""
    numerator, denominator = _letters(numerator), _letters(denominator)
    if _is_variation(numerator, denominator):
        return Derivative(r"\partial", numerator[1:], (denominator[1:],))
    if not _is_mark(numerator, 0) or not _is_mark(denominator, 0):
        return None
    mark = plain(numerator[:1])
    order = _order(numerator[1]) if len(numerator) > 1 else 0
    operand = numerator[2:] if order else numerator[1:]
    variables = _variables(denominator, mark)
    if not order and len(variables) > 1:
        order, operand = _order_of_operand(operand)
    return Derivative(mark, operand, variables) if len(variables) == (order or 1) else None


def uneven_orders(numerator: Sequence[Item], denominator: Sequence[Item]) -> tuple[int, int] | None:
    r"""Return the orders above and below of a misprinted rate such as ``\frac{d^2 x}{dt}``.

    None of what is no derivative by time, or is one.
    """
    numerator, denominator = _letters(numerator), _letters(denominator)
    if not _is_mark(numerator, 0) or not _is_mark(denominator, 0) or len(numerator) < 2:
        return None
    above, variables = _order(numerator[1]) or 1, _variables(denominator, plain(numerator[:1]))
    if {*map(plain, variables)} != {_TIME} or above == len(variables):
        return None
    return above, len(variables)


def uneven(reader: Reader, command: Command) -> Derivative | None:
    r"""Return the derivative of what follows that is printed with two orders; None of others.

    The one above counts, as in ``\frac{d^2}{dt}(x + l)``, which is told.
    """
    numerator, denominator, *_ = map(_letters, command.arguments)
    orders = uneven_orders(numerator, denominator)
    if orders is None or len(numerator) > 2 or not _order(numerator[1]):
        return None
    above, below = orders
    ways = f"a derivative of order {above}, and not of {below}", f"one of order {below}"
    span = Span(command.start, command.stop)
    order = orders[_way_read(reader, span, "order", ways)]
    by = _variables(denominator, plain(numerator[:1]))[0]
    return Derivative(plain(numerator[:1]), (), (by,) * order)


def _order_of_operand(operand: Sequence[Item]) -> tuple[int, Sequence[Item]]:
    r"""Return the order that stands above what is differentiated, with that: ``dx^2/dt^2``.

    Which can be nothing else where as much stands below.
    """
    orders = [(n, order) for n, item in enumerate(operand) if (order := _order(item))]
    if len(orders) != 1:
        return 0, operand
    ((place, order),) = orders
    return order, [*operand[:place], *operand[place + 1 :]]


def _is_variation(numerator: Sequence[Item], denominator: Sequence[Item]) -> bool:
    r"""Return whether one letter is differentiated by another as in ``\frac{\delta f}{\delta x}``.

    A factor would stand in both. Small differences in a small time are none.
    """
    sides = numerator, denominator
    return (
        all(_is_mark(side, 0, r"\delta") and _is_name(side[1:]) for side in sides)
        and plain(denominator[1:]) != _TIME
    )


def _is_name(items: Sequence[Item]) -> bool:
    """Return whether items are one name, which may stand in braces."""
    return bool(items) and _after_name(items, 0) == len(items)


def _letters(items: Sequence[Item]) -> Sequence[Item]:
    r"""Take differentials out of upright words, as ``\mathrm{dt}``."""
    found: list[Item] = []
    for item in items:
        is_word = isinstance(item, Command) and item.text in UPRIGHT
        inside = item.arguments[0] if isinstance(item, Command) and is_word else ()
        is_mark = len(inside) > 1 and inside[0].text in MARKS
        found += inside if is_mark else (item,)
    return found


def _variables(denominator: Sequence[Item], mark: str) -> tuple[Sequence[Item], ...]:
    starts = [i for i in range(len(denominator)) if _is_mark(denominator, i, mark)]
    variables: list[Sequence[Item]] = []
    for start, stop in pairwise([*starts, len(denominator)]):
        variable = denominator[start + 1 : stop]
        order = _order(variable[-1]) if variable else 0
        before = _order(variable[0]) if variable and not order else 0  # of ``d^2 t``
        variables += [variable[bool(before) : -1 if order else None]] * (order or before or 1)
    return tuple(variables) if all(variables) else ()


def _is_mark(items: Sequence[Item], position: int, mark: str | None = None) -> bool:
    found = plain(items[position : position + 1])
    is_subscripted = [item.text for item in items[position + 1 : position + 2]] == ["_"]
    return found in ({mark} if mark else MARKS) and not is_subscripted


def _order(item: Item) -> int:
    if not isinstance(item, Command) or item.text != "^":
        return 0
    return _ORDERS.get(plain(item.arguments[0]), 0)


def slashed(items: Sequence[Item], position: int) -> tuple[Derivative, int] | None:
    """Return the derivative written with a slash that starts here, and where it ends."""
    text = items[position].text
    may_be_mark = text in MARKS or text in UPRIGHT or text.startswith(r"\text")
    if not may_be_mark or plain(items[position : position + 1]) not in MARKS:
        return None
    slash = _after_name(items, _after_order(items, position + 1))
    if slash >= len(items) or items[slash].text != "/":
        return None
    stop = slash + 1
    while stop < len(items) and plain(items[stop : stop + 1]) in MARKS:
        stop = _after_name(items, stop + 1)
    found = derivative(items[position:slash], items[slash + 1 : stop])
    return (found, stop) if found else None


def _after_order(items: Sequence[Item], position: int) -> int:
    return position + [item.text for item in items[position : position + 1]].count("^")


def _after_name(items: Sequence[Item], position: int) -> int:
    """Return where the name or the brackets end that may stand here."""
    item = items[position] if position < len(items) else None
    if isinstance(item, Group) and item.text in ("(", "["):
        return position + 1
    options = spellings(items, position) if item else []
    return options[-1].stop if options else position


def rate_mark(items: Sequence[Item], position: int) -> tuple[Derivative, int] | None:
    r"""Return the derivative by time of what follows ``\partial_t^2`` or ``\partial_{tt}``.

    And where that sign ends, which starts here.
    """
    mark, script = (items[n] if n < len(items) else None for n in (position, position + 1))
    if mark is None or mark.text != r"\partial" or not isinstance(script, Command):
        return None
    below = plain(script.arguments[0])
    if script.text != "_" or below not in (_TIME, 2 * _TIME):
        return None
    stop = position + 2
    order = _order(items[stop]) if stop < len(items) and below == _TIME else 0
    variables = (script.arguments[0][:1],) * (order or len(below))
    return Derivative(mark.text, (), variables), stop + bool(order)


def subscripted(reader: Reader, item: Item) -> Node:
    r"""Read ``\partial_t^2 x``, ``\partial_q L`` and ``\nabla_q L``."""
    first = reader.position
    if found := rate_mark(reader.items, first):
        rate, reader.position = found
        return derived(reader, rate, item)
    script = reader.items[first + 1] if first + 1 < len(reader.items) else None
    if not isinstance(script, Command) or script.text != "_":
        message = r"what it is by, as in '\nabla_q V' (or write the derivatives out)"
        raise reader.expected(
            message if reader.text == r"\nabla" else "a number, a name or a bracket"
        )
    reader.position += 2
    by = variable(reader, script.arguments[0], script)
    return Partial(operand(reader, script), (by,), reader.span(first))


def derived(reader: Reader, found: Derivative, at: Item) -> Node:
    """Return the derivative of what stands in it, or else of what follows."""
    node = reader.inside(found.operand, at) if found.operand else operand(reader, at)
    span = Span(at.start, reader.items[reader.position - 1].stop)
    if found.is_total or _is_rate(reader, found, node, span):
        return TimeDerivative(node, len(found.variables), span)
    names = tuple(variable(reader, v, at) for v in found.variables)
    if found.mark == "d" and len(names) == 1 and _is_along(reader, node, names[0], span):
        over, under = (TimeDerivative(one, 1, span) for one in (node, names[0]))
        return Divide(over, under, span)
    return Partial(_lagrangian(reader, node), names, span)


def _is_rate(reader: Reader, found: Derivative, node: Node, span: Span) -> bool:
    r"""Return whether a partial derivative by time is that of all that moves in an expression.

    ``\frac{\partial}{\partial t} m\dot x`` is, as nothing in it has the time alone, and so is one
    of second order, or of what the page nowhere has the slope of along anything else.
    """
    if any(plain(variable) != _TIME for variable in found.variables):
        return False
    inside = [one for one in walk(node) if isinstance(one, Name | TimeDerivative)]
    has_rates = any(isinstance(one, TimeDerivative) or one.dots for one in inside)
    has_time = any(isinstance(one, Name) and one.key == _TIME for one in inside)
    is_varied = len(found.variables) > 1
    if isinstance(node, Name):
        text, printed = reader.context.text, slice(node.span.start, node.span.stop)
        is_known = reader.declared.lookup(node.key) is not None
        is_motion = bool(text) and _COORDINATE.fullmatch(node.key) is not None
        is_motion = is_motion and not _is_field(text, text[printed])
        is_varied = ((is_varied and is_known) or is_motion) and reader.declared.varies(node.key)
    if has_time or not (has_rates or is_varied):
        return False
    ways = "the derivative by time of all that moves in it", "a partial derivative"
    return _way_read(reader, span, "rate", ways) == 0


@lru_cache
def _is_field(text: str, printed: str) -> bool:
    """Return whether a page has a partial derivative of a letter by anything else than time."""
    name = re.escape(printed)
    by = r"(?:\}\s*\{|/|\\over)\s*\{?\\partial(?![A-Za-z]|\s*\{?\s*t(?![A-Za-z_]))"
    slope = rf"\\partial\s*(?:\^\{{?\d\}}?)?\s*\{{?{name}\}}?\s*(?:\([^()]*\))?\s*{by}"
    along = rf"\\partial_\{{?[xyzrs]+\}}?(?:\^\{{?\d\}}?)?\s*{name}"
    return re.search(rf"{slope}|{along}|{name}\s*\([^()]*,|\\nabla", text) is not None


def _way_read(reader: Reader, span: Span, kind: str, ways: Sequence[str]) -> int:
    """Return as which of several things a stretch is read, which is told."""
    shown = reader.context.printed(span.start, span.stop)
    readings = (f"'{shown}' is read as {way}" for way in ways)
    return reader.context.choose(span.start, kind, *readings)


def _is_along(reader: Reader, node: Node, by: Name, span: Span) -> bool:
    r"""Return whether a slope is that of a motion: ``\omega\frac{d\omega}{d\theta}``.

    What has rates, and not what it is differentiated by, is a partial derivative only where nothing
    else may be meant: ``\frac{d}{d\theta}\frac{\dot r}{\dot\theta}``.
    """
    partial, along = "a partial derivative", "how one follows the other in a motion"
    if isinstance(node, Name):
        varies = reader.declared.varies(node.key)
        return varies and _way_read(reader, span, "slope", (partial, along)) == 1
    inside = [one for one in walk(node) if isinstance(one, Name | TimeDerivative)]
    rates = [one for one in inside if isinstance(one, TimeDerivative) or one.dots]
    is_inside = any(isinstance(o, Name) and (o.key, o.dots) == (by.key, 0) for o in inside)
    if by.dots or not rates or is_inside:
        return False
    return _way_read(reader, span, "slope", (along, partial)) == 0


def _lagrangian(reader: Reader, node: Node) -> Node:
    """Read an L below a derivative that is a constant elsewhere, such as a length."""
    if not isinstance(node, Name) or not may_be_lagrangian(node, reader.declared):
        return node
    readings = (
        f"'{node.key}' below a derivative is read as the Lagrangian",
        f"'{node.key}' below a derivative is read as what it is elsewhere",
    )
    if reader.context.choose(node.span.start, "lagrangian", *readings):
        return node
    return replace(node, key=LAGRANGIAN)


def operand(reader: Reader, at: Item) -> Node:
    """Read what a derivative without anything in its numerator is of."""
    reader.depth += 1
    if reader.depth > NESTING:
        raise LatexError(f"more than {NESTING} derivatives of each other", at.start)
    first, is_group = reader.position, isinstance(reader.item, Group)
    node = reader.factor()
    if reader.is_factor():
        ends_there = is_group or isinstance(node, TimeDerivative | Partial)
        printed = reader.context.printed(node.span.start, node.span.stop)
        is_of_time = _TIMED.search(printed) is not None
        if isinstance(node, Name) and (is_of_time or reader.declared.varies(node.key)):
            ends_there |= _is_derivative(reader.item)
        node = _product_or_first(reader, node, first, at.start, is_first=ends_there)
    reader.depth -= 1
    return node


def _is_derivative(item: Item | None) -> bool:
    r"""Return whether another derivative follows: ``\frac{d}{dt} x(t) \frac{d}{dt} y(t)``."""
    match item:
        case Command(arguments=(above, below)):
            found = derivative(above, below)
            return found is not None and found.is_total
    return False


def _product_or_first(
    reader: Reader, node: Node, first: int, start: int, *, is_first: bool
) -> Node:
    r"""Read what ``\frac{d}{dt} m v`` is a derivative of: a product, or its first factor."""
    end = reader.position
    product = reader.joined([node, *reader.run()], first)
    shown = reader.context.printed(start, product.span.stop)
    readings = [
        f"'{shown}' is read as the derivative of '{reader.context.printed(*span)}'"
        for span in ((of.span.start, of.span.stop) for of in (product, node))
    ]
    ways = (node, product) if is_first else (product, node)
    taken = ways[reader.context.choose(start, "derivative", *readings[:: -1 if is_first else 1])]
    reader.position = end if taken is node else reader.position
    return taken


def variable(reader: Reader, items: Sequence[Item], at: Item) -> Name:
    """Read what a derivative is by."""
    node = reader.inside(items, at)
    if isinstance(node, Transpose):
        node = node.node
    if not isinstance(node, Name):
        raise LatexError("expected a name to differentiate by", items[0].start)
    return node


def dotted(reader: Reader, command: Command) -> Node | None:
    """Read dots over what is not a name."""
    if spellings([command], 0):
        return None
    reader.position += 1
    inner, order = reader.inside(command.arguments[0], command), DOTS[command.text]
    span = Span(command.start, command.stop)
    if isinstance(inner, Power) and isinstance(inner.base, Name) and _is_of_base(reader, span):
        return replace(inner, base=replace(inner.base, dots=inner.base.dots + order))
    return TimeDerivative(inner, order, span)


def _is_of_base(reader: Reader, span: Span) -> bool:
    r"""Return whether dots over a power are those of its base: ``\dot{\theta^2}``."""
    ways = "a power of what is differentiated", "the derivative of a power"
    return _way_read(reader, span, "dots", ways) == 0


def may_be_lagrangian(node: Name, declared: Declared) -> bool:
    """Return whether a name that is a constant elsewhere may be the Lagrangian as well."""
    if node.key not in LAGRANGIANS or node.dots or declared.lookup(LAGRANGIAN) is None:
        return False
    return not declared.varies(node.key)
