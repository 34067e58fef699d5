"""Mechanisms of the gallery with published numbers: what is printed, and what freebody finds.

A row has the digits in which the worst number of a problem agrees, relative to the largest of its
kind, and the time it takes with what was compiled before. ``python benchmarks/published.py`` prints
the table; a name after it, the numbers one by one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

import freebody

Numbers = Any
G = 9.81


@dataclass(frozen=True)
class Problem:
    """A problem with numbers that are printed somewhere.

    Attributes
    ----------
    model : str
        The name of the shipped model.
    what : str
        What the numbers are.
    source : str
        Where they are printed.
    found : callable
        Gives them, as freebody finds them.
    published : array
    """

    model: str
    what: str
    source: str
    found: Callable[[], Numbers]
    published: Numbers

    def compared(self) -> tuple[Numbers, float, float]:
        """Return what freebody finds, its largest difference, and the time it takes, in s."""
        self.found()
        start = time.perf_counter()
        found = np.asarray(self.found())
        seconds = time.perf_counter() - start
        published = np.asarray(self.published)
        if found.shape != published.shape:
            raise SystemExit(f"{self.model}: expected {published.size} numbers, found {found.size}")
        scale = np.abs(published).max() or 1.0
        return found, float(np.abs(found - published).max() / scale), seconds


# ------------------------------------------------------------------ the bicycle

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


# ------------------------------------------------------------------ the IFToMM library


def pendulum() -> Numbers:
    """Return the time after which a pendulum that starts horizontally is there again."""
    events = [freebody.Event("theta_dot", "record", direction=-1)]
    run = freebody.simulate(
        "pendulum",
        5.0,
        constants={"m": 1.0, "d": 1.0, "I": 0.0},
        initial={"theta": "pi/2"},
        inputs={"T": 0},
        events=events,
        unchecked=True,
    )
    return next(one["time"] for one in run.events if one["time"] > 1)


def energy_drift(model: str, duration: float, **options: Any) -> float:
    """Return the change of energy of a motion without dissipation, which is to be zero."""
    return 1 + freebody.simulate(model, duration, **options).energy_drift


SQUEEZED = [
    0.1581077119629904e2,
    -0.1575637105984298e2,
    0.4082224013073101e-1,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    0.1048080741042263e1,
]


SQUEEZED_RATES = [
    *(0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2, 0.1929337464421385e2),
    *(0.5735699284790808, -0.1929337464421385e2, 0.3231791658026955),
]
SQUEEZED_ACCELERATIONS = [
    *(-0.2463176316945196e5, 0.5185037701610329e5, 0.3241025686413781e6, 0.5667493645176213e6),
    *(0.1674362929479361e5, -0.5667493645176222e6, 0.9826520791458422e4),
]


def squeezer(what: str = "coordinates") -> Numbers:
    """Return the seven angles of Andrews' mechanism after 0.03 s, or their derivatives."""
    run = freebody.simulate("squeezer", 0.03, step=0.0003, tolerance=1e-13)
    return run[what].isel(time=-1).to_numpy()


GOVERNOR = [
    *(
        0.5,
        0.523836,
        0.585079,
        0.658632,
        0.717713,
        0.743249,
        0.727631,
        0.675467,
        0.603181,
        0.536282,
    ),
    *(0.50142, 0.513713, 0.56773, 0.640878, 0.705698, 0.740684, 0.735264, 0.691027, 0.621601),
    *(0.550746, 0.505909, 0.506231, 0.551569, 0.622584, 0.691814, 0.735602, 0.740475, 0.705002),
    *(0.639911, 0.566833, 0.513246),
]
"""Height of the slider every 0.1 s, read off the curve of the library's reference, a drawing of lines."""


def governor() -> Numbers:
    """Return the height of the governor's slider every 0.1 s, in m."""
    run = freebody.simulate("governor", 3.0, step=0.1)
    return run.data["coordinates"].sel(coordinate="s").to_numpy()


# ------------------------------------------------------------------ billiards


def billiards() -> Numbers:
    """Return the velocity of a ball that has stopped to slide, in m/s."""
    run = freebody.simulate("billiard_ball", 1.5, step=0.5)
    return run.data["speeds"].sel(speed=["x_dot", "y_dot"])[-1].to_numpy()


