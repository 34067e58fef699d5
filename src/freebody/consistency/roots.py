r"""Equations with square roots: of these the canonical form does not tell all that are equal.

A product of two roots stays one, as in ``\sqrt{k}\sqrt{m} = \sqrt{k m}``, which is decided in
numbers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import mpmath

from freebody.algebra import Form
from freebody.algebra.canonical import is_zero
from freebody.algebra.numerics import Numbers
from freebody.algebra.substitution import atoms

DIGITS, GUARD = 30, 15
"""In which it is looked at one point whether a form may be zero, and how many of these are left."""


def vanish_at_points(forms: Sequence[Form]) -> bool:
    """Return whether forms are zero in numbers, and some of them have roots."""
    left = [form for form in forms if form]
    is_likely = any(map(_has_roots, left)) and all(map(_may_vanish, left))
    return is_likely and all(is_zero(form).equal for form in left)


def _may_vanish(form: Form) -> bool:
    """Return whether a form is zero at one random point, which takes little work, or has none."""
    chance = random.Random(0)  # noqa: S311 - the same point at every run
    values = {atom: chance.uniform(0.25, 1.75) for atom in sorted(atoms(form), key=str)}
    with mpmath.workdps(DIGITS):
        try:
            return Numbers(values).vanishes(form, GUARD)
        except (KeyError, ZeroDivisionError):
            return True


def _has_roots(form: Form) -> bool:
    generators = form.ring.generators
    return any(generators[place].kind == "root" for place in form.terms.places())
