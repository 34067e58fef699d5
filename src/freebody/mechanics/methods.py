"""KanesMethod and LagrangesMethod of sympy.physics.mechanics, on the objects of a mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Point,
    ReferenceFrame,
    Vector,
    dynamicsymbols,
)

from freebody.algebra import Ring
from freebody.errors import DerivationError
from freebody.mechanics.kinematics import CanonicalForms, Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.mechanics.parts import NOT_CONSERVATIVE, Kind, Load

LARGEST = {"KanesMethod": 6, "LagrangesMethod": 5}
"""The most speeds for which each is asked: what it writes grows too fast."""
IN_PLANE = 2
"""How many times as many it may be where all bodies turn about one axis."""


def kanes_method(mechanism: Mechanism) -> KanesMethod:
    """Return sympy's KanesMethod on the frames, points and bodies of a mechanism.

    Raises
    ------
    DerivationError
        If it has more speeds than `LARGEST`, in a plane `IN_PLANE` times as many, or redundant
        constraints.
    """
    _expect_small(mechanism, "KanesMethod")
    mechanism.expect_independent("sympy's KanesMethod")
    q, u = mechanism.coordinates, mechanism.speeds
    pairs = zip(q, mechanism.kinematics.values(), strict=True)
    kinematics = [x.diff(dynamicsymbols._t) - rate for x, rate in pairs]
    dependent, decided = mechanism.dependent_speeds, _decided(mechanism)
    positions, rates = _constraints(mechanism)
    method = KanesMethod(
        mechanism.ground,
        [x for x in q if x not in decided],
        [x for x in u if x not in dependent],
        kinematics,
        q_dependent=decided,
        configuration_constraints=positions,
        u_dependent=list(dependent),
        velocity_constraints=rates,
    )
    laws = _laws(mechanism)
    loads = [(at, _replaced(vector, laws)) for at, vector in mechanism.acting()]
    method.kanes_equations(list(mechanism.bodies.values()), loads)
    return method


def lagranges_method(
    mechanism: Mechanism, marks: Mapping[Kind, sympy.Expr] | None = None
) -> LagrangesMethod:
    """Return sympy's LagrangesMethod on the energies and loads of a mechanism.

    Its multipliers are minus those of `freebody.derive`.

    Parameters
    ----------
    mechanism : Mechanism
    marks : mapping of str to sympy.Expr, optional
        Factors of what is of a kind, to tell the kinds apart in the equations; laws are then left
        as the symbols that they have.

    Raises
    ------
    DerivationError
        If it has more speeds than `LARGEST`, in a plane `IN_PLANE` times as many.
    """
    _expect_small(mechanism, "LagrangesMethod")
    time, q = dynamicsymbols._t, mechanism.coordinates
    own = dict(zip(mechanism.kinematics, (x.diff(time) for x in q), strict=True))
    rates = {u: of.xreplace(own) for u, of in mechanism.definitions.items()}
    laws = {} if marks else _laws(mechanism)
    weights = {**dict.fromkeys(mechanism.potentials, sympy.S.One), **(marks or {})}
    potential = sum(weights[kind] * energy for kind, energy in mechanism.potentials.items())
    positions, velocities = _constraints(mechanism, only_positions=True)
    method = LagrangesMethod(
        mechanism.kinetic_energy().xreplace(rates)
        - sympy.sympify(potential, strict=True).xreplace(mechanism.objects.measured),
        list(q),
        forcelist=[
            _in_rates(load, mechanism, rates, laws, (marks or {}).get(load.kind, sympy.S.One))
            for load in mechanism.loads
            if load.kind in NOT_CONSERVATIVE
        ],
        frame=mechanism.ground,
        hol_coneqs=positions,
        nonhol_coneqs=[rate.xreplace(rates) for rate in velocities],
    )
    method.form_lagranges_equations()
    return method


def _expect_small(mechanism: Mechanism, name: str) -> None:
    plane = mechanism.frames.keys() <= {"ground", *mechanism.objects.angles}
    count, most = len(mechanism.speeds), LARGEST[name] * (IN_PLANE if plane else 1)
    if count > most:
        raise DerivationError(
            f"'{mechanism.model.title}' has {count} speeds, too many for sympy's {name}: expected "
            f"at most {most}; freebody.derive and freebody.compile have no such limit"
        )


def _decided(mechanism: Mechanism) -> list[sympy.Expr]:
    """Return the coordinates that holonomic constraints decide."""
    return [mechanism.coordinates[place] for place in mechanism.decided]


def _constraints(
    mechanism: Mechanism, *, only_positions: bool = False
) -> tuple[list[sympy.Expr], list[sympy.Expr]]:
    """Return what is zero of the coordinates, and of the speeds.

    The latter are the rates of the former as well, unless only the positions are asked for.
    """
    ring = Ring()
    motion = Kinematics(mechanism, CanonicalForms(ring))
    positions, velocities = [], []
    for equation in mechanism.equations:
        expr = ring.expression(equation.residual(motion))
        if equation.holonomic:
            positions.append(expr)
        if not (equation.holonomic and only_positions):
            velocities.append(mechanism.rate(expr) if equation.holonomic else expr)
    return positions, velocities


def _laws(mechanism: Mechanism) -> dict[sympy.Expr, sympy.Expr]:
    """Return what forces that follow a law are in coordinates and speeds."""
    measured = mechanism.objects.measured
    laws = {symbol: law.xreplace(measured) for symbol, law in mechanism.laws.items()}
    while any(law.atoms(AppliedUndef) & laws.keys() for law in laws.values()):
        laws = {symbol: law.xreplace(laws) for symbol, law in laws.items()}
    return laws


def _replaced(vector: Vector, known: Mapping[Any, Any]) -> Vector:
    """Return a vector whose components are written in other symbols."""
    return Vector([(parts.xreplace(known), frame) for parts, frame in vector.args])


def _in_rates(
    load: Load,
    mechanism: Mechanism,
    rates: Mapping[Any, Any],
    laws: Mapping[Any, Any],
    mark: sympy.Expr,
) -> tuple[Point | ReferenceFrame, Vector]:
    """Return a load on what moves as the derivatives of the coordinates say."""
    ground, (at, exerted) = mechanism.ground, mechanism.objects.pair(load)
    vector = mark * _replaced(_replaced(exerted, laws), rates)
    if isinstance(at, Point):
        point = Point(at.name)
        point.set_vel(ground, _replaced(at.vel(ground), rates))
        return point, vector
    frame = ReferenceFrame(at.name)
    frame.set_ang_vel(ground, _replaced(at.ang_vel_in(ground), rates))
    return frame, vector
