"""What can be asked for: the outputs of programs, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from freebody.errors import ProgramError, nearest
from freebody.graph.cells import Cell
from freebody.graph.code import Code
from freebody.graph.derivatives import jacobian
from freebody.mechanics.kinematics import moment_arms
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import Triple
from freebody.programs.impacts import impact_program
from freebody.programs.terms import EquationTerms, KaneTerms, RneaTerms
from freebody.programs.verification import Verification
from freebody.programs.workspace import GROUPS, Workspace

Groups = tuple[str, ...]
Shape = tuple[int, ...]
PLACE: Groups = ("q", "constants")
MOVING: Groups = ("q", "u", "constants")
DRIVEN: Groups = ("t", "q", "u", "inputs", "constants")
INVERSE: Groups = ("t", "q", "u", "a", "constants")


SOLVED = ("accelerations", "rhs")
"""The outputs that end with accelerations."""
LARGEST = 1500
"""Up to how many operations of accelerations are differentiated themselves."""


@dataclass(frozen=True)
class Output:
    """What a program gives.

    Attributes
    ----------
    title : str
    takes : tuple of str
        The groups of arguments that it takes in any model.
    entries : sequence of Cell
        Row by row.
    shape : tuple of int
    of : tuple of str, optional
        The output that it is the derivative of, and by which group of arguments.
    """

    title: str
    takes: Groups
    entries: Sequence[Cell]
    shape: Shape
    of: tuple[str, str] | None = None


Write = Callable[[EquationTerms], tuple[Sequence[Cell], Shape]]


def _column(entries: Callable[[EquationTerms], Sequence[Cell]]) -> Write:
    def write(terms: EquationTerms) -> tuple[Sequence[Cell], Shape]:
        vector = entries(terms)
        return vector, (len(vector),)

    return write


def _matrix(
    entries: Callable[[EquationTerms], Sequence[Sequence[Cell]]], columns: str = "u"
) -> Write:
    def write(terms: EquationTerms) -> tuple[Sequence[Cell], Shape]:
        rows = entries(terms)
        return list(chain(*rows)), (len(rows), len(terms.workspace.cells[columns]))

    return write


def _scalar(entry: Callable[[Workspace], Cell]) -> Write:
    return lambda terms: ([entry(terms.workspace)], ())


def _rhs(terms: EquationTerms) -> Sequence[Cell]:
    graph, rates = terms.workspace.graph, terms.workspace.mechanism.kinematics.values()
    return [*graph.values(rates), *terms.accelerations]


def _by_term(terms: EquationTerms) -> Sequence[Sequence[Cell]]:
    inertial = terms.inertial(terms.workspace.cells["a"])
    return [inertial, terms.bias, terms.gravity, terms.external]


def _residuals(terms: EquationTerms) -> tuple[Sequence[Cell], Shape]:
    rows = terms.workspace.constraint_rows
    return [*rows["residual"], *rows["rate"]], (2, len(rows["rate"]))


def _impact_gaps(terms: EquationTerms) -> tuple[Sequence[Cell], Shape]:
    work = terms.workspace
    rows = work.impact_rows
    rests = [e for impact in work.mechanism.impacts for e in impact.restitutions]
    entries = [*rows["residual"], *rows["rate"], *rows["gamma"], *work.graph.values(rests)]
    return entries, (4, len(rests))


def _impact_matrix(terms: EquationTerms) -> tuple[Sequence[Cell], Shape]:
    rows, n = terms.workspace.impact_rows["J"], len(terms.workspace.mechanism.speeds)
    return rows, (len(rows) // n, n)


def _moment_arms(terms: EquationTerms) -> tuple[Sequence[Cell], Shape]:
    rows = moment_arms(terms.workspace.motion)
    return list(chain(*rows)), (len(rows), len(terms.workspace.mechanism.muscles))


def _muscle_lengths(terms: EquationTerms) -> Sequence[Cell]:
    lengths = (muscle.length for muscle in terms.workspace.mechanism.muscles)
    return list(terms.workspace.motion.values(lengths))


def _reactions(terms: EquationTerms) -> tuple[Sequence[Cell], Shape]:
    workspace = terms.workspace
    wrenches = [workspace.balances.transmitted[name] for name in workspace.mechanism.joints]
    entries = [(*wrench.force.parts, *wrench.moment.parts) for wrench in wrenches]
    return list(chain(*entries)), (len(entries), 6)


OUTPUTS: dict[str, tuple[str, Groups, Write]] = {
    "accelerations": (
        "derivatives of the speeds",
        DRIVEN,
        _column(lambda terms: terms.accelerations),
    ),
    "rhs": ("rates of the coordinates and derivatives of the speeds", DRIVEN, _column(_rhs)),
    "mass_matrix": ("mass matrix M", PLACE, _matrix(lambda terms: terms.mass_matrix)),
    "bias": ("inertial terms C without accelerations", MOVING, _column(lambda terms: terms.bias)),
    "gravity": (
        "generalized forces G of gravity, on the left",
        PLACE,
        _column(lambda t: t.gravity),
    ),
    "external": (
        "generalized forces E of all else, on the left",
        DRIVEN,
        _column(lambda t: t.external),
    ),
    "actuation": ("generalized forces τ of the actuators", DRIVEN, _column(lambda t: t.actuation)),
    "forcing": ("τ - C - G - E", DRIVEN, _column(lambda terms: terms.forcing)),
    "inverse_dynamics": (
        "generalized forces M u̇ + C + G + E that the actuators must give",
        INVERSE,
        _column(lambda terms: terms.inverse_dynamics(terms.workspace.cells["a"])),
    ),
    "inverse_dynamics_terms": ("M u̇, C, G and E", INVERSE, _matrix(_by_term)),
    "reactions": (
        "force and moment of the parent on the child at each joint, in the ground frame",
        (*INVERSE, "inputs", "multipliers"),
        _reactions,
    ),
    "moment_arms": (
        "matrix R of the muscles' moment arms: their generalized forces are R F",
        PLACE,
        _moment_arms,
    ),
    "muscle_lengths": ("lengths of the muscles", PLACE, _column(_muscle_lengths)),
    "kinetic_energy": (
        "kinetic energy",
        MOVING,
        _scalar(lambda work: work.motion.kinetic_energy()),
    ),
    "potential_energy": (
        "potential energy of gravity and springs",
        PLACE,
        _scalar(lambda work: work.motion.potential_energy()),
    ),
    "multipliers": (
        "forces of the constraints, of least norm where some equations follow from others",
        DRIVEN,
        _column(lambda terms: terms.multipliers),
    ),
    "constraint_residuals": (
        "what is left of the constraints between coordinates, and between speeds",
        MOVING,
        _residuals,
    ),
    "impact_gaps": (
        "of each equation of the impacts how far it is open, its rate, γ, and its restitution",
        ("t", *MOVING),
        _impact_gaps,
    ),
    "impact_matrix": ("matrix J of all impacts between speeds", PLACE, _impact_matrix),
    "constraint_matrix": (
        "matrix J of the constraints between speeds",
        PLACE,
        _matrix(lambda terms: terms.workspace.constraint_matrix),
    ),
}
"""What is written for a whole mechanism, by name: a title, what it takes in any model, and how."""


def _position(terms: EquationTerms, place: str) -> Triple:
    return terms.workspace.motion.position(place)


def _velocity(terms: EquationTerms, place: str) -> Triple:
    return terms.workspace.motion.velocity(place)


def _acceleration(terms: EquationTerms, place: str) -> Triple:
    return terms.workspace.motion.acceleration(place)


PLACED: dict[str, tuple[str, Groups, Callable[[EquationTerms, str], Triple]]] = {
    "position": ("position of a point in the ground frame", PLACE, _position),
    "velocity": ("velocity of a point in the ground frame", MOVING, _velocity),
    "acceleration": (
        "acceleration of a point in the ground frame",
        ("q", "u", "a", "constants"),
        _acceleration,
    ),
}
"""What is written for a place: ``position.hand``."""


def output(terms: EquationTerms, name: str) -> Output:
    """Return an output of a mechanism.

    Parameters
    ----------
    terms : EquationTerms
    name : str
        As in `OUTPUTS`, or ``position.PLACE``, ``velocity.PLACE``, ``acceleration.PLACE`` or
        ``jacobian.PLACE``, or ``impact.NAME``; with ``/`` and a group of arguments, its
        derivatives.

    Raises
    ------
    ProgramError
        If there is no such output.
    DerivationError
        If there is no such place.
    """
    whole, slash, by = name.partition("/")
    if slash:
        return _derivative(terms, whole, by)
    what, _, place = name.partition(".")
    if place and what == "jacobian":
        derivative = _derivative(terms, f"position.{place}", "q")
        return Output(
            "derivatives of a point's position",
            PLACE,
            derivative.entries,
            derivative.shape,
            derivative.of,
        )
    if place and what == "impact":
        entries = impact_program(terms, place)
        title = f"speeds after the impact of {place}, its impulses, and those of the constraints"
        return Output(title, ("t", *MOVING), entries, (len(entries),))
    if place and what in PLACED:
        title, takes, find = PLACED[what]
        return Output(title, takes, find(terms, terms.workspace.mechanism.uses(place)).parts, (3,))
    if name not in OUTPUTS:
        raise ProgramError(_unknown(terms, name))
    title, takes, write = OUTPUTS[name]
    return Output(title, takes, *write(terms))


def _derivative(terms: EquationTerms, name: str, by: str) -> Output:
    """Return the derivatives of an output by a group of arguments."""
    if by not in GROUPS:
        known = ", ".join(GROUPS)
        raise ProgramError(
            f"expected derivatives by one of {known}, found '{by}' in '{name}/{by}'"
            + nearest(by, GROUPS)
        )
    of, along = output(terms, name), terms.workspace.cells[by]
    entries = _slopes(terms, name, of.entries, along)
    shape = of.shape if by == "t" else (*of.shape, len(along))
    title, takes = f"derivatives by {by} of: {of.title}", (*of.takes, by)
    return Output(title, takes, list(chain(*entries)), shape, (name, by))


def _slopes(
    terms: EquationTerms, name: str, entries: Sequence[Cell], along: Sequence[Cell]
) -> Sequence[Sequence[Cell]]:
    """Return the derivatives of entries, the shortest way where there are two."""
    graph, n = terms.workspace.graph, len(terms.workspace.cells["u"])
    solved = name in SOLVED and not terms.workspace.mechanism.multipliers and len(along) > 0
    ways: list[Sequence[Sequence[Cell]]] = []
    if solved:
        first = jacobian(graph, entries[:-n], along)
        ways.append([*first, *terms.acceleration_slopes(along)])
    if not solved or len(graph.needed(entries)) < LARGEST:
        ways.append(jacobian(graph, entries, along))
    return min(ways, key=lambda rows: len(graph.needed(chain(*rows))))


def _unknown(terms: EquationTerms, name: str) -> str:
    placed = [*PLACED, "jacobian"]
    places = terms.workspace.mechanism.named
    known = [*OUTPUTS, *(f"{what}.{place}" for what in placed for place in places)]
    shown = ", ".join([*OUTPUTS, *(f"{what}.PLACE" for what in placed)])
    return f"expected an output ({shown}), found '{name}'{nearest(name, known)}"


# ------------------------------------------------------------------ writing

LARGEST_CLOSED = 6
"""Up to how many speeds closed forms are tried besides the recursion."""


def write_code(mechanism: Mechanism, outputs: Iterable[str]) -> dict[str, Code]:
    """Return the code of each output.

    It is written by recursion over the links, and up to `LARGEST` speeds from closed forms too:
    the smaller program is taken. Each is verified before it is given out.

    Parameters
    ----------
    mechanism : Mechanism
    outputs : iterable of str
        See `freebody.programs.outputs`.

    Raises
    ------
    ProgramError
        If there is no such output, or a program does not hold.
    DerivationError
        If there is no such place.

    Returns
    -------
    dict of str to Code
        Just what was verified.

    Examples
    --------
    >>> import freebody
    >>> pendulum = freebody.mechanism(freebody.load("pendulum"))
    >>> code = write_code(pendulum, ["accelerations"])["accelerations"]
    >>> list(code.arguments)
    ['t', 'q', 'u', 'inputs', 'constants']
    >>> code.operations < 20
    True
    """
    writer = ProgramWriter(mechanism)
    return {name: writer.code(name) for name in outputs}


class ProgramWriter:
    """All outputs of a mechanism, which share what each is written from.

    Parameters
    ----------
    mechanism : Mechanism
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.workspace = Workspace(mechanism)
        self.verification = Verification(mechanism, self.workspace.groups)
        self._ways: dict[str, tuple[EquationTerms, Output]] = {}
        self._verified: dict[str, Code] = {}

    def code(self, name: str) -> Code:
        """Return the code of an output, verified once.

        Raises
        ------
        ProgramError
            If it does not hold.
        """
        if name not in self._verified:
            _, briefest = self._briefest(name)
            self._verified[name] = (
                self._slopes(name, briefest) if briefest.of else self._verified_code(name)
            )
        return self._verified[name]

    def _verified_code(self, name: str) -> Code:
        """Return the code of an output, cut out of all that is needed to verify it."""
        terms, briefest = self._briefest(name)
        entries = list(briefest.entries)
        first = terms.accelerations if name == "multipliers" else []
        last = terms.multipliers if name in SOLVED else []
        whole = self._code(name, briefest, [*first, *entries, *last])
        self.verification.verify(whole)
        return whole.only(whole.results[len(first) : len(first) + len(entries)], briefest.shape)

    def _slopes(self, name: str, derivative: Output) -> Code:
        """Return the code of the derivatives of an output, which is verified first."""
        of, by = derivative.of or ("", "")
        slopes = self._code(name, derivative, derivative.entries)
        self.verification.verify_derivative(self.code(of), slopes, by)
        return slopes

    def _code(self, name: str, wanted: Output, entries: Iterable[Cell]) -> Code:
        entries = list(entries)
        used = self.workspace.used(entries)
        groups = [group for group in GROUPS if group in wanted.takes or group in used]
        return self.workspace.code(name, entries, wanted.shape, groups, wanted.title)

    def _briefest(self, name: str) -> tuple[EquationTerms, Output]:
        """Return the briefest way to write an output, and whose it is."""
        if name not in self._ways:
            ways = [(terms, output(terms, name)) for terms in self._terms]
            self._ways[name] = min(ways, key=lambda way: self._size(way[1]))
        return self._ways[name]

    @cached_property
    def _terms(self) -> list[EquationTerms]:
        ways: list[EquationTerms] = [RneaTerms(self.workspace)]
        if len(self.mechanism.speeds) <= LARGEST_CLOSED:
            ways.append(KaneTerms(self.workspace))
        return ways

    def _size(self, wanted: Output) -> int:
        return len(self.workspace.graph.needed(wanted.entries))
