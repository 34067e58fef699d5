"""What letters of a page are called in a model made of it, and expressions of them there."""

from __future__ import annotations

import re
from collections.abc import Iterable

import sympy

from freebody.algebra import Form
from freebody.consistency.letters import TIME, Letter, Letters, letters_of
from freebody.errors import DerivationError
from freebody.recognition.equations.functions import Functions, is_function
from freebody.recognition.known.making import free_name, identifier


class ModelNames:
    """The names of letters in a model.

    Parameters
    ----------
    letters : Letters
    functions : Functions
        Of rates and of time, that loads are made of.
    coordinates : sequence of Letter
        Which are named first.
    forms : iterable of Form
        All that the model is made of.
    driven : frozenset of str
        The letters of what moves in a given way.

    Raises
    ------
    DerivationError
        If a function is of what the model has not.

    Attributes
    ----------
    names : dict of str to str
        By letter; a function of time is called by its expression.
    """

    def __init__(
        self,
        letters: Letters,
        functions: Functions,
        coordinates: Iterable[Letter],
        forms: Iterable[Form],
        driven: frozenset[str] = frozenset(),
    ) -> None:
        self._letters, self._driven = letters, driven
        self.names: dict[str, str] = {}
        inside = {one.key for form in forms for one in letters_of(letters, form)}
        timed = sorted(filter(is_function, inside))
        inside = inside.union(*map(functions.letters_in, timed)) - {*timed, TIME}
        own = [one.key for one in coordinates]
        for key in (*own, *sorted(inside - {*own})):
            self.names[key] = self.free(identifier(key) or re.sub(r"\W", "", key))
        for key in timed:
            self.names[key] = str(self.written(functions.known[key]))

    def __getitem__(self, key: str) -> str:
        """Return what a letter is called."""
        return self.names[key]

    def free(self, name: str, taken: Iterable[str] = ()) -> str:
        """Return a name like another that no letter has, nor others that are taken."""
        return free_name(name, {*self.names.values(), *taken})

    def text(self, form: Form) -> str | int:
        """Return a form as an expression of the model.

        Raises
        ------
        DerivationError
            If a letter in it has no name.
        """
        written = self.written(form.ring.expression(form))
        if written.is_Integer:
            return int(written)
        if not written.is_Add or len(written.args) > 2:
            written = sympy.factor_terms(written)
        return sympy.sstr(written)

    def written(self, expr: sympy.Expr) -> sympy.Expr:
        """Return an expression in the names of the model.

        Raises
        ------
        DerivationError
            If a letter in it has no name.
        """
        values = {}
        for atom in expr.free_symbols:
            letter = self._letters.letter(atom)
            if letter is None or (letter.dots > 1 and letter.key not in self._driven):
                raise DerivationError(f"'{atom}' is nothing that a model has a name for")
            name = TIME if letter.key == TIME else self.names[letter.key]
            values[atom] = sympy.Symbol(name + ("", "_dot", "_ddot")[letter.dots])
        return expr.xreplace(values)
