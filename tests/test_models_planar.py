"""Carts, an acrobot, rotary and elastic pendulums, a runner in stance, a body on a wheel."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import freebody
from freebody.algebra import equal

if TYPE_CHECKING:
    from freebody.mechanics import Equations
    from freebody.simulation import Simulation

UNDAMPED: dict[str, dict[str, float]] = {
    "cart_pendulum": {},
    "cart_double_pendulum": {},
    "acrobot": {},
    "furuta_pendulum": {"b1": 0.0, "b2": 0.0},
    "elastic_pendulum": {},
    "slip_stance": {},
    "wheeled_pendulum": {},
}
"""The models of this file, with the constants that leave them without damping."""


@cache
def derived(name: str) -> Equations:
    return freebody.derive(freebody.load(name))


def simulated(name: str, duration: float, **given: Any) -> Simulation:
    return freebody.simulate(name, duration=duration, unchecked=True, **given)


@cache
def long_run(name: str) -> Simulation:
    return simulated(name, 20, constants=UNDAMPED[name])


def values(equations: Equations, changed: dict[str, float] | None = None) -> dict[Any, float]:
    """Return the number of each constant."""
    numbers = equations.mechanism.names.values(changed)
    return {symbol: numbers[symbol.name] for symbol in equations.constants}


def small_motions(
    equations: Equations, at: dict[str, float], changed: dict[str, float] | None = None
) -> Any:
    """Return the squared frequencies about a state of rest, the smallest first."""
    place = [at.get(q.func.__name__, 0.0) for q in equations.coordinates]
    rest = dict(zip(equations.coordinates, place, strict=True)) | dict.fromkeys(equations.speeds, 0)
    slopes = (equations.G + equations.E).jacobian(equations.coordinates)
    stiffness, mass = (
        np.array(matrix.subs(rest).subs(values(equations, changed)).tolist(), dtype=float)
        for matrix in (slopes, equations.M)
    )
    return eigh(stiffness, mass, eigvals_only=True)


def series(run: Simulation, variable: str, **labels: str) -> Any:
    return run.data[variable].sel(labels).to_numpy()


# ---------------------------------------------------------------------- all of them


@pytest.mark.few("furuta_pendulum")
@pytest.mark.parametrize("name", UNDAMPED)
def test_energy_is_kept_for_twenty_seconds(name: str) -> None:
    run = long_run(name)
    energy = run.data["energy"]
    np.testing.assert_allclose(energy.sel(kind="work"), 0, atol=1e-12)
    assert run.energy_drift < 1e-8
    assert float(energy.sel(kind="kinetic").max()) > 0.01  # it does move


# ---------------------------------------------------------------------- carts


def test_a_hanging_pole_and_its_cart_swing_as_a_rod_does() -> None:
    cart = derived("cart_pendulum")
    m_c, m_p, length, g = 1.0, 0.1, 0.5, 9.8
    square = 3 * (m_c + m_p) * g / ((4 * m_c + m_p) * length)
    np.testing.assert_allclose(small_motions(cart, {"theta": np.pi}), [0, square], atol=1e-12)
    np.testing.assert_allclose(small_motions(cart, {}), [-square, 0], atol=1e-12)


def test_a_hanging_point_mass_has_the_frequency_of_the_textbooks() -> None:
    model = freebody.load("cart_pendulum")
    cart, pole = model.bodies
    bodies = (cart, pole.model_copy(update={"inertia": None}))
    hanging = freebody.derive(model.model_copy(update={"bodies": bodies}))
    numbers = {"m_c": 2.0, "m_p": 0.7, "l": 0.6, "g": 9.81}
    found = small_motions(hanging, {"theta": np.pi}, numbers)
    np.testing.assert_allclose(found, [0, (2.0 + 0.7) * 9.81 / (2.0 * 0.6)], atol=1e-12)


@pytest.mark.exhaustive
def test_a_pushed_cart_moves_as_the_printed_equations_say() -> None:
    m_c, m_p, length, g = 1.0, 0.1, 0.5, 9.8

    def florian(t: float, state: Any) -> list[float]:
        _, theta, v, w = state
        s, c, total, force = np.sin(theta), np.cos(theta), m_c + m_p, 2 * np.sin(5 * t)
        alpha = g * s + c * (-force - m_p * length * w**2 * s) / total
        alpha /= length * (4 / 3 - m_p * c**2 / total)
        return [v, w, (force + m_p * length * (w**2 * s - alpha * c)) / total, alpha]

    run = simulated("cart_pendulum", 2, inputs={"F": "2*sin(5*t)"})
    expected = solve_ivp(florian, (0, 2), [0, 0.1, 0, 0], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(run.data["coordinates"][-1], expected.y[:2, -1], atol=1e-8)
    np.testing.assert_allclose(run.data["speeds"][-1], expected.y[2:, -1], atol=1e-8)


@pytest.mark.parametrize(
    ("name", "masses"),
    [
        ("cart_pendulum", {"cart": 1.0, "pole": 0.1}),
        ("cart_double_pendulum", {"cart": 1.5, "lower": 0.5, "upper": 0.75}),
    ],
)
def test_nothing_moves_the_common_centre_of_mass_sideways(
    name: str, masses: dict[str, float]
) -> None:
    places = (m * series(long_run(name), "position", point=b, axis="x") for b, m in masses.items())
    moment = sum(places)
    np.testing.assert_allclose(moment, moment[0], atol=1e-8)


def test_two_equal_rods_on_a_heavy_cart_have_the_frequencies_of_a_double_pendulum() -> None:
    numbers = {"m0": 1e12, "m1": 0.4, "m2": 0.4, "L1": 0.7, "L2": 0.7, "g": 9.81}
    hanging = {"theta1": np.pi, "theta2": np.pi}
    found = small_motions(derived("cart_double_pendulum"), hanging, numbers)
    squares = np.array([3 - 6 / np.sqrt(7), 3 + 6 / np.sqrt(7)]) * 9.81 / 0.7
    np.testing.assert_allclose(found, [0, *squares], rtol=1e-9, atol=1e-9)


def test_the_double_inverted_pendulum_has_two_ways_to_fall() -> None:
    up = small_motions(derived("cart_double_pendulum"), {})
    down = small_motions(derived("cart_double_pendulum"), {"theta1": np.pi, "theta2": np.pi})
    np.testing.assert_allclose(up, -down[::-1], atol=1e-9)
    assert (down > 1).tolist() == [False, True, True]


# ---------------------------------------------------------------------- acrobot


def test_the_acrobot_has_the_numbers_that_its_table_gives() -> None:
    acrobot = derived("acrobot")
    state = {acrobot.coordinates[0]: -sympy.pi / 2, acrobot.coordinates[1]: 0}
    mass = acrobot.M.subs(state).subs(values(acrobot))
    np.testing.assert_allclose(np.array(mass.tolist(), float), [[4.663, 2.33], [2.33, 1.33]])
    mass, stiffness = np.array([[4.663, 2.33], [2.33, 1.33]]), [[24.5, 9.8], [9.8, 9.8]]
    expected = np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real)
    np.testing.assert_allclose(small_motions(acrobot, {"q1": -np.pi / 2}), expected, rtol=1e-12)


def test_only_the_elbow_is_driven() -> None:
    acrobot = derived("acrobot")
    assert list(acrobot.tau) == [0, *acrobot.inputs]


def test_a_torque_that_linearizes_the_elbow_makes_it_an_oscillator() -> None:
    """The partial feedback linearization of the document, with 25 (q2 - 0) + 10 q2_dot as goal."""
    d11 = "(m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)) + I1 + I2)"
    d12 = "(m2*(lc2**2 + l1*lc2*cos(q2)) + I2)"
    d22 = "(m2*lc2**2 + I2)"
    h1 = "(-m2*l1*lc2*sin(q2)*q2_dot**2 - 2*m2*l1*lc2*sin(q2)*q2_dot*q1_dot)"
    h2 = "m2*l1*lc2*sin(q2)*q1_dot**2"
    phi1 = "((m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2))"
    phi2 = "m2*lc2*g*cos(q1 + q2)"
    goal = "(-25*q2 - 10*q2_dot)"
    law = f"({d22} - {d12}**2/{d11})*{goal} + {h2} + {phi2} - {d12}*({h1} + {phi1})/{d11}"
    run = simulated("acrobot", 2, inputs={"tau": law}, initial={"q2": 0.8})
    t = run.data["time"].to_numpy()
    found = series(run, "coordinates", coordinate="q2")
    np.testing.assert_allclose(found, 0.8 * (1 + 5 * t) * np.exp(-5 * t), atol=1e-9)


# ---------------------------------------------------------------------- rotary pendulum


def test_a_slender_rotary_pendulum_has_the_shorter_printed_equations() -> None:
    """Cazzolato and Prime's equations with J1 = diag(0, J1, J1) and J2 = diag(0, J2, J2)."""
    furuta = derived("furuta_pendulum")
    names = {symbol.name: symbol for symbol in furuta.constants}
    L1, l1, l2, m1, m2, g = (names[name] for name in ("L1", "l1", "l2", "m1", "m2", "g"))
    J1, J2 = names["J1zz"], names["J2zz"]
    slender = {names["J2xx"]: 0, names["J2yy"]: J2}
    theta, (v, w) = furuta.coordinates[1], furuta.speeds
    s, c, s2 = sympy.sin(theta), sympy.cos(theta), sympy.sin(2 * theta)
    hat0, hat2 = J1 + m1 * l1**2 + m2 * L1**2, J2 + m2 * l2**2
    expected = {
        "M": [[hat0 + hat2 * s**2, m2 * L1 * l2 * c], [m2 * L1 * l2 * c, hat2]],
        "C": [[-m2 * L1 * l2 * s * w**2 + v * w * s2 * hat2], [-(v**2) * s2 * hat2 / 2]],
        "G": [[0], [g * m2 * l2 * s]],
        "E": [[names["b1"] * v], [names["b2"] * w]],
    }
    for block, rows in expected.items():
        found = getattr(furuta, block).subs(slender)
        assert all(map(equal, found, sympy.Matrix(rows))), block


