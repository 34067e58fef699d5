"""The regressor of a model, and the parameters that motions and forces can tell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import sympy

from freebody.algebra import Ring, textbook
from freebody.algebra.terms import TooLargeError
from freebody.arguments import checked
from freebody.backends.constants import Constants
from freebody.backends.functions import Function
from freebody.backends.registry import load_backend
from freebody.files import atomic_write, expect_ending
from freebody.identification.columns import RegressorColumns
from freebody.identification.exact import FieldColumns
from freebody.identification.loops import LoopColumns
from freebody.identification.writer import BaseBuilder, BaseParameter, RegressorWriter, numbers
from freebody.mechanics.build import mechanism
from freebody.mechanics.kinematics import CanonicalForms, Kinematics
from freebody.mechanics.mechanism import AnyModel
from freebody.model.names import speed_names
from freebody.results import provenance_of

MOVING = ("q", "u", "a", "constants")
NUMBERED = (
    "{} base parameters have coefficients that are no sums of few products of constants: numbers, "
    "for the constants of the model"
)
SMALL = 120
"""Up to how many entries a regressor is written in closed form."""


class Regressor:
    """M u̇ + C + G + E = Y π + rest: linear in masses, inertias and the factors of loads.

    What takes long, the base parameters and what follows from them, is worked out when it is first
    asked for.

    Attributes
    ----------
    mechanism : Mechanism
    parameters : tuple of Parameter
        The parameters π, a column of Y each: mass, first moments and inertia of each body about
        the origin of its own frame, and products of the constants of loads.
    Y : Function
        The regressor as a function of q, u and their derivatives: speeds x parameters.
    rest : Function or None
        What no parameter is a factor of, such as the forces of inputs: an entry for each speed.
    """

    def __init__(self, writer: RegressorWriter, backend: str) -> None:
        module, self.mechanism = load_backend(backend), writer.mechanism
        constants, self._writer = Constants.of(self.mechanism.model), writer
        self.parameters = tuple(writer.parameters)
        self.Y = Function(writer.code, module, constants)
        rest = writer.rest
        self.rest = None if rest is None else Function(rest, module, constants)

    def __repr__(self) -> str:
        return (
            f"<Regressor of '{self.mechanism.model.title}': {len(self.parameters)} parameters, "
            f"{len(self.base)} base parameters>"
        )

    @cached_property
    def base(self) -> tuple[BaseParameter, ...]:
        """The fewest combinations of parameters that give the same forces in all motions."""
        return tuple(BaseBuilder(self._writer, self._dependence).base)

    @property
    def unidentifiable(self) -> tuple[str, ...]:
        """The parameters that no motion tells anything of."""
        names = (one.name for one in self.parameters)
        return tuple(name for name in names if name not in self._combined)

    @property
    def only_combined(self) -> tuple[str, ...]:
        """The parameters that tell in a combination alone."""
        alone = {one.independent for one in self.base if one.combination.is_Symbol}
        names = (one.name for one in self.parameters)
        return tuple(name for name in names if name in self._combined - alone)

    @property
    def _combined(self) -> set[str]:
        return {str(symbol) for one in self.base for symbol in one.combination.free_symbols}

    @property
    def proof(self) -> str:
        """How it was decided which parameters are independent."""
        return self._dependence.proof if self.base else "no parameter has an effect"

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to know besides."""
        numbered = sum(one.combination.has(sympy.Float) for one in self.base)
        return (NUMBERED.format(numbered),) if numbered else ()

    @cached_property
    def _dependence(self) -> FieldColumns | LoopColumns:
        return self._writer.dependence()

    @property
    def independent(self) -> list[int]:
        """The columns of Y that the base parameters are times: τ = Y[:, independent] base."""
        names = [one.name for one in self.parameters]
        return [names.index(one.independent) for one in self.base]

    def values(self, constants: Mapping[str, float] | None = None) -> np.ndarray[Any, Any]:
        """Return the numbers of all parameters.

        Parameters
        ----------
        constants : mapping of str to float, optional
            Values to use instead of those of the model.

        Raises
        ------
        ArgumentError
            If a constant is unknown, or one has no value.
        """
        return numbers(self.mechanism, [one.value for one in self.parameters], constants)

    def base_values(self, constants: Mapping[str, float] | None = None) -> np.ndarray[Any, Any]:
        """Return the numbers of all base parameters; as `values`."""
        return numbers(self.mechanism, [one.value for one in self.base], constants)

    @cached_property
    def closed_form(self) -> sympy.ImmutableMatrix:
        """Y in closed form, speeds x parameters.

        Raises
        ------
        TooLargeError
            If it has more than 120 entries that are not zero, or one of them is too large.
        """
        columns = RegressorColumns(self.mechanism, full=True)
        if len(self.mechanism.speeds) * len(self.parameters) > SMALL:
            raise TooLargeError("the regressor has too many entries to be written in closed form")
        motion = Kinematics(self.mechanism, CanonicalForms(Ring()), laws=True)
        known = dict(
            zip((p.name for p in columns.parameters), columns.columns(motion), strict=True)
        )
        kept = [known[one.name] for one in self.parameters]
        return sympy.ImmutableMatrix([[textbook(entry) for entry in column] for column in kept]).T

    def as_json(self) -> dict[str, Any]:
        """Return parameters, base parameters and all else but the functions as plain data."""
        values = Constants.of(self.mechanism.model).values
        return {
            **provenance_of(self.mechanism.model, values),
            "speeds": list(speed_names(self.mechanism.model)),
            "parameters": [
                {"name": p.name, "value": str(p.value), "title": p.title, "unit": p.unit}
                for p in self.parameters
            ],
            "base": [
                {
                    "combination": str(one.combination),
                    "value": str(one.value),
                    "number": one.number,
                    "unit": one.unit,
                }
                for one in self.base
            ],
            "unidentifiable": list(self.unidentifiable),
            "only_combined": list(self.only_combined),
            "proof": self.proof,
            "notes": list(self.notes),
        }

    @checked
    def save(self, path: str | Path) -> None:
        """Write `as_json` to a ``.json`` file.

        Raises
        ------
        FileError
            If the ending is another, or the file cannot be written.
        """
        path = Path(path)
        expect_ending(path, (".json",))
        with atomic_write(path) as temporary:
            text = json.dumps(self.as_json(), indent=1, ensure_ascii=False)
            temporary.write_text(text + "\n", encoding="utf-8")


