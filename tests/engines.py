"""Engines that know nothing of freebody's mechanics: Pinocchio, MuJoCo, and derivatives by hand.

They are given what a model declares: steps, places and masses in numbers. Each shift and each turn
of a step becomes a joint of one freedom, whose variable w is what the model declares: an expression
of coordinates and time. Pinocchio and MuJoCo tell the inertia and the forces in w. How w moves with
the generalized speeds, w' = W u + …, Taylor polynomials in time tell. They tell as much of every
point and body, which makes a third engine.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.typing import NDArray
from sympy.physics.mechanics import dynamicsymbols

from freebody.mechanics import Mechanism
from freebody.mechanics.parts import JointFrame
from freebody.model.loads import Coincident, Holonomic, Nonholonomic, Parallel, Rolling, Wheel
from freebody.model.parts import Placement, Speed

pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install pin")
mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")

Array = NDArray[np.float64]

# ---------------------------------------------------------------------- Taylor polynomials


class Jet:
    """A Taylor polynomial in time whose coefficients are arrays, the lowest first.

    The first axis of each is over several motions, the others are of a vector or a matrix.
    """

    __array_ufunc__ = None  # numpy's numbers leave products and sums to jets

    def __init__(self, coefficients: Any) -> None:
        self.c: Array = np.asarray(coefficients, dtype=float)

    def by(self, product: Callable[[Array, Array], Array], other: Jet) -> Jet:
        """Return a product of two, to the order to which both are known."""
        orders = range(min(len(self.c), len(other.c)))
        return Jet([sum(product(self.c[i], other.c[k - i]) for i in range(k + 1)) for k in orders])

    def dot(self, other: Jet) -> Jet:
        """Return the scalar product of two vectors."""
        return self.by(lambda a, b: np.einsum("...i,...i->...", a, b), other)

    def times(self, array: Array) -> Jet:
        """Return a number times an array that does not change."""
        return Jet(np.multiply.outer(self.c, array))

    @property
    def rate(self) -> Jet:
        """The derivative in time, known to one order less."""
        return Jet([k * part for k, part in enumerate(self.c)][1:])

    def __add__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return Jet([self.c[0] + other, *self.c[1:]])
        known = min(len(self.c), len(other.c))
        return Jet(self.c[:known] + other.c[:known])

    def __sub__(self, other: Jet) -> Jet:
        return self + other * -1

    def __mul__(self, other: Any) -> Jet:
        return self.by(np.multiply, other) if isinstance(other, Jet) else Jet(self.c * other)

    def __matmul__(self, other: Any) -> Jet:
        if isinstance(other, Jet):
            return self.by(lambda a, b: np.einsum("...ij,...j->...i", a, b), other)
        return Jet(self.c @ other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, power: float) -> Jet:
        """From b = a^p follows a b' = p a' b."""
        if power == int(power) and power > 0:
            return reduce(mul, [self] * int(power))
        a, b = self.c, [self.c[0] ** power]
        for k in range(1, len(a)):
            total = sum((power * j - (k - j)) * a[j] * b[k - j] for j in range(1, k + 1))
            b.append(total / (k * a[0]))
        return Jet(b)

    def sine_and_cosine(self) -> tuple[Jet, Jet]:
        """From s' = x' c and c' = -x' s."""
        x, s, c = self.c, [np.sin(self.c[0])], [np.cos(self.c[0])]
        for k in range(1, len(x)):
            s.append(sum(j * x[j] * c[k - j] for j in range(1, k + 1)) / k)
            c.append(-sum(j * x[j] * s[k - j] for j in range(1, k + 1)) / k)
        return Jet(s), Jet(c)


def worth(expr: sympy.Expr, known: Mapping[Any, Any]) -> Any:
    """Return the number, or the jet, that an expression is worth."""
    if expr in known:
        return known[expr]
    if expr.is_number:
        return float(expr)
    parts = [worth(part, known) for part in expr.args]
    if expr.is_Add or expr.is_Mul:
        return reduce(add if expr.is_Add else mul, parts)
    if expr.is_Pow:
        return parts[0] ** parts[1]
    which = (sympy.sin, sympy.cos).index(expr.func)
    if isinstance(parts[0], Jet):
        return parts[0].sine_and_cosine()[which]
    return (math.sin, math.cos)[which](parts[0])


# ---------------------------------------------------------------------- joints of one freedom


@dataclass(frozen=True)
class Pose:
    """How a frame stands in that of a link, of which 0 is the ground."""

    link: int
    rotation: Array
    origin: Array

    def then(self, origin: Array, rotation: Array | None = None) -> Pose:
        """Return the pose of a frame that stands in this one."""
        turned = self.rotation if rotation is None else self.rotation @ rotation
        return Pose(self.link, turned, self.origin + self.rotation @ origin)

    @property
    def se3(self) -> Any:
        """As Pinocchio has it."""
        return pin.SE3(self.rotation, self.origin)


@dataclass(frozen=True)
class Link:
    """A frame that slides along an axis, or turns about it, from where it stands at zero."""

    stand: Pose
    turns: bool
    axis: Array
    value: sympy.Expr


class Tree:
    """What a mechanism declares, in numbers: links of one freedom each, frames and masses."""

    def __init__(self, mechanism: Mechanism, constants: Mapping[str, float]) -> None:
        self.mechanism, self.names = mechanism, mechanism.names
        self.constants = {self.names.constants[name]: value for name, value in constants.items()}
        self.links: list[Link] = []
        self.frames = {"ground": Pose(0, np.eye(3), np.zeros(3))}
        self._grow("ground")
        self.gravity = self.read(mechanism.model.gravity or (0, 0, 0))

    def read(self, texts: Iterable[Any]) -> Array:
        """Return the numbers of texts of the model."""
        return self.numbers(self.names.read(text) for text in texts)

    def numbers(self, expressions: Iterable[sympy.Expr]) -> Array:
        """Return the numbers of expressions of constants."""
        return np.array([worth(expr, self.constants) for expr in expressions], dtype=float)

    def masses(self) -> Iterator[tuple[Pose, float, Array]]:
        """Iterate over the masses: the centre and axes of a body, its mass and its inertia."""
        for body, mass in self.mechanism.masses.items():
            place = self.mechanism.places[body]
            inertia = np.zeros((3, 3)) if mass.inertia is None else self._matrix(mass.inertia)
            centre = self.frames[place.on].then(self.numbers(place.at))
            yield centre, float(self.numbers([mass.mass])[0]), inertia

    def placed(self, place: Placement) -> Pose:
        """Return where a place is that a constraint declares."""
        return self.frames[place.on].then(self.read(place.at))

    def _matrix(self, matrix: sympy.ImmutableMatrix | None) -> Array:
        return np.eye(3) if matrix is None else self.numbers(matrix).reshape(3, 3)

    def _grow(self, frame: str) -> None:
        """Add what a frame carries, branch after branch, which is the order of the engines."""
        for step in self.mechanism.joint_frames.values():
            if step.parent == frame:
                self.frames[step.child] = self._beyond(step)
                self._grow(step.child)

    def _beyond(self, step: JointFrame) -> Pose:
        parent = self.frames[step.parent]
        pose = parent.then(self.numbers(step.at), self._matrix(step.orientation))
        for axis, shift in zip(np.eye(3), step.shift, strict=True):
            pose = self._moved(Link(pose, False, axis, shift))
        if step.turns:
            pose = self._moved(Link(pose, True, self.numbers(step.axis or ()), step.angle))
        turned = self._matrix(step.child_orientation).T
        return pose.then(-turned @ self.numbers(step.child_at), turned)

    def _moved(self, link: Link) -> Pose:
        if link.value == 0:
            return link.stand
        self.links.append(link)
        return Pose(len(self.links), np.eye(3), np.zeros(3))


# ---------------------------------------------------------------------- derivatives by hand


class Motion:
    """How everything in a tree moves, for several accelerations at once.

    Parameters
    ----------
    tree : Tree
    t : float
    q : array, shape (n,)
        The coordinates.
    rates, seconds : array, shape (n, b)
        Their first and second derivatives, of one of b motions in each column.
    """

    def __init__(self, tree: Tree, t: float, q: Array, rates: Array, seconds: Array) -> None:
        self.tree, self.names = tree, tree.names
        columns = np.broadcast_arrays(q[:, None], rates, seconds / 2)
        one, (none, *_) = np.ones(columns[0].shape[1]), np.zeros_like(columns[0])
        paths = [Jet(parts) for parts in zip(*columns, strict=True)]
        symbols = zip(self.names.coordinates.values(), self.names.rates.values(), strict=True)
        self.known: dict[Any, Any] = {
            **tree.constants,
            dynamicsymbols._t: Jet([t * one, one, none]),
        }
        for (coordinate, rate), path in zip(symbols, paths, strict=True):
            self.known |= {coordinate: path, rate: path.rate}
        self._still = paths[0] * 0
        self.variables = [self.value(link.value) for link in tree.links]
        self._links = [(self._still.times(np.eye(3)) + np.eye(3), self._still.times(np.zeros(3)))]
        for link, variable in zip(tree.links, self.variables, strict=True):
            self._links.append(self._moved(link, variable))
        self.speeds = [self._speed(*speed) for speed in self.names.speeds.items()]
        self.known |= zip(self.names.speeds.values(), self.speeds, strict=True)

    def value(self, expr: sympy.Expr) -> Jet:
        """Return an expression as a polynomial."""
        return self._still + worth(expr.xreplace(self.names.given), self.known)

    def axes(self, pose: Pose) -> Jet:
        """Return the axes of a frame, as columns."""
        return self._links[pose.link][0] @ pose.rotation

    def position(self, pose: Pose) -> Jet:
        """Return where the origin of a frame is."""
        axes, origin = self._links[pose.link]
        return origin + axes @ pose.origin

    def angular_velocity(self, pose: Pose) -> Jet:
        """Return the vector of the skew matrix R' Rᵀ."""
        axes = self._links[pose.link][0]
        skew = axes.rate.by(np.matmul, Jet(np.swapaxes(axes.c, -1, -2))).c
        return Jet(np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1))

    def velocity_at(self, pose: Pose, place: Jet) -> Jet:
        """Return the velocity of the matter of a body at a place."""
        turning = self.angular_velocity(pose).by(np.cross, place - self.position(pose))
        return self.position(pose).rate + turning

    def _moved(self, link: Link, variable: Jet) -> tuple[Jet, Jet]:
        axes, origin = self.axes(link.stand), self.position(link.stand)
        if not link.turns:
            return axes, origin + axes @ variable.times(link.axis)
        sine, cosine = variable.sine_and_cosine()
        along, across = np.outer(link.axis, link.axis), np.cross(np.eye(3), link.axis)
        turned = cosine.times(np.eye(3) - along) + sine.times(across) + along
        return axes.by(np.matmul, turned), origin

    def _speed(self, name: str, symbol: sympy.Expr) -> Jet:
        declared = self.names.model.speeds.get(name)
        return self.value(symbol) if declared is None else self._declared(declared)

    def _declared(self, speed: Speed) -> Jet:
        if speed.angular_velocity_of is None:
            return self.value(self.names.read(speed.value or 0))
        pose = self.tree.frames[speed.angular_velocity_of]
        axis = np.eye(3)["xyz".index(str(speed.axis))]
        return self.angular_velocity(pose).dot(self.axes(pose) @ axis)

    # ------------------------------------------------------------------ constraints

    def constraints(self) -> Iterator[Jet]:
        """Iterate over what is zero in a constraint between the speeds."""
        for said in self.names.model.constraints:
            match said:
                case Coincident():
                    first, second = map(self.position, map(self.tree.placed, said.between))
                    yield from (((second - first) @ axis).rate for axis in _units(said.axes))
                case Parallel():
                    yield from self._parallel(said)
                case Rolling():
                    yield from self._rolling(said)
                case Wheel():
                    yield from self._wheel(said)
                case Holonomic():
                    yield self.value(self.names.read(said.expression)).rate
                case Nonholonomic():
                    yield self.value(self.names.read(said.expression))

    def _parallel(self, said: Parallel) -> Iterator[Jet]:
        one, other = (self.axes(self.tree.frames[body]) for body in (said.on, said.to))
        free = [axis for axis in _units("xyz") if not np.any([axis @ a for a in _units(said.axes)])]
        for axis in _units(said.axes):
            if len(free) == 1 and free[0] @ np.roll(axis, 2):  # the free axis is the body's own
                yield (other @ -np.roll(axis, 1)).dot(one @ np.roll(axis, 2)).rate
            else:
                yield (one @ np.roll(axis, 1)).dot(other @ np.roll(axis, 2)).rate

    def _rolling(self, said: Rolling) -> Iterator[Jet]:
        frames = self.tree.frames
        contact = self.position(self.tree.placed(said.contact))
        own, other = (self.velocity_at(frames[body], contact) for body in (said.on, said.surface))
        for axis in _units(said.axes):
            yield (own - other).dot(self.axes(frames[said.frame]) @ axis)

    def _wheel(self, said: Wheel) -> Iterator[Jet]:
        """The lowest point of a torus keeps its height, and its matter does not slip."""
        hub = self.tree.frames[said.on].then(self.tree.read(said.at))
        axle, normal = (_unit(self.tree.read(of)) for of in (said.axis, said.normal))
        radius, section = self.tree.read((said.radius, said.section))
        up, axle = Jet([[normal], [0 * normal], [0 * normal]]), self.axes(hub) @ axle
        along = axle @ normal
        sine = (along * along * -1 + 1) ** 0.5
        across = up - along.by(lambda a, b: a[..., None] * b, axle)
        down = (sine**-1).by(lambda a, b: a[..., None] * b, across) * radius + section * normal
        contact = self.position(hub) - down
        yield (contact @ normal).rate
        for axis in _units(said.axes):
            yield self.velocity_at(self.tree.frames[said.on], contact) @ axis


