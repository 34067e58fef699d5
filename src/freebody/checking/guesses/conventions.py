r"""What a symbol stands for by the conventions of the field, judged by its letter and subscript.

Masses are m, lengths l and \ell, angles \theta, \phi, \alpha and q, reactions F, R and N, energies
T, K, V and U: a cost says how far a meaning is from what its symbol is usually for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from freebody.checking.guesses.angles import sums
from freebody.checking.guesses.catalogue import Entry
from freebody.documents.document import Meaning
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.items import LatexError
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.tree import Node

MOST = 36
"""How many meanings of a symbol are tried."""
UNLIKELY = 3.0
"""What it costs a symbol to stand for something that its letter is not for."""
CONVENTIONAL = 1.0
"""Up to which cost a meaning is what such a symbol is usually for."""
_LETTERS: Mapping[str, str] = {
    "m": "mass, total mass",
    "M": "M, mass, total mass, moment, reaction moment, tau, resultant moment",
    "l": "length",
    "L": "length, lagrangian, angular momentum",
    "d": "length, M",
    "r": "length, position",
    "R": "length, reaction, multiplier",
    "a": "length, acceleration, M",
    "b": "length, constant, C",
    "c": "constant, length, C, christoffel",
    "s": "length",
    "k": "constant",
    "h": "length, C, total",
    "w": "length, turning rate, speed",
    "I": "inertia, M",
    "J": "inertia, J",
    "g": "gravity, G",
    "q": "coordinates, angle, coordinate",
    "x": "coordinate, position, coordinates",
    "y": "coordinate, position",
    "z": "coordinate, position",
    "X": "reaction, position, multiplier",
    "Y": "reaction, position, multiplier",
    "Z": "reaction, position, multiplier",
    "v": "velocity, speed, C, velocity vector",
    "u": "speed, force, moment, tau",
    "p": "momentum, position, speed",
    "omega": "speed, turning rate",
    "Omega": "speed, turning rate",
    "alpha": "angle, speed, turning rate, coordinates",
    "tau": "moment, tau, reaction moment, force",
    "T": "moment, kinetic, tau, reaction moment, force",
    "Q": "tau, moment, force, reaction, resultant",
    "F": "force, reaction, resultant, multiplier",
    "f": "force, reaction, multiplier, tau",
    "N": "reaction, multiplier, N",
    "P": "force, reaction, potential",
    "S": "reaction, multiplier",
    "B": "reaction, M, input matrix",
    "H": "reaction, M, C, total, angular momentum",
    "K": "kinetic",
    "V": "potential, reaction, C",
    "U": "potential",
    "E": "total, E, kinetic, potential",
    "C": "C, coriolis",
    "G": "G",
    "Gamma": "christoffel",
    "D": "M",
    "lambda": "multiplier",
    "n": "C",
    "phi": "angle, G, coordinates",
    "t": "time",
    "pi": "pi",
    "sumF": "resultant",
    "sumM": "resultant moment",
    "sumT": "resultant moment",
    "sumtau": "resultant moment",
    **dict.fromkeys(
        ["theta", "psi", "beta", "gamma", "delta", "rho", "Theta", "Phi", "epsilon"],
        "angle, coordinates",
    ),
}
"""What each letter is for, the likeliest first."""
_OF_COORDINATES: Mapping[str, str] = {
    **dict.fromkeys("MDBAI", "M"),
    "H": "M, C",
    "C": "C, coriolis",
    **dict.fromkeys("VhvncbN", "C"),
    **dict.fromkeys(["G", "g", "P", "phi", "tau"], "G"),
    **dict.fromkeys(["T", "E", "K"], "E, tau, kinetic"),
    "J": "J",
}
"""What a letter is for where the coordinates are its arguments."""
_VECTORS: Mapping[str, str] = {
    **dict.fromkeys("rxpdcRXPs", "position vector, coordinates"),
    **dict.fromkeys("vV", "velocity vector, C"),
    "a": "acceleration vector",
    "A": "M",
    "omega": "turning vector",
    "Omega": "turning vector",
    **dict.fromkeys("FfNT", "force vector, tau"),
    "tau": "tau, G",
    "u": "tau, coordinates",
    "Q": "tau",
    "q": "coordinates",
    "B": "input matrix, M",
}
"""What a bold letter, or one with an arrow, is for."""
ENERGIES = frozenset({"kinetic", "potential", "lagrangian", "total"})
"""The kinds of energies."""
OF_ENERGIES = {
    **dict.fromkeys(["k", "c", "kin", "K", "cin"], "kinetic"),
    **dict.fromkeys(["p", "pot", "P", "g"], "potential"),
    **dict.fromkeys(["m", "tot", "mec", "total"], "total"),
}
"""Which energy is told by what stands below an E."""
_WORDS = {
    **dict.fromkeys(["KE", "Ek"], "kinetic"),
    **dict.fromkeys(["PE", "Ep", "GPE", "EPE", "SPE"], "potential"),
    **dict.fromkeys(["TE", "ME"], "total"),
}
_WHOLE = frozenset(
    {"christoffel", "M", "C", "G", "E", "tau", "coordinates", "coriolis", "input matrix", "J", "N"}
)
_GIVEN = frozenset({"mass", "length", "inertia", "gravity"})
"""Of what a page gives values, such as those of an example."""
_STYLES = (r"\mathbf", r"\boldsymbol", r"\bm", r"\vec", r"\underline", r"\overrightarrow")
_DECORATIONS = (r"\bar", r"\hat", r"\tilde", r"\overline", r"\widehat")
_AXES = {"x": "x", "y": "y", "z": "z", "X": "x", "Y": "y", "Z": "z", "h": "x", "v": "y"}
_ALIKE = {"ell": "l", "varphi": "phi", "vartheta": "theta", "varepsilon": "epsilon"}
_SHORT = re.compile(r"(\d)(?:([+,-]?)(\d))?(?:\+?(\d))?")


_FRAME = re.compile(r"^\{\}(?:[\^_](?:\{(?!T\})[A-Za-z]\w*\}|[A-SU-Za-z]))+(?=.)")
"""Marks in front of a letter, of the frame that it is seen from."""


@dataclass(frozen=True, slots=True)
class SymbolShape:
    r"""What a symbol looks like: its letter, subscript and arguments, whether it is bold.

    It is a variant where its letter is another shape of the one that is meant: ``\ell`` of l.
    """

    letter: str
    subscript: str
    arguments: str
    is_styled: bool
    is_decorated: bool = False
    is_variant: bool = False

    @classmethod
    def of(cls, key: str) -> SymbolShape:
        r"""Return the looks of a key.

        Examples
        --------
        >>> looks = SymbolShape.of(r"\ell_1")
        >>> looks.letter, looks.subscript, looks.is_variant
        ('l', '1', True)
        >>> SymbolShape.of("f(x}").letter
        'f(x'
        """
        try:
            options = spellings(parse(key, 0, len(key)), 0)
        except LatexError:
            options = []
        if not options:  # such as of a letter that was cut out of a page's own brackets
            return cls(re.sub(r"[\\{}\s]", "", key), "", "", is_styled=False)
        spelling = options[0]
        base = _FRAME.sub("", spelling.base.replace(r"\sum ", "sum"))
        letter = re.sub(
            r"\\(?:math\w+|boldsymbol|bm|vec|wide\w+|hat|bar|tilde|\w*line|overrightarrow)\{|[\\{}]",
            "",
            base,
        )
        is_styled = base.startswith(_STYLES)
        subscript = re.sub(r"\\(?:math|text)\w+|[\\{}; ]", "", spelling.subscript)
        named = base.startswith(r"\mathrm") and len(letter) > 1
        return cls(
            _ALIKE.get(letter, letter),
            subscript,
            spelling.arguments,
            is_styled and not named,
            base.startswith(_DECORATIONS),
            is_variant=letter in _ALIKE,
        )

    @property
    def compact(self) -> str:
        """The symbol as a name in a model would be written, without underscores."""
        return self.letter + self.subscript.replace(",", "")

    @property
    def kinds(self) -> tuple[str, ...]:
        """What such a symbol is for, the likeliest first."""
        if word := _WORDS.get(self.compact) or _WORDS.get(self.letter):
            return (word,)
        below = re.sub(r"[\d,_]+$", "", self.subscript)
        if self.letter == "E" and below in OF_ENERGIES:
            return (OF_ENERGIES[below],)
        usual = _LETTERS.get(self.letter, "")
        if self.arguments:
            usual = _OF_COORDINATES.get(self.letter, usual)
        elif self.is_styled:
            usual = _VECTORS.get(self.letter, usual)
        kinds = tuple(usual.split(", ")) if usual else ()
        return ("E", *kinds) if "ext" in self.subscript else kinds

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers in the subscript: parts between commas, else digit by digit."""
        parts = re.findall(r"\d+", self.subscript)
        return tuple(map(int, parts if len(parts) > 1 else "".join(parts)))

    @property
    def is_whole(self) -> bool:
        """Whether it may stand for a whole vector or matrix."""
        return not self.numbers and bool(self.arguments or self.is_styled or not self.subscript)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A meaning that a symbol may have.

    Attributes
    ----------
    meaning : str or list
        As a document declares it.
    cost : float
        How far it is from what such a symbol is for.
    ways : tuple of str
        By which conventions: the same for all symbols of a family that follow one.
    is_exact : bool
        Whether the symbol is the model's own name for it.
    is_plain : bool
        Whether it is what the model has a name for, and no angle or derived quantity.
    definition : Node, optional
        What the page defines it by.
    made_of : tuple of str
        The symbols of that definition.
    kind : str
        What it is, of what the model has.
    """

    meaning: Meaning
    cost: float
    ways: tuple[str, ...]
    is_exact: bool = False
    is_plain: bool = False
    definition: Node | None = None
    made_of: tuple[str, ...] = ()
    kind: str = ""

    @property
    def is_block(self) -> bool:
        """Whether it is part of the equations of motion, which may well be zero."""
        return bool(self.order) or self.ways[0].split()[0] in _WHOLE

    @property
    def order(self) -> str:
        """In which order it takes the coordinates; empty where it is that of the model."""
        return next((way for way in self.ways if way.startswith("order ")), "").rstrip("-")

    @cached_property
    def counts_angles(self) -> frozenset[str]:
        """The conventions to count angles that it follows; none where it is not of angles."""
        return frozenset(way for way in self.ways if way.startswith(("joints ", "bodies ")))

    def also(self, other: Candidate) -> Candidate:
        """Return it with the conventions of another that means the same."""
        return replace(self, ways=tuple(dict.fromkeys((*self.ways, *other.ways))))

    @cached_property
    def text(self) -> str:
        """The meaning as text, by which values are remembered."""
        return str(self.meaning)


def is_shorthand(key: str) -> bool:
    r"""Return whether a letter is one for what is made of constants, and not for one of them.

    Examples
    --------
    >>> is_shorthand(r"\omega_0"), is_shorthand("I_1")
    (True, False)
    """
    return not _GIVEN.intersection(SymbolShape.of(key).kinds)


def candidates(key: str, entries: Sequence[Entry], said: Mapping[str, float]) -> list[Candidate]:
    """Return what a symbol may stand for, the likeliest first.

    Parameters
    ----------
    key : str
    entries : sequence of Entry
        What the model has.
    said : mapping of str to float
        What the page says of the symbol in words: how much less each kind or meaning costs.
    """
    looks = SymbolShape.of(key)
    found = [*_shorthands(looks, entries)]
    for entry in entries:
        if _is_named(looks, entry):
            found.append(Candidate(entry.meaning, 0.0, ("name",), is_exact=True, kind=entry.kind))
        elif (cost := _cost(looks, entry)) is not None:
            cost -= said.get(entry.kind, 0) + said.get(str(entry.meaning), 0)
            is_plain = entry.is_named and entry.kind != "angle"
            way = (_way(entry),)
            one = Candidate(entry.meaning, max(cost, 0.1), way, False, is_plain, kind=entry.kind)
            found.append(one)
    return sorted(found, key=lambda one: one.cost)[:MOST]


def _is_named(looks: SymbolShape, entry: Entry) -> bool:
    """Return whether a symbol is the model's own name for something."""
    is_name = entry.is_named and entry.names[0].replace("_", "") == looks.compact
    return is_name and not (looks.arguments or looks.is_styled or looks.is_decorated)


