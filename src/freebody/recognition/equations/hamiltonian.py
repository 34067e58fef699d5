r"""What a Hamiltonian in momenta says of motion: :math:`L = \sum_i p_i\dot q_i - H`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.grid import Grid
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS
from freebody.consistency.letters import HAMILTONIANS, Letter, is_vector, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.statement import Statement
from freebody.errors import FreebodyError

_COORDINATES = ("q", "x", r"\theta", r"\varphi", r"\phi", "r", "z", "y", "s")
MOST_PRODUCTS = 100_000
"""Of terms, to see what a Hamiltonian says."""


def by_hamiltonian(meanings: Meanings) -> Iterator[Definition]:
    """Iterate over what momenta and the Lagrangian are, where a page prints its Hamiltonian alone.

    Parameters
    ----------
    meanings : Meanings
        What its letters stand for else.
    """
    if any(meanings.definitions.get(name) for name in (*LAGRANGIANS, *KINETIC)):
        return
    for name in HAMILTONIANS:
        for one in meanings.definitions.get(name, ()):
            with suppress(FreebodyError, ZeroDivisionError):
                with meanings.letters.ring.budget.work(MOST_PRODUCTS):
                    found = _said(meanings, one) if one.grid.is_scalar else []
                if found:
                    yield from found
                    return


def _said(meanings: Meanings, hamiltonian: Definition) -> list[Definition]:
    """Return what momenta are, and the Lagrangian; nothing where they are told in another way."""
    letters, ring, statement = meanings.letters, meanings.letters.ring, hamiltonian.statement
    energy = View(meanings, statement, (statement,)).lower(hamiltonian.grid.form)
    rates = [letters.atom(one) for one in letters_of(letters, energy) if one.dots == 1]
    if rates:  # momenta that the page says what they are
        potential = substituted(energy, dict.fromkeys(rates, ring.zero))
        return [_lagrangian(meanings, statement, energy - potential.scaled(QQ(2)))]
    inside = {one.key for one in letters_of(letters, energy)}
    momenta = sorted(key for key in inside if _is_momentum(key))
    places = [_place(key, meanings.keys, inside) for key in momenta]
    if not momenta or None in places or len({*places}) < len(places):
        return []
    atoms = [letters.atom(Letter(key, 0)) for key in momenta]
    potential = substituted(energy, dict.fromkeys(atoms, ring.zero))
    found, lagrangian, left = list[Definition](), -potential, energy - potential
    for key, atom, place in zip(momenta, atoms, places, strict=True):
        over = ring.partial(ring.partial(energy, atom), atom)
        left = left - (over * ring.symbol(atom) ** 2).scaled(QQ(1, 2))
        if not over or over.symbols & {*atoms}:
            return []
        rate = letters.form(Letter(str(place), 1))
        found.append(Definition(Letter(key, 0), Grid.scalar(rate / over), statement))
        lagrangian = lagrangian + (rate * rate / over).scaled(QQ(1, 2))
    if left:  # products of momenta, or such of the first power
        return []
    letters.moving |= {str(place) for place in places}
    return [*found, _lagrangian(meanings, statement, lagrangian)]


def _lagrangian(meanings: Meanings, statement: Statement, form: Form) -> Definition:
    """Return the Lagrangian, by a letter that the page has for nothing else."""
    letter = next((one for one in LAGRANGIANS if one not in meanings.keys), LAGRANGIANS[0])
    return Definition(Letter(letter, 0), Grid.scalar(form), statement)


def _is_momentum(key: str) -> bool:
    looks = SymbolShape.of(key)
    return looks.letter in ("p", "P") and not is_vector(key)


def _place(momentum: str, printed: frozenset[str], inside: set[str]) -> str | None:
    """Return the coordinate of a momentum; None where it may be any."""
    below = SymbolShape.of(momentum).subscript
    if not below:
        return next((one for one in _COORDINATES if one in inside), None)
    numbered = [f"{one}_{below}" for one in _COORDINATES if f"{one}_{below}" in printed]
    if below.isdigit():
        return numbered[0] if len(numbered) == 1 else None
    named = [below, f"\\{below}", f"\\var{below}"]
    return next((one for one in named if one in inside or one in _COORDINATES), None)
