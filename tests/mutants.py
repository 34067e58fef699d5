"""Printed equations with one small thing changed, and what a check says of each.

A change is made in the LaTeX of a display. Whether it changes the meaning is decided in plain
numbers; the terms that it changes are those in which the two printed equations differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from freebody.checking.explain import _compared
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import pairs
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import EquationVerdict
from freebody.checking.verdicts import Checker
from freebody.documents import Document
from freebody.documents.latex.layout.displays import read_page
from freebody.documents.latex.names import Declared
from freebody.documents.latex.relations import Display, Relation, Unreadable
from freebody.mechanics.notation import python
from printed import Truth

CHAINS = ("one_link", "two_link", "double_pendulum", "three_link_arm")
DOCUMENTS = ("duarte_one_link", "duarte_two_link", "watanabe_duarte", "cesari_2001")
"""The models and their pages that plain numbers of our own are worked out for."""

Edit = tuple[int, int, str]
Terms = set[tuple[str, str, str, str]]

_SCRIPT = re.compile(r"_(?:\{[^{}]*\}|[0-9a-z])")
_NUMBER = re.compile(r"(?<![_^\d.{,A-Za-z])\d+(?![\d.])|(?<=\{)\d+(?=\})")
_POWER = re.compile(r"\^(?:\{2\}|2)")
_WAVE = re.compile(r"sin|cos")
_SYMBOL = re.compile(r"(?<![_^A-Za-z\\{])(?:\\(?:alpha|ell|theta)|[dgmlLITF])(?![A-Za-z])")


@dataclass(frozen=True)
class Mutant:
    """One equation of a display with a change.

    Attributes
    ----------
    document, label : str
        Where it stands.
    kind : str
        What was changed: a sign, a factor, a wave or a subscript.
    change : str
        The text around the change, before and after.
    is_true : bool, optional
        What plain numbers say of it; None where it has no value.
    verdict : EquationVerdict
        What the check says of it.
    expected : set
        The terms that the change touches, as a difference tells them.
    """

    document: str
    label: str
    kind: str
    change: str
    is_true: bool | None
    verdict: EquationVerdict
    expected: Terms

    @property
    def found(self) -> Terms:
        return {(d.entry, d.term, d.printed, d.derived) for d in self.verdict.differences}

    @property
    def is_decided_right(self) -> bool:
        right = {True: "holds", False: "differs", None: "unreadable"}[self.is_true]
        return self.verdict.status == right

    @property
    def is_named(self) -> bool:
        """Whether the terms that are told are exactly those that the change touches."""
        return self.found == self.expected

    @property
    def is_repaired(self) -> bool:
        """Whether one of those is told, or another way to make the equation hold, no longer."""
        changed = {(entry, term) for entry, term, *_ in self.expected}
        told = {(entry, term) for entry, term, *_ in self.found}
        return not changed.isdisjoint(told) or len(told) <= len(changed)


def signs(text: str) -> Iterator[Edit]:
    """Turn a plus or a minus."""
    for match in re.finditer(r"[+-]", text):
        yield *match.span(), "-" if match[0] == "+" else "+"


def factors(text: str) -> Iterator[Edit]:
    """Take a number or a square away, change a number, put a two in front of a symbol."""
    for match in _NUMBER.finditer(text):
        in_braces = text[match.start() - 1 : match.start()] == "{"
        yield *match.span(), "1" if in_braces and match[0] != "1" else "3"
        if not in_braces:
            yield *match.span(), ""
    for match in _POWER.finditer(text):
        yield *match.span(), ""
        yield *match.span(), "^3"
    for match in _SYMBOL.finditer(text):
        yield match.start(), match.start(), "2 "


def waves(text: str) -> Iterator[Edit]:
    """Put a cosine for a sine, and a sine for a cosine."""
    for match in _WAVE.finditer(text):
        yield *match.span(), "cos" if match[0] == "sin" else "sin"


def subscripts(text: str) -> Iterator[Edit]:
    """Put another number for a number in a subscript, and y for x."""
    for script in _SCRIPT.finditer(text):
        for match in re.finditer(r"[123xyXY]", script[0]):
            others = next(family for family in ("123", "xy", "XY") if match[0] in family)
            for other in others.replace(match[0], ""):
                yield script.start() + match.start(), script.start() + match.end(), other


KINDS: dict[str, Callable[[str], Iterator[Edit]]] = {
    "sign": signs,
    "factor": factors,
    "wave": waves,
    "subscript": subscripts,
}


class Mutations:
    """All changes of all equations of a document that hold."""

    def __init__(self, document: Document, quantities: Quantities) -> None:
        self.document = document
        self.quantities = quantities
        self.checker = Checker(document, quantities)
        self.declared = Declared(self.checker.symbols.meanings, self.checker.symbols.varies)
        self.truth = Truth(document)
        self.repairs = self.checker.repairs
        self.holding = {v.label for v in self.checker.verdicts() if v.status == "holds"}

    def places(self) -> Iterator[tuple[Display, Relation, str, Edit]]:
        """Iterate over all changes, each with the equation that it is made in."""
        for display in read_page(self.document.text, self.declared, self.document.start):
            relations = [r for r in display.relations if isinstance(r, Relation)]
            seen = set()
            for relation in relations:
                if relation.label not in self.holding or relation.span in seen:
                    continue
                seen.add(relation.span)
                start = display.latex.index(relation.latex)
                for kind, edits in KINDS.items():
                    for first, last, text in edits(relation.latex):
                        yield display, relation, kind, (start + first, start + last, text)

    def mutants(self, display: Display, relation: Relation, kind: str, edit: Edit) -> list[Mutant]:
        """Return the equations of a display that hold, as they are after a change."""
        first, last, text = edit
        latex = display.latex[:first] + text + display.latex[last:]
        change = f"{display.latex[first - 12 : last + 12]} -> {latex[first - 12 : last + 12]}"
        here = Checker(replace(self.document, text=latex, start=0), self.quantities)
        here.repairs_of = lambda *_: self.repairs.on(latex)
        verdicts = {verdict.label: verdict for verdict in here.verdicts()}
        (changed,) = read_page(latex, self.declared)
        before = {r.label: r for r in display.relations}
        return [
            Mutant(
                self.document.name,
                now.label,
                kind,
                change,
                self._is_true(now),
                verdicts[now.label],
                self._changed(before.get(now.label), now),
            )
            for now in changed.relations
            if now.label in self.holding and before[now.label].span == relation.span
        ]

    def _is_true(self, relation: Relation | Unreadable) -> bool | None:
        if isinstance(relation, Unreadable):
            return None
        try:
            return self.truth.holds(relation)
        except ValueError:
            return None

    def _changed(self, before: Relation | Unreadable | None, after: Relation | Unreadable) -> Terms:
        if not isinstance(before, Relation) or not isinstance(after, Relation):
            return set()
        evaluator = Evaluator(self.checker.symbols)
        names = self.checker.quantities.mechanism.names
        try:
            both = zip(pairs(evaluator, after), pairs(evaluator, before), strict=True)
            return {
                (now.entry, python(term, names), str(was), str(should))
                for now, then in both
                for term, (was, should) in _compared(now, then).items()
            }
        except (MeaningError, ValueError):
            return set()
