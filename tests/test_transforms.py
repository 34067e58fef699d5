r"""Laplace transforms on a page, held against each other and against equations of motion."""

from __future__ import annotations

from pathlib import Path

import pytest

from formulas_alone import verdicts

PENDULUM = (
    r"(M+m)\ddot x + b\dot x - m l\ddot\phi = u",
    r"(I + m l^2)\ddot\phi - m g l\phi = m l\ddot x",
    r"(I + m l^2)\Phi(s) s^2 - m g l\Phi(s) = m l X(s) s^2",
    r"(M+m) X(s) s^2 + b X(s) s - m l\Phi(s) s^2 = U(s)",
    r"X(s) = \left[\frac{I + m l^2}{m l} - \frac{g}{s^2}\right]\Phi(s)",
    r"q = (M+m)(I + m l^2) - (m l)^2",
    r"""P(s) = \frac{\Phi(s)}{U(s)} = \frac{\frac{ml}{q} s}{s^3 + \frac{b(I + m l^2)}{q} s^2
    - \frac{(M+m) m g l}{q} s - \frac{b m g l}{q}} \qquad [\frac{rad}{N}]""",
)
MOTOR = (
    r"J\ddot\theta + b\dot\theta = K i",
    r"L\frac{di}{dt} + R i = v - K\dot\theta",
    r"G(s) = \frac{\dot\Theta(s)}{V(s)} = \frac{K}{(J s + b)(L s + R) + K^2}",
    r"E(s) = \Theta_r(s) - \Theta(s), \quad V(s) = C(s) E(s), \quad C(s) = k_p + k_d s",
    r"\frac{\Theta(s)}{\Theta_r(s)} = \frac{C(s) G(s)}{s + C(s) G(s)}",
)
SPRING = (
    r"m\ddot x + c\dot x + k x = f",
    r"H(p) = \frac{X(p)}{F(p)} = \frac{1}{m p^2 + c p + k}",
    r"H(p) = \frac{K\omega_0^2}{p^2 + 2\xi\omega_0 p + \omega_0^2}",
    r"\omega_0 = \sqrt{\frac{k}{m}}, \quad \xi = \frac{c}{2\sqrt{k m}}, \quad K = \frac1k",
)
ROTOR = (
    r"I\ddot\theta + c\dot\theta + k\theta = \tau",
    r"\theta(s) = \frac{\tau(s)}{I s^2 + c s + k}",
)


WORDS = "The Laplace transform."


@pytest.mark.parametrize(
    ("formulas", "labels"),
    [
        (PENDULUM, {"(#1)", "(#2)", "(#3)", "(#4)", "(#5)", "(#7.2)"}),
        (MOTOR, {"(#3.2)", "(#5)"}),
        (SPRING, {"(#1)", "(#2.2)", "(#3)"}),
        (ROTOR, {"(#1)", "(#2)"}),
    ],
    ids=["pendulum", "motor", "spring", "rotor"],
)
def test_transforms_follow(tmp_path: Path, formulas: tuple[str, ...], labels: set[str]) -> None:
    found = verdicts(tmp_path, formulas, WORDS)
    assert {label for label, one in found.items() if one.status == "consistent"} >= labels
    assert not any(one.status == "contradicts" for one in found.values())


@pytest.mark.one_in(2)
@pytest.mark.exhaustive("sign", "power", "spring")
@pytest.mark.parametrize(
    ("formulas", "place", "printed", "wrong"),
    [
        (PENDULUM, 1, r"- m g l\phi", r"+ m g l\phi"),
        (PENDULUM, 3, r"- m l\Phi(s) s^2", r"+ m l\Phi(s) s^2"),
        (PENDULUM, 6, r"- \frac{b m g l}", r"+ \frac{b m g l}"),
        (PENDULUM, 6, r"\frac{b(I + m l^2)}", r"\frac{b(I + m l)}"),
        (MOTOR, 2, r"+ K^2", r"- K^2"),
        (SPRING, 1, r"m p^2 + c p", r"m p^2 + c p^2"),
        (ROTOR, 1, r"+ c s", r"- c s"),
    ],
    ids=["motion", "transform", "sign", "power", "motor", "spring", "rotor"],
)
def test_a_misprint_is_told_with_its_repair(
    tmp_path: Path, formulas: tuple[str, ...], place: int, printed: str, wrong: str
) -> None:
    right = formulas[place]
    changed = right.replace(printed, wrong)
    assert changed != right
    found = verdicts(tmp_path, (*formulas[:place], changed, *formulas[place + 1 :]), WORDS)
    against = [one for one in found.values() if one.status == "contradicts"]
    repairs = {"".join(x.latex.split()) for one in against for x in one.repairs}
    assert any(one in "".join(right.split()) for one in repairs)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "other",
    [
        r"\frac{X(s)}{F(s)} = \frac{1}{m s^2}",
        r"\frac{X(s)}{F(s)} = \frac{s}{m s^2 + c s + k + k_p}",
        r"F(s) = \frac{1}{s}",
        r"X(s) = \frac{1}{s(m s^2 + c s + k)}",
        r"\frac{X(s)}{Y(s)} = \frac{c s + k}{m s^2 + c s + k}",
        r"(m s^2 + c s + k) X(s) = 0",
        r"m(s^2 X(s) - s x(0)) + k X(s) = 0",
    ],
)
def test_another_case_contradicts_nothing(tmp_path: Path, other: str) -> None:
    found = verdicts(
        tmp_path, (SPRING[0], r"\frac{X(s)}{F(s)} = \frac{1}{m s^2 + c s + k}", other), WORDS
    )
    assert not any(one.status == "contradicts" for one in found.values())


def test_an_arc_is_no_transform(tmp_path: Path) -> None:
    curve = (r"T(s) = \frac{d r(s)}{d s}", r"\frac{X(s)}{F(s)} = 2 s", r"\frac{X(s)}{F(s)} = 3 s")
    found = verdicts(tmp_path, curve, "A curve.")
    assert not any(one.status == "contradicts" for one in found.values())


@pytest.mark.exhaustive
def test_what_follows_from_a_misprint_does_not_bear_it_out(tmp_path: Path) -> None:
    wrong = r"\frac{X(s)}{U(s)} = \frac{(I + m l^2) s^2 + m g l}{q s^4}"
    carried_on = (
        r"\frac{\Phi(s)}{U(s)} = \frac{m l s^2}{(I + m l^2) s^2 - m g l}\cdot"
        r"\frac{(I + m l^2) s^2 + m g l}{q s^4}"
    )
    before = (
        r"(I + m l^2)\Phi(s) s^2 - m g l\Phi(s) = m l X(s) s^2",
        r"\left(\frac{q s^4}{(I + m l^2) s^2 - m g l}\right) X(s) = U(s)",
        r"q s^4 X(s) = ((I + m l^2) s^2 - m g l) U(s)",
    )
    found = verdicts(tmp_path, (*before, wrong, carried_on), WORDS)
    told_of = {one.wrong for one in found.values() if one.status == "contradicts"}
    assert told_of == {"(#4)", "(#5)"}
    (repair,) = found["(#4)"].repairs
    assert r"s^2 - m g l}{q s^4}" in repair.latex
