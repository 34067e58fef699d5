"""Steady motions: found from a state nearby, linearized, and told apart from rest."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main

G = 9.81
STATES = {
    "disc straight": ("rolling_disc", {"lean": 0.05, "spin_dot": 8}),
    "disc in a circle": ("rolling_disc", {"lean": -0.4, "yaw_dot": 2, "spin_dot": 6}),
    "top": ("spinning_top", {}),
    "top, precessing": ("spinning_top", {"theta": 0.5, "phi_dot": 4, "psi_dot": 150}),
}


@pytest.mark.parametrize("name", STATES)
def test_a_steady_motion_is_one(name: str) -> None:
    model, initial = STATES[name]
    found = freebody.linearize(model, initial=initial)
    assert found.steady
    assert found.moving
    speeds = {key: value for key, value in found.state.items() if key not in {"x", "y"}}
    run = freebody.simulate(model, 1, initial=speeds | own(model, found.state), unchecked=True)
    for angle in {"lean", "theta"} & found.state.keys():
        kept = run.data["coordinates"].sel(coordinate=angle)
        np.testing.assert_allclose(kept, found.state[angle], atol=1e-6)


def own(model: str, state: dict[str, float]) -> dict[str, float]:
    return {key: state[key] for key in ("x", "y") if key in state}


@pytest.mark.parametrize("spin", [2.0, 6.0, 12.0])
def test_a_disc_that_rolls_straight_is_stable_from_a_speed_on(spin: float) -> None:
    """The square of its frequency is 12/5 of the spin's, less 4/5 g/r, as in textbooks."""
    found = freebody.linearize("rolling_disc", initial={"lean": 0, "spin_dot": spin})
    square = 12 / 5 * spin**2 - 4 / 5 * G / 0.3
    values = found.eigenvalues
    largest = values[np.abs(values).argmax()]
    assert (largest**2).real == pytest.approx(-square, rel=1e-6)
    assert found.kind == ("unstable" if square < 0 else "marginal")
    assert found.state["spin"] == 0
    assert found.rates["spin"] == pytest.approx(spin, rel=1e-9)


def test_speeds_that_are_not_kept_are_told() -> None:
    found = freebody.linearize("pendulum", initial={"theta_dot": 1})
    assert found.dropped == {"theta_dot": 1}
    told = CliRunner().invoke(main, ["linearize", "pendulum", "--initial", "theta_dot=1"])
    assert "It is at rest, and not with theta_dot = 1, as given" in told.output
    assert freebody.linearize("pendulum").dropped == {}


def test_a_steady_motion_is_told_as_such() -> None:
    told = CliRunner().invoke(main, ["linearize", "rolling_disc", "--initial", "lean=0"])
    assert "Steady motion: marginal" in told.output
    assert "All that changes are x, spin." in told.output


def test_a_state_that_is_not_steady_is_told() -> None:
    command = ["linearize", "rolling_disc", "--at", "state", "--initial", "lean=0.3"]
    assert "It is no equilibrium: " in CliRunner().invoke(main, command).output
