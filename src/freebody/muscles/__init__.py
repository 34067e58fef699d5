"""Muscles at work: Hill's curves, excited motions, and torques shared among muscles."""

from freebody.muscles.curves import curve
from freebody.muscles.excitation import Excited, excite
from freebody.muscles.hill import Fibers, Musculotendons
from freebody.muscles.ranges import Range, ranges_of
from freebody.muscles.sharing import Shared, share
from freebody.muscles.static import StaticOptimum, static_optimisation

__all__ = [
    "Excited",
    "Fibers",
    "Musculotendons",
    "Range",
    "Shared",
    "StaticOptimum",
    "curve",
    "excite",
    "ranges_of",
    "share",
    "static_optimisation",
]
