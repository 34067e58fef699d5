"""Expressions as people type them, read into sympy by a grammar of our own.

Text is data: a name means what the caller says it means, a number is exact, and whatever the
grammar does not know is an error with its column. Nothing is ever evaluated as code, and what a
few characters can cost in time or memory is bounded.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, reduce
from typing import Any

import sympy
from lark import Lark, Token, Tree, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError
from lark.visitors import Transformer_NonRecursive, v_args

from freebody.errors import ExpressionError, nearest

MAX_LENGTH = 2_000
MAX_DEPTH = 100
MAX_DIGITS = 40
MAX_BITS = 4_096
MAX_POWER = 64
MAX_ROOT = 1_000
"""Largest denominator of an exponent: 0.73 is 73/100."""
MAX_TENS = 300
"""Largest power of ten, of either sign, that a number may have."""

FUNCTIONS: Mapping[str, Any] = {
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "asin": sympy.asin,
    "acos": sympy.acos,
    "atan": sympy.atan,
    "atan2": sympy.atan2,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "exp": sympy.exp,
    "log": sympy.log,
    "sqrt": sympy.sqrt,
    "Abs": sympy.Abs,
    "sign": sympy.sign,
    "Min": sympy.Min,
    "Max": sympy.Max,
}
ARGUMENTS: Mapping[str, int | None] = {"atan2": 2, "Min": None, "Max": None}
"""How many arguments a function takes where it is not one; ``None`` is any number."""

RESERVED = frozenset({"t", "pi", *FUNCTIONS})
"""Names that a quantity cannot have."""

BEGINS = frozenset({"NAME", "NUMBER", "LPAR"})
"""Tokens with which a factor begins."""
GRAMMAR = r"""
    ?sum: product (SIGN product)*
    ?product: signed (TIMES signed)*
    ?signed: power | SIGN signed
    ?power: atom | atom POWER signed
    ?atom: NUMBER -> number | reference | NAME "(" sum ("," sum)* ")" -> call | "(" sum ")"
    reference: NAME ("." NAME)* indices?
    indices: "[" INDEX ("," INDEX)* "]"

    SIGN: /[+-]/
    TIMES: /\*(?!\*)|\//
    POWER: "**" | "^"
    NAME: /[A-Za-z][A-Za-z0-9_]*/
    INDEX: /[0-9]{1,4}/
    NUMBER: /([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?/
    %ignore /[ \t\r\n]+/
"""


@dataclass(frozen=True, slots=True)
class Reference:
    """A name as it stands in an expression.

    Attributes
    ----------
    path : tuple of str
        The parts between the dots.
    indices : tuple of int
        What stands in brackets, counted from 1.
    column : int
        Where in the text, counted from 1.

    Examples
    --------
    >>> print(Reference(("reaction", "wrist", "force", "x"), (), column=1))
    reaction.wrist.force.x
    >>> print(Reference(("M",), (1, 2), column=1))
    M[1,2]
    """

    path: tuple[str, ...]
    indices: tuple[int, ...]
    column: int

    def __str__(self) -> str:
        indices = f"[{','.join(map(str, self.indices))}]" if self.indices else ""
        return ".".join(self.path) + indices


Resolve = Callable[[Reference], Any]
"""What a name means: a sympy expression or matrix, or an `ExpressionError`."""


def read(
    text: str | int | float, resolve: Resolve, functions: Mapping[str, Any] | None = None
) -> Any:
    """Return the sympy expression, or matrix, that a text or a number stands for.

    Parameters
    ----------
    text : str, int or float
        Numbers are exact: a decimal is the fraction that it is written as.
    resolve : callable
        Gives each `Reference` its meaning; see `lookup`.
    functions : mapping of str to callable, optional
        Functions of one argument besides those that every expression may use.

    Raises
    ------
    ExpressionError
        For text that is not an expression, is too large, or has no finite real value.

    Examples
    --------
    >>> read("0.5*m*d**2", lookup({"m": sympy.Symbol("m"), "d": sympy.Symbol("d")}))
    d**2*m/2
    """
    if not isinstance(text, str):
        return _exact(text)
    try:
        return _Meaning(resolve, functions or {}).transform(_parse(text))
    except VisitError as error:
        raise error.orig_exc from None


def references(text: str | int | float) -> tuple[Reference, ...]:
    """Return the names that an expression uses, in the order in which they stand.

    Examples
    --------
    >>> [str(reference) for reference in references("theta2 - cos(pi*theta1)")]
    ['theta2', 'theta1']
    """
    if not isinstance(text, str):
        return ()
    found = (_reference(tree.children) for tree in _parse(text).find_data("reference"))
    named = (reference for reference in found if str(reference) != "pi")
    return tuple(sorted(named, key=lambda reference: reference.column))


def calls(text: str | int | float) -> frozenset[str]:
    """Return the names of the functions that an expression uses.

    Examples
    --------
    >>> sorted(calls("sin(q) + 2*roll(q)"))
    ['roll', 'sin']
    """
    trees = _parse(text).find_data("call") if isinstance(text, str) else ()
    return frozenset(str(tree.children[0]) for tree in trees)


def lookup(names: Mapping[str, Any]) -> Resolve:
    """Return a `resolve` that knows just these names."""

    def resolve(reference: Reference) -> Any:
        name = str(reference)
        if name not in names:
            raise ExpressionError(f"unknown name '{name}'{nearest(name, names)}", reference.column)
        return names[name]

    return resolve


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, start="sum", parser="lalr")


@lru_cache(maxsize=4096)
def _parse(text: str) -> Tree[Token]:
    if not text.strip():
        raise ExpressionError("expected an expression, found none")
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"{len(text)} characters are too many; at most {MAX_LENGTH} are read")
    _limit_depth(text)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise _unexpected(error, text) from None
    return tree if isinstance(tree, Tree) else Tree("sum", [tree])


def _limit_depth(text: str) -> None:
    depth = 0
    for column, character in enumerate(text, start=1):
        depth += (character in "([") - (character in ")]")
        if depth > MAX_DEPTH:
            raise ExpressionError(f"more than {MAX_DEPTH} brackets inside each other", column)


def _unexpected(error: UnexpectedInput, text: str) -> ExpressionError:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return ExpressionError("the expression stops before it is complete", len(text) + 1)
    column = error.pos_in_stream or 0
    found = error.token if isinstance(error, UnexpectedToken) else text[column]
    shown = f"'{found[:MAX_DIGITS]}'"
    if not isinstance(error, UnexpectedToken) or error.token.type not in BEGINS:
        return ExpressionError(f"did not expect {shown}", column + 1)
    before = re.search(r"[A-Za-z]\w*\s*$", text[:column])
    if before and (called := before[0].rstrip()) in FUNCTIONS:
        return ExpressionError(f"expected a bracket after '{called}'", column + 1)
    if "TIMES" in error.accepts:
        return ExpressionError(f"expected *, /, + or - before {shown}", column + 1)
    return ExpressionError(f"did not expect {shown}", column + 1)


def _reference(children: list[Any]) -> Reference:
    path = tuple(str(child) for child in children if isinstance(child, Token))
    trees = (child for child in children if isinstance(child, Tree))
    indices = tuple(int(str(index)) for tree in trees for index in tree.children)
    return Reference(path, indices, _column(children[0]))


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


@v_args(inline=True)
class _Meaning(Transformer_NonRecursive[Token, Any]):
    """From the tree of an expression to sympy, from the leaves up."""

    def __init__(self, resolve: Resolve, functions: Mapping[str, Any]) -> None:
        super().__init__(visit_tokens=False)
        self._resolve, self._functions = resolve, {**FUNCTIONS, **functions}

    def number(self, token: Token) -> Any:
        return _decimal(token)

    @v_args(inline=False)
    def reference(self, children: list[Any]) -> Any:
        reference = _reference(children)
        return sympy.pi if str(reference) == "pi" else self._resolve(reference)

    def indices(self, *indices: Token) -> Tree[Token]:
        return Tree("indices", list(indices))

    def signed(self, sign: Token, value: Any) -> Any:
        return -value if sign == "-" else value

    def sum(self, first: Any, *rest: Any) -> Any:
        terms = [first, *(-term if sign == "-" else term for sign, term in _pairs(rest))]
        return _combined(terms, operator.add, sympy.Add)

    def product(self, first: Any, *rest: Any) -> Any:
        others = (_inverse(part, sign) if sign == "/" else part for sign, part in _pairs(rest))
        return _combined([first, *others], operator.mul, sympy.Mul)

    def power(self, base: Any, sign: Token, exponent: Any) -> Any:
        return _power(base, exponent, _column(sign))

    def call(self, name: Token, *arguments: Any) -> Any:
        return _call(name, arguments, self._functions)


def _pairs(rest: tuple[Any, ...]) -> Iterator[tuple[Token, Any]]:
    return zip(rest[::2], rest[1::2], strict=True)


def _combined(parts: list[Any], pairwise: Callable[[Any, Any], Any], at_once: Any) -> Any:
    """Add or multiply: a matrix pair by pair, expressions in one go because that is faster."""
    if not any(_is_matrix(part) for part in parts):
        return _bounded(at_once(*parts))
    try:
        return reduce(pairwise, parts)
    except (TypeError, ValueError):
        shapes = ", ".join(str(part.shape) if _is_matrix(part) else "a number" for part in parts)
        raise ExpressionError(f"the shapes {shapes} do not fit together") from None


def _is_matrix(value: Any) -> bool:
    return isinstance(value, sympy.MatrixBase)


def _inverse(value: Any, sign: Token) -> Any:
    return _power(value, sympy.Integer(-1), _column(sign))


def _power(base: Any, exponent: Any, column: int) -> Any:
    if _is_matrix(base) or _is_matrix(exponent):
        raise ExpressionError("a matrix can neither be raised to a power nor divided by", column)
    if not exponent.is_Rational:
        raise ExpressionError(f"expected a rational number as exponent, found {exponent}", column)
    if base.is_zero and exponent < 0:
        raise ExpressionError("division by zero", column)
    powers = [power for power in base.as_powers_dict().values() if power.is_Rational]
    degree = max(map(abs, powers), default=1)
    limit = MAX_BITS if base.is_Rational else MAX_POWER
    bits = _bits(base.as_coeff_Mul()[0]) * abs(exponent)
    if exponent.q > MAX_ROOT or degree * abs(exponent) > limit or bits > MAX_BITS:
        raise ExpressionError(f"the power {exponent} is too large", column)
    return _bounded(base**exponent)


def _call(name: Token, arguments: tuple[Any, ...], functions: Mapping[str, Any]) -> Any:
    column = _column(name)
    if name not in functions:
        raise ExpressionError(f"unknown function '{name}'{nearest(name, functions)}", column)
    expected = ARGUMENTS.get(name, 1)
    if expected not in (None, len(arguments)):
        raise ExpressionError(f"{name} takes {expected}, not {len(arguments)} arguments", column)
    if any(_is_matrix(argument) for argument in arguments):
        raise ExpressionError(f"{name} takes numbers, not a matrix", column)
    return _bounded(functions[name](*arguments), column)


def _decimal(token: Token) -> Any:
    digits, _, tens = token.lower().replace(".", "").partition("e")
    if len(digits) > MAX_DIGITS or len(tens) > MAX_DIGITS or abs(int(tens or 0)) > MAX_TENS:
        message = f"a number has at most {MAX_DIGITS} digits and a power of ten up to {MAX_TENS}"
        raise ExpressionError(message, _column(token))
    return _rational(Fraction(token))


def _exact(number: Any) -> Any:
    if isinstance(number, bool) or not isinstance(number, numbers.Real):  # numpy's are such too
        raise ExpressionError(f"expected a number or an expression, found {number!r}")
    if isinstance(number, numbers.Integral):
        return _bounded(sympy.Integer(int(number)))
    if not math.isfinite(number):
        raise ExpressionError(f"expected a finite number, found {number}")
    return _bounded(_rational(Fraction(repr(float(number)))))


def _rational(fraction: Fraction) -> Any:
    return sympy.Rational(fraction.numerator, fraction.denominator)


def _bits(number: Any) -> int:
    return max(number.p.bit_length(), number.q.bit_length()) if number.is_Rational else 1


def _bounded(value: Any, column: int | None = None) -> Any:
    """Return a value that is finite, real and small enough to go on with.

    A number that is not rational is kept below 1e300 at every step: evaluating the next one, such
    as a sine of it, then stays quick.
    """
    if _bits(value.as_coeff_Mul()[0]) > MAX_BITS:
        raise ExpressionError("the number is too large", column)
    if value.is_number and not value.is_Rational:
        size = value.evalf(15)
        if not size.is_Float:
            raise ExpressionError(f"{value} is not a finite real number", column)
        if abs(size) > 10**MAX_TENS:
            raise ExpressionError("the number is too large", column)
    return value
