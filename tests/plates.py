"""C3D files with force plates, for the tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def write_plates(path: Path, count: int, times: Array, sign: float = 1.0) -> tuple[Array, Array]:
    """Write a file with plates of type 2 on a floor across z, which are pressed alike.

    Parameters
    ----------
    path : Path
    count : int
        How many plates, side by side along y.
    times : array, shape (time,)
        From 0 on, at even steps, in s.
    sign : float, optional
        -1 for what is done to the plates.

    Returns
    -------
    force : array, shape (3, time)
        On what stands on a plate, in the axes of the file, in N.
    place : array, shape (3,)
        Where it acts on the first plate, in m.
    """
    import ezc3d

    file, rate = ezc3d.c3d(), 1 / (times[1] - times[0])
    file["parameters"]["POINT"]["RATE"]["value"] = [rate / 10]
    file["parameters"]["POINT"]["UNITS"]["value"] = ("mm",)
    file["parameters"]["POINT"]["LABELS"]["value"] = ("heel",)
    file["data"]["points"] = np.ones((4, 1, len(times) // 10))
    # along a plate's own axes, x along that of the laboratory, z into the floor
    force = np.array([20.0, -10.0, -500.0])[:, None] * np.sin(3 + times / 100)
    at = np.array([30.0, -40.0, 0.0])
    twist = np.array([0, 0, 700.0])[:, None] + 0 * times
    moment = np.cross(at, force, axis=0) + twist
    file["parameters"]["ANALOG"]["RATE"]["value"] = [rate]
    names = [f"{what}{axis}{n}" for n in range(count) for what in "FM" for axis in "xyz"]
    file["parameters"]["ANALOG"]["LABELS"]["value"] = tuple(names)
    file["parameters"]["ANALOG"]["UNITS"]["value"] = ("N", "N", "N", "Nmm", "Nmm", "Nmm") * count
    file["data"]["analogs"] = sign * np.vstack([force, moment] * count)[None]
    corners = np.array([[400, 0, 0], [0, 0, 0], [0, 600, 0], [400, 600, 0]], float).T
    shifts = 600 * np.arange(count) * np.array([0, 1, 0])[:, None, None]
    plates = {
        "USED": [count],
        "TYPE": [2] * count,
        "CORNERS": corners[:, :, None] + shifts,
        "ORIGIN": np.zeros((3, count)),
        "CHANNEL": np.arange(1, 6 * count + 1).reshape(6, count, order="F"),
        "ZERO": [0, 0],
    }
    for name, value in plates.items():
        file["parameters"]["FORCE_PLATFORM"][name]["value"] = np.asarray(value)
    file.write(str(path))
    axes = np.diag([1.0, -1, -1])
    return axes @ force, np.array([0.2, 0.3, 0]) + axes @ at / 1000
