"""The bodies and joints of a model made of what a page says: pins, sliders, and links that turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.algebra.terms import Rational
from freebody.consistency.letters import Letter, Letters, letters_of
from freebody.errors import DerivationError
from freebody.recognition.building.bodies import Arm, Around, Bodies, Placed, Turning
from freebody.recognition.building.model_names import ModelNames
from freebody.recognition.known.making import free_name

AXES = ([1, 0, 0], [0, 1, 0], [0, 0, 1])


@dataclass(frozen=True)
class Drive:
    """A joint, or a body, by which a load along a coordinate acts.

    Attributes
    ----------
    joint : dict
        Its entry.
    field : str
        Of what an actuator there exerts.
    """

    joint: dict[str, Any]
    field: str


class Linkage:
    """Bodies, with the joints that place them and let them turn.

    Parameters
    ----------
    letters : Letters
    names : ModelNames
    coordinates : sequence of Letter
    placed : Bodies

    Raises
    ------
    DerivationError
        If nothing tells how a mass that is more than a point resists turning.

    Attributes
    ----------
    bodies, joints : list of dict
        Their entries in a model file.
    links : dict of str to Arm
        What turns with an arm, by the name of its body.
    drives : dict of int to Drive
        By which loads along coordinates act.
    positive : list of sympy.Expr
        What must be positive of the values of an example: moments of inertia.
    """

    def __init__(
        self, letters: Letters, names: ModelNames, coordinates: Sequence[Letter], placed: Bodies
    ) -> None:
        self._letters, self._names = letters, names
        self._coordinates, self._placed = coordinates, placed
        self.bodies: list[dict[str, Any]] = []
        self.joints: list[dict[str, Any]] = []
        self.links: dict[str, Arm] = {}
        self.drives: dict[int, Drive] = {}
        self.positive: list[sympy.Expr] = []
        self._frames: dict[object, str] = {}
        self._spreads: dict[str, sympy.Expr] = {}
        for one in placed.masses:
            self._place(one)
        for turning in placed.turning:
            self._turn(turning)
        if self._spreads:
            message = f"nothing tells how {', '.join(self._spreads)} resists turning"
            raise DerivationError(message)

    @property
    def heavy(self) -> set[str]:
        """The letters of masses."""
        return {one.mass for one in self._placed.masses}

    def carry(self, moves: Sequence[dict[str, Any]]) -> None:
        """Let a support that moves in a given way carry what is joined to the ground."""
        for joint in self.joints:
            joint["parent"] = "support" if joint["parent"] == "ground" else joint["parent"]
        self.bodies.insert(0, {"name": "support", "mass": 0})
        joint = {"name": "to_support", "type": "custom", "parent": "ground", "child": "support"}
        self.joints.insert(0, joint | {"motion": moves})

    def _named(self, letter: str) -> str:
        """Return a name for a body of which a letter is the mass, or the moment of inertia."""
        name, taken = f"body_{self._names[letter]}", {one["name"] for one in self.bodies}
        numbered = (f"{name}_{n}" for n in count(2))
        return next(one for one in chain((name,), numbered) if one not in taken)

    def body(self, name: str, mass: str | int = 0) -> dict[str, Any]:
        """Add a body, and return its entry."""
        entry: dict[str, Any] = {"name": name, "mass": mass}
        self.bodies.append(entry)
        return entry

    def join(self, kind: str, parent: str, child: str, **given: Any) -> dict[str, Any]:
        """Add a joint, and return its entry."""
        entry = {"name": f"to_{child}", "type": kind, "parent": parent, "child": child, **given}
        self.joints.append(entry)
        return entry

    def _place(self, one: Placed) -> None:
        own, mass = self._named(one.mass), _counted(one.count, self._names[one.mass])
        if one.around or is_moved(one):
            self.body(own, mass)
            moves = (
                [*self._around(one.around)]
                if one.around
                else [
                    {"along": axis, "by": self._names.text(part)}
                    for axis, part in zip(AXES, one.position, strict=True)
                    if part
                ]
            )
            self.join("custom", "ground", own, motion=moves or [{"along": [1, 0, 0], "by": 0}])
            return
        base = self._shifted(one, own if not one.arms else "", mass)
        if one.arms:
            self._at_the_end(one, base, own, mass)

    def _around(self, one: Around) -> Iterator[dict[str, Any]]:
        """Iterate over the moves along an arm that turns about the vertical."""
        turn, tilt = (self._names[self._coordinates[n].key] for n in (one.turn, one.tilt))
        yield {"about": [0, -1, 0], "by": turn}
        if one.level:
            yield {"along": [1, 0, 0], "by": self._names.text(one.level)}
        along, leads = ([0, 1, 0], one.up) if one.is_upright else ([0, 0, 1], one.side)
        sign = one.side * one.up * (1 if one.is_upright else -1)
        yield {"about": [sign, 0, 0], "by": tilt}
        yield {"along": [leads * part for part in along], "by": self._names.text(one.length)}

    def _shifted(self, one: Placed, own: str, mass: str) -> str:
        """Return the body that the coordinates shift by which a mass is shifted."""
        parent, done = "ground", tuple[Any, ...]()
        for place, (n, direction) in enumerate(one.shifts):
            is_last = place == len(one.shifts) - 1
            done = (*done, n, *(self._names.text(part) for part in direction))
            if done in self._frames and not (is_last and own):
                parent = self._frames[done]
                continue
            coordinate = self._names[self._coordinates[n].key]
            if done in self._frames:  # a second mass that is shifted alike
                self.body(own, mass)
                self.join("weld", self._frames[done], own)
                return own
            child = own if is_last and own else f"frame_{coordinate}"
            self.body(child, mass if child == own else 0)
            axis = [*(self._names.text(part) for part in direction), 0]
            joint = self.join("slider", parent, child, axis=axis, displacement=coordinate)
            self.drives.setdefault(n, Drive(joint, "force"))
            self._frames[done] = parent = child
        return parent

    def _at_the_end(self, one: Placed, base: str, own: str, mass: str) -> None:
        """Place a mass at the end of arms that turn."""
        parent, at, before = base, [0, 0, 0], None
        arms = sorted(one.arms, key=lambda arm: (self._shared(arm), arm.angle))
        path: tuple[Any, ...] = (base,)
        for arm in arms[:-1]:
            link = self._link(arm, parent, at, before, path)
            path, before = (*path, arm.angle, str(self._names.text(arm.length))), arm
            parent, at = self._end(link, arm, path)
        last = arms[-1]
        link = self._link(last, parent, at, before, path)
        body = next(entry for entry in self.bodies if entry["name"] == link)
        if self.moves(last.length):
            self._end(
                link, last, (*path, last.angle, str(self._names.text(last.length))), mass, own
            )
        elif body["mass"] == 0 and "center_of_mass" not in body:
            body["mass"] = mass
            body["center_of_mass"] = self._along(last)
        else:
            body = self.body(own, mass)
            self.join("weld", link, own, at=self._along(last))
        if one.spread is not None:
            spread = one.spread * one.spread.ring.symbol(self._letters.atom(Letter(one.mass, 0)))
            written = self._names.written(spread.ring.expression(spread.scaled(one.count)))
            if written.could_extract_minus_sign():  # a moment of inertia about the pivot has it
                self._spreads[link] = self._spreads.get(link, sympy.S.Zero) + written
            else:
                body["inertia"] = self._names.text(spread.scaled(one.count))
                self.positive.append(written)

    def _shared(self, arm: Arm) -> int:
        """Return how many masses an arm carries, negative."""
        return -sum(arm.angle == other.angle for one in self._placed.masses for other in one.arms)

    def moves(self, length: Form) -> bool:
        """Return whether something depends on what moves."""
        return any(one.key in self._letters.moving for one in letters_of(self._letters, length))

    def _along(self, arm: Arm) -> list[Any]:
        text = self._names.text(arm.length)
        signed = {0: 0, 1: text, -1: f"-({text})" if re.search(r"[-+ ]", str(text)) else f"-{text}"}
        return [signed[arm.way[0]], signed[arm.way[1]], 0]

    def _link(
        self, arm: Arm, parent: str, at: list[Any], before: Arm | None, path: tuple[Any, ...]
    ) -> str:
        """Return the body that turns with an arm."""
        key = ("link", *path, arm.angle)
        if key in self._frames:
            return self._frames[key]
        which = "".join(
            self._names[one.key]
            for one, has in zip(self._coordinates, arm.angle, strict=True)
            if has
        )
        name = free_name(f"link_{which}", {entry["name"] for entry in self.bodies})
        self.body(name)
        turn, angle = arm.way[2], self._angle(arm, 1)
        if before is not None:
            is_alike = before.way[2] == turn
            angle = angle - self._angle(before, 1 if is_alike else -1)
        given: dict[str, Any] = {"at": at} if any(at) else {}
        if turn < 0:
            given["axis"] = [0, 0, -1]
        joint = self.join("pin", parent, name, **given, angle=sympy.sstr(angle))
        self._frames[key] = name
        self.links[name] = arm
        for n, one in enumerate(self._coordinates):
            if angle == sympy.Symbol(self._names[one.key]):
                self.drives.setdefault(n, Drive(joint, "torque"))
        return name

    def _angle(self, arm: Arm, sign: int) -> sympy.Expr:
        pairs = zip(self._coordinates, arm.angle, strict=True)
        return sign * sum(
            (sympy.Symbol(self._names[one.key]) * has for one, has in pairs), sympy.S.Zero
        )

    def _end(
        self, link: str, arm: Arm, path: tuple[Any, ...], mass: str | int = 0, own: str = ""
    ) -> tuple[str, list[Any]]:
        """Return the body that carries the next arm, and where on it."""
        if not self.moves(arm.length):
            return link, self._along(arm)
        if path not in self._frames:
            child = own or f"end_of_{link}"
            self.body(child, mass)
            axis = [arm.way[0], arm.way[1], 0]
            joint = self.join(
                "slider", link, child, axis=axis, displacement=self._names.text(arm.length)
            )
            self._frames[path] = child
            ring = arm.length.ring
            for n, one in enumerate(self._coordinates):
                slope = ring.partial(arm.length, self._letters.atom(one))
                if slope.is_number and slope.number == 1:
                    self.drives.setdefault(n, Drive(joint, "force"))
        elif mass:
            self.body(own, mass)
            self.join("weld", self._frames[path], own)
        return self._frames[path], [0, 0, 0]

    def _turn(self, one: Turning) -> None:
        """Let a body turn: with a link, on one, or by itself."""
        if one.axes is not None:
            self._turn_in_space(one, one.axes)
            return
        whole = tuple(int(part.number) if part.is_number else None for part in one.factors)
        if not (self._turns_with_link(one, whole) or self._turns_on_link(one, whole)):
            self._turn_alone(one)

    def _turn_in_space(self, one: Turning, axes: tuple[int, int, int]) -> None:
        """Let a rod turn about the vertical, and tilt."""
        about, tilt, is_upright = axes
        name, inertia = self._named(one.inertia), self._inertia(one)
        self.body(name)["inertia"] = [inertia, 0, inertia] if is_upright else [inertia, inertia, 0]
        turns = (([0, 1, 0], about), ([1, 0, 0], tilt))
        moves = [{"about": axis, "by": self._names[self._coordinates[n].key]} for axis, n in turns]
        self.join("custom", "ground", name, motion=moves)

    def _turns_with_link(self, one: Turning, whole: tuple[int | None, ...]) -> bool:
        """Give a link that turns so a moment of inertia, if there is one without."""
        for name, arm in self.links.items():
            body = next(entry for entry in self.bodies if entry["name"] == name)
            is_alike = whole in (arm.angle, tuple(-part for part in arm.angle))
            if is_alike and "inertia" not in body:
                spread = self._spreads.pop(name, sympy.S.Zero)
                resisting = spread + one.count * sympy.Symbol(self._names[one.inertia])
                body["inertia"] = sympy.sstr(resisting)
                self.positive.append(resisting)
                return True
        return False

    def _turns_on_link(self, one: Turning, whole: tuple[int | None, ...]) -> bool:
        """Let a body turn by one coordinate more than the link that carries it, if one does."""
        for name, arm in self.links.items():
            apart = [
                (n, part - has * arm.way[2])
                for n, (part, has) in enumerate(zip(whole, arm.angle, strict=True))
                if part is not None and part != has * arm.way[2]
            ]
            if None not in whole and len(apart) == 1 and apart[0][1] == 1:
                self._pin(one, name, apart[0][0])
                return True
        return False

    def _pin(self, one: Turning, parent: str, n: int) -> None:
        child = self._named(one.inertia)
        self.body(child)["inertia"] = self._inertia(one)
        joint = self.join("pin", parent, child, angle=self._names[self._coordinates[n].key])
        self.drives.setdefault(n, Drive(joint, "torque"))

    def _turn_alone(self, one: Turning) -> None:
        ring, inertia = one.factors[0].ring, self._inertia(one)
        symbols = [ring.symbol(self._letters.atom(each)) for each in self._coordinates]
        angle = ring.sum([a * b for a, b in zip(one.factors, symbols, strict=True)])
        name, given = self._named(one.inertia), dict[str, Any]()
        self.body(name)["inertia"] = inertia
        upright = {mass.around.turn for mass in self._placed.masses if mass.around}
        if upright == {n for n, part in enumerate(one.factors) if part}:
            self.bodies[-1]["inertia"] = [inertia, inertia, inertia]
            given["axis"] = [0, -1, 0]
        joint = self.join("pin", "ground", name, **given, angle=self._names.text(angle))
        for n, place in enumerate(symbols):
            if not (angle - place):
                self.drives.setdefault(n, Drive(joint, "torque"))

    def _inertia(self, one: Turning) -> str:
        return _counted(one.count, self._names[one.inertia])


def is_moved(one: Placed) -> bool:
    """Return whether a body is moved to its position as that is written."""
    return not one.around and bool(one.printed or not (one.shifts or one.arms))


def _counted(number: Rational, name: str) -> str:
    """Return a constant times how many there are."""
    return name if number == 1 else f"{number}*{name}"
