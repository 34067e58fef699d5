r"""Names: declared ones, the constants of mathematics, and fonts over several at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.scripts import (
    is_function_of,
    is_of_a_column,
    passes_arguments,
)
from freebody.documents.latex.names import FoundName, unknown
from freebody.documents.latex.spellings import Spelling, is_mark, plain, spellings
from freebody.documents.latex.tokens.items import FONTS, STYLES, Command, Item, LatexError, Token
from freebody.documents.latex.tokens.rewriting import styled
from freebody.documents.latex.tree import Call, Matrix, Name, Node, Number, Span

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

_EULER = ("e", r"\mathrm{e}")
ADVICE = {
    "_": "a name before a subscript",
    "'": "a name before a prime",
}
_REFUSED = {
    **dict.fromkeys((r"\int", r"\iint", r"\oint"), "integrals are not read"),
    **dict.fromkeys((r"\lim", r"\limsup"), "limits are not read"),
    **dict.fromkeys((r"\sum", r"\prod"), "a sum or product of what it does not say is not read"),
    **dict.fromkeys(
        (r"\overset", r"\underset", r"\stackrel"), "a mark over or under this is not read"
    ),
    r"\otimes": "tensor products are not read",
}


def named(reader: Reader) -> Node:
    """Read a name; one that is not declared is kept in mind."""
    first = reader.position
    options = spellings(reader.items, first)
    found = reader.declared.find_shorthand(reader.items, first) or reader.declared.find(options)
    if found is None:
        return _undeclared(reader, options)
    if found.superscript and is_mark(found.superscript) and not _is_in_front(reader, found):
        return _undeclared(reader, options)
    reader.position = found.stop
    name = _indexed(reader, found, reader.span(first))
    if found.superscript:
        return _raised(reader, name, found.superscript, first)
    if not found.superscript and not reader.declared.varies(name.key) and is_of_a_column(reader):
        reader.position = first
        return _undeclared(reader, options[:1])
    if passes_arguments(reader, name):
        reader.position += 1
    return name


def _indexed(reader: Reader, found: FoundName, span: Span) -> Name:
    """Choose between one index of two digits and two of one, where both are declared."""
    ways = [(found.key, found.indices), *found.others]
    chosen = 0
    if found.others:
        shown = reader.context.printed(span.start, span.stop)
        readings = (
            f"'{shown}' is read as entry {', '.join(map(str, i))} of '{k}'" for k, i in ways
        )
        chosen = reader.context.choose(span.start, "index", *readings)
    return Name(ways[chosen][0], found.dots, span, ways[chosen][1])


def _is_in_front(reader: Reader, found: FoundName) -> bool:
    """Return whether the superscript of a name stands in front of the next one."""
    superscript, first = found.superscript, reader.position
    if superscript is None or not reader.declared.has_prescripts:
        return False
    reader.position = reader.items.index(superscript, first)
    is_in_front = reader.is_prescript()
    reader.position = first
    return is_in_front


def _raised(reader: Reader, name: Name, superscript: Command, first: int) -> Node:
    """Read the power of a name, unless it stands in front of the next name."""
    if reader.declared.has_prescripts:
        behind = reader.position
        reader.position = reader.items.index(superscript, first)
        if reader.is_prescript():
            return name
        reader.position = behind
    return reader.power(name, superscript, first)


def _undeclared(reader: Reader, options: list[Spelling]) -> Node:
    """Read a constant of mathematics, a font over several names, or an unknown name."""
    first, item = reader.position, reader.items[reader.position]
    if item.text in _REFUSED:
        raise LatexError(_REFUSED[item.text], item.start)
    if isinstance(item, Command) and item.text in STYLES and (node := _in_font(reader, item)):
        return node
    if node := _identity(reader, options):
        return node
    if not options and _is_command(item):
        reader.declared.undefined.add(item.text)
        raise LatexError(
            f"the command '{item.text}' is not known, and not defined here", item.start
        )
    if not options:
        raise reader.expected(ADVICE.get(reader.text, "a number, a name or a bracket"))
    reader.position = options[-1].stop
    is_called = _is_of_a_name(reader, options[0]) or is_of_a_column(reader)
    found = unknown(options[:1] if is_called else options)
    reader.position = found.stop
    span = reader.span(first)
    if found.key in _EULER and found.superscript:
        exponent = found.superscript.arguments[0]
        return Call("exp", reader.inside(exponent, found.superscript), span)
    if found.key == r"\pi":
        pi = Call("degrees", Number(Fraction(180), span), span)
        return reader.power(pi, found.superscript, first) if found.superscript else pi
    name = Name(found.key, 0, span)
    reader.context.undeclared.append(name)
    if not found.superscript and is_function_of(reader):
        reader.position += 1
    return reader.power(name, found.superscript, first) if found.superscript else name


def _is_of_a_name(reader: Reader, option: Spelling) -> bool:
    r"""Return whether a letter S is printed as a function of a declared name: ``S(\omega)``."""
    if not option.arguments or not re.search(r"S\}?$", option.base) or option.subscript:
        return False
    try:
        return reader.declared.lookup(option.arguments) is not None
    except LatexError:
        return False


def _is_command(item: Item) -> bool:
    """Return whether an item is a command of letters that nothing says the meaning of."""
    return isinstance(item, Token) and item.text[:1] == "\\" and item.text[1:].isalpha()


def zero(reader: Reader, node: Number) -> Node:
    r"""Read the size of a zero: ``\mathbf 0_{3\times 1}``; without one it is of any size."""
    script = reader.item
    if node.value or not isinstance(script, Command) or script.text != "_":
        return node
    size = sized(plain(script.arguments[0]))
    reader.position += 1
    if not size:
        return node
    return table(Span(node.span.start, script.stop), size, lambda *_: 0)


def _identity(reader: Reader, options: list[Spelling]) -> Node | None:
    r"""Read an identity matrix of a printed size: ``I_{3\times 3}``."""
    first = reader.position
    size = sized(options[-1].subscript) if options else None
    letter = re.sub(r"\\[a-z]+|[{}]", "", options[-1].base) if options else ""
    if not size or letter not in ("I", "E", "1") or size[0] != size[1]:
        return None
    reader.position = options[-1].stop
    return table(reader.span(first), size, lambda i, j: int(i == j))


def sized(subscript: str) -> tuple[int, int] | None:
    r"""Return the size of a matrix that a subscript prints, such as ``3\times 2``."""
    match = re.fullmatch(r"([1-9])\\times ?([1-9])", subscript)
    return (int(match[1]), int(match[2])) if match else None


def table(span: Span, size: tuple[int, int], entry: Callable[[int, int], int]) -> Matrix:
    """Return a matrix of numbers."""
    rows, columns = size
    return Matrix(
        tuple(
            tuple(Number(Fraction(entry(i, j)), span) for j in range(columns)) for i in range(rows)
        ),
        span,
    )


def _is_sum(items: Sequence[Item]) -> bool:
    return any(item.text in ("+", "-") for item in items)


def _in_style(reader: Reader, style: str, item: Item) -> Item:
    """Return an item in a font, or below an accent of its own."""
    if style in FONTS:
        greek = rf"\boldsymbol{{{item.text}}}"
        is_bold = style == r"\mathbf" and greek in reader.declared.bases
        return styled(r"\boldsymbol" if is_bold else style, item)
    is_letter = bool(spellings([item], 0))
    return Command(style, ((item,),), item.start, item.stop) if is_letter else item


def _in_font(reader: Reader, command: Command) -> Node | None:
    """Read a font over more than one name; None where that is no expression in declared names."""
    inside = command.arguments[0]
    if [item.text for item in inside] == ["0"]:
        reader.position += 1
        return zero(reader, Number(Fraction(0), Span(command.start, command.stop)))
    if len(inside) < 2 or not (command.text in FONTS or _is_sum(inside)):
        return None
    unknown_before = len(reader.context.undeclared)
    parts = [_in_style(reader, command.text, item) for item in inside]
    try:
        node = reader.inside(parts, command)
    except LatexError:
        return None
    if len(reader.context.undeclared) > unknown_before and spellings([command], 0):
        del reader.context.undeclared[unknown_before:]
        return None
    reader.position += 1
    return node
