"""Musculotendons against sympy's and closed forms, excited motions, and shared torques."""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from click.testing import CliRunner
from scipy.integrate import cumulative_simpson
from scipy.optimize import linprog, lsq_linear
from sympy.physics import biomechanics
from sympy.physics.mechanics import dynamicsymbols

import freebody
from conftest import OWN
from freebody.cli import main
from freebody.errors import ArgumentError, MuscleError, SimulationError
from freebody.files import FileError
from freebody.model import Hill, load, loads
from freebody.motion import posture_reach
from freebody.muscles import Musculotendons, curve, excite, ranges_of, share
from freebody.muscles.hill import at_rest

ARM = load("two_link_muscles")


def changed(**hill: Any) -> Any:
    """Return the arm with other tendons and fibres of all its muscles."""
    muscles = tuple(
        muscle.model_copy(update={"hill": muscle.hill.model_copy(update=hill)})
        for muscle in ARM.muscles
        if muscle.hill is not None
    )
    return ARM.model_copy(update={"muscles": muscles})


# ---------------------------------------------------------------------- musculotendons


def theirs(tendon: str, numbers: dict[str, float], hill: Hill) -> Any:
    """Return sympy's musculotendon, and what gives the numbers of its expressions."""
    formulation = biomechanics.MusculotendonFormulation
    pathway = sympy.physics.mechanics.LinearPathway(
        sympy.physics.mechanics.Point("O"), sympy.physics.mechanics.Point("P")
    )
    start, end = pathway.attachments
    N = sympy.physics.mechanics.ReferenceFrame("N")
    place = dynamicsymbols("l")
    end.set_pos(start, place * N.x)
    start.set_vel(N, 0)
    end.set_vel(N, place.diff() * N.x)
    kind = formulation.RIGID_TENDON if tendon == "rigid" else formulation.FIBER_LENGTH_EXPLICIT
    activation = biomechanics.FirstOrderActivationDeGroote2016("m", 0.015, 0.060, 10)
    found = biomechanics.MusculotendonDeGroote2016(
        "m",
        pathway,
        activation,
        musculotendon_dynamics=kind,
        tendon_slack_length=sympy.Float(hill.tendon_slack_length),
        peak_isometric_force=sympy.Float(hill.peak_force),
        optimal_fiber_length=sympy.Float(hill.optimal_fiber_length),
        maximal_fiber_velocity=sympy.Float(10 * hill.optimal_fiber_length),
        optimal_pennation_angle=sympy.Float(hill.pennation),
        fiber_damping_coefficient=sympy.Float(hill.damping),
        with_defaults=True,
    )

    def value(expr: Any) -> float:
        given = {
            place.diff(): numbers["rate"],
            place: numbers["length"],
            found.a: numbers["activation"],
            found.e: numbers["excitation"],
        }
        if tendon == "elastic":
            given[found.x[0]] = numbers["fiber"]
        # what sympy writes with the root of a square, of a length that is positive
        return float(sympy.re(expr.doit().subs(given).evalf(30)))

    return found, value


@pytest.mark.parametrize("seed", range(4))
def test_a_rigid_tendon_is_sympys(seed: int) -> None:
    random = np.random.default_rng(seed)
    hill = Hill(peak_force=1200, optimal_fiber_length=0.1, tendon_slack_length=0.2)
    numbers = {
        "length": random.uniform(0.26, 0.34),
        "rate": random.uniform(-0.5, 0.5),
        "activation": random.uniform(0.1, 1),
        "excitation": random.uniform(0, 1),
    }
    found, value = theirs("rigid", numbers, hill)
    tendons = Musculotendons.of(_alone(hill))
    lines = np.array([numbers["length"]]), np.array([numbers["rate"]])
    active, passive = tendons.capacity(tendons.rigid(*lines))
    mine = float((active * numbers["activation"] + passive)[0])
    assert mine == pytest.approx(abs(value(found.force)), rel=1e-12)


