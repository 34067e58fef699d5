"""How equations use letters: what they measure them in, and what they multiply them with."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from freebody.algebra.units import Dimension, S
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.formula_names import names_of
from freebody.checking.guesses.kinds import ENERGY, KINDS
from freebody.checking.guesses.letter_dimensions import letter_dimensions
from freebody.checking.guesses.prose_definitions import explained_meanings
from freebody.checking.guesses.symbols import PageSymbols, SymbolEquation
from freebody.checking.introduced import TIME, bare, defines
from freebody.consistency.statements import TURNS
from freebody.documents.latex.names import short
from freebody.documents.latex.tree import (
    Call,
    Divide,
    Labelled,
    Multiply,
    Name,
    Node,
    Number,
    Times,
    added,
    has_squared_rates,
    multiplied,
    rate_of,
    walk,
)

_LENGTHS = frozenset("lLrRhdxyz")
"""Letters that are for lengths, as a rule."""
_PAIR = 2
_ACCELERATION = 2
"""Dots of an acceleration."""
_NOISE = re.compile(
    r"\\(?:thick)?sim\s*\\(?:math(?:cal|scr)\s*\{?)?\s*(?:\\mathcal\s*)?N\}?"
    r"\s*(?:\\left\s*)?\(\s*(?:\\\w+\s*\{?\s*)?0"
)
"""How it is said that something is normally distributed about nothing."""
_BEFORE = re.compile(r"[^$=&,;]+\Z")
_LONGEST = 40
"""Characters of what is named in front of that."""


class LetterUses:
    """How the letters of a page are used.

    Parameters
    ----------
    page : PageSymbols
    prose : str
        The text of the page, with its formulas.
    energies : collection of str
        The letters that are energies.
    printed : mapping of str to Dimension
        What the page says that letters are measured in.
    """

    def __init__(
        self,
        page: PageSymbols,
        prose: str,
        energies: Collection[str],
        printed: Mapping[str, Dimension],
    ) -> None:
        self._page, self._prose = page, prose
        self._energies, self._printed = energies, printed
        self._said = explained_meanings(prose, [used.key for used in page.symbols], [])

    def is_told(self, key: str) -> bool:
        """Return whether the unit of a letter follows without that it is likely."""
        return key in self._told or key not in self._likely

    @cached_property
    def noise(self) -> frozenset[str]:
        """The letters that are normally distributed about nothing."""
        starts = (match.start() for match in _NOISE.finditer(self._prose))
        before = (self._prose[max(0, start - _LONGEST) : start] for start in starts)
        named = (_BEFORE.search(one.rstrip()) for one in before)
        return frozenset(short(key) for one in named if one for key in names_of(one[0].strip()))

    @cached_property
    def units(self) -> Mapping[str, Dimension]:
        """What letters are measured in, by those for masses, gravity and time."""
        relations = [one.relation for one in self._page.equations]
        return letter_dimensions(relations, self.anchors, self._likely)

    @cached_property
    def _told(self) -> Mapping[str, Dimension]:
        """What letters are measured in without what is only likely."""
        return letter_dimensions([one.relation for one in self._page.equations], self.anchors)

    @cached_property
    def anchors(self) -> Mapping[str, Dimension]:
        """The letters for masses, gravity and time, of which the page says nothing else.

        And those of which it prints the unit.
        """
        known = {TIME: S, **dict.fromkeys(self._energies, ENERGY)}
        return {**known, **dict(self._measured_as("mass", "gravity")), **self._printed}

    @cached_property
    def _likely(self) -> Mapping[str, Dimension]:
        """The letters that are for lengths and inertias, of which the page says nothing else.

        None that stands at the brace of something, for which it is short.
        """
        lengths = {
            key: unit
            for key, unit in self._measured_as("length", "coordinate")
            if bare(key) not in self.turned | self.beside_rates | self.speeds
            and SymbolShape.of(key).letter in _LENGTHS
        }
        likely = {**lengths, **dict(self._measured_as("inertia"))}
        return {key: unit for key, unit in likely.items() if key not in self._at_braces}

    @cached_property
    def _at_braces(self) -> frozenset[str]:
        r"""The letters that are for what is braced, as in :math:`\underbrace{K l}_{L_1}`."""
        sides = (
            side for one in self._page.equations for side in (one.relation.left, one.relation.right)
        )
        return frozenset(
            node.label.key
            for node in walk(*sides)
            if isinstance(node, Labelled) and isinstance(node.label, Name)
        )

    def _measured_as(self, *kinds: str) -> Iterator[tuple[str, Dimension]]:
        """Iterate over the letters that are for some kinds first, and said to be nothing else."""
        for used in self._page.symbols:
            (kind, *_) = SymbolShape.of(used.key).kinds or ("",)
            if kind in kinds and (used.key not in self._said or kind in self._said[used.key]):
                yield used.key, KINDS[kind][1][0]

    @cached_property
    def speeds(self) -> frozenset[str]:
        """The letters that equations say to be rates of others."""
        return self._said_to_be(lambda node: rate_of(node) is not None)

    @cached_property
    def following(self) -> frozenset[str]:
        """The letters that equations say to be what has others in it that move."""
        moving = self._rated
        return self._said_to_be(
            lambda node: any(
                isinstance(each, Name) and bare(each.key) in moving for each in walk(node)
            )
        )

    @cached_property
    def of_squares(self) -> frozenset[str]:
        """The letters that equations say to be what has squares of rates in it."""
        return self._said_to_be(has_squared_rates)

    def _said_to_be(self, is_so: Callable[[Node], bool]) -> frozenset[str]:
        return frozenset(
            bare(name.key)
            for one in self._page.equations
            for name, node in defines(one.relation)
            if is_so(node)
        )

    @cached_property
    def _rated(self) -> frozenset[str]:
        """The letters of which rates are printed."""
        nodes = (
            node
            for one in self._page.equations
            for node in walk(one.relation.left, one.relation.right)
        )
        return frozenset(bare(rate[0].key) for node in nodes if (rate := rate_of(node)))

    @cached_property
    def turned(self) -> frozenset[str]:
        """The letters that sines, cosines and tangents are of, alone or in sums."""
        return frozenset(_turned(self._page.equations))

    @cached_property
    def crossed(self) -> frozenset[str]:
        """The letters of cross products, which are vectors."""
        sides = ((one.relation.left, one.relation.right) for one in self._page.equations)
        crosses = (node for each in sides for node in walk(*each) if isinstance(node, Times))
        pairs = [[_sole(one.left), _sole(one.right)] for one in crosses]
        return frozenset(bare(one.key) for pair in pairs if all(pair) for one in pair if one)

    @cached_property
    def _factors(self) -> tuple[frozenset[Name], ...]:
        """The letters that are multiplied with each other."""
        return tuple(
            frozenset(one for one in node.factors if isinstance(one, Name))
            for node in self._products
        )

    @cached_property
    def _products(self) -> tuple[Multiply, ...]:
        return tuple(
            node
            for equation in self._page.equations
            for node in walk(equation.relation.left, equation.relation.right)
            if isinstance(node, Multiply)
        )

    @cached_property
    def multiplied(self) -> frozenset[str]:
        """The letters that are multiplied with more than numbers, as no energies are."""
        return frozenset(
            bare(one.key)
            for node in self._products
            if sum(not isinstance(each, Number) for each in node.factors) > 1
            for one in node.factors
            if isinstance(one, Name)
        )

    @cached_property
    def weights(self) -> frozenset[str]:
        """The letters for masses and gravity that are multiplied with each other."""
        found = set[str]()
        for names in self._factors:
            kinds = {bare(one.key): SymbolShape.of(one.key).kinds for one in names if not one.dots}
            heavy = {key for key, own in kinds.items() if own[:1] == ("gravity",)}
            masses = {key for key, own in kinds.items() if "mass" in own}
            if heavy and masses:
                found |= heavy | masses
        return frozenset(found)

    @cached_property
    def beside_masses(self) -> frozenset[str]:
        """The letters that are multiplied with a mass, and with nothing else."""
        return frozenset(
            bare(one.key)
            for names in self._factors
            if len(names) == _PAIR
            and any("mass" in SymbolShape.of(each.key).kinds for each in names)
            for one in names
        )

    @cached_property
    def beside_rates(self) -> frozenset[str]:
        """The letters that are multiplied with a rate, or a sum of rates, and nothing else."""
        pairs = (
            [one for one in node.factors if not isinstance(one, Number)] for node in self._products
        )
        return frozenset(
            bare(one.key)
            for pair in pairs
            if len(pair) == _PAIR
            for one, other in (pair, pair[::-1])
            if isinstance(one, Name) and not one.dots
            if all((rate := rate_of(term)) and rate[1] == 1 for term in added(other))
        )

    @cached_property
    def coefficients(self) -> frozenset[str]:
        """The letters that are multiplied with what moves, and with nothing else."""
        moving = {bare(one.key) for names in self._factors for one in names if one.dots}
        pairs = [names for names in self._factors if len(names) == _PAIR]
        beside = {
            bare(one.key)
            for names in pairs
            if any(each.dots or bare(each.key) in moving for each in names)
            for one in names
            if not one.dots
        }
        return frozenset(beside - moving)

    @cached_property
    def beside_accelerations(self) -> frozenset[str]:
        """The letters of equations with accelerations, or with squares of rates: energies."""
        found = set[str]()
        for one in self._page.equations:
            sides = one.relation.left, one.relation.right
            rates = [rate for node in walk(*sides) if (rate := rate_of(node))]
            is_accelerated = any(order >= _ACCELERATION for _, order in rates)
            if is_accelerated or any(map(has_squared_rates, sides)):
                found |= {bare(node.key) for node in walk(*sides) if isinstance(node, Name)}
        return frozenset(found)


def _sole(node: Node) -> Name | None:
    """Return the only name of a product, perhaps with a number; None of others."""
    factors = [one for one in multiplied(node) if not isinstance(one, Number)]
    return factors[0] if len(factors) == 1 and isinstance(factors[0], Name) else None


def _turned(equations: Iterable[SymbolEquation]) -> Iterator[str]:
    """Iterate over the letters that stand in sines by themselves, or times a number."""
    for one in equations:
        for node in walk(one.relation.left, one.relation.right):
            if not (isinstance(node, Call) and node.function in TURNS):
                continue
            for term in added(node.argument):
                whole = term.numerator if isinstance(term, Divide) else term
                if name := _sole(whole):
                    yield bare(name.key)
