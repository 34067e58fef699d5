"""Formulas as small trees, and what may be done to them without changing what they mean."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from freebody.documents.latex import tree
from freebody.documents.latex.tree import Node


@dataclass(frozen=True)
class Num:
    """A number, not negative."""

    value: Fraction


@dataclass(frozen=True)
class Atom:
    """A name as printed, or what is left as it is printed."""

    latex: str
    is_name: bool = True


@dataclass(frozen=True)
class Sum:
    """Signed terms."""

    terms: tuple[tuple[int, Formula], ...]


@dataclass(frozen=True)
class Prod:
    """Factors."""

    factors: tuple[Formula, ...]


@dataclass(frozen=True)
class Quot:
    """A quotient."""

    over: Formula
    under: Formula


@dataclass(frozen=True)
class Pow:
    """A power by a positive integer."""

    base: Formula
    exponent: int


@dataclass(frozen=True)
class Wave:
    """A sine or a cosine."""

    name: str
    of: Formula


Formula: TypeAlias = Num | Atom | Sum | Prod | Quot | Pow | Wave
Sides: TypeAlias = tuple[Formula, Formula]

TWO, HALF, ONE = Num(Fraction(2)), Num(Fraction(1, 2)), Num(Fraction(1))


POWER = re.compile(r"\s*\^\s*(?:\{\s*\d\s*\}|\d)\Z")
"""Of a name, which is no part of it."""


class UnfitError(Exception):
    """A formula that is not of scalars, or is not printed in one piece."""


def formula(node: Node, text: str) -> Formula:
    """Return the formula of a node, its names and what else stands in it as printed."""

    def inner(one: Node) -> Formula:
        return formula(one, text)

    match node:
        case tree.Number(value=value):
            return Num(value)
        case tree.Name():
            return _name(node, text)
        case tree.Add(terms=terms):
            return Sum(tuple((term.sign, inner(term.node)) for term in terms))
        case tree.Multiply(factors=factors):
            return Prod(tuple(map(inner, factors)))
        case tree.Divide(numerator=over, denominator=under):
            return Quot(inner(over), inner(under))
        case tree.Power(base=base, exponent=tree.Number(value=value)) if value in (2, 3):
            opaque = isinstance(base, tree.Call) and base.function not in ("sin", "cos")
            raised = Atom(_printed(node, text), is_name=False)
            return raised if opaque else Pow(inner(base), int(value))
        case tree.Call(function=("sin" | "cos") as name, argument=argument):
            return Wave(name, inner(argument))
        case tree.Call() | tree.TimeDerivative() | tree.Power():
            return Atom(_printed(node, text), is_name=False)
        case _:
            raise UnfitError(type(node).__name__)


def _name(node: tree.Name, text: str) -> Atom:
    """Return a name, without a power that is no part of it."""
    printed = _printed(node, text)
    return Atom(printed if POWER.search(node.key) else POWER.sub("", printed))


def _printed(node: Node, text: str) -> str:
    latex = " ".join(text[node.span.start : node.span.stop].split())
    is_whole = all(latex.count(a) == latex.count(b) for a, b in ("{}", "()", "[]"))
    if not latex or not is_whole or latex.count(r"\left") != latex.count(r"\right") or "&" in latex:
        raise UnfitError(latex)
    return latex


# ---------------------------------------------------------------------- one formula


def shuffled(of: Formula, chance: random.Random) -> Formula | None:
    match of:
        case Sum(terms=terms) if len(terms) > 1:
            return Sum(tuple(chance.sample(terms, len(terms))))
        case Prod(factors=factors) if len(factors) > 1:
            return Prod(tuple(chance.sample(factors, len(factors))))
    return None


def expanded(of: Formula, chance: random.Random) -> Formula | None:
    """Multiply a sum out, or a quotient of it."""
    match of:
        case Pow(base=Sum() as base, exponent=2):
            return Prod((base, base))
        case Quot(over=Sum(terms=terms), under=under):
            return Sum(tuple((sign, Quot(term, under)) for sign, term in terms))
        case Prod(factors=factors):
            for place, factor in enumerate(factors):
                if isinstance(factor, Sum):
                    rest = factors[:place] + factors[place + 1 :]
                    return Sum(tuple((sign, Prod((*rest, term))) for sign, term in factor.terms))
    return None


def factored(of: Formula, chance: random.Random) -> Formula | None:
    """Take a factor that several terms share out of them."""
    if not isinstance(of, Sum):
        return None
    split = [(sign, _factors(term)) for sign, term in of.terms]
    shared = {f for i, (_, one) in enumerate(split) for _, other in split[:i] for f in one & other}
    shared = {factor for factor in shared if not isinstance(factor, Num)}
    if not shared:
        return None
    factor = chance.choice(sorted(shared, key=repr))
    inside = [(sign, _without(term, factor)) for sign, term in of.terms if factor in _factors(term)]
    outside = [(sign, term) for sign, term in of.terms if factor not in _factors(term)]
    return Sum((*outside, (1, Prod((factor, Sum(tuple(inside)))))))


def _factors(of: Formula) -> set[Formula]:
    return set(of.factors) if isinstance(of, Prod) else {of}


def _without(of: Formula, factor: Formula) -> Formula:
    if not isinstance(of, Prod):
        return ONE
    place = of.factors.index(factor)
    return _product(of.factors[:place] + of.factors[place + 1 :])


def _product(factors: Sequence[Formula]) -> Formula:
    return factors[0] if len(factors) == 1 else Prod(tuple(factors)) if factors else ONE


def squares(of: Formula, chance: random.Random) -> Formula | None:
    """Write a squared wave by that of the double angle, or by the other wave's square."""
    match of:
        case Pow(base=Wave(name=name, of=angle), exponent=2):
            sign = 1 if name == "cos" else -1
            if chance.random() < 0.5:
                return Quot(Sum(((1, ONE), (sign, Wave("cos", Prod((TWO, angle)))))), TWO)
            other = "sin" if name == "cos" else "cos"
            return Sum(((1, ONE), (-1, Pow(Wave(other, angle), 2))))
    return None


