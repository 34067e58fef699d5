r"""The letters of a page that are columns and matrices, though no equation says of what entries.

What is crossed in :math:`J\dot\omega + \omega\times J\omega = \tau` is a column of three letters,
as is what is added to it, and what stands before it a diagonal matrix. R of
:math:`m\ddot p = m g + R T` turns what it stands before from the axes of a body to the ground's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise

from freebody.algebra import Form
from freebody.checking.grid import Grid
from freebody.checking.introduced import bare
from freebody.checking.meaning.calls import skew
from freebody.consistency.letters import Letter, bare_of_font, is_vector
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Matrix,
    Multiply,
    Name,
    Node,
    Power,
    Term,
    TimeDerivative,
    Times,
    Transpose,
    differentiated,
    walk,
)
from freebody.errors import FreebodyError
from freebody.recognition.equations.axes import axis_of
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.rigid_bodies.turns import ANGLES, turned
from freebody.recognition.symbols.initials import GRAVITY, HEAVY, INERTIAS, MASSES, initial

ROTATION = "R"
_MOVED = frozenset("vVprxX")
"""Letters of velocities and positions."""
SKEW = "skew"
"""The matrix of a cross product, as a function."""
_SUBSCRIPT = re.compile(r"_(?:\{(?P<whole>(?:[^{}]|\{[^{}]*\})*)\}|(?P<letter>\w))")
_TILDED = re.compile(r"\\(?:wide)?(?:tilde|hat)\{(?P<letter>.+?)\}(?P<below>(?:_.+)?)")
_COLUMN = 3, 1
_INDICES = (("1", "2", "3"), ("x", "y", "z"))
"""How the components of vectors are told apart."""
Letters3 = tuple[str, str, str]


class Vectors:
    r"""The letters of a page that are taken for columns and matrices.

    Parameters
    ----------
    motion : PageMotion

    Attributes
    ----------
    grids : dict of str to Grid
        In other letters.
    rotations : frozenset of str
        The letters that turn columns, by angles that the page need not have.
    misread : frozenset of Statement
        The equations that say of a column what is none as it is read, such as
        :math:`M = I\dot\omega`, and those that only give numbers to moments of inertia.
    """

    def __init__(self, motion: PageMotion) -> None:
        self._motion, self._letters = motion, motion.letters
        self.grids: dict[str, Grid] = {}
        every = motion.statements.all
        self._driven = {key for one in every for key in _driven_by_others(one)}
        crossing = [one for one in every if _tells_rates(one)]
        turning = [one for one in every if self._turns(one)]
        riding = [one for one in every if crossing and one not in turning and _rides(one, crossing)]
        telling = [*crossing, *turning, *riding]
        known = motion.meanings.definitions
        vectors = {key for one in telling for key in (*_crossed(one), *_added(one))}
        self.misread = frozenset(
            one.statement
            for key in vectors & known.keys()
            for one in known[key]
            if not one.grid.is_scalar and one.grid.shape != _COLUMN
        )
        aside = self.misread.union(telling)
        defined = {
            key
            for key, said in known.items()
            if any(one.statement not in aside and not one.grid.is_scalar for one in said)
        }
        nodes = [node for one in telling for node in walk(*_sides(one))]
        products = [node for node in nodes if isinstance(node, Multiply)]
        diagonals = {key for node in products for key in _before_vectors(node, vectors)}
        given = {key for key in defined & diagonals if _is_of_numbers(known[key][0].grid)}
        self.misread |= {one.statement for key in given for one in known[key]}
        defined -= given
        diagonals -= defined
        rotations = {key for node in products for key in _before_columns(node)}
        rotations -= defined | self._driven
        self.rotations = frozenset(rotations) if turning else frozenset[str]()
        for key in sorted(self.rotations):
            self.grids[key] = self._rotation()
        by_letter = {bare_of_font(key): known[key][0].grid for key in sorted(defined)}
        for key in sorted(vectors - diagonals - self.rotations - defined):
            told = by_letter.get(bare_of_font(key))  # in another font
            self.grids[key] = told if told and told.shape == _COLUMN else self._column(key)
        for key in sorted(diagonals):
            self.grids[key] = self._diagonal(key)
        for key, own in {pair for one in crossing for pair in _tilded(one)}:
            if own in self.grids and key not in known:
                self.grids[key] = skew(self.grids[own])
        for key in sorted(vectors & self.grids.keys() & known.keys()):
            of_others = (one.statement for one in known[key] if one.statement not in aside)
            self.grids[key] = next(filter(None, map(self._product, of_others)), self.grids[key])

    def _product(self, statement: Statement) -> Grid | None:
        r"""Return the column that an equation says to be one of others: ``h = J\omega``."""
        view = View(self._motion.meanings, statement, (statement,))
        view.grids = self.grids
        for side, other in (_sides(statement), _sides(statement)[::-1]):
            if isinstance(side, Name) and not side.dots and isinstance(other, Multiply):
                with suppress(FreebodyError, ZeroDivisionError):
                    value = Values(view).value(other)
                    return value if value.shape == _COLUMN else None
        return None

    @cached_property
    def unknown(self) -> frozenset[Statement]:
        r"""The equations with matrices of which nothing says the entries: ``R^T g``."""
        known = {*self._motion.meanings.definitions, *self.grids}
        return frozenset(
            one
            for one in self._motion.statements.all
            for node in walk(*_sides(one))
            if isinstance(node, Transpose | Multiply)
            for key in _taken_for_matrices(node, self.grids.keys())
            if key not in known
        )

    def _turns(self, statement: Statement) -> bool:
        """Return whether an equation of a rate has a column that is turned to the ground's axes."""
        nodes = [*walk(*_sides(statement))]
        is_rated = any(map(_rated, nodes))
        products = (node for node in nodes if isinstance(node, Multiply))
        turning = {key for node in products for key in _before_columns(node)}
        return is_rated and bool(turning - self._driven)

    def _column(self, key: str) -> Grid:
        """Return a column of letters, or that of an axis, or of weight, which points down."""
        ring, zero = self._letters.ring, self._letters.ring.zero
        axis = axis_of(key)
        if axis is not None:
            return Grid.made([ring.one if n == axis else zero] for n in range(3))
        if bare_of_font(key) in GRAVITY:
            return Grid.made([[zero], [zero], [-self._form(key)]])
        return Grid.made([self._form(one)] for one in self._entries(key))

    def _diagonal(self, key: str) -> Grid:
        entries, zero = [*map(self._form, self._entries(key))], self._letters.ring.zero
        return Grid.made([entries[i] if i == j else zero for j in range(3)] for i in range(3))

    def _rotation(self) -> Grid:
        angles = [
            next((k for k in keys if k in self._motion.meanings.keys), keys[0]) for keys in ANGLES
        ]
        self._letters.moving |= {*angles}
        atoms = [self._letters.atom(Letter(key, 0)) for key in reversed(angles)]
        matrix = turned("zyx", atoms)
        ring = self._letters.ring
        return Grid.made(ring.forms(matrix[n, :]) for n in range(3))

    def _form(self, key: str) -> Form:
        return self._letters.form(Letter(key, 0))

    def _entries(self, key: str) -> Letters3:
        """Return letters for the entries of a vector, or on a diagonal: those of the page first."""
        plain = bare_of_font(key)
        found = _SUBSCRIPT.search(plain)
        head, end = (plain[: found.start()], plain[found.end() :]) if found else (plain, "")
        below = (found["whole"] or found["letter"]) if found else ""
        start, stop = (f"{head}_{{{below}", f"}}{end}") if below else (f"{plain}_", "")
        options = [
            (f"{start}{x}{stop}", f"{start}{y}{stop}", f"{start}{z}{stop}") for x, y, z in _INDICES
        ]
        keys = self._motion.meanings.keys
        if f"{start}4{stop}" in keys:  # then those with numbers are of rotors or wheels
            del options[0]
        chosen = next((one for one in options if keys >= {*one}), options[0])
        if key in self._letters.moving:
            self._letters.moving |= {*chosen}
        return chosen


