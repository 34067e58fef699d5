"""Recordings of OpenSim: its external loads, its filter, and the files that its tools write."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

import freebody
from freebody.cli import main
from freebody.importing import import_model
from freebody.inverse_dynamics import (
    forces_of_plates,
    read_external_loads,
    read_force_plates,
)
from freebody.motion import Motion
from freebody.motion.c3d import read_c3d
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


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive("-1")
@pytest.mark.few(-1)
@pytest.mark.parametrize("sign", [1, -1])
def test_force_plates_give_what_acts_on_the_foot(tmp_path: Path, sign: int) -> None:
    force, place = plate_file(tmp_path / "walk.c3d", sign)
    (found,) = read_force_plates(tmp_path / "walk.c3d")
    up = np.sign(force[2].mean())
    np.testing.assert_allclose(found.force.T, up * force, rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(found.point, np.tile(place, (20, 1)), atol=1e-6)
    np.testing.assert_allclose(found.moment[:, 2], -up * 0.7, rtol=1e-4)
    assert np.diff(found.times) == pytest.approx([1e-3] * 19)
    assert ("its opposite is taken" in " ".join(found.notes)) == (sign * up < 0)
    turned = found.turned("x", "z", "-y")
    np.testing.assert_allclose(turned.force[:, 1], found.force[:, 2])


@pytest.mark.exhaustive
def test_a_file_that_ends_what_reads_it_is_told(tmp_path: Path) -> None:
    plate_file(tmp_path / "walk.c3d")
    whole = (tmp_path / "walk.c3d").read_bytes()
    (tmp_path / "cut.c3d").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(freebody.MotionError, match=r"cut\.c3d"):
        read_force_plates(tmp_path / "cut.c3d")


FEET = """
title = "Two feet that stand"
gravity = [0, "-g", 0]
[constants]
m = { title = "mass", unit = "kg", value = 2 }
g = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
""" + "".join(
    f"""
