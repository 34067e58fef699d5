"""A model made into a mechanism."""

from __future__ import annotations

from dataclasses import replace

import sympy

from freebody.arguments import checked
from freebody.mechanics.constraints import constraints
from freebody.mechanics.loads import Loads
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.mechanics.parts import Mass, Place
from freebody.mechanics.speeds import rates_in_speeds, speeds_in_rates
from freebody.mechanics.steps import components, outward, steps
from freebody.model.files import model_of
from freebody.model.names import Names
from freebody.model.parts import Body
from freebody.model.review import reviewed
from freebody.model.schema import Model


@checked
def mechanism(model: AnyModel) -> Mechanism:
    """Return the joints, places, loads and constraints of a model, as sympy's objects too.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Or the name of a shipped model; a mechanism is returned as it is.

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
    if isinstance(model, Mechanism):
        return model
    model = model_of(model)
    made = _moving(reviewed(model, model.title))
    for point in model.points:
        made.places[point.name] = Place(point.on, components(point.at, made.read))
    made = Loads(made).applied()
    return replace(made, constraints=tuple(constraints(made)))


def _moving(model: Model) -> Mechanism:
    """Return what moves: steps, places and masses."""
    names = Names(model)
    definitions = {rate: rate for rate in names.rates.values()}
    known = definitions
    if model.speeds:
        in_rates = _moving(model.model_copy(update={"speeds": {}}))
        definitions = speeds_in_rates(names, in_rates)
        known = rates_in_speeds(names, definitions)
    made = Mechanism(model, names, known, definitions)
    bodies = {body.name: body for body in model.bodies}
    for joint in outward(model):
        for name, step in steps(joint, made.moving):
            made.steps[name] = step
        made.places[joint.name] = Place(joint.child, components(joint.child_at, made.read))
        _add(made, bodies[joint.child])
    return made


def _add(made: Mechanism, body: Body) -> None:
    made.places[body.name] = Place(body.name, components(body.center_of_mass, made.read))
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
