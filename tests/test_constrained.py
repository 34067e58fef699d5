"""Equations of motion with multipliers, beside what holds: models with constraints."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.algebra import Ring
from freebody.checking import check
from freebody.documents import read_bare
from freebody.mechanics.derivation import METHODS, agreement, derive
from freebody.model import load
from freebody.recognition import adopt
from freebody.recognition.recognise import recognise

PENDULUM = (r"m\ddot x = -2\lambda x", r"m\ddot y = -m g - 2\lambda y", "x^2 + y^2 - L^2 = 0")
TENSION = (r"m\ddot x = -\frac{T}{l} x", r"m\ddot y = m g - \frac{T}{l} y", "x^2 + y^2 = l^2")
DIVIDED = (
    r"\ddot x = -\frac{\lambda}{m} x", r"\ddot y = -g - \frac{\lambda}{m} y", "x^2 + y^2 = l^2",
)  # fmt: skip
SPHERE = (
    r"m\ddot x = \lambda x", r"m\ddot y = \lambda y", r"m\ddot z = \lambda z - m g",
    "x^2 + y^2 + z^2 = R^2",
)  # fmt: skip
UNIT = (
    r"m\partial_t^2 x = 0", r"m\partial_t^2 y = -m g",
    r"m\partial_t^2 x = -\lambda\frac{x}{\sqrt{x^2 + y^2}}",
    r"m\partial_t^2 y = -m g - \lambda\frac{y}{\sqrt{x^2 + y^2}}", r"\sqrt{x^2 + y^2} - L = 0",
    r"\phi = \arctan\frac{x}{y}",
)  # fmt: skip
"""Also as it is without the constraint, and with where it hangs."""
ROPE = (r"m_1\ddot x_1 = m_1 g - T", r"m_2\ddot x_2 = m_2 g - T", "x_1 + x_2 = l")
DOUBLE = (
    r"m_1\ddot x_1 = -2\lambda_1 x_1 + 2\lambda_2 (x_2 - x_1)",
    r"m_1\ddot y_1 = -m_1 g - 2\lambda_1 y_1 + 2\lambda_2 (y_2 - y_1)",
    r"m_2\ddot x_2 = -2\lambda_2 (x_2 - x_1)",
    r"m_2\ddot y_2 = -m_2 g - 2\lambda_2 (y_2 - y_1)",
    "x_1^2 + y_1^2 = l_1^2",
    "(x_2 - x_1)^2 + (y_2 - y_1)^2 = l_2^2",
)

SLIDER = (
    r"x_2 - b\sin\theta - x_1 - a = 0", r"y_2 + b\cos\theta = 0",
    r"m_1\ddot x_1 = F - \lambda_1", r"m_2\ddot x_2 = \lambda_1",
    r"m_2\ddot y_2 = -m_2 g + \lambda_2",
    r"I\ddot\theta = -\lambda_1 b\cos\theta - \lambda_2 b\sin\theta + T",
    r"\dot x_2 = v", r"m_2\dot v = \lambda_1",
)  # fmt: skip
"""Also with a letter for a rate, which makes no definition of a law of motion."""


def _page(formulas: tuple[str, ...], folder: Path) -> Path:
    page = folder / "page.md"
    page.write_text("\n\n".join(f"$${one}$$" for one in formulas), encoding="utf-8")
    return page


@pytest.mark.one_in(2)
@pytest.mark.exhaustive("a multiplier", "a sphere")
@pytest.mark.parametrize(
    ("formulas", "multipliers"),
    [
        (PENDULUM, {r"\lambda": "-multiplier.by_multiplier"}),
        (TENSION, {"T": "(-2*l)*multiplier.by_T"}),
        (DIVIDED, {r"\lambda": "(-2)*multiplier.by_multiplier"}),
        (SPHERE, {r"\lambda": "(2)*multiplier.by_multiplier"}),
        (ROPE, {"T": "-multiplier.by_T"}),
        (DOUBLE, {rf"\lambda_{n}": f"-multiplier.by_lambda{n}" for n in (1, 2)}),
        (SLIDER, {rf"\lambda_{n}": f"multiplier.by_lambda{n}" for n in (1, 2)}),
    ],
    ids=["a multiplier", "a tension", "divided by the mass", "a sphere", "a rope", "two", "bodies"],
)
def test_what_multipliers_hold_is_built_and_the_page_holds_in_it(
    tmp_path: Path, formulas: tuple[str, ...], multipliers: dict[str, str]
) -> None:
    found = adopt(_page(formulas, tmp_path))
    labels = {f"(#{n})" for n in range(1, len(formulas) + 1)}
    assert {*found.models[0].fits} == labels
    assert not found.models[0].fails
    meant = {one.symbol: one.meaning for one in found.symbols}
    assert {key: meant[key] for key in multipliers} == multipliers
    assert found.path is not None
    (report,) = check(found.path).documents
    assert {one.label for one in report.equations if one.status == "holds"} == labels
    assert found.model_path is not None
    model, ring = load(found.model_path), Ring()
    derived = [derive(model, method, ring) for method in METHODS]
    assert all(one.equal and one.proof == "exact" for one in agreement(derived).values())


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "formulas",
    [
        (PENDULUM[0], r"m\ddot y = -m g - 2\lambda x", PENDULUM[2]),
        (PENDULUM[0], PENDULUM[1], "x^2 + y^3 = L^2"),
    ],
    ids=["another letter", "the constraint"],
)
def test_what_does_not_act_along_the_gradient_is_no_constraint(
    tmp_path: Path, formulas: tuple[str, ...]
) -> None:
    models = recognise(read_bare(_page(formulas, tmp_path), "none")).models
    assert not any("constraints" in one.made.text for one in models)


@pytest.mark.parametrize(
    "formulas",
    [
        (
            r"L = \frac12 m(\dot x^2 + \dot y^2) - m g y + \lambda(x^2 + y^2 - l^2)",
            r"m\ddot x = 2\lambda x",
            r"m\ddot y = -m g + 2\lambda y",
        ),
        (
            r"L = \frac m2(u^2 + v^2) - m g y + \frac\lambda2(x^2 + y^2 - l^2)",
            r"0 = m\dot u - \lambda x",
            r"0 = m\dot v + m g - \lambda y",
            r"0 = \dot x - u",
            r"0 = \dot y - v",
        ),
    ],
    ids=["rates", "speeds"],
)
def test_a_lagrangian_with_multipliers_has_the_constraints(
    tmp_path: Path, formulas: tuple[str, ...]
) -> None:
    (best,) = recognise(read_bare(_page(formulas, tmp_path), "none")).models
    assert "constraints" in best.made.text
    assert {"(#1)", "(#2)", "(#3)"} == {*best.fits}


def test_what_is_not_held_yet_and_where_it_is_are_no_part_of_a_constraint(tmp_path: Path) -> None:
    (best,) = recognise(read_bare(_page(UNIT, tmp_path), "none")).models
    assert {"(#3)", "(#4)", "(#5)"} <= {*best.fits}
    assert {"(#1)", "(#2)"} == {*best.fails}


@pytest.mark.parametrize(
    "formulas",
    [
        (r"m\ddot x = \lambda\sin\phi", r"m\ddot y = -\lambda\cos\phi + m g\sin\alpha",
         r"J\ddot\phi = 0", r"\dot x\sin\phi - \dot y\cos\phi = 0"),
        (r"\dot x = u", r"\dot y = v", r"m\dot u = \lambda\sin\phi",
         r"m\dot v = -\lambda\cos\phi", r"J\ddot\phi = M", r"0 = u\sin\phi - v\cos\phi"),
        (r"\dot x = v\cos\phi", r"\dot y = v\sin\phi",
         r"m\ddot x = \lambda\sin\phi + F\cos\phi",
         r"m\ddot y = -\lambda\cos\phi + F\sin\phi", r"J\ddot\phi = M"),
    ],
    ids=["rates", "speeds", "directions"],
)  # fmt: skip
def test_a_knife_edge_is_a_constraint_of_speeds(tmp_path: Path, formulas: tuple[str, ...]) -> None:
    found = adopt(_page(formulas, tmp_path))
    assert {"(#3)", "(#4)", f"(#{len(formulas)})"} <= {*found.models[0].fits}
    assert not found.models[0].fails
    assert found.model_path is not None
    model, ring = load(found.model_path), Ring()
    assert [one.type for one in model.constraints] == ["nonholonomic"]
    derived = [derive(model, method, ring) for method in METHODS]
    assert all(one.equal and one.proof == "exact" for one in agreement(derived).values())


def test_equations_of_constants_alone_hold_nothing(tmp_path: Path) -> None:
    formulas = (r"m\ddot u + c\dot u + k u = F", r"P = k\ell", r"F_m = -k(\ell + u)")
    models = recognise(read_bare(_page(formulas, tmp_path), "none")).models
    assert models
    assert not any("constraints" in one.made.text for one in models)