[[bodies]]
name = "{side}"
mass = "m"
inertia = 0.01
[[joints]]
name = "on_{side}"
type = "planar"
parent = "ground"
child = "{side}"
translation = ["x_{side}", "y_{side}"]
rotation = "a_{side}"
[coordinates.x_{side}]
title = "forward"
unit = "m"
[coordinates.y_{side}]
title = "up"
unit = "m"
[coordinates.a_{side}]
title = "turn"
unit = "rad"
"""
    for side in "rl"
)


@pytest.fixture(scope="module")
def two_plates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("ezc3d")
    path = tmp_path_factory.mktemp("plates") / "walk.c3d"
    write_plates(path, 2, np.arange(200) / 1000)
    return path


@pytest.fixture(scope="module")
def read_once(two_plates: Path) -> Any:
    found = read_c3d(two_plates, plates=True)
    return lambda *_, **__: found


@pytest.fixture
def standing(tmp_path: Path, two_plates: Path) -> Path:
    """Return a folder with a model of two feet, their motion, and a file with two plates."""
    shutil.copy(two_plates, tmp_path / "walk.c3d")
    (tmp_path / "feet.toml").write_text(FEET)
    names = [f"{what}_{side}" for side in "rl" for what in "xya"]
    rows = [f"{t / 100:g},0.2,0.1,0,0.2,0.1,0" for t in range(19)]
    (tmp_path / "walk.csv").write_text("\n".join([",".join(["time", *names]), *rows]))
    return tmp_path


def asked(folder: Path, *options: str) -> Result:
    files = [str(folder / name) for name in ("feet.toml", "walk.csv", "walk.c3d", "out.csv")]
    command = ["inverse", *files[:2], "--plates", files[2], "-o", files[3], *options]
    return CliRunner().invoke(main, command)


def generalized(folder: Path) -> Array:
    lines = (folder / "out.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    at = next(row for row in rows[1:] if float(row[0]) == 0.1)
    return np.array([float(x) for x, name in zip(at, rows[0], strict=True) if is_sum(name)])


def is_sum(name: str) -> bool:
    return name.startswith("generalized")


@pytest.mark.exhaustive
@pytest.mark.few(())
@pytest.mark.parametrize("cutoff", [(), ("--force-cutoff", "40")])
def test_plates_act_on_feet_in_one_command(standing: Path, cutoff: tuple[str, ...]) -> None:
    options = ("--axes", "x,z,-y", "--plate", "1=r", "--plate", "2=l", *cutoff)
    done = asked(standing, *options)
    assert done.exit_code == 0, done.output
    assert "plate 2 of 2" in done.output
    assert "acts 0." not in done.output
    # what acts, as the plates' own axes have it, in those of the model
    force = np.array([20.0, 500.0, -10.0]) * np.sin(3.001)
    twice = []
    for shift in (0.0, 0.6):
        place = np.array([0.23, 0.0, -(0.34 + shift)]) - [0.2, 0.1, 0.0]
        moment = np.cross(place, force)[2]
        twice += [-force[0], 2 * 9.81 - force[1], -moment]
    np.testing.assert_allclose(generalized(standing), twice, rtol=1e-4, atol=1e-4)


@pytest.mark.exhaustive
def test_two_plates_on_one_foot_are_one_force(standing: Path) -> None:
    forces = forces_of_plates(standing / "walk.c3d", {1: "r", 2: "r"}, ("x", "z", "-y"))
    one, two = read_force_plates(standing / "walk.c3d")
    at = np.array([0.1])
    both = [plate.turned("x", "z", "-y").wrench(at) for plate in (one, two)]
    for found, parts in zip(forces["r"].wrench(at), zip(*both, strict=True), strict=True):
        np.testing.assert_allclose(found, sum(parts), atol=1e-9)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "expected numbers of its plates (1, at most 70."),
        (("--plate", "3=r"), "found 3"),
        (("--plate", "one=r"), "expected --plate NUMBER=BODY"),
        (("--plate", "1=r"), "pulls along -y; found them along z"),
        (("--plate", "1=r", "--axes", "x,z"), "expected three axes, found 2"),
        (("--plate", "1=r", "--axes", "x,z,y"), "right-handed"),
        (("--plate", "1=rr", "--axes", "x,z,-y"), "did you mean 'r'?"),
        (("--plate", "1=r", "--axes", "x,z,-y", "--force-cutoff", "600"), "0 and 500 Hz"),
        (("--plate", "1=r", "--axes", "x,z,-y", "--force", "r=x.csv"), "for 'r', found both"),
        (("--loads", "x.xml"), "--loads or other forces"),
    ],
)
def test_plates_that_are_not_meant_so_are_told(
    standing: Path, read_once: Any, monkeypatch: Any, options: tuple[str, ...], told: str
) -> None:
    monkeypatch.setattr("freebody.inverse_dynamics.plates.read_c3d", read_once)
    done = asked(standing, *options)
    assert done.exit_code
    assert told in " ".join(done.output.split())
    assert "Traceback" not in done.output


@pytest.mark.exhaustive
def test_plates_of_nothing_and_forces_far_away_are_told(standing: Path) -> None:
    moved = (standing / "walk.csv").read_text().replace(",0.2,0.1,0", ",1.2,0.1,0")
    (standing / "walk.csv").write_text(moved)
    done = asked(standing, "--axes", "x,z,-y", "--plate", "1=r")
    text = " ".join(done.output.split())
    assert "plate 2, at most 70." in text
    assert "is of no body" in text
    assert "m past the centre of mass of r, on an average" in text
    bare = CliRunner().invoke(main, ["inverse", "two_link", "x.csv", "--plate", "1=hand"])
    assert "expected --plates FILE.c3d" in bare.output


def test_a_force_without_a_point_or_even_times_is_not_filtered() -> None:
    times = np.arange(50) / 100
    push = freebody.AppliedForce.of(times, np.ones((50, 2)))
    with pytest.raises(freebody.MotionError, match="a point of its own"):
        push.filtered(6)
    times[30:] += 0.1
    pushed = freebody.AppliedForce.of(times, np.ones((50, 2)), point=[0, 0])
    with pytest.raises(freebody.MotionError, match="expected even times"):
        pushed.filtered(6)
