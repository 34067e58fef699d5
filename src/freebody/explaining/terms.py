"""The sorted equations of motion, and what each of their terms is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from freebody.algebra import Form
from freebody.explaining.page import Page
from freebody.explaining.system import ZERO, System
from freebody.mechanics.kinematics import CanonicalForms, Kinematics, partial_of
from freebody.mechanics.parts import Load


@dataclass(frozen=True)
class Contribution:
    """What one body or load adds to an entry of the equations of motion.

    Attributes
    ----------
    source : str
        The body, or the load.
    what : str
        In words.
    value : Form
    """

    source: str
    what: str
    value: Form


class Blocks:
    """The blocks of the equations of motion, printed.

    Parameters
    ----------
    page : Page
    system : System
    """

    def __init__(self, page: Page, system: System) -> None:
        self.page, self.system = page, system
        self.n = len(system.mechanism.speeds)
        letter = system.notation.letter
        self._letters = {
            "M": letter(["M", "H", r"\mathcal{M}"]),
            "C": letter(["C", "V", "h", r"\mathcal{C}"]),
            "G": letter(["G", r"\mathcal{G}"]),
            "E": letter(["E", r"\mathcal{E}"]),
            "tau": letter([r"\tau", r"\mathcal{T}"]),
            "J": letter(["J", "A", r"\mathcal{J}"]),
        }

    def entry(self, block: str, row: int, column: int | None = None) -> sympy.Symbol:
        """Return the symbol of an entry, counted from 0."""
        place = f"{row + 1}" if column is None else f"{row + 1},{column + 1}"
        index = place if self.n > 9 else place.replace(",", "")
        path = f"equations.{block}[{place}]"
        return self.system.notation.quantity(path, [f"{self._letters[block]}_{{{index}}}"])

    def write(self) -> None:
        """Write the equations in matrix form, and entry by entry."""
        page = self.page
        page.heading("The equations of motion")
        page.prose(
            "Sorted by accelerations, products of speeds, gravity, other forces, and actuators, "
            "the equations are rows of one matrix equation."
        )
        self.matrices()
        self._symmetry()
        if self.system.multipliers:
            page.prose("The constraints hold between accelerations as well:")
            self.constraints()
        self._meanings()

    def matrices(self) -> None:
        """Write the matrix equation, and its entries that are not zero."""
        blocks = self.system.equations.blocks
        self.page.equation(*self._whole())
        for row in range(self.n):
            for column in range(row, self.n):
                self._entry(blocks.M[row][column], "M", row, column)
        for block in ("C", "G", "E", "tau"):
            for row in range(self.n):
                self._entry(getattr(blocks, block)[row], block, row)
        for k, slopes in enumerate(blocks.J):
            for row, slope in enumerate(slopes):
                self._entry(slope, "J", k, row)

    def _entry(self, form: Form, block: str, row: int, column: int | None = None) -> None:
        if form:
            self.page.equation(self.entry(block, row, column), self.system.expr(form))

    def _shown(self, block: str, row: int, column: int | None = None) -> sympy.Expr:
        """Return the symbol of an entry; zero where it is."""
        rows = getattr(self.system.equations.blocks, block)
        form = rows[row] if column is None else rows[row][column]
        return self.entry(block, row, column) if form else ZERO

    @property
    def present(self) -> list[str]:
        """The blocks that are not zero."""
        blocks = self.system.equations.blocks
        return ["M", *(name for name in ("C", "G", "E", "tau") if any(getattr(blocks, name)))]

    def _whole(self) -> tuple[str, str]:
        mechanism, rows = self.system.mechanism, range(self.n)
        inertia = [[self._shown("M", *sorted((i, j))) for j in rows] for i in rows]
        left = self._matrix(inertia) + self._matrix([[a] for a in mechanism.accelerations])
        for block in ("C", "G", "E"):
            if block in self.present:
                left += " + " + self._matrix([[self._shown(block, row)] for row in rows])
        right = self._matrix([[self._shown("tau", row)] for row in rows])
        if multipliers := self.system.multipliers:
            turned = [[self._shown("J", k, row) for k in range(len(multipliers))] for row in rows]
            forces = self._matrix(turned) + self._matrix([[m] for m in multipliers])
            right = f"{right} + {forces}" if "tau" in self.present else forces
        return left, right

    def _matrix(self, rows: list[list[sympy.Expr]]) -> str:
        cells = r" \\ ".join(" & ".join(map(self.system.notation.latex, row)) for row in rows)
        return rf"\begin{{bmatrix}} {cells} \end{{bmatrix}}"

    def constraints(self) -> None:
        """Write the constraints between accelerations."""
        system = self.system
        blocks = system.equations.blocks
        for k, rest in enumerate(blocks.gamma):
            pairs = enumerate(system.mechanism.accelerations)
            left = sympy.Add(*(self._shown("J", k, row) * a for row, a in pairs))
            self.page.equation(left + system.expr(rest), ZERO)

    def _symmetry(self) -> None:
        if self.n > 1:
            self.page.prose(
                "The mass matrix is symmetric; entries below the diagonal are left out."
            )

    # ------------------------------------------------------------------ what each term is

    def _meanings(self) -> None:
        """Write a table of terms, by equation and body."""
        page, latex = self.page, self.system.notation.latex
        page.heading("What each term is", 3)
        rows = [["equation", "term", "from", "what it is"]]
        for row, speed in enumerate(self.system.mechanism.speeds):
            for one in contributions(self.system, row):
                value = latex(self.system.expr(one.value))
                rows.append(
                    [printed_name(self.system, speed), f"${value}$", in_words(one.source), one.what]
                )
        page.table(rows)


def in_words(name: str) -> str:
    """Return a name of the model as it is said in a sentence.

    Examples
    --------
    >>> in_words("upper_arm")
    'upper arm'
    """
    return name.replace("_", " ")


def printed_name(system: System, speed: sympy.Expr) -> str:
    """Return the symbol of a speed, or of the coordinate that it is the rate of, for a text."""
    names = system.mechanism.names
    name = next(name for name, one in names.speeds.items() if one == speed)
    of = names.coordinates.get(name.removesuffix("_dot"), speed)
    return f"${system.notation.latex(of)}$"


def contributions(system: System, row: int) -> Iterator[Contribution]:
    """Iterate over what bodies and loads add to one equation of motion, on its left side."""
    yield from _of_inertia(system, row)
    yield from _of_speeds(system, row)
    yield from _of_loads(system, row)


def _of_inertia(system: System, row: int) -> Iterator[Contribution]:
    speeds, ring = system.mechanism.speeds, system.equations.ring
    for column, acceleration in enumerate(system.mechanism.accelerations):
        for body in system.massive:
            value = _share(system, body, speeds[row], speeds[column])
            if value:
                own = row == column
                what = (
                    f"inertia of {in_words(body)} against {printed_name(system, speeds[row])}"
                    if own
                    else f"coupling: {printed_name(system, speeds[column])} accelerates "
                    f"{in_words(body)}"
                )
                yield Contribution(body, what, value * ring.form(acceleration))


def _share(system: System, body: str, u: sympy.Expr, v: sympy.Expr) -> Form:
    """Return what a body adds to an entry of the mass matrix."""
    motion, mass = system.motion, system.mechanism.masses[body]
    slides = motion.partial_velocity(body, u).dot(motion.partial_velocity(body, v))
    total = slides * motion.value(mass.mass)
    if mass.inertia is not None:
        turns = motion.partial(body, u).omega, motion.partial(body, v).omega
        spin = motion.turned_by(mass.inertia, motion.frame_states[body], turns[0])
        total = total + spin.dot(turns[1])
    return total


def still_motion(system: System) -> Kinematics:
    """Return the motion in which the speeds do not change."""
    return Kinematics(system.mechanism, CanonicalForms(system.equations.ring), still=True)


def _of_speeds(system: System, row: int) -> Iterator[Contribution]:
    still, speed, ring = still_motion(system), system.mechanism.speeds[row], system.equations.ring
    speeds = system.mechanism.speeds
    for body, mass in system.mechanism.masses.items():
        force = still.acceleration(body).times(still.value(mass.mass))
        total = force.dot(still.partial_velocity(body, speed))
        if mass.inertia is not None:
            total = total + still.angular_momentum_rate(body).dot(still.partial(body, speed).omega)
        for powers, part in ring.coefficients(total, speeds).items():
            if part:
                moving = [speeds[i] for i, power in enumerate(powers) for _ in range(power)]
                value = part
                for one in moving:
                    value = value * ring.form(one)
                by = [printed_name(system, one) for one in moving]
                yield Contribution(body, inertial_words(in_words(body), by), value)


def inertial_words(body: str, by: list[str]) -> str:
    """Return what a term in products of speeds is, in words.

    Parameters
    ----------
    body : str
        As it is said.
    by : list of str
        What moves it: the coordinates of the speeds, as they are said.
    """
    if not by:
        return f"a prescribed motion accelerates {body}"
    if len(set(by)) == 1 and len(by) > 1:
        return f"centripetal acceleration of {body} by {by[0]}"
    if len(by) == 1:
        return f"{body} accelerated by {by[0]} and a prescribed motion"
    return f"Coriolis: {body} moves by {' and '.join(by)} at once"


def _of_loads(system: System, row: int) -> Iterator[Contribution]:
    speed, motion = system.mechanism.speeds[row], system.motion
    totals: dict[tuple[str, str], Form] = {}
    for load in system.mechanism.loads:
        value = system.load_vector(load).dot(partial_of(motion, load, speed))
        key = load_words(load)
        totals[key] = totals.get(key, motion.zero) - value
    for (source, what), total in totals.items():
        if total:
            yield Contribution(source, what, total)


def load_words(load: Load) -> tuple[str, str]:
    """Return where a load comes from, and what it is."""
    kind, on, across = load.kind, load.on, load.across
    if kind == "gravity":
        return on, f"weight of {in_words(on)}"
    words = {"elastic": "spring", "actuation": "actuator", "external": "applied load"}[kind]
    if across:
        joint = across[-1].partition(".")[0]
        return joint, f"{words} of {in_words(joint)}"
    return on, f"{words} on {in_words(on)}"
