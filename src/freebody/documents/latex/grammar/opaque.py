r"""What is read but not worked out: integrals, limits, optima, sums over an unnamed number.

A page that is read with names of its own keeps such a part as an `Opaque`, with the mathematics
that stands in it, so that the rest of its equation is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.brackets import BARS, CASES
from freebody.documents.latex.grammar.derivatives import derivative
from freebody.documents.latex.grammar.functions import function
from freebody.documents.latex.grammar.scripts import is_moment, moment_of, scripted
from freebody.documents.latex.grammar.series import SIGNS, scripts
from freebody.documents.latex.spellings import plain, spellings
from freebody.documents.latex.tokens.arguments import argument
from freebody.documents.latex.tokens.items import (
    FRACTIONS,
    STYLES,
    UPRIGHT,
    Command,
    Group,
    Item,
    LatexError,
    words,
)
from freebody.documents.latex.tree import AtPoint, Name, Node, Number, Opaque, Span

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

INTEGRALS = frozenset({r"\int", r"\iint", r"\iiint", r"\oint", "∫", r"\idotsint"})
LIMITS = frozenset({r"\lim", r"\limsup", r"\liminf"})
_OPTIMA = frozenset({"min", "max", "arg", "argmin", "argmax", "inf", "sup", "minimize", "maximize"})
_OPERATORS = {
    **dict.fromkeys((r"\otimes", r"\oplus", r"\odot", r"\circ", r"\star", r"\bullet"), "operator"),
    **dict.fromkeys((r"\cup", r"\cap", r"\setminus", r"\in", r"\notin", r"\subset"), "set"),
    **dict.fromkeys((r"\subseteq", r"\supset", r"\emptyset", r"\varnothing"), "set"),
    **dict.fromkeys((r"\mid", r"\perp", r"\parallel", r"\angle", r"\triangle"), "operator"),
    **dict.fromkeys((r"\forall", r"\exists", r"\neg", r"\land", r"\lor", r"\vee"), "operator"),
    **dict.fromkeys((r"\to", r"\rightarrow", r"\mapsto", r"\longrightarrow"), "operator"),
    **dict.fromkeys((r"\uparrow", r"\downarrow", r"\nearrow", r"\searrow"), "operator"),
}
_SETS = frozenset({*(rf"\mathbb{{{letter}}}" for letter in "RCNZQ"), *"ℝℂℕℤℚ"})
_GROUPS = re.compile(r"(?:S[OEU]|s[oeu])\([23n]\)")
"""Sets of motions, and of their rates."""
_OF_GROUP = 3
"""Items of ``SO(3)``."""
_DERIVATIVES = {r"\nabla": "a gradient", r"\partial": "a derivative by an argument"}
_MARKED = frozenset({r"\overset", r"\underset", r"\stackrel", r"\not"})
_ROUNDED = frozenset({r"\lfloor", r"\lceil"})
_STEP = re.compile(r"[A-Za-z](?:[+-]\d+)?|\d+|\\cdot|:")


def opaque(reader: Reader, item: Item) -> Node | None:
    """Read what begins here and is not worked out; None where that is something else."""
    first = reader.position
    if item.text in INTEGRALS:
        return _integral(reader, first)
    if item.text in LIMITS or _is_optimum(reader, item):
        what = "a limit" if item.text in LIMITS else "an optimum"
        reader.position += 1
        _pass_scripts(reader)
        return Opaque(what, _rest(reader), reader.span(first))
    if item.text in _OPERATORS:
        reader.position += 1
        named = {"set": "a set", "operator": f"the operator '{item.text}'"}
        return Opaque(named[_OPERATORS[item.text]], (), reader.span(first))
    if plain([item]) in _SETS:
        reader.position += 1
        _pass_scripts(reader)
        return Opaque("a set", (), reader.span(first))
    if _GROUPS.fullmatch(plain(reader.items[first : first + _OF_GROUP])):
        reader.position += _OF_GROUP
        return Opaque("a set", (), reader.span(first))
    if isinstance(item, Group) and item.text in _ROUNDED:
        reader.position += 1
        return Opaque("a rounded number", (), reader.span(first))
    if isinstance(item, Group) and item.text in CASES:
        reader.position += 1
        return Opaque("an expression by cases", (), reader.span(first))
    if words(item) is not None and not spellings([item], 0) and item.text[:4] != r"\tag":
        reader.position += 1
        return Opaque("words", (), reader.span(first))
    return None


def instead(reader: Reader, item: Item, first: int) -> Node | None:
    """Read what cannot be read otherwise; None where there is no way."""
    reader.position = first + 1
    if item.text in SIGNS:
        reader.position += len(scripts(reader, first))
        parts = _rest(reader, ("+", "-"))
        kind = "sum" if SIGNS[item.text] == "sum" else "product"
        return Opaque(f"a {kind} over an unnamed number", parts, reader.span(first))
    if what := _DERIVATIVES.get(item.text):
        _pass_scripts(reader)
        parts = (reader.factor(),) if reader.is_factor() else ()
        return Opaque(what, parts, reader.span(first))
    if item.text in FRACTIONS and isinstance(item, Command) and derivative(*item.arguments):
        return Opaque("a derivative by what is no name", (), reader.span(first))
    if isinstance(item, Command) and item.text in _MARKED | STYLES:
        parts = (reader.inside(item.arguments[-1], item),)
        return Opaque(
            f"a mark over or under an expression ('{item.text}')", parts, reader.span(first)
        )
    if isinstance(item, Group) and any(one.text in CASES for one in item.items):
        return Opaque("an expression by cases", (), reader.span(first))
    if reader.text == "_" and function(item):
        _pass_scripts(reader)
        reader.position += isinstance(reader.item, Group)
        shown = reader.context.printed(item.start, reader.items[reader.position - 1].stop)
        return Opaque(f"the function '{shown}'", (), reader.span(first))
    return _undefined(reader, item, first)


def followed(reader: Reader, node: Node, first: int) -> Node:
    r"""Return a primary with what stands right behind it: ``x|_{t=0}``, ``x[k+1]``, ``n!``."""
    if not reader.declared.keeps_opaque:
        return scripted(reader, node, first)
    node, second = _stepped(reader, node, first), reader.position
    try:
        node = scripted(reader, node, first)
    except LatexError:
        reader.position = second + 1
        _pass_scripts(reader)
        return Opaque("a value at a point", (node,), reader.span(first))
    while reader.text in ("_", "'"):
        what = "a component of an expression" if reader.text == "_" else "a primed expression"
        reader.position += 1
        node = Opaque(what, (node,), reader.span(first))
    return node


def _stepped(reader: Reader, node: Node, first: int) -> Node:
    item = reader.item
    if item is None:
        return node
    is_called = isinstance(item, Group) and item.text == "(" and isinstance(node, Name)
    if is_called and isinstance(item, Group) and is_moment(item) and isinstance(node, Name):
        if not reader.declared.varies(node.key):
            return node
        reader.position += 1
        at = Span(item.start, item.stop)
        given = (Name("t", 0, at), reader.inside(moment_of(item), item))
        return AtPoint(node, (given,), reader.span(first))
    if isinstance(item, Group) and item.text == "(" and _ends_raised(item):
        reader.position += 1
        return Opaque("a value at one moment", (node,), reader.span(first))
    touches = reader.items[reader.position - 1].stop == item.start
    if item.text == "!" and not isinstance(node, Number):
        while reader.text == "!":  # a double one
            reader.position += 1
        return Opaque("a factorial", (node,), reader.span(first))
    is_index = isinstance(item, Group) and item.text == "[" and touches and isinstance(node, Name)
    if is_index and isinstance(item, Group) and _STEP.fullmatch(plain(item.items)):
        reader.position += 1
        return Opaque("a value at one step", (node,), reader.span(first))
    return node


def _ends_raised(group: Group) -> bool:
    """Return whether a moment before or after an impact stands in parentheses: ``(t^-)``."""
    last = group.items[-1] if group.items else None
    is_raised = isinstance(last, Command) and last.text == "^"
    return is_raised and isinstance(last, Command) and plain(last.arguments[0]) in ("+", "-")


def _integral(reader: Reader, first: int) -> Node:
    """Read an integral up to its differential, or to the end of its term."""
    reader.position += 1
    _pass_scripts(reader)
    begin, items = reader.position, reader.items
    stop = next((n for n in range(begin, len(items)) if _is_differential(items, n)), None)
    if stop is None:
        return Opaque("an integral", _rest(reader, ("+", "-")), reader.span(first))
    inside = items[begin:stop]
    while inside and inside[-1].text in (r"\cdot", r"\times"):  # of vectors: F · dr
        inside = inside[:-1]
    reader.position = spellings(items, stop + 1)[-1].stop if _is_split(items, stop) else stop + 1
    at = reader.span(first)
    if not inside:
        parts = tuple(reader.run()) if reader.is_factor() else ()
        return Opaque("an integral", parts, reader.span(first))
    parts = (reader.below(inside, at).whole(),)
    return Opaque("an integral", parts, reader.span(first))


def _is_differential(items: Sequence[Item], position: int) -> bool:
    item = items[position]
    if isinstance(item, Command) and item.text in UPRIGHT:
        letters = "".join(one.text for one in item.arguments[0])
        if len(letters) > 1 and letters[0] == "d" and len(letters) <= 3:
            return True
    return _is_split(items, position)


def _is_split(items: Sequence[Item], position: int) -> bool:
    """Return whether a ``d`` and a name stand here."""
    is_mark = plain(items[position : position + 1]) == "d"
    return is_mark and position + 1 < len(items) and bool(spellings(items, position + 1))


def _is_optimum(reader: Reader, item: Item) -> bool:
    name = item.text.removeprefix("\\")
    if isinstance(item, Command) and item.text in UPRIGHT:
        name = "".join(one.text for one in item.arguments[0])
    elif (said := words(item)) is not None:
        name = said.strip()
    elif name == item.text:
        return False
    behind = reader.items[reader.position + 1 : reader.position + 2]
    is_called = bool(behind) and isinstance(behind[0], Group) and behind[0].text in ("(", r"\{")
    return name.replace(" ", "") in _OPTIMA and not is_called


def _pass_scripts(reader: Reader) -> None:
    reader.position += len(scripts(reader, reader.position - 1))


def _rest(reader: Reader, ends: Sequence[str] = ()) -> tuple[Node, ...]:
    """Read what is left of an expression, or of its term."""
    begin, body, bars = reader.position, list[Item](), 0
    for item in reader.items[begin:]:
        if item.text in ends and bars % 2 == 0:
            break
        bars += item.text in BARS
        body.append(item)
    if not body:
        return ()
    reader.position += len(body)
    return (reader.below(body, reader.span(begin)).whole(),)


def _undefined(reader: Reader, item: Item, first: int) -> Node | None:
    r"""Read a command that the page does not define, with what stands in braces behind it."""
    if item.text[:1] != "\\" or not item.text[1:].isalpha() or isinstance(item, Command | Group):
        return None
    text, stop = reader.context.text, item.stop
    while text[stop:].lstrip(" ")[:1] == "{" and (given := argument(text, stop)):
        stop = given[1]
    if stop == item.stop:
        return None
    inside = [*takewhile(lambda one: one.start < stop, reader.items[first + 1 :])]
    reader.position = first + 1 + len(inside)
    message = f"the command '{item.text}', which the page does not define"
    return Opaque(message, (), reader.span(first))
