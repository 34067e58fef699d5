"""The arithmetics that motion is worked out in: canonical forms, and points of a prime field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from freebody.algebra import Form, Ring


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
