"""What models, equations, reports and results look like in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from freebody.algebra.terms import TooLargeError
from freebody.drawing.style import unit_text
from freebody.errors import FreebodyError
from freebody.model.printed import printed_names
from freebody.notebook.folded import folded, folded_below, picture, soft, table, whole
from freebody.reporting.mathml import Formulas

if TYPE_CHECKING:
    from freebody.checking.report import DocumentReport, EquationVerdict, Report
    from freebody.explaining import Derivation
    from freebody.explaining.comparing import ModelComparison, PageComparison
    from freebody.linearization import Linearization
    from freebody.mechanics.equations import Equations
    from freebody.model.schema import Model
    from freebody.results import Result

SHOWN = 12
"""So many equations are shown in full; of more, the labels are told."""
MOST_TERMS = 400
"""So many terms of equations of motion are shown."""
LONG = 600
"""A longer formula is folded."""


def _math(latex: str) -> str:
    return Formulas(str).html(latex)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


# ---------------------------------------------------------------------- a model


def model_html(model: Model) -> str:
    """Return a model: its drawing, and tables of what it is made of."""
    tables = [*_tables(model)]
    return whole(model.title, _drawing(model), *(folded(*one) for one in tables))


def _drawing(model: Model) -> str:
    from freebody.explaining.pictures.model import model_figure  # slow to import

    try:
        return picture(model_figure(model), 80)
    except FreebodyError as error:
        return soft(f"not drawn: {error}")


def _tables(model: Model) -> Iterator[tuple[str, str]]:
    latex = printed_names(model)
    groups: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
        ("coordinate", "initial", model.coordinates),
        ("speed", "value", model.speeds),
        ("input", "value", model.inputs),
        ("constant", "value", model.constants),
    )
    for kind, column, entries in groups:
        if entries:
            rows = [
                [_math(latex[name]), *_cells(name, one, column)] for name, one in entries.items()
            ]
            heads = ["symbol", "name", "what it is", "unit", column]
            yield _count(len(entries), kind), table([heads, *rows])
    yield _count(len(model.bodies), "body", "bodies"), table(_bodies(model))


def _cells(name: str, entry: Any, column: str) -> list[str]:
    value = getattr(entry, column)
    code = "" if value is None else f"<code>{escape(str(value))}</code>"
    return [
        f"<code>{escape(name)}</code>",
        escape(entry.title),
        escape(unit_text(entry.unit)),
        code,
    ]


def _bodies(model: Model) -> Iterator[list[str]]:
    yield ["body", "joint", "on", "mass", "centre of mass", "inertia"]
    joints = {joint.child: joint for joint in model.joints}
    for body in model.bodies:
        joint = joints[body.name]
        center = ", ".join(map(str, body.center_of_mass))
        values = (body.name, f"{joint.name} ({joint.type})", joint.parent, body.mass, center)
        inertia = body.inertia
        about = ", ".join(map(str, inertia)) if isinstance(inertia, tuple) else inertia
        yield [*(escape(str(one)) for one in values), "" if about is None else escape(str(about))]


# ---------------------------------------------------------------------- equations


def equations_html(equations: Equations) -> str:
    """Return equations of motion: the matrix equation, and its entries folded."""
    from freebody.explaining.page import Formula
    from freebody.explaining.paste import pasted

    title = f"{equations.mechanism.model.title}: equations of motion"
    try:
        count = sum(len(entry.terms) for entry in equations.blocks.entries)
        if count > MOST_TERMS:
            command = "'freebody derive' prints them, 'freebody explain' derives them"
            return whole(title, soft(f"{count} terms, too many to be shown here: {command}"))
        formulas = [one for one in pasted(equations).blocks if isinstance(one, Formula)]
    except TooLargeError as error:
        return whole(title, soft(f"too large to be written out: {error}"))
    first, *entries = (" = ".join(one.sides) for one in formulas)
    shown = "".join(_formula(one) for one in entries)
    size = sum(map(len, entries))
    words = f"{_count(len(entries), 'entry', 'entries')} that are not zero"
    return whole(title, _math(first), folded(words, shown, is_open=size < 2 * LONG))


def _formula(latex: str) -> str:
    if len(latex) <= LONG:
        return _math(latex)
    left = latex.partition(" = ")[0]
    return f"<details><summary>{_math(left)} …</summary>{_math(latex)}</details>"


# ---------------------------------------------------------------------- reports


def report_html(report: Report) -> str:
    """Return a report: what does not hold with its wrong terms marked, the rest folded."""
    from freebody.reporting.words import summary

    is_only = len(report.documents) == 1
    pages = (_document(one, report.graded, is_only=is_only) for one in report.documents)
    return whole(summary(report), *pages)


def document_html(report: DocumentReport) -> str:
    """Return the report of one page."""
    return whole(report.title, _document(report, is_graded=False, is_only=True))


def _document(report: DocumentReport, is_graded: bool, *, is_only: bool) -> str:
    """Return the verdicts of one page; of many pages, only what is news of those that agree."""
    counts = ", ".join(f"{count} {status}" for status, count in report.counts().items() if count)
    wrong = [one for one in report.equations if one.status not in ("holds", "not checked")]
    right = [one for one in report.equations if one not in wrong]
    news = any(one.news for one in report.equations) or bool(report.stale or report.faults)
    if is_only or news or is_graded:
        parts = [_equations(report, wrong, is_graded)]
    else:
        recorded = ", ".join(one.label for one in wrong)
        parts = [soft(f"as recorded in the page, not right: {recorded}")] if wrong else []
    parts += [soft(line) for line in (*report.stale, *report.remarks, *report.faults)][:SHOWN]
    if right:
        words = f"{len(right)} that hold or are not checked"
        parts.append(folded(words, _labels(report, right, is_graded)))
    is_open = is_only or news or (is_graded and bool(wrong))
    name = report.document if is_only else f"{report.document}: {report.title}"
    return folded(f"{name}: {counts or 'no equations'}", "\n".join(parts), is_open=is_open)


def _equations(report: DocumentReport, wrong: Sequence[EquationVerdict], is_graded: bool) -> str:
    from freebody.reporting.html import equation

    formulas = Formulas(str, report.language)
    shown = [equation(one, formulas, "", {}, is_graded) for one in wrong[:SHOWN]]
    if len(wrong) > SHOWN:
        labels = ", ".join(one.label for one in wrong[SHOWN:])
        shown.append(soft(f"and {len(wrong) - SHOWN} more: {labels}"))
    return "\n".join(shown)


def _labels(report: DocumentReport, right: Sequence[EquationVerdict], is_graded: bool) -> str:
    """Return equations that need no explanation, one a line; of many, their labels."""
    from freebody.reporting.words import verdict_word

    if len(right) > SHOWN:
        return soft(", ".join(one.label for one in right))
    formulas = Formulas(str, report.language)
    rows = [
        [escape(one.label), verdict_word(one.status, is_graded), formulas.html(one.latex)]
        for one in right
    ]
    return table([["label", "verdict", "printed"], *rows])


# ---------------------------------------------------------------------- results


def result_html(result: Result) -> str:
    """Return a result: what it is of, its picture, and its arrays folded."""
    data = result.data
    sizes = ", ".join(f"{name}: {size}" for name, size in data.sizes.items() if size)
    kind = type(result).__name__
    notes = "".join(soft(note) for note in result.notes[:SHOWN])
    arrays = [
        [f"<code>{escape(str(name))}</code>", escape(", ".join(map(str, one.dims))), _unit(one)]
        for name, one in data.data_vars.items()
    ]
    numbers = [
        [escape(str(name)), escape(_number(value))] for name, value in result.statistics.items()
    ]
    return whole(
        f"{kind} of {result.mechanism.model.title}",
        soft(sizes),
        notes,
        folded("picture", _figure(result), is_open=True),
        folded("arrays", table([["name", "over", "unit"], *arrays])),
        folded("statistics", table([["what", "value"], *numbers])) if numbers else "",
    )


def _figure(result: Any) -> str:
    try:
        return picture(result.figure(), 60)
    except (FreebodyError, NotImplementedError) as error:
        return soft(f"not drawn: {error}")


def _unit(one: Any) -> str:
    return escape(unit_text(str(one.attrs.get("units", ""))))


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value)
    return text if len(text) <= LONG // 4 else f"{text[: LONG // 4]} …"


# ---------------------------------------------------------------------- linearizations


def linearization_html(one: Linearization) -> str:
    """Return a linearization: its state, modes and matrices."""
    state = ", ".join(f"{name} = {value:.4g}" for name, value in one.state.items())
    modes = [
        [
            f"{mode.eigenvalue:.4g}",
            f"{mode.frequency:.4g}",
            "" if mode.damping_ratio is None else f"{mode.damping_ratio:.3g}",
            escape(", ".join(mode.dominant)),
        ]
        for mode in one.modes
    ]
    heads = ["eigenvalue [1/s]", "frequency [Hz]", "damping ratio", "what moves"]
    return whole(
        f"{one.mechanism.model.title}, linearized: {one.kind}",
        soft(f"at {state}"),
        table([heads, *modes]),
        *(folded(name, part) for name, part in _matrices(one)),
    )


def _matrices(one: Linearization) -> Iterator[tuple[str, str]]:
    columns = {"A": one.states, "B": one.inputs, "C": one.states}
    rows = {"A": one.states, "B": one.states, "C": one.outputs}
    for name, matrix in (("A", one.A), ("B", one.B), ("C", one.C)):
        if matrix.size:
            shown = zip(rows[name], matrix, strict=True)
            body = [[escape(row), *(f"{x:.4g}" for x in line)] for row, line in shown]
            yield (
                f"{name}, {matrix.shape[0]} × {matrix.shape[1]}",
                table([["", *map(escape, columns[name])], *body]),
            )


# ---------------------------------------------------------------------- derivations


def derivation_html(derivation: Derivation) -> str:
    """Return a derivation, folded section by section, the system and its drawing open."""
    from freebody.explaining.containers import sections_html

    parts = [
        folded_below(title, body, is_open=number == 0)
        for number, (title, body) in enumerate(sections_html(derivation.blocks))
    ]
    message = f"{_count(len(derivation.equations), 'equation')}, all of them hold"
    return whole(derivation.title, soft(message), *parts)


def comparison_html(compared: ModelComparison | PageComparison) -> str:
    """Return a comparison: how many terms are the same, and those that are not, folded."""
    which = ("first", compared.first, compared.only_first)
    other = ("second", compared.second, compared.only_second)
    parts = [
        soft(f"only in the {word}, {title}: {', '.join(names)}")
        for word, title, names in (which, other)
        if names
    ]
    unread: tuple[str, ...] = getattr(compared, "unread", ())  # of pages alone
    parts += [soft(f"not compared: {', '.join(unread)}")] if unread else []
    rows = [
        [f"<code>{escape(part)}</code>" for part in (one.entry, one.term, one.first, one.second)]
        for one in compared.differences
    ]
    if rows:
        words = f"{_count(len(rows), 'term')} that differ{'s' if len(rows) == 1 else ''}"
        heads = ["in", "term", "first", "second"]
        parts.append(folded(words, f'<div class="tall">{table([heads, *rows])}</div>'))
    title = f"{compared.first} – {compared.second}: {compared.shared} terms are the same"
    return whole(title, *parts)
