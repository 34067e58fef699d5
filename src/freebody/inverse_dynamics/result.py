"""What inverse dynamics gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from freebody.results import Result
from freebody.simulation.inputs import Sampled, initial_of, known_inputs

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class InverseDynamics(Result):
    """The torques that a motion takes.

    Attributes
    ----------
    data : xarray.Dataset
        As of a simulation ``coordinates``, ``speeds``, ``accelerations``, ``terms``,
        ``reaction_force``, ``reaction_moment`` and ``constraint_force``; and

        - ``coupling`` (time, speed): the part Σ_{j≠i} M_ij u̇_j of the inertial term;
        - ``generalized`` (time, speed): M u̇ + C + G + E, what actuators, and constraints where
          there are any, must give;
        - ``inputs`` (time, input): what the inputs of the model must be, not a number where the
          motion does not say; ``residual`` (time, speed): what they cannot give;
        - ``power`` (time, joint): of all that the joint transmits, springs and dampers at it
          included; ``work`` (time, joint): its integral;
        - ``trusted`` (time): whether a sample is far enough from the ends;
        - with noise, the standard deviations ``generalized_sd``, ``terms_sd``, ``inputs_sd``,
          ``power_sd``; with tables, ``generalized_by_table`` (table, time, speed).
    provenance : dict
        Besides what every result has: sampling, filter and derivatives of the motion, measured
        ``forces``, the ``inputs`` that were known, and those that were ``solved`` for.
    notes : tuple of str
        Residuals, inputs that do not follow, the ends.
    """

    @property
    def inputs(self) -> dict[str, Sampled]:
        """The inputs over time, as `freebody.simulate` takes them; those that are known."""
        first = float(self.data["time"][0])
        return {name: one.later(-first) for name, one in known_inputs(self).items()}

    @property
    def initial(self) -> dict[str, float]:
        """The first coordinates and speeds, as `freebody.simulate` takes them."""
        return initial_of(self, self.mechanism.model)

    def figure(self) -> Figure:
        """Return the terms along each speed, the motion, inputs, residuals and power."""
        from freebody.inverse_dynamics.figures import figure

        return figure(self)
