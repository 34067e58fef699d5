"""Equations of motion by three formulations, against each other and against plain numbers."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sympy

import freebody
from conftest import CHAINS, KINDS, SPREAD, SYSTEMS
from freebody.errors import DerivationError
from freebody.mechanics import agreement, derive
from freebody.mechanics.derivation import METHODS
from freebody.mechanics.notation import entries, latex, text
from freebody.model import loads
from freebody.model.names import TIME

if TYPE_CHECKING:
    from conftest import System
    from freebody.mechanics import Equations

BLOCKS = ("C", "G", "E", "tau")
WITH_RATES = [name for name in SYSTEMS if name not in ("chaplygin_sleigh", "rolling_disc")]
"""The models whose speeds are the rates of their coordinates."""


# ---------------------------------------------------------------------- agreement


@pytest.mark.exhaustive("shaken")
@pytest.mark.few(*KINDS)
def test_formulations_agree_exactly(system: System) -> None:
    compared = agreement([system.equations(method) for method in METHODS])
    pairs = {"kane-lagrange", "kane-newton_euler", "lagrange-newton_euler"}
    assert compared.keys() == pairs
    assert {(found.equal, found.proof) for found in compared.values()} == {(True, "exact")}


@pytest.mark.exhaustive("shaken")
@pytest.mark.parametrize("name", ["cart", "tree", "shaken", "linkage", "wheels", "beads"])
def test_formulations_agree_in_numbers(system_of: Any, name: str) -> None:
    system = system_of(name)
    for one, other in pairwise(system.equations(method) for method in METHODS):
        found, expected = (_entries(system, equations) for equations in (one, other))
        np.testing.assert_allclose(found, expected, atol=1e-10)


def _entries(system: System, equations: Equations) -> Any:
    entries = [system.ring.expression(entry) for entry in equations.blocks.entries]
    return system.value(sympy.Matrix(entries))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "change",
    [
        ('inertia = "I"', 'inertia = "2*I"'),
        ('gravity = [0, "-g", 0]', 'gravity = [0, "g", 0]'),
        ('torque = "T"', 'torque = "-T"'),
        ('force = "F"', 'force = "F + mc*g"'),
        ('damping = "ct"', 'damping = "ct/2"'),
        ('displacement = "x"', 'displacement = "2*x"'),
    ],
)
def test_formulations_of_different_models_do_not_agree(
    system_of: Any, change: tuple[str, str]
) -> None:
    cart = system_of("cart")
    other = loads(cart.model.source.read_text().replace(*change))
    assert other != cart.model
    (compared,) = agreement([cart.equations(), derive(other, "lagrange", cart.ring)]).values()
    assert not compared


def test_an_unknown_formulation_is_told_with_the_nearest() -> None:
    with pytest.raises(DerivationError, match=r"found 'lagrnge'; did you mean 'lagrange'\?"):
        freebody.derive(freebody.load("pendulum"), "lagrnge")


# ---------------------------------------------------------------------- plain numbers


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CHAINS)
def test_equations_of_planar_chains_are_those_of_plain_vectors(system_of: Any, name: str) -> None:
    system = system_of(name)
    n = system.numbers()
    M, C, G, E, tau = _planar_chain(system, n)
    found = system.equations()
    np.testing.assert_allclose(np.atleast_2d(system.value(found.M)), M, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(system.value(found.C), C, atol=1e-12)
    np.testing.assert_allclose(system.value(found.G), G, atol=1e-12)
    np.testing.assert_allclose(system.value(found.E), E, atol=1e-12)
    np.testing.assert_allclose(system.value(found.tau), tau, atol=1e-12)
    np.testing.assert_allclose(system.value(found.forcing), tau - C - G - E, atol=1e-12)


def _planar_chain(system: System, n: dict[str, float]) -> tuple[Any, ...]:
    """Work out M, C, G, E and tau of a chain of links with numbers only, from d'Alembert."""
    names, model = system.mechanism.names, system.model
    size = len(names.coordinates)
    segment_angles = system.name in ("double_pendulum", "two_link_segment")
    hangs = model.bodies[0].center_of_mass[0] == 0
    turn = np.eye(size) if segment_angles else np.tril(np.ones((size, size)))
    angles = turn @ [n[q] for q in names.coordinates] - hangs * np.pi / 2
    rates = turn @ [n[u] for u in names.speeds]
    along = np.array([np.cos(angles), np.sin(angles)])
    across = np.array([-np.sin(angles), np.cos(angles)])
    lengths = [0.0 if name is None else n[name] for name in CHAINS[system.name]]
    M, C, G, E = np.zeros((size, size)), np.zeros(size), np.zeros(size), np.zeros(size)
    for i, body in enumerate(model.bodies):
        reach = [*lengths[:i], abs(_number(body.center_of_mass[hangs], n))] + [0.0] * (size - i - 1)
        slopes = across * reach @ turn
        bias = -(along * reach) @ rates**2
        m = _number(body.mass, n)
        M += m * slopes.T @ slopes + _number(body.inertia, n) * np.outer(turn[i], turn[i])
        C += m * slopes.T @ bias
        G += m * n["g"] * slopes[1]
    for force in model.forces:
        E -= (across * lengths @ turn).T @ [_number(part, n) for part in force.vector[:2]]
    torques = np.array([n[joint.torque] for joint in model.joints])
    relative = turn - np.vstack([np.zeros(size), turn[:-1]])
    return M, C, G, E, relative.T @ torques


