"""Coordinates from points: the two-link arm in closed form, any model by least squares."""

from __future__ import annotations

import numpy as np
import pytest

from freebody import load, mechanism
from freebody.errors import MotionError
from freebody.motion import Markers, inverse_kinematics, minimum_jerk, two_link
from freebody.motion.inverse_kinematics import PointPositions

L1, L2 = 0.188 * 1.70, 0.253 * 1.70
"""The arm of Duarte's notes."""


def _end(angles: np.ndarray) -> np.ndarray:
    first, second = angles.T
    x = L1 * np.cos(first) + L2 * np.cos(first + second)
    y = L1 * np.sin(first) + L2 * np.sin(first + second)
    return np.column_stack([x, y])


# ---------------------------------------------------------------------- two links


def test_both_elbows_reach_the_point() -> None:
    random = np.random.default_rng(0)
    angles = np.column_stack([random.uniform(-3, 3, 200), random.uniform(-3.1, 3.1, 200)])
    arm = two_link(_end(angles), (L1, L2))
    for solution in (arm.positive, arm.negative):
        assert np.abs(_end(solution) - _end(angles)).max() < 1e-14
    assert (arm.positive[:, 1] >= 0).all()
    assert (arm.negative[:, 1] <= 0).all()
    assert not arm.notes


def test_a_point_out_of_reach_is_told_with_its_distance() -> None:
    with pytest.raises(MotionError) as raised:
        two_link([[0.1, 0.2], [L1 + L2 + 0.05, 0], [L2 - L1 - 0.01, 0]], (L1, L2))
    far, near = map(str, raised.value.problems)
    assert far.startswith("sample 2: the point is 0.7997 m from the first joint, 0.05 m out of")
    assert "expected 0.1105 to 0.7497 m" in far
    assert near.startswith("sample 3: the point is 0.1005 m from the first joint, 0.01 m out of")


def test_a_missing_point_is_no_solution() -> None:
    with pytest.raises(MotionError, match="sample 1"):
        two_link([[np.nan, 0]], (L1, L2))


def test_a_boundary_touched_within_rounding_is_accepted_and_told() -> None:
    # the reach of Duarte's notes, which says of it "outside working area, will be coerced"
    reach = minimum_jerk([0, -L1 - L2], [L1, L2], duration=4, rate=1000)
    arm = two_link(reach.position, (L1, L2))
    assert arm.positive[0] == pytest.approx([-np.pi / 2, 0], abs=1e-7)
    assert arm.positive[-1] == pytest.approx([0, np.pi / 2])
    assert list(np.flatnonzero(arm.stretched)[:1]) == [0]
    assert arm.notes[0].startswith("sample 1")
    assert "fully stretched, a singularity" in arm.notes[0]
    motion = arm.motion(reach.times, ("alpha1", "alpha2"))
    assert motion.choices["notes"] == list(arm.notes)


def test_elbow_acceleration_of_that_reach_grows_without_bound() -> None:
    largest = []
    for rate in (100, 400, 1600):
        reach = minimum_jerk([0, -L1 - L2], [L1, L2], duration=0.5, rate=rate)
        motion = two_link(reach.position, (L1, L2)).motion(reach.times, ("a1", "a2"))
        found = motion.differentiated("difference").data["accelerations"]
        largest.append(float(np.abs(found.sel(speed="a2_dot"))[:3].max()))
    # the angle leaves zero as the power 3/2 of time
    assert np.divide(largest[1:], largest[:-1]) == pytest.approx([2, 2], rel=0.05)


def test_angles_are_continuous_in_time() -> None:
    turns = np.linspace(0, 6 * np.pi, 400)
    circle = 0.5 * np.column_stack([np.cos(turns), np.sin(turns)])
    arm = two_link(circle, (L1, L2))
    assert np.abs(np.diff(arm.positive, axis=0)).max() < 0.1
    assert arm.positive[-1, 0] - arm.positive[0, 0] == pytest.approx(6 * np.pi)


def test_digits_are_kept_near_the_boundary() -> None:
    angle = 1e-6
    arm = two_link(_end(np.array([[0.3, angle]])), (L1, L2))
    assert arm.positive[0, 1] == pytest.approx(angle, rel=1e-3)


# ---------------------------------------------------------------------- any model


def _seen(model: str, points: list[str], q: np.ndarray, t: np.ndarray) -> Markers:
    places = PointPositions(mechanism(load(model)), points)
    found = np.array([places.positions(time, row) for time, row in zip(t, q, strict=True)])
    return Markers.of(t, {name: found[:, n] for n, name in enumerate(points)})


