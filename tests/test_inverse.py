"""Inverse dynamics: against Pinocchio, back and forth, and what it tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner, Result

import freebody
from engines import Motion as Moved
from engines import Pinocchio, Tree, motion, pin, variables
from freebody import AppliedForce, InverseDynamics, load
from freebody.backends.compile import Functions
from freebody.cli import main
from freebody.errors import DerivationError, FreebodyError, InverseError, MotionError
from freebody.files import FileError
from freebody.inverse_dynamics import read_force
from freebody.inverse_dynamics.figures import panels
from freebody.model import Model, loads, shipped
from freebody.motion import Motion, posture_reach
from freebody.motion.motion import motion_dataset
from freebody.simulation.inputs import read_inputs

EDGE = 30
"""How many samples from each end are left out where 1e-6 is asked for."""


def waves(model: Model, times: np.ndarray, seed: int = 1) -> Motion:
    """Return a smooth random motion with exact derivatives."""
    random = np.random.default_rng(seed)
    moving = np.zeros((3, len(times), len(model.coordinates)))
    for n in range(len(model.coordinates)):
        for omega, phase, size in zip(*random.uniform(0.3, 2.5, (3, 3)), strict=True):
            angle = omega * times + phase
            moving[0, :, n] += 0.2 * size * np.sin(angle)
            moving[1, :, n] += 0.2 * size * omega * np.cos(angle)
            moving[2, :, n] -= 0.2 * size * omega**2 * np.sin(angle)
    moving[0] += 0.4
    units = [entry.unit for entry in model.coordinates.values()]
    names = ("coordinates", "speeds", "accelerations")
    data = motion_dataset(
        times, list(model.coordinates), units, **dict(zip(names, moving, strict=True))
    )
    return Motion(data, "waves", {"derivatives": "exact"})


def positions(run: Any, model: Model) -> Motion:
    """Return nothing but times and coordinates of a simulation."""
    found = run.data["coordinates"]
    columns = {name: found.sel(coordinate=name).to_numpy() for name in model.coordinates}
    units = {name: entry.unit for name, entry in model.coordinates.items()}
    return Motion.of(run.data["time"].to_numpy(), columns, unit=units)


def summed(found: InverseDynamics) -> np.ndarray:
    return found.data["generalized"].to_numpy()


# ---------------------------------------------------------------------- against Pinocchio

CHAINS = (
    *("one_link", "two_link", "two_link_segment", "three_link_arm", "double_pendulum"),
    *("arm_3d", "spinning_top", "gimbal_rotor", "cart_double_pendulum", "acrobot"),
)


@pytest.mark.one_in(3)
@pytest.mark.few("one_link", "three_link_arm", "spinning_top", "cart_double_pendulum")
@pytest.mark.parametrize("name", CHAINS)
def test_torques_are_those_of_rnea(name: str) -> None:
    model = load(name)
    times = np.linspace(0, 3, 40)
    found = freebody.inverse(model, waves(model, times))
    moving = freebody.mechanism(model)
    tree = Tree(moving, moving.names.values())
    engine = Pinocchio(tree)
    u, a = (found.data[part].to_numpy() for part in ("speeds", "accelerations"))
    q = found.data["coordinates"].to_numpy()
    expected = np.empty_like(u)
    for n, t in enumerate(times):
        w, rates, W, b = variables(motion(tree, t, q[n], u[n]))
        expected[n] = W.T @ pin.rnea(engine.model, engine.data, w, rates, W @ a[n] + b)
    np.testing.assert_allclose(summed(found), expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["rolling_disc", "chaplygin_sleigh"])
def test_speeds_of_ones_own_are_exact(name: str) -> None:
    model = load(name)
    times = np.linspace(0, 2, 9)
    moved = waves(model, times, seed=3)
    found = freebody.inverse(model, moved)
    moving = freebody.mechanism(model)
    tree = Tree(moving, moving.names.values())
    q, v, a = moved.samples(model)[1:]
    for n, t in enumerate(times):
        speeds = Moved(tree, t, q[n], v[n][:, None], a[n][:, None]).speeds
        for k, speed in enumerate(speeds):
            assert found.data["speeds"][n, k] == pytest.approx(speed.c[0, 0], abs=1e-12)
            assert found.data["accelerations"][n, k] == pytest.approx(speed.c[1, 0], abs=1e-12)


# ---------------------------------------------------------------------- terms


def test_the_terms_of_a_pendulum_are_those_by_hand() -> None:
    model = load("pendulum")
    found = freebody.inverse(model, waves(model, np.linspace(0, 1, 20)), constants={"m": 2.0})
    k = {**freebody.compile(model).constants, "m": 2.0}
    theta = found.data["coordinates"].to_numpy()[:, 0]
    a = found.data["accelerations"].to_numpy()[:, 0]
    one = found.data["terms"].sel(speed="theta_dot")
    inertia = freebody.compile(model).mass_matrix([0.0], {"m": 2.0})[0, 0]
    np.testing.assert_allclose(one.sel(term="inertia"), inertia * a, atol=1e-14)
    by_gravity = k["m"] * k["g"] * k["d"] * np.sin(theta)
    np.testing.assert_allclose(np.abs(one.sel(term="G")), np.abs(by_gravity), atol=1e-12)
    assert found.provenance["constants"]["m"] == 2.0


@pytest.mark.exhaustive
def test_own_inertia_and_coupling_are_the_rows_of_the_mass_matrix() -> None:
    model = load("three_link_arm")
    found = freebody.inverse(model, waves(model, np.linspace(0, 2, 30)))
    data = found.data
    M = freebody.compile(model).mass_matrix(data["coordinates"].to_numpy())
    a = data["accelerations"].to_numpy()
    own = np.einsum("tii,ti->ti", M, a)
    np.testing.assert_allclose(
        data["terms"].sel(term="inertia") - data["coupling"], own, atol=1e-13
    )
    whole = data["terms"].sel(term="inertia")
    np.testing.assert_allclose(whole, np.einsum("tij,tj->ti", M, a), atol=1e-13)
    np.testing.assert_allclose(
        data["terms"].sel(term=["inertia", "C", "G", "E"]).sum("term"),
        data["generalized"],
        atol=1e-13,
    )


@pytest.mark.few("numpy", "heyoka")
@pytest.mark.parametrize("backend", ["numpy", "c", "heyoka"])
def test_blocks_and_backends_change_nothing(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load("two_link")
    moved = waves(model, np.linspace(0, 2, 50))
    whole = freebody.inverse(model, moved, backend="numpy")
    monkeypatch.setattr("freebody.inverse_dynamics.terms.BLOCK", 7)
    told: list[float] = []
    found = freebody.inverse(model, moved, backend=backend, progress=told.append)
    xr.testing.assert_allclose(found.data, whole.data, rtol=1e-12, atol=1e-12)
    assert len(told) == 8
    assert told[-1] == 2


# ---------------------------------------------------------------------- there and back

GIVEN = {"slider_crank": ("P",), "two_link_muscles": ("F1ext", "F2ext")}
"""Inputs that the motion does not decide beside the others."""
SOLVED = {"wheeled_pendulum": ("tau",)}
"""Inputs that act as torques between bodies rather than at a joint."""
SETTLED = {"walker": 60}
"""When feet have come to rest on the ground, in samples."""
CORNERS = {"runner_one_mass": 0.2}
"""Until when a motion is smooth, in s."""


def laws(model: Model, solved: tuple[str, ...] = ()) -> dict[str, str]:
    """Return inputs that hold a model up, more or less, or move what needs no holding."""
    moving = freebody.mechanism(model)
    start = {
        name: moving.names.number(entry.initial or 0, moving.names.values())
        for name, entry in model.coordinates.items()
    }
    units = {name: entry.unit for name, entry in model.coordinates.items()}
    still = {name: np.full(12, value) for name, value in start.items()}
    rest = Motion.of(np.linspace(0, 1, 12), still, unit=units)
    held = freebody.inverse(model, rest).data["inputs"].isel(time=0).fillna(0.0)
    f, q = freebody.compile(model), np.array(list(start.values()))
    found = {}
    acting = Functions(model, "numpy")["actuation"].code.needed("inputs")
    for n, name in enumerate([*acting, *solved]):
        if model.inputs[name].value in (None, 0):
            one = np.array([float(key == name) for key in model.inputs])
            column = f.forcing(0.0, q, 0 * q, one) - f.forcing(0.0, q, 0 * q, 0 * one)
            inertia = column @ f.mass_matrix(q) @ column / (column @ column) ** 2
            size = max(abs(float(held.sel(input=name))), 5 * inertia)
            found[name] = f"{size}*(1 + 0.3*sin({3 + n}*t + {n}))"
            rates = zip(column, f.speeds, strict=True)
            found[name] += "".join(f" - ({20 * inertia * c})*{u}" for c, u in rates if c)
    return found


@pytest.mark.exhaustive("four_bar")
@pytest.mark.few("four_bar", "pendulum")
@pytest.mark.parametrize("name", list(shipped()))
def test_inputs_come_back_from_positions(name: str) -> None:
    model = load(name)
    solved = SOLVED.get(name, ())
    given = laws(model, solved)
    still = {f"{name}_dot": 0 for name in model.coordinates}
    run = freebody.simulate(
        model,
        duration=CORNERS.get(name, 0.3),
        step=0.001,
        inputs=given,
        initial=still if given and not model.speeds else {},
        tolerance=1e-13,
        unchecked=True,
    )
    known = {key: given[key] for key in GIVEN.get(name, ())}
    found = freebody.inverse(model, positions(run, model), inputs=known, solve=solved)
    inner = slice(SETTLED.get(name, EDGE), -EDGE)
    expected, inputs = run.data["inputs"][inner], found.data["inputs"][inner]
    for column in expected["input"].to_numpy():
        one = expected.sel(input=column).to_numpy()
        off = np.abs(inputs.sel(input=column).to_numpy() - one).max()
        assert off <= 1e-6 * np.abs(one).max(), (column, off / np.abs(one).max())
    sizes = np.abs(found.data["terms"].to_numpy()[inner]).max()
    assert np.abs(found.data["residual"].to_numpy()[inner]).max() <= 1e-6 * sizes
    np.testing.assert_allclose(
        found.data["speeds"][inner], run.data["speeds"][inner], atol=1e-8 * (1 + sizes)
    )


def test_work_of_the_joints_is_the_change_of_energy() -> None:
    model = load("furuta_pendulum")
    given = {"tau1": "0.3*sin(9*t)", "tau2": 0.1}
    run = freebody.simulate(
        model, duration=0.4, step=0.001, inputs=given, engine="heyoka", unchecked=True
    )
    found = freebody.inverse(model, positions(run, model))
    energy = run.data["energy"].sel(kind="total").to_numpy()
    work = found.data["work"].sum("joint").to_numpy()
    np.testing.assert_allclose(work, energy - energy[0], atol=1e-6)
    assert np.ptp(energy) > 0.03


def test_power_is_torque_times_the_speed_of_the_joint() -> None:
    model = load("double_pendulum")
    data = freebody.inverse(model, waves(model, np.linspace(0, 2, 30))).data
    first, second = (data["speeds"].sel(speed=name) for name in ("theta1_dot", "theta2_dot"))
    M1, M12 = (data["inputs"].sel(input=name) for name in ("M1", "M12"))
    np.testing.assert_allclose(data["power"].sel(joint="shoulder"), M1 * first, atol=1e-10)
    elbow = M12 * (second - first)
    np.testing.assert_allclose(data["power"].sel(joint="elbow"), elbow, atol=1e-10)


@pytest.mark.exhaustive
def test_reactions_are_those_of_the_simulation() -> None:
    model = load("four_bar")
    run = freebody.simulate(model, duration=0.2, step=0.001, engine="heyoka", unchecked=True)
    found = freebody.inverse(model, positions(run, model)).data.isel(time=slice(EDGE, -EDGE))
    expected = run.data.isel(time=slice(EDGE, -EDGE))
    forces = found["reaction_force"].to_numpy()
    size = np.abs(forces).max()
    np.testing.assert_allclose(forces, expected["reaction_force"], atol=1e-6 * size)
    np.testing.assert_allclose(
        found["constraint_force"], expected["constraint_force"], atol=1e-6 * size
    )


# ---------------------------------------------------------------------- applied forces


def pushed(model: Model, moved: Motion) -> dict[str, np.ndarray]:
    """Return a force on the tip over time, and where the tip is."""
    t, q, *_ = moved.samples(model)
    force = np.column_stack([8 * np.sin(5 * t), 20 + 3 * t, 0 * t])
    return {"times": t, "force": force, "point": freebody.compile(model)["position.tip"](q)}


DECLARED = {"Fex": "8*sin(5*t)", "Fey": "20 + 3*t"}


@pytest.mark.exhaustive
def test_a_force_at_a_moving_point_is_that_declared_in_the_model() -> None:
    model = load("two_link")
    moved = waves(model, np.linspace(0, 1, 201))
    push = pushed(model, moved)
    expected = freebody.inverse(model, moved, inputs=DECLARED).data
    away = np.column_stack([0.3 * np.cos(push["times"]), push["times"], 0 * push["times"]])
    turned = -np.cross(away, push["force"])
    ways = {
        "at its point": AppliedForce.of(**push),
        "where it is named": AppliedForce.of(push["times"], push["force"]),
        "along its line": AppliedForce.of(
            **{**push, "point": push["point"] + push["times"][:, None] * push["force"]}
        ),
        "elsewhere with a moment": AppliedForce.of(
            **{**push, "point": push["point"] + away}, moment=turned
        ),
    }
    for way, force in ways.items():
        found = freebody.inverse(model, moved, {"tip": force}).data
        for name in ("generalized", "terms", "reaction_force", "reaction_moment", "power"):
            np.testing.assert_allclose(found[name], expected[name], atol=1e-10, err_msg=way)
    assert float(np.abs(expected["terms"].sel(term="E")).max()) > 1


@pytest.mark.exhaustive
def test_the_place_of_a_force_says_only_which_body() -> None:
    model = load("two_link")
    moved = waves(model, np.linspace(0, 1, 50))
    push = AppliedForce.of(**pushed(model, moved))
    tip, body = (summed(freebody.inverse(model, moved, {p: push})) for p in ("tip", "link2"))
    upper = summed(freebody.inverse(model, moved, {"link1": push}))
    np.testing.assert_allclose(tip, body, atol=1e-10)
    assert np.abs(upper - body).max() > 0.1


def test_a_force_is_resampled_to_the_motion() -> None:
    model = load("two_link")
    moved = waves(model, np.linspace(0.2, 0.8, 61))
    plate = np.linspace(0, 1, 1001)
    force = np.column_stack([8 * np.sin(5 * plate), 20 + 3 * plate])
    found = freebody.inverse(model, moved, {"tip": AppliedForce.of(plate, force)}).data
    expected = freebody.inverse(model, moved, inputs=DECLARED).data
    np.testing.assert_allclose(found["generalized"], expected["generalized"], atol=1e-9)


@pytest.mark.exhaustive
def test_forces_in_space_act_with_all_components() -> None:
    model = load("arm_3d")
    moved = waves(model, np.linspace(0, 1, 40))
    t, q, *_ = moved.samples(model)
    place, force = [0.1, -0.2, 0.3], np.array([3.0, -2.0, 5.0])
    push = AppliedForce.of(t, force, point=place, moment=[0.4, 0.5, 0.6])
    bare = freebody.inverse(model, moved).data["generalized"].to_numpy()
    found = freebody.inverse(model, moved, {"hand": push})
    at = freebody.compile(model, outputs=["position.hand", "jacobian.hand"])
    arm = np.array(place) - at["position.hand"](q)
    moment = np.cross(arm, force) + np.array([0.4, 0.5, 0.6])
    turning = _turning(model, moved)
    expected = bare - np.einsum("txn,x->tn", at["jacobian.hand"](q), force)
    expected -= np.einsum("tnx,tx->tn", turning, moment)
    np.testing.assert_allclose(summed(found), expected, atol=1e-10)


def _turning(model: Model, moved: Motion) -> np.ndarray:
    """Return the derivatives of the hand's angular velocity by each rate, shape (time, n, 3)."""
    moving = freebody.mechanism(model)
    tree = Tree(moving, moving.names.values())
    t, q, *_ = moved.samples(model)
    found, n = [], len(model.coordinates)
    for time, angles in zip(t, q, strict=True):
        at = Moved(tree, time, angles, np.eye(n), np.zeros((n, n)))
        found.append(at.angular_velocity(tree.frames["hand"]).c[0])
    return np.array(found)


