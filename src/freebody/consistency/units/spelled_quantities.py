r"""Numbers and units as pages spell them in words and tables: ``2.5\times10^{-3}``, ``kg·m²``."""

from __future__ import annotations

import re

from freebody.documents.latex import LatexError
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.units import Unit, unit

NUMBER = r"[-+−]?\d[\d.,]*(?:\s*(?:\\times|\\cdot|×|e)\s*(?:10\^?\{?)?[-+−]?\d+\}?)?"
"""A number as it is printed, a pattern."""
LONGEST = 40
"""Characters of a unit."""
_SPELLED = (
    (r"^t$|\b(?:metric )?ton(?:ne)?s?\b", "Mg"),
    (r"\bkilograms?\b|\bKilogramm\b|\bkilogrammes?\b", "kg"),
    (r"\bcentimet(?:re|er)s?\b", "cm"),
    (r"\bmillimet(?:re|er)s?\b", "mm"),
    (r"\bgrams?\b|\bgrammes?\b", "g"),
    (r"\b[Nn]ewton[- ]?met(?:re|er)s?\b", "N m"),
    (r"\bnewtons?\b|\bNewtons?\b", "N"),
    (r"\bmet(?:re|er)s?\b|\bMeter\b|\bm[eè]tres?\b", "m"),
    (r"\bseconds?\b|\bsec\b|\bSekunden?\b|\bsecondes?\b", "s"),
    (r"\bradians?\b|\brads\b", "rad"),
    (r"\bdegrees?\b", "deg"),
    (r"\b[Jj]oules?\b", "J"),
    (r"\b[Ww]atts?\b", "W"),
    (r"\bper\b", "/"),
    (r"(?<=[a-z])\^?\s*squared\b", "^2"),
)
_SIGNS = str.maketrans({
    **dict.fromkeys("·⋅×∙", " "), "²": "^2", "³": "^3", "⁴": "^4", "−": "-", "–": "-",
})  # fmt: skip
_RAISED = (("⁻¹", "^{-1}"), ("⁻²", "^{-2}"), ("⁻³", "^{-3}"))
_POWER = re.compile(r"(?<=[A-Za-z])\^?(-?\d)(?![\d}])")
_NUMBER = re.compile(
    r"(?P<digits>[-+]?\d+(?:\.\d+)?)(?:(?:\\times|\\cdot|×)10\^\{?(?P<power>[-+]?\d+)\}?"
    r"|e(?P<exponent>[-+]?\d+)|/(?P<below>\d+(?:\.\d+)?))?"
)
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_MOST_ZEROS = 30
"""Powers of ten in numbers of mechanics."""
_NO_UNIT = re.compile(r"(?<![A-Za-z{\\])(?:in|[hAVKL])(?![A-Za-z])")
"""Units that are seldom meant, in mechanics, by what looks like them."""


def spelled_number(printed: str) -> float | None:
    r"""Return a number as it is printed; None where it is none, or a list of several.

    Examples
    --------
    >>> spelled_number(r"2.5 \times 10^{-3}"), spelled_number("6/2.5"), spelled_number("1,200")
    (0.0025, 2.4, 1200.0)
    >>> spelled_number("0,24"), spelled_number("1.2.3")
    (0.24, None)
    """
    text = re.sub(r"\s", "", printed).replace("−", "-").rstrip(".,")
    text = text.replace(",", "" if _THOUSANDS.fullmatch(text) else ".")
    match = _NUMBER.fullmatch(text)
    power = int(match["power"] or match["exponent"] or 0) if match else 0
    if match is None or abs(power) > _MOST_ZEROS:
        return None
    below = float(match["below"] or 1)
    return float(f"{match['digits']}e{power}") / below if below else None


def spelled_unit(printed: str) -> Unit | None:
    r"""Return a unit as it is printed or spelled; None where it is none.

    Examples
    --------
    >>> str(spelled_unit("kg·m²").dimension), spelled_unit("centimetres").factor
    ('kg*m**2', Fraction(1, 100))
    >>> spelled_unit("N/m/s") is None  # which may be either
    True
    >>> str(spelled_unit("N/(m/s)").dimension), spelled_unit("t").factor
    ('kg/s', Fraction(1000, 1))
    """
    text = printed.strip().strip("$`*[]").strip()
    text = re.sub(r"^in\s+|\\\(|\\\)|`", "", text)
    if _NO_UNIT.search(text):
        return None
    for pattern, short in _SPELLED:
        text = re.sub(pattern, short, text)
    for sign, power in _RAISED:
        text = text.replace(sign, power)
    text = text.translate(_SIGNS).replace("**", "^").replace("*", " ")
    text = re.sub(r"(?<=[A-Za-z0-9])-(?=[A-Za-z])", " ", text).strip()
    text = re.sub(r"^1\s*/", "/", text)
    text = re.sub(r"^([^/()]+)/ ?\(([^/()]+)/([^/()]+)\)$", r"\1 \3/\2", text)
    text = _POWER.sub(r"^{\1}", text)
    if not 0 < len(text) <= LONGEST or text.count("/") > 1:
        return None
    try:
        parsed = parse(rf"\mathrm{{{text}}}", 0, len(text) + 9)
    except LatexError:
        return None
    return unit(parsed)