@pytest.mark.parametrize("pennation", [0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_an_elastic_tendon_is_sympys(seed: int, pennation: float) -> None:
    random = np.random.default_rng(seed)
    hill = Hill(
        peak_force=1200,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.2,
        pennation=pennation,
        tendon="elastic",
    )
    numbers = {
        "length": 0.2 * random.uniform(1.01, 1.04) + 0.09,
        "rate": 0.1,
        "activation": random.uniform(0.4, 1),
        "excitation": random.uniform(0, 1),
        "fiber": random.uniform(0.85, 0.95),
    }
    found, value = theirs("elastic", numbers, hill)
    tendons = Musculotendons.of(_alone(hill))
    given = [np.array([numbers[name]]) for name in ("length", "fiber", "activation")]
    fibers, tension = tendons.elastic_fibers(*given)
    assert float(tension[0]) == pytest.approx(abs(value(found.force)), rel=1e-10)
    rates = found.rhs()
    rate = 10 * float(fibers.velocity[0])
    assert rate == pytest.approx(value(rates[0]), rel=1e-9)
    times = tendons.activation_time, tendons.deactivation_time
    changing = curve("activation")(numbers["activation"], numbers["excitation"], *times)
    assert float(changing[0]) == pytest.approx(value(rates[1]), rel=1e-12)


def _alone(hill: Hill) -> Any:
    muscle = ARM.muscles[0].model_copy(update={"hill": hill})
    return ARM.model_copy(update={"muscles": (muscle,)})


def test_curves_have_the_values_of_the_paper() -> None:
    assert float(curve("active")(1.0)) == pytest.approx(1, abs=0.01)
    assert float(curve("passive")(1.0)) == pytest.approx(0, abs=0.001)
    assert float(curve("passive")(1.6)) == pytest.approx(1, abs=0.01)
    assert float(curve("velocity")(0.0)) == pytest.approx(1, abs=0.01)
    assert float(curve("velocity")(-1.0)) == pytest.approx(0, abs=0.02)
    assert float(curve("tendon")(1.049, 33.93669377311689)) == pytest.approx(1, abs=0.02)
    velocities = np.linspace(-1, 1, 21)
    back = curve("velocity_inverse")(curve("velocity")(velocities))
    np.testing.assert_allclose(back, velocities, atol=1e-12)


def test_rigid_tendons_carry_penned_fibres_by_their_cosine() -> None:
    """At its optimal length a fibre is penned by its angle there."""
    hill = Hill(
        peak_force=1000, optimal_fiber_length=0.1, tendon_slack_length=0.2, pennation=0.4, damping=0
    )
    tendons = Musculotendons.of(_alone(hill))
    fibers = tendons.rigid(np.array([0.2 + 0.1 * np.cos(0.4)]), np.array([0.5]))
    assert float(fibers.length[0]) == pytest.approx(1)
    assert float(fibers.cosine[0]) == pytest.approx(np.cos(0.4))
    assert float(fibers.velocity[0]) == pytest.approx(0.5 * np.cos(0.4))


def test_fibres_at_rest_neither_shorten_nor_lengthen() -> None:
    tendons = Musculotendons.of(changed(tendon="elastic", pennation=0.2))
    lengths = np.array([0.21, 0.22, 0.28, 0.33])
    active = np.array([0.01, 0.3, 0.6, 1.0])
    fibers, _ = tendons.elastic_fibers(lengths, at_rest(tendons, lengths, active), active)
    # sympy's inverse of the factor is exact, but its factor at no velocity is 1 to a thousandth
    velocity = curve("velocity_inverse")(1.0)
    np.testing.assert_allclose(fibers.velocity, velocity, atol=1e-9)


# ---------------------------------------------------------------------- excited motions


def test_activation_follows_its_closed_form() -> None:
    """Far above the activation, an excitation e drives a' = (e - a)/(τ (1/2 + 3a/2)).

    So that -(1/2 + 3e/2) log(1 - a/e) - 3a/2 grows evenly from its value at first.
    """
    run = excite(ARM, {"elbow_flexor": 1}, duration=0.02, step=0.001, tolerance=1e-11)
    t = run.data["time"].to_numpy()
    a = run.data["activation"].sel(muscle="elbow_flexor").to_numpy()
    early = a < 0.5  # there tanh(10 (e - a)) is 1 to 1e-4
    risen = (-2 * np.log(1 - a) - 1.5 * a)[early]
    np.testing.assert_allclose(risen - risen[0], t[early] / 0.015, rtol=2e-4, atol=1e-9)


def test_muscles_do_the_work_that_the_arm_gains() -> None:
    run = excite(ARM, {"elbow_flexor": "0.3*exp(-3*t)", "shoulder_flexor": 0.2}, 0.4, step=0.001)
    f, data = freebody.compile(ARM), run.data
    q, u = data["coordinates"].to_numpy(), data["speeds"].to_numpy()
    energy = f.kinetic_energy(q, u) + f.potential_energy(q)
    tension = data["tension"].to_numpy()
    power = np.einsum("tij,tj,ti->t", f.moment_arms(q), tension, u)
    work = cumulative_simpson(power, x=data["time"].to_numpy(), initial=0)
    assert np.ptp(energy) > 1
    np.testing.assert_allclose(energy - energy[0], work, atol=2e-5)


@pytest.mark.exhaustive
def test_tensions_are_the_inputs_of_the_same_motion() -> None:
    """The tensions, put in as sampled inputs, make the same motion by another engine."""
    run = excite(ARM, {"elbow_flexor": 0.2, "shoulder_flexor": 0.15}, 0.4, step=0.0005)
    data = run.data
    times = data["time"].to_numpy()
    tensions = {
        muscle.tension: (times, data["tension"].sel(muscle=muscle.name).to_numpy())
        for muscle in ARM.muscles
    }
    again = freebody.simulate(ARM, 0.4, step=0.0005, inputs=tensions, unchecked=True)
    np.testing.assert_allclose(again.data["coordinates"], data["coordinates"], atol=1e-6)


@pytest.mark.exhaustive
def test_a_stiff_elastic_tendon_is_a_rigid_one_in_the_limit() -> None:
    """Its curve leaves zero at 0.995 of the slack length when it is stiff."""
    excited = {"elbow_flexor": 0.3, "shoulder_flexor": 0.2}
    rigid = changed(damping=0)
    muscles = tuple(
        m.model_copy(
            update={
                "hill": m.hill.model_copy(
                    update={"tendon_slack_length": 0.995 * float(m.hill.tendon_slack_length)}
                )
            }
        )
        for m in rigid.muscles
        if m.hill is not None
    )
    rigid = rigid.model_copy(update={"muscles": muscles})
    expected = excite(rigid, excited, 0.3, activation=0.2).data["coordinates"].to_numpy()
    off = []
    for stiffness in (100, 1000):
        elastic = changed(tendon="elastic", tendon_stiffness=stiffness)
        found = excite(elastic, excited, 0.3, activation=0.2).data["coordinates"].to_numpy()
        off.append(abs(found - expected).max())
    assert off[0] > 5 * off[1]
    assert off[1] < 1e-2


def test_excitations_may_follow_the_motion_or_be_sampled() -> None:
    times = np.linspace(0, 0.3, 31)
    one = excite(ARM, {"elbow_flexor": "0.5*(1 - alpha2/3)"}, 0.3, step=0.01)
    values = 0.5 * (1 - one.data["coordinates"].sel(coordinate="alpha2").to_numpy() / 3)
    other = excite(ARM, {"elbow_flexor": (times, values)}, 0.3, step=0.01)
    np.testing.assert_allclose(one.data["coordinates"], other.data["coordinates"], atol=1e-6)


@pytest.mark.exhaustive
def test_rigid_and_elastic_tendons_go_together() -> None:
    first = ARM.muscles[0]
    assert first.hill is not None
    mixed = first.model_copy(update={"hill": first.hill.model_copy(update={"tendon": "elastic"})})
    model = ARM.model_copy(update={"muscles": (mixed, *ARM.muscles[1:])})
    run = excite(model, {"shoulder_extensor": 0.4}, 0.2)
    assert run.data.sizes["muscle"] == 4
    assert np.isfinite(run.data["tension"]).all()


@pytest.mark.parametrize(
    ("excitations", "more", "told"),
    [
        ({"elbow_flexer": 1}, {}, "no muscle 'elbow_flexer'; did you mean 'elbow_flexor'"),
        ({"elbow_flexor": 1.5}, {}, "excitation of 'elbow_flexor' is 1.5 at t = 0 s: expected it"),
        ({"elbow_flexor": "F1ext"}, {}, "'F1ext' uses an input"),
        ({"elbow_flexor": "alpha3"}, {}, "excitation of 'elbow_flexor': "),
        ({}, {"inputs": {"F1ext": 3}}, "'F1ext' is the tension of a muscle"),
        ({}, {"activation": 2}, "expected an activation from 0 to 1, found 2"),
        ({}, {"activation": {"biceps": 1}}, "there is no muscle 'biceps'"),
        ({}, {"initial": {"alpha1": -6}}, "'shoulder_extensor' is shorter than its slack tendon"),
    ],
)
def test_what_cannot_be_excited_is_told(excitations: Any, more: Any, told: str) -> None:
    with pytest.raises(MuscleError) as error:
        excite(ARM, excitations, 0.05, **more)
    assert told in str(error.value)


def test_other_inputs_need_a_value() -> None:
    inputs = {n: i.model_copy(update={"value": None}) for n, i in ARM.inputs.items()}
    with pytest.raises(SimulationError, match="input 'Fex' has no value"):
        excite(ARM.model_copy(update={"inputs": inputs}), {})


def test_muscles_without_curves_are_told() -> None:
    with pytest.raises(MuscleError, match="muscle 'biceps' has no 'hill'"):
        excite(OWN["muscled_arm"], {})
    with pytest.raises(MuscleError, match="no muscles"):
        excite("two_link", {})


# ---------------------------------------------------------------------- sharing


def test_two_antagonists_share_as_in_closed_form() -> None:
    """One alone gives the torque: the other would only add to it and to the cost."""
    arms, forces = np.array([0.04, -0.03]), np.array([1000.0, 800.0])
    needed = np.linspace(-30, 50, 33)
    found = share(np.tile(arms * forces, (33, 1, 1)), needed[:, None])
    expected = np.stack([np.clip(needed / 40, 0, 1), np.clip(-needed / 24, 0, 1)], axis=-1)
    np.testing.assert_allclose(found.activation, expected, atol=1e-12)
    np.testing.assert_array_equal(found.reached, (needed >= -24 - 1e-9) & (needed <= 40 + 1e-9))
    np.testing.assert_allclose(found.residual[:, 0], needed - np.clip(needed, -24, 40), atol=1e-9)


def test_two_agonists_share_by_their_capacity() -> None:
    """Activations go as moment arm times strength until the stronger one is saturated."""
    capacity = np.array([40.0, 20.0])
    needed = np.array([10.0, 30.0, 55.0])
    found = share(np.tile(capacity, (3, 1, 1)), needed[:, None])
    even = capacity * needed[:2, None] / (capacity**2).sum()
    np.testing.assert_allclose(found.activation[:2], even, atol=1e-12)
    np.testing.assert_allclose(found.activation[2], [1, 0.75], atol=1e-12)


@cache
def drawn(n: int, m: int, count: int = 400) -> Any:
    random = np.random.default_rng([n, m])
    arms = random.normal(size=(count, n, m)) * 50
    activation = random.uniform(-0.3, 1.3, (count, m)).clip(0, 1)
    return arms, np.einsum("sij,sj->si", arms, activation), activation


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 4), (2, 6), (3, 9), (5, 12)])
def test_shared_activations_meet_the_conditions_of_kuhn_and_tucker(n: int, m: int) -> None:
    """a = A^T λ where it is free, at 0 it is not below, at 1 not above; and A a = b."""
    arms, needed, feasible = drawn(n, m)
    found = share(arms, needed)
    a = found.activation
    assert found.reached.all()
    assert abs(found.residual).max() < 1e-7
    assert a.min() >= 0
    assert a.max() <= 1
    assert ((a**2).sum(-1) <= (feasible**2).sum(-1) + 1e-9).all()
    for A, active in zip(arms[:100], a, strict=False):
        upper = np.where(active < 1 - 1e-9, active, np.inf)
        lower = np.where(active > 1e-9, active, -np.inf)
        assert _multipliers_exist(A.T, lower, upper)


