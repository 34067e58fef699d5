"""Single equations: what the grammar makes of each trap of typeset mechanics."""

from __future__ import annotations

import pytest

from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.tree import Add, show

CONSTANTS = ["a", "b", "c", "m", "g", "d", "n", "I", "e", r"\omega", r"\gamma", r"\ell_1", "I^{cm}"]
VARYING = [
    "x",
    "y",
    "T",
    "t",
    r"\theta",
    r"\alpha",
    r"\alpha_1",
    r"\alpha_2",
    "q",
    r"\vec{\mathbf{r}}",
]
OTHERS = [
    *("x'", "q(t_0)", "J_i", r"\dot{J}_i", r"M(\alpha)_{i,j}", r"C(q,\dot{q})", r"\sum F_X"),
    *(
        r"\mathrm{KE}",
        "F_{r,x}",
        "F_{1,12}",
        "F_{11,2}",
        r"T_{ext}(\alpha)_i",
        r"\mathbf{\hat{i}_{}}",
    ),
]
DECLARED = Declared([*CONSTANTS, *VARYING, *OTHERS], varying=lambda key: key in VARYING)


def only(latex: str) -> Relation | Unreadable:
    (display,) = read_page(f"$$a = {latex}$$", DECLARED)
    (relation,) = display.relations
    return relation


def reading(latex: str) -> str:
    relation = only(latex)
    assert isinstance(relation, Relation), relation
    return show(relation.right)


