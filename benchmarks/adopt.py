"""What adopting makes of all shipped documents without their front matter.

Of the symbols that the front matter of each declares it is told how many are guessed surely and
rightly, how many surely and wrongly, and of how many the right meaning is at least among those
offered; and how long a page takes. Symbols that are sure though the front matter does not declare
them are listed. Run with ``python benchmarks/adopt.py [PART OF A PATH]...``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from adopting import OUTCOMES, SURE_RIGHT, SURE_WRONG, UNKNOWN, Adopted, Measured
from freebody.checking.check import pages
from freebody.checking.quantities.derived import Quantities
from freebody.locating import shipped


def measured(model: str, parts: Sequence[str]) -> Iterator[Measured]:
    quantities = None
    for document, own in pages([model]):
        if not parts or any(part in str(document.path) for part in parts):
            quantities = quantities or Quantities(own)
            yield Adopted(document, quantities).measure()


def told(model: str, one: Measured) -> None:
    counts, among = one.counts, one.counts.total()
    unsure = among - counts[SURE_RIGHT] - counts[SURE_WRONG] - counts[UNKNOWN]
    print(
        f"{f'{model}/{one.name}':45} {counts[SURE_RIGHT]:4} sure {unsure:4} unsure "
        f"{counts[UNKNOWN]:4} unknown {one.seconds:7.1f} s",
        flush=True,
    )
    for wrong in one.wrong:
        print(f"    WRONG {wrong}")
    for other in one.others:
        print(f"    not declared: {other}")


def main() -> None:
    everything: list[Measured] = []
    for model in shipped():
        for one in measured(model, sys.argv[1:]):
            told(model, one)
            everything.append(one)
    total = sum((one.counts for one in everything), Counter[str]())
    print(f"{total.total()} symbols of {len(everything)} documents")
    for outcome in OUTCOMES:
        print(f"  {outcome:28} {total[outcome]:6} {total[outcome] / total.total():8.1%}")
    seconds = sorted(one.seconds for one in everything)
    half, most = seconds[len(seconds) // 2], seconds[-1]
    print(f"seconds a page: half below {half:.1f}, all below {most:.1f}")


if __name__ == "__main__":
    main()
