"""Bodies that turn in space, roll, or move in closed loops: against what is published of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from scipy.linalg import eigvals

import freebody
from freebody.model import loads, shipped

MODELS = (
    "spinning_top",
    "gimbal_rotor",
    "rolling_disc",
    "chaplygin_sleigh",
    "four_bar",
    "slider_crank",
)

Array = np.ndarray[Any, np.dtype[np.float64]]


@cache
def derived(name: str, *changes: tuple[str, str]) -> freebody.Equations:
    """Return the equations of a shipped model, perhaps with other words in its file."""
    told = (shipped()[name] / "model.toml").read_text()
    for old, new in changes:
        assert old in told
        told = told.replace(old, new)
    return freebody.derive(loads(told))


def constants(found: freebody.Equations) -> dict[str, float]:
    return found.mechanism.names.values()


def at(found: freebody.Equations, block: Any, **state: float) -> Array:
    """Return a matrix in numbers, at the constants of a model and a state, else 0."""
    known = {**constants(found), **state}
    plain = found.mechanism.names.plain(block)
    values = {symbol: known.get(symbol.name, 0.0) for symbol in plain.free_symbols}
    return np.array(plain.subs(values).tolist(), dtype=float)


def simulated(name: str, duration: float, step: float, **told: Any) -> freebody.Simulation:
    return freebody.simulate(name, duration=duration, step=step, unchecked=True, **told)


def path(run: freebody.Simulation, name: str, of: str = "coordinates") -> Array:
    """Return a coordinate along a motion, or its speed or acceleration."""
    column = {"coordinate": name} if of == "coordinates" else {"speed": f"{name}_dot"}
    values: Array = run.data[of].sel(column).to_numpy()
    return values


def times(run: freebody.Simulation) -> Array:
    return run.data["time"].to_numpy()


# ---------------------------------------------------------------------- spinning top


def tipping(k: dict[str, float]) -> float:
    return k["m"] * k["g"] * k["l"]


def sleeping_spin(k: dict[str, float]) -> float:
    """Return the least spin at which an upright top is stable: ω3² = 4 I1 m g l / I3²."""
    return float(2 * np.sqrt(k["I1"] * tipping(k)) / k["I3"])


def steady_precession(k: dict[str, float], root: int, spin: float, tilt: float) -> dict[str, float]:
    """Return the slow or the fast precession without nutation: m g l = φ' (I3 ω3 - I1 φ' cos θ)."""
    rates = np.roots([k["I1"] * np.cos(tilt), -k["I3"] * spin, tipping(k)])
    rate = float(np.sort(rates)[root])
    return {"theta": tilt, "phi_dot": rate, "psi_dot": spin - rate * np.cos(tilt)}


@pytest.mark.parametrize("root", [0, 1])
@pytest.mark.parametrize("tilt", [0.3, 1.2, 2.0])
def test_a_top_needs_no_moment_to_precess_steadily(root: int, tilt: float) -> None:
    found = derived("spinning_top")
    state = steady_precession(constants(found), root, 150.0, tilt)
    weight = at(found, found.G, **state)
    np.testing.assert_allclose(at(found, found.C, **state), -weight, atol=1e-10)
    assert abs(weight).max() > 0.05


@pytest.mark.parametrize("root", [0, 1])
def test_a_top_set_off_steadily_keeps_its_tilt(root: int) -> None:
    start = steady_precession(constants(derived("spinning_top")), root, 200.0, 0.6)
    run = simulated("spinning_top", 0.3, 0.05, initial=start)
    np.testing.assert_allclose(path(run, "theta"), 0.6, atol=1e-8)
    np.testing.assert_allclose(path(run, "phi"), start["phi_dot"] * times(run), atol=1e-7)


def test_without_weight_a_top_precesses_about_its_angular_momentum() -> None:
    k, spin, tilt = constants(derived("spinning_top")), 60.0, 0.5
    rate = k["I3"] * spin / (k["I1"] * np.cos(tilt))
    momentum = np.hypot(k["I1"] * rate * np.sin(tilt), k["I3"] * spin)
    assert momentum / k["I1"] == pytest.approx(rate)
    start = {"theta": tilt, "phi_dot": rate, "psi_dot": spin - rate * np.cos(tilt)}
    run = simulated("spinning_top", 1, 0.1, constants={"g": 0}, initial=start)
    np.testing.assert_allclose(path(run, "theta"), tilt, atol=1e-9)
    np.testing.assert_allclose(path(run, "phi"), rate * times(run), atol=1e-8)


@pytest.mark.parametrize("share", [0.5, 0.99, 1.01, 2.0])
@pytest.mark.parametrize("tilt", [1e-3, 0.4, 2.5])
def test_an_upright_top_sleeps_above_its_critical_spin(share: float, tilt: float) -> None:
    """With p_phi = p_psi, I1 θ'' = m g l sin θ (1 - I3² ω3² / (4 I1 m g l cos⁴(θ/2)))."""
    found = derived("spinning_top")
    k = constants(found)
    spin = share * sleeping_spin(k)
    rate = k["I3"] * spin / (k["I1"] * (1 + np.cos(tilt)))
    state = {"theta": tilt, "phi_dot": rate, "psi_dot": spin - rate * np.cos(tilt)}
    forces = -at(found, found.C + found.G, **state)
    nutation = np.linalg.solve(at(found, found.M, **state), forces)[1, 0]
    upright = 1 - share**2 / np.cos(tilt / 2) ** 4
    assert nutation == pytest.approx(tipping(k) / k["I1"] * np.sin(tilt) * upright, rel=1e-8)
    assert tilt > 0.01 or (nutation < 0) == (share > 1)


@pytest.mark.parametrize(("share", "sleeps"), [(1.05, True), (0.95, False)])
def test_a_top_stays_upright_only_if_it_spins_fast(share: float, sleeps: bool) -> None:
    spin = share * sleeping_spin(constants(derived("spinning_top")))
    run = simulated("spinning_top", 1.5, 0.02, initial={"theta": 0.01, "psi_dot": spin})
    assert (path(run, "theta").max() < 0.05) == sleeps


def test_a_top_rises_to_the_vertical_as_a_hyperbolic_secant() -> None:
    """A motion in closed form: Woodhouse, Introduction to Analytical Dynamics, chapter 5."""
    k = constants(derived("spinning_top"))
    gamma = np.sqrt(tipping(k) / k["I1"])
    start = {
        "theta": np.pi / 3,
        "phi_dot": 2 * gamma / np.sqrt(3),
        "psi_dot": (3 * k["I1"] - k["I3"]) * gamma / (k["I3"] * np.sqrt(3)),
    }
    run = simulated("spinning_top", 4 / gamma, 0.1 / gamma, initial=start)
    expected = 1 / (1 + 1 / np.cosh(gamma * times(run)))
    np.testing.assert_allclose(np.cos(path(run, "theta")), expected, atol=1e-7)


def test_a_nodding_top_keeps_its_momenta_and_its_energy() -> None:
    run = simulated("spinning_top", 2, 0.02)
    k, theta = constants(derived("spinning_top")), path(run, "theta")
    phi, psi = (path(run, name, "speeds") for name in ("phi", "psi"))
    spin = psi + phi * np.cos(theta)
    upright = k["I1"] * phi * np.sin(theta) ** 2 + k["I3"] * spin * np.cos(theta)
    assert np.ptp(theta) > 0.01
    np.testing.assert_allclose(spin, spin[0], rtol=1e-9)
    np.testing.assert_allclose(upright, upright[0], rtol=1e-9)
    assert run.energy_drift < 1e-9


# ---------------------------------------------------------------------- gimbals


def gimbal_inertia(k: dict[str, float], tilt: Any) -> tuple[Any, float]:
    """Return what turns about the vertical, but for the rotor's spin, and about the inner axis."""
    outer = k["K"] + k["Ay"] * np.sin(tilt) ** 2 + (k["Az"] + k["It"]) * np.cos(tilt) ** 2
    return outer, k["Ax"] + k["It"]