def test_files_of_forces_carry_units_and_columns(tmp_path: Path) -> None:
    path = tmp_path / "plate.csv"
    path.write_text("time [ms],fx [N],fy [kN],px [mm],py,mz [N*mm],label\n0,1,2,30,4,500,7\n")
    with pytest.raises(MotionError, match="expected at least 2 samples"):
        read_force(path)
    rows = "0,1,2,30,4,500,7\n10,1,0,30,4,500,7\n"
    path.write_text("time [ms],fx [N],fy [kN],px [mm],py,mz [N*mm],label\n" + rows)
    found = read_force(path)
    assert found.times.tolist() == [0, 0.01]
    assert found.force.tolist() == [[1, 2000, 0], [1, 0, 0]]
    assert found.point is not None
    assert found.point[0].tolist() == pytest.approx([0.03, 4, 0])
    assert found.moment is not None
    assert found.moment[0].tolist() == pytest.approx([0, 0, 0.5])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("time,fx\n0,1\n1,2\n", "fy: there is no such column"),
        ("time,fx,fy,px\n0,1,1,1\n1,2,2,2\n", "py: there is no such column"),
        ("time,fx [lbf],fy\n0,1,1\n1,2,2\n", "fx: expected a unit (N, kN), found 'lbf'"),
        ("time,fx,fy\n0,1,1\n1,,2\n", "line 3, fx: is missing"),
        ("time,fx,fy,px,py\n0,1,1,,0\n1,0,0,,0\n", "line 2, px: is missing"),
        ("time,fx,fy\n0,1,1\n0,2,2\n", "line 3, time: 0 s stands there twice"),
    ],
)
def test_what_is_wrong_with_a_force_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "plate.csv"
    path.write_text(text)
    with pytest.raises(MotionError) as raised:
        read_force(path)
    assert told in str(raised.value)


