r"""Lists of symbols of LaTeX: the entries of glossaries, and of nomenclatures.

An entry, ``\newglossaryentry{len}{name=$l$, description={length}}``, is printed by ``\gls{len}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from freebody.documents.latex.tokens.arguments import argument, option

HEADS = (
    r"(?P<long>longnewglossaryentry\*?|longprovideglossaryentry)"
    r"|(?P<entry>(?:new|provide)glossaryentry)|(?P<symbol>glsxtrnewsymbol)"
)
"""Commands that make an entry of a glossary."""
_HEAD = re.compile(rf"\\(?:{HEADS}|(?P<nomenclature>nomenclature))(?![A-Za-z])")
_FIELD = re.compile(r"[\s,%]*([A-Za-z]+)\s*=\s*((?:[^,{}]|\{[^{}]*\})*)")
_FORMULA = re.compile(
    r"\s*(?:\\ensuremath\s*\{(?P<ensured>.*)\}|\$(?P<dollars>[^$]+)\$|\\\((?P<brackets>.+)\\\))\s*",
    re.DOTALL,
)
_UNIT = re.compile(
    r"\s*(?:\\(?:nomref[a-z]*|nopostdesc)"
    r"|[(\[]?\s*\\(?:si|SI|unit|qty|nomunit)(?:\s*\{[^{}]*\}){1,2}\s*[)\]]?)(?=[\s.,;]*$)"
)
"""What ends a description, and says not what a symbol is."""


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A symbol, by which key it is printed, and what is said of it.

    The key is empty where nothing prints it, `latex` where it is a word.
    """

    key: str
    latex: str
    words: str


_Found: TypeAlias = tuple[GlossaryEntry, int] | None
"""An entry, and where it ends; None where there is none."""


def glossary_entries(text: str) -> Iterator[GlossaryEntry]:
    r"""Iterate over the entries of the glossaries and nomenclatures of a page in their order.

    Examples
    --------
    >>> page = r"\newglossaryentry{len}{name={$l$}, description={length of the rod (\si{m}).}}"
    >>> page += r"\glsxtrnewsymbol[description={angle}]{a}{\ensuremath{\theta}}"
    >>> page += r"\nomenclature{$m$}{mass, \nomunit{$kg$}}"
    >>> [(one.key, one.latex, one.words) for one in glossary_entries(page)]
    [('len', 'l', 'length of the rod'), ('a', '\\theta', 'angle'), ('', 'm', 'mass')]
    """
    for head in _HEAD.finditer(text):
        if found := READERS[head.lastgroup or ""](text, head.end()):
            yield found[0]


def _entry(text: str, position: int) -> _Found:
    if not (found := _arguments(text, position)):
        return None
    _, key, fields, stop = found
    told = _fields(fields)
    name = told.get("symbol") or told.get("name", "")
    return _made(key, name, told.get("description", "")), stop


def _long(text: str, position: int) -> _Found:
    found = _entry(text, position)
    described = argument(text, found[1]) if found else None
    if found is None or described is None:
        return None
    return GlossaryEntry(found[0].key, found[0].latex, _said(described[0])), described[1]


def _symbol(text: str, position: int) -> _Found:
    if not (found := _arguments(text, position)):
        return None
    options, key, name, stop = found
    return _made(key, name, _fields(options).get("description", "")), stop


def _nomenclature(text: str, position: int) -> _Found:
    if not (found := _arguments(text, position)):
        return None
    _, name, described, stop = found
    return _made("", name, described), stop


def _arguments(text: str, position: int) -> tuple[str, str, str, int] | None:
    """Return the option of a command, its two arguments, and where it ends."""
    options = option(text, position)
    first = argument(text, options[1] if options else position)
    second = argument(text, first[1]) if first else None
    if first is None or second is None:
        return None
    return options[0] if options else "", first[0], *second


READERS: Mapping[str, Callable[[str, int], _Found]] = {
    "entry": _entry,
    "long": _long,
    "symbol": _symbol,
    "nomenclature": _nomenclature,
}
"""What reads an entry behind its command, by the name of its group in `HEADS`."""


def _made(key: str, name: str, described: str) -> GlossaryEntry:
    formula = _FORMULA.fullmatch(name)
    latex = next(filter(None, formula.groups())) if formula else ""
    return GlossaryEntry(key.strip(), latex.strip(), _said(described))


def _said(described: str) -> str:
    """Return what is said of a symbol, without its unit at the end."""
    return " ".join(_UNIT.sub("", described).split()).rstrip(" .,;")


def _fields(text: str) -> Mapping[str, str]:
    """Return the values of ``key = value``, each in braces or up to a comma outside of them."""
    fields, position = dict[str, str](), 0
    while field := _FIELD.match(text, position):
        start = field.start(2)
        braced = argument(text, start) if text.startswith("{", start) else None
        value, position = braced or (field[2], field.end())
        fields[field[1]] = value.strip()
    return fields
