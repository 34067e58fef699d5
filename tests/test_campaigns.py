"""What campaigns draw: rewritings mean the same, and broken input is told in a sentence."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from types import ModuleType

import pytest

from campaign import adoptions, derivations, fuzz, mechanisms, misprints, notes, rewritings
from campaign.exerted import exerted
from campaign.formulas import (
    CHANGES,
    OF_SIDES,
    Atom,
    Formula,
    Num,
    Pow,
    Prod,
    Quot,
    Sides,
    Sum,
    Wave,
    rewritten,
)
from campaign.writing import LAYOUTS, Author
from freebody.documents.latex import Declared, Relation, read_page, tree

NAMES = ("a", "b", "c", "x", "y")


def drawn(chance: random.Random, depth: int = 3) -> Formula:
    kind = chance.randrange(8) if depth else 8 + chance.randrange(2)
    few = [drawn(chance, depth - 1) for _ in range(chance.choice((2, 3)))] if depth else []
    return {
        0: lambda: Sum(tuple((chance.choice((1, -1)), one) for one in few)),
        1: lambda: Prod(tuple(few)),
        2: lambda: Quot(few[0], Num(Fraction(2))),
        3: lambda: Pow(few[0], 2),
        4: lambda: Wave(chance.choice(("sin", "cos")), few[0]),
        5: lambda: Prod((Wave("sin", few[0]), Wave("cos", few[1]))),
        6: lambda: Sum(((1, Prod((few[0], few[1]))), (-1, Prod((few[-1], few[0]))))),
        7: lambda: Wave("cos", Sum(((1, few[0]), (-1, few[1])))),
        8: lambda: Atom(chance.choice(NAMES)),
        9: lambda: Num(Fraction(chance.choice((1, 2, 3)), chance.choice((1, 2)))),
    }[kind]()


def value(of: Formula, at: dict[str, float]) -> float:
    match of:
        case Num(value=number):
            return float(number)
        case Atom(latex=latex):
            return at[latex]
        case Sum(terms=terms):
            return math.fsum(sign * value(term, at) for sign, term in terms)
        case Prod(factors=factors):
            return math.prod(value(factor, at) for factor in factors)
        case Quot(over=over, under=under):
            return value(over, at) / value(under, at)
        case Pow(base=base, exponent=exponent):
            return value(base, at) ** exponent
        case Wave(name=name, of=angle):
            return float(getattr(math, name)(value(angle, at)))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_rewriting_means_the_same(change: object) -> None:
    tried = 0
    for seed in range(400):
        chance = random.Random(seed)  # noqa: S311
        at = {name: chance.uniform(0.2, 0.9) for name in NAMES}
        before = drawn(chance)
        after = change(before, chance)  # type: ignore[operator]
        if after is not None:
            tried += 1
            assert value(after, at) == pytest.approx(value(before, at), rel=1e-9, abs=1e-9)
    assert tried > 5


@pytest.mark.parametrize("change", OF_SIDES, ids=lambda change: change.__name__)
def test_what_is_done_to_both_sides_keeps_an_equation(change: object) -> None:
    for seed in range(100):
        chance = random.Random(seed)  # noqa: S311
        at = {name: chance.uniform(0.2, 0.9) for name in NAMES}
        side = drawn(chance)
        sides: Sides = (side, rewritten(side, chance))
        left, right = change(sides, chance)  # type: ignore[operator]
        assert value(left, at) == pytest.approx(value(right, at), rel=1e-9, abs=1e-9)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("layout", sorted(set(LAYOUTS)))
def test_what_is_written_is_read_as_it_was_meant(
    layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaign.writing.LAYOUTS", (layout,))
    declared = Declared(NAMES, varying=lambda key: key in "xy")
    for seed in range(60):
        chance = random.Random(seed)  # noqa: S311
        at = {name: chance.uniform(0.2, 0.9) for name in NAMES}
        sides = drawn(chance, 2), drawn(chance, 2)
        (shown,) = read_page(Author(chance).display(sides), declared)
        (relation,) = shown.relations
        assert isinstance(relation, Relation), (shown.latex, relation)
        found = [meant(side, at) for side in (relation.left, relation.right)]
        assert found == pytest.approx([value(side, at) for side in sides]), shown.latex


def meant(node: tree.Node, at: dict[str, float]) -> float:
    """Return what is read is worth."""
    match node:
        case tree.Number(value=number):
            return float(number)
        case tree.Name(key=key):
            return at[key]
        case tree.Add(terms=terms):
            return math.fsum(term.sign * meant(term.node, at) for term in terms)
        case tree.Multiply(factors=factors):
            return math.prod(meant(factor, at) for factor in factors)
        case tree.Times(left=left, right=right):
            return meant(left, at) * meant(right, at)
        case tree.Divide(numerator=over, denominator=under):
            return meant(over, at) / meant(under, at)
        case tree.Power(base=base, exponent=exponent):
            return float(meant(base, at) ** meant(exponent, at))
        case tree.Call(function=function, argument=argument):
            return float(getattr(math, function)(meant(argument, at)))
    raise AssertionError(node)


@pytest.mark.one_in(3)
@pytest.mark.few(*range(8))
@pytest.mark.parametrize("seed", range(24))
def test_broken_input_is_told_in_a_sentence(seed: int) -> None:
    outcome = fuzz.case(seed)
    assert not outcome.is_failure, outcome.detail


@pytest.mark.few(7)
@pytest.mark.parametrize("seed", [2, 7, 9])
def test_a_drawn_mechanism_moves_as_others_say(seed: int) -> None:
    outcome = mechanisms.case(seed)
    assert not outcome.is_failure, outcome.detail


def test_wrong_forces_of_loads_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanisms, "exerted", lambda moving: 1.001 * exerted(moving))
    assert any(mechanisms.case(seed).is_failure for seed in (2, 7, 9))


@pytest.mark.parametrize("campaign", [adoptions, misprints, rewritings])
def test_a_case_of_a_campaign_of_pages_passes(campaign: ModuleType) -> None:
    assert not campaign.CAMPAIGN.case(1).is_failure


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", [2, 4, 11, 13])
def test_a_derivation_written_out_contradicts_itself_only_where_it_is_misprinted(seed: int) -> None:
    outcome = derivations.case(seed)
    assert not outcome.is_failure, outcome.detail
    assert outcome.words != "no page"


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", [2, 4, 6, 8])
def test_true_statements_of_notes_contradict_nothing(seed: int) -> None:
    assert notes.case(seed).words == notes.CLEAN


def test_a_misprint_in_notes_is_told() -> None:
    assert notes.case(55).words == notes.TOLD
