"""Stops, friction, contact, springs and dampers that follow laws, against numbers by hand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from conftest import OWN
from freebody import simulate
from freebody.errors import DerivationError, ModelError, ModelWarning
from freebody.mechanics import mechanism
from freebody.model import loads

if TYPE_CHECKING:
    from conftest import System

SMALL = 1e-12


def law(system: System, name: str, **state: float) -> float:
    """Return the force of a law in a state, at the numbers of the model, at rest if not said."""
    moving = system.mechanism
    (symbol,) = (symbol for symbol in moving.laws if str(symbol.func) == name)
    still = dict.fromkeys((*moving.names.coordinates, *moving.names.speeds), 0.0)
    found: float = system.value(symbol, still | moving.names.values() | {"t": 0.0} | state)
    return found


# ---------------------------------------------------------------------- stops


@pytest.mark.parametrize("q", [-1.3, -1.01, -0.4, 0.5, 0.99, 1.0, 1.2])
@pytest.mark.parametrize("rate", [-2.0, 0.0, 1.5])
def test_a_stop_pushes_back_from_both_ends(system_of: Any, q: float, rate: float) -> None:
    def push(beyond: float, into: float) -> float:
        depth = (beyond + np.hypot(beyond, 0.02)) / 2
        return 30 * depth * (1 + 0.3 * into)

    expected = push(-1 - q, -rate) - push(q - 1, rate)
    found = law(system_of("shaken"), "stop_0", q=q, q_dot=rate)
    assert found == pytest.approx(expected, abs=SMALL)


def test_a_stop_is_a_spring_far_beyond_the_end_and_nothing_far_within(system_of: Any) -> None:
    shaken = system_of("shaken")
    assert law(shaken, "stop_0", q=1.5) == pytest.approx(-30 * 0.5, rel=1e-3)
    assert law(shaken, "stop_0", q=-1.5) == pytest.approx(30 * 0.5, rel=1e-3)
    assert abs(law(shaken, "stop_0", q=0.7)) < 30 * 0.02**2 / 4 / 0.3 * 1.01
    assert law(shaken, "stop_0", q=0) == pytest.approx(0, abs=SMALL)


def test_a_stop_goes_by_the_angle_of_its_joint_with_what_is_prescribed(system_of: Any) -> None:
    shaken = system_of("shaken")
    tilted, still = law(shaken, "stop_0", q=0.9, t=2.0), law(shaken, "stop_0", q=1.3)
    slow = 30 * (0.3 + np.hypot(0.3, 0.02)) / 2 * 0.3 * 0.1 * 2 * 2.0
    assert tilted == pytest.approx(still - slow, rel=1e-3)


# ---------------------------------------------------------------------- friction


def test_friction_is_dry_and_viscous(system_of: Any) -> None:
    shaken = system_of("shaken")
    assert law(shaken, "friction_0", q_dot=3) == pytest.approx(-0.05 - 0.02 * 3, abs=SMALL)
    assert law(shaken, "friction_0", q_dot=-3) == pytest.approx(0.05 + 0.02 * 3, abs=SMALL)
    assert law(shaken, "friction_0") == 0
    at_smoothing = law(shaken, "friction_0", q_dot=0.05) + 0.02 * 0.05
    assert at_smoothing == pytest.approx(-0.05 * 0.7616, rel=1e-4)


# ---------------------------------------------------------------------- contact


@pytest.mark.parametrize(
    ("depth", "into", "force"),
    [
        (0.01, 0.0, 20000 * 0.01**1.5),
        (0.04, 0.5, 20000 * 0.008 * (1 + 0.8 * 0.5)),
        (0.04, -0.5, 20000 * 0.008 * (1 - 0.8 * 0.5)),
        (0.04, -2.0, 0.0),  # it does not stick
        (-0.001, 1.0, 0.0),
    ],
)
def test_contact_pushes_after_hunt_and_crossley(
    system_of: Any, depth: float, into: float, force: float
) -> None:
    """With the ramp's normal (0.6, 0.8), the heel is at its place when the plank is at -b."""
    state = _touching(depth, into)
    assert law(system_of("bouncer"), "heel_normal", **state) == pytest.approx(force, abs=1e-9)


def _touching(depth: float, into: float, along: float = 0.0) -> dict[str, float]:
    """Return the state of a plank whose heel is at a depth, with speeds into and along a ramp."""
    x, y = -depth * np.array([0.6, 0.8]) + [0.15, 0]
    v, w = -into * np.array([0.6, 0.8]) + along * np.array([0.8, -0.6])
    rising = 0.01 * 6 * np.array([0.6, 0.8])  # the ramp itself rises at t = 0
    return {"x": x, "y": y, "x_dot": v + rising[0], "y_dot": w + rising[1]}


