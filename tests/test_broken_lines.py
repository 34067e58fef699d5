r"""Equations broken over lines in every way are read as they are on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest

from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.tree import show

NAMES = Declared([*"abcdefghU", r"\theta"], varying=lambda key: key == r"\theta")

EQUATIONS = [
    "U = a @( b |+ c @) d",
    "U = a |+ b |- c",
    r"U = @[ a @( b |+ c @) |- d @( e |+ f @) @] g",
    r"U = a |\cdot b @( c |- d @)",
    r"U |= a @[ b |+ c @]^2 |+ d",
    r"U = a \cos @( \theta |+ b @) |- c \sin @( \theta |- d @)",
    r"U = -@( a |- b @) |+ @[ @( c |+ d @) e |- f @]",
    r"U = \frac{a + b}{c} @( d |- \frac{e}{f} @)",
    r"a |+ b = U @[ c |+ d @]",
]
"""A bar is where a line may end; brackets with ``@`` may be printed in any size."""

BREAKS = {
    "before the sign": r"\\ {sign}",
    "behind the sign": r"{sign} \\",
    "the sign on both lines": r"{sign} \\ {sign}",
    "aligned": r"\nonumber \\ & \quad {sign}",
    "aligned behind": r"{sign} \notag \\[2pt] &",
    "with a brace": r"\\ & \qquad {{}}{sign}",
    "with a phantom": r"\\* & \phantom{{=}} {sign}",
    "with a space": r"\\ \hspace{{2em}} {sign}",
    "line break": r"\newline {sign}",
}
OPENED = {"plain": "{}", "big": r"\big{}", "Bigg": r"\Biggl{}", "fence": r"\left{}"}
CLOSED = {"plain": "{}", "big": r"\big{}", "Bigg": r"\Biggr{}", "fence": r"\right{}"}
DISPLAYS = [
    "$${}$$",
    r"\[{}\]",
    r"\begin{{align}}{}\end{{align}}",
    r"\begin{{multline*}}{}\end{{multline*}}",
    r"\begin{{equation}}\begin{{split}}{}\end{{split}}\end{{equation}}",
    r"\begin{{eqnarray}}{}\end{{eqnarray}}",
    r"$$\begin{{aligned}}{}\end{{aligned}}$$",
]


def read(page: str) -> list[str]:
    found = []
    for display in read_page(page, NAMES):
        for one in display.relations:
            assert isinstance(one, Relation), f"{page}\n{one}"
            found.append(f"{show(one.left)} {one.relation} {show(one.right)}")
    return found


def on_one_line(equation: str) -> str:
    return equation.replace("|", "").replace("@", "")


def broken(equation: str, way: str, size: str, at: int) -> str:
    """Return an equation with the break at one of its bars, or at all."""
    pieces = re.split(r"\|(=|\+|-|\\cdot)", equation)
    text, depth = "", list[str]()
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            text += sized(piece, size, depth)
        elif at in (-1, number // 2):
            text += over_lines(BREAKS[way].format(sign=piece), size, depth)
        else:
            text += piece
    return text


def sized(piece: str, size: str, depth: list[str]) -> str:
    """Print the brackets of a piece in a size, and take down those that stay open."""
    parts = re.split(r"@([(\[)\]])", piece)
    for place in range(1, len(parts), 2):
        if parts[place] in "([":
            depth.append(parts[place])
            parts[place] = OPENED[size].format(parts[place])
        else:
            depth.pop()
            parts[place] = CLOSED[size].format(parts[place])
    return "".join(parts)


def over_lines(line_break: str, size: str, depth: list[str]) -> str:
    r"""Close and open invisible fences around the end of a line, as TeX wants it."""
    if size != "fence" or not depth:
        return line_break
    before, mark, behind = re.split(r"(\\nonumber|\\notag|\\\\|\\newline)", line_break, maxsplit=1)
    return before + r"\right." * len(depth) + mark + behind + r"\left." * len(depth)


def cases() -> Iterator[tuple[str, str, str, int]]:
    for equation, way, size in product(EQUATIONS, BREAKS, OPENED):
        yield from ((equation, way, size, at) for at in range(-1, equation.count("|")))


@pytest.mark.each_once
@pytest.mark.parametrize("equation", EQUATIONS)
@pytest.mark.parametrize("display", DISPLAYS)
def test_a_broken_equation_is_the_one_on_one_line(equation: str, display: str) -> None:
    expected = read(f"$${on_one_line(equation)}$$")
    assert expected
    for other, way, size, at in cases():
        if other == equation and (display == DISPLAYS[0] or size == "fence"):
            page = display.format(broken(equation, way, size, at))
            assert read(page) == expected, page


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"U = a + \\ + -b", "U = (+a +(-b))"),
        (r"U = a - \\ + b", "U = (+a -(+b))"),
        (r"U = \left( a + \left[ b \right.\right. \\ \left.\left. + c \right] d + e \right)",
         "U = (+a +((+b +c)*d) +e)"),
        (r"U = \left( a \right. \\ \left. + b \right. \\ \left. + c \right)", "U = (+a +b +c)"),
        (r"U = \left( a \right. \\ + b \left. + c \right)", "U = (+a +b +c)"),
        (r"U = \left[ a \right. \\ + b ]", "U = (+a +b)"),
        (r"U = [ a \\ \left. + b \right]", "U = (+a +b)"),
        (r"U = a \left\{ b \right. \\ \left. + c \right\}", "U = (a*(+b +c))"),
        (r"U = \bigl[ a \bigr. \\ \bigl. + b \bigr]", "U = (+a +b)"),
        (r"U = a \left( \begin{aligned} b \\ + c \end{aligned} \right)", "U = (a*(+b +c))"),
        (r"\shoveleft{U = a} \\ \shoveright{+ b}", "U = (+a +b)"),
    ],
)  # fmt: skip
def test_other_ways_to_break_a_line(latex: str, expected: str) -> None:
    assert read(f"$${latex}$$") == [expected]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"U &= a + \\ b &= c", ["U = (+a +b)", "(+a +b) = c"]),
        (r"U &= a \\ -b &= c", ["U = a", "(-b) = c"]),
        (r"U &= a \\ b &= c \\ &+ d", ["U = a", "b = (+c +d)"]),
        (r"\left\{ \begin{array}{l} U = a \\ b = c \end{array} \right.", ["U = a", "b = c"]),
    ],
)
def test_lines_that_are_equations_of_their_own_stay_apart(latex: str, expected: list[str]) -> None:
    assert read(rf"\begin{{align}}{latex}\end{{align}}") == expected


@pytest.mark.parametrize(
    "latex",
    [
        r"U = g \left[ a \right. + b",
        r"U = g \left. + b \right]",
        r"U = g ( a \\ + b",
        r"\begin{bmatrix} a & (b \\ c & d) \end{bmatrix} = U",
    ],
)
def test_no_part_of_a_bracket_is_left_out_without_a_word(latex: str) -> None:
    (display,) = read_page(f"$${latex}$$", NAMES)
    assert any(isinstance(one, Unreadable) for one in display.relations)


SYSTEMS = [
    (r"U = a \label{1}\\ & b \nonumber\\ & + c = d \label{2}", ["U = a", "b + c = d"]),
    (
        r"U & \nonumber\\ & + a = b \label{1}\\ & c \nonumber\\ & - d = e",
        ["U + a = b", "c - d = e"],
    ),
    (r"U = a \\ b \\ + c = d \\ e f \\ - g = h", ["U = a", "b + c = d", "e f - g = h"]),
    (r"U = a \\ b + \\ c \\ - d = e", ["U = a", "b + c - d = e"]),
    (r"U = a \tag{1}\\ b \\ = c + d \tag{2}", ["U = a", "b = c + d"]),
    (r"U = a \tag{1}\\ - b \notag\\ + c = d \tag{2}", ["U = a", "-b + c = d"]),
    (r"U = a \tag{1}\\ - b \notag\\ = c \\ d = e \tag{2}", ["U = a - b", "a - b = c", "d = e"]),
    (r"U = a \\ (b - c) \\ = d", ["U = a (b - c)", "a (b - c) = d"]),
    (r"U = a \\ (b - c) \\ + d", ["U = a (b - c) + d"]),
    (r"U = a \\ - b \\ = c", ["U = a - b", "a - b = c"]),
]
"""Rows of several equations, some broken before their relation, and what they say."""


@pytest.mark.parametrize(("rows", "expected"), SYSTEMS)
def test_a_row_without_a_relation_may_begin_the_next_equation(
    rows: str, expected: list[str]
) -> None:
    wanted = [equation for line in expected for equation in read(f"$${line}$$")]
    found = read(rf"\begin{{align}}{rows}\end{{align}}")
    assert found == wanted
