"""What authors of mechanics write, and what it is read as."""

from __future__ import annotations

import pytest

from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.grammar.equations import read_fragment
from freebody.documents.latex.relations import Display
from freebody.documents.latex.tokens.tokens import LatexError
from freebody.documents.latex.tree import show

VARYING = [
    *("x", "y", "q", "V", "L", "t", "x_i", "q_i", "T_i", r"\theta", r"\theta_i", r"\phi"),
    *(r"\vec{r}", r"\mathbf{q}"),
]
CONSTANTS = [
    *("a", "b", "c", "d", "g", "k", "l", "m", "n", "m_i", "l_i", "A", "M_{i,j}", r"\gamma"),
    *(r"\mathbf{M}", r"\boldsymbol{p}", r"{}^N\boldsymbol\omega^A", r"^{0}R_{1}", r"s\theta"),
    *(r"\mathrm{c}\theta_1", "L_{,q}", r"\vec{e}_{r}", r"\hat{\mathbf{i}}", r"c_{1+2}", "N_{ij}"),
]
DECLARED = Declared([*CONSTANTS, *VARYING], varying=frozenset(VARYING).__contains__)


def page(latex: str) -> list[Relation]:
    found = [r for shown in read_page(f"$${latex}$$", DECLARED) for r in shown.relations]
    assert all(isinstance(relation, Relation) for relation in found), found
    return [relation for relation in found if isinstance(relation, Relation)]


def only(latex: str) -> Relation:
    (relation,) = page(f"a = {latex}")
    return relation


def reading(latex: str) -> str:
    return show(only(latex).right)


