"""Which models a page may be about: its equations held against theirs, whatever letters it has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, combinations, permutations

from freebody.recognition.equations.functions import is_function
from freebody.recognition.equations.page_motion import MOST_SYSTEMS, PageSystem
from freebody.recognition.equations.products import RATES, Powers, Product, Row
from freebody.recognition.known.matching import Images, Match, Matching, phases
from freebody.recognition.known.support import tells
from freebody.recognition.known.variations import ADDED, OpenModel, Variation, is_added

MOST_STATES = 6
"""Ways to name the letters that are followed at once."""
MOST_ROWS = 12
"""Equations of a page that are looked at."""
ALIKE, OF_ALIKE = 12, 3
"""How many products tell a model of which no equation is as a whole, and by how many others."""
PER_LUMP = 0.35
"""What it weighs that a letter is a product of constants, against an equation that fits."""
PER_LUMP_OF_MANY = 0.1
"""The same where the model is one of such products."""
PER_ADDED = 0.2
"""What it weighs that something acts that the model has not."""
PER_OTHER_LETTER = 0.01
PER_UNNAMED = 0.35
"""What it weighs that it is no model that a document can name."""
PER_NEAR, PER_SPECIAL = 0.4, 0.5
"""What an equation weighs that nearly fits, or where nothing acts besides."""
NEARLY = 0.1
"""By how much a way to name letters may be less likely, and still leaves them open."""


@dataclass(frozen=True)
class Counting:
    """How the coordinates of a page are those of a model.

    Attributes
    ----------
    numbers : tuple of int
        By coordinate of the page, the place of the model's.
    flipped : frozenset of int
        Those of the model that the page counts backwards.
    way : bool
        Whether angles are counted the other way than by the model, from bodies or from a direction.
    turned : tuple of (int, int)
        By coordinate of the model, the right angles from its zero to that of the page.
    """

    numbers: tuple[int, ...]
    flipped: frozenset[int]
    way: bool
    turned: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Fit:
    """A model, varied, with which equations of a page are the same but for names.

    Attributes
    ----------
    model : OpenModel
    variation : Variation
    system : PageSystem
    counting : Counting
    images : dict of str to Powers
        What each letter of the page is in constants of the model.
    open : frozenset of str
        The letters that could as well be others.
    rows : tuple of Row
        Of the page: the equations that fit.
    near : tuple of Row
        Those that would with a product or a sign changed.
    left : tuple of Product
        Of the model, in these equations, which the page has not.
    counts : tuple of (int, int)
        How many products of the equations are those of the model, and how many are not.
    backwards : frozenset of str
        The forces besides that the page counts against the coordinates they act along.
    """

    model: OpenModel
    variation: Variation
    system: PageSystem
    counting: Counting
    images: Images
    open: frozenset[str]
    rows: tuple[Row, ...]
    near: tuple[Row, ...] = ()
    left: tuple[Product, ...] = ()
    counts: tuple[int, int] = (0, 0)
    backwards: frozenset[str] = frozenset()

    @property
    def is_alike(self) -> bool:
        """Whether most of the equations is of the model, though none is as a whole."""
        alike, others = self.counts
        return not self.rows and alike >= max(ALIKE, OF_ALIKE * others)

    @cached_property
    def added(self) -> tuple[str, ...]:
        """What acts that the model has not: a force or friction, by coordinate."""
        images = chain.from_iterable(self.images.values())
        return tuple(sorted({name for name, _ in images if name.startswith(ADDED)}))

    def letter_of(self, added: str) -> tuple[str, Powers]:
        """Return the letter for what acts besides, and the constants that it is multiplied by."""
        for key, image in self.images.items():
            if any(name == added for name, _ in image):
                return key, tuple((name, -power) for name, power in image if name != added)
        raise KeyError(added)

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """What acts in the model, in equations that the page has, and not on the page."""
        taken = {name for image in self.images.values() for name, _ in image}
        inside = {name for one in self.left for name, _ in one.constants} - taken
        acting = (*self.model.model.inputs, *self.model.model.constants)
        return tuple(n for n in acting if n in inside and n in self.model.optional)

    @cached_property
    def cost(self) -> float:
        """How far the page is from the model as it is."""
        lumps = sum(len(image) > 1 or image[0][1] != 1 for image in self.images.values())
        others = sum(not _is_alike(key, image) for key, image in self.images.items())
        per_lump = PER_LUMP_OF_MANY if self.model.is_lumped else PER_LUMP
        turned = sum(min(q, 4 - q) for _, q in self.counting.turned)
        counting = 0.1 * (len(self.counting.flipped) + self.counting.way) + 0.05 * turned
        return (
            self.variation.cost + per_lump * lumps + PER_ADDED * len(self.added) + counting
            + PER_OTHER_LETTER * others + PER_UNNAMED * (not self.model.is_named)
        )  # fmt: skip

    @cached_property
    def special(self) -> tuple[Row, ...]:
        """The equations of the page that lack of one that fits what acts besides: its friction."""
        acting = [{*row.products} for row in self.rows if self.added]
        numbers, flipped = dict(enumerate(self.counting.numbers)), self.counting.flipped
        counted = (row.renumbered(numbers, flipped) for row in self.system.rows if acting)
        return tuple(row for row in counted if any({*row.products} < one for one in acting))

    @cached_property
    def score(self) -> float:
        """How many equations fit, less what that costs."""
        alike = PER_NEAR * len(self.near) + PER_SPECIAL * len(self.special)
        return len(self.rows) + alike - self.cost

    @cached_property
    def is_doubtful(self) -> bool:
        """Whether a Lagrangian of the page gives another model than its equations do."""
        known = {label for row in (*self.rows, *self.near) for label in row.labels}
        derived = [row for row in self.system.rows if row.is_derived]
        others = [row for row in derived if known.isdisjoint(row.labels)]
        return not all(map(self._is_driven_further, others))

    def _is_driven_further(self, derived: Row) -> bool:
        """Return whether an equation that fits is one that a Lagrangian gives, and what drives."""
        own, inputs = {*derived.products}, {*self.added, *self.model.model.inputs}
        acting = {key for key, image in self.images.items() if any(n in inputs for n, _ in image)}
        rests = [{*row.products} - own for row in self.rows if own <= {*row.products}]
        return any(all(_is_driven(one, acting) for one in rest) for rest in rests)

    def labels(self) -> tuple[str, ...]:
        """Return the labels of the equations that fit."""
        return tuple(dict.fromkeys(label for row in self.rows for label in row.labels))


def _is_alike(key: str, image: Sequence[tuple[str, int]]) -> bool:
    letter = key.strip("\\").partition("_")[0].lower()
    return image[0][0].lower().startswith(letter[:1])


@dataclass(frozen=True)
class _State:
    """Some letters with what they are, and what that makes of the equations so far."""

    images: Images = field(default_factory=dict)
    matches: tuple[tuple[Row, Match], ...] = ()


def fits(
    system: PageSystem,
    model: OpenModel,
    *,
    misprints: int = 0,
    lost: int = 0,
    solved: bool = False,
) -> Iterator[Fit]:
    """Iterate over the ways in which equations of a page are those of a model.

    Parameters
    ----------
    system : PageSystem
        Of the page.
    model : OpenModel
    misprints : int, optional
        How many products of an equation may differ.
    lost : int, optional
        How many products of the model an equation may lack besides.
    solved : bool, optional
        Whether equations are taken as solved for accelerations.
    """
    if len(system.coordinates) != len(model.coordinates):
        return
    matching = Matching(model.optional, misprints, lost, model.may_mean, model.apart)
    rows = _tried(system)
    for counting in countings(system, model):
        numbers = dict(enumerate(counting.numbers))
        page = [row.renumbered(numbers, counting.flipped) for row in rows]
        general = model.rows(model.general, counting.way, solved)
        page = [row for row in page if _is_within(row, general, misprints)]
        for variation in model.variations if page else ():
            states = _followed(matching, page, model.rows(variation, counting.way, solved))
            yield from _settled(states, model, variation, system, counting)


@lru_cache(maxsize=MOST_SYSTEMS)  # rows remember how they are with other numbers
def _tried(system: PageSystem) -> tuple[Row, ...]:
    """Return the equations of a page that known models may have, for all of these."""
    rows = (row for row in system.rows if not any(map(_is_given, row.constants)))
    return tuple(_different(rows))


def _is_given(constant: str) -> bool:
    """Return whether what stands for a constant changes in a given way, as in no known model."""
    return is_function(constant) or constant.startswith(RATES)


def _is_within(row: Row, known: Sequence[Row], misprints: int) -> bool:
    """Return whether products of an equation stand where those of one of some others do."""
    places = row.by_place.keys()
    return any(len(places - other.by_place.keys()) <= misprints for other in known)


def _different(rows: Iterable[Row]) -> list[Row]:
    """Return rows that differ, with the labels of all that are the same, the shortest first.

    Of many those are kept that are about most coordinates.
    """
    labels: dict[object, Row] = {}
    for row in rows:
        key = frozenset(row.products)
        before = labels.get(key)
        names = (*(before.labels if before else ()), *row.labels)
        is_derived = row.is_derived and (before is None or before.is_derived)
        labels[key] = Row(row.products, tuple(dict.fromkeys(names)), is_derived)
    most = sorted(labels.values(), key=lambda row: (-len(row.coordinates), len(row.products)))
    return sorted(most[:MOST_ROWS], key=lambda row: len(row.products))


def countings(system: PageSystem, model: OpenModel) -> Iterator[Counting]:
    """Iterate over the ways in which coordinates of a page may be those of a model."""
    n = len(model.coordinates)
    angles = [i for i in range(n) if model.is_angle[i]]
    for way in model.ways:
        for numbers in permutations(range(n)):
            turning = [numbers[i] for i in range(n) if system.is_angle[i]]
            if all(model.is_angle[i] for i in turning):
                for flipped in _subsets(angles):
                    yield Counting(numbers, frozenset(flipped), way)


def _subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(items) + 1):
        yield from combinations(items, size)


def _followed(matching: Matching, page: Sequence[Row], known: Sequence[Row]) -> list[_State]:
    """Return the ways to name letters with which most equations are of the model."""
    pairs = {id(row): [other for other in known if matching.may_match(row, other)] for row in page}
    likely = [row for row in page if pairs[id(row)]]
    states = [_State()]
    for row in sorted(likely, key=lambda one: (not tells(one), -len(one.products))):
        more = [
            _State(match.images, (*state.matches, (row, match)))
            for state in states
            for other in pairs[id(row)]
            for match in matching.matches(row, other, state.images)
        ]
        more = [one for one in more if _is_consistent(one, matching)]
        exact = [one for one in more if not (one.matches[-1][1].missing or matching.lost)]
        states = _best([*more, *(states if not exact or len(states) > 1 else ())])
    is_turning = any(place.turns for row in known for place in row.by_place)
    return [one for one in states if one.matches and _is_telling(one, is_turning=is_turning)]


def _is_consistent(state: _State, matching: Matching) -> bool:
    """Return whether what equations have not is zero by constants that none of them has."""
    return all(
        len(match.lacking(state.images, matching.optional)) <= len(match.missing) + matching.lost
        for row, match in state.matches
        if not row.is_derived
    )


def _is_telling(state: _State, *, is_turning: bool) -> bool:
    """Return whether equations match that could have failed: with more than what moves alone.

    That a mass times its acceleration is a force, or that there is friction, is no evidence. Of a
    model with sines and cosines there must be one.
    """
    own = [
        [derived for _, derived in match.pairs if not is_added(derived.constants)]
        for _, match in state.matches
    ]
    places = {one.place for row in own for one in row}
    if is_turning:
        return any(place.turns for place in places) and len(places) > 1
    positions = [
        place for place in places if any(m.dots == 0 or power > 1 for m, power in place.powers)
    ]
    return bool(positions) or any(map(_adds_masses, own))


def _adds_masses(row: Sequence[Product]) -> bool:
    """Return whether an equation has two products with the same acceleration."""
    summed = [one.place for one in row if any(m.dots == 2 for m, _ in one.place.powers)]
    return len(summed) > len(set(summed))


def _best(states: Iterable[_State]) -> list[_State]:
    different: dict[object, _State] = {}
    for one in states:
        key = (tuple(sorted(one.images.items())), len(one.matches))
        different.setdefault(key, one)
    return sorted(different.values(), key=_weight)[:MOST_STATES]


def _weight(state: _State) -> tuple[float, float]:
    images = state.images.values()
    added = sum(map(is_added, images))
    lumps = sum(len(image) > 1 or image[0][1] != 1 for image in images)
    others = sum(not _is_alike(key, image) for key, image in state.images.items())
    missing = sum(len(match.missing) for _, match in state.matches)
    whole = len(state.matches) - 0.6 * missing
    return (-whole, PER_LUMP * lumps + PER_ADDED * added + PER_OTHER_LETTER * others)


def _settled(
    states: Sequence[_State],
    model: OpenModel,
    variation: Variation,
    system: PageSystem,
    counting: Counting,
) -> Iterator[Fit]:
    """Iterate over the fit of states: with angles turned so that most signs are right."""
    angles = [n for n, is_angle in enumerate(model.is_angle) if is_angle]
    known = [_Turned.of(one, angles, model.optional) for one in states]
    if not known:
        return
    best = min(known, key=lambda one: one.weight)
    whole, cost = best.weight
    rivals = [one for one in known if one.weight[0] == whole and one.weight[1] < cost + NEARLY]
    images = best.state.images
    counted = replace(counting, turned=best.quarters)
    yield Fit(
        model, variation, system, counted, images, _open(images, rivals),
        best.rows, best.near, best.left(model.model.inputs), best.counts, best.backwards,
    )  # fmt: skip


@dataclass(frozen=True)
class _Turned:
    """A state with its angles turned, and the equations that are right then, or nearly."""

    state: _State
    quarters: tuple[tuple[int, int], ...]
    rows: tuple[Row, ...]
    near: tuple[Row, ...]
    counts: tuple[int, int]
    backwards: frozenset[str]

    @classmethod
    def of(cls, state: _State, angles: Sequence[int], optional: frozenset[str]) -> _Turned:
        """Turn the angles of a state so that most of its equations are right."""
        matches = [match for _, match in state.matches]
        ways = [
            (sum(not one for one in wrong), -n, turned, backwards, wrong)
            for n, (turned, misfits) in enumerate(phases(matches, angles))
            for backwards, wrong in (_with_forces_turned(matches, misfits),)
        ]
        _, _, turned, backwards, wrong = max(ways, key=lambda one: one[:2])
        rows, near = list[Row](), list[Row]()
        for (row, match), misfits in zip(state.matches, wrong, strict=True):
            lost = [] if row.is_derived else match.lacking(state.images, optional)
            is_whole = not (misfits or match.missing or lost)
            is_near = len(misfits) + len(match.missing) + len(lost) < len(match.pairs)
            (rows if is_whole else near if is_near else []).append(row)
        quarters = tuple((n, quarter) for n, quarter in turned.items() if quarter)
        others = [len(a) + len(b.missing) for a, b in zip(wrong, matches, strict=True)]
        alike = sum(len(row.products) for row, _ in state.matches) - sum(others)
        return cls(state, quarters, tuple(rows), tuple(near), (alike, sum(others)), backwards)

    @property
    def weight(self) -> tuple[float, float]:
        """How many equations are not right, negative, and what the letters cost."""
        return -len(self.rows) - 0.4 * len(self.near), _weight(self.state)[1]

    def left(self, inputs: Collection[str]) -> tuple[Product, ...]:
        """Return the products of the model that the equations of the page have not.

        What a Lagrangian gives has neither inputs nor friction, and does not tell of them.
        """
        return tuple(
            one
            for row, match in self.state.matches
            for one in match.left
            if not row.is_derived or not _is_driven(one, inputs)
        )


def _with_forces_turned(
    matches: Sequence[Match], wrong: Sequence[Collection[Product]]
) -> tuple[frozenset[str], list[list[Product]]]:
    """Return the forces besides whose signs are all wrong, and what is wrong with these turned."""
    signs: dict[str, list[bool]] = {}
    forces = dict[int, str]()
    for match, misfits in zip(matches, wrong, strict=True):
        odd = {id(one) for one in misfits}
        for printed, derived in match.pairs:
            for name, _ in derived.constants:
                if name.startswith(ADDED[0]):
                    signs.setdefault(name, []).append(id(printed) not in odd)
                    forces[id(printed)] = name
    backwards = frozenset(name for name, right in signs.items() if not any(right))
    left = [[one for one in each if forces.get(id(one)) not in backwards] for each in wrong]
    return backwards, left


def _is_driven(product: Product, inputs: Collection[str]) -> bool:
    """Return whether a product is of an input or of friction."""
    is_slow = [(m.dots, power) for m, power in product.place.powers] == [(1, 1)]
    return is_slow or any(name in inputs for name, _ in product.constants)


def _open(images: Images, rivals: Iterable[_Turned]) -> frozenset[str]:
    """Return the letters that others ways to name them name otherwise."""
    others = [one.state.images for one in rivals]
    return frozenset(
        key for key, image in images.items() if any(one.get(key) != image for one in others)
    )