def _multipliers_exist(slopes: Any, lower: Any, upper: Any) -> bool:
    """Whether there are λ with lower ≤ A^T λ ≤ upper, by a linear program."""
    ends = np.isfinite(upper), np.isfinite(lower)
    rows = np.concatenate([slopes[ends[0]], -slopes[ends[1]]])
    limits = np.concatenate([upper[ends[0]], -lower[ends[1]]]) + 1e-7
    found = linprog(np.zeros(slopes.shape[1]), rows, limits, bounds=(None, None))
    return bool(found.status == 0)


@pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 4), (3, 9)])
def test_where_muscles_are_too_weak_the_least_is_left(n: int, m: int) -> None:
    arms, _, _ = drawn(n, m)
    needed = np.random.default_rng(1).normal(size=(len(arms), n)) * 200
    found = share(arms, needed)
    assert not found.reached.all()
    scale = np.abs(arms).sum(-1)
    for number in range(100):
        A, b = arms[number] / scale[number, :, None], needed[number] / scale[number]
        least = lsq_linear(A, b, (0, 1), method="bvls", tol=1e-14)
        left = found.residual[number] / scale[number]
        assert left @ left / 2 == pytest.approx(least.cost, abs=1e-10)
        assert found.reached[number] == (least.cost < 1e-12)


