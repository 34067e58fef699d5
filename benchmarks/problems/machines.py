"""Bodies that roll, spin and fly: a billiard ball, a satellite, a quadrotor."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import freebody
from problems.problem import G, Numbers, Problem


def billiards() -> Numbers:
    """Return the velocity of a ball that has stopped to slide, in m/s."""
    run = freebody.simulate("billiard_ball", 1.5, step=0.5)
    return run.data["speeds"].sel(speed=["x_dot", "y_dot"])[-1].to_numpy()


BALL = 0.02858
"""Radius of the ball, in m; it starts with 2 m/s and turns by 10 and -30 rad/s."""
ROLLING = [5 * 2 / 7 + 2 * -30 * BALL / 7, 2 * -10 * BALL / 7]


def nutation() -> Numbers:
    """Return the transverse angular velocity of a gyrostat after 20 s, in rad/s."""
    run = freebody.simulate("gyrostat", 20, step=0.5, tolerance=1e-12)
    return run.data["speeds"].sel(speed=["w1", "w2"])[-1].to_numpy()


NUTATION = ((80 + 0.5) * 0.1 + 0.5 * 100 - 120 * 0.1) / 120
"""Its rate seen from the body, in rad/s, of 0.05 rad/s at first."""
TRANSVERSE = [0.05 * np.cos(20 * NUTATION), 0.05 * np.sin(20 * NUTATION)]


QUADROTOR = {
    "m": 0.468,
    "l": 0.225,
    "k": 2.98e-6,
    "b": 1.14e-7,
    "IM": 3.357e-5,
    "A": 0.25,
    "Ixx": 4.856e-3,
    "Iyy": 4.856e-3,
    "Izz": 8.801e-3,
}
"""Luukkonen's constants, in SI units."""
SENSES = np.array([1, -1, 1, -1])
FLIGHT = {
    "angles": [0.4, -0.7, 1.1],
    "velocity": [1.3, -0.8, 2.1],
    "turning": [3.0, -2.0, 1.5],
    "rotors": [500.0, 640.0, 710.0, 590.0],
    "motors": [0.03, 0.05, 0.06, 0.02],
}
"""A flight: yaw, pitch and roll, velocity, angular velocity in the airframe's axes, rates of the
rotors and torques of their motors, in SI units."""


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
    """Return the same: m r'' = R F - m g - A r', and I w' + w x (I w + h) = moments."""
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


PROBLEMS = (
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
)
