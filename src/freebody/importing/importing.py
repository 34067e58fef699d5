"""A model of another program as a model file, with what became of each of its parts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from freebody.arguments import checked
from freebody.errors import ArgumentError, ModelError, ModelWarning, Problem
from freebody.files import FileError, atomic_write, make_folder
from freebody.importing import mjcf, opensim, urdf
from freebody.importing.description import Description, Note
from freebody.importing.elements import Element, read
from freebody.importing.placing import STRAIGHT, is_rounded
from freebody.importing.writing import written
from freebody.locating import FILE_NAME
from freebody.model import Model, loads

_ROUNDED = (
    f"frame whose angle is within {STRAIGHT:g} rad of a multiple of 15 degrees, and taken for it"
)
Muscles = Literal["paths", "torques"]
"""What drives a model of OpenSim."""
FORMATS = {"robot": "URDF", "mujoco": "MJCF", "OpenSimDocument": "OpenSim"}
"""The formats that are read, by the root of their files."""


@dataclass(frozen=True)
class Imported:
    """A model that was read from a file of another program.

    Attributes
    ----------
    source : Path
        That file.
    format : str
        Its format.
    text : str
        The model file, whose first lines tell what was merged, approximated and left.
    model : Model
        What it says.
    notes : tuple of Note
        What was taken, merged, renamed, approximated and left.
    """

    source: Path
    format: str
    text: str
    model: Model
    notes: tuple[Note, ...]

    def save(self, path: str | Path) -> Path:
        """Write the model file, into a folder unless the path ends in .toml; return where.

        Raises
        ------
        FileError
            If there is such a file already, or it cannot be written.
        """
        file = Path(path)
        if file.suffix != ".toml":
            file = file / FILE_NAME
        if file.exists():
            raise FileError(file, "is there already: name another, or remove it")
        make_folder(file.parent)
        with atomic_write(file) as temporary:
            temporary.write_text(self.text, encoding="utf-8")
        return file

    @property
    def data(self) -> dict[str, Any]:
        """What became of the parts of the file, as plain data."""
        return {
            "source": str(self.source),
            "format": self.format,
            "title": self.model.title,
            "coordinates": list(self.model.coordinates),
            "inputs": list(self.model.inputs),
            "bodies": [body.name for body in self.model.bodies],
            "joints": [joint.name for joint in self.model.joints],
            "notes": [
                {"kind": note.kind, "what": note.what, "line": note.line} for note in self.notes
            ],
        }


@checked
def import_model(
    path: str | Path,
    floating: bool = False,
    within: str | Path | None = None,
    muscles: Muscles = "paths",
) -> Imported:
    """Read a model of another program: URDF, MJCF or OpenSim.

    Parameters
    ----------
    path : str or Path
        The file. Its root says which format it has, whatever it is called.
    floating : bool, optional
        Of URDF: whether the link that no joint carries moves freely. It is fixed to the ground
        otherwise.
    within : str or Path, optional
        Of MJCF: the folder that included files may be in, or in its folders; that of the file if
        not told.
    muscles : {"paths", "torques"}, optional
        Of OpenSim: whether muscles and other forces act as the file has them, or a torque drives
        each coordinate instead, but those of a body that moves freely on the ground.

    Returns
    -------
    Imported

    Raises
    ------
    ModelError
        If it cannot be read, or says what no model file can say and the motion depends on.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "arm.urdf"
    ...     _ = file.write_text(
    ...         '<robot name="arm"><link name="base"/><link name="rod"><inertial>'
    ...         '<mass value="2"/></inertial></link><joint name="hinge" type="continuous">'
    ...         '<parent link="base"/><child link="rod"/></joint></robot>'
    ...     )
    ...     import_model(file).model.constants["m_rod"].title
    'mass of rod'
    """
    root = read(Path(path))
    description = _described(root, floating, within, muscles)
    description.merge()
    if not description.bodies:
        root.refuse("expected something that moves, found nothing" + _hint(root, floating))
    _leave_points(description)
    notes = tuple(_notes(description))
    text = written(description, [note for note in notes if note.kind not in ("taken", "renamed")])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        model = _loaded(text, str(path))
    return Imported(Path(path), FORMATS[root.tag], text, model, notes)


def _described(
    root: Element, floating: bool, within: str | Path | None, muscles: Muscles
) -> Description:
    if within is not None and root.tag != "mujoco":
        raise ArgumentError("within: is for MJCF, whose files include others")
    if muscles != "paths" and root.tag != "OpenSimDocument":
        raise ArgumentError("muscles: is for OpenSim, whose models have them")
    if root.tag == "robot":
        return urdf.read(root, floating)
    if floating:
        message = "a body floats by its <freejoint> in MJCF, by its <FreeJoint> in OpenSim"
        raise ArgumentError(f"floating: is for URDF; {message}")
    if root.tag == "mujoco":
        return mjcf.read(root, None if within is None else Path(within))
    if root.tag == "OpenSimDocument":
        return opensim.read(root, muscles)
    known = " or ".join(f"<{tag}> ({name})" for tag, name in FORMATS.items())
    return root.refuse(f"expected {known}, found another format")


def _hint(root: Element, floating: bool) -> str:
    return "; --floating lets its base move" if root.tag == "robot" and not floating else ""


def _loaded(text: str, source: str) -> Model:
    try:
        return loads(text, source)
    except ModelError as error:
        problems = [Problem(one.where, f"as a model file: {one.message}") for one in error.problems]
        raise ModelError(source, problems) from None


def _leave_points(description: Description) -> None:
    """Leave points out that do not move."""
    for name, (on, _) in list(description.points.items()):
        if on not in description.bodies:
            del description.points[name]


def _notes(description: Description) -> Iterator[Note]:
    """Iterate over what became of the parts, by kind."""
    for body in description.bodies.values():
        if body.inertial.is_unphysical:
            moments = ", ".join(f"{part:.4g}" for part in np.linalg.eigvalsh(body.inertial.inertia))
            message = (
                f"no body has the principal moments {moments} of '{body.name}': taken all the same"
            )
            description.note("approximated", message)
        if is_rounded(body.pose.rotation):
            description.count("approximated", _ROUNDED)
    for body in description.weightless():
        message = f"'{body.name}' moves without any mass, so that the mass matrix is singular"
        description.note("approximated", message)
    counted = [Note(kind, f"{n} × {what}") for (kind, what), n in description.counts.items()]
    every = [*description.notes, *counted]
    for kind in ("taken", "merged", "renamed", "approximated", "left"):
        yield from (note for note in every if note.kind == kind)
