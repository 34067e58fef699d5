r"""Names that nobody declares and that follow from declared ones.

Such are entries, ``z_2`` of a column ``z`` and ``M_{12}`` of a matrix ``M``; the matrix of a cross
product, ``\hat\omega`` or ``S(\omega)``; ``M`` where ``M(q)`` is declared; and unit vectors.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from freebody.checking.grid import Grid, MeaningError
from freebody.checking.introduced import bare, written
from freebody.checking.meaning.calls import skew
from freebody.checking.meaning.symbols import Meaning, Symbols
from freebody.checking.report import EquationVerdict
from freebody.documents.latex import LatexError
from freebody.documents.latex.names import Declared, undotted

_INDEXED = re.compile(r"(.+)_\{(\d+(?:,\d+)?)\}((?:\(.*\))?)")
_CROSS = re.compile(r"\\(?:wide)?(?:hat|tilde)\{(.+)\}((?:_\{.+\})?)")
_CROSSED = re.compile(r"(?:\\(?:mathbf|boldsymbol|mathrm|mathcal)\{)?(?:S|skew|sk)\}?\((.+)\)")
_STYLE = re.compile(r"\\(?:mathbf|boldsymbol|vec|underline|bar|mathrm|mathit|(?:wide)?hat)\{(.+)\}")
_STYLES = (r"\mathbf", r"\boldsymbol", r"\vec", r"\underline", r"\bar", r"\mathrm")
_AXES = {"1": 0, "2": 1, "3": 2, "x": 0, "y": 1, "z": 2}
_UNITS = {"i": 0, "j": 1, "k": 2, r"\imath": 0, r"\jmath": 1, "x": 0, "y": 1, "z": 2}


@dataclass(frozen=True, slots=True)
class Implied:
    """A name that nobody declares, with what it stands for.

    Attributes
    ----------
    key : str
    meaning : str or list
        In quantities of the model.
    note : str
        What is told where it is used.
    whole : str
        The declared name that it follows from; empty where there is none.
    is_sure : bool
        Whether it can hardly mean anything else; if not, an equation that differs with it is none.
    """

    key: str
    meaning: Meaning
    note: str
    whole: str = ""
    is_sure: bool = True


def implied(symbols: Symbols, unknown: Iterable[str]) -> dict[str, Implied]:
    """Return those of the names which are not declared that follow from declared ones."""
    names = dict.fromkeys(map(undotted, unknown))
    found = {one.key: one for name in names for one in _first(symbols, name)}
    wholes = [one.whole for one in found.values() if one.whole and _INDEXED.fullmatch(one.key)]
    return {
        key: replace(one, is_sure=one.is_sure and wholes.count(one.whole) > 1)
        if one.whole in wholes and not _is_state(symbols, one.whole)
        else one
        for key, one in found.items()
    }


def if_sure(
    verdict: EquationVerdict, names: Collection[str], known: Mapping[str, Implied]
) -> EquationVerdict:
    """Return a verdict; none that an equation differs where its names may mean something else."""
    unsure = [known[key] for key in sorted(known.keys() & names) if not known[key].is_sure]
    if verdict.status != "differs" or not unsure:
        return verdict
    note = "\n".join(f"'{one.key}' is not declared" for one in unsure)
    readings = tuple(f"{one.note}, with which it differs" for one in unsure)
    blank = EquationVerdict(
        verdict.label, verdict.line, verdict.latex, "unreadable", place=verdict.place
    )
    return replace(blank, note=note, surprise=note, readings=readings)


def _first(symbols: Symbols, name: str) -> Iterator[Implied]:
    """Yield what a name follows from, if it does."""
    for rule in (_called, _entry, _crossed, _size):
        if found := rule(symbols, name):
            yield found
            return
    if found := _unit(name):
        yield found


def _bare(symbols: Symbols) -> dict[str, str]:
    """Return what is declared with arguments, by what it is called without."""
    return {bare(name): key for name, key in symbols.spelled.items() if "(" in key}


def _called(symbols: Symbols, name: str) -> Implied | None:
    """Return what is declared with arguments and printed without."""
    whole_of = _bare(symbols)
    try:
        found = Declared(whole_of, lambda _: False).lookup(name)
    except LatexError:
        return None
    if not found:
        return None
    whole = whole_of[found[0]]
    meaning = _meaning(symbols, symbols.value(whole, found[1]))
    message = f"'{name}' is read as '{whole}'"
    return None if meaning is None else Implied(name, meaning, message, whole)


def _entry(symbols: Symbols, name: str) -> Implied | None:
    match = _INDEXED.fullmatch(name)
    if not match:
        return None
    base, index, arguments = match.groups()
    spelled = (base + arguments, *(f"{style}{{{base}}}{arguments}" for style in _STYLES))
    known = {**_bare(symbols), **symbols.spelled}
    whole = next((known[key] for key in spelled if key in known), None)
    place = _place(symbols, whole, index) if whole else None
    if whole is None or place is None:
        return None
    meaning = written(symbols, symbols.value(whole).rows[place[0] - 1][place[1] - 1])
    message = f"'{name}' is read as an entry of '{whole}'"
    return Implied(name, meaning, message, whole, is_sure=spelled[0] in known)


def _place(symbols: Symbols, whole: str, index: str) -> tuple[int, int] | None:
    """Return the row and column that an index says, if there is such an entry."""
    rows, columns = symbols.value(whole).shape
    numbers = index.split(",") if "," in index else list(index) if columns > 1 < rows else [index]
    if rows == columns == 1 or len(numbers) > 2:
        return None
    if len(numbers) == 1 and 1 not in (rows, columns):
        return None
    pair = (int(numbers[0]), int(numbers[-1]))
    if len(numbers) == 1:
        pair = (pair[0], 1) if columns == 1 else (1, pair[0])
    return pair if 0 < pair[0] <= rows and 0 < pair[1] <= columns else None


def _is_state(symbols: Symbols, whole: str) -> bool:
    """Return whether all of a column are coordinates, speeds and inputs, or it is a matrix."""
    names = symbols.quantities.mechanism.names
    known: Mapping[str, object] = {**names.coordinates, **names.speeds, **names.inputs}
    grid = symbols.value(whole)
    return 1 not in grid.shape or all(written(symbols, form) in known for form in grid.entries())


def _crossed(symbols: Symbols, name: str) -> Implied | None:
    r"""Return the matrix of a cross product, ``\hat\omega`` or ``S(\omega)``."""
    hatted, called = _CROSS.fullmatch(name), _CROSSED.fullmatch(name)
    printed = hatted[1] + hatted[2] if hatted else called[1] if called else ""
    whole = symbols.spelled.get(printed)
    if whole is None or symbols.value(whole).shape not in ((3, 1), (1, 3)):
        return None
    meaning = _meaning(symbols, skew(symbols.value(whole)))
    message = f"'{name}' is read as the matrix of the cross product with '{whole}'"
    return None if meaning is None else Implied(name, meaning, message, whole, is_sure=False)


def _size(symbols: Symbols, name: str) -> Implied | None:
    r"""Return the size of a vector: ``v_C`` where ``\vec v_C`` is declared."""
    base, _, subscript = name.partition("_{")
    behind = f"_{{{subscript}" if subscript else ""
    found = (symbols.spelled.get(f"{style}{{{base}}}{behind}") for style in _STYLES)
    whole = next(filter(None, found), None)
    if whole is None or symbols.value(whole).shape not in ((3, 1), (2, 1)):
        return None
    squares = (f"({written(symbols, form)})**2" for form in symbols.value(whole).entries())
    message = f"'{name}' is read as the size of '{whole}'"
    return Implied(name, f"sqrt({' + '.join(squares)})", message, whole, is_sure=False)


def _unit(name: str) -> Implied | None:
    r"""Return a unit vector: ``\mathbf{e}_3``, ``\hat{k}``."""
    letter, subscript = name.split("_{") if name.count("_{") == 1 else (name, "")
    styles = 0
    while match := _STYLE.fullmatch(letter):
        letter, styles = match[1], styles + 1
    axis = subscript.removesuffix("}").lower()
    place = (
        _AXES.get(axis) if letter == "e" else _UNITS.get(letter) if styles and not axis else None
    )
    if place is None:
        return None
    message = f"'{name}' is read as a unit vector"
    return Implied(name, [int(i == place) for i in range(3)], message, is_sure=False)


def _meaning(symbols: Symbols, grid: Grid) -> Meaning | None:
    try:
        rows = [[written(symbols, form) for form in row] for row in grid.rows]
    except MeaningError:
        return None
    return rows[0][0] if grid.is_scalar else cast("Meaning", rows)
