"""Walks that OpenSim ships, in the plane and in space, beside what its own tool gave of them.

Their files are not shipped here: they are those of the repository ``opensim-models`` of OpenSim.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import freebody
from freebody.inverse_dynamics import read_external_loads
from freebody.motion import read_motion
from problems.problem import Numbers, Problem

FILES = "Pipelines"
CUTOFF = 6.0
"""Of the filter of the coordinates, in Hz."""


@dataclass(frozen=True)
class Walk:
    """A walk: its model, the recorded coordinates and forces, and what the tool gave.

    Attributes
    ----------
    name : str
    model, motion, loads, expected : str
        Files below the folder of the pipelines.
    """

    name: str
    model: str
    motion: str
    loads: str
    expected: str


PLANE, SPACE = "Gait10dof18musc/OutputReference", "Gait2354_Simbody"
WALKS = (
    Walk(
        "gait10dof18musc",
        f"{PLANE}/subject01.osim",
        f"{PLANE}/IK/subject01_walk_IK.mot",
        f"{PLANE}/ExperimentalData/subject01_walk_grf.xml",
        f"{PLANE}/ID/Results/subject01_walk_ID.sto",
    ),
    Walk(
        "gait2354",
        f"{SPACE}/OutputReference/subject01_simbody.osim",
        f"{SPACE}/OutputReference/subject01_walk1_ik.mot",
        f"{SPACE}/subject01_walk1_grf.xml",
        f"{SPACE}/OutputReference/ResultsInverseDynamics/inverse_dynamics.sto",
    ),
)


def problems(folder: Path) -> tuple[Problem, ...]:
    """Return the walks of a copy of the repository.

    Parameters
    ----------
    folder : Path
        Of the copy.

    Returns
    -------
    tuple of Problem

    Raises
    ------
    SystemExit
        If a file is not there.
    """
    return tuple(_problem(folder / FILES, walk) for walk in WALKS)


def _problem(folder: Path, walk: Walk) -> Problem:
    for path in (walk.model, walk.motion, walk.loads, walk.expected):
        if not (folder / path).is_file():
            raise SystemExit(f"{folder / path}: not found; expected a copy of opensim-models")
    columns, times, published = _storage(folder / walk.expected)
    return Problem(
        walk.name,
        "forces and moments of a walk, N, N m",
        "OpenSim's InverseDynamicsTool, output that it ships",
        partial(_found, folder, walk, columns, times),
        published,
    )


def _found(folder: Path, walk: Walk, columns: list[str], times: Numbers) -> Numbers:
    model = freebody.import_model(folder / walk.model, muscles="torques").model
    motion = read_motion(folder / walk.motion, model).filtered(CUTOFF, tool="opensim")
    found = freebody.inverse(model, motion, forces=read_external_loads(folder / walk.loads))
    forces = found.data["generalized"].sel(time=times, method="nearest")
    rates = [f"{column.rsplit('_', 1)[0]}_dot" for column in columns]
    return forces.sel(speed=rates).to_numpy()


def _storage(path: Path) -> tuple[list[str], Numbers, Numbers]:
    """Return the names of the columns of a file of OpenSim, its times and its numbers."""
    lines = path.read_text("utf-8").splitlines()
    head = lines.index("endheader") + 1
    rows = np.array([[*map(float, line.split())] for line in lines[head + 1 :] if line.strip()])
    return lines[head].split()[1:], rows[:, 0], rows[:, 1:]
