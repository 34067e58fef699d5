"""The engines of imported formats, each in freebody's coordinates: Pinocchio, MuJoCo, OpenSim.

They tell the same of a state: M, the inertial and gravitational bias, the other forces, those of
the actuators, and the accelerations without contacts, limits and constraints.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody
from freebody.importing import Imported
from freebody.importing.description import valid
from freebody.importing.elements import read
from freebody.importing.placing import turned

Array = NDArray[np.float64]
STEP = 1e-5
"""Of differences in time, in s."""
SINGULAR = 1e12
"""From this condition on a mass matrix tells no accelerations."""
TERMS = ("mass_matrix", "bias", "external", "tau", "accelerations")


def spins(angles: Array, rates: Array) -> tuple[Array, Array]:
    """Return E and its rate, of the angular velocity E a' in the turned frame."""
    (_, b, c), (_, db, dc) = angles, rates
    E = np.array([[np.cos(b) * np.cos(c), np.sin(c), 0], [-np.cos(b) * np.sin(c), np.cos(c), 0]])
    by_b = np.array([-np.sin(b) * np.cos(c), np.sin(b) * np.sin(c), np.cos(b)])
    rate = np.zeros((3, 3))
    rate[:2] = dc * np.array([E[1], -E[0]])
    rate[:, 0] += db * by_b
    return np.vstack([E, [np.sin(b), 0, 1]]), rate


class Ours:
    """What freebody tells of an imported model."""

    def __init__(self, imported: Imported, backend: str = "numpy") -> None:
        self.inputs = list(imported.model.inputs)
        self.n = len(imported.model.coordinates)
        self.functions = freebody.compile(imported.model, backend=backend)

    def terms(self, q: Array, u: Array, inputs: Array) -> dict[str, Array]:
        """Return the terms of a state; accelerations without constraints, if M is not singular."""
        known = {"t": 0.0, "q": q, "u": u, "inputs": inputs}
        found = {name: self._told(name, known) for name in (*TERMS[:-1], "gravity")}
        found["bias"] = found["bias"] + found.pop("gravity")
        force = found["tau"] - found["external"] - found["bias"]
        if np.linalg.cond(found["mass_matrix"]) < SINGULAR:
            found["accelerations"] = np.linalg.solve(found["mass_matrix"], force)
        return found

    def _told(self, name: str, known: dict[str, Any]) -> Array:
        function = self.functions[name]
        given = {key: value for key, value in known.items() if key in function.arguments}
        shape = (self.n, self.n) if name == "mass_matrix" else (self.n,)
        return np.broadcast_to(function(**given), shape)


# ---------------------------------------------------------------------- Pinocchio