def _unit(vector: Array) -> Array:
    return vector / np.linalg.norm(vector)


def _units(axes: Iterable[str]) -> list[Array]:
    return [np.eye(3)["xyz".index(axis)] for axis in axes]


def motion(tree: Tree, t: float, q: Array, u: Array) -> Motion:
    """Return the motion without acceleration of the speeds, and with one of each speed alone."""
    alone = np.eye(len(q), len(q) + 1, 1)

    def speeds(order: int, rates: Array, seconds: Array) -> Array:
        return np.array([speed.c[order] for speed in Motion(tree, t, q, rates, seconds).speeds])

    rates = _solved(speeds(0, alone, 0 * alone), u[:, None])
    return Motion(tree, t, q, rates, _solved(speeds(1, rates, alone), alone))


def affine(values: Array) -> tuple[Array, Array]:
    """Return A and b of A x + b, whose last axis is over zero and the unit vectors as x."""
    return values[..., 1:] - values[..., :1], values[..., 0]


def _solved(parts: Array, wanted: Array) -> Array:
    slope, rest = affine(parts)
    return np.linalg.solve(slope, wanted - rest[:, None])


# ---------------------------------------------------------------------- engines

Forces = tuple[Array, Array]
"""The mass matrix M, and c such that M u' + c are the forces other than gravity."""


