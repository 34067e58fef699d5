"""Time to derive the equations of motion of chains, beside sympy alone.

Chains of pins, planar and about z, y and x in turn, are derived by freebody and by KanesMethod and
LagrangesMethod as one writes them with sympy alone: frames, points and ``v2pt_theory``. Every time
is from the declared chain to the equations, in a process of its own; a ratio is that to freebody's
time by Kane's method, or by Lagrange's in the third table. Run with
``python benchmarks/derivation.py``.
"""

from __future__ import annotations

import time

import sympy
from chains import PLANAR, SPATIAL, Chain, by_kanes_method, by_lagranges_method, model
from timing import LIMIT, apart, seconds, shown

import freebody
from freebody.algebra import Ring
from freebody.graph.program import Program
from freebody.mechanics import agreement
from freebody.mechanics.derivation import METHODS
from freebody.mechanics.kane import program

SHARE, AT_MOST = 0.5, 5.0
"""What is asked: of sympy's time for seven pins in space, and seconds for ten planar links."""


# ---------------------------------------------------------------------- what is timed


def written(chain: Chain) -> Program:
    return program(freebody.mechanism(model(chain)))


def canonical(chain: Chain, method: str) -> None:
    """Derive the equations, to their canonical form."""
    _ = freebody.derive(model(chain), method).blocks


def by_kane(chain: Chain) -> list[sympy.Expr]:
    method = by_kanes_method(chain)
    return [*method.mass_matrix, *method.forcing]


def by_lagrange(chain: Chain) -> list[sympy.Expr]:
    method = by_lagranges_method(chain)
    return [*method.mass_matrix, *method.forcing]


def counted_program(chain: Chain) -> tuple[float, int]:
    """Return the time to a program, and the operations it takes."""
    start = time.perf_counter()
    found = written(chain)
    took = time.perf_counter() - start
    return took, found.operations


def counted_kane(chain: Chain) -> tuple[float, int]:
    """Return the time of KanesMethod, and the operations of its equations after cse."""
    start = time.perf_counter()
    expressions = by_kane(chain)
    return time.perf_counter() - start, operations(expressions)


def operations(expressions: list[sympy.Expr]) -> int:
    assignments, reduced = sympy.cse(expressions)
    return int(sympy.count_ops([*(expr for _, expr in assignments), *reduced]))


def compared(chain: Chain) -> tuple[float, list[str]]:
    """Return the time to compare all formulations, and what is found."""
    moving, ring = freebody.mechanism(model(chain)), Ring()
    derived = [freebody.derive(moving, method, ring) for method in METHODS]
    start = time.perf_counter()
    found = agreement(derived)
    took = time.perf_counter() - start
    return took, [f"{pair}: {verdict.equal} ({verdict.proof})" for pair, verdict in found.items()]


# ---------------------------------------------------------------------- tables


def in_space() -> None:
    print("Pins about z, y and x in turn: Kane's method to a program, and operations after cse")
    print(" n     freebody  KanesMethod     ratio    operations of each     ratio")
    for n in (3, 5, 7):
        chain = Chain(n, SPATIAL)
        (own, few), (alone, many) = (apart(f, chain) for f in (counted_program, counted_kane))
        cells = f"{few:10,} {many:11,} {many / few:9.1f}"
        print(f"{n:2} {own:10.3f} s {shown(alone, own)} {cells}", flush=True)
    met(f"seven pins in at most {SHARE} of the time of sympy alone", is_met=own <= SHARE * alone)


def in_the_plane() -> None:
    print("Planar links: to the canonical form of all equations; KanesMethod alone gives none")
    print(" n         kane     lagrange     ratio  newton_euler    ratio  KanesMethod     ratio")
    for n in (3, 6, 8, 10):
        chain = Chain(n)
        own, *others = (apart(seconds, canonical, chain, method) for method in METHODS)
        others.append(apart(seconds, by_kane, chain))
        cells = " ".join(shown(found, own) for found in others)
        print(f"{n:2} {own:10.3f} s {cells}", flush=True)
    met(f"ten links, canonical form included, under {AT_MOST:.0f} s", is_met=own < AT_MOST)


def by_energy() -> None:
    print("Planar links: Lagrange's method")
    print(" n     lagrange  LagrangesMethod  ratio")
    for n in (2, 3, 4, 6):
        own = apart(seconds, canonical, Chain(n), "lagrange")
        alone = apart(seconds, by_lagrange, Chain(n), limit=LIMIT)
        print(f"{n:2} {own:10.3f} s {shown(alone, own)}", flush=True)
    print(f"LagrangesMethod is stopped after {LIMIT:.0f} s.\n")


def long() -> None:
    print("Thirty links: Kane's method to a program, and all formulations at random points")
    for name, axes in (("planar", PLANAR), ("spatial", SPATIAL)):
        took = apart(seconds, written, Chain(30, axes))
        print(f"{name:8} program {took:10.3f} s", flush=True)
    took, verdicts = apart(compared, Chain(30))
    print(f"planar   agreement {took:8.3f} s", *verdicts, sep="\n  ")


def met(bar: str, *, is_met: bool) -> None:
    print(f"{bar}: {'met' if is_met else 'NOT met'}\n", flush=True)


def main() -> None:
    for table in (in_space, in_the_plane, by_energy, long):
        table()


if __name__ == "__main__":
    main()