def test_gaps_and_columns_of_a_force_that_are_left_are_told(tmp_path: Path) -> None:
    path = tmp_path / "hand.csv"
    rows = [f"{n / 10:.1f},1,2,3,4" for n in range(11) if n not in (4, 5)]
    path.write_text("time,fx,fy,Px,Py\n" + "\n".join(rows))
    model = load("two_link")
    found = freebody.inverse(model, waves(model, np.linspace(0, 1, 20)), {"tip": path})
    assert found.provenance["forces"]["tip"] == (
        f"{path}, on link2 at tip, 9 samples, by cubic splines between them; uneven, steps of 0.1 "
        "to 0.3 s, mostly 0.1 s; the longest ends at line 6; columns left out: Px, Py"
    )


def test_without_a_force_its_point_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "plate.csv"
    path.write_text("time,fx,fy,px,py\n0,0,0,,\n1,0,9,0.5,0\n2,0,0,,\n")
    assert read_force(path).point is not None


def test_forces_that_do_not_fit_are_told() -> None:
    model = load("two_link")
    moved = waves(model, np.linspace(0, 1, 20))
    with pytest.raises(DerivationError, match="found 'tipp'; did you mean 'tip'"):
        freebody.inverse(model, moved, {"tipp": AppliedForce.of([0, 1], [1, 2])})
    with pytest.raises(MotionError, match=r"is known from 0 to 0.5 s; expected it over the motion"):
        freebody.inverse(model, moved, {"tip": AppliedForce.of([0, 0.5], [1, 2])})
    with pytest.raises(MotionError, match="expected 2 samples of two or three components"):
        AppliedForce.of([0, 1], [[1, 2]] * 3)


