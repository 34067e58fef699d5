"""Mechanisms of the gallery with published numbers: what is printed, and what freebody finds.

A row has the digits in which the worst number of a problem agrees, relative to the largest of its
kind, and the time it takes with what was compiled before. ``python benchmarks/published.py`` prints
the table; a name after it, the numbers one by one. ``--opensim-models FOLDER`` adds the walks of a
copy of OpenSim's repository of models, with what its own tool gave of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from problems import PROBLEMS, Problem, gait


def rows(problems: Iterable[Problem]) -> Iterator[str]:
    """Iterate over the lines of the table."""
    yield "| problem | numbers | published in | digits | s |"
    yield "|---|---|---|---|---|"
    for problem in problems:
        _, off, seconds = problem.compared()
        digits = f"{min(-np.log10(off), 16):.1f}" if off else "all"
        yield f"| {problem.model} | {problem.what} | {problem.source} | {digits} | {seconds:.2f} |"


def told(problem: Problem) -> Iterator[str]:
    """Iterate over the numbers of a problem, one by one."""
    found, _, _ = problem.compared()
    yield f"{problem.model}: {problem.what} ({problem.source})"
    for one, other in zip(np.ravel(problem.published), np.ravel(found), strict=True):
        yield f"  published {one:.16g}  freebody {other:.16g}"


def main() -> None:
    """Print the table, or the numbers of some problems."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="of models whose numbers are printed one by one")
    parser.add_argument("--opensim-models", type=Path, help="a copy of OpenSim's repository")
    asked = parser.parse_args()
    problems = (*PROBLEMS, *(gait.problems(asked.opensim_models) if asked.opensim_models else ()))
    for line in rows(problems) if not asked.names else ():
        print(line, flush=True)
    for problem in problems:
        for line in told(problem) if problem.model in asked.names else ():
            print(line)


if __name__ == "__main__":
    main()
