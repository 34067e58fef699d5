"""Expressions worked out in a domain: whatever computes with +, -, * and / instead of symbols.

A `Domain` gives each atom an element and walks expressions from their leaves up, every shared
part once. How functions carry the nilpotents of their arguments on, and so their derivatives, is
the same in every domain and stands here.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import prod
from typing import Any, Generic, Self, TypeVar

import sympy
from sympy.core.function import AppliedUndef

from freebody.algebra.elements import Element
from freebody.errors import FreebodyError

ATOMS = (sympy.Symbol, AppliedUndef, sympy.Derivative, type(sympy.pi))
"""What has a value of its own: symbols, functions of time, their derivatives, and pi."""
DIFFERENTIABLE = (sympy.Function, sympy.Max, sympy.Min, sympy.Pow)


class UndecidedError(FreebodyError):
    """An identity that the values of a domain cannot decide."""


E = TypeVar("E", bound=Element)


class Domain(ABC, Generic[E]):
    """A way to work expressions out, with a memory for every part of them."""

    element: type[E]
    units: tuple[E, E]
    """The nilpotents ε and η."""
    imaginary: E

    def __init__(self) -> None:
        self._given: dict[sympy.Expr, E] = {}
        self._foreign: frozenset[sympy.Expr] = frozenset()
        self._meant: dict[sympy.Expr, sympy.Expr] = {}
        self._base = self
        self._elements: list[E] = []
        self._known: dict[Any, int] = {}
        self._places: dict[int, int] = {}
        self._nodes: list[sympy.Basic] = []

    # ------------------------------------------------------------------ what a domain says

    @abstractmethod
    def free(self, atom: sympy.Expr) -> E:
        """Return the element of a symbol, a function of time, a derivative or pi."""

    @abstractmethod
    def circle(self, argument: sympy.Expr, value: E) -> tuple[E, E]:
        """Return cosine and sine of an argument where the nilpotents are zero."""

    @abstractmethod
    def root(self, base: sympy.Expr, square: E) -> E:
        """Return a square root where the nilpotents are zero."""

    @abstractmethod
    def drawn(self, name: str, arguments: list[E]) -> E:
        """Return the element of an opaque function of elements without nilpotents."""

    # ------------------------------------------------------------------ what it is asked

    def values(self, expressions: Iterable[Any]) -> list[E]:
        """Return the elements of expressions, of any depth.

        Raises
        ------
        ZeroDivisionError
            If a denominator happens to be zero.
        UndecidedError
            If a function has no derivative where one is needed.
        """
        roots = [sympy.sympify(expression, strict=True) for expression in expressions]
        return [self._elements[self._place(root)] for root in roots]

    def moved(self, epsilon: Mapping[sympy.Expr, Any], eta: Mapping[sympy.Expr, Any]) -> Self:
        """Return the same domain with atoms that are moved along the nilpotents.

        They are moved in addition to how they move already. The ε part of what is worked out there
        is its derivative along `epsilon`, the η part that along `eta`, and the εη part the second
        derivative along both.

        Parameters
        ----------
        epsilon, eta : mapping of sympy.Expr to int, rational or element
            How fast each atom moves; the others do not.
        """
        given = {atom: self._atom(atom) for atom in (*epsilon, *eta)}
        for unit, rates in zip(self.units, (epsilon, eta), strict=True):
            for atom, rate in rates.items():
                given[atom] = given[atom] + unit * rate
        return self._with({**self._given, **given})

    def where(self, given: Mapping[sympy.Expr, E]) -> Self:
        """Return the same domain with other elements for some atoms.

        Cosines and sines of what has another value by that are opaque.
        """
        return self._with({**self._given, **given}, foreign=given.keys())

    def _with(
        self,
        given: dict[sympy.Expr, E],
        *,
        foreign: Iterable[sympy.Expr] = (),
        meant: Mapping[sympy.Expr, sympy.Expr] | None = None,
    ) -> Self:
        """Return the same domain with elements of atoms, and with what dummies stand for."""
        other = copy.copy(self)
        Domain.__init__(other)
        other._given, other._base = given, self._base
        other._foreign = self._foreign.union(foreign)
        other._meant = {**self._meant, **(meant or {})}
        return other

    # ------------------------------------------------------------------ walking

    def _place(self, root: sympy.Basic) -> int:
        """Return where the element of an expression stands, after those of all its parts."""
        waiting: list[tuple[sympy.Basic, tuple[sympy.Basic, ...] | None]] = [(root, None)]
        while waiting:
            node, parts = waiting.pop()
            if id(node) in self._places:
                continue
            if parts is None:
                parts = () if isinstance(node, ATOMS) else node.args
                waiting.append((node, parts))
                waiting.extend((part, None) for part in parts)
            else:
                self._enter(node, parts)
        return self._places[id(root)]

    def _enter(self, node: sympy.Basic, parts: tuple[sympy.Basic, ...]) -> None:
        """Remember a node by the places of its parts: deep trees are never compared."""
        places = [self._places[id(part)] for part in parts]
        key = (node.func, *places) if places else node
        if key not in self._known:
            element = self._evaluated(node, [self._elements[place] for place in places])
            self._known[key] = len(self._elements)
            self._elements.append(element)
        self._places[id(node)] = self._known[key]
        self._nodes.append(node)  # an id is good only as long as its object lives

    def _evaluated(self, node: Any, parts: list[E]) -> E:
        for kinds, work_out in _OPERATIONS:
            if isinstance(node, kinds):
                return work_out(self, node, parts)
        return self._function(node, parts) if parts else self.drawn(sympy.srepr(node), [])

    # ------------------------------------------------------------------ functions

    def _atom(self, atom: sympy.Expr) -> E:
        return self._given[atom] if atom in self._given else self.free(atom)

    def _power(self, node: sympy.Pow, parts: list[E]) -> E:
        base, power = node.args
        if power.is_Integer:
            return parts[0] ** int(power)
        if power.is_Rational and power.q == 2:
            return self._sqrt(base, parts[0]) ** int(power.p)
        return self._function(node, parts)

    def _sqrt(self, base: sympy.Expr, square: E) -> E:
        root = self.root(base, square)
        if not square.order:
            return root
        slope = (root + root).inverse()
        return square.through(root, slope, -2 * slope**3)

    def _cos(self, node: sympy.Expr, parts: list[E]) -> E:
        cosine, sine = self.circle(node.args[0].xreplace(self._meant), parts[0])
        return parts[0].through(cosine, -sine, -cosine)

    def _sin(self, node: sympy.Expr, parts: list[E]) -> E:
        cosine, sine = self.circle(node.args[0].xreplace(self._meant), parts[0])
        return parts[0].through(sine, cosine, -sine)

    def _function(self, node: sympy.Expr, arguments: list[E]) -> E:
        """Expand an opaque function by one nilpotent after the other."""
        order = max(argument.order for argument in arguments)
        if not order:
            return self.drawn(f"{node.func.__module__}.{node.func.__qualname__}", arguments)
        still, rates = zip(*(argument.split(order) for argument in arguments), strict=True)
        out = self._function(node, list(still))
        for i, argument in enumerate(arguments):
            if argument.order == order:
                out = out + self.units[order - 1] * self._slope(node, i, still) * rates[i]
        return out

    def _slope(self, node: sympy.Expr, i: int, arguments: tuple[E, ...]) -> E:
        """Return the derivative by one argument, worked out with dummies for all of them."""
        dummies, slope = _derivative(node.func, len(arguments), i)
        meant = (argument.xreplace(self._meant) for argument in node.args)
        given = dict(zip(dummies, arguments, strict=True))
        return self._with(given, meant=dict(zip(dummies, meant, strict=True))).values([slope])[0]


@lru_cache(maxsize=256)
def _derivative(function: Any, count: int, i: int) -> tuple[tuple[sympy.Dummy, ...], sympy.Expr]:
    """Return dummies and the derivative of a function of them by one.

    Raises
    ------
    UndecidedError
        If sympy has none.
    """
    dummies = sympy.symbols(f"x:{count}", cls=sympy.Dummy, real=True)
    try:
        known = issubclass(function, DIFFERENTIABLE)
        slope = function(*dummies).diff(dummies[i]) if known else sympy.nan
    except TypeError:  # a function whose arguments are not expressions
        slope = sympy.nan
    if slope.has(sympy.nan, sympy.Derivative):
        raise UndecidedError(f"{function.__name__} has no derivative that is known")
    return dummies, slope


def _number(domain: Domain[E], node: sympy.Rational, _: list[E]) -> E:
    return domain.element.number(node)


def _float(domain: Domain[E], node: sympy.Float, _: list[E]) -> E:
    return domain.element.number(sympy.Rational(repr(float(node))))


def _tan(domain: Domain[E], node: sympy.Expr, parts: list[E]) -> E:
    return domain._sin(node, parts) / domain._cos(node, parts)


_OPERATIONS: tuple[tuple[Any, Callable[[Any, Any, list[Any]], Any]], ...] = (
    (sympy.Rational, _number),
    (sympy.Float, _float),
    (ATOMS, lambda domain, node, _: domain._atom(node)),
    (type(sympy.I), lambda domain, *_: domain.imaginary),
    (sympy.Add, lambda _, __, parts: sum(parts[1:], parts[0])),
    (sympy.Mul, lambda _, __, parts: prod(parts[1:], start=parts[0])),
    (sympy.Pow, Domain._power),
    (sympy.cos, Domain._cos),
    (sympy.sin, Domain._sin),
    (sympy.tan, _tan),
)
