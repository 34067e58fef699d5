"""Derivatives of straight-line programs, exactly: the chain rule, an assignment at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import sympy
from sympy.core.function import AppliedUndef

from freebody.mechanics.program import Cell, Program, Tape

Gradient = dict[sympy.Expr, Cell]
"""The derivatives by those variables on which something depends."""


def differentiate(program: Program, names: Sequence[str], by: Sequence[sympy.Expr]) -> Program:
    """Return a program that also gives the derivatives of some outputs.

    Where a derivative has a jump, as that of ``Max(x, 0)`` at zero, it is that of the side below;
    the jump of a function itself adds nothing.

    Parameters
    ----------
    program : Program
    names : sequence of str
        The outputs to differentiate.
    by : sequence of sympy.Expr
        Symbols or functions of time, that are varied apart from each other.

    Returns
    -------
    Program
        With the outputs of the program, and for each name an output ``d`` + name: the derivatives
        of each entry by all variables, row by row.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2008, chapter 3 (forward mode).

    Examples
    --------
    >>> x, y, z = sympy.symbols("x y z")
    >>> square = Program({z: sympy.sin(x)}, {"f": (z**2 + y,)})
    >>> found = differentiate(square, ["f"], [x, y])
    >>> slope, one = found.outputs["df"]
    >>> for symbol, expr in reversed(found.assignments.items()):
    ...     slope = slope.xreplace({symbol: expr})
    >>> slope, one
    (2*sin(x)*cos(x), 1)
    """
    chain = _Chain(by)
    for symbol, expr in program.assignments.items():
        chain.assign(symbol, expr)
    outputs = {
        name: [chain.value(part) for part in parts] for name, parts in program.outputs.items()
    }
    for name in names:
        gradients = [chain.gradient(part) for part in program.outputs[name]]
        outputs[f"d{name}"] = [row.get(one, chain.zero) for row in gradients for one in by]
    return Program.of(chain.tape.assignments, outputs)


class _Chain:
    """Assignments on a tape, and their derivatives."""

    def __init__(self, by: Sequence[sympy.Expr]) -> None:
        self.tape = Tape()
        self.zero, self.one = self.tape.values([sympy.S.Zero, sympy.S.One])
        self.cells: dict[sympy.Expr, Cell] = {}
        self.gradients: dict[sympy.Expr, Gradient] = {
            variable: {variable: self.one} for variable in by
        }

    def assign(self, symbol: sympy.Expr, expr: sympy.Expr) -> None:
        """Write down an assignment and its derivatives."""
        self.cells[symbol] = self.value(expr)
        self.gradients[symbol] = self.gradient(expr)

    def value(self, expr: sympy.Expr) -> Cell:
        """Return the cell of an expression."""
        known = {symbol: self.cells[symbol] for symbol in expr.free_symbols & self.cells.keys()}
        return self.tape.values([expr], known)[0]

    def gradient(self, expr: sympy.Expr) -> Gradient:
        """Return the derivatives of an expression."""
        if expr not in self.gradients:
            self.gradients[expr] = self._total(self._parts(expr))
        return self.gradients[expr]

    def _parts(self, expr: sympy.Expr) -> Iterator[tuple[Cell, Gradient]]:
        """Iterate over what a derivative is the sum of: a factor, and the gradient it is of."""
        if expr.is_Add:
            yield from ((self.one, self.gradient(part)) for part in expr.args)
        elif expr.is_Mul:
            yield from self._of_product(expr.args)
        else:
            yield from self._of_function(expr)

    def _of_product(self, factors: tuple[sympy.Expr, ...]) -> Iterator[tuple[Cell, Gradient]]:
        for number, factor in enumerate(factors):
            if gradient := self.gradient(factor):
                yield self.value(sympy.Mul(*factors[:number], *factors[number + 1 :])), gradient

    def _of_function(self, expr: sympy.Expr) -> Iterator[tuple[Cell, Gradient]]:
        atoms = expr.atoms(sympy.Symbol, AppliedUndef, sympy.Derivative)
        # real, for the sake of Abs and sign; and apart, so that no function is one of another
        apart = {atom: sympy.Dummy(real=True) for atom in atoms}
        together = {dummy: atom for atom, dummy in apart.items()}
        inner = expr.xreplace(apart)
        for atom in sorted(atoms & self.gradients.keys(), key=sympy.default_sort_key):
            partial = _almost_everywhere(inner.diff(apart[atom])).xreplace(together)
            if partial != 0:
                yield self.value(partial), self.gradients[atom]

    def _total(self, parts: Iterable[tuple[Cell, Gradient]]) -> Gradient:
        """Return a sum of gradients, each times its factor."""
        terms: dict[sympy.Expr, list[sympy.Expr]] = {}
        for factor, gradient in parts:
            for variable, slope in gradient.items():
                terms.setdefault(variable, []).append((factor * slope).expr)
        return {variable: self.tape.cell(sympy.Add(*sums)) for variable, sums in terms.items()}


def _almost_everywhere(expr: sympy.Expr) -> sympy.Expr:
    """Return a derivative without the steps and pulses that no arithmetic knows."""
    if not expr.has(sympy.Heaviside, sympy.DiracDelta):
        return expr
    smooth = expr.replace(sympy.DiracDelta, lambda *_: sympy.S.Zero)
    return smooth.replace(sympy.Heaviside, lambda x, *_: sympy.Piecewise((1, x > 0), (0, True)))
