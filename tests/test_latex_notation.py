"""Notation of lecture notes, papers and notebooks: words, norms, points, parts and blocks."""

from __future__ import annotations

import pytest

from freebody.documents.latex import Declared, Relation, Unreadable, read_page
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
        (r"A = b \in \mathbb{R}^3", 1),
        (r"A = b \in \mathbb{R}^{3\times 1}, \quad B = c", 2),
        (r"A = b \in \mathbb{R}, B = c", 2),
    ],
)
def test_what_an_equation_is_an_element_of_is_a_remark(latex: str, count: int) -> None:
    found = relations(latex)
    assert [type(one) for one in found] == [Relation] * count
    assert any("mathbb" in remark for remark in found[0].remarks)  # type: ignore[union-attr]
