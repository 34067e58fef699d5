"""Whether a model is told by equations that could have failed."""

from __future__ import annotations

from collections.abc import Collection

from freebody.consistency.letters import letters_of
from freebody.documents.latex.tree import Partial, walk
from freebody.recognition.equations.page_motion import PageMotion, PageSystem
from freebody.recognition.equations.products import TURN, Row


def is_supported(
    motion: PageMotion, system: PageSystem, known: Collection[str], holding: Collection[str]
) -> bool:
    """Return whether equations that could have failed tell a model, and none speaks for another.

    Parameters
    ----------
    motion : PageMotion
    system : PageSystem
        The equations of motion that the model was found by.
    known : collection of str
        The letters that mean something in the model.
    holding : collection of str
        The labels of equations that hold in it.
    """
    kept = set(holding)
    is_told = any(tells(row) for row in system.rows if kept & {*row.labels})
    return is_told and not is_of_less(motion, system, known, holding)


def is_of_less(
    motion: PageMotion, system: PageSystem, known: Collection[str], holding: Collection[str]
) -> bool:
    """Return whether the equations of motion that a page prints are of more than a model.

    What a Lagrangian gives is the same twice: where the page prints the equations of motion as
    well, and none is that of the model, those with other inertia speak against it. The parameters
    are those of `is_supported`.
    """
    kept, implied = set(holding), _implied(motion)
    printed = [one for one in system.rows if not one.is_derived and implied.isdisjoint(one.labels)]
    if any(kept & {*row.labels} for row in printed):
        return False
    told, ways = _with_shorthands(motion, known), dict[tuple[object, ...], bool]()
    for row in printed:  # in one way to say it, with its letters or what these stand for
        key = row.labels, row.entry
        ways[key] = ways.get(key, True) and _is_of_more(row, told)
    return any(ways.values())


def _with_shorthands(motion: PageMotion, known: Collection[str]) -> set[str]:
    """Return letters with those that a page writes for them, and for these in turn."""
    made = {
        key: {
            one.key for form in every[0].grid.entries() for one in letters_of(motion.letters, form)
        }
        for key, every in motion.meanings.definitions.items()
        if every
    }
    told, found = {*known}, {*known}
    while found:
        found = {key for key, inside in made.items() if inside and inside <= told} - told
        told |= found
    return told


def tells(row: Row) -> bool:
    """Return whether an equation says more than that an acceleration is what acts."""
    powers = [one for place in row.by_place for one in place.powers]
    if len(row.by_place) == 1:  # which nothing balances
        return False
    return (
        any(place.turns for place in row.by_place)
        or any(not moving.dots or power > 1 for moving, power in powers)
        or len({moving.coordinate for moving, _ in powers}) > 1
        or sum(moving.dots == 2 for one in row.products for moving, _ in one.place.powers) > 1
    )


def _implied(motion: PageMotion) -> set[str]:
    """Return the labels of equations that say what a Lagrangian gives, by its derivatives."""
    return {
        one.label
        for one in motion.statements.all
        if any(isinstance(node, Partial) for node in walk(one.relation.left, one.relation.right))
    }


def _is_of_more(row: Row, known: Collection[str]) -> bool:
    """Return whether letters stand before accelerations that mean nothing in the model.

    It has others that do; else all of it may be in letters that are said elsewhere.
    """
    return any(name.removeprefix(TURN) in known for name in row.constants) and any(
        name.removeprefix(TURN) not in known
        for one in row.products
        if any(moving.dots == 2 for moving, _ in one.place.powers)
        for name, _ in one.constants
    )
