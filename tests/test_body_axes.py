"""Terms that are named in equations of motion along the axes of a body, with its own speeds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import rows
from freebody.checking.report import EquationVerdict
from freebody.documents import read_document
from freebody.model import load
from freebody.reporting.words import wrong_terms

MODEL = Path(__file__).parent / "pages" / "rotorcraft.toml"
SYMBOLS = {name: name for name in ("u", "v", "w", "p", "q", "r", "T", "m", "g")} | {
    r"\theta": "theta", r"\phi": "phi", "I_x": "Ix", "I_y": "Iy", "I_z": "Iz",
}  # fmt: skip


@cache
def quantities() -> Quantities:
    return Quantities(load(MODEL))


def verdict(equation: str, folder: Path) -> EquationVerdict:
    declared = "\n".join(f"'{key}' = '{value}'" for key, value in SYMBOLS.items())
    page = folder / "page.md"
    head = f"title = 'A page'\nmodel = 'rotorcraft'\n[symbols]\n{declared}"
    page.write_text(f"+++\n{head}\n+++\n$$ {equation} $$\n")
    (found,) = check_document(read_document(page), quantities()).equations
    return found


def named(found: EquationVerdict) -> list[str]:
    terms = [term.latex for term in found.terms if term.verdict != "right"]
    listed = [one.latex for one in wrong_terms(found) if one.latex]
    assert listed == terms
    return terms


@pytest.mark.exhaustive
def test_equations_of_motion_have_no_denominators_that_divide_out() -> None:
    assert max(len(row.terms) for row in rows(quantities().equations)) <= 8


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "equation",
    [
        r"\dot w = qu - pv - g[\cos\theta\cos\phi] + \frac{T}{m}",
        r"\dot u = rv - qw + g\sin\theta",
        r"\dot p = \frac{I_y - I_z}{I_x} q r",
    ],
)
def test_the_equations_along_the_axes_of_the_body_hold(equation: str, tmp_path: Path) -> None:
    assert verdict(equation, tmp_path).status == "holds"


@pytest.mark.parametrize("weight", [r"g[\cos\theta\cos\phi]", r"g\cos\theta\cos\phi"])
def test_a_missing_term_is_named_and_no_other(weight: str, tmp_path: Path) -> None:
    found = verdict(rf"\dot w = qu - pv - {weight}", tmp_path)
    assert named(found) == []
    (difference,) = found.differences
    assert (difference.term, difference.kind) == ("T/m", "missing")
    assert found.repairs[0].edits[0].proposed.strip() == r"+ \frac{T}{m}"


@pytest.mark.parametrize(
    ("equation", "wrong", "units"),
    [
        (r"\dot w = pv - qu - g\cos\theta\cos\phi", ["pv", "- qu"], ["", ""]),
        (r"\dot w = qu - 2pv + \frac{T}{m}", ["- 2pv"], [""]),
        (r"\dot u = rv - qw + g\sin\theta + \frac{T}{m}", [r"+ \frac{T}{m}"], [""]),
        (r"\dot u = rv - qw + g\sin\theta + T", ["+ T"], ["kg*m/s**2"]),
        (
            r"\dot u = rv - qw + g\sin\theta + \frac{T}{m} + 7 q^2\sin(3\theta)",
            [r"+ \frac{T}{m}", r"+ 7 q^2\sin(3\theta)"],
            ["", "1/s**2"],
        ),
    ],
)
def test_of_several_wrong_terms_each_is_named_with_its_unit_and_no_other(
    equation: str, wrong: list[str], units: list[str], tmp_path: Path
) -> None:
    found = verdict(equation, tmp_path)
    assert named(found) == wrong
    assert [one.dimension for one in found.terms if one.verdict != "right"] == units
    assert not [one for one in found.differences if one.term.endswith("_dot")]
