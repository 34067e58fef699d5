"""Exercise 5: two links in the horizontal plane without external force, in four movements.

Each movement is a condition on the angles or their rates. It, its derivatives by time, and nothing
else are put into the terms of the equations of motion, exactly, so that each term is seen to
vanish, to change or to stay. The place of the end tells what the movement is: its distance r from
the shoulder is constant where d(r**2)/dt = 0, its direction from there where x*y_dot - y*x_dot = 0.
"""

from __future__ import annotations

import sympy
from sympy.core.function import AppliedUndef

import freebody
from freebody.algebra import Ring, textbook

Terms = dict[str, sympy.Expr]
PARTS = ("inertia", "coupling", "centripetal", "Coriolis", "C", "G", "E", "torque")
Q = alpha1, alpha2 = sympy.symbols("alpha1 alpha2")
U = alpha1_dot, alpha2_dot = sympy.symbols("alpha1_dot alpha2_dot")
A = sympy.symbols("alpha1_ddot alpha2_ddot")

CASES = (
    ("a) the upper arm rests, the forearm turns about a fixed elbow", alpha1_dot, 0),
    ("b) the elbow is stretched, the arm turns as one straight link", alpha2, 1),
    ("c) the elbow is held, the arm turns as one bent link", alpha2_dot, 1),
    ("d) a polar manipulator: the end moves along y if L1 = L2", 2 * alpha1 + alpha2 - sympy.pi, 1),
)
"""What it is, what vanishes, and the joint whose motion follows from that."""


def main() -> None:
    """Print all terms, and what becomes of them in each movement."""
    equations = freebody.derive(freebody.load("two_link"))
    general = terms(equations)
    print("In the horizontal plane, without external force:")
    for name, term in general.items():
        print(f"  {name:14} = {term}")
    for title, condition, joint in CASES:
        held = follows(condition, joint)
        print(f"\n{title}:", ", ".join(f"{name} = {value}" for name, value in held.items()))
        for name, value in movement(equations).items():
            print(f"  {name:17} = {tidy(value.subs(held))}")
        for name, term in general.items():
            if term:
                print(f"  {name:17}   {becomes(term, tidy(term.subs(held)))}")


def terms(equations: freebody.Equations) -> Terms:
    """Return the terms of both torques, T = M q_ddot + C + G + E."""
    level = dict.fromkeys(("g", "Fex", "Fey"), 0)
    M, C, G, E = (plain(getattr(equations, name)).subs(level) for name in "MCGE")
    found: Terms = {}
    for i, j in ((0, 1), (1, 0)):
        coriolis = sympy.expand(C[i]).coeff(U[0] * U[1]) * U[0] * U[1]
        inertia, coupling = M[i, i] * A[i], M[i, j] * A[j]
        torque = inertia + coupling + C[i] + G[i] + E[i]
        parts = (inertia, coupling, C[i] - coriolis, coriolis, C[i], G[i], E[i], torque)
        found |= {f"T{i + 1} {name}": tidy(part) for name, part in zip(PARTS, parts, strict=True)}
    return found


def follows(condition: sympy.Expr, joint: int) -> Terms:
    """Solve what vanishes, and its derivatives by time, for the motion of one joint."""
    unknowns = [x[joint] for x in (Q, U, A)][not condition.has(*Q) :]
    zeros = [condition]
    while len(zeros) < len(unknowns):
        zeros.append(derivative(zeros[-1]))
    (found,) = sympy.solve(zeros, unknowns, dict=True)
    return {str(name): found[name] for name in unknowns}


def derivative(expression: sympy.Expr) -> sympy.Expr:
    """Return the derivative by time of an expression of angles and their rates."""
    return sum(expression.diff(x) * rate for x, rate in zip(Q + U, U + A, strict=True))


def movement(equations: freebody.Equations) -> Terms:
    """Return what tells the movement of elbow and end."""
    elbow, end = (plain(equations.mechanism.position(name)) for name in ("joint2", "tip"))
    (x, y, _), (x_dot, y_dot, _) = end, end.applyfunc(derivative)
    speed = elbow.applyfunc(derivative)
    return {
        "elbow's speed**2": speed.dot(speed),
        "x of the end": x,
        "y of the end": y,
        "d(r**2)/dt": derivative(end.dot(end)),
        "x*y_dot - y*x_dot": x * y_dot - y * x_dot,
    }


def plain(matrix: sympy.Matrix) -> sympy.Matrix:
    """Return a matrix in symbols without time."""
    functions = matrix.atoms(AppliedUndef)
    return matrix.xreplace({x: sympy.Symbol(x.func.__name__) for x in functions})


def tidy(expression: sympy.Expr) -> sympy.Expr:
    """Return the canonical form of an expression."""
    return textbook(Ring().form(expression))


def becomes(before: sympy.Expr, after: sympy.Expr) -> str:
    """Say what became of a term."""
    if not after:
        return "vanishes"
    return "stays" if before == after else f"is {after}"


if __name__ == "__main__":
    main()
