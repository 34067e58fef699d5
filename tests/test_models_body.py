"""Runners as masses on springs, a standing person, a walker and an arm in space."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import eigh, expm
from scipy.spatial.transform import Rotation

import freebody

if TYPE_CHECKING:
    from freebody.mechanics import Equations
    from freebody.simulation import Simulation

NAMES = (
    "runner_one_mass",
    "runner_two_mass",
    "runner_four_mass",
    "standing_human",
    "walker",
    "arm_3d",
)
GRAVITY = 9.81


@cache
def derived(name: str) -> Equations:
    return freebody.derive(freebody.load(name))


@cache
def constants(name: str) -> dict[str, float]:
    return dict(derived(name).mechanism.names.values())


def simulated(name: str, duration: float, **given: Any) -> Simulation:
    return freebody.simulate(name, duration=duration, unchecked=True, **given)


def series(run: Simulation, variable: str, **labels: str) -> Any:
    return run.data[variable].sel(labels).to_numpy()


def times(run: Simulation) -> Any:
    return run.data["time"].to_numpy()


def numbers(name: str, state: dict[str, float]) -> dict[Any, float]:
    """Return the number of every constant, coordinate and speed; those not told are zero."""
    equations = derived(name)
    own = constants(name)
    return {
        **{symbol: own[symbol.name] for symbol in equations.constants},
        **{q: state.get(q.func.__name__, 0.0) for q in equations.coordinates},
        **{u: state.get(u.func.__name__, 0.0) for u in equations.speeds},
    }


def block(name: str, which: str, state: dict[str, float]) -> Any:
    """Return M, C, G, E or tau in numbers."""
    matrix = getattr(derived(name), which).subs(numbers(name, state))
    found = np.array(matrix.tolist(), dtype=float)
    return found if which == "M" else found[:, 0]


# ---------------------------------------------------------------------- one mass


@cache
def hopping() -> Simulation:
    return simulated("runner_one_mass", 1.4, step=0.0005)


def ground_force(run: Simulation) -> Any:
    own = constants("runner_one_mass")
    return own["m"] * (series(run, "accelerations", speed="y_dot") + own["g"])


def test_the_largest_force_of_a_hop_is_that_of_the_balance_of_energy() -> None:
    weight, k, m, v0 = 75 * GRAVITY, 20000, 75, 1
    largest = weight + np.sqrt(weight**2 + k * m * v0**2)
    assert ground_force(hopping()).max() == pytest.approx(largest, rel=1e-5)
    assert ground_force(hopping()).min() == pytest.approx(0, abs=1e-9)


def test_a_hop_lasts_as_long_as_half_a_swing_and_a_throw() -> None:
    """Contact from touchdown to take-off, then a throw with the speed of touchdown."""
    omega = np.sqrt(20000 / 75)
    contact = 2 / omega * (np.pi - np.arctan(omega / GRAVITY))
    throw = 2 / GRAVITY
    height, t = series(hopping(), "coordinates", coordinate="y"), times(hopping())[1:]
    takeoff = t[(height[:-1] < 1) & (height[1:] >= 1)]
    touchdown = t[(height[:-1] >= 1) & (height[1:] < 1)]
    assert takeoff[0] == pytest.approx(contact, abs=0.001)
    assert touchdown[1] - touchdown[0] == pytest.approx(contact + throw, abs=0.001)
    assert 1 / (contact + throw) == pytest.approx(2.16, abs=0.01)


def test_a_hop_loses_nothing() -> None:
    height = series(hopping(), "coordinates", coordinate="y")
    tops = [b for (a, b), c in zip(pairwise(height), height[2:], strict=False) if a < b > c]
    np.testing.assert_allclose(tops, 1 + 1 / (2 * GRAVITY), atol=1e-6)


# ---------------------------------------------------------------------- two masses


@pytest.mark.exhaustive
def test_two_masses_on_the_ground_move_as_a_linear_system() -> None:
    """Against the matrix exponential, while the heel is in the ground."""
    m1, m2, k1, k2, c1 = 69, 6, 20000, 150000, 500
    about = np.linalg.solve([[k1, -k1], [-k1, k1 + k2]], [m1 * GRAVITY, m2 * GRAVITY])
    motion = np.block(
        [
            [np.zeros((2, 2)), np.eye(2)],
            [
                np.array([[-k1 / m1, k1 / m1], [k1 / m2, -(k1 + k2) / m2]]),
                np.array([[-c1 / m1, c1 / m1], [c1 / m2, -c1 / m2]]),
            ],
        ]
    )
    run = simulated("runner_two_mass", 0.15, step=0.005)
    start = np.array([*-about, 1, 1])
    expected = np.array([expm(motion * t) @ start for t in times(run)])
    assert (expected[1:, 1] + about[1] > 0).all()
    np.testing.assert_allclose(
        run.data["coordinates"].to_numpy(), expected[:, :2] + about, atol=1e-8
    )


# ---------------------------------------------------------------------- four masses


def liu_nigg(t: float, state: Any) -> list[float]:
    """The equations of motion of the four masses as they are printed, with their values."""
    x1, x2, x3, x4, v1, v2, v3, v4 = state
    m1, m2, m3, m4 = 6.15, 6, 12.58, 50.34
    k1, k2, k3, k4, k5 = 6e3, 6e3, 10e3, 10e3, 18e3
    c1, c2, c4, g = 300, 650, 1900, 9.81
    force = shoe(x1, v1)
    return [
        *(v1, v2, v3, v4),
        (m1 * g - force - k1 * (x1 - x3) - k2 * (x1 - x2) - c1 * (v1 - v3) - c2 * (v1 - v2)) / m1,
        (m2 * g + k2 * (x1 - x2) - k3 * (x2 - x3) + c2 * (v1 - v2)) / m2,
        (m3 * g + k1 * (x1 - x3) + k3 * (x2 - x3) - (k4 + k5) * (x3 - x4)
         + c1 * (v1 - v3) - c4 * (v3 - v4)) / m3,
        (m4 * g + (k4 + k5) * (x3 - x4) + c4 * (v3 - v4)) / m4,
    ]  # fmt: skip


def shoe(depth: Any, rate: Any) -> Any:
    inside = np.maximum(depth, 0)
    return 2 * (1e6 * inside**1.38 + 2e4 * inside**0.75 * rate)


@cache
def landing() -> Simulation:
    return simulated("runner_four_mass", 0.15, step=0.00025, tolerance=1e-10)


def force_of_the_shoe() -> Any:
    run = landing()
    masses = np.array([6.15, 6, 12.58, 50.34])
    return masses @ (GRAVITY - run.data["accelerations"].to_numpy().T)


@pytest.mark.exhaustive
def test_four_masses_move_as_the_printed_equations_say() -> None:
    run = landing()
    start = [0, 0, 0, 0, 0.96, 0.96, 2, 2]
    found = solve_ivp(
        liu_nigg, (0, 0.15), start, "LSODA", times(run), rtol=1e-10, atol=1e-12, max_step=1e-3
    )
    np.testing.assert_allclose(run.data["coordinates"], found.y[:4].T, atol=1e-7)
    np.testing.assert_allclose(
        force_of_the_shoe(), shoe(found.y[0], found.y[4]), rtol=1e-4, atol=0.5
    )


def test_the_ground_force_of_a_runner_has_an_impact_peak_and_an_active_one() -> None:
    """Within 50 ms and about 100 ms after touchdown, both less than three times the weight.

    Cavanagh and Lafortune (1980) measured vertical forces of 3 times the weight from peak to peak.
    """
    force = force_of_the_shoe() / (75.07 * GRAVITY)
    peaks = [i for i in range(1, len(force) - 1) if force[i - 1] < force[i] > force[i + 1]]
    (impact, active) = peaks
    assert times(landing())[impact] == pytest.approx(0.008, abs=0.002)
    assert times(landing())[active] == pytest.approx(0.105, abs=0.01)
    assert 1.5 < force[impact] < force[active] < 3


# ---------------------------------------------------------------------- standing person


def straight_leg() -> tuple[float, float]:
    """Moment of inertia about the ankles, and first moment of mass, from Winter's fractions."""
    shares = np.array([2 * 0.0465, 2 * 0.100, 0.678])
    lengths = 1.8 * np.array([0.246, 0.245, 0.288])
    below = np.cumsum([0, *lengths[:-1]])
    heights = below + lengths * np.array([1 - 0.433, 1 - 0.433, 0.626])
    gyration = lengths * np.array([0.302, 0.323, 0.496])
    masses = 75 * shares
    return float(masses @ (heights**2 + gyration**2)), float(masses @ heights)


