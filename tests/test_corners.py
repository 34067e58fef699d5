"""Motions with absolute values, maxima, signs and roots: smooth ones work, others are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freebody
from freebody import simulate
from freebody.errors import ModelError, SimulationError
from freebody.model import Model, loads
from freebody.motion import Motion
from freebody.simulation import ENGINES

BEAD = """
title = "A bead on a wire whose height is a function of its place"
gravity = [0, "-g", 0]
[coordinates]
q = {{ title = "place", unit = "m", initial = -0.3, initial_speed = 2 }}
[inputs]
F = {{ title = "push", unit = "N", value = 0 }}
[constants]
m = {{ title = "mass", unit = "kg", value = 1 }}
g = {{ title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }}
l = {{ title = "a length", unit = "m", value = 1 }}
[[bodies]]
name = "carrier"
mass = 0
[[bodies]]
name = "bead"
mass = "m"
[[joints]]
name = "along"
type = "slider"
parent = "ground"
child = "carrier"
displacement = "q"
force = "F"
[[joints]]
name = "up"
type = "slider"
axis = [0, 1, 0]
parent = "carrier"
child = "bead"
displacement = "{height}"
"""
SMOOTH = {
    "l*Max(0, q/l)**3": lambda q: (np.maximum(0, q) ** 3, 3 * max(0, q) ** 2, 6 * max(0, q)),
    "l*Max(0, q/l)**2": lambda q: (max(0, q) ** 2, 2 * max(0, q), 2.0 * (q > 0)),
    "l*Max(0, q/l)**(5/2)": lambda q: (
        max(0, q) ** 2.5,
        2.5 * max(0, q) ** 1.5,
        3.75 * max(0, q) ** 0.5,
    ),
    "l*Min(0, q/l)**3": lambda q: (min(0, q) ** 3, 3 * min(0, q) ** 2, 6 * min(0, q)),
    "l*Abs(q/l)**3": lambda q: (abs(q) ** 3, 3 * q * abs(q), 6 * abs(q)),
    "q*Abs(q)/l": lambda q: (q * abs(q), 2 * abs(q), 2 * np.sign(q)),
    "l*sign(q)*(q/l)**2": lambda q: (q * abs(q), 2 * abs(q), 2 * np.sign(q)),
    "l*sqrt((q/l)**6)": lambda q: (abs(q) ** 3, 3 * q * abs(q), 6 * abs(q)),
    "sqrt(l**2 + q**2)": lambda q: (
        np.hypot(1, q),
        q / np.hypot(1, q),
        np.hypot(1, q) ** -3,
    ),
    "Abs(l + q**2/l)": lambda q: (1 + q**2, 2 * q, 2.0),
    "l*Abs(sin(q/l))**3": lambda q: (
        abs(np.sin(q)) ** 3,
        3 * np.sin(q) * abs(np.sin(q)) * np.cos(q),
        6 * abs(np.sin(q)) * np.cos(q) ** 2 - 3 * abs(np.sin(q)) ** 3,
    ),
}
FEW = ("l*Max(0, q/l)**3", "l*Abs(q/l)**3", "l*sqrt((q/l)**6)", "q*Abs(q)/l")
REFUSED = {
    "Max(0, q)": "velocity would jump",
    "Min(q, l)": "velocity would jump",
    "Abs(q)": "velocity would jump",
    "sqrt(q**2)": "velocity would jump",
    "sqrt((q - l/2)**2)": "velocity would jump",
    "l*sqrt(2 - 2*cos(q/l))": "velocity would jump",
    "l*Max(q/l, (q/l)**3)": "velocity would jump",
    "l*sign(q)": "position would jump",
    "l*Abs(q/l)**(3/2)": "acceleration would have no bound",
    "l*Max(0, sin(q/l))": "velocity would jump",
}


def bead(height: str) -> Model:
    return loads(BEAD.format(height=height))


def fallen(height: str, duration: float) -> float:
    """Return where a bead is, by the equation of its motion worked out by hand."""

    def slope(_: float, y: Any) -> list[float]:
        _, first, second = SMOOTH[height](y[0])
        return [y[1], -first * (second * y[1] ** 2 + 9.81) / (1 + first**2)]

    way = solve_ivp(slope, (0, duration), [-0.3, 2], rtol=1e-10, atol=1e-10, max_step=0.01)
    return float(way.y[0, -1])


@pytest.mark.few(*FEW)
@pytest.mark.each_once
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("height", SMOOTH)
def test_a_smooth_wire_is_followed(height: str, engine: str) -> None:
    pytest.importorskip(engine)
    if engine == "heyoka" and "5/2" in height:
        with pytest.raises(SimulationError, match="where the motion may blow up"):
            simulate(bead(height), 0.6, engine=engine, tolerance=1e-8)  # no series of a root at 0
        return
    run = simulate(bead(height), 0.6, engine=engine, tolerance=1e-8)
    assert float(run.data["coordinates"][-1, 0]) == pytest.approx(fallen(height, 0.6), abs=1e-5)
    assert run.energy_drift < 1e-5


@pytest.mark.few(*FEW)
@pytest.mark.parametrize("height", SMOOTH)
def test_the_formulations_agree_on_it(height: str) -> None:
    texts = {
        method: str(freebody.derive(bead(height), method=method).M)
        for method in ("kane", "lagrange", "newton_euler")
    }
    assert len(set(texts.values())) == 1
    assert not any(word in texts["kane"] for word in ("Heaviside", "Dirac", "im(", "re(", "Deriv"))


@pytest.mark.few(*FEW)
@pytest.mark.parametrize("height", SMOOTH)
def test_it_is_inverted(height: str) -> None:
    run = simulate(bead(height), 0.4, inputs={"F": "3*sin(5*t)"}, tolerance=1e-10)
    moved = run.data[["coordinates", "speeds", "accelerations"]].drop_vars("input", errors="ignore")
    back = freebody.inverse(bead(height), Motion(moved, "run", {"derivatives": "exact"}))
    np.testing.assert_allclose(
        back.data["inputs"].sel(input="F"), 3 * np.sin(5 * run.data["time"]), atol=1e-6
    )


@pytest.mark.parametrize("height", REFUSED)
def test_a_corner_is_refused_with_the_reason(height: str) -> None:
    with pytest.raises(ModelError, match=REFUSED[height]) as refused:
        bead(height)
    assert "joints[1].displacement" in str(refused.value)
    assert f"of '{height}'" in str(refused.value)


@pytest.mark.few("")
@pytest.mark.parametrize(("power", "jumps"), [("", True), ("**3", False)])
def test_so_is_one_of_a_prescribed_motion(power: str, jumps: bool) -> None:
    rate = 'r = { title = "a rate", unit = "1/s", value = 3 }\nl = {'
    moved = f'[prescribed]\np = {{ title = "lift", unit = "m", value = "l*Abs(sin(r*t)){power}" }}'
    text = BEAD.format(height="q + p").replace("l = {", rate, 1) + moved
    if not jumps:
        assert simulate(loads(text), 2, tolerance=1e-9).energy_drift < 1e-5
        return
    with pytest.raises(ModelError, match=r"prescribed\.p\.value.*the velocity would jump"):
        loads(text)
