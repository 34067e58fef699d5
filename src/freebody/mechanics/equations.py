"""The equations of motion M u̇ + C + G + E = τ, and what else is derived with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form, Ring, textbook
from freebody.mechanics.balances import Balances
from freebody.mechanics.mechanism import MARKERS, Kind, Mechanism

HALF = QQ(1, 2)


@dataclass(frozen=True)
class Blocks:
    """M, C, G, E and τ as canonical forms.

    Attributes
    ----------
    ring : Ring
        The ring of all forms.
    M : list of list of Form
        Mass matrix, n x n.
    C, G, E, tau : list of Form
        Vectors of n entries; E is the sum of what is elastic and what is external.
    elastic : list of Form
        The part of E that comes from springs.
    """

    ring: Ring
    M: list[list[Form]]
    C: list[Form]
    G: list[Form]
    E: list[Form]
    tau: list[Form]
    elastic: list[Form]

    @classmethod
    def split(
        cls,
        ring: Ring,
        rows: list[Form],
        *,
        inertia: list[list[Form]] | None = None,
        accelerations: tuple[sympy.Expr, ...] = (),
    ) -> Blocks:
        """Take apart rows of ``M u̇ + C + G + E - τ``, linear in markers and accelerations.

        Parameters
        ----------
        ring : Ring
            The ring of the forms.
        rows : list of Form
            Everything on one side, with marked loads.
        inertia : list of list of Form, optional
            The mass matrix, where the rows hold no accelerations.
        accelerations : tuple of sympy.Expr, optional
            The accelerations, where the rows hold them.
        """
        kinds: tuple[Kind, ...] = tuple(MARKERS)
        parts = [ring.coefficients(row, tuple(MARKERS.values())) for row in rows]

        def of(kind: Kind | None) -> list[Form]:
            powers = tuple(int(kind == other) for other in kinds)
            return [part.get(powers, ring.zero) for part in parts]

        elastic, bias = of("elastic"), of(None)
        if inertia is None:
            inertia, bias = _linear(ring, bias, accelerations)
        return cls(
            ring,
            M=inertia,
            C=bias,
            G=of("gravity"),
            E=[a + b for a, b in zip(elastic, of("external"), strict=True)],
            tau=[-entry for entry in of("actuation")],
            elastic=elastic,
        )


def _linear(
    ring: Ring, rows: list[Form], accelerations: tuple[sympy.Expr, ...]
) -> tuple[list[list[Form]], list[Form]]:
    """Split rows that are linear in the accelerations into their matrix and the rest."""
    parts = [ring.coefficients(row, accelerations) for row in rows]
    n = len(accelerations)
    units = [tuple(int(i == j) for i in range(n)) for j in range(n)]
    matrix = [[part.get(unit, ring.zero) for unit in units] for part in parts]
    return matrix, [part.get((0,) * n, ring.zero) for part in parts]


@dataclass(frozen=True, eq=False)
class Equations:
    """Equations of motion ``M u̇ + C + G + E = τ`` with ``q̇ = u``.

    Attributes
    ----------
    method : str
        The formulation: ``"kane"``, ``"lagrange"`` or ``"newton_euler"``.
    mechanism : Mechanism
        What moves.
    blocks : Blocks
        The equations as canonical forms.
    """

    method: str
    mechanism: Mechanism
    blocks: Blocks

    @property
    def coordinates(self) -> tuple[sympy.Expr, ...]:
        """Generalized coordinates, functions of time."""
        return self.mechanism.coordinates

    @property
    def speeds(self) -> tuple[sympy.Expr, ...]:
        """Generalized speeds, functions of time named ``<coordinate>_dot``."""
        return self.mechanism.speeds

    @property
    def inputs(self) -> tuple[sympy.Expr, ...]:
        """Inputs, functions of time."""
        return tuple(self.mechanism.names.inputs.values())

    @property
    def constants(self) -> tuple[sympy.Expr, ...]:
        """Constants, symbols."""
        return tuple(self.mechanism.names.constants.values())

    @cached_property
    def M(self) -> sympy.ImmutableMatrix:
        """Mass matrix, n x n."""
        return _matrix(self.blocks.M)

    @cached_property
    def C(self) -> sympy.ImmutableMatrix:
        """Inertial terms without accelerations (centrifugal and Coriolis), n x 1."""
        return _column(self.blocks.C)

    @cached_property
    def G(self) -> sympy.ImmutableMatrix:
        """Generalized forces of gravity with the sign that puts them on the left, n x 1."""
        return _column(self.blocks.G)

    @cached_property
    def E(self) -> sympy.ImmutableMatrix:
        """Minus the generalized forces of everything but gravity and actuators, n x 1."""
        return _column(self.blocks.E)

    @cached_property
    def tau(self) -> sympy.ImmutableMatrix:
        """Generalized forces of the joint actuators, n x 1."""
        return _column(self.blocks.tau)

    @property
    def mass_matrix(self) -> sympy.ImmutableMatrix:
        """The matrix M of ``mass_matrix * u̇ = forcing``."""
        return self.M

    @cached_property
    def forcing(self) -> sympy.ImmutableMatrix:
        """The column ``τ - C - G - E``."""
        b = self.blocks
        rows = zip(b.tau, b.C, b.G, b.E, strict=True)
        return _column([tau - (c + g + e) for tau, c, g, e in rows])

    @cached_property
    def coriolis_matrix(self) -> sympy.ImmutableMatrix:
        """The Christoffel form of C: ``coriolis_matrix * u = C``, and Ṁ - 2 of it is skew."""
        ring, M, q = self.blocks.ring, self.blocks.M, self.coordinates
        n = len(q)
        slopes = [[[partial(ring, entry, x) for x in q] for entry in row] for row in M]
        rows = [[ring.zero] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                for k, speed in enumerate(self.speeds):
                    symbol = slopes[i][j][k] + slopes[i][k][j] - slopes[k][j][i]
                    rows[i][j] = rows[i][j] + (symbol * ring.form(speed)).scaled(HALF)
        return _matrix(rows)

    def jacobian(self, place: str) -> sympy.ImmutableMatrix:
        """Return the derivatives of a point's position by the coordinates, 3 x n.

        Parameters
        ----------
        place : str
            A body (its centre of mass), a joint or a named force.

        Raises
        ------
        DerivationError
            If there is no such place.
        """
        return _matrix(self.jacobian_forms(place))

    def jacobian_forms(self, place: str) -> list[list[Form]]:
        """Return the Jacobian of a point as canonical forms."""
        ring = self.blocks.ring
        position = self.mechanism.position(place)
        return [[partial(ring, ring.form(part), q) for q in self.coordinates] for part in position]

    @cached_property
    def kinetic_energy(self) -> sympy.Expr:
        """Kinetic energy in J."""
        return textbook(self.blocks.ring.form(self.mechanism.kinetic_energy()))

    @cached_property
    def potential_energy(self) -> sympy.Expr:
        """Potential energy of gravity and springs in J."""
        return textbook(self.blocks.ring.form(self.mechanism.potential_energy()))

    @cached_property
    def reactions(self) -> dict[str, tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]]:
        """Force and moment of the parent on the child at each joint, in the ground frame."""
        found = Balances(self.mechanism, self.blocks.ring.forms).transmitted
        return {
            name: (_column(list(wrench.force.parts)), _column(list(wrench.moment.parts)))
            for name, wrench in found.items()
        }

    def _repr_latex_(self) -> str:
        from freebody.mechanics.notation import latex  # notation reads Equations in turn

        return f"$${latex(self)}$$"

    def __str__(self) -> str:
        from freebody.mechanics.notation import text

        return text(self)


def partial(ring: Ring, form: Form, atom: sympy.Expr) -> Form:
    """Return the partial derivative of a form by a symbol or a function of time."""
    return ring.derivative(form, lambda other: ring.one if other == atom else ring.zero)


def _matrix(rows: list[list[Form]]) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix([[textbook(entry) for entry in row] for row in rows])


def _column(entries: list[Form]) -> sympy.ImmutableMatrix:
    return _matrix([[entry] for entry in entries])