BALL = 0.02858
"""Radius of the ball, in m; it starts with 2 m/s and turns by 10 and -30 rad/s."""
ROLLING = [5 * 2 / 7 + 2 * -30 * BALL / 7, 2 * -10 * BALL / 7]


# ------------------------------------------------------------------ satellites


def nutation() -> Numbers:
    """Return the transverse angular velocity of a gyrostat after 20 s, in rad/s."""
    run = freebody.simulate("gyrostat", 20, step=0.5, tolerance=1e-12)
    return run.data["speeds"].sel(speed=["w1", "w2"])[-1].to_numpy()


NUTATION = ((80 + 0.5) * 0.1 + 0.5 * 100 - 120 * 0.1) / 120
"""Its rate seen from the body, in rad/s, of 0.05 rad/s at first."""
TRANSVERSE = [0.05 * np.cos(20 * NUTATION), 0.05 * np.sin(20 * NUTATION)]


# ------------------------------------------------------------------ a quadrotor

QUADROTOR = {
    **{"m": 0.468, "l": 0.225, "k": 2.98e-6, "b": 1.14e-7, "IM": 3.357e-5, "A": 0.25},
    **{"Ixx": 4.856e-3, "Iyy": 4.856e-3, "Izz": 8.801e-3},
}
"""Luukkonen's constants, in SI units."""
SENSES = np.array([1, -1, 1, -1])
FLIGHT = {
    **{"angles": [0.4, -0.7, 1.1], "velocity": [1.3, -0.8, 2.1], "turning": [3.0, -2.0, 1.5]},
    **{"rotors": [500.0, 640.0, 710.0, 590.0], "motors": [0.03, 0.05, 0.06, 0.02]},
}
"""A flight: yaw, pitch and roll, velocity, angular velocity in the airframe's axes, rates of the rotors
and torques of their motors, in SI units."""


def hovering() -> Numbers:
    """Return how accelerations near hovering depend on velocity, attitude and rotors."""
    near = freebody.linearize("quadrotor")
    rows = [near.states.index(name) for name in ("vx", "vy", "vz", "p", "q")]
    columns = [near.states.index(name) for name in ("vx", "theta", "phi", "w1", "w2", "w3", "w4")]
    return near.A[np.ix_(rows, columns)]


def printed_hovering() -> Numbers:
    """Return the same as it is printed, with drag; the columns are as in ``hovering``."""
    of = QUADROTOR
    rate = np.sqrt(of["m"] * G / (4 * of["k"]))
    up, roll = 2 * of["k"] * rate / of["m"], 2 * of["l"] * of["k"] * rate / of["Ixx"]
    return np.array(
        [
            [-of["A"] / of["m"], G, 0, 0, 0, 0, 0],
            [0, 0, -G, 0, 0, 0, 0],
            [0, 0, 0, up, up, up, up],
            [0, 0, 0, 0, -roll, 0, roll],
            [0, 0, 0, -roll, 0, roll, 0],
        ]
    )


def flying() -> Numbers:
    """Return the accelerations of the quadrotor, of its angular velocity and of its rotors."""
    f = freebody.compile("quadrotor", outputs=["accelerations"])
    q = [0.0, 0.0, 0.0, *FLIGHT["angles"], 0.0, 0.0, 0.0, 0.0]
    u = [*FLIGHT["velocity"], *FLIGHT["turning"], *FLIGHT["rotors"]]
    return f.accelerations(0.0, q, u, FLIGHT["motors"])


def printed_flying() -> Numbers:
    """Return the same by Newton and Euler: m r'' = R F - m g - A r', I w' + w x (I w + h) = moments."""
    of, velocity, turning = QUADROTOR, np.array(FLIGHT["velocity"]), np.array(FLIGHT["turning"])
    rates, driven = np.array(FLIGHT["rotors"]), np.array(FLIGHT["motors"])
    turned = Rotation.from_euler("ZYX", FLIGHT["angles"]).as_matrix()
    thrusts, arm = of["k"] * rates**2, of["l"]
    straight = turned[:, 2] * thrusts.sum() / of["m"] - [0, 0, G] - of["A"] / of["m"] * velocity
    inertia = np.array([of["Ixx"], of["Iyy"], of["Izz"]])
    held = np.array([0, 0, of["IM"] * (SENSES @ rates)])
    moments = np.array([arm * (thrusts[3] - thrusts[1]), arm * (thrusts[2] - thrusts[0]), 0])
    moments[2] = -SENSES @ driven  # of the motors: drag acts on the rotors alone
    carried = inertia - [0, 0, 4 * of["IM"]]
    angular = (moments - np.cross(turning, inertia * turning + held)) / carried
    spun = (driven - of["b"] * rates**2) / of["IM"] - SENSES * angular[2]
    return np.array([*straight, *angular, *spun])


