"""Models built from a page: its energies, or its equations of motion, made a model file."""

from __future__ import annotations

from collections.abc import Iterator

from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import is_vector, letters_of
from freebody.documents.document import Meaning
from freebody.errors import FreebodyError
from freebody.model.files import loads
from freebody.recognition.construction import Construction
from freebody.recognition.energies import Energies, energies
from freebody.recognition.evidence import Evidence
from freebody.recognition.functions import is_function
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
    for tried, found in enumerate(energies(motion)):
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
    """Return whether what acts along a coordinate depends on where another is, and back."""
    letters = motion.letters
    places = [letters.atom(one) for one in found.coordinates]
    return any(
        load.ring.partial(load, places[j])
        and not load.ring.partial(load, places[j]) - load.ring.partial(found.loads[j], places[i])
        for i, load in enumerate(found.loads)
        for j in range(len(places))
        if i != j
    )


def _built(motion: PageMotion, found: Energies) -> Recognised | None:
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
    own = {key: meaning for key, meaning in symbols.items() if not is_function(key)}
    made = BuiltModel(model, text, NAME, words, own, frozenset(own))
    undriven = frozenset(evidence.undriven)
    return Recognised(
        made, quantities, fits, fails, system, None, motion, found.is_printed, near, undriven, aside
    )


def _derives(motion: PageMotion, evidence: Evidence, found: Energies) -> bool:
    """Return whether what a model was built from follows from its equations of motion."""
    named = motion.named([one.key for one in found.coordinates])
    rows = [row_of(form, named) for form in found.balances(motion.letters)]
    return all(row is not None and evidence.is_balance(row, n) for n, row in enumerate(rows))