def refusal(latex: str) -> Unreadable:
    relation = only(latex)
    assert isinstance(relation, Unreadable), relation
    return relation


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("mgd", "(m*g*d)"),
        ("m(b+c)", "(m*(+b +c))"),
        ("1/2 m b^2", "((1/2)*m*(b^2))"),
        (r"\frac12 b", "((1/2)*b)"),
        (r"2 \cdot 10^{-3} b", "(1/500*b)"),
        (r"m . g . d", "(m*g*d)"),
        (r"\sqrt{b}\sqrt[3]{c}", "(sqrt(b)*(c^(1/3)))"),
        (r"{a+b}c", "(+a +(b*c))"),
        (r"b \times c d \times m", "((b x (c*d)) x m)"),
        (r"\left\{b + c\right\} d", "((+b +c)*d)"),
        (r"\bigl( b - c \bigr) d", "((+b -c)*d)"),
        (r"\left|b\right|", "abs(b)"),
        ("0.50", "1/2"),
    ],
)
def test_products_and_numbers(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\sin\alpha_2(b+c)", r"(sin(\alpha_2)*(+b +c))"),
        (r"\sin n\theta b", r"(sin((n*\theta))*b)"),
        (r"\cos\omega t \theta", r"(cos((\omega*t))*\theta)"),
        (r"\cos\sqrt{c/m}\;t", "cos((sqrt((c/m))*t))"),
        (r"\cos\sqrt{c}\, b", "(cos(sqrt(c))*b)"),
        (r"\sin\gamma d", r"(sin(\gamma)*d)"),
        (r"\sin\gamma\dot\theta", r"(sin(\gamma)*\theta')"),
        (r"\sin^2\gamma\dot\theta^2", r"((sin(\gamma)^2)*(\theta'^2))"),
        (r"\sin\gamma\theta^2", r"(sin(\gamma)*(\theta^2))"),
        (r"\cos b c\ddot x", r"(cos(b)*c*x'')"),
        (r"\sin\dot\theta", r"sin(\theta')"),
        (r"d\cos\theta", r"(d*cos(\theta))"),
        (r"\cos{(b-c)\frac{d^2\theta}{dt^2}}", r"(cos((+b -c))*D2(\theta))"),
        (r"\operatorname{cos}\left(\theta\right)^{2}", r"(cos(\theta)^2)"),
        (r"\cos{\gamma t} b", r"(cos((\gamma*t))*b)"),
        (r"\cos{\theta - \alpha_2} b", r"(cos((+\theta -\alpha_2))*b)"),
        (r"\sin^2\theta", r"(sin(\theta)^2)"),
        (r"\mathrm{sin}\frac{\theta}{2} b", r"(sin((\theta/2))*b)"),
        (r"\sin{\left(\theta{\left(t\right)}\right)} \frac{d}{d t}\theta{\left(t\right)}",
         r"(sin(\theta)*D1(\theta))"),
    ],
)  # fmt: skip
def test_functions_take_what_print_gives_them(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\dot{x}\ddot x", "(x'*x'')"),
        (r"\dddot{x}", "x'''"),
        (r"\dot{(x y)}", "D1((x*y))"),
        (r"\ddot{\vec{\mathbf{r}}}", r"\vec{\mathbf{r}}''"),
        (r"\frac{dx}{dt}\frac{\mathrm{d}^2 x}{\mathrm{d}t^2}", "(D1(x)*D2(x))"),
        (r"\left(\frac{d}{dt}x(t)\right)^2", "(D1(x)^2)"),
        (r"\frac{d}{dt}\frac{\partial e}{\partial\dot{x}}", "D1(D(e, x'))"),
        (r"\frac{\partial^2 e}{\partial x\partial y}", "D(e, x, y)"),
        (r"\frac{\partial^2 e}{\partial x^2}", "D(e, x, x)"),
        (r"\frac{d}{dt}(m x) b", "(D1((m*x))*b)"),
        (r"\frac{d b}{c}", "((d*b)/c)"),
        (r"\frac{d^2}{c}", "((d^2)/c)"),
        (r"\frac{dx}{d\theta}", r"D(x, \theta)"),
    ],
)
def test_derivatives(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("x'", "x'"),
        ("x(t)", "x"),
        ("x^2(t)", "(x^2)"),
        ("b(t)", "(b*t)"),
        ("q(t_0)", "q(t_0)"),
        ("I^{cm}", "I^{cm}"),
        ("I^2", "(I^2)"),
        (r"M(\alpha)_{31}", r"M(\alpha)_{i,j}[3, 1]"),
        (r"\dot M\left( \alpha \right)_{1,2}", r"M(\alpha)_{i,j}[1, 2]'"),
        (r"T_{\mathrm{ext}}(\alpha)_2", r"T_{ext}(\alpha)_i[2]"),
        (r"\ddot{J}_2 + \ddot{x}", r"(+\dot{J}_i[2]' +x'')"),
        (r"C(q, \dot{q})", r"C(q,\dot{q})"),
        (r"\text{KE} + \operatorname{KE}", r"(+\mathrm{KE} +\mathrm{KE})"),
        ("F_{1,12}F_{11,2}", "(F_{1,12}*F_{11,2})"),
        (r"\sum F_X", r"\sum F_X"),
        (r"b \mathbf{\hat{i}_{}}", r"(b*\mathbf{\hat{i}_{}})"),
        (r"\ell_{1}^{2}", r"(\ell_1^2)"),
    ],
)
def test_names(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        (r"\begin{bmatrix} b & c \\ d & m \\ \end{bmatrix}", "[b, c; d, m]"),
        (r"\left[\begin{array}{c} b \\ c \end{array}\right]^{-1}", "([b; c]^(-1))"),
        (r"[\ddot{x} \ \ddot{y}]^{\mathrm{T}}", "[x'', y'']^T"),
        (r"[b, c]^\top", "[b, c]^T"),
        (r"I^{-1}[T - b]", "((I^(-1))*(+T -b))"),
        (r"\begin{bmatrix} b & \cdots \\ \vdots & \ddots \end{bmatrix}", "[b, ...; ..., ...]"),
        (r"\underbrace{b + c}_{m} d", "({(+b +c): m}*d)"),
        (r"\underbrace{b}_{\text{any words}}", "{b: }"),
        (r"d \underbrace{- b}_{m} c", "(+d +({(-b): m}*c))"),
        (r"d \cdot \overbrace{- b}^{m}", "(d*{(-b): m})"),
        (r"\underbrace{b}_{z}", "{b: }"),
        (r"\underbrace{b}_{}", "{b: }"),
        (r"\underbrace{b}_{\text{spin}}", "{b: }"),
    ],
)
def test_matrices(latex: str, tree: str) -> None:
    assert reading(latex) == tree


