"""The model file of one rigid body that moves in a plane, by its velocity along its own axes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sympy

from freebody.algebra.units import KG, NUMBER, Dimension, M, S
from freebody.checking.guesses.kinds import ENERGY
from freebody.consistency.letters import Letter
from freebody.recognition.building.page_units import Units
from freebody.recognition.known.making import free_name
from freebody.recognition.rigid_bodies.equations import SpeedEquation
from freebody.recognition.rigid_bodies.model_file import BODY, OPEN, BodyFile
from freebody.recognition.rigid_bodies.plane import PlaneMotion

_YAWING = "velocity along the body", "velocity across the body", "yaw rate"
_PITCHING = "heave velocity, downward through the body", "forward velocity", "pitch rate"


@dataclass(eq=False)
class PlaneFile(BodyFile):
    """The file of a body that moves in a plane.

    Attributes
    ----------
    motion : PlaneMotion
    """

    motion: PlaneMotion

    def data(self, title: str) -> dict[str, Any]:
        """Return the model file as plain data.

        Raises
        ------
        DerivationError
            If what acts has letters that the model has no name for.
        """
        own = self.motion
        acting = (*own.forces, own.moment)
        speeds = (own.along, own.across, own.turning)
        keys = {one.key for one in speeds} | {own.mass.key, own.inertia.key}
        keys |= {own.heading.key} if own.heading else set()
        self._name(acting, keys)
        units = self._units(acting)
        made: dict[str, Any] = {"title": title, "coordinates": self._coordinates()}
        made["speeds"] = self._speeds()
        own_names = {*made["coordinates"], *made["speeds"], self.names[own.across.key]}
        made |= self._given(units, acting, own_names)
        mass, inertia = self.names[own.mass.key], self.names[own.inertia.key]
        made["bodies"] = [{"name": BODY, "mass": mass, "inertia": inertia}]
        made["joints"] = [{
            "name": "gliding", "type": "planar", "parent": "ground", "child": BODY,
            "translation": [self._free("x"), self._free("y")], "rotation": self._heading(),
        }]  # fmt: skip
        forces = [*map(self.text, own.forces), 0]
        if own.is_steady:
            forces[0] = f"-{mass}*{self._across()}*{self._turning()}"
        made["forces"] = [{"on": BODY, "frame": BODY, "vector": forces}] if any(forces) else []
        if own.moment:
            made["torques"] = [{"on": BODY, "vector": [0, 0, self.text(own.moment)]}]
        return {key: value for key, value in made.items() if value}

    @property
    def used(self) -> tuple[SpeedEquation, ...]:
        """The equations that it is made of."""
        return self.motion.equations

    @property
    def moving(self) -> tuple[str, ...]:
        """The letters of coordinates and speeds."""
        own = self.motion
        letters = (own.along, own.across, own.turning, own.heading)
        return tuple(one.key for one in letters if one)

    def meanings(self) -> dict[str, str]:
        """Return what letters of the page stand for in the model."""
        own = self.motion
        if own.across.dots:  # what its rate is, is no coordinate
            return {key: name for key, name in self.names.items() if key != own.across.key}
        ratio = {own.across.key: f"{self._across()}/{self.names[own.along.key]}"}
        return {**self.names, **(ratio if own.is_ratio else {})}

    def named_rates(self) -> dict[Letter, str]:
        """Return what rates of letters are called that are speeds of the model."""
        rates = {self.motion.across: self._across(), self.motion.turning: self._turning()}
        return {one: name for one, name in rates.items() if one.dots}

    def _expression(self, letter: Letter) -> sympy.Expr:
        if self.motion.is_ratio and letter == self.motion.across:
            return sympy.Symbol(self._across()) / sympy.Symbol(self.names[self.motion.along.key])
        return super()._expression(letter)

    def _coordinates(self) -> dict[str, Any]:
        made: dict[str, Any] = {
            self._free(axis): {"title": f"position along {axis}, {OPEN}", "unit": "m", "initial": 0}
            for axis in "xy"
        }
        words = self.motion.heading.key if self.motion.heading else f"heading, {OPEN}"
        return made | {self._heading(): {"title": words, "unit": "rad", "initial": 0}}

    def _speeds(self) -> dict[str, Any]:
        heading, (x, y) = self._heading(), (f"{self._free(axis)}_dot" for axis in "xy")
        titles = _PITCHING if self._is_pitching() else _YAWING
        along = {"title": titles[0], "unit": "m/s"}
        along["value"] = f"cos({heading})*{x} + sin({heading})*{y}"
        across = {"title": titles[1], "unit": "m/s"}
        across["value"] = f"-sin({heading})*{x} + cos({heading})*{y}"
        turning = {"title": titles[2], "unit": "rad/s", "value": f"{heading}_dot"}
        own = self.names[self.motion.along.key]
        return {own: along, self._across(): across, self._turning(): turning}

    def _is_pitching(self) -> bool:
        """Return whether it moves in its plane of symmetry, by the letters that aircraft have."""
        own = self.motion
        return [one.key.lower() for one in (own.along, own.across, own.turning)] == ["w", "u", "q"]

    def _across(self) -> str:
        own = self.motion.across
        if own.dots or self.motion.is_ratio:
            return free_name("v_across", self.names.values())
        return self.names[own.key]

    def _turning(self) -> str:
        own = self.motion.turning
        return free_name("yaw_rate", self.names.values()) if own.dots else self.names[own.key]

    def _heading(self) -> str:
        own = self.motion.heading
        return self.names[own.key] if own else free_name("heading", self.names.values())

    def _free(self, name: str) -> str:
        return free_name(name, self.names.values())

    def _units(self, acting: Collection[Any]) -> Units:
        own = self.motion
        known: dict[str, Dimension] = {own.mass.key: KG, own.inertia.key: KG * M**2}
        known[own.along.key] = M / S
        known[own.across.key] = NUMBER if own.is_ratio else M / S ** (1 - own.across.dots)
        known[own.turning.key] = NUMBER / S ** (1 - own.turning.dots)
        if own.heading:
            known[own.heading.key] = NUMBER
        targets = [*((force, ENERGY / M) for force in own.forces), (own.moment, ENERGY)]
        return Units(self.letters, self.functions, known, targets, tuple(acting))
