"""How the functions of a model are called: its names and its constants, kept for later runs.

What was compiled before is read and called without sympy. Until more is asked for, this is all that
is known of the model.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from freebody.backends import cache
from freebody.backends.constants import Constants
from freebody.errors import ModelWarning
from freebody.graph.code import Code
from freebody.locating import read_model

if TYPE_CHECKING:
    from freebody.mechanics.mechanism import AnyModel, Mechanism
    from freebody.model.schema import Model


@dataclass(frozen=True)
class Interface:
    """The names that functions of a model take, in order, and its constants.

    Attributes
    ----------
    title : str
    coordinates, speeds, inputs : tuple of str
    constants : Constants
    fingerprint : str
        Of the model.
    """

    title: str
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    inputs: tuple[str, ...]
    constants: Constants
    fingerprint: str

    @classmethod
    def of(cls, model: Model) -> Interface:
        """Return the interface of a model.

        Examples
        --------
        >>> import freebody
        >>> Interface.of(freebody.load("pendulum")).speeds
        ('theta_dot',)
        """
        from freebody.model.files import fingerprint
        from freebody.model.names import speed_names

        coordinates, inputs = tuple(model.coordinates), tuple(model.inputs)
        names = (coordinates, tuple(speed_names(model)), inputs)
        return cls(model.title, *names, Constants.of(model), fingerprint(model))

    def dumps(self, remarks: Sequence[str]) -> bytes:
        """Return it as JSON, with what is told whenever the model is read."""
        own = self.constants
        laws = {name: law.dumps() for name, law in own.laws.items()}
        names = (self.title, self.coordinates, self.speeds, self.inputs)
        data = (*names, own.definitions, own.values, laws, self.fingerprint, remarks)
        return json.dumps(data).encode()

    @classmethod
    def loads(cls, entry: bytes) -> tuple[Interface, list[str]]:
        """Read what `dumps` wrote."""
        title, *names, definitions, values, laws, fingerprint, remarks = json.loads(entry)
        codes = {name: Code.loads(law) for name, law in laws.items()}
        coordinates, speeds, inputs = map(tuple, names)
        constants = Constants(definitions, values, codes)
        return cls(title, coordinates, speeds, inputs, constants, fingerprint), remarks


class GivenModel:
    """A model as it was given, read when more than its interface is asked for.

    Parameters
    ----------
    given : Model, Mechanism, str or Path
        Or the name of a shipped model. Of a file the text is kept that it has now.

    Raises
    ------
    ModelError
        If there is no such file.
    """

    def __init__(self, given: AnyModel) -> None:
        self._given = given
        self._text = read_model(given) if isinstance(given, str | Path) else None

    @cached_property
    def interface(self) -> Interface:
        """Its interface, made if it is not kept from an earlier run.

        Raises
        ------
        ModelError
            With all that is wrong with the model.

        Warns
        -----
        ModelWarning
            Of what is worth telling.
        """
        if self._text is None:
            return Interface.of(self.model)
        name = cache.key("interface", self._text[1], cache.sources())
        entry = cache.lookup(name)
        if entry is None:
            from freebody.model.review import remarks

            made = Interface.of(self.model)
            cache.store(name, made.dumps([*map(str, remarks(self.model))]))
            return made
        kept, notes = Interface.loads(entry)
        for note in notes:
            warnings.warn(f"{self._given}: {note}", ModelWarning, stacklevel=2)
        return kept

    @property
    def variant(self) -> str:
        """What tells a mechanism from others of the same model."""
        if self._text is not None:
            return ""
        from freebody.mechanics.mechanism import Mechanism

        return self._given.variant if isinstance(self._given, Mechanism) else ""

    @cached_property
    def model(self) -> Model:
        """The model."""
        from freebody.model.files import loads, model_of

        if self._text is None:
            return model_of(self._given)
        path, text = self._text
        with warnings.catch_warnings():
            if "interface" in self.__dict__:  # which has told
                warnings.simplefilter("ignore", ModelWarning)
            return loads(text, str(self._given), path=path)

    @cached_property
    def mechanism(self) -> Mechanism:
        """The frames, points, bodies and loads of the model."""
        from freebody.mechanics.build import mechanism
        from freebody.mechanics.mechanism import Mechanism

        return self._given if isinstance(self._given, Mechanism) else mechanism(self.model)
