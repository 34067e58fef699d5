"""Misprints in what follows by elimination, on pages that print no energies."""

from __future__ import annotations

from pathlib import Path

import pytest

from formulas_alone import verdicts

CART = (
    r"(M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = u",
    r"l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0",
    r"D(\theta) = (M+m) - m\cos^2\theta",
    r"\ddot x = \frac{u + m l\dot\theta^2\sin\theta - m g\sin\theta\cos\theta}{D(\theta)}",
    r"""\ddot\theta = \frac{-u\cos\theta - m l\dot\theta^2\sin\theta\cos\theta + (M+m) g\sin\theta}
    {l D(\theta)}""",
    r"D = \begin{bmatrix} 0 \\ 0 \end{bmatrix}",
)
CAR = (
    r"m_1\ddot z_1 + c_1(\dot z_1 - \dot z_2) + k_1(z_1 - z_2) = 0",
    r"""m_2\ddot z_2 + c_1(\dot z_2 - \dot z_1) + c_2(\dot z_2 - \dot h) + k_1(z_2 - z_1)
    + k_2(z_2 - h) = 0""",
    r"\frac{d\mathbf{v}}{dt} = \mathbf{A}\mathbf{v} + \mathbf{g}(t)",
    r"\mathbf{v} = \[z_1, z_2, \dot z_1, \dot z_2\]^T",
    r"""A = \begin{bmatrix} 0 & 0 & 1 & 0 \\ 0 & 0 & 0 & 1 \\
    -\frac{k_1}{m_1} & \frac{k_1}{m_1} & -\frac{c_1}{m_1} & \frac{c_1}{m_1} \\
    \frac{k_1}{m_2} & -\frac{k_1+k_2}{m_2} & \frac{c_1}{m_2} & -\frac{c_1+c_2}{m_2}
    \end{bmatrix}""",
    r"""\mathbf{g}(t) = \begin{bmatrix} 0 \\ 0 \\ 0 \\
    \frac{c_2\frac{dh(t)}{dt} + k_2 h(t)}{m_2} \end{bmatrix}""",
)
ROTOR = (
    r"m\ddot x = -\sin\theta(u_1 + u_2)",
    r"m\ddot y = \cos\theta(u_1 + u_2) - m g",
    r"I\ddot\theta = a(u_1 - u_2)",
    r"x = \begin{bmatrix} x \\ y \\ \theta \\ \dot x \\ \dot y \\ \dot\theta \end{bmatrix}",
    r"""\dot x = \begin{bmatrix} \dot x \\ \dot y \\ \dot\theta \\ -\frac1m\sin\theta(u_1 + u_2) \\
    \frac1m\cos\theta(u_1 + u_2) - g \\ \frac aI(u_1 - u_2) \end{bmatrix}""",
)
WHEEL = (
    r"(M + m)\ddot x + \frac{k_m k_e}{r}\dot x + m l\ddot\theta\cos\theta = \frac{k_m}{r} V",
    r"M\ddot x = \frac{k_m}{r} V - \frac{k_m k_e}{r}\dot x - m\ddot x - m l\ddot\theta\cos\theta",
)
VEHICLE = (
    r"m(\dot v_y + v_x r) = F_{yf} + F_{yr}",
    r"I_z\dot r = l_f F_{yf} - l_r F_{yr}",
    r"F_{yf} = -C_f\left(\frac{v_y + l_f r}{v_x} - \delta\right)",
    r"F_{yr} = -C_r\frac{v_y - l_r r}{v_x}",
    r"""\begin{bmatrix}\dot v_y\\ \dot\psi\\ \dot r\end{bmatrix} = \begin{bmatrix}
    -\frac{C_f + C_r}{m v_x} & 0 & \frac{l_r C_r - l_f C_f}{m v_x} - v_x \\ 0 & 0 & 1 \\
    \frac{l_r C_r - l_f C_f}{I_z v_x} & 0 & -\frac{l_f^2 C_f + l_r^2 C_r}{I_z v_x}\end{bmatrix}
    \begin{bmatrix} v_y\\ \psi\\ r\end{bmatrix}
    + \begin{bmatrix} \frac{C_f}{m}\\ 0\\ \frac{l_f C_f}{I_z}\end{bmatrix}\delta""",
    r"\dot\psi = r",
)
BODY = (
    r"I_x\dot p = (I_y - I_z) q r + \tau_x",
    r"I_y\dot q = (I_z - I_x) p r + \tau_y",
    r"\dot p = \frac{I_y - I_z}{I_x} q r + \frac{\tau_x}{I_x}",
    r"\dot q = \frac{I_z - I_x}{I_y} p r + \frac{\tau_y}{I_y}",
)
BESIDE = (r"M(q)\ddot q + C(q, \dot q)\dot q = \tau", *CART[:5])


