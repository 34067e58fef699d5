"""What letters of a page stand for in a model by what the page says that they are.

A page says ``x_p = x + l sin θ``; where x, l and θ are known in the model, so is x_p, and if that
is where a body is there, it means that. What is misprinted is nothing that the model has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from freebody.algebra import Form
from freebody.checking.guesses.catalogue import catalogue
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import letters_of
from freebody.consistency.meanings import Definition
from freebody.documents.document import Meaning
from freebody.errors import FreebodyError
from freebody.mechanics.notation import python
from freebody.recognition.pages import PageMotion
from freebody.recognition.recognised import Recognised

KINDS = frozenset({
    "position", "velocity", "kinetic", "potential", "lagrangian", "total", "speed", "momentum",
})  # fmt: skip
"""What a page defines by its letters, and that a model has a name for."""
LONGEST = 120
"""Characters of what a letter is told to be."""
MOST_PRODUCTS = 200_000
"""Of terms, to work out what one letter is."""


@dataclass(frozen=True)
class Told:
    """What a page defines a letter as.

    Attributes
    ----------
    key : str
    meaning : str
        In the model.
    label : str
        The equation that says so.
    is_named : bool
        Whether the model has a name for it, so that no misprint can be in it.
    """

    key: str
    meaning: str
    label: str
    is_named: bool


def told(found: Recognised) -> Iterator[Told]:
    """Iterate over what a page defines its letters as, where that is known in the model.

    Parameters
    ----------
    found : Recognised
        The model, and what letters of the equations of motion are in it.
    """
    motion, known = found.motion, found.made.symbols
    values = dict(_named(found.quantities))
    for key, definitions in motion.meanings.definitions.items():
        said = [one for one in definitions if not one.letter.dots]
        if key in known or not said or len(said) != len(definitions):
            continue
        if any(one.statement.is_inline and _is_letter(one) for one in said):
            continue  # which may say where something is, and not what it is
        forms = [_in_model(motion, one, found) for one in said]
        first = forms[0]
        if first is None or any(one is None or one - first for one in forms[1:]):
            continue
        value, label = _at_point(found.quantities, first), said[0].statement.label
        if value is None or first.is_number:
            continue
        if value in values:
            yield Told(key, values[value], label, is_named=True)
        elif -value in values:
            yield Told(key, f"-({values[-value]})", label, is_named=True)
        elif text := _written(found.quantities, first):
            yield Told(key, text, label, is_named=False)


def _is_letter(one: Definition) -> bool:
    """Return whether a letter is said to be another one."""
    return all(len(form.terms) == 1 and len(form.symbols) == 1 for form in one.grid.entries())


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


def _in_model(motion: PageMotion, one: Definition, found: Recognised) -> Form | None:
    """Return what a definition says, in the model; None where letters of it are not sure there."""
    known: Mapping[str, Meaning] = found.made.symbols
    letters, symbols = motion.letters, Symbols(found.quantities, known)
    try:
        with letters.ring.budget.work(MOST_PRODUCTS):
            form = motion.meanings.view(one.statement).lower(one.grid.form)
        inside = letters_of(letters, form)
        if not one.grid.is_scalar or not {each.key for each in inside} <= found.made.sure:
            return None
        ring = found.quantities.ring
        values = {
            letters.atom(each): ring.expression(symbols.value(each.key, (), each.dots).form)
            for each in inside
        }
        with ring.budget.work(MOST_PRODUCTS):
            return ring.form(letters.ring.expression(form).xreplace(values))
    except (FreebodyError, ZeroDivisionError):
        return None
