"""Equations of motion that you can trust, read and run.

A model file declares bodies, joints and loads; freebody derives its equations of motion by three
formulations, checks them against printed pages, and integrates them.

Examples
--------
>>> import freebody
>>> freebody.derive("double_pendulum", "lagrange").coordinates
(theta1(t), theta2(t))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from freebody import anthropometry, motion, muscles
    from freebody.algebra.terms import TooLargeError
    from freebody.backends import (
        BackendError,
        Functions,
        compile,  # noqa: A004 - its name
    )
    from freebody.checking import Report, check
    from freebody.errors import (
        ArgumentError,
        DerivationError,
        DocumentError,
        ExpressionError,
        FreebodyError,
        InverseError,
        ModelError,
        MotionError,
        MuscleError,
        ProblemsError,
        SegmentError,
        SimulationError,
    )
    from freebody.files import FileError
    from freebody.inverse_dynamics import AppliedForce, InverseDynamics, inverse
    from freebody.linearization import Linearization, LinearizationError, equilibria, linearize
    from freebody.mechanics import Equations, Mechanism, derive, mechanism
    from freebody.model import Model, load, save
    from freebody.motion import Motion, read_markers, read_motion
    from freebody.muscles import Excited, StaticOptimum, excite, static_optimisation
    from freebody.programs.errors import ProgramError
    from freebody.simulation import Event, LostMotionError, Result, simulate
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
    "LostMotionError": "simulation",
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
    "ArgumentError": "errors",
    "DerivationError": "errors",
    "DocumentError": "errors",
    "ExpressionError": "errors",
    "FreebodyError": "errors",
    "InverseError": "errors",
    "ModelError": "errors",
    "MotionError": "errors",
    "MuscleError": "errors",
    "ProblemsError": "errors",
    "SegmentError": "errors",
    "SimulationError": "errors",
    "FileError": "files",
    "BackendError": "backends",
    "LinearizationError": "linearization",
    "ProgramError": "programs.errors",
    "TooLargeError": "algebra.terms",
}
_ROOMS = frozenset({"anthropometry", "motion", "muscles"})

__all__ = [
    "AppliedForce",
    "ArgumentError",
    "BackendError",
    "DerivationError",
    "DocumentError",
    "Equations",
    "Event",
    "Excited",
    "ExpressionError",
    "FileError",
    "FreebodyError",
    "Functions",
    "InverseDynamics",
    "InverseError",
    "Linearization",
    "LinearizationError",
    "LostMotionError",
    "Mechanism",
    "Model",
    "ModelError",
    "Motion",
    "MotionError",
    "MuscleError",
    "ProblemsError",
    "ProgramError",
    "Report",
    "Result",
    "SegmentError",
    "SimulationError",
    "StaticOptimum",
    "TooLargeError",
    "anthropometry",
    "check",
    "compile",
    "derive",
    "equilibria",
    "excite",
    "inverse",
    "linearize",
    "load",
    "mechanism",
    "motion",
    "muscles",
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
    if name in _ROOMS:
        return importlib.import_module(f"freebody.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'freebody' has no attribute '{name}'")
    return getattr(importlib.import_module(f"freebody.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
