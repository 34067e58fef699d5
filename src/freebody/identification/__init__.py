"""What motions and forces tell of a model: its regressor, and the parameters in it."""

from freebody.identification.columns import Parameter
from freebody.identification.regressor import Regressor, regressor
from freebody.identification.writer import BaseParameter

__all__ = ["BaseParameter", "Parameter", "Regressor", "regressor"]
