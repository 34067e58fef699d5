"""Random misprints of one and of two tokens in shipped equations that hold, found and undone.

Whether an equation with misprints says something else is decided in plain numbers, and read by a
reader of the tests' own. Whatever the page has names for gets random numbers that make the
original true: if what is misprinted is true at all of them, it says the same. Otherwise it is
expected to be told as wrong, unless the numbers of a planar chain of pins say that it is true of
that mechanism. What is read or decided by neither is counted.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

from campaign.meant import Original, is_true_of
from campaign.outcome import Campaign, Outcome
from freebody.checking.check import pages
from freebody.checking.findings import Judgement
from freebody.checking.judge import holds, judge
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.checking.readings import read_by_dimension
from freebody.checking.repair.search import Repairs
from freebody.checking.verdicts import Checker
from freebody.documents.latex import Relation, read_page
from freebody.documents.latex.tree import Number
from freebody.errors import FreebodyError
from freebody.locating import shipped
from freebody.model import Model
from misprints import drawn, printed

TRIES = 60
CHAINS = ("duarte_one_link", "duarte_two_link", "watanabe_duarte", "cesari_2001")


# ---------------------------------------------------------------------- equations that hold


@cache
def models() -> tuple[str, ...]:
    return tuple(shipped())


@cache
def targets() -> tuple[tuple[Any, Model], ...]:
    return tuple(pages(models()))


@cache
def checker_of(place: int) -> Checker:
    document, model = targets()[place]
    return Checker(document, Quantities(model))


@cache
def original_of(place: int, label: str, latex: str, relation: str) -> Original | None:
    """Return an equation with the numbers that make it true; None where that cannot be had."""
    document, model = targets()[place]
    symbols = {**document.front.symbols, **document.parts()[0].symbols}
    return Original.of(latex, relation, symbols, model)


@cache
def symbols_of(place: int, label: str) -> Symbols | None:
    """Return the symbols with which the original is judged; None where it is not among them."""
    checker = checker_of(place)
    relation = next(one for one in checker.relations() if one.label == label)
    reread = checker.repairs.reread
    if isinstance(relation.right, Number) or not reread.is_faithful(relation):
        return None
    try:
        symbols, _ = checker.assumptions.taken(checker.symbols, relation)
        return symbols if holds(symbols, relation) else None
    except FreebodyError:
        return None


def drawn_equation(chance: random.Random) -> tuple[int, Relation, Symbols] | None:
    """Draw a page, and an equation of it that holds."""
    place = chance.randrange(len(targets()))
    relations = checker_of(place).relations()
    for _ in range(TRIES if relations else 0):
        relation = chance.choice(relations)
        symbols = symbols_of(place, relation.label)
        if symbols is not None:
            return place, relation, symbols
    return None


def read(checker: Checker, latex: str) -> Relation | None:
    displays = read_page(f"$${latex}$$", checker.repairs.reread.declared)
    relations = [relation for display in displays for relation in display.relations]
    fits = len(relations) == 1 and isinstance(relations[0], Relation)
    return relations[0] if fits else None


# ---------------------------------------------------------------------- one case


def case(seed: int) -> Outcome:
    """Misprint an equation and judge it."""
    chance, tokens = random.Random(seed), 1 + seed % 2
    found = drawn_equation(chance)
    if found is None:
        return Outcome("no equation to misprint")
    place, original, symbols = found
    misprints = drawn(original.latex, tokens, chance)
    latex = printed(original.latex, misprints)
    checker = checker_of(place)
    relation = read(checker, latex)
    relation = relation and read_by_dimension(symbols, relation)
    if len(misprints) < tokens or relation is None:
        return Outcome("not read")
    repairs = checker.repairs_of(symbols).on(f"$${latex}$$")
    start = time.process_time()
    try:
        judgement = judge(symbols, relation, repairs)
    except FreebodyError:
        return Outcome("no meaning")
    seconds = time.process_time() - start
    kinds = "+".join(one.kind for one in misprints)
    detail = f"{checker.document.name} {original.label} [{kinds}]: {original.latex!r} as {latex!r}"
    known = original_of(place, original.label, original.latex, original.relation)
    same = known.says(latex) if known else None
    if judgement.holds:
        return _held(place, original, latex, same, detail)
    if same or (same is None and _truth(place, original, latex)):
        return Outcome("false alarm", is_failure=True, detail=detail)
    told = "; ".join(repair.latex for repair in judgement.repairs[:3])
    detail += f", proposed {told!r}"
    for repair in judgement.repairs:
        if not _holds(checker, symbols, repair.latex):
            return Outcome("A REPAIR DOES NOT HOLD", True, f"{detail}: {repair.latex!r}")
    told = _undone(original, known, judgement, repairs, checker)
    return Outcome(f"{tokens}: {told}", detail=detail, seconds=seconds)


def _holds(checker: Checker, symbols: Symbols, latex: str) -> bool:
    """Return whether a proposed equation can be read as it is printed, and holds."""
    relation = read(checker, latex)
    try:
        return relation is not None and holds(symbols, relation)
    except FreebodyError:
        return False


def _undone(
    original: Relation,
    known: Original | None,
    judgement: Judgement,
    repairs: Repairs,
    checker: Checker,
) -> str:
    """Return what became of a misprint: the repairs in words."""
    if not judgement.repairs:
        return "no repair"
    wanted = repairs.reread.shown(original)
    proposed = [one.latex for one in judgement.repairs]
    read_again = [read(checker, latex) for latex in proposed]
    same = [one is not None and repairs.reread.shown(one) == wanted for one in read_again]
    said = [
        is_same or bool(known and known.says(latex))
        for is_same, latex in zip(same, proposed, strict=True)
    ]
    if said[0]:
        return "restored first" if same[0] else "the same said first"
    return "restored by another repair" if any(said) else "repaired otherwise"


def _truth(place: int, original: Relation, latex: str) -> bool | None:
    """Return whether an equation is true of a planar chain, where that is what the page is of."""
    document, _ = targets()[place]
    if document.name not in CHAINS:
        return None
    return is_true_of(document, original.latex, latex, original.relation)


def _held(place: int, original: Relation, latex: str, same: bool | None, detail: str) -> Outcome:
    if same:
        return Outcome("says the same")
    truth = _truth(place, original, latex)
    if truth is not None:
        return Outcome("true as well" if truth else "MISSED", not truth, detail)
    return Outcome("holds, not decided" if same is None else "holds otherwise", detail=detail)


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    """Return how many first repairs restore the original, and how long a judgement takes."""
    outcomes = list(outcomes)
    lines = []
    for tokens in (1, 2):
        counts = Counter(one.words for one in outcomes if one.words.startswith(f"{tokens}: "))
        if total := sum(counts.values()):
            right = counts[f"{tokens}: restored first"] + counts[f"{tokens}: the same said first"]
            first = right / total
            lines.append(f"first repairs of {tokens} token(s) that restore: {first:.1%} of {total}")
    seconds = sorted(one.seconds for one in outcomes if one.seconds)
    if seconds:
        told = (seconds[int(share * (len(seconds) - 1))] for share in (0.5, 0.9, 0.99))
        lines.append("seconds, half, 90 % and 99 % below: " + ", ".join(f"{s:.2f}" for s in told))
    lines += [f"{one.words}: {one.detail}" for one in outcomes if one.words.startswith("holds ")]
    return lines


CAMPAIGN = Campaign("misprints", 10_000, 60.0, case, figures)