@pytest.mark.exhaustive
def test_a_straight_person_turns_about_the_ankles_as_one_body() -> None:
    inertia, first_moment = straight_leg()
    lean = {"theta1": 0.3, "theta2": 0.3, "theta3": 0.3}
    assert block("standing_human", "M", lean).sum() == pytest.approx(inertia)
    assert block("standing_human", "G", lean).sum() == pytest.approx(
        -first_moment * GRAVITY * np.sin(0.3)
    )
    assert block("standing_human", "C", lean | {"theta1_dot": 1, "theta2_dot": 1}) == pytest.approx(
        0
    )


def test_the_ankle_moment_of_a_person_who_leans_holds_the_weight() -> None:
    """Without motion: the reaction's moment, in the ground frame, and the weight on the ankles."""
    _, first_moment = straight_leg()
    held = {
        "T1": "-9.81*(m1*d1 + m2*(l1 + d2) + m3*(l1 + l2 + d3))*sin(theta1)",
        "T2": "-9.81*(m2*d2 + m3*(l2 + d3))*sin(theta2)",
        "T3": "-9.81*m3*d3*sin(theta3)",
    }
    lean = dict.fromkeys(("theta1", "theta2", "theta3"), 0.1)
    run = simulated("standing_human", 0.2, step=0.1, initial=lean, inputs=held)
    np.testing.assert_allclose(run.data["coordinates"], 0.1, atol=1e-9)
    moment = series(run, "reaction_moment", joint="ankle", axis="z")
    weight = series(run, "reaction_force", joint="ankle", axis="y")
    np.testing.assert_allclose(moment, first_moment * GRAVITY * np.sin(0.1), rtol=1e-8)
    np.testing.assert_allclose(weight, (2 * 0.0465 + 0.2 + 0.678) * 75 * GRAVITY, rtol=1e-8)


