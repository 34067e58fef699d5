"""Random mechanisms with all joints and loads, against engines that know nothing of freebody."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import tomli_w

import freebody
from campaign.exerted import exerted, is_worked_out
from campaign.outcome import Campaign, Outcome
from engines import Tree
from freebody.errors import SimulationError
from freebody.model import loads
from freebody.simulation.dynamics import Dynamics
from freebody.simulation.setup import prepare
from test_engines import ENGINES, Case, agree

JOINTS = (
    "pin",
    "slider",
    "cylindrical",
    "planar",
    "universal",
    "spherical",
    "free",
    "custom",
    "weld",
)
AXES = ([0, 0, 1], [1, 0, 0], [1, 2, 3], [0.3, -1.1, 0.7], [1, 10, 2], ["sqrt(2)", 1, 0])
SEQUENCES = ("xyz", "zxz", "zyx", "yxz")
DURATION = 0.02
MOVED = 0.1
"""The share of models that are simulated."""
TOLERANCE = 1e-6


class _Writer:
    """A model drawn at random, as the tables of its file."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.said: dict[str, Any] = {
            "title": f"mechanism {seed}",
            "gravity": self.vector(9.0),
            "coordinates": {},
            "constants": {"m": {"title": "mass", "unit": "kg", "value": 1.3}},
            "bodies": [],
            "joints": [],
        }
        for number in range(self.chance.randint(1, 4)):
            self.body(number)
        for load in self.chance.sample(LOADS, self.chance.randint(1, 4)):
            getattr(self, load)()
        if self.chance.random() < 0.2:
            self.speeds()
        if self.chance.random() < 0.3:
            self.constraint()

    def vector(self, size: float = 0.5) -> list[float]:
        return [round(self.chance.uniform(-size, size), 2) for _ in range(3)]

    def coordinate(self, unit: str) -> str:
        name = f"q{len(self.said['coordinates'])}"
        initial = round(self.chance.uniform(0.2, 0.6), 2)
        self.said["coordinates"][name] = {"title": "any", "unit": unit, "initial": initial}
        return name

    @property
    def last(self) -> str:
        return str(self.said["bodies"][-1]["name"])

    def body(self, number: int) -> None:
        bodies = self.said["bodies"]
        parent = self.chance.choice(["ground", *(body["name"] for body in bodies)])
        inertia = [round(self.chance.uniform(0.2, 0.3), 3) for _ in range(3)]
        bodies.append(
            {
                "name": f"b{number}",
                "mass": self.chance.choice(["m", 0.7, "m/2"]) if number else "m",
                "center_of_mass": self.vector(),
                "inertia": inertia,
                "products_of_inertia": self.vector(0.03),
            }
        )
        self.said["joints"].append(
            {
                "name": f"j{number}",
                "type": self.chance.choice(JOINTS if number else JOINTS[:-1]),
                "parent": parent,
                "child": f"b{number}",
                "at": self.vector(),
            }
        )
        if self.said["joints"][-1]["type"] == "custom":
            self.said["joints"][-1]["motion"] = self.motion()
        else:
            self.freedom(self.said["joints"][-1])

    def motion(self) -> list[dict[str, Any]]:
        """Return shifts and turns one after another."""
        angle, shift = self.coordinate("rad"), self.coordinate("m")
        axes = [self.chance.choice(AXES) for _ in range(4)]
        return [
            {"along": axes[0], "by": f"{shift}*cos({angle})"},
            {"about": axes[1], "by": angle},
            {"along": axes[2], "by": f"{shift}*{angle}**2", "force": 2},
            {"about": axes[3], "by": f"{angle}/2 + 0.3", "torque": -1},
        ]

    def freedom(self, joint: dict[str, Any]) -> None:
        """Say how a joint moves."""
        kind = joint["type"]
        if kind in ("pin", "slider", "cylindrical"):
            joint["axis"] = self.chance.choice(AXES)
        if kind in ("pin", "cylindrical"):
            joint["angle"] = self.coordinate("rad")
        if kind in ("slider", "cylindrical"):
            joint["displacement"] = self.coordinate("m")
        if kind == "universal":
            joint["angles"] = [self.coordinate("rad") for _ in range(2)]
        if kind == "spherical":
            joint["angles"] = [self.coordinate("rad") for _ in range(3)]
            joint["sequence"] = self.chance.choice(SEQUENCES)
        if kind in ("planar", "free"):
            joint["translation"] = [self.coordinate("m") for _ in range(2 + (kind == "free"))]
            joint["rotation"] = self.coordinate("rad")
        if kind == "free" and self.chance.random() < 0.7:
            joint["rotation"] = [joint["rotation"], *(self.coordinate("rad") for _ in range(2))]
        if self.chance.random() < 0.3:
            joint["orientation"] = {"angles": self.vector(1.0)}
        if self.chance.random() < 0.3:
            joint["child_at"] = self.vector()

    # ------------------------------------------------------------------ loads

    def add(self, section: str, /, **entry: Any) -> None:
        self.said.setdefault(section, []).append(entry)

    def ends(self) -> list[dict[str, Any]]:
        return [{"on": "ground", "at": [3, 2, 1]}, {"on": self.last, "at": self.vector()}]

    def force(self) -> None:
        self.add("forces", on=self.last, at=self.vector(), vector=self.vector(5))

    def follower(self) -> None:
        self.add("forces", on=self.last, at=self.vector(), vector=self.vector(5), frame=self.last)

    def beside(self) -> None:
        self.add("forces", on=self.last, arm=self.vector(), vector=self.vector(5))

    def torque(self) -> None:
        self.add("torques", on=self.last, vector=self.vector(5), frame=self.last)

    def spring(self) -> None:
        self.add("springs", between=self.ends(), stiffness=20, rest=0.5)

    def cable(self) -> None:
        self.add("springs", between=self.ends(), stiffness=20, rest=0.5, one_sided=True)

    def damper(self) -> None:
        self.add("dampers", between=self.ends(), damping=2)

    def contact(self) -> None:
        foot = {"on": self.last, "at": self.vector(), "normal": self.chance.choice(AXES[1:5])}
        plane = {"height": self.chance.choice([-1, 2]), "stiffness": 500, "dissipation": 0.5}
        shape = [{}, {"radius": 0.2}, {"radius": 0.2, "axis": [1, 2, 0.5], "section": 0.05}]
        foot |= self.chance.choice(shape)
        self.add("contacts", name="foot", **foot, **plane, friction=0.4, smoothing=0.1)

    def rubbing(self) -> None:
        for joint in self.said["joints"]:
            if joint["type"] in ("pin", "slider"):
                self.add("friction", joint=joint["name"], coulomb=1, viscous=0.3, smoothing=0.1)

    def given(self) -> None:
        """Add a motion that is given to the joint of the first body, as a body of its own."""
        motion = {"title": "shaking", "unit": "m", "value": "sin(3*t)/5"}
        self.said["prescribed"] = {"z": motion}
        self.said["bodies"].append({"name": "shaken", "mass": 1, "inertia": [0.2, 0.2, 0.2]})
        ground = {"name": "shaker", "type": "slider", "parent": "ground", "child": "shaken"}
        self.said["joints"].append({**ground, "axis": [1, 2, 3], "displacement": "z"})
        self.said["bodies"].append({"name": "hung", "mass": 1, "center_of_mass": [0.1, 0.4, 0.2]})
        pin = {"name": "hook", "type": "pin", "parent": "shaken", "child": "hung"}
        self.said["joints"].append({**pin, "axis": [1, 0, 0], "angle": self.coordinate("rad")})

    def speeds(self) -> None:
        """Add speeds that are sums of rates."""
        names = list(self.said["coordinates"])
        self.said["speeds"] = {
            f"u_{name}": {
                "title": "own",
                "unit": f"{self.said['coordinates'][name]['unit']}/s",
                "value": f"2*{name}_dot",
            }
            for name in names
        }

    def constraint(self) -> None:
        """Close a loop, put a wheel on a plane, or hold one coordinate by another of its kind."""
        kind = self.chance.random() if "speeds" not in self.said else 1.0
        if kind < 0.3:
            self.loop()
        elif kind < 0.5:
            self.wheel()
        else:
            self.gear()

    def loop(self) -> None:
        """Keep a point of the last body in a plane."""
        ends = [{"on": "ground", "at": self.vector(0.3)}, {"on": self.last, "at": self.vector()}]
        tie = {"name": "tie", "type": "coincident", "axes": [self.chance.choice("xyz")]}
        if names := list(self.said["coordinates"]):
            self.add("constraints", **tie, between=ends, dependent=[names[-1]])

    def wheel(self) -> None:
        """Put a wheel of the last body, with a tyre or without, on a plane."""
        rim = {"on": self.last, "at": self.vector(), "axis": self.chance.choice(AXES)}
        rim |= {"radius": 0.4, "section": self.chance.choice([0, 0.1]), "normal": [0.2, 1, -0.1]}
        if names := list(self.said["coordinates"]):
            tie = {"name": "tie", "type": "wheel", "height": -0.3}
            rolls = len(names) > 4 and self.chance.random() < 0.5
            decided = [names[-1], *(f"{name}_dot" for name in names[-3:-1] if rolls)]
            self.add("constraints", **tie, **rim, axes=["x", "z"][: 2 * rolls], dependent=decided)

    def gear(self) -> None:
        of_angles = [n for n, one in self.said["coordinates"].items() if one["unit"] == "rad"]
        if len(of_angles) > 1 and "speeds" not in self.said:
            first, second = of_angles[:2]
            gear = {"name": "gear", "type": "holonomic", "expression": f"{first} - 2*{second}"}
            self.add("constraints", **gear, dependent=[first])


