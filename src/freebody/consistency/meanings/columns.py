r"""What letters are by columns: states in ``[x_1, x_2]^T = [\theta, \dot\theta]^T``, entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from freebody.checking.grid import Grid
from freebody.checking.introduced import bare, entries_beside
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import Letter, bare_of_font, letters_of
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Matrix, Name, Node, Number, walk
from freebody.errors import FreebodyError

if TYPE_CHECKING:
    from freebody.consistency.meanings.meanings import Meanings

MOST_PRODUCTS = 100_000
"""Of terms, to see what one equation says that a letter is."""


def has_entries(node: Node) -> bool:
    """Return whether a column or a matrix stands in something."""
    return any(isinstance(one, Matrix) for one in walk(node))


def told_by_columns(meanings: Meanings, statement: Statement) -> Iterator[Definition]:
    """Iterate over what the columns of an equation say of letters, each by what is known then.

    Parameters
    ----------
    meanings : Meanings
        Which takes up what is told before the next is looked for.
    statement : Statement
    """
    yield from _numbered_states(meanings, statement)
    yield from _named_states(meanings, statement)
    yield from _entries(meanings, statement)
    yield from _numbered_entries(meanings, statement)


def _numbered_states(meanings: Meanings, statement: Statement) -> Iterator[Definition]:
    r"""Tell that x has the entries x_1 and x_2 where ``\dot x`` is a column with them."""
    name, node = statement.relation.left, statement.relation.right
    key = bare(name.key) if isinstance(name, Name) and name.dots == 1 else ""
    if not key or key in meanings.definitions or "_" in key or not has_entries(node):
        return
    letters = meanings.letters
    try:
        with letters.ring.budget.work(MOST_PRODUCTS):
            grid = Values(View(meanings, statement, ())).value(node)
    except (FreebodyError, ZeroDivisionError):
        return
    rows, columns = grid.shape
    names = [Letter(f"{bare_of_font(key)}_{row + 1}", 0) for row in range(rows)]
    inside = frozenset[Letter]().union(*(letters_of(letters, form) for form in grid.entries()))
    are_open = all(one.key not in meanings.definitions for one in names)
    if columns == 1 < rows and are_open and not inside.isdisjoint(names):
        column = Grid.made([letters.form(one)] for one in names)
        yield Definition(Letter(key, 0), column, statement, is_notation=True)
        letters.moving |= {one.key for one in names}


def _named_states(meanings: Meanings, statement: Statement) -> Iterator[Definition]:
    r"""Tell what states are that a column names: ``[x_1, x_2]^T = [\theta, \dot\theta]^T``."""
    relation = statement.relation
    sides = relation.left, relation.right
    if relation.relation not in EQUALITIES or not all(map(has_entries, sides)):
        return
    letters = meanings.letters
    try:
        with letters.ring.budget.work(MOST_PRODUCTS):
            values = Values(View(meanings, statement, (statement,)))
            left, right = (values.value(side) for side in sides)
    except (FreebodyError, ZeroDivisionError):
        return
    for names, states in (left, right), (right, left):
        pairs = _named(meanings, names, states)
        if pairs and any(state.dots for _, state in pairs):
            yield from _told(meanings, pairs, statement)
            return


def _named(meanings: Meanings, names: Grid, states: Grid) -> list[tuple[Letter, Letter]]:
    """Return what new letters of a column stand for; nothing where some are none."""
    if names.shape != states.shape or 1 not in names.shape:
        return []
    found = []
    for form, other in zip(names.entries(), states.entries(), strict=True):
        name, state = meanings.letters.sole(form), meanings.letters.sole(other)
        if name is None or state is None or name.dots or name.key == state.key:
            return []
        found.append((name, state))
    keys = {name.key for name, _ in found}
    return found if len(keys) == len(found) and _are_new(meanings, found) else []


def _are_new(meanings: Meanings, pairs: Sequence[tuple[Letter, Letter]]) -> bool:
    r"""Return whether nothing says that letters are anything else than what each is paired with.

    That x_2 is the rate of x_1 does not where they are paired with a coordinate and its rate.
    """
    states = {name.key: state for name, state in pairs}

    def is_it(said: Definition, state: Letter) -> bool:
        other = meanings.letters.sole(said.grid.form) if said.grid.is_scalar else None
        whole = states.get(other.key) if other else None
        rate = Letter(whole.key, whole.dots + other.dots) if whole and other else None
        return other is not None and state in (other, rate)

    return all(
        is_it(one, state) for name, state in pairs for one in meanings.definitions.get(name.key, ())
    )


def _entries(meanings: Meanings, statement: Statement) -> Iterator[Definition]:
    r"""Tell what letters are that a column has: ``[x, y]^T = [l\sin\theta, l\cos\theta]^T``."""
    pairs = entries_beside(statement.relation.left, statement.relation.right)
    if not all(isinstance(name, Name) and not name.dots for name, _ in pairs):
        return
    for name, node in pairs:
        key = bare(name.key) if isinstance(name, Name) else ""
        if key not in meanings.definitions and not isinstance(node, Name | Number):
            yield from meanings.said_by(statement, [(Letter(key, 0), node)])


def _numbered_entries(meanings: Meanings, statement: Statement) -> Iterator[Definition]:
    r"""Tell that q_2 is the second entry of ``\mathbf{q} = [x, \theta]^T``, a configuration.

    And x_2 that of a state, ``x = [\theta, \dot\theta]^T``, where x_1 and x_2 are printed, with
    most of their rates, and no more of them.
    """
    letters = meanings.letters
    for column in meanings.of(statement):
        stem = bare_of_font(column.letter.key)
        entries = [letters.sole(form) for form in column.grid.entries()]
        known = [one for one in entries if one and not one.key.startswith(f"{stem}_")]
        if column.grid.is_scalar or column.letter.dots or 1 not in column.grid.shape:
            continue
        if len(known) < len(entries):
            continue
        names = [Letter(f"{stem}_{number}", 0) for number in range(1, len(known) + 1)]
        pairs = [*zip(names, known, strict=True)]
        moved = [one for one in names if one.key in meanings.dotted]
        if any(one.dots for one in known):
            is_more = f"{stem}_{len(known) + 1}" in meanings.printed
            is_state = meanings.printed.issuperset(one.key for one in names) and not is_more
            if not is_state or 2 * len(moved) <= len(names) or not _are_new(meanings, pairs):
                continue
        else:
            open_names = {*moved} - {one for one in moved if one.key in meanings.definitions}
            pairs = [(name, entry) for name, entry in pairs if name in open_names]
        if not any(name.key in meanings.of_others for name, _ in pairs):
            yield from _told(meanings, pairs, statement)


def _told(
    meanings: Meanings, pairs: Iterable[tuple[Letter, Letter]], statement: Statement
) -> Iterator[Definition]:
    """Tell what letters are, whatever is said of them that is no more than their order."""
    for name, other in pairs:
        meanings.definitions.pop(name.key, None)
        yield Definition(name, Grid.scalar(meanings.letters.form(other)), statement)