def test_what_is_known_of_a_motion_is_told_with_its_torques() -> None:
    model, t = load("two_link"), np.delete(np.linspace(0, 1, 51), [20, 21])
    angles = {"alpha1": np.sin(t), "alpha2": np.cos(t)}
    moved = replace(Motion.of(t, angles), choices={"notes": ["sample 3: 'tip' was not seen"]})
    found = freebody.inverse(model, moved)
    assert found.notes[0] == "sample 3: 'tip' was not seen"
    assert found.provenance["times"].endswith("mostly 0.02 s; the longest ends at sample 21")
    assert found.provenance["units"] == "as in the model: alpha1 rad, alpha2 rad"
    known = freebody.inverse(model, Motion.of(t, angles, unit="rad")).provenance
    assert "units" not in known


# ---------------------------------------------------------------------- inputs and residuals


def notes(found: InverseDynamics) -> str:
    return "\n".join(found.notes)


@pytest.mark.exhaustive
def test_a_simulation_brings_its_accelerations_in_its_file_too(tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    run = freebody.simulate("double_pendulum", duration=0.5)
    run.save(path)
    exact, line = (
        CliRunner().invoke(main, ["inverse", "double_pendulum", str(path), *how])
        for how in ([], ["--derivatives", "spline"])
    )
    assert "derivatives: exact, of the file" in exact.output
    assert "not to be trusted" not in exact.output
    assert "not to be trusted" in line.output
    found = freebody.inverse("double_pendulum", path)
    assert abs(found.data["inputs"]).max() < 1e-12 * abs(found.data["terms"]).max()
    assert "derivatives" not in freebody.read_motion(path, "double_pendulum").filtered(10.0).choices


@pytest.mark.exhaustive
def test_what_no_input_gives_is_told_as_a_residual() -> None:
    model = load("walker")
    still = {name: np.zeros(50) for name in model.coordinates}
    found = freebody.inverse(
        model,
        Motion.of(
            np.linspace(0, 1, 50),
            {**still, "y": np.full(50, 2.0)},
            unit={name: entry.unit for name, entry in model.coordinates.items()},
        ),
    )
    weight = 9.81 * sum(
        freebody.compile(model).constants[f"m_{part}"] * count
        for part, count in {"trunk": 1, "thigh": 2, "shank": 2, "foot": 2}.items()
    )
    residual = found.data["residual"]
    np.testing.assert_allclose(residual.sel(speed="y_dot"), weight, rtol=1e-9)
    assert "residual along y_dot, which no input gives: largest at" in notes(found)
    assert "x_dot" not in notes(found)
    asked = freebody.inverse(model, positions_of(found), solve=["F_x", "F_y", "M_z"])
    np.testing.assert_allclose(asked.data["inputs"].sel(input="F_y"), weight, rtol=1e-9)
    np.testing.assert_allclose(asked.data["residual"], 0, atol=1e-9)
    assert "residual" not in notes(asked)
    E = asked.data["terms"].sel(term="E", speed="y_dot")
    np.testing.assert_allclose(E, -weight, rtol=1e-9)


def positions_of(found: InverseDynamics) -> Motion:
    values = found.data["coordinates"]
    columns = {str(n): values.sel(coordinate=n).to_numpy() for n in values["coordinate"].data}
    units = dict(zip(columns, found.data["coordinate_unit"].to_numpy(), strict=True))
    return Motion.of(found.data["time"].to_numpy(), columns, unit=units)


def test_inputs_that_do_not_follow_are_told_and_left_out() -> None:
    model = load("slider_crank")
    run = freebody.simulate(model, duration=0.2, step=0.001, inputs={"T": 1}, unchecked=True)
    moved = positions(run, model)
    found = freebody.inverse(model, moved)
    # but where the crank is in line with the rod, and no force on the piston turns it
    assert np.isnan(found.data["inputs"].sel(input="T")).mean() > 0.9
    assert "T, P do not follow from the motion" in notes(found)
    assert found.inputs == {}
    whole = freebody.inverse(model, moved, inputs={"P": 0})
    assert np.isfinite(whole.data["inputs"]).all()
    assert whole.provenance["inputs"] == {"P": "0"}


def test_an_input_is_left_out_however_little_others_do_the_same() -> None:
    model = load("slider_crank")
    value = {name: float(model.constants[name].value or 0) for name in ("r", "l")}
    t = np.linspace(0, 0.004, 21)
    theta = np.pi + 50 * (t - 0.002)  # about a dead centre, where the piston cannot turn the crank
    phi = np.arcsin(value["r"] * np.sin(theta) / value["l"])
    x = value["r"] * np.cos(theta) + value["l"] * np.cos(phi)
    moved = Motion.of(t, {"theta": theta, "phi": phi, "x": x})
    left, *known = (
        freebody.inverse(model, moved, inputs=inputs).data["inputs"].sel(input="T").to_numpy()
        for inputs in ({}, {"P": "-100"}, {"P": "100"})
    )
    followed = np.isfinite(left)
    np.testing.assert_allclose(left[followed], known[0][followed], atol=1e-4)
    np.testing.assert_allclose(left[followed], known[1][followed], atol=1e-4)
    assert np.abs(known[0] - known[1])[~followed].min() > 1e-4


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"inputs": {"Q1": 0}}, "there is no input 'Q1'"),
        ({"solve": ["fex"]}, "there is no input 'fex'; did you mean 'Fex'?"),
        ({"solve": ["T1"], "inputs": {"T1": 1}}, "input 'T1' is both given and solved for"),
        ({"inputs": {"T1": "T2"}}, "'T2' uses an input"),
        ({"constants": {"L": 1}}, "there is no constant 'L'"),
        ({"constants": {"m1": -1}}, "bodies[0].mass: expected a value that is positive"),
        ({"inputs": {"T1": ([0, 0.5], [1, 2])}}, "input 'T1' is known from 0 to 0.5 s"),
    ],
)
def test_what_cannot_be_done_is_told(how: Mapping[str, Any], told: str) -> None:
    model = load("two_link")
    with pytest.raises(FreebodyError) as raised:
        freebody.inverse(model, waves(model, np.linspace(0, 1, 20)), **how)
    assert told in str(raised.value)


