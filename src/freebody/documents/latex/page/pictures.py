"""Formulas that a page shows as pictures, whose addresses hold the LaTeX they are drawn from."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

_DRAWN = re.compile(
    r"https?://(?:latex\.codecogs\.com/[^?\s\"'()]*\?"
    r"|render\.githubusercontent\.com/render/math\?math="
    r"|i\.upmath\.me/(?:svg|png)/"
    r"|chart\.(?:googleapis|apis\.google)\.com/chart\?cht=tx&(?:amp;)?chl="
    r"|(?:\w+\.)?wp\.com/latex\.php\?latex=)"
)
"""Where services that draw formulas have the formula in their addresses."""
_OPTIONS = re.compile(
    r"\s*\\(?:(?:dpi|[bf]g)\{\w+\}|(?:inline|fn_\w+|bg_\w+"
    r"|tiny|small|normalsize|large|Large|LARGE|huge|Huge)(?![A-Za-z]))"
)
_OPENED, _CLOSED = re.compile(r"(?<!\\)\{"), re.compile(r"(?<!\\)\}")
"""Braces, of which the last are left out in addresses: the formula is drawn without them."""
_NAMELESS = re.compile(r"\\(begin|end)\{\}")
"""Of an environment that was taken out of the address: its rows are left."""
_SETTINGS = re.compile(r"(?:&(?:amp;)?(?:mode|bg|fg|s|c|color)=[^&]*)+$")
_TITLE = re.compile(r"\s+[\"'].*", re.DOTALL)
_MARKS = ((("$", "$"), ("$$", "$$")), ((r"\(", r"\)"), (r"\[", r"\]")))
"""Around formulas in running text, and displayed: in Markdown, and in HTML."""
_IMAGE = re.compile(r"!\[[^\]]*\]\((?=https?://)|<img\b[^>]*?\bsrc\s*=\s*(?P<quote>[\"'])")
_AROUND = re.compile(r"(?:\s|</?(?:p|div|center|a|br|td|tr|span)\b[^>]*>)*")
_BEHIND = re.compile(rf"{_AROUND.pattern}[.,;]?\s*(?:\([\w.]+\))?{_AROUND.pattern}")


def with_formulas(text: str, *, is_html: bool = False) -> str:
    r"""Return a page with formulas for the pictures of them; all lines stay.

    Parameters
    ----------
    text : str
        In Markdown, or in HTML.
    is_html : bool, optional

    Examples
    --------
    >>> with_formulas(r"is ![I](https://latex.codecogs.com/svg.latex?I%20%3D%20mR%5E2).")
    'is $I = mR^2$.'
    """
    if not _DRAWN.search(text):
        return text
    parts, position = list[str](), 0
    for start, stop, address in _images(text):
        formula = formula_in(address)
        if formula is None:
            continue
        line = text.rfind("\n", 0, start) + 1
        end = text.find("\n", stop)
        behind = text[stop : end if end >= 0 else len(text)]
        is_alone = _AROUND.fullmatch(text, line, start) and _BEHIND.fullmatch(behind)
        opening, closing = _MARKS[is_html][bool(is_alone)]
        formula = html.escape(formula, quote=False) if is_html else formula
        parts += [text[position:start], f"{opening}{formula}{closing}"]
        position = stop
    return "".join((*parts, text[position:]))


def formula_in(address: str) -> str | None:
    r"""Return the LaTeX in the address of a picture; None where it is none of a formula.

    Examples
    --------
    >>> formula_in("https://render.githubusercontent.com/render/math?math=x%3D%5Cfrac12&mode=inline")
    'x=\\frac12'
    """
    drawn = _DRAWN.match(address)
    if drawn is None:
        return None
    printed = _SETTINGS.sub("", address[drawn.end() :])
    printed = printed.replace("&space;", " ").replace("&plus;", "+")
    formula = _NAMELESS.sub(r"\\\1{aligned}", html.unescape(unquote(printed)))
    while option := _OPTIONS.match(formula):
        formula = formula[option.end() :]
    formula += "}" * (len(_OPENED.findall(formula)) - len(_CLOSED.findall(formula)))
    return " ".join(formula.split()) or None


def _images(text: str) -> Iterator[tuple[int, int, str]]:
    """Iterate over the pictures of a page: where each stands, and its address."""
    for match in _IMAGE.finditer(text):
        start = match.end()
        stop = text.find(match["quote"], start) if match["quote"] else _closing(text, start)
        end = text.find(">", stop) if match["quote"] else stop
        if 0 <= stop <= end:
            address = text[start:stop] if match["quote"] else _TITLE.sub("", text[start:stop])
            yield match.start(), end + 1, address.strip()


def _closing(text: str, start: int) -> int:
    """Return where the parentheses around an address close; -1 where they do not on its line."""
    depth = 0
    for place in range(start, len(text)):
        letter = text[place]
        if letter == "\n":
            return -1
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return place
    return -1
