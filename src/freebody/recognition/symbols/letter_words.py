"""What letters are for where nothing tells what they stand for, by conventions and units."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from freebody.algebra.units import KG, NUMBER, Dimension, M, S
from freebody.checking.guesses.conventions import ENERGIES, OF_ENERGIES, SymbolShape
from freebody.checking.guesses.energy_letters import energy_letters, written_out
from freebody.checking.guesses.kinds import ENERGY, KINDS
from freebody.checking.guesses.symbols import PageSymbols
from freebody.checking.introduced import TIME, bare
from freebody.consistency.meanings.shorthands import by_index, by_letter
from freebody.recognition.symbols.equation_parts import without_arguments
from freebody.recognition.symbols.laws import letters_by_laws
from freebody.recognition.symbols.letter_groups import LetterGroups
from freebody.recognition.symbols.letter_marks import (
    INITIAL,
    TENSOR,
    UNIT_VECTOR,
    by_marks,
    is_framed,
    is_sure_mark,
    is_unit_vector,
    slope_mark,
)
from freebody.recognition.symbols.letter_roles import letter_roles
from freebody.recognition.symbols.letter_uses import LetterUses
from freebody.recognition.symbols.named_letters import (
    named_always,
    named_first,
    named_last,
    speaks_of,
)
from freebody.recognition.symbols.printed_units import called_by_unit
from freebody.recognition.symbols.quaternions import quaternion_components

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
_FRICTION = "coefficient of friction"
_TURNING = frozenset({"speed", "turning rate"})
"""Kinds of angular velocities and frequencies."""
_GRAVITY = ("", "0")
"""What stands below the letter of gravity."""
_ANYTHING = frozenset("bckf")
"""Letters that are for nothing of their own but by words and equations."""
_OPEN = frozenset({"reaction", "multiplier"})
"""Kinds of which a letter is only where its unit is that of one: X is an amplitude as well."""
_MACHINE = re.compile(
    r"voltage|inductanc|armature|resistor|back[ -]?emf|spannung|induktivit|ankerstrom|voltaje"
    r"|inductancia|inductance|indutância|tensione elettrica|電圧|电压|電動機|напряжени",
    re.IGNORECASE,
)
"""Words of pages on which an electric motor drives something."""
_COILS = re.compile(
    r"inductanc|induktivit|indutância|induttanz|индуктивн|\bcoil|インダクタンス|电感", re.IGNORECASE
)
_OF_MACHINES = {
    "R": "resistance", "V": "voltage", "U": "voltage", "i": "current", "e": "voltage",
    "L": "inductance",
}  # fmt: skip
_OF_CIRCUITS = frozenset({"a", "b", "e", "emf", "in", "L", "m", "R", "s", "t"})
"""What stands below the voltages of a motor: of its armature, its supply, its windings."""
_CONSTANTS_OF_MACHINES = re.compile(r"[kK]_\{?(?:[temvib]|\\w?[te])\}?")
_TRANSPOSED = re.compile(
    r"\^\s*\{?\s*(?:\\(?:mathrm|text|mathsf|rm|mathtt)\s*\{?\s*)?T(?![A-Za-z_])"
)
_ROTATION, _STEP, _TRANSFER = "rotation matrix", "time step", "transfer function"
_POINTS = frozenset("IOP")
"""Letters for points that links turn about, which have the numbers of two."""
_SINES = {"s": "sine", "c": "cosine", "t": "tangent"}
_CALLIGRAPHIC = re.compile(r"\\math(?:cal|scr)\{[A-Z]\}")
"""Letters of frames, which stand below and above others."""
ENTRY = "entry of a matrix"
_PAIR = re.compile(r"[1-6],?[1-6]")
_FEWEST_ENTRIES = 3
"""Of a matrix of two rows that is symmetric."""
_DIRECTIONS = frozenset({*"xyztrnXYZ", "theta", "tau"})
"""What stands below the components of an acceleration."""
_INDICES = ("i", "j", "k", "n", "i+1", "n+1", "k+1")
_PLACES = frozenset("xyzXYZ")
"""Letters that are coordinates where their rates are printed."""
_ANGLES = frozenset({"theta", "phi", "psi", "alpha", "beta", "delta"})
"""Letters that are angles where their rates are printed."""
_PLAIN = re.compile(r"(?![eij](?:_|$)|\\sum)(?:[A-Za-z]|\\[a-z]+)(?:_.+)?")
"""Letters that may be coefficients, and are neither vectors nor indices."""
_SUBJECTS = {"momentum": "momenta", "angular momentum": "angular_momentum"}
"""Subjects of pages that have such quantities."""
_OF_SPEEDS = frozenset({"momentum"})
"""What a letter is not for whose accelerations are printed."""
_SPEEDS = frozenset({"v", "omega"})
_OF_PLACES = frozenset({"angle", "position", "coordinate", "coordinates"})
"""Kinds of what is accelerated."""
_SIGNS = frozenset({r"\Delta", r"\delta"})
"""Signs of changes, which are operators where they are symbols by themselves."""
_NEAR = 80
"""Characters in front of a symbol that may be about it."""
_PLACE_VECTORS = frozenset("rRxX")
_ACCELERATION = 2
"""Dots of an acceleration."""
_TRANSFORMED = re.compile(r"(?<![A-Za-z])[A-Z](?:_\{?\w+\}?)?\s*\(s\)")
"""Functions of the variable of Laplace's transform."""
_OF_S = re.compile(r"(?<![A-Za-z])[a-z]\(s\)")
"""Functions that may be so as well, or of the length of an arc."""


