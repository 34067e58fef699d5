"""MJCF: what is imported against MuJoCo, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import freebody
from freebody.algebra import Ring
from freebody.importing import import_model
from freebody.mechanics import agreement, derive, mechanism
from imported import MuJoCo

Array = NDArray[np.float64]

# ---------------------------------------------------------------------- scenes

LIMB = """
<mujoco model="limb">
  <compiler eulerseq="XYz" autolimits="true"/>
  <option gravity="0 0 -10"/>
  <default>
    <joint damping="0.2" armature="0.01"/>
    <geom density="900"/>
    <default class="stiff"><joint stiffness="3" springref="20" type="slide"/></default>
  </default>
  <worldbody>
    <light/>
    <geom type="plane" size="1 1 1"/>
    <body name="thigh" pos="0 0 1" euler="10 20 30">
      <joint name="hip" axis="0 1 0.5" pos="0.1 0 0" range="-30 60" ref="15"/>
      <joint name="knee" axis="1 0 0" pos="0 0 -0.1" springref="40" stiffness="2"/>
      <geom type="capsule" fromto="0 0 0 0.1 0 -0.4" size="0.05"/>
      <geom type="box" size="0.1 0.2 0.05" pos="0 0.1 0" axisangle="1 1 0 40"/>
      <site name="s"/>
      <frame pos="0 0 -0.2" euler="0 0 90">
        <body name="shank" pos="0.1 0 -0.3" childclass="stiff">
          <joint name="shift" axis="0 0 2" ref="0.2" springref="0.3"/>
          <geom type="cylinder" size="0.04 0.2" xyaxes="1 0 1 0 1 0"/>
          <geom type="ellipsoid" size="0.1 0.2 0.3" mass="0.7" zaxis="1 1 1"/>
          <geom type="sphere" size="0.1" pos="0.2 0 0" quat="1 2 3 4" density="0"/>
          <body name="boot" pos="0 0 -0.2" quat="1 0 0.2 0">
            <geom type="ellipsoid" fromto="0 0 0 0.2 0 0" size="0.05"/>
            <geom type="box" fromto="0 0 0 0.2 0 0" size="0.05"/>
          </body>
        </body>
      </frame>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="hip" gear="2"/>
    <position joint="knee" kp="30" kv="2" ctrlrange="-1 1" ctrllimited="true"/>
    <velocity name="glide" joint="shift" kv="5" gear="3"/>
    <general name="mixed" joint="hip" gaintype="affine" gainprm="2 0.5 0.1" biastype="affine"
      biasprm="1 -2 -0.3"/>
    <damper name="brake" joint="knee" kv="4" ctrlrange="0 1"/>
  </actuator>
  <sensor/>
</mujoco>
"""

FLOATING = """
<mujoco>
  <compiler angle="radian" balanceinertia="true" boundmass="0.3" boundinertia="0.002"/>
  <option gravity="1 2 -9"/>
  <worldbody>
    <body name="trunk" pos="0.1 0.2 1" quat="1 0.2 0.3 -0.1" gravcomp="0.4">
      <joint name="root" type="free" damping="0.3" armature="0.05"/>
      <inertial pos="0.1 0 0.05" mass="3" fullinertia="0.3 0.4 0.5 0.02 -0.03 0.01"/>
      <geom type="mesh" mesh="none"/>
      <body name="arm" pos="0 0.2 0.3" euler="0.3 0 1.5707963267948966">
        <joint name="shoulder" type="ball" damping="0.2" armature="0.1"/>
        <inertial pos="0 0 0.2" mass="1" diaginertia="0.1 0.2 0.5" euler="0.1 0.2 0.3"/>
        <body name="hand" pos="0 0 0.4" gravcomp="1">
          <geom type="sphere" size="0.02" pos="0.1 0 0"/>
          <body name="socket" pos="0.1 0 0">
            <joint name="socket" type="ball" damping="0.1"/>
            <inertial pos="0 0 0.1" mass="0.4" diaginertia="0.01 0.01 0.01"/>
          </body>
          <body name="rail">
            <joint name="rail" type="slide" axis="1 1 0" armature="0.2" ref="0.1"/>
            <inertial pos="0 0 0" mass="0.1" diaginertia="0.001 0.001 0.001"/>
          </body>
        </body>
      </body>
    </body>
    <body name="other" pos="1 0 0">
      <freejoint/>
      <geom size="0.1"/>
    </body>
  </worldbody>
  <actuator><motor joint="rail"/></actuator>
