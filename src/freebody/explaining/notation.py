r"""What the symbols of a derivation stand for, and expressions printed in them.

A quantity is a sympy symbol named by its path in a document, such as ``reaction.wrist.force.x``.
It is declared in the front matter when it is printed first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import sympy

from freebody.documents.document import Meaning
from freebody.documents.latex.names import normal
from freebody.explaining.printer import Printer
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.notation import plain, python
from freebody.model.printed import dotted, printed_names, split, with_index

CONSTANT, COORDINATE, FORCE, SPEED, ACCELERATION = (0, 2, 3, 6, 7)
"""Where factors of a kind stand in a product."""


class Notation:
    """The symbols of one derivation.

    Parameters
    ----------
    mechanism : Mechanism
    own : mapping of str to str, optional
        LaTeX by path, for what a document prints in its own way.
    short : bool, optional
        Whether sines and cosines are abbreviated.

    Attributes
    ----------
    declared : dict of str to Meaning
        What was printed, and what it stands for.
    """

    def __init__(
        self, mechanism: Mechanism, own: Mapping[str, str] | None = None, *, short: bool = False
    ) -> None:
        self.mechanism, self.own, self.short = mechanism, dict(own or {}), short
        self.declared: dict[str, Meaning] = {}
        self._written: dict[sympy.Symbol, str] = {}
        self._ranks: dict[sympy.Symbol, tuple[int, int]] = {}
        self._keys: dict[sympy.Symbol, tuple[str, Meaning]] = {}
        self._taken: dict[str, str] = {}
        self._abbreviations: dict[str, str] = {}
        self._waves: set[sympy.Expr] = set()
        self._letters: dict[tuple[str, ...], str] = {}
        self._parts: dict[sympy.Symbol, list[sympy.Symbol]] = {}
        self._read_names()
        self._printer = Printer(self._written, self._ranks, self._shortened)

    # ------------------------------------------------------------------ the model's own names

    def _read_names(self) -> None:
        names, model = self.mechanism.names, self.mechanism.model
        printed = _renamed(printed_names(model), self.own)
        order = {name: number for number, name in enumerate(printed)}
        constants = sorted(names.constants, key=lambda name: _by_unit(model.constants[name].unit))
        order |= {name: number for number, name in enumerate(constants)}
        for name, key in printed.items():
            kind = CONSTANT if name in names.constants else FORCE
            kind = COORDINATE if name in names.coordinates else kind
            kind = SPEED if name in names.speeds else kind
            self._own(name, key, name, (kind, order[name]))
        moving = [*names.coordinates, *model.prescribed]
        for name in moving:
            rank = order[name]
            self._own(f"{name}_dot", dotted(printed[name], 1), name, (SPEED, rank), printed[name])
            self._own(
                f"{name}_ddot", dotted(printed[name], 2), name, (ACCELERATION, rank), printed[name]
            )
        for name in model.speeds:
            rate = (ACCELERATION, order[name])
            self._own(f"{name}_dot", dotted(printed[name], 1), name, rate, printed[name])

    def _own(
        self, name: str, latex: str, meaning: str, rank: tuple[int, int], key: str | None = None
    ) -> None:
        symbol = sympy.Symbol(name)
        self._written[symbol], self._ranks[symbol] = latex, rank
        self._keys[symbol] = (key or latex, meaning)
        self._taken[normal(key or latex)] = meaning

    # ------------------------------------------------------------------ quantities

    def quantity(
        self, path: str, choices: Iterable[str], *, dots: int = 0, rank: int = FORCE
    ) -> sympy.Symbol:
        """Return the symbol of a quantity, printed in the first way that is not taken.

        Parameters
        ----------
        path : str
            As a document writes it, such as ``position.hand.x``.
        choices : iterable of str
            LaTeX.
        dots : int, optional
            The order of its derivative by time that is meant.
        rank : int, optional
            Where it stands in products.
        """
        symbol = sympy.Symbol("'" * dots + path)
        if symbol not in self._keys:
            key = self._chosen(path, [*filter(None, (self.own.get(path),)), *choices])
            self._written[symbol] = dotted(key, dots)
            self._keys[symbol] = (key, path)
            self._ranks[symbol] = (rank + dots, len(self._ranks))
        return symbol

    def _chosen(self, path: str, choices: list[str]) -> str:
        for key in choices:
            if self._taken.setdefault(normal(key), path) == path:
                return key
        raise ValueError(f"no name is left for '{path}'")

    def compound(self, name: str, latex: str, of: Iterable[sympy.Expr], rank: int) -> sympy.Symbol:
        """Return a symbol that is printed by symbols that are declared, such as a derivative."""
        symbol = sympy.Symbol(name)
        self._written[symbol] = latex
        self._ranks[symbol] = (rank, len(self._ranks))
        self._parts[symbol] = [one for part in of for one in self.plain(part).free_symbols]
        return symbol

    def plain(self, expr: Any) -> sympy.Expr:
        """Return an expression with a symbol for every function of time."""
        return plain(sympy.sympify(expr), self.mechanism.names)

    def letter(self, choices: Iterable[str]) -> str:
        r"""Return the first letter that nothing else is printed with, with or without an index.

        Examples
        --------
        >>> import freebody
        >>> Notation(freebody.mechanism("two_link")).letter(["T", "K"])
        'K'
        """
        known = tuple(choices)
        if known not in self._letters:
            used = {_letter(key) for key in self._taken} | set(self._letters.values())
            self._letters[known] = next((one for one in known if one not in used), known[-1])
        return self._letters[known]

    def is_taken(self, key: str) -> bool:
        """Whether the model prints something so."""
        return self._taken.get(normal(key)) in self.mechanism.names.symbols

    def declare(self, key: str, meaning: Meaning) -> str:
        """Declare a symbol that is printed by hand, and return it."""
        self.declared[key] = meaning
        return key

    # ------------------------------------------------------------------ printing

    def latex(self, expr: Any) -> str:
        """Return LaTeX of an expression, and declare what it is printed with."""
        whole = self.plain(expr)
        for symbol in whole.free_symbols:
            if not self._is_within(symbol, whole):
                self._declare(symbol)
        return str(self._printer.doprint(whole))

    def _declare(self, symbol: sympy.Symbol) -> None:
        if symbol in self._keys:
            key, meaning = self._keys[symbol]
            self.declared[key] = meaning
        for part in self._parts.get(symbol, ()):
            self._declare(part)

    def _is_within(self, symbol: sympy.Symbol, whole: sympy.Expr) -> bool:
        """Whether a symbol is printed in abbreviations alone."""
        if not self.short:
            return False
        waves = {one: sympy.Dummy() for one in whole.atoms(sympy.sin, sympy.cos)}
        waves = {one: dummy for one, dummy in waves.items() if self._shortened(one)}
        return symbol not in whole.xreplace(waves).free_symbols

    def _shortened(self, expr: sympy.Expr) -> str:
        r"""Return the abbreviation of a sine or cosine: ``s_{12}``, ``c_{\theta}``."""
        if not self.short or not isinstance(expr, sympy.sin | sympy.cos):
            return ""
        own = self.own.get(f"{type(expr).__name__}({python(expr.args[0], self.mechanism.names)})")
        index = self._index_of(expr.args[0])
        letter = type(expr).__name__[0]
        key = own or (with_index(letter, [index]) if index else "")
        meaning = python(expr, self.mechanism.names)
        if not key or self._taken.setdefault(normal(key), meaning) != meaning:
            return ""
        self.declared[key] = meaning
        self._waves.add(expr)
        self._abbreviations[key] = self._printer.whole(expr)
        return key

    def _index_of(self, angle: sympy.Expr) -> str:
        """Return the index of an angle that is a sum of coordinates; else nothing."""
        terms = sympy.Add.make_args(angle)
        if not all(term in self._written for term in terms):
            return ""
        keys = [self._written[term] for term in terms]
        numbers = [re.fullmatch(r".*_\{(\d)\}", key) for key in keys]
        if all(numbers) and self._are_alike():
            return "".join(sorted(one[1] for one in numbers if one))
        return keys[0] if len(keys) == 1 and "_" not in keys[0] else ""

    def _are_alike(self) -> bool:
        """Whether all angles have one letter, so that their numbers tell them apart."""
        units = self.mechanism.model.coordinates
        keys = [
            self._written[sympy.Symbol(name)] for name, one in units.items() if one.unit == "rad"
        ]
        return len({key.partition("_")[0] for key in keys}) <= 1

    @property
    def abbreviations(self) -> dict[str, str]:
        """LaTeX of the sines and cosines that were abbreviated, by what they are printed as."""
        for symbol in {one for wave in self._waves for one in wave.free_symbols}:
            self._declare(symbol)
        return dict(sorted(self._abbreviations.items()))


def _renamed(printed: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return how names are printed, in a document's way where that is nobody else's."""
    result = {name: own.get(name, key) for name, key in printed.items()}
    count = Counter(map(normal, result.values()))
    return {name: key if count[normal(key)] == 1 else printed[name] for name, key in result.items()}


def _by_unit(unit: str) -> int:
    """Return where constants of a unit stand: masses first, lengths last."""
    return {"kg": 0, "kg*m**2": 1, "N/m": 1, "m/s**2": 2, "m": 4}.get(unit, 3)


def _letter(key: str) -> str:
    return split(key)[0]
