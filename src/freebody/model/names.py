"""What the names of a model mean in sympy, and the numbers that its constants have."""

from __future__ import annotations

import graphlib
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra.expressions import lookup, read, references
from freebody.algebra.pieces import in_pieces
from freebody.algebra.units import Dimension, S, dimension
from freebody.errors import ExpressionError, ModelError, Problem, nearest

if TYPE_CHECKING:
    from freebody.model.marks import Scalar
    from freebody.model.schema import Model

TIME = dynamicsymbols._t


class Names:
    """The quantities of a model as sympy expressions, by name and in declared order.

    Attributes
    ----------
    coordinates, rates, speeds, accelerations, inputs, constants : dict of str to sympy.Expr
        A coordinate ``q`` is ``q(t)`` and its rate the function ``q_dot(t)``. The speeds are these
        rates, with accelerations named ``q_ddot``, unless the model has speeds of its own: the
        acceleration of such a speed ``w`` is named ``w_dot``. Accelerations are derivatives.
    prescribed : dict of str to sympy.Expr
        Each prescribed motion ``z(t)`` with ``z_dot(t)`` and ``z_ddot(t)``; see `given`.
    functions : dict of str to type
        The functions by table.

    Examples
    --------
    >>> from freebody.model import Coordinate, Model
    >>> model = Model(title="", coordinates={"q": Coordinate(title="angle", unit="rad")})
    >>> names = Names(model)
    >>> names.plain(names.read("t*cos(q)").diff(names.read("t")))
    -q_dot*t*sin(q) + cos(q)
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.coordinates = _functions(model.coordinates)
        self.rates = _functions(f"{name}_dot" for name in model.coordinates)
        self.speeds = _functions(model.speeds) or self.rates
        self.accelerations = {
            acceleration_name(model, name): speed.diff(TIME) for name, speed in self.speeds.items()
        }
        self.prescribed = _functions(
            name + suffix for name in model.prescribed for suffix in ("", "_dot", "_ddot")
        )
        self.inputs = _functions(model.inputs)
        self.constants = {name: sympy.Symbol(name) for name in model.constants}
        self.functions = {name: table.function(name) for name, table in model.functions.items()}

    @cached_property
    def given(self) -> dict[Any, Any]:
        """Each prescribed motion and its two derivatives, as an expression of time."""
        found, motions = {}, iter(self.prescribed.values())
        for entry in self.model.prescribed.values():
            motion = in_pieces(self._given(entry.value))
            for order in range(3):
                found[next(motions)] = motion.diff(TIME, order)
        return found

    def _given(self, text: Scalar) -> Any:
        return read(text, lookup({**self.constants, "t": TIME}), self.functions)

    @cached_property
    def symbols(self) -> dict[str, Any]:
        """All of them, accelerations apart, and the time ``t``."""
        return {
            **self.coordinates,
            **self.rates,
            **self.speeds,
            **self.prescribed,
            **self.inputs,
            **self.constants,
            "t": TIME,
        }

    @cached_property
    def dimensions(self) -> dict[Any, Dimension]:
        """The dimension of each sympy object that a name stands for."""
        model = self.model
        units = {
            **{name: dimension(entry.unit) for name, entry in model.inputs.items()},
            **{name: dimension(entry.unit) for name, entry in model.constants.items()},
            "t": S,
        }
        for name, entry in model.coordinates.items():
            unit = dimension(entry.unit)
            units |= {name: unit, f"{name}_dot": unit / S}
            units |= {} if model.speeds else {f"{name}_ddot": unit / S**2}
        for name, motion in model.prescribed.items():
            unit = dimension(motion.unit)
            units |= {name: unit, f"{name}_dot": unit / S, f"{name}_ddot": unit / S**2}
        for name, speed in model.speeds.items():
            unit = dimension(speed.unit)
            units |= {name: unit, f"{name}_dot": unit / S}
        known = {**self.symbols, **self.accelerations}
        return {known[name]: unit for name, unit in units.items()}

    def read(self, text: Scalar, measures: Mapping[str, Any] | None = None) -> Any:
        """Return the expression that a text or a number in the model stands for.

        Parameters
        ----------
        text : Scalar
        measures : mapping of str to sympy.Expr, optional
            What the names that only a law knows stand for.
        """
        return read(text, lookup({**self.symbols, **(measures or {})}), self.functions)

    def plain(self, expr: Any) -> Any:
        """Return an expression with every function of time replaced by a symbol of its name."""
        return expr.xreplace(self._plain)

    @cached_property
    def _plain(self) -> dict[Any, Any]:
        varying = {
            **self.coordinates,
            **self.rates,
            **self.speeds,
            **self.accelerations,
            **self.inputs,
        }
        varying |= self.prescribed
        plain = {value: sympy.Symbol(name) for name, value in varying.items()}
        for name, coordinate in self.coordinates.items():
            plain[coordinate.diff(TIME)] = sympy.Symbol(f"{name}_dot")
            plain[coordinate.diff(TIME, 2)] = sympy.Symbol(f"{name}_ddot")
            plain[self.rates[f"{name}_dot"].diff(TIME)] = sympy.Symbol(f"{name}_ddot")
        return plain

    def values(self, overrides: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return the numbers that constants have, in declared order.

        Parameters
        ----------
        overrides : mapping of str to float, optional
            Values to use instead of those in the model; what depends on them follows.

        Raises
        ------
        ModelError
            If an override is no constant, or a value cannot be worked out.
        """
        given = {name: constant.value for name, constant in self.model.constants.items()}
        values, wrong = evaluated({**given, **(overrides or {})})
        for name in values.keys() - given.keys():
            wrong[name] = f"is not declared{nearest(name, given)}"
        if wrong:
            problems = [Problem(f"constants.{name}", messages) for name, messages in wrong.items()]
            raise ModelError(self.model.title, problems)
        return values

    def number(self, value: Scalar, values: Mapping[str, float]) -> float:
        """Return the number that an expression of constants has, given their values.

        Raises
        ------
        ExpressionError
            If a name in it has no value, or the number is not finite.
        """
        value_of_text = number(value, values)
        if value_of_text is None:
            without = {name for name in _uses(value) if name not in values}
            raise ExpressionError(f"'{value}' uses what has no value: {', '.join(sorted(without))}")
        return value_of_text


