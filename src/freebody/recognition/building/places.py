"""Where masses are and how bodies turn, by what a page says of inertia and weight.

A mass is where the squares of its velocity are what stands beside it in the kinetic energy, and its
height is what stands beside it in the potential energy. It is looked for along chains of arms that
turn in a plane, and among the positions that the page prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations, product

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import substituted
from freebody.algebra.terms import Rational
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import letters_of
from freebody.consistency.meanings.views import View
from freebody.errors import FreebodyError
from freebody.recognition.building.bodies import Arm, Around, Bodies, Placed, Turning
from freebody.recognition.building.chains import Chains, Known
from freebody.recognition.building.energies import Energies, by_letter, constants, gravity_of
from freebody.recognition.building.geometry import Square, in_angles
from freebody.recognition.building.page_units import ANGLES
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.symbols.initials import ARMS, HEAVY, INERTIAS, MASSES, initial

MOST_POSITIONS = 16
"""Positions that a page prints, which are tried for each mass."""
MOST_DEGREE = 5
"""Of the slope of a surface that is tried, and one less."""
MOST_MASSES = 4
"""Letters that are taken for masses together where their names do not tell."""


def bodies(motion: PageMotion, found: Energies) -> Bodies | None:
    """Return where the masses of a page are; None where they are nowhere that is tried."""
    search = _Search(motion, found)
    for keys in search.masses():
        made = search.placed(keys)
        if made:
            return made
    return None


class _Search(Chains):
    """Places the masses of a page."""

    def __init__(self, motion: PageMotion, found: Energies) -> None:
        super().__init__(motion, found)
        inertia = [entry for row in found.inertia for entry in row]
        self.constants = constants(self.letters, inertia)
        self.gravity = next(iter(gravity_of(self.letters, found.slopes)), None)
        heavy = constants(self.letters, found.slopes)  # masses of which inertia is in other letters
        self.heavy = {key: atom for key, atom in heavy.items() if initial(key) in MASSES}

    def masses(self) -> Iterator[dict[str, sympy.Expr]]:
        """Iterate over the letters that may be masses and moments of inertia."""
        every = {**self.heavy, **self.constants}
        named = {key: atom for key, atom in every.items() if initial(key) in HEAVY}
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
            carried = self._carried(key, squares[key], heights[key], ways)
            if not carried:
                return None
            for one in carried:
                if isinstance(one, Turning):
                    turning.append(one)
                else:
                    masses.append(one)
                    ways |= {arm.angle: arm for arm in one.arms}
        return Bodies(tuple(masses), tuple(turning), self.gravity)

    def _carried(
        self, key: str, square: Square, slopes: list[Form], known: Known
    ) -> tuple[Placed, ...] | tuple[Turning, ...]:
        """Return the bodies of which a letter is the mass, or the moment of inertia."""
        if not any(slopes) and (turning := self._turns(key, square)):
            return turning
        if initial(key) in INERTIAS and not any(slopes):
            rod = self._rod(key, square)
            return (rod,) if rod else ()
        return self._masses(key, square, slopes, known)

    def _masses(
        self, key: str, square: Square, slopes: list[Form], known: Known
    ) -> tuple[Placed, ...]:
        """Return the bodies of which a letter is the mass: one, or each that moves apart."""
        apart = self._apart(key, square, slopes) if self._are_numbered(square) else ()
        if not apart:
            is_level = self.gravity is not None and not any(slopes)
            one = (
                (self._revolved(key, square, slopes) if is_level else None)
                or self.chain(key, square, slopes, known)
                or self._around(key, square, slopes)
                or self._printed(key, square, slopes)
                or self._counted(key, square, slopes, known)
                or self._swung(key, square, slopes)
                or self._straight(key, square, slopes)
                or self._slanted(key, square, slopes)
                or self._rolled(key, square, slopes)
                or self._revolved(key, square, slopes)
            )
            if one:
                return (one,)
        return (
            apart
            or self._apart(key, square, slopes)
            or self.alike(key, square, slopes, known)
            or self._rolling(key, square, slopes, known)
        )

    def _rolling(
        self, key: str, square: Square, slopes: list[Form], known: Known
    ) -> tuple[Placed, ...]:
        r"""Return a mass that rolls as it is shifted, ``\frac75 m\ddot r``, with what spin adds.

        That is a part of the mass which moves by the same along the level across the plane.
        """
        zero = self.ring.zero
        for n in self.count:
            whole = square[n][n]
            if n in self.turning or not whole.is_number or whole.number <= 1:
                continue
            bare = [[*row] for row in square]
            bare[n][n] = self.ring.one
            if carried := self._masses(key, bare, slopes, known):
                across = zero, zero, self.ring.symbol(self.places[n])
                return (*carried, Placed(key, across, count=QQ(whole.number - 1)))
        return ()

    def _are_numbered(self, square: Square) -> bool:
        """Return whether one letter with numbers moves a mass: rather several bodies than one."""
        moved = [one.key for n, one in enumerate(self.found.coordinates) if square[n][n]]
        return len({*map(initial, moved)}) < len(moved)

    def _apart(self, key: str, square: Square, slopes: list[Form]) -> tuple[Placed, ...]:
        """Return bodies that move each by coordinates of their own, with one letter for a mass."""
        parts = self._by_number(square)
        masses = list[Placed]()
        for part in parts if len(parts) > 1 else ():
            own, climbs = self._within(square, part), self._climbs(slopes, part)
            made = self.chain(key, own, climbs, {}) or self._counted(key, own, climbs, {})
            if made is None:
                return ()
            masses.append(made)
        return tuple(masses)

    def _counted(self, key: str, square: Square, slopes: list[Form], known: Known) -> Placed | None:
        """Return several bodies that move alike, as wheels do, as one with so many masses."""
        count = self._multiple(square)
        if count == 1:
            return None
        one = self.chain(key, _over(square, count), [x.scaled(1 / count) for x in slopes], known)
        return one and replace(one, count=count)

    def _swung(self, key: str, square: Square, slopes: list[Form]) -> Placed | None:
        r"""Return a mass at the end of an arm that an angle turns: ``m l^2\ddot\theta = \tau``."""
        moved = [n for n in self.count if any(square[n])]
        if any(slopes) or len(moved) != 1:
            return None
        (n,) = moved
        is_angle = SymbolShape.of(self.found.coordinates[n].key).letter in ANGLES
        length = self.root(square[n][n]) if is_angle else None
        inside = constants(self.letters, [length]) if length else {}
        if length is None or not all(initial(key) in ARMS for key in inside):
            return None
        ring, angle = self.ring, self.ring.symbol(self.places[n])
        position = length * ring.sin(angle), -length * ring.cos(angle), ring.zero
        arm = Arm(tuple(int(n == other) for other in self.count), length, (0, -1, 1))
        return Placed(key, position, arms=(arm,))

    def _straight(self, key: str, square: Square, slopes: list[Form]) -> Placed | None:
        r"""Return a mass that coordinates move along one line: ``x - l\theta`` of small angles."""
        made = None if any(slopes) else self._turn(key, square)
        if made is None:
            return None
        places = map(self.letters.form, self.found.coordinates)
        along = self.ring.sum([a * b for a, b in zip(made.factors, places, strict=True)])
        return Placed(key, (along, self.ring.zero, self.ring.zero), count=made.count)

    def _slanted(self, key: str, square: Square, slopes: list[Form]) -> Placed | None:
        r"""Return a mass that two coordinates move along lines at an angle that is given.

        One of them is level. The square of its velocity has :math:`2\dot x\dot\xi\cos\alpha`.
        """
        moved = [n for n in self.count if square[n][n]]
        for level, across in permutations(moved) if len(moved) == 2 else ():
            first, second = (self.root(square[n][n]) for n in (level, across))
            if slopes[level] or first is None or second is None:
                continue
            cosine = square[level][across] / (first * second)
            x, y = (self.ring.symbol(self.places[n]) for n in (level, across))
            for sine, up in product(self._sines(cosine), (1, -1)):
                along = first * x + second * cosine * y
                one = Placed(key, (along, (second * sine * y).scaled(QQ(up)), self.ring.zero))
                if self.has((one,), square, slopes):
                    return one
        return None

    def _sines(self, cosine: Form) -> Iterator[Form]:
        """Yield the sine of an angle that is given, by its cosine: by its letter or a number."""
        rest = self.ring.one - cosine**2
        if not letters_of(self.letters, cosine):
            yield self.ring.sqrt(rest)
        for atom in in_angles(cosine):
            sine = self.ring.partial(cosine, atom)
            if not sine**2 - rest:
                yield sine

    def _rolled(self, key: str, square: Square, slopes: list[Form]) -> Placed | None:
        r"""Return a mass that rolls along beside the axis of what rolls.

        It is at :math:`R\theta - e\sin\theta`, as its height and the square of its rate say.
        """
        moved = [n for n in self.count if any(square[n]) or slopes[n]]
        if len(moved) != 1:
            return None
        (n,) = moved
        ring, angle = self.ring, self.ring.symbol(self.places[n])
        level = square[n][n] - slopes[n] ** 2
        ends = [
            self.root(substituted(level, {self.places[n]: ring.form(at)})) for at in (0, sympy.pi)
        ]
        if None in ends:
            return None
        first, last = (one.scaled(QQ(1, 2)) for one in ends if one is not None)
        curved = ring.partial(slopes[n], self.places[n])
        for sign in (1, -1):
            even, wave = first + last.scaled(QQ(sign)), first - last.scaled(QQ(sign))
            across = even * angle + wave * ring.sin(angle)
            one = Placed(key, (across, -curved, ring.zero))
            if self.has((one,), square, slopes):
                return one
        return None

    def _revolved(self, key: str, square: Square, slopes: list[Form]) -> Placed | None:
        r"""Return a mass on a surface around the vertical: a level one, a cone, a paraboloid.

        It is at :math:`(r\cos\theta, h(r), r\sin\theta)`, h by its slope.
        """
        moved = [n for n in self.count if any(square[n]) or slopes[n]]
        ring = self.ring
        for away, turned in permutations(moved, 2) if len(moved) == 2 else ():
            radius, slope = self.root(square[turned][turned]), slopes[away]
            place, angle = self.places[away], self.places[turned]
            if radius is None or angle in radius.symbols | slope.symbols:
                continue
            if self._degree(radius, place) != 1 or self._degree(slope, place) is None:
                continue
            height = sympy.integrate(ring.expression(slope), place)
            around = ring.cos(ring.symbol(angle)), ring.sin(ring.symbol(angle))
            one = Placed(key, (radius * around[0], ring.form(height), radius * around[1]))
            if self.has((one,), square, slopes):
                return one
        return None

    def _degree(self, form: Form, atom: sympy.Expr) -> int | None:
        """Return to which power a symbol stands in a form; None where it is no polynomial in it."""
        for degree in range(MOST_DEGREE):
            form = self.ring.partial(form, atom)
            if not form:
                return degree
        return None

    def _multiple(self, square: Square) -> Rational:
        """Return by which number a velocity squared is more than a square."""
        first = next((row[n] for n, row in enumerate(square) if row[n]), self.ring.one)
        number = next(iter(first.terms.table.values()))
        parts = sympy.factorint(sympy.Integer(number.numerator * number.denominator))
        return QQ(int(sympy.prod([prime for prime, power in parts.items() if power % 2])))

    def _blocks(self, square: Square) -> list[set[int]]:
        """Return the coordinates that a velocity depends on, apart where no product links them."""
        blocks = list[set[int]]()
        for n in self.count:
            if not square[n][n]:
                continue
            linked = [one for one in blocks if any(square[n][m] for m in one)]
            blocks = [one for one in blocks if one not in linked] + [{n}.union(*linked)]
        return blocks

    def _by_number(self, square: Square) -> list[set[int]]:
        """Return blocks of coordinates, together where they have one number: x_1 and y_1."""
        found: dict[object, set[int]] = {}
        are_numbered = self._are_numbered(square)
        for block in self._blocks(square):
            scripts = {SymbolShape.of(self.found.coordinates[n].key).subscript for n in block}
            key = scripts.pop() if len(scripts) == 1 and are_numbered else ""
            found.setdefault(key or min(block), set()).update(block)
        return list(found.values())

    def _within(self, square: Square, part: set[int]) -> Square:
        zero = self.ring.zero
        return [[square[i][j] if {i, j} <= part else zero for j in self.count] for i in self.count]

    def _climbs(self, slopes: list[Form], part: set[int]) -> list[Form]:
        return [slopes[n] if n in part else self.ring.zero for n in self.count]

    def _squares(self, keys: Mapping[str, sympy.Expr]) -> dict[str, Square] | None:
        """Return by mass the matrix of the square of its velocity."""
        squares: dict[str, Square] = {key: [] for key in keys}
        for row in self.found.inertia:
            parts = [by_letter(self.letters, entry, keys) for entry in row]
            if None in parts:
                return None
            for key in keys:
                squares[key].append([part[key] for part in parts if part is not None])
        return squares

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

    def _turns(self, key: str, square: Square) -> tuple[Turning, ...]:
        """Return what a moment of inertia turns by: one body, or several that turn apart."""
        if initial(key) not in INERTIAS and not (
            all(entry.is_number for row in square for entry in row)
            and all(not square[n][n] or n in self.turning for n in self.count)
        ):
            return ()
        for parts in ([{*self.count}], self._blocks(square)):
            made = [self._turn(key, self._within(square, part)) for part in parts]
            known = tuple(one for one in made if one is not None)
            if len(known) == len(made):
                return known
        return ()

    def _turn(self, key: str, square: Square) -> Turning | None:
        """Return by which factors coordinates turn a body, where that is all that it does."""
        count = self._multiple(square)
        square = _over(square, count)
        factors = [self.root(square[n][n]) for n in self.count]
        if any(one is None for one in factors):
            return None
        known = [one for one in factors if one is not None]
        first = next((n for n in self.count if known[n]), 0)
        signed = [
            -one if n != first and not (square[first][n] + known[first] * one) else one
            for n, one in enumerate(known)
        ]
        if any(map(self.is_moved, signed)):
            return None
        fits = any(signed) and all(
            not (square[i][j] - signed[i] * signed[j]) for i in self.count for j in self.count
        )
        return Turning(key, tuple(signed), count=count) if fits else None

    # ------------------------------------------------------------------ about the vertical

    def _rod(self, key: str, square: Square) -> Turning | None:
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

    def _around(self, key: str, square: Square, slopes: list[Form]) -> Placed | None:
        """Return a mass at the end of an arm that is tilted, on one about the vertical."""
        ring = self.ring
        for a, p in permutations(self.count, 2):
            turn, tilt = (ring.symbol(self.places[n]) for n in (a, p))
            length = self.root(square[p][p])
            if not length:
                continue
            sine, cosine = ring.sin(tilt), ring.cos(tilt)
            for is_upright, arm, height in ((True, sine, cosine), (False, cosine, sine)):
                out = length * arm
                level = self.root(square[a][a] - out * out)
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
                    if self.has((one,), square, slopes):
                        return one
        return None

    # ------------------------------------------------------------------ what the page prints

    def _printed(self, key: str, square: Square, slopes: list[Form]) -> Placed | None:
        """Return a mass at a position that the page prints."""
        is_heavy = any(slopes)
        known = slopes if is_heavy else []
        for names, forms in self._positions(is_heavy=is_heavy):
            padded = [*forms, *(self.ring.zero for _ in range(3 - len(forms)))]
            for position in self._upright(padded, is_heavy):
                one = Placed(key, position, printed=names)
                if self.has((one,), square, known):
                    return one
        return None

    def _positions(self, *, is_heavy: bool) -> Iterator[tuple[tuple[str, ...], tuple[Form, ...]]]:
        """Iterate over the positions that the page prints: columns, and coordinates together."""
        columns = [(key, forms) for key, forms in self._places if len(forms) > 1]
        yield from (((key,), forms) for key, forms in columns[:MOST_POSITIONS])
        alone = [(key, forms[0]) for key, forms in self._places if len(forms) == 1]
        for size in (1, 2, 3):
            for chosen in permutations(alone[:MOST_POSITIONS], size):
                names = tuple(name for name, _ in chosen)
                if is_heavy or [*names] == sorted(names):
                    yield names, tuple(form for _, form in chosen)

    def _upright(self, forms: list[Form], is_heavy: bool) -> Iterator[tuple[Form, Form, Form]]:
        a, b, c = forms
        yield a, b, c
        if is_heavy:
            yield a, -b, c

    @cached_property
    def _places(self) -> list[tuple[str, tuple[Form, ...]]]:
        """What the page defines by these coordinates, lengths among them first, by its letters.

        With its letters for other constants, and with what they stand for put in.
        """
        own = {one.key for one in self.found.coordinates}
        lengths = [n for n in self.count if n not in self.turning]
        places: dict[object, tuple[str, tuple[Form, ...]]] = {
            n: (self.found.coordinates[n].key, (self.ring.symbol(self.places[n]),)) for n in lengths
        }
        known = (one for every in self.motion.meanings.definitions.values() for one in every)
        for one in (each for each in known if not each.letter.dots):
            entries = tuple(one.grid.entries())
            if len(entries) > len("xyz"):
                continue
            view = View(self.motion.meanings, one.statement, ())
            try:
                put_in = tuple(map(view.lower, entries))
            except (FreebodyError, ZeroDivisionError):
                continue
            for forms in (entries, put_in):
                inside = {each for form in forms for each in letters_of(self.letters, form)}
                moving = {each.key for each in inside if each.key in self.letters.moving}
                if moving and moving <= own and not any(each.dots for each in inside):
                    told = one.letter.key, *(form.terms for form in forms)
                    places[told] = one.letter.key, forms
        return [*places.values()]


def _size(square: Square) -> int:
    return sum(len(entry.terms) for row in square for entry in row)


def _over(square: Square, count: Rational) -> Square:
    """Return a square divided by a number."""
    return [[entry.scaled(1 / count) for entry in row] for row in square]
