"""Motions of the two-link arm into a store, few and many: seconds, and the most memory.

Run with ``python benchmarks/many.py``; each count is a process of its own.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import freebody

LIMITS = {"height": (1.5, 2.0), "m2": (0.5, 3.0), "alpha2": (0.2, 2.0)}
SIDES = (22, 46, 100)
"""Values of each name in a grid: 10,648 motions, 97,336, and a million."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scheduler", default="2", help="processes, or tcp://...")
    parser.add_argument("--side", type=int, help="values of a name; several sides unless given")
    parser.add_argument("--latin", action="store_true", help="a Latin hypercube as large")
    asked = parser.parse_args()
    if asked.side is None:
        for side in SIDES:
            given = ["--side", str(side), *sys.argv[1:]]
            subprocess.run([sys.executable, __file__, *given], check=True)
        return
    plan = {name: np.linspace(*ends, asked.side) for name, ends in LIMITS.items()}
    if asked.latin:
        plan = freebody.LatinHypercube(LIMITS, asked.side**3)
    with tempfile.TemporaryDirectory() as folder:
        path, start = Path(folder) / "runs.zarr", time.perf_counter()
        runs = freebody.sweep(
            "two_link", plan, 2, tolerance=1e-8, store=path, scheduler=asked.scheduler
        )
        seconds = time.perf_counter() - start
        size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{runs.statistics['done']:,} motions of 2 s in {seconds:.0f} s: {size / 1e6:.0f} MB in "
        f"the store, at most {peak:.0f} MB of memory"
    )


if __name__ == "__main__":
    main()
