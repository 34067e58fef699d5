"""Where bodies are in numbers, and which of them are fixed to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from freebody.importing.placing import Array, Pose, of_quaternion
from freebody.model.marks import GROUND


@dataclass(frozen=True)
class NumericMove:
    """A shift along an axis, or a turn about one, by a function of coordinates."""

    turns: bool
    axis: Array
    by: Callable[[Mapping[str, float]], float]


@dataclass
class Joint:
    """How a body hangs on another."""

    parent: str
    on_parent: Pose
    on_child: Pose
    moves: list[NumericMove]


@dataclass
class Skeleton:
    """The joints, by the body that each carries."""

    joints: dict[str, Joint] = field(default_factory=dict)

    def pose_in_parent(self, body: str, at: Mapping[str, float]) -> Pose:
        """Return where a body is in its parent."""
        joint = self.joints[body]
        pose = joint.on_parent
        for move in joint.moves:
            far = move.by(at)
            if move.turns:
                half = far / 2
                turn = of_quaternion(np.array([np.cos(half), *(np.sin(half) * move.axis)]))
                pose = pose.then(Pose(turn))
            else:
                pose = pose.then(Pose(origin=far * move.axis))
        return pose.then(inverse(joint.on_child))

    def pose(self, body: str, at: Mapping[str, float]) -> Pose:
        """Return where a body is in the ground."""
        if body == GROUND:
            return Pose()
        return self.pose(self.joints[body].parent, at).then(self.pose_in_parent(body, at))

    def host(self, body: str, place: Pose) -> tuple[str, Pose]:
        """Return the body that a body is part of once fixed ones are merged, and a pose there."""
        while body != GROUND and not self._moves(body):
            place = self.pose_in_parent(body, {}).then(place)
            body = self.joints[body].parent
        return body, place

    def _moves(self, body: str) -> bool:
        for move in self.joints[body].moves:
            try:
                move.by({})
            except KeyError:
                return True
        return False


def inverse(pose: Pose) -> Pose:
    """Return how the outer frame stands in the inner one."""
    return Pose(pose.rotation.T, -pose.rotation.T @ pose.origin)
