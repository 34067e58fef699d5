"""Vectors of plane motion that a page prints with two components."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.documents import read_document
from test_cases import quantities

SYMBOLS = {
    "l_1": "l1", "l_2": "l2", "q_1": "q1", "q_2": "q2", "g": "g", "q": ["q1", "q2"],
    "p": "position.tip", "e": "position.elbow", "v": "velocity.tip", "J": "jacobian.tip",
    "R": "rotation.second", "R_1": "rotation.first", "F_x": "tau/l1", "F_y": "tau/l2", "s": "tau",
    "m_2": "m2", "H": "angular_momentum.second.about.ground.z", "I_2": "I2",
    "c": "position.second", "u": "velocity.second", "w": "angular_velocity.second.z",
}  # fmt: skip
PLACE = (
    r"\begin{bmatrix} l_1\cos q_1 + l_2\cos(q_1+q_2)\\ l_1\sin q_1 + l_2\sin(q_1+q_2)\end{bmatrix}"
)
SLOPES = (
    r"\begin{bmatrix} -l_1\sin q_1 - l_2\sin(q_1+q_2) & -l_2\sin(q_1+q_2)\\"
    r"l_1\cos q_1 + l_2\cos(q_1+q_2) & l_2\cos(q_1+q_2)\end{bmatrix}"
)
TURN = r"\begin{bmatrix}\cos(q_1+q_2) & -\sin(q_1+q_2)\\ \sin(q_1+q_2) & \cos(q_1+q_2)\end{bmatrix}"
FORCE = r"\begin{bmatrix} F_x\\ F_y\end{bmatrix}"


def status(equation: str, folder: Path, model: str = "acrobot") -> str:
    declared = "\n".join(f"'{key}' = {value!r}" for key, value in SYMBOLS.items())
    page = folder / "page.md"
    page.write_text(
        f'+++\ntitle = "A page"\nmodel = "{model}"\n[symbols]\n{declared}\n+++\n$$ {equation} $$\n'
    )
    (found,) = check_document(read_document(page), quantities(model)).equations
    return found.status


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("right", "old", "new"),
    [
        (f"p = {PLACE}", r"l_1\sin", r"l_1\cos"),
        (f"{PLACE} = p", r"l_2\sin", r"-l_2\sin"),
        (f"J = {SLOPES}", r"& -l_2", r"& l_2"),
        (rf"v = {SLOPES}\dot q", r"& -l_2", r"& l_2"),
        (f"R = {TURN}", r"& -", "&"),
        (r"p = e + R\begin{bmatrix} l_2\\ 0\end{bmatrix}", "= e +", "= e -"),
        (rf"p - e = {TURN}\begin{{bmatrix}} l_2\\ 0\end{{bmatrix}}", r"\\ \sin", r"\\ -\sin"),
        (
            (
                rf"{FORCE}^T v = F_x(-l_1\dot q_1\sin q_1 - l_2(\dot q_1+\dot q_2)\sin(q_1+q_2))"
                r"+ F_y(l_1\dot q_1\cos q_1 + l_2(\dot q_1+\dot q_2)\cos(q_1+q_2))"
            ),
            "+ F_y",
            "- F_y",
        ),
        (
            (
                rf"\begin{{bmatrix}} 0 & 1\end{{bmatrix}} J^T {FORCE} = "
                r"-F_x l_2\sin(q_1+q_2) + F_y l_2\cos(q_1+q_2)"
            ),
            "+ F_y",
            "- F_y",
        ),
        (
            (
                r"H = I_2 w + m_2 \begin{bmatrix} 1 & 0\end{bmatrix} c\begin{bmatrix} 0 & 1"
                r"\end{bmatrix} u - m_2\begin{bmatrix} 0 & 1\end{bmatrix} c"
                r"\begin{bmatrix} 1 & 0\end{bmatrix} u"
            ),
            "I_2 w +",
            "I_2 w -",
        ),
        (r"H = I_2 w + m_2 c \times u", "c", "p"),
    ],
)
def test_a_vector_of_the_plane_has_two_components(
    right: str, old: str, new: str, tmp_path: Path
) -> None:
    assert old in right
    assert status(right, tmp_path) == "holds"
    assert status(right.replace(old, new, 1), tmp_path) == "differs"