def sides(latex: str) -> list[str]:
    return [f"{show(one.left)} {one.relation} {show(one.right)}" for one in page(latex)]


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\sum_{i=1}^{3} m_i \dot x_i^2",
         "(+(m_i[1]*(x_i[1]'^2)) +(m_i[2]*(x_i[2]'^2)) +(m_i[3]*(x_i[3]'^2)))"),
        (r"\frac12\sum\limits_{i=1}^2 m_i (l_i + b) - c",
         "(+((1/2)*(+(m_i[1]*(+l_i[1] +b)) +(m_i[2]*(+l_i[2] +b)))) -c)"),
        (r"\sum_{i=1}^2 \sum_{j=1}^{i} M_{ij}",
         "(+(+M_{i,j}[1, 1]) +(+M_{i,j}[2, 1] +M_{i,j}[2, 2]))"),
        (r"\sum_{i,j=1}^2 M_{i,j}",
         "(+M_{i,j}[1, 1] +M_{i,j}[1, 2] +M_{i,j}[2, 1] +M_{i,j}[2, 2])"),
        (r"\sum_{i=1}^{2} (-1)^i x_{i+1} i", "(+(((-1)^1)*x_i[2]*1) +(((-1)^2)*x_i[3]*2))"),
        (r"\sum_{i=1}^{2} 2i", "(+(2*1) +(2*2))"),
        (r"\sum_{i=2}^{3} m_{i-1} M_{i-1,2}",
         "(+(m_i[1]*M_{i,j}[1, 2]) +(m_i[2]*M_{i,j}[2, 2]))"),
        (r"\sum_{i=2}^{1} m_i", "0"),
        (r"\prod_{i=1}^{3} m_i", "(m_i[1]*m_i[2]*m_i[3])"),
        (r"\sum_{i=1}^{2} \hat{\mathbf{i}} m_i",
         r"(+(\hat{\mathbf{i}}*m_i[1]) +(\hat{\mathbf{i}}*m_i[2]))"),
    ],
)  # fmt: skip
def test_sums_are_written_out(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\det A + \det(A) b", "(+det(A) +(det(A)*b))"),
        (r"\begin{vmatrix} b & c \\ d & m \end{vmatrix}", "det([b, c; d, m])"),
        ("|A|", "abs(A)"),
        (r"A^{-1} A^{-T} A^{T} A^\top", "((A^(-1))*(A^-1)^T*A^T*A^T)"),
        (r"\operatorname{diag}(b, c)", "diag([b, c])"),
        (r"\operatorname{tr}(A) + \mathrm{tr} A", "(+trace(A) +trace(A))"),
        (r"\mathbf{0}", "0"),
        (r"\frac{\partial V}{\partial \mathbf q}", r"D(V, \mathbf{q})"),
        (r"\frac{\partial \vec r}{\partial \mathbf q^T}", r"D(\vec{r}, \mathbf{q})"),
        (r"\begin{pmatrix} b \\ c \end{pmatrix}_{2\times 1}", "[b; c]"),
        ("(b, c, d)", "[b; c; d]"),
        (r"\|\vec r\|_2^2", r"(norm(\vec{r})^2)"),
        (r"\begin{Vmatrix} b \\ c \end{Vmatrix}_2", "norm([b; c])"),
        (r"\vec r \cdot \dot{\vec r}", r"(\vec{r}*\vec{r}')"),
        (r"\vec r \cdot \vec r \times \vec r", r"(\vec{r}*(\vec{r} x \vec{r}))"),
        (r"\vec r \times \vec r \cdot \vec r", r"((\vec{r} x \vec{r})*\vec{r})"),
        (r"\vec r \wedge \vec r + \vec r \cross \vec r",
         r"(+(\vec{r} x \vec{r}) +(\vec{r} x \vec{r}))"),
    ],
)  # fmt: skip
def test_vectors_and_matrices(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"{}^{N}\boldsymbol{\omega}^{A} b", r"({}^N\boldsymbol\omega^A*b)"),
        (r"b \, {}^0R_1 {}^{0}R_{1}", "(b*^{0}R_{1}*^{0}R_{1})"),
        (r"b^2 ^0R_1", "((b^2)*^{0}R_{1})"),
        (r"\ddot{x}{}^2 b", "((x''^2)*b)"),
        (r"x_\text 1 b - \dot{x}_{\text{1}}", "(+(x_i[1]*b) -x_i[1]')"),
        (r"x{}_1 b - \dot{x}{}_1", "(+(x_i[1]*b) -x_i[1]')"),
        (r"s\theta \mathrm{c}\theta_1^2", r"(s\theta*(\mathrm{c}\theta_1^2))"),
        (r"b {\bf M}{\bf \dot q}", r"(b*\mathbf{M}*\mathbf{q}')"),
        (r"\mathbf{M \ddot q}", r"(\mathbf{M}*\mathbf{q}'')"),
        (r"\bm p + \pmb{p}", r"(+\boldsymbol{p} +\boldsymbol{p})"),
        ("L_{,q}", "L_{,q}"),
        ("c_{1+2}", "c_{1+2}"),
        (r"\vec{e}_{r}\hat{\mathbf{i}}", r"(\vec{e}_{r}*\hat{\mathbf{i}})"),
        ("θ + \\dot{θ}", r"(+\theta +\theta')"),
        (r"V(q, \dot q)", "V"),
    ],
)
def test_names_of_mechanics(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\frac{d}{dt}\left(\frac{\partial L}{\partial \dot q}\right)", "D1(D(L, q'))"),
        (r"\frac{{\rm d} x}{{\rm d} t}", "D1(x)"),
        (r"\frac{\mathrm{d}x}{\mathrm{dt}}", "D1(x)"),
        (r"\frac{\text{d}}{\text{d}t} x", "D1(x)"),
        (r"\dfrac{d^2 x}{dt^2} + d^2x/dt^2", "(+D2(x) +D2(x))"),
        (r"\frac{dx^2}{dt^2} + \frac{{\rm d} x^2(t)}{{\rm d} t^2}", "(+D2(x) +D2(x))"),
        (r"\frac{dx^2}{dt}", "D1((x^2))"),
        ("d/dt(m x) b + dx/dt", "(+(D1((m*x))*b) +D1(x))"),
        (r"\partial L/\partial\dot q + \partial_q L", "(+D(L, q') +D(L, q))"),
        (r"\overset{..}{x} + \overset{\cdot}{\theta} + \stackrel{.}{x}", r"(+x'' +\theta' +x')"),
        (r"\frac{\partial^2 L}{\partial\dot q_1\partial\dot q_2}", "D(L, q_i[1]', q_i[2]')"),
        (r"\dv{x}{t} + \dv[2]{x}{t} + \pdv{L}{q}", "(+D1(x) +D2(x) +D(L, q))"),
        (r"\partial_t^2 x + \partial_{tt} x + \partial_t \dot x", "(+D2(x) +D2(x) +D1(x'))"),
        (r"\partial_t L", "D(L, t)"),
        (r"{b \over c}", "(b/c)"),
    ],
)
def test_derivatives_of_any_kind(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\operatorname{sgn}(\dot x) + \operatorname{atan2}(y, x)", "(+sign(x') +atan2([y, x]))"),
        (r"\min(b, c) + \max(b, c)", "(+min([b, c]) +max([b, c]))"),
        (r"\cot\theta \sec\theta \csc\theta", r"(cot(\theta)*sec(\theta)*csc(\theta))"),
        (r"e^{-b} + \mathrm{e}^{b} + \exp(b)", "(+exp((-b)) +exp(b) +exp(b))"),
        (r"|x| + \lVert\vec r\rVert + \|\vec r\|", r"(+abs(x) +norm(\vec{r}) +norm(\vec{r}))"),
        (r"\sqrt[3]{b}", "(b^(1/3))"),
        (r"\sin 2(\theta + \phi)", r"sin((2*(+\theta +\phi)))"),
        (r"\text{sin}\,\theta", r"sin(\theta)"),
        (r"45^\circ + \pi b", "(+degrees(45) +(degrees(180)*b))"),
        (r"1\,000 + 2.5\times 10^{-3} + 1{,}5", "(+1000 +1/400 +3/2)"),
        ("9,81 b", "(981/100*b)"),
        (r"\color{red} b + \textcolor{blue}{c} \phantom{x} \smash{d}", "(+b +(c*d))"),
        (r"\underbrace{b c}_{\text{words}} + \overbrace{b}", "(+{(b*c): } +{b: })"),
    ],
)
def test_functions_and_numbers(latex: str, tree: str) -> None:
    assert reading(latex) == tree
    assert only(latex).readings == ()


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"x = b \pm \sqrt{c} \mp d", ["x = (+b +sqrt(c) -d)", "x = (+b -sqrt(c) +d)"]),
        (r"\begin{cases} x = a \\ y = b \end{cases}", ["x = a", "y = b"]),
        (r"\left\{\begin{array}{l} x = a \\ y = b \end{array}\right.", ["x = a", "y = b"]),
        (r"x \stackrel{!}{=} b \overset{\text{def}}{=} c", ["x = b", "b = c"]),
        (r"x := b", ["x = b"]),
        (r"x \colon= b", ["x = b"]),
        (r"x \approx b", [r"x \approx b"]),
        (r"x \ne b", [r"x \ne b"]),
        (r"x = b \quad (\forall q \in \mathbb{R}^n)", ["x = b"]),
        (r"x \ll unheard", [r"... \ll ..."]),
        (r"x = b \\ \times c", ["x = (b x c)"]),
        (r"x =& b \nonumber\\ &+ c \notag", ["x = (+b +c)"]),
        (r"x = b \quad\text{where}\quad c = d", ["x = b", "c = d"]),
        (r"x = b, \mathrm{and}\ c = d", ["x = b", "c = d"]),
        (r"x = b \quad \text{und} \quad c = d", ["x = b", "c = d"]),
        (r"x = b \quad \text{og} \quad c = d", ["x = b", "c = d"]),
        (r"\text{其中} \quad x = b", ["x = b"]),
        (r"x = 4 \text{ m} + b", ["x = (+4 +b)"]),
        (r"x_i = m_i \quad (i=1,2)", ["x_i[1] = m_i[1]", "x_i[2] = m_i[2]"]),
        (r"x_i = m_i, \text{ for } i \in \{1,2\}", ["x_i[1] = m_i[1]", "x_i[2] = m_i[2]"]),
        (r"x_i = m_i, \; i = 1,3", ["x_i[1] = m_i[1]", "x_i[3] = m_i[3]"]),
        (r"x_i = M_{ij}, \; i = 1,2, \; j = 1,2", [
            *("x_i[1] = M_{i,j}[1, 1]", "x_i[1] = M_{i,j}[1, 2]"),
            *("x_i[2] = M_{i,j}[2, 1]", "x_i[2] = M_{i,j}[2, 2]"),
        ]),
        (r"m_i = M_{ij} \quad i,j = 1,\dots,1", ["m_i[1] = M_{i,j}[1, 1]"]),
    ],
)  # fmt: skip
def test_equations_of_a_display(latex: str, expected: list[str]) -> None:
    assert sides(latex) == expected


