"""What acts in MJCF: actuators, and equations between joints."""

from __future__ import annotations

import numpy as np

from freebody.errors import nearest
from freebody.importing.closing import close
from freebody.importing.description import Coordinate, Description, Freedom, valid
from freebody.importing.elements import Element, shown
from freebody.importing.mjcf.joining import Places, connect, kept_exactly, weld
from freebody.importing.mjcf.settings import ACTUATORS, Settings

ONE = np.ones(1)
_LINEAR = np.array([0.0, 1.0, 0.0, 0.0, 0.0])
_SHARED = ("gear", "joint", "ctrlrange", "ctrllimited", "forcerange", "forcelimited")
_BOUNDS = ("ctrlrange", "forcerange", "actrange", "lengthrange")
_READ = {
    *("name", "class", "group", "user", "joint", "jointinparent", "gear", "kp", "kv"),
    *("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm", "actdim"),
    *("ctrllimited", "forcelimited", "actlimited", "inheritrange"),
}
"""The attributes that are read, or that do not matter, beside bounds."""
_EFFORT = {"pin": ("N*m", "rad"), "slider": ("N", "m")}


class Actuators:
    """Reads actuators that drive one joint each, as inputs.

    Parameters
    ----------
    description : Description
    settings : Settings
    joints : dict of str to Freedom
        By their names in the file.
    refs : dict of str to str
        The coordinate of each joint that has just one.
    """

    def __init__(
        self,
        description: Description,
        settings: Settings,
        joints: dict[str, Freedom],
        refs: dict[str, str],
    ) -> None:
        self.description, self.settings = description, settings
        self.joints, self.refs = joints, refs

    def read(self) -> None:
        """Add every actuator that can be said, and tell the others."""
        for element in self.settings.sections("actuator"):
            if element.tag not in ACTUATORS:
                element.refuse(f"expected an actuator{nearest(element.tag, ACTUATORS)}")
            actuator = self._filled(element)
            reason = self._unsaid(actuator)
            if reason:
                message = f"actuator '{shown(actuator.get('name'))}' ({actuator.tag}), {reason}"
                self.description.note(
                    "left", f"{message}: the equations are without it", element.line
                )
            else:
                self._drive(actuator)

    def _filled(self, element: Element) -> Element:
        """Return an actuator with its defaults, of which all kinds of actuators share some."""
        name = element.get("class") or "main"
        filled = self.settings.filled(element, "main")
        known = self.settings.classes[name]
        shared = {
            key: value
            for tag in ACTUATORS
            for key, value in known.get(tag, {}).items()
            if key in _SHARED
        }
        filled.attributes = {**shared, **filled.attributes}
        if element.tag == "position" and "kp" not in filled.attributes:
            gains = known.get("general", {}).get("gainprm", "").split()
            filled.attributes |= {"kp": gains[0]} if gains else {}
        return filled

    def _unsaid(self, actuator: Element) -> str:
        """Return why an actuator cannot be said."""
        driven = _driven(actuator)
        if driven is None:
            return "which does not act in a joint"
        joint = self.joints.get(driven)
        if joint is None:
            actuator.refuse(f"no joint '{shown(driven)}'{nearest(driven, self.joints)}")
        if joint.kind not in _EFFORT:
            return f"which drives a {joint.kind} joint"
        kind = actuator.tag
        if kind not in ("general", "motor", "position", "velocity", "damper"):
            return "whose law is none of the language's"
        if kind == "general" and (
            actuator.get("dyntype", "none") != "none"
            or actuator.get("gaintype", "fixed") not in ("fixed", "affine")
            or actuator.get("biastype", "none") not in ("none", "affine")
        ):
            return "whose activation has dynamics or a law of its own"
        unread = [name for name in actuator.attributes if name not in _READ | set(_BOUNDS)]
        more = [name for name in unread if actuator.get(name) not in ("0", "false", "none")]
        return f"with '{shown(more[0])}'" if more else ""

    def _drive(self, actuator: Element) -> None:
        driven = _driven(actuator) or ""
        freedom, coordinate = self.joints[driven], self.refs[driven]
        effort, unit = _EFFORT[freedom.kind]
        name = actuator.get("name") or f"ctrl_{coordinate}"
        gear = float(actuator.numbers("gear", None, ONE)[0])
        law = _Law(self.description, valid(name), freedom, coordinate, effort, unit, gear)
        kind = actuator.tag
        control = {"motor": effort, "position": unit, "velocity": f"{unit}/s"}.get(kind, "1")
        given = self.description.names.quantity(name, "ctrl")
        self.description.inputs[given] = Coordinate(f"control of {shown(name)}", control)
        force = law.force(actuator, given)
        drive = law.geared(force)
        freedom.drive = drive if freedom.drive is None else f"{freedom.drive} + {drive}"
        for bound in _BOUNDS:
            if actuator.get(bound) is not None:
                self.description.count("left", f"{bound} of an actuator, which bounds it in MuJoCo")


