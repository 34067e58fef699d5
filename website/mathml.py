"""Formulas of the site as MathML, made as those of reports are: no script, no network."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils.nodes import Element, SkipNode
from sphinx.application import Sphinx
from sphinx.util import logging

from freebody.reporting.mathml import Formulas

FONT = "math.woff2"
UNRENDERED = '<code class="latex">'
_FORMULAS = Formulas(str)
_log = logging.getLogger(__name__)


def rendered(node: Element) -> str:
    """Return a formula as HTML, and warn of one that cannot be rendered."""
    made = _FORMULAS.html(node.astext())
    if made.startswith(UNRENDERED):
        _log.warning("a formula cannot be rendered: %s", node.astext(), location=node)
    return made


def _inline(writer: Any, node: Element) -> None:
    writer.body.append(rendered(node))
    raise SkipNode


def _display(writer: Any, node: Element) -> None:
    writer.body.append(f'<div class="display">{rendered(node)}')
    if label := node.get("number") or node.get("label"):
        writer.body.append(f'<span class="number">({label})</span>')
    writer.body.append("</div>\n")
    raise SkipNode


def _bring_font(app: Sphinx, error: Exception | None) -> None:
    if error is None:
        data = files("freebody.reporting.html").joinpath(FONT).read_bytes()
        (Path(app.outdir) / "_static" / FONT).write_bytes(data)


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of it."""
    app.add_html_math_renderer("freebody", (_inline, None), (_display, None))
    app.connect("build-finished", _bring_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
