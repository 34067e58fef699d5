"""Random misprints of printed equations: what authors, typesetters and scanners do."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Span = tuple[int, int]

_SCRIPT = re.compile(r"_(?:\{[^{}]*\}|[0-9a-z])")
_NUMBER = re.compile(r"(?<![_^\d.,A-Za-z{])\d+(?![\d.])|(?<=frac\{)\d+(?=\})|(?<=\}\{)\d+(?=\})")
_POWER = re.compile(r"\^(?:\{2\}|2)")
_WAVE = re.compile(r"(?<=\\)(?:sin|cos)(?![a-z])")
_DOT = re.compile(r"\\(?:d?dot)(?=\{|\s|\\)")
_GREEK = r"\\(?:alpha|beta|theta|phi|psi|ell|omega|tau)"
_NAME = re.compile(
    rf"(?<![_^A-Za-z\\{{])(?:{_GREEK}|[a-zA-Z])(?![A-Za-z])(?:_(?:\{{[^{{}}]*\}}|[0-9a-zA-Z]))?"
)
_ANGLE = re.compile(r"(?<=sin|cos)\s*(?:\([^()]*\)|\\[a-z]+(?:_(?:\{[^{}]*\}|\d))?)")
_BRACKET = re.compile(r"(?<!\\left)(?<!\\right)[()]")


@dataclass(frozen=True)
class Misprint:
    """A change of printed LaTeX."""

    kind: str
    span: Span
    text: str


def signs(text: str) -> Iterator[Misprint]:
    for match in re.finditer(r"[+-]", text):
        yield Misprint("sign", match.span(), "-" if match[0] == "+" else "+")


def numbers(text: str) -> Iterator[Misprint]:
    for match in _NUMBER.finditer(text):
        for other in {"1", "2", "3", "4"} - {match[0]}:
            yield Misprint("number", match.span(), other)
    for match in _NAME.finditer(text):
        yield Misprint("number", (match.start(), match.start()), "2 ")


def powers(text: str) -> Iterator[Misprint]:
    for match in _POWER.finditer(text):
        yield Misprint("power", match.span(), "")
        yield Misprint("power", match.span(), "^3")
    for match in _NAME.finditer(text):
        if text[match.end() : match.end() + 1] not in ("^", "_"):
            yield Misprint("power", (match.end(), match.end()), "^2")


def waves(text: str) -> Iterator[Misprint]:
    for match in _WAVE.finditer(text):
        yield Misprint("function", match.span(), "cos" if match[0] == "sin" else "sin")


def indices(text: str) -> Iterator[Misprint]:
    for script in _SCRIPT.finditer(text):
        for match in re.finditer(r"[123xyXY]", script[0]):
            others = next(family for family in ("123", "xy", "XY") if match[0] in family)
            for other in others.replace(match[0], ""):
                start = script.start() + match.start()
                yield Misprint("index", (start, start + 1), other)


def dots(text: str) -> Iterator[Misprint]:
    for match in _DOT.finditer(text):
        yield Misprint("dot", match.span(), r"\dot" if "dd" in match[0] else r"\ddot")
        yield Misprint("dot", match.span(), " " if "dd" not in match[0] else r"\dot")


def symbols(text: str) -> Iterator[Misprint]:
    names = sorted({match[0] for match in _NAME.finditer(text)})
    for match in _NAME.finditer(text):
        yield Misprint("dropped", match.span(), " ")
        yield Misprint("doubled", (match.end(), match.end()), " " + match[0])
        for other in names:
            if other != match[0]:
                yield Misprint("symbol", match.span(), other)


def angles(text: str) -> Iterator[Misprint]:
    found = sorted({match[0] for match in _ANGLE.finditer(text)})
    for match in _ANGLE.finditer(text):
        for other in found:
            if other != match[0]:
                yield Misprint("angle", match.span(), other)


def brackets(text: str) -> Iterator[Misprint]:
    for match in _BRACKET.finditer(text):
        for sign in re.finditer(r"[+-]", text):
            first, last = sorted((match.span(), (sign.start(), sign.start())))
            inner = text[first[1] : last[0]]
            if 0 < len(inner) < 40 and not set(inner) & set("()&\\\\"[:2]):
                moved = inner + match[0] if first == match.span() else match[0] + inner
                yield Misprint("bracket", (first[0], last[1]), moved)


KINDS: dict[str, Callable[[str], Iterator[Misprint]]] = {
    "sign": signs,
    "number": numbers,
    "power": powers,
    "function": waves,
    "index": indices,
    "dot": dots,
    "symbol": symbols,
    "angle": angles,
    "bracket": brackets,
}


def drawn(text: str, count: int, chance: random.Random) -> list[Misprint]:
    """Draw misprints at different places: first a kind, then one of them."""
    found: list[Misprint] = []
    for _ in range(20 * count):
        options = list(KINDS[chance.choice(list(KINDS))](text))
        if options:
            one = chance.choice(options)
            if all(one.span[1] < o.span[0] or o.span[1] < one.span[0] for o in found):
                found.append(one)
        if len(found) == count:
            break
    return found


def printed(text: str, misprints: list[Misprint]) -> str:
    """Return a text with misprints in it."""
    for misprint in sorted(misprints, key=lambda one: one.span, reverse=True):
        first, last = misprint.span
        text = text[:first] + misprint.text + text[last:]
    return text
