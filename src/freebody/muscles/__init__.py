"""Muscles at work: Hill's curves, excited motions, and torques shared among muscles."""

from freebody.muscles.excitation import Excited, excite
from freebody.muscles.hill import Fibers, Musculotendons, curve
from freebody.muscles.paths import Range, ranges_of
from freebody.muscles.static import Shared, StaticOptimum, share, static_optimisation

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
