"""Sensitivities: against differences of whole simulations, closed forms and inverse dynamics."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.errors import ArgumentError, FreebodyError, LinearizationError, SimulationError
from freebody.motion import posture_reach

STEP = 1e-4
"""Of central differences, as a part of a parameter."""


def differences(one: freebody.Sensitivity, run: Callable[[str, float], Any]) -> np.ndarray:
    """Return central differences by each parameter, shape (times, outputs, parameters)."""
    columns = []
    for name in one["parameter"].to_numpy():
        value = float(one["parameter_value"].sel(parameter=name))
        step = STEP * (abs(value) or 1.0)
        columns.append((run(name, value + step) - run(name, value - step)) / (2 * step))
    return np.stack(columns, axis=-1)


def agree(one: freebody.Sensitivity, expected: np.ndarray) -> None:
    np.testing.assert_allclose(one["sensitivity"], expected, atol=1e-6 * np.abs(expected).max())


# ---------------------------------------------------------------------- along motions


def test_a_motion_changes_as_simulations_differ() -> None:
    to = ["height", "alpha2_dot"]  # lengths follow the height
    options = {"duration": 0.3, "inputs": {"T1": "-m2*alpha1_dot"}}
    one = freebody.sensitivity("two_link", "position.link2", to, **options)

    def run(name: str, value: float) -> np.ndarray:
        kind = "constants" if name in to[:1] else "initial"
        made = freebody.simulate("two_link", unchecked=True, **options, **{kind: {name: value}})
        return made["position"].sel(point="link2").to_numpy()

    agree(one, differences(one, run))
    assert list(one["output"].to_numpy()) == [f"position.link2.{axis}" for axis in "xyz"]


@pytest.mark.exhaustive
def test_what_rolls_and_has_speeds_of_its_own_changes_as_simulations_differ() -> None:
    one = freebody.sensitivity("rolling_disc", ["position.disc", "multipliers"], "r", duration=0.1)

    def run(name: str, value: float) -> np.ndarray:
        made = freebody.simulate("rolling_disc", 0.1, unchecked=True, constants={name: value})
        parts = (made["position"].sel(point="disc"), made["constraint_force"])
        return np.concatenate([part.to_numpy() for part in parts], axis=1)

    agree(one, differences(one, run))


# ---------------------------------------------------------------------- at rest, and along a motion


def test_an_equilibrium_changes_as_its_closed_form() -> None:
    one = freebody.sensitivity(
        "pendulum", ["theta", "T"], ["m", "T"], at="equilibrium", inputs={"T": 0.3}
    )
    k = freebody.compile("pendulum").constants  # sin θ = T/(m g d)
    sine = 0.3 / (k["m"] * k["g"] * k["d"])
    slope = 1 / np.sqrt(1 - sine**2)
    expected = [[-sine / k["m"] * slope, sine / 0.3 * slope], [0, 1]]
    np.testing.assert_allclose(one["sensitivity"], expected, rtol=1e-9, atol=1e-14)
    assert "time" not in one.data.dims


@pytest.mark.exhaustive
def test_torques_of_a_motion_change_as_inverse_dynamics_differ() -> None:
    reach = posture_reach({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0.0, "alpha2": 1.5}, 0.4)
    one = freebody.sensitivity("two_link", "inverse_dynamics", ["m2", "body_mass"], along=reach)

    def run(name: str, value: float) -> np.ndarray:
        made = freebody.inverse("two_link", reach, constants={name: value})
        return made["generalized"].to_numpy()

    agree(one, differences(one, run))
    assert list(one["output_unit"].to_numpy()) == ["N*m", "N*m"]


# ---------------------------------------------------------------------- sparse derivatives


def test_derivatives_have_a_pattern_and_their_entries_alone() -> None:
    slopes = freebody.compile("cart_double_pendulum")["rhs/q"]
    q, u = np.random.default_rng(0).normal(size=(2, 7, 3))
    whole, inputs = slopes(0.0, q, u, [1.0]), [1.0]
    assert slopes.pattern.shape == (6, 3)
    assert not slopes.pattern[:3].any()
    assert slopes.pattern[3:, 1:].all()
    np.testing.assert_array_equal(slopes.nonzeros(0.0, q, u, inputs), whole[:, slopes.pattern])
    assert (whole[:, ~slopes.pattern] == 0).all()


# ---------------------------------------------------------------------- the command and errors


def test_the_command_prints_writes_and_draws(tmp_path: Path) -> None:
    arguments = ["sensitivity", "pendulum", "--of", "theta", "--to", "d", "--duration", "0.1"]
    files = ["-o", str(tmp_path / "run.csv"), "--plot", str(tmp_path / "run.png")]
    run = CliRunner().invoke(main, [*arguments, *files])
    assert run.exit_code == 0, run.output
    assert "theta" in run.output
    assert "d = 0.29333" in run.output
    assert (tmp_path / "run.png").stat().st_size > 1000
    assert (tmp_path / "run.csv").read_text().startswith("time [s],sensitivity.theta.d,")
    run = CliRunner().invoke(main, [*arguments, "--at", "equilibrium", "--json"])
    assert json.loads(run.output)["effects"]["theta"]["d"] == pytest.approx(0)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"to": "dd"}, ArgumentError, "did you mean 'd'?"),
        ({"to": []}, ArgumentError, "expected names, each once"),
        ({"of": []}, ArgumentError, "expected the names of outputs"),
        ({"of": "positon.link"}, FreebodyError, "did you mean 'position.link'?"),
        ({"to": "theta", "at": "equilibrium"}, ArgumentError, "has no initial value of theta"),
        ({"inputs": {"T": ([0, 1], [0, 1])}}, SimulationError, "expected laws"),
        ({"along": "run.csv", "duration": 1.0}, ArgumentError, "has its own times"),
    ],
)
def test_what_cannot_be_differentiated_is_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message.replace("?", r"\?")):
        freebody.sensitivity("pendulum", **{"of": "theta", "to": "d", **options})


def test_among_equilibria_in_a_line_only_what_they_share_is_decided() -> None:
    at: dict[str, Any] = {"at": "equilibrium", "initial": {"theta": 3.0}}
    shared = freebody.sensitivity("cart_pendulum", "theta", "m_p", **at)
    assert float(shared["sensitivity"].squeeze()) == pytest.approx(0, abs=1e-12)
    with pytest.raises(LinearizationError, match=r"parameters do not decide x$"):
        freebody.sensitivity("cart_pendulum", ["theta", "x"], "m_p", **at)
    with pytest.raises(LinearizationError, match="there is no equilibrium next to this one"):
        freebody.sensitivity("cart_pendulum", "theta", "F", **at)
