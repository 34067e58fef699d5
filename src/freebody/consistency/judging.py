"""Whether an equation of a page follows from the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import TooLargeError
from freebody.checking.findings import Kind
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import COMPARED
from freebody.consistency.constant_values import constant_values
from freebody.consistency.equal_constants import EqualConstants
from freebody.consistency.finding import Finding, in_order
from freebody.consistency.lagrange_equations import broken_law
from freebody.consistency.letters import (
    Letter,
    PageTooLongError,
    letters_of,
)
from freebody.consistency.matrix_judging import MatrixJudge
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.motion.characteristic import Characteristic
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.judging import MotionJudge
from freebody.consistency.motion.paths import Paths
from freebody.consistency.motion.residuals import printed_forms, residuals
from freebody.consistency.motion.small_motions import (
    accelerates_places,
    accelerations,
    are_approximate,
    without_accelerations,
)
from freebody.consistency.motion.solutions import Solutions
from freebody.consistency.motion.state_matrices import StateMatrices, is_of_states
from freebody.consistency.motion.transforms import Transforms
from freebody.consistency.numbers import in_numbers
from freebody.consistency.otherwise import Otherwise
from freebody.consistency.roots import vanish_at_points
from freebody.consistency.rounding import to_the_digits
from freebody.consistency.statement import Statement
from freebody.consistency.steps import Steps, is_of_differentials
from freebody.consistency.vector_products import (
    crosses_in_plane,
    multiplies_directions,
    turns_axes,
)
from freebody.documents.latex.grammar.equations import CONSERVED
from freebody.documents.latex.tree import (
    Call,
    Name,
    Partial,
    TimeDerivative,
    show,
    walk,
)
from freebody.errors import FreebodyError, fault

MOST_PRODUCTS = 400_000
"""Of terms, to judge one equation."""
NEAR_MISS = frozenset[Kind]({"index"})
"""What is told as a misprint of an equation that has letters of others: a number for another."""
_OF_MATRICES = frozenset({"det", "trace"})
SAYS_ITSELF = "nothing else of the page says what it says"
STEP = "a step of a derivation, in the same letters"
SAID_ONCE = "it says what {} is, which nothing else says"
LATE = "the page takes too long, and it is not looked at"


class Judge:
    """Holds the equations of a page against each other.

    Parameters
    ----------
    equations : Equations
    functions : mapping of str to int, optional
        The letters that are functions the page does not give, or of several things, each with the
        first section that prints it so.
    is_exact : bool, optional
        Whether what holds for small motions alone is left out.
    turns : bool, optional
        Whether angles may be turned by half a turn where words say so.
    is_trial : bool, optional
        Whether nothing counts but what follows, as of a change that is tried.
    """

    def __init__(
        self,
        equations: Equations,
        functions: Mapping[str, int] | None = None,
        *,
        is_exact: bool = False,
        turns: bool = True,
        is_trial: bool = False,
    ) -> None:
        self.equations, self.statements = equations, equations.statements
        self.meanings, self.letters = equations.meanings, equations.letters
        self._functions = self._unknown_functions() if functions is None else functions
        self.otherwise = Otherwise(self.statements, self.meanings, self._functions)
        self.motion = MotionJudge(
            equations,
            self.otherwise,
            is_exact=is_exact,
            turns=turns,
            is_trial=is_trial,
        )
        self._matrices = MatrixJudge(self.statements, self.meanings, self.otherwise)
        self.steps = Steps(self.statements, self.meanings)
        self._state_matrices = StateMatrices(self.statements, self.meanings)
        self._characteristic = Characteristic(equations, self.otherwise)
        self._paths = Paths(self.statements, self.meanings)
        self._solutions = Solutions(equations, self._paths, self.otherwise)
        self._transforms = Transforms(equations, is_trial=is_trial)
        self._equal_constants = EqualConstants(self.statements, self.meanings)
        self._by_equal: dict[tuple[int, ...], Judge] = {}
        self._backwards: Judge | None = None

    def _unknown_functions(self) -> Mapping[str, int]:
        known = self.meanings.definitions
        found = self.statements.called
        return {
            key: min(of.values())
            for key, of in found.items()
            if key.rstrip("'") not in self.letters.functions
            if len(of) > 1 or not _is_said(of, known.get(key, ()))
        }

    def of(
        self,
        equations: Equations,
        *,
        is_exact: bool = False,
        turns: bool = True,
        is_trial: bool = False,
    ) -> Judge:
        """Return what judges the page with other equations."""
        return Judge(equations, self._functions, is_exact=is_exact, turns=turns, is_trial=is_trial)

    def at(self, statement: Statement) -> Statement:
        """Return the equation of the page that stands in a place."""
        return self.statements.all[statement.number]

    def finding(self, statement: Statement) -> Finding:
        """Return what the others say of an equation."""
        relation = statement.relation
        if self.letters.ration.is_spent:
            return Finding(None, reason=LATE)
        if relation.relation not in COMPARED:
            return Finding(None, reason=f"no equation: '{relation.relation}'")
        if show(relation.left) == show(relation.right):
            return Finding(None, reason="it says that something is itself")
        found = self._held(statement)
        law = None if found.holds else broken_law(relation)
        return Finding(False, (), law, route="law") if law else found

    def _held(self, statement: Statement) -> Finding:
        """Return what the others say of an equation, as far as it has a meaning by the page."""
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                return self._weighed(statement)
        except TooLargeError:
            return Finding(None, reason="it is too large to be written out")
        except PageTooLongError:
            return Finding(None, reason=LATE)
        except (FreebodyError, ZeroDivisionError) as error:
            if own := self.meanings.of(statement):
                return Finding(None, reason=SAID_ONCE.format(_with_dots(own[0].letter)))
            return Finding(None, reason=f"it has no meaning by the page alone: {error}")

    def safely(self, statement: Statement) -> Finding:
        """Return what the others say of an equation; what goes wrong is told of that one alone."""
        try:
            return self.finding(statement)
        except Exception as error:
            return Finding(None, reason=fault(error))

    def _weighed(self, statement: Statement) -> Finding:
        """Return what the others say of an equation, in one way or another."""
        found = (
            self._matrices.finding(statement)
            or in_numbers(self.meanings, statement)
            or (self._of_transforms(statement) if statement.is_transformed else None)
            or self._of_states(statement)
            or self._finding(statement)
        )
        if found.holds is False and found.others and not self.motion.is_trial:
            judged = partial(self._with_other_numbers, statement)
            found = to_the_digits(statement, found, self.equations, judged)
        if not found.holds:
            found = self._besides(statement, found)
        if found.holds is None:
            found = self.motion.of_relative(statement) or found
        if found.holds is False and (kept := self._with_kept(statement, found)):
            found = kept
        if not found.holds and (again := self._with_equal(statement)):
            is_less = found.holds is None or found.is_open
            found = again if again.holds or (again.holds is False and is_less) else found
        assumed = self.statements.assumed
        is_open = any(one.uses(assumed) for one in (statement, *found.others))
        is_open |= not found.holds and self.otherwise.is_without(statement, found.others)
        is_open |= not found.holds and self.otherwise.are_of_later_case(statement, found.others)
        return replace(found, is_open=True, told=frozenset()) if is_open else found

    def _of_states(self, statement: Statement) -> Finding | None:
        """Return what others say of a matrix of states, of which the page prints no equation.

        What speaks against it may be due to the input matrix, of which nothing is said by itself.
        """
        said = self._state_matrices.said_by(statement)
        if said is None:
            return None
        implied, by = said
        found = self._finding(implied)
        others = in_order(*found.others, *by)
        is_told = found.holds or (found.holds is False and is_of_states(statement))
        return replace(found, others=others) if is_told else None

    def _with_other_numbers(self, statement: Statement, equations: Equations) -> Finding:
        """Return what the others say of an equation where one has another number."""
        judge = self.of(equations, is_exact=self.motion.is_exact, turns=self.motion.turns)
        try:
            return judge._finding(judge.at(statement))
        except (FreebodyError, ZeroDivisionError):
            return Finding(None)

    def _besides(self, statement: Statement, found: Finding) -> Finding:
        """Return what energies or motions in time say, where others say nothing for sure."""
        if found.holds is None:
            found = self._matrices.of_energy(statement) or self._of_transforms(statement) or found
        if found.holds is False and not found.is_open:
            return found
        path = self._paths.finding(statement)
        if not (path and path.holds):
            solved = self._solutions.finding(statement)
            path = solved if solved and (solved.holds or path is None) else path
        is_about_it = found.holds is None or not self._are_of_motion(found.others)
        return path if path and (path.holds or is_about_it) else found

    def _are_of_motion(self, statements: Iterable[Statement]) -> bool:
        """Return whether equations say what something is that moves, and no constants alone."""
        said = (each.letter for one in statements for each in self.meanings.of(one))
        return any(letter.key in self.letters.moving for letter in said)

    def _with_equal(self, statement: Statement) -> Finding | None:
        """Return what an equation of motion follows from where letters are one, ``u = F``."""
        forms = self.equations.forms(statement)
        equal = self._equal_constants.before(statement)
        if not equal or not any(accelerations(self.letters, form) for form in forms):
            return None
        numbers = tuple(one.number for one in equal)
        if numbers not in self._by_equal:
            equations = self.equations.with_equal(equal)
            own = self.motion
            self._by_equal[numbers] = self.of(
                equations, is_exact=own.is_exact, turns=own.turns, is_trial=own.is_trial
            )
        return self._by_equal[numbers]._finding(statement)

    def _with_kept(self, statement: Statement, found: Finding) -> Finding | None:
        """Return that an equation follows where what is said to stay as it is is a constant.

        As the momentum in an effective potential, which is differentiated by places.
        """
        kept = [one for one in found.others if self._is_kept(one)]
        if not kept or not any(isinstance(node, Partial) for node in statement.nodes):
            return None
        again = self.of(self.equations.without(kept))._finding(statement)
        return again if again.holds else None

    def _is_kept(self, statement: Statement) -> bool:
        """Return whether a chain of equations ends with the word that all of it is constant."""
        chain = self.statements.chain_from(statement)
        return any(CONSERVED in one.relation.readings for one in chain)

    def _of_transforms(self, statement: Statement) -> Finding | None:
        """Return what others say of an equation, of which one at least is of transforms."""
        found = self._transforms.finding(statement)
        is_case = statement.is_case and not statement.is_small
        if found and found.against:
            against = replace(found.against, is_open=found.against.is_open or is_case)
            return replace(found, against=against)
        return replace(found, is_open=found.is_open or is_case) if found else None

    def _finding(self, statement: Statement) -> Finding:
        view = self.meanings.view(statement)
        upper = residuals(view, statement.relation)
        seen = tuple(view.used.values())
        lower = [view.lower(form) for form in upper]
        others = tuple(one for one in view.others if one.number != statement.number)
        if not any(lower):
            if any(upper) or seen:
                return Finding(True, others, route="definitions")
            return Finding(True, (), "an identity of its letters", route="identity")
        if vanish_at_points(lower):
            return Finding(True, others, route="points")
        moving = [form for form in lower if accelerations(self.letters, form)]
        is_of_places = any(accelerates_places(self.letters, form) for form in moving)
        if moving and (is_of_places or self._subject(statement, view) is None):
            found = self.motion.of_motion(statement, others, lower)
            if found is not None:
                return found
        if not moving and (found := self.motion.of_frequency(statement, lower)) is not None:
            return found
        exponents = None if moving else self._characteristic.finding(statement, lower)
        if exponents and (exponents.holds or self._subject(statement, view) is None):
            return exponents
        if any(multiplies_directions(self.letters, form) for form in lower):
            return Finding(None, reason="products of unit vectors that are not set out")
        return self._differing(statement, view, others, lower)

    # ------------------------------------------------------------------ definitions

    def _differing(
        self,
        statement: Statement,
        view: View,
        others: tuple[Statement, ...],
        lower: list[Form],
    ) -> Finding:
        """Return what is said of an equation that does not follow from what letters stand for."""
        subject = self._subject(statement, view)
        own = self.meanings.of(statement)
        # perhaps the end of a chain as well
        is_open_step = (
            self.steps.is_of_alike_constants(statement) if others else self.steps.is_step(statement)
        )
        if subject is None and own and not is_open_step:
            said = Finding(None, reason=SAID_ONCE.format(_with_dots(own[0].letter)))
            is_constant = self.letters.moving.isdisjoint(statement.keys)
            return (self.broken_step(statement) if is_constant else None) or said
        if not others:
            return self._of_step(statement, view, lower)
        is_again = self.steps.is_solved_anew(statement, others) or _is_of_matrix(statement)
        if subject is None and not (is_again or self.steps.is_chained(statement)):
            return Finding(None, reason=SAYS_ITSELF, beside=self._beside(statement, view, others))
        if subject and subject.dots and self._is_law_of_a_state(subject, view, lower):
            return Finding(None, reason=SAYS_ITSELF)
        if subject and subject.dots and turns_axes(statement.relation):
            return Finding(None, reason="a rate that may be along axes which turn")
        if given := self._given(statement, view, lower):
            told = in_order(*others, *given)
            return Finding(True, told, "with the values that the page gives", "definitions")
        is_other = subject is None and not (is_again or self.steps.has_alike_sides(statement))
        is_other |= self._is_without_inertia(others, lower) or self._is_of_another(statement, view)
        is_other |= crosses_in_plane(view, statement.relation)
        is_other = is_other or self._is_approximate(statement, others)
        differing = partial(self.otherwise.may_differ, statement, others, view, subject, lower)
        is_open = is_other or differing()
        is_near = is_open and not is_other and not differing(of_others=False)
        lacks = -lower[0] if len(lower) == 1 else None
        if lacks and subject and not self.motion.is_trial:
            lacks = self._lacking(statement, view, subject, lower[0])
        kinds = NEAR_MISS if is_near else frozenset[Kind]()
        return Finding(False, others, "", "definitions", is_open, lacks, told=kinds)

    def _is_law_of_a_state(self, subject: Letter, view: View, lower: Iterable[Form]) -> bool:
        """Return whether an equation says how a state moves that only names a rate."""
        said = view.definition(subject)
        is_name = said is not None and said.grid.is_scalar and not said.letter.dots
        is_rate = is_name and said is not None and self.letters.sole(said.grid.form) is not None
        return is_rate and any(accelerates_places(self.letters, form) for form in lower)

    def _beside(
        self, statement: Statement, view: View, others: tuple[Statement, ...]
    ) -> tuple[Statement, ...]:
        """Return what says what the letters of a law are, unless it may only look different."""
        relation = statement.relation
        is_other = crosses_in_plane(view, relation) or self._is_of_another(statement, view)
        is_other |= is_of_differentials(relation)
        return () if is_other or self._is_approximate(statement, others) else others

    def _lacking(self, statement: Statement, view: View, subject: Letter, lower: Form) -> Form:
        """Return what a left side lacks, by what says of the same letter at once if that is less.

        Rather than with all put in that the letters of both stand for.
        """
        said, relation = view.definition(subject), statement.relation
        found = [-lower]
        for name, side in ((relation.left, relation.right), (relation.right, relation.left)):
            is_it = isinstance(name, Name) and Letter(bare(name.key), name.dots) == subject
            if is_it and said and said.grid.is_scalar:
                known = self.letters.rates(said.grid, subject.dots - said.letter.dots).form
                lacks = Values(view).value(side).form - known
                found.append(lacks if name is relation.left else -lacks)
        return min(found, key=lambda form: len(form.terms))

    def _is_of_another(self, statement: Statement, view: View) -> bool:
        """Return whether something is differentiated by a letter that it has not, nor its rate."""
        values = Values(view)
        for node in walk(statement.relation.left, statement.relation.right):
            if isinstance(node, Partial):
                forms = view.lowered(values.value(node.node)).entries()
                inside = {one.key for form in forms for one in letters_of(self.letters, form)}
                of = self.letters.functions
                inside |= {one for key in inside for one in of.get(key, ())}
                by = chain.from_iterable(
                    values.value(one).entries() for one in node.with_respect_to
                )
                others = {
                    one.key for form in by for one in letters_of(self.letters, view.lower(form))
                }
                if not others <= inside:
                    return True
        return False

    def _is_approximate(self, statement: Statement, others: Iterable[Statement]) -> bool:
        """Return whether an equation is for small angles and others are not, or contrariwise."""
        own, *known = (printed_forms(self.meanings, one) for one in (statement, *others))
        return are_approximate(own, chain.from_iterable(known))

    def _is_without_inertia(self, others: Iterable[Statement], lower: Iterable[Form]) -> bool:
        r"""Return whether others are about what moves so slowly that it has no inertia.

        As ``b\dot\theta + m g l\sin\theta = u`` is beside an equation that differs by all of
        ``m l^2\ddot\theta``.
        """
        known = (form for one in others for form in self.equations.forms(one))
        left = [form for form in lower if form]
        has_inertia = partial(accelerates_places, self.letters)
        if any(map(has_inertia, known)) or not all(map(has_inertia, left)):
            return False
        return not any(without_accelerations(self.letters, form) for form in left)

    def _of_step(self, statement: Statement, view: View, lower: list[Form]) -> Finding:
        """Return what is said of an equation none of whose letters stands for anything."""
        if not self.steps.is_step(statement) or statement.is_of_values:
            return Finding(None, reason="nothing else of the page says what its letters are")
        before = (self.statements.all[statement.number - 1],)
        is_open = self.otherwise.may_differ(statement, before, view, None, lower)
        return Finding(False, before, STEP, route="identity", is_open=is_open)

    def broken_step(self, statement: Statement) -> Finding | None:
        """Return that an equation does not follow from the one before that it is a step from.

        None where it is no such step, or may be of another case.
        """
        if not self.steps.is_step(statement):
            return None
        before = (self.statements.all[statement.number - 1],)
        if self.otherwise.is_of_another_case(statement, before, self._differences(statement)):
            return None
        return Finding(False, before, STEP, route="identity")

    def is_identity(self, statement: Statement) -> bool:
        """Return whether an equation holds by what its letters stand for."""
        return not any(self._differences(statement))

    def _differences(self, statement: Statement) -> list[Form]:
        """Return by what the sides of an equation differ, in what its letters stand for."""
        view = self.meanings.view(statement)
        return [view.lower(form) for form in residuals(view, statement.relation)]

    @cached_property
    def _values(self) -> list[tuple[Letter, Form, Statement]]:
        return constant_values(self.meanings)

    def _given(self, statement: Statement, view: View, lower: list[Form]) -> list[Statement]:
        """Return the values on the page with which an equation follows; none where it does not.

        Nor where they make both sides zero.
        """
        inside = {one for form in lower for one in letters_of(self.letters, form)}
        values, used = {}, list[Statement]()
        for letter, form, where in self._values:
            if letter in inside and where is not statement:
                values[self.letters.atom(letter)] = form
                used.append(where)
        if not values or any(substituted(form, values) for form in lower):
            return []
        side = Values(view).value(statement.relation.left)
        entries = (substituted(view.lower(form), values) for form in side.entries())
        return used if any(entries) else []

    def _subject(self, statement: Statement, view: View) -> Letter | None:
        """Return the letter that an equation is about, where others say what that is.

        It may be about a derivative of it, as of a Lagrangian.
        """
        for side in (statement.relation.left, statement.relation.right):
            while isinstance(side, TimeDerivative | Partial):
                side = side.node
            if isinstance(side, Name):
                letter = Letter(bare(side.key), side.dots)
                if view.definition(letter):
                    return letter
        return None

    def may_count_backwards(self, statement: Statement) -> bool:
        """Return whether an equation would follow with the angles of shorthands counted backwards.

        Such as of ``s_1`` where an angle is what is left of another: no page prints that by number.
        """
        if not self.meanings.shorthands:
            return False
        if self._backwards is None:
            meanings = self.meanings.with_backward_shorthands()
            self._backwards = self.of(Equations(self.statements, meanings))
        return bool(self._backwards.finding(statement).holds)


def _is_said(printed: Collection[str], known: Sequence[Definition]) -> bool:
    r"""Return whether one equation says what a function is, beside others of a letter like it.

    As ``D(\theta) = M + m\sin^2\theta`` does, and D is a matrix elsewhere.
    """
    sides = ((one.statement.relation.left, one.statement.relation.right) for one in known)
    names = [one for each in sides for one in each if isinstance(one, Name)]
    return len(known) == 1 or sum(one.key in printed for one in names) == 1


def _is_of_matrix(statement: Statement) -> bool:
    """Return whether an equation says what the determinant or the trace of a matrix is."""
    left = statement.relation.left
    return isinstance(left, Call) and left.function in _OF_MATRICES


def _with_dots(letter: Letter) -> str:
    return f"{letter.key}{chr(39) * letter.dots}"