def _driven(actuator: Element) -> str | None:
    """Return the name of the joint that an actuator drives."""
    return actuator.get("joint") or actuator.get("jointinparent")


class _Law:
    """The force of an actuator, in the length and the speed of what it drives."""

    def __init__(
        self,
        description: Description,
        name: str,
        freedom: Freedom,
        coordinate: str,
        effort: str,
        unit: str,
        gear: float,
    ) -> None:
        self.description, self.name, self.of = description, name, freedom.name
        self.effort, self.unit = effort, unit
        self.gear = "" if gear == 1 else self._parameter("gear", gear, "1")
        self.length, self.speed = self.geared(coordinate), self.geared(f"{coordinate}_dot")

    def geared(self, value: str) -> str:
        """Return a value times the gear."""
        if not self.gear:
            return value
        return f"{self.gear}*({value})" if " " in value else f"{self.gear}*{value}"

    def force(self, actuator: Element, control: str) -> str:
        """Return the force as an expression."""
        match actuator.tag:
            case "motor":
                return control
            case "position":
                kp = self._stiffness(actuator.number("kp", 1.0))
                kv = actuator.number("kv", 0.0)
                force = f"{kp}*({control} - {self.length})"
                return f"{force} - {self._damping(kv)}*{self.speed}" if kv else force
            case "velocity":
                return f"{self._damping(actuator.number('kv', 1.0))}*({control} - {self.speed})"
            case "damper":
                return f"-{self._damping(actuator.number('kv', 1.0))}*{self.speed}*{control}"
        return self._general(actuator, control)

    def _general(self, actuator: Element, control: str) -> str:
        gains = [*actuator.numbers("gainprm", None, ONE), 0.0, 0.0]
        biases = [*actuator.numbers("biasprm", None, 0 * ONE), 0.0, 0.0]
        gains = gains[:3] if actuator.get("gaintype", "fixed") == "affine" else gains[:1]
        biases = biases[:3] if actuator.get("biastype", "none") == "affine" else []
        terms = self._sum("gain", gains)
        force = [f"({' + '.join(terms)})*{control}" if len(terms) > 1 else f"{terms[0]}*{control}"]
        return " + ".join([*(force if any(gains) else []), *self._sum("bias", biases)]) or "0"

    def _sum(self, what: str, values: list[float]) -> list[str]:
        units = (self.effort, f"{self.effort}/{self.unit}", self._viscous)
        factors = ("", f"*{self.length}", f"*{self.speed}")
        return [
            self._parameter(f"{what}{n}", value, unit) + factor
            for n, (value, unit, factor) in enumerate(zip(values, units, factors, strict=False))
            if value
        ] or ["0"]

    @property
    def _viscous(self) -> str:
        return f"{self.effort}*s/{self.unit}"

    def _stiffness(self, value: float) -> str:
        return self._parameter("kp", value, f"{self.effort}/{self.unit}")

    def _damping(self, value: float) -> str:
        return self._parameter("kv", value, self._viscous)

    def _parameter(self, what: str, value: float, unit: str) -> str:
        title = f"{what} of actuator {self.name}"
        return self.description.parameter(f"{what}_{self.name}", value, unit, title, "actuators")


def equalities(
    description: Description,
    settings: Settings,
    refs: dict[str, tuple[str, str, float]],
    places: Places,
) -> None:
    """Add the equations between joints, points that stay together and welds; others are refused.

    Parameters
    ----------
    description : Description
    settings : Settings
    refs : dict
        By a joint's name in the file, its coordinate, its unit, and its value as it is drawn.
    places : Places
        Of bodies and sites, by their names in the file.
    """
    switches = (settings.flags.get("constraint"), settings.flags.get("equality"))
    for number, given in enumerate(settings.sections("equality"), start=1):
        element = settings.filled(given, "main")
        if element.get("active") == "false" or "disable" in switches:
            description.count("left", f"equality <{element.tag}> that is not active")
        elif element.tag == "tendon":
            _pulled(description, element, _tendons(settings), refs, number)
        elif element.tag == "connect":
            connect(description, element, places, number)
        elif element.tag == "weld":
            weld(description, element, places, number)
        elif element.tag != "joint":
            element.refuse(
                f"a <{element.tag}> that is always kept is not read, and without it the bodies "
                "would move otherwise: make it active='false' to leave it, and add [[constraints]]"
            )
        else:
            _coupled(description, element, refs, number)
    close(description)