def sums_of_angles(of: Formula, chance: random.Random) -> Formula | None:
    match of:
        case Wave(name=name, of=Sum(terms=((1, first), (sign, second)))):
            both = {"sin": ("cos", "sin", sign), "cos": ("cos", "sin", -sign)}[name]
            one, other = ("sin", "cos") if name == "sin" else ("cos", "sin")
            return Sum(
                (
                    (1, Prod((Wave(one, first), Wave("cos", second)))),
                    (both[2], Prod((Wave(other, first), Wave("sin", second)))),
                )
            )
    return None


def half_angles(of: Formula, chance: random.Random) -> Formula | None:
    match of:
        case Wave(name="sin", of=angle):
            half = Quot(angle, TWO)
            return Prod((TWO, Wave("sin", half), Wave("cos", half)))
    return None


def products_of_waves(of: Formula, chance: random.Random) -> Formula | None:
    """Write a product of two waves as a sum of waves."""
    if not isinstance(of, Prod):
        return None
    waves = [factor for factor in of.factors if isinstance(factor, Wave)]
    if len(waves) < 2:
        return None
    one, two = waves[:2]
    rest = list(of.factors)
    rest.remove(one)
    rest.remove(two)
    if one.name == "cos" and two.name == "sin":
        one, two = two, one
    plus, minus = Sum(((1, one.of), (1, two.of))), Sum(((1, one.of), (-1, two.of)))
    if one.name == two.name:
        sign = 1 if one.name == "cos" else -1
        waves_of = ((1, Wave("cos", minus)), (sign, Wave("cos", plus)))
    else:
        waves_of = ((1, Wave("sin", plus)), (1, Wave("sin", minus)))
    return Prod((HALF, *rest, Sum(waves_of)))


