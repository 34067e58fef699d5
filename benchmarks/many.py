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

import freebody

LIMITS = {"height": (1.5, 2.0), "m2": (0.5, 3.0), "alpha2": (0.2, 2.0)}
COUNTS = (10_000, 100_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scheduler", default="2", help="processes, or tcp://...")
    parser.add_argument("--count", type=int, help="of motions; several counts unless given")
    asked = parser.parse_args()
    if asked.count is None:
        for count in COUNTS:
            given = ["--count", str(count), "--scheduler", asked.scheduler]
            subprocess.run([sys.executable, __file__, *given], check=True)
        return
    plan = freebody.LatinHypercube(LIMITS, asked.count)
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