def told(folder: Path, formulas: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the repairs of what contradicts others, without blanks and braces, by labels."""
    return {
        label: {plain(repair.latex) for repair in one.repairs}
        for label, one in verdicts(folder, formulas).items()
        if one.status == "contradicts"
    }


def plain(latex: str) -> str:
    return "".join(latex.split()).replace("{", "").replace("}", "")


@pytest.mark.parametrize("formulas", [CART, CAR, ROTOR, WHEEL, VEHICLE, BODY, BESIDE])
def test_what_follows_contradicts_nothing(tmp_path: Path, formulas: tuple[str, ...]) -> None:
    assert not told(tmp_path, formulas)


@pytest.mark.exhaustive(
    "another sign", "a sum in a matrix", "a column", "a lost rate", "a car", "beside matrices"
)
@pytest.mark.parametrize(
    ("formulas", "place", "printed", "misprinted"),
    [
        (CART, 4, r"-u\cos\theta", r"u\cos\theta"),
        (CART, 3, r"- m g\sin", r"+ m g\sin"),
        (CAR, 4, r"& \frac{c_1}{m_1} \\", r"& -\frac{c_1}{m_1} \\"),
        (CAR, 4, r"-\frac{k_1+k_2}{m_2}", r"-\frac{k_1-k_2}{m_2}"),
        (ROTOR, 4, r"- g \\", r"- m g \\"),
        (WHEEL, 1, r"{r}\dot x - m", r"{r} - m"),
        (VEHICLE, 4, r"{m v_x} - v_x", r"{m v_x} + v_x"),
        (BODY, 3, r"{I_y} p r +", r"{I_y} p r -"),
        (BESIDE, 5, r"-u\cos\theta", r"u\cos\theta"),
    ],
    ids=["a sign", "another sign", "a matrix", "a sum in a matrix", "a column", "a lost rate",
         "a car", "a body", "beside matrices"],
)  # fmt: skip
def test_a_misprint_is_told_with_its_repair(
    tmp_path: Path, formulas: tuple[str, ...], place: int, printed: str, misprinted: str
) -> None:
    right = formulas[place]
    changed = right.replace(printed, misprinted)
    assert changed != right
    found = told(tmp_path, (*formulas[:place], changed, *formulas[place + 1 :]))
    turned = (r"\dotx\frack_mk_er", r"\frack_mk_er\dotx")
    repairs = {one.replace(*turned) for every in found.values() for one in every}
    assert plain(right) in repairs


SOLVED = (
    r"(M + m)\ddot x - m l\ddot\theta\cos\theta + m l\dot\theta^2\sin\theta = F",
    r"l\ddot\theta = \ddot x\cos\theta + g\sin\theta",
    r"(M + m - m\cos^2\theta)\ddot x + m l\dot\theta^2\sin\theta - m g\cos\theta\sin\theta = F",
)
TURNED = r"""\ddot x = \frac{F + m l\dot\theta^2\sin\theta - m g\cos\theta\sin\theta}
    {M + m - m\cos^2\theta}"""


def test_what_is_brought_across_with_its_sign_is_told_where_it_is_copied(tmp_path: Path) -> None:
    formulas = (*SOLVED, TURNED, TURNED.replace(r"\ddot x", r"\dot v"), r"v = \dot x")
    found = told(tmp_path, formulas)
    assert set(found) == {"(#4)", "(#5)"}
    for repairs in found.values():
        assert any(r"F-ml\dot\theta^2\sin\theta+mg" in one for one in repairs)


def test_a_distance_is_what_its_square_is(tmp_path: Path) -> None:
    square = r"r_{12}^2 = r_1^2 + r_2^2 - 2 r_1 r_2\cos(\theta_2 - \theta_1)"
    energy = r"L = \frac12 m r_1^2\dot\theta_1^2 + \frac12 m r_2^2\dot\theta_2^2 + \frac{k}{r_{12}}"
    right = r"""\frac{\partial r_{12}}{\partial\theta_1} =
        -\frac{r_1 r_2\sin(\theta_2 - \theta_1)}{r_{12}}"""
    law = r"m r_1^2\ddot\theta_1 = \frac{k r_1 r_2\sin(\theta_2 - \theta_1)}{r_{12}^3}"
    assert not told(tmp_path, (energy, square, right, law))
    (repairs,) = told(tmp_path, (energy, square, right, law.replace("= ", "= -"))).values()
    assert plain(law) in repairs


def test_roots_that_a_field_has_not_accuse_nothing(tmp_path: Path) -> None:
    mass = r"m = \frac{m_0}{\sqrt{1 - \frac{v^2}{c^2}}}"
    energy = r"L = \frac12 m\dot x^2 - \frac12 k x^2"
    laws = (r"m\ddot x + k x = 0", r"\ddot x + \frac{k}{m} x = 0", r"\ddot x + \omega^2 x = 0")
    for speed in ("v", "w", "u", "s", "V"):
        formulas = (mass.replace("v", speed), energy, *laws, r"\omega = \sqrt{\frac{k}{m}}")
        assert not told(tmp_path, formulas)


COLUMNS = (
    r"\zeta = \begin{bmatrix} x \\ y \end{bmatrix}",
    r"\nu = \begin{bmatrix} u \\ v \end{bmatrix}",
    r"R = \begin{bmatrix} \cos\psi & -\sin\psi \\ \sin\psi & \cos\psi \end{bmatrix}",
    r"\dot\zeta = R\,\nu",
    r"\dot x = u\cos\psi - v\sin\psi",
    r"\dot y = u\sin\psi + v\cos\psi",
    r"\dot\psi = r",
)


def test_rows_follow_from_the_equation_of_columns(tmp_path: Path) -> None:
    found = verdicts(tmp_path, COLUMNS)
    assert {found[label].status for label in ("(#5)", "(#6)")} == {"consistent"}
    wrong = [one.replace("+ v", "- v") for one in COLUMNS]
    told_of = told(tmp_path, tuple(wrong))
    assert told_of == {"(#6)": {plain(COLUMNS[5])}}


ENERGY = r"L = \frac12 m(\dot x^2 + \dot z^2) + \frac12 J\dot\theta^2 - m g z"
TURNING = r"J\ddot\theta = l(f_2 - f_1)"
STATES = (
    r"X = \begin{pmatrix} x & z & \theta & \dot x & \dot z & \dot\theta \end{pmatrix}^T",
    r"""\dot X = \begin{pmatrix} \dot x \\ \dot z \\ \dot\theta \\ -\frac1m\sin\theta(f_1 + f_2) \\
    \frac1m\cos\theta(f_1 + f_2) - g \\ \frac lJ(f_2 - f_1) \end{pmatrix}""",
)


@pytest.mark.parametrize("given", [(ENERGY,), ()], ids=["beside a Lagrangian", "alone"])
def test_forces_are_held_against_those_of_a_column_of_states(
    tmp_path: Path, given: tuple[str, ...]
) -> None:
    assert not told(tmp_path, (*given, TURNING, *STATES))
    wrong = told(tmp_path, (*given, TURNING.replace("- f_1", "+ f_1"), *STATES))
    assert plain(TURNING) in wrong[f"(#{len(given) + 1})"]
