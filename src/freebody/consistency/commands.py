r"""What is made of commands that a page uses and nothing defines: letters, as a rule.

A page is often published without the file that its macros stand in. ``\bq`` is a letter then, and
``\mat{M}`` a letter in a font. What an equation with such a command says may be something else, so
that it contradicts nothing.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from functools import lru_cache

from freebody.documents.latex.page.page import Page
from freebody.documents.latex.tokens.definitions import Macro
from freebody.documents.latex.tokens.rewriting import GREEK

SELDOM = 0.3
"""So many uses of a letter may stand before braces by chance."""

_FONTS = re.compile(
    r"\\(?:b|v|m|u|bf|bs|mb|mbf|vb|bvec|uvec|vect|vector|mat|matr|matrix|Mat|Vec|ten|tens|tensor"
    r"|unit|unitvec|bb|bd|mbs|bmath|rvec|fvec|dvec|ve|vek|vct|vecb|bvect|bmat|mtx|mx)"
)
_UPRIGHT = frozenset({r"\mrm", r"\rom", r"\txt", r"\mr"})
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
_WHOLE = {
    **dict.fromkeys((r"\onehalf", r"\thalf", r"\einhalb"), r"\frac{1}{2}"),
    **dict.fromkeys((r"\ddt", r"\dbydt"), r"\frac{d}{dt}"),
}
"""Commands that are more than a letter."""
_DOTS = ("", r"\dot", r"\ddot")
_SPELLED = {"dot": 1, "ddot": 2, "Dot": 1, "DDot": 2}
"""What the commands of rates end in, behind the letter that has the dots."""
_COMMAND = re.compile(r"\\[A-Za-z]+")
_ONCE, _TWICE = re.compile(r"(\\[A-Za-z]+?)(p|d|t)"), re.compile(r"(\\[A-Za-z]+?)(pp|dd|tt)")
"""The same in short, where several letters have commands for both."""
_PREFIXED = re.compile(r"\\(?:b|bf|v|m|vec|bs)(?P<letter>[A-Za-z]|[a-z]+|[A-Z][a-z]+)")


_INDEXED = re.compile(
    rf"\\(?P<letter>{'|'.join(sorted(GREEK, key=len, reverse=True))})(?P<below>[A-Z][A-Za-z]*)"
)
_CAPITALS = re.compile(r"\\(?P<letter>[A-Z])(?P<below>[A-Z][A-Za-z]*)")
"""Letters with others below, by what their commands are called."""
_CHANGES = frozenset({"Delta", "delta"})
"""Letters in front of what changes."""
_LETTERS = frozenset(f"\\{one}" for one in (*string.ascii_letters, *GREEK))
"""What may have a command for its rate, and no other."""
_SINGLE = 2
"""Characters of a command of one letter."""


def assumed(page: Page, commands: Iterable[str]) -> dict[str, Macro]:
    """Return what commands are taken for, those that are no letters or fonts left out."""
    found = dict[str, Macro]()
    rates = _rates(page.readable)
    for name in commands:
        calls = re.findall(rf"{re.escape(name)}(?![A-Za-z])(\{{)?", page.readable)
        if sum(map(bool, calls)) <= SELDOM * len(calls):
            base, dots = rates.get(name, (name, 0))
            body = _differential(base, page.readable) or _with_index(base, page.readable)
            body = body or _letter(base)
            found[name] = Macro(name, f"{_DOTS[dots]}{{{body}}}" if dots else body)
        elif _FONTS.fullmatch(name):
            found[name] = Macro(name, r"\mathbf{#1}", 1)
        elif name in _UPRIGHT:
            found[name] = Macro(name, r"\mathrm{#1}", 1)
        elif name in _DERIVATIVES:
            sign = _DERIVATIVES[name]
            found[name] = Macro(name, rf"\frac{{{sign} #1}}{{{sign} #2}}", 2)
    return found


@lru_cache(maxsize=2)  # of one page, for each of its displays
def _rates(text: str) -> Mapping[str, tuple[str, int]]:
    r"""Return the commands that are rates of others, with these and the order.

    Examples
    --------
    >>> _rates(r"$$\xopp = \qdot\xop - \Fd\F$$ of $\xo$")
    {'\\qdot': ('\\q', 1), '\\xop': ('\\xo', 1), '\\xopp': ('\\xo', 2)}
    """
    found, names = dict[str, tuple[str, int]](), sorted({*_COMMAND.findall(text)})
    for name in names:
        for ending, order in _SPELLED.items():
            base = name.removesuffix(ending)
            if base not in (name, "\\") and not base.endswith("d"):
                found[name] = base, order
    twice = (_TWICE.fullmatch(name) for name in names)
    whole = {
        (one[1], one[2][0])
        for one in twice
        if one and not {one[1], one[1] + one[2][0]}.isdisjoint(names)
    }
    marks = [mark for _, mark in whole]
    for pattern, order in ((_ONCE, 1), (_TWICE, 2)):
        for one in filter(None, map(pattern.fullmatch, names)):
            base, mark = one[1], one[2][0]
            if (base, mark) in whole or (base in names and marks.count(mark) > 1):
                found[one[0]] = base, order
    return found


def _differential(name: str, text: str) -> str:
    r"""Return the sign of differentials for a command that stands in both sides of fractions.

    Examples
    --------
    >>> _differential(r"\D", r"J\frac{\D\omega}{\D t}"), _differential(r"\m", r"\frac{\m a}{b}")
    ('\\mathrm{d}', '')
    """
    mark = rf"\{{\s*{re.escape(name)}(?![A-Za-z])"
    return r"\mathrm{d}" if re.search(rf"\\d?frac\s*{mark}[^{{}}]*\}}\s*{mark}", text) else ""


def _with_index(name: str, text: str) -> str:
    r"""Return the letter and what stands below it, of ``\omegaM``, and of ``\JM`` beside it.

    Examples
    --------
    >>> _with_index(r"\omegaM", ""), _with_index(r"\JM", r"\JM\omegaM"), _with_index(r"\SO", "")
    ('\\omega_M', 'J_M', '')
    >>> _with_index(r"\DeltaT", "")
    '\\Delta T'
    """
    found = _INDEXED.fullmatch(name) or _CAPITALS.fullmatch(name)
    if found is None:
        return ""
    letter, below = found["letter"], found["below"]
    if len(letter) == 1 and below not in {one["below"] for one in _INDEXED.finditer(text)}:
        return ""
    if letter in _CHANGES:
        return rf"\{letter} {below}"
    letter = letter if len(letter) == 1 else rf"\{letter}"
    return f"{letter}_{below}" if len(below) == 1 else f"{letter}_{{{below}}}"


def _letter(name: str) -> str:
    r"""Return what a command prints, as a rule.

    Examples
    --------
    >>> _letter(r"\bq"), _letter(r"\btau"), _letter(r"\mass"), _letter(r"\eps")
    ('\\mathbf{q}', '\\boldsymbol{\\tau}', '\\mathrm{mass}', '\\epsilon')
    """
    if name in _LETTERS:
        return name if len(name) > _SINGLE else name[1:]
    if known := _SHORT.get(name) or _WHOLE.get(name):
        return known
    match = _PREFIXED.fullmatch(name)
    letter = match["letter"] if match else ""
    if len(letter) == 1:
        return rf"\mathbf{{{letter}}}"
    return rf"\boldsymbol{{\{letter}}}" if letter in GREEK else rf"\mathrm{{{name[1:]}}}"
