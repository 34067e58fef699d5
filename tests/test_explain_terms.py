"""Equations to paste read back to the same, and terms are traced to where they come from."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy
from click.testing import CliRunner

import freebody
from freebody.algebra import equal
from freebody.algebra.expressions import lookup, read
from freebody.cli import main
from freebody.errors import DerivationError
from freebody.explaining.document import toml
from freebody.explaining.paste import align, pasted
from freebody.explaining.widths import length
from freebody.mechanics import agreement, in_symbols

# ---------------------------------------------------------------------- to paste


@pytest.mark.exhaustive("slider_crank-True-84", "spinning_top-False-24")
@pytest.mark.each_once
@pytest.mark.parametrize("width", [24, 84])
@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("model", ["two_link", "slider_crank", "chaplygin_sleigh", "spinning_top"])
def test_what_is_pasted_reads_back(model: str, short: bool, width: int, tmp_path: Path) -> None:
    equations = freebody.derive(model)
    symbols = pasted(equations, short=short).notation
    text = align(equations, width=width, short=short)
    front = toml({"title": "Pasted", "model": model, "symbols": symbols.declared})
    path = tmp_path / "pasted.tex"
    lines = "".join(f"% {line}\n" for line in ("+++", *front.splitlines(), "+++"))
    path.write_text(f"{lines}\\begin{{document}}\n{text}\n\\end{{document}}\n", encoding="utf-8")
    (report,) = freebody.check(path).documents
    assert dict(report.counts()) == {"holds": len(report.equations)}
    assert not report.unused
    assert len(report.equations) >= text.count("label{")


def test_lines_are_as_long_as_asked_for() -> None:
    equations = freebody.derive("three_link_arm")
    shorter, longer = (align(equations, width=width).splitlines() for width in (40, 100))
    assert len(shorter) > len(longer)
    assert max(length(line) for line in shorter if "+" in line) < 75


@pytest.mark.parametrize("model", ["three_link_arm", "cart_pendulum"])
def test_no_line_pushes_the_others_aside(model: str) -> None:
    rows = align(freebody.derive(model)).splitlines()[1:-1]
    assert max(length(row.partition("&")[0]) for row in rows) < 6


def test_what_is_zero_is_left_out() -> None:
    text = align(freebody.derive("cart_pendulum"))
    assert "C_{2}" not in text
    assert "E_{1}" not in text
    assert r"\begin{bmatrix} C_{1} \\ 0 \end{bmatrix}" in text


def test_abbreviations_are_collected_behind() -> None:
    told = CliRunner().invoke(main, ["derive", "two_link", "--latex", "--short"])
    equations, where = told.output.split("where")
    assert r"\sin" not in equations
    assert r"s_{12} = \sin(\alpha_{1} + \alpha_{2})" in where


def test_every_equation_has_a_label_of_its_own() -> None:
    text = align(freebody.derive("four_bar"))
    labels = [part.partition("}")[0] for part in text.split(r"\label{")[1:]]
    assert len(labels) == len(set(labels)) > 10


TIPPED = """
title = "A pendulum on a slope that tips, lifted"
gravity = [0, "-g", 0]
[coordinates]
th = { title = "swing", unit = "rad", initial = 0.5 }
[prescribed]
z = { title = "lift", unit = "m", value = "l*cos(w*t)" }
phi = { title = "slope", unit = "rad", value = "sin(w*t)" }
[constants]
w = { title = "circular frequency", unit = "rad/s", value = 6 }
m = { title = "mass", unit = "kg", value = 1 }
l = { title = "length", unit = "m", value = 0.4 }
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "lift"
mass = 0
[[bodies]]
name = "slope"
mass = 0
[[bodies]]
name = "bob"
mass = "m"
center_of_mass = [0, "-l", 0]
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "lift"
axis = "y"
displacement = "z"
[[joints]]
name = "tip"
type = "pin"
parent = "lift"
child = "slope"
angle = "phi"
[[joints]]
name = "hinge"
type = "pin"
parent = "slope"
child = "bob"
at = ["l", 0, 0]
angle = "th"
"""


def test_prescribed_motions_are_printed_by_their_symbols(tmp_path: Path) -> None:
    path = tmp_path / "tipped.toml"
    path.write_text(TIPPED, encoding="utf-8")
    told = CliRunner().invoke(main, ["derive", str(path), "--method", "all"]).output
    assert "G[1] = g*l*m*sin(phi + th)\n" in told
    assert "phi = sin(t*w)\n" in told
    assert told.count("agree (exact)") == 3
    text = align(freebody.derive(path))
    assert r"\ddot{\phi}" in text
    assert r"z &= l \cos(w t) \label{eq:z}" in text


def test_lagrange_takes_them_as_moving_at_points_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tipped.toml"
    path.write_text(TIPPED, encoding="utf-8")
    monkeypatch.setattr("freebody.mechanics.derivation._written", lambda _: [])
    derived = [freebody.derive(in_symbols(path), method) for method in ("kane", "lagrange")]
    (compared,) = agreement(derived).values()
    assert compared
    assert "prime field" in compared.proof


# ---------------------------------------------------------------------- terms


@pytest.mark.few("alpha1_dot*alpha2_dot", "g*m_p", "Fey")
@pytest.mark.parametrize(
    ("model", "term"),
    [
        ("two_link", "alpha1_dot*alpha2_dot"),
        ("three_link_arm", "alpha2_dot**2"),
        ("three_link_arm", "alpha3_ddot"),
        ("spinning_top", "phi_dot*psi_dot"),
        ("cart_pendulum", "g*m_p"),
        ("two_link", "Fey"),
    ],
)
def test_the_parts_of_a_term_add_up_to_its_coefficient(model: str, term: str) -> None:
    equations = freebody.derive(model)
    names = equations.mechanism.names
    known = lookup({**names.symbols, **names.accelerations})
    left = equations.M * sympy.Matrix(equations.mechanism.accelerations)
    left = left + equations.C + equations.G + equations.E - equations.tau
    rows = dict(zip(names.speeds, left, strict=True))
    for origin in freebody.explain_term(model, term):
        coefficient = read(origin.coefficient, known)
        assert equal(coefficient, sympy.Add(*(read(part.value, known) for part in origin.parts)))
        for part in origin.parts:
            product = read(part.strength, known) * read(part.lever, known)
            assert equal(product, read(part.value, known))
        slope = rows[origin.equation]
        for factor, power in read(term, known).as_powers_dict().items():
            slope = sympy.diff(slope, factor, power) / sympy.factorial(power)
        at_rest = dict.fromkeys((*names.speeds.values(), *names.inputs.values()), 0)
        assert equal(slope.subs(at_rest).doit(), coefficient)


def test_a_coriolis_term_is_of_the_outer_body() -> None:
    first, second = freebody.explain_term("two_link", "alpha1_dot*alpha2_dot")
    assert (first.coefficient, second.coefficient) == ("-2*L1*d2*m2*sin(alpha2)", "0")
    assert {part.source for part in first.parts} == {"link2"}
    assert all(part.what.startswith("Coriolis") for part in first.parts)


@pytest.mark.parametrize(
    ("term", "message"),
    [
        ("alpha1", "expected a product of speeds"),
        ("alpha1_dot + alpha2_dot", "expected a product of speeds"),
        ("alpha1_dot*T1", "comes into no equation"),
    ],
)
def test_what_is_no_term_is_told(term: str, message: str) -> None:
    with pytest.raises(DerivationError, match=message):
        freebody.explain_term("two_link", term)


def test_the_command_tells_where_a_term_comes_from() -> None:
    told = CliRunner().invoke(main, ["explain", "two_link", "--term", "alpha1_dot*alpha2_dot"])
    assert "times lever: -L1*sin(alpha1) - d2*sin(alpha1 + alpha2)" in told.output
