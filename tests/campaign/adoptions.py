"""Bare pages adopted and graded: shipped equations with other letters, misprinted, or all wrong.

The declarations of a shipped page are taken off a stretch of it. What is guessed of its symbols
is compared with them, and what is graded as right with what is right by them.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from adopting import SURE_WRONG, UNKNOWN, Adopted
from campaign.outcome import Campaign, Outcome
from freebody.checking.guesses import Guesses, guess
from freebody.checking.judge import holds
from freebody.checking.meaning.symbols import Meaning, Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents import Document, read_bare, read_document
from freebody.documents.latex import Declared, Relation, read_page
from freebody.documents.latex.page.places import places
from freebody.documents.latex.tree import Name, walk
from freebody.errors import FreebodyError
from freebody.model import load, shipped
from misprints import drawn, printed

HEAVY = {"arm_3d", "gimbal_rotor", "leg_sagittal", "runner_four_mass", "standing_human"}
SHORTEST, LONGEST = 4, 14
"""Displays of a stretch of a page."""
KINDS = "kept", "renamed", "misprinted", "renamed and misprinted", "nonsense"
GROUPS = (
    (r"\theta", r"\phi", r"\psi", r"\alpha", r"\beta", r"\gamma", r"\varphi", "q"),
    ("l", "L", r"\ell", "r", "a", "b", "d"),
    ("m", "M"),
    ("I", "J"),
    ("F", "P", "R", "N", "S"),
    (r"\tau", "T", "Q", "u"),
    ("K", "T"),
    ("V", "U"),
)
"""Letters that stand for the same kinds of things."""
_VERBATIM = r"\\(?:tag|text\w*|math\w+|begin|end|label|operatorname)\{[^{}]*\}"
_TOKEN = re.compile(rf"{_VERBATIM}|_\{{[^{{}}]*\}}|_\w|\\[A-Za-z]+|\\.|[A-Za-z]|.", re.DOTALL)
_FIGURE = re.compile(r"(\d+) (sure|unsure|unknown)")


@dataclass(frozen=True)
class Case:
    """A page as it is drawn: its text, its model, and what its symbols stand for."""

    name: str
    kind: str
    model: str
    text: str
    symbols: Mapping[str, Meaning]
    document: Document


def case(seed: int) -> Outcome:
    """Draw a page, adopt it, and compare."""
    drawn_case = _drawn(random.Random(seed))
    if drawn_case is None:
        return Outcome("nothing to adopt")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.md"
        path.write_text(drawn_case.text, encoding="utf-8")
        bare = read_bare(path, drawn_case.model)
        quantities = Quantities(load(drawn_case.model))
        found = guess(bare, quantities)
    return _compared(drawn_case, bare, quantities, found)


# ---------------------------------------------------------------------- a page


@cache
def _documents() -> list[tuple[str, Path]]:
    """Return the shipped pages of one part, each with its model."""
    found = []
    for model, folder in shipped().items():
        for path in sorted(folder.glob("*.md")) if model not in HEAVY else ():
            document = read_document(path)
            if document.source is None and not document.front.sections:
                found.append((model, path))
    return found


def _drawn(chance: random.Random) -> Case | None:
    model, path = chance.choice(_documents())
    document, kind = read_document(path), chance.choice(KINDS)
    shown = [document.text[p.whole.start : p.whole.stop] for _, p in places(document.page)]
    count = min(chance.randint(SHORTEST, LONGEST), len(shown))
    start = chance.randrange(len(shown) - count + 1)
    stretch, symbols = shown[start : start + count], dict(document.front.symbols)
    if "renamed" in kind:
        letters = _letters(chance, symbols, "".join(stretch))
        renamed = [renamed(text, letters) for text in stretch]
        others = {renamed(key, letters): meaning for key, meaning in symbols.items()}
        if not _are_alike(stretch, symbols, renamed, others, letters):
            return None
        stretch, symbols = renamed, others
    if "misprinted" in kind:
        for number in chance.sample(range(count), chance.randint(1, 2)):
            stretch[number] = _misprinted(stretch[number], chance)
    if kind == "nonsense":
        stretch = list(_all_wrong(stretch, symbols, model, chance))
    text = "\n\n".join(stretch)
    return Case(f"{model}/{path.stem}", kind, model, text, symbols, document) if text else None


def _letters(chance: random.Random, symbols: Iterable[str], text: str) -> dict[str, str]:
    """Draw other letters for some, which stand for nothing else on the page."""
    used = {token for part in (*symbols, text) for token in _TOKEN.findall(part)}
    letters: dict[str, str] = {}
    for group in GROUPS:
        free = [letter for letter in group if letter not in used | {*letters.values()}]
        for letter in sorted(used & {*group} - letters.keys()):
            if free and chance.random() < 0.5:
                letters[letter] = free.pop(chance.randrange(len(free)))
    return letters


def renamed(text: str, letters: Mapping[str, str]) -> str:
    """Return LaTeX with other letters."""
    tokens = [letters.get(token, token) for token in _TOKEN.findall(text)]
    glued = zip(tokens, [*tokens[1:], ""], strict=True)
    return "".join(
        f"{one} " if re.fullmatch(r"\\[A-Za-z]+", one) and other[:1].isalpha() else one
        for one, other in glued
    )


def _are_alike(
    texts: list[str],
    symbols: Mapping[str, Meaning],
    renamed: list[str],
    others: Mapping[str, Meaning],
    letters: Mapping[str, str],
) -> bool:
    """Return whether a page with other letters says the same."""
    before = [[renamed(key, letters) for key in keys] for keys in _keys(texts, symbols)]
    return len(others) == len(symbols) and before == list(_keys(renamed, others))


def _keys(texts: list[str], symbols: Mapping[str, Meaning]) -> Iterator[list[str]]:
    for relation in _relations("\n\n".join(texts), symbols, lambda _: True):
        nodes = walk(relation.left, relation.right)
        yield [node.key for node in nodes if isinstance(node, Name)]


def _misprinted(text: str, chance: random.Random, count: int = 1) -> str:
    """Return a display with misprints, its label as it is."""
    whole = re.split(r"(\\tag\{.*?\}|\$\$|\s\(\w+\))", text)
    body = max(range(len(whole)), key=lambda number: len(whole[number]))
    whole[body] = printed(whole[body], drawn(whole[body], count, chance))
    return "".join(whole)


def _all_wrong(
    texts: list[str], symbols: Mapping[str, Meaning], model: str, chance: random.Random
) -> Iterator[str]:
    """Iterate over the displays of which every equation can be made wrong."""
    quantities = Quantities(load(model))
    for text in texts:
        wrong = _misprinted(text, chance, chance.randint(1, 3))
        if _right(wrong, symbols, quantities) == set() and _relations(wrong, symbols):
            yield wrong


# ---------------------------------------------------------------------- what is right


def _relations(
    text: str, symbols: Mapping[str, Meaning], varies: Callable[[str], bool] = bool
) -> list[Relation]:
    shown = read_page(text, Declared(symbols, varies))
    return [one for display in shown for one in display.relations if isinstance(one, Relation)]


def _right(text: str, symbols: Mapping[str, Meaning], quantities: Quantities) -> set[str]:
    """Return the labels of the equations that hold."""
    meant = Symbols(quantities, symbols)
    found = _relations(text, symbols, meant.varies)
    return {one.label for one in found if _holds(meant, one)}


def _holds(symbols: Symbols, relation: Relation) -> bool:
    try:
        with symbols.quantities.ring.budget.work():
            return any(holds(symbols, one) for one in (relation, *relation.others))
    except (FreebodyError, ZeroDivisionError):
        return False


# ---------------------------------------------------------------------- compared


def _compared(one: Case, bare: Document, quantities: Quantities, found: Guesses) -> Outcome:
    front = one.document.front.model_copy(update={"symbols": dict(one.symbols)})
    adopted = Adopted(replace(one.document, front=front), quantities)
    counts, wrong = Counter[str](), list[str]()
    right = _right(one.text, one.symbols, quantities)
    for symbol in found.symbols:
        counts[symbol.standing] += 1
        if adopted.truths(symbol.key) and adopted.outcome(symbol) == SURE_WRONG:
            wrong.append(f"{symbol.key} = {symbol.meaning} ({symbol.why})")
    graded = _right(one.text, {**found.named, **found.sure()}, quantities)
    wrong += [f"{label} is graded right" for label in sorted(graded - right)]
    shares = ", ".join(f"{counts[standing]} {standing}" for standing in ("sure", "unsure", UNKNOWN))
    detail = f"{one.name}: {shares}; {'; '.join(wrong)}\n{one.text}"
    words = f"{one.kind}: {'WRONG' if wrong else 'nothing wrong'}"
    return Outcome(words, is_failure=bool(wrong), detail=detail if wrong else f"{shares}")


def _figures(outcomes: Iterable[Outcome]) -> list[str]:
    by_kind: dict[str, Counter[str]] = {}
    for one in outcomes:
        counts = by_kind.setdefault(one.words.partition(":")[0], Counter())
        counts.update({standing: int(n) for n, standing in _FIGURE.findall(one.detail)[:3]})
    return [
        f"{kind}: {counts.total()} symbols, "
        + ", ".join(f"{counts[s] / counts.total():.0%} {s}" for s in ("sure", "unsure", UNKNOWN))
        for kind, counts in sorted(by_kind.items())
        if counts.total()
    ]


CAMPAIGN = Campaign("adoptions", 400, 300, case, _figures)
