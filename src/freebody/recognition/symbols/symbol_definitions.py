"""What letters of a page stand for in a model by what the page says that they are.

A page says ``x_p = x + l sin θ``; where x, l and θ are known in the model, so is x_p, and if that
is where a body is there, it means that. What is misprinted is nothing that the model has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from freebody.algebra import Form
from freebody.checking.grid import Grid
from freebody.checking.guesses.catalogue import catalogue
from freebody.checking.guesses.conventions import ENERGIES, SymbolShape, is_shorthand
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import Definition, View
from freebody.documents.document import Meaning
from freebody.documents.latex.tree import Matrix, Name
from freebody.errors import FreebodyError
from freebody.mechanics.notation import python
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.recognised import Recognised
from freebody.recognition.symbols.letter_marks import is_unit_vector

KINDS = frozenset({
    "position", "velocity", "kinetic", "potential", "lagrangian", "total", "speed", "momentum",
})  # fmt: skip
"""What a page defines by its letters, and that a model has a name for."""
LONGEST = 120
"""Characters of what a letter is told to be."""
MOST_PRODUCTS = 200_000
"""Of terms, to work out what one letter is."""


@dataclass(frozen=True)
class SymbolDefinition:
    """What a page defines a letter as.

    Attributes
    ----------
    key : str
    meaning : str or list of str
        In the model; a list of what is a column.
    label : str
        The equation that says so.
    is_named : bool
        Whether the model has a name for it, so that no misprint can be in it.
    is_settled : bool
        Whether it is what the page says it is: a letter for what is made of constants, or one
        with which equations of motion hold.
    """

    key: str
    meaning: Meaning
    label: str
    is_named: bool
    is_settled: bool = False


def symbol_definitions(found: Recognised) -> Iterator[SymbolDefinition]:
    """Iterate over what a page defines its letters as, where that is known in the model.

    Parameters
    ----------
    found : Recognised
        The model, and what letters of the equations of motion are in it.
    """
    for one, is_sure in _definitions(found):
        yield one if is_sure else replace(one, is_named=False, is_settled=False)


def _definitions(found: Recognised) -> Iterator[tuple[SymbolDefinition, bool]]:
    """Iterate over what a page defines, and whether that may be told as what a letter is.

    Another letter in running text may say where something is, and not what it is.
    """
    motion, known = found.motion, found.made.symbols
    values = dict(_named(found.quantities))
    every = {**_in_columns(motion), **motion.meanings.definitions}
    for key, definitions in every.items():
        if key in known or not definitions or any(one.letter.dots for one in definitions):
            continue
        is_sure = not any(one.statement.is_inline and _is_place(motion, one) for one in definitions)
        columns = [_in_model(motion, one, found) for one in definitions]
        forms = [one[0] for one in columns if len(one) == 1]
        if len(columns[0]) > 1 and definitions[0].grid.shape[1] > 1:
            continue  # a row, as of a matrix times a letter that is a column elsewhere
        if len(columns[0]) > 1:
            told = _column(found, values, key, definitions, columns)
        elif forms and not is_unit_vector(key) and not any(one - forms[0] for one in forms[1:]):
            told = _scalar(found, values, definitions[0], forms[0])
            is_sure &= len(forms) == len(columns)  # another may be of letters that are not known
        else:
            continue
        for one in told:
            yield one, is_sure


def _scalar(
    found: Recognised, values: Mapping[Any, str], said: Definition, form: Form
) -> Iterator[SymbolDefinition]:
    """Yield what a letter is that is no column, by what the model calls it, or else written out."""
    key, label = said.letter.key, said.statement.label
    value = None if form.is_number else _at_point(found.quantities, form)
    if value is None or _is_energy_of_another_kind(key, values.get(value, "")):
        return  # one of the letters in it may be misprinted
    if named := _called(found.quantities, values, form):
        yield SymbolDefinition(key, named, label, is_named=True)
    elif text := _written(found.quantities, form):
        is_settled = said.statement.number in found.borne_out
        is_settled |= is_shorthand(key) and not found.quantities.varies(form)
        yield SymbolDefinition(key, text, label, is_named=False, is_settled=is_settled)


def _column(
    found: Recognised,
    values: Mapping[Any, str],
    key: str,
    said: Sequence[Definition],
    columns: list[list[Form]],
) -> Iterator[SymbolDefinition]:
    """Yield what a column is, that is said once: where something is, by what the model calls it."""
    places = [_place(found.quantities, values, one) for one in columns[0]]
    if len(columns) == 1 and any(places) and None not in places:
        meaning: Meaning = [one or "0" for one in places]
        yield SymbolDefinition(key, meaning, said[0].statement.label, is_named=True)


def _is_energy_of_another_kind(key: str, meaning: str) -> bool:
    """Return whether what a letter would be is an energy, and the letter for another kind."""
    kinds = ENERGIES.intersection(SymbolShape.of(key).kinds)
    family, _, kind = meaning.partition(".")
    return family == "energy" and bool(kinds) and kind.split(".")[0] not in kinds


def _is_place(motion: PageMotion, one: Definition) -> bool:
    """Return whether a letter is said to be another one, and not how fast that is."""
    forms = [*one.grid.entries()]
    letters = {letter for form in forms for letter in letters_of(motion.letters, form)}
    is_letter = all(len(form.terms) == 1 and len(form.symbols) == 1 for form in forms)
    return is_letter and not any(letter.dots for letter in letters)


def _written(quantities: Quantities, form: Form) -> str:
    """Return a form in the names of the model; nothing where that is long."""
    try:
        text = python(quantities.ring.expression(form), quantities.mechanism.names)
    except (FreebodyError, KeyError):
        return ""
    return text if len(text) <= LONGEST else ""


def _named(quantities: Quantities) -> Iterator[tuple[Any, str]]:
    """Iterate over what a model has by name, with what it is worth at a random point."""
    found = dict[Any, str]()
    for entry in catalogue(quantities):
        if entry.kind not in KINDS or not isinstance(entry.meaning, str):
            continue
        try:
            with quantities.ring.budget.work(MOST_PRODUCTS):
                grid = Symbols(quantities, {"": entry.meaning}).value("")
                value = _at_point(quantities, grid.form) if grid.is_scalar else None
        except (FreebodyError, ZeroDivisionError):
            continue
        if value is not None and len(entry.meaning) < len(found.get(value, entry.meaning + " ")):
            found[value] = entry.meaning
    yield from found.items()


def _at_point(quantities: Quantities, form: Form) -> Any:
    """Return what a form is worth at a random point; None where that is nothing."""
    try:
        with quantities.ring.budget.work(MOST_PRODUCTS):
            return quantities.point.value(quantities.lower(form)) or None
    except (FreebodyError, ZeroDivisionError):
        return None


def _called(quantities: Quantities, values: Mapping[Any, str], form: Form) -> str:
    """Return what a model calls a form, which may count the other way; empty where it has no name.

    As the page counts heights downwards, and the model upwards; energies count one way.
    """
    if named := values.get(_at_point(quantities, form), ""):
        return named
    against = values.get(_at_point(quantities, -form), "")
    return f"-({against})" if against and not against.startswith("energy.") else ""


def _place(quantities: Quantities, values: Mapping[Any, str], form: Form) -> str | None:
    """Return what a model calls an entry of a column; empty for zero, None where it has no name."""
    return (_called(quantities, values, form) or None) if form else ""


def _in_columns(motion: PageMotion) -> dict[str, tuple[Definition, ...]]:
    """Return the letters in a column that is said to be another, as states are named."""
    found: dict[str, tuple[Definition, ...]] = {}
    for statement in motion.statements.all:
        relation = statement.relation
        if relation.relation not in EQUALITIES or not isinstance(relation.left, Matrix):
            continue
        names = [node for row in relation.left.rows for node in row]
        if not all(isinstance(one, Name) and not one.dots for one in names):
            continue
        try:
            view = View(motion.meanings, statement, ())
            entries = [*Values(view).value(relation.right).entries()]
        except (FreebodyError, ZeroDivisionError):
            continue
        for name, entry in zip(names, entries, strict=False):
            if isinstance(name, Name) and len(entries) == len(names):
                one = Definition(Letter(bare(name.key), 0), Grid.scalar(entry), statement)
                found[one.letter.key] = (*found.get(one.letter.key, ()), one)
    return found


def _in_model(motion: PageMotion, one: Definition, found: Recognised) -> list[Form]:
    """Return what a definition says, in the model; nothing where letters of it are not sure."""
    known: Mapping[str, Meaning] = found.made.symbols
    letters, symbols = motion.letters, Symbols(found.quantities, known)
    ring, said = found.quantities.ring, list[Form]()
    try:
        for entry in one.grid.entries():
            with letters.ring.budget.work(MOST_PRODUCTS):
                form = motion.meanings.view(one.statement).lower(entry)
            inside = letters_of(letters, form)
            if not {each.key for each in inside} <= found.made.sure:
                return []
            values = {
                letters.atom(each): ring.expression(symbols.value(each.key, (), each.dots).form)
                for each in inside
            }
            with ring.budget.work(MOST_PRODUCTS):
                said.append(ring.form(letters.ring.expression(form).xreplace(values)))
    except (FreebodyError, ZeroDivisionError):
        return []
    return said
