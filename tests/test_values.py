"""Printed values, rounded numbers, and rates of what the equations of motion decide."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport
from freebody.documents import read_document
from freebody.model import load


@cache
def quantities(model: str) -> Quantities:
    return Quantities(load(model))


SYMBOLS = {
    "double_pendulum": {
        "L_1": "l1", "L_2": "l2", "m_1": "m1", "g": "g", r"\omega": "sqrt(g/l1)",
        "M_{i,j}": "M[i,j]", r"\alpha": "theta1", "x": "position.bar1.x", "d_1": "value.l1",
    },
    "arm_3d": {"d_1": "d1", "l_1": "l1", "m_1": "m1"},
    "cart_pendulum": {
        "M": "m_c", "m": "m_p", "l": "l", "g": "g", "x": "x", r"\theta": "theta", "F": "F",
        "H": "energy.total", "N_x": "reaction.hinge.force.x",
    },
}  # fmt: skip


def checked(model: str, *equations: str, folder: Path, extra: str = "") -> DocumentReport:
    symbols = "\n".join(f"'{key}' = '{value}'" for key, value in SYMBOLS[model].items())
    shown = "\n\n".join(f"$$ {one} $$" for one in equations)
    page = folder / "page.md"
    page.write_text(
        f'+++\ntitle = "A page"\nmodel = "{model}"\n{extra}\n[symbols]\n{symbols}\n+++\n{shown}\n'
    )
    return check_document(read_document(page), quantities(model))


def holds(model: str, equation: str, folder: Path) -> bool:
    (verdict,) = checked(model, equation, folder=folder).equations
    assert verdict.status in ("holds", "differs"), verdict
    return verdict.status == "holds"


# ---------------------------------------------------------------------- values


@pytest.mark.one_in(3)
@pytest.mark.parametrize("printed", ["M_{12} = NUMBER", "NUMBER = M_{12}", "2 M_{12} = 2(NUMBER)"])
@pytest.mark.parametrize("angles", [(0.7, 0.7), (0.7, 1.1)])
@pytest.mark.parametrize("digits", [2, 4])
def test_what_moves_has_the_value_that_it_has_at_an_instant(
    printed: str, angles: tuple[float, float], digits: int, tmp_path: Path
) -> None:
    (first, second), values = angles, quantities("double_pendulum").mechanism.names.values()
    value = values["m2"] * values["l1"] * values["l2"] / 2 * math.cos(first - second)
    instant = f"[[assume]]\ninstant = {{ theta1 = {first}, theta2 = {second} }}"
    for wrong in (0, 0.3):
        number = f"{value + wrong:.{digits}f}"
        (verdict,) = checked(
            "double_pendulum", printed.replace("NUMBER", number), folder=tmp_path, extra=instant
        ).equations
        assert verdict.status == ("differs" if wrong else "holds")


VALUES = [("L_1", "1", "2"), ("L_2", "0.5", "0.6"), ("g", "9.81", "9.18"), ("g", "9.8", "9.7")]
VALUES += [(r"\omega", "3.132", "3.133"), (r"\frac{1}{3}", "0.333", "0.334"), ("d_1", "1", "2")]
VALUES += [("m_1 g", "9.81", "9.82"), (r"\sqrt{2}", "1.414", "1.415"), (r"\omega^2", "9.81", "9")]
FORMS = ["{a} = {b}", "{b} = {a}", "{a} - ({b}) = 0", "0 = {b} - {a}", "3{a} = 3({b})"]
FORMS += ["-{a} = -{b}", r"\frac{{{a}}}{{2}} = \frac{{{b}}}{{2}}", "{a} + m_1 = {b} + m_1"]


@pytest.mark.each_once("form", "name")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "value", "other"), VALUES)
def test_a_value_is_the_same_in_every_form(
    name: str, value: str, other: str, form: str, tmp_path: Path
) -> None:
    assert holds("double_pendulum", form.format(a=name, b=value), tmp_path)
    assert not holds("double_pendulum", form.format(a=name, b=other), tmp_path)


@pytest.mark.parametrize(
    ("equation", "is_right"),
    [
        (r"1.33 m_1 L_1 = \frac43 m_1 L_1", True),
        (r"1.34 m_1 L_1 = \frac43 m_1 L_1", False),
        (r"x = 0.50 L_1\sin\alpha", True),
        (r"x = 0.5 L_1\sin\alpha", True),
        (r"x = 0.51 L_1\sin\alpha", False),
        (r"x = 0.6 L_1\sin\alpha", False),
        (r"0.707 L_1 = \frac{L_1}{\sqrt2}", True),
        (r"0.708 L_1 = \frac{L_1}{\sqrt2}", False),
        (r"0.33 m_1 + 0.667 m_1 = m_1", True),
        (r"0.33 m_1 + 0.66 m_1 = m_1", True),
        (r"0.33 m_1 + 0.65 m_1 = m_1", False),
    ],
)
def test_a_printed_number_means_its_digits(equation: str, is_right: bool, tmp_path: Path) -> None:
    assert holds("double_pendulum", equation, tmp_path) == is_right


@pytest.mark.few("d_1 = 0.5772 l_1", "0.577 l_1 = d_1", "d_1 = 0.5722 l_1")
@pytest.mark.parametrize(
    ("equation", "is_right"),
    [
        ("d_1 = 0.5772 l_1", True),
        ("0.577 l_1 = d_1", True),
        (r"m_1 d_1^2 = 0.5772^2 m_1 l_1^2", True),
        ("d_1 = 0.5722 l_1", False),
        ("d_1 = l_1", False),
    ],
)
def test_what_the_model_defines_a_constant_by_holds(
    equation: str, is_right: bool, tmp_path: Path
) -> None:
    assert holds("arm_3d", equation, tmp_path) == is_right


def test_a_wrong_value_is_named_with_the_right_one(tmp_path: Path) -> None:
    (verdict,) = checked("double_pendulum", r"\omega - 3.133 = 0", folder=tmp_path).equations
    assert verdict.repairs[0].latex == r"\omega - 3.13209 = 0"


# ---------------------------------------------------------------------- rates

ROW = r"(M+m)\ddot x + ml\ddot\theta\cos\theta - ml\dot\theta^2\sin\theta"


@pytest.mark.parametrize(
    ("equation", "is_right"),
    [
        (rf"\frac{{d}}{{dt}}\left({ROW}\right) = \dot F", True),
        (rf"\frac{{d^2}}{{dt^2}}\left({ROW}\right) = \ddot F", True),
        (rf"\frac{{d}}{{dt}}\left({ROW}\right) = 2\dot F", False),
        (r"\dot H = F\dot x", True),
        (r"\ddot H = \dot F\dot x + F\ddot x", True),
        (r"\ddot H = \dot F\dot x - F\ddot x", False),
        ((r"\frac43 l\dddot\theta + \dddot x\cos\theta - \ddot x\dot\theta\sin\theta"
         r" = g\dot\theta\cos\theta"), True),
        (r"\frac43 l\dddot\theta + \dddot x\cos\theta = g\dot\theta\cos\theta", False),
        (r"\dot N_x = \dot F - M\dddot x", True),
        (r"\dot N_x = \dot F + M\dddot x", False),
    ],
)  # fmt: skip
def test_the_rate_of_what_holds_holds(equation: str, is_right: bool, tmp_path: Path) -> None:
    assert holds("cart_pendulum", equation, tmp_path) == is_right