def by_hand(moving: Motion) -> Forces:
    """Return the forces of d'Alembert along what the acceleration of each speed moves."""
    tree, n = moving.tree, len(moving.speeds)
    M, c = np.zeros((n, n)), np.zeros(n)
    for centre, mass, inertia in tree.masses():
        slide, rest = affine(moving.position(centre).rate.rate.c[0].T)
        M += mass * slide.T @ slide
        c += mass * slide.T @ (rest - tree.gravity)
        axes, omega = moving.axes(centre).c[0][0], moving.angular_velocity(centre)
        turn, rest = affine(omega.rate.c[0].T)
        spun, whirl = axes @ inertia @ axes.T, omega.c[0][0]
        M += turn.T @ spun @ turn
        c += turn.T @ (spun @ rest + np.cross(whirl, spun @ whirl))
    return M, c


class Joints(ABC):
    """An engine whose coordinates are the variables of the links."""

    @abstractmethod
    def in_joints(self, w: Array, rates: Array) -> Forces:
        """Return M and c in the variables of the joints."""

    def __call__(self, moving: Motion) -> Forces:
        """Return M and c in the generalized speeds, by w'' = W u' + b."""
        w, rates, W, b = variables(moving)
        M, c = self.in_joints(w, rates)
        return W.T @ M @ W, W.T @ (M @ b + c)


