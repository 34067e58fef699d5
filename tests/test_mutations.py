"""One small thing changed in an equation that holds: is it found, and is the right term named?

Every sixteenth change on the shortest page is tried; the campaign ``misprints`` draws from all.
"""

from __future__ import annotations

from functools import cache

import pytest

from freebody.checking.check import pages
from freebody.checking.quantities.derived import Quantities
from freebody.documents.latex.layout.displays import read_page
from freebody.documents.latex.relations import Relation
from mutants import CHAINS, DOCUMENTS, KINDS, Mutant, Mutations
from printed import Truth

STEP = 16
SHORT = ("duarte_one_link", "duarte_two_link", "watanabe_duarte")
PAGES = {
    document.name: (document, model)
    for document, model in pages(CHAINS)
    if document.name in DOCUMENTS
}


@cache
def mutations(name: str) -> Mutations:
    document, model = PAGES[name]
    return Mutations(document, Quantities(model))


@cache
def mutants(name: str) -> list[Mutant]:
    places = list(mutations(name).places())[::STEP]
    return [mutant for place in places for mutant in mutations(name).mutants(*place)]


def shown(found: list[Mutant]) -> list[str]:
    return [f"{m.label} {m.change}: {m.verdict.status} {sorted(m.found)}" for m in found]


@pytest.mark.few("duarte_one_link")
@pytest.mark.parametrize("name", PAGES)
def test_verdicts_on_the_pages_are_those_of_plain_numbers(name: str) -> None:
    document, _ = PAGES[name]
    truth = Truth(document)
    verdicts = {verdict.label: verdict for verdict in mutations(name).checker.verdicts()}
    checked = 0
    for display in read_page(document.text, mutations(name).declared, document.start):
        for relation in display.relations:
            status = verdicts[relation.label].status
            if isinstance(relation, Relation) and status != "not checked":
                assert truth.holds(relation) == (status == "holds"), relation.label
                checked += 1
    assert checked > 20


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PAGES)
def test_every_change_of_meaning_is_found(name: str) -> None:
    wrong = [mutant for mutant in mutants(name) if not mutant.is_decided_right]
    assert not wrong, shown(wrong)
    assert {mutant.kind for mutant in mutants(name)} == KINDS.keys()


@pytest.mark.exhaustive
@pytest.mark.few(SHORT[0])
@pytest.mark.parametrize("name", PAGES)
def test_the_changed_terms_are_named_or_a_repair_as_small(name: str) -> None:
    differing = [mutant for mutant in mutants(name) if mutant.is_true is False]
    others = [mutant for mutant in differing if not mutant.is_named]
    assert all(mutant.is_repaired for mutant in others), shown(others)
    assert len(others) <= len(differing) / 10, shown(others)
