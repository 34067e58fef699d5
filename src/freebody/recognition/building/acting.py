"""What acts in a model made of what a page says: springs and friction at joints, and loads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from freebody.algebra import Form
from freebody.algebra.units import NUMBER
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.recognition.building.energies import Energies
from freebody.recognition.building.linkage import Linkage
from freebody.recognition.building.model_names import ModelNames
from freebody.recognition.building.page_units import Units
from freebody.recognition.equations.functions import is_function

_SIGNALS = frozenset("iu")
"""Letters of currents and control inputs, whatever loads are of them."""
_FIXED = frozenset({"e", "eq", "s", "st", "ss", "o", "ref", "rest", "d", "des", "max", "min"})
"""What stands below the letter of a place that does not move, or is only wanted."""


class Acting:
    """What acts along the coordinates of a linkage.

    Parameters
    ----------
    letters : Letters
    names : ModelNames
    found : Energies
    loads : sequence of Form
        What acts besides weight and springs, by coordinate.
    linkage : Linkage
        Of which joints get loads, and which gets bodies that those act on.
    units : Units
    driven : frozenset of str
        The letters of what is prescribed.

    Raises
    ------
    DerivationError
        If a load is of what the model has not.

    Attributes
    ----------
    springs, dampers, torques : list of dict
        Their entries in a model file.
    inputs : set of str
        The letters of forces and moments, and of places that are given.
    """

    def __init__(
        self,
        letters: Letters,
        names: ModelNames,
        found: Energies,
        loads: Sequence[Form],
        linkage: Linkage,
        units: Units,
        driven: frozenset[str],
    ) -> None:
        self._letters, self._names, self._found = letters, names, found
        self._linkage, self._units, self._driven = linkage, units, driven
        self.springs: list[dict[str, Any]] = []
        self.dampers: list[dict[str, Any]] = []
        self.torques: list[dict[str, Any]] = []
        self.inputs = set[str]()
        for n, (load, stored) in enumerate(zip(loads, found.stored, strict=True)):
            whole = load - stored
            if whole and not self._is_linked(n, whole):
                whole = self._spring(n, whole)
            if whole:
                self.inputs |= self._driving(whole)
                self._act(n, whole)

    def _is_linked(self, n: int, load: Form) -> bool:
        """Return whether a load depends on another coordinate, as that of a spring between two."""
        others = {one.key for one in self._found.coordinates} - {self._found.coordinates[n].key}
        return any(one.key in others for one in letters_of(self._letters, load))

    def _spring(self, n: int, load: Form) -> Form:
        """Take a linear spring and a damper at the joint of a coordinate from a load."""
        ring, one = load.ring, self._found.coordinates[n]
        drive = self._linkage.drives.get(n)
        if drive is None or drive.joint["type"] not in ("pin", "slider"):
            return load
        joint, name = drive.joint, self._names[one.key]
        if (joint.get("angle") or joint.get("displacement")) != name:
            return load
        for entries, word, letter in (
            (self.dampers, "damping", Letter(one.key, 1)),
            (self.springs, "stiffness", one),
        ):
            atom = self._letters.atom(letter)
            slope = -ring.partial(load, atom)
            constant = self._constant(slope)
            if constant is not None:
                load = load + slope * ring.symbol(atom)
                acting: dict[str, Any] = {"joint": joint["name"], word: self._names.text(slope)}
                rest = ring.partial(load, self._letters.atom(constant))
                if word == "stiffness" and rest and not self._linkage.moves(rest):
                    load = load - rest * slope
                    acting["rest"] = self._names.text(rest)
                entries.append(acting)
        return load

    def _constant(self, slope: Form) -> Letter | None:
        """Return the one constant that something is a multiple of, if it is none of a mass."""
        inside = letters_of(self._letters, slope)
        if len(slope.terms) != 1 or len(inside) != 1:
            return None
        (one,) = inside
        others = self._letters.moving | self._driven | self._linkage.heavy
        return None if one.key in others else one

    def _driving(self, load: Form) -> set[str]:
        """Return the letters of a load that are forces or moments themselves, or places."""
        own = {one.key for one in self._found.coordinates} | self._driven
        known = {
            one.key
            for form in (
                *(e for row in self._found.inertia for e in row),
                *self._found.slopes,
                *self._found.stored,
            )
            for one in letters_of(self._letters, form)
        }
        found = set[str]()
        for one in letters_of(self._letters, load):
            slope = load.ring.partial(load, self._letters.atom(one))
            is_alone = not any(
                each.key in own for each in letters_of(self._letters, slope) if each.dots
            )
            near = {each.key for each in letters_of(self._letters, slope)}
            is_constant = is_function(one.key) or any(map(is_function, near))
            is_constant |= not near.isdisjoint(_SIGNALS)
            is_constant |= bool(near) and SymbolShape.of(one.key).kinds[:1] == ("length",)
            is_force = one.key not in known and is_alone and not is_constant
            is_given = one.key in _SIGNALS or ((is_force or self._is_place(one)) and not near & own)
            if is_given and one.key not in own:
                found.add(one.key)
        return found

    def _is_place(self, letter: Letter) -> bool:
        """Return whether a letter is a coordinate of something else: x_c beside x_m."""
        looks = SymbolShape.of(letter.key)
        alike = (SymbolShape.of(one.key).letter for one in self._found.coordinates)
        return looks.letter in alike and looks.subscript.isalpha() and looks.subscript not in _FIXED

    def _act(self, n: int, load: Form) -> None:
        """Let a load act along a coordinate: at its joint, on its link, or on a frame."""
        drive = self._linkage.drives.get(n)
        coordinate = self._names[self._found.coordinates[n].key]
        text = str(self._names.text(load))
        if drive is not None:
            before = f"{drive.joint[drive.field]} + " if drive.field in drive.joint else ""
            drive.joint[drive.field] = before + text
            return
        for name, arm in self._linkage.links.items():
            if [place for place, has in enumerate(arm.angle) if has] == [n]:
                signed = text if arm.way[2] > 0 else f"-({text})"
                self.torques.append({"on": name, "vector": [0, 0, signed]})
                return
        name = f"along_{coordinate}"
        self._linkage.body(name)
        if self._units.of(self._found.coordinates[n].key) == NUMBER:
            self._linkage.join("pin", "ground", name, angle=coordinate, torque=text)
        else:
            self._linkage.join("slider", "ground", name, displacement=coordinate, force=text)
