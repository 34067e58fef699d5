"""The derivation by the Lagrangian: energies, their derivatives, and generalized forces."""

from __future__ import annotations

from typing import Any

import sympy

from freebody.algebra import textbook
from freebody.explaining.kinematics import kinematics
from freebody.explaining.page import Page
from freebody.explaining.system import ZERO, System
from freebody.mechanics.kinematics import generalized_forces

HALF = sympy.S.Half


def lagrange(page: Page, system: System) -> None:
    """Write the derivation by Lagrange, up to the sorted equations."""
    Energies(page, system).write()


class Energies:
    """The energies of a system and their derivatives.

    Parameters
    ----------
    page : Page
    system : System
    """

    def __init__(self, page: Page, system: System) -> None:
        self.page, self.system = page, system
        system.require(
            not system.model.speeds,
            "by lagrange: the model has speeds of its own; kane is explained",
        )
        letter = system.notation.letter
        self._letters = (
            letter(["T", "K", r"\mathcal{T}"]),
            letter(["V", "U", r"\mathcal{V}"]),
        )
        lagrangian = letter(["L", r"\mathcal{L}"])
        self.lagrangian = system.notation.quantity("energy.lagrangian", [lagrangian])
        self.kinetic = system.notation.quantity("energy.kinetic", [self._letters[0]])
        self.potential = system.notation.quantity("energy.potential", [self._letters[1]])

    def write(self) -> None:
        """Write kinematics, energies, generalized forces and Lagrange's equations."""
        kinematics(self.page, self.system, 1)
        self._kinetic_energy()
        self._potential_energy()
        self._generalized_forces()
        self._equations()

    # ------------------------------------------------------------------ energies

    def _kinetic_energy(self) -> None:
        page, system = self.page, self.system
        page.heading("Kinetic energy")
        parts = []
        for body in system.massive:
            if not (any(system.motion.velocity(body).parts) or system.has_inertia(body)):
                continue
            path = f"energy.kinetic.{body}"
            number = system.number(body)
            part = system.notation.quantity(path, [f"{self._letters[0]}_{{{number}}}"])
            parts.append(part)
            whole = system.expr(self._energy_of(body))
            self.page.equation(part, self._by_velocities(body), whole)
        if len(parts) > 1 or page.detailed:
            whole = system.expr(system.motion.kinetic_energy())
            sides = [sympy.Add(*parts)] if len(parts) > 1 else []
            page.equation(self.kinetic, *sides, whole)

    def _by_velocities(self, body: str) -> sympy.Expr:
        """Return half of mass times velocity squared, and of inertia times angular velocity."""
        system, mass = self.system, self.system.mechanism.masses[body]
        axes = [k for k in system.axes if system.motion.velocity(body).parts[k]]
        squares = sympy.Add(*(system.position(body, k, 1) ** 2 for k in axes))
        slide = sympy.Mul(HALF, mass.mass, squares, evaluate=False) if squares != ZERO else ZERO
        if not system.has_inertia(body):
            return slide
        return sympy.Add(slide, self._turning(body), evaluate=False)

    def _turning(self, body: str) -> sympy.Expr:
        system, inertia = self.system, self.system.inertia(body)
        if system.is_planar:
            (axis,) = system.turning
            return HALF * inertia[axis, axis] * system.omega(body, axis) ** 2
        omegas = [self._own_omega(body, k) for k in range(3)]
        pairs = ((j, k) for j in range(3) for k in range(3))
        return sympy.Add(*(HALF * inertia[j, k] * omegas[j] * omegas[k] for j, k in pairs))

    def _own_omega(self, body: str, axis: int) -> sympy.Expr:
        carrier = self.system.motion.frame_states[body]
        if not carrier.omega.dot(carrier.axes[axis]):
            return ZERO
        return self.system.own_omega(body, axis)

    def _energy_of(self, body: str) -> Any:
        motion, mass = self.system.motion, self.system.mechanism.masses[body]
        velocity, carrier = motion.velocity(body), motion.frame_states[body]
        double = velocity.dot(velocity) * motion.value(mass.mass)
        if mass.inertia is not None:
            spin = motion.turned_by(mass.inertia, carrier, carrier.omega)
            double = double + carrier.omega.dot(spin)
        return double * motion.value(HALF)

    def _potential_energy(self) -> None:
        page, system = self.page, self.system
        page.heading("Potential energy and Lagrangian")
        whole = system.expr(system.motion.potential_energy())
        weights = system.renamed(self._weights())
        elastic = system.mechanism.potentials.get("elastic", ZERO)
        sides = [weights] if elastic == 0 and weights not in (ZERO, whole) else []
        page.equation(self.potential, *sides, whole)
        page.equation(self.lagrangian, self.kinetic - self.potential)

    def _weights(self) -> sympy.Expr:
        """Return the potential energy of all weights in the positions of centres of mass."""
        system, total = self.system, []
        for load in system.mechanism.loads:
            if load.kind == "gravity" and load.place:
                for axis in range(3):
                    pull = load.components[axis]
                    if pull != 0:
                        total.append(self._weight(load.place, axis, pull))
        return sympy.Add(*total)

    def _weight(self, place: str, axis: int, pull: sympy.Expr) -> sympy.Expr:
        form = self.system.motion.position(place).parts[axis]
        if self.system.motion.velocity(place).parts[axis]:
            return -pull * self.system.position(place, axis)
        return -pull * self.system.expr(form)

    # ------------------------------------------------------------------ forces

    def _generalized_forces(self) -> None:
        page, system = self.page, self.system
        page.heading("Generalized forces")
        page.prose(
            "Actuators, applied forces and dampers have no potential energy. The generalized "
            "force of a coordinate is their work for each unit by which it changes."
        )
        forces = [
            external + actuation
            for external, actuation in zip(
                generalized_forces(system.motion, "external"),
                generalized_forces(system.motion, "actuation"),
                strict=True,
            )
        ]
        self.forces = [self._force(r) for r in range(len(forces))]
        for symbol, form in zip(self.forces, forces, strict=True):
            page.equation(symbol, system.expr(form))

    def _force(self, row: int) -> sympy.Symbol:
        name = list(self.system.mechanism.names.coordinates)[row]
        letter = self.system.notation.letter(["Q", "P", r"\mathcal{Q}"])
        return self.system.notation.quantity(
            f"nonconservative_force.{name}", [f"{letter}_{{{row + 1}}}"]
        )

    # ------------------------------------------------------------------ equations

    def _equations(self) -> None:
        page, system = self.page, self.system
        page.heading("Lagrange's equations")
        ring = system.equations.ring
        energy = system.motion.kinetic_energy() - system.motion.potential_energy()
        names = list(system.mechanism.names.coordinates)
        for row, (q, u) in enumerate(
            zip(system.mechanism.coordinates, system.mechanism.speeds, strict=True)
        ):
            if len(names) > 1:
                page.heading(f"Coordinate ${system.notation.latex(q)}$", 3)
            momentum = ring.partial(energy, u)
            by_speed, by_coordinate = self._partial(u), self._partial(q)
            page.equation(by_speed, system.expr(momentum))
            if page.detailed:
                rate = system.mechanism.rate(textbook(momentum))
                page.equation(rf"\frac{{d}}{{dt}} {by_speed}", system.expr(ring.form(rate)))
            page.equation(by_coordinate, system.expr(ring.partial(energy, q)))
            page.equation(rf"\frac{{d}}{{dt}} {by_speed} - {by_coordinate}", self._right_side(row))

    def _right_side(self, row: int) -> sympy.Expr:
        """Return the generalized force of a coordinate, with those of the constraints."""
        system = self.system
        pairs = zip(system.equations.blocks.J, system.multipliers, strict=True)
        return self.forces[row] + sympy.Add(
            *(system.expr(slopes[row]) * symbol for slopes, symbol in pairs)
        )

    def _partial(self, by: sympy.Expr) -> str:
        latex = self.system.notation.latex
        return rf"\frac{{\partial {latex(self.lagrangian)}}}{{\partial {latex(by)}}}"
