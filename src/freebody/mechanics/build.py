"""A model made into a mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy

from freebody.algebra import Form, Ring, textbook
from freebody.arguments import checked
from freebody.errors import DerivationError
from freebody.mechanics.constraints import constraints
from freebody.mechanics.impacts import impacts
from freebody.mechanics.joint_frames import components, frames_of_joint, outward
from freebody.mechanics.kinematics import CanonicalForms, Kinematics
from freebody.mechanics.loads import LoadBuilder
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.mechanics.parts import AXES, BodyPoint, JointFrame, Mass
from freebody.model.files import model_of
from freebody.model.names import Names
from freebody.model.parts import Body, Speed
from freebody.model.review import reviewed
from freebody.model.schema import Model


@checked
def mechanism(model: AnyModel) -> Mechanism:
    """Return the joints, places, loads and constraints of a model, as sympy's objects too.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Or the name of a shipped model; a mechanism is returned as it is.

    Returns
    -------
    Mechanism
        Its frames, points and bodies are sympy's.

    Raises
    ------
    ModelError
        If the model makes no sense: one that was loaded does.
    DerivationError
        If speeds of its own do not decide the rates of the coordinates.

    Examples
    --------
    >>> import freebody
    >>> arm = freebody.mechanism("three_link_arm")
    >>> arm.bodies["upper_arm"].masscenter.vel(arm.ground)
    - d1*alpha1_dot(t)*sin(alpha1(t))*ground.x + d1*alpha1_dot(t)*cos(alpha1(t))*ground.y
    """
    return model if isinstance(model, Mechanism) else _built(model_of(model))


def in_symbols(model: AnyModel) -> Mechanism:
    """Return a mechanism whose prescribed motions are symbols, as equations print them.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        A mechanism without prescribed motions is returned as it is.

    Examples
    --------
    >>> [str(one) for one in in_symbols("rotating_panes").prescribed]
    ['turn(t)']
    """
    moving = mechanism(model)
    if moving.by_symbol or not moving.model.prescribed:
        return moving
    return _built(moving.model, by_symbol=True)


def _built(model: Model, *, by_symbol: bool = False) -> Mechanism:
    made = _with_joints(reviewed(model, model.title), by_symbol=by_symbol)
    for point in model.points:
        made.places[point.name] = BodyPoint(point.on, components(point.at, made.read))
    made = LoadBuilder(made).applied()
    return replace(made, constraints=tuple(constraints(made)), impacts=tuple(impacts(made)))


def _with_joints(model: Model, *, by_symbol: bool) -> Mechanism:
    """Return what moves: steps, places and masses."""
    names = Names(model)
    definitions = {rate: rate for rate in names.rates.values()}
    known = definitions
    if model.speeds:
        without = model.model_copy(update={"speeds": {}})
        in_rates = _with_joints(without, by_symbol=by_symbol)
        definitions = speeds_in_rates(names, in_rates)
        known = rates_in_speeds(names, definitions)
    made = Mechanism(model, names, known, definitions, by_symbol=by_symbol)
    bodies = {body.name: body for body in model.bodies}
    for joint in outward(model):
        for name, step in frames_of_joint(joint, made.moving):
            made.joint_frames[name] = step
        made.places[joint.name] = BodyPoint(joint.child, components(joint.child_at, made.read))
        _add(made, bodies[joint.child])
    return made


def _add(made: Mechanism, body: Body) -> None:
    made.places[body.name] = BodyPoint(body.name, components(body.center_of_mass, made.read))
    if body.mass == 0 and body.inertia is None:
        return
    made.masses[body.name] = Mass(made.read(body.mass), _inertia(made, body))


def _inertia(made: Mechanism, body: Body) -> sympy.ImmutableMatrix | None:
    if body.inertia is None:
        return None
    moments = body.inertia if isinstance(body.inertia, tuple) else (0, 0, body.inertia)
    xx, yy, zz = components(moments, made.read)
    xy, yz, zx = components(body.products_of_inertia or (0, 0, 0), made.read)
    return sympy.ImmutableMatrix([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])


# ------------------------------------------------------------------ speeds

Rows = list[list[Form]]


def speeds_in_rates(names: Names, in_rates: Mechanism) -> dict[sympy.Expr, sympy.Expr]:
    """Return each speed of a model in the rates of the coordinates.

    Parameters
    ----------
    names : Names
        Of the model.
    in_rates : Mechanism
        The same mechanism with the rates as its speeds.

    Raises
    ------
    DerivationError
        If a speed is not linear in the rates.
    """
    ring = Ring()
    rates, definitions = tuple(names.rates.values()), {}
    for name, speed in names.model.speeds.items():
        form = _defined(speed, in_rates, ring)
        slopes = [ring.partial(form, rate) for rate in rates]
        if any(ring.partial(slope, rate) for slope in slopes for rate in rates):
            raise DerivationError(f"speeds.{name}: expected a value linear in the rates")
        definitions[names.speeds[name]] = textbook(form)
    return definitions


def rates_in_speeds(
    names: Names, definitions: Mapping[sympy.Expr, sympy.Expr]
) -> dict[sympy.Expr, sympy.Expr]:
    """Return the rate of each coordinate in the speeds, q̇ = N u + n.

    Raises
    ------
    DerivationError
        If the rates do not follow from the speeds.
    """
    ring, rates = Ring(), tuple(names.rates.values())
    rows, rest = [], []
    for speed, expr in definitions.items():
        form = ring.form(expr)
        rows.append([ring.partial(form, rate) for rate in rates])
        bias = ring.substitute(form, dict.fromkeys(rates, ring.zero))
        rest.append(ring.form(speed) - bias)
    solutions = _solved(rows, rest)
    if solutions is None:
        what = ", ".join(names.model.speeds)
        raise DerivationError(f"speeds: the rates of the coordinates do not follow from {what}")
    return {rate: textbook(form) for rate, form in zip(rates, solutions, strict=True)}


def _defined(speed: Speed, in_rates: Mechanism, ring: Ring) -> Form:
    if speed.angular_velocity_of is None:
        return ring.form(in_rates.moving(speed.value))
    turning = replace(in_rates, joint_frames=_turns(in_rates, speed.angular_velocity_of))
    carrier = Kinematics(turning, CanonicalForms(ring), still=True).frame_states[
        speed.angular_velocity_of
    ]
    return carrier.omega.dot(carrier.axes[AXES.index(str(speed.axis))])


def _turns(in_rates: Mechanism, frame: str) -> dict[str, JointFrame]:
    """Return the steps to a frame about one fixed point, which turn it as their own do."""
    none, turns = (sympy.S.Zero,) * 3, {}
    for name, step in reversed(in_rates.joint_frames.items()):
        if step.child == frame:
            turns[name] = replace(step, at=none, child_at=none, shift=none)
            frame = step.parent
    return dict(reversed(turns.items()))


def _solved(rows: Rows, rest: list[Form]) -> list[Form] | None:
    """Solve linear equations by fraction-free elimination (Bareiss), shortest pivots first."""
    rows = [[*row, right] for row, right in zip(rows, rest, strict=True)]
    if len(rows) != len(rows[0]) - 1:
        return None
    before = rows[0][0].ring.one
    for column in range(len(rest)):
        usable = [row for row in rows[column:] if row[column]]
        if not usable:
            return None
        pivot = min(usable, key=lambda row: len(row[column].terms))
        rows.remove(pivot)
        others = [_eliminated(row, pivot, column, before) for row in rows]
        rows = [*others[:column], pivot, *others[column:]]
        before = pivot[column]
    return [row[-1] / row[number] for number, row in enumerate(rows)]


def _eliminated(row: list[Form], pivot: list[Form], column: int, before: Form) -> list[Form]:
    factor = row[column]
    pairs = zip(row, pivot, strict=True)
    return [(a * pivot[column] - factor * b) / before for a, b in pairs]
