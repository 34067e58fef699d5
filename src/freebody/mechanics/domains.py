"""The arithmetics that motion is worked out in: canonical forms, and values at a point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from freebody.algebra import Form, Ring
from freebody.algebra.domains import Domain


@dataclass(frozen=True)
class Forms:
    """Canonical forms of one ring.

    Attributes
    ----------
    ring : Ring
    """

    ring: Ring

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> list[Form]:
        """Return the forms of expressions."""
        forms = self.ring.forms(expressions)
        return [self.ring.substitute(form, given) for form in forms] if given else forms


@dataclass(frozen=True)
class Values:
    """Values at a random point of a prime field, or bounds on their degrees.

    Attributes
    ----------
    at : Domain
    """

    at: Domain[Any]

    def values(
        self, expressions: Iterable[sympy.Expr], given: Mapping[sympy.Expr, Any] | None = None
    ) -> list[Any]:
        """Return the values of expressions."""
        return (self.at.where(given) if given else self.at).values(expressions)
