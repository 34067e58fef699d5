"""The families of derived quantities, by the first part of their paths."""

from collections.abc import Mapping

from freebody.checking.quantities.families import blocks, forces, impacts, momentum, motion
from freebody.checking.quantities.families.family import Family, Rows, Source

FAMILIES: Mapping[str, Family] = {
    **blocks.FAMILIES,
    **motion.FAMILIES,
    **momentum.FAMILIES,
    **forces.FAMILIES,
    **impacts.FAMILIES,
}

__all__ = ["FAMILIES", "Family", "Rows", "Source"]
