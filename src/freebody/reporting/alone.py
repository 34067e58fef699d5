"""A report on pages that were held against themselves, in the formats of a check."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from freebody.arguments import checked
from freebody.consistency.report import AloneReport, PageReport, Standing, StatementVerdict
from freebody.files import atomic_write, expect_ending
from freebody.reporting import github
from freebody.reporting.citation import TITLE, citation_alone
from freebody.reporting.formats import ENDINGS, Format
from freebody.reporting.html import bullets, name_of, paragraph, text, whole_page
from freebody.reporting.markdown import escaped, fence, table
from freebody.reporting.mathml import Formulas
from freebody.reporting.origin import origin_of

CLASSES: dict[Standing, str] = {
    "consistent": "holds",
    "contradicts": "differs",
    "unsupported": "not-checked",
}
"""How a verdict is shown in a browser: as that of a check."""
HEAD = "Pages, held against themselves"


def written_alone(report: AloneReport, form: Format, *, cite: bool = False) -> str:
    """Return a report as text, without the end of its last line.

    Parameters
    ----------
    report : AloneReport
    form : {"table", "json", "markdown", "html", "github"}
    cite : bool, optional
        Whether a table closes with what stands behind it; the other formats always do.
    """
    match form:
        case "json":
            return json.dumps(report.as_json(), indent=2, ensure_ascii=False)
        case "markdown":
            return "\n\n".join(_markdown(report))
        case "html":
            return _html(report)
        case "github":
            return "\n".join([*_commands(report), *(_counted(one) for one in report.documents)])
    pages = report.documents
    blocks = ["\n".join([*one.lines(), *(_cited(one) if cite else ())]) for one in pages]
    return "\n\n".join(blocks)


@checked
def save_alone(report: AloneReport, path: str | Path) -> None:
    """Write a report to a ``.html``, ``.md``, ``.json`` or ``.txt`` file.

    Parameters
    ----------
    report : AloneReport
        What `freebody.alone` gives.
    path : str or Path

    Raises
    ------
    FileError
        If the ending is another, or the file cannot be written; nothing is half-written then.
    """
    path = Path(path)
    expect_ending(path, tuple(ENDINGS))
    words = written_alone(report, ENDINGS[path.suffix], cite=True)
    with atomic_write(path) as temporary:
        temporary.write_text(f"{words}\n", encoding="utf-8")


def _cited(page: PageReport) -> Iterator[str]:
    yield f"{TITLE}:"
    yield from (f"  {line}" for line in citation_alone(page))


def _counted(page: PageReport) -> str:
    return f"{page.document}: {page.lines()[-1]}"


def _shown(page: PageReport) -> list[StatementVerdict]:
    """Return the equations that are shown: in running text, those of which something is said."""
    return [one for one in page.equations if not one.is_inline or one.status != "unsupported"]


# ---------------------------------------------------------------------- Markdown


def _markdown(report: AloneReport) -> Iterator[str]:
    yield f"# {HEAD}"
    for page in report.documents:
        formulas = Formulas(origin_of(page.source, graded=True).expand)
        yield f"## {escaped(page.document)}"
        yield escaped(page.lines()[-1])
        for one in page.equations:
            if one.status == "contradicts":
                yield f"### {escaped(f'{one.label} {one}, {one.place}')}"
                yield fence(formulas.expand(one.latex).strip(), "math")
                yield from _blamed(one)
                yield from _proposed(one, formulas)
        yield table(("equation", "place", "verdict"), map(_row, _shown(page)))
        cited = "\n".join(f"- {escaped(line)}" for line in citation_alone(page))
        yield f"<details>\n<summary>{TITLE}</summary>\n\n{cited}\n\n</details>"


def _row(one: StatementVerdict) -> list[str]:
    return [escaped(one.label), escaped(one.place), escaped(str(one))]


def _blamed(one: StatementVerdict) -> Iterator[str]:
    if one.reason:
        yield escaped(one.reason)
    if one.wrong:
        yield f"The rest of the page speaks against **{escaped(one.wrong)}**."


def _proposed(one: StatementVerdict, formulas: Formulas) -> Iterator[str]:
    for number, repair in enumerate(one.repairs[:3]):
        yield "Or:" if number else "**Proposed**:"
        yield fence(formulas.expand(repair.latex).strip(), "math")


# ---------------------------------------------------------------------- a browser


def _html(report: AloneReport) -> str:
    names = [page.document for page in report.documents]
    title = text(names[0] if len(names) == 1 else HEAD)
    body = [f"<header>\n<h1>{title}</h1>\n{paragraph(HEAD)}\n</header>\n<main>"]
    for page in report.documents:
        body += _page(page)
    return whole_page(title, "\n".join([*body, "</main>"])).rstrip("\n")


def _page(page: PageReport) -> Iterator[str]:
    formulas = Formulas(origin_of(page.source, graded=True).expand)
    yield f"<section>\n<h2>{text(page.document)}</h2>\n{paragraph(page.lines()[-1], 'soft')}"
    for one in _shown(page):
        words = text(f"{one.label} {one}")
        yield (
            f'<article class="equation {CLASSES[one.status]}" id="{name_of(one.label)}">\n'
            f'<h3><span class="verdict">{words}</span> '
            f'<span class="place">{text(one.place)}</span></h3>\n<div>\n'
            f"{formulas.html(one.latex)}\n{''.join(_details(one, formulas))}</div>\n</article>"
        )
    cited = bullets(map(text, citation_alone(page)))
    yield f"<details><summary>{TITLE}</summary>{cited}</details>\n</section>"


def _details(one: StatementVerdict, formulas: Formulas) -> Iterator[str]:
    if one.status != "contradicts":
        return
    if one.reason:
        yield paragraph(one.reason, "soft")
    if one.wrong:
        yield paragraph(f"The rest of the page speaks against {one.wrong}.")
    for repair in one.repairs[:3]:
        yield f"<h4>Proposed</h4>{formulas.html(repair.latex)}"


# ---------------------------------------------------------------------- GitHub


def _commands(report: AloneReport) -> Iterator[str]:
    for page in report.documents:
        file = github.relative(page.source)
        for one in page.equations:
            if one.status == "contradicts":
                title = f"{one.label} {one}"
                message = "\n".join([one.latex, *(repair.latex for repair in one.repairs[:1])])
                yield github.command(message, file=file, line=str(one.line), title=title)