def test_inputs_that_act_otherwise_than_linearly_are_refused() -> None:
    told = freebody.model.dumps(load("pendulum")).replace('torque = "T"', 'torque = "T**2/(m*g*d)"')
    model = loads(told)
    moved = waves(model, np.linspace(0, 1, 20))
    with pytest.raises(InverseError, match="input 'T' does not act linearly"):
        freebody.inverse(model, moved)
    freebody.inverse(model, moved, inputs={"T": 2})


def test_a_motion_off_its_constraints_is_told() -> None:
    model = load("four_bar")
    found = freebody.inverse(model, waves(model, np.linspace(0, 1, 20)))
    assert "off the constraint of loop_x by at most" in notes(found)


def test_filtered_ends_are_not_trusted() -> None:
    model = load("two_link")
    t = np.linspace(0, 2, 401)
    moved = Motion.of(t, {"alpha1": np.sin(t), "alpha2": np.cos(t)}, unit="rad").filtered(5.0)
    found = freebody.inverse(model, moved)
    trusted = found.data["time"].to_numpy()[found.data["trusted"].to_numpy()]
    assert trusted[0] == pytest.approx(0.2)
    assert trusted[-1] == pytest.approx(1.8)
    assert "the first and last 0.2 s are not to be trusted" in notes(found)
    assert found.provenance["filter"]["cutoff"] == {"alpha1": 5.0, "alpha2": 5.0}
    assert found.provenance["sampling"] == "401 samples from 0 to 2 s, 200 Hz"