LOADS = (
    *("force", "follower", "beside", "torque", "spring", "cable", "damper", "contact"),
    *("rubbing", "given"),
)


class _Drawn(Case):
    """A drawn model, as the tests of the engines take theirs."""

    def __init__(self, text: str, engine: str) -> None:
        self.name, self.mechanism = "drawn", freebody.mechanism(loads(text))
        self.n, self.m = len(self.mechanism.speeds), len(self.mechanism.multipliers)
        self.setup = prepare(self.mechanism, {}, {}, {})
        self.dynamics = Dynamics(self.mechanism, self.setup)
        self.tree = Tree(self.mechanism, self.setup.constants)
        self.other = ENGINES[engine](self.tree)


def case(seed: int) -> Outcome:
    """Draw a model and hold its equations and its motion against those of others."""
    writer = _Writer(seed)
    text = tomli_w.dumps(writer.said)
    try:
        drawn = _Drawn(text, writer.chance.choice([*ENGINES]))
    except SimulationError as error:
        return Outcome("cannot be put together", detail=str(error))
    if np.linalg.matrix_rank(drawn.states[0].held[0]) < drawn.m:
        return Outcome("a constraint that no speed changes")
    try:
        _compare(drawn, drawn.states[0])
    except AssertionError as error:
        return Outcome("differs", is_failure=True, detail=json.dumps([seed, str(error), text]))
    if writer.chance.random() < MOVED:
        return _simulated(text, writer.chance.choice(["scipy", "heyoka"]))
    return Outcome("agrees")


