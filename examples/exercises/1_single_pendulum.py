"""Exercise 1: the equation of motion of a single pendulum that is not inverted.

The angle is measured from the downward vertical, so that the pendulum hangs at zero.
"""

from __future__ import annotations

import sympy

import freebody


def main() -> None:
    """Derive it by three formulations, print it, and the period of small swings."""
    model = freebody.load("pendulum")
    equations = freebody.derive(model, "newton_euler")
    print(equations)
    for method in ("kane", "lagrange"):
        same = str(freebody.derive(model, method)) == str(equations)
        print(f"{'the same' if same else 'another'} by {method}")
    (theta,) = equations.coordinates
    stiffness = equations.G[0].diff(theta).subs(theta, 0)
    period = 2 * sympy.pi * sympy.sqrt(equations.M[0] / stiffness)
    values = equations.mechanism.names.values()
    number = period.subs({symbol: values[symbol.name] for symbol in equations.constants})
    print(f"period of small swings: {period} = {float(number):.3f} s")


if __name__ == "__main__":
    main()
