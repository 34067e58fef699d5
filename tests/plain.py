r"""A small reader of printed equations of its own: from LaTeX straight to numbers.

It shares nothing with the reader that is tested. What it does not know it refuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from printed import Jet, column, crossed, power_of, product_of, rated, scalar, sum_of

Grid = Any
"""An array of jets: a scalar is one of one row and one column."""
Key = tuple[str, str, str]
"""The letter of a name, its subscript and what else stands raised at it."""
Value = Callable[[Key, int], Grid]
"""What a name with so many dots is worth; a KeyError where nothing is known of it."""

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_BLANK = {"left", "right", "displaystyle", "nonumber", "notag", "limits", "quad", "qquad", "cancel"}
_BLANK |= {size + side for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")}
_BLANKS = {f"\\{name}" for name in (*_BLANK, ",", ";", ":", "!", " ")} | {"~"}
_DOTS = {r"\dot": 1, r"\ddot": 2, r"\dddot": 3}
_ACCENTS = ("hat", "bar", "vec", "tilde", "boldsymbol", "mathbf", "mathcal", "mathscr", "mathrm")
_ACCENTS += ("bm", "text", "operatorname", "underline", "overline", "mathsf", "mathit")
_SETS = {f"\\{name}" for name in _ACCENTS}
_FRACTIONS = (r"\frac", r"\tfrac", r"\dfrac")
_FUNCTIONS = {"sin", "cos", "tan", "cot", "sec", "csc"}
_OPENING = {"(": ")", "[": "]", r"\{": r"\}"}
_CLOSING = set(_OPENING.values())
_STOPS = {"+", "-", "=", "&", r"\\", ",", "}", *_CLOSING}
_GREEK = "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu"
_GREEK += " xi rho varrho sigma tau upsilon phi varphi chi psi omega ell Gamma Delta Theta Lambda"
_GREEK += " Xi Pi Sigma Upsilon Phi Psi Omega"
_LETTERS = {f"\\{name}" for name in _GREEK.split()}


class UnknownError(Exception):
    """What this reader does not know."""


def tokens(latex: str) -> list[str]:
    """Return the tokens of LaTeX, without what only spaces it out."""
    latex = re.sub(r"\\(?:label|tag\*?|color)\{[^{}]*\}|(?<!\\)%[^\n]*|\{\}(?!\s*[_^])", "", latex)
    latex = re.sub(r"\\operatorname\{\s*(sin|cos|tan)\s*\}", r"\\\1 ", latex)
    return [t for t in _TOKEN.findall(latex) if not t.isspace() and t not in _BLANKS]


class Reader:
    """Reads the tokens of one equation, and works them out as it goes.

    Parameters
    ----------
    latex : str
    value : callable
        What a name is worth.
    known : collection of Key
        The names that are declared, to tell a raised mark from a power.
    """

    def __init__(self, latex: str, value: Value, known: Mapping[Key, Any]) -> None:
        self.left_over = tokens(latex)
        self.value, self.known = value, known

    # ------------------------------------------------------------------ tokens

    @property
    def next(self) -> str:
        return self.left_over[0] if self.left_over else ""

    def take(self, *expected: str) -> str:
        """Return the next piece."""
        if not self.left_over or (expected and self.next not in expected):
            raise UnknownError(f"{self.next!r} where {expected} is expected")
        return self.left_over.pop(0)

    def group(self) -> list[str]:
        """Return the tokens of the next argument, in braces or a single one."""
        if self.next != "{":
            return [self.take()]
        self.take()
        depth, found = 1, []
        while depth:
            piece = self.take()
            depth += (piece == "{") - (piece == "}")
            found.append(piece)
        return found[:-1]

    def inside(self, some: list[str]) -> Reader:
        other = Reader("", self.value, self.known)
        other.left_over = list(some)
        return other

    def all_of(self, some: list[str]) -> Grid:
        """Return what some tokens are worth, all of them."""
        reader = self.inside(some)
        found = reader.sum()
        if reader.left_over:
            raise UnknownError(f"{reader.next!r} behind a formula")
        return found

    # ------------------------------------------------------------------ sums and products

    def sum(self) -> Grid:
        """Read terms with their signs."""
        terms = []
        while not terms or self.next in ("+", "-"):
            sign = 1
            while self.next in ("+", "-", "&", r"\\") and self.left_over:
                sign *= -1 if self.take() == "-" else 1
            terms.append(self.product() * Jet.of(sign))
            while self.next in ("&", r"\\"):
                self.take()
        return sum_of(terms[0], terms[1:])

    def product(self) -> Grid:
        """Read factors up to a sign."""
        found = self.factor()
        while self.next and self.next not in _STOPS - {"&", r"\\"}:
            if self.next in ("&", r"\\"):
                if self.left_over[1:2] and self.left_over[1] in ("+", "-", "=", "&", r"\\"):
                    break
                self.take()
                continue
            match self.next:
                case r"\cdot" | "*":
                    self.take()
                    found = product_of(found, [self.factor()])
                case r"\times":
                    self.take()
                    found = crossed(found, self.factor())
                case "/":
                    self.take()
                    found = found / scalar(self.factor())
                case _:
                    found = product_of(found, [self.factor()])
        return found

    def factor(self) -> Grid:
        """Read something with what is raised at it."""
        found = self.primary()
        while self.next == "^":
            self.take()
            found = self.raised(found, self.group())
        return found

    def raised(self, found: Grid, exponent: list[str]) -> Grid:
        """Return a power, an inverse or a transpose."""
        if exponent in (["T"], [r"\top"], [r"\mathrm", "{", "T", "}"], [r"\intercal"]):
            return found.T
        return power_of(found, scalar(self.all_of(exponent)))

    # ------------------------------------------------------------------ what stands alone

    def primary(self) -> Grid:
        piece = self.next
        if piece.isdigit() or piece == ".":
            return column([Jet.of(self.number())])
        if piece in _FRACTIONS:
            return self.fraction()
        if piece == r"\sqrt":
            return self.root()
        if piece == r"\begin":
            return self.matrix()
        if piece.removeprefix("\\") in _FUNCTIONS and len(piece) > 2:
            return self.function()
        if piece == r"\pi" and ("\\pi", "", "") not in self.known:
            self.take()
            return column([Jet.of(np.pi)])
        if piece in _OPENING:
            return self.bracket()
        if piece == r"\underbrace":
            return self.braced()
        if piece == "{" and not self._is_name():
            return self.all_of(self.group())
        return self.name()

    def number(self) -> float:
        text = self.take()
        while self.next.isdigit() or (self.next == "." and "." not in text):
            text += self.take()
        if text == ".":
            raise UnknownError("a point")
        return float(text)

    def bracket(self) -> Grid:
        closing = _OPENING[self.take()]
        found = self.sum()
        self.take(closing)
        return found

    def braced(self) -> Grid:
        """Read what a brace spans, and leave its label."""
        self.take()
        found = self.all_of(self.group())
        if self.next == "_":
            self.take()
            self.group()
        return found

    def root(self) -> Grid:
        self.take()
        if self.next == "[":
            raise UnknownError("a root of higher degree")
        return power_of(self.all_of(self.group()), Jet.of(0.5))

    def fraction(self) -> Grid:
        self.take()
        above, below = self.group(), self.group()
        if below[:2] == ["d", "t"] and above[:1] == ["d"]:
            return self.rate(above[1:])
        if r"\partial" in (*above, *below):
            return self.partial(above, below)
        return self.all_of(above) / scalar(self.all_of(below))

    def rate(self, above: list[str]) -> Grid:
        """Read a derivative in time, of what stands above the line or behind it."""
        order = 1
        if above[:1] == ["^"]:
            power = self.inside(above[1:])
            order, above = int("".join(power.group())), power.left_over
        return rated(self.all_of(above) if above else self.factor(), order)

    def partial(self, above: list[str], below: list[str]) -> Grid:
        """Take a partial derivative as a number of its own, by the name of both parts."""
        if above == [r"\partial"]:
            above = [*above, *(self.group() if self.next == "{" else [self.take()])]
        return self.value(("".join(above), "".join(below), "partial"), 0)

    # ------------------------------------------------------------------ functions

    def function(self) -> Grid:
        name = self.take().removeprefix("\\")
        exponent = None
        if self.next == "^":
            self.take()
            exponent = self.group()
        found = column([_wave(name, scalar(self.argument()))])
        return found if exponent is None else self.raised(found, exponent)

    def argument(self) -> Grid:
        """Read what a function is of: a bracket, or numbers and one name."""
        if self.next in _OPENING:
            return self.bracket()
        if self.next == "{" and not self._is_name():
            return self.all_of(self.group())
        found = None
        while self.next.isdigit() or self.next in _FRACTIONS:
            part = self.primary()
            found = part if found is None else product_of(found, [part])
        if self.next in _STOPS or self.next in (r"\sin", r"\cos", ""):
            if found is None:
                raise UnknownError("a function of nothing")
            return found
        name = self.name()
        found = name if found is None else product_of(found, [name])
        return product_of(found, [self.name()]) if self.next == "t" else found

    # ------------------------------------------------------------------ matrices

    def matrix(self) -> Grid:
        self.take()
        kind = "".join(self.group())
        if kind.rstrip("*") == "array":
            self.group()
        elif "matrix" not in kind:
            raise UnknownError(kind)
        some, depth = [], 1
        while depth:
            piece = self.take()
            depth += (piece == r"\begin") - (piece == r"\end")
            some.append(piece)
        self.group()
        rows = [list(_split(row, "&")) for row in _split(some[:-1], r"\\")]
        return np.block([[self.all_of(cell) for cell in row] for row in rows if row != [[]]])

    # ------------------------------------------------------------------ names

    def _is_name(self) -> bool:
        """Return whether a name in braces comes next, as in ``{\\dot x}``."""
        try:
            reader = self.inside(self.left_over)
            return bool(reader.key(reader.inside(reader.group())))
        except UnknownError:
            return False

    def name(self) -> Grid:
        key, dots = self.key(self)
        if self.next == "^":
            before = list(self.left_over)
            self.take()
            marked = (key[0], key[1], "".join(self.group()))
            if marked in self.known:
                return self.of_its_arguments(self.value(marked, dots))
            self.left_over = before
        if any(known[:2] == key[:2] and known[2].startswith("(") for known in self.known):
            key = self.as_declared(key)
        return self.of_its_arguments(self.value(key, dots))

    def as_declared(self, key: Key) -> Key:
        """Read what a function that is declared with its arguments is printed to be of."""
        if self.next != "(":
            return key
        of = (key[0], key[1], self.arguments())
        if of not in self.known:
            raise UnknownError("it is printed to be of something else")
        return of

    def arguments(self) -> str:
        """Take what stands in round brackets, with them."""
        stop = self.left_over.index(")") + 1
        some, self.left_over = self.left_over[:stop], self.left_over[stop:]
        return "".join(some)

    def of_its_arguments(self, found: Grid) -> Grid:
        """Pass over what a function is printed to be of: names with commas, or of a matrix one."""
        if self.next != "(":
            return found
        stop = self.left_over.index(")") if ")" in self.left_over else 0
        some = self.left_over[1:stop]
        if "," in some or (found.size > 1 and some and not {*some} & {"+", "-"}):
            if any(_is_factor(*both) for both in pairwise(["", *some])):
                raise UnknownError("it is printed to be of a product")
            self.left_over = self.left_over[stop + 1 :]
        return found

    def key(self, of: Reader) -> tuple[Key, int]:
        """Read a name: its letter with accents and dots, and its subscript."""
        dots, letter = of.letter()
        if of.next == "_" and "_" not in letter:
            of.take()
            letter = f"{letter}_{_plain(of.group())}"
        letter, _, script = letter.partition("_")
        prime = of.take() if of.next == "'" else ""
        if of is not self and of.left_over:
            raise UnknownError("more than a name")
        return (letter, script, prime), dots

    def letter(self) -> tuple[int, str]:
        """Read a letter with what stands around it; a subscript may stand in there too."""
        piece = self.take()
        if piece in _DOTS:
            inner = self.inside(self.group() if self.next == "{" else self._one())
            (letter, script, _), dots = inner.key(inner)
            if inner.left_over:
                raise UnknownError("dots over more than a name")
            return dots + _DOTS[piece], f"{letter}_{script}" if script else letter
        if piece in _SETS:
            return 0, _accented(piece, self.group() if self.next == "{" else self._one())
        if piece == "{":
            self.left_over.insert(0, piece)
            inner = self.inside(self.group())
            (letter, script, _), dots = inner.key(inner)
            if inner.left_over:
                raise UnknownError("more than a name in braces")
            return dots, f"{letter}_{script}" if script else letter
        if piece in _LETTERS or (len(piece) == 1 and piece.isalpha()):
            return 0, piece
        raise UnknownError(piece)

    def _one(self) -> list[str]:
        """Return the next piece, with the argument of an accent."""
        piece = self.take()
        return [piece, *self._one()] if piece in _SETS or piece in _DOTS else [piece]


def _is_factor(before: str, piece: str) -> bool:
    """Return whether a piece is a number by itself, or a letter right behind another one."""
    if piece.isdigit():
        return before not in ("_", "{")
    return piece.isalpha() and before.isalpha()


def _plain(some: list[str]) -> str:
    """Return a subscript without what does not matter in it."""
    return "".join(piece for piece in some if piece not in _SETS and piece not in "{},")


def _accented(accent: str, some: list[str]) -> str:
    """Return a letter with an accent; how upright or bold it is matters where it is declared."""
    inner = "".join(piece for piece in some if piece not in "{}")
    return f"{accent} {inner}"


def _split(some: list[str], at: str) -> Iterator[list[str]]:
    """Iterate over the parts of tokens between others, outside of braces and environments."""
    part: list[str] = []
    depth = 0
    for piece in some:
        depth += (piece in ("{", r"\begin")) - (piece in ("}", r"\end"))
        if piece == at and not depth:
            yield part
            part = []
        else:
            part.append(piece)
    if part:
        yield part


def _wave(name: str, angle: Jet) -> Jet:
    sine, cosine, one = angle.sin(), angle.cos(), Jet.of(1)
    return {
        "sin": lambda: sine,
        "cos": lambda: cosine,
        "tan": lambda: sine / cosine,
        "cot": lambda: cosine / sine,
        "sec": lambda: one / cosine,
        "csc": lambda: one / sine,
    }[name]()


def name_of(key: str) -> Key | None:
    """Return how a declared name is read; None where it is no single name."""
    reader = Reader(key, lambda *_: None, {})
    try:
        (letter, script, raised), dots = reader.key(reader)
        if reader.next == "^":
            reader.take()
            raised = "".join(reader.group())
        elif reader.next == "(" and not raised:
            raised = reader.arguments()
    except (UnknownError, IndexError, ValueError):
        return None
    return None if reader.left_over or dots else (letter, script, raised)


def sides(latex: str, relation: str) -> tuple[str, str]:
    """Return what stands left and right of the sign between two sides."""
    left, sign, right = latex.partition(relation)
    if not sign or relation in right:
        raise UnknownError("not one sign of equality")
    return left, right


def residual(latex: str, relation: str, value: Value, known: Mapping[Key, Any]) -> Grid:
    """Return left minus right of a printed equation, entry by entry."""
    left, right = (_side(part, value, known) for part in sides(latex, relation))
    if left.shape != right.shape and not (_is_nothing(right) or _is_nothing(left)):
        raise UnknownError("sides of different shapes")
    return left - right


def _side(latex: str, value: Value, known: Mapping[Key, Any]) -> Grid:
    reader = Reader("", value, known)
    return reader.all_of(tokens(latex.strip().rstrip(",.;")))


def _is_nothing(grid: Grid) -> bool:
    return grid.size == 1 and grid[0, 0].parts[0] == 0