def _cost(looks: SymbolShape, entry: Entry) -> float | None:
    """Return how far an entry is from what such a symbol is for; None where it cannot be it."""
    if entry.kind not in looks.kinds:
        is_open = entry.is_named and entry.kind not in ("time", "pi") and not looks.is_styled
        return UNLIKELY + _nearness(looks, entry) if is_open else None
    cost = 0.1 + 0.3 * looks.kinds.index(entry.kind) + entry.cost + 1.6 * looks.is_decorated
    if isinstance(entry.meaning, list) or entry.kind in _WHOLE:
        return _whole_cost(looks, entry, cost)
    subscript, axis = _axis(looks)
    if entry.kind == "angle" and entry.cost > 0.5 and not {*looks.numbers} <= {*entry.numbers}:
        return None
    if entry.axis and axis not in ("", entry.axis):
        return None
    if bool(entry.axis) != bool(axis):
        cost += 0.6 if entry.kind not in ("coordinate", "coordinates") else 0
    return cost + _mismatch(subscript, entry)


def _whole_cost(looks: SymbolShape, entry: Entry, cost: float) -> float | None:
    """Return the cost of a vector, a matrix or an entry of one."""
    is_entry = bool(entry.numbers) and not isinstance(entry.meaning, list)
    if is_entry:
        return cost if looks.numbers == entry.numbers else None
    if entry.names:
        return cost + _mismatch(looks.subscript, entry)
    return cost + 0.3 * (not looks.arguments and not looks.is_styled) if looks.is_whole else None


