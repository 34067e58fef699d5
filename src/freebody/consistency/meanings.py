"""What the letters of a page stand for by its own equations."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

from sympy.polys.domains import QQ

from freebody.algebra import Form
from freebody.algebra.substitution import atoms, substituted, touched
from freebody.checking.grid import Grid
from freebody.checking.guesses.energy_letters import energies_added
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import (
    INDEXED,
    NUMBERED,
    TIME,
    Letter,
    Letters,
    bare_of_font,
    letters_of,
)
from freebody.consistency.point_speeds import point_speeds
from freebody.consistency.shorthands import Shorthands
from freebody.consistency.statement import Statement
from freebody.consistency.statements import Statements
from freebody.consistency.values import Values
from freebody.consistency.views import Definition, View
from freebody.documents.latex.tree import (
    Call,
    Matrix,
    Name,
    Node,
    Number,
    Span,
    TimeDerivative,
    rebuilt,
    walk,
)
from freebody.errors import FreebodyError

MOST_PRODUCTS = 100_000
"""Of terms, to see what one equation says that a letter is."""
_ACCELERATION = re.compile(r"a(?:_.+)?")
"""What the acceleration of a point is called, which second derivatives are no law of motion of."""
_GRAVITY = "g"
_LENGTH = re.compile(r"(?:[lLcCD]|\\ell)(?:_.+)?")


class Meanings:
    """What the letters of a page stand for.

    Parameters
    ----------
    statements : Statements

    Attributes
    ----------
    letters : Letters
    definitions : dict of str to list of Definition
    shorthands : dict of str to Form
        Letters that no equation says anything of, and that are sines and cosines by convention.
    """

    def __init__(self, statements: Statements) -> None:
        self._statements = statements
        self.letters = Letters()
        self.letters.moving = statements.moving()
        self.letters.accelerated = statements.accelerated()
        self.definitions: dict[str, list[Definition]] = {}
        self.shorthands: dict[str, Form] = {}
        self._dotted = frozenset(self.letters.moving)
        self._accelerated = frozenset(self.letters.accelerated)
        for kind in (self._columns, self._sides, self._squares):
            for statement in statements.all:
                self._define(statement, kind)
            self._move_entries()
        for statement in statements.all:
            self._number_states(statement)
            self._name_states(statement)
            self._define_entries(statement)
            self._number_entries(statement)
            self._define_indexed(statement)
        self.shorten(doubtful=False)
        for statement in statements.all:
            self._move()
            self._define_within(statement)
        self._move()
        for statement in statements.all:
            self._define_by_chain(statement)
        self._move()
        for statement in statements.all:  # of what was not known to move before
            if not self.of(statement):
                self._define(statement, self._sides)
        self._move()
        self._define_speeds()
        self._drop_misfits()

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

    def with_equal(self, equal: Iterable[Statement]) -> Meanings:
        """Return what letters stand for where those of some equations, ``u = F``, are one."""
        made = copy(self)
        made.definitions = {key: list(known) for key, known in self.definitions.items()}
        for one in equal:
            left, right = one.relation.left, one.relation.right
            if isinstance(left, Name) and isinstance(right, Name):
                grid = Grid.scalar(self.letters.form(Letter(bare(right.key), 0)))
                said = Definition(Letter(bare(left.key), 0), grid, one)
                made.definitions[said.letter.key] = [said]
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
        for kind in (made._columns, made._sides):
            made._define(new, kind)
        return made

    # ------------------------------------------------------------------ what defines

    def _define(
        self, statement: Statement, kind: Callable[[Statement], Iterator[tuple[Letter, Node]]]
    ) -> None:
        relation = statement.relation
        is_aside = statement.is_inline and statement.is_case and not self._is_only_case(statement)
        is_aside |= statement.is_of_values or statement.is_transformed
        if relation.relation not in EQUALITIES or relation.case or is_aside:
            return
        for letter, node in kind(statement):
            try:
                with self.letters.ring.budget.work(MOST_PRODUCTS):
                    view = View(self, statement, ())
                    grid = Values(view).value(node)
                    is_special = statement.is_inline and self.is_special_motion(letter, grid)
                    if self._is_definition(letter, grid) and not is_special:
                        one = Definition(letter, grid, statement, view.others)
                        self.definitions.setdefault(letter.key, []).append(one)
                        return
            except (FreebodyError, ZeroDivisionError):
                continue

    def _is_only_case(self, statement: Statement) -> bool:
        """Return whether an equation of a case says what energies are, or a function: ``f(r)``.

        Of a function that no other equation of the page says anything of.
        """
        left, right = statement.relation.left, statement.relation.right
        if energies_added(left, right):
            return True
        if not isinstance(left, Name) or left.key == bare(left.key):
            return False
        return not any(
            isinstance(name := one.relation.left, Name) and bare(name.key) == bare(left.key)
            for one in self._statements.all
            if one is not statement
        )

    def _define_as(self, statement: Statement, letter: Letter, node: Node) -> None:
        """Note that an equation says that a letter is something, if it is a definition."""
        self._define(statement, lambda _: iter([(letter, node)]))

    def _columns(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        relation = statement.relation
        for name, node in ((relation.left, relation.right), (relation.right, relation.left)):
            if isinstance(name, Name) and _has_entries(node) and not name.dots:
                yield Letter(bare(name.key), 0), node

    def _sides(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        relation = statement.relation
        sides = (relation.left, relation.right), (relation.right, relation.left)
        for name, node in sides:
            if not isinstance(name, Name) or isinstance(node, Number):
                continue
            if _has_entries(node):
                return
            if isinstance(node, Name) and (name.dots > node.dots or self._holds(statement, name)):
                continue
            yield Letter(bare(name.key), name.dots), node

    def _holds(self, statement: Statement, name: Name) -> bool:
        r"""Return whether an equation holds what moves at a constant on its right: ``r = l``.

        One of a rate, ``\dot x = v``, names it, where the page has the acceleration as well.
        """
        left = statement.relation.left
        if not isinstance(left, Name) or name is not statement.relation.right:
            return False
        if left.dots == 1 and bare(left.key) in self._accelerated:
            return False
        return bare(left.key) in self._dotted and bare(name.key) not in self._dotted

    def _squares(self, statement: Statement) -> Iterator[tuple[Letter, Node]]:
        r"""Iterate over the letter whose square an equation says: ``v_1^2 = \dot x^2 + ...``.

        Or that of a constant, ``\omega^2 = g/l``.
        """
        for name, node in statement.squares():
            if name.dots or bare(name.key) in self._dotted:
                continue
            key, inside = bare(name.key), [one for one in walk(node) if isinstance(one, Name)]
            is_of_rates = _is_of_rates(node)
            is_resting = self.letters.moving.isdisjoint(bare(one.key) for one in inside)
            if (inside and is_resting) or (is_of_rates and not self.definitions.get(key)):
                yield Letter(key, 0), _root(node)

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
            is_printed = any(map(_has_entries, (relation.left, relation.right)))
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

    def _number_states(self, statement: Statement) -> None:
        r"""Note that x has the entries x_1 and x_2 where ``\dot x`` is a column with them."""
        name, node = statement.relation.left, statement.relation.right
        key = bare(name.key) if isinstance(name, Name) and name.dots == 1 else ""
        if not key or key in self.definitions or "_" in key or not _has_entries(node):
            return
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                grid = Values(View(self, statement, ())).value(node)
        except (FreebodyError, ZeroDivisionError):
            return
        rows, columns = grid.shape
        names = [Letter(f"{bare_of_font(key)}_{row + 1}", 0) for row in range(rows)]
        inside = frozenset[Letter]().union(*(self._letters(form) for form in grid.entries()))
        are_open = all(one.key not in self.definitions for one in names)
        if columns == 1 < rows and are_open and not inside.isdisjoint(names):
            column = Grid.made([self.letters.form(one)] for one in names)
            said = Definition(Letter(key, 0), column, statement, is_notation=True)
            self.definitions[key] = [said]
            self.letters.moving |= {one.key for one in names}

    def _define_speeds(self) -> None:
        """Note what the speeds in energies are, of points of which the page prints the places."""
        statements = self._statements.all
        for speed, places, energy in point_speeds(
            statements, self.definitions, self.letters.moving
        ):
            rates = [self.letters.form(Letter(one.key, 1)) for one in places]
            square = self.letters.ring.sum([one * one for one in rates])
            grid = Grid.scalar(self.letters.ring.sqrt(square))
            said = Definition(speed, grid, energy, is_notation=True)
            self.definitions[speed.key] = [said]
        self._move()

    def _name_states(self, statement: Statement) -> None:
        r"""Note what states are that a column names: ``[x_1, x_2]^T = [\theta, \dot\theta]^T``."""
        relation = statement.relation
        sides = relation.left, relation.right
        if relation.relation not in EQUALITIES or not all(map(_has_entries, sides)):
            return
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                values = Values(View(self, statement, (statement,)))
                left, right = (values.value(side) for side in sides)
        except (FreebodyError, ZeroDivisionError):
            return
        for names, states in (left, right), (right, left):
            pairs = self._named(names, states)
            if pairs and any(state.dots for _, state in pairs):
                for name, state in pairs:
                    one = Definition(name, Grid.scalar(self.letters.form(state)), statement)
                    self.definitions.setdefault(name.key, []).append(one)
                return

    def _define_entries(self, statement: Statement) -> None:
        r"""Note what letters are that a column has: ``[x, y]^T = [l\sin\theta, l\cos\theta]^T``."""
        match statement.relation.left, statement.relation.right:
            case Matrix(rows=names), Matrix(rows=nodes) if len(names) == len(nodes):
                pairs = [*zip(chain(*names), chain(*nodes), strict=False)]
            case _:
                return
        if not all(isinstance(name, Name) and not name.dots for name, _ in pairs):
            return
        for name, node in pairs:
            key = bare(name.key) if isinstance(name, Name) else ""
            if key not in self.definitions and not isinstance(node, Name | Number):
                self._define_as(statement, Letter(key, 0), node)

    def _number_entries(self, statement: Statement) -> None:
        r"""Note that q_2 is the second entry of ``\mathbf{q} = [x, \theta]^T``, a configuration."""
        for column in self.of(statement):
            stem = bare_of_font(column.letter.key)
            entries = [self.sole(form) for form in column.grid.entries()]
            if column.grid.is_scalar or column.letter.dots or 1 not in column.grid.shape:
                continue
            if any(one is None or one.dots or one.key.startswith(f"{stem}_") for one in entries):
                continue
            for number, entry in enumerate(entries, 1):
                key = f"{stem}_{number}"
                if entry and key in self._dotted and key not in self.definitions:
                    grid = Grid.scalar(self.letters.form(entry))
                    self.definitions[key] = [Definition(Letter(key, 0), grid, statement)]

    def _named(self, names: Grid, states: Grid) -> list[tuple[Letter, Letter]]:
        """Return what new letters of a column stand for; nothing where some are none."""
        if names.shape != states.shape or 1 not in names.shape:
            return []
        found = []
        for form, other in zip(names.entries(), states.entries(), strict=True):
            name, state = self.sole(form), self.sole(other)
            if name is None or state is None or name.dots or name.key == state.key:
                return []
            found.append((name, state))
        keys = {name.key for name, _ in found}
        is_new = all(self._is_only(name, state) for name, state in found)
        return found if len(keys) == len(found) and is_new else []

    def _is_only(self, name: Letter, state: Letter) -> bool:
        """Return whether nothing says that a letter is anything else."""
        known = self.definitions.get(name.key, ())
        return all(one.grid.is_scalar and self.sole(one.grid.form) == state for one in known)

    def sole(self, form: Form) -> Letter | None:
        """Return the letter that a form is, if it is one."""
        inside = letters_of(self.letters, form)
        letter = inside.pop() if len(inside) == 1 else None
        return letter if letter and not form - self.letters.form(letter) else None

    def _define_indexed(self, statement: Statement) -> None:
        r"""Note what ``c_i = \cos\theta_i`` says of each number that stands for the index.

        Or ``v_i^2 = \dot x_i^2 + \dot y_i^2``.
        """
        relation = statement.relation
        speeds = ((name, _root(node)) for name, node in statement.squares() if _is_of_rates(node))
        for name, node in chain([(relation.left, relation.right)], speeds):
            found = INDEXED.fullmatch(name.key) if isinstance(name, Name) else None
            if found is None:
                continue
            for key in sorted(self.keys):
                number = NUMBERED.fullmatch(key)
                if number is None or number[1] != found[1] or key in self.definitions:
                    continue
                of_number = _numbered(node, found[2], number[2])
                names = {bare(one.key) for one in walk(of_number) if isinstance(one, Name)}
                if names <= self.keys and any(NUMBERED.fullmatch(one) for one in names):
                    self._define_as(statement, Letter(key, 0), of_number)

    def _define_within(self, statement: Statement) -> None:
        r"""Note what a letter is that a chain of equalities replaces: u of ``x = u = r\phi``."""
        before = statement.number - 1
        step = self._statements.all[before].relation if before >= 0 else None
        relation = statement.relation
        if step is None or step.right.span != relation.left.span:
            return
        try:
            with self.letters.ring.budget.work(MOST_PRODUCTS):
                view = View(self, statement, (statement,))
                left, right = (
                    view.lower(Values(view).value(side).form)
                    for side in (relation.left, relation.right)
                )
                self._define_replaced(statement, left, right)
        except (FreebodyError, ZeroDivisionError):
            return

    def _define_by_chain(self, statement: Statement) -> None:
        """Note what a letter is by the end of a chain of equalities, where its first step is open.

        It is where nothing moves in it: other letters stand there that the page does not explain.
        """
        steps = self.chain_before(statement)
        name = steps[0].relation.left if steps else None
        if not isinstance(name, Name) or name.dots or _has_entries(statement.relation.right):
            return
        key = bare(name.key)
        known = self.definitions.get(key, [])
        if any(one.statement not in steps or self._is_moving(one.grid) for one in known):
            return

        self._define_as(statement, Letter(key, 0), statement.relation.right)
        new = [one for one in self.definitions.get(key, ()) if one.statement is statement]
        if new and self._is_moving(new[0].grid):
            through = (*new[0].through, *steps)
            self.definitions[key] = [replace(new[0], through=through)]
        elif new:
            self.definitions[key] = known

    def chain_before(self, statement: Statement) -> list[Statement]:
        """Return the equations that a chain of equalities begins with, up to one of its steps."""
        found = [statement]
        for one in reversed(self._statements.all[: statement.number]):
            is_step = one.relation.right.span == found[0].relation.left.span
            if not is_step or one.relation.relation not in EQUALITIES:
                break
            found.insert(0, one)
        return found[:-1]

    @cached_property
    def worked_out(self) -> frozenset[str]:
        """The letters of which chains of equalities say what they are, and what number that is."""
        found = set[str]()
        for one in self._statements.all:
            if not any(isinstance(node, Name) for node in walk(one.relation.right)):
                names = (x.relation.left for x in self.chain_before(one)[:1])
                found |= {bare(name.key) for name in names if isinstance(name, Name)}
        return frozenset(found)

    def _is_moving(self, grid: Grid) -> bool:
        """Return whether a letter moves in what one stands for."""
        inside = (one for form in grid.entries() for one in self._letters(form))
        return any(one.key in self.letters.moving for one in inside)

    def _define_replaced(self, statement: Statement, left: Form, right: Form) -> None:
        """Note what the only letter is that one side has and the other has not, or its square."""
        ring, inside = self.letters.ring, letters_of(self.letters, right)
        found = letters_of(self.letters, left) - inside
        letter = found.pop() if len(found) == 1 else None
        if letter is None or letter.dots or letter.key in self.definitions:
            return
        atom = self.letters.atom(letter)
        slope = ring.partial(left, atom)
        rest = right - substituted(left, {atom: ring.zero})
        if atom not in slope.symbols:
            is_factor = any(one.key in self.letters.moving for one in self._letters(slope))
            is_place = not (is_factor or any(one.dots for one in inside))
            options = [rest / slope] if is_place else []
        else:
            curve = ring.partial(slope, atom).scaled(QQ(1, 2))
            is_square = atom not in curve.symbols and not substituted(slope, {atom: ring.zero})
            speeds = [self.letters.form(one) for one in inside if one.dots == 1]
            options = [one for one in speeds if is_square and not curve * one * one - rest]
        for form in options:
            grid = Grid.scalar(form)
            moves = any(one.key in self.letters.moving for one in self._letters(form))
            if moves and self._is_definition(letter, grid):
                self.definitions[letter.key] = [Definition(letter, grid, statement)]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The letters of the page."""
        return frozenset[str]().union(*(one.keys for one in self._statements.all))

    @property
    def matrices(self) -> frozenset[str]:
        """The letters that stand for columns and matrices."""
        known = self.definitions.items()
        return frozenset(key for key, of in known if any(not one.grid.is_scalar for one in of))

    def _is_definition(self, letter: Letter, grid: Grid) -> bool:
        """Return whether an equation says what a letter is, and no law of motion or case."""
        if letter.key == TIME:
            return False
        inside = {one for form in grid.entries() for one in self._letters(form)}
        moving = {one for one in inside if one.key in self.letters.moving}
        if any(self._reaches(one.key, letter.key) for one in inside):
            return False
        highest = max((one.dots for one in moving), default=0)
        if not grid.is_scalar:
            return highest < 2
        form = grid.form
        if not inside or (not moving and letter.key in self._dotted):
            return False
        if letter.key == _GRAVITY and moving and not self._is_path(form, moving):
            return False  # where something is at rest, with weight balanced
        is_case = not moving and len(inside) == 1 and len(form.terms) == 1
        if letter.dots == 0:
            if letter.key in self._dotted and self._is_path(form, moving):
                return False
            if letter.key not in self._dotted and self._is_rope(letter, form, moving):
                return False
            is_rate = len(form.terms) == 1 and len(inside) == 1
            is_rate |= _ACCELERATION.fullmatch(letter.key) is not None
            return not is_case and (highest < 2 or is_rate)
        if letter.key in self._accelerated and self._accelerated.isdisjoint(o.key for o in moving):
            return False  # another variable for the same, of which the page has no equation
        return letter.dots == highest == 1 and self._is_homogeneous(form, moving)

    def _is_path(self, form: Form, moving: set[Letter]) -> bool:
        """Return whether a letter is told by what another divides, as an orbit is."""
        ring = form.ring
        moves = touched(ring, [self.letters.atom(one) for one in moving])
        divided = (one for one in form.terms.places() if ring.generators[one].kind == "reciprocal")
        return any(map(moves, divided))

    def _is_rope(self, letter: Letter, form: Form, moving: set[Letter]) -> bool:
        r"""Return whether coordinates add up to a length: :math:`y_1 + 2 y_2 + \pi R = \ell`.

        Which is the constant one of a rope, where their difference is a distance that varies.
        """
        if _LENGTH.fullmatch(letter.key) is None or len(moving) < 2 or any(o.dots for o in moving):
            return False
        slopes = [form.ring.partial(form, self.letters.atom(one)) for one in moving]
        return all(one.is_number and one.number > 0 for one in slopes)

    def is_special_motion(self, letter: Letter, grid: Grid) -> bool:
        """Return whether two coordinates are said to be the same, or opposite, as in a mode."""
        inside = {one for form in grid.entries() for one in self._letters(form)}
        is_product = grid.is_scalar and len(grid.form.terms) == len(inside) == 1
        both = {letter.key, *(one.key for one in inside)}
        return is_product and both <= self._accelerated

    def _is_homogeneous(self, form: Form, moving: set[Letter]) -> bool:
        """Return whether a velocity is made of velocities alone."""
        zero = self.letters.ring.zero
        rates = {self.letters.atom(one): zero for one in moving if one.dots}
        return not substituted(form, rates)

    def _letters(self, form: Form) -> set[Letter]:
        found = (self.letters.letter(atom) for atom in atoms(form))
        return {one for one in found if one}

    def _reaches(self, start: str, goal: str) -> bool:
        """Return whether a letter stands for something made of another."""
        waiting, seen = [start], set[str]()
        while waiting:
            key = waiting.pop()
            if key == goal:
                return True
            if key not in seen:
                seen.add(key)
                for one in self.definitions.get(key, ()):
                    forms = one.grid.entries()
                    waiting += (letter.key for form in forms for letter in self._letters(form))
        return False

    def _move_entries(self) -> None:
        """Let move what stands alone in columns that carry dots."""
        for key in self._dotted & self.definitions.keys():
            for one in self.definitions[key]:
                for form in one.grid.entries() if not one.grid.is_scalar else ():
                    inside = self._letters(form)
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
                if any(letter.key in self.letters.moving for letter in self._letters(form))
            }
            found |= self.shorthands.keys()
            if found <= self.letters.moving:
                return
            self.letters.moving |= found


def _has_entries(node: Node) -> bool:
    return any(isinstance(one, Matrix) for one in walk(node))


def _is_of_rates(node: Node) -> bool:
    """Return whether a node is made of velocities."""
    return any(
        isinstance(one, TimeDerivative) or (isinstance(one, Name) and one.dots == 1)
        for one in walk(node)
    )


def _root(node: Node) -> Node:
    return Call("sqrt", node, node.span)


def _numbered(node: Any, index: str, number: str) -> Any:
    """Return a node with a number in place of the index of its names."""

    def change(part: Any) -> Any:
        return _numbered(part, index, number)

    if isinstance(node, Name):
        return replace(node, key=re.sub(rf"_\{{?{index}\}}?$", f"_{number}", node.key))
    return rebuilt(node, change)
