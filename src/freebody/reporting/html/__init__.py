"""A report as one HTML file: no network, no script, mathematics as MathML in a font of its own."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable

from freebody.checking.findings import Difference, Edit, Repair, SymbolFinding
from freebody.checking.report import STATUSES, DocumentReport, EquationVerdict, Report
from freebody.reporting.citation import TITLE, citation
from freebody.reporting.grading import COLUMNS, rows
from freebody.reporting.latex import applied, plain, visible
from freebody.reporting.mathml import Formulas
from freebody.reporting.origin import Origin, with_origins
from freebody.reporting.words import (
    Shared,
    WrongTerm,
    apart,
    change,
    marked_places,
    place,
    proof,
    remarks,
    spelt,
    summary,
    verdict_word,
    wrong_terms,
)


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


# ------------------------------------------------------------------ an equation

DIFFERENCE_COLUMNS = ("printed term", "how it is off", "what was found", "printed", "derived")


def equation(
    verdict: EquationVerdict,
    formulas: Formulas,
    anchor: str,
    anchors: Mapping[str, str],
    graded: bool,
) -> str:
    """Return one equation as HTML.

    Parameters
    ----------
    verdict : EquationVerdict
        What is said of it.
    formulas : Formulas
        Of its page.
    anchor : str
        Its own.
    anchors : mapping of str to str
        Those of the equations of the page, by label.
    graded : bool
        Whether the verdict is that of a grading.
    """
    names = f"equation {name_of(verdict.status)}{' new' if verdict.news else ''}"
    body = "\n".join(_equation_body(verdict, formulas, anchors, graded))
    where = ", ".join(filter(None, (place(verdict), proof(verdict))))
    return (
        f'<article class="{names}" id="{anchor}">\n'
        f'<h3><a href="#{anchor}">{text(verdict.label)}</a> '
        f'<span class="verdict">{verdict_word(verdict.status, graded)}</span> '
        f'<span class="place">{text(where)}</span></h3>\n'
        f"<div>\n{body}\n</div>\n</article>"
    )


def _equation_body(
    verdict: EquationVerdict, formulas: Formulas, anchors: Mapping[str, str], graded: bool
) -> Iterator[str]:
    yield formulas.html(verdict.latex, marked_places(verdict))
    if verdict.status == "unreadable":
        yield lines(verdict.note)
    if verdict.carried_from:
        yield f"<p>Carried on from {link(verdict.carried_from, anchors)}.</p>"
    if verdict.differences or wrong_terms(verdict):
        yield _terms(verdict, formulas)
    yield from _repairs(verdict, formulas)
    yield from (paragraph(f"Taken: {reading}", "soft") for reading in verdict.readings)
    if verdict.surprise and not graded and verdict.surprise != verdict.note.partition("\n")[0]:
        yield paragraph(verdict.surprise, "new-finding")
    if verdict.fault:
        yield paragraph(verdict.fault, "new-finding")
    if verdict.note and verdict.status != "unreadable":
        yield paragraph(verdict.note, "recorded")


def link(label: str, anchors: Mapping[str, str]) -> str:
    """Return a label, as a link where there is such an equation."""
    anchor = anchors.get(label)
    return f'<a href="#{anchor}">{text(label)}</a>' if anchor else text(label)


def _terms(verdict: EquationVerdict, formulas: Formulas) -> str:
    rows = [row for wrong in wrong_terms(verdict) for row in _rows(wrong, formulas)]
    used = [number for number in range(len(DIFFERENCE_COLUMNS)) if any(row[number] for row in rows)]
    columns = [DIFFERENCE_COLUMNS[number] for number in used]
    return table("Terms", columns, ([row[number] for number in used] for row in rows))


def _rows(wrong: WrongTerm, formulas: Formulas) -> Iterator[tuple[str, ...]]:
    printed = formulas.html(wrong.latex) if wrong.latex else ""
    first = printed, text(wrong.off)
    for number, difference in enumerate(wrong.differences or (None,)):
        yield (*(("", "") if number else first), *_finding(difference))


def _finding(difference: Difference | None) -> tuple[str, str, str]:
    if difference is None:
        return "", "", ""
    term = text(f"{difference.entry} {difference.term}".strip())
    return f"<code>{term}</code>", text(difference.printed), text(difference.derived)


def _repairs(verdict: EquationVerdict, formulas: Formulas) -> Iterator[str]:
    if verdict.repairs:
        yield f"<h4>Proposed: {_changes(verdict.repairs[0], formulas)}</h4>"
        yield _repaired(verdict, verdict.repairs[0], formulas)
    others = verdict.repairs[1:]
    if others:
        lines = (
            f"{_changes(other, formulas)} {_repaired(verdict, other, formulas)}" for other in others
        )
        number = "another repair" if len(others) == 1 else f"{len(others)} other repairs"
        yield f"<details><summary>{number} would do as well</summary>{bullets(lines)}</details>"
    if verdict.search:
        yield paragraph(verdict.search, "soft")


def _changes(repair: Repair, formulas: Formulas) -> str:
    """Return what a repair changes, in words and in formulas."""
    return ", ".join(dict.fromkeys(_change(edit, formulas) for edit in repair.edits))


def _change(edit: Edit, formulas: Formulas) -> str:
    if not spelt(edit):
        return text(change(edit))
    printed, proposed = (
        formulas.html(latex) if latex.strip() else "nothing"
        for latex in (edit.printed, edit.proposed)
    )
    return f"{text(change(edit))} ({printed} → {proposed})"


def _repaired(verdict: EquationVerdict, repair: Repair, formulas: Formulas) -> str:
    """Return the equation with a repair, its changed places marked."""
    latex, places = applied(verdict.latex, repair.edits)
    return formulas.html(repair.latex, places if latex == repair.latex else (), "proposed")


# ------------------------------------------------------------------ the page


def html(report: Report, origins: Sequence[Origin] = ()) -> str:
    """Return a report as an HTML page.

    Every equation is there as it is printed, wrong terms marked, with its verdict, what was found
    and the proposed repairs.

    Parameters
    ----------
    report : Report
    origins : sequence of Origin
        Where its documents are printed, in their order; macros stay as they are without.
    """
    title = "Printed equations, checked"
    if len(report.documents) == 1:
        title = text(report.documents[0].title)
    return whole_page(title, "\n".join(_body(report, origins, title)))


def whole_page(title: str, body: str) -> str:
    """Return a page in one file, with its style and its font for formulas.

    Parameters
    ----------
    title, body : str
        In HTML.
    """
    style = _font() + _file("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _file(name: str) -> Traversable:
    return files("freebody.reporting.html").joinpath(name)


def _font() -> str:
    """Return a font for formulas: without one, accents lie on letters and brackets do not grow."""
    data = b64encode(_file("math.woff2").read_bytes()).decode()
    source = f'url("data:font/woff2;base64,{data}") format("woff2")'
    return f'@font-face {{ font-family: "freebody math"; src: {source}; }}\n'


def _body(report: Report, origins: Sequence[Origin], title: str) -> Iterator[str]:
    yield f"<header>\n<h1>{title}</h1>\n{paragraph(summary(report))}"
    if report.graded:
        yield table("Grades", COLUMNS, ([text(cell) for cell in row] for row in rows(report)))
    yield f"{_filters(report)}\n</header>\n<main>"
    for number, (document, origin) in enumerate(with_origins(report, origins)):
        formulas = Formulas(origin.expand, document.language)
        yield from _document(document, formulas, f"page-{number + 1}", report)
    yield (
        "</main>\n<footer>freebody compared every equation with what it derived from the model. "
        "In a printed formula what is wrong is marked, in a proposed one what was changed."
        "</footer>"
    )


def _filters(report: Report) -> str:
    """Return the counts, each a link that leaves only its equations to be seen."""
    equations = [verdict for document in report.documents for verdict in document.equations]
    links = [f'<li><a href="#">all {len(equations)}</a></li>']
    for status in STATUSES:
        count = sum(verdict.status == status for verdict in equations)
        if count:
            links.append(_filter(name_of(status), f"{verdict_word(status, report.graded)} {count}"))
    new = sum(bool(verdict.news) for verdict in equations)
    if new and not report.graded:
        links.append(_filter("new", f"not as recorded {new}"))
    return f'<nav aria-label="Which equations are shown">\n<ul>{"".join(links)}</ul>\n</nav>'


def _filter(name: str, words: str) -> str:
    return f'<li id="only-{name}"><a class="{name}" href="#only-{name}">{words}</a></li>'


# ---------------------------------------------------------------------- a document


def _document(
    printed: DocumentReport, formulas: Formulas, name: str, report: Report
) -> Iterator[str]:
    document, shared = apart(printed)
    ids = _ids(document, name)
    anchors = {
        verdict.label: anchor for verdict, anchor in zip(document.equations, ids, strict=True)
    }
    yield f'<section aria-labelledby="{name}">'
    if len(report.documents) > 1:
        yield f'<h2 id="{name}">{text(document.title)}</h2>'
    else:
        yield f'<h2 id="{name}">Equations</h2>'
    yield paragraph(f"{document.document}, model {document.model}", "soft")
    for number, definition in enumerate(document.definitions):
        yield _definition(definition, formulas, f"{name}-definition-{number + 1}", anchors)
    yield from _lists(document, shared, anchors)
    for verdict, anchor in zip(document.equations, ids, strict=True):
        yield equation(verdict, formulas, anchor, anchors, report.graded)
    if cited := citation(document):
        yield f"<details><summary>{TITLE}</summary>{bullets(map(text, cited))}</details>"
    yield "</section>"


def _lists(document: DocumentReport, shared: Shared, anchors: Mapping[str, str]) -> Iterator[str]:
    """Iterate over the remarks on the page as a whole."""
    notes = remarks(document)
    if notes:
        yield bullets(map(text, notes))
    if shared:
        cells = (
            (bullets(map(text, readings)), ", ".join(link(label, anchors) for label in labels))
            for labels, readings in shared.items()
        )
        yield table("What was taken for granted", ("taken", "in"), cells)


def _ids(document: DocumentReport, name: str) -> list[str]:
    """Return an anchor for each equation; where labels repeat, with its number."""
    seen: Counter[str] = Counter()
    ids = []
    for verdict in document.equations:
        label = name_of(verdict.label)
        seen[label] += 1
        ids.append(f"{name}-{label}" + (f"-again-{seen[label]}" if seen[label] > 1 else ""))
    return ids


def _definition(
    definition: SymbolFinding, formulas: Formulas, name: str, anchors: Mapping[str, str]
) -> str:
    fixes, breaks = (
        ", ".join(link(label, anchors) for label in labels)
        for labels in (definition.fixes, definition.breaks)
    )
    message = f"; with the other meaning {breaks} would no longer hold." if breaks else "."
    symbol = formulas.html(definition.symbol)
    return (
        f'<aside class="definition" id="{name}">\n'
        f"<h3>Reading {symbol} as <code>{text(definition.proposed)}</code> makes {fixes} hold"
        f"</h3>\n<p>{symbol} is declared as <code>{text(definition.declared)}</code>{message}</p>\n"
        "</aside>"
    )
