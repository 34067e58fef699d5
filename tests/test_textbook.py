"""The textbook form says the same as the canonical form, factored as a page prints it."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, cos, sin, sqrt
from sympy.physics.mechanics import dynamicsymbols

from freebody import Equations, derive, load
from freebody.algebra import Form, Ring, equal, textbook
from freebody.mechanics.notation import python

d, g, L, m, x, y = SYMBOLS = sympy.symbols("d g L m x y")
u, v = dynamicsymbols("u v")

ARM = {
    "M[1,1]": "I1 + I2 + I3 + d1**2*m1 + 2*d3*l1*m3*cos(alpha2 + alpha3)"
    " + 2*d3*l2*m3*cos(alpha3) + 2*l1*(d2*m2 + l2*m3)*cos(alpha2)"
    " + m2*(d2**2 + l1**2) + m3*(d3**2 + l1**2 + l2**2)",
    "M[2,3]": "I3 + d3**2*m3 + d3*l2*m3*cos(alpha3)",
    "C[1]": "-alpha2_dot*l1*(2*alpha1_dot + alpha2_dot)*(d2*m2 + l2*m3)*sin(alpha2)"
    " - alpha3_dot*d3*l2*m3*(2*alpha1_dot + 2*alpha2_dot + alpha3_dot)*sin(alpha3)"
    " - d3*l1*m3*(alpha2_dot*(2*alpha1_dot + alpha2_dot)"
    " + alpha3_dot*(2*alpha1_dot + 2*alpha2_dot + alpha3_dot))*sin(alpha2 + alpha3)",
    "C[3]": "alpha1_dot**2*d3*l1*m3*sin(alpha2 + alpha3)"
    " + d3*l2*m3*(alpha1_dot**2 + alpha2_dot*(2*alpha1_dot + alpha2_dot))*sin(alpha3)",
    "G[1]": "d3*g*m3*cos(alpha1 + alpha2 + alpha3)"
    " + g*(d1*m1 + l1*(m2 + m3))*cos(alpha1) + g*(d2*m2 + l2*m3)*cos(alpha1 + alpha2)",
    "E[2]": "-FS*dS*sin(alpha1 + alpha2 + alpha3) - FS*l2*sin(alpha1 + alpha2)",
}


@cache
def arm() -> Equations:
    return derive(load("three_link_arm"))


def entry(name: str) -> Form:
    block, _, indices = name.rstrip("]").partition("[")
    found = getattr(arm().blocks, block)
    for index in indices.split(","):
        found = found[int(index) - 1]
    return found


@pytest.mark.parametrize(("name", "text"), ARM.items())
def test_entries_of_the_three_link_arm(name: str, text: str) -> None:
    assert python(textbook(entry(name)), arm().mechanism.names) == text


@pytest.mark.parametrize("block", ["M", "C", "G", "E"])
def test_every_entry_is_what_was_derived(block: str) -> None:
    found = getattr(arm().blocks, block)
    for form in itertools.chain(*found) if block == "M" else found:
        assert equal(textbook(form), form.ring.expression(form))


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (sympy.S.Zero, "0"),
        (2 * m * L * cos(x) + 2 * m * d * cos(x), "2*m*(L + d)*cos(x)"),
        (2 * (L + d), "2*(L + d)"),
        (-L * cos(x) - d * cos(x), "-(L + d)*cos(x)"),
        ((L + d) / 3, "(L + d)/3"),
        (m * (2 * u * v + v**2) * sin(x), "m*(2*u(t) + v(t))*v(t)*sin(x)"),
        ((L + d) * (u**2 - v**2) * sin(x), "(L + d)*(u(t)**2 - v(t)**2)*sin(x)"),
        (L * sqrt(d + g) + m * sqrt(d + g), "(L + m)*sqrt(d + g)"),
        ((L + m) / (d + g), "(L + m)/(d + g)"),
    ],
)
def test_a_form_is_factored_and_no_number_is_spread(expr: sympy.Expr, text: str) -> None:
    assert str(textbook(Ring().form(expr))) == text


@pytest.mark.exhaustive
@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(
    st.lists(
        st.builds(
            lambda number, factors, wave: number * sympy.Mul(*factors) * wave,
            st.builds(Rational, st.integers(-6, 6), st.integers(1, 4)),
            st.lists(st.sampled_from([*SYMBOLS, u, v]), max_size=4),
            st.sampled_from([1, cos(x), sin(x - y), cos(2 * x + y / 2), 1 / (d + m)]),
        ),
        max_size=8,
    )
)
def test_the_textbook_form_equals_the_form(terms: list[sympy.Expr]) -> None:
    ring = Ring()
    form = ring.form(sympy.Add(*terms))
    assert not ring.form(textbook(form)) - form
