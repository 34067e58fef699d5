"""How equations are written: Python syntax, plain text and LaTeX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import sympy
from sympy.printing.latex import LatexPrinter

if TYPE_CHECKING:
    from freebody.mechanics.equations import Equations
    from freebody.model.names import Names

BLOCKS = ("M", "C", "G", "E", "tau")
_WORD = re.compile(r"^[A-Za-z]{2,}")
"""A name of several letters, which would read as a product in italics."""


def python(expr: sympy.Expr, names: Names) -> str:
    """Return an expression in Python syntax: ``alpha1_dot`` for a speed, ``alpha1_ddot``."""
    return sympy.sstr(names.plain(expr))


def entries(equations: Equations, block: str) -> list[str] | list[list[str]]:
    """Return a block of the equations in Python syntax: a list, or a list of rows for M."""
    names = equations.mechanism.names
    rows = [[python(entry, names) for entry in row] for row in getattr(equations, block).tolist()]
    return rows if block == "M" else [row[0] for row in rows]


def text(equations: Equations) -> str:
    """Return the equations as lines of text, counted from 1."""
    lines = []
    for block in BLOCKS:
        for i, entry in enumerate(entries(equations, block), 1):
            if isinstance(entry, list):
                lines += [f"{block}[{i},{j}] = {part}" for j, part in enumerate(entry, 1)]
            else:
                lines.append(f"{block}[{i}] = {entry}")
    return "\n".join(lines)


def latex(equations: Equations) -> str:
    """Return ``M u̇ + C + G + E = τ`` with its matrices in LaTeX."""
    printer = _Printer(equations)
    accelerations = sympy.ImmutableMatrix(equations.mechanism.accelerations)
    parts = [printer.doprint(getattr(equations, block)) for block in BLOCKS]
    inertia, *rest, tau = parts
    left = " + ".join([f"{inertia} {printer.doprint(accelerations)}", *rest])
    return f"{left} = {tau}"


class _Printer(LatexPrinter):
    """Writes speeds and accelerations with dots over their coordinates."""

    def __init__(self, equations: Equations) -> None:
        super().__init__({"mat_str": "matrix", "fold_short_frac": False})
        plain = equations.mechanism.names.plain
        self._plain = plain
        moving = zip(
            equations.coordinates, equations.speeds, equations.mechanism.accelerations, strict=True
        )
        self._dotted: dict[sympy.Symbol, str] = {}
        for coordinate, speed, acceleration in moving:
            name = self._print_Symbol(plain(coordinate))
            letter, _, index = name.partition("_")
            index = f"_{index}" if index else ""
            self._dotted[plain(speed)] = rf"\dot{{{letter}}}{index}"
            self._dotted[plain(acceleration)] = rf"\ddot{{{letter}}}{index}"

    def doprint(self, expr: sympy.Basic) -> str:
        """Return LaTeX of an expression or matrix."""
        if isinstance(expr, sympy.MatrixBase):
            expr = expr.applyfunc(self._plain)
        else:
            expr = self._plain(expr)
        return super().doprint(expr)

    def _print_Symbol(self, expr: sympy.Symbol, style: str = "plain") -> str:
        name = super()._print_Symbol(expr, style)
        return self._dotted.get(expr) or _WORD.sub(r"\\mathrm{\g<0>}", name)
