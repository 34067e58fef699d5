"""Exercise 4: the trajectory of the one-link system for a typical joint torque.

The torque carries the weight, and first accelerates the forearm, then brakes it as much: one period
of a sine. Without the weight the equation of the text is Io*alpha_ddot = A*sin(2*pi*t/D), which has
a solution in closed form; the simulation is held against it.
"""

from __future__ import annotations

import numpy as np

import freebody

AMPLITUDE, DURATION = 5.34, 0.6
"""In N m and s."""


def main() -> None:
    """Simulate the movement, print the angle at some instants and how well it agrees."""
    run = freebody.simulate(
        "one_link",
        duration=DURATION,
        initial={"alpha": "-pi/2"},
        inputs={"T": f"m*g*d*cos(alpha) + {AMPLITUDE}*sin(2*pi*t/{DURATION})"},
    )
    angle = run.data["coordinates"].sel(coordinate="alpha")
    print("time [s]  angle [deg]")
    for time in angle["time"][::10]:
        print(f"{float(time):8.1f}  {float(np.degrees(angle.sel(time=time))):11.2f}")
    c = run.mechanism.names.values()
    about_joint = c["I"] + c["m"] * c["d"] ** 2
    t, rate = angle["time"].to_numpy(), 2 * np.pi / DURATION
    turned = AMPLITUDE / (about_joint * rate) * (t - np.sin(rate * t) / rate)
    difference = np.abs(angle.to_numpy() - (turned - np.pi / 2)).max()
    print(f"the solution in closed form differs by at most {difference:.0e} rad")


if __name__ == "__main__":
    main()
