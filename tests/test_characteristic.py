r"""What a page says of exponents and frequencies, held against its linear equations of motion."""

from __future__ import annotations

from pathlib import Path

import pytest

from formulas_alone import verdicts

DAMPED = (r"m\ddot x + c\dot x + kx = 0", r"m\lambda^2 + c\lambda + k = 0")
ROOTS = r"\lambda_{1,2} = -\frac{c}{2m} \pm \sqrt{\frac{c^2}{4m^2}-\frac{k}{m}}"
TWO = (
    r"m_1\ddot x_1 + (k_1+k_2)x_1 - k_2x_2 = 0",
    r"m_2\ddot x_2 + k_2x_2 - k_2x_1 = 0",
    r"""\begin{pmatrix}k_1+k_2-m_1\omega^2&-k_2\\-k_2&k_2-m_2\omega^2\end{pmatrix}
    \begin{pmatrix}X_1\\X_2\end{pmatrix} = 0""",
    r"m_1m_2\omega^4 - \left[m_1k_2+m_2(k_1+k_2)\right]\omega^2 + k_1k_2 = 0",
)
SQUARES = (*TWO[:2], r"m_1m_2\mu^2 - \left[m_1k_2+m_2(k_1+k_2)\right]\mu + k_1k_2 = 0")
SHAFT = (
    r"J_1\ddot\alpha + k(\alpha - \beta) = 0", r"J_2\ddot\beta + k(\beta - \alpha) = 0",
    r"\Omega = \sqrt{\frac{k(J_1+J_2)}{J_1J_2}}",
)  # fmt: skip
PENDULUM = (
    r"T = \frac12 ml^2\dot\theta^2", r"V = mgl\cos\theta", "L = T - V", r"s^2 - \frac{g}{l} = 0",
)  # fmt: skip
VEHICLE = (
    r"m\dot v = -(C_1+C_2)\frac{v}{u} - mur - (aC_1-bC_2)\frac{r}{u}",
    r"I\dot r = -(aC_1-bC_2)\frac{v}{u} - (a^2C_1+b^2C_2)\frac{r}{u}",
    r"""mIu^2s^2 + u\left[I(C_1+C_2)+m(a^2C_1+b^2C_2)\right]s
    + (a+b)^2C_1C_2 - mu^2(aC_1-bC_2) = 0""",
)


@pytest.mark.parametrize(
    ("formulas", "followed", "by"),
    [
        (DAMPED, "(#2)", ("(#1)",)),
        ((*DAMPED, ROOTS), "(#3, index 2)", ("(#2)",)),
        ((DAMPED[0], ROOTS), "(#2, index 1)", ("(#1)",)),
        (TWO, "(#3)", ("(#1)", "(#2)")),
        (TWO, "(#4)", ("(#1)", "(#2)")),
        (SQUARES, "(#3)", ("(#1)", "(#2)")),
        (SHAFT, "(#3)", ("(#1)", "(#2)")),
        (PENDULUM, "(#4)", ("(#1)", "(#2)", "(#3)")),
        (VEHICLE, "(#3)", ("(#1)", "(#2)")),
    ],
)
def test_what_divides_the_determinant_of_equations_follows_from_them(
    tmp_path: Path, formulas: tuple[str, ...], followed: str, by: tuple[str, ...]
) -> None:
    found = verdicts(tmp_path, formulas)[followed]
    assert (found.status, found.against) == ("consistent", by)


@pytest.mark.parametrize(
    ("formulas", "place", "right", "wrong"),
    [
        (DAMPED, 1, r"\lambda + k", r"\lambda - k"),
        (TWO, 2, r"k_2-m_2\omega^2", r"k_2-m_1\omega^2"),
        (TWO, 3, r"m_1k_2+m_2(", r"m_1k_1+m_2("),
        (SQUARES, 2, r"m_1k_2+m_2(", r"k_2+m_2("),
        (VEHICLE, 2, r"- mu^2(a", r"+ mu^2(a"),
    ],
)
def test_a_misprint_is_told_with_its_repair(
    tmp_path: Path, formulas: tuple[str, ...], place: int, right: str, wrong: str
) -> None:
    printed = [*formulas]
    printed[place] = printed[place].replace(right, wrong)
    found = verdicts(tmp_path, printed)[f"(#{place + 1})"]
    assert found.status == "contradicts"
    assert found.wrong in {"", found.label}  # where one of two may be the misprint
    squeezed = "".join(formulas[place].split())
    assert squeezed in {"".join(one.latex.split()) for one in found.repairs}


@pytest.mark.parametrize(
    "other",
    [
        r"m\lambda^2 + k = 0",  # without damping
        r"m\lambda^2 + b\lambda + k = 0",
        r"\delta = \frac{c}{2m}",
        r"\lambda = \frac{k}{m}",
        r"\lambda^2 = \frac{2k}{m} - \frac{c}{m}",
        r"m\lambda^3 + c\lambda + k = 0",
    ],
)
def test_what_may_be_of_another_case_contradicts_nothing(tmp_path: Path, other: str) -> None:
    found = verdicts(tmp_path, (DAMPED[0], other))
    assert {one.status for one in found.values()} == {"unsupported"}
