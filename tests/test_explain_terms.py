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

# ---------------------------------------------------------------------- to paste


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


# ---------------------------------------------------------------------- terms


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
