r"""Lagrange's equations that a page prints in letters alone, rightly or not.

Their terms have no meaning by the page where no energy is said, and are misprinted all the same:
:math:`\frac{d}{dt}\frac{\partial T}{\partial q} - \frac{\partial T}{\partial\dot q}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS, POTENTIAL
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Add, Name, Partial, Term, TimeDerivative, terms_of, walk

_LAGRANGE = "Lagrange's equations have d/dt ∂{}/∂q' {} ∂{}/∂q"
_POTENTIALS = frozenset(POTENTIAL) - {"U"}
"""Letters of potential energies; U is a function of forces as well, of the other sign."""
_ENERGIES = frozenset({*KINETIC, *LAGRANGIANS, *_POTENTIALS})


@dataclass(frozen=True)
class _Derivative:
    r"""A derivative of an energy that stands as a term, perhaps differentiated by time once more.

    As the one by ``\dot q`` does in Lagrange's equations.
    """

    sign: int
    energy: str
    by: Name
    is_rate: bool

    def belongs_to(self, other: _Derivative) -> bool:
        """Return whether it is the one by a rate, and another that by its coordinate."""
        is_alike = bare(self.by.key) == bare(other.by.key) and self.by.dots == other.by.dots + 1
        return is_alike and self.sign == (1 if other.energy in _POTENTIALS else -1) * other.sign


def states_law(relation: Relation) -> bool:
    """Return whether an equation has what stands in Lagrange's equations, rightly or not."""
    return next(_pairs(relation), None) is not None


def broken_law(relation: Relation) -> str | None:
    """Return the law that an equation states wrongly; None where it states none, or rightly.

    Parameters
    ----------
    relation : Relation

    Returns
    -------
    str or None
        What the law has, for people.
    """
    pairs = list(_pairs(relation))
    wrong = [(rate, other) for rate, other in pairs if not rate.belongs_to(other)]
    if not wrong or not _is_of_one_letter(pairs):
        return None
    rate, other = wrong[0]
    sign = "+" if other.energy in _POTENTIALS else "-"
    return _LAGRANGE.format(rate.energy, sign, other.energy)


def mends_law(changed: Relation, printed: Relation) -> bool:
    """Return whether a change makes an equation state a law rightly, with the sign that it has."""
    pairs, before = list(_pairs(changed)), list(_pairs(printed))
    is_stated = bool(pairs) and all(rate.belongs_to(other) for rate, other in pairs)
    return is_stated and [one.sign for one, _ in pairs] == [one.sign for one, _ in before]


def names_due(relation: Relation) -> tuple[tuple[Name, Name], ...]:
    """Return the names by which a law is misprinted, each with the one that is due.

    Such as a coordinate and its rate in each other's place, and another coordinate than before.
    """
    for rate, other in _pairs(relation):
        one, two = rate.by, other.by
        is_alike = bare(one.key) == bare(two.key)
        if is_alike and rate.energy == other.energy and two.dots == one.dots + 1:
            return (one, replace(one, dots=two.dots)), (two, replace(two, dots=one.dots))
        if not is_alike and one.dots == two.dots + 1:
            return ((two, replace(two, key=one.key)),)
    return ()


def _is_of_one_letter(pairs: list[tuple[_Derivative, _Derivative]]) -> bool:
    """Return whether all is differentiated by coordinates of one letter, as by q_i and q_j."""
    names = [one.by.key for pair in pairs for one in pair]
    return len({SymbolShape.of(key).letter for key in names}) == 1


def _pairs(relation: Relation) -> Iterator[tuple[_Derivative, _Derivative]]:
    """Iterate over what stands as in Lagrange's equations: the rate of a derivative, and another.

    That is of the same energy, or of a potential one beside the kinetic one; none where one stands
    more often, as for several coordinates.
    """
    sums = [node.terms for node in walk(relation.left, relation.right) if isinstance(node, Add)]
    both = [*_derivatives(terms_of(relation.left)), *_derivatives(terms_of(relation.right), -1)]
    for found in (both, *([*_derivatives(terms)] for terms in sums)):
        for energy in dict.fromkeys(one.energy for one in found if one.energy not in _POTENTIALS):
            rates = [one for one in found if one.energy == energy and one.is_rate]
            for those in {energy}, _POTENTIALS if energy in KINETIC else ():
                others = [one for one in found if one.energy in those and not one.is_rate]
                if len(rates) == len(others) == 1:
                    yield rates[0], others[0]


def _derivatives(terms: Iterable[Term], sign: int = 1) -> Iterator[_Derivative]:
    """Iterate over the terms that are derivatives of energies."""
    for term in terms:
        match term.node:
            case TimeDerivative(order=1, node=Partial() as node):
                is_rate = True
            case Partial() as node:
                is_rate = False
            case _:
                continue
        match node:
            case Partial(node=Name(key=key, dots=0), with_respect_to=(by,)) if key in _ENERGIES:
                yield _Derivative(sign * term.sign, key, by, is_rate)
