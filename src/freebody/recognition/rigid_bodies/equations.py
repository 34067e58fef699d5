r"""The equations of a page between velocities and their rates, of vectors entry by entry.

Those in columns and cross products, :math:`J\dot\omega + \omega\times J\omega = \tau`, are taken
apart: what is crossed is a column of three letters, and what stands before it a diagonal matrix.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from freebody.algebra import Form
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import APPROXIMATIONS, EQUALITIES, pairs
from freebody.consistency.letters import Letter, bare_of_font, is_vector, letters_of
from freebody.consistency.statements import Statement
from freebody.consistency.values import Values
from freebody.consistency.views import View
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Multiply,
    Name,
    Node,
    Power,
    Times,
    Transpose,
    walk,
)
from freebody.errors import FreebodyError
from freebody.recognition.energies import HEAVY, INERTIAS, initial
from freebody.recognition.pages import PageMotion
from freebody.recognition.products import denominator

MOST_PRODUCTS = 100_000
"""Of terms, to work out one equation."""
SKEW = "skew"
"""The matrix of a cross product, as a function."""
_INDICES = (("1", "2", "3"), ("x", "y", "z"))
"""How the components of vectors are told apart."""
Letters3 = tuple[str, str, str]


@dataclass(frozen=True, eq=False)
class SpeedEquation:
    """An equation of a page with rates in it.

    Attributes
    ----------
    form : Form
        Left minus right, with denominators multiplied out.
    statement : Statement
    letters : frozenset of Letter
    entry : int
        Which one it is of a column.
    unprinted : int
        How many of its letters the page does not print: entries of its columns.
    """

    form: Form
    statement: Statement
    letters: frozenset[Letter]
    entry: int
    unprinted: int

    @property
    def label(self) -> str:
        """By which the page, or freebody, calls it."""
        return self.statement.label


class SpeedEquations:
    """The equations of a page between velocities and their rates.

    Parameters
    ----------
    motion : PageMotion

    Attributes
    ----------
    all : tuple of SpeedEquation
    vectors : dict of str to tuple of str
        The letters of columns, with those of their entries.
    matrices : dict of str to tuple of str
        Those of diagonal matrices.
    """

    def __init__(self, motion: PageMotion) -> None:
        self._motion, self._letters = motion, motion.letters
        self.vectors: dict[str, Letters3] = {}
        self.matrices: dict[str, Letters3] = {}
        self._find_vectors()
        found: dict[object, SpeedEquation] = {}
        for statement in motion.statements.all:
            with suppress(FreebodyError, ZeroDivisionError):
                for one in self._of(statement):
                    if any(letter.dots for letter in one.letters):
                        found.setdefault((one.form.terms, one.label), one)
        self.all = tuple(found.values())

    def _of(self, statement: Statement) -> Iterator[SpeedEquation]:
        """Iterate over an equation as it is printed, and with what its letters stand for."""
        is_aside = statement.is_inline and statement.is_case
        if is_aside or statement.relation.relation not in EQUALITIES - APPROXIMATIONS:
            return
        if statement in self._unknown:
            return
        aside = (statement, *self._rated, *self._unknown)
        view = View(self._motion.meanings, statement, aside)
        view.grids = self._grids()
        with self._letters.ring.budget.work(MOST_PRODUCTS):
            forms = [one.left - one.right for one in pairs(Values(view), statement.relation)]
            yield from (self._equation(form, statement, n) for n, form in enumerate(forms))
        for n, form in enumerate(forms):
            with suppress(FreebodyError), self._letters.ring.budget.work(MOST_PRODUCTS):
                yield self._equation(view.lower(form), statement, n)

    def _equation(self, form: Form, statement: Statement, entry: int) -> SpeedEquation:
        cleared = self._motion.functions.named(form.ring.cleared(form))
        cleared = cleared * denominator(form.ring, [cleared])
        inside = frozenset(letters_of(self._letters, cleared))
        unprinted = sum(one.key not in self._motion.meanings.keys for one in inside)
        return SpeedEquation(cleared, statement, inside, entry, unprinted)

    @cached_property
    def _unknown(self) -> frozenset[Statement]:
        r"""The equations with matrices of which nothing says the entries: ``R^T g``."""
        known = {*self._motion.meanings.definitions, *self.vectors, *self.matrices}
        return frozenset(
            one
            for one in self._motion.statements.all
            for node in walk(*_sides(one))
            if isinstance(node, Transpose | Multiply)
            for key in _taken_for_matrices(node, self.vectors.keys())
            if key not in known
        )

    @cached_property
    def _rated(self) -> tuple[Statement, ...]:
        """The equations that say what rates are: of motion, and between angles and speeds."""
        known = chain.from_iterable(self._motion.meanings.definitions.values())
        return tuple(one.statement for one in known if one.letter.dots)

    # ------------------------------------------------------------------ vectors

    def _grids(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """Return what letters are taken for, row by row; an empty entry is zero."""
        columns = {key: tuple((one,) for one in entries) for key, entries in self.vectors.items()}
        diagonals = {
            key: tuple(tuple(one if i == j else "" for j in range(3)) for i, one in enumerate(row))
            for key, row in self.matrices.items()
        }
        return {**columns, **diagonals}

    def _find_vectors(self) -> None:
        """Find what is crossed, what is added to it, and the matrices before it."""
        telling = [one for one in self._motion.statements.all if _tells_rates(one)]
        known = self._motion.meanings.definitions
        defined = {
            key for key, said in known.items() if any(one.statement not in telling for one in said)
        }
        vectors = {key for one in telling for key in (*_crossed(one), *_added(one))}
        matrices = {
            key
            for one in telling
            for node in walk(*_sides(one))
            if isinstance(node, Multiply)
            for key in _before_vectors(node, vectors)
        }
        for key in sorted(vectors - matrices - defined):
            self.vectors[key] = self._entries(key)
        for key in sorted(matrices - defined):
            self.matrices[key] = self._entries(key)
        self._letters.moving |= {
            entry
            for key, entries in self.vectors.items()
            if key in self._letters.moving
            for entry in entries
        }

    def _entries(self, key: str) -> Letters3:
        """Return letters for the entries of a vector, or on a diagonal: those of the page first."""
        plain = bare_of_font(key)
        head, link, below = plain.partition("_")
        below = below.strip("{}")
        options = [
            (f"{head}_{{{below}{x}}}", f"{head}_{{{below}{y}}}", f"{head}_{{{below}{z}}}")
            if link
            else (f"{plain}_{x}", f"{plain}_{y}", f"{plain}_{z}")
            for x, y, z in _INDICES
        ]
        keys = self._motion.meanings.keys
        return next((one for one in options if keys >= {*one}), options[0])


def _sides(statement: Statement) -> tuple[Node, Node]:
    return statement.relation.left, statement.relation.right


def _tells_rates(statement: Statement) -> bool:
    """Return whether an equation is of vectors, one of which is crossed and has its rate in it."""
    crossed = {*_crossed(statement)}
    nodes = walk(*_sides(statement))
    return any(isinstance(node, Name) and node.dots and bare(node.key) in crossed for node in nodes)


def _crossed(statement: Statement) -> Iterator[str]:
    """Iterate over the letters in cross products, and behind their matrices."""
    for node in walk(*_sides(statement)):
        match node:
            case Times(left=left, right=right):
                yield from (*_vectors_of(left), *_vectors_of(right))
            case Call(function=function, argument=argument) if function == SKEW:
                yield from _vectors_of(argument)
            case Multiply(factors=(*before, last)) if any(map(_is_skew, before)):
                yield from _vectors_of(last)


def _added(statement: Statement) -> Iterator[str]:
    """Iterate over the letters of vectors that are added up."""
    for side in _sides(statement):
        yield from _vectors_of(side)


def _is_skew(node: Node) -> bool:
    return isinstance(node, Call) and node.function == SKEW


def _vectors_of(node: Node) -> Iterator[str]:
    """Iterate over the letters of vectors that a vector is made of."""
    match node:
        case Name():
            yield bare(node.key)
        case Multiply(factors=(*_, last)):
            yield from _vectors_of(last)
        case Divide(numerator=above):
            yield from _vectors_of(above)
        case Add(terms=terms):
            for term in terms:
                yield from _vectors_of(term.node)
        case Times(left=left, right=right):
            yield from (*_vectors_of(left), *_vectors_of(right))


def _taken_for_matrices(node: Transpose | Multiply, vectors: Collection[str]) -> Iterator[str]:
    """Iterate over letters that are transposed, or stand as capitals before a vector."""
    match node:
        case Transpose(node=Name(key=key)):
            yield bare(key)
        case Multiply(factors=factors):
            for factor, after in pairwise(factors):
                base = factor.base if isinstance(factor, Power) else factor
                is_turned = isinstance(after, Name) and (
                    bare(after.key) in vectors or is_vector(bare(after.key))
                )
                is_capital = isinstance(base, Name) and _is_open_capital(bare(base.key))
                if isinstance(base, Name) and is_turned and is_capital:
                    yield bare(base.key)


def _before_vectors(node: Multiply, vectors: Collection[str]) -> Iterator[str]:
    """Iterate over the letters of moments of inertia that stand before vectors in a product."""
    for factor, after in pairwise(node.factors):
        base = factor.base if isinstance(factor, Power) else factor
        is_so = isinstance(after, Name) and bare(after.key) in vectors
        is_so |= isinstance(after, Times | Add | Multiply | Power) or _is_skew(after)
        if isinstance(base, Name) and is_so and initial(bare(base.key)) in INERTIAS:
            yield bare(base.key)


def _is_open_capital(key: str) -> bool:
    """Return whether a letter is a capital, and not one for a mass or a moment of inertia."""
    return initial(key).isupper() and initial(key) not in HEAVY
