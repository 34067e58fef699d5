"""Taylor series held against the equations that they solve."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
import pytest

import freebody
from freebody.errors import SimulationError
from freebody.simulation.dynamics import nearby_discontinuities
from freebody.simulation.engines.defect import relative_defect
from freebody.simulation.setup import prepare

TOLERANCE = 1e-12


def growth(order: int, starts: Any) -> Any:
    """Return the series of ẏ = y, shape (steps, 1, order + 1)."""
    return np.array([[[y / factorial(power) for power in range(order + 1)]] for y in starts])


def test_steps_are_off_by_the_terms_that_are_left_out() -> None:
    order, begun, steps = 8, np.zeros(4), np.array([0.01, 0.1, 0.5, 2.0])
    found = relative_defect(growth(order, [1, 1, 1, 1]), begun, steps, lambda _, y: y, TOLERANCE)
    there = 0.95 * steps
    expected = steps * there**order / factorial(order) / np.maximum(1, np.exp(there)) / TOLERANCE
    np.testing.assert_allclose(found[1:], expected[1:], rtol=0.01)
    assert found[0] < 1


def test_a_step_whose_last_terms_vanish_by_chance_is_off() -> None:
    series = growth(12, [1.0])
    series[:, :, 9:] = 0
    assert relative_defect(series, np.zeros(1), np.ones(1), lambda _, y: y, TOLERANCE)[0] > 1e3


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_finite_is_off(wrong: float) -> None:
    series = growth(8, [1.0, 1.0])
    series[1, 0, 3] = wrong
    found = relative_defect(series, np.zeros(2), np.full(2, 1e-3), lambda _, y: y, TOLERANCE)
    assert found[0] < 1
    assert found[1] == np.inf


@pytest.mark.parametrize("tolerance", [1e-6, 1e-12, 1e-16])
def test_many_steps_at_once_are_those_that_are_looked_at_one_by_one(tolerance: float) -> None:
    options = {"engine": "heyoka", "tolerance": tolerance, "initial": {"theta": "pi/2"}}
    at_once, one_by_one = (
        freebody.simulate("pendulum", 4, unchecked=True, events=events, **options)
        for events in ([], [freebody.Event("theta > 100", "record")])
    )
    found = [run.data["coordinates"].to_numpy() for run in (at_once, one_by_one)]
    np.testing.assert_allclose(*found, atol=max(100 * tolerance, 1e-12))
    np.testing.assert_array_equal(at_once.data["time"], one_by_one.data["time"])


@pytest.mark.parametrize(
    ("law", "theta", "told"),
    [
        ("sqrt(1 - theta)", 0.9999, "sqrt(1 - theta) ends, of 0.0001"),
        ("asin(2*theta)", 0.6, "asin(2*theta) ends, of 1.2"),
        ("acos(theta)", -1.0, "acos(theta) ends, of -1"),
        ("log(theta)", 1e-5, "log(theta) ends, of 1e-05"),
        ("atan2(theta, theta - 1)", 1e-6, "atan2(theta, theta - 1) jumps, of 1e-06, -1"),
        ("theta**(1/3)", 0.0, "theta**(1/3) ends, of 0"),
        ("1/theta", 1e-9, "1/theta is infinite, of 1e-09"),
        ("tan(theta)", np.pi / 2, "tan(theta) is infinite, of 1.57"),
        ("sin(theta) + theta**3", 0.0, ""),
    ],
)
def test_a_function_that_ends_close_to_a_state_is_named(law: str, theta: float, told: str) -> None:
    moving = freebody.mechanism("pendulum")
    (name,) = moving.model.inputs
    setup = prepare(moving, {}, {}, {name: law})
    found = nearby_discontinuities(moving, setup, 0.0, np.array([theta]), np.array([0.0]))
    assert found == (f"; close to where {told}" if told else "")


@pytest.mark.parametrize("engine", ["pydy", "heyoka"])
def test_a_motion_to_where_a_law_ends_is_told_with_it(engine: str) -> None:
    (name,) = freebody.load("pendulum").inputs
    laws = {name: "-0.1*sqrt(theta)"}
    with pytest.raises(SimulationError, match=r"close to where sqrt\(theta\) ends"):
        freebody.simulate(
            "pendulum", initial={"theta": 0.5}, inputs=laws, engine=engine, unchecked=True
        )