@pytest.mark.parametrize("tilt", [0.0, 0.7, -1.2])
def test_a_gyroscope_nods_at_the_frequency_of_its_momentum(tilt: float) -> None:
    """H cos θ over the root of both moments of inertia that it nods against."""
    found = derived("gimbal_rotor")
    k, state = constants(found), {"theta": tilt, "phi_dot": 250.0}
    gyroscopic = at(found, found.C.jacobian(list(found.speeds)), **state)
    values = eigvals(-gyroscopic, at(found, found.M, **state))
    nodding = k["Ia"] * 250 * np.cos(tilt) / np.sqrt(np.prod(gimbal_inertia(k, tilt)))
    np.testing.assert_allclose(np.sort(values.imag), [-nodding, 0, nodding], rtol=1e-9)
    np.testing.assert_allclose(values.real, 0, atol=1e-9 * nodding)


def test_a_moment_on_the_inner_gimbal_turns_the_outer_one() -> None:
    k, tilt, rate, spin = constants(derived("gimbal_rotor")), 0.4, -1.5, 300.0
    sine, cosine = np.sin(tilt), np.cos(tilt)
    across = (k["Az"] + k["It"] - k["Ay"]) * rate**2 * sine * cosine
    moment = across - k["Ia"] * (spin + rate * sine) * rate * cosine
    start = {"theta": tilt, "theta_dot": 0, "psi_dot": rate, "phi_dot": spin}
    run = simulated("gimbal_rotor", 1, 0.1, initial=start, inputs={"Ti": moment})
    np.testing.assert_allclose(path(run, "theta"), tilt, atol=1e-8)
    np.testing.assert_allclose(path(run, "psi"), rate * times(run), atol=1e-7)


