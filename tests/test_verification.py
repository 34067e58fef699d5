"""Programs whose roots and comparisons are of numbers are verified as others are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import pytest
import sympy

import freebody
from freebody.algebra.prime import PRIME
from freebody.algebra.reals import DIGITS, RealPoint
from freebody.errors import ProgramError
from freebody.model import loads
from freebody.programs import write_code
from freebody.programs.verification import Verification
from freebody.programs.workspace import Workspace

OUTPUTS = ("rhs", "mass_matrix", "forcing", "inverse_dynamics", "reactions")
TWO_PINS = """
title   = "Two bodies on pins about any axes"
gravity = [0.3, "-g", -1]

[coordinates]
q = {{ title = "first angle", unit = "rad" }}
r = {{ title = "second angle", unit = "rad" }}

[constants]
m = {{ title = "mass", unit = "kg", value = 1 }}
g = {{ title = "gravity", unit = "m/s**2", value = 9.81 }}
l = {{ title = "length", unit = "m", value = 1 }}
c = {{ title = "component of an axis", unit = "1", value = -0.7 }}

[[bodies]]
name = "first"
mass = "m*(1 + c**2)"
center_of_mass = ["l", 0.5, 0.3]
inertia = [0.92, 1, 0.94]

[[bodies]]
name = "second"
mass = "2*m"
center_of_mass = [0.1, 0.2, 0.3]
inertia = [0.02, 0.03, 0.04]

[[joints]]
name = "one"
type = "pin"
parent = "ground"
child = "first"
axis = {one}
angle = "q"

[[joints]]
name = "two"
type = "pin"
parent = "first"
child = "second"
at = [0.1, 0.2, 0.5]
axis = {two}
angle = "r"
{more}
"""
CONTACT = """
[[contacts]]
name = "foot"
on = "first"
at = {at}
normal = {normal}
height = 0.02
stiffness = 1e4
dissipation = 1
friction = 0.5
smoothing = 0.01
"""
SPRING = """
[[springs]]
between = [{ on = "ground", at = [1, 2, 3] }, { on = "first", at = [0.2, 0.4, 0.6] }]
stiffness = 100
rest = "l*(sqrt(7) + Abs(c))"
"""
X, Z = "[1, 0, 0]", "[0, 0, 1]"
MODELS = {
    "whole numbers": ("[1, 2, 3]", Z, ""),
    "both oblique": ("[1, 2, 3]", "[1, 1, 1]", ""),
    "roots of 19 and 23": ("[1, 3, 3]", "[3, 3, 2.2360]", ""),
    "roots of large primes": ("[1, 10, 2]", "[0.123, 0.456, 0.789]", ""),
    "a root in an axis": ('["sqrt(2)", "sqrt(3)", "sqrt(109)"]', "[0, 1, 1]", ""),
    "a constant in an axis": ('["c", 1, 0]', '[1, "c", "2*c"]', ""),
    "a contact of constant depth": (Z, X, CONTACT.format(at=[0, 0, 0], normal=[0, 1, 0])),
    "its plane is oblique": (Z, X, CONTACT.format(at=[0, 0, 0], normal=[1, 10, 2])),
    "a contact on an axis": ("[1, 2, 3]", X, CONTACT.format(at=[1, 2, 3], normal=[3, 2, 1])),
    "a spring of constant length": ("[1, 2, 3]", "[1, 0, 4]", SPRING),
}


@cache
def mechanism(name: str) -> freebody.mechanics.Mechanism:
    one, two, more = MODELS[name]
    return freebody.mechanism(loads(TWO_PINS.format(one=one, two=two, more=more)))


@pytest.mark.few(*[*MODELS][1::3])
@pytest.mark.each_once
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("name", MODELS)
def test_every_output_is_verified(name: str, output: str) -> None:
    assert write_code(mechanism(name), [output])[output].operations > 0


@pytest.mark.one_in(3)
@pytest.mark.few(*[*MODELS][::3])
@pytest.mark.parametrize("name", MODELS)
def test_what_is_wrong_is_not_verified(name: str) -> None:
    moving = mechanism(name)
    code, workspace = write_code(moving, ["forcing"])["forcing"], Workspace(moving)
    (first, second), count = code.results, len(code.entries) + len(code.steps)
    more = ("number", Fraction("1.000001")), ("mul", second, count)
    wrong = replace(code, steps=(*code.steps, *more), results=(first, count + 1))
    with pytest.raises(ProgramError, match="'forcing' differs from the balances"):
        Verification(moving, workspace.groups).verify(wrong)


@pytest.mark.parametrize("prime", tuple(sympy.primerange(104)))
def test_the_roots_of_small_primes_are_in_the_field(prime: int) -> None:
    assert sympy.sqrt_mod(prime, PRIME) is not None
    assert sympy.sqrt_mod(-prime, PRIME) is not None


x, y = sympy.symbols("x y", positive=True)


@pytest.mark.parametrize(
    "difference",
    [
        sympy.sqrt(x) * sympy.sqrt(y) - sympy.sqrt(x * y, evaluate=False),
        sympy.Max(x, -y) - x,
        sympy.exp(x) * sympy.exp(y, evaluate=False) - sympy.exp(x + y),
        sympy.Piecewise((x, x > -y), (y, True)) - x,
        sympy.sqrt((x - 3) ** 2, evaluate=False) - 3 + x,
        sympy.cosh(x) ** 2 - sympy.sinh(x) ** 2 - 1,
        sympy.tan(x) - sympy.sin(x) / sympy.cos(x),
        sympy.sqrt(3 + 2 * sympy.sqrt(2)) - 1 - sympy.sqrt(2),
    ],
)
def test_real_points_know_roots_and_comparisons(difference: sympy.Expr) -> None:
    with mpmath.workdps(DIGITS):
        zero, more = RealPoint(1).values([difference, difference + x / 10**9])
        assert not zero
        assert more


def test_real_points_carry_derivatives() -> None:
    with mpmath.workdps(DIGITS):
        (moved,) = RealPoint(1).moved({x: 1}, {y: 1}).values([sympy.sqrt(x * y) * sympy.log(x)])
        slope = sympy.diff(sympy.sqrt(x * y) * sympy.log(x), x)
        (by_x, both) = RealPoint(1).values([slope, slope.diff(y)])
        assert not moved.parts[1] - by_x
        assert not moved.parts[3] - both
