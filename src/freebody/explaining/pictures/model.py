"""A model drawn with its coordinates, dimensions and loads, before anything is derived."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from freebody.algebra import Ring
from freebody.drawing.painter import Painter
from freebody.drawing.posture import Posture
from freebody.explaining.notation import Notation
from freebody.explaining.overview import plane_of
from freebody.explaining.pictures.mechanism import system_figure
from freebody.explaining.system import System
from freebody.mechanics.build import mechanism
from freebody.mechanics.kinematics import CanonicalForms, Kinematics
from freebody.mechanics.mechanism import Mechanism

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from freebody.mechanics.equations import Equations
    from freebody.model import Model

MOST = 4
"""Of so many coordinates in space, and twice as many in a plane, all are drawn with their names."""
WIDTH = 4.6


class _Underived:
    """What a drawing needs of equations: the motion in canonical forms."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism, self.ring = mechanism, Ring()

    @cached_property
    def motion(self) -> Kinematics:
        """Where everything is and how it moves."""
        return Kinematics(self.mechanism, CanonicalForms(self.ring))


def model_figure(model: Model) -> Figure:
    """Return a drawing of a model in the posture in which it starts, or close to it.

    Where many coordinates would cover one another, the bodies alone are drawn.
    """
    moving = mechanism(model)
    bare = _painter(moving)
    count = len(moving.names.coordinates)
    if count > (MOST if bare.is_spatial else 2 * MOST):
        return _bodies(bare)
    system = System(cast("Equations", _Underived(moving)), Notation(moving))
    return system_figure(system, Posture(moving, plane_of(system)))


def _painter(moving: Mechanism) -> Painter:
    posture = Posture(moving, None, initial=True)
    coordinates = np.array([[posture.coordinates[name] for name in moving.names.coordinates]])
    return Painter(moving, posture.values, coordinates, np.zeros(1))


def _bodies(painter: Painter) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, WIDTH), layout="constrained")
    axes = figure.add_subplot()
    painter.frame(axes)
    painter.paint(axes, 0)
    return figure
