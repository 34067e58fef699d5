"""Motions: recorded, planned or found from markers; filtered and differentiated."""

from freebody.motion.filtering import Residuals, residual_analysis
from freebody.motion.inverse_kinematics import Solution, inverse_kinematics
from freebody.motion.markers import Markers, read_markers
from freebody.motion.motion import Motion, Samples
from freebody.motion.reading import read_motion
from freebody.motion.trajectories import Reach, TwoLink, minimum_jerk, posture_reach, two_link

__all__ = [
    "Markers",
    "Motion",
    "Reach",
    "Residuals",
    "Samples",
    "Solution",
    "TwoLink",
    "inverse_kinematics",
    "minimum_jerk",
    "posture_reach",
    "read_markers",
    "read_motion",
    "residual_analysis",
    "two_link",
]
