"""A motion linearized about a state."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.drawing.style import COLORS
from freebody.files import atomic_write, expect_ending
from freebody.linearization.derivatives import (
    DIMENSIONS,
    METHOD,
    Derivatives,
    independent,
    matrices,
)
from freebody.linearization.modes import Kind, Mode, kind, modes
from freebody.results import Plottable, dataset, provenance_of, save_arrays
from freebody.simulation.dynamics import Rates

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from freebody.linearization.linearize import LinearizedMotion
    from freebody.mechanics.mechanism import Mechanism


REST = 1e-8
"""The largest rate of a state, in SI units, that counts as none."""


@dataclass(frozen=True)
class SingularEquilibrium:
    """A state of rest whose equations are not linearized, since they are singular there.

    Attributes
    ----------
    state : dict of str to float
        All coordinates, in their units.
    reason : str
        Why there is no linearization.
    """

    state: dict[str, float]
    reason: str


class Equilibria(tuple["Linearization", ...]):
    """Linearizations, each about one equilibrium.

    Attributes
    ----------
    singular : tuple of SingularEquilibrium
        The equilibria that were found besides, about which there is none.
    """

    singular: tuple[SingularEquilibrium, ...] = ()

    @classmethod
    def of(
        cls, regular: Iterable[Linearization], singular: Iterable[SingularEquilibrium] = ()
    ) -> Equilibria:
        """Return equilibria of both kinds."""
        made = cls(regular)
        made.singular = tuple(singular)
        return made


@dataclass(frozen=True, repr=False)
class Linearization(Plottable):
    """ẋ = ẋ₀ + A (x - x₀) + B (r - r₀) and y = y₀ + C (x - x₀), close to a state.

    Attributes
    ----------
    mechanism : Mechanism
        What moves.
    A, B, C : array, shape (k, k), (k, inputs), (outputs, k)
        In coherent SI units.
    states : tuple of str
        What x is: the coordinates, then the speeds, that no constraint decides.
    inputs, outputs : tuple of str
        What r and y are. In a closed loop r is what is added to the feedback.
    state, rates : dict of str to float
        All coordinates and speeds at the state, and their derivatives in time.
    held : dict of str to float
        The forces of the constraints.
    tangent : array, shape (2 n, k)
        All coordinates and speeds by x.
    weights : array, shape (n,)
        The generalized mass of each coordinate.
    closed_loop : bool
        Whether the inputs follow their laws, rather than keep their values.
    ignorable : tuple of str
        Of an equilibrium, the coordinates along which others like it lie.
    dropped : dict of str to float
        The speeds that were given, and are others in the steady motion, or zero at rest; at a
        state also the coordinates, where the constraints decide otherwise.
    driven : bool
        Whether a motion or an input is given over time: all of this is then as at the time zero,
        and says nothing of later times.
    provenance : dict
        What made it: the model with its hash, constants, inputs, the ``method`` and versions.
    """

    mechanism: Mechanism
    A: Array
    B: Array
    C: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state: dict[str, float]
    rates: dict[str, float]
    held: dict[str, float]
    tangent: Array
    weights: Array
    closed_loop: bool
    ignorable: tuple[str, ...] = ()
    dropped: dict[str, float] = field(default_factory=dict)
    driven: bool = False
    provenance: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        title, order = self.mechanism.model.title, len(self.states)
        return f"<Linearization of '{title}': {self.kind}, {order} states>"

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import linearization_html  # which reads linearizations

        return linearization_html(self)

    @cached_property
    def data(self) -> xr.Dataset:
        """``A`` (state, by), ``B`` (state, input) and ``C`` (output, by) as labelled arrays."""
        states = list(self.states)
        labels = {"state": states, "by": states, "output": list(self.outputs)}
        variables = {name: (dims, getattr(self, name)) for name, dims in DIMENSIONS.items()}
        return dataset(self.mechanism.model, variables, labels)

    @checked
    def save(self, path: str | Path) -> None:
        """Write all of it to a ``.json`` file, or the matrices to a netCDF ``.nc`` file.

        Raises
        ------
        FileError
            If the ending is another, or the file cannot be written; nothing is half-written then.
        """
        path = Path(path)
        expect_ending(path, (".json", ".nc"))
        text = json.dumps(self.as_json(), indent=1, ensure_ascii=False)
        with atomic_write(path) as temporary:
            if path.suffix == ".json":
                temporary.write_text(text + "\n", encoding="utf-8")
            else:
                save_arrays(self.data, text, temporary)

    def figure(self) -> Figure:
        """Return the eigenvalues in the complex plane, as a figure of matplotlib."""
        return figure(self)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Of A, in 1/s."""
        return np.linalg.eigvals(self.A).astype(np.complex128)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The eigenvalues with what moves, the fastest growing first."""
        coordinates = tuple(self.state)[: len(self.weights)]
        return modes(self.A, self.tangent, self.weights, coordinates)

    @property
    def kind(self) -> Kind:
        """What the eigenvalues say of an equilibrium, or of a steady motion."""
        return kind(self.A)

    @property
    def moving(self) -> tuple[str, ...]:
        """The coordinates and speeds that change at the state; none at an equilibrium."""
        return tuple(name for name, rate in self.rates.items() if abs(rate) > REST)

    @property
    def steady(self) -> bool:
        """Whether no speed that is free changes at the state."""
        n = len(self.weights)
        speeds = set(list(self.state)[n:]) & {*self.states}
        size = 1 + max(map(abs, self.state.values()), default=0)
        return all(abs(self.rates[name]) <= 10 * REST * size for name in speeds)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain data, complex numbers as pairs."""
        return {
            **self.provenance,
            "laws": self.provenance.get("inputs", {}),
            "state": self.state,
            "rates": self.rates,
            "constraint_forces": self.held,
            "equilibrium": not self.moving,
            "ignorable": list(self.ignorable),
            "dropped": self.dropped,
            "steady": self.steady,
            "driven": self.driven,
            "closed_loop": self.closed_loop,
            "states": list(self.states),
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "A": self.A.tolist(),
            "B": self.B.tolist(),
            "C": self.C.tolist(),
            "eigenvalues": [[value.real, value.imag] for value in self.eigenvalues.tolist()],
            "kind": self.kind,
            "modes": [_mode_as_json(mode) for mode in self.modes],
        }