@pytest.mark.exhaustive
def test_joints_without_moments_let_a_person_fall_at_the_rate_of_the_linear_system() -> None:
    upright: dict[str, float] = {}
    mass = block("standing_human", "M", upright)
    slopes = derived("standing_human").G.jacobian(derived("standing_human").coordinates)
    stiffness = np.array(slopes.subs(numbers("standing_human", upright)).tolist(), dtype=float)
    squares, modes = eigh(stiffness, mass)
    assert (squares < 0).all()
    slowest = modes[:, -1] / np.abs(modes[:, -1]).max() * 1e-4
    start = dict(zip(("theta1", "theta2", "theta3"), slowest, strict=True))
    free = dict.fromkeys(("T1", "T2", "T3"), 0)
    run = simulated("standing_human", 0.5, initial=start, inputs=free)
    grown = np.cosh(np.sqrt(-squares[-1]) * times(run))
    np.testing.assert_allclose(
        run.data["coordinates"], np.outer(grown, slowest), rtol=1e-3, atol=1e-9
    )


def test_a_falling_person_keeps_the_energy_and_a_held_one_stays() -> None:
    free = dict.fromkeys(("T1", "T2", "T3"), 0)
    assert simulated("standing_human", 2, inputs=free).energy_drift < 1e-8
    end = simulated("standing_human", 5).data["coordinates"].to_numpy()[-1]
    assert np.abs(end).max() < 0.005


# ---------------------------------------------------------------------- walker

SHARES = {"thigh": 0.1, "shank": 0.0465, "foot": 0.0145}
SEGMENTS = {
    "trunk": 0.678,
    **{f"{part}_{side}": SHARES[part] for part in SHARES for side in ("right", "left")},
}
"""Of the body mass."""