def _number(value: Any, n: dict[str, float]) -> float:
    """Return the number of an expression of ours, in a test that trusts its own models."""
    return float(sympy.sympify(value, {name: sympy.Float(number) for name, number in n.items()}))


def test_the_physical_pendulum_is_that_of_the_textbooks() -> None:
    found = freebody.derive(freebody.load("pendulum"))
    told = {block: entries(found, block) for block in ("M", *BLOCKS)}
    assert told == {
        "M": [["I + d**2*m"]],
        "C": ["0"],
        "G": ["d*g*m*sin(theta)"],
        "E": ["0"],
        "tau": ["T"],
    }


def test_equations_of_the_cart_are_those_of_the_textbooks(system_of: Any) -> None:
    cart = system_of("cart")
    n = cart.numbers()
    c, s = np.cos(n["theta"]), np.sin(n["theta"])
    md = n["mp"] * n["d"]
    found = cart.equations("newton_euler")
    mass = [[n["mc"] + n["mp"], md * c], [md * c, n["I"] + md * n["d"]]]
    np.testing.assert_allclose(cart.value(found.M), mass, rtol=1e-12)
    np.testing.assert_allclose(cart.value(found.C), [-md * s * n["theta_dot"] ** 2, 0])
    np.testing.assert_allclose(cart.value(found.G), [0, md * n["g"] * s])
    rail = n["k"] * (n["x"] - n["rest"]) + n["c"] * n["x_dot"]
    pivot = n["kt"] * n["theta"] + n["ct"] * n["theta_dot"]
    np.testing.assert_allclose(cart.value(found.E), [rail, pivot], rtol=1e-12)
    np.testing.assert_allclose(cart.value(found.tau), [n["F"], n["T"]])


# ---------------------------------------------------------------------- properties


@pytest.mark.one_in(3)
@pytest.mark.few(*KINDS)
def test_mass_matrices_are_symmetric_and_positive_definite(system: System) -> None:
    M = np.atleast_2d(system.value(system.equations().M, 2))
    np.testing.assert_allclose(M, M.T, atol=1e-13)
    assert np.linalg.eigvalsh(M).min() > 0


@pytest.fixture(params=WITH_RATES, scope="module")
def plain_system(request: pytest.FixtureRequest, system_of: Any) -> System:
    return system_of(request.param)


@pytest.mark.few(*KINDS)
def test_the_coriolis_matrix_times_the_speeds_is_what_is_quadratic_in_C(
    plain_system: System,
) -> None:
    system, found = plain_system, plain_system.equations()
    there, back, still = (system.value(found.C, system.at_speeds(s)) for s in (1, -1, 0))
    product = np.atleast_2d(system.value(found.coriolis_matrix)) @ system.speeds()
    np.testing.assert_allclose(product, (there + back) / 2 - still, atol=1e-12)


