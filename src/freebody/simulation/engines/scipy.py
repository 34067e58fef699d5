"""scipy's implicit Runge–Kutta method, for stiff motion."""

from __future__ import annotations

from scipy.integrate import Radau

from freebody.simulation.integrate import Run, Task, follow
from freebody.simulation.slopes import Slopes
from freebody.simulation.stepping import Method


def prepared(task: Task) -> Run:
    """Return what integrates with the method ``Radau`` of scipy's `solve_ivp`, step by step.

    Its Jacobian is exact: the derivatives of the rates are a program of their own. With
    constraints the state is projected back on them after each step.

    Raises
    ------
    SimulationError
        If the mass matrix becomes singular, a value is not finite, or a step cannot be taken.

    References
    ----------
    Hairer and Wanner, Solving Ordinary Differential Equations II, 1996, section IV.8.
    """
    method = Method(Radau, task, jac=Slopes(task.dynamics))
    return lambda: follow(task, method)
