"""Bodies of MJCF that are welded: accelerations by MuJoCo's M, bias and J, without its softness."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody
from freebody.importing import import_model
from imported import MuJoCo

Array = NDArray[np.float64]
SPACE = """
<mujoco>
  <worldbody>
    <body name="one" pos="0 0 1" quat="1 0.1 0.2 0.3">
      <freejoint/><geom size="0.1"/><geom size="0.05" pos="0.2 0.1 0"/>
      <body name="flag" pos="0.1 0 0.2" euler="20 30 40">
        <site name="pin" pos="0.05 0 0" euler="10 0 50"/>
      </body>
    </body>
    <body name="two" pos="0.4 0 1"><joint type="ball"/><geom size="0.1" pos="0.1 0 0"/>
      <body name="arm" pos="0.2 0 0"><joint name="elbow" pos="0 0.1 0" axis="1 1 0"/>
        <geom size="0.1" pos="0 0 0.2"/><site name="hole" pos="0 0 0.3"/></body>
    </body>
  </worldbody>
  <equality><weld name="glue" WELD/></equality>
</mujoco>
"""
PLANE = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body pos="0 0 0.1"><joint axis="0 1 0"/><geom size="0.02" pos="0.1 0 0"/>
      <body pos="0 0 0.2"><joint axis="0 1 0"/><geom size="0.03" pos="0.2 0 0"/>
        <body name="end" pos="0.5 0 0"><joint axis="0 1 0"/><geom size="0.02" pos="0 0 0.1"/></body>
      </body>
    </body>
    <body pos="0.5 0 0.1"><joint axis="0 1 0"/><geom size="0.02" pos="0 0 0.1"/>
      <body name="top" pos="0 0 0.2" euler="0.3 0.4 0.5"/></body>
  </worldbody>
  <equality><weld body1="end" body2="top"/></equality>
</mujoco>
"""
WELDS = {
    "as drawn": 'body1="two" body2="one" anchor="0.1 0.2 0.3"',
    "of a part": 'body1="flag" body2="arm"',
    "as said": 'body1="arm" body2="one" anchor="0.1 0 0" relpose="0.1 0.2 0.3 0.9 0.1 0.2 -0.1"',
    "to the world": 'body1="arm"',
    "sites": 'site1="pin" site2="hole"',
}
CASES = {**{name: (SPACE.replace("WELD", weld), 6) for name, weld in WELDS.items()}}
CASES["to the world"] = CASES["to the world"][0], 4
CASES["in a plane"] = PLANE, 3


@pytest.mark.exhaustive("in a plane")
@pytest.mark.few("in a plane")
@pytest.mark.parametrize("case", CASES)
def test_welded_bodies_move_as_by_the_matrices_of_mujoco(tmp_path: Path, case: str) -> None:
    text, rank = CASES[case]
    (tmp_path / "scene.xml").write_text(text)
    model = import_model(tmp_path / "scene.xml").model
    assert sum(len(one.dependent) for one in model.constraints) == rank
    run = freebody.simulate(model, duration=0.2, step=0.2)
    names = ("coordinates", "speeds", "accelerations")
    q, u, a = (run[name].to_numpy()[-1] for name in names)
    engine = MuJoCo(text)
    engine.model.opt.disableflags = engine.mujoco.mjtDisableBit.mjDSBL_CONTACT
    terms = engine.terms(q, u, np.zeros(0))
    T, rate = engine.state(q, u)[1:]
    assert np.abs(engine.data.efc_pos[:6]).max() < 1e-12
    v, J = T @ u, held(engine)
    force = engine.data.qfrc_passive - engine.data.qfrc_bias
    M = np.linalg.solve(T.T, terms["mass_matrix"]) @ np.linalg.inv(T)
    values, V = np.linalg.svd(J)[1:]
    assert sum(values > 1e-8) == rank
    free = V[rank:].T
    given = -np.linalg.pinv(J, rcond=1e-8) @ (change(engine, v) @ v)
    rest = np.linalg.solve(free.T @ M @ free, free.T @ (force - M @ given))
    expected = given + free @ rest
    np.testing.assert_allclose(T @ a + rate @ u, expected, atol=1e-8 * np.abs(expected).max())


def held(engine: MuJoCo) -> Array:
    """Return how the six residuals of the weld change with MuJoCo's speeds."""
    return engine.data.efc_J.reshape(-1, engine.model.nv)[:6].copy()


def change(engine: MuJoCo, v: Array, ahead: float = 1e-6) -> Array:
    """Return how fast that changes in a motion."""
    at, both = engine.data.qpos.copy(), []
    for step in (ahead, -ahead):
        moved = at.copy()
        engine.mujoco.mj_integratePos(engine.model, moved, v, step)
        engine.data.qpos[:] = moved
        engine.mujoco.mj_forward(engine.model, engine.data)
        both.append(held(engine))
    engine.data.qpos[:] = at
    return (both[0] - both[1]) / (2 * ahead)


def test_a_weld_within_a_body_is_told(tmp_path: Path) -> None:
    file = tmp_path / "scene.xml"
    file.write_text(SPACE.replace("WELD", 'body1="one" body2="flag"'))
    imported = import_model(file)
    assert not imported.model.constraints
    assert "weld 'glue' of two parts of one body" in [note.what for note in imported.notes]
