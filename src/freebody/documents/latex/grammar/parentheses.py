r"""Parentheses behind a name: what it is a function of, or a factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.brackets import is_decimal, split
from freebody.documents.latex.grammar.scripts import names_rest
from freebody.documents.latex.names import is_short, plain, spellings
from freebody.documents.latex.tokens.items import Group, LatexError
from freebody.documents.latex.tree import Name

_COLUMNS = (r"\mathbf", r"\boldsymbol", r"\vec", r"\underline")

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader


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
    return bool(group.items) and all(item.text.isdecimal() for item in group.items)


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
    told = (function, factor) if varies else (factor, function)
    chosen = reader.context.choose(group.start, "arguments", *told)
    return told[chosen] == function
