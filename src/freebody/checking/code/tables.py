"""What values, functions and entries of states are called in code, by what they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from freebody.code.values import Leaf


def _named(**names: str) -> Mapping[str, str]:
    return {name: meant for meant, told in names.items() for name in told.split()}


MATRICES = _named(
    M="m mass massmatrix mm inertia inertiamatrix mq h d b mmat massmat mmatrix minertia",
    inverse="minv invm inversemass massinverse",
    Cu="c cmatrix coriolis coriolismatrix cor cmat",
)
VECTORS = _named(
    C="c cvec coriolis cor cvector centrifugal cqd coriolisforces coriolisvector",
    G="g gvec gravity grav taug gq gvector gravityvector gravityforces gravitytorques",
    forcing="forcing forcingvector rhs f b forces",
    bias="bias h n nonlinear nonlineareffects cg",
    E="external externalforces e",
    tau="tau torque torques inversedynamics rnea",
    acc="qdd ddq acc accel accelerations acceleration qddot udot forwarddynamics aba thetadd "
    "ddtheta thddot ddth ddqdt qacc",
)
ENERGIES = {
    name: f"energy.{kind}"
    for name, kind in _named(
        kinetic="kinetic kineticenergy ke ek tkin ekin",
        potential="potential potentialenergy pe ep vpot epot",
        total="energy totalenergy mechanicalenergy etot etotal",
        lagrangian="lagrangian",
    ).items()
}
SHORT_ENERGIES = {
    name: f"energy.{kind}"
    for name, kind in _named(kinetic="t k", potential="v u", total="e", lagrangian="l").items()
}
ABBREVIATED = frozenset(("ke", "ek", "pe", "ep"))
"""Energies that are told by these letters where both have names."""
SIGNED = frozenset({"M", "C", "G", "Cu", "bias", "forcing", "gravity", "E"})
"""Vectors that may be meant on the other side."""
AFFIXES = re.compile(
    r"^(?:get|compute|calc|calculate|eval|evaluate|make|build)_?"
    r"|_?(?:fun|func|fcn|function|ll|lambda|expr|vec|vector)$"
)
STEPS = frozenset(("dt", "h", "tau", "timestep", "time_step", "step", "delta_t", "deltat", "ts"))
TIME = frozenset({"t", "time", "tt"})
STATES = frozenset(
    ("y", "x", "state", "s", "z", "states", "yvec", "statevec", "z0", "xx", "vars", "u", "q", "w",
     "r", "f0", "initial", "in1", "v", "sol", "yin", "in")
)  # fmt: skip
INPUTS = frozenset(
    ("u", "tau", "torque", "torques", "action", "input", "inputs", "f", "force", "forces")
)
"""Vectors that may be those of the inputs."""
ORDERS = {
    name: order
    for order, names in enumerate(
        (
            "q theta th",
            "qd dq qdot q_dot dtheta u v thetadot theta_dot omega",
            "qdd ddq qddot thetaddot ddtheta udot",
        )
    )
    for name in names.split()
}
"""Of which order a vector is that has one entry for each coordinate."""


def is_step(leaf: Leaf) -> bool:
    """Return whether a leaf is called as a step of time is."""
    return any(name.lower() in STEPS for name in leaf.names)


def key(name: str) -> str:
    """Return a name in small letters alone, unless it is one letter."""
    return re.sub(r"[^a-z]", "", name.lower()) if len(name) > 1 else name.lower()