def whole_body(run: Simulation) -> tuple[Any, Any]:
    """Return mass and path of the centre of mass of the walker."""
    masses = 75 * np.array(list(SEGMENTS.values()))
    places = run.data["position"].sel(point=list(SEGMENTS)).to_numpy()
    return masses.sum(), np.einsum("b,tba->ta", masses, places) / masses.sum()


@cache
def falling() -> Simulation:
    moving = {"x_dot": 1, "pitch": 0.2, "hip_right": 0.5, "knee_right": 0.15, "knee_left": -1}
    return simulated("walker", 0.3, initial={"y": 2, **moving, "ankle_left_dot": 2})


@cache
def landing_walker() -> Simulation:
    """From upright with the soles 1 cm deep in the ground, on its way down and forward."""
    low = "l_thigh + l_shank + h_foot - 0.01"
    start = {"y": low, "y_dot": -0.1, "x_dot": 0.1}
    return simulated("walker", 2.5, initial=start, tolerance=1e-8)


@pytest.mark.exhaustive
def test_a_walker_in_the_air_falls_as_one_mass() -> None:
    mass, place = whole_body(falling())
    t = times(falling())
    assert mass == pytest.approx(75)
    curve = np.polyfit(t, place[:, 1], 2)
    assert curve[0] == pytest.approx(-GRAVITY / 2, rel=1e-6)
    np.testing.assert_allclose(place[:, 1], np.polyval(curve, t), atol=1e-8)
    drift = np.polyfit(t, place[:, 0], 1)
    np.testing.assert_allclose(place[:, 0], np.polyval(drift, t), atol=1e-8)


@pytest.mark.exhaustive
def test_a_knee_that_is_stretched_too_far_is_pushed_back() -> None:
    """0.1 rad beyond the end of its range, which is smoothed over 0.01 rad; the other is bent."""
    moment = 500 * (0.1 + np.sqrt(0.1**2 + 0.01**2)) / 2
    terms = falling().data["terms"].isel(time=0).sel(term="E")
    assert float(terms.sel(speed="knee_right_dot")) == pytest.approx(moment, rel=1e-4)
    assert float(terms.sel(speed="knee_left_dot")) == pytest.approx(0, abs=0.1)


@pytest.mark.exhaustive
def test_heels_and_toes_push_with_the_law_of_hunt_and_crossley() -> None:
    places = landing_walker().data["position"].isel(time=0)
    for point in ("heel_right", "toe_right", "heel_left", "toe_left"):
        assert float(places.sel(point=point, axis="y")) == pytest.approx(-0.01, abs=1e-12)
    push = 4 * 5e7 * 0.01**3 * (1 + 0.85 * 0.1)
    drag = push * 0.1 / np.sqrt(0.1**2 + 0.05**2)
    terms = landing_walker().data["terms"].isel(time=0).sel(term="E")
    assert float(terms.sel(speed="y_dot")) == pytest.approx(-push)
    assert float(terms.sel(speed="x_dot")) == pytest.approx(drag)
    about_hips = push * (0.15 - 0.06) / 2 - drag * 1.8 * (0.245 + 0.246 + 0.039)
    assert float(terms.sel(speed="pitch_dot")) == pytest.approx(-about_hips)


def test_the_ground_carries_a_walker_that_stands() -> None:
    run = landing_walker()
    end = run.data["terms"].isel(time=-1).sel(term="E")
    assert float(end.sel(speed="y_dot")) == pytest.approx(-75 * GRAVITY, rel=0.01)
    assert float(end.sel(speed="x_dot")) == pytest.approx(0, abs=10)
    assert np.abs(run.data["coordinates"].to_numpy()[-1, 2:]).max() < 0.1


# ---------------------------------------------------------------------- arm in space

ARM = {
    "plane": 0.9, "elevation": 0.7, "rotation": -0.3, "flexion": 1.2,
    "pronation": 0.5, "wrist": 0.2, "deviation": -0.1,
}  # fmt: skip
SWING = {"plane_dot": 1.0, "elevation_dot": -0.5, "flexion_dot": 2.0, "pronation_dot": -1.5}
MALE = [
    (0.0271 * 73, 0.2817, 0.5772, (0.285, 0.158, 0.269)),
    (0.0162 * 73, 0.2689, 0.4574, (0.276, 0.121, 0.265)),
    (0.0061 * 73, 0.0862, 0.7900, (0.628, 0.401, 0.513)),
]
"""Mass, length, share of it to the centre of mass, radii of gyration about x, y and z."""


