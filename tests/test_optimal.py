"""The best movements: those that are known in closed form, and what comes back of others."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.optimize import brentq

import freebody
from freebody.cli import main
from freebody.errors import FreebodyError

pytest.importorskip("casadi")
EXAMPLES = Path(__file__).parents[1] / "examples" / "optimal"
BLOCK, BEAD = EXAMPLES / "block.toml", EXAMPLES / "brachistochrone.toml"
JUMPER = EXAMPLES / "jumper.toml"
JUMP: dict[str, Any] = {
    "minimize_end": "-(y + y_dot**2/(2*g))",
    "start": {"x": 0, "y": "2*L*cos(bent)", "thigh": "bent", "shank": "-bent"}
    | dict.fromkeys(("x_dot", "y_dot", "thigh_dot", "shank_dot"), 0),
    "bounds": {"thigh - shank": (0.05, 2.5)},
    "closed": ["foot"],
    "excited": True,
}
WALKER = EXAMPLES / "five_link_walker.toml"
REST: dict[str, Any] = {"x": 0, "x_dot": 0}
THERE: dict[str, Any] = {"x": 1, "x_dot": 0}


def test_the_least_effort_is_a_straight_line_of_force() -> None:
    made = freebody.optimal_motion(BLOCK, 2.0, "F**2", start=REST, end=THERE, nodes=5)
    assert made.statistics["objective"] == pytest.approx(12 * 2.0**2 / 2.0**3)  # 12 m² d²/T³
    t = made["time"].to_numpy()
    np.testing.assert_allclose(made["inputs"][:, 0], 2 * (6 / 4 - 12 * t / 8), atol=1e-6)
    assert made.statistics["simulated_error"] < 1e-9
    assert made.notes[0].startswith("simulated from its first state")


def test_the_shortest_time_is_that_of_full_force_and_a_constant_may_be_sought() -> None:
    options: dict[str, Any] = {"start": REST, "end": THERE, "bounds": {"F": (-1, 1)}, "nodes": 7}
    made = freebody.optimal_motion(BLOCK, (0.1, 9), "1", **options)
    assert made.statistics["duration"] == pytest.approx(2 * np.sqrt(2.0), rel=1e-6)
    light = freebody.optimal_motion(BLOCK, (0.1, 9), "1", free={"m": (0.5, 3)}, **options)
    assert light.constants["m"] == pytest.approx(0.5, rel=1e-6)
    assert light.statistics["duration"] == pytest.approx(2 * np.sqrt(0.5), rel=1e-6)


def test_the_brachistochrone_is_a_cycloid() -> None:
    made = freebody.optimal_motion(
        BEAD, (0.3, 2), "1 + 0.001*N**2", end={"x": 1, "y": -1}, nodes=15
    )  # the time hardly knows of N: a little effort settles it
    angle = brentq(lambda a: (1 - np.cos(a)) - (a - np.sin(a)), 1.0, 6.0)
    radius = 1 / (1 - np.cos(angle))
    assert made.statistics["duration"] == pytest.approx(angle * np.sqrt(radius / 9.81), rel=1e-3)
    turned = made["time"].to_numpy() * np.sqrt(9.81 / radius)
    along = made["coordinates"].to_numpy()
    np.testing.assert_allclose(along[:, 1], -radius * (1 - np.cos(turned)), atol=0.02)
    assert made.statistics["simulated_error"] < 1e-3


def test_a_pole_is_swung_up_and_the_motion_goes_on() -> None:
    made = freebody.optimal_motion(
        "cart_pendulum",
        2.0,
        "F**2",
        start={"x": 0, "theta": "pi", "x_dot": 0, "theta_dot": 0},
        end={"x": 1, "theta": 0, "x_dot": 0, "theta_dot": 0},
        bounds={"x": (-2, 2), "F": (-20, 20)},
        constants={"m_p": 0.3},
        nodes=31,
    )
    assert made.statistics["interval_error"] < 1e-3
    assert np.abs(made["inputs"]).max() <= 20 + 1e-6
    found = freebody.inverse("cart_pendulum", made.motion, constants=made.constants)
    np.testing.assert_allclose(found["inputs"], made["inputs"], atol=1e-4)
    last = made["simulated"].isel(node=-1)
    assert float(last.sel(coordinate="theta")) == pytest.approx(0, abs=0.02)


@pytest.mark.exhaustive
def test_a_closed_loop_keeps_closed() -> None:
    made = freebody.optimal_motion(
        "four_bar", 0.1, "T12**2", end={"theta2": 3.4}, bounds={"T12": (-5, 5)}, nodes=15
    )
    f = freebody.compile("four_bar")
    q, u = (made[name].to_numpy() for name in ("coordinates", "speeds"))
    assert np.abs(f.constraint_residuals(q, u)[:, 0]).max() < 1e-5
    assert made["constraint_force"].sizes["constraint"] == 2
    assert made.statistics["interval_error"] < 1e-3


# ---------------------------------------------------------------------- the command and errors


SWAPPED = {"q1": "q5", "q2": "q4", "q3": "q3", "q4": "q2", "q5": "q1"}
STEP: dict[str, Any] = {
    "start": {"position.foot1.x": 0},
    "end": {"position.foot2.x": 0.5},
    "bounds": {"q1 - q2": (-2, 0), "q5 - q4": (-2, 0)},
    "closed": ["foot1"],
    "impact": "foot2",
    "cycle": SWAPPED | {f"{one}_dot": f"{other}_dot" for one, other in SWAPPED.items()},
}
EFFORT = "u2**2 + u3**2 + u4**2 + u5**2"


@pytest.mark.exhaustive
def test_the_step_of_a_walker_goes_on_after_its_strike() -> None:
    made = freebody.optimal_motion(WALKER, 0.7, EFFORT, **STEP, nodes=26)
    by_hand, _ = runpy.run_path(str(EXAMPLES.parent / "optimal_step.py"))["by_hand"](nodes=16)
    assert made.statistics["objective"] == pytest.approx(by_hand, rel=1e-4)
    first, last = made["coordinates"][0], made["coordinates"][-1]
    after = made.statistics["impact"]["speeds_after"]
    for name, other in SWAPPED.items():
        begun = float(made["speeds"][0].sel(speed=f"{name}_dot"))
        assert begun == pytest.approx(after[f"{other}_dot"], abs=1e-6)
        assert float(first.sel(coordinate=name)) == pytest.approx(
            float(last.sel(coordinate=other)), abs=1e-6
        )
    assert made["constraint_force"].sel(constraint="foot1_normal").min() > 0


@pytest.mark.exhaustive
def test_the_strike_at_the_end_is_that_of_a_simulation() -> None:
    """A leg that is dropped strikes as `freebody.simulate` has it, constraints or none closed."""
    made = freebody.optimal_motion(
        WALKER, (0.05, 1), "u2**2 + u3**2", start={"y": 0.9, "y_dot": 0}, impact="foot2", nodes=7
    )
    state = {name: float(made["coordinates"][-1].sel(coordinate=name)) for name in "xy"}
    state |= {f"q{n}": float(made["coordinates"][-1].sel(coordinate=f"q{n}")) for n in range(1, 6)}
    rates = {str(s): float(made["speeds"][-1].sel(speed=s)) for s in made["speed"].to_numpy()}
    struck = made.statistics["impact"]
    moving = freebody.load(WALKER)
    functions = freebody.compile(moving)
    q = np.array([state[name] for name in moving.coordinates])
    u = np.array([rates[f"{name}_dot"] for name in moving.coordinates])
    after = np.array([struck["speeds_after"][f"{name}_dot"] for name in moving.coordinates])
    M = functions["mass_matrix"](q)
    assert struck["energy_lost"] == pytest.approx((u @ M @ u - after @ M @ after) / 2, rel=1e-6)
    momentum = (M @ (after - u))[:2]  # of the whole walker, by the only force at the foot
    impulses = struck["impulses"]
    np.testing.assert_allclose(momentum, [impulses["foot2_x"], impulses["foot2_normal"]], atol=1e-6)
    foot = functions["jacobian.foot2"](q)[:2]
    np.testing.assert_allclose(foot @ after, 0, atol=1e-6)


MUSCLES = ("shoulder_extensor", "shoulder_flexor", "elbow_extensor", "elbow_flexor")


@pytest.mark.exhaustive
def test_excitations_are_found_and_move_the_arm_as_elsewhere() -> None:
    made = freebody.optimal_motion(
        "two_link_muscles",
        0.6,
        " + ".join(f"activation.{one}**2 + 0.01*excitation.{one}**2" for one in MUSCLES),
        start={"alpha1": "-pi/2", "alpha2": "pi/3", "alpha1_dot": 0, "alpha2_dot": 0},
        end={"alpha1": -1.3, "alpha2": 1.3, "alpha1_dot": 0, "alpha2_dot": 0},
        inputs={"Fex": 0, "Fey": 0},
        excited=True,
        nodes=9,
    )
    assert list(made["muscle"].to_numpy()) == list(MUSCLES)
    excitation, activation = made["excitation"].to_numpy(), made["activation"].to_numpy()
    assert 0.01 - 1e-6 < excitation.min() < excitation.max() <= 1 + 1e-6
    np.testing.assert_allclose(activation[0], 0.01, atol=1e-6)
    laws = {
        name: (made["time"].to_numpy(), excitation[:, n].clip(0, 1))
        for n, name in enumerate(MUSCLES)
    }
    again = freebody.excite("two_link_muscles", laws, 0.6, step=0.6, initial=made.motion)
    np.testing.assert_allclose(again["coordinates"][-1], made["simulated"][-1], atol=1e-3)


@pytest.mark.exhaustive
def test_a_jumper_with_an_elastic_tendon_leaves_the_ground() -> None:
    made = freebody.optimal_motion(JUMPER, (0.2, 1.0), **JUMP, nodes=11)
    height = -made.statistics["objective"]
    assert 0.94 < height < 1.0  # its straight legs are 0.92 m long
    assert made.statistics["simulated_error"] < 0.02
    assert made["constraint_force"].sel(constraint="foot_normal").min() > -1e-6
    pull = made["inputs"].sel(input="F")
    assert 0 < float(pull.max()) < 12000 * 1.5


def test_what_muscles_are_made_of_is_not_sought_with_them(tmp_path: Path) -> None:
    text = JUMPER.read_text("utf-8").replace("length = 0.093", 'length = "L/5"')
    (tmp_path / "jumper.toml").write_text(text, "utf-8")
    with pytest.raises(freebody.ArgumentError, match="free: 'L' is in the 'hill' of muscles"):
        freebody.optimal_motion(
            tmp_path / "jumper.toml", 0.4, **JUMP, nodes=3, free={"L": (0.4, 0.5)}
        )
    with pytest.raises(FreebodyError, match="has no muscles"):
        freebody.optimal_motion("pendulum", 0.4, "T**2", excited=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"closed": ["heel"]}, "expected one of foot1, foot2, found impact 'heel'"),
        ({"closed": ["foot2"]}, "'foot2' is closed already"),
        ({"closed": [], "impact": None}, "the model has impacts"),
        ({"cycle": {"q1": "q9"}}, "cycle: 'q1': .*q9"),
    ],
)
def test_what_ends_in_no_impact_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(FreebodyError, match=message):
        freebody.optimal_motion(WALKER, 0.7, EFFORT, **{**STEP, **options}, nodes=3)


def test_the_command_tells_and_draws(tmp_path: Path) -> None:
    arguments = ["optimize", str(BLOCK), "--duration", "0.1:9", "--minimize", "1", "--nodes", "5"]
    arguments += ["--end", "x=1", "--end", "x_dot=0", "--bound", "F=-1:1", "--free", "m=0.5:3"]
    files = ["-o", str(tmp_path / "best.nc"), "--plot", str(tmp_path / "best.png")]
    run = CliRunner().invoke(main, [*arguments, *files])
    assert run.exit_code == 0, run.output
    assert "duration 1.41421 s" in run.output
    assert "m = 0.5" in run.output
    assert (tmp_path / "best.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"duration": -1.0}, "expected positive numbers in order"),
        ({"minimize": None}, "expected what to minimize"),
        ({"minimize": "G**2"}, "minimize: .*G"),
        ({"end": {"z": 1}}, "end: 'z'"),
        ({"end": {"position.blok.x": 1}}, "did you mean 'block'"),
        ({"inputs": {"T": 0}}, "there is no input 'T'"),
        ({"free": {"mm": (1.0, 2.0)}}, "there is no constant 'mm'"),
        ({"free": {"m": (2.0, 1.0)}}, "expected numbers in order"),
        ({"nodes": 2}, "expected 3 to 10000"),
        ({"bounds": {"x": (0.0, 0.5)}}, "end: 'x': expected it within its bounds 0 to 0.5, found"),
        ({"bounds": {"F": ("3", 1.0)}}, "bounds: 'F': expected numbers in order, found 3 and 1"),
        ({"bounds": {"F": (-1.0, 1.0)}}, "IPOPT finds no movement.*; not met: .*x at the end"),
    ],
)
def test_what_cannot_be_found_is_refused(options: dict[str, Any], message: str) -> None:
    given = {"duration": 1.0, "minimize": "F**2", "end": THERE, "nodes": 3, **options}
    with pytest.raises(FreebodyError, match=message):
        freebody.optimal_motion(BLOCK, **given)


@pytest.mark.exhaustive
def test_the_best_of_several_starts_is_the_same_whoever_searches() -> None:
    # a quarter turn up, either way: gravity makes one of them cheaper
    wanted: dict[str, Any] = {
        "start": {"theta": 0.5, "theta_dot": 0},
        "end": {"cos(theta)": -1, "theta_dot": 0},
        "nodes": 9,
    }
    one = freebody.optimal_motion("pendulum", 1.0, "T**2", **wanted)
    several = freebody.optimal_motion("pendulum", 1.0, "T**2", **wanted, starts=4, seed=2)
    apart = freebody.optimal_motion(
        "pendulum", 1.0, "T**2", **wanted, starts=4, seed=2, scheduler=2
    )
    objectives = several.statistics["objectives"]
    assert objectives[0] == one.statistics["objective"]
    assert several.statistics["objective"] == min(filter(None, objectives))
    assert apart.statistics["objectives"] == objectives
    with pytest.raises(freebody.ArgumentError, match="expected one or more"):
        freebody.optimal_motion("pendulum", 1.0, "T**2", **wanted, starts=0)