def test_thousands_of_samples_are_shared_in_no_time() -> None:
    arms, needed, _ = drawn(3, 9, 4000)
    begun = time.process_time()
    share(arms, needed)
    assert time.process_time() - begun < 2


@cache
def reach(duration: float = 0.5) -> Any:
    motion = posture_reach({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0, "alpha2": 1.5}, duration)
    return freebody.inverse(ARM, motion)


def test_a_reach_is_shared_by_the_muscles_of_the_arm() -> None:
    found = freebody.static_optimisation(ARM, reach())
    data = found.data
    given = data["contribution"].sum("muscle")
    np.testing.assert_allclose(given, reach().data["generalized"], atol=1e-8)
    assert (data["activation"] >= 0).all()
    assert (data["activation"] <= 1).all()
    both = data["activation"].sel(muscle="elbow_flexor") * data["activation"].sel(
        muscle="elbow_extensor"
    )
    assert abs(both).max() == 0
    assert found.notes == ("a muscle is as strong at every length and velocity",)


def test_shared_tensions_are_inputs_that_leave_nothing_over() -> None:
    found = freebody.static_optimisation(ARM, reach())
    motion = posture_reach({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0, "alpha2": 1.5}, 0.5)
    known = freebody.inverse(ARM, motion, inputs=found.inputs)
    assert float(abs(known.data["residual"]).max()) < 1e-8
    assert known.notes == ()


