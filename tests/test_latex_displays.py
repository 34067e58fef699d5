"""Pages: displays, rows, labels, remarks and what is passed over."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.tree import Transpose, show

CONSTANTS = ["a", "b", "c", "d", "e", "x_i", "y_i"]
DECLARED = Declared(CONSTANTS, varying=frozenset[str]().__contains__)


def equations(page: str) -> list[str]:
    found = []
    for display in read_page(page, DECLARED):
        for relation in display.relations:
            assert isinstance(relation, Relation), relation
            sides = f"{show(relation.left)} {relation.relation} {show(relation.right)}"
            found.append(f"{relation.label} {sides}")
    return found


@pytest.mark.parametrize(
    "page",
    [
        "$$a = b$$",
        r"\[a = b\]",
        r"\begin{equation}a = b\end{equation}",
        r"\begin{align*}a &= b\end{align*}",
        r"\begin{eqnarray} a &=& b \end{eqnarray}",
        r"$$\begin{array}{l l}a&=&b\end{array}$$",
        r"$$\left\{ \begin{array}{l} a \quad=\quad b, \\ \\ \end{array} \right. \label{}$$",
        r"$$\begin{split} a = \\ = b \end{split}$$",
        "$$a = b % and so on\n$$",
        "$$a = b.$$",
    ],
)
def test_displays(page: str) -> None:
    assert equations(f"words $c = d$ {page} more") == ["(#1) a = b"]


@pytest.mark.parametrize(
    "page",
    [
        "```\n$$a = b$$\n```",
        "~~~ latex\n$$a = b$$",
        "`$$a = b$$`",
        "<!-- $$a = b$$ -->",
        "\\begin{verbatim}\n$$a = b$$\n\\end{verbatim}",
        "$a = b$",
        r"\$$a = b",
    ],
)
def test_code_and_prose_are_passed_over(page: str) -> None:
    assert equations(page) == []


@pytest.mark.parametrize(
    ("page", "labels"),
    [
        (r"$$a = b \tag{31}$$", ["(31)"]),
        (r"$$a = b \tag 3$$", ["(3)"]),
        (r"$$a = b \tag*{(A.3)}$$", ["(A.3)"]),
        (r"\begin{equation}a = b\label{eq:euler}\end{equation}", ["(eq:euler)"]),
        (r"\begin{equation}a = b\label{eq:euler}\tag{7}\end{equation}", ["(7)"]),
        ("$$a = b$$ (24a)\n", ["(24a)"]),
        ("$$a = b$$\n (12)", ["(12)"]),
        ("$$a = b$$\n (-)\n$$a = c$$", ["(#1)", "(#2)"]),
        ("$$a = b$$ (see 3)", ["(#1)"]),
        ("$$a = b$$\n\n(3)", ["(#1)"]),
        (r"$$a = b = c \tag{2}$$", ["(2.1)", "(2.2)"]),
        (r"\begin{align}a &= b \tag{1} \\ c &= d \tag{2}\end{align}", ["(1)", "(2)"]),
        (r"\begin{gather}a=b \tag{1} \\ c=d=e \tag{2}\end{gather}", ["(1)", "(2.1)", "(2.2)"]),
        (r"\begin{align}a &= b \\ c &= d \tag{2}\end{align}", ["(2.1)", "(2.2)"]),
        (r"$$x_i = y_i, \quad i = 1...3 \tag{2}$$", ["(2, i=1)", "(2, i=2)", "(2, i=3)"]),
        ("$$x_i = y_i$$\n $i = 1...2$  (2)", ["(2, i=1)", "(2, i=2)"]),
        (r"$$x_i = y_i = a \quad i=1,\dots,2 \tag{A}$$",
         ["(A.1, i=1)", "(A.1, i=2)", "(A.2, i=1)", "(A.2, i=2)"]),
    ],
)  # fmt: skip
def test_labels(page: str, labels: list[str]) -> None:
    found = [r.label for display in read_page(page, DECLARED) for r in display.relations]
    assert found == labels


@pytest.mark.parametrize(
    ("latex", "trees"),
    [
        (r"a = b \\ - c \\ + d", ["a = (+b -c +d)"]),
        (r"a = b - \\ - c", ["a = (+b -c)"]),
        (r"a \\ = b + \\ c", ["a = (+b +c)"]),
        (r"a = b \\ c = d", ["a = b", "c = d"]),
        (r"a = b \qquad c = d", ["a = b", "c = d"]),
        (r"a = b, \; c = d", ["a = b", "c = d"]),
        (r"a = b \Rightarrow c = d", ["a = b", "c = d"]),
        (r"a = b \xrightarrow[t]{\mathscr L} c = d", ["a = b", "c = d"]),
        (r"a = b \text{ and } c = d", ["a = b", "c = d"]),
        (r"a & = b & c & = d", ["a = b", "c = d"]),
        (r"a = b \quad + c", ["a = (+b +c)"]),
        (r"a = b \quad c", ["a = (b*c)"]),
        (r"a = \begin{aligned} b \\ + c \end{aligned}", ["a = (+b +c)"]),
        (r"a & + b \\ & = c \\ d & + e \\ & = a", ["(+a +b) = c", "(+d +e) = a"]),
        (r"a & = b \\ c \\ & = d", ["a = (b*c)", "(b*c) = d"]),
        (r"a < b", ["a < b"]),
        (r"a = b \qquad (3)", ["a = b"]),
        (r"a = b, .", ["a = b"]),
        (r"a = b c (d > 0)", ["a = (b*c)"]),
        (r"a = b \\ c = d (e \neq 0)", ["a = b", "c = d"]),
        (r"x_{i} = y_i, \; i = 2, 3", ["x_i[2] = y_i[2]", "x_i[3] = y_i[3]"]),
    ],
)
def test_layout(latex: str, trees: list[str]) -> None:
    assert [text.partition(") ")[2] for text in equations(f"$${latex}$$")] == trees


def test_a_row_may_end_with_one_backslash_of_two() -> None:
    rows = "$$\\begin{aligned} a &= b\\\nc &= d \\  \ne &= a\\ b\\\n\\end{aligned}$$"
    assert [one.split(" ", 1)[1] for one in equations(rows)] == ["a = b", "c = d", "e = (a*b)"]


def test_a_colon_may_lead_to_the_next_equation() -> None:
    found = equations(r"$$c = a b:\quad c + d = a b \tag{2}$$")
    assert found == ["(2.1) c = (a*b)", "(2.2) (+c +d) = (a*b)"]


def test_remarks_are_kept_apart() -> None:
    page = r"$$a = b, \quad \begin{bmatrix} c \\ d \end{bmatrix} \\ c = d \quad \text{for all } e$$"
    (display,) = read_page(page, DECLARED)
    remarks = [r.remarks for r in display.relations if isinstance(r, Relation)]
    assert remarks == [(r"\begin{bmatrix} c \\ d \end{bmatrix}",), (r"\text{for all } e",)]


def test_places_are_those_of_the_whole_text() -> None:
    page = "+++\n$$\n+++\n\nLet\n$$\n  a = b,\\\\\n  c = z\n$$\n"
    (display,) = read_page(page, DECLARED, start=page.index("\n\n"))
    read, unread = display.relations
    assert isinstance(read, Relation)
    assert (display.line, display.column) == (6, 1)
    assert (read.line, read.column, read.latex) == (7, 3, "a = b")
    assert page[read.span.start : read.span.stop] == "a = b"
    assert isinstance(unread, Unreadable)
    assert (unread.line, unread.column, unread.symbols) == (8, 7, ("z",))
    assert unread.caret == "  c = z\n      ^"


def test_a_long_line_is_cut_around_the_caret() -> None:
    page = "$$a = " + "b + " * 100 + "z" + " + b" * 100 + "$$"
    (display,) = read_page(page, DECLARED)
    (found,) = display.relations
    assert isinstance(found, Unreadable)
    shown, caret = found.caret.splitlines()
    assert len(shown) < 80
    assert shown[caret.index("^")] == "z"


def test_one_unreadable_relation_does_not_stop_the_rest() -> None:
    page = "$$a = (b$$\n\n$$a = b\n\n$$c = z, \\quad c = d$$"
    found = [r for display in read_page(page, DECLARED) for r in display.relations]
    told = [r.message for r in found if isinstance(r, Unreadable)]
    assert told[0] == "'(' is never closed"
    assert "without its closing '$$'" in told[1]
    assert "'z' is not declared" in told[2]
    assert isinstance(found[-1], Relation)


def test_too_many_values_of_free_indices_are_told() -> None:
    page = r"$$x_i = y_j, \; i = 1...50, \; j = 1...50$$"
    (found,) = read_page(page, DECLARED)[0].relations
    assert isinstance(found, Unreadable)
    assert "more than 100" in found.message


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "page", ["$$ " * 20000, r"\[ " * 20000, "\\[\n\n" * 9000, "$$a=b$$\n" * 1000, "`" * 20000]
)
def test_pages_take_time_in_proportion(page: str) -> None:
    start = time.perf_counter()
    read_page(page, DECLARED)
    assert time.perf_counter() - start < 5


PIECES = [
    *"abxq=+-*/^_'(){}[]|&,;.%$ 12\n\x00é\\",
    *("$$", r"\\", r"\ ", r"\left(", r"\right)", r"\{", r"\}", r"\left.", r"\right|", r"\partial"),
    *(
        r"\begin{array}{l}",
        r"\end{array}",
        r"\frac",
        r"\dot",
        r"\sin",
        r"\quad",
        r"\sqrt",
        r"\cdots",
    ),
    *(r"\tag{1}", r"\underbrace", r"\mathrm", r"\text{ or }", r"\text{or}"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_page_is_read_or_told(latex: str) -> None:
    for display in read_page(f"$$a = {latex}$$", DECLARED):
        for relation in display.relations:
            assert isinstance(relation, Relation | Unreadable)


def test_a_bracket_too_many_behind_an_equation_is_passed_over() -> None:
    (display,) = read_page("$$ a = b (c + d)) $$", DECLARED)
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    assert show(relation.right) == "(b*(+c +d))"
    assert any("closes nothing" in one for one in relation.readings)
    assert [one.reason for one in display.passed] == ["beside an equation"]


def test_of_a_display_with_mismatched_brackets_the_other_rows_are_read() -> None:
    page = r"""
