r"""Rates of places that a page has no letter for: v of :math:`m\dot v = m g - b v`, a of F = m a.

Only on pages that print no acceleration of a place, and no energies. Those of vectors are no
matter, nor are those of places that velocities are along: x beside v_x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.energy_names import KINETIC, POTENTIAL
from freebody.consistency.letters import Letter, is_vector, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import Multiply, Name, added, walk
from freebody.recognition.symbols.initials import GRAVITY, INERTIAS, MASSES, initial

_PLACES = ("x", "y", "z", "s")
_ANGLES = (r"\theta", r"\phi", r"\varphi")
_RATES = {"v": 1, "a": 2, "omega": 1, "alpha": 2}
"""The letters of velocities and accelerations, along lines and of what turns."""
_TURNING = ("omega", "alpha")
_INCLINED = re.compile(r"inclin|\bramp|\bslope|schiefe|\bpente\b|rampa|斜面|наклонн", re.IGNORECASE)
"""Words of pages about what slides or rolls down."""


def unplaced_rates(statements: Statements, meanings: Meanings, text: str) -> dict[str, Letter]:
    """Return the letters that are rates of places which nothing else is said of.

    A place has the letter that the page has for one, if there is one alone, or one of its own. The
    angle of an incline is none of what turns on it.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for.
    text : str
        The page.
    """
    rated = {key for one in statements.all for key in one.moved(1) if not is_vector(key)}
    open_rates = {key for key in rated if not meanings.definitions.get(key)}
    speeds = {key for key in open_rates - statements.angles if _looks(key) in _RATES}
    currents = {key for key in rated if initial(key) == "i"}
    along = {_along(key) for key in speeds if _RATES[_looks(key)] == 1}
    others = rated - speeds - currents - meanings.definitions.keys() - along
    placed = {key for key in statements.accelerated() if not is_vector(key)} - along
    if placed or _has_energies(meanings) or others:
        return {}
    multiplied = {key for one in statements.all for key in accelerations(one)} - rated
    accelerated = {key for key in multiplied if not is_vector(key)}
    known = {key for key in accelerated if _is_told(meanings, key)}
    found = speeds | (accelerated - known)
    fixed = statements.angles if _INCLINED.search(text) else frozenset[str]()
    return dict(_placed(statements, meanings, found, fixed)) if found else {}


def _has_energies(meanings: Meanings) -> bool:
    known = meanings.definitions.keys()
    return not known.isdisjoint(("L", r"\mathcal{L}")) or not (
        known.isdisjoint(KINETIC) or known.isdisjoint(POTENTIAL)
    )


def _looks(key: str) -> str:
    return SymbolShape.of(key).letter


def _along(key: str) -> str:
    """Return the place whose rate has its letter below it, as v_x has; nothing of others."""
    looks = SymbolShape.of(key)
    is_placed = looks.subscript in _PLACES and looks.letter not in _TURNING
    return looks.subscript if is_placed else ""


def _is_told(meanings: Meanings, key: str) -> bool:
    """Return whether an acceleration is said to be made of others, or of rates."""
    rates = {one for one in meanings.keys if _looks(one) in _RATES}
    inside = {
        letter.key
        for one in meanings.definitions.get(key, ())
        for form in one.grid.entries()
        for letter in letters_of(meanings.letters, form)
    }
    return bool(inside & (rates | meanings.letters.moving))


def accelerations(statement: Statement) -> Iterator[str]:
    """Iterate over the accelerations that a balance has times what is accelerated.

    Also over one that is told by weight: of masses on a rope, or on an incline.
    """
    relation = statement.relation
    if relation.relation not in EQUALITIES:
        return
    if isinstance(relation.left, Name) and _RATES.get(_looks(relation.left.key)) == 2:
        weighed = (one for one in walk(relation.right) if isinstance(one, Name))
        if any(one.key in GRAVITY for one in weighed):
            yield bare(relation.left.key)
    terms = [*added(relation.left, relation.right)]
    for one in terms if len(terms) > 1 else ():
        match one:
            case Multiply(factors=(Name(key=mass, dots=0), Name(key=key, dots=0))):
                heavy = INERTIAS if _looks(key) == "alpha" else MASSES
                if _RATES.get(_looks(key)) == 2 and initial(mass) in heavy:
                    yield bare(key)


def _placed(
    statements: Statements, meanings: Meanings, found: set[str], fixed: Set[str]
) -> Iterator[tuple[str, Letter]]:
    """Iterate over rates as those of places; what is equated has one place.

    Beside rates along several axes, v is what they make together, and no rate of one.
    """
    components = {key for key in found if _along(key)}
    if len({_along(key) for key in components}) > 1:
        found = {key for key in found if key in components or _looks(key) in _TURNING}
    same = {key: key for key in found}
    for one in statements.all:
        match one.relation.left, one.relation.right:
            case Name(key=first, dots=0), Name(key=second, dots=0) if {first, second} <= found:
                same = {key: (first if to == second else to) for key, to in same.items()}
    places = {key: _place(meanings, key, fixed) for key in {*same.values()}}
    for key, to in sorted(same.items()):
        yield key, Letter(places[to], _RATES[_looks(key)])
    for key in sorted(meanings.keys - found - meanings.definitions.keys()):
        looks = SymbolShape.of(key)
        alike = {places[to] for one, to in same.items() if _are_alike(SymbolShape.of(one), looks)}
        if _RATES.get(looks.letter) == 1 and len(alike) == 1:
            yield key, Letter(alike.pop(), 1)


def _are_alike(one: SymbolShape, other: SymbolShape) -> bool:
    """Return whether two rates may be of one place, by their letters."""
    turning = [looks.letter in _TURNING for looks in (one, other)]
    return turning[0] == turning[1] and one.subscript == other.subscript


def _place(meanings: Meanings, key: str, fixed: Set[str]) -> str:
    """Return the letter for the place of a rate."""
    looks = SymbolShape.of(key)
    letters = _ANGLES if looks.letter in _TURNING else _PLACES
    if axis := _along(key):
        return axis
    below = f"_{looks.subscript}" if len(looks.subscript) < 2 else f"_{{{looks.subscript}}}"
    below = below if looks.subscript else ""
    options = [f"{one}{below}" for one in letters]
    printed = [one for one in options if one in meanings.keys - meanings.definitions.keys() - fixed]
    if len(printed) == 1:
        return printed[0]
    return next(one for one in (*options[3:], *options, key + "'") if one not in meanings.keys)
