"""Several wrong terms in equations that hold: are those named that are wrong, and no other?

The terms of an equation of a shipped document are put wrong one by one: the sign, a factor, sine
for cosine, another symbol, a term left out, a term too many. What a check then says of each printed
term is held against what was done to it. Another set of terms may be named only where a change of
these alone makes the equation hold, and of no more terms.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from campaign.outcome import Campaign, Outcome
from freebody.algebra.terms import TooLargeError
from freebody.checking.check import pages
from freebody.checking.explain import addends
from freebody.checking.findings import Edit, Span
from freebody.checking.grid import MeaningError
from freebody.checking.judge import holds, judge
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import EquationVerdict
from freebody.checking.verdicts import Checker
from freebody.documents.latex.layout.displays import read_page
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Add, Matrix
from freebody.reporting.words import marked_places
from misprints import Misprint, symbols, waves

MODELS = (
    *("acrobot", "cart_double_pendulum", "cart_pendulum", "double_pendulum", "elastic_pendulum"),
    *("furuta_pendulum", "hanging_double_pendulum", "leg_sagittal", "one_link", "pendulum"),
    *("runner_one_mass", "runner_two_mass", "standing_human", "three_link_arm", "two_link"),
    *("two_link_segment", "walker", "wheeled_pendulum"),
)
MOST_WRONG = 3
LONGEST = 400
"""Characters of an equation, which bounds how long its repairs are looked for."""


@dataclass(frozen=True)
class Planted:
    """A wrong term.

    Attributes
    ----------
    kind : str
        What was done.
    edit : Edit
        Where it was done on the page.
    span : tuple of int
        The whole term as it is printed then, in the changed equation; empty where it is left out.
    """

    kind: str
    edit: Edit
    span: Span = (0, 0)


def signs(text: str) -> Iterator[Misprint]:
    """Turn the sign in front of a term."""
    if text[0] in "+-":
        yield Misprint("sign", (0, 1), "-" if text[0] == "+" else "+")
    else:
        yield Misprint("sign", (0, 0), "-")


def factors(text: str) -> Iterator[Misprint]:
    """Put a number in front of a term."""
    start = 1 if text[0] in "+-" else 0
    for number in ("2 ", "3 ", r"\frac{1}{2} "):
        yield Misprint("factor", (start, start), f" {number}")


def missing(text: str) -> Iterator[Misprint]:
    """Leave a term out."""
    yield Misprint("missing", (0, len(text)), "0" if text[0] not in "+-" else "")


def extra(text: str) -> Iterator[Misprint]:
    """Print a term again behind it, in another form."""
    for other in (*waves(text), *powers(text)):
        first, last = other.span
        again = text[:first] + other.text + text[last:]
        sign = "" if again[0] in "+-" else "+"
        yield Misprint("extra", (len(text), len(text)), f" {sign} {again} ")


def powers(text: str) -> Iterator[Misprint]:
    """Square a name."""
    for match in re.finditer(r"(?<![\\A-Za-z_{])[a-zA-Z](?:_\{?\w\}?)?(?![A-Za-z_^}])", text):
        yield Misprint("power", (match.end(), match.end()), "^2")


KINDS: dict[str, Callable[[str], Iterator[Misprint]]] = {
    "sign": signs,
    "factor": factors,
    "missing": missing,
    "extra": extra,
    "wave": waves,
    "power": powers,
    "symbol": symbols,
}


@cache
def checkers(model: str) -> tuple[Checker, ...]:
    """Return what checks the documents of a model."""
    both = [(document, own) for document, own in pages([model]) if not document.headings]
    quantities = Quantities(both[0][1]) if both else None
    return tuple(Checker(document, quantities) for document, _ in both if quantities)


@cache
def sums(model: str) -> list[tuple[Checker, Relation]]:
    """Return the scalar equations of a model's documents that have terms to be put wrong."""
    return [
        (checker, relation)
        for checker in checkers(model)
        for relation in checker.relations()
        if _is_sum(relation) and checker.repairs.reread.is_faithful(relation)
    ]


def _is_sum(relation: Relation) -> bool:
    sides = relation.left, relation.right
    terms = [term for side in sides for term in addends(side)]
    plain = relation.relation == "=" and not any(isinstance(side, Matrix) for side in sides)
    is_sum = any(isinstance(side, Add) for side in sides)
    return plain and is_sum and len(terms) >= 3 and len(relation.latex) < LONGEST


@cache
def _holds(model: str, number: int) -> bool:
    checker, relation = sums(model)[number]
    try:
        return holds(checker.symbols, relation)
    except (MeaningError, TooLargeError):
        return False


