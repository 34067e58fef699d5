"""The Whipple bicycle, upright and far from it."""

from __future__ import annotations

import numpy as np

import freebody
from problems.problem import G, Numbers, Problem

EIGENVALUES = {
    0.0: [-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393],
    5.0: [
        -14.07838969279822,
        -0.77534188219585 - 4.46486771378823j,
        -0.77534188219585 + 4.46486771378823j,
        -0.32286642900409,
    ],
}


WEAVE = [
    3.52696170990070 + 0.80774027519930j,
    2.68234517512745 + 1.68066296590675j,
    1.70675605663975 + 2.31582447384325j,
    0.41325331521125 + 3.07910818603206j,
    -0.77534188219585 + 4.46486771378823j,
    -1.52644486584142 + 5.87673060598709j,
    -2.13875644258362 + 7.19525913329805j,
    -2.69348683581097 + 8.46037971396931j,
    -3.21675402252485 + 9.69377351531791j,
    -3.72016840437287 + 10.90681139476287j,
]
CAPSIZE = [
    *(-3.13423125066578, -3.07158645641514, -2.63366137253667, -1.42944427361326),
    *(-0.32286642900409, -0.00406690076970, 0.10268170574766, 0.14327879765713),
    *(0.15790184030917, 0.16105338653172),
]
"""Both at 1 to 10 m/s."""
MATRICES = [
    [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]],
    [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]],
    [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]],
    [[0, 76.59734589573222], [0, 2.65431523794604]],
]
"""M, C1, K0 and K2 of lean and steer, in SI units."""


def riding(speed: float) -> freebody.Linearization:
    """Return the upright bicycle at a speed in m/s, linearized."""
    return freebody.linearize("bicycle", initial={"rear_dot": f"-{speed}/rR"})


def bicycle(speed: float) -> Numbers:
    """Return the eigenvalues of the upright bicycle at a speed, in m/s."""
    moving = [value for value in riding(speed).eigenvalues if abs(value) > 1e-3]
    return np.sort_complex(np.array(moving))


def weave_and_capsize() -> Numbers:
    """Return the eigenvalues of weave and of capsize at 1 to 10 m/s."""
    found = [bicycle(speed)[1:] for speed in range(1, 11)]  # the first is of castering
    weave = [next(value for value in values if value.imag > 0) for values in found]
    return np.array([*weave, *(min(values, key=lambda x: abs(x.imag)) for values in found)])


def lean_and_steer() -> Numbers:
    """Return M, C1, K0 and K2, the first by the speeds that rolling allows."""
    f, still = freebody.compile("bicycle"), riding(0.0)
    q = [still.state[name] for name in f.coordinates]
    M, J = f.mass_matrix(q), f.constraint_matrix(q)
    free = [f.coordinates.index(name) for name in ("lean", "steer", "rear")]
    rest = [place for place in range(len(q)) if place not in free]
    allowed = np.zeros((len(q), len(free)))
    allowed[free] = np.eye(len(free))
    allowed[rest] = -np.linalg.solve(J[:, rest], J[:, free])
    M = (allowed.T @ M @ allowed)[:2, :2]
    (K0, _), (K5, C5) = (_stiffness_and_damping(M, one) for one in (still, riding(5.0)))
    return np.array([M, C5 / 5, K0 / G, (K5 - K0) / 25])


def _stiffness_and_damping(M: Numbers, near: freebody.Linearization) -> tuple[Numbers, Numbers]:
    rates = [near.states.index(name) for name in ("lean_dot", "steer_dot")]
    angles = [near.states.index(name) for name in ("lean", "steer")]
    return -M @ near.A[np.ix_(rates, angles)], -M @ near.A[np.ix_(rates, rates)]


MOVING = {
    "x": (0.0, -2.8069345714545, -0.5041626315047),
    "y": (0.0, -0.1480982396001, -0.3449706619454),
    "z": (0.2440472102925, 0.1058778746261, -1.4604528332980),
    "theta": (0.0, 0.7830033527065, 0.8353281706379),
    "psi": (0.9501292851472, 0.6068425835418, -7.8555281128244),
    "phi": (3.1257073014894, -0.0119185528069, 0.1205543897884),
    "psi_f": (0.2311385135743, 0.4859824687093, -4.6198904039403),
    "beta_r": (0.0, 8.9129896614890, 1.8472554144217),
    "beta_f": (0.0, 8.0133620584155, 2.4548072904550),
}
"""A state of the bicycle far from upright, with speeds and accelerations, as it is printed."""
SENSE = np.array([-1, 1, -1, -1, -1, -1, -1, -1, -1])
"""The printed axes are ours after half a turn about y, and wheels lean and turn against ours."""
ZERO = np.array([0, 0, 0, 0, np.pi / 2, np.pi, 0, 0, 0])
"""Where ours are zero, in the printed angles of lean and pitch."""


def bicycle_far_from_upright() -> Numbers:
    """Return the accelerations of the bicycle in that state, in the printed coordinates."""
    q, u, _ = np.array([*MOVING.values()]).T
    f = freebody.compile("bicycle", outputs=["accelerations"])
    return SENSE * f.accelerations(0.0, SENSE * (q - ZERO), SENSE * u)


PROBLEMS = (
    Problem(
        "bicycle",
        "eigenvalues at rest, 1/s",
        "Meijaard et al., Proc. R. Soc. A 463 (2007), table 2",
        lambda: bicycle(0.0),
        np.sort_complex(np.array(EIGENVALUES[0.0])),
    ),
    Problem(
        "bicycle",
        "eigenvalues at 5 m/s, 1/s",
        "Meijaard et al., Proc. R. Soc. A 463 (2007), table 2",
        lambda: bicycle(5.0),
        np.sort_complex(np.array(EIGENVALUES[5.0])),
    ),
    Problem(
        "bicycle",
        "weave and capsize at 1 to 10 m/s, 1/s",
        "Meijaard et al., Proc. R. Soc. A 463 (2007), table 2",
        weave_and_capsize,
        [*WEAVE, *CAPSIZE],
    ),
    Problem(
        "bicycle",
        "M, C1, K0, K2 of lean and steer",
        "Meijaard et al., Proc. R. Soc. A 463 (2007), section 5",
        lean_and_steer,
        MATRICES,
    ),
    Problem(
        "bicycle",
        "accelerations far from upright, 1/s**2",
        "Basu-Mandal et al., Proc. R. Soc. A 463 (2007), table 1",
        bicycle_far_from_upright,
        [acceleration for _, _, acceleration in MOVING.values()],
    ),
)
