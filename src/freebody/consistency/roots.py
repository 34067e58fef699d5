r"""Equations with square roots: of these the canonical form does not tell all that are equal.

A product of two roots stays one, as in ``\sqrt{k}\sqrt{m} = \sqrt{k m}``, which is decided in
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from freebody.algebra import Form
from freebody.algebra.canonical import is_zero

MOST_TERMS = 3_000
"""Of a form that is worked out in numbers: some seconds."""


def vanish_at_points(forms: Sequence[Form]) -> bool:
    """Return whether forms are zero in numbers, and some of them have roots.

    Raises
    ------
    TooLargeError
        If one may be zero, and is too large to tell.
    """
    left = [form for form in forms if form]
    return any(map(_has_roots, left)) and all(is_zero(form, MOST_TERMS).equal for form in left)


def _has_roots(form: Form) -> bool:
    generators = form.ring.generators
    return any(generators[place].kind == "root" for place in form.terms.places())