@pytest.mark.exhaustive
def test_accelerations_of_noise_are_told() -> None:
    t, random = np.linspace(0, 2, 401), np.random.default_rng(1)
    clean = {"alpha1": np.sin(3 * t), "alpha2": np.cos(2 * t)}
    noisy = {**clean, "alpha2": clean["alpha2"] + 0.002 * random.standard_normal(len(t))}
    told = "accelerations of alpha2 are mostly faster than 33.3 Hz, as those of noise are"
    assert told in notes(freebody.inverse("two_link", Motion.of(t, noisy, unit="rad")))
    for moved in (Motion.of(t, clean, unit="rad"), Motion.of(t, noisy, unit="rad").filtered()):
        assert "noise" not in notes(freebody.inverse("two_link", moved))


# ---------------------------------------------------------------------- closing the loop

POSTURES = ({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0, "alpha2": 1.5})


@pytest.mark.few("scipy")
@pytest.mark.parametrize(
    ("engine", "duration", "tolerance"),
    [("pydy", 4, 1e-12), ("heyoka", 4, 1e-16), ("scipy", 0.5, 1e-9)],
)
def test_a_reach_is_reproduced_by_its_torques(
    engine: str, duration: float, tolerance: float
) -> None:
    reach = posture_reach(*POSTURES, duration, rate=1000)
    only = Motion.of(
        reach.times,
        {name: reach.data["coordinates"].sel(coordinate=name) for name in reach.names},
        unit="rad",
    )
    found = freebody.inverse("two_link", only)
    run = freebody.simulate(
        "two_link",
        step=0.01,
        inputs=found.inputs,
        initial=found.initial,
        engine=engine,
        tolerance=tolerance,
    )
    assert run.data["time"].to_numpy()[-1] == duration
    wanted = reach.data["coordinates"].sel(time=run.data["time"], method="nearest")
    np.testing.assert_allclose(run.data["coordinates"], wanted, rtol=0, atol=1e-6)
    told = f"{len(reach.times)} samples from 0 to {duration} s, by a quintic spline"
    assert run.provenance["inputs"]["T1"] == told
    np.testing.assert_allclose(
        run.data["inputs"].sel(input="T1"), found.inputs["T1"](run.data["time"]), atol=1e-12
    )


@pytest.mark.few("heyoka", "pydy")
@pytest.mark.parametrize("engine", ["pydy", "heyoka", "scipy"])
def test_sampled_inputs_do_what_their_laws_do(engine: str) -> None:
    t = np.linspace(0, 1, 201)
    over = {"T1": (t, np.sin(3 * t)), "T2": xr.DataArray(t**2, coords={"time": t}, dims="time")}
    how: dict[str, Any] = {"engine": engine, "tolerance": 1e-9}
    run = freebody.simulate("two_link", inputs={**over, "Fey": "-t"}, **how)
    law = freebody.simulate(
        "two_link", duration=1, inputs={"T1": "sin(3*t)", "T2": "t**2", "Fey": "-t"}, **how
    )
    np.testing.assert_allclose(run.data["coordinates"], law.data["coordinates"], atol=1e-7)
    np.testing.assert_allclose(run.data["energy"], law.data["energy"], atol=1e-6)