class Pinocchio:
    """Pinocchio's model of a URDF file, in freebody's coordinates.

    Its own joints that follow others must come after them and may not follow continuous ones; so
    they are free there, and follow here. It knows no actuators, and its dampers are read here.
    """

    def __init__(self, file: Path, imported: Imported, floating: bool = False) -> None:
        self.pin = pytest.importorskip("pinocchio", reason="not installed: pip install pin")
        base = (self.pin.JointModelFreeFlyer(),) if floating else ()
        self.model = self.pin.buildModelFromUrdf(str(file), *base)
        self.data, self.coordinates = self.model.createData(), list(imported.model.coordinates)
        self.inputs = list(imported.model.inputs)
        self.follows: dict[str, tuple[str, float, float]] = {}
        self.damping: dict[str, float] = {}
        for joint in read(file).all("joint"):
            name = joint.need("name")
            for mimic in joint.all("mimic"):
                numbers = mimic.number("multiplier", 1), mimic.number("offset", 0)
                self.follows[name] = mimic.need("joint"), *numbers
            for dynamics in joint.all("dynamics"):
                self.damping[name] = dynamics.number("damping", 0)

    def state(self, q: Array, u: Array) -> tuple[Array, Array, Array]:
        """Return Pinocchio's configuration, and T and its rate, of its velocity T u."""
        configuration = self.pin.neutral(self.model)
        T, rate = np.zeros((2, self.model.nv, len(q)))
        for name, joint in list(zip(self.model.names, self.model.joints, strict=True))[1:]:
            leader, ratio, offset = self._leader(name)
            own = self._own(leader, joint.nv)
            rows = slice(joint.idx_v, joint.idx_v + joint.nv)
            values, turn, rate[rows, own] = self._joint(joint, ratio * q[own] + offset, u[own])
            T[rows, own] = ratio * turn
            configuration[joint.idx_q : joint.idx_q + joint.nq] = values
        return configuration, T, rate

    def _leader(self, name: str) -> tuple[str, float, float]:
        ratio, offset = 1.0, 0.0
        while name in self.follows:
            name, more, start = self.follows[name]
            ratio, offset = ratio * more, ratio * start + offset
        return name, ratio, offset

    def _own(self, name: str, count: int) -> list[int]:
        if name == "root_joint":
            return list(range(6))
        stem = valid(name)
        first = next(n for n, one in enumerate(self.coordinates) if one in (stem, f"{stem}_x"))
        return list(range(first, first + count))

    def _joint(self, joint: Any, q: Array, u: Array) -> tuple[Array, Array, Array]:
        if joint.nv == 1:
            values = q if joint.nq == 1 else np.array([np.cos(q[0]), np.sin(q[0])])
            return values, np.eye(1), np.zeros((1, 1))
        if joint.nv == 3:
            c, s = np.cos(q[2]), np.sin(q[2])
            T = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
            rate = u[2] * np.array([[-s, c, 0], [-c, -s, 0], [0, 0, 0]])
            return np.array([q[0], q[1], c, s]), T, rate
        return self._free(q, u)

    def _free(self, q: Array, u: Array) -> tuple[Array, Array, Array]:
        E, dE = spins(q[3:], u[3:])
        R = turned("xyz", q[3:])
        w = E @ u[3:]
        T, rate = np.zeros((2, 6, 6))
        T[:3, :3], T[3:, 3:], rate[3:, 3:] = R.T, E, dE
        rate[:3, :3] = -np.cross(np.eye(3), w) @ R.T
        return np.array([*q[:3], *self.pin.Quaternion(R).coeffs()]), T, rate

    def terms(self, q: Array, u: Array, inputs: Array) -> dict[str, Array]:
        """Return what Pinocchio tells of a state."""
        at, T, rate = self.state(q, u)
        M = self.pin.crba(self.model, self.data, at)
        M = np.triu(M) + np.triu(M, 1).T
        bias = self.pin.rnea(self.model, self.data, at, T @ u, rate @ u)
        found = {"mass_matrix": T.T @ M @ T, "bias": T.T @ bias}
        found["tau"], found["external"] = self._tau(inputs), self._damped(u)
        force = found["tau"] - found["external"] - found["bias"]
        return {**found, "accelerations": np.linalg.solve(found["mass_matrix"], force)}

    def _tau(self, inputs: Array) -> Array:
        driven = {
            name.partition("_")[2]: value for name, value in zip(self.inputs, inputs, strict=True)
        }
        return np.array([driven.get(name, 0.0) for name in self.coordinates])

    def _damped(self, u: Array) -> Array:
        found = np.zeros(len(u))
        for name, damping in self.damping.items():
            leader, ratio, _ = self._leader(name)
            if damping and valid(leader) in self.coordinates:
                own = self.coordinates.index(valid(leader))
                found[own] += damping * ratio**2 * u[own]
        return found


# ---------------------------------------------------------------------- MuJoCo