def variables(moving: Motion) -> tuple[Array, Array, Array, Array]:
    """Return w, w', W and b of w'' = W u' + b."""
    w, rates, _ = np.array([variable.c[:, 0] for variable in moving.variables]).T
    return w, rates, *affine(np.array([2 * variable.c[2] for variable in moving.variables]))


class Pinocchio(Joints):
    """Composite rigid bodies and recursive Newton-Euler of Pinocchio."""

    def __init__(self, tree: Tree) -> None:
        self.model = pin.Model()
        self.model.gravity = pin.Motion(tree.gravity, np.zeros(3))
        kinds = (pin.JointModelPrismaticUnaligned, pin.JointModelRevoluteUnaligned)
        for number, link in enumerate(tree.links):
            joint = kinds[link.turns](link.axis)
            self.model.addJoint(link.stand.link, joint, link.stand.se3, str(number))
        for centre, mass, inertia in tree.masses():
            body = pin.Inertia(mass, np.zeros(3), inertia)
            self.model.appendBodyToJoint(centre.link, body, centre.se3)
        self.data = self.model.createData()

    def in_joints(self, w: Array, rates: Array) -> Forces:
        M = np.triu(pin.crba(self.model, self.data, w))
        c = pin.nonLinearEffects(self.model, self.data, w, rates)
        return M + np.triu(M, 1).T, c.copy()

    def accelerations(self, w: Array, rates: Array, forces: Array) -> Array:
        """Return w'' by the articulated-body algorithm."""
        return pin.aba(self.model, self.data, w, rates, forces).copy()

    def constrained(self, w: Array, rates: Array, forces: Array, held: list[Any]) -> Array:
        """Return w'' with constraints of Pinocchio's own."""
        told, used = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        told.extend(held)
        used.extend(constraint.createData() for constraint in held)
        pin.initConstraintDynamics(self.model, self.data, told, used)
        proximal = pin.ProximalSettings(1e-14, 1e-10, 100)
        moving = (self.model, self.data, w, rates, forces)
        return pin.constraintDynamics(*moving, told, used, proximal).copy()

    def closed(self, kind: Any, first: Pose, second: Pose) -> Any:
        """Return the constraint that a frame of one link stays at one of another."""
        places = (first.link, first.se3, second.link, second.se3)
        return pin.RigidConstraintModel(kind, self.model, *places, pin.LOCAL)