@pytest.mark.exhaustive
def test_sampled_inputs_go_with_constraints_events_and_switches() -> None:
    t = np.linspace(0, 0.3, 31)
    how: dict[str, Any] = {"duration": 0.3, "engine": "heyoka", "unchecked": True}
    run = freebody.simulate("four_bar", inputs={"T12": (t, 2 * t)}, **how)
    law = freebody.simulate("four_bar", inputs={"T12": "2*t"}, **how)
    np.testing.assert_allclose(run.data["coordinates"], law.data["coordinates"], atol=1e-9)
    event = [freebody.Event("alpha2 > 0.8", "stop")]
    start = {"alpha2": 0.7, "alpha2_dot": 3}
    run, law = (
        freebody.simulate("two_link", inputs={"T1": push}, events=event, initial=start, **how)
        for push in ((t, 2 * t), "2*t")
    )
    assert run.events[0]["time"] == pytest.approx(law.events[0]["time"], abs=1e-9)
    run, law = (
        freebody.simulate("walker", inputs={"T_hip_right": push}, **how)
        for push in ((t, 20 * t), "20*t")
    )
    np.testing.assert_allclose(run.data["coordinates"], law.data["coordinates"], atol=1e-9)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (([0, 1], [1, 2, 3]), "found times of shape (2,) and values of shape (3,)"),
        (([0, 0], [1, 2]), "stands there twice"),
        (([0, 1], [1, np.nan]), "is missing"),
        (([0, 1], ["a", "b"]), "an array over 'time'"),
        (xr.DataArray([1.0, 2.0], dims="x"), "found an array over x"),
        (([0.5, 9], [1, 2]), "is known from 0.5 to 9 s; expected it from 0 to 9 s"),
    ],
)
def test_samples_that_are_none_are_told(given: Any, told: str) -> None:
    with pytest.raises(FreebodyError) as raised:
        freebody.simulate("two_link", inputs={"T1": given})
    assert told in str(raised.value)
    assert "input 'T1'" in str(raised.value)


def test_samples_are_refused_where_they_cannot_be_taken() -> None:
    with pytest.raises(FreebodyError, match="expected a number or an expression, found samples"):
        freebody.excite("two_link_muscles", {}, inputs={"Fex": ([0, 1], [1, 2])})


# ---------------------------------------------------------------------- files and pictures


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    model = load("two_link")
    found = freebody.inverse(model, waves(model, np.linspace(0, 1, 50)))
    found.save(tmp_path / "torques.csv")
    found.save(tmp_path / "torques.nc")
    again = freebody.read_motion(tmp_path / "torques.csv", model)
    np.testing.assert_array_equal(again.data["coordinates"], found.data["coordinates"])
    with xr.open_dataset(tmp_path / "torques.nc", engine="scipy") as data:
        np.testing.assert_array_equal(data["terms"], found.data["terms"])
        assert data["power"].attrs["units"] == "W"
        assert json.loads(data.attrs["provenance"])["solved"] == ["T1", "T2"]
    told = json.loads((tmp_path / "torques.json").read_text())
    assert told["derivatives"] == "exact"
    with pytest.raises(FileError, match=r"ends in \.csv or \.nc"):
        found.save(tmp_path / "torques.xls")


def test_units_are_carried() -> None:
    model = load("cart_pendulum")
    data = freebody.inverse(model, waves(model, np.linspace(0, 1, 20))).data
    units = dict(zip(data["speed"].to_numpy(), data["force_unit"].to_numpy(), strict=True))
    assert units == {"x_dot": "N", "theta_dot": "N*m"}
    assert "units" not in data["terms"].attrs
    assert data["work"].attrs["units"] == "J"


@pytest.mark.few("two_link")
@pytest.mark.parametrize("name", ["two_link", "walker"])
def test_a_picture_is_drawn(tmp_path: Path, name: str) -> None:
    model = load(name)
    found = freebody.inverse(model, waves(model, np.linspace(0, 1, 50)))
    found.plot(tmp_path / "torques.png")
    assert (tmp_path / "torques.png").stat().st_size > 20_000
    with pytest.raises(FileError, match=r"ends in \.png"):
        found.plot(tmp_path / "torques.doc")


@pytest.mark.exhaustive
def test_entries_of_other_units_are_drawn_apart() -> None:
    model = load("walker")
    found = freebody.inverse(model, waves(model, np.linspace(0, 1, 50)))
    drawn = [(panel.name, panel.unit) for panel in panels(found.data)]
    motion, forces = [("coordinates", "m"), ("coordinates", "rad")], ["N", "N·m"]
    assert drawn[:3] == [*motion, ("inputs", "N·m")]
    assert drawn[3:] == [*(("residual", unit) for unit in forces), ("power", "W")]
    (angles,) = (panel.entries for panel in panels(found.data) if panel.unit == "rad")
    assert angles == [name for name in model.coordinates if name not in ("x", "y")]


