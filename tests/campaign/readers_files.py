"""Files that the documentation takes for granted: what a reader has recorded or written.

A page has those that it speaks of, so that what it writes meets nothing that it did not write.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import freebody
from documentation import PAGES
from freebody.arrays import Array
from freebody.model import shipped
from freebody.motion import posture_reach, read_motion
from listings import DOUBLE
from plates import write_plates

ROOT = Path(__file__).parents[2]
PAGE = """We look at $T$ and $V$.

$$ x = l \\sin\\theta \\tag{1} $$

$$ \\dot x = l \\dot\\theta \\cos\\theta \\tag{2} $$
"""
HANGING = r"""A load hangs from a trolley.

$$ x_P = s + b \sin\beta \tag{1.1} $$

$$ y_P = -b \cos\beta \tag{1.2} $$

$$ T = \frac{1}{2} A \dot s^2 + \frac{1}{2} \mu (\dot x_P^2 + \dot y_P^2) \tag{2.1} $$

$$ V = \mu g y_P \tag{2.2} $$

$$ (A + \mu) \ddot s + \mu b \ddot\beta \cos\beta - \mu b \dot\beta^2 \sin\beta = P \tag{3} $$

$$ b \ddot\beta + \ddot s \cos\beta + g \sin\beta = 0 \tag{4} $$
"""
TEX = f"\\documentclass{{article}}\n\\begin{{document}}\n{PAGE}\\end{{document}}\n"
SHOWN = PAGE.replace("$$ ", "\\[ ").replace(" $$", " \\]")
HTML = f"<html><body><p>{SHOWN}</p></body></html>"
CELL = {"cell_type": "markdown", "metadata": {}, "source": PAGE.splitlines(keepends=True)}
NOTEBOOK = json.dumps({"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
BALL = """
gravity = [0, "-g", 0]
[coordinates]
x = { unit = "m", initial = 0, initial_speed = 1 }
y = { unit = "m", initial = 2 }
[constants]
m = { unit = "kg", value = 1 }
g = { unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "ball"
mass = "m"
[[joints]]
name = "flight"
type = "planar"
parent = "ground"
child = "ball"
translation = ["x", "y"]
rotation = 0
"""
LINK = '<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0"\
 ixz="0" iyz="0"/></inertial></link>'
URDF = f"""<robot name="arm"><link name="table"/>{LINK.format("upper")}
<joint name="shoulder_lift_joint" type="revolute"><parent link="table"/><child link="upper"/>
<axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="9" velocity="9"/></joint></robot>"""
MJCF = """<mujoco><worldbody><body name="thigh"><joint name="hip" axis="0 1 0"/>
<geom type="capsule" size="0.05 0.2" mass="7"/></body></worldbody></mujoco>"""
PLATE = "time,fx,fy\n0,0,0\n0.1,0,1\n0.4,1,1\n0.5,0,0\n"
MARKERS = (
    "PathFileType\t4\t(X/Y/Z)\treach.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t2\t1\tm\n"
    "Frame#\tTime\tR.Wrist\t\t\n\t\tX1\tY1\tZ1\n\n"
    "1\t0.00\t0.30\t0.40\t0\n2\t0.01\t0.31\t0.40\t0\n"
)
DOCUMENT = f"""+++
title = "A pendulum"
model = "pendulum"
[symbols]
'x' = "position.link.x"
'l' = "d"
'\\theta' = "theta"
+++
{PAGE}"""
OSIM = """<OpenSimDocument Version="40000"><Model name="leg"><BodySet><objects><Body name="thigh">
<mass>8</mass><mass_center>0 -0.2 0</mass_center><inertia>0.1 0.1 0.1 0 0 0</inertia></Body>
</objects></BodySet><JointSet><objects><PinJoint name="hip">
<socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/thigh</socket_child_frame>
<coordinates><Coordinate name="flexion"><default_value>0.1</default_value></Coordinate>
</coordinates></PinJoint></objects></JointSet></Model></OpenSimDocument>"""
FOOT = """<Body name="calcn_{0}"><mass>1</mass><mass_center>0.1 0 0</mass_center>
<inertia>0.01 0.01 0.01 0 0 0</inertia></Body>"""
ANKLE = """<PinJoint name="ankle_{0}"><socket_parent_frame>/bodyset/pelvis</socket_parent_frame>
<socket_child_frame>/bodyset/calcn_{0}</socket_child_frame><coordinates>
<Coordinate name="ankle_{0}"/></coordinates></PinJoint>"""
WALKER = f"""<OpenSimDocument Version="40000"><Model name="walker"><BodySet><objects>
<Body name="pelvis"><mass>60</mass><mass_center>0 0.2 0</mass_center>
<inertia>2 2 2 0 0 0</inertia></Body>{FOOT.format("r")}{FOOT.format("l")}</objects></BodySet>
<JointSet><objects><PlanarJoint name="base"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/pelvis</socket_child_frame><coordinates><Coordinate name="tilt"/>
<Coordinate name="tx"/><Coordinate name="ty"/></coordinates></PlanarJoint>
{ANKLE.format("r")}{ANKLE.format("l")}</objects></JointSet></Model></OpenSimDocument>"""
LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects>
<ExternalForce name="right"><applied_to_body>calcn_r</applied_to_body>
<force_identifier>ground_force_v</force_identifier>
<point_identifier>ground_force_p</point_identifier></ExternalForce></objects>
<datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""


def storage(columns: dict[str, Array]) -> str:
    """Return columns as a file of OpenSim has them."""
    rows = np.column_stack([*columns.values()])
    head = ["recorded", f"nRows={len(rows)}", f"nColumns={len(columns)}", "inDegrees=no"]
    lines = ["\t".join(f"{one:.8f}" for one in row) for row in rows]
    return "\n".join([*head, "endheader", "\t".join(columns), *lines, ""])


def walked() -> str:
    """Return a motion of the walker."""
    t = np.arange(61) / 60
    moving = {name: 0.1 * np.sin(t + k) for k, name in enumerate(("tilt", "ankle_r", "ankle_l"))}
    return storage({"time": t, **moving, "tx": t, "ty": 0.9 + 0 * t})


def pressed() -> str:
    """Return the forces of a plate under the walker."""
    t = np.arange(601) / 600
    names = [f"ground_force_{what}{axis}" for what in "vp" for axis in "xyz"]
    return storage({"time": t, **{name: k + 0 * t for k, name in enumerate(names)}})


TEXTS = {
    **dict.fromkeys(("paper.md", "solution.md"), DOCUMENT),
    **dict.fromkeys(("student.md", "anna.md", "ben.md", "notes.md"), PAGE),
    **dict.fromkeys(("homework/anna.md", "homework/ben.md"), PAGE),
    **dict.fromkeys(("lecture_notes/one.md", "pages/one.md"), PAGE),
    "gait2354.osim": OSIM,
    "subject01.osim": WALKER,
    "subject.osim": WALKER,
    "walk.mot": walked(),
    "grf.mot": pressed(),
    "grf.xml": LOADS,
    **dict.fromkeys(("paper.tex", "anna.tex", "lecture.tex"), TEX),
    **dict.fromkeys(("notes.html", "paper.html"), HTML),
    **dict.fromkeys(("notes.ipynb", "lecture.ipynb", "ben.ipynb"), NOTEBOOK),
    "pages.txt": "pages/one.md\n",
    "hanging.md": HANGING,
    "ball.toml": BALL,
    "ur5.urdf": URDF,
    "quadruped.urdf": URDF,
    "humanoid.xml": MJCF,
    "simulator.py": DOUBLE,
    "forces.csv": PLATE,
    "reach.trc": MARKERS,
}
BESIDE = {"grf.mot": "grf.xml"}
"""Files that a page does not name, by those which name them."""
MODELS = {
    "arm.toml": "double_pendulum",
    "leg.toml": "leg_sagittal",
    "my_models/pendulum/model.toml": "pendulum",
}


def written_for(page: str, folder: Path) -> None:
    """Write what a page takes for granted; tutorials take nothing."""
    if page.startswith(("docs/start", "docs/tutorials", "docs/explanation")):
        return
    spoken_of = PAGES[page].read_text(encoding="utf-8")
    for name, text in TEXTS.items():
        if BESIDE.get(name, name).partition("/")[0] in spoken_of:
            _placed(folder, name).write_text(text, encoding="utf-8")
    for name, model in MODELS.items():
        if name.partition("/")[0] in spoken_of:
            shutil.copyfile(shipped()[model] / "model.toml", _placed(folder, name))
    for names, write in RECORDED.items():
        if any(name in spoken_of for name in names):
            write(folder)


def _placed(folder: Path, name: str) -> Path:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    return folder / name


def _reach(folder: Path) -> None:
    angles = {"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0.0, "alpha2": 1.5}
    posture_reach(*angles, 0.5, 100.0).save(folder / "reach.csv")


def _plates(folder: Path) -> None:
    write_plates(folder / "walk.c3d", 2, np.arange(1000) / 900)


def _step(folder: Path) -> None:
    """Make the recording of a step, under all names that the pages have for it."""
    (folder / "demo").mkdir()
    script = [sys.executable, str(ROOT / "examples" / "gait.py"), "demo/gait.png"]
    subprocess.run(script, cwd=folder, check=True, capture_output=True)  # noqa: S603
    shutil.copyfile(folder / "demo" / "gait_angles.csv", folder / "angles.csv")
    shutil.copyfile(folder / "demo" / "gait_plate.csv", folder / "plate.csv")
    data = read_motion(folder / "angles.csv", "leg_sagittal").data
    moved = dict(zip(data["coordinate"].values, data["coordinates"].values.T, strict=True))
    columns = {"time": data["time"].values, **moved}
    (folder / "gait.mot").write_text(storage(columns), encoding="utf-8")


def _swing(folder: Path) -> None:
    """Make the recording of an arm that its torques move, under both of its names."""
    laws = {"T1": "2*sin(2*t)", "T2": "sin(3*t)"}
    run = freebody.simulate("two_link", 2, constants={"m2": 1.3}, inputs=laws, unchecked=True)
    for name in ("run.csv", "recording.csv"):
        run.save(folder / name)


def _pendulum(folder: Path) -> None:
    """Make the recording of a pendulum that swings freely."""
    run = freebody.simulate("pendulum", 2, constants={"d": 0.35}, inputs={"T": 0}, unchecked=True)
    run.save(folder / "swing.csv")


def _motor(folder: Path) -> None:
    """Make the recording of a pendulum on a motor, at uneven times."""
    model = ROOT / "examples" / "identification" / "pendulum_on_a_motor.toml"
    run = freebody.simulate(model, 3.9, inputs={"torque": "2*sin(5*t)"}, unchecked=True)
    noise = np.random.default_rng(0)
    times = np.linspace(0, 3.9, 1170) + noise.uniform(-1e-3, 1e-3, 1170)
    times[0], times[-1] = 0.0, 3.9
    position = np.interp(times, run.data["time"], run.data["coordinates"].values[:, 0])
    rows = np.column_stack([times, position, 2 * np.sin(5 * times)])
    np.savetxt(
        folder / "data_measured.csv", rows, "%.6f", ",", header="time,position,torque", comments=""
    )


RECORDED: dict[tuple[str, ...], Callable[[Path], None]] = {
    ("reach.csv",): _reach,
    ("walk.c3d",): _plates,
    ("angles.csv", "plate.csv", "gait.mot"): _step,
    ("recording.csv", "run.csv"): _swing,
    ("data_measured.csv",): _motor,
    ("swing.csv",): _pendulum,
}
"""What makes recordings, by the names that pages have for them."""
