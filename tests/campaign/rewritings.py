"""Equations that hold, written otherwise: they must be read, and hold."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from campaign.formulas import OF_SIDES, Sides, UnfitError, formula, rewritten
from campaign.outcome import Campaign, Outcome
from campaign.writing import Author
from freebody.checking.grid import MeaningError
from freebody.checking.judge import judge
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.checking.verdicts import Checker
from freebody.documents import read_document
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name, Span, walk
from freebody.model import load, shipped

LONGEST = 600  # characters of an equation that is rewritten
MACRO = re.compile(r"\\(?:re)?newcommand|\\def\b|\\DeclareMathOperator")


@cache
def pages() -> list[Path]:
    """Return the shipped pages about one model that define no macros."""
    found = [page for folder in shipped().values() for page in sorted(Path(folder).glob("*.md"))]
    documents = {page: read_document(page) for page in found}
    return [
        page
        for page, one in documents.items()
        if not one.front.sections and not MACRO.search(one.text)
    ]


@cache
def quantities(model: str) -> Quantities:
    return Quantities(load(model))


@cache
def checker(page: Path) -> Checker:
    """Return what checks a page of which nothing is recorded."""
    document = read_document(page)
    bare = document.front.model_copy(update={"errata": (), "unchecked": (), "assume": ()})
    return Checker(replace(document, front=bare), quantities(str(page.parent)))


@cache
def sides_of(page: Path, number: int) -> Sides | None:
    """Return an equation as formulas; None if it does not hold, or cannot be rewritten."""
    found, relation = checker(page), checker(page).relations()[number]
    if not _is_fit(relation):
        return None
    try:
        _expect_scalars(found.symbols, relation)
        judgement = judge(found.symbols, relation)
        if not judgement.holds or judgement.proof != "exact" or judgement.readings:
            return None
        left, right = (formula(one, found.document.text) for one in (relation.left, relation.right))
    except (UnfitError, MeaningError):
        return None
    return left, right


def drawn(chance: random.Random) -> tuple[Path, Relation, Sides]:
    """Draw an equation that holds."""
    while True:
        page = chance.choice(pages())
        relations = checker(page).relations()
        number = chance.randrange(len(relations)) if relations else 0
        sides = sides_of(page, number) if relations else None
        if sides is not None:
            return page, relations[number], sides


def _is_fit(relation: Relation) -> bool:
    """Whether an equation is one, of a length that can be rewritten."""
    is_one = "=" not in relation.label and r"\pm" not in relation.latex
    return is_one and relation.relation == "=" and len(relation.latex) < LONGEST


def _expect_scalars(symbols: Symbols, relation: Relation) -> None:
    evaluator, names = Evaluator(symbols), dict[Span, str]()
    for node in walk(relation.left, relation.right):
        if isinstance(node, Name):
            is_one = names.setdefault(node.span, node.key) == node.key  # not that of a sum
            if not is_one or not evaluator.value(node).is_scalar:
                raise UnfitError(node.key)


def case(seed: int) -> Outcome:
    """Rewrite one equation of one page, and check it."""
    chance = random.Random(seed)
    page, relation, sides = drawn(chance)
    document = checker(page).document
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        sides = tuple(rewritten(side, chance) for side in sides)
    for _ in range(chance.choice((0, 0, 1, 2))):
        sides = chance.choice(OF_SIDES)(sides, chance)
    author = Author(chance, "t" if "t" in document.front.symbols else "")
    latex = author.display(sides)
    written = replace(document, text=f"{document.text[: document.start]}\n{latex}\n")
    verdicts = list(Checker(written, checker(page).quantities).verdicts())
    told = ", ".join(f"{one.status} {one.note or one.fault}" for one in verdicts)
    if [one.status for one in verdicts] == ["holds"]:
        return Outcome("holds")
    words = verdicts[0].status if len(verdicts) == 1 else f"{len(verdicts)} equations"
    detail = f"{page.parent.name}/{page.stem} {relation.label}:\n{latex}\n{told}"
    return Outcome(words, is_failure=True, detail=detail)


CAMPAIGN = Campaign("rewritings", 10_000, 60.0, case)
