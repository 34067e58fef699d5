r"""Units as they are printed behind numbers: ``\mathrm{m/s^2}``, ``\text{ kg}``, ``\si{...}``.

Values are in coherent SI units, so that a unit is a factor: of centimetres a hundredth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import radians

from freebody.algebra.units import NUMBER, UNITS, Dimension
from freebody.documents.latex.spellings import plain
from freebody.documents.latex.tokens.items import (
    FRACTIONS,
    UPRIGHT,
    Command,
    Group,
    Item,
    Token,
    words,
)

_LONGEST = 40  # characters
_PREFIXES = {
    "n": Fraction(1, 10**9),
    "µ": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "c": Fraction(1, 100),
    "k": Fraction(1000),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
}
_SIMPLE = {
    **dict.fromkeys(("m", "s", "N", "J", "W", "Pa", "Hz", "rad", "V", "A", "K", "kg"), Fraction(1)),
    "g": Fraction(1, 1000),
    "L": Fraction(1, 1000),
    "min": Fraction(60),
    "h": Fraction(3600),
    **dict.fromkeys(("hour", "hours"), Fraction(3600)),
    **dict.fromkeys(("day", "days"), Fraction(86400)),
    "lb": Fraction(45359237, 10**8),
    "ft": Fraction(3048, 10**4),
    "in": Fraction(254, 10**4),
    "%": Fraction(1, 100),
}
_DIMENSIONS = {
    **UNITS,
    "g": UNITS["kg"],
    "lb": UNITS["kg"],
    "L": UNITS["m"] ** 3,
    "min": UNITS["s"],
    **dict.fromkeys(("h", "hour", "hours", "day", "days"), UNITS["s"]),
    "ft": UNITS["m"],
    "in": UNITS["m"],
    "%": NUMBER,
    "rpm": UNITS["Hz"],
    "deg": NUMBER,
    "rev": NUMBER,
    "°": NUMBER,
}
_ANGULAR = {"°": Fraction(1), "deg": Fraction(1), "rpm": Fraction(6), "rev": Fraction(360)}
_ATOM = re.compile(
    r"(?P<name>kg|rad|rpm|rev|deg|min|lb|ft|in|hours?|days?|h|°|%)"
    r"|(?P<prefix>[numckMGµ])?(?P<base>Pa|Hz|[msgNJWVAKL])"
)
_SLANTED = re.compile(r"kg|rad|rpm|deg|°|[kMG]?(?:Pa|Hz|N|J)|[ckm]?m|ms?|s")
"""What is a unit in the letters of formulas too, where mg is a weight and L is a length."""
_POWER = re.compile(r"\^\{?(?P<power>-?[1-9])\}?")
_SPELLED = {
    r"\metre": "m",
    r"\meter": "m",
    r"\second": "s",
    r"\kilogram": "kg",
    r"\gram": "g",
    r"\newton": "N",
    r"\joule": "J",
    r"\watt": "W",
    r"\pascal": "Pa",
    r"\hertz": "Hz",
    r"\radian": "rad",
    r"\minute": "min",
    r"\hour": "h",
    r"\litre": "L",
    r"\milli": "m",
    r"\centi": "c",
    r"\kilo": "k",
    r"\mega": "M",
    r"\giga": "G",
    r"\micro": "µ",
    r"\mu": "µ",
    r"\per": "/",
    r"\squared": "^2",
    r"\cubed": "^3",
    **dict.fromkeys((r"\degree", r"\deg", r"\textdegree", r"\circ", "º", "°"), "°"),
    **dict.fromkeys((r"\cdot", r"\times", "*", ".", r"\ ", r"\cdotp"), " "),
    "/": "/",
    r"\%": "%",
}
_PREFIX_MACROS = frozenset({r"\milli", r"\centi", r"\kilo", r"\mega", r"\giga", r"\micro", r"\mu"})


@dataclass(frozen=True, slots=True)
class Unit:
    """How many coherent units one of a printed unit is.

    Attributes
    ----------
    factor : Fraction
    degrees : int
        The power of a degree in it.
    dimension : Dimension or None
        None for what is not mechanical.
    """

    factor: Fraction = Fraction(1)
    degrees: int = 0
    dimension: Dimension | None = NUMBER

    def coherent(self, number: float) -> float:
        """Return how many coherent units a number of these is.

        Examples
        --------
        >>> Unit(Fraction(1, 100)).coherent(50.0), Unit(degrees=1).coherent(180.0)
        (0.5, 3.141592653589793)
        """
        return number * float(self.factor) * radians(1) ** self.degrees


def is_unit(item: Item) -> bool:
    """Return whether an item prints as a unit."""
    return unit([item]) is not None


def unit(items: Sequence[Item], *, slanted: bool = False) -> Unit | None:
    r"""Return the unit that items print, if they do.

    Parameters
    ----------
    items : sequence of Item
        What is printed.
    slanted : bool, optional
        Whether letters of formulas count, such as ``m/s`` without ``\mathrm``.

    Examples
    --------
    >>> from freebody.documents.latex.tokens.tokens import parse
    >>> page = r"\mathrm{cm}/\mathrm{s}^2"
    >>> unit(parse(page, 0, len(page))).factor
    Fraction(1, 100)
    """
    sole = items[0] if len(items) == 1 else None
    if isinstance(sole, Command) and sole.text in (r"\si", r"\unit"):
        return _read(_inside(sole.arguments[0], slanted=True), _ATOM) or Unit(dimension=None)
    text = _inside(items, slanted=slanted).strip()
    if not 0 < len(text) <= _LONGEST:
        return None
    return _read(text, _SLANTED if slanted else _ATOM)


def _pieces(items: Sequence[Item], *, slanted: bool) -> Iterator[str | None]:
    """Yield what items say of a unit; None for what says nothing of one."""
    before: Item | None = None
    for item in items:
        is_apart = before is not None and item.start > before.stop
        is_joined = item.text == "^" or (before is not None and before.text in _PREFIX_MACROS)
        if is_apart and not is_joined:
            yield " "
        before = item
        yield _piece(item, slanted=slanted)


def _piece(item: Item, *, slanted: bool) -> str | None:
    if item.text in _SPELLED:
        return _SPELLED[item.text]
    if isinstance(item, Group):
        return f"({_inside(item.items, slanted=slanted)})" if item.text == "(" else None
    if isinstance(item, Token):
        letter = item.text if slanted and len(item.text) == 1 and item.text.isalpha() else None
        return words(item) or letter
    if item.text == "^":
        power = plain(item.arguments[0])
        return "°" if power in (r"\circ", r"\degree") else f"^{power}"
    if item.text in UPRIGHT or item.text == r"\mathit":
        return _inside(item.arguments[0], slanted=True)
    if item.text in FRACTIONS:
        over, under = (_inside(part, slanted=slanted) for part in item.arguments)
        return f"{over}/({under})"
    return None


def _inside(items: Sequence[Item], *, slanted: bool) -> str:
    return "".join(piece or "?" for piece in _pieces(items, slanted=slanted))


def _read(text: str, known: re.Pattern[str]) -> Unit | None:
    """Read units side by side; a slash takes what is next below the line."""
    total, position, below, group, joined = Unit(), 0, 1, 1, False
    while position < len(text):
        letter = text[position]
        if letter in " /()":
            group = {"(": below, ")": 1}.get(letter, group)
            below = {"(": 1, "/": -1}.get(letter, below)
            position, joined = position + 1, False
            continue
        match = _ATOM.match(text, position)
        if not match or not known.fullmatch(match[0]):
            return None
        found, power, position = _atom(text, match, joined=joined)
        total = _times(total, found, power * below * group)
        below, joined = 1, True
    return total if joined or text.endswith(")") else None


def _atom(text: str, match: re.Match[str], *, joined: bool) -> tuple[Unit, int, int]:
    """Return a unit, its power, and where it ends."""
    power = _POWER.match(text, match.end())
    exponent = int(power["power"]) if power else 1
    if match[0] == "ms" and (joined or exponent < 0):  # metres and seconds, not milliseconds
        return Unit(dimension=UNITS["m"]), 1, match.start() + 1
    stop = power.end() if power else match.end()
    name = match["name"] or match["base"]
    dimension = _DIMENSIONS.get(name)
    if name in _ANGULAR:
        return Unit(_ANGULAR[name], 1, dimension), exponent, stop
    prefix = _PREFIXES.get(match["prefix"] or "", Fraction(1))
    return Unit(prefix * _SIMPLE[name], 0, dimension), exponent, stop


def _times(total: Unit, found: Unit, power: int) -> Unit:
    factor = total.factor * found.factor**power
    degrees = total.degrees + found.degrees * power
    if total.dimension is None or found.dimension is None:
        return Unit(factor, degrees, None)
    return Unit(factor, degrees, total.dimension * found.dimension**power)
