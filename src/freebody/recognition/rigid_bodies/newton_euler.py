r"""Newton's and Euler's equations of one rigid body among the equations of a page.

:math:`A\dot\omega + \omega \times A\omega = M` tells the moments of inertia and the moments,
:math:`m(\dot v + \omega\times v) = F` or :math:`m\ddot x = F` the mass and the forces, along the
axes of the body or of the ground.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.recognition.equations.axes import coordinate_axis
from freebody.recognition.equations.products import sign_of
from freebody.recognition.rigid_bodies.equations import SpeedEquation, SpeedEquations
from freebody.recognition.symbols.initials import GRAVITY, INERTIAS, initial

MOST_OF_EULER = 100
"""Terms of an equation that may be Euler's."""
MOST_CHOICES = 64
"""Ways to pick an equation for each axis that are tried."""
LEAST_HOLDING = 2
"""Of Euler's three equations one may be misprinted."""
CYCLE = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
"""Each axis, with the two that follow it."""
_MASS = Letter("m", 0)
"""What a mass is called by which a page divides all forces."""
_MOMENTA = frozenset("hHL")
"""Letters of angular momenta, which are carried by what turns as velocities are."""
Triple = tuple[Letter, Letter, Letter]


@dataclass(frozen=True, eq=False)
class Rotation:
    """What a page says of how a body turns.

    Attributes
    ----------
    speeds : tuple of Letter
        Its angular velocity along its axes: letters, or rates of angles.
    inertia : tuple of tuple of Form
        Its inertia matrix.
    moments : tuple of Form
        What acts about each axis.
    equations : tuple of SpeedEquation
        Those that say so.
    """

    speeds: Triple
    inertia: tuple[tuple[Form, ...], ...]
    moments: tuple[Form, ...]
    equations: tuple[SpeedEquation, ...]


@dataclass(frozen=True, eq=False)
class Translation:
    """What a page says of how the centre of mass moves.

    Attributes
    ----------
    speeds : tuple of Letter
        Its velocity: letters, or rates of coordinates; None along an axis of which nothing is said.
    mass : Letter
    forces : tuple of Form
    equations : tuple of SpeedEquation
    is_own : bool
        Whether along the axes of the body, and not of the ground.
    """

    speeds: tuple[Letter | None, ...]
    mass: Letter
    forces: tuple[Form, ...]
    equations: tuple[SpeedEquation, ...]
    is_own: bool