class MuJoCo:
    """MuJoCo's model, without what is left of it, in freebody's coordinates.

    Parameters
    ----------
    source : str or object
        The text of a file, or a compiled model.
    """

    def __init__(self, source: Any) -> None:
        self.mujoco = pytest.importorskip("mujoco", reason="not installed: pip install mujoco")
        text = isinstance(source, str)
        self.model = self.mujoco.MjModel.from_xml_string(source) if text else source
        bits = self.mujoco.mjtDisableBit
        self.model.opt.disableflags |= bits.mjDSBL_CONSTRAINT | bits.mjDSBL_CLAMPCTRL
        self.model.actuator_forcelimited[:] = 0
        self.data = self.mujoco.MjData(self.model)

    def state(self, q: Array, u: Array) -> tuple[Array, Array, Array]:
        """Return MuJoCo's positions, and T and its rate, of its speeds T u."""
        model, n = self.model, len(q)
        at, T, rate = np.zeros(model.nq), np.eye(n), np.zeros((n, n))
        for kind, place, dof in zip(
            model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True
        ):
            if kind in (2, 3):
                at[place] = q[dof]
                continue
            shift = 3 if kind == 0 else 0
            at[place : place + shift] = q[dof : dof + shift]
            own = slice(dof + shift, dof + shift + 3)
            turn = turned("xyz", q[own]).flatten()
            self.mujoco.mju_mat2Quat(at[place + shift : place + shift + 4], turn)
            T[own, own], rate[own, own] = spins(q[own], u[own])
        return at, T, rate

    def terms(self, q: Array, u: Array, control: Array) -> dict[str, Array]:
        """Return what MuJoCo tells of a state."""
        at, T, rate = self.state(q, u)
        data, M = self.data, np.zeros((len(q), len(q)))
        data.qpos[:], data.qvel[:], data.ctrl[:] = at, T @ u, control
        self.mujoco.mj_forward(self.model, data)
        self.mujoco.mj_fullM(self.model, data, M)
        turning = M @ rate @ u
        return {
            "mass_matrix": T.T @ M @ T,
            "bias": T.T @ (data.qfrc_bias + turning),
            "external": -T.T @ data.qfrc_passive,
            "tau": T.T @ data.qfrc_actuator,
            "accelerations": np.linalg.solve(T, data.qacc_smooth - rate @ u),
        }


# ---------------------------------------------------------------------- OpenSim


