"""Constraints of which some follow from the others, and the forces that they leave open."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import freebody
from freebody.algebra import Ring
from freebody.errors import DerivationError, ModelError, SimulationError
from freebody.mechanics.derivation import agreement
from freebody.model import folder, loads

FOUR_BAR = (folder("four_bar") / "model.toml").read_text("utf-8")
CLOSED = """
name = "loop"
type = "coincident"
between = [{ on = "rocker", at = ["c", 0, 0] }, { on = "coupler", at = ["b", 0, 0] }]
axes = ["x", "y"]
dependent = ["theta3", "theta4"]
"""
DRAWN = """
name = "loop"
type = "coincident"
between = [{ on = "rocker", at = ["c", 0, 0] }, { on = "coupler", at = ["b", 0, 0] }]
dependent = [DEPENDENT]

[[constraints]]
name = "hinge"
type = "parallel"
on = "coupler"
to = "rocker"
axes = ["x", "y"]
dependent = []
"""
TABLE = """
title = "A table on four legs"
gravity = [0, 0, "-g"]
redundant = "keep"
[each]
leg = [1, 2, 3, 4]
[coordinates]
z = { title = "height", unit = "m", initial = 0 }
a = { title = "about x", unit = "rad", initial = 0 }
b = { title = "about y", unit = "rad", initial = 0 }
[constants]
m = { title = "mass", unit = "kg", value = 12 }
w = { title = "half the width", unit = "m", value = 0.5 }
x = { title = "centre of mass, along x", unit = "m", value = 0.2 }
y = { title = "centre of mass, along y", unit = "m", value = -0.1 }
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "pillar"
mass = 0
[[bodies]]
name = "table"
mass = "m"
center_of_mass = ["x", "y", 0]
inertia = ["m*w**2/3", "m*w**2/3", "2*m*w**2/3"]
[[joints]]
name = "lift"
type = "slider"
parent = "ground"
child = "pillar"
axis = [0, 0, 1]
displacement = "z"
[[joints]]
name = "tilt"
type = "universal"
parent = "pillar"
child = "table"
angles = ["a", "b"]
"""
LEGS = """
[[constraints]]
name = "leg{n}"
type = "coincident"
axes = ["z"]
between = [{{ on = "ground", at = [{at}, 0] }}, {{ on = "table", at = [{at}, 0] }}]
dependent = [{dependent}]
"""


DOOR = """
title = "A door on two hinges"
redundant = "keep"
[coordinates]
a = { title = "angle", unit = "rad", initial = 0, initial_speed = 2 }
[constants]
m = { title = "mass", unit = "kg", value = 20 }
w = { title = "width", unit = "m", value = 0.8 }
h = { title = "distance of the hinges", unit = "m", value = 1.5 }
[[bodies]]
name = "door"
mass = "m"
center_of_mass = ["w/2", 0, "h/2"]
inertia = ["m*h**2/12", "m*(w**2 + h**2)/12", "m*w**2/12"]
[[joints]]
name = "lower"
type = "pin"
parent = "ground"
child = "door"
angle = "a"
[[constraints]]
name = "upper"
type = "coincident"
between = [{ on = "ground", at = [0, 0, "h"] }, { on = "door", at = [0, 0, "h"] }]
dependent = []
"""


def drawn(dependent: str = '"theta3", "theta4"') -> str:
    """Return the shipped linkage with the last hinge as it is drawn: five equations."""
    assert CLOSED.strip() in FOUR_BAR
    whole = FOUR_BAR.replace(CLOSED.strip(), DRAWN.strip().replace("DEPENDENT", dependent))
    return whole.replace('gravity = [0, "-g", 0]', 'gravity = [0, "-g", 0]\nredundant = "keep"', 1)


@cache
def shipped_run() -> freebody.Simulation:
    return freebody.simulate("four_bar", 0.5, unchecked=True)


@pytest.mark.exhaustive
@pytest.mark.few("heyoka")
@pytest.mark.parametrize(
    ("dependent", "engine"),
    [
        ('"theta3", "theta4"', "pydy"),
        ('"theta2", "theta3"', "pydy"),
        ('"theta2", "theta3"', "heyoka"),
    ],
)
def test_a_linkage_as_it_is_drawn_moves_as_that_without_what_is_redundant(
    dependent: str, engine: str
) -> None:
    """The crank turns around, and the rocker, of which it depends, comes to dead points."""
    other = shipped_run()
    start = other.provenance["initial"]
    run = freebody.simulate(loads(drawn(dependent)), 0.5, initial=start, engine=engine)
    np.testing.assert_allclose(run["coordinates"], other["coordinates"], atol=1e-6)
    for axis in "xy":
        force = run["constraint_force"].sel(constraint=f"loop_{axis}")
        known = other["constraint_force"].sel(constraint=f"loop_{axis}")
        np.testing.assert_allclose(force, known, rtol=1e-5, atol=1e-4)
    assert set(run["rank"].to_numpy()) == {2}
    assert run.statistics["rank"] == 2


@pytest.mark.exhaustive
def test_forces_that_are_not_determined_are_told_with_their_directions() -> None:
    run, other = freebody.simulate(loads(drawn()), 0.2), shipped_run()
    force = run["constraint_force"]
    assert np.isnan(force.sel(constraint=["loop_z", "hinge_x", "hinge_y"])).all()
    directions = run["undetermined"].isel(time=7).to_numpy()
    np.testing.assert_allclose(directions, np.eye(5)[2:], atol=1e-12)
    across = run["reaction_force"].sel(joint="O4", axis="z")
    along = run["reaction_force"].sel(joint="O4", axis=["x", "y"])
    assert np.isnan(across).all()
    known = other["reaction_force"].sel(joint="O4", axis=["x", "y"])[: len(along)]
    np.testing.assert_allclose(along, known, rtol=1e-7, atol=1e-6)
    (note,) = run.notes
    assert "do not determine the forces loop_z, hinge_x, hinge_y and the reactions at O2" in note


@pytest.mark.exhaustive
def test_the_formulations_agree_and_the_program_is_verified() -> None:
    model, ring = loads(drawn()), Ring()
    found = [freebody.derive(model, method, ring) for method in ("kane", "lagrange")]
    assert found[0].J.shape == (5, 3)
    assert all(one.equal for one in agreement(found).values())


@pytest.mark.exhaustive
def test_bricards_mechanism_moves_as_without_one_equation_of_its_last_hinge() -> None:
    text = (folder("bricard") / "model.toml").read_text("utf-8")
    one_less = text.replace('redundant = "keep"', "").replace('axes = ["y", "z"]', 'axes = ["y"]')
    given = {"duration": 0.6, "tolerance": 1e-10, "step": 0.1}
    run, other = (freebody.simulate(loads(one), **given) for one in (text, one_less))
    np.testing.assert_allclose(run["coordinates"], other["coordinates"], atol=1e-8)
    assert run["undetermined"].sizes["direction"] == 1
    assert run.energy_drift < 1e-8
    assert run.statistics["constraint_residual"] < 1e-12
    rank = set(run["rank"].to_numpy())
    assert rank == {4}


def legs() -> str:
    places = ('"w", "w"', '"-w", "w"', '"-w", "-w"', '"w", "-w"')
    decided = ('"z"', '"a"', '"b"', "")
    return TABLE.replace("[each]\nleg = [1, 2, 3, 4]\n", "") + "".join(
        LEGS.format(n=n, at=at, dependent=name)
        for n, (at, name) in enumerate(zip(places, decided, strict=True), 1)
    )


def test_a_table_on_four_legs_leaves_one_direction_open_and_yields_where_asked() -> None:
    """The forces of least elastic energy are those of a stiff plate on springs, by hand."""
    still = freebody.simulate(loads(legs()), 0.1)
    assert np.isnan(still["constraint_force"]).all()
    direction = still["undetermined"].isel(time=0, direction=0).to_numpy()
    np.testing.assert_allclose(direction * direction[0], [1, -1, 1, -1], atol=1e-12)
    springs = dict.fromkeys(("leg1", "leg2", "leg3", "leg4"), 1e-5)
    run = freebody.simulate(loads(legs()), 0.1, least_norm=springs)
    x, y, w, weight = 0.2, -0.1, 0.5, 12 * 9.81
    expected = [
        weight / 4 * (1 + sx * x / w + sy * y / w)
        for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
    np.testing.assert_allclose(run["constraint_force"].isel(time=-1), expected, rtol=1e-9)
    assert run.provenance["least_norm"] == springs
    assert not np.isnan(run["reaction_force"]).any()


@pytest.mark.exhaustive
def test_a_second_hinge_of_a_door_decides_nothing(tmp_path: Path) -> None:
    run = freebody.simulate(loads(DOOR), 1.0)
    assert float(run["coordinates"][-1, 0]) == pytest.approx(2)
    assert run["undetermined"].sizes["direction"] == 3
    assert set(run["rank"].to_numpy()) == {0}
    (tmp_path / "door.toml").write_text(DOOR)
    page = """+++
