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

from importlib import import_module as _import
from typing import TYPE_CHECKING as _FOR_TYPES

if _FOR_TYPES:
    from freebody import anthropometry as anthropometry
    from freebody import errors as errors
    from freebody import motion as motion
    from freebody import muscles as muscles
    from freebody import reporting as reporting
    from freebody.algebra.terms import TooLargeError as TooLargeError
    from freebody.backends import BackendError as BackendError
    from freebody.backends import Functions as Functions
    from freebody.backends import compile as compile  # noqa: A004 - its name
    from freebody.backends.generate import generate as generate
    from freebody.checking import Report as Report
    from freebody.checking import check as check
    from freebody.consistency import AloneReport as AloneReport
    from freebody.consistency import alone as alone
    from freebody.errors import ArgumentError as ArgumentError
    from freebody.errors import DerivationError as DerivationError
    from freebody.errors import DocumentError as DocumentError
    from freebody.errors import ExpressionError as ExpressionError
    from freebody.errors import FreebodyError as FreebodyError
    from freebody.errors import InverseError as InverseError
    from freebody.errors import ModelError as ModelError
    from freebody.errors import MotionError as MotionError
    from freebody.errors import MuscleError as MuscleError
    from freebody.errors import ProblemsError as ProblemsError
    from freebody.errors import ProgramError as ProgramError
    from freebody.errors import SchedulerError as SchedulerError
    from freebody.errors import SegmentError as SegmentError
    from freebody.errors import SimulationError as SimulationError
    from freebody.explaining import Derivation as Derivation
    from freebody.explaining import Exercise as Exercise
    from freebody.explaining import ModelComparison as ModelComparison
    from freebody.explaining import TermOrigin as TermOrigin
    from freebody.explaining import compare as compare
    from freebody.explaining import exercise as exercise
    from freebody.explaining import explain as explain
    from freebody.explaining import explain_term as explain_term
    from freebody.files import FileError as FileError
    from freebody.identification import Identified as Identified
    from freebody.identification import Regressor as Regressor
    from freebody.identification import fit_trajectory as fit_trajectory
    from freebody.identification import identify as identify
    from freebody.identification import regressor as regressor
    from freebody.importing import Imported as Imported
    from freebody.importing import import_model as import_model
    from freebody.inverse_dynamics import AppliedForce as AppliedForce
    from freebody.inverse_dynamics import InverseDynamics as InverseDynamics
    from freebody.inverse_dynamics import inverse as inverse
    from freebody.linearization import Linearization as Linearization
    from freebody.linearization import LinearizationError as LinearizationError
    from freebody.linearization import LinearizedMotion as LinearizedMotion
    from freebody.linearization import equilibria as equilibria
    from freebody.linearization import linearize as linearize
    from freebody.mechanics import Equations as Equations
    from freebody.mechanics import Mechanism as Mechanism
    from freebody.mechanics import derive as derive
    from freebody.mechanics import mechanism as mechanism
    from freebody.model import Model as Model
    from freebody.model import load as load
    from freebody.model import save as save
    from freebody.motion import Motion as Motion
    from freebody.motion import read_markers as read_markers
    from freebody.motion import read_motion as read_motion
    from freebody.muscles import Excited as Excited
    from freebody.muscles import StaticOptimum as StaticOptimum
    from freebody.muscles import excite as excite
    from freebody.muscles import static_optimisation as static_optimisation
    from freebody.optimization import OptimalMotion as OptimalMotion
    from freebody.optimization import optimal_motion as optimal_motion
    from freebody.recognition import Adopted as Adopted
    from freebody.recognition import adopt as adopt
    from freebody.results import Result as Result
    from freebody.sensitivities import Sensitivity as Sensitivity
    from freebody.sensitivities import sensitivity as sensitivity
    from freebody.simulation import Event as Event
    from freebody.simulation import LostMotionError as LostMotionError
    from freebody.simulation import Simulation as Simulation
    from freebody.simulation import simulate as simulate
    from freebody.simulation.export import opty_motion as opty_motion
    from freebody.simulation.export import opty_problem as opty_problem
    from freebody.simulation.export import pydy_system as pydy_system
    from freebody.surveying import Survey as Survey
    from freebody.surveying import survey as survey
    from freebody.sweeps import Adaptive as Adaptive
    from freebody.sweeps import Ensemble as Ensemble
    from freebody.sweeps import LatinHypercube as LatinHypercube
    from freebody.sweeps import Sweep as Sweep
    from freebody.sweeps import sweep as sweep

__version__ = "0.1.0"

_ROOMS = ("anthropometry", "errors", "motion", "muscles", "reporting")
_HOMES = {
    "model": ("Model", "load", "save"),
    "mechanics": ("Equations", "Mechanism", "derive", "mechanism"),
    "importing": ("Imported", "import_model"),
    "checking": ("Report", "check"),
    "explaining": (
        "Derivation",
        "Exercise",
        "ModelComparison",
        "TermOrigin",
        "compare",
        "exercise",
        "explain",
        "explain_term",
    ),
    "consistency": ("AloneReport", "alone"),
    "recognition": ("Adopted", "adopt"),
    "surveying": ("Survey", "survey"),
    "backends": ("Functions", "compile"),
    "backends.generate": ("generate",),
    "results": ("Result",),
    "simulation": ("Event", "Simulation", "simulate"),
    "simulation.export": ("opty_motion", "opty_problem", "pydy_system"),
    "identification": ("Identified", "Regressor", "fit_trajectory", "identify", "regressor"),
    "linearization": ("Linearization", "LinearizedMotion", "equilibria", "linearize"),
    "optimization": ("OptimalMotion", "optimal_motion"),
    "sensitivities": ("Sensitivity", "sensitivity"),
    "motion": ("Motion", "read_markers", "read_motion"),
    "inverse_dynamics": ("AppliedForce", "InverseDynamics", "inverse"),
    "muscles": ("Excited", "StaticOptimum", "excite", "static_optimisation"),
    "sweeps": ("Adaptive", "Ensemble", "LatinHypercube", "Sweep", "sweep"),
}
"""What there is, by the room that has it; it is imported when it is first used."""
_ERRORS = {
    "errors": (
        "ArgumentError",
        "BackendError",
        "DerivationError",
        "DocumentError",
        "ExpressionError",
        "FreebodyError",
        "InverseError",
        "LinearizationError",
        "ModelError",
        "MotionError",
        "MuscleError",
        "ProblemsError",
        "ProgramError",
        "SchedulerError",
        "SegmentError",
        "SimulationError",
    ),
    "files": ("FileError",),
    "algebra.terms": ("TooLargeError",),
    "simulation": ("LostMotionError",),
}
_PLACES = {
    name: room for table in (_HOMES, _ERRORS) for room, names in table.items() for name in names
}
_SHOWN = (*_ROOMS, *(name for names in _HOMES.values() for name in names), "FreebodyError")
__all__ = sorted(_SHOWN)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that the command line starts quickly."""
    if name in _ROOMS:
        return _import(f"freebody.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module 'freebody' has no attribute '{name}'")
    return getattr(_import(f"freebody.{_PLACES[name]}"), name)


def load_ipython_extension(shell: object) -> None:
    """Let cells of a notebook hold models and pages: ``%load_ext freebody``."""
    _import("freebody.notebook.magics").register(shell)


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]