def planted(checker: Checker, relation: Relation, chance: random.Random) -> list[Planted]:
    """Draw wrong terms, each at another place."""
    terms = [term for side in (relation.left, relation.right) for term in addends(side)]
    count = chance.randint(1, min(MOST_WRONG, (len(terms) - 1) // 2))
    found = []
    for term in sorted(chance.sample(terms, count), key=lambda one: one.span.start):
        kind = chance.choice(list(KINDS))
        text = checker.document.text[term.span.start : term.span.stop]
        options = list(KINDS[kind](text))
        if options:
            one = chance.choice(options)
            first, last = (term.span.start + place for place in one.span)
            edit = Edit((first, last), "", one.text, "term")
            found.append(Planted(kind, edit, (term.span.start, term.span.stop)))
    return found


def moved(wrong: list[Planted], relation: Relation, cut: int) -> list[Planted]:
    """Return wrong terms with their places in the changed equation, which is cut in front."""
    found, shift = [], -relation.span.start - cut
    for one in wrong:
        (first, last), text = one.edit.span, one.edit.proposed
        start, stop = one.span
        grown = len(text) - (last - first)
        span = (start + shift, stop + shift + grown)
        if one.kind == "extra":
            span = (stop + shift, stop + shift + grown)
        found.append(replace(one, span=span))
        shift += grown
    return found


def case(seed: int) -> Outcome:
    """Plant wrong terms in an equation and hold what is named against them."""
    chance = random.Random(seed)
    model = chance.choice(MODELS)
    number = chance.randrange(len(sums(model)))
    if not _holds(model, number):
        return Outcome("not tried: it does not hold as it is printed")
    checker, relation = sums(model)[number]
    wrong = planted(checker, relation, chance)
    text, changed = _read(checker, relation, wrong)
    if not wrong or changed is None:
        return Outcome("not tried: nothing to change, or not to be read")
    try:
        return _judged(
            checker, text, changed, moved(wrong, relation, text.index(changed.latex) - 2)
        )
    except MeaningError:
        return Outcome("not tried: it has no meaning")


def _read(
    checker: Checker, relation: Relation, wrong: list[Planted]
) -> tuple[str, Relation | None]:
    """Return a page with the changed equation alone, and that as it is read."""
    edits = [one.edit for one in wrong]
    again = checker.repairs.reread.changed(relation, edits)
    text = f"$${again.latex if again else ''}$$"
    read = (one for display in read_page(text, checker.declared) for one in display.relations)
    return text, next((one for one in read if isinstance(one, Relation)), None)


def _judged(checker: Checker, text: str, changed: Relation, wrong: list[Planted]) -> Outcome:
    judgement = judge(checker.symbols, changed, checker.repairs.on(text))
    if judgement.holds:
        return Outcome("holds: the change says the same")
    verdict = EquationVerdict(
        "", 0, changed.latex, "differs", "", judgement.differences, False, "", "",
        judgement.terms, judgement.repairs, judgement.search,
    )  # fmt: skip
    listed = {term.span for term in verdict.terms if term.verdict != "right"}
    shown = marked_places(verdict)
    detail = _detail(checker, changed, wrong, verdict)
    if not all(any(_meet(one, two) for two in listed) for one in shown):
        return Outcome("the table names a term that JSON has as right", True, detail)
    places = [one.span for one in wrong]
    missing = any(one.kind == "missing" for one in verdict.differences)
    accused = [one for one in (*listed, *shown) if not any(_meet(one, two) for two in places)]
    told = "a repair" if verdict.repairs else "no repair"
    if not accused:
        named = [p for p in wrong if p.kind != "missing"]
        all_named = all(any(_meet(p.span, one) for one in (*listed, *shown)) for p in named)
        return Outcome(f"{told}: " + ("all named" if all_named else "some named"))
    edits = verdict.repairs[0].edits if verdict.repairs else ()
    if len(edits or listed) + (missing and not edits) <= len(wrong):
        return Outcome(f"{told}: others, which would do as well")
    return Outcome(f"{told}: accused wrongly", True, detail)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _detail(
    checker: Checker, changed: Relation, wrong: list[Planted], verdict: EquationVerdict
) -> str:
    terms = [f"{t.verdict} {t.latex}" for t in verdict.terms if t.verdict != "right"]
    found = [f"{d.kind} {d.term}: {d.printed} -> {d.derived}" for d in verdict.differences]
    kinds = [f"{one.kind} {changed.latex[slice(*one.span)]}" for one in wrong]
    name = f"{checker.document.name} {changed.label}"
    repair = verdict.repairs[0].latex if verdict.repairs else verdict.search
    return f"{name}: {changed.latex}\n{kinds}\n{terms}\n{found}\n{repair}"


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    """Return how often exactly the wrong terms were named."""
    counts = Counter(one.words for one in outcomes if ":" in one.words)
    tried = sum(n for words, n in counts.items() if "repair:" in words)
    exact = sum(n for words, n in counts.items() if words.endswith(": all named"))
    return [f"of {tried} with wrong terms, {exact} named exactly"] if tried else []


CAMPAIGN = Campaign("accusations", 2_000, 60.0, case, figures)
