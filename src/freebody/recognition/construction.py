"""Model files made of what a page says: bodies on pins and sliders, with springs and loads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.algebra.terms import Rational
from freebody.algebra.units import NUMBER
from freebody.consistency.letters import TIME, Letter, Letters, letters_of
from freebody.errors import DerivationError
from freebody.recognition.bodies import Arm, Around, Bodies, Placed, Turning
from freebody.recognition.energies import Energies, Held
from freebody.recognition.examples import OF_UNIT, enlarge
from freebody.recognition.functions import Functions, is_function
from freebody.recognition.making import free_name, identifier
from freebody.recognition.page_units import Units
from freebody.recognition.supports import SupportMotion, supported

_AXES = ([1, 0, 0], [0, 1, 0], [0, 0, 1])


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


@dataclass(eq=False)
class Construction:
    """A model file in the making.

    Attributes
    ----------
    letters : Letters
    found : Energies
    bodies_of : Bodies
    functions : Functions
        Of rates and of time, that loads are made of.
    driven : frozenset of str
        The letters of what moves in a given way.
    names : dict of str to str
        What letters of the page are called in the model.
    """

    letters: Letters
    found: Energies
    bodies_of: Bodies
    functions: Functions
    driven: frozenset[str] = frozenset()
    names: dict[str, str] = field(default_factory=dict)
    _bodies: list[dict[str, Any]] = field(default_factory=list)
    _joints: list[dict[str, Any]] = field(default_factory=list)
    _springs: list[dict[str, Any]] = field(default_factory=list)
    _dampers: list[dict[str, Any]] = field(default_factory=list)
    _torques: list[dict[str, Any]] = field(default_factory=list)
    _frames: dict[object, str] = field(default_factory=dict)
    _links: dict[str, tuple[Arm, str]] = field(default_factory=dict)
    _drives: dict[int, Drive] = field(default_factory=dict)
    _spreads: dict[str, sympy.Expr] = field(default_factory=dict)
    _positive: list[sympy.Expr] = field(default_factory=list)
    _units: Units = field(init=False)
    _loads: tuple[Form, ...] = field(init=False)
    _support: tuple[SupportMotion, ...] = field(init=False)

    def data(self, title: str) -> dict[str, Any]:
        """Return the model file as plain data.

        Raises
        ------
        DerivationError
            If a letter has no unit, or loads are of what the model has not.
        """
        acting = supported(self.letters, self.functions, self.found, self.bodies_of)
        self._loads, self._support = acting
        self._name()
        for one in self.bodies_of.masses:
            self._place(one)
        for turning in self.bodies_of.turning:
            self._turn(turning)
        if self._spreads:
            message = f"nothing tells how {', '.join(self._spreads)} resists turning"
            raise DerivationError(message)
        units = Units.of_energies(self.letters, self.found, self.bodies_of, self.functions)
        self._units = units
        inputs = self._load()
        made: dict[str, Any] = {"title": title}
        if self.bodies_of.gravity:
            made["gravity"] = [0, f"-{self.names[self.bodies_of.gravity.key]}", 0]
        made["coordinates"] = {
            self.names[one.key]: {
                "title": one.key, "unit": str(units.of(one.key)), "initial": self._initial(one)
            }
            for one in self.found.coordinates
        }  # fmt: skip
        for entry in made["coordinates"].values():
            entry["unit"] = "rad" if entry["unit"] == "1" else entry["unit"]
        own = {one.key for one in self.found.coordinates} | self.driven
        rest = [key for key in self.names if key not in own and not is_function(key)]
        for section, keys in (
            ("inputs", [key for key in rest if key in inputs]),
            ("constants", [key for key in rest if key not in inputs]),
        ):
            made[section] = {
                self.names[key]: self._entry(key, units, section == "inputs") for key in keys
            }
        roots = chain.from_iterable(map(self._roots, self.bodies_of.masses))
        enlarge(made["constants"], (*self._positive, *roots))
        prescribed = self._carry() if self._support else {}
        for key in sorted(self.driven & self.names.keys()):
            prescribed |= self._drive(key, str(units.of(key)), made["constants"])
        if prescribed:
            made["prescribed"] = prescribed
        constraints = [*self._hold()]
        lists = {
            "bodies": self._bodies, "joints": self._joints, "springs": self._springs,
            "dampers": self._dampers, "torques": self._torques, "constraints": constraints,
        }  # fmt: skip
        return made | {section: entries for section, entries in lists.items() if entries}

    def _hold(self) -> Iterator[dict[str, Any]]:
        """Iterate over the constraints, each with a coordinate that follows from the others."""
        free = [*reversed(self.found.coordinates)]
        for one in self.found.held:
            inside = letters_of(self.letters, one.form)
            dots = max(each.dots for each in inside)  # of speeds, or else of places
            dependent = next(each for each in free if Letter(each.key, dots) in inside)
            free.remove(dependent)
            yield {
                "name": self.held_by(one.force),
                "type": "nonholonomic" if dots else "holonomic",
                "expression": self.text(one.form),
                "dependent": [self.names[dependent.key] + "_dot" * dots],
            }

    def meaning(self, held: Held) -> str | None:
        """Return what the letter for what holds is in the model; None where that is open."""
        if not {one.key for one in letters_of(self.letters, held.factor)} <= self.names.keys():
            return None
        factor = str(self.text(-self.letters.ring.one / held.factor))
        times = {"1": "", "-1": "-"}.get(factor, f"({factor})*")
        return f"{times}multiplier.{self.held_by(held.force)}"

    def held_by(self, force: str) -> str:
        """Return what a constraint is called by the letter for what holds."""
        return f"by_{identifier(force) or 'multiplier'}"

    def _initial(self, coordinate: Letter) -> float:
        """Return where a coordinate begins: what attracts or holds each other not in one place."""
        columns = [*self.found.columns.values()]
        apart = next((n for n, column in enumerate(columns) if coordinate in column), 0)
        number = self.found.coordinates.index(coordinate) if self.found.held else 0
        return round(0.1 + apart + number / 5, 1)

    def _entry(self, key: str, units: Units, is_input: bool) -> dict[str, Any]:
        unit = str(units.of(key))
        return {"title": key, "unit": unit, "value": 0 if is_input else OF_UNIT.get(unit, 1)}

    def _roots(self, one: Placed) -> Iterator[sympy.Expr]:
        """Iterate over what the roots are of in the position of a mass."""
        for part in one.position:
            written = self._written(part.ring.expression(part))
            yield from (root.base for root in written.atoms(sympy.Pow) if not root.exp.is_Integer)

    def _name(self) -> None:
        forms = (
            *(entry for row in self.found.inertia for entry in row),
            *self.found.slopes, *self.found.stored, *self.found.loads,
            *(part for one in self.bodies_of.masses if _is_moved(one) for part in one.position),
            *(one.form for one in self.found.held),
        )  # fmt: skip
        inside = {one.key for form in forms for one in letters_of(self.letters, form)}
        functions = sorted(filter(is_function, inside))
        inside = inside.union(*map(self.functions.letters_in, functions)) - {*functions, TIME}
        coordinates = [one.key for one in self.found.coordinates]
        taken = set[str]()
        for key in (*coordinates, *sorted(inside - {*coordinates})):
            name = free_name(identifier(key) or re.sub(r"\W", "", key), taken)
            self.names[key] = name
            taken.add(name)
        for key in functions:
            self.names[key] = str(self._written(self.functions.known[key]))

    def _drive(self, key: str, unit: str, constants: dict[str, Any]) -> dict[str, Any]:
        """Return an example of how something moves in a given way, and add its constants."""
        name = self.names[key]
        taken = {*self.names.values(), *constants}
        amplitude, frequency = (
            free_name(f"{name}_{what}", taken) for what in ("height", "frequency")
        )
        words = "of an example of how it moves"
        constants[amplitude] = {"title": f"{key}, height {words}", "unit": unit, "value": 0.1}
        constants[frequency] = {"title": f"{key}, frequency {words}", "unit": "rad/s", "value": 1}
        return {name: {"title": key, "unit": unit, "value": f"{amplitude}*sin({frequency}*t)"}}

    def _carry(self) -> dict[str, Any]:
        """Let a support carry what is joined to the ground; return how it moves."""
        moves, motions = list[dict[str, Any]](), dict[str, Any]()
        for one in self._support:
            name = free_name(f"support_{'xy'[one.axis]}", {*self.names.values(), *motions})
            value = sympy.sstr(self._written(one.displacement))
            motions[name] = {"title": value, "unit": "m", "value": value}
            moves.append({"along": _AXES[one.axis], "by": name})
        for joint in self._joints:
            joint["parent"] = "support" if joint["parent"] == "ground" else joint["parent"]
        self._bodies.insert(0, {"name": "support", "mass": 0})
        joint = {"name": "to_support", "type": "custom", "parent": "ground", "child": "support"}
        self._joints.insert(0, joint | {"motion": moves})
        return motions

    # ------------------------------------------------------------------ bodies and joints

    def text(self, form: Form) -> str | int:
        """Return a form as an expression of the model."""
        written = self._written(form.ring.expression(form))
        if written.is_Integer:
            return int(written)
        if not written.is_Add or len(written.args) > 2:
            written = sympy.factor_terms(written)
        return sympy.sstr(written)

    def _written(self, expr: sympy.Expr) -> sympy.Expr:
        """Return an expression in the names of the model."""
        values = {}
        for atom in expr.free_symbols:
            letter = self.letters.letter(atom)
            if letter is None or (letter.dots > 1 and letter.key not in self.driven):
                raise DerivationError(f"'{atom}' is nothing that a model has a name for")
            name = TIME if letter.key == TIME else self.names[letter.key]
            values[atom] = sympy.Symbol(name + ("", "_dot", "_ddot")[letter.dots])
        return expr.xreplace(values)

    def _named(self, letter: str) -> str:
        """Return a name for a body of which a letter is the mass, or the moment of inertia."""
        name, taken = f"body_{self.names[letter]}", {one["name"] for one in self._bodies}
        numbered = (f"{name}_{n}" for n in count(2))
        return next(one for one in chain((name,), numbered) if one not in taken)

    def _body(self, name: str, mass: str | int = 0) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": name, "mass": mass}
        self._bodies.append(entry)
        return entry

    def _join(self, kind: str, parent: str, child: str, **given: Any) -> dict[str, Any]:
        entry = {"name": f"to_{child}", "type": kind, "parent": parent, "child": child, **given}
        self._joints.append(entry)
        return entry

    def _place(self, one: Placed) -> None:
        own, mass = self._named(one.mass), _counted(one.count, self.names[one.mass])
        if one.around or _is_moved(one):
            self._body(own, mass)
            moves = (
                [*self._around(one.around)]
                if one.around
                else [
                    {"along": axis, "by": self.text(part)}
                    for axis, part in zip(_AXES, one.position, strict=True)
                    if part
                ]
            )
            self._join("custom", "ground", own, motion=moves or [{"along": [1, 0, 0], "by": 0}])
            return
        base = self._shifted(one, own if not one.arms else "", mass)
        if one.arms:
            self._at_the_end(one, base, own, mass)

    def _around(self, one: Around) -> Iterator[dict[str, Any]]:
        """Iterate over the moves along an arm that turns about the vertical."""
        turn, tilt = (self.names[self.found.coordinates[n].key] for n in (one.turn, one.tilt))
        yield {"about": [0, -1, 0], "by": turn}
        if one.level:
            yield {"along": [1, 0, 0], "by": self.text(one.level)}
        along, leads = ([0, 1, 0], one.up) if one.is_upright else ([0, 0, 1], one.side)
        sign = one.side * one.up * (1 if one.is_upright else -1)
        yield {"about": [sign, 0, 0], "by": tilt}
        yield {"along": [leads * part for part in along], "by": self.text(one.length)}

    def _shifted(self, one: Placed, own: str, mass: str) -> str:
        """Return the body that the coordinates shift by which a mass is shifted."""
        parent, done = "ground", tuple[Any, ...]()
        for place, (n, direction) in enumerate(one.shifts):
            is_last = place == len(one.shifts) - 1
            done = (*done, n, *(self.text(part) for part in direction))
            if done in self._frames and not (is_last and own):
                parent = self._frames[done]
                continue
            coordinate = self.names[self.found.coordinates[n].key]
            if done in self._frames:  # a second mass that is shifted alike
                self._body(own, mass)
                self._join("weld", self._frames[done], own)
                return own
            child = own if is_last and own else f"frame_{coordinate}"
            self._body(child, mass if child == own else 0)
            axis = [*(self.text(part) for part in direction), 0]
            joint = self._join("slider", parent, child, axis=axis, displacement=coordinate)
            self._drives.setdefault(n, Drive(joint, "force"))
            self._frames[done] = parent = child
        return parent

    def _at_the_end(self, one: Placed, base: str, own: str, mass: str) -> None:
        """Place a mass at the end of arms that turn."""
        parent, at, before = base, [0, 0, 0], None
        arms = sorted(one.arms, key=lambda arm: (self._shared(arm), arm.angle))
        path: tuple[Any, ...] = (base,)
        for arm in arms[:-1]:
            link = self._link(arm, parent, at, before, path)
            path, before = (*path, arm.angle, str(self.text(arm.length))), arm
            parent, at = self._end(link, arm, path)
        last = arms[-1]
        link = self._link(last, parent, at, before, path)
        body = next(entry for entry in self._bodies if entry["name"] == link)
        if self._moves(last.length):
            self._end(link, last, (*path, last.angle, str(self.text(last.length))), mass, own)
        elif body["mass"] == 0 and "center_of_mass" not in body:
            body["mass"] = mass
            body["center_of_mass"] = self._along(last)
        else:
            body = self._body(own, mass)
            self._join("weld", link, own, at=self._along(last))
        if one.spread is not None:
            spread = one.spread * one.spread.ring.symbol(self.letters.atom(Letter(one.mass, 0)))
            written = self._written(spread.ring.expression(spread.scaled(one.count)))
            if written.could_extract_minus_sign():  # a moment of inertia about the pivot has it
                self._spreads[link] = self._spreads.get(link, sympy.S.Zero) + written
            else:
                body["inertia"] = self.text(spread.scaled(one.count))
                self._positive.append(written)

    def _shared(self, arm: Arm) -> int:
        """Return how many masses an arm carries, negative."""
        return -sum(arm.angle == other.angle for one in self.bodies_of.masses for other in one.arms)

    def _moves(self, length: Form) -> bool:
        return any(one.key in self.letters.moving for one in letters_of(self.letters, length))

    def _along(self, arm: Arm) -> list[Any]:
        text = self.text(arm.length)
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
            self.names[one.key]
            for one, has in zip(self.found.coordinates, arm.angle, strict=True)
            if has
        )
        name = free_name(f"link_{which}", {entry["name"] for entry in self._bodies})
        self._body(name)
        turn, angle = arm.way[2], self._angle(arm, 1)
        if before is not None:
            is_alike = before.way[2] == turn
            angle = angle - self._angle(before, 1 if is_alike else -1)
        given: dict[str, Any] = {"at": at} if any(at) else {}
        if turn < 0:
            given["axis"] = [0, 0, -1]
        joint = self._join("pin", parent, name, **given, angle=sympy.sstr(angle))
        self._frames[key] = name
        self._links[name] = arm, str(angle)
        for n, one in enumerate(self.found.coordinates):
            if angle == sympy.Symbol(self.names[one.key]):
                self._drives.setdefault(n, Drive(joint, "torque"))
        return name

    def _angle(self, arm: Arm, sign: int) -> sympy.Expr:
        pairs = zip(self.found.coordinates, arm.angle, strict=True)
        return sign * sum(
            (sympy.Symbol(self.names[one.key]) * has for one, has in pairs), sympy.S.Zero
        )

    def _end(
        self, link: str, arm: Arm, path: tuple[Any, ...], mass: str | int = 0, own: str = ""
    ) -> tuple[str, list[Any]]:
        """Return the body that carries the next arm, and where on it."""
        if not self._moves(arm.length):
            return link, self._along(arm)
        if path not in self._frames:
            child = own or f"end_of_{link}"
            self._body(child, mass)
            axis = [arm.way[0], arm.way[1], 0]
            joint = self._join("slider", link, child, axis=axis, displacement=self.text(arm.length))
            self._frames[path] = child
            ring = arm.length.ring
            for n, one in enumerate(self.found.coordinates):
                slope = ring.partial(arm.length, self.letters.atom(one))
                if slope.is_number and slope.number == 1:
                    self._drives.setdefault(n, Drive(joint, "force"))
        elif mass:
            self._body(own, mass)
            self._join("weld", self._frames[path], own)
        return self._frames[path], [0, 0, 0]

    def _turn(self, one: Turning) -> None:
        """Let a body turn: a link that turns so, or one that does nothing else."""
        inertia = _counted(one.count, self.names[one.inertia])
        if one.axes is not None:
            about, tilt, is_upright = one.axes
            name = self._named(one.inertia)
            self._body(name)["inertia"] = (
                [inertia, 0, inertia] if is_upright else [inertia, inertia, 0]
            )
            names = [self.names[self.found.coordinates[n].key] for n in (about, tilt)]
            moves = [{"about": [0, 1, 0], "by": names[0]}, {"about": [1, 0, 0], "by": names[1]}]
            self._join("custom", "ground", name, motion=moves)
            return
        plain = tuple(int(part.number) if part.is_number else None for part in one.factors)
        for name, (arm, _) in self._links.items():
            body = next(entry for entry in self._bodies if entry["name"] == name)
            if plain not in (arm.angle, tuple(-part for part in arm.angle)):
                continue
            if "inertia" not in body:
                spread = self._spreads.pop(name, sympy.S.Zero)
                whole = spread + one.count * sympy.Symbol(self.names[one.inertia])
                body["inertia"] = sympy.sstr(whole)
                self._positive.append(whole)
                return
        for name, (arm, _) in self._links.items():
            apart: list[tuple[int, int]] = [
                (n, part - has * arm.way[2])
                for n, (part, has) in enumerate(zip(plain, arm.angle, strict=True))
                if part is not None and part != has * arm.way[2]
            ]
            if None not in plain and len(apart) == 1 and apart[0][1] == 1:
                n, _ = apart[0]
                child = self._named(one.inertia)
                self._body(child)["inertia"] = inertia
                coordinate = self.names[self.found.coordinates[n].key]
                joint = self._join("pin", name, child, angle=coordinate)
                self._drives.setdefault(n, Drive(joint, "torque"))
                return
        ring = one.factors[0].ring
        symbols = [ring.symbol(self.letters.atom(each)) for each in self.found.coordinates]
        angle = ring.sum([a * b for a, b in zip(one.factors, symbols, strict=True)])
        name = self._named(one.inertia)
        upright = {mass.around.turn for mass in self.bodies_of.masses if mass.around}
        if upright == {n for n, part in enumerate(one.factors) if part}:
            self._body(name)["inertia"] = [inertia, inertia, inertia]
            given: dict[str, Any] = {"axis": [0, -1, 0]}
        else:
            self._body(name)["inertia"] = inertia
            given = {}
        joint = self._join("pin", "ground", name, **given, angle=self.text(angle))
        for n, place in enumerate(symbols):
            if not (angle - place):
                self._drives.setdefault(n, Drive(joint, "torque"))

    # ------------------------------------------------------------------ what acts

    def _load(self) -> set[str]:
        """Let springs, friction and forces act; return the letters of what may drive."""
        inputs = set[str]()
        for n, (load, stored) in enumerate(zip(self._loads, self.found.stored, strict=True)):
            whole = load - stored
            if not whole:
                continue
            if not self._is_linked(n, whole):
                whole = self._spring(n, whole)
            if whole:
                inputs |= self._driving(whole)
                self._act(n, whole)
        return inputs

    def _is_linked(self, n: int, load: Form) -> bool:
        """Return whether a load depends on another coordinate, as that of a spring between two."""
        others = {one.key for one in self.found.coordinates} - {self.found.coordinates[n].key}
        return any(one.key in others for one in letters_of(self.letters, load))

    def _spring(self, n: int, load: Form) -> Form:
        """Take a linear spring and a damper at the joint of a coordinate from a load."""
        ring, one = load.ring, self.found.coordinates[n]
        drive = self._drives.get(n)
        if drive is None or drive.joint["type"] not in ("pin", "slider"):
            return load
        joint, name = drive.joint, self.names[one.key]
        if (joint.get("angle") or joint.get("displacement")) != name:
            return load
        for entries, word, letter in (
            (self._dampers, "damping", Letter(one.key, 1)),
            (self._springs, "stiffness", one),
        ):
            atom = self.letters.atom(letter)
            slope = -ring.partial(load, atom)
            inside = letters_of(self.letters, slope)
            if (
                len(slope.terms) == 1
                and len(inside) == 1
                and not any(
                    each.key in self.letters.moving or each.key in self._heavy for each in inside
                )
            ):
                load = load + slope * ring.symbol(atom)
                acting: dict[str, Any] = {"joint": joint["name"], word: self.text(slope)}
                (constant,) = inside
                rest = ring.partial(load, self.letters.atom(constant))
                if word == "stiffness" and rest and not self._moves(rest):
                    load = load - rest * slope
                    acting["rest"] = self.text(rest)
                entries.append(acting)
        return load

    @property
    def _heavy(self) -> set[str]:
        return {one.mass for one in self.bodies_of.masses}

    def _driving(self, load: Form) -> set[str]:
        """Return the letters of a load that are forces or moments themselves."""
        own = {one.key for one in self.found.coordinates} | self.driven
        known = {
            one.key
            for form in (
                *(e for row in self.found.inertia for e in row),
                *self.found.slopes,
                *self.found.stored,
            )
            for one in letters_of(self.letters, form)
        }
        found = set[str]()
        for one in letters_of(self.letters, load):
            slope = load.ring.partial(load, self.letters.atom(one))
            is_alone = not any(
                each.key in own for each in letters_of(self.letters, slope) if each.dots
            )
            near = {each.key for each in letters_of(self.letters, slope)}
            is_constant = is_function(one.key) or any(map(is_function, near))
            if one.key not in own | known and is_alone and not (near & own or is_constant):
                found.add(one.key)
        return found

    def _act(self, n: int, load: Form) -> None:
        """Let a load act along a coordinate: at its joint, on its link, or on a frame."""
        drive = self._drives.get(n)
        coordinate = self.names[self.found.coordinates[n].key]
        text = str(self.text(load))
        if drive is not None:
            before = f"{drive.joint[drive.field]} + " if drive.field in drive.joint else ""
            drive.joint[drive.field] = before + text
            return
        for name, (arm, _) in self._links.items():
            if [place for place, has in enumerate(arm.angle) if has] == [n]:
                signed = text if arm.way[2] > 0 else f"-({text})"
                self._torques.append({"on": name, "vector": [0, 0, signed]})
                return
        name = f"along_{coordinate}"
        self._body(name)
        if self._units.of(self.found.coordinates[n].key) == NUMBER:
            self._join("pin", "ground", name, angle=coordinate, torque=text)
        else:
            self._join("slider", "ground", name, displacement=coordinate, force=text)


def _is_moved(one: Placed) -> bool:
    """Return whether a body is moved to its position as that is written."""
    return not one.around and bool(one.printed or not (one.shifts or one.arms))


def _counted(number: Rational, name: str) -> str:
    """Return a constant times how many there are."""
    return name if number == 1 else f"{number}*{name}"
