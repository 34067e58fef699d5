r"""Whether the terms of a printed equation are of one rate, whatever its letters are measured in.

Of :math:`\dot l\cos\theta + l\cos\theta` the terms cannot be of one unit: both are l times
numbers, and one is by time. So a lost dot or a lost square of a rate is seen on a page that states
no units.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from freebody.algebra import Form
from freebody.algebra.terms import exponents
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import TIME, Letter
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.residuals import printed_forms
from freebody.consistency.statement import Statement
from freebody.consistency.units.letter_units import turned_letters
from freebody.consistency.units.unit_balance import Unbalanced

_ANGLES = frozenset({"theta", "vartheta", "phi", "varphi", "psi"})
"""Letters that are angles where they move."""
DIFFERS = (
    "its units do not balance, whatever its letters are measured in: terms in {} differ by one "
    "rate, a dot or the square of one"
)


class _Unit(NamedTuple):
    """What a term is measured in: powers of letters, of some that are constant, and of time."""

    letters: frozenset[tuple[str, int]]
    has_constants: bool
    rate: int


class RateBalance:
    r"""Holds the terms of the equations of a page against each other, by their rates.

    Nothing is told of a page on which time is a number, as in :math:`\ddot x + x = 0`, nor of
    terms that differ by more than one rate, nor of a case.

    Parameters
    ----------
    equations : Equations
    """

    def __init__(self, equations: Equations) -> None:
        self._equations, self._letters = equations, equations.letters
        angles = (one for one in self._letters.moving if SymbolShape.of(one).letter in _ANGLES)
        self._turning = {*turned_letters(equations.statements), *angles}

    @property
    def unbalanced(self) -> dict[int, Unbalanced]:
        """What does not balance, by the number of the equation."""
        statements = self._equations.statements
        every = [one for one in statements.all if one.relation.relation in EQUALITIES]
        units = {one.number: [*self._units(one)] for one in every}
        if any(
            _counts_time(of) for one in every if not one.states_value for of in units[one.number]
        ):
            return {}
        found: dict[int, Unbalanced] = {}
        for one in every:
            if one.is_inline or one.is_case or one.is_scaled or one.uses(statements.assumed):
                continue
            if odd := next(filter(None, map(_odd, units[one.number])), None):
                found[one.number] = Unbalanced((), DIFFERS.format(odd))
        return found

    def _units(self, statement: Statement) -> Iterator[list[_Unit]]:
        """Iterate over the units of the terms of an equation, and of its rows one by one."""
        for form in printed_forms(self._equations.meanings, statement):
            yield [self._unit(form, key) for key in form.terms.table]

    def _unit(self, form: Form, key: int) -> _Unit:
        powers, has_constants, rate = defaultdict[str, int](int), False, 0
        for place, power in exponents(key & ~3):
            generator = form.ring.generators[place]
            if generator.kind == "angle":
                continue
            is_factor = generator.kind == "factor"
            letter = self._letters.letter(generator.expr) if is_factor else None
            if letter is None:
                powers[f"#{place}"] += power
                continue
            rate += power * self._rate(letter)
            has_constants |= letter.key not in self._letters.moving and letter.key != TIME
            if letter.key != TIME and letter.key not in self._turning:
                powers[letter.key] += power
        return _Unit(frozenset((key, n) for key, n in powers.items() if n), has_constants, rate)

    def _rate(self, letter: Letter) -> int:
        return -1 if letter.key == TIME else letter.dots


def _counts_time(units: Sequence[_Unit]) -> bool:
    """Return whether an equation without constants has terms that differ by two rates."""
    by_letters = _by_letters(one for one in units if not one.has_constants)
    return any(max(rates) - min(rates) > 1 for rates in by_letters.values())


def _odd(units: Sequence[_Unit]) -> str:
    """Return the letters of terms that differ by one rate; nothing where there are none."""
    for letters, rates in _by_letters(one for one in units if one.has_constants).items():
        if max(rates) - min(rates) == 1 and not any(key.startswith("#") for key, _ in letters):
            return ", ".join(sorted(key for key, _ in letters))
    return ""


def _by_letters(units: Iterable[_Unit]) -> dict[frozenset[tuple[str, int]], set[int]]:
    found: dict[frozenset[tuple[str, int]], set[int]] = defaultdict(set)
    for one in units:
        found[one.letters].add(one.rate)
    return found
