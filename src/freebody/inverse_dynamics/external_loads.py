"""The external loads of OpenSim: which columns of a file are forces, and on what they act."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import ModelError, MotionError, Problem, nearest
from freebody.importing.elements import Element, read, shown
from freebody.importing.opensim.document import flat, is_true
from freebody.inverse_dynamics.forces import AppliedForce, together
from freebody.mechanics.parts import AXES
from freebody.motion.checks import expect_times
from freebody.motion.reading import RecordedTable, read_table

GROUND = ("ground", "/ground", "")
KINDS = ("force", "point", "torque")
"""What the columns of an external force are, by the name of their identifier."""


@checked
def read_external_loads(path: str | Path) -> dict[str, AppliedForce]:
    """Read the external loads of OpenSim, with the file of forces that they name.

    Parameters
    ----------
    path : str or Path
        The XML file, whose ``<datafile>`` stands beside it or where it says.

    Returns
    -------
    dict of str to AppliedForce
        By the body that they act on; several on one body are one force.

    Raises
    ------
    MotionError
        If it cannot be read, a column is missing, or a force is given in the frame of a body.
    """
    path = Path(path)
    try:
        root = flat(read(path))
        loads = list(root.all("ExternalLoads")) if root.tag == "OpenSimDocument" else []
        if len(loads) != 1:
            root.refuse(f"expected one <ExternalLoads>, found {len(loads)}")
        table = read_table(path.parent / loads[0].need("datafile"))
        forces = [
            _force(one, table)
            for group in loads[0].all("objects")
            for one in group.all("ExternalForce")
            if _acts(one)
        ]
    except ModelError as error:
        raise MotionError(error.source, error.problems) from None
    found: dict[str, AppliedForce] = {}
    for body, force in forces:
        found[body] = together(found[body], force) if body in found else force
    return found


def _acts(force: Element) -> bool:
    is_on = is_true(force, "appliesForce", True) and not is_true(force, "isDisabled", False)
    return is_on and _last(force.need("applied_to_body")) not in GROUND


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _force(element: Element, table: RecordedTable) -> tuple[str, AppliedForce]:
    """Return an external force, and the body that it acts on."""
    body = _last(element.need("applied_to_body"))
    for frame in ("force_expressed_in_body", "point_expressed_in_body"):
        if _last(element.get(frame) or "") not in GROUND:
            element.refuse(f"{frame}: expected ground, found '{shown(element.get(frame))}'")
    parts = {kind: _columns(element, kind, table) for kind in KINDS}
    if parts["force"] is None and parts["torque"] is None:
        element.refuse("expected 'force_identifier' or 'torque_identifier', found none")
    if parts["force"] is not None and parts["point"] is None:
        element.refuse("point_identifier: expected where the force acts, found none")
    times = table.columns["time"]
    expect_times(times, table.source, table.place)
    none = np.zeros((len(times), 3))
    force = none if parts["force"] is None else parts["force"]
    made = AppliedForce.of(times, force, parts["point"], parts["torque"], source=table.source)
    return body, made


def _columns(element: Element, kind: str, table: RecordedTable) -> Array | None:
    """Return the three columns that begin with an identifier."""
    name = element.get(f"{kind}_identifier")
    if not name:
        return None
    wanted = [name + axis for axis in AXES]
    problems = list(_missing(wanted, table.columns))
    if problems:
        raise MotionError(table.source, problems)
    return np.column_stack([table.columns[one] for one in wanted])


def _missing(wanted: list[str], columns: Mapping[str, Array]) -> Iterator[Problem]:
    for name in wanted:
        if name not in columns:
            yield Problem(name, f"there is no such column{nearest(name, columns)}")
