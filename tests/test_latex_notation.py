"""Notation of lecture notes, papers and notebooks: words, norms, points, parts and blocks."""

from __future__ import annotations

from typing import Any

import pytest

from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.page.page import Cell, Page
from freebody.documents.latex.tree import show

NAMES = [
    *("A", "B", "M", "a", "b", "c", "d", "e", "m", "n", "r", "t", "x", "y", "K", "P", "KP"),
    *(r"\theta", r"\alpha_1", "COG_v", "GRF", r"\mathrm{KE}", r"\vec{a}", r"\vec{b}"),
    *(r"\mathbf{r}", r"\mathbf{F}", r"\mathbf{B}", r"\mathbf{M}", r"\boldsymbol\gamma"),
    *(r"\vec{r}_1", r"\vec{r}_2", r"\overline{\mathbf{r}}", r"\overline{\mathbf{F}}"),
]
VARYING = {"x", "y", "r", "t", r"\theta", "COG_v", "GRF", r"\mathbf{r}"}
DECLARED = Declared(NAMES, varying=lambda key: key in VARYING)


def relations(latex: str) -> list[Relation | Unreadable]:
    (display,) = read_page(f"$${latex}$$", DECLARED)
    return list(display.relations)


def read(latex: str) -> Relation:
    (relation,) = relations(f"A = {latex}")
    assert isinstance(relation, Relation), relation
    return relation


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\dot{theta}", r"\theta'"),
        ("b theta", r"(b*\theta)"),
        ("alpha_1 + b", r"(+\alpha_1 +b)"),
        ("sin(theta)", r"sin(\theta)"),
        (r"\cos{theta}", r"cos(\theta)"),
        ("2 pi b", "(2*degrees(180)*b)"),
    ],
)
def test_a_greek_letter_is_read_without_its_backslash(latex: str, tree: str) -> None:
    relation = read(latex)
    assert show(relation.right) == tree
    assert any("is read as '\\" in told for told in relation.readings)


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("COG_v", "COG_v"),
        (r"\ddot{COG}_v", "COG_v''"),
        (r"\dot{\mathrm{COG}}_v", "COG_v'"),
        (r"m \text{GRF}", "(m*GRF)"),
        ("KE + GRF", r"(+\mathrm{KE} +GRF)"),
        ("K P", "(K*P)"),
    ],
)
def test_a_declared_word_is_one_name(latex: str, tree: str) -> None:
    assert show(read(latex).right) == tree


def test_a_word_of_declared_letters_may_be_their_product() -> None:
    relation = read("KP")
    assert show(relation.right) == "KP"
    assert [show(other.right) for other in relation.others] == ["(K*P)"]


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("det(M)", "det(M)"),
        ("trace(M)", "trace(M)"),
        ("b max(0, x)", "(b*max([0, x]))"),
        ("min(a, x)", "min([a, x])"),
        ("||r||", "norm(r)"),
        (r"||\mathbf{r}||^2", r"(norm(\mathbf{r})^2)"),
        ("|a||b|", "(abs(a)*abs(b))"),
        (r"\langle\mathbf r,\mathbf F\rangle", r"(\mathbf{r}*\mathbf{F})"),
        (r"\langle x, -b, 0\rangle", "[x; (-b); 0]"),
        ("[x]_+", "max([x, 0])"),
        (r"\left(b - x\right)_+^2", "(max([(+b -x), 0])^2)"),
        ("b(x)^+", "(b*max([x, 0]))"),
        (r"\langle x - b\rangle", "max([(+x -b), 0])"),
        ("max", "(m*a*x)"),
    ],
)
def test_functions_norms_and_parts(latex: str, tree: str) -> None:
    assert show(read(latex).right) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\mathbf r \times -\mathbf F", r"(\mathbf{r} x (-\mathbf{F}))"),
        (r"b \cdot -c d", "(b*(-c)*d)"),
        ("b/-c", "(b/(-c))"),
        (r"\mathbf{B^TM\gamma}", r"(\mathbf{B}^T*\mathbf{M}*\boldsymbol\gamma)"),
        (r"\vec{a + b}", r"(+\vec{a} +\vec{b})"),
        (r"\overline{\mathbf r - \mathbf F}", r"(+\overline{\mathbf{r}} -\overline{\mathbf{F}})"),
        (r"\vec{r_1 - r_2}", r"(+\vec{r}_1 -\vec{r}_2)"),
        (r"\dot{x + y}", "D1((+x +y))"),
        (r"\mathbf 0_{2\times 1}", "[0; 0]"),
        (r"0_{1\times 2}", "[0, 0]"),
        (r"\mathbf I_{2\times 2}", "[1, 0; 0, 1]"),
    ],
)
def test_signs_fonts_accents_and_blocks(latex: str, tree: str) -> None:
    assert show(read(latex).right) == tree


