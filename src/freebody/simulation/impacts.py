"""Impacts in numbers: what closes at a state, the speeds after it, and what then stays closed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from freebody.arrays import Array
from freebody.errors import SimulationError
from freebody.mechanics.closed_impacts import impact_places, with_closed
from freebody.model.impacts import Catch
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.events import Event, Events

NEAR = 1e-9
"""Below this part of the lengths of the model, what touches is closed."""
APART = 1e-6
"""Above this part of the lengths, two places that are to be caught do not meet."""
STILL = 1e-10
"""Below this part of the speeds before it, what is closed does not part after an impact."""
BRIEF = 1e-5
"""In s: what rebounds for a shorter time comes to rest."""

Names = frozenset[str]


@dataclass(frozen=True)
class ImpactEvent:
    """What happened in an instant.

    Attributes
    ----------
    name : str
        Of the impact.
    time : float
        In s.
    what : {"rebounds", "meets", "stays", "rests", "leaves"}
        What came of it: it parts again; does not part at once; is closed from then on; parts ever
        more briefly, and is taken to be closed; or lets go, since it would have to be pulled.
    impulses : dict of str to float
        By the names of its equations; none where it leaves.
    energy_lost : float
        Kinetic energy, in J, by all that closed in the same instant.
    """

    name: str
    time: float
    what: str
    impulses: dict[str, float]
    energy_lost: float


@dataclass(frozen=True)
class Strike:
    """What an impact does to a state.

    Attributes
    ----------
    speeds : array, shape (n,)
        After it.
    energy_lost : float
        In J.
    closed : frozenset of str
        What was closed, stays or comes to rest.
    events : list of ImpactEvent
    """

    speeds: Array
    energy_lost: float
    closed: Names
    events: list[ImpactEvent]


@dataclass(frozen=True)
class _ImpactState:
    """The equations of all impacts at a state, and what resists."""

    gap: Array
    rate: Array
    gamma: Array
    restitution: Array
    J: Array
    held: Array
    M: Array


class ImpactSolver:
    """The impacts of a mechanism.

    Parameters
    ----------
    dynamics : Dynamics
        Of the mechanism while nothing but its constraints is closed.

    Attributes
    ----------
    reach : float
        How far from the origin of the ground points that touch are at first, in m.

    References
    ----------
    Pfeiffer and Glocker, Multibody Dynamics with Unilateral Contacts, 1996: Newton's law of impact,
    and which of several contacts take part.
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.mechanism = dynamics, dynamics.mechanism
        self.impacts = {impact.name: impact for impact in self.mechanism.impacts}
        self._rows = impact_places(self.mechanism)
        self._modes: dict[Names, Dynamics] = {frozenset(): dynamics}
        self.reach = self._reach_at_first()
        self._guards: dict[str, Events] = {}

    def _reach_at_first(self) -> float:
        given = {"t": 0.0, "q": self.dynamics.setup.state[: self.dynamics.n]}
        names = [name for name in self.impacts if name in self.mechanism.places]
        places = (self.dynamics.evaluated(f"position.{name}", given) for name in names)
        return max((float(np.abs(place).max()) for place in places), default=1.0) or 1.0

    # ------------------------------------------------------------------ what is closed

    def mode(self, closed: Names, t: float, q: Array, u: Array) -> Dynamics:
        """Return what moves while some impacts stay closed.

        Parameters
        ----------
        closed : frozenset of str
        t : float
            In s.
        q, u : array, shape (n,)
            A state at which they are.
        """
        if closed not in self._modes:
            state = self._at(t, q, u)
            moving = with_closed(self.mechanism, closed, state.J, state.held)
            self._modes[closed] = self.dynamics.with_mechanism(moving)
        return self._modes[closed]

    def settled(self, t: float, q: Array, u: Array, closed: Names) -> Names:
        """Return what stays closed after a state: what is, does not part, and need not be pulled.

        Parameters
        ----------
        t : float
            In s.
        q, u : array, shape (n,)
            Coordinates, and speeds after an impact.
        closed : frozenset of str
            What stays in any case, and what was closed.
        """
        state = self._at(t, q, u)
        bound = _still(u)
        candidates = {
            name
            for name, impact in self.impacts.items()
            if impact.pushes
            and self._touches(name, state)
            and abs(state.rate[self._rows[name][0]]) <= bound
            and (name in closed or self.allowed(name, t, q, u))
        }
        kept = {name for name in closed if not self.impacts[name].pushes}
        while candidates:
            forces = self._forces(frozenset(candidates | kept), t, q, u)
            pulled = {name: forces[name] for name in candidates if forces[name] < 0}
            if not pulled:
                break
            candidates.remove(min(pulled, key=lambda name: pulled[name]))
        return frozenset(candidates | kept)

    def _forces(self, closed: Names, t: float, q: Array, u: Array) -> dict[str, float]:
        """Return the force of the first equation of each impact that is closed."""
        mode = self.mode(closed, t, q, u)
        values = mode.rates(t, q, u).multipliers
        labels = [str(symbol.func) for symbol in mode.mechanism.multipliers]
        return {
            name: float(values[labels.index(str(self.impacts[name].impulses[0].func))])
            for name in closed
        }

    def closing(self, t: float, q: Array, u: Array) -> list[str]:
        """Return what closes at a state at once: what touches and approaches."""
        state = self._at(t, q, u)
        bound = _still(u)
        return [
            name
            for name, impact in self.impacts.items()
            if impact.pushes
            and self._touches(name, state)
            and state.rate[self._rows[name][0]] < -bound
            and self.allowed(name, t, q, u)
        ]

    def parting(self, t: float, q: Array, u: Array, closed: Names) -> Names:
        """Return what has just opened at a state."""
        state = self._at(t, q, u)
        return frozenset(
            name
            for name, impact in self.impacts.items()
            if impact.pushes and name not in closed and self._touches(name, state)
        )

    def brief(self, t: float, q: Array, u: Array, closed: Names) -> dict[str, float]:
        """Return about how long it takes until what has just parted closes again, in s.

        Parameters
        ----------
        t : float
            In s.
        q, u : array, shape (n,)
        closed : frozenset of str
            What is closed meanwhile.
        """
        state, times = self._at(t, q, u), dict[str, float]()
        parted = [name for name in self.parting(t, q, u, closed) if self._rate(name, state) > 0]
        if not parted:
            return times
        change = self.mode(closed, t, q, u).rates(t, q, u).accelerations
        for name in parted:
            row = self._rows[name][0]
            opening = float(state.J[row] @ change + state.gamma[row])
            if self._rate(name, state) > _still(u) and opening < 0:
                times[name] = -2 * self._rate(name, state) / opening
        return times

    def expect_parting(self, name: str, t: float, q: Array, u: Array, closed: Names) -> None:
        """See that what lets go parts, and is not pressed on as soon as nothing holds it sideways.

        Raises
        ------
        SimulationError
            If it is.
        """
        state = self._at(t, q, u)
        change = self.mode(closed, t, q, u).rates(t, q, u).accelerations
        row = self._rows[name][0]
        parts = np.append(state.J[row] * change, state.gamma[row])
        if float(parts.sum()) < -STILL * float(np.abs(parts).max()):
            raise SimulationError(
                f"impact '{name}' would have to be pulled at t = {t:.6g} s so as not to slip, but "
                "is pressed on where it slips: no 'rough' surface does what follows; expected "
                "none, or a contact with a friction"
            )

    def stilled(self, names: Names, t: float, q: Array, u: Array, closed: Names) -> Array:
        """Return the nearest speeds at which some impacts do not part.

        Parameters
        ----------
        names : frozenset of str
        t : float
            In s.
        q, u : array, shape (n,)
        closed : frozenset of str
            What is closed as well.
        """
        state = self._at(t, q, u)
        places = [place for name in sorted(names | closed) for place in self._rows[name]]
        J = np.vstack([state.J[places], state.held])
        yielding = np.linalg.solve(state.M, J.T)
        off = np.concatenate([state.rate[places], np.zeros(len(state.held))])
        change: Array = yielding @ np.linalg.lstsq(J @ yielding, off, rcond=NEAR)[0]
        return u - change

    def energy(self, t: float, q: Array, u: Array) -> float:
        """Return the kinetic energy that the speeds have, in J."""
        return 0.5 * float(u @ self._at(t, q, u).M @ u)

    def _rate(self, name: str, state: _ImpactState) -> float:
        return float(state.rate[self._rows[name][0]])

    def expect_open(self, t: float, q: Array, u: Array, closed: Names) -> None:
        """See that no impact was passed over.

        Raises
        ------
        SimulationError
            If one was.
        """
        state = self._at(t, q, u)
        for name, impact in self.impacts.items():
            gap = float(state.gap[self._rows[name][0]])
            passed = impact.pushes and name not in closed and impact.entry.only is None
            if passed and gap < -APART * self.reach:
                raise SimulationError(
                    f"impact '{name}' was passed over before t = {t:.6g} s, where it is "
                    f"{-gap:.3g} beyond closed: expected an initial state in which it is open, or "
                    "a shorter motion"
                )

    # ------------------------------------------------------------------ an impact

    def struck(self, names: Iterable[str], t: float, q: Array, u: Array, closed: Names) -> Strike:
        """Return what an impact does.

        Parameters
        ----------
        names : iterable of str
            What closes.
        t : float
            In s.
        q, u : array, shape (n,)
            The state before it.
        closed : frozenset of str
            What was closed before.

        Raises
        ------
        SimulationError
            If places do not meet that are to be caught, or no impulses obey the laws.
        """
        state = self._at(t, q, u)
        closing = {name for name in names if self._closes(name, state, u)}
        for name in closing:
            self._expect_meeting(name, t, state)
        after, forces, active = self._solved(state, u, closing, closed)
        lost = 0.5 * float(u @ state.M @ u - after @ state.M @ after)
        stays = {
            name
            for name in closing
            if isinstance(entry := self.impacts[name].entry, Catch) and entry.stays
        }
        kept = (closed & active) | stays
        events = [
            ImpactEvent(
                name,
                t,
                self._outcome(name, stays, state, after - u),
                forces[name],
                lost,
            )
            for name in sorted(active - closed)
        ]
        left = [ImpactEvent(name, t, "leaves", {}, 0.0) for name in sorted(closed - active)]
        return Strike(after, lost, frozenset(kept), [*events, *left])

    def _outcome(self, name: str, closed: set[str], state: _ImpactState, change: Array) -> str:
        if name in closed:
            return "stays"
        row = self._rows[name][0]
        parting = state.rate[row] + state.J[row] @ change
        return "rebounds" if abs(parting) > STILL * abs(state.rate[row]) else "meets"

    def _solved(
        self, state: _ImpactState, u: Array, closing: set[str], closed: Names
    ) -> tuple[Array, dict[str, dict[str, float]], set[str]]:
        """Return speeds, impulses and what took part, by the laws of those that only push."""
        active, grazing = closing | closed, set[str]()
        for _ in range(4 * len(self.impacts) + 4):
            after, forces = self._with(state, u, active, grazing)
            size = max((abs(part) for one in forces.values() for part in one.values()), default=0.0)
            pulled = {
                name: first
                for name in active
                if self.impacts[name].pushes
                and (first := next(iter(forces[name].values()))) < -STILL * size
            }
            if pulled:
                worst = min(pulled, key=lambda name: pulled[name])
                if worst in closing and len(self._rows[worst]) > 1:
                    grazing.add(worst)  # which does not slip, and parts
                else:
                    active = active - {worst}
                continue
            rates = state.rate + state.J @ (after - u)
            bound = _still(u)
            entering = {
                name
                for name, impact in self.impacts.items()
                if name not in active
                and impact.pushes
                and (name in closed or self._touches(name, state))
                and rates[self._rows[name][0]] < -bound
            }
            if not entering:
                return after, forces, active
            active = active | entering
        raise SimulationError(
            f"the impacts of {', '.join(sorted(active))} in one instant do not decide the speeds "
            "after it: expected them one after another"
        )

    def _with(
        self, state: _ImpactState, u: Array, active: set[str], grazing: set[str]
    ) -> tuple[Array, dict[str, dict[str, float]]]:
        """Return speeds and impulses where some impacts take part, some but for their normal."""
        names = sorted(active)
        rows = {name: self._rows[name][name in grazing :] for name in names}
        places = [place for name in names for place in rows[name]]
        J = np.vstack([state.J[places], state.held])
        closing = -(1 + state.restitution[places]) * state.rate[places]
        right = np.concatenate([closing, np.zeros(len(state.held))])
        yielding = np.linalg.solve(state.M, J.T)
        impulses = np.linalg.lstsq(J @ yielding, right, rcond=NEAR)[0]
        found = dict(zip(places, impulses.tolist(), strict=False))
        by_name = {
            name: {
                str(symbol.func): found.get(place, 0.0)
                for place, symbol in zip(self._rows[name], self.impacts[name].impulses, strict=True)
            }
            for name in names
        }
        return u + yielding @ impulses, by_name

    # ------------------------------------------------------------------ at a state

    def _at(self, t: float, q: Array, u: Array) -> _ImpactState:
        given = {"t": float(t), "q": q, "u": u}
        gap, rate, gamma, restitution = self.dynamics.evaluated("impact_gaps", given)
        J, M = (self.dynamics.evaluated(name, given) for name in ("impact_matrix", "mass_matrix"))
        held = np.zeros((0, len(u)))
        if self.dynamics.m:
            held = self.dynamics.constraints.independent(
                self.dynamics.evaluated("constraint_matrix", given)
            )
        return _ImpactState(gap, rate, gamma, restitution, J, held, M)

    def _touches(self, name: str, state: _ImpactState) -> bool:
        return abs(float(state.gap[self._rows[name][0]])) <= NEAR * self.reach

    def _closes(self, name: str, state: _ImpactState, u: Array) -> bool:
        return not self.impacts[name].pushes or self._rate(name, state) < -_still(u)

    def _expect_meeting(self, name: str, t: float, state: _ImpactState) -> None:
        off = float(np.abs(state.gap[self._rows[name]]).max())
        if isinstance(self.impacts[name].entry, Catch) and off > APART * self.reach:
            raise SimulationError(
                f"impact '{name}': at t = {t:.6g} s the two places are {off:.3g} m apart: expected "
                "them to meet in the event 'when'"
            )

    def allowed(self, name: str, t: float, q: Array, u: Array) -> bool:
        """Return whether an impact may happen at a state, by its ``only``."""
        only = self.impacts[name].entry.only
        if only is None:
            return True
        if name not in self._guards:
            self._guards[name] = Events(self.dynamics, [Event(f"{only} > 0")])
        return bool(self._guards[name].values(t, np.concatenate([q, u]))[0] > 0)


def _still(u: Array) -> float:
    """Return the speed below which what is closed stays so."""
    return STILL * max(1.0, float(np.abs(u).max(initial=0.0)))
