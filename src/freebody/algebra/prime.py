"""The prime field that identities are tried in."""

from __future__ import annotations

from functools import cache

import sympy

PRIME = (1 << 61) - 82430671
"""A prime in whose field minus one and all primes up to 103 have square roots."""


@cache
def root_of_minus_one() -> int:
    """Return i with i**2 = -1."""
    return int(sympy.sqrt_mod(-1, PRIME))
