"""What a derivation begins with: the system, its symbols, and its drawings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import sympy

from freebody.algebra import Form, textbook
from freebody.drawing.posture import Posture
from freebody.drawing.style import unit_text
from freebody.explaining.angles import Relation
from freebody.explaining.notation import COORDINATE as COORDINATE_RANK
from freebody.explaining.page import Page
from freebody.explaining.pictures.free_body import free_body_figure
from freebody.explaining.pictures.mechanism import system_figure
from freebody.explaining.system import System
from freebody.explaining.terms import in_words


class Overview:
    """The first section of a derivation.

    Parameters
    ----------
    page : Page
    system : System
    """

    def __init__(self, page: Page, system: System) -> None:
        self.page, self.system = page, system

    @cached_property
    def posture(self) -> Posture:
        """How the system is drawn."""
        return Posture(self.system.mechanism, plane_of(self.system))

    def write(self) -> None:
        """Write what the system is, and draw it."""
        page, system = self.page, self.system
        page.heading("The system")
        page.prose(_sentence(system))
        page.picture("system", self._caption(), system_figure(system, self.posture))
        page.table(self._bodies())
        page.table(self._symbols())

    def prescribed(self) -> None:
        """Write what is known of prescribed motions."""
        motions = self.system.mechanism.prescribed
        if motions:
            self.page.prose("Prescribed motions are, over time,")
        for motion, value in motions.items():
            self.page.equation(motion, self.system.renamed(value))

    def angles(self, relations: Sequence[Relation]) -> None:
        """Write what the angles of the model are, where others are written instead."""
        if not relations:
            return
        self.page.prose("The angles that the model itself has are")
        for one in relations:
            names = self.system.mechanism.names.coordinates
            value = one.value.xreplace({sympy.Symbol(name): q for name, q in names.items()})
            symbol = self.system.notation.quantity(one.path, [one.latex], rank=COORDINATE_RANK)
            self.page.equation(symbol, value)

    def _caption(self) -> str:
        latex = self.system.notation.latex
        names = self.system.mechanism.names.coordinates
        at = ", ".join(
            f"${latex(names[name])}$ at ${_short(value)}$"
            for name, value in self.posture.coordinates.items()
        )
        guessed = ", ".join(self.posture.guessed)
        lengths = f" Constants without a value are drawn with 1: {guessed}." if guessed else ""
        return f"The system, drawn with {at}.{lengths}"

    def _bodies(self) -> Iterator[list[str]]:
        system, latex = self.system, self.system.notation.latex
        yield ["no.", "body", "joint", "mass", "inertia about its centre of mass"]
        for joint in (system.inner_joint(body) for body in system.bodies):
            body = system.mechanism.joint_frames[joint].child
            entry = next(one for one in system.model.joints if one.name == joint)
            mass = system.mechanism.masses.get(body)
            weight = "" if mass is None else f"${latex(mass.mass)}$"
            what = f"{in_words(joint)}, {_article(entry.type)} on {in_words(entry.parent)}"
            yield [str(system.number(body)), in_words(body), what, weight, self._inertia(body)]

    def _inertia(self, body: str) -> str:
        mass = self.system.mechanism.masses.get(body)
        if mass is None or mass.inertia is None:
            return "none"
        latex, inertia = self.system.notation.latex, mass.inertia
        if self.system.is_planar:
            axis = self.system.turning[0] if self.system.turning else 2
            return f"${latex(inertia[axis, axis])}$"
        if inertia.is_diagonal():
            return ", ".join(f"${latex(inertia[k, k])}$" for k in range(3))
        rows = [", ".join(f"${latex(one)}$" for one in inertia.row(k)) for k in range(3)]
        return "; ".join(rows)

    def _symbols(self) -> Iterator[list[str]]:
        model, names = self.system.model, self.system.mechanism.names
        latex, values = self.system.notation.latex, self.system.mechanism.names.values()
        yield ["symbol", "what it is", "unit", "value"]
        for name, entry in model.coordinates.items():
            yield [
                f"${latex(names.coordinates[name])}$",
                entry.title,
                unit_text(entry.unit),
                "coordinate",
            ]
        for name, speed in model.speeds.items():
            yield [f"${latex(names.speeds[name])}$", speed.title, unit_text(speed.unit), "speed"]
        for motion, told in zip(
            self.system.mechanism.prescribed, model.prescribed.values(), strict=True
        ):
            yield [f"${latex(motion)}$", told.title, unit_text(told.unit), "prescribed"]
        for name, given in model.inputs.items():
            yield [f"${latex(names.inputs[name])}$", given.title, unit_text(given.unit), "input"]
        for name, constant in model.constants.items():
            if names.constants[name] not in self._used:
                continue
            value = _short(values[name]) if name in values else ""
            symbol = f"${latex(names.constants[name])}$"
            yield [symbol, constant.title, unit_text(constant.unit), value]

    @cached_property
    def _used(self) -> set[sympy.Expr]:
        """The constants that come into the equations of motion, the table, or where anything is."""
        blocks = self.system.equations.blocks
        vectors = (blocks.C, blocks.G, blocks.E, blocks.tau, blocks.gamma)
        motion = self.system.motion
        places = (motion.position(body).parts for body in self.system.bodies)
        rows: list[Iterable[Form]] = [*blocks.M, *vectors, *blocks.J, *places]
        found = {symbol for row in rows for form in row for symbol in textbook(form).free_symbols}
        moving = self.system.mechanism
        laws = (*moving.laws.values(), *moving.prescribed.values())
        for matter in moving.masses.values():
            found |= matter.mass.free_symbols
            found |= matter.inertia.free_symbols if matter.inertia is not None else set()
        return found.union(*(sympy.sympify(law).free_symbols for law in laws))

    def free_bodies(self) -> None:
        """Draw the free bodies.

        Raises
        ------
        DerivationError
            If a joint or a constraint has no free-body diagram.
        """
        page, system = self.page, self.system
        page.heading("Free-body diagrams")
        page.prose(
            "Every force is drawn in the direction in which its component counts as positive; what "
            "a joint transmits to the body behind it acts on the body before it the other way "
            "round."
        )
        for body in system.bodies:
            number = system.number(body)
            figure = free_body_figure(system, self.posture, body)
            page.picture(f"body{number}", f"Body {number}, {in_words(body)}, cut free.", figure)
        self._pulls()

    def _pulls(self) -> None:
        """Write what the symbols of springs and dampers, and of moment arms, stand for."""
        page, system = self.page, self.system
        defined = [one for one in system.acting.values() if one.is_defined]
        if defined:
            page.prose(
                "Springs and dampers pull their ends together, or act at a joint against its "
                "motion, with"
            )
            for one in defined:
                page.equation(one.symbol, system.expr(system.motion.value(one.pull)))
        if system.arms:
            page.prose("Muscles turn joints with their tensions times their moment arms")
            for symbol, arm in system.arms.values():
                page.equation(symbol, system.expr(arm))


def plane_of(system: System) -> tuple[int, int] | None:
    """Return the axes of the plane that everything is in; nothing where it is in space."""
    if not system.is_planar:
        return None
    normal = (
        system.turning[0] if system.turning else next(k for k in (2, 1, 0) if k not in system.axes)
    )
    across, up = (k for k in range(3) if k != normal)
    return across, up


def _short(value: float) -> str:
    return f"{value:.4g}"


def _sentence(system: System) -> str:
    """Return how many bodies and freedoms there are, in words."""
    bodies, n, m = len(system.bodies), len(system.mechanism.speeds), len(system.multipliers)
    message = f"{_count(bodies, 'body', 'bodies')} with {_count(n, 'generalized speed')}"
    if m:
        message += f", {_count(m, 'equation')} of constraints, and so {n - m} degrees of freedom"
    where = "in a plane" if system.is_planar else "in space"
    return f"{message[0].upper()}{message[1:]}, {where}."


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'aeio' else 'a'} {word}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
