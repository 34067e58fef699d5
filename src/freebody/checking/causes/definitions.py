"""Declared symbols that contradict several equations, and what they would have to mean.

A wrong definition makes every equation with its symbol differ. It is one finding: the meaning with
which these equations hold. Where a symbol stands outside of angles the equations are solved for
it; besides, the other ways to define such a letter are tried. Nothing is told that was not worked
out anew, in all equations with the symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import sympy

from freebody.algebra import Form
from freebody.algebra.prime import PRIME
from freebody.algebra.readback import read_terms
from freebody.algebra.ring import PARTS
from freebody.algebra.terms import TooLargeError
from freebody.checking.causes.candidates import Candidates
from freebody.checking.evidence import could_fail
from freebody.checking.findings import SymbolFinding
from freebody.checking.grid import Grid
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import differences
from freebody.checking.meaning.symbols import Meaning, Symbols
from freebody.checking.meaning.walk import Instead
from freebody.documents.latex.names import index_letters
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Name, Partial, TimeDerivative, walk
from freebody.errors import NoValueError
from freebody.mechanics.notation import python

Holds = Callable[[Symbols, Relation], bool]

FEWEST = 2
"""Equations that a definition must contradict."""
PROBES = 4
"""Differing equations, the shortest, of which another meaning must make one hold."""
MOST_TERMS = 4
MOST_NUMBER = 12
"""A meaning that an equation is solved for has few terms, with small numbers."""
MOST_JUDGED = 1_000
"""Equations that are worked out anew for a page."""
UNKNOWNS = tuple(map(sympy.Dummy, ("unknown", "unknown_dot", "unknown_ddot")))
Powers = tuple[int, int, int, int]
"""Of the exponential of the unknown, of itself, and of its two rates."""
CONSTANT: Powers = (0, 0, 0, 0)
LINEAR: Powers = (0, 1, 0, 0)
DERIVATIVES = (TimeDerivative, Partial)


def holds(symbols: Symbols, relation: Relation) -> bool:
    """Return whether a printed equation holds; not where it has no meaning or is too large."""
    with symbols.quantities.ring.budget.work():
        try:
            left = map(symbols.quantities.lower, differences(Evaluator(symbols), relation))
            return all(map(symbols.quantities.vanishes, left))
        except (NoValueError, ZeroDivisionError):
            return False


def definitions(
    symbols: Symbols,
    judged: Sequence[tuple[Relation, bool]],
    garbled: Mapping[str, str] | None = None,
    carried: Collection[str] = (),
    holds: Holds = holds,
) -> tuple[SymbolFinding, ...]:
    """Return the symbols whose definition contradicts several equations.

    Parameters
    ----------
    symbols : Symbols
        What the names of the page stand for.
    judged : sequence of (Relation, bool)
        The equations of the page, and whether each holds.
    garbled : mapping of str to str, optional
        The symbols that a misprint stands for, by the misprint.
    carried : collection of str, optional
        The labels of equations that carry on the misprint of another, which prove nothing more.
    holds : callable, optional
        Judges an equation with other symbols.
    """
    search = _Search(symbols, [_Printed(*pair) for pair in judged], dict(garbled or {}), holds)
    found = sorted(search.found(set(carried)), key=lambda one: one.rank)
    findings: list[SymbolFinding] = []
    explained: set[str] = set()
    for one in found:
        if len(set(one.definition.fixes) - explained - set(carried)) >= FEWEST:
            findings.append(one.definition)
            explained |= set(one.definition.fixes)
    return tuple(findings)


@dataclass(frozen=True, eq=False)
class _Printed:
    """An equation of the page."""

    relation: Relation
    holds: bool

    @cached_property
    def names(self) -> list[Name]:
        nodes = walk(self.relation.left, self.relation.right)
        return [node for node in nodes if isinstance(node, Name)]


def _count(printed: Sequence[_Printed]) -> int:
    return sum(not p.holds for p in printed)


@dataclass(frozen=True)
class _Found:
    """A definition and how well it explains the page."""

    definition: SymbolFinding
    size: tuple[int, int, int]

    def explains(self, wrong: int) -> bool:
        """Return whether nothing is left that differs."""
        return len(self.definition.fixes) == wrong and not self.definition.breaks

    def is_clear(self, wrong: int) -> bool:
        """Return whether most that differs is explained, and nothing speaks against it."""
        return 2 * len(self.definition.fixes) > wrong and not self.definition.breaks

    @property
    def rank(self) -> tuple[int, int, tuple[int, int, int], str]:
        findings = self.definition
        return (
            -len(findings.fixes),
            len(findings.breaks),
            self.size,
            findings.proposed,
        )


def _size(form: Form) -> tuple[int, int, int]:
    """Return how long a meaning is: its terms, their factors, and numbers other than one."""
    terms = read_terms(form)
    factors = sum(abs(power) for term in terms for _, power in term.factors)
    waves = sum(bool(term.function) for term in terms)
    return len(terms), factors + waves, sum(term.coefficient != 1 for term in terms)


@dataclass(eq=False)
class _Search:
    """The search for other meanings on one page."""

    symbols: Symbols
    printed: Sequence[_Printed]
    garbled: dict[str, str]
    holds: Holds
    _changed: dict[tuple[str, str], Symbols] = field(default_factory=dict)
    _judged: int = 0

    def found(self, carried: set[str]) -> Iterator[_Found]:
        """Iterate over the definitions that may be told, one for each symbol at most."""
        explained = set(carried)
        for key, using in sorted(self._using.items(), key=lambda one: -_count(one[1])):
            wrong = [p for p in using if not p.holds]
            if len({p.relation.label for p in wrong} - explained) < FEWEST:
                continue
            try:
                best = _OfSymbol(self, key, wrong, [p for p in using if p.holds]).best(carried)
            except NoValueError:
                continue
            if best is not None:
                explained |= set(best.definition.fixes) if best.is_clear(len(wrong)) else set()
                yield best

    @cached_property
    def _using(self) -> dict[str, list[_Printed]]:
        """The equations with each symbol."""
        names = {p: {self._read(name.key) for name in p.names} for p in self.printed}
        return {key: [p for p in self.printed if key in names[p]] for key in self._keys}

    def _read(self, key: str) -> str:
        return self.garbled.get(key, key)

    @cached_property
    def candidates(self) -> Candidates:
        """What else symbols may mean."""
        return Candidates(self.symbols)

    @cached_property
    def _keys(self) -> list[str]:
        """The declared symbols that stand for one quantity."""
        return [
            key
            for key, meaning in self.symbols.meanings.items()
            if isinstance(meaning, str)
            and key not in self.garbled
            and not index_letters(key)
            and self.symbols.value(key).is_scalar
        ]

    def names_of(self, key: str) -> set[str]:
        """Return a symbol with the misprints that stand for it."""
        return {key, *(wrong for wrong, read in self.garbled.items() if read == key)}

    def judge(self, symbols: Symbols, relation: Relation) -> bool:
        """Return whether an equation holds with other symbols.

        Raises
        ------
        TooLargeError
            If too many were judged.
        """
        self._judged += 1
        if self._judged > MOST_JUDGED:
            raise TooLargeError(f"more than {MOST_JUDGED} equations to be judged anew")
        return self.holds(symbols, relation)

    def with_meaning(self, key: str, meaning: str) -> Symbols:
        """Return the symbols with another meaning of one."""
        if (key, meaning) not in self._changed:
            meanings: dict[str, Meaning] = dict.fromkeys(self.names_of(key), meaning)
            self._changed[key, meaning] = self.symbols.changed(meanings)
        return self._changed[key, meaning]


class _OfSymbol:
    """The search for another meaning of one symbol."""

    def __init__(
        self, search: _Search, key: str, wrong: Sequence[_Printed], right: Sequence[_Printed]
    ) -> None:
        self.search = search
        self.key = key
        self.quantities = search.symbols.quantities
        self.ring = self.quantities.ring
        self.form = search.symbols.value(key).form
        self.candidates = search.candidates
        self._is_angle = self.candidates.is_angle(self.form)
        self._is_constant = self.candidates.is_constant(self.form) and not self._is_angle
        self.wrong = sorted(wrong, key=lambda p: len(p.relation.latex))
        self.right = sorted(right, key=lambda p: len(p.relation.latex))
        self._parts: dict[_Printed, list[dict[Powers, Form]] | None] = {}
        self._points: dict[_Printed, list[dict[Powers, int]] | None] = {}
        self._values: dict[Form, tuple[int, ...]] = {}

    def best(self, carried: set[str]) -> _Found | None:
        """Return the definition that makes most equations hold, of these the smallest."""
        found = []
        for form in sorted(self._tried(), key=_size):
            one = self._judged(form, carried)
            if one is not None:
                found.append(one)
            if one is not None and one.explains(len(self.wrong)):
                break
        return min(found, key=lambda one: one.rank, default=None)

    def _tried(self) -> Iterator[Form]:
        """Iterate over the meanings that are worth judging.

        Where no more equations contradict the definition than agree with it, only what these may
        not tell apart from it is: the same angle turned round.
        """
        few = len(self.wrong) <= len(self.right)
        if self._is_angle:
            yield from self._unseen(self.candidates.turned(self.form) if few else self._any())
        elif not few:
            yield from self._unseen(self._any())

    def _any(self) -> Iterator[Form]:
        yield from self._solved()
        yield from self.candidates.of(self.form)

    def _unseen(self, forms: Iterator[Form]) -> Iterator[Form]:
        seen = {self.form.terms}
        for form in forms:
            if form.terms not in seen and not self._stands_still(form):
                seen.add(form.terms)
                yield form

    def _stands_still(self, form: Form) -> bool:
        """Return whether a form is a constant, where the symbol stands for what moves."""
        return not self._is_constant and self.candidates.is_constant(form)

    # ------------------------------------------------------------------ one meaning

    def _judged(self, form: Form, carried: set[str]) -> _Found | None:
        """Judge all equations with another meaning; None where that explains too little."""
        with self.ring.budget.work():
            likely = [p for p in self.wrong if self._may_hold(p, form)]
            probes = [p for p in self.wrong[:PROBES] if p in likely]
            if len(likely) < FEWEST or not probes:
                return None
            proposed = self._written(form)
            symbols = self.search.with_meaning(self.key, proposed)
            if not any(self._holds(symbols, p) for p in probes):
                return None
            fixes = self._labels(p for p in likely if self._is_borne_out(symbols, p))
            if len(set(fixes) - carried) < FEWEST:
                return None
            breaks = self._labels(p for p in self.right if not self._holds(symbols, p))
            if len(fixes) <= len(breaks):
                return None
            declared = str(self.search.symbols.meanings[self.key])
            findings = SymbolFinding(self.key, declared, proposed, fixes, breaks)
            return _Found(findings, _size(form))

    def _written(self, form: Form) -> str:
        """Write a meaning in quantities of the model, its positive terms first."""
        names = self.quantities.mechanism.names
        terms = [python(term.expr, names) for term in read_terms(form)]
        above = " + ".join(term for term in terms if term[0] != "-")
        below = " - ".join(term[1:] for term in terms if term[0] == "-")
        return f"{above} - {below}" if above and below else above or f"-{below}"

    def _holds(self, symbols: Symbols, printed: _Printed) -> bool:
        return self.search.judge(symbols, printed.relation)

    def _is_borne_out(self, symbols: Symbols, printed: _Printed) -> bool:
        """Return whether an equation holds with another meaning, and could have failed."""
        judge = partial(self.search.judge, symbols)
        guessed = self.search.names_of(self.key)
        return judge(printed.relation) and could_fail(judge, printed.relation, guessed)

    def _labels(self, printed: Iterator[_Printed]) -> tuple[str, ...]:
        """Return labels in the order of the page."""
        labels = {p.relation.label for p in printed}
        order = (p.relation.label for p in self.search.printed)
        return tuple(label for label in dict.fromkeys(order) if label in labels)

    def _may_hold(self, printed: _Printed, form: Form) -> bool:
        """Return whether an equation may hold with another meaning, as far as a point tells."""
        equations = self._at_point(printed)
        if equations is None:
            return True
        values = self._values_of(form)
        try:
            return all(_value_at(parts, values) == 0 for parts in equations)
        except ValueError:  # one over what is zero there
            return True

    def _values_of(self, form: Form) -> tuple[int, ...]:
        """Return the values of a meaning, its rates and its exponential at the point."""
        if form not in self._values:
            self._values[form] = tuple(map(self.quantities.point.value, self._forms_of(form)))
        return self._values[form]

    def _forms_of(self, form: Form) -> list[Form]:
        """Return the exponential of a meaning, itself and its rates, in coordinates."""
        lower, zero = self.quantities.lower, self.ring.zero
        lowered, turned = lower(form), zero
        if self._is_constant:
            return [zero, lowered, zero, zero]
        if self._is_angle:
            turned = self.ring.cos(lowered) + self.ring.imaginary * self.ring.sin(lowered)
        once = self.quantities.rate(form)
        return [turned, lowered, lower(once), lower(self.quantities.rate(once))]

    def _at_point(self, printed: _Printed) -> list[dict[Powers, int]] | None:
        if printed not in self._points:
            equations, value = self._polynomials(printed), self.quantities.point.value
            points = None
            if equations is not None:
                points = [{powers: value(part) for powers, part in e.items()} for e in equations]
            self._points[printed] = points
        return self._points[printed]

    # ------------------------------------------------------------------ solved for the symbol

    def _solved(self) -> Iterator[Form]:
        """Iterate over the simple solutions of the equations for the symbol."""
        for printed in self.wrong:
            for parts in self._polynomials(printed) or ():
                if set(parts) <= {CONSTANT, LINEAR} and parts.get(LINEAR):
                    rest = parts.get(CONSTANT, self.ring.zero)
                    solution = -rest / parts[LINEAR]
                    if self._is_simple(solution):
                        yield solution

    def _is_simple(self, form: Form) -> bool:
        kinds = {self.ring.generators[place].kind for place in form.terms.places()}
        if not form or kinds - {"factor", "angle"} or len(form.terms) > 2 * MOST_TERMS:
            return False
        if self._is_constant and not self.candidates.is_constant(form):
            return False
        terms = read_terms(form)
        if any(power < 0 for term in terms for _, power in term.factors):
            return False
        numbers = [part for t in terms for part in (abs(t.coefficient.p), t.coefficient.q)]
        dimensions = self.candidates.dimensions
        same = dimensions.of(form) == dimensions.of(self.form)
        return same and len(terms) <= MOST_TERMS and max(numbers) <= MOST_NUMBER

    def _polynomials(self, printed: _Printed) -> list[dict[Powers, Form]] | None:
        """Return the scalar equations by powers of the symbol, on the level of coordinates.

        None where one is no polynomial in it.
        """
        if printed not in self._parts:
            with self.ring.budget.work():
                try:
                    self._parts[printed] = self._split(printed)
                except (NoValueError, ZeroDivisionError):
                    self._parts[printed] = None
        return self._parts[printed]

    def _split(self, printed: _Printed) -> list[dict[Powers, Form]] | None:
        names = self.search.names_of(self.key)
        nodes = [node for node in printed.names if node.key in names]
        if any(node.dots >= len(UNKNOWNS) for node in nodes) or self._is_differentiated(printed):
            return None
        unknowns = [Grid.scalar(self.ring.symbol(one)) for one in UNKNOWNS]
        instead: Instead = {node: unknowns[node.dots] for node in nodes}
        evaluator = Evaluator(self.search.symbols, instead)
        found = [*map(self._powers, differences(evaluator, printed.relation))]
        return None if None in found else [parts for parts in found if parts is not None]

    def _is_differentiated(self, printed: _Printed) -> bool:
        """Return whether a symbol that moves stands under a derivative sign."""
        relation, names = printed.relation, self.search.names_of(self.key)
        if self._is_constant:
            return False
        under = [n for n in walk(relation.left, relation.right) if isinstance(n, DERIVATIVES)]
        return any(isinstance(n, Name) and n.key in names for one in under for n in walk(one))

    def _powers(self, form: Form) -> dict[Powers, Form] | None:
        """Split a form by the powers of the unknown's exponential, of itself and of its rates.

        None where the unknown stands elsewhere.
        """
        turned = -1
        for place in form.terms.places():
            generator = self.ring.generators[place]
            if generator.kind == "angle" and generator.expr == UNKNOWNS[0]:
                turned = place
            elif generator.kind != "factor" and generator.expr.free_symbols & {*UNKNOWNS}:
                return None
        places = (*map(self.ring.place_of, UNKNOWNS), *([turned] if turned >= 0 else []))
        found: dict[Powers, Form] = {}
        for (still, once, twice, *rest), terms in form.terms.by_powers(places).items():
            angle = rest[0] if rest else 0
            if angle % PARTS or min(still, once, twice) < 0:
                return None
            lowered = self.quantities.lower(Form(self.ring, terms))
            found[angle // PARTS, still, once, twice] = lowered
        return found


def _value_at(parts: Mapping[Powers, int], values: tuple[int, ...]) -> int:
    """Return the value of an equation at a point of the prime field."""
    total = 0
    for powers, part in parts.items():
        for value, power in zip(values, powers, strict=True):
            part = part * pow(value, power, PRIME) % PRIME if power else part
        total += part
    return total % PRIME
