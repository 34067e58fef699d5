r"""Equations in plain letters in what is set as it is typed; all lines stay.

Such are indented blocks of Markdown, literal blocks of reStructuredText and ``<pre>`` of HTML.
"""

from __future__ import annotations

import re
from textwrap import dedent

from freebody.documents.latex.page.plain import has_drawings, has_marks, is_equations, starts

_INDENTED = re.compile(
    r"^[ \t>]*(?P<fence>```|~~~).*?^[ \t>]*(?P=fence)[^\n]*"
    r"|(?P<before>^[^\n]*\n)[ \t]*\n"
    r"(?P<body>(?:(?: {4}|\t)[ \t]*+\S[^\n]*+(?:\n|\Z)(?:(?:[ \t]*\n)+(?= {4}|\t))?)+)"
    r"[ \t]*(?=\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_INSIDE = re.compile(r"[ \t]*(?:[-+*•]|\d+[.)])[ \t]|[ \t]+\S")
"""A line of an item, or of what is indented itself, which goes on behind an empty line."""
_LITERAL = re.compile(
    r"(?P<before>^(?![ \t]*\.\.)(?P<lead>[ \t]*)[^\n]*)::[ \t]*\n[ \t]*\n"
    r"(?P<body>(?:(?P=lead)[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n(?=(?P=lead)[ \t]+\S))+)",
    re.MULTILINE,
)
_PREFORMATTED = re.compile(r"<pre\b[^>]*>(?P<body>[^<]*)</pre>", re.IGNORECASE)


def with_fences(text: str) -> str:
    r"""Return Markdown with fences around indented blocks of equations in plain letters.

    Examples
    --------
    >>> with_fences("It obeys\n\n    θ̈ = −g/l sin θ\n\nas\n\n    x = 1\n")
    'It obeys\n```\n    θ̈ = −g/l sin θ\n```\nas\n\n    x = 1\n'
    """
    return _INDENTED.sub(_fenced, text)


def with_directives(text: str) -> str:
    r"""Return reStructuredText with literal blocks of such equations as directives.

    Examples
    --------
    >>> with_directives("It obeys::\n\n    θ̈ = −g/l sin θ\n    x = l sin θ\n")
    'It obeys:\n.. math::\n    θ̈ = −g/l sin θ \\\\\n    x = l sin θ\n'
    """
    return _LITERAL.sub(_directed, text)


def with_displays(text: str) -> str:
    r"""Return HTML with preformatted equations as displays.

    Examples
    --------
    >>> with_displays("<pre>\nθ̈ = −g/l sin θ\n</pre>")
    '\\[\nθ̈ = −g/l sin θ\n\\]'
    """
    return _PREFORMATTED.sub(_displayed, text)


def _fenced(match: re.Match[str]) -> str:
    body = match["body"]
    if body is None or _INSIDE.match(match["before"]) or not _is_of_blocks(body):
        return match[0]
    behind = "```" if body.endswith("\n") else "\n```"
    return f"{match['before']}```\n{body}{behind}"


def _directed(match: re.Match[str]) -> str:
    body = match["body"]
    if not _is_of_lines(body):
        return match[0]
    return f"{match['before']}:\n{match['lead']}.. math::\n{_with_breaks(body)}"


def _displayed(match: re.Match[str]) -> str:
    return rf"\[{_with_breaks(match['body'])}\]" if _is_of_lines(match["body"]) else match[0]


def _is_of_blocks(body: str) -> bool:
    return _is_of_lines(body) or (has_marks(body) and has_drawings(body))


def _is_of_lines(body: str) -> bool:
    """Return whether a body has a line for each equation; of what is drawn over some it is none."""
    return has_marks(body) and is_equations(dedent(body))


def _with_breaks(body: str) -> str:
    r"""Return equations with ``\\`` at the ends of all but the last."""
    for start in sorted(starts(body), reverse=True):
        before = body[:start].rstrip()
        body = rf"{before} \\{body[len(before) :]}"
    return body