@pytest.mark.one_in(3)
@pytest.mark.few(*KINDS)
def test_the_rate_of_the_mass_matrix_less_twice_the_coriolis_matrix_is_skew(
    plain_system: System,
) -> None:
    system, found = plain_system, plain_system.equations()
    pairs = zip(found.coordinates, found.speeds, strict=True)
    rate = sum((found.M.diff(q) * u for q, u in pairs), sympy.zeros(found.n))
    rest = np.atleast_2d(system.value(rate - 2 * found.coriolis_matrix))
    np.testing.assert_allclose(rest, -rest.T, atol=1e-12)


@pytest.mark.one_in(3)
@pytest.mark.few(*KINDS)
def test_jacobians_take_rates_to_velocities(system: System) -> None:
    found, rates = system.equations(), system.rates()
    for place in system.mechanism.points:
        slopes = system.value(found.jacobian(place)).reshape(3, len(rates))
        moved = system.value(system.mechanism.position(place).diff(TIME).subs(_held(system)))
        velocity = system.value(system.mechanism.velocity(place))
        np.testing.assert_allclose(slopes @ rates + moved, velocity, atol=1e-12, err_msg=place)


def _held(system: System) -> dict[Any, Any]:
    """Return what leaves of a derivative in time only what depends on time as such."""
    moving = (*system.mechanism.coordinates, *system.mechanism.speeds)
    return {symbol.diff(TIME): 0 for symbol in moving}


@pytest.mark.one_in(3)
@pytest.mark.few(*SPREAD)
def test_power_of_all_forces_is_the_rate_of_kinetic_energy(system: System) -> None:
    """With the accelerations that the equations give, energy changes as forces do work.

    Of the energy T, quadratic, linear and free of the speeds, Jacobi's T2 - T0 changes with the
    power of the generalized forces less the derivative of T by the time as such.
    """
    found, n = system.equations(), system.numbers()
    M = np.atleast_2d(system.value(found.M))
    held = system.value(found.J).reshape(-1, found.n).T @ system.multipliers()
    forcing = system.value(found.forcing) + held
    names = system.mechanism.names.accelerations
    moving = n | dict(zip(names, np.linalg.solve(M, forcing), strict=True))
    energy, still = found.kinetic_energy, dict.fromkeys(found.speeds, 0)
    backward = energy.xreplace({u: -u for u in found.speeds})
    jacobi = (energy + backward) / 2 - 2 * energy.xreplace(still)
    rate = system.value(system.mechanism.rate(jacobi), moving)
    forces = system.value(found.tau) - system.value(found.G) - system.value(found.E) + held
    given = system.value(energy.diff(TIME).subs(_held(system)))
    assert rate == pytest.approx(system.speeds() @ forces - given, abs=1e-10)


# ---------------------------------------------------------------------- notation


def test_equations_in_text_count_from_one() -> None:
    found = freebody.derive(freebody.load("two_link"))
    told = dict(line.split(" = ") for line in text(found).splitlines())
    assert list(told)[:5] == ["M[1,1]", "M[1,2]", "M[2,1]", "M[2,2]", "C[1]"]
    assert told["M[1,2]"] == "I2 + L1*d2*m2*cos(alpha2) + d2**2*m2"
    assert str(found) == text(found)


def test_equations_in_latex_have_dots_over_their_letters() -> None:
    written = latex(freebody.derive(freebody.load("double_pendulum")))
    assert r"\ddot{\theta}_1" in written.replace("_{1}", "_1")
    assert r"\dot{\theta}" in written
    assert "dot_" not in written
    assert "_dot" not in written
    assert written.count(r"\begin") == written.count(r"\end")


def test_names_of_several_letters_are_upright_in_latex(system_of: Any) -> None:
    written = latex(system_of("cart").equations())
    assert r"\mathrm{mc} + \mathrm{mp}" in written
    assert r"d \mathrm{mp} \cos{\left(\theta \right)}" in written
