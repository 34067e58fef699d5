"""What functions, powers, vectors and derivatives of a page are worth, seen by its verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.checking.report import EquationVerdict

FRONT = r"""+++
title = "Functions"
model = "cart_pendulum"

[symbols]
't' = "t"
'x' = "x"
'\theta' = "theta"
'l' = "l"
'V' = "energy.potential"
'G' = "G"
'M_{i,j}' = "M[i,j]"
'\mathbf{q}' = ["x", "theta"]
'\mathbf{r}' = ["x*theta", "theta**2", "x"]
'\mathbf{M}' = "M"
+++
"""
HOLD = [
    r"\frac{d}{dt}|x| = \operatorname{sgn}(x) \dot x",
    r"\frac{d}{dt}\operatorname{sgn}(x) = 0",
    r"\frac{d}{dt} e^{x} = \dot x e^x",
    r"\frac{d}{dt}(e^{0} + \exp(1) + \max(1, 2) + \pi) = 0",
    r"\frac{d}{dt}\operatorname{atan2}(x, \theta) = (\dot x\theta - x\dot\theta)/(\theta^2 + x^2)",
    r"\ddot{\max(1, t)} = 0",
    r"\sin 30^\circ = 1/2",
    r"\cos\frac{\pi}{3} = \frac12",
    r"\sin(\theta + 90^\circ) = \cos\theta",
    r"\cot\theta\tan\theta = \sec\theta\cos\theta",
    r"\csc^2\theta = 1 + \cot^2\theta",
    r"\sinh x \coth x = \cosh x",
    r"\begin{vmatrix} x & 1 \\ \theta & 2 \end{vmatrix} = 2x - \theta",
    r"\det\operatorname{diag}(x, x, 2) = 2x^2",
    r"|\mathbf M| = M_{11}M_{22} - M_{12}^2",
    r"\operatorname{tr}\operatorname{diag}(x, 2) = x + 2",
    r"\mathbf M \mathbf M^{-1} = \operatorname{diag}(1, 1)",
    r"\left\|\mathbf q\right\|^2 = |\mathbf q|^2",
    r"\mathbf q \cdot \mathbf q = x^2 + \theta^2",
    r"\mathbf q \cdot \mathbf M \cdot \mathbf q = \mathbf q^T \mathbf M \mathbf q",
    r"\mathbf r \cdot \mathbf r \times \dot{\mathbf r} = 0",
    r"\frac{\partial V}{\partial \mathbf q} = G",
    r"\frac{\partial\mathbf r}{\partial\mathbf q} = [[\theta, 0, 1]^T, [x, 2\theta, 0]^T]",
    r"\sum_{i=1}^{3} i^2 x = 14 x",
    r"\prod_{i=1}^{3} (x + i) = (x+1)(x+2)(x+3)",
    r"x = \frac12\left(x \pm x\right) + \frac12\left(x \mp x\right)",
]
TOLD = [
    (r"9^{9^9} = x", "too large"),
    (r"x^{99999999} = x", "too large"),
    (r"\det\mathbf q = x", "the determinant of a matrix of 2 x 1"),
    (r"\operatorname{tr}\mathbf q = x", "the trace of a matrix of 2 x 1"),
    (r"\operatorname{atan2}(1, x, 2) = x", "two arguments, found 3"),
    (r"\sin\mathbf q = x", "expected a scalar"),
    (r"\frac{\partial\mathbf M}{\partial\mathbf q} = x", "a matrix by a column"),
]


def verdicts(folder: Path, equations: list[str]) -> list[EquationVerdict]:
    path = folder / "page.md"
    path.write_text(FRONT + "".join(f"\n$${equation}$$\n" for equation in equations))
    (document,) = freebody.check(path).documents
    return list(document.equations)


def test_what_holds_is_found_to_hold(tmp_path: Path) -> None:
    found = verdicts(tmp_path, HOLD)
    assert [(v.latex, v.note) for v in found if v.status != "holds"] == []
    assert len(found) == len(HOLD) + 1


def test_what_has_no_value_is_told(tmp_path: Path) -> None:
    found = verdicts(tmp_path, [equation for equation, _ in TOLD])
    assert {v.status for v in found} == {"unreadable"}
    for verdict, (_, told) in zip(found, TOLD, strict=True):
        assert told in verdict.note


@pytest.mark.parametrize("wrong", [r"\cot\theta = \tan\theta", r"\mathbf q \cdot \mathbf q = x^2"])
def test_what_does_not_hold_is_told(tmp_path: Path, wrong: str) -> None:
    (found,) = verdicts(tmp_path, [wrong])
    assert found.status == "differs"
