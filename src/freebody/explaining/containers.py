"""A derivation as LaTeX, as a notebook, and as a page for a browser."""

from __future__ import annotations

import io
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest
from typing import Any

from matplotlib import rc_context

from freebody.explaining.document import body
from freebody.explaining.layout import lines_in, lines_of, narrowed
from freebody.explaining.page import Block, Formula, Heading, Picture, Prose, Table
from freebody.explaining.widths import length
from freebody.reporting.html import whole_page
from freebody.reporting.mathml import Formulas

SAME = {"svg.hashsalt": "freebody", "svg.fonttype": "path"}
"""So that the same drawing is the same file."""
PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[a4paper,margin=25mm]{geometry}
\usepackage{amsmath}
\usepackage{graphicx}
\usepackage{longtable}
\usepackage{array}
\allowdisplaybreaks
\emergencystretch 2em
\begin{document}
"""
TEX_WIDTH = 81
"""What a line has place for beside its number, with these margins."""
TEX_LINE = 88
"""What a line of text has place for."""
ROW_LINES = 8
"""Of a formula in a row of a table, between which no page ends."""
_INLINE = re.compile(r"(\$[^$]*\$|`[^`]*`)")
_SPECIAL = re.compile(r"[&%#_{}~^\\²³]")
_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "²": "$^{2}$",
    "³": "$^{3}$",
}
STYLE = """<style>
main h2 { margin-top: 2.4rem; } main h3 { margin: 1.4rem 0 .3rem; }
.row { display: flex; align-items: baseline; gap: 1rem; margin: .55rem 0; }
.row .formula { flex: 1; min-width: 0; margin: 0; }
.row .formula math { padding-block: .2em; }
.row .number { color: var(--soft); }
figure { margin: 1.2rem 0; } figure svg { max-width: 100%; height: auto; background: #fff; }
figcaption .formula, main p .formula, td .formula, h2 .formula, h3 .formula { display: inline;
  margin: 0; padding: 0; text-indent: 0; }
figcaption { color: var(--soft); }
</style>
"""


def svg(figure: Any) -> bytes:
    """Return a drawing as SVG, the same for the same drawing."""
    out = io.BytesIO()
    with rc_context(SAME):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Iterate over formulas, code and plain text of a paragraph."""
    for part in _INLINE.split(text.replace("\\_", "_")):
        if part.startswith("$"):
            yield "formula", part[1:-1]
        elif part.startswith("`"):
            yield "code", part[1:-1]
        elif part:
            yield "text", part


# ---------------------------------------------------------------------- LaTeX


def latex(title: str, front: str, blocks: Sequence[Block], pictures: str) -> str:
    """Return a derivation as a LaTeX file, with front matter in comments."""
    lines = "".join(f"% {line}".rstrip() + "\n" for line in ("+++", *front.splitlines(), "+++"))
    rows = "\n\n".join(_in_latex(block, pictures) for block in blocks)
    return f"{lines}{PREAMBLE}\\section*{{{_tex(title)}}}\n\n{rows}\n\n\\end{{document}}\n"


def _tex(text: str) -> str:
    """Return prose in LaTeX."""
    out = ""
    for kind, part in _parts(text):
        if kind == "formula":
            out += f"${part}$"
        else:
            plain = _SPECIAL.sub(lambda match: _ESCAPED.get(match[0], f"\\{match[0]}"), part)
            out += rf"\texttt{{{plain}}}" if kind == "code" else plain
    return out


def _in_latex(block: Block, pictures: str) -> str:
    match block:
        case Heading():
            return rf"\{'sub' * (block.level - 2)}section*{{{_tex(block.text)}}}"
        case Prose():
            return _tex(block.text)
        case Formula():
            return _latex_equation(block)
        case Picture():
            graphic = rf"\includegraphics[width=0.62\linewidth]{{{pictures}/{block.name}.pdf}}"
            return f"\\begin{{center}}\n{graphic}\n\n{_tex(block.caption)}\n\\end{{center}}"
        case Table():
            return _latex_table(block.rows)


def _latex_equation(block: Formula) -> str:
    """Return a numbered equation; one of several lines may go on over the end of a page."""
    whole = " = ".join(block.sides)
    fits = length(whole) <= TEX_WIDTH
    rows = [whole] if fits else lines_of(block.sides, TEX_WIDTH)
    kind = "equation" if fits else "align"
    lines = " \\notag \\\\\n".join(rows)
    return f"\\begin{{{kind}}}\n{lines} \\tag{{{block.label}}}\n\\end{{{kind}}}"


COLUMNS = {
    "no.": (0.0, 0.0, 0.32, 0.0, 0.24),
    "symbol": (0.0, 0.46, 0.0, 0.0),
    "equation": (0.0, 0.36, 0.14, 0.28),
}
"""How wide columns are, by the head of the table; zero: as wide as what they hold."""


def _latex_table(rows: Sequence[Sequence[str]]) -> str:
    wide = COLUMNS.get(rows[0][0], (0.0,) * len(rows[0]))
    kinds = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{one}\linewidth}}" if one else "l" for one in wide
    )
    cells = [part for row in rows for part in _tex_rows(row, wide)]
    lines = [" & ".join(row) + r" \\" for row in cells]
    body = "\n".join([lines[0], r"\hline", r"\endhead", *lines[1:]])
    return f"\\begin{{longtable}}{{{kinds}}}\n{body}\n\\end{{longtable}}"


