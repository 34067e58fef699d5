"""Whether a number got worse since it was recorded.

Operations of programs are counted, which is exact on every machine. Times are those of processors
that whole commands take, as multiples of what sympy takes in the same run to be imported and write
a power of a sum out, so that the record can be made on one machine and held against on another.
What is more than a tenth worse is told, and ends with 1. Run with ``python benchmarks/record.py``,
and with ``--keep`` to record what is found; the record is ``benchmarks/record.csv``.
"""

from __future__ import annotations

import argparse
import csv
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from chains import PLANAR, SPATIAL, Chain, model

import freebody

RECORD = Path(__file__).with_suffix(".csv")
REPEATS = 3
WORSE = 1.1


def operations(model: freebody.model.Model | str, output: str = "rhs") -> float:
    return float(freebody.compile(model)[output].code.operations)


def processor(*arguments: str) -> float:
    """Return the seconds of processors that Python takes with arguments, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


UNIT = ("-c", "import sympy; sympy.expand(sum(sympy.symbols('a:d')) ** 18)")
"""What times are told in multiples of."""
COUNTED: dict[str, Callable[[], float]] = {
    "operations, seven pins in space": lambda: operations(model(Chain(7, SPATIAL))),
    "operations, ten pins in a plane": lambda: operations(model(Chain(10, PLANAR))),
    "operations, arm_3d": lambda: operations("arm_3d"),
    "operations, four_bar": lambda: operations("four_bar"),
}
TIMED: dict[str, tuple[str, ...]] = {
    "freebody --help": ("-m", "freebody", "--help"),
    "M of two_link, compiled before": (
        *("-c", "import freebody; freebody.compile('two_link').M([0.1, 0.2])"),
    ),
    "derive three_link_arm, all methods": (
        *("-m", "freebody", "derive", "three_link_arm", "--method", "all"),
    ),
    "derive arm_3d by Lagrange": ("-m", "freebody", "derive", "arm_3d", "--method", "lagrange"),
    "generate arm_3d in C": ("-m", "freebody", "generate", "arm_3d", "--target", "c"),
    "check two_link": ("-m", "freebody", "check", "two_link", "--jobs", "1"),
    "check slider_crank, which has misprints": (
        *("-m", "freebody", "check", "slider_crank", "--jobs", "1"),
    ),
    "simulate double_pendulum": ("-m", "freebody", "simulate", "double_pendulum"),
}


def measured() -> dict[str, float]:
    """Return all numbers by what they are of: the best of some."""
    found = {name: work() for name, work in COUNTED.items()}
    one = min(processor(*UNIT) for _ in range(REPEATS))
    for name, arguments in TIMED.items():
        found[name] = round(min(processor(*arguments) for _ in range(REPEATS)) / one, 3)
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
