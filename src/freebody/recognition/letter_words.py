"""What letters are for where nothing tells what they stand for, by conventions and units."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from freebody.algebra.units import KG, NUMBER, Dimension, M, S
from freebody.checking.guesses.conventions import ENERGIES, OF_ENERGIES, SymbolShape
from freebody.checking.guesses.energy_letters import energy_letters
from freebody.checking.guesses.letter_dimensions import letter_dimensions
from freebody.checking.guesses.prose_definitions import explained_meanings
from freebody.checking.guesses.symbols import PageSymbols, angles
from freebody.checking.introduced import TIME, bare
from freebody.documents.latex.tree import Multiply, Name, Power, walk
from freebody.recognition.letter_roles import letter_roles
from freebody.recognition.named_letters import named_first, named_last
from freebody.recognition.page_units import ENERGY
from freebody.recognition.pages import TURNS

_FORCE = KG * M / S**2
_WORDS: Mapping[str, tuple[str, tuple[Dimension, ...]]] = {
    "mass": ("mass", (KG,)),
    "length": ("length", (M,)),
    "inertia": ("moment of inertia", (KG * M**2,)),
    "gravity": ("acceleration of gravity", (M / S**2,)),
    "angle": ("angle", (NUMBER,)),
    "coordinate": ("coordinate", (M, NUMBER)),
    "coordinates": ("generalized coordinate", (M, NUMBER)),
    "position": ("position", (M,)),
    "position vector": ("position", (M,)),
    "velocity": ("velocity", (M / S, NUMBER / S)),
    "velocity vector": ("velocity", (M / S,)),
    "speed": ("speed", (M / S, NUMBER / S)),
    "turning rate": ("angular velocity", (NUMBER / S,)),
    "turning vector": ("angular velocity", (NUMBER / S,)),
    "acceleration": ("acceleration", (M / S**2,)),
    "acceleration vector": ("acceleration", (M / S**2,)),
    "force": ("force", (_FORCE,)),
    "force vector": ("force", (_FORCE,)),
    "reaction": ("reaction force", (_FORCE,)),
    "multiplier": ("multiplier", (_FORCE, ENERGY)),
    "moment": ("moment", (ENERGY,)),
    "tau": ("moment or force", (ENERGY, _FORCE)),
    "momentum": ("momentum", (KG * M / S,)),
    "angular momentum": ("angular momentum", (KG * M**2 / S,)),
    "kinetic": ("kinetic energy", (ENERGY,)),
    "potential": ("potential energy", (ENERGY,)),
    "lagrangian": ("Lagrangian", (ENERGY,)),
    "total": ("total energy", (ENERGY,)),
    "time": ("time", (S,)),
    "M": ("mass matrix", ()),
    "C": ("Coriolis and centrifugal terms", ()),
    "G": ("gravity terms", ()),
}
"""What is told of a kind of symbols, and what these are measured in."""
_USUAL: Mapping[str, tuple[str, tuple[Dimension, ...]]] = {
    "k": ("stiffness", (KG / S**2, ENERGY)),
    "c": ("damping coefficient", (KG / S, ENERGY * S)),
    "b": ("damping coefficient", (KG / S, ENERGY * S)),
    "mu": ("coefficient of friction", (NUMBER,)),
    "zeta": ("damping ratio", (NUMBER,)),
    "omega": ("angular velocity or frequency", (NUMBER / S,)),
    "Omega": ("angular velocity or frequency", (NUMBER / S,)),
    "nu": ("frequency", (NUMBER / S,)),
    "rho": ("density", (KG / M**3,)),
}
"""What letters are that conventions of mechanics name no kind for."""
_COEFFICIENTS = frozenset({*"kcbd", "beta", "gamma", "kappa", "mu"})
"""Letters of constants that are what their unit says."""
_DAMPING = frozenset({*"cbdBD", "beta", "gamma", "delta", "eta", "mu", "nu"})
"""Letters by which rates are multiplied in what damps a motion."""
_BY_UNIT = {
    KG / S: "damping coefficient", ENERGY * S: "damping coefficient", KG / S**2: "stiffness",
}  # fmt: skip
_BLOCKS = frozenset("MCG")
"""What letters stand for where the coordinates are their arguments."""
_STARTS, _WANTED = ("0",), ("d", "des", "ref", "desired", "target")
_OPEN = frozenset({"reaction", "multiplier"})
"""Kinds of which a letter is only where its unit is that of one: X is an amplitude as well."""
_UNIT_VECTORS = frozenset({*"ijkxyzenrtbuXYZ", "theta", "phi", "rho"})
_AXES = frozenset({*"xyzrXYZ", "theta", "phi", "varphi", "rho"})
_BOLD_UNIT_VECTORS = frozenset("eijk")
_MACHINE = re.compile(
    r"voltage|inductanc|armature|resistor|back[ -]?emf|spannung|induktivit|ankerstrom|voltaje"
    r"|inductancia|inductance|indutância|tensione elettrica|電圧|电压|電動機|напряжени",
    re.IGNORECASE,
)
"""Words of pages on which an electric motor drives something."""
_OF_MACHINES = {
    "R": "resistance", "V": "voltage", "U": "voltage", "i": "current", "e": "voltage",
    "L": "inductance",
}  # fmt: skip
_CONSTANTS_OF_MACHINES = re.compile(r"[kK]_\{?(?:[temvib]|\\w?[te])\}?")
_LENGTHS = frozenset("lLrRhdxyz")
"""Letters that are for lengths, as a rule."""
_INDICES = ("i", "j", "k", "n", "i+1", "n+1", "k+1")
_PAIR = 2
_ACCELERATION = 2
"""Dots of an acceleration."""
_TRANSFORMED = re.compile(r"[A-Za-z}]\s*\(s\)")
"""Functions of the variable of Laplace's transform."""


