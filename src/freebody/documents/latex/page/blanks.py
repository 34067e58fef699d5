r"""What is passed over on a page: comments, code, and what stands outside of its body.

All of it is replaced by blanks, so that places stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from freebody.documents.latex.page.hypertext import read_hypertext
from freebody.documents.latex.page.markdown import COMMENT, read_markdown
from freebody.documents.latex.page.passed import Passed, blank, formulas_in_code
from freebody.documents.latex.page.restructured import read_restructured

Language = Literal["markdown", "latex", "rst", "html"]

_VERBATIM = r"(?:verbatim|Verbatim|lstlisting|minted|alltt|comment|filecontents)\*?"
_DRAWN = r"(?:tikzpicture|circuitikz|pgfpicture|pspicture|tikzcd|forest|asy)\*?"
_ENVIRONMENT = rf"\\begin\{{(?P<name>{_VERBATIM}|{_DRAWN})\}}.*?(?:\\end\{{(?P=name)\}}|\Z)"
_UNPRINTED = re.compile(
    rf"{_ENVIRONMENT}"
    r"|\\verb\*?(?P<mark>[^A-Za-z\s*])[^\n]*?(?P=mark)"
    r"|\\iffalse(?![A-Za-z]).*?(?:\\fi(?![A-Za-z])|\Z)"
    r"|(?P<kept>\\[\\%])"
    r"|%[^\n]*",
    re.DOTALL,
)
_READERS: Mapping[Language, Callable[[str], tuple[str, list[Passed]]]] = {
    "markdown": read_markdown,
    "rst": read_restructured,
    "html": read_hypertext,
}
_COMMENT = re.compile(COMMENT, re.DOTALL)
_GIVEN = re.compile(
    r"""(?<=<)(?P<tag>[A-Za-z][\w-]{0,20})"""
    r"""(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))+(?=\s*/?>)"""
)
"""What is given in a tag, which no reader sees."""
_BEGIN = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}")


def blanked(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks for some stretches of it, given in order; its lines stay.

    Examples
    --------
    >>> blanked("a b c", [(2, 3)])
    'a   c'
    """
    parts, position = [], 0
    for start, stop in stretches:
        parts += [text[position:start], blank(text[start:stop])]
        position = stop
    return "".join(parts) + text[position:]


def without_code(text: str, language: Language) -> tuple[str, list[Passed]]:
    r"""Return a page without its code and comments, and the formulas in its code.

    A comment of LaTeX leaves its sign, since a line of nothing but a comment ends no paragraph.

    Examples
    --------
    >>> without_code("a % b", "latex")[0], without_code("a `b`", "markdown")[0]
    ('a %  ', 'a    ')
    """
    if read := _READERS.get(language):
        return read(text)
    passed = [
        one
        for match in _UNPRINTED.finditer(text)
        if match["name"] and not match["name"].startswith(("comment", "filecontents"))
        for one in formulas_in_code(match[0], match.start(), _place(match["name"]))
    ]
    return _UNPRINTED.sub(_unprinted, text), passed


def markdown_prose(text: str) -> str:
    """Return a page in Markdown without its comments, and what is given in its tags; code stays.

    Examples
    --------
    >>> markdown_prose("a <!-- b --> `c`"), markdown_prose('<p id="d">e</p>')
    ('a            `c`', '<p>e</p>')
    """
    return _GIVEN.sub(r"\g<tag>", _COMMENT.sub(lambda found: blank(found[0]), text))


def _place(environment: str) -> str:
    """Return where a formula stands that is in an environment which is passed over."""
    return "in a drawing" if re.fullmatch(_DRAWN, environment) else "in verbatim text"


def body(text: str) -> tuple[int, int]:
    r"""Return where the body of a LaTeX page begins and ends.

    Examples
    --------
    >>> body(r"\begin{document}abc\end{document}")
    (16, 19)
    """
    begin = _BEGIN.search(text)
    start = begin.end() if begin else 0
    end = _END.search(text, start)
    return start, end.start() if end else len(text)


def _unprinted(match: re.Match[str]) -> str:
    if match["kept"]:
        return match[0]
    text = blank(match[0])
    return f"%{text[1:]}" if match[0].startswith("%") else text