title = "The energy of a door"
model = "door"
symbols = { T = "energy.kinetic", m = "m", w = "w", a = "a" }
+++
$$ T = \\frac{m w^2 \\dot{a}^2}{6} $$
"""
    (tmp_path / "page.md").write_text(page)
    (told,) = freebody.check(tmp_path / "page.md").documents
    assert [one.status for one in told.equations] == ["holds"]


@pytest.mark.exhaustive
def test_linearization_and_inverse_dynamics_of_a_linkage_as_it_is_drawn() -> None:
    hung = {"theta2": -1.2, "theta3": 0.6, "theta4": -1.0}
    one, other = (freebody.linearize(model, initial=hung) for model in (loads(drawn()), "four_bar"))
    np.testing.assert_allclose(one.A, other.A, atol=1e-6)
    run = freebody.simulate(loads(drawn()), 0.2)
    given = freebody.inverse(loads(drawn()), run)
    np.testing.assert_allclose(given["inputs"], 0, atol=1e-6)
    assert not np.isnan(given["terms"]).any()
    known = run["constraint_force"].sel(constraint="loop_x")
    np.testing.assert_allclose(given["constraint_force"].sel(constraint="loop_x"), known, atol=1e-4)
    assert np.isnan(given["reaction_force"].sel(joint="O4", axis="z")).all()
    assert any("constraint_force of loop_z, hinge_x, hinge_y does not" in n for n in given.notes)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({'"theta3", "theta4"': '"theta3"'}, "2 equations of the constraints are independent"),
        ({"dependent = []": 'dependent = ["theta2"]'}, "do not decide theta3, theta4, theta2"),
    ],
)
def test_a_wrong_number_of_dependent_coordinates_is_told(change: dict[str, str], told: str) -> None:
    text = drawn()
    for before, after in change.items():
        text = text.replace(before, after)
    start = shipped_run().provenance["initial"]
    with pytest.raises(SimulationError, match=told):
        freebody.simulate(loads(text), 0.1, initial=start)


def test_what_cannot_be_redundant_is_told() -> None:
    model = loads(drawn())
    with pytest.raises(DerivationError, match="redundant, which sympy's KanesMethod cannot take"):
        freebody.mechanism(model).kanes_method()
    with pytest.raises(ModelError, match="redundant = 'keep' where some follow"):
        loads(drawn().replace('redundant = "keep"', ""))
    with pytest.raises(SimulationError, match="no constraint 'lop'; did you mean 'loop'"):
        freebody.simulate(model, 0.1, least_norm={"lop": 1.0})
    with pytest.raises(SimulationError, match="found none of hinge_x, hinge_y"):
        freebody.simulate(model, 0.1, least_norm={"loop": 1.0})
    with pytest.raises(SimulationError, match="positive compliance of 'loop', found 0"):
        freebody.simulate(model, 0.1, least_norm={"loop": 0.0})


def test_constraints_that_come_near_losing_their_rank_are_told() -> None:
    """A linkage whose shortest and longest links are as long as the others but for a hair folds."""
    run = freebody.simulate(
        "four_bar",
        0.3,
        constants={"a": 0.04, "b": 0.12, "c": 0.08, "d": 0.15999999},
        initial={"theta2": 2.0, "theta2_dot": 25, "theta3": 0.1, "theta4": 0.3},
        unchecked=True,
        max_drift=1.0,
    )
    assert run.statistics["nearest_singular"]["value"] < 1e-3
    assert any("come near losing their rank" in note for note in run.notes)
    assert float(run["independence"].min()) < 0.1
