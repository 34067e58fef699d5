"""Whether the muscles of a model can pull: on two bodies, each with an input of its own."""

from __future__ import annotations

from collections.abc import Iterator

from freebody.algebra.expressions import references
from freebody.errors import ExpressionError, Problem
from freebody.model.marks import Scalar
from freebody.model.muscles import BEND, Muscle, Surface
from freebody.model.schema import Model


def forces(model: Model) -> Iterator[tuple[str, str, str]]:
    """Iterate over the names of forces of surfaces: where they are declared, name, what it is."""
    for number, muscle in enumerate(model.muscles):
        for index, part in enumerate(muscle.path or ()):
            if isinstance(part, Surface):
                where = f"muscles[{number}].path[{index}]"
                for law in BEND:
                    yield where, f"{muscle.name}_{index}_{law}", f"a force of {where}"


def muscles(model: Model) -> Iterator[Problem]:
    """Iterate over what is wrong with muscles: see `review`."""
    first: dict[str, str] = {}
    for index, muscle in enumerate(model.muscles):
        where = f"muscles[{index}]"
        bodies = set(_bodies(model, muscle))
        if len(bodies) == 1:
            told = f"expected points of two bodies, found only '{bodies.pop()}'"
            yield Problem(f"{where}.path", told)
        if muscle.length is not None and not _moves(model, muscle.length):
            yield Problem(f"{where}.length", "expected a length that depends on a coordinate")
        if muscle.tension in first:
            told = f"'{muscle.tension}' is already the tension of muscle '{first[muscle.tension]}'"
            yield Problem(f"{where}.tension", told)
        first.setdefault(muscle.tension, muscle.name)


def _bodies(model: Model, muscle: Muscle) -> Iterator[str]:
    """Iterate over the bodies that a path leads along; a point that is misspelt is one of them."""
    points = {point.name: point.on for point in model.points}
    for part in muscle.path or ():
        if isinstance(part, str):
            yield points.get(part, part)
        else:
            yield part.around if isinstance(part, Surface) else part.on


def _moves(model: Model, length: Scalar) -> bool:
    try:
        used = {str(reference) for reference in references(length)}
    except ExpressionError:  # told of the length itself
        return True
    known = {*model.coordinates, *model.constants}
    return not used.isdisjoint(model.coordinates) or not used <= known
