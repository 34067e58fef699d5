"""Programs in the functions of time of a mechanism, as code and as functions of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import sympy

from freebody.backends.code import Code
from freebody.backends.constants import Constants
from freebody.backends.functions import Function
from freebody.backends.lower import lowered
from freebody.backends.registry import backend as backend_module
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.program import Program
from freebody.model.names import TIME
from freebody.programs.routine import Routine

Groups = Mapping[str, Iterable[sympy.Expr]]
"""Arguments of a program by group, besides those that every program takes."""


def coded(
    mechanism: Mechanism,
    name: str,
    program: Program,
    more: Groups | None = None,
    groups: Sequence[str] = (),
) -> Code:
    """Return the code of a program in the functions of time of a mechanism.

    It takes all groups of arguments, and ``more`` by name; or only some ``groups``, in this order.
    """
    names = mechanism.names
    known = {
        "t": (TIME,),
        "q": mechanism.coordinates,
        "u": mechanism.speeds,
        "a": mechanism.accelerations,
        "inputs": names.inputs.values(),
        "multipliers": mechanism.multipliers,
        "constants": names.constants.values(),
        **(more or {}),
    }
    forces = {symbol: sympy.Symbol(str(symbol.func)) for symbol in mechanism.multipliers}

    def plain(expr: sympy.Expr) -> sympy.Expr:
        return names.plain(expr.xreplace(forces))

    assignments = {symbol: plain(expr) for symbol, expr in program.assignments.items()}
    entries = tuple(plain(part) for parts in program.outputs.values() for part in parts)
    arguments = {group: tuple(map(plain, known[group])) for group in groups or known}
    whole = Program(assignments, {name: entries})
    taken = {group: symbols for group, symbols in arguments.items() if symbols}
    return lowered(Routine(name, "", taken, whole, {name: (len(entries),)}), names)


def function(
    mechanism: Mechanism,
    name: str,
    program: Program,
    groups: Sequence[str],
    backend: str,
    more: Groups | None = None,
) -> Function:
    """Return a program as a function of some groups of arguments, in this order.

    ``more`` are groups besides those that every program takes.
    """
    code = coded(mechanism, name, program, more, groups)
    return Function(code, backend_module(backend), Constants(mechanism.model))
