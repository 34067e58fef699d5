r"""What holds a system that its Lagrangian does not know to be held: constraints, and reactions.

Such as of a disc that rolls down, with :math:`y - R\theta = 0`, or with what friction is then,
:math:`F = \tfrac13 M g\sin\alpha`. Its equations of motion are not those of its Lagrangian alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import sympy

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS, TOTAL
from freebody.consistency.letters import Letters, letters_of, moving_in
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.lagrangian import Lagrangian
from freebody.consistency.motion.small_motions import accelerations
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Matrix, Name, added, multiplied, walk

_REACTIONS = frozenset({"force", "reaction", "multiplier"})
MOST_LACKED = 1
"""Constants of a Lagrangian that what falls may lack where nothing else acts on it: its mass."""

_NONHOLONOMIC = re.compile(
    r"non-?\s?holonom|nicht-?\s?holonom|no\s+holon[oó]m|não\s+holon[oô]m|anholonom|nieholonom"
    r"|неголоном|非ホロノミック|非完整",
    re.IGNORECASE,
)
"""Words of pages with constraints of rates, by which energies are written in fewer of these."""


def may_be_held(equations: Equations, statement: Statement, energy: Lagrangian) -> bool:
    """Return whether more than what a Lagrangian knows acts on what an equation accelerates.

    Parameters
    ----------
    equations : Equations
    statement : Statement
        The equation of motion.
    energy : Lagrangian
        What it is held against.
    """
    keys = {one.key for one in energy.coordinates}
    if len(keys) < 2:
        return False  # whose one equation of motion has no reactions
    if _is_of_total(equations, energy) or _is_nonholonomic(equations.statements.page.readable):
        return True
    every = [one for one in equations.statements.all if one.number not in equations.left_aside]
    # what running text says later may be of a motion of its own
    before = [one for one in every if not one.is_inline or one.number < statement.number]
    if any(_ties(equations, one, keys) for one in before):
        return True
    own = _accelerated(equations, statement)
    return any(
        not own.isdisjoint(_accelerated(equations, one))
        and _has_reaction(equations, one, energy.known)
        for one in every
    )


@lru_cache(maxsize=8)  # of a page, for each of its equations
def _is_nonholonomic(text: str) -> bool:
    return _NONHOLONOMIC.search(text) is not None


def _is_of_total(equations: Equations, energy: Lagrangian) -> bool:
    """Return whether only a total energy says a Lagrangian: constraints of rates may be put in.

    As of a disc that rolls, of which the page says what is conserved.
    """
    said = {one.letter.key for used in energy.used for one in equations.meanings.of(used)}
    return not said.isdisjoint(TOTAL) and said.isdisjoint((*LAGRANGIANS, *KINETIC))


def falls_freely(letters: Letters, statement: Statement, energy: Lagrangian) -> bool:
    """Return whether gravity alone acts in an equation, and more than that in a Lagrangian.

    As on a runner in flight, of whom the Lagrangian is that of the stance.
    """
    moving = [orders for key, orders in statement.orders.items() if key in letters.moving]
    lacked = energy.known - letters.moving - {*statement.keys}
    return moving == [{2}] and len(lacked) > MOST_LACKED


def _ties(equations: Equations, statement: Statement, keys: set[str]) -> bool:
    """Return whether an equation ties places, and does not say what one of them is.

    Nor what another letter is, such as an energy or a matrix, nor what is only approximate.
    """
    relation = statement.relation
    if statement.is_case or equations.meanings.of(statement):
        return False
    sides = relation.left, relation.right
    named = {bare(one.key) for one in sides if isinstance(one, Name)}
    has_matrix = any(isinstance(one, Matrix) for one in walk(*sides))
    if relation.relation not in EQUALITIES or has_matrix or not named <= keys:
        return False
    for form in filter(None, equations.forms(statement)):
        inside = letters_of(equations.letters, form)
        tied = {one.key for one in inside} & keys
        if len(tied) > 1 and not any(one.dots for one in inside):
            return True
    return False


def _accelerated(equations: Equations, statement: Statement) -> set[sympy.Expr]:
    forms = equations.forms(statement)
    return {atom for form in forms for atom in accelerations(equations.letters, form)}


def _has_reaction(equations: Equations, statement: Statement, known: frozenset[str]) -> bool:
    """Return whether a force is added up in an equation that the page gives the value of."""
    return any(_is_reaction(equations, key, known) for key in _added(statement))


def _is_reaction(equations: Equations, key: str, known: frozenset[str]) -> bool:
    """Return whether a force is constant, or told by accelerations, as what holds something is.

    And made of what a Lagrangian knows, which a force that is only given another letter is not.
    """
    if _REACTIONS.isdisjoint(SymbolShape.of(key).kinds):
        return False
    letters = equations.letters
    said = equations.meanings.definitions.get(key, ())
    for one in (one.statement for one in said if one.grid.is_scalar):
        for form in equations.forms(one):
            inside = {letter.key for letter in letters_of(letters, form)} - {key}
            is_still = not moving_in(letters, form)
            if inside and inside <= known and (is_still or accelerations(letters, form)):
                return True
    return False


def _added(statement: Statement) -> Iterator[str]:
    """Iterate over the letters that are added up, and factors of what is."""
    for term in added(statement.relation.left, statement.relation.right):
        for one in multiplied(term):
            if isinstance(one, Name) and not one.dots:
                yield bare(one.key)
