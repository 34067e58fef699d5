"""Steady motions: found from a state nearby, linearized, and told apart from rest."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main

if TYPE_CHECKING:
    from freebody.mechanics import Mechanism

G = 9.81
STATES = {
    "disc straight": ("rolling_disc", {"lean": 0.05, "spin_dot": 8}),
    "disc in a circle": ("rolling_disc", {"lean": -0.4, "yaw_dot": 2, "spin_dot": 6}),
    "top": ("spinning_top", {}),
    "top, precessing": ("spinning_top", {"theta": 0.5, "phi_dot": 4, "psi_dot": 150}),
}


@pytest.mark.one_in(3)
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


def conjugate(value: complex) -> tuple[complex, complex]:
    return value, value.conjugate()


BICYCLE = "bicycle"
PUBLISHED = {
    0: [-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393],
    5: [-14.07838969279822, -0.32286642900409, *conjugate(-0.77534188219585 + 4.46486771378823j)],
}
"""Eigenvalues of the benchmark bicycle at speeds in m/s: castering, capsize and weave."""


@cache
def bicycle() -> Mechanism:
    return freebody.mechanism(freebody.load(BICYCLE))


@pytest.mark.few(5)
@pytest.mark.parametrize("speed", PUBLISHED)
def test_a_bicycle_has_the_eigenvalues_that_are_published(speed: float) -> None:
    found = freebody.linearize(bicycle(), initial={"rear_dot": f"-{speed}/rR"})
    assert found.state["x_dot"] == pytest.approx(speed, abs=1e-12)
    assert found.state["front_dot"] == pytest.approx(-speed / 0.35, abs=1e-12)
    assert found.moving == (("x", "rear", "front") if speed else ())
    assert found.dropped == {}
    own = np.sort_complex([value for value in found.eigenvalues if abs(value) > 1e-3])
    np.testing.assert_allclose(own, np.sort_complex(PUBLISHED[speed]), rtol=1e-12)


@pytest.mark.exhaustive
def test_a_bicycle_rides_in_a_circle() -> None:
    """It leans as far as the moment of the forces about the line of contacts wants, nearly."""
    found = freebody.linearize(bicycle(), initial={"rear_dot": -20, "steer": 0.1, "lean": 0.2})
    assert found.steady
    turning, speed = found.state["yaw_dot"], found.state["x_dot"]
    assert turning > 0.1
    assert found.state["rear_dot"] == pytest.approx(-20)
    assert np.tan(found.state["lean"]) == pytest.approx(turning * speed / G, rel=0.1)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--initial", "spin_dot=0", "--initial", "x_dot=3"],
            "It is at rest, and not with u4 = 3, as given; the ",
        ),
        (["--at", "state", "--initial", "x_dot=3"], "The constraints do not allow u4 = 3, as"),
        (["--search", "1", "--initial", "spin_dot=9"], "u2 = 9, as given: a search is for rest"),
    ],
)
def test_what_is_not_as_given_is_told(options: list[str], told: str) -> None:
    command = ["linearize", "rolling_disc", *options]
    found = CliRunner().invoke(main, command)
    assert told in found.output
    instead = "the constraints decide u4: expected values of u1, u2, u3."
    assert (instead in found.output) == ("x_dot=3" in options)


def test_a_coordinate_that_the_constraints_decide_otherwise_is_told() -> None:
    found = freebody.linearize("four_bar", at="state", initial={"theta4": 0.1})
    assert found.dropped == {"theta4": 0.1}
    assert freebody.linearize("four_bar", at="state").dropped == {}


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
