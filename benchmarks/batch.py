"""100,000 motions of the two-link arm, over a grid of its parameters, as one call.

Prints how long they take on one core, how much memory is used, and how far five of them are from
motions integrated one at a time. Run with ``python benchmarks/batch.py``.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import numpy as np
from rich.progress import Progress

import freebody

OVER = {
    "height": np.linspace(1.5, 2.0, 40),
    "m2": np.linspace(0.5, 3.0, 50),
    "alpha2": np.linspace(0.2, 2.0, 50),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--duration", type=float, default=2.0, help="of each motion, in s")
    parser.add_argument("--backend", help="heyoka, c or numpy; the first of them that is there")
    asked = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    options = {"duration": asked.duration, "backend": asked.backend, "tolerance": 1e-8}
    freebody.sweep("two_link", {name: values[:1] for name, values in OVER.items()}, **options)
    count, before, start = int(np.prod([*map(len, OVER.values())])), peak(), time.perf_counter()
    with Progress() as bar:
        task = bar.add_task("motions", total=count)
        found = freebody.sweep(
            "two_link", OVER, **options, progress=lambda done: bar.update(task, completed=done)
        )
    seconds = time.perf_counter() - start
    print(f"{found.attrs['done']:,} motions of {asked.duration} s in {seconds:.1f} s: ", end="")
    print(
        f"{1e6 * seconds / count:.0f} us each; {found.nbytes / 1e6:.0f} MB of states, and ", end=""
    )
    print(f"{(peak() - before) - found.nbytes / 1e6:.0f} MB of memory besides")
    print(f"five of them one at a time: off by {worst(found, asked.duration):.1e} rad at most")


def peak() -> float:
    """Return the most memory that was used, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def worst(found: freebody.Sweep, duration: float) -> float:
    """Return how far angles are from those of motions integrated by themselves."""
    off = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        chosen = {name: float(random.choice(values)) for name, values in OVER.items()}
        initial = {"alpha2": chosen["alpha2"]}
        constants = {name: value for name, value in chosen.items() if name not in initial}
        alone = freebody.simulate(
            "two_link", duration, step=0.1, constants=constants, initial=initial
        )
        there = found["coordinates"].sel(chosen).to_numpy()
        off.append(np.abs(alone.data["coordinates"].to_numpy() - there).max())
    return float(max(off))


if __name__ == "__main__":
    main()