</mujoco>
"""

SCALED = """
<mujoco>
  <compiler settotalmass="12" inertiafromgeom="true" inertiagrouprange="0 1"/>
  <default>
    <geom type="capsule" size="0.05"/>
    <default class="a"><geom size="0.1"/><default class="b"><geom mass="2"/></default></default>
    <motor gear="7"/>
  </default>
  <worldbody>
    <body pos="0 0 1" childclass="a">
      <inertial pos="9 9 9" mass="9" diaginertia="1 1 1"/>
      <joint armature="1" axis="0 1 0"/>
      <geom fromto="0 0 0 0 0 1"/>
      <geom fromto="0 0 0 0 0 1" group="3"/>
      <body pos="0 0 1">
        <joint axis="0 1 0" name="second"/>
        <geom class="b" fromto="0 0 0 0.5 0 1"/>
        <geom class="main" fromto="0 0 0 0.5 0 1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="second"/></actuator>
</mujoco>
"""
MESHES = """
<mujoco>
  <asset><mesh name="corner" vertex="0 0 0 0.4 0 0 0 0.3 0 0 0 0.2"/></asset>
  <worldbody>
    <body><geom type="mesh" mesh="corner"/></body>
    <body name="arm" pos="0.1 0 0" euler="0 20 0">
      <joint name="hinge" axis="0 1 0" springdamper="0.2 0.7"/>
      <geom type="mesh" mesh="corner" pos="0 0.2 0" euler="30 0 0"/>
      <geom size="0.1" pos="0.3 0 0"/>
      <body name="hand" gravcomp="0.5" pos="0.4 0 0">
        <joint name="slide" type="slide" axis="1 0 0" damping="2"/>
        <geom type="box" size="0.1 0.1 0.2" shellinertia="true"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
SCENES = {"limb": LIMB, "floating": FLOATING, "scaled": SCALED, "meshes": MESHES}


def ours(model: Any, q: Array, u: Array, control: Array) -> dict[str, Array]:
    """Return what freebody tells of a state."""
    functions, n = freebody.compile(model, backend="numpy"), len(q)
    known = {"t": 0.0, "q": q, "u": u, "inputs": control}

    def told(name: str, shape: tuple[int, ...]) -> Array:
        function = functions[name]
        given = {key: value for key, value in known.items() if key in function.arguments}
        return np.broadcast_to(function(**given), shape)

    names = ("bias", "gravity", "external", "tau", "accelerations")
    found = {name: told(name, (n,)) for name in names}
    bias = found["bias"] + found.pop("gravity")
    return {**found, "bias": bias, "mass_matrix": told("mass_matrix", (n, n))}


