"""What the names of code may stand for, by how they are spelt and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy

from freebody.algebra.expressions import read
from freebody.algebra.units import dimension
from freebody.checking.code.tables import ORDERS
from freebody.checking.guesses.catalogue import Entry, catalogue
from freebody.checking.quantities.derived import Quantities
from freebody.code.values import Leaf
from freebody.errors import ExpressionError

KINDS = frozenset({"mass", "total mass", "length", "inertia", "gravity", "constant"})
INPUTS = frozenset({"force", "moment"})
LETTERS: Sequence[tuple[str, frozenset[str]]] = tuple(
    (pattern, frozenset(kinds.split()))
    for pattern, kinds in (
        (r"m|mass|masses|ma|mb|mc|mp|mcart|mpole|mpend|mrod|mtot\w*|totalmass", "mass total"),
        (
            r"l|len|length|ell|lc|lcm|lcg|com|cm|r|d|a|b|h|dist\w*|half\w*|radius|rad|ll|lp|s",
            "length",
        ),
        (r"i|j|inertia|izz|jzz|moi|ic|ig|jc|io|io|ip|jp|iyy|ixx", "inertia"),
        (r"g|grav|gravity|gravit\w*|acc_g|g0|ge", "gravity"),
        (r"a|u|f|force|tau|t|torque|action|act|q|input|moment|fx|motor|ctrl", "input"),
        (
            r"b|c|d|k|mu|nu|eta|delta|damp\w*|fric\w*|visc\w*|coef\w*|stiff\w*|spring|drag|zeta",
            "constant",
        ),
    )
)
SPOKEN: Sequence[tuple[str, str]] = (
    ("inertia", "inertia"), ("gravit", "gravity"), ("mass", "mass"), ("length", "length"),
    ("distance", "length"), ("radius", "length"), ("torque", "input"), ("moment", "input"),
    ("force", "input"), ("damping", "constant"), ("friction", "constant"),
    ("stiffness", "constant"),
)  # fmt: skip
HALVES = re.compile(r"half|cent(?:er|re)|com\b|cm\b|\bcog\b|c\.o\.m|lc|cg|\bmiddle\b", re.I)
SURE = frozenset(("theta", "th", "phi", "q", "alpha", "beta", "gamma", "psi"))
"""Letters that are coordinates, also where they might be inputs or constants."""
ANGLES = frozenset(
    [
        "theta",
        "th",
        "t",
        "phi",
        "ph",
        "q",
        "a",
        "alpha",
        "beta",
        "gamma",
        "psi",
        "angle",
        "ang",
        "rot",
        "pole",
        "pend",
        "p",
        "pendulum",
    ]
)
LINES = frozenset(
    ["x", "y", "z", "s", "pos", "position", "p", "cart", "disp", "displacement", "r", "dist"]
)
SECOND = re.compile(
    r"^(?:d2_?|dd_?)(.+?)(?:_?dt2)?$|^(.+?)_?(?:ddot|dotdot|dd|acc|accel|acceleration|pp|_dd|2dot|bis)$|^(theta|phi|alpha|angle|psi)_a$"
)
FIRST = re.compile(
    r"^(?:d_?|dot_?|v_|vel_?)(.+?)(?:_?dt)?$|^(.+?)_?(?:dot|_d|d|vel|velocity|p|prime|prim|speed|_v|v)$"
)
RATES = re.compile(
    r"^(?:omega|om|w|vel|velocity|v|speed|a_?vel|ang_?vel|ang(?:ular)?_?velocity|z)$"
)
NAMED = 0.25
"""Up to which cost a name is the model's own."""
UP = 2.6
"""What costs more is not tried."""


@dataclass(frozen=True)
class Role:
    """What a leaf may stand for.

    Attributes
    ----------
    expr : sympy.Expr
    text : str
        In quantities of the model.
    cost : float
        0 for a name of the model.
    """

    expr: sympy.Expr
    text: str
    cost: float


@dataclass(frozen=True)
class Moving:
    """A coordinate, or a rate of one, that a name stands for.

    Attributes
    ----------
    order : int
        0 for a coordinate, 1 for its speed, 2 for its acceleration.
    place : int
        Which coordinate.
    is_named : bool
        Whether that is how the model calls it.
    """

    order: int
    place: int
    is_named: bool = False


