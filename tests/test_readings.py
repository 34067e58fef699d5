"""What may be read in two ways: one way for all of a page, and told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import freebody

if TYPE_CHECKING:
    from collections.abc import Callable

    from freebody.checking import EquationVerdict

    Check = Callable[..., list[EquationVerdict]]

CART = Path(__file__).parent / "pages" / "cart.toml"
SYMBOLS = {
    "a": "M/m",
    "b": "m*l",
    "c": "2*M*l",
    r"\gamma": "pi/5",
    r"\delta": "pi/7",
    "x": "x",
    r"\theta": "th",
}


@pytest.fixture
def check(tmp_path: Path) -> Check:
    def verdicts(*equations: str, **symbols: str | list[str]) -> list[EquationVerdict]:
        (tmp_path / "model.toml").write_text(CART.read_text())
        declared = "".join(f"'{k}' = {json.dumps(v)}\n" for k, v in {**SYMBOLS, **symbols}.items())
        body = "".join(f"$$ {one} \\tag{{{n}}} $$\n" for n, one in enumerate(equations, 1))
        page = tmp_path / "page.md"
        page.write_text(f"+++\ntitle = 'P'\nmodel = 'model'\n[symbols]\n{declared}+++\n{body}")
        return list(freebody.check(page).documents[0].equations)

    return verdicts


@pytest.mark.parametrize("wave", ["sin", "cos"])
@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        (r"\WAVE^2\gamma\dot\theta^2", "WAVE(pi/5)**2*th_dot**2"),
        (r"\WAVE\gamma\dot\theta", "WAVE(pi/5)*th_dot"),
        (
            r"\WAVE\gamma\dot\theta + \WAVE\delta\dot x",
            "WAVE(pi/5)*th_dot + WAVE(pi/7)*x_dot",
        ),
        (
            r"\WAVE^2\gamma\dot\theta^2 - \WAVE^2\delta\dot x^2",
            "WAVE(pi/5)**2*th_dot**2 - WAVE(pi/7)**2*x_dot**2",
        ),
        (r"\WAVE\gamma\theta + \WAVE\delta\theta", "WAVE(pi/5)*th + WAVE(pi/7)*th"),
        (r"\WAVE\gamma\theta + \WAVE\delta\theta", "WAVE(pi/5*th) + WAVE(pi/7*th)"),
    ],
)
def test_an_argument_ends_where_the_equation_holds(
    check: Check, wave: str, printed: str, meant: str
) -> None:
    equation = "A = " + printed.replace("WAVE", wave)
    (verdict,) = check(equation, A=meant.replace("WAVE", wave))
    assert verdict.status == "holds"
    assert any("is read as" in told for told in verdict.readings)


@pytest.mark.parametrize("first", [True, False])
def test_a_page_is_read_in_one_way(check: Check, first: bool) -> None:
    over, beside = "M/m/(m*l*2*M*l)", "M/m/(m*l)*2*M*l"
    meant = over if first else beside
    page = (r"A = a/b c", r"A = a/b  c", r"A + x = x + a/b c", r"B = a/b c")
    other = beside if first else over
    *alike, odd = check(*page, A=meant, B=other)
    assert [one.status for one in alike] == ["holds"] * 3
    assert odd.status == "differs"
    assert {one.readings for one in alike} == {alike[0].readings}
    assert alike[0].readings[0] in odd.readings
    assert any("unlike elsewhere on the page" in told for told in odd.readings)


def test_indices_do_not_make_another_print(check: Check) -> None:
    names = {"c_1": "m", "c_2": "M", "A": "l/m*th", "B": "l/(M*th)", "l": "l"}
    first, second = check(r"A = l/c_1 \theta", r"B = l/c_2\theta", **names)
    assert {first.status, second.status} == {"holds", "differs"}


def test_what_no_equation_decides_is_read_in_the_likeliest_way(check: Check) -> None:
    verdicts = check("A = a/b c", "B = 2 a/b c", A="7*l", B="9*l")
    assert [one.status for one in verdicts] == ["differs"] * 2
    assert verdicts[0].readings == verdicts[1].readings


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"L = 0.8\,m", "holds"),
        (r"L = 0.8 m", "holds"),
        (r"L = 8\times 10^{-1}\,\mathrm{m}", "holds"),
        (r"L = 0.7\,m", "differs"),
        (r"L = 8\,\mathrm{cm}", "differs"),
        ("P = 2 m", "holds"),
        ("P = 0.7 m", "differs"),
        (r"\beta = 90^o", "holds"),
    ],
)
def test_a_unit_is_told_from_a_mass_by_what_holds(check: Check, equation: str, status: str) -> None:
    names = {"m": "m", "L": "l", "P": "2*m", r"\beta": "pi/2"}
    (verdict,) = check(equation, **{**names, "c": "M"} if "cm" in equation else names)
    assert verdict.status == status


@pytest.mark.parametrize(
    ("printed", "status", "of"),
    [
        (
            r"\frac{d}{dt} m x \sin\theta = m\dot x\sin\theta + m x\cos\theta\,\dot\theta",
            "holds",
            r"m x \sin\theta",
        ),
        (
            r"\frac{d}{dt} m x \sin\theta = m\dot x\sin\theta - m x\cos\theta\,\dot\theta",
            "differs",
            r"m x \sin\theta",
        ),
        (
            r"\frac{d}{dt} x\, \theta = \dot x\,\theta",
            "holds",
            "x",
        ),
        (
            r"\frac{d}{dt} (m + c) \dot\theta = (m + c)\ddot\theta",
            "holds",
            r"(m + c) \dot\theta",
        ),
        (
            r"\frac{d}{dt} (x + c) \theta = \dot x \theta",
            "holds",
            "x + c",
        ),
        (
            r"\frac{d}{dt} \frac12 m x^2 = m x \dot x",
            "holds",
            r"\frac12 m x^2",
        ),
        (
            r"\frac{\partial}{\partial x} c x \theta = c\theta",
            "holds",
            r"c x \theta",
        ),
        (
            r"\frac{\partial}{\partial x} x\, x = x",
            "holds",
            "x",
        ),
    ],
)
def test_what_a_derivative_is_of_is_a_product_or_its_first_factor(
    check: Check, printed: str, status: str, of: str
) -> None:
    (verdict,) = check(printed, m="m", c="2*M")
    assert verdict.status == status
    assert [one for one in verdict.readings if one.endswith(f"is read as the derivative of '{of}'")]


LISTS = [
    "({0}, {1})",
    "({0}, {1})^T",
    r"({0},\, {1})^\top",
    "[{0}, {1}]",
    "[{0}, {1}]^T",
    "[{0}; {1}]",
    r"\{{{0}, {1}\}}",
    r"\begin{{bmatrix}} {0} & {1} \end{{bmatrix}}",
    r"\begin{{pmatrix}} {0} \\ {1} \end{{pmatrix}}",
    r"\left. \begin{{bmatrix}} {0} \\ {1} \end{{bmatrix}} \right.",
]


@pytest.mark.parametrize("printed", LISTS)
def test_a_vector_is_printed_as_a_row_or_a_column(check: Check, printed: str) -> None:
    right, wrong = printed.format(r"\dot x", r"\dot\theta"), printed.format(r"\dot x", r"\theta")
    symbols = {r"\mathbf{q}": ["x", "th"]}
    equations = (
        rf"\dot{{\mathbf q}} = {right}",
        rf"{right} = \dot{{\mathbf q}}",
        rf"\dot{{\mathbf q}} + {right} = 2 {right}",
        rf"\dot{{\mathbf q}} = {wrong}",
    )
    found = check(*equations, **symbols)
    assert [one.status for one in found] == ["holds", "holds", "holds", "differs"]
    assert {term.entry for term in found[-1].differences} == {"[2]"}


@pytest.mark.parametrize(
    ("derivative", "rate"),
    [
        (r"\frac{\partial}{\partial t}(b\dot\theta)", r"b\ddot\theta"),
        (r"\frac{\partial^2}{\partial t^2}(x + b\theta)", r"\ddot x + b\ddot\theta"),
        (r"\frac{\partial^2 x}{\partial t^2}", r"\ddot x"),
        (r"\frac{\partial}{\partial t}\frac{\partial A}{\partial\dot x}", r"c\ddot x"),
        (r"\frac{\partial A}{\partial t}", "0"),
    ],
)
def test_a_partial_derivative_by_time_of_rates_is_that_of_all_that_moves(
    check: Check, derivative: str, rate: str
) -> None:
    right, wrong = check(f"{derivative} = {rate}", f"{derivative} = b + {rate}", A="M*l*x_dot**2")
    assert (right.status, wrong.status) == ("holds", "differs")


@pytest.mark.parametrize(
    ("latex", "status"),
    [
        (r"A = m1 \ddot{x1} - k1 x1 + k2 x2", "holds"),
        (r"A = m1 x1 - k1 x1 + k2 x2", "differs"),
        (r"A = m_1 \ddot{x_1} - k_1 x_1 + k_2 x_2", "holds"),
    ],
)
def test_digits_right_behind_letters_stand_below_them(
    check: Check, latex: str, status: str
) -> None:
    named = {"m_1": "M", "k_1": "M/l", "k_2": "m/l", "x_1": "x", "x_2": "l*th"}
    (verdict,) = check(latex, A="M*x_ddot - M*x/l + m*th", **named)
    assert verdict.status == status


@pytest.mark.parametrize(
    ("latex", "status"),
    [(r"B = \dot{\theta^2}", "holds"), (r"A = \dot{\theta^2}", "holds")],
)
def test_dots_over_a_power_are_those_of_its_base(check: Check, latex: str, status: str) -> None:
    (verdict,) = check(latex, A="2*th*th_dot", B="th_dot**2")
    assert verdict.status == status
    assert verdict.readings


@pytest.mark.parametrize("variable", [r"\mathbf{q}", r"\dot{\mathbf q}"])
def test_a_nabla_with_a_subscript_is_a_gradient(check: Check, variable: str) -> None:
    square = variable + r"^T" + variable
    symbols = {r"\mathbf{q}": ["x", "th"]}
    right, wrong = check(
        rf"\nabla_{{{variable}}} \left({square}\right) = 2 {variable}",
        rf"\nabla_{{{variable}}} \left({square}\right) = {variable}",
        **symbols,
    )
    assert (right.status, wrong.status) == ("holds", "differs")


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"\omega\frac{d\omega}{d\theta} = \frac{T - m g d\sin\theta}{I + m d^2}", "holds"),
        (r"\omega\,d\omega/d\theta = \frac{T - m g d\sin\theta}{I + m d^2}", "holds"),
        (r"\omega\frac{d\omega}{d\theta} = \frac{T + m g d\sin\theta}{I + m d^2}", "differs"),
        (
            r"\omega\frac{\partial\omega}{\partial\theta} = \frac{T - mgd\sin\theta}{I + m d^2}",
            "differs",
        ),
        (r"\omega\,d\omega/d\theta = -\frac{m g d}{I + m d^2}\sin\theta\quad(T = 0)", "holds"),
        (
            r"\omega\frac{d\omega}{d\theta} = \frac{m g d}{I + m d^2}\sin\theta\quad(T = 0)",
            "differs",
        ),
        (r"\frac{dV}{d\theta} = m g d\sin\theta", "holds"),
        (r"\frac{dV}{d\theta} = m g d\cos\theta", "differs"),
    ],
)
def test_a_slope_may_be_that_of_a_motion(tmp_path: Path, equation: str, status: str) -> None:
    names = {"m": "m", "d": "d", "I": "I", "g": "g", "T": "T", r"\theta": "theta"}
    names |= {r"\omega": "theta_dot", "V": "energy.potential"}
    declared = "".join(f"'{key}' = '{one}'\n" for key, one in names.items())
    front = f"+++\ntitle = 'P'\nmodel = 'pendulum'\n[symbols]\n{declared}+++\n"
    (tmp_path / "page.md").write_text(f"{front}$$ {equation} $$\n")
    verdict = freebody.check(tmp_path / "page.md").documents[0].equations[0]
    assert verdict.status == status


@pytest.mark.parametrize(
    ("shift", "status"),
    [("", "holds"), ("+ m g l", "holds"), ("+ m g l^2", "differs"), ("+ m g l + 3 M", "differs")],
)
def test_a_potential_energy_is_counted_from_anywhere_by_an_energy(
    check: Check, shift: str, status: str
) -> None:
    printed = rf"V = -\frac12 m g l\cos\theta {shift}"
    (equation,) = check(printed, V="energy.potential", g="g", l="l", m="m", M="M")
    assert equation.status == status
    assert bool(equation.readings) == (bool(shift) and status == "holds")
