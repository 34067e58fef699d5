r"""The cases that a page puts, and the equations after them that are about these cases.

``m_1 = m_2 = m`` or ``\Omega = 0`` is an assumption from there on, for equations that no longer
print what it sets: one that prints both masses tells them apart. It is made only where an
equation does not hold without it, and it is told.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import sympy

from freebody.checking.asides import (
    Aside,
    Small,
    is_called_case,
    lasts_over,
    says_rest,
    says_small,
    says_unity,
    turns,
)
from freebody.checking.explain import addends
from freebody.checking.meaning.conditions import SMALL, Case, case_of, is_in_text, shifted
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents.document import Assumption
from freebody.documents.headings import headings
from freebody.documents.latex import Declared
from freebody.documents.latex.grammar.equations import CONSERVED
from freebody.documents.latex.names import index_letters
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Name, Span, walk
from freebody.errors import FreebodyError, NoValueError
from freebody.mechanics.notation import python

EMPTY = "it says nothing: what is given leaves nothing of it"


@dataclass
class Cases:
    """What a page has set so far.

    Attributes
    ----------
    symbols : Symbols
        What the names of the page stand for.
    page : Page
    declared : Declared
        The names that its formulas may use.
    relations : sequence of Relation
        The equations of the page.
    asides : sequence of Aside
        The conditions that stand beside them.
    """

    symbols: Symbols
    page: Page
    declared: Declared
    relations: Sequence[Relation] = ()
    asides: Sequence[Aside] = ()
    _known: list[Case] = field(default_factory=list)
    _cases: dict[tuple[str, Span], Case | None] = field(default_factory=dict)

    def put(self, relation: Relation) -> bool:
        """Return whether an equation puts a case, which is taken note of."""
        found = case_of(self.symbols, relation, is_called_one=is_called_case(self.page, relation))
        if found is None:
            return False
        is_one = found.atom is not None and not found.is_small
        if is_one and self._is_put(relation) and not self._is_beside(relation):
            self._known = [one for one in self._known if one.atom != found.atom]
            self._known.append(found)
        return True

    def of(self, relation: Relation) -> list[Case]:
        """Return the cases that an equation may be about.

        What one display puts together is one case: it is left where an equation tells apart any
        of what the display sets equal.
        """
        known = [*self._known, *self._beside(relation)]
        apart = {one.relation.display for one in known if not _fits(one, relation)}
        kept = (one for one in known if one.relation.display not in apart)
        lasting = (one for one in kept if self._lasts(one, relation))
        latest = {(one.atom, one.is_small): one for one in sorted(lasting, key=_place)}
        return list(latest.values())

    def _is_put(self, relation: Relation) -> bool:
        """Return whether words say that a formula in running text is a case."""
        return not is_in_text(relation) or turns(self.page, relation.display)

    def _is_beside(self, relation: Relation) -> bool:
        """Return whether an equation is the condition of another one in its display alone."""
        others = (one for one in self.relations if one is not relation)
        is_one_of = any(one.display == relation.display for one in others)
        return is_one_of and is_called_case(self.page, relation)

    def _beside(self, relation: Relation) -> Iterator[Case]:
        """Iterate over the cases of an equation's own display, and of the text before it."""
        for other in self.relations:
            is_here = other.display == relation.display and other.relation != SMALL
            if is_here and other is not relation:
                is_called = is_called_case(self.page, other)
                yield from self._found(other, is_called_one=is_called)
        for aside in self.asides:
            is_before = aside.relation.span.stop <= relation.display.start
            if aside.display == relation.display or (aside.display is None and is_before):
                yield from self._found(aside.relation, is_called_one=True)

    def _found(self, relation: Relation, *, is_called_one: bool = False) -> Iterator[Case]:
        key = relation.label, relation.span
        if key not in self._cases:
            self._cases[key] = case_of(self.symbols, relation, is_called_one=is_called_one)
        found = self._cases[key]
        if found is not None and found.atom is not None:
            yield found

    def _lasts(self, case: Case, relation: Relation) -> bool:
        """Return whether a case is still put.

        One about what moves ends with its section, one in running text with its paragraphs.
        """
        if case.relation.display == relation.display:
            return True
        is_aside = any(one.relation is case.relation for one in self.asides)
        if case.is_lasting and not is_aside:
            return True
        if self._section(case.relation) != self._section(relation):
            return False
        between = self.page.text[case.relation.span.stop : relation.span.start]
        return case.is_lasting or case.is_small or not is_aside or lasts_over(between)

    def _section(self, relation: Relation) -> int:
        """Return where the section of an equation begins."""
        before = bisect_right(self._headings, relation.span.start)
        return self._headings[before - 1] if before else self.page.start

    @cached_property
    def _headings(self) -> list[int]:
        return [one.start for one in headings(self.page)]

    def in_words(self, relation: Relation) -> Iterator[Assumption]:
        """Iterate over what words alone say: small motions, rest, or that nothing drives them."""
        names, ring = self.symbols.quantities.mechanism.names, self.symbols.quantities.ring
        since = self._section(relation)
        if small := says_small(self.page, since, relation, self.declared):
            note = f"'{small.words}'"
            if named := [*self._named(small)]:
                yield Assumption(small=tuple(named), order=1, note=note)
            cases = [case_of(self.symbols, one) for one in small.about]
            about = {one.atom: ring.expression(one.value) for one in cases if one is not None}
            values = {**self._offsets(relation), **about}
            every = (
                python(atom - values[atom], names) if values.get(atom) else name
                for name, atom in names.coordinates.items()
            )
            yield Assumption(small=tuple(every), order=1, note=note)
        if said := says_rest(self.page, relation.display):
            yield Assumption(instant=dict.fromkeys(names.speeds, 0), note=f"'{said}'")
        if said := says_unity(self.page, relation.display):
            yield Assumption(given=dict.fromkeys(names.constants, 1), note=f"'{said}'")
        if CONSERVED in relation.readings and names.inputs:
            yield Assumption(given=dict.fromkeys(names.inputs, 0), note="nothing drives it")

    def _named(self, small: Small) -> Iterator[str]:
        """Iterate over what words call small by its name: coordinates, their rates and inputs."""
        quantities = self.symbols.quantities
        for name in small.names:
            try:
                form = self.symbols.value(name.key, name.indices, name.dots).form
            except FreebodyError:
                continue
            if quantities.derived.keys().isdisjoint(form.symbols) and quantities.varies(form):
                yield python(quantities.ring.expression(form), quantities.mechanism.names)

    def _offsets(self, relation: Relation) -> dict[sympy.Expr, sympy.Expr]:
        """Return where coordinates are where the symbols of an equation for them are zero."""
        found: dict[sympy.Expr, sympy.Expr] = {}
        ring, mentioned = self.symbols.quantities.ring, {key for key, _ in _names(relation)}
        for key in mentioned & self.symbols.meanings.keys():
            if index_letters(key) or not self.symbols.value(key).is_scalar:
                continue
            form = self.symbols.value(key).form
            if atom := shifted(self.symbols, form):
                slope = ring.partial(form, atom)
                rest = slope * (slope * ring.form(atom) - form)
                found[atom] = ring.expression(rest)
        return found


