"""The outputs of a model as functions of named arguments, with any backend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.arrays import Array
from freebody.backends.compiler import fast_caller
from freebody.backends.constants import Constants
from freebody.backends.evaluation import Call, Evaluator, bind_evaluation, kind, parameters
from freebody.backends.registry import load_backend
from freebody.errors import ArgumentError, BackendError, nearest
from freebody.graph.code import HOISTED, Code

if TYPE_CHECKING:
    from freebody.graph.cells import Cell
    from freebody.programs.workspace import Workspace


class Signature:
    """What a function takes.

    Attributes
    ----------
    names : tuple of str
        The arguments, in order.
    moving : tuple of str
        Those without the constants, which may be left out.
    """

    def __init__(self, code: Code) -> None:
        self._name, self._groups = code.name, code.arguments
        self._takes_time = bool(code.needed("t"))
        self.names = tuple(code.arguments)
        self.moving = tuple(name for name in self.names if name != "constants")

    def __str__(self) -> str:
        return f"{self._name}({', '.join(self.names)})"

    def taken(self, given: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Any], Any]:
        """Return the arguments in order, and the constants or None.

        Parameters
        ----------
        given : sequence
            The arguments by place.
        named : mapping of str
            Those by name.

        Returns
        -------
        arguments : list
            Without the constants.
        constants : array_like, mapping or None

        Raises
        ------
        ArgumentError
            For arguments that are missing or unknown.
        """
        if not named and len(given) == len(self.moving):
            return list(given), None
        arguments = dict(zip(self.names, given, strict=False))
        wrong = [name for name in named if name not in self.names or name in arguments]
        arguments.update(named)
        if "t" in self.names and not self._takes_time:
            arguments.setdefault("t", 0.0)
        missing = [name for name in self.moving if name not in arguments]
        if wrong or missing or len(given) > len(self.names):
            raise ArgumentError(self._mismatch(len(given), wrong, missing))
        return [arguments[name] for name in self.moving], arguments.get("constants")

    def _mismatch(self, count: int, wrong: Sequence[str], missing: Sequence[str]) -> str:
        if wrong:
            return f"expected {self}, found '{wrong[0]}'{nearest(wrong[0], self.names)}"
        if missing:
            return f"expected {self}, found no {', '.join(missing)}"
        return f"expected {self}, found {count} arguments"

    def refused(self, given: Sequence[Any]) -> ArgumentError:
        """Return the error for arguments that bound functions do not take."""
        sizes = (
            "number" if name == "t" else f"({len(self._groups[name])},)" for name in self.moving
        )
        return ArgumentError(
            f"{self} with constants bound: expected contiguous arrays of double precision with "
            f"shapes {', '.join(sizes)}; found {', '.join(map(kind, given))}"
        )

    def array(self, name: str, value: Any) -> Array:
        """Return an argument as an array.

        Parameters
        ----------
        name : str
            Of the argument.
        value : array_like

        Returns
        -------
        array, shape (..., n)

        Raises
        ------
        ArgumentError
            If it is none of numbers, or its last axis has another length than it must.
        """
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise ArgumentError(
                f"{self._name}: expected {name} as numbers, found {value!r}"
            ) from None
        self.expect(name, array.shape)
        return array

    def expect(self, name: str, shape: tuple[int, ...]) -> None:
        """See that an argument has a shape that it can have.

        Parameters
        ----------
        name : str
            Of the argument.
        shape : tuple of int

        Raises
        ------
        ArgumentError
            If its last axis has another length than it must.
        """
        entries = self._groups.get(name, ())
        if name != "t" and shape[-1:] != (len(entries),):
            names = ", ".join(entry.name for entry in entries)
            raise ArgumentError(
                f"{self._name}: expected {name} with shape (..., {len(entries)}), for {names}; "
                f"found {shape}"
            )

    def leading(self, arrays: Sequence[Any]) -> list[tuple[int, ...]]:
        """Return the leading axes of arguments, constants included where they are among them."""
        pairs = zip((*self.moving, "constants"), arrays, strict=False)
        return [np.shape(value) if name == "t" else np.shape(value)[:-1] for name, value in pairs]

    def together(self, arrays: Sequence[Any]) -> tuple[int, ...]:
        """Return the leading axes that arguments have together.

        Parameters
        ----------
        arrays : sequence of array_like
            The arguments in order.

        Returns
        -------
        tuple of int

        Raises
        ------
        ArgumentError
            If they do not go together.
        """
        leading = self.leading(arrays)
        try:
            return np.broadcast_shapes(*leading)
        except ValueError:
            pairs = zip((*self.moving, "constants"), leading, strict=False)
            message = ", ".join(f"{axes} of {name}" for name, axes in pairs)
            raise ArgumentError(
                f"{self._name}: expected leading axes that go together, found {message}"
            ) from None


# ------------------------------------------------------------------ functions


class _Unfit(Exception):  # noqa: N818 - it is no error
    """Arguments other than contiguous one-dimensional arrays."""


class Function:
    """One output of a model.

    Parameters
    ----------
    code : Code
    backend : module
        What compiles it.
    constants : Constants
        Of the model.

    Attributes
    ----------
    name, title : str
        The output, and what it is.
    arguments : tuple of str
        Their names, in order; ``constants`` may be left out.
    shape : tuple of int
        Of the output for one state.
    operations : int
        How many one state takes, those of constants alone included.
    """

    def __init__(self, code: Code, backend: ModuleType, constants: Constants) -> None:
        self.code, self._backend, self._constants = code, backend, constants
        self.name, self.title, self.shape = code.name, code.title, code.shape
        self.operations = code.operations
        self._signature = Signature(code)
        self.arguments = self._signature.names
        self._lock = Lock()
        self._follows = hasattr(backend, "traced")

    def __repr__(self) -> str:
        return f"<{self._signature}: {self.title}>"

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Return the output.

        Parameters
        ----------
        *given, **named : array_like
            The arguments, by place or by name. The time has shape (...), all else (..., n), where
            the leading axes go together. Constants may be a mapping of names to values too.

        Returns
        -------
        array, shape (..., *shape)

        Raises
        ------
        ArgumentError
            For arguments that are missing, unknown or of another shape, or constants that have no
            value.
        """
        if not named and len(given) == len(self._signature.moving) and not self._follows:
            try:
                with self._lock:
                    return self._default(*given)
            except _Unfit:  # arguments of many states, or that have to be converted
                pass
        values, constants = self._signature.taken(given, named)
        return self._followed(values, constants) if self._follows else self._many(values, constants)

    def of(self, given: Mapping[str, Any]) -> Any:
        """Return the output of those of the given groups of arguments that it takes."""
        return self(**{name: given[name] for name in self.arguments})

    @property
    def pattern(self) -> NDArray[np.bool_]:
        """Which entries of the output may be other than zero, in its shape.

        Examples
        --------
        >>> import freebody
        >>> freebody.compile("cart_pendulum")["external/u"].pattern
        array([[False, False],
               [False, False]])
        """
        zeros = [self.code.is_zero(place) for place in self.code.results]
        return ~np.array(zeros, dtype=np.bool_).reshape(self.shape)

    @cached_property
    def nonzeros(self) -> Function:
        """The function of those entries alone, in the order in which `pattern` has them."""
        kept = [place for place in self.code.results if not self.code.is_zero(place)]
        return Function(self.code.only(kept, (len(kept),)), self._backend, self._constants)

    @property
    def native(self) -> Any:
        """The function as the backend's own library has it, constants among its arguments.

        Raises
        ------
        BackendError
            If the backend is no library with functions of its own.
        """
        if not hasattr(self._backend, "native"):
            name = self._backend.__name__.rpartition(".")[-1]
            raise BackendError(f"backend '{name}' has no functions of its own")
        return self._backend.native(self.code)

    def bind(self, constants: Any = None) -> Call:
        """Return the function for certain constants: see `Functions.bind`."""
        evaluation, known = self._parameters(constants)
        slower = bind_evaluation(evaluation, known, self._signature.refused)
        address = getattr(evaluation.kernel, "address", None)
        if address is None:
            return slower
        return fast_caller(evaluation.code, known, address, slower, evaluation.kernel)

    def _parameters(self, constants: Any) -> tuple[Evaluator, Array]:
        """Return what evaluates the function with one value of each constant, worked out."""
        evaluation, fixed = self._with(constants)
        if fixed.ndim != 1:
            raise ArgumentError(
                f"{self.name}: expected one value of each constant to bind, found {fixed.shape}"
            )
        return evaluation, evaluation.parameters(fixed[None])[:, 0]

    def _with(self, constants: Any) -> tuple[Evaluator, Array]:
        """Return what evaluates the function with constants, and those that it still takes."""
        fixed = self._fixed(constants)
        if constants is None and self._own is not None:
            return self._own, np.zeros(0)
        return self._evaluation, fixed

    @cached_property
    def _own(self) -> Evaluator | None:
        """What evaluates it with the model's constants as numbers, if all of these are finite."""
        before, after = self.code.hoisted()
        known = parameters(before, self._fixed(None)[None])[:, 0]
        if not np.isfinite(known).all():
            return None
        return Evaluator(after.given(HOISTED, known.tolist()), self._backend)

    @cached_property
    def _default(self) -> Call:
        return bind_evaluation(*self._parameters(None), lambda _: _Unfit())

    @cached_property
    def _evaluation(self) -> Evaluator:
        return Evaluator(self.code, self._backend)

    @cached_property
    def _needed(self) -> list[str]:
        """The constants that the output depends on."""
        return self.code.needed("constants")

    def _values(self, constants: Any) -> Any:
        if "constants" not in self.arguments:
            return np.zeros(0)
        return self._constants.vector(constants, self._needed)

    def _fixed(self, constants: Any) -> Array:
        return self._signature.array("constants", self._values(constants))

    def _many(self, values: list[Any], constants: Any) -> Array:
        names = self._signature.moving
        arrays = [self._signature.array(*pair) for pair in zip(names, values, strict=True)]
        evaluation, fixed = self._with(constants)
        leading = self._signature.together([*arrays, fixed])
        if "t" in self.arguments:
            arrays[0] = arrays[0][..., None]
        return evaluation.many(arrays, fixed, leading)

    # ------------------------------------------------------------------ other arrays

    @cached_property
    def _traced(self) -> Any:
        return self._backend.traced(self.code)

    def _followed(self, values: list[Any], constants: Any) -> Any:
        """Return the output on the backend's own arrays, which may stand for what is not known."""
        if "constants" in self.arguments:
            values = [*values, self._values(constants)]
        arrays = []
        for name, value in zip(self.arguments, values, strict=True):
            try:
                arrays.append(self._backend.array(value))
            except (TypeError, ValueError):
                raise ArgumentError(f"{self.name}: expected {name} as numbers") from None
            self._signature.expect(name, arrays[-1].shape)
        self._signature.together(arrays)
        return self._traced(*arrays)


def function(
    workspace: Workspace, name: str, entries: Iterable[Cell], groups: Iterable[str], backend: str
) -> Function:
    """Return some cells as a function of some groups of arguments, in this order.

    Parameters
    ----------
    workspace : Workspace
    name : str
    entries : iterable of Cell
        Of the output, in one row.
    groups : iterable of str
        The arguments, in order.
    backend : str
    """
    code = workspace.code(name, entries, groups=groups)
    return Function(code, load_backend(backend), Constants.of(workspace.mechanism.model))
