"""What MuJoCo works out as it compiles a file: masses of meshes, springs given by their time."""

from __future__ import annotations

from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from freebody.importing.elements import Element, shown
from freebody.importing.placing import Inertial, Pose, of_quaternion

EXTRA = "freebody[mujoco]"


class Compiled:
    """The numbers of a file that MuJoCo knows once it has compiled it, where it is installed.

    Parameters
    ----------
    root : Element
        The root of the file.
    """

    def __init__(self, root: Element) -> None:
        self.root = root

    @property
    def is_there(self) -> bool:
        """Whether MuJoCo is installed."""
        return find_spec("mujoco") is not None

    @property
    def provenance(self) -> str:
        """By what the numbers are worked out."""
        import mujoco

        return f"as MuJoCo {mujoco.__version__} works it out"

    def inertial(self, number: int) -> Inertial:
        """Return the mass of a body, by its number in the order of the file, from 1.

        Raises
        ------
        ModelError
            If MuJoCo does not compile the file, or leaves bodies out as it does.
        """
        mass, place = self._model.body_mass[number], self._model.body_ipos[number]
        pose = Pose(of_quaternion(self._model.body_iquat[number]), place)
        own = Inertial(float(mass), np.zeros(3), np.diag(self._model.body_inertia[number]))
        return own.seen_from(pose)

    def spring(self, number: int) -> tuple[float, float]:
        """Return the stiffness and the damping of a joint, by its number in the file, from 1.

        Raises
        ------
        ModelError
            As `inertial`.
        """
        joint = number - 1
        freedom = self._model.jnt_dofadr[joint]
        stiffness = np.ravel(self._model.jnt_stiffness[joint])[0]
        return float(stiffness), float(np.ravel(self._model.dof_damping[freedom])[0])

    @cached_property
    def _model(self) -> Any:
        import mujoco

        try:
            return mujoco.MjModel.from_xml_path(str(self.root.file))
        except ValueError as error:
            self.root.refuse(f"MuJoCo does not compile it: {shown(str(error))}")
