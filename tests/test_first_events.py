"""Events at the very start of a motion, with every engine."""

from __future__ import annotations

import pytest

import freebody
from freebody.errors import SimulationError

ENGINES = ["pydy", "scipy", "heyoka"]


@pytest.mark.each_once
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("speed", "when", "happens"),
    [
        (-1, "theta < 1", True),
        (-1, "theta > 1", False),
        (-1, "theta = 1", False),
        (1, "theta > 1", True),
        (1, "theta < 1", False),
        (0, "theta < 1", True),
        (0, "theta > 1", False),
        (0, "theta = 1", False),
    ],
)
def test_a_motion_that_starts_on_an_event(
    engine: str, speed: float, when: str, happens: bool
) -> None:
    run = freebody.simulate(
        "pendulum",
        0.05,
        initial={"theta": 1, "theta_dot": speed},
        engine=engine,
        tolerance=1e-9,
        events=[freebody.Event(when, "record")],
        unchecked=True,
    )
    assert [one["time"] for one in run.events] == ([0.0] if happens else [])


@pytest.mark.parametrize("engine", ENGINES)
def test_speeds_are_set_at_the_very_start(engine: str) -> None:
    bounce = freebody.Event("theta > 1", {"theta_dot": "-theta_dot"})
    options = {"engine": engine, "tolerance": 1e-9, "unchecked": True}
    start = {"theta": 1, "theta_dot": 1}
    run = freebody.simulate("pendulum", 0.1, initial=start, events=[bounce], **options)
    assert run.data["coordinates"].to_numpy()[-1, 0] < 0.95
    rest = freebody.Event("theta < 1", {"theta_dot": 0})
    with pytest.raises(SimulationError, match="follows on itself"):
        freebody.simulate("pendulum", 0.1, initial={"theta": 1}, events=[rest], **options)
