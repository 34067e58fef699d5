"""Steps of derivations, A = B = C, and arithmetic: they are held against their own other side."""

from __future__ import annotations

from pathlib import Path

import pytest

from formulas_alone import verdicts


@pytest.mark.parametrize(
    ("printed", "status"),
    [
        (r"1.043431 + (1.175043\times 10^{-3})(5.8394) = 1.5029", "contradicts"),
        (r"1.043431 + (1.175043\times 10^{-3})(5.8394) = 1.0503", "consistent"),
        (r"\frac{6700}{7.15014\times 10^6} = 0.937045\times 10^{-3}", "consistent"),
        (r"2\pi\sqrt{\frac{1}{9.81}} = 4.006", "contradicts"),
        (r"\frac{\pi}{6} = 0.52", "consistent"),
        (r"1.0203 - 1.0198 = 0.0012", "unsupported"),
        (r"(1.02 - 0.99)\cdot 50 = 1.52", "unsupported"),
        (r"60\cdot 3.6 = 216000", "unsupported"),
        (r"\frac{\Gamma(\frac14)}{\Gamma(\frac34)} \approx 2.95867512", "unsupported"),
    ],
)
def test_arithmetic_is_worked_out_to_the_digits(tmp_path: Path, printed: str, status: str) -> None:
    told = verdicts(tmp_path, [printed])["(#1)"]
    assert told.status == status, str(told)


BALANCES = (
    r"0 = - I\ddot\theta + T R - m_1 R^2\ddot\theta - m_1 R g",
    r"0 = T - m_2 g + m_2 R\ddot\theta - m_3 g + m_3 R\ddot\theta",
)
"""Of a drum from which two masses hang on one side, and one on the other."""
STEPS = (
    r"\begin{aligned} 0 &= - I\ddot\theta + T R - m_1 R^2\ddot\theta - m_1 R g = \\ "
    r"&= - I\ddot\theta + (m_2 g - m_2 R\ddot\theta + m_3 g - m_3 R\ddot\theta) R"
    r" - m_1 R^2\ddot\theta - m_1 R g = \\ "
    r"&= - \ddot\theta ( I + ( %s ) R^2 ) + ( m_2 + m_3 - m_1 ) R g \end{aligned}"
)


@pytest.mark.exhaustive
def test_a_step_that_loses_a_letter_of_a_sum_is_mended(tmp_path: Path) -> None:
    told = verdicts(tmp_path, [*BALANCES, STEPS % "m_1 + m_2"])["(#3.3)"]
    assert told.status == "contradicts"
    assert told.wrong == "(#3.3)"
    assert [one.edits[0].proposed.strip() for one in told.repairs] == ["+ m_3"]


def test_steps_between_doubled_signs_follow(tmp_path: Path) -> None:
    told = verdicts(tmp_path, [*BALANCES, STEPS % "m_1 + m_2 + m_3"])
    assert {one.status for one in told.values()} == {"consistent"}


def test_numbers_to_sums_are_powers_of_their_terms(tmp_path: Path) -> None:
    steps = (
        r"a_n = g\left(-1 + \frac{1}{2^{n-1}}\right) - g\left(-1 + \frac{1}{2^n}\right)"
        r" = \frac{g}{2^n} = g\left(\frac{1}{2}\right)^n"
    )
    told = verdicts(tmp_path, [steps])
    assert [one.status for one in told.values()][1:] == ["consistent", "consistent"]


ARM = (
    r"v_{ax} = -l\dot\theta\sin\theta",
    r"v_{ay} = \dot y + l\dot\theta\cos\theta",
    r"T = \frac12 m_a v_a^2 + \frac12 I %s^2",
    *(
        rf"T = \frac12 m_a ({one}) + \frac12 I\dot\theta^2"
        for one in (
            r"(-l\dot\theta\sin\theta)^2 + (\dot y + l\dot\theta\cos\theta)^2",
            r"\dot y^2 + 2\dot y l\dot\theta\cos\theta + l^2\dot\theta^2",
        )
    ),
)


@pytest.mark.exhaustive
def test_a_speed_has_the_components_that_are_printed(tmp_path: Path) -> None:
    right = [one % r"\dot\theta" if "%s" in one else one for one in ARM]
    told = verdicts(tmp_path, right)
    assert told["(#4)"].status == told["(#5)"].status == "consistent"
    wrong = verdicts(tmp_path, [one % r"\theta" if "%s" in one else one for one in ARM])
    assert wrong["(#3)"].wrong == "(#3)"
    assert [one.edits[0].kind for one in wrong["(#3)"].repairs] == ["dot"]


def test_a_misprint_is_told_of_the_side_that_the_step_before_leaves_open(tmp_path: Path) -> None:
    steps = (
        r"\begin{aligned} T &= M\left(\frac{m}{M}\right)^2 (\dot x + \dot y)^2"
        r" = M\frac{m^2}{M} (\dot x + \dot y)^2"
        r" = \frac{m^2}{M} (\dot x^2 + \dot y^2 + 2\dot x\dot y) \end{aligned}"
    )
    told = verdicts(tmp_path, [steps])["(#1.3)"]
    assert told.status == "contradicts"
    assert [one.edits[0].kind for one in told.repairs] == ["power"]


def test_what_is_crossed_may_be_columns_in_any_font(tmp_path: Path) -> None:
    told = verdicts(tmp_path, [r"\hat{x}y = x\times y = -y\times x = -\hat{y}x"])
    assert {one.status for one in told.values()} == {"unsupported"}


def test_a_step_of_constants_that_ends_what_a_letter_is_must_hold_by_itself(
    tmp_path: Path,
) -> None:
    words = "If one takes $\\omega^2 = k_2/m_2$, it stays."
    formulas = (
        r"x = \frac{F}{\Delta}",
        (
            r"\Delta = (k_1 + k_2 - m_1\omega^2)(k_2 - m_2\omega^2) - k_2^2"
            r" = m_1 m_2\omega^4 - \left[m_1 k_2 + m_2 (k_1 + k_2)\right]\omega^2 + k_1 k_2"
        ),
    )
    assert verdicts(tmp_path, formulas, words)["(#2.2)"].status == "consistent"
    wrong = formulas[1].replace("m_1 k_2 + m_2", "m_1 k_1 + m_2")
    found = verdicts(tmp_path, (formulas[0], wrong), words)["(#2.2)"]
    assert (found.status, found.wrong) == ("contradicts", "(#2.2)")


def test_a_determinant_is_what_its_matrix_makes_it(tmp_path: Path) -> None:
    formulas = (
        r"A = \begin{pmatrix} -a & 1 \\ b & -c \end{pmatrix}",
        r"\det A = a c - b",
    )
    assert verdicts(tmp_path, formulas)["(#2)"].status == "consistent"
    found = verdicts(tmp_path, (formulas[0], formulas[1].replace("- b", "+ b")))["(#2)"]
    assert found.status == "contradicts"
