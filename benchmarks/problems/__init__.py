"""Problems of the gallery, each with what is printed and how freebody finds it."""

from problems import bicycle, gait, kane, library, machines, walking
from problems.problem import Problem

PROBLEMS = (
    *bicycle.PROBLEMS,
    *library.PROBLEMS,
    *machines.PROBLEMS,
    *walking.PROBLEMS,
    *kane.PROBLEMS,
)

__all__ = ["PROBLEMS", "Problem", "gait"]
