"""How the functions of a model are called: its names and its constants, kept for later runs.

What was compiled before is read and called without sympy. Until more is asked for, this is all that
is known of the model.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import asdict, dataclass
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
    coordinates, speeds, inputs : list of str
    definitions : dict of str to float, str or None
        What the model says of its constants.
    values : dict of str to float
        Of the constants that have one.
    laws : dict of str to str
        What defines constants by others, as text of code.
    fingerprint : str
        Of the model.
    remarks : list of str
        What is told whenever the model is read.
    """

    title: str
    coordinates: list[str]
    speeds: list[str]
    inputs: list[str]
    definitions: dict[str, float | str | None]
    values: dict[str, float]
    laws: dict[str, str]
    fingerprint: str
    remarks: list[str]

    @classmethod
    def of(cls, model: Model) -> Interface:
        """Return the interface of a model.

        Examples
        --------
        >>> import freebody
        >>> Interface.of(freebody.load("pendulum")).speeds
        ['theta_dot']
        """
        from freebody.model.files import fingerprint
        from freebody.model.names import speed_names
        from freebody.model.review import remarks

        constants = Constants.of(model)
        return cls(
            model.title,
            list(model.coordinates),
            speed_names(model),
            list(model.inputs),
            constants.definitions,
            constants.values,
            {name: law.dumps() for name, law in constants.laws.items()},
            fingerprint(model),
            [str(remark) for remark in remarks(model)],
        )

    @property
    def constants(self) -> Constants:
        """The constants, of which some may be given anew."""
        laws = {name: Code.loads(law) for name, law in self.laws.items()}
        return Constants(self.definitions, self.values, laws)


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
            made = Interface.of(self.model)
            cache.store(name, json.dumps(asdict(made)).encode())
            return made
        kept = Interface(**json.loads(entry))
        for remark in kept.remarks:
            warnings.warn(f"{self._given}: {remark}", ModelWarning, stacklevel=2)
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
