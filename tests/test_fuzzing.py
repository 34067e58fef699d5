"""Pages that are cut, doubled, spliced and salted: they are read, or it is told what is wrong."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freebody.documents import read_document
from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.grammar.equations import read_fragment
from freebody.documents.latex.tokens.tokens import LatexError
from freebody.documents.latex.tree import show
from freebody.locating import shipped

SHIPPED = {
    "three_link_arm": "cesari_2001",
    "double_pendulum": "watanabe_duarte",
    "two_link": "duarte_two_link",
}
TOKENS = [
    *"abxqTtij0129=+-*/^_'(){}[]|&,;.$ \n\x00é",
    *("$$", r"\\", r"\left(", r"\right)", r"\left.", r"\right|", r"\{", r"\quad", r"\pm", r"\|"),
    *(r"\frac", r"\dot", r"\sin", r"\sqrt", r"\partial", r"\mathrm", r"\bf", r"\over", r"\not"),
    *(r"\sum_{i=1}^{3}", r"\prod_{j=1}^{2}", r"\det", r"\max", "e^{x}", "d/dt", r"\frac{d}{dt}"),
    *(r"\begin{cases}", r"\end{cases}", r"\text{ if }", r"\overset{.}", r"\eqno", r"\tag{1}"),
    *("{}^{N}", "^{99}", "i=1,2,3", r"\in\{1,2\}", r"\dv[2]", r"\color{red}", r"\SI{1}", "{,}"),
]
CHANGES = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 30),
        st.sampled_from(["cut", "double", "splice", "salt"]),
        st.floats(0, 1),
        st.sampled_from(TOKENS),
    ),
    max_size=5,
)
SECONDS = 5  # for pages that take some hundredths of one


@cache
def source(model: str) -> tuple[list[str], Declared]:
    document = read_document(Path(shipped()[model]) / f"{SHIPPED[model]}.md")
    symbols = document.front.symbols
    declared = Declared(symbols, varying=lambda key: "alpha" in key or key == "t")
    shown = read_page(document.text, declared, document.start)
    return [display.latex for display in shown], declared


def examine(page: str, declared: Declared) -> None:
    start = time.process_time()
    for display in read_page(page, declared):
        for entry in display.relations:
            assert isinstance(entry, Relation | Unreadable)
            if isinstance(entry, Unreadable):
                assert entry.message
                assert entry.line >= 1
                assert entry.column >= 1
                shown, caret = entry.caret.split("\n")
                assert caret.strip() == "^"
                assert len(caret) <= len(shown) + 1
            else:
                assert show(entry.left)
                assert len(entry.others) <= 8
                assert bool(entry.others) <= bool(entry.readings)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("model", SHIPPED)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_broken_pages_are_read_or_told(model: str, data: st.DataObject) -> None:
    shown, declared = source(model)
    chosen = data.draw(st.lists(st.sampled_from(shown), min_size=1, max_size=3))
    page = "\n\n".join(chosen)
    for where, length, kind, other, token in data.draw(CHANGES):
        first = round(where * len(page))
        last = min(first + length, len(page))
        from_other = round(other * len(page))
        placed = {
            "cut": "",
            "double": page[first:last] * 2,
            "splice": page[from_other : from_other + length],
            "salt": token + page[first:last],
        }[kind]
        page = page[:first] + placed + page[last:]
    examine(page, declared)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join))
def test_any_tokens_are_read_or_told(latex: str) -> None:
    _, declared = source("two_link")
    examine(f"$$x = {latex}$$", declared)


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_told(content: bytes) -> None:
    _, declared = source("two_link")
    text = content.decode("latin-1")
    examine(f"$${text}$$", declared)
    with suppress(LatexError):
        read_fragment(text, 0, len(text), declared)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "piece",
    [
        r"\sin a b^{",
        r"a/b^{a/b^{",
        r"a/2b(",
        r"\sum_{i=1}^{3}(",
        r"\sin 2(",
        r"\mathbf{ab",
        r"\max(a, ",
        "|a(",
        r"\rm a",
        "^{a}",
        r"{}^{a}",
        r"\sum ",
        r"V(\theta)",
        r"a \over b",
        "a_{i+",
        "1{,}",
        r"a\,\text{m}",
        r"d/dt(",
        r"\partial_q ",
        r"\pm",
        r"\overset{.}{",
        r"\sqrt[",
    ],
)
def test_nothing_takes_long(piece: str) -> None:
    declared = Declared(["a", "b", "V", r"\theta", "q"], varying=lambda key: key != "a")
    for count in (30, 58, 400, 4000 // len(piece)):
        closing = re.sub(r"[^{(\[]", "", piece).translate(str.maketrans("{([", "})]"))[::-1]
        start = time.process_time()
        read_page(f"$$a = {piece * count}b{closing * count}$$", declared)
        assert time.process_time() - start < SECONDS, (piece, count)


@pytest.mark.exhaustive
def test_a_page_of_a_megabyte_is_read_in_proportion() -> None:
    shown, declared = source("two_link")
    text = "\n\n".join(shown)
    start = time.process_time()
    read_page(text, declared)
    once = time.process_time() - start
    times = 1_000_000 // len(text)
    start = time.process_time()
    read_page("\n\nSome prose.\n\n".join([text] * (times // 8)), declared)
    assert time.process_time() - start < max(once, 0.02) * times
