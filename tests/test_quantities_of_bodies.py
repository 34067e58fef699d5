r"""Inertia, energies, angular Jacobians, springs and linear matrices, by what else they must be."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "models"
BODY = {
    r"\mathbf{J}": "'inertia.slab'",
    r"\mathbf{J}_b": "'inertia.slab.in.slab'",
    r"\mathbf{R}": "'rotation.slab'",
    r"\boldsymbol\omega": "'angular_velocity.slab'",
    r"\mathbf{h}": "'angular_momentum.slab'",
    r"\mathbf{H}": "'angular_momentum.slab.about.tip'",
    r"\mathbf{K}": "'angular_momentum_rate.slab.about.tip'",
    r"\mathbf{k}": "'angular_momentum_rate.slab'",
    r"\mathbf{A}": "'angular_jacobian.slab'",
    r"\mathbf{q}": "['x', 'y', 'spin', 'out', 'roll']",
    r"\mathbf{r}": "'position.slab'",
    r"\mathbf{p}": "'position.tip'",
    "T": "'energy.kinetic.slab'",
    "T_r": "'energy.rotational.slab'",
    "T_t": "'energy.translational.slab'",
    r"T_\Sigma": "'energy.kinetic'",
    "W_r": "'energy.rotational'",
    "W_t": "'energy.translational'",
    "m": "'m'",
    "I_x": "'Ix'",
    "I_y": "'Iy'",
    "I_z": "'Iz'",
}
OF_A_BODY = [
    r"\mathbf{J}\boldsymbol\omega = \mathbf{h}",
    r"\mathbf{J} = \mathbf{R}\mathbf{J}_b\mathbf{R}^T",
    r"\operatorname{tr}(\mathbf{J}_b) = I_x + I_y + I_z",
    r"T_r = \frac12 \boldsymbol\omega^T\mathbf{J}\boldsymbol\omega",
    r"T_t = \frac12 m \dot{\mathbf{r}}\cdot\dot{\mathbf{r}}",
    "T = T_r + T_t",
    r"T_\Sigma = W_r + W_t",
    r"\boldsymbol\omega = \mathbf{A}\dot{\mathbf{q}}",
    r"\mathbf{k} = \dot{\mathbf{h}}",
    r"\mathbf{K} = \dot{\mathbf{h}} + m(\mathbf{r} - \mathbf{p})\times\ddot{\mathbf{r}}",
    r"\mathbf{K} = \dot{\mathbf{H}} + m\dot{\mathbf{p}}\times\dot{\mathbf{r}}",
]
CART = {
    r"\mathbf{M}_0": "'linear.M'",
    r"\mathbf{D}": "'linear.D'",
    r"\mathbf{K}": "'linear.K'",
    r"\mathbf{A}": "'linear.A'",
    "M": "'M'",
    "m": "'m'",
    "l": "'l'",
    "g": "'g'",
}
OF_A_CART = [
    (
        r"\mathbf{M}_0 = \begin{bmatrix} M + m & \frac12 m l\\ \frac12 m l & \frac13 m l^2"
        r"\end{bmatrix}"
    ),
    r"\mathbf{K} = \begin{bmatrix} 0 & 0\\ 0 & \frac12 m g l\end{bmatrix}",
    r"\mathbf{D} = 0",
    (
        r"\mathbf{M}_0^{-1}\mathbf{K}\begin{bmatrix} 0\\ 1\end{bmatrix} = "
        r"\begin{bmatrix}-\frac{3 m g}{4M+m}\\ \frac{6(M+m)g}{(4M+m)l}\end{bmatrix}"
    ),
]
LINKAGE = {
    r"\mathbf{J}": "'J'",
    r"\boldsymbol\gamma": "'gamma'",
    r"\mathbf{q}": "['theta2', 'theta3', 'theta4']",
}
OF_A_LINKAGE = [
    r"\boldsymbol\gamma = -\dot{\mathbf{J}}\dot{\mathbf{q}}",
    r"\mathbf{J}\ddot{\mathbf{q}} = \boldsymbol\gamma",
]
COIL = {
    "S": "'spring_force[1]'",
    "V": "'energy.potential.elastic'",
    "r": "'r'",
    "k": "'k'",
    "l_0": "'l0'",
}
OF_A_COIL = ["S = k(r - l_0)", r"S = \frac{\partial V}{\partial r}"]
DAMPED = {"D_1": "'damper_force[1]'", "D_2": "'damper_force[2]'", "S_2": "'spring_force[2]'"}
DAMPED |= {"c": "'c'", "c_t": "'ct'", "k_t": "'kt'", "x": "'x'", r"\theta": "'theta'"}
OF_DAMPERS = [r"D_1 = c\dot x", r"D_2 = c_t\dot\theta", r"S_2 = k_t\theta"]
CASES = [
    *(("damped", HERE / "models" / "cart.toml", DAMPED, one) for one in OF_DAMPERS),
    *(("slab", HERE / "models" / "slab.toml", BODY, one) for one in OF_A_BODY),
    *(("cart", HERE / "pages" / "cart.toml", CART, one) for one in OF_A_CART),
    *(("bars", SHIPPED / "four_bar" / "model.toml", LINKAGE, one) for one in OF_A_LINKAGE),
    *(("coil", SHIPPED / "elastic_pendulum" / "model.toml", COIL, one) for one in OF_A_COIL),
]


def status(folder: Path, model: Path, symbols: dict[str, str], equation: str) -> str:
    (folder / "model.toml").write_text(model.read_text())
    declared = "".join(f"'{k}' = {v}\n" for k, v in symbols.items())
    page = folder / "page.md"
    front = f"+++\ntitle = 'P'\nmodel = 'model'\n[symbols]\n{declared}+++\n"
    page.write_text(f"{front}$$ {equation} $$\n")
    (verdict,) = freebody.check(page).documents[0].equations
    return f"{verdict.status} {verdict.note}".strip()


@pytest.mark.parametrize(("model", "symbols", "equation"), [case[1:] for case in CASES])
def test_a_quantity_is_what_else_it_must_be(
    tmp_path: Path, model: Path, symbols: dict[str, str], equation: str
) -> None:
    assert status(tmp_path, model, symbols, equation) == "holds"


@pytest.mark.parametrize(
    ("model", "symbols", "equation"),
    [
        (HERE / "models" / "slab.toml", BODY, r"\mathbf{K} = \dot{\mathbf{H}}"),
        (HERE / "models" / "slab.toml", BODY, "T_r = T_t"),
        (HERE / "pages" / "cart.toml", CART, r"\mathbf{K} = 0"),
        (CASES[-1][1], COIL, "S = k(l_0 - r)"),
    ],
)
def test_a_quantity_is_nothing_else(
    tmp_path: Path, model: Path, symbols: dict[str, str], equation: str
) -> None:
    assert status(tmp_path, model, symbols, equation) == "differs"
