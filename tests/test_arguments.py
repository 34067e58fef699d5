"""Arguments of the wrong kind, for every parameter of every public function."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import freebody
from freebody import FreebodyError, Report, anthropometry, motion, muscles, reporting
from freebody.motion import Markers, Motion

HOSTILE: tuple[Any, ...] = (
    *(object(), None, True, 3, -1, 0, float("nan"), float("inf"), 10**400, 1j),
    *("", "nope", "\0", "x" * 5000, b"x", Path("/dev/null/nowhere/at/all"), lambda *_: None),
    *([], [1], ["x"], [None], [[1.0, 2.0], [3.0]], (1,), {3}, range(2)),
    *({}, {"nope": 1}, {"nope": "x"}, {"nope": None}, {1: 2}, {"theta": []}),
    *(np.array([1.0, np.nan]), np.array(["a"]), np.zeros((2, 2, 2)), np.float32(-0.5)),
)
REACH = motion.posture_reach({"theta": 0.0}, {"theta": 1.0}, 1.0, 50.0)
TIMES = REACH.times
PENDULUM = freebody.load("pendulum")
ARM = freebody.load("two_link_muscles")
ARM_REACH = motion.posture_reach(
    {"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0.0, "alpha2": 1.5}, 1.0, 50.0
)
TORQUES = freebody.inverse(ARM, ARM_REACH)
RUN = freebody.simulate(PENDULUM, 0.1, unchecked=True)
MARKERS = Markers.of([0.0, 1.0], {"wrist": [[0, 0, 0], [1, 0, 0]]})
PUSH = freebody.AppliedForce.of([0.0, 1.0], [[0, 1], [0, 2]])
GIVEN: Mapping[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "load": (freebody.load, {"path_or_name": "pendulum"}),
    "save": (freebody.save, {"model": PENDULUM, "path": Path("/dev/null/nowhere/model.toml")}),
    "mechanism": (freebody.mechanism, {"model": PENDULUM}),
    "derive": (freebody.derive, {"model": PENDULUM}),
    "explain": (freebody.explain, {"model": PENDULUM}),
    "compare": (freebody.compare, {"first": PENDULUM, "second": PENDULUM}),
    "exercise": (freebody.exercise, {"model": PENDULUM, "hide": ("M",)}),
    "explain_term": (freebody.explain_term, {"model": PENDULUM, "term": "theta_ddot"}),
    "compile": (freebody.compile, {"model": PENDULUM}),
    "check": (partial(freebody.check, "pendulum"), {}),
    "alone": (partial(freebody.alone, "/dev/null/nowhere/page.md"), {}),
    "simulate": (freebody.simulate, {"model": PENDULUM, "duration": 0.02, "unchecked": True}),
    "sweep": (freebody.sweep, {"model": PENDULUM, "over": {"m": [1]}, "duration": 0.1}),
    "LatinHypercube": (freebody.LatinHypercube, {"limits": {"m": (1, 2)}, "count": 2}),
    "Ensemble": (freebody.Ensemble, {"spread": {"m": (1, 2)}, "count": 2}),
    "Adaptive": (freebody.Adaptive, {"limits": {"m": (1, 2)}, "count": 2, "of": "theta"}),
    "pydy_system": (freebody.pydy_system, {"model": PENDULUM, "duration": 0.02}),
    "generate": (freebody.generate, {"model": PENDULUM}),
    "survey": (partial(freebody.survey, "/dev/null/nowhere"), {}),
    "adopt": (partial(freebody.adopt, "/dev/null/nowhere/page.md"), {"model": PENDULUM}),
    "reporting.save": (
        reporting.save,
        {"report": Report(()), "path": "/dev/null/nowhere/report.md"},
    ),
    "linearize": (freebody.linearize, {"model": PENDULUM}),
    "equilibria": (freebody.equilibria, {"model": PENDULUM}),
    "sensitivity": (
        freebody.sensitivity,
        {"model": PENDULUM, "of": "theta", "to": "m", "duration": 0.02},
    ),
    "identify": (
        freebody.identify,
        {"model": PENDULUM, "motion": REACH, "parameters": ["m"], "inputs": {"T": 0}},
    ),
    "fit_trajectory": (
        freebody.fit_trajectory,
        {"model": PENDULUM, "motion": REACH, "parameters": ["d"], "inputs": {"T": 0}},
    ),
    "optimal_motion": (
        freebody.optimal_motion,
        {"model": PENDULUM, "duration": 0.5, "minimize": "T**2", "nodes": 3, "iterations": 5},
    ),
    "regressor": (freebody.regressor, {"model": PENDULUM}),
    "inverse": (freebody.inverse, {"model": PENDULUM, "motion": REACH}),
    "excite": (freebody.excite, {"model": ARM, "excitations": {}, "duration": 0.02}),
    "static_optimisation": (freebody.static_optimisation, {"model": ARM, "motion": TORQUES}),
    "opty_motion": (
        freebody.opty_motion,
        {
            "model": PENDULUM,
            "problem": SimpleNamespace(collocator=SimpleNamespace(state_symbols=())),
            "solution": [0.0],
        },
    ),
    "opty_problem": (
        freebody.opty_problem,
        {"model": PENDULUM, "objective": len, "gradient": len, "nodes": 3, "interval": 0.1},
    ),
    "import_model": (freebody.import_model, {"path": "/dev/null/nowhere/arm.urdf"}),
    "read_motion": (freebody.read_motion, {"path": "/dev/null/nowhere/reach.csv"}),
    "read_markers": (freebody.read_markers, {"path": "/dev/null/nowhere/reach.trc"}),
    "Event": (freebody.Event, {"when": "theta > 1"}),
    "AppliedForce.of": (freebody.AppliedForce.of, {"times": [0, 1], "force": [[0, 1], [0, 2]]}),
    "AppliedForce.wrench": (PUSH.wrench, {"times": [0.5]}),
    "Functions": (freebody.Functions, {"model": PENDULUM, "backend": "numpy"}),
    "Functions.bind": (freebody.compile(PENDULUM).bind, {}),
    "Functions.compile": (freebody.compile(PENDULUM).compile, {"outputs": ["rhs"]}),
    "Functions.accelerations": (
        freebody.compile(PENDULUM).accelerations,
        {"t": 0.0, "q": [0.0], "u": [0.0], "inputs": [0.0]},
    ),
    "Equations.jacobian": (freebody.derive(PENDULUM).jacobian, {"place": "link"}),
    "Mechanism.position": (freebody.mechanism(PENDULUM).position, {"place": "link"}),
    "Mechanism.angular_velocity": (
        freebody.mechanism(PENDULUM).angular_velocity,
        {"body": "link"},
    ),
    "Simulation.save": (RUN.save, {"path": "/dev/null/nowhere/run.csv"}),
    "Simulation.plot": (RUN.plot, {"path": "/dev/null/nowhere/run.png"}),
    "Simulation.animate": (RUN.animate, {"path": "/dev/null/nowhere/run.gif"}),
    "Simulation.figure": (RUN.figure, {"panels": ["energy"]}),
    "Simulation.view": (RUN.view, {"path": "/dev/null/nowhere/run.html"}),
    "InverseDynamics.save": (TORQUES.save, {"path": "/dev/null/nowhere/torques.csv"}),
    "InverseDynamics.plot": (TORQUES.plot, {"path": "/dev/null/nowhere/torques.png"}),
    "Motion.of": (Motion.of, {"times": TIMES, "coordinates": {"theta": TIMES}}),
    "Motion.select": (REACH.select, {"names": ["theta"]}),
    "Motion.renamed": (REACH.renamed, {"names": {"theta": "phi"}}),
    "Motion.resampled": (REACH.resampled, {"rate": 20.0}),
    "Motion.filtered": (REACH.filtered, {"cutoff": 5.0}),
    "Motion.differentiated": (REACH.differentiated, {}),
    "Motion.for_model": (REACH.for_model, {"model": PENDULUM}),
    "Motion.save": (REACH.save, {"path": "/dev/null/nowhere/reach.csv"}),
    "Motion.plot": (REACH.plot, {"path": "/dev/null/nowhere/reach.png"}),
    "Markers.of": (Markers.of, {"times": [0, 1], "positions": {"wrist": np.zeros((2, 3))}}),
    "Markers.turned": (MARKERS.turned, {"x": "x", "y": "y", "z": "z"}),
    "Markers.select": (MARKERS.select, {"names": ["wrist"]}),
    "Markers.filtered": (MARKERS.filtered, {"cutoff": 0.2}),
    "minimum_jerk": (motion.minimum_jerk, {"start": 0.0, "end": 1.0, "duration": 1.0}),
    "posture_reach": (
        motion.posture_reach,
        {"start": {"theta": 0}, "end": {"theta": 1}, "duration": 1},
    ),
    "residual_analysis": (motion.residual_analysis, {"signal": np.sin(TIMES), "rate": 50.0}),
    "two_link": (motion.two_link, {"points": [[0.3, 0.4]], "lengths": (0.3, 0.4)}),
    "TwoLink.motion": (
        motion.two_link([[0.3, 0.4], [0.3, 0.3]], (0.3, 0.4)).motion,
        {"times": [0, 1], "names": ("a", "b")},
    ),
    "inverse_kinematics": (
        motion.inverse_kinematics,
        {"model": PENDULUM, "markers": MARKERS, "tolerance": 0.1},
    ),
    "muscles.curve": (muscles.curve, {"name": "passive"}),
    "muscles.ranges_of": (muscles.ranges_of, {"model": ARM, "given": {"alpha1": (0, 1)}}),
    "muscles.share": (muscles.share, {"arms": np.ones((1, 1, 1)), "needed": np.ones((1, 1))}),
    "anthropometry.table": (anthropometry.table, {"name": "winter"}),
    "Table.sex": (anthropometry.table(anthropometry.tables()[0]).sex, {"said": "male"}),
    "Table.row": (anthropometry.table(anthropometry.tables()[0]).row, {"segment": "hand"}),
}


def _parameters() -> list[tuple[str, str]]:
    return [
        (name, one.name)
        for name, (function, _) in GIVEN.items()
        for one in inspect.signature(function).parameters.values()
        if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    ]


def test_every_public_function_is_among_them() -> None:
    for room in (freebody, motion, muscles, anthropometry):
        public = [getattr(room, name) for name in room.__all__]
        functions = {one.__name__ for one in public if inspect.isroutine(one)} - {"tables"}
        assert functions <= {name.rpartition(".")[2] for name in GIVEN}


@pytest.mark.exhaustive("sweep-scheduler", "exercise-misprints", "exercise-seed")
@pytest.mark.each_once("name", "parameter")
@pytest.mark.parametrize(("name", "parameter"), _parameters())
def test_only_errors_of_its_own_come_of_wrong_arguments(
    name: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function, given = GIVEN[name]
    for value in HOSTILE[len(name + parameter) % 3 :: 3]:
        with contextlib.suppress(FreebodyError):
            function(**{**given, parameter: value})


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            lambda: freebody.simulate("pendulum", duration="5"),
            "simulate: duration: expected a number or None, found the text '5'; did you mean 5?",
        ),
        (
            lambda: freebody.simulate("pendulum", initial=[1, 2]),
            (
                "simulate: initial: expected a Motion, a Result, a mapping of names to texts or "
                "numbers, text, a Path or None, "
                "found [1, 2] (list)"
            ),
        ),
        (
            lambda: freebody.simulate("pendulum", events=["theta > 1"]),
            "simulate: events: [0]: expected an Event, found the text 'theta > 1'",
        ),
        (
            lambda: freebody.simulate("pendulum", constants={"m": "2"}),
            "simulate: constants: ['m']: expected a number, found the text '2'; did you mean 2?",
        ),
        (
            lambda: freebody.linearize("pendulum", outputs="theta"),
            (
                "linearize: outputs: expected a list of names or None, found the text 'theta'; "
                "did you mean ['theta']?"
            ),
        ),
        (
            lambda: freebody.linearize("pendulum", at="equilibrum"),
            (
                "linearize: at: expected 'equilibrium' or 'state', found the text 'equilibrum'; "
                "did you mean 'equilibrium'?"
            ),
        ),
        (lambda: freebody.load(3), "load: path_or_name: expected text or a Path, found 3 (int)"),
        (
            lambda: freebody.Event("theta", direction=5),
            "Event: direction: expected -1, 0 or 1, found 5 (int)",
        ),
        (
            lambda: freebody.compile("pendulum").bind({"mm": 2}),
            "there is no constant 'mm'; did you mean 'm'?",
        ),
        (
            lambda: freebody.derive("pendulum").reactions["jont"],
            "there is no joint 'jont'; did you mean 'joint'?",
        ),
        (
            lambda: freebody.derive("pendulum").reactions[3],
            "there is no joint 3; expected one of joint",
        ),
        (
            lambda: Motion.of([0, 1, 2], {"a": [0, 1]}),
            "motion: a: expected 3 samples, one for each time, found 2",
        ),
        (
            lambda: Motion.of([[0, 1]], {"a": [0, 1]}),
            (
                "of: times: expected an array of numbers of shape (time), found [[0, 1]] (list) of "
                "shape (1, 2)"
            ),
        ),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_expected(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(FreebodyError, match=rf"^{re.escape(told)}$"):
        call()


def test_missing_and_unknown_arguments_are_told_as_python_does() -> None:
    with pytest.raises(TypeError, match="missing a required argument: 'model'"):
        freebody.simulate()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'durration'"):
        freebody.simulate("pendulum", durration=1)  # type: ignore[call-arg]


def test_numbers_of_numpy_are_numbers() -> None:
    run = freebody.simulate(
        PENDULUM,
        np.float32(0.5),  # type: ignore[arg-type]
        step=np.array(0.25),  # type: ignore[arg-type]
        constants={"m": np.int64(2)},
        unchecked=np.bool_(True),  # type: ignore[arg-type]
    )
    assert run.data.sizes["time"] == 3
