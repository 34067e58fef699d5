r"""Displays that go on in the next one: ``$$ \tau = a $$`` and, with its sign, ``$$ + b $$``."""

from __future__ import annotations

import re

from freebody.documents.latex.page.passed import blank

_BREAK = r"(?:\s|<br\s*/?>)*"
_SIGNED = r"(?=\s*(?:\\color\s*\{\w+\}\s*)?\{?\s*[-+])"
_INSIDE = r"(?:(?!\$\$|\\\[|\\\]|[=<>≈]|\\(?:approx|[lg]eq?|sim|to|begin)(?![A-Za-z]))[\s\S])"
_CONTINUED = re.compile(
    rf"(?<=[^\s$.,;:])[ \t]*\n?(?:\$\${_BREAK}\$\${_SIGNED}(?={_INSIDE}{{1,2000}}?\$\$)"
    rf"|\\\]{_BREAK}\\\[{_SIGNED}(?={_INSIDE}{{1,2000}}?\\\]))"
)


def with_continued(text: str) -> str:
    r"""Return a page with blanks between displays of which the second goes on with a sign.

    It has no relation itself, and nothing but blanks and breaks of lines stand between them.

    Examples
    --------
    >>> with_continued("$$ a = b $$ <br> $$ + c $$")
    '$$ a = b            + c $$'
    >>> with_continued("$$ a = b $$ $$ - c = d $$")
    '$$ a = b $$ $$ - c = d $$'
    """
    return _CONTINUED.sub(lambda match: blank(match[0]), text)
