"""Special cases: a stretched posture, equilibria, and the equations of small motions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import sympy

from freebody.algebra import Form, textbook
from freebody.explaining.page import Page
from freebody.explaining.system import System
from freebody.explaining.terms import Blocks
from freebody.mechanics.notation import python

RIGHT_ANGLES = (0, sympy.pi / 2, -sympy.pi / 2, sympy.pi)
MOST_ANGLES = 3
"""So many angles are tried at right angles for equilibria."""
MOST_EQUILIBRIA = 4
Place = Mapping[sympy.Expr, sympy.Expr]


class SpecialCases:
    """Special cases of the equations of motion.

    Parameters
    ----------
    page : Page
    system : System
    blocks : Blocks
        Their entries, by their symbols.
    """

    def __init__(self, page: Page, system: System, blocks: Blocks) -> None:
        self.page, self.system, self.blocks = page, system, blocks
        self.ring = system.equations.ring

    def write(self) -> None:
        """Write the cases that there are."""
        self._stretched()
        if self.system.mechanism.constraints or self.system.model.speeds:
            self.page.heading("Equilibria and small motions")
            self.page.prose(
                "Not worked out here for models with constraints, or with speeds of their own: "
                "`freebody linearize` finds equilibria and linear equations in numbers."
            )
            return
        self._equilibria()

    # ------------------------------------------------------------------ a posture

    def _stretched(self) -> None:
        """Write the mass matrix where the angles that it depends on are zero."""
        forms = self.system.equations.blocks.M
        angles = [q for q in self._angles if any(_holds(form, q) for row in forms for form in row)]
        if not angles:
            return
        place = dict.fromkeys(angles, sympy.S.Zero)
        self.page.heading("A special case")
        self.page.prose(
            "Where the angles that the mass matrix depends on are zero, it is at its simplest:"
        )
        n = self.blocks.n
        for row, column in ((r, c) for r in range(n) for c in range(r, n)):
            form = forms[row][column]
            used = {q: zero for q, zero in place.items() if _holds(form, q)}
            if used:
                entry = self.system.notation.latex(self.blocks.entry("M", row, column))
                self.page.equation(self._at(entry, used), self.system.expr(self._put(form, used)))

    @property
    def _angles(self) -> list[sympy.Expr]:
        names, model = self.system.mechanism.names, self.system.model
        return [names.coordinates[n] for n, one in model.coordinates.items() if one.unit == "rad"]

    def _put(self, form: Form, place: Place) -> Form:
        return self.ring.form(textbook(form).xreplace(dict(place)))

    def _at(self, latex: str, place: Place) -> str:
        r"""Return ``\left. M \right|_{...}``."""
        write = self.system.notation.latex
        given = r",\, ".join(f"{write(q)} = {write(value)}" for q, value in place.items())
        return rf"\left. {latex} \right|_{{{given}}}"

    # ------------------------------------------------------------------ equilibria

    def _equilibria(self) -> None:
        page = self.page
        page.heading("Equilibria and small motions")
        places = list(self._found())
        if not places:
            page.prose(
                "No posture at right angles, without any input, is an equilibrium: `freebody "
                "linearize --search 20` looks for others in numbers."
            )
            return
        page.prose(
            "Without inputs and at rest, what is left on the left is gravity and other forces. "
            "They vanish at these right angles; `freebody linearize --search 20` finds others."
        )
        for place in places[:MOST_EQUILIBRIA]:
            for row, (left, form) in enumerate(zip(self._lefts(), self._resting, strict=True)):
                used = {q: value for q, value in place.items() if _holds(self._forces[row], q)}
                if form and used:
                    page.equation(self._at(left, {**used, **self._zeros(row)}), sympy.S.Zero)
        self._linear(places[0])

    @property
    def _forces(self) -> list[Form]:
        """What gravity and other forces add to each equation."""
        blocks = self.system.equations.blocks
        return [g + e for g, e in zip(blocks.G, blocks.E, strict=True)]

    @property
    def _resting(self) -> list[Form]:
        """The same without inputs and at rest."""
        zeros = dict.fromkeys(self._idle, sympy.S.Zero)
        return [self._put(form, zeros) for form in self._forces]

    @property
    def _idle(self) -> tuple[sympy.Expr, ...]:
        return (*self.system.equations.inputs, *self.system.mechanism.speeds)

    def _zeros(self, row: int) -> dict[sympy.Expr, sympy.Expr]:
        """Return the inputs and speeds that are zero in a row."""
        return {one: sympy.S.Zero for one in self._idle if _holds(self._forces[row], one)}

    def _lefts(self) -> Iterator[str]:
        """Iterate over gravity plus other forces of each row, as they are printed."""
        blocks, write = self.system.equations.blocks, self.system.notation.latex
        for row in range(self.blocks.n):
            parts = [b for b in ("G", "E") if getattr(blocks, b)[row]]
            total = sympy.Add(*(self.blocks.entry(b, row) for b in parts))
            yield write(total) if len(parts) == 1 else f"({write(total)})"

    def _found(self) -> Iterator[Place]:
        """Iterate over equilibria at right angles."""
        forms = [form for form in self._resting if form]
        angles = [q for q in self._angles if any(_holds(form, q) for form in forms)]
        shifts = [q for q in self.system.mechanism.coordinates if q not in self._angles]
        shifts = [q for q in shifts if any(_holds(form, q) for form in forms)]
        if not forms or len(angles) > MOST_ANGLES or self.system.mechanism.laws:
            return
        for values in product(RIGHT_ANGLES, repeat=len(angles)):
            place = {
                **dict(zip(angles, values, strict=True)),
                **dict.fromkeys(shifts, sympy.S.Zero),
            }
            place = {q: sympy.sympify(value) for q, value in place.items()}
            try:
                left = [self._put(form, place) for form in forms]
            except ZeroDivisionError:
                continue
            if not any(left):
                yield place

    # ------------------------------------------------------------------ small motions

    def _linear(self, place: Place) -> None:
        """Write mass, damping and stiffness about an equilibrium."""
        page, system = self.page, self.system
        if system.model.prescribed:
            return
        zeros = {**place, **dict.fromkeys(self._idle, sympy.S.Zero)}
        page.prose(
            "Small motions about the first of them follow equations with constant coefficients: "
            "mass times acceleration, damping times speed and stiffness times deflection add to "
            "zero."
        )
        stiffness = self._slopes(system.mechanism.coordinates, zeros)
        damping = self._slopes(system.mechanism.speeds, zeros)
        mass = [[self._put(form, zeros) for form in row] for row in system.equations.blocks.M]
        labels = [*self._matrix("M", mass), *self._matrix("K", stiffness)]
        if any(any(row) for row in damping):
            labels += self._matrix("D", damping)
        names = system.mechanism.names
        given = {n: python(place[q], names) for n, q in names.coordinates.items() if q in place}
        page.assume({"given": given}, [f"({label})" for label in labels])

    def _slopes(self, by: tuple[sympy.Expr, ...], zeros: Place) -> list[list[Form]]:
        blocks = self.system.equations.blocks
        rows = [
            c + g + e - t
            for c, g, e, t in zip(blocks.C, blocks.G, blocks.E, blocks.tau, strict=True)
        ]
        return [[self._put(self.ring.partial(row, one), zeros) for one in by] for row in rows]

    def _matrix(self, name: str, rows: list[list[Any]]) -> list[str]:
        """Write a matrix, entry by entry where it is too wide, and return the labels."""
        return self.page.matrix(
            rf"\mathbf{{{name}}}_{{0}}",
            f"linear.{name}",
            [[self.system.expr(one) for one in row] for row in rows],
            lambda place: f"{name}_{{0,{place}}}",
        )


def _holds(form: Form, symbol: sympy.Expr) -> bool:
    """Return whether a form depends on a symbol."""
    return bool(textbook(form).has(symbol))
