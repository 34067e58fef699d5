"""Where masses are and how bodies turn, by what a page says of inertia and weight.

A mass is where the squares of its velocity are what stands beside it in the kinetic energy, and its
height is what stands beside it in the potential energy. It is looked for along chains of arms that
turn in a plane, and among the positions that the page prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import letters_of
from freebody.consistency.meanings import View
from freebody.errors import FreebodyError
from freebody.recognition.bodies import Arm, Around, Bodies, Placed, Turning
from freebody.recognition.energies import Energies, by_letter, constants, gravity_of
from freebody.recognition.pages import PageMotion

MOST_POSITIONS = 16
"""Positions that a page prints, which are tried for each mass."""
MOST_MASSES = 4
"""Letters that are taken for masses together where their names do not tell."""
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


def bodies(motion: PageMotion, found: Energies) -> Bodies | None:
    """Return where the masses of a page are; None where they are nowhere that is tried."""
    search = _Search(motion, found)
    for keys in search.masses():
        made = search.placed(keys)
        if made:
            return made
    return None


class _Search:
    """Places the masses of a page."""

    def __init__(self, motion: PageMotion, found: Energies) -> None:
        self.motion, self.found = motion, found
        self.letters, self.ring = motion.letters, motion.letters.ring
        self.places = [self.letters.atom(one) for one in found.coordinates]
        self.count = range(len(self.places))
        inertia = [entry for row in found.inertia for entry in row]
        self.constants = constants(self.letters, inertia)
        self.gravity = next(iter(gravity_of(self.letters, found.slopes)), None)
        angles = set[sympy.Expr]()
        for form in (*inertia, *found.slopes, *found.stored):
            angles |= _angles(form)
        others = [{*self.places} - {place} for place in self.places]
        self.turning = [  # an angle, and what turns at a distance that changes: as in the plane
            n for n in self.count
            if self.places[n] in angles or found.inertia[n][n].symbols & others[n]
        ]  # fmt: skip

    def masses(self) -> Iterator[dict[str, sympy.Expr]]:
        """Iterate over the letters that may be masses and moments of inertia."""
        named = {key: atom for key, atom in self.constants.items() if _letter(key) in "mMIJΘ"}
        if named:
            yield named
        for size in range(1, MOST_MASSES + 1):
            for keys in combinations(self.constants, size):
                if {*keys} != named.keys():
                    yield {key: self.constants[key] for key in keys}

    def placed(self, keys: Mapping[str, sympy.Expr]) -> Bodies | None:
        """Return the bodies where these letters are masses or moments of inertia."""
        squares = self._squares(keys)
        heights = self._heights(keys)
        if squares is None or heights is None:
            return None
        masses, turning, ways = list[Placed](), list[Turning](), dict[tuple[int, ...], Arm]()
        for key in sorted(keys, key=lambda one: _size(squares[one])):
            square, slopes = squares[key], heights[key]
            factors = self._turn(key, square)
            if factors is not None and not any(slopes):
                turning.append(Turning(key, factors))
                continue
            if _letter(key) in "IJΘ" and not any(slopes):
                rod = self._rod(key, square)
                if rod is None:
                    return None
                turning.append(rod)
                continue
            one = (
                self._chain(key, square, slopes, ways)
                or self._around(key, square, slopes)
                or self._printed(key, square, slopes)
            )
            if one is None:
                return None
            ways |= {arm.angle: arm for arm in one.arms}
            masses.append(one)
        return Bodies(tuple(masses), tuple(turning), self.gravity) if masses or turning else None

    def _squares(self, keys: Mapping[str, sympy.Expr]) -> dict[str, list[list[Form]]] | None:
        """Return by mass the matrix of the square of its velocity."""
        squares: dict[str, list[list[Form]]] = {key: [] for key in keys}
        for row in self.found.inertia:
            parts = [by_letter(self.letters, entry, keys) for entry in row]
            if None in parts:
                return None
            for key in keys:
                squares[key].append([part[key] for part in parts if part is not None])
        used = all(any(entry for row in square for entry in row) for square in squares.values())
        return squares if used else None

    def _heights(self, keys: Mapping[str, sympy.Expr]) -> dict[str, list[Form]] | None:
        """Return by mass the slopes of its height."""
        heights: dict[str, list[Form]] = {key: [] for key in keys}
        for slope in self.found.slopes:
            if self.gravity is None or not slope:
                parts: dict[str, Form] | None = dict.fromkeys(keys, self.ring.zero)
                if slope:
                    return None
            else:
                alone = self.ring.partial(slope, self.letters.atom(self.gravity))
                parts = by_letter(self.letters, alone, keys)
            if parts is None:
                return None
            for key in keys:
                heights[key].append(parts[key])
        return heights

    # ------------------------------------------------------------------ turning

    def _turn(self, key: str, square: list[list[Form]]) -> tuple[Form, ...] | None:
        """Return by which factors coordinates turn a body, where that is all that it does."""
        if _letter(key) not in "IJΘ" and not (
            all(entry.is_number for row in square for entry in row)
            and all(not square[n][n] or n in self.turning for n in self.count)
        ):
            return None
        factors = [self._root(square[n][n]) for n in self.count]
        if any(one is None for one in factors):
            return None
        known = [one for one in factors if one is not None]
        first = next((n for n in self.count if known[n]), 0)
        signed = [
            -one if n != first and not (square[first][n] + known[first] * one) else one
            for n, one in enumerate(known)
        ]
        if any(map(self._is_moved, signed)):
            return None
        fits = all(
            not (square[i][j] - signed[i] * signed[j]) for i in self.count for j in self.count
        )
        return tuple(signed) if fits else None

    def _root(self, square: Form) -> Form | None:
        """Return the positive root of a perfect square; None of anything else."""
        if not square:
            return self.ring.zero
        if any(
            one.kind != "factor"
            for one in map(self.ring.generators.__getitem__, square.terms.places())
        ):
            return None
        number, factors = sympy.factor_list(
            sympy.together(self.ring.expression(square)).as_numer_denom()[0]
        )
        below = sympy.factor_list(sympy.together(self.ring.expression(square)).as_numer_denom()[1])
        root = sympy.sqrt(sympy.Rational(number) / sympy.Rational(below[0]))
        if not root.is_Rational:
            return None
        for part, power in factors:
            if power % 2:
                return None
            root *= part ** (power // 2)
        for part, power in below[1]:
            if power % 2:
                return None
            root /= part ** (power // 2)
        if root.subs(dict.fromkeys(root.free_symbols, 1)).is_negative:
            root = -root
        return self.ring.form(root)

    # ------------------------------------------------------------------ chains of arms

    def _chain(
        self,
        key: str,
        square: list[list[Form]],
        slopes: list[Form],
        known: Mapping[tuple[int, ...], Arm],
    ) -> Placed | None:
        """Return a mass at the end of arms, which shifts carry, with that velocity and height."""
        for angles in self._angles():
            parts = self._arms(square, angles, slopes)
            if parts is None:
                continue
            shifts, arms, spread = parts
            for directions in self._directions(shifts, slopes):
                choices = [
                    [known[angle].way] if angle in known else list(WAYS) for angle, _ in arms
                ]
                for ways in product(*choices):
                    one = replace(self._assembled(key, directions, arms, ways), spread=spread)
                    if self._has(one, square, slopes):
                        return one
        return None

    def _angles(self) -> Iterator[list[tuple[int, ...]]]:
        """Iterate over the angles of arms: each coordinate, or the sum of it and those before."""
        turning = self.turning
        yield [tuple(int(n == one) for n in self.count) for one in turning]
        for order in permutations(turning) if 1 < len(turning) < 5 else ():
            yield [tuple(int(n in order[: k + 1]) for n in self.count) for k in range(len(order))]

    def _arms(
        self, square: list[list[Form]], angles: list[tuple[int, ...]], slopes: list[Form]
    ) -> tuple[list[int], list[tuple[tuple[int, ...], Form]], Form | None] | None:
        """Return what shifts a mass, its arms by their angles with their lengths, its spread.

        Where its height tells a shorter arm than its velocity, the rest is what it is spread by.
        """
        ring, turning = self.ring, self.turning
        if not angles:
            moved = [n for n in self.count if square[n][n]]
            return (moved, [], None) if len(moved) < 3 else None
        matrix = sympy.Matrix([[row[n] for n in turning] for row in angles])
        over = matrix.inv()  # coordinates in angles
        lengths, spread = list[tuple[tuple[int, ...], Form]](), None
        for k, angle in enumerate(angles):
            parts = [
                square[turning[i]][turning[j]].scaled(QQ(int(over[i, k] * over[j, k])))
                for i in range(len(turning)) for j in range(len(turning))
                if over[i, k] and over[j, k]
            ]  # fmt: skip
            whole = ring.sum(parts)
            length = self._root(whole)
            tilt = ring.sum(
                [
                    slopes[turning[i]].scaled(QQ(int(over[i, k])))
                    for i in range(len(turning))
                    if over[i, k]
                ]
            )
            if tilt and not self._is_moved(whole):
                bend = ring.partial(tilt, self.places[turning[k]])
                short = self._root(tilt * tilt + bend * bend)
                if short is not None and whole - short * short:
                    if spread is not None or k < len(angles) - 1:
                        return None
                    length, spread = short, whole - short * short
            if length is None:
                return None
            if length:
                lengths.append((angle, length))
        inside = {one.key for _, length in lengths for one in letters_of(self.letters, length)}
        shifts = [
            n for n in self.count
            if n not in turning and square[n][n] and self.found.coordinates[n].key not in inside
        ]  # fmt: skip
        return (shifts, lengths, spread) if len(shifts) < 3 else None

    def _is_moved(self, form: Form) -> bool:
        return any(one.key in self.letters.moving for one in letters_of(self.letters, form))

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
        elif not self._is_moved(climb):
            for angle in sorted(_angles(climb), key=str):
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

    def angle(self, angle: Sequence[int]) -> Form:
        """Return an angle as a form."""
        ring = self.ring
        return ring.sum([ring.symbol(self.places[n]) for n in self.count if angle[n]])

    def _has(self, one: Placed, square: list[list[Form]], slopes: list[Form]) -> bool:
        """Return whether a place has that velocity, and that height but for a constant."""
        partial = self.ring.partial
        steps = [[partial(part, atom) for atom in self.places] for part in one.position]
        if any(steps[1][n] - slopes[n] for n in self.count if any(slopes)):
            return False
        last = one.arms[-1].angle if one.arms else ()
        turn = one.spread if one.spread is not None else self.ring.zero
        return all(
            not (
                self.ring.sum([step[i] * step[j] for step in steps])
                + (turn if last and last[i] and last[j] else self.ring.zero)
                - square[i][j]
            )
            for i in self.count
            for j in self.count
            if i <= j
        )

    # ------------------------------------------------------------------ about the vertical

    def _rod(self, key: str, square: list[list[Form]]) -> Turning | None:
        """Return a rod that turns about the vertical and is tilted."""
        ring = self.ring
        for a, p in permutations(self.count, 2):
            tilt = ring.symbol(self.places[p])
            for is_upright, arm in ((1, ring.sin(tilt)), (0, ring.cos(tilt))):
                wanted = {(a, a): arm * arm, (p, p): ring.one}
                if not any(
                    square[i][j] - wanted.get((i, j), ring.zero)
                    for i in self.count for j in self.count
                ):  # fmt: skip
                    return Turning(key, axes=(a, p, is_upright))
        return None

    def _around(self, key: str, square: list[list[Form]], slopes: list[Form]) -> Placed | None:
        """Return a mass at the end of an arm that is tilted, on one about the vertical."""
        ring = self.ring
        for a, p in permutations(self.count, 2):
            turn, tilt = (ring.symbol(self.places[n]) for n in (a, p))
            length = self._root(square[p][p])
            if not length:
                continue
            sine, cosine = ring.sin(tilt), ring.cos(tilt)
            for is_upright, arm, height in ((True, sine, cosine), (False, cosine, sine)):
                out = length * arm
                level = self._root(square[a][a] - out * out)
                if level is None:
                    continue
                for side, up in product((1, -1), repeat=2):
                    leaning = out.scaled(QQ(side))
                    position = (
                        level * ring.cos(turn) - leaning * ring.sin(turn),
                        (length * height).scaled(QQ(up)),
                        level * ring.sin(turn) + leaning * ring.cos(turn),
                    )
                    carried = Around(a, p, level, length, side, up, is_upright)
                    one = Placed(key, position, around=carried)
                    if self._has(one, square, slopes):
                        return one
        return None

    # ------------------------------------------------------------------ what the page prints

    def _printed(self, key: str, square: list[list[Form]], slopes: list[Form]) -> Placed | None:
        """Return a mass at a position that the page prints."""
        for size in (1, 2, 3):
            for chosen in permutations(self._positions, size):
                names = tuple(name for name, _ in chosen)
                forms = [form for _, form in chosen]
                if [*names] != sorted(names) and not any(slopes):
                    continue
                while len(forms) < 3:
                    forms.append(self.ring.zero)
                for position in self._upright(forms, any(map(bool, slopes))):
                    one = Placed(key, position, printed=names)
                    if self._has(one, square, slopes):
                        return one
        return None

    def _upright(self, forms: list[Form], is_heavy: bool) -> Iterator[tuple[Form, Form, Form]]:
        a, b, c = forms
        yield a, b, c
        if is_heavy:
            yield a, -b, c

    @property
    def _positions(self) -> list[tuple[str, Form]]:
        """The positions that the page prints in these coordinates, with their letters."""
        own = {one.key for one in self.found.coordinates}
        found: dict[str, Form] = {}
        for key, known in self.motion.meanings.definitions.items():
            for one in known:
                if one.letter.dots or not one.grid.is_scalar or key in found:
                    continue
                try:
                    form = View(self.motion.meanings, one.statement, ()).lower(one.grid.form)
                except (FreebodyError, ZeroDivisionError):
                    continue
                inside = letters_of(self.letters, form)
                moving = {one.key for one in inside if one.key in self.letters.moving}
                if moving and moving <= own and not any(one.dots for one in inside):
                    found[key] = form
        lengths = [n for n in self.count if n not in self.turning]
        plain = [(self.found.coordinates[n].key, self.ring.symbol(self.places[n])) for n in lengths]
        return [*plain, *found.items()][:MOST_POSITIONS]


def _letter(key: str) -> str:
    letter = SymbolShape.of(key).letter
    return letter if len(letter) == 1 else {"Theta": "Θ"}.get(letter, "?")


def _size(square: list[list[Form]]) -> int:
    return sum(len(entry.terms) for row in square for entry in row)


def _angles(form: Form) -> set[sympy.Expr]:
    """Return the symbols in the angles of a form."""
    generators = map(form.ring.generators.__getitem__, form.terms.places())
    return {
        atom
        for one in generators
        if one.kind == "angle"
        for argument in one.arguments
        for atom in argument.symbols
    }
