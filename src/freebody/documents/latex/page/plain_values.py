"""Numbers with units that a page gives letters in plain text: ``m = 150 g, d = 0.5 m``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.documents.latex.tree import Span

_NAME = r"[A-Za-zα-ωΑ-Ω](?:[₀-₉ₐ-ₜᵢⱼᵣᵤᵥ]+|_\{?\w{1,9}\}?|\d)?"
_NUMBER = r"[-+−]?\d+(?:[.,]\d+)?(?:\s?[·⋅×*]\s?10(?:\^[-−]?\d+|[⁻⁰¹²³⁴-⁹]+)|e[-+]?\d+)?"
_POWER = r"(?:\^\{?[-−]?\d\}?|⁻?[¹²³⁴])"
_ATOM = rf"(?:rad|rpm|rev|deg|min|Pa|Hz|[numckMGµμ]?[gmsNJWVAHFΩ]|°){_POWER}?"
_MEASURE = rf"(?:\d\s*)?{_ATOM}(?:\s?[·⋅*/]\s?\(?{_ATOM}\)?|\s(?=kg|N|m[²^]|m/|s[²^⁻]|rad){_ATOM})*"
_VALUE = re.compile(
    rf"(?<![\w$\\^.])(?P<names>(?:{_NAME}\s*=\s*)+)(?P<number>{_NUMBER})\s?"
    rf"(?P<unit>{_MEASURE})(?=\s*(?:[.,;:)\]|—–\n]|\Z|-\s|[A-Za-z]{{2}}))(?!\s?[A-Za-z_]?[=(])"
)
_BEFORE = re.compile(r"\S[ \t]*[-+−·⋅×*/=<>≈][ \t]*\Z")
"""An operator before a name; a bullet is none."""
_ALSO_LETTERS = {"g": "mM", "m": "adhlrsxyzbcDHLRBw", "s": "tTτ", "J": "EWUTQ", "A": "iI", "F": "C"}
"""Units that are letters of formulas, with the letters that are measured in these."""


def plain_values(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield where text gives letters numbers with units: up to the number, and the unit.

    A letter that formulas have as well is a unit of what is measured in it.

    Examples
    --------
    >>> text = "With m = 150 g and d = 0.5 m, M = 2 m, k₁ = k₂ = 1.2 kN/m."
    >>> [(text[a.start : a.stop], text[b.start : b.stop]) for a, b in plain_values(text)]
    [('m = 150', 'g'), ('d = 0.5', 'm'), ('k₁ = k₂ = 1.2', 'kN/m')]
    """
    for found in _VALUE.finditer(text):
        meant = _ALSO_LETTERS.get(found["unit"], found["names"])
        is_begun = not _BEFORE.search(text, max(found.start() - 8, 0), found.start())
        if is_begun and found["names"][0] in meant:
            yield Span(found.start(), found.end("number")), Span(*found.span("unit"))
