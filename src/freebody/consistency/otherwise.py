"""Why an equation may differ for another reason than a misprint: other cases, other meanings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.energy_names import ENERGIES
from freebody.consistency.letters import Letter, bare_of_font, is_vector, letters_of
from freebody.consistency.meanings.meanings import Meanings
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.motion.small_motions import accelerations
from freebody.consistency.statement import Statement, names_of
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import Name, Transpose, is_zero, walk

CONFIGURATION = "q"
SHORT = 2
"""Terms of what may be a coordinate counted otherwise, rather than a misprint."""
NEAR = 8
"""Equations apart that what is told together stands at the most."""
_UNIT_VECTORS = frozenset("eu")
_ALONG, _ACROSS = frozenset({"r", "rho"}), frozenset({"theta", "phi", "varphi"})
"""What unit vectors of polar coordinates have below."""
ANEW = 2
"""Other letters that are told otherwise where all is described in other coordinates."""


class Otherwise:
    """What else than a misprint may be why an equation differs from the others of its page.

    Parameters
    ----------
    statements : Statements
    meanings : Meanings
        What its letters stand for.
    functions : mapping of str to int
        The letters that are functions which the page does not give, each with the first section
        that prints it so: before that it may be a constant.
    """

    def __init__(
        self, statements: Statements, meanings: Meanings, functions: Mapping[str, int]
    ) -> None:
        self.statements, self.meanings = statements, meanings
        self.letters = meanings.letters
        self._functions = functions

    def is_open(self, statement: Statement, *, is_known: bool = False) -> bool:
        """Return whether an equation may be of another case, or is approximate, or of functions.

        Unless the case that it is of is known.
        """
        is_equal = statement.relation.relation in EQUALITIES
        is_special = (statement.is_case and not is_known) or statement.states_value
        return is_special or not is_equal or self.has_functions(statement)

    def are_of_later_case(self, statement: Statement, others: Iterable[Statement]) -> bool:
        """Return whether some of the others say what an energy is in a case of a later section."""
        return any(
            one.is_case
            and one.section > statement.section
            and any(bare_of_font(each.letter.key) in ENERGIES for each in self.meanings.of(one))
            for one in others
        )

    def has_functions(self, statement: Statement) -> bool:
        """Return whether an equation has functions that the page does not give."""
        return self.are_functions(statement.keys, statement)

    def are_functions(self, keys: Iterable[str], statement: Statement) -> bool:
        r"""Return whether functions that the page does not give are among letters of an equation.

        M beside ``M(q)\ddot q`` is none where there is no q: it is the mass of a cart, or so.
        """
        keys = {*keys}
        found = self._known_by(statement) & keys
        if any(bare_of_font(key) == CONFIGURATION for key in keys):
            return bool(found)
        arguments = self.statements.arguments
        return any(
            {bare_of_font(one) for one in arguments.get(key, ())} != {CONFIGURATION}
            for key in found
        )

    def _known_by(self, statement: Statement) -> set[str]:
        """Return the functions that the section of an equation, or one before, prints as such.

        One of what moves is no constant anywhere.
        """
        moving = self.letters.moving
        return {
            key
            for key, section in self._functions.items()
            if section <= statement.section or key in moving
        }

    def may_differ(
        self,
        statement: Statement,
        others: Iterable[Statement],
        view: View,
        subject: Letter | None,
        lower: list[Form],
        *,
        of_others: bool = True,
    ) -> bool:
        """Return whether an equation may differ for another reason than a misprint.

        With letters of others it may, unless `of_others` is False.
        """
        left = set[Letter]().union(*(letters_of(self.letters, form) for form in lower))
        known = view.lower(self.letters.form(subject)) if subject else None
        is_near = all(one.section == statement.section for one in others)
        if known and is_near and self._is_rate(known, lower):  # which has lost its dot
            return False
        if self.is_of_another_case(statement, others, lower):
            return True
        if subject is None or known is None:
            moved = any(accelerations(self.letters, form) for form in lower)
            return moved or self._has_letters_of_its_own(statement, lower)
        inside = letters_of(self.letters, known)
        strange = {self.letters.differentiated(one.key) for one in left - inside}
        strange -= {one.key for one in inside}
        if of_others and strange:
            return True
        keys = {one.key for one in left}
        if keys & (self._known_by(statement) | self._turning) or any(map(is_vector, keys)):
            return True
        if not any(one.key in self.letters.moving for one in inside):
            return True
        if self._is_special(statement, inside, lower):
            return True
        if self._is_at_rest(statement, others, known, lower):
            return True
        return self._is_said_again(statement, others, subject, known)

    def _is_said_again(
        self, statement: Statement, others: Iterable[Statement], subject: Letter, known: Form
    ) -> bool:
        """Return whether an equation says what a letter is, and others do for another case."""
        twice = self.meanings.definitions.get(subject.key, ())
        if subject.dots or not any(one.statement is statement for one in twice):
            return False
        elsewhere = any(one.section != statement.section for one in others)
        if elsewhere and self._is_described_anew(subject, least=1):
            return True
        if not any(one.dots for one in letters_of(self.letters, known)):
            return elsewhere or len(known.terms) <= SHORT or self._is_described_anew(subject)
        return elsewhere and len(known.terms) == 1  # such as what a system puts out

    def _is_rate(self, known: Form, lower: list[Form]) -> bool:
        """Return whether an equation says of a letter what its rate is by the others."""
        if len(lower) != 1:
            return False
        rate = self.letters.rate(known)
        return bool(rate) and not all(rate - known + one for one in (lower[0], -lower[0]))

    def _is_at_rest(
        self, statement: Statement, others: Iterable[Statement], known: Form, lower: list[Form]
    ) -> bool:
        r"""Return whether what others say is this without a rate, which is zero there.

        As of an angular velocity without the nutation, :math:`\dot\theta`; far away, or where the
        page says that it is zero.
        """
        own = {Letter(key, order) for key, orders in statement.orders.items() for order in orders}
        rates = {one for one in own ^ letters_of(self.letters, known) if one.dots == 1}
        is_near = any(abs(one.number - statement.number) <= NEAR for one in others)
        still = {self.letters.atom(one): self.letters.ring.zero for one in rates}
        if not still or (is_near and not rates <= self._stopped.keys()):
            return False
        return not any(substituted(form, still) for form in lower)

    def stopped(self, form: Form) -> Form:
        """Return an equation where the rates are zero that the page says to be zero."""
        inside = letters_of(self.letters, form) & self._stopped.keys()
        still = {self.letters.atom(one): self.letters.ring.zero for one in inside}
        return substituted(form, still) if still else form

    @property
    def held(self) -> dict[str, Statement]:
        """The letters that the page says to stay as they are, each with where it says so."""
        return {one.key: said for one, said in self._stopped.items() if one.dots == 1}

    @cached_property
    def _stopped(self) -> dict[Letter, Statement]:
        """The rates that the page says to be zero, each with where it says so."""
        return {letter: said for letter, said in self._zeros if letter.dots}

    @cached_property
    def _zeros(self) -> list[tuple[Letter, Statement]]:
        """The letters that the page says to be zero, each with where it says so."""
        named = (
            (one, one.relation.left, self.statements.chain_from(one)[-1].relation.right)
            for one in self.statements.all
        )
        return [
            (Letter(bare(left.key), left.dots), said)
            for said, left, last in named
            if isinstance(left, Name) and is_zero(last)
        ]

    def is_without(self, statement: Statement, others: Iterable[Statement]) -> bool:
        r"""Return whether an equation lacks constants of others that its section has for zero.

        As behind "without damping, ``b = d = 0``,".
        """
        left_out = {
            letter.key
            for letter, said in self._zeros
            if said.section == statement.section and said.number < statement.number
        } - self.letters.moving
        known = {key for one in others for key in one.keys}
        return bool((left_out & known) - {*statement.keys})

    def _is_described_anew(self, subject: Letter, least: int = ANEW) -> bool:
        """Return whether letters near both definitions of one are told otherwise as well.

        So many at least. Then the page describes the same in other coordinates.
        """
        known = self.meanings.definitions
        own = [one.statement.number for one in known[subject.key]]
        count = 0
        for key, told in known.items():
            if key == subject.key or len(told) != len(own):
                continue
            near = zip(own, (one.statement.number for one in told), strict=True)
            is_near = all(abs(a - b) <= NEAR for a, b in near)
            count += is_near and any(map(_differs, told, told[1:]))
        return count >= least

    def is_of_another_case(
        self, statement: Statement, others: Iterable[Statement], lower: Iterable[Form]
    ) -> bool:
        """Return whether an equation is of another case, or of what is not put in.

        Parameters
        ----------
        statement : Statement
        others : iterable of Statement
            What it is held against.
        lower : iterable of Form
            By what its sides differ.
        """
        relation = statement.relation
        left = set[Letter]().union(*(letters_of(self.letters, form) for form in lower))
        if self.is_open(statement) or any(self.has_functions(one) for one in others):
            return True
        is_later = any(one.section > statement.section for one in others)
        if is_later or any(map(self._is_of_matrices, (statement, *others))):
            return True  # a letter may be another in a later section
        if any(one.key in self._unsettled for one in left):
            return True
        sides = relation.left, relation.right
        is_of_names = all(isinstance(side, Name) and not side.dots for side in sides)
        return is_of_names or any(
            not any(isinstance(one, Name) for one in walk(side)) for side in sides
        )

    def _has_letters_of_its_own(self, statement: Statement, lower: list[Form]) -> bool:
        """Return whether a letter is left that one equation alone has, and not this one.

        Nothing then says what it would have to be so that the equation holds.
        """
        own = {*statement.keys}
        left = {one.key for form in lower for one in letters_of(self.letters, form)} - own
        return not self.statements.single.isdisjoint(left)

    @cached_property
    def _turning(self) -> frozenset[str]:
        r"""The unit vectors of polar coordinates, ``e_r`` and ``e_\theta``: no constants."""
        looks = {key: SymbolShape.of(key) for key in self.meanings.printed}
        found = {key: one for key, one in looks.items() if one.letter in _UNIT_VECTORS}
        below = {one.subscript for one in found.values()}
        if below.isdisjoint(_ALONG) or below.isdisjoint(_ACROSS):
            return frozenset()
        return frozenset(key for key, one in found.items() if one.subscript in _ALONG | _ACROSS)

    @cached_property
    def _unsettled(self) -> frozenset[str]:
        """The constants of which the page says what they are, and not in a way that is put in."""
        known = self.meanings.definitions
        found = set[str]()
        for one in self.statements.all:
            sides = one.relation.left, one.relation.right
            for name, side in (sides, sides[::-1]):
                is_told = isinstance(name, Name) and not name.dots and not isinstance(side, Name)
                if is_told and (is_zero(side) or names_of(side)):
                    found.add(bare(name.key))  # type: ignore[union-attr]
        return frozenset(found - known.keys() - self.letters.moving)

    def _is_of_matrices(self, statement: Statement) -> bool:
        """Return whether a letter is transposed of which the page prints no entries."""
        sides = statement.relation.left, statement.relation.right
        turned = (one.node for one in walk(*sides) if isinstance(one, Transpose))
        return any(
            isinstance(one, Name) and bare(one.key) not in self.meanings.matrices for one in turned
        )

    def _is_special(self, statement: Statement, inside: set[Letter], lower: list[Form]) -> bool:
        """Return whether an equation is what others say where letters are zero that it has not."""
        own = {*statement.keys}
        zero = self.letters.ring.zero
        absent = [one for one in inside if one.key not in own | self.letters.moving]
        still = {self.letters.atom(one): zero for one in absent}
        return bool(still) and not any(substituted(form, still) for form in lower)


def _differs(one: Definition, other: Definition) -> bool:
    """Return whether two definitions of a letter are not the same, as they are printed."""
    if one.letter != other.letter or one.grid.shape != other.grid.shape:
        return False
    entries = zip(one.grid.entries(), other.grid.entries(), strict=True)
    return any(a - b for a, b in entries)
