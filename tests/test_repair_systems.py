"""Classes of misprints, each put into published equations of several systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from repair_systems import (
    BIFILAR,
    CART_POLE,
    DOUBLE_PENDULUM,
    ECCENTRIC_ROLLER,
    ROD,
    ROLLER,
    SPHERICAL_PENDULUM,
    UNIFORM_ROD,
    System,
    judged,
    same,
)

SYSTEMS = [
    BIFILAR,
    CART_POLE,
    DOUBLE_PENDULUM,
    SPHERICAL_PENDULUM,
    ROD,
    ROLLER,
    ECCENTRIC_ROLLER,
    UNIFORM_ROD,
]


MISPRINTS: list[tuple[str, System, str, list[tuple[str, str]]]] = [
    ("a missing term", CART_POLE, "row", [(r"- m l \dot{\theta}^2 \sin\theta", "")]),
    ("a missing term", CART_POLE, "energy", [(r"+ m l \dot{x} \dot{\theta} \cos\theta", "")]),
    ("a missing term", CART_POLE, "x", [(r" + g \cos\theta", "")]),
    ("a missing term", DOUBLE_PENDULUM, "energy", [(r"+ L_2^2 \dot{\theta}_2^2", "")]),
    ("a missing term", SPHERICAL_PENDULUM, "theta", [(r"- \frac{g}{l} \sin\theta", "")]),
    ("a missing term", ROD, "1", [(r"- c \dot{\theta}", "")]),
    ("a missing term", ROD, "1", [(r"I + m d^2", "I")]),
    ("a missing factor", CART_POLE, "x", [(r"F + m \sin\theta (", r"F + \sin\theta (")]),
    ("a missing factor", CART_POLE, "theta", [("{l (M + m", "{(M + m")]),
    ("a missing factor", CART_POLE, "theta", [(r"(M + m) g \sin", r"g \sin")]),
    ("a missing factor", DOUBLE_PENDULUM, "1", [(r"2 \sin(\theta_1 - \theta_2) m_2", r"2 m_2")]),
    (
        "a missing factor",
        DOUBLE_PENDULUM,
        "2",
        [(r"g (m_1 + m_2) \cos\theta_1", r"g \cos\theta_1")],
    ),
    ("a missing factor", SPHERICAL_PENDULUM, "theta", [(r"\sin\theta \cos\theta", r"\sin\theta")]),
    ("a missing factor", SPHERICAL_PENDULUM, "phi", [(r"2 \dot", r"\dot")]),
    ("a missing factor", ROD, "1", [(r"m d^2}", "d^2}")]),
    ("a square dropped", CART_POLE, "x", [(r"m \sin^2\theta", r"m \sin\theta")]),
    ("a square dropped", CART_POLE, "theta", [(r"\sin^2\theta", r"\sin\theta")]),
    ("a square dropped", SPHERICAL_PENDULUM, "energy", [(r"\sin^2\theta", r"\sin\theta")]),
    ("a square dropped", DOUBLE_PENDULUM, "2", [(r"\dot{\theta}_2^2", r"\dot{\theta}_2")]),
    ("a square dropped", ROD, "1", [("d^2", "d")]),
    ("a letter read as a digit", ROD, "1", [("{I + m", "{1 + m")]),
    ("a letter read as a digit", ROD, "2", [("(I + m", "(1 + m")]),
    ("a letter read as a digit", CART_POLE, "theta", [("{l (M", "{1 (M")]),
    ("a sign dropped", CART_POLE, "x", [("{M + m", "{M m")]),
    ("a sign dropped", CART_POLE, "row", [("(M + m)", "(M m)")]),
    ("a sign dropped", DOUBLE_PENDULUM, "2", [(r"(m_1 + m_2)" + " +", "(m_1 m_2) +")]),
    ("a sign dropped", ROD, "2", [(r"+ k \theta", r"k \theta")]),
    ("a sign and a term", ROD, "1", [(r"- k \theta", r"+ k \theta"), (r"- c \dot{\theta}", "")]),
    (
        "a sign and a term",
        CART_POLE,
        "row",
        [("= F", "= -F"), (r"+ m l \ddot{\theta} \cos\theta", "")],
    ),
    ("two in a fraction", CART_POLE, "x", [("g \\cos", "g \\sin"), ("\\sin^2", "\\cos^2")]),
    ("two in a fraction", CART_POLE, "theta", [("-F", "F"), ("M + m \\sin", "M - m \\sin")]),
    ("an exponent", CART_POLE, "uncancelled", [("m l^4 - m^2 l^4", "m l^4 - m^2 l^2")]),
    ("an exponent", CART_POLE, "uncancelled", [(r"m^2 l^4\dot", r"m^2 \dot")]),
    ("an exponent", CART_POLE, "uncancelled", [("m l^4 - m", "m l - m")]),
    ("a squared bracket", CART_POLE, "squares", [(r"\sin\theta)^2", r"\sin\theta)")]),
    ("a squared bracket", CART_POLE, "squares", [(r"x + l\dot", r"x + \dot")]),
    ("a squared bracket", CART_POLE, "squares", [(r"(\dot x + l", "(l")]),
    ("a function", SPHERICAL_PENDULUM, "tangent", [(r"\tan", r"\cos")]),
    ("a function", SPHERICAL_PENDULUM, "tangent", [(r"\tan", r"\cot")]),
    (
        "within an angle",
        DOUBLE_PENDULUM,
        "1",
        [(r"\theta_1 - 2 \theta_2)", r"\theta_1 - \theta_2)")],
    ),
    ("all on one side", ECCENTRIC_ROLLER, "1", [("mge", "mgR")]),
    ("all on one side", ECCENTRIC_ROLLER, "1", [("mRe", "mR")]),
    ("all on one side", ECCENTRIC_ROLLER, "1", [("R^2+e^2", "R^2+R^2")]),
    ("numbers of a fraction", UNIFORM_ROD, "solved", [(r"\frac{3g}{2L}", r"\frac{2g}{3L}")]),
    ("numbers of a fraction", UNIFORM_ROD, "solved", [("{3g}", "{g}")]),
    ("numbers of a fraction", UNIFORM_ROD, "1", [(r"\frac13", r"\frac{1}{12}")]),
    ("two in a fraction", ROD, "1", [("g d", "g"), ("d^2", "d")]),
    ("beside a root", BIFILAR, "rate", [("R^2", "R")]),
    ("beside a root", BIFILAR, "rate", [("-", "")]),
    ("beside a root", BIFILAR, "frequency", [("R ", "L ")]),
    ("beside a root", BIFILAR, "period", [(r"2 \pi", r"4 \pi")]),
    ("a square dropped", BIFILAR, "inertia", [(r"\pi^2", r"\pi")]),
    ("a square dropped", BIFILAR, "inertia", [("R^2", "R")]),
    ("a square dropped", BIFILAR, "inertia", [("T^2", "T")]),
    ("below a root", BIFILAR, "h", [("4 R^2", "2 R^2")]),
    ("a number too many", BIFILAR, "rate", [("R^2", "2 R^2")]),
    ("below a root", ROLLER, "frequency", [("2k", "k")]),
    ("below a root", ROLLER, "frequency", [("3m", "2m")]),
    ("below a root", ROLLER, "period", [("3m", "m")]),
    ("below a root", ROLLER, "damping", [("6km", "4km")]),
    ("below a root", ROLLER, "damping", [("6km", "6m")]),
    ("beside a root", ROLLER, "period", [(r"2\pi", r"\pi")]),
    ("a number without braces", ROLLER, "row", [(r"\tfrac32", r"\tfrac12")]),
    ("a bracket and a sign", CART_POLE, "row", [("(M + m)", "M (- m)")]),
    ("a bracket and a sign", DOUBLE_PENDULUM, "2", [("(m_1 + m_2)" + " +", "m_1 (- m_2) +")]),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_published_equations_hold(system: System, tmp_path: Path) -> None:
    statuses = {v.label: v.status for v in system.checker(tmp_path).verdicts()}
    assert set(statuses.values()) == {"holds"}, statuses


@pytest.mark.each_once("kind", "system")
@pytest.mark.parametrize(("kind", "system", "label", "edits"), MISPRINTS)
def test_the_first_repair_is_the_equation_as_published(
    kind: str, system: System, label: str, edits: list[tuple[str, str]], tmp_path: Path
) -> None:
    checker, original = system.checker(tmp_path), system.equations[label]
    latex = original
    for before, after in edits:
        assert before in latex, kind
        latex = latex.replace(before, after, 1)
    judgement = judged(checker, latex)
    assert not judgement.holds
    assert judgement.repairs, latex
    assert same(checker, judgement.repairs[0].latex, original), judgement.repairs[0].latex
    if any(edit.kind != "missing" for edit in judgement.repairs[0].edits):
        assert any(term.verdict != "right" for term in judgement.terms)
