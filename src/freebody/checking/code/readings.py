"""How a listing is read, and how its claims come out: what each of its names stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy

from freebody.checking.code.claim import Claim
from freebody.checking.code.reference import Frame, Target
from freebody.checking.code.roles import Role
from freebody.checking.code.states import State

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ListingReading:
    """What the leaves of a listing stand for.

    Attributes
    ----------
    frame : Frame
        How coordinates are counted.
    state : State
    roles : mapping of str to Role
        By the paths of leaves.
    given : mapping of sympy.Expr to sympy.Expr
        What quantities of the model are taken to be: the inputs that the code lacks are zero.
    cost : float
    lacking : frozenset of sympy.Expr
        The inputs and loads that the code lacks.
    """

    frame: Frame
    state: State
    roles: Mapping[str, Role]
    given: Mapping[sympy.Expr, sympy.Expr]
    cost: float = 0.0
    lacking: frozenset[sympy.Expr] = frozenset()

    def meaning(self, path: str) -> sympy.Expr:
        """Return what a leaf stands for."""
        if path in self.state.moving:
            order, place = self.state.moving[path]
            frame = self.frame
            return (frame.coordinates, frame.speeds, frame.accelerations)[order][place]
        role = self.roles.get(path)
        return role.expr if role else sympy.Symbol(f"code {path}", real=True)


@dataclass
class Outcome:
    """How claims come out under a reading.

    Attributes
    ----------
    holds : dict of Claim to bool
        As they are written.
    carried : dict of Claim to Claim
        Those that hold when an earlier one is mended.
    signs : dict of str to int
        On which side vectors are meant, by group.
    dead : set of str
        Groups of which nothing is as derived.
    rows : mapping of str to Rows
        Of functions whose equations are sums of those of the model: how often each is in each.
    meant : dict of Claim to Target
        What positions, Jacobians and linear models should be, by what fits most of them.
    unknown : set of Claim
        Those of which nothing fits.
    open : dict of Claim to str
        Those that hold as nothing else in the code shows, and how.
    notes : list of str
        What was taken for these.
    runs : frozenset of str
        The functions whose claims were asked for.
    """

    holds: dict[Claim, bool] = field(default_factory=dict)
    carried: dict[Claim, Claim] = field(default_factory=dict)
    signs: dict[tuple[str, str], int] = field(default_factory=dict)
    dead: set[tuple[str, str]] = field(default_factory=set)
    rows: Mapping[str, Rows] = field(default_factory=dict)
    meant: dict[Claim, Target] = field(default_factory=dict)
    unknown: set[Claim] = field(default_factory=set)
    open: dict[Claim, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    runs: frozenset[str] = frozenset()

    @property
    def rank(self) -> tuple[int, int, int]:
        """How many claims hold as they are written, how many in all, and on the side they should.

        The last is less, the more groups are meant with the opposite sign.
        """
        return sum(self.holds.values()), self.count, -self.turned

    @property
    def turned(self) -> int:
        """How many groups are meant with the opposite sign."""
        return sum(sign < 0 for sign in self.signs.values())

    @property
    def count(self) -> int:
        """How many claims hold, or do but for what they carry on."""
        return sum(self.holds.values()) + len(self.carried)
