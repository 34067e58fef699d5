"""Time of the canonical form beside sympy's simplify and trigsimp.

What is brought to canonical form is the mass matrix and the forcing that KanesMethod gives for a
planar chain of n links with relative angles. Run with ``python benchmarks/canonical.py``.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from typing import Any

import sympy

from freebody import mechanism
from freebody.algebra import Ring
from freebody.mechanics.kane import kanes_method
from freebody.model import Model
from freebody.model.schema import Body, Constant, Coordinate, Input, Pin

LINKS = range(1, 9)
LIMIT = 60.0
REPEATS = 3


def chain(n: int) -> Model:
    """Return a planar chain of links, each with a torque at its joint."""
    numbers = range(1, n + 1)
    units = {"l": "m", "d": "m", "m": "kg", "I": "kg*m**2"}
    constants = {
        f"{name}{i}": Constant(title=f"{name} of link {i}", unit=unit)
        for name, unit in units.items()
        for i in numbers
        if (name, i) != ("l", n)
    }
    return Model(
        title=f"Planar chain of {n} links",
        gravity=(0, "-g", 0),
        coordinates={f"q{i}": Coordinate(title=f"angle {i}", unit="rad") for i in numbers},
        inputs={f"T{i}": Input(title=f"torque {i}", unit="N*m") for i in numbers},
        constants={**constants, "g": Constant(title="gravity", unit="m/s**2")},
        bodies=tuple(
            Body(name=f"b{i}", mass=f"m{i}", center_of_mass=(f"d{i}", 0, 0), inertia=f"I{i}")
            for i in numbers
        ),
        joints=tuple(
            Pin(
                name=f"j{i}",
                parent="ground" if i == 1 else f"b{i - 1}",
                at=(0 if i == 1 else f"l{i - 1}", 0, 0),
                child=f"b{i}",
                angle=f"q{i}",
                torque=f"T{i}",
            )
            for i in numbers
        ),
    )


def entries(n: int) -> list[Any]:
    method = kanes_method(mechanism(chain(n)))
    return [*method.mass_matrix, *method.forcing]


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


def seconds(function: Callable[[list[Any]], None], n: int) -> float:
    expressions = entries(n)
    start = time.perf_counter()
    function(expressions)
    return time.perf_counter() - start


def _send(function: Callable[[list[Any]], None], n: int, queue: Any) -> None:
    queue.put(seconds(function, n))


def limited(function: Callable[[list[Any]], None], n: int) -> float | None:
    """Return the time in a process of its own, or None where that is above the limit."""
    queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=_send, args=(function, n, queue))
    process.start()
    process.join(LIMIT)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return float(queue.get())


def shown(found: float | None, best: float) -> str:
    if found is None:
        return f"     > {LIMIT:.0f} s {'>':>2}{LIMIT / best:7,.0f}"
    return f"{found:9.3f} s {found / best:8,.0f}"


def main() -> None:
    print(" n   canonical form      simplify    ratio    trigsimp    ratio")
    slow: set[Any] = set()
    for n in LINKS:
        best = min(seconds(canonical, n) for _ in range(REPEATS if n < 5 else 1))
        cells = []
        for function in (simplified, trigsimped):
            found = None if function in slow else limited(function, n)
            if found is None:
                slow.add(function)
            cells.append(shown(found, best))
        print(f"{n:2} {best * 1e3:13.2f} ms  " + " ".join(cells), flush=True)
    print(f"A function that took more than {LIMIT:.0f} s is not tried on longer chains.")


if __name__ == "__main__":
    main()
