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
_SHORT = {
    **dict.fromkeys((r"\eps", r"\veps", r"\vareps"), r"\epsilon"),
    r"\vphi": r"\varphi", r"\lam": r"\lambda", r"\Lam": r"\Lambda", r"\gam": r"\gamma",
    r"\Gam": r"\Gamma", r"\sig": r"\sigma", r"\kap": r"\kappa", r"\omg": r"\omega",
}  # fmt: skip
"""What many call so who write letters short."""
_DERIVATIVES = {
    **dict.fromkeys((r"\pd", r"\pder", r"\pderiv", r"\parder", r"\pdiff"), r"\partial"),
    **dict.fromkeys((r"\der", r"\deriv", r"\od", r"\tder", r"\totder"), r"\mathrm{d}"),
}
"""Commands of a derivative with its two sides in braces."""
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
        elif name in _DERIVATIVES:
            sign = _DERIVATIVES[name]
            found[name] = Macro(name, rf"\frac{{{sign} #1}}{{{sign} #2}}", 2)
    return found


def _letter(name: str) -> str:
    r"""Return what a command prints, as a rule.

    Examples
    --------
    >>> _letter(r"\bq"), _letter(r"\btau"), _letter(r"\mass"), _letter(r"\eps")
    ('\\mathbf{q}', '\\boldsymbol{\\tau}', '\\mathrm{mass}', '\\epsilon')
    """
    if name in _SHORT:
        return _SHORT[name]
    match = _PREFIXED.fullmatch(name)
    letter = match["letter"] if match else ""
    if len(letter) == 1:
        return rf"\mathbf{{{letter}}}"
    return rf"\boldsymbol{{\{letter}}}" if letter in GREEK else rf"\mathrm{{{name[1:]}}}"