@checked
def regressor(model: AnyModel, *, full: bool = False, backend: str = "numpy") -> Regressor:
    """Return the regressor of a model and its base parameters.

    M u̇ + C + G + E is linear in the mass, first moments and inertia of each body and in the
    stiffnesses, dampings, frictions and other factors of its loads. That Y times these is what the
    balances of the free bodies take is verified at a random point of a prime field.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        With constraints, Y is that of the tree: Y π + rest = τ + Jᵀ λ; the base parameters are
        what motions that obey the constraints tell.
    full : bool, optional
        Whether each body has all its ten parameters, whatever the model says of them; else those
        that the model says are zero are left out, and inertia about axes about which no body turns.
    backend : str, optional
        What computes Y; see `freebody.compile`.

    Returns
    -------
    Regressor
        ``Y`` as a compiled function, its ``parameters``, and the ``base`` that motions can tell.

    Raises
    ------
    BackendError
        If there is no such backend.
    ProgramError
        If Y cannot be verified.
    DerivationError
        If no motion is found that obeys the constraints.

    Examples
    --------
    >>> import freebody
    >>> arm = freebody.regressor("two_link")
    >>> print(*arm.base, sep="; ")
    L1*m2 + d1*m1; I1 + L1**2*m2 + d1**2*m1; d2*m2; I2 + d2**2*m2
    >>> arm.unidentifiable
    ('link1.m',)
    """
    moving = mechanism(model)
    return Regressor(RegressorWriter(moving, full=full), backend)
