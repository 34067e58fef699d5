"""Frames, points and bodies of a model: where they are, how they move, and what acts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody

import freebody
from conftest import KINDS
from freebody.errors import DerivationError
from freebody.mechanics.balances import Balances
from freebody.model.loads import Coincident, Parallel, Rolling, Wheel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import System
    from freebody.model import Placement

UNIT = dict(zip("xyz", np.eye(3), strict=True))


def cross(vector: Any) -> Any:
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


# ---------------------------------------------------------------------- names


def test_the_parts_of_a_mechanism_have_the_names_of_the_model() -> None:
    arm = freebody.mechanism(freebody.load("three_link_arm"))
    assert list(arm.bodies) == ["upper_arm", "forearm", "hand"]
    assert list(arm.joints) == ["shoulder", "elbow", "wrist"]
    assert list(arm.frames) == ["ground", *arm.bodies]
    assert set(arm.points) == {*arm.bodies, *arm.joints, "spring"}
    assert arm.places["spring"].on == "hand"
    assert [str(q) for q in arm.coordinates] == ["alpha1(t)", "alpha2(t)", "alpha3(t)"]
    assert [str(u) for u in arm.speeds] == ["alpha1_dot(t)", "alpha2_dot(t)", "alpha3_dot(t)"]


def test_bodies_without_inertia_are_particles(system_of: Any) -> None:
    bodies = system_of("chain").mechanism.bodies
    kinds = {name: type(body) for name, body in bodies.items()}
    assert kinds == {"one": RigidBody, "two": RigidBody, "three": Particle}


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        ("position", r"expected a body, a joint or a named .*found 'foream'.*mean 'forearm'"),
        ("angular_velocity", r"expected a body .*found 'foream'; did you mean 'forearm'\?"),
        ("angle", r"found 'foream'; did you mean 'forearm'\?"),
    ],
)
def test_an_unknown_place_is_told_with_the_nearest_name(ask: str, told: str) -> None:
    arm = freebody.mechanism(freebody.load("three_link_arm"))
    with pytest.raises(DerivationError, match=told):
        getattr(arm, ask)("foream")


def test_angles_of_a_planar_chain_add_up(system_of: Any) -> None:
    arm = system_of("three_link_arm").mechanism
    alpha1, alpha2, alpha3 = arm.coordinates
    assert arm.angle("hand") == alpha1 + alpha2 + alpha3
    assert arm.angle("wrist") == alpha3
    with pytest.raises(DerivationError, match="'arm' is not turned by one angle"):
        system_of("space").mechanism.angle("arm")


# ---------------------------------------------------------------------- motion


@pytest.mark.one_in(3)
@pytest.mark.few(*KINDS)
def test_velocities_and_accelerations_are_derivatives_of_positions(system: System) -> None:
    moving = system.mechanism
    for place in moving.points:
        velocity = moving.position(place).applyfunc(moving.rate)
        acceleration = velocity.applyfunc(moving.rate)
        np.testing.assert_allclose(
            system.value(moving.velocity(place)), system.value(velocity), atol=1e-12, err_msg=place
        )
        np.testing.assert_allclose(
            system.value(moving.acceleration(place)), system.value(acceleration), atol=1e-12
        )


@pytest.mark.one_in(3)
@pytest.mark.few(*KINDS)
def test_angular_velocities_are_those_of_the_rotation_matrices(system: System) -> None:
    moving = system.mechanism
    for body in ("ground", *(body.name for body in moving.model.bodies)):
        turn = moving.ground.dcm(moving.frames[body])
        spin = system.value(turn.applyfunc(moving.rate)) @ system.value(turn).T
        omega = moving.angular_velocity(body)
        np.testing.assert_allclose(cross(system.value(omega)), spin, atol=1e-12)
        np.testing.assert_allclose(
            system.value(moving.angular_acceleration(body)),
            system.value(omega.applyfunc(moving.rate)),
            atol=1e-12,
        )


def test_points_are_where_a_ruler_finds_them(system_of: Any) -> None:
    chain = system_of("chain")
    n = chain.numbers()
    q1, q2, length, h = (n[name] for name in ("q1", "q2", "l", "h"))
    along, bent = q1 - np.pi / 2, q1 - np.pi / 2 + q2
    x, y = (np.array([np.cos(bent), np.sin(bent), 0]), np.array([-np.sin(bent), np.cos(bent), 0]))
    joint = length * np.array([np.cos(along), np.sin(along), 0])
    origin = joint - h * x + h * y
    center = origin + length / 2 * x + h * y
    np.testing.assert_allclose(chain.value(chain.mechanism.position("b")), joint, atol=1e-12)
    np.testing.assert_allclose(chain.value(chain.mechanism.position("two")), center, atol=1e-12)


def test_a_slider_moves_along_its_axis_of_unit_length(system_of: Any) -> None:
    space = system_of("space")
    moving = space.mechanism
    start = moving.objects.point("piston.parent")
    away = moving.points["piston"].pos_from(start)
    components = space.value(away.to_matrix(moving.frames["arm"]))
    slide = space.numbers()["slide"]
    np.testing.assert_allclose(components, [0.6 * slide, 0, 0.8 * slide], atol=1e-12)


# ---------------------------------------------------------------------- energy


@pytest.mark.few(*KINDS)
def test_kinetic_energy_is_that_of_the_mass_matrix(system: System) -> None:
    """Of what is quadratic in the speeds: supports that move add what is linear, and the rest."""
    found, speeds = system.equations(), system.speeds()
    there, back, still = (
        system.value(found.kinetic_energy, system.at_speeds(scale)) for scale in (1, -1, 0)
    )
    energy = speeds @ np.atleast_2d(system.value(found.M)) @ speeds / 2
    assert (there + back) / 2 - still == pytest.approx(energy, rel=1e-12)


@pytest.mark.few(*KINDS)
def test_slopes_of_the_potential_energy_are_gravity_and_springs(system: System) -> None:
    found = system.equations()
    elastic = [system.ring.expression(form) for form in found.blocks.elastic]
    force = system.value(found.G) + system.value(sympy.Matrix(elastic))
    slopes = system.value(sympy.Matrix([found.potential_energy.diff(q) for q in found.coordinates]))
    N = np.atleast_2d(system.value(found.N))
    np.testing.assert_allclose(N.T @ slopes, force, atol=1e-12)


# ---------------------------------------------------------------------- reactions


@pytest.mark.few("linkage", "shaken")
def test_reactions_balance_all_that_a_joint_carries(system: System) -> None:
    """The rate of momentum of all bodies beyond a joint is what acts on them from outside."""
    moving = system.mechanism
    for joint, (force, moment) in system.equations().reactions.items():
        beyond = _beyond(system, joint)
        about = system.value(moving.position(joint))
        needed, turning = np.zeros(3), np.zeros(3)
        for body in beyond & moving.bodies.keys():
            arm = system.value(moving.position(body)) - about
            needed += (change := _momentum_rate(system, body))
            turning += np.cross(arm, change) + _spin_rate(system, body)
        for load in moving.loads:
            if load.on in beyond and not load.across:
                at, vector = moving.objects.pair(load)
                applied = system.value(vector.to_matrix(moving.ground))
                if isinstance(at, ReferenceFrame):
                    turning -= applied
                    continue
                place = system.value(at.pos_from(moving.origin).to_matrix(moving.ground))
                needed -= applied
                turning -= np.cross(place - about, applied)
        for on, place, vector in _held(system):
            if on in beyond and place is None:
                turning -= vector
            elif on in beyond:
                needed -= vector
                turning -= np.cross(place - about, vector)
        np.testing.assert_allclose(system.value(force), needed, atol=1e-11, err_msg=joint)
        np.testing.assert_allclose(system.value(moment), turning, atol=1e-11, err_msg=joint)


def _beyond(system: System, joint: str) -> set[str]:
    joints = {said.name: said for said in system.model.joints}
    found = {joints[joint].child}
    for other in joints.values():
        if other.parent in found:
            found.add(other.child)
    return found


def _held(system: System) -> Iterator[tuple[str, Any, Any]]:  # noqa: C901 - a case for each
    """Iterate over the forces and moments of the constraints on bodies, from what the model says.

    Each as the body, the place in numbers or None for a moment, and the vector.
    """
    sizes = iter(system.multipliers())
    for said in system.model.constraints:
        match said:
            case Coincident():
                for axis in said.axes:
                    vector = next(sizes) * UNIT[axis]
                    for place, sign in zip(said.between, (-1, 1), strict=True):
                        yield place.on, _place(system, place), sign * vector
            case Rolling():
                for axis in said.axes:
                    vector = next(sizes) * _turn(system, said.frame) @ UNIT[axis]
                    yield said.on, _place(system, said.contact), vector
                    yield said.surface, _place(system, said.contact), -vector
            case Wheel():
                place = _lowest(system, said)
                for vector in (_unit(system, said.normal), *(UNIT[axis] for axis in said.axes)):
                    yield said.on, place, next(sizes) * vector
            case Parallel():
                on, to = _turn(system, said.on), _turn(system, said.to)
                for axis in said.axes:
                    first, second = _others(axis)
                    free = {*"xyz"} - {*said.axes}
                    one, other = (to, on) if free == {second} else (on, to)
                    vector = next(sizes) * np.cross(one @ UNIT[first], other @ UNIT[second])
                    yield said.on, None, vector
                    yield said.to, None, -vector
            case _:
                next(sizes)


def _lowest(system: System, said: Wheel) -> Any:
    normal = _unit(system, said.normal)
    axle = _turn(system, said.on) @ _unit(system, said.axis)
    across = normal - normal @ axle * axle
    sizes = (system.mechanism.read(of) for of in (said.radius, said.section))
    radius, section = map(system.value, sizes)
    away = -radius * across / np.linalg.norm(across) - section * normal
    return _place(system, Placement(on=said.on, at=said.at)) + away


def _unit(system: System, vector: Any) -> Any:
    parts = np.array([system.value(system.mechanism.read(part)) for part in vector])
    return parts / np.linalg.norm(parts)


def _others(axis: str) -> str:
    return {"x": "yz", "y": "zx", "z": "xy"}[axis]


def _turn(system: System, body: str) -> Any:
    moving = system.mechanism
    return system.value(moving.ground.dcm(moving.frames[body]))


def _place(system: System, place: Placement) -> Any:
    """Return where a place is: the origin of its body is at its joint, if not child_at it."""
    moving = system.mechanism
    parts = [system.value(moving.read(part)) for part in place.at]
    away = _turn(system, place.on) @ parts
    if place.on == "ground":
        return away
    (joint,) = (joint for joint in system.model.joints if joint.child == place.on)
    back = [system.value(moving.read(part)) for part in joint.child_at]
    return system.value(moving.position(joint.name)) - _turn(system, place.on) @ back + away


def _momentum_rate(system: System, body: str) -> Any:
    moving = system.mechanism
    acceleration = moving.position(body).applyfunc(moving.rate).applyfunc(moving.rate)
    return system.value(moving.bodies[body].mass) * system.value(acceleration)


def _spin_rate(system: System, body: str) -> Any:
    moving = system.mechanism
    rigid = moving.bodies[body]
    if isinstance(rigid, Particle):
        return np.zeros(3)
    turn = moving.ground.dcm(rigid.frame)
    tensor = turn * rigid.central_inertia.to_matrix(rigid.frame) * turn.T
    return system.value((tensor * moving.angular_velocity(body)).applyfunc(moving.rate))


def test_a_hanging_load_pulls_with_its_weight(system_of: Any) -> None:
    pendulum = system_of("pendulum")
    still = {**pendulum.numbers(), "theta": 0.0, "theta_dot": 0.0, "theta_ddot": 0.0}
    force, moment = pendulum.equations().reactions["joint"]
    weight = still["m"] * still["g"]
    np.testing.assert_allclose(pendulum.value(force, still), [0, weight, 0], atol=1e-12)
    np.testing.assert_allclose(pendulum.value(moment, still), 0, atol=1e-12)


@pytest.mark.one_in(3)
@pytest.mark.few(*KINDS)
def test_what_acts_on_a_body_is_its_mass_times_its_acceleration(system: System) -> None:
    ring = system.ring
    for body, wrench in Balances(system.equations().motion).acting.items():
        force = sympy.Matrix([ring.expression(part) for part in wrench.force.parts])
        moment = sympy.Matrix([ring.expression(part) for part in wrench.moment.parts])
        np.testing.assert_allclose(system.value(force), _momentum_rate(system, body), atol=1e-11)
        np.testing.assert_allclose(system.value(moment), _spin_rate(system, body), atol=1e-11)


def test_a_torque_and_its_reaction_cancel(system_of: Any) -> None:
    tree = system_of("tree").mechanism
    torque = tree.names.inputs["R"]
    pair = [load for load in tree.loads if any(part.has(torque) for part in load.components)]
    assert [load.on for load in pair] == ["left", "trunk"]
    one, other = (tree.objects.pair(load)[1] for load in pair)
    assert one + other == 0


def test_springs_between_points_pull_along_their_line(system_of: Any) -> None:
    chain = system_of("chain")
    moving, n = chain.mechanism, chain.numbers()
    spring = next(load for load in moving.loads if load.kind == "elastic")
    at, vector = moving.objects.pair(spring)
    assert isinstance(at, Point)
    end = chain.value(at.pos_from(moving.origin).to_matrix(moving.ground))
    line = end - np.array([n["l"], 0, 0])
    length = np.linalg.norm(line)
    pull = -n["k"] * (length - n["s"]) * line / length
    np.testing.assert_allclose(chain.value(vector.to_matrix(moving.ground)), pull, atol=1e-12)


def test_reactions_of_a_ring_are_those_of_the_equations(system_of: Any) -> None:
    arm = system_of("three_link_arm")
    force = Balances(arm.equations().motion).transmitted["wrist"].force
    parts = sympy.Matrix([arm.ring.expression(part) for part in force.parts])
    expected = arm.value(arm.equations().reactions["wrist"][0])
    np.testing.assert_allclose(arm.value(parts), expected, atol=1e-12)