def _axis(looks: SymbolShape) -> tuple[str, str]:
    """Return what is left of a subscript without the letter of an axis, and the axis."""
    if looks.letter.lower() in ("x", "y", "z") and not looks.is_styled:
        return looks.subscript, looks.letter.lower()
    for letter, rest in (
        (looks.subscript[-1:], looks.subscript[:-1]),
        (looks.subscript[:1], looks.subscript[1:]),
    ):
        if letter in _AXES and not looks.is_styled:
            return rest.strip(","), _AXES[letter]
    return looks.subscript, ""


def _mismatch(subscript: str, entry: Entry) -> float:
    """Return what it costs that a subscript does not say which one of its kind is meant."""
    if not subscript:
        return 0.4 if entry.numbers and not entry.is_named else 0.0
    cost, numbers = 0.0, {int(digit) for digit in re.findall(r"\d", subscript)}
    letters = re.sub(r"[^A-Za-z]", "", subscript)
    if numbers:
        is_named = any(re.fullmatch(rf"\D*{max(numbers)}", name) for name in entry.names)
        shifted = {number + step for number in numbers for step in (1, -1)}
        is_near = bool(shifted & {*entry.numbers})
        cost += 0 if is_named or numbers & {*entry.numbers} else 0.8 if is_near else 1.6
    if letters:
        cost += 0.2 if any(_abbreviates(letters, name) for name in entry.names) else 0.7
    return cost


