"""Why of a claim it is not to be said that it holds, or that it differs."""

from __future__ import annotations

from collections.abc import Sequence

from freebody.checking.code.claim import Claim
from freebody.checking.code.readings import ListingReading, Outcome
from freebody.checking.code.reference import Frame
from freebody.checking.code.repair import ListingRepairs
from freebody.checking.code.roles import NAMED
from freebody.checking.code.trial import Trial
from freebody.checking.quantities.derived import Quantities
from freebody.code.values import UNDECIDED, Leaf
from freebody.code.working import Run

FEW = 3
"""Of how many claims it is tried to mend them, where none holds."""
NOWHERE = "no place of the model is there, along any axes"
UNFOUNDED = (
    "nothing of it is as derived, as it is read: its state, its names or its model may be others "
    "(see front matter)"
)
ReadRun = tuple[Run, list[Claim], ListingReading, Outcome, ListingReading, str]


class Doubts:
    """What speaks against a verdict on the claims of a listing.

    Parameters
    ----------
    trial : Trial
    read : list of ReadRun
        How its functions are read: it grows as they are.
    """

    def __init__(self, trial: Trial, read: list[ReadRun]) -> None:
        self.trial, self._read = trial, read

    def unfounded(
        self, claim: Claim, reading: ListingReading, outcome: Outcome, repairs: ListingRepairs
    ) -> str:
        """Return why it is not to be said that a claim differs; nothing where it is."""
        if claim in outcome.unknown and not repairs.of(claim):
            return NOWHERE
        if not self._is_founded(claim, reading, outcome, repairs):
            return UNFOUNDED
        doubtful = self._guessed_inputs(claim, reading, outcome)
        if not doubtful and not repairs.of(claim):
            doubtful = self._doubtful(claim, reading)
        if doubtful:
            return f"'{called(doubtful[0])}': not known what it stands for in the model"
        return ""

    def _guessed_inputs(
        self, claim: Claim, reading: ListingReading, outcome: Outcome
    ) -> list[Leaf]:
        """Return what is only guessed to be one of several inputs, and in nothing that holds."""
        if len(self.trial.roles.inputs) < 2:
            return []
        held = self.trial.leaves([one for one, holds in outcome.holds.items() if holds])
        return [
            leaf
            for leaf in self.trial.leaves([claim])
            if (role := reading.roles.get(leaf.path))
            and role.text in self.trial.roles.inputs
            and role.cost > NAMED
            and leaf not in held
        ]

    def _doubtful(self, claim: Claim, reading: ListingReading) -> list[Leaf]:
        """Return what something else is called for, or what is a number where the model has none.

        The second may be a constant of the model that nothing in the code stands for.
        """
        named = {role.text: path for path, role in reading.roles.items() if role.cost <= NAMED}
        lacks = bool(self.trial.absent(reading))
        out = []
        for leaf in self.trial.leaves([claim]):
            role = reading.roles.get(leaf.path)
            if role is None or not leaf.names:
                continue
            is_taken = role.cost > NAMED and named.get(role.text, leaf.path) != leaf.path
            if is_taken or (lacks and leaf.number is not None and role.expr.is_number):
                out.append(leaf)
        return out

    def mends_more(self, claim: Claim, outcome: Outcome, repairs: ListingRepairs) -> bool:
        """Return whether one change of the code mends a claim that is open, and others with it."""
        return not outcome.holds[claim] and any(one.fixes > 1 for one in repairs.of(claim))

    def _is_founded(
        self, claim: Claim, reading: ListingReading, outcome: Outcome, repairs: ListingRepairs
    ) -> bool:
        """Return whether a claim, or another than the rate of a coordinate, holds or is mended."""
        others = [one for one in outcome.holds if one.target[0] != "rate" and one.run == claim.run]
        tried = [claim, *others[:FEW]]
        if any(outcome.holds[one] for one in others) or self._is_founded_elsewhere(claim, reading):
            return True
        return any(map(repairs.of, tried))

    def _is_founded_elsewhere(self, claim: Claim, reading: ListingReading) -> bool:
        """Return whether other functions that hold show what names mean, and the rest say it."""
        if not claim.is_final or claim.target[0] == "rate":
            return False
        proved = set[tuple[str, str]]()
        for one, _, other, outcome, *_ in self._read:
            held = [each for each, holds in outcome.holds.items() if holds]
            held = [each for each in held if each.target[0] not in ("rate", "seen", "linear")]
            if one.name != claim.run and other.frame is reading.frame and len(held) > 1:
                proved |= self._meanings(held, other)
        own = self._meanings([claim], reading)
        named = {text for _, text in own & proved}
        return bool(named) and all(
            role.cost <= NAMED
            for leaf in self.trial.leaves([claim])
            if (role := reading.roles.get(leaf.path)) and role.text not in named
        )

    def _meanings(self, claims: Sequence[Claim], reading: ListingReading) -> set[tuple[str, str]]:
        """Return what the names that claims are made of stand for, without what moves."""
        paths = (leaf.path for leaf in self.trial.leaves(claims))
        return {
            (path.rsplit(":", 1)[-1], reading.roles[path].text if path in reading.roles else "?")
            for path in paths
            if path not in reading.state.moving
        }

    def open(self, claim: Claim, reading: ListingReading) -> str:
        """Return why a claim cannot be judged: what it is made of is not known."""
        leaves = [one for one in self.trial.leaves([claim]) if self._is_open(one, reading)]
        opaque = [one for one in leaves if one.reason]
        if opaque:
            place = self.trial.listing.place(opaque[0].span[0])
            return f"not followed, {place}: {opaque[0].reason}"
        if leaves:
            names = ", ".join(f"'{called(one)}'" for one in leaves)
            return f"{names}: not known what it stands for in the model"
        return ""

    def _is_open(self, leaf: Leaf, reading: ListingReading) -> bool:
        """Return whether it is not known what a leaf is; one of two values may be an input."""
        if leaf.path in reading.state.moving:
            return False
        return leaf.path not in reading.roles or (bool(leaf.reason) and leaf.reason != UNDECIDED)

    def unproved(
        self, claim: Claim, reading: ListingReading, first: ListingReading, outcome: Outcome
    ) -> str:
        """Return the convention with which alone a claim holds, if nothing else speaks for it."""
        if reading is first or claim.target[0] == "rate":
            return ""
        deviations = self.deviations(reading, first)
        if not deviations:
            return ""
        at_first = self.trial.outcome(first, list(outcome.holds))
        if at_first.holds.get(claim):
            return ""
        cells = {claim.cell, -claim.cell}
        others = [
            one
            for one, holds in outcome.holds.items()
            if holds
            and one.cell not in cells
            and one.target != claim.target
            and not (at_first.holds.get(one) and _side(one, at_first) == _side(one, outcome))
        ]
        return "" if any(one.target[0] != "rate" for one in others) else " and ".join(deviations)

    def is_other_side(self, claim: Claim, outcome: Outcome) -> bool:
        """Return whether nothing but itself shows that a mass matrix is meant with a minus."""
        if claim.group != "M" or outcome.signs.get((claim.run, "M"), 1) > 0 or claim.is_declared:
            return False
        if claim.run in outcome.rows:
            return False
        groups: dict[str, list[bool]] = {}
        for one, holds in outcome.holds.items():
            if one.run == claim.run and one.group != "M" and one.target[0] != "rate":
                groups.setdefault(one.group, []).append(holds)
        return not any(map(all, groups.values()))

    def deviations(self, reading: ListingReading, first: ListingReading) -> list[str]:
        """Return in what a reading is another than the likeliest, and not named in the code."""
        out = []
        if reading.frame is not first.frame:
            out.append(frame_words(reading.frame, self.trial.quantities))
        for path, role in reading.roles.items():
            before = first.roles.get(path)
            if before and before.text != role.text and role.cost - before.cost > 0.35:
                out.append(f"{called(self.trial.found.table.leaves[path])} is {role.text}")
        units = [
            one for one, value in reading.given.items() if value == 1 and one not in first.given
        ]
        if units:
            out.append(f"{', '.join(map(str, units))} are 1")
        return out


def _side(claim: Claim, outcome: Outcome) -> int:
    """Return on which side a claim is meant."""
    return outcome.signs.get((claim.run, claim.group), 1)


def called(leaf: Leaf) -> str:
    """Return what a leaf is called in the code."""
    path = leaf.path.rsplit(":", 1)[-1]
    return leaf.names[-1] if leaf.names else path.split("@")[0]


def frame_words(frame: Frame, quantities: Quantities) -> str:
    """Return how a frame counts coordinates, for people."""
    names = quantities.mechanism.names
    pairs = zip(frame.coordinates, quantities.equations.coordinates, strict=True)
    changes = [
        f"{names.plain(value)} for {names.plain(own)}" for value, own in pairs if value != own
    ]
    return f"its coordinates are {', '.join(changes)}"
