"""What follows from the quantities of a page, as an author derives one from another.

Velocities are the rates of positions, energies are made of velocities, reactions give bodies what
they need to move so, and the equations of motion follow from the energies, or from the balances.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.checking.causes.page_values import PageMotion, PageStatement, PageValues
from freebody.checking.grid import Grid, MeaningError, stacked
from freebody.checking.quantities.derived import Quantities
from freebody.checking.quantities.elimination import eliminate
from freebody.mechanics.equations import Blocks
from freebody.mechanics.parts import AXES, Triple

HALF = QQ(1, 2)
BEFORE: Mapping[str, str] = {
    "velocity": "position",
    "acceleration": "velocity",
    "angular_velocity": "angle",
    "angular_acceleration": "angular_velocity",
}
"""Of what a quantity is the rate."""
RATES: Mapping[str, str] = {"jacobian": "velocity", "angular_jacobian": "angular_velocity"}
"""What the entries of a Jacobian are derivatives of, by the speeds."""


class PropagatedQuantities(PageValues):
    """The quantities of a page with all that follows from what it states.

    Parameters
    ----------
    quantities : Quantities
        What is derived.
    stated : iterable of PageStatement or PageMotion
        What the page says, in order; of a quantity the last counts.
    by_balances : bool
        Whether the equations of motion follow from forces, rather than from energies.
    """

    def __init__(
        self,
        quantities: Quantities,
        stated: Iterable[PageStatement | PageMotion],
        *,
        by_balances: bool = False,
    ) -> None:
        super().__init__(quantities, stated)
        self.by_balances = by_balances

    def _following(self, atom: sympy.Expr) -> Form | None:
        """Return what a quantity is that follows from others."""
        if atom not in self.quantities.derived:
            return None
        name, _, inside = atom.name.partition("[")
        family, *rest = name.split(".")
        indices = [int(part) - 1 for part in inside.rstrip("]").split(",") if part]
        if family in BEFORE:
            former = self._rate_of_former(family, rest)
            return self._by_jacobian(atom, family, rest) if former is None else former
        off: Form | None = None
        match family, rest, indices:
            case (("jacobian" | "angular_jacobian"), [place], _):
                off = self._jacobian_off(family, place, *self.quantities.place_of(atom)[1])
            case "energy", [kind], _:
                off = self._energy_off(kind)
            case "reaction", [joint, part, axis], _:
                off = self._wrench_off(joint, part, axis)
            case "resultant", [body, part, axis], _:
                off = self._needed(body)[part == "moment"].parts[AXES.index(axis)]
            case "linear_momentum", [body, axis], _:
                off = self._mass(body) * self._off("velocity", body, axis)
            case "linear", [which], _:
                return self._linear(which, *self.quantities.place_of(atom)[1])
            case (("M" | "inverse" | "det" | "C" | "G" | "gravity" | "coriolis"), _, _):
                return self._block(family, indices)
        return None if off is None or not off else self.quantities.derived[atom] + off

    def _rate_of_former(self, family: str, rest: list[str]) -> Form | None:
        """Return the rate of what the page has for a position, a velocity or an angle."""
        path = rest[:-1] if BEFORE[family] == "angle" else rest
        if len(rest) != 2 or (BEFORE[family] == "angle" and rest[-1] != "z"):
            return None
        former = self._atom(BEFORE[family], *path)
        value = None if former is None else self.value(former)
        return None if value is None else self.quantities.rate(value)

    def _jacobian_off(self, family: str, place: str, i: int, j: int) -> Form:
        """Return by how much an entry is off, by a position or by the velocity that is stated."""
        if family == "jacobian":
            place_off = self._off("position", place, AXES[i])
            if place_off:
                return self.quantities.partial(place_off, self.mechanism.coordinates[j])
        velocity = self._atom(RATES[family], place, AXES[i])
        if velocity not in self.atoms or self.mechanism.model.speeds:
            return self.ring.zero
        return self.quantities.partial(self._change(velocity), self.mechanism.speeds[j])

    def _by_jacobian(self, atom: sympy.Expr, family: str, rest: list[str]) -> Form | None:
        """Return a velocity that is the page's Jacobian times the rates."""
        name = next((name for name, rate in RATES.items() if rate == family), None)
        if name is None or len(rest) != 2 or self.mechanism.model.speeds:
            return None
        place, row = rest[0], str(AXES.index(rest[1]) + 1)
        total = self.quantities.derived[atom]
        for column, rate in enumerate(self.mechanism.speeds, 1):
            entry = self._atom(name, place, row, str(column))
            if entry in self.atoms:
                total = total + self._change(entry) * self.ring.symbol(rate)
        return total

    def _block(self, family: str, indices: list[int]) -> Form | None:
        match family, indices:
            case "M", [i, j]:
                return self._inertia(i, j)
            case "C", [i]:
                return self.blocks.C[i] + self._centrifugal[i]
            case (("G" | "gravity"), [i]):
                return self.blocks.G[i] - self._slope(self._still(self._lagrangian_off), i)
            case "coriolis", [i, j]:
                atom = self._atom("coriolis", str(i + 1), str(j + 1))
                return self.quantities.derived[atom] + self._christoffel(i, j)
            case "inverse", [i, j]:
                return Grid.made(self._matrix()).inverse().rows[i][j]
            case "det", _:
                return self._determinant(self._matrix())
        return None

    def _determinant(self, rows: list[list[Form]]) -> Form:
        first, *below = rows
        if not below:
            return first[0]
        minors = ([row[:j] + row[j + 1 :] for row in below] for j in range(len(first)))
        signed = ((-1) ** j * QQ(1) for j in range(len(first)))
        return self.ring.sum(
            (entry * self._determinant(minor)).scaled(sign)
            for entry, minor, sign in zip(first, minors, signed, strict=True)
        )

    # ------------------------------------------------------------------ energies

    @cached_property
    def blocks(self) -> Blocks:
        """The equations of motion as derived."""
        return self.quantities.equations.blocks

    def _mass(self, body: str) -> Form:
        return self.ring.form(self.mechanism.masses[body].mass)

    def _energy_off(self, kind: str) -> Form:
        match kind:
            case "kinetic":
                return self._kinetic_off
            case "potential":
                return self._potential_off
            case "lagrangian":
                return self._off("energy", "kinetic") - self._off("energy", "potential")
            case "total":
                return self._off("energy", "kinetic") + self._off("energy", "potential")
        return self.ring.zero

    @cached_property
    def _kinetic_off(self) -> Form:
        """By how much the kinetic energy is off that is made of the velocities of the page."""
        bodies = self.mechanism.masses
        return self.ring.sum(self._kinetic_off_of(body) for body in bodies)

    def _kinetic_off_of(self, body: str) -> Form:
        motion, mass = self.quantities.equations.motion, self.mechanism.masses[body]
        velocity = motion.velocity(body)
        moved = velocity + self._triple_off("velocity", body)
        square = self._square_of(velocity.dot(velocity))
        double = (moved.dot(moved) if square is None else square) - velocity.dot(velocity)
        double = double * self._mass(body)
        if mass.inertia is not None:
            carrier = motion.frame_states[body]
            turned = carrier.omega + self._triple_off("angular_velocity", body)
            for omega, sign in ((turned, 1), (carrier.omega, -1)):
                spin = omega.dot(motion.turned_by(mass.inertia, carrier, omega))
                double = double + spin.scaled(QQ(sign))
        return double.scaled(HALF)

    def _square_of(self, square: Form) -> Form | None:
        """Return what the page has for the square of a speed, where it has a symbol for it."""
        for key, statement in self.keys.items():
            value, form = self._of_key(key), self._below(statement.symbols.value(key[0]).form)
            for power in (1, 2) if value is not None else ():
                if value is not None and not form**power - square:
                    return value**power
        return None

    def _triple_off(self, family: str, place: str) -> Triple:
        return Triple.made(self._off(family, place, axis) for axis in AXES)

    @cached_property
    def _potential_off(self) -> Form:
        """By how much the potential energy of weight is off at the positions of the page."""
        gravity = self.mechanism.model.gravity
        if gravity is None:
            return self.ring.zero
        pull = [self.ring.form(self.mechanism.read(part)) for part in gravity]
        return -self.ring.sum(
            self._mass(body) * part * self._off("position", body, axis)
            for body in self.mechanism.masses
            for part, axis in zip(pull, AXES, strict=True)
            if part
        )

    @cached_property
    def _lagrangian_off(self) -> Form:
        """By how much the Lagrangian is off from which the equations of motion follow."""
        if self.by_balances or self.mechanism.model.speeds:
            return self.ring.zero
        energies = self.quantities.equations.motion
        whole = energies.kinetic_energy() - energies.potential_energy()
        for key, statement in self.keys.items():
            value = self._of_key(key)
            form = self._below(statement.symbols.value(key[0]).form)
            if value is not None and not form - whole:
                return value - whole
        stated = self._atom("energy", "lagrangian")
        if stated in self.atoms:
            return self._change(stated)
        return self._off("energy", "kinetic") - self._off("energy", "potential")

    def _still(self, form: Form) -> Form:
        """Return what is left of a form at rest."""
        return self.ring.substitute(form, dict.fromkeys(self.mechanism.speeds, self.ring.zero))

    def _slope(self, form: Form, i: int) -> Form:
        return self.quantities.partial(form, self.mechanism.coordinates[i])

    # ------------------------------------------------------------------ blocks of the equations

    def _matrix(self) -> list[list[Form]]:
        n = len(self.mechanism.speeds)
        return [[self._entry("M", i, j, self.blocks.M[i][j]) for j in range(n)] for i in range(n)]

    def _entry(self, block: str, i: int, j: int | None, derived: Form) -> Form:
        path = (block, str(i + 1)) if j is None else (block, str(i + 1), str(j + 1))
        return derived + self._off(*path)

    def _inertia(self, i: int, j: int) -> Form | None:
        """Return an entry of the mass matrix: by symmetry, or from the energy or the balances."""
        mirrored = self._atom("M", str(j + 1), str(i + 1))
        if i != j and mirrored in self.atoms:
            return self.value(mirrored)
        acceleration = self.mechanism.accelerations[j]
        slope = self.quantities.partial(self._rows_off[i], acceleration)
        return self.blocks.M[i][j] + slope

    @cached_property
    def _rows_off(self) -> list[Form]:
        """By how much the equations of motion are off that follow from energies, or balances."""
        if self.by_balances:
            return [self._along(speed) for speed in self.mechanism.speeds]
        return self._euler_lagrange(self._lagrangian_off)

    def _euler_lagrange(self, energy: Form) -> list[Form]:
        if not energy:
            return [self.ring.zero] * len(self.mechanism.speeds)
        return [
            self.quantities.rate(self.quantities.partial(energy, speed)) - self._slope(energy, i)
            for i, speed in enumerate(self.mechanism.speeds)
        ]

    @cached_property
    def _centrifugal(self) -> list[Form]:
        """By how much C is off: with the mass matrix of the page, or with the rows themselves."""
        changes, rows = self._matrix_off, self._rows_off
        stated = any(str(atom).startswith("M[") for atom in self.atoms)
        if stated and not self.mechanism.model.speeds:
            speeds = self.ring.forms(self.mechanism.speeds)
            rows = self._euler_lagrange(
                self.ring.sum(
                    (entry * a * b).scaled(HALF)
                    for row, a in zip(changes, speeds, strict=True)
                    for entry, b in zip(row, speeds, strict=True)
                )
            )
        none = dict.fromkeys(self.mechanism.accelerations, self.ring.zero)
        unmoved = [self.ring.substitute(row, none) for row in rows]
        return [row - self._still(row) for row in unmoved]

    @cached_property
    def _matrix_off(self) -> list[list[Form]]:
        n = len(self.mechanism.speeds)
        return [[self._off("M", str(i + 1), str(j + 1)) for j in range(n)] for i in range(n)]

    def _christoffel(self, i: int, j: int) -> Form:
        off, total = self._matrix_off, self.ring.zero
        for k, speed in enumerate(self.ring.forms(self.mechanism.speeds)):
            slopes = self._slope(off[i][j], k) + self._slope(off[i][k], j)
            total = total + (slopes - self._slope(off[j][k], i)) * speed
        return total.scaled(HALF)

    @cached_property
    def eliminated(self) -> Mapping[sympy.Expr, Form]:
        """What the equations of motion of the page say of inputs, or else of accelerations."""
        rows = [self._row_off(i) for i in range(len(self.mechanism.speeds))]
        if not self.rows and not any(rows):
            return self.quantities.eliminated
        changed = self._with_rows(rows)
        try:
            return eliminate(replace(self.quantities.equations, derivation=lambda: changed))
        except StopIteration:
            raise MeaningError("the page's equations of motion depend on each other") from None

    def _row_off(self, i: int) -> Form:
        """Return by how much an equation of motion is off, made of its blocks."""
        total = self.ring.zero
        for entry, acceleration in zip(
            self._matrix_off[i], self.ring.forms(self.mechanism.accelerations), strict=True
        ):
            total = total + entry * acceleration
        place = str(i + 1)
        forces = [self._off(block, place) for block in ("C", "G", "E")]
        return self.ring.sum([total, *forces]) - self._off("tau", place)

    # ------------------------------------------------------------------ linearized

    def _linear(self, which: str, i: int, j: int) -> Form | None:
        """Return an entry of the linear equations that follow from the page's own."""
        moving, n = self.mechanism, len(self.mechanism.speeds)
        if which in ("A", "B"):
            return self._lower_row(which, i - n)[j] if i >= n else None
        if not self.rows and not any(map(self._row_off, range(n))):
            return None
        by = {"M": moving.accelerations, "D": moving.speeds, "K": moving.coordinates}
        return self._slopes_at_rest(by[which])[i][j] if which in by else None

    def _lower_row(self, which: str, i: int) -> tuple[Form, ...]:
        """Return how an acceleration follows the state, or the inputs, by the page's M, K and D."""
        inertia, stiffness, damping = map(self._linear_matrix, ("M", "K", "D"))
        if which == "A":
            pulls = -stacked([[Grid.made(stiffness), Grid.made(damping)]])
        else:
            by = self.quantities.equations.inputs
            pulls = -Grid.made(self._slopes_at_rest(by))
        row: tuple[Form, ...] = (Grid.made(inertia).inverse() * pulls).rows[i]
        return row

    def _linear_matrix(self, which: str) -> list[list[Form]]:
        n = range(len(self.mechanism.speeds))
        atoms = [[self._atom("linear", which, str(i + 1), str(j + 1)) for j in n] for i in n]
        return [[self._as_paged(atom) for atom in row if atom is not None] for row in atoms]

    def _as_paged(self, atom: sympy.Expr) -> Form:
        return self.quantities.derived[atom] + self._change(atom)

    def _slopes_at_rest(self, by: Sequence[sympy.Expr]) -> list[list[Form]]:
        """Return the derivatives of the page's equations of motion at an equilibrium."""
        none = dict.fromkeys(self.mechanism.accelerations, self.ring.zero)
        return [
            [
                self.quantities.at_rest(self.ring.substitute(self.ring.partial(row, one), none))
                for one in by
            ]
            for row in self._page_rows
        ]

    @cached_property
    def _page_rows(self) -> list[Form]:
        """The equations of motion of the page, left minus right."""
        blocks = self.blocks
        accelerations = self.ring.forms(self.mechanism.accelerations)
        derived = [
            self.ring.sum(
                (entry * one for entry, one in zip(row, accelerations, strict=True)),
            )
            + blocks.C[i]
            + blocks.G[i]
            + blocks.E[i]
            - blocks.tau[i]
            for i, row in enumerate(blocks.M)
        ]
        return [self.rows.get(i, row + self._row_off(i)) for i, row in enumerate(derived)]

    def _with_rows(self, rows: list[Form]) -> Blocks:
        """Return the blocks with what is off among the inertial terms."""
        kept, zero = self.blocks, self.ring.zero
        n = range(len(rows))
        return replace(
            kept,
            M=[[zero] * len(rows) if i in self.rows else kept.M[i] for i in n],
            C=[self.rows.get(i, kept.C[i] + rows[i]) for i in n],
            G=[zero if i in self.rows else kept.G[i] for i in n],
            E=[zero if i in self.rows else kept.E[i] for i in n],
            tau=[zero if i in self.rows else kept.tau[i] for i in n],
            J=[[zero if i in self.rows else row[i] for i in n] for row in kept.J],
        )

    # ------------------------------------------------------------------ balances

    def _needed(self, body: str) -> tuple[Triple, Triple]:
        """Return by how much the force and moment are off that a body needs to move so."""
        motion, mass = self.quantities.equations.motion, self.mechanism.masses.get(body)
        if mass is None:
            return motion.none, motion.none
        force = self._triple_off("acceleration", body).times(self._mass(body))
        if mass.inertia is None:
            return force, motion.none
        turning = self._triple_off("angular_acceleration", body)
        return force, motion.turned_by(mass.inertia, motion.frame_states[body], turning)

    @cached_property
    def _transmitted(self) -> dict[str, tuple[Triple, Triple]]:
        """By how much the force and moment are off that each step transmits to its child."""
        motion = self.quantities.equations.motion
        found: dict[str, tuple[Triple, Triple]] = {}
        for name, step in reversed(self.mechanism.joint_frames.items()):
            force, moment = self._needed(step.child)
            point = motion.at(step.child, step.child_at)
            heavy = step.child in self.mechanism.masses
            center = motion.position(step.child) if heavy else point
            for other in self._behind(step.child):
                force = force + found[other][0]
                at = self.mechanism.joint_frames[other]
                arm = motion.at(at.child, at.child_at) - center
                moment = moment + found[other][1] + arm.cross(found[other][0])
            force = self._as_stated(name, "force", force)
            moment = moment + (center - point).cross(force)
            found[name] = force, self._as_stated(name, "moment", moment)
        return found

    def _behind(self, body: str) -> Iterator[str]:
        return (name for name, step in self.mechanism.joint_frames.items() if step.parent == body)

    def _as_stated(self, joint: str, part: str, off: Triple) -> Triple:
        """Return what is off at a joint, with what the page says of it itself."""
        parts = []
        for axis, one in zip(AXES, off.parts, strict=True):
            atom = self._atom("reaction", joint, part, axis)
            parts.append(self._change(atom) if atom in self.atoms else one)
        return Triple.made(parts)

    def _wrench_off(self, joint: str, part: str, axis: str) -> Form | None:
        if joint not in self._transmitted:
            return None
        off: Form = self._transmitted[joint][part == "moment"].parts[AXES.index(axis)]
        return off

    def _along(self, speed: sympy.Expr) -> Form:
        """Return by how much the balance along a speed is off."""
        total = self.ring.zero
        for name, (force, moment) in self._transmitted.items():
            slide, turn = self.quantities.equations.motion.step_partial(name, speed)
            total = total + force.dot(slide) + moment.dot(turn)
        return total
