"""The equations of motion M u̇ + C + G + E = τ + Jᵀ λ, and what else is derived with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.algebra import Form, Ring, textbook
from freebody.algebra.budget import Lazy
from freebody.algebra.domains import Domain
from freebody.algebra.terms import TooLargeError
from freebody.arguments import checked
from freebody.graph.program import Program
from freebody.mechanics.balances import Balances
from freebody.mechanics.kinematics import CanonicalForms, Kinematics, moment_arms
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import MARKERS, Kind, Triple
from freebody.named import Named

HALF = QQ(1, 2)


@dataclass(frozen=True)
class Blocks:
    """The equations in one arithmetic: canonical forms, or numbers of a prime field.

    Attributes
    ----------
    M : list of list
        Mass matrix, n x n.
    C, G, E, tau : list
        Vectors of n entries; E is the sum of what is elastic and what is external.
    elastic : list
        The part of E that comes from springs.
    J : list of list
        The constraints' matrix, m x n.
    gamma : list
        What J u̇ + γ = 0 holds besides, m entries.
    """

    M: list[list[Any]]
    C: list[Any]
    G: list[Any]
    E: list[Any]
    tau: list[Any]
    elastic: list[Any]
    J: list[list[Any]]
    gamma: list[Any]

    def divided_out(self, ring: Ring) -> Blocks:
        """Return the blocks of forms without those denominators that divide their entries.

        Speeds along the axes of a body that turns leave cosines below, which cancel.
        """
        divided = ring.divided_out
        return Blocks(
            M=[[divided(entry) for entry in row] for row in self.M],
            J=[[divided(entry) for entry in row] for row in self.J],
            **{
                name: [divided(entry) for entry in getattr(self, name)]
                for name in ("C", "G", "E", "tau", "elastic", "gamma")
            },
        )

    @classmethod
    def of(cls, parts: Mapping[str, Sequence[Any]], n: int) -> Blocks:
        """Return the blocks of a program's outputs, matrices row by row."""
        elastic, external = parts["elastic"], parts["external"]
        return cls(
            M=_rows(parts["M"], n),
            C=list(parts["C"]),
            G=list(parts["G"]),
            E=[a + b for a, b in zip(elastic, external, strict=True)],
            tau=list(parts["tau"]),
            elastic=list(elastic),
            J=_rows(parts["J"], n),
            gamma=list(parts["gamma"]),
        )

    @property
    def entries(self) -> list[Any]:
        """All entries in one list."""
        matrices = [entry for row in (*self.M, *self.J) for entry in row]
        return [*matrices, *self.C, *self.G, *self.E, *self.tau, *self.gamma]


def _rows(entries: Sequence[Any], n: int) -> list[list[Any]]:
    return [list(entries[start : start + n]) for start in range(0, len(entries), n)]


def split_by_kind(ring: Ring, rows: list[Form], mechanism: Mechanism) -> dict[str, list[Form]]:
    """Take apart rows of ``M u̇ + C + G + E - τ - Jᵀ λ``, linear in markers, u̇ and λ.

    Parameters
    ----------
    ring : Ring
    rows : list of Form
        One for each speed.
    mechanism : Mechanism

    Returns
    -------
    dict of str to list of Form
        ``M`` and ``J`` row by row, ``C``, ``G``, ``E`` and ``tau``.
    """
    kinds: tuple[Kind, ...] = tuple(MARKERS)
    parts = [ring.coefficients(row, tuple(MARKERS.values())) for row in rows]

    def of(kind: Kind | None) -> list[Form]:
        powers = tuple(int(kind == other) for other in kinds)
        return [part.get(powers, ring.zero) for part in parts]

    linear = (*mechanism.accelerations, *mechanism.multipliers)
    matrix, bias = _linear(ring, of(None), linear)
    n, m = len(mechanism.accelerations), len(mechanism.multipliers)
    return {
        "M": [entry for row in matrix for entry in row[:n]],
        "C": bias,
        "G": of("gravity"),
        "elastic": of("elastic"),
        "external": of("external"),
        "tau": [-entry for entry in of("actuation")],
        "J": [-row[n + k] for k in range(m) for row in matrix],
    }


