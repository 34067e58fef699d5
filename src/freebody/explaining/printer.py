r"""Expressions as a textbook prints them, in LaTeX that is read back to the same.

Products stand in one order: numbers, constants, forces, brackets, speeds, accelerations, and last
sines and cosines, so that nothing behind a function could be taken for a part of its argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

FUNCTIONS = (sympy.sin, sympy.cos, sympy.tan)
_WORD = re.compile(r"(?:\\d?dot\{)?\\mathrm\{[^}]{2}")
_TRAILING = 9
_BRACKET = 5


class Printer(LatexPrinter):
    """Prints expressions whose symbols have LaTeX of their own.

    Parameters
    ----------
    written : mapping of sympy.Symbol to str
        LaTeX of each symbol.
    ranks : mapping of sympy.Symbol to tuple
        By which the factors of a product, and the terms of a sum, are sorted.
    short : callable, optional
        Returns an abbreviation of a sine or cosine, or nothing.
    """

    def __init__(
        self,
        written: Mapping[sympy.Symbol, str],
        ranks: Mapping[sympy.Symbol, tuple[int, int]],
        short: Callable[[sympy.Expr], str] = lambda _: "",
    ) -> None:
        super().__init__({"fold_short_frac": False, "mat_str": "bmatrix", "mat_delim": ""})
        self._written, self._ranks, self._short = written, ranks, short

    # ------------------------------------------------------------------ order

    def _rank(self, expr: sympy.Expr) -> tuple[int, int]:
        """Return where a factor stands in a product."""
        if expr.is_Pow:
            return self._rank(expr.base)
        if expr.is_Symbol:
            return self._ranks.get(expr, (1, 0))
        if expr.is_Add:
            return (_BRACKET, 0)
        return (_TRAILING, 0)

    def _term_rank(self, term: sympy.Expr) -> tuple[Any, ...]:
        """Return where a term stands in a sum: by what moves in it, then by its constants."""
        ranks = sorted((self._ranks.get(one, (1, 0)) for one in term.free_symbols), reverse=True)
        moving = tuple(rank for rank in ranks if rank[0] > 1)
        still = tuple(sorted(rank for rank in ranks if rank[0] <= 1))
        return (moving[:1], still, str(term))

    # ------------------------------------------------------------------ sums and products

    def _print_Add(self, expr: sympy.Expr, _: Any = None) -> str:
        terms = sorted(expr.args, key=self._term_rank)
        texts = [self._print(term) for term in terms]
        first = next((i for i, text in enumerate(texts) if not text.startswith("-")), 0)
        texts.insert(0, texts.pop(first))
        out = texts[0]
        for text in texts[1:]:
            out += f" - {text[1:].lstrip()}" if text.startswith("-") else f" + {text}"
        return out

    def _print_Mul(self, expr: sympy.Expr) -> str:
        number, factors = _factors(expr)
        above = [one for one in factors if not _is_divided(one)]
        below = [1 / one for one in factors if _is_divided(one)]
        sign = "-" if number < 0 else ""
        number = abs(number)
        if below:
            top = self._product(number.p, above) or "1"
            bottom = self._product(number.q, below)
            return rf"{sign}\frac{{{top}}}{{{bottom}}}"
        front = rf"\frac{{{number.p}}}{{{number.q}}} " if number.q != 1 else ""
        whole = 1 if front else number.p
        return f"{sign}{front}{self._product(whole, above, behind=bool(front or sign))}"

    def _product(self, number: int, factors: list[sympy.Expr], *, behind: bool = False) -> str:
        """Return a number times factors; a sum needs no brackets where it stands alone."""
        ordered = sorted(factors, key=lambda one: (self._rank(one), str(one)))
        alone = number == 1 and len(ordered) == 1 and not behind
        parts = [str(number)] if number != 1 or not ordered else []
        parts += [self._print(one) if alone else self._factor(one) for one in ordered]
        return _side_by_side([part for part in parts if part != "1" or len(parts) == 1])

    def _factor(self, expr: sympy.Expr) -> str:
        text = str(self._print(expr))
        bracketed = expr.is_Add or (expr.is_Mul and text.startswith("-"))
        return f"({text})" if bracketed else text

    def _print_Pow(self, expr: sympy.Expr) -> str:
        base, power = expr.base, expr.exp
        if power == sympy.S.Half and base.is_Pow and base.exp == 2:  # the length along a line
            return rf"\left|{self._print(base.base)}\right|"
        if power == sympy.S.Half:
            return rf"\sqrt{{{self._print(base)}}}"
        if power.is_negative:
            return rf"\frac{{1}}{{{self._print(1 / expr)}}}"
        if power.is_Rational and power.q == 2:
            return rf"\sqrt{{{self._print(base)}}}^{{{power.p}}}"
        if isinstance(base, FUNCTIONS) and not self._short(base):
            return self._call(base, f"^{{{self._print(power)}}}")
        text = self._print(base)
        alone = (base.is_Symbol and "^" not in text) or self._short(base)
        return f"{text if alone else f'({text})'}^{{{self._print(power)}}}"

    # ------------------------------------------------------------------ atoms

    def _print_Symbol(self, expr: sympy.Symbol, style: str = "plain") -> str:
        return self._written[expr] if expr in self._written else super()._print_Symbol(expr, style)

    def _print_Function(self, expr: sympy.Expr, exp: Any = None) -> str:
        if isinstance(expr, FUNCTIONS):
            return self._short(expr) or self._call(expr, "")
        return str(super()._print_Function(expr, exp))

    _print_sin = _print_cos = _print_tan = _print_Function

    def whole(self, expr: sympy.Expr) -> str:
        """Return a sine or cosine without abbreviation."""
        return self._call(expr, "")

    def _call(self, expr: sympy.Expr, power: str) -> str:
        (argument,) = expr.args
        text = self._print(argument)
        argued = f" {text}" if argument.is_Symbol and not text.startswith("\\") else text
        argued = argued if argument.is_Symbol else f"({text})"
        return rf"\{type(expr).__name__}{power}{argued}"


def _side_by_side(parts: Sequence[str]) -> str:
    r"""Return factors one after another, words among them apart.

    Examples
    --------
    >>> _side_by_side(["2", r"\mathrm{hip}", "m", "l"])
    '2 \\, \\mathrm{hip} \\, m l'
    """
    out = parts[0]
    for before, part in pairwise(parts):
        is_apart = _WORD.match(before) or _WORD.match(part)
        out += rf" \, {part}" if is_apart else f" {part}"
    return out


def _factors(expr: sympy.Expr) -> tuple[sympy.Rational, list[sympy.Expr]]:
    """Return the number of a product and its other factors, products within it taken apart."""
    number, factors = sympy.S.One, list[sympy.Expr]()
    for one in expr.args:
        if one.is_Rational:
            number *= one
        elif one.is_Mul:
            inner, rest = _factors(one)
            number *= inner
            factors += rest
        else:
            factors.append(one)
    return number, factors


def _is_divided(factor: sympy.Expr) -> bool:
    return bool(factor.is_Pow and factor.exp.is_Rational and factor.exp.is_negative)
