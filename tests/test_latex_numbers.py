"""Numbers as they are printed: powers of ten, thousands, units and degrees behind them."""

from __future__ import annotations

import pytest

from freebody.checking.guesses.symbols import Open
from freebody.documents.latex import Declared, Relation, read_page
from freebody.documents.latex.tree import show

NAMES = ["A", "E", "L", "N", "T", "a", "b", "c", "e", "g", "k", "m", "s", "x"]
DECLARED = Declared(NAMES, varying=lambda key: key == "x")


def read(latex: str, declared: Declared = DECLARED) -> Relation:
    (display,) = read_page(f"$$A = {latex}$$", declared)
    (relation,) = display.relations
    assert isinstance(relation, Relation), relation
    return relation


def tree(latex: str, declared: Declared = DECLARED) -> str:
    return show(read(latex, declared).right)


@pytest.mark.parametrize(
    "latex",
    [
        r"5.1\times 10^{-2}",
        r"5.1\cdot 10^{-2}",
        r"5.1 * 10^{-2}",
        r"5.1×10^{-2}",
        r"5.1\,10^{-2}",
        r"5.1 10^{-2}",
        r"5{,}1\cdot 10^{-2}",
        r"51\times10^{-3}",
        "5.1e-2",
        "5.1E-2",
        "5.1E-02",
        r"5.1\mathrm{e}{-2}",
        r"5.1\mathrm{E}-2",
        r"\num{5.1e-2}",
        r".051",
    ],
)
def test_a_power_of_ten_is_part_of_its_number(latex: str) -> None:
    assert tree(latex) == "51/1000"
    assert tree(rf"{latex}\, b") == "(51/1000*b)"


@pytest.mark.parametrize(
    ("latex", "written"),
    [
        (r"5.1\times 10", "(51/10 x 10)"),
        (r"2\times 10^{b}", "(2 x (10^b))"),
        (r"2 e", "(2*e)"),
        (r"2E b", "(2*E*b)"),
        (r"b\times 10^{-2}", "(b x (10^(-2)))"),
        ("1e3", "(1*e*3)"),
    ],
)
def test_what_is_no_power_of_ten_is_a_product(latex: str, written: str) -> None:
    assert tree(latex) == written


def test_an_e_that_is_declared_may_be_a_factor() -> None:
    relation = read("5.1e-2")
    assert "is read as a number" in relation.readings[0]
    assert [show(other.right) for other in relation.others] == ["(+(51/10*e) -2)"]
    assert not read("5.1e-2", Declared(["A"], varying=lambda _: False)).readings


UNITS = [
    ("9.81", r"\mathrm{m/s^2}", ""),
    ("9.81", r"\mathrm{\frac{m}{s^2}}", ""),
    ("9.81", r"\frac{\mathrm m}{\mathrm s^2}", ""),
    ("9.81", r"\text{m}\cdot\text{s}^{-2}", ""),
    ("9.81", r"\si{\metre\per\second\squared}", ""),
    ("0.5", r"\mathrm{kg}\,\mathrm{m}^2", ""),
    ("0.5", r"\mathrm{N\,m/rad}", ""),
    ("0.5", r"\mathrm{Nms}", ""),
    ("35", r"\mathrm{cm}", "1/100"),
    ("35", r"\text{ cm}", "1/100"),
    ("35", r"\si{\centi\metre}", "1/100"),
    ("350", r"\mathrm{g}", "1/1000"),
    ("5", r"\mathrm{N/mm}", "1000"),
    ("5", r"\mathrm{kN/m}", "1000"),
    ("12", r"\mathrm{cm^2}", "1/10000"),
    ("3", r"\mathrm{N/(mm\,s)}", "1000"),
    ("35", r"\%", "1/100"),
]


@pytest.mark.parametrize(("number", "unit", "factor"), UNITS)
@pytest.mark.parametrize("space", [r"\,", "~", r"\ ", " "])
def test_a_unit_is_a_factor_of_its_number(number: str, unit: str, factor: str, space: str) -> None:
    relation = read(f"{number}{space}{unit}")
    plain = tree(number)
    assert show(relation.right) == (f"({plain}*{factor})" if factor else plain)
    assert "passed over" in relation.readings[0] or f"times {factor}" in relation.readings[0]


@pytest.mark.parametrize(
    ("again", "is_same"),
    [
        (r"\quad(23.2\ \text{Hz})", True),
        (r"\ (\approx 23{,}2\,\mathrm{s^{-1}})", True),
        (r"\,(2\,\mathrm{kg})", False),
    ],
)
def test_a_value_that_is_said_again_in_another_unit_is_no_factor(
    again: str, *, is_same: bool
) -> None:
    relation = read(rf"146\ \text{{rad/s}}{again}")
    assert show(relation.right) == ("146" if is_same else "(146*2)")
    assert any("the same in another unit" in one for one in relation.readings) is is_same


