"""The IFToMM library of computational benchmark problems, A01 to A05."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ellipk

import freebody
from problems.problem import G, Numbers, Problem


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
"""Height of the slider every 0.1 s: the corners of the line that is drawn of the reference."""


def governor() -> Numbers:
    """Return the height of the governor's slider every 0.1 s, in m."""
    run = freebody.simulate("governor", 3.0, step=0.1)
    return run.data["coordinates"].sel(coordinate="s").to_numpy()


PROBLEMS = (
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
)
