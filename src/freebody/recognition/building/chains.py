"""Bodies at the ends of arms that turn in a plane, which shifts carry.

A body is where the squares of its velocity are what stands beside its mass in the kinetic energy,
and its height is what stands beside it in the potential energy. One letter may be the mass of
several bodies: of equal links, or of a leg above and below its centre of mass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import combinations_with_replacement, islice, permutations, product
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.prime import PRIME
from freebody.algebra.terms import Rational, Terms, exponents
from freebody.consistency.letters import letters_of
from freebody.recognition.building.bodies import Arm, Placed
from freebody.recognition.building.geometry import Geometry, Square, in_angles

MOST_POINTS = 8
"""Points that are tried for one at which all roots have a value."""
MOST_ALIKE = 4
"""Bodies that may have one letter for their masses."""
MOST_SHARED = 2000
"""Ways to share arms among these that are tried."""
WAYS = (
    (1, 0, 1),
    (0, -1, 1),
    (0, 1, -1),
    (0, 1, 1),
    (0, -1, -1),
    (-1, 0, 1),
    (1, 0, -1),
    (-1, 0, -1),
)
"""Where an arm points at the angle zero, and whether it turns to the left from there."""
Known = Mapping[tuple[int, ...], Arm]
"""The arms that are placed already, by their angles."""


class Chains(Geometry):
    """Finds bodies at the ends of arms."""

    def chain(self, key: str, square: Square, slopes: list[Form], known: Known) -> Placed | None:
        """Return a mass at the end of arms, which shifts carry, with that velocity and height."""
        for angles in self._angles():
            parts = self._arms(square, angles, slopes)
            if parts is None:
                continue
            shifts, arms, spread = parts
            for directions in self._directions(shifts, slopes):
                choices = [
                    _on_either_side(known[angle]) if angle in known else list(WAYS)
                    for angle, _ in arms
                ]
                for ways in product(*choices):
                    one = replace(self._assembled(key, directions, arms, ways), spread=spread)
                    if self.has((one,), square, slopes):
                        return one
        return None

    def _angles(self) -> Iterator[list[tuple[int, ...]]]:
        """Iterate over the angles of arms: each coordinate, or the sum of it and those before."""
        turning = self.turning
        yield [tuple(int(n == one) for n in self.count) for one in turning]
        for order in permutations(turning) if 1 < len(turning) < 5 else ():
            yield [tuple(int(n in order[: k + 1]) for n in self.count) for k in range(len(order))]

    def _arms(
        self, square: Square, angles: list[tuple[int, ...]], slopes: list[Form]
    ) -> tuple[list[int], list[tuple[tuple[int, ...], Form]], Form | None] | None:
        """Return what shifts a mass, its arms by their angles with their lengths, its spread.

        Where its height tells a shorter arm than its velocity, the rest is what it is spread by.
        """
        turning = self.turning
        if not angles:
            moved = [n for n in self.count if square[n][n]]
            return (moved, [], None) if len(moved) < 3 else None
        lengths, spread = list[tuple[tuple[int, ...], Form]](), None
        over = self._over(angles)
        for k, (whole, tilt) in enumerate(self._by_angle(square, over, slopes)):
            length = self.root(whole)
            if tilt and not self.is_moved(whole):
                short = self._amplitude(tilt, over[k])
                if short is not None and whole - short * short:
                    if spread is not None:
                        return None
                    length, spread = short, whole - short * short
                elif spread is not None:
                    return None
            elif spread is not None and whole:
                return None
            if length is None:
                return None
            if length:
                lengths.append((angles[k], length))
        inside = {one.key for _, length in lengths for one in letters_of(self.letters, length)}
        shifts = [
            n for n in self.count
            if n not in turning and square[n][n] and self.found.coordinates[n].key not in inside
        ]  # fmt: skip
        return (shifts, lengths, spread) if len(shifts) < 3 else None

    def _by_angle(
        self, square: Square, over: list[list[tuple[int, Rational]]], slopes: list[Form]
    ) -> list[tuple[Form, Form]]:
        """Return by angle the square of a velocity by it alone, and how a height changes by it."""
        return [
            (self._between(square, one, one), self.ring.sum([slopes[n].scaled(a) for n, a in one]))
            for one in over
        ]

    def _over(self, angles: list[tuple[int, ...]]) -> list[list[tuple[int, Rational]]]:
        """Return by angle how much the coordinates change with it alone."""
        matrix = sympy.Matrix([[row[n] for n in self.turning] for row in angles]).inv()
        return [
            [(n, QQ(int(matrix[i, k]))) for i, n in enumerate(self.turning) if matrix[i, k]]
            for k in range(len(angles))
        ]

    def _between(
        self, square: Square, one: list[tuple[int, Rational]], other: list[tuple[int, Rational]]
    ) -> Form:
        """Return the entry of the square of a velocity between two angles."""
        parts = [square[n][m].scaled(a * b) for n, a in one for m, b in other]
        return self.ring.sum(parts)

    def _amplitude(self, wave: Form, over: list[tuple[int, Rational]]) -> Form | None:
        """Return the amplitude of what an angle turns; None of anything else."""
        partial = self.ring.partial
        bend = self.ring.sum([partial(wave, self.places[n]).scaled(a) for n, a in over])
        return self.root(wave * wave + bend * bend)

    def _directions(
        self, shifts: list[int], slopes: list[Form]
    ) -> Iterator[tuple[tuple[int, tuple[Form, Form]], ...]]:
        """Iterate over the directions of shifts: along x, up, or on a slope."""
        ring = self.ring
        level, up, down = (ring.one, ring.zero), (ring.zero, ring.one), (ring.zero, -ring.one)
        if not shifts:
            yield ()
        elif len(shifts) == 1:
            yield from (((shifts[0], way),) for way in self._inclined(slopes[shifts[0]]))
        else:
            first, second = shifts
            rising = slopes[first] and not slopes[second]
            yield ((first, up), (second, level)) if rising else ((first, level), (second, up))
            yield ((first, down), (second, level)) if rising else ((first, level), (second, down))

    def _inclined(self, climb: Form) -> Iterator[tuple[Form, Form]]:
        """Iterate over the directions along which something climbs so much."""
        ring = self.ring
        if not climb:
            yield ring.one, ring.zero
        elif climb.is_number and abs(climb.number) == 1:
            yield ring.zero, climb
        elif not self.is_moved(climb):
            for angle in sorted(in_angles(climb), key=str):
                form = ring.form(angle)
                sine, cosine = ring.sin(form), ring.cos(form)
                for a, b in ((sine, cosine), (cosine, sine)):
                    if not (climb - a) or not (climb + a):
                        yield b, climb

    def _assembled(
        self,
        key: str,
        shifts: tuple[tuple[int, tuple[Form, Form]], ...],
        arms: Sequence[tuple[tuple[int, ...], Form]],
        ways: Sequence[tuple[int, int, int]],
    ) -> Placed:
        ring = self.ring
        x, y = ring.zero, ring.zero
        for n, (along, up) in shifts:
            place = ring.symbol(self.places[n])
            x, y = x + along * place, y + up * place
        for (angle, length), (right, upward, turn) in zip(arms, ways, strict=True):
            form = self.angle(angle)
            cosine, sine = ring.cos(form), ring.sin(form).scaled(QQ(turn))
            x = x + length * (cosine.scaled(QQ(right)) - sine.scaled(QQ(upward)))
            y = y + length * (cosine.scaled(QQ(upward)) + sine.scaled(QQ(right)))
        made = tuple(
            Arm(angle, length, way) for (angle, length), way in zip(arms, ways, strict=True)
        )
        return Placed(key, (x, y, ring.zero), shifts, made)

    def has(self, bodies: Sequence[Placed], square: Square, slopes: list[Form]) -> bool:
        """Return whether bodies have together that velocity, and that height but for a constant.

        Where they have not at one point, which is most often so, forms need not be worked out.
        """
        steps = [[self._steps(part) for part in one.position] for one in bodies]
        weights = slopes if any(one.terms for one in slopes) and any(slopes) else []

        def residuals(
            of: Callable[[Form], Any], total: Callable[[list[Any]], Any]
        ) -> Iterator[Any]:
            for k, slope in enumerate(weights):
                yield total([*(of(step[1][k]) for step in steps), -of(slope)])
            for i, j in self._pairs:
                products = (of(part[i]) * of(part[j]) for step in steps for part in step)
                yield total([*products, *map(of, self._spreads(bodies, i, j)), -of(square[i][j])])

        for point in self._points:
            point.has_all_roots = True
            with suppress(ZeroDivisionError):
                is_elsewhere = any(one % PRIME for one in residuals(point.value, sum))
                if is_elsewhere and point.has_all_roots:
                    return False
                if not is_elsewhere:
                    break
        return not any(residuals(lambda form: form, self.ring.sum))

    @cached_property
    def _points(self) -> tuple[Point, ...]:
        """Points of which one is likely to have all roots."""
        return tuple(Point(self.ring, seed) for seed in range(MOST_POINTS))

    @cached_property
    def _known_steps(self) -> dict[Terms, list[Form]]:
        return {}

    @property
    def _pairs(self) -> Iterator[tuple[int, int]]:
        return combinations_with_replacement(self.count, 2)

    def _steps(self, part: Form) -> list[Form]:
        """Return how a part of a position changes by each coordinate."""
        if part.terms not in self._known_steps:
            self._known_steps[part.terms] = [self.ring.partial(part, one) for one in self.places]
        return self._known_steps[part.terms]

    def _spreads(self, bodies: Sequence[Placed], i: int, j: int) -> Iterator[Form]:
        """Iterate over what bodies are spread by that two coordinates turn."""
        for one in bodies:
            if one.spread is not None and one.arms:
                angle = one.arms[-1].angle
                if angle[i] and angle[j]:
                    yield one.spread

    # ------------------------------------------------------------------ several of one mass

    def alike(
        self, key: str, square: Square, slopes: list[Form], known: Known
    ) -> tuple[Placed, ...]:
        """Return several bodies with one letter for their masses; none where there are none."""
        shifts = [n for n in self.count if n not in self.turning and square[n][n]]
        carried = {square[n][n].number for n in shifts if square[n][n].is_number}
        if len(carried) != bool(shifts) or len(shifts) > 2:
            return ()
        for angles in self._angles() if self.turning else ():
            over = self._over(angles)
            by_angle = self._by_angle(square, over, slopes)
            tilts = [
                self._amplitude(tilt, over[k]) if any(slopes) else None
                for k, (_, tilt) in enumerate(by_angle)
            ]
            is_waving = not any(slopes) or None not in tilts
            if not is_waving or any(self.is_moved(whole) for whole, _ in by_angle):
                continue
            choices = [
                list(self._lengths(whole, tilt))
                for (whole, _), tilt in zip(by_angle, tilts, strict=True)
            ]
            crosses = {
                (i, j): self._amplitude(self._between(square, over[i], over[j]), over[j])
                for j in range(len(angles)) for i in range(j)
            }  # fmt: skip
            for chosen in product(*choices):
                lengths, spreads = zip(*chosen, strict=True)
                for shared in _shared(lengths, carried):
                    if not self._are_together(shared, crosses):
                        continue
                    arms = [[*zip(angles, row, strict=True)] for row in shared]
                    made = self._placed_alike(key, shifts, arms, spreads, known, square, slopes)
                    if made:
                        return made
        return ()

    def _are_together(
        self,
        shared: Sequence[Sequence[Form | None]],
        crosses: Mapping[tuple[int, int], Form | None],
    ) -> bool:
        """Return whether arms along two angles belong to the same bodies, as a velocity tells."""
        for (i, j), cross in crosses.items():
            both = [one[i] * one[j] for one in shared if one[i] and one[j]]  # type: ignore[operator]
            if cross is None or self.ring.sum(both) - cross:
                return False
        return True

    def _lengths(self, square: Form, total: Form | None) -> Iterator[tuple[list[Form], Form]]:
        """Iterate over lengths, by the sum of their squares and their total, with what is left.

        Each is a product of constants, or half of one; then what is left is that of a rod.
        """
        counts = _monomials(square)
        if counts is None:
            return
        choices = []
        for base, count in counts.items():
            length = self.ring.form(base)
            found = list[tuple[list[Form], Form]]()
            for wholes, halves in _SPLITS:
                rest = count - wholes - QQ(halves, 4)
                if rest < 0 or rest not in (0, QQ(halves, 12)):
                    continue
                lengths = [length] * wholes + [length.scaled(QQ(1, 2))] * halves
                found.append((lengths, (length * length).scaled(rest)))
            choices.append(found)
        for chosen in product(*choices):
            lengths = [one for each, _ in chosen for one in each]
            if len(lengths) > MOST_ALIKE:
                continue
            if total is None or not (self.ring.sum(lengths) - total):
                yield lengths, self.ring.sum([rest for _, rest in chosen])

    def _placed_alike(
        self,
        key: str,
        shifts: list[int],
        arms: list[list[tuple[tuple[int, ...], Form | None]]],
        spreads: Sequence[Form],
        known: Known,
        square: Square,
        slopes: list[Form],
    ) -> tuple[Placed, ...]:
        """Return bodies with such arms, pointing so that together they move and climb so."""
        angles = [angle for angle, _ in arms[0]]
        last = [max((k for k, (_, one) in enumerate(row) if one), default=-1) for row in arms]
        choices = [[known[angle].way] if angle in known else list(WAYS) for angle in angles]
        for directions in self._directions(
            shifts, [one.scaled(QQ(1, len(arms))) for one in slopes]
        ):
            for ways in product(*choices):
                made = []
                for row, end in zip(arms, last, strict=True):
                    own = [
                        (angle, one, way)
                        for (angle, one), way in zip(row, ways, strict=True)
                        if one
                    ]
                    one = self._assembled(
                        key,
                        directions,
                        [(angle, each) for angle, each, _ in own],
                        [way for *_, way in own],
                    )
                    if end >= 0 and spreads[end]:
                        share = spreads[end].scaled(QQ(1, last.count(end)))
                        one = replace(one, spread=share)
                    made.append(one)
                if self.has(made, square, slopes):
                    return tuple(made)
        return ()


_SPLITS = [
    (wholes, halves)
    for wholes in range(MOST_ALIKE + 1)
    for halves in range(MOST_ALIKE + 1 - wholes)
    if wholes + halves
]
"""How many bodies have a whole length, and how many half of it."""


def _on_either_side(arm: Arm) -> list[tuple[int, int, int]]:
    """Return where an arm points, and where it would on the other side of what it turns about."""
    right, up, turn = arm.way
    return [arm.way, (-right, -up, turn)]


def _monomials(square: Form) -> dict[sympy.Expr, Rational] | None:
    """Return a sum of squares of products of constants, by these; None of anything else."""
    found: dict[sympy.Expr, Rational] = {}
    generators = square.ring.generators
    for key, count in square.terms.table.items():
        powers = exponents(key & ~3)
        if (
            key & 3
            or count < 0
            or any(power % 2 or generators[place].kind != "factor" for place, power in powers)
        ):
            return None
        base = sympy.Mul(*(generators[place].expr ** (power // 2) for place, power in powers))
        found[base] = count
    return found


def _shared(
    lengths: Sequence[list[Form]], carried: set[Rational]
) -> Iterator[list[tuple[Form | None, ...]]]:
    """Iterate over the ways to share arms among bodies: by body its arm along each angle."""
    size = max(map(len, lengths))
    if carried:
        (count,) = carried
        if count.denominator != 1 or not size <= count <= MOST_ALIKE:
            return
        size = int(count)
    if not size:
        return
    columns = []
    first = max(range(len(lengths)), key=lambda k: len(lengths[k]))
    for k, one in enumerate(lengths):
        padded = [*one, *[None] * (size - len(one))]
        if k == first:
            columns.append([tuple(padded)])
            continue
        seen: dict[object, tuple[Form | None, ...]] = {}
        for order in permutations(padded):
            seen.setdefault(tuple(one and one.terms for one in order), order)
        columns.append(list(seen.values()))
    for chosen in islice(product(*columns), MOST_SHARED):
        rows = list(zip(*chosen, strict=True))
        if carried or all(any(row) for row in rows):
            yield rows