def test_a_law_of_contact_is_one_of_depth_and_its_rate(system_of: Any) -> None:
    bouncer = system_of("bouncer")
    state = _touching(0.02, 0.3)
    state["x"] -= 0.3
    assert law(bouncer, "toe_normal", **state) == pytest.approx(4000 * 0.02 + 20 * 0.3, abs=1e-9)
    assert law(bouncer, "toe_normal", **{**state, "y": 0.2}) == 0


@pytest.mark.parametrize("along", [-0.7, -0.01, 0.0, 0.01, 2.0])
def test_friction_of_a_contact_is_against_the_slip_and_within_its_cone(
    system_of: Any, along: float
) -> None:
    bouncer = system_of("bouncer")
    state = _touching(0.02, 0.1, along)
    normal = law(bouncer, "heel_normal", **state)
    drag = law(bouncer, "heel_friction", **state) * along
    assert drag == pytest.approx(-0.3 * normal * along / np.hypot(along, 0.01), abs=1e-9)
    assert abs(drag) < 0.3 * normal
    if abs(along) == 0.01:
        assert abs(drag) == pytest.approx(0.3 * normal * 0.7071, rel=1e-4)


@pytest.mark.exhaustive
def test_contact_and_its_friction_act_on_the_plank_as_generalized_forces(system_of: Any) -> None:
    bouncer = system_of("bouncer")
    state = _touching(0.02, 0.1, 0.5)
    names = bouncer.mechanism.names
    numbers = dict.fromkeys((*names.coordinates, *names.speeds), 0.0) | names.values()
    numbers |= {"t": 0.0, **state}
    normal, slide = np.array([0.6, 0.8]), np.array([0.8, -0.6])
    push = law(bouncer, "heel_normal", **state)
    force = push * normal + law(bouncer, "heel_friction", **state) * 0.5 * slide
    found = bouncer.value(bouncer.equations().E, numbers)
    np.testing.assert_allclose(found, [-force[0], -force[1], 0.15 * force[1]], atol=1e-9)


# ---------------------------------------------------------------------- springs and dampers


def test_a_spring_may_stiffen_and_a_damper_grow_with_the_square(system_of: Any) -> None:
    slab = system_of("slab")
    n = {**dict.fromkeys(slab.numbers(), 0.0), **slab.mechanism.names.values(), "out": 0.3}
    place = slab.value(slab.mechanism.position("tip"), n)
    stretch = np.linalg.norm(place) - 0.25
    expected = 40 * stretch + 90 * stretch**3
    assert law(slab, "spring_0", out=0.3) == pytest.approx(expected, rel=1e-12)
    for speed in (-2.0, 1.5):
        velocity = slab.value(slab.mechanism.velocity("tip"), n | {"out_dot": speed})
        rate = velocity @ place / np.linalg.norm(place)
        found = law(slab, "damper_0", out=0.3, out_dot=speed)
        assert found == pytest.approx(0.7 * rate * abs(rate), rel=1e-12)


def test_a_cable_pulls_when_it_is_stretched_and_only_then(system_of: Any) -> None:
    slab = system_of("slab")
    lengths = []
    for x in np.linspace(-1, 1, 9):
        n = {**dict.fromkeys(slab.numbers(), 0.0), **slab.mechanism.names.values(), "x": x}
        moving = slab.mechanism
        turn = slab.value(moving.ground.dcm(moving.frames["slab"]), n)
        corner = slab.value(moving.position("slab"), n) - turn @ [0.1, 0, 0]
        lengths.append(np.linalg.norm(corner + turn @ [0, -0.2, 0] - [1, 0, 0]))
        pull = law(slab, "spring_1", x=x)
        assert pull == pytest.approx(40 * max(lengths[-1] - 0.25, 0), rel=1e-12)
    assert min(lengths) > 0.25


def test_a_slack_cable_does_not_push() -> None:
    text = OWN["oscillator"].read_text()
    run = simulate(loads(text + "rest = 0.2\none_sided = true\n"), duration=1.5, step=0.05)
    x, a = (run.data[name].to_numpy()[:, 0] for name in ("coordinates", "accelerations"))
    assert x.min() < 0.1
    np.testing.assert_allclose(a, -9 * np.maximum(x - 0.2, 0), atol=1e-9)


def test_a_spring_of_joint_pulls_by_its_elongation(system_of: Any) -> None:
    found = law(system_of("shaken"), "spring_0", p=0.6)
    assert found == pytest.approx(2 * 0.5 + 1.5 * 0.5**3, rel=1e-12)


# ---------------------------------------------------------------------- energy


@cache
def simulated(name: str) -> Any:
    return simulate(OWN[name], duration=1, step=0.05)


