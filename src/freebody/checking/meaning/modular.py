"""Printed equations in numbers of a prime field."""

from __future__ import annotations

from abc import abstractmethod

from freebody.algebra import Form
from freebody.algebra.prime import Residue
from freebody.checking.grid import Grid
from freebody.checking.meaning.walk import Walk
from freebody.documents.latex.tree import AtPoint, Node, Number, Partial, Power, TimeDerivative


class ModularEvaluator(Walk):
    """Works out nodes in numbers of a prime field.

    What a field has no operation for is worked out as a form first.
    """

    def _vanishes(self, entry: Residue) -> bool:
        return not entry

    def _number(self, node: Number) -> Grid:
        return Grid.scalar(Residue.number(node.value))

    def _power(self, node: Power) -> Grid:
        exponent = self._exactly(node.exponent).form
        if not exponent.is_number or exponent.number.denominator != 1:
            return self._other_power(node, exponent)
        base, power = self.value(node.base), int(exponent.number)
        return base.inverse() if power == -1 else Grid.scalar(base.form**power)

    def _time_derivative(self, node: TimeDerivative) -> Grid:
        return self._through_forms(node)

    def _partial(self, node: Partial) -> Grid:
        return self._through_forms(node)

    def _with_values(self, node: AtPoint) -> Grid:
        return self._through_forms(node)

    @abstractmethod
    def _exactly(self, node: Node) -> Grid:
        """Return a node as forms."""

    @abstractmethod
    def _through_forms(self, node: Node) -> Grid:
        """Return the numbers that the forms of a node are worth."""

    @abstractmethod
    def _other_power(self, node: Power, exponent: Form) -> Grid:
        """Return a power with another exponent than a whole number."""
