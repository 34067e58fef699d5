"""The model file of one rigid body that moves in space."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.algebra.units import KG, NUMBER, Dimension, M, S
from freebody.checking.guesses.kinds import ENERGY
from freebody.consistency.letters import Letter, letters_of
from freebody.recognition.building.page_units import Units
from freebody.recognition.known.making import free_name
from freebody.recognition.rigid_bodies.equations import SpeedEquation
from freebody.recognition.rigid_bodies.model_file import BODY, OPEN, BodyFile
from freebody.recognition.rigid_bodies.newton_euler import CYCLE, Rotation, Translation
from freebody.recognition.rigid_bodies.turns import turned
from freebody.recognition.symbols.initials import GRAVITY

TURNS = ("yaw", "pitch", "roll")
"""What angles are called that the page has not, one after another."""
_AXES = "xyz"
_SMALL = 0.1
"""A product of inertia beside moments of 1."""


@dataclass(eq=False)
class SpaceFile(BodyFile):
    """The file of a body that moves in space.

    Attributes
    ----------
    rotation : Rotation
    translation : Translation, optional
    sequence : str
        The axes about which the body turns, one after another.
    angles : tuple of str
        The letters for how far; empty ones are not on the page.
    """

    rotation: Rotation
    translation: Translation | None
    sequence: str
    angles: tuple[str, str, str]
    _forces: list[Form] = field(init=False)

    @property
    def used(self) -> tuple[SpeedEquation, ...]:
        """The equations that it is made of."""
        moved = self.translation.equations if self.translation else ()
        return (*self.rotation.equations, *moved)

    @property
    def moving(self) -> tuple[str, ...]:
        """The letters of coordinates and speeds."""
        moved = self.translation.speeds if self.translation else ()
        speeds = (one for one in (*self.rotation.speeds, *moved) if one)
        return (*(one.key for one in speeds), *filter(None, self.angles))

    @property
    def open(self) -> tuple[str, ...]:
        """The letters that another sequence of turns would mean otherwise."""
        return self.angles

    @property
    def words(self) -> str:
        """What is not as the page prints it."""
        rates = ", ".join(rf"\dot{one.key}" for one in self.rotation.speeds if one.dots)
        return f", with {rates} for angular velocities along the body's axes" if rates else ""

    def data(self, title: str) -> dict[str, Any]:
        """Return the model file as plain data.

        Raises
        ------
        DerivationError
            If what acts has letters that the model has no name for.
        """
        moved = self.translation
        self._forces = [*moved.forces] if moved else []
        gravity = self._gravity()
        carried = self._carried()
        acting = [*self.rotation.moments, *self._forces, *carried]
        self._name((*acting, *chain.from_iterable(self.rotation.inertia)), self._keys(gravity))
        units = self._units(acting, carried, gravity)
        made: dict[str, Any] = {"title": title}
        if gravity:
            key = gravity.removeprefix("-")
            made["gravity"] = [0, 0, gravity.replace(key, self.names[key])]
        made |= self._quantities(acting, units)
        inertia = self.rotation.inertia
        body: dict[str, Any] = {"name": BODY, "mass": self._mass()}
        body["inertia"] = [self.text(inertia[n][n]) for n in range(3)]
        products = [self.text(inertia[i][j]) for i, j, _ in CYCLE]
        if any(products):
            body["products_of_inertia"] = products
        angles = [self._angle(n) for n in range(3)]
        joint: dict[str, Any] = {"name": "flight", "parent": "ground", "child": BODY}
        if moved:
            places = [self._place(n) for n in range(3)]
            joint |= {"type": "free", "translation": places, "rotation": angles}
        else:
            joint |= {"type": "spherical", "angles": angles}
        joint["sequence"] = self.sequence
        made["bodies"], made["joints"] = [body], [joint]
        forces = [self.text(one) for one in self._forces]
        entries = []
        if carried:
            vector = [*map(self.text, carried)]
            entries.append({"on": BODY, "frame": BODY, "vector": vector})
        if any(forces):
            own = {"frame": BODY} if moved and moved.is_own else {}
            entries.append({"on": BODY, **own, "vector": forces})
        moments = [self.text(one) for one in self.rotation.moments]
        made["forces"] = entries
        if any(moments):
            made["torques"] = [{"on": BODY, "frame": BODY, "vector": moments}]
        return {key: value for key, value in made.items() if value}

    # ------------------------------------------------------------------ quantities

    def _quantities(self, acting: Collection[Form], units: Units) -> dict[str, dict[str, Any]]:
        coordinates: dict[str, Any] = {}
        if self.translation:
            for n in range(3):
                own = self.translation.speeds[n]
                words = own.key if own and own.dots else f"position along {_AXES[n]}"
                entry = {"title": words, "unit": "m", "initial": 0}
                coordinates[self._place(n)] = entry
        for n in range(3):
            words = self.angles[n] or f"{TURNS[n]}, {OPEN}"
            coordinates[self._angle(n)] = {"title": words, "unit": "rad", "initial": 0.1}
        made: dict[str, dict[str, Any]] = {"coordinates": coordinates, "speeds": self._speeds()}
        return made | self._given(units, acting, {*coordinates, *made["speeds"]})

    def _examples(self) -> dict[str, float]:
        """Return the values of constants whose unit alone does not tell a good one."""
        products = (self.rotation.inertia[i][j] for i, j, _ in CYCLE)
        inside = (one for form in products for one in letters_of(self.letters, form))
        return {one.key: _SMALL for one in inside}

    def _speeds(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for n, one in enumerate(self.translation.speeds if self.translation else ()):
            words, value = f"velocity along {_AXES[n]}", f"{self._place(n)}_dot"
            if self.translation and self.translation.is_own:
                words, value = f"{words} of the body", self._own_velocity(n)
            name = self._speed(one, f"v{_AXES[n]}")
            made[name] = {"title": words, "unit": "m/s", "value": value}
        for n, one in enumerate(self.rotation.speeds):
            words = f"angular velocity about {_AXES[n]} of the body"
            made[self._speed(one, "pqr"[n])] = {
                "title": words, "unit": "rad/s", "angular_velocity_of": BODY, "axis": _AXES[n]
            }  # fmt: skip
        return made

    def _own_velocity(self, n: int) -> str:
        rates = sympy.Matrix([sympy.Symbol(f"{self._place(k)}_dot") for k in range(3)])
        angles = [sympy.Symbol(self._angle(k)) for k in range(3)]
        return sympy.sstr((turned(self.sequence, angles).T * rates)[n])

    def _speed(self, one: Letter | None, otherwise: str) -> str:
        if one is None or one.dots:
            return free_name(otherwise, self.names.values())
        return self.names[one.key]

    def _angle(self, n: int) -> str:
        return self.names[self.angles[n]] if self.angles[n] else TURNS[n]

    def _place(self, n: int) -> str:
        own = self.translation.speeds[n] if self.translation else None
        if own and own.dots:
            return self.names[own.key]
        return free_name(_AXES[n], self.names.values())

    def _mass(self) -> str | int:
        return self.names[self.translation.mass.key] if self.translation else 0

    # ------------------------------------------------------------------ what acts

    def _gravity(self) -> str:
        """Take the weight out of the forces; return the gravity along z that it tells."""
        if self.translation is None:
            return ""
        mass = self.letters.form(self.translation.mass)
        inside = {one.key for form in self._forces for one in letters_of(self.letters, form)}
        for key in sorted(inside.intersection(GRAVITY)):
            weight = mass * self.letters.form(Letter(key, 0))
            for sign, word in ((weight, key), (-weight, f"-{key}")):
                rest = [
                    f - sign * part for f, part in zip(self._forces, self._upwards(), strict=True)
                ]
                atom = self.letters.atom(Letter(key, 0))
                if not any(atom in form.symbols for form in rest):
                    self._forces = rest
                    return word
        return ""

    def _upwards(self) -> list[Form]:
        """Return the ground's z along the axes of the forces."""
        ring = self.letters.ring
        if self.translation is None or not self.translation.is_own:
            return [ring.zero, ring.zero, ring.one]
        return ring.forms(self._turned()[2, :])

    def _turned(self) -> sympy.Matrix:
        """Return the matrix from the axes of the body to the ground's, in letters of the page."""
        return turned(
            self.sequence,
            [self.letters.atom(Letter(key, 0)) if key else sympy.S.Zero for key in self.angles],
        )

    def _carried(self) -> list[Form]:
        """Take forces along the body's axes out of those along the ground, if there are any."""
        turning = {key for key in self.angles if key}
        moved = self.translation
        if moved is None or moved.is_own or None in moved.speeds or not turning:
            return []
        ring, matrix = self.letters.ring, self._turned()
        axes = [ring.forms(matrix[:, n]) for n in range(3)]
        carried = [ring.zero] * 3
        for one in sorted({one for each in self._forces for one in letters_of(self.letters, each)}):
            slopes = [self.letters.slope(force, one) for force in self._forces]
            along = [ring.sum([a * b for a, b in zip(axis, slopes, strict=True)]) for axis in axes]
            inside = {each for form in along for each in letters_of(self.letters, form)}
            if any(each.key in turning or each == one or self._is_rate(each) for each in inside):
                continue
            if any(along):
                own = self.letters.form(one)
                carried = [a + b * own for a, b in zip(carried, along, strict=True)]
                pairs = zip(self._forces, slopes, strict=True)
                self._forces = [force - slope * own for force, slope in pairs]
        return carried if any(carried) else []

    def _is_rate(self, one: Letter) -> bool:
        own = self.translation.speeds if self.translation else ()
        return bool(one.dots) or one in own

    # ------------------------------------------------------------------ names and units

    def _keys(self, gravity: str) -> set[str]:
        """Return the letters that the model has though they are in nothing that acts."""
        moved = self.translation
        speeds = [*self.rotation.speeds, *(moved.speeds if moved else ())]
        keys = {one.key for one in speeds if one} | {key for key in self.angles if key}
        keys |= {moved.mass.key} if moved else set()
        return keys | ({gravity.removeprefix("-")} if gravity else set())

    def named_rates(self) -> dict[Letter, str]:
        """Return what the angular velocity is called, where the page has rates of angles."""
        return {
            one: self._speed(one, "pqr"[n])
            for n, one in enumerate(self.rotation.speeds)
            if one.dots
        }

    def _units(self, acting: list[Form], carried: list[Form], gravity: str) -> Units:
        moved = self.translation
        known: dict[str, Dimension] = {one.key: NUMBER / S for one in self.rotation.speeds}
        known |= {key: NUMBER for key in self.angles if key}
        known |= {one.key: NUMBER for one in self.rotation.speeds if one.dots}
        if moved:
            known |= {one.key: M / S ** (1 - one.dots) for one in moved.speeds if one}
            known[moved.mass.key] = KG
        if gravity:
            known[gravity.removeprefix("-")] = M / S**2
        inertia = [entry for row in self.rotation.inertia for entry in row]
        targets = [(entry, KG * M**2) for entry in inertia]
        targets += [(moment, ENERGY) for moment in self.rotation.moments]
        targets += [(force, ENERGY / M) for force in (*self._forces, *carried)]
        return Units(self.letters, self.functions, known, targets, acting)