def test_a_free_gyroscope_keeps_its_momenta_and_its_energy() -> None:
    run = simulated("gimbal_rotor", 1, 0.01)
    k, theta = constants(derived("gimbal_rotor")), path(run, "theta")
    psi, phi = (path(run, name, "speeds") for name in ("psi", "phi"))
    momentum = k["Ia"] * (phi + psi * np.sin(theta))
    upright = gimbal_inertia(k, theta)[0] * psi + momentum * np.sin(theta)
    assert np.ptp(psi) > 1
    np.testing.assert_allclose(momentum, momentum[0], rtol=1e-9)
    np.testing.assert_allclose(upright, upright[0], rtol=1e-9)
    assert run.energy_drift < 1e-9


# ---------------------------------------------------------------------- constraints


def accelerations(found: freebody.Equations, **state: float) -> Array:
    """Return the accelerations, from M u' + C + G + E = tau + J^T lambda and J u = 0."""
    u = sympy.Matrix(found.speeds)
    turning = (found.J * u).jacobian(list(found.coordinates)) * found.N * u
    M, J = at(found, found.M, **state), at(found, found.J, **state)
    rest = at(found, found.tau - found.C - found.G - found.E, **state)
    whole = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    both = np.linalg.solve(whole, np.vstack([rest, -at(found, turning, **state)]))
    return both[: len(M), 0]


# ---------------------------------------------------------------------- rolling disc

HOOP = (("m*r**2/2", "m*r**2"), ("m*r**2/4", "m*r**2/2"))


def upright_growth(found: freebody.Equations, speed: float) -> float:
    """Return the square of the rate at which an upright disc falls over; negative if it sways."""
    start = {"lean": 0.0, "u1": 0.0, "u2": speed / constants(found)["r"], "u3": 0.0}

    def slope(name: str, by: float) -> Array:
        moved = {**start, name: start[name] + by}
        return np.array([moved["u1"], *accelerations(found, u4=speed, **moved)[:3]])

    step = 1e-4
    columns = [(slope(name, step) - slope(name, -step)) / (2 * step) for name in start]
    squares = (np.linalg.eigvals(np.transpose(columns)) ** 2).real
    return float(squares[np.argmax(abs(squares))])