@pytest.fixture
def scene(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # where MuJoCo writes its log
    file = tmp_path / "scene.xml"
    file.write_text(SCENES[request.param])
    return file


@pytest.mark.few("limb")
@pytest.mark.parametrize("scene", SCENES, indirect=True)
def test_scenes_move_as_in_mujoco(scene: Path) -> None:
    text = scene.read_text().replace('<geom type="mesh" mesh="none"/>', "")
    model, engine, random = import_model(scene).model, MuJoCo(text), np.random.default_rng(3)
    n = len(model.coordinates)
    for _ in range(4):
        q, u = random.uniform(-1, 1, (2, n))
        control = random.uniform(-1, 1, len(model.inputs))
        found, expected = ours(model, q, u, control), engine.terms(q, u, control)
        for name, array in expected.items():
            scale = max(float(np.abs(array).max()), 1.0)
            np.testing.assert_allclose(found[name], array, rtol=0, atol=1e-10 * scale, err_msg=name)


@pytest.mark.parametrize("scene", SCENES, indirect=True)
def test_scenes_begin_where_they_are_drawn(scene: Path) -> None:
    text = scene.read_text().replace('<geom type="mesh" mesh="none"/>', "")
    model, engine = import_model(scene).model, MuJoCo(text)
    q = np.array([float(coordinate.initial) for coordinate in model.coordinates.values()])
    at, _, _ = engine.state(q, 0 * q)
    drawn = engine.model.qpos0
    np.testing.assert_allclose(np.abs(at), np.abs(drawn), atol=1e-12)


@pytest.mark.exhaustive
@pytest.mark.parametrize("scene", ["scaled"], indirect=True)
def test_formulations_of_an_imported_scene_agree_and_it_keeps_its_energy(scene: Path) -> None:
    model, ring = import_model(scene).model, Ring()
    methods = ("kane", "lagrange", "newton_euler")
    assert all(agreement([derive(mechanism(model), one, ring) for one in methods]).values())
    assert freebody.simulate(model, duration=0.5, initial={"second": 0.3}).energy_drift < 1e-9


EQUAL = """
<mujoco><compiler angle="radian"/><worldbody><body><joint name="a" axis="0 1 0" ref="0.2"/>
<geom size="0.1" pos="0.3 0 0"/><body pos="0.3 0 0"><joint name="b" axis="0 1 0"/>
<geom size="0.1" pos="0.3 0 0"/></body></body></worldbody>
<equality><joint joint1="b" joint2="a" polycoef="0.1 0.5 0.2 0 0"/></equality></mujoco>
"""


TENDONS = (
    EQUAL.partition("<equality>")[0]
    + """
<tendon><fixed name="s"><joint joint="a" coef="2"/><joint joint="b" coef="-3"/></fixed></tendon>
<equality><tendon tendon1="s" polycoef="0.1"/></equality></mujoco>
"""
)


@pytest.mark.exhaustive
def test_an_equation_between_tendons_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "equal.xml"
    file.write_text(TENDONS)
    run = freebody.simulate(import_model(file).model, duration=0.5)
    a, b = run["coordinates"].sel(coordinate="a"), run["coordinates"].sel(coordinate="b")
    assert float(abs(2 * (a - 0.2) - 3 * b - 0.1).max()) < 1e-9


def test_the_mass_of_a_mesh_does_not_matter_where_it_does_not_move(tmp_path: Path) -> None:
    file = tmp_path / "base.xml"
    base = '<body name="base"><geom type="mesh" mesh="m"/><body name="rod">'
    file.write_text(
        EQUAL.replace("<worldbody><body>", f"<worldbody>{base}", 1).replace(
            "</worldbody>", "</body></worldbody>"
        )
    )
    assert list(import_model(file).model.coordinates) == ["a", "b"]


def test_an_equation_between_joints_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "equal.xml"
    file.write_text(EQUAL)
    imported = import_model(file)
    run = freebody.simulate(imported.model, duration=0.5)
    a, b = run["coordinates"].sel(coordinate="a"), run["coordinates"].sel(coordinate="b")
    left = b - (0.1 + 0.5 * (a - 0.2) + 0.2 * (a - 0.2) ** 2)
    assert float(abs(left).max()) < 1e-9
    assert any(note.kind == "approximated" for note in imported.notes)


LOOP = """
<mujoco>
  <compiler angle="radian"/>
  <default><joint axis="0 1 0"/><geom type="capsule" size="0.02"/></default>
  <worldbody>
    <body name="crank"><joint name="crank"/><geom fromto="0 0 0 0 0 0.2"/>
      <body name="tip" pos="0 0 0.2">
        <body name="coupler"><joint name="coupler"/><geom fromto="0 0 0 0.6 0 0.1"/>
          <site name="end" pos="0.6 0 0.1"/>
        </body>
      </body>
    </body>
    <body name="rocker" pos="0.5 0 0"><joint name="rocker"/><geom fromto="0 0 0 0.1 0 0.3"/>
      <body name="top" pos="0.1 0 0.3"><site name="here"/></body>
    </body>
  </worldbody>
  <equality><connect name="loop" body1="coupler" body2="rocker" anchor="0.6 0 0.1"/></equality>
</mujoco>
"""
BY_SITES = LOOP.replace(
    'body1="coupler" body2="rocker" anchor="0.6 0 0.1"', 'site1="end" site2="here"'
)
BALL = """
<mujoco>
  <worldbody>
    <body name="one" pos="0 0 1" quat="1 0.1 0.2 0.3"><freejoint/><geom size="0.1"/></body>
    <body name="two" pos="0.4 0 1"><joint name="two" type="ball"/><geom size="0.1" pos="0.1 0 0"/>
      <body pos="0.2 0 0"><joint name="three" pos="0 0.1 0" axis="1 1 0"/>
        <geom size="0.1" pos="0 0 0.2"/></body>
    </body>
  </worldbody>
  <equality><connect body1="two" body2="one" anchor="0.3 0.1 0.1"/></equality>
</mujoco>
"""


@pytest.mark.exhaustive("text2-xyz")
@pytest.mark.few("xyz")
@pytest.mark.parametrize(("text", "axes"), [(LOOP, "xz"), (BY_SITES, "xz"), (BALL, "xyz")])
def test_loops_close_as_in_mujoco(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, axes: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop.xml").write_text(text)
    imported = import_model("loop.xml")
    assert imported.model.constraints[0].axes == tuple(axes)
    left = [note.what for note in imported.notes if "follows from the others" in note.what]
    assert len(left) == 3 - len(axes)
    engine = MuJoCo(text)
    engine.model.opt.disableflags = 0
    functions = freebody.compile(imported.model, backend="numpy")
    random, n = np.random.default_rng(1), len(imported.model.coordinates)
    for _ in range(3):
        q = random.uniform(-1, 1, n)
        at, T, _ = engine.state(q, 0 * q)
        engine.data.qpos[:] = at
        engine.mujoco.mj_forward(engine.model, engine.data)
        rows = ["xyz".index(axis) for axis in axes]
        expected = engine.data.efc_J[: 3 * n].reshape(3, n)[rows] @ T
        found = functions.constraint_matrix(q)
        np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-12)
    run = freebody.simulate(imported.model, duration=0.3)
    assert float(abs(run["constraint_residual"]).max()) < 1e-8
    assert run.energy_drift < 1e-6


def test_what_is_left_is_told(tmp_path: Path) -> None:
    file = tmp_path / "limb.xml"
    file.write_text(
        LIMB.replace(
            "</actuator>",
            '<muscle name="m" joint="hip"/><motor name="late" joint="hip" delay="0.1"/></actuator>',
        ).replace('springref="40"', 'springref="40" springyield="3"')
    )
    imported = import_model(file)
    told = " / ".join(f"{note.kind} {note.what}" for note in imported.notes)
    for part in (
        *("left 1 × limit of a joint", "left 2 × ctrlrange", "left 1 × site", "left 1 × light"),
        *(
            "merged 'boot' is fixed to 'shank'",
            "actuator 'm' (muscle)",
            "'late' (motor), with 'delay'",
            "1 × 'springyield' of <joint>",
            "taken 3 × armature",
        ),
    ):
        assert part in told
    assert imported.model.coordinates["hip"].title == "hip, from -0.523599 to 1.0472 rad"


def test_files_are_included_from_the_folder_alone(tmp_path: Path) -> None:
    inside, main = tmp_path / "model", tmp_path / "model" / "main.xml"
    (inside / "parts").mkdir(parents=True)
    text = '<mujoco><worldbody><include file="{}"/></worldbody></mujoco>'
    rod = '<mujocoinclude><body><joint name="j"/><geom size="1"/></body></mujocoinclude>'
    (inside / "parts" / "rod.xml").write_text(rod)
    (tmp_path / "outside.xml").write_text(rod)
    main.write_text(text.format("parts/rod.xml"))
    assert list(import_model(main).model.coordinates) == ["j"]
    for path, told in {
        "../outside.xml": "expected one in the folder of the model; --within FOLDER",
        str(tmp_path / "outside.xml"): "expected one in the folder of the model",
        "main.xml": "is included already",
        "none.xml": "no file 'none.xml'",
    }.items():
        main.write_text(text.format(path))
        with pytest.raises(freebody.ModelError, match="line 1, <include>: ") as refused:
            import_model(main)
        assert told in str(refused.value)
    main.write_text(text.format("../outside.xml"))
    assert list(import_model(main, within=tmp_path).model.coordinates) == ["j"]
    with pytest.raises(freebody.ModelError, match="parts'; --within FOLDER"):
        import_model(main, within=inside / "parts")


BAD = {
    "a class": (LIMB.replace('"stiff">\n', '"stif">\n', 1), "did you mean 'stiff'?"),
    "a mesh": (LIMB.replace('type="cylinder"', 'type="mesh"'), "give its body an <inertial>"),
    "a type": (LIMB.replace('type="capsule"', 'type="capsul"'), "did you mean 'capsule'?"),
    "sizes": (LIMB.replace('size="0.1 0.2 0.3"', 'size="0.1"'), "expected 3 lengths"),
    "two turns": (LIMB.replace('quat="1 0 0.2 0"', 'quat="1 0 0 0" euler="1 1 1"'), "found 'quat'"),
    "no turn": (LIMB.replace('quat="1 0 0.2 0"', 'quat="0 0 0 0"'), "expected a direction"),
    "a joint": (LIMB.replace('joint="hip" gear', 'joint="hi" gear'), "did you mean 'hip'?"),
    "a kind": (LIMB.replace("<motor", "<moter"), "did you mean 'motor'?"),
    "twice": (LIMB.replace('"shift"', '"knee"'), "another joint has this name"),
    "the world": (LIMB.replace("<light/>", "<joint/>"), "expected no joint in the world"),
    "a section": (LIMB.replace("sensor", "sensr"), "<sensr> is no section of MJCF"),
    "a weld": (
        LOOP.replace('<connect name="loop" body1="coupler"', '<weld body1="cupler"'),
        "coupler",
    ),
    "a flex": (EQUAL.replace('<joint joint1="b" joint2="a"', '<flex flex="b"'), "<flex>"),
    "a loop": (LOOP.replace('body2="rocker"', 'body2="roker"'), "did you mean 'rocker'?"),
    "copies": (LIMB.replace("<light/>", "<replicate/>"), "save it compiled"),
    "deformable": (LIMB.replace("sensor", "deformable"), "bodies that deform"),
    "global": (LIMB.replace("autolimits", 'coordinate="global" autolimits'), "expected local"),
    "a number": (LIMB.replace('ref="15"', 'ref="1_5"'), "found '1_5'"),
    "too large": (LIMB.replace('size="0.04 0.2"', 'size="1e60 1"'), "at most 1e+50 in size"),
    "too small": (LIMB.replace('quat="1 0 0.2 0"', 'quat="1e-70 0 0 0"'), "expected a direction"),
    "a law": (LIMB.replace('damping="0.2"', 'damping="0.2 1"'), "expected one number"),
    "still": ("<mujoco><worldbody><body/></worldbody></mujoco>", "something that moves"),
    "a bomb": ('<!DOCTYPE m [<!ENTITY a "b">]><mujoco/>', "a <!DOCTYPE> declares"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_scenes_are_refused_with_their_place(tmp_path: Path, case: str) -> None:
    text, told = BAD[case]
    file = tmp_path / "bad.xml"
    file.write_text(text)
    with pytest.raises(freebody.ModelError) as refused:
        import_model(file)
    assert str(refused.value).startswith(f"{file}: line ")
    assert told in str(refused.value)


def test_a_base_of_mjcf_is_not_asked_to_float(tmp_path: Path) -> None:
    file = tmp_path / "limb.xml"
    file.write_text(LIMB)
    with pytest.raises(freebody.ArgumentError, match="freejoint"):
        import_model(file, floating=True)
