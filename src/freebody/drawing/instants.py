"""Where everything in a mechanism is, in numbers, at one instant or at many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra.tables import Tabulated
from freebody.arrays import Array
from freebody.mechanics.kinematics import Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Components, Triple


@dataclass(frozen=True)
class Numbers:
    """Plain numbers, or arrays of them, as the arithmetic of a motion.

    Attributes
    ----------
    known : mapping of sympy.Expr to float or array
        What symbols and functions of time are worth; what is not there is zero.
    """

    known: Mapping[sympy.Expr, Any]

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> Sequence[Any]:
        """Return the values of expressions."""
        known = {**self.known, **(given or {})}
        return [_value(sympy.sympify(expr), known) for expr in expressions]


def _value(expr: sympy.Expr, known: Mapping[sympy.Expr, Any]) -> Any:
    if expr.is_number:
        return _finite(float(expr))
    expr = _without_rates(expr)
    tables = expr.atoms(Tabulated)
    known = {**known, **{one: _tabulated(one, known) for one in tables}} if tables else known
    atoms = tables | expr.free_symbols | expr.atoms(sympy.core.function.AppliedUndef)
    used = [atom for atom in atoms if atom in known]
    named = {atom: sympy.Dummy() for atom in used}
    whole = expr.xreplace({**dict.fromkeys(atoms, sympy.S.Zero), **named})
    with np.errstate(all="ignore"):
        value = sympy.lambdify([*named.values()], whole, "numpy")(*(known[a] for a in used))
    return _finite(value)


def _tabulated(one: Tabulated, known: Mapping[sympy.Expr, Any]) -> Any:
    """Return the value of a function by table."""
    return np.vectorize(lambda x: float(one.at(x)))(_value(one.args[0], known))


def _without_rates(expr: sympy.Expr) -> sympy.Expr:
    return expr.xreplace(dict.fromkeys(expr.atoms(sympy.Derivative), sympy.S.Zero))


def _finite(value: Any) -> Any:
    real = np.nan_to_num(np.real(value), posinf=0.0, neginf=0.0)
    return float(real) if np.ndim(real) == 0 else real


def kinematics(
    mechanism: Mechanism,
    constants: Mapping[str, float],
    coordinates: Mapping[str, Any],
    time: Any = 0.0,
) -> Kinematics:
    """Return where everything is.

    Parameters
    ----------
    mechanism : Mechanism
    constants : mapping of str to float
    coordinates : mapping of str to float or array, shape (t,)
    time : float or array, shape (t,), optional
        In s, for prescribed motions.
    """
    names = mechanism.names
    known: dict[sympy.Expr, Any] = {names.constants[name]: x for name, x in constants.items()}
    known |= {names.coordinates[name]: x for name, x in coordinates.items()}
    known[dynamicsymbols._t] = time
    return Kinematics(mechanism, Numbers(known), laws=True)


class Instants:
    """The frames of a mechanism at some instants.

    Parameters
    ----------
    mechanism : Mechanism
    constants : mapping of str to float
    coordinates : array, shape (t, n)
    times : array, shape (t,)
    """

    def __init__(
        self,
        mechanism: Mechanism,
        constants: Mapping[str, float],
        coordinates: Array,
        times: Array,
    ) -> None:
        self.mechanism, self.times = mechanism, np.asarray(times, dtype=float)
        columns = dict(zip(mechanism.names.coordinates, np.asarray(coordinates).T, strict=True))
        self.motion = kinematics(mechanism, constants, columns, self.times)

    def rows(self, vector: Triple) -> Array:
        """Return a vector at all instants.

        Returns
        -------
        array, shape (t, 3)
        """
        parts = [np.broadcast_to(part, self.times.shape) for part in vector.parts]
        return np.stack(parts, axis=-1).astype(float)

    def origin(self, frame: str) -> Array:
        """Return where the origin of a frame is, shape (t, 3)."""
        return self.rows(self.motion.frame_states[frame].origin)

    def axes(self, frame: str) -> Array:
        """Return the axes of a frame as columns, shape (t, 3, 3)."""
        axes = self.motion.frame_states[frame].axes
        return np.stack([self.rows(axis) for axis in axes], axis=-1)

    def at(self, frame: str, components: Components) -> Array:
        """Return where something is that stands in a frame, shape (t, 3)."""
        return self.rows(self.motion.at(frame, components))
