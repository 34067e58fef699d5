"""Which meanings are told of a symbol for which no equation speaks: by its name and its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property

from freebody.algebra.units import NUMBER, Dimension, M, S
from freebody.checking.guesses.conventions import (
    ENERGIES,
    OF_ENERGIES,
    Candidate,
    SymbolShape,
)
from freebody.checking.guesses.letter_dimensions import letter_dimensions
from freebody.checking.guesses.search import MeaningSearch
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.units import Dimensions, Known
from freebody.errors import FreebodyError

_BLOCKS = frozenset({"M", "C", "G", "E", "N", "J", "coriolis", "christoffel"})
"""Parts of the equations of motion, which single letters hardly stand for."""
FARTHEST = 1.5
"""What a meaning costs at the most that is told by its name alone."""
_USUAL = {"v": M / S, "omega": NUMBER / S, "Omega": NUMBER / S}
"""What is nothing else, where nothing tells its unit."""
_CONSTANTS = frozenset({"mass", "length", "inertia", "constant"})
"""What has a letter of its own in a model, so that another letter is something else."""
_FORCES = frozenset({"reaction", "force vector", "reaction moment", "multiplier", "resultant"})
_WHOLE = {
    "tau": ("tau", "T", "Q", "u"), "coordinates": ("q", "x"), "C": ("C",), "M": ("M", "I", "J"),
    "input matrix": (),  # the B of a state-space form is that of rates
}  # fmt: skip
"""What letters the columns and matrices of all equations of motion have."""
_MATRICES = frozenset("MCG")
_OF_MOTION = frozenset({"coordinate", "coordinates", "angle", "speed"})
_AXES = (*"xyzXYZ", "xx", "yy", "zz")
_OWNER = re.compile(r"(?:\w+\.)+?(?!(?:kinetic|potential|total|lagrangian)\b)(\w\w+)")
"""The body or joint in the path of a quantity."""
_FREQUENCIES = ("omega", "Omega")
_GENERAL = {
    "q": frozenset({"coordinate", "coordinates", "angle"}),
    **dict.fromkeys("uQ", frozenset({"force", "moment", "tau", "coordinates"})),
}
"""Letters that stand for what has another letter as well: ``q`` for x and theta, u for a force."""


class ByName:
    """Judges what a symbol may be told to be by its name, where no equation holds with it.

    Parameters
    ----------
    search : MeaningSearch
        That has run.
    known : collection of str
        The symbols of which is known what they mean.
    said : mapping of str to mapping
        What the page says of symbols in words: by kinds and meanings.
    """

    def __init__(
        self,
        search: MeaningSearch,
        known: Collection[str],
        said: Mapping[str, Mapping[str, float]],
    ) -> None:
        self._search, self._known, self._said = search, known, said
        self._model = Dimensions(search.trial.quantities)
        self._kinds = {one.kind for domain in search.domains.values() for one in domain}

    def allows(self, key: str, one: Candidate, *, holds: bool) -> bool:
        """Return whether a symbol may be told to mean this.

        Parameters
        ----------
        key : str
        one : Candidate
        holds : bool
            Whether an equation holds with it.
        """
        looks, said = SymbolShape.of(key), self._said.get(key, {})
        if self._is_of_another_unit(key, looks, one):
            return False
        is_called_so = (one.kind in said and one.kind != "constant") or one.text in said
        if one.kind in _BLOCKS and not (self._is_block(looks) or is_called_so):
            return False
        if one.kind in ENERGIES and _is_of_another(looks, one):
            return False
        if holds or is_called_so or one.is_exact:
            return True
        if one.cost > FARTHEST or said.keys() & self._kinds:
            return False
        if one.kind in _OF_MOTION and looks.subscript == "0":
            return False  # where a motion begins
        return self._is_named_so(looks, one) and not self._is_taken(key, looks, one)

    def _is_named_so(self, looks: SymbolShape, one: Candidate) -> bool:
        """Return whether such a symbol is called as what has this meaning."""
        letter, kind = looks.letter, one.kind
        if _is_of_another(looks, one):
            return False
        if kind in ENERGIES:
            return self._has_energies and (kind != "total" or letter in ("E", "H"))
        if kind in _CONSTANTS:
            return one.text[:1].lower() == letter[:1].lower()
        if kind in _FORCES:
            return letter == "N"
        if kind in _WHOLE:
            return letter in _WHOLE[kind]
        if kind == "time":
            return not looks.subscript
        return kind != "speed" or letter not in _FREQUENCIES or looks.subscript.isdigit()

    def _is_block(self, looks: SymbolShape) -> bool:
        """Return whether a symbol may be a matrix or a column, or an entry of a matrix.

        One letter is where another is beside it, as M and G of an equation of motion.
        """
        is_matrix = looks.letter in _MATRICES and len(looks.numbers) != 1
        if looks.arguments or looks.is_styled or (is_matrix and looks.numbers):
            return True
        others = {SymbolShape.of(key).compact for key in self._search.domains} & _MATRICES
        return is_matrix and len(others) > 1

    @cached_property
    def _has_energies(self) -> bool:
        """Whether the page says of a letter that it is an energy, in words or by an equation."""
        return any(ENERGIES & said.keys() for said in self._said.values())

    def _is_of_another_unit(self, key: str, looks: SymbolShape, one: Candidate) -> bool:
        if one.kind in ENERGIES or one.kind in self._said.get(key, ()):
            return False  # which a misprint may be the reason of
        expected = self._dimensions.get(key) or _USUAL.get(looks.letter)
        found = self._dimension(one)
        return expected is not None and found is not None and expected != found

    def _is_taken(self, key: str, looks: SymbolShape, one: Candidate) -> bool:
        """Return whether another letter of the page is sure to mean this."""
        chosen = self._search.chosen
        same = (other for other in self._known if other != key and chosen[other].text == one.text)
        is_general = one.kind in _GENERAL.get(looks.letter, ())
        others = (SymbolShape.of(other) for other in same)
        return not is_general and any(
            other.compact.lower() != looks.compact.lower() or other.is_variant != looks.is_variant
            for other in others
        )

    @cached_property
    def _dimensions(self) -> Mapping[str, Dimension]:
        """The dimensions of the letters of the page, by those that are sure."""
        known = {
            key: dimension
            for key in self._known
            if (dimension := self._dimension(self._search.chosen[key])) is not None
        }
        return letter_dimensions((one.relation for one in self._search.equations), known)

    def _dimension(self, one: Candidate) -> Known:
        try:
            grid = Symbols(self._model.quantities, {"": one.meaning}).value("")
        except FreebodyError:
            return None
        return self._model.of(grid.form) if grid.is_scalar else None


def _is_of_another(looks: SymbolShape, one: Candidate) -> bool:
    """Return whether the letters below a symbol say that it is of something else."""
    letters, whose = re.sub("[^A-Za-z]", "", looks.subscript), _OWNER.findall(one.text)
    if one.kind in ENERGIES:
        is_told = bool(letters) and letters not in OF_ENERGIES
        is_told |= bool(re.fullmatch("[^A-Za-z0-9]+", looks.subscript))
    else:
        is_told = bool(whose) and bool(letters) and letters not in _AXES
    initials = {part[:1].lower() for name in whose for part in name.split("_")}
    return is_told and letters[:1].lower() not in initials
