r"""What stands behind a name or a bracket: ``[x]_+``, ``\ldots|_{x=0}``, ``f(t)``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.brackets import BRACKETS, is_decimal, positive, split
from freebody.documents.latex.spellings import is_short, plain, spellings
from freebody.documents.latex.tokens.items import Command, Group, Item, LatexError
from freebody.documents.latex.tree import (
    AtPoint,
    Call,
    Name,
    Node,
    Opaque,
    Partial,
    TimeDerivative,
)

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

AT_REST = "is read as at the equilibrium: all that moves and is not given there is zero"
_BAR = "|"
_SCRIPTS = (r"\mathcal{", r"\mathscr{", r"\mathfrak{")
_NAMES_OF_REST = frozenset(
    {"eq", "e", "o", "*", "ss", "equil", "equilibrium", r"\mathrm{eq}", r"\text{eq}", r"\ast"}
    | {r"\mathrm{e}", r"\star", "op", r"\mathrm{op}", r"\mathrm{equilibrium}"}
)
_RESTING = re.compile(
    r"\^\{?(?:\*|\\ast|\\star|0|e|eq)\}?$|_\{?(?:0|e|eq|o|ss|\\mathrm\{eq?\}|\\text\{eq?\})\}?$"
    r"|^\\(?:bar|overline)(?![a-z])"
)


def scripted(reader: Reader, node: Node, first: int) -> Node:
    """Read what stands below brackets, or behind a bar: a value at a point, a positive part."""
    if _is_bar(reader):
        reader.position += 1
        return _at_a_point(reader, node, first)
    group = reader.items[reader.position - 1]
    script = reader.item
    if not isinstance(group, Group) or not isinstance(script, Command):
        return node
    if group.text in BRACKETS and plain(script.arguments[0]) == "+" and script.text in ("_", "^"):
        reader.position += 1
        return positive(node, reader.span(first))
    if group.text in BRACKETS and plain(script.arguments[0]) == r"\times":
        reader.position += 1
        return Call("skew", node, reader.span(first))
    if script.text != "_":
        return node
    says = group.text == "." or any(item.text == "=" for item in script.arguments[0])
    says = says or (group.text == "[" and _is_of_rest(reader, script))
    return _at_a_point(reader, node, first) if says else node


def called(reader: Reader, node: Node, first: int) -> Node:
    r"""Read the arguments behind what is no name: an equilibrium, ``M^{-1}(q^*)``, or what moves.

    A derivative may say of what it is a function, ``\frac{\partial L}{\partial q}(q, \dot q)``. A
    letter in script is an operator on what stands in braces behind it, ``\mathcal{L}\{f\}``.
    """
    group = reader.item
    if not isinstance(group, Group):
        return node
    is_script = isinstance(node, Name) and node.key.startswith(_SCRIPTS)
    if is_script and group.text == r"\{" and reader.declared.keeps_opaque:
        reader.position += 1
        return Opaque("an operator", (node,), reader.span(first))
    if group.text != "(":
        return node
    if names_rest(reader, group):
        shown = reader.context.printed(group.start, group.stop)
        reader.context.notes.append(f"'{shown}' {AT_REST}")
        reader.position += 1
        return AtPoint(node, (), reader.span(first))
    if isinstance(node, Partial | TimeDerivative) and _are_moving(reader, group):
        reader.position += 1
    return node


def names_rest(reader: Reader, group: Group) -> bool:
    """Return whether all that stands in brackets are marked states: ``(x^*, 0)``."""
    parts = split(group.items)
    names = [part for part in parts if plain(part) != "0"]
    return bool(names) and all(_is_name(part) and _is_resting(reader, part) for part in names)


def _is_name(part: Sequence[Item]) -> bool:
    """Return whether all of a stretch is one name, declared or not."""
    return any(option.stop == len(part) for option in spellings(part, 0)) if part else False


def _are_moving(reader: Reader, group: Group) -> bool:
    """Return whether several names of what moves stand in brackets, which no factor is."""
    parts = split(group.items)
    for part in parts:
        options = spellings(part, 0) if part else []
        found = reader.declared.find(options) if options else None
        is_time = plain(part) == "t"
        if not is_time and not (found and found.stop == len(part) and not found.superscript):
            return False
        if found and not reader.declared.varies(found.key):
            return False
    return len(parts) > 1


def _is_bar(reader: Reader) -> bool:
    """Return whether a bar with a subscript is next."""
    behind = reader.items[reader.position + 1 : reader.position + 2]
    return reader.text == _BAR and [item.text for item in behind] == ["_"]


def _at_a_point(reader: Reader, node: Node, first: int) -> Node:
    script = reader.item
    if not isinstance(script, Command):
        return node
    given = () if _is_of_rest(reader, script) else tuple(_given(reader, script))
    if not given:
        shown = reader.context.printed(script.start, script.stop)
        if not _is_of_rest(reader, script):
            raise LatexError(
                "a value at a point is read where it says at which, '|_{x=0}' or '|_{x^*}', "
                f"found '|{shown}'",
                script.start,
            )
        reader.context.notes.append(f"'|{shown}' {AT_REST}")
    reader.position += 1
    return AtPoint(node, given, reader.span(first))


def limit(reader: Reader) -> Node | None:
    r"""Read ``\lim_{x \to 0}``, what becomes of the product behind it; None for any other."""
    first, behind = reader.position, reader.items[reader.position + 1 : reader.position + 2]
    script = behind[0] if behind else None
    if not isinstance(script, Command) or script.text != "_":
        return None
    reader.position += 1
    given = tuple(_given(reader, script))
    if not given:
        reader.position = first
        return None
    reader.position += 1
    begin = reader.position
    node = reader.joined(reader.run(), begin)
    return AtPoint(node, given, reader.span(first))


def _is_of_rest(reader: Reader, script: Command) -> bool:
    r"""Return whether a script names an equilibrium: ``0``, ``(x^*, u^*)``, ``x = \bar x``."""
    parts = split(_plain(script.arguments[0]))
    return all(_is_resting(reader, part) for part in parts)


def _is_resting(reader: Reader, part: Sequence[Item]) -> bool:
    *_, value = _sides(part)
    text = plain(value)
    if text == "0":
        return len(_sides(part)) == 1
    is_marked = bool(_RESTING.search(text)) or text in _NAMES_OF_REST
    try:
        return is_marked and reader.declared.lookup(text) is None
    except LatexError:
        return is_marked


def _given(reader: Reader, script: Command) -> Iterator[tuple[Name, Node]]:
    """Iterate over the names that have values, with them; ``x = y = 0`` gives two."""
    for part in split(_plain(script.arguments[0])):
        sides = _sides(part)
        if len(sides) < 2 or not all(sides):
            return
        nodes = [reader.inside(side, script) for side in sides]
        for name, _ in pairwise(nodes):
            if not isinstance(name, Name):
                raise LatexError("expected a name before the value at a point", script.start)
            yield name, nodes[-1]


def _plain(items: Sequence[Item]) -> Sequence[Item]:
    r"""Return what stands below a bar, ``\substack{x=0\\y=0}`` with commas."""
    sole = items[0] if len(items) == 1 else None
    if isinstance(sole, Command) and sole.text == r"\substack":
        return sole.arguments[0]
    return sole.items if isinstance(sole, Group) and sole.text == "(" else items


def _sides(items: Sequence[Item]) -> list[list[Item]]:
    sides: list[list[Item]] = [[]]
    for item in items:
        if item.text in ("=", r"\to", r"\equiv"):
            sides.append([])
        elif item.text not in ("&", r"\\"):
            sides[-1].append(item)
    return sides


_COLUMNS = (r"\mathbf", r"\boldsymbol", r"\vec", r"\underline")


def passes_arguments(reader: Reader, name: Name) -> bool:
    """Return whether what is next is only what a name is a function of.

    Raises
    ------
    LatexError
        For the value of a function of time at one moment.
    """
    group = reader.item
    if not isinstance(group, Group) or group.text != "(" or not is_short(group):
        return False
    if names_rest(reader, group):
        return False
    varies = reader.context.declared.varies(name.key)
    parts = split(group.items)
    if len(parts) > 1:
        return all(parts) and not is_decimal(group)
    if varies and is_moment(group):
        if reader.declared.keeps_opaque:
            return False
        shown = reader.context.printed(name.span.start, group.stop)
        raise LatexError(f"'{shown}' is a value at one moment, which is not checked", group.start)
    return _is_open(reader, name, group, varies=varies)


def is_moment(group: Group) -> bool:
    """Return whether a number stands in parentheses, as a moment does."""
    inside = moment_of(group)
    return bool(inside) and all(item.text.isdecimal() for item in inside)


def moment_of(group: Group) -> Sequence[Item]:
    """Return what stands in parentheses, of ``(t = 0)`` what is said of the time."""
    is_told = len(group.items) > 2 and [one.text for one in group.items[:2]] == ["t", "="]
    return group.items[2:] if is_told else group.items


def is_of_a_column(reader: Reader) -> bool:
    r"""Return whether what is next is a column that moves: no mass is ``M(\mathbf q)``."""
    return any(key.startswith(_COLUMNS) for key in _moving(reader))


def is_function_of(reader: Reader) -> bool:
    """Return whether what is next is of what a name that nobody declares is a function."""
    return bool(_moving(reader))


def _moving(reader: Reader) -> list[str]:
    """Return the names in parentheses that are next, if they all move."""
    group = reader.item
    if not isinstance(group, Group) or group.text != "(" or not group.items:
        return []
    found = []
    for part in split(group.items):
        options = spellings(part, 0) if part else []
        known = reader.context.declared.find(options) if options else None
        if not known or known.stop != len(part) or known.superscript:
            return []
        if not reader.context.declared.varies(known.key):
            return []
        found.append(known.key)
    return found


def _is_open(reader: Reader, name: Name, group: Group, *, varies: bool) -> bool:
    """Read one name in parentheses as an argument or as a factor, and tell it."""
    options = spellings(group.items, 0) if group.items else []
    found = reader.context.declared.find(options) if options else None
    is_name = options and options[0].stop == len(group.items) and not options[0].superscript
    is_time = plain(group.items) == "t"
    if not is_name or not (is_time or (found and reader.context.declared.varies(found.key))):
        return False
    shown = reader.context.printed(name.span.start, group.stop)
    function, factor = (
        f"'{shown}' is read as a function of '{plain(group.items)}'",
        f"'{shown}' is read as a product",
    )
    is_squared = not (is_time or name.dots) and _has_power(reader)
    readings = (function, factor) if varies and not is_squared else (factor, function)
    chosen = reader.context.choose(group.start, "arguments", *readings)
    return readings[chosen] == function


def _has_power(reader: Reader) -> bool:
    r"""Return whether a power stands behind what is next, as of the factor of ``\tau (z_1)^2``."""
    behind = reader.items[reader.position + 1 : reader.position + 2]
    return bool(behind) and behind[0].text == "^"
