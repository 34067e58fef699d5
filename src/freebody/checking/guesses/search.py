"""The meanings with which most equations hold, and which of them the equations prove.

A misprinted equation must not drag a symbol to a wrong meaning. So what counts is how many
equations hold, and a meaning is proved only from symbols that are sure already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product

from freebody.checking.evidence import could_fail
from freebody.checking.guesses.conventions import CONVENTIONAL, Candidate, Looks
from freebody.checking.guesses.symbols import Equation
from freebody.checking.guesses.trial import Trial
from freebody.checking.meaning.symbols import Symbols
from freebody.documents.latex.tree import Node

PER_COST = 0.05
"""What a meaning's cost weighs against an equation that holds."""
MOST_MISPRINTED = 3
"""How many equations may contradict a symbol without casting doubt on it."""
PLAUSIBLE = 1.5
"""Up to which cost of all in it an equation bears the model's own names out."""
UNUSUAL = 2.5
"""From which cost on a meaning is never sure: a symbol that is for something else, as a rule."""
PER_NAME = 0.9
"""What it weighs that a symbol is not what the model calls so."""
PER_OTHER_NAME = 1.9
"""What it weighs that it is what the model calls otherwise: two equations must say so."""
PER_TWIN = 0.4
"""What it weighs that two symbols of one letter mean the same."""
PER_MIXED = 0.3
"""What it weighs that a symbol counts angles in another way than most."""
TELLING = 2
"""How many equations must tell that a symbol is not what the model calls so."""
MOST_AT_ONCE = 3
"""How many symbols are changed together."""
EACH = {1: 40, 2: 12, 3: 6}
"""How many meanings of each are tried then."""
MOST_SETS = 24
"""How many sets of symbols of one equation are changed together."""
MOST_TOGETHER = 6
"""How many symbols are proved together."""
RIVALS = {1: 40, 2: 28, 3: 12}
"""How many meanings of each of one, two or three symbols must not do as well."""

Choice = dict[str, Candidate]


