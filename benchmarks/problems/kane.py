"""Problems of Kane and Levinson, Dynamics: Theory and Applications (1985), with its answers."""

from __future__ import annotations

from typing import Any

import numpy as np

import freebody
from problems.problem import G, Numbers, Problem

# ------------------------------------------------------------------ problems 11.1 and 11.2

PANES = {"q": [0.5, -0.2, 0.4], "u": [0.7, -0.3, 1.9], "m1": 0.7, "m2": 0.4, "L": 0.3, "w": 3.0}
"""A state of the rod between the panes, and the constants, in SI units."""


def accelerations(model: str, q: list[float], u: list[float]) -> Numbers:
    """Return what u becomes in a second, at the start of a motion."""
    return freebody.compile(model, outputs=["accelerations"]).accelerations(0.0, q, u)


def rod() -> Numbers:
    """Return the accelerations of the rod between the panes."""
    return accelerations("rotating_panes", PANES["q"], PANES["u"])


def printed_rod() -> Numbers:
    """Return the same by the answer to problem 11.1."""
    (q1, _, q3), (u1, u2, u3) = PANES["q"], PANES["u"]
    s, c, w = np.sin(q3), np.cos(q3), PANES["w"]
    drawn = ((w * c) ** 2 + u3**2) * PANES["L"] * PANES["m2"] / (PANES["m1"] + PANES["m2"])
    along = -G * s + w**2 * q1 * c + u2 * u3 + drawn
    return np.array([along, -G * c - (w**2 * q1 * s + u3 * u1), -(w**2) * s * c])


def edge() -> Numbers:
    """Return the accelerations of the rod with a sharp-edged disc."""
    u1, u2, _ = PANES["u"]
    found = accelerations("sharp_edged_disc", PANES["q"], [u1, u2, -u2 / PANES["L"]])
    return found[:2]


def printed_edge() -> Numbers:
    """Return the same by the answer to problem 11.2."""
    (q1, _, q3), (u1, u2, _) = PANES["q"], PANES["u"]
    s, c, w, L = np.sin(q3), np.cos(q3), PANES["w"], PANES["L"]
    drawn = PANES["m2"] * L * (w * c) ** 2 - PANES["m1"] * u2**2 / L
    along = -G * s + w**2 * q1 * c + drawn / (PANES["m1"] + PANES["m2"])
    return np.array([along, -G * c - w**2 * q1 * s + u1 * u2 / L])


# ------------------------------------------------------------------ problem 11.7

REACH = {"q": [0.3, 0.7, 0.15], "u": [1.1, -0.8, 0.4], "forces": [5.0, -7.0, 9.0]}
"""A state of the robot arm, with two torques and a force."""


def robot_arm() -> Numbers:
    """Return the matrix X and the column Y of X u' = Y, in the signs of the answer."""
    f = freebody.compile("robot_arm", outputs=["mass_matrix", "bias", "gravity", "actuation"])
    given = {"t": 0.0, "q": REACH["q"], "u": REACH["u"]}
    given |= {"inputs": REACH["forces"], "constants": None}
    names = ("mass_matrix", "bias", "gravity", "actuation")
    M, C, G_, tau = (f[name].of(given) for name in names)
    return np.column_stack([-M, C + G_ - tau])


def printed_robot_arm() -> Numbers:
    """Return the same by the answer to problem 11.7, with its Z."""
    of = {name: one.value for name, one in freebody.load("robot_arm").constants.items()}
    return _answer_11_7(**of)


