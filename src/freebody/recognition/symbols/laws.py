r"""What letters are by laws that a page prints as everybody does: :math:`F = m a`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import SymbolEquation, read
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Labelled,
    Multiply,
    Node,
    Number,
    Power,
    Term,
    Times,
    differentiated,
)

_LITERAL = r"\pi"
"""What is the same in laws and on pages."""
_PLACES = ("position", "coordinate", "height", "length")
"""What one letter may be at once, and is told by the first."""
_LEAST = 2
"""Letters that a law tells of at least."""
_HIGHEST = 9
"""Power to which numbers are worked out, as no law has a higher one."""
Factor = tuple[str, int, Fraction]
"""A letter with the order of its derivative and its power."""


def letters_by_laws(equations: Iterable[SymbolEquation]) -> dict[str, str]:
    r"""Return what letters are by laws that equations are; nothing of those with two meanings.

    Parameters
    ----------
    equations : iterable of SymbolEquation
        Of a page.

    Examples
    --------
    >>> page = read(Page(r"$$\vec F_1 = m_1\vec a$$ and $$C = \mu N$$"))
    >>> letters_by_laws(page.equations)
    {'\\vec{F}_1': 'force', 'm_1': 'mass', '\\vec{a}': 'acceleration'}
    """
    found: dict[str, str] = {}
    conflicting = set[str]()
    for one in equations:
        for key, words in _told(one).items():
            before = found.get(key, words)
            if words != before and not {words, before} <= {*_PLACES}:
                conflicting.add(key)
            found[key] = min(words, before, key=lambda one: (*_PLACES, one).index(one))
    return {key: words for key, words in found.items() if key not in conflicting}


def _told(equation: SymbolEquation) -> dict[str, str]:
    """Return what the letters of an equation are, where it is one law alone."""
    if equation.relation.relation not in EQUALITIES:
        return {}
    terms = _terms(equation)
    if not terms:
        return {}
    ways = [way for law in _laws() for way in _ways(law, terms)]
    first, *others = ways or [{}]
    return first if all(one == first for one in others) else {}


@dataclass(frozen=True)
class _Product:
    """A number times letters."""

    number: Fraction
    factors: tuple[Factor, ...] = ()

    def __mul__(self, other: _Product) -> _Product:
        return _Product(self.number * other.number, (*self.factors, *other.factors))

    def __pow__(self, power: Fraction) -> _Product | None:
        factors = tuple((key, order, own * power) for key, order, own in self.factors)
        if self.number == 1:
            return _Product(self.number, factors)
        is_small = power.denominator == 1 and abs(power) <= _HIGHEST
        return _Product(self.number ** int(power), factors) if is_small else None


_Terms = tuple[_Product, ...]
"""What is added up on both sides of an equation."""


def _ways(law: _Terms, printed: _Terms) -> Iterator[dict[str, str]]:
    """Iterate over what the letters of an equation are, if it is a law."""
    for named in _matched(law, printed, {}) if len(law) == len(printed) else ():
        told = {key: _words(role, key) for role, key in named.items() if role != _LITERAL}
        if len(told) >= _LEAST and len(told) == len({*named} - {_LITERAL}):
            yield told


def _matched(law: _Terms, printed: _Terms, named: dict[str, str]) -> Iterator[dict[str, str]]:
    """Iterate over the letters for those of a law, of which each term is one that is printed."""
    if not law:
        yield named
        return
    for place, term in enumerate(printed):
        if abs(term.number) != abs(law[0].number) or len(term.factors) != len(law[0].factors):
            continue
        rest = (*printed[:place], *printed[place + 1 :])
        for more in _assigned(law[0].factors, term.factors, named):
            yield from _matched(law[1:], rest, more)


def _assigned(
    law: tuple[Factor, ...], printed: tuple[Factor, ...], named: dict[str, str]
) -> Iterator[dict[str, str]]:
    """Iterate over the letters for those of a product of a law."""
    if not law:
        yield named
        return
    role, order, power = law[0]
    for place, (key, own_order, own_power) in enumerate(printed):
        is_alike = (order, power) == (own_order, own_power) and _may_be(key, role)
        if is_alike and named.get(role, key) == key:
            rest = (*printed[:place], *printed[place + 1 :])
            yield from _assigned(law[1:], rest, {**named, role: key})


def _may_be(key: str, role: str) -> bool:
    if _LITERAL in (key, role):
        return key == role
    looks = SymbolShape.of(key)
    is_bold = looks.is_styled or looks.is_decorated
    return looks.letter in _role(role)[1] and not (
        is_bold and SymbolShape.of(role).letter not in _vectors()
    )


def _words(role: str, key: str) -> str:
    """Return what a letter of a law is, printed as it is."""
    words = _role(role)[0]
    return "position" if words == "length" and SymbolShape.of(key).is_styled else words


def _role(role: str) -> tuple[str, frozenset[str]]:
    """Return what a letter of a law is, and by which letters that is written."""
    name = SymbolShape.of(role).letter
    words, letters = _table()["letters"][name]
    return words, frozenset(letters.split())


# ---------------------------------------------------------------------- equations


def _terms(equation: SymbolEquation) -> _Terms:
    """Return what is added up on both sides of an equation; nothing where that is no product."""
    sides = equation.relation.left, equation.relation.right
    found = [_product(node) for side in sides for node in _added(side)]
    products = tuple(one for one in found if one is not None and one.factors)
    return products if len(products) == len(found) else ()


def _added(node: Node) -> Iterator[Node]:
    if isinstance(node, Labelled):
        yield from _added(node.node)
    elif isinstance(node, Add):
        for term in node.terms:
            yield from _added(term.node)
    else:
        yield node


def _product(node: Node) -> _Product | None:
    """Return a node as a product of powers of letters; None where it is none."""
    if found := differentiated(node):
        return _Product(Fraction(1), ((bare(found[0].key), found[1], Fraction(1)),))
    match node:
        case Number(value=value):
            return _Product(value)
        case Labelled(node=inside) | Call(function="abs" | "norm", argument=inside):
            return _product(inside)
        case Add(terms=(Term(node=inside),)):
            return _product(inside)
        case Multiply(factors=factors):
            return _multiplied(factors)
        case Times():
            return _multiplied((node.left, node.right))
        case Divide(numerator=above, denominator=below):
            return _divided(_product(above), _product(below))
        case Power(base=base, exponent=Number(value=value)):
            return _raised(_product(base), value)
        case Call(function="sqrt", argument=inside):
            return _raised(_product(inside), Fraction(1, 2))
    return None


def _multiplied(factors: Iterable[Node]) -> _Product | None:
    result = _Product(Fraction(1))
    for one in map(_product, factors):
        if one is None:
            return None
        result = result * one
    return result


def _divided(above: _Product | None, below: _Product | None) -> _Product | None:
    under = _raised(below, Fraction(-1))
    return above * under if above and under else None


def _raised(product: _Product | None, power: Fraction) -> _Product | None:
    if product is None or (product.number == 0 and power < 0):
        return None
    return product**power


# ---------------------------------------------------------------------- laws


@cache
def _table() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath("laws.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _vectors() -> frozenset[str]:
    """Return the letters of laws that may be vectors."""
    return frozenset(_table()["vectors"]["letters"].split())


@cache
def _laws() -> tuple[_Terms, ...]:
    page = Page("\n\n".join(f"$${law}$$" for law in _table()["laws"]["of"]))
    return tuple(map(_terms, read(page).equations))
