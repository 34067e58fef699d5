"""Whether equations that hold could have failed, and what they are evidence for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import pytest

from freebody.checking.causes.definitions import holds
from freebody.checking.evidence import could_fail, is_evidence
from freebody.checking.meaning.evaluator import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents.latex import Declared, Relation, read_page
from freebody.model import load

MEANINGS = {
    r"\theta": "theta",
    "x": "x",
    "m": "m_p",
    "M": "m_c",
    "l": "l",
    "g": "g",
    "F": "F",
    "a": "m_p*l",
    "P": "position.pole",
    "H": ["x", "theta"],
    r"\phi": "angle.cart + pi",
    "B_{i,j}": "M[i,j]",
    "T": "energy.kinetic",
    "s": "sin(theta)",
}
EQUATION_OF_THE_CART = r"(M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F"


@cache
def symbols() -> Symbols:
    return Symbols(Quantities(load("cart_pendulum")), MEANINGS)


def relation(latex: str) -> Relation:
    (display,) = read_page(f"$${latex}$$", Declared(MEANINGS, symbols().varies))
    (found,) = display.relations
    assert isinstance(found, Relation)
    return found


@pytest.fixture
def judged() -> Callable[[Relation], bool]:
    return partial(holds, symbols())


@pytest.mark.parametrize(
    "latex",
    [
        EQUATION_OF_THE_CART,
        "a = m l",
        "m l = a",
        r"s = \sin\theta",
        r"P = \begin{bmatrix} x + l\sin\theta \\ l\cos\theta \\ 0 \end{bmatrix}",
        r"\dot H = \begin{bmatrix} \dot x \\ \dot\theta \end{bmatrix}",
        "B_{12} = B_{21}",
        "B_{11} = M + m",
        r"\frac{d}{dt}\frac{\partial T}{\partial\dot x} - \frac{\partial T}{\partial x} = F",
    ],
)
def test_what_says_something_could_have_failed(
    judged: Callable[[Relation], bool], latex: str
) -> None:
    assert judged(relation(latex))
    assert could_fail(judged, relation(latex))


@pytest.mark.parametrize(
    "latex",
    [
        "m l = l m",
        r"\dot x = \dot x",
        "x = 2 x - x",
        r"\sin^2\theta + \cos^2\theta = 1",
        r"\sin 2\theta = 2\sin\theta\cos\theta",
        r"\frac{d}{dt}(x^2) = 2 x\dot x",
        r"\frac{\partial}{\partial x}(m x^2) = 2 m x",
        r"\begin{bmatrix} m & l \end{bmatrix}^T = \begin{bmatrix} m \\ l \end{bmatrix}",
        "B_{12} - B_{12} = 0",
    ],
)
def test_what_holds_whatever_its_symbols_mean_says_nothing(
    judged: Callable[[Relation], bool], latex: str
) -> None:
    assert judged(relation(latex))
    assert not could_fail(judged, relation(latex))


@pytest.mark.parametrize("guess", ["x", r"\theta", "m", "M", "l", "F"])
def test_an_equation_of_motion_is_evidence_for_all_that_is_in_it(
    judged: Callable[[Relation], bool], guess: str
) -> None:
    assert is_evidence(judged, relation(EQUATION_OF_THE_CART), guess)


@pytest.mark.parametrize(
    ("latex", "guess"),
    [
        (r"l\ddot\phi = 7 g\sin\phi", r"\phi"),
        (r"\ddot\phi = 7\sin\phi", r"\phi"),
        (r"m x(1 + \cos\phi) = 0", r"\phi"),
        (r"m x + m x\cos\phi = 0", r"\phi"),
        (r"(1 + \cos\phi) m x = l\sin\phi", "m"),
        (r"m l(s - \sin\theta) = 0", "m"),
        (r"x\sin^2\theta + x\cos^2\theta = x", r"\theta"),
        (r"\begin{bmatrix} l\ddot\phi \\ \dot\phi \end{bmatrix} = 0", r"\phi"),
    ],
)
def test_what_makes_both_sides_vanish_or_does_not_matter_is_not_borne_out(
    judged: Callable[[Relation], bool], latex: str, guess: str
) -> None:
    assert judged(relation(latex))
    assert not is_evidence(judged, relation(latex), guess)


def test_a_definition_and_its_repetition_do_not_prove_each_other(
    judged: Callable[[Relation], bool],
) -> None:
    definitions = {"a": relation("m l = a").left}
    for latex in ("a = m l", "2 l m = 2 a", r"a\dot x = l m\dot x"):
        assert judged(relation(latex))
        for guess in ("a", "m", "l"):
            assert not is_evidence(judged, relation(latex), guess, definitions)
        assert not could_fail(judged, relation(latex), definitions)


def test_what_is_defined_is_borne_out_where_mechanics_say_the_same(
    judged: Callable[[Relation], bool],
) -> None:
    definitions = {"a": relation("m l = a").left}
    equation = relation(EQUATION_OF_THE_CART.replace("m l", "a"))
    for guess in ("a", "M", "x"):
        assert is_evidence(judged, equation, guess, definitions)
    assert is_evidence(judged, relation(r"B_{12} = a\cos\theta"), "a", definitions)


def test_rates_of_what_is_defined_are_those_of_its_definition(
    judged: Callable[[Relation], bool],
) -> None:
    definitions = {"s": relation(r"s = \sin\theta").right}
    repeated = relation(r"\dot s = \dot\theta\cos\theta")
    assert judged(repeated)
    assert not could_fail(judged, repeated, definitions)
    assert could_fail(judged, repeated)
