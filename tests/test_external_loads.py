"""Recordings of OpenSim: its external loads, its filter, and the files that its tools write."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import freebody
from freebody.cli import main
from freebody.importing import import_model
from freebody.inverse_dynamics import read_external_loads, read_force_plates
from freebody.motion import Motion
from imported import ask_inverse_dynamics_tool
from plates import write_plates

Array = NDArray[np.float64]

BODY = """<Body name="{}"><mass>{}</mass><mass_center>0.01 {} 0</mass_center>
<inertia>0.1 0.05 0.12 0 0 0</inertia></Body>"""
MODEL = f"""<OpenSimDocument Version="40000"><Model name="walker"><gravity>0 -9.8 0</gravity>
<BodySet><objects>{BODY.format("trunk", 40, 0.2)}{BODY.format("leg", 9, -0.3)}
{BODY.format("foot", 1, -0.02)}</objects></BodySet>
<JointSet><objects>
<PlanarJoint name="base"><socket_parent_frame>/ground</socket_parent_frame>
  <socket_child_frame>/bodyset/trunk</socket_child_frame><coordinates>
  <Coordinate name="tilt"/><Coordinate name="tx"/><Coordinate name="ty"/></coordinates>
</PlanarJoint>
<PinJoint name="hip"><frames><PhysicalOffsetFrame name="outer">
  <socket_parent>/bodyset/trunk</socket_parent><translation>0.02 -0.1 0</translation>
  </PhysicalOffsetFrame></frames><socket_parent_frame>outer</socket_parent_frame>
  <socket_child_frame>/bodyset/leg</socket_child_frame>
  <coordinates><Coordinate name="flexion"/></coordinates></PinJoint>
<WeldJoint name="sole"><frames><PhysicalOffsetFrame name="outer">
  <socket_parent>/bodyset/leg</socket_parent><translation>0 -0.8 0</translation>
  </PhysicalOffsetFrame></frames><socket_parent_frame>outer</socket_parent_frame>
  <socket_child_frame>/bodyset/foot</socket_child_frame></WeldJoint>
</objects></JointSet>
<ForceSet><objects><CoordinateActuator name="drive"><coordinate>flexion</coordinate>
</CoordinateActuator></objects></ForceSet>
</Model></OpenSimDocument>"""
FORCE = """<ExternalForce name="{}"><applied_to_body>{}</applied_to_body>
<force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>ground</point_expressed_in_body>{}</ExternalForce>"""
PLATE = """<force_identifier>ground_force_v</force_identifier>
<point_identifier>ground_force_p</point_identifier>
<torque_identifier>ground_torque_</torque_identifier>"""
TWIST = "<torque_identifier>ground_torque_</torque_identifier>"
OFF = "<appliesForce>false</appliesForce>"
LOADS = f"""<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects>
{FORCE.format("plate", "foot", PLATE)}{FORCE.format("more", "/bodyset/foot", TWIST)}
{FORCE.format("off", "trunk", PLATE + OFF)}
</objects><datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""


