r"""Expressions as SymPy prints them in text, ``m*Derivative(x(t), t)**2/2``, written in LaTeX.

Nothing is evaluated: the syntax tree of what was printed is written over, part by part.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator

from freebody.documents.latex.tokens.rewriting import GREEK

_LABELLED = re.compile(r"^.*?\b(?P<name>[A-Za-z]\w*)\)?[ \t]*[:=][ \t]*\n?(?P<given>[^\n]+)$", re.M)
"""What is printed behind its name, or on the line below."""
_STATED = re.compile(r"^[^\n]*?(?P<given>\bEq\([^\n]+\))[ \t]*$", re.MULTILINE)
_MOVING = re.compile(r"\b[A-Za-z]\w*\(t\)")
LONGEST = 20_000
"""Characters of an expression that is written over."""

_GREEK = "|".join(GREEK)
_NAME = re.compile(rf"(?P<letter>{_GREEK}|[A-Za-z])(?:_(?P<below>\w+)|(?P<number>\d+))?")
_FUNCTIONS = {
    **{
        name: f"\\{name}"
        for name in ["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "exp", "log"]
    },
    **{name: rf"\arc{name[1:]}" for name in ("asin", "acos", "atan")},
}
_SUM, _PRODUCT, _POWER, _ATOM = range(4)
"""How tight the parts of an expression hold together."""
_LEVELS: dict[type[ast.operator], int] = {
    ast.Add: _SUM, ast.Sub: _SUM, ast.Mult: _PRODUCT, ast.Div: _ATOM, ast.Pow: _POWER
}  # fmt: skip


def printed_equations(text: str) -> Iterator[tuple[str, str]]:
    r"""Iterate over what SymPy has printed as text, if it is of functions of time.

    Yields
    ------
    name : str
        What it is printed behind; empty where it is an equation.
    formula : str
        In LaTeX.

    Examples
    --------
    >>> [*printed_equations("T =  m*Derivative(x(t), t)**2/2")]
    [('T', '\\frac{m \\left(\\frac{d}{d t} x\\right)^{2}}{2}')]
    """
    if not _MOVING.search(text):
        return
    for match in (*_STATED.finditer(text), *_LABELLED.finditer(text)):
        if formula := in_latex(match["given"]):
            yield match.groupdict().get("name", ""), formula


def in_latex(text: str) -> str | None:
    r"""Return an expression of SymPy in LaTeX, and None of what is none.

    Examples
    --------
    >>> in_latex("-m*l**2*sin(theta_1(t))/2 + k*(x(t) - 1)")
    '- \\frac{m l^{2} \\sin\\left(\\theta_{1}\\right)}{2} + k \\left(x - 1\\right)'
    >>> in_latex("the angle is 3"), in_latex("open('a')")
    (None, None)
    """
    if len(text) > LONGEST:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            return _written(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _written(node: ast.expr) -> str:
    if unsigned := _unsigned(node):
        return f"- {_held(unsigned, _PRODUCT)}"
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return str(number)
        case ast.Name(id=name):
            return _letter(name)
        case ast.BinOp(left=left, op=op, right=right):
            return _operation(left, op, right)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _call(name, args)
    raise ValueError(type(node).__name__)


def _letter(name: str) -> str:
    match = _NAME.fullmatch(name)
    if not match:
        return rf"\mathrm{{{name}}}".replace("_", r"\_")
    letter = f"\\{match['letter']}" if len(match["letter"]) > 1 else match["letter"]
    below = match["below"] or match["number"]
    return f"{letter}_{{{below.replace('_', ',')}}}" if below else letter


def _operation(left: ast.expr, op: ast.operator, right: ast.expr) -> str:
    match op:
        case ast.Add():
            return f"{_held(left, _SUM)} + {_held(right, _SUM)}"
        case ast.Sub():
            return f"{_held(left, _SUM)} - {_held(right, _PRODUCT)}"
        case ast.Mult():
            return f"{_held(left, _PRODUCT)} {_held(right, _PRODUCT)}"
        case ast.Div():
            return rf"\frac{{{_written(left)}}}{{{_written(right)}}}"
        case ast.Pow():
            return f"{_held(left, _ATOM)}^{{{_written(right)}}}"
    raise ValueError(type(op).__name__)


def _unsigned(node: ast.expr) -> ast.expr | None:
    """Return what a minus sign stands in front of, as of a product; None where there is none."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return operand
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            first = _unsigned(left)
            return ast.BinOp(first, op, right) if first else None
    return None


def _held(node: ast.expr, level: int) -> str:
    """Return what is written in brackets where it holds together less than what it stands in."""
    written = _written(node)
    match node:
        case _ if _unsigned(node):
            own = _SUM
        case ast.BinOp(op=op):
            own = _LEVELS.get(type(op), _SUM)
        case ast.Call(func=ast.Name(id="Derivative")):
            own = _POWER
        case _:
            own = _ATOM
    return written if own >= level else rf"\left({written}\right)"


def _call(name: str, args: list[ast.expr]) -> str:
    match name, args:
        case "Derivative", [of, *by]:
            return _derivative(of, by)
        case "Eq", [left, right]:
            return f"{_written(left)} = {_written(right)}"
        case "sqrt", [inside]:
            return rf"\sqrt{{{_written(inside)}}}"
        case "Matrix", [ast.List(elts=rows)]:
            return _matrix(rows)
        case _, [inside] if name in _FUNCTIONS:
            return rf"{_FUNCTIONS[name]}\left({_written(inside)}\right)"
        case _, [ast.Name(id="t")]:
            return _letter(name)
    raise ValueError(name)


def _derivative(of: ast.expr, by: list[ast.expr]) -> str:
    """Return ``Derivative(x(t), t, t)`` or ``Derivative(x(t), (t, 2))`` as a fraction."""
    orders: Counter[str] = Counter()
    for one in by:
        match one:
            case ast.Name(id=name):
                orders[name] += 1
            case ast.Tuple(elts=[ast.Name(id=name), ast.Constant(value=int() as order)]):
                orders[name] += order
            case _:
                raise ValueError(type(one).__name__)

    def power(order: int) -> str:
        return f"^{{{order}}}" if order > 1 else ""

    below = " ".join(f"d {_letter(name)}{power(order)}" for name, order in orders.items())
    return rf"\frac{{d{power(orders.total())}}}{{{below}}} {_held(of, _POWER)}"


def _matrix(rows: list[ast.expr]) -> str:
    entries = [row.elts if isinstance(row, ast.List) else [row] for row in rows]
    lines = r" \\ ".join(" & ".join(map(_written, row)) for row in entries)
    return rf"\begin{{bmatrix}}{lines}\end{{bmatrix}}"
