"""Pieces of HTML for a notebook: small, folded, in the colors of the notebook itself."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

STYLE = """<style>
.freebody { --ink: var(--jp-ui-font-color1, CanvasText); --soft: var(--jp-ui-font-color2, GrayText);
  --line: var(--jp-border-color2, #8884); color: var(--ink); font-size: .95em; max-width: 60rem; }
.freebody > p { margin: .2rem 0; } .freebody .soft { color: var(--soft); }
.freebody details { margin: .15rem 0; } .freebody summary { cursor: pointer; }
.freebody details > :not(summary) { margin: .3rem 0 .5rem 1.1rem; }
.freebody .wide { overflow-x: auto; } .freebody .tall { max-height: 26rem; overflow: auto; }
.freebody table { border-collapse: collapse; margin: .2rem 0; }
.freebody th, .freebody td { text-align: left !important; padding: .1rem .9rem .1rem 0;
  border-bottom: 1px solid var(--line); background: none; vertical-align: baseline; }
.freebody figure { margin: .5rem 0; } .freebody figcaption { color: var(--soft); }
.freebody img, .freebody .picture svg, .freebody figure svg { max-width: 100%;
  height: auto; background: #fff; border-radius: 4px; }
.freebody .formula { display: block; overflow-x: auto; padding: .1rem 0; }
.freebody td .formula, .freebody p .formula, .freebody h4 .formula, .freebody li .formula,
.freebody figcaption .formula { display: inline; }
.freebody .equation { border-left: 3px solid var(--line); padding: .1rem 0 .1rem .8rem;
  margin: .5rem 0; }
.freebody .equation h3, .freebody .equation h4 { margin: .1rem 0; font-size: 1em; }
.freebody .equation h3 a { color: inherit; text-decoration: none; }
.freebody .place { color: var(--soft); font-weight: 400; margin-left: .6rem; }
.freebody .differs { border-left-color: #c0392b; } .freebody .differs .verdict { color: #c0392b; }
.freebody .unreadable, .freebody .failed { border-left-color: #9b59b6; }
.freebody .unreadable .verdict, .freebody .failed .verdict { color: #9b59b6; }
.freebody .holds .verdict { color: #1e8449; }
.freebody .wrong { background: #e74c3c40; box-shadow: 0 2px #c0392b; }
.freebody .proposed { background: #2ecc7140; box-shadow: 0 2px #1e8449; }
.freebody caption { display: none; } .freebody pre { overflow-x: auto; }
.freebody iframe { width: 100%; border: 1px solid var(--line); border-radius: 6px; }
</style>"""


def whole(title: str, *parts: str) -> str:
    """Return what is shown of an object: a title, and parts in HTML."""
    body = "\n".join(part for part in parts if part)
    return f'{STYLE}\n<div class="freebody">\n<p><b>{escape(title)}</b></p>\n{body}\n</div>'


def folded(summary: str, body: str, *, is_open: bool = False) -> str:
    """Return HTML that is shown when its summary, which is text, is clicked."""
    return folded_below(escape(summary), body, is_open=is_open)


def folded_below(summary: str, body: str, *, is_open: bool = False) -> str:
    """Return HTML that is shown when its summary, which is HTML too, is clicked."""
    state = " open" if is_open else ""
    return f"<details{state}><summary>{summary}</summary>\n<div>{body}</div></details>"


def soft(text: str) -> str:
    """Return a remark."""
    return f'<p class="soft">{escape(text)}</p>'


def table(rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells in HTML, whose first row is its head."""
    head, *others = rows
    first = "".join(f"<th>{cell}</th>" for cell in head)
    lines = "\n".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in others)
    return (
        f'<div class="wide tall"><table><thead><tr>{first}</tr></thead>\n'
        f"<tbody>{lines}</tbody></table></div>"
    )


def picture(figure: Any, dpi: int = 90) -> str:
    """Return a figure of matplotlib as an image."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=dpi)
    width = round(figure.get_size_inches()[0] * dpi)
    data = b64encode(out.getvalue()).decode()
    return f'<img alt="" width="{width}" src="data:image/png;base64,{data}">'


def player(page: str, height: int) -> str:
    """Return a whole page in a frame of its own."""
    frame = f'<iframe height="{height}" srcdoc="{escape(page)}"></iframe>'
    return f'{STYLE}\n<div class="freebody">{frame}</div>'