@dataclass(frozen=True)
class LetterWord:
    """What a letter is for.

    Attributes
    ----------
    words : str
    is_borne_out : bool
        Whether equations of the page have it as that, or measure it so.
    """

    words: str
    is_borne_out: bool = False

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of symbols that are called so."""
        return frozenset(kind for kind, (words, _) in _WORDS.items() if words == self.words)


class LetterWords:
    """What the letters of a page are for.

    Parameters
    ----------
    page : PageSymbols
    prose : str
        The text of the page, with its formulas.
    rates : mapping of str to sequence of int
        The orders of the rates that are printed, by symbol.
    """

    def __init__(self, page: PageSymbols, prose: str, rates: Mapping[str, Sequence[int]]) -> None:
        self._page, self._prose, self._rates = page, prose, rates
        self._energies = energy_letters(page.equations)
        self._roles = letter_roles(page.equations)
        self._said = explained_meanings(prose, [used.key for used in page.symbols], [])
        self._has_machine = bool(_MACHINE.search(prose))

    @staticmethod
    def is_unit_vector(key: str) -> bool:
        r"""Return whether a symbol is printed as unit vectors are.

        Examples
        --------
        >>> LetterWords.is_unit_vector(r"\hat{\imath}"), LetterWords.is_unit_vector(r"\hat{M}")
        (True, False)
        >>> LetterWords.is_unit_vector(r"\mathbf{e}_x"), LetterWords.is_unit_vector("e_x")
        (True, False)
        """
        looks = SymbolShape.of(key)
        letter = re.sub(r"math$", "", looks.letter)
        if key.startswith(r"\hat"):
            return letter in _UNIT_VECTORS
        is_axis = letter in _BOLD_UNIT_VECTORS or (letter == "E" and bool(looks.numbers))
        is_axis |= letter == "u" and looks.subscript in _AXES
        return looks.is_styled and is_axis

    def of(self, key: str) -> LetterWord | None:
        """Return what a symbol is for by its letter, of what its equations allow."""
        looks = SymbolShape.of(key)
        base = bare(key).removesuffix(f"_{looks.subscript}").removesuffix(f"_{{{looks.subscript}}}")
        if base != key and base in self._rates:
            if looks.subscript in _STARTS:
                return LetterWord(f"initial value of {base}")
            if looks.subscript in _WANTED:
                return LetterWord(f"desired value of {base}")
        if kind := self._energies.get(key):
            return LetterWord(_WORDS[kind][0], is_borne_out=True)
        if words := self._roles.get(key):
            return LetterWord(words, is_borne_out=True)
        if words := named_first(key, self._prose) or self._of_machine(key, looks):
            return LetterWord(words)
        if kind := self._kind(key, looks):
            return LetterWord(kind, self._is_borne_out(key, looks))
        if words := named_last(key, self._prose):
            return LetterWord(words)
        usual = self._usual(looks)
        return LetterWord(usual[0][0]) if usual else None

    def is_measured_so(self, key: str, kinds: Collection[str]) -> bool:
        """Return whether equations tell that a symbol is measured as one of some kinds is."""
        unit = self._dimensions.get(key)
        is_told = unit not in (None, NUMBER) and bare(key) not in self._anchors
        return is_told and any(unit in _WORDS[kind][1] for kind in kinds if kind in _WORDS)

    def _is_borne_out(self, key: str, looks: SymbolShape) -> bool:
        """Return whether equations have a symbol as what its letter is for, or tell its unit."""
        if looks.is_styled or looks.is_decorated or looks.subscript in _INDICES:
            return False
        first = looks.kinds[0] if looks.kinds else ""
        if first == "gravity" and looks.subscript not in ("", *_STARTS):
            return False
        if first in ("mass", "gravity"):
            return bare(key) in self._beside_accelerations | self._weights
        if first == "angle":
            return bare(key) in self._turned
        if first in ("coordinate", "coordinates"):
            return _ACCELERATION in self._rates.get(bare(key), ())
        unit = self._dimensions.get(key)
        if unit in (None, NUMBER) or (key in self._likely and key not in self._told):
            return False
        usual = self._usual(looks, ())
        if unit == ENERGY and looks.letter == "T":
            return False  # a moment, or kinetic energy
        is_usual = any(unit in one for _, one in usual)
        return is_usual or (looks.letter not in _USUAL and self._by_unit(key, looks) is not None)

    def _of_machine(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is for on a page about a motor, or its control."""
        if key in self._dimensions:
            return None
        if key == "s" and _TRANSFORMED.search(self._prose):
            return "variable of the Laplace transform"
        if not self._has_machine:
            return None
        is_constant = _CONSTANTS_OF_MACHINES.fullmatch(key) is not None
        return "constant of the motor" if is_constant else _OF_MACHINES.get(looks.letter)

    def _kind(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is for, of what its unit allows; a coordinate is what moves."""
        unit = self._dimensions.get(key)
        if words := self._by_unit(key, looks) or self._by_factors(key, looks):
            return words
        others = _OPEN if unit is None else frozenset[str]()
        allowed = (
            words for words, units in self._usual(looks, others) if unit is None or unit in units
        )
        moving = ("coordinate",) if bare(key) in self._rates else ()
        return next(chain(allowed, moving), None)

    def _by_factors(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter of no known unit is by what it is multiplied with."""
        if key in self._dimensions or bare(key) in self._rates:
            return None
        if looks.letter == "M" and looks.subscript and self._has(rf"F_{{?{looks.subscript}}}?"):
            return "moment"
        if looks.letter == "a" and bare(key) in self._beside_masses:
            return "acceleration"
        is_damping = looks.letter in _DAMPING and bare(key) in self._beside_rates
        return "damping coefficient" if is_damping else None

    def _has(self, pattern: str) -> bool:
        """Return whether the page has a symbol."""
        return any(re.fullmatch(pattern, used.key) for used in self._page.symbols)

    def _by_unit(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is that may be many things, by what equations measure it in."""
        unit = self._dimensions.get(key)
        if unit == ENERGY and looks.letter == "E":
            kind = OF_ENERGIES.get(looks.subscript[:1]) if looks.subscript else "total"
            return _WORDS[kind][0] if kind else "energy"
        if unit == ENERGY and looks.letter != "T":
            return next((_WORDS[kind][0] for kind in looks.kinds if kind in ENERGIES), None)
        is_constant = looks.letter in _COEFFICIENTS and bare(key) not in self._rates
        return _BY_UNIT.get(unit) if unit and is_constant else None

    @staticmethod
    def _usual(
        looks: SymbolShape, without: Collection[str] = _OPEN
    ) -> list[tuple[str, tuple[Dimension, ...]]]:
        """Return what a letter is for by convention, the likeliest first, with its units."""
        others = {*ENERGIES, *(() if looks.arguments else _BLOCKS), *without}
        if looks.letter != "lambda":
            others.add("multiplier")
        usual = [_WORDS[kind] for kind in looks.kinds if kind in _WORDS and kind not in others]
        return [_USUAL[looks.letter], *usual] if looks.letter in _USUAL else usual

    @cached_property
    def _dimensions(self) -> Mapping[str, Dimension]:
        """What letters are measured in, by those for masses, gravity and time."""
        relations = [one.relation for one in self._page.equations]
        return letter_dimensions(relations, self._anchors, self._likely)

    @cached_property
    def _told(self) -> Mapping[str, Dimension]:
        """What letters are measured in without what is only likely."""
        return letter_dimensions([one.relation for one in self._page.equations], self._anchors)

    @cached_property
    def _anchors(self) -> Mapping[str, Dimension]:
        """The letters for masses, gravity and time, of which the page says nothing else."""
        known = {TIME: S, **dict.fromkeys(self._energies, ENERGY)}
        return known | dict(self._measured_as("mass", "gravity"))

    @cached_property
    def _likely(self) -> Mapping[str, Dimension]:
        """The letters that are for lengths and inertias, of which the page says nothing else."""
        lengths = {
            key: unit
            for key, unit in self._measured_as("length", "coordinate")
            if bare(key) not in self._turned | self._beside_rates
            and SymbolShape.of(key).letter in _LENGTHS
        }
        return {**lengths, **dict(self._measured_as("inertia"))}

    def _measured_as(self, *kinds: str) -> Iterator[tuple[str, Dimension]]:
        """Iterate over the letters that are for some kinds first, and said to be nothing else."""
        for used in self._page.symbols:
            (kind, *_) = SymbolShape.of(used.key).kinds or ("",)
            if kind in kinds and (used.key not in self._said or kind in self._said[used.key]):
                yield used.key, _WORDS[kind][1][0]

    @cached_property
    def _turned(self) -> frozenset[str]:
        """The letters in sines, cosines and tangents."""
        return frozenset(map(bare, angles(self._page.equations, TURNS)))

    @cached_property
    def _factors(self) -> tuple[frozenset[Name], ...]:
        """The letters that are multiplied with each other."""
        return tuple(
            frozenset(one for one in node.factors if isinstance(one, Name))
            for equation in self._page.equations
            for node in walk(equation.relation.left, equation.relation.right)
            if isinstance(node, Multiply)
        )

    @cached_property
    def _weights(self) -> frozenset[str]:
        """The letters for masses and gravity that are multiplied with each other."""
        found = set[str]()
        for names in self._factors:
            kinds = {bare(one.key): SymbolShape.of(one.key).kinds for one in names if not one.dots}
            heavy = {key for key, own in kinds.items() if own[:1] == ("gravity",)}
            masses = {key for key, own in kinds.items() if "mass" in own}
            if heavy and masses:
                found |= heavy | masses
        return frozenset(found)

    @cached_property
    def _beside_masses(self) -> frozenset[str]:
        """The letters that are multiplied with a mass, and with nothing else."""
        return frozenset(
            bare(one.key)
            for names in self._factors
            if len(names) == _PAIR
            and any("mass" in SymbolShape.of(each.key).kinds for each in names)
            for one in names
        )

    @cached_property
    def _beside_rates(self) -> frozenset[str]:
        """The letters that are multiplied with a rate, and with nothing else."""
        return frozenset(
            bare(one.key)
            for names in self._factors
            if sorted(each.dots for each in names) == [0, 1]
            for one in names
        )

    @cached_property
    def _beside_accelerations(self) -> frozenset[str]:
        """The letters of equations with accelerations, or with squares of rates: energies."""
        found = set[str]()
        for one in self._page.equations:
            nodes = [*walk(one.relation.left, one.relation.right)]
            names = [node for node in nodes if isinstance(node, Name)]
            squared = any(
                isinstance(node, Power) and any(
                    isinstance(part, Name) and part.dots for part in walk(node.base)
                )
                for node in nodes
            )  # fmt: skip
            if squared or any(name.dots >= _ACCELERATION for name in names):
                found |= {bare(name.key) for name in names}
        return frozenset(found)
