"""Pages that print a Hamiltonian, and no Lagrangian."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody

PENDULUM = r"$$ H = \frac{p_\theta^2}{2 m l^2} - m g l\cos\theta $$"
TOLD = r"""
$$ p = m l^2\dot\theta $$

$$ H = \frac{p^2}{2 m l^2} - m g l\cos\theta $$
"""
SPHERICAL = r"""
$$ H = \frac{p_\theta^2}{2 m l^2} + \frac{p_\phi^2}{2 m l^2\sin^2\theta} - m g l\cos\theta $$

$$ \dot p_\theta = \frac{p_\phi^2\cos\theta}{m l^2\sin^3\theta} - m g l\sin\theta $$
"""
CHAIN = r"""
$$ \mathcal{H} = \frac{p_1^2 + p_2^2}{2m} + \frac12 k q_1^2 + \frac12 k(q_1 - q_2)^2 $$
"""


@pytest.mark.few(TOLD, SPHERICAL)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PENDULUM, "pendulum"),
        (TOLD, "pendulum"),
        (SPHERICAL, "spherical_pendulum"),
        (CHAIN, "built"),
    ],
)
def test_a_hamiltonian_tells_a_model(tmp_path: Path, text: str, name: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    best = freebody.adopt(page).models[0]
    assert best.name == name
    assert not best.fails


@pytest.mark.parametrize("text", [r"$$ H = p^2 + p $$", r"$$ H = \frac{p_1 p_2}{m} + k q_1 q_2 $$"])
def test_one_of_another_kind_tells_none(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    assert not freebody.adopt(page).models
