"""Walkers, as they swing and strike."""

from __future__ import annotations

import numpy as np

import freebody
from problems.problem import Numbers, Problem

LEANS = (0.2, -0.3)


def heel_strike() -> Numbers:
    """Return the rates of both legs after a strike, for unit rates of either before it."""
    f = freebody.compile("compass_gait", outputs=["impact.heel1"])["impact.heel1"]
    first, second = LEANS
    columns = []
    for rates in ((1.0, 0.0), (0.0, 1.0)):
        hip = [-np.cos(second) * rates[1], -np.sin(second) * rates[1]]
        state = [-np.sin(second), np.cos(second), first, second]
        after = f.of({"t": 0.0, "q": state, "u": [*hip, *rates], "constants": None})
        columns.append(after[2:4])
    return np.array(columns).T


def printed_strike() -> Numbers:
    """Return the same by Q⁺ θ̇⁺ = Q⁻ θ̇⁻ as it is printed, of the swinging leg and the other."""
    hip, m, leg, a, b = 10.0, 5.0, 1.0, 0.5, 0.5
    c = np.cos(LEANS[0] - LEANS[1])
    before = [[-m * a * b, -m * a * b + (hip * leg**2 + 2 * m * a * leg) * c], [0, -m * a * b]]
    after = [
        [m * b * (b - leg * c), m * leg * (leg - b * c) + m * a**2 + hip * leg**2],
        [m * b**2, -m * b * leg * c],
    ]
    turned = np.linalg.solve(after, before)  # the legs change their parts: (swinging, other)
    return turned[::-1]


# ------------------------------------------------------------------ five links

SUPPORT = {
    "angles": [-0.3, 0.7, 0.1, -0.5, -0.6],
    "rates": [0.9, -1.1, 0.4, 2.0, -1.5],
    "torques": [-20.0, 15.0, -30.0, 10.0],
}
"""One foot stands: angles of shank, thigh, trunk, the other thigh and shank, in SI units."""
SUPPORTED = [
    *(-13.20595727454988, 9.198839452434015, 18.814604183802892),
    *(-23.45749172366582, 14.519346944489948),
]
"""Their accelerations by Kelly's functions, which take c3, 0.425 m, from the top of the trunk."""
STRUCK = {"angles": [-0.8, -0.6, -0.2, 0.5, -0.85], "rates": SUPPORT["rates"]}
"""The other foot strikes, in the posture of his test."""
AFTER = [
    *(-0.3938153576065643, 0.11167224171940535, 0.37760706978028785),
    *(-1.1589609560163094, 0.8787214203051086),
]
"""The rates after it by the same functions, in which the legs change their parts."""
FOOT = 2
"""As many coordinates are those of the first foot, which stands."""


def single_support() -> Numbers:
    """Return the accelerations of the biped's five angles while a foot stands, in rad/s**2."""
    f = freebody.compile("five_link_biped", outputs=["mass_matrix", "bias", "gravity", "actuation"])
    given = {"t": 0.0, "constants": None, "inputs": SUPPORT["torques"]}
    given |= {"q": [0.0, 0.0, *SUPPORT["angles"]], "u": [0.0, 0.0, *SUPPORT["rates"]]}
    M, C, G, tau = (f[name].of(given) for name in ("mass_matrix", "bias", "gravity", "actuation"))
    return np.linalg.solve(M[FOOT:, FOOT:], (tau - C - G)[FOOT:])


def five_link_strike() -> Numbers:
    """Return the rates of the biped's angles after the second heel strikes, its leg first."""
    f = freebody.compile("five_link_biped", outputs=["impact.heel2"])["impact.heel2"]
    first, second = np.array([1, 1, 0, 0, 0]), np.array([0, 0, 0, 1, 1])
    foot = 0.4 * np.cos(STRUCK["angles"]) @ (second - first)
    q, u = [0.0, foot, *STRUCK["angles"]], [0.0, 0.0, *STRUCK["rates"]]
    after = f.of({"t": 0.0, "q": q, "u": u, "constants": None})
    return after[FOOT : len(u)][::-1]


PROBLEMS = (
    Problem(
        "compass_gait",
        "rates of the legs after a strike",
        "Goswami et al., INRIA report 2996 (1996), Q+ and Q-",
        heel_strike,
        printed_strike(),
    ),
    Problem(
        "five_link_biped",
        "accelerations in single support, rad/s**2",
        "functions of Kelly, SIAM Review 59(4) (2017)",
        single_support,
        SUPPORTED,
    ),
    Problem(
        "five_link_biped",
        "rates after a heel strike, rad/s",
        "functions of Kelly, SIAM Review 59(4) (2017)",
        five_link_strike,
        AFTER,
    ),
)
