"""What sympy and pydy are given is theirs: a KanesMethod, a LagrangesMethod and a System."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydy.system import System
from sympy.physics.mechanics import KanesMethod, LagrangesMethod

import freebody
from conftest import OWN
from freebody.mechanics.methods import IN_PLANE, LARGEST
from freebody.model import shipped

FEW = ("cart_double_pendulum", "four_bar", "chaplygin_sleigh", "slip_stance")
CLOSE = 5e-6
"""As far as scipy's odeint is off at the tolerance that pydy leaves it."""


@pytest.mark.one_in(3)
@pytest.mark.few(*FEW)
@pytest.mark.parametrize("name", shipped())
def test_pydy_integrates_to_the_same_motion(name: str) -> None:
    if len(freebody.mechanism(name).speeds) > LARGEST["KanesMethod"]:
        if name == "arm_3d":  # which is too large, and told below
            return
        assert freebody.mechanism(name).objects.angles
    system = freebody.pydy_system(name, 0.2, step=0.05)
    assert type(system) is System
    assert type(system.eom_method) is KanesMethod
    states = system.integrate()
    run = freebody.simulate(name, 0.2, step=0.05, unchecked=True)
    wanted = {**dict(columns(run, "coordinate")), **dict(columns(run, "speed"))}
    for symbol, column in zip(system.states, states.T, strict=True):
        one = wanted[str(symbol.func)]
        np.testing.assert_allclose(column, one, atol=CLOSE * (1 + np.abs(one).max()))


def columns(run: freebody.Simulation, along: str) -> Any:
    values = run[f"{along}s"].transpose(along, "time").to_numpy()
    return zip(run[along].to_numpy().astype(str), values, strict=True)


def test_a_system_takes_what_a_simulation_takes() -> None:
    times = np.linspace(0, 0.5, 51)
    given: dict[str, Any] = {
        "constants": {"m2": 2.0},
        "initial": {"alpha1": 0.4, "alpha2_dot": -1.0},
        "inputs": {"T1": "-2*alpha1_dot + sin(t)", "T2": (times, np.cos(times))},
    }
    system = freebody.pydy_system("two_link", step=0.05, **given)
    run = freebody.simulate("two_link", step=0.05, unchecked=True, **given)
    assert len(system.times) == len(run["time"]) == 11
    states = np.hstack([run["coordinates"], run["speeds"]])
    np.testing.assert_allclose(system.integrate(), states, atol=1e-5)


@pytest.mark.exhaustive
@pytest.mark.one_in(2)
@pytest.mark.few("cart_pendulum", "four_bar")
@pytest.mark.parametrize("name", ["cart_pendulum", "slip_stance", "four_bar"])
def test_the_methods_of_sympy_have_the_equations_of_motion(name: str) -> None:
    moving = freebody.mechanism(name)
    kane, lagrange = moving.kanes_method(), moving.lagranges_method()
    assert (type(kane), type(lagrange)) == (KanesMethod, LagrangesMethod)
    q = np.random.default_rng(0).uniform(0.2, 0.5, len(moving.speeds))
    values = {**dict(zip(moving.coordinates, q, strict=True)), **constants(moving)}
    M = np.array(lagrange.mass_matrix[:, : len(q)].subs(values).tolist(), dtype=float)
    wanted = freebody.compile(name).mass_matrix(q)
    np.testing.assert_allclose(M, wanted, rtol=1e-9, atol=1e-12)
    if not moving.multipliers:
        M = np.array(kane.mass_matrix.subs(values).tolist(), dtype=float)
        np.testing.assert_allclose(M, wanted, rtol=1e-9, atol=1e-12)


def constants(moving: freebody.Mechanism) -> dict[Any, float]:
    return {moving.names.constants[name]: value for name, value in moving.names.values().items()}


def test_what_is_too_large_is_told_before_it_is_tried() -> None:
    for ask in (lambda m: m.kanes_method(), lambda m: m.lagranges_method(), freebody.pydy_system):
        with pytest.raises(freebody.DerivationError, match="has 7 speeds, too many for sympy's"):
            ask(freebody.mechanism("arm_3d"))
    assert LARGEST["KanesMethod"] * IN_PLANE >= len(freebody.mechanism("walker").speeds)


def test_what_depends_on_time_by_itself_is_refused() -> None:
    with pytest.raises(freebody.DerivationError, match="depends on time by itself"):
        freebody.pydy_system(OWN["shaken"])


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ("pydy", "LSODA")),
        ({"engine": "scipy"}, ("scipy", "Radau")),
        ({"method": "DOP853"}, ("pydy", "DOP853")),
        ({"method": "BDF"}, ("scipy", "BDF")),
        ({"engine": "scipy", "method": "RK45", "tolerance": 1e-9}, ("scipy", "RK45")),
    ],
)
def test_what_integrates_is_chosen_and_told(
    asked: dict[str, Any], expected: tuple[str, str]
) -> None:
    run = freebody.simulate("pendulum", 0.5, unchecked=True, **asked)
    assert (run.provenance["engine"], run.provenance["method"]) == expected
    plain = freebody.simulate("pendulum", 0.5, unchecked=True)
    np.testing.assert_allclose(run["coordinates"], plain["coordinates"], atol=1e-7)


@pytest.mark.parametrize(
    ("model", "asked", "told"),
    [
        (
            "pendulum",
            {"method": "radau"},
            "expected a method .*found 'radau'; did you mean 'Radau'",
        ),
        ("pendulum", {"engine": "pydy", "method": "taylor"}, "method of the engine 'pydy'"),
        ("four_bar", {"method": "LSODA"}, "LSODA remembers former steps"),
        ("four_bar", {"method": "BDF"}, "expected another .Radau, DOP853"),
    ],
)
def test_a_method_that_cannot_do_it_is_refused(
    model: str, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(freebody.SimulationError, match=told):
        freebody.simulate(model, 0.1, unchecked=True, **asked)


def test_constraints_choose_a_method_that_keeps_them() -> None:
    run = freebody.simulate("four_bar", 0.1, unchecked=True)
    assert run.provenance["method"] == "DOP853"
