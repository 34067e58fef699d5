"""The transcribed documents: every printed equation is read, under its printed label."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from freebody.documents import Document, read_document
from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.relations import Display
from freebody.documents.latex.tree import show
from freebody.locating import shipped

EXPECTED = {
    ("one_link", "duarte_one_link"): (26, 32),
    ("two_link", "duarte_two_link"): (25, 38),
    ("double_pendulum", "watanabe_duarte"): (14, 22),
    ("three_link_arm", "cesari_2001"): (48, 55),
}


def document(model: str, name: str) -> Document:
    return read_document(Path(shipped()[model]) / f"{name}.md")


def read(page: Document, *, garbled: bool) -> list[Display]:
    symbols = [e.symbol for e in page.front.errata if e.symbol and e.reads and garbled]
    keys = [*page.front.symbols, *symbols]
    declared = Declared(keys, varying=frozenset(keys).__contains__)
    return read_page(page.text, declared, page.start)


@pytest.mark.parametrize(("model", "name"), EXPECTED)
def test_all_equations_are_read(model: str, name: str) -> None:
    page = document(model, name)
    displays = read(page, garbled=True)
    relations = [relation for display in displays for relation in display.relations]
    assert (len(displays), len(relations)) == EXPECTED[model, name]
    unread = [r.label for r in relations if isinstance(r, Unreadable)]
    assert [label for label in unread if page.reason_unchecked(label) is None] == []


@pytest.mark.parametrize(("model", "name"), EXPECTED)
def test_labels_are_unique_and_none_is_made_up(model: str, name: str) -> None:
    displays = read(document(model, name), garbled=True)
    labels = [relation.label for display in displays for relation in display.relations]
    assert len(set(labels)) == len(labels)
    assert not [label for label in labels if "#" in label]


def test_garbled_symbols_are_told_where_they_are_not_declared() -> None:
    displays = read(document("three_link_arm", "cesari_2001"), garbled=False)
    relations = [relation for display in displays for relation in display.relations]
    unread = {r.label: r.symbols for r in relations if isinstance(r, Unreadable)}
    assert unread == {
        "(17)": ("F_{s}", "d_{s}"),
        "(18)": ("F_{r2}", "F_{r3}"),
        "(19)": ("F_{v2}", "F_{v3}"),
        "(22)": ("F_{v1}", "F_{v2}"),
        "(24)": ("T_{evt}",),
    }


def test_the_hardest_equations_are_read_right() -> None:
    displays = read(document("three_link_arm", "cesari_2001"), garbled=True)
    found = {r.label: r for d in displays for r in d.relations if isinstance(r, Relation)}
    assert show(found["(2, i=3)"].left) == "[x_3'', y_3'']^T"
    assert show(found["(33)"].left) == r"M(\alpha)_{i,j}[3, 1]"
    assert show(found["(6)"].right) == (
        r"(d_1*(+(\alpha_1''*cos(\alpha_1)) -((\alpha_1'^2)*sin(\alpha_1))))"
    )


def test_a_document_is_read_in_well_under_a_second() -> None:
    page = document("three_link_arm", "cesari_2001")
    start = time.perf_counter()
    read(page, garbled=True)
    assert time.perf_counter() - start < 1
