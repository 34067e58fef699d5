"""The meanings with which most equations hold.

A misprinted equation must not drag a symbol to a wrong meaning. So what counts is how many
equations hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product

from freebody.checking.evidence import could_fail
from freebody.checking.guesses.conventions import Candidate, SymbolShape
from freebody.checking.guesses.meaning_tester import MeaningTester
from freebody.checking.guesses.symbols import SymbolEquation
from freebody.documents.latex.tree import Node

PER_COST = 0.05
"""What a meaning's cost weighs against an equation that holds."""
PER_NAME = 0.9
"""What it weighs that a symbol is not what the model calls so."""
PER_OTHER_NAME = 1.9
"""What it weighs that it is what the model calls otherwise: two equations must say so."""
PER_TWIN = 0.4
"""What it weighs that two symbols of one letter mean the same."""
PER_MIXED = 0.3
"""What it weighs that a symbol counts angles in another way than most."""
MOST_AT_ONCE = 3
"""How many symbols are changed together."""
EACH = {1: 40, 2: 12, 3: 6}
"""How many meanings of each are tried then."""
MOST_SETS = 24
"""How many sets of symbols of one equation are changed together."""

Choice = dict[str, Candidate]


@dataclass
class MeaningSearch:
    """Looks for the meanings with which most equations hold.

    Attributes
    ----------
    trial : MeaningTester
    equations : sequence of SymbolEquation
        Those that say something.
    domains : mapping of str to list of Candidate
        What each symbol may stand for, the likeliest first.
    families : sequence of tuple of str
        Symbols that follow one convention, such as all angles.
    limit : float
        How much may be worked out.
    chosen : dict of str to Candidate
        What was found so far.
    named_too : bool
        Whether symbols are changed that are the model's own names.
    gave_up : bool
        Whether that was too little to try everything.
    """

    trial: MeaningTester
    equations: Sequence[SymbolEquation]
    domains: Mapping[str, list[Candidate]]
    families: Sequence[tuple[str, ...]]
    limit: float
    chosen: Choice = field(default_factory=dict)
    gave_up: bool = False
    named_too: bool = False
    _tried: set[tuple[object, ...]] = field(default_factory=set)
    _answers: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._start = self.trial.work
        self.alike = [f for f in self.families if len({family_of(key) for key in f}) == 1]
        self.angles = [
            key for key, domain in self.domains.items() if any(c.counts_angles for c in domain)
        ]
        self.chosen = {key: domain[0] for key, domain in self.domains.items() if domain}
        self.holding: dict[str, list[SymbolEquation]] = {key: [] for key in self.domains}
        for equation in self.ready(self.equations):
            for key in equation.keys:
                self.holding[key].append(equation)

    def ready(self, equations: Iterable[SymbolEquation]) -> list[SymbolEquation]:
        """Return the equations of which every symbol has a meaning to try."""
        return [e for e in equations if all(key in self.chosen for key in e.keys)]

    def count_holding(
        self, equations: Iterable[SymbolEquation], changes: Mapping[str, Candidate]
    ) -> int:
        """Return how many equations hold with some meanings changed."""
        chosen = {**self.chosen, **changes}
        return sum(self.holds(equation, chosen) for equation in equations)

    def holds(self, equation: SymbolEquation, chosen: Mapping[str, Candidate]) -> bool:
        """Return whether an equation holds and could have failed."""
        return self._asked(equation, chosen, frozenset())

    def bears_out(self, equation: SymbolEquation, key: str) -> bool:
        """Return whether an equation holds and is evidence for what one of its symbols means."""
        return self._asked(equation, self.chosen, frozenset({key}))

    def _asked(
        self, equation: SymbolEquation, chosen: Mapping[str, Candidate], guessed: frozenset[str]
    ) -> bool:
        """Ask whether an equation holds and could have failed, once for the same meanings."""
        relation = self.trial.reading(equation, chosen)
        if relation is None:
            return False
        definitions = _definitions(equation.keys, chosen)
        texts = (chosen[name].text for name in dict.fromkeys((*equation.keys, *definitions)))
        key = equation, guessed, *texts
        if key not in self._answers:
            judge = self.trial.judging(chosen)
            self._answers[key] = could_fail(judge, relation, guessed, definitions)
        return self._answers[key]

    def about(self, keys: Iterable[str]) -> list[SymbolEquation]:
        """Return the equations that hold any of some symbols."""
        return list(dict.fromkeys(e for key in keys for e in self.holding[key]))

    def offer(self, key: str, candidate: Candidate) -> None:
        """Let a symbol stand for something else as well; choose that where nothing else fits."""
        self.domains[key].append(candidate)
        is_waiting = key not in self.chosen
        if is_waiting or self.chosen[key].cost > candidate.cost:
            self.chosen[key] = candidate
        if is_waiting:
            waiting = [e for e in self.ready(self.equations) if key in e.keys]
            for equation in waiting:
                for name in equation.keys:
                    if equation not in self.holding[name]:
                        self.holding[name].append(equation)

    def run(self) -> None:
        """Change meanings, a few at once, as long as more equations come to hold.

        The model's own names are left alone at first.
        """
        for self.named_too in (False, True):
            steps = 1
            while steps <= MOST_AT_ONCE and not self.is_over():
                changed = self._turn_families() if steps == 1 else False
                for equation in self._failing():
                    changed |= self._mend(equation, steps)
                steps = 1 if changed else steps + 1

    def is_over(self) -> bool:
        """Return whether as much was worked out as may be."""
        self.gave_up |= self.trial.work - self._start > self.limit
        return self.gave_up

    def _failing(self) -> list[SymbolEquation]:
        """Return the equations that do not hold, those with the fewest symbols first."""
        ready = self.ready(self.equations)
        failing = [e for e in ready if not self.trial.holds(e, self.chosen)]
        return sorted(failing, key=lambda equation: len(equation.keys))

    def _turn_families(self) -> bool:
        """Let all symbols of a family follow another convention."""
        changed = False
        for family in self.families:
            ways = dict.fromkeys(w for key in family for c in self.domains[key] for w in c.ways)
            for way in ways:
                turned = {key: one for key in family if (one := self.by_way(key, way))}
                changed |= len(turned) > 1 and self._accept(turned)
        return changed

    def by_way(self, key: str, way: str) -> Candidate | None:
        """Return what a symbol means by a convention."""
        return next((one for one in self.domains[key] if way in one.ways), None)

    def _mend(self, equation: SymbolEquation, steps: int) -> bool:
        """Change as many symbols of an equation that it holds, if more come to hold than fail."""
        texts = (self.chosen[key].text for key in equation.keys)
        state = (equation, steps, self.named_too, *texts)
        if state in self._tried:
            return False
        self._tried.add(state)
        open_keys = [k for k in equation.keys if self.named_too or not self.chosen[k].is_exact]
        doubtful = [key for key in open_keys if not self.is_settled(key)]
        pool = doubtful if steps > 1 else open_keys
        found: list[tuple[float, Choice]] = []
        for keys in islice(combinations(pool, steps), MOST_SETS):
            for changes in self.choices(keys, EACH[steps]):
                if self.is_over():
                    return False
                if self.count_holding([equation], changes):
                    found.append((self._gain(changes), changes))
        gain, best = max(found, key=lambda one: one[0], default=(0.0, {}))
        if gain > 0:
            self.chosen |= best
        return gain > 0

    def is_settled(self, key: str) -> bool:
        """Return whether a symbol holds in most of its equations, more than one of them."""
        equations = self.holding[key]
        held = self.count_holding(equations, {})
        return held > 1 and 2 * held > len(equations)

    def choices(self, keys: Sequence[str], each: int) -> Iterator[Choice]:
        """Iterate over meanings for some symbols, the likeliest first."""
        for picked in product(*(self.domains[key][:each] for key in keys)):
            yield dict(zip(keys, picked, strict=True))

    def _accept(self, changes: Choice) -> bool:
        is_better = self._gain(changes) > 0
        if is_better:
            self.chosen |= changes
        return is_better

    def _gain(self, changes: Choice) -> float:
        """Return how many more equations hold, less what the meanings cost more."""
        equations = self.about(changes)
        more = self.count_holding(equations, changes) - self.count_holding(equations, {})
        cost = sum(one.cost - self.chosen[key].cost for key, one in changes.items())
        left = sum(_leaving(self.chosen[key], one) for key, one in changes.items())
        mixed = self._mixture(changes) - self._mixture({})
        twins = self._twins(changes, changes) - self._twins({}, changes)
        return more - PER_COST * cost - left - PER_MIXED * mixed - PER_TWIN * twins

    def _twins(self, changes: Choice, keys: Iterable[str]) -> int:
        """Return how many symbols mean the same as another with their letter."""
        chosen, changed = {**self.chosen, **changes}, set(keys)
        families = (family for family in self.alike if changed & set(family))
        said = (Counter(chosen[key].text for key in family) for family in families)
        return sum(count - 1 for counts in said for count in counts.values())

    def _mixture(self, changes: Choice) -> int:
        """Return how many symbols do not follow the way in which most of them count angles."""
        chosen = {**self.chosen, **changes}
        ways = [ways for key in self.angles if (ways := chosen[key].counts_angles)]
        followers = Counter(way for some in ways for way in some)
        return len(ways) - max(followers.values(), default=0)


def _leaving(one: Candidate, other: Candidate) -> float:
    """Return what it weighs that a symbol is not what the model calls so, but another thing."""
    if one.is_exact == other.is_exact:
        return 0.0
    weight = PER_OTHER_NAME if one.is_plain or other.is_plain else PER_NAME
    return weight if one.is_exact else -weight


def _definitions(keys: Iterable[str], chosen: Mapping[str, Candidate]) -> dict[str, Node]:
    """Return what symbols, and those in their definitions, are defined by."""
    found: dict[str, Node] = {}
    for key in keys:
        one = chosen.get(key)  # none within its own definition
        if one is not None and one.definition is not None:
            rest = {k: c for k, c in chosen.items() if k != key}
            found |= {key: one.definition, **_definitions(one.made_of, rest)}
    return found


def family_of(key: str) -> str:
    """Return the letter of a symbol; sines and cosines are written with s and c."""
    letter = SymbolShape.of(key).letter
    return "s" if letter in ("s", "c", "S", "C") else letter
