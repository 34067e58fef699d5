"""Exercise 6: the equations and torque terms with angles in segmental space, theta1 and theta2.

The model measures both angles from the horizontal. Its equations follow from those with joint
angles as well: with theta = B*alpha, and B constant, power is the same in both if the generalized
forces are those times the inverse of B transposed; M has the inverse of B on both sides. Both ways
are compared exactly. With segment angles no term has a product of both rates: there is no Coriolis
term, and the torque of the elbow acts on the upper arm as well, backward.
"""

from __future__ import annotations

import sympy
from sympy.core.function import AppliedUndef

import freebody
from freebody.algebra import equal

B = sympy.Matrix([[1, 0], [1, 1]])
"""theta1 = alpha1, theta2 = alpha1 + alpha2."""


def main() -> None:
    """Print the equations in segment angles, and compare them with those transformed."""
    segments = freebody.derive(freebody.load("two_link_segment"))
    print(segments)
    joints = freebody.derive(freebody.load("two_link"))
    turned = transformed(joints)
    for name, matrix in turned.items():
        own = plain(getattr(segments, name))
        same = all(equal(a, b) for a, b in zip(matrix, own, strict=True))
        print(f"{name:3} {'the same' if same else 'another'} as that of joint angles, transformed")
    u1, u2 = sympy.symbols("theta1_dot theta2_dot")
    products = [sympy.expand(entry).coeff(u1 * u2) for entry in plain(segments.C)]
    print("factors of theta1_dot*theta2_dot in C:", *products)


def transformed(joints: freebody.Equations) -> dict[str, sympy.Matrix]:
    """Return M, C, G, E and tau of joint angles in segment angles."""
    alpha, alpha_dot = (sympy.symbols(f"alpha1{x} alpha2{x}") for x in ("", "_dot"))
    theta, theta_dot = (sympy.symbols(f"theta1{x} theta2{x}") for x in ("", "_dot"))
    back = B.inv()
    held = dict(zip(alpha, back * sympy.Matrix(theta), strict=True))
    held |= dict(zip(alpha_dot, back * sympy.Matrix(theta_dot), strict=True))
    parts = {name: plain(getattr(joints, name)).subs(held) for name in ("M", "C", "G", "E", "tau")}
    return {name: back.T * part * (back if name == "M" else 1) for name, part in parts.items()}


def plain(matrix: sympy.Matrix) -> sympy.Matrix:
    """Return a matrix in symbols without time."""
    functions = matrix.atoms(AppliedUndef)
    return matrix.xreplace({x: sympy.Symbol(x.func.__name__) for x in functions})


if __name__ == "__main__":
    main()