def negated(of: Formula, chance: random.Random) -> Formula | None:
    """Write a sum as minus its negative."""
    if not isinstance(of, Sum):
        return None
    return Sum(((-1, Sum(tuple((-sign, term) for sign, term in of.terms))),))


def squared_as_product(of: Formula, chance: random.Random) -> Formula | None:
    match of:
        case Pow(base=base, exponent=exponent):
            return Prod((base,) * exponent)
    return None


CHANGES: tuple[Callable[[Formula, random.Random], Formula | None], ...] = (
    *(shuffled, shuffled, expanded, factored, squares, sums_of_angles, half_angles),
    *(products_of_waves, negated, squared_as_product),
)


def rewritten(of: Formula, chance: random.Random) -> Formula:
    """Return a formula with one of its parts written otherwise."""
    places = list(_places(of))
    for _ in range(30):
        place = chance.choice(places)
        changed = chance.choice(CHANGES)(_at(of, place), chance)
        if changed is not None:
            return _put(of, place, changed)
    return of


# ---------------------------------------------------------------------- both sides


def swapped(sides: Sides, chance: random.Random) -> Sides:
    return sides[1], sides[0]


def moved(sides: Sides, chance: random.Random) -> Sides:
    """Take one term of a side, or all, to the other."""
    left, right = sides
    terms = left.terms if isinstance(left, Sum) else ((1, left),)
    number = chance.choice((1, len(terms)))
    taken, kept = terms[:number], terms[number:]
    other = right.terms if isinstance(right, Sum) else ((1, right),)
    there = Sum((*other, *((-sign, term) for sign, term in taken)))
    return (Sum(kept) if kept else Num(Fraction(0))), there


def scaled(sides: Sides, chance: random.Random) -> Sides:
    """Multiply both sides by a number, or by minus one."""
    number = Num(Fraction(chance.choice((2, 3, 5)), chance.choice((1, 1, 2))))
    if chance.random() < 0.3:
        left, right = (Sum(((-1, side),)) for side in sides)
        return left, right
    left, right = (Prod((number, side)) for side in sides)
    return left, right


def padded(sides: Sides, chance: random.Random) -> Sides:
    """Add the same to both sides."""
    added = chance.choice(sides)
    left, right = (Sum(((1, side), (1, added))) for side in sides)
    return left, right


OF_SIDES: tuple[Callable[[Sides, random.Random], Sides], ...] = (swapped, moved, scaled, padded)


# ---------------------------------------------------------------------- places in a tree

Place: TypeAlias = tuple[int, ...]


def parts(of: Formula) -> tuple[Formula, ...]:
    match of:
        case Sum(terms=terms):
            return tuple(term for _, term in terms)
        case Prod(factors=factors):
            return factors
        case Quot(over=over, under=under):
            return over, under
        case Pow(base=base):
            return (base,)
        case Wave(of=argument):
            return (argument,)
    return ()


def _with_parts(of: Formula, new: Sequence[Formula]) -> Formula:
    match of:
        case Sum(terms=terms):
            return Sum(tuple((sign, one) for (sign, _), one in zip(terms, new, strict=True)))
        case Prod():
            return Prod(tuple(new))
        case Quot():
            return Quot(*new)
        case Pow(exponent=exponent):
            return Pow(new[0], exponent)
        case Wave(name=name):
            return Wave(name, new[0])
    return of


def _places(of: Formula) -> Iterator[Place]:
    yield ()
    for number, part in enumerate(parts(of)):
        yield from ((number, *place) for place in _places(part))


def _at(of: Formula, place: Place) -> Formula:
    return _at(parts(of)[place[0]], place[1:]) if place else of


def _put(of: Formula, place: Place, new: Formula) -> Formula:
    if not place:
        return new
    inner = list(parts(of))
    inner[place[0]] = _put(inner[place[0]], place[1:], new)
    return _with_parts(of, inner)