@dataclass(frozen=True)
class LetterWord:
    """What a letter is for.

    Attributes
    ----------
    words : str
    is_borne_out : bool
        Whether equations of the page have it as that, or measure it so.
    is_always : bool
        Whether it is never for anything else.
    """

    words: str
    is_borne_out: bool = False
    is_always: bool = False

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of symbols that are called so."""
        own = {kind for kind, (words, _) in KINDS.items() if words == self.words}
        return frozenset(own | _TURNING if "angular" in self.words else own)


class LetterWords:
    """What the letters of a page are for.

    Parameters
    ----------
    page : PageSymbols
    prose : str
        The text of the page, with its formulas.
    rates : mapping of str to sequence of int
        The orders of the rates that are printed, by symbol.
    printed : mapping of str to Dimension
        What the page says that letters are measured in.
    """

    def __init__(
        self,
        page: PageSymbols,
        prose: str,
        rates: Mapping[str, Sequence[int]],
        printed: Mapping[str, Dimension],
    ) -> None:
        self._page, self._prose, self._rates, self._printed = page, prose, rates, printed
        self._keys = frozenset(bare(used.key) for used in page.symbols)
        relations = [one.relation for one in page.equations]
        self._sines = by_letter(self._keys) | by_index(self._keys, relations)
        told = energy_letters(page.equations)
        self._energies = dict(written_out(page.equations)) | told
        self._roles = letter_roles(page.equations)
        self._by_laws = letters_by_laws(page.equations)
        self._quaternions = quaternion_components(page.equations, prose)
        self._uses = LetterUses(page, prose, told, printed)
        self._has_machine = bool(_MACHINE.search(prose))
        self._groups = LetterGroups(self._keys, rates, self._roles, prose)

    def of(self, key: str) -> LetterWord | None:
        """Return what a symbol is for by its letter, of what its equations allow."""
        ways = (
            self._always,
            self._as_printed,
            self._in_equations,
            self._of_transforms,
            self._by_convention,
            self._as_accelerated,
            self._as_measured,
            self._by_marks_or_kind,
            self._last,
        )
        looks = SymbolShape.of(key)
        return next((found for way in ways if (found := way(key, looks))), None)

    def _always(self, key: str, _: SymbolShape) -> LetterWord | None:
        if key in self._uses.noise:
            return LetterWord("noise", is_borne_out=True)
        words = named_always(key, self._prose)
        is_scaled = words == UNIT_VECTOR and self._groups.is_scaled(key)
        return LetterWord(words, is_always=True) if words and not is_scaled else None

    def _as_printed(self, key: str, looks: SymbolShape) -> LetterWord | None:
        words = self._by_appearance(key, looks)
        if words is None:
            return None
        is_borne_out = self._is_marked(key, words) or is_framed(key, self._keys)
        is_borne_out &= words != "acceleration" or speaks_of("accelerated_bodies", self._prose)
        return LetterWord(words, is_borne_out=is_borne_out or key in self._sines)

    def _in_equations(self, key: str, looks: SymbolShape) -> LetterWord | None:
        if kind := self._energies.get(key):
            return LetterWord(KINDS[kind][0], is_borne_out=True)
        if key in self._quaternions and not self._is_accelerated(key):
            return LetterWord("component of a quaternion", is_borne_out=True)
        role = self._roles.get(key)
        if role == _TRANSFER and self._is_of_time(key):
            role = f"Laplace transform of {without_arguments(key).lower()}"
        by_equations = role or self._by_law(key) or self._groups.of(key)
        words = by_equations or self._by_printed_unit(key, looks)
        return LetterWord(words, is_borne_out=True) if words else None

    def _of_transforms(self, key: str, looks: SymbolShape) -> LetterWord | None:
        """Tell the variable of Laplace's transform, and what is transformed as it is by itself."""
        if (key != "s" and looks.arguments != "s") or not self._is_transformed():
            return None
        if key == "s":
            return LetterWord("variable of the Laplace transform", is_borne_out=True)
        itself = self.of(without_arguments(key))
        return itself and LetterWord(itself.words)

    def _by_convention(self, key: str, looks: SymbolShape) -> LetterWord | None:
        is_length = self._uses.units.get(key) == M and self._uses.is_told(key)
        named = named_first(key, self._prose)
        is_other = is_length and named == _ROTATION
        is_other |= named in _OF_SPEEDS and self._is_accelerated(key)
        is_other |= named == _STEP and f"{bare(key)}(s)" in self._prose
        named = None if is_other else named
        words = self._entry(key, looks) or named or self._of_machine(key, looks)
        return LetterWord(words) if words else None

    def _as_accelerated(self, key: str, looks: SymbolShape) -> LetterWord | None:
        if not self._is_accelerated(key):
            return None
        if bare(key) in self._uses.crossed:
            return LetterWord("position", is_borne_out=True)
        is_length = looks.kinds[:1] == ("length",)
        return None if is_length else _accelerated(looks)

    def _as_measured(self, key: str, looks: SymbolShape) -> LetterWord | None:
        kind = self._kind(key, looks)
        is_so = kind and (self._is_borne_out(key, looks) or self._moves_so(key, looks, kind))
        return LetterWord(kind, is_borne_out=True) if kind and is_so else None

    def _by_marks_or_kind(self, key: str, looks: SymbolShape) -> LetterWord | None:
        words = by_marks(key, self._keys, self._rates) or self._kind(key, looks)
        return LetterWord(words, is_borne_out=self._is_marked(key, words)) if words else None

    def _is_marked(self, key: str, words: str) -> bool:
        """Return whether marks tell for sure what a symbol is.

        Of what has a zero below it the page says so where it names it.
        """
        if not words.startswith(INITIAL):
            return is_sure_mark(key, words)
        printed = rf"{re.escape(bare(key).partition('_')[0])}\}}?(?:_\{{?0|₀)"
        before = (self._prose[: one.start()] for one in re.finditer(printed, self._prose))
        return any(speaks_of("initial_conditions", one[-_NEAR:]) for one in before)

    def _last(self, key: str, looks: SymbolShape) -> LetterWord | None:
        words = named_last(key, self._prose) or self._at_least(key, looks)
        return LetterWord(words) if words else None

    def _is_of_time(self, key: str) -> bool:
        """Return whether the small letter of a transform is printed as a function of time."""
        return f"{without_arguments(key).lower()}(t)" in self._prose

    def _is_transformed(self) -> bool:
        """Return whether s is the variable of transfer functions, and nothing that moves."""
        is_other = "s" in self._rates or "s" in self._uses.following
        if is_other:
            return False
        may_be = _OF_S.search(self._prose) and speaks_of("transforms", self._prose)
        return bool(_TRANSFORMED.search(self._prose) or may_be)

    def _by_printed_unit(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is that the page prints a unit of: its own first, if it may be."""
        unit = self._printed.get(bare(key))
        if unit is None or looks.is_decorated or bare(key) in self._uses.turned:
            return None
        usual = (words for words, units in self._usual(looks, ()) if unit in units)
        return next(usual, None) or called_by_unit(unit)

    def _is_accelerated(self, key: str) -> bool:
        """Return whether accelerations of a symbol are printed that is no rate itself."""
        orders = self._rates.get(bare(key), ())
        is_speed = SymbolShape.of(key).letter in _SPEEDS or bare(key) in self._uses.speeds
        return _ACCELERATION in orders and not is_speed

    def _at_least(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is by its unit alone, or by what it is multiplied with."""
        usual = self._usual(looks) if key in self._uses.units else []
        if usual:
            return usual[0][0]
        is_coefficient = _PLAIN.fullmatch(key) and bare(key) in self._uses.coefficients
        return "coefficient" if is_coefficient else None

    def _by_law(self, key: str) -> str | None:
        """Return what a letter is by a law of the page, unless it is an angle, or turns."""
        words = self._by_laws.get(bare(key))
        is_other = words == "angular acceleration" and bare(key) in self._uses.turned
        is_other |= words is not None and named_first(key, self._prose) == _ROTATION
        is_function = words == _FRICTION and self._has(rf"{re.escape(bare(key))}\((?!t\)).+\)")
        is_other |= is_function  # F = f(\alpha), which is no \mu N
        return None if is_other else words

    def _by_appearance(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a symbol is by how it is printed, whatever equations have it as."""
        is_other = (
            key in self._roles or self._may_be_estimated(key, looks) or self._groups.is_scaled(key)
        )
        is_other |= looks.letter == "u" and self._is_value(key)
        if is_unit_vector(key) and not is_other:
            return UNIT_VECTOR
        if key in self._sines:
            short, angle = self._sines[key]
            return f"{_SINES[short]} of {angle}"
        if self._is_transposition(key, looks):
            return "transposition"
        if _CALLIGRAPHIC.fullmatch(key) and any(key in one for one in self._keys - {key}):
            return "frame"
        if slope := slope_mark(key, self._keys):
            return slope
        marked = by_marks(key, self._keys & _SIGNS, self._rates)
        if marked == TENSOR and "J" in key and speaks_of("jacobians", self._prose):
            return None
        is_other = key in self._roles and marked is not None and marked.startswith(INITIAL)
        return None if is_other else marked

    def _is_value(self, key: str) -> bool:
        """Return whether a vector is there without what stands below it, as an input may be."""
        return bare(key).partition("_")[0] in self._keys

    def _may_be_estimated(self, key: str, looks: SymbolShape) -> bool:
        r"""Return whether an angle has a hat where no other unit vector is: no \hat\theta."""
        is_angle = key.startswith(r"\hat") and looks.kinds[:1] == ("angle",)
        return is_angle and not any(is_unit_vector(one) for one in self._keys - {bare(key)})

    def is_measured_so(self, key: str, kinds: Collection[str]) -> bool:
        """Return whether equations tell that a symbol is measured as one of some kinds is."""
        unit = self._uses.units.get(key)
        is_told = unit not in (None, NUMBER) and bare(key) not in self._uses.anchors
        return is_told and any(unit in KINDS[kind][1] for kind in kinds if kind in KINDS)

    def is_of_any_vector(self, key: str) -> bool:
        """Return whether a symbol may be any vector, or a component of one."""
        return self._groups.is_of_any_vector(key)

    def is_of_a_unit(self, key: str) -> bool:
        """Return whether equations tell that a symbol is no number, as angles are."""
        return self._uses.units.get(key, NUMBER) != NUMBER and self._uses.is_told(key)

    def _is_borne_out(self, key: str, looks: SymbolShape) -> bool:
        """Return whether equations have a symbol as what its letter is for, or tell its unit."""
        if looks.kinds[:1] == ("gravity",) and looks.is_styled and not looks.subscript:
            return bare(key) in self._uses.weights  # of what has a direction
        if looks.is_styled or looks.is_decorated or looks.subscript in _INDICES:
            return False
        if looks.arguments and looks.arguments != TIME:
            return False  # of something that may be a matrix
        first = looks.kinds[0] if looks.kinds else ""
        is_changing = bare(key) in self._rates
        if first == "gravity" and (looks.subscript not in _GRAVITY or "^" in key or is_changing):
            return False
        if first in ("mass", "gravity"):
            return bare(key) in self._uses.beside_accelerations | self._uses.weights
        if first == "angle":
            return bare(key) in self._uses.turned
        if first in ("coordinate", "coordinates"):
            return _ACCELERATION in self._rates.get(bare(key), ())
        unit = self._uses.units.get(key)
        if unit in (None, NUMBER) or not self._uses.is_told(key):
            return False
        if looks.letter == "T" and (
            unit == ENERGY or bare(key) not in self._uses.beside_accelerations
        ):
            return False  # a moment or kinetic energy, and else a tension where something moves
        usual = self._usual(looks, ())
        is_usual = any(unit in one for _, one in usual)
        return is_usual or (looks.letter not in _USUAL and self._by_unit(key, looks) is not None)

    def _moves_so(self, key: str, looks: SymbolShape, kind: str) -> bool:
        """Return whether rates of a symbol tell that it is the coordinate that it looks like.

        Not where it is a rate itself, or may be one of many states.
        """
        is_plain = not (looks.is_styled or looks.is_decorated or looks.arguments not in ("", TIME))
        if not is_plain or bare(key) in self._uses.speeds or bare(key) not in self._rates:
            return False
        if kind == "angle":
            return looks.letter in _ANGLES and looks.subscript not in _DIRECTIONS
        if kind == "coordinate":
            return looks.letter in _PLACES and not (looks.subscript or self._groups.has_states)
        return kind == "generalized coordinate"

    def _of_machine(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is for on a page about a motor, or its control."""
        is_measured = key in self._uses.units and self._uses.is_told(key)
        if is_measured or not self._has_machine:
            return None
        if looks.letter == "v" and looks.subscript in _OF_CIRCUITS:
            return "voltage"
        if looks.letter == "L" and not _COILS.search(self._prose):
            return None
        is_constant = _CONSTANTS_OF_MACHINES.fullmatch(key) is not None
        return "constant of the motor" if is_constant else _OF_MACHINES.get(looks.letter)

    def _kind(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is for, of what its unit allows; a coordinate is what moves."""
        unit = self._uses.units.get(key)
        if words := self._by_unit(key, looks) or self._by_factors(key, looks):
            return words
        usual = self._unmeasured(looks) if unit is None else self._usual(looks, ())
        if unit is not None:  # what may be a moment or a force is the one that it is measured as
            usual = sorted(usual, key=lambda one: one == KINDS["tau"])
        allowed = (words for words, units in usual if unit is None or unit in units)
        moving = ("coordinate",) if bare(key) in self._rates else ()
        return next(chain(allowed, moving), None)

    def _by_factors(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter of no known unit is by what it is multiplied with."""
        if key in self._uses.units or bare(key) in self._rates:
            return None
        if looks.letter == "M" and looks.subscript and self._has(rf"F_{{?{looks.subscript}}}?"):
            return "moment"
        if looks.letter == "a" and (
            bare(key) in self._uses.beside_masses or looks.subscript in _DIRECTIONS
        ):
            return "acceleration"
        if self._is_short(key, looks):
            return "sine of an angle" if looks.letter == "s" else "cosine of an angle"
        is_damping = looks.letter in _DAMPING and bare(key) in self._uses.beside_rates
        return "damping coefficient" if is_damping else None

    def _is_transposition(self, key: str, looks: SymbolShape) -> bool:
        """Return whether T stands above others, and in no equation by itself."""
        is_alone = bare(key) in self._keys or looks.subscript or looks.arguments
        is_plain = looks.letter == "T" and not looks.is_styled
        return is_plain and not is_alone and bool(_TRANSPOSED.search(self._prose))

    def _is_short(self, key: str, looks: SymbolShape) -> bool:
        """Return whether a symbol is short for a sine or cosine, as in s_1 beside c_1."""
        other = {"s": "c", "c": "s"}.get(looks.letter, "")
        pair = bare(key).replace(looks.letter, other, 1)
        return bool(other and looks.numbers) and pair in self._keys

    def _entry(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a symbol is with two numbers below, as most of a matrix of two rows have."""
        is_place = not _OF_PLACES.isdisjoint(looks.kinds[:1]) or bare(key) in self._rates
        if not _PAIR.fullmatch(looks.subscript) or is_place:
            return None
        alike = [one for one in map(SymbolShape.of, self._keys) if one.letter == looks.letter]
        count = sum(_PAIR.fullmatch(one.subscript) is not None for one in alike)
        may_be_points = looks.letter in _POINTS and not speaks_of("matrices", self._prose)
        return ENTRY if count >= _FEWEST_ENTRIES and not may_be_points else None

    def _has(self, pattern: str) -> bool:
        """Return whether the page has a symbol."""
        return any(re.fullmatch(pattern, used.key) for used in self._page.symbols)

    def _by_unit(self, key: str, looks: SymbolShape) -> str | None:
        """Return what a letter is that may be many things, by what equations measure it in."""
        unit = self._uses.units.get(key)
        if unit == ENERGY and looks.letter in _ANYTHING and bare(key) in self._uses.of_squares:
            return KINDS["kinetic"][0]
        if unit == ENERGY and looks.letter == "E":
            kind = OF_ENERGIES.get(looks.subscript[:1]) if looks.subscript else "total"
            return KINDS[kind][0] if kind else "energy"
        is_spring = looks.letter == "K" and bare(key) in self._uses.multiplied
        if unit == ENERGY and looks.letter != "T" and not is_spring:
            return next((KINDS[kind][0] for kind in looks.kinds if kind in ENERGIES), None)
        is_constant = looks.letter in _COEFFICIENTS and bare(key) not in self._rates
        return _BY_UNIT.get(unit) if unit and is_constant else None

    def _unmeasured(self, looks: SymbolShape) -> list[tuple[str, tuple[Dimension, ...]]]:
        """Return what a letter of no known unit is for; nothing of one that is for anything."""
        is_any = looks.letter in _ANYTHING
        is_any |= looks.kinds[:1] == ("gravity",) and looks.subscript not in _GRAVITY
        usual = [] if is_any else self._usual(looks)
        return [one for one in usual if self._is_spoken_of(one[0])]

    def _is_spoken_of(self, words: str) -> bool:
        """Return whether the page speaks of a quantity, of those that few pages have."""
        subject = _SUBJECTS.get(words)
        return subject is None or speaks_of(subject, self._prose)

    @staticmethod
    def _usual(
        looks: SymbolShape, without: Collection[str] = _OPEN
    ) -> list[tuple[str, tuple[Dimension, ...]]]:
        """Return what a letter is for by convention, the likeliest first, with its units."""
        others = {*ENERGIES, *(() if looks.arguments else _BLOCKS), *without}
        if looks.letter != "lambda":
            others.add("multiplier")
        usual = [KINDS[kind] for kind in looks.kinds if kind in KINDS and kind not in others]
        return [_USUAL[looks.letter], *usual] if looks.letter in _USUAL else usual


def _accelerated(looks: SymbolShape) -> LetterWord:
    """Return what a letter is that has accelerations; not for sure where it may be anything."""
    if looks.is_styled and looks.letter in _PLACE_VECTORS:
        return LetterWord("position", is_borne_out=True)
    places = [kind for kind in looks.kinds if kind in _OF_PLACES]
    words = KINDS[places[0]][0] if places else "coordinate"
    return LetterWord(words, is_borne_out=looks.kinds[:1] == tuple(places[:1]))