def storage(columns: dict[str, Array], degrees: str = "no") -> str:
    rows = np.column_stack([*columns.values()])
    head = f"recorded\nversion=1\nnRows={len(rows)}\nnColumns={len(columns)}\ninDegrees={degrees}\n"
    lines = ["\t".join(f"{one:.8f}" for one in row) for row in rows]
    return "\n".join([f"{head}endheader", "\t".join(columns), *lines, ""])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a model, its motion at 60 Hz and a force at 600 Hz."""
    folder, t = tmp_path_factory.mktemp("walk"), np.arange(91) / 60
    waves = {"tilt": (5, 3), "flexion": (30, 7)}
    moving = {name: size * np.sin(rate * t + size) for name, (size, rate) in waves.items()}
    shifts = {"tx": 1.2 * t, "ty": 0.9 + 0.02 * np.cos(9 * t)}
    fine = np.arange(901) / 600
    forces = {
        "ground_force_vx": 90 * np.sin(4 * fine),
        "ground_force_vy": 500 + 200 * np.cos(6 * fine),
        "ground_force_vz": 0 * fine,
        "ground_force_px": 1.2 * fine + 0.1,
        "ground_force_py": 0 * fine,
        "ground_force_pz": 0.01 + 0 * fine,
        "ground_torque_x": 0 * fine,
        "ground_torque_y": 0 * fine,
        "ground_torque_z": 8 * np.sin(fine),
    }
    (folder / "walker.osim").write_text(MODEL)
    (folder / "walk.mot").write_text(storage({"time": t, **moving, **shifts}, "yes"))
    (folder / "grf.mot").write_text(storage({"time": fine, **forces}))
    (folder / "grf.xml").write_text(LOADS)
    return folder


def test_one_command_gives_what_the_tool_of_opensim_gives(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_inverse_dynamics_tool(folder, 1.5)
    monkeypatch.chdir(folder)
    how = ("--loads", "grf.xml", "--filter", "opensim", "--cutoff", "6", "-o", "found.sto")
    done = CliRunner().invoke(main, ["inverse", "walker.osim", "walk.mot", *how])
    assert done.exit_code == 0, done.output
    assert "walker.osim: left: 1 × CoordinateActuator, for torques of coordinates" in done.output
    found, expected = (table(folder / name) for name in ("found.sto", "tool.sto"))
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=0, atol=1e-4, err_msg=name)


def table(path: Path) -> dict[str, Array]:
    lines = path.read_text().split("\n")
    first = lines.index("endheader") + 1
    rows = np.array([[*map(float, line.split())] for line in lines[first + 1 :] if line.strip()])
    return dict(zip(lines[first].split(), rows.T, strict=True))


def test_torques_of_coordinates_leave_residuals_of_the_base_alone(folder: Path) -> None:
    model = import_model(folder / "walker.osim", muscles="torques").model
    motion = freebody.read_motion(folder / "walk.mot", model).filtered(6, tool="opensim")
    found = freebody.inverse(model, motion, forces=folder / "grf.xml")
    assert list(model.inputs) == ["tau_flexion"]
    residual, hip = found.data["residual"], found.data["generalized"].sel(speed="flexion_dot")
    assert float(abs(residual.sel(speed="flexion_dot")).max()) < 1e-9
    assert float(abs(residual.sel(speed="ty_dot")).max()) > 1
    torque = found.data["inputs"].sel(input="tau_flexion")
    np.testing.assert_allclose(torque, hip, atol=1e-9)
    assert np.isfinite(found.data["power"]).all()
    assert found.provenance["filter"]["type"].startswith("Butterworth of order 3, as OpenSim")


def test_several_forces_on_a_body_are_one(folder: Path) -> None:
    (foot,) = read_external_loads(folder / "grf.xml").items()
    assert foot[0] == "foot"
    force, moment = foot[1].wrench([0.5])
    place = np.array([0.7, 0, 0.01])
    twist = np.array([0, 0, 2 * 8 * np.sin(0.5)])
    np.testing.assert_allclose(moment[0], np.cross(place, force[0]) + twist, atol=1e-5)


BAD = {
    "a column": (LOADS.replace("ground_force_v<", "ground_force_w<", 1), "did you mean"),
    "a frame": (LOADS.replace("in_body>ground", "in_body>leg", 1), "expected ground"),
    "no point": (
        LOADS.replace("<point_identifier>ground_force_p</point_identifier>", "", 1),
        "act",
    ),
    "no file": (LOADS.replace("grf.mot", "none.mot"), "none.mot"),
    "no loads": (LOADS.replace("ExternalLoads", "Loads"), "expected one <ExternalLoads>"),
    "a bomb": ('<!DOCTYPE m [<!ENTITY a "b">]><OpenSimDocument/>', "a <!DOCTYPE> declares"),
    "no body": (LOADS.replace(">foot<", "><", 1), "expected 'applied_to_body'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_loads_are_refused_with_their_place(folder: Path, case: str) -> None:
    text, told = BAD[case]
    (folder / "bad.xml").write_text(text)
    with pytest.raises(freebody.MotionError) as refused:
        read_external_loads(folder / "bad.xml")
    assert told in str(refused.value)


def test_the_filter_of_opensim_needs_its_cutoff_and_its_order() -> None:
    t = np.arange(60) / 60
    motion = Motion.of(t, {"a": np.sin(t)})
    for how, told in {
        (None, 2, "opensim"): "expected a cut-off",
        (6.0, 4, "opensim"): "order 3",
        (6.0, 2, "opensin"): "did you mean 'opensim'?",
        (40.0, 2, "opensim"): "between 0 and 30 Hz",
        (6.0, 9, ""): "from 1 to 8, found 9",
    }.items():
        cutoff, order, tool = how
        with pytest.raises(freebody.MotionError, match=told.replace("?", r"\?")):
            motion.filtered(cutoff, order=order, tool=tool)


# ---------------------------------------------------------------------- force plates


def plate_file(path: Path, sign: float = 1.0) -> tuple[Array, Array]:
    """Write a C3D file with a force plate on a floor across z; return force and place."""
    pytest.importorskip("ezc3d")
    return write_plates(path, 1, np.arange(20) / 1000, sign)


@pytest.mark.parametrize("sign", [1, -1])
def test_force_plates_give_what_acts_on_the_foot(tmp_path: Path, sign: int) -> None:
    force, place = plate_file(tmp_path / "walk.c3d", sign)
    (found,) = read_force_plates(tmp_path / "walk.c3d")
    up = np.sign(force[2].mean())
    np.testing.assert_allclose(found.force.T, up * force, rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(found.point, np.tile(place, (20, 1)), atol=1e-6)
    np.testing.assert_allclose(found.moment[:, 2], -up * 0.7, rtol=1e-4)
    assert np.diff(found.times) == pytest.approx([1e-3] * 19)
    assert ("its opposite is taken" in " ".join(found.told)) == (sign * up < 0)
    turned = found.turned("x", "z", "-y")
    np.testing.assert_allclose(turned.force[:, 1], found.force[:, 2])


def test_a_file_that_ends_what_reads_it_is_told(tmp_path: Path) -> None:
    plate_file(tmp_path / "walk.c3d")
    whole = (tmp_path / "walk.c3d").read_bytes()
    (tmp_path / "cut.c3d").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(freebody.MotionError, match=r"cut\.c3d"):
        read_force_plates(tmp_path / "cut.c3d")