@pytest.mark.exhaustive
@pytest.mark.few(1.1)
@pytest.mark.parametrize("share", [0.0, 0.9, 1.1])
def test_an_upright_disc_is_stable_above_its_critical_speed(share: float) -> None:
    """A thin disc falls over below v² = g r / 3."""
    found = derived("rolling_disc")
    g, r = constants(found)["g"], constants(found)["r"]
    square = upright_growth(found, share * np.sqrt(g * r / 3))
    assert square == pytest.approx(4 / 5 * g / r * (1 - share**2), rel=1e-5)


@pytest.mark.few(1.1)
@pytest.mark.parametrize("share", [0.9, 1.1])
@pytest.mark.exhaustive
def test_a_hoop_is_stable_above_its_critical_speed(share: float) -> None:
    """A hoop falls over below v² = g r / 4."""
    found = derived("rolling_disc", *HOOP)
    g, r = constants(found)["g"], constants(found)["r"]
    square = upright_growth(found, share * np.sqrt(g * r / 4))
    assert square == pytest.approx(2 / 3 * g / r * (1 - share**2), rel=1e-5)


@pytest.mark.exhaustive
@pytest.mark.one_in(2)
@pytest.mark.parametrize(("lean", "yaw_rate"), [(0.3, -2.0), (0.8, -6.0)])
def test_a_leaned_disc_rolls_in_a_circle(lean: float, yaw_rate: float) -> None:
    """From u1' = 0: 4 g sin q2 + 6 r u2 u3 = r u3² tan q2."""
    k = constants(derived("rolling_disc"))
    u3 = yaw_rate * np.cos(lean)
    u2 = (k["r"] * u3**2 * np.tan(lean) - 4 * k["g"] * np.sin(lean)) / (6 * k["r"] * u3)
    spin_rate = u2 - yaw_rate * np.sin(lean)
    start = {"lean": lean, "yaw_dot": yaw_rate, "spin_dot": spin_rate}
    run = simulated("rolling_disc", 1, 0.05, initial=start)
    radius = k["r"] * spin_rate / yaw_rate
    np.testing.assert_allclose(path(run, "lean"), lean, atol=1e-7)
    np.testing.assert_allclose(path(run, "yaw"), yaw_rate * times(run), atol=1e-7)
    distance = np.hypot(path(run, "x"), path(run, "y") - radius)
    np.testing.assert_allclose(distance, abs(radius), rtol=1e-7)


