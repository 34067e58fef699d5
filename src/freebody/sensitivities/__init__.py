"""What motions, forces and states of rest depend on: derivatives by parameters."""

from freebody.sensitivities.sensitivity import Sensitivity, sensitivity

__all__ = ["Sensitivity", "sensitivity"]