class Roles:
    """What names may stand for about one model.

    Parameters
    ----------
    quantities : Quantities
    """

    def __init__(self, quantities: Quantities) -> None:
        self.quantities = quantities
        model = quantities.mechanism.model
        self.names = list(model.coordinates)
        self.is_angle = [
            dimension(one.unit) != dimension("m") for one in model.coordinates.values()
        ]
        self.constants = list(model.constants)
        self.inputs = list(model.inputs)
        self._read: dict[str, sympy.Expr] = {}

    @cached_property
    def _entries(self) -> list[Entry]:
        wanted = KINDS | INPUTS
        return [
            one
            for one in catalogue(self.quantities)
            if one.kind in wanted and isinstance(one.meaning, str)
        ]

    # ------------------------------------------------------------------ what moves

    def moving(self, name: str) -> Moving | None:
        """Return the coordinate that a name stands for, or the rate of one.

        Examples
        --------
        >>> import freebody
        >>> from freebody.checking.quantities.derived import Quantities
        >>> roles = Roles(Quantities(freebody.load("double_pendulum")))
        >>> [roles.moving(name) for name in ("th2", "omega1", "theta1_ddot")]
        [Moving(order=0, place=1, is_named=False), Moving(order=1, place=0, is_named=False), \
Moving(order=2, place=0, is_named=True)]
        >>> roles.moving("m1") is None
        True
        """
        for text in _spellings(name):
            found = self._exactly(text)
            if found is not None:
                return found
        text = _MEMBER.sub("", name.lower().strip("_"))
        for order, pattern in ((2, SECOND), (1, FIRST)):
            match = pattern.match(_numberless(text)[0])
            stem = next(filter(None, match.groups()), "") if match else ""
            if stem:
                number = _numberless(text)[1] or _numberless(stem)[1]
                place = self._place(_numberless(stem)[0].strip("_"), number)
                if place is not None:
                    return Moving(order, place)
        stem, number = _numberless(text)
        stem = stem.strip("_")
        if RATES.match(stem):
            place = self._of_rate(stem, number)
            return None if place is None else Moving(1, place)
        place = self._place(stem, number)
        return None if place is None else Moving(0, place)

    def _exactly(self, text: str) -> Moving | None:
        model = self.quantities.mechanism.model
        for order, table in enumerate(
            (
                self.names,
                [f"{one}_dot" for one in self.names],
                [f"{one}_ddot" for one in self.names],
            )
        ):
            if text in table:
                return Moving(order, table.index(text), is_named=True)
        speeds = list(model.speeds)
        for order, table in ((1, speeds), (2, [f"{one}_dot" for one in speeds])):
            if text in table:
                return Moving(order, table.index(text), is_named=True)
        return None

    def _place(self, stem: str, number: int | None) -> int | None:
        """Return which coordinate a letter and a number are."""
        exact = [i for i, one in enumerate(self.names) if one.lower() == stem]
        if exact and number is None:
            return exact[0]
        if stem in ANGLES and (found := self._numbered(number, is_angle=True)) is not None:
            return found
        if stem in LINES and (found := self._numbered(number, is_angle=False)) is not None:
            return found
        if stem in ("q", "qs") and number is not None and 1 <= number <= len(self.names):
            return number - 1
        return None

    def _of_rate(self, stem: str, number: int | None) -> int | None:
        turning = stem.startswith(("om", "w", "a", "z"))
        found = self._numbered(number, is_angle=turning)
        if found is None and stem in ("v", "u", "vel", "velocity", "speed"):
            found = (
                self._numbered(number, is_angle=True)
                if not any(not one for one in self.is_angle)
                else None
            )
        return found

    def _numbered(self, number: int | None, *, is_angle: bool) -> int | None:
        places = [i for i, one in enumerate(self.is_angle) if one == is_angle]
        if number is None:
            return places[0] if len(places) == 1 else None
        named = [i for i in places if _numberless(self.names[i])[1] == number]
        if len(named) == 1:
            return named[0]
        has_numbers = any(_numberless(self.names[i])[1] is not None for i in places)
        return places[number - 1] if not has_numbers and 1 <= number <= len(places) else None

    # ------------------------------------------------------------------ what does not

    def constant(self, leaf: Leaf, words: str) -> list[Role]:
        """Return what a leaf may stand for, the likeliest first.

        Parameters
        ----------
        leaf : Leaf
        words : str
            What a comment says of it.
        """
        found: dict[str, Role] = {}
        own = leaf.path.rsplit(":", 1)[-1]
        place = re.fullmatch(r"(?:[\w.]*\.)?(\w+)\[(\d+)\]", own)
        numbered = [f"{place[1]}{int(place[2]) + 1}"] if place else [own]
        if own.rpartition(".")[0] in ORDERS:
            return []
        for name in leaf.names or numbered:
            for role in self._of_name(name, words):
                if role.text not in found or found[role.text].cost > role.cost:
                    found[role.text] = role
        return sorted(found.values(), key=lambda role: role.cost)[:6]

    def _of_name(self, name: str, words: str) -> Iterator[Role]:
        kinds, stem, number = self._kinds(name)
        spoken = next((kind for phrase, kind in SPOKEN if phrase in words.lower()), "")
        is_half = bool(HALVES.search(name.replace("_", " ")) or HALVES.search(words))
        for entry in self._entries:
            cost = self._cost(entry, name, stem, number, kinds, words)
            if cost is None:
                continue
            cost += _against(entry, spoken) + _halved(entry, is_half)
            if cost <= UP:
                yield from self._role(str(entry.meaning), cost)
                yield from self._twice(entry, cost)

    def _twice(self, entry: Entry, cost: float) -> Iterator[Role]:
        """Iterate over a whole length for a half one, and over gravity that points down."""
        if entry.is_named and entry.kind == "length":
            yield from self._role(f"2*{entry.meaning}", cost + 1.2)
        if entry.is_named and entry.kind == "gravity":
            yield from self._role(f"-{entry.meaning}", cost + 1.3)

    def _role(self, text: str, cost: float) -> Iterator[Role]:
        if text not in self._read:
            try:
                self._read[text] = sympy.sympify(read(text, self.quantities.resolve))
            except ExpressionError:
                self._read[text] = sympy.S.Zero
        if expr := self._read[text]:
            yield Role(expr, text, cost)

    def _cost(
        self,
        entry: Entry,
        name: str,
        stem: str,
        number: int | None,
        kinds: frozenset[str],
        words: str,
    ) -> float | None:
        own = str(entry.meaning)
        if entry.is_named and own == name:
            return 0.0
        if entry.is_named and _plain(own) == _plain(name):
            return 0.1 if own.replace("_", "") == name.replace("_", "") else 0.2
        kind = "input" if entry.kind in INPUTS else entry.kind.split()[0]
        if kind not in kinds:
            return None
        cost = 0.6 + entry.cost + _by_words(entry, name, stem, number, words)
        if entry.kind == "total mass" and "tot" not in name.lower():
            cost += 1.2
        if number is None:
            is_open = kind in ("mass", "length", "inertia") and self._is_ambiguous(entry)
            return cost + 0.6 if is_open else cost
        numbers = {*entry.numbers, *(_numberless(one)[1] for one in (*entry.names, own))}
        is_only = kind in ("gravity", "input") and len(self.inputs) == 1
        return cost if number in numbers or is_only else None

    def _is_ambiguous(self, entry: Entry) -> bool:
        same = {
            str(one.meaning)
            for one in self._entries
            if one.kind == entry.kind and one.cost <= entry.cost
        }
        return len(same) > 1

    def _kinds(self, name: str) -> tuple[frozenset[str], str, int | None]:
        text = re.sub(r"([a-z])([A-Z])", r"\1_\2", name)
        stem, number = _numberless(text.lower())
        parts = [part for part in re.split(r"[_.]+", stem) if part]
        kinds = frozenset[str]()
        for pattern, found in LETTERS:
            if any(re.fullmatch(pattern, part) for part in (*parts, stem.replace("_", ""))) or any(
                re.match(rf"(?:{_long(pattern)})", part) for part in parts
            ):
                kinds |= found
        return kinds, stem, number


