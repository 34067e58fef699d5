"""Model files of one body in the making, in the letters of a page."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import sympy

from freebody.algebra import Form
from freebody.consistency.letters import TIME, Letter, Letters, letters_of
from freebody.errors import DerivationError
from freebody.recognition.building.examples import example
from freebody.recognition.building.page_units import Units
from freebody.recognition.equations.functions import Functions, is_function
from freebody.recognition.known.making import free_name, identifier
from freebody.recognition.rigid_bodies.equations import SpeedEquation
from freebody.recognition.symbols.initials import GRAVITY, HEAVY, LENGTHS, initial

BODY = "body"
_INERTIA = "kg*m**2"
OPEN = "of which the page says nothing"
_COEFFICIENTS = "kcbdCDeρη"
"""Letters for what is a constant, in what acts."""


@dataclass(eq=False)
class BodyFile(ABC):
    """A model file of one body in the making.

    Attributes
    ----------
    letters : Letters
    functions : Functions
    names : dict of str to str
        What letters of the page are called in the model.
    """

    letters: Letters
    functions: Functions
    names: dict[str, str] = field(default_factory=dict, init=False)

    @property
    @abstractmethod
    def used(self) -> tuple[SpeedEquation, ...]:
        """The equations that it is made of."""

    @property
    @abstractmethod
    def moving(self) -> tuple[str, ...]:
        """The letters of coordinates and speeds."""

    @property
    def open(self) -> tuple[str, ...]:
        """The letters that another sequence of turns would mean otherwise."""
        return ()

    @property
    def words(self) -> str:
        """What is not as the page prints it."""
        return ""

    @abstractmethod
    def data(self, title: str) -> dict[str, Any]:
        """Return the model file as plain data.

        Raises
        ------
        DerivationError
            If what acts has letters that the model has no name for.
        """

    def meanings(self) -> dict[str, str]:
        """Return what letters of the page stand for in the model."""
        return self.names

    def named_rates(self) -> dict[Letter, str]:
        """Return what rates of letters are called that are speeds of the model."""
        return {}

    def _name(self, forms: Iterable[Form], keys: Collection[str]) -> None:
        """Name the letters in forms, and some others."""
        inside = {one.key for form in forms for one in letters_of(self.letters, form)} | {*keys}
        functions = sorted(filter(is_function, inside))
        inside = inside.union(*map(self.functions.letters_in, functions)) - {*functions, TIME}
        for key in sorted(inside):
            name = identifier(key) or re.sub(r"\W", "", key)
            self.names[key] = free_name(name, self.names.values())
        for key in functions:
            self.names[key] = str(self._written(self.functions.known[key]))

    def _given(
        self, units: Units, acting: Collection[Form], own: Collection[str]
    ) -> dict[str, Any]:
        """Return the inputs and constants: all names but some."""
        driving, examples = self._driving(acting), self._examples()
        made: dict[str, Any] = {"inputs": {}, "constants": {}}
        for key, name in self.names.items():
            if name in own or is_function(key):
                continue
            unit = str(units.of(key))
            is_input = key in driving and unit != "m"  # an arm of a force is a constant
            section = "inputs" if is_input else "constants"
            usual = example(key, unit) if unit != _INERTIA else 1  # products of inertia are less
            value = 0 if is_input else examples.get(key, usual)
            made[section][name] = {"title": key, "unit": unit, "value": value}
        return made

    def _examples(self) -> dict[str, float]:
        """Return the values of constants whose unit alone does not tell a good one."""
        return {}

    def _driving(self, acting: Iterable[Form]) -> set[str]:
        """Return the letters of what acts that may change: forces, moments, and what makes them."""
        found = set[str]()
        for form in acting:
            for one in letters_of(self.letters, form):
                slope = self.letters.slope(form, one)
                is_constant = initial(one.key) in (*HEAVY, *LENGTHS, *_COEFFICIENTS)
                if slope.is_number or not (is_constant or one.key in GRAVITY):
                    found.add(one.key)
        return found

    def text(self, form: Form) -> str | int:
        """Return a form as an expression of the model.

        Raises
        ------
        DerivationError
            If it has letters that the model has no name for.
        """
        written = self._written(form.ring.expression(form))
        return int(written) if written.is_Integer else sympy.sstr(written)

    def _written(self, expr: sympy.Expr) -> sympy.Expr:
        """Return an expression in the names of the model."""
        values, rates = {}, self.named_rates()
        for atom in expr.free_symbols:
            letter = self.letters.letter(atom)
            if letter in rates:
                values[atom] = sympy.Symbol(rates[letter])
            elif letter is None or letter.dots > 1 or letter.key not in {*self.names, TIME}:
                raise DerivationError(f"'{atom}' is nothing that a model has a name for")
            else:
                values[atom] = self._expression(letter)
        return expr.xreplace(values)

    def _expression(self, letter: Letter) -> sympy.Expr:
        name = TIME if letter.key == TIME else self.names[letter.key]
        return sympy.Symbol(name + ("", "_dot")[letter.dots])