def linearize_at(
    derivatives: Derivatives,
    state: Array,
    rates: Rates,
    *,
    closed_loop: bool,
    ignorable: tuple[str, ...] = (),
) -> Linearization:
    """Return a motion linearized about a state at the time zero.

    Parameters
    ----------
    derivatives : Derivatives
    state : array, shape (2 n,)
        Coordinates and speeds.
    rates : Rates
        How it changes.
    closed_loop : bool
        Whether inputs follow their laws, rather than keep their values.
    ignorable : tuple of str, optional
        The coordinates along which the next equilibria lie.

    Raises
    ------
    LinearizationError
        If something is not finite or singular there.
    """
    mechanism = derivatives.mechanism
    q, u = np.split(state, 2)
    outputs = derivatives.at(0.0, q, u, rates.accelerations, rates.multipliers)
    reduced = matrices(mechanism, outputs, closed_loop=closed_loop)
    names = (*mechanism.names.coordinates, *mechanism.names.speeds)
    change = np.concatenate([rates.coordinates, rates.accelerations])
    forces = (str(symbol.func) for symbol in mechanism.multipliers)
    setup = derivatives.setup
    provenance = {
        **provenance_of(mechanism.model, setup.constants),
        "initial": setup.initial(mechanism.names),
        "inputs": setup.laws(mechanism.names),
        "method": METHOD,
    }
    return Linearization(
        mechanism,
        reduced.A[0],
        reduced.B[0],
        reduced.C[0],
        tuple(names[place] for place in independent(mechanism)),
        tuple(mechanism.names.inputs),
        derivatives.outputs,
        dict(zip(names, (state + 0.0).tolist(), strict=True)),  # no negative zeros
        dict(zip(names, change.tolist(), strict=True)),
        dict(zip(forces, rates.multipliers.tolist(), strict=True)),
        reduced.tangent[0],
        _weights(outputs),
        closed_loop,
        ignorable,
        provenance=provenance,
    )


def _weights(outputs: dict[str, Array]) -> Array:
    """Return the generalized mass of each coordinate, with the rates of the coordinates alone."""
    M = outputs["M"][0]
    back = np.linalg.inv(outputs["drates"][0, :, len(M) : 2 * len(M)])
    return np.einsum("ki,kl,li->i", back, M, back)


def _mode_as_json(mode: Mode) -> dict[str, Any]:
    return {
        "eigenvalue": [mode.eigenvalue.real, mode.eigenvalue.imag],
        "frequency": mode.frequency,
        "damping_ratio": mode.damping_ratio,
        "time_constant": mode.time_constant,
        "dominant": list(mode.dominant),
        "shape": {name: [part.real, part.imag] for name, part in mode.shape.items()},
    }


# ------------------------------------------------------------------ figures


def figure(one: Linearization) -> Figure:
    """Return the eigenvalues in the complex plane, each mode with what moves most."""
    from matplotlib.figure import Figure  # slow to import

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for number, mode in enumerate(one.modes):
        value, label = mode.eigenvalue, ", ".join(mode.dominant)
        parts = (value.imag, -value.imag) if value.imag else (0.0,)
        color = COLORS[number % len(COLORS)]
        axes.plot([value.real] * len(parts), parts, "o", color=color, label=label or "no motion")
    axes.axvline(0, color="0.6", linewidth=0.8, zorder=0)
    axes.set_xlabel("real part [1/s]")
    axes.set_ylabel("imaginary part [1/s]")
    axes.set_title(f"{one.mechanism.model.title}: {one.kind}", fontsize="medium")
    axes.legend(title="what moves most", frameon=False, fontsize="small")
    _axes_style(axes)
    return figure


def along_figure(run: LinearizedMotion) -> Figure:
    """Return the real and imaginary parts of the eigenvalues over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    for axes, what in ((upper, "real"), (lower, "imag")):
        parts = getattr(run.eigenvalues, what)
        axes.plot(run.data["time"], parts, ".", color=COLORS[0], markersize=2)
        axes.set_ylabel(f"{'real' if what == 'real' else 'imaginary'} part [1/s]")
        _axes_style(axes)
    lower.set_xlabel("time [s]")
    figure.suptitle(run.mechanism.model.title)
    return figure


def _axes_style(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
