"""Text that is cut, doubled, spliced and salted with what nobody expects."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

PIECE = re.compile(r"\\[A-Za-z]+|\w+|[^\w\\]|\\.?", re.DOTALL)
LATEX = (
    *"abxqTtij0129=+-*/^_'(){}[]|&,;. $%#~@",
    *("()", "[]", "{}", r"\{\}"),
    *(r"\\", r"\left(", r"\right)", r"\left.", r"\right|", r"\{", r"\}", r"\quad", r"\pm", r"\|"),
    *(r"\frac", r"\dot", r"\ddot", r"\sin", r"\cos", r"\sqrt", r"\partial", r"\mathrm", r"\bf"),
    *(r"\frac{d}{dt}", r"\sum_{i=1}^{3}", r"\prod_{j=1}^{2}", r"\det", r"\max(x, y)", r"e^{x}"),
    *(r"\begin{bmatrix}", r"\end{bmatrix}", r"\begin{cases}", r"\text{ if }", r"\tag{1}"),
    *(r"\underbrace{a}_{b}", "^{99999999}", "9^{9^{9}}", "^{64}", "{}^{N}", r"\cdot", r"\times"),
    *("d/dt", "i = 1,2,3", r"\log 0", "/0", r"\operatorname{atan2}(0, 0)", r"\tan", r"\max(1, t)"),
    *(r"\int_0^1", r"\lim_{t\to 0}", r"\infty", r"\mathbf{", r"\def\a{\a\a}", r"\newcommand{\x}"),
    *("{(1 + t)^{64}}", r"\sin^{-1}", r"\left|1 - t\right|", r"{\frac{1}{t-t}}", "1e999", "−", "′"),
)
TOML = (
    *('"', "'", "[", "]", "[[", "]]", "{", "}", "=", ",", "\n", "#", ".", "-", "\\", '"""'),
    *(
        "0",
        "-1",
        "1e999",
        "nan",
        "inf",
        "-inf",
        "9" * 400,
        "1e-320",
        "true",
        "1979-05-27",
        "[]",
        "{}",
    ),
    *('"9**9**9"', '"1/0"', '"sqrt(-1)"', '"log(0)"', '"(" * 9', '""', '"t"', '"theta_dot"', '"g"'),
    *(
        '"theta - theta"',
        '"1/(theta - theta)"',
        '"lambda"',
        '"__import__"',
        '"a.b"',
        '"Abs(theta)"',
    ),
    *(
        '"0/0"',
        '"theta**theta"',
        '"atan2(0, 0)"',
        '"Max(theta, 0)"',
        '"exp(exp(exp(theta)))"',
        '"é"',
    ),
    *(
        '"x" = "x"',
        "[bodies]",
        "[[joints]]",
        "[coordinates]",
        "[each]",
        'count = "n"',
        '"pi"',
        '"I"',
    ),
    *('["l", 0]', '["l", 0, 0, 0]', "[[1, 2], [3]]", '[1, "a", true]', "value = 0", 'unit = "m/0"'),
    *('"' + "(" * 300 + "1" + ")" * 300 + '"', '"' + "-" * 5000 + '1"', '"' + "1+" * 3000 + '1"'),
    *(
        'name = "ground"',
        'parent = "ground"',
        "[speeds]",
        "[constraints]",
        "[segments]",
        "\x00",
        "\ud7ff",
    ),
)
TABLE = (
    *(",", ";", "\t", "\n", "\r\n", " ", '"', "time", "nan", "inf", "-inf", "", "1e999", "0", "-"),
    *("1,5", "0x10", "é", "\x00", "1e-400", "NaN", "#", "endheader", "nRows=9", "version=1", "//"),
    *("9" * 500, "time,time", "inDegrees=yes", "DataRate", "2020-01-01", "\ufeff", "\u202e"),
)


def salted(text: str, others: Sequence[str], tokens: Sequence[str], chance: random.Random) -> str:
    """Return a text with one to four changes: of single pieces, or of any stretch of it."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        text = _torn(PIECE.findall(text), PIECE.findall(chance.choice(others)), tokens, chance)
    return text


def _torn(pieces: list[str], other: list[str], tokens: Sequence[str], chance: random.Random) -> str:
    first = chance.randrange(len(pieces) + 1)
    last = min(first + chance.choice((0, 1, 1, 1, 3, 20)), len(pieces))
    start = chance.randrange(len(other)) if other else 0
    placed = chance.choice(
        (
            [],
            pieces[first:last] * 2,
            other[start : start + chance.choice((1, 1, 10))],
            [chance.choice(tokens)],
            [chance.choice(tokens)],
            [chance.choice(tokens), *pieces[first:last]],
        )
    )
    return "".join((*pieces[:first], *placed, *pieces[last:]))


def nonsense(tokens: Sequence[str], chance: random.Random) -> str:
    """Return tokens in any order."""
    return "".join(chance.choices(tokens, k=chance.randrange(1, 60)))
