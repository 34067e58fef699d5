r"""The cases that a page puts, and the equations after them that are about these cases.

``m_1 = m_2 = m`` or ``\Omega = 0`` is an assumption from there on, for equations that no longer
print what it sets: one that prints both masses tells them apart. It is made only where an
equation does not hold without it, and it is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from freebody.algebra.terms import TooLargeError
from freebody.checking.explain import addends
from freebody.checking.grid import MeaningError
from freebody.checking.meaning.conditions import Case, case_of
from freebody.checking.meaning.evaluator import Evaluator, Symbols
from freebody.checking.meaning.pairs import walk
from freebody.checking.quantities.derived import Quantities
from freebody.documents.document import Assumption
from freebody.documents.latex.layout.displays import Relation
from freebody.documents.latex.tree import Name
from freebody.mechanics.notation import python

_HEADING = re.compile(r"^\s*#{1,6}\s|\\(?:sub)*section\b|\\chapter\b", re.MULTILINE)
EMPTY = "it says nothing: what is given leaves nothing of it"


@dataclass
class Cases:
    """What a page has set so far.

    Attributes
    ----------
    symbols : Symbols
        What the names of the page stand for.
    text : str
        The page.
    """

    symbols: Symbols
    text: str
    _known: list[Case] = field(default_factory=list)

    def put(self, relation: Relation) -> bool:
        """Return whether an equation puts a case, which is taken note of."""
        found = case_of(self.symbols, relation)
        if found is None:
            return False
        if found.atom is not None:
            self._known = [one for one in self._known if one.atom != found.atom]
            self._known.append(found)
        return True

    def of(self, relation: Relation) -> list[Case]:
        """Return the cases that an equation may be about.

        What one display puts together is one case: it is left where an equation tells apart any
        of what the display sets equal.
        """
        printed = _names(relation)
        apart = {one.relation.display for one in self._known if not _fits(one, printed)}
        kept = (one for one in self._known if one.relation.display not in apart)
        return [one for one in kept if self._lasts(one, relation)]

    def _lasts(self, case: Case, relation: Relation) -> bool:
        """Return whether a case is still put: one about what moves ends with its section."""
        between = self.text[case.relation.span.stop : relation.span.start]
        return case.is_lasting or _HEADING.search(between) is None


def assumption(case: Case, quantities: Quantities) -> Assumption:
    """Return a case as an assumption."""
    names, ring = quantities.mechanism.names, quantities.ring
    value = python(ring.expression(case.value), names)
    given = {python(case.atom, names): value}
    return Assumption(given=given, note=f"the case that {case.relation.label} puts")


def is_empty(symbols: Symbols, relation: Relation) -> bool:
    """Return whether what is given makes each term of an equation vanish: it says nothing then.

    That is so before anything is derived: in ``J alpha_ddot = -k alpha``, where alpha is zero.
    """
    evaluator = Evaluator(symbols)
    terms = (*addends(relation.left), *addends(relation.right))
    try:
        forms = (form for term in terms for form in evaluator.value(term).entries())
        return not any(map(symbols.quantities.put_in, forms))
    except (MeaningError, TooLargeError):
        return False


def _names(relation: Relation) -> set[tuple[str, int]]:
    """Return the symbols of an equation with their dots, each with fewer dots as well."""
    nodes = walk((relation.left, relation.right))
    names = [node for node in nodes if isinstance(node, Name)]
    return {(node.key, dots) for node in names for dots in range(node.dots + 1)}


def _fits(case: Case, printed: set[tuple[str, int]]) -> bool:
    """Return whether an equation does not tell apart what a case sets equal."""
    sides = (case.relation.left, case.relation.right)
    names = {(side.key, side.dots) for side in sides if isinstance(side, Name)}
    return len(printed & names) < len(names)
