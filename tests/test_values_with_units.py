"""Values with a unit in letters that stand for quantities of the page as well."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import EquationVerdict
from freebody.documents import read_document
from freebody.model import loads

MODEL = """
title = "A block on a spring"
coordinates = { x = { title = "place", unit = "m" } }
inputs = { F = { title = "push", unit = "N" } }
[constants]
m = { title = "mass", unit = "kg", value = 0.5 }
k = { title = "stiffness", unit = "N/m", value = 3 }
l = { title = "rest length", unit = "m", value = 2 }
g = { title = "gravity", unit = "m/s^2", value = 9.81 }
N = { title = "a force", unit = "N", value = 4 }
s = { title = "slope", unit = "m", value = 2 }
[[bodies]]
name = "block"
mass = "m"
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "block"
displacement = "x"
force = "F"
[[springs]]
joint = "rail"
stiffness = "k*s/s"
rest = "l"
[[forces]]
on = "block"
vector = ["N - m*g", 0, 0]
"""
PAGE = """+++
title = "A page"
model = "model.toml"
symbols = { m = "m", k = "k", l = "l", g = "g", N = "N", s = "s", F = "F", x = "x" }
+++
"""


@cache
def quantities() -> Quantities:
    return Quantities(loads(MODEL))


def verdict(equation: str, folder: Path) -> EquationVerdict:
    page = folder / "page.md"
    page.write_text(f"{PAGE}$$ {equation} $$\n")
    (found,) = check_document(read_document(page), quantities()).equations
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("space", [r"\,", " ", "~", r"\;"])
@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("m = 500@g", "m = 510@g"),
        ("m = 0.5@kg", "m = 0.4@kg"),
        ("l = 2@m", "l = 3@m"),
        ("l = 200@cm", "l = 210@cm"),
        ("k = 3@N/m", "k = 2@N/m"),
        (r"k = 3@\frac{N}{m}", r"k = 4@\frac{N}{m}"),
        ("N = 4@N", "N = 5@N"),
        ("g = 9.81@m/s^2", "g = 9.18@m/s^2"),
        ("m g = 4.905@N", "m g = 4.509@N"),
        ("500@g = m", "600@g = m"),
    ],
)
def test_a_number_with_a_unit_of_the_quantity_is_a_value(
    value: str, other: str, space: str, tmp_path: Path
) -> None:
    right, wrong = (verdict(one.replace("@", space), tmp_path) for one in (value, other))
    assert (right.status, right.surprise) == ("holds", "")
    assert any("unit" in told for told in right.readings)
    assert wrong.status == "differs"
    assert len(wrong.repairs) >= 1
    assert {edit.kind for edit in wrong.repairs[0].edits} == {"factor"}


@pytest.mark.parametrize("equation", ["2 l k = 2 N", r"m\ddot x = 2 m", "F = 3 g", "F = 2 m g"])
def test_where_the_dimension_is_another_it_is_a_product(equation: str, tmp_path: Path) -> None:
    found = verdict(equation, tmp_path)
    assert found.status == "differs"
    assert not any("unit" in told for told in found.readings)


@pytest.mark.parametrize(
    "value",
    [
        "F = 20@N",
        "x = 2@m",
        r"F = 20@\mathrm{N}",
    ],
)
def test_a_value_of_what_moves_is_a_case(value: str, tmp_path: Path) -> None:
    found = verdict(value.replace("@", r"\,"), tmp_path)
    assert found.status == "not checked"


@pytest.mark.parametrize(
    ("equation", "told"),
    [
        (r"g = 9.81\,m/s", "'9.81' is in m/s, not in m/s**2"),
        (r"m = 0.5\,\mathrm{m}", "'0.5' is in m, not in kg"),
        (r"k = 3\,\mathrm{N\,m}", "'3' is in kg*m**2/s**2, not in kg/s**2"),
        (r"m g = 4.905\,\mathrm{J}", "'4.905' is in kg*m**2/s**2, not in kg*m/s**2"),
        (r"g = 9.81\,\mathrm{N/kg}", ""),
        (r"k = 3\,\mathrm{kg/s^2}", ""),
        (r"g = 9.81\,\si{\metre\per\second\squared}", ""),
    ],
)
def test_a_wrong_unit_of_a_right_number_is_news(equation: str, told: str, tmp_path: Path) -> None:
    found = verdict(equation, tmp_path)
    assert (found.status, found.surprise) == ("holds", told)
