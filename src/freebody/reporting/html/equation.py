"""One equation of a page: as printed, its verdict, what was found, and what is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from freebody.checking.findings import Difference, Edit, Repair
from freebody.checking.report import EquationVerdict
from freebody.reporting.html.elements import bullets, lines, name_of, paragraph, table, text
from freebody.reporting.latex import applied
from freebody.reporting.mathml import Formulas
from freebody.reporting.words import change, place, proof, spelt, verdict_word
from freebody.reporting.wrong import WrongTerm, marked_places, wrong_terms

COLUMNS = ("printed term", "how it is off", "what was found", "printed", "derived")


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
    body = "\n".join(_body(verdict, formulas, anchors, graded))
    where = ", ".join(filter(None, (place(verdict), proof(verdict))))
    return (
        f'<article class="{names}" id="{anchor}">\n'
        f'<h3><a href="#{anchor}">{text(verdict.label)}</a> '
        f'<span class="verdict">{verdict_word(verdict.status, graded)}</span> '
        f'<span class="place">{text(where)}</span></h3>\n'
        f"<div>\n{body}\n</div>\n</article>"
    )


def _body(
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
    used = [number for number in range(len(COLUMNS)) if any(row[number] for row in rows)]
    columns = [COLUMNS[number] for number in used]
    return table("Terms", columns, ([row[number] for number in used] for row in rows))


def _rows(wrong: WrongTerm, formulas: Formulas) -> Iterator[tuple[str, ...]]:
    printed = formulas.html(wrong.latex) if wrong.latex else ""
    first = printed, text(wrong.off)
    for number, found in enumerate(wrong.differences or (None,)):
        yield (*(("", "") if number else first), *_found(found))


def _found(found: Difference | None) -> tuple[str, str, str]:
    if found is None:
        return "", "", ""
    term = text(f"{found.entry} {found.term}".strip())
    return f"<code>{term}</code>", text(found.printed), text(found.derived)


def _repairs(verdict: EquationVerdict, formulas: Formulas) -> Iterator[str]:
    if verdict.repairs:
        yield f"<h4>Proposed: {_changes(verdict.repairs[0], formulas)}</h4>"
        yield _repaired(verdict, verdict.repairs[0], formulas)
    others = verdict.repairs[1:]
    if others:
        told = (
            f"{_changes(other, formulas)} {_repaired(verdict, other, formulas)}" for other in others
        )
        number = "another repair" if len(others) == 1 else f"{len(others)} other repairs"
        yield f"<details><summary>{number} would do as well</summary>{bullets(told)}</details>"
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
