"""Work and precision: 5 s of the three-link arm by each engine, at tolerances from 1e-4 on.

The error is the largest of an angle, at 501 times, against heyoka at 1e-16. Work is the time of the
integration alone, the best of three runs: what is derived, generated or compiled before it is not
in it, for none of the engines. pydy's System by itself is `freebody.pydy_system`: sympy's
KanesMethod and pydy's default generator.

Run with ``python benchmarks/precision.py FIGURE.png``.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import matplotlib as mpl
import numpy as np

import freebody

mpl.use("Agg")

import matplotlib.pyplot as plt

MODEL, DURATION, STEP, LINKS = "three_link_arm", 5.0, 0.01, 3
TOLERANCES = [10.0**-power for power in (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15)]
FINEST = {"heyoka": 1e-16, "scipy": 1e-9}
"""To which tolerance engines are run, where this is not 1e-13: a method for stiff motion of order 5
takes many steps beyond."""
COMPILED, ALONE = "pydy's System, compiled by freebody", "pydy's System alone"
LABELS = {"pydy": COMPILED, "scipy": "scipy, implicit", "heyoka": "heyoka"}
Point = tuple[float, float, float]


def by_engine(engine: str, tolerance: float) -> tuple[float, Any]:
    """Return the time that an engine takes, in s, and the angles."""
    options = {"step": STEP, "engine": engine, "tolerance": tolerance, "unchecked": True}
    runs = [freebody.simulate(MODEL, DURATION, **options) for _ in range(3)]
    seconds = min(run.statistics["seconds"] for run in runs)
    return seconds, runs[0].data["coordinates"].to_numpy()


def by_pydy(system: Any, tolerance: float) -> tuple[float, Any]:
    """Return the time that pydy's System takes by itself, in s, and the angles."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        found = system.integrate(rtol=tolerance, atol=tolerance, mxstep=100_000)
        seconds.append(time.perf_counter() - start)
    return min(seconds), found[:, :LINKS]


def points() -> Iterator[tuple[str, list[Point]]]:
    """Iterate over the engines, with tolerance, time and error of each run."""
    reference = by_engine("heyoka", 1e-16)[1]
    system = freebody.pydy_system(MODEL, DURATION, step=STEP)
    system.integrate()  # which generates the function
    for label in (*LABELS, ALONE):
        found = []
        for tolerance in TOLERANCES:
            if tolerance >= FINEST.get(label, 1e-13):
                ran = by_pydy(system, tolerance) if label == ALONE else by_engine(label, tolerance)
                error = float(np.abs(ran[1] - reference).max())
                found.append((tolerance, ran[0], error))
                name = LABELS.get(label, label)
                print(f"{name:36} {tolerance:7.0e} {1e3 * ran[0]:9.2f} ms {error:9.1e} rad")
        yield LABELS.get(label, label), found


def draw(found: dict[str, list[Point]], path: Path) -> None:
    """Draw error over time."""
    figure, axes = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    for (label, runs), marker in zip(found.items(), "osD^", strict=True):
        _, seconds, errors = np.array(runs).T
        axes.loglog(1e3 * seconds, errors, marker=marker, label=label)
    axes.set_xlabel("time of the integration (ms)")
    axes.set_ylabel("largest error of an angle (rad)")
    axes.set_title(f"{DURATION:.0f} s of the three-link arm, tolerances from 1e-4 on")
    axes.grid(visible=True, which="major", alpha=0.3)
    figure.legend(loc="outside lower center", ncols=2)
    figure.savefig(path, dpi=150)


def finest(found: dict[str, list[Point]]) -> None:
    """Print how many times as long pydy's System takes by itself, where it is most precise."""
    _, unit, error = min(found[ALONE], key=lambda run: run[2])
    print(f"\n{ALONE}, at its most precise: {1e3 * unit:.1f} ms, {error:.1e} rad. As precise are")
    for label, runs in found.items():
        enough = [run for run in runs if run[2] <= error]
        if label != ALONE and enough:
            _, seconds, off = min(enough, key=lambda run: run[1])
            print(f"{label:36} {1e3 * seconds:9.2f} ms {off:9.1e} rad: {unit / seconds:.1f} times")
    same = {run[0]: run[1] for run in found[COMPILED]}
    ratios = [run[1] / same[run[0]] for run in found[ALONE]]
    told = f"{min(ratios):.0f} to {max(ratios):.0f}"
    print(f"At the same tolerance it takes {told} times as long as compiled")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figure", type=Path, nargs="?", help="where a figure is written, a PNG")
    asked = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = dict(points())
    finest(found)
    if asked.figure is not None:
        draw(found, asked.figure)


if __name__ == "__main__":
    main()
