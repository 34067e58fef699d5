"""The elements that a page is put together from; every text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from freebody.reporting.latex import plain, visible


def text(words: str) -> str:
    """Return text as HTML, on one line.

    Examples
    --------
    >>> text("a < b")
    'a &lt; b'
    """
    return escape(plain(words))


def lines(words: str) -> str:
    """Return text of several lines, such as one with a caret below it, as it stands."""
    return f"<pre><code>{escape(visible(words))}</code></pre>"


def paragraph(words: str, name: str = "") -> str:
    """Return a paragraph of text.

    Examples
    --------
    >>> paragraph("as printed", "soft")
    '<p class="soft">as printed</p>'
    """
    opening = f'<p class="{name}">' if name else "<p>"
    return f"{opening}{text(words)}</p>"


def bullets(items: Iterable[str]) -> str:
    """Return a list; the items are HTML."""
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are HTML."""
    head = "".join(f'<th scope="col">{text(column)}</th>' for column in columns)
    body = "\n".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table>\n<caption>{text(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def name_of(words: str) -> str:
    """Return words as a class or the part of an anchor.

    Examples
    --------
    >>> name_of("not checked"), name_of("(VC.1)")
    ('not-checked', 'VC.1')
    """
    return re.sub(r"[^A-Za-z0-9.]+", "-", words).strip("-")
