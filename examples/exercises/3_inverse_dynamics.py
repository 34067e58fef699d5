"""Exercise 3: the joint torque of the one-link system along a typical trajectory.

The forearm is lifted from hanging to level by the smoothest movement, in 0.6 s. The torque by terms
is that of inverse dynamics from the sampled angle alone; beside it stands the equation of the text,
T = Io*alpha_ddot + m*g*d*cos(alpha), with the exact derivatives of the trajectory.
"""

from __future__ import annotations

import numpy as np

import freebody
from freebody.motion import Motion, posture_reach

DURATION = 0.6


def main() -> None:
    """Print the torque by terms at some instants, its peak, and how well the two ways agree."""
    model = freebody.load("one_link")
    reach = posture_reach({"alpha": -np.pi / 2}, {"alpha": 0}, DURATION, unit="rad")
    recorded = Motion.of(reach.times, {"alpha": reach.data["coordinates"][:, 0]}, unit="rad")
    found = freebody.inverse(model, recorded).data.isel(speed=0)
    print("time [s]  inertia [N m]  gravity [N m]  torque [N m]")
    for row in (found.isel(time=k) for k in range(0, len(reach.times), 100)):
        inertia, gravity = (float(row["terms"].sel(term=term)) for term in ("inertia", "G"))
        torque = float(row["generalized"])
        print(f"{float(row.time):8.1f}  {inertia:13.3f}  {gravity:13.3f}  {torque:12.3f}")
    expected = by_the_text(model, reach)
    difference = np.abs(found["generalized"].to_numpy() - expected)[10:-10].max()
    print(f"largest torque {expected.max():.3f} N m")
    print(f"away from the ends the text's equation differs by at most {difference:.0e} N m")


def by_the_text(model: freebody.Model, reach: Motion) -> np.ndarray:
    """Return the torque by the equation of the text."""
    c = freebody.mechanism(model).names.values()
    alpha, acceleration = (reach.data[name][:, 0] for name in ("coordinates", "accelerations"))
    about_joint = c["I"] + c["m"] * c["d"] ** 2
    torque = about_joint * acceleration + c["m"] * c["g"] * c["d"] * np.cos(alpha)
    return np.asarray(torque)


if __name__ == "__main__":
    main()