OBJECTS = frozenset(
    [
        "cart",
        "pole",
        "rod",
        "link",
        "arm",
        "bar",
        "bob",
        "wheel",
        "body",
        "disk",
        "disc",
        "pend",
        "pendulum",
    ]
)


def _by_words(entry: Entry, name: str, stem: str, number: int | None, words: str) -> float:
    """Return what the words of a name and of its comment say for an entry, or against it."""
    cost, own = 0.0, str(entry.meaning)
    parts = {part for one in entry.names for part in _words(one)}
    said = _words(re.sub(r"\W+", "_", words))
    if any(word in name.lower() or word in said for word in parts):
        cost -= 0.3
    elif (_words(name) | said) & OBJECTS and parts:
        cost += 0.5
    if _plain(stem) == _plain(_numberless(own)[0]) and _numberless(own)[1] == number:
        cost -= 0.4
    return cost


def _words(name: str) -> set[str]:
    return {part for part in re.split(r"[_\d]+", name.lower()) if len(part) > 2}


def _long(pattern: str) -> str:
    return "|".join(part for part in pattern.split("|") if len(part) > 3) or "(?!)"


def _against(entry: Entry, spoken: str) -> float:
    """Return what it costs that something else is said of a name."""
    if not spoken:
        return 0.0
    kind = "input" if entry.kind in INPUTS else entry.kind.split()[0]
    if kind == spoken:
        return 0.0
    return 9.0 if spoken == "constant" else 1.5


def _halved(entry: Entry, is_half: bool) -> float:
    to_center = entry.way == "to the centre of mass" or str(entry.meaning).endswith("/2")
    if entry.kind != "length":
        return 0.0
    if is_half:
        return -0.5 if to_center else 0.4
    return 0.0


_MEMBER = re.compile(r"^(?:m_)?(?:curr(?:ent)?_)?(?=[a-z]{2})")
"""What the names of members begin with, and of what is so now."""


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _spellings(name: str) -> Iterator[str]:
    yield name
    yield name.strip("_")
    yield re.sub(r"_?dot$", "_dot", re.sub(r"_?ddot$", "_ddot", name))


def _numberless(name: str) -> tuple[str, int | None]:
    """Return a name without its number, and that number."""
    found = re.fullmatch(r"(.*?)_?(\d{1,2})((?:_?[a-z]+)*)", name)
    if not found or not (found[1] or found[3]):
        return name, None
    return found[1] + (f"_{found[3].strip('_')}" if found[3] else ""), int(found[2])
