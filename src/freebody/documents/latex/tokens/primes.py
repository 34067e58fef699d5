r"""Primes that are derivatives by time: ``m x'' = -k x``.

Elsewhere primes tell letters apart, and ``y'`` may be the slope of a curve. They count time on
pages that set no dots and write an angle, letters with numbers, or several letters with two
primes, or say that these are of time.
"""

from __future__ import annotations

import re

from freebody.documents.latex.tokens.rewriting import GREEK

_LOWER = r"_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z0-9])"
_DIGITS = r"(?<=\S)\d{1,2}"
_PRIMES = r"'+|[′″]+|\^\s*\{\s*(?:\\prime\s*)+\}|\^\s*\\prime"
_NAME = rf"\\[A-Za-z]+|[^\W\d_]|\{{(?:\\[A-Za-z]+|[A-Za-z])(?:{_LOWER})?\}}"
_PRIMED = re.compile(
    r"(?P<words>\\(?:text[a-z]*|mathrm|operatorname|label|tag)\s*\{[^{}]*\})"
    rf"|(?P<base>{_NAME})\s*(?P<lower>{_LOWER}|{_DIGITS})?\s*(?P<primes>{_PRIMES})"
    rf"(?P<after>\s*{_LOWER})?(?P<squared>2(?![\d.]))?"
    r"|\\[A-Za-z]+"
)
_DOTS = re.compile("\\\\[dD]+ot\\b|\\\\overset\\s*\\{\\s*\\.|[\u0307\u0308ẋẍẏÿż]")
_BY_PLACE = re.compile(
    r"\\frac\s*\{\s*d\s*[a-z]?\s*\}\s*\{\s*d\s*[xsr]\s*\}|\bd[a-z]?/d[xsr]\b|'\s*\(\s*[xs]\s*\)"
)
"""What is differentiated by a place: primes are by that as well."""
_OF_OTHERS = re.compile(rf"\(\s*(?P<base>{_NAME})\s*[-−]\s*(?P=base)\s*(?:{_PRIMES})\s*\)")
"""The distance from a letter to the same with a prime, which is none of its rates."""
_BY_TIME = re.compile(r"\(t\)|d\s*t\b|\btime\b|\bvelocit|\baccelerat|\bZeit|\bGeschwindigkeit")
_NUMBERED = re.compile(r"\d")
_COMMANDS = {1: r"\dot", 2: r"\ddot", 3: r"\dddot"}
MOST_PRIMES = 3
"""Derivatives that there are dots for."""


def _count(primes: str) -> int:
    return primes.count("'") + primes.count("′") + 2 * primes.count("″") + primes.count("prime")


def _is_letter(base: str) -> bool:
    return not base.startswith("\\") or base[1:] in GREEK


def _is_greek(name: str) -> bool:
    return name.startswith("\\") or "\u0370" <= name[0] <= "\u03ff"


def _tells(base: str, lower: str | None) -> bool:
    """Return whether a letter is none of a sentence, which quotations may end."""
    return _is_greek(base) or bool(_NUMBERED.search(lower or ""))


def are_rates(text: str) -> bool:
    r"""Return whether primes on a page are derivatives by time.

    Parameters
    ----------
    text : str
        The page, without its code.

    Examples
    --------
    >>> are_rates(r"$m_1 x_1'' = -k x_1$"), are_rates(r"$y'' = 1 + y'^2$"), are_rates(r"$\dot x'$")
    (True, False, False)
    >>> are_rates(r"$x_1'' = x_1$ of $(y - y')^2$")
    False
    """
    if _DOTS.search(text) or are_no_rates(text):
        return False
    twice = {
        base.strip("{}") + (found["lower"] or found["after"] or "").strip()
        for line in text.splitlines()
        if "``" not in line
        for found in _PRIMED.finditer(line)
        if (base := found["base"]) and _is_letter(base) and _count(found["primes"]) == 2
        if "=" in line or _tells(base, found["lower"] or found["after"])
    }
    angles = any(map(_is_greek, twice))
    numbered = any(_NUMBERED.search(one) for one in twice)
    return bool(twice) and (angles or numbered or len(twice) > 1 or bool(_BY_TIME.search(text)))


def are_no_rates(text: str) -> bool:
    r"""Return whether primes on a page are derivatives by a place, or tell points apart.

    Examples
    --------
    >>> are_no_rates("the slope $dy/dx$ is $y'$"), are_no_rates("from $x'$ it is $(x - x')$")
    (True, True)
    """
    return bool(_BY_PLACE.search(text) or _OF_OTHERS.search(text))


def dotted(text: str) -> list[tuple[str, int, int]]:
    r"""Return a formula in pieces, with dots for its primes: each with the stretch it stands for.

    Parameters
    ----------
    text : str
        LaTeX.

    Examples
    --------
    >>> "".join(piece for piece, _, _ in dotted(r"m x1'' = \theta_2'^2 + y'2"))
    'm \\ddot{x}_{1} = \\dot{\\theta}_2^2 + \\dot{y}^2'
    """
    pieces, position = list[tuple[str, int, int]](), 0
    for found in _PRIMED.finditer(text):
        base = found["base"]
        if not base or not _is_letter(base):
            continue
        count = _count(found["primes"])
        if count > MOST_PRIMES:
            continue
        pieces.append((text[position : found.start()], position, found.start()))
        lower = (found["lower"] or found["after"] or "").strip()
        lower = f"_{{{lower}}}" if lower.isdecimal() else lower
        power = "^2" if found["squared"] else ""
        pieces.append((f"{_COMMANDS[count]}{{{base.strip('{}')}}}{lower}{power}", *found.span()))
        position = found.end()
    return [*pieces, (text[position:], position, len(text))]