@pytest.mark.parametrize(
    ("latex", "labels"),
    [
        (r"x = \pm b \tag{12}", ["(12, upper)", "(12, lower)"]),
        (r"x = b \qquad (3.1a)", ["(3.1a)"]),
        (r"x = b \eqno(7)", ["(7)"]),
        (r"x = b \label{eq:foo} \nonumber", ["(eq:foo)"]),
    ],
)
def test_labels(latex: str, labels: list[str]) -> None:
    assert [one.label for one in page(latex)] == labels


def test_values_that_are_not_known_are_told() -> None:
    (found,) = read_page(r"$$x_i = m_i, \quad i = 1,\dots,n$$", DECLARED)[0].relations
    assert isinstance(found, Unreadable)
    assert "the values of 'i' are not given as numbers" in found.message


@pytest.mark.parametrize(
    ("latex", "taken", "other"),
    [
        (r"\sin b c", "(sin(b)*c)", "sin((b*c))"),
        (r"\cos\gamma x", r"cos((\gamma*x))", r"(cos(\gamma)*x)"),
        (r"\sin\theta/2", r"(sin(\theta)/2)", r"sin((\theta/2))"),
        (r"\sin\theta^2", r"sin((\theta^2))", r"(sin(\theta)^2)"),
        (r"\sin^{-1} x", "arcsin(x)", "(sin(x)^(-1))"),
        ("b/c d", "(b/(c*d))", "((b/c)*d)"),
        ("b/2c", "(b/(2*c))", "((b/2)*c)"),
        (r"g/l \sin\theta", r"((g/l)*sin(\theta))", r"(g/(l*sin(\theta)))"),
        ("m/2(b + c)", "((m/2)*(+b +c))", "(m/(2*(+b +c)))"),
        (r"V(\theta)", "V", r"(V*\theta)"),
        ("k(x)", "(k*x)", "k"),
        ("1{,}500", "1500", "3/2"),
    ],
)
def test_what_may_be_read_in_two_ways_is_told(latex: str, taken: str, other: str) -> None:
    relation = only(latex)
    assert show(relation.right) == taken
    assert [show(one.right) for one in relation.others] == [other]
    assert len(relation.readings) == 1
    assert relation.readings != relation.others[0].readings
    assert relation.others[0].latex == relation.latex