def _compare(drawn: _Drawn, state: Any) -> None:
    J, gamma = state.held
    M, c = drawn.other(state.motion)
    agree(state.found["M"], M)
    agree(state.found["C"] + state.found["G"], c)
    if is_worked_out(drawn.mechanism.model):
        agree(state.applied, exerted(state.motion))
    whole = np.block([[M, -J.T], [J, np.zeros((drawn.m, drawn.m))]])
    solved = np.linalg.solve(whole, np.concatenate([state.applied - c, -gamma]))
    rates = drawn.dynamics.rates(state.t, state.q, state.u)
    agree(np.concatenate([rates.accelerations, rates.multipliers]), solved)


def _simulated(text: str, other: str) -> Outcome:
    """Move the model by two engines for a moment, and compare where it is."""
    ends = []
    for engine in ("pydy", other):
        try:
            moved = freebody.simulate(loads(text), duration=DURATION, step=DURATION, engine=engine)
        except SimulationError as error:
            return Outcome(f"{engine} refuses it", detail=str(error))
        ends.append(moved.data["coordinates"].isel(time=-1).to_numpy())
    if np.abs(ends[0] - ends[1]).max() > TOLERANCE:
        return Outcome("engines differ", is_failure=True, detail=text)
    return Outcome("agrees with all")


CAMPAIGN = Campaign("mechanisms", 1_000, 120.0, case)
