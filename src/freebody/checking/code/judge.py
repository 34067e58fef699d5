"""The verdicts on a listing: what holds, what differs and by which terms, and what mends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.algebra.canonical import is_zero
from freebody.algebra.degrees import Degrees
from freebody.algebra.domains import Domain, UndecidedError
from freebody.algebra.fields import agree
from freebody.algebra.terms import TooLargeError
from freebody.checking.code.claim import Claim
from freebody.checking.code.claims import Claims
from freebody.checking.code.derived_forms import DerivedForms, differing_terms
from freebody.checking.code.directions import Zeros, directions
from freebody.checking.code.doubts import Doubts, ReadRun, called, frame_words
from freebody.checking.code.expectations import expected
from freebody.checking.code.laws import MOST_LAWS, laws_of
from freebody.checking.code.points import PointValues, written_out
from freebody.checking.code.readings import ListingReading, Outcome
from freebody.checking.code.reference import VECTORS, DerivedAtPoint, Frame
from freebody.checking.code.repair import ListingRepairs, Mend
from freebody.checking.code.roles import Roles
from freebody.checking.code.states import State, state_of
from freebody.checking.code.trial import Trial
from freebody.checking.findings import Difference, Repair
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import EquationVerdict, StatedQuantity
from freebody.code.interpreter import Law, run
from freebody.code.listings import Listing
from freebody.code.values import Leaf
from freebody.code.working import Run
from freebody.errors import FreebodyError

FRAMES = 10
"""In how many ways of counting coordinates an energy is tried."""
LONG = 500
"""Characters of what is shown in full."""


@dataclass(frozen=True)
class Judged:
    """What is said of a listing.

    Attributes
    ----------
    verdicts : tuple of EquationVerdict
    remarks : tuple of str
    mends : tuple of Mend
        The first repair of each verdict that has one, in order.
    statements : tuple of StatedQuantity
        What is stated by what holds, and by what differs and carries nothing on.
    """

    verdicts: tuple[EquationVerdict, ...]
    remarks: tuple[str, ...]
    mends: tuple[Mend, ...] = ()
    statements: tuple[StatedQuantity, ...] = ()


@dataclass(frozen=True)
class _Finding:
    """One claim and how it came out."""

    claim: Claim
    status: str
    proof: str = ""
    note: str = ""
    carried: Claim | None = None
    unless: str = ""


def judged(listing: Listing, quantities: Quantities) -> Judged:
    """Hold a listing against what is derived.

    Parameters
    ----------
    listing : Listing
    quantities : Quantities

    Raises
    ------
    ListingError, TooMuchError
        If it cannot be read, or takes too much work.
    ExpressionError
        If its front matter names what the model has not.
    """
    return _Judge(listing, quantities).judged()


class _Judge:
    """One listing against one model."""

    def __init__(self, listing: Listing, quantities: Quantities) -> None:
        self.listing, self.quantities = listing, quantities
        self.body, self._told = listing.read()
        self.roles = Roles(quantities)
        self._framed = set[str]()
        self._readings_of: list[ReadRun] = []
        self._spent = [0]
        self._statements: list[StatedQuantity] = []
        self._zeros = Zeros(quantities)
        self._forms = DerivedForms(quantities)
        self._remarks: dict[str, None] = dict.fromkeys(self._told)
        self._mends: list[Mend] = []
        self._proof: str | None = None
        self._follow(frozenset())
        self._set_laws_apart()

    def _follow(self, laws: frozenset[Law]) -> None:
        """Follow the listing, where some variables stand for inputs."""
        size = 2 * len(self.quantities.equations.speeds)
        self.found = run(self.body, self.listing.language, size, None, laws)
        self.trial = Trial(self.found, self.quantities, self.roles, self.listing)
        self.claims = Claims(self.found, self.roles, self.listing)
        self._doubts = Doubts(self.trial, self._readings_of)

    def _set_laws_apart(self) -> None:
        """Let control laws stand for inputs, where no less holds then."""
        laws = laws_of(self.found, self.roles)
        held, count = self._count_holding() if laws else (0, 0)
        tried = set[Law]()
        while laws and held < count and len(tried) < MOST_LAWS:
            law, has_other = laws[0]
            tried.add(law)
            kept = self.found.laws
            self._follow(kept | {law})
            there, _ = self._count_holding()
            if there > held or (there == held and has_other):
                held = there
            else:
                self._follow(kept)
            laws = [one for one in laws_of(self.found, self.roles) if one[0] not in tried]
        for _, name in sorted(self.found.laws):
            message = "stands for an input: what is worked out for it is not judged"
            self._remarks[f"{name} {message}"] = None

    def _count_holding(self) -> tuple[int, int]:
        """Return how many claims hold as they are likeliest read, and how many there are."""
        held = count = 0
        for one in self.found.runs:
            state = state_of(self.found, one, self.roles, self.listing.front.state)
            if claims := self.claims.of(one, state):
                reading = self.trial.first(claims, state, self._frame(one, state), one)
                held += self.trial.outcome(reading, claims).rank[0]
                count += len(claims)
        return held, count

    def judged(self) -> Judged:
        """Return what is said of the listing."""
        verdicts: list[EquationVerdict] = []
        seen: set[tuple[Any, ...]] = set()
        for one in self.found.runs:
            state = state_of(self.found, one, self.roles, self.listing.front.state)
            claims = [
                c for c in self.claims.of(one, state) if (c.cell, c.target, c.span) not in seen
            ]
            seen |= {(c.cell, c.target, c.span) for c in claims}
            if claims:
                self._readings_of.append((one, claims, *self._read(one, claims, state)))
        for read in self._readings_of:
            verdicts += self._of_run(*read)
        for offset, told in sorted(self.found.remarks.items()):
            self._remarks[f"{self.listing.place(offset)}: {told}"] = None
        verdicts.sort(key=lambda one: one.line)
        return Judged(
            tuple(verdicts), tuple(self._remarks), tuple(self._mends), tuple(self._statements)
        )

    def _read(
        self, one: Run, claims: Sequence[Claim], state: State
    ) -> tuple[ListingReading, Outcome, ListingReading, str]:
        """Return how a function is read and comes out, the likeliest way, and what else may be."""
        reading, outcome, first = self.trial.best(claims, state, one, self._frame(one, state))
        if not outcome.holds or not any(outcome.holds.values()):
            reading, outcome = self._turned_to_mend(claims, reading, outcome, first)
        reading, outcome, unless = self._unless_mended(claims, reading, outcome, first)
        return reading, outcome, first, unless

    def _of_run(
        self,
        one: Run,
        claims: Sequence[Claim],
        reading: ListingReading,
        outcome: Outcome,
        first: ListingReading,
        unless: str,
    ) -> Iterator[EquationVerdict]:
        if any(holds and c.target[0] not in ("rate", "M") for c, holds in outcome.holds.items()):
            self._framed.add(one.name)
        repairs, self._proof = self._repairs(reading, outcome), None
        every = (self._finding(claim, reading, outcome, first, repairs) for claim in claims)
        said = [each for each in every if each is not None]
        if said:
            self._tell_reading(one, reading, claims)
            where = f"{one.name}: " if one.name else ""
            self._remarks |= dict.fromkeys(f"{where}{note}" for note in outcome.notes)
        for each in said:
            verdict = self._verdict(each, reading, outcome, repairs, unless)
            yield verdict
            is_own = reading.frame is self.trial.frames[0] and not verdict.carried_from
            if is_own and verdict.status in ("holds", "differs"):
                key, is_right = each.claim.target, verdict.status == "holds"
                self._statements.append(StatedQuantity(verdict.label, verdict.place, key, is_right))

    def _frame(self, one: Run, state: State) -> Frame:
        """Return the likeliest way to count coordinates: the model's own that fits what is said."""
        said = directions(self.listing, self.found, one, state, self.roles.is_angle)
        if not said:
            return self.trial.frames[0]
        fitting = (frame for frame in self.trial.frames if self._zeros.fit(frame, said))
        return next(fitting, self.trial.frames[0])

    def _unless_mended(
        self,
        claims: Sequence[Claim],
        reading: ListingReading,
        outcome: Outcome,
        first: ListingReading,
    ) -> tuple[ListingReading, Outcome, str]:
        """Return the likeliest reading, where one change of the code does for it as well.

        Another convention does not absorb what one wrong sign would explain; both are told.
        """
        deviations = self._doubts.deviations(reading, first) if reading is not first else []
        if not deviations or outcome.count < len(claims):
            return reading, outcome, ""
        there = self.trial.outcome(first, claims)
        wrong = [one for one in claims if not there.holds.get(one, True)]
        if len(wrong) < len(there.holds) and wrong:
            repairs = self._repairs(first, there)
            mends = repairs.of(wrong[0])
            if any(one.fixes >= len(wrong) and not repairs.is_given(one) for one in mends):
                return first, there, " and ".join(deviations)
        return reading, outcome, ""

    def _turned_to_mend(
        self,
        claims: Sequence[Claim],
        reading: ListingReading,
        outcome: Outcome,
        first: ListingReading,
    ) -> tuple[ListingReading, Outcome]:
        """Return the likeliest reading again, where none makes anything hold."""
        return (
            (first, self.trial.outcome(first, claims))
            if reading is not first
            else (reading, outcome)
        )

    def _repairs(self, reading: ListingReading, outcome: Outcome) -> ListingRepairs:
        made = ListingRepairs(self.listing, self.body, self.found, self.trial, reading, outcome)
        made.spent = self._spent
        return made

    # ------------------------------------------------------------------ what is said of a claim

    def _finding(
        self,
        claim: Claim,
        reading: ListingReading,
        outcome: Outcome,
        first: ListingReading,
        repairs: ListingRepairs,
    ) -> _Finding | None:
        if claim.target[0] == "energy":
            return self._energy(claim, reading)
        if (claim.run, claim.group) in outcome.dead:
            return None
        if claim in outcome.open and not self._doubts.mends_more(claim, outcome, repairs):
            note = f"it holds where {outcome.open[claim]}, which nothing else in the code shows"
            return _Finding(claim, "not checked", note=note)
        if outcome.holds.get(claim):
            return self._holding(claim, reading, outcome, first)
        open_ = self._doubts.open(claim, reading)
        if open_:
            return _Finding(claim, "not checked", note=open_)
        before = outcome.carried.get(claim)
        note = self._doubts.unfounded(before or claim, reading, outcome, repairs)
        if before and not note:
            return _Finding(claim, "differs", _SEEN, carried=before)
        return (
            _Finding(claim, "not checked", note=note) if note else _Finding(claim, "differs", _SEEN)
        )

    def _holding(
        self, claim: Claim, reading: ListingReading, outcome: Outcome, first: ListingReading
    ) -> _Finding:
        """Return what is said of a claim that holds at a point: nothing free may absorb a sign."""
        unless = self._doubts.unproved(claim, reading, first, outcome)
        if unless:
            proof = "exact: at a random point of a prime field"
            return _Finding(claim, "differs", proof, unless=unless)
        if self._doubts.is_other_side(claim, outcome):
            return _Finding(claim, "differs", _SEEN, unless="it is meant with the opposite sign")
        return self._proved(claim, reading, outcome)

    def _proved(self, claim: Claim, reading: ListingReading, outcome: Outcome) -> _Finding:
        if self._proof is None:
            held = [one for one, holds in outcome.holds.items() if holds]
            self._proof = self._exactly(held, reading, outcome) or ""
        proof = self._proof or self._exactly([claim], reading, outcome)
        if proof is None:
            return _Finding(claim, "not checked", note="it is defined at too few points")
        return _Finding(claim, "holds", proof) if proof else _Finding(claim, "differs", _SEEN)

    def _exactly(
        self, claims: Sequence[Claim], reading: ListingReading, outcome: Outcome
    ) -> str | None:
        """Return the proof that claims hold; nothing where one does not, None where undecided."""
        graph = self.found.table.graph

        def difference(at: Domain[Any]) -> Iterator[Any]:
            derived = DerivedAtPoint(self.quantities, at, reading.given)
            worked = PointValues(graph, reading.meaning, derived.at)
            for one in claims:
                wanted = expected(one, derived, reading.frame, outcome)
                value = worked.value(one.cell)
                sign = outcome.signs[one.run, one.group]
                yield value - wanted if sign > 0 else value + wanted

        try:
            bound = max(entry.bound for entry in difference(Degrees()))
            comparison = agree(difference, bound)
        except UndecidedError:
            return None
        return comparison.proof if comparison.equal else ""

    # ------------------------------------------------------------------ energies

    def _energy(self, claim: Claim, reading: ListingReading) -> _Finding:
        open_ = self._doubts.open(claim, reading)
        if open_:
            return _Finding(claim, "not checked", note=open_)
        try:
            left = self._forms.left_of(self.found.table.graph, claim, reading)
        except (TooLargeError, FreebodyError, ZeroDivisionError) as error:
            return _Finding(
                claim, "not checked", note=f"its difference is not written out: {error}"
            )
        moving = {*self.quantities.equations.coordinates, *self.quantities.equations.speeds}
        if not left or self._is_constant(left, moving):
            note = "" if not left else "up to a constant: its zero is elsewhere"
            return _Finding(claim, "holds", "exact", note=note)
        return _Finding(claim, "differs", "exact", unless=self._elsewhere(claim, reading, moving))

    def _elsewhere(self, claim: Claim, reading: ListingReading, moving: set[sympy.Expr]) -> str:
        """Return the way to count coordinates with which an energy holds; nothing without one."""
        if claim.run in self._framed:
            return ""
        for frame in self.trial.frames[:FRAMES]:
            if frame is not reading.frame:
                with suppress(TooLargeError, FreebodyError, ZeroDivisionError):
                    if self._is_constant(
                        self._forms.left_of(
                            self.found.table.graph, claim, replace(reading, frame=frame)
                        ),
                        moving,
                    ):
                        return frame_words(frame, self.quantities)
        return ""

    def _is_constant(self, left: Form, moving: set[sympy.Expr]) -> bool:
        rates = [left.ring.partial(left, one) for one in moving]
        return all(is_zero(one).equal for one in rates)

    # ------------------------------------------------------------------ verdicts

    def _verdict(
        self,
        said: _Finding,
        reading: ListingReading,
        outcome: Outcome,
        repairs: ListingRepairs,
        unless: str,
    ) -> EquationVerdict:
        claim, listing = said.claim, self.listing
        line, column = listing.position(claim.span[0])
        place = f"{listing.place(claim.span[0])}, column {column}"
        verdict = EquationVerdict(
            self._label(claim), line, _excerpt(listing.text[slice(*claim.span)]), said.status,  # type: ignore[arg-type]
            proof=said.proof, note=said.note, place=place,
            readings=self._readings(claim, said, outcome),
            surprise="not as derived" if said.status == "differs" else "",
        )  # fmt: skip
        if said.status != "differs":
            return verdict
        if said.carried is not None:
            return replace(verdict, carried_from=self._label(said.carried))
        doubt = said.unless or unless
        if doubt:
            note = f"differs, or {doubt}: nothing else in the code tells which"
            verdict = replace(verdict, note=note)
        if said.unless:
            return verdict
        return self._with_causes(verdict, claim, reading, outcome, repairs)

    def _label(self, claim: Claim) -> str:
        return f"{claim.run}: {claim.label}" if claim.run else claim.label

    def _readings(self, claim: Claim, said: _Finding, outcome: Outcome) -> tuple[str, ...]:
        sign = outcome.signs.get((claim.run, claim.group), 1)
        if claim.run in outcome.rows and claim.group in (*VECTORS, "M"):
            own = outcome.rows[claim.run][claim.target[1]]
            message = " + ".join(
                f"{by}*({row})" if by != 1 else f"({row})" for row, by in enumerate(own, 1) if by
            )
            return (
                f"its equation {claim.target[1] + 1} is the sum {message} of those of the model",
            )
        side = f"{claim.group} stands on the other side: with the opposite sign"
        return (side,) if sign < 0 and said.status in ("holds", "differs") else ()

    def _with_causes(
        self,
        verdict: EquationVerdict,
        claim: Claim,
        reading: ListingReading,
        outcome: Outcome,
        repairs: ListingRepairs,
    ) -> EquationVerdict:
        mends = repairs.of(claim)
        differences = tuple(self._differences(claim, reading, outcome))
        if not mends:
            return replace(verdict, differences=differences, search=repairs.note)
        first = mends[0]
        self._mends.append(first)
        statement = repairs.statement(first)
        line, column = self.listing.position(first.edit.span[0])
        shown = tuple(
            _shifted(one, statement) for one in mends if repairs.statement(one) == statement
        )
        text = self.listing.text[slice(*statement)]
        return replace(
            verdict,
            line=line,
            place=f"{self.listing.place(first.edit.span[0])}, column {column}",
            latex=text,
            differences=differences,
            repairs=tuple(
                Repair(one.applied(text, statement[0]), (edit,))
                for one, edit in zip(_of(mends, repairs, statement), shown, strict=True)
            ),
            diff=first.diff(self.listing),
        )

    def _differences(
        self, claim: Claim, reading: ListingReading, outcome: Outcome
    ) -> Iterator[Difference]:
        """Iterate over the terms by which a claim differs, where they are few."""
        sign = outcome.signs.get((claim.run, claim.group), 1)
        ring = self.quantities.ring
        try:
            with ring.budget.work():
                (form,) = written_out(self.found.table.graph, reading.meaning, ring, [claim.cell])
                wanted = self._forms.wanted(claim, reading, outcome)
                wanted = wanted if sign > 0 else -wanted
                pair = ring.multiplied_out([form, wanted])
                yield from differing_terms(pair[0], pair[1], self.quantities)
        except (TooLargeError, FreebodyError, ZeroDivisionError, RecursionError):
            return

    def _tell_reading(self, one: Run, reading: ListingReading, claims: Sequence[Claim]) -> None:
        where = f"{one.name}: " if one.name else ""
        if reading.frame is not self.trial.frames[0]:
            self._remarks[f"{where}{frame_words(reading.frame, self.quantities)}"] = None
        names = self.quantities.mechanism.names
        for atom, value in reading.given.items():
            message = f"is not in the code: taken as {'zero' if value == 0 else value}"
            self._remarks[f"{where}{names.plain(atom)} {message}"] = None
        for leaf in self.trial.leaves(claims):
            self._tell_leaf(leaf, reading, where)

    def _tell_leaf(self, leaf: Leaf, reading: ListingReading, where: str) -> None:
        role = reading.roles.get(leaf.path)
        if role is None:
            return
        name = called(leaf)
        if name.strip("_") != role.text and role.cost > 0:
            self._remarks[f"{where}{name} is read as {role.text}"] = None
        if leaf.number is None or role.expr.is_number:
            return
        number = self.found.table.graph.rational(leaf.number)
        values = self.quantities.mechanism.names.values()
        own = values.get(role.text)
        if number is not None and own is not None and abs(float(number) - own) > 1e-9 * abs(own):
            self._remarks[
                f"{name} = {float(number):g} in the code, {own:g} in the model: not judged"
            ] = None


_SEEN = "exact: differs at a random point of a field of 2**61 elements"


def _of(mends: Sequence[Mend], repairs: ListingRepairs, statement: tuple[int, int]) -> list[Mend]:
    return [one for one in mends if repairs.statement(one) == statement]


def _shifted(mend: Mend, statement: tuple[int, int]) -> Any:
    start, stop = mend.edit.span
    return replace(mend.edit, span=(start - statement[0], stop - statement[0]))


def _excerpt(text: str) -> str:
    """Return a text, or its first line where it is a whole function."""
    return text if len(text) < LONG else text.split("\n", 1)[0]
