"""The gallery: mechanisms with published numbers, each in the digits that are claimed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import freebody
from freebody.model import gallery, load

MODELS = "FREEBODY_OPENSIM_MODELS"
"""Names the folder of a copy of OpenSim's repository of models, where there is one."""
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
DIGITS = {
    "eigenvalues at rest, 1/s": 13,
    "eigenvalues at 5 m/s, 1/s": 13,
    "M, C1, K0, K2 of lean and steer": 14,
    "accelerations far from upright, 1/s**2": 12,
    "A01: period from the horizontal, s": 10,
    "A03: angles after 0.03 s, rad": 9.5,
    "A03: rates after 0.03 s, rad/s": 9,
    "A05: height of the slider over 3 s, m": 5.5,
    "velocity once it rolls, m/s": 10,
    "transverse angular velocity after 20 s, rad/s": 11,
    "linear model near hovering": 14,
    "accelerations in a turn, m/s**2, rad/s**2": 14,
    "rates of the legs after a strike": 14,
    "accelerations in single support, rad/s**2": 14,
    "rates after a heel strike, rad/s": 14,
    "accelerations along and across the rod": 14,
    "accelerations with a sharp-edged disc": 14,
    "the matrices X and Y": 14,
    "accelerations of the cart": 14,
}
"""In which the worst number of a problem agrees; what takes longer is in the table."""
LONG = {
    "A03: angles after 0.03 s, rad",
    "A03: rates after 0.03 s, rad/s",
    "A05: height of the slider over 3 s, m",
    "M, C1, K0, K2 of lean and steer",
    "eigenvalues at 5 m/s, 1/s",
    "linear model near hovering",
    "transverse angular velocity after 20 s, rad/s",
}
"""Those that take a second or more."""


@pytest.fixture(scope="module")
def published() -> Any:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import published as module
    finally:
        sys.path.remove(str(BENCHMARKS))
    return module


@pytest.mark.exhaustive("eigenvalues at rest, 1/s")
@pytest.mark.few(*(DIGITS.keys() - LONG))
@pytest.mark.parametrize("what", DIGITS)
def test_published_numbers_are_found(published: Any, what: str) -> None:
    (problem,) = [one for one in published.PROBLEMS if one.what == what]
    _, off, _ = problem.compared()
    assert off < 10.0 ** -DIGITS[what]


def test_each_model_of_the_gallery_has_numbers_and_says_where_its_own_are_from(
    published: Any,
) -> None:
    assert {problem.model for problem in published.PROBLEMS} == {*gallery(), "pendulum"}
    assert all(problem.source for problem in published.PROBLEMS)
    for name, folder in gallery().items():
        model = load(name)
        assert all(constant.value is not None for constant in model.constants.values())
        assert (folder / "model.toml").read_text("utf-8").startswith("#")


def test_the_biped_has_the_matrices_of_a_chain_of_links_by_hand() -> None:
    m, inertia, g = [3.2, 6.8, 20.0, 6.8, 3.2], [0.93, 1.08, 2.22, 1.08, 0.93], 9.81
    place = np.array(  # of each link's mass from the first foot, along the links up to it
        [
            [0.4 - 0.128, 0, 0, 0, 0],
            [0.4, 0.4 - 0.163, 0, 0, 0],
            [0.4, 0.4, 0.2, 0, 0],
            [0.4, 0.4, 0, -0.163, 0],
            [0.4, 0.4, 0, -0.4, -0.128],
        ]
    )
    q, u = np.array([0.3, -0.8, 0.2, 1.1, -0.4]), np.array([1.2, -0.7, 0.5, 2.0, -1.4])
    moments, apart = place.T @ np.diag(m) @ place, q[:, None] - q[None, :]
    f = freebody.compile("five_link_biped", outputs=["mass_matrix", "bias", "gravity"])
    state = [[0.0, 0.0, *q], [0.0, 0.0, *u]]
    np.testing.assert_allclose(
        f.mass_matrix(state[0])[2:, 2:], moments * np.cos(apart) + np.diag(inertia), atol=1e-13
    )
    np.testing.assert_allclose(f.bias(*state)[2:], moments * np.sin(apart) @ u**2, atol=1e-13)
    np.testing.assert_allclose(
        f.gravity(state[0])[2:], -g * np.array(m) @ place * np.sin(q), atol=1e-13
    )


@pytest.mark.skipif(MODELS not in os.environ, reason=f"{MODELS} names no copy of opensim-models")
def test_walks_have_the_forces_that_opensim_ships(published: Any) -> None:
    plane, space = published.gait.problems(Path(os.environ[MODELS]))
    for walk, least in ((plane, 2e-4), (space, 1e-4)):
        found, _, _ = walk.compared()
        np.testing.assert_allclose(found, walk.published, rtol=0, atol=least)


def test_a_folder_without_the_walks_is_told(published: Any, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"subject01\.osim: not found; expected a copy of"):
        published.gait.problems(tmp_path)


@pytest.mark.exhaustive
def test_a_gyrostat_and_a_quadrotor_have_the_equations_of_a_textbook() -> None:
    gyrostat, quadrotor = (freebody.derive(name) for name in ("gyrostat", "quadrotor"))
    found = {str(one): one for one in (*gyrostat.speeds, *gyrostat.constants)}
    w2, w3, spin = (found[f"{name}(t)"] for name in ("w2", "w3", "spin"))
    It, Ia, Iw = (found[name] for name in ("It", "Ia", "Iw"))
    assert gyrostat.M[0, 0] == It
    assert gyrostat.C[0].expand() == (Iw * spin * w2 + w2 * w3 * (Ia - It + Iw)).expand()
    assert not quadrotor.M.has(sympy.cos)
    assert not quadrotor.C.has(sympy.cos)
