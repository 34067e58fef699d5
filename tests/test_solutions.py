r"""What a page prints as a motion in time, put into the equation of motion of its letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from formulas_alone import verdicts

DAMPED = (
    r"m\ddot x + c\dot x + kx = 0",
    r"\delta = \frac{c}{2m}",
    r"\omega_d = \sqrt{\frac{k}{m} - \frac{c^2}{4m^2}}",
    r"x(t) = e^{-\delta t}(A\cos\omega_d t + B\sin\omega_d t)",
)
STANDING = (
    r"\ddot x = \omega_0^2(x - p)",
    r"x(t) = p + (x_0 - p)\cosh\omega_0 t + \frac{v_0}{\omega_0}\sinh\omega_0 t",
)
DRAG = (r"m\dot v = mg - kv^2", r"v(t) = \sqrt{\frac{mg}{k}}\tanh\left(\sqrt{\frac{gk}{m}}t\right)")
DRIVEN = (
    r"\ddot\theta + \omega_0^2\theta = \frac{F}{m}\cos\omega t",
    r"\theta(t) = \frac{F}{m(\omega_0^2 - \omega^2)}\cos\omega t",
)


@pytest.mark.parametrize("formulas", [DAMPED, STANDING, DRAG, DRIVEN])
def test_a_solution_follows_from_its_equation_of_motion(
    tmp_path: Path, formulas: tuple[str, ...]
) -> None:
    *_, found = verdicts(tmp_path, formulas).values()
    assert (found.status, found.against) == ("consistent", ("(#1)",))


@pytest.mark.parametrize(
    ("formulas", "right", "wrong"),
    [
        (STANDING, r"\cosh", r"\cos"),
        (DRIVEN, r"\omega_0^2 - \omega^2", r"\omega_0^2 + \omega^2"),
    ],
)
def test_a_misprint_is_told_with_its_repair(
    tmp_path: Path, formulas: tuple[str, ...], right: str, wrong: str
) -> None:
    printed = formulas[1].replace(right, wrong)
    *_, found = verdicts(tmp_path, (formulas[0], printed)).values()
    assert found.status == "contradicts"
    assert found.repairs


@pytest.mark.parametrize(
    "other",
    [
        r"x(t) = A\cos\omega t",  # of which the page does not say what it is
        r"x(t) = A e^{-t/\tau}",
        r"x(t) = x_0 + v_0 t",
    ],
)
def test_a_motion_with_constants_of_its_own_contradicts_nothing(tmp_path: Path, other: str) -> None:
    found = verdicts(tmp_path, (r"m\ddot x + kx = 0", other))
    assert {one.status for one in found.values()} == {"unsupported"}