def _linear(
    ring: Ring, rows: list[Form], atoms: tuple[sympy.Expr, ...]
) -> tuple[list[list[Form]], list[Form]]:
    """Split rows that are linear in some symbols into their matrix and the rest."""
    parts = [ring.coefficients(row, atoms) for row in rows]
    n = len(atoms)
    units = [tuple(int(i == j) for i in range(n)) for j in range(n)]
    matrix = [[part.get(unit, ring.zero) for unit in units] for part in parts]
    return matrix, [part.get((0,) * n, ring.zero) for part in parts]


@dataclass(frozen=True, eq=False, repr=False)
class Equations:
    """Equations of motion ``M u̇ + C + G + E = τ + Jᵀ λ`` with ``q̇ = N u + n``.

    Attributes
    ----------
    method : str
        The formulation: ``"kane"``, ``"lagrange"`` or ``"newton_euler"``.
    mechanism : Mechanism
        What moves.
    ring : Ring
        The ring of all forms.
    derivation : callable
        Works out the blocks in canonical form, when they are first asked for.
    rows : callable
        Gives ``M u̇ + C + G + E - τ - Jᵀ λ``, with marked loads, and the second derivatives of the
        constraints, at a random point or for the bounds on their degrees.
    program : Program, optional
        The equations as assignments, where the formulation writes these first.
    """

    method: str
    mechanism: Mechanism
    ring: Ring
    derivation: Callable[[], Blocks]
    rows: Callable[[Domain[Any]], list[Any]]
    program: Program | None = None

    @property
    def blocks(self) -> Blocks:
        """The equations as canonical forms.

        Raises
        ------
        TooLargeError
            If they are too large to be written out.
        """
        return self._blocks()

    @cached_property
    def _blocks(self) -> Lazy[Blocks]:
        return Lazy(self.ring.budget, lambda: self.derivation().divided_out(self.ring))

    @property
    def coordinates(self) -> tuple[sympy.Expr, ...]:
        """Generalized coordinates, functions of time."""
        return self.mechanism.coordinates

    @property
    def speeds(self) -> tuple[sympy.Expr, ...]:
        """Generalized speeds, functions of time named ``<coordinate>_dot`` or as declared."""
        return self.mechanism.speeds

    @property
    def inputs(self) -> tuple[sympy.Expr, ...]:
        """Inputs, functions of time."""
        return tuple(self.mechanism.names.inputs.values())

    @property
    def constants(self) -> tuple[sympy.Expr, ...]:
        """Constants, symbols."""
        return tuple(self.mechanism.names.constants.values())

    @property
    def laws(self) -> dict[sympy.Expr, sympy.Expr]:
        """What the symbols of forces that follow a law stand for."""
        laws = self.mechanism.laws
        measured = self.mechanism.objects.measured if laws else {}  # whose frames take a while
        return {symbol: law.xreplace(measured) for symbol, law in laws.items()}

    @property
    def multipliers(self) -> tuple[sympy.Expr, ...]:
        """The forces λ of the constraints, functions of time."""
        return self.mechanism.multipliers

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

    @cached_property
    def J(self) -> sympy.ImmutableMatrix:
        """The constraints' matrix, m x n: ``J u̇ + gamma = 0``, and their forces are ``Jᵀ λ``."""
        return _matrix(self.blocks.J) if self.blocks.J else sympy.ImmutableMatrix(0, self.n, [])

    @cached_property
    def gamma(self) -> sympy.ImmutableMatrix:
        """What ``J u̇ + gamma = 0`` holds besides, m x 1."""
        return _column(self.blocks.gamma) if self.blocks.J else sympy.ImmutableMatrix(0, 1, [])

    @cached_property
    def N(self) -> sympy.ImmutableMatrix:
        """The matrix of ``q̇ = N u + n``, n x n."""
        rates = sympy.ImmutableMatrix(list(self.mechanism.kinematics.values()))
        return rates.jacobian(sympy.Matrix(self.speeds))

    @property
    def n(self) -> int:
        """How many speeds there are."""
        return len(self.speeds)

    @property
    def mass_matrix(self) -> sympy.ImmutableMatrix:
        """The matrix M of ``mass_matrix * u̇ = forcing + Jᵀ λ``."""
        return self.M

    @cached_property
    def forcing(self) -> sympy.ImmutableMatrix:
        """The column ``τ - C - G - E``."""
        b = self.blocks
        rows = zip(b.tau, b.C, b.G, b.E, strict=True)
        return _column([tau - (c + g + e) for tau, c, g, e in rows])

    @cached_property
    def coriolis_matrix(self) -> sympy.ImmutableMatrix:
        """The Christoffel form of C, for u = q̇: times u it is C, and Ṁ less twice it is skew."""
        ring, M, q = self.ring, self.blocks.M, self.coordinates
        n = len(q)
        slopes = [[[ring.partial(entry, x) for x in q] for entry in row] for row in M]
        rows = [[ring.zero] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                for k, speed in enumerate(self.speeds):
                    symbol = slopes[i][j][k] + slopes[i][k][j] - slopes[k][j][i]
                    rows[i][j] = rows[i][j] + (symbol * ring.form(speed)).scaled(HALF)
        return _matrix(rows)

    @cached_property
    def motion(self) -> Kinematics:
        """How everything moves, in canonical forms."""
        return Kinematics(self.mechanism, CanonicalForms(self.ring))

    @checked
    def jacobian(self, place: str) -> sympy.ImmutableMatrix:
        """Return the derivatives of a point's position by the coordinates, 3 x n.

        Parameters
        ----------
        place : str
            A body (its centre of mass), a joint or a named point.

        Raises
        ------
        DerivationError
            If there is no such place.
        """
        return _matrix(self.jacobian_forms(place))

    def jacobian_forms(self, place: str) -> list[list[Form]]:
        """Return the Jacobian of a point as canonical forms."""
        position = self.motion.position(self.mechanism.uses(place))
        return [[self.ring.partial(part, q) for q in self.coordinates] for part in position.parts]

    @cached_property
    def kinetic_energy(self) -> sympy.Expr:
        """Kinetic energy in J."""
        return textbook(self.motion.kinetic_energy())

    @cached_property
    def potential_energy(self) -> sympy.Expr:
        """Potential energy of gravity and springs in J."""
        return textbook(self.motion.potential_energy())

    @cached_property
    def moment_arms(self) -> sympy.ImmutableMatrix:
        """The matrix R of the muscles: what their tensions F give is R F in τ; n x muscles."""
        rows = moment_arms(self.motion)
        return _matrix(rows) if self.mechanism.muscles else sympy.ImmutableMatrix(self.n, 0, [])

    @cached_property
    def impacts(self) -> dict[str, tuple[sympy.ImmutableMatrix, ...]]:
        """J, j and e of each impact: M (u⁺ - u⁻) = Jᵀ Λ, and J u⁺ + j = -e (J u⁻ + j)."""
        moving, ring = self.mechanism, self.ring
        still = dict.fromkeys(self.speeds, ring.zero)
        laws = {}
        for impact in moving.impacts:
            slopes = [
                [equation.slope(self.motion, speed) for speed in self.speeds]
                for equation in impact.equations
            ]
            rests = [ring.substitute(one.rate(self.motion), still) for one in impact.equations]
            restitutions = list(map(ring.form, impact.restitutions))
            laws[impact.name] = (_matrix(slopes), _column(rests), _column(restitutions))
        return Named("impact", laws)

    @cached_property
    def reactions(self) -> dict[str, tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]]:
        """Force and moment of the parent on the child at each joint, in the ground frame."""
        wrenches = Balances(self.motion).transmitted
        return Named(
            "joint",
            {
                name: (_vector(wrenches[name].force), _vector(wrenches[name].moment))
                for name in self.mechanism.joints
            },
        )

    def __repr__(self) -> str:
        model, n = self.mechanism.model, len(self.speeds)
        return f"<Equations of '{model.title}' by {self.method}: {n} speeds>"

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import equations_html  # which reads equations in turn

        return equations_html(self)

    def _repr_latex_(self) -> str | None:
        from freebody.mechanics.notation import latex  # notation reads Equations in turn

        try:
            return f"$${latex(self)}$$"
        except TooLargeError:
            return None

    def __str__(self) -> str:
        from freebody.mechanics.notation import text

        return text(self)


def _matrix(rows: list[list[Form]]) -> sympy.ImmutableMatrix:
    return sympy.ImmutableMatrix([[textbook(entry) for entry in row] for row in rows])


def _vector(of: Triple) -> sympy.ImmutableMatrix:
    return _column(list(of.parts))


def _column(entries: list[Form]) -> sympy.ImmutableMatrix:
    return _matrix([[entry] for entry in entries])