def test_a_rotary_pendulum_hangs_on_an_arm_that_gives_way() -> None:
    hat0, hat2 = 0.0248 + 0.3 * 0.15**2 + 0.075 * 0.278**2, 0.00386 + 0.075 * 0.148**2
    coupling, weight = 0.075 * 0.278 * 0.148, 9.81 * 0.075 * 0.148
    square = weight * hat0 / (hat0 * hat2 - coupling**2)
    found = small_motions(derived("furuta_pendulum"), {})
    np.testing.assert_allclose(found, [0, square], atol=1e-9)


def test_the_angular_momentum_about_the_vertical_is_kept() -> None:
    start = {"theta1_dot": 3.0, "theta2_dot": 1.0}
    run = simulated("furuta_pendulum", 3, constants=UNDAMPED["furuta_pendulum"], initial=start)
    theta = series(run, "coordinates", coordinate="theta2")
    v, w = run.data["speeds"].to_numpy().T
    hat1, hat2 = 0.0248 + 0.3 * 0.15**2, 0.00386 + 0.075 * 0.148**2
    momentum = (hat1 + 0.075 * 0.278**2 + hat2 * np.sin(theta) ** 2) * v
    momentum += 0.075 * 0.278 * 0.148 * np.cos(theta) * w
    np.testing.assert_allclose(momentum, momentum[0], rtol=1e-9)
    assert np.ptp(v) > 0.5  # while the arm speeds up and slows down


