"""Equations of motion that you can trust, read and run.

A model file declares bodies, joints and loads; freebody derives its equations of motion by three
formulations, checks them against printed pages, and integrates them.

Examples
--------
>>> import freebody
>>> model = freebody.load("double_pendulum")
>>> freebody.derive(model, "lagrange").coordinates
(theta1(t), theta2(t))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from freebody.backends import Functions, compile  # noqa: A004 - its name
    from freebody.checking import Report, check
    from freebody.inverse_dynamics import AppliedForce, InverseDynamics, inverse
    from freebody.linearization import Linearization, equilibria, linearize
    from freebody.mechanics import Equations, Mechanism, derive, mechanism
    from freebody.model import Model, load, save
    from freebody.motion import Motion, read_markers, read_motion
    from freebody.muscles import Excited, StaticOptimum, excite, static_optimisation
    from freebody.simulation import Event, Result, simulate
    from freebody.simulation.batch import sweep
    from freebody.simulation.opty import opty_problem

__version__ = "0.1.0"

_HOMES = {
    "Model": "model",
    "load": "model",
    "save": "model",
    "Mechanism": "mechanics",
    "mechanism": "mechanics",
    "Equations": "mechanics",
    "derive": "mechanics",
    "Report": "checking",
    "check": "checking",
    "Functions": "backends",
    "compile": "backends",
    "Event": "simulation",
    "Result": "simulation",
    "simulate": "simulation",
    "opty_problem": "simulation.opty",
    "sweep": "simulation.batch",
    "AppliedForce": "inverse_dynamics",
    "InverseDynamics": "inverse_dynamics",
    "inverse": "inverse_dynamics",
    "Linearization": "linearization",
    "equilibria": "linearization",
    "linearize": "linearization",
    "Motion": "motion",
    "Excited": "muscles",
    "StaticOptimum": "muscles",
    "excite": "muscles",
    "static_optimisation": "muscles",
    "read_markers": "motion",
    "read_motion": "motion",
}

__all__ = [
    "AppliedForce",
    "Equations",
    "Event",
    "Excited",
    "Functions",
    "InverseDynamics",
    "Linearization",
    "Mechanism",
    "Model",
    "Motion",
    "Report",
    "Result",
    "StaticOptimum",
    "check",
    "compile",
    "derive",
    "equilibria",
    "excite",
    "inverse",
    "linearize",
    "load",
    "mechanism",
    "opty_problem",
    "read_markers",
    "read_motion",
    "save",
    "simulate",
    "static_optimisation",
    "sweep",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'freebody' has no attribute '{name}'")
    return getattr(importlib.import_module(f"freebody.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