def _coupled(
    description: Description,
    element: Element,
    refs: dict[str, tuple[str, str, float]],
    number: int,
) -> None:
    for joint in filter(None, (element.need("joint1"), element.get("joint2"))):
        if joint not in refs:
            element.refuse(f"no joint '{shown(joint)}' of one coordinate{nearest(joint, refs)}")
    own, unit, at = refs[element.need("joint1")]
    name = element.get("name") or f"equality_{number}"
    part = description.names.force(name)
    powers = _powers(element)
    other, other_unit, other_at = refs.get(element.get("joint2") or "", ("", "1", 0.0))
    moved = _from(description, f"start_{other}", other, other_unit, other_at) if other else ""
    terms = []
    for power, value in enumerate(powers if other else powers[:1]):
        if value:
            per = "" if power == 0 else f"/({other_unit})**{power}"
            title = f"coefficient {power} of {name}"
            factor = description.parameter(f"a{power}_{part}", value, unit + per, title)
            terms.append(factor + (f"*{moved}" if power else "") + (f"**{power}" * (power > 1)))
    left = _from(description, f"start_{own}", own, unit, at)
    expression = left + "".join(f" - {term}" for term in terms)
    description.slopes.append((own, other, powers[1]))
    entry = {"name": part, "type": "holonomic", "expression": expression, "dependent": [own]}
    description.load("constraints", **entry)
    kept_exactly(description, element, name)


def _tendons(settings: Settings) -> dict[str, Element]:
    return {tendon.get("name") or "": tendon for tendon in settings.sections("tendon")}


def _pulled(
    description: Description,
    element: Element,
    tendons: dict[str, Element],
    refs: dict[str, tuple[str, str, float]],
    number: int,
) -> None:
    """Keep an equation between the lengths of tendons that are sums of coordinates."""
    name = element.get("name") or f"equality_{number}"
    part = description.names.force(name)
    first = _length(description, element, "tendon1", tendons, refs)
    second = (
        _length(description, element, "tendon2", tendons, refs) if element.get("tendon2") else {}
    )
    powers = _powers(element)
    own = next((coordinate for coordinate in first if coordinate not in second), None)
    if own is None:
        element.refuse("expected a joint in the first tendon that is not in the second")
    expression = _summed(first)
    for power, value in enumerate(powers if second else powers[:1]):
        if value:
            title = f"coefficient {power} of {name}"
            factor = description.parameter(f"a{power}_{part}", value, "1", title)
            expression += f" - {factor}" + (f"*({_summed(second)})**{power}" if power else "")
    for coordinate, (_, _, weight) in [*first.items(), *second.items()]:
        if coordinate != own:
            slope = -weight * (1 if coordinate in first else -powers[1]) / first[own][2]
            description.slopes.append((own, coordinate, slope))
    entry = {"name": part, "type": "holonomic", "expression": expression, "dependent": [own]}
    description.load("constraints", **entry)
    kept_exactly(description, element, name)


def _length(
    description: Description,
    element: Element,
    attribute: str,
    tendons: dict[str, Element],
    refs: dict[str, tuple[str, str, float]],
) -> dict[str, tuple[str, str, float]]:
    """Return the coordinates of a fixed tendon, each with its factor, its change and its weight."""
    name = element.need(attribute)
    tendon = tendons.get(name)
    if tendon is None:
        element.refuse(f"{attribute}: no tendon '{shown(name)}'{nearest(name, tendons)}")
    if tendon.tag != "fixed":
        element.refuse(f"{attribute}: expected a <fixed> tendon, found a <{shown(tendon.tag)}> one")
    found: dict[str, tuple[str, str, float]] = {}
    for joint in tendon.all("joint"):
        given = joint.need("joint")
        if given not in refs:
            joint.refuse(f"no joint '{shown(given)}' of one coordinate{nearest(given, refs)}")
        coordinate, unit, at = refs[given]
        weight = joint.number("coef")
        if coordinate in found:
            joint.refuse(f"expected each joint once in a tendon, found '{shown(given)}' again")
        if weight:
            title = f"part of {coordinate} in tendon {name}"
            factor = description.parameter(f"coef_{name}_{coordinate}", weight, f"1/{unit}", title)
            change = _from(description, f"start_{coordinate}", coordinate, unit, at)
            found[coordinate] = factor, change, weight
    return found


def _summed(length: dict[str, tuple[str, str, float]]) -> str:
    return " + ".join(f"{factor}*{change}" for factor, change, _ in length.values())


def _powers(element: Element) -> list[float]:
    """Return the coefficients of a polynomial, of which the last may be left out."""
    given = element.numbers("polycoef", None, _LINEAR)
    return [*given, *_LINEAR[len(given) :]]


def _from(description: Description, name: str, coordinate: str, unit: str, at: float) -> str:
    if not at:
        return coordinate
    start = description.parameter(name, at, unit, f"{coordinate} as it is drawn")
    return f"({coordinate} - {start})"
