"""Motions over a grid: those of single simulations, labelled, bounded, and never lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import freebody
from freebody.errors import FreebodyError
from freebody.simulation.conservation import LostMotionWarning
from freebody.sweeps import columns


@pytest.mark.exhaustive
def test_each_motion_is_that_of_a_simulation(monkeypatch: Any) -> None:
    monkeypatch.setattr(columns, "WIDTH", 5)
    over = {"height": [1.5, 1.9], "alpha2": [0.5, 1.0], "alpha1_dot": [0.0, 1.0, 2.0]}
    inputs = {"T1": "-0.5*alpha1_dot + sin(t)"}
    told: list[int] = []
    found = freebody.sweep(
        "two_link", over, 1, inputs=inputs, constants={"m2": 2.0}, progress=told.append
    )
    assert told == [3, 6, 9, 12]
    assert found.attrs["done"] == 12
    assert found["coordinates"].dims == (*over, "time", "coordinate")
    assert found["height"].attrs["units"] == "m"
    chosen = {"height": 1.9, "alpha2": 0.5, "alpha1_dot": 2.0}
    alone = freebody.simulate(
        "two_link",
        1,
        step=0.1,
        inputs=inputs,
        constants={"m2": 2.0, "height": 1.9},
        initial={"alpha2": 0.5, "alpha1_dot": 2.0},
    ).data
    for name in ("coordinates", "speeds"):
        np.testing.assert_allclose(found[name].sel(chosen), alone[name], rtol=0, atol=1e-6)
    apart = found["coordinates"].sel(chosen) - found["coordinates"].isel(height=0).sel(
        alpha2=0.5, alpha1_dot=2.0
    )
    assert np.abs(apart).max() > 1e-3


def test_what_becomes_of_a_motion_does_not_depend_on_the_others() -> None:
    both = freebody.sweep("double_pendulum", {"theta1": [0.1, 3.0]}, 2)["coordinates"]
    alone = freebody.sweep("double_pendulum", {"theta1": [0.1]}, 2)["coordinates"]
    np.testing.assert_allclose(both[0], alone[0], rtol=0, atol=1e-12)


def test_a_smaller_tolerance_is_a_smaller_error() -> None:
    coarse, fine, finest = (
        freebody.sweep("pendulum", {"theta": [0.5, 2.5]}, 5, step=5, tolerance=tolerance)
        for tolerance in (1e-5, 1e-8, 1e-12)
    )
    near, far = (
        float(np.abs(found.data - finest.data)["coordinates"].max()) for found in (fine, coarse)
    )
    assert near < 1e-6
    assert near < 0.05 * far


def test_what_is_done_is_given_back_when_interrupted(monkeypatch: Any) -> None:
    monkeypatch.setattr(columns, "WIDTH", 2)

    def interrupt(done: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    found = freebody.sweep("pendulum", {"g": np.linspace(1, 2, 7)}, 1, progress=interrupt)
    assert found.attrs["done"] == 4
    lost = np.isnan(found["coordinates"]).any(("time", "coordinate"))
    assert lost.to_numpy().tolist() == [False] * 4 + [True] * 3


@pytest.mark.exhaustive
def test_a_motion_that_cannot_go_on_leaves_the_others_alone() -> None:
    inputs = {"T": "30*theta_dot**2"}
    speeds = {"theta_dot": [-1.0, 0.1, 3.0]}
    whole = freebody.sweep("pendulum", speeds, 2, constants={"m": 1}, inputs=inputs)
    found, lost = whole["speeds"], np.isnan(whole["speeds"]).any(("time", "speed"))
    assert whole.attrs["stopped"] == lost.sum() > 0
    whole = np.isfinite(found).all(("time", "speed")).to_numpy()
    assert not whole[2]
    assert np.isfinite(found[2, 0]).all()
    assert whole[:2].any()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"over": {"thita": [1.0]}}, "speed 'thita'"),
        ({"over": {}}, "at least one name"),
        ({"over": {"g": []}}, "'g': expected a sequence of finite numbers"),
        ({"over": {"g": [1.0, np.nan]}}, "'g': expected a sequence of finite numbers"),
        ({"over": {"g": "many"}}, r"over: \['g'\]: expected a list of numbers"),
        ({"over": {"g": [1.0]}, "max_drift": 0}, "expected a positive bound of the drift"),
        ({"over": {"g": [1.0, 2.0]}, "memory": 100}, "the result would take"),
        ({"over": {"g": [1.0]}, "initial": {"theta": "g"}}, "depends on g, which the grid changes"),
        ({"over": {"g": [1.0]}, "inputs": {"T": "1/"}}, "input 'T'"),
        ({"over": {"g": [1.0]}, "duration": -1}, "expected a duration and a step"),
        ({"over": {"g": [1.0]}, "step": 0}, "expected a duration and a step"),
        ({"over": {"g": [1.0]}, "tolerance": 0}, "expected a tolerance"),
    ],
)
def test_what_is_wrong_is_told(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(FreebodyError, match=told):
        freebody.sweep("pendulum", **arguments)


def test_the_drift_is_that_of_a_simulation() -> None:
    over = {"theta1": [0.5, 2.5], "m1": [1.0, 2.0]}
    found = freebody.sweep("double_pendulum", over, 2, tolerance=1e-6)
    assert found["energy_drift"].dims == ("theta1", "m1")
    assert found.attrs["lost"] == 0
    assert 0 < float(found["energy_drift"].max()) < 1e-3


@pytest.mark.parametrize("at_rest", [0.0, 1e-7, 1e-4])
def test_what_hardly_moves_is_not_lost(at_rest: float) -> None:
    assert freebody.sweep("pendulum", {"theta": [at_rest]}, 5).attrs["lost"] == 0


def test_work_of_inputs_is_no_drift() -> None:
    inputs = {"T1": "-0.5*alpha1_dot + sin(t)", "T2": "t"}
    found = freebody.sweep("two_link", {"alpha2": [0.5, 1.0]}, 1, inputs=inputs)
    assert float(found["energy_drift"].max()) < 1e-6


def test_motions_that_lose_their_energy_are_told() -> None:
    with pytest.warns(LostMotionWarning, match="2 of 3 motions did not keep their energy to 1e-13"):
        found = freebody.sweep("pendulum", {"theta": [0.0, 1.0, 2.0]}, 5, max_drift=1e-13)
    assert found.attrs["lost"] == 2
    assert (found["energy_drift"] > 1e-13).to_numpy().tolist() == [False, True, True]