def _answer_11_7(
    *,
    LA: float,
    LP: float,
    LB: float,
    p1: float,
    p2: float,
    p3: float,
    mA: float,
    mB: float,
    mC: float,
    mD: float,
    A1: float,
    B1: float,
    B2: float,
    B3: float,
    C1: float,
    C2: float,
    C3: float,
    D11: float,
    D22: float,
    D33: float,
    D12: float,
    D23: float,
    D31: float,
    g: float,
    **_: Any,
) -> Numbers:
    (_, q1, q2), (u1, u2, u3), (T1, T2, K3) = REACH["q"], REACH["u"], REACH["forces"]
    s, c = np.sin(q1), np.cos(q1)
    Z1, Z2 = u1 * c, u1 * s
    Z3, Z4, Z6, Z7 = -Z2 * u2, Z1 * u2, -(LP + LB * c), u2 * LB
    Z8, Z9, Z10 = Z6 * u1, LB + q2, Z6 - q2 * c
    Z11, Z12, Z13, Z14 = u2 * Z9, Z10 * u1, -s * p2, Z9 + p3
    Z15, Z16 = Z10 + s * p1 - c * p3, c * p2
    Z17, Z18, Z19 = Z13 * u1 + Z14 * u2, Z15 * u1, Z16 * u1 - u2 * p1 + u3
    Z21, Z22 = LB * s * u2, -Z2 * Z8
    Z23, Z25 = Z21 * u1 + Z2 * Z7, Z21 - u3 * c + q2 * s * u2
    Z26, Z27, Z28 = 2 * u2 * u3 - Z2 * Z12, Z25 * u1 + Z2 * Z11 - Z1 * u3, Z1 * Z12 - u2 * Z11
    Z29, Z30, Z31 = -Z16 * u2, Z25 + u2 * (c * p1 + s * p3), Z13 * u2
    Z32, Z33 = Z29 * u1 + u2 * (u3 + Z19) - Z2 * Z18, Z30 * u1 + Z2 * Z17 - Z1 * Z19
    Z34 = Z31 * u1 + Z1 * Z18 - u2 * Z17
    k1, k2, k3, k4, k5, k6 = B2 - B3, B3 - B1, B1 - B2, C2 - C3, C3 - C1, C1 - C2
    k7, k8, k9 = D33 - D22, D11 - D33, D22 - D11
    Z36, Z37, Z40 = Z3 * (B1 + k1), Z2 * Z1, Z4 * (B3 - k3)
    Z38, Z42, Z43, Z45 = -Z37 * k2, Z3 * (C1 + k4), -Z37 * k5, Z4 * (C3 - k6)
    Z46, Z47, Z48 = Z1**2, u2**2, Z2**2
    Z49, Z51, Z53 = D11 * c + D31 * s, D23 * s + D12 * c, D33 * s + D31 * c
    Z50 = (D11 - k7) * Z3 + 2 * D31 * Z4 - D12 * Z37 + D23 * (Z47 - Z48)
    Z52 = D31 * (Z48 - Z46) + k8 * Z37
    Z54 = 2 * D31 * Z3 + (D33 + k9) * Z4 + D23 * Z37 + D12 * (Z46 - Z47)
    X11 = A1 + c * (c * B1 + c * C1 + Z49) + s * (s * B3 + s * C3 + Z53) + mA * LA**2
    X11 += mB * Z6**2 + mC * Z10**2 + mD * (Z13**2 + Z15**2 + Z16**2)
    X12, X13 = Z51 + mD * (Z13 * Z14 - Z16 * p1), mD * Z16
    X22 = B2 + C2 + D22 + mB * LB**2 + mC * Z9**2 + mD * (Z14**2 + p1**2)
    X = -np.array([[X11, X12, X13], [X12, X22, -mD * p1], [X13, -mD * p1, mC + mD]])
    Y1 = c * (Z36 + Z42 + Z50) + s * (Z40 + Z45 + Z54) + mB * Z6 * Z23 + mC * Z10 * Z27
    Y1 += mD * (Z13 * Z32 + Z15 * Z33 + Z16 * Z34) - T1
    Y2 = Z38 + Z43 + Z52 + mB * LB * Z22 + mC * Z9 * Z26 + mD * (Z14 * Z32 - p1 * Z34) - T2
    Y2 += g * ((mB * LB + mC * Z9 + mD * Z14) * c - mD * p1 * s)
    Y3 = mC * Z28 + mD * Z34 - K3 + g * (mC + mD) * s
    return np.column_stack([X, [Y1, Y2, Y3]])


# ------------------------------------------------------------------ problems 8.12, 8.17 and 11.14

DOWN = {"heading": 0.6, "turning": 0.8, "ahead": 1.4}
"""A motion of the cart on the slope: its angle, in rad, its rate, and its speed, in m/s."""


def cart() -> Numbers:
    """Return the accelerations of the cart, of its heading and ahead."""
    u1, u2 = DOWN["turning"], DOWN["ahead"]
    rates = [(u2 - 0.3 * u1) / 0.15, (u2 + 0.3 * u1) / 0.15]
    q = [0.0, 0.0, DOWN["heading"], 0.0, 0.0]
    return accelerations("cart_on_slope", q, [u1, u2, 0.0, *rates])[:2]


def printed_cart() -> Numbers:
    """Return the same by the answers: the generalized active and inertia forces, and friction."""
    of = {name: one.value for name, one in freebody.load("cart_on_slope").constants.items()}
    m, b, a, f, R, mu = (of[name] for name in ("mA", "b", "a", "f", "R", "mu"))
    u1, u2, heading = DOWN["turning"], DOWN["ahead"], DOWN["heading"]
    whole, slid = m + 2 * of["mB"], np.hypot(u2, f * u1)
    weight = whole * G
    pressed = m * a * G * np.cos(of["slope"]) / (f - mu * R * u2 / slid)
    back, aside = -mu * pressed * u2 / slid, -mu * pressed * f * u1 / slid
    F1 = f * aside + m * a * G * np.sin(of["slope"]) * np.cos(heading)
    F2 = back + weight * np.sin(of["slope"]) * np.sin(heading)
    about = of["IA"] + 2 * of["J"] * b**2 / R**2 + 2 * of["K"] + m * a**2 + 2 * of["mB"] * b**2
    ahead = whole + 2 * of["J"] / R**2
    return np.array([(F1 - m * a * u1 * u2) / about, (F2 + m * a * u1**2) / ahead])


SOURCE = "Kane & Levinson, Dynamics (1985), problem"

PROBLEMS = (
    Problem(
        "rotating_panes",
        "accelerations along and across the rod",
        f"{SOURCE} 11.1",
        rod,
        printed_rod(),
    ),
    Problem(
        "sharp_edged_disc",
        "accelerations with a sharp-edged disc",
        f"{SOURCE} 11.2",
        edge,
        printed_edge(),
    ),
    Problem("robot_arm", "the matrices X and Y", f"{SOURCE} 11.7", robot_arm, printed_robot_arm()),
    Problem(
        "cart_on_slope",
        "accelerations of the cart",
        f"{SOURCE}s 8.12, 8.17, 11.14",
        cart,
        printed_cart(),
    ),
)