\begin{align}
a &= b \\
c &= d) + e \\
d &= \frac{e}{a}
\end{align}
"""
    (display,) = read_page(page, DECLARED)
    kinds = [type(one) for one in display.relations]
    assert kinds == [Relation, Unreadable, Relation]
    assert [one.label for one in display.relations] == ["(#1.1)", "(#1.2)", "(#1.3)"]
    assert display.relations[1].latex == "c &= d) + e"


def test_a_bracket_that_closes_nothing_within_an_equation_is_told() -> None:
    (display,) = read_page("$$ a = b) + c $$", DECLARED)
    (relation,) = display.relations
    assert isinstance(relation, Unreadable)
    assert relation.message == "')' closes nothing"


def test_equations_stand_apart_by_many_thin_spaces() -> None:
    assert equations(r"$$ a = b \, \, \, \, c = d $$") == ["(#1.1) a = b", "(#1.2) c = d"]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"a = b \ (1)", "(1) a = b"),
        (r"a = b \cdots \cdots (2)", "(2) a = b"),
        (r"a = b\,(2c)", "(#1) a = (b*(2*c))"),
        (r"a = b (3)", "(#1) a = (b*3)"),
        (r"a = 2 \ (3)", "(#1) a = (2*3)"),
    ],
)
def test_a_number_that_stands_apart_is_that_of_the_equation(latex: str, expected: str) -> None:
    assert equations(f"$$ {latex} $$") == [expected]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"a \implies b = c", ["(#1) b = c"]),
        (r"\frac{d}{dt} \implies b = c", ["(#1) b = c"]),
        (r"a = b \Rightarrow c = d = e", ["(#1.1) a = b", "(#1.2) c = d", "(#1.3) d = e"]),
    ],
)
def test_an_arrow_of_logic_is_no_part_of_an_equation(latex: str, expected: list[str]) -> None:
    assert equations(f"$$ {latex} $$") == expected


@pytest.mark.parametrize("rows", ["align", "aligned", "gathered"])
def test_a_rule_may_close_the_bracket_of_a_system(rows: str) -> None:
    system = rf"\left\{{ \begin{{{rows}}} a = b \\ c = d \end{{{rows}}} \right|"
    assert equations(f"$$ {system} $$") == ["(#1.1) a = b", "(#1.2) c = d"]


def test_letters_that_are_enumerated_are_no_equation() -> None:
    names = Declared(["q_i", r"\theta", "x", "a", "b"], varying=frozenset[str]().__contains__)
    assert read_page(r"$$ q_i = \theta, \; x $$", names)[0].relations == ()
    assert len(read_page(r"$$ q_i = a, \quad x = b $$", names)[0].relations) == 2


def test_a_small_t_above_a_matrix_transposes_it() -> None:
    names = Declared(["A", "t"], varying=frozenset[str]().__contains__)
    (relation,) = read_page(r"$$ A = \begin{bmatrix} 0 & 1 \end{bmatrix}^t $$", names)[0].relations
    assert isinstance(relation, Relation)
    assert isinstance(relation.right, Transpose)


def test_a_bracket_too_many_in_the_rest_of_a_sum_is_told() -> None:
    shown = read_page(r"$$ x_1 = d_1 $$ $$ - d_1 \right] $$", DECLARED)
    assert any(isinstance(one, Unreadable) for each in shown for one in each.relations)