def turned(angles: Any) -> list[Any]:
    """Return the rotation matrices of upper arm, forearm and hand."""
    plane, elevation, rotation, flexion, pronation, wrist, deviation = angles
    upper = Rotation.from_euler("YXY", [plane, -elevation, rotation])
    forearm = upper * Rotation.from_euler("ZY", [flexion, pronation])
    hand = forearm * Rotation.from_euler("ZX", [wrist, deviation])
    return [each.as_matrix() for each in (upper, forearm, hand)]


def placed(angles: Any) -> tuple[list[Any], Any]:
    """Return the centres of mass, and the end of the hand."""
    end, centers = np.zeros(3), []
    for matrix, (_, length, share, _) in zip(turned(angles), MALE, strict=True):
        centers.append(end - share * length * matrix[:, 1])
        end = end - length * matrix[:, 1]
    return centers, end


def momenta(angles: Any, speeds: Any, step: float = 1e-6) -> tuple[float, float]:
    """Return kinetic energy and moment of momentum about the vertical, from differences."""
    after, before = angles + step * speeds, angles - step * speeds
    energy = vertical = 0.0
    for i, (mass, length, _, radii) in enumerate(MALE):
        matrix = turned(angles)[i]
        spin = (turned(after)[i] - turned(before)[i]) / (2 * step) @ matrix.T
        omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        velocity = (placed(after)[0][i] - placed(before)[0][i]) / (2 * step)
        inertia = matrix @ np.diag(mass * (length * np.array(radii)) ** 2) @ matrix.T
        energy += mass * velocity @ velocity / 2 + omega @ inertia @ omega / 2
        vertical += mass * np.cross(placed(angles)[0][i], velocity)[1] + (inertia @ omega)[1]
    return energy, vertical


def weight(angles: Any) -> float:
    """Return the potential energy."""
    heights = np.array(placed(angles)[0])[:, 1]
    return float(np.array([mass for mass, *_ in MALE]) @ heights * GRAVITY)


@cache
def swing() -> Simulation:
    return simulated("arm_3d", 0.5, step=0.05, initial=ARM | SWING, tolerance=1e-11)


@pytest.mark.exhaustive
def test_an_arm_is_where_rotation_matrices_put_it() -> None:
    found = series(swing(), "position", point="knuckle")
    angles = swing().data["coordinates"].to_numpy()
    np.testing.assert_allclose(found, [placed(each)[1] for each in angles], atol=1e-12)


def test_an_arm_has_the_energy_and_weight_of_its_segments() -> None:
    run = swing()
    angles, speeds = run.data["coordinates"].to_numpy(), run.data["speeds"].to_numpy()
    kinetic = [momenta(q, u)[0] for q, u in zip(angles, speeds, strict=True)]
    np.testing.assert_allclose(series(run, "energy", kind="kinetic"), kinetic, rtol=1e-7)
    potential = [weight(q) for q in angles]
    np.testing.assert_allclose(series(run, "energy", kind="potential"), potential, atol=1e-12)
    slopes = [[(weight(q + h) - weight(q - h)) / 2e-6 for h in 1e-6 * np.eye(7)] for q in angles]
    np.testing.assert_allclose(series(run, "terms", term="G"), slopes, atol=1e-8)


def test_a_swinging_arm_keeps_its_energy_and_its_momentum_about_the_vertical() -> None:
    run = swing()
    assert run.energy_drift < 1e-8
    angles, speeds = run.data["coordinates"].to_numpy(), run.data["speeds"].to_numpy()
    vertical = [momenta(q, u)[1] for q, u in zip(angles, speeds, strict=True)]
    np.testing.assert_allclose(vertical, vertical[0], atol=1e-8)
    assert abs(vertical[0]) > 0.01
