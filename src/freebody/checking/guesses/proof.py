"""Which of the meanings with which most equations hold these prove.

A meaning is proved only from symbols that are sure already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from freebody.checking.guesses.conventions import CONVENTIONAL, Candidate, SymbolShape
from freebody.checking.guesses.search import Choice, MeaningSearch, family_of
from freebody.checking.guesses.symbols import SymbolEquation, angles
from freebody.checking.meaning.symbols import Symbols

MOST_MISPRINTED = 3
"""How many equations may contradict a symbol without casting doubt on it."""
PLAUSIBLE = 1.5
"""Up to which cost of all in it an equation bears the model's own names out."""
UNUSUAL = 2.5
"""From which cost on a meaning is never sure: a symbol that is for something else, as a rule."""
TELLING = 2
"""How many equations must tell that a symbol is not what the model calls so."""
MOST_TOGETHER = 6
"""How many symbols are proved together."""
RIVALS = {1: 40, 2: 28, 3: 12}
"""How many meanings of each of one, two or three symbols must not do as well."""


@dataclass
class Proof:
    """Finds out which of the meanings are sure.

    Attributes
    ----------
    search : MeaningSearch
        That has run.
    limit : float
        How much may be worked out.
    given : frozenset of str
        Symbols that are taken for granted.
    sure : dict of str to str
        The symbols that are sure, and why.
    doubted : set of str
        Symbols that equations contradict.
    named : set of str
        The model's own names that nothing speaks against, nor for.
    """

    search: MeaningSearch
    limit: float
    given: frozenset[str] = frozenset()
    sure: dict[str, str] = field(default_factory=dict)
    doubted: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)

    def run(self) -> None:
        """Begin with the model's own names, and go from what is sure to what that proves.

        What most equations contradict that follow then is not sure after all, nor what it proved.
        """
        self._start = self.search.trial.work
        self._conclude()
        while doubtful := self._contradicted():
            self.doubted |= doubtful
            self.sure.clear()
            self._conclude()
        names = [key for key in self.sure if self.search.chosen[key].is_exact]
        self.named = {key for key in names if not self._is_borne_out(key)}
        self.named -= self.given
        self.sure = {key: why for key, why in self.sure.items() if key not in self.named}

    def _is_borne_out(self, key: str) -> bool:
        """Return whether an equation is evidence that a symbol is what the model calls so."""
        search = self.search
        equations = [e for e in search.holding[key] if self._is_plausible(e)]
        meant = Symbols(search.trial.quantities, {key: search.chosen[key].meaning})
        if meant.varies(key):
            equations = [e for e in equations if self._is_overdetermined(e)]
        if search.chosen[key].counts_angles and not self._is_one_way(key):
            return False
        return any(search.bears_out(e, key) for e in equations)

    def _is_plausible(self, equation: SymbolEquation) -> bool:
        """Return whether all symbols of an equation mean what such symbols usually do."""
        return all(self.search.chosen[key].cost <= PLAUSIBLE for key in equation.keys)

    def _is_overdetermined(self, equation: SymbolEquation) -> bool:
        """Return whether more equations hold than symbols are guessed together in this one.

        Else what is guessed may make it hold with the place of another point, say.
        """
        search, guessed = self.search, set(equation.keys) - self.sure.keys()
        known = guessed | self.sure.keys()
        held = (e for e in search.about(guessed) if known >= set(e.keys))
        printed = {e.relation.latex for e in held if search.holds(e, search.chosen)}
        return not guessed or len(printed) > len(guessed)

    def _is_one_way(self, key: str) -> bool:
        """Return whether fewer equations hold where all such angles are counted in another way."""
        search, own = self.search, self.search.chosen[key]
        family = next(
            (f for f in search.families if key in f and set(f) <= {*search.angles}), (key,)
        )
        for way in {way for one in search.domains[key] for way in one.counts_angles}:
            turned = {k: one for k in family if (one := search.by_way(k, way))}
            if turned.get(key, own).text != own.text:
                equations = search.about(turned)
                if search.count_holding(equations, turned) >= search.count_holding(equations, {}):
                    return False
        return True

    def _conclude(self) -> None:
        known = self.given & self.search.chosen.keys()
        self.sure |= dict.fromkeys(known, "taken for granted")
        for key, chosen in self.search.chosen.items():
            if key not in self.doubted and chosen.is_exact and self._is_trusted(key):
                self.sure[key] = "the model's own name"
        size = 1
        while size <= MOST_TOGETHER and not self._is_over():
            proved = sum(map(self._prove, self._unsure(size)))
            size = 1 if proved else size + 1
        followers = [key for key in self.search.chosen if self._is_alike(key)]
        self.sure |= dict.fromkeys(followers, "zero there, as those like it say")

    def _is_over(self) -> bool:
        return self.search.trial.work - self._start > self.limit

    def _is_alike(self, key: str) -> bool:
        """Return whether a symbol is an entry that is zero, where such symbols are sure entries.

        That it is zero says of no other meaning that it is not.
        """
        search, chosen = self.search, self.search.chosen[key]
        if key in self.sure or key in self.doubted or not chosen.is_block:
            return False
        value, letter = search.trial.worth(chosen), SymbolShape.of(key).letter
        alike = [one for one in self.sure if SymbolShape.of(one).letter == letter]
        equations = search.holding[key]
        return (
            value is not None
            and not any(value.entries())
            and any(search.chosen[one].ways[0] == chosen.ways[0] for one in alike)
            and bool(equations)
            and all(search.trial.holds(e, search.chosen) for e in equations)
        )

    def _contradicted(self) -> set[str]:
        """Return the symbols in equations that follow from what is sure, and mostly do not hold."""
        search, counts = self.search, Counter[tuple[str, bool]]()
        turning = angles(search.equations)
        for equation in search.ready(search.equations):
            if self.sure.keys() >= set(equation.keys) and not equation.is_small(turning):
                holds = search.trial.holds(equation, search.chosen)
                counts.update((key, holds) for key in equation.keys)
        return {
            key
            for key, holds in counts
            if not holds and counts[key, False] > max(counts[key, True], MOST_MISPRINTED)
        } - self.given

    def _is_trusted(self, key: str) -> bool:
        """Return whether a symbol can be taken for what the model calls so.

        It can, until equations say otherwise: two of them where it would be what the model calls
        by another name, else one.
        """
        own = self.search.chosen[key]
        others = (one for one in self.search.domains[key] if one is not own)
        return all(self._outweighs(key, one, own) < _telling(one) for one in others)

    def _outweighs(self, key: str, one: Candidate, other: Candidate) -> int:
        """Return with how many more equations a symbol means one thing than another."""
        search, equations = self.search, self.search.holding[key]
        return search.count_holding(equations, {key: one}) - search.count_holding(
            equations, {key: other}
        )

    def _unsure(self, size: int) -> list[tuple[str, ...]]:
        """Return the sets of so many symbols that alone are unsure in an equation that holds."""
        search = self.search
        sets: dict[tuple[str, ...], None] = {}
        for equation in search.ready(search.equations):
            unsure = tuple(sorted(set(equation.keys) - self.sure.keys()))
            if len(unsure) == size and search.holds(equation, search.chosen):
                sets[unsure] = None
        return list(sets)

    def _prove(self, keys: tuple[str, ...]) -> bool:
        """Make symbols sure if the equations that hold do so with no other meanings."""
        search = self.search
        if set(keys) & (self.sure.keys() | self.doubted) or self._is_over():
            return False
        within = {*keys, *self.sure}
        ready = (e for e in search.about(keys) if within.issuperset(e.keys))
        held = [e for e in ready if search.holds(e, search.chosen)]
        held.sort(key=lambda equation: len(equation.keys))
        if not self._is_enough(keys, held) or any(map(self._has_rival, keys)):
            return False
        if not all(any(search.bears_out(e, key) for e in held if key in e.keys) for key in keys):
            return False
        for some in combinations(keys, min(len(keys), max(RIVALS))):
            witnesses = [e for e in held if set(e.keys) & set(some)]
            for changes in search.choices(some, RIVALS[len(some)]):
                if self._is_over():
                    return False
                is_other = any(changes[key] is not search.chosen[key] for key in some)
                as_well = is_other and all(search.count_holding([e], changes) for e in witnesses)
                if as_well and self._is_coherent(changes):
                    return False
        if any(self._is_exchangeable(pair, held) for pair in combinations(keys, 2)):
            return False
        labels = ", ".join(dict.fromkeys(e.label for e in held[:3]))
        self.sure |= dict.fromkeys(keys, f"proved by {labels}")
        return True

    def _is_exchangeable(self, pair: tuple[str, str], held: Sequence[SymbolEquation]) -> bool:
        """Return whether neither equations nor their names tell two symbols apart."""
        search = self.search
        own = {key: search.chosen[key] for key in pair}
        exchanged = dict(zip(pair, reversed(own.values()), strict=True))
        if not any(
            one.text == exchanged[key].text != own[key].text and one.cost <= own[key].cost
            for key in pair
            for one in search.domains[key]
        ):
            return False
        about = [e for e in held if set(e.keys) & set(pair)]
        return all(search.count_holding([e], exchanged) for e in about)

    def _is_coherent(self, changes: Choice) -> bool:
        """Return whether angles are counted, and coordinates ordered, as in what is sure.

        The angles of a column are those of the page; others may be counted by another way for
        each letter.
        """
        chosen = self.search.chosen
        for key, one in changes.items():
            is_column = isinstance(one.meaning, list)
            alike = [chosen[k] for k in self.sure if is_column or family_of(k) == family_of(key)]
            ways = [other.counts_angles for other in alike if other.counts_angles]
            if one.counts_angles and any(not way & one.counts_angles for way in ways):
                return False
            orders = {chosen[k].order for k in self.sure if chosen[k].is_block}
            if one.is_block and orders and one.order not in orders:
                return False
        return True

    def _is_enough(self, keys: Sequence[str], held: Sequence[SymbolEquation]) -> bool:
        """Return whether there are equations enough to tell so many symbols."""
        chosen = [self.search.chosen[key] for key in keys]
        if any(one.cost >= UNUSUAL for one in chosen) or not all(map(self._is_unnamed, keys)):
            return False
        if any(map(self._is_doubled, keys)):
            return False
        conventional = all(one.cost <= CONVENTIONAL for one in chosen)
        conventional &= not any(self._is_twin(key) or self._is_taken(key) for key in keys)
        conventional &= not any(self._is_met(key, held) for key in keys)
        if any(one.definition and one.cost > CONVENTIONAL for one in chosen):
            return len(held) > len(keys) and not any(map(self._has_usual, keys))
        return len(held) > len(keys) or (bool(held) and conventional)

    def _is_unnamed(self, key: str) -> bool:
        """Return whether the model has no such name, or equations say that it is not meant."""
        chosen = self.search.chosen[key]
        own = [one for one in self.search.domains[key] if one.is_exact]
        telling = _telling(chosen) + bool(chosen.counts_angles)
        return chosen in own or all(self._outweighs(key, chosen, one) >= telling for one in own)

    def _is_twin(self, key: str) -> bool:
        """Return whether a symbol means the same as another with its letter: a misprint may."""
        text, letter = self.search.chosen[key].text, family_of(key)
        chosen = self.search.chosen
        return any(chosen[k].text == text for k in chosen if k != key and family_of(k) == letter)

    def _is_met(self, key: str, held: Sequence[SymbolEquation]) -> bool:
        r"""Return whether each equation has another letter for the same, and may hold by that.

        As ``\Omega r = \dot\theta R`` would.
        """
        chosen = self.search.chosen
        own = [equation.keys for equation in held if key in equation.keys]
        return all(
            any(other != key and chosen[other].text == chosen[key].text for other in keys)
            for keys in own
        )

    def _is_doubled(self, key: str) -> bool:
        """Return whether a symbol would be the coordinate that one with another number is as well.

        Equations that say that two coordinates are one hold with any that both are.
        """
        own, numbers = self.search.chosen[key], SymbolShape.of(key).numbers
        if own.text not in self.search.trial.quantities.mechanism.model.coordinates or not numbers:
            return False
        return any(
            one.text == own.text
            and family_of(other) == family_of(key)
            and SymbolShape.of(other).numbers not in ((), numbers)
            for other, one in self.search.chosen.items()
        )

    def _is_taken(self, key: str) -> bool:
        """Return whether another letter is sure to be the coordinate that a symbol would be."""
        chosen = self.search.chosen
        coordinates = self.search.trial.quantities.mechanism.model.coordinates
        text = chosen[key].text
        return text in coordinates and any(chosen[k].text == text for k in self.sure if k != key)

    def _has_usual(self, key: str) -> bool:
        """Return whether such a symbol is usually for something that the model has.

        What a page defines that changes in time then is not sure: a misprinted position, and the
        speed that follows from it, would prove each other.
        """
        return any(one.cost <= CONVENTIONAL for one in self.search.domains[key])

    def _has_rival(self, key: str) -> bool:
        """Return whether as many equations hold with another meaning of a symbol."""
        search, equations = self.search, self.search.holding[key]
        most = search.count_holding(equations, {})
        others = (one for one in search.domains[key] if one is not search.chosen[key])
        return any(search.count_holding(equations, {key: one}) >= most for one in others)


def _telling(one: Candidate) -> int:
    """Return how many equations must tell that this is meant, and not what the model calls so."""
    return TELLING if one.is_plain else 1
