"""C3D files, read by ezc3d in a process of its own: on some files it ends the process it is in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from freebody.arrays import Array
from freebody.errors import MotionError

PLATE = ("force", "moment", "center_of_pressure", "Tz")
"""What is known of a force plate over time, each of shape (3, time)."""
LONGEST = 120.0
"""Seconds that a file may take."""
REFUSED = 3
"""The exit code where it is no such file."""


def read_c3d(path: Path, *, plates: bool = False) -> Mapping[str, Array]:
    """Return what a C3D file has of markers, and of force plates if they are asked for.

    Parameters
    ----------
    path : Path
    plates : bool, optional

    Returns
    -------
    mapping of str to array
        ``labels``, ``points`` (axis, marker, time) in ``unit``, ``rate`` and ``first``, the number
        of the first frame; of plate n from 0 on ``corners.n`` (axis, corner), ``units.n`` of
        forces, positions and moments, and the parts of `PLATE`; ``plates``, how many there are, and
        ``plate_rate``.

    Raises
    ------
    MotionError
        If ezc3d is not installed, the file is none of its kind, or ezc3d does not survive it.
    """
    if find_spec("ezc3d") is None:
        message = "a .c3d file is read by ezc3d: pip install 'freebody[motion]'"
        raise MotionError.whole(path, message)
    with TemporaryDirectory() as folder:
        out = Path(folder) / "read.npz"
        command = [sys.executable, "-m", __name__, str(path), str(out), "plates" * plates]
        try:
            done = subprocess.run(  # noqa: S603 - of freebody itself
                command, capture_output=True, text=True, timeout=LONGEST, check=False
            )
        except subprocess.TimeoutExpired:
            raise MotionError.whole(path, f"ezc3d takes more than {LONGEST:g} s for it") from None
        if done.returncode == REFUSED:
            raise MotionError.whole(path, f"no C3D file: {done.stdout.strip()}")
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no reason told"]
            raise MotionError.whole(path, f"ezc3d cannot read it: {last[0].strip()[:200]}")
        with np.load(out) as found:
            return dict(found)


def main(path: str, out: str, plates: str) -> int:
    """Read a file, and write what it has."""
    import ezc3d

    try:
        file = ezc3d.c3d(path, extract_forceplat_data=bool(plates))
    except (OSError, RuntimeError, ValueError) as error:
        sys.stdout.write(str(error))
        return REFUSED
    np.savez(out, **dict(_markers(file)), **(dict(_plates(file)) if plates else {}))
    return 0


def _markers(file: Any) -> Iterator[tuple[str, Any]]:
    point = file["parameters"]["POINT"]
    yield "unit", np.array(_text(point, "UNITS"))
    yield "rate", np.array(float(point["RATE"]["value"][0]))
    yield "labels", np.array([str(name).strip() for name in point["LABELS"]["value"]], dtype=str)
    yield "first", np.array(file["header"]["points"]["first_frame"])
    yield "points", np.asarray(file["data"]["points"][:3], dtype=float)


def _plates(file: Any) -> Iterator[tuple[str, Any]]:
    found = file["data"]["platform"]
    yield "plates", np.array(len(found))
    yield "plate_rate", np.array(float(file["header"]["analogs"]["frame_rate"]))
    for number, plate in enumerate(found):
        yield f"corners.{number}", np.asarray(plate["corners"], dtype=float)
        units = [plate[f"unit_{of}"] for of in ("force", "position", "moment")]
        yield f"units.{number}", np.array(units, dtype=str)
        for part in PLATE:
            yield f"{part}.{number}", np.asarray(plate[part], dtype=float)


def _text(parameters: Any, name: str) -> str:
    values = list(parameters[name]["value"]) if name in parameters else []
    return str(values[0]).strip() if values else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3]))
