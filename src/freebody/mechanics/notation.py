"""How equations are written: Python syntax, plain text and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import sympy
from sympy.physics.mechanics import dynamicsymbols
from sympy.printing.latex import LatexPrinter

from freebody.algebra.terms import TooLargeError

if TYPE_CHECKING:
    from freebody.graph.program import Program
    from freebody.mechanics.equations import Equations
    from freebody.model.names import Names

BLOCKS = ("M", "C", "G", "E", "tau")
MATRICES = ("M", "J")
MOST_LINES = 50_000
"""The longest program that is printed."""
_WORD = re.compile(r"^[A-Za-z]{2,}")
"""A name of several letters, which would read as a product in italics."""


def python(expr: sympy.Expr, names: Names) -> str:
    """Return an expression in Python syntax: ``alpha1_dot`` for a speed, ``alpha1_ddot``."""
    return sympy.sstr(plain(expr, names))


def plain(expr: sympy.Expr, names: Names) -> sympy.Expr:
    """Return an expression with a symbol for every function of time, forces of laws included."""
    written = names.plain(expr)
    others = written.atoms(sympy.core.function.AppliedUndef)
    return written.xreplace({other: sympy.Symbol(other.func.__name__) for other in others})


def entries(equations: Equations, block: str) -> list[Any]:
    """Return a block of the equations in Python syntax: a list, or a list of rows for M and J."""
    names = equations.mechanism.names
    rows = [[python(entry, names) for entry in row] for row in getattr(equations, block).tolist()]
    return rows if block in MATRICES else [row[0] for row in rows]


def definitions(equations: Equations) -> dict[str, str]:
    """Return further equations: rates, prescribed motions and laws, in Python syntax."""
    names = equations.mechanism.names
    known = equations.mechanism.kinematics if equations.mechanism.model.speeds else {}
    given = equations.mechanism.prescribed
    pairs = [*known.items(), *given.items(), *equations.laws.items()]
    return {python(symbol, names): python(expr, names) for symbol, expr in pairs}


def text(equations: Equations) -> str:
    """Return the equations as lines of text, counted from 1; as a program if they are too large."""
    try:
        lines = [line for block in blocks(equations) for line in _lines(equations, block)]
    except TooLargeError as error:
        return _program(equations, str(error))
    return "\n".join([*lines, *_equated(definitions(equations)), *_equated(impacts(equations))])


def impacts(equations: Equations) -> dict[str, str]:
    """Return what is not zero of J, j and e of impacts, in Python syntax, counted from 1."""
    names, entries = equations.mechanism.names, {}
    for impact, laws in equations.impacts.items():
        for letter, matrix in zip("Jje", laws, strict=True):
            for (row, column), entry in sorted(matrix.todok().items()):
                at = f"{row + 1},{column + 1}" if letter == "J" else f"{row + 1}"
                entries[f"{impact}.{letter}[{at}]"] = python(entry, names)
    return entries


def blocks(equations: Equations) -> tuple[str, ...]:
    """Return the names of the blocks that the equations have."""
    return (*BLOCKS, "J", "gamma") if equations.multipliers else BLOCKS


def _lines(equations: Equations, block: str) -> Iterator[str]:
    for i, entry in enumerate(entries(equations, block), 1):
        if isinstance(entry, list):
            yield from (f"{block}[{i},{j}] = {part}" for j, part in enumerate(entry, 1))
        else:
            yield f"{block}[{i}] = {entry}"


def _equated(pairs: Mapping[str, str]) -> list[str]:
    return [f"{name} = {value}" for name, value in pairs.items()]


def assignments(equations: Equations) -> list[str]:
    """Return the equations by Kane's method as assignments, one after another."""
    return list(_assigned(equations, _written(equations)))


def _written(equations: Equations) -> Program:
    from freebody.mechanics.kane import program  # which is written in equations in turn

    return equations.program or program(equations.mechanism)


def _program(equations: Equations, reason: str) -> str:
    written = _written(equations)
    count = written.operations
    lines = [
        f"# too large to be written out: {reason}",
        f"# by Kane's method, {count} operations",
    ]
    if count > MOST_LINES:
        return "\n".join([*lines, f"# more than {MOST_LINES} are not printed"])
    lines += _assigned(equations, written)
    return "\n".join([*lines, *_equated(definitions(equations)), *_equated(impacts(equations))])


def _assigned(equations: Equations, written: Program) -> Iterator[str]:
    """Iterate over the lines of a program."""
    assignments, atom = written.assignments, written.graph.atom
    short = {symbol: sympy.Symbol(f"z{i}") for i, symbol in enumerate(assignments)}
    names = equations.mechanism.names

    def printed(expr: sympy.Expr) -> str:
        return python(expr.xreplace(short), names)

    yield from (f"{short[z]} = {printed(expr)}" for z, expr in assignments.items())
    for name, parts in written.outputs.items():
        for place, part in enumerate(map(atom, parts)):
            row, column = divmod(place, equations.n)
            index = f"{row + 1},{column + 1}" if name in MATRICES else f"{place + 1}"
            yield f"{name}[{index}] = {printed(part)}"


def latex(equations: Equations) -> str:
    """Return ``M u̇ + C + G + E = τ + Jᵀ λ`` with its matrices in LaTeX."""
    printer = _Printer(equations)
    accelerations = sympy.ImmutableMatrix(equations.mechanism.accelerations)
    parts = [printer.doprint(getattr(equations, block)) for block in BLOCKS]
    inertia, *rest, tau = parts
    left = " + ".join([f"{inertia} {printer.doprint(accelerations)}", *rest])
    if not equations.multipliers:
        return f"{left} = {tau}"
    multipliers = printer.doprint(sympy.ImmutableMatrix(equations.multipliers))
    return f"{left} = {tau} + {printer.doprint(equations.J)}^T {multipliers}"


class _Printer(LatexPrinter):
    """Writes speeds and accelerations with dots over their coordinates."""

    def __init__(self, equations: Equations) -> None:
        super().__init__({"mat_str": "matrix", "fold_short_frac": False})
        self._dotted: dict[sympy.Symbol, str] = {}
        self._names = names = equations.mechanism.names
        for speed, acceleration in zip(
            equations.speeds, equations.mechanism.accelerations, strict=True
        ):
            self._dot(plain(acceleration, names), plain(speed, names))
        rates = names.rates.values()
        for coordinate, rate in zip(equations.coordinates, rates, strict=True):
            self._dot(plain(rate, names), plain(coordinate, names))
            second = plain(rate.diff(dynamicsymbols._t), names)
            self._dot(second, plain(coordinate, names), "ddot")

    def _dot(self, symbol: sympy.Symbol, of: sympy.Symbol, dots: str = "dot") -> None:
        """Write a symbol as another with dots over its letter."""
        letter, _, index = self._print_Symbol(of).partition("_")
        self._dotted[symbol] = rf"\{dots}{{{letter}}}" + (f"_{index}" if index else "")

    def doprint(self, expr: sympy.Basic) -> str:
        """Return LaTeX of an expression or matrix."""
        if isinstance(expr, sympy.MatrixBase):
            expr = expr.applyfunc(lambda entry: plain(entry, self._names))
        else:
            expr = plain(expr, self._names)
        return super().doprint(expr)

    def _print_Symbol(self, expr: sympy.Symbol, style: str = "plain") -> str:
        name = super()._print_Symbol(expr, style)
        return self._dotted.get(expr) or _WORD.sub(r"\\mathrm{\g<0>}", name)
