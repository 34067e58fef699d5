r"""Matrices and columns that a page prints entry by entry: M of ``M_{11} = ...`` and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from freebody.algebra import Form
from freebody.checking.grid import Grid
from freebody.checking.introduced import bare, cells_of
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.consistency.letters import NUMBERED, Letter, bare_of_font, letters_of
from freebody.consistency.matrices import uses
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import Definition, View
from freebody.consistency.statement import Statement
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Matrix, Multiply, Name, Node, walk
from freebody.errors import FreebodyError

if TYPE_CHECKING:
    from freebody.consistency.meanings.meanings import Meanings

MOST_ROWS = 6
_NUMBERED = re.compile(r"_(?:\d|\{\d,?\d\})$")
_ENTRY = re.compile(r"(.+)_\{(\d),?(\d)\}")


def told_by_entries(meanings: Meanings, statements: Sequence[Statement]) -> Iterator[Definition]:
    """Iterate over the matrices that are used whole and printed by their entries, and columns.

    A matrix may be symmetric where one of two entries is printed. A column has as many entries as
    a matrix of the page has rows, or another column.

    Parameters
    ----------
    meanings : Meanings
    statements : sequence of Statement
        Of the page.
    """
    entries = _entries(meanings, statements)
    open_keys = [key for key in _keys(statements) if not meanings.definitions.get(key)]
    matrices = list[Definition]()
    for key in open_keys:
        if rows := next(filter(None, (_rows(stem, entries) for stem in _stems(key))), None):
            matrices.append(_definition(meanings, key, rows))
    yield from matrices
    numbered = [*_numbered_rows(meanings, statements, open_keys)]
    yield from numbered
    if len({one.grid.shape for one in matrices}) > 1:
        return
    sizes = {len(one.grid.rows) for one in (*matrices, *numbered)}
    for size in sizes if len(sizes) == 1 else ():
        columns = _columns(open_keys, size, entries)
        yield from (_definition(meanings, key, column) for key, column in columns)
    if matrices:
        yield from _coordinates(meanings, statements, matrices)


def _numbered_rows(
    meanings: Meanings, statements: Sequence[Statement], open_keys: Sequence[str]
) -> Iterator[Definition]:
    r"""Iterate over the columns of all of a row of letters, by the letter without a number.

    Such as q of ``M(q)\ddot q`` beside the column of q_1 and q_2, or where M is one of two rows.
    Where it is told what all the matrices are that stand before it.
    """
    found: dict[str, tuple[int, Statement]] = {}
    for stem, size, statement in chain(_columns_of(statements), _squares_of(meanings, statements)):
        found.setdefault(stem, (size, statement))
    for key in open_keys:
        if (stem := bare_of_font(key)) not in found:
            continue
        size, statement = found[stem]
        names = [f"{stem}_{n + 1}" for n in range(size)]
        is_moved = any(any(one.orders.get(key, ())) for one in statements)
        is_known = _factors(statements, key) <= meanings.matrices
        if is_moved and is_known and meanings.keys.issuperset(names):
            column = Grid.made([meanings.letters.form(Letter(name, 0))] for name in names)
            yield Definition(Letter(key, 0), column, statement, is_notation=True)


def _columns_of(statements: Sequence[Statement]) -> Iterator[tuple[str, int, Statement]]:
    """Iterate over the letters that stand in a column by their numbers, with how many."""
    for statement in statements:
        for node in walk(statement.relation.left, statement.relation.right):
            if isinstance(node, Matrix) and (stem := _stem(node)):
                yield stem, len(node.rows), statement


def _squares_of(
    meanings: Meanings, statements: Sequence[Statement]
) -> Iterator[tuple[str, int, Statement]]:
    """Iterate over the letters whose numbered ones a matrix before them moves by, one for a row.

    Where nothing else is said of them, in any font.
    """
    told = {bare_of_font(key) for key, said in meanings.definitions.items() if said}
    for use in uses(statements):
        stem, said = bare_of_font(use.column), meanings.definitions.get(use.matrix)
        if said and stem not in told and _is_of_numbered(meanings, said[0].grid, stem):
            yield stem, len(said[0].grid.rows), said[0].statement


def _is_of_numbered(meanings: Meanings, grid: Grid, stem: str) -> bool:
    """Return whether a matrix moves by a letter with numbers alone, one for each of its rows."""
    size, columns = grid.shape
    letters = meanings.letters
    names = {f"{stem}_{n + 1}" for n in range(size)}
    inside = {one.key for form in grid.entries() for one in letters_of(letters, form)}
    is_whole = size == columns > 1 and f"{stem}_{size + 1}" not in meanings.keys
    return is_whole and not names.isdisjoint(inside) and inside & letters.moving <= names


def _stem(node: Matrix) -> str:
    """Return what the letters of a column have in common that are numbered from one on."""
    cells = cells_of(node) if len(node.rows) > 1 else []
    names = [one for one in cells if isinstance(one, Name)]
    found = [NUMBERED.fullmatch(bare(one.key)) for one in names]
    pairs = [(one[1], int(one[2])) for one in found if one]
    stems = {stem for stem, _ in pairs}
    is_whole = [number for _, number in pairs] == [*range(1, len(cells) + 1)]
    is_of_one = is_whole and len(stems) == 1 and len({one.dots for one in names}) == 1
    return stems.pop() if is_of_one else ""


def _factors(statements: Sequence[Statement], key: str) -> set[str]:
    """Return the letters that stand right before one."""
    nodes = (walk(one.relation.left, one.relation.right) for one in statements)
    pairs = (pairwise(node.factors) for node in chain(*nodes) if isinstance(node, Multiply))
    return {
        bare(one.key)
        for one, other in chain(*pairs)
        if isinstance(one, Name) and isinstance(other, Name) and bare(other.key) == key
    }


def times_column(statement: Statement) -> Iterator[tuple[Letter, Node]]:
    r"""Yield the matrix before a column that is set out, ``M \ddot q = [...][...]``, with it."""
    match statement.relation:
        case Relation(
            left=Multiply(factors=(Name() as matrix, Name() as column)),
            right=Multiply(factors=(Matrix() as entries, Matrix() as cells)),
        ) if _stem(cells) == bare_of_font(bare(column.key)):
            dots = {one.dots for one in cells_of(cells) if isinstance(one, Name)}
            if dots == {column.dots}:
                yield Letter(bare(matrix.key), matrix.dots), entries


def matrix_of(key: str, definitions: Mapping[str, Sequence[Definition]]) -> str | None:
    """Return the matrix of which a letter is an entry, where it is known by these."""
    match = _ENTRY.fullmatch(key)
    for name, said in definitions.items() if match else ():
        if match and match[1] in _stems(name) and said and not said[0].grid.is_scalar:
            return name
    return None


def transposed(key: str) -> str | None:
    """Return the entry on the other side of the diagonal; None of one on it.

    Examples
    --------
    >>> transposed("M_{12}"), transposed("M_{2,1}"), transposed("M_{11}"), transposed("m_1")
    ('M_{21}', 'M_{1,2}', None, None)
    """
    match = _ENTRY.fullmatch(key)
    if match is None or match[2] == match[3]:
        return None
    return re.sub(r"(\d)(,?)(\d)\}$", r"\3\2\1}", key)


Entry = tuple[Form, Statement]


def _entries(meanings: Meanings, statements: Sequence[Statement]) -> dict[str, Entry]:
    """Return what letters with numbers below are by what is said first: constants, others."""
    found: dict[str, Entry] = {}
    for statement in reversed(statements):
        match statement.relation:
            case Relation(left=Name(key=key, dots=0), right=node) if _NUMBERED.search(bare(key)):
                with suppress(FreebodyError, ZeroDivisionError):
                    grid = Values(View(meanings, statement, ())).value(node)
                    if grid.is_scalar and statement.relation.relation in EQUALITIES:
                        same = meanings.letters.sole(grid.form)
                        form, _ = found.get(same.key if same else "", (grid.form, None))
                        found[bare(key)] = form, statement
    return found


def _keys(statements: Sequence[Statement]) -> list[str]:
    return [*dict.fromkeys(key for one in statements for key in one.keys)]


def _stems(key: str) -> tuple[str, ...]:
    """Return what the entries of a matrix are called without their numbers, in two ways."""
    letter = bare_of_font(key)
    return letter, letter.lower()


def _rows(stem: str, entries: dict[str, Entry]) -> list[list[Entry]]:
    """Return the rows of a matrix; none where an entry is not known."""
    known: dict[tuple[int, int], str] = {}
    for key in entries:
        if (match := _ENTRY.fullmatch(key)) and match[1] == stem:
            known[int(match[2]), int(match[3])] = key
    size = max((max(place) for place in known), default=0)
    if not 1 < size <= MOST_ROWS:
        return []
    rows = []
    for i in range(1, size + 1):
        keys = [known.get((i, j)) or known.get((j, i)) for j in range(1, size + 1)]
        if not all(keys):
            return []
        rows.append([entries[key] for key in keys if key])
    return rows


def _columns(
    keys: Sequence[str], size: int, entries: dict[str, Entry]
) -> Iterator[tuple[str, list[list[Entry]]]]:
    """Iterate over the columns of some size that are printed by their entries."""
    for key in keys:
        for stem in _stems(key):
            names = [f"{stem}_{n + 1}" for n in range(size)]
            if all(name in entries for name in names):
                yield key, [[entries[name]] for name in names]
                break


def _coordinates(
    meanings: Meanings, statements: Sequence[Statement], matrices: Sequence[Definition]
) -> Iterator[Definition]:
    """Iterate over the columns of what moves in matrices, where it is as much as they have rows."""
    letters, size = meanings.letters, len(matrices[0].grid.rows)
    forms = [form for one in matrices for form in one.grid.entries()]
    inside = {one.key for form in forms for one in letters_of(letters, form)} & letters.moving
    if len(inside) != size:
        return
    column = Grid.made([letters.form(Letter(key, 0))] for key in sorted(inside))
    names = {one.letter.key for one in matrices}
    whole = [one for one in statements if not names.isdisjoint(one.keys)]
    moved = dict.fromkeys(key for one in whole for key, orders in one.orders.items() if any(orders))
    for key in moved:
        if key not in inside and not meanings.definitions.get(key):
            yield Definition(Letter(key, 0), column, matrices[0].statement, is_notation=True)


def _definition(meanings: Meanings, key: str, rows: Sequence[Sequence[Entry]]) -> Definition:
    first, *others = dict.fromkeys(statement for row in rows for _, statement in row)
    view = View(meanings, first, ())
    grid = Grid.made([view.lower(form) for form, _ in row] for row in rows)
    through = dict.fromkeys((*others, *view.used.values()))
    return Definition(Letter(key, 0), grid, first, tuple(through))