def in_steady_motion(cases: Sequence[Assumption], quantities: Quantities) -> list[Assumption]:
    """Return cases about what moves as those of a motion that nothing holds; none without any."""
    names = quantities.mechanism.names
    steady = [not one.given.keys() <= {*names.constants, *names.inputs} for one in cases]
    pairs = zip(cases, steady, strict=True)
    found = [one.model_copy(update={"steady": True}) if moves else one for one, moves in pairs]
    return found if any(steady) else []


def assumption(case: Case, quantities: Quantities) -> Assumption:
    """Return a case as an assumption."""
    names, ring = quantities.mechanism.names, quantities.ring
    note = f"the case that {case.relation.label} puts"
    value = python(ring.expression(case.value), names)
    if case.is_small:
        return Assumption(small=(value,), order=1, note=note)
    given = {python(case.atom, names): value}
    return Assumption(given=given, note=note)


def is_empty(symbols: Symbols, relation: Relation) -> bool:
    """Return whether what is given makes each term of an equation vanish: it says nothing then.

    That is so before anything is derived: in ``J alpha_ddot = -k alpha``, where alpha is zero.
    """
    evaluator = Evaluator(symbols)
    terms = (*addends(relation.left), *addends(relation.right))
    try:
        forms = (form for term in terms for form in evaluator.value(term).entries())
        return not any(map(symbols.quantities.put_in, forms))
    except NoValueError:
        return False


def _place(case: Case) -> int:
    return case.relation.span.start


def _names(relation: Relation) -> set[tuple[str, int]]:
    """Return the symbols of an equation with their dots."""
    nodes = walk(relation.left, relation.right)
    return {(node.key, node.dots) for node in nodes if isinstance(node, Name)}


def _fits(case: Case, relation: Relation) -> bool:
    """Return whether an equation does not tell apart what a case sets equal.

    One that prints a rate of what is set does, but where that is set for it alone, at an instant.
    """
    printed = _names(relation)
    if case.relation.display != relation.display:
        printed = {(key, fewer) for key, dots in printed for fewer in range(dots + 1)}
    sides = (case.relation.left, case.relation.right)
    names = {(side.key, side.dots) for side in sides if isinstance(side, Name)}
    if case.is_small:
        return True
    return len(printed & names) < len(names)