@pytest.mark.exhaustive
def test_with_known_tensions_inverse_dynamics_knows_what_joints_carry() -> None:
    """Held by its biceps alone, the forearm presses on the elbow with what the muscle pulls."""
    model = load(OWN["muscled_arm"])
    motion = posture_reach({"q1": -1.0, "q2": 0.4}, {"q1": -0.2, "q2": 1.2}, 1.0)
    alone = freebody.inverse(model, motion).data
    assert np.isnan(alone["reaction_force"].sel(joint="elbow", axis="x")).all()
    f, q = freebody.compile(model), alone["coordinates"].to_numpy()
    R, times = f.moment_arms(q), alone["time"].to_numpy()
    tension = alone["generalized"].sel(speed="q2_dot").to_numpy() / R[:, 1, 0]
    known = freebody.inverse(model, motion, inputs={"F1": (times, tension), "F2": 0, "F3": 0}).data
    assert float(abs(known["residual"]).max()) < 1e-8
    force = known["reaction_force"].sel(joint="elbow").to_numpy()[:, :2]
    rates = (alone[name].to_numpy() for name in ("speeds", "accelerations"))
    needed = 1.2 * (f["acceleration.fore"](q, *rates)[:, :2] + np.array([0, 9.81]))
    pull = np.linalg.norm(force - needed, axis=-1)
    np.testing.assert_allclose(pull, tension, rtol=1e-9)