def acceleration_name(model: Model, speed: str) -> str:
    """Return the name of the derivative of a speed."""
    return f"{speed}_dot" if model.speeds else f"{speed.removesuffix('_dot')}_ddot"


def speed_names(model: Model) -> list[str]:
    """Return the names of the generalized speeds: its own, or those of the coordinates' rates."""
    return list(model.speeds) or [f"{name}_dot" for name in model.coordinates]


def speed_units(model: Model) -> list[str]:
    """Return the units of the generalized speeds."""
    own = [entry.unit for entry in model.speeds.values()]
    return own or [f"{entry.unit}/s" for entry in model.coordinates.values()]


def number(value: Scalar, values: Mapping[str, float]) -> float | None:
    """Return the number that an expression has, or ``None`` if it has names without a value.

    Parameters
    ----------
    value : Scalar
    values : mapping of str to float
        Of the names in the expression.

    Raises
    ------
    ExpressionError
        If the number is not finite.

    Examples
    --------
    >>> number("m*(0.322*L)**2", {"m": 2.0, "L": 0.5})
    0.051842
    """
    used = {str(reference) for reference in references(value)}
    if not used <= values.keys():
        return None
    exact = {name: read(values[name], lookup({})) for name in used}
    try:
        value_of_text = float(read(value, lookup(exact)))
    except OverflowError:
        value_of_text = math.inf
    if not math.isfinite(value_of_text):
        raise ExpressionError("the value is too large")
    return value_of_text


def evaluated(given: Mapping[str, Scalar | None]) -> tuple[dict[str, float], dict[str, str]]:
    """Return the numbers of values that depend on each other, and what is wrong with the others.

    What has no value, or depends on what has none, is in neither.

    Parameters
    ----------
    given : mapping of str to number, str or None
        Values by name.

    Returns
    -------
    values : dict of str to float
    problems : dict of str to str

    Examples
    --------
    >>> evaluated({"d": "L/2", "L": 3, "a": "b", "b": "a", "c": None})
    ({'d': 1.5, 'L': 3.0}, {'a': 'depends on itself: a -> b -> a'})
    """
    uses = {name: _uses(value) for name, value in given.items()}
    values: dict[str, float] = {}
    wrong = dict(_circles(uses))
    for name in graphlib.TopologicalSorter(uses).static_order():
        value = given.get(name)
        if value is None or name in wrong:
            continue
        try:
            found = number(value, values)
        except ExpressionError as error:
            wrong[name] = str(error)
        else:
            values |= {} if found is None else {name: found}
    return {name: values[name] for name in given if name in values}, wrong


def _uses(value: Scalar | None) -> list[str]:
    return [] if value is None else [str(reference) for reference in references(value)]


def _circles(uses: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Break every circle of names that use each other; iterate over what was broken, and why."""
    while True:
        try:
            graphlib.TopologicalSorter(uses).prepare()
        except graphlib.CycleError as error:
            first, *rest = reversed(error.args[1])
            uses[first] = []
            yield first, f"depends on itself: {' -> '.join([first, *rest])}"
        else:
            return


def _functions(names: Iterable[str]) -> dict[str, Any]:
    return {name: sympy.Function(name)(TIME) for name in names}
