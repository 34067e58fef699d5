"""Equations that say what letters are elsewhere, and not in the equations of motion of a page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.lagrange_equations import states_law
from freebody.consistency.letters import TIME, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.views import Definition
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements

_GAIN = re.compile(r"(K|k|\\kappa)_\{?(?:\\(?:mathrm|text|rm) ?\{?)?([pidPID])\}*")


def left_aside(statements: Statements, meanings: Meanings) -> set[Statement]:
    """Return the equations that say what letters are which is not put into equations of motion.

    Parameters
    ----------
    statements : Statements
        Of the page.
    meanings : Meanings
        What its letters stand for.
    """
    accelerated = defaultdict[str, list[Statement]](list)
    for statement in statements.all:
        for key in statement.moved(2):
            accelerated[key].append(statement)
    return {
        *_solutions(statements, meanings),
        *_modes(meanings),
        *_sums(meanings),
        *_analogies(meanings, accelerated),
        *_turns(statements, meanings),
        *filter(is_of_gains, statements.all),
        *(one for one in statements.all if states_law(one.relation)),
    }


def is_of_gains(statement: Statement) -> bool:
    r"""Return whether an equation is the law of a controller: ``u = -K_p s - K_d\dot s - K_i\xi``.

    By the gains in it, which are no inertia, even where an integral has the rate for a state.
    """
    gains = [match for match in map(_GAIN.fullmatch, statement.keys) if match]
    return any(len({gain[2].lower() for gain in gains if gain[1] == one[1]}) > 1 for one in gains)


def _solutions(statements: Statements, meanings: Meanings) -> Iterator[Statement]:
    r"""Iterate over the equations that say how what equations of motion are of moves in time.

    Such as ``x = A\cos\omega t`` beside ``m\ddot x = -k x``: what moves so is no prescribed
    motion, which another coordinate goes along with.
    """
    timed = _timed(meanings)
    for statement in statements.all:
        keys = statement.moved(2)
        if keys and keys <= timed.keys():
            yield from (one for key in keys for one in timed[key])


def _timed(meanings: Meanings) -> dict[str, set[Statement]]:
    """Return the letters of which the page says how they move in time, with where it says so.

    A sum of those, as ``x = A_1 x_1 + A_2 x_2`` is of two solutions, says it as well.
    """
    timed: dict[str, set[Statement]] = {}
    inside = {
        (key, one.statement): _letters_in(meanings, one)
        for key, known in meanings.definitions.items()
        for one in known
        if not one.letter.dots
    }
    for (key, statement), keys in inside.items():
        if TIME in keys:
            timed.setdefault(key, set()).add(statement)
    for (key, statement), keys in inside.items():
        letter = SymbolShape.of(key).letter
        own = {each for each in keys if SymbolShape.of(each).letter == letter}
        if own and own <= timed.keys() - {key}:
            timed.setdefault(key, set()).add(statement)
    return timed


def _letters_in(meanings: Meanings, one: Definition) -> set[str]:
    forms = one.grid.entries()
    return {each.key for form in forms for each in letters_of(meanings.letters, form)}


def _modes(meanings: Meanings) -> Iterator[Statement]:
    """Iterate over the equations by which coordinates are the same, where others say otherwise."""
    for known in meanings.definitions.values():
        special = [one for one in known if meanings.is_special_motion(one.letter, one.grid)]
        if any(one.grid.form - special[0].grid.form for one in special[1:]):
            yield from (one.statement for one in special)


def _sums(meanings: Meanings) -> Iterator[Statement]:
    """Iterate over the equations by which a letter is a sum of its solutions, marked as such."""
    for key, known in meanings.definitions.items():
        solution = re.compile(
            re.escape(key) + r"(?:\^\{\(?\w\)?\}|_\{?(?:h|p|c|g|hom|part|gen|inh)\}?)"
        )
        for one in known:
            inside = _letters_in(meanings, one)
            if inside and all(map(solution.fullmatch, inside)):
                yield one.statement


def _analogies(meanings: Meanings, accelerated: dict[str, list[Statement]]) -> Iterator[Statement]:
    r"""Iterate over the equations by which a letter is another that its section has nothing of.

    Such as s = Q in a table of analogies, or ``x_2 = \dot x`` of a state, beside equations of
    motion of s or ``x_2`` in another section.
    """
    for key, known in meanings.definitions.items():
        own = accelerated.get(key, [])
        sections = {one.section for one in own}
        for one in known:
            other = meanings.letters.sole(one.grid.form) if one.grid.is_scalar else None
            if other is None or one.letter.dots or not own or one.statement.section in sections:
                continue
            if other.dots or not any(other.key in each.keys for each in own):
                yield one.statement


def _turns(statements: Statements, meanings: Meanings) -> Iterator[Statement]:
    r"""Iterate over the equations by which a coordinate is the turn of a wheel: ``r = \rho\phi``.

    Where the page has the accelerations of the coordinate alone, and the turn beside no other rate.
    """
    letters = meanings.letters
    rated = [one for one in statements.all if any(map(any, one.orders.values()))]
    for key in statements.accelerated() & meanings.definitions.keys():
        for one in (each for each in meanings.definitions[key] if each.grid.is_scalar):
            inside = letters_of(letters, one.grid.form)
            moved = {each for each in inside if each.key in letters.moving}
            others = {each for it in rated if it is not one.statement for each in it.keys}
            is_turn = {each.dots for each in moved} == {one.letter.dots} and len(moved) == 1
            is_turn &= not any(_is_of_one_letter(key, each.key) for each in moved)
            if is_turn and others.isdisjoint(each.key for each in moved):
                slope = letters.slope(one.grid.form, *moved)
                if slope and letters.moving.isdisjoint(x.key for x in letters_of(letters, slope)):
                    yield one.statement


def _is_of_one_letter(key: str, other: str) -> bool:
    return SymbolShape.of(key).letter == SymbolShape.of(other).letter