@pytest.mark.parametrize(
    ("latex", "tree", "others", "told"),
    [
        (r"\cancel{b} + c", "(+b +c)", ["(+0 +c)"], "is read as printed"),
        (r"c \cancel{b}", "(c*b)", ["(c*1)"], "is read as printed"),
        (r"\cancelto{0}{b} + c", "(+0 +c)", ["(+b +c)"], "what its arrow points to"),
        (r"\cancel{z} + c", "(+0 +c)", [], "is left out"),
    ],
)
def test_what_is_struck_out(latex: str, tree: str, others: list[str], told: str) -> None:
    relation = only(latex)
    assert isinstance(relation, Relation)
    assert show(relation.right) == tree
    assert [show(other.right) for other in relation.others] == others
    assert told in relation.readings[0]


@pytest.mark.parametrize(
    ("latex", "tree", "told"),
    [
        (r"b sin\theta cos\alpha c", r"(b*sin(\theta)*cos(\alpha)*c)", "'sin' without a backslash"),
        (r"b sen\theta c", r"(b*sin(\theta)*c)", "'sen' without a backslash"),
        (r"cos^2(\theta)", r"(cos(\theta)^2)", "'cos' without a backslash"),
        (r"arctan(b)", "arctan(b)", "'arctan' without a backslash"),
        (r"ln \theta", r"log(\theta)", "'ln' without a backslash"),
        (r"c o s (\theta)", r"cos(\theta)", "'cos' without a backslash"),
        (r"b + c\;[\mathrm{kg\,m^2}]", "(+b +c)", r"the unit '[\mathrm{kg\,m^2}]' is passed over"),
        (r"b\ [\mathrm{N}/\mathrm{m}]", "b", "is passed over"),
        (r"b \qquad [\frac{rad}{N}]", "b", r"the unit '[\frac{rad}{N}]' is passed over"),
    ],
)
def test_what_is_passed_over_is_told(latex: str, tree: str, told: str) -> None:
    relation = only(latex)
    assert isinstance(relation, Relation)
    assert show(relation.right) == tree
    assert told in relation.readings[0]


@pytest.mark.parametrize("latex", ["s i n", "sin_1", "-[\\mathrm{K}]"])
def test_letters_and_brackets_of_their_own(latex: str) -> None:
    assert "is not declared" in refusal(latex).message


def test_a_function_whose_letters_are_all_declared_is_a_product() -> None:
    declared = Declared(["a", "l", "n", "q"], varying=lambda key: key == "q")
    (display,) = read_page("$$a = ln q$$", declared)
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    assert show(relation.right) == "(l*n*q)"


def test_a_capital_sigma_sums_forces() -> None:
    assert reading(r"\Sigma F_X") == r"\sum F_X"
    assert r"'\Sigma' is not declared" in refusal(r"\Sigma b").message


