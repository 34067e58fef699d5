"""Time of a whole check beside sympy's simplify of one forcing vector.

``freebody check`` reads all shipped models and documents, derives their equations and judges every
printed equation; beside it stands ``sympy.simplify`` of the three-link arm's forcing from
KanesMethod alone. Both run as processes of their own, start-up included. Run with
``python benchmarks/check.py``.
"""

from __future__ import annotations

import subprocess
import sys
import time

REPEATS = 3
SIMPLIFY = """
import sympy
from freebody import load, mechanism
from freebody.mechanics.kane import kanes_method
sympy.simplify(kanes_method(mechanism(load("three_link_arm"))).forcing)
"""


def seconds(*command: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    checked = min(seconds("-m", "freebody", "check") for _ in range(REPEATS))
    simplified = min(seconds("-c", SIMPLIFY) for _ in range(REPEATS))
    print(f"freebody check, all documents           {checked:7.2f} s")
    print(f"sympy.simplify, forcing of three links  {simplified:7.2f} s")
    print(f"ratio                                   {simplified / checked:7.2f}")


if __name__ == "__main__":
    main()
