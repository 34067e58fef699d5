r"""What is made of commands that a page uses and nothing defines: letters, as a rule.

A page is often published without the file that its macros stand in. ``\bq`` is a letter then, and
``\mat{M}`` a letter in a font. What an equation with such a command says may be something else, so
that it contradicts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from freebody.documents.latex.page.page import Page
from freebody.documents.latex.tokens.definitions import Macro
from freebody.documents.latex.tokens.rewriting import GREEK

SELDOM = 0.3
"""So many uses of a letter may stand before braces by chance."""

_FONTS = re.compile(
    r"\\(?:b|v|m|u|bf|bs|mb|mbf|vb|bvec|uvec|vect|vector|mat|matr|matrix|Mat|Vec|ten|tens|tensor"
    r"|unit|unitvec|bb|bd|mbs|bmath|rvec|fvec|dvec)"
)
_PREFIXED = re.compile(r"\\(?:b|bf|v|m|vec|bs)(?P<letter>[A-Za-z]|[a-z]+|[A-Z][a-z]+)")


def assumed(page: Page, commands: Iterable[str]) -> dict[str, Macro]:
    """Return what commands are taken for, those that are no letters or fonts left out."""
    found = {}
    for name in commands:
        calls = re.findall(rf"{re.escape(name)}(?![A-Za-z])(\{{)?", page.readable)
        if sum(map(bool, calls)) <= SELDOM * len(calls):
            found[name] = Macro(name, _letter(name))
        elif _FONTS.fullmatch(name):
            found[name] = Macro(name, r"\mathbf{#1}", 1)
    return found


def _letter(name: str) -> str:
    r"""Return what a command prints, as a rule.

    Examples
    --------
    >>> _letter(r"\bq"), _letter(r"\btau"), _letter(r"\mass")
    ('\\mathbf{q}', '\\boldsymbol{\\tau}', '\\mathrm{mass}')
    """
    match = _PREFIXED.fullmatch(name)
    letter = match["letter"] if match else ""
    if len(letter) == 1:
        return rf"\mathbf{{{letter}}}"
    return rf"\boldsymbol{{\{letter}}}" if letter in GREEK else rf"\mathrm{{{name[1:]}}}"
