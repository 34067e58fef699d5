"""What is differentiated: outputs of programs along motions, each with its derivatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from freebody.arrays import Array
from freebody.backends.compile import SYMBOLS, Functions
from freebody.errors import ProgramError
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import AXES
from freebody.model.names import speed_names, speed_units
from freebody.results import model_labels
from freebody.sensitivities.flow import Varying

UNITS = {
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s**2",
    "kinetic_energy": "J",
    "potential_energy": "J",
    "muscle_lengths": "m",
}
ALONG_SPEEDS = ("bias", "gravity", "external", "actuation", "forcing", "inverse_dynamics")


@dataclass(frozen=True)
class Observed:
    """Outputs of a mechanism by name.

    Attributes
    ----------
    mechanism : Mechanism
    functions : Functions
    names : tuple of str
        Coordinates, speeds, and outputs of `freebody.compile`, of which ``position.hand.x`` is one
        entry.
    """

    mechanism: Mechanism
    functions: Functions
    names: tuple[str, ...]

    def evaluate(
        self, varying: Varying, constants: Array
    ) -> tuple[list[tuple[str, str]], Array, Array]:
        """Return labels with units, values and derivatives.

        Parameters
        ----------
        varying : Varying
        constants : array
            Of all constants.

        Returns
        -------
        labels : list of tuple of str
            The name and the unit of each entry.
        values : array, shape (times, entries)
        slopes : array, shape (times, entries, k)

        Raises
        ------
        ProgramError
            If there is no such output.
        DerivationError
            If there is no such place.
        """
        given = {**varying.given, "constants": constants}
        parts = [self._one(name, given, varying) for name in self.names]
        labels = [label for one, _, _ in parts for label in one]
        values = np.concatenate([values for _, values, _ in parts], axis=1)
        return labels, values, np.concatenate([slopes for *_, slopes in parts], axis=1)

    def _one(
        self, name: str, given: dict[str, Array], varying: Varying
    ) -> tuple[list[tuple[str, str]], Array, Array]:
        for group, names, units in self._states:
            if name in names:
                place = names.index(name)
                value, slope = given[group], varying.slopes[group]
                return (
                    [(name, units[place])],
                    value[:, place : place + 1],
                    slope[:, place : place + 1],
                )
        whole, axis = self._axis(name)
        function, count = self.functions[whole], len(given["q"])
        values = np.broadcast_to(function.of(given), (count, *function.shape)).reshape(count, -1)
        slopes = np.zeros((*values.shape, varying.slopes["q"].shape[-1]))
        for group in function.arguments:
            if group != "t":
                part = self.functions[f"{whole}/{group}"]
                by = np.broadcast_to(part.of(given), (count, *part.shape))
                by = by.reshape(count, values.shape[1], -1)
                slopes += by @ varying.slopes[group]
        labels = list(self._labels(whole, function.shape))
        kept = [axis] if axis is not None else list(range(len(labels)))
        return [labels[place] for place in kept], values[:, kept], slopes[:, kept]

    @property
    def _states(self) -> Iterator[tuple[str, list[str], list[str]]]:
        model = self.mechanism.model
        labels = model_labels(model)
        units = [list(map(str, labels[name][1])) for name in ("coordinate_unit", "input_unit")]
        yield "q", list(model.coordinates), units[0]
        yield "u", list(speed_names(model)), list(speed_units(model))
        yield "inputs", list(model.inputs), units[1]

    def _axis(self, name: str) -> tuple[str, int | None]:
        """Return the output, and which of its entries is meant if it is one."""
        head, _, last = name.rpartition(".")
        if last in AXES and head.partition(".")[0] in UNITS and "." in head:
            return head, AXES.index(last)
        if "/" in name:
            raise ProgramError(f"of: expected an output, found the derivatives '{name}'")
        return SYMBOLS.get(name, name), None

    def _labels(self, name: str, shape: Sequence[int]) -> Iterator[tuple[str, str]]:
        model, unit = self.mechanism.model, UNITS.get(name.partition(".")[0], "")
        speeds = list(speed_names(model))
        forces = list(map(str, model_labels(model)["force_unit"][1]))
        if "." in name and shape == (3,):
            yield from ((f"{name}.{axis}", unit) for axis in AXES)
        elif name in ALONG_SPEEDS:
            yield from ((f"{name}.{speed}", one) for speed, one in zip(speeds, forces, strict=True))
        elif name == "accelerations":
            pairs = zip(speeds, speed_units(model), strict=True)
            yield from ((f"{name}.{speed}", f"{one}/s") for speed, one in pairs)
        elif name == "reactions":
            parts = [(f"force.{axis}", "N") for axis in AXES]
            parts += [(f"moment.{axis}", "N*m") for axis in AXES]
            for joint in self.mechanism.joints:
                yield from ((f"reaction.{joint}.{part}", one) for part, one in parts)
        else:
            for place in np.ndindex(*shape):
                indices = ",".join(str(index) for index in place)
                yield (f"{name}[{indices}]" if indices else name), unit