def test_other_readings_change_one_place_and_then_two() -> None:
    relation = only(r"b/c d + \sin b c + \sin^{-1} x")
    assert len(relation.readings) == 3
    changed = [
        tuple(a != b for a, b in zip(relation.readings, other.readings, strict=True))
        for other in relation.others
    ]
    assert changed[:3] == [(True, False, False), (False, True, False), (False, False, True)]
    assert sorted(changed[3:]) == [(False, True, True), (True, False, True), (True, True, False)]


def test_all_places_of_a_kind_may_be_read_otherwise_together() -> None:
    trees = [show(one.right) for one in only("b/c d + c/d b + d/b c").others]
    assert "(+((b/c)*d) +((c/d)*b) +((d/b)*c))" in trees


def test_no_more_than_sixteen_other_readings_are_made() -> None:
    assert len(only(" + ".join(["b/c d"] * 20)).others) <= 16


def test_an_index_of_one_or_of_two_is_told() -> None:
    declared = Declared(["a", "K_i", "K_{i,j}"], varying=lambda _: False)
    (shown,) = read_page("$$a = K_{31}$$", declared)
    (relation,) = shown.relations
    assert isinstance(relation, Relation)
    assert show(relation.right) == "K_i[31]"
    assert [show(other.right) for other in relation.others] == ["K_{i,j}[3, 1]"]


