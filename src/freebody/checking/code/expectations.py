"""What the claims of a listing should be, at a point: as they are, as sums, on either side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from freebody.algebra.expressions import read
from freebody.checking.code.claim import Claim
from freebody.checking.code.readings import Outcome, Rows
from freebody.checking.code.reference import VECTORS, DerivedAtPoint, Frame
from freebody.checking.code.tables import SIGNED


def rows_of(
    claims: Sequence[Claim], values: Mapping[Claim, Any], derived: DerivedAtPoint, frame: Frame
) -> dict[str, Rows]:
    """Return how equations of functions are made of those of the model, where they are sums.

    The mass matrix tells that: it is a matrix of 0, 1 and -1 times the derived one, everywhere.
    """
    n, out = len(derived.quantities.equations.speeds), dict[str, Rows]()
    matrices: dict[str, dict[tuple[int, int], Any]] = {}
    for one in claims:
        if one.target[0] == "M" and not one.is_declared:
            row, column = one.target[1:]
            matrices.setdefault(one.run, {})[row, column] = values[one]
    for run, entries in matrices.items():
        if n > 1 and len(entries) == n * n:
            found = _sums(entries, derived, frame, n)
            if found is not None:
                out[run] = found
    return out


def _sums(entries: Mapping[Any, Any], derived: DerivedAtPoint, frame: Frame, n: int) -> Rows | None:
    one = derived.at.values([sympy.S.One])[0]
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            parts = [entries[i, k] * derived.value(("inverse", k, j), frame) for k in range(n)]
            total = sum(parts[1:], parts[0])
            number = next((by for by in (0, 1, -1) if not total - one * by), None)
            if number is None:
                return None
            row.append(number)
        rows.append(tuple(row))
    is_diagonal = all(not rows[i][j] for i in range(n) for j in range(n) if i != j)
    return None if is_diagonal else tuple(rows)


def expected(claim: Claim, derived: Any, frame: Frame, outcome: Outcome | None = None) -> Any:
    """Return what a claim should be: at a point, or in canonical forms, as what is derived is."""
    if outcome and claim in outcome.meant:
        return derived.value(outcome.meant[claim], frame)
    family, *places = claim.target
    sums = outcome.rows.get(claim.run) if outcome else None
    if sums and not claim.is_declared and family in (*VECTORS, "M"):
        first, *rest = places
        rows = [
            (derived.value((family, row, *rest), frame), times)
            for row, times in enumerate(sums[first])
            if times
        ]
        parts = [value if times > 0 else -value for value, times in rows]
        return sum(parts[1:], parts[0])
    if family == "minus":
        return -derived.value(tuple(places), frame)
    if family == "text":
        text, *entry = places
        found = read(text, derived.quantities.resolve)
        expr = (
            found[tuple(entry) if len(entry) == 2 else (entry or [0])[0]]
            if isinstance(found, sympy.MatrixBase)
            else found
        )
        return derived.value(("quantity", expr), frame)
    return derived.value(claim.target, frame)


def signs_of(
    claims: Sequence[Claim], values: Mapping[Claim, Any], wanted: Mapping[Claim, Any]
) -> dict[tuple[str, str], int]:
    """Return on which side vectors are meant: on the one on which more of their entries hold."""
    votes: dict[tuple[str, str], int] = {}
    for one in claims:
        key = one.run, one.group
        votes.setdefault(key, 0)
        if one.group in SIGNED and not one.is_declared and wanted[one]:
            votes[key] += int(not values[one] - wanted[one]) - int(not values[one] + wanted[one])
    return {key: -1 if vote < 0 else 1 for key, vote in votes.items()}


def dead_of(claims: Sequence[Claim], out: Outcome) -> set[tuple[str, str]]:
    """Return the groups that are no answers, and of which nothing is as derived."""
    groups: dict[tuple[str, str], list[Claim]] = {}
    for one in claims:
        groups.setdefault((one.run, one.group), []).append(one)
    return {
        key
        for key, members in groups.items()
        if not any(one.is_final for one in members) and not any(out.holds[one] for one in members)
    }
