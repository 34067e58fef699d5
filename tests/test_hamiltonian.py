"""Pages that print a Hamiltonian, or its equations alone, and no Lagrangian."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody

PENDULUM = r"$$ H = \frac{p_\theta^2}{2 m l^2} - m g l\cos\theta $$"
LONG = r"$$ H = \frac{p_\alpha^2}{2 m L^2} - m g L\cos\alpha $$"
TOLD = r"""
$$ p = m l^2\dot\theta $$

$$ H = \frac{p^2}{2 m l^2} - m g l\cos\theta $$
"""
SPHERICAL = r"""
$$ H = \frac{p_\theta^2}{2 m l^2} + \frac{p_\phi^2}{2 m l^2\sin^2\theta} - m g l\cos\theta $$

$$ \dot p_\theta = \frac{p_\phi^2\cos\theta}{m l^2\sin^3\theta} - m g l\sin\theta $$
"""
EQUATIONS = r"""
$$
\left\{\begin{matrix}
\begin{align*}
& \dot\alpha_1 = \frac{p_1 l_2 - p_2 l_1\cos(\alpha_1 - \alpha_2)}
{l_1^2 l_2 (m_1 + m_2\sin^2(\alpha_1 - \alpha_2))} \\
\\ & \dot\alpha_2 = \frac{p_2 (m_1 + m_2) l_1 - p_1 m_2 l_2\cos(\alpha_1 - \alpha_2)}
{m_2 l_1 l_2^2 (m_1 + m_2\sin^2(\alpha_1 - \alpha_2))} \\
\\ & \dot p_1 = -(m_1 + m_2) g l_1\sin\alpha_1 - A + B \\
\\ & \dot p_2 = -m_2 g l_2\sin\alpha_2 + A - B
\end{align*}
\end{matrix}\right.
$$

$$ A = \frac{p_1 p_2\sin(\alpha_1 - \alpha_2)}{l_1 l_2 (m_1 + m_2\sin^2(\alpha_1 - \alpha_2))} $$

$$ B = \frac{(p_1^2 m_2 l_2^2 - 2 p_1 p_2 m_2 l_1 l_2\cos(\alpha_1 - \alpha_2)
+ p_2^2 (m_1 + m_2) l_1^2)\sin(2(\alpha_1 - \alpha_2))}
{2 l_1^2 l_2^2 (m_1 + m_2\sin^2(\alpha_1 - \alpha_2))^2} $$
"""
CHAIN = r"""
$$ \mathcal{H} = \frac{p_1^2 + p_2^2}{2m} + \frac12 k q_1^2 + \frac12 k(q_1 - q_2)^2 $$
"""


@pytest.mark.one_in(2)
@pytest.mark.few(TOLD, SPHERICAL, EQUATIONS)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PENDULUM, "pendulum"),
        (LONG, "pendulum"),
        (TOLD, "pendulum"),
        (SPHERICAL, "spherical_pendulum"),
        (CHAIN, "built"),
        (EQUATIONS, "double_pendulum"),
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