# ------------------------------------------------------------------ walking

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
    Problem(
        "pendulum",
        "A01: period from the horizontal, s",
        "closed form, 4 K(1/2) sqrt(l/g)",
        pendulum,
        4 * ellipk(0.5) * np.sqrt(1 / G),
    ),
    Problem(
        "n_four_bar",
        "A02: energy after 10 s by that at first",
        "IFToMM library: no change",
        lambda: energy_drift("n_four_bar", 10.0),
        1.0,
    ),
    Problem(
        "squeezer",
        "A03: angles after 0.03 s, rad",
        "Test Set for IVP Solvers, release 2.4 (2008), II-9",
        squeezer,
        SQUEEZED,
    ),
    Problem(
        "squeezer",
        "A03: rates after 0.03 s, rad/s",
        "Test Set for IVP Solvers, release 2.4 (2008), II-9",
        lambda: squeezer("speeds"),
        SQUEEZED_RATES,
    ),
    Problem(
        "squeezer",
        "A03: accelerations after 0.03 s, rad/s**2",
        "Test Set for IVP Solvers, release 2.4 (2008), II-9",
        lambda: squeezer("accelerations"),
        SQUEEZED_ACCELERATIONS,
    ),
    Problem(
        "bricard",
        "A04: energy after 10 s by that at first",
        "IFToMM library: no change",
        lambda: energy_drift("bricard", 10.0),
        1.0,
    ),
    Problem(
        "governor",
        "A05: height of the slider over 3 s, m",
        "IFToMM library, drawn by MBS-BOS (2015): six decimals",
        governor,
        GOVERNOR,
    ),
    Problem(
        "billiard_ball",
        "velocity once it rolls, m/s",
        "Coriolis, Jeu de billard (1835): closed form",
        billiards,
        ROLLING,
    ),
    Problem(
        "gyrostat",
        "transverse angular velocity after 20 s, rad/s",
        "Hughes, Spacecraft attitude dynamics (1986): closed form",
        nutation,
        TRANSVERSE,
    ),
    Problem(
        "quadrotor",
        "linear model near hovering",
        "Mahony et al., IEEE Robot. Autom. Mag. 19(3) (2012)",
        hovering,
        printed_hovering(),
    ),
    Problem(
        "quadrotor",
        "accelerations in a turn, m/s**2, rad/s**2",
        "Luukkonen (2011), equations (7) to (10)",
        flying,
        printed_flying(),
    ),
    Problem(
        "compass_gait",
        "rates of the legs after a strike",
        "Goswami et al., INRIA report 2996 (1996), Q+ and Q-",
        heel_strike,
        printed_strike(),
    ),
)


def rows() -> Iterator[str]:
    """Iterate over the lines of the table."""
    yield "| problem | numbers | published in | digits | s |"
    yield "|---|---|---|---|---|"
    for problem in PROBLEMS:
        _, off, seconds = problem.compared()
        digits = f"{min(-np.log10(off), 16):.1f}" if off else "all"
        yield f"| {problem.model} | {problem.what} | {problem.source} | {digits} | {seconds:.2f} |"


def told(problem: Problem) -> Iterator[str]:
    """Iterate over the numbers of a problem, one by one."""
    found, _, _ = problem.compared()
    yield f"{problem.model}: {problem.what} ({problem.source})"
    for one, other in zip(np.ravel(problem.published), np.ravel(found), strict=True):
        yield f"  published {one:.16g}  freebody {other:.16g}"


def main(names: list[str]) -> None:
    """Print the table, or the numbers of some problems."""
    for line in rows() if not names else ():
        print(line, flush=True)
    for problem in PROBLEMS:
        for line in told(problem) if problem.model in names else ():
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