# ---------------------------------------------------------------------- elastic pendulum


def test_an_elastic_pendulum_bounces_and_swings_at_its_two_frequencies() -> None:
    pendulum = derived("elastic_pendulum")
    numbers = {"m": 1.3, "k": 40.0, "l0": 0.8, "g": 9.81}
    rest = 0.8 + 1.3 * 9.81 / 40
    found = small_motions(pendulum, {"r": rest}, numbers)
    np.testing.assert_allclose(found, [9.81 / rest, 40 / 1.3], rtol=1e-12)
    swing, bounce = np.sqrt(small_motions(pendulum, {"r": 4 / 3}))
    assert bounce == pytest.approx(2 * swing, rel=1e-12)


def test_a_spring_that_does_not_swing_bounces_as_a_cosine() -> None:
    run = simulated("elastic_pendulum", 3, initial={"theta": 0})
    r, t = series(run, "coordinates", coordinate="r"), run.data["time"].to_numpy()
    np.testing.assert_allclose(r, 4 / 3 + 0.1 * np.cos(np.sqrt(29.43) * t), atol=1e-10)


@pytest.mark.parametrize(("stiffness", "feeds"), [(29.43, True), (120.0, False)])
def test_bouncing_feeds_the_swing_in_resonance_alone(stiffness: float, feeds: bool) -> None:
    run = simulated("elastic_pendulum", 20, constants={"k": stiffness})
    widest = np.abs(series(run, "coordinates", coordinate="theta")).max()
    rest = 1 + 9.81 / stiffness
    all_of_it = np.sqrt(0.05**2 + stiffness * 0.1**2 / (9.81 * rest))
    assert widest == pytest.approx(all_of_it if feeds else 0.05, rel=0.05)


# ---------------------------------------------------------------------- runner


def test_a_stance_is_symmetric_about_the_moment_when_the_leg_is_upright() -> None:
    middle = {"x": 0.0, "y": 0.86, "x_dot": 4.7, "y_dot": 0.0}
    last = simulated("slip_stance", 0.08, step=0.02, initial=middle).data.isel(time=-1)
    (x, y), (vx, vy) = last["coordinates"].to_numpy(), last["speeds"].to_numpy()
    first = {"x": -x, "y": y, "x_dot": vx, "y_dot": -vy}
    run = simulated("slip_stance", 0.16, step=0.02, initial=first)
    for variable, signs in (("coordinates", [-1, 1]), ("speeds", [1, -1])):
        found = run.data[variable].to_numpy()
        np.testing.assert_allclose(found, found[::-1] * signs, atol=1e-9)


