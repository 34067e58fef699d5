"""The methods of scipy, implicit ones for stiff motion among them."""

from __future__ import annotations

from freebody.simulation.integrate import IntegrationProblem, Run, follow
from freebody.simulation.slopes import Slopes
from freebody.simulation.stepping import IMPLICIT, ScipyStepper


def make_integrator(problem: IntegrationProblem) -> Run:
    """Return what integrates with a method of scipy's `solve_ivp`, step by step.

    The Jacobian of an implicit method is exact: the derivatives of the rates are a program of their
    own. With constraints the state is projected back on them after each step.

    Raises
    ------
    SimulationError
        If the mass matrix becomes singular, a value is not finite, or a step cannot be taken.

    References
    ----------
    Hairer and Wanner, Solving Ordinary Differential Equations II, 1996, section IV.8 (Radau).
    """
    options = {"jac": Slopes(problem.dynamics)} if problem.method in IMPLICIT else {}
    method = ScipyStepper(problem, **options)
    return lambda: follow(problem, method)