class MuJoCo(Joints):
    """Composite rigid bodies and recursive Newton-Euler of MuJoCo."""

    def __init__(self, tree: Tree) -> None:
        spec = mujoco.MjSpec()
        spec.option.gravity = tree.gravity
        kinds = (mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE)
        bodies = [spec.worldbody]
        for link in tree.links:
            bodies.append(_body(bodies[link.stand.link], link.stand))
            bodies[-1].add_joint(type=kinds[link.turns], axis=link.axis)
        weights = {str(number): mass for number, mass in enumerate(tree.masses())}
        for name, (centre, _, inertia) in weights.items():
            _body(bodies[centre.link], centre.then(np.zeros(3), _principal(inertia)[1]), name)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        # only now, since the compiler wants no zeros and no inertia about one axis alone; what it
        # made of the subtrees' masses is but where MuJoCo takes moments about
        self.model.body_mass[:], self.model.body_inertia[:] = 0, 0
        for name, (_, mass, inertia) in weights.items():
            body = self.model.body(name).id
            self.model.body_mass[body], self.model.body_inertia[body] = mass, _principal(inertia)[0]

    def in_joints(self, w: Array, rates: Array) -> Forces:
        self.data.qpos[:], self.data.qvel[:] = w, rates
        for stage in ("kinematics", "comPos", "makeM", "comVel"):
            getattr(mujoco, f"mj_{stage}")(self.model, self.data)
        M, c = np.zeros((len(w), len(w))), np.zeros(len(w))
        mujoco.mj_fullM(self.model, self.data, M)
        mujoco.mj_rne(self.model, self.data, 0, c)
        return M, c


def _principal(inertia: Array) -> tuple[Array, Array]:
    """Return the principal moments, and a rotation whose columns are the axes."""
    moments, axes = np.linalg.eigh(inertia)
    return moments, axes * np.linalg.det(axes)


def _body(parent: Any, pose: Pose, name: str = "") -> Any:
    turned = np.zeros(4)
    mujoco.mju_mat2Quat(turned, pose.rotation.ravel())
    weight = {"mass": 1, "inertia": [1, 1, 1], "ipos": [0, 0, 0], "iquat": [1, 0, 0, 0]}
    placed = {"name": name, "pos": pose.origin, "quat": turned}
    return parent.add_body(**placed, **weight, explicitinertial=True)
