from __future__ import annotations

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra.units import dimension
from freebody.errors import ExpressionError, ModelError
from freebody.model import Names, load
from freebody.model.names import evaluated

t = dynamicsymbols._t
NAMES = Names(load("two_link_segment"))


def test_names_are_in_declared_order() -> None:
    assert list(NAMES.coordinates) == ["theta1", "theta2"]
    assert list(NAMES.speeds) == ["theta1_dot", "theta2_dot"]
    assert list(NAMES.accelerations) == ["theta1_ddot", "theta2_ddot"]
    assert list(NAMES.inputs) == ["T1", "T2", "Fex", "Fey"]
    assert list(NAMES.constants)[:4] == ["L1", "L2", "d1", "d2"]


def test_names_mean_functions_of_time_and_symbols() -> None:
    assert NAMES.read("theta1") == dynamicsymbols("theta1")
    assert NAMES.read("theta2_dot*t") == dynamicsymbols("theta2_dot") * t
    assert NAMES.read("T1/L1") == dynamicsymbols("T1") / sympy.Symbol("L1")
    assert NAMES.accelerations["theta1_ddot"] == dynamicsymbols("theta1_dot").diff(t)
    with pytest.raises(ExpressionError, match="unknown name 'theta'"):
        NAMES.read("theta")


def test_plain_has_no_functions_of_time() -> None:
    theta, speed = NAMES.coordinates["theta1"], NAMES.speeds["theta1_dot"]
    expr = theta.diff(t, 2) + theta.diff(t) * speed.diff(t) + sympy.sin(theta * speed) * t
    plain = sympy.symbols("theta1 theta1_dot theta1_ddot")
    assert NAMES.plain(expr) == plain[2] + plain[1] * plain[2] + sympy.sin(plain[0] * plain[1]) * t


def test_every_name_has_its_dimension() -> None:
    assert NAMES.dimensions[NAMES.read("T1")] == dimension("N*m")
    assert NAMES.dimensions[NAMES.read("L1")] == dimension("m")
    assert NAMES.dimensions[NAMES.speeds["theta1_dot"]] == dimension("1/s")
    assert NAMES.dimensions[NAMES.accelerations["theta1_ddot"]] == dimension("1/s**2")
    assert NAMES.dimensions[t] == dimension("s")


def test_values_follow_from_each_other() -> None:
    values = NAMES.values()
    assert list(values) == list(NAMES.constants)
    assert values["L1"] == pytest.approx(0.188 * 1.70, rel=1e-15)
    assert values["I1"] == pytest.approx(0.028 * 70 * (0.322 * 0.188 * 1.70) ** 2, rel=1e-15)


def test_an_override_changes_what_depends_on_it() -> None:
    values = NAMES.values({"height": 1.9, "m1": 5})
    assert values["L1"] == pytest.approx(0.188 * 1.9)
    assert (values["m1"], values["m2"]) == (5, NAMES.values()["m2"])
    with pytest.raises(ModelError, match=r"constants\.hight: is not declared; did you mean 'hei"):
        NAMES.values({"hight": 1.9})
    with pytest.raises(ModelError, match=r"constants\.height: expected a finite number"):
        NAMES.values({"height": float("nan")})


def test_a_number_is_that_of_an_expression_of_constants() -> None:
    assert NAMES.number("pi/2 + 2*a", {"a": 1.5}) == pytest.approx(sympy.pi.evalf() / 2 + 3)
    with pytest.raises(ExpressionError, match="uses what has no value: b"):
        NAMES.number("a + b", {"a": 1.5})


def test_values_that_cannot_be_worked_out_are_told_apart() -> None:
    given = {"a": "1/(b - 1)", "b": 1, "c": "d", "d": "c", "e": "f", "f": None, "h": "10**300*k"}
    values, wrong = evaluated(given | {"k": "10.0**300"})
    assert values == {"b": 1, "k": 1e300}
    assert wrong == {
        "a": "column 2: division by zero",
        "c": "depends on itself: c -> d -> c",
        "h": "the value is too large",
    }
