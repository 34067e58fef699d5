"""Time of a whole check beside sympy's simplify of one forcing vector.

``freebody check`` reads models and documents, derives their equations and judges every printed
equation: of the three-link arm, and of all shipped models. Beside it stands ``sympy.simplify`` of
the forcing of three planar links from KanesMethod alone. All run as processes of their own,
start-up included. Run with ``python benchmarks/check.py``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

REPEATS = 3
SIMPLIFY = """
import sympy
from chains import Chain, by_kanes_method
sympy.simplify(by_kanes_method(Chain(3)).forcing)
"""


def seconds(*command: str) -> float:
    start = time.perf_counter()
    folder = Path(__file__).parent
    subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=folder)
    return time.perf_counter() - start


def main() -> None:
    everything = seconds("-m", "freebody", "check")
    checked = min(seconds("-m", "freebody", "check", "three_link_arm") for _ in range(REPEATS))
    simplified = min(seconds("-c", SIMPLIFY) for _ in range(REPEATS))
    print(f"freebody check, three_link_arm          {checked:7.2f} s")
    print(f"sympy.simplify, forcing of three links  {simplified:7.2f} s")
    print(f"ratio                                   {simplified / checked:7.2f}")
    print(f"freebody check, all documents           {everything:7.2f} s")


if __name__ == "__main__":
    main()
