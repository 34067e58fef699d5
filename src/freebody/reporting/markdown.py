"""A report as Markdown, as GitHub and GitLab render it.

Formulas stand in ``math`` fences: what is between two ``$$`` is read as Markdown first, which
halves the backslashes that end the rows of a matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from freebody.checking.findings import Repair, Span, SymbolFinding
from freebody.checking.report import DocumentReport, EquationVerdict, Report
from freebody.reporting.citation import TITLE, citation
from freebody.reporting.grading import COLUMNS, rows
from freebody.reporting.latex import applied, plain, unaligned, visible
from freebody.reporting.mathml import Formulas
from freebody.reporting.origin import Origin, with_origins
from freebody.reporting.words import (
    apart,
    changes,
    marked_places,
    place,
    proof,
    remarks,
    summary,
    verdict_word,
    wrong_terms,
)

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#~$&])")
FOUND = ("printed term", "how it is off", "what was found", "printed", "derived")
WRONG, PROPOSED = "red", "green"


def markdown(report: Report, origins: Sequence[Origin] = ()) -> str:
    """Return a report as Markdown: what was found first, then a table of all equations."""
    return "\n\n".join(_blocks(report, origins)) + "\n"


def brief(report: Report) -> str:
    """Return the tables alone, where the whole is too long."""
    blocks = [escaped(summary(report))]
    for document in report.documents:
        blocks += [f"## {escaped(document.title)}", _all(document, report.graded)]
    return "\n\n".join(blocks) + "\n"


def _blocks(report: Report, origins: Sequence[Origin]) -> Iterator[str]:
    yield "# Printed equations, checked"
    yield escaped(summary(report)) if report.documents else "No documents to check."
    if report.graded:
        yield table(COLUMNS, ([escaped(cell) for cell in row] for row in rows(report)))
    for document, origin in with_origins(report, origins):
        yield from _document(document, Formulas(origin.expand, document.language), report.graded)


# ---------------------------------------------------------------------- elements


def escaped(words: str) -> str:
    """Return text that Markdown leaves as it is."""
    return SPECIAL.sub(r"\\\1", plain(words))


def _code(words: str) -> str:
    """Return code, whatever backticks or bars are in it."""
    shown = plain(words).strip()
    ticks = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown[:1] == "`" or shown[-1:] == "`" else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}" if shown else ""


def fence(words: str, language: str) -> str:
    """Return words in a fence of a language."""
    words = visible(words)
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", words)), default=0))
    return f"{ticks}{language}\n{words}\n{ticks}"


def _math(formulas: Formulas, latex: str, places: Iterable[Span], colour: str) -> str:
    if formulas.language:
        return fence(latex, formulas.language)
    return fence(formulas.coloured(unaligned(visible(latex)), places, colour).strip(), "math")


def table(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """Return a table; a bar in a cell is one, whether in code or not."""
    lines = [columns, ["---"] * len(columns), *cells]
    escaped = ([cell.replace("|", r"\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


# ---------------------------------------------------------------------- a document


def _document(printed: DocumentReport, formulas: Formulas, graded: bool) -> Iterator[str]:
    document, shared = apart(printed)
    yield f"## {escaped(document.title)}"
    yield f"{escaped(document.document)}, model {escaped(document.model)}"
    yield from map(_definition, document.definitions)
    for labels, readings in shared.items():
        yield f"Taken in {escaped(', '.join(labels))}:"
        yield "\n".join(f"- {escaped(taken)}" for taken in readings)
    notes = remarks(document)
    if notes:
        yield "\n".join(f"- {escaped(remark)}" for remark in notes)
    for verdict in document.equations:
        if verdict.status != "holds" or verdict.recorded or verdict.news:
            yield from _equation(verdict, formulas, graded)
    if document.equations:
        yield (
            f"<details>\n<summary>All {len(document.equations)} equations</summary>\n\n"
            f"{_all(document, graded)}\n\n</details>"
        )
    if cited := "\n".join(f"- {escaped(line)}" for line in citation(document)):
        yield f"<details>\n<summary>{TITLE}</summary>\n\n{cited}\n\n</details>"


def _definition(definition: SymbolFinding) -> str:
    breaks = f"; {escaped(', '.join(definition.breaks))} then not" if definition.breaks else ""
    return (
        f"> **Reading {_code(definition.symbol)} as {_code(definition.proposed)} makes "
        f"{escaped(', '.join(definition.fixes))} hold**{breaks}. "
        f"It is declared as {_code(definition.declared)}."
    )


def _all(document: DocumentReport, graded: bool) -> str:
    return table(
        ("equation", "place", "verdict", "proof"),
        (
            [
                escaped(verdict.label),
                escaped(place(verdict)),
                verdict_word(verdict.status, graded),
                escaped(proof(verdict)),
            ]
            for verdict in document.equations
        ),
    )


# ---------------------------------------------------------------------- an equation


def _equation(verdict: EquationVerdict, formulas: Formulas, graded: bool) -> Iterator[str]:
    judged = ", ".join(
        filter(None, (verdict_word(verdict.status, graded), proof(verdict), place(verdict)))
    )
    yield f"### {escaped(verdict.label)} {escaped(judged)}"
    yield _math(formulas, verdict.latex, marked_places(verdict), WRONG)
    if verdict.status == "unreadable":
        yield fence(verdict.note, "text")
    if verdict.carried_from:
        yield f"Carried on from {escaped(verdict.carried_from)}."
    if wrong_terms(verdict):
        yield table(FOUND, _finding_rows(verdict))
    yield from _repairs(verdict, formulas)
    yield from (f"Taken: {escaped(taken)}" for taken in verdict.readings)
    if verdict.surprise and not graded and verdict.status != "unreadable":
        yield f"**{escaped(verdict.surprise)}**"
    if verdict.fault:
        yield f"**{escaped(verdict.fault)}**"
    if verdict.note and verdict.status != "unreadable":
        yield f"*{escaped(verdict.note)}*"


def _finding_rows(verdict: EquationVerdict) -> Iterator[list[str]]:
    for wrong in wrong_terms(verdict):
        first = [_code(wrong.latex), escaped(wrong.off)]
        for number, difference in enumerate(wrong.differences or (None,)):
            named = ["", ""] if number else first
            if difference is None:
                yield [*named, "", "", ""]
            else:
                term = _code(f"{difference.entry} {difference.term}")
                yield [*named, term, escaped(difference.printed), escaped(difference.derived)]


def _repairs(verdict: EquationVerdict, formulas: Formulas) -> Iterator[str]:
    for number, repair in enumerate(verdict.repairs):
        yield f"{'Or' if number else '**Proposed**'}: {escaped(changes(repair))}"
        yield _repaired(verdict, repair, formulas)
    if verdict.diff:
        yield fence(verdict.diff, "diff")
    if verdict.search:
        yield escaped(verdict.search)


def _repaired(verdict: EquationVerdict, repair: Repair, formulas: Formulas) -> str:
    latex, places = applied(verdict.latex, repair.edits)
    spans = places if latex == repair.latex else ()
    return _math(formulas, repair.latex, spans, PROPOSED)
