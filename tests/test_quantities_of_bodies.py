r"""Inertia, energies, angular Jacobians, springs and linear matrices, by what else they must be."""

from __future__ import annotations

from ast import literal_eval
from functools import cache
from pathlib import Path

import pytest

import freebody
from freebody.checking.judge import holds
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents.latex import Declared, Relation, read_page
from freebody.model import load

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
CASES = {
    "damped": (HERE / "models" / "cart.toml", DAMPED, OF_DAMPERS),
    "slab": (HERE / "models" / "slab.toml", BODY, OF_A_BODY),
    "cart": (HERE / "pages" / "cart.toml", CART, OF_A_CART),
    "bars": (SHIPPED / "four_bar" / "model.toml", LINKAGE, OF_A_LINKAGE),
    "coil": (SHIPPED / "elastic_pendulum" / "model.toml", COIL, OF_A_COIL),
}


@cache
def quantities(model: Path) -> Quantities:
    return Quantities(load(model))


@pytest.mark.exhaustive("bars", "slab")
@pytest.mark.parametrize("case", CASES)
def test_quantities_are_what_else_they_must_be(case: str, tmp_path: Path) -> None:
    model, symbols, equations = CASES[case]
    (tmp_path / "model.toml").write_text(model.read_text())
    declared = "".join(f"'{k}' = {v}\n" for k, v in symbols.items())
    front = f"+++\ntitle = 'P'\nmodel = 'model'\n[symbols]\n{declared}+++\n"
    page = tmp_path / "page.md"
    page.write_text(front + "\n".join(f"$$ {equation} $$\n" for equation in equations))
    (document,) = freebody.check(page).documents
    found = [(one.latex.strip(), one.status, one.note) for one in document.equations]
    assert found == [(equation, "holds", "") for equation in equations]


@pytest.mark.parametrize(
    ("case", "equation"),
    [
        ("slab", r"\mathbf{K} = \dot{\mathbf{H}}"),
        ("slab", "T_r = T_t"),
        ("cart", r"\mathbf{K} = 0"),
        ("coil", "S = k(l_0 - r)"),
    ],
)
def test_a_quantity_is_nothing_else(case: str, equation: str) -> None:
    model, declared, _ = CASES[case]
    meanings = {key: literal_eval(meaning) for key, meaning in declared.items()}
    symbols = Symbols(quantities(model), meanings)
    (display,) = read_page(f"$${equation}$$", Declared(symbols.meanings, symbols.varies))
    (relation,) = display.relations
    assert isinstance(relation, Relation)
    assert not holds(symbols, relation)
