"""Time of the canonical form beside sympy's simplify and trigsimp.

What is brought to canonical form is the mass matrix and the forcing that sympy's KanesMethod gives
for a planar chain of n links with relative angles. Run with ``python benchmarks/canonical.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from chains import Chain, by_kanes_method
from timing import LIMIT, apart, seconds, shown

from freebody.algebra import Ring

LINKS = range(1, 9)
REPEATS = 3


def canonical(expressions: list[Any]) -> None:
    ring = Ring()
    for expr in expressions:
        ring.form(expr)


def simplified(expressions: list[Any]) -> None:
    for expr in expressions:
        sympy.simplify(expr)


def trigsimped(expressions: list[Any]) -> None:
    for expr in expressions:
        sympy.trigsimp(expr)


def timed(function: Callable[[list[Any]], None], n: int) -> float:
    """Return the time of a function on the equations of a chain alone."""
    method = by_kanes_method(Chain(n))
    return seconds(function, [*method.mass_matrix, *method.forcing])


def main() -> None:
    print(" n  canonical form      simplify     ratio      trigsimp     ratio")
    tried: list[Any] = [simplified, trigsimped]
    for n in LINKS:
        best = min(apart(timed, canonical, n) for _ in range(REPEATS))
        found = {function: apart(timed, function, n, limit=LIMIT) for function in tried}
        cells = [shown(found.get(function), best) for function in (simplified, trigsimped)]
        print(f"{n:2} {best * 1e3:12.2f} ms  " + "   ".join(cells), flush=True)
        tried = [function for function in tried if found[function] is not None]
    print(f"What took more than {LIMIT:.0f} s is not tried on longer chains.")


if __name__ == "__main__":
    main()
