"""Whether two printed equations say the same, in plain numbers that nothing derives.

What a page has names for gets random numbers that make the one true; the other says the same if it
is true of all of them. Equations are read by a reader of the tests' own.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from freebody.documents import Document
from freebody.model import Model
from plain import Grid, Key, UnknownError, name_of, residual
from printed import Jet, State, column, evaluated, rated

STATES, STEPS, TRIES = 3, 14, 12
NEAR = 1e-7
"""How far the sides of an equation that holds may be apart."""
SHIFT = 1e-6
_ZEROS = re.compile(r"=[\s&]*0[\s,.;]*\Z|matrix|array")
"""What is printed zero may be made so."""
VECTORS = {"position", "velocity", "acceleration", "angular_velocity", "angular_acceleration"}
MATRICES = {"M", "C", "G", "E", "tau"}
RATES = {"velocity": "position", "acceleration": "velocity"}
FAILURES = (ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError, TypeError)
FAILURES += (AttributeError, SyntaxError, UnknownError, np.linalg.LinAlgError)


def _numbered(meaning: str, numbers: Mapping[str, str]) -> str:
    """Return what a name with indices stands for, with numbers for its letters."""
    return re.sub(r"(?<=[\[,])[i-n](?=[\],])", lambda letter: numbers[letter[0]], meaning)


class Entries:
    """The entries of a matrix that is known by its entries alone."""

    def __init__(self, numbers: Numbers, path: str) -> None:
        self.numbers, self.path = numbers, path

    def __getitem__(self, place: Sequence[int]) -> Jet:
        i, j = place
        if self.path in VECTORS or self.path.split(".")[0] in VECTORS:
            return self.numbers.atom(f"{self.path}.{'xyz'[i]}")
        return self.numbers.atom(f"{self.path}[{i + 1},{j + 1}]")


@dataclass
class Numbers:
    """The names of a page as numbers that nothing ties together but what they stand for.

    Attributes
    ----------
    symbols : mapping
        What the front matter declares.
    model : Model
        Tells what is constant, and how many coordinates there are.
    seed : int
    """

    symbols: Mapping[str, Any]
    model: Model | None
    seed: int

    def __post_init__(self) -> None:
        self.atoms: dict[str, Jet] = {}

    @cached_property
    def known(self) -> dict[Key, Any]:
        keys = ((name_of(symbol), meaning) for symbol, meaning in self.symbols.items())
        return {key: meaning for key, meaning in keys if key is not None}

    @cached_property
    def patterns(self) -> list[tuple[str, str, str]]:
        """The letters of names with indices, their indices, and what they stand for."""
        return [
            (letter, script, str(meaning))
            for (letter, script, _), meaning in self.known.items()
            if re.fullmatch("[i-n]+", script) and re.search(r"\[[i-n](,[i-n])?\]", str(meaning))
        ]

    def atom(self, name: str) -> Jet:
        """Return the number of a quantity with its rates, the same at every call."""
        order = len(re.search("(?:_d*dot)?$", name)[0].removesuffix("dot").removeprefix("_") + "d")
        bare = re.sub("_d*dot$", "", name)
        family, dot, place = name.partition(".")
        if bare != name:
            return rated(column([self.atom(bare)]), order)[0, 0]
        if dot and family in RATES:
            return self.atom(f"{RATES[family]}.{place}").rate
        if name not in self.atoms:
            chance = random.Random(f"{self.seed} {name}")
            still = name in self.model.constants or name == "g"
            drawn = [chance.uniform(0.4, 1.6) for _ in range(5)]
            self.atoms[name] = Jet(*drawn[:1], *([0.0] * 4 if still else drawn[1:]))
        return self.atoms[name]

    def value(self, key: Key, dots: int) -> Grid:
        """Return what a printed name is worth."""
        if key[2] == "partial":
            return column([self.atom(" ".join(key))])
        return rated(self._meant(key), dots)

    def _meant(self, key: Key) -> Grid:
        if key in self.known:
            return self._read(self.known[key])
        for letter, script, meaning in self.patterns:
            if key[0] == letter and len(key[1]) == len(script) and key[1].isdigit():
                return self._read(_numbered(meaning, dict(zip(script, key[1], strict=True))))
        return column([self.atom(" ".join(key))])

    def _read(self, meaning: Any) -> Grid:
        if isinstance(meaning, list):
            rows = [entry if isinstance(entry, list) else [entry] for entry in meaning]
            return np.block([[self._read(entry) for entry in row] for row in rows])
        text = str(meaning)
        found = evaluated(text, lambda path: self.quantity(path, text))
        return column([found]) if isinstance(found, Jet) else self._whole(found)

    def quantity(self, path: str, text: str) -> Any:
        """Return the number of a quantity, or its entries where a text is of those."""
        if path == "pi":
            return Jet.of(np.pi)
        if path == "t":
            return Jet(0.7, 1.0, 0.0, 0.0, 0.0)
        names = {*self.model.constants, *self.model.coordinates, *self.model.inputs}
        has_entries = re.search(rf"(?<![\w.]){re.escape(path)}(?:\[|\.[xyz]\b)", text)
        is_whole = path == text and path.split(".")[0] in {*MATRICES, *VECTORS} - names
        return Entries(self, path) if has_entries or is_whole else self.atom(path)

    def _whole(self, entries: Any) -> Grid:
        """Return a quantity that is named as a whole."""
        if not isinstance(entries, Entries):
            return entries
        n = len(self.model.coordinates)
        is_vector = entries.path.split(".")[0] in VECTORS
        rows, columns = (3, 1) if is_vector else (n, n if entries.path == "M" else 1)
        some = [[entries[i, j] for j in range(columns)] for i in range(rows)]
        return np.array(some, dtype=object)

    # ------------------------------------------------------------------ equations

    def off(self, latex: str, relation: str) -> np.ndarray[Any, Any]:
        """Return left minus right, entry by entry."""
        grid = residual(latex, relation, self.value, self.known)
        return np.array([complex(jet.parts[0]).real for jet in grid.ravel()])

    def made_true(self, latex: str, relation: str) -> bool:
        """Change some of the numbers so that an equation is true; return whether that succeeded."""
        chance = random.Random(self.seed)
        start = self.off(latex, relation)
        before = dict(self.atoms)
        for again in range(2 * TRIES if _ZEROS.search(latex) else TRIES):
            places = [(name, order) for name in before for order in self._open(before[name])]
            count = min(len(places), len(start) + 1)
            drawn = chance.sample(places, count)
            is_solved = self._solved(latex, relation, drawn)
            if is_solved and (again >= TRIES or self._is_sound(latex, relation, drawn)):
                return True
            self.atoms = dict(before)
        return False

    def _open(self, jet: Jet) -> range:
        return range(1 if not any(jet.parts[1:]) else 3)

    def _solved(self, latex: str, relation: str, places: Sequence[tuple[str, int]]) -> bool:
        """Take Newton's steps, the shortest ones, along some numbers."""
        for _ in range(STEPS):
            rest = self.off(latex, relation)
            if not np.all(np.isfinite(rest)):
                return False
            if np.max(np.abs(rest)) < 1e-12:
                return True
            slopes = [self._slope(latex, relation, place, rest) for place in places]
            step = np.linalg.lstsq(np.array(slopes).T, -rest, rcond=1e-9)[0]
            for place, by in zip(places, step, strict=True):
                self._move(place, float(by))
        return False

    def _is_sound(self, latex: str, relation: str, places: Sequence[tuple[str, int]]) -> bool:
        """Return whether no number, and neither side, is so small that others do not matter."""
        sizes = [abs(self.atoms[name].parts[0]) for name, _ in places]
        return min(sizes) > 1e-3 and max(sizes) < 1e3 and not self._vanishes(latex, relation)

    def _vanishes(self, latex: str, relation: str) -> bool:
        """Return whether an equation is true because each side is zero there."""
        left, sign, right = latex.partition(relation)
        if relation in right or _ZEROS.search(latex):
            return False
        try:
            return bool(np.max(np.abs(self.off(f"{left}{sign}-({right})", relation))) < NEAR)
        except UnknownError:
            return False

    def _slope(self, latex: str, relation: str, place: tuple[str, int], rest: Any) -> Any:
        name, _ = place
        before = self.atoms[name]
        self._move(place, SHIFT)
        moved = (self.off(latex, relation) - rest) / SHIFT
        self.atoms[name] = before
        return moved

    def _move(self, place: tuple[str, int], by: float) -> None:
        name, order = place
        parts = list(self.atoms[name].parts)
        parts[order] += by
        self.atoms[name] = Jet(*parts)