def _tex_rows(row: Sequence[str], wide: Sequence[float]) -> Iterator[list[str]]:
    """Iterate over the rows that a row is printed in: more than one where a page could end."""
    columns = [
        [_breakable(_tex(part), one) for part in _parts_of(cell, one)] if one else [_tex(cell)]
        for cell, one in zip(row, wide, strict=True)
    ]
    for parts in zip_longest(*columns, fillvalue=""):
        yield list(parts)


def _parts_of(cell: str, share: float) -> list[str]:
    """Return the parts of a formula that is longer than some lines of its column."""
    if not _INLINE.fullmatch(cell) or cell.startswith("`"):
        return [cell]
    return [f"${part}$" for part in lines_in(cell[1:-1], share * TEX_LINE * ROW_LINES)]


def _breakable(cell: str, share: float) -> str:
    r"""Return a cell whose products may go on in the next line, between factors.

    Parameters
    ----------
    cell : str
        In LaTeX.
    share : float
        Of the width of the page.

    Examples
    --------
    >>> _breakable(r"$m_{1} l \sin(a b)$", 0.5)
    '$m_{1} \\allowbreak l \\allowbreak \\sin(a b)$'
    """
    width, out, depth, is_formula = share * TEX_LINE, "", 0, False
    cell = re.sub(r"\$([^$]*)\$", lambda one: f"${narrowed(one[1], width)}$", cell)
    for character in cell:
        is_formula ^= character == "$"
        depth += (character in "{(") - (character in "})")
        out += r" \allowbreak " if is_formula and character == " " and not depth else character
    return out


# ---------------------------------------------------------------------- notebook


def notebook(title: str, front: str, blocks: Sequence[Block]) -> str:
    """Return a derivation as a notebook: a cell for each section, pictures inside."""
    cells = [_cell("raw", f"+++\n{front}+++"), _cell("markdown", f"# {title}")]
    cells += [_section(section) for section in _sections(blocks)]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    data = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _cell(kind: str, source: str) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}


def _sections(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    section: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level == 2 and section:
            yield section
            section = []
        section.append(block)
    yield section


def _section(blocks: list[Block]) -> dict[str, Any]:
    cell = _cell("markdown", body(blocks, "attachment:").replace("attachment:/", "attachment:"))
    pictures = [block for block in blocks if isinstance(block, Picture)]
    if pictures:
        cell["attachments"] = {
            f"{one.name}.svg": {"image/svg+xml": b64encode(svg(one.figure)).decode()}
            for one in pictures
        }
    return cell


# ---------------------------------------------------------------------- a browser's page


def html(title: str, blocks: Sequence[Block]) -> str:
    """Return a derivation as one HTML file: no network, no script, formulas as MathML."""
    formulas = Formulas(str)
    main = "\n".join(_in_html(block, formulas) for block in blocks)
    words = (
        "freebody derived and checked every equation of this page; "
        "saved as .md, .tex or .ipynb it is a document that it checks again."
    )
    header = f"<header>\n<h1>{escape(title)}</h1>\n</header>"
    footer = f"<footer>{words}</footer>"
    return whole_page(escape(title), f"{STYLE}{header}\n<main>\n{main}\n</main>\n{footer}")


def sections_html(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """Iterate over the sections of a derivation: their titles and their bodies in HTML."""
    formulas = Formulas(str)
    for section in _sections(blocks):
        head, *others = section
        is_titled = isinstance(head, Heading)
        title = _rich(head.text, formulas) if isinstance(head, Heading) else ""
        shown = others if is_titled else section
        yield title, "\n".join(_in_html(block, formulas) for block in shown)


def _rich(text: str, formulas: Formulas) -> str:
    """Return prose in HTML."""
    made = {
        "formula": formulas.html,
        "code": lambda part: f"<code>{escape(part)}</code>",
        "text": escape,
    }
    return "".join(made[kind](part) for kind, part in _parts(text))


def _in_html(block: Block, formulas: Formulas) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{_rich(block.text, formulas)}</h{block.level}>"
        case Prose():
            return f"<p>{_rich(block.text, formulas)}</p>"
        case Formula():
            shown = formulas.html(" = ".join(block.sides))
            number = f'<span class="number">({block.label})</span>'
            return f'<div class="row" id="equation-{block.label}">{shown}{number}</div>'
        case Picture():
            drawn = svg(block.figure).decode("utf-8").partition("<svg")
            caption = f"<figcaption>{_rich(block.caption, formulas)}</figcaption>"
            return f"<figure><svg{_own_ids(drawn[2], block.name)}{caption}</figure>"
        case Table():
            return _html_table(block.rows, formulas)


def _own_ids(drawing: str, name: str) -> str:
    """Return a drawing whose names are not those of another one on the page."""
    return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", drawing)


def _html_table(rows: Sequence[Sequence[str]], formulas: Formulas) -> str:
    head, *others = rows
    first = "".join(f'<th scope="col">{_rich(cell, formulas)}</th>' for cell in head)
    lines = "\n".join(
        f"<tr>{''.join(f'<td>{_rich(cell, formulas)}</td>' for cell in row)}</tr>" for row in others
    )
    return (
        f'<div class="wide"><table>\n<thead><tr>{first}</tr></thead>\n'
        f"<tbody>\n{lines}\n</tbody></table></div>"
    )
