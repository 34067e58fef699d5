"""Exercise 7: the torques of the arm with other parameters.

The reach of the text, from hanging to the upper arm level and the elbow at a right angle, along the
smoothest path of the joints: with another table of body segments, another person, and in another
time. The elbow's angle moves smoothly from its first value, so there is no singularity.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import freebody
from freebody.motion import posture_reach

ARM = Path(__file__).parents[1] / "arm.toml"
START, END = (-np.pi / 2, 0.0), (0.0, np.pi / 2)
NAMES = ("alpha1", "alpha2")

RUNS = (
    ("the text's numbers: 1.70 m, 70 kg, 0.5 s", None, {}, 0.5),
    ("Dempster's table, on the length that it measures", "dempster_winter", {}, 0.5),
    ("de Leva's table", "de_leva_1996", {}, 0.5),
    ("the text's for another person: 1.90 m, 95 kg", None, {"height": 1.9, "body_mass": 95}, 0.5),
    ("the text's in 1 s", None, {}, 1.0),
    ("the text's in 4 s", None, {}, 4.0),
)
"""Title, table of body segments if any, constants and duration."""


def main() -> None:
    """Print the largest torques of shoulder and elbow, with gravity and without."""
    print(
        "largest torques of shoulder and elbow [N m], and what is largest of them without gravity:"
    )
    for title, table, person, duration in RUNS:
        start, end = (dict(zip(NAMES, posture, strict=True)) for posture in (START, END))
        reach = posture_reach(start, end, duration, unit="rad")
        model = freebody.load(ARM, table=table) if table else freebody.load("two_link")
        found = freebody.inverse(model, reach, constants=person).data
        torque = np.abs(found["generalized"]).max("time").to_numpy()
        moving = found["generalized"] - found["terms"].sel(term="G", drop=True)
        rest = np.abs(moving).max("time").to_numpy()
        pairs = (f"{pair[0]:6.2f} {pair[1]:6.2f}" for pair in (torque, rest))
        print(f"{'   '.join(pairs)}   {title}")


if __name__ == "__main__":
    main()
