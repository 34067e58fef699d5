"""The derived quantities that a printed symbol may stand for, by their path.

A page is compared on two levels. On the upper one a quantity such as ``reaction.wrist.force.x``
is a symbol, as it is on the page; on the lower one it is what was derived for it, in coordinates,
speeds, accelerations, constants and those inputs that the equations of motion leave free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import sympy
from sympy.physics.mechanics import dynamicsymbols

from freebody.algebra import Form, Ring
from freebody.algebra.expressions import Reference
from freebody.algebra.points import Point
from freebody.algebra.terms import TooLargeError
from freebody.checking.elimination import eliminate
from freebody.errors import DerivationError, ExpressionError, nearest
from freebody.mechanics.balances import Balances, Wrench
from freebody.mechanics.build import mechanism
from freebody.mechanics.derivation import derive
from freebody.mechanics.equations import Equations
from freebody.mechanics.notation import BLOCKS
from freebody.mechanics.vectors import AXES, Triple
from freebody.model.schema import Model

Rows = list[list[Form]]
PARTS = ("force", "moment")
MATRICES = (*BLOCKS, "J", "N")


class Quantities:
    """The quantities of a model, with one ring for all pages that are checked against it.

    Attributes
    ----------
    equations : Equations
        By Kane's method.
    ring : Ring
        The ring of all forms.
    derived : dict of sympy.Symbol to Form
        The lower level of every quantity that was asked for.
    """

    def __init__(self, model: Model) -> None:
        self.mechanism = mechanism(model)
        self.equations: Equations = derive(self.mechanism)
        self.ring: Ring = self.equations.ring
        self.derived: dict[sympy.Symbol, Form] = {}
        self._rates: dict[sympy.Expr, Form] = {}
        self._matrices: dict[tuple[str, ...], sympy.ImmutableMatrix] = {}

    # ------------------------------------------------------------------ by path

    def resolve(self, reference: Reference) -> sympy.Expr | sympy.ImmutableMatrix:
        """Return the symbol, or the matrix of symbols, that a path in a document stands for.

        A block of the equations that shares its name with a constant is told from it by
        ``equations.M``, or by its indices.

        Raises
        ------
        ExpressionError
            If there is no such quantity.
        """
        self.ring.begin()
        path, indices = reference.path, reference.indices
        if path[0] == "equations" and path[1:2] and path[1] in MATRICES:
            path = path[1:]
        elif len(path) == 1 and path[0] in self._plain and not indices:
            return self._plain[path[0]]
        entries = list(path)
        labelled = path[0] == "multiplier"
        axis = entries.pop() if len(entries) > 1 and entries[-1] in AXES and not labelled else None
        matrix = self._matrix(tuple(entries), reference)
        if axis is not None:
            indices = (AXES.index(axis) + 1,)
        return _entry(matrix, indices, reference)

    @cached_property
    def _plain(self) -> dict[str, sympy.Expr]:
        names = self.mechanism.names
        return {**names.symbols, **names.accelerations}

    def _matrix(self, path: tuple[str, ...], reference: Reference) -> sympy.ImmutableMatrix:
        if path not in self._matrices:
            rows = self._rows(path, reference)
            symbols = [
                [self._symbol(path, (i, j), rows, entry) for j, entry in enumerate(row, 1)]
                for i, row in enumerate(rows, 1)
            ]
            self._matrices[path] = sympy.ImmutableMatrix(symbols)
        return self._matrices[path]

    def _symbol(
        self, path: tuple[str, ...], place: tuple[int, int], rows: Rows, form: Form
    ) -> sympy.Symbol:
        i, j = place
        name = ".".join(path)
        if path[0] in MATRICES or path[0] == "jacobian":
            name += f"[{i}]" if len(rows[0]) == 1 and path[0] != "jacobian" else f"[{i},{j}]"
        elif len(rows) == 3:
            name += f".{AXES[i - 1]}"
        symbol = sympy.Symbol(name)
        self.derived[symbol] = form
        return symbol

    def _rows(self, path: tuple[str, ...], reference: Reference) -> Rows:
        family, *rest = path
        if family not in self._families:
            known = [*self._plain, *self._families]
            raise ExpressionError(
                f"no quantity '{reference}'{nearest(family, known)}", reference.column
            )
        try:
            return self._families[family](*rest)
        except TypeError:
            wanted = _USAGE.get(family, family)
            raise ExpressionError(
                f"expected '{wanted}', found '{reference}'", reference.column
            ) from None
        except (DerivationError, TooLargeError) as error:
            raise ExpressionError(f"'{reference}': {error}", reference.column) from None

    @cached_property
    def _families(self) -> dict[str, Callable[..., Rows]]:
        moving = self.mechanism
        motion = self.equations.motion
        return {
            "M": lambda: self.equations.blocks.M,
            "C": lambda: _column(self.equations.blocks.C),
            "G": lambda: _column(self.equations.blocks.G),
            "E": lambda: _column(self.equations.blocks.E),
            "tau": lambda: _column(self.equations.blocks.tau),
            "J": lambda: self.equations.blocks.J,
            "N": lambda: [self.ring.forms(row) for row in self.equations.N.tolist()],
            "multiplier": self._multiplier,
            "law": lambda name: [[self.ring.form(self._laws[_one_of(name, self._laws)])]],
            "position": lambda place: _triple(motion.position(moving.uses(place))),
            "velocity": lambda place: _triple(motion.velocity(moving.uses(place))),
            "acceleration": lambda place: _triple(motion.acceleration(moving.uses(place))),
            "angular_velocity": lambda body: _triple(motion.carriers[moving.body(body)].omega),
            "angular_acceleration": lambda body: _triple(motion.carriers[moving.body(body)].alpha),
            "angle": lambda place: [[self.ring.form(moving.angle(place))]],
            "jacobian": self.equations.jacobian_forms,
            "reaction": lambda joint, part: self._part(self._balances.transmitted, joint, part),
            "resultant": lambda body, part: self._part(self._balances.acting, body, part),
            "energy": lambda kind: [[self._energies[_one_of(kind, self._energies)]]],
            "value": lambda constant: [[self.ring.form(self._value(constant))]],
        }

    def _multiplier(self, constraint: str, label: str = "") -> Rows:
        """Return the force of a constraint, along the axis that it is labelled by."""
        held = {one.name: one for one in self.mechanism.constraints}
        found = held[_one_of(constraint, held)]
        labels = [equation.label for equation in found.equations]
        if label not in labels:
            known = ", ".join(".".join(filter(None, (constraint, name))) for name in labels)
            raise DerivationError(f"expected multiplier of {known}")
        return [[self.ring.form(found.multipliers[labels.index(label)])]]

    @cached_property
    def _laws(self) -> dict[str, sympy.Expr]:
        return {symbol.func.__name__: symbol for symbol in self.mechanism.laws}

    @cached_property
    def _energies(self) -> dict[str, Form]:
        motion = self.equations.motion
        return {"kinetic": motion.kinetic_energy(), "potential": motion.potential_energy()}

    @cached_property
    def _balances(self) -> Balances:
        return Balances(self.equations.motion)

    def _part(self, wrenches: dict[str, Wrench], name: str, part: str) -> Rows:
        wrench = wrenches[_one_of(name, wrenches)]
        return _column(list(getattr(wrench, _one_of(part, PARTS)).parts))

    def _value(self, constant: str) -> sympy.Rational:
        values = self.mechanism.names.values()
        return sympy.Rational(repr(values[_one_of(constant, values)]))

    # ------------------------------------------------------------------ levels

    def lower(self, form: Form) -> Form:
        """Replace every quantity by what was derived for it, inputs by the equations of motion."""
        below = self.ring.substitute(form, self.derived)
        if not below or not self._undecided(below):
            return below
        return self.ring.substitute(below, self.eliminated)

    def _undecided(self, form: Form) -> bool:
        """Return whether a form holds anything that the equations of motion decide."""
        moving = self.mechanism
        decided = {*moving.accelerations, *moving.multipliers, *self.equations.inputs}
        decided |= {moving.dependent_speed(name) for name in moving.dependent}
        generators = self.ring.generators
        return any(generators[place].expr in decided for place in form.terms.places())

    @cached_property
    def eliminated(self) -> dict[sympy.Expr, Form]:
        """What the equations of motion say of inputs, or else of accelerations."""
        return eliminate(self.equations)

    def rate(self, form: Form) -> Form:
        """Return the time derivative of a form."""
        return self.ring.derivative(form, self._rate)

    def partial(self, form: Form, coordinate: sympy.Expr) -> Form:
        """Return the partial derivative of a form by a coordinate, speed or constant."""
        return self.ring.partial(self.ring.substitute(form, self.derived), coordinate)

    def _rate(self, atom: sympy.Expr) -> Form:
        if atom not in self._rates:
            self._rates[atom] = self._rate_of(atom)
        return self._rates[atom]

    def _rate_of(self, atom: sympy.Expr) -> Form:
        if atom in self.derived:
            return self._rate_of_quantity(atom)
        if atom == dynamicsymbols._t:
            return self.ring.one
        rate = self.mechanism.rate(atom)
        return self.ring.form(rate) if rate != 0 else self.ring.zero

    def _rate_of_quantity(self, symbol: sympy.Symbol) -> Form:
        """Velocities are the rates of positions on the upper level already."""
        family, _, rest = symbol.name.partition(".")
        following = {"position": "velocity", "velocity": "acceleration"}.get(family)
        if following is None:
            return self.rate(self.derived[symbol])
        return self.ring.form(self.resolve(Reference((following, *rest.split(".")), (), 1)))

    @cached_property
    def point(self) -> Point:
        """A random point at which forms on the level of coordinates are told apart."""
        return Point(self.ring)

    def varies(self, form: Form) -> bool:
        """Return whether a form changes in time."""
        return bool(self.rate(form))


_USAGE = {
    "position": "position.<body, joint or named force>.x",
    "velocity": "velocity.<body, joint or named force>.x",
    "acceleration": "acceleration.<body, joint or named force>.x",
    "angular_velocity": "angular_velocity.<body>.z",
    "angular_acceleration": "angular_acceleration.<body>.z",
    "angle": "angle.<body or joint>",
    "jacobian": "jacobian.<place>[1,1]",
    "reaction": "reaction.<joint>.force.x",
    "resultant": "resultant.<body>.force.x",
    "energy": "energy.kinetic",
    "value": "value.<constant>",
    "law": "law.<contact>_normal or law.<contact>_friction",
    "multiplier": "multiplier.<constraint> or multiplier.<constraint>.x",
}


def _one_of(name: str, known: Iterable[str]) -> str:
    if name not in known:
        raise DerivationError(f"expected one of {', '.join(known)}{nearest(name, known)}")
    return name


def _triple(vector: Triple) -> Rows:
    return _column(list(vector.parts))


def _column(entries: list[Form]) -> Rows:
    return [[entry] for entry in entries]


def _entry(
    matrix: sympy.ImmutableMatrix, indices: tuple[int, ...], reference: Reference
) -> sympy.Expr | sympy.ImmutableMatrix:
    """Return what the indices of a reference, counted from 1, pick out of a matrix."""
    if not indices:
        return matrix[0] if matrix.shape == (1, 1) and reference.path[0] not in MATRICES else matrix
    place = (*indices, 1) if matrix.cols == 1 and len(indices) == 1 else indices
    if len(place) != 2 or not all(1 <= i <= n for i, n in zip(place, matrix.shape, strict=True)):
        raise ExpressionError(
            f"'{reference}' is outside of its {matrix.rows} x {matrix.cols} entries",
            reference.column,
        )
    return matrix[place[0] - 1, place[1] - 1]
