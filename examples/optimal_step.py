"""The best step of a five-link walker: by freebody, and written by hand beside it.

By hand the standing foot is the origin, which leaves five coordinates, and strikes are worked out
with two more; freebody has the hip's place, both feet as impacts, and the foot that stands closed.
Run with ``python examples/optimal_step.py picture.png``; needs ``freebody[casadi]``.

Source: Kelly, An introduction to trajectory optimization, SIAM Review 59(4), 2017, section 6.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import casadi
import sympy

import freebody

MODEL = Path(__file__).parent / "optimal" / "five_link_walker.toml"
DURATION, LENGTH, NODES = 0.7, 0.5, 26
SWAPPED = {"q1": "q5", "q2": "q4", "q3": "q3", "q4": "q2", "q5": "q1"}


def by_freebody(nodes: int = NODES) -> freebody.OptimalMotion:
    """Return the step, whose next is its mirror image after the strike."""
    return freebody.optimal_motion(
        MODEL,
        DURATION,
        "u2**2 + u3**2 + u4**2 + u5**2",
        start={"position.foot1.x": 0},
        end={"position.foot2.x": LENGTH},
        bounds={"q1 - q2": (-2, 0), "q5 - q4": (-2, 0)},
        closed=["foot1"],
        impact="foot2",
        cycle=SWAPPED | {f"{one}_dot": f"{other}_dot" for one, other in SWAPPED.items()},
        nodes=nodes,
    )


def by_hand(nodes: int = NODES) -> tuple[float, int]:
    """Return the objective of the same step, and how many iterations it takes."""
    M, forces, swing, strike = _derived()
    opti, count = casadi.Opti(), 2 * nodes - 1
    q, w, a = (opti.variable(5, count) for _ in range(3))
    u = opti.variable(4, count)
    step = DURATION / (nodes - 1)
    for k in range(count):
        x = casadi.vertcat(q[:, k], w[:, k])
        torques = casadi.vertcat(0, u[:, k])
        on_links = torques - casadi.vertcat(torques[1:], 0)
        opti.subject_to(M(x) @ a[:, k] == forces(x) + on_links)
        opti.subject_to(q[0, k] <= q[1, k])
        opti.subject_to(q[4, k] <= q[3, k])
    cost = 0
    for k in range(0, count - 1, 2):
        for of, rate in ((q, w), (w, a)):
            ends = of[:, k] + of[:, k + 2]
            opti.subject_to(of[:, k + 1] == ends / 2 + step / 8 * (rate[:, k] - rate[:, k + 2]))
            mean = (rate[:, k] + 4 * rate[:, k + 1] + rate[:, k + 2]) / 6
            opti.subject_to(of[:, k + 2] == of[:, k] + step * mean)
        squares = [casadi.sumsqr(u[:, k + place]) for place in range(3)]
        cost += step / 6 * (squares[0] + 4 * squares[1] + squares[2])
    last = casadi.vertcat(q[:, -1], w[:, -1])
    opti.subject_to(swing(last) == casadi.DM([LENGTH, 0]))
    opti.subject_to(q[:, 0] == q[::-1, -1])
    opti.subject_to(w[:, 0] == strike(last)[::-1])
    guess = casadi.DM([0.1, 0.4, 0.0, -0.2, -0.5])
    for k in range(count):
        part = k / (count - 1)
        opti.set_initial(q[:, k], guess + part * (guess[::-1] - guess))
        opti.set_initial(w[:, k], (guess[::-1] - guess) / DURATION)
    opti.minimize(cost)
    opti.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes"})
    found = opti.solve()
    return float(found.value(cost)), int(found.stats()["iter_count"])


def _derived() -> list[casadi.Function]:
    """Return M and all but the torques, the swinging foot, and the rates after its strike."""
    m, inertias = [3.2, 6.8, 20, 6.8, 3.2], [0.93, 1.08, 2.22, 1.08, 0.93]
    lengths, c = [0.4, 0.4, 0.625, 0.4, 0.4], [0.128, 0.163, 0.2, 0.163, 0.128]
    q, w = sympy.Matrix(sympy.symbols("q1:6")), sympy.Matrix(sympy.symbols("w1:6"))
    foot = sympy.Matrix(sympy.symbols("x y"))
    along = [sympy.Matrix([-sympy.sin(one), sympy.cos(one)]) for one in q]
    knee = foot + lengths[0] * along[0]
    hip = knee + lengths[1] * along[1]
    other = hip - lengths[3] * along[3]
    swing = other - lengths[4] * along[4]
    centers = [
        knee - c[0] * along[0],
        hip - c[1] * along[1],
        hip + c[2] * along[2],
        hip - c[3] * along[3],
        other - c[4] * along[4],
    ]
    whole = sympy.Matrix([foot, q])
    jacobians = [center.jacobian(whole) for center in centers]
    inertia = sympy.diag(0, 0, *inertias)
    full = sum((m[i] * (J.T * J) for i, J in enumerate(jacobians)), inertia)
    M = full[2:, 2:]
    T = (w.T * M * w)[0] / 2
    V = sum(m[i] * 9.81 * center[1] for i, center in enumerate(centers))
    momentum = sympy.Matrix([T]).jacobian(w)
    forces = sympy.Matrix([T - V]).jacobian(q) - (momentum.jacobian(q) * w).T
    J = swing.jacobian(whole)
    blocks = sympy.Matrix([[full, -J.T], [J, sympy.zeros(2)]])
    right = sympy.Matrix([full * sympy.Matrix([0, 0, *w]), sympy.zeros(2, 1)])
    x = casadi.MX.sym("x", 10)

    def function(entries: sympy.Matrix) -> casadi.Function:
        code = sympy.lambdify([*q, *w, *foot], list(entries), modules=casadi, cse=True)
        values = casadi.vertcat(*code(*casadi.vertsplit(x), 0, 0))
        return casadi.Function("f", [x], [casadi.reshape(values, entries.shape[::-1]).T])

    after = casadi.solve(function(blocks)(x), function(right)(x))[2:7]
    strike = casadi.Function("strike", [x], [after])
    return [function(M), function(forces.T), function(swing), strike]


if __name__ == "__main__":
    start = time.perf_counter()
    step = by_freebody()
    between = time.perf_counter()
    objective, iterations = by_hand()
    end = time.perf_counter()
    known = step.statistics
    ways = (
        ("freebody", known["objective"], known["iterations"], between - start),
        ("by hand", objective, iterations, end - between),
    )
    for name, value, count, seconds in ways:
        print(f"{name:8}: {value:.6f} N²m²s, {count} iterations, {seconds:.1f} s in all")
    lost = known["impact"]["energy_lost"]
    print(f"the strike costs {lost:.3f} J; simulated, {known['simulated_error']:.2g} off")
    if len(sys.argv) > 1:
        step.plot(sys.argv[1])
