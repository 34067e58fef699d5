"""What a simulation starts from: numbers for everything that needs one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.arrays import Array
from freebody.errors import ExpressionError, SimulationError, absent, lacking
from freebody.mechanics.mechanism import Mechanism
from freebody.model.names import Names
from freebody.model.review import review
from freebody.simulation.inputs import (
    AnyInitial,
    AnyInputs,
    SampledInput,
    initial_of,
    inputs_of,
    is_sampled,
    split_inputs,
)

Value = str | int | float


@dataclass(frozen=True)
class Setup:
    """The numbers of one simulation.

    Attributes
    ----------
    constants : dict of str to float
        In declared order.
    state : array, shape (2 n,)
        Initial coordinates and speeds.
    inputs : dict of str to sympy.Expr
        Each input as an expression of time, coordinates, speeds and constants; one that is sampled
        stands for itself.
    sampled : dict of str to SampledInput
        The inputs that are known over time.
    """

    constants: dict[str, float]
    state: Array
    inputs: dict[str, sympy.Expr]
    sampled: dict[str, SampledInput] = field(default_factory=dict)

    def initial(self, names: Names) -> dict[str, float]:
        """Return the initial coordinates and speeds by name."""
        return dict(zip((*names.coordinates, *names.speeds), self.state.tolist(), strict=True))

    def laws(self, names: Names) -> dict[str, str]:
        """Return what each input is, in words."""
        laws = self.inputs.items()
        return {name: str(self.sampled.get(name, names.plain(law))) for name, law in laws}


class Start(NamedTuple):
    """What a motion starts from, and at which times it is asked for.

    Attributes
    ----------
    setup : Setup
    times : array, shape (times,)
        In s.
    given : dict of str to value
        The initial coordinates and speeds that are not those of the model.
    notes : list of str
        What there is to know of the inputs.
    """

    setup: Setup
    times: Array
    given: dict[str, Value]
    notes: list[str]


def start_of(
    mechanism: Mechanism,
    duration: float | None,
    step: float,
    constants: Mapping[str, float] | None,
    initial: AnyInitial | None,
    inputs: AnyInputs | None,
) -> Start:
    """Gather what a motion starts from; see `freebody.simulate` for the parameters.

    Raises
    ------
    SimulationError
        With everything that has no value or an unknown name, or if there are no times.
    """
    known, notes = inputs_of(inputs, mechanism.model)
    sampled, laws = split_inputs(known)
    times = times_of(duration_of(duration, sampled.values()), step)
    given = initial_of(initial, mechanism.model)
    return Start(prepare(mechanism, constants or {}, given, laws, sampled), times, given, notes)


def prepare(
    mechanism: Mechanism,
    constants: Mapping[str, float],
    initial: Mapping[str, Value],
    inputs: Mapping[str, Value],
    sampled: Mapping[str, SampledInput] | None = None,
) -> Setup:
    """Gather all numbers that a simulation needs, from the model and from what is given.

    Inputs that are known over time are ``sampled``, all others ``inputs``.

    Parameters
    ----------
    mechanism : Mechanism
    constants : mapping of str to float
        Instead of those of the model.
    initial : mapping of str to value
        Coordinates and speeds instead of those of the model.
    inputs : mapping of str to value
        Numbers and expressions instead of those of the model.
    sampled : mapping of str to SampledInput, optional

    Raises
    ------
    SimulationError
        With everything that has no value or an unknown name.
    """
    sampled = dict(sampled or {})
    known, problems = constants_of(mechanism, constants)
    symbols = {name: mechanism.names.inputs.get(name) for name in sampled}
    unsampled = [name for name in mechanism.model.inputs if name not in sampled]
    laws, wrong_inputs = laws_of(mechanism, inputs, unsampled)
    wrong_inputs += _unknown("input", sampled, mechanism.model.inputs)
    state, wrong_state = _state(mechanism, initial, known if not problems else None)
    problems += [*wrong_inputs, *wrong_state]
    if problems:
        raise SimulationError("; ".join(problems))
    ordered = {name: {**laws, **symbols}[name] for name in mechanism.model.inputs}
    return Setup(known, np.array(state), ordered, sampled)


def constants_of(
    mechanism: Mechanism, given: Mapping[str, float]
) -> tuple[dict[str, float], list[str]]:
    """Return the values of all constants, some of them given, and what is wrong with them.

    Returns
    -------
    constants : dict of str to float
        In declared order.
    problems : list of str
    """
    problems = _misfits(mechanism, given)
    if problems:
        return {}, problems
    known = mechanism.names.values(given)
    unset = [name for name in mechanism.names.constants if name not in known]
    return known, lacking("constant", unset, by="--set")


def _misfits(mechanism: Mechanism, given: Mapping[str, float]) -> list[str]:
    """Return what is wrong with constants, or with a model that has them."""
    model = mechanism.model
    unknown = _unknown("constant", given, model.constants)
    if unknown:
        return unknown
    constants = {
        name: entry.model_copy(update={"value": given.get(name, entry.value)})
        for name, entry in model.constants.items()
    }
    unused = {f"constants.{name}" for name in constants}  # now that others have values
    problems = review(model.model_copy(update={"constants": constants}))
    return [str(problem) for problem in problems if problem.where not in unused]


def laws_of(
    mechanism: Mechanism, given: Mapping[str, Value], among: Iterable[str]
) -> tuple[dict[str, sympy.Expr], list[str]]:
    """Return some inputs as expressions, as given or as the model says, and what is wrong.

    Parameters
    ----------
    mechanism : Mechanism
    given : mapping of str to value
        Numbers and expressions.
    among : iterable of str
        The inputs that need one.

    Returns
    -------
    laws : dict of str to sympy.Expr
    problems : list of str
    """
    declared = mechanism.model.inputs
    laws, problems = {}, _unknown("input", given, declared)
    values = {name: given.get(name, declared[name].value) for name in among}
    unset = [name for name, value in values.items() if value is None]
    problems += lacking("input", unset, by="--input")
    for name, value in values.items():
        if value is None:
            continue
        try:
            laws[name] = _law(mechanism, value)
        except ExpressionError as error:
            problems.append(f"input '{name}': {error}")
    return laws, problems


def _law(mechanism: Mechanism, value: Value) -> sympy.Expr:
    if is_sampled(value):
        raise ExpressionError("expected a number or an expression, found samples")
    law = mechanism.read(value)
    inputs = set(mechanism.names.inputs.values())
    if law.atoms(sympy.core.function.AppliedUndef) & inputs:
        raise ExpressionError(f"'{value}' uses an input; expected time, coordinates and speeds")
    return law


def _state(
    mechanism: Mechanism, given: Mapping[str, Value], constants: Mapping[str, float] | None
) -> tuple[list[float], list[str]]:
    """Work out the initial coordinates and speeds, as far as the constants are known."""
    model = mechanism.model
    declared: dict[str, Value | None] = {
        name: _guess(mechanism, name, entry.initial) for name, entry in model.coordinates.items()
    }
    declared |= {f"{name}_dot": entry.initial_speed for name, entry in model.coordinates.items()}
    own = dict.fromkeys(model.speeds)
    problems = _unknown("coordinate or speed", given, {**declared, **own})
    rates = [name for name in given if name in mechanism.names.rates]
    if rates and not own.keys().isdisjoint(given):
        mine = ", ".join(own.keys() & given.keys())
        problems.append(f"expected either rates or speeds, found {', '.join(rates)} and {mine}")
    values: dict[str, float] = {}
    unset = [name for name in declared if given.get(name, declared[name]) is None]
    problems += lacking("coordinate", unset, "initial value", by="--initial")
    for name, initial in {**declared, **own}.items():
        value = given.get(name, initial)
        if value is not None and constants is not None:
            try:
                values[name] = mechanism.names.number(value, constants)
            except ExpressionError as error:
                problems.append(f"initial value of '{name}': {error}")
    if problems or constants is None:
        return [], problems
    speeds = _speeds(mechanism, values, constants)
    return [*(values[name] for name in model.coordinates), *speeds], problems


def _guess(mechanism: Mechanism, name: str, initial: Value | None) -> Value | None:
    """Return the initial value of a coordinate; one that a constraint decides needs none."""
    return 0 if initial is None and name in mechanism.dependent else initial


def _speeds(
    mechanism: Mechanism, values: Mapping[str, float], constants: Mapping[str, float]
) -> Iterator[float]:
    """Iterate over the generalized speeds: as given, or as the rates of the coordinates say."""
    names = mechanism.names
    known = {name: sympy.Float(value, 17) for name, value in {**constants, **values}.items()}
    symbols = {names.symbols[name]: number for name, number in known.items()}
    start = {dynamicsymbols._t: sympy.S.Zero}
    for name, symbol in names.speeds.items():
        if name in values:
            yield values[name]
        else:
            given = mechanism.definitions[symbol].xreplace(names.given)
            yield float(given.xreplace(symbols).xreplace(start))


def _unknown(what: str, given: Iterable[str], known: Collection[str]) -> list[str]:
    return [absent(what, name, known) for name in given if name not in known]


# ------------------------------------------------------------------ times

DURATION = 5.0
"""How long a motion lasts if nothing says so, in s."""
TOLERANCE = 1e-12
"""Of integrators, relative and absolute, if nothing says so."""
MAX_TIMES = 2_000_000


class HasTimes(Protocol):
    """What is known up to a time."""

    @property
    def times(self) -> Array:
        """In s, in order."""
        ...


def duration_of(duration: float | None, sampled: Iterable[HasTimes]) -> float:
    """Return how long a motion lasts: as long as all samples, if nothing says so."""
    ends = [float(one.times[-1]) for one in sampled]
    return min(ends, default=DURATION) if duration is None else duration


def times_of(duration: float, step: float) -> Array:
    """Return times from zero to the end, about a step apart.

    Parameters
    ----------
    duration, step : float
        In s.

    Returns
    -------
    array, shape (times,)
        In s.

    Raises
    ------
    SimulationError
        If there are none, or too many.

    Examples
    --------
    >>> times_of(1.0, 0.4)
    array([0. , 0.5, 1. ])
    """
    for name, value in (("duration", duration), ("step", step)):
        if not (np.isfinite(value) and value > 0):
            raise SimulationError(f"expected a positive {name}, found {value}")
    if duration / step > MAX_TIMES:
        raise SimulationError(f"{duration} s in steps of {step} s are more than {MAX_TIMES} states")
    return np.linspace(0.0, duration, max(2, round(duration / step) + 1))


def expect_tolerance(tolerance: float, finest: float) -> None:
    """Refuse a tolerance that is none, or that cannot be reached.

    Raises
    ------
    SimulationError
        With the finest that can.
    """
    if not finest <= tolerance < 1:
        raise SimulationError(
            f"expected a tolerance from {finest:g} to less than 1, found {tolerance:g}"
        )
