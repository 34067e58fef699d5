r"""Equations of motion of balances of single bodies, by the principle of virtual power.

A page that follows Newton and Euler prints of each body what its mass times its acceleration is: by
forces, of which some hold it to others. The balances times the partial rates of what they are of,
added up, are the equations of motion, and what does no work goes out:

.. math:: \sum_k \frac{\partial \ddot x_k}{\partial \ddot q_i} (m_k \ddot x_k - F_k) = 0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice, product

from freebody.algebra import Form
from freebody.consistency.letters import Letter, is_vector, letters_of
from freebody.consistency.meanings.views import View
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Span
from freebody.errors import FreebodyError
from freebody.recognition.equations.page_motion import MOST_PRODUCTS, MotionEquation, PageMotion
from freebody.recognition.equations.products import sign_of
from freebody.recognition.symbols.initials import HEAVY, INERTIAS, initial

MOST_COORDINATES = 4
MOST_CHOICES = 4
"""Ways to pick a balance for each body and direction that are tried."""


@dataclass(frozen=True, eq=False)
class _BodyBalance:
    """A balance of one body in one direction.

    Attributes
    ----------
    label : str
    form : Form
        Mass times acceleration, minus what acts, in coordinates.
    partials : dict of str to Form
        The partial rates of what is accelerated, by coordinates.
    acting : frozenset of Letter
        What does not move in it, forces among them.
    mass : Form
    heavy : frozenset of Letter
        Those of its inertia.
    place : str
        The letter of what is accelerated; empty where it is written out in coordinates.
    """

    label: str
    form: Form
    partials: Mapping[str, Form]
    acting: frozenset[Letter]
    mass: Form
    heavy: frozenset[Letter]
    place: str

    @property
    def of(self) -> object:
        """The body and direction: what has the same is another way to print the balance."""
        partials = tuple((key, form.terms) for key, form in self.partials.items())
        return self.place, self.mass.terms, partials


def by_virtual_power(motion: PageMotion) -> Iterator[dict[str, MotionEquation]]:
    """Iterate over the equations of motion that balances of bodies give, by their coordinates.

    Only where forces go out that several balances have: one in each that is written out in
    coordinates, which may be an equation of motion already.

    Parameters
    ----------
    motion : PageMotion
    """
    for together in _systems(_balances(motion.without(_told_forces(motion)))):
        system = [one for one in together if not _is_combined(one, together)]
        coordinates = sorted({key for one in system for key in one.partials})
        found: dict[object, list[_BodyBalance]] = {}
        for one in system:
            found.setdefault(one.of, []).append(one)
        if len(coordinates) > MOST_COORDINATES or len(found) <= len(coordinates):
            continue
        for chosen in islice(product(*found.values()), MOST_CHOICES):
            with suppress(FreebodyError, ZeroDivisionError):
                with motion.letters.ring.budget.work(MOST_PRODUCTS):
                    made = {key: _along(motion, key, chosen) for key in coordinates}
                if _are_held_together(chosen, made.values()):
                    yield made


def _is_combined(balance: _BodyBalance, system: Iterable[_BodyBalance]) -> bool:
    """Return whether a balance is of several bodies of which a page has one each."""
    alone = {letter for one in system if len(one.heavy) == 1 for letter in one.heavy}
    return len(balance.heavy) > 1 and balance.heavy <= alone


def _told_forces(motion: PageMotion) -> Iterator[Statement]:
    """Iterate over the equations that say what a force is: by a mass and an acceleration."""
    for statement in {x.statement for each in motion.meanings.definitions.values() for x in each}:
        with suppress(FreebodyError, ZeroDivisionError):
            for view, form in motion.seen(statement):
                lowered = letters_of(motion.letters, view.lower(form))
                is_accelerated = any(one.dots == 2 for one in lowered)
                if is_accelerated and any(initial(one.key) in HEAVY for one in lowered):
                    yield statement


def _systems(balances: Iterable[_BodyBalance]) -> list[list[_BodyBalance]]:
    """Return balances together that are about the same coordinates."""
    found: list[list[_BodyBalance]] = []
    for one in balances:
        near = [x for x in found if any(one.partials.keys() & each.partials.keys() for each in x)]
        found = [each for each in found if each not in near]
        found.append([*chain.from_iterable(near), one])
    return found


def _balances(motion: PageMotion) -> Iterator[_BodyBalance]:
    """Iterate over the balances of a page."""
    for label, view, form in _differences(motion):
        with suppress(FreebodyError, ZeroDivisionError):
            with motion.letters.ring.budget.work(MOST_PRODUCTS):
                one = _balance(motion, label, view, motion.letters.ring.cleared(form))
            if one:
                yield one


def _balance(motion: PageMotion, label: str, view: View, form: Form) -> _BodyBalance | None:
    """Return an equation as a balance of one body, if it may be one."""
    letters, ring = motion.letters, motion.letters.ring
    inside, lowered = letters_of(letters, form), view.lower(form)
    rates = [one for one in inside if one.dots]
    moving = sorted(one for one in letters_of(letters, lowered) if one.dots == 2)
    if not moving or any(one.key not in letters.moving for one in moving):
        return None
    if any(is_vector(one.key) for one in inside):
        return None
    whole = [ring.partial(lowered, letters.atom(one)) for one in moving]
    heavy = {x for each in whole for x in letters_of(letters, each) if initial(x.key) in HEAVY}
    is_turned = len(heavy) == 1 and all(initial(x.key) in INERTIAS for x in heavy)
    place = rates[0] if len(rates) == 1 and rates[0].dots == 2 and not is_turned else None
    if place:
        mass = ring.partial(form, letters.atom(place))
        accelerated = view.lower(ring.symbol(letters.atom(place)))
        row = [ring.partial(accelerated, letters.atom(one)) for one in moving]
    elif len(heavy) == 1:
        mass = ring.symbol(letters.atom(*heavy))
        row = [each / mass for each in whole]
    else:
        return None
    if any(one.key in letters.moving for one in letters_of(letters, mass)):
        return None
    sign = sign_of(mass)
    partials = {one.key: each for one, each in zip(moving, row, strict=True) if each}
    acting = frozenset(
        one for one in letters_of(letters, lowered) if not one.dots and one.key not in partials
    )
    return _BodyBalance(
        label,
        lowered.scaled(sign),
        partials,
        acting,
        mass.scaled(sign),
        frozenset(heavy),
        place.key if place else "",
    )


def _differences(motion: PageMotion) -> Iterator[tuple[str, View, Form]]:
    """Iterate over what is zero on a page, also by the first and the last side of a = b = c."""
    before: dict[Span, Form] = {}
    for statement in motion.statements.all:
        relation, after = statement.relation, dict[Span, Form]()
        with suppress(FreebodyError, ZeroDivisionError):
            for view, form in motion.seen(statement):
                yield statement.label, view, form
                first = before.get(relation.left.span)
                if first is not None:
                    yield statement.label, view, first + form
                after[relation.right.span] = form if first is None else form + first
        before = after


def _along(motion: PageMotion, key: str, chosen: Sequence[_BodyBalance]) -> MotionEquation:
    """Return what balances give along a coordinate."""
    used = [one for one in chosen if key in one.partials]
    total = sum((one.form * one.partials[key] for one in used), motion.letters.ring.zero)
    inside = frozenset(letters_of(motion.letters, total))
    moving = frozenset(one.key for one in inside if one.dots or one.key == key)
    return MotionEquation(total, inside, tuple(dict.fromkeys(one.label for one in used)), moving)


def _are_held_together(chosen: Sequence[_BodyBalance], made: Iterable[MotionEquation]) -> bool:
    """Return whether forces that several balances have are in none of what these give."""
    left = {letter for one in made for letter in one.letters}
    counts = Counter(letter for one in chosen for letter in one.acting)
    gone = {letter for letter, count in counts.items() if count > 1 and letter not in left}
    return bool(gone) and all(one.place or not gone.isdisjoint(one.acting) for one in chosen)
