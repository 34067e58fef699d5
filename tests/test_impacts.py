"""Impacts: the speeds after them, their impulses, and motions from one to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import freebody
from freebody.errors import DerivationError, ModelError, SimulationError
from freebody.model import loads

BALL = """
title = "A ball that bounces"
gravity = [0, "-g", 0]
[coordinates]
x = { title = "along", unit = "m", initial = 0, initial_speed = 1 }
y = { title = "height", unit = "m", initial = 1 }
s = { title = "spin", unit = "rad", initial = 0, initial_speed = 0 }
[constants]
m = { title = "mass", unit = "kg", value = 0.3 }
r = { title = "radius", unit = "m", value = 0.1 }
e = { title = "restitution", unit = "1", value = 0.8 }
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "ball"
mass = "m"
inertia = "2*m*r**2/5"
[[joints]]
name = "flight"
type = "planar"
parent = "ground"
child = "ball"
translation = ["x", "y"]
rotation = "s"
[[impacts]]
name = "floor"
type = "touch"
on = "ball"
arm = [0, "-r", 0]
restitution = "e"
"""
ROUGH = 'restitution = "e"\nrough = ["x"]\n'
ROD = """
title = "A rod that slides and catches a peg"
[coordinates]
x = { title = "of its centre", unit = "m", initial = -1, initial_speed = 1 }
y = { title = "of its centre", unit = "m", initial = "l/2" }
th = { title = "turn", unit = "rad", initial = 0 }
[constants]
m = { title = "mass", unit = "kg", value = 2 }
l = { title = "length", unit = "m", value = 0.6 }
[[bodies]]
name = "rod"
mass = "m"
inertia = "m*l**2/12"
[[joints]]
name = "ice"
type = "planar"
parent = "ground"
child = "rod"
translation = ["x", "y"]
rotation = "th"
[[points]]
name = "tip"
on = "rod"
at = [0, "-l/2", 0]
[[impacts]]
name = "peg"
type = "catch"
between = [{ on = "ground" }, { on = "rod", at = [0, "-l/2", 0] }]
axes = ["x", "y"]
when = "position.tip.x > 0"
stays = true
"""
WHEEL = """
title = "The rimless wheel on a slope"
gravity = ["g*sin(slope)", "-g*cos(slope)", 0]
[each]
k = { from = 0, to = 2 }
[coordinates]
x = { title = "hub", unit = "m", initial = "-l*sin(a)", initial_speed = "w*l*cos(a)" }
y = { title = "hub", unit = "m", initial = "l*cos(a)", initial_speed = "w*l*sin(a)" }
th = { title = "lean", unit = "rad", initial = "a", initial_speed = "-w" }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
l = { title = "spoke", unit = "m", value = 1 }
J = { title = "moment of inertia", unit = "kg*m**2", value = 0.3 }
slope = { title = "slope", unit = "rad", value = 0.15 }
a = { title = "first lean", unit = "rad", value = 0.2 }
w = { title = "first rate", unit = "rad/s", value = 1.5 }
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "wheel"
mass = "m"
inertia = "J"
[[joints]]
name = "plane"
type = "planar"
parent = "ground"
child = "wheel"
translation = ["x", "y"]
rotation = "th"
[[impacts]]
name = "spoke{k}"
type = "touch"
on = "wheel"
at = ["l*sin({k}*pi/3)", "-l*cos({k}*pi/3)", 0]
rough = ["x"]
"""


def happened(run: freebody.Simulation, what: str) -> list[dict[str, Any]]:
    return [one for one in run.statistics["impacts"] if one["what"] == what]


@pytest.mark.few("heyoka")
@pytest.mark.parametrize("engine", ["pydy", "heyoka"])
def test_a_ball_bounces_as_high_as_its_restitution_says_and_comes_to_rest(engine: str) -> None:
    slow = {"e": 0.5}
    run = freebody.simulate(loads(BALL), 3.0, step=0.05, engine=engine, constants=slow)
    bounces, e, h = happened(run, "rebounds"), 0.5, 0.9
    first = np.sqrt(2 * h / 9.81)
    flights = 2 * first * e ** np.arange(1, len(bounces))
    np.testing.assert_allclose(
        [one["time"] for one in bounces], first + np.cumsum([0, *flights]), atol=1e-6
    )
    lost = [0.3 * 9.81 * h * e ** (2 * n) * (1 - e**2) for n in range(5)]
    np.testing.assert_allclose([one["energy_lost"] for one in bounces[:5]], lost, rtol=1e-8)
    (rest,) = happened(run, "rests")
    assert rest["time"] == pytest.approx(first * (1 + 2 * e / (1 - e)), abs=1e-4)
    assert run.energy_drift < 1e-9
    force = run["constraint_force"].sel(constraint="floor_normal").to_numpy()
    weights = np.where(run["time"] > rest["time"], 0.3 * 9.81, 0)
    np.testing.assert_allclose(force, weights, atol=1e-9)
    assert float(run["coordinates"].sel(coordinate="x")[-1]) == pytest.approx(3)


def test_a_ball_that_does_not_slip_rolls_away_with_five_sevenths_of_its_speed() -> None:
    """Newton's restitution along the normal; along the ground the slip vanishes."""
    rough = loads(BALL.replace('restitution = "e"\n', ROUGH))
    run = freebody.simulate(rough, 0.6, step=0.1)
    (bounce,) = happened(run, "rebounds")
    assert bounce["impulses"]["floor_x"] == pytest.approx(-0.3 * 2 / 7, rel=1e-9)
    speeds = run["speeds"].isel(time=-1)
    assert float(speeds.sel(speed="x_dot")) == pytest.approx(5 / 7)
    assert float(speeds.sel(speed="s_dot")) == pytest.approx(-5 / 7 / 0.1)


