"""Two models or pages term by term: what the second adds to the first, or says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freebody.algebra import Form
from freebody.algebra.readback import read_terms
from freebody.arguments import checked
from freebody.documents import Document, read_document
from freebody.documents.sources import PAGES
from freebody.explaining.pages import Entries, Table, model_entries, page_entries
from freebody.mechanics.build import mechanism
from freebody.mechanics.derivation import derive
from freebody.mechanics.equations import Equations
from freebody.mechanics.mechanism import AnyModel
from freebody.mechanics.notation import definitions, python

VECTORS = ("C", "G", "E", "tau")


@dataclass(frozen=True)
class TermDifference:
    """A term in which two models differ.

    Attributes
    ----------
    entry : str
        Of which entry of the equations, by the coordinates: ``M[x,theta]``, ``C[theta]``; or
        ``law``, ``constraint`` or ``value`` and a name.
    term : str
        Without its coefficient.
    first, second : str
        Its coefficients, or what a law or value is; zero, or empty, where there is none.
    """

    entry: str
    term: str
    first: str
    second: str

    def __str__(self) -> str:
        if self.first in ("0", ""):
            return f"{self.entry}  only in the second: {_product(self.second, self.term)}"
        if self.second in ("0", ""):
            return f"{self.entry}  only in the first:  {_product(self.first, self.term)}"
        both = f"{self.first} in the first, {self.second} in the second"
        return f"{self.entry}  {self.term or 'is'}: {both}"


@dataclass(frozen=True, repr=False)
class ModelComparison:
    """Two models, compared.

    Attributes
    ----------
    first, second : str
        Their titles.
    only_first, only_second : tuple of str
        The coordinates that one of them has alone; terms of their equations are not listed.
    differences : tuple of TermDifference
        Between the equations, and their parts, of the coordinates that both have.
    shared : int
        How many terms are the same.
    """

    first: str
    second: str
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    differences: tuple[TermDifference, ...]
    shared: int

    def __bool__(self) -> bool:
        return not (self.only_first or self.only_second or self.differences)

    def __str__(self) -> str:
        lines = [f"first:  {self.first}", f"second: {self.second}"]
        for names, which in ((self.only_first, "first"), (self.only_second, "second")):
            if names:
                lines.append(f"coordinates and speeds only in the {which}: {', '.join(names)}")
        lines += map(str, self.differences)
        same = "the same equations of motion: " if self else ""
        lines.append(f"{same}{self.shared} terms are the same, {len(self.differences)} are not")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return _brief(self)

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import comparison_html  # which reads comparisons

        return comparison_html(self)


@dataclass(frozen=True, repr=False)
class PageComparison:
    """Two pages, or a page and a model, compared.

    Attributes
    ----------
    first, second : str
        Their titles.
    only_first, only_second : tuple of str
        The quantities, and the equations by their labels, that one of them has alone; of a model
        nothing is listed that the page leaves out.
    differences : tuple of TermDifference
        Between what both say of the same quantity, or in equations of the same label.
    shared : int
        How many terms are the same.
    unread : tuple of str
        The labels of equations that are not compared: they have no value, or a model is there that
        says nothing under a label.
    """

    first: str
    second: str
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    differences: tuple[TermDifference, ...]
    shared: int
    unread: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not (self.only_first or self.only_second or self.differences)

    def __str__(self) -> str:
        lines = [f"first:  {self.first}", f"second: {self.second}"]
        for names, which in ((self.only_first, "first"), (self.only_second, "second")):
            if names:
                lines.append(f"only in the {which}: {', '.join(names)}")
        lines += map(str, self.differences)
        if self.unread:
            lines.append(f"not compared: {', '.join(self.unread)}")
        lines.append(f"{self.shared} terms are the same, {len(self.differences)} are not")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return _brief(self)

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import comparison_html  # which reads comparisons

        return comparison_html(self)


def _brief(compared: ModelComparison | PageComparison) -> str:
    kind, titles = type(compared).__name__, f"'{compared.first}' and '{compared.second}'"
    same, others = compared.shared, len(compared.differences)
    return f"<{kind} of {titles}: {same} terms are the same, {others} are not>"


Comparable = AnyModel | Document


@checked
def compare(first: Comparable, second: Comparable) -> ModelComparison | PageComparison:
    """Compare two models, two pages, or a model and a page, term by term.

    Of models, the equations of motion: entries are matched by the names of speeds, terms by what
    they are made of, so that what one adds to another is found where both use the same names. Of
    pages, what they print: quantities are matched by what they are, other equations by their
    labels, whatever symbols they are printed in. A page is held against a model in the quantities
    that it prints.

    Parameters
    ----------
    first, second : Model, Mechanism, Document, str or Path
        What moves, or the name of a shipped model; or a document, or its file.

    Returns
    -------
    ModelComparison or PageComparison
        The terms that one has alone, and those that differ in a factor; true where none is.

    Raises
    ------
    DocumentError
        If a page cannot be read.
    TooLargeError
        If the equations are too large to be written out.

    Examples
    --------
    >>> import freebody
    >>> bool(freebody.compare("pendulum", "pendulum"))
    True
    """
    pages = _page(first), _page(second)
    if any(pages):
        return _compared(*(page or one for page, one in zip(pages, (first, second), strict=True)))
    one, other = derive(first), derive(second)  # type: ignore[arg-type]
    table, other_table = _table(one), _table(other)
    names, other_names = (list(each.mechanism.names.speeds) for each in (one, other))
    shared = [name for name in names if name in other_names]
    found = list(_different(table, other_table, set(shared)))
    kept = [entry for entry in table if entry in other_table]
    same = sum(table[e][t] == other_table[e].get(t) for e in kept for t in table[e])
    return ModelComparison(
        one.mechanism.model.title,
        other.mechanism.model.title,
        tuple(_plain(name) for name in names if name not in other_names),
        tuple(_plain(name) for name in other_names if name not in names),
        tuple(found),
        same,
    )


def _page(target: Comparable) -> Document | None:
    """Return the document that is meant, if one is."""
    if (
        isinstance(target, str | Path)
        and Path(target).suffix in (".md", *PAGES)
        and Path(target).is_file()
    ):
        return read_document(Path(target))
    return target if isinstance(target, Document) else None


def _compared(first: Any, second: Any) -> PageComparison:
    """Compare a page with a page or a model."""
    said = [page_entries(one) if isinstance(one, Document) else None for one in (first, second)]
    entries = next(one for one in said if one is not None).quantities
    one, other = (
        found or Entries(mechanism(target).model.title, model_entries(target, entries), entries)
        for found, target in zip(said, (first, second), strict=True)
    )
    tables, both = (one.table, other.table), one.table.keys() & other.table.keys()
    held = None if all(said) else entries  # a model says nothing of equations by their labels
    only = [
        tuple(name for name in mine if name not in both and (held is None or name in held))
        for mine in tables
    ]
    differences = [
        TermDifference(entry, term, one.table[entry].get(term, "0"), found)
        for entry in one.table
        if entry in both
        for term in dict.fromkeys((*one.table[entry], *other.table[entry]))
        if (found := other.table[entry].get(term, "0")) != one.table[entry].get(term, "0")
    ]
    shared = sum(one.table[e][t] == other.table[e].get(t) for e in both for t in one.table[e])
    aside = () if held is None else ({*one.table, *other.table} - held)
    labels = (name.removeprefix("equation ") for name in sorted(aside))
    unread = (*one.unread, *other.unread, *labels)
    return PageComparison(
        one.title, other.title, only[0], only[1], tuple(differences), shared, unread
    )


def _plain(speed: str) -> str:
    return speed.removesuffix("_dot")


def _different(table: Table, other: Table, shared: set[str]) -> Iterator[TermDifference]:
    for entry in dict.fromkeys((*table, *other)):
        if not _is_shared(entry, shared):
            continue
        terms, others = table.get(entry, {}), other.get(entry, {})
        for term in dict.fromkeys((*terms, *others)):
            left, right = terms.get(term, "0"), others.get(term, "0")
            if left != right:
                yield TermDifference(entry, term, left, right)


def _is_shared(entry: str, shared: set[str]) -> bool:
    """Whether all coordinates of an entry are those of both models."""
    if "[" not in entry:
        return True
    names = entry.partition("[")[2].rstrip("]").split(",")
    return {*names} <= {_plain(name) for name in shared}


def _table(equations: Equations) -> Table:
    """Return the terms of all entries, by the names of their speeds."""
    names = [_plain(name) for name in equations.mechanism.names.speeds]
    blocks, table = equations.blocks, Table()
    for i, row in enumerate(names):
        for j, column in enumerate(names[i:], i):
            table[f"M[{row},{column}]"] = _terms(equations, blocks.M[i][j])
        for block in VECTORS:
            table[f"{block}[{row}]"] = _terms(equations, getattr(blocks, block)[i])
    return {**table, **_others(equations)}


def _others(equations: Equations) -> Table:
    """Return constraints, further definitions, and the values of constants, as text."""
    mechanism, blocks = equations.mechanism, equations.blocks
    table = Table()
    for symbol, slopes, rest in zip(equations.multipliers, blocks.J, blocks.gamma, strict=True):
        total = rest
        for slope, acceleration in zip(slopes, mechanism.accelerations, strict=True):
            total = total + slope * equations.ring.form(acceleration)
        table[f"constraint {python(symbol, mechanism.names)}"] = _terms(equations, total)
    meanings: Mapping[str, Any] = definitions(equations)
    table |= {f"law {name}": {"": law} for name, law in meanings.items()}
    values = mechanism.names.values().items()
    return {**table, **{f"value {name}": {"": f"{value:.6g}"} for name, value in values}}


def _terms(equations: Equations, form: Form) -> dict[str, str]:
    names = equations.mechanism.names
    return {python(term.product, names): str(term.coefficient) for term in read_terms(form)}


def _product(coefficient: str, term: str) -> str:
    if not term or term == "1":
        return coefficient
    return (
        term
        if coefficient == "1"
        else f"-{term}"
        if coefficient == "-1"
        else f"{coefficient}*{term}"
    )
