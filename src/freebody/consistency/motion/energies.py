"""The energies of a page by their letters: what may be its Lagrangian."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.grid import MeaningError
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS, POTENTIAL, TOTAL
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Name

_EVERY_LAGRANGIAN = re.compile(r"(?:L|\\math(?:cal|scr)\{L\})(?:_.+)?")
_OF_CONTROL = re.compile(r"\(.*?(?<![A-Za-z_\\])u(?![A-Za-z]).*\)")


def lagrangians(view: View) -> Iterator[Form]:
    """Iterate over what may be the Lagrangian of a page: one that it names, or T - V.

    One of another system, ``L_2``, counts first where it stands nearer before the equation. Where
    it says neither T nor V, by a total energy T + V. The view has used what says so of each.
    """
    for form in _candidates(view):
        yield form
        view.used.clear()


def _candidates(view: View) -> Iterator[Form]:
    letters = view.letters
    yield from _of_another_system(view)
    for name in LAGRANGIANS:
        found = view.definition(Letter(name, 0))
        if found and not _is_cost(found.statement):
            yield letters.form(Letter(name, 0))
    kinetic = [name for name in KINETIC if _is_told(view, name)]
    potential = [name for name in POTENTIAL if _is_told(view, name) and not _has_rates(view, name)]
    if len(kinetic) == len(potential) == 1:
        difference = letters.form(Letter(kinetic[0], 0)) - letters.form(Letter(potential[0], 0))
        if not _is_made_otherwise(view, difference):
            yield difference
    if not kinetic:
        yield from _of_total(view)
    yield from _of_parts(view)


def _is_made_otherwise(view: View, difference: Form) -> bool:
    """Return whether a page makes a Lagrangian of both energies, and not T - V: of a potential."""
    parts = letters_of(view.letters, difference)
    every = (one.grid for name in LAGRANGIANS for one in view.said_of(name) if one.grid.is_scalar)
    return any(
        parts <= letters_of(view.letters, grid.form) and bool(grid.form - difference)
        for grid in every
    )


def _of_another_system(view: View) -> Iterator[Form]:
    """Iterate over the Lagrangian with something below it that is the last before an equation."""
    for nearest in view.before(_EVERY_LAGRANGIAN)[:1]:
        key = nearest.letter.key
        is_apart = key not in LAGRANGIANS and not view.is_put_in(key)
        if is_apart and nearest.grid.is_scalar and _is_kinetic(view, nearest):
            yield view.letters.form(Letter(key, 0))


def _is_kinetic(view: View, of: Definition) -> bool:
    r"""Return whether an energy has squares of rates in it, as no angular momentum has.

    Nor is it the slope of one along what stands below it, as ``L_\theta`` may be.
    """
    letters, ring = view.letters, view.letters.ring
    try:
        energy = view.lower(of.grid.form)
    except MeaningError:
        return False
    inside = letters_of(letters, energy)
    below = SymbolShape.of(of.letter.key).subscript
    if any(one.key.lstrip("\\") == below for one in inside):
        return False
    rates = [letters.atom(one) for one in inside if one.dots == 1]
    return any(ring.partial(ring.partial(energy, one), one) for one in rates)


def _of_total(view: View) -> Iterator[Form]:
    """Iterate over T - V by a total energy T + V of which a page says no parts."""
    letters, ring = view.letters, view.letters.ring
    for name in TOTAL:
        if not _is_told(view, name):
            continue
        try:
            energy = view.lower(letters.form(Letter(name, 0)))
        except MeaningError:
            continue
        inside = letters_of(letters, energy)
        atoms = [letters.atom(one) for one in inside if one.dots == 1]
        squares = (
            ring.partial(ring.partial(energy, one), other) * ring.symbol(one) * ring.symbol(other)
            for one in atoms
            for other in atoms
        )
        kinetic = ring.sum(list(squares)).scaled(QQ(1, 2))
        potential = substituted(energy, dict.fromkeys(atoms, ring.zero))
        if kinetic and _is_stored(letters, potential) and not energy - kinetic - potential:
            yield kinetic - potential


def _of_parts(view: View) -> Iterator[Form]:
    """Iterate over T - V where a page names a Lagrangian, and says only what its parts are.

    Such as a kinetic energy, and one potential energy of weight and another of a spring.
    """
    is_named = any(view.is_printed(name) for name in LAGRANGIANS)
    if not is_named or any(view.definition(Letter(name, 0)) for name in LAGRANGIANS):
        return
    kinetic = [one for one in view.scalars() if _is_part(view, one, "kinetic")]
    potential = [one for one in view.scalars() if _is_part(view, one, "potential")]
    if kinetic and potential:
        sums = [
            view.letters.ring.sum([view.letters.form(one.letter) for one in parts])
            for parts in (kinetic, potential)
        ]
        yield sums[0] - sums[1]


def _is_part(view: View, of: Definition, kind: str) -> bool:
    """Return whether a letter is for an energy of a kind, by its looks and by what it stands for.

    And for no part of one that another letter stands for.
    """
    key, form = of.letter.key, of.grid.form
    if kind not in SymbolShape.of(key).kinds or view.is_put_in(key):
        return False
    if kind == "potential":
        return not _has_rates(view, key) and _is_stored(view.letters, form)
    rates = [view.letters.atom(one) for one in letters_of(view.letters, form) if one.dots]
    at_rest = substituted(form, dict.fromkeys(rates, view.letters.ring.zero))
    return not at_rest and _is_kinetic(view, of)


def has_negative_inertia(letters: Letters, energy: Form) -> bool:
    """Return whether a mass would count against a kinetic energy, as no mass does."""
    ring = letters.ring
    rates = [letters.atom(one) for one in letters_of(letters, energy) if one.dots == 1]
    inertia = (ring.partial(ring.partial(energy, rate), rate) for rate in rates)
    still = (one for one in inertia if not _is_stored(letters, one))
    return any(value < 0 for one in still for value in one.terms.table.values())


def has_mixed_inertia(letters: Letters, law: Form) -> bool:
    """Return whether masses have both signs before an acceleration, as no sum of them has."""
    ring = letters.ring
    atoms = [letters.atom(one) for one in letters_of(letters, law) if one.dots == 2]
    inertia = (ring.partial(law, atom) for atom in atoms)
    still = (one for one in inertia if not _is_stored(letters, one))
    return any(len({value > 0 for value in one.terms.table.values()}) > 1 for one in still)


def _is_stored(letters: Letters, form: Form) -> bool:
    """Return whether an energy depends on where something is."""
    return any(one.key in letters.moving for one in letters_of(letters, form))


def _is_told(view: View, name: str) -> bool:
    """Return whether a page says what a letter is, and that it is no matrix."""
    found = view.definition(Letter(name, 0))
    return found is not None and found.grid.is_scalar


def _has_rates(view: View, name: str) -> bool:
    r"""Return whether what a letter is has rates in it: V of Lyapunov, and no potential energy."""
    found = view.definition(Letter(name, 0))
    return found is not None and any(one.dots for one in letters_of(view.letters, found.grid.form))


def _is_cost(statement: Statement) -> bool:
    r"""Return whether an equation is of what a control costs: ``\ell(x, u)`` is no Lagrangian."""
    sides = (statement.relation.left, statement.relation.right)
    keys = (one.key for one in sides if isinstance(one, Name))
    return any(_OF_CONTROL.search(key) for key in keys)
