r"""Units as they are printed behind numbers: ``\mathrm{m/s^2}``, ``\text{ kg}``, ``\si{...}``."""

from __future__ import annotations

import re

from freebody.documents.latex.names import plain
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Item, Token, words

_LONGEST = 20  # characters
_UNIT = r"(?:(?:[numckMGT]|\\mu)?(?:m|g|s|N|J|W|Pa|Hz|rad|K|V|A|L)|kg|deg|min|h|rpm|lb|ft|in)"
_BETWEEN = r"(?:[/.()\s]|\\cdot|\*)*"
_UNITS = re.compile(rf"{_BETWEEN}(?:{_UNIT}(?:\^\{{?-?\d\}}?)?{_BETWEEN})+")


def is_unit(item: Item) -> bool:
    """Return whether an item prints as a unit."""
    if isinstance(item, Command) and item.text in (r"\si", r"\unit"):
        return True
    text = words(item) if isinstance(item, Token) else None
    if isinstance(item, Command) and item.text in UPRIGHT:
        text = plain(item.arguments[0])
    text = (text or "").replace(r"\ ", "").strip()
    return 0 < len(text) <= _LONGEST and _UNITS.fullmatch(text) is not None