@pytest.mark.few("shaken", "bouncer")
@pytest.mark.parametrize("name", ["slab", "gimbals", "sockets", "shaken", "bouncer"])
def test_work_of_laws_and_of_moving_supports_is_counted(name: str) -> None:
    run = simulated(name)
    assert float(abs(run.data["energy"].sel(kind="work")).max()) > 0.1
    assert run.energy_drift < 1e-9


# ---------------------------------------------------------------------- what is told


def changed(name: str, *changes: tuple[str, str]) -> list[str]:
    text = OWN[name].read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    try:
        loads(text)
    except ModelError as error:
        return [str(problem) for problem in error.problems]
    return []


WRONG = [
    ("shaken", "smoothing = 0.05", "", "friction[0].smoothing: is missing"),
    ("shaken", "smoothing = 0.05", "smoothing = 0", "friction[0].smoothing: expected a value that"),
    ("shaken", 'lower = "-limit"\nupper = "limit"', "", "stops[0]: expected 'lower', 'upper' or"),
    ("shaken", "smoothing = 0.02", "smoothing = -1", "stops[0].smoothing: expected a value that"),
    (
        "shaken",
        'lower = "-limit"',
        'lower = "2*limit"',
        "stops[0].upper: expected a value above the lower end 2, found 1",
    ),
    ("shaken", '"k1*elongation + ', '"k1*depth + ', "springs[0].law: 'depth' is not declared"),
    ("shaken", "law =", "stiffness = 1\nlaw =", "springs[0]: expected either 'stiffness' or 'law'"),
    ("shaken", 'joint = "hinge"\nlower', 'joint = "hinges"\nlower', "stops[0].joint: no joint"),
    (
        "shaken",
        'coulomb = "f"',
        'coulomb = "f*elongation"',
        "friction[0].coulomb: 'elongation' is not declared",
    ),
    ("bouncer", "normal = [3, 4, 0]", "normal = [0, 0, 0]", "contacts[0].normal: expected a direc"),
    ("bouncer", "smoothing = 0.01", "", "contacts[0]: expected a 'smoothing' with 'friction'"),
    ("bouncer", 'law = "kl*', 'stiffness = 3\nlaw = "kl*', "contacts[1]: expected either"),
    ("bouncer", "kl*depth +", "kl*elongation +", "contacts[1].law: 'elongation' is not declared"),
    ("bouncer", '"N/m**1.5"', '"N/m"', "contacts[0].stiffness: expected a value in N/m**(1.5)"),
    (
        "bouncer",
        'height = "h*',
        'height = "x_dot*h*',
        "contacts[0].height: expected only constants",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "told"), WRONG)
def test_what_is_wrong_with_a_law_is_told(name: str, old: str, new: str, told: str) -> None:
    found = changed(name, (old, new))
    assert any(told in problem for problem in found), found


CLASHES = [
    ("shaken", "stop_0", "the force of stops[0]"),
    ("shaken", "friction_0", "the force of friction[0]"),
    ("shaken", "spring_0", "the force of springs[0]"),
    ("slab", "spring_1", "the force of springs[1]"),
    ("slab", "damper_0", "the force of dampers[0]"),
    ("bouncer", "heel_normal", "the normal force of contact 'heel'"),
    ("bouncer", "toe_friction", "the friction force of contact 'toe'"),
]


@pytest.mark.parametrize(("model", "name", "what"), CLASHES)
def test_names_of_forces_are_taken(model: str, name: str, what: str) -> None:
    declared = f'[constants]\n{name} = {{ title = "", unit = "1" }}'
    found = changed(model, ("[constants]", declared))
    assert found == [f"constants.{name}: '{name}' is also {what}; expected another name"]


def test_names_of_forces_that_there_are_not_are_free() -> None:
    declared = '[constants]\ndamper_0 = { title = "", unit = "1" }'
    with pytest.warns(ModelWarning, match="constants.damper_0: is not used"):
        assert changed("shaken", ("[constants]", declared)) == []


def test_a_spring_between_points_that_never_part_is_told() -> None:
    text = OWN["cart"].read_text(encoding="utf-8")
    spring = '\n[[springs]]\nbetween = [{ on = "cart" }, { on = "bob" }]\nstiffness = 3\nrest = 1\n'
    with pytest.raises(DerivationError, match="'cart' and 'bob' has no direction"):
        mechanism(loads(text + spring))


@pytest.mark.parametrize("axis", ["[1, 2, 3]", '["Ix/Iz", 2, 1]'], ids=["sqrt(14)", "constants"])
def test_a_spring_between_points_may_be_carried_about_any_axis(axis: str) -> None:
    text = OWN["space"].read_text(encoding="utf-8").replace("axis = [0, -1, 0]", f"axis = {axis}")
    spring = (
        '\n[[springs]]\nbetween = [{ on = "ground" }, { on = "tool" }]\nstiffness = 3\nrest = 1\n'
    )
    assert len(mechanism(loads(text + spring)).loads) > len(mechanism(loads(text)).loads)
