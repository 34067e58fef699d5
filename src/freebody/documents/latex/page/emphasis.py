r"""Marks of LaTeX that were taken for those of Markdown on the way to an HTML page.

``m_1 + m_2`` became ``m<em>1 + m</em>2`` and ``\begin{align*}`` became ``\begin{align<em>}``,
which no browser shows as it was meant; ``\\`` at the end of a row lost one of its two strokes.
"""

from __future__ import annotations

import re

_STARRED = re.compile(r"(?P<head>\\(?:begin|end)\{\w+)(?P<tag></?(?:em|i)>)\}")
_FORMULA = re.compile(
    r"\$[^$\n]{1,400}\$|\\\([^\n]{1,400}?\\\)"
    r"|\\begin\{(?P<name>\w{1,20}\*?)\}.{1,4000}?\\end\{(?P=name)\}",
    re.DOTALL,
)
_TAG = re.compile(r"</?(?:em|i)>")
_STROKE = re.compile(r"(?<!\\)\\\n")
_OF_ROWS = ("align", "gather", "eqnarray", "split", "multline")


def unemphasised(text: str) -> str:
    r"""Return the text of a page with the marks in its formulas as they were, of the same length.

    Examples
    --------
    >>> unemphasised("Of $m<em>1$ and $m</em>2$")
    'Of $m_   1$ and $m_    2$'
    >>> unemphasised(r"\begin{align<em>}a &= b\end{align</em>}").split()
    ['\\begin{align*}', 'a', '&=', 'b\\end{align*}']
    """
    if "<em>" not in text and "<i>" not in text:
        return text
    starred = _STARRED.sub(lambda found: found["head"] + "*}" + " " * (len(found["tag"]) - 1), text)
    return _FORMULA.sub(_restored, starred)


def _restored(found: re.Match[str]) -> str:
    """Return a formula with what stands below its letters, and with the ends of its rows."""
    formula = _TAG.sub(lambda tag: "_".ljust(len(tag[0])), found[0])
    if found["name"] and found["name"].startswith(_OF_ROWS) and r"\\" not in formula:
        formula = _STROKE.sub(r"\\\\", formula)
    return formula
