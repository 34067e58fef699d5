"""Whether a number got worse since it was recorded.

Operations of programs are counted, which is exact on every machine. Times are of one core, as
multiples of the time that sympy takes in the same run to write a power of a sum out, so that the
record can be made on one machine and held against on another. What is more than a tenth worse is
told, and ends with 1. Run with ``python benchmarks/record.py``, and with ``--keep`` to record what
is found; the record is ``benchmarks/record.csv``.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable
from pathlib import Path

import sympy
from chains import PLANAR, SPATIAL, Chain, model
from timing import apart

import freebody

RECORD = Path(__file__).with_suffix(".csv")
REPEATS = 3
WORSE = 1.1


def operations(model: freebody.model.Model | str, output: str = "rhs") -> float:
    return float(freebody.compile(model)[output].code.operations)


def processor(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def unit() -> float:
    """Return the seconds of what times are told in multiples of."""
    a, b, c, d = sympy.symbols("a:d")
    return processor(lambda: sympy.expand((a + b + c + d) ** 18))


def imports() -> None:
    freebody.check, freebody.derive, freebody.compile  # noqa: B018 - which imports what they need


def derivation() -> float:
    imports()
    return processor(lambda: freebody.derive(model(Chain(5, PLANAR)), method="lagrange").M)


def program() -> float:
    imports()
    return processor(lambda: operations(model(Chain(7, SPATIAL))))


def page() -> float:
    imports()
    return processor(lambda: freebody.check("two_link"))


def misprints() -> float:
    imports()
    return processor(lambda: freebody.check("slider_crank"))


COUNTED: dict[str, Callable[[], float]] = {
    "operations, seven pins in space": lambda: operations(model(Chain(7, SPATIAL))),
    "operations, ten pins in a plane": lambda: operations(model(Chain(10, PLANAR))),
    "operations, arm_3d": lambda: operations("arm_3d"),
    "operations, four_bar": lambda: operations("four_bar"),
}
TIMED: dict[str, Callable[[], float]] = {
    "Lagrange, five pins in a plane": derivation,
    "Kane to a program, seven pins in space": program,
    "check of two_link": page,
    "check of slider_crank, which has misprints": misprints,
}


def measured() -> dict[str, float]:
    """Return all numbers by what they are of: the best of some, each in a process of its own."""
    found = {name: apart(work) for name, work in COUNTED.items()}
    one = min(apart(unit) for _ in range(REPEATS))
    for name, work in TIMED.items():
        found[name] = round(min(apart(work) for _ in range(REPEATS)) / one, 3)
    return found


def recorded() -> dict[str, float]:
    """Return the numbers of the record."""
    if not RECORD.exists():
        return {}
    with RECORD.open(newline="", encoding="utf-8") as file:
        return {row["what"]: float(row["number"]) for row in csv.DictReader(file)}


def keep(found: dict[str, float]) -> None:
    """Record numbers."""
    with RECORD.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([("what", "number"), *((name, f"{n:g}") for name, n in found.items())])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="record what is found")
    arguments = parser.parse_args()
    found, before = measured(), recorded()
    worse = [name for name, n in found.items() if name in before and n > WORSE * before[name]]
    for name, number in found.items():
        then = f"{before[name]:10g}" if name in before else f"{'':10}"
        print(f"{name:45} {then} {number:10g} {'worse' if name in worse else ''}".rstrip())
    if arguments.keep:
        keep(found)
    return int(bool(worse) and not arguments.keep)


if __name__ == "__main__":
    sys.exit(main())