@pytest.mark.parametrize(
    "latex",
    [
        r"\left[\frac{\partial r}{\partial x}\right]_{x=0}",
        r"\left.\frac{\partial r}{\partial x}\right|_{x=0}",
        r"\frac{\partial r}{\partial x}\Big|_{x = 0}",
        r"\frac{\partial r}{\partial x}|_{(x=0)}",
    ],
)
def test_a_value_at_a_point_is_read(latex: str) -> None:
    assert show(read(latex).right) == "D(r, x)|{x=0}"
    both = latex.replace("x=0", "x=y=0").replace("x = 0", "x=0,y=0")
    assert show(read(both).right) == "D(r, x)|{x=0, y=0}"


@pytest.mark.parametrize(
    ("latex", "count"),
    [
        (r"A = b \succ 0", 1),
        (r"A = b \succeq 0, \quad B = c", 2),
        (r"A = b \in \mathbb{R}^3", 1),
        (r"A = b \in \mathbb{R}^{3\times 1}, \quad B = c", 2),
        (r"A = b \in \mathbb{R}, B = c", 2),
    ],
)
def test_what_an_equation_is_an_element_of_is_a_remark(latex: str, count: int) -> None:
    found = relations(latex)
    assert [type(one) for one in found] == [Relation] * count
    assert any(remark.startswith(("\\in", "\\succ")) for remark in found[0].remarks)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("a.b", "(a*b)"),
        (r"-a.\sin{\theta} -b.x", r"(-(a*sin(\theta)) -(b*x))"),
        (r"\vec{a}.\vec{b}", r"(\vec{a}*\vec{b})"),
        ("2.5 a", "(5/2*a)"),
        ("a b.", "(a*b)"),
        (r"\frac{a}{2!} + 3! b", "(+(a/2) +(6*b))"),
        (r"\large a + b", "(+a +b)"),
        (r"\left[\begin{array}{cc} & a \\ & \end{array}\right]", "[0, a; 0, 0]"),
    ],
)
def test_points_factorials_and_empty_cells_are_read(latex: str, tree: str) -> None:
    assert show(read(latex).right) == tree


def test_empty_cells_are_told() -> None:
    relation = read(r"\begin{bmatrix} & a \\ b & \end{bmatrix}")
    assert any("read as zero" in told for told in relation.readings)


def test_gaps_between_all_columns_are_none() -> None:
    assert show(read(r"\begin{pmatrix} a && c \\ c && b \end{pmatrix}").right) == "[a, c; c, b]"
    assert show(read(r"\begin{pmatrix} a & & \\ & b & c \end{pmatrix}").right) == (
        "[a, 0, 0; 0, b, c]"
    )


@pytest.mark.parametrize("mark", ["*", r"\star", "+", "-", r"\dagger"])
@pytest.mark.parametrize("base", ["x", "z", r"\theta", "z_e"])
def test_a_mark_above_is_part_of_a_name(base: str, mark: str) -> None:
    (relation,) = relations(f"A = 2 {base}^{{{mark}}} + a")
    assert isinstance(relation, Unreadable)
    (name,) = relation.symbols
    declared = Declared([*NAMES, name], varying=lambda _: False)
    (display,) = read_page(f"$$A = 2 {base}^{{{mark}}} + a$$", declared)
    assert show(display.relations[0].right) == f"(+(2*{name}) +a)"


@pytest.mark.parametrize(
    ("latex", "told"),
    [
        (r"A = \State + b", r"'\State' is not known"),
        ("= a + b", "nothing stands on the left"),
        ("A =", "nothing stands on the right"),
    ],
)
def test_what_lacks_is_told_by_name(latex: str, told: str) -> None:
    (relation,) = relations(latex)
    assert isinstance(relation, Unreadable)
    assert told in relation.message


def test_a_bar_may_stand_alone() -> None:
    assert show(read(r"\sin\theta\big\rvert_{\theta = 0}").right).endswith("|{\\theta=0}")


