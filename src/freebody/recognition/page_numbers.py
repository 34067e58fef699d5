r"""The numbers that a page gives the constants of its model: ``m = 0.3\,\mathrm{kg}``.

What it gives a product of powers of several constants is shared out over those that it gives
nothing, as near as can be to the examples that they had.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space

from freebody.algebra.expressions import references
from freebody.algebra.units import dimension
from freebody.checking.introduced import bare
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.numbers import as_number
from freebody.consistency.units.stated_quantities import stated_quantities, unit_behind
from freebody.documents.document import Unchecked
from freebody.errors import FreebodyError
from freebody.model import Model, dumps, loads
from freebody.model.marks import Scalar
from freebody.model.names import Names, number
from freebody.recognition.layout import laid_out
from freebody.recognition.recognised import Recognised

EXAMPLES = "a number of the page, of which the model has an example"
"""Why an equation is not held against a model that is made of its page."""
CLOSE = 1e-9
"""By so much of itself a number may be off by rounding."""
_DIGITS = 12
_TRIED, _SPREAD = 400, 1.5
"""How many numbers are tried for what the page leaves open, and how far from their examples."""


class GivenNumber(NamedTuple):
    """What a page says that a letter is: its meaning in the model, the number, and where.

    It is of the model where no case is said beside it, and no other unit. The number is also given
    as an expression, and where by the label of an equation; that is empty where there is none.
    """

    meaning: str
    value: float
    exact: str
    label: str
    is_of_model: bool


def given_numbers(found: Recognised) -> tuple[GivenNumber, ...]:
    """Return the numbers that the page of a model gives to what its constants make."""
    constants = found.made.model.constants
    meant = {
        key: text
        for key, text in found.made.symbols.items()
        if isinstance(text, str) and {*map(str, references(text))} <= constants.keys()
    }
    return (*_given(found, meant), *_in_matrices(found), *_stated(found, meant))


def _given(found: Recognised, meant: Mapping[str, str]) -> Iterator[GivenNumber]:
    page = found.motion.statements.page
    for letter, form, statement in found.motion.meanings.values:
        value = as_number(form)
        if letter.dots or letter.key not in meant or not value:
            continue
        unit = unit_behind(page.readable, statement.relation.span.stop)
        is_other = unit is not None and unit.coherent(1.0) != 1
        is_case = statement.is_aside if statement.is_inline else statement.is_case
        is_of_model = not (is_case or is_other)
        exact = str(found.motion.letters.ring.expression(form))
        yield GivenNumber(meant[letter.key], value, exact, statement.label, is_of_model)


def _in_matrices(found: Recognised) -> Iterator[GivenNumber]:
    """Iterate over the numbers of matrices whose entries are constants."""
    for key, meaning in found.made.symbols.items():
        said = found.motion.meanings.definitions.get(key, [])[:1]
        if not isinstance(meaning, list) or not said:
            continue
        named = [one for row in meaning for one in (row if isinstance(row, list) else [row])]
        entries = [*said[0].grid.entries()]
        for name, form in zip(named, entries, strict=True) if len(named) == len(entries) else ():
            value = as_number(form)
            if name in found.made.model.constants and value:
                yield GivenNumber(str(name), value, str(value), "", is_of_model=True)


def _stated(found: Recognised, meant: Mapping[str, str]) -> Iterator[GivenNumber]:
    """Iterate over the first numbers of tables and words, of what is measured as in the model."""
    constants = found.made.model.constants
    told = set[str]()
    for one in stated_quantities(found.motion.statements.page):
        meaning = meant.get(bare(one.key))
        if meaning not in constants or meaning in told or not one.number:
            continue
        if one.dimension in (None, dimension(constants[meaning].unit)):
            told.add(meaning)
            yield GivenNumber(meaning, one.number, str(one.number), "", is_of_model=True)


def with_page_numbers(found: Recognised) -> Recognised:
    """Return a model with the numbers of its page, where that gives any which it can have."""
    told = [one for one in given_numbers(found) if one.is_of_model]
    values = {one.meaning: one.value for one in told}
    alone = [one for one in told if values[one.meaning] == one.value]
    model = found.made.model
    before = Names(model).values()
    ways = ({**before, **one} for one in _solutions(before, model, alone))
    after = next((one for one in ways if _is_possible(model, one)), before)
    changed = [name for name in model.constants if not _is_close(before[name], after[name])]
    if not changed:
        return found
    data = tomllib.loads(found.made.text or dumps(model))
    for name in changed:
        data["constants"][name]["value"] = after[name]
    text = laid_out(data)
    try:
        own = loads(text, found.made.name)
    except FreebodyError:
        return found
    made = replace(found.made, model=own, text=text)
    return replace(found, made=made, quantities=Quantities(own))


def with_other_numbers(found: Recognised) -> tuple[Unchecked, ...]:
    """Return the displayed equations with numbers that the model of their page does not have."""
    values = Names(found.made.model).values()
    inline = {one.label for one in found.motion.statements.all if one.is_inline}
    labels = dict.fromkeys(
        one.label
        for one in given_numbers(found)
        if one.label
        and one.label not in inline
        and not _is_close(number(one.meaning, values), one.value)
    )
    return (Unchecked(labels=tuple(labels), reason=EXAMPLES),) if labels else ()


def _is_close(one: float | None, other: float) -> bool:
    return one is not None and abs(one - other) <= CLOSE * abs(other)


def _is_possible(model: Model, values: Mapping[str, float]) -> bool:
    """Return whether no body has less than no mass, or less than no inertia about its centre."""
    texts = list[Scalar]()
    for body in model.bodies:
        inertia = () if body.inertia is None else body.inertia
        texts += [body.mass, *(inertia if isinstance(inertia, tuple) else (inertia,))]
    known = (number(one, values) for one in texts)
    return all(one is None or one >= -CLOSE for one in known)


def _solutions(
    values: Mapping[str, float], model: Model, told: Sequence[GivenNumber]
) -> Iterator[dict[str, float]]:
    """Iterate over numbers of constants that make what is told, the nearest to theirs first."""
    direct = {one.meaning: one.value for one in told if one.meaning in model.constants}
    known = {**values, **direct}
    held = {*direct, *(str(one) for text in model.gravity or () for one in references(text))}
    free = [name for name in model.constants if name not in held and known.get(name, 0) > 0]
    rows, steps = [], []
    for one in told:
        before = number(one.meaning, known)
        powers = _powers(one.meaning, known, free)
        if one.meaning in direct or powers is None or not before or before * one.value < 0:
            continue
        rows.append([powers.get(name, 0.0) for name in free])
        steps.append(log(one.value / before))
    if not (rows and free):
        yield direct
        return
    moved, *_ = np.linalg.lstsq(np.array(rows), np.array(steps), rcond=None)
    unsaid = null_space(np.array(rows))
    tried = np.random.default_rng(0).normal(scale=_SPREAD, size=(_TRIED, unsaid.shape[1]))
    nearest = tried[np.argsort(np.linalg.norm(tried, axis=1))]
    for shift in (np.zeros(unsaid.shape[1]), *nearest):
        changes = moved + unsaid @ shift
        yield direct | {
            name: float(f"{known[name] * np.exp(step):.{_DIGITS}g}")
            for name, step in zip(free, changes, strict=True)
        }


def _powers(
    text: str, values: Mapping[str, float], names: Sequence[str]
) -> dict[str, float] | None:
    """Return to which powers constants are multiplied in an expression; None of no product.

    Examples
    --------
    >>> _powers("m*l**2", {"m": 2.0, "l": 0.5}, ["m", "l"])
    {'m': 1.0, 'l': 2.0}
    >>> _powers("m + M", {"m": 2.0, "M": 0.5}, ["m", "M"]) is None
    True
    """
    powers = {}
    for name in names:
        at = [number(text, {**values, name: values[name] * factor}) for factor in (1, 2, 4)]
        if None in at or not all(at):
            return None
        first, second, third = (abs(one or 1.0) for one in at)
        power = log(second / first) / log(2)
        if abs(log(third / second) / log(2) - power) > CLOSE:
            return None
        if abs(power) > CLOSE:
            powers[name] = round(power, _DIGITS)
    return powers
