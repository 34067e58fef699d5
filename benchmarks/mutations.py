"""Every small change of every equation of the planar chains that holds: how many are found, named.

Run with ``python benchmarks/mutations.py``; it takes some minutes.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from freebody.checking.check import pages
from freebody.checking.quantities.derived import Quantities
from mutants import CHAINS, DOCUMENTS, Mutant, Mutations


def outcome(mutant: Mutant) -> str:
    if not mutant.is_decided_right:
        return "decided wrongly"
    if mutant.is_true is None:
        return "unreadable"
    if mutant.is_true:
        return "means the same"
    if mutant.is_named:
        return "found, exactly its terms named"
    return "found, a repair as small named" if mutant.is_repaired else "found, not named"


def changed(mutations: Mutations) -> list[Mutant]:
    found = []
    for place in mutations.places():
        found += mutations.mutants(*place)
    return found


def main() -> None:
    total: Counter[str] = Counter()
    for document, model in pages(CHAINS):
        if document.name not in DOCUMENTS:
            continue
        start = time.perf_counter()
        mutations = Mutations(document, Quantities(model))
        found = changed(mutations)
        total.update(map(outcome, found))
        print(f"{document.name}: {len(found)} in {time.perf_counter() - start:.0f} s", flush=True)
        for mutant in found:
            if outcome(mutant) in ("decided wrongly", "found, not named"):
                print(f"  {mutant.label} {mutant.kind} {mutant.change!r}: {outcome(mutant)}")
    print(f"{sum(total.values())} changes")
    for words, count in total.most_common():
        print(f"  {words:34} {count:5}")


if __name__ == "__main__":
    main()
