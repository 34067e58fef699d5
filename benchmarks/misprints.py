"""Random misprints of one and of two tokens in all shipped documents, found and undone.

Each is put into the LaTeX of an equation that holds. Told are how many are found, how often the
first repair that is proposed is the equation as it was, or another of those proposed, and the time
of a judgement with its search for repairs. What still holds means the same, or is a miss: such
equations are compared with the original in plain numbers where the model is a planar chain, and
listed. Run with ``python benchmarks/misprints.py [COUNT] [SEED]``.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from freebody.checking.check import pages
from freebody.checking.judge import judge
from freebody.checking.quantities.derived import Quantities
from freebody.checking.verdicts import Checker
from freebody.documents import Document
from freebody.documents.latex import Relation, read_page
from freebody.documents.latex.tree import Number
from freebody.errors import FreebodyError
from freebody.model.library import shipped
from misprints import Misprint, drawn, printed
from mutants import DOCUMENTS
from printed import Truth


@dataclass(frozen=True)
class Original:
    """An equation that holds."""

    document: Document
    checker: Checker
    relation: Relation
    is_chain: bool


@dataclass(frozen=True)
class Outcome:
    """What became of an equation with misprints."""

    words: str
    kinds: str
    seconds: float
    told: str = ""


def originals() -> Iterator[Original]:
    for name in shipped():
        for document, model in pages([name]):
            checker = Checker(document, Quantities(model))
            statuses = {v.label: v.status for v in checker.verdicts()}
            for relation in checker.relations():
                faithful = checker.repairs.reread.is_faithful(relation)
                if statuses[relation.label] == "holds" and faithful:
                    is_value = isinstance(relation.right, Number)
                    is_chain = document.name in DOCUMENTS and not is_value
                    yield Original(document, checker, relation, is_chain)


def read(original: Original, latex: str) -> Relation | None:
    displays = read_page(f"$${latex}$$", original.checker.repairs.reread.declared)
    relations = [relation for display in displays for relation in display.relations]
    if len(relations) == 1 and isinstance(relations[0], Relation):
        return relations[0]
    return None


def outcome(original: Original, misprints: list[Misprint]) -> Outcome:
    latex = printed(original.relation.latex, misprints)
    kinds = " + ".join(sorted(misprint.kind for misprint in misprints))
    relation, checker = read(original, latex), original.checker
    if relation is None:
        return Outcome("unreadable", kinds, 0)
    symbols, _ = checker.assumptions.taken(checker.symbols, original.relation)
    repairs = checker.repairs_of(symbols).on(f"$${latex}$$")
    reread = repairs.reread
    start = time.process_time()
    try:
        judgement = judge(symbols, relation, repairs)
    except FreebodyError:
        return Outcome("unreadable", kinds, 0)
    seconds = time.process_time() - start
    told = f"{original.document.name} {relation.label} {latex!r}"
    if judgement.holds:
        return Outcome(_why_it_holds(original, relation), kinds, seconds, told)
    before = reread.shown(original.relation)
    read_again = (read(original, repair.latex) for repair in judgement.repairs)
    shown = [reread.shown(again) for again in read_again if again is not None]
    if not shown:
        return Outcome("found, no repair", kinds, seconds, told)
    if shown[0] == before:
        return Outcome("found, the first repair is the original", kinds, seconds)
    words = "another repair is" if before in shown else "repaired otherwise"
    return Outcome(f"found, {words}", kinds, seconds)


def _why_it_holds(original: Original, relation: Relation) -> str:
    if not original.is_chain:
        return "holds: means the same"
    try:
        return "holds: means the same" if Truth(original.document).holds(relation) else "MISSED"
    except ValueError:
        return "holds: means the same"


def campaign(pool: list[Original], tokens: int, count: int, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    outcomes: list[Outcome] = []
    while len(outcomes) < count:
        original = chance.choice(pool)
        misprints = drawn(original.relation.latex, tokens, chance)
        if len(misprints) == tokens:
            outcomes.append(outcome(original, misprints))
        if len(outcomes) % 100 == 0:
            print(f"\r{len(outcomes)} of {count}", end="", file=sys.stderr, flush=True)
    told(tokens, outcomes)


def told(tokens: int, outcomes: list[Outcome]) -> None:
    print(f"\n{len(outcomes)} equations with {tokens} misprint{'s' * (tokens > 1)}")
    counts = Counter(one.words for one in outcomes)
    for words, count in counts.most_common():
        print(f"  {words:42} {count:6}")
    changed = [one for one in outcomes if one.words.startswith("found") or one.words == "MISSED"]
    missed = counts["MISSED"]
    first = counts["found, the first repair is the original"]
    offered = first + counts["found, another repair is"]
    print(f"  detected of those that mean something else {1 - missed / len(changed):8.2%}")
    print(f"  first repair is the original               {first / len(changed):8.2%}")
    print(f"  one of the repairs is the original         {offered / len(changed):8.2%}")
    seconds = sorted(one.seconds for one in changed)
    print(f"  seconds: half below {seconds[len(seconds) // 2]:.3f}, ", end="")
    print(f"nine of ten below {seconds[9 * len(seconds) // 10]:.3f}, all below {seconds[-1]:.3f}")
    for one in outcomes:
        if one.words == "MISSED":
            print(f"  MISSED {one.told}")


def main() -> None:
    count, seed = (*map(int, sys.argv[1:3]), *(1000, 1)[len(sys.argv) - 1 :])
    pool = list(originals())
    print(f"{len(pool)} equations that hold")
    for tokens in (1, 2):
        campaign(pool, tokens, count, seed)


if __name__ == "__main__":
    main()
