"""Models built from a page: its energies, or its equations of motion, made a model file."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import Letter, is_vector, letters_of
from freebody.documents.document import Meaning
from freebody.errors import FreebodyError
from freebody.model.files import loads
from freebody.recognition.balances import by_equations
from freebody.recognition.construction import Construction
from freebody.recognition.energies import HEAVY, Energies, by_lagrangian, constants, initial
from freebody.recognition.evidence import Evidence
from freebody.recognition.functions import is_function
from freebody.recognition.geometry import in_angles
from freebody.recognition.layout import laid_out
from freebody.recognition.making import BuiltModel
from freebody.recognition.pages import PageMotion
from freebody.recognition.places import bodies
from freebody.recognition.products import row_of
from freebody.recognition.recognised import Recognised
from freebody.recognition.support import is_of_less

NAME = "built"
"""What a model is called that is made of what a page says."""
MOST_TRIED = 24
"""Ways to understand the energies of a page that are tried."""


def built(motion: PageMotion) -> Iterator[Recognised]:
    """Iterate over models that are built from what a page says of energies, or from its equations.

    Each derives what it was built from.
    """
    for tried, found in enumerate(_energies(motion)):
        if tried == MOST_TRIED:
            return
        if not _tells(motion, found):
            continue
        try:
            made = _built(motion, found)
        except (FreebodyError, ZeroDivisionError):
            continue
        if made:
            yield made


def _energies(motion: PageMotion) -> Iterator[Energies]:
    """Iterate over what a page may say of inertia, weight and loads, the likeliest first."""
    seen = set[object]()
    for one in (*by_lagrangian(motion), *by_equations(motion)):
        key = one.coordinates, tuple(form.terms for row in one.inertia for form in row)
        if key not in seen:
            seen.add(key)
            yield one


def _tells(motion: PageMotion, found: Energies) -> bool:
    """Return whether more is said than that something is accelerated by what acts on it."""
    if any(is_vector(one.key) for one in found.coordinates):
        return False
    letters = motion.letters
    coupled = any(
        entry and (i != j or any(one.key in letters.moving for one in letters_of(letters, entry)))
        for i, row in enumerate(found.inertia)
        for j, entry in enumerate(row)
    )
    return (
        coupled
        or any(found.slopes)
        or (found.is_printed and any(found.stored))
        or _is_linked(motion, found)
    )


def _is_linked(motion: PageMotion, found: Energies) -> bool:
    """Return whether what acts along a coordinate depends on another, and back."""
    return any(
        _depends(motion, found, i, j, dots) and _depends(motion, found, j, i, dots)
        for i in range(len(found.coordinates))
        for j in range(i)
        for dots in (0, 1)
    )


def _depends(motion: PageMotion, found: Energies, i: int, j: int, dots: int) -> bool:
    """Return whether a load depends on where another coordinate is, or on its rate."""
    letters = motion.letters
    atom = letters.atom(Letter(found.coordinates[j].key, dots))
    return bool(letters.ring.partial(found.loads[i], atom))


def _built(motion: PageMotion, found: Energies) -> Recognised | None:
    if not constants(motion.letters, [entry for row in found.inertia for entry in row]):
        acting = constants(motion.letters, (*found.slopes, *found.stored, *found.loads))
        if any(initial(key) in HEAVY for key in acting):  # by which equations are multiplied
            return None
        found = found.scaled(motion.letters.form(Letter(_divisor(motion, found), 0)))
    placed = bodies(motion, found)
    if placed is None and any(found.slopes):  # then weights act as other loads do
        found = found.without_gravity()
        placed = bodies(motion, found)
    if placed is None:
        return None
    construction = Construction(motion.letters, found, placed, motion.functions)
    labels = tuple(dict.fromkeys(one.label for one in found.used))
    words = f"made of {', '.join(labels[:6])}" + (" and others" if len(labels) > 6 else "")
    text = laid_out(construction.data(f"Built from {', '.join(labels[:6])}"))
    model = loads(text, NAME)
    symbols: dict[str, Meaning] = dict(construction.names)
    quantities = Quantities(model)
    system = motion.system(tuple(one.key for one in found.coordinates))
    evidence = Evidence(quantities, system, symbols)
    if not _derives(motion, evidence, found):
        return None
    fits, fails = evidence.labels()
    fits = tuple(dict.fromkeys((*labels, *fits)))
    if is_of_less(motion, system, symbols, fits):
        return None
    near = motion.beside(fits)
    aside = motion.small(system) | motion.resultants
    fails = tuple(one for one in fails if one in near and one not in {*fits, *aside})
    printed = motion.meanings.keys
    own = {key: one for key, one in symbols.items() if not is_function(key) and key in printed}
    made = BuiltModel(model, text, NAME, words, own, frozenset(own))
    undriven = frozenset(evidence.undriven)
    return Recognised(
        made, quantities, fits, fails, system, None, motion, found.is_printed, near, undriven, aside
    )


def _divisor(motion: PageMotion, found: Energies) -> str:
    """Return a letter for the mass by which equations of motion are divided."""
    letters = motion.letters
    turned = set[sympy.Expr]().union(*map(in_angles, (*found.slopes, *found.stored, *found.loads)))
    is_turning = all(letters.atom(one) in turned for one in found.coordinates)
    names = ("I", "I_0") if is_turning else ("m", "m_0")
    return next(one for one in names if one not in motion.meanings.keys or one == names[-1])


def _derives(motion: PageMotion, evidence: Evidence, found: Energies) -> bool:
    """Return whether what a model was built from follows from its equations of motion."""
    named = motion.named([one.key for one in found.coordinates])
    rows = [row_of(form, named) for form in found.balances(motion.letters)]
    return all(row is not None and evidence.is_balance(row, n) for n, row in enumerate(rows))