def _is_of_numbers(grid: Grid) -> bool:
    """Return whether a matrix has numbers on its diagonal, and nothing else."""
    entries = [(i == j, form) for i, row in enumerate(grid.rows) for j, form in enumerate(row)]
    is_square = grid.shape == (3, 3)
    return is_square and all(form.is_number and bool(form) is is_own for is_own, form in entries)


def _sides(statement: Statement) -> tuple[Node, Node]:
    return statement.relation.left, statement.relation.right


def _tells_rates(statement: Statement) -> bool:
    """Return whether an equation is of vectors, one of which is crossed and has its rate in it."""
    crossed = {*map(bare_of_font, _crossed(statement))}
    rated = (bare_of_font(key) for node in walk(*_sides(statement)) if (key := _rated(node)))
    return not crossed.isdisjoint(rated)


def _rides(statement: Statement, crossing: Collection[Statement]) -> bool:
    r"""Return whether an equation is Newton's of what turns by others: :math:`m\dot v = F + m g`.

    In letters of the same font, of a velocity or a position whose mass it has.
    """
    fonts = {is_vector(key) for one in crossing for key in _crossed(one)}
    for side in _sides(statement):
        factors = side.factors if isinstance(side, Multiply) else (side,)
        key = _rated(factors[-1])
        if key and initial(key) in _MOVED and {is_vector(key)} == fonts:
            others = _sides(statement)[side is statement.relation.left]
            letters = {
                initial(bare(n.key)) for n in walk(*factors[:-1], others) if isinstance(n, Name)
            }
            return not letters.isdisjoint(MASSES) and _is_plain(factors[:-1])
    return False


