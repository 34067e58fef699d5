"""The curves of a musculotendon after De Groote et al. (2016), as functions of arrays.

The expressions are those of `sympy.physics.biomechanics`.

References
----------
De Groote, Kinney, Rao and Fregly, Evaluation of direct collocation optimal control problem
formulations for solving the muscle redundancy problem, 2016.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
import sympy

from freebody.arguments import checked
from freebody.arrays import Array

Curve = Callable[..., Array]
CurveName = Literal["active", "passive", "velocity", "velocity_inverse", "tendon", "activation"]
TENDON = (0.2, 0.995, 0.25)
"""The constants of the tendon's curve besides its exponent."""


@checked
@cache
def curve(name: CurveName) -> Curve:
    """Return a curve by its name.

    Parameters
    ----------
    name : str
        ``active`` and ``passive`` force of the fibres by their normalized length; ``velocity``, the
        factor by their normalized velocity, and ``velocity_inverse``; ``tendon`` force by its
        length over the slack length and its exponent; ``activation``, the rate of activation by
        activation, excitation and both time constants.

    Examples
    --------
    >>> float(curve("passive")(1.6).round(2)), float(curve("velocity")(0.0).round(2))
    (1.0, 1.0)
    """
    symbols = sympy.symbols("x0:4", real=True)
    expr, count = _EXPRESSIONS[name](*symbols)
    function = sympy.lambdify(symbols[:count], expr, modules="numpy", cse=True)
    return lambda *values: np.asarray(function(*values), dtype=float)


def _named(name: str) -> Callable[..., tuple[sympy.Expr, int]]:
    def expression(x: sympy.Expr, *_: sympy.Expr) -> tuple[sympy.Expr, int]:
        from sympy.physics import biomechanics  # slow to import

        return getattr(biomechanics, f"{name}DeGroote2016").with_defaults(x).doit(), 1

    return expression


def _tendon(x: sympy.Expr, stiffness: sympy.Expr, *_: sympy.Expr) -> tuple[sympy.Expr, int]:
    from sympy.physics.biomechanics import TendonForceLengthDeGroote2016

    return TendonForceLengthDeGroote2016(x, *map(sympy.Float, TENDON), stiffness).doit(), 2


def _activation(
    a: sympy.Expr, e: sympy.Expr, up: sympy.Expr, down: sympy.Expr
) -> tuple[sympy.Expr, int]:
    from sympy.physics.biomechanics import FirstOrderActivationDeGroote2016

    dynamics = FirstOrderActivationDeGroote2016("muscle", up, down, sympy.Integer(10))
    (rate,) = dynamics.rhs()
    return rate.xreplace({dynamics.activation: a, dynamics.excitation: e}), 4


_EXPRESSIONS: dict[CurveName, Callable[..., tuple[sympy.Expr, int]]] = {
    "active": _named("FiberForceLengthActive"),
    "passive": _named("FiberForceLengthPassive"),
    "velocity": _named("FiberForceVelocity"),
    "velocity_inverse": _named("FiberForceVelocityInverse"),
    "tendon": _tendon,
    "activation": _activation,
}
