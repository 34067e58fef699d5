"""What printed mathematics says: a typed syntax tree whose every node points at the page.

A node is itself alone: one that is printed twice is two of them, by which things may be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, cast, get_args

from freebody.algebra.units import Dimension


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a page, as offsets from its first character."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A number as printed, exact.

    Attributes
    ----------
    value : Fraction
    span : Span
    dimension : Dimension or None
        Of the unit behind it; None where there is none.
    """

    value: Fraction
    span: Span
    dimension: Dimension | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    r"""A declared name.

    Attributes
    ----------
    key : str
        As the document declares it, such as ``M(\alpha)_{i,j}``.
    dots : int
        Time derivatives printed over it, beyond those of the key.
    indices : tuple of int
        What stands in place of the letters of an index pattern, counted from 1.
    """

    key: str
    dots: int
    span: Span
    indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """One signed term of a sum; its span includes the sign."""

    sign: Literal[1, -1]
    node: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Add:
    """A sum of signed terms."""

    terms: tuple[Term, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Multiply:
    r"""A product of factors that stand side by side or have ``\cdot`` or ``*`` between them."""

    factors: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    r"""``\times``: the cross product of columns, the plain product of scalars."""

    left: Node
    right: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Divide:
    """A quotient."""

    numerator: Node
    denominator: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """A power; of a matrix to ``-1`` the inverse."""

    base: Node
    exponent: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Transpose:
    """A transposed matrix."""

    node: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A function, such as ``sin`` or ``det``; of several arguments where that is a row."""

    function: str
    argument: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TimeDerivative:
    """A derivative with respect to time."""

    node: Node
    order: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """A partial derivative, one name for each differentiation."""

    node: Node
    with_respect_to: tuple[Name, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A matrix literal, all rows of one length."""

    rows: tuple[tuple[Node, ...], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """An expression with a brace and what is written at it, where that is mathematics."""

    node: Node
    label: Node | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AtPoint:
    r"""The value of an expression where names have values, as behind ``|_{x=0}``.

    Without any, that at the equilibrium, as behind ``|_{x^*}``.
    """

    node: Node
    given: tuple[tuple[Name, Node], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Omission:
    r"""The ``\cdots`` of a schematic matrix: something is left out, nothing can be computed."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """What is read but not worked out, such as an integral.

    Attributes
    ----------
    what : str
        What it is, for people: ``an integral``.
    parts : tuple of Node
        What stands in it, where that is mathematics.
    """

    what: str
    parts: tuple[Node, ...]
    span: Span


Node: TypeAlias = (
    Number
    | Name
    | Add
    | Multiply
    | Times
    | Divide
    | Power
    | Transpose
    | Call
    | TimeDerivative
    | Partial
    | Matrix
    | Labelled
    | AtPoint
    | Omission
    | Opaque
)


_PARTS = {
    kind: tuple(entry.name for entry in fields(kind) if entry.name != "span")
    for kind in (*get_args(Node), Term)
}
"""What may hold further nodes, by the kind of node."""


def children(node: Node | Term) -> Iterator[Node | Term]:
    """Iterate over what stands right in a node, in the order in which it is printed."""
    for name in _PARTS[type(node)]:
        yield from _nodes(getattr(node, name))


def walk(*nodes: Node | Term) -> Iterator[Node | Term]:
    """Iterate over nodes and all below them, each before what stands in it."""
    waiting = [*reversed(nodes)]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed([*children(node)])


def keys_in(*nodes: Node) -> set[str]:
    """Return the keys of the names in nodes."""
    return {node.key for node in walk(*nodes) if isinstance(node, Name)}


def terms_of(node: Node) -> tuple[Term, ...]:
    """Return the terms of a node: of a sum its own, and else one."""
    return node.terms if isinstance(node, Add) else (Term(1, node, node.span),)


def added(*nodes: Node) -> Iterator[Node]:
    """Iterate over what is added up in nodes: their terms, or themselves."""
    for node in nodes:
        yield from (one.node for one in terms_of(node))


def multiplied(node: Node) -> tuple[Node, ...]:
    """Return what is multiplied in a node: its factors, or itself."""
    return node.factors if isinstance(node, Multiply) else (node,)


def differentiated(node: Node | Term) -> tuple[Name, int] | None:
    r"""Return the name that something is a derivative by time of, and its order; 0 of itself.

    So are ``\dot x`` and ``dx/dt``; None of anything else.
    """
    match node:
        case Name(dots=dots):
            return node, dots
        case TimeDerivative(node=Name(dots=dots) as name, order=order):
            return name, dots + order
    return None


def rate_of(node: Node | Term) -> tuple[Name, int] | None:
    """Return the name that something is a rate of, and its order; None of anything else."""
    found = differentiated(node)
    return found if found and found[1] else None


def has_squared_rates(node: Node) -> bool:
    """Return whether something has a power of what has a rate in it, as kinetic energies have."""
    powers = (one for one in walk(node) if isinstance(one, Power))
    return any(rate_of(part) for one in powers for part in walk(one.base))


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node, or a part of one, with other nodes in place of those that stand in it.

    Parameters
    ----------
    node : Node, Term or anything that a node holds
    change : callable
        Returns what is to stand in place of a node, or of anything else that a node holds.
    """
    if isinstance(node, tuple):
        return tuple(map(change, node))
    if type(node) not in _PARTS:
        return node
    return replace(node, **{name: change(getattr(node, name)) for name in _PARTS[type(node)]})


def _nodes(part: object) -> Iterator[Node | Term]:
    if type(part) in _PARTS:
        yield cast("Node | Term", part)
    elif isinstance(part, tuple):
        for inner in part:
            yield from _nodes(inner)


def is_zero(node: Node) -> bool:
    """Return whether a node is a bare zero, which is one of any size."""
    match node:
        case Number(value=0) | Add(terms=(Term(node=Number(value=0)),)):
            return True
    return False


def show(node: Node) -> str:
    """Write a tree compactly, every operation in brackets of its own.

    Examples
    --------
    >>> here = Span(0, 1)
    >>> show(Power(Name("x", 1, here), Number(Fraction(2), here), here))
    "(x'^2)"
    """
    match node:
        case Number(value=value):
            return str(value)
        case Name(key=key, dots=dots, indices=indices):
            return key + str(list(indices) if indices else "") + "'" * dots
        case Add(terms=terms):
            return "(" + " ".join("+-"[term.sign < 0] + show(term.node) for term in terms) + ")"
        case Multiply(factors=factors):
            return "(" + "*".join(map(show, factors)) + ")"
        case Times(left=left, right=right):
            return f"({show(left)} x {show(right)})"
        case Divide(numerator=numerator, denominator=denominator):
            return f"({show(numerator)}/{show(denominator)})"
        case Power(base=base, exponent=exponent):
            return f"({show(base)}^{show(exponent)})"
        case _:
            return _show_operator(node)


def _show_operator(
    node: (
        Transpose
        | Call
        | TimeDerivative
        | Partial
        | Matrix
        | Labelled
        | AtPoint
        | Omission
        | Opaque
    ),
) -> str:
    match node:
        case Transpose(node=inner):
            return f"{show(inner)}^T"
        case Call(function=function, argument=argument):
            return f"{function}({show(argument)})"
        case TimeDerivative(node=inner, order=order):
            return f"D{order}({show(inner)})"
        case Partial(node=inner, with_respect_to=names):
            return f"D({', '.join(map(show, (inner, *names)))})"
        case Matrix(rows=rows):
            return "[" + "; ".join(", ".join(map(show, row)) for row in rows) + "]"
        case Labelled(node=inner, label=label):
            return f"{{{show(inner)}: {show(label) if label else ''}}}"
        case AtPoint(node=inner, given=given):
            values = ", ".join(f"{show(name)}={show(value)}" for name, value in given)
            return f"{show(inner)}|{{{values}}}"
        case Opaque(what=what, parts=parts):
            return f"<{what} at {node.span.start}: {', '.join(map(show, parts))}>"
        case Omission():
            return "..."