def run_cli(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.mark.exhaustive("nc")
@pytest.mark.parametrize("ending", ["csv", "nc"])
def test_the_command_line_closes_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    torques, after = f"torques.{ending}", f"again.{ending}"
    reach = posture_reach(*POSTURES, 1, rate=1000, unit="rad")
    table = np.column_stack([reach.times + 2, np.rad2deg(reach.data["coordinates"])])
    head = "time,alpha1 [deg],alpha2 [deg]"
    np.savetxt("reach.csv", table, delimiter=",", header=head, comments="", fmt="%.17g")
    told = run_cli("inverse", "two_link", "reach.csv", "-o", torques, "--plot", "t.png")
    assert told.exit_code == 0, told.output
    assert "1001 samples from 2 to 3 s, 1000 Hz" in told.output
    assert "quintic splines through the samples" in told.output
    assert "note: the first and last 0.01 s are not to be trusted" in told.output
    again = run_cli("simulate", "two_link", "--inputs", torques, "--start", torques, "-o", after)
    assert again.exit_code == 0, again.output
    assert f"time 0 is 2 s of {torques}" in again.output
    found = freebody.read_motion(after, load("two_link")).data["coordinates"]
    wanted = reach.data["coordinates"].sel(time=found["time"], method="nearest")
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6)


def test_the_command_line_takes_forces_filters_and_inputs(tmp_path: Path) -> None:
    reach = posture_reach(*POSTURES, 1, rate=200, unit="rad")
    reach.save(tmp_path / "reach.csv")
    (tmp_path / "push.csv").write_text("time,fx,fy\n0,0,-10\n1,0,-10\n")
    motion_file, force_file = str(tmp_path / "reach.csv"), f"tip={tmp_path / 'push.csv'}"
    told = run_cli(
        *("inverse", "two_link", motion_file, "--force", force_file, "--cutoff", "8"),
        *("--rate", "100", "--set", "m1=3", "--input", "Fex=1"),
    )
    assert told.exit_code == 0, told.output
    for part in ("100 Hz", "Butterworth", "alpha1 8", "push.csv", "'m1': 3.0", "Fex 1"):
        assert part in told.output.replace("m1 3", "'m1': 3.0")
    twice = run_cli(
        "inverse", "two_link", motion_file, "--force", force_file, "--force", force_file
    )
    assert twice.exit_code == 2
    assert "expected one value of 'tip', found two" in twice.output
    wrong = run_cli("inverse", "two_link", motion_file, "-o", str(tmp_path / "x.xls"))
    assert wrong.exit_code == 1
    assert "ends in .csv or .nc" in wrong.output


def test_files_without_inputs_or_coordinates_are_told(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("time,a,alpha1\n0,1,2\n1,2,3\n")
    told = run_cli("simulate", "two_link", "--inputs", str(path))
    assert "expected a column for an input (T1, T2, Fex, Fey), found none" in told.output
    path.write_text("time,T1\n0,1\n0.1,2\n")
    told = run_cli("simulate", "two_link", "--inputs", str(path))
    assert f"not in {path}, and as in the model: T2, Fex, Fey" in told.output
    path.write_text("time,a,alpha1\n0,1,2\n1,2,3\n")
    told = run_cli("simulate", "two_link", "--start", str(path))
    assert "alpha2: there is no such column; did you mean 'alpha1'?" in told.output


def test_files_of_inputs_carry_units(tmp_path: Path) -> None:
    path = tmp_path / "torques.csv"
    inputs = load("two_link").inputs
    path.write_text("time [ms],T1 [N*m]\n0,1\n10,2\n")
    assert read_inputs(path, inputs)["T1"].times.tolist() == [0, 0.01]
    path.write_text("time,T1 [N*mm]\n0,1\n10,2\n")
    with pytest.raises(MotionError, match=r"T1: expected N\*m, as in the model, found 'N\*mm'"):
        read_inputs(path, inputs)
    path.write_text("time,T1\n0,1\n1,\n2,2\n")
    with pytest.raises(MotionError, match="line 3, T1: is missing"):
        read_inputs(path, inputs)


def test_a_motion_with_sampled_inputs_has_no_motions_nearby() -> None:
    run = freebody.simulate("two_link", inputs={"T1": ([0, 0.1], [1, 2])})
    with pytest.raises(FreebodyError, match="expected a motion with laws for its inputs"):
        freebody.linearize("two_link", along=run)


@pytest.mark.exhaustive
def test_noise_does_the_same_whoever_draws_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reach = posture_reach({"theta": 0.0}, {"theta": 1.0}, 1.0, 50.0)
    noise = freebody.inverse_dynamics.Noise(0.01, draws=1500, seed=3)  # in two groups
    here = freebody.inverse("pendulum", reach, noise=noise)
    apart = freebody.inverse("pendulum", reach, noise=noise, scheduler=2)
    np.testing.assert_array_equal(here["generalized_sd"], apart["generalized_sd"])
