"""What motions and forces tell of a model: its regressor, and the parameters in it."""

from freebody.identification.columns import Parameter
from freebody.identification.identify import Identified, identify
from freebody.identification.regressor import Regressor, regressor
from freebody.identification.trajectory import fit_trajectory
from freebody.identification.writer import BaseParameter

__all__ = [
    "BaseParameter",
    "Identified",
    "Parameter",
    "Regressor",
    "fit_trajectory",
    "identify",
    "regressor",
]
