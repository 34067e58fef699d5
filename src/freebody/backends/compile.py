"""A model compiled: its outputs as functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Numbers
from freebody.backends import cache
from freebody.backends.evaluation import Call
from freebody.backends.functions import Function
from freebody.backends.interface import GivenModel
from freebody.backends.registry import load_backend
from freebody.errors import ArgumentError
from freebody.graph.code import Code

if TYPE_CHECKING:
    from freebody.mechanics.mechanism import AnyModel
    from freebody.model.schema import Model
    from freebody.programs import ProgramWriter

SYMBOLS: Mapping[str, str] = {
    "M": "mass_matrix",
    "C": "bias",
    "G": "gravity",
    "E": "external",
    "tau": "actuation",
    "J": "constraint_matrix",
}
"""The letters that `Equations` and results have for outputs."""


@checked
def compile(  # noqa: A001 - as regular expressions are compiled
    model: AnyModel,
    backend: str = "numpy",
    outputs: str | Iterable[str] = (),
) -> Functions:
    """Return the outputs of a model as functions.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Or the name of a shipped model.
    backend : {"numpy", "heyoka", "numba", "jax", "casadi", "c", "octave", "julia"}
        What computes them.
    outputs : str or iterable of str, optional
        What to compile at once, such as ``"accelerations"`` or ``"position.hand"``; any other
        output is compiled when it is first asked for. See `freebody.programs`.

    Returns
    -------
    Functions
        A function for each output. It takes time (…), coordinates (…, n), speeds (…, n) and inputs
        (…, k) in coherent SI units, and returns an array of (…) and the output's own shape.

    Raises
    ------
    BackendError
        If there is no such backend, or what it needs is not installed.
    ProgramError, DerivationError
        If there is no such output.

    Examples
    --------
    >>> import freebody
    >>> f = freebody.compile("pendulum")
    >>> f.accelerations(0.0, [0.5], [0.0], [0.0]).round(2)
    array([-10.9])
    >>> f.mass_matrix([[0.1], [0.2]], constants={"m": 2}).shape
    (2, 1, 1)
    """
    made = Functions(model, backend)
    made.compile([outputs] if isinstance(outputs, str) else outputs)
    return made


@checked
class Functions:
    """The outputs of a model, each an attribute: ``f.accelerations``, ``f["position.hand"]``.

    Those of M u̇ + C + G + E = τ + Jᵀ λ have these letters as well, as `Equations` has: ``f.M``.

    Attributes
    ----------
    backend : str
    """

    def __init__(self, model: AnyModel, backend: str) -> None:
        self._given = GivenModel(model)
        self._interface = self._given.interface
        self._constants = self._interface.constants
        self.backend = backend
        self._module = load_backend(backend)
        self._made: dict[str, Function] = {}

    def __repr__(self) -> str:
        return f"<{self._interface.title}, by {self.backend}>"

    @property
    def model(self) -> Model:
        """The model."""
        return self._given.model

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the entries of ``q``."""
        return self._interface.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of the entries of ``u``."""
        return self._interface.speeds

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the entries of ``inputs``."""
        return self._interface.inputs

    @property
    def constants(self) -> dict[str, float]:
        """The constants of the model that have a value; all of them are in ``constants``."""
        return self._constants.values

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Function:
        name = SYMBOLS.get(name, name)
        if name not in self._made:
            self.compile([name])
        return self._made[name]

    @checked
    def compile(self, outputs: Iterable[str]) -> None:
        """Compile outputs that are not compiled yet."""
        names = [name for name in outputs if name not in self._made]
        for name, code in self._codes(names).items():
            self._made[name] = Function(code, self._module, self._constants)

    def expect_constants(self, constants: Any) -> None:
        """See that constants can be those of the model: known by name, or all of them.

        Raises
        ------
        ArgumentError
            If they cannot.
        """
        if constants is None or isinstance(constants, Mapping):
            self._constants.vector(constants)
        elif np.shape(constants)[-1:] != (len(self._constants.definitions),):
            names = ", ".join(self._constants.definitions)
            raise ArgumentError(f"expected a mapping of names to numbers, or an array of {names}")

    @checked
    def bind(self, constants: Mapping[str, Any] | Numbers | None = None) -> Bound:
        """Return the functions for certain constants, for fast calls with one state.

        What depends on constants alone is worked out here, once.

        Parameters
        ----------
        constants : mapping of str to float, or array_like, shape (n,), optional
            Values to use instead of those of the model; all of them in an array.

        Examples
        --------
        >>> import numpy, freebody
        >>> f = freebody.compile("pendulum").bind({"m": 2})
        >>> out = numpy.empty((1, 1))
        >>> f.mass_matrix(numpy.array([0.5]), out=out) is out
        True
        """
        return Bound(self, constants)

    def _codes(self, names: list[str]) -> dict[str, Code]:
        """Return the code of outputs, written if it is not kept from an earlier run."""
        known = (self._interface.fingerprint, self._given.variant)
        keys = {name: cache.key("code", *known, name, cache.sources()) for name in names}
        kept = {name: entry for name in names if (entry := cache.lookup(keys[name])) is not None}
        missing = [name for name in names if name not in kept]
        if missing:
            for name, code in self._written(missing).items():
                kept[name] = code.dumps().encode()
                cache.store(keys[name], kept[name])
        return {name: Code.loads(kept[name].decode()) for name in names}

    def _written(self, names: list[str]) -> dict[str, Code]:
        return {name: self._writer.code(name) for name in names}

    @cached_property
    def _writer(self) -> ProgramWriter:
        """Writes one output after another from what it has derived for the first."""
        from freebody.programs import ProgramWriter

        return ProgramWriter(self._given.mechanism)


class Bound:
    """The outputs of a model with constants that do not change: see `Functions.bind`."""

    def __init__(self, functions: Functions, constants: Any) -> None:
        functions.expect_constants(constants)
        self._functions, self._constants = functions, constants

    def __getattr__(self, name: str) -> Call:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Call:
        name = SYMBOLS.get(name, name)
        if name not in self.__dict__:
            self.__dict__[name] = self._functions[name].bind(self._constants)
        call: Call = self.__dict__[name]
        return call
