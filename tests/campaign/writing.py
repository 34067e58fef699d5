r"""Formulas in LaTeX, in the notations of many authors: fractions, brackets, spaces, lines."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from fractions import Fraction

from campaign.formulas import Atom, Formula, Num, Pow, Prod, Quot, Sides, Sum, Wave

BRACKETS = (
    *(("(", ")"), ("(", ")"), (r"\left(", r"\right)"), ("[", "]"), (r"\left[", r"\right]")),
    *((r"\bigl(", r"\bigr)"), (r"\Big[", r"\Big]"), (r"\{", r"\}"), (r"\left\{", r"\right\}")),
)
SPACES = (" ", " ", " ", r"\,", r"\;", r"\!", "  ", "\n", r"\: ", " {} ")
TIMES = (" ", " ", " ", r" \, ", r" \cdot ", r" \times ", r"\;")
DOTTED = re.compile(r"\\dot\{?(\\[a-zA-Z]+|[a-zA-Z])\}?(_(?:\{\w+\}|\w))?\Z")
LAYOUTS = ("plain", "plain", "brackets", "equation", "aligned", "align", "split", "multline")


@dataclass(frozen=True)
class Author:
    """Who writes a formula in one way or another, each time anew.

    Attributes
    ----------
    chance : random.Random
    time : str
        The page's symbol of the time; empty where it has none.
    """

    chance: random.Random
    time: str = ""

    def display(self, sides: Sides) -> str:
        """Return a display of an equation, without blank lines, which LaTeX does not allow."""
        return re.sub(r"\n\s*\n", "\n", self._display(sides))

    def _display(self, sides: Sides) -> str:
        layout = self.chance.choice(LAYOUTS)
        left, right = self.sum(sides[0]), self._lines(sides[1], layout)
        match layout:
            case "plain":
                return f"$${left} = {right}$$"
            case "brackets":
                return rf"\[{left} = {right}\]"
            case "equation":
                return f"\\begin{{equation}}\n{left} = {right}\n\\end{{equation}}"
            case "aligned" | "split":
                return f"$$\\begin{{{layout}}}\n{left} &= {right}\n\\end{{{layout}}}$$"
            case "align":
                return f"\\begin{{align}}\n{left} &= {right}\n\\end{{align}}"
        return f"\\begin{{multline}}\n{left} = {right}\n\\end{{multline}}"

    def _lines(self, side: Formula, layout: str) -> str:
        """Return a side, broken behind some of its terms, or in a bracket."""
        if layout not in ("aligned", "split", "align", "multline"):
            return self.sum(side)
        mark = "" if layout == "multline" else self.chance.choice(("&", r"&\quad ", r"&\qquad {}"))
        ending = r"\nonumber" if layout == "align" and self.chance.random() < 0.5 else ""
        broken = f" {ending}\\\\\n{mark}"
        if isinstance(side, Sum) and len(side.terms) > 1:
            return self._signed(side, broken)
        if isinstance(side, Prod) and isinstance(side.factors[-1], Sum) and len(side.factors) > 1:
            inner = side.factors[-1]
            if len(inner.terms) > 1:
                first = self.factors(side.factors[:-1])
                at = self.chance.randrange(1, len(inner.terms))
                before = self._signed(Sum(inner.terms[:at]))
                behind = self._signed(Sum(inner.terms[at:]), first=True)
                return rf"{first} \left[ {before} \right.{broken}\left. {behind} \right]"
        return self.sum(side)

    # ------------------------------------------------------------------ sums and products

    def sum(self, of: Formula) -> str:
        """Return a formula where anything may stand."""
        return self._signed(of) if isinstance(of, Sum) else self.product(of)

    def _signed(self, of: Sum, broken: str = "", *, first: bool = False) -> str:
        text = ""
        for number, (sign, term) in enumerate(of.terms):
            shown = "-" if sign < 0 else "+" if number or first else ""
            breaks = broken if number and self.chance.random() < 0.5 else ""
            inner = self.bracketed(term) if isinstance(term, Sum) else self.product(term)
            text += f"{breaks}{self._space()}{shown}{self._space()}{inner}"
        return text.strip()

    def product(self, of: Formula) -> str:
        """Return a term."""
        return self.factors(of.factors) if isinstance(of, Prod) else self.factor(of)

    def factors(self, of: tuple[Formula, ...]) -> str:
        """Return factors side by side, what cannot be misread between them."""
        flat = _flat(of)
        texts = [
            self.factor(one, is_last=n == len(flat) - 1 or isinstance(flat[n + 1], Wave))
            for n, one in enumerate(flat)
        ]
        text = texts[0]
        for one, shown in zip(flat[1:], texts[1:], strict=True):
            is_number = isinstance(one, Num) or shown[:1].isdigit()
            is_number |= isinstance(one, Pow | Quot) and bool(re.match(r"[\d{]", shown))
            text += (r" \cdot " if is_number else self.chance.choice(TIMES)) + shown
        return text

    def factor(self, of: Formula, *, is_last: bool = True) -> str:
        """Return what may stand in a product."""
        match of:
            case Num(value=value):
                return self.number(value)
            case Atom(latex=latex, is_name=True):
                return self.name(latex)
            case Atom(latex=latex):
                return rf"\left({latex}\right)"
            case Sum() | Prod():
                return self.bracketed(of)
            case Quot(over=over, under=under):
                return self.quotient(over, under)
            case Pow(base=base, exponent=exponent):
                return self.power(base, exponent, is_last=is_last)
            case Wave(name=name, of=argument):
                return self.wave(name, argument, "", is_last=is_last)

    def bracketed(self, of: Formula) -> str:
        opening, closing = self.chance.choice(BRACKETS)
        return f"{opening}{self._space()}{self.sum(of)}{self._space()}{closing}"

    # ------------------------------------------------------------------ factors

    def number(self, value: Fraction) -> str:
        if value.denominator == 1:
            return str(value.numerator)
        shown = [rf"\frac{{{value.numerator}}}{{{value.denominator}}}"]
        shown.append(shown[0].replace("frac", self.chance.choice(("tfrac", "dfrac"))))
        if value.denominator in (2, 4, 5):
            shown.append(str(float(value)))
        if value.numerator < 10 and value.denominator < 10:
            shown.append(rf"\frac{value.numerator}{value.denominator}")
        return self.chance.choice(shown)

    def name(self, latex: str) -> str:
        """Return a name, braced, spaced, or as a derivative."""
        dotted = DOTTED.match(latex)
        if dotted and self.time and self.chance.random() < 0.3:
            bare, d = dotted[1] + (dotted[2] or ""), self.chance.choice(("d", r"\mathrm{d}"))
            return rf"\frac{{{d} {bare}}}{{{d} {self.time}}}"
        subscript = re.search(r"_(?:\{(\w)\}|(\w))\Z", latex)
        if subscript and self.chance.random() < 0.3:
            letter = subscript[1] or subscript[2]
            written = self.chance.choice((f"_{letter}", f"_{{{letter}}}", f"_{{ {letter} }}"))
            return latex[: subscript.start()] + written
        return f"{{{latex}}}" if self.chance.random() < 0.1 else latex

    def quotient(self, over: Formula, under: Formula) -> str:
        frac = self.chance.choice((r"\frac", r"\frac", r"\dfrac", r"\tfrac", "over", "/"))
        if frac == "/":
            opening, closing = self.chance.choice(BRACKETS)
            return f"{opening}{self._simple(over)} / {self._simple(under)}{closing}"
        if frac == "over":
            return rf"{{{self.sum(over)} \over {self.sum(under)}}}"
        return f"{frac}{{{self.sum(over)}}}{{{self.sum(under)}}}"

    def _simple(self, of: Formula) -> str:
        is_simple = isinstance(of, Atom) or (isinstance(of, Num) and of.value.denominator == 1)
        return self.factor(of) if is_simple else self.bracketed(of)

    def power(self, base: Formula, exponent: int, *, is_last: bool) -> str:
        shown = self.chance.choice((str(exponent), f"{{{exponent}}}"))
        if isinstance(base, Wave) and self.chance.random() < 0.7:
            return self.wave(base.name, base.of, f"^{shown}", is_last=is_last)
        if isinstance(base, Atom) and base.is_name and "^" not in base.latex:
            return f"{base.latex}^{shown}"
        return f"{self.bracketed(base)}^{shown}"

    def wave(self, name: str, of: Formula, power: str, *, is_last: bool) -> str:
        bare = is_last and isinstance(of, Atom) and of.is_name and "(" not in of.latex
        if bare and self.chance.random() < 0.5:
            shown = self.chance.choice((f" {of.latex}", f"{{{of.latex}}}"))
            return rf"\{name}{power}{shown}"
        return rf"\{name}{power}{self.bracketed(of)}"

    def _space(self) -> str:
        return self.chance.choice(SPACES) if self.chance.random() < 0.15 else " "


def _flat(factors: tuple[Formula, ...]) -> list[Formula]:
    """Return factors with those of products among them."""
    flat: list[Formula] = []
    for one in factors:
        flat += _flat(one.factors) if isinstance(one, Prod) else [one]
    return flat