def is_true(state: Numbers, latex: str, relation: str) -> bool:
    """Return whether an equation is true of some numbers."""
    off = state.off(latex, relation)
    return bool(np.all(np.isfinite(off)) and np.max(np.abs(off)) < NEAR)


@dataclass(frozen=True)
class Original:
    """A printed equation with states at which it is true, and one at which it is not.

    Attributes
    ----------
    latex, relation : str
    states : list of Numbers
    anywhere : Numbers
    """

    latex: str
    relation: str
    states: list[Numbers]
    anywhere: Numbers

    @classmethod
    def of(
        cls, latex: str, relation: str, symbols: Mapping[str, Any], model: Model
    ) -> Original | None:
        """Return an equation with its states; None where it cannot be worked out."""
        try:
            states = [Numbers(symbols, model, seed) for seed in range(STATES)]
            if not all(state.made_true(latex, relation) for state in states):
                return None
            return cls(latex, relation, states, Numbers(symbols, model, STATES))
        except FAILURES:
            return None

    def says(self, other: str) -> bool | None:
        """Return whether another equation says the same; None where no number tells."""
        try:
            if not all(is_true(state, other, self.relation) for state in self.states):
                return False
            return not is_true(self.anywhere, other, self.relation)
        except FAILURES:
            return None


class Moved(Numbers):
    """The names of a page about a planar chain of pins as its motion gives them."""

    def __init__(self, document: Document, seed: int) -> None:
        super().__init__(document.front.symbols, None, seed)
        text = (document.path.parent / "model.toml").read_text(encoding="utf-8")
        self.state = State(tomllib.loads(text), seed)

    def quantity(self, path: str, _: str) -> Any:
        return self.state.quantity(path)


def is_true_of(document: Document, original: str, other: str, relation: str) -> bool | None:
    """Return whether an equation is true of a chain; None where the original is not read so."""
    try:
        states = [Moved(document, seed) for seed in range(1, STATES + 1)]
        if not all(is_true(state, original, relation) for state in states):
            return None
        return all(is_true(state, other, relation) for state in states)
    except FAILURES:
        return None