@pytest.mark.parametrize(
    ("model", "points"),
    [
        ("three_link_arm", ["upper_arm", "forearm", "hand"]),
        ("arm_3d", ["upper_arm", "forearm", "hand"]),
        ("cart_pendulum", ["cart", "pole"]),
    ],
)
def test_a_motion_comes_back_from_its_points(model: str, points: list[str]) -> None:
    moving = mechanism(load(model))
    points = [point for point in points if point in moving.named] or moving.named[-3:]
    t = np.linspace(0, 1, 21)
    n = len(moving.coordinates)
    q = 0.3 + 0.4 * np.sin(np.outer(t, np.arange(1, n + 1)) + np.arange(n))
    markers = _seen(model, points, q, t)
    start = dict(zip(moving.model.coordinates, q[0] + 0.05, strict=True))
    found = inverse_kinematics(moving, markers, tolerance=1e-6, start=start)
    assert found.residuals.max() < 1e-9
    if not found.singular.any():
        assert np.abs(found.motion.samples(moving.model).q - q).max() < 1e-7
    assert found.motion.units == {
        name: entry.unit for name, entry in moving.model.coordinates.items()
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize("model", ["three_link_arm", "arm_3d", "rolling_disc", "spinning_top"])
def test_the_jacobian_is_the_derivative_of_the_positions(model: str) -> None:
    moving = mechanism(load(model))
    points = PointPositions(moving, moving.named[-2:])
    q = np.random.default_rng(1).uniform(0.2, 0.8, len(moving.coordinates))
    step = 1e-6
    measured = [
        (points.positions(0, q + step * one) - points.positions(0, q - step * one)) / (2 * step)
        for one in np.eye(len(q))
    ]
    assert np.allclose(points.jacobian(0, q), np.moveaxis(measured, 0, -1), atol=1e-8)


def test_a_target_out_of_reach_is_told_with_its_distance() -> None:
    moving = mechanism(load("two_link"))
    markers = Markers.of([0, 1], {"tip": [[0.2, -0.3, 0], [L1 + L2 + 0.1, 0, 0]]})
    with pytest.raises(MotionError) as raised:
        inverse_kinematics(moving, markers, tolerance=1e-6)
    (problem,) = raised.value.problems
    assert problem.where == "sample 2, tip"
    assert "the nearest that was found is 0.1 m off" in problem.message


def test_limits_choose_the_elbow_and_are_told() -> None:
    moving = mechanism(load("two_link"))
    times = np.linspace(0, 1, 11)
    end = np.column_stack([np.linspace(0.3, 0.4, 11), np.full(11, -0.3), np.zeros(11)])
    markers = Markers.of(times, {"tip": end})
    exact = two_link(end[:, :2], (L1, L2))
    for limits, elbow in (((0, 3), exact.positive), ((-3, 0), exact.negative)):
        found = inverse_kinematics(
            moving, markers, tolerance=1e-6, limits={"alpha2": limits}, start={"alpha2": 0.5}
        )
        assert np.abs(found.motion.samples(moving.model).q - elbow).max() < 1e-6
        assert not found.at_limit.any()
    held = inverse_kinematics(moving, markers, tolerance=1, limits={"alpha2": (0, 0.3)})
    assert held.at_limit[:, 1].all()
    assert "sample 1 to 11: 'alpha2' is at its limit" in held.notes


def test_a_stretched_arm_is_solved_and_its_singularity_told() -> None:
    moving = mechanism(load("two_link"))
    tip = [[L1 + L2, 0, 0], [0.9 * (L1 + L2), 0, 0]]
    found = inverse_kinematics(
        moving, Markers.of([0, 1], {"tip": tip}), tolerance=1e-6, start={"alpha1": 0, "alpha2": 0}
    )
    assert list(found.singular) == [True, False]
    assert found.notes[0].startswith("sample 1: a singularity")
    assert found.residuals.max() < 1e-6


def test_a_marker_that_is_not_seen_is_left_out() -> None:
    t = np.linspace(0, 1, 5)
    q = np.column_stack([0.2 + t, 0.5 + t / 2, 0.1 + t])
    markers = _seen("three_link_arm", ["upper_arm", "forearm", "hand"], q, t)
    markers.data["position"][2, 0] = np.nan
    moving = mechanism(load("three_link_arm"))
    start = dict(zip(moving.model.coordinates, q[0], strict=True))
    found = inverse_kinematics(moving, markers, tolerance=1e-6, start=start)
    assert np.isnan(found.residuals[2, 0])
    assert np.nanmax(found.residuals) < 1e-9
    assert "sample 3: 'upper_arm' was not seen, and is left out" in found.notes


def test_mistakes_are_told() -> None:
    moving = mechanism(load("two_link"))
    markers = Markers.of([0, 1], {"tipp": [[0, 0, 0]] * 2})
    with pytest.raises(MotionError, match="did you mean 'tip'"):
        inverse_kinematics(moving, markers, tolerance=1)
    markers = markers.select({"tipp": "tip"})
    with pytest.raises(MotionError, match=r"limits\.alpha3: is no coordinate"):
        inverse_kinematics(moving, markers, tolerance=1, limits={"alpha3": (0, 1)})
    with pytest.raises(MotionError, match=r"limits\.alpha2: expected 2 to be below 1"):
        inverse_kinematics(moving, markers, tolerance=1, limits={"alpha2": (2, 1)})
    for tolerance in (-1, np.nan):
        with pytest.raises(MotionError, match="tolerance: expected a positive distance in m"):
            inverse_kinematics(moving, markers, tolerance=tolerance)
    with pytest.raises(MotionError, match=r"points: expected points with two .* \(2, 3\)"):
        two_link([[0, 0, 0]] * 2, (L1, L2))
    with pytest.raises(MotionError, match="expected a model without constraints"):
        inverse_kinematics(mechanism(load("four_bar")), markers, tolerance=1)
