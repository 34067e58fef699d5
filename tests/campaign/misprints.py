"""Random misprints of one and of two tokens in shipped equations that hold, found and undone.

Whether an equation with misprints says something else is decided in plain numbers. Whatever the
page has names for gets random numbers that make the original true: if what is misprinted is true
at all of them, it says the same. Otherwise it is expected to be told as wrong, unless the numbers
of a planar chain of pins say that it is true of that mechanism.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from campaign.outcome import Campaign, Outcome
from freebody.checking.check import pages
from freebody.checking.judge import holds, judge
from freebody.checking.meaning.evaluator import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.checking.verdicts import Checker
from freebody.documents.latex import Relation, read_page, tree
from freebody.documents.latex.tree import Number, show
from freebody.errors import FreebodyError
from freebody.model import Model
from freebody.model.library import shipped
from misprints import drawn, printed
from printed import Jet, Page, Truth, column, rated

PER_PAGE = 200
"""So many cases in a row are of one page, which is read once."""
TRIES = 60
STATES = 3
NEAR = 1e-8
CHAINS = ("duarte_one_link", "duarte_two_link", "watanabe_duarte", "cesari_2001")


class FreePage(Page):
    """The names of a page as numbers that nothing ties together but what they stand for."""

    def __init__(self, checker: Checker, seed: int) -> None:
        self.meanings = dict(checker.symbols.meanings)
        self.seed = seed
        self.known: dict[str, Jet] = {}

    def atom(self, name: str) -> Jet:
        """Return the number of a quantity of the model, with its rates; the same at every call."""
        order = len(re.search("(?:_d*dot)?$", name)[0].removesuffix("dot").removeprefix("_") + "d")
        bare = re.sub("_d*dot$", "", name)
        if bare != name:
            return rated(column([self.atom(bare)]), order)[0, 0]
        if name not in self.known:
            chance = random.Random(f"{self.seed} {name}")
            self.known[name] = Jet(*(chance.uniform(0.4, 1.6) for _ in range(4)))
        return self.known[name]

    def _meaning(self, name: tree.Name) -> Any:
        meaning = self.meanings[name.key]
        if name.indices or not isinstance(meaning, str):
            return column([self.atom(f"{name.key} {name.indices}")])
        return self._read(meaning)

    def _operator(self, node: tree.Node) -> Any:
        if isinstance(node, tree.Partial | tree.Matrix | tree.Transpose):
            return column([self.atom(show(node))])
        return super()._operator(node)

    def _read(self, meaning: Any) -> Any:
        if re.fullmatch(r"[\w.\[\],+*/() -]+", meaning) and "." not in meaning:
            names = set(re.findall(r"[A-Za-z_]\w*(?!\()", meaning))
            if not names & {"sin", "cos", "tan", "sqrt"} and "[" not in meaning:
                return super()._read(meaning)
        return column([self.atom(meaning)])

    @cached_property
    def state(self) -> FreePage:  # type: ignore[override]
        return self

    def quantity(self, path: str) -> Jet:
        return Jet.of(3.141592653589793) if path == "pi" else self.atom(path)

    def made_true(self, relation: Relation) -> bool:
        """Change one of the numbers so that an equation is true; return whether that succeeded."""
        self.off(relation)
        for name in list(self.known):
            for order in range(3):
                before = self.known[name]
                if self._solved(relation, name, order):
                    return True
                self.known[name] = before
        return False

    def _solved(self, relation: Relation, name: str, order: int) -> bool:
        start = self.known[name].parts[order]
        points = [(x, self._with(relation, name, order, x)) for x in (start, start + 0.37)]
        for _ in range(12):
            (a, f), (b, g) = points[-2:]
            if abs(g) < 1e-13 * (1 + abs(b)):
                return abs(b) > 1e-3
            if abs(g - f) < 1e-12 or abs(b) > 1e6:
                return False
            x = b - g * (b - a) / (g - f)
            points.append((x, self._with(relation, name, order, x)))
        return False

    def _with(self, relation: Relation, name: str, order: int, value: complex) -> complex:
        parts = list(self.known[name].parts)
        parts[order] = value
        self.known[name] = Jet(*parts)
        return self.off(relation)

    def off(self, relation: Relation) -> complex:
        """Return left minus right."""
        left, right = self.value(relation.left), self.value(relation.right)
        if left.shape != (1, 1) or right.shape != (1, 1):
            raise ValueError("a matrix")
        return complex((left - right)[0, 0].parts[0])


def says_the_same(checker: Checker, original: Relation, misprinted: Relation) -> bool | None:
    """Return whether a misprint is true wherever the original is; None where no number tells."""
    try:
        states = [FreePage(checker, seed) for seed in range(STATES)]
        if not all(state.made_true(original) for state in states):
            return None
        return all(abs(state.off(misprinted)) < NEAR for state in states)
    except (ValueError, KeyError, ZeroDivisionError, OverflowError, TypeError, AttributeError):
        return None


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
def truth_of(place: int) -> Truth | None:
    document, _ = targets()[place]
    return Truth(document) if document.name in CHAINS else None


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


def original_of(seed: int, chance: random.Random) -> tuple[int, Relation, Symbols] | None:
    place = seed // PER_PAGE % len(targets())
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
    found = original_of(seed, chance)
    if found is None:
        return Outcome("no equation to misprint")
    place, original, symbols = found
    misprints = drawn(original.latex, tokens, chance)
    latex = printed(original.latex, misprints)
    checker = checker_of(place)
    relation = read(checker, latex)
    if len(misprints) < tokens or relation is None:
        return Outcome("not read")
    repairs = checker.repairs_of(symbols).on(f"$${latex}$$")
    start = time.process_time()
    try:
        judgement = judge(symbols, relation, repairs)
    except FreebodyError:
        return Outcome("no meaning")
    seconds = time.process_time() - start
    detail = f"{checker.document.name} {original.label}: {original.latex!r} as {latex!r}"
    if judgement.holds:
        return _held(place, original, relation, detail)
    if says_the_same(checker, original, relation):
        return Outcome("false alarm", is_failure=True, detail=detail)
    read_again = (read(checker, repair.latex) for repair in judgement.repairs)
    shown = [repairs.reread.shown(one) for one in read_again if one is not None]
    words = f"{tokens}: {_undone(repairs.reread.shown(original), shown)}"
    told = "; ".join(repair.latex for repair in judgement.repairs[:2])
    return Outcome(words, detail=f"{detail}, proposed {told!r}", seconds=seconds)


def _undone(original: str, shown: list[str]) -> str:
    if not shown:
        return "no repair"
    if shown[0] == original:
        return "restored first"
    return "restored by another repair" if original in shown else "repaired otherwise"


def _held(place: int, original: Relation, relation: Relation, detail: str) -> Outcome:
    truth = truth_of(place)
    same = says_the_same(checker_of(place), original, relation)
    if same:
        return Outcome("says the same")
    if truth is not None:
        try:
            is_true = truth.holds(replace(relation, label=original.label))
            return Outcome("true as well" if is_true else "MISSED", not is_true, detail)
        except ValueError:
            pass
    return Outcome("holds, undecided" if same is None else "holds otherwise", detail=detail)


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    """Return how many first repairs restore the original, and how long a judgement takes."""
    outcomes = list(outcomes)
    lines = []
    for tokens in (1, 2):
        counts = Counter(one.words for one in outcomes if one.words.startswith(f"{tokens}: "))
        if total := sum(counts.values()):
            first = counts[f"{tokens}: restored first"] / total
            lines.append(f"first repairs of {tokens} token(s) that restore: {first:.1%} of {total}")
    seconds = sorted(one.seconds for one in outcomes if one.seconds)
    if seconds:
        told = (seconds[int(share * (len(seconds) - 1))] for share in (0.5, 0.9, 0.99))
        lines.append("seconds, half, 90 % and 99 % below: " + ", ".join(f"{s:.2f}" for s in told))
    lines += [f"{one.words}: {one.detail}" for one in outcomes if one.words.startswith("holds ")]
    return lines


CAMPAIGN = Campaign("misprints", 10_000, 60.0, case, figures)
