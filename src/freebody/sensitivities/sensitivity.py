"""What results depend on, and how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.errors import ArgumentError, LinearizationError
from freebody.inverse_dynamics.inverse import inverse
from freebody.linearization.linearize import linearize
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.motion.reading import AnyMotion
from freebody.results import Result, dataset, provenance_of
from freebody.sensitivities.flow import Flow, Varying
from freebody.sensitivities.observed import Observed
from freebody.sensitivities.varied import Varied, varied
from freebody.simulation.inputs import AnyInitial, AnyInputs, initial_of
from freebody.simulation.setup import Setup, expect_tolerance, start_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOLERANCE = 1e-10
FINEST = 3e-14
LOOSE = 1e-9
"""From which derivative an output differs among equilibria that lie next to each other."""
PART = 0.01
"""The change of a parameter whose effect is told: a part of its value."""


@dataclass(frozen=True, repr=False)
class Sensitivity(Result):
    """How results change with parameters, to first order.

    Attributes
    ----------
    data : xarray.Dataset
        ``sensitivity`` (time, output, parameter): the derivatives, in units of the output per unit
        of the parameter; ``value`` (time, output); ``parameter_value`` (parameter). At an
        equilibrium there is no time.
    """

    def effects(self, part: float = PART) -> Any:
        """Return the largest change of each output by each parameter, as an xarray.DataArray.

        Parameters
        ----------
        part : float, optional
            The change of a parameter, as a part of its value; where that is zero, of one
            unit.
        """
        values = self.data["parameter_value"]
        change = part * values.where(values != 0, 1.0)
        effect = abs(self.data["sensitivity"] * change)
        return effect.max("time") if "time" in effect.dims else effect

    def figure(self) -> Figure:
        """Return what a change of each parameter by 1 % does to each output."""
        from freebody.sensitivities.figures import figure

        return figure(self)


@checked
def sensitivity(
    model: AnyModel,
    of: str | Sequence[str],
    to: str | Sequence[str],
    *,
    at: Literal["motion", "equilibrium"] = "motion",
    along: AnyMotion | None = None,
    duration: float | None = None,
    step: float = 0.01,
    constants: Mapping[str, float] | None = None,
    initial: AnyInitial | None = None,
    inputs: AnyInputs | None = None,
    method: Literal["DOP853", "Radau"] = "DOP853",
    tolerance: float = TOLERANCE,
) -> Sensitivity:
    """Return how results of a model change with its parameters, by exact derivatives.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
    of : str or sequence of str
        Coordinates, speeds, inputs, and outputs of `freebody.compile`: ``position.hand`` or
        ``position.hand.x``, ``kinetic_energy``, ``inverse_dynamics``, ``reactions`` and so on.
    to : str or sequence of str
        Constants, on which others that are defined by them depend too; coordinates and speeds, of
        which it is the initial value; inputs, of which it is a constant that is added.
    at : {"motion", "equilibrium"}, optional
        Whether along the motion from the initial state, or at the equilibrium next to it.
    along : Motion, Result, str or Path, optional
        A motion that stays as it is instead: inverse dynamics. A coordinate in `to` is then an
        offset of it at all times.
    duration, step, constants, initial, inputs : optional
        As for `freebody.simulate`; inputs are numbers and expressions, but along a motion.
    method : {"DOP853", "Radau"}, optional
        What integrates motion and sensitivities together; Radau where the motion is stiff.
    tolerance : float, optional
        Of that, relative and absolute.

    Returns
    -------
    Sensitivity
        ``data`` with a derivative of each quantity by each constant, initial value or input.

    Raises
    ------
    ArgumentError
        If a name in `to` is none.
    ProgramError, DerivationError
        If there is no such output.
    SimulationError, LinearizationError, MotionError
        If there is no such motion or equilibrium.

    Examples
    --------
    >>> import freebody
    >>> falling = freebody.sensitivity("pendulum", "theta", ["d", "theta"], duration=1)
    >>> falling.data["sensitivity"].sizes["time"]
    101
    """
    moving = mechanism(model)
    names = (of,) if isinstance(of, str) else tuple(of)
    if not names:
        raise ArgumentError("of: expected the names of outputs, found none")
    expect_tolerance(tolerance, FINEST)
    given = {"duration": duration, "step": step, "constants": constants, "initial": initial}
    problem = _Problem(moving, names, [to] if isinstance(to, str) else list(to), given, inputs)
    if along is not None:
        if at != "motion" or duration is not None or initial is not None:
            raise ArgumentError("along: a motion has its own times and states; expected no others")
        return problem.along(along)
    return problem.at_rest() if at == "equilibrium" else problem.motion(method, tolerance)


@dataclass(frozen=True)
class _Problem:
    moving: Mechanism
    of: tuple[str, ...]
    to: list[str]
    given: Mapping[str, Any]
    inputs: Any

    @property
    def _constants(self) -> dict[str, float]:
        return dict(self.given["constants"] or {})

    def _by(self, setup: Setup) -> Varied:
        initial = initial_of(self.given["initial"], self.moving.model)
        return varied(self.moving, setup, self.to, self._constants, initial)

    def motion(self, method: str, tolerance: float) -> Sensitivity:
        """Return the sensitivities along the motion from the initial state."""
        start = start_of(self.moving, inputs=self.inputs, **self.given)
        flow = Flow(self.moving, start.setup, self._by(start.setup))
        varying = flow.along(start.times, tolerance, method)
        how = {"method": f"{method}, together with the motion", "tolerance": tolerance}
        how |= {"initial": start.setup.initial(self.moving.names)}
        how |= {"inputs": start.setup.laws(self.moving.names)}
        return self._result(varying, flow.by, start.setup, how)

    def at_rest(self) -> Sensitivity:
        """Return the sensitivities of the equilibrium next to the initial state."""
        starting = {*self.moving.names.coordinates, *self.moving.names.speeds} & {*self.to}
        if starting:
            raise ArgumentError(
                f"to: an equilibrium has no initial value of {', '.join(sorted(starting))}: "
                "expected constants and inputs"
            )
        start = start_of(self.moving, inputs=self.inputs, **self.given)
        options = {name: self.given[name] for name in ("constants", "initial")}
        one = linearize(self.moving, inputs=self.inputs, **options)
        if one.moving:
            raise LinearizationError(
                f"expected an equilibrium, found a steady motion of {', '.join(one.moving)}"
            )
        q = np.array([one.state[name] for name in self.moving.names.coordinates])
        flow = Flow(self.moving, start.setup, self._by(start.setup))
        varying, family = flow.at_rest(q, np.array([*one.held.values()]))
        self._expect_decided_at_rest(family, start.setup)
        result = self._result(varying, flow.by, start.setup, {"method": "equilibrium"})
        return Sensitivity(
            result.data.isel(time=0, drop=True), self.moving, result.provenance, notes=result.notes
        )

    def _expect_decided_at_rest(self, family: Varying, setup: Setup) -> None:
        """Refuse outputs that differ among equilibria that lie next to each other."""
        labels, _, slopes = self._observed(family, setup)
        loose = [
            name
            for (name, _), one in zip(labels, slopes[0], strict=True)
            if np.abs(one).max(initial=0.0) > LOOSE
        ]
        if loose:
            raise LinearizationError(
                "others like this equilibrium lie next to it: parameters do not decide "
                f"{', '.join(loose)}"
            )

    def along(self, motion: AnyMotion) -> Sensitivity:
        """Return the sensitivities of what a motion that stays as it is takes."""
        run = inverse(self.moving, motion, constants=self._constants, inputs=self.inputs)
        numbers = self.moving.names.values(self._constants)
        n, m = len(self.moving.speeds), len(self.moving.multipliers)
        setup = Setup(numbers, np.zeros(2 * n), {})
        by = varied(self.moving, setup, self.to, self._constants, {})
        given = {name: run.data[name].to_numpy() for name in ("coordinates", "speeds")}
        count, k = len(run.data["time"]), len(by.names)
        varying = Varying(
            {
                "t": run.data["time"].to_numpy(),
                "q": given["coordinates"],
                "u": given["speeds"],
                "a": run.data["accelerations"].to_numpy(),
                "inputs": np.nan_to_num(run.data["inputs"].to_numpy()),
                "multipliers": np.zeros((count, m)),
            },
            {
                "q": np.broadcast_to(by.state[:n], (count, n, k)),
                "u": np.broadcast_to(by.state[n:], (count, n, k)),
                "a": np.zeros((count, n, k)),
                "inputs": np.broadcast_to(by.inputs, (count, len(by.inputs), k)),
                "multipliers": np.zeros((count, m, k)),
                "constants": np.broadcast_to(by.constants, (count, *by.constants.shape)),
            },
        )
        self._expect_decided()
        return self._result(varying, by, setup, {"method": "the motion stays as it is"})

    def _expect_decided(self) -> None:
        """Refuse outputs that depend on forces of constraints, which a motion does not decide."""
        functions = Functions(self.moving, "numpy")
        for name in self.of:
            known = (*self.moving.names.coordinates, *self.moving.names.speeds)
            if name in self.moving.names.inputs or (
                self.moving.multipliers
                and name not in known
                and "multipliers" in functions[name].arguments
            ):
                raise ArgumentError(
                    f"of: '{name}' follows from the motion by least squares alone: expected "
                    "inverse_dynamics, what actuators and constraints give together"
                )

    def _observed(
        self, varying: Varying, setup: Setup
    ) -> tuple[list[tuple[str, str]], Array, Array]:
        observed = Observed(self.moving, Functions(self.moving, "numpy"), self.of)
        return observed.evaluate(varying, np.array([*setup.constants.values()]))

    def _result(
        self, varying: Varying, by: Varied, setup: Setup, how: Mapping[str, Any]
    ) -> Sensitivity:
        labels, values, slopes = self._observed(varying, setup)
        variables = {
            "sensitivity": (("time", "output", "parameter"), slopes),
            "value": (("time", "output"), values),
            "parameter_value": (("parameter",), by.values),
        }
        coordinates = {
            "time": varying.given["t"],
            "output": [name for name, _ in labels],
            "output_unit": ("output", [unit for _, unit in labels]),
            "parameter": list(by.names),
            "parameter_unit": ("parameter", list(by.units)),
        }
        provenance = {**provenance_of(self.moving.model, setup.constants), **how}
        return Sensitivity(
            dataset(self.moving.model, variables, coordinates), self.moving, provenance
        )
