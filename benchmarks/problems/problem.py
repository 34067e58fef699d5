"""A problem with numbers that are printed somewhere, beside those that freebody finds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Numbers = Any
G = 9.81
"""Gravitational acceleration, in m/s**2."""


@dataclass(frozen=True)
class Problem:
    """A problem with numbers that are printed somewhere.

    Attributes
    ----------
    model : str
        The name of the shipped model.
    what : str
        What the numbers are.
    source : str
        Where they are printed.
    found : callable
        Gives them, as freebody finds them.
    published : array
    """

    model: str
    what: str
    source: str
    found: Callable[[], Numbers]
    published: Numbers

    def compared(self) -> tuple[Numbers, float, float]:
        """Return what freebody finds, its largest difference, and the time it takes, in s."""
        self.found()
        start = time.perf_counter()
        found = np.asarray(self.found())
        seconds = time.perf_counter() - start
        published = np.asarray(self.published)
        if found.shape != published.shape:
            raise SystemExit(f"{self.model}: expected {published.size} numbers, found {found.size}")
        scale = np.abs(published).max() or 1.0
        return found, float(np.abs(found - published).max() / scale), seconds
