"""Inverse dynamics of one hour at 1 kHz of the three-link arm, beside Pinocchio's ``rnea``.

freebody gives every term, what the inputs must be, the residual, reactions, power and work of the
joints; ``rnea``, called from Python for one sample after another, gives their sum alone. Both are
given coordinates with two derivatives, and run on one core. Run with ``python
benchmarks/inverse.py``; ``--seconds 60`` for a shorter motion.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np
import pinocchio as pin

import freebody
from engines import Pinocchio, Tree
from freebody.motion import Motion

RATE = 1000
MODEL = "three_link_arm"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3600.0, help="of motion")
    parser.add_argument("--backend", help="heyoka, c or numpy; the first of them that is there")
    asked = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    recorded = motion(int(asked.seconds * RATE) + 1)
    started = time.perf_counter()
    moving = recorded.differentiated()
    print(f"{len(moving.times):,} samples at {RATE} Hz of {MODEL}")
    print(f"derivatives by quintic splines: {time.perf_counter() - started:.1f} s")
    freebody.inverse(MODEL, motion(30_000), backend=asked.backend)  # which compiles
    started = time.perf_counter()
    found = freebody.inverse(MODEL, moving, backend=asked.backend)
    ours = time.perf_counter() - started
    theirs, torques = by_rnea(moving)
    sums = found.data["generalized"].to_numpy()
    off = np.abs(sums - torques).max() / np.abs(sums).max()
    size, peak = found.data.nbytes / 1e9, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"freebody.inverse, all of it: {ours:.1f} s, {1e6 * ours / len(sums):.2f} µs a sample")
    print(f"  a result of {size:.2f} GB; at most {peak:.2f} GB used by all of this")
    print(f"  largest difference from rnea: {off:.1e} of the largest torque")
    alone = terms_alone(moving, asked.backend)
    print(f"the four terms alone: {alone:.1f} s, {1e6 * alone / len(sums):.2f} µs a sample")
    print(f"Pinocchio's rnea in a loop: {theirs:.1f} s, {1e6 * theirs / len(sums):.2f} µs a sample")
    print(f"ratio: {theirs / ours:.1f} to all of it, {theirs / alone:.1f} to the terms alone")


def motion(count: int) -> Motion:
    t = np.arange(count) / RATE
    names = freebody.load(MODEL).coordinates
    angles = {name: 0.8 * np.sin((1.3 + n) * t + n) for n, name in enumerate(names)}
    return Motion.of(t, angles, unit="rad", source="sines")


def terms_alone(moving: Motion, backend: str | None) -> float:
    """Return how long M u̇, C, G and E take by the compiled function, in s."""
    f = freebody.compile(MODEL, backend or "heyoka", ["inverse_dynamics_terms"])
    q, u, a = states(moving)
    inputs = np.zeros(len(f.inputs))
    f.inverse_dynamics_terms(moving.times[:9], q[:9], u[:9], a[:9], inputs)
    started = time.perf_counter()
    f.inverse_dynamics_terms(moving.times, q, u, a, inputs)
    return time.perf_counter() - started


def by_rnea(moving: Motion) -> tuple[float, np.ndarray]:
    """Return how long Pinocchio takes in s, and its torques."""
    moved = freebody.mechanism(freebody.load(MODEL))
    tree = Tree(moved, moved.names.values())
    model = Pinocchio(tree).model
    data, rnea = model.createData(), pin.rnea
    q, u, a = states(moving)
    found = np.empty_like(q)
    started = time.perf_counter()
    for n in range(len(q)):
        found[n] = rnea(model, data, q[n], u[n], a[n])
    return time.perf_counter() - started, found


def states(moving: Motion) -> tuple[np.ndarray, ...]:
    names = ("coordinates", "speeds", "accelerations")
    return tuple(moving.data[name].to_numpy() for name in names)


if __name__ == "__main__":
    main()
