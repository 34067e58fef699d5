"""Exercise 2: the equations of motion of a double pendulum that is not inverted.

The first angle is measured from the downward vertical, the second from the first link. As the text
says, they are those of its two links with other angles: alpha1 is 90 degrees more in these.
"""

from __future__ import annotations

import sympy

import freebody
from freebody.algebra import equal


def main() -> None:
    """Derive them, and compare them with those of the two links."""
    hanging = freebody.derive(freebody.load("hanging_double_pendulum"))
    print(hanging)
    arm = freebody.derive(freebody.load("two_link"))
    alpha1 = arm.coordinates[0]
    no_force = dict.fromkeys(arm.inputs, 0)
    for name in ("M", "C", "G"):
        turned = getattr(arm, name).subs(no_force).subs(alpha1, alpha1 - sympy.pi / 2)
        same = all(equal(a, b) for a, b in zip(turned, getattr(hanging, name), strict=True))
        print(f"{name}: {'the same as' if same else 'another than'} that of the two links, turned")


if __name__ == "__main__":
    main()