def test_a_runner_who_stands_is_held_by_a_leg_that_bounces() -> None:
    rest = 1 - 80 * 9.81 / 20000
    found = small_motions(derived("slip_stance"), {"x": 0.0, "y": rest})
    np.testing.assert_allclose(found, [-9.81 / rest, 20000 / 80], rtol=1e-12)


@cache
def next_apex(apex: float) -> float:
    """Return the height of the flight after a stance, at the energy of 5 m/s at a height of 1 m."""
    speed = float(np.sqrt(5**2 + 2 * 9.81 * (1 - apex)))
    flight = {"apex": apex, "speed": speed}
    run = simulated("slip_stance", 0.2, step=0.0005, constants=flight)
    x, y = run.data["coordinates"].to_numpy().T
    slack = np.hypot(x, y) - 1
    off = 10 + np.nonzero(slack[10:] > 0)[0][0]  # the leg is slack at touch-down as well
    share = slack[off - 1] / (slack[off - 1] - slack[off])
    height, climb = (
        column[off - 1] + share * (column[off] - column[off - 1])
        for column in (y, series(run, "speeds", speed="y_dot"))
    )
    return float(height + climb**2 / (2 * 9.81))


def test_running_at_five_metres_per_second_keeps_itself_up() -> None:
    """The stable running of Seyfarth, Geyer and Herr: flights that are too low rise, others sink.

    Their return map crosses the diagonal, and is less steep than it.
    """
    low, high = next_apex(0.93), next_apex(0.96)
    assert low > 0.93
    assert high < 0.96
    assert abs(high - low) < 0.5 * (0.96 - 0.93)
    assert next_apex(1.1) < 1.1


# ---------------------------------------------------------------------- body on a wheel


def test_a_driven_wheel_and_its_body_move_as_the_printed_equations_say() -> None:
    R, L, m_w, m_b, I_w, I_b, g = 0.04, 0.1, 0.02, 0.2, 0.00025, 0.003, 9.81

    def separated(t: float, state: Any) -> list[float]:
        _, theta, wheel, body = state
        torque = 0.02 * np.cos(8 * t)
        a, b, c = m_b * R * L * np.cos(theta), I_b + m_b * L**2, I_w + (m_b + m_w) * R**2
        d = m_b * g * L * np.sin(theta) - torque
        e = m_b * R * L * body**2 * np.sin(theta) + torque
        return [wheel, body, *np.array([a * d - b * e, a * e - c * d]) / (a**2 - b * c)]

    run = simulated("wheeled_pendulum", 1, inputs={"tau": "0.02*cos(8*t)"})
    expected = solve_ivp(separated, (0, 1), [0, 0.1, 0, 0], rtol=1e-11, atol=1e-12).y[:, -1]
    x, phi, theta = run.data["coordinates"].to_numpy().T
    np.testing.assert_allclose([phi[-1], theta[-1]], expected[:2], atol=1e-7)
    np.testing.assert_allclose(x, -R * phi, atol=1e-9)
    assert np.ptp(x) > 0.01


def test_a_body_on_a_wheel_falls_at_the_rate_of_the_linearized_equations() -> None:
    b, c, a = 0.003 + 0.2 * 0.1**2, 0.00025 + 0.22 * 0.04**2, 0.2 * 0.04 * 0.1
    rate = np.sqrt(c * 0.2 * 9.81 * 0.1 / (b * c - a**2))
    run = simulated("wheeled_pendulum", 0.5, initial={"theta": 1e-5})
    t, theta = run.data["time"].to_numpy(), series(run, "coordinates", coordinate="theta")
    np.testing.assert_allclose(theta, 1e-5 * np.cosh(rate * t), rtol=1e-6)


@pytest.mark.exhaustive
def test_the_road_pushes_and_carries_the_wheel_as_the_momentum_of_the_whole_asks() -> None:
    run = long_run("wheeled_pendulum")
    theta = series(run, "coordinates", coordinate="theta")
    w = series(run, "speeds", speed="theta_dot")
    ax, _, alpha = run.data["accelerations"].to_numpy().T
    s, c = np.sin(theta), np.cos(theta)
    push = 0.22 * ax - 0.2 * 0.1 * (alpha * c - w**2 * s)
    load = 0.22 * 9.81 - 0.2 * 0.1 * (alpha * s + w**2 * c)
    np.testing.assert_allclose(series(run, "constraint_force", constraint="grip"), push, atol=1e-10)
    found = series(run, "reaction_force", joint="road", axis="y")
    np.testing.assert_allclose(found, load, atol=1e-10)
    assert np.ptp(push) > 1
    assert np.ptp(load) > 1