@pytest.mark.exhaustive
def test_a_rod_that_catches_a_peg_turns_about_it_with_its_angular_momentum() -> None:
    run = freebody.simulate(loads(ROD), 2.0)
    (caught,) = happened(run, "stays")
    assert caught["time"] == pytest.approx(1)
    assert caught["impulses"]["peg_x"] == pytest.approx(-2 / 4)
    assert caught["energy_lost"] == pytest.approx(2 / 8)
    assert float(run["speeds"].sel(speed="th_dot")[-1]) == pytest.approx(-3 / (2 * 0.6))
    pull = run["constraint_force"].to_numpy()[-1]
    assert np.hypot(*pull) == pytest.approx(2 * 0.3 * 2.5**2)
    assert run.statistics["constraint_residual"] < 1e-10


@pytest.mark.exhaustive
def test_a_rimless_wheel_comes_to_the_speed_of_its_closed_form() -> None:
    """At each step the square of the speed gains by the fall and loses by the impact."""
    run = freebody.simulate(loads(WHEEL), 1.6, step=0.1)
    lost = np.array([one["energy_lost"] for one in happened(run, "meets")])
    eta = (0.3 + np.cos(np.pi / 3)) / (0.3 + 1)
    gain = 4 * 9.81 * np.sin(np.pi / 6) * np.sin(0.15)
    assert len(happened(run, "leaves")) == len(lost) == 2
    assert lost[1] == pytest.approx(eta**2 * lost[0] + gain / 2 * (1 - eta**2), rel=1e-8)
    assert run.energy_drift < 1e-8


@pytest.mark.exhaustive
def test_what_leaves_on_a_rough_surface_while_it_is_pressed_on_is_told() -> None:
    with pytest.raises(SimulationError, match="pressed on where it slips"):
        freebody.simulate(loads(WHEEL), 3.0, constants={"slope": 0.35, "w": 1.0})


def test_programs_of_an_impact_obey_its_laws_and_documents_print_them(tmp_path: Any) -> None:
    rough = loads(BALL.replace('restitution = "e"\n', ROUGH))
    found = freebody.compile(rough, outputs=["impact.floor"])["impact.floor"]
    after = found.of({"t": 0.0, "q": [0, 0.1, 0], "u": [1, -2, 3], "constants": None})
    slip = (1 + 0.1 * 3) * 2 / 7
    expected = [1 - slip, 1.6, 3 - slip / (0.4 * 0.1), 0.3 * 3.6, -0.3 * slip]
    np.testing.assert_allclose(after, expected, atol=1e-12)
    (tmp_path / "ball.toml").write_text(BALL.replace('restitution = "e"\n', ROUGH))
    page = """+++
title = "A ball on a rough floor"
model = "ball"
[symbols]
'u' = "x_dot"
'v' = "y_dot"
'w' = "s_dot"
'm' = "m"
'r' = "r"
'e' = "e"
"u'" = "after.floor.x_dot"
"v'" = "after.floor.y"
'P' = "impulse.floor.normal"
'Q' = "energy_lost.floor"
+++
$$ u' = \\frac{5u - 2rw}{7} \\tag{1} $$
$$ v' = -e v \\tag{2} $$
$$ P = -m (1 + e) v \\tag{3} $$
$$ Q = \\frac{m}{2}(1 - e^2) v^2 + \\frac{m}{7}(u + rw)^2 \\tag{4} $$
$$ P = -m (1 - e) v \\tag{5} $$
"""
    (tmp_path / "page.md").write_text(page)
    report = freebody.check(tmp_path / "page.md")
    (told,) = report.documents
    assert [one.status for one in told.equations] == ["holds"] * 4 + ["differs"]


