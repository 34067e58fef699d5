"""Changes of one printed equation that come together, looked up by what each of them leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from freebody.algebra.prime import PRIME
from freebody.checking.findings import Edit
from freebody.checking.repair.changes import LIKELY, Changes
from freebody.checking.repair.residuals import Change
from freebody.documents.latex.tree import Node, Term

TOGETHER = 0.5
"""What it costs that two changes come together, besides what each of them does."""
MOST_LIKELY = 250
"""With so many likely changes three at a time are still looked up in a moment."""
Edits = tuple[Edit, ...]
Option = tuple[float, Edits]


def are_disjoint(edits: Edits) -> bool:
    """Return whether edits are of different places."""
    spans = sorted(edit.span for edit in edits)
    return all(one[1] <= other[0] and one != other for one, other in pairwise(spans))


def pairs(residual: int, changes: Sequence[Change]) -> Iterator[Option]:
    """Iterate over pairs of changes in different terms."""
    known = table(((change.residual - residual) % PRIME, change) for change in changes)
    for change in changes:
        if change.cost <= LIKELY:
            for other in known.get(-change.residual % PRIME, ()):
                yield from _option(change, other)


def in_one_term(changes: Changes, single: Sequence[Change]) -> Iterator[Option]:
    """Iterate over pairs of changes of different factors of one term."""
    inside: dict[Node | Term, list[Change]] = defaultdict(list)
    for change in single:
        for term in change.within:
            inside[term].append(change)
    for term, some in inside.items():
        gone = (changes.without(term) - changes.residual) % PRIME
        if not gone:
            continue
        over = pow(gone, -1, PRIME)
        wanted = (1 + changes.residual * over) % PRIME
        ratios = [((1 - (c.residual - changes.residual) * over) % PRIME, c) for c in some]
        known = table(ratios)
        for ratio, change in ratios:
            if change.cost <= LIKELY and ratio:
                for other in known.get(wanted * pow(ratio, -1, PRIME) % PRIME, ()):
                    yield from _option(change, other)


def triples(residual: int, changes: Sequence[Change]) -> Iterator[Option]:
    """Iterate over three changes in different terms."""
    likely = sorted((c for c in changes if c.cost <= LIKELY), key=lambda change: change.cost)
    likely = likely[:MOST_LIKELY]
    known = table(((change.residual - residual) % PRIME, change) for change in likely)
    for one, two in combinations(likely, 2):
        wanted = (residual - one.residual - two.residual) % PRIME
        for three in known.get(wanted, ()):
            if are_disjoint((one.edit, two.edit, three.edit)):
                cost = one.cost + two.cost + three.cost + 2 * TOGETHER
                yield cost, (one.edit, two.edit, three.edit)


def _option(change: Change, other: Change) -> Iterator[Option]:
    if are_disjoint((change.edit, other.edit)):
        yield change.cost + other.cost + TOGETHER, (change.edit, other.edit)


def table(entries: Iterable[tuple[int, Change]]) -> dict[int, list[Change]]:
    """Return changes by a value that is not zero."""
    known: dict[int, list[Change]] = defaultdict(list)
    for value, change in entries:
        if value:
            known[value].append(change)
    return known
