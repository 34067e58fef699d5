"""What the constants of one equation are in another: products held against products."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import product as every

from freebody.recognition.equations.products import MovingPart, Powers, Product, Row
from freebody.recognition.known.variations import is_added

MOST_STEPS = 4_000
"""Of the search through one pair of equations."""
MOST_MISPRINTED = 6_000
"""Of the search through all equations of a model, where products may have no counterpart."""
Image = Powers
"""What a letter of a page is in constants of a model: a product of their powers."""
Images = dict[str, Image]
Allowed = Callable[[str, Image], bool]


@dataclass(frozen=True)
class Match:
    """Two equations that are the same but for names.

    Attributes
    ----------
    images : dict of str to Powers
        What each letter of the page is.
    pairs : tuple of (Product, Product)
        Of the page and of the model.
    left : tuple of Product
        Of the model, which the page has not.
    missing : tuple of Product
        Of the page, where a misprint is allowed for.
    """

    images: Images
    pairs: tuple[tuple[Product, Product], ...]
    left: tuple[Product, ...] = ()
    missing: tuple[Product, ...] = ()

    def lacking(self, images: Images, optional: Set[str]) -> list[Product]:
        """Return what the page has not, of what is no zero by constants that no letter is."""
        free = optional - {name for image in images.values() for name, _ in image}
        return [one for one in self.left if not any(name in free for name, _ in one.constants)]


@dataclass
class Matching:
    """Holds an equation of a page against one of a model.

    Parameters
    ----------
    optional : collection of str
        The constants of the model that may be zero: inputs, friction, gravity.
    misprints : int, optional
        How many products of the page may have no counterpart.
    lost : int, optional
        How many products of the model may have none besides.
    allowed : callable, optional
        Says whether a letter may stand for a product of constants.
    apart : collection of str, optional
        What of the optional a Lagrangian does not tell: inputs and friction.
    """

    optional: frozenset[str]
    misprints: int = 0
    lost: int = 0
    allowed: Allowed = field(default=lambda _letter, _image: True)
    apart: frozenset[str] = frozenset()
    _steps: int = field(default=0)
    _all_steps: int = field(default=0)

    def may_match(self, page: Row, model: Row) -> bool:
        """Return whether the products of two equations stand in the same places, at least."""
        if len(page.products) > len(model.products) + 1:
            return False
        known, needed = model.by_place, page.by_place
        strange = sum(len(needed[place]) for place in needed if place not in known)
        if strange > self.misprints:
            return False
        left = self.misprints
        for place, count in model.required(self.optional):
            if place not in needed:
                left -= count
                if left < 0:
                    return False
        return True

    def matches(self, page: Row, model: Row, images: Images) -> Iterator[Match]:
        """Iterate over the ways in which an equation of a page is one of a model."""
        if not self.may_match(page, model):
            return
        self._steps = 0
        order = sorted(page.products, key=lambda one: len(model.by_place.get(one.place, ())))
        anchors = [one for one in order if one.place in model.by_place]
        for anchor in anchors[: 1 + self.misprints]:
            rest = [one for one in order if one is not anchor]
            for partner in model.by_place[anchor.place]:
                for found in self._paired(rest, anchor, partner, model, images):
                    scaled = self._scaled(found, anchor, partner, model)
                    if self._is_whole(scaled, is_derived=page.is_derived):
                        yield scaled

    def _paired(
        self, rest: Sequence[Product], anchor: Product, partner: Product, model: Row, images: Images
    ) -> Iterator[Match]:
        """Pair all products with those of the model, by their ratio to one pair."""
        ratio = anchor.size / partner.size
        start = ((anchor, partner),)

        def going_on(
            position: int,
            images: Images,
            pairs: tuple[tuple[Product, Product], ...],
            missing: tuple[Product, ...],
        ) -> Iterator[Match]:
            self._steps += 1
            self._all_steps += self.misprints > 0
            if self._steps > MOST_STEPS or self._all_steps > MOST_MISPRINTED:
                return
            if position == len(rest):
                yield Match(images, pairs, missing=missing)
                return
            one = rest[position]
            used = {id(other) for _, other in pairs}
            is_found = False
            for other in model.by_place.get(one.place, ()):
                if id(other) in used or one.size != ratio * other.size:
                    continue
                wanted = _quotient(other.constants, partner.constants)
                printed = _quotient(one.constants, anchor.constants)
                for extended in extended_images(images, printed, wanted, self.allowed):
                    is_found |= not is_added(other.constants)  # which would explain any misprint
                    yield from going_on(position + 1, extended, (*pairs, (one, other)), missing)
            if not is_found and len(missing) < self.misprints:
                yield from going_on(position + 1, images, pairs, (*missing, one))

        yield from going_on(0, images, start, ())

    def _scaled(self, match: Match, anchor: Product, partner: Product, model: Row) -> Match:
        """Settle letters that are in all products alike, and what of the model is left over."""
        paired = {id(other) for _, other in match.pairs}
        left = [one for one in model.products if id(one) not in paired]
        ways = extended_images(match.images, anchor.constants, partner.constants, self.allowed)
        found = next(ways, None)
        images = found if found is not None else match.images
        return Match(images, match.pairs, tuple(left), match.missing)

    def _is_whole(self, match: Match, *, is_derived: bool) -> bool:
        """Return whether an equation has all of one of the model, or all that a Lagrangian has."""
        lacking = match.lacking(match.images, self.optional)
        if is_derived:
            own = self.apart
            lacking = [one for one in lacking if own.isdisjoint(name for name, _ in one.constants)]
        return len(lacking) <= len(match.missing) + self.lost


def _quotient(one: Powers, other: Powers) -> Powers:
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) - power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


_PRODUCT: Image = (("", 1), (" ", 1))
"""Of two constants, which a letter that is hardly ever used for anything else is not."""


def _any(_letter: str, _image: Image) -> bool:
    return True


def extended_images(
    images: Images, printed: Powers, wanted: Powers, allowed: Allowed = _any
) -> Iterator[Images]:
    """Iterate over what more letters may be so that a product of letters is one of constants.

    Examples
    --------
    >>> [*extended_images({"m": (("M", 1),)}, (("l", 2), ("m", 1)), (("L", 2), ("M", 1)))]
    [{'m': (('M', 1),), 'l': (('L', 1),)}]
    """
    unknown = [(name, power) for name, power in printed if name not in images]
    rest = dict(wanted)
    for name, power in printed:
        for constant, inner in images.get(name, ()):
            rest[constant] = rest.get(constant, 0) - power * inner
    rest = {name: power for name, power in rest.items() if power}
    taken = {image[0][0] for image in images.values() if len(image) == 1}
    strict = [one for one in unknown if not allowed(one[0], _PRODUCT)]
    free = [one for one in unknown if one not in strict]
    orders = [[*strict, *free]]
    if len(free) == 2 and len(rest) > len(unknown):  # either may be a product of several
        orders.append([*strict, *reversed(free)])
    seen = list[Images]()
    for order in orders:
        for found in _solved(images, order, rest, taken, allowed):
            if found not in seen:
                seen.append(found)
                yield found


def _solved(
    images: Images,
    unknown: Sequence[tuple[str, int]],
    rest: Mapping[str, int],
    taken: set[str],
    allowed: Allowed,
) -> Iterator[Images]:
    if not unknown:
        if not rest:
            yield images
        return
    (letter, power), *others = unknown
    if not others:
        if rest and all(inner % power == 0 for inner in rest.values()):
            image = tuple(sorted((name, inner // power) for name, inner in rest.items()))
            is_plain = len(image) == 1 and image[0][1] == 1
            if not (is_plain and image[0][0] in taken) and allowed(letter, image):
                yield {**images, letter: image}
        return
    for name, inner in rest.items():
        if inner == power and name not in taken and allowed(letter, ((name, 1),)):
            left = {one: value for one, value in rest.items() if one != name}
            known = {**images, letter: ((name, 1),)}
            yield from _solved(known, others, left, taken | {name}, allowed)


# ---------------------------------------------------------------------- where angles count from


def phases(
    matches: Sequence[Match], angles: Sequence[int]
) -> Iterator[tuple[dict[int, int], list[tuple[Product, ...]]]]:
    """Iterate over the right angles by which each angle of the page may be turned.

    Yields
    ------
    turned : dict of int to int
        Quarters of a turn by coordinate.
    wrong : list of tuple of Product
        For each equation the products whose sign is not that of the model then.
    """
    for quarters in sorted(every(range(4), repeat=len(angles)), key=_distance):
        turned = dict(zip(angles, quarters, strict=True))
        yield turned, [_misfits(match, turned) for match in matches]


def _distance(quarters: tuple[int, ...]) -> int:
    return sum(min(one, 4 - one) for one in quarters)


def _misfits(match: Match, turned: Mapping[int, int]) -> tuple[Product, ...]:
    """Return the products of an equation that have another sign than most, with angles turned."""
    by_sign: dict[int, list[Product]] = {}
    for printed, derived in match.pairs:
        quarter = _quarters(derived.place, turned)
        if quarter is None:
            by_sign.setdefault(-1, []).append(printed)
            continue
        left = (printed.quarter - derived.quarter - quarter) % 4
        by_sign.setdefault(left, []).append(printed)
    real = [by_sign.get(0, []), by_sign.get(2, [])]
    most = max(real, key=len)
    return tuple(one for group in by_sign.values() if group is not most for one in group)


def _quarters(place: MovingPart, turned: Mapping[int, int]) -> int | None:
    total = sum(multiple * turned[one] for one, multiple in place.turns)
    return int(total) if total.denominator == 1 else None