class NewtonEuler:
    """Finds Newton's and Euler's equations of a page.

    Parameters
    ----------
    letters : Letters
    found : SpeedEquations
    """

    def __init__(self, letters: Letters, found: SpeedEquations) -> None:
        self._letters, self._ring = letters, letters.ring
        self._found = sorted(found.all, key=lambda one: one.unprinted)

    # ------------------------------------------------------------------ how it turns

    def rotation(self) -> Rotation | None:
        """Return what most of the equations say of how a body turns."""
        best: tuple[int, Rotation] | None = None
        for speeds in self._triples():
            rows = [list(self._about(one, speeds)) for one in speeds]
            orders = (speeds, (speeds[0], speeds[2], speeds[1]))
            for order in orders:
                ordered = [rows[speeds.index(one)] for one in order]
                for chosen in islice(product(*ordered), MOST_CHOICES):
                    found = self._euler(order, chosen)
                    if found and (best is None or found[0] > best[0]):
                        best = found
            if best and best[0] == len(speeds):
                break
        return best[1] if best else None

    def _triples(self) -> list[Triple]:
        """Return the speeds whose rates stand beside products of the two others."""
        counts = Counter[frozenset[Letter]]()
        rated = {one for row in self._found for one in row.letters if one.dots}
        short = [one for one in self._found if len(one.form.terms) <= MOST_OF_EULER]
        for row in short:
            for rate in row.letters & rated:
                own = Letter(rate.key, rate.dots - 1)
                if not self._is_constant(self._letters.slope(row.form, rate)):
                    continue
                others = [
                    one
                    for one in row.letters
                    if one.dots == own.dots and Letter(one.key, rate.dots) in rated and one != own
                ]
                for pair in combinations(others, 2):
                    mixed = self._letters.slope(self._letters.slope(row.form, pair[0]), pair[1])
                    if mixed and self._is_constant(mixed):
                        counts[frozenset((own, *pair))] += 1
        often = [one for one, count in counts.most_common() if count >= LEAST_HOLDING]
        return [(first, second, third) for first, second, third in map(sorted, often)]

    def _about(self, own: Letter, speeds: Triple) -> Iterator[SpeedEquation]:
        """Iterate over the equations with the rate of a speed, and of no others but these three."""
        rates = {Letter(one.key, one.dots + 1) for one in speeds}
        for row in self._found:
            inside = {one for one in row.letters if one.dots > own.dots}
            if Letter(own.key, own.dots + 1) in inside and inside <= rates:
                yield row

    def _euler(self, speeds: Triple, rows: Sequence[SpeedEquation]) -> tuple[int, Rotation] | None:
        """Return how many of three equations are Euler's, and what they say; None of too few."""
        ring, form = self._ring, self._letters.form
        rates = [Letter(one.key, one.dots + 1) for one in speeds]
        matrix = [[self._letters.slope(row.form, rate) for rate in rates] for row in rows]
        signs = [sign_of(line[n]) for n, line in enumerate(matrix)]
        inertia = [[e.scaled(sign) for e in line] for line, sign in zip(matrix, signs, strict=True)]
        entries = [entry for line in inertia for entry in line]
        heavy = {one for entry in entries for one in letters_of(self._letters, entry)}
        is_inertia = all(map(self._is_constant, filter(None, entries))) and not any(
            inertia[n][n].is_number or self._is_weighed(inertia[n][n]) for n in range(3)
        )
        if not is_inertia or any(inertia[i][j] - inertia[j][i] for i, j, _ in CYCLE):
            return None
        turning = [form(one) for one in speeds]
        momentum = [
            ring.sum([a * b for a, b in zip(line, turning, strict=True)]) for line in inertia
        ]
        moments, holding = list[Form](), 0
        for i, j, k in CYCLE:
            carried = turning[j] * momentum[k] - turning[k] * momentum[j]
            moved = ring.sum([a * form(b) for a, b in zip(inertia[i], rates, strict=True)])
            rest = moved + carried - rows[i].form.scaled(signs[i])
            wrong = self._of_inertia(rest, speeds, heavy)
            holding += not wrong and bool(carried)
            moments.append(rest - wrong)
        if holding < LEAST_HOLDING:
            return None
        told = tuple(tuple(line) for line in inertia)
        return holding, Rotation(speeds, told, tuple(moments), tuple(rows))

    def _of_inertia(self, rest: Form, speeds: Triple, heavy: Iterable[Letter]) -> Form:
        """Return the products of two speeds and moments of inertia in what is left."""
        form, parts = self._letters.form, list[Form]()
        for first, second in product(speeds, repeat=2):
            mixed = self._letters.slope(self._letters.slope(rest, first), second)
            if not letters_of(self._letters, mixed).isdisjoint(heavy):
                parts.append((mixed * form(first) * form(second)).scaled(QQ(1, 2)))
        return self._ring.sum(parts)

    # ------------------------------------------------------------------ how it moves

    def translations(self, rotation: Rotation) -> Iterator[Translation]:
        """Iterate over what equations say of the centre of mass of a body that turns so."""
        yield from self._along_own(rotation)
        if found := self._along_ground(rotation):
            yield found

    def _along_own(self, rotation: Rotation) -> Iterator[Translation]:
        """Iterate over Newton's equations along the axes of the body: the first and the last."""
        rows: dict[tuple[int, Triple], list[tuple[SpeedEquation, Form]]] = defaultdict(list)
        for row in self._found:
            rates = [one for one in row.letters if one.dots == 1]
            is_of_velocity = len(rates) == 1 and initial(rates[0].key) not in _MOMENTA
            for rate in rates if is_of_velocity else ():
                mass, own = self._letters.slope(row.form, rate), Letter(rate.key, 0)
                carried = dict(self._carried(row, mass, own, rotation))
                for i, j, k in CYCLE:
                    is_so = carried.keys() == {(j, 1), (k, -1)} and self._is_constant(mass)
                    if is_so and own not in rotation.speeds:
                        near = {i: own, k: carried[j, 1], j: carried[k, -1]}
                        rows[i, (near[0], near[1], near[2])].append((row, mass))
        for speeds in dict.fromkeys(speeds for _, speeds in rows):
            every = [rows[n, speeds] for n in range(3)]
            for ordered in (every, [one[::-1] for one in every]):
                choices = islice(product(*ordered), MOST_CHOICES)
                made = (self._translation(speeds, chosen, rotation) for chosen in choices)
                if found := next(filter(None, made), None):
                    yield found

    def _carried(
        self, row: SpeedEquation, mass: Form, own: Letter, rotation: Rotation
    ) -> Iterator[tuple[tuple[int, int], Letter]]:
        """Iterate over the products of an angular velocity and a velocity, times the mass."""
        for axis, turning in enumerate(rotation.speeds):
            slope = self._letters.slope(row.form, turning)
            for one in letters_of(self._letters, slope) if slope else ():
                part = self._letters.slope(slope, one)
                for sign in (1, -1):
                    if one not in (own, *rotation.speeds) and not part - mass.scaled(QQ(sign)):
                        yield (axis, sign), one

    def _along_ground(self, rotation: Rotation) -> Translation | None:
        """Return Newton's equations along the axes of the ground, those that say most of forces."""
        turning = {one.key for one in rotation.speeds}
        rows: dict[int, tuple[Letter, SpeedEquation, Form]] = {}
        for row in self._found:
            rates = [one for one in row.letters if one.dots]
            highest = max(one.dots for one in rates)
            moved = [one for one in rates if one.dots == highest]
            axis = coordinate_axis(moved[0].key, is_numbered=True)
            if len(moved) > 1 or axis is None or moved[0].key in turning:
                continue
            mass = self._letters.slope(row.form, moved[0])
            is_mass = self._is_constant(mass) and len(letters_of(self._letters, mass)) <= 1
            if is_mass and (highest == 2 or self._is_weighed(mass)):
                own = Letter(moved[0].key, highest - 1)
                known = rows.get(axis)
                if known is None or len(row.form.terms) > len(known[1].form.terms):
                    rows[axis] = own, row, mass
        if len(rows) < len("xyz") and not any(self._is_of_body(*one[1:]) for one in rows.values()):
            return None
        return self._translation(
            tuple(rows[n][0] if n in rows else None for n in range(3)),
            [rows[n][1:] if n in rows else None for n in range(3)],
        )

    def _is_of_body(self, row: SpeedEquation, mass: Form) -> bool:
        """Return whether an equation has a mass or weight: one alone may be of an oscillator."""
        is_weighed = any(one.key in GRAVITY for one in row.letters)
        return is_weighed or bool(letters_of(self._letters, mass))

    def _translation(
        self,
        speeds: tuple[Letter | None, ...],
        rows: Sequence[tuple[SpeedEquation, Form] | None],
        rotation: Rotation | None = None,
    ) -> Translation | None:
        """Return what Newton's equations say, where all have the same mass."""
        ring, form = self._ring, self._letters.form
        printed = [row for row in rows if row]
        masses = {one for _, mass in printed for one in letters_of(self._letters, mass)}
        if len(masses) > 1:
            return None
        weight = next(iter(masses), _MASS)
        forces = []
        for (i, j, k), row in zip(CYCLE, rows, strict=True):
            own = speeds[i]
            if row is None or own is None:
                forces.append(ring.zero)
                continue
            equation, mass = row
            moved = form(Letter(own.key, own.dots + 1))
            after, before = speeds[j], speeds[k]
            if rotation and after and before:
                turning = [form(one) for one in rotation.speeds]
                moved = moved + turning[j] * form(before) - turning[k] * form(after)
            rest = (mass * moved - equation.form) / mass
            forces.append(form(weight) * rest)
        if not any(forces):
            return None
        equations = tuple(equation for equation, _ in printed)
        return Translation(speeds, weight, tuple(forces), equations, rotation is not None)

    # ------------------------------------------------------------------ forms

    def _is_constant(self, form: Form) -> bool:
        """Return whether a form is something, and of letters that do not move.

        Moments of inertia do not along the axes of a body, also where their matrix has a rate.
        """
        inside = letters_of(self._letters, form)
        moving = (one for one in inside if one.key in self._letters.moving)
        return bool(form) and all(initial(one.key) in INERTIAS and not one.dots for one in moving)

    def _is_weighed(self, mass: Form) -> bool:
        return any(
            "mass" in SymbolShape.of(one.key).kinds for one in letters_of(self._letters, mass)
        )
