"""Identification: what a simulation was made with comes back, with noise and without."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from click.testing import CliRunner
from scipy.integrate import solve_ivp

import freebody
from freebody.cli import main
from freebody.errors import InverseError
from freebody.identification.columns import INERTIAL, Parameter
from freebody.identification.physical import Bodies, nearest_physical, pseudo_inertia
from freebody.inverse_dynamics import Noise

TRUTH = {"m1": 2.4, "m2": 1.3, "I2": 0.02, "d2": 0.25}
LAWS = {
    "T1": "2*sin(2*t) + sin(5*t) - 0.6*alpha1_dot",
    "T2": "sin(3*t + 1) + 0.6*cos(4.4*t) - 0.2*alpha2_dot",
}


@pytest.fixture(scope="module")
def run() -> freebody.Simulation:
    """An arm that is not that of the model, moved by known torques."""
    return freebody.simulate(
        "two_link", 3, step=0.005, constants=TRUTH, inputs=LAWS, unchecked=True
    )


def recorded(run: freebody.Simulation, noise: float) -> freebody.Motion:
    random = np.random.default_rng(3)
    q = run["coordinates"].to_numpy()
    q = q + noise * random.normal(size=q.shape)
    columns = {"alpha1": q[:, 0], "alpha2": q[:, 1]}
    return freebody.Motion.of(run["time"].to_numpy(), columns, unit="rad")


def test_base_parameters_come_back(run: freebody.Simulation) -> None:
    made = freebody.identify("two_link", run, inputs=run)
    expected = freebody.regressor("two_link").base_values(TRUTH)
    np.testing.assert_allclose(made["value"], expected, rtol=1e-7)
    assert max(made.statistics["left_after"].values()) < 1e-7
    np.testing.assert_allclose(made["after"], made["measured"], atol=1e-7)


@pytest.mark.exhaustive
def test_constants_come_back_and_go_on(run: freebody.Simulation) -> None:
    known = {"m1": TRUTH["m1"], "I1": 0.0254177}
    made = freebody.identify("two_link", run, ["m2", "I2", "d2"], inputs=run, constants=known)
    assert made.values == pytest.approx({name: TRUTH[name] for name in made.values}, rel=1e-5)
    freebody.simulate("two_link", 0.02, constants=made.values, unchecked=True)


def test_intervals_hold_the_truth_where_noise_is_told(run: freebody.Simulation) -> None:
    motion = recorded(run, 1e-3).filtered(10.0).differentiated()
    inputs = {name: run["inputs"].sel(input=name) for name in ("T1", "T2")}
    options: dict[str, Any] = {"inputs": {**inputs, "Fex": 0, "Fey": 0}}
    made = freebody.identify("two_link", motion, noise=Noise(1e-3, draws=6), **options)
    expected = freebody.regressor("two_link").base_values(TRUTH)
    off = np.abs(made["value"] - expected)
    assert (off < 4 * made["sd"]).all()
    assert (off < 0.08 * expected).all()
    assert any("taken back" in note for note in made.notes)


@pytest.mark.exhaustive
def test_what_is_not_decided_is_named_and_a_prior_decides_it(run: freebody.Simulation) -> None:
    names = ["m1", "I1", "m2", "I2", "d2"]
    made = freebody.identify("two_link", run, names, inputs=run)
    assert not made["determined"].any()
    assert "the motion and the forces do not decide m1, I1, m2, I2, d2" in made.notes
    tied = freebody.identify("two_link", run, names, inputs=run, prior={"m1": 0.1})
    assert tied["determined"].all()
    assert float(tied["value"].sel(parameter="m1")) == pytest.approx(1.96, rel=1e-3)


@pytest.mark.exhaustive
def test_an_actuator_that_was_not_measured_is_left_out(run: freebody.Simulation) -> None:
    known = {**TRUTH}
    del known["I2"]
    inputs = {"T2": run["inputs"].sel(input="T2")}
    made = freebody.identify("two_link", run, ["I2"], inputs=inputs, constants=known)
    assert made.values["I2"] == pytest.approx(TRUTH["I2"], rel=1e-6)
    assert made.provenance["unknown_inputs"] == ["T1"]


@pytest.mark.exhaustive
def test_a_loop_is_identified_along_its_motion() -> None:
    turning = freebody.simulate("slider_crank", 0.3, constants={"mp": 0.7}, unchecked=True)
    made = freebody.identify("slider_crank", turning, ["mp"], inputs=turning)
    assert made.values["mp"] == pytest.approx(0.7, rel=1e-6)


def test_stiffness_and_friction_come_back(tmp_path: Path) -> None:
    text = Path(freebody.load("pendulum").source or "").read_text(encoding="utf-8")
    names = (("k", "N*m/rad"), ("b", "N*m*s/rad"), ("mu", "N*m"), ("w", "rad/s"))
    constants = [f'{n} = {{ title = "{n}", unit = "{u}", value = 0.1 }}' for n, u in names]
    text = text.replace("[constants]", "\n".join(["[constants]", *constants]))
    joint = freebody.load("pendulum").joints[0].name
    text += f'\n[[springs]]\njoint = "{joint}"\nstiffness = "k"\nrest = 0\n'
    text += f'\n[[friction]]\njoint = "{joint}"\ncoulomb = "mu"\nviscous = "b"\nsmoothing = "w"\n'
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    truth = {"k": 0.7, "b": 0.05, "mu": 0.2}
    options: dict[str, Any] = {"initial": {"theta": 1.5}, "unchecked": True}
    swing = freebody.simulate(path, 3, constants=truth, **options)
    made = freebody.identify(path, swing, ["k", "b", "mu"], inputs={"T": 0})
    assert made.values == pytest.approx(truth, rel=1e-5)


# ---------------------------------------------------------------------- physical bodies


@pytest.mark.exhaustive
def test_values_of_no_body_become_those_of_the_nearest() -> None:
    values = np.array([1.0, 0.1, 0.2, 0.0, 0.3, 0.0, 0.0, 0.3, 0.0, 0.3])
    parameters = [Parameter(f"b.{short}", sympy.S.Zero, "", "") for short in INERTIAL]
    bodies = Bodies(parameters, values)
    np.testing.assert_allclose(bodies.values(bodies.first), values, atol=1e-12)
    wanted, combine = np.array([-1.0]), np.eye(1, 10)  # a mass
    (near,) = nearest_physical(bodies, combine, wanted, np.array([[1.0]]))
    assert 0 < near < 0.05
    disc = {"m": 1.0, "Jxx": 0.25, "Jyy": 0.25, "Jzz": 0.5}
    assert np.linalg.eigvalsh(pseudo_inertia(disc)).min() == pytest.approx(0)
    assert np.linalg.eigvalsh(pseudo_inertia({**disc, "Jzz": 0.6})).min() < 0


def test_masses_stay_positive(run: freebody.Simulation) -> None:
    torques = {name: -run["inputs"].sel(input=name) for name in ("T1", "T2")}
    made = freebody.identify("two_link", run, ["m2"], inputs={**torques, "Fex": 0, "Fey": 0})
    assert made["value"].item() >= 0


# ---------------------------------------------------------------------- the command and errors


def test_the_command_reads_motion_and_torques_from_one_file(
    run: freebody.Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.save(tmp_path / "run.csv")
    arguments = ["identify", "two_link", str(tmp_path / "run.csv"), "--plot", "fit.png"]
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(main, [*arguments, "--parameter", "m2"])
    assert made.exit_code == 0, made.output
    assert "m2" in made.output
    assert "left over along alpha1_dot" in made.output
    assert Path("fit.png").stat().st_size > 1000


@pytest.mark.exhaustive
def test_other_constants_of_a_run_are_told_but_those_that_are_sought(
    run: freebody.Simulation,
) -> None:
    made = freebody.identify("two_link", run, ["m1", "m2", "d2"], inputs=run)
    (told,) = (note for note in made.notes if "other constants" in note)
    assert "I2 = " in told
    assert "m2" not in told
    whole = freebody.identify("two_link", run, inputs=run)  # of which all are sought
    assert not any("other constants" in note for note in whole.notes)


MOTOR = Path(__file__).parents[1] / "examples" / "identification" / "pendulum_on_a_motor.toml"


def test_columns_of_a_recording_are_chosen(tmp_path: Path) -> None:
    swing = freebody.simulate(MOTOR, 4, step=0.01, inputs={"torque": "sin(2*t) + sin(5*t)"})
    columns = [swing["time"], swing["coordinates"][:, 0], swing["speeds"][:, 0]]
    columns.append(swing["inputs"][:, 0])
    path = tmp_path / "run.csv"
    names = "time,position,velocity,torque"
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=names, comments="")
    arguments = ["identify", str(MOTOR), str(path), "--parameter", "m"]
    refused = CliRunner().invoke(main, arguments)
    assert "velocity: is no coordinate of the model; choose the columns" in refused.output
    made = CliRunner().invoke(main, [*arguments, "--column", "position", "--column", "torque"])
    assert made.exit_code == 0, made.output
    assert "0.57288" in made.output
    none = CliRunner().invoke(main, [*arguments, "--column", "torque"])
    assert "--column: expected coordinates, such as --column position" in none.output


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parameters": ["m3"]}, "there is no constant 'm3'"),
        ({"parameters": ["L1"]}, "'L1' is in the regressor itself"),
        ({"parameters": ["height"]}, "'height' is in the regressor itself, by L1"),
        ({"parameters": []}, "expected names, each once"),
        ({"parameters": ["m2"], "prior": {"m1": 0.1}}, "'m1' is not sought"),
        ({"parameters": ["m2"], "prior": -1.0}, "expected a positive number"),
        ({"prior": 0.1}, "expected the names of constants"),
        ({"inputs": None}, "no force is known"),
    ],
)
def test_what_cannot_be_identified_is_refused(
    run: freebody.Simulation, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InverseError, match=message):
        freebody.identify("two_link", recorded(run, 0), **{"inputs": run, **options})


# ---------------------------------------------------------------------- trajectories


@pytest.fixture(scope="module")
def swing() -> freebody.Motion:
    """A pendulum longer than that of the model, with noise."""
    run = freebody.simulate(
        "pendulum", 2, step=0.01, constants={"d": 0.35}, inputs={"T": 0}, unchecked=True
    )
    q = run["coordinates"].to_numpy()[:, 0] + 2e-3 * np.random.default_rng(1).normal(size=201)
    return freebody.Motion.of(run["time"].to_numpy(), {"theta": q}, unit="rad")


@pytest.mark.exhaustive
@pytest.mark.skipif(not find_spec("casadi"), reason="CasADi is not installed")
def test_a_length_is_found_by_a_trajectory(swing: freebody.Motion, tmp_path: Path) -> None:
    made = freebody.fit_trajectory("pendulum", swing, ["d"], inputs={"T": 0})
    assert abs(made.values["d"] - 0.35) < 3 * float(made["sd"][0]) < 0.01
    assert made.statistics["left_after"]["theta"] == pytest.approx(2e-3, rel=0.15)
    assert made.statistics["left_before"]["theta"] > 0.05
    assert dict(made["after"].sizes) == {"time": 201, "coordinate": 1}
    made.plot(tmp_path / "fit.svg")


@pytest.mark.exhaustive
@pytest.mark.skipif(not find_spec("casadi"), reason="CasADi is not installed")
def test_what_a_trajectory_does_not_decide_is_named(swing: freebody.Motion) -> None:
    """Mass, gravity and the size of a pendulum scale with each other."""
    options: dict[str, Any] = {"inputs": {"T": 0}, "nodes": 31}
    made = freebody.fit_trajectory("pendulum", swing, ["d", "m", "g"], **options)
    assert "do not decide d, m, g" in made.notes[0]
    tied = freebody.fit_trajectory("pendulum", swing, ["d", "g"], prior={"g": 1e-3}, **options)
    assert tied.values["d"] == pytest.approx(0.35, rel=0.02)
    edge = freebody.fit_trajectory("pendulum", swing, ["d"], between={"d": (0.25, 0.3)}, **options)
    assert "d is at the limit 0.3: expected others in `between`" in edge.notes


@pytest.mark.skipif(not find_spec("casadi"), reason="CasADi is not installed")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inputs": None}, "expected all inputs, found none of T"),
        ({"parameters": ["k"]}, "there is no constant 'k'"),
        ({"between": {"d": (1.0, 2.0)}}, "with its value 0.293328 between them"),
        ({"between": {"m": (1.0, 2.0)}}, "there is no parameter 'm'; expected one of d"),
        ({"nodes": 2}, "nodes: expected 3 to 10000"),
    ],
)
def test_what_no_trajectory_is_fitted_to_is_refused(
    swing: freebody.Motion, options: dict[str, Any], message: str
) -> None:
    given: dict[str, Any] = {"parameters": ["d"], "inputs": {"T": 0}, **options}
    with pytest.raises(freebody.FreebodyError, match=message):
        freebody.fit_trajectory("pendulum", swing, **given)


@pytest.mark.skipif(not find_spec("casadi"), reason="CasADi is not installed")
def test_a_trajectory_on_the_command_line(swing: freebody.Motion, tmp_path: Path) -> None:
    path = tmp_path / "swing.csv"
    swing.save(path)
    how = ["identify", "pendulum", str(path), "--parameter", "d"]
    wanted = ["--trajectory", "--input", "T=0", "--between", "d=0.2:0.5", "--nodes", "41"]
    made = CliRunner().invoke(main, [*how, *wanted])
    assert "left over along theta" in made.output, made.output
    assert "0.35" in made.output
    for more in (["--nodes", "41"], ["--trajectory", "--noise", "0.1"]):
        assert CliRunner().invoke(main, [*how, *more]).exit_code == 2


# ---------------------------------------------------------------------- what swings freely

SWING = """title = "A bob that swings freely"
gravity = [0, "-g", 0]
[coordinates]
phi = { title = "swing", unit = "rad", initial = 1 }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
l = { title = "length", unit = "m", value = 0.5 }
b = { title = "damping", unit = "N*m*s/rad", value = 0.02 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "bob"
mass = "m"
center_of_mass = [0, "-l", 0]
[[joints]]
name = "pivot"
type = "pin"
parent = "ground"
child = "bob"
angle = "phi"
[[dampers]]
joint = "pivot"
damping = "b"
"""


@pytest.fixture(scope="module")
def swung() -> np.ndarray:
    """The angle of a bob with b = 0.05 every 0.01 s, by an integrator of its own."""

    def slopes(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -9.81 / 0.5 * np.sin(y[0]) - 0.05 / 0.25 * y[1]]

    times = np.arange(801) / 100
    return np.asarray(
        solve_ivp(slopes, (0, 8), [1.1, 0], t_eval=times, rtol=1e-10, atol=1e-12).y[0]
    )


@pytest.mark.exhaustive
def test_damping_of_what_swings_freely_lies_within_its_interval(swung: np.ndarray) -> None:
    model, off = freebody.model.loads(SWING), []
    for seed in range(6):
        random = np.random.default_rng(seed)
        noisy = swung + 1e-3 * random.normal(size=swung.shape)
        motion = freebody.Motion.of(np.arange(801) / 100, {"phi": noisy}, unit="rad").filtered(6)
        made = freebody.identify(model, motion, ["b"])
        off.append((made["value"].item() - 0.05) / made["sd"].item())
    assert 0.2 < np.sqrt(np.mean(np.square(off))) < 1.6


def test_a_prior_that_the_recording_contradicts_is_told(swung: np.ndarray) -> None:
    motion = freebody.Motion.of(np.arange(801) / 100, {"phi": swung}, unit="rad")
    made = freebody.identify(freebody.model.loads(SWING), motion, ["b"], prior=0.1)
    assert made.values["b"] == pytest.approx(0.05, rel=0.01)
    assert "b is 15 standard deviations of its prior away from it" in made.notes


@pytest.mark.parametrize("parameters", [None, ["m", "b"]])
def test_what_no_known_force_tells_but_for_a_factor_is_refused(
    swung: np.ndarray, parameters: list[str] | None
) -> None:
    motion = freebody.Motion.of(np.arange(801) / 100, {"phi": swung}, unit="rad")
    with pytest.raises(InverseError, match="no force is known, so that the motion tells"):
        freebody.identify(freebody.model.loads(SWING), motion, parameters)


def test_the_command_takes_columns_by_other_names(swung: np.ndarray, tmp_path: Path) -> None:
    (tmp_path / "swing.toml").write_text(SWING, encoding="utf-8")
    rows = [f"{12.5 + 0.01 * k:.2f},{angle:.6f}" for k, angle in enumerate(np.degrees(swung))]
    rows[100] = rows[100].partition(",")[0] + ","
    (tmp_path / "log.csv").write_text("\n".join(["t,Pendulum angle", *rows, ""]), encoding="utf-8")
    files = [str(tmp_path / name) for name in ("swing.toml", "log.csv")]
    arguments = ["identify", *files, "--parameter", "b", "--column", "Pendulum angle=phi [deg]"]
    refused = CliRunner().invoke(main, arguments)
    assert "line 102, phi: is missing; fill=0.02 (--fill 0.02)" in refused.output
    made = CliRunner().invoke(main, [*arguments, "--fill", "0.02", "--json"])
    assert json.loads(made.output)["values"]["b"] == pytest.approx(0.05, rel=1e-3)