def test_a_disc_moves_as_the_published_equations_say() -> None:
    k, start = constants(derived("rolling_disc")), {"lean": 0.2, "yaw_dot": 0.5, "spin_dot": 4.0}

    def slope(_: float, state: Array) -> list[float]:
        g, r, (q2, u1, u2, u3) = k["g"], k["r"], state
        falling = (4 * g * np.sin(q2) + 6 * r * u2 * u3 - r * u3**2 * np.tan(q2)) / (5 * r)
        return [u1, falling, -2 * u1 * u3 / 3, (u3 * np.tan(q2) - 2 * u2) * u1]

    run = simulated("rolling_disc", 3, 0.05, initial=start)
    first = [0.2, 0.0, 4.0 + 0.5 * np.sin(0.2), 0.5 * np.cos(0.2)]
    known = solve_ivp(slope, (0, 3), first, t_eval=times(run), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(path(run, "lean"), known.y[0], atol=1e-7)
    assert np.ptp(known.y[0]) > 0.1


def test_a_wobbling_disc_keeps_its_energy_and_does_not_slip() -> None:
    run = simulated("rolling_disc", 3, 0.01)
    assert np.ptp(path(run, "lean")) > 0.05
    assert run.energy_drift < 1e-8
    middle = (path(run, "yaw")[1:] + path(run, "yaw")[:-1]) / 2
    unrolled = constants(derived("rolling_disc"))["r"] * np.diff(path(run, "spin"))
    np.testing.assert_allclose(np.diff(path(run, "x")), unrolled * np.cos(middle), atol=1e-5)
    np.testing.assert_allclose(np.diff(path(run, "y")), unrolled * np.sin(middle), atol=1e-5)


# ---------------------------------------------------------------------- sleigh


def test_a_sleigh_turns_until_it_slides_ahead_of_its_edge() -> None:
    """On the ellipse of its energy, v = V tanh s and ω = W sech s."""
    k = constants(derived("chaplygin_sleigh"))
    backwards, turning = -0.5, 2.0
    inertia = k["I"] + k["m"] * k["a"] ** 2
    energy = k["m"] * backwards**2 + inertia * turning**2
    fastest, largest = np.sqrt(energy / k["m"]), np.sqrt(energy / inertia)
    pace = k["a"] * largest**2 / fastest
    start = {"x_dot": backwards, "theta_dot": turning}
    run = simulated("chaplygin_sleigh", 20 / pace, 0.05, initial=start)
    s = np.arctanh(backwards / fastest) + pace * times(run)
    turned = 2 * np.arctan(np.tanh(s / 2))
    expected = largest / pace * (turned - turned[0])
    np.testing.assert_allclose(path(run, "theta"), expected, atol=1e-7)
    limit = largest / pace * (np.pi / 2 - turned[0])
    assert path(run, "theta")[-1] == pytest.approx(limit, abs=1e-6)
    last = [np.diff(path(run, name)[-2:])[0] for name in ("x", "y")]
    ahead = fastest * np.diff(times(run)[-2:])[0]
    np.testing.assert_allclose(last, [ahead * np.cos(limit), ahead * np.sin(limit)], rtol=1e-6)
    assert run.energy_drift < 1e-9


def test_a_sleigh_turns_around_by_the_same_angle_at_any_speed() -> None:
    """From backwards to forwards by π sqrt(I + m a²) / (a sqrt m), however fast."""
    k = constants(derived("chaplygin_sleigh"))
    whole = np.pi * np.sqrt(k["I"] / k["m"] + k["a"] ** 2) / k["a"]
    for backwards in (-1.0, -4.0):
        start = {"x_dot": backwards, "theta_dot": 1e-6}
        run = simulated("chaplygin_sleigh", 30 / -backwards, 0.1, initial=start)
        assert np.ptp(path(run, "theta")) == pytest.approx(whole, abs=1e-4)


# ---------------------------------------------------------------------- four-bar linkage


def closed(k: dict[str, float], theta2: Any) -> tuple[Any, Any]:
    """Return coupler and rocker angles of the open circuit by the law of cosines, elementwise."""
    x, y = k["d"] - k["a"] * np.cos(theta2), -k["a"] * np.sin(theta2)
    diagonal, towards = np.hypot(x, y), np.arctan2(y, x)

    def corner(side: float, opposite: float) -> Any:
        squares = side**2 + diagonal**2 - opposite**2
        return np.arccos(squares / (2 * side * diagonal))

    return (
        towards + corner(k["b"], k["c"]),
        towards + np.pi - corner(k["c"], k["b"]),
    )


def test_a_linkage_has_the_published_velocities_and_accelerations() -> None:
    """Norton, Design of Machinery: the linkage of example 4-1, with ω2 = 25, α2 = 15."""
    found = derived("four_bar")
    k = constants(found)
    theta2 = np.radians(40)
    theta3, theta4 = closed(k, theta2)
    np.testing.assert_allclose(np.degrees([theta3, theta4]), [20.298, 57.325], atol=5e-4)
    place = {"theta2": theta2, "theta3": theta3, "theta4": theta4}
    J = at(found, found.J, **place)
    rates = np.linalg.solve(J[:, 1:], -25 * J[:, 0])
    np.testing.assert_allclose(rates, [-4.121, 6.998], atol=5e-4)
    u = sympy.Matrix(found.speeds)
    moving = {"theta2_dot": 25.0, "theta3_dot": rates[0], "theta4_dot": rates[1]}
    turning = at(found, (found.J * u).jacobian(list(found.coordinates)) * u, **place, **moving)
    found_rates = np.linalg.solve(J[:, 1:], -15 * J[:, 0] - turning[:, 0])
    np.testing.assert_allclose(found_rates, [296.089, 470.134], atol=5e-4)


@pytest.fixture(scope="module")
def linkage() -> freebody.Simulation:
    return simulated("four_bar", 1, 0.002)


@pytest.mark.exhaustive
def test_a_linkage_moves_on_its_closed_curve(linkage: freebody.Simulation) -> None:
    theta3, theta4 = closed(constants(derived("four_bar")), path(linkage, "theta2"))
    np.testing.assert_allclose(path(linkage, "theta3"), theta3, atol=1e-9)
    np.testing.assert_allclose(path(linkage, "theta4"), theta4, atol=1e-9)
    assert linkage.energy_drift < 1e-9


def test_a_crank_turns_round_and_its_rocker_swings(linkage: freebody.Simulation) -> None:
    """Grashof's: the rocker turns back where crank and coupler are in line, folded or stretched."""
    k, rocker = constants(derived("four_bar")), np.pi - path(linkage, "theta4")
    assert k["a"] + k["b"] < k["c"] + k["d"]
    assert np.ptp(path(linkage, "theta2")) > 4 * np.pi
    for length, turned in ((k["b"] + k["a"], rocker.max()), (k["b"] - k["a"], rocker.min())):
        squares = k["c"] ** 2 + k["d"] ** 2 - length**2
        assert turned == pytest.approx(np.arccos(squares / (2 * k["c"] * k["d"])), abs=5e-4)


# ---------------------------------------------------------------------- slider-crank


def test_a_piston_is_where_the_textbook_formula_says() -> None:
    run = simulated("slider_crank", 0.3, 0.002)
    k, theta = constants(derived("slider_crank")), path(run, "theta")
    omega, sine, cosine = path(run, "theta", "speeds"), np.sin(theta), np.cos(theta)
    assert np.ptp(theta) > 4 * np.pi
    root = np.sqrt(k["l"] ** 2 - (k["r"] * sine) ** 2)
    velocity = -k["r"] * omega * sine * (1 + k["r"] * cosine / root)
    np.testing.assert_allclose(path(run, "x"), k["r"] * cosine + root, atol=1e-9)
    np.testing.assert_allclose(path(run, "x", "speeds"), velocity, atol=1e-7)
    np.testing.assert_allclose(path(run, "phi"), np.arcsin(k["r"] / k["l"] * sine), atol=1e-8)
    assert run.energy_drift < 1e-9


def test_dead_centres_have_the_textbook_accelerations() -> None:
    """At constant speed, -r ω² (1 + r/l) at the outer and r ω² (1 - r/l) at the inner one."""
    found = derived("slider_crank")
    k, omega = constants(found), 40.0
    for theta, sign in ((0.0, 1), (np.pi, -1)):
        piston = sign * k["r"] + k["l"]
        state = {"theta": theta, "x": piston, "theta_dot": omega}
        state["phi_dot"] = sign * k["r"] / k["l"] * omega
        found_there = accelerations(found, **state)
        expected = -sign * k["r"] * omega**2 * (1 + sign * k["r"] / k["l"])
        assert found_there[2] == pytest.approx(expected, rel=1e-9)


def test_a_gas_force_drives_the_crank_by_its_lever() -> None:
    """From rest, I θ'' = P r sin(θ + φ) / cos φ with the inertia that the crank feels."""
    found = derived("slider_crank")
    k, theta, force = {**constants(found), "g": 0.0}, 1.0, 800.0
    phi = np.arcsin(k["r"] / k["l"] * np.sin(theta))
    lever = k["r"] * np.sin(theta + phi) / np.cos(phi)
    ratio = k["r"] * np.cos(theta) / (k["l"] * np.cos(phi))
    rod = k["mr"] * (
        k["r"] ** 2 + (k["h"] * ratio) ** 2 - 2 * k["r"] * k["h"] * ratio * np.cos(theta + phi)
    )
    inertia = k["Ic"] + rod + k["Ir"] * ratio**2 + k["mp"] * lever**2
    start = accelerations(found, theta=theta, phi=phi, P=force, g=0.0)
    assert start[0] == pytest.approx(force * lever / inertia, rel=1e-9)
