"""The values of a model's constants, some of them given anew, for one motion or for many."""

from __future__ import annotations

import graphlib
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arrays import Array
from freebody.backends.python import arrays, function
from freebody.errors import ArgumentError, absent, lacking
from freebody.graph.code import Code, Variable

if TYPE_CHECKING:
    from freebody.model.marks import Scalar
    from freebody.model.schema import Model


class Constants:
    """The values of constants; what is defined by others follows them.

    Attributes
    ----------
    definitions : dict of str to float, str or None
        A number, an expression of other constants, or nothing.
    values : dict of str to float
        Of those that have one.
    laws : dict of str to Code
        What defines constants by others; worked out of the definitions where it is not given.

    Examples
    --------
    >>> import freebody
    >>> constants = Constants.of(freebody.load("pendulum"))
    >>> constants.vector({"m": [2.0, 3.0]}).shape
    (2, 6)
    """

    def __init__(
        self,
        definitions: Mapping[str, Scalar | None],
        values: Mapping[str, float],
        laws: Mapping[str, Code] | None = None,
    ) -> None:
        self.definitions, self.values = dict(definitions), dict(values)
        if laws is not None:
            self.laws = dict(laws)

    @classmethod
    def of(cls, model: Model) -> Constants:
        """Return the constants of a model."""
        from freebody.model.names import Names

        definitions = {name: constant.value for name, constant in model.constants.items()}
        return cls(definitions, Names(model).values())

    @cached_property
    def laws(self) -> dict[str, Code]:
        """What defines constants by others, as code of these."""
        texts = {name: text for name, text in self.definitions.items() if isinstance(text, str)}
        return {name: _law(text) for name, text in texts.items()}

    def vector(self, given: Any = None, needed: Collection[str] = ()) -> Any:
        """Return the values of all constants, shape (..., n).

        Parameters
        ----------
        given : mapping of str to array_like, or array_like, optional
            Values by name, of shapes that go together; or all of them, along the last axis.
        needed : collection of str, optional
            The names that must have a value; what else has none is NaN.

        Raises
        ------
        ArgumentError
            If a name is unknown, or one that is needed has no value.
        """
        if given is not None and not isinstance(given, Mapping):
            return given
        values = self._with(given) if given else self.values
        missing = [name for name in needed if name not in values]
        if missing:
            raise ArgumentError(
                "; ".join(lacking("constant", missing))
                + f": expected it in the model, or constants={{'{missing[0]}': ...}}"
            )
        entries = [values.get(name, np.nan) for name in self.definitions]
        return np.stack(np.broadcast_arrays(*entries), axis=-1) if entries else np.zeros(0)

    def _with(self, given: Mapping[str, Any]) -> dict[str, Any]:
        unknown = [name for name in given if name not in self.definitions]
        if unknown:
            wrong = (absent("constant", name, self.definitions) for name in unknown)
            raise ArgumentError("; ".join(wrong))
        entries = {name: _number(name, value) for name, value in given.items()}
        return self._following({**self.values, **entries}, entries)

    def _following(self, values: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        """Return constants, those that others define worked out anew, where some are given."""
        laws = {name: law for name, law in self.laws.items() if name not in given}
        uses = {name: {used.name for used in law.entries} for name, law in laws.items()}
        for name in graphlib.TopologicalSorter(uses).static_order():
            if name in laws and uses[name] <= values.keys():
                values[name] = _evaluated(laws[name], values)
        return values


def _law(text: str) -> Code:
    """Return the code of an expression of constants."""
    import sympy

    from freebody.algebra.expressions import lookup, read, references
    from freebody.graph.graph import Graph

    names = sorted({str(used) for used in references(text)})
    symbols, graph = {name: sympy.Symbol(name) for name in names}, Graph()
    entries = [(symbol, Variable(name)) for name, symbol in symbols.items()]
    cells = graph.values([read(text, lookup(symbols))])
    return graph.code("constant", {"constants": entries}, cells, ())


def _evaluated(law: Code, values: Mapping[str, Any]) -> Any:
    work_out = function(law, arrays("np"), {"np": np})
    with np.errstate(all="ignore"):
        return work_out(*(np.asarray(values[used.name]) for used in law.entries))[0]


def _number(name: str, value: Any) -> Array:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"constant '{name}': expected numbers, found {value!r}") from None
