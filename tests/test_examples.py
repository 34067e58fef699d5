"""The examples run as they are, write their pictures, and print what they are to show."""

from __future__ import annotations

import re
import runpy
import sys
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main

HOME = Path(__file__).parents[1] / "examples"
OWN = ("reach", "gait")
"""Those with tests of their own."""
EXAMPLES = [path for path in sorted(HOME.glob("*.py")) if path.stem not in OWN]
EXERCISES = sorted((HOME / "exercises").glob("*.py"))


@cache
def printed(example: Path, *arguments: str | Path) -> str:
    """Run an example in this process, which has the libraries, and return what it prints."""
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(StringIO()) as shown:
        patched.setattr(sys, "argv", [str(example), *map(str, arguments)])
        patched.syspath_prepend(example.parent)
        runpy.run_path(str(example), run_name="__main__")
    return shown.getvalue()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.exhaustive
def test_an_example_writes_its_picture(example: Path, tmp_path: Path) -> None:
    printed(example, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000


SHOWN = {
    "1_single_pendulum": ["M[1,1] = I + d**2*m", "the same by kane", "the same by lagrange"],
    "2_double_pendulum": [f"{name}: the same as that of the two links" for name in "MCG"],
    "3_inverse_dynamics": [r"differs by at most \de-(09|1\d) N m"],
    "4_direct_dynamics": [r"differs by at most \de-1\d rad"],
    "5_special_cases": ["vanishes"],
    "6_segment_angles": [
        *(f"{name} +the same as" for name in ("M", "C", "G", "E", "tau")),
        r"theta1_dot\*theta2_dot in C: 0 0",
    ],
    "7_other_parameters": ["de Leva's table"],
}


@pytest.mark.few(*EXERCISES[1::3])
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda path: path.stem)
def test_an_exercise_shows_what_it_says(exercise: Path) -> None:
    text = printed(exercise)
    for line in SHOWN[exercise.stem]:
        assert line in text or re.search(line, text), f"expected '{line}' in\n{text}"


def test_the_terms_of_each_movement_are_those_of_the_equations() -> None:
    text = printed(HOME / "exercises" / "5_special_cases.py")
    general, *cases = text.split("\n\n")
    said = [dict(re.findall(r"  (T\d \w+) +(vanishes|stays|is .*)", case)) for case in cases]
    assert "T1 G           = 0" in general
    a, b, c, d = said
    # one joint at rest: its own inertia, and the other's centripetal and Coriolis terms, are gone
    assert a["T1 inertia"] == a["T2 centripetal"] == a["T1 Coriolis"] == "vanishes"
    assert a["T1 centripetal"] == a["T1 coupling"] == a["T2 inertia"] == "stays"
    # stretched, nothing but inertia is left
    assert b["T1 C"] == b["T2 C"] == b["T1 coupling"] == "vanishes"
    # bent, the elbow must hold the forearm against its centrifugal force
    assert c["T1 C"] == "vanishes"
    assert c["T2 C"] == "stays"
    # the polar manipulator: Coriolis and centripetal terms of the shoulder cancel
    assert d["T1 centripetal"] == "is -4*L1*alpha1_dot**2*d2*m2*sin(2*alpha1)"
    assert d["T1 Coriolis"] == "is 4*L1*alpha1_dot**2*d2*m2*sin(2*alpha1)"
    assert d["T1 C"] == "vanishes"
    assert d["T1 torque"] == "is alpha1_ddot*(I1 - I2 + d1**2*m1 + m2*(L1**2 - d2**2))"
    assert "x*y_dot - y*x_dot = alpha1_dot*(L1**2 - L2**2)" in cases[3]


@pytest.mark.exhaustive
def test_the_reaches_show_which_terms_dominate(tmp_path: Path) -> None:
    text = printed(HOME / "reach.py", tmp_path / "reach.png")
    pictures = [*tmp_path.glob("reach_*.png")]
    assert len(pictures) == 3
    assert all(picture.stat().st_size > 10_000 for picture in pictures)
    assert text.count(", holds;") == 6
    assert "does not hold" not in text
    assert "found 64, 64, 64, 64, 64, 64" in text
    assert "largest |G| 0 N m, largest difference of the rest 0 N m" in text


@pytest.mark.exhaustive
def test_the_step_comes_back_and_takes_files_of_ones_own(tmp_path: Path) -> None:
    picture = tmp_path / "gait.png"
    text = printed(HOME / "gait.py", picture)
    assert picture.stat().st_size > 10_000
    parts = re.findall(r"  (F_x|F_y|T_\w+) +(\S+) of its largest", text)
    assert [name for name, _ in parts] == ["F_x", "F_y", "T_hip", "T_knee", "T_ankle"]
    assert all(float(part) < 1e-6 for _, part in parts)
    plate = pd.read_csv(tmp_path / "gait_plate.csv")
    assert plate["px"].iloc[-1] - plate["px"].iloc[100] > 0.1
    assert abs(plate["fx"]).max() > 100
    files = [tmp_path / "gait_angles.csv", tmp_path / "gait_plate.csv"]
    own = printed(HOME / "gait.py", tmp_path / "own.png", *files)
    assert "of its largest" not in own
    assert (tmp_path / "own.png").stat().st_size > 10_000


@pytest.fixture(scope="module")
def step(tmp_path_factory: pytest.TempPathFactory) -> tuple[freebody.Simulation, Path, Path]:
    """Return a step and the files of its angles and of the plate."""
    gait, folder = runpy.run_path(str(HOME / "gait.py")), tmp_path_factory.mktemp("step")
    run, angles, plate = gait["step"](), folder / "angles.csv", folder / "plate.csv"
    gait["record"](run, angles, plate)
    return run, angles, plate


@pytest.mark.exhaustive
def test_the_step_comes_back_on_the_command_line(step: Any, tmp_path: Path) -> None:
    (run, angles, plate), torques = step, tmp_path / "torques.csv"
    command = ["inverse", "leg_sagittal", str(angles), "--force", f"foot={plate}"]
    result = CliRunner().invoke(main, [*command, "-o", str(torques)])
    assert result.exit_code == 0, result.output
    found = pd.read_csv(torques)
    inside = found["time [s]"].between(0.05, 0.75).to_numpy()
    for name, unit in {"F_x": "N", "F_y": "N", "T_hip": "N*m", "T_knee": "N*m"}.items():
        true = run.data["inputs"].sel(input=name).to_numpy()
        away = abs(found[f"{name} [{unit}]"].to_numpy() - true)[inside]
        assert away.max() < 1e-6 * abs(true).max()


@pytest.mark.exhaustive
def test_a_recording_in_degrees_and_a_plate_of_another_rate_will_do(
    step: Any, tmp_path: Path
) -> None:
    run, recorded, pushed = step
    angles, plate = tmp_path / "angles.csv", tmp_path / "plate.csv"
    own = pd.read_csv(recorded)
    for name in ("hip", "knee", "ankle"):
        own[f"{name} [deg]"] = np.degrees(own.pop(f"{name} [rad]"))
    own.to_csv(angles, index=False)
    pd.read_csv(pushed).iloc[::2].to_csv(plate, index=False)
    found = freebody.inverse("leg_sagittal", angles, forces={"foot": plate})
    true = run.data["inputs"].sel(input="T_ankle").to_numpy()
    away = abs(found.data["inputs"].sel(input="T_ankle").to_numpy() - true)
    assert away[50:-50].max() < 1e-4 * abs(true).max()
