"""What mass a body has in MJCF: as it is said, or as its geoms have it."""

from __future__ import annotations

from math import pi

import numpy as np

from freebody.errors import ModelError, Problem
from freebody.importing.elements import Element
from freebody.importing.mjcf.compiled import EXTRA
from freebody.importing.mjcf.settings import Settings
from freebody.importing.placing import Array, Inertial, Pose, to_axis

DENSITY = 1000.0
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
_LONG = ("capsule", "cylinder", "ellipsoid", "box")
_SHAPES = (*_SIZES, "plane", "hfield", "mesh", "sdf")
_WITHOUT_MASS = ("plane", "hfield")


class UnknownMassError(ModelError):
    """The mass of a geom is that of a mesh or a shell."""


def inertial_of(element: Element, settings: Settings) -> Inertial:
    """Return the mass that an ``<inertial>`` says."""
    pose, mass = settings.pose(element), element.number("mass")
    if mass < 0:
        element.refuse(f"mass: expected a mass that is not negative, found {mass:g}")
    if element.get("fullinertia") is not None:
        xx, yy, zz, xy, xz, yz = element.numbers("fullinertia", 6)
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        matrix = np.diag(element.numbers("diaginertia", 3, np.zeros(3)))
    return Inertial(mass, np.zeros(3), matrix).seen_from(pose)


def of_geom(geom: Element, settings: Settings) -> Inertial:
    """Return the mass of a geom with its defaults, in the frame that it stands in.

    Raises
    ------
    UnknownMassError
        If it is not worked out here.
    ModelError
    """
    kind = geom.choice("type", _SHAPES, "mesh" if geom.get("mesh") else "sphere")
    density = geom.number("density", DENSITY)
    if kind in _WITHOUT_MASS or _has_none(geom, density):
        return Inertial()
    if kind not in _SIZES or geom.get("mesh") or geom.get("shellinertia") == "true":
        what = "shell" if kind in _SIZES and not geom.get("mesh") else kind
        message = (
            f"the mass of a {what} is not worked out here: give its body an <inertial>, "
            f"the geom mass='0', or let MuJoCo work it out ('{EXTRA}')"
        )
        raise UnknownMassError(str(geom.file), [Problem(geom.where, message)])
    size, pose = _size(geom, kind, settings)
    volume, moments = _solid(kind, size)
    mass = geom.number("mass", density * volume)
    return Inertial(mass, np.zeros(3), np.diag(mass * moments)).seen_from(pose)


def _has_none(geom: Element, density: float) -> bool:
    return geom.number("mass", density) == 0


def _size(geom: Element, kind: str, settings: Settings) -> tuple[Array, Pose]:
    given = geom.numbers("size", None, np.zeros(0))
    if geom.get("fromto") is None or kind not in _LONG:
        size, pose = given[: _SIZES[kind]], settings.pose(geom)
    else:
        ends = geom.numbers("fromto", 6)
        along = ends[:3] - ends[3:]
        half = np.linalg.norm(along) / 2
        if half == 0:
            geom.refuse("fromto: expected two points, found one")
        around = given[:1] if _SIZES[kind] == 2 else given[[0, 0]] if len(given) else given
        size, pose = np.array([*around, half]), Pose(to_axis(along), (ends[:3] + ends[3:]) / 2)
    if len(size) != _SIZES[kind] or min(size) <= 0:
        geom.refuse(f"size: expected {_SIZES[kind]} lengths of a {kind}, found {given.tolist()}")
    return size, pose


def _solid(kind: str, size: Array) -> tuple[float, Array]:
    """Return a volume and the moments of inertia of a unit of mass."""
    if kind == "sphere":
        (r,) = size
        return 4 / 3 * pi * r**3, np.full(3, 2 / 5 * r**2)
    if kind in ("ellipsoid", "box"):
        a, b, c = size**2
        squares = np.array([b + c, c + a, a + b])
        whole = float(np.prod(size))
        return (8 * whole, squares / 3) if kind == "box" else (4 / 3 * pi * whole, squares / 5)
    r, h = size[0], 2 * size[1]
    across, along = (3 * r**2 + h**2) / 12, r**2 / 2
    if kind == "cylinder":
        return pi * r**2 * h, np.array([across, across, along])
    ball = 4 * r / (4 * r + 3 * h)
    own = 2 / 5 * r**2
    across = (1 - ball) * across + ball * (own + h * (3 * r + 2 * h) / 8)
    along = (1 - ball) * along + ball * own
    return pi * r**2 * (h + 4 / 3 * r), np.array([across, across, along])


def bounded(inertial: Inertial, compiler: Element) -> Inertial:
    """Return the mass of a body within the bounds that the compiler is told."""
    moments, axes = np.linalg.eigh(inertial.inertia)
    if compiler.get("balanceinertia") == "true" and inertial.is_unphysical:
        moments = np.full(3, moments.mean())
    moments = np.maximum(moments, compiler.number("boundinertia", 0.0))
    mass = max(inertial.mass, compiler.number("boundmass", 0.0))
    if (moments == np.linalg.eigvalsh(inertial.inertia)).all():
        return Inertial(mass, inertial.center, inertial.inertia)
    return Inertial(mass, inertial.center, axes @ np.diag(moments) @ axes.T)
