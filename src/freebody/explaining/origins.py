"""Where one term of the equations of motion comes from: which body, acceleration and lever arm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from freebody.algebra import Form, textbook
from freebody.arguments import checked
from freebody.errors import DerivationError
from freebody.explaining.notation import Notation
from freebody.explaining.system import System
from freebody.explaining.terms import inertial_words, load_words
from freebody.mechanics.build import in_symbols
from freebody.mechanics.derivation import derive
from freebody.mechanics.kinematics import partial_of
from freebody.mechanics.mechanism import AnyModel
from freebody.mechanics.notation import python
from freebody.mechanics.parts import AXES, Triple


@dataclass(frozen=True)
class TermPart:
    """What a body or a load adds to a term, along or about one axis.

    Attributes
    ----------
    source : str
        The body, or the joint of an actuator.
    what : str
        In words.
    quantity : str
        The force or moment: mass times acceleration, rate of angular momentum, or a load.
    strength : str
        Of the quantity, for a term of one.
    lever : str
        What it is multiplied by: by how much the point moves, or the body turns, with the speed.
    value : str
        The product of both.
    """

    source: str
    what: str
    quantity: str
    strength: str
    lever: str
    value: str


@dataclass(frozen=True)
class TermOrigin:
    """How a term comes into one equation of motion.

    Attributes
    ----------
    equation : str
        The generalized speed that the equation belongs to.
    term : str
    coefficient : str
        On the left side, of ``M u̇ + C + G + E - τ``; zero where all parts cancel.
    parts : tuple of TermPart
    """

    equation: str
    term: str
    coefficient: str
    parts: tuple[TermPart, ...]

    def __str__(self) -> str:
        lines = [
            f"equation of {self.equation.removesuffix('_dot')}: {self.term} has {self.coefficient}"
        ]
        for part in self.parts:
            lines.append(f"  {part.what}")
            lines.append(f"    {part.quantity}: {part.strength}")
            lines.append(f"    times lever: {part.lever}")
            lines.append(f"    gives {part.value}")
        return "\n".join(lines)


@checked
def explain_term(model: AnyModel, term: str) -> tuple[TermOrigin, ...]:
    """Return where a term of the equations of motion comes from.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves; or the name of a shipped model.
    term : str
        A product of speeds, accelerations, inputs and constants, such as
        ``"alpha1_dot*alpha2_dot"``.

    Returns
    -------
    tuple of TermOrigin
        For each equation of motion that it comes into.

    Raises
    ------
    DerivationError
        If it is no such product, or comes into no equation.
    ExpressionError
        If it cannot be read.

    Examples
    --------
    >>> import freebody
    >>> freebody.explain_term("two_link", "alpha1_dot*alpha2_dot")[0].coefficient
    '-2*L1*d2*m2*sin(alpha2)'
    """
    moving = in_symbols(model)
    system = System(derive(moving), Notation(moving))
    wanted = _Term(system, term)
    origins = tuple(filter(None, map(wanted.origin, range(len(moving.speeds)))))
    if not origins:
        raise DerivationError(f"'{term}' comes into no equation of motion")
    return origins


class _Term:
    """A product of moving quantities and constants, looked for in everything that adds up."""

    def __init__(self, system: System, text: str) -> None:
        self.system, self.text = system, text
        self.names = system.mechanism.names
        self.ring = system.equations.ring
        powers = self._powers(text)
        self.atoms, self.wanted = self._atoms(powers)
        self.moving = [one for one, power in powers.items() for _ in range(power)]

    def _powers(self, text: str) -> dict[sympy.Expr, int]:
        from freebody.algebra.expressions import lookup, read

        known = {**self.names.symbols, **self.names.accelerations}
        product = read(text, lookup(known))
        powers: dict[sympy.Expr, Any] = dict(product.as_powers_dict())
        plain = all(power.is_Integer and power > 0 for power in powers.values())
        if not plain or not powers.keys() <= {*known.values()} - {*self.names.coordinates.values()}:
            raise DerivationError(
                f"expected a product of speeds, accelerations, inputs and constants, found '{text}'"
            )
        return {one: int(power) for one, power in powers.items()}

    def _atoms(
        self, powers: Mapping[sympy.Expr, int]
    ) -> tuple[tuple[sympy.Expr, ...], tuple[int, ...]]:
        """Return what is looked at, and to which powers: all that moves, and constants named."""
        moving = (
            *self.names.speeds.values(),
            *self.names.accelerations.values(),
            *self.names.inputs.values(),
        )
        atoms = (*moving, *(one for one in powers if one not in moving))
        return atoms, tuple(powers.get(one, 0) for one in atoms)

    def of(self, form: Form) -> Form:
        """Return the coefficient of the term in a form."""
        return self.ring.coefficients(form, self.atoms).get(self.wanted, self.ring.zero)

    def origin(self, row: int) -> TermOrigin | None:
        """Return how it comes into an equation."""
        parts = [*self._inertia(row), *self._loads(row)]
        if not parts:
            return None
        total = self.of(self._left(row))
        name = list(self.names.speeds)[row]
        return TermOrigin(name, self.text, self._text(total), tuple(parts))

    def _left(self, row: int) -> Form:
        blocks = self.system.equations.blocks
        total = blocks.C[row] + blocks.G[row] + blocks.E[row] - blocks.tau[row]
        pairs = zip(blocks.M[row], self.system.mechanism.accelerations, strict=True)
        for entry, acceleration in pairs:
            total = total + entry * self.ring.form(acceleration)
        return total

    def _text(self, form: Form) -> str:
        return python(textbook(form), self.names)

    # ------------------------------------------------------------------ parts

    def _inertia(self, row: int) -> Iterator[TermPart]:
        system, speed = self.system, self.system.mechanism.speeds[row]
        motion = system.motion
        for body in system.massive:
            mass = system.mechanism.masses[body]
            force = motion.acceleration(body).times(motion.value(mass.mass))
            what = self._words(body)
            yield from self._along(
                body,
                what,
                "mass times acceleration of {0} along {1}",
                force,
                motion.partial_velocity(body, speed),
            )
            if mass.inertia is not None:
                yield from self._along(
                    body,
                    what,
                    "rate of angular momentum of {0} about {1}",
                    motion.angular_momentum_rate(body),
                    motion.partial(body, speed).omega,
                )

    def _words(self, body: str) -> str:
        moving = [one for one in self.moving if one in self.system.mechanism.speeds]
        others = [one for one in self.moving if one in self.system.mechanism.accelerations]
        if others:
            names = {one: name for name, one in self.names.accelerations.items()}
            return f"{body} accelerated by {names[others[0]]}"
        names = {one: name for name, one in self.names.speeds.items()}
        return inertial_words(body, [names[one].removesuffix("_dot") for one in moving])

    def _loads(self, row: int) -> Iterator[TermPart]:
        system, speed = self.system, self.system.mechanism.speeds[row]
        for load in system.mechanism.loads:
            source, what = load_words(load)
            where = load.on if load.place is None else load.place
            quantity = (
                f"minus the {'moment' if load.place is None else 'force'} on {{0}} along {{1}}"
            )
            yield from self._along(
                source,
                what,
                quantity.replace("{0}", where),
                -system.load_vector(load),
                partial_of(system.motion, load, speed),
            )

    def _along(
        self, source: str, what: str, quantity: str, vector: Triple, lever: Triple
    ) -> Iterator[TermPart]:
        for axis, (strength, arm) in enumerate(zip(vector.parts, lever.parts, strict=True)):
            found = self.of(strength)
            if found and arm:
                value = found * arm
                named = quantity.format(source, AXES[axis])
                texts: tuple[Any, ...] = tuple(map(self._text, (found, arm, value)))
                yield TermPart(source, what, named, *texts)
