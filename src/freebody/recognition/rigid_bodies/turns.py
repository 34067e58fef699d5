"""How a body is turned by three angles, one after another."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

ANGLES = (
    (r"\phi", r"\varphi", r"\Phi"),
    (r"\theta", r"\vartheta", r"\Theta"),
    (r"\psi", r"\Psi"),
)
"""What roll, pitch and yaw are called."""


def turned(sequence: str, angles: Sequence[sympy.Expr]) -> sympy.Matrix:
    """Return the matrix from the axes of a body to those from which it was turned.

    Examples
    --------
    >>> turned("zyx", [sympy.pi / 2, 0, 0])[:, 0].T
    Matrix([[0, 1, 0]])
    """
    about = {"x": sympy.rot_ccw_axis1, "y": sympy.rot_ccw_axis2, "z": sympy.rot_ccw_axis3}
    pairs = zip(sequence, angles, strict=True)
    return sympy.prod([about[axis](angle) for axis, angle in pairs], start=sympy.eye(3))
