r"""Whether the terms of a printed equation are of one rate, whatever its letters are measured in.

Of :math:`\dot l\cos\theta + l\cos\theta` the terms cannot be of one unit: both are l times
numbers, and one is by time. So a lost dot or a lost square of a rate is seen on a page that states
no units.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from sympy.polys.domains import QQ, ZZ
from sympy.polys.matrices import DomainMatrix

from freebody.algebra import Form
from freebody.algebra.terms import exponents
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import TIME, is_vector
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.residuals import printed_forms
from freebody.consistency.statement import Statement
from freebody.consistency.steps import is_of_differentials
from freebody.consistency.units.letter_units import turned_letters
from freebody.consistency.units.unit_balance import Unbalanced
from freebody.documents.latex.tree import Matrix

_ANGLES = frozenset({"theta", "vartheta", "phi", "varphi", "psi"})
"""Letters that are angles where they move."""
_BRACKETS = re.compile(
    r"poisson|[ck]ommutator|con?mutador|commutateur|commutatore|пуассон|коммутатор|泊松|ポアソン|交換子",
    re.IGNORECASE,
)
"""Words of pages on which ``[f, H]`` is no row."""
_OPAQUE = "#"
"""How what is no letter begins."""
DIFFERS = (
    "its units do not balance, whatever its letters are measured in: terms in {} differ by one "
    "rate, a dot or the square of one"
)
LACKS = (
    "its units do not balance, whatever its letters are measured in: a term has one rate too many "
    "or too few, a dot or the square of one"
)
LEAST_BALANCED = 3
"""Equations with rates that balance, for each that does not, where time is no number."""
MOST_UNITS = 24
"""Terms of different units in an equation that is looked at."""


class _Unit(NamedTuple):
    """What a term is measured in: powers of letters, of some that are constant, and of time."""

    letters: frozenset[tuple[str, int]]
    has_constants: bool
    rate: int


_Units = frozenset[_Unit]


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
        judged = {one.number: self._units(one) for one in self._judged()}
        every = [*chain.from_iterable(judged.values())]
        if any(map(_counts_time, every)):
            return {}
        found: dict[int, Unbalanced] = {}
        is_timed = self._is_timed(every)
        for number, units in judged.items():
            if shared := next(filter(None, map(_shared, units)), ""):
                found[number] = Unbalanced((), DIFFERS.format(shared))
            elif (
                is_timed and any(map(_lacks_rate, units)) and not self._is_of_numbers(number, units)
            ):
                found[number] = Unbalanced((), LACKS)
        return found

    def _is_of_numbers(self, number: int, every: Iterable[_Units]) -> bool:
        r"""Return whether an equation may have time for a number: :math:`\dot x = x + u`.

        Or where it has the letter of time, which may be in the arguments of a function.
        """
        orders = self._equations.statements.all[number].orders
        several = (key for key, dots in orders.items() if len(dots) > 1 and not is_vector(key))
        if TIME in orders:
            return True
        if all(SymbolShape.of(key).letter in _ANGLES for key in several):
            return False
        plain = (frozenset(one for one in units if not one.has_constants) for units in every)
        return not all(_balances(units) for units in plain if units)

    def _judged(self) -> Iterator[Statement]:
        """Iterate over the equations that are displayed, and about quantities of no case."""
        statements = self._equations.statements
        has_brackets = _BRACKETS.search(statements.page.text) is not None
        for one in statements.all:
            is_open = one.is_inline or one.is_case or one.is_scaled or one.uses(statements.assumed)
            is_open = (
                is_open or is_of_differentials(one.relation) or (has_brackets and _is_of_two(one))
            )
            if one.relation.relation in EQUALITIES and not (is_open or one.states_value):
                yield one

    def _is_timed(self, every: Iterable[_Units]) -> bool:
        """Return whether most equations with rates balance: time is no number then."""
        moving = [one for one in every if any(each.rate for each in one)]
        odd = sum(not _balances(one) for one in moving)
        return len(moving) - odd >= LEAST_BALANCED * odd

    def _units(self, statement: Statement) -> list[_Units]:
        """Return the units of the terms of an equation, of its rows one by one."""
        forms = printed_forms(self._equations.meanings, statement)
        every = [frozenset(self._unit(one, key) for key in one.terms.table) for one in forms]
        return [one for one in every if 1 < len(one) <= MOST_UNITS]

    def _unit(self, form: Form, key: int) -> _Unit:
        powers, has_constants, rate = defaultdict[str, int](int), False, 0
        for place, power in exponents(key & ~3):
            generator = form.ring.generators[place]
            if generator.kind == "angle":
                continue
            is_factor = generator.kind == "factor"
            letter = self._letters.letter(generator.expr) if is_factor else None
            if letter is None:
                powers[f"{_OPAQUE}{place}"] += power
                continue
            rate += power * (-1 if letter.key == TIME else letter.dots)
            has_constants |= letter.key not in self._letters.moving and letter.key != TIME
            if letter.key != TIME and letter.key not in self._turning:
                powers[letter.key] += power
        return _Unit(frozenset((key, n) for key, n in powers.items() if n), has_constants, rate)


def _is_of_two(statement: Statement) -> bool:
    """Return whether an equation has two things in brackets, which may be no row."""
    return any(
        isinstance(node, Matrix) and [len(row) for row in node.rows] == [2]
        for node in statement.nodes
    )


def _counts_time(units: _Units) -> bool:
    """Return whether an equation without constants has terms that differ by two rates."""
    by_letters = _by_letters(one for one in units if not one.has_constants)
    return any(max(rates) - min(rates) > 1 for rates in by_letters.values())


def _shared(units: _Units) -> str:
    """Return the letters of terms that differ by one rate; nothing where there are none."""
    every = _by_letters(one for one in units if one.has_constants).items()
    odd = (letters for letters, rates in every if max(rates) - min(rates) == 1)
    named = (sorted(key for key, _ in letters) for letters in odd)
    plain = [keys for keys in named if not any(key.startswith(_OPAQUE) for key in keys)]
    return ", ".join(min(plain, default=[]))


def _by_letters(units: Iterable[_Unit]) -> dict[frozenset[tuple[str, int]], set[int]]:
    found: dict[frozenset[tuple[str, int]], set[int]] = defaultdict(set)
    for one in units:
        found[one.letters].add(one.rate)
    return found


def _lacks_rate(units: _Units) -> bool:
    """Return whether terms are of one unit only if one of them had another rate by one."""
    is_opaque = any(key.startswith(_OPAQUE) for one in units for key, _ in one.letters)
    if is_opaque or _balances(units):
        return False
    return any(
        _balances(units - {one} | {one._replace(rate=one.rate + rate)})
        for one in units
        for rate in (-1, 1)
    )


def _balances(units: _Units) -> bool:
    """Return whether letters can be measured so that all terms are of one unit by time."""
    first, *others = units
    keys = sorted({key for one in units for key, _ in one.letters})
    rows = [
        [*(dict(one.letters).get(key, 0) - dict(first.letters).get(key, 0) for key in keys),
         first.rate - one.rate]
        for one in others
    ]  # fmt: skip
    whole = DomainMatrix(rows, (len(rows), len(keys) + 1), ZZ).convert_to(QQ)
    return whole[:, : len(keys)].rank() == whole.rank()
