"""How far the energy of the double pendulum drifts, by three ways to integrate it.

The page of Watanabe and Duarte integrates its double pendulum for 20 s by forward Euler, and its
listing has a wrong length in the weight of the first bar; ``freebody check double_pendulum``
finds the term. Here the same loop runs with the right term and with the one of the listing,
beside freebody's own simulation. All three start from the page's initial values, and for all
three it is the true energy that is drawn.

Run it with ``python examples/euler_drift.py [picture.png]``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sympy
from matplotlib.figure import Figure
from numpy.typing import NDArray

import freebody
from freebody.files import atomic_write

Array = NDArray[np.float64]
Function = Callable[..., float]
DURATION, STEP = 20.0, 0.0001


def main(picture: Path) -> None:
    """Integrate in three ways, print the drifts and draw the energies."""
    model = freebody.load("double_pendulum")
    equations = freebody.derive(model)
    run = freebody.simulate(model, duration=DURATION)
    right = list(equations.G)
    energies = {
        "freebody": run.data["energy"].sel(kind="total").to_numpy(),
        "Euler, right weight": euler(equations, right),
        "Euler, the listing's weight": euler(equations, gravity_of_listing(equations, right)),
    }
    largest = float(run.data["energy"].sel(kind="kinetic").max())
    for name, energy in energies.items():
        drift = abs(energy - energy[0]).max() / largest
        print(f"{name:28} drift of the true energy {drift:.1e} of the largest kinetic energy")
    draw(energies, picture)
    print(f"wrote {picture}")


def gravity_of_listing(equations: freebody.Equations, right: list[sympy.Expr]) -> list[sympy.Expr]:
    """Return the gravity terms of the page's listing, by the terms that the check finds in it."""
    pages = freebody.check("double_pendulum").documents
    verdict = next(one for page in pages for one in page.equations if one.label == "(code G)")
    wrong = list(right)
    for difference in verdict.differences:
        row = int(difference.entry.strip("[]")) - 1
        excess = sympy.Rational(difference.printed) - sympy.Rational(difference.derived)
        # the page has gravity on the right-hand side
        wrong[row] -= excess * equations.mechanism.names.read(difference.term)
    return wrong


def euler(equations: freebody.Equations, gravity: list[sympy.Expr]) -> Array:
    """Return the true energy along a forward Euler integration."""
    M, C = equations.M, equations.C
    energy = equations.kinetic_energy + equations.potential_energy
    evaluate = _function(equations, [*M[0, :], M[1, 1], *C, *gravity, energy])
    names = equations.mechanism.names
    state = [float(sympy.sympify(names.read(c.initial))) for c in names.model.coordinates.values()]
    state += [float(names.read(c.initial_speed)) for c in names.model.coordinates.values()]
    energies = np.empty(round(DURATION / STEP) + 1)
    for i in range(len(energies)):
        m11, m12, m22, c1, c2, g1, g2, energies[i] = evaluate(*state)
        a, b, determinant = -c1 - g1, -c2 - g2, m11 * m22 - m12**2
        rates = (*state[2:], (m22 * a - m12 * b) / determinant, (m11 * b - m12 * a) / determinant)
        state = [x + STEP * rate for x, rate in zip(state, rates, strict=True)]
    return energies


def _function(equations: freebody.Equations, expressions: list[sympy.Expr]) -> Function:
    names = equations.mechanism.names
    values = {names.constants[name]: value for name, value in names.values().items()}
    states = [*equations.coordinates, *equations.speeds]
    return sympy.lambdify(states, [e.xreplace(values) for e in expressions], "math", cse=True)


def draw(energies: dict[str, Array], picture: Path) -> None:
    """Draw the energies over time."""
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for (name, energy), color in zip(
        energies.items(), ("#1b6ca8", "#3a7d44", "#d1495b"), strict=True
    ):
        axes.plot(np.linspace(0, DURATION, len(energy)), energy, label=name, color=color)
    axes.set_xlabel("time [s]")
    axes.set_ylabel("true energy [J]")
    axes.set_title("The double pendulum of Watanabe and Duarte, three ways")
    axes.legend(loc="upper left")
    axes.grid(visible=True, color="#e6e6e6")
    with atomic_write(picture) as temporary:
        figure.savefig(temporary, dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "euler_drift.png"))
