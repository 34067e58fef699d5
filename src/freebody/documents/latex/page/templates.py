r"""Formulas in the templates of Observable's pages: ``${tex`m g`}``, ``${tex.block`F = m a`}``."""

from __future__ import annotations

import re

_TEMPLATE = re.compile(r"\$\{\s*tex(?P<block>\.block)?\s*`(?P<latex>(?:[^`$]|\\`){1,20000})`\s*\}")


def untemplated(text: str) -> str:
    r"""Return the text of a page with the marks of LaTeX around such formulas, of the same length.

    Examples
    --------
    >>> untemplated("Of mass ${tex`m`}: ${tex.block`F = m a`}").split()
    ['Of', 'mass', '$m$', ':', '$$F', '=', 'm', 'a$$']
    """
    return _TEMPLATE.sub(_marked, text) if "${" in text else text


def _marked(found: re.Match[str]) -> str:
    mark = "$$" if found["block"] else "$"
    before = " " * (found.start("latex") - found.start() - len(mark))
    formula = f"{before}{mark}{found['latex']}{mark}"
    return formula.ljust(len(found[0]))
