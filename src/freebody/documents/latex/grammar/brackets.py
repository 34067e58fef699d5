"""What stands in brackets, between bars, or in the environment of a matrix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from freebody.documents.latex.spellings import plain
from freebody.documents.latex.tokens.items import Command, Group, Item, LatexError, Token, words
from freebody.documents.latex.tokens.rewriting import RELATIONS
from freebody.documents.latex.tree import Call, Matrix, Multiply, Node, Number, Span

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

LISTS = frozenset({"(", r"\{"})
BRACKETS = frozenset({"(", "[", r"\{"})
MATRICES = frozenset({"matrix", "bmatrix", "pmatrix", "Bmatrix", "smallmatrix", "array"})
CASES = frozenset({"cases", "dcases", "rcases", "drcases"})
ANGLED = r"\langle"
_OF_VECTORS = re.compile(
    r"\\(?:mathbf|boldsymbol|bm|vec|va|vb|hat|bar|nabla|overrightarrow|underline)(?![A-Za-z])"
)
BARS = {"|": "abs", r"\|": "norm"}
TRANSPOSED = frozenset({"T", r"\top", r"\intercal", r"\mathsf{T}", r"\mathrm{T}", "t"})
QUADS = frozenset({r"\quad", r"\qquad"})
_WIDE_SPACES = QUADS | {r"\ ", "&"}
_SPACE = re.compile(r"\\[;:>, ]|[~&]")
_EMPTY = "the cells of a matrix without anything in them are read as zero"
_BY_CASES = "an expression by cases is not read; write each case as an equation of its own"


def barred(reader: Reader) -> Node:
    """Read what stands between two bars, or two double ones."""
    first, bar = reader.position, reader.text
    width = 1 + (bar == "|" and _is_double(reader.items, first))
    behind = reader.items[first + width :]
    length = next((i for i in range(len(behind)) if _closes(behind, i, bar, width)), 0)
    if not length:
        raise reader.expected(r"\left| ... \right| for an absolute value")
    reader.position += length + 2 * width
    _pass_over(reader, "2")
    span = reader.span(first)
    function = "norm" if width > 1 else BARS[bar]
    return Call(function, reader.below(behind[:length], span).whole(), span)


def _closes(items: Sequence[Item], position: int, bar: str, width: int) -> bool:
    is_bar = items[position].text == bar
    return is_bar and (width == 1 or _is_double(items, position))


def _is_double(items: Sequence[Item], first: int) -> bool:
    """Return whether two bars touch: ``||r||``."""
    pair = items[first : first + 2]
    return [item.text for item in pair] == ["|", "|"] and pair[0].stop == pair[1].start


def enclosed(reader: Reader, group: Group) -> Node:
    """Read what brackets enclose: a matrix, a row of entries, or an expression."""
    reader.position += 1
    span = Span(group.start, group.stop)
    if group.text == "vmatrix":
        return Call("det", _matrix(reader, cells(group.items), group), span)
    if group.text == "Vmatrix":
        _pass_over(reader, "2")
        return Call("norm", _matrix(reader, cells(group.items), group), span)
    if group.text in BARS:
        _pass_over(reader, "2" if group.text == r"\|" else None)
        return Call(BARS[group.text], reader.inside(group.items, group), span)
    if _is_matrix(group):
        _pass_over(reader, r"\times")
    if group.text in MATRICES:
        return _matrix(reader, cells(group.items), group)
    if group.text == ANGLED:
        return _angled(reader, group)
    if group.text == "." and (reader.text == "_" or _is_open(reader, group)):
        return reader.inside(group.items, group)
    if group.text not in BRACKETS and group.text != "{":
        raise LatexError(_reason_against(group), group.start)
    return _bracketed(reader, group)


def _angled(reader: Reader, group: Group) -> Node:
    r"""Read ``\langle a, b \rangle``: a column, or a scalar product of what is printed as vectors.

    The product may be printed with a bar as well: ``\langle a | b \rangle``. Of one expression it
    is the positive part.
    """
    parts, span = split(group.items), Span(group.start, group.stop)
    bars = [at for at, item in enumerate(group.items) if item.text in ("|", r"\mid")]
    if len(parts) == len(bars) == 1:  # as physicists print it
        parts = [[*group.items[: bars[0]]], [*group.items[bars[0] + 1 :]]]
    nodes = tuple(reader.inside(part, group) for part in parts)
    shown = reader.context.printed(group.start, group.stop)
    if len(nodes) == 2 and (bars or _OF_VECTORS.search(shown)):
        return Multiply(nodes, span)
    if len(nodes) > 1:
        return Matrix(tuple((node,) for node in nodes), span)
    readings = f"'{shown}' is read as the positive part", f"'{shown}' is read as in brackets"
    chosen = reader.context.choose(group.start, "angled", *readings)
    return nodes[0] if chosen else positive(nodes[0], span)


def positive(node: Node, span: Span) -> Node:
    """Return the positive part of an expression."""
    return Call("max", Matrix(((node, Number(Fraction(0), span)),), span), span)


def _is_matrix(group: Group) -> bool:
    sole = group.items[0] if len(group.items) == 1 else None
    return group.text in MATRICES or (isinstance(sole, Group) and sole.text in MATRICES)


def _pass_over(reader: Reader, mark: str | None) -> None:
    """Pass over a subscript that says only what kind of norm, or of what size a matrix is.

    It may stand behind a power: ``||v||^2_2``.
    """
    script, behind = reader.item, reader.items[reader.position + 1 : reader.position + 2]
    if mark and script is not None and script.text == "^" and behind and behind[0].text == "_":
        if mark in [item.text for item in behind[0].arguments[0]]:  # type: ignore[union-attr]
            before = reader.items[: reader.position + 1]
            reader.items = (*before, *reader.items[reader.position + 2 :])
        return
    if mark and isinstance(script, Command) and script.text == "_":
        reader.position += mark in [item.text for item in script.arguments[0]]


def _bracketed(reader: Reader, group: Group) -> Node:
    sole = group.items[0] if len(group.items) == 1 else None
    if isinstance(sole, Group) and sole.text in MATRICES:
        if group.text == r"\{" and has_cases(sole.items):
            raise LatexError(_BY_CASES, group.start)
        return _matrix(reader, cells(sole.items), group)
    if _is_list(group):
        return _listed(reader, group)
    if group.items and group.items[-1].text == r"\times":
        return Call("skew", reader.inside(group.items[:-1], group), Span(group.start, group.stop))
    entries = _parts(_unspaced(group.items), {r"\ ", ",", *QUADS}) if group.text == "[" else []
    if len(entries) < 2 and (_is_transposed(reader) or _has_columns(reader, group)):
        entries = _spaced(reader, group)
    if len(entries) > 1:
        return _matrix(reader, [entries], group)
    return reader.inside([item for item in group.items if item.text != r"\ "], group)


def _is_list(group: Group) -> bool:
    """Return whether entries stand in brackets, apart by commas, or by semicolons as rows do."""
    is_list = group.text in LISTS and len(split(group.items)) > 1 and not is_decimal(group)
    return is_list or _has_rows(group)


def _has_rows(group: Group) -> bool:
    return group.text in BRACKETS and any(item.text == ";" for item in group.items)


def _listed(reader: Reader, group: Group) -> Node:
    r"""Read a list as a column, and so that ``(a, b)^T`` is one: nobody transposes it to a row."""
    if _has_rows(group):
        return _matrix(reader, [split(row) for row in split(group.items, ";")], group)
    entries = split(group.items)
    rows = [entries] if _is_transposed(reader) else [[entry] for entry in entries]
    return _matrix(reader, rows, group)


def _is_open(reader: Reader, group: Group) -> bool:
    r"""Return whether a group has no bracket on either side: ``\left. ... \right.``."""
    return reader.context.text[group.start : group.stop].rstrip().endswith(r"\right.")


def _is_transposed(reader: Reader) -> bool:
    """Return whether a transpose follows, which makes no sense of a scalar."""
    mark = reader.item
    return isinstance(mark, Command) and mark.text == "^" and plain(mark.arguments[0]) in TRANSPOSED


def _has_columns(reader: Reader, group: Group) -> bool:
    """Return whether a row in brackets has marks of columns, which align the lines of a sum."""
    text = reader.context.text[group.start : group.stop]
    return group.text == "[" and "&" in text and r"\\" not in text


def _unspaced(items: Sequence[Item]) -> list[Item]:
    """Return items without the wide spaces in front of a sign, by which lines of a sum begin."""
    following = [*items, None][1:]
    return [
        item
        for item, after in zip(items, following, strict=True)
        if not (item.text in QUADS and after is not None and after.text in ("+", "-", "="))
    ]


def _spaced(reader: Reader, group: Group) -> list[list[Item]]:
    r"""Split a row at the spaces that are printed in it: ``[a \; b \; 0]^T``."""
    parts: list[list[Item]] = [[]]
    for item in group.items:
        between = reader.context.text[parts[-1][-1].stop : item.start] if parts[-1] else ""
        is_wide = item.text in _WIDE_SPACES or _SPACE.search(between)
        if is_wide and item.text not in ("+", "=") and parts[-1][-1:]:
            parts.append([])
        if item.text not in _WIDE_SPACES:
            parts[-1].append(item)
    return [part for part in parts if part]


def _reason_against(group: Group) -> str:
    if group.text in CASES:
        return _BY_CASES
    return f"'{group.text}' is not a bracket or a matrix"


def _matrix(reader: Reader, rows: list[list[list[Item]]], group: Group) -> Node:
    """Read the cells of a matrix."""
    if len({len(row) for row in rows}) != 1:
        counts = ", ".join(str(len(row)) for row in rows)
        raise LatexError(f"the rows of a matrix differ in length: {counts}", group.start)
    rows = _without_gaps(rows)
    read = tuple(tuple(_cell(reader, cell, group) for cell in row) for row in rows)
    return Matrix(read, Span(group.start, group.stop))


def _without_gaps(rows: list[list[list[Item]]]) -> list[list[list[Item]]]:
    r"""Return the rows of a matrix without the gaps between all its columns: ``a && b``."""
    gaps = [[place for place, cell in enumerate(row) if not cell[0].text] for row in rows]
    between = [*range(1, len(rows[0]), 2)]
    is_spaced = len(rows[0]) % 2 and between and all(gap == between for gap in gaps)
    return [row[::2] for row in rows] if is_spaced else rows


def _cell(reader: Reader, cell: list[Item], group: Group) -> Node:
    """Read a cell of a matrix; one without anything in it is zero, which is told."""
    if len(cell) == 1 and not cell[0].text:
        if _EMPTY not in reader.context.notes:
            reader.context.notes.append(_EMPTY)
        return Number(Fraction(0), Span(cell[0].start, cell[0].stop))
    return reader.inside(cell, group)


def split(items: Sequence[Item], mark: str = ",") -> list[list[Item]]:
    """Split a row of items at its commas, or at other marks."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if item.text == mark:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def is_decimal(group: Group) -> bool:
    """Return whether the comma in brackets is that of a number; of several none is."""
    if len(split(group.items)) > 2:
        return False
    at = next(i for i, item in enumerate(group.items) if item.text == ",")
    around = group.items[at - 1 : at + 2]
    digits = all(isinstance(item, Token) and item.text.isdecimal() for item in around[::2])
    return at > 0 and digits and around[0].stop == around[-1].start - 1


def has_cases(items: Sequence[Item]) -> bool:
    """Return whether a table has words or relations in it, as the conditions of cases."""
    return any(
        isinstance(item, Token) and (item.text in RELATIONS or words(item) is not None)
        for item in items
    )


def _parts(items: Sequence[Item], separators: set[str]) -> list[list[Item]]:
    """Split a row of items; parts that are empty in print are left out."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if isinstance(item, Token) and item.text in separators:
            parts.append([])
        else:
            parts[-1].append(item)
    return [part for part in parts if part]


def cells(items: Sequence[Item]) -> list[list[list[Item]]]:
    """Return the rows of a table with their cells; in an empty one a token of nothing stands."""
    rows: list[list[list[Item]]] = [[[]]]
    starts = [[items[0].start if items else 0]]
    for item in items:
        if item.text == r"\\":
            rows.append([[]])
            starts.append([item.stop])
        elif item.text == "&":
            rows[-1].append([])
            starts[-1].append(item.stop)
        else:
            rows[-1][-1].append(item)
    return [
        [cell or [Token("", at, at)] for cell, at in zip(row, places, strict=True)]
        for row, places in zip(rows, starts, strict=True)
        if len(row) > 1 or any(row)
    ]