def test_shared_with_curves_the_passive_forces_come_first() -> None:
    found = freebody.static_optimisation(ARM, reach(), curves=True)
    tendons = Musculotendons.of(ARM)
    f, data = freebody.compile(ARM), reach().data
    q, u = data["coordinates"].to_numpy(), data["speeds"].to_numpy()
    rates = -np.einsum("tij,ti->tj", f.moment_arms(q), u)
    active, passive = tendons.capacity(tendons.rigid(f.muscle_lengths(q), rates))
    tension = active * found.data["activation"].to_numpy() + passive
    np.testing.assert_allclose(found.data["tension"], tension, rtol=1e-12)
    given = np.einsum("tij,tj->ti", f.moment_arms(q), tension)
    np.testing.assert_allclose(given + found.data["residual"], data["generalized"], atol=1e-9)


def test_what_weak_muscles_leave_is_told_with_time_and_joint() -> None:
    weak = dict.fromkeys((muscle.name for muscle in ARM.muscles), 400.0)
    found = freebody.static_optimisation(ARM, reach(), strength=weak)
    left = abs(found.data["residual"].sel(speed="alpha1_dot"))
    worst = float(left["time"][int(left.argmax("time"))])
    (told,) = [note for note in found.notes if note.startswith("alpha1_dot")]
    assert f"(joint joint1): {float(left.max()):.4g} N*m are left at most" in told
    assert f"at t = {worst:.4g} s; the muscles cannot pull so much" in told
    saturated = found.data["activation"].sel(muscle="shoulder_flexor").max()
    assert float(saturated) == pytest.approx(1)


def test_a_joint_without_muscles_is_told() -> None:
    muscles = tuple(
        muscle.model_copy(update={"length": str(muscle.length).replace("alpha2", "alpha1")})
        for muscle in ARM.muscles
    )
    model = ARM.model_copy(update={"muscles": muscles})
    data = reach().data
    found = freebody.static_optimisation(model, reach())
    (told,) = [note for note in found.notes if note.startswith("alpha2_dot")]
    assert "no muscle acts along this speed" in told
    residual = found.data["residual"].sel(speed="alpha2_dot")
    np.testing.assert_allclose(residual, data["generalized"].sel(speed="alpha2_dot"))


@pytest.mark.parametrize(
    ("model", "more", "told"),
    [
        ("two_link", {}, "the model has no muscles"),
        (ARM, {"strength": {"biceps": 1}}, "there is no muscle 'biceps'"),
    ],
)
def test_what_cannot_be_shared_is_told(model: Any, more: Any, told: str) -> None:
    with pytest.raises(MuscleError, match=told):
        freebody.static_optimisation(model, reach(), **more)