def _is_plain(factors: Sequence[Node]) -> bool:
    return all(isinstance(one, Name) and initial(bare(one.key)) in MASSES for one in factors)


def _crossed(statement: Statement) -> Iterator[str]:
    """Iterate over the letters in cross products, and behind their matrices."""
    yield from (own for _, own in _tilded(statement))
    for node in walk(*_sides(statement)):
        match node:
            case Times(left=left, right=right):
                yield from (*_vectors_of(left), *_vectors_of(right))
            case Call(function=function, argument=argument) if function == SKEW:
                yield from _vectors_of(argument)
            case Multiply(factors=(*before, last)) if any(map(_is_skew, before)):
                yield from _vectors_of(last)


def _tilded(statement: Statement) -> Iterator[tuple[str, str]]:
    r"""Iterate over letters with tildes or hats before others, with those that they cross.

    They are the matrices of cross products where that letter has a rate: ``\tilde\omega J\omega``.
    """
    nodes = [*walk(*_sides(statement))]
    rated = {*filter(None, map(_rated, nodes))}
    for node in nodes:
        for factor in node.factors[:-1] if isinstance(node, Multiply) else ():
            match = _TILDED.fullmatch(bare(factor.key)) if isinstance(factor, Name) else None
            own = f"{match['letter']}{match['below']}" if match else ""
            if isinstance(factor, Name) and own in rated:
                yield bare(factor.key), own


def _added(statement: Statement) -> Iterator[str]:
    """Iterate over the letters of vectors that are added up."""
    for side in _sides(statement):
        yield from _vectors_of(side)


def _driven_by_others(statement: Statement) -> Iterator[str]:
    """Iterate over the letters whose rate is told without turning anything by them."""
    nodes = [*walk(*_sides(statement))]
    products = (node for node in nodes if isinstance(node, Multiply))
    turning = {key for node in products for key in _before_columns(node)}
    yield from {*filter(None, map(_rated, nodes))} - turning


def _rated(node: Node | Term) -> str | None:
    r"""Return the letter of which a node is the rate: of ``\dot v`` or of ``dv/dt``."""
    found = differentiated(node)
    return bare(found[0].key) if found and found[1] else None


def _is_skew(node: Node) -> bool:
    return isinstance(node, Call) and node.function == SKEW


def _vectors_of(node: Node) -> Iterator[str]:
    """Iterate over the letters of vectors that a vector is made of."""
    match node:
        case Name(key=key) | TimeDerivative(node=Name(key=key)):
            yield bare(key)
        case Multiply(factors=factors):
            yield from _vectors_of(next(filter(_is_axis, factors), factors[-1]))
        case Divide(numerator=above):
            yield from _vectors_of(above)
        case Add(terms=terms):
            for term in terms:
                yield from _vectors_of(term.node)
        case Times(left=left, right=right):
            yield from (*_vectors_of(left), *_vectors_of(right))


def _is_axis(node: Node) -> bool:
    return isinstance(node, Name) and axis_of(bare(node.key)) is not None


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


def _before_columns(node: Multiply) -> Iterator[str]:
    """Iterate over the letters that turn what stands behind them in a product."""
    for factor, after in pairwise(node.factors):
        is_column = isinstance(after, Name | Matrix)
        if isinstance(factor, Name) and is_column and initial(bare(factor.key)) == ROTATION:
            yield bare(factor.key)


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