def test_the_laws_of_impacts_are_told_with_the_equations() -> None:
    """Their rows of J are the slopes of what closes, and what their impulses do."""
    rough = loads(BALL.replace('restitution = "e"\n', ROUGH))
    lines = str(freebody.derive(rough)).splitlines()
    told = ["J[1,2] = 1", "J[2,1] = 1", "J[2,3] = r", "e[1] = e"]
    assert [line for line in lines if line.startswith("floor")] == [f"floor.{one}" for one in told]


@pytest.mark.exhaustive
def test_limits_and_guards(tmp_path: Any) -> None:
    """A pendulum rebounds from a stop at the vertical; if guarded, only on its way to the left."""
    stop = '[[impacts]]\nname = "stop"\ntype = "limit"\nexpression = "-theta"\nrestitution = 0.5\n'
    text = freebody.model.dumps(freebody.load("pendulum")) + stop
    run = freebody.simulate(loads(text), 2.0, initial={"theta": -1.0}, unchecked=True)
    first = happened(run, "rebounds")[0]
    free = freebody.simulate("pendulum", 2.0, initial={"theta": -1.0}, unchecked=True)
    fastest = float(np.abs(free["speeds"]).max())
    before = 2 * first["energy_lost"] / (1 - 0.25)
    inertia = float(free["terms"].sel(term="inertia")[0, 0] / free["accelerations"][0, 0])
    assert np.sqrt(before / inertia) == pytest.approx(fastest, rel=1e-3)
    guarded = loads(text + 'only = "-theta_dot"\n')
    other = freebody.simulate(guarded, 1.0, initial={"theta": -1.0}, unchecked=True)
    assert not other.statistics["impacts"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('arm = [0, "-r", 0]', 'rough = ["y"]'), "expected an axis in the plane, found 'y'"),
        (('arm = [0, "-r", 0]', "normal = [0, 0, 0]"), "expected a direction, found the zero"),
        (('on = "ball"\narm', 'on = "bal"\narm'), "no body 'bal'; did you mean 'ball'?"),
        (('restitution = "e"\n', "restitution = -1\n"), "expected a value that is not negative"),
    ],
)
def test_mistakes_in_impacts_are_told(change: tuple[str, str], told: str) -> None:
    with pytest.raises(ModelError, match=told.replace("?", r"\?")):
        loads(BALL.replace(*change))


def test_many_motions_with_impacts_go_one_at_a_time() -> None:
    runs = freebody.sweep(loads(BALL), {"e": [0.2, 0.8]}, 0.5)
    speeds = runs["speeds"].sel(speed="y_dot").isel(time=-1).to_numpy().ravel()
    first, fall = np.sqrt(1.8 / 9.81), np.sqrt(1.8 * 9.81)
    np.testing.assert_allclose(speeds, [e * fall - 9.81 * (0.5 - first) for e in (0.2, 0.8)])


def test_what_does_not_follow_impacts_says_so() -> None:
    model = loads(BALL)
    with pytest.raises(DerivationError, match="expected a model with impacts"):
        freebody.compile("pendulum", outputs=["impact.floor"])
    apart = loads(ROD.replace('initial = "l/2"', "initial = 2.3"))
    with pytest.raises(SimulationError, match="2 m apart"):
        freebody.simulate(apart, 2.0)
    with pytest.raises(SimulationError, match="expected the force of a constraint, found 'floor'"):
        freebody.simulate(model, 1.0, events=[freebody.Event("force.floor < 0")])