def test_muscles_without_a_strength_are_told() -> None:
    bare = ARM.model_copy(
        update={"muscles": tuple(m.model_copy(update={"hill": None}) for m in ARM.muscles)}
    )
    with pytest.raises(MuscleError, match="muscle 'shoulder_extensor' has no strength"):
        freebody.static_optimisation(bare, reach())
    with pytest.raises(ArgumentError, match="expected a Motion, a Result"):
        freebody.static_optimisation(ARM, {})


# ---------------------------------------------------------------------- what is written


def test_ranges_follow_stops_and_what_is_given() -> None:
    first, second = ranges_of(ARM, {"alpha2": (0, 2)})
    assert first.values[[0, -1]] == pytest.approx([-np.pi / 2 - np.pi / 3, -np.pi / 2 + np.pi / 3])
    assert second.values[[0, -1]] == pytest.approx([0, 2])
    np.testing.assert_allclose(second.arms, [[0, 0, -0.022, 0.032]] * 181)
    text = OWN["muscled_arm"].read_text()
    stop = '[[stops]]\njoint = "elbow"\nlower = 0\nupper = 2\nstiffness = 1\nsmoothing = 0.1\n'
    assert ranges_of(loads(text + stop))[1].values[[0, -1]] == pytest.approx([0, 2])
    with pytest.raises(MuscleError, match="there is no coordinate 'alpha3'"):
        ranges_of(ARM, {"alpha3": (0, 1)})


def run(*arguments: Any, code: int = 0) -> Any:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def test_the_command_line_shows_muscles(tmp_path: Path) -> None:
    shown = run("muscles", "two_link_muscles", "--plot", tmp_path / "curves.png").output
    assert "elbow_flexor" in shown
    assert "3.20" in shown
    assert (tmp_path / "curves.png").stat().st_size > 10_000


@pytest.mark.exhaustive
def test_the_command_line_excites_and_shares(tmp_path: Path) -> None:
    motion, forces = tmp_path / "run.csv", tmp_path / "forces.csv"
    excited = ("--excite", "elbow_flexor=0.2", "--duration", "0.3")
    told = run("muscles", "two_link_muscles", *excited, "-o", motion, "--plot", tmp_path / "r.png")
    assert "alpha2 = " in told.output
    told = run("muscles", "two_link_muscles", "--motion", motion, "-o", forces)
    assert "largest activation" in told.output
    assert forces.read_text().startswith("time [s],activation.shoulder_extensor,")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("two_link",), 1, "the model has no muscles"),
        (("two_link_muscles", "--range", "alpha1=3"), 2, "expected NAME=LOW:HIGH"),
        (("two_link_muscles", "-o", "x.csv"), 2, "expected --excite or --motion"),
        (("two_link_muscles", "--plot", "x.jpg"), 1, "expected a file name that ends in .png"),
    ],
)
def test_the_command_line_tells_what_is_wrong(
    arguments: tuple[str, ...], code: int, told: str
) -> None:
    assert told in run("muscles", *arguments, code=code).output


@pytest.mark.exhaustive
def test_results_are_written_with_labels(tmp_path: Path) -> None:
    import xarray as xr

    found = excite(ARM, {"elbow_flexor": 0.1}, 0.05)
    found.save(tmp_path / "run.nc")
    with xr.open_dataset(tmp_path / "run.nc", engine="scipy") as data:
        assert data["tension"].attrs["units"] == "N"
        assert list(data["muscle"].to_numpy().astype(str)) == [m.name for m in ARM.muscles]
    with pytest.raises(FileError, match=r"ends in \.csv or \.nc"):
        found.save(tmp_path / "run.txt")
    shared = freebody.static_optimisation(ARM, reach())
    shared.plot(tmp_path / "shared.svg")
    columns = list(shared.table().columns)
    assert "tension.elbow_flexor" in columns
    assert "generalized.alpha1_dot" in columns
    assert json.dumps(columns)
