"""The reach of a two-link arm that takes the least effort, found by CasADi and its IPOPT.

The arm of ``freebody.load("two_link")`` hangs at rest and is to hold its end at a place before the
shoulder, at rest, after a given time. Of all torques of shoulder and elbow that do this, those are
found whose squares have the smallest integral. The equations of motion are the ``casadi.Function``
that ``freebody.compile`` gives.

Run it with ``python examples/optimal_reach.py [picture.png]``; it needs ``freebody[casadi]``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import casadi
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import freebody
from freebody.files import atomic_write

Array = NDArray[np.float64]
DURATION, INTERVALS = 0.8, 40
TARGET = (0.45, 0.10)
"""In m, from the shoulder: ahead and up."""
START = (-np.pi / 2, 0.0)
SHOTS = 9
JOINTS, COLORS = ("shoulder", "elbow"), ("#1b6ca8", "#d1495b")


def main(picture: Path) -> None:
    """Find the reach, print its effort and how well it ends, and draw it."""
    f = freebody.compile("two_link", backend="casadi")
    q, u, torques, effort = reach(f)
    print(f"effort {effort:.3f} N**2 m**2 s")
    end = f["position.tip"](q[-1])
    print(f"end at {end[0]:.3f} m, {end[1]:.3f} m, with a speed of {np.abs(u[-1]).max():.1e} rad/s")
    print(f"largest torques {np.abs(torques).max(axis=0).round(2)} N m")
    draw(f, q, torques, picture)


def reach(f: freebody.Functions) -> tuple[Array, Array, Array, float]:
    """Return angles and their rates, a row for each time; torques; and the effort."""
    problem = casadi.Opti()
    n, step = len(f.coordinates), DURATION / INTERVALS
    state = problem.variable(2 * n, INTERVALS + 1)
    torques = problem.variable(n, INTERVALS)
    advance = stepped(f, step)
    for place in range(INTERVALS):
        after = advance(state[:, place], torques[:, place])
        problem.subject_to(state[:, place + 1] == after)
    problem.subject_to(state[:, 0] == casadi.vertcat(*START, *[0.0] * n))
    constants = list(f.constants.values())
    end = f["position.tip"].native(state[:n, -1], constants)
    problem.subject_to(end[:2] == casadi.vertcat(*TARGET))
    problem.subject_to(state[n:, -1] == 0)
    problem.subject_to(problem.bounded(0, state[1, :], 2.6))  # an elbow does not bend back
    effort = step * casadi.sumsqr(torques)
    problem.minimize(effort)
    for number, guess in enumerate((-0.6, 1.5)):
        problem.set_initial(state[number, :], np.linspace(START[number], guess, INTERVALS + 1))
    problem.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes"})
    found = problem.solve()
    whole_state = found.value(state).T
    return whole_state[:, :n], whole_state[:, n:], found.value(torques).T, found.value(effort)


def stepped(f: freebody.Functions, step: float) -> casadi.Function:
    """Return a step of the classical Runge–Kutta method with constant torques."""
    n = len(f.coordinates)
    y, torques = casadi.SX.sym("y", 2 * n), casadi.SX.sym("T", n)
    accelerations, constants = f.accelerations.native, list(f.constants.values())
    given = casadi.vertcat(torques, [0.0] * (len(f.inputs) - n))  # and no force on the end

    def slope(at: Any) -> Any:
        return casadi.vertcat(at[n:], accelerations(0.0, at[:n], at[n:], given, constants))

    first = slope(y)
    second = slope(y + step / 2 * first)
    third = slope(y + step / 2 * second)
    fourth = slope(y + step * third)
    after = y + step / 6 * (first + 2 * second + 2 * third + fourth)
    return casadi.Function("advance", [y, torques], [after])


def draw(f: freebody.Functions, q: Array, torques: Array, picture: Path) -> None:
    """Draw the arm on its way, and the torques."""
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    places = ["joint1", "joint2", "tip"]
    chain = np.stack([f[f"position.{place}"](q) for place in places], axis=1)
    for number in np.linspace(0, INTERVALS, SHOTS).astype(int):
        shade = 0.2 + 0.8 * number / INTERVALS
        left.plot(*chain[number, :, :2].T, "o-", color="#1b6ca8", alpha=shade, ms=4)
    left.plot(*chain[:, 2, :2].T, color="#4a4e69", lw=1)
    left.plot(*TARGET, "x", color="#d1495b", ms=12, mew=3, label="target")
    left.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="The arm on its way")
    left.legend(frameon=False)
    times = np.linspace(0, DURATION, INTERVALS + 1)
    for name, values, color in zip(JOINTS, torques.T, COLORS, strict=True):
        right.stairs(values, times, label=name, color=color, lw=2, baseline=None)
    right.set(xlabel="time [s]", ylabel="torque [N m]", title="Torques of least effort")
    right.legend(frameon=False)
    with atomic_write(picture) as temporary:
        figure.savefig(temporary, dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "optimal_reach.png"))