@pytest.mark.parametrize(
    ("latex", "taken", "other"),
    [
        (r"0.35\,m", "7/20", "(7/20*m)"),
        ("0.35 m", "7/20", "(7/20*m)"),
        ("0.35m", "7/20", "(7/20*m)"),
        (r"-0.35\,m", "(-7/20)", "(-(7/20*m))"),
        ("9.81 m/s^2", "981/100", "((981/100*m)/(s^2))"),
        (r"9.81\,ms^{-2}", "981/100", "(981/100*m*(s^(-2)))"),
        (r"35\,cm", "(35*1/100)", "(35*c*m)"),
        (r"0.5\,[m]", "1/2", "(1/2*m)"),
        ("2 N m", "(2*N*m)", "2"),
        ("2kg", "(2*k*g)", "2"),
        ("2m", "(2*m)", "2"),
        (r"\frac{k}{2\,m}", "(k/(2*m))", "(k/2)"),
        (r"\left(2\,m\right)", "(2*m)", "2"),
    ],
)
def test_a_unit_may_be_a_product_of_names(latex: str, taken: str, other: str) -> None:
    relation = read(latex)
    assert show(relation.right) == taken
    assert [show(one.right) for one in relation.others] == [other]
    assert "is read as" in relation.readings[0]


@pytest.mark.parametrize("latex", ["2mg", r"2\,m\,g", "2 L", "2 m g b", "m g 2 m", "2 b", "2 k g"])
def test_a_product_of_names_is_no_unit(latex: str) -> None:
    assert not read(latex).readings
    assert not read(latex).others


@pytest.mark.parametrize(
    ("latex", "read_as"),
    [
        (r"\gamma = \frac{c}{2m}", "(c/(2*m))"),
        (r"\gamma = c/(2 m)", "(c/(2*m))"),
        (r"\gamma = \frac{c}{2\,m}", "(c/(2*m))"),
        (r"\gamma = \frac{g}{2mg}", "(g/(2*m*g))"),
        (r"v = \frac{2.5m}{4}", "(5/2/4)"),
        ("l = 2m", "2"),
    ],
)
def test_what_stands_in_a_part_of_a_formula_is_rather_no_unit(latex: str, read_as: str) -> None:
    """Where nothing says what m is: two metres below a fraction bar are seldom meant."""
    (display,) = read_page(f"$$ {latex} $$", Open())
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    assert show(relation.right) == read_as


DEGREES = [
    *(r"90^\circ", r"90^{\circ}", "90°", "90º", r"90\degree", r"90\,\mathrm{deg}", r"90 \deg"),
    *("90^o", "90^{o}", r"90^\mathrm{o}", r"90^{\rm o}", r"90^{\text{o}}", r"90\text{°}"),
    *(r"90\textdegree", "90^0"),
]


@pytest.mark.parametrize("latex", DEGREES)
def test_degrees_are_degrees(latex: str) -> None:
    assert tree(latex) == "degrees(90)"
    assert tree(rf"b + {latex}") == "(+b +degrees(90))"
    assert tree(rf"\cos(x - {latex})") == "cos((+x -degrees(90)))"


@pytest.mark.parametrize("latex", [r"\sin 30", r"\sin{30}", r"\sin(30)"])
def test_a_sine_of_many_is_one_of_degrees(latex: str) -> None:
    assert tree(latex) == "sin(degrees(30))"
    assert tree(r"\sin 2 b") != "sin(degrees(2))"


def test_a_zero_for_degrees_may_be_a_power() -> None:
    assert [show(other.right) for other in read("90^0").others] == ["(90^0)"]
    assert tree("b^0") == "(b^0)"


@pytest.mark.parametrize(
    ("latex", "written"),
    [
        (r"33\,\mathrm{rpm}", "(33*6*degrees(1))"),
        (r"90^\circ/\mathrm{s}", "degrees(90)"),
        (r"2\,\mathrm{N\,m/deg}", "(2*(degrees(1)^-1))"),
    ],
)
def test_rates_in_degrees_are_in_radians(latex: str, written: str) -> None:
    assert tree(latex) == written


def test_a_name_in_upright_letters_is_no_unit() -> None:
    declared = Declared(["A", r"\mathrm{m}"], varying=lambda _: False)
    assert tree(r"2\,\mathrm{m}", declared) == r"(2*\mathrm{m})"


@pytest.mark.parametrize(
    ("elsewhere", "value"),
    [("A = 1", "5783"), (r"A = \SI{0,964}{s}", "5783/1000"), ("A = 1{,}5", "5783/1000")],
)
def test_a_comma_is_none_of_thousands_where_others_of_the_page_are_not(
    elsewhere: str, value: str
) -> None:
    *_, display = read_page(f"$${elsewhere}$$ $$A = 5,783$$", DECLARED)
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    assert show(relation.right) == value