def test_a_transpose_may_be_a_power_where_that_is_declared() -> None:
    declared = Declared(["a", "A", "T"], varying=lambda _: False)
    (shown,) = read_page("$$a = A^T$$", declared)
    (relation,) = shown.relations
    assert isinstance(relation, Relation)
    assert show(relation.right) == "A^T"
    assert [show(other.right) for other in relation.others] == ["(A^T)"]


@pytest.mark.parametrize(
    "latex",
    [
        r"\sin\theta_1\cos\theta_2",
        r"\sin\gamma + \cos\theta \dot\theta",
        r"\sin n\theta",
        r"\frac12 m \dot x^2 + 1/2 m \dot x^2",
        r"m l/2 \sin\theta + m l^2/12 \ddot\theta",
        r"m(b + c)",
        r"\dot{\mathbf q}^T \mathbf M \dot{\mathbf q}",
        r"x(t) + \theta_1(t)",
        "b/(c)d",
        "M_{12}",
    ],
)
def test_what_nobody_reads_otherwise_is_not_told(latex: str) -> None:
    assert only(latex).readings == ()
    assert only(latex).others == ()


@pytest.mark.parametrize("unit", [r"\mathrm{m/s^2}", r"\,\text{kg}", r"~\text{ N}", r"\si{\metre}"])
def test_a_unit_behind_a_number_is_told(unit: str) -> None:
    relation = only(rf"9.81\ {unit}")
    assert show(relation.right) == "981/100"
    assert "is passed over" in relation.readings[0]
    assert not relation.others


def test_places_of_what_is_written_out_are_those_of_the_page() -> None:
    text = r"$$a = b + \sum_{i=1}^{2} m_i x$$"
    (display,) = read_page(text, DECLARED)
    assert isinstance(display, Display)
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    term = relation.right.terms[1]  # type: ignore[union-attr]
    assert text[term.span.start : term.span.stop] == r"+ \sum_{i=1}^{2} m_i x"


def test_a_fragment_is_read_as_in_an_equation() -> None:
    text = r"$$a = b + m \dot x^2$$"
    node = read_fragment(text, text.index("m"), text.index("$$", 2), DECLARED)
    assert show(node) == "(m*(x'^2))"
    assert text[node.span.start : node.span.stop] == r"m \dot x^2"
    with pytest.raises(LatexError, match="'z' is not declared"):
        read_fragment("z", 0, 1, DECLARED)


@pytest.mark.parametrize(
    ("latex", "read"),
    [
        (r"a\frac{d}{dt}x(t)\frac{d}{dt}y(t)", "(a*D1(x)*D1(y))"),
        (r"\frac{d}{dt} m\frac{dx}{dt}", "D1((m*D1(x)))"),
        (r"\frac{d}{dt} m x", "D1((m*x))"),
    ],
)
def test_a_derivative_is_of_one_factor_where_the_next_is_another(latex: str, read: str) -> None:
    assert reading(latex) == read


def test_a_sign_of_two_orders_is_read_as_the_one_above_and_told() -> None:
    (display,) = read_page(r"$$m \frac{\partial^2}{\partial t}(x + y) = 0$$", DECLARED)
    (found,) = display.relations
    assert isinstance(found, Relation)
    assert show(found.left) == "(m*D2((+x +y)))"
    assert any("of order 2, and not of 1" in one for one in found.readings)


@pytest.mark.parametrize("latex", [r"\frac{d^2 x}{d^2t}", r"\frac{d^{2}}{d^{2} t} x"])
def test_an_order_may_stand_before_the_time(latex: str) -> None:
    assert reading(latex) == "D2(x)"


@pytest.mark.parametrize(
    ("latex", "above", "below"),
    [
        (r"\frac{d^2 x}{dt}", 2, 1),
        (r"\frac{d x}{dt^2}", 1, 2),
        (r"\frac{\mathrm{d}^3x}{dt^2}", 3, 2),
    ],
)
def test_a_derivative_of_two_orders_is_told_and_not_read(
    latex: str, above: int, below: int
) -> None:
    (display,) = read_page(f"$$m {latex} = F$$", DECLARED)
    (found,) = display.relations
    assert isinstance(found, Unreadable)
    assert f"of order {above} above, and of order {below} below" in found.message
