r"""Whether it says anything that a printed equation holds: only if it could have failed.

An equation that holds is evidence for something in it, a symbol's meaning or a proposed change, if
it fails when that is changed a little, and if it does not hold by that alone: it fails as well
when everything else in it is changed. ``d a = a d`` says nothing, and ``l \ddot\theta = 7 g
\sin\theta`` says nothing of a constant that makes both of its sides vanish.

To change a symbol is to print a number in front of it, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sympy import prime

from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import (
    Divide,
    Multiply,
    Name,
    Node,
    Number,
    Partial,
    Power,
    TimeDerivative,
    rebuilt,
    walk,
)

Holds = Callable[[Relation], bool]
"""Judges an equation with the meanings that its symbols have; what has no value does not hold."""
Definitions = Mapping[str, Node]
"""What stands for some symbols because the page defines them so."""
FIRST = 5
"""The primes from this one on stand in front of what is changed."""


def could_fail(
    holds: Holds,
    relation: Relation,
    guessed: Collection[str] = (),
    definitions: Definitions | None = None,
) -> bool:
    """Return whether an equation that holds could have failed, and so says something.

    Parameters
    ----------
    holds : callable
        Judges an equation.
    relation : Relation
        An equation that holds.
    guessed : collection of str, optional
        The symbols of which it is to say something; of any of its symbols by default.
    definitions : mapping of str to Node, optional
        What symbols were defined by: it is put in for them, so that no definition, and no
        repetition of one, says anything.
    """
    known = definitions or {}
    bare = inlined(relation, known)
    if not guessed:
        return not holds(changed(bare, names(bare)))
    otherwise = inlined(changed(relation, guessed), known)
    return not holds(otherwise) and not holds_by(holds, bare, guessed)


def holds_by(holds: Holds, relation: Relation, guessed: Collection[str]) -> bool:
    """Return whether an equation holds whatever the other symbols, or else its numbers, are."""
    others = names(relation).difference(guessed)
    return holds(changed(relation, others) if others else with_other_numbers(relation))


def names(relation: Relation) -> set[str]:
    """Return the symbols of an equation."""
    nodes = walk(relation.left, relation.right)
    return {node.key for node in nodes if isinstance(node, Name)}


def changed(relation: Relation, keys: Collection[str]) -> Relation:
    """Return an equation with another number in front of each of some symbols."""
    return _Change(frozenset(keys)).of(relation)


def with_other_numbers(relation: Relation) -> Relation:
    """Return an equation with other numbers, but for zeros and exponents."""
    return _Change(numbers=True).of(relation)


def inlined(relation: Relation, definitions: Definitions) -> Relation:
    """Return an equation with what symbols are defined by in place of them."""
    return _Inlined(definitions).of(relation) if definitions else relation


class _Rebuilt:
    """Rebuilds equations, node by node."""

    def of(self, relation: Relation) -> Relation:
        left, right = self.node(relation.left), self.node(relation.right)
        return replace(relation, left=left, right=right, others=())

    def node(self, node: Any) -> Any:
        return rebuilt(node, self.node)


@dataclass(frozen=True)
class _Inlined(_Rebuilt):
    """Puts in what symbols are defined by."""

    definitions: Definitions

    def node(self, node: Any) -> Any:
        match node:
            case Name(key=key, dots=dots, span=span) if key in self.definitions:
                others = {k: v for k, v in self.definitions.items() if k != key}
                inner = _Inlined(others).node(self.definitions[key])
                return TimeDerivative(inner, dots, span) if dots else inner
            case Partial(node=inner):
                return replace(node, node=self.node(inner))
        return super().node(node)


@dataclass(frozen=True)
class _Change(_Rebuilt):
    """Multiplies symbols, or else printed numbers, by numbers."""

    keys: frozenset[str] = frozenset()
    numbers: bool = False
    _factors: dict[object, Fraction] = field(default_factory=dict)

    def node(self, node: Any) -> Any:
        match node:
            case Name(key=key) if key in self.keys:
                return Multiply((Number(self._factor(node), node.span), node), node.span)
            case Number(value=value) if self.numbers:
                return replace(node, value=value * self._factor(value))
            case Power(base=base) if self.numbers:
                return replace(node, base=self.node(base))
            case Partial(node=inner, with_respect_to=by):
                return self._divided(replace(node, node=self.node(inner)), by)
        return super().node(node)

    def _divided(self, node: Partial, by: Collection[Name]) -> Node:
        """Return a derivative by changed symbols, which is smaller by the same numbers."""
        found: Node = node
        for name in by:
            if name.key in self.keys:
                found = Divide(found, Number(self._factor(name), name.span), name.span)
        return found

    def _factor(self, part: Name | Fraction) -> Fraction:
        which = (part.key, part.indices) if isinstance(part, Name) else part
        number = FIRST + len(self._factors)
        return self._factors.setdefault(which, Fraction(int(prime(number))))
