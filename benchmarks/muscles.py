"""Muscles that share torques with the least activation, beside scipy's SLSQP sample by sample.

Moment arms are random, and torques such that muscles can give them. Then two seconds of the
two-joint, four-muscle arm from excitations. Run with ``python benchmarks/muscles.py``.
"""

from __future__ import annotations

import os
import time

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import numpy as np
from scipy.optimize import minimize

import freebody
from freebody.muscles import share

SIZES = ((2, 4, 60_000), (3, 9, 60_000), (7, 30, 20_000))
SLOW = 200
"""How many samples the one-by-one way is given."""
EXCITED = {"elbow_flexor": "0.3*exp(-5*t)", "shoulder_flexor": 0.15}


def main() -> None:
    print("speeds x muscles    µs a sample    SLSQP    ratio    largest difference of activations")
    for n, m, count in SIZES:
        arms, needed = samples(n, m, count)
        started = time.perf_counter()
        found = share(arms, needed)
        ours = (time.perf_counter() - started) / count
        theirs, activation = one_by_one(arms[:SLOW], needed[:SLOW])
        off = np.abs(found.activation[:SLOW] - activation).max()
        print(f"{n:6} x {m:<10} {1e6 * ours:11.1f} {1e6 * theirs:12.0f} ", end="")
        print(f"{theirs / ours:8.0f}    {off:.0e}")
    freebody.excite("two_link_muscles", EXCITED, 0.01)  # which compiles
    started = time.perf_counter()
    freebody.excite("two_link_muscles", EXCITED, 2.0)
    print(f"2 s of the excited arm, rigid tendons: {time.perf_counter() - started:.2f} s")


def samples(n: int, m: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    arms = random.uniform(-60, 60, (count, n, m))
    activation = random.uniform(0, 1, (count, m))
    return arms, np.einsum("sij,sj->si", arms, activation)


def one_by_one(arms: np.ndarray, needed: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the time that a sample takes by SLSQP, in s, and the activations."""
    found = np.empty((len(arms), arms.shape[-1]))
    started = time.perf_counter()
    for number, (R, torque) in enumerate(zip(arms, needed, strict=True)):
        found[number] = minimize(
            lambda a: a @ a / 2,
            np.full(R.shape[1], 0.5),
            jac=lambda a: a,
            bounds=[(0, 1)] * R.shape[1],
            constraints={
                "type": "eq",
                "fun": lambda a, R=R, torque=torque: (R @ a - torque) / 60,
                "jac": lambda _, R=R: R / 60,
            },
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        ).x
    return (time.perf_counter() - started) / len(arms), found


if __name__ == "__main__":
    main()
