"""Quantities a page may name, and what a page may take for granted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sympy

import freebody
from freebody.algebra import Ring
from freebody.algebra.expressions import read
from freebody.algebra.series import SeriesError, truncated
from freebody.algebra.substitution import substituted
from freebody.checking.quantities.derived import Quantities
from freebody.errors import DocumentError, ExpressionError
from freebody.model import load

if TYPE_CHECKING:
    from freebody.checking.report import DocumentReport, EquationVerdict

CART = Path(__file__).parent / "pages" / "cart.toml"
SYMBOLS = {
    "M": "M",
    "m": "m",
    "l": "l",
    "g": "g",
    "F": "F",
    "x": "x",
    r"\theta": "th",
    r"\phi": "th - pi",
    "L": "energy.lagrangian",
    "H": "energy.total",
    "W": "energy.kinetic.pole",
    "U": "energy.potential.pole",
    "p_x": "momentum.x",
    r"Q_\theta": "generalized_force.th",
    "Q": "nonconservative_force",
    "D": "equations.M",
    "P_x": "linear_momentum.system.x",
    "h": "angular_momentum.pole.about.hinge.z",
    "h_G": "angular_momentum.pole.z",
    "h_O": "angular_momentum.system.about.ground.z",
    "X": "position.system.x",
    "v_t": "velocity.pole.in.pole.x",
    "N_t": "reaction.hinge.force.in.pole.x",
    "R": "rotation.pole",
    "R^T": "rotation.cart.in.pole",
    "K": "coriolis",
    "c_{ij}": "coriolis[i,j]",
    r"\Gamma_{ijk}": "christoffel[i,j,k]",
    "d": "det.M",
    "I": "inverse.M",
    "f": "forcing",
    "b": "input_matrix",
    "G": "gravity",
    "B": "linear.B",
    "a_{ij}": "linear.A[i,j]",
    "z": "state",
}


@pytest.fixture
def check(tmp_path: Path) -> object:
    def report(*equations: str, front: str = "", model: Path | str = CART) -> DocumentReport:
        declared = "".join(f"'{key}' = '{meaning}'\n" for key, meaning in SYMBOLS.items())
        body = "".join(f"$$ {one} \\tag{{{n}}} $$\n" for n, one in enumerate(equations, 1))
        (tmp_path / "model.toml").write_text(CART.read_text())
        page = tmp_path / "page.md"
        head = "title = 'A page'\nmodel = 'model'\n"
        page.write_text(f"+++\n{head}[symbols]\n{declared}{front}\n+++\n{body}")
        (document,) = freebody.check(page).documents
        return document

    return report


def verdict(document: DocumentReport, number: int = 1) -> EquationVerdict:
    return document.equations[number - 1]


# ---------------------------------------------------------------------- quantities

HALF = r"\tfrac12 m l"
RIGHT = [
    r"p_x = (M+m)\dot x + \frac12 m l \dot\theta \cos\theta",
    r"Q_\theta = -\frac12 m g l\sin\theta",
    r"Q = \begin{pmatrix} F\\0\end{pmatrix}",
    r"\frac{d}{dt}\frac{\partial L}{\partial \dot x} - \frac{\partial L}{\partial x} = F",
    r"\dot H = F\dot x",
    r"W = \frac12 m (\dot x^2 + l \dot x\dot\theta\cos\theta + \frac13 l^2\dot\theta^2)",
    r"U = -\frac12 m g l\cos\theta",
    r"P_x = p_x",
    r"\dot P_x = F",
    r"h = \frac13 m l^2 \dot\theta + \frac12 m l \dot x \cos\theta",
    r"h_G = \frac{1}{12} m l^2\dot\theta",
    (
        r"h_O = h_G + \frac12 m l \cos\theta (\dot x + \frac l2 \dot\theta\cos\theta)"
        r" + \frac12 m l\sin\theta (x + \frac l2\sin\theta) \dot\theta \cdot 0"
        r" + m (x + \frac l2 \sin\theta) \frac l2 \dot\theta\sin\theta"
    ),
    r"(M+m) X = M x + m (x + \frac l2 \sin\theta)",
    r"(M+m)\ddot X = F",
    r"v_t = \dot x\cos\theta + \frac l2\dot\theta",
    r"\dot v_t = \ddot x\cos\theta + \frac l2\ddot\theta - \dot x\dot\theta \sin\theta",
    r"N_t = m g\sin\theta + m (\ddot x\cos\theta + \frac l2 \ddot\theta)",
    (
        r"R = \begin{pmatrix}\cos\theta & -\sin\theta & 0\\ \sin\theta & \cos\theta & 0\\0&0&1"
        r"\end{pmatrix}"
    ),
    r"c_{12} = -\frac12 m l\sin\theta\,\dot\theta",
    r"\Gamma_{122} = -\frac12 m l\sin\theta, \quad \Gamma_{212} = 0",
    r"d = \frac13(M+m) m l^2 - \frac14 m^2 l^2\cos^2\theta",
    (
        r"I = \frac1d \begin{pmatrix} \frac13 m l^2 & -\frac12 m l \cos\theta\\"
        r"-\frac12 m l \cos\theta & M+m\end{pmatrix}"
    ),
    (
        r"D^{-1} = \frac1d \begin{pmatrix} \frac13 m l^2 & -\frac12 m l \cos\theta\\"
        r"-\frac12 m l \cos\theta & M+m\end{pmatrix}"
    ),
    r"\dot D = K + K^T",
    r"b = \begin{pmatrix}1\\0\end{pmatrix}",
    r"f = b F - K \begin{pmatrix}\dot x\\ \dot\theta\end{pmatrix} - G",
    r"\dot z = \begin{pmatrix}\dot x\\ \dot\theta\\ \ddot x\\ \ddot\theta\end{pmatrix}",
    r"B = \begin{pmatrix}0\\0\\ \frac{4}{4M+m} \\ -\frac{6}{(4M+m)l}\end{pmatrix}",
    r"a_{32} = \frac{3 m g}{4M+m}, \quad a_{42} = -\frac{6(M+m)g}{(4M+m)l}, \quad a_{13} = 1",
]


def test_what_is_right_of_each_quantity_holds(check) -> None:
    document = check(*RIGHT)
    assert [(v.label, v.note) for v in document.equations if v.status != "holds"] == []
    assert {v.proof for v in document.equations} == {"exact"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "equation",
    [
        r"p_x = (M+m)\dot x - \frac12 m l \dot\theta \cos\theta",
        r"Q_\theta = \frac12 m g l\sin\theta",
        r"h = \frac14 m l^2 \dot\theta + \frac12 m l \dot x \cos\theta",
        r"v_t = \dot x + \frac l2\dot\theta\cos\theta",
        r"\dot v_t = \ddot x\cos\theta + \frac l2\ddot\theta",
        r"c_{12} = \frac12 m l\sin\theta\,\dot\theta",
        r"\Gamma_{122} = \frac12 m l\sin\theta",
        r"d = \frac13(M+m) m l^2 - \frac14 m^2 l^2\cos\theta",
        r"a_{42} = \frac{6(M+m)g}{(4M+m)l}",
    ],
)
def test_what_is_wrong_of_a_quantity_differs(check, equation: str) -> None:
    assert verdict(check(equation)).status == "differs"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("momentum.thh", "did you mean 'th'"),
        ("energy.lagrangean", "did you mean 'lagrangian'"),
        ("energy.lagrangian.pole", "expected energy.kinetic.pole or energy.potential.pole"),
        ("christoffel[1,2]", "expected 'christoffel[1,2,3]'"),
        ("christoffel[3,1,1]", "expected one of 1, 2"),
        ("inverse.tau", "expected one of M, N"),
        ("linear.C", "expected one of A, B"),
        ("angular_momentum.pole.around.hinge.z", "expected 'about' before the place"),
        ("velocity.pole.in.pol.x", "did you mean 'pole'"),
        ("rotatoin.pole", "did you mean 'rotation'"),
        ("energy", "expected 'energy.kinetic"),
        ("coriolis[3,1]", "is outside of its 2 x 2 entries"),
        ("J", "the model has no constraints"),
    ],
)
def test_what_is_no_quantity_is_told(text: str, told: str) -> None:
    with pytest.raises(ExpressionError, match=r".") as error:
        read(text, Quantities(load(CART)).resolve)
    assert told in str(error.value)


def test_christoffels_symbols_are_those_of_the_definition() -> None:
    quantities = Quantities(load("hanging_double_pendulum"))
    q = quantities.mechanism.coordinates
    M = quantities.equations.M
    for i in range(2):
        for j in range(2):
            for k in range(2):
                wanted = (M[i, j].diff(q[k]) + M[i, k].diff(q[j]) - M[j, k].diff(q[i])) / 2
                found = read(f"christoffel[{i + 1},{j + 1},{k + 1}]", quantities.resolve)
                ring = quantities.ring
                assert not quantities.lower(ring.form(found) - ring.form(wanted))


def test_the_linear_motion_is_that_of_the_derivatives_of_the_solved_one() -> None:
    quantities = Quantities(load("hanging_double_pendulum"))
    equations, ring = quantities.equations, quantities.ring
    q, u = equations.coordinates, equations.speeds
    rest = dict.fromkeys((*u, *equations.inputs, *q), sympy.S.Zero)
    slopes = equations.forcing.jacobian(sympy.Matrix(q)).xreplace(rest)
    wanted = equations.M.xreplace(rest).LUsolve(slopes)
    assert all(wanted)
    found = read("linear.A", quantities.resolve)[2:, :2]
    for a, b in zip(found, wanted, strict=True):
        assert not quantities.lower(ring.form(a) - ring.form(b))


def test_with_speeds_of_ones_own_there_are_no_christoffel_symbols() -> None:
    with pytest.raises(ExpressionError, match="speeds of one's own"):
        read("coriolis", Quantities(load("rolling_disc")).resolve)


# ---------------------------------------------------------------------- coriolis

OTHER = (
    r"K = \begin{pmatrix} \dot\theta & -\frac12 m l\sin\theta\dot\theta - \dot x\\0&0\end{pmatrix}"
)


def test_another_matrix_with_the_same_product_holds_with_a_reading(check) -> None:
    found = verdict(check(OTHER))
    assert found.status == "holds"
    assert "product with the speeds" in found.readings[0]
    assert not verdict(check(RIGHT[18])).readings


@pytest.mark.exhaustive
def test_entries_are_judged_by_their_row_where_all_of_it_is_stated(check) -> None:
    first = r"c_{11} = \dot\theta"
    second = r"c_{12} = -\frac12 m l\sin\theta\dot\theta - \dot x"
    both = check(first, second)
    assert [v.status for v in both.equations] == ["holds", "holds"]
    assert verdict(check(first)).status == "differs"
    wrong = check(first, second.replace("- \\dot x", "+ \\dot x"))
    assert [v.status for v in wrong.equations] == ["differs", "differs"]


def test_a_matrix_with_another_product_differs(check) -> None:
    assert verdict(check(OTHER.replace(r"- \dot x", ""))).status == "differs"
    other = r"D = \begin{pmatrix} \dot\theta & -\dot x\\0&0\end{pmatrix}"
    assert verdict(check(other)).status == "differs"


# ---------------------------------------------------------------------- assumptions

SMALL = "[[assume]]\nsmall = ['th']\n"


def test_small_angles_are_kept_to_first_order(check) -> None:
    document = check(
        r"\frac13 m l^2\ddot\theta + \frac12 m l\ddot x + \frac12 m g l\theta = 0",
        r"\ddot x = \frac{4F + 3 m g\theta}{4M+m}",
        r"\ddot\theta = -\frac{6}{(4M+m)l}((M+m) g\theta + F)",
        r"\tan\theta = \theta, \quad \sqrt{1+\theta} = 1 + \theta/2",
        r"(M+m)\ddot x + \frac12 m l(\ddot\theta\cos\theta - \dot\theta^2\sin\theta) = F",
        r"\ddot x = \frac{4F - 3 m g\theta}{4M+m}",
        front=SMALL,
    )
    found = [(v.status, v.readings) for v in document.equations]
    told = ("th is small: kept to first order",)
    assert found[:5] == [("holds", told)] * 5
    assert found[5] == ("holds", ())
    assert found[6] == ("differs", told)


def test_an_order_of_its_own(check) -> None:
    energy = (
        r"L = \frac12 (M+m)\dot x^2 + \frac12 m l\dot x\dot\theta + \frac16 m l^2\dot\theta^2"
        r"+ \frac12 m g l(1 - \frac12\theta^2)"
    )
    second = "[[assume]]\nin = ['(1)']\nsmall = ['th']\norder = 2\n"
    assert verdict(check(energy, front=second)).status == "holds"
    assert verdict(check(energy.replace(r"\frac12\theta^2", r"\theta^2"), front=second)).differences


def test_about_the_upright(check) -> None:
    document = check(
        r"\frac13 m l^2\ddot\phi - \frac12 m l\ddot x - \frac12 m g l\phi = 0",
        r"\ddot\phi = \frac{6}{(4M+m)l}((M+m) g\phi + F)",
        r"\ddot x = \frac{4F + 3 m g\phi}{4M+m}",
        r"\sin\theta = \phi",
        front="[[assume]]\nsmall = ['th - pi']\n",
    )
    assert [v.status for v in document.equations] == ["holds", "holds", "holds", "differs"]


def test_the_linear_motion_about_a_given_place(check) -> None:
    up = "[[assume]]\ngiven = { th = 'pi' }\n"
    right = r"a_{42} = \frac{6(M+m)g}{(4M+m)l}"
    assert verdict(check(right, front=up)).status == "holds"
    assert verdict(check(right)).status == "differs"


def test_what_is_given_is_put_into_angles_and_rates(check) -> None:
    document = check(
        r"(M+m)\ddot x = F",
        r"D = \begin{pmatrix} M+m & 0\\ 0 & \frac13 ml^2\end{pmatrix}",
        r"\ddot x = F / M",
        front="[[assume]]\nin = ['(1)', '(3)']\ngiven = { th = 0 }\n"
        "[[assume]]\nin = ['(2)']\ngiven = { th = 'pi/2' }\n",
    )
    assert [v.status for v in document.equations] == ["holds", "holds", "differs"]
    assert verdict(document, 2).readings == ("th = pi/2 is given",)


def test_a_given_constant_and_a_given_input(check) -> None:
    document = check(
        r"\frac{d}{dt}\left((M+m)\dot x + \frac12 m l\dot\theta\cos\theta\right) = 0",
        r"\frac23 l\ddot\theta + \ddot x\cos\theta = 0",
        front="[[assume]]\ngiven = { F = 0 }\n[[assume]]\nin = ['(2)']\ngiven = { g = 0 }\n",
    )
    assert [v.readings for v in document.equations] == [("F = 0 is given",), ("g = 0 is given",)]


def test_an_assumption_that_no_equation_needs_is_told(check) -> None:
    exact = r"p_x = (M+m)\dot x + \frac12 m l \dot\theta \cos\theta"
    assert "assume[0]" in check(exact, front=SMALL).unused
    assert "assume[0]" not in check(r"\sin\theta = \theta", front=SMALL).unused


def test_an_equation_that_is_assumed_of_and_is_not_there_is_told(check) -> None:
    document = check(r"\sin\theta=\theta", front="[[assume]]\nin = ['(7)']\nsmall = ['th']\n")
    assert any("(7)" in line for line in document.stale)


@pytest.mark.parametrize(
    ("front", "told"),
    [
        ("given = { I1 = 'm*l**2' }", "assume[0].given.I1: column 1: no quantity 'I1'"),
        ("given = { th = 'thh' }", "assume[0].given.th: column 1: no quantity 'thh'; did you mean"),
        ("given = { m = '2*m' }", "assume[0].given.m: 'm' is given in terms of itself"),
        ("given = { 'm*l' = '2' }", "assume[0].given.m*l: expected a coordinate"),
        ("small = ['th', 'x*th']", "assume[0].small[1]: expected a name, or a sum"),
        ("small = ['tth']", "assume[0].small[0]: column 1: no quantity 'tth'"),
        ("order = 2", "assume[0]: expected something 'small', 'given' or given"),
    ],
)
def test_what_is_wrong_with_an_assumption_is_told(check, front: str, told: str) -> None:
    with pytest.raises(DocumentError) as error:
        check(r"\sin\theta = \theta", front=f"[[assume]]\n{front}\n")
    assert told in str(error.value)


# ---------------------------------------------------------------------- series, substitution


@pytest.mark.each_once
@pytest.mark.parametrize(
    "text",
    ["sin(y + x)*cos(x/3)", "1/(2 + x*y + cos(x))", "sqrt(4 + sin(x))", "exp(x*y)/(1 + x)",
     "cos(x + z)**3/(1 - z)", "sin(x)/x", "tan(x)"],
)  # fmt: skip
@pytest.mark.parametrize("order", [0, 1, 3])
def test_a_series_is_taylors(text: str, order: int) -> None:
    names = {name: sympy.Symbol(name) for name in "xyz"}
    expr = read(text, lambda reference: names[str(reference)])
    e, ring = sympy.Symbol("e"), Ring()
    moved = expr.subs({names["x"]: e * names["x"], names["z"]: e * names["z"]}, simultaneous=True)
    wanted = sympy.series(moved, e, 0, order + 1).removeO().subs(e, 1)
    found = truncated(ring.form(expr), [names["x"], names["z"]], order)
    numbers = {names["x"]: 0.3, names["y"]: 0.7, names["z"]: 0.2}
    value = ring.expression(found).subs(numbers)
    assert float(value) == pytest.approx(float(wanted.subs(numbers)), rel=1e-12)


def test_what_has_no_series_is_told() -> None:
    x, ring = sympy.Symbol("x"), Ring()
    for expr in (sympy.sqrt(x), 1 / sympy.sin(x), sympy.log(x)):
        with pytest.raises(SeriesError):
            truncated(ring.form(expr), [x], 1)


def test_a_symbol_is_replaced_in_angles_denominators_roots_and_functions() -> None:
    x, y, ring = sympy.Symbol("x"), sympy.Symbol("y"), Ring()
    expr = sympy.sin(x / 2) / (1 + sympy.cos(x) ** 2) + sympy.sqrt(2 + x) * sympy.exp(x * y)
    found = substituted(ring.form(expr), {x: ring.form(sympy.pi / 2 - 2 * y)})
    wanted = ring.form(expr.subs(x, sympy.pi / 2 - 2 * y))
    assert freebody.algebra.canonical.is_zero(found - wanted)
    with pytest.raises(ZeroDivisionError):
        substituted(ring.form(1 / sympy.sin(x)), {x: ring.zero})


def test_an_acceleration_in_a_sine_is_left_where_its_value_is_no_angle() -> None:
    quantities = Quantities(load("acrobot"))
    angle = quantities.mechanism.accelerations[0]
    form = quantities.ring.form(sympy.sin(angle))
    assert not quantities.lower(form) - form


SHAKEN = """
title = "A pendulum on a support that is moved"
gravity = [0, "-g", 0]
[coordinates]
phi = { title = "angle", unit = "rad" }
[prescribed]
s = { title = "height of the support", unit = "m", value = "a*sin(w*t)" }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
l = { title = "length", unit = "m", value = 1 }
a = { title = "amplitude", unit = "m", value = 0.1 }
w = { title = "frequency", unit = "rad/s", value = 50 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "support"
mass = 0
[[bodies]]
name = "bob"
mass = "m"
center_of_mass = [0, "l", 0]
[[joints]]
name = "guide"
type = "slider"
parent = "ground"
child = "support"
axis = [0, 1, 0]
displacement = "s"
[[joints]]
name = "pivot"
type = "pin"
parent = "support"
child = "bob"
angle = "phi"
"""


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"f(t) = a\sin\omega t", "holds"),
        (r"y = l\cos\phi + f(t)", "holds"),
        (r"y = l\cos\phi - f(t)", "differs"),
        (r"\dot y = -l\dot\phi\sin\phi + \dot f(t)", "holds"),
        (r"\ddot\phi = \left(\frac{g}{l} + \frac{\ddot f(t)}{l}\right)\sin\phi", "holds"),
        (r"\ddot\phi = \left(\frac{g}{l} - \frac{\ddot f(t)}{l}\right)\sin\phi", "differs"),
        (r"\ddot f(t) = -\omega^2 f(t)", "holds"),
    ],
)
def test_a_prescribed_motion_is_what_the_model_says(
    equation: str, status: str, tmp_path: Path
) -> None:
    (tmp_path / "model.toml").write_text(SHAKEN)
    symbols = {r"\phi": "phi", "f(t)": "s", "y": "position.bob.y"}
    symbols |= {"m": "m", "l": "l", "a": "a", r"\omega": "w", "g": "g"}
    declared = "\n".join(f"'{key}' = '{meaning}'" for key, meaning in symbols.items())
    page = tmp_path / "page.md"
    page.write_text(
        f"+++\ntitle = 'A'\nmodel = 'model'\n[symbols]\n{declared}\n+++\n$$ {equation} $$\n"
    )
    (verdict,) = freebody.check(page).documents[0].equations
    assert verdict.status == status
