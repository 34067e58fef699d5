"""Model files made of what a page says: bodies on pins and sliders, with springs and loads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import sympy

from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.recognition.building.acting import Acting
from freebody.recognition.building.bodies import Bodies, Placed
from freebody.recognition.building.energies import Energies, Held
from freebody.recognition.building.examples import enlarge, example
from freebody.recognition.building.linkage import AXES, Linkage, is_moved
from freebody.recognition.building.model_names import ModelNames
from freebody.recognition.building.page_units import Units
from freebody.recognition.building.supports import SupportMotion, supported
from freebody.recognition.equations.functions import Functions, is_function
from freebody.recognition.known.making import identifier


class Construction:
    """A model file in the making.

    Parameters
    ----------
    letters : Letters
    found : Energies
    placed : Bodies
    functions : Functions
        Of rates and of time, that loads are made of.
    driven : frozenset of str
        The letters of what moves in a given way.
    left_out : sequence of str
        The letters of units that the page leaves out.

    Raises
    ------
    DerivationError
        If a letter has no unit, or loads are of what the model has not.

    Attributes
    ----------
    names : dict of str to str
        What letters of the page are called in the model.
    """

    def __init__(
        self,
        letters: Letters,
        found: Energies,
        placed: Bodies,
        functions: Functions,
        driven: frozenset[str] = frozenset(),
        left_out: Sequence[str] = (),
    ) -> None:
        self._letters, self._found, self._placed, self._driven = letters, found, placed, driven
        self._left_out = left_out
        loads, support = supported(letters, functions, found, placed)
        forms = chain(
            chain.from_iterable(found.inertia), found.slopes, found.stored, found.loads,
            chain.from_iterable(one.position for one in placed.masses if is_moved(one)),
            (one.form for one in found.held),
        )  # fmt: skip
        self._names = ModelNames(letters, functions, found.coordinates, forms, driven)
        self.names = self._names.names
        self._linkage = Linkage(letters, self._names, found.coordinates, placed)
        self._units = Units.of_energies(letters, found, placed, functions)
        self._acting = Acting(
            letters, self._names, found, loads, self._linkage, self._units, driven.union(left_out)
        )
        self._carried = self._carry(support) if support else {}

    def data(self, title: str) -> dict[str, Any]:
        """Return the model file as plain data.

        Raises
        ------
        DerivationError
            If a letter has no unit.
        """
        made: dict[str, Any] = {"title": title}
        if self._placed.gravity:
            made["gravity"] = [0, f"-{self.names[self._placed.gravity.key]}", 0]
        made["coordinates"] = {
            self.names[one.key]: self._coordinate(one) for one in self._found.coordinates
        }
        own = {one.key for one in self._found.coordinates} | self._driven | {*self._left_out}
        rest = [key for key in self.names if key not in own and not is_function(key)]
        inputs = self._acting.inputs
        for section, keys in (
            ("inputs", [key for key in rest if key in inputs]),
            ("constants", [key for key in rest if key not in inputs]),
        ):
            made[section] = {self.names[key]: self._entry(key, section == "inputs") for key in keys}
        roots = chain.from_iterable(map(self._roots, self._placed.masses))
        enlarge(made["constants"], (*self._linkage.positive, *roots))
        prescribed = {**self._carried}
        for key in sorted(self._driven & self.names.keys()):
            prescribed |= self._example(key, made["constants"])
        for key in self._left_out:
            unit = str(self._units.of(key))
            title = "a unit that the page leaves out"
            prescribed[self.names[key]] = {"title": title, "unit": unit, "value": 1}
        if prescribed:
            made["prescribed"] = prescribed
        lists = {
            "bodies": self._linkage.bodies, "joints": self._linkage.joints,
            "springs": self._acting.springs, "dampers": self._acting.dampers,
            "torques": self._acting.torques, "constraints": [*self._constraints()],
        }  # fmt: skip
        return made | {section: entries for section, entries in lists.items() if entries}

    def meaning(self, held: Held) -> str | None:
        """Return what the letter for what holds is in the model; None where that is open."""
        if not {one.key for one in letters_of(self._letters, held.factor)} <= self.names.keys():
            return None
        factor = str(self._names.text(-self._letters.ring.one / held.factor))
        times = {"1": "", "-1": "-"}.get(factor, f"({factor})*")
        return f"{times}multiplier.{_held_by(held)}"

    def _coordinate(self, one: Letter) -> dict[str, Any]:
        """Return its entry; what attracts or holds each other begins not in one place."""
        columns = [*self._found.columns.values()]
        apart = next((n for n, column in enumerate(columns) if one in column), 0)
        number = self._found.coordinates.index(one) if self._found.held else 0
        unit = str(self._units.of(one.key))
        return {
            "title": one.key,
            "unit": "rad" if unit == "1" else unit,
            "initial": round(0.1 + apart + number / 5, 1),
        }

    def _entry(self, key: str, is_input: bool) -> dict[str, Any]:
        unit = str(self._units.of(key))
        return {"title": key, "unit": unit, "value": 0 if is_input else example(key, unit)}

    def _roots(self, one: Placed) -> Iterator[sympy.Expr]:
        """Iterate over what the roots are of in the position of a mass."""
        for part in one.position:
            written = self._names.written(part.ring.expression(part))
            yield from (root.base for root in written.atoms(sympy.Pow) if not root.exp.is_Integer)

    def _example(self, key: str, constants: dict[str, Any]) -> dict[str, Any]:
        """Return an example of how something moves in a given way, and add its constants."""
        name, unit = self.names[key], str(self._units.of(key))
        amplitude, frequency = (
            self._names.free(f"{name}_{what}", constants) for what in ("height", "frequency")
        )
        words = "of an example of how it moves"
        constants[amplitude] = {"title": f"{key}, height {words}", "unit": unit, "value": 0.1}
        constants[frequency] = {"title": f"{key}, frequency {words}", "unit": "rad/s", "value": 1}
        return {name: {"title": key, "unit": unit, "value": f"{amplitude}*sin({frequency}*t)"}}

    def _carry(self, support: Iterable[SupportMotion]) -> dict[str, Any]:
        """Let a support carry the linkage; return how it moves."""
        moves, motions = list[dict[str, Any]](), dict[str, Any]()
        for one in support:
            name = self._names.free(f"support_{'xy'[one.axis]}", motions)
            value = sympy.sstr(self._names.written(one.displacement))
            motions[name] = {"title": value, "unit": "m", "value": value}
            moves.append({"along": AXES[one.axis], "by": name})
        self._linkage.carry(moves)
        return motions

    def _constraints(self) -> Iterator[dict[str, Any]]:
        """Iterate over the constraints, each with a coordinate that follows from the others."""
        free = [*reversed(self._found.coordinates)]
        for one in self._found.held:
            inside = letters_of(self._letters, one.form)
            dots = max(each.dots for each in inside)  # of speeds, or else of places
            dependent = next(each for each in free if Letter(each.key, dots) in inside)
            free.remove(dependent)
            yield {
                "name": _held_by(one),
                "type": "nonholonomic" if dots else "holonomic",
                "expression": self._names.text(one.form),
                "dependent": [self.names[dependent.key] + "_dot" * dots],
            }


def _held_by(held: Held) -> str:
    """Return what a constraint is called, by the letter for what holds."""
    return f"by_{identifier(held.force) or 'multiplier'}"
