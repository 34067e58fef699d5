r"""Equations with square roots: of these the canonical form does not tell all that are equal.

A product of two roots stays one, as in ``\sqrt{k}\sqrt{m} = \sqrt{k m}``, which is decided in
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from freebody.algebra import Form
from freebody.algebra.canonical import is_zero


def vanish_at_points(forms: Sequence[Form]) -> bool:
    """Return whether forms are zero in numbers, and some of them have roots."""
    left = [form for form in forms if form]
    return any(map(_has_roots, left)) and all(is_zero(form).equal for form in left)


def _has_roots(form: Form) -> bool:
    generators = form.ring.generators
    return any(generators[place].kind == "root" for place in form.terms.places())
