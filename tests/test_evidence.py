"""Whether equations that hold could have failed, and what they are evidence for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import permutations
from pathlib import Path

import pytest

from freebody.checking import check
from freebody.checking.causes.definitions import holds
from freebody.checking.evidence import could_fail
from freebody.checking.meaning.symbols import Symbols
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
    assert could_fail(judged, relation(EQUATION_OF_THE_CART), {guess})


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
    assert not could_fail(judged, relation(latex), {guess})


def test_a_definition_and_its_repetition_do_not_prove_each_other(
    judged: Callable[[Relation], bool],
) -> None:
    definitions = {"a": relation("m l = a").left}
    for latex in ("a = m l", "2 l m = 2 a", r"a\dot x = l m\dot x"):
        assert judged(relation(latex))
        for guess in ("a", "m", "l"):
            assert not could_fail(judged, relation(latex), {guess}, definitions)
        assert not could_fail(judged, relation(latex), definitions=definitions)


def test_what_is_defined_is_borne_out_where_mechanics_say_the_same(
    judged: Callable[[Relation], bool],
) -> None:
    definitions = {"a": relation("m l = a").left}
    equation = relation(EQUATION_OF_THE_CART.replace("m l", "a"))
    for guess in ("a", "M", "x"):
        assert could_fail(judged, equation, {guess}, definitions)
    assert could_fail(judged, relation(r"B_{12} = a\cos\theta"), {"a"}, definitions)


def test_rates_of_what_is_defined_are_those_of_its_definition(
    judged: Callable[[Relation], bool],
) -> None:
    definitions = {"s": relation(r"s = \sin\theta").right}
    repeated = relation(r"\dot s = \dot\theta\cos\theta")
    assert judged(repeated)
    assert not could_fail(judged, repeated, definitions=definitions)
    assert could_fail(judged, repeated)


# ---------------------------------------------------------------------- pages

VACUOUS = [
    (r"$$l\ddot\theta = 7 g\sin\theta$$ $$l\ddot\theta + 3 g\sin\theta = 0$$", "cart_pendulum"),
    (r"$$\ddot\theta = 7\sin\theta$$ $$\dot\theta^2 = \sin 2\theta$$", "pendulum"),
    (r"$$L_1\ddot q_2 = g\sin q_2$$ $$m_2\dot q_2 = m_1\dot q_2^2\tan q_2$$", "two_link"),
    (r"$$m_p = 7 m_c$$ $$l = 3 x$$", "cart_pendulum"),
    (r"$$L_2 = 2 L_1$$ $$L_2 = 2 d_1$$", "two_link"),
]


@pytest.mark.parametrize(("page", "model"), VACUOUS)
def test_a_page_of_wrong_equations_is_graded_as_that(tmp_path: Path, page: str, model: str) -> None:
    path = tmp_path / "page.md"
    path.write_text(page)
    (report,) = check(path, against=model).documents
    assert "holds" not in {one.status for one in report.equations}
    assert not report.definitions


@pytest.mark.parametrize("page", [page for page, model in VACUOUS if model == "cart_pendulum"])
def test_no_meaning_is_proposed_that_makes_both_sides_vanish(tmp_path: Path, page: str) -> None:
    symbols = "\n".join(f"'{key}' = \"{name}\"" for key, name in OWN_NAMES.items())
    path = tmp_path / "page.md"
    path.write_text(f'+++\ntitle = ""\nmodel = "cart_pendulum"\n[symbols]\n{symbols}\n+++\n{page}')
    (report,) = check(path).documents
    assert [one.status for one in report.equations] == ["differs", "differs"]
    assert not report.definitions


OWN_NAMES = {r"\theta": "theta", "x": "x", "m_p": "m_p", "m_c": "m_c", "l": "l", "g": "g"}

UNDECLARED = [
    r"\frac{dH}{dt} = 0",
    r"m\ddot{x}_i = F",
    r"F = L_1 m",
    r"F = \ddot{x}_i",
    r"\frac{\partial H}{\partial\theta} = F",
    r"\dot{\mathbf{p}}_k = \sqrt{b}",
    r"F = \begin{bmatrix} a_1 & a_2 \end{bmatrix} c",
    r"\sin\beta = \cos\dot\beta_{12}",
    r"F = m\,\mathrm{COG}_x",
]


@pytest.mark.parametrize(
    ("one", "other"), [pair for pair in permutations(UNDECLARED, 2) if pair[0] < pair[1]]
)
def test_names_that_are_not_declared_are_told_in_any_company(
    one: str, other: str, tmp_path: Path
) -> None:
    symbols = "'m' = \"m_p\"\n'F' = \"F\"\n'x' = \"x\"\n'\\theta' = \"theta\""
    path = tmp_path / "page.md"
    path.write_text(
        f'+++\ntitle = ""\nmodel = "cart_pendulum"\n[symbols]\n{symbols}\n+++\n'
        f"$${one}$$\n\n$${other}$$"
    )
    (report,) = check(path).documents
    assert {equation.status for equation in report.equations} == {"unreadable"}
    assert report.undeclared


def test_no_undeclared_name_is_read_so_that_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(
        '+++\ntitle = ""\nmodel = "cart_pendulum"\n[symbols]\n\'m\' = "m_p"\n\'l\' = "l"\n+++\n'
        "$$m l_q = m l$$"
    )
    (equation,) = check(path).documents[0].equations
    assert not equation.repairs