@dataclass
class Search:
    """Looks for the meanings with which most equations hold.

    Attributes
    ----------
    trial : Trial
    equations : sequence of Equation
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

    trial: Trial
    equations: Sequence[Equation]
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
        self.alike = [f for f in self.families if len({_family(key) for key in f}) == 1]
        self.angles = [
            key for key, domain in self.domains.items() if any(c.counts_angles for c in domain)
        ]
        self.chosen = {key: domain[0] for key, domain in self.domains.items() if domain}
        self.holding: dict[str, list[Equation]] = {key: [] for key in self.domains}
        for equation in self.ready(self.equations):
            for key in equation.keys:
                self.holding[key].append(equation)

    def ready(self, equations: Iterable[Equation]) -> list[Equation]:
        """Return the equations of which every symbol has a meaning to try."""
        return [e for e in equations if all(key in self.chosen for key in e.keys)]

    def held(self, equations: Iterable[Equation], changes: Mapping[str, Candidate]) -> int:
        """Return how many equations hold with some meanings changed."""
        chosen = {**self.chosen, **changes}
        return sum(self.holds(equation, chosen) for equation in equations)

    def holds(self, equation: Equation, chosen: Mapping[str, Candidate]) -> bool:
        """Return whether an equation holds and could have failed."""
        return self._asked(equation, chosen, frozenset())

    def bears_out(self, equation: Equation, key: str) -> bool:
        """Return whether an equation holds and is evidence for what one of its symbols means."""
        return self._asked(equation, self.chosen, frozenset({key}))

    def _asked(
        self, equation: Equation, chosen: Mapping[str, Candidate], guessed: frozenset[str]
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

    def about(self, keys: Iterable[str]) -> list[Equation]:
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

    def _failing(self) -> list[Equation]:
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

    def _mend(self, equation: Equation, steps: int) -> bool:
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
                if self.held([equation], changes):
                    found.append((self._gain(changes), changes))
        gain, best = max(found, key=lambda one: one[0], default=(0.0, {}))
        if gain > 0:
            self.chosen |= best
        return gain > 0

    def is_settled(self, key: str) -> bool:
        """Return whether a symbol holds in most of its equations, more than one of them."""
        equations = self.holding[key]
        held = self.held(equations, {})
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
        more = self.held(equations, changes) - self.held(equations, {})
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


@dataclass
class Proof:
    """Finds out which of the meanings are sure.

    Attributes
    ----------
    search : Search
        That has run.
    limit : float
        How much may be worked out.
    sure : dict of str to str
        The symbols that are sure, and why.
    doubted : set of str
        Symbols that equations contradict.
    named : set of str
        The model's own names that nothing speaks against, nor for.
    """

    search: Search
    limit: float
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
        self.sure = {key: why for key, why in self.sure.items() if key not in self.named}

    def _is_borne_out(self, key: str) -> bool:
        """Return whether an equation is evidence that a symbol is what the model calls so."""
        search = self.search
        equations = [e for e in search.holding[key] if self._is_plausible(e)]
        meant = Symbols(search.trial.quantities, {key: search.chosen[key].meaning})
        if meant.varies(key):
            equations = [e for e in equations if self._is_told(e)]
        if search.chosen[key].counts_angles and not self._is_one_way(key):
            return False
        return any(search.bears_out(e, key) for e in equations)

    def _is_plausible(self, equation: Equation) -> bool:
        """Return whether all symbols of an equation mean what such symbols usually do."""
        return all(self.search.chosen[key].cost <= PLAUSIBLE for key in equation.keys)

    def _is_told(self, equation: Equation) -> bool:
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
                if search.held(equations, turned) >= search.held(equations, {}):
                    return False
        return True

    def _conclude(self) -> None:
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
        value, letter = search.trial.worth(chosen), Looks.of(key).letter
        alike = [one for one in self.sure if Looks.of(one).letter == letter]
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
        for equation in search.ready(search.equations):
            if self.sure.keys() >= set(equation.keys):
                holds = search.trial.holds(equation, search.chosen)
                counts.update((key, holds) for key in equation.keys)
        return {
            key
            for key, holds in counts
            if not holds and counts[key, False] > max(counts[key, True], MOST_MISPRINTED)
        }

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
        return search.held(equations, {key: one}) - search.held(equations, {key: other})

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
                as_well = is_other and all(search.held([e], changes) for e in witnesses)
                if as_well and self._is_coherent(changes):
                    return False
        labels = ", ".join(dict.fromkeys(e.label for e in held[:3]))
        self.sure |= dict.fromkeys(keys, f"proved by {labels}")
        return True

    def _is_coherent(self, changes: Choice) -> bool:
        """Return whether angles are counted, and coordinates ordered, as in what is sure.

        The angles of a column are those of the page; others may be counted by another way for
        each letter.
        """
        chosen = self.search.chosen
        for key, one in changes.items():
            is_column = isinstance(one.meaning, list)
            alike = [chosen[k] for k in self.sure if is_column or _family(k) == _family(key)]
            ways = [other.counts_angles for other in alike if other.counts_angles]
            if one.counts_angles and any(not way & one.counts_angles for way in ways):
                return False
            orders = {chosen[k].order for k in self.sure if chosen[k].is_block}
            if one.is_block and orders and one.order not in orders:
                return False
        return True

    def _is_enough(self, keys: Sequence[str], held: Sequence[Equation]) -> bool:
        """Return whether there are equations enough to tell so many symbols."""
        chosen = [self.search.chosen[key] for key in keys]
        if any(one.cost >= UNUSUAL for one in chosen) or not all(map(self._is_unnamed, keys)):
            return False
        conventional = all(one.cost <= CONVENTIONAL for one in chosen)
        conventional &= not any(map(self._is_twin, keys))
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
        text, letter = self.search.chosen[key].text, _family(key)
        chosen = self.search.chosen
        return any(chosen[k].text == text for k in chosen if k != key and _family(k) == letter)

    def _has_usual(self, key: str) -> bool:
        """Return whether such a symbol is usually for something that the model has.

        What a page defines that changes in time then is not sure: a misprinted position, and the
        speed that follows from it, would prove each other.
        """
        return any(one.cost <= CONVENTIONAL for one in self.search.domains[key])

    def _has_rival(self, key: str) -> bool:
        """Return whether as many equations hold with another meaning of a symbol."""
        search, equations = self.search, self.search.holding[key]
        most = search.held(equations, {})
        others = (one for one in search.domains[key] if one is not search.chosen[key])
        return any(search.held(equations, {key: one}) >= most for one in others)


def _telling(one: Candidate) -> int:
    """Return how many equations must tell that this is meant, and not what the model calls so."""
    return TELLING if one.is_plain else 1


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
        one = chosen[key]
        if one.definition is not None:
            rest = {k: c for k, c in chosen.items() if k != key}
            found |= {key: one.definition, **_definitions(one.made_of, rest)}
    return found


def _family(key: str) -> str:
    """Return the letter of a symbol; sines and cosines are written with s and c."""
    letter = Looks.of(key).letter
    return "s" if letter in ("s", "c", "S", "C") else letter
