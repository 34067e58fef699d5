"""How the bodies move: angular velocities, positions, velocities, accelerations."""

from __future__ import annotations

from freebody.explaining.page import Page
from freebody.explaining.system import System
from freebody.explaining.terms import in_words
from freebody.mechanics.parts import AXES


def kinematics(page: Page, system: System, order: int) -> None:
    """Write the kinematics of every body, up to velocities or accelerations.

    Parameters
    ----------
    page : Page
    system : System
    order : int
        1 for velocities, 2 for accelerations.
    """
    page.heading("Kinematics")
    _rates(page, system)
    for body in system.massive:
        if not (system.turns(body) or any(system.motion.velocity(body).parts)):
            continue
        page.heading(f"Body {system.number(body)}: {in_words(body)}", 3)
        _turning(page, system, body, order)
        _moving(page, system, body, order)


def _rates(page: Page, system: System) -> None:
    """Write what the rates of the coordinates are in speeds of the model's own."""
    if not system.model.speeds:
        return
    page.prose("The speeds are the model's own; the rates of the coordinates follow from them.")
    for rate, value in system.mechanism.kinematics.items():
        page.equation(rate, system.renamed(value))


def _turning(page: Page, system: System, body: str, order: int) -> None:
    carrier = system.motion.frame_states[body]
    if not system.turns(body):
        return
    _rotation(page, system, body)
    for axis in system.turning:
        page.equation(system.omega(body, axis), system.expr(carrier.omega.parts[axis]))
    if order > 1 and (system.is_planar or page.detailed):
        alpha = system.motion.accelerations[body].alpha
        for axis in system.turning:
            page.equation(system.omega(body, axis, 1), system.expr(alpha.parts[axis]))


def _rotation(page: Page, system: System, body: str) -> None:
    """Write, in space, where the axes of a body point."""
    if system.is_planar:
        return
    axes = system.motion.frame_states[body].axes
    rows = [[system.expr(axis.parts[k]) for axis in axes] for k in range(3)]
    number = system.number(body)
    page.prose("Its axes, as columns in the ground frame:")
    page.matrix(
        rf"\mathbf{{A}}_{{{number}}}",
        f"rotation.{body}",
        rows,
        lambda place: rf"\mathcal{{A}}_{{{number},{place}}}",
    )


def _moving(page: Page, system: System, body: str, order: int) -> None:
    motion = system.motion
    seen = (motion.position, motion.velocity, motion.acceleration)[: order + 1]
    axes = [k for k in system.axes if motion.velocity(body).parts[k]]
    for dots, what in enumerate(seen):
        if dots == 1 and order > 1 and not page.detailed:
            continue
        for axis in axes:
            form = what(body).parts[axis]
            page.equation(system.position(body, axis, dots), system.expr(form))
    _still(page, system, axes)


def _still(page: Page, system: System, axes: list[int]) -> None:
    """Say along which axes a centre of mass does not move."""
    still = [AXES[k] for k in system.axes if k not in axes]
    if still:
        page.prose(f"Its centre of mass does not move along {' and '.join(still)}.")
