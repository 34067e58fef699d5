r"""Entries of declared columns and matrices: ``z_2`` of a state ``z``, ``M_{12}`` of ``M``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from freebody.checking.introduced import written
from freebody.checking.meaning.evaluator import Meaning, Symbols
from freebody.documents.latex.names import printed, undotted

_INDEXED = re.compile(r"(.+)_\{(\d+(?:,\d+)?)\}((?:\(.*\))?)")
_STYLES = (r"\mathbf", r"\boldsymbol", r"\vec", r"\underline", r"\bar", r"\mathrm")


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that nobody declares, as an entry of one that is declared."""

    key: str
    whole: str
    meaning: Meaning

    @property
    def told(self) -> str:
        """What is told where it is used."""
        return f"'{printed(self.key)}' is read as an entry of '{printed(self.whole)}'"


def entries(symbols: Symbols, unknown: Iterable[str]) -> dict[str, Entry]:
    """Return the entries of declared columns and matrices that names which are not declared are.

    A letter may be that of a column in another font, or of one of other things than coordinates,
    speeds and inputs, and mean something else: it is an entry where several of them are printed.
    """
    found = [
        entry for name in dict.fromkeys(map(undotted, unknown)) for entry in _of(symbols, name)
    ]
    wholes = [entry.whole for entry in found]
    return {
        entry.key: entry
        for entry in found
        if wholes.count(entry.whole) > 1 or (_is_state(symbols, entry) and entry.whole in entry.key)
    }


def _of(symbols: Symbols, name: str) -> Iterator[Entry]:
    match = _INDEXED.fullmatch(name)
    if not match:
        return
    base, index, arguments = match.groups()
    spelled = (base + arguments, *(f"{style}{{{base}}}{arguments}" for style in _STYLES))
    whole = next((key for key in spelled if key in symbols.meanings), None)
    place = _place(symbols, whole, index) if whole else None
    if whole and place:
        form = symbols.value(whole).rows[place[0] - 1][place[1] - 1]
        yield Entry(name, whole, written(symbols, form))


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


def _is_state(symbols: Symbols, entry: Entry) -> bool:
    """Return whether all of a column are coordinates, speeds and inputs."""
    names = symbols.quantities.mechanism.names
    known: Mapping[str, object] = {**names.coordinates, **names.speeds, **names.inputs}
    return all(written(symbols, form) in known for form in symbols.value(entry.whole).entries())
