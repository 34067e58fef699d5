"""The derivation by Kane: partial velocities, generalized active and inertia forces."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from freebody.explaining.kinematics import kinematics
from freebody.explaining.notation import SPEED
from freebody.explaining.page import Page
from freebody.explaining.system import ZERO, System
from freebody.mechanics.kinematics import partial_of
from freebody.mechanics.parts import Load


def kane(page: Page, system: System) -> None:
    """Write the derivation by Kane, up to the sorted equations."""
    Projections(page, system).write()


class Projections:
    """Forces projected on partial velocities.

    Parameters
    ----------
    page : Page
    system : System
    """

    def __init__(self, page: Page, system: System) -> None:
        self.page, self.system = page, system
        self.speeds = system.mechanism.speeds

    def write(self) -> None:
        """Write kinematics, partial velocities, and the generalized forces."""
        kinematics(self.page, self.system, 2)
        self._partials()
        for row in range(len(self.speeds)):
            self._row(row)

    # ------------------------------------------------------------------ partial velocities

    def _partials(self) -> None:
        page, system = self.page, self.system
        page.heading("Partial velocities")
        page.prose(
            "The derivatives of the velocities by the generalized speeds; those that are zero are "
            "left out."
        )
        for body in system.massive:
            for speed in self.speeds:
                slide = system.motion.partial_velocity(body, speed)
                turn = system.motion.partial(body, speed).omega
                for axis in system.axes:
                    if slide.parts[axis]:
                        page.equation(
                            self._slide(body, axis, speed), system.expr(slide.parts[axis])
                        )
                for axis in system.turning:
                    if turn.parts[axis]:
                        page.equation(self._turn(body, axis, speed), system.expr(turn.parts[axis]))

    def _slide(self, body: str, axis: int, speed: sympy.Expr) -> sympy.Expr:
        """Return the symbol of a partial velocity; zero where it is."""
        if not self.system.motion.partial_velocity(body, speed).parts[axis]:
            return ZERO
        return self._partial(self.system.position(body, axis, 1), speed)

    def _turn(self, body: str, axis: int, speed: sympy.Expr) -> sympy.Expr:
        if not self.system.motion.partial(body, speed).omega.parts[axis]:
            return ZERO
        return self._partial(self.system.omega(body, axis), speed)

    def _partial(self, of: sympy.Symbol, speed: sympy.Expr) -> sympy.Symbol:
        notation = self.system.notation
        by = notation.latex(speed)
        latex = rf"\frac{{\partial {notation.latex(of)}}}{{\partial {by}}}"
        return notation.compound(f"d({of})/d({speed})", latex, (of, speed), SPEED - 2)

    # ------------------------------------------------------------------ one equation

    def _row(self, row: int) -> None:
        page, system = self.page, self.system
        if len(self.speeds) > 1:
            page.heading(f"Speed ${system.notation.latex(self.speeds[row])}$")
        else:
            page.heading("Generalized forces")
        active, inertia = self._active(row), self._inertia(row)
        blocks, speed = system.equations.blocks, self.speeds[row]
        whole = blocks.tau[row] - blocks.G[row] - blocks.E[row]
        projected = self._projected(speed)
        result = system.expr(whole)
        page.equation(active, *([projected] if projected != result else []), result)
        page.equation(inertia, self._resisting(speed), self._in_accelerations(row))
        page.equation(active + inertia + self._constraints(row), ZERO)

    def _active(self, row: int) -> sympy.Symbol:
        letter = self.system.notation.letter(["F", "K", r"\mathcal{F}"])
        return self.system.notation.quantity(
            f"generalized_force[{row + 1}]", [f"{letter}_{{{row + 1}}}"]
        )

    def _inertia(self, row: int) -> sympy.Symbol:
        names = self.system.mechanism.names
        letter = self.system.notation.letter(["F", "K", r"\mathcal{F}"])
        parts = [
            f"equations.M[{row + 1},{column}]*{name}"
            for column, name in enumerate(names.accelerations, 1)
        ]
        meaning = f"-({' + '.join(parts)} + equations.C[{row + 1}])"
        return self.system.notation.quantity(meaning, [f"{letter}^{{*}}_{{{row + 1}}}"])

    def _projected(self, speed: sympy.Expr) -> sympy.Expr:
        """Return the sum of all forces and moments times their partial velocities."""
        return sympy.Add(
            *(part for load in self.system.mechanism.loads for part in self._work(load, speed))
        )

    def _work(self, load: Load, speed: sympy.Expr) -> Iterator[sympy.Expr]:
        system = self.system
        vector = system.exprs(system.load_vector(load))
        along = partial_of(system.motion, load, speed)
        body = load.place if load.place in system.massive else None
        for axis in range(3):
            if vector[axis] == 0 or not along.parts[axis]:
                continue
            if load.place is None and load.on in system.bodies:
                yield vector[axis] * self._turn(load.on, axis, speed)
            elif body is not None:
                yield vector[axis] * self._slide(body, axis, speed)
            else:
                yield vector[axis] * system.expr(along.parts[axis])

    def _resisting(self, speed: sympy.Expr) -> sympy.Expr:
        """Return minus the inertia forces and moments times their partial velocities."""
        system, total = self.system, []
        for body in system.massive:
            for axis in system.axes:
                slide = self._slide(body, axis, speed)
                total.append(-system.inertia_force(body, axis) * slide)
            total += [
                -system.spin(body, axis) * self._turn(body, axis, speed) for axis in system.turning
            ]
        return sympy.Add(*total)

    def _in_accelerations(self, row: int) -> sympy.Expr:
        """Return minus M times the accelerations, less C."""
        system, blocks = self.system, self.system.equations.blocks
        pairs = zip(blocks.M[row], system.mechanism.accelerations, strict=True)
        total = [-system.expr(entry) * acceleration for entry, acceleration in pairs]
        return sympy.Add(*total, -system.expr(blocks.C[row]))

    def _constraints(self, row: int) -> sympy.Expr:
        system = self.system
        pairs = zip(system.equations.blocks.J, system.multipliers, strict=True)
        return sympy.Add(*(system.expr(slopes[row]) * symbol for slopes, symbol in pairs))