class OpenSim:
    """The model of a file in OpenSim, without its forces and constraints.

    Its libraries are not to be in one process with those of CasADi: see `ask_opensim`.
    """

    def __init__(self, file: Path, names: Sequence[str]) -> None:
        import opensim

        self.opensim = opensim
        self.opensim.Logger.setLevelString("Off")
        self.model = self.opensim.Model(str(file))
        forces = self.model.updForceSet()
        for number in range(forces.getSize()):
            forces.get(number).set_appliesForce(False)
        self.state = self.model.initSystem()
        every = self.model.getCoordinateSet()
        held = [every.get(number) for number in range(every.getSize())]
        self.coordinates = {valid(one.getName()): one for one in held}
        self.coordinates = {name: self.coordinates[name] for name in names}
        self.places = self._places()
        self.angles = self._angles()
        self.solver = self.opensim.InverseDynamicsSolver(self.model)
        self.paths = {valid(m.getName()): m.getGeometryPath() for m in self._muscles()}

    def _places(self) -> list[int]:
        """Return where each speed is in those of the system."""
        places = []
        for one in self.coordinates.values():
            one.setLocked(self.state, False)
            one.setSpeedValue(self.state, 0.0)
        for one in self.coordinates.values():
            one.setSpeedValue(self.state, 1.0)
            u = self.state.getU()
            places.append(next(k for k in range(u.size()) if u.get(k)))
            one.setSpeedValue(self.state, 0.0)
        return places

    def _angles(self) -> list[int]:
        """Return where each coordinate is in those of the system."""
        places = []
        for one in self.coordinates.values():
            before = [self.state.getQ().get(k) for k in range(self.state.getNQ())]
            one.setValue(self.state, one.getValue(self.state) + 0.01, False)
            after = self.state.getQ()
            places.append(next(k for k, value in enumerate(before) if after.get(k) != value))
        return places

    def _muscles(self) -> list[Any]:
        muscles = self.model.getMuscles()
        return [muscles.get(number) for number in range(muscles.getSize())]

    def move(self, q: Array, u: Array) -> None:
        """Put the model into a state."""
        for one, value, speed in zip(self.coordinates.values(), q, u, strict=True):
            one.setValue(self.state, float(value), False)
            one.setSpeedValue(self.state, float(speed))
        self.model.realizeVelocity(self.state)

    def terms(self, q: Array, u: Array) -> dict[str, Array]:
        """Return what OpenSim tells of a state, without accelerations if its M is singular."""
        T, ahead = self._turned(q), STEP * u
        rate = (self._turned(q + ahead) - self._turned(q - ahead)) @ u / (2 * STEP)
        self.move(q, T @ u)
        bias, n = self._solved(np.zeros(len(q))), len(q)
        M = np.column_stack([self._solved(column) - bias for column in np.eye(n)])
        bias, M = T.T @ (bias + M @ rate), T.T @ M @ T
        found = {"mass_matrix": M, "bias": bias}
        if np.linalg.cond(M) < SINGULAR:
            found["accelerations"] = np.linalg.solve(M, -bias)
        return found

    def _turned(self, q: Array) -> Array:
        """Return T of its speeds T q': those of balls and free joints are angular velocities."""
        rates = []
        for column in np.eye(len(q)):
            self.move(q, column)
            given = self.state.getQDot()
            rates.append([given.get(place) for place in self.angles])
        return np.linalg.inv(np.array(rates).T)

    def _solved(self, accelerations: Array) -> Array:
        given = self.opensim.Vector(self.state.getNU(), 0.0)
        for place, value in zip(self.places, accelerations, strict=True):
            given.set(place, float(value))
        found = self.solver.solve(self.state, given)
        return np.array([found.get(place) for place in self.places])

    def lengths(self, q: Array) -> Array:
        """Return how long the muscles are."""
        self.move(q, 0 * q)
        return np.array([path.getLength(self.state) for path in self.paths.values()])

    def arms(self, q: Array, step: float = 1e-3) -> Array:
        """Return moment arms by differences of the sixth order."""
        found = np.zeros((len(q), len(self.paths)))
        for number in range(len(q)):
            for times, weight in ((1, 45), (2, -9), (3, 1)):
                moved = np.eye(len(q))[number] * times * step
                difference = self.lengths(q + moved) - self.lengths(q - moved)
                found[number] -= weight * difference / (60 * step)
        return found


def ask_opensim(
    file: Path, names: Sequence[str], states: Sequence[tuple[Array, Array]]
) -> list[dict[str, Array]]:
    """Return what OpenSim tells of states, from a process of its own."""
    if importlib.util.find_spec("opensim") is None:
        pytest.skip("not installed: pip install opensim")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_answers, file, list(names), list(states)).result()


def _answers(
    file: Path, names: Sequence[str], states: Sequence[tuple[Array, Array]]
) -> list[dict[str, Array]]:
    engine = OpenSim(file, names)
    return [
        {**engine.terms(q, u), "lengths": engine.lengths(q), "arms": engine.arms(q)}
        for q, u in states
    ]


def ask_inverse_dynamics_tool(folder: Path, until: float) -> None:
    """Let OpenSim's tool write ``tool.sto`` of ``walker.osim``, in a process of its own."""
    if importlib.util.find_spec("opensim") is None:
        pytest.skip("not installed: pip install opensim")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(_tool, folder, until).result()


def _tool(folder: Path, until: float) -> None:
    import opensim

    os.chdir(folder)
    opensim.Logger.setLevelString("error")
    tool = opensim.InverseDynamicsTool()
    tool.setModelFileName("walker.osim")
    tool.setCoordinatesFileName("walk.mot")
    tool.setExternalLoadsFileName("grf.xml")
    tool.setLowpassCutoffFrequency(6.0)
    tool.setStartTime(0)
    tool.setEndTime(until)
    tool.setResultsDir(".")
    tool.setOutputGenForceFileName("tool.sto")
    tool.run()
