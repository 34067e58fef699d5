"""What the letters of a page stand for by its own equations."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property

from freebody.algebra import Form
from freebody.checking.grid import Grid
from freebody.checking.guesses.energy_letters import energies_added
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import (
    Letter,
    Letters,
    is_vector,
    letters_of,
)
from freebody.consistency.meanings.columns import MOST_PRODUCTS, has_entries, told_by_columns
from freebody.consistency.meanings.definition_rules import DefinitionRules
from freebody.consistency.meanings.entries import matrix_of, times_column, told_by_entries
from freebody.consistency.meanings.equality_chains import chain_before, told_at_the_end, told_within
from freebody.consistency.meanings.notations import (
    along_axes,
    in_other_fonts,
    is_of_rates,
    of_each_number,
    of_gravity,
    root,
    times_energy,
)
from freebody.consistency.meanings.point_speeds import point_speeds
from freebody.consistency.meanings.shorthands import Shorthands
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.documents.latex.tree import (
    Add,
    Labelled,
    Name,
    Node,
    Number,
    Span,
    walk,
)
from freebody.errors import FreebodyError

_DEFINING = re.compile(
    r"\b(?:defin\w*|denot\w*|introduc\w*|abbreviat\w*|définiss\w*|introduis\w*|pos(?:ons|ant)|"
    r"bezeichn\w*|abgekürzt\w*|indic(?:ando|amos)\w*)(?:\s+\w+){0,3}\s*[:,]?\s*(?:\$`?|\\\()$",
    re.IGNORECASE,
)
"""Words in front of a formula in running text that defines something."""
_DISTANCE = re.compile(r"(?:[rdlDR]|\\ell|\\rho)_.+")
MOST_WORDS = 80
"""Characters in front of it that are looked at."""


class Meanings:
    """What the letters of a page stand for.

    Parameters
    ----------
    statements : Statements
    abs_as_roots : bool, optional
        See `Letters`.

    Attributes
    ----------
    letters : Letters
    definitions : dict of str to list of Definition
    shorthands : dict of str to Form
        Letters that no equation says anything of, and that are sines and cosines by convention.
    dotted : frozenset of str
        The letters of which rates are printed.
    """

    def __init__(self, statements: Statements, *, abs_as_roots: bool = False) -> None:
        self._statements = statements
        self.letters = Letters(abs_as_roots=abs_as_roots)
        self.letters.moving = statements.moving()
        self.letters.accelerated = statements.accelerated()
        self.definitions: dict[str, list[Definition]] = {}
        self.shorthands: dict[str, Form] = {}
        self.dotted = frozenset(self.letters.moving)
        self._accelerated = frozenset(self.letters.accelerated)
        every = statements.all
        has_gains = any(one.is_transformed for one in every)
        self._rules = DefinitionRules(
            self.letters, self.dotted, self._accelerated, has_gains=has_gains
        )
        for kind in self._kinds:
            for statement in every:
                self._note(self.said_by(statement, kind(statement)))
            self._move_entries()
        self._note(of_gravity(self))
        self._note(in_other_fonts(self, every))
        self._note(along_axes(self))
        self._note(told_by_entries(self, every))
        for statement in every:
            self._note(told_by_columns(self, statement))
            self._note(of_each_number(self, statement))
        self.shorten(doubtful=False)
        for statement in every:
            self._move()
            self._note(told_within(self, every, statement))
        self._move()
        for statement in every:
            self._end(statement)
        self._move()
        for statement in every:  # of what was not known to move before
            if not self.of(statement):
                self._note(self.said_by(statement, self._sides(statement)))
        self._move()
        self._note(self._of_speeds())
        self._move()
        self._drop_misfits()
        self._differentiate()

    @property
    def arguments(self) -> Mapping[str, frozenset[str]]:
        """The letters that are printed as functions of others, with of which."""
        return self._statements.arguments

    @property
    def of_others(self) -> frozenset[str]:
        """The letters that are printed as functions of more than time."""
        return self._statements.of_others

    @cached_property
    def printed(self) -> frozenset[str]:
        """The letters that the equations of the page have."""
        return frozenset(key for one in self._statements.all for key in one.keys)

    @cached_property
    def values(self) -> list[tuple[Letter, Form, Statement]]:
        """Return the letters that the page gives numbers to, with those and where."""
        found = []
        for statement in self._statements.all:
            relation = statement.relation
            for name, node in ((relation.left, relation.right), (relation.right, relation.left)):
                if isinstance(name, Name) and relation.relation in EQUALITIES:
                    form = self._number(statement, node)
                    if form is not None:
                        found.append((Letter(bare(name.key), name.dots), form, statement))
        return found

    def _number(self, statement: Statement, node: Node) -> Form | None:
        """Return the number that a node is; None where it is none."""
        if any(isinstance(one, Name) for one in walk(node)):
            return None
        try:
            grid = Values(View(self, statement, ())).value(node)
        except (FreebodyError, ZeroDivisionError):
            return None
        is_number = grid.is_scalar and not letters_of(self.letters, grid.form)
        return grid.form if is_number else None

    def shorten(self, *, doubtful: bool) -> None:
        """Take what is written by number, s_1 and c_{12}, for sines and cosines.

        Parameters
        ----------
        doubtful : bool
            Whether also where nothing on the page speaks for that, besides the letters.
        """
        said = {
            key: [one.grid.form for one in known if one.grid.is_scalar and not one.letter.dots]
            for key, known in self.definitions.items()
        }
        found = Shorthands(self.letters, self.keys, said)
        if (doubtful or found.are_certain) and not self.shorthands:
            self.shorthands = found.forms()
            self._move()

    def name(self, rates: Mapping[str, Letter]) -> None:
        """Take letters for rates of others, whatever equations say of them."""
        for key, rate in rates.items():
            self.definitions.pop(key, None)
            self.shorthands[key] = self.letters.form(rate)
            self.letters.moving |= {rate.key}
        self._move()

    def define(self, found: Iterable[Definition]) -> None:
        """Take letters for what is known of them besides."""
        for one in found:
            self.definitions.setdefault(one.letter.key, []).append(one)
        self._move()

    def where(self, said: Definition) -> Meanings:
        """Return what letters stand for where one of them stands for one thing."""
        made = copy(self)
        made.definitions = self.definitions | {said.letter.key: [said]}
        return made

    def with_equal(self, equal: Iterable[Statement]) -> Meanings:
        """Return what letters stand for where those of some equations, ``u = F``, are one."""
        made = copy(self)
        made.definitions = {key: list(known) for key, known in self.definitions.items()}
        for one in equal:
            for key, other in one.equated:
                grid = Grid.scalar(self.letters.form(Letter(other, 0)))
                made.definitions[key] = [Definition(Letter(key, 0), grid, one)]
        return made

    def with_backward_shorthands(self) -> Meanings:
        """Return what letters stand for where the angles of sines by number count backwards."""
        made = copy(self)
        made.shorthands = {
            key: -form if key.startswith("s") else form for key, form in self.shorthands.items()
        }
        return made

    def rates_said(self, statement: Statement) -> frozenset[Letter]:
        """Return the rates that equations say which are printed together with one."""
        return self._rates_said.get(statement.relation.display, frozenset())

    @cached_property
    def _rates_said(self) -> dict[Span, frozenset[Letter]]:
        found: dict[Span, frozenset[Letter]] = {}
        for one in self._statements.all:
            name = one.relation.left
            if isinstance(name, Name) and name.dots == 1:
                said = found.get(one.relation.display, frozenset())
                found[one.relation.display] = said | {Letter(bare(name.key), 1)}
        return found

    def view(self, at: Statement, *without: Statement) -> View:
        """Return what letters stand for, as an equation sees it that is left aside itself."""
        return View(self, at, (at, *without))

    def of(self, statement: Statement) -> list[Definition]:
        """Return what an equation defines."""
        return [one for one in self._told_by(statement) if not one.is_notation]

    def _told_by(self, statement: Statement) -> list[Definition]:
        """Return what an equation defines, and how what it has is written."""
        every = (one for known in self.definitions.values() for one in known)
        return [one for one in every if one.statement is statement]

    def without(self, wrong: Collection[Statement]) -> Meanings:
        """Return what letters stand for where some equations are left aside."""
        made = copy(self)
        made.definitions = {
            key: [one for one in known if one.statement not in wrong]
            for key, known in self.definitions.items()
        }
        return made

    def changed(self, old: Statement, new: Statement) -> Meanings:
        """Return what letters stand for with another equation in place of one."""
        made = self.without((old,))
        for kind in made._kinds:
            made._note(made.said_by(new, kind(new)))
        made._note(in_other_fonts(made, self._statements.all))
        made._end(new)
        told = self._told_by(old)
        notations = (replace(one, statement=new) for one in told if one.is_notation)
        made._note([one for one in notations if not made.definitions.get(one.letter.key)])
        if wholes := {matrix_of(one.letter.key, self.definitions) for one in self.of(old)} - {None}:
            made.definitions |= {key: [] for key in wholes if key}
            every = [new if one is old else one for one in self._statements.all]
            made._note(told_by_entries(made, every))
        return made

    # ------------------------------------------------------------------ what defines

    def _note(self, found: Iterable[Definition]) -> None:
        """Take letters for what equations say of them, each before the next is looked for."""
        for one in found:
            self.definitions.setdefault(one.letter.key, []).append(one)

    def _end(self, statement: Statement) -> None:
        """Take the letter that a chain of equalities begins with for what it ends with."""
        if found := told_at_the_end(self, self._statements.all, statement):
            if self.is_moving(found.grid):  # then it counts before all steps
                self.definitions.pop(found.letter.key, None)
            self._note([found])

    def said_by(
        self, statement: Statement, pairs: Iterable[tuple[Letter, Node]]
    ) -> Iterator[Definition]:
        """Iterate over the first of some letters that an equation defines, if it does.

        Parameters
        ----------
        statement : Statement
        pairs : iterable of Letter and Node
            The letters that it may define, with what they would be.
        """
        relation = statement.relation
        is_aside = statement.is_inline and statement.is_case and not self._is_only_case(statement)
        is_aside |= statement.is_of_values or statement.is_transformed
        if relation.relation not in EQUALITIES or relation.case or is_aside:
            return
        for letter, node in pairs:
            try:
                with self.letters.ring.budget.work(MOST_PRODUCTS):
                    view = View(self, statement, ())
                    grid = Values(view).value(node)
                    is_special = statement.is_inline and self.is_special_motion(letter, grid)
                    is_said = self.may_be(letter, grid) and not is_special
            except (FreebodyError, ZeroDivisionError):
                continue
            if is_said:
                yield Definition(letter, grid, statement, view.others)
                return

    def may_be(self, letter: Letter, grid: Grid) -> bool:
        """Return whether what a letter is equal to may say what it is."""
        return self._rules.admit(letter, grid, self.definitions)

    def is_special_motion(self, letter: Letter, grid: Grid) -> bool:
        """Return whether two coordinates are said to be the same, or opposite, as in a mode."""
        return self._rules.is_special_motion(letter, grid)

    def is_moving(self, grid: Grid) -> bool:
        """Return whether a letter moves in what one stands for."""
        inside = (one for form in grid.entries() for one in letters_of(self.letters, form))
        return any(one.key in self.letters.moving for one in inside)

    def _is_only_case(self, statement: Statement) -> bool:
        """Return whether an equation of a case says what energies are, or a function: ``f(r)``.

        Of a function that no other equation of the page says anything of. Or whether words right
        before it say that it defines something.
        """
        left, right = statement.relation.left, statement.relation.right
        start = statement.relation.span.start
        before = self._statements.page.text[max(start - MOST_WORDS, 0) : start]
        if energies_added(left, right) or _DEFINING.search(before):
            return True
        if not isinstance(left, Name) or left.key == bare(left.key):
            return False
        return not any(
            isinstance(name := one.relation.left, Name) and bare(name.key) == bare(left.key)
            for one in self._statements.all
            if one is not statement
        )

    @property
    def _kinds(self) -> tuple[Callable[[Statement], Iterator[tuple[Letter, Node]]], ...]:
        """The ways in which an equation may define a letter, the plainest first."""
        return (
            self._columns, self._sides, self._squares, self._multiples, times_column, self._braced
        )  # fmt: skip

    def _columns(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        relation = statement.relation
        for name, node in ((relation.left, relation.right), (relation.right, relation.left)):
            if isinstance(name, Name) and has_entries(node) and not name.dots:
                yield Letter(bare(name.key), 0), node

    def _sides(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        relation = statement.relation
        sides = (relation.left, relation.right), (relation.right, relation.left)
        for name, node in sides:
            if not isinstance(name, Name) or isinstance(node, Number):
                continue
            if has_entries(node):
                return
            if isinstance(node, Name) and (name.dots > node.dots or self._holds(statement, name)):
                continue
            if isinstance(node, Name) and self._statements.is_called(node):
                continue  # some function of others, as in u = k(x, t)
            yield Letter(bare(name.key), name.dots), node

    def _braced(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        r"""Iterate over letters at braces that nothing else defines: ``\underbrace{k/m}_{a}``."""
        for node in statement.nodes:
            match node:
                case Labelled(node=inner, label=Name(dots=0) as label):
                    letter = Letter(bare(label.key), 0)
                    if not self.definitions.get(letter.key):
                        yield letter, inner

    def _holds(self, statement: Statement, name: Name) -> bool:
        r"""Return whether an equation holds what moves at a constant on its right: ``r = l``.

        One of a rate, ``\dot x = v``, names it, where the page has the acceleration as well.
        """
        left = statement.relation.left
        if not isinstance(left, Name) or name is not statement.relation.right:
            return False
        if left.dots == 1 and bare(left.key) in self._accelerated:
            return False
        return bare(left.key) in self.dotted and bare(name.key) not in self.dotted

    def _squares(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        r"""Iterate over the letter whose square an equation says: ``v_1^2 = \dot x^2 + ...``.

        Or that of a constant, ``\omega^2 = g/l``, and of a distance that varies, ``r_{12}^2``.
        """
        for name, node in statement.squares():
            if name.dots or bare(name.key) in self.dotted:
                continue
            key, inside = bare(name.key), [one for one in walk(node) if isinstance(one, Name)]
            is_resting = self.letters.moving.isdisjoint(bare(one.key) for one in inside)
            is_distance = _DISTANCE.fullmatch(key) is not None and isinstance(node, Add)
            is_new = not self.definitions.get(key)
            if (inside and is_resting) or (is_new and (is_distance or is_of_rates(node))):
                yield Letter(key, 0), root(node)

    def _multiples(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        """Iterate over the energies of which an equation that says nothing else says a multiple."""
        left, right = statement.relation.left, statement.relation.right
        for side, other in ((left, right), (right, left)):
            if (told := times_energy(side, other)) and not self.of(statement):
                yield told

    def _drop_misfits(self) -> None:
        """Forget that a letter is a column where others have no meaning with that.

        Such as u of ``u = -K z``, on a page that prints the column z and no entries of K. One that
        is printed entry by entry is forgotten only in laws of motion of other sections, where
        the letter is a coordinate.
        """
        for one in [known[0] for known in self.definitions.values() if len(known) == 1]:
            if one.grid.is_scalar:
                continue
            key, section, relation = one.letter.key, one.statement.section, one.statement.relation
            is_printed = any(map(has_entries, (relation.left, relation.right)))
            misfits = frozenset(
                it.number
                for it in self._statements.all
                if key in it.keys
                if not is_printed or (it.section != section and it.is_law)
                if not self._fits(it) and self._fits(it, one.statement)
            )
            if misfits:
                self.definitions[key] = [replace(one, misfits=misfits)] if is_printed else []

    def _fits(self, statement: Statement, *without: Statement) -> bool:
        """Return whether both sides of an equation have a meaning together."""
        relation = statement.relation
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                values = Values(View(self, statement, (statement, *without)))
                left, right = values.value(relation.left), values.value(relation.right)
        except (FreebodyError, ZeroDivisionError):
            return False
        return left.shape == right.shape

    def _of_speeds(self) -> Iterator[Definition]:
        """Iterate over the speeds in energies that the page prints the components of, or places."""
        ring = self.letters.ring
        found = point_speeds(self._statements.all, self.definitions, self.letters.moving)
        for speed, parts, energy in found:
            rates = [self.letters.form(one) for one in parts]
            grid = Grid.scalar(ring.sqrt(ring.sum([one * one for one in rates])))
            yield Definition(speed, grid, energy, is_notation=True)

    def chain_before(self, statement: Statement) -> list[Statement]:
        """Return the equations that a chain of equalities begins with, up to one of its steps."""
        return chain_before(self._statements.all, statement)

    @cached_property
    def worked_out(self) -> frozenset[str]:
        """The letters of which chains of equalities say what they are, and what number that is."""
        found = set[str]()
        for one in self._statements.all:
            if not any(isinstance(node, Name) for node in walk(one.relation.right)):
                names = (x.relation.left for x in self.chain_before(one)[:1])
                found |= {bare(name.key) for name in names if isinstance(name, Name)}
        return frozenset(found)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The letters of the page."""
        return frozenset[str]().union(*(one.keys for one in self._statements.all))

    @property
    def matrices(self) -> frozenset[str]:
        """The letters that stand for columns and matrices."""
        known = self.definitions.items()
        return frozenset(key for key, of in known if any(not one.grid.is_scalar for one in of))

    def _differentiate(self) -> None:
        """Take for functions what is differentiated by what moves, where no equation says more."""
        letters = self.letters
        for key, of in self._statements.differentiated().items():
            is_open = not any(is_vector(one) or self.definitions.get(one) for one in (key, *of))
            if is_open and letters.moving.issuperset(of):
                letters.functions[key] = of
                letters.moving |= {one for one in self.keys if one.rstrip("'") == key}
        self._move()

    def _move_entries(self) -> None:
        """Let move what stands alone in columns that carry dots."""
        for key in self.dotted & self.definitions.keys():
            for one in self.definitions[key]:
                for form in one.grid.entries() if not one.grid.is_scalar else ():
                    inside = letters_of(self.letters, form)
                    if len(form.terms) == len(inside) == 1:
                        self.letters.moving |= {letter.key for letter in inside}

    def _move(self) -> None:
        """Let move what stands for something that moves."""
        while True:
            found = {
                key
                for key, known in self.definitions.items()
                for one in known
                for form in one.grid.entries()
                if any(
                    letter.key in self.letters.moving for letter in letters_of(self.letters, form)
                )
            }
            found |= self.shorthands.keys()
            if found <= self.letters.moving:
                return
            self.letters.moving |= found
