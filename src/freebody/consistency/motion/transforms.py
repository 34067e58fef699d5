r"""Laplace transforms: what follows from others between :math:`X(s)`, :math:`\Phi(s)` and so on.

They are linear in the transforms, and so are equations of small motions once derivatives by time
are powers of s: one follows where its factors are a combination of those of others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeGuard

import sympy

from freebody.algebra import Form
from freebody.algebra.points import Point
from freebody.algebra.substitution import substituted
from freebody.checking.grid import Grid
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES, pairs
from freebody.consistency.finding import Finding, in_order, with_those_before
from freebody.consistency.letters import Letter, letters_of
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.consistency.motion.elimination import combined
from freebody.consistency.motion.equations import Equations
from freebody.consistency.motion.rows import Row, rank
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Divide, Name, Node, Term, walk
from freebody.errors import FreebodyError

_OF_S = re.compile(r"\(([sp])\)$")
MOST_PRODUCTS = 20_000
"""Of terms, to write out one equation."""


class _Spectrum(NamedTuple):
    """What is left of an equation in transforms, and which others say what is put in."""

    form: Form
    row: Row
    used: tuple[Statement, ...]

    @property
    def is_homogeneous(self) -> bool:
        """Whether it is one between two transforms or more, and nothing begins elsewhere."""
        return len(self.row.columns) > 1 and not self.row.rest


class _Transfer(NamedTuple):
    """What a transfer function is, with the chain of equations that says so, and its last."""

    node: Node
    chain: tuple[Statement, ...]


class _Values(Values):
    """Works out what nodes are worth in transforms, each a letter of its own."""

    def __init__(self, view: View, transfers: dict[str, _Transfer]) -> None:
        super().__init__(view)
        self._transfers, self.used = transfers, dict[int, Statement]()

    def _name(self, node: Name) -> Grid:
        match = _OF_S.search(node.key)
        if not match:
            return super()._name(node)
        if node.key in self._transfers and not node.dots:
            transfer = self._transfers[node.key]
            self.used |= {one.number: one for one in transfer.chain}
            return self.value(transfer.node)
        letters = self.view.letters
        power = letters.form(Letter(match[1], 0)) ** node.dots
        return Grid.scalar(power * letters.form(Letter(node.key, 0)))


class Transforms:
    """The equations of a page between Laplace transforms, and those of motion that they are of.

    Parameters
    ----------
    equations : Equations
    is_trial : bool, optional
        Whether nothing counts but what follows, as of a change that is tried.
    """

    def __init__(self, equations: Equations, *, is_trial: bool = False) -> None:
        self._equations, self._letters = equations, equations.letters
        self._is_trial = is_trial
        self._spectra: dict[int, _Spectrum | None] = {}

    def finding(self, statement: Statement) -> Finding | None:
        """Return what others say of an equation, if it or one of them is between transforms."""
        if not self._printed_ones:
            return None
        own = self._spectrum(statement)
        if own is None:
            return None
        if not own.row.columns and own.used:
            return self._of_transfer(statement, own)
        if not own.is_homogeneous:
            return None
        near = self._near(statement, own)
        found = self._by_those(statement, own, near)
        if self._is_trial:
            return found
        before = [pair for pair in near if pair[0].number < statement.number]
        return with_those_before(found, lambda: self._by_those(statement, own, before))

    def _by_those(
        self, statement: Statement, own: _Spectrum, near: Sequence[tuple[Statement, _Spectrum]]
    ) -> Finding | None:
        found = combined(near, lambda chosen: self._follows(own, chosen))
        if found is None:
            return None
        holds, others = found
        if not any(one.is_transformed for one in (statement, *others)):
            return None
        used = in_order(*others, *own.used, *chain.from_iterable(map(self._used, others)))
        used = tuple(one for one in used if one is not statement)
        is_open = not holds and self._has_other_letters(own, others)
        return Finding(holds, used, route="transforms", is_open=is_open)

    def _of_transfer(self, statement: Statement, own: _Spectrum) -> Finding | None:
        """Return what is said of a transfer function that is told again."""
        holds = self._letters.everywhere(lambda point: not point.value(own.form))
        if holds is None:
            return None
        known = {key for one in own.used for key in one.keys}
        is_elsewhere = any(one.section != statement.section for one in own.used)
        is_open = is_elsewhere or not {*statement.keys} <= known
        return Finding(holds, own.used, route="transforms", is_open=is_open)

    def _used(self, statement: Statement) -> tuple[Statement, ...]:
        spectrum = self._spectrum(statement)
        return spectrum.used if spectrum else ()

    def _has_other_letters(self, own: _Spectrum, others: Sequence[Statement]) -> bool:
        spectra = [spectrum for one in others if (spectrum := self._spectrum(one))]
        known = {key for one in spectra for key in self._constants(one)}
        return not self._constants(own) <= known

    def _constants(self, spectrum: _Spectrum) -> set[str]:
        inside = letters_of(self._letters, spectrum.form)
        return {one.key for one in inside if not _OF_S.search(one.key)}

    def _near(self, statement: Statement, own: _Spectrum) -> list[tuple[Statement, _Spectrum]]:
        """Return the other equations in transforms, those near one first."""
        return [
            (one, spectrum)
            for one in self._equations.beside(statement)
            if one.is_transformed or not one.is_case
            if (spectrum := self._spectrum(one)) and spectrum.is_homogeneous
            if statement not in spectrum.used and one not in own.used
        ]

    def _follows(self, own: _Spectrum, others: Sequence[_Spectrum]) -> bool | None:
        """Return whether an equation is a combination of others; None where they do not say."""
        rows = [own.row, *(one.row for one in others)]
        columns = sorted({atom for row in rows for atom in row.columns}, key=str)
        return self._letters.everywhere(lambda point: _in_span(columns, rows, point))

    # ------------------------------------------------------------------ in transforms

    def _spectrum(self, statement: Statement) -> _Spectrum | None:
        if statement.number not in self._spectra:
            self._spectra[statement.number] = None
            with (
                suppress(FreebodyError, ZeroDivisionError),
                self._letters.ring.budget.work(MOST_PRODUCTS),
            ):
                is_of_s = statement.is_transformed
                made = self._printed(statement) if is_of_s else self._transformed(statement)
                self._spectra[statement.number] = made
        return self._spectra[statement.number]

    def _printed(self, statement: Statement) -> _Spectrum | None:
        """Return an equation that is printed between transforms."""
        view = self._equations.meanings.view(statement)
        transfers = {
            key: min(said, key=lambda one: self._distance(one, statement))
            for key, every in self._transfers.items()
            if (said := [one for one in every if statement not in one.chain])
        }
        values = _Values(view, transfers)
        sides = pairs(values, statement.relation)
        if len(sides) != 1:
            return None
        form = self._letters.ring.cleared(view.lower(sides[0].left - sides[0].right))
        return self._made(form, in_order(*values.used.values(), *view.others))

    def _transformed(self, statement: Statement) -> _Spectrum | None:
        """Return the transform of an equation of motion."""
        forms = self._equations.forms(statement)
        if len(forms) != 1 or not any(one.dots for one in letters_of(self._letters, forms[0])):
            return None
        form, ring, values = self._letters.ring.cleared(forms[0]), self._letters.ring, {}
        inside = letters_of(self._letters, form)
        moving = {one for one in inside if one.key in self._letters.moving}
        if not any(self._transform_of(one.key) for one in moving):
            return None
        for one in inside:
            transform = self._transform_of(one.key)
            if one in moving:
                transform = transform or f"{one.key}({self._variable})"
            slope = letters_of(self._letters, self._letters.slope(form, one))
            if transform is not None and moving.isdisjoint(slope):
                power = self._letters.form(Letter(self._variable, 0)) ** one.dots
                transformed = self._letters.form(Letter(transform, 0))
                values[self._letters.atom(one)] = ring.cleared(power * transformed)
        return self._made(substituted(form, values), ())

    def _made(self, form: Form, used: tuple[Statement, ...]) -> _Spectrum | None:
        inside = letters_of(self._letters, form)
        columns = [self._letters.atom(one) for one in inside if _OF_S.search(one.key)]
        for atom in columns:
            least = min(form.terms.by_power(form.ring.place_of(atom)), default=0)
            form *= form.ring.symbol(atom) ** max(-least, 0)
        row = Row.of(form, columns)
        return _Spectrum(form, row, used) if row else None

    # ------------------------------------------------------------------ what transforms are of

    @cached_property
    def _names(self) -> list[str]:
        """The transforms of the page."""
        nodes = chain.from_iterable(one.nodes for one in self._printed_ones)
        return [*dict.fromkeys(one.key for one in nodes if _is_transform(one))]

    @cached_property
    def _printed_ones(self) -> list[Statement]:
        every = self._equations.statements.all
        return [one for one in every if one.is_transformed and one.relation.relation in EQUALITIES]

    @cached_property
    def _variable(self) -> str:
        return next((match[1] for key in self._names if (match := _OF_S.search(key))), "s")

    def _transform_of(self, key: str) -> str | None:
        """Return the transform of a letter: of the same, or of one that is large for small."""
        alike = self._by_shape.get(_shape(key), [])
        return min(alike, key=lambda one: bare(one) != key, default=None)

    @cached_property
    def _by_shape(self) -> dict[tuple[str, str], list[str]]:
        """The transforms by their letters, large ones as small ones, and what stands below."""
        found: dict[tuple[str, str], list[str]] = {}
        for one in self._names:
            found.setdefault(_shape(bare(one)), []).append(one)
        return found

    @cached_property
    def _transfers(self) -> dict[str, list[_Transfer]]:
        """What transfer functions are: ratios of two transforms, or functions of s alone."""
        signals, found = {*self._signals()}, dict[str, list[_Transfer]]()
        waiting = [*self._offered(signals)]
        while True:
            known = found.keys()
            more = [one for one in waiting if self._is_transfer(one[1].node, known)]
            if not more:
                return found
            waiting = [one for one in waiting if one not in more]
            for key, transfer in more:
                found.setdefault(key, []).append(transfer)

    def _offered(self, signals: Collection[str]) -> Iterator[tuple[str, _Transfer]]:
        """Iterate over the sides of chains that begin with a transform that is no signal."""
        statements, offered = self._equations.statements, {*self._names}.difference(signals)
        for one in self._printed_ones:
            name = one.relation.left
            if isinstance(name, Name) and name.key in offered:
                chain = statements.chain_from(one)
                for count, each in enumerate(chain, 1):
                    node = each.relation.right
                    if name.key not in {inside.key for inside in _transforms_in(node)}:
                        yield name.key, _Transfer(node, tuple(chain[:count]))

    @staticmethod
    def _is_transfer(node: Node, known: Collection[str]) -> bool:
        return _is_ratio(node) or {one.key for one in _transforms_in(node)} <= {*known}

    @staticmethod
    def _distance(transfer: _Transfer, statement: Statement) -> tuple[bool, int]:
        """Return how far from an equation it is; what has signals in it says less."""
        return _is_ratio(transfer.node), abs(transfer.chain[0].number - statement.number)

    def _signals(self) -> Iterator[str]:
        """Iterate over the transforms of which there are ratios, or motions in time."""
        for one in self._printed_ones:
            for node in one.nodes:
                if _is_ratio(node):
                    yield from (each.key for each in _transforms_in(node))
        for key in self._letters.moving:
            if transform := self._transform_of(key):
                yield transform


def _shape(key: str) -> tuple[str, str]:
    shape = SymbolShape.of(key)
    return shape.letter.casefold(), shape.subscript


def _is_ratio(node: Node | Term) -> bool:
    """Return whether a node is a transform over another."""
    match node:
        case Divide(numerator=Name() as above, denominator=Name() as below):
            return _is_transform(above) and _is_transform(below)
    return False


def _transforms_in(node: Node | Term) -> Iterator[Name]:
    return filter(_is_transform, walk(node))


def _is_transform(node: Node | Term) -> TypeGuard[Name]:
    return isinstance(node, Name) and _OF_S.search(node.key) is not None


def _in_span(columns: list[sympy.Expr], rows: list[Row], point: Point) -> bool | None:
    """Return whether an equation is a combination of others; None where they do not say."""
    own, *given = (row.values(columns, point)[:-1] for row in rows)
    strange = [[x for x, mine in zip(one, own, strict=True) if not mine] for one in given]
    said, size = rank(given) - rank(strange), sum(map(bool, own))
    if said >= size:  # then all are zero
        return None
    if rank([*given, own]) == rank(given):
        return True
    return False if said == size - 1 else None
