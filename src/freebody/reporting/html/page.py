"""A report as one HTML file: no network, no script, mathematics as MathML in a font of its own."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from freebody.checking.findings import Definition
from freebody.checking.report import STATUSES, DocumentReport, Report
from freebody.reporting.grading import COLUMNS, rows
from freebody.reporting.html.elements import bullets, name_of, paragraph, table, text
from freebody.reporting.html.equation import equation, link
from freebody.reporting.mathml import Formulas
from freebody.reporting.origin import Origin, with_origins
from freebody.reporting.words import Shared, apart, remarks, summary, verdict_word


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
    style = _font() + _file("page.css").read_text(encoding="utf-8")
    body = "\n".join(_body(report, origins, title))
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
        yield from _document(document, Formulas(origin.expand), f"page-{number + 1}", report)
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
    yield "</section>"


def _lists(document: DocumentReport, shared: Shared, anchors: Mapping[str, str]) -> Iterator[str]:
    """Iterate over what is said of the page as a whole."""
    said = remarks(document)
    if said:
        yield bullets(map(text, said))
    if shared:
        cells = (
            (bullets(map(text, readings)), ", ".join(link(label, anchors) for label in labels))
            for labels, readings in shared.items()
        )
        yield table("What was taken for granted", ("taken", "in"), cells)


def _ids(document: DocumentReport, name: str) -> list[str]:
    """Return an anchor for each equation; where labels repeat, with its number."""
    seen: Counter[str] = Counter()
    found = []
    for verdict in document.equations:
        label = name_of(verdict.label)
        seen[label] += 1
        found.append(f"{name}-{label}" + (f"-again-{seen[label]}" if seen[label] > 1 else ""))
    return found


def _definition(
    definition: Definition, formulas: Formulas, name: str, anchors: Mapping[str, str]
) -> str:
    fixes, breaks = (
        ", ".join(link(label, anchors) for label in labels)
        for labels in (definition.fixes, definition.breaks)
    )
    told = f"; with the other meaning {breaks} would no longer hold." if breaks else "."
    symbol = formulas.html(definition.symbol)
    return (
        f'<aside class="definition" id="{name}">\n'
        f"<h3>Reading {symbol} as <code>{text(definition.proposed)}</code> makes {fixes} hold"
        f"</h3>\n<p>{symbol} is declared as <code>{text(definition.declared)}</code>{told}</p>\n"
        "</aside>"
    )
