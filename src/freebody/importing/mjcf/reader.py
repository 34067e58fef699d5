"""MJCF: bodies within bodies, each with joints and geoms of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from freebody.errors import ModelError
from freebody.importing.description import Body, Coordinate, Description, Freedom, Motion
from freebody.importing.elements import Element, shown
from freebody.importing.mjcf.compiled import EXTRA, Compiled
from freebody.importing.mjcf.forces import Actuators, equalities
from freebody.importing.mjcf.joining import Places
from freebody.importing.mjcf.settings import PLACES, Settings
from freebody.importing.mjcf.shapes import UnknownMassError, bounded, inertial_of, of_geom
from freebody.importing.placing import Array, Inertial, Pose, angles_about, to_axis
from freebody.model.marks import GROUND, MAX_ENTRIES

JOINTS: dict[str, Motion] = {"free": "free", "ball": "spherical", "slide": "slider", "hinge": "pin"}
_UNSAID = ("composite", "flexcomp", "attach", "replicate")
_LEFT = {"camera": "camera", "light": "light", "plugin": "plugin"}
_SECTIONS = {
    "asset": "mesh, texture or material",
    "contact": "pair or exclusion of contacts",
    "sensor": "sensor",
    "keyframe": "keyframe",
    "visual": "setting of the picture",
    "custom": "number or text of one's own",
    "tendon": "tendon, whose own forces are not in the equations",
    "extension": "extension",
}
_KNOWN = {"compiler", "option", "default", "worldbody", "actuator", "equality", "size", "statistic"}
_READ = {
    "body": {"name", "childclass", "mocap", "gravcomp"} | PLACES,
    "joint": {"name", "class", "type", "pos", "axis", "ref", "range", "limited", "group", "user"}
    | {"stiffness", "springref", "damping", "armature", "frictionloss", "springdamper"},
    "freejoint": {"name", "group"},
    "frame": {"name", "childclass"} | PLACES,
    "inertial": {"mass", "diaginertia", "fullinertia"} | PLACES,
    "compiler": {"angle", "eulerseq", "coordinate", "autolimits", "inertiafromgeom", "boundmass"}
    | {"boundinertia", "balanceinertia", "settotalmass", "inertiagrouprange", "fusestatic"}
    | {"assetdir", "meshdir", "texturedir", "strippath", "discardvisual", "usethread"},
    "option": {"gravity", "density", "viscosity"},
}
"""The attributes that are read, or that do not matter; all others are told."""
_FLUID = ("density", "viscosity")
_PASSIVE = ("passive", "spring", "damper", "actuation")


def read(root: Element, within: Path | None = None) -> Description:
    """Return what an MJCF file says.

    Parameters
    ----------
    root : Element
    within : Path, optional
        The folder that included files may be in; that of the file if not told.

    Raises
    ------
    ModelError
    """
    settings = Settings(root, within)
    gravity = settings.option.numbers("gravity", 3, np.array([0, 0, -9.81]))
    if settings.flags.get("gravity") == "disable":
        gravity = np.zeros(3)
    title = root.get("model") or root.file.stem
    return _Scene(settings, Description(title, root.file, gravity)).read()


class _Scene:
    def __init__(self, settings: Settings, description: Description) -> None:
        self.settings, self.description = settings, description
        self.names = description.names
        self.joints: dict[str, Freedom] = {}
        self.coordinates: dict[str, tuple[str, str, float]] = {}
        self.numbers = {"body": 0, "joint": 0}
        self.places = Places()
        self.rotors: dict[str, Body] = {}
        self.lifted: list[tuple[Body, float]] = []
        self.compiled = Compiled(settings.root)

    def read(self) -> Description:
        self._leave()
        ground = Body(GROUND, "")
        for world in self.settings.root.all("worldbody"):
            self._inside(world, ground, Pose(), world.get("childclass") or "main")
        if self.compiled.is_there and self.settings.compiler.get("settotalmass") is None:
            self._compile()
        self._scale()
        self._lift()
        self.description.bodies |= self.rotors
        refs = {name: coordinate for name, (coordinate, _, _) in self.coordinates.items()}
        Actuators(self.description, self.settings, self.joints, refs).read()
        equalities(self.description, self.settings, self.coordinates, self.places)
        return self.description

    # -------------------------------------------------------------- bodies

    def _inside(self, element: Element, body: Body, pose: Pose, inherited: str) -> None:
        """Read what a body, or a frame in it, holds."""
        for given in element.children:
            match given.tag:
                case "body":
                    self._body(given, body, pose, given.get("childclass") or inherited)
                case "frame":
                    self._tell_unread(given)
                    inner = pose.then(self.settings.pose(given))
                    self._inside(given, body, inner, given.get("childclass") or inherited)
                case "joint" | "freejoint":
                    self._joint(given, body, pose, inherited)
                case "geom":
                    self._geom(self.settings.filled(given, inherited), body, pose)
                case "inertial":
                    pass
                case "site":
                    self._site(self.settings.filled(given, inherited), body, pose)
                case tag if tag in _UNSAID:
                    given.refuse(f"<{tag}> makes bodies as the file is compiled: save it compiled")
                case tag:
                    left = _LEFT.get(tag, f"<{shown(tag)}> in <{element.tag}>")
                    self.description.count("left", left)

    def _body(self, element: Element, parent: Body, pose: Pose, inherited: str) -> None:
        if len(self.description.bodies) >= MAX_ENTRIES:
            element.refuse(f"expected at most {MAX_ENTRIES} bodies")
        name = self.names.part(self._name(element, "body"))
        body = Body(name, parent.name, pose.then(self.settings.pose(element)))
        self.description.bodies[name] = body
        self.places.bodies[element.get("name") or name] = name
        said_so = element.one("inertial")
        how = self.settings.compiler.choice("inertiafromgeom", ("auto", "true", "false"), "auto")
        body.by_geoms = how == "true" or (how == "auto" and said_so is None)
        self._inside(element, body, Pose(), inherited)
        if said_so is not None and not body.by_geoms:
            body.inertial = inertial_of(said_so, self.settings)
        body.inertial = bounded(body.inertial, self.settings.compiler)
        self._tell_unread(element, *element.all("inertial"))
        if element.get("mocap") == "true":
            message = f"'{name}', which is moved from outside in MuJoCo, stands where it is"
            self.description.note("approximated", message, element.line)
        if element.get("gravcomp") is not None:
            self.lifted.append((body, element.number("gravcomp")))

    def _name(self, element: Element, what: str) -> str:
        self.numbers[what] += 1
        name = element.get("name")
        if name:
            return name
        self.description.count("renamed", f"{what} without a name, which has a number instead")
        return f"{what}_{self.numbers[what]}"

    def _geom(self, geom: Element, body: Body, pose: Pose) -> None:
        self.description.count("left", "shape of a geom, and its contacts")
        low, high = self.settings.compiler.numbers("inertiagrouprange", 2, np.array([0, 5]))
        if body.by_geoms and low <= geom.number("group", 0) <= high:
            self._weigh(geom, body, pose)

    def _weigh(self, geom: Element, body: Body, pose: Pose) -> None:
        """Add the mass of a geom, which matters only where its body turns out to move."""
        try:
            own = of_geom(geom, self.settings)
        except ModelError as error:
            body.problem = body.problem or error
        else:
            body.inertial = body.inertial + own.seen_from(pose)

    def _site(self, site: Element, body: Body, pose: Pose) -> None:
        self.description.count("left", "site")
        if site.get("fromto") is not None:
            ends = site.numbers("fromto", 6)
            own = Pose(to_axis(ends[:3] - ends[3:]), (ends[:3] + ends[3:]) / 2)
        else:
            own = self.settings.pose(site)
        self.places.sites[site.get("name") or ""] = body.name, pose.then(own)

    def _compile(self) -> None:
        """Take masses that are not worked out here from MuJoCo, of bodies that move."""
        for number, body in enumerate(self.description.bodies.values(), start=1):
            problem = body.problem
            if not isinstance(problem, UnknownMassError) or not self._moves(body):
                continue
            try:
                body.inertial, body.problem = self.compiled.inertial(number), None
            except ModelError as error:
                problems = [*problem.problems, *error.problems]
                raise ModelError(problem.source, problems) from None
            message = f"mass of a body with a mesh or a shell, {self.compiled.provenance}"
            self.description.count("taken", message)

    def _moves(self, body: Body) -> bool:
        parent = self.description.bodies.get(body.parent)
        return bool(body.freedoms) or (parent is not None and self._moves(parent))

    def _scale(self) -> None:
        total = self.settings.compiler.number("settotalmass", -1.0)
        if total <= 0:
            return
        bodies = self.description.bodies.values()
        if problem := next((one.problem for one in bodies if one.problem), None):
            raise problem
        if whole := sum(body.inertial.mass for body in bodies):
            for body in bodies:
                one, factor = body.inertial, total / whole
                body.inertial = Inertial(one.mass * factor, one.center, one.inertia * factor)

    def _lift(self) -> None:
        for body, part in self.lifted:
            if part and body.inertial.mass:
                force = -part * body.inertial.mass * self.description.gravity
                self.description.lifts.append((body.name, body.inertial.center, force))

    # -------------------------------------------------------------- joints

    def _joint(self, given: Element, body: Body, pose: Pose, inherited: str) -> None:
        if body.name == GROUND:
            given.refuse("expected no joint in the world")
        joint = given if given.tag == "freejoint" else self.settings.filled(given, inherited)
        kind = "free" if given.tag == "freejoint" else joint.choice("type", tuple(JOINTS), "hinge")
        name = self._name(given, "joint")
        if name in self.joints:
            given.refuse("another joint has this name")
        part = self.names.part(name, "joint")
        axis = pose.rotation @ joint.numbers("axis", 3, np.array([0.0, 0, 1]))
        self._tell_unread(joint)
        if not axis.any():
            joint.refuse("axis: expected a direction, found zeros")
        at = pose.place(joint.numbers("pos", 3, np.zeros(3)))
        values = self._values(joint, kind, name, part, body)
        if kind == "free":
            freedom = Freedom("free", part, values)
            body.pose = Pose()
        else:
            freedom = Freedom(JOINTS[kind], part, values, axis, at)
        self.joints[name] = freedom
        body.freedoms.append(freedom)
        if len(body.freedoms) > 1 and any(one.kind == "free" for one in body.freedoms):
            given.refuse("expected no other joint beside a free one")
        self._acting(joint, kind, name, freedom, body)

    def _values(
        self, joint: Element, kind: str, name: str, part: str, body: Body
    ) -> tuple[str, ...]:
        if kind == "free":
            return self._free(joint, name, body)
        if kind == "ball":
            self._tell_angles(name)
            return tuple(self._coordinate(f"{name}_turn_{axis}", "rad") for axis in "xyz")
        unit = "m" if kind == "slide" else "rad"
        ref = self._angle(joint, "ref", unit)
        coordinate = self._coordinate(name, unit, ref, self._range(joint, unit))
        self.coordinates[name] = coordinate, unit, ref
        if not ref:
            return (coordinate,)
        title = f"{name} as it is drawn"
        drawn = self.description.parameter(f"ref_{part}", ref, unit, title, body.name)
        return (f"{coordinate} - {drawn}",)

    def _free(self, joint: Element, name: str, body: Body) -> tuple[str, ...]:
        if body.parent != GROUND:
            joint.refuse("expected a free joint in a body of the world")
        self._tell_angles(name)
        places = [
            self._coordinate(f"{name}_{axis}", "m", value)
            for axis, value in zip("xyz", body.pose.origin, strict=True)
        ]
        turns = [
            self._coordinate(f"{name}_turn_{axis}", "rad", value)
            for axis, value in zip("xyz", angles_about("xyz", body.pose.rotation), strict=True)
        ]
        return (*places, *turns)

    def _tell_angles(self, name: str) -> None:
        message = "singular where the second is a right angle"
        self.description.note("taken", f"'{name}' turns by angles about x, y and z, {message}")

    def _coordinate(self, name: str, unit: str, initial: float = 0.0, more: str = "") -> str:
        given = self.names.quantity(name)
        self.description.coordinates[given] = Coordinate(shown(name) + more, unit, float(initial))
        return given

    def _angle(self, joint: Element, attribute: str, unit: str) -> float:
        value = joint.number(attribute, 0.0)
        return self.settings.angle(value) if unit == "rad" else value

    def _range(self, joint: Element, unit: str) -> str:
        if joint.get("range") is None or joint.get("limited") == "false":
            return ""
        ends = joint.numbers("range", 2)
        if joint.get("limited", "auto") == "auto" and not ends.any():
            return ""
        self.description.count("left", "limit of a joint, which its title tells")
        low, high = (self.settings.angle(end) if unit == "rad" else end for end in ends)
        return f", from {low:g} to {high:g} {unit}"

    # -------------------------------------------------------------- springs, dampers, armature

    def _acting(self, joint: Element, kind: str, name: str, freedom: Freedom, body: Body) -> None:
        losses = {what: self._single(joint, what) for what in ("stiffness", "damping", "armature")}
        if joint.get("springdamper") is not None and joint.numbers("springdamper", 2).any():
            losses["stiffness"], losses["damping"] = self._timed(joint)
        if joint.number("frictionloss", 0.0):
            message = f"dry friction {joint.get('frictionloss')} of joint '{name}'"
            self.description.note("left", f"{message}, which [[friction]] can add", joint.line)
        if losses["armature"]:
            self._armature(losses["armature"], freedom)
        if kind in ("slide", "hinge"):
            self._spring(joint, losses["stiffness"], freedom, body)
            if losses["damping"]:
                self._damper(losses["damping"], freedom, body)
            return
        if losses["stiffness"]:
            message = f"stiffness of joint '{name}': the equations are without it"
            self.description.note("left", message, joint.line)
        if losses["damping"]:
            self._viscous(losses["damping"], freedom, body)

    def _timed(self, joint: Element) -> tuple[float, float]:
        """Return the stiffness and the damping of a spring that is given by its time."""
        if not self.compiled.is_there:
            message = "expected 'stiffness' and 'damping' instead"
            joint.refuse(f"springdamper: {message}, or MuJoCo to work them out: install '{EXTRA}'")
        self.description.count("taken", f"spring given by its time, {self.compiled.provenance}")
        return self.compiled.spring(self.numbers["joint"])

    def _single(self, joint: Element, attribute: str) -> float:
        first, *others = joint.numbers(attribute, None, np.zeros(1))
        if any(others):
            joint.refuse(f"{attribute}: expected one number, of a linear law")
        return float(first)

    def _spring(self, joint: Element, stiffness: float, freedom: Freedom, body: Body) -> None:
        if not stiffness:
            return
        unit = "m" if freedom.kind == "slider" else "rad"
        effort = "N/m" if unit == "m" else "N*m/rad"
        part, title = freedom.name, f"stiffness of {freedom.name}"
        k = self.description.parameter(f"k_{part}", stiffness, effort, title, body.name)
        entry: dict[str, Any] = {"joint": part, "stiffness": k}
        rest = self._angle(joint, "springref", unit) - self._angle(joint, "ref", unit)
        if rest:
            title = f"where the spring of {part} is slack"
            entry["rest"] = self.description.parameter(f"rest_{part}", rest, unit, title, body.name)
        self.description.load("springs", **entry)

    def _damper(self, damping: float, freedom: Freedom, body: Body) -> None:
        unit = "N*s/m" if freedom.kind == "slider" else "N*m*s/rad"
        title = f"damping of {freedom.name}"
        name = self.description.parameter(f"b_{freedom.name}", damping, unit, title, body.name)
        self.description.load("dampers", joint=freedom.name, damping=name)

    def _viscous(self, damping: float, freedom: Freedom, body: Body) -> None:
        """Resist the angular velocity of a ball or free joint, and the velocity of a free one."""
        *shift, a, b, c = freedom.values
        title = f"damping of {freedom.name}"
        d = self.description.parameter(f"b_{freedom.name}", damping, "N*m*s/rad", title, body.name)
        spins = (
            f"{a}_dot*cos({b})*cos({c}) + {b}_dot*sin({c})",
            f"{b}_dot*cos({c}) - {a}_dot*cos({b})*sin({c})",
            f"{a}_dot*sin({b}) + {c}_dot",
        )
        entry: dict[str, Any] = {"on": body.name, "vector": [f"-{d}*({spin})" for spin in spins]}
        if freedom.kind == "spherical" and body.parent != GROUND:
            entry["reaction_on"] = body.parent
        self.description.load("torques", **entry, frame=body.name)
        if shift:
            given = (f"b_{freedom.name}_shift", damping, "N*s/m", f"{title}, along", body.name)
            d = self.description.parameter(*given)
            vector = [f"-{d}*{coordinate}_dot" for coordinate in shift]
            self.description.load("forces", on=body.name, vector=vector)

    def _armature(self, armature: float, freedom: Freedom) -> None:
        """Add a rotor on the ground that turns as the joint does, which has inertia alone."""
        if freedom.kind in ("pin", "spherical", "free"):
            moments = [0, 0, 1] if freedom.kind == "pin" else [1, 1, 1]
            inertia = armature * np.diag(moments)
            kind: Motion = "pin" if freedom.kind == "pin" else "spherical"
            values = freedom.values[-3:]
            self._rotor(f"{freedom.name}_rotor", Inertial(inertia=inertia), kind, values)
        if freedom.kind in ("slider", "free"):
            inertial = Inertial(armature)
            for number, value in enumerate(freedom.values[:3], start=1):
                name = f"{freedom.name}_armature" + f"_{number}" * (freedom.kind == "free")
                self._rotor(name, inertial, "slider", (value,))

    def _rotor(self, name: str, inertial: Inertial, kind: Motion, values: tuple[str, ...]) -> None:
        part = self.names.made_part(name)
        axis = self._level() if kind == "slider" else np.array([0.0, 0, 1])
        freedom = Freedom(kind, self.names.made_part(f"{name}_joint"), values, axis)
        self.rotors[part] = Body(part, GROUND, inertial=inertial, freedoms=[freedom])
        message = "armature of a joint, as a rotor on the ground that turns with it"
        self.description.count("taken", message)

    def _level(self) -> Array:
        """Return an axis across gravity."""
        pull = self.description.gravity
        plain = [axis for axis in np.eye(3)[[2, 0, 1]] if axis @ pull == 0]
        if plain:
            return plain[0]
        return np.cross(pull, [1.0, 0, 0])

    # -------------------------------------------------------------- what has no part

    def _tell_unread(self, *elements: Element) -> None:
        """Tell of the attributes of elements that are passed over."""
        for element in elements:
            for name in element.attributes:
                if name not in _READ[element.tag]:
                    self.description.count("left", f"'{shown(name)}' of <{element.tag}>")

    def _leave(self) -> None:
        self._tell_unread(self.settings.compiler, self.settings.option)
        for section in self.settings.root.children:
            if section.tag in _SECTIONS:
                for _ in section.children or [section]:
                    self.description.count("left", _SECTIONS[section.tag])
            elif section.tag == "deformable":
                section.refuse("bodies that deform are none of the language's")
            elif section.tag not in _KNOWN:
                section.refuse(f"<{shown(section.tag)}> is no section of MJCF")
        for what in _FLUID:
            if self.settings.option.number(what, 0.0):
                message = f"{what} of a fluid: the equations are without its forces"
                self.description.note("left", message)
        for flag in _PASSIVE:
            if self.settings.flags.get(flag) == "disable":
                message = f"flag {flag}='disable': what it switches off is in the equations"
                self.description.note("left", message)