@pytest.mark.parametrize(
    ("latex", "told"),
    [
        ("b|", "\\left|"),
        (r"\int b", "integrals are not read"),
        (r"\nabla b", "write the derivatives out"),
        (r"\left. b \right|_{1}", "a value at a point"),
        (r"b|_{max}", "a value at a point"),
        ("x(0)", "'x(0)' is a value at one moment"),
        ("2 3", "a sign between two numbers"),
        (r"\sum_{i=1}^{n} J_i", "a sum is read between numbers"),
        (r"\sum_{i<j} J_i", "a sum is read between numbers"),
        (r"\prod_i J_i", "a product is read between numbers"),
        (r"\sum_{i=1}^{500} J_i", "more than 200 terms"),
        (r"\sum_{i=1}^{20}\sum_{j=1}^{20} J_i", "more than 200 terms"),
        (r"I^\prime", "'I'' is not declared"),
        (r"\mathbf{1}", r"'\mathbf{1}' is not declared"),
        (r"\dot{(\ )}", "found the end"),
        ("(b]", "'(' is closed by ']'; expected ')'"),
        (r"\left(b\right]", "expected '\\right)'"),
        ("(b", "'(' is never closed"),
        ("b) c", "')' closes nothing"),
        (r"\begin{bmatrix} b \end{array}", "expected '\\end{bmatrix}'"),
        (r"\begin{bmatrix} b & c \\ d \end{bmatrix}", "differ in length: 2, 1"),
        (r"\frac{b}", "'\\frac' has no argument"),
        (r"\foo b", "the command '\\foo' is not known"),
        ("b +", "found the end"),
        ("x_12", "'x_{12}' is not declared"),
        ("--b", "found '-'"),
        ("b^2^3", "expected one power"),
        ("(b)_1", "a name before a subscript"),
        ("1.5.2", "expected a number"),
        ("9" * 50, "expected a number"),
        (r"\frac{\partial b}{dt}", "found '\\partial'"),
        (r"\frac{\partial b}{\partial (x + y)}", "a name to differentiate by"),
        ("b\x00c", "found '\x00'"),
        (r"\begin{tabular} b \end{tabular}", "not a bracket or a matrix"),
    ],
)
def test_what_cannot_be_read_is_told(latex: str, told: str) -> None:
    assert told in refusal(latex).message


def test_all_undeclared_names_are_told_with_a_caret_and_the_nearest_names() -> None:
    found = refusal(r"F_{rx} + F_{1,13}")
    assert found.symbols == ("F_{rx}", "F_{1,13}")
    assert "did you mean 'F_{r,x}'" in found.message
    assert found.caret.splitlines() == [r"$$a = F_{rx} + F_{1,13}$$", "      ^"]
    assert (found.line, found.column) == (1, 7)


def test_terms_point_at_the_page_with_their_signs() -> None:
    page = r"$$a = b \cos(x) - c [x + y]\dot{x} + d$$"
    (display,) = read_page(page, DECLARED)
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    assert isinstance(relation.right, Add)
    printed = [page[term.span.start : term.span.stop] for term in relation.right.terms]
    assert printed == [r"b \cos(x)", r"- c [x + y]\dot{x}", "+ d"]


DEEP = [
    "(" * 5000,
    r"\left(" * 59 + "b" + r"\right)" * 59,
    r"\sin(" * 58 + "b" + ")" * 58,
    r"\frac{" * 58 + "b" + "}{c}" * 58,
    r"\frac{d}{dt}" * 800 + "x",
    r"\dot" * 2000 + "x",
    r"\underbrace{b}_{" * 57 + "b" + "}" * 57,
    "x^{" * 58 + "b" + "}" * 58,
    "b(" * 58 + "c" * 4000 + ")" * 58,
    "b/" * 3000 + "c",
    "b" * 9000,
    "b" * 20000,
    "{}" * 4000 + "b",
    "-" * 9000 + "b",
    "'" * 9000,
    r"\quad b" * 1200,
]


@pytest.mark.one_in(3)
@pytest.mark.few(*DEEP[::3])
@pytest.mark.parametrize("latex", DEEP, ids=lambda latex: latex[:12])
def test_depth_and_length_are_bounded(latex: str) -> None:
    relation = only(latex)
    assert isinstance(relation, Relation | Unreadable)


@pytest.mark.parametrize("brackets", ["()", "( )", "[]", r"\{\}", r"\left(\right)", r"(\,)"])
@pytest.mark.parametrize("before", ["", "m ", "b", r"\sin", r"\dot\theta "])
def test_brackets_around_nothing_are_refused_not_passed_over(before: str, brackets: str) -> None:
    found = refusal(f"{before}{brackets} d")
    assert not found.is_fault
    assert found.message
