"""Front matter that is written with the macros of its page, as it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from freebody.documents.document import Erratum, FrontMatter, Meaning, Section
from freebody.documents.latex.tokens.items import LatexError
from freebody.documents.latex.tokens.macros import Macros
from freebody.errors import DocumentError, Problem


def printed(path: Path, front: FrontMatter, macros: Macros) -> FrontMatter:
    """Return front matter with the macros of its page expanded in its symbols.

    Raises
    ------
    DocumentError
        If a macro of the page cannot be expanded in a symbol.
    """
    if not macros.definitions:
        return front
    expanded = _Expanded(macros)
    changes = {
        "symbols": expanded.symbols(front.symbols),
        "sections": tuple(map(expanded.section, front.sections)),
        "errata": tuple(map(expanded.erratum, front.errata)),
    }
    if expanded.problems:
        raise DocumentError(str(path), expanded.problems)
    return front.model_copy(update=changes)


class _Expanded:
    """Parts of front matter with macros expanded, and what is wrong with them."""

    def __init__(self, macros: Macros) -> None:
        self.macros = macros
        self.problems: list[Problem] = []

    def symbol(self, symbol: str) -> str:
        try:
            return self.macros.without(symbol)
        except LatexError as error:
            self.problems.append(Problem(f"symbols.{symbol}", error.message))
            return symbol

    def symbols(self, symbols: Mapping[str, Meaning]) -> dict[str, Meaning]:
        return {self.symbol(symbol): meaning for symbol, meaning in symbols.items()}

    def section(self, section: Section) -> Section:
        return section.model_copy(update={"symbols": self.symbols(section.symbols)})

    def erratum(self, erratum: Erratum) -> Erratum:
        named = {"symbol": erratum.symbol, "reads": erratum.reads}
        changes = {key: self.symbol(value) for key, value in named.items() if value is not None}
        return erratum.model_copy(update=changes)