@pytest.mark.parametrize("language", ["markdown", "latex"])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [("$$", "$$"), (r"\[", r"\]"), (r"\begin{equation}", r"\end{equation}")],
)
def test_a_blank_line_ends_no_display(opening: str, closing: str, language: Any) -> None:
    text = f"{opening}\na + b\n\n- c = d\n{closing}\n\nThen\n\n$$A = b$$\n"
    first, second = read_page(Page(text, language=language), DECLARED)
    (relation,) = first.relations
    assert isinstance(relation, Relation)
    assert show(relation.left) == "(+a +b -c)"
    assert relation.readings == ("a blank line stands within the display",)
    assert show(second.relations[0].right) == "b"


def test_a_display_ends_behind_its_environment_and_not_at_a_blank_line_in_it() -> None:
    text = "$$\n\\begin{aligned}\na &= b \\\\\n\n\\end{aligned}\n$$\nand then\n$$\nc = d\n$$\n"
    first, second = read_page(Page(text), DECLARED)
    assert [len(one.relations) for one in (first, second)] == [1, 1]


@pytest.mark.parametrize(
    "text",
    [
        "$$\na = b\n\nand here is some text\n\n$$c = d$$\n",
        "$$\na = b\n\nand here is some text\n\n$$\n",
        "\\[\na = b\n\n\\[c = d\\]\n",
    ],
)
def test_a_display_that_is_not_closed_takes_no_prose_and_no_other(text: str) -> None:
    first, *_ = read_page(text, DECLARED)
    (relation,) = first.relations
    assert isinstance(relation, Unreadable)
    assert "without its closing" in relation.message


def test_a_display_ends_with_its_cell() -> None:
    text = "$$\na = b\n\n\n\nc = d\n$$"
    page = Page(text, cells=[Cell("cell 1", 0, 8), Cell("cell 2", 11, len(text))])
    first, *_ = read_page(page, DECLARED)
    assert isinstance(first.relations[0], Unreadable)


ROTATION = r"$$ A = \begin{bmatrix} c\theta & -s\theta \\ s\theta & c\theta \end{bmatrix} $$"


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"c\theta s\theta", r"(cos(\theta)*sin(\theta))"),
        (r"c^2\theta", r"(cos(\theta)^2)"),
        (r"b c\theta x", r"(b*cos(\theta)*x)"),
        (r"c x + b\theta", r"(+(c*x) +(b*\theta))"),
    ],
)
def test_letters_before_angles_are_sines_and_cosines(latex: str, tree: str) -> None:
    *_, display = read_page(f"{ROTATION}\n$$ A = {latex} $$", DECLARED)
    (relation,) = display.relations
    assert isinstance(relation, Relation), relation
    assert show(relation.right) == tree


def test_letters_before_angles_are_what_is_declared() -> None:
    page = Page(f"{ROTATION}\n$$ A = c\\theta $$", declared=[r"s\theta", r"c\theta"])
    declared = Declared([r"s\theta", r"c\theta", "A"], varying=set().__contains__)
    *_, display = read_page(page, declared)
    (relation,) = display.relations
    assert isinstance(relation, Relation), relation
    assert show(relation.right) == r"c\theta"


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\frac{term2 + b}{term1}", r"((+\mathrm{term}_2 +b)/\mathrm{term}_1)"),
        ("b heading", r"(b*\mathrm{heading})"),
        (r"m^{*2} b", "((m^*^2)*b)"),
        ("a b c d e", "(a*b*c*d*e)"),
        ("m g y1", None),
        ("mgy1", None),
        (r"a_{start}", "a_{start}"),
        (r"e cos\theta", r"(e*cos(\theta))"),
    ],
)
def test_words_of_programs_are_names(latex: str, tree: str | None) -> None:
    names = [
        *NAMES,
        r"\mathrm{term}_1",
        r"\mathrm{term}_2",
        r"\mathrm{heading}",
        "m^*",
        "a_{start}",
    ]
    declared = Declared(names, varying=lambda key: key in VARYING)
    (display,) = read_page(f"$$A = {latex}$$", declared)
    (relation,) = display.relations
    if tree is None:
        assert isinstance(relation, Unreadable)
    else:
        assert isinstance(relation, Relation), relation
        assert show(relation.right) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("a – b", "(+a -b)"),
        (r"\frac{a}{b (a + b).}", "(a/(b*(+a +b)))"),
        (r"\frac{\rm{d}b}{\rm{d}t}", "D1(b)"),
        (r"c(\theta) a - s(\theta) b", r"(+(cos(\theta)*a) -(sin(\theta)*b))"),
    ],
)
def test_what_is_typed_otherwise_reads_the_same(latex: str, tree: str) -> None:
    assert show(read(latex).right) == tree
