r"""Names that nobody declares and that follow from others: ``S(\omega)``, ``\mathbf e_3``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import freebody

if TYPE_CHECKING:
    from freebody.checking import EquationVerdict

BODY = (Path(__file__).parent / "pages" / "rotorcraft.toml").read_text()
SYMBOLS = {
    "m": "'m'",
    "g": "'g'",
    "T": "'T'",
    "p": "'p'",
    r"\omega": "['p', 'q', 'r']",
    r"\mathbf{v}": "['u', 'v', 'w']",
    "I": "[['Ix', 0, 0], [0, 'Iy', 0], [0, 0, 'Iz']]",
    r"R(\phi,\theta,\psi)": "'rotation.frame'",
    "x": "['x', 'y', 'z']",
}
CROSSED = [
    r"[\omega]_\times",
    r"[\omega]_{\times}",
    r"\left[\omega\right]^\times",
    r"[\omega\times]",
    r"\omega^\times",
    r"\omega^{\wedge}",
    r"\hat{\omega}",
    r"\widehat\omega",
    r"\tilde\omega",
    r"S(\omega)",
    r"\mathbf{S}(\omega)",
    r"\operatorname{skew}(\omega)",
    r"\text{skew}(\omega)",
]
UNITS = [r"\mathbf{e}_3", r"\boldsymbol e_z", r"\hat{e}_3", r"\hat{\mathbf z}", r"\hat k", "e_3"]


def check(folder: Path, equation: str) -> EquationVerdict:
    (folder / "model.toml").write_text(BODY)
    declared = "".join(f"'{k}' = {v}\n" for k, v in SYMBOLS.items())
    page = folder / "page.md"
    page.write_text(
        f"+++\ntitle = 'P'\nmodel = 'model'\n[symbols]\n{declared}+++\n$$ {equation} $$\n"
    )
    (verdict,) = freebody.check(page).documents[0].equations
    return verdict


@pytest.mark.exhaustive
@pytest.mark.few(CROSSED[0])
@pytest.mark.parametrize("matrix", CROSSED)
def test_a_cross_product_has_a_matrix(tmp_path: Path, matrix: str) -> None:
    assert check(tmp_path, rf"\dot R = R\,{matrix}").status == "holds"
    assert check(tmp_path, rf"I\dot\omega + {matrix} I\omega = 0").status == "holds"
    assert check(tmp_path, rf"\dot R = {matrix}\,R").status in ("differs", "unreadable")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_vector_need_not_be_declared(tmp_path: Path, unit: str) -> None:
    verdict = check(tmp_path, rf"m\ddot x = -mg\,{unit} + T R\,{unit}")
    assert verdict.status == "holds"
    assert any("unit vector" in one for one in verdict.readings)
    wrong = check(tmp_path, rf"m\ddot x = mg\,{unit} + T R\,{unit}")
    assert wrong.status == "unreadable"
    assert any("with which it differs" in one for one in wrong.readings)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"R R^T = I_{3\times3}", "holds"),
        (r"R_{33} \dot R_{31} = R_{31}\dot R_{33} + r_{32}", "unreadable"),
        (r"R_{33}\omega_1 - R_{31}\omega_3 = \dot R_{32}", "holds"),
        (r"R_{31}\omega_3 + R_{33}\omega_1 = \dot R_{32}", "differs"),
        (r"\hat m g = 0", "unreadable"),
        (r"v^2 = \mathbf v\cdot\mathbf v", "holds"),
        (r"v = \sqrt{\mathbf v^T\mathbf v}", "holds"),
        (r"2 v^2 = \mathbf v\cdot\mathbf v", "unreadable"),
        (r"\hat{p} = p", "unreadable"),
    ],
)
def test_arguments_may_be_left_away(tmp_path: Path, equation: str, status: str) -> None:
    assert check(tmp_path, equation).status == status
