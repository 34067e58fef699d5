"""Mechanisms of the gallery with published numbers: what is printed, and what freebody finds.

A row has the digits in which the worst number of a problem agrees, relative to the largest of its
kind, and the time it takes with what was compiled before. ``python benchmarks/published.py`` prints
the table; a name after it, the numbers one by one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from problems import PROBLEMS, Problem


def rows() -> Iterator[str]:
    """Iterate over the lines of the table."""
    yield "| problem | numbers | published in | digits | s |"
    yield "|---|---|---|---|---|"
    for problem in PROBLEMS:
        _, off, seconds = problem.compared()
        digits = f"{min(-np.log10(off), 16):.1f}" if off else "all"
        yield f"| {problem.model} | {problem.what} | {problem.source} | {digits} | {seconds:.2f} |"


def told(problem: Problem) -> Iterator[str]:
    """Iterate over the numbers of a problem, one by one."""
    found, _, _ = problem.compared()
    yield f"{problem.model}: {problem.what} ({problem.source})"
    for one, other in zip(np.ravel(problem.published), np.ravel(found), strict=True):
        yield f"  published {one:.16g}  freebody {other:.16g}"


def main(names: list[str]) -> None:
    """Print the table, or the numbers of some problems."""
    for line in rows() if not names else ():
        print(line, flush=True)
    for problem in PROBLEMS:
        for line in told(problem) if problem.model in names else ():
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