def _nearness(looks: SymbolShape, entry: Entry) -> float:
    """Return how much less it costs that a symbol is short for a name, or nearly the name."""
    name = entry.names[0]
    head, _, rest = name.partition("_")
    if head.lower() == looks.letter.lower() and rest and _abbreviates(looks.subscript, rest):
        return 0.3 - UNLIKELY
    is_near = name.replace("_", "").lower() == looks.compact.lower()
    return 0.5 - UNLIKELY if is_near else 0.0


def _abbreviates(letters: str, name: str) -> bool:
    """Return whether letters are the initials, or the beginning, of the words of a name."""
    parts = [part for part in name.lower().split("_") if part]
    short = letters.lower()
    initials = "".join(part[0] for part in parts)
    return bool(short) and (initials.startswith(short) or any(p.startswith(short) for p in parts))


def _way(entry: Entry) -> str:
    """Return by which convention a quantity is meant, whichever of its kind it is."""
    if entry.way:
        return entry.way
    meaning = str(entry.meaning)
    for name in sorted(entry.names, key=len, reverse=True):
        meaning = meaning.replace(name, "?")
    return f"{entry.kind} {re.sub('[0-9]', '#', meaning) if entry.numbers else meaning}"


def _shorthands(looks: SymbolShape, entries: Sequence[Entry]) -> Iterator[Candidate]:
    r"""Iterate over s_1, c_{12}, s_{1+2} as sines and cosines, and \theta_{12} as a sum."""
    match = _SHORT.fullmatch(looks.subscript)
    function = {"s": "sin", "S": "sin", "c": "cos", "C": "cos"}.get(looks.letter)
    is_angle = looks.kinds[:1] == ("angle",)
    if match is None or not (function or is_angle) or looks.arguments:
        return
    places = [int(place) for place in (match[1], match[3], match[4]) if place]
    if len({*places}) < len(places):
        return
    for way, angles in _by_way(entries).items():
        cost = 0.2 + angles[0].cost
        for sign in {"+": "+", "-": "-"}.get(match[2] or "", "+-"):
            angle = sums([str(one.meaning) for one in angles], places, sign)
            if angle and function:
                yield Candidate(f"{function}({angle})", cost, (way,))
            elif angle and len(places) > 1:
                yield Candidate(angle, cost, (way,))
            cost += 0.2


def _by_way(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return the angles by the convention that they follow."""
    ways: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.kind == "angle" and entry.way:
            ways.setdefault(entry.way, []).append(entry)
    return ways
